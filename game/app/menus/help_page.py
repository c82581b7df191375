"""What all the keys do."""

from __future__ import annotations

from game.app.menus.rows import KEY, Row
from game.app.menus.stack import Menu, Page


class HelpPage(Page):
    """The keys, to read."""

    name = "help"
    title = "Keys"
    width, columns = 940.0, 2

    def rows(self, menu: Menu) -> tuple[Row, ...]:
        return tuple(Row(key, key, KEY, meaning) for key, meaning in menu.settings.bound.help)
