"""Kernel compilation: a child process compiles the physics once and reports its progress; the cache folder for it."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from ...core import user_folders
from .child_process import ChildProcess, module_command

COMPILE_COMMAND = module_command(f"{__name__.partition('.')[0]}.physics.prepare")


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

    def __init__(self, complete: bool = False) -> None:
        from ...physics import prepare
        from ...physics.numerics import jit

        self.done = 0
        self.total = 0
        self.label = ""
        self.error = ""
        self._child: ChildProcess | None = None
        self._start_printed = self._end_printed = False
        self._ready = prepare.ready()
        if jit.CACHED and not (prepare.complete() if complete else self._ready):
            command = (*COMPILE_COMMAND, "--all") if complete else COMPILE_COMMAND
            try:
                self._child = ChildProcess(command, self._read_progress, keep_errors=True, encoding="utf-8")
            except OSError as error:
                self.error = str(error)

    @property
    def is_finished(self) -> bool:
        """Whether the kernels are ready, or the child has ended."""
        return self._ready or self._child is None or self._child.is_read

    @property
    def is_compiling(self) -> bool:
        """Whether kernels are compiled now; False where all were in the cache."""
        return self._child is not None and not self.is_finished

    @property
    def fraction(self) -> float:
        """Progress, 0 to 1."""
        return self.done / self.total if self.total else 0.0

    def _read_progress(self, child: ChildProcess) -> None:
        """Read the child's lines `done/total name` until it ends."""
        for line in child.stdout:
            count, _, name = line.strip().partition(" ")
            done, slash, total = count.partition("/")
            if slash and done.isdecimal() and total.isdecimal():
                self.done = int(done)
                self.total = int(total)
                self.label = name
                self._ready = self._ready or self.done == self.total
        if child.process.wait() != 0:
            self.error = child.last_error_line()

    def join(self, seconds: float) -> None:
        """Wait until the child has ended, at most so many seconds."""
        if self._child is not None:
            self._child.join(seconds)

    def stop(self) -> None:
        """Stop the child if it still runs."""
        if self._child is not None:
            self._child.stop()

    def print_status(self, print_line: Callable[[str], None], part: str = "") -> None:
        """Print one line when the compilation has begun, and one when it has ended; `part`: such as " (1 of 2)"."""
        if self._child is not None and not self._ready and not self._start_printed:
            from ...physics.numerics.compile_notice import PHYSICS_SECONDS

            self._start_printed = True
            print_line(f"First-time setup{part}: compiling the physics takes about {PHYSICS_SECONDS} s, only once.")
        if self._start_printed and self.is_finished and not self._end_printed:
            self._end_printed = True
            failed = f"First-time setup failed ({self.error}); the physics compiles while it runs."
            print_line(failed if self.error else f"First-time setup{part} done.")

    def wait_with_progress(self, print_line: Callable[[str], None], part: str = "") -> None:
        """Wait until the compilation is finished; on a terminal a line shows the progress."""
        self.print_status(print_line, part)
        is_terminal = sys.stderr is not None and sys.stderr.isatty()
        while not self.is_finished:
            self.join(0.1)
            if is_terminal:
                sys.stderr.write(f"\r  {self.done} of {self.total or '?'} \x1b[K")
                sys.stderr.flush()
        if is_terminal and self._child is not None:
            sys.stderr.write("\r\x1b[K")
        self.print_status(print_line, part)
