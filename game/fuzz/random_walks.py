"""Random walks with a check of every tick, for the kinds of failures in `failures`.

The walker presses random keys, as a restless player does. At some places one command is held, and then none: the walker
comes to rest. Where it stands under a command, a way out is searched.

A walk that leaves an open level (a long fall) is put back to a start. That is counted and is not a failure. Near belts
and zones that push a body, tremble, drift and stuck are not judged; near moving platforms, tremble and drift are not.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ..core.angles import HEADING_UNITS_PER_TURN, RADIANS_PER_HEADING_UNIT
from ..core.vectors import gravity_axes
from ..physics import Ellipsoid, TriangleMesh, Walker, WalkerState
from ..physics.character.command import MAX_PITCH
from .failures import NO_GAP, FuzzReport
from .tick_referee import GAP_TOLERANCE, TickReferee, mover_triangles
from .walk_routes import WalkPart, WalkRoute

CHUNK = 2000  # ticks between checks
CHUNKS_PER_START = 5
TRIALS = 5  # suspected trembles examined in a chunk
SETTLE = 240  # ticks for which a tremble must last
PRESSES = 3  # places in a chunk where one command is held, and then released
STILL = 20  # ticks without movement under a command before the test for stuck
CONFIRMED = 10  # more of them, after which a body that stood among moving platforms is stuck
STANDING = 1e-4  # m per tick: slower stands
RETURN = 3.0  # m: a longer way in a tick is the return of a lost walker to a safe place
PITCHES = (0, 0, MAX_PITCH // 2, -MAX_PITCH // 2, MAX_PITCH, -MAX_PITCH)  # of a span of commands

HELD = 300  # ticks of a command, and then of none
AT_END = 60  # ticks of a released walker that are judged
ROUND = 0.05  # m: radius of a return to the same place
SLOW = 1e-6  # m per tick: slower is at rest
LONGEST_ROUND = 30  # ticks
REVERSALS = 3  # of the direction, in so many ticks: a tremble
REVERSAL_TICKS = 6

LIFT = 0.02  # m that the bare body is lifted
ROOM = 0.10  # m: free distance that counts as room
FIRST_STEP = 0.002  # m: a round body that goes into a corner at first, and only later past it, is not stuck
GAPS = (0.99, 0.75, 0.5)  # of the skin: the first of them that is free decides about the first step
MAX_LEAN = 84.0  # degrees: a tenth of a direction that leans so far is along the command
HOP_TICKS = 30
HOP_DISTANCE = 0.05  # m by which a hop leaves a place


def wander(walker: Walker, ticks: int, seed: int, heading: int = 0, looks: bool = False) -> Any:
    """Command rows: mostly forward, with strafing, slow and sudden turns, jumps, crouching, sprints and pauses.

    looks: also up and down, which steers a swimmer and a climber
    """
    rng = np.random.default_rng(seed)
    forward, strafe = np.zeros(ticks), np.zeros(ticks)
    turn = np.zeros(ticks, np.int64)
    jump, crouch, sprint = (np.zeros(ticks, bool) for _ in range(3))
    spans = []
    at = 0
    while at < ticks:
        n = int(rng.integers(5, 90))
        span = slice(at, min(at + n, ticks))
        spans.append(span)
        forward[span] = rng.choice([1.0, 1.0, 1.0, 1.0, -1.0, 0.0])
        strafe[span] = rng.choice([0.0, 0.0, 0.0, 1.0, -1.0])
        turn[span] = rng.choice([0, 0, 0, 30, -30, 200, -200, 900])
        if rng.random() < 0.3:
            turn[at] += int(rng.integers(-32768, 32768))
        jump[span] = rng.random() < 0.15
        crouch[span] = rng.random() < 0.15
        sprint[span] = rng.random() < 0.3
        at += n
    pitch = np.zeros(ticks, np.int64)
    for span in spans if looks else ():
        pitch[span] = rng.choice(PITCHES)
    headings = (heading + np.cumsum(turn)) % HEADING_UNITS_PER_TURN
    return walker.commands(
        forward=forward, strafe=strafe, heading=headings, pitch=pitch, jump=jump, crouch=crouch, sprint=sprint
    )


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
        self.referee = TickReferee(route.walker, route.mesh, route.environment)
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
        self.report.worst_gap = min(self.report.worst_gap, float(gaps.min(initial=NO_GAP)))
        if self.route.is_plain:
            returns = np.linalg.norm(way, axis=1) > RETURN
            self.report.lost += int(returns.sum())
            for k in np.flatnonzero(gaps < self.half - GAP_TOLERANCE).tolist():
                self.report.add("gap", part, k, -gaps[k], -self.half)
            plan = np.linalg.norm(way[:, [0, 2]], axis=1)
            for k in np.flatnonzero((plan > self.fast) & ~returns).tolist():
                self.report.add("fast", part, k, plan[k], self.fast)
        self._check_trembles(part)
        self._check_stuck(part, np.linalg.norm(way, axis=1) > STANDING)
        return bool(len(wild))

    def _is_calm(self, states: Any) -> bool:
        """Whether nothing but the walker itself moves the body on a path."""
        speeds = self.referee.speeds
        return not (speeds.has_mover_near(states) or speeds.has_push_near(states))

    def _check_trembles(self, part: WalkPart) -> None:
        for k in jitter_ticks(part.states["position"], part.commands)[:TRIALS].tolist():
            held = np.repeat(part.commands[k : k + 1], SETTLE)
            on = self._run(part.states[k + 1], held, part.clock + k + 1)
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
        """True if a walker that stood under a command had room to move; or if there is room but no direction with a
        jump moves it by 5 cm in half a second. (Jumping is how a walker leaves a pit.)"""
        if self.referee.speeds.has_push_near(row.reshape(1)):
            return False
        state = self.walker.state(row)
        mesh, at = self.route.mesh, state.position
        if not self.route.is_plain:
            after = self._run(row, np.repeat(command, CONFIRMED), clock)["position"]
            if (np.linalg.norm(np.diff(after, axis=0), axis=1) > STANDING).any():
                return False
            mesh, at = self._nearby_mesh(state, clock), (0.0, 0.0, 0.0)
        asked = command["heading"][0] * RADIANS_PER_HEADING_UNIT - np.arctan2(command["strafe"], command["forward"])[0]
        if has_free_direction(self.walker, mesh, state, asked, at):
            return True
        if not any(has_free_direction(self.walker, mesh, state, way, at) for way in np.arange(4) * (np.pi / 2.0)):
            return False
        for heading in range(0, HEADING_UNITS_PER_TURN, HEADING_UNITS_PER_TURN // 16):
            jump = np.arange(HOP_TICKS) == 1
            rows = self.walker.commands(forward=np.ones(HOP_TICKS), heading=heading, jump=jump)
            if np.linalg.norm(self._run(row, rows, clock)["position"][-1] - state.position) > HOP_DISTANCE:
                return False
        return True

    def _nearby_mesh(self, state: WalkerState, clock: int) -> TriangleMesh:
        """Triangles within 1 m of a body, movers where they are at a tick. Origin: its centre; second axis: up."""
        corners = self.referee.triangles
        if self.referee.movers is not None:
            corners = np.concatenate((corners, mover_triangles(self.referee.movers, clock, state.position, np.inf)))
        corners = corners - np.array(state.position)
        reach = max(state.radii) + 1.0
        corners = corners[((corners.min(axis=1) <= reach) & (corners.max(axis=1) >= -reach)).all(axis=1)]
        return TriangleMesh(corners @ gravity_axes(state.up, state.north).T)

    def check_held_commands(self, parts: list[WalkPart]) -> None:
        """Hold one command at some places of a chunk, and then none: the walker comes to rest."""
        ends = np.cumsum([len(part.commands) for part in parts])
        for at in self.random.integers(0, ends[-1], PRESSES).tolist() if ends[-1] else ():
            number = int(np.searchsorted(ends, at, side="right"))
            part = parts[number]
            k = at - int(ends[number] - len(part.commands))
            strafe = float(self.random.choice([0.0, 1.0, -1.0]))
            heading = int(self.random.integers(0, HEADING_UNITS_PER_TURN))
            sprint = bool(self.random.integers(0, 2))
            row = part.states[k + 1]
            clock = part.clock + k + 1
            if not np.isfinite(row["position"]).all():
                continue
            rows = self.walker.commands(forward=np.ones(HELD), strafe=strafe, heading=heading, sprint=sprint)
            held = self._run(row, rows, clock)
            if not np.isfinite(held["position"]).all():
                self.report.add("wild", part, k, held=rows[:1])
                continue
            rest = self.walker.commands(forward=np.zeros(HELD), heading=int(held["heading"][-1]))
            left = self._run(held[-1], rest, clock + HELD)[-AT_END:]
            if walks_in_circles(held["position"][-90:]) and self._is_calm(held):
                self.report.add("tremble", part, k, held=rows[:1])
            if drifts(left) and self._is_calm(left):
                self.report.add("drift", part, k, held=rows[:1])

    def _run(self, row: Any, rows: Any, clock: int) -> Any:
        """State rows of a walk from a state, with the movers and zones of the route."""
        around = self.route.environment
        return self.walker.run(self.walker.state(row), rows, self.route.mesh, around=around, clock=clock)


def walks_in_circles(positions: Any) -> bool:
    """True if a walk keeps moving and keeps returning to the same places."""
    way = np.diff(positions, axis=0)
    if np.linalg.norm(way, axis=1).max() < SLOW or np.ptp(positions, axis=0).max() > ROUND:
        return False
    return any(
        np.abs(positions[k:] - positions[:-k]).max() < SLOW < np.ptp(positions[:k], axis=0).max()
        for k in range(2, LONGEST_ROUND + 1)
    )


def drifts(states: Any) -> bool:
    """True if a walker without a command stays on ground and moves, without getting slower as on ice."""
    way = np.linalg.norm(np.diff(states["position"], axis=0), axis=1)
    return bool(states["grounded"].all() and way.any() and way[-1] >= way[0])


def jitter_ticks(positions: Any, rows: Any) -> Any:
    """Ticks at which the horizontal direction has reversed for the third time in six, under one command."""
    way = np.diff(positions[:, [0, 2]], axis=0)
    way[np.linalg.norm(way, axis=1) < SLOW] = 0.0
    back = np.zeros(len(way), np.int64)
    back[1:] = ((way[1:] * way[:-1]).sum(axis=1) < 0.0) & (rows[1:] == rows[:-1])
    count = np.convolve(back, np.ones(REVERSAL_TICKS, np.int64))[: len(back)]
    return np.flatnonzero(count >= REVERSALS)


def has_free_direction(walker: Walker, mesh: TriangleMesh, state: WalkerState, heading: float, at: Any) -> bool:
    """Whether there is a horizontal direction with a part along the heading (radians) in which the bare body, lifted by
    2 cm, has 10 cm of room, and room for its skin after each 2 cm; its first 2 mm, lifted or not, keep the gap.

    at: position of the centre in the frame of the mesh, whose second axis is up
    """
    body = Ellipsoid(state.radii)
    x, y, z = at
    if mesh.sweep(body, (x, y, z), state.yaw, (0.0, LIFT, 0.0)) is not None:
        return False

    def is_free(gap: float, places: Any) -> bool:
        """Whether the body with a part of its skin touches nothing at one of some places."""
        wide = 1.0 + gap * walker.settings.skin
        a, b, c = state.radii
        body = Ellipsoid((wide * a, wide * b, wide * c))
        return not all(len(ids) for ids in mesh.overlap_many(body, places, state.yaw))

    gap = next((each for each in GAPS if is_free(each, np.array([at], np.float64))), GAPS[-1])
    for lean in sorted(np.arange(-MAX_LEAN, MAX_LEAN + 0.1, 6.0), key=abs):
        way = heading + np.radians(lean)
        dx, dz = -np.sin(way), -np.cos(way)
        first = np.array([[x, y, z], [x, y + LIFT, z]]) + FIRST_STEP * np.array((dx, 0.0, dz))
        parts = np.linspace(0.2, 1.0, 5)[:, None] * (ROOM * dx, 0.0, ROOM * dz) + (x, y + LIFT, z)
        if (
            mesh.sweep(body, (x, y + LIFT, z), state.yaw, (ROOM * dx, 0.0, ROOM * dz)) is None
            and all(is_free(GAPS[0], part[None]) for part in parts)
            and is_free(gap, first)
        ):
            return True
    return False
