"""Evaluation of the expectations of a level test on a recorded walk: whether each holds, and at which tick.

`judge` may be called before the walk ends. It gives None for an expectation that later ticks can still decide; another
result is final.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.vectors import Floats
from ..level.edit import format_number
from ..level.format.level_tests.level_test import (
    Condition,
    ConditionExpectation,
    CountExpectation,
    CountKind,
    Expectation,
    GoalCondition,
    MeasureExpectation,
    MeasureKind,
    Occurrence,
    TouchesCondition,
    to_ticks,
)
from ..sim.events import CheckpointReached, Event, HoledOut, Respawned, RespawnReason, TargetReached
from . import conditions
from .conditions import describe_number, describe_position
from .recorded_walk import TestedWalk

SPEED_ROUNDING = 1e-6  # m/s: rounding of positions, which is no faster speed
DEATH_REASONS = (RespawnReason.FELL, RespawnReason.KILLED, RespawnReason.CRUSHED)
MEASURE_UNITS = {"highest": " m", "speed": " m/s", "grounded": ""}
MEASURE_WORDS = {
    "highest": "highest point of the feet",
    "speed": "highest speed",
    "grounded": "share of the ticks on ground",
}
COUNT_WORDS = {
    "targets": ("target", "targets"),
    "holes": ("hole", "holes"),
    "checkpoints": ("checkpoint", "checkpoints"),
    "deaths": ("death", "deaths"),
    "stuck": ("time stuck", "times stuck"),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of one expectation. tick: when it was decided. expected, actual: descriptions with units. nearest_tick: in
    which the body was nearest to a place that it did not reach."""

    held: bool
    tick: int
    expected: str
    actual: str = ""
    nearest_tick: int | None = None


def judge(expectation: Expectation, walk: TestedWalk, length: int) -> Outcome | None:
    """The result of an expectation on a walk that will have `length` ticks; None if it needs later ticks."""
    match expectation:
        case ConditionExpectation():
            return _judge_condition(expectation, walk, length)
        case MeasureExpectation():
            return _judge_measure(expectation, walk, length)
        case CountExpectation():
            return _judge_count(expectation, walk, length)


def _judge_condition(expectation: ConditionExpectation, walk: TestedWalk, length: int) -> Outcome | None:
    condition, occurrence = expectation.condition, expectation.occurrence
    last = expectation.last_tick(length, walk.ticks_per_second)
    if expectation.end and walk.ticks < last:
        return None
    expected = describe_condition(expectation, walk.ticks_per_second)
    ticks = np.arange(last if expectation.end else 0, min(last, walk.ticks) + 1)
    flags = conditions.holds(condition, walk)[ticks]
    found = ticks[~flags if occurrence == Occurrence.ALWAYS else flags]
    if len(found):
        tick = int(found[0])
        is_held = occurrence == Occurrence.SOMETIMES
        return Outcome(is_held, tick, expected, "" if is_held else _place_and_touch(walk, condition, tick))
    if walk.ticks < last:
        return None
    if occurrence != Occurrence.SOMETIMES:
        return Outcome(True, last, expected)
    return Outcome(False, last, expected, *_nearest(walk, condition, ticks))


def describe_condition(expectation: ConditionExpectation, ticks_per_second: float) -> str:
    """Description of a condition with the time in which it is expected."""
    words = conditions.describe_condition(expectation.condition)
    time = describe_time(expectation, ticks_per_second)
    if expectation.occurrence != Occurrence.SOMETIMES:
        return f"{expectation.occurrence} {words}"
    if isinstance(expectation.condition, GoalCondition):
        return f"the goal is reached{time}"
    return f"{words}{time or ' at some tick'}"


def describe_time(expectation: ConditionExpectation, ticks_per_second: float) -> str:
    """The time in which a condition is expected, in words that follow it; empty for the whole walk."""
    if expectation.end:
        return " at the end"
    if expectation.within is None:
        return ""
    return f" within {describe_number(expectation.within)} s (tick {to_ticks(expectation.within, ticks_per_second)})"


def _place_and_touch(walk: TestedWalk, condition: Condition, tick: int) -> str:
    """Where the player is in a tick, and what it touches where that matters."""
    words = f"the player is at {describe_position(walk.feet[tick])}"
    if isinstance(condition, TouchesCondition):
        words += f" and touches {conditions.touched_words(walk.touched[tick])}"
    elif not isinstance(condition, GoalCondition):
        words += ", on the ground" if walk.grounded[tick] else ", in the air"
    return words


