"""Targets of a level, the flags of those that were reached, and places where nothing of a level can be reached."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..core.vectors import Point
from ..level.build.entities.zones import RunRole

if TYPE_CHECKING:
    from ..level import Level, Target
    from ..level.build.entities.zones import LevelZone
    from ..physics import WalkerState
SEARCH_PERIOD = 8  # ticks from one search of a quiet place to the next, as a walker may stay near something


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


class QuietPlace:
    """A sphere that no checkpoint, kill zone, teleport, exit, target or goal reaches.

    A world asks for these in a tick only where the feet are outside it. Its radius is a lower bound, so it changes no
    result. Levels with zones that movers carry have none.
    """

    def __init__(self, level: Level, body: float) -> None:
        """body: m from the feet to any point of the body that counts, at most."""
        self._spheres = [(exit_.at, exit_.radius) for exit_ in level.exits]
        self._spheres += [(target.at, target.radius) for target in level.targets]
        self._spheres += [] if level.goal is None else [(level.goal.at, level.goal.radius)]
        self._zones = [zone for zone in level.all_zones if zone.facts.role is not RunRole.NOTHING]
        self._body = body if all(zone.mover < 0 for zone in self._zones) else math.inf
        self._centre: Point = (0.0, 0.0, 0.0)
        self._squared_radius = -1.0

    def contains(self, feet: Point) -> bool:
        """Whether the feet are inside it."""
        centre = self._centre
        x, y, z = feet[0] - centre[0], feet[1] - centre[1], feet[2] - centre[2]
        return x * x + y * y + z * z < self._squared_radius

    def follow(self, feet: Point, tick: int) -> None:
        """In every eighth tick, place it around the feet, as large as it can be."""
        if tick % SEARCH_PERIOD:
            return
        distances = [math.dist(feet, at) - radius for at, radius in self._spheres]
        distances += [_distance(zone, feet) for zone in self._zones]
        radius = min(distances, default=math.inf) - self._body
        self._centre, self._squared_radius = feet, radius * radius if radius > 0.0 else -1.0


def _distance(zone: LevelZone, point: Point) -> float:
    """Distance (m) to the box of a zone, or less."""
    half, centre = zone.half, zone.centre
    aside = math.hypot(point[0] - centre[0], point[2] - centre[2]) - math.hypot(half[0], half[2])
    return max(aside, abs(point[1] - centre[1]) - half[1])
