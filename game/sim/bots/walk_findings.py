"""Findings of the bots, each confirmed by a walk that shows it again."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...level.format.findings import SourceSpan
from ...physics import WalkerState
from ...physics.character.state import States
from . import moves, near_misses, reachability
from .exploration import MAX_EXPLORE_TICKS, ExplorationStage, LevelExploration, ProgressCallback
from .finding_data import (
    BotFinding,
    FallDetails,
    FindingDetails,
    FindingKind,
    NearMissDetails,
    TargetDetails,
    TrapDetails,
    UnreachedDetails,
    is_intended,
    origin_span,
    target_span,
)
from .minimise import WalkMinimiser, WalkPredicate
from .moves import BotWalk
from .near_misses import NearMiss
from .reachability import FallEdge, TrapRegion, UnreachedRegion
from .search import BotTarget, CellKey, Points, TargetKind, cell_keys_of, feet_positions
from .standable_cells import StandableCells

if TYPE_CHECKING:
    from ...level import Level

MAX_FINDINGS_PER_KIND = 12  # reported; further ones are counted
MAX_SHOWN_DISTANCE = 1.2  # m: a walk that ends so near to an obstacle shows it
TERMINAL_SPEED = 60.0  # m/s, limit of a fall
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


def explore_level(
    level: Level,
    ticks: int = MAX_EXPLORE_TICKS,
    seed: int = 1,
    progress: ProgressCallback | None = None,
    threads: int | None = None,
) -> BotReport:
    """Explore a level with bots and report. Same level, ticks and seed give the same findings."""
    walking = LevelExploration(level, ticks, seed, progress, threads)
    walking.explore()
    return report_exploration(walking)


def report_exploration(walking: LevelExploration) -> BotReport:
    """The confirmed findings of an exploration. Ctrl-C keeps those so far and sets `walking.broken_off`."""
    return _FindingBuilder(walking).build_report()


class _FindingBuilder:
    def __init__(self, walking: LevelExploration) -> None:
        self.walking, self.level, self.search = walking, walking.level, walking.search
        self._zones = [area for area in walking.level.areas if area.kind != "checkpoint"]
        self.findings: list[BotFinding] = []
        self.more: dict[str, int] = {}
        self._explained: set[int] = set()  # targets named by a finding about the ground that they lie on

    def build_report(self) -> BotReport:
        search, spots = self.search, self.walking.spots
        try:
            self._collect_findings()
        except KeyboardInterrupt:
            self.walking.is_complete, self.walking.broken_off = False, True
        marks = tuple((mark, search.ticks_to_target(k)) for k, mark in enumerate(search.marks))
        reached = search.places.feet()[sorted(search.places.place_by_cell.values())]
        seen = spots.visited_mask(search.mesh, search.places) if spots is not None else np.zeros(0, np.bool_)
        self.walking.report_progress(ExplorationStage.DONE, 1.0)
        return BotReport(
            tuple(sorted(self.findings, key=self._source_order)),
            self.more,
            marks,
            reached,
            spots,
            seen,
            self._path_to_goal(),
            search.ticks,
            search.attempt_count,
            self.walking.is_complete,
        )

    def _source_order(self, found: BotFinding) -> tuple[str, int, int]:
        """Sort key: file, line, column."""
        return found.place.file or str(self.level.path), found.place.line, found.place.column

    def _collect_findings(self) -> None:
        """Analyse everything; each finding is kept as it is found."""
        search, spots = self.search, self.walking.spots
        self.walking.report_progress(ExplorationStage.FINDING_TRAPS, 0.8)
        traps = reachability.find_traps(search, MAX_TRAP_TICKS) if self.walking.is_complete else []
        blanks = (
            reachability.find_unreached_regions(search, spots) if self.walking.is_complete and spots is not None else []
        )
        self.walking.report_progress(ExplorationStage.CONFIRMING, 0.85)
        edges = reachability.find_fall_edges(self.level, search)
        jobs: list[Callable[[], None]] = [partial(self._report_fall, edge) for edge in edges]
        jobs += [partial(self._report_trap, trap) for trap in traps]
        jobs += [
            partial(self._report_stuck, traps),
            *(partial(self._report_unreached, blank) for blank in blanks),
            self._report_unreached_targets,
        ]
        for k, job in enumerate(jobs):
            job()
            self.walking.report_progress(ExplorationStage.CONFIRMING, 0.85 + 0.15 * (k + 1) / len(jobs))

    def _path_to_goal(self) -> Points:
        for (start, number), made in self.search.best_attempts.items():
            if self.search.marks[number].kind == TargetKind.GOAL and start == 0:
                return self._feet(self.search.walk_through(made), 0)
        return np.zeros((0, 3))



    def _start(self, place: int) -> tuple[str, WalkerState]:
        start = self.search.places.start_places[place]
        return self.walking.starts.get(start, ("", self.walking.world.walker_state))

    def _feet(self, walk: BotWalk, place: int) -> Points:
        _, state = self._start(place)
        return feet_positions(self._cutter(state).simulate(walk)) if walk else np.array([state.feet])

    def _cutter(self, state: WalkerState) -> WalkMinimiser:
        return WalkMinimiser(self.search.walker, self.level.mesh, state)

    def _add_finding(
        self,
        kind: FindingKind,
        source: tuple[SourceSpan, str],
        details: FindingDetails,
        at: tuple[float, float, float],
        place: int,
        walk: BotWalk,
        shows: WalkPredicate,
        spread: Points,
        still: int = END_PAUSE_TICKS,
    ) -> None:
        """Keep a finding if its walk, written as a script, parsed and walked from the spawn, shows it."""
        if sum(one.kind == kind for one in self.findings) >= MAX_FINDINGS_PER_KIND:
            self.more[kind] = self.more.get(kind, 0) + 1
            return
        name, state = self._start(place)
        cutter = self._cutter(state)
        if not shows(cutter.simulate(walk, still)):
            return
        for tried in (cutter.minimise(walk, shows, still), walk):
            heading = tried[-1].heading if tried else state.heading
            whole = moves.merge_equal_steps([*tried, moves.WalkStep(still, heading)])
            text = moves.script_text(whole, self._spawn_heading(name))
            rows = moves.walk_script(whole, self._spawn_heading(name)).rows(
                self.search.walker, self._spawn_heading(name)
            )
            states = self.search.walker.run(state, rows, self.level.mesh)
            if shows(states):
                break
        else:
            return
        self.findings.append(BotFinding(kind, *source, details, at, text, name, feet_positions(states), spread))

    def _spawn_heading(self, spawn: str) -> int:
        return next((one.heading for one in self.level.spawns if one.name == spawn), self.walking.world.start.heading)



    def _report_fall(self, edge: FallEdge) -> None:
        """Report a fall out of the level."""
        level, search = self.level, self.search
        kill, mesh = level.kill_height, level.mesh

        def shows(states: States) -> bool:
            found = reachability.last_ground_crossed(search, states)
            if found is None or not (feet_positions(states)[:, 1] < kill).any():
                return False
            return reachability.origin_index_of(level, found[0]) in edge.origins

        high = max(0.0, float(mesh.nodes[0, 4]) - kill)
        still = round(60 * (math.sqrt(2.0 * high / 9.81) + high / TERMINAL_SPEED)) + 30
        origin = min(edge.origins)
        if is_intended(level, FindingKind.FALL, origin):
            return
        (low_x, _, low_z), (high_x, _, high_z) = edge.crossed_point.min(axis=0), edge.crossed_point.max(axis=0)
        jumped = edge.takeoff_origin >= 0 and edge.takeoff_origin not in edge.origins
        details = FallDetails((low_x, low_z), (high_x, high_z), edge.takeoff_origin if jumped else None)
        attempt = edge.first_fall.attempt
        self._add_finding(
            FindingKind.FALL, origin_span(level, origin), details, self._point_tuple(edge.crossed_point[0]),
            attempt.place, search.walk_through(attempt), shows, edge.crossed_point, still,
        )  # fmt: skip

    def _report_trap(self, trap: TrapRegion) -> None:
        """Report a region without a way out."""
        search = self.search
        feet = search.places.feet()
        spread = feet[[search.places.place_by_cell[key] for key in sorted(trap.keys)]]
        if any(zone.contains(place) for zone in self._zones for place in spread.tolist()):
            return  # water, a pad or a ladder may lead out
        at = self._point_tuple(feet[trap.place])
        carried = reachability.supporting_triangles(search, feet[trap.place : trap.place + 1])
        origin = reachability.origin_index_of(self.level, int(carried[0])) if carried[0] >= 0 else None

        def shows(states: States) -> bool:
            last = states[-1:]
            inside = bool(last["grounded"][0]) and int(cell_keys_of(feet_positions(last))[0]) in trap.keys
            return inside and (not trap.stuck or reachability.is_stuck(search, search.walker.state(last)))

        kind = FindingKind.STUCK if trap.stuck else FindingKind.PIT
        if origin is not None and is_intended(self.level, kind, origin):
            return
        details = TrapDetails(trap.area, self._trap_depth(trap))
        source = origin_span(self.level, origin)
        self._add_finding(kind, source, details, at, trap.place, search.walk_to(trap.place), shows, spread)

    def _trap_depth(self, trap: TrapRegion) -> float:
        """Depth of a trap below the place from which it was entered, m."""
        feet = self.search.places.feet()
        made = self.search.places.attempts[trap.place]
        while made is not None and self.search.places.cell_keys[made.place] in trap.keys:
            made = self.search.places.attempts[made.place]
        return float(feet[made.place][1] - feet[trap.place][1]) if made is not None else 0.0

    def _report_stuck(self, traps: list[TrapRegion]) -> None:
        """Report places that a random walk did not leave, after a test with all moves."""
        search = self.search
        inside: set[CellKey] = set().union(*(trap.keys for trap in traps)) if traps else set()
        seen: list[Points] = []
        feet = search.places.feet()
        for place in self.walking.stayed:
            state = search.walker.state(search.places.states[place])
            near = any(float(np.linalg.norm(feet[place] - other)) < MAX_SHOWN_DISTANCE for other in seen)
            if near or search.places.cell_keys[place] in inside or not reachability.is_stuck(search, state):
                continue
            seen.append(feet[place])
            at = self._point_tuple(feet[place])
            carried = reachability.supporting_triangles(search, feet[place : place + 1])
            origin = reachability.origin_index_of(self.level, int(carried[0])) if carried[0] >= 0 else None

            def shows(states: States, centre: Points = feet[place]) -> bool:
                last = states[-1:]
                near = float(np.linalg.norm(feet_positions(last)[0] - centre)) < MAX_SHOWN_DISTANCE
                return near and reachability.is_stuck(search, search.walker.state(last))

            if origin is not None and is_intended(self.level, FindingKind.STUCK, origin):
                continue
            source = origin_span(self.level, origin)
            self._add_finding(
                FindingKind.STUCK, source, TrapDetails(), at, place, search.walk_to(place), shows,
                feet[place : place + 1],
            )

    def _report_unreached(self, blank: UnreachedRegion) -> None:
        """Report unreached ground that is missed by little, or looks as if it should be reached."""
        search, spots = self.search, self.walking.spots
        assert spots is not None
        feet = spots.feet[blank.spots]
        inside = set(spots.key[blank.spots].tolist())
        marks = self._targets_in(feet)
        near = near_misses.find_near_miss(search, spots, blank, blank.looks_intended or bool(marks))
        numbers, counts = np.unique(
            reachability.origin_indices_of(self.level, spots.triangle[blank.spots]), return_counts=True
        )
        ground = int(numbers[np.argmax(counts)])
        if is_intended(self.level, FindingKind.UNREACHED, ground):
            return
        before = len(self.findings)
        if near is not None:
            self._report_near_miss(near, ground, blank.area, feet, inside, marks)
        elif blank.looks_intended:
            place, _ = self._nearest_reached_place(feet)
            at = self._point_tuple(feet[np.argmin(np.linalg.norm(feet - feet.mean(axis=0), axis=1))])
            details = UnreachedDetails(blank.area, self._targets(marks))
            shows = self._ends_at_predicate(search.places.feet()[place], inside)
            source = origin_span(self.level, ground)
            self._add_finding(FindingKind.UNREACHED, source, details, at, place, search.walk_to(place), shows, feet)
        if len(self.findings) > before:
            self._explained |= marks

    def _targets_in(self, feet: Points) -> set[int]:
        """Indices of the unreached targets among some cells."""
        found = set()
        for number, mark in enumerate(self.search.marks):
            near = np.linalg.norm(feet - np.array(mark.at), axis=1).min() < mark.radius + 0.6
            if near and not self._is_target_reached(number):
                found.add(number)
        return found

    def _is_target_reached(self, number: int) -> bool:
        """Whether a target was reached from the first spawn; where exits lead to other levels, from any spawn."""
        starts = {0, *self.walking.starts} if self.level.exits else {0}
        return any(self.search.ticks_to_target(number, start) is not None for start in starts)

    def _targets(self, marks: set[int]) -> tuple[BotTarget, ...]:
        return tuple(self.search.marks[number] for number in sorted(marks))

    def _report_near_miss(
        self, near: NearMiss, ground: int, area: float, feet: Points, inside: set[CellKey], marks: set[int]
    ) -> None:
        origins = [reachability.origin_index_of(self.level, triangle) for triangle in near.triangles if triangle >= 0]
        origin = max(origins, default=ground)
        if any(is_intended(self.level, near.kind, one) for one in (*origins, origin)):
            return
        spots = self.walking.spots
        assert spots is not None
        first = int(np.argmin(np.linalg.norm(spots.feet - np.array(near.beyond), axis=1)))
        ground = reachability.origin_index_of(self.level, int(spots.triangle[first]))
        details = NearMissDetails(near.measured, near.required, ground, area, self._targets(marks))
        shows = self._ends_at_predicate(np.array(near.at), inside)
        source = origin_span(self.level, origin)
        self._add_finding(near.kind, source, details, near.at, near.place, near.walk, shows, feet)

    def _ends_at_predicate(self, point: Points, inside: set[CellKey]) -> WalkPredicate:
        def shows(states: States) -> bool:
            end = feet_positions(states[-1:])
            away = end[0] - point
            return float(np.hypot(away[0], away[2])) < MAX_SHOWN_DISTANCE and int(cell_keys_of(end)[0]) not in inside

        return shows

    def _nearest_reached_place(self, feet: Points) -> tuple[int, float]:
        """The reached place that is nearest to some cells, and its distance (m)."""
        found = [reachability.nearest_place(self.search, one) for one in feet[:: max(1, len(feet) // 64)]]
        return min(found, key=lambda pair: (pair[1], pair[0]))

    def _report_unreached_targets(self) -> None:
        """Report goal, targets, exits and spawns that were not reached."""
        search = self.search
        if not self.walking.is_complete or self.level.movers or self._zones:  # bots do not use platforms or zones
            return
        for number, mark in enumerate(search.marks):
            if (
                self._is_target_reached(number)
                or number in self._explained
                or (mark.kind == TargetKind.SPAWN and self.level.exits)
            ):
                continue
            main = sorted(k for k in search.places.place_by_cell.values() if search.places.start_places[k] == 0)
            feet = search.places.feet()[main]
            nearest = int(np.argmin(np.linalg.norm(feet - np.array(mark.at), axis=1)))
            place = main[nearest]
            away = float(np.linalg.norm(feet[nearest] - np.array(mark.at)))
            ends = feet[nearest]
            details = TargetDetails(mark, away, search.attempt_count)
            shows = self._ends_at_predicate(ends, set())
            self._add_finding(
                FindingKind(mark.kind), target_span(self.level, mark), details, mark.at, place, search.walk_to(place),
                shows, np.array([mark.at]),
            )  # fmt: skip

    @staticmethod
    def _point_tuple(feet: Points) -> tuple[float, float, float]:
        x, y, z = feet.tolist()
        return x, y, z
