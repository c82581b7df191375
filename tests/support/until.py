"""Waiting for something that must come: no test hangs where it does not."""

from __future__ import annotations

import time
from collections.abc import Callable

TURNS = 10_000
SECONDS = 300.0


def until(holds: Callable[[], object], turn: Callable[[], object] = lambda: None, turns: int = TURNS) -> int:
    """Take turns until it holds; how many it took. AssertionError where none of them brings it."""
    for count in range(turns):
        if holds():
            return count
        turn()
    raise AssertionError(f"it has not come after {turns} turns")


def in_time(holds: Callable[[], object], seconds: float = SECONDS) -> None:
    """Wait until another thread or process has brought it; long, so that a busy machine is no reason to fail."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"it has not come after {seconds} s"
        time.sleep(0.001)
