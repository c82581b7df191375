"""Camera that follows a golf ball in flight, from behind and above, and the way back to the player."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.springs import ease_fraction
from ...core.vectors import Floats, to_point
from ...render import Snapshot
from ...sim.golf import BALL_MOVING
from .clearance import free_path_fraction
from .third_person import view_from

if TYPE_CHECKING:
    from .camera import CameraFrame

BEHIND, ABOVE = 5.0, 1.9  # m from the ball back along its way, and up
AIM_LIFT = np.array((0.0, 0.4, 0.0))  # m from the ball to where the camera looks
RADIUS = 0.25  # m, clearance from surfaces
FOLLOW_RATE = 3.5  # 1/s at which the camera comes to its place
START_SECONDS = 0.35  # s that the player's view stays after the stroke
STAY_SECONDS = 1.2  # s that the camera stays after the ball has come to rest
MIN_SPEED = 0.6  # m/s below which the way of the ball gives no new direction


class BallCamera:
    """Follows the ball of one round. `is_active`: the picture is not that of the player."""

    def __init__(self) -> None:
        self.is_active = False
        self._eye = np.zeros(3)
        self._ahead = np.array((0.0, 0.0, -1.0))
        self._rolled = 0.0  # s since the stroke
        self._rest = 0.0  # s left after the ball has come to rest

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        """The snapshot from behind a ball that moves, else unchanged."""
        golf = frame.session.world.golf
        if golf is None or not frame.settings.ball_camera or frame.settings.reduce_motion:
            self.is_active = False
            return shot
        is_moving = golf.phase == BALL_MOVING
        self._rolled = self._rolled + frame.seconds if is_moving else 0.0
        self._rest = STAY_SECONDS if is_moving else self._rest - frame.seconds
        is_lost = not is_moving and golf.at == golf.struck_from  # it lies where it was: nothing to look at
        if self._rolled < START_SECONDS if is_moving else self._rest <= 0.0 or is_lost:
            self.is_active = False
            return shot
        at = np.array(golf.previous_position) + frame.session.alpha * np.subtract(golf.at, golf.previous_position)
        self._follow(shot, frame, at, np.array(golf.ball["velocity"][0]))
        offset = at + AIM_LIFT - self._eye
        level = math.hypot(offset[0], offset[2])
        yaw, pitch = math.atan2(-offset[0], -offset[2]), math.atan2(offset[1], max(level, 1e-6))
        view = replace(shot.view, yaw=yaw, pitch=pitch, up=(0.0, 1.0, 0.0), north=(0.0, 0.0, -1.0))
        shot = view_from(replace(shot, view=view), frame, to_point(self._eye))
        return replace(shot, hud=replace(shot.hud, crosshair=False))

    def _follow(self, shot: Snapshot, frame: CameraFrame, at: Floats, velocity: Floats) -> None:
        """Move the camera towards its place behind the ball at `at` (3,), m, as far as walls and ground let it."""
        speed = math.hypot(velocity[0], velocity[2])
        if not self.is_active:
            away = at - np.array(shot.view.eye)
            away[1] = 0.0
            self._eye, self._ahead = np.array(shot.view.eye), away / max(float(np.linalg.norm(away)), 1e-6)
            self.is_active = True
        if speed > MIN_SPEED:
            turned = self._ahead + ease_fraction(FOLLOW_RATE, frame.seconds) * (
                np.array((velocity[0], 0.0, velocity[2])) / speed - self._ahead
            )
            self._ahead = turned / max(float(np.linalg.norm(turned)), 1e-6)
        start = at + AIM_LIFT
        arm = -BEHIND * self._ahead + ABOVE * AIM_LIFT / AIM_LIFT[1] - AIM_LIFT
        wanted = start + free_path_fraction(frame.session.world, shot.movers, start, arm, RADIUS) * arm
        moved = self._eye + ease_fraction(FOLLOW_RATE, frame.seconds) * (wanted - self._eye)
        free = free_path_fraction(frame.session.world, shot.movers, start, moved - start, RADIUS)
        self._eye = start + free * (moved - start)
