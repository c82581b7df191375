"""Test scene of the render tests: courtyard with a house, stairs, pillars and ramps."""

from __future__ import annotations

import math

import numpy as np

from game.level.level import Sky
from game.render import GoalAppearance, Scene, SignAppearance, SurfaceAppearance

LOOKS = {
    "grass": SurfaceAppearance((0.42, 0.50, 0.24), "grass"),
    "court": SurfaceAppearance((0.62, 0.58, 0.52), "flagstone"),
    "brick": SurfaceAppearance((0.62, 0.40, 0.32), "brick"),
    "wall": SurfaceAppearance((0.87, 0.81, 0.70), "plaster"),
    "planks": SurfaceAppearance((0.60, 0.47, 0.34), "planks"),
    "tiles": SurfaceAppearance((0.55, 0.68, 0.66), "tiles"),
    "concrete": SurfaceAppearance((0.62, 0.62, 0.60), "concrete"),
    "metal": SurfaceAppearance((0.60, 0.62, 0.65), "metal"),
    "ice": SurfaceAppearance((0.75, 0.88, 0.94), "ice"),
    "plain": SurfaceAppearance((0.72, 0.47, 0.34), "plain"),
}
NAMES = list(LOOKS)
Point = tuple[float, float, float]


class Builder:
    """Collects triangles and surface indices of simple solids."""

    def __init__(self) -> None:
        self.triangles: list[np.ndarray] = []
        self.index: list[int] = []

    def quad(self, corners: object, surface: str) -> None:
        """Two triangles of a quad, counter-clockwise."""
        c = np.asarray(corners, dtype=float)
        self.triangles += [c[[0, 1, 2]], c[[0, 2, 3]]]
        self.index += [NAMES.index(surface)] * 2

    def box(self, low: Point, high: Point, surface: str, top: str = "") -> None:
        """Axis-aligned box from `low` to `high`."""
        (a, b, c), (x, y, z) = low, high
        self.quad([(a, b, z), (x, b, z), (x, y, z), (a, y, z)], surface)
        self.quad([(x, b, c), (a, b, c), (a, y, c), (x, y, c)], surface)
        self.quad([(x, b, z), (x, b, c), (x, y, c), (x, y, z)], surface)
        self.quad([(a, b, c), (a, b, z), (a, y, z), (a, y, c)], surface)
        self.quad([(a, y, z), (x, y, z), (x, y, c), (a, y, c)], top or surface)
        self.quad([(a, b, c), (x, b, c), (x, b, z), (a, b, z)], surface)

    def pillar(self, x: float, y: float, z: float, radius: float, height: float, surface: str, sides: int = 16) -> None:
        """Upright prism."""
        ring = [(x + radius * math.cos(t), z - radius * math.sin(t)) for t in np.arange(sides) * 2 * math.pi / sides]
        for (x0, z0), (x1, z1) in zip(ring, ring[1:] + ring[:1], strict=True):
            self.quad([(x0, y, z0), (x1, y, z1), (x1, y + height, z1), (x0, y + height, z0)], surface)
            self.triangles.append(np.array([(x, y + height, z), (x0, y + height, z0), (x1, y + height, z1)]))
            self.index.append(NAMES.index(surface))

    def ramp(self, x: float, z: float, width: float, length: float, rise: float, surface: str) -> None:
        """Ramp that rises towards -z from (x, 0, z)."""
        a, b = x - width / 2, x + width / 2
        top = z - length
        self.quad([(a, 0, z), (b, 0, z), (b, rise, top), (a, rise, top)], surface)
        self.quad([(b, 0, top), (a, 0, top), (a, rise, top), (b, rise, top)], "concrete")
        for x0, flip in ((b, 1), (a, -1)):
            side = np.array([(x0, 0, z), (x0, 0, top), (x0, rise, top)])[::flip]
            self.triangles.append(side)
            self.index.append(NAMES.index("concrete"))

    def scene(self, **more: object) -> Scene:
        return Scene(np.array(self.triangles), np.array(self.index), tuple(LOOKS.values()), **more)


