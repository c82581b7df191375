"""Work in threads beside the frames: one function with a result, or a worker that handles items one after the other."""

from __future__ import annotations

import sys
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Generic, TypeVar, TypeVarTuple

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")
Item = TypeVar("Item")


def run_in_thread(
    name: str, function: Callable[[*Arguments], Result], *arguments: *Arguments, daemon: bool = True
) -> Future[Result]:
    """Call a function in a thread of its own. The caller polls `done()` of the future, once a frame.

    daemon: the thread ends with the program; if not, the program waits for it. An exception is printed, and raised by
    `result()`.
    """
    future: Future[Result] = Future()

    def run() -> None:
        try:
            result = function(*arguments)
        except BaseException as error:
            future.set_exception(error)
            raise
        future.set_result(result)

    threading.Thread(target=run, name=name, daemon=daemon).start()
    return future


class WorkQueue(Generic[Item]):
    """Handles items one after the other in a thread, which ends when none is left. An exception is printed."""

    def __init__(self, name: str, handle: Callable[[Item], object]) -> None:
        self._name, self._handle = name, handle
        self._items: deque[Item] = deque()
        self._lock = threading.Lock()
        self._thread: Future[None] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether an item is not handled yet."""
        with self._lock:
            return self._thread is not None

    def submit(self, item: Item) -> None:
        """Handle an item after those before it."""
        with self._lock:
            self._items.append(item)
            if self._thread is None:
                self._thread = run_in_thread(self._name, self._run)

    def join(self, seconds: float | None = None) -> None:
        """Wait until all items are handled, at most so many seconds."""
        with self._lock:
            thread = self._thread
        if thread is not None:
            wait([thread], seconds)

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._items:
                    self._thread = None
                    return
                item = self._items.popleft()
            try:
                self._handle(item)
            except Exception:
                threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), threading.current_thread())))
