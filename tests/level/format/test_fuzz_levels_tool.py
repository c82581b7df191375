"""Two hundred mangled levels in a child process: no traceback, hang or crash; and the tool reports failures."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tools.verify import fuzz_levels
from tools.verify.fuzzed_levels import Mangler

COUNT = int(os.environ.get("MANGLED_LEVELS", "200"))
SLOW = 20.0  # s of processor time: here a hang is looked for, and no timing


def test_mangled_levels_leave_no_trace(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(fuzz_levels, "SECONDS", SLOW)
    tally = fuzz_levels.run(COUNT, seed=20, keep=tmp_path, light=True)
    assert tally.failures == [], f"the levels are kept in {tmp_path}\n{tally}"
    assert set(tally.codes) == {0, 1, 2}, "mutations of every consequence were tried"
    assert sum(tally.codes.values()) == COUNT


def test_the_same_seed_makes_the_same_files() -> None:
    one, other = Mangler(7, light=True), Mangler(7, light=True)
    cases = [one.case(number) for number in range(60)]
    assert cases == [other.case(number) for number in range(60)]
    assert len({case.how.split(": ")[1].split(" of ")[0] for case in cases}) > 8
    assert Mangler(8).case(3).text != one.case(3).text


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"code": 0, "seconds": [0.1, 0.2], "memory": 90.0, "wrong": ""}, ""),
        ({"code": 0, "seconds": [2.1, 0.2], "memory": 90.0, "wrong": ""}, "took 2.10 s to check and 0.20 s to load"),
        ({"code": 0, "seconds": [0.1, 0.2], "memory": 1025.0, "wrong": ""}, "took 1025 MiB"),
        ({"wrong": "the process ended"}, "the process ended"),
    ],
)
def test_what_counts_as_a_failure(answer: dict[str, Any], words: str) -> None:
    tally = fuzz_levels.Tally()
    assert tally.take("this", answer) == words
    assert tally.failures == ([f"this: {words}"] if words else [])
    assert sum(tally.codes.values()) == (0 if words else 1)


def test_a_child_that_ends_or_hangs_is_told_and_followed_by_another(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    child = fuzz_levels.Child()
    path = tmp_path / "level.yaml"
    path.write_text("format: 1\nspawn: {at: [0, 0, 0]}\npieces: [floor: {from: [-9, -9], to: [9, 9]}]\n")
    try:
        assert child.ask(path)["code"] == 0
        assert child.ask(path)["wrong"] == ""
        assert child._process is not None
        child._process.kill()
        child._process.wait()
        assert child.ask(path)["code"] == 0, "a new one"
        monkeypatch.setattr(fuzz_levels, "PATIENCE", 0.0)
        assert child.ask(path)["wrong"] == "no answer within 0 s"
    finally:
        child.close()


def test_what_a_level_costs_is_measured(tmp_path: Path) -> None:
    path = tmp_path / "level.yaml"
    path.write_text("format: 1\nspawn: {at: [0, 0, 0]}\npieces: [floor: {from: [-9, -9], to: [9, 9]}]\n")
    found = fuzz_levels.judged(path)
    assert (found["code"], found["wrong"]) == (0, "")
    assert len(found["seconds"]) == 2
    if Path("/proc/self/status").exists():
        assert 20 < found["memory"] < 4000
