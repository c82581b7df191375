"""The physics kernels are compiled once, in a process of their own, while this one shows how far they are."""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from ...core import user_folders

COMPILE_COMMAND = (sys.executable, "-m", "game.physics.prepare")


def child_environment() -> dict[str, str]:
    """The environment in which a child process finds this very game."""
    paths = [str(Path(__file__).resolve().parents[3]), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def is_writable(folder: Path) -> bool:
    """Whether files can be made in a folder, or where it would come to stand."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def ensure_cache_folder() -> str | None:
    """Make sure that a child process can hand its kernels over; before game.physics is imported.

    A sentence for the player where the cache cannot be kept until the next start, else None.
    """
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return None
    base = user_folders.cache_folder()
    if is_writable(base):
        return None
    temporary = tempfile.mkdtemp(prefix=f"{user_folders.APP_NAME}-")
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    os.environ[user_folders.CACHE_VARIABLE] = temporary
    return (
        f"{base} is not writable, so the physics is compiled at every start; "
        f"set {user_folders.CACHE_VARIABLE} to another folder."
    )


class KernelCompilation:
    """The child that compiles, and how far it is. Nothing is started where the kernels are there already.

    One waits for what a walker needs to be stepped. With `whole` the child goes on behind the game and compiles the
    whole tick, for the next start.
    """

    def __init__(self, whole: bool = False) -> None:
        from ...physics import prepare
        from ...physics.numerics import jit

        self.done, self.total, self.label = 0, 0, ""
        self.error = ""
        self._process: subprocess.Popen[str] | None = None
        self._start_printed = self._end_printed = False
        self._ready = prepare.ready()
        if jit.CACHED and not (prepare.complete() if whole else self._ready):
            self._start([*COMPILE_COMMAND, "--all"] if whole else list(COMPILE_COMMAND))

    @property
    def is_finished(self) -> bool:
        """Whether there is nothing more to wait for."""
        return self._ready or self._process is None or not self._reader.is_alive()

    @property
    def fraction(self) -> float:
        """0 to 1."""
        return self.done / self.total if self.total else 0.0

    def _start(self, command: list[str]) -> None:
        self._log = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=self._log,
                text=True,
                env=child_environment(),
            )
        except OSError as error:
            self.error = str(error)
            return
        atexit.register(self.stop)
        self._reader = threading.Thread(target=self._read_progress, name="preparing", daemon=True)
        self._reader.start()

    def _read_progress(self) -> None:
        """Follow the child's lines, `done/total name`, until it ends."""
        process = self._process
        assert process is not None
        assert process.stdout is not None
        for line in process.stdout:
            count, _, name = line.strip().partition(" ")
            done, slash, total = count.partition("/")
            if slash and done.isdecimal() and total.isdecimal():
                self.done, self.total, self.label = int(done), int(total), name
                self._ready = self._ready or self.done == self.total
        if process.wait() != 0:
            self._log.seek(0)
            self.error = (self._log.read().strip().splitlines() or [f"status {process.returncode}"])[-1]

    def join(self, seconds: float) -> None:
        """Wait for the end, but no longer than so many seconds."""
        if self._process is not None:
            self._reader.join(seconds)

    def stop(self) -> None:
        """End the child if it still runs."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(2.0)

    def print_status(self, say: Callable[[str], None]) -> None:
        """Say once that it has begun, and once how it ended."""
        if self._process is not None and not self._ready and not self._start_printed:
            self._start_printed = True
            say("First-time setup: compiling the physics. This takes some seconds, and only once.")
        if self._start_printed and self.is_finished and not self._end_printed:
            self._end_printed = True
            failed = f"First-time setup failed ({self.error}); the physics compiles while it runs."
            say(failed if self.error else "First-time setup done.")

    def wait_with_progress(self, say: Callable[[str], None]) -> None:
        """Wait for the end; on a terminal with a line that counts."""
        self.print_status(say)
        counting = sys.stderr is not None and sys.stderr.isatty()
        while not self.is_finished:
            self.join(0.1)
            if counting:
                sys.stderr.write(f"\r  {self.done} of {self.total or '?'} \x1b[K")
                sys.stderr.flush()
        if counting and self._process is not None:
            sys.stderr.write("\r\x1b[K")
        self.print_status(say)
