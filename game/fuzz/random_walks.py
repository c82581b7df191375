"""Random walks with a check of every tick, for the kinds of failures in `failure_kinds`.

A walk that leaves an open level (a long fall) is put back to a start. That is counted and is not a failure. Near belts
and zones that push a body, tremble, drift and stuck are not judged; near moving platforms, tremble and drift are not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from . import tick_referee
from .failure_kinds import KINDS
from .held_commands import AT_END, HELD, RELEASED, draw_command, drifts, jitter_ticks, walks_in_circles
from .random_commands import wander
from .stuck_checks import is_stuck
from .tick_referee import TickReferee
from .walk_routes import WalkPart, WalkRoute, has_pushing_zones_near, nearby_mesh, passes_near_movers

CHUNK = 2000  # ticks between checks
CHUNKS_PER_START = 5
TRIALS = 5  # suspected trembles examined in a chunk
SETTLE = 240  # ticks for which a tremble must last
PRESSES = 3  # places in a chunk where one command is held, and then released
STILL = 20  # ticks without movement under a command before the test for stuck
CONFIRMED = 10  # more of them, after which a body that stood among moving platforms is stuck
STANDING = 1e-4  # m per tick: slower stands
RETURN = 3.0  # m: a longer way in a tick is the return of a lost walker to a safe place
MAX_CASES = 3  # of each kind that keep their state and command


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

    def __str__(self) -> str:
        text = f"tick {self.tick}: {self.kind} {self.value:.6f} (bound {self.bound:.6f}), clock {self.clock}"
        return f"{text}, command {self.command[0]}, state {self.state.tobytes().hex()}"


@dataclass
class FuzzReport:
    """Result of a walk. failing: ticks of each kind. worst_gap: smallest gap, ellipsoid space."""

    ticks: int = 0
    left: int = 0
    lost: int = 0
    worst_gap: float = 9.0
    failing: dict[str, list[int]] = field(default_factory=lambda: {kind: [] for kind in KINDS})
    cases: list[Failure] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        """True if any tick failed."""
        return any(self.failing.values())

    def add(self, kind: str, part: WalkPart, k: int, value: float = 1.0, bound: float = 0.0, held: Any = None) -> None:
        """Tick k of a part, which belongs to the chunk that begins at `ticks`, fails.

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


def walk_and_check(route: WalkRoute, ticks: int, stream: list[int], reach: float = np.inf) -> FuzzReport:
    """Walk so many random ticks and check them. stream: numbers that decide the walk. reach: m from the middle in which
    it begins. ValueError where there is no place to begin."""
    random = np.random.default_rng(stream)
    report = FuzzReport()
    checks = _ChunkChecks(route, report, random)
    chunks = CHUNKS_PER_START
    while report.ticks < ticks:
        if chunks == CHUNKS_PER_START:
            start = route.find_start(random, reach)
            if start is None:
                raise ValueError("found no place to begin a walk")
            route.begin(*start)
            chunks = 0
        number = int(random.integers(1 << 62))
        count = min(CHUNK, ticks - report.ticks)
        parts = route.walk(wander(route.walker, count, number, route.state.heading, looks=not route.is_plain))
        is_wild = [checks.check_part(part) for part in parts if len(part.commands)]
        checks.check_held_commands(parts)
        report.ticks += max(sum(len(part.commands) for part in parts), 1)
        left = sum(part.left for part in parts)
        report.left += left
        report.lost += sum(part.lost for part in parts)
        chunks = CHUNKS_PER_START if left or any(is_wild) else chunks + 1
    return report