def _nearest(walk: TestedWalk, condition: Condition, ticks: np.ndarray) -> tuple[str, int | None]:
    """Description and tick of the smallest distance of a walk to a condition that held in none of the ticks."""
    at_goal = isinstance(condition, GoalCondition)
    if at_goal and walk.world.level.goal is None:
        return "the level has no goal", None
    distance = conditions.distances(condition, walk.world.level, walk.feet[ticks])
    if distance is not None:
        nearest = int(np.argmin(distance))
        tick = int(ticks[nearest])
        words = f"{describe_number(float(distance[nearest]))} m away at {describe_position(walk.feet[tick])}"
        if len(ticks) > 1:
            words = f"nearest at tick {tick}: {words}"
        return words + _missing_for_goal(walk) if at_goal else words, tick
    if isinstance(condition, TouchesCondition):
        faces = frozenset().union(*(walk.touched[tick] for tick in ticks.tolist()))
        return f"it touched {conditions.touched_words(faces)}", None
    return _place_and_touch(walk, condition, int(ticks[-1])), None


def _missing_for_goal(walk: TestedWalk) -> str:
    missing = ((walk.world.targets_missing, "targets"), (walk.world.holes_missing, "holes"))
    return "".join(f"; {count} {kind} missing" for count, kind in missing if count)


def _judge_measure(expectation: MeasureExpectation, walk: TestedWalk, length: int) -> Outcome | None:
    expected = describe_measure(expectation)
    low, high, unit = expectation.at_least, expectation.at_most, MEASURE_UNITS[expectation.kind]
    rounding = SPEED_ROUNDING if expectation.kind == MeasureKind.SPEED else 0.0
    values = measured_values(expectation.kind, walk)
    is_share = expectation.kind == MeasureKind.GROUNDED
    if not is_share and high is not None and (values > high + rounding).any():
        tick = int(np.argmax(values > high + rounding))
        return _out_of_bounds(tick, expected, walk, float(values[tick]), high, unit)
    if walk.ticks < length:
        return None
    value = float(values.mean() if is_share else values.max())
    for bound, is_broken in ((high, value > (high or 0.0) + rounding), (low, value < (low or 0.0) - rounding)):
        if bound is not None and is_broken:
            return _out_of_bounds(length, expected, walk, value, bound, unit)
    return Outcome(True, length, expected)


def describe_measure(expectation: MeasureExpectation) -> str:
    """Description of the expectation of a quantity."""
    low, high, unit = expectation.at_least, expectation.at_most, MEASURE_UNITS[expectation.kind]
    if low is not None and high is not None:
        bounds = f"from {describe_number(low)} to {describe_number(high)}{unit}"
    elif low is not None:
        bounds = f"at least {describe_number(low)}{unit}"
    else:
        bounds = f"at most {describe_number(high or 0.0)}{unit}"
    return f"{MEASURE_WORDS[expectation.kind]} {bounds}"


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


def _out_of_bounds(tick: int, expected: str, walk: TestedWalk, value: float, bound: float, unit: str) -> Outcome:
    """Failure of a quantity, with as many decimals as tell its value from the bound."""
    decimals = next((d for d in range(2, 9) if format_number(value, d) != format_number(bound, d)), 9)
    actual = f"{format_number(value, decimals)}{unit}"
    return Outcome(False, tick, expected, f"{actual}, the player is at {describe_position(walk.feet[tick])}")


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


def _judge_count(expectation: CountExpectation, walk: TestedWalk, length: int) -> Outcome | None:
    events = counted_events(expectation.kind, walk)
    expected = describe_count(expectation)
    low, high = expectation.at_least, expectation.at_most
    if expectation.names:
        matched = 0
        for tick, name in events:
            matched += name == expectation.names[matched]
            if matched == len(expectation.names):
                return Outcome(True, tick, expected)
        if walk.ticks < length:
            return None
        taken = ", ".join(f"{name or 'one without a name'} (tick {tick})" for tick, name in events) or "none"
        return Outcome(False, length, expected, f"missing from '{expectation.names[matched]}' on; taken: {taken}")
    if high is not None and len(events) > high:
        tick, name = events[high]
        what = f" ({name})" if name else ""
        return Outcome(False, tick, expected, f"{_count_phrase(expectation.kind, high + 1)} at tick {tick}{what}")
    if walk.ticks < length and not (high is None and low is not None and len(events) >= low):
        return None
    if low is not None and len(events) < low:
        return Outcome(False, length, expected, _count_phrase(expectation.kind, len(events)))
    return Outcome(True, length if high is not None else events[low - 1][0] if low else 0, expected)


def describe_count(expectation: CountExpectation) -> str:
    low, high = expectation.at_least, expectation.at_most
    words = COUNT_WORDS[expectation.kind][1]
    if expectation.names:
        return f"{words} in this order: {', '.join(expectation.names)}"
    if low is not None and low == high:
        return _count_phrase(expectation.kind, low) if low else f"no {COUNT_WORDS[expectation.kind][0]}"
    if low is not None and high is not None:
        return f"{low} to {high} {words}"
    return f"at least {_count_phrase(expectation.kind, low)}" if low is not None else f"at most {high} {words}"


def _count_phrase(kind: CountKind, count: int) -> str:
    return f"{count} {COUNT_WORDS[kind][count != 1]}"
