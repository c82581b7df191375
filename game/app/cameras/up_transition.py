"""The view's way to a new up: gravity turns the body at once, the eye comes after it (docs/zones.md)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...sim import Pose

Point = tuple[float, float, float]
Matrix = NDArray[np.float64]

RIGHT_RATE = 8.0  # 1/s: nine tenths of a quarter turn are done after half a second, and it begins and ends softly
LEAST = 1e-4  # radians and metres under which it is over


class Righting:
    """What the shown frame is off the body's: a turn about an axis and a way, both of which go to nothing."""

    def __init__(self, pose: Pose) -> None:
        self.jump(pose)

    def jump(self, pose: Pose) -> None:
        """Nothing is eased."""
        self.up, self.north = pose.up, pose.north  # of the picture
        self._frame = _columns(pose.up, pose.north)
        self._axis: Matrix = np.array((0.0, 1.0, 0.0))
        self._angle = self._speed = self._begun = 0.0
        self.way: Point = (0.0, 0.0, 0.0)
        self._gap: Matrix = np.zeros(3)
        self._part = 1.0

    @property
    def busy(self) -> bool:
        """Whether the picture is still on its way."""
        return self._angle != 0.0

    def turn(self, pose: Pose, shown: Point, wanted: Point) -> None:
        """The body's frame has changed: begin where the picture is; `shown`, `wanted`: the eye before and after."""
        fresh = _columns(pose.up, pose.north)
        now = _turn(self._axis, self._angle) @ self._frame @ fresh.T
        self._axis, self._angle = _axis_angle(now)
        self._begun = self._angle
        self._speed = 0.0
        self._gap = np.subtract(shown, wanted)
        self._frame = fresh
        self._part = 1.0
        self._show()

    def follow(self, seconds: float) -> None:
        """Come nearer, for so many seconds: a critically damped spring."""
        if not self.busy:
            return
        decay = math.exp(-RIGHT_RATE * seconds)
        pull = self._speed + RIGHT_RATE * self._angle
        angle = (self._angle + pull * seconds) * decay
        self._speed = (self._speed - RIGHT_RATE * pull * seconds) * decay
        self._angle = angle if abs(angle) > LEAST else 0.0
        self._part = self._angle / self._begun if self._begun else 0.0
        self._show()

    def _show(self) -> None:
        if self._angle == 0.0:
            self._gap = np.zeros(3)
        frame = _turn(self._axis, self._angle) @ self._frame
        x, y, z = (self._gap * self._part).tolist()
        self.way = (x, y, z)
        up, south = frame[:, 1].tolist(), frame[:, 2].tolist()
        self.up = (up[0], up[1], up[2])
        self.north = (-south[0], -south[1], -south[2])


def _columns(up: Point, north: Point) -> Matrix:
    """East, up and south as columns."""
    return np.column_stack((np.cross(north, up), up, np.negative(north)))


def _turn(axis: Matrix, angle: float) -> Matrix:
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
