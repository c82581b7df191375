"""Explorations by bots for level tests: they run the bots, and keep the states that decide an expectation."""

from __future__ import annotations

import contextlib
import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeGuard

import numpy as np

from ..core.errors import WalkerError
from ..core.vectors import Flags, Floats
from ..level import Level
from ..level.format.level_tests.level_test import (
    AtCondition,
    BotKind,
    BotPlayer,
    ConditionExpectation,
    CountExpectation,
    CountKind,
    Expectation,
    GoalCondition,
    GroundedCondition,
    InsideCondition,
    LevelTest,
    MeasureExpectation,
    MeasureKind,
    Occurrence,
)
from ..level.format.schema.zones import KILL
from ..physics.character.state import States
from ..sim.bots.exploration import MAX_EXPLORE_TICKS, ExplorationStage, LevelExploration
from ..sim.bots.mover_waits import wait_for_movers
from ..sim.bots.moves import BotWalk, MoveAttempt
from ..sim.bots.search import BotSearch, Points, TargetKind, feet_positions, reset_distance
from . import conditions
from .errors import LevelTestError
from .expectations import SPEED_ROUNDING

NO_GOAL = "`bot: goal` has no goal in this level", "add `goal`, or choose another bot"
MAX_CANDIDATES = 8  # states of bots that are kept for one expectation, the earliest first
KILLED = ConditionExpectation(Occurrence.SOMETIMES, InsideCondition(zone=KILL.name))

ExploredProgress = Callable[[float, int], None]  # fraction done 0..1, places found


class StateWatch:
    """Observer of bots that keeps the earliest states that decide one expectation.

    A state decides `always` where the condition does not hold, and any other expectation where it holds.
    """

    def __init__(self, expectation: ConditionExpectation | MeasureExpectation, level: Level, rate: float) -> None:
        self.expectation, self.level, self.rate = expectation, level, rate
        self.first, self.last = expectation.window.bounds(1 << 60, rate)
        self.found: list[tuple[int, int, MoveAttempt]] = []  # heap of (-tick, order, attempt)
        self._order = 0

    def observe(self, before: Points, states: States, attempt_of: Callable[[int], MoveAttempt]) -> None:
        """Keep the rows that decide the expectation, where they are earlier than the kept ones."""
        tick = states["tick"]
        latest = -self.found[0][0] if len(self.found) == MAX_CANDIDATES else 1 << 62
        flags = self._decides(before, states) & (tick >= self.first) & (tick <= self.last) & (tick < latest)
        flags &= np.abs(states["position"] - before).max(axis=1) <= reset_distance(self.level.player)
        for k in np.flatnonzero(flags).tolist():
            if len(self.found) == MAX_CANDIDATES and int(tick[k]) >= -self.found[0][0]:
                continue
            self._order += 1
            heapq.heappush(self.found, (-int(tick[k]), -self._order, attempt_of(k)))
            if len(self.found) > MAX_CANDIDATES:
                heapq.heappop(self.found)

    def shows(self, states: States) -> bool:
        """Whether a walk with these states after each tick decides the expectation."""
        before = np.concatenate((states["position"][:1], states["position"][:-1]))
        tick = states["tick"]
        return bool((self._decides(before, states) & (tick >= self.first) & (tick <= self.last)).any())

    def attempts(self) -> list[MoveAttempt]:
        """The kept attempts, the earliest first."""
        return [attempt for _, _, attempt in sorted(self.found, reverse=True)]

    def _decides(self, before: Points, states: States) -> Flags:
        feet = feet_positions(states)
        expectation = self.expectation
        flags: Flags
        if isinstance(expectation, ConditionExpectation):
            condition = expectation.condition
            if isinstance(condition, GroundedCondition):
                flags = states["grounded"] == condition.grounded
            else:
                assert isinstance(condition, AtCondition | InsideCondition)
                flags = conditions.holds_at(condition, self.level, feet)
            return ~flags if expectation.occurrence == Occurrence.ALWAYS else flags
        values: Floats = feet[:, 1]
        if expectation.kind == MeasureKind.SPEED:
            values = np.linalg.norm((states["position"] - before)[:, [0, 2]], axis=1) * self.rate - SPEED_ROUNDING
        low, high = expectation.at_least, expectation.at_most
        if expectation.kind == MeasureKind.LOWEST:
            flags = values < low if low is not None else values <= (0.0 if high is None else high)
        else:
            flags = values > high if high is not None else values >= (0.0 if low is None else low)
        return flags


