"""Figure: rectangles, lines, polygons, circles, texts and pixel pictures in order, drawn as PNG or as SVG.

Positions and sizes are in pixels from the top left.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from ...maps.map_canvas import Colour, encode_png
from ...text.font_stack import draw_line, find_fonts

OVERSAMPLING = 2  # of the PNG: it is drawn larger and scaled down
_SVG_ANCHORS = {"l": "start", "m": "middle", "r": "end"}
Points = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Line:
    """An open line. opacity: 0 to 1."""

    points: Points
    colour: Colour
    width: float
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Polygon:
    """A filled polygon."""

    points: Points
    colour: Colour
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Circle:
    """A disc (`fill`), a ring (`outline`) or both."""

    x: float
    y: float
    radius: float
    fill: Colour | None
    outline: Colour | None = None
    width: float = 1.5


@dataclass(frozen=True, slots=True)
class Box:
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
    """Pixels (h,w,3) that fill a rectangle. They may be finer than the pixels of the figure."""

    left: float
    top: float
    width: float
    height: float
    pixels: NDArray[np.uint8]


Shape = Line | Polygon | Circle | Box | Text | Picture


@dataclass(slots=True)
class Figure:
    """Shapes in the order of drawing on a ground of one colour."""

    width: int
    height: int
    ground: Colour
    title: str = ""
    shapes: list[Shape] = field(default_factory=list)

    def add(self, *shapes: Shape) -> None:
        """Draw shapes above those before."""
        self.shapes += shapes


def encode_figure_png(figure: Figure) -> bytes:
    """The figure as a PNG file."""
    k = OVERSAMPLING
    image = Image.new("RGB", (k * figure.width, k * figure.height), figure.ground)
    pen = ImageDraw.Draw(image, "RGBA")
    for shape in figure.shapes:
        match shape:
            case Line():
                if len(shape.points) > 1:
                    _draw_png_line(image, pen, shape)
            case Polygon():
                flat = [(k * x, k * y) for x, y in shape.points]
                pen.polygon(flat, fill=(*shape.colour, round(255 * shape.opacity)))
            case Circle():
                box = tuple(k * value for value in _circle_box(shape))
                pen.ellipse(box, fill=shape.fill, outline=shape.outline, width=round(k * shape.width))
            case Box():
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
    return encode_png(image.resize((figure.width, figure.height), Image.Resampling.LANCZOS))


def _draw_png_line(image: Image.Image, pen: ImageDraw.ImageDraw, line: Line) -> None:
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


def encode_figure_svg(figure: Figure) -> bytes:
    """The figure as an SVG file, which needs no other file. Texts stay texts."""
    width, height = figure.width, figure.height
    rows = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="Inter, Helvetica, Arial, sans-serif">',
        f"<title>{escape(_printable(figure.title))}</title>",
        f'<rect width="{width}" height="{height}" fill="{_hex(figure.ground)}"/>',
        *(_svg_shape(shape) for shape in figure.shapes),
        "</svg>",
    ]
    return ("\n".join(rows) + "\n").encode()


def _svg_shape(shape: Shape) -> str:
    match shape:
        case Line():
            points = _svg_points(shape.points)
            opacity = "" if shape.opacity == 1.0 else f' stroke-opacity="{shape.opacity:g}"'
            return (
                f'<polyline points="{points}" fill="none" stroke="{_hex(shape.colour)}" stroke-width="{shape.width:g}"'
                f'{opacity} stroke-linejoin="round" stroke-linecap="round"/>'
            )
        case Polygon():
            opacity = "" if shape.opacity == 1.0 else f' fill-opacity="{shape.opacity:g}"'
            return f'<polygon points="{_svg_points(shape.points)}" fill="{_hex(shape.colour)}"{opacity}/>'
        case Circle():
            stroke = "" if shape.outline is None else f' stroke="{_hex(shape.outline)}" stroke-width="{shape.width:g}"'
            radius = shape.radius - (shape.width / 2 if shape.outline else 0.0)
            fill = _hex(shape.fill) if shape.fill is not None else "none"
            return f'<circle cx="{shape.x:.2f}" cy="{shape.y:.2f}" r="{radius:g}" fill="{fill}"{stroke}/>'
        case Box():
            stroke = "" if shape.outline is None else f' stroke="{_hex(shape.outline)}"'
            fill = _hex(shape.fill) if shape.fill is not None else "none"
            place = f'x="{shape.left:g}" y="{shape.top:g}" width="{shape.width:g}" height="{shape.height:g}"'
            return f'<rect {place} fill="{fill}"{stroke}/>'
        case Text():
            anchor = _SVG_ANCHORS[shape.anchor]
            return (
                f'<text x="{shape.x:.2f}" y="{shape.y:.2f}" font-size="{0.97 * shape.size:g}" '
                f'fill="{_hex(shape.colour)}" text-anchor="{anchor}">{escape(_printable(shape.text))}</text>'
            )
        case Picture():
            data = base64.b64encode(encode_png(Image.fromarray(shape.pixels))).decode()
            place = f'x="{shape.left:g}" y="{shape.top:g}" width="{shape.width:g}" height="{shape.height:g}"'
            return f'<image {place} preserveAspectRatio="none" href="data:image/png;base64,{data}"/>'


def _circle_box(shape: Circle) -> tuple[float, float, float, float]:
    return shape.x - shape.radius, shape.y - shape.radius, shape.x + shape.radius, shape.y + shape.radius


def _svg_points(points: Points) -> str:
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in points)


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _printable(text: str) -> str:
    """The text without characters that XML cannot hold."""
    return "".join(char if char.isprintable() else "?" for char in text)
