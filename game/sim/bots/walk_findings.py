"""Findings of the bots, each confirmed by a walk that shows it again."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...core.vectors import to_point
from ...level.format.findings import SourceSpan
from ...physics import WalkerState
from .. import command_script
from ..events import RespawnReason
from . import moves, reachability
from .exploration import MAX_EXPLORE_TICKS, ExplorationStage, GoalAnswer, LevelExploration, ProgressCallback, Solution
from .finding_data import (
    BotFinding,
    FallDetails,
    FindingDetails,
    FindingKind,
    TargetDetails,
    TrapDetails,
    UnreachedDetails,
    is_intended,
    origin_span,
    target_span,
)
from .minimise import WalkMinimiser, WalkPredicate
from .moves import BotWalk
from .places import CellKey, Points, cell_keys_of, feet_positions
from .reachability import FallEdge, TrapRegion, UnreachedRegion
from .search import MAX_FALL_TICKS, BotTarget, TargetKind, WalkedStates
from .standable_cells import StandableCells

if TYPE_CHECKING:
    from ...level import Level

MAX_FINDINGS_PER_KIND = 12  # reported; further ones are counted
MAX_SHOWN_DISTANCE = 1.2  # m: a walk that ends so near to an obstacle shows it
MIN_FALL_GRAVITY = 0.1  # m/s2: with less, a fall is not waited for
END_PAUSE_TICKS = 30  # of standing at the end of a walk, so that its end can be seen
MAX_TRAP_TICKS = 2_000_000  # spent on the search for ways out


@dataclass(frozen=True, slots=True)
class BotReport:
    """Report on an exploration.

    omitted           findings that were not reported, by kind
    target_ticks      goal, targets, exits and other spawns, with the ticks of the best attempt, or None
    reached           (n,3) feet, one for each cell that was reached, m
    standable_cells   cells with room by geometry; visited_mask (cells,): a bot came near
    path_to_goal      (n,3) feet on the fastest way to the goal; empty where there is none
    is_complete       nothing was left to try
    goal_answers      one for each spawn, where the level has a goal
    solution          the walk to the goal from the first spawn
    """

    findings: tuple[BotFinding, ...]
    omitted: dict[str, int]
    target_ticks: tuple[tuple[BotTarget, int | None], ...]
    reached: Points
    standable_cells: StandableCells | None
    visited_mask: np.ndarray
    path_to_goal: Points
    ticks: int
    attempt_count: int
    is_complete: bool
    goal_answers: tuple[GoalAnswer, ...] = ()
    solution: Solution | None = None


def explore_level(
    level: Level,
    ticks: int = MAX_EXPLORE_TICKS,
    progress: ProgressCallback | None = None,
    threads: int | None = None,
) -> BotReport:
    """Explore a level with bots and report. The same level and ticks give the same findings."""
    exploration = LevelExploration(level, ticks, progress, threads)
    exploration.explore()
    return report_exploration(exploration)


def report_exploration(exploration: LevelExploration) -> BotReport:
    """The confirmed findings of an exploration. Ctrl-C keeps those so far and sets `is_interrupted`."""
    return _WalkFindings(exploration).build_report()


class _WalkFindings:
    def __init__(self, exploration: LevelExploration) -> None:
        self.exploration = exploration
        self.level = exploration.level
        self.search = exploration.search
        self.findings: list[BotFinding] = []
        self.more: dict[str, int] = {}
        self._explained: set[int] = set()  # targets named by a finding about the ground that they lie on

    def build_report(self) -> BotReport:
        search = self.search
        cells = self.exploration.cells
        try:
            self._collect_findings()
        except KeyboardInterrupt:
            self.exploration.is_complete = False
            self.exploration.is_interrupted = True
        target_ticks = tuple((target, search.ticks_to_target(k)) for k, target in enumerate(search.targets))
        reached = search.places.feet()[sorted(search.places.place_by_cell.values())]
        visited = cells.visited_mask(search.mesh, search.places) if cells is not None else np.zeros(0, np.bool_)
        self.exploration.report_progress(ExplorationStage.DONE, 1.0)
        return BotReport(
            tuple(sorted(self.findings, key=self._source_order)),
            self.more,
            target_ticks,
            reached,
            cells,
            visited,
            self._path_to_goal(),
            search.ticks,
            search.attempt_count,
            self.exploration.is_complete,
            self.exploration.goal_answers(),
            self.exploration.solution,
        )

    def _source_order(self, finding: BotFinding) -> tuple[str, int, int]:
        """Sort key: file, line, column."""
        return finding.place.file or str(self.level.path), finding.place.line, finding.place.column

    def _collect_findings(self) -> None:
        """Analyse everything; each finding is kept as it is found."""
        search = self.search
        cells = self.exploration.cells
        self.exploration.solve()
        self.exploration.report_progress(ExplorationStage.FINDING_TRAPS, 0.8)
        traps = reachability.find_traps(search, MAX_TRAP_TICKS) if self.exploration.is_complete else []
        regions = (
            reachability.find_unreached_regions(search, cells)
            if self.exploration.is_complete and cells is not None
            else []
        )
        self.exploration.report_progress(ExplorationStage.CONFIRMING, 0.85)
        edges = reachability.find_fall_edges(self.level, search)
        jobs: list[Callable[[], None]] = [partial(self._report_fall, edge) for edge in edges]
        jobs += [partial(self._report_trap, trap) for trap in traps]
        jobs += [partial(self._report_unreached, region) for region in regions]
        jobs.append(self._report_unreached_targets)
        for k, job in enumerate(jobs):
            job()
            self.exploration.report_progress(ExplorationStage.CONFIRMING, 0.85 + 0.15 * (k + 1) / len(jobs))

    def _path_to_goal(self) -> Points:
        solution = self.exploration.solution
        return np.zeros((0, 3)) if solution is None else self._feet(solution.walk, 0)

    def _start(self, place: int) -> tuple[str, WalkerState]:
        start = self.search.places.start_places[place]
        return self.exploration.starts.get(start, ("", self.exploration.world.walker_state))

    def _feet(self, walk: BotWalk, place: int) -> Points:
        _, state = self._start(place)
        return feet_positions(self._minimiser(state).simulate(walk).states) if walk else np.array([state.feet])

    def _minimiser(self, state: WalkerState) -> WalkMinimiser:
        return WalkMinimiser(self.search, state)

    def _add_finding(
        self,
        kind: FindingKind,
        source: tuple[SourceSpan, str],
        details: FindingDetails,
        at: tuple[float, float, float],
        place: int,
        walk: BotWalk,
        predicate: WalkPredicate,
        area_points: Points,
        pause: int = END_PAUSE_TICKS,
    ) -> None:
        """Keep a finding if its walk, written as a script, parsed and walked from the spawn, shows it."""
        if sum(finding.kind == kind for finding in self.findings) >= MAX_FINDINGS_PER_KIND:
            self.more[kind] = self.more.get(kind, 0) + 1
            return
        name, state = self._start(place)
        minimiser = self._minimiser(state)
        if not predicate(minimiser.simulate(walk, pause)):
            return
        for candidate in (minimiser.minimise(walk, predicate, pause), walk):
            heading = candidate[-1].heading if candidate else state.heading
            full_walk = moves.merge_equal_steps([*candidate, moves.HeldKeys(pause, heading)])
            spawn_heading = self._spawn_heading(name)
            text = moves.script_text(full_walk, spawn_heading)
            rows = command_script.parse_script(text).rows(self.search.walker, spawn_heading)
            walked = self.search.walk_states(state, rows)
            if predicate(walked):
                break
        else:
            return
        self.findings.append(
            BotFinding(kind, *source, details, at, text, name, feet_positions(walked.states), area_points)
        )

    def _spawn_heading(self, spawn: str) -> int:
        return next(
            (candidate.heading for candidate in self.level.spawns if candidate.name == spawn),
            self.exploration.world.start.heading,
        )

    def _report_fall(self, edge: FallEdge) -> None:
        level = self.level
        search = self.search
        kill = level.kill_height
        mesh = level.mesh

        def predicate(walked: WalkedStates) -> bool:
            if walked.death != RespawnReason.FELL:
                return False
            crossed = reachability.last_ground_crossed(search, walked.states)
            return crossed is not None and reachability.origin_index_of(level, crossed[0]) in edge.origins

        high = max(0.0, float(mesh.nodes[0, 4]) - kill)
        body = search.settings
        fall_seconds = math.sqrt(2.0 * high / max(body.gravity, MIN_FALL_GRAVITY)) + high / body.fall_limit
        fall_ticks = min(round(60 * fall_seconds), MAX_FALL_TICKS) + 30
        origin = min(edge.origins)
        if is_intended(level, FindingKind.FALL, origin):
            return
        (low_x, _, low_z), (high_x, _, high_z) = edge.crossed_point.min(axis=0), edge.crossed_point.max(axis=0)
        jumped = edge.takeoff_origin >= 0 and edge.takeoff_origin not in edge.origins
        details = FallDetails((low_x, low_z), (high_x, high_z), edge.takeoff_origin if jumped else None)
        attempt = edge.first_fall.attempt
        self._add_finding(
            FindingKind.FALL, origin_span(level, origin), details, to_point(edge.crossed_point[0]),
            attempt.place, search.walk_through(attempt), predicate, edge.crossed_point, fall_ticks,
        )  # fmt: skip

    def _report_trap(self, trap: TrapRegion) -> None:
        """Report a region without a way out."""
        search = self.search
        feet = search.places.feet()
        area_points = feet[[search.places.place_by_cell[key] for key in sorted(trap.keys)]]
        at = to_point(feet[trap.place])
        origin = self._origin_below(trap.place)

        def predicate(walked: WalkedStates) -> bool:
            last = walked.states[-1:]
            is_held = bool((last["grounded"] | last["swimming"]).all())
            return walked.death is None and is_held and int(cell_keys_of(feet_positions(last))[0]) in trap.keys

        kind = FindingKind.STUCK if trap.stuck and not trap.in_water else FindingKind.PIT
        if origin is not None and is_intended(self.level, kind, origin):
            return
        details = TrapDetails(trap.area, self._trap_depth(trap), trap.in_water)
        source = origin_span(self.level, origin)
        self._add_finding(kind, source, details, at, trap.place, search.walk_to(trap.place), predicate, area_points)

    def _origin_below(self, place: int) -> int | None:
        """Index of the origin of the triangle below a reached place; None where there is none."""
        triangle = int(reachability.supporting_triangles(self.search, self.search.places.feet()[place : place + 1])[0])
        return reachability.origin_index_of(self.level, triangle) if triangle >= 0 else None

    def _trap_depth(self, trap: TrapRegion) -> float:
        """Depth of a trap below the place from which it was entered, m."""
        feet = self.search.places.feet()
        attempt = self.search.places.attempts[trap.place]
        while attempt is not None and self.search.places.labels[attempt.place].cell in trap.keys:
            attempt = self.search.places.attempts[attempt.place]
        return float(feet[attempt.place][1] - feet[trap.place][1]) if attempt is not None else 0.0

    def _report_unreached(self, region: UnreachedRegion) -> None:
        """Report unreached ground that looks as if it should be reached. `check` says what keeps players out of it."""
        search = self.search
        cells = self.exploration.cells
        assert cells is not None
        feet = cells.feet[region.cells]
        targets = self._targets_in(feet)
        numbers, counts = np.unique(
            reachability.origin_indices_of(self.level, cells.triangle[region.cells]), return_counts=True
        )
        ground = int(numbers[np.argmax(counts)])
        if not region.looks_intended or is_intended(self.level, FindingKind.UNREACHED, ground):
            return
        before = len(self.findings)
        place, _ = self._nearest_reached_place(feet)
        at = to_point(feet[np.argmin(np.linalg.norm(feet - feet.mean(axis=0), axis=1))])
        details = UnreachedDetails(region.area, self._targets_of(targets))
        predicate = self._ends_at_predicate(search.places.feet()[place], set(cells.key[region.cells].tolist()))
        source = origin_span(self.level, ground)
        self._add_finding(FindingKind.UNREACHED, source, details, at, place, search.walk_to(place), predicate, feet)
        if len(self.findings) > before:
            self._explained |= targets

    def _targets_in(self, feet: Points) -> set[int]:
        """Indices of the unreached targets among some cells."""
        targets = set()
        for number, target in enumerate(self.search.targets):
            is_near = np.linalg.norm(feet - np.array(target.at), axis=1).min() < target.radius + 0.6
            if is_near and not self._is_target_reached(number):
                targets.add(number)
        return targets

    def _is_target_reached(self, number: int) -> bool:
        """Whether a target was reached from the first spawn; where exits lead to other levels, from any spawn."""
        starts = {0, *self.exploration.starts} if self.level.exits else {0}
        return any(self.search.ticks_to_target(number, start) is not None for start in starts)

    def _targets_of(self, numbers: set[int]) -> tuple[BotTarget, ...]:
        return tuple(self.search.targets[number] for number in sorted(numbers))

    def _ends_at_predicate(self, point: Points, region_keys: set[CellKey]) -> WalkPredicate:
        def predicate(walked: WalkedStates) -> bool:
            end = feet_positions(walked.states[-1:])
            if not len(end):
                return False
            offset = end[0] - point
            return (
                float(np.hypot(offset[0], offset[2])) < MAX_SHOWN_DISTANCE
                and int(cell_keys_of(end)[0]) not in region_keys
            )

        return predicate

    def _nearest_reached_place(self, feet: Points) -> tuple[int, float]:
        """The reached place that is nearest to some cells, and its distance (m)."""
        places = [reachability.nearest_place(self.search, point) for point in feet[:: max(1, len(feet) // 64)]]
        return min(places, key=lambda pair: (pair[1], pair[0]))

    def _report_unreached_targets(self) -> None:
        """Report goal, targets, exits and spawns that were not reached."""
        search = self.search
        main = sorted(k for k in search.places.place_by_cell.values() if search.places.start_places[k] == 0)
        if not self.exploration.is_complete or not main:
            return
        for number, target in enumerate(search.targets):
            if (
                self._is_target_reached(number)
                or number in self._explained
                or (target.kind == TargetKind.SPAWN and self.level.exits)
                or (target.kind == TargetKind.TARGET and self.level.balls)
            ):
                continue
            feet = search.places.feet()[main]
            nearest = int(np.argmin(np.linalg.norm(feet - np.array(target.at), axis=1)))
            place = main[nearest]
            distance = float(np.linalg.norm(feet[nearest] - np.array(target.at)))
            ends = feet[nearest]
            is_reached = any(search.ticks_to_target(number, start) is not None for start in self.exploration.starts)
            spawn = self.level.spawns[0].name if is_reached else ""
            details = TargetDetails(target, distance, search.attempt_count, spawn)
            predicate = self._ends_at_predicate(ends, set())
            self._add_finding(
                FindingKind(target.kind), target_span(self.level, target), details, target.at, place,
                search.walk_to(place), predicate, np.array([target.at]),
            )  # fmt: skip
