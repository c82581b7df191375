"""Fuzz the level reader with mutated files: `python -m tools.verify.fuzz_levels [--count 10000] [--seed 0] [--keep
FOLDER]`.

Every case goes through `check` and `load` in a child process. Failures are: an exception other than LevelError, a
Python warning, the end of the child, more than SECONDS of processor time for one of the two calls, more than MEMORY, a
finding that cannot be printed, and different results of the two calls. The same seed gives the same files.
"""

from __future__ import annotations

import argparse
import json
import select
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.verify.fuzzed_levels import Case, Mangler

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 2.0  # s of processor time, for check and for load each
MEMORY = 1024  # MiB: limit of the child's memory
ADDRESSES = 4 * 2**30  # bytes: hard limit of its address space
PATIENCE = 60.0  # s of wall time: then the child hangs


@dataclass(slots=True)
class Tally:
    """Results so far: counts of exit codes, the slowest and the largest case, and the failures."""

    codes: dict[int, int] = field(default_factory=dict)
    slowest: tuple[float, str] = (0.0, "")
    largest: tuple[float, str] = (0.0, "")
    failures: list[str] = field(default_factory=list)

    def take(self, how: str, answer: dict[str, Any]) -> str:
        """Count one answer. Returns its failure, or an empty text."""
        self.slowest = max(self.slowest, (max(answer.get("seconds", [0.0])), how))
        self.largest = max(self.largest, (answer.get("memory", 0.0), how))
        wrong = str(answer.get("wrong", ""))
        if not wrong and max(answer["seconds"]) > SECONDS:
            wrong = f"took {answer['seconds'][0]:.2f} s to check and {answer['seconds'][1]:.2f} s to load"
        if not wrong and answer["memory"] > MEMORY:
            wrong = f"took {answer['memory']:.0f} MiB"
        if wrong:
            self.failures.append(f"{how}: {wrong}")
        else:
            self.codes[answer["code"]] = self.codes.get(answer["code"], 0) + 1
        return wrong

    def __str__(self) -> str:
        codes = ", ".join(f"{count} with exit code {code}" for code, count in sorted(self.codes.items()))
        return (
            f"{sum(self.codes.values()) + len(self.failures)} files: {codes}; {len(self.failures)} failures\n"
            f"slowest: {self.slowest[0]:.2f} s ({self.slowest[1]})\n"
            f"largest: {self.largest[0]:.0f} MiB ({self.largest[1]})"
        )


class Child:
    """A process that reads levels, restarted when it has ended."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def ask(self, level: Path) -> dict[str, Any]:
        if self._process is None or self._process.poll() is not None:
            command = [sys.executable, "-m", "tools.verify.fuzz_levels", "--child"]
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=ROOT)
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{level}\n")
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], PATIENCE)
        line = process.stdout.readline() if ready else ""
        if line:
            answer: dict[str, Any] = json.loads(line)
            return answer
        self.close()
        return {"wrong": "the process ended" if ready else f"no answer within {PATIENCE:g} s"}

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def run(
    count: int, seed: int, first: int = 0, keep: Path | None = None, tell: bool = False, light: bool = False
) -> Tally:
    """Run cases of a seed from number `first` on. Keeps each failing case in its own folder."""
    tally, mangler, child = Tally(), Mangler(seed, light), Child()
    began = time.monotonic()
    try:
        with tempfile.TemporaryDirectory() as folder:
            for number in range(first, first + count):
                case = mangler.case(number)
                home = Path(folder) / "levels" / "case"
                _write(case, home)
                wrong = tally.take(case.how, child.ask(home / "level.yaml"))
                if wrong and keep is not None:
                    _write(case, keep / f"{seed}_{number}")
                if tell and (wrong or (number - first + 1) % 500 == 0):
                    told = f"{case.how}: {wrong}" if wrong else ""
                    print(f"{number - first + 1} in {time.monotonic() - began:.0f} s {told}", flush=True)
    finally:
        child.close()
    return tally


def _write(case: Case, home: Path) -> None:
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    for name, data in {**case.files, "level.yaml": case.text}.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def serve() -> None:
    """The child process: reads a path from each line, and answers with a line."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
    except (ImportError, ValueError, OSError):
        pass  # no such limits on this system; the memory is still measured where possible
    warnings.simplefilter("error")
    for line in sys.stdin:
        try:
            answer = judged(Path(line.rstrip("\n")))
        except Exception:
            answer = {"wrong": traceback.format_exc(limit=-6)}
        print(json.dumps(answer), flush=True)


def judged(path: Path) -> dict[str, Any]:
    """Result and cost of check and load for a level."""
    from game.level import LevelError, check, load, severity_exit_code

    _forget_peak()
    began = time.process_time()
    findings = check(path)
    checked = time.process_time()
    code = severity_exit_code(findings)
    wrong = ""
    for finding in findings:
        shown = finding.render()
        if not all(char.isprintable() or char == "\n" for char in shown) or not finding.message:
            wrong = f"a finding that cannot be shown: {shown!r}"
    before = time.process_time()
    try:
        level = load(path)
        if code == 2:
            wrong = wrong or "check says that it is no level, load that it is one"
        if len(level.triangles) and not abs(level.triangles).max() <= 1e5:
            wrong = wrong or "corners beyond all bounds"
    except LevelError:
        if code != 2:
            wrong = wrong or "load says that it is no level, check that it is one"
    seconds = [checked - began, time.process_time() - before]
    return {"code": code, "seconds": seconds, "memory": _peak(), "wrong": wrong}


def _forget_peak() -> None:
    with suppress(OSError):  # else the peak is that of all cases so far
        Path("/proc/self/clear_refs").write_text("5")


def _peak() -> float:
    """Peak memory in MiB since the last reset; 0 if the system does not report it."""
    try:
        rows = Path("/proc/self/status").read_text().split("\n")
    except OSError:
        return 0.0
    return next((int(row.split()[1]) / 1024 for row in rows if row.startswith("VmHWM:")), 0.0)


def main() -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    options.add_argument("--count", type=int, default=10_000)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--first", type=int, default=0, help="number of the first case")
    options.add_argument("--keep", type=Path, help="folder for the cases that fail")
    options.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.child:
        serve()
        return 0
    tally = run(given.count, given.seed, given.first, given.keep, tell=True)
    print(tally)
    for failure in tally.failures:
        print(failure)
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
