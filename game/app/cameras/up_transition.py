"""The view's way to a new up: gravity turns the body at once, the eye comes after it (docs/zones.md)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...sim import BodyPose

Point = tuple[float, float, float]
Matrix = NDArray[np.float64]

SPRING_RATE = 8.0  # 1/s: nine tenths of a quarter turn are done after half a second, and it begins and ends softly
REST_TOLERANCE = 1e-4  # radians and metres under which it is over


class UpTransition:
    """What the shown frame is off the body's: a turn about an axis and a way, both of which go to nothing."""

    def __init__(self, pose: BodyPose) -> None:
        self.snap(pose)

    def snap(self, pose: BodyPose) -> None:
        """Nothing is eased."""
        self.up, self.north = pose.up, pose.north  # of the picture
        self._frame = _basis_matrix(pose.up, pose.north)
        self._axis: Matrix = np.array((0.0, 1.0, 0.0))
        self._angle = self._speed = self._initial_angle = 0.0
        self.eye_offset: Point = (0.0, 0.0, 0.0)
        self._initial_offset: Matrix = np.zeros(3)
        self._offset_spring = 1.0

    @property
    def is_active(self) -> bool:
        """Whether the picture is still on its way."""
        return self._angle != 0.0

    def begin(self, pose: BodyPose, shown: Point, wanted: Point) -> None:
        """The body's frame has changed: begin where the picture is; `shown`, `wanted`: the eye before and after."""
        fresh = _basis_matrix(pose.up, pose.north)
        now = _rotation_matrix(self._axis, self._angle) @ self._frame @ fresh.T
        self._axis, self._angle = _axis_angle(now)
        self._initial_angle = self._angle
        self._speed = 0.0
        self._initial_offset = np.subtract(shown, wanted)
        self._frame = fresh
        self._offset_spring = 1.0
        self._update_axes()

    def update(self, seconds: float) -> None:
        """Come nearer, for so many seconds: a critically damped spring."""
        if not self.is_active:
            return
        decay = math.exp(-SPRING_RATE * seconds)
        pull = self._speed + SPRING_RATE * self._angle
        angle = (self._angle + pull * seconds) * decay
        self._speed = (self._speed - SPRING_RATE * pull * seconds) * decay
        self._angle = angle if abs(angle) > REST_TOLERANCE else 0.0
        self._offset_spring = self._angle / self._initial_angle if self._initial_angle else 0.0
        self._update_axes()

    def _update_axes(self) -> None:
        if self._angle == 0.0:
            self._initial_offset = np.zeros(3)
        frame = _rotation_matrix(self._axis, self._angle) @ self._frame
        x, y, z = (self._initial_offset * self._offset_spring).tolist()
        self.eye_offset = (x, y, z)
        up, south = frame[:, 1].tolist(), frame[:, 2].tolist()
        self.up = (up[0], up[1], up[2])
        self.north = (-south[0], -south[1], -south[2])


def _basis_matrix(up: Point, north: Point) -> Matrix:
    """East, up and south as columns."""
    return np.column_stack((np.cross(north, up), up, np.negative(north)))


def _rotation_matrix(axis: Matrix, angle: float) -> Matrix:
    """The matrix of a turn (Rodrigues)."""
    if angle == 0.0:
        return np.eye(3)
    x, y, z = axis.tolist()
    cross = np.array(((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)))
    return np.asarray(np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * cross @ cross)


def _axis_angle(turn: Matrix) -> tuple[Matrix, float]:
    """The axis and angle (0..pi) of a turn."""
    angle = math.acos(min(max((float(np.trace(turn)) - 1.0) / 2.0, -1.0), 1.0))
    axis = np.array((turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]))
    size = float(np.linalg.norm(axis))
    if size > 1e-6:
        return axis / size, angle
    if angle < 1.0:
        return np.array((0.0, 1.0, 0.0)), 0.0
    column = int(np.argmax(np.diag(turn)))  # half a turn: its axis stays where it is
    axis = (turn + np.eye(3))[:, column]
    return axis / np.linalg.norm(axis), math.pi
