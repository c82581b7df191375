"""Canvas: lines, areas, texts and pixels in the order of drawing, stored as PNG.

Positions and sizes are in pixels from the top left.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from ..core import atomic_files
from ..text.font_stack import draw_line, find_fonts

Colour = tuple[int, int, int]
Points = Sequence[tuple[float, float]]

PAPER: Colour = (250, 248, 244)
INK: Colour = (48, 44, 40)
PALE_INK: Colour = (116, 108, 100)
FRAME: Colour = (206, 200, 190)
WHITE: Colour = (255, 255, 255)
OVERSAMPLING = 2  # it is drawn larger and scaled down


@dataclass(frozen=True, slots=True)
class Line:
    """An open line. opacity: 0 to 1."""

    points: Points
    colour: Colour
    width: float
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Polygon:
    """A filled polygon. opacity: of the fill, 0 to 1."""

    points: Points
    colour: Colour
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Circle:
    """A disc (`fill`), a ring (`outline`) or both. The outline is inside the radius."""

    x: float
    y: float
    radius: float
    fill: Colour | None
    outline: Colour | None = None
    width: float = 1.5


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle with a fill, an outline, or both."""

    left: float
    top: float
    width: float
    height: float
    fill: Colour | None
    outline: Colour | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text. anchor: l, m or r (left, middle, right) of the baseline at (x, y)."""

    x: float
    y: float
    text: str
    size: int
    colour: Colour
    anchor: str = "l"


@dataclass(frozen=True, slots=True)
class Picture:
    """Pixels (h,w,3) that fill a rectangle. They may be finer than the pixels of the canvas."""

    left: float
    top: float
    width: float
    height: float
    pixels: NDArray[np.uint8]


Shape = Line | Polygon | Circle | Rectangle | Text | Picture


@dataclass(slots=True)
class Canvas:
    """Shapes in the order of drawing, on PAPER."""

    width: int
    height: int
    shapes: list[Shape] = field(default_factory=list)

    def add(self, *shapes: Shape) -> None:
        """Draw shapes above those before."""
        self.shapes += shapes

    def add_rows(
        self, x: float, y: float, rows: Iterable[str], size: int, step: float, colour: Colour = INK, anchor: str = "l"
    ) -> None:
        """Lines of text below each other, `step` pixels apart, the baseline of the first at y."""
        self.add(*(Text(x, y + step * number, row, size, colour, anchor) for number, row in enumerate(rows)))


def save_canvas(canvas: Canvas, path: Path) -> None:
    """Write a canvas as PNG. OSError where the file cannot be written."""
    atomic_files.write_atomic(path, encode_png(canvas))


def encode_png(picture: Canvas | Image.Image) -> bytes:
    """The bytes of a PNG file."""
    buffer = io.BytesIO()
    (draw_image(picture) if isinstance(picture, Canvas) else picture).save(buffer, "PNG")
    return buffer.getvalue()


def draw_image(canvas: Canvas) -> Image.Image:
    """The pixels of a canvas."""
    k = OVERSAMPLING
    image = Image.new("RGB", (k * canvas.width, k * canvas.height), PAPER)
    pen = ImageDraw.Draw(image, "RGBA")
    for shape in canvas.shapes:
        match shape:
            case Line():
                if len(shape.points) > 1:
                    _draw_line(image, pen, shape)
            case Polygon():
                flat = [(k * x, k * y) for x, y in shape.points]
                pen.polygon(flat, fill=(*shape.colour, round(255 * shape.opacity)))
            case Circle():
                x, y, radius = k * shape.x, k * shape.y, k * shape.radius
                box = (x - radius, y - radius, x + radius, y + radius)
                pen.ellipse(box, fill=shape.fill, outline=shape.outline, width=round(k * shape.width))
            case Rectangle():
                right, bottom = shape.left + shape.width, shape.top + shape.height
                edges = (k * shape.left, k * shape.top, k * right - 1, k * bottom - 1)
                pen.rectangle(edges, fill=shape.fill, outline=shape.outline, width=k)
            case Text():
                find_fonts(shape.text)
                draw_line(pen, (k * shape.x, k * shape.y), shape.text, k * shape.size, shape.colour, f"{shape.anchor}s")
            case Picture():
                size = round(k * shape.width), round(k * shape.height)
                pixels = Image.fromarray(shape.pixels).resize(size, Image.Resampling.LANCZOS)
                image.paste(pixels, (round(k * shape.left), round(k * shape.top)))
    return image.resize((canvas.width, canvas.height), Image.Resampling.LANCZOS)


def _draw_line(image: Image.Image, pen: ImageDraw.ImageDraw, line: Line) -> None:
    """A line of one opacity: a translucent one is drawn as a mask, because the joints of its pieces overlap."""
    flat = [(OVERSAMPLING * x, OVERSAMPLING * y) for x, y in line.points]
    width = max(1, round(OVERSAMPLING * line.width))
    if line.opacity >= 1.0:
        pen.line(flat, fill=line.colour, width=width, joint="curve")
        return
    xs, ys = zip(*flat, strict=True)
    left, top = int(min(xs)) - width - 1, int(min(ys)) - width - 1
    mask = Image.new("L", (int(max(xs)) - left + width + 2, int(max(ys)) - top + width + 2))
    fill = round(255 * line.opacity)
    ImageDraw.Draw(mask).line([(x - left, y - top) for x, y in flat], fill=fill, width=width, joint="curve")
    image.paste(line.colour, (left, top), mask)
