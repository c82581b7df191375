"""Findings of the bots: what a player cannot do, and where, each with a walk that shows it in a world."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...core.vectors import to_point
from ...level.format.findings import SourceSpan
from ...level.geometry.faces import TargetSpec
from .. import command_script
from ..events import RespawnReason
from . import moves, reachability
from .exploration import ExplorationStage, GoalAnswer, LevelExploration, Solution
from .moves import BotWalk
from .places import Points, cell_keys_of, feet_positions
from .reachability import FallEdge, TrapRegion, UnreachedRegion
from .search import MAX_FALL_TICKS, BotTarget, TargetKind, WalkedStates
from .standable_cells import StandableCells

if TYPE_CHECKING:
    from ...level import Level

MAX_FINDINGS_PER_KIND = 12  # reported; further ones are counted
MAX_SHOWN_DISTANCE = 1.2  # m: a walk that ends so near to an obstacle shows it
END_PAUSE_TICKS = 30  # of standing at the end of a walk, so that its end can be seen
MAX_TRAP_TICKS = 2_000_000  # spent on the search for ways out
MAX_SHORTEN_TICKS = 80_000  # walked to make one walk shorter

WalkPredicate = Callable[[WalkedStates], bool]


class FindingKind(StrEnum):
    """Kind of a finding. The values are words of a piece's `intended` field, except for STUCK and the targets."""

    FALL = "fall"  # a player can fall out of the level
    PIT = "pit"  # a player can get in, and not out
    STUCK = "stuck"  # no key moves the player
    UNREACHED = "unreached"  # walkable ground was not reached
    GOAL = "goal"  # a target of this kind was not reached
    TARGET = "target"
    EXIT = "exit"
    SPAWN = "spawn"

    @property
    def intended_word(self) -> str:
        """The word of `intended` that suppresses the finding."""
        return FindingKind.PIT.value if self == FindingKind.STUCK else self.value


@dataclass(frozen=True, slots=True)
class FallDetails:
    """A fall over an edge: the corners (x, z) in m of the places fallen from, and the index of the origin that the
    player jumped off, where it is another piece."""

    low: tuple[float, float]
    high: tuple[float, float]
    takeoff_origin: int | None


@dataclass(frozen=True, slots=True)
class TrapDetails:
    """A region without a way out: area (m2), depth (m), and whether it lies under water, out of which nobody swims."""

    area: float = 0.0
    depth: float = 0.0
    in_water: bool = False


@dataclass(frozen=True, slots=True)
class UnreachedDetails:
    """Ground that was not reached: area (m2), and the targets on it."""

    area: float
    targets: tuple[BotTarget, ...]


@dataclass(frozen=True, slots=True)
class TargetDetails:
    """A target that was not reached: the distance (m) of the nearest place reached, and the number of tries.

    spawn: the first spawn, where bots reached the target from another one; else empty
    """

    target: BotTarget
    distance: float
    tries: int
    spawn: str = ""


@dataclass(frozen=True, slots=True)
class OrderDetails:
    """Each target and the goal was reached, but no walk visits them all. count: of the targets."""

    count: int


FindingDetails = FallDetails | TrapDetails | UnreachedDetails | TargetDetails | OrderDetails


@dataclass(frozen=True, slots=True)
class BotFinding:
    """One finding of the bots.

    place        span of the level's source; where: label of the piece or field there, empty for neither
    position     m
    commands     text of a commands file that walks there from the spawn
    spawn        name of the spawn that the walk begins at; empty for the first
    path         (n,3) the feet on that walk, m
    area_points  (n,3) all places that the finding is about, m
    """

    kind: FindingKind
    place: SourceSpan
    where: str
    details: FindingDetails
    position: tuple[float, float, float]
    commands: str = ""
    spawn: str = ""
    path: Points = field(default_factory=lambda: np.zeros((0, 3)))
    area_points: Points = field(default_factory=lambda: np.zeros((0, 3)))


def is_intended(level: Level, kind: FindingKind, origin: int) -> bool:
    """Whether the piece has the finding's word in its `intended` field."""
    return kind.intended_word in level.origins[origin].intended


def origin_span(level: Level, origin: int | None) -> tuple[SourceSpan, str]:
    """(source span, label) of a piece; empty ones for no piece."""
    if origin is None:
        return SourceSpan(), ""
    return level.origins[origin].place, level.origins[origin].label


