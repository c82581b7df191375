"""Canvas: lines, areas, texts and pixels in the order of drawing, stored as PNG or SVG.

Positions and sizes are in pixels from the top left.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

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
OVERSAMPLING = 2  # of the PNG: it is drawn larger and scaled down
CANVAS_SUFFIXES = (".png", ".svg")
_SVG_ANCHORS = {"l": "start", "m": "middle", "r": "end"}


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
    """Shapes in the order of drawing on a ground of one colour. title: of an SVG file."""

    width: int
    height: int
    ground: Colour = PAPER
    title: str = ""
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
    """Write a canvas as PNG or SVG, by the suffix. OSError where the file cannot be written."""
    atomic_files.write_atomic(path, encode_svg(canvas) if path.suffix.lower() == ".svg" else encode_png(canvas))


def encode_png(picture: Canvas | Image.Image) -> bytes:
    """The bytes of a PNG file."""
    buffer = io.BytesIO()
    (draw_image(picture) if isinstance(picture, Canvas) else picture).save(buffer, "PNG")
    return buffer.getvalue()


def draw_image(canvas: Canvas) -> Image.Image:
    k = OVERSAMPLING
    image = Image.new("RGB", (k * canvas.width, k * canvas.height), canvas.ground)
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


def encode_svg(canvas: Canvas) -> bytes:
    """The canvas as an SVG file, which needs no other file. Texts stay texts."""
    width, height = canvas.width, canvas.height
    rows = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="Inter, Helvetica, Arial, sans-serif">',
        _tag("title", canvas.title),
        _tag("rect", width=width, height=height, fill=css_colour(canvas.ground)),
        *map(_svg_shape, canvas.shapes),
        "</svg>",
    ]
    return ("\n".join(rows) + "\n").encode()


def _svg_shape(shape: Shape) -> str:
    match shape:
        case Line():
            return _tag(
                "polyline", points=_svg_points(shape.points), fill="none", stroke=css_colour(shape.colour),
                stroke_width=shape.width, stroke_opacity=None if shape.opacity == 1.0 else shape.opacity,
                stroke_linejoin="round", stroke_linecap="round",
            )  # fmt: skip
        case Polygon():
            opacity = None if shape.opacity == 1.0 else shape.opacity
            return _tag(
                "polygon", points=_svg_points(shape.points), fill=css_colour(shape.colour), fill_opacity=opacity
            )
        case Circle():
            edge: dict[str, object] = {}
            if shape.outline is not None:
                edge = {"stroke": css_colour(shape.outline), "stroke_width": shape.width}
            radius = shape.radius - (shape.width / 2 if shape.outline else 0.0)
            return _tag(
                "circle", cx=f"{shape.x:.2f}", cy=f"{shape.y:.2f}", r=radius, fill=_svg_fill(shape.fill), **edge
            )
        case Rectangle():
            edge = {} if shape.outline is None else {"stroke": css_colour(shape.outline)}
            return _tag("rect", **_svg_place(shape), fill=_svg_fill(shape.fill), **edge)
        case Text():
            return _tag(
                "text", shape.text, x=f"{shape.x:.2f}", y=f"{shape.y:.2f}", font_size=0.97 * shape.size,
                fill=css_colour(shape.colour), text_anchor=_SVG_ANCHORS[shape.anchor],
            )  # fmt: skip
        case Picture():
            data = base64.b64encode(encode_png(Image.fromarray(shape.pixels))).decode()
            link = f"data:image/png;base64,{data}"
            return _tag("image", **_svg_place(shape), preserveAspectRatio="none", href=link)


def _tag(name: str, text: str | None = None, /, **attributes: object) -> str:
    """An element of SVG. Attributes have `_` for `-`; those that are None are left out."""
    shown = (
        (key.replace("_", "-"), f"{value:g}" if isinstance(value, float) else str(value))
        for key, value in attributes.items()
        if value is not None
    )
    start = " ".join((f"<{name}", *(f"{key}={quoteattr(value)}" for key, value in shown)))
    return f"{start}/>" if text is None else f"{start}>{escape(printable(text))}</{name}>"


def _svg_place(shape: Rectangle | Picture) -> dict[str, float]:
    return {"x": shape.left, "y": shape.top, "width": shape.width, "height": shape.height}


def _svg_points(points: Points) -> str:
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in points)


def _svg_fill(colour: Colour | None) -> str:
    return "none" if colour is None else css_colour(colour)


def css_colour(colour: Colour) -> str:
    """`#30a0ff`."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def printable(text: str) -> str:
    """The text without characters that XML cannot hold."""
    return "".join(char if char.isprintable() else "?" for char in text)
