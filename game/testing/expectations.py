"""Evaluation of the expectations of a level test on a recorded walk: whether each holds, and at which tick."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ..core.vectors import Flags, Floats, Indices, Point
from ..level import Level
from ..level.build.entities.zones import LevelZone
from ..level.edit import format_number
from ..level.format.level_tests.level_test import (
    AtCondition,
    Condition,
    ConditionExpectation,
    CountExpectation,
    CountKind,
    Expectation,
    GoalCondition,
    GroundedCondition,
    InsideCondition,
    MeasureExpectation,
    MeasureKind,
    Occurrence,
    TouchesCondition,
    to_ticks,
)
from ..physics.environment.carried_zones import mover_pose_at, point_at_home
from ..physics.environment.movers import Movers
from ..sim.events import CheckpointReached, Event, GoalReached, HoledOut, Respawned, RespawnReason, TargetReached
from .walks import TestedWalk, TouchedFace

SPEED_ROUNDING = 1e-6  # m/s: rounding of positions, which is no faster speed
DEATH_REASONS = (RespawnReason.FELL, RespawnReason.KILLED, RespawnReason.CRUSHED)
MAX_LISTED_EVENTS = 8
MEASURE_UNITS = {"highest": " m", "speed": " m/s", "grounded": ""}


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of one expectation. tick: when it was decided. expected, actual: descriptions with units. nearest_tick: in
    which the body was nearest to a place that it did not reach."""

    expectation: Expectation
    held: bool
    tick: int
    expected: str
    actual: str = ""
    nearest_tick: int | None = None


def judge(expectation: Expectation, walk: TestedWalk) -> Outcome:
    """The result of an expectation on a whole walk."""
    match expectation:
        case ConditionExpectation():
            return _judge_condition(expectation, walk)
        case MeasureExpectation():
            return _judge_measure(expectation, walk)
        case CountExpectation():
            return _judge_count(expectation, walk)


# ---- conditions


def _judge_condition(expectation: ConditionExpectation, walk: TestedWalk) -> Outcome:
    condition, is_wanted = expectation.condition, expectation.occurrence == Occurrence.SOMETIMES
    last = expectation.last_tick(walk.ticks, walk.ticks_per_second)
    ticks = np.arange(last if expectation.end else 0, last + 1)
    flags = holds(condition, walk)[ticks]
    deciding = ticks[~flags if expectation.occurrence == Occurrence.ALWAYS else flags]
    tick = int(deciding[0]) if len(deciding) else last
    expected = "" if is_wanted else f"{expectation.occurrence} "
    expected += describe_condition(condition) + describe_time(expectation, walk.ticks_per_second)
    if is_wanted == bool(len(deciding)):
        return Outcome(expectation, True, tick, expected)
    if is_wanted:
        return Outcome(expectation, False, tick, expected, *_nearest(walk, condition, ticks))
    return Outcome(expectation, False, tick, expected, _place_and_touch(walk, condition, [tick]))


def holds(condition: Condition, walk: TestedWalk) -> Flags:
    """(ticks + 1,): whether a condition holds, for each tick."""
    flags: Flags
    match condition:
        case AtCondition() | InsideCondition():
            around = walk.world.environment
            carried = None if around is None or around.movers is None else (around.movers, walk.table.tick)
            return holds_at(condition, walk.world.level, walk.feet, carried)
        case GroundedCondition():
            flags = walk.grounded == condition.grounded
        case TouchesCondition():
            faces = {face: condition.matches(*face) for face in frozenset().union(*walk.touched)}
            flags = np.array([any(faces[face] for face in touched) for touched in walk.touched], np.bool_)
        case GoalCondition():
            flags = np.zeros(walk.ticks + 1, np.bool_)
            flags[[tick for tick, event in walk.events if isinstance(event, GoalReached)]] = True
    return flags


