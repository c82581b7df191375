"""Sources of walks for a comparison: a recorded part of a replay, or a fresh walk in a world."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, Protocol

from ...core.errors import ReportError
from ...core.walker_settings import WalkerSettings
from ...level import Level
from ...physics import Command, WalkerState
from ...sim.events import Event
from ...sim.replay import fingerprint, verifier
from ...sim.replay.replay_file import ReplayError, ReplayPart
from ...sim.replay.tick_report import TickReport, describe_tick
from ...sim.tick_input import TickInput
from ...sim.world import World


@dataclass(frozen=True, slots=True)
class WalkTick:
    """One tick. given: its input; row: state of the walker after it; world: of a fresh walk; world_hash: hash of the
    world's state after the tick, of a recording that has it."""

    given: TickInput
    row: Any
    events: tuple[Event, ...] = ()
    world: World | None = None
    world_hash: str = ""


@dataclass(frozen=True, slots=True)
class TickExplanation:
    """Trace of one tick, the world after it, and the command."""

    report: TickReport
    world: World
    command: Command


@dataclass(frozen=True, slots=True)
class SourceName:
    """Names of a source. text: in messages and pictures; file: replay, or level of a fresh walk; level_file: may be
    empty."""

    text: str
    file: str
    level: str
    level_file: str


class WalkSource(Protocol):
    """A walk tick by tick."""

    name: SourceName
    is_recorded: bool
    ticks_per_second: float

    @property
    def level(self) -> Level | None:
        """Level of the walk, where there is one."""

    @property
    def settings(self) -> WalkerSettings | None:
        """Body of the walk; None where a recorded one does not fit this version."""

    @property
    def start(self) -> Any:
        """State row before the first tick."""

    def ticks(self) -> Iterator[WalkTick]:
        """Each tick; once."""

    def explain(self, tick: int) -> TickExplanation | None:
        """Trace of the tick with that index, from 0, which `ticks` gave last. None where it cannot be simulated."""


class FreshWalk:
    """A walk that is simulated in a world. restored: states of the world ahead of ticks, by their index from 0, where a
    replay lacks the ticks before them."""

    is_recorded = False

    def __init__(
        self, name: SourceName, world: World, inputs: Iterator[TickInput], restored: Mapping[int, bytes] | None = None
    ) -> None:
        self.name = name
        self.world = world
        self._inputs = inputs
        self._restored = restored or {}
        self.ticks_per_second = world.settings.ticks_per_second
        self._last: tuple[WalkerState, Command, tuple[Event, ...]] | None = None

    @property
    def level(self) -> Level | None:
        return self.world.level if isinstance(self.world.level, Level) else None

    @property
    def settings(self) -> WalkerSettings | None:
        return self.world.settings

    @property
    def start(self) -> Any:
        return self.world.walker_state.row()[0]

    def ticks(self) -> Iterator[WalkTick]:
        world = self.world
        for k, given in enumerate(self._inputs):
            if k in self._restored:
                _restore(world, self._restored[k])
            events = given.begin(world)
            before = world.walker_state
            events += world.step(given.command)
            self._last = before, given.command, events
            yield WalkTick(given, world.walker_state.row()[0].copy(), events, world)

    def explain(self, tick: int) -> TickExplanation | None:
        if self._last is None or self.world.trace is None:
            return None
        before, command, events = self._last
        return TickExplanation(describe_tick(self.world, before, command, events), self.world, command)


class ReplayWalk:
    """The recorded states of a part of a replay. find_level: gives the level as it was recorded, or None."""

    is_recorded = True

    def __init__(self, name: SourceName, part: ReplayPart, find_level: Callable[[], Level | None]) -> None:
        self.name = name
        self.part = part
        self._find_level = find_level
        self.ticks_per_second = part.ticks_per_second
        self._level: Level | None = None
        self._is_found = False

    @property
    def level(self) -> Level | None:
        if not self._is_found:
            self._level = self._find_level()
            self._is_found = True
        return self._level

    @property
    def settings(self) -> WalkerSettings | None:
        try:
            return fingerprint.settings_from_values(self.part.head["settings"])
        except (ValueError, TypeError):
            return None

    @property
    def start(self) -> Any:
        return self.part.chunks[0].states[0]

    def ticks(self) -> Iterator[WalkTick]:
        inputs = replay_inputs(self.part)
        for chunk in self.part.chunks:
            for k in range(len(chunk.commands)):
                digest = chunk.hash if k == len(chunk.commands) - 1 else ""
                yield WalkTick(next(inputs), chunk.states[k + 1], (), None, digest)

    def explain(self, tick: int) -> TickExplanation | None:
        """The tick is simulated again from the start of its chunk. None where the level is not there."""
        if self.level is None:
            return None
        first = 0
        for chunk in self.part.chunks:
            if tick >= first + len(chunk.commands):
                first += len(chunk.commands)
                continue
            try:
                world = verifier.make_replay_world(self.part, self.level, [])
                verifier.restore_chunk(world, chunk)
                inputs = list(islice(replay_inputs(self.part), first, tick + 1))
            except ReplayError:
                return None
            walk = FreshWalk(self.name, world, iter(inputs))
            for _ in walk.ticks():
                pass
            return walk.explain(tick)
        return None


def replay_inputs(part: ReplayPart) -> Iterator[TickInput]:
    """The inputs of a part of a replay. ReportError for a command that does not fit this version."""
    for chunk in part.chunks:
        for k in range(len(chunk.commands)):
            try:
                yield verifier.input_of(chunk, k)
            except ReplayError as error:
                raise ReportError(str(error)) from None


def walk_again(name: SourceName, part: ReplayPart, level: Level) -> FreshWalk:
    """The commands of a part of a replay in a level, from the recorded first state. ReportError if it does not fit."""
    try:
        world = verifier.make_replay_world(part, level, [])
    except ReplayError as error:
        raise ReportError(f"{Path(name.file).name}: {error}") from None
    _restore(world, part.chunks[0].start)
    restored = {}
    ticks = 0
    for chunk, following in pairwise(part.chunks):
        ticks += len(chunk.commands)
        if following.first != chunk.end:
            restored[ticks] = following.start
    return FreshWalk(name, world, replay_inputs(part), restored)


def _restore(world: World, state: bytes) -> None:
    try:
        world.restore(state)
    except ValueError:
        raise ReportError(
            f"the recorded states do not fit the level {world.level.name}: use the level of the recording"
        ) from None
