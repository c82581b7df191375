"""Clock of a lift: when the platform that carries the way comes to where one steps on it."""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...core.vectors import Floats, Point

if TYPE_CHECKING:
    from ...physics.environment.movers import Movers
    from ...sim import World

MAX_SECONDS = 30.0  # that a platform is looked ahead
LOOKS = 10  # places of a platform in a second
REACH = 0.9  # m in plan from the feet to the platform
NOWHERE = ((math.inf,) * 3,) * 2  # bounds of a mover without triangles
BESIDE = 0.2  # m from the feet to a platform that comes down on the body
MAX_STEP = 0.4  # m from the feet up or down to it


class Visit(NamedTuple):
    """A stop of a platform: ticks from and to which one can step on it or off it, and the index of its mover."""

    comes: int
    goes: int
    mover: int


def next_visit(movers: Movers, boarding: Point, tick: int, mover: int = -1) -> Visit | None:
    """The visit during which a platform is within a step of the feet at `boarding`, m, also one with walls: the first
    time that ends after `tick`. None where none comes. mover: only that one; if negative, each that does not spin."""
    every = max(1, round(movers.ticks_per_second / LOOKS))
    ticks = range(tick, tick + round(MAX_SECONDS * movers.ticks_per_second), every)
    there = np.array([_platforms_at(movers, boarding, at, REACH) for at in ticks])
    if mover >= 0:
        there[:, np.arange(len(movers)) != mover] = False
    else:
        there[:, [one.motion.spin != 0.0 for one in movers]] = False  # an arm or a turntable is no lift
    there[:, there.all(axis=0)] = False  # nor is one that never goes
    if not there.any():
        return None
    first = int(np.argmax(there.any(axis=1)))
    found = int(np.argmax(there[first]))
    gone = np.flatnonzero(~there[first:, found])
    return Visit(ticks[first], ticks[first + int(gone[0])] if len(gone) else ticks[-1], found)


@lru_cache(maxsize=1)
def _corners(movers: Movers) -> list[Floats]:
    """Corners (8, 3) of the box of each mover, in its own frame."""
    return [np.array(list(itertools.product(*np.reshape(mover.mesh.bounds or NOWHERE, (2, 3)).T))) for mover in movers]


def _platforms_at(movers: Movers, feet: Point, tick: int, reach: float) -> list[bool]:
    """Whether each mover is then within a step of the feet and within `reach` (m in plan)."""
    found = []
    x, y, z = feet
    for corners, pose in zip(_corners(movers), movers.poses(tick), strict=True):
        world = corners @ pose[:, :3].T + pose[:, 3]
        (west, bottom, north), (east, top, south) = world.min(axis=0), world.max(axis=0)
        aside = math.hypot(max(west - x, x - east, 0.0), max(north - z, z - south, 0.0))
        found.append(bool(aside <= reach and bottom - MAX_STEP <= y <= top + MAX_STEP))
    return found


def lift_text(world: World, visit: Visit | None, rides: bool = False) -> str:
    """The line about the platform of a visit: `Lift: comes in 3 s`, with a warning for who stands below it; while it is
    there, `Step on   ·   goes up in 2 s`. rides: the player is on it; then the line says when to step off: `Stay on   ·
    3 s`, `Step off   ·   2 s`. The line is empty without a visit, and once the visit is over."""
    movers = None if world.environment is None else world.environment.movers
    if visit is None or movers is None or (world.walker_state.mover >= 0) != rides or world.tick > visit.goes:
        return ""
    comes, goes = (math.ceil((tick - world.tick) / world.settings.ticks_per_second) for tick in visit[:2])
    if rides:
        return f"Stay on   ·   {comes} s" if comes > 0 else f"Step off   ·   {goes} s"
    second = world.settings.ticks_per_second
    x, y, z = movers.poses(visit.goes + second)[visit.mover][:, 3] - movers.poses(visit.goes - 1)[visit.mover][:, 3]
    is_lift = abs(y) > math.hypot(x, z)
    if comes <= 0:
        does = "leaves" if not is_lift else "goes up" if y > 0.0 else "goes down"
        return f"Step on   ·   {does} in {goes} s"
    now, then = (_platforms_at(movers, world.walker_state.feet, tick, BESIDE) for tick in (world.tick, visit.comes))
    name = movers[visit.mover].name or ("Lift" if is_lift else "Platform")
    text = f"{name[:1].upper()}{name[1:]}: comes in {comes} s"
    return f"Stand clear   ·   {text}" if then[visit.mover] and not now[visit.mover] else text
