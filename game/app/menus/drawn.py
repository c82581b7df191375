"""A menu as the picture draws it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game.render import Panel, Row

from .rows import HEADING, KEY

if TYPE_CHECKING:
    from .stack import Menu


def panel(menu: Menu) -> Panel:
    """The page on top."""
    page = menu.page
    rows, keys = [], []
    for index, row in enumerate(menu.rows):
        if row.kind == KEY:
            keys.append((row.label, row.value))
        else:
            chosen = index == menu.selected and row.kind != HEADING
            rows.append(Row(row.label, row.value, chosen, row.part))
    title = page.title if not page.tabs else f"{page.title}: {page.tabs[page.tab]}"
    return Panel(title, tuple(rows), tuple(keys), page.text, page.footer)
