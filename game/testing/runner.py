"""Runner of level tests: makes a world, walks through it and evaluates the expectations of one test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from ..level import Level
from ..level.format.level_tests.level_test import (
    BotKind,
    BotPlayer,
    ConditionExpectation,
    Expectation,
    HashExpectation,
    LevelTest,
    TouchesCondition,
    WalkPlayer,
)
from ..physics import WalkerSettings
from ..sim import command_script
from ..sim.tick_input import TickInput
from . import expectations, walk_inputs
from .errors import LevelTestError
from .expectations import Outcome
from .explore_results import check_goal_conditions, judge_exploration
from .explorer import ExplorationCache, ExploredProgress, search_walk_to_goal
from .recorded_walk import TestedWalk
from .walk_inputs import WalkPlan

RANDOM_SECONDS = 60.0  # of a random walk whose test gives no length
MAX_TEST_TICKS = command_script.MAX_SCRIPT_TICKS
FIRST_JUDGED = 64  # ticks after which a walk is judged for the first time; later each time it is twice as long
PROGRESS_TICKS = 2000


class TestStatus(StrEnum):
    __test__ = False  # no class of pytest tests

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"  # it could not be run
    SKIPPED = "skipped"
    EXPECTED_FAILURE = "expected failure"  # a test with `fails` that failed: it counts as passed


@dataclass(frozen=True, slots=True)
class JudgedExpectation:
    """An expectation with its result."""

    expectation: Expectation
    outcome: Outcome


@dataclass(slots=True)
class TestRun:
    """One run of a test.

    message: why it could not be run, or was not; cure: what to do. results: one for each expectation.
    walk: the walk on which the expectations were evaluated; None if there is none. ticks: its length.
    ticks_explored: by all bots of an exploration.
    """

    __test__ = False

    test: LevelTest
    status: TestStatus
    message: str = ""
    cure: str = ""
    results: list[JudgedExpectation] = field(default_factory=list)
    ticks: int = 0
    ticks_explored: int = 0
    ticks_per_second: float = WalkerSettings().ticks_per_second
    walk: TestedWalk | None = None

    @property
    def inputs(self) -> list[TickInput]:
        """Inputs of the walk, one for each tick."""
        return [] if self.walk is None else self.walk.inputs

    @property
    def failures(self) -> list[JudgedExpectation]:
        """Expectations that do not hold, the earliest tick first."""
        return sorted((r for r in self.results if not r.outcome.held), key=lambda r: r.outcome.tick)

    @property
    def is_good(self) -> bool:
        """Whether the test counts as passed."""
        return self.status in (TestStatus.PASSED, TestStatus.SKIPPED, TestStatus.EXPECTED_FAILURE)


Progress = Callable[[float, str], None]  # fraction done 0..1, what is done


def run_test(
    level: Level,
    test: LevelTest,
    cache: ExplorationCache | None = None,
    progress: Progress | None = None,
) -> TestRun:
    """Run one test. The result depends on level and test alone. cache: explorations of this level, shared by tests."""
    if test.skip:
        return TestRun(test, TestStatus.SKIPPED, test.skip)
    try:
        run = _run(level, test, cache or ExplorationCache(level), progress or (lambda fraction, what: None))
    except LevelTestError as error:
        return TestRun(test, TestStatus.ERROR, error.message, error.cure)
    failed = bool(run.failures)
    run.status = TestStatus.FAILED if failed else TestStatus.PASSED
    if test.fails and failed:
        run.status, run.message = TestStatus.EXPECTED_FAILURE, test.fails
    elif test.fails:
        run.status = TestStatus.FAILED
        run.message = f"all expectations hold, but the test has `fails: {test.fails}`"
        run.cure = "remove `fails`"
    return run


def _run(level: Level, test: LevelTest, cache: ExplorationCache, progress: Progress) -> TestRun:
    def explored(fraction: float, places: int) -> None:
        progress(fraction, f"{places} places found")

    if isinstance(test.player, BotPlayer) and test.player.kind == BotKind.EXPLORE:
        return _run_exploration(level, test, cache, explored)
    plan = _plan(level, test, cache, explored)
    length = test.length(plan.world.settings.ticks_per_second)
    if length is None or (isinstance(test.player, BotPlayer) and test.player.kind == BotKind.GOAL):
        length = plan.ticks  # the length of such a test bounds the ticks of all bots
    if length > MAX_TEST_TICKS:
        raise LevelTestError(f"a test of {length} ticks is too long", f"at most {MAX_TEST_TICKS} ticks")
    walk, results = walk_and_judge(plan, test.expect, length, progress)
    return TestRun(test, TestStatus.PASSED, "", "", results, walk.ticks, 0, walk.ticks_per_second, walk)


def walk_and_judge(
    plan: WalkPlan, expect: tuple[Expectation, ...], length: int, progress: Progress | None = None
) -> tuple[TestedWalk, list[JudgedExpectation]]:
    """Walk until every expectation is decided, at most `length` ticks; the walk and the results in their order."""
    conditions = [one.condition for one in expect if isinstance(one, ConditionExpectation)]
    walk = TestedWalk(plan.world, length, any(isinstance(one, TouchesCondition) for one in conditions))
    outcomes: dict[int, Outcome] = {}
    for end in _judged_ticks(length, any(isinstance(one, HashExpectation) for one in expect)):
        while walk.ticks < end:
            walk.step(next(plan.inputs))
            if progress is not None and walk.ticks % PROGRESS_TICKS == 0:
                progress(walk.ticks / length, f"tick {walk.ticks} of {length}")
        for number, expectation in enumerate(expect):
            if number not in outcomes:
                outcome = expectations.judge(expectation, walk, length)
                if outcome is not None:
                    outcomes[number] = outcome
        if len(outcomes) == len(expect):
            break
    return walk, [JudgedExpectation(one, outcomes[k]) for k, one in enumerate(expect)]


def _judged_ticks(length: int, whole: bool) -> Iterator[int]:
    """Numbers of ticks after which a walk is judged; whole: only at its end."""
    end = FIRST_JUDGED
    while end < length and not whole:
        yield end
        end *= 2
    yield length


def _plan(level: Level, test: LevelTest, cache: ExplorationCache, explored: ExploredProgress) -> WalkPlan:
    player = test.player
    if isinstance(player, WalkPlayer):
        if not player.file:
            return walk_inputs.plan_script(level, test.spawn, walk_inputs.parse_lines(player.lines))
        path = player.path if player.path is not None else test.path.parent / Path(player.file)
        if player.is_replay:
            return walk_inputs.plan_replay(level, test.spawn, path)
        return walk_inputs.plan_script(level, test.spawn, walk_inputs.read_commands_file(path))
    rate = WalkerSettings().ticks_per_second
    if player.kind == BotKind.RANDOM:
        ticks = test.length(rate)
        ticks = round(RANDOM_SECONDS * rate) if ticks is None else min(ticks, MAX_TEST_TICKS + 1)
        return walk_inputs.plan_bot_walk(level, test.spawn, walk_inputs.random_walk_steps(player.seed, ticks))
    check_goal_conditions(level, test)
    walk = search_walk_to_goal(level, test, cache.threads, explored).walk
    return walk_inputs.plan_bot_walk(level, test.spawn, walk)


def _run_exploration(level: Level, test: LevelTest, cache: ExplorationCache, explored: ExploredProgress) -> TestRun:
    judged, witness, ticks = judge_exploration(level, test, cache, explored)
    results = [JudgedExpectation(one, outcome) for one, outcome in zip(test.expect, judged, strict=True)]
    run = TestRun(test, TestStatus.PASSED, results=results, ticks_explored=ticks, walk=witness)
    if witness is not None:
        run.ticks = witness.ticks
    return run
