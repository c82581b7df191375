"""Job queue for work that takes longer than a frame: one job after another, in a thread or at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from ....core.background import run_in_thread

Job = Callable[[], Any]
DoneCallback = Callable[[Any], None]


class JobQueue:
    """Queue of jobs. threaded: jobs run in a thread and `update`, called each frame, delivers their results."""

    def __init__(self) -> None:
        self.threaded = False
        self._running: Future[Any] | None = None
        self._callbacks: tuple[DoneCallback, Callable[[BaseException], None]] = _ignore, _ignore
        self._queued: deque[Callable[[], None]] = deque()

    @property
    def is_busy(self) -> bool:
        """Whether a job runs or its result is not delivered."""
        return self._running is not None

    def run(self, job: Job, on_done: DoneCallback, on_error: Callable[[BaseException], None]) -> None:
        """Run a job, then call `on_done` with its result or `on_error` with its exception. Not while another runs."""
        assert not self.is_busy
        self._callbacks = on_done, on_error
        if self.threaded:
            self._running = run_in_thread("editing", _result_or_error, job, daemon=False)
        else:
            self._deliver(*_result_or_error(job))

    def run_after(self, call: Callable[[], None]) -> None:
        """Call at once, or after the running and queued jobs."""
        if self.is_busy or self._queued:
            self._queued.append(call)
        else:
            call()

    def update(self) -> None:
        """Deliver a finished result and start queued calls. Called once a frame."""
        if self._running is not None and self._running.done():
            result, error = self._running.result()
            self._running = None
            self._deliver(result, error)
        while self._queued and not self.is_busy:
            self._queued.popleft()()

    def finish(self) -> None:
        """Wait until the queue is empty."""
        while self._running is not None or self._queued:
            if self._running is not None:
                self._running.result()
            self.update()

    def _deliver(self, result: Any, error: Exception | None) -> None:
        on_done, on_error = self._callbacks
        self._callbacks = _ignore, _ignore  # they hold what the job was about
        if error is None:
            on_done(result)
        else:
            on_error(error)


def _result_or_error(job: Job) -> tuple[Any, Exception | None]:
    try:
        return job(), None
    except Exception as error:  # delivered to the caller
        return None, error


def _ignore(result: object) -> None:
    """Callback of no job."""
