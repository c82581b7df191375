"""Input of one tick, as recordings, replays and tests give it to a world."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..physics import Command

if TYPE_CHECKING:
    from .events import Event
    from .world import World


@dataclass(frozen=True, slots=True)
class TickInput:
    """A command, and whether the world restarts at its spawn ahead of the tick, or the walker returns to its
    checkpoint."""

    command: Command
    restart: bool = False
    returns: bool = False

    def begin(self, world: World) -> tuple[Event, ...]:
        """Restart the world or return the walker. Gives the event of a return; a restart is none in a recording."""
        if self.restart:
            world.restart()
        return (world.return_to_checkpoint(),) if self.returns else ()

    def step(self, world: World) -> tuple[Event, ...]:
        """Advance the world by the whole tick; the events of `begin` and of the tick."""
        return self.begin(world) + world.step(self.command)