def target_span(level: Level, target: BotTarget) -> tuple[SourceSpan, str]:
    """(source span, field or label) of a target."""
    if target.kind == TargetKind.GOAL and level.goal is not None:
        return level.goal.place, "goal"
    if target.kind == TargetKind.EXIT:
        return level.exits[target.number].place, "exits"
    if target.kind == TargetKind.SPAWN:
        return level.spawns[target.number].place, "spawns"
    balls = [mark for mark in level.faces.marks if isinstance(mark.payload, TargetSpec)]
    return origin_span(level, balls[target.number].origin)


@dataclass(frozen=True, slots=True)
class BotReport:
    """Report on an exploration.

    omitted           findings that were not reported, by kind
    target_ticks      goal, targets, exits and other spawns, with the ticks of the best attempt, or None
    reached           (n,3) feet, one for each cell that was reached, m
    standable_cells   cells with room by geometry; visited_mask (cells,): a bot came near
    path_to_goal      (n,3) feet on the fastest way to the goal; empty where there is none
    unfinished        why not everything was tried, as a clause; empty where it was. is_interrupted: by Ctrl-C
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
    unfinished: str
    is_interrupted: bool
    goal_answers: tuple[GoalAnswer, ...] = ()
    solution: Solution | None = None

    @property
    def is_complete(self) -> bool:
        """Whether everything was tried."""
        return not self.unfinished


def report_exploration(exploration: LevelExploration) -> BotReport:
    """The confirmed findings of an exploration. Ctrl-C keeps those so far and sets `is_interrupted`."""
    collector = _WalkFindings(exploration)
    try:
        collector.collect()
    except KeyboardInterrupt:
        exploration.is_complete, exploration.is_interrupted = False, True
    search, level, cells, solution = exploration.search, exploration.level, exploration.cells, exploration.solution
    path = np.zeros((0, 3))
    if solution is not None:
        rows = moves.walk_command_rows(solution.walk)
        path = feet_positions(search.walk_states(0, rows).states)
    exploration.report_progress(ExplorationStage.DONE, 1.0)
    return BotReport(
        tuple(
            sorted(
                collector.findings,
                key=lambda one: (one.place.file or str(level.path), one.place.line, one.place.column),
            )
        ),
        collector.omitted,
        tuple((target, search.ticks_to_target(k)) for k, target in enumerate(search.targets)),
        search.places.feet()[sorted(search.places.place_by_cell.values())],
        cells,
        np.zeros(0, np.bool_) if cells is None else cells.visited_mask(search.mesh, search.places),
        path,
        search.ticks,
        search.attempt_count,
        exploration.unfinished,
        exploration.is_interrupted,
        exploration.goal_answers(),
        solution,
    )


class _WalkFindings:
    def __init__(self, exploration: LevelExploration) -> None:
        self.exploration, self.level, self.search = exploration, exploration.level, exploration.search
        self.findings: list[BotFinding] = []
        self.omitted: dict[str, int] = {}
        self._explained: set[int] = set()  # targets named by a finding about the ground that they lie on

    def collect(self) -> None:
        """Analyse everything; each finding is kept as it is found."""
        exploration, search = self.exploration, self.search
        exploration.solve()
        exploration.report_progress(ExplorationStage.FINDING_TRAPS, 0.8)
        jobs: list[Callable[[], None]] = []
        if exploration.is_complete and exploration.cells is not None:
            jobs += [partial(self._report_trap, trap) for trap in reachability.find_traps(search, MAX_TRAP_TICKS)]
            regions = reachability.find_unreached_regions(search, exploration.cells)
            jobs += [partial(self._report_unreached, region, exploration.cells) for region in regions]
            jobs += [self._report_unreached_targets, self._report_order_of_targets]
        exploration.report_progress(ExplorationStage.CONFIRMING, 0.85)
        jobs = [partial(self._report_fall, edge) for edge in reachability.find_fall_edges(self.level, search)] + jobs
        for k, job in enumerate(jobs):
            job()
            exploration.report_progress(ExplorationStage.CONFIRMING, 0.85 + 0.15 * (k + 1) / len(jobs))

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
    ) -> bool:
        """Keep a finding if its walk, written as a script, parsed and walked from the spawn, shows it; whether it
        does."""
        if sum(finding.kind == kind for finding in self.findings) >= MAX_FINDINGS_PER_KIND:
            self.omitted[kind] = self.omitted.get(kind, 0) + 1
            return False
        search, start = self.search, self.search.places.start_places[place]
        name = self.exploration.starts.get(start, "")
        facing = search.places.heading(start)
        pause = MAX_FALL_TICKS if kind == FindingKind.FALL else END_PAUSE_TICKS

        def with_pause(steps: BotWalk, ticks: int) -> BotWalk:
            return (*steps, moves.HeldKeys(ticks, steps[-1].heading if steps else facing))

        def walked(steps: BotWalk) -> WalkedStates:
            return search.walk_states(start, moves.walk_command_rows(with_pause(steps, pause)))

        if not predicate(walked(walk)):
            return False
        for steps in (shorter_walk(walk, lambda steps: predicate(walked(steps))), walk):
            ticks = len(walked(steps).states) - moves.walk_ticks(steps)  # a fall ends the walk
            text = moves.script_text(
                moves.merge_equal_steps(with_pause(steps, max(ticks, 0) + END_PAUSE_TICKS)), facing
            )
            shown = search.walk_states(start, command_script.parse_script(text).rows(search.walker, facing))
            if predicate(shown):
                path = feet_positions(shown.states)
                self.findings.append(BotFinding(kind, *source, details, at, text, name, path, area_points))
                return True
        return False

    def _report_fall(self, edge: FallEdge) -> None:
        level, search, origin, places = self.level, self.search, min(edge.origins), edge.crossed_point

        def predicate(walked: WalkedStates) -> bool:
            if walked.death != RespawnReason.FELL:
                return False
            crossed = reachability.last_ground_crossed(search, walked.states)
            return crossed is not None and reachability.origin_index_of(level, crossed[0]) in edge.origins

        if is_intended(level, FindingKind.FALL, origin):
            return
        (low_x, _, low_z), (high_x, _, high_z) = places.min(axis=0).tolist(), places.max(axis=0).tolist()
        jumped = edge.takeoff_origin >= 0 and edge.takeoff_origin not in edge.origins
        details = FallDetails((low_x, low_z), (high_x, high_z), edge.takeoff_origin if jumped else None)
        attempt = edge.first_fall.attempt
        self._add_finding(
            FindingKind.FALL, origin_span(level, origin), details, to_point(places[0]),
            attempt.place, search.walk_through(attempt), predicate, places,
        )  # fmt: skip

    def _report_trap(self, trap: TrapRegion) -> None:
        """Report a region without a way out."""
        search, places = self.search, self.search.places
        feet = places.feet()

        def predicate(walked: WalkedStates) -> bool:
            last = walked.states[-1:]
            is_held = bool((last["grounded"] | last["swimming"]).all())
            return walked.death is None and is_held and int(cell_keys_of(feet_positions(last))[0]) in trap.keys

        kind = FindingKind.STUCK if trap.stuck and not trap.in_water else FindingKind.PIT
        triangle = int(reachability.supporting_triangles(search, feet[trap.place : trap.place + 1])[0])
        origin = reachability.origin_index_of(self.level, triangle) if triangle >= 0 else None
        if origin is not None and is_intended(self.level, kind, origin):
            return
        attempt = places.attempts[trap.place]
        while attempt is not None and places.labels[attempt.place].cell in trap.keys:
            attempt = places.attempts[attempt.place]
        depth = 0.0 if attempt is None else float(feet[attempt.place][1] - feet[trap.place][1])
        self._add_finding(
            kind, origin_span(self.level, origin), TrapDetails(trap.area, depth, trap.in_water),
            to_point(feet[trap.place]), trap.place, search.walk_to(trap.place), predicate,
            feet[[places.place_by_cell[key] for key in sorted(trap.keys)]],
        )  # fmt: skip

    def _report_unreached(self, region: UnreachedRegion, cells: StandableCells) -> None:
        """Report unreached ground that looks as if it should be reached. `check` says what keeps players out of it."""
        search, feet = self.search, cells.feet[region.cells]
        origins = reachability.origin_indices_of(self.level, cells.triangle[region.cells])
        numbers, counts = np.unique(origins, return_counts=True)
        ground = int(numbers[np.argmax(counts)])
        if not region.looks_intended or is_intended(self.level, FindingKind.UNREACHED, ground):
            return
        targets = [
            number
            for number, target in enumerate(search.targets)
            if np.linalg.norm(feet - np.array(target.at), axis=1).min() < target.radius + 0.6
            and not self._is_target_reached(number)
        ]
        nearest = (reachability.nearest_place(search, point) for point in feet[:: max(1, len(feet) // 64)])
        place, _ = min(nearest, key=lambda pair: (pair[1], pair[0]))
        is_told = self._add_finding(
            FindingKind.UNREACHED, origin_span(self.level, ground),
            UnreachedDetails(region.area, tuple(search.targets[number] for number in targets)),
            to_point(feet[np.argmin(np.linalg.norm(feet - feet.mean(axis=0), axis=1))]), place, search.walk_to(place),
            _ends_at(search.places.feet()[place], set(cells.key[region.cells].tolist())), feet,
        )  # fmt: skip
        self._explained.update(targets if is_told else ())

    def _is_target_reached(self, number: int) -> bool:
        """Whether a target was reached from the first spawn; where exits lead to other levels, from any spawn."""
        starts = {0, *self.exploration.starts} if self.level.exits else {0}
        return any((start, number) in self.search.arrivals for start in starts)

    def _report_order_of_targets(self) -> None:
        """Report a goal that waits for targets which no walk visits all."""
        search, goal = self.search, self.level.goal
        if goal is None or goal.after != "targets" or self.exploration.solution is not None:
            return
        needed = {k: target for k, target in enumerate(search.targets) if target.kind in ("goal", "target")}
        if all((0, number) in search.arrivals for number in needed):  # else a finding or a line names it
            number = next(k for k, target in needed.items() if target.kind == TargetKind.GOAL)
            place = search.arrivals[0, number].attempt.place
            self._add_finding(
                FindingKind.GOAL, target_span(self.level, needed[number]), OrderDetails(len(needed) - 1), goal.at,
                place, search.walk_to(place), _ends_at(search.places.feet()[place], set()), np.array([goal.at]),
            )  # fmt: skip

    def _report_unreached_targets(self) -> None:
        """Report goal, targets, exits and spawns that were not reached."""
        search, level = self.search, self.level
        main = sorted(k for k in search.places.place_by_cell.values() if search.places.start_places[k] == 0)
        for number, target in enumerate(search.targets if main else ()):
            if (
                self._is_target_reached(number)
                or number in self._explained
                or (target.kind == TargetKind.SPAWN and level.exits)
                or (target.kind == TargetKind.TARGET and level.balls)
            ):
                continue
            feet = search.places.feet()[main]
            distances = np.linalg.norm(feet - np.array(target.at), axis=1)
            nearest = int(np.argmin(distances))
            is_reached = any((start, number) in search.arrivals for start in self.exploration.starts)
            spawn = level.spawns[0].name if is_reached else ""
            details = TargetDetails(target, float(distances[nearest]), search.attempt_count, spawn)
            self._add_finding(
                FindingKind(target.kind), target_span(level, target), details, target.at, main[nearest],
                search.walk_to(main[nearest]), _ends_at(feet[nearest], set()), np.array([target.at]),
            )  # fmt: skip


def _ends_at(point: Points, region: set[int]) -> WalkPredicate:
    """Whether a walk ends at a point, and in no cell of a region."""

    def predicate(walked: WalkedStates) -> bool:
        end = feet_positions(walked.states[-1:])
        is_near = len(end) > 0 and float(np.hypot(*(end[0] - point)[::2])) < MAX_SHOWN_DISTANCE
        return is_near and int(cell_keys_of(end)[0]) not in region

    return predicate


def shorter_walk(walk: BotWalk, shows: Callable[[BotWalk], bool]) -> BotWalk:
    """A walk with fewer turns that still shows the same: parts of it are left out, or walked like the step before them,
    large parts first."""
    ticks, size = 0, len(walk) // 2
    while size:
        k = 0
        while k + size <= len(walk) and ticks < MAX_SHORTEN_TICKS:
            before, part, after = walk[:k], walk[k : k + size], walk[k + size :]
            straight = tuple(replace(before[-1], ticks=moves.walk_ticks(part)) for _ in before[-1:])
            tried = {moves.merge_equal_steps((*before, *between, *after)) for between in ((), straight)}
            ticks += sum(map(moves.walk_ticks, tried))
            shorter = next((one for one in sorted(tried, key=moves.walk_ticks) if shows(one)), None)
            walk, k = (walk, k + size) if shorter is None else (shorter, k)
        size //= 2
    return walk
