"""The walker's state between two ticks: one structured row of 8-byte fields, and the class that reads it."""

from __future__ import annotations

import math
from numbers import Integral
from typing import SupportsIndex

import numpy as np
import numpy.typing as npt

from ...core.angles import HEADING_UNITS_PER_TURN, RADIANS_PER_HEADING_UNIT, degrees_from_heading
from ...core.arguments import as_bytes, describe_value
from ...core.vectors import Vector, VectorLike, as_vector, as_velocity
from .rows import state_flag, state_row

STATE_ROW = np.dtype(
    [
        ("position", "f8", 3),  # m, centre of the body
        ("velocity", "f8", 3),  # m/s, relative to the ground it stands on; contains `carried` in the air
        ("ground_normal", "f8", 3),  # unit; zero in the air
        ("radii", "f8", 3),  # m, of the present stance
        ("safe", "f8", 3),  # m, centre when the body last stood on firm ground
        ("falling", "f8"),  # m/s, upward velocity by gravity and carried, before slopes took their part
        ("up", "f8", 3),  # unit, against gravity
        ("north", "f8", 3),  # unit, perpendicular to up: direction of heading 0
        ("carried", "f8", 3),  # m/s, in the air: velocity of the ground that was left, which `velocity` contains
        ("heading", "i8"),  # of the body, 65536 units a turn
        ("tick", "i8"),
        ("coyote", "i8"),  # ticks left in which a jump counts after the ground was left
        ("buffer", "i8"),  # ticks left in which a pressed jump is remembered
        ("grounded", "?"),
        ("crouched", "?"),
        ("jump_held", "?"),
        ("sliding", "?"),
        ("swimming", "?"),
        ("climbing", "?"),
        ("mover", "u2"),  # 1 + index of the mover that the body stands on; 0: none
        ("safe_up", "f8", 3),  # up, north, heading and stance of the body at the safe place
        ("safe_north", "f8", 3),
        ("safe_heading", "i8"),
        ("safe_crouched", "i8"),  # 0 or 1
    ]
)
assert STATE_ROW.itemsize == 8 * state_row.WIDTH
States = npt.NDArray[np.void]

STATE_UNIT_TOLERANCE = 1e-5  # of unit vectors and right angles: ten times that of a spawn, as rounding adds up
RISE_TOLERANCE = 1e-9  # of the speed: a velocity along up below it is the rounding of one along the ground
_FLAG_COUNT = 6  # bools of the row
_OFFSETS = {name: STATE_ROW.fields[name][1] for name in STATE_ROW.names or ()} if STATE_ROW.fields else {}  # bytes


def as_floats(rows: States) -> npt.NDArray[np.float64]:
    """State rows as (n, state_row.WIDTH) f8, the same memory, as the kernels take it."""
    return rows.view(np.float64).reshape(len(rows), state_row.WIDTH)


def _rise(velocity: list[float], up: Vector) -> tuple[float, bool]:
    """(component of a velocity along `up`, m/s; whether it is upwards by more than rounding)."""
    (x, y, z), (a, b, c) = velocity, up
    rise = x * a + y * b + z * c
    return rise, rise > RISE_TOLERANCE * math.sqrt(x * x + y * y + z * z)


