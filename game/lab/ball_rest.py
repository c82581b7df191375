"""Rest position of a ball on a polygon: on its bounding box, or on its plane.

Source: "High Speed Accurate Collision Detection" (a golf game). Its local frame (a side, the normal, their cross
product) makes the triangle level, puts the ball one radius above it and transforms back, which equals the shift along
the normal that is used here. Defects, kept: it uses the plane and not the triangle, so a ball beyond the rim rests on
air; it resolves along the normal, so a ball that fell far past the plane jumps back up.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..core.vectors import Floats


def rest_on_bounding_box(corners: ArrayLike, x: float, z: float, radius: float) -> Floats:
    """Centre (3,) of a ball above (x, z) on the bounding box of a polygon (n, 3), at its greatest height."""
    return np.array((x, float(np.asarray(corners, dtype=np.float64)[:, 1].max()) + radius, z))


def rest_on_plane(corners: ArrayLike, x: float, z: float, radius: float) -> tuple[Floats, Floats]:
    """Centre (3,) of a ball above (x, z) on the plane of a polygon, and its contact point (3,).

    corners (n, 3): the first three are not collinear. ValueError for an upright plane.
    """
    a, b, c = np.asarray(corners, dtype=np.float64)[:3]
    side = b - a
    normal = np.cross(side, c - a)
    size = float(np.sqrt((normal * normal).sum()))
    if size == 0.0 or abs(normal[1]) < 1e-9 * size:
        raise ValueError("nothing rests on an upright plane")
    normal = normal / size * np.sign(normal[1])
    # one radius from the plane, vertically above (x, z)
    height = a[1] - (normal[0] * (x - a[0]) + normal[2] * (z - a[2])) / normal[1]
    centre = np.array((x, height + radius / normal[1], z))
    return centre, centre - radius * normal
