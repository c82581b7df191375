"""Exits: spheres that lead to another level file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ....core.user_folders import LEVEL_SUFFIXES
from ....core.vectors import Point
from ...format.file_access import list_files, resolve_path
from ...format.findings import FindingCollector, InputError, SourceSpan, quote_text, suggest_file
from ...format.level_file import ExitFields


@dataclass(frozen=True, slots=True)
class Exit:
    """Exit, taken when the feet are inside its sphere (centre `at`, `radius` in m).

    to: level file as written. path: its real path. name: of the destination. spawn: name of the spawn there;
    empty for the first.
    """

    at: Point
    radius: float
    to: str
    path: Path
    name: str
    spawn: str
    place: SourceSpan = field(default=SourceSpan(), compare=False, repr=False)


def read_exits(fields: Sequence[ExitFields], file: Path, report: FindingCollector) -> tuple[Exit, ...]:
    """Exits of a level file. A forbidden path drops the exit; a missing file is a warning."""
    exits = []
    for entry in fields:
        to = entry.to
        place = entry.place_of(ExitFields.to)
        try:
            path = resolve_path(file, to, LEVEL_SUFFIXES)
        except InputError as error:
            report.add("dropped", place, "exits.to", error.message, error.cure)
            continue
        if not _is_regular_file(path):
            suggestion = suggest_file(path.name, list_files(path.parent, LEVEL_SUFFIXES))
            cure = suggestion or "write the level's path relative to this file"
            report.add("warning", place, "exits.to", f"level file {quote_text(to)} does not exist", cure)
        name = entry.name or path.stem
        exits.append(Exit(entry.at, entry.radius, to, path, name, entry.spawn, entry.place))
    return tuple(exits)


def _is_regular_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False
