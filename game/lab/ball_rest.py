"""Where a ball rests: on its polygon's box, as golf games first did it, or on the polygon's plane.

After "High Speed Accurate Collision Detection" (seed 003). There a frame of the triangle's own (a side, the normal, and
their cross product) makes the triangle level, the ball is set to one radius above it, and the inverse brings it back:
the same as going along the normal, which is done here. Its defects, kept: it asks the plane and not the triangle, so a
ball beyond the rim rests on air; it resolves along the normal, so a ball that fell far past the plane jumps back up.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def rest_on_bounding_box(corners: ArrayLike, x: float, z: float, radius: float) -> Floats:
    """Centre (3,) of a ball above (x, z) that rests on the box round a polygon (n, 3): at its greatest height."""
    return np.array((x, float(np.asarray(corners, dtype=np.float64)[:, 1].max()) + radius, z))


def rest_on_plane(corners: ArrayLike, x: float, z: float, radius: float) -> tuple[Floats, Floats]:
    """Centre (3,) of a ball above (x, z) that rests on a polygon's plane, and the point (3,) of it that touches.

    corners (n, 3): of the polygon, the first three not in one line. ValueError for an upright plane.
    """
    a, b, c = np.asarray(corners, dtype=np.float64)[:3]
    side = b - a
    normal = np.cross(side, c - a)
    size = float(np.sqrt((normal * normal).sum()))
    if size == 0.0 or abs(normal[1]) < 1e-9 * size:
        raise ValueError("nothing rests on an upright plane")
    normal = normal / size * np.sign(normal[1])
    # one radius from the plane, straight above the place
    height = a[1] - (normal[0] * (x - a[0]) + normal[2] * (z - a[2])) / normal[1]
    centre = np.array((x, height + radius / normal[1], z))
    return centre, centre - radius * normal
