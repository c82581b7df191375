"""Which levels there are to play: those that come with the game, the user's own, and the working folder's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ...core import user_folders
from ...level.format.file_access import SHIPPED_LEVELS

USER_FOLDER = "levels"  # the folder of the user's own, among the user's data
LEVEL_SUFFIXES = (".yaml", ".yml")
MAX_LEVELS = 400  # levels listed of a folder: more is no list that one reads
HEAD_BYTES = 8192  # of a file, in which its name is looked for

# the shipped ones in the order in which one would show them; others follow by name
WORLD_ORDER = ("demo", "surfaces", "waters", "escher", "lifts", "ballroom", "lab")
_FIELD_PATTERN = r"^%s:[ \t]*(.+?)[ \t]*(?: #.*)?\r?$"
_FIELDS = {name: re.compile((_FIELD_PATTERN % name).encode(), re.MULTILINE) for name in ("name", "about")}
MAX_FIELD_LENGTHS = {"name": 60, "about": 200}


@dataclass(frozen=True, slots=True)
class LevelEntry:
    """A level file: where it is, what it calls itself and says about itself, in which group it is shown."""

    path: Path
    name: str
    group: str
    shipped: bool = False
    description: str = ""


def find_levels() -> tuple[LevelEntry, ...]:
    """All levels, group by group. Files that cannot be read are listed by their file's name."""
    found = [
        *_levels_in(SHIPPED_LEVELS, "Worlds", True, WORLD_ORDER),
        *_levels_in(SHIPPED_LEVELS / "golf", "Golf", True, ("one", "two", "three")),
    ]
    found += _levels_in(SHIPPED_LEVELS / "examples", "Examples", True)
    found += _levels_in(SHIPPED_LEVELS / "museum", "Museum", True, ("hall",))
    own = user_folders.data_folder() / USER_FOLDER
    found += [level for folder in (own, *_levels_below(own)) for level in _levels_in(folder, "Your levels", False)]
    here = Path.cwd() / "levels"
    if here.resolve() not in (SHIPPED_LEVELS.resolve(), own.resolve()):
        found += [
            level for folder in (here, *_levels_below(here)) for level in _levels_in(folder, f"Folder {here}", False)
        ]
    return tuple(found)


def _levels_below(folder: Path) -> list[Path]:
    try:
        return sorted(entry for entry in folder.iterdir() if entry.is_dir() and not entry.name.startswith("."))[
            :MAX_LEVELS
        ]
    except OSError:
        return []


def _levels_in(folder: Path, group: str, shipped: bool, first: tuple[str, ...] = ()) -> list[LevelEntry]:
    try:
        names = sorted(entry.name for entry in folder.iterdir() if entry.suffix.lower() in LEVEL_SUFFIXES)[:MAX_LEVELS]
    except OSError:
        return []
    rank = {stem: at for at, stem in enumerate(first)}
    names.sort(key=lambda name: (rank.get(Path(name).stem, len(first)), name))
    found = []
    for name in names:
        head = _read_head(folder / name)
        called, about = _header_field(head, "name") or Path(name).stem, _header_field(head, "about")
        found.append(LevelEntry(folder / name, called, group, shipped, about))
    return found


def _read_head(path: Path) -> bytes:
    """The beginning of a file; nothing where it cannot be read."""
    try:
        if path.is_file():
            with open(path, "rb") as file:
                return file.read(HEAD_BYTES)
    except OSError:
        pass
    return b""


def _header_field(head: bytes, name: str) -> str:
    """What a field of one line says, by a look at the text alone: the list needs no level read."""
    match = _FIELDS[name].search(head)
    text = match[1].decode("utf-8", "replace").strip("\"'") if match else ""
    return "".join(char for char in text if char.isprintable())[: MAX_FIELD_LENGTHS[name]]
