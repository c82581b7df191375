"""The cameras of play beside the eye: behind the player, at the front of his figure, and behind a golf ball."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.springs import ease_fraction
from ...core.vectors import Flags, Floats, Point, to_point
from ...render import Body, Camera, Snapshot
from ...sim.golf import BALL_MOVING
from .camera import RIGS, CameraFrame, Rig, direction_to, without_figure
from .clearance import free_path_fractions
from .first_person import FirstPersonCamera
from .free import FreeCamera
from .hero import Hero

if TYPE_CHECKING:
    from ...sim import Session

ARM_LENGTH = 3.4  # m from the eye back to the camera
ARM_LIFT = 0.55  # m that the arm rises over its length: the body stays below the middle of the picture
ARM_SIDE = 0.5  # m that it goes to the right: the body covers neither the aim nor what is ahead


class ThirdPersonCamera:
    """Camera on an arm behind the head.

    enabled    whether the player has chosen it
    """

    def __init__(self) -> None:
        self.enabled = False
        self._rig = Rig("behind")

    @property
    def position(self) -> Point:
        """Camera (m), at the last frame that it was active in."""
        return (0.0, 0.0, 0.0) if self._rig.place is None else to_point(self._rig.place)

    @property
    def is_active(self) -> bool:
        """Whether the picture is not seen from the eye; true until the camera has come back to it."""
        return self.enabled or self._rig.out > 0.0

    def toggle(self) -> None:
        """Switch between third person and first person."""
        self.enabled = not self.enabled

    def snap(self) -> None:
        """Skip the smoothing: the body was moved to another place."""
        self._rig.snap(float(self.enabled))

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        """The snapshot seen from the arm; unchanged while the camera is at the eye."""
        still = frame.settings.reduce_motion
        if not self._rig.move_out(self.enabled, frame.seconds, still):
            return shot
        right, _, forward = shot.view.basis()
        asides = ARM_LIFT * np.array(shot.view.up), ARM_SIDE * right
        eye = np.array(shot.view.eye)
        return self._rig.shoot(shot, frame, shot.view, eye, -ARM_LENGTH * forward, asides, at_once=still)


START_SECONDS = 1.0  # s that the figure is shown at the start of a level
MAX_FRAME_SECONDS = 0.1  # of a frame that counts
GOAL_SECONDS = 1.3  # s at the goal, until the result page
SKIP_SECONDS = 0.2  # s of the way back to the eye after a key
# Places that are tried: turn of the view about the figure and pitch (radians), distance (m, of a body of 1.8 m)
FRONT_YAWS = (2.65, -2.65, math.pi, 2.1, -2.1, 1.6, -1.6, 0.9, -0.9)
FRONT_PITCHES, FRONT_DISTANCES = (-0.06, -0.4), (3.2, 2.5)
PORTAL_MARGIN = 0.4  # m outside of goals and exits
ASIDE = 0.82  # of half the width of the picture, to the left of its middle, at the goal
CHEST = 0.25  # of the body's half height above its middle


class HeroCamera:
    """Camera that shows the player's figure from its front: for a second at the start of a level, and at the goal.

    It stands free of walls, of the body, of the goal and of exits; where no such place is, the view stays that of play.
    """

    def __init__(self) -> None:
        self._rig = Rig("figure")
        self.stop()

    def stop(self) -> None:
        """Go back to the view of play at once."""
        self._rig.snap()
        self._hold_seconds = 0.0
        self._speed = 1.0  # of the way between figure and eye
        self._is_start = False
        self._start_view: tuple[float, float] | None = None  # yaw and pitch (radians): a turn ends the start
        self._front: tuple[float, float, float] | None = None  # yaw, pitch (radians) and distance (m) of the view
        self.holds = False  # stays at the figure

    def show_start(self) -> None:
        """Show the figure, as a level begins."""
        self.stop()
        self._rig.out, self._hold_seconds, self._is_start = 1.0, START_SECONDS, True

    def show_goal(self) -> None:
        """Swing out to the figure."""
        self.stop()
        self._hold_seconds = self._rig.kind.blend_seconds + GOAL_SECONDS

    def skip(self) -> None:
        """End the view of the start soon: a key, a button, or the mouse was used."""
        if self._is_start:
            self._hold_seconds, self._speed = 0.0, self._rig.kind.blend_seconds / SKIP_SECONDS

    @property
    def is_active(self) -> bool:
        """Whether the picture is not that of play."""
        return self._rig.out > 0.0 or self._hold_seconds > 0.0 or self.holds

    @property
    def shows_start(self) -> bool:
        """Whether the picture is that of the start of a level, in which markers and messages wait."""
        return self._is_start and self.is_active

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        """The snapshot with the figure from its front; unchanged while the view is that of play."""
        if not self.is_active or frame.settings.reduce_motion or shot.body is None:
            self.stop()
            return shot
        eye = shot.view
        if self._is_start and (eye.yaw, eye.pitch) != (self._start_view or (eye.yaw, eye.pitch)):
            self.skip()
        self._start_view = eye.yaw, eye.pitch
        seconds = min(frame.seconds, MAX_FRAME_SECONDS)  # what a frame that loads takes is not seen
        is_out = self._rig.move_out(self.holds or self._hold_seconds > 0.0, self._speed * seconds)
        self._hold_seconds = max(self._hold_seconds - seconds, 0.0)
        if not is_out:
            return shot
        if self._front is None or not is_free(shot, frame, [self._front])[0]:  # the body has walked on
            tried = [(eye.yaw + yaw, pitch, distance)
                     for distance in FRONT_DISTANCES for pitch in FRONT_PITCHES for yaw in FRONT_YAWS]  # fmt: skip
            free = is_free(shot, frame, tried)
            self._front = tried[int(np.argmax(free))] if free.any() else None
        if self._front is None:
            self.stop()
            return shot
        yaw, pitch, distance = self._front
        view = self._rig.blend(eye, yaw, pitch)
        arm = -distance * shot.body.radii[1] / 0.9 * view.basis()[2]
        if not self._is_start:  # beside the message and the result page
            across = ASIDE * view.half_fov_tangents(frame.aspect)[0]
            view = self._rig.blend(eye, yaw - math.atan(across), pitch)
        return self._rig.shoot(without_figure(shot), frame, view, chest_of(shot.body), arm)


def chest_of(body: Body) -> Floats:
    """Point (3,) of a body that the camera at its front looks at, m."""
    return np.array(body.centre) + CHEST * body.radii[1] * np.array(body.up)


def is_free(shot: Snapshot, frame: CameraFrame, fronts: list[tuple[float, float, float]]) -> Flags:
    """Whether a camera has room at places around the figure: yaw, pitch and distance (n,), as in FRONT_YAWS."""
    body, world = shot.body, frame.session.world
    assert body is not None
    up, chest = np.array(body.up), chest_of(body)
    arms = np.array([
        -distance * body.radii[1] / 0.9 * Camera(body.centre, yaw, pitch, up=body.up, north=body.north).basis()[2]
        for yaw, pitch, distance in fronts
    ])  # fmt: skip
    free = free_path_fractions(world, shot.movers, chest, arms, RIGS["figure"].radius) > 0.999
    for portal in (world.level.goal, *world.level.exits):
        if portal is not None:
            offset = chest + arms - portal.at
            free &= np.linalg.norm(offset - np.outer(offset @ up, up), axis=1) > portal.radius + PORTAL_MARGIN
    return free


BALL_BEHIND, BALL_ABOVE = 5.0, 1.9  # m from the ball back along its way, and up
AIM_LIFT = np.array((0.0, 0.4, 0.0))  # m from the ball to where the camera looks
TURN_RATE = 3.5  # 1/s at which the camera comes round to a new direction of the ball
STAY_BEFORE = 0.35  # s that the player's view stays after the stroke
STAY_AFTER = 1.2  # s that the camera stays after the ball has come to rest
MIN_SPEED = 0.6  # m/s below which the way of the ball gives no new direction


class BallCamera:
    """Follows the ball of one round, from behind and above. `is_active`: the picture is not that of the player."""

    def __init__(self) -> None:
        self.is_active = False
        self._rig = Rig("ball")
        self._ahead = np.zeros(3)  # of the ball, level and of length 1
        self._rolled = 0.0  # s since the stroke
        self._rest = 0.0  # s left after the ball has come to rest

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        """The snapshot from behind a ball that moves, else unchanged."""
        golf = frame.session.world.golf
        was_active, self.is_active = self.is_active, False
        if golf is None or not frame.settings.ball_camera or frame.settings.reduce_motion:
            return shot
        is_moving = golf.phase == BALL_MOVING
        self._rolled = self._rolled + frame.seconds if is_moving else 0.0
        self._rest = STAY_AFTER if is_moving else self._rest - frame.seconds
        is_lost = not is_moving and golf.at == golf.struck_from  # it lies where it was: nothing to look at
        if self._rolled < STAY_BEFORE if is_moving else self._rest <= 0.0 or is_lost:
            return shot
        self.is_active = True
        at = np.array(golf.previous_position) + frame.session.alpha * np.subtract(golf.at, golf.previous_position)
        target = at + AIM_LIFT
        if not was_active:
            self._rig.snap(1.0)
            self._ahead = _level_direction(at - shot.view.eye)
        velocity = np.array(golf.ball["velocity"][0])
        if math.hypot(velocity[0], velocity[2]) > MIN_SPEED:
            turned = ease_fraction(TURN_RATE, frame.seconds) * (_level_direction(velocity) - self._ahead)
            self._ahead = _level_direction(self._ahead + turned)
        arm = np.array((0.0, BALL_ABOVE - AIM_LIFT[1], 0.0)) - BALL_BEHIND * self._ahead
        upright = Camera(shot.view.eye, shot.view.yaw, fov_degrees=shot.view.fov_degrees)
        shot = self._rig.shoot(without_figure(shot), frame, upright, target, arm, room=to_point(target))
        assert self._rig.place is not None
        yaw, pitch = direction_to(target - self._rig.place)
        hud = replace(shot.hud, crosshair=False)
        return replace(shot, view=replace(shot.view, yaw=yaw, pitch=pitch), hud=hud)


def _level_direction(vector: Floats) -> Floats:
    """Unit vector (3,) of the horizontal part of a vector (3,)."""
    level = vector * (1.0, 0.0, 1.0)
    direction: Floats = level / max(float(np.linalg.norm(level)), 1e-6)
    return direction


class CameraSet:
    """The cameras of play: `first_person` exists once there is a session."""

    first_person: FirstPersonCamera

    def __init__(self) -> None:
        self.third_person = ThirdPersonCamera()
        self.free = FreeCamera()
        self.ball = BallCamera()
        self.hero_camera = HeroCamera()
        self.hero = Hero()

    def start(self, session: Session) -> None:
        """Place all cameras at the walker of a new session."""
        world = session.world
        self.first_person = FirstPersonCamera(world.mesh, world.settings.eye, session.pose())
        self._reset()

    def snap(self, session: Session) -> None:
        """Skip all smoothing and end free flight: the walker was moved to another place."""
        self.first_person.snap(session.pose())
        self._reset()

    def _reset(self) -> None:
        self.free.is_active = False
        self.third_person.snap()
        self.hero_camera.stop()
