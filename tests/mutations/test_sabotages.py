"""The sabotages can still be made: what they change stands exactly once in the sources (that they turn tests red is
seen by `python -m tools.verify.sabotage`)."""

from __future__ import annotations

import ast

import pytest

from tests.mutations.sabotages import SABOTAGES
from tools.verify.sabotage import ROOT, broken, names


@pytest.mark.parametrize("sabotage", SABOTAGES, ids=[s.name for s in SABOTAGES])
def test_it_can_be_made(sabotage):
    assert not broken(sabotage)
    for file, before, after in sabotage.changes:
        assert before != after
        ast.parse((ROOT / "game" / "physics" / file).read_text(encoding="utf-8").replace(before, after))


def test_names_differ():
    assert len({s.name for s in SABOTAGES}) == len(SABOTAGES)


def test_the_tests_named_exist():
    for sabotage in SABOTAGES:
        for name in names(sabotage):
            file, test = name.split("::")
            functions = ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8")))
            assert test.split("[")[0] in {f.name for f in functions if isinstance(f, ast.FunctionDef)}, name
