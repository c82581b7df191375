"""From what was typed to a level: a path, or the name of a level that comes with the game."""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from game.level import Level

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ROOT / "levels"
SUFFIX = ".yaml"


class UserError(Exception):
    """Something that the player can mend: shown as it is, without a trace. `code` is the exit status."""

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(message)
        self.code = code


def shipped() -> dict[str, Path]:
    """Name -> file of every level that comes with the game."""
    return {
        path.relative_to(SHIPPED).with_suffix("").as_posix(): path for path in sorted(SHIPPED.rglob(f"*{SUFFIX}"))
    }


def find(text: str) -> Path:
    """The file that LEVEL means: a bare name is a shipped level's first, all else a path.

    UserError, with the nearest names, where there is none.
    """
    if "\0" in text:
        raise UserError("a level's name cannot have a zero byte in it")
    names = shipped()
    if text in names:
        return names[text]
    path = Path(text)
    if text and os.path.lexists(path):
        return path
    beside = [str(path.with_name(name)) for name in _names_in(path.parent) if name.endswith(SUFFIX)]
    wanted = text if path.suffix else text + SUFFIX
    near = difflib.get_close_matches(text, names, 1, 0.6) or difflib.get_close_matches(wanted, beside, 1, 0.6)
    hint = f"perhaps '{near[0]}'?" if near else f"levels that come with the game: {', '.join(names) or 'none'}"
    raise UserError(f"there is no level '{text}'; {hint}")


def _names_in(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)[:1000]
    except (OSError, ValueError):
        return []


def shown(path: Path) -> str:
    """The path as a person would type it: from here where it lies below, else whole."""
    try:
        return os.path.relpath(path) if path.resolve().is_relative_to(Path.cwd()) else str(path)
    except OSError:
        return str(path)


def load(text: str) -> Level:
    """The level that LEVEL means. UserError with all its findings where it cannot be played."""
    from game.level import LevelError, load

    path = find(text)
    try:
        return load(shown(path))
    except LevelError as error:
        findings = "\n".join(finding.render() for finding in error.findings)
        raise UserError(f"{findings}\n{shown(path)} cannot be played until that is mended.") from None
