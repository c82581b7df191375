"""Exploration of a level by bots: from its spawns, by jumps aimed at what was not reached; and the walk to the goal."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...core.vectors import Floats, to_point
from ...level.build.entities.zones import RunRole
from ...physics.rules import Run
from ..batched_world import BatchedWorld
from ..world import World
from . import moves, reachability, standable_cells
from .mover_phases import NONE
from .moves import BotWalk
from .places import Edge, Label, cell_keys_of, in_boxes
from .search import MAX_RIDE_TICKS, Arrival, BotSearch, BotTarget, TargetKind
from .standable_cells import StandableCells

if TYPE_CHECKING:
    from ...level import Level

MAX_EXPLORE_TICKS = 12_000_000  # walked by all bots together in one level
MAX_REGIONS = 40  # unreached regions that bots aim at
MAX_AIM_CELLS = 240  # cells aimed at in each
AIM_DIRECTIONS = 256  # in which bots aim at cells; at targets exactly
AIM_START_COUNT = 5  # places from which each cell is aimed at
MIN_JUMP_DISTANCE = 6.0  # m in plan that bots aim at, at least: no jump of the usual body goes further
JUMP_DISTANCE_FACTOR = 1.02  # of the distance of a sprinting jump on level ground
MAX_AIM_DISTANCE = 40.0  # m
EXTRA_AIM_HEIGHT = 0.6  # m above the height of a jump
MAX_SIDESTEP_STARTS = 300  # places next to unreached ground where bots try side steps in all directions
JUMP_ROUNDS = 3
MAX_LEG_TICKS = 1_000_000  # walked for one leg
MAX_DEAD_ENDS = 6  # legs without end, after which no other order of the targets is tried
LEG_BOTS = 256  # at once
PROGRESS_INTERVAL_TICKS = 50_000  # between two progress reports


class ExplorationStage(Enum):
    FINDING_GROUND = auto()
    EXPLORING = auto()
    JUMPING = auto()
    SOLVING = auto()
    FINDING_TRAPS = auto()
    CONFIRMING = auto()
    DONE = auto()


ProgressCallback = Callable[[ExplorationStage, float, int], None]  # stage, fraction done 0..1, places found


@dataclass(frozen=True, slots=True)
class Solution:
    """A walk from a start of a search to the goal.

    walk, tick  the walk, and the tick of the world at its end
    missing     numbers of the level's targets that it does not reach; the goal may wait for them
    ticks       that bots walked to find it
    """

    walk: BotWalk
    tick: int
    missing: tuple[int, ...]
    ticks: int


@dataclass(frozen=True, slots=True)
class GoalAnswer:
    """What bots found out about the goal from one spawn.

    spawn     its name; empty where the level has one spawn
    ticks     of the fastest walk to it; None where there is none, or where it begins at another spawn
    distance  m from the goal to the nearest place that was reached
    is_reached  whether bots reach the goal, also by way of another spawn
    """

    spawn: str
    ticks: int | None
    distance: float = 0.0
    is_reached: bool = False


class LevelExploration:
    """Bots in one level, in its world: movers move, and zones act. Balls and golf are left out.

    search       places that they reached
    cells        cells where a walker can stand and live; None before `explore`
    starts       start place -> name of spawns other than the first
    solution     the walk to the goal from the first spawn, which reaches it in a `World`; None where there is none
    is_complete  nothing was left to try at the end, and no ride was too long; else `unfinished` says why
    is_interrupted   interrupted during exploration or confirmation
    """

    def __init__(
        self,
        level: Level,
        ticks: int = MAX_EXPLORE_TICKS,
        progress: ProgressCallback | None = None,
        threads: int | None = None,
        spawn: str | None = None,
        other_spawns: bool = True,
    ) -> None:
        """spawn: where the bots start; None: the first. other_spawns: also at each spawn that they did not reach.

        ValueError where the spawn is unknown or has no room.
        """
        self.level = level
        self.max_ticks = ticks
        self._other_spawns = other_spawns
        self.world = World(level, spawn=spawn)
        self.search = BotSearch(BatchedWorld(level, threads, self.world, ignores_balls=True), level_targets(level))
        self.cells: StandableCells | None = None
        self.starts: dict[int, str] = {}
        self.solution: Solution | None = None
        self.is_complete = self.is_interrupted = False
        self._progress = progress
        self._fraction = 0.0
        self._queued_moves: set[tuple[int, int, int]] = set()

    def explore(self) -> None:
        """Run all stages. After an interruption the results so far remain."""
        search = self.search
        search.add_start(self.world.walker_state)
        self.report_progress(ExplorationStage.FINDING_GROUND, 0.0)
        cells = standable_cells.find_standable_cells(
            self.level.mesh,
            self.world.settings,
            reachability.is_solid_triangle(self.level),
            reachability.is_closed_triangle(self.level),
        )
        centre = cells.feet + self.world.settings.radii[1] * standable_cells.UP
        kill_boxes = [zone for zone in self.level.all_zones if zone.facts.role is RunRole.KILL and zone.mover < 0]
        cells = cells.select(~in_boxes(kill_boxes, cells.feet, centre))
        if self.level.zones is not None:  # where gravity turns, this ground is a wall
            centre = cells.feet + self.world.settings.radii[1] * standable_cells.UP
            pulls = [self.level.zones.gravity(point) for point in centre.tolist()]
            cells = cells.select(np.array([x == z == 0.0 and y <= 0.0 for x, y, z in pulls], np.bool_))
        self.cells = cells
        is_complete = self._run_search(ExplorationStage.EXPLORING, 0.02, 0.55)
        self._explore_other_spawns()
        self.report_progress(ExplorationStage.JUMPING, 0.55)
        for k in range(JUMP_ROUNDS):
            if not self._aim_at_unreached(self.cells):
                break
            is_complete = self._run_search(ExplorationStage.JUMPING, 0.55 + 0.05 * k, 0.6 + 0.05 * k)
        self.is_complete = is_complete and not self.search.left_ride

    @property
    def unfinished(self) -> str:
        """What ended the search before everything was tried, as a clause; empty for a complete one."""
        search = self.search
        if self.is_complete:
            return ""
        if self.is_interrupted:
            return "it was interrupted"
        if search.ticks >= self.max_ticks:
            return f"the bots walked {search.ticks} ticks, all that they may"
        if search.left_ride:
            return f"a ride takes longer than {MAX_RIDE_TICKS * self.world.settings.dt:.0f} s"
        return f"the bots found {len(search.places)} places, all that they may"

    def solve(self) -> None:
        """After `explore`: find the walk to the goal, and walk it in the world."""
        self.report_progress(ExplorationStage.SOLVING, 0.7)
        found = find_solution(self.search)
        if found is not None:
            self.search.ticks += found.ticks
            world = World(self.level, spawn=self.world.start.name)
            world.run(moves.walk_command_rows(found.walk))
            if found.missing or world.goal_tick == found.tick:
                self.solution = found

    def goal_answers(self) -> tuple[GoalAnswer, ...]:
        """The answer for each spawn that has room, the first spawn first; none where the level has no goal."""
        search, level, goal = self.search, self.level, self.level.goal
        number = next((k for k, target in enumerate(search.targets) if target.kind == TargetKind.GOAL), None)
        if goal is None or number is None:
            return ()
        start_places = {name: place for place, name in self.starts.items()}
        start_places[self.world.start.name] = 0
        answers = []
        for spawn in level.spawns:
            start = start_places.get(spawn.name)
            place = search.places.place_by_cell.get(int(cell_keys_of(np.array([spawn.feet]))[0]), start)
            if place is None:
                continue  # no room, or not explored
            ticks = None if start is None else search.ticks_to_target(number, start)
            if start == 0 and self.solution is not None:
                ticks = self.solution.tick
            reached = reachability.labels_reached_from(search, search.places.labels[place])
            feet = search.places.feet()[[search.places.place_of[label] for label in sorted(reached)]]
            distance = float(np.linalg.norm(feet - np.array(goal.at), axis=1).min())
            name = spawn.name if len(level.spawns) > 1 else ""
            answers.append(GoalAnswer(name, ticks, distance, ticks is not None or distance < goal.radius))
        return tuple(answers)

    def report_progress(self, stage: ExplorationStage, fraction: float) -> None:
        """Report a stage and the fraction done, which never falls."""
        self._fraction = max(self._fraction, fraction)
        if self._progress is not None:
            self._progress(stage, self._fraction, len(self.search.places.place_by_cell))

    def _run_search(self, stage: ExplorationStage, begin: float, end: float) -> bool:
        search = self.search
        total = max(1, len(self.cells or ()))
        last = search.ticks

        def progress(_: BotSearch) -> None:
            nonlocal last
            if search.ticks - last > PROGRESS_INTERVAL_TICKS:
                last = search.ticks
                done = min(1.0, max(len(search.places.place_by_cell) / total, search.ticks / self.max_ticks))
                self.report_progress(stage, begin + (end - begin) * done)

        self.report_progress(stage, begin)
        return search.run(self.max_ticks, progress)

    def _explore_other_spawns(self) -> None:
        """Start bots at the spawns that were not reached from the first one."""
        for spawn in self.level.spawns if self._other_spawns else ():
            if spawn.name == self.world.start.name:
                continue
            try:
                state = World(self.level, spawn=spawn.name).walker_state
            except ValueError:
                continue  # no room; `check` reports it
            if int(cell_keys_of(np.array([state.feet]))[0]) not in self.search.places.place_by_cell:
                self.starts[self.search.add_start(state)] = spawn.name
                self._run_search(ExplorationStage.EXPLORING, 0.55, 0.55)

    def _aim_at_unreached(self, ground: StandableCells) -> bool:
        """Queue moves towards unreached ground and targets; whether there are any that were not tried."""
        body = self.world.settings
        far = JUMP_DISTANCE_FACTOR * max(body.sprint_speed, body.walk_speed) * body.jump_seconds
        far = min(max(far, MIN_JUMP_DISTANCE), MAX_AIM_DISTANCE)
        search, feet = self.search, self.search.places.feet()
        numbers = np.array(sorted(search.places.place_by_cell.values()), np.int64)
        reached = feet[numbers]
        attempts: set[tuple[int, int, int]] = set()
        adjacent: set[int] = set()
        arrived = {number for _, number in search.arrivals}
        spots = [to_point(target.at) for m, target in enumerate(search.targets) if m not in arrived]
        groups = [spots]
        for cells in ground.connected_regions(~ground.visited_mask(search.mesh, search.places))[:MAX_REGIONS]:
            groups.append([to_point(ground.feet[cell]) for cell in cells[:: max(1, len(cells) // MAX_AIM_CELLS)]])
        for group in groups:
            high = body.jump_height + EXTRA_AIM_HEIGHT + (2.0 * body.radii[1] if group is spots else 0.0)
            fine = 1 if group is spots else moves.FULL_TURN // AIM_DIRECTIONS
            for x, y, z in group:
                distance = np.hypot(reached[:, 0] - x, reached[:, 2] - z)
                rise = y - reached[:, 1]
                in_range = np.flatnonzero((distance < far) & (rise < high))
                order = np.argsort(distance[in_range] + np.maximum(rise[in_range], 0.0), kind="stable")[
                    :AIM_START_COUNT
                ]
                adjacent.update(numbers[in_range[order]].tolist())
                starts = numbers[in_range[order]].tolist()
                if group is spots:  # who starts at rest goes exactly in the direction of the keys
                    starts += [rest for place in starts if (rest := search.rests.get(place, NONE)) != NONE]
                for place in starts:
                    turns = math.atan2(feet[place, 0] - x, feet[place, 2] - z) / (2.0 * math.pi)
                    heading = round(turns * moves.FULL_TURN / fine) * fine % moves.FULL_TURN
                    attempts |= {(place, kind, heading) for kind in range(len(moves.MOVES))}
        for place in sorted(adjacent)[:: max(1, len(adjacent) // MAX_SIDESTEP_STARTS)]:  # along walls, into narrow gaps
            attempts |= {(place, moves.SIDESTEP, k * (moves.FULL_TURN // 16)) for k in range(16)}
        new = sorted(attempts - self._queued_moves)
        self._queued_moves |= attempts
        for place, kind, heading in new:
            search.queue_move(place, kind, heading)
        return bool(new)


def level_targets(level: Level) -> tuple[BotTarget, ...]:
    """The goal, the targets, the exits, and all spawns but the first."""
    targets = []
    if level.goal is not None:
        targets.append(BotTarget(TargetKind.GOAL, 0, "", level.goal.at, level.goal.radius))
    for number, target in enumerate(level.targets):
        targets.append(BotTarget(TargetKind.TARGET, number, target.name, target.at, target.radius, body=True))
    for number, exit_ in enumerate(level.exits):
        targets.append(BotTarget(TargetKind.EXIT, number, exit_.name, exit_.at, exit_.radius))
    for number, spawn in enumerate(level.spawns[1:], start=1):
        targets.append(BotTarget(TargetKind.SPAWN, number, spawn.name, spawn.feet, 1.0))
    return tuple(targets)


def ticks_left(entered: Mapping[Label, Mapping[Label, Edge]], ends: Mapping[Label, int]) -> dict[Label, int]:
    """Ticks from each label to the nearest of `ends`, each of which has some left itself: Dijkstra's algorithm along
    the reversed edges."""
    entered_from: dict[Label, list[tuple[Label, int]]] = {}
    for label, others in entered.items():
        for other, edge in others.items():
            entered_from.setdefault(other, []).append((label, edge.ticks))
    left: dict[Label, int] = {}
    heap = [(ticks, label) for label, ticks in ends.items()]
    heapq.heapify(heap)
    while heap:
        ticks, label = heapq.heappop(heap)
        if label in left:
            continue
        left[label] = ticks
        for other, more in entered_from.get(label, ()):
            if other not in left:
                heapq.heappush(heap, (ticks + more, other))
    return left


class _Leg(NamedTuple):
    """The end of a part of a walk: the walk to it, and the state, run and label there."""

    walk: BotWalk
    floats: Floats
    run: Run
    label: Label


def find_solution(search: BotSearch, start: int = 0) -> Solution | None:
    """The walk from a start to the goal; None where the search has found none.

    Where the goal waits for targets, the nearest one by what is known is next. Where one that is left is not reached
    then, the walk goes back to the last choice, and takes the next nearest. Each leg is a search of its own from the
    end of the last one, so that clock and movers are those of the walk.
    """
    goal = next((m for m, target in enumerate(search.targets) if target.kind == TargetKind.GOAL), None)
    if goal is None or (start, goal) not in search.arrivals:
        return None
    arrival = search.arrivals[start, goal]
    level_goal = search.level.goal
    if level_goal is None or level_goal.after != "targets":
        return Solution(search.walk_through(arrival.attempt), arrival.tick, (), 0)
    numbers = {m: target.number for m, target in enumerate(search.targets) if target.kind == TargetKind.TARGET}
    remaining = [m for m in numbers if (start, m) in search.arrivals]
    missing = tuple(number for m, number in numbers.items() if m not in remaining)
    fields = {m: ticks_left(search.entered, {search.arrivals[start, m].label: 0}) for m in (*remaining, goal)}
    walked, dead_ends = 0, 0

    def choices(begun: _Leg) -> list[tuple[_Leg, int]]:
        """The leg with what may be next, the best last."""
        left = [m for m in remaining if not begun.run.targets[numbers[m]]]
        left.sort(key=lambda m: (fields[m].get(begun.label, 1 << 30), m), reverse=True)
        return [(begun, m) for m in left or [goal]]

    tries = choices(_Leg((), search.places.floats[start], search.places.run(start), search.places.labels[start]))
    while tries and dead_ends < MAX_DEAD_ENDS:
        begun, aim = tries.pop()
        leg = BotSearch(search.batched, search.targets, fields[aim], LEG_BOTS)
        first = leg.add_start_of_run(begun.floats, begun.run)
        leg.run(MAX_LEG_TICKS, lambda leg, aim=aim, first=first: (first, aim) in leg.arrivals)  # type: ignore[misc]
        walked += leg.ticks
        found: Arrival | None = leg.arrivals.get((first, aim))
        if found is None:  # by way of another target neither
            tries = [one for one in tries if one[0] is not begun]
            dead_ends += 1
            continue
        walk = (*begun.walk, *leg.walk_through(found.attempt))
        if aim == goal:
            return Solution(moves.merge_equal_steps(walk), found.tick, missing, walked)
        if found.run.targets[numbers[aim]]:  # else it is at the border of the target, by rounding
            tries += choices(_Leg(walk, found.floats, found.run, found.label))
    return None
