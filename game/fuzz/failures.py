"""Failures of random walks: their kinds, which docs/fuzz.md explains, and the report of a walk. A tick fails where the
value is above the bound; inside a surface, where it reaches it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..core.angles import DEGREES_PER_HEADING_UNIT
from .walk_routes import WalkPart

METRES, SPEED, TICKS, RADII, HEADING = "m", "m/s", "ticks", "radii", "1/65536 turn"  # units of values and bounds
LEAST_DIGITS, MOST_DIGITS = 3, 9  # after the point, of a value and its bound
NO_GAP = 9.0  # ellipsoid space: the least gap where no surface is near
MAX_CASES = 3  # of each kind that keep their state and command
UNITS = {  # of the value and bound of each kind, in the order of the results; empty: value 1, bound 0
    "tunnel": "",
    "gap": RADII,
    "wild": "",  # a number that is not finite
    "fast": METRES,  # in a bare mesh
    "tremble": "",
    "drift": "",
    "stuck": TICKS,
    "high step": METRES,
    "air step": METRES,
    "landing": METRES,
    "drop": METRES,
    "way": METRES,
    "speed": f"{METRES} or {SPEED}",
    "turn": HEADING,
    "up": "",
}
KINDS = tuple(UNITS)


def failure_unit(kind: str, bound: float, falling: float) -> str:
    """Unit of the value and bound of a failure; empty where the kind has no measure.

    falling: upward speed before the tick, m/s. The bound of an upward speed is that speed, or 0.
    """
    if kind != "speed":
        return UNITS[kind]
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


@dataclass(frozen=True)
class Failure:
    """A failing tick: its number in the walk, value and bound; the world's clock, the state row before it, its command
    row.

    Of a held command (tremble, drift): the state after the tick, at which the command begins.
    """

    kind: str
    tick: int
    value: float
    bound: float
    clock: int
    state: Any
    command: Any

    @property
    def unit(self) -> str:
        """Unit of value and bound; empty where the kind has no measure."""
        return failure_unit(self.kind, self.bound, float(self.state["falling"][0]))

    def __str__(self) -> str:
        text = f"tick {self.tick}: {self.kind} {self.value:.6f} (bound {self.bound:.6f}), clock {self.clock}"
        return f"{text}, command {self.command[0]}, state {self.state.tobytes().hex()}"


@dataclass
class FuzzReport:
    """Result of a walk. failing: ticks of each kind. worst_gap: smallest gap, ellipsoid space."""

    ticks: int = 0
    left: int = 0
    lost: int = 0
    worst_gap: float = NO_GAP
    failing: dict[str, list[int]] = field(default_factory=lambda: {kind: [] for kind in KINDS})
    cases: list[Failure] = field(default_factory=list)

    def add(self, kind: str, part: WalkPart, k: int, value: float = 1.0, bound: float = 0.0, held: Any = None) -> None:
        """Tick k of a part, which belongs to the block that begins at `ticks`, fails.

        held: command row that was held from the end of the tick on, instead of that of the tick
        """
        tick = self.ticks + part.first + k
        if tick in self.failing[kind][-1:]:
            return
        self.failing[kind].append(tick)
        if len(self.failing[kind]) <= MAX_CASES:
            command, n = (part.commands[k : k + 1], k) if held is None else (held, k + 1)
            state = part.states[n : n + 1]
            self.cases.append(Failure(kind, tick, float(value), float(bound), part.clock + n, state, command))

    def line(self, name: str, body: str) -> str:
        seen = [f"{len(ticks)} {kind} (first at {ticks[0]})" for kind, ticks in self.failing.items() if ticks]
        found = ", ".join(seen) or "no failure"
        gap = f"worst gap {self.worst_gap:.6f}"
        return f"{name:28} {body:8} {self.ticks:8} ticks  {gap}  {found}, {self.lost} lost, {self.left} left the level"
