"""Fixed camera: on a tripod beside the way of the body, which it follows by turning; a cut where it loses sight."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.angles import RADIANS_PER_HEADING_UNIT
from ...core.springs import ease_fraction
from ...core.vectors import Floats, Point
from ...render import Snapshot
from . import third_person
from .third_person import free_path_fraction

if TYPE_CHECKING:
    from ...sim import BodyPose, World
    from .camera import CameraFrame

FOV_DEGREES = 42.0  # degrees, vertical
MIN_DISTANCE, MAX_DISTANCE = 1.6, 16.0  # m to the body; outside of them the camera moves to another place
WISHED_DISTANCE = 7.0  # m from a new place to the body
LEAD_SECONDS = 1.2  # s that a new place is ahead of the body, so that the body comes towards it
MAX_LEAD = 6.0  # m
MIN_SPEED = 0.5  # m/s, below which the body counts as standing
HIDDEN_SECONDS = 0.4  # s without a view of the body until the camera moves
TURN_RATE = 8.0  # 1/s of the approach to the direction of the body
PROBE_RADIUS = 0.2  # m of room around the camera
LOOK_HEIGHT = 0.35  # of the body's half height, above its centre
YAWS, PITCHES = 16, (0.22, 0.45)  # candidates for a place: directions from the body, and radians upwards


class FixedCamera:
    """Camera that stands still and turns. `position`: m; None before the first frame."""

    def __init__(self) -> None:
        self.position: Point | None = None
        self._angles = (0.0, 0.0)  # yaw and pitch, radians
        self._hidden_seconds = 0.0

    def snap(self) -> None:
        """Choose a new place in the next frame: the body was moved to another place."""
        self.position = None

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        """The snapshot seen from the tripod, with the body."""
        assert shot.body is not None
        world, pose = frame.session.world, frame.session.pose()
        target = np.array(pose.centre) + LOOK_HEIGHT * pose.radii[1] * np.array(pose.up)
        is_new = self._must_move(world, shot.movers, target, frame.seconds)
        if is_new:
            self.position = self._choose_place(world, shot.movers, target, _motion(frame), pose)
            self._hidden_seconds = 0.0
        assert self.position is not None
        yaw, pitch = _direction_angles(target - np.array(self.position), pose)
        if not is_new:
            fraction = ease_fraction(TURN_RATE, max(frame.seconds, 0.0))
            turn = (yaw - self._angles[0] + math.pi) % math.tau - math.pi
            yaw = self._angles[0] + fraction * turn
            pitch = self._angles[1] + fraction * (pitch - self._angles[1])
        self._angles = yaw, pitch
        view = replace(shot.view, yaw=yaw, pitch=pitch, fov_degrees=FOV_DEGREES, up=pose.up, north=pose.north)
        return third_person.view_from(replace(shot, view=view), frame, self.position)

    def _must_move(self, world: World, poses: Any, target: Floats, seconds: float) -> bool:
        """Whether the camera has no place, or has lost the body."""
        if self.position is None:
            return True
        displacement = np.array(self.position) - target
        if not MIN_DISTANCE < float(np.linalg.norm(displacement)) < MAX_DISTANCE:
            return True
        is_visible = free_path_fraction(world, poses, target, displacement, 0.02) > 0.999
        self._hidden_seconds = 0.0 if is_visible else self._hidden_seconds + seconds
        return self._hidden_seconds > HIDDEN_SECONDS

    @staticmethod
    def _choose_place(world: World, poses: Any, target: Floats, motion: Floats, pose: BodyPose) -> Point:
        """The best of the candidates: room, a view of the body, and beside the way that it will take.

        motion: horizontal velocity (m/s)
        """
        up, north = np.array(pose.up), np.array(pose.north)
        east = np.cross(north, up)
        size = float(np.linalg.norm(motion))
        lead = min(LEAD_SECONDS, MAX_LEAD / max(size, 1e-9)) * motion
        ahead = target + free_path_fraction(world, poses, target, lead, PROBE_RADIUS) * lead
        best, place = -math.inf, ahead
        for pitch in PITCHES:
            for k in range(YAWS):
                angle = k * math.tau / YAWS
                level = math.cos(angle) * north + math.sin(angle) * east
                arm = WISHED_DISTANCE * (math.cos(pitch) * level + math.sin(pitch) * up)
                room = free_path_fraction(world, poses, ahead, arm, PROBE_RADIUS)
                at = ahead + max(0.0, room - 0.02) * arm
                seen = free_path_fraction(world, poses, at, target - at, 0.02)
                across = 1.0 - (float(level @ motion) / max(size, 1e-9)) ** 2
                score = 2.0 * room + 2.0 * float(seen > 0.95) + 1.2 * across - 0.3 * pitch
                if score > best + 1e-9:
                    best, place = score, at
        x, y, z = (float(value) for value in place)
        return x, y, z


def _motion(frame: CameraFrame) -> Floats:
    """Horizontal velocity (m/s) of the body; of one that stands, walking speed in the direction that it faces."""
    pose = frame.session.pose()
    up, north = np.array(pose.up), np.array(pose.north)
    velocity = np.array(frame.session.current.velocity)
    velocity = velocity - float(velocity @ up) * up
    if float(np.linalg.norm(velocity)) > MIN_SPEED:
        return velocity
    yaw = pose.heading * RADIANS_PER_HEADING_UNIT
    speed = frame.session.world.settings.walk_speed
    facing: Floats = speed * (math.cos(yaw) * north - math.sin(yaw) * np.cross(north, up))
    return facing


def _direction_angles(displacement: Floats, pose: BodyPose) -> tuple[float, float]:
    """Yaw and pitch (radians) of a direction in the frame of the body's north and up."""
    up, north = np.array(pose.up), np.array(pose.north)
    east = np.cross(north, up)
    rise, ahead, side = (float(displacement @ axis) for axis in (up, north, east))
    return math.atan2(-side, ahead), math.atan2(rise, math.hypot(ahead, side))
