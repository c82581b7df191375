"""Geometry of random scenes: flights, spirals, pyramids, voxels, terraces, curbs, rubble, slots, double walls, louvres
and helices, as triangles. Metres.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.support.scenes import Triangles, box, floor, quad, turned, wall

SIZE = 12.0  # half the side of the ground


def prism(corners: Any, y0: float, y1: float) -> Triangles:
    """Upright prism over a convex polygon (n, 2) of (x, z), counter-clockwise seen from above."""
    out: Triangles = []
    points = [(float(x), float(z)) for x, z in corners]
    for (ax, az), (bx, bz) in zip(points, points[1:] + points[:1], strict=True):
        out += quad((ax, y0, az), (bx, y0, bz), (bx, y1, bz), (ax, y1, az))
    for k in range(1, len(points) - 1):
        (ax, az), (bx, bz), (cx, cz) = points[0], points[k], points[k + 1]
        out.append(((ax, y1, az), (bx, y1, bz), (cx, y1, cz)))
    return out


def ground() -> Triangles:
    return floor(-SIZE, -SIZE, SIZE, SIZE)


def flight(random: Any, narrow: bool) -> tuple[Triangles, tuple[float, float]]:
    """A straight flight with open sides, in the middle: solid or of thin treads; (triangles, (rise, run))."""
    rise, run = (0.40, 0.05) if narrow else (float(random.uniform(0.15, 0.40)), float(random.choice([0.25, 0.30])))
    steps, w = int(random.integers(3, 9)), float(random.uniform(0.4, 1.2))
    solid = random.random() < 0.7
    out: Triangles = []
    for k in range(steps):
        back = -run * (k + 1) - (2.0 if k == steps - 1 else 0.0)
        bottom = 0.0 if solid else rise * k
        out += box(-w, bottom, back, w, rise * (k + 1), -run * k)
    return out, (rise, run)


def spiral(random: Any) -> Triangles:
    """A spiral of sectors around a column."""
    rise, steps = float(random.uniform(0.15, 0.40)), int(random.integers(6, 12))
    inner, outer = float(random.uniform(0.1, 0.6)), float(random.uniform(1.2, 2.0))
    angle = float(random.uniform(0.25, 0.5))
    out = box(-0.05, 0.0, -0.05, 0.05, rise * steps + 1.0, 0.05)
    for k in range(steps):
        a, b = angle * k, angle * (k + 1)
        corners = [(r * math.cos(t), -r * math.sin(t)) for r, t in ((inner, a), (outer, a), (outer, b), (inner, b))]
        bottom = 0.0 if steps * angle < 6.0 else max(rise * (k + 1) - 0.3, 0.0)
        out += prism(corners, bottom, rise * (k + 1))
    return out


def pyramid(random: Any) -> Triangles:
    """Nested boxes: steps to all sides."""
    rise, run, steps = float(random.uniform(0.15, 0.40)), float(random.uniform(0.25, 0.5)), int(random.integers(2, 6))
    out: Triangles = []
    for k in range(steps):
        half = run * (steps - k) + 0.2
        out += box(-half, rise * k, -half, half, rise * (k + 1), half)
    return out


def voxels(random: Any, size: float, cells: int, rise: float, roughness: int) -> Triangles:
    """Columns of blocks of one size: tops, and the sides that are open, a quad for each block."""
    heights = np.zeros((cells + 2, cells + 2), int)
    rough = random.integers(0, roughness + 1, (cells, cells))
    slope = np.add.outer(np.arange(cells), np.arange(cells)) // int(random.integers(2, 5))
    heights[1:-1, 1:-1] = rough + (slope if random.random() < 0.5 else 0)
    out: Triangles = []
    low = -size * cells / 2.0
    for i in range(1, cells + 1):
        for j in range(1, cells + 1):
            x, z, h = low + size * (i - 1), low + size * (j - 1), int(heights[i, j])
            if h:
                out += floor(x, z, x + size, z + size, y=rise * h)
            for di, dj in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                ax, bx = (x + size * (di > 0), x + size * (di >= 0)) if di else (x, x + size)
                az, bz = (z + size * (dj > 0), z + size * (dj > 0)) if dj else (z, z + size)
                ax, bx = (ax, ax) if di else (ax, bx)
                for k in range(int(heights[i + di, j + dj]), h):
                    y, top = rise * k, rise * (k + 1)
                    out += quad((ax, y, az), (bx, y, bz), (bx, top, bz), (ax, top, az))
    return out


def terraces(random: Any) -> Triangles:
    """Broad plateaus of irregular steps."""
    out: Triangles = []
    y = 0.0
    for k in range(int(random.integers(2, 6))):
        y += float(random.uniform(0.1, 0.45))
        x, z = random.uniform(-0.4, 0.4, 2) + 0.5 * k
        half = 2.8 - 0.5 * k
        out += turned(box(x - half, 0.0, z - half, x + half, y, z + half), float(random.uniform(0, 30)), (x, 0.0, z))
    return out


def curbs(random: Any) -> Triangles:
    """Long low boxes that cross each other at any angle."""
    out: Triangles = []
    for _ in range(int(random.integers(2, 8))):
        x, z = random.uniform(-2.0, 2.0, 2)
        a, b, h = random.uniform(0.05, 0.4), random.uniform(0.3, 2.5), random.uniform(0.05, 0.40)
        out += turned(box(x - a, 0.0, z - b, x + a, float(h), z + b), float(random.uniform(0, 180)), (x, 0.0, z))
    return out


def rotation(random: Any) -> Any:
    """A random rotation matrix: a unit quaternion of four normal numbers (Shoemake 1992)."""
    w, x, y, z = (q := random.normal(size=4)) / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def rubble(random: Any) -> Triangles:
    """Boxes that lie on each other, level or turned in every direction."""
    parts = []
    tilted = random.random() < 0.5
    for _ in range(int(random.integers(6, 20))):
        half = random.uniform(0.1, 0.6, 3)
        centre = random.uniform((-2.5, 0.0, -2.5), (2.5, 0.6, 2.5))
        one = np.array(box(-half[0], -half[1], -half[2], *half), np.float64)
        angle = float(random.uniform(0, 360))
        one = one @ rotation(random).T if tilted else np.array(turned(_tuples(one), angle))
        parts.append(one + centre)
    return _tuples(np.concatenate(parts))


def slot(random: Any) -> Triangles:
    """A slot along -Z between a high wall and a ledge, of about the width of a body."""
    width, ledge = float(random.uniform(0.4, 0.9)), float(random.uniform(0.3, 0.9))
    out = box(-width / 2.0 - 0.3, 0.0, -3.0, -width / 2.0, 3.0, 1.0)
    out += box(width / 2.0, 0.0, -3.0, width / 2.0 + 1.5, ledge, 1.0)
    return out + box(-3.0, 0.0, -3.3, 3.0, float(random.choice([ledge, 3.0])), -3.0)


def double_walls(random: Any) -> Triangles:
    """Upright sheets in pairs, a millimetre to a few centimetres apart, with or without a low plinth before them."""
    out: Triangles = []
    for _ in range(int(random.integers(1, 4))):
        gap, half = float(random.choice([0.001, 0.001, 0.01, 0.03])), float(random.uniform(0.3, 2.0))
        x, z = random.uniform(-1.5, 1.5, 2)
        height = float(random.choice([0.25, 0.6, 3.0]))
        one = wall(x - half, z, x + half, z, height) + wall(x - half, z - gap, x + half, z - gap, height)
        if random.random() < 0.5:
            one += box(
                x - half, 0.0, z, x + half, float(random.uniform(0.05, 0.4)), z + float(random.uniform(0.01, 0.3))
            )
        out += turned(one, float(random.uniform(0, 180)), (float(x), 0.0, float(z)))
    return out


def louvres(random: Any) -> Triangles:
    """Slanted slats above each other, open between them, as a wall along X."""
    out: Triangles = []
    pitch, depth = float(random.uniform(0.08, 0.5)), float(random.uniform(0.05, 0.4))
    rise = depth * math.tan(math.radians(float(random.uniform(20.0, 70.0))))
    thickness, count = float(random.choice([0.0, 0.02])), int(random.integers(3, 9))
    for k in range(count):
        y = pitch * k + float(random.choice([0.0, 0.05]))
        for t in (0.0, thickness) if thickness else (0.0,):
            out += quad(
                (-1.5, y + t, 0.0), (1.5, y + t, 0.0), (1.5, y + rise + t, -depth), (-1.5, y + rise + t, -depth)
            )
    return out


def helix(random: Any) -> Triangles:
    """A helical ramp of flat facets around the Y axis, about as steep as the slope limit at its inner edge."""
    inner, outer = float(random.uniform(0.05, 0.5)), float(random.uniform(1.0, 2.0))
    facets, rise = int(random.integers(8, 40)), float(random.uniform(0.5, 2.5))
    out: Triangles = []
    for k in range(int(1.5 * facets)):
        points = []
        for j in (k, k + 1):
            a, y = 2.0 * math.pi * j / facets, rise * j / facets
            points.append([(r * math.cos(a), y, -r * math.sin(a)) for r in (inner, outer)])
        (a0, b0), (a1, b1) = points
        out += quad(a0, b0, b1, a1)
    return out


def _tuples(triangles: Any) -> Triangles:
    return [(tuple(a), tuple(b), tuple(c)) for a, b, c in triangles.tolist()]
