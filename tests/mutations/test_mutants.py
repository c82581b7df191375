"""Mutants apply to the present sources, and the tests that they name exist.

`python -m tools.verify.mutants` checks that a test kills each.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.mutations.change import Change, apply, constant, edits
from tests.mutations.game_mutants import GAME_MUTANTS
from tests.mutations.mutants import MUTANTS
from tests.support.default_tests import functions_of_tests
from tools.verify.mutants import TEST_FOLDERS, ids_of_tests, mutated_files, why_not_applicable

SOURCE = """
LIMIT = 8  # steps


def height(b, best):
    for k in range(3):
        if b[k] <= best: continue  # lower
        best = max(best, min(b[k],  # higher
                             0.0))
    return best


def drop(b):
    x, y = b.x, height(b, -1.0)
    if not (x < y):
        height(b, y)
    else:
        height(b, 2.0 * x)
"""


@pytest.mark.full
def test_each_mutant_applies_to_the_sources():
    for name, mutant in (MUTANTS | GAME_MUTANTS).items():
        assert why_not_applicable(mutant) == "", name
        for path, text in mutated_files(mutant).items():
            assert text != path.read_text(encoding="utf-8"), name
            ast.parse(text)


def test_each_mutant_names_a_test_that_runs_by_default():
    """And all that it names exist, once each."""
    default = {name: runs for folder in TEST_FOLDERS for name, runs in functions_of_tests(folder).items()}
    for name, mutant in MUTANTS.items():
        ids = [ids_of_tests()[test.partition("[")[0]] for test in mutant.tests]
        assert [len(each) for each in ids] == [1] * len(ids), name
        assert any(default[test] for (test,) in ids), name


def test_each_mutant_of_the_game_names_tests_that_exist():
    tests = Path(__file__).parents[1]
    assert [path for mutant in GAME_MUTANTS.values() for path in mutant.tests if not (tests / path).exists()] == []


@pytest.fixture
def project(tmp_path: Path) -> Path:
    file = tmp_path / "game" / "physics" / "deep" / "file.py"
    file.parent.mkdir(parents=True)
    file.write_text(SOURCE, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("change", "before", "after"),
    [
        (constant("LIMIT", "0"), "LIMIT = 8", "LIMIT = 0"),
        (constant("moved.LIMIT", "0"), "LIMIT = 8", "LIMIT = 0"),
        (Change("height", "if x <= y: continue", "if True: continue"), "b[k] <= best", "True"),
        (
            Change("file.height", "m = max(m, min(x, 0.0))", "m = max(m, x)"),
            "min(b[k],  # higher\n" + " " * 29 + "0.0)",
            "b[k]",
        ),
        (Change("deep.file.height", "range(3)", "range(1)"), "range(3)", "range(1)"),
        (
            Change("", "x, y = z, f(*a)", "x, y = z, f(*a) - z", f="file.height"),
            "height(b, -1.0)",
            "(height(b, -1.0) - b.x)",
        ),
        (Change("drop", "f(b, 2.0 * x)", "pass"), "height(b, 2.0 * x)", "pass"),
        (Change("drop", "f(b, x)", "f(b, y)", "if not (y < x): ..."), "height(b, y)", "height(b, x)"),
        (Change("drop", "f(*a, 2.0 * x)", "f(*a, x)"), "2.0 * x", "x"),
        (Change("drop", "if x: ...\nelse: f(*a)", "if False: ...\nelse: f(*a)"), "not (x < y)", "False"),
    ],
)
def test_a_change_is_made_where_its_pattern_matches_and_nowhere_else(project, change, before, after):
    ((path, edit),) = edits(change, project)
    assert SOURCE.count(before) == 1
    assert apply(path.read_text(encoding="utf-8"), edit) == SOURCE.replace(before, after)


@pytest.mark.parametrize(
    ("change", "count"),
    [
        (Change("drop", "f(*a)", "pass", f="height"), 2),  # statements only: not the call in the assignment
        (Change("drop", "f(*a)", "x", f="height"), 3),
        (Change("height", "f(*a)", "x", f="height"), 0),
        (Change("", "range(3.0)", "range(1)"), 0),  # a float is not an integer
        (Change("", "max(x, min(x, y))", "x"), 0),
        (Change("nowhere", "x", "y"), 0),
    ],
)
def test_a_change_counts_the_places_that_it_edits(project, change, count):
    assert len(edits(change, project)) == count


def test_a_name_that_the_module_does_not_know_is_refused(project):
    with pytest.raises(NameError, match="unknown"):
        edits(Change("drop", "2.0 * x", "unknown"), project)
