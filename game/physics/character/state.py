"""The walker's state between two ticks: one structured row of 8-byte fields, and the class that reads it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.angles import HEADING_UNITS_PER_TURN, RADIANS_PER_HEADING_UNIT
from ...core.vectors import Vector, as_vector, as_velocity
from .layout import state_flag, state_row

STATE_ROW = np.dtype(
    [
        ("position", "f8", 3),  # m, centre of the body
        ("velocity", "f8", 3),  # m/s, the walker's own
        ("ground_normal", "f8", 3),  # unit; zero in the air
        ("radii", "f8", 3),  # m, of the present stance
        ("safe", "f8", 3),  # m, centre when the body last stood on firm ground
        ("falling", "f8"),  # m/s, upward velocity by gravity, before slopes took their part
        ("up", "f8", 3),  # unit, against gravity
        ("north", "f8", 3),  # unit, perpendicular to up: direction of heading 0
        ("carried", "f8", 3),  # m/s, in the air: velocity of the ground that was left, in addition to the own
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
    ]
)
assert STATE_ROW.itemsize == 8 * state_row.WIDTH
States = npt.NDArray[np.void]


def as_floats(rows: States) -> npt.NDArray[np.float64]:
    """State rows as (n, state_row.WIDTH) f8, the same memory, as the kernels take it."""
    return rows.view(np.float64).reshape(len(rows), state_row.WIDTH)


class WalkerState:
    """State of a walker at the end of a tick. Immutable; equal if its bytes are equal."""

    __slots__ = ("_floats",)

    def __init__(self, row: States) -> None:
        """From one state row, which is copied."""
        copied = np.array(row, STATE_ROW).reshape(1)
        self._floats = as_floats(copied)

    @classmethod
    def _from_floats(cls, floats: npt.NDArray[np.float64]) -> WalkerState:
        """Around one new row, which is not copied: for Walker only."""
        state = cls.__new__(cls)
        state._floats = floats
        return state

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
        (x, y, z), (a, b, c), radius_up = (
            self._vector_at(state_row.POSITION),
            self._vector_at(state_row.UP),
            self._floats.item(state_row.RADII + 1),
        )
        return (x - radius_up * a, y - radius_up * b, z - radius_up * c)

    @property
    def velocity(self) -> Vector:
        """The walker's own velocity, m/s: relative to a mover it stands on; not the difference of positions."""
        return self._vector_at(state_row.VELOCITY)

    @property
    def heading(self) -> int:
        """Heading of the body, 0..65535, counter-clockwise from -Z."""
        return self._ints.item(state_row.HEADING)

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
        """True if the walker swims: about three fifths of the body are under water."""
        return bool(self._ints.item(state_row.FLAGS) & state_flag.SWIMMING)

    @property
    def climbing(self) -> bool:
        """True if the walker is on a ladder."""
        return bool(self._ints.item(state_row.FLAGS) & state_flag.CLIMBING)

    @property
    def ground_normal(self) -> Vector:
        """Unit normal of the ground below the walker; zeros in the air."""
        return self._vector_at(state_row.GROUND_NORMAL)

    @property
    def safe(self) -> Vector:
        """Centre of the body (m) when it last stood on firm ground."""
        return self._vector_at(state_row.SAFE_POSITION)

    @property
    def tick(self) -> int:
        """Number of ticks since the spawn."""
        return self._ints.item(state_row.TICK)

    def row(self) -> States:
        """Copy of the state as a structured row, shape (1,)."""
        return np.frombuffer(self.to_bytes(), STATE_ROW).copy()

    def to_bytes(self) -> bytes:
        """The state as 240 bytes."""
        return self._floats.tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> WalkerState:
        """The state of `to_bytes`. ValueError for another length or values that no state has."""
        if len(data) != STATE_ROW.itemsize:
            raise ValueError(f"a walker state has {STATE_ROW.itemsize} bytes, not {len(data)}")
        row = np.frombuffer(data, STATE_ROW)
        floats = as_floats(row)
        ints = floats.view(np.int64)
        if (
            not np.isfinite(floats[0, : state_row.HEADING]).all()
            or not 0 <= ints[0, state_row.HEADING] < HEADING_UNITS_PER_TURN
        ):
            raise ValueError("these bytes are not a walker state")
        return cls(row)

    def replace(self, *, position: Any = None, velocity: Any = None, heading: int | None = None) -> WalkerState:
        """A copy with another position (m), velocity (m/s, at most MAX_WALKER_SPEED) or heading (65536 units a turn).

        If the body is inside geometry then, the next step pushes it clear.
        """
        row = self.row()
        if position is not None:
            row["position"] = as_vector(position, "position")
            row["mover"] = 0
        if velocity is not None:
            row["velocity"] = as_velocity(velocity, "velocity")
            row["falling"] = row["velocity"][0, 1]
            row["carried"] = 0.0
        if heading is not None:
            row["heading"] = int(heading) % HEADING_UNITS_PER_TURN
        if position is not None or velocity is not None:
            row["grounded"] = row["grounded"] & (row["velocity"][:, 1] <= 0.0)
        return WalkerState(row)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WalkerState) and self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __reduce__(self) -> tuple[Any, ...]:
        return (WalkerState.from_bytes, (self.to_bytes(),))

    def __repr__(self) -> str:
        x, y, z = self.feet
        return (
            f"WalkerState(tick={self.tick}, feet=({x:.4f}, {y:.4f}, {z:.4f}), "
            f"velocity=({', '.join(f'{v:.3f}' for v in self.velocity)}), heading={self.heading}, "
            f"grounded={self.grounded})"
        )
