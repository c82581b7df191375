"""Reports of level tests: plain records of runs, as text and as JSON."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..level import Level
from ..physics import WalkerSettings
from .runner import TestRun


@dataclass(slots=True)
class ExpectationRecord:
    """Result of one expectation. line, column: in the file of the test. tick, seconds: when it was decided."""

    line: int
    column: int
    tick: int
    seconds: float
    held: bool
    expected: str
    actual: str


@dataclass(slots=True)
class TestRecord:
    """One run as plain data, which passes between processes and into reports.

    line: of the test in `file`. path: the real path of that file. ticks, seconds: length of the walk.
    ticks_explored: by all bots. wall_seconds: time that the run took. path_hash: of the walk up to its last tick.
    """

    __test__ = False

    level: str
    path: str
    file: str
    line: int
    name: str
    status: str
    message: str = ""
    cure: str = ""
    expectations: list[ExpectationRecord] = field(default_factory=list)
    ticks: int = 0
    ticks_explored: int = 0
    seconds: float = 0.0
    wall_seconds: float = 0.0
    path_hash: str = ""
    files: list[str] = field(default_factory=list)


def make_record(level: Level, run: TestRun) -> TestRecord:
    rate = run.walk.ticks_per_second if run.walk is not None else WalkerSettings().ticks_per_second
    return TestRecord(
        level=level.name,
        path=os.path.realpath(run.test.path),
        file=shown_path(run.test.path),
        line=run.test.place.line,
        name=run.test.name,
        status=run.status.value,
        message=run.message,
        cure=run.cure,
        expectations=[
            ExpectationRecord(
                one.expectation.place.line,
                one.expectation.place.column,
                one.outcome.tick,
                round(one.outcome.tick / rate, 3),
                one.outcome.held,
                one.outcome.expected,
                one.outcome.actual,
            )
            for one in run.results
        ],
        ticks=run.ticks,
        ticks_explored=run.ticks_explored,
        seconds=round(run.ticks / rate, 3),
        path_hash="" if run.walk is None else run.walk.hash,
    )


def shown_path(path: Path) -> str:
    """A path relative to the current folder where it is below it, so that a terminal can open `file:line`."""
    real, here = os.path.realpath(path), os.path.realpath(os.curdir)
    return os.path.relpath(real, here) if real.startswith(here + os.sep) else str(path)


def failure_lines(record: TestRecord) -> list[str]:
    """The failure of a run in short lines."""
    lines: list[str] = []
    for one in sorted((one for one in record.expectations if not one.held), key=lambda one: one.tick):
        lines += [
            f"{record.file}:{one.line or record.line}: failed at tick {one.tick} ({one.seconds:.2f} s)",
            f"  expected: {one.expected}",
            f"  was:      {one.actual}",
        ]
    lines += record.message.splitlines()
    if record.cure:
        lines.append(record.cure)
    return lines + [f"see {path}" for path in record.files]


def json_document(
    records: Sequence[dict[str, Any]], status: int, findings: Sequence[str], skipped_files: int
) -> dict[str, Any]:
    """The document of `test --json`. records: those of `TestRecord` as dictionaries."""
    return {
        "status": status,
        "counts": dict(Counter(record["status"] for record in records)),
        "findings": list(findings),
        "skipped_files": skipped_files,
        "tests": list(records),
    }
