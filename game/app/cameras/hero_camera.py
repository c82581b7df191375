"""Camera that shows the player's figure from its front: for a second at the start of a level, and at the goal."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...render import Snapshot
from .clearance import free_path_fraction
from .third_person import CAMERA_RADIUS, view_from, without_figure

if TYPE_CHECKING:
    from .camera import CameraFrame

START_SECONDS = 1.0  # s that it is shown at the start of a level
MAX_FRAME_SECONDS = 0.1  # of a frame that counts
GOAL_SECONDS = 1.3  # s at the goal, until the result page
SWING_SECONDS, SKIP_SECONDS = 0.7, 0.2  # s of the way between figure and eye
FACE_YAW, FACE_PITCH = 2.65, -0.06  # radians about the figure, and of the view
DISTANCE, MIN_DISTANCE = 3.2, 1.6  # m; a nearer wall leaves no room
FOV_DEGREES = 46.0  # degrees, vertical
ASIDE = 0.82  # of half the width of the picture, to the left of its middle, at the goal
CHEST = 0.25  # of the body's half height above its middle


class HeroCamera:
    """Swings between the view of play and the figure's front."""

    def __init__(self) -> None:
        self.stop()

    def stop(self) -> None:
        """Go back to the view of play at once."""
        self._out = 0.0  # fraction of the way to the figure's front
        self._hold_seconds = 0.0
        self._swing_seconds = SWING_SECONDS
        self._is_start = False
        self._start_view: tuple[float, float] | None = None  # yaw and pitch (radians): a turn ends the start
        self.holds = False  # stays at the figure

    def show_start(self) -> None:
        """Show the figure, as a level begins."""
        self.stop()
        self._out, self._hold_seconds, self._is_start = 1.0, START_SECONDS, True

    def show_goal(self) -> None:
        """Swing out to the figure."""
        self.stop()
        self._hold_seconds = SWING_SECONDS + GOAL_SECONDS

    def skip(self) -> None:
        """End the view of the start soon: a key, a button, or the mouse was used."""
        if self._is_start:
            self._hold_seconds, self._swing_seconds = 0.0, SKIP_SECONDS

    @property
    def is_active(self) -> bool:
        """Whether the picture is not that of play."""
        return self._out > 0.0 or self._hold_seconds > 0.0 or self.holds

    @property
    def shows_start(self) -> bool:
        """Whether the picture is that of the start of a level, in which markers and messages wait."""
        return self._is_start and self.is_active

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        """The snapshot with the figure from its front; unchanged while the view is that of play."""
        if not self.is_active or frame.settings.reduce_motion:
            self.stop()
            return shot
        view = (shot.view.yaw, shot.view.pitch)
        if self._is_start and view != (self._start_view or view):
            self.skip()
        self._start_view = view
        seconds = min(frame.seconds, MAX_FRAME_SECONDS)  # what a frame that loads takes is not seen
        change = seconds / self._swing_seconds
        self._out = min(max(self._out + (change if self.holds or self._hold_seconds > 0.0 else -change), 0.0), 1.0)
        self._hold_seconds = max(self._hold_seconds - seconds, 0.0)
        if self._out == 0.0 and self._hold_seconds == 0.0 and not self.holds:
            self.stop()
            return shot
        return self._view(shot, frame)

    def _view(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        body = shot.body
        assert body is not None
        out = self._out * self._out * (3.0 - 2.0 * self._out)
        view = replace(
            shot.view,
            yaw=shot.view.yaw + out * FACE_YAW,
            pitch=shot.view.pitch + out * (FACE_PITCH - shot.view.pitch),
            fov_degrees=shot.view.fov_degrees + out * (FOV_DEGREES - shot.view.fov_degrees),
        )
        centre, eye = np.array(body.centre), np.array(shot.view.eye)
        start = eye + out * (centre + CHEST * body.radii[1] * np.array(body.up) - eye)
        arm = -out * DISTANCE * view.basis()[2]
        world = frame.session.world
        radius = min(CAMERA_RADIUS, 0.9 * min(body.radii))
        at = centre + free_path_fraction(world, shot.movers, centre, start - centre, radius) * (start - centre)
        free = free_path_fraction(world, shot.movers, at, arm, radius)
        if out > 0.5 and free * out * DISTANCE < MIN_DISTANCE * out:
            self.stop()
            return shot
        x, y, z = (at + free * arm).tolist()
        if not self._is_start:  # beside the message and the result page
            across = ASIDE * view.half_fov_tangents(frame.aspect)[0]
            view = replace(view, yaw=view.yaw - out * math.atan(across))
        return view_from(replace(without_figure(shot), view=view), frame, (x, y, z))
