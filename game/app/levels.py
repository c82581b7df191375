"""From what was typed to a level, and the sentence where that cannot be."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from game.level import Level

NOT_A_LEVEL = 2


class UserError(Exception):
    """Something that the player can mend: shown as it is, without a trace. `code` is the exit status."""

    def __init__(self, message: str, code: int = NOT_A_LEVEL) -> None:
        super().__init__(message)
        self.code = code


def load(name: str) -> Level:
    """The level of that path or name. UserError with all its findings where it cannot be played."""
    from game.level import LevelError, load

    try:
        return load(name)
    except LevelError as error:
        raise UserError("\n".join(finding.render() for finding in error.findings)) from None


def harmless(text: str) -> str:
    """A name as it may be printed: nothing in it that moves a terminal's cursor."""
    return "".join(char if char.isprintable() else "?" for char in text)[:400]