class Explorer:
    """An exploration from one spawn. watches: a StateWatch for each expectation that single states decide."""

    def __init__(
        self, level: Level, spawn: str, seed: int, ticks: int, expect: Sequence[Expectation], threads: int | None
    ) -> None:
        self.level, self.spawn = level, spawn
        self._progress: ExploredProgress = lambda fraction, places: None
        try:
            self.exploration = LevelExploration(
                level, ticks, seed, self._report, threads, spawn or None, other_spawns=False
            )
        except ValueError as error:
            raise LevelTestError(str(error), "choose another spawn, or make room for the body") from None
        self.search = self.exploration.search
        rate = self.exploration.world.settings.ticks_per_second
        self.watches = [(one, StateWatch(one, level, rate)) for one in expect if is_watched(one)]
        self.kill_watch = StateWatch(KILLED, level, rate)
        self.watches_deaths = any(map(is_about_deaths, expect))
        self.search.observer = self._observe if self.watches or self.watches_deaths else None

    def covers(self, expect: Sequence[Expectation]) -> bool:
        """Whether what these expectations need was watched."""
        watched = [one for one, _ in self.watches]
        return all(
            self.watches_deaths if is_about_deaths(one) else not is_watched(one) or any(one is each for each in watched)
            for one in expect
        )

    def run(self, progress: ExploredProgress) -> None:
        """Explore until nothing is left to try, or the ticks are spent."""
        self._progress = progress
        self.exploration.explore()

    def watch_for_goal(self, limit: int) -> BotSearch:
        """The search, which ends with `_GoalInTime` when a bot reaches the goal in a tick up to `limit`."""
        search = self.search
        goal = next(k for k, target in enumerate(search.targets) if target.kind == TargetKind.GOAL)

        def stop_at_goal(before: Points, states: States, attempt_of: Callable[[int], MoveAttempt]) -> None:
            best = search.ticks_to_target(goal)
            if best is not None and best <= limit:
                raise _GoalInTime

        search.observer = stop_at_goal
        return search

    def _report(self, stage: ExplorationStage, fraction: float, places: int) -> None:
        self._progress(fraction, places)

    def _observe(self, before: Points, states: States, attempt_of: Callable[[int], MoveAttempt]) -> None:
        for _, watch in self.watches:
            watch.observe(before, states, attempt_of)
        if self.watches_deaths:
            self.kill_watch.observe(before, states, attempt_of)

    def attempts_for(self, expectation: Expectation) -> list[MoveAttempt]:
        """Moves of bots that decide an expectation, the earliest first."""
        if isinstance(expectation, CountExpectation):
            if expectation.kind == CountKind.DEATHS:
                return [*self.kill_watch.attempts(), *(fall.attempt for fall in self.search.falls[:MAX_CANDIDATES])]
            return []
        if is_about_goal(expectation):
            return self.target_attempts(TargetKind.GOAL)
        return next((watch.attempts() for one, watch in self.watches if one is expectation), [])

    def target_attempts(self, kind: TargetKind) -> list[MoveAttempt]:
        """The earliest attempts to reach targets of a kind."""
        return list(self.attempts_by_target(kind).values())

    def attempts_by_target(self, kind: TargetKind) -> dict[int, MoveAttempt]:
        """The earliest attempt to reach each target of a kind, by its index in the level's list of the kind."""
        best = [(self.search.targets[number], attempt) for (_, number), attempt in self.search.best_attempts.items()]
        return {target.number: attempt for target, attempt in best if target.kind == kind}

    def walk_to_goal(self) -> BotWalk:
        """The fastest walk to the goal that the bots found, else the walk to the place that is nearest to it."""
        goal = self.level.goal
        if goal is None:
            raise LevelTestError(*NO_GOAL)
        attempts = self.target_attempts(TargetKind.GOAL)
        if not attempts:
            return self.search.walk_to(self.nearest_place(goal.at))
        return self.wait(attempts[0]) or self.search.walk_through(attempts[0])

    def wait(self, attempt: MoveAttempt) -> BotWalk | None:
        """The walk of an attempt after a wait for the movers; None where none lets it pass, or the level has none."""
        walk = self.search.walk_through(attempt)
        return wait_for_movers(self.level, self.spawn or None, walk) if self.level.movers else None

    def nearest_place(self, point: Sequence[float]) -> int:
        numbers = sorted(self.search.places.place_by_cell.values())
        offset = self.search.places.feet()[numbers] - np.array(point)
        return numbers[int(np.argmin((offset * offset).sum(axis=1)))]

    def extreme_place(self, highest: bool) -> int:
        numbers = sorted(self.search.places.place_by_cell.values())
        heights = self.search.places.feet()[numbers, 1]
        return numbers[int(np.argmax(heights) if highest else np.argmin(heights))]


