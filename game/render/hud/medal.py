"""Picture of a medal: a disc with a rim on two ribbons. No GL."""

from __future__ import annotations

from collections.abc import Mapping

from .palette import Rgba
from .primitives import HudItems

# Face and rim, sRGB. The number of dots on the face tells the medals apart without colours.
MEDAL_COLOURS: Mapping[str, tuple[Rgba, Rgba]] = {
    "gold": ((1.00, 0.80, 0.26, 1.0), (0.72, 0.50, 0.10, 1.0)),
    "silver": ((0.83, 0.86, 0.90, 1.0), (0.50, 0.54, 0.60, 1.0)),
    "bronze": ((0.82, 0.53, 0.30, 1.0), (0.52, 0.30, 0.14, 1.0)),
}
MEDAL_DOTS: Mapping[str, int] = {"gold": 3, "silver": 2, "bronze": 1}
RIBBON_COLOURS: tuple[Rgba, Rgba] = ((0.76, 0.24, 0.22, 1.0), (0.90, 0.88, 0.82, 1.0))
MEDAL_RATIO = 1.4  # height of the picture over its width


def draw_medal(out: HudItems, medal: str, x: float, y: float, width: float, opacity: float = 1.0) -> None:
    """Draw a medal with its upper left corner at (x, y), `width` pixels wide; nothing for an unknown one."""
    if medal not in MEDAL_COLOURS:
        return

    def faded(colour: Rgba) -> Rgba:
        return (*colour[:3], colour[3] * opacity)

    face, rim = MEDAL_COLOURS[medal]
    ribbon, stripe = RIBBON_COLOURS
    middle = x + width / 2
    radius = width / 2
    out.add_box(middle - 0.34 * width, y, 0.68 * width, 0.62 * width, 0.06 * width, faded(ribbon))
    out.add_box(middle - 0.09 * width, y, 0.18 * width, 0.62 * width, 0.0, faded(stripe))
    disc_y = y + (MEDAL_RATIO - 1.0) * width
    out.add_box(x, disc_y, width, width, radius, faded(rim))
    inner = 0.80 * width
    out.add_box(middle - inner / 2, disc_y + (width - inner) / 2, inner, inner, inner / 2, faded(face))
    dot = 0.15 * width
    count = MEDAL_DOTS[medal]
    for number in range(count):
        dot_x = middle + (number - (count - 1) / 2) * 1.45 * dot - dot / 2
        out.add_box(dot_x, disc_y + (width - dot) / 2, dot, dot, dot / 2, faded(rim))
