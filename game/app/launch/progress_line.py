"""Line of progress on standard error, for commands that take long."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator

from ...core.background import run_in_thread

TERMINAL_INTERVAL = 0.2  # s between two lines of progress on a terminal
LOG_INTERVAL = 5.0  # s between two lines of progress elsewhere
MAX_LINE_WIDTH = 100  # columns
CLEAR_LINE = "\r\x1b[2K"


MIN_FRACTION = 0.05  # done, from which on the time that is left can be told


def describe_seconds(seconds: float) -> str:
    """`20 s`, `3 min`: a time that is not known better."""
    if seconds < 90.0:
        return f"{max(5, round(seconds / 5.0) * 5)} s"
    return f"{round(seconds / 60.0)} min"


def describe_progress(name: str, fraction: float, seconds: float) -> str:
    """How far a task is (0 to 1) after so many seconds, and how long it still takes at this rate."""
    text = f"{name}: {fraction * 100:.0f} %"
    if not MIN_FRACTION <= fraction < 1.0:
        return text
    return f"{text}, about {describe_seconds(seconds * (1.0 - fraction) / fraction)} left"


@contextlib.contextmanager
def shown_progress(name: str) -> Iterator[Callable[[float], None]]:
    """Context in which a line shows how far a task is, every few seconds, also while it reports nothing. Gives the
    function that receives the fraction done (0 to 1)."""
    began, done, has_ended = time.monotonic(), [0.0], threading.Event()
    progress = ProgressLine(waits=True)

    def show() -> None:
        while not has_ended.wait(TERMINAL_INTERVAL):
            if progress.is_due():
                seconds = time.monotonic() - began
                text = describe_progress(name, done[0], seconds) if done[0] else f"{name}: {seconds:.0f} s so far"
                progress.show(text)

    # No job: a command draws no frames, between which the results of jobs arrive
    showing = run_in_thread("progress", show)
    try:
        yield lambda fraction: done.__setitem__(0, fraction)
    finally:
        has_ended.set()
        showing.result()
        progress.clear()


class ProgressLine:
    """One line that is rewritten in place on a terminal; elsewhere a new line every five seconds."""

    def __init__(self, waits: bool = False) -> None:
        """waits: the first line comes after one interval, not at once."""
        self.is_terminal = sys.stderr.isatty()
        self._interval = TERMINAL_INTERVAL if self.is_terminal else LOG_INTERVAL
        self._next = time.monotonic() + (self._interval if waits else 0.0)

    def is_due(self) -> bool:
        """Whether an interval has passed since the last line."""
        return time.monotonic() >= self._next

    def show(self, line: str) -> None:
        """Show a line now."""
        self._next = time.monotonic() + self._interval
        if self.is_terminal:
            print(f"{CLEAR_LINE}{line[:MAX_LINE_WIDTH]}", end="", file=sys.stderr, flush=True)
        else:
            print(line, file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Clear the line of a terminal."""
        if self.is_terminal:
            print(CLEAR_LINE, end="", file=sys.stderr, flush=True)
