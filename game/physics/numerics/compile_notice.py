"""Notice on standard error while a caller waits for kernels to compile: what it is, how long, where they are kept."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter, thread_time
from typing import Any

from numba.core import event

from ...core.notice_stream import print_notice
from ...core.user_folders import APP_NAME
from .jit import CACHE_FOLDER, CACHE_VARIABLE, CACHED

NOTICE_SECONDS = 1.5  # s of waiting after which the notice is printed
PHYSICS, PHYSICS_SECONDS = "the physics", 20  # kernels of meshes, queries and the interpreted tick
PACKAGE = f"{__package__.rpartition('.')[0]}."  # modules whose kernels count; a user's own kernels do not


class CompileNotice(event.Listener):  # type: ignore[misc]
    """Listener of numba's compilations in this process: adds up their time, and prints one line for each subject."""

    def __init__(self) -> None:
        self.seconds = 0.0  # s of processor time of this process so far
        self.is_silent = False
        self._waited: dict[str, float] = {}  # s by subject, until its line is printed
        self._printed: set[str] = set()
        self._depth, self._began, self._subject = 0, (0.0, 0.0), ""
        self._timer: threading.Timer | None = None

    def on_start(self, event: Any) -> None:
        if event.data["dispatcher"].py_func.__module__.startswith(PACKAGE):
            self.begin(PHYSICS, PHYSICS_SECONDS)

    def on_end(self, event: Any) -> None:
        if event.data["dispatcher"].py_func.__module__.startswith(PACKAGE):
            self.end()

    @contextmanager
    def waiting(self, subject: str, seconds: float) -> Iterator[None]:
        """The caller waits for `subject` to be compiled, about so many seconds."""
        self.begin(subject, seconds)
        try:
            yield
        finally:
            self.end()

    def begin(self, subject: str, seconds: float) -> None:
        """A wait begins; one inside another is part of the outer one."""
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
        """The wait that began last ends."""
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
        print_notice(describe_wait(subject, seconds))


def describe_wait(subject: str, seconds: float) -> str:
    """The line for a wait of about so many seconds for `subject`."""
    if CACHED:
        kept = f"only once; the kernels are kept in {CACHE_FOLDER}"
    else:
        kept = f"at every start, because {CACHE_FOLDER} cannot be written; set {CACHE_VARIABLE} to another folder"
    return f"{APP_NAME}: compiling {subject} takes about {seconds:.0f} s, {kept}"


NOTICE = CompileNotice()
event.register("numba:compile", NOTICE)
