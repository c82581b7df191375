"""Cameras of rewind and of replays: around the body, fixed ones beside its path, and the choice of one in a replay."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...core.springs import ease_fraction
from ...core.vectors import Floats, Point, to_point
from ...render import Camera, Snapshot
from .camera import CameraFrame, Rig, direction_to, seen_from, shortest_angle
from .clearance import free_path_fractions
from .play_cameras import ThirdPersonCamera

if TYPE_CHECKING:
    from ...sim import BodyPose, Session, World

# Around the body

DEFAULT_DISTANCE = 3.9  # m from the body's middle
MIN_DISTANCE, MAX_DISTANCE = 0.9, 14.0  # m, by the wheel
FOLLOW_RATE = 14.0  # 1/s of the smoothing of the body's centre
MAX_FOLLOWED = 3.0  # m: a body that moves farther in a frame is elsewhere
TURN_RATE = 7.0  # 1/s of the smoothing of the direction, but for that of the mouse
# Of the distance: the body stands left of the middle and above it, because text covers the right and the bottom.
SIDE_OFFSET, DOWN_OFFSET = 0.16, 0.06
YAW_CANDIDATES = 24  # number of yaws of the viewpoints that are scored
PITCH_CANDIDATES = (-0.36, -0.62)  # radians, their pitches
MIN_PITCH, MAX_PITCH = -1.45, 0.9  # radians, limits of the mouse
RADIANS_PER_PIXEL = 0.0022


class OrbitCamera:
    """Camera on a sphere around the body, which the mouse turns.

    yaw, pitch     direction of view (radians) in the frame of the body's north and up
    distance       m from the body's centre
    blend          fraction of the way out of the eye, 0 to 1
    user_rotated   the mouse has turned it: `choose_viewpoint` leaves it alone
    """

    def __init__(self) -> None:
        self.yaw, self.pitch = 0.0, PITCH_CANDIDATES[0]
        self.rig = Rig("orbit")
        self.reset()

    def reset(self, blend: float = 0.0) -> None:
        """Start at the eye again, or on the way out of it, with the default distance."""
        self.enabled = True
        self.user_rotated = False
        self.distance = DEFAULT_DISTANCE
        self.rig.snap(blend)
        self._centre: Floats | None = None  # of the body, smoothed
        self._angles: tuple[float, float] | None = None  # smoothed

    @property
    def blend(self) -> float:
        return self.rig.out

    def toggle(self) -> None:
        """Go out of the eye, or back into it."""
        self.enabled = not self.enabled

    def rotate_by_mouse(self, dx: float, dy: float) -> None:
        """Turn by a mouse movement in pixels, positive to the right and upwards."""
        self.look_from(self.yaw - dx * RADIANS_PER_PIXEL, self.pitch + dy * RADIANS_PER_PIXEL, self.distance)

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
        angles = [(k * math.tau / YAW_CANDIDATES, pitch) for pitch in PITCH_CANDIDATES for k in range(YAW_CANDIDATES)]
        ahead = np.array([Camera(pose.centre, *one, up=pose.up, north=pose.north).basis()[2] for one in angles])
        radius = self.rig.kind.radius
        score = 2.0 * free_path_fractions(world, poses, np.array(pose.centre), -DEFAULT_DISTANCE * ahead, radius)
        score[:YAW_CANDIDATES] += 0.12
        if (size := math.hypot(*moved)) > 1e-6:
            score += 0.6 * np.linalg.norm(np.cross(np.array(moved) / size, ahead), axis=1)
        if fronts := list(normals):
            score += 0.7 * np.maximum(-ahead @ np.array(fronts).T, -0.3).mean(axis=1)
        self.yaw, self.pitch = angles[int(np.argmax(np.round(score, 9)))]

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame, opacity: float = 0.0) -> Snapshot:
        """The snapshot seen from the orbit, or on the way between it and `shot.view`, the view from the eye."""
        body, seconds, still = shot.body, max(frame.seconds, 0.0), frame.settings.reduce_motion
        assert body is not None
        if not self.rig.move_out(self.enabled, seconds, still):
            self._centre = None
            return shot
        centre = np.array(body.centre)
        if still or self._centre is None or np.linalg.norm(centre - self._centre) > MAX_FOLLOWED:
            self._centre = centre
            self.rig.snap(self.rig.out)
        self._centre = self._centre + ease_fraction(FOLLOW_RATE, seconds) * (centre - self._centre)
        if self._angles is None or self.user_rotated or still or self.rig.out < 1.0:
            self._angles = self.yaw, self.pitch
        yaw, pitch = self._angles
        fraction = ease_fraction(TURN_RATE, seconds)
        self._angles = yaw + fraction * shortest_angle(yaw, self.yaw), pitch + fraction * (self.pitch - pitch)
        view = self.rig.blend(replace(shot.view, up=body.up, north=body.north), *self._angles)
        right, up, forward = view.basis()
        arm = self.distance * (SIDE_OFFSET * right - DOWN_OFFSET * up - forward)
        return self.rig.shoot(shot, frame, view, self._centre, arm, opacity=opacity)


# Fixed cameras: each stands where it sees the path of the body for long, and turns to the body. The path is divided
# into blocks of some seconds. In a block, a place is chosen among candidates around the path: the one from which the
# longest piece of the path is in sight. Where the body leaves its sight, the next camera takes over.

BLOCK_SECONDS = 24.0  # s of the path for which cameras are chosen together
SAMPLE_SECONDS = 0.25  # s between the points of the path that are tested
MAX_SHOT_SECONDS, MIN_SHOT_SECONDS = 8.0, 1.25  # s that a camera is shown
LOOK_AHEAD_SECONDS = 1.5  # s from the cut to the point of the path around which the camera stands
DISTANCES = (6.5, 4.0)  # m from the path
HEIGHTS = (2.2, 0.7)  # m above the centre
DIRECTIONS = 12  # around the path
LEAST_AWAY, MOST_AWAY = 1.6, 16.0  # m between camera and body
MIN_LEVEL_DISTANCE = 1.2  # m of it in the horizontal plane, and at least as far as up or down: 45 degrees
PROBE_RADIUS = 0.15  # m, radius of the sphere that needs room at the camera
WALL_CLEARANCE = 0.9  # of the free path from the body to the camera
TARGET_HEIGHTS = (-0.5, 0.6)  # m above the centre: points of the body that must be in sight
STILL_COSINE = math.cos(math.radians(17.0))  # of the angle from the middle of the picture that a still camera allows
FOV_DEGREES = 46.0  # degrees, vertical


@dataclass(frozen=True, slots=True)
class FixedShot:
    """A camera at `place` (m) from the tick `begin` on."""

    begin: int
    place: Point


class FixedCameras:
    """Cameras along a path. `path` (n, 3): centres of the body, one a tick (m), without a jump in it."""

    def __init__(self, world: World, path: Floats, ticks_per_second: float) -> None:
        self.world = world
        self.path = np.asarray(path, np.float64)
        self._step = max(1, round(SAMPLE_SECONDS * ticks_per_second))
        self._block = max(1, round(BLOCK_SECONDS / SAMPLE_SECONDS))  # samples of a block
        self._shots: dict[int, list[FixedShot]] = {}

    def shot_at(self, tick: int) -> FixedShot:
        """The camera of a tick. The cameras of its block are chosen on the first call."""
        tick = min(max(tick, 0), len(self.path) - 1)
        number = tick // (self._step * self._block)
        if number not in self._shots:
            self._shots[number] = self._choose_block(number)
        shots = self._shots[number]
        return shots[max(bisect_right([shot.begin for shot in shots], tick) - 1, 0)]

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame, tick: int) -> Snapshot:
        """The snapshot from the camera of a tick, with the body."""
        assert shot.body is not None
        at = self.shot_at(tick)
        target = self.still_target(at, tick) if frame.settings.reduce_motion else shot.body.centre
        return seen_from(shot, frame, view_towards(at.place, target), 1.0)

    def still_target(self, shot: FixedShot, tick: int) -> Floats:
        """Where a camera looks that does not turn: at the place where the body last left the middle of the picture."""
        target: Floats = self.path[shot.begin]
        for sample in self.path[shot.begin : max(tick, shot.begin) + 1 : self._step]:
            a, b = target - shot.place, sample - shot.place
            if np.dot(a, b) < STILL_COSINE * np.linalg.norm(a) * np.linalg.norm(b):
                target = sample
        return target

    def _choose_block(self, number: int) -> list[FixedShot]:
        """The cameras of a block of samples, from its first to its last."""
        samples = self.path[:: self._step]
        first, end = number * self._block, min((number + 1) * self._block, len(samples))
        ahead = max(1, round(LOOK_AHEAD_SECONDS / SAMPLE_SECONDS))
        longest, shortest = (round(s / SAMPLE_SECONDS) for s in (MAX_SHOT_SECONDS, MIN_SHOT_SECONDS))
        shots: list[FixedShot] = []
        at = first
        while at < end:
            stop = min(at + longest, end)
            place, seen = self._best_place(samples[at:stop], samples[min(at + ahead, stop - 1)], len(shots))
            shots.append(FixedShot(at * self._step, place))
            at += max(seen - 1 if at + seen < stop else seen, shortest)  # before the body is half hidden
        return shots

    def _best_place(self, samples: Floats, pivot: Floats, turn: int) -> tuple[Point, int]:
        """The candidate that sees the most of the first samples without a gap, and how many. turn: number of the shot,
        so that equal candidates are taken from another side each time."""
        places = self._candidates(pivot, turn)
        rays = samples[None, :, :] - places[:, None, :]
        lengths = np.linalg.norm(rays, axis=2)
        rays[lengths < LEAST_AWAY] = (0.0, 1.0, 0.0)  # too near anyway, and a ray needs a direction
        is_seen = (lengths > LEAST_AWAY) & (lengths < MOST_AWAY)
        if len(self.world.mesh):
            origins = np.repeat(places, len(samples), axis=0)
            for height in TARGET_HEIGHTS:
                targets = rays.reshape(-1, 3) + np.array((0.0, height, 0.0))
                is_hidden = self.world.mesh.raycast_any_many(origins, targets, np.linalg.norm(targets, axis=1))
                is_seen &= ~np.asarray(is_hidden).reshape(is_seen.shape)
        # Seen from almost straight above or below, a small step of the body would turn the picture by a large angle.
        is_level = np.hypot(rays[..., 0], rays[..., 2]) > np.maximum(MIN_LEVEL_DISTANCE, np.abs(rays[..., 1]))
        counts = _first_run(is_seen & is_level)
        if not counts.any():
            counts = _first_run(is_seen)
        best = int(np.argmax(counts))
        x, y, z = places[best].tolist()
        return (x, y, z), int(counts[best])

    def _candidates(self, pivot: Floats, turn: int) -> Floats:
        """(n, 3) places around a point of the path with room for a camera, the preferred ones first."""
        angles = (np.arange(DIRECTIONS) + 5 * turn + 0.5) * math.tau / DIRECTIONS
        offsets = np.concatenate([
            np.column_stack((distance * np.cos(angles), np.full(DIRECTIONS, height), distance * np.sin(angles)))
            for distance in DISTANCES for height in HEIGHTS
        ])  # fmt: skip
        free = free_path_fractions(self.world, None, pivot, offsets, PROBE_RADIUS)
        places: Floats = pivot + WALL_CLEARANCE * free[:, None] * offsets
        return places


def _first_run(is_seen: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Number of true values (n, m) before the first false one, for each row."""
    counts: NDArray[np.int64] = np.where(is_seen.all(axis=1), is_seen.shape[1], np.argmin(is_seen, axis=1))
    return counts


