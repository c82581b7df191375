"""Moving platforms of a level for the physics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..physics import Mover, Movers

if TYPE_CHECKING:
    from ..level import Level


def create_movers(level: Level, ticks_per_second: float) -> Movers | None:
    """The moving platforms of a level; None where there are none."""
    if not level.movers:
        return None
    return Movers([Mover(mover.mesh, mover.at, mover.motion, mover.name) for mover in level.movers], ticks_per_second)
