"""Level test: a level with tests of its own, run from a program, with a picture of the failure."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from ellipsoid_walker.level import load
from ellipsoid_walker.testing import TestRun, run_test, write_artefacts

LEVEL = """\
format: 1
name: Gap
spawn: {at: [0, 0, 4], facing: north}
goal: {at: [0, 0, -9], radius: 1}
kill_height: -6
pieces:
  - floor: {from: [-3, -2.6], to: [3, 6]}
  - floor: {from: [-3, -11], to: [3, -5.6]}
tests:
  - name: a jump crosses the gap
    walk: ["92 forward 1", "1 forward 1 jump", "120 forward 1"]
    expect: {goal: reached, deaths: 0}
  - name: a player who does not jump is safe
    walk: ["240 forward 1"]
    expect: {deaths: 0}
"""


def main(folder: Path) -> list[TestRun]:
    """Run the tests, and write a replay and a picture of each failure into a folder; the runs."""
    level = load(text=LEVEL)
    runs = [run_test(level, test) for test in level.tests]
    for run in runs:
        print(f"{run.status}: {run.test.name}")
        for failure in run.failures:
            print(f"  tick {failure.tick}: expected: {failure.expected}; was: {failure.actual}")
        for path in write_artefacts(level, run, folder, run.test.name.replace(" ", "-")):
            print(f"  see {path}")
    return runs


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()))
