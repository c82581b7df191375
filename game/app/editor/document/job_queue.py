"""Job queue for work that takes longer than a frame: one job after another, in a thread or at once."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

Job = Callable[[], Any]
DoneCallback = Callable[[Any], None]


class JobQueue:
    """Queue of jobs. threaded: jobs run in a thread and `update`, called each frame, delivers their results."""

    def __init__(self) -> None:
        self.threaded = False
        self._thread: threading.Thread | None = None
        self._result: tuple[Any, BaseException | None] = (None, None)
        self._callbacks: tuple[DoneCallback, Callable[[BaseException], None]] = _ignore, _ignore
        self._queued: deque[Callable[[], None]] = deque()

    @property
    def is_busy(self) -> bool:
        """Whether a job runs or its result is not delivered."""
        return self._thread is not None

    def run(self, job: Job, on_done: DoneCallback, on_error: Callable[[BaseException], None]) -> None:
        """Run a job, then call `on_done` with its result or `on_error` with its exception. Not while another runs."""
        assert not self.is_busy
        self._callbacks = on_done, on_error
        if not self.threaded:
            self._run_thread(job)
            self._deliver()
            return
        self._thread = threading.Thread(target=self._run_thread, args=(job,), name="editing")
        self._thread.start()

    def run_after(self, call: Callable[[], None]) -> None:
        """Call at once, or after the running and queued jobs."""
        if self.is_busy or self._queued:
            self._queued.append(call)
        else:
            call()

    def update(self) -> None:
        """Deliver a finished result and start queued calls. Called once a frame."""
        if self._thread is not None and not self._thread.is_alive():
            self._thread.join()
            self._thread = None
            self._deliver()
        while self._queued and not self.is_busy:
            self._queued.popleft()()

    def finish(self) -> None:
        """Wait until the queue is empty."""
        while self._thread is not None or self._queued:
            if self._thread is not None:
                self._thread.join()
            self.update()

    def _run_thread(self, job: Job) -> None:
        try:
            self._result = job(), None
        except Exception as error:  # delivered to the caller
            self._result = None, error

    def _deliver(self) -> None:
        (result, error), self._result = self._result, (None, None)
        on_done, on_error = self._callbacks
        self._callbacks = _ignore, _ignore  # they hold what the job was about
        if error is None:
            on_done(result)
        else:
            on_error(error)


def _ignore(result: object) -> None:
    """Callback of no job."""
