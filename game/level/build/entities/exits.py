"""Ways from one level into another: which file an exit leads to, and which it may."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ...format.file_access import names_in, target
from ...format.findings import Place, Refused, Report, did_you_mean, quoted
from ...format.records import Point, Values

ENDINGS = (".yaml", ".yml")


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
    place: Place = field(default=Place(), compare=False, repr=False)  # in the file


def read_exits(values: Values, file: Path, report: Report) -> tuple[Exit, ...]:
    """The exits of a level file; one that leads where it may not is dropped, one to no file is warned of."""
    found = []
    for entry in values.records("exits"):
        to = entry.text("to")
        try:
            path = target(file, to, ENDINGS)
        except Refused as refused:
            report.add("dropped", entry.at("to"), "exits.to", refused.message, refused.cure)
            continue
        if not _is_file(path):
            near = did_you_mean(path.name, names_in(path.parent, ENDINGS))
            cure = near or "write the level's path as seen from this file"
            report.add("warning", entry.at("to"), "exits.to", f"there is no level file {quoted(to)}", cure)
        name = entry.text("name") or path.stem
        found.append(Exit(entry.point("at"), entry.number("radius"), to, path, name, entry.text("spawn"), entry.place))
    return tuple(found)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False
