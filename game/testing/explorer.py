"""Explorations by bots for level tests: `bot: explore` asks where bots get to, `bot: goal` for a walk to the goal.

Thousands of bots walk at once, in the static mesh. Their earliest ways to a place are repeated in the complete world,
and only what happens there counts.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterable

import numpy as np

from ..core.errors import WalkerError
from ..level import Level
from ..level.format.level_tests.level_test import (
    AtCondition,
    BotKind,
    BotPlayer,
    Condition,
    ConditionExpectation,
    Expectation,
    GoalCondition,
    InsideCondition,
    LevelTest,
    Occurrence,
)
from ..physics.character.state import States
from ..sim.bots.exploration import MAX_EXPLORE_TICKS, LevelExploration
from ..sim.bots.mover_waits import wait_for_movers
from ..sim.bots.moves import BotWalk, MoveAttempt, walk_ticks
from ..sim.bots.search import Points, TargetKind, feet_positions, reset_distance
from . import conditions, expectations, walk_inputs
from .expectations import Outcome
from .recorded_walk import TestedWalk
from .walk_inputs import LevelTestError

MAX_CANDIDATES = 8  # ways to a place that are kept for one expectation, the earliest first
NO_LIMIT = 1 << 60  # ticks


class PlaceWatch:
    """Observer of bots that keeps their earliest ways to the place of one expectation.

    found: (tick of the arrival, attempt), the earliest first.
    """

    def __init__(self, expectation: ConditionExpectation, level: Level, rate: float) -> None:
        self.expectation, self.level = expectation, level
        self.last = expectation.last_tick(NO_LIMIT, rate)
        self.found: list[tuple[int, MoveAttempt]] = []

    def observe(self, before: Points, states: States, attempt_of: Callable[[int], MoveAttempt]) -> None:
        """Keep the rows that are at the place, where they are earlier than the kept ones."""
        condition, tick = self.expectation.condition, states["tick"]
        assert isinstance(condition, AtCondition | InsideCondition)
        end = self.found[-1][0] if len(self.found) == MAX_CANDIDATES else self.last + 1
        flags = conditions.holds_at(condition, self.level, feet_positions(states)) & (tick < end)
        flags &= np.abs(states["position"] - before).max(axis=1) <= reset_distance(self.level.player)
        rows = np.flatnonzero(flags)
        for k in rows[np.argsort(tick[rows], kind="stable")][:MAX_CANDIDATES].tolist():
            self.found.append((int(tick[k]), attempt_of(k)))
        self.found = sorted(self.found, key=lambda item: item[0])[:MAX_CANDIDATES]


class Explorer:
    """An exploration from one spawn. watches: a PlaceWatch for each expectation about a place."""

    def __init__(self, level: Level, test: LevelTest, expect: Iterable[Expectation] = ()) -> None:
        """expect: what is watched for."""
        self.level, self.spawn = level, test.spawn
        _, seed, ticks = _exploration_key(test)
        try:
            self.exploration = LevelExploration(level, ticks, seed, spawn=test.spawn or None, other_spawns=False)
        except ValueError as error:
            raise LevelTestError(str(error), "choose another spawn, or make room for the body") from None
        self.search = self.exploration.search
        self.rate = self.exploration.world.settings.ticks_per_second
        self.watches = {
            one: PlaceWatch(one, level, self.rate)
            for one in expect
            if isinstance(one, ConditionExpectation) and isinstance(one.condition, AtCondition | InsideCondition)
        }
        self.search.observer = self._observe if self.watches else None

    def explore(self) -> None:
        """Explore until nothing is left to try, or the ticks are spent."""
        from ..physics import prepare

        prepare.compile_whole()  # an exploration takes millions of ticks
        self.exploration.explore()

    def _observe(self, before: Points, states: States, attempt_of: Callable[[int], MoveAttempt]) -> None:
        for watch in self.watches.values():
            watch.observe(before, states, attempt_of)

    def ways_to(self, expectation: ConditionExpectation) -> list[BotWalk]:
        """Walks of bots to the place of an expectation, the earliest first."""
        if isinstance(expectation.condition, GoalCondition):
            best = self.search.best_attempts.items()
            attempts = [one for (_, k), one in best if self.search.targets[k].kind == TargetKind.GOAL]
        else:
            attempts = [attempt for _, attempt in self.watches[expectation].found]
        return [self.search.walk_through(attempt) for attempt in attempts]

    def wait(self, way: BotWalk) -> BotWalk | None:
        """The walk after a wait for the movers; None where none lets it pass, or the level has none."""
        return wait_for_movers(self.level, self.spawn or None, way) if self.level.movers else None

    def way_nearest_to(self, condition: Condition) -> BotWalk:
        """The walk to the reached place that is nearest to that of a condition."""
        numbers = sorted(self.search.places.place_by_cell.values())
        distances = conditions.distances(condition, self.level, self.search.places.feet()[numbers])
        return self.search.walk_to(numbers[0 if distances is None else int(np.argmin(distances))])

    def repeat(self, way: BotWalk) -> TestedWalk:
        """The walk of a bot repeated in the world, with a tick of standing still after it."""
        plan = walk_inputs.plan_bot_walk(self.level, self.spawn, way)
        walk = TestedWalk(plan.world, walk_ticks(way) + 1)
        for given in itertools.islice(plan.inputs, walk_ticks(way) + 1):
            walk.step(given)
        return walk

    def __str__(self) -> str:
        """How much was explored."""
        words = f"{len(self.search.places.place_by_cell)} places, {self.search.attempt_count} tries"
        return words if self.exploration.is_complete else f"{words}, stopped after {self.search.ticks} ticks"


class ExplorationCache:
    """Explorations of one level, each made once for all of its tests with the same spawn, seed and limit."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self._explorers: dict[tuple[str, int, int], Explorer] = {}

    def explore(self, test: LevelTest) -> Explorer:
        """The exploration for a test with `bot: explore`."""
        key = _exploration_key(test)
        explorer = self._explorers.get(key)
        if explorer is None or any(one not in explorer.watches for one in test.expect if not _is_about_goal(one)):
            alike = [test, *(one for one in self.level.tests if _explores(one) and _exploration_key(one) == key)]
            explorer = Explorer(self.level, test, [one for each in alike for one in each.expect])
            explorer.explore()
            self._explorers[key] = explorer
        return explorer


