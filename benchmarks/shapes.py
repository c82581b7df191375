"""Geometry of the courses: tiled quads and closed solids as arrays (n, 3, 3), counter-clockwise seen from outside."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Triangles = npt.NDArray[np.float64]
Point = Sequence[float]


def quad(a: Point, b: Point, c: Point, d: Point, across: int = 1, along: int = 1) -> Triangles:
    """The quad a b c d in `across` (a to b) by `along` (b to c) cells of two triangles."""
    u, v = np.meshgrid(np.linspace(0.0, 1.0, across + 1), np.linspace(0.0, 1.0, along + 1), indexing="ij")
    u, v = u[..., None], v[..., None]
    grid = (1 - u) * (1 - v) * np.array(a) + u * (1 - v) * np.array(b) + u * v * np.array(c) + (1 - u) * v * np.array(d)
    p, q, r, s = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    return np.stack([p, q, r, p, r, s], 2).reshape(-1, 3, 3)


def tiles(length: float, size: float) -> int:
    return max(1, round(length / size))


def floor(x0: float, z0: float, x1: float, z1: float, y: float = 0.0, tile: float = 0.5) -> Triangles:
    """A horizontal floor that faces up."""
    count = tiles(x1 - x0, tile), tiles(z1 - z0, tile)
    return quad((x0, y, z1), (x1, y, z1), (x1, y, z0), (x0, y, z0), *count)


def wall(x0: float, z0: float, x1: float, z1: float, low: float, high: float, tile: float = 0.5) -> Triangles:
    """A vertical wall, seen with (x0, z0) to the left of (x1, z1)."""
    count = tiles(math.dist((x0, z0), (x1, z1)), tile), tiles(high - low, 2 * tile)
    return quad((x0, low, z0), (x1, low, z1), (x1, high, z1), (x0, high, z0), *count)


def column(corners: Sequence[tuple[float, float]], low: float, high: float, tile: float = 9.0) -> Triangles:
    """A closed prism over a convex outline of (x, z) corners, counter-clockwise seen from above."""
    parts = [wall(*a, *b, low, high, tile) for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)]
    top = [(x, high, z) for x, z in corners]
    bottom = [(x, low, z) for x, z in reversed(corners)]
    for cap in (top, bottom):
        parts += [np.array([[cap[0], cap[k], cap[k + 1]]]) for k in range(1, len(cap) - 1)]
    return np.concatenate(parts)


def block(x0: float, z0: float, x1: float, z1: float, low: float, high: float, tile: float = 9.0) -> Triangles:
    """A closed box."""
    return column([(x0, z1), (x1, z1), (x1, z0), (x0, z0)], low, high, tile)


def bar(ax: float, az: float, bx: float, bz: float, thick: float, high: float, tile: float = 9.0) -> Triangles:
    """A closed wall on the ground with its thickness to the right of the direction from a to b (seen from above)."""
    length = math.dist((ax, az), (bx, bz))
    ox, oz = -(bz - az) / length * thick, (bx - ax) / length * thick
    return column([(ax, az), (ax + ox, az + oz), (bx + ox, bz + oz), (bx, bz)], 0.0, high, tile)


def profile(x0: float, x1: float, line: Sequence[tuple[float, float]], tile: float = 0.5) -> Triangles:
    """A solid below a line of (z, y) points with decreasing z, between x0 and x1, closed except for its bottom at y =
    0.
    """
    parts = []
    for (za, ya), (zb, yb) in pairwise(line):
        pieces = tiles(x1 - x0, tile), tiles(math.dist((za, ya), (zb, yb)), tile)
        parts.append(quad((x0, ya, za), (x1, ya, za), (x1, yb, zb), (x0, yb, zb), *pieces))
        if za != zb:
            for x, (near, far) in ((x1, ((za, ya), (zb, yb))), (x0, ((zb, yb), (za, ya)))):
                side = quad((x, 0.0, near[0]), (x, 0.0, far[0]), (x, far[1], far[0]), (x, near[1], near[0]))
                area = np.cross(side[:, 1] - side[:, 0], side[:, 2] - side[:, 0])
                parts.append(side[np.linalg.norm(area, axis=1) > 0.0])
    return np.concatenate(parts)


def winding(triangles: Triangles, point: Point) -> float:
    """Winding number of a closed surface around a point: 1 inside, 0 outside. Solid angle over 4 pi (van Oosterom and
    Strackee 1983).
    """
    a, b, c = np.moveaxis(triangles - np.array(point), 1, 0)
    la, lb, lc = (np.linalg.norm(p, axis=1) for p in (a, b, c))
    top = np.einsum("ij,ij->i", a, np.cross(b, c))
    dot = np.einsum
    below = la * lb * lc + dot("ij,ij->i", a, b) * lc + dot("ij,ij->i", b, c) * la + dot("ij,ij->i", c, a) * lb
    return float(np.arctan2(top, below).sum() / (2 * math.pi))
