"""Reports of level tests: runs as plain data, which passes between processes and into JSON, and as text."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ..level import Level
from .expectations import Outcome
from .runner import TestRun

Record = dict[str, Any]  # of one run: an entry of `tests` in schemas/test.json


def make_record(level: Level, run: TestRun) -> Record:
    """The record of a run. `wall_seconds` and `files` are added by the caller."""
    rate = level.player.ticks_per_second
    return {
        "level": level.name,
        "path": os.path.realpath(run.test.path),
        "file": shown_path(run.test.path),
        "line": run.test.place.line,
        "name": run.test.name,
        "status": run.status.value,
        "message": run.message,
        "cure": run.cure,
        "expectations": [_outcome_record(one, rate) for one in run.results],
        "ticks": run.ticks,
        "ticks_explored": run.ticks_explored,
        "seconds": round(run.ticks / rate, 3),
        "wall_seconds": 0.0,
        "path_hash": "" if run.walk is None else run.walk.hash,
        "files": [],
    }


def _outcome_record(outcome: Outcome, rate: float) -> Record:
    return {
        "line": outcome.expectation.place.line,
        "column": outcome.expectation.place.column,
        "tick": outcome.tick,
        "seconds": round(outcome.tick / rate, 3),
        "held": outcome.held,
        "expected": outcome.expected,
        "actual": outcome.actual,
    }


def shown_path(path: Path) -> str:
    """A path relative to the current folder where it is below it, so that a terminal can open `file:line`."""
    real, here = os.path.realpath(path), os.path.realpath(os.curdir)
    return os.path.relpath(real, here) if real.startswith(here + os.sep) else str(path)


def failure_text(record: Record) -> str:
    """The failure of a run in short lines."""
    lines: list[str] = []
    for one in sorted((one for one in record["expectations"] if not one["held"]), key=lambda one: int(one["tick"])):
        lines += [
            f"{record['file']}:{one['line'] or record['line']}: failed at tick {one['tick']} ({one['seconds']:.2f} s)",
            f"  expected: {one['expected']}",
            f"  was:      {one['actual']}",
        ]
    lines += filter(None, (record["message"], record["cure"]))
    return "\n".join([*lines, *(f"see {path}" for path in record["files"])])