def _explores(test: LevelTest) -> bool:
    return isinstance(test.player, BotPlayer) and test.player.kind == BotKind.EXPLORE


def _exploration_key(test: LevelTest) -> tuple[str, int, int]:
    assert isinstance(test.player, BotPlayer)
    ticks = test.length(60.0)
    return test.spawn, test.player.seed, MAX_EXPLORE_TICKS if ticks is None else ticks


def _is_about_goal(expectation: Expectation) -> bool:
    return isinstance(expectation, ConditionExpectation) and isinstance(expectation.condition, GoalCondition)


def check_goal(level: Level, test: LevelTest) -> None:
    """LevelTestError where bots would have to collect targets or play holes before the goal counts."""
    if level.goal is not None and level.goal.after and any(map(_is_about_goal, test.expect)):
        message = f"the goal waits for all {level.goal.after}, which bots do not collect"
        raise LevelTestError(message, "use a walk or a replay")


def judge_exploration(
    level: Level, test: LevelTest, cache: ExplorationCache
) -> tuple[list[Outcome], TestedWalk | None, int]:
    """(results of a test with `bot: explore`, the walk of its first failure or else of its first success, ticks that
    all bots walked)."""
    asked = [one for one in test.expect if isinstance(one, ConditionExpectation) and _is_answered(one)]
    if len(asked) < len(test.expect):
        message = "`bot: explore` cannot test this expectation"
        raise LevelTestError(message, "it tests at, inside, goal and never; use a walk, `bot: goal` or `bot: random`")
    check_goal(level, test)
    explorer = cache.explore(test)
    judged = [_judge(explorer, expectation) for expectation in asked]
    walks = [(outcome.held, walk) for outcome, walk in judged if walk is not None]
    witness = min(walks, key=lambda item: item[0])[1] if walks else None
    return [outcome for outcome, _ in judged], witness, explorer.search.ticks


