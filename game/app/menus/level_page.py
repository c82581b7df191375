"""The list of levels: choosing one opens it."""

from __future__ import annotations

from game.app.menus.library import Listed
from game.app.menus.rows import LEVEL, Row
from game.app.menus.stack import Menu, Page


class LevelsPage(Page):
    """All levels that there are. After "picked", `picked` is the one that was chosen."""

    name = "levels"
    title = "Levels"
    footer = "Enter or a click opens it"
    look, columns = "grid", 4

    def __init__(self, levels: tuple[Listed, ...]) -> None:
        self.levels = levels
        self.picked: Listed | None = None

    def rows(self, menu: Menu) -> tuple[Row, ...]:
        return tuple(Row(str(level.path), level.name, LEVEL, level.group) for level in self.levels)

    def activate(self, menu: Menu, row: Row) -> str:
        self.picked = self.levels[menu.selected]
        return "picked"
