"""Each promise of docs/limits.md and docs/physics.md names a default test, and there is no promise without one."""

from __future__ import annotations

import re
from pathlib import Path

from tests.mutations import promises
from tests.support.default_tests import functions_of_tests

ROOT = Path(__file__).resolve().parents[2]


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def section(text: str, heading: str) -> str:
    """The text under a heading."""
    return text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]


def plain(words: str) -> str:
    """Words on one line, without the targets of links."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(words.split()))


def rows(text: str) -> set[str]:
    """First column of a table, without its head."""
    first = [plain(line.split("|")[1]) for line in text.splitlines() if line.startswith("| ")]
    return set(first[1:])


def test_every_promise_of_the_limits_is_named():
    assert {plain(words) for words in re.findall(r"^- \*\*(.+?)\*\*", page("limits.md"), re.M | re.S)} == {
        *promises.LIMITS
    }
    assert rows(section(page("limits.md"), "Bounds of a tick")) == {*promises.BOUNDS}


def test_every_promise_of_the_physics_is_named():
    text = page("physics.md")
    assert set(re.findall(r"^## (.+)$", text, re.M)) == {"Guarantees", *promises.SECTIONS}
    entries = re.findall(r"^- (.+?)$(?!\n  )", section(text, "Guarantees"), re.M | re.S)
    assert {plain(words) for words in entries} == {*promises.GUARANTEES}


def test_the_named_tests_run_by_default():
    tables = promises.LIMITS, promises.BOUNDS, promises.GUARANTEES, promises.SECTIONS
    named = {promise: tests for table in tables for promise, tests in table.items()}
    assert {promise for promise, tests in named.items() if not tests} == promises.FONTS_OF_THE_SYSTEM
    folders = ("docs", "golden", "museum", "physics", "properties", "regressions", "sim", "text")
    functions = [each for folder in folders for each in functions_of_tests(f"tests/{folder}").items()]
    for promise, tests in named.items():
        for test in tests:
            runs = [runs for node_id, runs in functions if node_id.endswith(f"::{test}")]
            assert runs == [True], f"{promise}: {test} is no default test, or one of several of that name"
