"""Line of progress on standard error, for commands that take long."""

from __future__ import annotations

import sys
import time

TERMINAL_INTERVAL = 0.2  # s between two lines of progress on a terminal
LOG_INTERVAL = 10.0  # s between two lines of progress elsewhere
MAX_LINE_WIDTH = 100  # columns
CLEAR_LINE = "\r\x1b[2K"


class ProgressLine:
    """One line that is rewritten in place on a terminal; elsewhere a new line every ten seconds."""

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
