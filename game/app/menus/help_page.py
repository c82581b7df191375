"""What all the keys do."""

from __future__ import annotations

from game.app.menus.rows import KEY, Row
from game.app.menus.stack import Menu, Page

KEYS = (
    ("W A S D", "walk (the arrows do too)"),
    ("Mouse", "look around"),
    ("Space", "jump"),
    ("Ctrl or C", "crouch"),
    ("Shift", "run"),
    ("Left mouse or E", "throw or strike, where there are balls"),
    ("R", "start again"),
    ("Esc", "pause and settings"),
    ("F1", "this help"),
    ("F2", "look at the level and edit it"),
    ("F3", "what the physics does"),
    ("F5", "record, and stop recording"),
    ("F11", "fill the screen"),
    ("F12", "take a picture"),
)


def keys() -> tuple[tuple[str, str], ...]:
    """Each key with what it does."""
    return KEYS


class HelpPage(Page):
    """The keys, to read."""

    name = "help"
    title = "Keys"
    footer = "Esc goes back"

    def rows(self, menu: Menu) -> tuple[Row, ...]:
        return tuple(Row(key, key, KEY, meaning) for key, meaning in keys())
