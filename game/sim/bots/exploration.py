"""Exploration of a level by bots: breadth first, from other spawns, aimed jumps, and random walks."""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import Enum, auto
from typing import TYPE_CHECKING

import numpy as np

from ...level.build.entities.zones import RunRole, build_physics_zones
from ...physics import Environment, WalkerState
from ..world import World
from . import moves, reachability, standable_cells
from .random_walk import random_walk
from .search import BotSearch, BotTarget, TargetKind, cell_keys_of, in_boxes
from .standable_cells import StandableCells

if TYPE_CHECKING:
    from ...level import Level
    from ...level.build.entities.zones import LevelZone

MAX_EXPLORE_TICKS = 12_000_000  # walked by all bots together in one level
MAX_RANDOM_BOTS, MIN_RANDOM_BOTS = 256, 24  # of the random walks, which find places to get stuck in
RANDOM_ROUNDS = 30
MAX_REGIONS = 40  # unreached regions that bots aim at
MAX_AIM_CELLS = 240  # cells aimed at in each
AIM_START_COUNT = 5  # places from which each cell is aimed at
MIN_JUMP_DISTANCE = 6.0  # m in plan that bots aim at, at least: no jump of the usual body goes further
JUMP_DISTANCE_FACTOR = 1.02  # of the distance of a sprinting jump on level ground
MAX_AIM_DISTANCE = 40.0  # m
EXTRA_AIM_HEIGHT = 0.6  # m above the height of a jump
MAX_SIDESTEP_STARTS = 300  # places next to unreached ground where bots try side steps in all directions
JUMP_ROUNDS = 3
PROGRESS_INTERVAL_TICKS = 50_000  # between two progress reports


class ExplorationStage(Enum):
    FINDING_GROUND = auto()
    EXPLORING = auto()
    JUMPING = auto()
    WANDERING = auto()
    FINDING_TRAPS = auto()
    CONFIRMING = auto()
    DONE = auto()


ProgressCallback = Callable[[ExplorationStage, float, int], None]  # stage, fraction done 0..1, places found


class LevelExploration:
    """Bots in one level.

    search       places that they reached
    cells        cells where a walker can stand and live; None before `explore`
    starts       start place -> (name, state) of spawns other than the first
    stayed       places that a random walk did not leave
    is_complete  nothing was left to try at the end
    is_interrupted   interrupted during exploration or confirmation
    """

    def __init__(
        self,
        level: Level,
        ticks: int = MAX_EXPLORE_TICKS,
        seed: int = 1,
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
        self.seed = seed
        self._other_spawns = other_spawns
        self.world = World(level, spawn=spawn)
        kill_boxes = [zone for zone in level.all_zones if zone.facts.role is RunRole.KILL and zone.mover < 0]
        self.search = BotSearch(
            self.world.walker, level.mesh, level.kill_height, level_targets(level), threads, kill_boxes,
            static_ladders(level),
        )  # fmt: skip
        self.cells: StandableCells | None = None
        self.starts: dict[int, tuple[str, WalkerState]] = {}
        self.stayed: list[int] = []
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
        self.cells = cells.select(~in_boxes(search.kill_boxes, cells.feet, centre))
        self._run_search(ExplorationStage.EXPLORING, 0.02, 0.55)
        self._explore_other_spawns()
        for k in range(JUMP_ROUNDS):
            if not self._aim_at_unreached(self.cells):
                break
            self._run_search(ExplorationStage.JUMPING, 0.55 + 0.05 * k, 0.6 + 0.05 * k)
        if search.ticks < self.max_ticks:
            self.report_progress(ExplorationStage.WANDERING, 0.7)
            reached = sorted(search.places.place_by_cell.values())
            count = min(max(len(reached) // 8, MIN_RANDOM_BOTS), MAX_RANDOM_BOTS)
            starts = {reached[k * len(reached) // count] for k in range(count)}
            self.stayed = random_walk(search, sorted(starts), RANDOM_ROUNDS, self.seed)
        self.is_complete = self._run_search(ExplorationStage.EXPLORING, 0.75, 0.8)

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
                self.starts[self.search.add_start(state)] = spawn.name, state
                self._run_search(ExplorationStage.EXPLORING, 0.55, 0.55)

    def _aim_at_unreached(self, ground: StandableCells) -> bool:
        """Queue moves towards unreached ground; whether there are any that were not tried."""
        body = self.world.settings
        far = JUMP_DISTANCE_FACTOR * max(body.sprint_speed, body.walk_speed) * body.jump_seconds
        far = min(max(far, MIN_JUMP_DISTANCE), MAX_AIM_DISTANCE)
        high = body.jump_height + EXTRA_AIM_HEIGHT
        numbers = np.array(sorted(self.search.places.place_by_cell.values()))
        reached = self.search.places.feet()[numbers]
        attempts: set[tuple[int, int, int]] = set()
        adjacent: set[int] = set()
        for group in ground.connected_regions(~ground.visited_mask(self.search.mesh, self.search.places))[:MAX_REGIONS]:
            for spot in group[:: max(1, len(group) // MAX_AIM_CELLS)]:
                x, y, z = ground.feet[spot].tolist()
                distance = np.hypot(reached[:, 0] - x, reached[:, 2] - z)
                rise = y - reached[:, 1]
                in_range = np.flatnonzero((distance < far) & (rise < high))
                order = np.argsort(distance[in_range] + np.maximum(rise[in_range], 0.0), kind="stable")[
                    :AIM_START_COUNT
                ]
                adjacent.update(numbers[in_range[order]].tolist())
                for k in in_range[order].tolist():
                    turns = math.atan2(reached[k, 0] - x, reached[k, 2] - z) / (2.0 * math.pi)
                    heading = round(turns * 256) * (moves.FULL_TURN // 256) % moves.FULL_TURN
                    attempts |= {(int(numbers[k]), kind, heading) for kind in range(len(moves.MOVES))}
        for place in sorted(adjacent)[:: max(1, len(adjacent) // MAX_SIDESTEP_STARTS)]:  # along walls, into narrow gaps
            attempts |= {(place, moves.SIDESTEP, k * (moves.FULL_TURN // 16)) for k in range(16)}
        new = sorted(attempts - self._queued_moves)
        self._queued_moves |= attempts
        for place, kind, heading in new:
            self.search.queue_move(place, kind, heading)
        return bool(new)


def static_ladders(level: Level) -> Environment | None:
    """The ladders that no mover carries, which bots climb; None for none."""
    zones = build_physics_zones([zone for zone in level.all_zones if zone.acts_by("climb") and zone.mover < 0])
    return None if zones is None else Environment(zones)


def unused_zones(level: Level) -> list[LevelZone]:
    """The zones that may help a player, and that bots do not use."""
    avoided = RunRole.CHECKPOINT, RunRole.KILL
    return [zone for zone in level.all_zones if zone.facts.role not in avoided and not zone.acts_by("climb")]


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
