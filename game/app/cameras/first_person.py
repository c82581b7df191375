"""First-person camera: the eye in the body, smoothed over steps and crouching; the near plane never cuts a wall.

The head bobs with each step where the settings say so, and the view follows a body that turns with gravity. Neither
reaches the simulation.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...core.springs import Spring, ease_fraction
from ...core.vectors import Point, gravity_axes, to_point
from ...physics import Ellipsoid, TriangleMesh
from ...render import Camera, Snapshot
from ...render.world_view import PROBE_RADIUS, height_along, place_eye, vertical_fov
from ...sim import BodyPose
from ..audio.sound_events import STEP_LENGTH, STEP_LENGTH_PER_SPEED
from .camera import CameraFrame, seen_from

if TYPE_CHECKING:
    from ...physics import WalkerState
    from ...sim import Session
    from ..audio.sound_events import SoundEvents
    from ..settings.settings_file import Settings

Matrix = NDArray[np.float64]

REST_TOLERANCE = 1e-5  # m, m/s, radians and strength below which a motion is over: a resting eye moves by no bit
UP_SPRING_RATE = 8.0  # 1/s of a turn of gravity: nine tenths of a quarter turn after half a second

BOB_AMPLITUDE = 0.022  # m at FULL_BOB_SPEED: half of a real head's, which is enough on a screen
FULL_BOB_SPEED = 4.0  # m/s from which on the bob has its full amplitude
BOB_BLEND_RATE = 9.0  # 1/s at which the bob fades in and out
STEP_SYNC_RATE = 6.0  # 1/s at which its phase follows the footsteps that are heard
MIN_LANDING_SPEED = 1.5  # m/s: a slower landing makes no dip
DIP_SPEED_FRACTION = 0.35  # initial speed of the dip over the landing speed above MIN_LANDING_SPEED
DIP_SPRING_RATE = 14.0  # 1/s: lowest after 0.07 s, nearly over after 0.4 s
MAX_DIP = 0.06  # m

# A critically damped spring smooths the height of the eye over steps. During a climb at the vertical speed v it lags by
# 2 v / rate. Stairs of rise 0.18 m and run 0.30 m at 4 m/s climb at 2.4 m/s: with these constants, measured on the
# demo's stairs, the lag is at most 0.30 m and the eye's step from one 1/60 s to the next changes by at most 10 mm
# (table in docs/feel.md, alternatives in docs/decisions/0018).
STEP_SPRING_RATE = 17.2  # 1/s
STIFFENING = 0.35  # relative increase of the rate at STIFFENING_OFFSET, which keeps the lag of a sprint in bounds
STIFFENING_OFFSET = 0.30  # m
MAX_STEP_OFFSET = 0.40  # m, largest lag; a sprint down stairs needs 0.39
MIN_FRAME_SECONDS = 1e-6  # s, below which a rise counts as a jump of the position, not as a speed
STANCE_SPRING_RATE = 22.0  # 1/s, for crouching and standing up: nine tenths after 0.18 s


class HeadBob:
    """Bob and landing dip of one walker, advanced once a frame."""

    __slots__ = ("_bob_strength", "_dip", "_fall_speed", "_phase", "_was_grounded")

    def __init__(self) -> None:
        self._bob_strength = 0.0  # 0 to 1
        self._phase = 0.0  # in a step, 0 to 1; 0 as a foot comes down
        self._dip = Spring()  # offset of the eye (m), negative after a landing
        self._fall_speed = 0.0  # m/s along down
        self._was_grounded = True

    def update(
        self, state: WalkerState, grounded: bool, seconds: float, bob: float, dips: bool, stride: float | None = None
    ) -> float:
        """Offset of the eye (m) along up. bob: amplitude, 0 to 1; stride: phase of the audible footsteps, 0 to 1."""
        speed = math.hypot(*state.velocity)
        walks = grounded and not state.sliding and not state.climbing and not state.swimming
        self._update_landing_dip(state, grounded, seconds, dips)
        wanted = bob * min(speed / FULL_BOB_SPEED, 1.0) if walks and bob > 0.0 else 0.0
        self._bob_strength += (wanted - self._bob_strength) * ease_fraction(BOB_BLEND_RATE, seconds)
        if wanted == 0.0 and self._bob_strength < REST_TOLERANCE:
            self._bob_strength = self._phase = 0.0
            return self._dip.offset
        if walks:
            self._phase += speed * seconds / (STEP_LENGTH + STEP_LENGTH_PER_SPEED * speed)
            if stride is not None:
                behind = (stride - self._phase + 0.5) % 1.0 - 0.5
                self._phase += behind * ease_fraction(STEP_SYNC_RATE, seconds)
            self._phase %= 1.0
        return self._dip.offset - BOB_AMPLITUDE * self._bob_strength * math.cos(math.tau * self._phase)

    def _update_landing_dip(self, state: WalkerState, grounded: bool, seconds: float, dips: bool) -> None:
        """Advance the critically damped spring that a landing pushes down."""
        if grounded and not self._was_grounded and self._fall_speed > MIN_LANDING_SPEED:
            self._dip.speed -= min(
                DIP_SPEED_FRACTION * (self._fall_speed - MIN_LANDING_SPEED), MAX_DIP * DIP_SPRING_RATE * math.e
            )
        self._was_grounded = grounded
        if not state.grounded and not state.swimming and not state.climbing:
            self._fall_speed = -sum(speed * axis for speed, axis in zip(state.velocity, state.up, strict=True))
        elif grounded:
            self._fall_speed = 0.0
        self._dip.advance(seconds, DIP_SPRING_RATE)
        self._dip.offset = max(self._dip.offset, -MAX_DIP)
        self._dip.settle(REST_TOLERANCE)
        if not dips:
            self._dip = Spring()


class UpTransition:
    """Rotation (axis and angle) and offset between the frame of the view and that of the body. Both decay to zero."""

    def __init__(self, pose: BodyPose) -> None:
        self.snap(pose)

    def snap(self, pose: BodyPose) -> None:
        """End the transition: the view has the frame of the pose."""
        self.up, self.north = pose.up, pose.north  # of the view, unit vectors
        self.eye_offset: Point = (0.0, 0.0, 0.0)
        self._frame = gravity_axes(pose.up, pose.north).T
        self._axis: Matrix = np.array((0.0, 1.0, 0.0))
        self._spring = Spring()  # angle that is left (radians)
        self._angle = 0.0  # at the beginning
        self._offset: Matrix = np.zeros(3)

    @property
    def is_active(self) -> bool:
        """Whether the view has not reached the frame of the body."""
        return self._spring.offset != 0.0

    def begin(self, pose: BodyPose, shown: Point, wanted: Point) -> None:
        """Start from the present view after the body's frame has changed. shown, wanted: eye (m) before and after."""
        frame = gravity_axes(pose.up, pose.north).T
        turn = _rotation_matrix(self._axis, self._spring.offset) @ self._frame @ frame.T
        self._axis, self._angle = _axis_angle(turn)
        self._frame, self._offset = frame, np.subtract(shown, wanted)
        self._spring = Spring(self._angle)
        self.update(0.0)

    def update(self, seconds: float) -> None:
        """Advance the critically damped spring by `seconds`."""
        self._spring.advance(seconds, UP_SPRING_RATE)
        if abs(self._spring.offset) <= REST_TOLERANCE:
            self._spring.offset = 0.0
        left = self._spring.offset
        frame = _rotation_matrix(self._axis, left) @ self._frame
        self.up, self.north = to_point(frame[:, 1]), to_point(-frame[:, 2])
        self.eye_offset = to_point(self._offset * (left / self._angle if left else 0.0))


