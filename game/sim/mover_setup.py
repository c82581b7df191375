"""A level's movers, as the physics of a world takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..physics import Mover, Movers

if TYPE_CHECKING:
    from ..level import Level


def create_movers(level: Level | Any, ticks_per_second: float) -> Movers | None:
    """The movers of a level by the ticks of a world; None where there are none."""
    movers = getattr(level, "movers", ())
    if not movers:
        return None
    return Movers([Mover(one.mesh, one.at, one.motion, one.name) for one in movers], ticks_per_second)