def _check_state(floats: list[float], ints: list[int]) -> None:
    """ValueError, with the name of the field, for columns (rows.state_row) that no state has."""

    def vector(column: int) -> list[float]:
        return floats[column : column + 3]

    def fail(name: str, what: str, value: object) -> None:
        raise ValueError(f"these bytes are not a walker state: {name} must be {what}, not {value}")

    for first, end in ((0, state_row.HEADING), (state_row.SAFE_UP, state_row.SAFE_HEADING)):
        for column in range(first, end):
            if not math.isfinite(floats[column]):
                name = next(n for n in reversed(STATE_ROW.names or ()) if _OFFSETS[n] <= 8 * column)
                fail(name, "finite", floats[column])
    if not all(radius > 0.0 for radius in vector(state_row.RADII)):
        fail("radii", "above 0", vector(state_row.RADII))
    for prefix, up_column, north_column in (
        ("", state_row.UP, state_row.NORTH),
        ("safe_", state_row.SAFE_UP, state_row.SAFE_NORTH),
    ):
        up, north = vector(up_column), vector(north_column)
        for name, unit in (("up", up), ("north", north)):
            if abs(math.hypot(*unit) - 1.0) > STATE_UNIT_TOLERANCE:
                fail(prefix + name, "a unit vector", unit)
        if abs(up[0] * north[0] + up[1] * north[1] + up[2] * north[2]) > STATE_UNIT_TOLERANCE:
            fail(prefix + "north", f"perpendicular to {prefix}up {up}", north)
    normal = vector(state_row.GROUND_NORMAL)
    if any(normal) and abs(math.hypot(*normal) - 1.0) > STATE_UNIT_TOLERANCE:
        fail("ground_normal", "a unit vector or zero", normal)
    for name, column in (("heading", state_row.HEADING), ("safe_heading", state_row.SAFE_HEADING)):
        if not 0 <= ints[column] < HEADING_UNITS_PER_TURN:
            fail(name, f"within 0..{HEADING_UNITS_PER_TURN - 1}", ints[column])
    counts = (("tick", state_row.TICK), ("coyote", state_row.COYOTE_TICKS), ("buffer", state_row.JUMP_BUFFER_TICKS))
    for name, column in counts:
        if ints[column] < 0:
            fail(name, "at least 0", ints[column])
    if any((ints[state_row.FLAGS] >> 8 * k) & 0xFE for k in range(_FLAG_COUNT)):
        fail("flags", "bytes of 0 or 1", hex(ints[state_row.FLAGS] % (1 << 64)))
    if ints[state_row.SAFE_CROUCHED] not in (0, 1):
        fail("safe_crouched", "0 or 1", ints[state_row.SAFE_CROUCHED])


