"""Camera: its matrices, the place of a point in the picture, and the ray through a place of the picture.

Matrices are float64 and multiply row vectors from the right (pyrr's convention), so that their bytes are GLSL's
column-major layout. `matrix44.multiply(a, b)` applies a first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from pyrr import matrix44

from ..core.vectors import Vector, gravity_axes

Array = npt.NDArray[np.float64]

MIN_FOV, MAX_FOV = 10.0, 150.0  # degrees, vertical; the settings allow a narrower range
MIN_DISTANCE = 0.05  # m before the eye of a point that is in the picture
MAX_PITCH = math.radians(89.999)  # below 90 degrees, where the basis degenerates


@dataclass(frozen=True, slots=True)
class Camera:
    """Perspective camera.

    eye: metres. yaw: radians, counter-clockwise from `north` seen from above. pitch: radians, positive looks up.
    fov_degrees: vertical. near: metres; there is no far plane. up, north: orthogonal unit vectors, which differ from +Y
    and -Z under another gravity.
    """

    eye: Vector
    yaw: float = 0.0
    pitch: float = 0.0
    fov_degrees: float = 70.0
    near: float = 0.05
    up: Vector = (0.0, 1.0, 0.0)
    north: Vector = (0.0, 0.0, -1.0)

    def basis(self) -> tuple[Array, Array, Array]:
        """Unit vectors right, up and forward of the camera."""
        pitch = min(max(self.pitch, -MAX_PITCH), MAX_PITCH)
        sy, cy, sp, cp = math.sin(self.yaw), math.cos(self.yaw), math.sin(pitch), math.cos(pitch)
        right = np.array((cy, 0.0, -sy))
        up = np.array((sy * sp, cp, cy * sp))
        forward = np.array((-sy * cp, sp, -cy * cp))
        if self.up != (0.0, 1.0, 0.0) or self.north != (0.0, 0.0, -1.0):
            frame = gravity_axes(self.up, self.north)
            return right @ frame, up @ frame, forward @ frame
        return right, up, forward

    def half_fov_tangents(self, aspect: float) -> tuple[float, float]:
        """Tangents of half the horizontal and half the vertical field of view."""
        vertical = math.tan(math.radians(min(max(self.fov_degrees, MIN_FOV), MAX_FOV)) / 2)
        return vertical * aspect, vertical

    def view_matrix(self) -> Array:
        """World to camera space for row vectors; the camera looks along -z."""
        right, up, forward = self.basis()
        rotation = np.eye(4)
        rotation[:3, :3] = np.column_stack((right, up, -forward))
        translation = np.eye(4)  # create_from_translation of pyrr takes 0.25 ms
        translation[3, :3] = self.eye
        translation[3, :3] *= -1.0
        return np.asarray(matrix44.multiply(translation, rotation))

    def view_projection_matrix(self, aspect: float) -> Array:
        """World to clip space for row vectors, with reversed depth near/distance: 1 at the near plane, 0 at infinity.

        In float32 the depth error is 1e-7 of the distance. Standard depth has an error of distance^2 / near / 2^24:
        with a near plane of 2 cm at 500 m, 0.7 m instead of 0.06 mm.
        """
        horizontal, vertical = self.half_fov_tangents(aspect)
        projection = np.zeros((4, 4))
        projection[0, 0] = 1.0 / horizontal
        projection[1, 1] = 1.0 / vertical
        projection[2, 3] = -1.0
        projection[3, 2] = self.near
        return np.asarray(matrix44.multiply(self.view_matrix(), projection))

    def project(self, points: npt.ArrayLike, aspect: float) -> Array:
        """Places (K,2) of points (K,3) in the picture: fractions from the left and from the top; NaN behind the eye."""
        points = np.asarray(points, dtype=np.float64).reshape(-1, 3)
        clip = np.column_stack((points, np.ones(len(points)))) @ self.view_projection_matrix(aspect)
        distance = np.where(clip[:, 3:] > MIN_DISTANCE, clip[:, 3:], np.nan)
        return np.asarray(0.5 + clip[:, :2] / distance * (0.5, -0.5))

    def project_point(self, point: Vector, aspect: float) -> tuple[float, float] | None:
        """Place of one point in the picture, as `project`; None outside of it."""
        across, down = self.project(point, aspect)[0].tolist()
        return (across, down) if 0.0 < across < 1.0 and 0.0 < down < 1.0 else None

    def pixel_ray(self, across: npt.ArrayLike, down: npt.ArrayLike, width: float, height: float) -> Array:
        """Unit direction from the eye through a point of the picture: (3,), or (K,3) for arrays of K points.

        across, down: from the upper left corner, in the units of width and height. The centre of the first pixel is
        (0.5, 0.5). `mesh.raycast(camera.eye, camera.pixel_ray(...))` picks the surface at that point. Raises ValueError
        unless width and height are positive.
        """
        if not (width > 0.0 and height > 0.0):
            raise ValueError(f"width, height: must be above 0, got {width} and {height}")
        horizontal, vertical = self.half_fov_tangents(width / height)
        x = (2.0 * np.asarray(across, dtype=np.float64) / width - 1.0) * horizontal
        y = (1.0 - 2.0 * np.asarray(down, dtype=np.float64) / height) * vertical
        right, up, forward = self.basis()
        direction: Array = x[..., None] * right + y[..., None] * up + forward
        length: Array = np.sqrt((direction * direction).sum(axis=-1, keepdims=True))
        direction /= length
        return direction
