"""Findings of the bots as data: kind, source location, measurements, and the walk that shows them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from ...level.format.findings import SourceSpan
from ...level.geometry.faces import TargetSpec
from .places import Points
from .search import BotTarget, TargetKind

if TYPE_CHECKING:
    from ...level import Level


class FindingKind(StrEnum):
    """Kind of a finding. The values are words of a piece's `intended` field, except for STUCK and the targets."""

    FALL = "fall"  # a player can fall out of the level
    PIT = "pit"  # a player can get in, and not out
    STUCK = "stuck"  # no key moves the player
    UNREACHED = "unreached"  # walkable ground was not reached
    GOAL = "goal"  # a target of this kind was not reached
    TARGET = "target"
    EXIT = "exit"
    SPAWN = "spawn"

    @property
    def intended_word(self) -> str:
        """The word of `intended` that suppresses the finding."""
        return FindingKind.PIT.value if self == FindingKind.STUCK else self.value


@dataclass(frozen=True, slots=True)
class FallDetails:
    """A fall over an edge: the corners (x, z) in m of the places fallen from, and the index of the origin that the
    player jumped off, where it is another piece."""

    low: tuple[float, float]
    high: tuple[float, float]
    takeoff_origin: int | None


@dataclass(frozen=True, slots=True)
class TrapDetails:
    """A region without a way out: area (m2), depth (m), and whether it lies under water, out of which nobody swims."""

    area: float = 0.0
    depth: float = 0.0
    in_water: bool = False


@dataclass(frozen=True, slots=True)
class UnreachedDetails:
    """Ground that was not reached: area (m2), and the targets on it."""

    area: float
    targets: tuple[BotTarget, ...]


@dataclass(frozen=True, slots=True)
class TargetDetails:
    """A target that was not reached: the distance (m) of the nearest place reached, and the number of tries.

    spawn: the first spawn, where bots reached the target from another one; else empty
    """

    target: BotTarget
    distance: float
    tries: int
    spawn: str = ""


FindingDetails = FallDetails | TrapDetails | UnreachedDetails | TargetDetails


@dataclass(frozen=True, slots=True)
class BotFinding:
    """One finding of the bots.

    place        span of the level's source; where: label of the piece or field there, empty for neither
    position     m
    commands     text of a commands file that walks there from the spawn
    spawn        name of the spawn that the walk begins at; empty for the first
    path         (n,3) the feet on that walk, m
    area_points  (n,3) all places that the finding is about, m
    """

    kind: FindingKind
    place: SourceSpan
    where: str
    details: FindingDetails
    position: tuple[float, float, float]
    commands: str = ""
    spawn: str = ""
    path: Points = field(default_factory=lambda: np.zeros((0, 3)))
    area_points: Points = field(default_factory=lambda: np.zeros((0, 3)))


def is_intended(level: Level, kind: FindingKind, origin: int) -> bool:
    """Whether the piece has the finding's word in its `intended` field."""
    return kind.intended_word in level.origins[origin].intended


def origin_span(level: Level, origin: int | None) -> tuple[SourceSpan, str]:
    """(source span, label) of a piece; empty ones for no piece."""
    if origin is None:
        return SourceSpan(), ""
    return level.origins[origin].place, level.origins[origin].label


def target_span(level: Level, target: BotTarget) -> tuple[SourceSpan, str]:
    """(source span, field or label) of a target."""
    if target.kind == TargetKind.GOAL and level.goal is not None:
        return level.goal.place, "goal"
    if target.kind == TargetKind.EXIT:
        return level.exits[target.number].place, "exits"
    if target.kind == TargetKind.SPAWN:
        return level.spawns[target.number].place, "spawns"
    balls = [mark for mark in level.faces.marks if isinstance(mark.payload, TargetSpec)]
    return origin_span(level, balls[target.number].origin)
