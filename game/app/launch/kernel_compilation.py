"""Kernel compilation: a child process compiles the physics once and reports its progress; the cache folder for it."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from pathlib import Path
from typing import IO

from ...core import user_folders
from ...core.background import run_in_thread
from .progress_line import ProgressLine, describe_progress, describe_seconds

STEP_NAMES = {"first": "the physics", "whole": "the whole tick", "balls": "the tick of balls"}  # steps of prepare
JOIN_SECONDS = 1.0  # s that `stop` waits for the reader of a killed child
LOOP_COUNT, LOOP_SECONDS = 1_000_000, 0.06  # a loop that measures the machine, and its time on an idle one
COMPILE_COMMAND: tuple[str, ...] = (sys.executable, "-m", f"{__name__.partition('.')[0]}.physics.prepare")
PROJECT_ROOT = Path(__file__).resolve().parents[3]


def child_environment() -> dict[str, str]:
    """The environment of this process, with a PYTHONPATH on which a child finds this copy of the game."""
    paths = [str(PROJECT_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def is_writable(folder: Path) -> bool:
    """Whether a file can be written in a folder, which is created if it is missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def ensure_cache_folder() -> str | None:
    """Make sure that child processes can share compiled kernels; call this before physics is imported.

    Returns a sentence for the player where only a temporary folder can be used, else None.
    """
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return None
    folder = user_folders.cache_folder()
    if is_writable(folder):
        return None
    temporary = tempfile.mkdtemp(prefix=f"{user_folders.APP_NAME}-")
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    os.environ[user_folders.CACHE_VARIABLE] = temporary
    return (
        f"{folder} is not writable, so the physics is compiled at every start; "
        f"set {user_folders.CACHE_VARIABLE} to another folder."
    )


class KernelCompilation:
    """The compiling child process and its progress. No process is started where the kernels are cached already.

    It is finished when a walker can be stepped. With `complete` the child then continues behind the game and compiles
    the tick as one kernel; the game switches to it when it is there.
    """

    def __init__(self, complete: bool = False, steps: Sequence[str] = ()) -> None:
        """steps: of physics.prepare, compiled in place of the first one; those in the cache are left out."""
        from ...physics import prepare
        from ...physics.numerics import jit

        self.done = 0
        self.total = 0
        self.label = ""
        self.error = ""
        self._child: subprocess.Popen[str] | None = None
        self._reading: Future[None] | None = None  # of what the child writes, until it ends
        self._errors: IO[bytes] | None = None  # standard error of the child
        self._start_printed = self._end_printed = False
        self._steps = prepare.missing_steps(steps or (prepare.FIRST,))
        self._ready = not self._steps
        if jit.CACHED and not (prepare.complete() if complete else self._ready):
            what = (prepare.STEPS, *self._steps) if steps else ("--all",) if complete else ()
            try:
                self._errors = tempfile.TemporaryFile()  # noqa: SIM115
                self._child = subprocess.Popen(
                    (*COMPILE_COMMAND, prepare.CHILD, *what),
                    stdin=subprocess.PIPE,  # its end tells the child that this process has ended
                    stdout=subprocess.PIPE,
                    stderr=self._errors,
                    encoding="utf-8",
                    env=child_environment(),
                )
            except OSError as error:
                self.error = str(error)
            else:
                atexit.register(self.stop)
                # No job: it reads the output of a child process that is no worker, also before the game has jobs
                self._reading = run_in_thread("compilation", self._read_progress, self._child)

    @property
    def is_finished(self) -> bool:
        """Whether the kernels are ready, or the child has ended."""
        return self._ready or self._reading is None or self._reading.done()

    @property
    def is_compiling(self) -> bool:
        """Whether kernels are compiled now; False where all were in the cache."""
        return self._child is not None and not self.is_finished

    @property
    def fraction(self) -> float:
        """Progress, 0 to 1."""
        return self.done / self.total if self.total else 0.0

    def _read_progress(self, child: subprocess.Popen[str]) -> None:
        """Read the child's lines `done/total name` until it ends."""
        assert child.stdout is not None
        for line in child.stdout:
            count, _, name = line.strip().partition(" ")
            done, slash, total = count.partition("/")
            if slash and done.isdecimal() and total.isdecimal():
                self.done = int(done)
                self.total = int(total)
                self.label = name
                self._ready = self._ready or self.done == self.total
        with child:  # closes its pipes
            status = child.wait()
        if status != 0:
            assert self._errors is not None
            self._errors.seek(0)
            lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
            self.error = lines[-1] if lines else f"status {status}"

    def join(self, seconds: float) -> None:
        """Wait until the child has ended, at most so many seconds."""
        if self._reading is not None:
            wait([self._reading], seconds)

    def stop(self) -> None:
        """Kill the child if it still runs, and wait for its end."""
        atexit.unregister(self.stop)
        if self._child is not None:
            self._child.kill()
            self._child.wait()
            self.join(JOIN_SECONDS)

    def print_status(self, print_line: Callable[[str], None]) -> None:
        """Print one line when the compilation has begun, and one when it has ended."""
        if self._child is not None and not self._ready and not self._start_printed:
            from ...physics import prepare

            self._start_printed = True
            names = " and ".join(STEP_NAMES[step] for step in self._steps if step in STEP_NAMES)
            seconds = machine_slowness() * sum(prepare.EXPECTED_STEPS[step][1] for step in self._steps)
            duration = f"about {describe_seconds(seconds)} on this machine"
            print_line(f"Setup: compiling {names} takes {duration}, only once for this version.")
        if self._start_printed and self.is_finished and not self._end_printed:
            self._end_printed = True
            failed = f"Setup failed ({self.error}); the physics compiles while it runs."
            print_line(failed if self.error else "Setup done.")

    def wait_with_progress(self, print_line: Callable[[str], None]) -> None:
        """Wait until the compilation is finished; a line of standard error shows how far it is."""
        self.print_status(print_line)
        began = time.monotonic()
        progress = ProgressLine(waits=True) if sys.stderr is not None else None
        while not self.is_finished:
            self.join(0.1)
            if progress is not None and progress.is_due():
                progress.show(describe_progress("Setup", self.fraction, time.monotonic() - began))
        if progress is not None and self._start_printed:
            progress.clear()
        self.print_status(print_line)


def machine_slowness() -> float:
    """How many times as long as on the machine of the expected times this one takes now, at least 1."""
    began = time.perf_counter()
    sum(number * number for number in range(LOOP_COUNT))
    return max(1.0, (time.perf_counter() - began) / LOOP_SECONDS)
