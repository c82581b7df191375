"""Smooth transition of the view after gravity has turned: the body turns at once, the view follows (docs/zones.md)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...core.springs import Spring
from ...core.vectors import Point
from ...sim import BodyPose

Matrix = NDArray[np.float64]

SPRING_RATE = 8.0  # 1/s: nine tenths of a quarter turn after half a second
REST_TOLERANCE = 1e-4  # radians below which the transition ends


class UpTransition:
    """Rotation (axis and angle) and offset between the frame of the view and that of the body. Both decay to zero."""

    def __init__(self, pose: BodyPose) -> None:
        self.snap(pose)

    def snap(self, pose: BodyPose) -> None:
        """End the transition: the view has the frame of the pose."""
        self.up, self.north = pose.up, pose.north  # of the view, unit vectors
        self._frame = _basis_matrix(pose.up, pose.north)
        self._axis: Matrix = np.array((0.0, 1.0, 0.0))
        self._spring = Spring()
        self._initial_angle = 0.0  # radians
        self.eye_offset: Point = (0.0, 0.0, 0.0)
        self._initial_offset: Matrix = np.zeros(3)
        self._offset_fraction = 1.0

    @property
    def is_active(self) -> bool:
        """Whether the view has not reached the frame of the body."""
        return self._spring.offset != 0.0

    def begin(self, pose: BodyPose, shown: Point, wanted: Point) -> None:
        """Start from the present view after the body's frame has changed. shown, wanted: eye (m) before and after."""
        fresh = _basis_matrix(pose.up, pose.north)
        now = _rotation_matrix(self._axis, self._spring.offset) @ self._frame @ fresh.T
        self._axis, self._initial_angle = _axis_angle(now)
        self._spring = Spring(self._initial_angle)
        self._initial_offset = np.subtract(shown, wanted)
        self._frame = fresh
        self._offset_fraction = 1.0
        self._update_axes()

    def update(self, seconds: float) -> None:
        """Advance the critically damped spring by `seconds`."""
        if not self.is_active:
            return
        self._spring.advance(seconds, SPRING_RATE)
        if abs(self._spring.offset) <= REST_TOLERANCE:
            self._spring.offset = 0.0
        self._offset_fraction = self._spring.offset / self._initial_angle if self._initial_angle else 0.0
        self._update_axes()

    def _update_axes(self) -> None:
        if self._spring.offset == 0.0:
            self._initial_offset = np.zeros(3)
        frame = _rotation_matrix(self._axis, self._spring.offset) @ self._frame
        x, y, z = (self._initial_offset * self._offset_fraction).tolist()
        self.eye_offset = (x, y, z)
        up, south = frame[:, 1].tolist(), frame[:, 2].tolist()
        self.up = (up[0], up[1], up[2])
        self.north = (-south[0], -south[1], -south[2])


def _basis_matrix(up: Point, north: Point) -> Matrix:
    """(3, 3) matrix with east, up and south as columns."""
    return np.column_stack((np.cross(north, up), up, np.negative(north)))


def _rotation_matrix(axis: Matrix, angle: float) -> Matrix:
    """(3, 3) rotation matrix about a unit axis (Rodrigues' formula)."""
    if angle == 0.0:
        return np.eye(3)
    x, y, z = axis.tolist()
    cross = np.array(((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)))
    return np.asarray(np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * cross @ cross)


def _axis_angle(turn: Matrix) -> tuple[Matrix, float]:
    """Unit axis and angle (0 to pi) of a rotation matrix."""
    angle = math.acos(min(max((float(np.trace(turn)) - 1.0) / 2.0, -1.0), 1.0))
    axis = np.array((turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]))
    size = float(np.linalg.norm(axis))
    if size > 1e-6:
        return axis / size, angle
    if angle < 1.0:
        return np.array((0.0, 1.0, 0.0)), 0.0
    column = int(np.argmax(np.diag(turn)))  # half a turn: R + I has the axis as its columns
    axis = (turn + np.eye(3))[:, column]
    return axis / np.linalg.norm(axis), math.pi
