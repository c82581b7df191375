"""Primitives of the HUD layout: boxes, images and text lines in pixels; the top left is (0, 0). No GL."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..text import fonts
from .palette import HudTheme, Rgba

Rectangle = tuple[float, float, float, float]  # x, y, width, height

SMALL_POINTS, BODY_POINTS, LARGE_POINTS, TITLE_POINTS, HEADLINE_POINTS = 14, 17, 20, 27, 40  # pixels at a height of 720
FILL_SOLID, FILL_FADE_ACROSS, FILL_FADE_DOWN, FILL_FADE_UP, FILL_ORB, FILL_GLOW = range(6)  # also in hud/hud.frag.glsl


@dataclass(frozen=True, slots=True)
class RoundedBox:
    """Rounded rectangle.

    fill: SOLID; FADE_ACROSS, FADE_DOWN and FADE_UP fade out in that direction; ORB is a shaded ellipsoid; GLOW is a
    radial gradient. clipped: to the layout's scroll band.
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
    """Text line that starts at x with its baseline at y. spacing: additional pixels between letters."""

    text: str
    x: float
    y: float
    size: int
    colour: Rgba
    spacing: float = 0.0
    clipped: bool = False


@dataclass(frozen=True, slots=True)
class ImageQuad:
    """Image file at whole pixels with rounded corners; brightness below 1 dims it."""

    path: str
    x: int
    y: int
    width: int
    height: int
    radius: float
    brightness: float = 1.0
    clipped: bool = False


@dataclass(slots=True)
class HudLayout:
    """Items in drawing order, and the interactive areas of the panel.

    row_rectangles, tab_rectangles, back_rectangle: visible parts of rows, tabs and the back button. timeline_rectangle:
    from the first to the last moment. row_spans: extent of each row within the scrolled content, units. scroll_band: y
    range in which clipped items are visible. max_scroll: units. visible_fraction: visible height of the content, units.
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

    def font_pixels(self, points: float) -> int:
        """Font size in pixels for a size in points."""
        return max(1, round(points * self.unit * self.text_scale))

    def add_box(
        self, x: float, y: float, width: float, height: float, radius: float, colour: Rgba, fill: int = FILL_SOLID
    ) -> None:
        """Add a rounded rectangle."""
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
        if text:
            width = fonts.text_width(text, size) + spacing * (len(text) - 1) if align else 0.0
            self.items.append(TextRun(text, round(x - align * width), round(y), size, colour, spacing, self.clipping))

    def add_image(self, path: str, rectangle: Rectangle, radius: float, brightness: float = 1.0) -> None:
        """Add an image."""
        x, y, width, height = map(round, rectangle)
        self.items.append(ImageQuad(path, x, y, width, height, radius, brightness, self.clipping))


def elide_end(text: str, size: int, max_width: float) -> str:
    """Text with its end replaced by an ellipsis where it is wider than `max_width` pixels."""
    if fonts.text_width(text, size) <= max_width:
        return text
    for length in range(len(text) - 1, 0, -1):
        if fonts.text_width(text[:length].rstrip() + "…", size) <= max_width:
            return text[:length].rstrip() + "…"
    return "…"
