"""What a HUD's layout is made of: boxes, pictures and lines of text in pixels, top left is (0, 0). No GL."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..text import fonts
from .palette import HudTheme, Rgba

Rectangle = tuple[float, float, float, float]  # x, y, width, height

SMALL_POINTS, BODY_POINTS, LARGE_POINTS, TITLE_POINTS, HEADLINE_POINTS = (
    14,
    17,
    20,
    27,
    40,
)  # points of a picture 720 lines high

FILL_SOLID, FILL_FADE_ACROSS, FILL_FADE_DOWN, FILL_FADE_UP, FILL_ORB, FILL_GLOW = (
    0,
    1,
    2,
    3,
    4,
    5,
)  # how a box is filled


@dataclass(frozen=True, slots=True)
class RoundedBox:
    """A rounded rectangle. `fill`: SOLID; ACROSS, DOWN or UP fade away that way; ORB is a shaded ellipsoid; GLOW a soft
    light in its middle. `clipped` to the layout's band."""

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
    """A line from x on, its baseline at y; `spacing` pixels more between letters."""

    text: str
    x: float
    y: float
    size: int
    colour: Rgba
    spacing: float = 0.0
    clipped: bool = False


@dataclass(frozen=True, slots=True)
class ImageQuad:
    """A picture file in whole pixels, with round corners; `light` dims it."""

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
    """What to draw, in this order; `rows` and `tabs` are the places of the panel's rows and tabs, as far as they are
    seen, `spans` from where to where each row reaches in what scrolls (units), `back` the button that leads back.

    `band`: from where to where down the picture clipped items are seen; `most_scroll`: how far the panel can scroll,
    and `seen` how much of it is seen at once, both in units.
    """

    unit: float = 1.0
    text_scale: float = 1.0
    theme: HudTheme = field(default_factory=HudTheme)
    items: list[RoundedBox | TextRun | ImageQuad] = field(default_factory=list)
    row_rectangles: list[Rectangle] = field(default_factory=list)
    tab_rectangles: list[Rectangle] = field(default_factory=list)
    row_spans: list[tuple[float, float]] = field(default_factory=list)
    back_rectangle: Rectangle | None = None
    scroll_band: tuple[float, float] = (0.0, 1e9)
    scroll_fades: tuple[float, float] = (0.0, 0.0)  # pixels over which it fades at its top and its bottom
    max_scroll: float = 0.0
    visible_fraction: float = 0.0
    clipping: bool = False

    def font_pixels(self, points: float) -> int:
        """Pixels of letters so many points high."""
        return max(1, round(points * self.unit * self.text_scale))

    def add_box(
        self, x: float, y: float, width: float, height: float, radius: float, colour: Rgba, fill: int = FILL_SOLID
    ) -> None:
        self.items.append(RoundedBox(x, y, width, height, radius, colour, fill, self.clipping))

    def add_outlined_box(self, x: float, y: float, width: float, height: float, radius: float, colour: Rgba) -> None:
        """A box, with a line around it where the colours have one."""
        if self.theme.rim[3] > 0.0:
            line = max(1.0, round(1.5 * self.unit))
            self.add_box(x - line, y - line, width + 2 * line, height + 2 * line, radius + line, self.theme.rim)
        self.add_box(x, y, width, height, radius, colour)

    def add_text(
        self, text: str, x: float, y: float, size: int, colour: Rgba, align: float = 0.0, spacing: float = 0.0
    ) -> None:
        """`align`: part of the line's width that lies left of x."""
        if text:
            wide = fonts.text_width(text, size) + spacing * (len(text) - 1) if align else 0.0
            self.items.append(TextRun(text, round(x - align * wide), round(y), size, colour, spacing, self.clipping))

    def add_image(self, path: str, place: Rectangle, radius: float, light: float = 1.0) -> None:
        x, y, width, height = map(round, place)
        self.items.append(ImageQuad(path, x, y, width, height, radius, light, self.clipping))


def elide_end(text: str, size: int, most: float) -> str:
    """The text, its end left out where it is wider than so many pixels."""
    if fonts.text_width(text, size) <= most:
        return text
    for kept in range(len(text) - 1, 0, -1):
        if fonts.text_width(text[:kept].rstrip() + "…", size) <= most:
            return text[:kept].rstrip() + "…"
    return "…"
