"""Messages about objectives: targets found, and a goal that needs them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..guidance.aim import count_noun, target_noun

if TYPE_CHECKING:
    from ...sim import TargetReached, World

FADE_SECONDS = 1.1  # s that the mark of a reached target takes to fade
MESSAGE_SECONDS = 2.5


class TargetFade:
    """Fade of the mark of each target: 0 not reached, 1 faded."""

    def __init__(self) -> None:
        self.fractions: tuple[float, ...] = ()

    def update(self, reached: Sequence[int], seconds: float, jump: bool = False) -> tuple[float, ...]:
        """The fades `seconds` later; `jump`, or another number of targets, sets all to their end."""
        wanted = tuple(float(flag) for flag in reached)
        if jump or len(wanted) != len(self.fractions):
            self.fractions = wanted
        step = seconds / FADE_SECONDS
        self.fractions = tuple(
            min(fade + step, 1.0) if flag else 0.0 for fade, flag in zip(self.fractions, wanted, strict=True)
        )
        return self.fractions


def target_counter(world: World) -> str:
    """`Bells 2/5`; empty in a level without targets."""
    count = len(world.reached_targets.targets)
    noun = count_noun(count, target_noun(world.level)).capitalize()
    return f"{noun} {count - world.reached_targets.remaining}/{count}" if count else ""


def target_message(event: TargetReached, world: World) -> tuple[str, str]:
    """Two lines for a reached target."""
    name = event.target.name or "Target found"
    if event.remaining:
        return name, f"{target_counter(world)}   ·   {event.remaining} left"
    goal = world.level.goal
    waits = goal is not None and goal.after == "targets" and world.goal_tick < 0
    return name, "All targets found: go to the goal" if waits else "All targets found"


def objective_line(world: World, hint: str) -> str:
    """A line about a goal that still needs targets; else the hint."""
    if world.is_at_goal and world.targets_missing and world.goal_tick < 0:
        left = world.targets_missing
        return f"Find {left} more {count_noun(left, target_noun(world.level))} to open the goal"
    return hint
