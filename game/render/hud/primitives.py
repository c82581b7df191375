"""Primitives of the HUD layout: boxes, images and text lines in pixels; the top left is (0, 0). No GL."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..colour_palettes import HudTheme, Rgba
from ..text import fonts
from .slots import Rectangle, SlotPlanner

SMALL_POINTS, BODY_POINTS, LARGE_POINTS, TITLE_POINTS, HEADLINE_POINTS = 14, 17, 20, 27, 40  # pixels at a height of 720
# Also in hud/hud.frag.glsl. FILL_ARROW is followed by its four directions: up, right, down, left.
FILL_SOLID, FILL_FADE_ACROSS, FILL_FADE_UP, FILL_FIGURE, FILL_GLOW = range(5)
FILL_UPPER_LEFT, FILL_UPPER_RIGHT, FILL_ARROW = 5, 6, 7
NO_ELEMENT = -1
DARK_TEXT: Rgba = (0.06, 0.07, 0.09, 1.0)  # text on a coloured background
ELEMENT_EDGE, ELEMENT_GAP = 12.0, 8.0  # units: from elements to the window edges, and between them


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

    spacing: additional pixels between letters. element: index of the element that it belongs to.
    """

    text: str
    x: float
    y: float
    size: int
    colour: Rgba
    spacing: float = 0.0
    clipped: bool = False
    element: int = NO_ELEMENT


@dataclass(frozen=True, slots=True)
class PlacedElement:
    """Area of one element of the HUD, which holds its texts and overlaps no other."""

    name: str
    rectangle: Rectangle


@dataclass(frozen=True, slots=True)
class ImageQuad:
    """Image file at whole pixels with rounded corners."""

    path: str
    x: float
    y: float
    width: int
    height: int
    radius: float
    opacity: float = 1.0
    clipped: bool = False


@dataclass(slots=True)
class HudItems:
    """Items in drawing order, and the interactive areas of the panel.

    row_rectangles, tab_rectangles, back_rectangle: visible parts of rows, tabs and the back button. timeline_rectangle:
    from the first to the last moment. row_spans: extent of each row within the scrolled content, units. scroll_band: y
    range in which clipped items are visible. content_top: y of the scrolled content. max_scroll: units.
    visible_fraction: visible height of the content, units. columns: of a grid. card_rows: index of a card, index of its
    row, and the rectangle of that. elements: with their areas; slots: where the next one has room.
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
    content_top: float = 0.0
    columns: int = 1
    card_rows: list[tuple[int, int, Rectangle]] = field(default_factory=list)
    size: tuple[int, int] = (1280, 720)
    elements: list[PlacedElement] = field(default_factory=list)
    slots: SlotPlanner = field(init=False)
    _element: int = NO_ELEMENT

    def __post_init__(self) -> None:
        self.slots = SlotPlanner(self.size, ELEMENT_EDGE * self.unit, ELEMENT_GAP * self.unit)

    def font_pixels(self, points: float) -> int:
        """Font size in pixels for a size in points. Sizes above BODY_POINTS grow by as many points as that one."""
        return max(1, round((points + (self.text_scale - 1.0) * min(points, BODY_POINTS)) * self.unit))

    def begin_element(self, name: str, rectangle: Rectangle) -> None:
        """Begin an element at a rectangle: the texts that follow belong to it, and other elements keep out."""
        self.elements.append(PlacedElement(name, rectangle))
        self._element = len(self.elements) - 1
        self.slots.reserve(rectangle)

    def end_element(self) -> None:
        """End the element: what follows belongs to none."""
        self._element = NO_ELEMENT

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

    def add_disc(self, x: float, y: float, diameter: float, colour: Rgba) -> None:
        """Add a disc with its centre at (x, y)."""
        self.add_box(x - diameter / 2, y - diameter / 2, diameter, diameter, diameter / 2, colour)

    def add_run(
        self, text: str, x: float, y: float, size: int, colour: Rgba, align: float = 0.0, spacing: float = 0.0
    ) -> None:
        """Add a text line without key symbols. align: fraction of its width that lies left of x."""
        if text:
            left = round(x - align * fonts.text_width(text, size)) if align else round(x)
            self.items.append(TextRun(text, left, round(y), size, colour, spacing, self.clipping, self._element))

    def add_row(self, rectangle: Rectangle, height: float) -> bool:
        """Keep what is in sight of a scrolled row's rectangle, for the mouse, and its extent of `height` pixels with
        the gap below it. Returns whether it is in sight."""
        x, y, width, high = rectangle
        top, bottom = self.scroll_band if self.clipping else (y, y + high)
        first, last = max(y, top), min(y + high, bottom)
        self.row_rectangles.append((x, first, width, max(0.0, last - first)))
        begin = (y - self.content_top) / self.unit
        self.row_spans.append((begin, begin + height / self.unit))
        return not self.clipping or (y < bottom and y + height > top)

    def add_image(self, path: str, rectangle: Rectangle, radius: float, opacity: float = 1.0) -> None:
        x, y, width, height = map(round, rectangle)
        self.items.append(ImageQuad(path, x, y, width, height, radius, opacity, self.clipping))
