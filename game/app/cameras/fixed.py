"""Fixed cameras of a replay: each stands where it sees the path of the body for long, and turns to the body.

The path is divided into blocks of some seconds. In a block, a place is chosen among candidates around the path: the
one from which the longest piece of the path is in sight. Where the body leaves its sight, the next camera takes over.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...core.vectors import Floats, Point
from ...render import Camera, Snapshot
from ...render.world_view import near_distance
from .clearance import free_path_fraction
from .hero import hero_ellipsoids

if TYPE_CHECKING:
    from ...sim import World
    from .camera import CameraFrame

BLOCK_SECONDS = 24.0  # s of the path for which cameras are chosen together
SAMPLE_SECONDS = 0.25  # s between the points of the path that are tested
MAX_SHOT_SECONDS, MIN_SHOT_SECONDS = 8.0, 1.25  # s that a camera is shown
LOOK_AHEAD_SECONDS = 1.5  # s from the cut to the point of the path around which the camera stands
DISTANCES = (6.5, 4.0)  # m from the path
HEIGHTS = (2.2, 0.7)  # m above the centre
DIRECTIONS = 12  # around the path
MIN_DISTANCE, MAX_DISTANCE = 1.6, 16.0  # m between camera and body
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
        view = view_towards(at.place, target)
        world = frame.session.world
        moving = None if world.environment is None else world.environment.movers
        near = near_distance(world.mesh, view.eye, view.fov_degrees, frame.aspect, moving, shot.movers)
        return replace(
            shot,
            view=replace(view, near=near),
            ellipsoids=(*shot.ellipsoids, *hero_ellipsoids(shot.body, frame.hero)),
        )

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
        rays[lengths < MIN_DISTANCE] = (0.0, 1.0, 0.0)  # too near anyway, and a ray needs a direction
        is_seen = (lengths > MIN_DISTANCE) & (lengths < MAX_DISTANCE)
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
        places = []
        for distance in DISTANCES:
            for height in HEIGHTS:
                for k in range(DIRECTIONS):
                    angle = (k + 5 * turn + 0.5) * math.tau / DIRECTIONS
                    offset = np.array((distance * math.cos(angle), height, distance * math.sin(angle)))
                    free = free_path_fraction(self.world, None, pivot, offset, PROBE_RADIUS)
                    places.append(pivot + WALL_CLEARANCE * free * offset)
        return np.array(places)


def _first_run(is_seen: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Number of true values (n, m) before the first false one, for each row."""
    counts: NDArray[np.int64] = np.where(is_seen.all(axis=1), is_seen.shape[1], np.argmin(is_seen, axis=1))
    return counts


def view_towards(place: Any, target: Any) -> Camera:
    """A level camera at a place (m) that looks at a target (m)."""
    dx, dy, dz = (float(b) - float(a) for a, b in zip(place, target, strict=True))
    x, y, z = (float(value) for value in place)
    return Camera((x, y, z), math.atan2(-dx, -dz), math.atan2(dy, math.hypot(dx, dz)), FOV_DEGREES)
