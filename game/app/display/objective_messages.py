"""Messages about objectives: targets found, and a goal that needs them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..guidance.aim import count_noun, describe_aim, target_noun

if TYPE_CHECKING:
    from ...sim import TargetReached, World

MESSAGE_SECONDS = 2.5


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
    found = f"All {count_noun(2, target_noun(world.level))} found"
    return name, f"{found}   ·   {describe_aim(world.level, world)}" if waits else found


def objective_line(world: World, hint: str) -> str:
    """A line about a goal that still needs targets; else the hint."""
    if world.is_at_goal and world.targets_missing and world.goal_tick < 0:
        left = world.targets_missing
        return f"Find {left} more {count_noun(left, target_noun(world.level))} to open the goal"
    return hint
