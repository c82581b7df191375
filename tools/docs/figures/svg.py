"""Drawings as SVG text: one palette, coordinates rounded to a tenth, so the same drawing has the same bytes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

Point = tuple[float, float]

PAPER, INK, SOFT, FAINT = "#fbfaf6", "#22272e", "#68707a", "#c9ccd1"
GROUND, EARTH = "#7d6546", "#e9dfcd"  # a surface, and what is behind it
BODY, AIR = "#2f6db3", "#c6442f"  # carried by ground; falling, or what goes wrong
GOOD, STEP, OTHER = "#2e8555", "#d9822b", "#8a5bb0"
FONT = "Helvetica, Arial, sans-serif"


def number(value: float) -> str:
    """A tenth of a pixel is enough, and hides the last digits of another machine."""
    text = f"{value:.1f}"
    if text.endswith(".0"):
        text = text[:-2]
    return "0" if text == "-0" else text


def attributes(style: dict[str, Any]) -> str:
    """Style by keywords: `width` and `dash` are the stroke's, the others SVG's own with _ for -."""
    words = {"width": "stroke-width", "dash": "stroke-dasharray"}
    given = {words.get(k, k.replace("_", "-")): v for k, v in style.items() if v is not None}
    return "".join(f' {k}="{number(v) if isinstance(v, float) else v}"' for k, v in given.items())


class Drawing:
    """A page of pixels, y downwards, on paper of its own (legible on dark pages too)."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.parts: list[str] = []
        self.clips = 0

    def add(self, tag: str, **style: Any) -> None:
        self.parts.append(f"<{tag}{attributes(style)}/>")

    def line(self, points: Iterable[Point], stroke: str = INK, width: float = 1.5, **style: Any) -> None:
        self._path(points, "", stroke=stroke, width=width, fill="none", **style)

    def area(self, points: Iterable[Point], fill: str, **style: Any) -> None:
        self._path(points, "Z", fill=fill, **style)

    def _path(self, points: Iterable[Point], end: str, **style: Any) -> None:
        d = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + end
        self.parts.append(f'<path d="{d}"{attributes({"stroke_linejoin": "round", **style})}/>')

    def circle(self, at: Point, r: float, fill: str = "none", **style: Any) -> None:
        self.add("circle", cx=float(at[0]), cy=float(at[1]), r=float(r), fill=fill, **style)

    def dot(self, at: Point, fill: str = INK, r: float = 3.0) -> None:
        self.circle(at, r, fill)

    def ring(self, at: Point, stroke: str = SOFT, r: float = 3.5, width: float = 1.4, fill: str = PAPER) -> None:
        self.circle(at, r, fill, stroke=stroke, width=width)

    def arrow(self, a: Point, b: Point, stroke: str = INK, width: float = 2.0, head: float = 8.0, **style: Any) -> None:
        """From a to b, with a head at b."""
        length = math.hypot(b[0] - a[0], b[1] - a[1])
        if length < 1e-9:
            return
        x, y = (b[0] - a[0]) / length, (b[1] - a[1]) / length
        back = (b[0] - head * x, b[1] - head * y)
        half = 0.42 * head
        self.line([a, (b[0] - 0.8 * head * x, b[1] - 0.8 * head * y)], stroke, width, **style)
        self.area([b, (back[0] - half * y, back[1] + half * x), (back[0] + half * y, back[1] - half * x)], stroke)

    def text(
        self, at: Point, words: str, fill: str = INK, size: float = 13.0, anchor: str = "start", **style: Any
    ) -> None:
        """`anchor`: start, middle or end. A newline begins another line."""
        for k, line in enumerate(words.split("\n")):
            x, y = number(at[0]), number(at[1] + 1.3 * size * k)
            more = attributes({"fill": fill, "font_size": float(size), **style})
            if anchor != "start":
                more += f' text-anchor="{anchor}"'
            self.parts.append(f'<text x="{x}" y="{y}"{more}>{escape(line)}</text>')

    def key(self, at: Point, entries: Sequence[tuple[str, str]], size: float = 12.0, gap: float = 18.0) -> None:
        """A legend: (colour, words) under each other."""
        for k, (colour, words) in enumerate(entries):
            y = at[1] + gap * k
            self.dot((at[0] + 4, y - 4), colour, 4.5)
            self.text((at[0] + 15, y), words, size=size)

    def svg(self) -> str:
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}" font-family="{FONT}">'
        )
        paper = f'<rect width="{self.width}" height="{self.height}" rx="8" fill="{PAPER}"/>'
        return "\n".join([head, paper, *self.parts, "</svg>"]) + "\n"


class Panel:
    """A window of a drawing that is measured in metres (or whatever), y upwards; drawn over, it is clipped."""

    def __init__(
        self, drawing: Drawing, left: float, top: float, width: float, height: float, corner: Point, scale: float
    ) -> None:
        """corner: what is at the lower left; scale: pixels to a metre."""
        self.drawing, self.corner, self.scale = drawing, corner, scale
        self.left, self.top, self.width, self.height = left, top, width, height

    def at(self, p: Point) -> Point:
        return (
            self.left + (p[0] - self.corner[0]) * self.scale,
            self.top + self.height - (p[1] - self.corner[1]) * self.scale,
        )

    def __call__(self, points: Iterable[Point]) -> list[Point]:
        return [self.at(p) for p in points]

    def ellipse(self, centre: Point, a: float, b: float, fill: str, **style: Any) -> None:
        """a, b: half axes, across and up."""
        cx, cy = self.at(centre)
        rx, ry = float(a * self.scale), float(b * self.scale)
        self.drawing.add("ellipse", cx=cx, cy=cy, rx=rx, ry=ry, fill=fill, **style)

    def __enter__(self) -> Panel:
        """Until the end of the `with` nothing shows outside the window."""
        d = self.drawing
        d.clips += 1
        place = {"x": self.left, "y": self.top, "width": self.width, "height": self.height}
        box = "<rect" + "".join(f' {k}="{number(v)}"' for k, v in place.items()) + "/>"
        d.parts.append(f'<clipPath id="c{d.clips}">{box}</clipPath><g clip-path="url(#c{d.clips})">')
        return self

    def __exit__(self, *_: object) -> None:
        self.drawing.parts.append("</g>")
