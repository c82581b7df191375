"""Ways from one level into another: which file an exit leads to, and which it may."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ....core.vectors import Point
from ...format.file_access import list_files, resolve_path
from ...format.findings import FindingCollector, InputError, SourceSpan, quote_text, suggest_word
from ...format.records import RecordValues

LEVEL_EXTENSIONS = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Exit:
    """Leads into another level when the feet come within `radius` metres of `at`.

    to: the level file as written, relative to this one; path: where that is; name: what to call it; spawn: the
    name of the place to begin at there, its first where empty.
    """

    at: Point
    radius: float
    to: str
    path: Path
    name: str
    spawn: str
    place: SourceSpan = field(default=SourceSpan(), compare=False, repr=False)  # in the file


def read_exits(values: RecordValues, file: Path, report: FindingCollector) -> tuple[Exit, ...]:
    """The exits of a level file; one that leads where it may not is dropped, one to no file is warned of."""
    found = []
    for entry in values.records("exits"):
        to = entry.text("to")
        try:
            path = resolve_path(file, to, LEVEL_EXTENSIONS)
        except InputError as refused:
            report.add("dropped", entry.place_of("to"), "exits.to", refused.message, refused.cure)
            continue
        if not _is_regular_file(path):
            near = suggest_word(path.name, list_files(path.parent, LEVEL_EXTENSIONS))
            cure = near or "write the level's path relative to this file"
            report.add("warning", entry.place_of("to"), "exits.to", f"level file {quote_text(to)} does not exist", cure)
        name = entry.text("name") or path.stem
        found.append(Exit(entry.point("at"), entry.number("radius"), to, path, name, entry.text("spawn"), entry.place))
    return tuple(found)


def _is_regular_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False
