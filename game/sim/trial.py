"""Time trial: start, split times, end and challenges of a run.

The clock starts with the first tick whose command asks for movement, so that the player can look around first. It stops
in the tick that finishes the level: at the goal; without a goal, at the last target; else at the last hole.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.arguments import as_integer, as_text
from ..core.vectors import Floats
from ..physics.character.rows import button
from ..physics.character.state import States
from ..physics.rules import NEVER
from .events import (
    BallLost,
    BallStruck,
    CheckpointReached,
    Event,
    GoalReached,
    HoledOut,
    Respawned,
    RespawnReason,
    TargetReached,
)
from .replay.replay_file import Replay, ReplayError
from .replay.walk_table import WalkTable

if TYPE_CHECKING:
    from ..level import Level
    from ..physics import Command
    from .world import World

ACTIVE_BUTTONS = np.uint32(button.JUMP | button.CROUCH | button.USE)
FALL_REASONS = (RespawnReason.FELL, RespawnReason.STUCK, RespawnReason.CRUSHED, RespawnReason.KILLED,
                RespawnReason.RETURNED)  # fmt: skip


class LevelEnd(StrEnum):
    """Condition that finishes a run of a level."""

    GOAL = "goal"
    TARGETS = "targets"
    HOLES = "holes"
    NONE = ""


class Challenge(StrEnum):
    """A rule under which a run can be finished. The values stand in progress files."""

    NO_JUMP = "no_jump"
    NO_SPRINT = "no_sprint"
    ALWAYS_CROUCHED = "crouched"
    ONLY_FORWARD = "ahead"
    NO_FALL = "no_fall"
    ALL_TARGETS = "all_targets"  # before a goal that does not require them
    PAR = "par"
    NO_LOSS = "no_loss"  # no golf ball lost


LEVEL_RULES = {  # by the words of level files
    "no_jump": Challenge.NO_JUMP, "no_sprint": Challenge.NO_SPRINT, "crouched": Challenge.ALWAYS_CROUCHED,
    "only_forward": Challenge.ONLY_FORWARD, "no_fall": Challenge.NO_FALL, "all_targets": Challenge.ALL_TARGETS,
    "par": Challenge.PAR, "no_lost_ball": Challenge.NO_LOSS,
}  # fmt: skip
KEY_RULE_SEPARATOR = "+"
KEY_TIME_SEPARATOR = "@"


@dataclass(frozen=True, slots=True)
class TrialChallenge:
    """A challenge of a run: the rules that it keeps, and the longest time (s). name, about: words of the level's own,
    else empty."""

    rules: tuple[Challenge, ...]
    within: float = math.inf
    name: str = ""
    about: str = ""

    @property
    def key(self) -> str:
        """Its name in progress files, of rules and time alone: `no_jump`, `no_jump+no_fall@40`."""
        time = "" if self.within == math.inf else f"{KEY_TIME_SEPARATOR}{self.within:g}"
        return KEY_RULE_SEPARATOR.join(self.rules) + time


class SplitKind(Enum):
    """The event that a split time belongs to."""

    CHECKPOINT = auto()
    TARGET = auto()
    HOLE = auto()


def level_end(level: Level) -> LevelEnd:
    """The goal; else the last target; else the last hole."""
    if level.goal is not None:
        return LevelEnd.GOAL
    if level.targets:
        return LevelEnd.TARGETS
    return LevelEnd.HOLES if level.golf is not None else LevelEnd.NONE


def ranks_by_strokes(level: Level) -> bool:
    """Whether strokes rank before time: the run cannot be finished without holing out."""
    if level.golf is None:
        return False
    return level_end(level) == LevelEnd.HOLES or (level.goal is not None and level.goal.after == "holes")


def offered_challenges(level: Level) -> tuple[Challenge, ...]:
    """The usual challenges of a level. Whether each can be kept is not known."""
    if level_end(level) == LevelEnd.NONE:
        return ()
    if ranks_by_strokes(level):
        return Challenge.NO_JUMP, Challenge.NO_SPRINT, Challenge.PAR, Challenge.NO_LOSS
    challenges = (Challenge.NO_JUMP, Challenge.NO_SPRINT, Challenge.ALWAYS_CROUCHED, Challenge.ONLY_FORWARD,
             Challenge.NO_FALL)  # fmt: skip
    with_targets = level.goal is not None and level.targets and level.goal.after != "targets"
    return (*challenges, Challenge.ALL_TARGETS) if with_targets else challenges


def level_challenges(level: Level) -> tuple[TrialChallenge, ...]:
    """The challenges of a level: its own, else the usual ones."""
    if level.challenges is None:
        return tuple(TrialChallenge((rule,)) for rule in offered_challenges(level))
    if level_end(level) == LevelEnd.NONE:
        return ()
    return tuple(
        TrialChallenge(
            tuple(sorted((LEVEL_RULES[rule] for rule in own.rules), key=list(Challenge).index)),
            math.inf if own.within is None else own.within,
            own.name,
            own.about,
        )
        for own in level.challenges
    )


def challenge_of_key(key: str) -> TrialChallenge | None:
    """The challenge of a key in a progress file, without words; None for a key of another version."""
    rules, _, time = key.partition(KEY_TIME_SEPARATOR)
    try:
        names = tuple(Challenge(rule) for rule in rules.split(KEY_RULE_SEPARATOR) if rule)
        within = float(time) if time else math.inf
    except ValueError:
        return None
    return TrialChallenge(names, within) if names or time else None


@dataclass(frozen=True, slots=True)
class SplitTime:
    """Time at a checkpoint, target or hole: its number from 1, its name in the level (empty where it has none), and
    the seconds since the clock began."""

    kind: SplitKind
    number: int
    name: str
    seconds: float


class TrialRun:
    """A run in progress. Call `stepped` after each tick of a world that started at its spawn.

    began    tick of the first movement; NEVER before it
    ended    tick in which the level was finished; NEVER before it
    strokes  golf strokes so far
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self._second = world.settings.ticks_per_second
        self._end = level_end(world.level)
        self.ticks = self.strokes = self.par = 0
        self.began = self.ended = NEVER
        self.splits: list[SplitTime] = []
        self._challenges = level_challenges(world.level)
        self._broken_rules: set[Challenge] = set()

    @property
    def seconds(self) -> float:
        if self.began == NEVER:
            return 0.0
        return ((self.ticks if self.ended == NEVER else self.ended) - self.began) / self._second

    @property
    def is_finished(self) -> bool:
        return self.ended != NEVER

    @property
    def kept_challenges(self) -> tuple[str, ...]:
        """Keys of the challenges that are not lost so far."""
        return tuple(
            challenge.key
            for challenge in self._challenges
            if self._broken_rules.isdisjoint(challenge.rules) and self.seconds <= challenge.within
        )

    def stepped(self, command: Command, events: tuple[Event, ...]) -> list[SplitTime]:
        """Take in a tick; the splits that it brought. Nothing changes after the end."""
        if self.is_finished:
            return []
        if self.began == NEVER and is_active_command(command):
            self.began = self.ticks
        self.ticks += 1
        if self.began == NEVER:
            return []
        self._check_command(command)
        fresh = len(self.splits)
        ends = [self._check_event(event) for event in events]
        if True in ends:
            self._finish()
        return self.splits[fresh:]

    def returned(self, event: Respawned) -> None:
        """The walker was put back to its checkpoint: as a fall."""
        if not self.is_finished and self.began != NEVER:
            self._check_event(event)

    def to_fields(self) -> dict[str, Any]:
        """The run so far as JSON values, for `from_fields`."""
        return {
            "ticks": self.ticks, "began": self.began, "ended": self.ended, "strokes": self.strokes, "par": self.par,
            "splits": [[split.kind.name, split.number, split.name, split.seconds] for split in self.splits],
            "lost": [rule.name for rule in Challenge if rule in self._broken_rules],
        }  # fmt: skip

    @classmethod
    def from_fields(cls, world: World, fields: dict[str, Any]) -> TrialRun:
        """The run of `to_fields` in a world of the same level, in its state after that run. KeyError, TypeError or
        ValueError for other values."""
        run = cls(world)
        counts = [fields[name] for name in ("ticks", "began", "ended", "strokes", "par")]
        run.ticks, run.began, run.ended, run.strokes, run.par = (
            as_integer(count, "a count", NEVER) for count in counts
        )
        run.splits = [
            SplitTime(SplitKind[kind], as_integer(number, "a number", 0), as_text(name, "a name"), float(seconds))
            for kind, number, name, seconds in fields["splits"]
        ]
        run._broken_rules = {Challenge[name] for name in fields["lost"]}
        return run

    def _lose_challenge(self, rule: Challenge) -> None:
        self._broken_rules.add(rule)

    def _check_command(self, command: Command) -> None:
        golf = self.world.golf
        is_jumping = command.jump and not (golf is not None and golf.owns_jump)
        if is_jumping:
            self._lose_challenge(Challenge.NO_JUMP)
        if command.sprint and (command.forward or command.strafe):
            self._lose_challenge(Challenge.NO_SPRINT)
        if not command.crouch and (command.forward or command.strafe or is_jumping):
            self._lose_challenge(Challenge.ALWAYS_CROUCHED)
        if command.strafe or command.forward < 0.0:
            self._lose_challenge(Challenge.ONLY_FORWARD)

    def _check_event(self, event: Event) -> bool:
        """Take in an event; whether it ends the run."""
        last = False
        if isinstance(event, Respawned) and event.reason in FALL_REASONS:
            self._lose_challenge(Challenge.NO_FALL)
        elif isinstance(event, BallStruck):
            self.strokes += 1
        elif isinstance(event, BallLost):
            self.strokes += 1
            self._lose_challenge(Challenge.NO_LOSS)
        elif isinstance(event, CheckpointReached):
            self._add_split(SplitKind.CHECKPOINT, self.world.checkpoint + 1, event.name)
        elif isinstance(event, TargetReached):
            number = self.world.level.targets.index(event.target) + 1
            self._add_split(SplitKind.TARGET, number, event.target.name)
            last = self._end == LevelEnd.TARGETS and event.remaining == 0
        elif isinstance(event, HoledOut):
            self.par += event.par
            self._add_split(SplitKind.HOLE, event.hole + 1, event.name)
            last = self._end == LevelEnd.HOLES and event.remaining == 0
        elif isinstance(event, GoalReached):
            last = True
        return last

    def _add_split(self, kind: SplitKind, number: int, name: str) -> None:
        """Only the first time counts; places of the same name are one."""
        key = name or (kind, number)
        if all((split.name or (split.kind, split.number)) != key for split in self.splits):
            self.splits.append(SplitTime(kind, number, name, self.seconds))

    def _finish(self) -> None:
        self.ended = self.ticks
        if self.world.targets_left:
            self._lose_challenge(Challenge.ALL_TARGETS)
        if self.strokes > self.par:
            self._lose_challenge(Challenge.PAR)


