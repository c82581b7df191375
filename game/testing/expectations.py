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
    HashExpectation,
    MeasureExpectation,
    MeasureKind,
    Occurrence,
    TickWindow,
    TouchesCondition,
)
from ..sim.events import CheckpointReached, Event, ExitReached, HoledOut, Respawned, RespawnReason, TargetReached
from ..sim.replay.fingerprint import machine_name
from . import conditions
from .conditions import describe_number, describe_position
from .recorded_walk import TestedWalk

SPEED_ROUNDING = 1e-6  # m/s: rounding of positions, which is no faster speed
DEATH_REASONS = (RespawnReason.FELL, RespawnReason.KILLED, RespawnReason.CRUSHED)
MEASURE_UNITS = {"highest": " m", "lowest": " m", "speed": " m/s", "grounded": ""}
MEASURE_WORDS = {
    "highest": "highest point of the feet",
    "lowest": "lowest point of the feet",
    "speed": "highest speed",
    "grounded": "share of the ticks on ground",
}
COUNT_WORDS = {
    "targets": ("target", "targets"),
    "holes": ("hole", "holes"),
    "checkpoints": ("checkpoint", "checkpoints"),
    "exits": ("exit", "exits"),
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
        case HashExpectation():
            return _judge_hash(expectation, walk, length)


def _judge_condition(expectation: ConditionExpectation, walk: TestedWalk, length: int) -> Outcome | None:
    condition, occurrence = expectation.condition, expectation.occurrence
    first, last = expectation.window.bounds(length, walk.ticks_per_second)
    expected = describe_condition(expectation, walk.ticks_per_second)
    if last < first:
        return Outcome(False, length, expected, f"the walk ends at tick {length}")
    ticks = np.arange(first, min(last, walk.ticks) + 1)
    flags = conditions.holds(condition, walk)[first : last + 1]
    decisive = ~flags if occurrence == Occurrence.ALWAYS else flags
    found = ticks[decisive]
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
    is_goal = isinstance(expectation.condition, GoalCondition)
    words = conditions.describe_condition(expectation.condition)
    time = describe_window(expectation.window, ticks_per_second)
    if expectation.occurrence == Occurrence.NEVER:
        return f"never {words}{time}"
    if expectation.occurrence == Occurrence.ALWAYS:
        return f"always {words}{time}"
    return f"the goal is reached{time}" if is_goal else f"{words}{time or ' at some tick'}"


def describe_window(window: TickWindow, ticks_per_second: float) -> str:
    """The ticks of a window, in words that follow a condition; empty for the whole walk."""
    if window.end:
        return " at the end"
    if window.within is not None:
        last = window.bounds(1 << 60, ticks_per_second)[1]
        start = f" after tick {window.first}" if window.first else ""
        return f"{start} within {describe_number(window.within)} s (tick {last})"
    if window.first is not None and window.first == window.last:
        return f" at tick {window.first}"
    if window.first is None:
        return "" if window.last is None else f" by tick {window.last}"
    return f" from tick {window.first}" + ("" if window.last is None else f" to {window.last}")


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
    first, last = expectation.window.bounds(length, walk.ticks_per_second)
    unit = MEASURE_UNITS[expectation.kind]
    expected = describe_measure(expectation, walk.ticks_per_second)
    if last < first:
        return Outcome(False, length, expected, f"the walk ends at tick {length}")
    seen = min(last, walk.ticks)
    if seen < first or (walk.ticks < last and expectation.kind == MeasureKind.GROUNDED):
        return None
    values, value, tick = measure(expectation.kind, walk, first, seen)
    low, high = expectation.at_least, expectation.at_most
    rounding = SPEED_ROUNDING if expectation.kind == MeasureKind.SPEED else 0.0
    if expectation.kind == MeasureKind.LOWEST and low is not None and (values < low).any():
        tick = first + int(np.argmax(values < low))
        return _out_of_bounds(tick, expected, walk, float(values[tick - first]), low, unit)
    upper = expectation.kind in (MeasureKind.HIGHEST, MeasureKind.SPEED)
    if upper and high is not None and (values > high + rounding).any():
        tick = first + int(np.argmax(values > high + rounding))
        return _out_of_bounds(tick, expected, walk, float(values[tick - first]), high, unit)
    if walk.ticks < last:
        return None
    if high is not None and value > high + rounding:
        return _out_of_bounds(last, expected, walk, value, high, unit)
    if low is not None and value < low - rounding:
        return _out_of_bounds(last, expected, walk, value, low, unit)
    return Outcome(True, last, expected)


def describe_measure(expectation: MeasureExpectation, ticks_per_second: float) -> str:
    """Description of the expectation of a quantity."""
    low, high, unit = expectation.at_least, expectation.at_most, MEASURE_UNITS[expectation.kind]
    if low is not None and high is not None:
        bounds = f"from {describe_number(low)} to {describe_number(high)}{unit}"
    elif low is not None:
        bounds = f"at least {describe_number(low)}{unit}"
    else:
        bounds = f"at most {describe_number(high or 0.0)}{unit}"
    return f"{MEASURE_WORDS[expectation.kind]} {bounds}{describe_window(expectation.window, ticks_per_second)}"


def measure(kind: MeasureKind, walk: TestedWalk, first: int, last: int) -> tuple[Floats, float, int]:
    """(values of a quantity in the ticks from `first` to `last`, their mean or extreme, tick of the extreme)."""
    ticks = slice(first, last + 1)
    if kind == MeasureKind.GROUNDED:
        values: Floats = walk.grounded[ticks].astype(np.float64)
        return values, float(values.mean()), last
    if kind == MeasureKind.SPEED:
        steps = np.diff(walk.feet[:, [0, 2]], axis=0, prepend=walk.feet[:1, [0, 2]])
        speeds = np.hypot(steps[:, 0], steps[:, 1]) * walk.ticks_per_second
        speeds[walk.relocations] = 0.0
        values = speeds[ticks]
    else:
        values = walk.feet[ticks, 1]
    best = int(np.argmin(values) if kind == MeasureKind.LOWEST else np.argmax(values))
    return values, float(values[best]), first + best


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
        case ExitReached(exit=exit_) if kind == CountKind.EXITS:
            return exit_.name
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


def _judge_hash(expectation: HashExpectation, walk: TestedWalk, length: int) -> Outcome | None:
    if walk.ticks < length:
        return None
    here, now = machine_name(), walk.hash
    expected = f"hash of the path {expectation.value or '(none yet)'}"
    if not expectation.value:
        return Outcome(False, length, expected, f"{now}; --update writes it into the file")
    if expectation.platform and expectation.platform != here:
        return Outcome(True, length, f"{expected} on {expectation.platform}, not compared on {here}")
    if now == expectation.value:
        return Outcome(True, length, expected)
    return Outcome(False, length, expected, f"{now}; if the walk was meant to change, --update writes it")
