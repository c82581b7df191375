"""Damaged level files (tests/support/hostile_input): `check` and `load` give findings and never fail. Seeded.

`WALKER_EXAMPLES` names the number of files, and adds those that are slow to read.
"""

from __future__ import annotations

import os
import shutil
import time
import warnings
from contextlib import suppress
from pathlib import Path

import pytest

from game.level import LevelError, check, load, severity_exit_code
from tests.support.hostile_input.fuzzed_levels import FuzzCase, LevelFuzzer

MORE = int(os.environ.get("WALKER_EXAMPLES", "0"))
COUNT = MORE or 200
SEED = 21
SECONDS = 20.0  # s of processor time for check and for load each: this looks for hangs, not for slowness
MEMORY = 1024  # MiB more than before


def failure_of(case: FuzzCase, folder: Path) -> tuple[int, str]:
    """Exit code of a level and its companions, and what is wrong with the answers of `check` and `load`."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, data in {**case.files, "level.yaml": case.text}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    with suppress(OSError):  # forget the peak so far
        Path("/proc/self/clear_refs").write_text("5")
    before, began = peak(), time.process_time()
    findings = check(folder / "level.yaml")
    checked = time.process_time()
    code = severity_exit_code(findings)
    for finding in findings:
        text = finding.render()
        if not all(char.isprintable() or char == "\n" for char in text) or not finding.message:
            return code, f"a finding that cannot be printed: {text!r}"
    try:
        level = load(folder / "level.yaml")
    except LevelError:
        if code != 2:
            return code, "load rejects the level, check accepts it"
    else:
        if code == 2:
            return code, "check rejects the level, load accepts it"
        if len(level.triangles) and not abs(level.triangles).max() <= 1e5:
            return code, "corners beyond all bounds"
    if max(checked - began, time.process_time() - checked) > SECONDS:
        return code, f"took {time.process_time() - began:.0f} s of processor time"
    return code, f"took {peak() - before:.0f} MiB" if peak() - before > MEMORY else ""


def peak() -> float:
    """Peak memory in MiB since it was forgotten; 0 if the system does not report it."""
    with suppress(OSError):
        rows = Path("/proc/self/status").read_text().split("\n")
        return next((int(row.split()[1]) / 1024 for row in rows if row.startswith("VmHWM:")), 0.0)
    return 0.0


@pytest.mark.full
def test_damaged_levels_give_findings_and_no_failure(tmp_path: Path) -> None:
    fuzzer, codes = LevelFuzzer(SEED, light=not MORE), set()
    for number in range(COUNT):
        case = fuzzer.case(number)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            code, failure = failure_of(case, tmp_path / "levels" / "case")
        assert not failure, case.description
        codes.add(code)
    assert codes == {0, 1, 2}, "the cases have every exit code"
