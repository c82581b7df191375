"""Every exception class of the project derives from `WalkerError`."""

from __future__ import annotations

import ast
import builtins
import re
from pathlib import Path

import pytest

from game.core.errors import WalkerError
from game.level import LevelError, load
from game.sim import ReplayError
from game.sim.command_script import CommandsError

ROOT = Path(__file__).resolve().parents[2]
BUILT_IN = {
    name
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, BaseException) and not issubclass(kind, Warning)
}


DERIVED = re.compile(rf"^\s*class\s+\w+\s*\([^)]*\b({'|'.join(BUILT_IN)})\b", re.MULTILINE)


def outside_the_family(source):
    """Classes that derive from a built-in exception and not first from `WalkerError`."""
    if not DERIVED.search(source):  # to parse all of them takes seconds
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            bases = [ast.unparse(base) for base in node.bases]
            if BUILT_IN & set(bases) and bases[0] != WalkerError.__name__:
                yield node.name


@pytest.mark.parametrize("folder", ["game", "tools", "benchmarks"])
def test_every_exception_derives_from_the_base(folder):
    files = [*sorted((ROOT / folder).rglob("*.py"))]
    found = {path: list(outside_the_family(path.read_text(encoding="utf-8"))) for path in files}
    found.pop(ROOT / "game" / "core" / "errors.py", None)
    assert files
    assert {path: names for path, names in found.items() if names} == {}


def test_the_search_sees_a_class_that_does_not():
    source = (
        "class A(Exception): pass\nclass B(WalkerError, ValueError): pass\nclass C(OSError): pass\nclass D(B): pass"
    )
    assert list(outside_the_family(source)) == ["A", "C"]


@pytest.mark.parametrize("kind", [LevelError, ReplayError, CommandsError])
def test_errors_about_input_are_value_errors_too(kind):
    assert issubclass(kind, WalkerError)
    assert issubclass(kind, ValueError)


def test_a_level_that_cannot_be_read_is_caught_as_any_of_them(tmp_path):
    path = tmp_path / "level.yaml"
    path.write_text("format: 1\npieces: 7\n")
    for kind in (LevelError, WalkerError, ValueError):
        with pytest.raises(kind) as caught:
            load(path)
        assert caught.value.findings
