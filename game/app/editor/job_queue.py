"""Work that takes longer than a frame: one job after another, at once or beside the frames."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

Job = Callable[[], Any]
Then = Callable[[Any], None]


class Bench:
    """`beside`: jobs run in a thread and `settle`, called each frame, hands their results on; else both at once."""

    def __init__(self) -> None:
        self.beside = False
        self._thread: threading.Thread | None = None
        self._result: tuple[Any, BaseException | None] = (None, None)
        self._then: Then = lambda result: None
        self._fails: Callable[[BaseException], None] = lambda error: None
        self._waiting: deque[Callable[[], None]] = deque()

    @property
    def busy(self) -> bool:
        """Whether a job runs, or its result has not been handed on."""
        return self._thread is not None

    def do(self, job: Job, then: Then, fails: Callable[[BaseException], None]) -> None:
        """Run a job, then `then` with its result, or `fails` with what it raised. Not while it is busy."""
        assert not self.busy
        self._then, self._fails = then, fails
        if not self.beside:
            self._run(job)
            self._hand_on()
            return
        self._thread = threading.Thread(target=self._run, args=(job,), name="editing")
        self._thread.start()

    def later(self, call: Callable[[], None]) -> None:
        """Call at once, or after what is being worked on and what waits already."""
        if self.busy or self._waiting:
            self._waiting.append(call)
        else:
            call()

    def settle(self) -> None:
        """Once a frame: hand on what is done, go on with what waits."""
        if self._thread is not None and not self._thread.is_alive():
            self._thread.join()
            self._thread = None
            self._hand_on()
        while self._waiting and not self.busy:
            self._waiting.popleft()()

    def finish(self) -> None:
        """Wait until all is done."""
        while self._thread is not None or self._waiting:
            if self._thread is not None:
                self._thread.join()
            self.settle()

    def _run(self, job: Job) -> None:
        try:
            self._result = job(), None
        except Exception as error:  # handed on to whoever asked
            self._result = None, error

    def _hand_on(self) -> None:
        (result, error), self._result = self._result, (None, None)
        if error is None:
            self._then(result)
        else:
            self._fails(error)
