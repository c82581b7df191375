"""A world in which another method walks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..physics import Walker, WalkerSettings
from ..sim.world import World

if TYPE_CHECKING:
    from ..level import Level


class ControllerWorld(World):
    """The same rules around the walker (fall, goal, targets, exits), with `walker` in the walker's place."""

    def __init__(
        self, level: Level, walker: Walker, settings: WalkerSettings | None = None, spawn: str | None = None
    ) -> None:
        """ValueError as `World` raises it."""
        super().__init__(level, settings, spawn)
        self.walker = walker
        self._at_spawn = walker.spawn(self.mesh, feet=self.start.feet, heading=self.start.heading)
        self._begin()