class WalkerState:
    """State of a walker at the end of a tick. Immutable; equal if its bytes are equal."""

    __slots__ = ("_feet", "_floats")

    def __init__(self, row: States | np.void) -> None:
        """From one state row, which is copied. ValueError for another kind of row."""
        if not isinstance(row, (np.ndarray, np.void)) or row.size != 1:
            raise ValueError(f"row must be one state row (of walker.run, or state.row()), not {describe_value(row)}")
        if row.dtype != STATE_ROW:
            raise ValueError(f"rows must be walker states (walker.run, state.row()), not {row.dtype}")
        self._floats = as_floats(np.array(row, STATE_ROW).reshape(1))
        self._feet: Vector | None = None
        _check_state(self._floats[0].tolist(), self._ints[0].tolist())

    @property
    def _ints(self) -> npt.NDArray[np.int64]:
        return self._floats.view(np.int64)

    def _vector_at(self, column: int) -> Vector:
        row = self._floats
        return (row.item(column), row.item(column + 1), row.item(column + 2))

    @property
    def position(self) -> Vector:
        """Centre of the body, m."""
        return self._vector_at(state_row.POSITION)

    @property
    def feet(self) -> Vector:
        """Lowest point of the body, m."""
        if self._feet is None:
            value = self._floats.item
            radius = value(state_row.RADII + 1)
            self._feet = (
                value(state_row.POSITION) - radius * value(state_row.UP),
                value(state_row.POSITION + 1) - radius * value(state_row.UP + 1),
                value(state_row.POSITION + 2) - radius * value(state_row.UP + 2),
            )
        return self._feet

    @property
    def velocity(self) -> Vector:
        """Velocity, m/s: relative to the mover or conveyor it stands on, and to the level in the air. A push by a mover
        is no part of it, so it is not the difference of positions."""
        return self._vector_at(state_row.VELOCITY)

    @property
    def carried_velocity(self) -> Vector:
        """The part of `velocity` (m/s) that a mover or conveyor gave a body in the air; zeros on ground."""
        return self._vector_at(state_row.CARRIED_VELOCITY)

    @property
    def heading(self) -> int:
        """Heading of the body, 0..65535, counter-clockwise from -Z."""
        return self._ints.item(state_row.HEADING)

    @property
    def heading_degrees(self) -> float:
        """Heading of the body in degrees, 0 to below 360, counter-clockwise from -Z (north)."""
        return degrees_from_heading(self.heading)

    @property
    def yaw(self) -> float:
        """Heading of the body in radians."""
        return self.heading * RADIANS_PER_HEADING_UNIT

    @property
    def up(self) -> Vector:
        """Unit vector against gravity."""
        return self._vector_at(state_row.UP)

    @property
    def north(self) -> Vector:
        """Unit vector of heading 0, perpendicular to `up`."""
        return self._vector_at(state_row.NORTH)

    @property
    def radii(self) -> Vector:
        """Radii of the present stance (right, up, ahead), m."""
        return self._vector_at(state_row.RADII)

    @property
    def grounded(self) -> bool:
        """True if something supports the walker."""
        return bool(self._ints.item(state_row.FLAGS) & state_flag.GROUNDED)

    @property
    def mover(self) -> int:
        """Index of the mover that the walker stands on, -1 without one. `velocity` is relative to it."""
        return (self._ints.item(state_row.FLAGS) >> state_flag.MOVER_SHIFT) - 1

    @property
    def crouched(self) -> bool:
        """True if the body is crouched."""
        return bool(self._ints.item(state_row.FLAGS) & state_flag.CROUCHED)

    @property
    def sliding(self) -> bool:
        """True if the walker slid down something steep in this tick."""
        return bool(self._ints.item(state_row.FLAGS) & state_flag.SLIDING)

    @property
    def swimming(self) -> bool:
        """True if the walker swims (about three fifths of the body are under water) or climbs out of the water."""
        return bool(self._ints.item(state_row.FLAGS) & state_flag.SWIMMING)

    @property
    def climbing(self) -> bool:
        """True if the walker climbs a ladder, or climbs out of the water; then `swimming` is True too."""
        return bool(self._ints.item(state_row.FLAGS) & state_flag.CLIMBING)

    @property
    def ground_normal(self) -> Vector:
        """Unit normal of the ground below the walker; zeros in the air."""
        return self._vector_at(state_row.GROUND_NORMAL)

    @property
    def safe(self) -> Vector:
        """Centre of the body (m) when it last stood on firm ground, out of reach of all movers; or the spawn."""
        return self._vector_at(state_row.SAFE_POSITION)

    @property
    def tick(self) -> int:
        """Number of ticks since the spawn."""
        return self._ints.item(state_row.TICK)

    def row(self) -> States:
        """Copy of the state as a structured row, shape (1,)."""
        return np.frombuffer(self.to_bytes(), STATE_ROW).copy()

    def to_bytes(self) -> bytes:
        """The state as `STATE_ROW.itemsize` bytes."""
        return self._floats.tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> WalkerState:
        """The state of `to_bytes`. ValueError for a wrong length or values that no state has."""
        data = as_bytes(data, "data")
        if len(data) != STATE_ROW.itemsize:
            raise ValueError(f"a walker state has {STATE_ROW.itemsize} bytes, not {len(data)}")
        floats = as_floats(np.frombuffer(data, STATE_ROW)).copy()
        _check_state(floats[0].tolist(), floats[0].view(np.int64).tolist())
        return state_of(floats)

    def replace(
        self,
        *,
        position: VectorLike | None = None,
        velocity: VectorLike | None = None,
        heading: SupportsIndex | None = None,
    ) -> WalkerState:
        """A copy with another position (m), velocity (m/s, at most MAX_WALKER_SPEED) or heading (65536 units a turn).

        ValueError for values of another kind.

        The component of the velocity along `up` is that of the fall or jump: with one upwards the body leaves the
        ground. `grounded` stays: a body that stood and is moved to less than `snap_down` above ground stands there
        after the next step. If the body is inside geometry then, the next step pushes it clear.
        """
        if heading is not None and (isinstance(heading, bool) or not isinstance(heading, Integral)):
            raise ValueError(f"heading must be an integer, 65536 to the turn, not {heading!r}")
        row = self.row()
        if position is not None:
            row["position"] = as_vector(position, "position")
            row["mover"] = 0
        if velocity is not None:
            row["velocity"] = as_velocity(velocity, "velocity")
            row["carried"] = 0.0
        if heading is not None:
            row["heading"] = int(heading) % HEADING_UNITS_PER_TURN
        if position is not None or velocity is not None:
            rise, rises = _rise(row["velocity"][0].tolist(), self.up)
            if velocity is not None:
                row["falling"] = rise
            if rises:
                row["grounded"], row["mover"], row["ground_normal"] = False, 0, 0.0
        return state_of(as_floats(row))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WalkerState) and self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __reduce__(self) -> tuple[object, ...]:
        return (WalkerState.from_bytes, (self.to_bytes(),))

    def __repr__(self) -> str:
        x, y, z = self.feet
        return (
            f"WalkerState(tick={self.tick}, feet=({x:.4f}, {y:.4f}, {z:.4f}), "
            f"velocity=({', '.join(f'{v:.3f}' for v in self.velocity)}), heading={self.heading}, "
            f"grounded={self.grounded})"
        )


_new = object.__new__


def state_of(floats: npt.NDArray[np.float64]) -> WalkerState:
    """The state around one new row (1, state_row.WIDTH), which is not copied, and which nobody else may change."""
    state = _new(WalkerState)
    state._floats = floats
    state._feet = None
    return state
