"""Where the eye is: with the body, eased over steps and stances, and never where a wall could be cut open."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ...physics import Ellipsoid, TriangleMesh
from ...sim import BodyPose
from .head_bob import HeadBob
from .up_transition import UpTransition

if TYPE_CHECKING:
    from ...level import Level
    from ...physics import Movers
    from ...sim import Session
    from ..audio.sound_events import SoundEvents
    from ..settings.settings_file import Settings

Point = tuple[float, float, float]
UPRIGHT: Point = (0.0, 1.0, 0.0)

# A critically damped spring takes the steps out of the eye's height; it stays behind a climb by 2 v /
# rate. Stairs of rise 0.18 and run 0.30 at 4 m/s are 2.4 m/s upwards: with these numbers, tried out on
# the walker's own way up and down the demo's stairs, the eye is at most 0.30 m off and its step changes by at most
# 10 mm from one sixtieth of a second to the next (docs/feel.md has the table, docs/decisions/0018 the others tried).
STEP_SPRING_RATE = 17.2  # 1/s
STIFFENING = 0.35  # part by which the spring is faster at STIFF_AT, so that a sprint stays in bounds too
STIFFENING_OFFSET = 0.30  # m
MAX_STEP_OFFSET = 0.40  # m that the eye may be off its height because of steps: the run down stairs needs 0.39
MIN_FRAME_SECONDS = 1e-6  # s: in less, a rise is a jump and has no pace
STANCE_SPRING_RATE = 22.0  # 1/s, for crouching and rising: nine tenths of the way after 0.18 s
MAX_EYE_FRACTION = 0.97  # of the body's height: the eye's highest place inside the body
PROBE_RADIUS = 0.10  # m, radius of the sphere that looks for a ceiling above a body that has just crouched
REST_TOLERANCE = 1e-5  # m and m/s under which a spring is at rest, so that the eye at rest does not move by a bit

UNDERWATER_OPACITY = 0.5  # of the picture that the water's colour covers

DEFAULT_NEAR = 0.08  # m, where nothing is close
MIN_NEAR = 0.001  # m
NEAR_SAFETY_FACTOR = 0.9  # of the distance to the nearest surface that the near rectangle's corners may use


class CriticalSpring:
    """A critically damped spring: how far a follower is off what it follows, exact for any time step at one rate.

    offset  m, of the follower from what it follows
    speed   m/s of the follower; `advance(pace=...)` is what the followed one did in that time
    """

    __slots__ = ("offset", "speed")

    def __init__(self) -> None:
        self.offset, self.speed = 0.0, 0.0

    def advance(self, seconds: float, rate: float, pace: float = 0.0) -> None:
        """Follow for so many seconds what goes at a steady `pace` (m/s); exact, so frame rates do not matter."""
        lag = 2.0 * pace / rate
        offset, speed = self.offset + lag, self.speed - pace
        decay = math.exp(-rate * seconds)
        pull = speed + rate * offset
        self.offset = (offset + pull * seconds) * decay - lag
        self.speed = (speed - rate * pull * seconds) * decay + pace
        if pace == 0.0 and abs(self.offset) < REST_TOLERANCE and abs(self.speed) < REST_TOLERANCE:
            self.offset = self.speed = 0.0


class MoverRise:
    """How far the mover under the feet has carried them upwards: that is no step, the eye goes with it at once."""

    __slots__ = ("_mover", "_previous_feet", "_previous_pose")

    def __init__(self) -> None:
        self._mover = -1
        self._previous_feet: Point = (0.0, 0.0, 0.0)
        self._previous_pose: Any = None

    def update(self, pose: BodyPose, number: int, poses: Any) -> float:
        """Metres along the body's up since the frame before; `number`: of the mover, -1 for none; poses (K, 3, 4)."""
        found = 0.0
        if number >= 0 and number == self._mover and poses is not None and number < len(poses):
            was, now = self._previous_pose, poses[number]
            own = was[:, :3].T @ (np.array(self._previous_feet) - was[:, 3])
            way = now[:, :3] @ own + now[:, 3] - self._previous_feet
            found = float(way @ np.array(pose.up))
        self._mover = number if poses is not None and number < len(poses) else -1
        self._previous_feet, self._previous_pose = pose.feet, poses[number].copy() if self._mover >= 0 else None
        return found


