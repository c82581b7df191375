"""Files that are watched for changes: a thread looks some times a second, so that no slow disk holds a frame."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterable
from pathlib import Path

CHECKS_PER_SECOND = 60.0  # a second at a few files: a change is seen after 8 ms, in the middle
FOLDER_CHECKS_PER_SECOND = 6.0  # a second at a folder, of which each takes some milliseconds from the frames

FileSignature = tuple[int, int, int] | None  # time of the last change (ns), size, inode; None where there is no file


def file_signature(path: Path) -> FileSignature:
    """What tells one state of a file from the next without reading it."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return (found.st_mtime_ns, found.st_size, found.st_ino)


def file_signatures(paths: Iterable[Path]) -> dict[Path, FileSignature]:
    """The marks of several files."""
    return {path: file_signature(path) for path in paths}


def have_changed(before: dict[Path, FileSignature], now: dict[Path, FileSignature]) -> bool:
    """Whether a file that both know has another mark in one than in the other."""
    return any(before[path] != found for path, found in now.items() if path in before)


class FileWatcher:
    """The marks of a changing set of files, and of all files of one kind in a `folder`."""

    def __init__(self, folder: Path | None = None, pattern: str = "*") -> None:
        self.folder, self._pattern = folder, pattern
        self._paths: tuple[Path, ...] = ()
        self.current_signatures: dict[Path, FileSignature] = {}  # replaced as a whole, never changed
        self.check_count = 0
        self._wake, self._end = threading.Event(), False
        self._thread: threading.Thread | None = None

    def update(self, paths: Iterable[Path]) -> None:
        """Watch these files from now on."""
        self._paths = tuple(dict.fromkeys(paths))

    def start(self) -> None:
        """Look some times a second, in a thread of its own."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run_thread, name="watching", daemon=True)
            self._thread.start()

    def check_now(self) -> None:
        """Look now."""
        self._wake.set()

    def check(self) -> None:
        """Look once."""
        paths = list(self._paths)
        if self.folder is not None:
            paths += sorted(self.folder.rglob(self._pattern))
        self.current_signatures = file_signatures(paths)
        self.check_count += 1

    def stop(self) -> None:
        """End the thread."""
        self._end = True
        self._wake.set()

    def _run_thread(self) -> None:
        while not self._end:
            with contextlib.suppress(OSError):  # a folder that goes away while it is read
                self.check()
            self._wake.wait(1.0 / (CHECKS_PER_SECOND if self.folder is None else FOLDER_CHECKS_PER_SECOND))
            self._wake.clear()
