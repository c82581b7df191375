"""Which levels there are to play: those that come with the game, the user's own, and the working folder's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ...core import user_folders
from ...level.format.file_access import LEVELS

OWN = "levels"  # the folder of the user's own, among the user's data
ENDINGS = (".yaml", ".yml")
MOST = 400  # levels listed of a folder: more is no list that one reads
HEAD_BYTES = 8192  # of a file, in which its name is looked for

# the shipped ones in the order in which one would show them; others follow by name
WORLDS = ("demo", "surfaces", "waters", "escher", "lifts", "ballroom", "lab")
_LINE = r"^%s:[ \t]*(.+?)[ \t]*(?: #.*)?\r?$"
_FIELDS = {name: re.compile((_LINE % name).encode(), re.MULTILINE) for name in ("name", "about")}
MOST_LETTERS = {"name": 60, "about": 200}


@dataclass(frozen=True, slots=True)
class Listed:
    """A level file: where it is, what it calls itself and says about itself, in which group it is shown."""

    path: Path
    name: str
    group: str
    shipped: bool = False
    about: str = ""


def find() -> tuple[Listed, ...]:
    """All levels, group by group. Files that cannot be read are listed by their file's name."""
    found = [*_in(LEVELS, "Worlds", True, WORLDS), *_in(LEVELS / "golf", "Golf", True, ("one", "two", "three"))]
    found += _in(LEVELS / "examples", "Examples", True)
    found += _in(LEVELS / "museum", "The museum", True, ("hall",))
    own = user_folders.data() / OWN
    found += [level for folder in (own, *_below(own)) for level in _in(folder, "Your levels", False)]
    here = Path.cwd() / "levels"
    if here.resolve() not in (LEVELS.resolve(), own.resolve()):
        found += [level for folder in (here, *_below(here)) for level in _in(folder, f"In {here}", False)]
    return tuple(found)


def _below(folder: Path) -> list[Path]:
    try:
        return sorted(entry for entry in folder.iterdir() if entry.is_dir() and not entry.name.startswith("."))[:MOST]
    except OSError:
        return []


def _in(folder: Path, group: str, shipped: bool, first: tuple[str, ...] = ()) -> list[Listed]:
    try:
        names = sorted(entry.name for entry in folder.iterdir() if entry.suffix.lower() in ENDINGS)[:MOST]
    except OSError:
        return []
    rank = {stem: at for at, stem in enumerate(first)}
    names.sort(key=lambda name: (rank.get(Path(name).stem, len(first)), name))
    found = []
    for name in names:
        head = _head(folder / name)
        called, about = _said(head, "name") or Path(name).stem, _said(head, "about")
        found.append(Listed(folder / name, called, group, shipped, about))
    return found


def _head(path: Path) -> bytes:
    """The beginning of a file; nothing where it cannot be read."""
    try:
        if path.is_file():
            with open(path, "rb") as file:
                return file.read(HEAD_BYTES)
    except OSError:
        pass
    return b""


def _said(head: bytes, name: str) -> str:
    """What a field of one line says, by a look at the text alone: the list needs no level read."""
    match = _FIELDS[name].search(head)
    text = match[1].decode("utf-8", "replace").strip("\"'") if match else ""
    return "".join(char for char in text if char.isprintable())[: MOST_LETTERS[name]]