def _is_answered(expectation: ConditionExpectation) -> bool:
    is_place = isinstance(expectation.condition, AtCondition | InsideCondition | GoalCondition)
    return is_place and expectation.occurrence != Occurrence.ALWAYS and not expectation.end


def _judge(explorer: Explorer, expectation: ConditionExpectation) -> tuple[Outcome, TestedWalk | None]:
    """The result of one expectation, and the walk that shows it."""
    is_wanted = expectation.occurrence == Occurrence.SOMETIMES
    ways = explorer.ways_to(expectation)
    for way in itertools.chain(ways, filter(None, map(explorer.wait, ways))):
        walk = explorer.repeat(way)
        outcome = expectations.judge(expectation, walk, walk.ticks)
        if outcome is not None and outcome.held == is_wanted:
            return outcome, walk
    condition, exploration = expectation.condition, explorer.exploration
    place = conditions.describe_condition(condition) + expectations.describe_time(expectation, explorer.rate)
    expected = f"{'somebody' if is_wanted else 'nobody'} can be {place}"
    if not is_wanted:
        if exploration.is_complete or exploration.max_ticks == MAX_EXPLORE_TICKS:
            return Outcome(True, 0, expected, f"no bot showed otherwise: {explorer}"), None
        actual = f"not decided: {explorer}, all that the test allows; leave out its length"
        return Outcome(False, 0, expected, actual), None
    walk = explorer.repeat(ways[0] if ways else explorer.way_nearest_to(condition))
    distances = conditions.distances(condition, explorer.level, walk.feet[-1:])
    if not ways and distances is not None:
        nearest = conditions.describe_position(walk.feet[-1])
        actual = f"no bot got there: {explorer}; the nearest place {nearest} is {distances[0]:.2f} m away"
    elif ways and explorer.level.movers and explorer.wait(ways[0]) is None:
        actual = f"reached, but not while the movers move: {explorer}"
    else:
        seconds = conditions.describe_number((walk.ticks - 1) / walk.ticks_per_second)
        actual = f"the fastest bot is there after {seconds} s: {explorer}"
    return Outcome(False, walk.ticks, expected, actual), walk


class _GoalInTime(WalkerError):
    """Raised to end a search: a bot has reached the goal in time."""


def search_walk_to_goal(level: Level, test: LevelTest) -> BotWalk:
    """The first walk that the bots find which reaches the goal in the time that the test allows.

    If they find none, the fastest walk to the goal; if none reaches it, the walk to the nearest place.
    """
    check_goal(level, test)
    if level.goal is None:
        raise LevelTestError("`bot: goal` has no goal in this level", "add `goal`, or choose another bot")
    explorer = Explorer(level, test)
    search = explorer.search
    wanted = [one for one in test.expect if isinstance(one, ConditionExpectation) and _is_about_goal(one)]
    limit = min((one.last_tick(NO_LIMIT, explorer.rate) for one in wanted), default=NO_LIMIT)
    goal = next(k for k, target in enumerate(search.targets) if target.kind == TargetKind.GOAL)

    def stop_at_goal(before: Points, states: States, attempt_of: Callable[[int], MoveAttempt]) -> None:
        best = search.ticks_to_target(goal)
        if best is not None and best <= limit:
            raise _GoalInTime

    search.observer = stop_at_goal
    with contextlib.suppress(_GoalInTime):
        explorer.explore()
    ways = explorer.ways_to(ConditionExpectation(Occurrence.SOMETIMES, GoalCondition()))
    if not ways:
        return explorer.way_nearest_to(GoalCondition())
    return explorer.wait(ways[0]) or ways[0]
