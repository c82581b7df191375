"""Map drawing core: the plan window, a supersampled layer for smooth marks, the scale bar, text and PNG encoding."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

from ..core.angles import RADIANS_PER_HEADING_UNIT

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
            font = load_font(round(1.15 * self.factor * radius))
            self.pen.text(self.to_layer(x, z), text, fill=(*WHITE, 255), font=font, anchor="mm")

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
    pen.text((left, bottom - text_height), f"{metres:g} m", fill=ink, font=load_font(text_size))


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


def load_font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Pillow's own font at a size in pixels."""
    return ImageFont.load_default(size)


def elide_text(text: str, length: int) -> str:
    """The text, cut to `length` characters with `...` at the end."""
    return text if len(text) <= length else text[: length - 3] + "..."


def wrap_text(text: str, width: float, size: int, max_lines: int) -> str:
    """The text broken into lines of `width` pixels; what does not fit into `max_lines` is cut."""
    font = load_font(size)
    lines, line = [], ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if line and font.getlength(longer) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    lines.append(line)
    if len(lines) > max_lines:
        lines = [*lines[: max_lines - 1], elide_text(" ".join(lines[max_lines - 1 :]), len(lines[0]))]
    return "\n".join(lines)


def encode_png(image: Image.Image) -> bytes:
    """The bytes of a PNG file."""
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()
