"""The pages that only lead on: the title and the pause."""

from __future__ import annotations

from collections.abc import Callable

from .menu_stack import Menu, Page
from .rows import Row

Opens = Callable[[Menu], Page]


class Leading(Page):
    """A page whose rows ask something of the game, or open another page: `pages` by the row's name."""

    def __init__(self, rows: tuple[Row, ...], pages: dict[str, Opens]) -> None:
        self._rows, self._pages = rows, pages

    def rows(self, menu: Menu) -> tuple[Row, ...]:
        return self._rows

    def activate(self, menu: Menu, row: Row) -> str:
        opens = self._pages.get(row.name)
        if opens is None:
            return row.name
        menu.open(opens(menu))
        return ""


class PausePage(Leading):
    """What Esc shows in play."""

    name = "pause"
    title = "Paused"
    leads_back = ""

    def __init__(self, pages: dict[str, Opens]) -> None:
        rows = (
            Row("resume", "Resume"),
            Row("restart", "Start again"),
            Row("levels", "Levels"),
            Row("settings", "Settings"),
            Row("help", "Help"),
            Row("title", "Title"),
            Row("quit", "Quit"),
        )
        super().__init__(rows, pages)


class TitlePage(Leading):
    """What stands over the living level at the start."""

    name = "title"
    look = "title"
    leads_back = ""
    footer = "arrows and Enter, a gamepad, or the mouse"

    def __init__(self, pages: dict[str, Opens], level: str, first: bool = False) -> None:
        """level: the name of the one that Continue goes on with; first: nothing has been played yet."""
        rows = (
            Row("continue", "Play" if first else "Continue", value=level),
            Row("levels", "Levels"),
            Row("settings", "Settings"),
            Row("help", "Help"),
            Row("quit", "Quit"),
        )
        super().__init__(rows, pages)

    def back(self, menu: Menu) -> str:
        """Esc asks for nothing, but chooses Quit: twice would be a slip."""
        menu.selected = len(self._rows) - 1
        return ""


class TellingPage(Page):
    """Some lines to read."""

    name = "telling"
    width = 760.0

    def __init__(self, title: str, text: str) -> None:
        self.title, self.text = title, text

    def rows(self, menu: Menu) -> tuple[Row, ...]:
        return (Row("back", "Back"),)

    def activate(self, menu: Menu, row: Row) -> str:
        return menu.back()
