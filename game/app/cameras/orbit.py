"""A camera beside the walker: it glides out of the eye to where there is room, looks at the body, and can be turned."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...render import View
from .first_person import near_plane
from .third_person import free

if TYPE_CHECKING:
    from ...sim import Pose, World

Point = tuple[float, float, float]
Floats = NDArray[np.float64]
FOV = 42.0  # degrees, vertical
FAR, NEAREST, FARTHEST = 3.9, 0.9, 14.0  # m from the body's middle: at first, and by the wheel
BALL = 0.12  # m, radius of what has to have room at the camera
GLIDE = 0.45  # s from the eye to outside, and back
EASE = 14.0  # 1/s by which it follows the body
ASIDE, BELOW = 0.16, 0.06  # of the distance: the body stands left of the middle, and above it, since there is text
WAYS, PITCHES = 24, (-0.36, -0.62)  # looked at for a good place: yaws, and radians downwards
LOWEST, HIGHEST = -1.45, 0.9  # radians of pitch that one can turn to
TURNED = 0.0022  # radians a pixel


@dataclass(slots=True)
class Aside:
    """Where the camera is: yaw and pitch in radians, from the body's own north and up; distance in metres."""

    on: bool = True
    yaw: float = 0.0
    pitch: float = PITCHES[0]
    distance: float = FAR
    out: float = 0.0  # how far it has glided out of the eye, 0..1
    turned: bool = False  # by hand: it is not chosen anew then
    _middle: Point | None = None
    _shown: tuple[float, float] | None = None  # yaw and pitch as they are on their way to those above

    def begin(self) -> None:
        """From the eye again."""
        self.on, self.out, self.turned, self.distance = True, 0.0, False, FAR
        self._middle = self._shown = None

    def turn(self, dx: float, dy: float) -> None:
        """The mouse moved by so many pixels."""
        self.turned = True
        self.yaw -= dx * TURNED
        self.pitch = min(max(self.pitch + dy * TURNED, LOWEST), HIGHEST)

    def zoom(self, by: float) -> None:
        """The wheel turned, positive comes nearer."""
        self.distance = min(max(self.distance * 0.88**by, NEAREST), FARTHEST)

    def choose(self, world: World, pose: Pose, poses: Any, way: Point, normals: Iterable[Point]) -> None:
        """Look from where there is room, across the way that was asked for, and at the front of what was touched."""
        if self.turned:
            return
        wanted = np.array(way)
        size = float(np.linalg.norm(wanted))
        fronts = [np.array(normal) for normal in normals]
        best = -math.inf
        for pitch in PITCHES:
            for k in range(WAYS):
                yaw = k * math.tau / WAYS
                ahead = _ahead(pose, yaw, pitch)
                room = free(world, poses, np.array(pose.centre), -FAR * ahead, BALL)
                across = 0.0 if size < 1e-6 else float(np.linalg.norm(np.cross(wanted / size, ahead)))
                facing = sum(max(-float(front @ ahead), -0.3) for front in fronts) / max(1, len(fronts))
                worth = 2.0 * room + 0.6 * across + 0.7 * facing + (0.12 if pitch == PITCHES[0] else 0.0)
                if worth > best + 1e-9:
                    best, self.yaw, self.pitch = worth, yaw, pitch

    def view(self, world: World, pose: Pose, poses: Any, eye: View, seconds: float, aspect: float, calm: bool) -> View:
        """What is seen `seconds` after the last frame; `eye`: what the walker saw; `calm`: nothing glides."""
        target = 1.0 if self.on else 0.0
        step = 1.0 if calm else seconds / GLIDE
        self.out = min(target, self.out + step) if target > self.out else max(target, self.out - step)
        if self.out == 0.0:
            self._middle = None
            return eye
        middle = self._follow(pose.centre, seconds, calm)
        yaw, pitch = self._turning(seconds, calm)
        ahead = _ahead(pose, yaw, pitch)
        side = np.cross(ahead, np.array(pose.up))
        side /= max(float(np.linalg.norm(side)), 1e-9)
        back = -self.distance * ahead + ASIDE * self.distance * side
        back = back - BELOW * self.distance * np.cross(side, ahead)
        place = np.array(middle) + free(world, poses, np.array(middle), back, BALL) * back
        part = self.out * self.out * (3.0 - 2.0 * self.out)
        at = np.array(eye.eye) + part * (place - np.array(eye.eye))
        turn = _turn(eye.yaw, yaw)
        shown = replace(
            eye,
            eye=_point(at),
            yaw=eye.yaw + part * turn,
            pitch=eye.pitch + part * (pitch - eye.pitch),
            fov_degrees=eye.fov_degrees + part * (FOV - eye.fov_degrees),
            up=pose.up,
            north=pose.north,
        )
        moving = None if world.around is None else world.around.movers
        return replace(shown, near=near_plane(world.mesh, shown.eye, shown.fov_degrees, aspect, moving, poses))

    def _turning(self, seconds: float, calm: bool) -> tuple[float, float]:
        """Yaw and pitch, eased towards what was chosen; at once where a hand turns it."""
        if self._shown is None or self.turned or calm or self.out < 1.0:
            self._shown = self.yaw, self.pitch
        yaw, pitch = self._shown
        part = 1.0 - math.exp(-EASE / 2.0 * max(seconds, 0.0))
        self._shown = yaw + part * _turn(yaw, self.yaw), pitch + part * (self.pitch - pitch)
        return self._shown

    def _follow(self, centre: Point, seconds: float, calm: bool) -> Point:
        """What it looks at: the body's middle, eased; at once where that is far away."""
        if calm or self._middle is None or math.dist(centre, self._middle) > 3.0:
            self._middle = centre
        part = 1.0 - math.exp(-EASE * max(seconds, 0.0))
        self._middle = _point(np.array(self._middle) + part * (np.array(centre) - np.array(self._middle)))
        return self._middle


def _turn(start: float, end: float) -> float:
    """The shorter way round from one yaw to another."""
    return (end - start + math.pi) % math.tau - math.pi


def _ahead(pose: Pose, yaw: float, pitch: float) -> Floats:
    """Unit vector that such a view looks along, in the frame of the body's gravity."""
    up, north = np.array(pose.up), np.array(pose.north)
    east = np.cross(north, up)
    flat = math.cos(pitch)
    found: Floats = -math.sin(yaw) * flat * east + math.sin(pitch) * up + math.cos(yaw) * flat * north
    return found


def _point(array: Any) -> Point:
    x, y, z = (float(value) for value in array)
    return x, y, z
