"""Balls: rigid spheres that fall, bounce, roll, spin, collide and come to rest; thousands of them.

    balls = Balls()
    states = balls.rows([(0, 2, 0), (0.1, 3, 0)], radius=0.12, restitution=0.8)
    states = balls.step(states, mesh)

A step is a pure function of its arguments, and the order of the balls does not matter. Method and equations:
docs/balls.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.arguments import as_instances, as_integer, as_number, as_optional, describe_value
from ...core.vectors import Floats, Indices, Vector, as_vector, sum_in_order
from ..environment.environment import (
    EMPTY_ROWS,
    Clock,
    Environment,
    as_clock,
    as_environment,
    mesh_arrays,
    read_clock,
)
from ..environment.rows import motion_row, pose
from ..numerics.background_compile import BALLS
from ..numerics.staged_kernel import StagedKernel
from ..numerics.trigonometry import heading_sin_cos
from ..query.arguments import as_numbers
from ..triangle_mesh import TriangleMesh, as_mesh
from .broad_phase import any_ball_within, canonical_order
from .rows import ball_row, counter, kinematic_body, mover_row, setting
from .scratch import MAX_CONTACT_GAP, CollisionMesh, Obstacles, allocate_ball_scratch
from .step import step_balls

BALL_ROW = np.dtype(
    [
        ("position", "f8", 3),  # m, centre
        ("velocity", "f8", 3),  # m/s
        ("spin", "f8", 3),  # rad/s, angular velocity
        ("turn", "f8", 4),  # unit quaternion (w, x, y, z): orientation, only drawn
        ("radius", "f8"),  # m
        ("mass", "f8"),  # kg
        ("restitution", "f8"),  # part of the approach speed after a bounce, 0..1
        ("friction", "f8"),  # coefficient; multiplied by the surface's
        ("rolling", "f8"),  # rolling resistance: deceleration on level ground as a part of gravity
        ("still", "i8"),  # ticks of little motion so far
        ("asleep", "?"),  # at rest, and skipped until something touches it
        ("_spare", "u1", 7),
        ("number", "i8"),  # identity for the caller; physics only sorts by it balls that are equal otherwise
    ]
)
assert BALL_ROW.itemsize == 8 * ball_row.WIDTH
BallRows = NDArray[np.void]

RESTITUTION_CUTOFF = 1.5  # times gravity * tick: slower impacts do not bounce
PILE_RESTITUTION_CUTOFF = 4.0  # the same between two balls in a pile, where small bounces would never end
MAX_BALL_GRAVITY = 1e4  # m/s2
MAX_BALL_COORDINATE = 1e9  # m, m/s and rad/s
_BALL_RANGES = {
    "position": (-MAX_BALL_COORDINATE, MAX_BALL_COORDINATE),
    "velocity": (-MAX_BALL_COORDINATE, MAX_BALL_COORDINATE),
    "spin": (-MAX_BALL_COORDINATE, MAX_BALL_COORDINATE),
    "turn": (-2.0, 2.0),  # and a length of at least ball_row.MIN_TURN_LENGTH
    "radius": (1e-3, 1e3),
    "mass": (1e-9, 1e12),
    "restitution": (0.0, 1.0),
    "friction": (0.0, 100.0),
    "rolling": (0.0, 100.0),
}
_COLUMN_RANGES = [limits for name, limits in _BALL_RANGES.items() for _ in range(int(np.prod(BALL_ROW[name].shape)))]
_COLUMN_LIMITS = np.array(_COLUMN_RANGES).T.copy()  # (2, columns): lowest and highest value
_NO_BOUNDS = np.array([[-math.inf] * 3, [math.inf] * 3])
INTERPRETED_TRACE_SECONDS = 2.0  # s of a trace by the interpreted kernel, which takes a millisecond for a tick
ball_tick = StagedKernel(step_balls, BALLS)


@dataclass(frozen=True, slots=True)
class BallSettings:
    """Settings of the motion of balls. ValueError names the field and its range.

    gravity           (x, y, z) m/s2, each within 1e4
    ticks_per_second  1..1000
    sleep_speed       m/s: a ball at rest on something sleeps after `sleep_seconds` below this speed; 0: never
    sleep_seconds     s
    rounds            iterations of the contact solver in a tick, 1..64
    """

    gravity: tuple[float, float, float] = (0.0, -9.81, 0.0)
    ticks_per_second: float = 60.0
    sleep_speed: float = 0.02
    sleep_seconds: float = 0.5
    rounds: int = 3

    def __post_init__(self) -> None:
        object.__setattr__(self, "gravity", as_vector(self.gravity, "gravity", MAX_BALL_GRAVITY))
        for name, low, high in (
            ("ticks_per_second", 1.0, 1000.0),
            ("sleep_speed", 0.0, 10.0),
            ("sleep_seconds", 0.0, 3600.0),
        ):
            object.__setattr__(self, name, as_number(getattr(self, name), name, low, high))
        object.__setattr__(self, "rounds", as_integer(self.rounds, "rounds", 1, 64))

    def row(self) -> NDArray[np.float64]:
        """Settings row for kernels (rows.setting)."""
        row, gravity = np.zeros(setting.WIDTH), math.sqrt(sum_in_order(float(g) * float(g) for g in self.gravity))
        row[setting.GRAVITY_X : setting.GRAVITY_X + 3] = self.gravity
        row[setting.DT], row[setting.GRAVITY] = 1.0 / self.ticks_per_second, gravity
        row[setting.RESTITUTION_THRESHOLD] = RESTITUTION_CUTOFF * gravity / self.ticks_per_second
        row[setting.PILE_RESTITUTION_THRESHOLD] = PILE_RESTITUTION_CUTOFF * gravity / self.ticks_per_second
        row[setting.CONTACT_MARGIN] = (
            max(
                0.5 * row[setting.RESTITUTION_THRESHOLD] * row[setting.RESTITUTION_THRESHOLD] / gravity,
                MAX_CONTACT_GAP,
            )
            if gravity
            else MAX_CONTACT_GAP
        )
        row[setting.SLEEP_SPEED] = self.sleep_speed
        row[setting.SLEEP_TICKS] = max(1.0, float(round(self.sleep_seconds * self.ticks_per_second)))
        row[setting.ITERATIONS] = float(self.rounds)
        row[setting.UP_X : setting.UP_X + 3] = (
            [-component / gravity for component in row[setting.GRAVITY_X : setting.GRAVITY_X + 3]]
            if gravity
            else (0.0, 1.0, 0.0)
        )
        return row


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
    """State rows of balls at `positions` (n, 3), numbered from 0; other values are one for all or one each.

    mass: kg; default: that of a density of 250 kg/m3. ValueError for values out of range.
    """
    centres = as_numbers(positions, "positions")
    centres = centres.reshape(0, 3) if centres.size == 0 else np.atleast_2d(centres)
    if centres.ndim != 2 or centres.shape[1] != 3:
        raise ValueError(f"positions: expected an array of shape (n, 3), got shape {centres.shape}")
    rows = np.zeros(len(centres), BALL_ROW)
    rows["position"], rows["turn"] = centres, (1.0, 0.0, 0.0, 0.0)
    _fill_columns(
        rows,
        velocity=velocity,
        spin=spin,
        radius=radius,
        restitution=restitution,
        friction=friction,
        rolling=rolling,
    )
    rows["mass"] = 250.0 * 4.0 / 3.0 * math.pi * rows["radius"] ** 3
    if mass is not None:
        _fill_columns(rows, mass=mass)
    rows["number"] = np.arange(len(rows))
    return check_balls(rows)


def _fill_columns(rows: BallRows, **columns: ArrayLike) -> None:
    """Write columns, each one value for all balls or one each. ValueError for other shapes and values out of range."""
    for name, value in columns.items():
        numbers = as_numbers(value, name)
        if (np.abs(numbers) > _BALL_RANGES[name][1]).any():
            low, high = _BALL_RANGES[name]
            raise ValueError(f"{name} must be within {low:g}..{high:g}, not {describe_value(value)}")
        try:
            rows[name] = numbers
        except ValueError:
            raise ValueError(f"{name}: expected one value or {len(rows)}, got shape {numbers.shape}") from None


def check_balls(rows: object) -> BallRows:
    """`rows` if they are valid ball rows. ValueError names the column and the ball."""
    checked = _check_ball_dtype(rows)
    floats = ball_floats(checked)[:, : _COLUMN_LIMITS.shape[1]]
    if not ((floats >= _COLUMN_LIMITS[0]) & (floats <= _COLUMN_LIMITS[1])).all():
        for name, (low, high) in _BALL_RANGES.items():
            values = checked[name].reshape(len(checked), -1)
            bad = np.flatnonzero(~((values >= low) & (values <= high)).all(axis=1))
            if len(bad):
                invalid = checked[name][bad[0]].tolist()
                raise ValueError(f"{name} of ball {bad[0]} must be within {low:g}..{high:g}, not {invalid!r}")
    turns = checked["turn"]
    short = np.flatnonzero((turns**2).sum(axis=1) < ball_row.MIN_TURN_LENGTH**2)
    if len(short):
        raise ValueError(f"turn of ball {short[0]} must be a unit quaternion, not {turns[short[0]].tolist()!r}")
    return checked


def _check_ball_dtype(rows: object) -> BallRows:
    """`rows` if they are a 1-D array of BALL_ROW, else ValueError."""
    if not isinstance(rows, np.ndarray) or rows.dtype != BALL_ROW or rows.ndim != 1:
        raise ValueError("balls must be a 1-D array of ball rows (ball_rows(...))")
    return rows


def ball_floats(rows: BallRows) -> NDArray[np.float64]:
    """(n, ball_row.WIDTH) floats of the rows: a view where they are contiguous."""
    return np.ascontiguousarray(rows).view(np.float64).reshape(len(rows), ball_row.WIDTH)


def any_ball_touches(rows: BallRows, at: tuple[float, float, float], radius: float) -> bool:
    """Whether any ball touches the sphere of `radius` (m) at `at`."""
    return any_ball_within(ball_floats(rows), *at, radius)


class Balls:
    """Stepper of balls. One object can step many sets of rows on many meshes, in any number of threads at once."""

    def __init__(self, settings: BallSettings | None = None) -> None:
        """ValueError comes from BallSettings."""
        chosen = as_optional(settings, BallSettings, "settings")
        self.settings = chosen if chosen is not None else BallSettings()
        self._settings_row = self.settings.row()
        self._free_memory: list[BallMemory] = []  # that no call works in
        self._is_compiled = ball_tick.is_compiled()

    def __reduce__(self) -> tuple[object, ...]:
        return (Balls, (self.settings,))

    rows = staticmethod(ball_rows)

    def step(
        self, states: BallRows, mesh: TriangleMesh, around: Environment | None = None, clock: Clock = 0,
        bodies: Any = (),
    ) -> BallRows:  # fmt: skip
        """Rows after one tick, in the same order. The same balls in another order give the same bits.

        around: Environment whose movers the balls collide with; clock: the world's tick at the beginning, or the clocks
        of the movers, as of `Walker.step`. bodies: pairs of walker states before and after this tick; they push balls
        and are not pushed. ValueError for invalid rows.
        """
        _check_ball_dtype(states)
        as_mesh(mesh)
        as_environment(around)
        tick, starts = read_clock(clock, around)
        if not len(states):
            return states.copy()
        return self._advance(states, mesh, around, bodies, (tick, starts), _NO_BOUNDS, 1)[0]

    def trace(
        self, state: BallRows, mesh: TriangleMesh, ticks: int, bounds: ArrayLike
    ) -> tuple[BallRows, NDArray[np.float64]]:
        """The row of one ball (1,) after at most `ticks` ticks, and its positions (n, 3) after each: the bits of `step`
        in one call. It ends with the tick after which the ball sleeps or is outside of bounds (2, 3), m.

        Before the kernel is compiled, it ends after two seconds. ValueError for invalid rows and more than one ball.
        """
        _check_ball_dtype(state)
        as_mesh(mesh)
        if len(state) != 1:
            raise ValueError(f"a trace is of one ball, not of {len(state)}")
        ticks = as_integer(ticks, "ticks", 1)
        if not (self._is_compiled or ball_tick.is_loaded):
            ticks = min(ticks, round(INTERPRETED_TRACE_SECONDS * self.settings.ticks_per_second))
        box = np.ascontiguousarray(as_numbers(bounds, "bounds"))
        if box.shape != (2, 3):
            raise ValueError(f"bounds: expected an array of shape (2, 3), got shape {box.shape}")
        return self._advance(state, mesh, None, (), (0, None), box, ticks)

    def _advance(
        self,
        states: BallRows,
        mesh: TriangleMesh,
        around: Environment | None,
        bodies: object,
        clock: tuple[int, Indices | None],
        bounds: NDArray[np.float64],
        ticks: int,
    ) -> tuple[BallRows, NDArray[np.float64]]:
        """Rows after the ticks of `step_balls`, and the positions of the first ball. clock: of `read_clock`."""
        tick, starts = clock
        body_rows = kinematic_body_rows(bodies)
        floats = ball_floats(states).copy()
        order = canonical_order(floats, self.settings.gravity)
        if not self._is_compiled:
            self._is_compiled = ball_tick.is_loaded
        step = step_balls if self._is_compiled else ball_tick.call
        path, done = np.empty((ticks, 3)), 0
        memory = self._free_memory.pop() if self._free_memory else BallMemory()
        memory.enter(mesh, around, body_rows, len(floats), starts)
        ints = floats.view(np.int64)
        while True:
            made = step(
                memory.mesh, memory.obstacles, float(tick + done), memory.scratch,
                self._settings_row, _COLUMN_LIMITS, bounds, path[done:], order, floats, ints,
            )  # fmt: skip
            done += made if made >= 0 else -1 - made
            if made >= 0:
                break
            if memory.scratch.counters[counter.INVALID_INPUT]:
                check_balls(states)
            memory.enlarge()
        self._free_memory.append(memory)
        after: BallRows = floats.reshape(-1).view(BALL_ROW)
        return after, path[:done]

    def run(
        self, states: BallRows, mesh: TriangleMesh, ticks: int, around: Environment | None = None, clock: int = 0
    ) -> BallRows:
        """Rows after `ticks` ticks. ValueError as for `step`."""
        _check_ball_dtype(states)
        clock = as_clock(clock)
        for k in range(as_integer(ticks, "ticks", 0)):
            states = self.step(states, mesh, around, clock + k)
        return states

    def energy(self, states: BallRows) -> float:
        """Kinetic, rotational and potential energy (0 at the origin), J.

        Solid sphere: I = 2/5 m r^2, so E = m (v^2 / 2 + 2/5 r^2 w^2 / 2 - g . x).
        """
        check_balls(states)
        square = (states["velocity"] ** 2).sum(axis=1)
        spin = 0.4 * states["radius"] ** 2 * (states["spin"] ** 2).sum(axis=1)
        height = states["position"] @ np.array(self.settings.gravity)
        return float((states["mass"] * (0.5 * square + 0.5 * spin - height)).sum())


class BallMemory:
    """Memory of a call that steps balls, and the arrays of the place where they are.

    mesh, obstacles, scratch: arguments of `step_balls`
    """

    __slots__ = ("_place", "mesh", "obstacles", "scratch")

    mesh: CollisionMesh
    obstacles: Obstacles

    def __init__(self) -> None:
        self.scratch = allocate_ball_scratch(1, 1, 1, 64)
        self._place: tuple[TriangleMesh, Environment | None] | None = None

    def enter(
        self, mesh: TriangleMesh, around: Environment | None, bodies: Floats, balls: int, starts: Indices | None = None
    ) -> None:
        """Prepare for a call with so many balls at a place. bodies: `kinematic_body_rows`; starts: of the movers."""
        if self._place is None or self._place[0] is not mesh or self._place[1] is not around:
            motions = keys = EMPTY_ROWS
            heights = mesh.heights
            fields = heights.fields, heights.cells, heights.inside, heights.remaining_boxes
            self.mesh = level = CollisionMesh(*mesh_arrays(mesh), *fields)
            if around is not None and around.movers:
                packed = around.packed(mesh)
                motions, keys, m = packed.environment.motions.copy(), packed.environment.keys, packed.mesh
                level = CollisionMesh(m.nodes, m.links, m.triangles, m.mates, m.materials, *fields)
            movers = np.empty((len(motions), mover_row.WIDTH))
            self.obstacles = Obstacles(level, motions, keys, movers, bodies, np.empty(pose.WIDTH))
            self._place = mesh, around
        elif len(bodies) or len(self.obstacles.bodies):
            self.obstacles.replace("bodies", bodies)
        if around is not None and around.movers:
            self.obstacles.motions[:, motion_row.START] = around.movers.starts if starts is None else starts
        w = self.scratch
        if len(w.balls) != balls:
            pairs, heap = max(len(w.pairs), 16 * balls), max(len(w.event_heap), 16 * balls)
            self.scratch = allocate_ball_scratch(balls, pairs, heap, len(w.triangles_near))

    def enlarge(self) -> None:
        """Make room for what the last call lacked."""
        w = self.scratch
        pairs = len(w.pairs) + 2 * int(w.counters[counter.PAIRS_NEEDED])
        heap = len(w.event_heap) * (2 if w.counters[counter.EVENTS_NEEDED] else 1)
        triangles = max(len(w.triangles_near), 2 * int(w.counters[counter.TRIANGLES_NEEDED]))
        self.scratch = allocate_ball_scratch(len(w.balls), pairs, heap, triangles)


@runtime_checkable
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
    """Row (rows.kinematic_body) of a walker in a tick: its ellipsoid after the tick, moving from its old centre to
    the new. ValueError for numbers that no body has."""
    s, c = heading_sin_cos(after.heading)
    (ux, uy, uz), (nx, ny, nz) = after.up, after.north
    ex, ey, ez = ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux
    right = (c * ex + s * nx, c * ey + s * ny, c * ez + s * nz)
    back = (s * ex - c * nx, s * ey - c * ny, s * ez - c * nz)
    row = [*before.position, *after.position, *after.radii, *right, ux, uy, uz, *back]
    if not sum(map(abs, row)) <= MAX_BALL_COORDINATE or min(after.radii) <= 0.0 or len(row) != kinematic_body.WIDTH:
        raise ValueError(
            f"bodies must have three radii above 0 and coordinates within {MAX_BALL_COORDINATE:g} m, not a position of "
            f"{tuple(after.position)} with radii {tuple(after.radii)}"
        )
    return row


def kinematic_body_rows(bodies: object) -> Floats:
    """Rows (B, kinematic_body.WIDTH) of pairs of walker states. ValueError for other values."""
    pairs = list(as_instances(bodies, Sequence, "bodies"))  # type: ignore[type-abstract]
    for pair in pairs:
        if len(pair) != 2:
            raise ValueError(f"bodies must be pairs of walker states, not {describe_value(pair)}")
    try:
        rows = [kinematic_body_row(before, after) for before, after in pairs]
    except AttributeError:
        for pair in pairs:  # it names the value; before the rows it would take most of the time of a call
            as_instances(pair, KinematicBodyState, "bodies")  # type: ignore[type-abstract]
        raise
    return np.array(rows, np.float64).reshape(-1, kinematic_body.WIDTH)
