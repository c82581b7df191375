"""What is said in the middle of the picture: two lines for some seconds, about what happened in a tick."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...sim import BallLost, CheckpointReached, GoalReached, HoledOut, Respawned, TargetReached
from . import objective_messages

if TYPE_CHECKING:
    from ...sim.events import Event
    from ..game import Game

USUAL_SECONDS = 4.0
GOAL_SECONDS = 10.0

RESPAWNED = {
    "fell": ("You fell", "back to where you last stood safely"),
    "stuck": ("You were stuck", "back to where you last stood safely"),
    "killed": ("That was no place to be", "back to the last checkpoint"),
}


@dataclass(slots=True)
class Message:
    """Two lines that stand until the clock passes `until`."""

    text: str
    below: str
    until: float


def told(event: Event, game: Game) -> tuple[str, str, float] | None:
    """The two lines about an event, and for how many seconds they stand; None where nothing is said of it."""
    assert game.session is not None
    world = game.session.world
    match event:
        case Respawned():
            text, below = RESPAWNED.get(event.reason, ("", ""))
            return (event.name or text, below, USUAL_SECONDS) if event.name or text else None
        case CheckpointReached():
            return None if game.trial.tells(event.name) else ("Checkpoint", event.name, USUAL_SECONDS)
        case HoledOut() | BallLost():
            return *game.golfing.happened(event, world), GOAL_SECONDS
        case TargetReached():
            return *objective_messages.reached(event, world), objective_messages.MESSAGE_SECONDS
        case GoalReached():
            return *game.trial.said_at_the_goal(event.seconds), GOAL_SECONDS
    return None
