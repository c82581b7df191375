"""What all the keys do."""

from __future__ import annotations

from .menu_stack import Menu, Page
from .rows import KEY, Row


class HelpPage(Page):
    """The keys, to read; with `pad` the gamepad's buttons."""

    name = "help"
    width, columns = 980.0, 2

    def __init__(self, pad: bool = False) -> None:
        self.pad = pad
        self.title = "Gamepad" if pad else "Keys"

    def rows(self, menu: Menu) -> tuple[Row, ...]:
        bound = menu.settings.bound
        told = bound.pad_help if self.pad else bound.help
        return tuple(Row(key, key, KEY, meaning) for key, meaning in told)
