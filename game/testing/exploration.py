"""Level tests by bots: what an exploration reached, and walks in the world that show it.

The bots walk in the static mesh, thousands at once. Every state of theirs is compared with the expectations; the
earliest ones that decide an expectation are walked again in the world, and only what happens there counts.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence

import numpy as np

from ..core.vectors import Flags, Floats
from ..level import Level
from ..level.format.level_tests import (
    AtCondition,
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
from ..physics.character.state import States
from ..sim.bots.exploration import MAX_EXPLORE_TICKS, ExplorationStage, LevelExploration
from ..sim.bots.minimise import WalkMinimiser
from ..sim.bots.moves import BotWalk, walk_ticks
from ..sim.bots.search import MoveAttempt, Points, TargetKind, feet_positions
from . import conditions, expectations, walk_inputs
from .errors import LevelTestError
from .expectations import SPEED_ROUNDING, Outcome
from .recorded_walk import RecordedWalk

MAX_CANDIDATES = 8  # walks of bots that are tried in the world for one expectation, the earliest first
MAX_MINIMISE_TICKS = 30_000  # walked to simplify one walk
RELOCATION = 3.0  # m in a tick: the body was put elsewhere
FALL_TICKS = 1200  # after a walk of a bot over an edge, until the body has left the level
COUNTED_TARGETS = {CountKind.TARGETS: TargetKind.TARGET, CountKind.EXITS: TargetKind.EXIT}

ExploredProgress = Callable[[float, int], None]  # fraction done 0..1, places found


class StateWatch:
    """The earliest states of bots that decide an expectation: for `never` one that holds, for `always` one that does
    not, for others one that holds."""

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
        flags &= np.abs(states["position"] - before).max(axis=1) <= RELOCATION
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
    """An exploration from one spawn, with the watches of all expectations that are to be judged by it."""

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
        self.watches = [(one, StateWatch(one, level, rate)) for one in expect if is_watched(one)]  # type: ignore[arg-type]
        self.search.observer = self._observe if self.watches else None

    def run(self, progress: ExploredProgress) -> None:
        """Explore until nothing is left to try, or the ticks are spent."""
        self._progress = progress
        self.exploration.explore()

    def _report(self, stage: ExplorationStage, fraction: float, places: int) -> None:
        self._progress(fraction, places)

    def _observe(self, before: Points, states: States, attempt_of: Callable[[int], MoveAttempt]) -> None:
        for _, watch in self.watches:
            watch.observe(before, states, attempt_of)

    def attempts_for(self, expectation: Expectation) -> list[MoveAttempt]:
        """Moves of bots that decide an expectation, the earliest first."""
        if isinstance(expectation, CountExpectation):
            if expectation.kind == CountKind.DEATHS:
                return [fall.attempt for fall in self.search.falls[:MAX_CANDIDATES]]
            return []
        if isinstance(expectation, ConditionExpectation) and isinstance(expectation.condition, GoalCondition):
            return self.target_attempts(TargetKind.GOAL)
        return next((watch.attempts() for one, watch in self.watches if one is expectation), [])

    def target_attempts(self, kind: TargetKind) -> list[MoveAttempt]:
        """The earliest attempts to reach targets of a kind."""
        best = self.search.best_attempts.items()
        return [attempt for (_, number), attempt in best if self.search.targets[number].kind == kind]

    def walk_to_goal(self) -> BotWalk:
        """The fastest walk to the goal that the bots found, else the walk to the place that is nearest to it."""
        goal = self.level.goal
        if goal is None:
            raise LevelTestError("`bot: goal` has no goal in this level", "add `goal`, or choose another bot")
        attempts = self.target_attempts(TargetKind.GOAL)
        return self.search.walk_through(attempts[0]) if attempts else self.search.walk_to(self.nearest_place(goal.at))

    def nearest_place(self, point: Sequence[float]) -> int:
        """The place of the search that is nearest to a point."""
        numbers = sorted(self.search.places.place_by_cell.values())
        offset = self.search.places.feet()[numbers] - np.array(point)
        return numbers[int(np.argmin((offset * offset).sum(axis=1)))]

    def extreme_place(self, highest: bool) -> int:
        """The highest or the lowest place of the search."""
        numbers = sorted(self.search.places.place_by_cell.values())
        heights = self.search.places.feet()[numbers, 1]
        return numbers[int(np.argmax(heights) if highest else np.argmin(heights))]


class ExplorationCache:
    """Explorations of one level, each made once for all of its tests with the same spawn, seed and limit."""

    def __init__(self, level: Level, threads: int | None = None) -> None:
        self.level, self.threads = level, threads
        self._explorers: dict[tuple[str, int, int], Explorer] = {}

    def explore(self, test: LevelTest, expect: Sequence[Expectation], progress: ExploredProgress) -> Explorer:
        """The exploration of a test by bots."""
        from ..physics import prepare

        key = _exploration_key(test)
        if key not in self._explorers or any(
            is_watched(one) and all(one is not watched for watched, _ in self._explorers[key].watches) for one in expect
        ):
            tests = [other for other in self.level.tests if _is_by_bots(other) and _exploration_key(other) == key]
            every = [*expect, *(one for other in tests if other is not test for one in other.expect)]
            prepare.compile_whole()
            explorer = Explorer(self.level, *key, every, self.threads)
            explorer.run(progress)
            self._explorers[key] = explorer
        return self._explorers[key]


def _is_by_bots(test: LevelTest) -> bool:
    return isinstance(test.player, BotPlayer)


def _exploration_key(test: LevelTest) -> tuple[str, int, int]:
    assert isinstance(test.player, BotPlayer)
    ticks = test.length(60.0)
    return test.spawn, test.player.seed, MAX_EXPLORE_TICKS if ticks is None else ticks


def is_watched(expectation: Expectation) -> bool:
    """Whether an expectation is decided by single states of bots."""
    if isinstance(expectation, ConditionExpectation):
        return isinstance(expectation.condition, AtCondition | InsideCondition | GroundedCondition)
    return isinstance(expectation, MeasureExpectation) and expectation.kind != MeasureKind.GROUNDED


def check_explorable(expectation: Expectation) -> None:
    """LevelTestError where the bots cannot decide an expectation."""
    if isinstance(expectation, ConditionExpectation | MeasureExpectation) and expectation.window.end:
        raise LevelTestError("`bot: explore` has no end at which it could look", "remove `end`")
    if isinstance(expectation, MeasureExpectation) and None not in (expectation.at_least, expectation.at_most):
        raise LevelTestError("`bot: explore` tests one bound of a quantity", "make two expectations of it")
    is_counted = isinstance(expectation, CountExpectation) and not expectation.names
    is_goal = isinstance(expectation, ConditionExpectation) and isinstance(expectation.condition, GoalCondition)
    if is_watched(expectation) or is_goal or (is_counted and _counted_kind(expectation) is not None):
        return
    raise LevelTestError(
        "`bot: explore` cannot test this expectation",
        "it tests at, inside, goal, grounded: true or false, highest, lowest, speed, targets, exits and deaths; "
        "use a walk, `bot: goal` or `bot: random`",
    )


def _counted_kind(expectation: Expectation) -> CountKind | None:
    assert isinstance(expectation, CountExpectation)
    return expectation.kind if expectation.kind in (*COUNTED_TARGETS, CountKind.DEATHS) else None


def judge_exploration(
    level: Level, test: LevelTest, cache: ExplorationCache, progress: ExploredProgress
) -> tuple[list[Outcome], RecordedWalk | None, int]:
    """Results of a test by `bot: explore`; the walk that shows its first failure, else its first success; the ticks
    that the bots walked."""
    for expectation in test.expect:
        check_explorable(expectation)
    explorer = cache.explore(test, test.expect, progress)
    outcomes: list[Outcome] = []
    walks: list[tuple[bool, RecordedWalk]] = []
    for expectation in test.expect:
        outcome, walk = _judge_one(explorer, expectation)
        outcomes.append(outcome)
        if walk is not None:
            walks.append((outcome.held, walk))
    witness = next((walk for held, walk in sorted(walks, key=lambda item: item[0])), None)
    return outcomes, witness, explorer.search.ticks


def _judge_one(explorer: Explorer, expectation: Expectation) -> tuple[Outcome, RecordedWalk | None]:
    if isinstance(expectation, CountExpectation) and expectation.kind in COUNTED_TARGETS:
        return _judge_targets(explorer, expectation)
    is_wanted, attempts = _wants_a_witness(expectation), explorer.attempts_for(expectation)
    for attempt in attempts:
        extra = FALL_TICKS if isinstance(expectation, CountExpectation) else 1
        bot_walk = explorer.search.walk_through(attempt)
        walk = walk_again(explorer, bot_walk, extra)
        outcome = expectations.judge(expectation, walk, walk.ticks)
        if outcome is not None and outcome.held == is_wanted:
            return (outcome, walk) if is_wanted else _simplify(explorer, expectation, bot_walk, (outcome, walk))
    expected = describe(expectation, explorer)
    explored = describe_exploration(explorer)
    if not is_wanted:
        return Outcome(True, 0, expected, f"no bot showed otherwise: {explored}"), None
    if attempts and isinstance(expectation, ConditionExpectation) and isinstance(expectation.condition, GoalCondition):
        walk = walk_again(explorer, explorer.search.walk_through(attempts[0]), 1)
        seconds = conditions.format_number((walk.ticks - 1) / walk.ticks_per_second)
        actual = f"the fastest bot is at the goal after {seconds} s: {explored}"
        return Outcome(False, walk.ticks, expected, actual), walk
    if isinstance(expectation, MeasureExpectation) and expectation.kind != MeasureKind.SPEED:
        place = explorer.extreme_place(highest=expectation.kind == MeasureKind.HIGHEST)
        walk = walk_again(explorer, explorer.search.walk_to(place), 1)
        actual = f"no bot did: {explored}; the {expectation.kind} is {conditions.format_point(walk.feet[-1])}"
        return Outcome(False, walk.ticks, expected, actual), walk
    point = _wanted_point(expectation, explorer.level)
    if point is None:
        return Outcome(False, 0, expected, f"no bot did: {explored}"), None
    walk = walk_again(explorer, explorer.search.walk_to(explorer.nearest_place(point)), 1)
    feet = walk.feet[-1]
    away = float(np.linalg.norm(feet - np.array(point)))
    actual = f"no bot got there: {explored}; the nearest place {conditions.format_point(feet)} is {away:.2f} m away"
    return Outcome(False, walk.ticks, expected, actual), walk


def _simplify(
    explorer: Explorer, expectation: Expectation, bot_walk: BotWalk, found: tuple[Outcome, RecordedWalk]
) -> tuple[Outcome, RecordedWalk]:
    """A simpler walk of a bot that fails an expectation in the world too; else the walk that was found."""
    watch = next((watch for one, watch in explorer.watches if one is expectation), None)
    if watch is None:
        return found
    start = explorer.exploration.world.walker_state
    minimiser = WalkMinimiser(explorer.search.walker, explorer.level.mesh, start, MAX_MINIMISE_TICKS)
    shorter = minimiser.minimise(bot_walk, watch.shows)
    if len(shorter) >= len(bot_walk):
        return found
    walk = walk_again(explorer, shorter, 1)
    outcome = expectations.judge(expectation, walk, walk.ticks)
    return found if outcome is None or outcome.held else (outcome, walk)


def _wants_a_witness(expectation: Expectation) -> bool:
    """Whether one walk that decides an expectation makes it hold; else one makes it fail."""
    if isinstance(expectation, ConditionExpectation):
        return expectation.occurrence == Occurrence.SOMETIMES
    if isinstance(expectation, MeasureExpectation):
        return (expectation.at_least if expectation.kind == MeasureKind.LOWEST else expectation.at_most) is None
    return isinstance(expectation, CountExpectation) and expectation.at_most is None and bool(expectation.at_least)


def _wanted_point(expectation: Expectation, level: Level) -> tuple[float, float, float] | None:
    condition = expectation.condition if isinstance(expectation, ConditionExpectation) else None
    if isinstance(condition, AtCondition):
        return condition.point
    if isinstance(condition, InsideCondition):
        if condition.low is not None and condition.high is not None:
            x, y, z = ((low + high) / 2 for low, high in zip(condition.low, condition.high, strict=True))
            return x, y, z
        return next((zone.centre for zone in conditions.zones_named(level, condition.zone)), None)
    return level.goal.at if isinstance(condition, GoalCondition) and level.goal is not None else None


def _judge_targets(explorer: Explorer, expectation: CountExpectation) -> tuple[Outcome, RecordedWalk | None]:
    """The number of targets or exits that some bot reached."""
    kind = COUNTED_TARGETS[expectation.kind]
    attempts = explorer.target_attempts(kind)
    count, low, high = len(attempts), expectation.at_least, expectation.at_most
    held = (low is None or count >= low) and (high is None or count <= high)
    walk = walk_again(explorer, explorer.search.walk_through(attempts[-1]), 1) if attempts else None
    reached = {number for _, number in explorer.search.best_attempts}
    missed = [
        target.name or f"number {target.number + 1}"
        for k, target in enumerate(explorer.search.targets)
        if target.kind == kind and k not in reached
    ]
    actual = f"the bots reached {count}" + (f", not {', '.join(missed)}" if missed else "")
    expected = expectations.describe_count(expectation)
    return Outcome(
        held, 0 if walk is None else walk.ticks, expected, f"{actual}: {describe_exploration(explorer)}"
    ), walk


def walk_again(explorer: Explorer, walk: BotWalk, extra: int) -> RecordedWalk:
    """A walk of a bot in the world, with `extra` ticks of standing after it."""
    plan = walk_inputs.plan_bot_walk(explorer.level, explorer.spawn, walk)
    recorded = RecordedWalk(plan.world)
    for _ in range(walk_ticks(walk) + extra):
        recorded.step(next(plan.inputs))
    return recorded


def describe(expectation: Expectation, explorer: Explorer) -> str:
    """An expectation of what bots can do, in words."""
    rate = explorer.exploration.world.settings.ticks_per_second
    if isinstance(expectation, ConditionExpectation):
        if isinstance(expectation.condition, GoalCondition) and expectation.occurrence == Occurrence.SOMETIMES:
            return f"somebody can reach the goal{expectations.describe_window(expectation.window, rate)}"
        who = {Occurrence.SOMETIMES: "somebody can be", Occurrence.NEVER: "nobody can be", Occurrence.ALWAYS: "all are"}
        words = conditions.describe(expectation.condition)
        window = expectations.describe_window(expectation.window, rate)
        return f"{who[expectation.occurrence]} {words}{window}"
    if isinstance(expectation, CountExpectation):
        return expectations.describe_count(expectation)
    assert isinstance(expectation, MeasureExpectation)
    return expectations.describe_measure(expectation, rate)


def describe_exploration(explorer: Explorer) -> str:
    """How much was explored, in words."""
    search = explorer.search
    words = f"{len(search.places.place_by_cell)} places, {search.attempt_count} tries"
    return words if explorer.exploration.is_complete else f"{words}, stopped after {search.ticks} ticks"