def courtyard(**sky: float) -> Scene:
    """Scene of the courtyard; `sky` overrides sun_height, sun_from or haze."""
    b = Builder()
    b.quad([(-40, -0.02, 40), (40, -0.02, 40), (40, -0.02, -40), (-40, -0.02, -40)], "grass")
    b.box((-10, -0.3, -10), (10, 0, 10), "concrete", "court")
    # Enclosing walls with a gate in the south.
    for low, high in (
        ((-10.4, -0.3, -10.4), (-10, 3, 10.4)),
        ((10, -0.3, -10.4), (10.4, 3, 10.4)),
        ((-10.4, -0.3, 10), (-1.5, 3, 10.4)),
        ((1.5, -0.3, 10), (10.4, 3, 10.4)),
        ((-1.5, 2.4, 10), (1.5, 3, 10.4)),
    ):
        b.box(low, high, "brick", "court")
    # House on the north side: x -10..2, z -10..-4, 3.2 m high, with door, windows and a flat roof.
    h = 3.2
    for low, high in (
        ((-10, 0, -4.3), (-8, h, -4)),
        ((-8, 0, -4.3), (-6.6, 0.9, -4)),
        ((-8, 2.1, -4.3), (-6.6, h, -4)),
        ((-6.6, 0, -4.3), (-3.6, h, -4)),
        ((-3.6, 2.2, -4.3), (-2.4, h, -4)),
        ((-2.4, 0, -4.3), (2, h, -4)),
        ((1.7, 0, -10), (2, h, -8)),
        ((1.7, 0, -8), (2, 0.9, -6)),
        ((1.7, 2.1, -8), (2, h, -6)),
        ((1.7, 0, -6), (2, h, -4.3)),
        ((-10.4, 0, -10.4), (2, h, -10)),
        ((-4.1, 0, -10), (-3.9, h, -7)),
    ):
        b.box(low, high, "wall")
    b.box((-10, 0, -10), (1.7, 0.02, -4.3), "planks")
    b.box((-10.6, h, -10.6), (2.3, h + 0.3, -3.7), "wall", "concrete")
    b.box((-1.2, 0.02, -9.4), (0.6, 0.80, -8.6), "planks")  # a table
    # Stairs to the roof on the east side of the house.
    for i in range(14):
        b.box((2.4 + 0.3 * (13 - i), 0, -6.4), (2.4 + 0.3 * (14 - i), 0.25 * (i + 1), -4.4), "concrete", "court")
    for x in (-8, -5.5, -0.5, 1.8):
        b.pillar(x, 0, -2.2, 0.22, 2.8, "wall", 20)
    b.box((-8.4, 2.8, -2.5), (2.2, 3.1, -1.9), "wall")
    b.ramp(6.0, 6.0, 2.0, 4.0, 1.07, "planks")
    b.ramp(8.6, 6.0, 1.6, 4.0, 2.3, "metal")
    b.quad([(-9, 0.03, 9), (-5, 0.03, 9), (-5, 0.03, 5), (-9, 0.03, 5)], "ice")
    b.quad([(-4, 0.03, 9), (-2, 0.03, 9), (-2, 0.03, 5), (-4, 0.03, 5)], "tiles")
    b.box((-3.0, 0, 1.0), (-2.0, 1.0, 2.0), "plain")
    b.box((-2.7, 1.0, 1.2), (-2.1, 1.6, 1.8), "metal")
    b.box((18, -0.02, -30), (24, 9, -22), "concrete")
    b.box((-30, -0.02, -36), (-22, 6, -24), "brick", "tiles")
    for x, y, z, width, height in (
        (4.2, 1.5, -7.2, 1.4, 0.7),
        (6.0, 1.6, 1.9, 1.0, 0.45),
        (-5.1, 1.7, -3.96, 1.2, 0.4),
    ):
        b.box((x - width / 2, y - height / 2, z - 0.04), (x + width / 2, y + height / 2, z - 0.001), "planks")
    return b.scene(
        signs=(
            SignAppearance("Up the stairs\nto the roof", (4.2, 1.5, -7.2), 32768, 1.4, 0.7),
            SignAppearance("Ramp 15°", (6.0, 1.6, 1.9), 32768, 1.0, 0.45),
            SignAppearance("Welcome", (-5.1, 1.7, -3.96), 32768, 1.2, 0.4),
        ),
        goal=GoalAppearance((-4.0, 3.5, -7.0), 1.0),
        sky=Sky(**{"sun_height": 38.0, "sun_from": 120.0, "haze": 0.004, **sky}),
    )
