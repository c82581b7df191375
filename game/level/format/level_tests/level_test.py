"""Data model of the tests of a level: the player, the length of the walk, and the expectations.

Tick k is the state after k commands; tick 0 is the state at the spawn. A walk of n commands has the ticks 0 to n. All
points are in metres, in the world's coordinates. The position of the player is that of the feet, unless stated
otherwise. A time of s seconds ends with the tick floor(s * ticks_per_second).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from ....core.file_reading import REPLAY_SUFFIX
from ....core.vectors import Point
from ..findings import SourceSpan

WALK_EXTENSIONS = (".commands", ".txt", REPLAY_SUFFIX)  # of the files that `walk` can name
TIME_EPSILON = 1e-9  # ticks: rounding of seconds * ticks_per_second that is not an earlier tick


def to_ticks(seconds: float, ticks_per_second: float) -> int:
    """The number of whole ticks in a time."""
    return math.floor(seconds * ticks_per_second + TIME_EPSILON)


class BotKind(StrEnum):
    """Bot that plays a test; see docs/checking.md."""

    GOAL = "goal"  # searches a walk that reaches the goal in the time of the test
    EXPLORE = "explore"  # tries all ways: nobody gets where `never` says, somebody where `at`, `inside`, `goal` say
    RANDOM = "random"  # presses random keys


class Occurrence(StrEnum):
    """How often a condition must hold."""

    SOMETIMES = "sometimes"  # on one tick or more
    ALWAYS = "always"  # on every tick
    NEVER = "never"  # on no tick


class MeasureKind(StrEnum):
    """Quantity of a walk, as one number.

    The speed is horizontal, from the feet of a tick to those of the next. It includes what carries the player (belts,
    platforms, currents). Tick 0, and ticks in which the player was put elsewhere (respawn, teleport), have no speed.
    """

    GROUNDED = "grounded"  # share of the ticks with ground below the feet, 0 to 1
    HIGHEST = "highest"  # greatest height (y) of the feet, m
    SPEED = "speed"  # greatest speed, m/s


class CountKind(StrEnum):
    """Events of a walk that are counted."""

    TARGETS = "targets"
    HOLES = "holes"
    CHECKPOINTS = "checkpoints"  # each time that one is set
    DEATHS = "deaths"  # respawns after a fall, in a `kill` box or after being crushed
    STUCK = "stuck"  # respawns of a player who was stuck in geometry


@dataclass(frozen=True, slots=True)
class AtCondition:
    """The feet are within `radius` m (that distance included) of `point`."""

    point: Point
    radius: float


@dataclass(frozen=True, slots=True)
class InsideCondition:
    """The feet are in an axis-aligned box from `low` to `high` (with its borders), or in a zone of a name or kind."""

    low: Point | None = None
    high: Point | None = None
    zone: str = ""


@dataclass(frozen=True, slots=True)
class GroundedCondition:
    """`WalkerState.grounded` equals `grounded`."""

    grounded: bool


@dataclass(frozen=True, slots=True)
class TouchesCondition:
    """The body touches, in this tick, a triangle of one of the surfaces or pieces (contacts of the tick's trace).

    names: of surfaces (`Surface.name`), or of pieces (their field `name`, or their kind such as `stairs`).
    """

    names: tuple[str, ...]

    def matches(self, surface: str, kind: str, label: str) -> bool:
        """True if a triangle with this surface, of a piece of this kind and label (`PieceOrigin`), is one of them."""
        return any(
            name in (surface, kind) or label == f'{kind} "{name}"' or label.startswith(f'{kind} "{name}": ')
            for name in self.names
        )


@dataclass(frozen=True, slots=True)
class GoalCondition:
    """The goal is reached in this tick (event GoalReached)."""


Condition = AtCondition | InsideCondition | GroundedCondition | TouchesCondition | GoalCondition


@dataclass(frozen=True, slots=True)
class ConditionExpectation:
    """A condition holds sometimes, always or never.

    within: seconds from the start in which it must hold; None for the whole walk. end: it must hold on the last tick.
    """

    occurrence: Occurrence
    condition: Condition
    within: float | None = None
    end: bool = False
    place: SourceSpan = field(default=SourceSpan(), compare=False, repr=False)

    def last_tick(self, length: int, ticks_per_second: float) -> int:
        """The last tick, in a walk of `length` ticks, in which the condition can hold."""
        return length if self.within is None else min(length, to_ticks(self.within, ticks_per_second))


@dataclass(frozen=True, slots=True)
class MeasureExpectation:
    """Bounds of a quantity, at_least <= quantity <= at_most. One of them may be None."""

    kind: MeasureKind
    at_least: float | None
    at_most: float | None
    place: SourceSpan = field(default=SourceSpan(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class CountExpectation:
    """Number of events, at_least <= number <= at_most, or events with `names` in this order, others between them."""

    kind: CountKind
    at_least: int | None = None
    at_most: int | None = None
    names: tuple[str, ...] = ()
    place: SourceSpan = field(default=SourceSpan(), compare=False, repr=False)


Expectation = ConditionExpectation | MeasureExpectation | CountExpectation


@dataclass(frozen=True, slots=True)
class WalkPlayer:
    """A given walk: lines of a commands file, a commands file, or a replay.

    lines: written in the test itself; () for a file. file: path as written, relative to the file of the test. path: its
    real path, which exists when the level is loaded; None for lines. A replay gives its commands; it is not compared.
    """

    lines: tuple[str, ...] = ()
    file: str = ""
    path: Path | None = None
    place: SourceSpan = field(default=SourceSpan(), compare=False, repr=False)

    @property
    def is_replay(self) -> bool:
        return self.file.lower().endswith(REPLAY_SUFFIX)


@dataclass(frozen=True, slots=True)
class BotPlayer:
    """A bot. seed: of its random numbers; the same seed gives the same walks."""

    kind: BotKind
    seed: int = 1
    place: SourceSpan = field(default=SourceSpan(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class LevelTest:
    """One test of a level.

    name: unique in the level. spawn: name of the spawn; "" is the first. expect: all must hold; never empty.
    ticks, seconds: length; at most one is given. A walk has exactly this length: it is cut, or the player stands still
    at its end; without a length it is as long as its commands. `goal` and `explore`: of all bots together.
    skip: reason for not running the test. fails: reason for a test that is known to fail: it passes if an expectation
    fails, and fails if all hold. path: of the level, or of the file of tests beside it.
    """

    name: str
    player: WalkPlayer | BotPlayer
    expect: tuple[Expectation, ...]
    spawn: str = ""
    ticks: int | None = None
    seconds: float | None = None
    skip: str = ""
    fails: str = ""
    path: Path = field(default=Path(), compare=False)
    place: SourceSpan = field(default=SourceSpan(), compare=False, repr=False)

    def length(self, ticks_per_second: float) -> int | None:
        """Length in ticks; None if the test gives none."""
        if self.seconds is not None:
            return to_ticks(self.seconds, ticks_per_second)
        return self.ticks
