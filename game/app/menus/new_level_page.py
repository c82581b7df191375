"""Page "New level": a name is typed, and an empty room with that name is written into the user's folder of levels."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from ...core import user_folders
from ...core.atomic_files import write_atomic
from ...core.errors import error_reason
from ...level.edit import format_text
from ...level.format.file_access import SHIPPED_LEVELS
from ...text.key_symbols import key_symbol
from ..runs.recording import display_path
from .level_library import USER_FOLDER, read_header
from .menu_stack import MenuPage, MenuRow, MenuStack

CREATE = "create"  # action: write the level and leave for it
MAX_NAME_LENGTH = 40
WINDOWS_DEVICE = re.compile("con|prn|aux|nul|com[0-9]|lpt[0-9]")  # Windows opens a device by these file names
MAX_NUMBER = 1000  # of levels with one name

EMPTY_ROOM = """\
format: 1
name: {name}
spawn: {{at: [0, 0, 5], facing: north}}
surfaces:
  stone: {{colour: "#9d978b", texture: flagstone}}
  plaster: {{colour: "#e3d3b4", texture: plaster}}
pieces:
  - room:
      from: [-8, 0, -8]
      to: [8, 6, 8]
      doors: [{{wall: south, at: 8, width: 1.6, height: 2.2}}]
      windows: [{{wall: west, at: 8, width: 3}}, {{wall: east, at: 8, width: 3}}]
      floor_surface: stone
      surface: plaster
  - light: {{at: [0, 5, 0], colour: "#ffe2b8", brightness: 1.8, reach: 16}}
  - floor: {{from: [-20, -20], to: [20, 20], y: -0.2, thickness: 0.3, surface: stone}}
"""


def level_file_stem(name: str) -> str:
    """File name of a level: lower-case letters, digits and underscores."""
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    stem = re.sub("[^a-z0-9]+", "_", plain).strip("_")[:MAX_NAME_LENGTH] or "level"
    return f"{stem}_level" if WINDOWS_DEVICE.fullmatch(stem) else stem


def create_level(name: str, folder: Path | None = None) -> Path:
    """Write an empty room into the user's folder of levels; returns its path. OSError where that fails."""
    place = user_folders.data_folder() / USER_FOLDER if folder is None else folder
    try:
        place.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise OSError(f"{display_path(place)} is not a folder") from None
    stem = level_file_stem(name)
    names = [stem, *(f"{stem}_{number}" for number in range(2, MAX_NUMBER))]
    path = next((place / f"{free}.yaml" for free in names if not (place / f"{free}.yaml").exists()), None)
    if path is None:
        raise OSError("there are too many levels of that name")
    write_atomic(path, EMPTY_ROOM.format(name=format_text(name)).encode())
    return path


def copy_path(shipped: Path) -> Path:
    """The path of the player's copy of a shipped level, which need not exist."""
    place = shipped.resolve().relative_to(SHIPPED_LEVELS.resolve())
    return user_folders.data_folder() / USER_FOLDER / place.with_stem(f"{place.stem}_copy")


def copy_level(shipped: Path) -> Path:
    """The player's copy of a shipped level, made where there is none; its path. Its doors, parts and pictures are those
    of the shipped folder. OSError where it cannot be written."""
    path = copy_path(shipped)
    if not path.exists():
        text = shipped.read_text(encoding="utf-8")
        name = format_text(f"{read_header(shipped).name} (copy)")
        text = re.sub(r"(?m)^name:.*$", lambda _: f"name: {name}", text, count=1)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, text.encode())
    return path


class NewLevelPage(MenuPage):
    name = "new level"
    title = "New level"
    footer = f"{key_symbol('Enter')} create and edit   ·   {key_symbol('Esc')} back"
    width = 560.0
    takes_text = True

    def __init__(self) -> None:
        self.typed = ""

    @property
    def text(self) -> str:  # type: ignore[override]
        """The name so far, with a cursor."""
        return f"Name: {self.typed}_"

    def rows(self, menu: MenuStack) -> tuple[MenuRow, ...]:
        return (MenuRow("create", "Create and edit"),)

    def type_text(self, menu: MenuStack, text: str) -> None:
        typed = self.typed + "".join(char for char in text if char.isprintable())
        self.typed = typed.lstrip()[:MAX_NAME_LENGTH]

    def clear_row(self, menu: MenuStack, row: MenuRow) -> None:
        """Remove the last character."""
        self.typed = self.typed[:-1]

    def activate(self, menu: MenuStack, row: MenuRow) -> str:
        return CREATE

    def create(self, menu: MenuStack) -> Path | None:
        """Write the level; returns its path, or None with a notice where that fails."""
        try:
            return create_level(self.typed.strip() or "My level")
        except OSError as error:
            menu.notice = f"The level cannot be written: {error_reason(error)}"
            return None
