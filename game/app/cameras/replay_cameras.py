"""Cameras of a replay: at the eye, behind the body, around it, and fixed ones beside its path."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from ...core.vectors import Floats
from ...render import Snapshot
from .fixed import FixedCameras
from .hero import hero_ellipsoids
from .orbit import OrbitCamera
from .third_person import ThirdPersonCamera

if TYPE_CHECKING:
    from ...sim import Session
    from .camera import CameraFrame

EYE = "eye"
BEHIND = "behind"
OUTSIDE = "outside"
FIXED = "fixed"
CAMERAS = (EYE, BEHIND, OUTSIDE, FIXED)
CROWDED_FRACTION = 0.55  # of the wanted distance, below which the outside camera is crowded
CROWDED_SECONDS = 0.4  # s until it looks for another side


class ReplayCameras:
    """The cameras, one of which is `chosen` (a name of `CAMERAS`).

    path     (n, 3) recorded centres of the body, after each tick (m)
    ranges   ticks (first, end) between which the body does not jump; the world is the same in each
    """

    def __init__(self, path: Floats, ranges: list[tuple[int, int]]) -> None:
        self._path = path
        self._ranges = ranges
        self.chosen = EYE
        self._third_person = ThirdPersonCamera()
        self._orbit = OrbitCamera()
        self._crowded_seconds = 0.0
        self._fixed: dict[int, FixedCameras] = {}

    def choose(self, name: str, session: Session, orbit: tuple[float, float, float] | None = None) -> None:
        """Look from another camera. orbit: an `outside_view` to begin with."""
        self.chosen = name
        self._third_person.enabled = name == BEHIND
        self._third_person.snap()
        if name == OUTSIDE:
            self._orbit.reset()
            self._orbit.blend = 1.0
            velocity = session.current.velocity
            if orbit is not None:
                self._orbit.look_from(*orbit)
            self._orbit.choose_viewpoint(session.world, session.pose(), session.movers(), velocity, ())

    @property
    def outside_view(self) -> tuple[float, float, float]:
        """Yaw and pitch (radians, in the frame of the body's north and up) and distance (m) of the outside camera."""
        return self._orbit.yaw, self._orbit.pitch, self._orbit.distance

    def snap(self) -> None:
        """Skip the smoothing: another moment is shown."""
        self._third_person.snap()

    def rotate_by_mouse(self, dx: float, dy: float) -> None:
        """Turn the outside camera by pixels, positive to the right and upwards."""
        self._orbit.rotate_by_mouse(dx, dy)

    def zoom(self, by: float) -> None:
        """Move the outside camera nearer (positive) or farther by notches of the wheel."""
        self._orbit.zoom(by)

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame, tick: int) -> Snapshot:
        """The snapshot from the chosen camera. tick: number of ticks done."""
        body = shot.body
        assert body is not None
        if self.chosen == BEHIND:
            return self._third_person.apply_to_frame(shot, frame)
        if self.chosen == OUTSIDE:
            shot = self._orbit.apply_to_frame(shot, frame)
            self._keep_distance(math.dist(shot.view.eye, body.centre), frame)
            return replace(shot, ellipsoids=(*shot.ellipsoids, *hero_ellipsoids(body, frame.hero)))
        if self.chosen == FIXED:
            last = max(tick - 1, 0)
            number = max(k for k, (first, _) in enumerate(self._ranges) if first <= last)
            first, end = self._ranges[number]
            if number not in self._fixed:
                rate = 1.0 / frame.session.tick_seconds
                self._fixed[number] = FixedCameras(frame.session.world, self._path[first:end], rate)
            return self._fixed[number].apply_to_frame(shot, frame, last - first)
        return shot

    def _keep_distance(self, distance: float, frame: CameraFrame) -> None:
        """Move the outside camera to another side where walls push it to the body, unless the mouse turned it."""
        session = frame.session
        if distance > CROWDED_FRACTION * self._orbit.distance:
            self._crowded_seconds = 0.0
            return
        self._crowded_seconds += frame.seconds
        if self._crowded_seconds > CROWDED_SECONDS:
            self._crowded_seconds = -CROWDED_SECONDS
            self._orbit.choose_viewpoint(session.world, session.pose(), session.movers(), session.current.velocity, ())
