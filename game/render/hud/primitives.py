"""Primitives of the HUD layout: boxes, images, text lines, keys and medals in pixels; the top left is (0, 0). No GL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ...text.font_stack import place_units
from ...text.key_symbols import has_symbols, split_symbols
from ..colour_palettes import HudTheme, Rgba
from ..text import fonts
from . import slots
from .slots import Slot, SlotPlanner

Rectangle = slots.Rectangle  # x, y, width, height

SMALL_POINTS, BODY_POINTS, LARGE_POINTS, TITLE_POINTS, HEADLINE_POINTS = 14, 17, 20, 27, 40  # pixels at a height of 720
# Also in hud/hud.frag.glsl. FILL_ARROW is followed by its four directions: up, right, down, left.
FILL_SOLID, FILL_FADE_ACROSS, FILL_FADE_UP, FILL_FIGURE, FILL_GLOW = range(5)
FILL_UPPER_LEFT, FILL_UPPER_RIGHT, FILL_ARROW = 5, 6, 7
NO_PANEL = -1
PANEL_EDGE, PANEL_GAP = 12.0, 8.0  # units: from elements to the window edges, and between them


@dataclass(frozen=True, slots=True)
class RoundedBox:
    """Rounded rectangle.

    fill: SOLID; FADE_ACROSS and FADE_UP fade out in that direction; FIGURE is the player's; GLOW is a
    radial gradient; UPPER_LEFT and UPPER_RIGHT are a quarter; ARROW is a triangle. clipped: to the layout's scroll
    band.
    """

    x: float
    y: float
    width: float
    height: float
    radius: float
    colour: Rgba
    fill: int = FILL_SOLID
    clipped: bool = False


@dataclass(frozen=True, slots=True)
class TextRun:
    """Text line that starts at x with its baseline at y.

    spacing: additional pixels between letters. panel: index of the panel of the layout that it belongs to.
    """

    text: str
    x: float
    y: float
    size: int
    colour: Rgba
    spacing: float = 0.0
    clipped: bool = False
    panel: int = NO_PANEL


@dataclass(frozen=True, slots=True)
class PlacedPanel:
    """Area of one element of the HUD, which holds its texts and overlaps no other."""

    name: str
    rectangle: Rectangle


@dataclass(frozen=True, slots=True)
class ImageQuad:
    """Image file at whole pixels with rounded corners; brightness below 1 dims it."""

    path: str
    x: float
    y: float
    width: int
    height: int
    radius: float
    brightness: float = 1.0
    clipped: bool = False


@dataclass(slots=True)
class HudItems:
    """Items in drawing order, and the interactive areas of the panel.

    row_rectangles, tab_rectangles, back_rectangle: visible parts of rows, tabs and the back button. timeline_rectangle:
    from the first to the last moment. row_spans: extent of each row within the scrolled content, units. scroll_band: y
    range in which clipped items are visible. max_scroll: units. visible_fraction: visible height of the content, units.
    columns: of a grid. card_rows: index of a card, index of its row, and the rectangle of
    that. panels: areas of the elements; slots: where the next one has room.
    """

    unit: float = 1.0
    text_scale: float = 1.0
    theme: HudTheme = field(default_factory=HudTheme)
    items: list[RoundedBox | TextRun | ImageQuad] = field(default_factory=list)
    row_rectangles: list[Rectangle] = field(default_factory=list)
    tab_rectangles: list[Rectangle] = field(default_factory=list)
    row_spans: list[tuple[float, float]] = field(default_factory=list)
    back_rectangle: Rectangle | None = None
    timeline_rectangle: Rectangle | None = None
    scroll_band: tuple[float, float] = (0.0, 1e9)
    scroll_fades: tuple[float, float] = (0.0, 0.0)  # pixels: fade heights at top and bottom
    max_scroll: float = 0.0
    visible_fraction: float = 0.0
    clipping: bool = False
    columns: int = 1
    card_rows: list[tuple[int, int, Rectangle]] = field(default_factory=list)
    size: tuple[int, int] = (1280, 720)
    panels: list[PlacedPanel] = field(default_factory=list)
    slots: SlotPlanner = field(init=False)
    _panel: int = NO_PANEL

    def __post_init__(self) -> None:
        self.slots = SlotPlanner(self.size, PANEL_EDGE * self.unit, PANEL_GAP * self.unit)

    def font_pixels(self, points: float) -> int:
        """Font size in pixels for a size in points. Sizes above BODY_POINTS grow by as many points as that one."""
        return max(1, round((points + (self.text_scale - 1.0) * min(points, BODY_POINTS)) * self.unit))

    def place_panel(self, name: str, slot: Slot, width: float, height: float) -> Rectangle | None:
        """Take a free rectangle of a slot; the texts that follow belong to it. None where there is no room."""
        rectangle = self.slots.place(slot, width, height)
        if rectangle is not None:
            self.begin_panel(name, rectangle, reserve=False)
        return rectangle

    def begin_panel(self, name: str, rectangle: Rectangle, reserve: bool = True) -> None:
        """Begin an element at a rectangle; the texts that follow belong to it. reserve: keep other elements out."""
        self.panels.append(PlacedPanel(name, rectangle))
        self._panel = len(self.panels) - 1
        if reserve:
            self.slots.reserve(rectangle)

    def end_panel(self) -> None:
        """End the element: what follows belongs to none."""
        self._panel = NO_PANEL

    def sketch(self) -> HudItems:
        """An empty layout for a part whose place is not known yet: draw it from (0, 0), then `add_part`."""
        return HudItems(self.unit, self.text_scale, self.theme, size=self.size)

    def add_part(self, part: HudItems, x: float, y: float) -> None:
        """Add the items of a sketch, moved to (x, y)."""
        dx, dy = round(x), round(y)
        for item in part.items:
            moved = replace(item, x=item.x + dx, y=item.y + dy, clipped=self.clipping)
            self.items.append(replace(moved, panel=self._panel) if isinstance(moved, TextRun) else moved)

    def add_box(
        self, x: float, y: float, width: float, height: float, radius: float, colour: Rgba, fill: int = FILL_SOLID
    ) -> None:
        self.items.append(RoundedBox(x, y, width, height, radius, colour, fill, self.clipping))

    def add_outlined_box(self, x: float, y: float, width: float, height: float, radius: float, colour: Rgba) -> None:
        """Add a box, with an outline if the theme has one."""
        if self.theme.rim[3] > 0.0:
            line = max(1.0, round(1.5 * self.unit))
            self.add_box(x - line, y - line, width + 2 * line, height + 2 * line, radius + line, self.theme.rim)
        self.add_box(x, y, width, height, radius, colour)

    def add_text(
        self, text: str, x: float, y: float, size: int, colour: Rgba, align: float = 0.0, spacing: float = 0.0
    ) -> None:
        """Add a text line. align: fraction of its width that lies left of x."""
        if not text:
            return
        width = fonts.text_width(text, size) if align else 0.0
        if align and spacing:
            width += spacing * (len(place_units(text, size)) - 2)
        left = round(x - align * width)
        if not has_symbols(text):
            self.items.append(TextRun(text, left, round(y), size, colour, spacing, self.clipping, self._panel))
            return
        at = float(left)
        for is_symbol, part in split_symbols(text):
            if is_symbol:
                draw_key_symbol(self, part, at, y, size, colour)
                at += fonts.symbol_width(part, size)
            else:
                self.add_text(part, at, y, size, colour)
                at += fonts.text_width(part, size)

    def add_lines(
        self, lines: list[str], x: float, top: float, size: int, colour: Rgba, align: float = 0.0, step: float = 0.0
    ) -> float:
        """Add text lines from `top` down, `step` pixels apart. Returns the y coordinate below the last."""
        step = step or fonts.line_height(size)
        for number, line in enumerate(lines):
            self.add_text(line, x, top + number * step + fonts.font_ascent(size), size, colour, align)
        return top + len(lines) * step

    def add_image(self, path: str, rectangle: Rectangle, radius: float, brightness: float = 1.0) -> None:
        x, y, width, height = map(round, rectangle)
        self.items.append(ImageQuad(path, x, y, width, height, radius, brightness, self.clipping))


def draw_key_symbol(out: HudItems, label: str, x: float, baseline: float, size: int, ink: Rgba) -> None:
    """Picture of a key or button from x on, centred on the small letters of a line of `size` pixels."""
    shape = fonts.symbol_shape(label)
    margin = fonts.SYMBOL_MARGIN * size
    height = fonts.SYMBOL_HEIGHT * size
    width = fonts.symbol_width(label, size) - 2 * margin
    left = x + margin
    top = baseline - 0.35 * size - height / 2
    line = max(1.0, 0.07 * size)
    fill: Rgba = (*out.theme.slate[:3], 1.0)
    round_kinds = (fonts.ROUND_BUTTON, fonts.STICK)
    radius = height / 2 if shape.kind in round_kinds else 0.24 * height
    if shape.kind == fonts.MOUSE:
        radius = width / 2
    elif shape.kind == fonts.SHOULDER:
        radius = 0.42 * height
    if shape.kind == fonts.DPAD:
        _draw_dpad(out, shape.part, (left, top, width, height), ink)
        return
    edge: Rgba = (*shape.colour, 1.0) if shape.kind == fonts.ROUND_BUTTON else ink
    out.add_box(left, top, width, height, radius, edge)
    if shape.kind == fonts.ROUND_BUTTON:
        ink = fill
    else:
        lower = 2.2 * line if shape.kind == fonts.KEYCAP else line  # a keycap shows its front side
        out.add_box(left + line, top + line, width - 2 * line, height - line - lower, max(radius - line, 0.0), fill)
    if shape.kind == fonts.MOUSE:
        _draw_mouse_button(out, shape.part, (left, top, width, height), 1.8 * line, radius, ink)
        tiny = max(1, round(0.5 * size))
        out.add_text(shape.text, left + width / 2, top + 0.84 * height, tiny, out.theme.accent, 0.5)
        return
    if shape.kind == fonts.STICK:
        ring = 0.17 * height
        out.add_box(left + ring, top + ring, width - 2 * ring, height - 2 * ring, radius - ring, ink)
        ink = fill
    middle = top + (height - 1.2 * line) / 2 if shape.kind == fonts.KEYCAP else top + height / 2
    if shape.part >= 0:
        side = 0.46 * height
        out.add_box(left + (width - side) / 2, middle - side / 2, side, side, 0.0, ink, FILL_ARROW + shape.part)
        return
    small = fonts.symbol_text_size(size)
    if shape.kind == fonts.STICK:
        small = max(1, round(0.85 * small))
    out.add_text(shape.text, left + width / 2, middle + 0.36 * small, small, ink, 0.5)


def _draw_mouse_button(out: HudItems, part: int, rectangle: Rectangle, inset: float, radius: float, ink: Rgba) -> None:
    """The filled button, and the wheel, of the mouse in a rectangle."""
    x, y, width, height = rectangle
    inner = (x + inset, y + inset, width - 2 * inset, height - 2 * inset)
    if part in (fonts.LEFT_BUTTON, fonts.RIGHT_BUTTON):
        fill = FILL_UPPER_LEFT if part == fonts.LEFT_BUTTON else FILL_UPPER_RIGHT
        out.add_box(*inner, max(radius - inset, 0.0), out.theme.accent, fill)
    wheel = 0.17 * width
    colour = out.theme.accent if part >= fonts.MIDDLE_BUTTON else ink
    if part in (fonts.WHEEL_UP, fonts.WHEEL_DOWN):
        side = 0.4 * width
        direction = fonts.UP if part == fonts.WHEEL_UP else fonts.DOWN
        arrow = (x + (width - side) / 2, y + 0.54 * height, side, side)
        out.add_box(*arrow, 0.0, out.theme.accent, FILL_ARROW + direction)
    out.add_box(x + (width - wheel) / 2, y + 0.2 * height, wheel, 0.24 * height, wheel / 2, colour)


def _draw_dpad(out: HudItems, part: int, rectangle: Rectangle, ink: Rgba) -> None:
    """Cross with one arm filled."""
    x, y, width, height = rectangle
    arm = 0.36 * width
    faint = (*ink[:3], 0.45 * ink[3])
    centre_x, centre_y = x + width / 2, y + height / 2
    length = (width - arm) / 2
    arms = ((centre_x, y + length / 2), (x + width - length / 2, centre_y), (centre_x, y + height - length / 2),
            (x + length / 2, centre_y))  # fmt: skip
    out.add_box(centre_x - arm / 2, centre_y - arm / 2, arm, arm, 0.0, faint)
    for number, (at_x, at_y) in enumerate(arms):
        wide, high = (arm, length) if number % 2 == 0 else (length, arm)
        colour = out.theme.accent if number == part else faint
        out.add_box(at_x - wide / 2, at_y - high / 2, wide, high, 0.2 * arm, colour)


# Medals: a disc with a rim on two ribbons

# Face and rim, sRGB. The number of dots on the face tells the medals apart without colours.
MEDAL_COLOURS: Mapping[str, tuple[Rgba, Rgba]] = {
    "gold": ((1.00, 0.80, 0.26, 1.0), (0.72, 0.50, 0.10, 1.0)),
    "silver": ((0.83, 0.86, 0.90, 1.0), (0.50, 0.54, 0.60, 1.0)),
    "bronze": ((0.82, 0.53, 0.30, 1.0), (0.52, 0.30, 0.14, 1.0)),
}
MEDAL_DOTS: Mapping[str, int] = {"gold": 3, "silver": 2, "bronze": 1}
RIBBON_COLOURS: tuple[Rgba, Rgba] = ((0.76, 0.24, 0.22, 1.0), (0.90, 0.88, 0.82, 1.0))
MEDAL_RATIO = 1.4  # height of the picture over its width


def draw_medal(out: HudItems, medal: str, x: float, y: float, width: float, opacity: float = 1.0) -> None:
    """Draw a medal with its upper left corner at (x, y), `width` pixels wide; nothing for an unknown one."""
    if medal not in MEDAL_COLOURS:
        return

    def faded(colour: Rgba) -> Rgba:
        return (*colour[:3], colour[3] * opacity)

    face, rim = MEDAL_COLOURS[medal]
    ribbon, stripe = RIBBON_COLOURS
    middle = x + width / 2
    radius = width / 2
    out.add_box(middle - 0.34 * width, y, 0.68 * width, 0.62 * width, 0.06 * width, faded(ribbon))
    out.add_box(middle - 0.09 * width, y, 0.18 * width, 0.62 * width, 0.0, faded(stripe))
    disc_y = y + (MEDAL_RATIO - 1.0) * width
    out.add_box(x, disc_y, width, width, radius, faded(rim))
    inner = 0.80 * width
    out.add_box(middle - inner / 2, disc_y + (width - inner) / 2, inner, inner, inner / 2, faded(face))
    dot = 0.15 * width
    count = MEDAL_DOTS[medal]
    for number in range(count):
        dot_x = middle + (number - (count - 1) / 2) * 1.45 * dot - dot / 2
        out.add_box(dot_x, disc_y + (width - dot) / 2, dot, dot, dot / 2, faded(rim))
