"""Runner of level tests: makes a world, walks through it and evaluates the expectations of one test."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from ..level import Level
from ..level.format.level_tests.level_test import (
    BotKind,
    ConditionExpectation,
    Expectation,
    LevelTest,
    TouchesCondition,
    WalkPlayer,
)
from ..physics import WalkerSettings
from ..sim import command_script
from . import expectations, walk_inputs
from .expectations import Outcome
from .explorer import ExplorationCache, judge_exploration, search_walk_to_goal
from .recorded_walk import TestedWalk
from .walk_inputs import LevelTestError, WalkPlan

RANDOM_SECONDS = 60.0  # of a random walk whose test gives no length
MAX_TEST_TICKS = command_script.MAX_SCRIPT_TICKS
FIRST_JUDGED = 64  # ticks after which a walk is judged for the first time; later each time it is twice as long


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
    ticks_explored: int = 0
    walk: TestedWalk | None = None

    @property
    def ticks(self) -> int:
        return 0 if self.walk is None else self.walk.ticks

    @property
    def failures(self) -> list[JudgedExpectation]:
        """Expectations that do not hold, the earliest tick first."""
        return sorted((r for r in self.results if not r.outcome.held), key=lambda r: r.outcome.tick)

    @property
    def is_good(self) -> bool:
        """Whether the test counts as passed."""
        return self.status in (TestStatus.PASSED, TestStatus.SKIPPED, TestStatus.EXPECTED_FAILURE)


def run_test(level: Level, test: LevelTest, cache: ExplorationCache | None = None) -> TestRun:
    """Run one test. The result depends on level and test alone. cache: explorations of this level, shared by tests."""
    if test.skip:
        return TestRun(test, TestStatus.SKIPPED, test.skip)
    run = TestRun(test, TestStatus.PASSED)
    try:
        if not isinstance(test.player, WalkPlayer) and test.player.kind == BotKind.EXPLORE:
            outcomes, run.walk, run.ticks_explored = judge_exploration(level, test, cache or ExplorationCache(level))
        else:
            run.walk, outcomes = _walk_and_judge(test, *_plan(level, test))
    except LevelTestError as error:
        return TestRun(test, TestStatus.ERROR, error.message, error.cure)
    run.results = [JudgedExpectation(one, outcome) for one, outcome in zip(test.expect, outcomes, strict=True)]
    if run.failures:
        run.status = TestStatus.EXPECTED_FAILURE if test.fails else TestStatus.FAILED
        run.message = test.fails
    elif test.fails:
        run.status = TestStatus.FAILED
        run.message = f"all expectations hold, but the test has `fails: {test.fails}`"
        run.cure = "remove `fails`"
    return run


def _plan(level: Level, test: LevelTest) -> tuple[WalkPlan, int]:
    """The walk of a test and its length in ticks."""
    player = test.player
    rate = WalkerSettings().ticks_per_second
    length = test.length(rate)
    if isinstance(player, WalkPlayer):
        path = player.path if player.path is not None else test.path.parent / Path(player.file)
        if player.is_replay:
            plan = walk_inputs.plan_replay(level, test.spawn, path)
        else:
            plan = walk_inputs.plan_script(level, test.spawn, walk_inputs.read_commands(player, path))
    elif player.kind == BotKind.RANDOM:
        ticks = round(RANDOM_SECONDS * rate) if length is None else min(length, MAX_TEST_TICKS + 1)
        plan = walk_inputs.plan_bot_walk(level, test.spawn, walk_inputs.random_walk_steps(player.seed, ticks))
    else:
        length = None  # it bounds the ticks of all bots
        plan = walk_inputs.plan_bot_walk(level, test.spawn, search_walk_to_goal(level, test))
    length = plan.ticks if length is None else length
    if length > MAX_TEST_TICKS:
        raise LevelTestError(f"a test of {length} ticks is too long", f"at most {MAX_TEST_TICKS} ticks")
    return plan, length


def _walk_and_judge(test: LevelTest, plan: WalkPlan, length: int) -> tuple[TestedWalk, list[Outcome]]:
    """Walk until every expectation is decided, at most `length` ticks; the walk and the results in their order."""
    conditions = [one.condition for one in test.expect if isinstance(one, ConditionExpectation)]
    walk = TestedWalk(plan.world, length, any(isinstance(one, TouchesCondition) for one in conditions))
    outcomes: list[Outcome | None] = [None] * len(test.expect)
    end = min(FIRST_JUDGED, length)
    while True:
        for given in itertools.islice(plan.inputs, end - walk.ticks):
            walk.step(given)
        outcomes = [
            expectations.judge(one, walk, length) if found is None else found
            for one, found in zip(test.expect, outcomes, strict=True)
        ]
        decided = [one for one in outcomes if one is not None]
        if len(decided) == len(outcomes):
            return walk, decided
        end = min(2 * end, length)
