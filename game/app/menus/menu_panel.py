"""Panel of the renderer for the top page of a menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...render import Panel, PanelRow
from ...text.key_symbols import key_symbol, split_symbols
from ..input.actions import MenuAction
from ..settings.key_bindings import KeyBindings
from .rows import HEADING_ROW, KEY_ROW

if TYPE_CHECKING:
    from .menu_stack import MenuStack


BINDINGS = KeyBindings()
PAD_LABELS = {BINDINGS.label(action): BINDINGS.label(action, pad=True) for action in MenuAction}  # by that of the key


def symbols_for_device(text: str, pad: bool) -> str:
    """The text with the symbols of the gamepad in place of those of the keys, where `pad` is in use."""
    if not pad:
        return text
    parts = split_symbols(text)
    return "".join(key_symbol(PAD_LABELS.get(part) or part) if is_symbol else part for is_symbol, part in parts)


def build_menu_panel(menu: MenuStack, scroll: float = 0.0, shown: float = 1.0, pad: bool = False) -> Panel:
    """The top page as a panel.

    scroll: units. shown: fraction of a title that has appeared, 0 to 1. pad: a gamepad is in use.
    """
    page = menu.page
    rows = []
    keys = []
    sentence = ""
    for index, row in enumerate(menu.rows):
        if row.kind == KEY_ROW:
            keys.append((row.label, row.value))
            continue
        chosen = index == menu.selected and row.kind != HEADING_ROW
        sentence = (menu.notice or row.sentence) if chosen else sentence
        rows.append(
            PanelRow(
                row.label, row.value, chosen, row.slider_fraction, row.kind, row.picture, row.note,
                row.enabled, row.is_warning or (chosen and bool(menu.notice)), row.medal,
            )
        )  # fmt: skip
    return Panel(
        page.title,
        tuple(rows),
        tuple(keys),
        page.text,
        symbols_for_device(page.footer, pad),
        page.width,
        page.layout,
        page.tabs,
        page.tab,
        sentence,
        page.shows_descriptions or bool(menu.notice),
        scroll,
        page.height,
        page.columns,
        page.back_label,
        page.corner,
        shown,
        page.run_summary,
        PAD_LABELS["Esc"] if pad else "Esc",
    )
