"""Explorations by bots for level tests: `bot: explore` asks where bots get to, `bot: goal` for a walk to the goal.

Thousands of bots walk at once. Their earliest ways to a place are repeated in a world of their own, with its balls, and
only what happens there counts.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable

import numpy as np

from ..core.errors import WalkerError
from ..level import Level
from ..level.format.level_tests.level_test import (
    AtCondition,
    Condition,
    ConditionExpectation,
    GoalCondition,
    InsideCondition,
    LevelTest,
    Occurrence,
)
from ..physics.character.state import States
from ..sim.bots.exploration import MAX_EXPLORE_TICKS, LevelExploration
from ..sim.bots.moves import BotWalk, MoveAttempt, walk_ticks
from ..sim.bots.places import Points, feet_positions
from . import expectations, walks
from .expectations import Outcome
from .walks import LevelTestError, TestedWalk

MAX_CANDIDATES = 8  # ways to a place that are kept for one expectation, the earliest first
NO_LIMIT = 1 << 60  # ticks


class Explorer:
    """An exploration from the spawn of a test.

    found  for each expectation, (tick of the arrival, attempt) of the bots at its place, the earliest first
    """

    def __init__(self, level: Level, test: LevelTest, expect: Iterable[ConditionExpectation]) -> None:
        """expect: the places that are watched. LevelTestError where the spawn has no room."""
        self.level, self.spawn = level, test.spawn
        _, ticks = exploration_key(test)
        try:
            self.exploration = LevelExploration(level, ticks, spawn=test.spawn or None, other_spawns=False)
        except ValueError as error:
            raise LevelTestError(str(error), "choose another spawn, or make room for the body") from None
        self.search = self.exploration.search
        self.search.observer = self.observe
        self.rate = self.exploration.world.settings.ticks_per_second
        self.found: dict[ConditionExpectation, list[tuple[int, MoveAttempt]]] = {one: [] for one in expect}

    def explore(self) -> None:
        """Explore until nothing is left to try, or the ticks are spent."""
        from ..physics import prepare

        prepare.compile_whole()  # an exploration takes millions of ticks
        self.exploration.explore()

    def observe(self, before: Points, states: States, attempt_of: Callable[[int], MoveAttempt]) -> None:
        """Keep the bots that are at a place, where they are earlier than the kept ones."""
        tick, feet = states["tick"], feet_positions(states)
        for expectation, found in self.found.items():
            end = found[-1][0] if len(found) == MAX_CANDIDATES else NO_LIMIT
            flags = expectations.holds_at(_place(expectation.condition, self.level), self.level, feet)
            rows = np.flatnonzero(flags & (tick < end))
            for k in rows[np.argsort(tick[rows], kind="stable")][:MAX_CANDIDATES].tolist():
                found.append((int(tick[k]), attempt_of(k)))
            found.sort(key=lambda item: item[0])
            del found[MAX_CANDIDATES:]

    def ways_to(self, expectation: ConditionExpectation) -> list[BotWalk]:
        """Walks of bots to the place of an expectation, the earliest first."""
        return [self.search.walk_through(attempt) for _, attempt in self.found[expectation]]

    def way_nearest_to(self, condition: Condition) -> BotWalk:
        """The walk to the reached place that is nearest to that of a condition."""
        numbers = sorted(self.search.places.place_by_cell.values())
        distances = expectations.distances(condition, self.level, self.search.places.feet()[numbers])
        return self.search.walk_to(numbers[0 if distances is None else int(np.argmin(distances))])

    def repeat(self, way: BotWalk) -> TestedWalk:
        """The walk of a bot repeated in the world, with a tick of standing still after it."""
        plan = walks.plan_bot_walk(self.level, self.spawn, way)
        return TestedWalk(plan.world, plan.inputs, walk_ticks(way) + 1)

    def __str__(self) -> str:
        """How much was explored."""
        words = f"{len(self.search.places.place_by_cell)} places, {self.search.attempt_count} tries"
        return f"{words}; not finished: {why}" if (why := self.exploration.unfinished) else words


def _place(condition: Condition, level: Level) -> AtCondition | InsideCondition:
    """The place of a condition; that of the level's goal for `goal`."""
    if isinstance(condition, GoalCondition) and level.goal is not None:
        return AtCondition(level.goal.at, level.goal.radius)
    assert isinstance(condition, AtCondition | InsideCondition), "the reader refuses other expectations"
    return condition


