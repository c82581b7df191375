"""Orbit camera of the rewind mode: it leaves the eye, looks at the body from a free place, and the mouse turns it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.springs import ease_fraction
from ...core.vectors import Floats, Point, to_point
from ...render import Camera, Snapshot
from ...render.world_view import near_distance
from .clearance import SpringArm, free_path_fraction

if TYPE_CHECKING:
    from ...sim import BodyPose, World
    from .camera import CameraFrame

FOV_DEGREES = 42.0  # degrees, vertical
DEFAULT_DISTANCE = 3.9  # m from the body's middle
MIN_DISTANCE, MAX_DISTANCE = 0.9, 14.0  # m, by the wheel
PROBE_RADIUS = 0.12  # m, radius of the sphere that needs room at the camera
BLEND_SECONDS = 0.45  # s from the eye to the orbit, and back
FOLLOW_RATE = 14.0  # 1/s of the smoothing of the body's centre
# Of the distance: the body stands left of the middle and above it, because text covers the right and the bottom.
SIDE_OFFSET, DOWN_OFFSET = 0.16, 0.06
YAW_CANDIDATES = 24  # number of yaws of the viewpoints that are scored
PITCH_CANDIDATES = (-0.36, -0.62)  # radians, their pitches
MIN_PITCH, MAX_PITCH = -1.45, 0.9  # radians, limits of the mouse
RADIANS_PER_PIXEL = 0.0022


@dataclass(slots=True)
class OrbitCamera:
    """Camera on a sphere around the body.

    yaw, pitch     direction of view (radians) in the frame of the body's north and up
    distance       m from the body's centre
    blend          fraction of the way out of the eye, 0 to 1
    user_rotated   the mouse has turned it: `choose_viewpoint` leaves it alone
    """

    enabled: bool = True
    yaw: float = 0.0
    pitch: float = PITCH_CANDIDATES[0]
    distance: float = DEFAULT_DISTANCE
    blend: float = 0.0
    user_rotated: bool = False
    _smoothed_centre: Point | None = None
    _smoothed_angles: tuple[float, float] | None = None
    _arm: SpringArm = field(default_factory=SpringArm)

    def reset(self) -> None:
        """Start at the eye again, with the default distance."""
        self.enabled = True
        self.blend = 0.0
        self.user_rotated = False
        self.distance = DEFAULT_DISTANCE
        self._smoothed_centre = self._smoothed_angles = None
        self._arm.snap()

    def toggle(self) -> None:
        """Go out of the eye, or back into it."""
        self.enabled = not self.enabled

    def rotate_by_mouse(self, dx: float, dy: float) -> None:
        """Turn by a mouse movement in pixels, positive to the right and upwards."""
        self.user_rotated = True
        self.yaw -= dx * RADIANS_PER_PIXEL
        self.pitch = min(max(self.pitch + dy * RADIANS_PER_PIXEL, MIN_PITCH), MAX_PITCH)

    def look_from(self, yaw: float, pitch: float, distance: float) -> None:
        """Look in a direction (radians) from a distance (m), as after `rotate_by_mouse` and `zoom`."""
        self.user_rotated = True
        self.yaw, self.pitch = yaw, min(max(pitch, MIN_PITCH), MAX_PITCH)
        self.distance = min(max(distance, MIN_DISTANCE), MAX_DISTANCE)

    def zoom(self, by: float) -> None:
        """Move nearer (positive) or farther by notches of the wheel."""
        self.distance = min(max(self.distance * 0.88**by, MIN_DISTANCE), MAX_DISTANCE)

    def choose_viewpoint(
        self, world: World, pose: BodyPose, poses: Any, moved: Point, normals: Iterable[Point]
    ) -> None:
        """Choose yaw and pitch by score: room for the arm, a view across the displacement `moved`, and towards the
        front of the surfaces with these `normals`."""
        if self.user_rotated:
            return
        motion = np.array(moved)
        size = float(np.linalg.norm(motion))
        fronts = [np.array(normal) for normal in normals]
        best = -math.inf
        for pitch in PITCH_CANDIDATES:
            for k in range(YAW_CANDIDATES):
                yaw = k * math.tau / YAW_CANDIDATES
                ahead = _view_direction(pose, yaw, pitch)
                room = free_path_fraction(world, poses, np.array(pose.centre), -DEFAULT_DISTANCE * ahead, PROBE_RADIUS)
                across = 0.0 if size < 1e-6 else float(np.linalg.norm(np.cross(motion / size, ahead)))
                facing = sum(max(-float(front @ ahead), -0.3) for front in fronts) / max(1, len(fronts))
                score = 2.0 * room + 0.6 * across + 0.7 * facing + (0.12 if pitch == PITCH_CANDIDATES[0] else 0.0)
                if score > best + 1e-9:
                    best = score
                    self.yaw, self.pitch = yaw, pitch

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        """The snapshot seen from the orbit, blended with `shot.view`, the view from the eye."""
        session = frame.session
        view = self._blended_view(
            session.world, session.pose(), session.movers(), shot.view, frame, frame.settings.reduce_motion
        )
        return replace(shot, view=view)

    def _blended_view(
        self, world: World, pose: BodyPose, poses: Any, eye: Camera, frame: CameraFrame, at_once: bool
    ) -> Camera:
        """The view between the eye and the orbit. at_once: no smoothing."""
        seconds = frame.seconds
        target = 1.0 if self.enabled else 0.0
        step = 1.0 if at_once else seconds / BLEND_SECONDS
        self.blend = min(target, self.blend + step) if target > self.blend else max(target, self.blend - step)
        if self.blend == 0.0:
            self._smoothed_centre = None
            return eye
        middle = self._update_centre(pose.centre, seconds, at_once)
        yaw, pitch = self._update_angles(seconds, at_once)
        ahead = _view_direction(pose, yaw, pitch)
        side = np.cross(ahead, np.array(pose.up))
        side /= max(float(np.linalg.norm(side)), 1e-9)
        back = -self.distance * ahead + SIDE_OFFSET * self.distance * side
        back = back - DOWN_OFFSET * self.distance * np.cross(side, ahead)
        place = self._arm.place(world, poses, np.array(middle), back, np.array(pose.up), PROBE_RADIUS, seconds)
        fraction = self.blend * self.blend * (3.0 - 2.0 * self.blend)
        at = np.array(eye.eye) + fraction * (place - np.array(eye.eye))
        turn = _shortest_angle(eye.yaw, yaw)
        shown = replace(
            eye,
            eye=to_point(at),
            yaw=eye.yaw + fraction * turn,
            pitch=eye.pitch + fraction * (pitch - eye.pitch),
            fov_degrees=eye.fov_degrees + fraction * (FOV_DEGREES - eye.fov_degrees),
            up=pose.up,
            north=pose.north,
        )
        moving = None if world.environment is None else world.environment.movers
        return replace(shown, near=near_distance(world.mesh, shown.eye, shown.fov_degrees, frame.aspect, moving, poses))

    def _update_angles(self, seconds: float, at_once: bool) -> tuple[float, float]:
        """Smoothed yaw and pitch; not smoothed while the mouse turns the camera."""
        if self._smoothed_angles is None or self.user_rotated or at_once or self.blend < 1.0:
            self._smoothed_angles = self.yaw, self.pitch
        yaw, pitch = self._smoothed_angles
        fraction = ease_fraction(FOLLOW_RATE / 2.0, max(seconds, 0.0))
        self._smoothed_angles = yaw + fraction * _shortest_angle(yaw, self.yaw), pitch + fraction * (self.pitch - pitch)
        return self._smoothed_angles

    def _update_centre(self, centre: Point, seconds: float, at_once: bool) -> Point:
        """Smoothed centre of the body; not smoothed where the body has moved by more than 3 m."""
        if at_once or self._smoothed_centre is None or math.dist(centre, self._smoothed_centre) > 3.0:
            self._smoothed_centre = centre
            self._arm.snap()
        fraction = ease_fraction(FOLLOW_RATE, max(seconds, 0.0))
        self._smoothed_centre = to_point(
            np.array(self._smoothed_centre) + fraction * (np.array(centre) - np.array(self._smoothed_centre))
        )
        return self._smoothed_centre


def _shortest_angle(start: float, end: float) -> float:
    """Signed smallest angle (radians) from `start` to `end`."""
    return (end - start + math.pi) % math.tau - math.pi


def _view_direction(pose: BodyPose, yaw: float, pitch: float) -> Floats:
    """Unit vector of the view, in world axes; yaw and pitch are in the frame of the body."""
    up, north = np.array(pose.up), np.array(pose.north)
    east = np.cross(north, up)
    flat = math.cos(pitch)
    found: Floats = -math.sin(yaw) * flat * east + math.sin(pitch) * up + math.cos(yaw) * flat * north
    return found
