"""What the game says and shows of targets, of a goal that waits for them, and of where an exit leads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...sim import TargetReached, World

FADE_SECONDS = 1.1  # that a mark takes to fade: long enough to be seen, short enough not to be waited for
MESSAGE_SECONDS = 2.5
NEAR_EXIT = 2.5  # metres from an exit's ball, from which on the game tells where it leads


class Fading:
    """How far the mark of each target has faded: 0 waiting, 1 reached."""

    def __init__(self) -> None:
        self.parts: tuple[float, ...] = ()

    def follow(self, reached: Sequence[int], seconds: float, jump: bool = False) -> tuple[float, ...]:
        """The parts `seconds` later; `jump`, or another number of targets, shows all as they are at once."""
        wanted = tuple(float(flag) for flag in reached)
        if jump or len(wanted) != len(self.parts):
            self.parts = wanted
        step = seconds / FADE_SECONDS
        self.parts = tuple(
            min(part + step, 1.0) if flag else 0.0 for part, flag in zip(self.parts, wanted, strict=True)
        )
        return self.parts


def tally(world: World) -> str:
    """`2 of 5`; nothing in a level without targets."""
    count = len(world.targets.targets)
    return f"{count - world.targets.left} of {count}" if count else ""


def reached(event: TargetReached, world: World) -> tuple[str, str]:
    """What is said when a target is reached."""
    name = event.target.name or "Found"
    if event.left:
        return name, f"{tally(world)}   ·   {event.left} to find"
    waits = getattr(world.level.goal, "after", "") == "targets" and world.goal_tick < 0
    return name, "that was the last one: now to the goal" if waits else "that was the last one"


def bottom_line(world: World, hint: str) -> str:
    """A line about where one stands: at a goal that still waits; else the hint, or at an exit where that leads."""
    if world.at_goal and world.targets_wanted and world.goal_tick < 0:
        left = world.targets_wanted
        return f"The goal waits: {left} target{'' if left == 1 else 's'} to find"
    if hint:
        return hint
    feet = world.walker_state.feet
    ways = [(math.dist(feet, way.at) - way.radius, way.name) for way in getattr(world.level, "exits", ())]
    distance, name = min(ways, default=(math.inf, ""))
    return f"This way: {name}" if distance < NEAR_EXIT and name else ""