class FirstPersonCamera:
    """Follows the body's poses from frame to frame. `fraction` is the eye's place in the body's height.

    smooth  whether steps are eased; without, the eye keeps its height over the feet to the last bit
    """

    def __init__(self, mesh: TriangleMesh, fraction: float, pose: BodyPose) -> None:
        self.mesh, self.fraction = mesh, fraction
        self.step_smoothing = True
        self.snap(pose)

    def snap(self, pose: BodyPose) -> None:
        """The body is somewhere else: nothing is eased."""
        self._step_spring, self._stance_spring = CriticalSpring(), CriticalSpring()
        self._mover_rise, self._head_bob = MoverRise(), HeadBob()
        self._feet_height, self._eye_height, self._grounded = (
            _height_along_up(pose.feet, pose),
            self._standing_eye_height(pose),
            pose.grounded,
        )
        self._up, self._north, self._previous_position = pose.up, pose.north, pose.centre
        self.up_transition = UpTransition(pose)

    def _standing_eye_height(self, pose: BodyPose) -> float:
        return self.fraction * 2.0 * pose.radii[1]

    def update_from_session(
        self, session: Session, seconds: float, settings: Settings, hearing: SoundEvents | None = None
    ) -> Point:
        """The eye's place in a game, `seconds` of play after the frame before, as comfortable as the settings say."""
        pose, state = session.pose(), session.current
        self.step_smoothing = settings.step_smoothing
        number = state.mover if session.previous.mover == state.mover else -1
        carried = self._mover_rise.update(pose, number, session.movers() if number >= 0 else None)
        bob = 0.0 if settings.reduce_motion else settings.head_bob
        stride = None if hearing is None or hearing.world is not session.world else hearing.step_phase
        sway = self._head_bob.update(state, pose.grounded, seconds, bob, not settings.reduce_motion, stride)
        return self.update(pose, seconds, carried, sway)

    def update(self, pose: BodyPose, seconds: float, carried: float = 0.0, sway: float = 0.0) -> Point:
        """The eye's place for this pose, `seconds` after the frame before; `righting` has the picture's up.

        carried: metres of the rise since then that a lift made; sway: metres that the eye is higher by on purpose.
        """
        turned = pose.up != self._up or pose.north != self._north
        if turned:
            self._feet_height, self._up, self._north = _height_along_up(pose.feet, pose), pose.up, pose.north
        floor, wanted = _height_along_up(pose.feet, pose), self._standing_eye_height(pose)
        self._smooth_steps(floor - self._feet_height - carried, pose.grounded, max(seconds, 0.0))
        self._stance_spring.offset += self._eye_height - wanted
        self._stance_spring.advance(max(seconds, 0.0), STANCE_SPRING_RATE)
        self._feet_height, self._eye_height, self._grounded = floor, wanted, pose.grounded
        at = self.place_at_height(pose, floor + wanted + self._stance_spring.offset + self._step_spring.offset + sway)
        if turned:
            self.up_transition.begin(pose, self._previous_position, at)
        elif self.up_transition.is_active:
            self.up_transition.update(max(seconds, 0.0))
        if self.up_transition.is_active:
            at = self._sweep_from_body(pose, at)
        self._previous_position = at
        return at

    def _sweep_from_body(self, pose: BodyPose, at: Point) -> Point:
        """On the way to a new up: so far from the body's middle as a small sphere could go."""
        way = tuple(
            to + off - middle for to, off, middle in zip(at, self.up_transition.eye_offset, pose.centre, strict=True)
        )
        hit = self.mesh.sweep(Ellipsoid((PROBE_RADIUS,) * 3), pose.centre, 0.0, way)
        part = 1.0 if hit is None else hit.fraction
        x, y, z = (middle + part * step for middle, step in zip(pose.centre, way, strict=True))
        return (x, y, z)

    def _smooth_steps(self, rise: float, grounded: bool, seconds: float) -> None:
        """On ground the eye keeps its own height and is drawn after the body; in the air it goes with it."""
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
        off = step.offset / STIFFENING_OFFSET
        step.advance(seconds, STEP_SPRING_RATE * (1.0 + STIFFENING * off * off), pace)
        if abs(step.offset) > MAX_STEP_OFFSET:
            step.offset, step.speed = math.copysign(MAX_STEP_OFFSET, step.offset), pace

    def place_at_height(self, pose: BodyPose, height: float) -> Point:
        """The eye at `height`, or lower: inside the body, or above it where a small sphere could go.

        Above it is where the eye of a body that has just crouched still is.
        """
        x, feet, z = pose.feet
        if pose.up != UPRIGHT:
            return self._place_at_height_tilted(pose, height)
        inside = feet + MAX_EYE_FRACTION * 2.0 * pose.radii[1]
        if height <= inside:
            return (x, max(height, feet + PROBE_RADIUS), z)
        middle = feet + pose.radii[1]
        hit = self.mesh.sweep(Ellipsoid((PROBE_RADIUS,) * 3), (x, middle, z), 0.0, (0.0, height - middle, 0.0))
        return (x, height if hit is None else max(inside, middle + hit.distance), z)

    def _place_at_height_tilted(self, pose: BodyPose, height: float) -> Point:
        """The same by another up."""
        rise, tall = height - _height_along_up(pose.feet, pose), pose.radii[1]
        if rise > MAX_EYE_FRACTION * 2.0 * tall:
            up = tuple((rise - tall) * part for part in pose.up)
            hit = self.mesh.sweep(Ellipsoid((PROBE_RADIUS,) * 3), pose.centre, 0.0, up)
            rise = rise if hit is None else max(MAX_EYE_FRACTION * 2.0 * tall, tall + hit.distance)
        x, y, z = (foot + max(rise, PROBE_RADIUS) * part for foot, part in zip(pose.feet, pose.up, strict=True))
        return (x, y, z)


