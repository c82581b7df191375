"""Threads that begin together, for tests of objects that several of them share."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SWITCH_SECONDS = 1e-5  # s after which Python lets another thread run; 5 ms as a rule


@contextmanager
def frequent_switches() -> Iterator[None]:
    """Context in which Python changes threads as often as it can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def run_in_threads(count: int, work: Callable[[int], None]) -> None:
    """Call work(0) to work(count - 1), each in a thread of its own, all at once. Raises the first exception of one."""
    errors: list[BaseException] = []
    start = threading.Barrier(count)

    def run(number: int) -> None:
        try:
            start.wait()
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,), daemon=True) for number in range(count)]
    with frequent_switches():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    if errors:
        raise errors[0]
