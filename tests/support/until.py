"""Waiting for a condition with a limit, so that no test hangs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

TURNS = 10_000
SECONDS = 300.0


def repeat_until(condition: Callable[[], object], turn: Callable[[], object] = lambda: None, turns: int = TURNS) -> int:
    """Call `turn` until the condition holds. Returns the number of calls; AssertionError after `turns` calls."""
    for count in range(turns):
        if condition():
            return count
        turn()
    raise AssertionError(f"the condition does not hold after {turns} calls")


def wait_until(condition: Callable[[], object], seconds: float = SECONDS) -> None:
    """Wait for another thread or process. The limit is long, so that a busy machine does not fail the test."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"the condition does not hold after {seconds} s"
        time.sleep(0.001)


RUN_THREADS = ("dropped file", "runs", "replay", "ghost", "map")  # names of threads that read and write runs


def wait_for_run_threads() -> None:
    """Wait until no thread reads or writes runs; one that has not begun yet cannot be joined."""
    wait_until(lambda: not any(thread.name in RUN_THREADS for thread in threading.enumerate()))
