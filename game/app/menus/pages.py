"""The pages that only lead on: the title and the pause."""

from __future__ import annotations

from collections.abc import Callable

from .menu_stack import MenuPage, MenuStack
from .rows import MenuRow

PageOpener = Callable[[MenuStack], MenuPage]


class LinkPage(MenuPage):
    """A page whose rows ask something of the game, or open another page: `pages` by the row's name."""

    def __init__(self, rows: tuple[MenuRow, ...], pages: dict[str, PageOpener]) -> None:
        self._rows, self._pages = rows, pages

    def rows(self, menu: MenuStack) -> tuple[MenuRow, ...]:
        return self._rows

    def activate(self, menu: MenuStack, row: MenuRow) -> str:
        opens = self._pages.get(row.name)
        if opens is None:
            return row.name
        menu.open(opens(menu))
        return ""


class PausePage(LinkPage):
    """What Esc shows in play."""

    name = "pause"
    title = "Paused"
    has_back_button = ""

    def __init__(self, pages: dict[str, PageOpener]) -> None:
        rows = (
            MenuRow("resume", "Resume"),
            MenuRow("restart", "Restart level"),
            MenuRow("levels", "Levels"),
            MenuRow("settings", "Settings"),
            MenuRow("help", "Help"),
            MenuRow("title", "Main menu"),
            MenuRow("quit", "Quit"),
        )
        super().__init__(rows, pages)


class TitlePage(LinkPage):
    """What stands over the living level at the start."""

    name = "title"
    layout = "title"
    has_back_button = ""
    footer = "Arrow keys and Enter, gamepad, or mouse"

    def __init__(self, pages: dict[str, PageOpener], level: str, first: bool = False) -> None:
        """level: the name of the one that Continue goes on with; first: nothing has been played yet."""
        rows = (
            MenuRow("continue", "Play" if first else "Continue", value=level),
            MenuRow("levels", "Levels"),
            MenuRow("settings", "Settings"),
            MenuRow("help", "Help"),
            MenuRow("quit", "Quit"),
        )
        super().__init__(rows, pages)

    def back(self, menu: MenuStack) -> str:
        """Esc asks for nothing, but chooses Quit: twice would be a slip."""
        menu.selected = len(self._rows) - 1
        return ""


class TextPage(MenuPage):
    """Some lines to read."""

    name = "telling"
    width = 760.0

    def __init__(self, title: str, text: str) -> None:
        self.title, self.text = title, text

    def rows(self, menu: MenuStack) -> tuple[MenuRow, ...]:
        return (MenuRow("back", "Back"),)

    def activate(self, menu: MenuStack, row: MenuRow) -> str:
        return menu.back()
