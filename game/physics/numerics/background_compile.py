"""Background compiler: a separate process that fills the kernel cache for all processes that wait for it.

The cache folder has two lock files for each part of the kernels. The compiler holds `PART.lock`, so there is at most
one for each folder. Each waiting process holds `PART.wanted` (shared); the compiler ends when no process holds it. The
operating system releases both locks when their process ends, in whatever way.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import sleep
from typing import Any

from ...core.background import run_in_thread
from ...core.file_lock import FileLock
from .compile_notice import NOTICE
from .jit import CACHE_FOLDER, CACHED, COMPLETE, is_compiled, record_compiled

VARIABLE = "WALKER_BACKGROUND_COMPILE"  # environment variable: 0 turns the background compiler off
OFF = ("0", "off", "no", "false")
WHOLE, BALLS = COMPLETE, "balls"  # parts: the whole tick of a walker, the tick of balls
SUBJECTS = {WHOLE: "the whole tick", BALLS: "the tick of balls"}
EXPECTED_SECONDS = {WHOLE: 20, BALLS: 20}  # of compiling, on an idle machine
MAX_STARTS = 2  # compilers that a process starts for a part: after two failures a third attempt is not worth its time
NICENESS = 5  # gets a quarter to a third of a processor where interpreted ticks keep all processors busy
POLL_SECONDS = 0.2
END_SECONDS = 3.0  # within which a compiler ends after its work
_PHYSICS = __package__.rpartition(".")[0]
_ROOT = Path(__file__).resolve().parents[_PHYSICS.count(".") + 2]
_START = "import sys; sys.path[:] = {path!r}; from {physics} import prepare; sys.exit(prepare.main({arguments!r}))"
BACKGROUND = "--background"


def _compiler_lock(part: str) -> FileLock:
    return FileLock(CACHE_FOLDER / f"{part}.lock")


def _wanted_lock(part: str) -> FileLock:
    return FileLock(CACHE_FOLDER / f"{part}.wanted")


def _command(part: str) -> list[str]:
    """The command of the compiler. It finds the modules where this process does, whatever the working directory."""
    path = [*(entry for entry in sys.path if isinstance(entry, str)), str(_ROOT)]
    return [sys.executable, "-P", "-c", _START.format(path=path, physics=_PHYSICS, arguments=[BACKGROUND, part])]


class BackgroundCompiler:
    """Request of this process to have a part compiled in the background."""

    def __init__(self, part: str) -> None:
        self.part = part
        self._wanted = _wanted_lock(part)
        self._child: subprocess.Popen[bytes] | None = None
        self._starts = 0

    def is_available(self) -> bool:
        """Whether a compiler may be started: not turned off, and the cache folder keeps what it compiles."""
        # Elsewhere `sys.executable` is a program that embeds Python, and would be started a second time.
        has_python = bool(sys.executable) and Path(sys.executable).name.lower().startswith("python")
        return CACHED and has_python and os.environ.get(VARIABLE, "").strip().lower() not in OFF

    def keep_running(self) -> None:
        """Request the part, and start a compiler unless one runs. Returns at once; call it again from time to time."""
        if self._child is not None and self._child.poll() is not None:
            self._child = None
        if self._child is not None or self._starts >= MAX_STARTS or not self.is_available():
            return
        with contextlib.suppress(OSError):  # no locks here, the folder is gone, or no process can be started
            lock = _compiler_lock(self.part)
            if self._wanted.acquire(shared=True) and lock.acquire():
                try:
                    if not is_compiled(self.part):
                        self._starts += 1
                        self._child = self._start(lock)
                finally:
                    lock.release()

    def _start(self, lock: FileLock) -> subprocess.Popen[bytes]:
        quiet: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        if sys.platform == "win32":  # the compiler takes the lock itself
            flags = subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
            return subprocess.Popen(_command(self.part), creationflags=flags, **quiet)
        assert lock.descriptor is not None
        # The compiler inherits the locked file. Its own session keeps a Ctrl-C in the terminal away from it.
        return subprocess.Popen(_command(self.part), pass_fds=(lock.descriptor,), start_new_session=True, **quiet)

    def wait_for_end(self) -> None:
        """Wait for the end of the compiler that this process started, so that no zombie stays."""
        if self._child is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(END_SECONDS)

    def release(self) -> None:
        """Withdraw the request. The compiler ends within `POLL_SECONDS` unless another process has one."""
        self._wanted.release()
        if self._child is not None:
            if self._child.poll() is None:
                self._child.returncode = 0  # it ends by itself: no ResourceWarning where this object goes
            self._child = None


@contextlib.contextmanager
def sole_compiler(part: str) -> Iterator[bool]:
    """Inside, True if this process is the one that compiles a part; False once another process has compiled it.

    Waits while another process compiles it. Where files cannot be locked, this process compiles.
    """
    lock, wanted = _compiler_lock(part), _wanted_lock(part)
    with NOTICE.waiting(SUBJECTS[part], EXPECTED_SECONDS[part]):
        try:
            with contextlib.suppress(OSError):
                while CACHED and not is_compiled(part) and not lock.acquire():
                    wanted.acquire(shared=True)
                    sleep(POLL_SECONDS)
            yield not is_compiled(part)
        finally:
            wanted.release()
            lock.release()


def run_compiler(part: str, compile_part: Callable[[], None]) -> int:
    """Main function of the background compiler. Has a low priority; ends the process when no process waits for it."""
    lock, wanted = _compiler_lock(part), _wanted_lock(part)
    if sys.platform == "win32":  # a low priority there means no processor at all beside a busy process
        if not lock.acquire():
            return 0
    else:
        os.nice(NICENESS)

    def end_when_unwanted() -> None:
        with contextlib.suppress(OSError):  # the cache folder is gone
            while not wanted.acquire():
                sleep(POLL_SECONDS)
        os._exit(0)

    run_in_thread("unwanted", end_when_unwanted)
    compile_part()
    record_compiled(part)
    return 0