def _height_along_up(point: Point, pose: BodyPose) -> float:
    """Its height, by the body's own up."""
    if pose.up == UPRIGHT:
        return point[1]
    return point[0] * pose.up[0] + point[1] * pose.up[1] + point[2] * pose.up[2]


def near_distance(
    mesh: TriangleMesh, eye: Point, fov: float, aspect: float, movers: Movers | None = None, poses: Any = None
) -> float:
    """The near distance (m) at which no surface reaches into the near rectangle, wherever the eye looks.

    `fov` is vertical, in degrees; movers are where `poses` (K, 3, 4) put them. The rectangle's corners lie on a
    sphere about the eye, and that sphere is kept smaller than the distance to the nearest surface; so neither stance,
    corner nor a view that has turned further than the body could matters.
    """
    up = math.tan(math.radians(fov) / 2.0)
    corner = math.sqrt(1.0 + up * up * (1.0 + aspect * aspect))
    hit = mesh.closest(eye)
    nearest = math.inf if hit is None else hit.distance
    if movers is not None and poses is not None and movers.reach(eye, 1.0):
        for mover, pose in zip(movers, poses, strict=True):
            x, y, z = (pose[:, :3].T @ (np.array(eye) - pose[:, 3])).tolist()
            hit = mover.mesh.closest((x, y, z))
            nearest = nearest if hit is None else min(nearest, hit.distance)
    return min(DEFAULT_NEAR, max(MIN_NEAR, NEAR_SAFETY_FACTOR * nearest / corner))


def underwater_tint(level: Level, eye: Point) -> tuple[float, float, float, float]:
    """What lies over the picture: the colour (sRGB) of the water that the eye is in, and how much it covers."""
    for area in reversed(getattr(level, "areas", ())):
        if area.kind == "water" and area.visible and area.contains(eye):
            red, green, blue = area.colour
            return (0.75 * red, 0.75 * green, 0.75 * blue, UNDERWATER_OPACITY)
    return (0.0, 0.0, 0.0, 0.0)


def vertical_fov(setting: float) -> float:
    """The vertical field of view, in degrees, of a setting that counts across a picture of 16:9."""
    return math.degrees(2.0 * math.atan(math.tan(math.radians(setting) / 2.0) * 9.0 / 16.0))
