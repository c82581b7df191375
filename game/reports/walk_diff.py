"""Walk diff: two walks in step, up to the first tick that differs, and both as tables to their ends.

A walk is a recorded part of a replay, or a fresh walk in a world.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from ..drawing import palette
from ..drawing.canvas import Canvas
from ..drawing.heat_map import DrawnWalk
from ..drawing.plan import DrawnPath
from ..drawing.plot_sheet import draw_sheet, height_chart
from ..level import Level
from ..physics import Command
from ..sim.replay import verifier
from ..sim.replay.fingerprint import level_hash
from ..sim.replay.replay_file import ReplayPart
from ..sim.replay.verifier import WORLD_COUNTERS, FieldDifference, compare_rows
from ..sim.replay.walk_table import WalkTable
from ..sim.tick_input import TickInput
from ..sim.world import World

COLOURS = (palette.WALK_COLOURS[1], palette.WALK_COLOURS[0])  # of A and B
WIDTHS = (6.6, 2.8)  # pixels: both show where they lie on each other
CHART_WIDTHS = (5.0, 2.2)  # pixels
EVENTS = "events"  # name of a difference in the events of a tick


@dataclass(frozen=True, slots=True)
class WalkTick:
    """One tick. given: its input; row: state of the walker after it; events: their names, empty in a recording;
    world_hash: of the world's state after the tick, empty in a fresh walk and where a recording has none."""

    given: TickInput
    row: Any
    events: tuple[str, ...] = ()
    world_hash: str = ""


@dataclass(frozen=True, slots=True)
class ComparedWalk:
    """A walk tick by tick.

    name: in messages and pictures. level_name: of its level. find_level: gives the level, None where it is not known.
    start: state row before the first tick. ticks: each tick, once.
    """

    name: str
    level_name: str
    is_recorded: bool
    ticks_per_second: float
    find_level: Callable[[], Level | None]
    start: Any
    ticks: Iterator[WalkTick]


def fresh_walk(name: str, world: World, level: Level, inputs: Iterator[TickInput]) -> ComparedWalk:
    """A walk that is simulated in a world."""

    def ticks() -> Iterator[WalkTick]:
        for given in inputs:
            events = tuple(type(event).__name__ for event in given.step(world))
            yield WalkTick(given, world.walker_state.row()[0].copy(), events)

    start = world.walker_state.row()[0].copy()
    return ComparedWalk(name, level.name, False, world.settings.ticks_per_second, lambda: level, start, ticks())


