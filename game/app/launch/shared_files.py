"""Files of the player that several games at once read, change and replace: they take turns."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

from ...core.file_lock import FileLock

POLL_SECONDS = 0.005  # s between two tries


@contextlib.contextmanager
def hold_lock(path: Path, seconds: float = 2.0) -> Iterator[bool]:
    """Hold the exclusive lock on a file, for a file that several games read, change and replace; whether it is held.

    Goes on without the lock where another holder keeps it for so many seconds, or where it cannot be made: the change
    matters more.
    """
    lock, end = FileLock(path), time.monotonic() + seconds
    try:
        with contextlib.suppress(OSError):
            while not lock.acquire() and time.monotonic() < end:
                time.sleep(POLL_SECONDS)
        yield lock.descriptor is not None
    finally:
        lock.release()
