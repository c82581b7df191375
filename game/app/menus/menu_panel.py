"""A menu as the picture draws it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...render import Panel, Row
from .rows import HEADING, KEY

if TYPE_CHECKING:
    from .menu_stack import Menu


def panel(menu: Menu, scroll: float = 0.0, shown: float = 1.0) -> Panel:
    """The page on top, scrolled by so many units; `shown` (0 to 1): how far a title has come up."""
    page = menu.page
    rows, keys = [], []
    sentence = ""
    for index, row in enumerate(menu.rows):
        if row.kind == KEY:
            keys.append((row.label, row.value))
            continue
        chosen = index == menu.selected and row.kind != HEADING
        sentence = (menu.said or row.sentence) if chosen else sentence
        rows.append(
            Row(
                row.label, row.value, chosen, row.part, row.kind, row.picture, row.note,
                row.enabled, row.warns or (chosen and bool(menu.said)),
            )
        )  # fmt: skip
    return Panel(
        page.title,
        tuple(rows),
        tuple(keys),
        page.text,
        page.footer,
        page.width,
        page.look,
        page.tabs,
        page.tab,
        sentence,
        page.sentences,
        scroll,
        page.height,
        page.columns,
        page.leads_back,
        page.corner,
        shown,
        page.sheet,
    )