def recorded_walk(name: str, part: ReplayPart, find_level: Callable[[], Level | None]) -> ComparedWalk:
    """The recorded states of a part of a replay. find_level: gives the level as it was recorded, or None.

    Its ticks raise ReplayError for a command that does not fit this version.
    """

    def ticks() -> Iterator[WalkTick]:
        for block in part.blocks:
            last = len(block.commands) - 1
            for k in range(last + 1):
                world_hash = str(block.hash) if k == last and block.hash else ""
                yield WalkTick(verifier.input_of(block, k), block.states[k + 1], world_hash=world_hash)

    start = part.blocks[0].states[0].copy()
    return ComparedWalk(name, str(part.level["name"]), True, part.ticks_per_second, find_level, start, ticks())


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
    the value of A, now that of B. text: what differs, where no field says it."""

    kind: DifferenceKind
    tick: int
    commands: tuple[Command | None, Command | None] = (None, None)
    fields: tuple[FieldDifference, ...] = ()
    text: str = ""


@dataclass(slots=True)
class WalkComparison:
    """Result for two walks. matching: ticks before the difference. walks: A and B, the start first."""

    a: ComparedWalk
    b: ComparedWalk
    matching: int = 0
    difference: WalkDifference | None = None
    walks: list[DrawnWalk] = field(default_factory=list)


def compare_walks(a: ComparedWalk, b: ComparedWalk) -> WalkComparison:
    """Compare two walks tick by tick, bit for bit. Both are walked to their ends."""
    result = WalkComparison(a, b)
    rows: tuple[list[object], list[object]] = ([a.start], [b.start])
    started = compare_rows(a.start, b.start)
    if started:
        result.difference = WalkDifference(DifferenceKind.START, 0, fields=tuple(started))
    for number, (one, other) in enumerate(zip_longest(a.ticks, b.ticks), start=1):
        for tick, kept in ((one, rows[0]), (other, rows[1])):
            if tick is not None:
                kept.append(tick.row)
        if result.difference is None:
            result.difference = _difference(number, one, other)
            result.matching += result.difference is None
    for source, kept in zip((a, b), rows, strict=True):
        table = WalkTable.of_states(np.array(kept), np.arange(len(kept)))
        result.walks.append(DrawnWalk(source.name, table, source.ticks_per_second))
    return result


def _difference(number: int, one: WalkTick | None, other: WalkTick | None) -> WalkDifference | None:
    commands = one.given.command if one else None, other.given.command if other else None
    if one is None or other is None:
        text = f"{'A' if one is None else 'B'} ends before this tick; up to there the walks are the same"
        return WalkDifference(DifferenceKind.LENGTH, number, commands, text=text)
    fields = tuple(compare_rows(one.row, other.row)) if one.row.tobytes() != other.row.tobytes() else ()
    if one.given != other.given:
        is_command = one.given.command != other.given.command
        text = (
            "the commands differ" if is_command else "one walk restarts or returns to its checkpoint before this tick"
        )
        return WalkDifference(DifferenceKind.COMMAND, number, commands, fields, text)
    if fields:
        return WalkDifference(DifferenceKind.STATE, number, commands, fields)
    beside = _compare_worlds(one, other)
    return None if beside is None else WalkDifference(DifferenceKind.WORLD, number, commands, (beside,))


def _compare_worlds(one: WalkTick, other: WalkTick) -> FieldDifference | None:
    """What differs beside the walkers: events of two fresh walks, hashes of two recordings."""
    if one.events != other.events:
        a, b = (", ".join(tick.events) or "none" for tick in (one, other))
        return FieldDifference(EVENTS, a, b, (one.events, other.events))
    if one.world_hash and other.world_hash and one.world_hash != other.world_hash:
        return FieldDifference(WORLD_COUNTERS, f"hash {one.world_hash}", f"hash {other.world_hash}")
    return None


def draw_comparison(comparison: WalkComparison, level_a: Level, level_b: Level) -> Canvas:
    """The picture of a comparison, on the plan of level B. B is drawn as a thin line above A."""
    difference, walks = comparison.difference, comparison.walks
    paths = [DrawnPath(walk.table.feet, COLOURS[k], WIDTHS[k], "AB"[k]) for k, walk in enumerate(walks)]
    lines = [(path, f"{path.label}: {walk.name}") for path, walk in zip(paths, walks, strict=True)]
    subtitle = "" if level_hash(level_a) == level_hash(level_b) else "on the plan of B; "
    mark, rings = None, []
    if difference is None:
        subtitle += f"the walks are the same: {comparison.matching} ticks"
    else:
        mark = difference.tick / comparison.a.ticks_per_second
        subtitle += f"first difference at tick {difference.tick} ({mark:.2f} s)"
        rings = [np.mean([walk.table.feet[: difference.tick + 1][-1] for walk in walks], axis=0)]
    names = " and ".join(dict.fromkeys((level_a.name, level_b.name)))
    charts = [height_chart(walks, list(zip(COLOURS, CHART_WIDTHS, strict=True)), mark)]
    return draw_sheet(level_b, walks, (names, subtitle), lines, charts, rings)


def diff_fields(
    comparison: WalkComparison, notes: Sequence[str], commands: tuple[str, str], output: Path | None
) -> dict[str, object]:
    """Fields of the document (schemas/diff.json). commands: of the first tick that differs, as texts."""
    difference = comparison.difference
    sides = {
        letter: {
            "name": source.name,
            "source": "replay" if source.is_recorded else "walk",
            "level": source.level_name,
            "ticks": len(walk.table.tick) - 1,
        }
        for letter, source, walk in zip("ab", (comparison.a, comparison.b), comparison.walks, strict=True)
    }
    return {
        **sides,
        "notes": list(notes),
        "matching_ticks": comparison.matching,
        "difference": None
        if difference is None
        else {
            "tick": difference.tick,
            "seconds": difference.tick / comparison.a.ticks_per_second,
            "kind": difference.kind.value,
            "text": difference.text,
            "command_a": commands[0],
            "command_b": commands[1],
            "fields": [
                dict(zip(("field", "a", "b"), (one.name, *(one.values or (one.recorded, one.now))), strict=True))
                for one in difference.fields
            ],
        },
        "picture": None if output is None else str(output),
    }
