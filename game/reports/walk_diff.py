"""Walk diff: two walks in step, up to the first tick that differs, and both as tables to their ends.

A walk is a recorded part of a replay, or a fresh walk in a world.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ..core.errors import ReportError
from ..core.vectors import Floats
from ..drawing import palette
from ..drawing.canvas import INK, Canvas
from ..drawing.chart import Chart, Series
from ..drawing.drawn_walk import DrawnWalk
from ..drawing.plan import DrawnPath
from ..drawing.plot_sheet import draw_sheet, height_chart
from ..level import Level
from ..physics import Command
from ..physics.character.state import STATE_ROW
from ..sim.events import Event
from ..sim.replay import verifier
from ..sim.replay.fingerprint import level_hash
from ..sim.replay.replay_file import ReplayError, ReplayPart
from ..sim.replay.verifier import WORLD_COUNTERS, FieldDifference, compare_rows
from ..sim.replay.walk_table import WalkTable
from ..sim.tick_input import TickInput
from ..sim.world import World

MIN_DISTANCE_SPAN = 1e-3  # m of the axis of distances: below it walks lie on each other
COLOURS = (palette.WALK_COLOURS[1], palette.WALK_COLOURS[0])  # of A and B
WIDTHS = (6.6, 2.8)  # pixels: both show where they lie on each other
CHART_WIDTHS = (5.0, 2.2)  # pixels
ROUNDING = 1e-9  # m by which the distance of two walks changes without a reason
EVENTS = "events"  # name of a difference in the events of a tick
STATE_FIELDS = {  # name: (unit, meaning)
    "position": ("m", "centre of the body"),
    "velocity": ("m/s", "the body's own velocity"),
    "ground_normal": ("", "unit normal of the ground; zeros in the air"),
    "radii": ("m", "half axes of the body in its present stance: sideways, up, forward"),
    "safe": ("m", "safe place: centre of the body when it last stood on firm ground"),
    "falling": ("m/s", "upward velocity by gravity, before slopes took their part"),
    "up": ("", "unit vector against gravity"),
    "north": ("", "unit vector of heading 0, perpendicular to `up`"),
    "carried": ("m/s", "in the air: velocity of the ground that the body left, in addition to its own"),
    "heading": ("1/65536 turn", "heading of the body, counter-clockwise from `north`"),
    "tick": ("ticks", "number of simulated ticks"),
    "coyote": ("ticks", "time left in which a jump counts after the body left the ground"),
    "buffer": ("ticks", "time left in which a pressed jump is remembered"),
    "grounded": ("", "whether the body stands on ground"),
    "crouched": ("", "whether the body crouches"),
    "jump_held": ("", "whether the jump key is held"),
    "sliding": ("", "whether the body slides on a steep slope"),
    "swimming": ("", "whether the body swims"),
    "climbing": ("", "whether the body is on a ladder"),
    "mover": ("", "number of the moving platform under the body, from 1; 0: none"),
    "safe_up": ("", "`up` at the safe place"),
    "safe_north": ("", "`north` at the safe place"),
    "safe_heading": ("1/65536 turn", "`heading` at the safe place"),
    "safe_crouched": ("", "1 if the body crouched at the safe place, else 0"),
    EVENTS: ("", "names of the events of the tick, where the walkers are the same"),
    WORLD_COUNTERS: ("", "hash of what the world keeps beside the walker, where the walkers are the same"),
}
TYPE_NAMES = {"f": "number", "i": "integer", "u": "integer", "b": "boolean"}  # by kind of a NumPy type
OTHER_TYPES = {EVENTS: "array of strings", WORLD_COUNTERS: "string"}


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
    def start(self) -> Any:
        """State row before the first tick."""

    def ticks(self) -> Iterator[WalkTick]:
        """Each tick; once."""


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

    @property
    def level(self) -> Level | None:
        return self.world.level if isinstance(self.world.level, Level) else None

    @property
    def start(self) -> Any:
        return self.world.walker_state.row()[0]

    def ticks(self) -> Iterator[WalkTick]:
        world = self.world
        for k, given in enumerate(self._inputs):
            if k in self._restored:
                _restore(world, self._restored[k])
            events = given.begin(world)
            events += world.step(given.command)
            yield WalkTick(given, world.walker_state.row()[0].copy(), events, world)


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
    def start(self) -> Any:
        return self.part.chunks[0].states[0]

    def ticks(self) -> Iterator[WalkTick]:
        inputs = replay_inputs(self.part)
        for chunk in self.part.chunks:
            for k in range(len(chunk.commands)):
                digest = chunk.hash if k == len(chunk.commands) - 1 else ""
                yield WalkTick(next(inputs), chunk.states[k + 1], (), None, digest)


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


def type_of_field(name: str) -> str:
    """Type of the value of a field in the document."""
    if name in OTHER_TYPES:
        return OTHER_TYPES[name]
    dtype = STATE_ROW[name]
    return "3 numbers" if dtype.shape == (3,) else TYPE_NAMES[dtype.kind]


class DifferenceKind(StrEnum):
    """What differs first."""

    START = "start"  # the states before the first tick
    COMMAND = "command"  # the input
    STATE = "state"  # the walker
    WORLD = "world"  # what the world keeps beside the walker
    LENGTH = "length"  # one walk ends before the other


@dataclass(frozen=True, slots=True)
class WalkDifference:
    """The first difference. tick: from 1; 0 is the start. commands: of both walks, None for none. fields: recorded is
    the value of A, now that of B. feet: of both after the tick, m. text: what differs, where no field says it."""

    kind: DifferenceKind
    tick: int
    commands: tuple[Command | None, Command | None]
    fields: tuple[FieldDifference, ...]
    feet: tuple[Floats, Floats]
    text: str = ""


@dataclass(slots=True)
class WalkComparison:
    """Result for two walks. matching: ticks before the difference. walks: A and B, the start first."""

    a: WalkSource
    b: WalkSource
    matching: int = 0
    difference: WalkDifference | None = None
    walks: list[DrawnWalk] = field(default_factory=list)

    @property
    def distances(self) -> Floats:
        """(n,): distance of the feet (m) at the start and after each tick that both have."""
        count = min(len(walk.table.feet) for walk in self.walks)
        apart: Floats = np.linalg.norm(self.walks[0].table.feet[:count] - self.walks[1].table.feet[:count], axis=1)
        return apart

    @property
    def furthest(self) -> tuple[int, float]:
        """(tick, m) where the feet are furthest apart: the first one, up to rounding."""
        distances = self.distances
        apart = (distances > 0.0) & (distances >= distances.max() - ROUNDING)
        tick = int(apart.argmax())
        return tick, float(distances[tick])


def compare_walks(a: WalkSource, b: WalkSource) -> WalkComparison:
    """Compare two walks tick by tick, bit for bit. Both are walked to their ends."""
    result = WalkComparison(a, b)
    rows: tuple[list[object], list[object]] = ([a.start.copy()], [b.start.copy()])
    started = compare_rows(a.start, b.start)
    if started:
        feet = _feet(rows[0][0]), _feet(rows[1][0])
        result.difference = WalkDifference(DifferenceKind.START, 0, (None, None), tuple(started), feet)
    for number, (one, other) in enumerate(zip_longest(a.ticks(), b.ticks()), start=1):
        for tick, kept in ((one, rows[0]), (other, rows[1])):
            if tick is not None:
                kept.append(tick.row)
        if result.difference is None:
            result.difference = _difference(number, one, other, (rows[0][-1], rows[1][-1]))
            result.matching += result.difference is None
    for source, kept in zip((a, b), rows, strict=True):
        table = WalkTable.of_states(np.array(kept), np.arange(len(kept)))
        result.walks.append(DrawnWalk(source.name.text, table, source.ticks_per_second))
    return result


def _difference(
    number: int, one: WalkTick | None, other: WalkTick | None, last: tuple[object, object]
) -> WalkDifference | None:
    feet = _feet(last[0]), _feet(last[1])
    if one is None or other is None:
        ended = "A" if one is None else "B"
        text = f"{ended} ends before this tick; up to there the walks are the same"
        commands = None if one is None else one.given.command, None if other is None else other.given.command
        return WalkDifference(DifferenceKind.LENGTH, number, commands, (), feet, text)
    commands = one.given.command, other.given.command
    fields = compare_rows(one.row, other.row) if one.row.tobytes() != other.row.tobytes() else []
    if one.given != other.given:
        text = _describe_inputs(one.given, other.given)
        return WalkDifference(DifferenceKind.COMMAND, number, commands, tuple(fields), feet, text)
    if fields:
        return WalkDifference(DifferenceKind.STATE, number, commands, tuple(fields), feet)
    world_fields = _world_fields(one, other)
    if world_fields:
        return WalkDifference(DifferenceKind.WORLD, number, commands, world_fields, feet)
    return None


def _describe_inputs(one: TickInput, other: TickInput) -> str:
    """What differs between the inputs of a tick."""
    if one.command != other.command:
        return "the commands differ"
    if one.restart != other.restart:
        return f"only {'A' if one.restart else 'B'} restarts before this tick"
    return f"only {'A' if one.returns else 'B'} returns to its checkpoint before this tick"


def _world_fields(one: WalkTick, other: WalkTick) -> tuple[FieldDifference, ...]:
    """What differs beside the walkers: events of two fresh walks, hashes where there is a recording."""
    if one.world is not None and other.world is not None:
        ours, theirs = (tuple(type(event).__name__ for event in tick.events) for tick in (one, other))
        a, b = (", ".join(side) or "none" for side in (ours, theirs))
        return () if ours == theirs else (FieldDifference(EVENTS, a, b, (ours, theirs)),)
    hashes = []
    for tick, partner in ((one, other), (other, one)):
        digest = tick.world_hash
        if tick.world is not None and partner.world_hash:
            digest = tick.world.hash()
        hashes.append(digest)
    if "" in hashes or hashes[0] == hashes[1]:
        return ()
    return (FieldDifference(WORLD_COUNTERS, f"hash {hashes[0]}", f"hash {hashes[1]}"),)


def _feet(row: object) -> Floats:
    feet: Floats = WalkTable.of_states(np.array([row]), np.zeros(1, np.int64)).feet[0]
    return feet


# ---- the picture


def draw_comparison(comparison: WalkComparison, level_a: Level, level_b: Level) -> Canvas:
    """The picture of a comparison, on the plan of level B. B is drawn as a thin line above A."""
    difference = comparison.difference
    walks = comparison.walks
    paths = [DrawnPath(walk.table.feet, COLOURS[k], WIDTHS[k], "AB"[k]) for k, walk in enumerate(walks)]
    lines = [(path, f"{path.label}: {walk.name}") for path, walk in zip(paths, walks, strict=True)]
    is_one = level_hash(level_a) == level_hash(level_b)
    subtitle = ("" if is_one else "on the plan of B; ") + _subtitle(comparison)
    names = " and ".join(dict.fromkeys((level_a.name, level_b.name)))
    mark = None if difference is None else difference.tick / comparison.a.ticks_per_second
    distances: Floats = comparison.distances
    apart = [Series(walks[0].seconds[: len(distances)], distances, INK)]
    charts = (
        Chart("Distance between A and B (m)", apart, mark, is_from_zero=True, min_span=MIN_DISTANCE_SPAN),
        height_chart(walks, list(zip(COLOURS, CHART_WIDTHS, strict=True)), mark),
    )
    rings = [] if difference is None else [(difference.feet[0] + difference.feet[1]) / 2]
    return draw_sheet(level_b, walks, (names, subtitle), lines, charts, rings)


def _subtitle(comparison: WalkComparison) -> str:
    difference = comparison.difference
    if difference is None:
        return f"the walks are the same: {comparison.matching} ticks"
    seconds = difference.tick / comparison.a.ticks_per_second
    return f"first difference at tick {difference.tick} ({seconds:.2f} s)"


# ---- the JSON document


def diff_fields(
    comparison: WalkComparison,
    status: int,
    notes: Sequence[str],
    commands: tuple[str, str],
    output: Path | None,
) -> dict[str, object]:
    """Fields of the document (schemas/diff.json). commands: of the first tick that differs, as texts."""
    tick, metres = comparison.furthest
    difference = comparison.difference
    return {
        "status": status,
        "a": _side_fields(comparison.a, len(comparison.walks[0].table.tick) - 1),
        "b": _side_fields(comparison.b, len(comparison.walks[1].table.tick) - 1),
        "notes": list(notes),
        "matching_ticks": comparison.matching,
        "difference": None if difference is None else _difference_fields(comparison, difference, commands),
        "furthest": {"metres": metres, "tick": tick},
        "picture": None if output is None else str(output),
    }


def _side_fields(source: WalkSource, ticks: int) -> dict[str, object]:
    return {
        "name": source.name.text,
        "source": "replay" if source.is_recorded else "walk",
        "file": source.name.file,
        "level": source.name.level,
        "level_file": source.name.level_file,
        "ticks": ticks,
    }


def _difference_fields(
    comparison: WalkComparison, difference: WalkDifference, commands: tuple[str, str]
) -> dict[str, object]:
    values = [(field, field.values or (field.recorded, field.now)) for field in difference.fields]
    return {
        "tick": difference.tick,
        "seconds": difference.tick / comparison.a.ticks_per_second,
        "kind": difference.kind.value,
        "text": difference.text,
        "command_a": commands[0],
        "command_b": commands[1],
        "fields": [{"field": field.name, "a": a, "b": b} for field, (a, b) in values],
        "feet_a": difference.feet[0].tolist(),
        "feet_b": difference.feet[1].tolist(),
    }
