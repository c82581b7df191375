"""Kernel compilation: a child process compiles the physics once and reports its progress; the cache folder for it."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path

from ...core import user_folders
from ...core.jobs import Jobs, Worker, failure_reason
from .progress_line import ProgressLine, describe_progress, describe_seconds

STEP_NAMES = {"first": "the physics", "whole": "the whole tick", "balls": "the tick of balls"}  # steps of prepare
COMPILER = Worker("compiler", 0)
GAME_COMPILER = Worker("compiler behind the game", 5)  # the game plays with kernels in Python meanwhile
LOOP_COUNT, LOOP_SECONDS = 1_000_000, 0.06  # a loop that measures the machine, and its time on an idle one


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
    """Jobs that compile kernels, and their progress. None is started where the kernels are in the cache already."""

    def __init__(self, jobs: Jobs, steps: Sequence[str] = ("first",), is_game: bool = False) -> None:
        """steps: of physics.prepare. is_game: at a low priority, and all other steps after them; the game switches to
        each kernel when it is there."""
        from ...physics import prepare
        from ...physics.numerics import jit

        self.jobs = jobs
        self.fraction = 0.0  # of the steps, 0 to 1
        self._worker = GAME_COMPILER if is_game else COMPILER
        self._job: Future[None] | None = None  # of the steps
        self._job_count = 0
        self._steps = prepare.missing_steps(steps)
        self._start_printed = self._end_printed = False
        if jit.CACHED:
            others = prepare.missing_steps(set(prepare.EXPECTED_STEPS) - set(steps)) if is_game else []
            self._job = self._compile(self._steps, self._receive_progress)
            self._compile(others)

    def _compile(
        self, steps: list[str], progress: Callable[[tuple[float, str]], object] | None = None
    ) -> Future[None] | None:
        from ...physics import prepare

        if not steps:
            return None
        self._job_count += 1
        return self.jobs.process(self._worker, prepare.compile_steps, steps, done=self._receive, progress=progress)

    def _receive_progress(self, told: tuple[float, str]) -> None:
        self.fraction = told[0]

    def _receive(self, job: Future[None]) -> None:
        self._job_count -= 1
        if not self._job_count:
            self.jobs.stop(self._worker, waits=False)  # the process would keep its memory

    @property
    def is_finished(self) -> bool:
        """Whether nothing more is compiled for the steps, also where that has failed."""
        return self._job is None or self._job.done()

    @property
    def error(self) -> str:
        """Why the steps could not be compiled; else empty."""
        error = self._job.exception() if self._job is not None and self._job.done() else None
        return "" if error is None else failure_reason(error)

    def print_status(self, print_line: Callable[[str], None]) -> None:
        """Print one line when the compilation has begun, and one when it has ended."""
        if self._job is not None and not self._start_printed:
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


def compile_steps(steps: Sequence[str], print_line: Callable[[str], None]) -> None:
    """Compile steps of physics.prepare in a child process, and wait; a line of standard error shows how far it is."""
    with Jobs() as jobs:
        compilation = KernelCompilation(jobs, steps)
        compilation.print_status(print_line)
        began = time.monotonic()
        progress = ProgressLine(waits=True) if sys.stderr is not None else None
        while not compilation.is_finished:
            jobs.wait(0.1)
            jobs.update()
            if progress is not None and progress.is_due():
                progress.show(describe_progress("Setup", compilation.fraction, time.monotonic() - began))
        if progress is not None and compilation.fraction:
            progress.clear()
        compilation.print_status(print_line)


def machine_slowness() -> float:
    """How many times as long as on the machine of the expected times this one takes now, at least 1."""
    began = time.perf_counter()
    sum(number * number for number in range(LOOP_COUNT))
    return max(1.0, (time.perf_counter() - began) / LOOP_SECONDS)
