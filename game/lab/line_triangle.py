"""Ray against triangle, with signed and with unsigned areas.

Source: the first reply to "Collision detection in 3D", forum guide, 2020; its unsigned test accepts points outside.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .triangle_arrays import is_inside_by_areas

PARALLEL_TOLERANCE = 1e-9  # sine of the angle to the plane below which a line is parallel to it


@dataclass(frozen=True, slots=True)
class LineTriangleHit:
    """Intersection of a ray and the plane of a triangle.

    point        m
    distance     from the origin of the ray, m
    barycentric  coordinates of the point; they add up to 1
    inside       no coordinate is negative
    unsigned     result of the guide's test with unsigned areas
    """

    point: tuple[float, float, float]
    distance: float
    barycentric: tuple[float, float, float]
    inside: bool
    unsigned: bool


def intersect_line_triangle(corners: ArrayLike, origin: ArrayLike, direction: ArrayLike) -> LineTriangleHit | None:
    """Intersection of a ray with the plane of a triangle (3, 3); None behind it, parallel to it, or for no area."""
    a, b, c = np.asarray(corners, dtype=np.float64)
    start = np.asarray(origin, dtype=np.float64)
    ray = np.asarray(direction, dtype=np.float64)
    normal = np.cross(b - a, c - a)
    normal_squared = float((normal * normal).sum())
    ray_length = float(np.sqrt((ray * ray).sum()))
    denominator = float((normal * ray).sum())
    if (
        normal_squared == 0.0
        or ray_length == 0.0
        or abs(denominator) <= PARALLEL_TOLERANCE * ray_length * np.sqrt(normal_squared)
    ):
        return None
    t = float((normal * (a - start)).sum()) / denominator
    if t < 0.0:
        return None
    point = start + t * ray
    weights = [float((np.cross(q - p, point - p) * normal).sum()) / normal_squared for p, q in ((b, c), (c, a), (a, b))]
    columns = [corner[:, None] for corner in (point, a, b, c)]
    unsigned = bool(is_inside_by_areas(*columns)[0])
    x, y, z = point.tolist()
    first, second, third = weights
    return LineTriangleHit((x, y, z), t * ray_length, (first, second, third), min(weights) >= 0.0, unsigned)
