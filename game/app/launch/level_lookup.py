"""From what was typed to a level, and the sentence where that cannot be."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...level import Level

NOT_A_LEVEL = 2


class UserError(Exception):
    """Something that the player can mend: shown as it is, without a trace. `code` is the exit status."""

    def __init__(self, message: str, code: int = NOT_A_LEVEL) -> None:
        super().__init__(message)
        self.code = code


HALL, FIRST = "hall.yaml", "one.yaml"  # where one comes into a folder of levels


def load(name: str) -> Level:
    """The level of that path or name, or a folder's hall. UserError with all findings where it cannot be played."""
    from ...level import LevelError, load

    try:
        return load(entrance(name))
    except LevelError as error:
        raise UserError("\n".join(finding.render() for finding in error.findings)) from None


def entrance(name: str) -> str:
    """Of a folder (or the name of a shipped one) its hall.yaml, or one.yaml, or the only level in it; of anything else
    itself."""
    from ...level.format.source import LEVELS

    try:
        folder = Path(name)
        if name.isidentifier() and not folder.exists() and not (LEVELS / f"{name}.yaml").exists():
            folder = LEVELS / name
        if not folder.is_dir() or not name:
            return name
        found = sorted(folder.glob("*.yaml"))
    except (OSError, ValueError):
        return name
    for first in (folder / HALL, folder / FIRST):
        if first in found:
            return str(first)
    if len(found) == 1:
        return str(found[0])
    if not found:
        raise UserError(f"{harmless(name)}: there is no level in this folder")
    listed = ", ".join(harmless(path.name) for path in found[:12]) + (", ..." if len(found) > 12 else "")
    raise UserError(f"{harmless(name)}: this folder has no {HALL}; name one of its levels: {listed}")


def harmless(text: str) -> str:
    """A name as it may be printed: nothing in it that moves a terminal's cursor."""
    return "".join(char if char.isprintable() else "?" for char in text)[:400]