def view_towards(place: Any, target: Any) -> Camera:
    """A level camera at a place (m) that looks at a target (m)."""
    yaw, pitch = direction_to(np.subtract(target, place, dtype=np.float64))
    return Camera(to_point(place), yaw, pitch, FOV_DEGREES)


# The choice in a replay

EYE = "eye"
BEHIND = "behind"
OUTSIDE = "outside"
FIXED = "fixed"
CAMERAS = (EYE, BEHIND, OUTSIDE, FIXED)
CROWDED_FRACTION = 0.55  # of the wanted distance, below which the outside camera is crowded
CROWDED_SECONDS = 0.4  # s until it looks for another side


class ReplayCameras:
    """The cameras, one of which is `chosen` (a name of `CAMERAS`).

    orbit    the outside camera
    path     (n, 3) recorded centres of the body, after each tick (m); None: there are no fixed cameras
    ranges   ticks (first, end) between which the body does not jump; the world is the same in each
    """

    def __init__(self, path: Floats | None = None, ranges: Sequence[tuple[int, int]] = ()) -> None:
        self._path = path
        self._ranges = ranges
        self.chosen = EYE
        self._third_person = ThirdPersonCamera()
        self.orbit = OrbitCamera()
        self._crowded_seconds = 0.0
        self._fixed: dict[int, FixedCameras] = {}

    def choose(
        self, name: str, session: Session, orbit: tuple[float, float, float] | None = None, blend: float = 1.0
    ) -> None:
        """Look from another camera. orbit: an `outside_view` to begin with; blend: how far it is out of the eye."""
        self.chosen = name
        self._third_person.enabled = name == BEHIND
        self._third_person.snap()
        if name == OUTSIDE:
            self.orbit.reset(blend)
            velocity = session.current.velocity
            if orbit is not None:
                self.orbit.look_from(*orbit)
            self.orbit.choose_viewpoint(session.world, session.pose(), session.movers(), velocity, ())

    @property
    def outside_view(self) -> tuple[float, float, float]:
        """Yaw and pitch (radians, in the frame of the body's north and up) and distance (m) of the outside camera."""
        return self.orbit.yaw, self.orbit.pitch, self.orbit.distance

    def snap(self) -> None:
        """Skip the smoothing: another moment is shown."""
        self._third_person.snap()

    @property
    def shows_orbit(self) -> bool:
        """Whether the picture is seen from the outside camera, or from the way there."""
        return self.chosen == OUTSIDE and self.orbit.blend > 0.0

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame, tick: int, explains: bool = False) -> Snapshot:
        """The snapshot from the chosen camera. tick: the one that is shown; explains: from outside without the player's
        figure, and the camera stays on its side."""
        body = shot.body
        assert body is not None
        if self.chosen == BEHIND:
            return self._third_person.apply_to_frame(shot, frame)
        if self.chosen == OUTSIDE:
            shot = self.orbit.apply_to_frame(shot, frame, opacity=0.0 if explains else 1.0)
            if not explains:
                self._keep_distance(math.dist(shot.view.eye, body.centre), frame)
            return shot
        if self.chosen == FIXED and self._path is not None:
            number = max(k for k, (first, _) in enumerate(self._ranges) if first <= tick)
            first, end = self._ranges[number]
            if number not in self._fixed:
                rate = 1.0 / frame.session.tick_seconds
                self._fixed[number] = FixedCameras(frame.session.world, self._path[first:end], rate)
            return self._fixed[number].apply_to_frame(shot, frame, tick - first)
        return shot

    def _keep_distance(self, distance: float, frame: CameraFrame) -> None:
        """Move the outside camera to another side where walls push it to the body, unless the mouse turned it."""
        session = frame.session
        if distance > CROWDED_FRACTION * self.orbit.distance:
            self._crowded_seconds = 0.0
            return
        self._crowded_seconds += frame.seconds
        if self._crowded_seconds > CROWDED_SECONDS:
            self._crowded_seconds = -CROWDED_SECONDS
            self.orbit.choose_viewpoint(session.world, session.pose(), session.movers(), session.current.velocity, ())