def is_active_command(command: Command) -> bool:
    """Whether a command asks for more than to stand and look."""
    return bool(command.forward or command.strafe or command.jump or command.crouch or command.use)


@dataclass(slots=True, kw_only=True)
class RunTrack(WalkTable):
    """A recorded run, before the first tick and after each: `tick` counts from the first movement, which starts the
    clock. states: of the walker (n + 1,)."""

    states: States
    ticks_per_second: float

    @property
    def start_tick(self) -> int:
        """The row at which the clock starts."""
        return -int(self.tick[0])

    @property
    def seconds(self) -> float:
        return int(self.tick[-1]) / self.ticks_per_second

    @property
    def path(self) -> Floats:
        """(n, 3) positions of the feet from the first movement on, m."""
        return self.feet[self.start_tick :]

    def row_at(self, seconds: float) -> float:
        """Fractional row at a time on the clock; the last row after the end."""
        return min(max(seconds, 0.0) * self.ticks_per_second + self.start_tick, float(len(self.tick) - 1))


def read_track(record: Replay) -> RunTrack:
    """The track of a recorded run. ReplayError for one without ticks."""
    part = record.parts[0]
    if not part.blocks:
        raise ReplayError("it has no ticks")
    states = np.concatenate([part.blocks[0].states[:1], *(c.states[1:] for c in part.blocks)])
    rows = np.concatenate([block.commands for block in part.blocks])
    is_active = (rows["forward"] != 0.0) | (rows["strafe"] != 0.0) | ((rows["buttons"] & ACTIVE_BUTTONS) != 0)
    began = int(np.argmax(is_active)) if is_active.any() else len(rows)
    ticks = np.arange(len(states)) - began
    return RunTrack.of_states(states, ticks, states=states, ticks_per_second=part.ticks_per_second)