class _ChunkChecks:
    """Checks of the parts of a walk, which write into its report."""

    def __init__(self, route: WalkRoute, report: FuzzReport, random: Any) -> None:
        self.route = route
        self.report = report
        self.random = random
        self.walker = route.walker
        self.mesh = route.mesh
        self.environment = route.environment
        self.referee = TickReferee(self.walker, self.mesh, self.environment)
        s = self.walker.settings
        speeds = self.referee.speeds
        fastest = 1.001 * speeds.faster * max(s.walk_speed, s.sprint_speed) + speeds.belt
        is_slippery = self.referee.steepness(np.eye(3)) > speeds.grip  # bodies speed up on slopes
        self.fast = math.inf if is_slippery else fastest * s.dt + 0.03
        self.half = 0.5 * s.skin

    def check_part(self, part: WalkPart) -> bool:
        """Check each tick of a part. True if its numbers are not finite."""
        wild = np.flatnonzero(~np.isfinite(part.states["position"]).all(axis=1))
        if len(wild):
            end = int(wild[0]) - 1
            self.report.add("wild", part, end)
            part = replace(part, states=part.states[: end + 1], commands=part.commands[:end])
        for breach in self.referee.check(part.states, part.commands, part.clock):
            self.report.add(breach.kind, part, breach.tick, breach.value, breach.bound)
        gaps = self.referee.gaps[1:]
        way = np.diff(part.states["position"], axis=0)
        self.report.worst_gap = min(self.report.worst_gap, float(gaps.min(initial=9.0)))
        if self.route.is_plain:
            returns = np.linalg.norm(way, axis=1) > RETURN
            self.report.lost += int(returns.sum())
            for k in np.flatnonzero(gaps < self.half - tick_referee.GAP_TOLERANCE).tolist():
                self.report.add("gap", part, k, -gaps[k], -self.half)
            plan = np.linalg.norm(way[:, [0, 2]], axis=1)
            for k in np.flatnonzero((plan > self.fast) & ~returns).tolist():
                self.report.add("fast", part, k, plan[k], self.fast)
        self._check_trembles(part)
        self._check_stuck(part, np.linalg.norm(way, axis=1) > STANDING)
        return bool(len(wild))

    def _is_calm(self, states: Any) -> bool:
        """Whether nothing but the walker itself moves the body on a path."""
        positions = states["position"]
        radii = states["radii"].max(axis=0)
        return not (passes_near_movers(self.environment, positions, radii) or self._is_pushed(states))

    def _is_pushed(self, states: Any) -> bool:
        """Whether a zone or a belt that moves a body by itself is near a path."""
        if self.referee.speeds.has_belt_near(states):
            return True
        return has_pushing_zones_near(self.environment, states["position"], states["radii"].max(axis=0))

    def _check_trembles(self, part: WalkPart) -> None:
        states = part.states
        rows = part.commands
        for k in jitter_ticks(states["position"], rows)[:TRIALS].tolist():
            held = np.repeat(rows[k : k + 1], SETTLE)
            on = self._run(states[k + 1], held, part.clock + k + 1)
            if len(jitter_ticks(on["position"][-AT_END:], held[: AT_END - 1])) and self._is_calm(on):
                self.report.add("tremble", part, k)

    def _check_stuck(self, part: WalkPart, moving: Any) -> None:
        asked = (np.abs(part.commands["forward"]) + np.abs(part.commands["strafe"])) > 0
        still = 0
        for k in range(len(part.commands)):
            still = still + 1 if asked[k] and not moving[k] else 0
            if still == STILL and self._is_stuck(part.states[k + 1], part.commands[k : k + 1], part.clock + k + 1):
                self.report.add("stuck", part, k, STILL)

    def _is_stuck(self, row: Any, command: Any, clock: int) -> bool:
        state = self.walker.state(row)
        room = None
        if self._is_pushed(row.reshape(1)):
            return False
        if not self.route.is_plain:
            after = self._run(row, np.repeat(command, CONFIRMED), clock)["position"]
            if (np.linalg.norm(np.diff(after, axis=0), axis=1) > STANDING).any():
                return False
            room = nearby_mesh(self.mesh, self.environment, state, clock)
        return is_stuck(self.walker, self.mesh, state, command[0], self.environment, clock, room)

    def check_held_commands(self, parts: list[WalkPart]) -> None:
        """Hold one command at some places of a chunk, and then none: the walker comes to rest."""
        ends = np.cumsum([len(part.commands) for part in parts])
        for at in self.random.integers(0, ends[-1], PRESSES).tolist() if ends[-1] else ():
            number = int(np.searchsorted(ends, at, side="right"))
            part = parts[number]
            k = at - int(ends[number] - len(parts[number].commands))
            command = draw_command(self.random)
            row = part.states[k + 1]
            clock = part.clock + k + 1
            if not np.isfinite(row["position"]).all():
                continue
            rows = self.walker.commands(**command, forward=np.ones(HELD))
            held = self._run(row, rows, clock)
            if not np.isfinite(held["position"]).all():
                self.report.add("wild", part, k, held=rows[:1])
                continue
            rest = self.walker.commands(forward=np.zeros(RELEASED), heading=int(held["heading"][-1]))
            left = self._run(held[-1], rest, clock + HELD)[-AT_END:]
            if walks_in_circles(held["position"][-90:]) and self._is_calm(held):
                self.report.add("tremble", part, k, held=rows[:1])
            if drifts(left) and self._is_calm(left):
                self.report.add("drift", part, k, held=rows[:1])

    def _run(self, row: Any, rows: Any, clock: int) -> Any:
        return self.walker.run(self.walker.state(row), rows, self.mesh, around=self.environment, clock=clock)
