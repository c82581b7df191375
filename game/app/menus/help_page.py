"""What all the keys do."""

from __future__ import annotations

from .menu_stack import MenuPage, MenuStack
from .rows import KEY_ROW, MenuRow


class HelpPage(MenuPage):
    """The keys, to read; with `pad` the gamepad's buttons."""

    name = "help"
    width, columns = 980.0, 2

    def __init__(self, pad: bool = False) -> None:
        self.for_gamepad = pad
        self.title = "Gamepad controls" if pad else "Controls"

    def rows(self, menu: MenuStack) -> tuple[MenuRow, ...]:
        bound = menu.settings.key_bindings
        told = bound.pad_help if self.for_gamepad else bound.help
        return tuple(MenuRow(key, key, KEY_ROW, meaning) for key, meaning in told)
