"""Mouse in the menus: the row, tab or button under the pointer, and the scroll position of the page."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.springs import ease_fraction
from ...render import Hud
from ...render.hud.arrangement import arrange_hud, slider_x_range
from ...render.hud.slots import Rectangle
from .menu_stack import DEFAULT_WINDOW_SIZE, MenuStack

WHEEL_STEP = 84.0  # units per notch of the wheel
SCROLL_RATE = 20.0  # 1/s of the smoothing of the scroll position
SCROLL_TOLERANCE = 0.25  # units from the target at which the scroll position is set to it
MARGIN_ABOVE = 62.0  # units that stay visible above the selected row, so that a heading is seen too
MARGIN_BELOW = 18.0  # units that stay visible below it


@dataclass(frozen=True, slots=True)
class Pointed:
    """What the pointer is at: a row and the position along its slider (0 to 1), a tab, or the way back."""

    row: int = -1
    fraction: float = 0.0
    tab: int = -1
    is_back: bool = False


class MouseNavigation:
    """Pointer and scroll position on the HUD that was drawn last. Positions are pixels from the top left."""

    def __init__(self) -> None:
        self.size = DEFAULT_WINDOW_SIZE
        self.hud = Hud()
        self.pointer = (-1.0, -1.0)
        self.scroll = 0.0  # units
        self.can_scroll = False  # whether the page is longer than its place
        self._target_scroll = 0.0
        self._page: tuple[object, ...] = ()
        self._selected: tuple[int | None, float, float] | None = None  # row and scales that the scroll position is for
        self._dragged_row = -1  # the row on which the button went down
        self._pointer_selected_row = False  # so that the page must not scroll under the pointer

    # Scrolling

    def update(self, menu: MenuStack | None, hud: Hud, seconds: float, still: bool) -> float:
        """Scroll position (units) of this frame. hud: drawn with the previous one; still: no smoothing."""
        self.hud = hud
        if hud.panel is None:
            self._page = ()
            self.scroll = 0.0
            self._target_scroll = 0.0
            self.can_scroll = False
            return 0.0
        layout = arrange_hud(hud, self.size)
        self.can_scroll = layout.max_scroll > 0.0
        if menu is not None:
            menu.window_size = self.size
            menu.grid_columns = layout.columns if hud.panel.layout == "grid" else 0
        page = (hud.panel.title, hud.panel.layout, hud.panel.tab, menu and menu.depth)
        is_new_page = page != self._page
        if is_new_page:
            self._page = page
            self._selected = None
            self._target_scroll = 0.0
            self._pointer_selected_row = False  # it selected a row of the page before
        shown = None if menu is None else menu.selected, layout.unit, hud.text
        if menu is not None and shown != self._selected and menu.selected < len(layout.row_spans):
            is_resized = self._selected is not None and self._selected[1:] != shown[1:]
            self._selected = shown
            is_text = bool(hud.panel.text) and sum(row.is_selectable for row in menu.rows) < 2
            begins_with_text = is_new_page and is_text  # a text is read from its first line
            if (is_resized or not self._pointer_selected_row) and not begins_with_text:
                top, bottom = layout.row_spans[menu.selected]
                rows = zip(menu.rows, layout.row_spans, strict=False)
                first = all(span[0] >= top for row, span in rows if row.is_selectable)
                lowest, highest = bottom + MARGIN_BELOW - layout.visible_fraction, 0.0 if first else top - MARGIN_ABOVE
                self._target_scroll = max(min(self._target_scroll, highest), lowest)
        self._pointer_selected_row = False
        self._target_scroll = min(max(self._target_scroll, 0.0), layout.max_scroll)
        fraction = 1.0 if is_new_page or still else ease_fraction(SCROLL_RATE, seconds)
        self.scroll += (self._target_scroll - self.scroll) * fraction
        if abs(self.scroll - self._target_scroll) < SCROLL_TOLERANCE:
            self.scroll = self._target_scroll
        return self.scroll

    def scroll_by_wheel(self, notches: float) -> None:
        """Scroll by notches of the wheel, positive away from the player."""
        self._target_scroll -= notches * WHEEL_STEP

    # Pointing

    def move_pointer(self, menu: MenuStack | None, x: float, y: float, pressed: bool, first: bool) -> Pointed:
        """The pointer is at (x, y); returns what it points at. A drag stays with the row that it began on."""
        self.pointer = (x, y)
        if menu is None or self.hud.panel is None:
            return Pointed()
        layout = arrange_hud(self.hud, self.size)
        if first:
            tab = index_at(layout.tab_rectangles, x, y)
            back = index_at([layout.back_rectangle] if layout.back_rectangle else [], x, y)
            if max(tab, back) >= 0:
                return Pointed(tab=tab, is_back=tab < 0)
            self._dragged_row = index_at(layout.row_rectangles, x, y)
        row = self._dragged_row if pressed else index_at(layout.row_rectangles, x, y)
        if row < 0:
            return Pointed()
        self._pointer_selected_row = True
        span = slider_x_range(self.hud, self.size, row)
        return Pointed(row=row, fraction=(x - span[0]) / (span[1] - span[0]) if span else 0.0)

    def release(self) -> None:
        """The button went up: the drag ends."""
        self._dragged_row = -1


def index_at(places: list[Rectangle], x: float, y: float) -> int:
    """Index of the rectangle that contains a point, -1 if none does."""
    for number, (left, top, width, height) in enumerate(places):
        if left <= x < left + width and top <= y < top + height:
            return number
    return -1
