"""Ways from one level into another: which file an exit leads to, and which it may."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from game.level.findings import Place, Report, did_you_mean, harmless, quoted
from game.level.reader import Point, Values
from game.level.source import LEVELS

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
            path = _target(file, to)
        except _Refused as refused:
            report.add("dropped", entry.at("to"), "exits.to", *refused.args)
            continue
        if not _is_file(path):
            near = did_you_mean(path.name, _names(path.parent))
            cure = near or "write the level's path as seen from this file"
            report.add("warning", entry.at("to"), "exits.to", f"there is no level file {quoted(to)}", cure)
        name = entry.text("name") or path.stem
        found.append(Exit(entry.point("at"), entry.number("radius"), to, path, name, entry.text("spawn"), entry.place))
    return tuple(found)


class _Refused(Exception):
    """(message, cure)"""


def _target(file: Path, to: str) -> Path:
    """Where `to` leads from `file`, within the shipped levels or the folder above the file's own."""
    if "\\" in to or "\n" in to:
        raise _Refused(f"{quoted(to)} is no path to a level", "write folders with /: ../museum/hall.yaml")
    if to.startswith(("/", "~")) or re.match("[A-Za-z]:", to):
        raise _Refused(f"{quoted(to)} does not begin at this file", "write it as seen from this file, like next.yaml")
    if not to.endswith(ENDINGS):
        raise _Refused(f"{quoted(to)} is no level file", f"a level's name ends in {ENDINGS[0]}")
    try:
        folder = file.resolve().parent
        path = (folder / to).resolve()
        home = LEVELS if folder.is_relative_to(LEVELS) else folder.parent
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: links that go round in circles
        raise _Refused(f"{quoted(to)} cannot be followed: {harmless(str(error), 100)}", "") from None
    if not path.is_relative_to(home):
        raise _Refused(
            f"{quoted(to)} leaves the levels' folder", "an exit leads into this folder, one beside it or one inside"
        )
    return path


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _names(folder: Path) -> list[str]:
    """Level files in a folder, some hundreds at most."""
    try:
        names = (name for name in os.listdir(folder) if name.endswith(ENDINGS))
        return [name for name, _ in zip(names, range(500), strict=False)]
    except OSError:
        return []
