"""Best runs of earlier versions of a level: the progress file keeps them by the hash that the level had then."""

from __future__ import annotations

from pathlib import Path

from ...core.time_format import format_strokes, format_time
from . import progress
from .progress import LevelRecord

MAX_LISTED = 3


def earlier_records(path: Path) -> tuple[LevelRecord, ...]:
    """Records with a best run of levels with this level's name and first spawn, but another geometry; newest first."""
    stored = progress.read_progress()
    visit = stored.visits.get(progress.file_key(path))
    if visit is None:
        return ()
    current = f"{visit.hash}:{visit.spawn}"
    name = stored.records.get(current, LevelRecord()).name
    found = [
        record
        for key, record in stored.records.items()
        if key != current and key.partition(":")[2] == visit.spawn and record.name == name and record.best is not None
    ]
    return tuple(sorted(found, key=lambda record: record.used, reverse=True)) if name else ()


def describe_earlier(path: Path) -> str:
    """`Earlier version of this level: 1:02.35`; empty without such a record."""
    texts = []
    for record in earlier_records(path)[:MAX_LISTED]:
        assert record.best is not None
        strokes = record.best.strokes
        texts.append(format_time(record.best.seconds) if strokes is None else format_strokes(strokes))
    if not texts:
        return ""
    return f"Earlier version{'' if len(texts) == 1 else 's'} of this level: {', '.join(texts)}"
