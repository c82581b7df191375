"""The mouse in the menus: which row, tab or button is under it; and how far a page is scrolled."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ...render import Hud
from ...render.hud.layout import lay_out, slider_span
from ...render.hud.primitives import Place

if TYPE_CHECKING:
    from .menu_controller import Menus

USUAL = (1280, 720)  # pixels, until a window says another size
NOTCH = 84.0  # units for a notch of the wheel
RATE = 20.0  # 1/s by which the scroll eases to where it should be
NEAR = 0.25  # units from there at which it has arrived
ABOVE = 62.0  # units kept in view over the chosen row, so that a heading is seen too
BELOW = 18.0


class Pointing:
    """Follows what was drawn last. All places in pixels of the picture, from its top left."""

    def __init__(self) -> None:
        self.size = USUAL
        self.hud = Hud()
        self.scroll = 0.0  # units that the page is scrolled by now
        self._wanted = 0.0
        self._page: tuple[object, ...] = ()
        self._selected = -1
        self._row = -1  # on which the button went down

    # Scrolling

    def follow(self, menus: Menus, hud: Hud, seconds: float, still: bool) -> float:
        """The scroll for this frame. hud: what is drawn with the scroll as it was; still: no easing."""
        self.hud = hud
        if hud.panel is None:
            self._page, self.scroll, self._wanted = (), 0.0, 0.0
            return 0.0
        menu = menus.menu
        out = lay_out(hud, self.size)
        page = (hud.panel.title, hud.panel.look, hud.panel.tab, menu and menu.depth)
        fresh = page != self._page
        if fresh:
            self._page, self._selected, self._wanted = page, -1, 0.0
        if menu is not None and menu.selected != self._selected and menu.selected < len(out.spans):
            self._selected = menu.selected
            if not self._pointed:
                top, bottom = out.spans[menu.selected]
                rows = zip(menu.rows, out.spans, strict=False)
                first = all(span[0] >= top for row, span in rows if row.can_be_chosen)
                least, most = bottom + BELOW - out.seen, 0.0 if first else top - ABOVE
                self._wanted = max(min(self._wanted, most), least)
        self._pointed = False
        self._wanted = min(max(self._wanted, 0.0), out.most_scroll)
        part = 1.0 if fresh or still else 1.0 - math.exp(-RATE * seconds)
        self.scroll += (self._wanted - self.scroll) * part
        if abs(self.scroll - self._wanted) < NEAR:
            self.scroll = self._wanted
        return self.scroll

    _pointed = False  # the choice came by the mouse: what is under it stays there

    def wheel(self, notches: float) -> None:
        """The wheel was turned; away from oneself is positive."""
        self._wanted -= notches * NOTCH

    # Pointing

    def point(self, menus: Menus, x: float, y: float, pressed: bool, first: bool) -> None:
        """The mouse is at a place; a drag stays with the row that it began on."""
        menu = menus.menu
        if menu is None or self.hud.panel is None:
            return
        out = lay_out(self.hud, self.size)
        if first:
            tab = over(out.tabs, x, y)
            if tab >= 0:
                menu.page.turn(menu, tab - menu.page.tab)
                return
            if over([out.back] if out.back else [], x, y) >= 0:
                menus.navigate("back")
                return
            self._row = over(out.rows, x, y)
        row = self._row if pressed else over(out.rows, x, y)
        if row < 0:
            return
        self._pointed = True
        span = slider_span(self.hud, self.size, row)
        part = (x - span[0]) / (span[1] - span[0]) if span else 0.0
        menus.pointed(row, part, pressed, first)

    def release(self) -> None:
        """The button went up."""
        self._row = -1


def over(places: list[Place], x: float, y: float) -> int:
    """The number of the place that holds a point; -1 where none does."""
    for number, (left, top, width, height) in enumerate(places):
        if left <= x < left + width and top <= y < top + height:
            return number
    return -1
