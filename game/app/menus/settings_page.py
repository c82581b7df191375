"""The settings, a tab for each group of them, and the keys: drawn from the table of options."""

from __future__ import annotations

from ..settings.key_bindings import ACTIONS, FIXED, PAD, PAD_SLOT, shown
from ..settings.settings_table import OPTION, PAGES, Option, on_page
from .menu_stack import Menu, Page
from .rows import ACTION, BINDING, HEADING, Row

BIND, RESET = "bind ", "reset keys"
WAITS = "press a key  (Esc: leave it)"
BINDING_SENTENCE = "Enter, then the key. A second key stands beside the first; Delete takes both away."


class SettingsPage(Page):
    """All settings, by tabs."""

    name = "settings"
    title = "Settings"
    footer = "Tab: next group   ·   left and right change"
    tabs = tuple(PAGES.values())
    width, height, sentences = 760.0, 600.0, True

    def rows(self, menu: Menu) -> tuple[Row, ...]:
        page = tuple(PAGES)[self.tab]
        rows = tuple(_row(menu, option) for option in on_page(page))
        return rows + _bindings(menu) if page == "keys" else rows

    def adjust(self, menu: Menu, row: Row, by: int) -> None:
        if row.name in OPTION:
            self._set(menu, row.name, OPTION[row.name].moved(getattr(menu.settings, row.name), by))

    def slide(self, menu: Menu, row: Row, part: float) -> None:
        self._set(menu, row.name, OPTION[row.name].at(part))

    @staticmethod
    def _set(menu: Menu, name: str, value: object) -> None:
        menu.settings = menu.settings.changed(name, value)

    def activate(self, menu: Menu, row: Row) -> str:
        if row.name == RESET:
            menu.settings = menu.settings.rebound(menu.settings.bound.reset())
        elif row.kind == BINDING:
            menu.waiting = row.name
        return ""

    def capture(self, menu: Menu, row: Row, key: str) -> None:
        bound, action = menu.settings.bound, row.name.removeprefix(BIND)
        first, second = bound.keys(action)[:PAD_SLOT]
        if second and not key.startswith(PAD):  # both places are taken: the older key goes
            bound, first = bound.bind(action, 0, second).unbind(action, 1), second
            bound = bound.bind(action, 1, key) if key != second else bound
        else:
            bound = bound.bind(action, 1 if first else 0, key)
        menu.settings = menu.settings.rebound(bound)

    def erase(self, menu: Menu, row: Row) -> None:
        if row.kind == BINDING:
            bound, action = menu.settings.bound, row.name.removeprefix(BIND)
            for slot in range(PAD_SLOT):
                bound = bound.unbind(action, slot)
            menu.settings = menu.settings.rebound(bound)


def _row(menu: Menu, option: Option) -> Row:
    value = getattr(menu.settings, option.name)
    told = option.shown(value)
    if option.name == "quality" and not value and menu.quality:
        told = f"{told} ({menu.quality})"
    return Row(option.name, option.label, option.kind, told, option.part(value), option.sentence)


def _bindings(menu: Menu) -> tuple[Row, ...]:
    """A row for each action, and one that brings the set's own keys back."""
    bound = menu.settings.bound
    rows = [Row("heading keys", "What the keys do", HEADING)]
    for action in ACTIONS:
        name = BIND + action.name
        told = WAITS if menu.waiting == name else bound.told(action.name) or "no key"
        pad = bound.told(action.name, pad=True)
        more = f" Gamepad: {pad}." if pad else ""
        shared = bound.shared(action.name)
        sentence = f"Shares a key with: {', '.join(shared)}." if shared else BINDING_SENTENCE + more
        rows.append(Row(name, action.label, BINDING, told, None, sentence, warns=bool(shared) or told == "no key"))
    always = " and ".join(shown(key) for key in sorted(FIXED))
    sentence = f"Brings the keys of this set back. {always} always open the menu."
    rows.append(Row(RESET, "Back to the set's own keys", ACTION, "", None, sentence, enabled=bound.altered))
    return tuple(rows)
