"""Events that a tick of the world reports beside the new state."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ..core.vectors import Point

if TYPE_CHECKING:
    from ..level import Exit, Target


class RespawnReason(StrEnum):
    """Cause of a respawn."""

    FELL = "fell"  # below the kill height
    STUCK = "stuck"  # inside geometry, no way out found
    RESTARTED = "asked"  # by the player
    CRUSHED = "crushed"  # by a moving platform
    KILLED = "killed"  # in a kill zone
    TELEPORTED = "teleported"
    RETURNED = "returned"  # to the checkpoint or the respawn place, by the player


class BallLossReason(StrEnum):
    """Cause of a lost golf ball."""

    WATER = "water"
    OUT_OF_BOUNDS = "out"


@dataclass(frozen=True, slots=True)
class Respawned:
    """The walker was put somewhere else; rendering must not interpolate across it.

    heading (65536 to the turn): new direction of the view; None where it keeps its own.
    """

    tick: int
    reason: RespawnReason
    feet: Point
    heading: int | None
    name: str = ""  # of the zone that did it


@dataclass(frozen=True, slots=True)
class GoalReached:
    """The feet entered the goal's sphere for the first time, `seconds` after the start."""

    tick: int
    seconds: float


@dataclass(frozen=True, slots=True)
class ExitReached:
    """The feet entered an exit's sphere. The world continues; the caller loads the other level."""

    tick: int
    exit: Exit


@dataclass(frozen=True, slots=True)
class TargetReached:
    """The body touched a target for the first time; remaining: targets not yet reached."""

    tick: int
    target: Target
    remaining: int


@dataclass(frozen=True, slots=True)
class CheckpointReached:
    """The walker stood in a checkpoint other than the last one; name: may be empty."""

    tick: int
    name: str


@dataclass(frozen=True, slots=True)
class BallStruck:
    """The golf ball was struck. hole: index from 0; strokes: at this hole, this one included; strength: 0..1."""

    tick: int
    hole: int
    strokes: int
    strength: float


@dataclass(frozen=True, slots=True)
class HoledOut:
    """The golf ball fell into the cup after `strokes` strokes; remaining: holes not yet played."""

    tick: int
    hole: int
    name: str
    strokes: int
    par: int
    remaining: int


@dataclass(frozen=True, slots=True)
class BallLost:
    """The golf ball was lost and put back; `strokes` includes the penalty."""

    tick: int
    hole: int
    reason: BallLossReason
    strokes: int


Event = Respawned | GoalReached | ExitReached | TargetReached | CheckpointReached | BallStruck | HoledOut | BallLost
