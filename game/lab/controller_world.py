"""World with another character controller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..physics import Walker, WalkerSettings
from ..sim.world import World

if TYPE_CHECKING:
    from ..level import Level


class ControllerWorld(World):
    """A `World` whose body is moved by `walker`; fall, goal, targets and exits are the same."""

    def __init__(
        self, level: Level, walker: Walker, settings: WalkerSettings | None = None, spawn: str | None = None
    ) -> None:
        """ValueError as of `World`."""
        super().__init__(level, settings, spawn)
        self.walker = walker
        self._at_spawn = walker.spawn(self.mesh, feet=self.start.feet, heading=self.start.heading)
        self._begin()
