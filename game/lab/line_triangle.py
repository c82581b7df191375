"""A line and a triangle: where the line meets its plane, and whether that lies in it. After the forum guide's first
reply (seed 000), with both ways of asking: by areas with a sign, and by the guide's areas without."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .triangle_arrays import is_inside_by_areas

Floats = NDArray[np.float64]
PARALLEL_TOLERANCE = 1e-9  # of the product of lengths: a line nearer to the plane than this does not meet it


@dataclass(frozen=True, slots=True)
class LineTriangleHit:
    """point: on the triangle's plane, m; distance: from the line's beginning, m; parts: what each corner weighs (the
    areas across from them, with their signs, as parts of the whole; they add up to 1); inside: no part is negative;
    unsigned: what the guide's areas without a sign say."""

    point: tuple[float, float, float]
    distance: float
    barycentric: tuple[float, float, float]
    inside: bool
    unsigned: bool


def intersect_line_triangle(corners: ArrayLike, origin: ArrayLike, direction: ArrayLike) -> LineTriangleHit | None:
    """Where a ray meets the plane of a triangle (3, 3); None behind it, along it, or for a triangle without area."""
    a, b, c = np.asarray(corners, dtype=np.float64)
    start, way = np.asarray(origin, dtype=np.float64), np.asarray(direction, dtype=np.float64)
    normal = np.cross(b - a, c - a)
    square = float((normal * normal).sum())
    length = float(np.sqrt((way * way).sum()))
    slant = float((normal * way).sum())
    if square == 0.0 or length == 0.0 or abs(slant) <= PARALLEL_TOLERANCE * length * np.sqrt(square):
        return None
    far = float((normal * (a - start)).sum()) / slant
    if far < 0.0:
        return None
    point = start + far * way
    weights = [float((np.cross(q - p, point - p) * normal).sum()) / square for p, q in ((b, c), (c, a), (a, b))]
    columns = [corner[:, None] for corner in (point, a, b, c)]
    said = bool(is_inside_by_areas(*columns)[0])
    x, y, z = point.tolist()
    first, second, third = weights
    return LineTriangleHit((x, y, z), far * length, (first, second, third), min(weights) >= 0.0, said)
