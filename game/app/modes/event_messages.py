"""Messages about events of a tick: two lines in the middle of the picture for some seconds. Lines about objectives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.time_format import count_noun
from ...sim import BallLost, CheckpointReached, GoalReached, HoledOut, Respawned, TargetReached
from ...sim.events import RespawnReason
from ..guidance.aim import describe_aim
from ..input.actions import PlayAction
from ..runs.target_words import describe_found, target_noun
from ..visuals.feedback import DEFAULT_SECONDS

if TYPE_CHECKING:
    from ...sim import World
    from ...sim.events import Event
    from ..game import Game

TARGET_SECONDS = 2.5  # s that a reached target is shown
GOAL_SECONDS = 10.0

RESPAWN_TEXTS = {
    RespawnReason.FELL: "You fell",
    RespawnReason.STUCK: "You got stuck",
    RespawnReason.CRUSHED: "You were crushed",
    RespawnReason.KILLED: "You died",
}


def message_for_event(event: Event, game: Game) -> tuple[str, str, float] | None:
    """The two lines about an event, and the seconds that they are shown; None for an event without a message."""
    world = game.world
    match event:
        case Respawned():
            text = RESPAWN_TEXTS.get(event.reason, "")
            detail = _respawn_place(event, world) if text else ""
            if detail:
                verb = "Hold" if game.settings.rewind_key == "hold" else "Press"
                cost = ": no time, no medal" if game.runs.time_trial.rewind_costs_time else ""
                detail += f"   ·   {verb} {game.input.held.describe(PlayAction.REWIND)} to rewind{cost}"
            return (event.name or text, detail, DEFAULT_SECONDS) if event.name or text else None
        case CheckpointReached():
            is_split = game.settings.trial_clock and game.runs.time_trial.is_split_shown(event.name)
            return None if is_split else ("Checkpoint", event.name, DEFAULT_SECONDS)
        case HoledOut() | BallLost():
            return *game.feedback.golf_hud.describe_event(event, world), GOAL_SECONDS
        case TargetReached():
            return *target_message(event, world), TARGET_SECONDS
        case GoalReached():
            return *game.runs.time_trial.goal_message(event.seconds), GOAL_SECONDS
    return None


def _respawn_place(event: Respawned, world: World) -> str:
    """Sentence about the place of a respawn. That to a safe position has no heading: the view keeps its direction."""
    if event.heading is None:
        return "Back to your last safe position"
    return "Back to the start" if world.checkpoint < 0 else "Back to the last checkpoint"


def target_counter(world: World) -> str:
    """`Bells 2 of 5`; empty in a level without targets."""
    return describe_found(world.level, len(world.level.targets) - world.targets_left)


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
    """A line about a goal that still needs targets, or waits for a player who has holed out; else the hint."""
    if world.is_at_goal and world.targets_missing and world.goal_tick < 0:
        left = world.targets_missing
        return f"Find {left} more {count_noun(left, target_noun(world.level))} to open the goal"
    goal = world.level.goal
    if goal is not None and goal.after == "holes" and not world.holes_missing and world.goal_tick < 0:
        return "In the hole! Walk to the flag to finish"
    return hint
