"""Job queue for work that takes longer than a frame: one job after another, in a thread or at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from ....core.background import run_in_thread

Job = Callable[[], Any]
Result = tuple[Any, Exception | None]


class JobQueue:
    """Queue of jobs. threaded: jobs run in a thread and `update`, called each frame, delivers their results."""

    def __init__(self) -> None:
        self.threaded = False
        self._running: tuple[Future[Result], Callable[[Result], None]] | None = None  # and what takes its result
        self._queued: deque[Callable[[], None]] = deque()

    @property
    def is_busy(self) -> bool:
        """Whether a job runs or its result is not delivered."""
        return self._running is not None

    def run(self, job: Job, on_done: Callable[[Any], None], on_error: Callable[[BaseException], None]) -> None:
        """Run a job, then call `on_done` with its result or `on_error` with its exception. Not while another runs."""
        assert not self.is_busy

        def deliver(made: Result) -> None:
            result, error = made
            if error is None:
                on_done(result)
            else:
                on_error(error)

        if self.threaded:
            self._running = run_in_thread("editing", _result_or_error, job, daemon=False), deliver
        else:
            deliver(_result_or_error(job))

    def run_after(self, call: Callable[[], None]) -> None:
        """Call at once, or after the running and queued jobs."""
        if self.is_busy or self._queued:
            self._queued.append(call)
        else:
            call()

    def update(self) -> None:
        """Deliver a finished result and start queued calls. Called once a frame."""
        if self._running is not None and self._running[0].done():
            future, deliver = self._running
            self._running = None
            deliver(future.result())
        while self._queued and not self.is_busy:
            self._queued.popleft()()

    def finish(self) -> None:
        """Wait until the queue is empty."""
        while self._running is not None or self._queued:
            if self._running is not None:
                self._running[0].result()
            self.update()


def _result_or_error(job: Job) -> Result:
    try:
        return job(), None
    except Exception as error:  # delivered to the caller
        return None, error
