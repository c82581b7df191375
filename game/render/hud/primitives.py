"""What a HUD's layout is made of: boxes, pictures and lines of text in pixels, top left is (0, 0). No GL."""

from __future__ import annotations

from dataclasses import dataclass, field

from . import fonts
from .palette import Look, Rgba

Place = tuple[float, float, float, float]  # x, y, width, height

SMALL, BODY, LARGE, TITLE, HEADLINE = 14, 17, 20, 27, 40  # points of a picture 720 lines high

SOLID, ACROSS, DOWN, UP, ORB, GLOW = 0, 1, 2, 3, 4, 5  # how a box is filled


@dataclass(frozen=True, slots=True)
class Box:
    """A rounded rectangle. `fill`: SOLID; ACROSS, DOWN or UP fade away that way; ORB is a shaded ellipsoid; GLOW a soft
    light in its middle. `clipped` to the layout's band."""

    x: float
    y: float
    width: float
    height: float
    radius: float
    colour: Rgba
    fill: int = SOLID
    clipped: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A line from x on, its baseline at y; `spacing` pixels more between letters."""

    text: str
    x: float
    y: float
    size: int
    colour: Rgba
    spacing: float = 0.0
    clipped: bool = False


@dataclass(frozen=True, slots=True)
class Image:
    """A picture file in whole pixels, with round corners; `light` dims it."""

    path: str
    x: int
    y: int
    width: int
    height: int
    radius: float
    light: float = 1.0
    clipped: bool = False


@dataclass(slots=True)
class Layout:
    """What to draw, in this order; `rows` and `tabs` are the places of the panel's rows and tabs, as far as they are
    seen, `spans` from where to where each row reaches in what scrolls (units), `back` the button that leads back.

    `band`: from where to where down the picture clipped items are seen; `most_scroll`: how far the panel can scroll,
    and `seen` how much of it is seen at once, both in units.
    """

    unit: float = 1.0
    text_scale: float = 1.0
    look: Look = field(default_factory=Look)
    items: list[Box | Text | Image] = field(default_factory=list)
    rows: list[Place] = field(default_factory=list)
    tabs: list[Place] = field(default_factory=list)
    spans: list[tuple[float, float]] = field(default_factory=list)
    back: Place | None = None
    band: tuple[float, float] = (0.0, 1e9)
    fades: tuple[float, float] = (0.0, 0.0)  # pixels over which it fades at its top and its bottom
    most_scroll: float = 0.0
    seen: float = 0.0
    clipping: bool = False

    def size(self, points: float) -> int:
        """Pixels of letters so many points high."""
        return max(1, round(points * self.unit * self.text_scale))

    def box(
        self, x: float, y: float, width: float, height: float, radius: float, colour: Rgba, fill: int = SOLID
    ) -> None:
        self.items.append(Box(x, y, width, height, radius, colour, fill, self.clipping))

    def framed(self, x: float, y: float, width: float, height: float, radius: float, colour: Rgba) -> None:
        """A box, with a line around it where the colours have one."""
        if self.look.rim[3] > 0.0:
            line = max(1.0, round(1.5 * self.unit))
            self.box(x - line, y - line, width + 2 * line, height + 2 * line, radius + line, self.look.rim)
        self.box(x, y, width, height, radius, colour)

    def text(
        self, text: str, x: float, y: float, size: int, colour: Rgba, align: float = 0.0, spacing: float = 0.0
    ) -> None:
        """`align`: part of the line's width that lies left of x."""
        if text:
            wide = fonts.width(text, size) + spacing * (len(text) - 1) if align else 0.0
            self.items.append(Text(text, round(x - align * wide), round(y), size, colour, spacing, self.clipping))

    def image(self, path: str, place: Place, radius: float, light: float = 1.0) -> None:
        x, y, width, height = map(round, place)
        self.items.append(Image(path, x, y, width, height, radius, light, self.clipping))


def cut(text: str, size: int, most: float) -> str:
    """The text, its end left out where it is wider than so many pixels."""
    if fonts.width(text, size) <= most:
        return text
    for kept in range(len(text) - 1, 0, -1):
        if fonts.width(text[:kept].rstrip() + "…", size) <= most:
            return text[:kept].rstrip() + "…"
    return "…"
