"""What a tick of the world can report besides the new state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from game.level import Exit, Target

Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Respawned:
    """The walker was put somewhere else; whoever draws must not interpolate across it.

    `heading` (65536 to the turn) is where the view should look, or None where it keeps its direction.
    """

    tick: int
    reason: Literal["fell", "stuck", "asked", "killed", "teleported"]
    feet: Point
    heading: int | None
    name: str = ""  # of what did it, where that has one


@dataclass(frozen=True, slots=True)
class GoalReached:
    """The feet came inside the goal's sphere for the first time, `seconds` after the start."""

    tick: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Left:
    """The feet came into an exit's sphere. The world goes on as before: another level is for the caller to load."""

    tick: int
    exit: Exit


@dataclass(frozen=True, slots=True)
class TargetReached:
    """The body touched a target for the first time; `left` others are still to be touched."""

    tick: int
    target: Target
    left: int


@dataclass(frozen=True, slots=True)
class CheckpointReached:
    """The walker stood in a checkpoint that was not the last one it stood in; `name` is empty where it has none."""

    tick: int
    name: str


Event = Respawned | GoalReached | Left | TargetReached | CheckpointReached