class _GoalInTime(WalkerError):
    """Raised to end a search: a bot has reached the goal in time."""


@dataclass(frozen=True, slots=True)
class GoalSearch:
    """A walk to the goal, or to the place nearest to it, and the search that found it.

    ticks: walked by all bots together. is_reached: a bot reached the goal. is_complete: nothing was left to try.
    """

    walk: BotWalk
    ticks: int
    is_reached: bool
    is_complete: bool


def search_walk_to_goal(level: Level, test: LevelTest, threads: int | None, progress: ExploredProgress) -> GoalSearch:
    """Search for the first walk that reaches the goal in the time that the test allows.

    If the bots find none, the fastest walk to the goal; if none reaches it, the walk to the nearest place. The bots run
    and jump first, and then explore as for `bot: explore`. The search ends as soon as a walk is found.
    """
    prepare_to_explore()
    spawn, seed, ticks = _exploration_key(test)
    explorer = Explorer(level, spawn, seed, ticks, (), threads)
    if level.goal is None:
        raise LevelTestError(*NO_GOAL)
    limit = _goal_limit(test, explorer.exploration.world.settings.ticks_per_second)
    search, ticks_before = explorer.watch_for_goal(limit), 0
    with contextlib.suppress(_GoalInTime):
        search.add_start(explorer.exploration.world.walker_state)
        search.run(ticks, lambda running: progress(min(0.5, running.ticks / ticks), len(running.places.place_by_cell)))
        ticks_before = search.ticks
        explorer = Explorer(level, spawn, seed, ticks, (), threads)
        explorer.watch_for_goal(limit)
        explorer.run(progress)
    is_reached = bool(explorer.target_attempts(TargetKind.GOAL))
    ticks_walked = ticks_before + explorer.search.ticks
    return GoalSearch(explorer.walk_to_goal(), ticks_walked, is_reached, explorer.exploration.is_complete)


def _goal_limit(test: LevelTest, rate: float) -> int:
    """The last tick at which an expectation of a test wants the goal to be reached."""
    windows = [
        one.window.bounds(1 << 60, rate)[1]
        for one in test.expect
        if is_about_goal(one) and one.occurrence == Occurrence.SOMETIMES
    ]
    return min(windows, default=1 << 60)


def prepare_to_explore() -> None:
    """Compile the whole tick: an exploration takes millions of ticks."""
    from ..physics import prepare

    prepare.compile_whole()


class ExplorationCache:
    """Explorations of one level, each made once for all of its tests with the same spawn, seed and limit."""

    def __init__(self, level: Level, threads: int | None = None) -> None:
        self.level, self.threads = level, threads
        self._explorers: dict[tuple[str, int, int], Explorer] = {}

    def explore(self, test: LevelTest, expect: Sequence[Expectation], progress: ExploredProgress) -> Explorer:
        key = _exploration_key(test)
        if key not in self._explorers or not self._explorers[key].covers(expect):
            tests = [other for other in self.level.tests if _explores(other) and _exploration_key(other) == key]
            every = [*expect, *(one for other in tests if other is not test for one in other.expect)]
            prepare_to_explore()
            explorer = Explorer(self.level, *key, every, self.threads)
            explorer.run(progress)
            self._explorers[key] = explorer
        return self._explorers[key]


def _explores(test: LevelTest) -> bool:
    return isinstance(test.player, BotPlayer) and test.player.kind == BotKind.EXPLORE


def _exploration_key(test: LevelTest) -> tuple[str, int, int]:
    assert isinstance(test.player, BotPlayer)
    ticks = test.length(60.0)
    return test.spawn, test.player.seed, MAX_EXPLORE_TICKS if ticks is None else ticks


def is_watched(expectation: Expectation) -> TypeGuard[ConditionExpectation | MeasureExpectation]:
    """Whether an expectation is decided by single states of bots."""
    if isinstance(expectation, ConditionExpectation):
        return isinstance(expectation.condition, AtCondition | InsideCondition | GroundedCondition)
    return isinstance(expectation, MeasureExpectation) and expectation.kind != MeasureKind.GROUNDED


def is_about_goal(expectation: Expectation) -> TypeGuard[ConditionExpectation]:
    return isinstance(expectation, ConditionExpectation) and isinstance(expectation.condition, GoalCondition)


def is_about_deaths(expectation: Expectation) -> bool:
    return isinstance(expectation, CountExpectation) and expectation.kind == CountKind.DEATHS
