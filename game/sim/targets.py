"""Targets of a level, and the flags of those that were reached."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..level import Target
    from ..physics import WalkerState


class ReachedTargets:
    """One flag for each target in the level's order; set until `reset`.

    A target is reached when a point of the segment from the feet to the top of the head lies in its sphere.
    """

    def __init__(self, targets: Sequence[Target]) -> None:
        self.targets = tuple(targets)
        self.flags = bytearray(len(self.targets))

    @property
    def remaining(self) -> int:
        """Number of targets that are not reached."""
        return self.flags.count(0)

    def reset(self) -> None:
        self.flags = bytearray(len(self.targets))

    def mark_reached(self, state: WalkerState) -> list[int]:
        """Set the flags of the targets that this state touches; the indices of the new ones, ascending."""
        reached = [
            number
            for number, target in enumerate(self.targets)
            if not self.flags[number] and body_touches_sphere(state, target.at, target.radius)
        ]
        for number in reached:
            self.flags = self.flags[:number] + b"\1" + self.flags[number + 1 :]  # a copy of this object keeps its own
        return reached

    def to_bytes(self) -> bytes:
        """One byte for each target."""
        return bytes(self.flags)

    def from_bytes(self, value: bytes) -> None:
        """Restore the flags of as many targets. ValueError for other bytes."""
        if len(value) != len(self.targets) or value.strip(b"\0\1"):
            raise ValueError("these bytes are not a saved state of these targets")
        self.flags = bytearray(value)


def body_touches_sphere(state: WalkerState, at: Sequence[float], radius: float) -> bool:
    """Whether the segment from the feet to the top of the head comes within `radius` m of `at`."""
    feet = state.feet
    up = state.up
    tall = 2.0 * state.radii[1]
    x, y, z = at[0] - feet[0], at[1] - feet[1], at[2] - feet[2]
    along = min(max(x * up[0] + y * up[1] + z * up[2], 0.0), tall)
    dx, dy, dz = x - along * up[0], y - along * up[1], z - along * up[2]
    return dx * dx + dy * dy + dz * dz <= radius * radius
