"""Balls: spheres that fall, bounce, roll, spin, push each other, and come to rest; thousands of them.

    balls = Balls()
    states = balls.rows([(0, 2, 0), (0.1, 3, 0)], radius=0.12, restitution=0.8)
    states = balls.step(states, mesh)

Pure: what comes out depends on what goes in and on nothing else, the order of the balls included. How it works, with
the formulas that it keeps: docs/balls.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.vectors import Vector, as_vector
from ..environment.environment import EMPTY_ROWS, Environment
from ..numerics.trigonometry import heading_sin_cos
from ..triangle_mesh import TriangleMesh
from .layout import ball_row, counter, kinematic_body, mover_row, setting
from .ordering import any_ball_within, canonical_order
from .scratch import MAX_CONTACT_GAP, BallScratch, CollisionMesh, Obstacles, allocate_ball_scratch
from .step import step_balls

BALL_ROW = np.dtype(
    [
        ("position", "f8", 3),  # m, centre
        ("velocity", "f8", 3),  # m/s
        ("spin", "f8", 3),  # rad/s, about each axis
        ("turn", "f8", 4),  # unit quaternion (w, x, y, z): how it has turned; for pictures
        ("radius", "f8"),  # m
        ("mass", "f8"),  # kg
        ("restitution", "f8"),  # part of the speed that it bounces back with, 0..1
        ("friction", "f8"),  # of two that slip, times the surface's
        ("rolling", "f8"),  # what rolling on the level costs each second, as part of gravity
        ("still", "i8"),  # ticks for which it has hardly moved
        ("asleep", "?"),  # it lies, and is left alone until something touches it
        ("_spare", "u1", 7),
        ("number", "i8"),  # whose ball it is, for whoever holds the rows
    ]
)
assert BALL_ROW.itemsize == 8 * ball_row.WIDTH
BallRows = NDArray[np.void]

RESTITUTION_CUTOFF = 1.5  # times what gravity makes in a tick: who comes more slowly than that does not bounce
PILE_RESTITUTION_CUTOFF = 4.0  # the same between two balls that each touch others (PILE): a pile swallows more
MAX_BALL_COORDINATE = 1e9  # m, and m/s
_BALL_RANGES = {
    "position": (-MAX_BALL_COORDINATE, MAX_BALL_COORDINATE),
    "velocity": (-MAX_BALL_COORDINATE, MAX_BALL_COORDINATE),
    "spin": (-MAX_BALL_COORDINATE, MAX_BALL_COORDINATE),
    "turn": (-2.0, 2.0),
    "radius": (1e-3, 1e3),
    "mass": (1e-9, 1e12),
    "restitution": (0.0, 1.0),
    "friction": (0.0, 100.0),
    "rolling": (0.0, 100.0),
}
_COLUMN_RANGES = [span for name, span in _BALL_RANGES.items() for _ in range(int(np.prod(BALL_ROW[name].shape)))]
_COLUMN_LIMITS = np.array(_COLUMN_RANGES).T.copy()  # the least, and the most


@dataclass(frozen=True, slots=True)
class BallSettings:
    """How balls move. ValueError names the field and its range.

    gravity           (x, y, z) m/s2
    ticks_per_second  1..1000
    sleep_speed       m/s: who is slower than this for `sleep_seconds`, and lies, sleeps; 0: nobody does
    sleep_seconds     s
    rounds            how often the contacts of a pile are gone through in a tick, 1..64
    """

    gravity: tuple[float, float, float] = (0.0, -9.81, 0.0)
    ticks_per_second: float = 60.0
    sleep_speed: float = 0.02
    sleep_seconds: float = 0.5
    rounds: int = 3

    def __post_init__(self) -> None:
        as_vector(self.gravity, "gravity")
        for name, low, high in (
            ("ticks_per_second", 1.0, 1000.0),
            ("sleep_speed", 0.0, 10.0),
            ("sleep_seconds", 0.0, 3600.0),
            ("rounds", 1, 64),
        ):
            value = getattr(self, name)
            if not (math.isfinite(value) and low <= value <= high):
                raise ValueError(f"{name} must be within {low:g}..{high:g}, not {value!r}")

    def row(self) -> NDArray[np.float64]:
        """The numbers as the kernels take them."""
        numbers, pull = np.zeros(setting.WIDTH), math.sqrt(sum(float(g) * float(g) for g in self.gravity))
        numbers[setting.GRAVITY_X : setting.GRAVITY_X + 3] = self.gravity
        numbers[setting.DT], numbers[setting.GRAVITY] = 1.0 / self.ticks_per_second, pull
        numbers[setting.RESTITUTION_THRESHOLD] = RESTITUTION_CUTOFF * pull / self.ticks_per_second
        numbers[setting.PILE_RESTITUTION_THRESHOLD] = PILE_RESTITUTION_CUTOFF * pull / self.ticks_per_second
        numbers[setting.CONTACT_MARGIN] = (
            max(
                0.5 * numbers[setting.RESTITUTION_THRESHOLD] * numbers[setting.RESTITUTION_THRESHOLD] / pull,
                MAX_CONTACT_GAP,
            )
            if pull
            else MAX_CONTACT_GAP
        )
        numbers[setting.SLEEP_SPEED] = self.sleep_speed
        numbers[setting.SLEEP_TICKS] = max(1.0, float(round(self.sleep_seconds * self.ticks_per_second)))
        numbers[setting.ITERATIONS] = float(self.rounds)
        numbers[setting.UP_X : setting.UP_X + 3] = (
            [-part / pull for part in numbers[setting.GRAVITY_X : setting.GRAVITY_X + 3]] if pull else (0.0, 1.0, 0.0)
        )
        return numbers


def ball_rows(
    positions: ArrayLike,
    radius: ArrayLike = 0.12,
    mass: ArrayLike | None = None,
    restitution: ArrayLike = 0.7,
    friction: ArrayLike = 0.4,
    rolling: ArrayLike = 0.01,
    velocity: ArrayLike = (0.0, 0.0, 0.0),
    spin: ArrayLike = (0.0, 0.0, 0.0),
) -> BallRows:
    """State rows of balls about `positions` (n, 3), numbered from 0; the other values one for all or one each.
    `mass` (kg): where it is not given, that of a ball of 250 kg/m3. ValueError for what no ball can be."""
    places = np.atleast_2d(np.asarray(positions, np.float64))
    if places.size == 0:
        places = places.reshape(0, 3)
    rows = np.zeros(len(places), BALL_ROW)
    rows["position"], rows["velocity"], rows["spin"] = places, velocity, spin
    rows["turn"] = (1.0, 0.0, 0.0, 0.0)
    rows["radius"], rows["restitution"], rows["friction"], rows["rolling"] = radius, restitution, friction, rolling
    rows["mass"] = 250.0 * 4.0 / 3.0 * math.pi * rows["radius"] ** 3 if mass is None else mass
    rows["number"] = np.arange(len(rows))
    return check_balls(rows)


def check_balls(rows: Any) -> BallRows:
    """The same rows where they are rows of balls; ValueError says what is wrong, and where."""
    checked = _check_ball_dtype(rows)
    floats = ball_floats(rows)[:, : _COLUMN_LIMITS.shape[1]]
    if not ((floats >= _COLUMN_LIMITS[0]) & (floats <= _COLUMN_LIMITS[1])).all():
        for name, (low, high) in _BALL_RANGES.items():
            values = rows[name].reshape(len(rows), -1)
            bad = np.flatnonzero(~((values >= low) & (values <= high)).all(axis=1))
            if len(bad):
                wrong = rows[name][bad[0]].tolist()
                raise ValueError(f"{name} of ball {bad[0]} must be within {low:g}..{high:g}, not {wrong!r}")
    return checked


def _check_ball_dtype(rows: Any) -> BallRows:
    """The same rows; ValueError where these are no rows of balls."""
    if not isinstance(rows, np.ndarray) or rows.dtype != BALL_ROW or rows.ndim != 1:
        raise ValueError("balls must be a 1-D array of ball rows (ball_rows(...))")
    return rows


def ball_floats(rows: BallRows) -> NDArray[np.float64]:
    """(n, ROW_WIDTH): the rows as the kernels take them; not a copy, where they lie in one piece."""
    return np.ascontiguousarray(rows).view(np.float64).reshape(len(rows), ball_row.WIDTH)


def any_ball_touches(rows: BallRows, at: tuple[float, float, float], radius: float) -> bool:
    """Whether any of the balls touches the sphere about `at`."""
    return any_ball_within(ball_floats(rows), *at, radius)


class Balls:
    """The rules of balls. One may serve many sets of rows and many meshes, from one thread at a time."""

    def __init__(self, settings: BallSettings | None = None) -> None:
        """ValueError comes from BallSettings."""
        self.settings = settings if settings is not None else BallSettings()
        self._numbers = self.settings.row()
        self._work: BallScratch = allocate_ball_scratch(1, 1, 1, 64)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Balls, (self.settings,))

    rows = staticmethod(ball_rows)

    def step(
        self, states: BallRows, mesh: TriangleMesh, around: Environment | None = None, clock: int = 0, bodies: Any = ()
    ) -> BallRows:
        """One tick: the rows after it, in the same order. The same balls in another order get the same bits.

        around: Surroundings whose movers the balls meet; clock: the world's tick at the beginning. bodies: pairs of
        walker states, before and after this tick: they push, and are not held up. ValueError for what is no ball.
        """
        _check_ball_dtype(states)
        if not len(states):
            return states.copy()
        floats = ball_floats(states).copy()
        order = canonical_order(floats, self.settings.gravity)
        level, others = collision_mesh(mesh), self._pack_obstacles(mesh, around, bodies)
        given = self._numbers, _COLUMN_LIMITS, order, floats, floats.view(np.int64)
        while True:
            work = self._fit_scratch(len(floats))
            if step_balls(level, others, float(clock), work, *given):
                after: BallRows = floats.reshape(-1).view(BALL_ROW)
                return after
            if work.counters[counter.INVALID_INPUT]:
                check_balls(states)
            self._grow_scratch(len(floats))

    def run(
        self, states: BallRows, mesh: TriangleMesh, ticks: int, around: Environment | None = None, clock: int = 0
    ) -> BallRows:
        """The rows after so many ticks."""
        for k in range(ticks):
            states = self.step(states, mesh, around, clock + k)
        return states

    def energy(self, states: BallRows) -> float:
        """J: of motion, of spin, and of height against gravity (0 at the origin)."""
        square = (states["velocity"] ** 2).sum(axis=1)
        spin = 0.4 * states["radius"] ** 2 * (states["spin"] ** 2).sum(axis=1)
        height = states["position"] @ np.array(self.settings.gravity)
        return float((states["mass"] * (0.5 * square + 0.5 * spin - height)).sum())

    def _pack_obstacles(self, mesh: TriangleMesh, around: Environment | None, bodies: Any) -> Obstacles:
        """What moves in this tick, as the kernel takes it."""
        pushing = np.array([kinematic_body_row(before, after) for before, after in bodies], np.float64).reshape(
            -1, kinematic_body.WIDTH
        )
        level = collision_mesh(mesh)
        if around is None or not around.movers:
            return Obstacles(level, EMPTY_ROWS, EMPTY_ROWS, np.empty((0, mover_row.WIDTH)), pushing, np.empty(12))
        arrays, (_, motions, keys) = around.packed(mesh)
        moved = np.empty((len(motions), mover_row.WIDTH))
        return Obstacles(CollisionMesh(*arrays, *level[5:]), motions, keys, moved, pushing, np.empty(12))

    def _fit_scratch(self, balls: int) -> BallScratch:
        """Scratch memory cut to so many balls."""
        w = self._work
        if len(w.balls) != balls:
            pairs, heap = max(len(w.pairs), 16 * balls), max(len(w.event_heap), 16 * balls)
            self._work = w = allocate_ball_scratch(balls, pairs, heap, len(w.triangles_near))
        return w

    def _grow_scratch(self, balls: int) -> None:
        w = self._work
        pairs = len(w.pairs) + 2 * int(w.counters[counter.PAIRS_NEEDED])
        heap = len(w.event_heap) * (2 if w.counters[counter.EVENTS_NEEDED] else 1)
        self._work = allocate_ball_scratch(
            balls, pairs, heap, max(len(w.triangles_near), 2 * int(w.counters[counter.TRIANGLES_NEEDED]))
        )


class KinematicBodyState(Protocol):
    """State of a body that pushes balls and is not pushed by them. `WalkerState` implements it."""

    @property
    def position(self) -> Vector:
        """Centre, m."""

    @property
    def radii(self) -> Vector:
        """Half axes of the ellipsoid (right, up, forward), m."""

    @property
    def up(self) -> Vector:
        """Unit vector against gravity."""

    @property
    def north(self) -> Vector:
        """Unit vector of heading 0, perpendicular to `up`."""

    @property
    def heading(self) -> int:
        """65536 to the turn, counter-clockwise about `up`."""


def kinematic_body_row(before: KinematicBodyState, after: KinematicBodyState) -> list[float]:
    """A walker's tick as the kernel takes it: the shape that it has after it, from where it was to where it is."""
    s, c = heading_sin_cos(after.heading)
    (ux, uy, uz), (nx, ny, nz) = after.up, after.north
    ex, ey, ez = ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux
    right = (c * ex + s * nx, c * ey + s * ny, c * ez + s * nz)
    back = (s * ex - c * nx, s * ey - c * ny, s * ez - c * nz)
    return [*before.position, *after.position, *after.radii, *right, ux, uy, uz, *back]


def collision_mesh(mesh: TriangleMesh) -> CollisionMesh:
    """A mesh as the kernels see it."""
    found = mesh.heights
    fields = found.fields, found.cells, found.inside, found.rest
    return CollisionMesh(mesh.nodes, mesh.links, mesh.triangles12, mesh.mates, mesh.materials, *fields)
