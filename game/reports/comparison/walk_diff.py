"""Walk diff: two walks in step, up to the first tick that differs, and both as tables to their ends."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from itertools import zip_longest

import numpy as np

from ...core.vectors import Floats
from ...drawing.drawn_walk import DrawnWalk
from ...physics import Command
from ...physics.character.state import STATE_ROW
from ...sim.replay.tick_report import TouchedSurface
from ...sim.replay.verifier import WORLD_COUNTERS, FieldDifference, compare_rows
from ...sim.replay.walk_table import WalkTable
from ...sim.tick_input import TickInput
from .cause import Cause, CauseKind, changed_settings, find_cause, find_start_cause, find_world_cause
from .level_differences import LevelDifference
from .walk_source import WalkSource, WalkTick

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
    the value of A, now that of B. feet: of both after the tick, m. surfaces: of the tick, of both."""

    kind: DifferenceKind
    tick: int
    commands: tuple[Command | None, Command | None]
    fields: tuple[FieldDifference, ...]
    feet: tuple[Floats, Floats]
    cause: Cause
    surfaces: tuple[tuple[TouchedSurface, ...], tuple[TouchedSurface, ...]] = ((), ())


@dataclass(slots=True)
class WalkComparison:
    """Result for two walks. matching: ticks before the difference. walks: A and B, the start first.
    level_differences: None where they are not known."""

    a: WalkSource
    b: WalkSource
    matching: int = 0
    difference: WalkDifference | None = None
    walks: list[DrawnWalk] = field(default_factory=list)
    level_differences: list[LevelDifference] | None = None

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
        settings = [] if a.settings is None or b.settings is None else changed_settings(a.settings, b.settings)
        names = [field.name for field in started]
        cause = find_start_cause(a.start, b.start, feet, names, (a.level, b.level), settings)
        result.difference = WalkDifference(DifferenceKind.START, 0, (None, None), tuple(started), feet, cause)
    for number, (one, other) in enumerate(zip_longest(a.ticks(), b.ticks()), start=1):
        for tick, kept in ((one, rows[0]), (other, rows[1])):
            if tick is not None:
                kept.append(tick.row)
        if result.difference is None:
            result.difference = _difference(a, b, number, one, other, (rows[0][-1], rows[1][-1]))
            result.matching += result.difference is None
    for source, kept in zip((a, b), rows, strict=True):
        table = WalkTable.of_states(np.array(kept), np.arange(len(kept)))
        result.walks.append(DrawnWalk(source.name.text, table, source.ticks_per_second))
    return result


def _difference(
    a: WalkSource, b: WalkSource, number: int, one: WalkTick | None, other: WalkTick | None, last: tuple[object, object]
) -> WalkDifference | None:
    feet = _feet(last[0]), _feet(last[1])
    if one is None or other is None:
        ended = "A" if one is None else "B"
        cause = Cause(CauseKind.COMMANDS, "", f"{ended} ends before this tick; up to there the walks are the same")
        commands = None if one is None else one.given.command, None if other is None else other.given.command
        return WalkDifference(DifferenceKind.LENGTH, number, commands, (), feet, cause)
    commands = one.given.command, other.given.command
    fields = compare_rows(one.row, other.row) if one.row.tobytes() != other.row.tobytes() else []
    if one.given != other.given:
        cause = Cause(CauseKind.COMMANDS, "both", _describe_inputs(one.given, other.given))
        return WalkDifference(DifferenceKind.COMMAND, number, commands, tuple(fields), feet, cause)
    if fields:
        explained = a.explain(number - 1), b.explain(number - 1)
        surfaces_a, surfaces_b = (() if found is None else found.report.surfaces for found in explained)
        cause = find_cause(*explained)
        surfaces = (surfaces_a, surfaces_b)
        return WalkDifference(DifferenceKind.STATE, number, commands, tuple(fields), feet, cause, surfaces)
    world_fields = _world_fields(one, other)
    if world_fields:
        types = [{type(event) for event in tick.events} for tick in (one, other)]
        events = [event for event in (*one.events, *other.events) if type(event) in types[0] ^ types[1]]
        cause = find_world_cause(a.explain(number - 1), b.explain(number - 1), events)
        return WalkDifference(DifferenceKind.WORLD, number, commands, world_fields, feet, cause)
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
