"""Proof that a course can be walked: a bot's commands, which lead to the goal in a world whose doors move."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ...core.angles import heading_from_degrees
from ...core.arguments import as_integer
from ...physics import Command
from ..events import GoalReached, Respawned
from ..world import World
from .courses import MAX_SEED, OPEN, GeneratedCourse, make_course

MAX_TICKS = 60 * 120
ARRIVED = 0.4  # m in plan
DOOR_OPEN = 0.92 * OPEN  # m by which a door has slid where the bot goes
WIDE_GAP = 1.5  # m from which on the bot sprints over a gap
JUMP_BEFORE = 0.55  # m before the edge of a gap
MAX_ATTEMPTS = 20


def proven_course(seed: int, difficulty: int, open_lanes: int | None = None) -> tuple[GeneratedCourse, list[Command]]:
    """The first course that can be walked of those with the seeds `seed`, `seed` + 2^40, ..., and the commands of a bot
    that reaches its goal (arguments as of `make_course`). RuntimeError if there is none."""
    seed = as_integer(seed, "seed", 0, MAX_SEED)
    for attempt in range(MAX_ATTEMPTS):
        course = make_course(seed + (attempt << 40), difficulty, open_lanes)
        commands = prove(course)
        if commands is not None:
            return course, commands
    raise RuntimeError(f"no course of the seed {seed} can be walked")


def prove(course: GeneratedCourse) -> list[Command] | None:
    """The commands of a bot that reaches the goal in a world with moving doors; None where it does not."""
    world, commands = World(course.level), []
    for command in _commands(course, world):
        events = world.step(command)
        commands.append(command)
        if any(isinstance(event, GoalReached) for event in events):
            return commands
        if any(isinstance(event, Respawned) for event in events) or len(commands) >= MAX_TICKS:
            return None
    return None


def _commands(course: GeneratedCourse, world: World) -> Iterator[Command]:
    """The commands of a bot that follows the way; it waits at doors that are shut."""
    door = -1  # number of the mover
    for (_, start), (kind, (x, _, z)) in zip(course.way, course.way[1:], strict=False):
        waits = kind == "door"
        was_open = True
        door += waits
        while True:
            fx, _, fz = world.walker_state.feet
            distance = math.hypot(x - fx, z - fz)
            if distance < ARRIVED:
                break
            heading = heading_from_degrees(math.degrees(math.atan2(fx - x, fz - z)))
            if waits:
                movers = course.level.environment.movers
                assert movers is not None
                is_open = float(movers.poses(world.tick)[door, 0, 3]) - movers[door].at[0] >= DOOR_OPEN
                waits, was_open = was_open or not is_open, is_open
                yield Command(heading=heading)
                continue
            # The jump begins at the near edge, 1.2 m after the point before it, and lasts until the far one.
            jumps = kind == "jump" and abs(fz - start[2]) > 1.2 - JUMP_BEFORE
            sprints = kind != "jump" or abs(z - start[2]) > 1.7 + WIDE_GAP
            yield Command(forward=1.0, heading=heading, sprint=sprints, jump=jumps)
