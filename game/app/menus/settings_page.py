"""Settings page: a tab for each group of settings and the key bindings, built from the table of options."""

from __future__ import annotations

import math

from ...render.hud.arrangement import fitting_scale
from ...text.key_symbols import key_symbol, key_symbols
from ..input.actions import PlayAction
from ..settings.key_bindings import ACTIONS_BY_NAME, FIXED_KEYS, PAD_PREFIX, PAD_SLOT, key_label
from ..settings.settings_table import OPTIONS_BY_NAME, PAGES, SettingOption, options_on_page
from .menu_stack import ACTION_ROW, BINDING_ROW, HEADING_ROW, MenuPage, MenuRow, MenuStack

BIND_PREFIX = "bind "
RESET_KEYS_ROW = "reset keys"
RESET_HINTS_ROW = "reset hints"
WAITING_TEXT = f"Press a key ({key_symbol('Esc')} to cancel)"
NO_KEY_TEXT = "No key"
BINDING_HELP = (
    f"Press {key_symbol('Enter')}, then the key. You can add a second key; {key_symbol('Delete')} clears both."
)


class SettingsPage(MenuPage):
    name = "settings"
    title = "Settings"
    footer = f"{key_symbol('Tab')} next page   ·   {key_symbols('Left Right')} change"
    tabs = tuple(PAGES.values())
    width, height = 760.0, 600.0
    shows_descriptions = True

    def rows(self, menu: MenuStack) -> tuple[MenuRow, ...]:
        page = tuple(PAGES)[self.tab]
        rows = tuple(_setting_row(menu, option) for option in options_on_page(page))
        if page == "display":
            sentence = "Hints that you have used appear again."
            rows += (MenuRow(RESET_HINTS_ROW, "Show all hints again", sentence=sentence),)
        return rows + _binding_rows(menu) if page == "keys" else rows

    def adjust(self, menu: MenuStack, row: MenuRow, by: int) -> None:
        if row.name in OPTIONS_BY_NAME:
            self._change_setting(
                menu, row.name, OPTIONS_BY_NAME[row.name].stepped(getattr(menu.settings, row.name), by)
            )

    def slide(self, menu: MenuStack, row: MenuRow, fraction: float) -> None:
        self._change_setting(menu, row.name, OPTIONS_BY_NAME[row.name].value_at_fraction(fraction))

    @staticmethod
    def _change_setting(menu: MenuStack, name: str, value: object) -> None:
        menu.settings = menu.settings.with_value(name, value)

    def activate(self, menu: MenuStack, row: MenuRow) -> str:
        if row.name == RESET_KEYS_ROW:
            menu.settings = menu.settings.with_bindings(menu.settings.key_bindings.reset())
        elif row.kind == BINDING_ROW:
            menu.row_waiting_for_key = row.name
        elif row.name == RESET_HINTS_ROW:
            menu.notice = "Done: all hints will be shown again."
            return RESET_HINTS_ROW
        return ""

    def capture_key(self, menu: MenuStack, row: MenuRow, key: str) -> None:
        bound = menu.settings.key_bindings
        action = ACTIONS_BY_NAME[row.name.removeprefix(BIND_PREFIX)]
        first, second = bound.keys_of(action)[:PAD_SLOT]
        if second and not key.startswith(PAD_PREFIX):  # both slots are taken: the older key goes
            bound = bound.bind(action, 0, second).unbind(action, 1)
            first = second
            bound = bound.bind(action, 1, key) if key != second else bound
        else:
            bound = bound.bind(action, 1 if first else 0, key)
        menu.settings = menu.settings.with_bindings(bound)

    def clear_row(self, menu: MenuStack, row: MenuRow) -> None:
        if row.kind == BINDING_ROW:
            bound = menu.settings.key_bindings
            action = ACTIONS_BY_NAME[row.name.removeprefix(BIND_PREFIX)]
            for slot in range(PAD_SLOT):
                bound = bound.unbind(action, slot)
            menu.settings = menu.settings.with_bindings(bound)


def _setting_row(menu: MenuStack, option: SettingOption) -> MenuRow:
    value = getattr(menu.settings, option.name)
    text = option.format_value(value)
    if option.name == "quality" and not value and menu.quality:
        text = f"{text} ({menu.quality})"
    if option.name == "interface_scale":
        fitting = fitting_scale(menu.window_size, menu.settings.text_size)
        if fitting < value - 0.005:
            text = f"{text} ({math.floor(100.0 * fitting)} % fits)"
    return MenuRow(option.name, option.label, option.kind, text, option.slider_fraction(value), option.sentence)


def _binding_rows(menu: MenuStack) -> tuple[MenuRow, ...]:
    """Rows of the actions, and one that resets the keys of the layout."""
    bound = menu.settings.key_bindings
    rows = [MenuRow("heading keys", "Controls", HEADING_ROW)]
    for action in PlayAction:
        name = BIND_PREFIX + action
        keys = key_symbols(bound.describe(action)) or NO_KEY_TEXT
        text = WAITING_TEXT if menu.row_waiting_for_key == name else keys
        pad = bound.describe(action, pad=True)
        more = f" Gamepad: {key_symbols(pad)}." if pad else ""
        shared = bound.conflicting_labels(action)
        is_missing = text == NO_KEY_TEXT and not action.is_optional
        sentence = f"Key also used for: {', '.join(shared)}." if shared else BINDING_HELP + more
        rows.append(
            MenuRow(name, action.label, BINDING_ROW, text, None, sentence, is_warning=bool(shared) or is_missing)
        )
    always = " and ".join(key_label(key) for key in sorted(FIXED_KEYS))
    sentence = f"Resets all keys of this layout. {always} always open the menu."
    rows.append(
        MenuRow(RESET_KEYS_ROW, "Reset keys to default", ACTION_ROW, "", None, sentence, enabled=bound.is_customised)
    )
    return tuple(rows)
