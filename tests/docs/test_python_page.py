"""docs/python.md: its examples run, its tests pass, and what it lists is what there is."""

from __future__ import annotations

import re
import typing
import warnings
from pathlib import Path

import pytest

from game.sim import events
from tests.support.page_code import run_python_blocks

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "python.md"
TEXT = PAGE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page():
    """(number of blocks, names after all of them)."""
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("error")
        patch.chdir(ROOT)
        return run_python_blocks(PAGE)


def test_every_example_runs(page):
    assert page[0] == 13


def test_the_tests_of_the_page_pass(page):
    tests = {name: function for name, function in page[1].items() if name.startswith("test_")}
    assert len(tests) == 3
    for function in tests.values():
        marks = getattr(function, "pytestmark", [])
        for value in marks[0].args[1] if marks else [None]:
            function(*([] if value is None else [value]))


def test_every_event_is_listed_with_its_fields():
    rows = dict(re.findall(r"^\| (`[^|]+`) \| ([^|]+) \|$", TEXT, re.M))
    listed = {name: fields for names, fields in rows.items() for name in re.findall(r"`(\w+)`", names)}
    kinds = typing.get_args(events.Event)
    assert set(listed) >= {kind.__name__ for kind in kinds}
    for kind in kinds:
        if "golf" not in listed[kind.__name__]:
            assert re.findall(r"`(\w+)`", listed[kind.__name__]) == list(kind.__dataclass_fields__)
    assert set(re.findall(r'"(\w+)"', listed["Respawned"])) == set(events.RespawnReason)
