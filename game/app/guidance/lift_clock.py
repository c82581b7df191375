"""Clock of a lift: when the platform that carries the way comes to where one steps on it."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from ...core.vectors import Point

if TYPE_CHECKING:
    from ...physics.environment.movers import Movers
    from ...sim import World

MAX_SECONDS = 30.0  # that a platform is looked ahead
LOOKS = 10  # places of a platform in a second
REACH = 0.9  # m in plan from the feet to the platform
NOWHERE = ((math.inf,) * 3,) * 2  # bounds of a mover without triangles
MAX_STEP = 0.4  # m from the feet up or down to it


def next_visit(movers: Movers, boarding: Point, tick: int) -> tuple[int, int] | None:
    """Ticks from and to which a platform is within a step of the feet at `boarding`, m, also one with walls: the first
    time that ends after `tick`. None where none comes."""
    every = max(1, round(movers.ticks_per_second / LOOKS))
    ticks = range(tick, tick + round(MAX_SECONDS * movers.ticks_per_second), every)
    corners = [
        np.array(list(itertools.product(*np.reshape(mover.mesh.bounds or NOWHERE, (2, 3)).T))) for mover in movers
    ]
    there = np.zeros((len(ticks), len(movers)), np.bool_)
    x, y, z = boarding
    for row, at in enumerate(ticks):
        for number, pose in enumerate(movers.poses(at)):
            world = corners[number] @ pose[:, :3].T + pose[:, 3]
            (west, bottom, north), (east, top, south) = world.min(axis=0), world.max(axis=0)
            aside = math.hypot(max(west - x, x - east, 0.0), max(north - z, z - south, 0.0))
            there[row, number] = aside <= REACH and bottom - MAX_STEP <= y <= top + MAX_STEP
    moving = there[:, ~there.all(axis=0)]  # one that never goes is no lift
    if not moving.any():
        return None
    first = int(np.argmax(moving.any(axis=1)))
    gone = np.flatnonzero(~moving[first:, int(np.argmax(moving[first]))])
    return ticks[first], ticks[first + int(gone[0])] if len(gone) else ticks[-1]


def lift_text(world: World, visit: tuple[int, int] | None) -> str:
    """`Lift in 3 s`, or `Step on   ·   2 s` while it is there; empty for no visit, for one that is over, and on it."""
    if visit is None or world.walker_state.mover >= 0 or world.tick > visit[1]:
        return ""
    comes, goes = (math.ceil((tick - world.tick) / world.settings.ticks_per_second) for tick in visit)
    return f"Lift in {comes} s" if comes > 0 else f"Step on   ·   {goes} s"
