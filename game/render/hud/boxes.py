"""Box layout: parts of the HUD that know their size (pixels) and are drawn at a place. No GL.

An element or page is a tree of boxes, measured once, when it is built: `Text`, `Figure` and a plain `Box` as space, in
a `Row`, `Column` or `flow`, with a margin and a background by `Frame`. What is drawn last lies on top.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...text.key_symbols import has_symbols, split_symbols
from ..colour_palettes import Rgba
from ..text import fonts
from ..text.symbol_shapes import symbol_width
from .figures import draw_key_symbol
from .primitives import HudItems
from .slots import Rectangle, Slot

CAPITAL_MIDDLE = 0.35  # of the font size: from the baseline up to the middle of a capital
SCROLLBAR_WIDTH = 5.0  # units
SCROLL_TOLERANCE = 0.5  # pixels: rounding errors do not start scrolling
SCROLL_FADE_HEIGHT = 16.0  # units over which rows fade at a scroll edge


class Box:
    """Part of the HUD with a size in pixels; by itself empty space."""

    def __init__(self, width: float = 0.0, height: float = 0.0) -> None:
        self.width, self.height = width, height

    def draw(self, out: HudItems, x: float, y: float) -> None:
        """Draw it with its upper left corner at (x, y)."""


class Figure(Box):
    """Whatever `paint(x, y)` draws into a rectangle of this size."""

    def __init__(self, width: float, height: float, paint: Callable[[float, float], None]) -> None:
        super().__init__(width, height)
        self._paint = paint

    def draw(self, out: HudItems, x: float, y: float) -> None:
        self._paint(x, y)


class Text(Box):
    """Lines of text, or a text wrapped at `width` (pixels). The middle of the capitals is that of the line's height
    `step`. align: 0 left, 0.5 centred, 1 right."""

    def __init__(
        self,
        text: str | Sequence[str],
        size: int,
        colour: Rgba,
        width: float | None = None,
        align: float = 0.0,
        step: float = 0.0,
    ) -> None:
        if not isinstance(text, str):
            self.lines = list(text) if any(text) else []
        else:
            self.lines = [] if not text else [text] if width is None else fonts.wrap_text(text, size, width)
        self.size, self.colour, self.align = size, colour, align
        self.step = step or fonts.line_height(size)
        self._widths = [fonts.text_width(line, size) for line in self.lines]
        super().__init__(max(self._widths, default=0.0), len(self.lines) * self.step)

    def shortened(self, height: float, width: float) -> Text:
        """The lines that have room in a height (pixels); an ellipsis, within the width, stands for those left out."""
        count = max(0, int(height // self.step))
        if count >= len(self.lines):
            return self
        lines = fonts.shorten_lines(self.lines, count, self.size, width)
        return Text(lines, self.size, self.colour, None, self.align, self.step)

    def draw(self, out: HudItems, x: float, y: float) -> None:
        baseline = y + 0.5 * self.step + CAPITAL_MIDDLE * self.size
        for line, width in zip(self.lines, self._widths, strict=True):
            draw_text(out, line, x + self.align * (self.width - width), baseline, self.size, self.colour)
            baseline += self.step


class Column(Box):
    """Boxes below each other, `gap` pixels apart; empty ones are left out. align: 0 left, 0.5 centred, 1 right."""

    def __init__(self, *boxes: Box, gap: float = 0.0, align: float = 0.0) -> None:
        self._boxes = [box for box in boxes if box.height]
        self._gap, self._align = gap, align
        height = sum(box.height for box in self._boxes) + gap * max(0, len(self._boxes) - 1)
        super().__init__(max((box.width for box in self._boxes), default=0.0), height)

    def draw(self, out: HudItems, x: float, y: float) -> None:
        for box in self._boxes:
            box.draw(out, x + self._align * (self.width - box.width), y)
            y += box.height + self._gap


class Row(Box):
    """Boxes beside each other, `gap` pixels apart; empty ones are left out. align: 0 top, 0.5 middle, 1 bottom."""

    def __init__(self, *boxes: Box, gap: float = 0.0, align: float = 0.5) -> None:
        self._boxes = [box for box in boxes if box.width]
        self._gap, self._align = gap, align
        width = sum(box.width for box in self._boxes) + gap * max(0, len(self._boxes) - 1)
        super().__init__(width, max((box.height for box in self._boxes), default=0.0))

    def draw(self, out: HudItems, x: float, y: float) -> None:
        for box in self._boxes:
            box.draw(out, x, y + self._align * (self.height - box.height))
            x += box.width + self._gap


class Fit(Box):
    """A box in one that is at least this large, at a fraction of the room across and down."""

    def __init__(self, box: Box, width: float = 0.0, height: float = 0.0, across: float = 0.0, down: float = 0.5):
        super().__init__(max(width, box.width), max(height, box.height))
        self._box, self._across, self._down = box, across, down

    def draw(self, out: HudItems, x: float, y: float) -> None:
        across, down = self._across * (self.width - self._box.width), self._down * (self.height - self._box.height)
        self._box.draw(out, x + across, y + down)


class Frame(Box):
    """A box with a margin (pixels, at the left and right, and at the top and bottom) before a rounded background."""

    def __init__(
        self,
        box: Box,
        margins: tuple[float, float],
        colour: Rgba | None = None,
        radius: float = 0.0,
        is_outlined: bool = False,
    ) -> None:
        super().__init__(box.width + 2 * margins[0], box.height + 2 * margins[1])
        self._box, self._margins, self._colour, self._radius = box, margins, colour, radius
        self._is_outlined = is_outlined

    def draw(self, out: HudItems, x: float, y: float) -> None:
        if self._colour is not None:
            add = out.add_outlined_box if self._is_outlined else out.add_box
            add(x, y, self.width, self.height, min(self._radius, self.height / 2), self._colour)
        self._box.draw(out, x + self._margins[0], y + self._margins[1])


class Touch(Box):
    """A box that tells its rectangle, for the mouse, when it is drawn."""

    def __init__(self, box: Box, tell: Callable[[Rectangle], None]) -> None:
        super().__init__(box.width, box.height)
        self._box, self._tell = box, tell

    def draw(self, out: HudItems, x: float, y: float) -> None:
        self._tell((x, y, self.width, self.height))
        self._box.draw(out, x, y)


class ScrolledRow(Box):
    """A row of a scrolled page with a gap (pixels) below it. It is drawn only where it is in sight."""

    def __init__(self, box: Box, gap: float = 0.0) -> None:
        super().__init__(box.width, box.height + gap)
        self._box = box

    def draw(self, out: HudItems, x: float, y: float) -> None:
        if out.add_row((x, y, self._box.width, self._box.height), self.height):
            self._box.draw(out, x, y)


def flow(boxes: Sequence[Box], width: float, gap: float) -> list[Row]:
    """Boxes in as many rows as their width needs."""
    rows: list[list[Box]] = []
    used = 0.0
    for box in boxes:
        if not rows or used + box.width > width:
            rows.append([])
            used = 0.0
        rows[-1].append(box)
        used += box.width + gap
    return [Row(*row, gap=gap) for row in rows]


def spread(left: Box, right: Box, width: float, align: float = 0.5) -> Row:
    """Two boxes at the ends of a row of this width."""
    return Row(left, Fit(right, width - left.width, across=1.0), align=align)


def bar(out: HudItems, width: float, height: float, colour: Rgba) -> Figure:
    """A line with round ends."""
    return Figure(width, height, lambda x, y: out.add_box(x, y, width, height, min(width, height) / 2, colour))


def draw_text(
    out: HudItems, text: str, x: float, baseline: float, size: int, colour: Rgba, spacing: float = 0.0
) -> None:
    """Draw a line from x on, with pictures for its key symbols. spacing: additional pixels between letters."""
    if not has_symbols(text):
        out.add_run(text, x, baseline, size, colour, 0.0, spacing)
        return
    for is_symbol, part in split_symbols(text):
        if is_symbol:
            draw_key_symbol(out, part, x, baseline, size, colour)
            x += symbol_width(part, size)
        else:
            out.add_run(part, x, baseline, size, colour)
            x += fonts.text_width(part, size)


def place(out: HudItems, name: str, slot: Slot, box: Box) -> Rectangle | None:
    """Draw a box as an element of the HUD in a slot. Returns its rectangle; None where there is no room."""
    rectangle = out.slots.find(slot, box.width, box.height) if box.height else None
    if rectangle is not None:
        draw_element(out, name, box, rectangle[0], rectangle[1])
    return rectangle


def draw_element(out: HudItems, name: str, box: Box, x: float, y: float) -> None:
    """Draw a box as an element of the HUD: other elements keep out of its rectangle."""
    out.begin_element(name, (x, y, box.width, box.height))
    box.draw(out, x, y)
    out.end_element()


def draw_scrolled(
    out: HudItems, content: Box, x: float, top: float, height: float, scroll: float, bar_x: float
) -> None:
    """Draw the content of a page from `top` down to `height` pixels below it. What has no room scrolls (units), beside
    a scroll bar at `bar_x`."""
    hidden = content.height - height
    out.max_scroll = hidden / out.unit if hidden > SCROLL_TOLERANCE else 0.0
    out.visible_fraction = height / out.unit
    out.scroll_band = (top, top + height)
    out.clipping = out.max_scroll > 0.0
    above, below = min(scroll, SCROLL_FADE_HEIGHT), min(max(0.0, out.max_scroll - scroll), SCROLL_FADE_HEIGHT)
    out.scroll_fades = above * out.unit, below * out.unit
    out.content_top = top - min(scroll, out.max_scroll) * out.unit
    content.draw(out, x, out.content_top)
    if out.clipping:
        out.clipping = False
        width, track = SCROLLBAR_WIDTH * out.unit, out.theme.slider_track
        thumb = height * height / content.height
        thumb_y = top + (height - thumb) * min(scroll / out.max_scroll, 1.0)
        bar(out, width, height, (*track[:3], 0.5 * track[3])).draw(out, bar_x, top)
        out.add_box(bar_x, thumb_y, width, thumb, width / 2, out.theme.secondary_ink)
