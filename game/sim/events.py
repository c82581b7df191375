"""What a tick of the world can report besides the new state."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..level import Exit, Target

Point = tuple[float, float, float]


class RespawnReason(StrEnum):
    """Cause of a respawn."""

    FELL = "fell"  # below the kill height
    STUCK = "stuck"  # inside geometry, no way out found
    ASKED = "asked"  # the player restarted
    CRUSHED = "crushed"  # by a moving platform
    KILLED = "killed"  # in a kill zone
    TELEPORTED = "teleported"


class BallLossReason(StrEnum):
    """Cause of a lost golf ball."""

    WATER = "water"
    OUT_OF_BOUNDS = "out"


@dataclass(frozen=True, slots=True)
class Respawned:
    """The walker was put somewhere else; whoever draws must not interpolate across it.

    `heading` (65536 to the turn) is where the view should look, or None where it keeps its direction.
    """

    tick: int
    reason: RespawnReason
    feet: Point
    heading: int | None
    name: str = ""  # of what did it, where that has one


@dataclass(frozen=True, slots=True)
class GoalReached:
    """The feet came inside the goal's sphere for the first time, `seconds` after the start."""

    tick: int
    seconds: float


@dataclass(frozen=True, slots=True)
class ExitReached:
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


@dataclass(frozen=True, slots=True)
class BallStruck:
    """The golf ball was struck: the so-manieth stroke at this hole (counted from 0), with 0..1 of the full strength."""

    tick: int
    hole: int
    strokes: int
    strength: float


@dataclass(frozen=True, slots=True)
class HoledOut:
    """The golf ball fell into its cup, in so many strokes; `left` other holes are still to be played."""

    tick: int
    hole: int
    name: str
    strokes: int
    par: int
    left: int


@dataclass(frozen=True, slots=True)
class BallLost:
    """The golf ball came back from the water or from out of bounds; that stroke is counted in `strokes`."""

    tick: int
    hole: int
    reason: BallLossReason
    strokes: int


Event = Respawned | GoalReached | ExitReached | TargetReached | CheckpointReached | BallStruck | HoledOut | BallLost
