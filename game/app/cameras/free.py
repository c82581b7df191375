"""Free camera: it flies through everything with the walking keys, or by itself to where something is seen. For free
flight (F) and the level editor (F2)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ...core.springs import ease_fraction, smoothstep
from ...core.vectors import Point, to_point
from ...physics import TriangleMesh
from ...render import Camera, Snapshot
from ..input.actions import PlayAction
from .camera import CameraFrame, between, seen_from

FLY_SPEED = 5.0  # m/s
FAST_FACTOR = 4.0  # times as fast while sprint is held
ACCELERATION_RATE = 14.0  # 1/s of the exponential approach to the wished velocity
STOP_SPEED = 0.02  # m/s below which the camera stops when no key is held
MAX_STEP_SECONDS = 0.1  # s, longest time step of one frame
MAX_DISTANCE = 1e5  # m from the origin, per axis


class FreeCamera:
    """Camera without collision.

    is_active        whether the picture is seen from this camera; the body stays where it is
    position         eye (m)
    velocity         m/s
    speed, fast_speed  m/s, the second while sprint is held
    """

    def __init__(self, position: Point = (0.0, 0.0, 0.0)) -> None:
        self.is_active = False
        self.place(position)

    def place(self, position: Point, speed: float = FLY_SPEED, fast_speed: float = FLY_SPEED * FAST_FACTOR) -> None:
        """Put the camera at rest at `position` (m)."""
        self.position = position
        self.speed = speed
        self.fast_speed = fast_speed
        self.velocity = (0.0, 0.0, 0.0)

    def update(
        self,
        seconds: float,
        actions: Iterable[PlayAction],
        yaw: float,
        pitch: float,
        stick: tuple[float, float] = (0.0, 0.0),
        frame: tuple[Point, Point] = ((0.0, 1.0, 0.0), (0.0, 0.0, -1.0)),
    ) -> Point:
        """Advance by `seconds` and return the position.

        yaw, pitch   direction of view (radians) in `frame`
        stick        gamepad: right and ahead, -1 to 1
        frame        up and north of the frame of reference (unit vectors)
        """
        held = frozenset(actions)
        ahead = float(PlayAction.FORWARD in held) - float(PlayAction.BACK in held) + stick[1]
        right = float(PlayAction.RIGHT in held) - float(PlayAction.LEFT in held) + stick[0]
        up = float(PlayAction.JUMP in held) - float(PlayAction.CROUCH in held)
        basis = Camera(self.position, yaw, pitch, up=frame[0], north=frame[1]).basis()
        wish = (right * basis[0] + up * np.array(frame[0]) + ahead * basis[2]).tolist()
        size = math.sqrt(sum(component * component for component in wish))
        pace = (self.fast_speed if PlayAction.SPRINT in held else self.speed) / max(size, 1.0)
        seconds = min(max(seconds, 0.0), MAX_STEP_SECONDS)
        ease = ease_fraction(ACCELERATION_RATE, seconds)
        vx, vy, vz = (old + (pace * new - old) * ease for old, new in zip(self.velocity, wish, strict=True))
        if size == 0.0 and math.sqrt(vx * vx + vy * vy + vz * vz) < STOP_SPEED:
            vx = vy = vz = 0.0
        self.velocity = (vx, vy, vz)
        x, y, z = (
            min(max(coordinate + seconds * speed, -MAX_DISTANCE), MAX_DISTANCE)
            for coordinate, speed in zip(self.position, self.velocity, strict=True)
        )
        self.position = (x, y, z)
        return self.position

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        """The snapshot seen from the camera's position, with the body where it was left."""
        return seen_from(shot, frame, replace(shot.view, eye=self.position), 1.0)


# Flight to where something is seen

FLIGHT_SECONDS = 0.5
MIN_VIEW_DISTANCE, MAX_VIEW_DISTANCE = 2.5, 60.0  # m from the middle of what is seen
DISTANCE_FACTOR = 1.6  # of its size
PITCHES = (-25.0, -55.0, -8.0, 20.0)  # degrees that are tried, in this order
YAW_OFFSETS = (0.0, 45.0, -45.0, 90.0, -90.0, 135.0, -135.0, 180.0)  # degrees from the present view
CLEAR_MARGIN = 0.35  # m between the eye and a wall behind it


def view_of(mesh: TriangleMesh, middle: Point, size: float, yaw: float) -> Camera:
    """View of something of a size (m), as near to the present yaw (radians) as walls allow."""
    wanted = min(max(DISTANCE_FACTOR * size, MIN_VIEW_DISTANCE), MAX_VIEW_DISTANCE)
    surface = min(0.5 * size, 0.8 * wanted)  # the rays begin beyond what is seen
    views = [Camera(middle, yaw + math.radians(turn), math.radians(pitch)) for pitch in PITCHES for turn in YAW_OFFSETS]
    back = np.array([-view.basis()[2] for view in views])
    hits = mesh.raycast_many(np.asarray(middle) + surface * back, back, wanted - surface + 1.0)
    free = np.where(hits.triangle >= 0, hits.distance - CLEAR_MARGIN, np.inf)
    room = surface + np.clip(free, 0.0, wanted - surface)
    best = int(np.argmax(np.minimum(room, wanted - 0.01)))
    return replace(views[best], eye=to_point(np.asarray(middle) + room[best] * back[best]))


class CameraFlight:
    """A flight in progress: smooth from one view to another."""

    def __init__(self, start: Camera, end: Camera, seconds: float = FLIGHT_SECONDS) -> None:
        self._start, self._end, self._seconds = start, end, seconds
        self._elapsed = 0.0

    @property
    def is_over(self) -> bool:
        return self._elapsed >= self._seconds

    def advance(self, seconds: float) -> Camera:
        """The view after some more seconds."""
        self._elapsed += seconds
        return between(self._start, self._end, 1.0 if self.is_over else smoothstep(self._elapsed / self._seconds))
