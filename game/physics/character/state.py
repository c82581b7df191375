"""All of a walker between two ticks: one row of 8-byte fields, and the class that reads it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.vectors import Vector, as_vector
from .layout import state_flag, state_row

STATE_ROW = np.dtype(
    [
        ("position", "f8", 3),  # m, centre of the body
        ("velocity", "f8", 3),  # m/s, the walker's own
        ("ground_normal", "f8", 3),  # unit; zero in the air
        ("radii", "f8", 3),  # m, of the present stance
        ("safe", "f8", 3),  # m, centre at the last tick on firm ground
        ("falling", "f8"),  # m/s, upward: what gravity has made so far, before slopes took their part
        ("up", "f8", 3),  # unit, against gravity
        ("north", "f8", 3),  # unit, across up: where heading 0 looks
        ("carried", "f8", 3),  # m/s, in the air: of the ground that it left; what it wishes for is beside that
        ("heading", "i8"),  # the body's, 65536 to the turn
        ("tick", "i8"),
        ("coyote", "i8"),  # ticks left in which a jump counts after walking off
        ("buffer", "i8"),  # ticks left in which a pressed jump is remembered
        ("grounded", "?"),
        ("crouched", "?"),
        ("jump_held", "?"),
        ("sliding", "?"),
        ("swimming", "?"),
        ("climbing", "?"),
        ("mover", "u2"),  # on ground: the number of the mover stood on, and 1; 0: the ground is none
    ]
)
assert STATE_ROW.itemsize == 8 * state_row.WIDTH
States = npt.NDArray[np.void]


def as_floats(rows: States) -> npt.NDArray[np.float64]:
    """The same memory as (n, WIDTH) floats, as the kernels take it."""
    return rows.view(np.float64).reshape(len(rows), state_row.WIDTH)


class WalkerState:
    """A walker at the end of a tick. Immutable; equal where its bytes are equal."""

    __slots__ = ("_floats",)

    def __init__(self, row: States) -> None:
        """From one state row, which is copied."""
        own = np.array(row, STATE_ROW).reshape(1)
        self._floats = as_floats(own)

    @classmethod
    def _from_floats(cls, floats: npt.NDArray[np.float64]) -> WalkerState:
        """Around one fresh row, not copied: for the walker alone."""
        state = cls.__new__(cls)
        state._floats = floats
        return state

    @property
    def _ints(self) -> npt.NDArray[np.int64]:
        return self._floats.view(np.int64)

    def _vector_at(self, at: int) -> Vector:
        row = self._floats
        return (row.item(at), row.item(at + 1), row.item(at + 2))

    @property
    def position(self) -> Vector:
        """Centre of the body, m."""
        return self._vector_at(state_row.POSITION)

    @property
    def feet(self) -> Vector:
        """Lowest point of the body, m."""
        (x, y, z), (a, b, c), high = (
            self._vector_at(state_row.POSITION),
            self._vector_at(state_row.UP),
            self._floats.item(state_row.RADII + 1),
        )
        return (x - high * a, y - high * b, z - high * c)

    @property
    def velocity(self) -> Vector:
        """The walker's own velocity, m/s; not the difference of positions."""
        return self._vector_at(state_row.VELOCITY)

    @property
    def heading(self) -> int:
        """The body's heading, 0..65535, counter-clockwise from -Z."""
        return self._ints.item(state_row.HEADING)

    @property
    def yaw(self) -> float:
        """The body's heading in radians."""
        return self.heading * (2.0 * np.pi / 65536.0)

    @property
    def up(self) -> Vector:
        """The direction against gravity, unit."""
        return self._vector_at(state_row.UP)

    @property
    def north(self) -> Vector:
        """Where a heading of 0 looks, unit; across `up`."""
        return self._vector_at(state_row.NORTH)

    @property
    def radii(self) -> Vector:
        """Radii of the present stance (right, up, ahead), m."""
        return self._vector_at(state_row.RADII)

    @property
    def grounded(self) -> bool:
        """Whether something holds the walker up."""
        return bool(self._ints.item(state_row.FLAGS) & state_flag.GROUNDED)

    @property
    def mover(self) -> int:
        """The number of the mover that the walker stands on, -1 where it stands on none. Its velocity is counted from
        that."""
        return (self._ints.item(state_row.FLAGS) >> state_flag.MOVER_SHIFT) - 1

    @property
    def crouched(self) -> bool:
        """Whether the body is in its low stance."""
        return bool(self._ints.item(state_row.FLAGS) & state_flag.CROUCHED)

    @property
    def sliding(self) -> bool:
        """Whether the walker slid down something steep in this tick."""
        return bool(self._ints.item(state_row.FLAGS) & state_flag.SLIDING)

    @property
    def swimming(self) -> bool:
        """Whether the walker swims: some three fifths of the body are under water."""
        return bool(self._ints.item(state_row.FLAGS) & state_flag.SWIMMING)

    @property
    def climbing(self) -> bool:
        """Whether the walker is on a ladder."""
        return bool(self._ints.item(state_row.FLAGS) & state_flag.CLIMBING)

    @property
    def ground_normal(self) -> Vector:
        """Unit normal of the ground under the walker; zeros in the air."""
        return self._vector_at(state_row.GROUND_NORMAL)

    @property
    def safe(self) -> Vector:
        """Centre of the body when it last stood on firm ground, m."""
        return self._vector_at(state_row.SAFE_POSITION)

    @property
    def tick(self) -> int:
        """Ticks since the spawn."""
        return self._ints.item(state_row.TICK)

    def row(self) -> States:
        """A copy of the state as one structured row, shape (1,)."""
        return np.frombuffer(self.to_bytes(), STATE_ROW).copy()

    def to_bytes(self) -> bytes:
        """The whole state, 240 bytes."""
        return self._floats.tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> WalkerState:
        """The state that `to_bytes` gave. ValueError for another length or values that are no state."""
        if len(data) != STATE_ROW.itemsize:
            raise ValueError(f"a walker state has {STATE_ROW.itemsize} bytes, not {len(data)}")
        row = np.frombuffer(data, STATE_ROW)
        floats = as_floats(row)
        ints = floats.view(np.int64)
        if not np.isfinite(floats[0, : state_row.HEADING]).all() or not 0 <= ints[0, state_row.HEADING] < 65536:
            raise ValueError("these bytes are not a walker state")
        return cls(row)

    def replace(self, *, position: Any = None, velocity: Any = None, heading: int | None = None) -> WalkerState:
        """The same state elsewhere, at another speed or turned. The next step pushes it clear if it is inside."""
        row = self.row()
        if position is not None:
            row["position"] = as_vector(position, "position")
            row["mover"] = 0
        if velocity is not None:
            row["velocity"] = as_vector(velocity, "velocity")
            row["falling"] = row["velocity"][0, 1]
            row["carried"] = 0.0
        if heading is not None:
            row["heading"] = int(heading) % 65536
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
