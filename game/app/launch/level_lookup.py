"""From what was typed to a level, and the sentence where that cannot be."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...core.errors import WalkerError

if TYPE_CHECKING:
    from ...level import Level

NOT_A_LEVEL_STATUS = 2


class UserError(WalkerError):
    """Something that the player can mend: shown as it is, without a trace. `code` is the exit status."""

    def __init__(self, message: str, code: int = NOT_A_LEVEL_STATUS) -> None:
        super().__init__(message)
        self.code = code


HALL_FILE, FIRST_FILE = "hall.yaml", "one.yaml"  # where one comes into a folder of levels


def load_level(name: str) -> Level:
    """The level of that path or name, or a folder's hall. UserError with all findings where it cannot be played."""
    from ...level import LevelError, load

    try:
        return load(entrance_file(name))
    except LevelError as error:
        raise UserError("\n".join(finding.render() for finding in error.findings)) from None


def entrance_file(name: str) -> str:
    """Of a folder (or the name of a shipped one) its hall.yaml, or one.yaml, or the only level in it; of anything else
    itself."""
    from ...level.format.file_access import SHIPPED_LEVELS

    try:
        folder = Path(name)
        if name.isidentifier() and not folder.exists() and not (SHIPPED_LEVELS / f"{name}.yaml").exists():
            folder = SHIPPED_LEVELS / name
        if not folder.is_dir() or not name:
            return name
        found = sorted(folder.glob("*.yaml"))
    except (OSError, ValueError):
        return name
    for first in (folder / HALL_FILE, folder / FIRST_FILE):
        if first in found:
            return str(first)
    if len(found) == 1:
        return str(found[0])
    if not found:
        raise UserError(f"{printable_name(name)}: no level in this folder")
    listed = ", ".join(printable_name(path.name) for path in found[:12]) + (", ..." if len(found) > 12 else "")
    raise UserError(f"{printable_name(name)}: this folder has no {HALL_FILE}; name one of its levels: {listed}")


def printable_name(text: str) -> str:
    """A name as it may be printed: nothing in it that moves a terminal's cursor."""
    return "".join(char if char.isprintable() else "?" for char in text)[:400]
