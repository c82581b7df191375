"""Clearance of cameras: how far a sphere may move before a wall, and an arm that stays before walls and changes its
length smoothly."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.springs import Spring
from ...core.vectors import Floats
from ...physics import Ellipsoid, TriangleMesh

if TYPE_CHECKING:
    from ...sim import World

SURFACE_MARGIN = 1e-3  # m between the camera and the surface that the sweep hit

# Feelers: directions around the arm that are swept too. A feeler at the angle d (radians) that is free for the length L
# (m) limits the arm to L + FEELER_SLOPE (d - FEELER_MARGIN), so that the limit is continuous while a corner approaches
# the arm sideways (lower envelope of cones, an inf-convolution of the free length with the angle).
FEELER_SLOPE = 4.5  # m/radian: a corner that comes nearer by 1 radian shortens the arm by so much
FEELER_MARGIN = 0.10  # radians: the arm is short enough this much before the corner reaches it
PITCH_WEIGHT = 4.0  # of an angle up or down: a level ceiling or floor beside the arm must not shorten it
_YAWS = (0.07, 0.14, 0.22, 0.31, 0.42, 0.55, 0.70)  # radians to each side
_PITCHES = (0.10, 0.22, 0.36)  # radians up and down
# Prediction: the arm is also swept where body and view will be, at their present velocities, in t seconds. A free
# length L there limits the arm to L + SHORTEN_SPEED (t - LEAD_MARGIN), so that it shortens at SHORTEN_SPEED at most.
SHORTEN_SPEED = 12.0  # m/s
LEADS = (0.04, 0.08, 0.12, 0.16, 0.20, 0.25, 0.30)  # s
LEAD_MARGIN = 0.04  # s that the spring of the arm lags
MAX_LEAD_TURN = 8.0  # radians/s, of the view: a faster turn by the mouse is over before the arm could follow
LENGTHEN_RATE = 19.5  # 1/s of the critically damped spring: 2 % are left after 0.30 s
SHORTEN_RATE = 70.0  # 1/s: 2 % are left after 0.08 s


def _feelers() -> tuple[Floats, Floats]:
    """Tangents (n, 2) of the feelers' angles to the right and up, the arm itself first; and the length (n,) by which
    the arm may exceed what is free along each (m)."""
    pairs = [(0.0, 0.0)]
    for yaw in _YAWS:
        pairs += [(yaw, 0.0), (-yaw, 0.0)]
    for pitch in _PITCHES:
        pairs += [(0.0, pitch), (0.0, -pitch)]
        pairs += [(sign * yaw, turn) for yaw in (0.18, 0.40) for sign in (1.0, -1.0) for turn in (pitch, -pitch)]
    angles = np.array(pairs)
    sideways = np.hypot(angles[:, 0], PITCH_WEIGHT * angles[:, 1])
    return np.tan(angles), FEELER_SLOPE * np.maximum(sideways - FEELER_MARGIN, 0.0)


FEELERS, FEELER_SLACK = _feelers()
LEAD_SLACK = SHORTEN_SPEED * np.maximum(np.array(LEADS) - LEAD_MARGIN, 0.0)
MIN_FRAME_SECONDS = 1e-4  # s, below which two frames give no velocity


def free_path_fractions(world: World, poses: Any, starts: Floats, displacements: Floats, radius: float) -> Floats:
    """Fractions (n,), 0 to 1, of the `displacements` (n, 3), in metres, that a sphere of `radius` travels from `starts`
    (3,) or (n, 3) before it hits the level or a mover. poses: of the movers (K, 3, 4)."""
    ball = Ellipsoid((radius,) * 3)
    fractions = np.ones(len(displacements))
    starts = np.broadcast_to(starts, displacements.shape)
    low, high = starts.min(axis=0), starts.max(axis=0)
    reach = float(np.abs(displacements).max()) + radius + 0.5 * float((high - low).max())
    for mesh, turn, at in _meshes_in_reach(world, poses, 0.5 * (low + high), reach):
        hits = mesh.sweep_many(ball, (starts - at) @ turn, 0.0, displacements @ turn)
        fractions = np.fmin(fractions, hits.fraction)
    return fractions


def free_path_fraction(world: World, poses: Any, start: Any, displacement: Any, radius: float) -> float:
    """`free_path_fractions` for one displacement (3,)."""
    return float(free_path_fractions(world, poses, start, np.asarray(displacement)[None, :], radius)[0])


def _meshes_in_reach(world: World, poses: Any, place: Any, reach: float) -> Iterator[tuple[TriangleMesh, Any, Any]]:
    """Mesh, rotation (3, 3) and position (3,) of the level and of each mover within `reach` metres of `place`."""
    yield world.mesh, np.eye(3), np.zeros(3)
    movers = None if world.environment is None else world.environment.movers
    if movers is not None and poses is not None and movers.reach(tuple(place.tolist()), reach):
        for mover, pose in zip(movers, poses, strict=True):
            yield mover.mesh, pose[:, :3], pose[:, 3]


class SpringArm:
    """Arm whose end never passes a wall, and whose length changes smoothly.

    length   m; None before the first update, which takes the allowed length at once
    feels    whether it shortens before a wall beside it comes into its way
    """

    __slots__ = ("_ahead", "_spring", "_start", "feels", "length")

    def __init__(self, feels: bool = True) -> None:
        self.feels = feels
        self.snap()

    def snap(self) -> None:
        """Forget the past: the next update takes the allowed length at once."""
        self.length: float | None = None
        self._spring = Spring()
        self._start: Floats | None = None
        self._ahead: Floats | None = None

    def place(
        self, world: World, poses: Any, start: Floats, arm: Floats, up: Floats, radius: float, seconds: float
    ) -> Floats:
        """End of the arm (3,), `seconds` after the previous one, for a sphere of `radius` (m).

        start (3,): m, where the sphere has room; arm (3,): m, in full length; up (3,): unit, against gravity.
        """
        length = float(np.linalg.norm(arm))
        ahead = arm / max(length, 1e-9)
        starts, directions, slack = self._probes(world, poses, start, ahead, up, radius, seconds)
        free = length * free_path_fractions(world, poses, starts, length * directions, radius) - SURFACE_MARGIN
        self._start = start
        self._ahead = ahead
        return start + self.update(max(float(free[0]), 0.0), max(float((free + slack).min()), 0.0), seconds) * ahead

    def _probes(
        self, world: World, poses: Any, start: Floats, ahead: Floats, up: Floats, radius: float, seconds: float
    ) -> tuple[Floats, Floats, Floats]:
        """Starts (n, 3) and unit directions (n, 3) of the sweeps, the arm's own first; and the length (n,) by which
        the arm may exceed the free length of each (m)."""
        if not self.feels:
            return start[None], ahead[None], np.zeros(1)
        right = np.cross(ahead, up)
        right /= max(float(np.linalg.norm(right)), 1e-9)
        directions = ahead + FEELERS @ np.stack((right, np.cross(right, ahead)))
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        starts = np.broadcast_to(start, directions.shape)
        slack = FEELER_SLACK
        if self._start is not None and self._ahead is not None and seconds > MIN_FRAME_SECONDS:
            velocity = (start - self._start) / seconds
            turn = (ahead - self._ahead) / seconds
            turn *= min(1.0, MAX_LEAD_TURN / max(float(np.linalg.norm(turn)), 1e-9))
            later = ahead + np.outer(LEADS, turn)
            later /= np.linalg.norm(later, axis=1, keepdims=True)
            way = LEADS[-1] * velocity
            way *= free_path_fraction(world, poses, start, way, radius)
            directions = np.concatenate((directions, later))
            starts = np.concatenate((starts, start + np.outer(np.array(LEADS) / LEADS[-1], way)))
            slack = np.concatenate((slack, LEAD_SLACK))
        return starts, directions, slack

    def update(self, free: float, allowed: float, seconds: float) -> float:
        """The length `seconds` later. free: to the wall, a hard limit; allowed: by all probes, approached softly."""
        target = min(free, allowed)
        if self.length is None:
            self.length = target
            return target
        spring = self._spring
        spring.offset = self.length - target
        spring.advance(max(seconds, 0.0), LENGTHEN_RATE if spring.offset < 0.0 else SHORTEN_RATE)
        self.length = target + spring.offset
        if self.length > free:
            self.length = free
            spring.speed = min(spring.speed, 0.0)
        if not math.isfinite(self.length) or self.length < 0.0:
            self.length = 0.0
            spring.speed = max(spring.speed, 0.0)
        return self.length
