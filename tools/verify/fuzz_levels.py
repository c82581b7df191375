"""Fuzzing of the level reader with damaged files: `python -m tools.verify.fuzz_levels [--count 10000] [--seed 0]`.

Every case goes through `check` and `load` in a child process. Failures are: an exception other than LevelError, a
Python warning, the end of the child, more than SECONDS of processor time for one of the two calls, more than MEMORY, a
finding that cannot be printed, and different results of the two calls. The same seed gives the same files. `--keep`
saves the failing cases in a folder. Exit status 1 if a case fails.
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

from tools.command_numbers import at_least
from tools.verify.hostile_input.fuzzed_levels import FuzzCase, LevelFuzzer

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 2.0  # s of processor time, for check and for load each
SLOWEST_SHOWN = 5
MEMORY = 1024  # MiB: limit of the child's memory
ADDRESS_SPACE = 4 * 2**30  # bytes: hard limit for the child


@dataclass(slots=True)
class Tally:
    """Results so far: counts of exit codes, the slowest cases first, the largest case, and the failures.

    seconds: of processor time that a call may take.
    """

    seconds: float = SECONDS
    codes: dict[int, int] = field(default_factory=dict)
    slowest: list[tuple[float, str]] = field(default_factory=list)
    largest: tuple[float, str] = (0.0, "")
    failures: list[str] = field(default_factory=list)

    def add(self, description: str, answer: dict[str, Any]) -> str:
        """Count one answer. Returns its failure, or an empty text."""
        self.slowest.append((max(answer.get("seconds", [0.0])), description))
        self.slowest = sorted(self.slowest, reverse=True)[:SLOWEST_SHOWN]
        self.largest = max(self.largest, (answer.get("memory", 0.0), description))
        failure = str(answer.get("failure", ""))
        if not failure and max(answer["seconds"]) > self.seconds:
            checked, loaded = answer["seconds"]
            failure = f"took {checked:.2f} s of processor time to check and {loaded:.2f} s to load"
        if not failure and answer["memory"] > MEMORY:
            failure = f"took {answer['memory']:.0f} MiB"
        if failure:
            self.failures.append(f"{description}: {failure}")
        else:
            self.codes[answer["code"]] = self.codes.get(answer["code"], 0) + 1
        return failure

    def __str__(self) -> str:
        codes = ", ".join(f"{count} with exit code {code}" for code, count in sorted(self.codes.items()))
        slowest = "".join(f"\n  {seconds:.2f} s ({description})" for seconds, description in self.slowest)
        return (
            f"{sum(self.codes.values()) + len(self.failures)} files: {codes}; {len(self.failures)} failures\n"
            f"slowest, in processor time:{slowest}\n"
            f"largest: {self.largest[0]:.0f} MiB ({self.largest[1]})"
        )


class ReaderProcess:
    """A process that reads levels, restarted when it has ended.

    reply_timeout: s of wall time; a process that takes longer hangs. The machine may be busy.
    """

    def __init__(self) -> None:
        self.reply_timeout = 600.0
        self._process: subprocess.Popen[str] | None = None

    def read(self, level: Path) -> dict[str, Any]:
        """The result of `check_and_load` in the process."""
        if self._process is None or self._process.poll() is not None:
            command = [sys.executable, "-m", "tools.verify.fuzz_levels", "--child"]
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=ROOT)
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{level}\n")
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], self.reply_timeout)
        line = process.stdout.readline() if ready else ""
        if line:
            answer: dict[str, Any] = json.loads(line)
            return answer
        self.close()
        return {"failure": "the process ended" if ready else f"no answer within {self.reply_timeout:g} s"}

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def run(
    count: int,
    seed: int,
    first: int = 0,
    keep: Path | None = None,
    progress: bool = False,
    light: bool = False,
    seconds: float = SECONDS,
) -> Tally:
    """Run cases of a seed from number `first` on. Keeps each failing case in its own folder."""
    tally, fuzzer, reader = Tally(seconds), LevelFuzzer(seed, light), ReaderProcess()
    began = time.monotonic()
    try:
        with tempfile.TemporaryDirectory() as folder:
            for number in range(first, first + count):
                case = fuzzer.case(number)
                case_folder = Path(folder) / "levels" / "case"
                _write(case, case_folder)
                failure = tally.add(case.description, reader.read(case_folder / "level.yaml"))
                if failure and keep is not None:
                    _write(case, keep / f"{seed}_{number}")
                if progress and (failure or (number - first + 1) % 500 == 0):
                    message = f"{case.description}: {failure}" if failure else ""
                    print(f"{number - first + 1} in {time.monotonic() - began:.0f} s {message}", flush=True)
    finally:
        reader.close()
    return tally


def _write(case: FuzzCase, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, data in {**case.files, "level.yaml": case.text}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def serve() -> None:
    """Main loop of the child process: reads a path on each line of stdin and prints a JSON result."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    except (ImportError, ValueError, OSError):
        pass  # no such limits on this system; the memory is still measured where possible
    warnings.simplefilter("error")
    for line in sys.stdin:
        try:
            answer = check_and_load(Path(line.rstrip("\n")))
        except Exception:
            answer = {"failure": traceback.format_exc(limit=-6)}
        print(json.dumps(answer), flush=True)


def check_and_load(path: Path) -> dict[str, Any]:
    """Exit code, processor time (s), peak memory (MiB) and failure (or an empty text) of check and load for a level."""
    from game.level import LevelError, check, load, severity_exit_code

    _forget_peak()
    began = time.process_time()
    findings = check(path)
    checked = time.process_time()
    code = severity_exit_code(findings)
    failure = ""
    for finding in findings:
        text = finding.render()
        if not all(char.isprintable() or char == "\n" for char in text) or not finding.message:
            failure = f"a finding that cannot be printed: {text!r}"
    before = time.process_time()
    try:
        level = load(path)
        if code == 2:
            failure = failure or "check rejects the level, load accepts it"
        if len(level.triangles) and not abs(level.triangles).max() <= 1e5:
            failure = failure or "corners beyond all bounds"
    except LevelError:
        if code != 2:
            failure = failure or "load rejects the level, check accepts it"
    seconds = [checked - began, time.process_time() - before]
    return {"code": code, "seconds": seconds, "memory": _peak(), "failure": failure}


def _forget_peak() -> None:
    with suppress(OSError):  # without a reset, the peak is that of all cases so far
        Path("/proc/self/clear_refs").write_text("5")


def _peak() -> float:
    """Peak memory in MiB since the last reset; 0 if the system does not report it."""
    try:
        rows = Path("/proc/self/status").read_text().split("\n")
    except OSError:
        return 0.0
    return next((int(row.split()[1]) / 1024 for row in rows if row.startswith("VmHWM:")), 0.0)


def main(arguments: list[str]) -> int:
    """Run the command line. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.verify.fuzz_levels", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=at_least(1), default=10_000, help="number of cases (default: 10000)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the random cases (default: 0)")
    parser.add_argument("--first", type=int, default=0, help="number of the first case (default: 0)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="save the failing cases here")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.child:
        serve()
        return 0
    tally = run(options.count, options.seed, options.first, options.keep, progress=True)
    print(tally)
    for failure in tally.failures:
        print(failure)
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
