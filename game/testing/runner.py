"""Runner of level tests: makes a world, walks through it and evaluates the expectations of one test."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from ..level import Level
from ..level.format.level_tests.level_test import (
    BotKind,
    ConditionExpectation,
    LevelTest,
    TouchesCondition,
    WalkPlayer,
)
from . import expectations, walks
from .expectations import Outcome
from .explorer import ExplorationCache, judge_exploration, search_walk_to_goal
from .walks import LevelTestError, TestedWalk

RANDOM_SECONDS = 60.0  # of a random walk whose test gives no length


class TestStatus(StrEnum):
    """Result of a test."""

    __test__ = False  # no class of pytest tests

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"  # it could not be run
    SKIPPED = "skipped"
    EXPECTED_FAILURE = "expected failure"  # a test with `fails` that failed: it counts as passed


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
    results: list[Outcome] = field(default_factory=list)
    ticks_explored: int = 0
    walk: TestedWalk | None = None

    @property
    def ticks(self) -> int:
        return 0 if self.walk is None else self.walk.ticks

    @property
    def failures(self) -> list[Outcome]:
        """Results of the expectations that do not hold, the earliest tick first."""
        return sorted((one for one in self.results if not one.held), key=lambda one: one.tick)

    @property
    def is_good(self) -> bool:
        """Whether the test counts as passed."""
        return self.status not in (TestStatus.FAILED, TestStatus.ERROR)


def run_test(level: Level, test: LevelTest, cache: ExplorationCache | None = None) -> TestRun:
    """Run one test. The result depends on level and test alone. cache: explorations of this level, shared by tests."""
    run = TestRun(test, TestStatus.PASSED)
    if test.skip:
        run.status, run.message = TestStatus.SKIPPED, test.skip
        return run
    try:
        if not isinstance(test.player, WalkPlayer) and test.player.kind == BotKind.EXPLORE:
            explored = judge_exploration(level, test, cache or ExplorationCache(level))
            run.results, run.walk, run.ticks_explored = explored
        else:
            run.walk = _walk(level, test)
            run.results = [expectations.judge(one, run.walk) for one in test.expect]
    except LevelTestError as error:
        return TestRun(test, TestStatus.ERROR, error.message, error.cure)
    if run.failures:
        run.status = TestStatus.EXPECTED_FAILURE if test.fails else TestStatus.FAILED
        run.message = test.fails
    elif test.fails:
        run.status = TestStatus.FAILED
        run.message = f"all expectations hold, but the test has `fails: {test.fails}`"
        run.cure = "remove `fails`"
    return run


def _walk(level: Level, test: LevelTest) -> TestedWalk:
    """The walk of a test, as long as the test says; else as long as its commands."""
    player, length = test.player, test.length(level.player.ticks_per_second)
    if isinstance(player, WalkPlayer):
        plan = walks.plan_walk(level, test.spawn, player)
    elif player.kind == BotKind.RANDOM:
        length = round(RANDOM_SECONDS * level.player.ticks_per_second) if length is None else length
        plan = walks.plan_bot_walk(level, test.spawn, walks.random_walk_steps(player.seed, length))
    else:
        plan, length = walks.plan_bot_walk(level, test.spawn, search_walk_to_goal(level, test)), None
    conditions = (one.condition for one in test.expect if isinstance(one, ConditionExpectation))
    records_touches = any(isinstance(one, TouchesCondition) for one in conditions)
    return TestedWalk(plan.world, plan.inputs, plan.ticks if length is None else length, records_touches)


# ---- Records of runs, as plain data and as text


Record = dict[str, Any]  # of one run: an entry of `tests` in schemas/test.json


def make_record(level: Level, run: TestRun) -> Record:
    """The record of a run. `wall_seconds` and `files` are added by the caller."""
    rate = level.player.ticks_per_second
    return {
        "level": level.name,
        "path": os.path.realpath(run.test.path),
        "file": shown_path(run.test.path),
        "line": run.test.place.line,
        "name": run.test.name,
        "status": run.status.value,
        "message": run.message,
        "cure": run.cure,
        "expectations": [_outcome_record(one, rate) for one in run.results],
        "ticks": run.ticks,
        "ticks_explored": run.ticks_explored,
        "seconds": round(run.ticks / rate, 3),
        "wall_seconds": 0.0,
        "path_hash": "" if run.walk is None else run.walk.hash,
        "files": [],
    }


def _outcome_record(outcome: Outcome, rate: float) -> Record:
    return {
        "line": outcome.expectation.place.line,
        "column": outcome.expectation.place.column,
        "tick": outcome.tick,
        "seconds": round(outcome.tick / rate, 3),
        "held": outcome.held,
        "expected": outcome.expected,
        "actual": outcome.actual,
    }


def shown_path(path: Path) -> str:
    """A path relative to the current folder where it is below it, so that a terminal can open `file:line`."""
    real, here = os.path.realpath(path), os.path.realpath(os.curdir)
    return os.path.relpath(real, here) if real.startswith(here + os.sep) else str(path)


def failure_text(record: Record) -> str:
    """The failure of a run in short lines."""
    lines: list[str] = []
    for one in sorted((one for one in record["expectations"] if not one["held"]), key=lambda one: int(one["tick"])):
        lines += [
            f"{record['file']}:{one['line'] or record['line']}: failed at tick {one['tick']} ({one['seconds']:.2f} s)",
            f"  expected: {one['expected']}",
            f"  was:      {one['actual']}",
        ]
    lines += filter(None, (record["message"], record["cure"]))
    return "\n".join([*lines, *(f"see {path}" for path in record["files"])])