class ExplorationCache:
    """Explorations of one level, each made once for all of its tests with the same spawn and limit."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self._explorers: dict[tuple[str, int], Explorer] = {}

    def explore(self, test: LevelTest) -> Explorer:
        """The exploration for a test with `bot: explore`."""
        key = exploration_key(test)
        explorer = self._explorers.get(key)
        if explorer is None or not explorer.found.keys() >= set(test.expect):
            explorers = (one for one in self.level.tests if one.player == test.player)
            alike = [test, *(one for one in explorers if exploration_key(one) == key)]
            expect = [one for each in alike for one in each.expect if isinstance(one, ConditionExpectation)]
            explorer = self._explorers[key] = Explorer(self.level, test, expect)
            explorer.explore()
        return explorer


def exploration_key(test: LevelTest) -> tuple[str, int]:
    """(spawn, limit in ticks) of a test with a bot."""
    ticks = test.length(60.0)
    return test.spawn, MAX_EXPLORE_TICKS if ticks is None else ticks


def judge_exploration(
    level: Level, test: LevelTest, cache: ExplorationCache
) -> tuple[list[Outcome], TestedWalk | None, int]:
    """(results of a test with `bot: explore`, the walk of its first failure or else of its first success, ticks that
    all bots walked)."""
    explorer = cache.explore(test)
    judged = [_judge(explorer, one) for one in test.expect if isinstance(one, ConditionExpectation)]
    shown = [(outcome.held, walk) for outcome, walk in judged if walk is not None]
    witness = min(shown, key=lambda item: item[0])[1] if shown else None
    return [outcome for outcome, _ in judged], witness, explorer.search.ticks


def _judge(explorer: Explorer, expectation: ConditionExpectation) -> tuple[Outcome, TestedWalk | None]:
    """The result of one expectation, and the walk that shows it."""
    is_wanted = expectation.occurrence == Occurrence.SOMETIMES
    ways = explorer.ways_to(expectation)
    for way in ways:
        walk = explorer.repeat(way)
        outcome = expectations.judge(expectation, walk)
        if outcome.held == is_wanted:
            return outcome, walk
    condition, exploration = expectation.condition, explorer.exploration
    expected = f"{'somebody' if is_wanted else 'nobody'} can be {expectations.describe_condition(condition)}"
    expected += expectations.describe_time(expectation, explorer.rate)
    if not is_wanted:
        actual = "" if exploration.is_complete else f"not decided: {explorer}"
        if actual and exploration.max_ticks < MAX_EXPLORE_TICKS:
            actual += "; leave out the length of the test"
        return Outcome(expectation, not actual, 0, expected, actual), None
    walk = explorer.repeat(ways[0] if ways else explorer.way_nearest_to(condition))
    if not ways:
        actual = f"no bot got there: {explorer}"
        distances = expectations.distances(condition, explorer.level, walk.feet[-1:])
        if distances is not None:
            nearest = expectations.describe_position(walk.feet[-1])
            actual += f"; the nearest place {nearest} is {distances[0]:.2f} m away"
    else:
        seconds = expectations.describe_number((walk.ticks - 1) / walk.ticks_per_second)
        actual = f"the fastest bot is there after {seconds} s: {explorer}"
    return Outcome(expectation, False, walk.ticks, expected, actual), walk


class _GoalInTime(WalkerError):
    """Raised to end a search: a bot has reached the goal in time."""


def search_walk_to_goal(level: Level, test: LevelTest) -> BotWalk:
    """The first walk that the bots find which reaches the goal in the time that the test allows.

    If they find none, or the goal waits for targets, the fastest walk to the goal; if none reaches it, the walk to the
    nearest place.
    """
    goal = ConditionExpectation(Occurrence.SOMETIMES, GoalCondition())
    explorer = Explorer(level, test, [goal])
    asked = [one for one in test.expect if isinstance(one, ConditionExpectation) and one.condition == goal.condition]
    limit = min((one.last_tick(NO_LIMIT, explorer.rate) for one in asked), default=NO_LIMIT)
    is_open = level.goal is not None and not level.goal.after

    def stop_at_goal(before: Points, states: States, attempt_of: Callable[[int], MoveAttempt]) -> None:
        explorer.observe(before, states, attempt_of)
        if is_open and explorer.found[goal] and explorer.found[goal][0][0] <= limit:
            raise _GoalInTime

    explorer.search.observer = stop_at_goal
    with contextlib.suppress(_GoalInTime):
        explorer.explore()
        explorer.exploration.solve()
    if explorer.exploration.solution is not None:
        return explorer.exploration.solution.walk
    ways = explorer.ways_to(goal)
    return ways[0] if ways else explorer.way_nearest_to(goal.condition)
