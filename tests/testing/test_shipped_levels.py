"""Tests of the shipped levels: each passes, and each level with a goal has one that reaches it."""

from __future__ import annotations

from pathlib import Path

import pytest

from game.level import Level, load
from game.level.format.file_access import is_tests_file
from game.level.format.level_tests import ConditionExpectation, GoalCondition, LevelTest, Occurrence
from game.testing.runner import TestStatus, run_test

LEVELS = Path(__file__).resolve().parents[2] / "levels"
NAMES = sorted(
    path.relative_to(LEVELS).with_suffix("").as_posix() for path in LEVELS.rglob("*.yaml") if not is_tests_file(path)
)
LOADED = {name: load(LEVELS / f"{name}.yaml") for name in NAMES}
TESTS = [pytest.param(level, test, id=f"{name}: {test.name}") for name, level in LOADED.items() for test in level.tests]


def expects_the_goal(test: LevelTest) -> bool:
    return any(
        isinstance(expected, ConditionExpectation)
        and isinstance(expected.condition, GoalCondition)
        and expected.occurrence == Occurrence.SOMETIMES
        for expected in test.expect
    )


@pytest.mark.parametrize("name", [name for name, level in LOADED.items() if level.goal is not None])
def test_a_level_with_a_goal_has_a_test_that_reaches_it(name: str) -> None:
    assert any(map(expects_the_goal, LOADED[name].tests))


@pytest.mark.jit
@pytest.mark.parametrize(("level", "test"), TESTS)
def test_it_passes(level: Level, test: LevelTest) -> None:
    run = run_test(level, test)
    assert run.status == TestStatus.PASSED, run.message or run.results
