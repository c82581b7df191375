"""Waits of bots for movers: a walk that was found in the static mesh, in the world where doors and lifts move."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.vectors import is_within
from ...level import Level
from ...physics import Command
from ..world import World
from . import moves
from .exploration import static_ladders
from .moves import BotWalk, HeldKeys
from .search import Points, feet_positions

WAIT_STEP_TICKS = 15  # between two waits that are tried
MAX_WAIT_TICKS = 1800  # half a minute
MAX_DEVIATION = 0.3  # m, after which a walk in the world is not the one in the static mesh


def wait_for_movers(level: Level, spawn: str | None, walk: BotWalk) -> BotWalk | None:
    """The walk with the shortest wait at the spawn after which no mover changes its way, as a first step that stands
    still; the walk itself where none is needed, None where no wait of half a minute is enough."""
    world = World(level, spawn=spawn)
    rows = moves.walk_command_rows(walk)
    way = feet_positions(world.walker.run(world.walker_state, rows, level.mesh, around=static_ladders(level)))
    start, standing = world.walker_state.feet, Command(heading=world.start.heading)
    for wait in range(0, MAX_WAIT_TICKS + 1, WAIT_STEP_TICKS):
        waiting = world.state()
        if _passes(world, walk, way, leaves_way=not wait):
            return moves.merge_equal_steps([HeldKeys(wait, standing.heading), *walk])
        world.restore(waiting)
        for _ in range(WAIT_STEP_TICKS):
            world.step(standing)
        if _distance(world, start) > MAX_DEVIATION:
            return None  # a mover, a zone or a fall took the body away
    return None


def wait_ticks(walk: BotWalk) -> int:
    """Ticks for which a walk stands still at its start."""
    first = walk[0] if walk else HeldKeys(0)
    return first.ticks if first.forward == first.strafe == first.buttons == 0 else 0


def _passes(world: World, walk: BotWalk, way: Points, leaves_way: bool) -> bool:
    """Whether a walk ends in the world where it ends in the static mesh, and at the goal if it ends there.

    leaves_way: it may leave `way` between, such as on a mover; this is for the walk without a wait, which other tests
    have walked.
    """
    for command, feet in zip(moves.walk_commands(walk), way, strict=True):
        world.step(command)
        if not leaves_way and _distance(world, feet) > MAX_DEVIATION:
            return False
    if not len(way) or world.goal_tick >= 0:
        return True
    goal = world.level.goal
    ends_at_goal = goal is not None and is_within(tuple(way[-1]), goal.at, goal.radius)
    return world.is_at_goal if ends_at_goal else _distance(world, way[-1]) <= MAX_DEVIATION


def _distance(world: World, feet: Sequence[float] | Points) -> float:
    return float(np.abs(np.array(world.walker_state.feet) - np.array(feet)).max())
