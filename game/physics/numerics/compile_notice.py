"""Message on standard error that explains why a call waits: kernels are compiled, how long that takes, where they are
kept."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter, thread_time
from typing import Any

from ...core import notices
from ...core.user_folders import APP_NAME
from .jit import CACHE_FOLDER, CACHE_VARIABLE, CACHED, ready
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
