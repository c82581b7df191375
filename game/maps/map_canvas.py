"""Map drawing core: the plan window, a supersampled layer for smooth marks, the scale bar, text and PNG encoding."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from ..core.angles import RADIANS_PER_HEADING_UNIT
from ..text.font_stack import draw_line, find_fonts, line_width
from ..text.graphemes import split_clusters
from ..text.line_breaking import split_word

Colour = tuple[int, int, int]
Fill = tuple[int, int, int, int]  # colour and opacity, 0..255 each

PAPER_COLOUR: Colour = (247, 244, 238)
INK_COLOUR: Colour = (52, 48, 44)
WHITE: Colour = (255, 255, 255)
SPAWN_COLOUR: Colour = (38, 104, 184)
GOAL_COLOUR: Colour = (214, 152, 16)


@dataclass(frozen=True, slots=True)
class PlanWindow:
    """A rectangle of the plan (m) between west, north, east and south, and its `scale` in pixels per metre."""

    west: float
    north: float
    east: float
    south: float
    scale: float

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return (
            max(1, round((self.east - self.west) * self.scale)),
            max(1, round((self.south - self.north) * self.scale)),
        )

    def to_pixel(self, x: float, z: float) -> tuple[float, float]:
        """The pixel of a point of the plan."""
        return (x - self.west) * self.scale, (z - self.north) * self.scale


class MapLayer:
    """A transparent layer over a picture, `factor` times as large, so that lines and marks are smooth.

    Positions are in metres of the window, sizes in pixels of the picture. `clear`: the colour of transparent pixels,
    which shows at the edges of marks.
    """

    def __init__(self, image: Image.Image, window: PlanWindow, factor: int, clear: Colour = (0, 0, 0)) -> None:
        self.image, self.window, self.factor = image, window, factor
        self.layer = Image.new("RGBA", (image.width * factor, image.height * factor), (*clear, 0))
        self.pen = ImageDraw.Draw(self.layer)

    def to_layer(self, x: float, z: float) -> tuple[float, float]:
        """The pixel of the layer at a point of the plan."""
        column, row = self.window.to_pixel(x, z)
        return self.factor * column, self.factor * row

    def draw_line(self, points: Iterable[Sequence[float]], fill: Fill, width: float) -> None:
        """A line through points (x, y, z)."""
        flat = [self.to_layer(float(point[0]), float(point[2])) for point in points]
        self.pen.line(flat, fill=fill, width=round(self.factor * width), joint="curve")

    def draw_circle(
        self, x: float, z: float, radius: float, fill: Fill | None, outline: Fill | None = None, width: float = 1.0
    ) -> None:
        """A disc, a ring, or both."""
        column, row = self.to_layer(x, z)
        reach = self.factor * radius
        box = (column - reach, row - reach, column + reach, row + reach)
        self.pen.ellipse(box, fill=fill, outline=outline, width=round(self.factor * width))

    def draw_number(self, x: float, z: float, radius: float, colour: Colour, text: str = "") -> None:
        """A disc with a white rim and a text in it."""
        self.draw_circle(x, z, radius, (*colour, 255), (*WHITE, 255), 1.5)
        if text:
            draw_line(self.pen, self.to_layer(x, z), text, round(1.15 * self.factor * radius), (*WHITE, 255), "mm")

    def draw_polygon(self, corners: Sequence[tuple[float, float]], colour: Colour) -> None:
        """A polygon with a white rim; corners in pixels of the layer."""
        self.pen.polygon(corners, fill=(*colour, 255), outline=(*WHITE, 255), width=3)

    def composite(self) -> None:
        """Scale the layer down and paste it onto the picture."""
        small = self.layer.resize(self.image.size, Image.Resampling.LANCZOS)
        self.image.paste(small, (0, 0), small)


def draw_scale_bar(
    pen: ImageDraw.ImageDraw, scale: float, start: tuple[float, float], room: float, *, ink: Colour = INK_COLOUR,
    width: int = 2, text_size: int = 12, text_height: float = 17.0,
) -> None:  # fmt: skip
    """A line of 1, 2 or 5 times a power of ten metres, with its length above it.

    `scale`: pixels per metre; `start`: left end; `room`: the pixels that the line may take.
    """
    left, bottom = start
    available = room / scale
    tens = 10.0 ** math.floor(math.log10(max(available, 1e-6)))
    metres = max(step * tens for step in (1, 2, 5) if step * tens <= available)
    pen.line((left, bottom, left + metres * scale, bottom), fill=ink, width=width)
    draw_line(pen, (left, bottom - text_height), f"{metres:g} m", text_size, ink)


def star_points(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """Corners of a star with five points."""
    turns = [(k * math.pi / 5, radius if k % 2 == 0 else radius * 0.45) for k in range(10)]
    return [(x + r * math.sin(a), y - r * math.cos(a)) for a, r in turns]


def arrow_points(x: float, y: float, heading: int, radius: float) -> list[tuple[float, float]]:
    """Corners of an arrow along a heading (65536 to the turn, counter-clockwise from north)."""
    angle = heading * RADIANS_PER_HEADING_UNIT
    ahead, right = (-math.sin(angle), -math.cos(angle)), (math.cos(angle), -math.sin(angle))
    corners = ((radius, 0.0), (-0.8 * radius, 0.72 * radius), (-0.42 * radius, 0.0), (-0.8 * radius, -0.72 * radius))
    return [(x + u * ahead[0] + v * right[0], y + u * ahead[1] + v * right[1]) for u, v in corners]


def diamond_points(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """Corners of a square that stands on a corner."""
    return [(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)]


def square_points(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """Corners of a square; `radius` is half its side."""
    return [(x - radius, y - radius), (x + radius, y - radius), (x + radius, y + radius), (x - radius, y + radius)]


def draw_lines(
    pen: ImageDraw.ImageDraw, at: tuple[float, float], lines: list[str], size: int, ink: Colour, step: float
) -> None:
    """Text lines from the top left, `step` pixels apart."""
    for number, line in enumerate(lines):
        draw_line(pen, (at[0], at[1] + number * step), line, size, ink)


def elide_text(text: str, width: float, size: int) -> str:
    """The text, cut to a width in pixels with `…` at the end."""
    find_fonts(text)
    if line_width(text, size) <= width:
        return text
    kept = list(split_clusters(text))
    while kept and line_width("".join(kept).rstrip() + "…", size) > width:
        kept.pop()
    return "".join(kept).rstrip() + "…"


def wrap_text(text: str, width: float, size: int, max_lines: int) -> list[str]:
    """Lines of at most `width` pixels, broken at spaces and between ideographs; what does not fit into `max_lines` is
    cut, and so is a longer word.
    """
    find_fonts(text)
    lines: list[str] = []
    line = ""
    for part in (part for word in text.replace("\n", " ").split(" ") if word for part in split_word(word)):
        longer = f"{line}{part.glue}{part.text}" if line else part.text
        if line and line_width(longer + part.hyphen, size) > width:
            lines.append(line)
            line = part.text
        else:
            line = longer
    lines.append(line)
    if len(lines) > max_lines:
        lines = [*lines[: max_lines - 1], " ".join(lines[max_lines - 1 :])]
    return [elide_text(line, width, size) for line in lines]


def encode_png(image: Image.Image) -> bytes:
    """The bytes of a PNG file."""
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()