def holds_at(
    condition: AtCondition | InsideCondition,
    level: Level,
    feet: Floats,
    carried: tuple[Movers, Indices] | None = None,
) -> Flags:
    """(n,): whether feet (n,3) are at a point or inside a volume.

    carried: movers and the tick (n,) of each row, for zones that movers carry; without it they are at home.
    """
    if isinstance(condition, AtCondition):
        offset = feet - np.array(condition.point)
        near_point: Flags = (offset * offset).sum(axis=1) <= condition.radius**2
        return near_point
    if condition.low is not None and condition.high is not None:
        within: Flags = np.all((feet >= np.array(condition.low)) & (feet <= np.array(condition.high)), axis=1)
        return within
    flags: Flags = np.zeros(len(feet), np.bool_)
    for zone in zones_named(level, condition.zone):
        if zone.mover >= 0 and carried is not None:
            for k in np.flatnonzero(~flags).tolist():
                pose = mover_pose_at(carried[0], zone.mover, int(carried[1][k]))
                flags[k] = zone.contains(point_at_home(pose, carried[0][zone.mover].at, feet[k].tolist()))
        else:
            flags |= zone.contains_points(feet)
    return flags


def zones_named(level: Level, name: str) -> list[LevelZone]:
    """The zones of a name or kind."""
    return [zone for zone in level.all_zones if name in (zone.name, zone.kind)]


def distances(condition: Condition, level: Level, feet: Floats) -> Floats | None:
    """(n,): distance in m of feet (n,3) to a point, a volume or the goal; None for a condition without a place."""
    match condition:
        case AtCondition(point=point):
            places = [np.array(point)]
        case InsideCondition(low=low, high=high) if low is not None and high is not None:
            places = [np.clip(feet, low, high)]
        case InsideCondition(zone=name):
            places = [np.array(zone.centre) for zone in zones_named(level, name)]
        case GoalCondition() if level.goal is not None:
            places = [np.array(level.goal.at)]
        case _:
            return None
    if not places:
        return None  # no zone has the name
    nearest: Floats = np.min([np.linalg.norm(feet - place, axis=1) for place in places], axis=0)
    return nearest


def describe_condition(condition: Condition) -> str:
    """Description of a condition, such as `within 0.5 m of (0, 0, -8)`."""
    match condition:
        case AtCondition():
            return f"within {describe_number(condition.radius)} m of {describe_position(condition.point)}"
        case InsideCondition():
            if condition.low is not None and condition.high is not None:
                return f"inside {describe_position(condition.low)} to {describe_position(condition.high)}"
            return f"inside the zone '{condition.zone}'"
        case GroundedCondition():
            return "on the ground" if condition.grounded else "in the air"
        case TouchesCondition():
            return "touching " + " or ".join(f"'{name}'" for name in condition.names)
        case GoalCondition():
            return "at the goal"


def describe_time(expectation: ConditionExpectation, ticks_per_second: float) -> str:
    """The time in which a condition is expected, in words that follow it; empty for the whole walk."""
    if expectation.end:
        return " at the end"
    if expectation.within is None:
        return ""
    return f" within {describe_number(expectation.within)} s (tick {to_ticks(expectation.within, ticks_per_second)})"


def describe_number(value: float) -> str:
    """A number in a message, to three decimals."""
    return format_number(value, 3)


def describe_position(point: Sequence[float] | Point) -> str:
    """A position in m, such as `(0, 1.5, -8)`."""
    return f"({', '.join(describe_number(value) for value in point)})"


def _nearest(walk: TestedWalk, condition: Condition, ticks: Indices) -> tuple[str, int | None]:
    """Description and tick of the smallest distance of a walk to a condition that held in none of the ticks."""
    distance = distances(condition, walk.world.level, walk.feet[ticks])
    if distance is None:
        return _place_and_touch(walk, condition, ticks.tolist()), None
    nearest = int(np.argmin(distance))
    tick = int(ticks[nearest])
    words = f"nearest at tick {tick}: {describe_number(float(distance[nearest]))} m away at "
    words += describe_position(walk.feet[tick])
    if isinstance(condition, GoalCondition):
        missing = ((walk.world.targets_missing, "targets"), (walk.world.holes_missing, "holes"))
        words += "".join(f"; {count} {kind} missing" for count, kind in missing if count)
    return words, tick


def _place_and_touch(walk: TestedWalk, condition: Condition, ticks: Sequence[int]) -> str:
    """Where the player is in the last of the ticks, and what it touches in them where that matters."""
    words = f"the player is at {describe_position(walk.feet[ticks[-1]])}"
    if isinstance(condition, TouchesCondition):
        return f"{words} and touches {_touched_words(frozenset().union(*(walk.touched[tick] for tick in ticks)))}"
    if isinstance(condition, GoalCondition):
        return words
    return words + (", on the ground" if walk.grounded[ticks[-1]] else ", in the air")