class MoverRise:
    """Height that the platform under the feet has carried them by. The eye follows it without smoothing."""

    __slots__ = ("_mover", "_previous_feet", "_previous_pose")

    def __init__(self) -> None:
        self._mover = -1
        self._previous_feet: Point = (0.0, 0.0, 0.0)
        self._previous_pose: Any = None

    def update(self, pose: BodyPose, number: int, poses: Any) -> float:
        """Rise (m) along the body's up since the previous frame. number: of the mover, -1 for none; poses (K, 3, 4)."""
        rise = 0.0
        if number >= 0 and number == self._mover and poses is not None and number < len(poses):
            before, now = self._previous_pose, poses[number]
            local_feet = before[:, :3].T @ (np.array(self._previous_feet) - before[:, 3])
            displacement = now[:, :3] @ local_feet + now[:, 3] - self._previous_feet
            rise = float(displacement @ np.array(pose.up))
        self._mover = number if poses is not None and number < len(poses) else -1
        self._previous_pose = poses[number].copy() if self._mover >= 0 else None
        self._previous_feet = pose.feet
        return rise


class FirstPersonCamera:
    """Camera at the eye of the body.

    fraction         height of the eye over the height of the body
    step_smoothing   whether steps are smoothed; without it the eye keeps its height above the feet exactly
    smooths_stance   whether the eye moves smoothly when the body crouches and stands up
    cuts_roll        whether the view turns at once when gravity does
    """

    def __init__(self, mesh: TriangleMesh, fraction: float, pose: BodyPose) -> None:
        self.mesh = mesh
        self.fraction = fraction
        self.step_smoothing = self.smooths_stance = True
        self.cuts_roll = False
        self.snap(pose)

    def snap(self, pose: BodyPose) -> None:
        """Reset all smoothing: the body was moved to another place."""
        self._step_spring = Spring()
        self._stance_spring = Spring()
        self._mover_rise = MoverRise()
        self._head_bob = HeadBob()
        self._feet_height = height_along(pose.feet, pose.up)
        self._eye_height = self._standing_eye_height(pose)
        self._grounded = pose.grounded
        self._up, self._north = pose.up, pose.north
        self._previous_position = pose.centre
        self.up_transition = UpTransition(pose)

    def _standing_eye_height(self, pose: BodyPose) -> float:
        return self.fraction * 2.0 * pose.radii[1]

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        """The snapshot seen from the eye, in the direction of `shot.view`."""
        at = self.update_from_session(frame.session, frame.seconds, frame.settings, frame.sounds)
        view = Camera(at, shot.view.yaw, shot.view.pitch, vertical_fov(frame.settings.fov))
        return seen_from(shot, frame, replace(view, up=self.up_transition.up, north=self.up_transition.north))

    def update_from_session(
        self, session: Session, seconds: float, settings: Settings, sounds: SoundEvents | None = None
    ) -> Point:
        """Eye position (m) for the session's pose, `seconds` after the previous frame, with the comfort settings."""
        pose = session.pose()
        state = session.current
        self.step_smoothing = settings.step_smoothing
        self.smooths_stance = not settings.reduce_motion
        self.cuts_roll = settings.reduce_motion or settings.gravity_view == "cut"
        number = state.mover if session.previous.mover == state.mover else -1
        carried = self._mover_rise.update(pose, number, session.movers() if number >= 0 else None)
        bob = 0.0 if settings.reduce_motion else settings.head_bob
        stride = None if sounds is None or sounds.world is not session.world else sounds.step_phase
        sway = self._head_bob.update(state, pose.grounded, seconds, bob, not settings.reduce_motion, stride)
        return self.update(pose, seconds, carried, sway)

    def update(self, pose: BodyPose, seconds: float, carried: float = 0.0, sway: float = 0.0) -> Point:
        """Eye position (m) for this pose, `seconds` after the previous frame; `up_transition` holds the view's up.

        carried   part of the rise since then that a platform made (m)
        sway      offset of the eye by head bob and landing (m)
        """
        turned = pose.up != self._up or pose.north != self._north
        if turned:
            self._feet_height = height_along(pose.feet, pose.up)
            self._up, self._north = pose.up, pose.north
        floor = height_along(pose.feet, pose.up)
        wanted = self._standing_eye_height(pose)
        self._smooth_steps(floor - self._feet_height - carried, pose.grounded, max(seconds, 0.0))
        self._stance_spring.offset += self._eye_height - wanted
        self._stance_spring.advance(max(seconds, 0.0), STANCE_SPRING_RATE)
        self._stance_spring.settle(REST_TOLERANCE)
        if not self.smooths_stance:
            self._stance_spring = Spring()
        self._feet_height = floor
        self._eye_height = wanted
        self._grounded = pose.grounded
        at = self.place_at_height(pose, floor + wanted + self._stance_spring.offset + self._step_spring.offset + sway)
        if self.cuts_roll:
            if turned or self.up_transition.is_active:
                self.up_transition.snap(pose)
        elif turned:
            self.up_transition.begin(pose, self._previous_position, at)
        elif self.up_transition.is_active:
            self.up_transition.update(max(seconds, 0.0))
        if self.up_transition.is_active:
            at = self._sweep_from_body(pose, at)
        self._previous_position = at
        return at

    def _sweep_from_body(self, pose: BodyPose, at: Point) -> Point:
        """During a transition of up: sweep a small sphere from the body's centre towards the eye."""
        offsets = zip(at, self.up_transition.eye_offset, pose.centre, strict=True)
        displacement = tuple(target + offset - middle for target, offset, middle in offsets)
        hit = self.mesh.sweep(Ellipsoid((PROBE_RADIUS,) * 3), pose.centre, 0.0, displacement)
        fraction = 1.0 if hit is None or hit.fraction is None else hit.fraction
        x, y, z = (middle + fraction * step for middle, step in zip(pose.centre, displacement, strict=True))
        return (x, y, z)

    def _smooth_steps(self, rise: float, grounded: bool, seconds: float) -> None:
        """Advance the step spring. On ground the eye lags behind the feet; in the air it moves with them."""
        step = self._step_spring
        if not self.step_smoothing:
            step.offset = step.speed = 0.0
            return
        pace = 0.0
        if grounded != self._grounded:
            step.speed = 0.0
        elif grounded and seconds > MIN_FRAME_SECONDS:
            pace = rise / seconds
        elif grounded:
            step.offset -= rise
        relative_offset = step.offset / STIFFENING_OFFSET
        step.advance(seconds, STEP_SPRING_RATE * (1.0 + STIFFENING * relative_offset * relative_offset), pace)
        if pace == 0.0:
            step.settle(REST_TOLERANCE)
        if abs(step.offset) > MAX_STEP_OFFSET:
            step.offset = math.copysign(MAX_STEP_OFFSET, step.offset)
            step.speed = pace

    def place_at_height(self, pose: BodyPose, height: float) -> Point:
        """Eye position at `height` (m along up), or lower where a ceiling is in the way."""
        return place_eye(self.mesh, pose.feet, pose.centre, pose.radii[1], pose.up, height)


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
