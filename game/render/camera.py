"""Where the eye is and what it sees: matrices (pyrr, row vectors) and the near plane that never cuts.

Matrices here are float64 arrays that multiply row vectors from the right, so their bytes go to GLSL as
they are. `matrix44.multiply(a, b)` applies a first; the `*` of pyrr's Matrix44 objects would apply b first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from pyrr import matrix44

Vector = tuple[float, float, float]
Array = npt.NDArray[np.float64]

MIN_FOV, MAX_FOV = 10.0, 150.0  # degrees, vertical; the menu offers less
MAX_PITCH = math.radians(89.999)  # beyond it the view would be upside down
NEAR_MARGIN = 0.98  # of the largest near plane that stays inside; 2% for the rounding of float32


@dataclass(frozen=True, slots=True)
class Camera:
    """An eye. Metres; yaw in radians counter-clockwise from -Z seen from above, pitch positive upwards.

    `fov_degrees` is vertical. `near` in metres; there is no far plane. Yaw and pitch count from `north` and `up`
    (units, across each other): another gravity has others.
    """

    eye: Vector
    yaw: float = 0.0
    pitch: float = 0.0
    fov_degrees: float = 70.0
    near: float = 0.05
    up: Vector = (0.0, 1.0, 0.0)
    north: Vector = (0.0, 0.0, -1.0)

    def basis(self) -> tuple[Array, Array, Array]:
        """Unit right, up and forward of the picture."""
        pitch = min(max(self.pitch, -MAX_PITCH), MAX_PITCH)
        sy, cy, sp, cp = math.sin(self.yaw), math.cos(self.yaw), math.sin(pitch), math.cos(pitch)
        right = np.array((cy, 0.0, -sy))
        up = np.array((sy * sp, cp, cy * sp))
        forward = np.array((-sy * cp, sp, -cy * cp))
        if self.up != (0.0, 1.0, 0.0) or self.north != (0.0, 0.0, -1.0):
            frame = np.array((np.cross(self.north, self.up), self.up, np.negative(self.north)))
            return right @ frame, up @ frame, forward @ frame
        return right, up, forward

    def half_fov_tangents(self, aspect: float) -> tuple[float, float]:
        """Tangents of half the horizontal and half the vertical field of view."""
        vertical = math.tan(math.radians(min(max(self.fov_degrees, MIN_FOV), MAX_FOV)) / 2)
        return vertical * aspect, vertical

    def pixel_ray(self, across: npt.ArrayLike, down: npt.ArrayLike, width: float, height: float) -> Array:
        """Unit vector from the eye through a place of a picture of `width` by `height`: (3,), or (K,3) for (K,) places.

        across, down: from the upper left corner, in the unit of width and height; the middle of the first pixel is at
        0.5, 0.5, the cross-hair at half of both. `mesh.raycast(view.eye, view.ray(...))` is what is seen there.
        ValueError for a picture without width or height.
        """
        if not (width > 0.0 and height > 0.0):
            raise ValueError(f"width, height: must be above 0, got {width} and {height}")
        horizontal, vertical = self.half_fov_tangents(width / height)
        x = (2.0 * np.asarray(across, dtype=np.float64) / width - 1.0) * horizontal
        y = (1.0 - 2.0 * np.asarray(down, dtype=np.float64) / height) * vertical
        right, up, forward = self.basis()
        way: Array = x[..., None] * right + y[..., None] * up + forward
        length: Array = np.sqrt((way * way).sum(axis=-1, keepdims=True))
        way /= length
        return way

    def view_matrix(self) -> Array:
        """Row vectors: world point (x, y, z, 1) times this is the point before the eye (-z is forward)."""
        right, up, forward = self.basis()
        turn = np.eye(4)
        turn[:3, :3] = np.column_stack((right, up, -forward))
        move = np.eye(4)  # pyrr's own create_from_translation inspects its arguments for a quarter of a millisecond
        move[3, :3] = self.eye
        move[3, :3] *= -1.0
        return np.asarray(matrix44.multiply(move, turn))

    def view_projection_matrix(self, aspect: float) -> Array:
        """Row vectors, no far plane, depth reversed: near/distance, 1 at the near plane and 0 at infinity.

        In floats this keeps about 1e-7 of the *distance* everywhere, where the usual depth keeps
        distance^2 / near / 2^24: at 500 m with a near plane of 2 cm, 0.06 mm instead of 0.7 m.
        """
        horizontal, vertical = self.half_fov_tangents(aspect)
        project = np.zeros((4, 4))
        project[0, 0] = 1.0 / horizontal
        project[1, 1] = 1.0 / vertical
        project[2, 3] = -1.0
        project[3, 2] = self.near
        return np.asarray(matrix44.multiply(self.view_matrix(), project))


def eye_clearance(radii: Vector, eye_fraction: float) -> float:
    """Metres from the eye to the nearest point of the ellipsoid's surface; 0 where the eye is outside.

    The eye stands on the vertical axis at `eye_fraction` of the height 2 ry. The nearest point lies in
    the plane of the smaller horizontal radius: the least of a^2 (1 - y^2/b^2) + (y - e)^2 over |y| <= b.
    """
    a, b = min(radii[0], radii[2]), radii[1]
    e = abs(2.0 * eye_fraction - 1.0) * b
    if e >= b:
        return 0.0
    ratio = 1.0 - (a / b) ** 2
    if ratio <= 0.0 or e / ratio >= b:
        return b - e
    y = e / ratio
    return math.sqrt(a * a * (1.0 - (y / b) ** 2) + (y - e) ** 2)


def safe_near_distance(radii: Vector, eye_fraction: float, fov_degrees: float, aspect: float) -> float:
    """Metres to a near plane whose whole rectangle stays inside the ellipsoid, whatever the view's direction.

    Since no wall enters the ellipsoid, none is ever cut open. `radii` (rx, ry, rz) of the present stance,
    `eye_fraction` of the height 2 ry, `fov_degrees` vertical, `aspect` width / height.
    Raises ValueError where the eye is not inside.
    """
    room = eye_clearance(radii, eye_fraction)
    if not room > 0.0:
        raise ValueError(f"the eye at {eye_fraction} of the height is not inside the ellipsoid {radii}")
    horizontal, vertical = Camera((0.0, 0.0, 0.0), fov_degrees=fov_degrees).half_fov_tangents(aspect)
    return NEAR_MARGIN * room / math.sqrt(1.0 + horizontal**2 + vertical**2)