def _touched_words(faces: Iterable[TouchedFace]) -> str:
    """Description of touched surfaces and pieces; `nothing` for none."""
    return ", ".join(sorted({f"{face.label} ({face.surface})" for face in faces})) or "nothing"


# ---- measures and counts


def _judge_measure(expectation: MeasureExpectation, walk: TestedWalk) -> Outcome:
    kind, low, high = expectation.kind, expectation.at_least, expectation.at_most
    rounding = SPEED_ROUNDING if kind == MeasureKind.SPEED else 0.0
    values = measured_values(kind, walk)
    is_share = kind == MeasureKind.GROUNDED
    value, tick, bound = float(values.mean() if is_share else values.max()), walk.ticks, None
    if high is not None and value > high + rounding:
        bound = high
        if not is_share:
            tick = int(np.argmax(values > high + rounding))
            value = float(values[tick])
    elif low is not None and value < low - rounding:
        bound = low
    expected = f"{kind}: {_describe_bounds(low, high)}{MEASURE_UNITS[kind]}"
    if bound is None:
        return Outcome(expectation, True, tick, expected)
    # as many decimals as tell the value from the bound
    decimals = next((d for d in range(2, 9) if format_number(value, d) != format_number(bound, d)), 9)
    actual = f"{format_number(value, decimals)}{MEASURE_UNITS[kind]}, the player is at "
    return Outcome(expectation, False, tick, expected, actual + describe_position(walk.feet[tick]))


def measured_values(kind: MeasureKind, walk: TestedWalk) -> Floats:
    """(ticks + 1,): a quantity in each tick."""
    if kind == MeasureKind.GROUNDED:
        return walk.grounded.astype(np.float64)
    if kind == MeasureKind.HIGHEST:
        return walk.feet[:, 1]
    steps = np.diff(walk.feet[:, [0, 2]], axis=0, prepend=walk.feet[:1, [0, 2]])
    speeds: Floats = np.hypot(steps[:, 0], steps[:, 1]) * walk.ticks_per_second
    speeds[walk.relocations] = 0.0
    return speeds


def _describe_bounds(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return describe_number(low) if low == high else f"from {describe_number(low)} to {describe_number(high)}"
    return f"at least {describe_number(low)}" if low is not None else f"at most {describe_number(high or 0.0)}"


def _judge_count(expectation: CountExpectation, walk: TestedWalk) -> Outcome:
    events = counted_events(expectation.kind, walk)
    low, high, names = expectation.at_least, expectation.at_most, expectation.names
    expected = f"{expectation.kind}: {', '.join(names) or _describe_bounds(low, high)}"
    listed = ", ".join(f"{name or 'one'} at tick {tick}" for tick, name in events[:MAX_LISTED_EVENTS])
    tick = walk.ticks
    if names:
        ticks = _ticks_in_order(events, names)
        is_held = len(ticks) == len(names)
        tick = ticks[-1] if is_held else tick
    elif high is not None and len(events) > high:
        is_held, tick = False, events[high][0]
    else:
        is_held = low is None or len(events) >= low
        if is_held and high is None:
            tick = events[low - 1][0] if low else 0
    actual = "" if is_held else f"{len(events)} ({listed})" if events else "none"
    return Outcome(expectation, is_held, tick, expected, actual)


def _ticks_in_order(events: Sequence[tuple[int, str]], names: Sequence[str]) -> list[int]:
    """The ticks of the events that match the names in their order, as far as they do."""
    ticks: list[int] = []
    for tick, name in events:
        if len(ticks) < len(names) and name == names[len(ticks)]:
            ticks.append(tick)
    return ticks


def counted_events(kind: CountKind, walk: TestedWalk) -> list[tuple[int, str]]:
    """(tick, name) of each event of a kind, in order. The name is empty for events without one."""
    return [(tick, name) for tick, event in walk.events if (name := _counted_name(kind, event)) is not None]


def _counted_name(kind: CountKind, event: Event) -> str | None:
    match event:
        case TargetReached(target=target) if kind == CountKind.TARGETS:
            return target.name
        case HoledOut(name=name) if kind == CountKind.HOLES:
            return name
        case CheckpointReached(name=name) if kind == CountKind.CHECKPOINTS:
            return name
        case Respawned(reason=reason) if kind == CountKind.DEATHS and reason in DEATH_REASONS:
            return str(reason.value)
        case Respawned(reason=RespawnReason.STUCK) if kind == CountKind.STUCK:
            return ""
    return None
