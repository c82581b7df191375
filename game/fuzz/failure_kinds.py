"""Kinds of failures of the random walks: what each means, and what its value and bound measure.

`KINDS` is the order in which shards store the kinds. docs/fuzz.md repeats the table.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..core.angles import DEGREES_PER_HEADING_UNIT

# Units of values and bounds.
METRES = "m"
SPEED = "m/s"
TICKS = "ticks"
RADII = "radii"
HEADING = "1/65536 turn"
LEAST_DIGITS, MOST_DIGITS = 3, 9  # after the point, of a value and its bound


@dataclass(frozen=True, slots=True)
class FailureKind:
    """One kind of failure. A tick fails where the value is above the bound; inside a surface, where it reaches it.

    meaning: one sentence part. measure: what value and bound are; empty where the kind has none: value 1, bound 0.
    unit: of both, see `failure_unit`.
    """

    meaning: str
    measure: str = ""
    unit: str = ""


FAILURE_KINDS = {
    "tunnel": FailureKind("the path of the centre crosses a triangle of the level or of a moving platform"),
    "gap": FailureKind(
        "the body is nearer to a surface than half the skin",
        "the gap, and the least gap that is allowed, both with a minus sign; as a part of the radii",
        RADII,
    ),
    "wild": FailureKind("a number of the walker's state is not finite"),
    "fast": FailureKind(
        "in a bare mesh, the body moves further than its speed and the recovery of gaps explain",
        "horizontal distance in the tick",
        METRES,
    ),
    "tremble": FailureKind(
        "under one command, held for five seconds, the body moves in circles within 5 cm; or its direction reverses "
        "three times in six ticks, and does so still after four seconds"
    ),
    "drift": FailureKind("five seconds after all keys are released, a body on the ground still moves"),
    "stuck": FailureKind(
        "the body stands although it has room in a direction along the command; or it has room, and no direction with "
        "a jump moves it; or it stays inside a surface for half a second",
        "ticks for which it had stood when this was checked, with a bound of 0; or ticks inside a surface, with those "
        "of half a second",
        TICKS,
    ),
    "high step": FailureKind(
        "the body rises higher than `step_height` and the slope explain",
        "height of the new ground above the old one; in the air, rise of the feet",
        METRES,
    ),
    "air step": FailureKind(
        "a tick that begins on ground and ends in the air without a jump lifts the feet", "rise of the feet", METRES
    ),
    "landing": FailureKind(
        "the body lands on ground that is too high for it", "height of the ground above the feet", METRES
    ),
    "drop": FailureKind(
        "the body sinks further than its fall, or a snap to the ground, explains", "descent of the feet", METRES
    ),
    "way": FailureKind(
        "the body moves further than its speed and its surroundings explain", "horizontal distance in the tick", METRES
    ),
    "speed": FailureKind(
        "the body is faster at the end of the tick than its speed before and the command explain",
        "horizontal speed times the duration of the tick (m); or the upward speed, without a jump (m/s)",
        f"{METRES} or {SPEED}",
    ),
    "turn": FailureKind(
        "the body does not turn to the heading of the command, or turns away from it",
        "angle between the body and the heading of the command",
        HEADING,
    ),
    "up": FailureKind("the up direction of the body changes without a gravity zone"),
}
KINDS = tuple(FAILURE_KINDS)


def failure_unit(kind: str, bound: float, falling: float) -> str:
    """Unit of the value and bound of a failure; empty where the kind has no measure.

    falling: upward speed before the tick, m/s. The bound of an upward speed is that speed, or 0.
    """
    if kind != "speed":
        return FAILURE_KINDS[kind].unit
    return SPEED if bound == max(falling, 0.0) else METRES


def describe_failure_measure(value: float, bound: float, unit: str) -> str:
    """A value and its bound in words, by their unit; empty for a kind without a measure."""
    if unit == METRES:
        return "{} m in one tick, at most {} m".format(*_distinct(value, bound))
    if unit == SPEED:
        return "{} m/s upwards, at most {} m/s".format(*_distinct(value, bound))
    if unit == RADII:  # both have a minus sign
        return "{} % of the radii, at least {} %".format(*_distinct(-100.0 * value, -100.0 * bound))
    if unit == TICKS:
        return f"{'inside a surface' if bound else 'stands'} for {value:.0f} ticks"
    if not unit:
        return ""
    return "{}° off, at most {}°".format(*_distinct(*(DEGREES_PER_HEADING_UNIT * each for each in (value, bound))))


def _distinct(value: float, bound: float) -> tuple[str, str]:
    """Both numbers with as many digits as tell them apart."""
    for digits in range(LEAST_DIGITS, MOST_DIGITS + 1):
        texts = f"{value:.{digits}f}", f"{bound:.{digits}f}"
        if texts[0] != texts[1]:
            break
    return texts
