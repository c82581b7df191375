"""Background compiler: a separate process that fills the kernel cache for all processes that wait for it.

The cache folder has two lock files for each part of the kernels. The compiler holds `PART.lock`, so there is at most
one for each folder. Each waiting process holds `PART.wanted` (shared); the compiler ends when no process holds it. The
operating system releases both locks when their process ends, in whatever way.

A process that waits says so on standard error: kernels are compiled, how long that takes, where they are kept.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, sleep, thread_time
from typing import Any

from ...core import notices
from ...core.background import run_in_thread
from ...core.file_lock import FileLock
from ...core.user_folders import APP_NAME
from .jit import CACHE_FOLDER, CACHE_VARIABLE, CACHED, COMPLETE, is_compiled, ready, record_compiled
from .numba_parts import numba_events

NOTICE_SECONDS = 1.5  # s of waiting after which the notice is printed
PHYSICS, PHYSICS_SECONDS = "the physics", 20  # kernels of meshes, queries and the interpreted tick
MORE, MORE_SECONDS = "more kernels of the physics", 5  # what is missing where the first stage is compiled: queries
PACKAGE = f"{__package__.rpartition('.')[0]}."  # modules whose kernels count; a user's own kernels do not
_EVENTS = numba_events()
_Listener: Any = _EVENTS.Listener if _EVENTS else object


class _Wait(threading.local):
    """The present wait of a thread. Several threads may compile and wait at once."""

    seconds = 0.0  # s of processor time that the thread has compiled so far
    depth, began, subject = 0, (0.0, 0.0), ""
    timer: threading.Timer | None = None


class CompileNotice(_Listener):  # type: ignore[misc]
    """Listener of Numba's compile events: adds up their time in each thread, prints the message once a subject."""

    def __init__(self) -> None:
        self.is_silent = False
        self._waited: dict[str, float] = {}  # s by subject, until its line is printed
        self._printed: dict[str, object] = {}  # by subject
        self._wait = _Wait()

    @property
    def seconds(self) -> float:
        """Seconds of processor time that the calling thread has compiled so far."""
        return self._wait.seconds

    @seconds.setter
    def seconds(self, value: float) -> None:
        self._wait.seconds = value

    def on_start(self, event: Any) -> None:
        if event.data["dispatcher"].py_func.__module__.startswith(PACKAGE):
            self.begin(*((MORE, MORE_SECONDS) if self._wait.depth == 0 and ready() else (PHYSICS, PHYSICS_SECONDS)))

    def on_end(self, event: Any) -> None:
        if event.data["dispatcher"].py_func.__module__.startswith(PACKAGE):
            self.end()

    @contextmanager
    def waiting(self, subject: str, seconds: float) -> Iterator[None]:
        """Context in which the caller waits for `subject` to be compiled, for about `seconds`."""
        self.begin(subject, seconds)
        try:
            yield
        finally:
            self.end()

    def begin(self, subject: str, seconds: float) -> None:
        """Start of a wait. A wait inside another one counts as part of the outer one."""
        wait = self._wait
        wait.depth += 1
        if wait.depth > 1:
            return
        wait.began, wait.subject = (perf_counter(), thread_time()), subject
        if not self.is_silent and subject not in self._printed:
            left = max(NOTICE_SECONDS - self._waited.get(subject, 0.0), 0.0)
            wait.timer = threading.Timer(left, self._print, (subject, seconds))
            wait.timer.daemon = True
            wait.timer.start()

    def end(self) -> None:
        """End of the wait that began last."""
        wait = self._wait
        wait.depth -= 1
        if wait.depth > 0:
            return
        waited = perf_counter() - wait.began[0]
        wait.seconds += thread_time() - wait.began[1]
        self._waited[wait.subject] = self._waited.get(wait.subject, 0.0) + waited
        if wait.timer is not None:
            wait.timer.cancel()
            wait.timer = None

    def _print(self, subject: str, seconds: float) -> None:
        own = object()
        if self._printed.setdefault(subject, own) is own:  # another thread may have printed it
            notices.show(describe_wait(subject, seconds))


def describe_wait(subject: str, seconds: float) -> str:
    """The message for a wait of about `seconds` for `subject`."""
    if CACHED:
        kept = f"only once for this version; the kernels are kept in {CACHE_FOLDER}"
    else:
        kept = f"at every start, because {CACHE_FOLDER} cannot be written; set {CACHE_VARIABLE} to another folder"
    return f"{APP_NAME}: compiling {subject} takes about {seconds:.0f} s, {kept}"


NOTICE = CompileNotice()
if _EVENTS:
    _EVENTS.register("numba:compile", NOTICE)


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
    """Request of this process to have a part compiled in the background.

    The compiler is no process of `core.jobs`: one works for several processes, and may outlive the one that started it.
    And such a process would run the main module of a user's script again, which need not be made for that.
    """

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
