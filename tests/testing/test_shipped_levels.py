"""Tests of the shipped levels: each passes, and each level with a goal has one that reaches it."""

from __future__ import annotations

from pathlib import Path

import pytest

from game.level import load
from game.level.format.file_access import is_tests_file
from game.level.format.level_tests.level_test import ConditionExpectation, GoalCondition, LevelTest, Occurrence
from game.testing.runner import TestStatus, run_test

LEVELS = Path(__file__).resolve().parents[2] / "levels"
NAMES = sorted(
    path.relative_to(LEVELS).with_suffix("").as_posix() for path in LEVELS.rglob("*.yaml") if not is_tests_file(path)
)
QUICK = ("demo", "golf/one", "museum/jump")


def expects_the_goal(test: LevelTest) -> bool:
    return any(
        isinstance(expected, ConditionExpectation)
        and isinstance(expected.condition, GoalCondition)
        and expected.occurrence == Occurrence.SOMETIMES
        for expected in test.expect
    )


@pytest.mark.jit
@pytest.mark.parametrize("name", [pytest.param(n, marks=[] if n in QUICK else [pytest.mark.full]) for n in NAMES])
def test_the_tests_of_a_shipped_level_pass_and_one_reaches_the_goal(name: str) -> None:
    level = load(LEVELS / f"{name}.yaml")
    assert level.goal is None or any(map(expects_the_goal, level.tests))
    for test in level.tests:
        run = run_test(level, test)
        assert run.status == TestStatus.PASSED, (test.name, run.message or run.results)
