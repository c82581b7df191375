"""Fuzzing of the level reader: 200 damaged levels give no traceback, hang or crash; the tool reports failures."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.support.until import SECONDS
from tools.verify import fuzz_levels
from tools.verify.hostile_input.fuzzed_levels import LevelFuzzer

COUNT = int(os.environ.get("MANGLED_LEVELS", "200"))
SLOW = 20.0  # s of processor time: generous, because this test looks for hangs, not for slowness


@pytest.mark.full
def test_damaged_levels_give_findings_and_no_failure(tmp_path: Path) -> None:
    tally = fuzz_levels.run(COUNT, seed=21, keep=tmp_path, light=True, seconds=SLOW)
    assert tally.failures == [], f"the levels are kept in {tmp_path}\n{tally}"
    assert set(tally.codes) == {0, 1, 2}, "the cases have every exit code"
    assert sum(tally.codes.values()) == COUNT


@pytest.mark.full
def test_the_same_seed_makes_the_same_files() -> None:
    first, second = LevelFuzzer(7, light=True), LevelFuzzer(7, light=True)
    cases = [first.case(number) for number in range(60)]
    assert cases == [second.case(number) for number in range(60)]
    assert len({case.description.split(": ")[1].split(" of ")[0] for case in cases}) > 8
    assert LevelFuzzer(8).case(3).text != first.case(3).text


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"code": 0, "seconds": [0.1, 0.2], "memory": 90.0, "failure": ""}, ""),
        (
            {"code": 0, "seconds": [2.1, 0.2], "memory": 90.0, "failure": ""},
            "took 2.10 s of processor time to check and 0.20 s to load",
        ),
        ({"code": 0, "seconds": [0.1, 0.2], "memory": 1025.0, "failure": ""}, "took 1025 MiB"),
        ({"failure": "the process ended"}, "the process ended"),
    ],
)
def test_slow_large_and_wrong_results_count_as_failures(answer: dict[str, Any], words: str) -> None:
    tally = fuzz_levels.Tally()
    assert tally.add("this", answer) == words
    assert tally.failures == ([f"this: {words}"] if words else [])
    assert sum(tally.codes.values()) == (0 if words else 1)
    assert str(tally).split("\n")[1:3] == [
        "slowest, in processor time:",
        f"  {max(answer.get('seconds', [0.0])):.2f} s (this)",
    ]


@pytest.mark.full
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="a child is not found here")
def test_a_process_that_ends_or_hangs_is_reported_and_replaced(tmp_path: Path) -> None:
    reader, others = fuzz_levels.ReaderProcess(), children()
    reader.reply_timeout = SECONDS  # the machine may be busy
    path = tmp_path / "level.yaml"
    path.write_text("format: 1\nspawn: {at: [0, 0, 0]}\npieces: [floor: {from: [-9, -9], to: [9, 9]}]\n")
    try:
        assert reader.read(path)["code"] == 0
        assert reader.read(path)["failure"] == ""
        (child,) = children() - others
        os.kill(child, signal.SIGKILL)
        os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)  # its last thread has ended too
        assert reader.read(path)["code"] == 0, "a new process"
        reader.reply_timeout = 0.0
        assert reader.read(path)["failure"] == "no answer within 0 s"
    finally:
        reader.close()
    assert children() == others


def children() -> set[int]:
    """Processes that this process started and has not waited for."""
    return {int(word) for task in Path("/proc/self/task").glob("*/children") for word in task.read_text().split()}


def test_time_and_memory_of_a_level_are_measured(tmp_path: Path) -> None:
    path = tmp_path / "level.yaml"
    path.write_text("format: 1\nspawn: {at: [0, 0, 0]}\npieces: [floor: {from: [-9, -9], to: [9, 9]}]\n")
    result = fuzz_levels.check_and_load(path)
    assert (result["code"], result["failure"]) == (0, "")
    assert len(result["seconds"]) == 2
    if Path("/proc/self/status").exists():
        assert 20 < result["memory"] < 4000
