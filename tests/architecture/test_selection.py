"""The selection of tests: what is left out by default, and what brings it back."""

from __future__ import annotations

import itertools
from fnmatch import fnmatch

import pytest

from tests.support.selection import each_value_once, evenly_spaced, in_part, parse_part

pytest_plugins = ["pytester"]

CONFTEST = """
import sys
import pytest
sys.path.insert(0, {root!r})
from tests.support import selection
pytest_addoption = selection.add_options
def pytest_configure(config):
    for marker in selection.MARKERS:
        config.addinivalue_line("markers", marker)
def pytest_collection_modifyitems(config, items):
    selection.deselect(config, items)
pytest_sessionfinish = selection.pass_on
pytest_testnodedown = pytest.hookimpl(optionalhook=True)(selection.take)
pytest_terminal_summary = selection.write_left_out
"""
TESTS = """
import pytest
def test_quick(): pass
@pytest.mark.full
def test_slow(): pass
@pytest.mark.sample(2)
@pytest.mark.parametrize("k", range(6))
def test_some(k): pass
@pytest.mark.each_once
@pytest.mark.parametrize("a", range(3))
@pytest.mark.parametrize("b", range(2))
def test_product(a, b): pass
@pytest.mark.parametrize("k", [0, pytest.param(1, marks=pytest.mark.full)])
def test_cases(k): pass
"""
SELECTED = {"test_quick", "test_some[0]", "test_some[3]", "test_product[0-0]", "test_product[1-1]", "test_product[0-2]",
            "test_cases[0]"}  # fmt: skip


@pytest.fixture
def selected(pytester, request):
    pytester.makeconftest(CONFTEST.format(root=str(request.config.rootpath)))
    pytester.makepyfile(test_these=TESTS)

    def collect(*arguments):
        result = pytester.runpytest_inprocess(
            "--collect-only", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", *arguments
        )
        return [line.partition("::")[2] for line in result.outlines if "::" in line]

    return collect


def test_no_folder_of_tests_has_a_name_that_pytest_skips(request):
    skipped = request.config.getini("norecursedirs")
    folders = {path.parent for path in (request.config.rootpath / "tests").rglob("test_*.py")}
    assert folders
    assert [folder for folder in folders if any(fnmatch(folder.name, pattern) for pattern in skipped)] == []


def test_marked_tests_and_cases_are_left_out_by_default(selected):
    assert set(selected()) == SELECTED


@pytest.mark.parametrize("arguments", [("--full",), pytest.param(("-m", "full or not full"), marks=pytest.mark.full)])
def test_everything_runs_where_full_tests_are_wanted(selected, arguments):
    assert len(selected(*arguments)) == 1 + 1 + 6 + 6 + 2


def test_what_is_named_runs_with_all_its_cases_and_no_others(selected):
    names = ["test_slow", "test_some[1]", "test_product[1-2]", "test_cases[1]"]
    assert selected(*(f"test_these.py::{name}" for name in names)) == names
    assert selected("test_these.py::test_some") == [f"test_some[{k}]" for k in range(6)]


def test_the_parts_are_disjoint_and_together_all_that_is_left_out(selected):
    parts = [set(selected("--full-part", f"{k}/2")) for k in (1, 2)]
    assert set.union(*parts) == set(selected("--full")) - SELECTED
    assert sum(map(len, parts)) == len(set.union(*parts))
    assert 200 < sum(in_part(f"test_{k}", (2, 4)) for k in range(1000)) < 300


@pytest.mark.parametrize(("more", "lines"), [((), 1), (("--full",), 0)])
def test_a_run_says_how_many_tests_it_left_out_and_how_they_run(pytester, request, more, lines):
    pytester.makeconftest(CONFTEST.format(root=str(request.config.rootpath)))
    pytester.makepyfile(test_these=TESTS)
    result = pytester.runpytest_subprocess("-n", "1", "-p", "no:cacheprovider", *more)
    said = "left out: 9 tests, which try more cases or take long; python -m pytest --full runs them too"
    assert [line for line in result.outlines if line.startswith("left out")] == [said] * lines


@pytest.mark.parametrize("text", ["", "3", "0/4", "5/4", "a/b", "1/0"])
def test_other_texts_are_no_part(text):
    with pytest.raises(ValueError):  # noqa: PT011
        parse_part(text)


@pytest.mark.parametrize(("count", "wanted"), [(1, 1), (5, 2), (7, 7), (3, 9), (100, 3)])
def test_a_sample_is_spaced_evenly(count, wanted):
    kept = sorted(evenly_spaced(count, wanted))
    assert len(kept) == min(count, wanted)
    assert kept[0] == 0
    gaps = {b - a for a, b in itertools.pairwise([*kept, count])}
    assert max(gaps) - min(gaps) <= 1


@pytest.mark.parametrize(
    ("cases", "count"),
    [
        (list(itertools.product(range(4))), 4),
        (list(itertools.product(range(2), range(3))), 3),
        (list(itertools.product(range(3), range(3), range(3))), 3),
        ([(0, 0), (0, 1), (1, 0), (2, 2)], 4),  # with gaps
    ],
)
def test_each_value_occurs_in_the_fewest_cases(cases, count):
    kept = each_value_once(cases)
    assert len(kept) <= count
    assert {value for number in kept for value in enumerate(cases[number])} == {
        value for case in cases for value in enumerate(case)
    }
