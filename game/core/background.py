"""Work in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar, TypeVarTuple

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


def run_in_thread(
    name: str, function: Callable[[*Arguments], Result], *arguments: *Arguments, daemon: bool = True
) -> Future[Result]:
    """Call a function in a thread of its own. The caller polls `done()` of the future; `Jobs.thread` does that once a
    frame, and hands the result over.

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
