"""Work that takes longer than a frame: one job after another, at once or beside the frames."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

Job = Callable[[], Any]
DoneCallback = Callable[[Any], None]


class JobQueue:
    """`beside`: jobs run in a thread and `settle`, called each frame, hands their results on; else both at once."""

    def __init__(self) -> None:
        self.threaded = False
        self._thread: threading.Thread | None = None
        self._result: tuple[Any, BaseException | None] = (None, None)
        self._on_done: DoneCallback = lambda result: None
        self._on_error: Callable[[BaseException], None] = lambda error: None
        self._queued: deque[Callable[[], None]] = deque()

    @property
    def is_busy(self) -> bool:
        """Whether a job runs, or its result has not been handed on."""
        return self._thread is not None

    def run(self, job: Job, then: DoneCallback, fails: Callable[[BaseException], None]) -> None:
        """Run a job, then `then` with its result, or `fails` with what it raised. Not while it is busy."""
        assert not self.is_busy
        self._on_done, self._on_error = then, fails
        if not self.threaded:
            self._run_thread(job)
            self._deliver()
            return
        self._thread = threading.Thread(target=self._run_thread, args=(job,), name="editing")
        self._thread.start()

    def run_after(self, call: Callable[[], None]) -> None:
        """Call at once, or after what is being worked on and what waits already."""
        if self.is_busy or self._queued:
            self._queued.append(call)
        else:
            call()

    def update(self) -> None:
        """Once a frame: hand on what is done, go on with what waits."""
        if self._thread is not None and not self._thread.is_alive():
            self._thread.join()
            self._thread = None
            self._deliver()
        while self._queued and not self.is_busy:
            self._queued.popleft()()

    def finish(self) -> None:
        """Wait until all is done."""
        while self._thread is not None or self._queued:
            if self._thread is not None:
                self._thread.join()
            self.update()

    def _run_thread(self, job: Job) -> None:
        try:
            self._result = job(), None
        except Exception as error:  # handed on to whoever asked
            self._result = None, error

    def _deliver(self) -> None:
        (result, error), self._result = self._result, (None, None)
        if error is None:
            self._on_done(result)
        else:
            self._on_error(error)
