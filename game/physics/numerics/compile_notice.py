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


class CompileNotice(_Listener):  # type: ignore[misc]
    """Listener of Numba's compile events: adds up their time, and prints the message once for each subject."""

    def __init__(self) -> None:
        self.seconds = 0.0  # s of processor time of this process so far
        self.is_silent = False
        self._waited: dict[str, float] = {}  # s by subject, until its line is printed
        self._printed: set[str] = set()
        self._depth, self._began, self._subject = 0, (0.0, 0.0), ""
        self._timer: threading.Timer | None = None

    def on_start(self, event: Any) -> None:
        if event.data["dispatcher"].py_func.__module__.startswith(PACKAGE):
            self.begin(*((MORE, MORE_SECONDS) if self._depth == 0 and ready() else (PHYSICS, PHYSICS_SECONDS)))

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
        self._depth += 1
        if self._depth > 1:
            return
        self._began, self._subject = (perf_counter(), thread_time()), subject
        if not self.is_silent and subject not in self._printed:
            left = max(NOTICE_SECONDS - self._waited.get(subject, 0.0), 0.0)
            self._timer = threading.Timer(left, self._print, (subject, seconds))
            self._timer.daemon = True
            self._timer.start()

    def end(self) -> None:
        """End of the wait that began last."""
        self._depth -= 1
        if self._depth > 0:
            return
        waited = perf_counter() - self._began[0]
        self.seconds += thread_time() - self._began[1]
        self._waited[self._subject] = self._waited.get(self._subject, 0.0) + waited
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _print(self, subject: str, seconds: float) -> None:
        if subject in self._printed:
            return
        self._printed.add(subject)
        notices.show(describe_wait(subject, seconds))


def describe_wait(subject: str, seconds: float) -> str:
    """The message for a wait of about `seconds` for `subject`."""
    if CACHED:
        kept = f"only once; the kernels are kept in {CACHE_FOLDER}"
    else:
        kept = f"at every start, because {CACHE_FOLDER} cannot be written; set {CACHE_VARIABLE} to another folder"
    return f"{APP_NAME}: compiling {subject} takes about {seconds:.0f} s, {kept}"


NOTICE = CompileNotice()
if _EVENTS:
    _EVENTS.register("numba:compile", NOTICE)
