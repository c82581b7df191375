"""File watcher: a thread that polls files for changes, so that a slow disk does not delay a frame; and the reload of
edited shaders, where the last valid programs stay if a new one has errors."""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future, wait
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.background import run_in_thread
from ..launch.level_lookup import files_digest, rule_files

if TYPE_CHECKING:
    from ...level import Level
    from ...render import ShaderDiagnostic

JOIN_SECONDS = 1.0  # s that `stop` waits for the thread
CHECKS_PER_SECOND = 60.0  # for single files: a change is seen after 8 ms on average
SETTLE_SECONDS = 0.12  # s without a change before shaders are built: editors write a file in two steps
FOLDER_CHECKS_PER_SECOND = 6.0  # for a folder, whose check takes some milliseconds

FileSignature = tuple[int, int, int] | None  # modification time (ns), size, inode; None: no file


def file_signature(path: Path) -> FileSignature:
    """Signature of a file's state, without reading the file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return (status.st_mtime_ns, status.st_size, status.st_ino)


def file_signatures(paths: Iterable[Path]) -> dict[Path, FileSignature]:
    return {path: file_signature(path) for path in paths}


def level_digest(level: Level) -> str:
    """Changes with every file of a level. Pictures count by time and size: there can be hundreds of megabytes."""
    digest = files_digest(rule_files(level))
    if not level.pictures:
        return digest
    signatures = sorted(file_signatures(level.pictures).items())
    return hashlib.sha256(f"{digest}{signatures}".encode("utf-8", "replace")).hexdigest()


def have_changed(before: dict[Path, FileSignature], now: dict[Path, FileSignature]) -> bool:
    """Whether the signature of a file that is in both tables differs."""
    return any(before[path] != signature for path, signature in now.items() if path in before)


class FileWatcher:
    """Signatures of a set of files, and of all files in `folder` that match a pattern."""

    def __init__(self, folder: Path | None = None, pattern: str = "*") -> None:
        self.folder = folder
        self._pattern = pattern
        self._paths: tuple[Path, ...] = ()
        self.current_signatures: dict[Path, FileSignature] = {}  # replaced as a whole, never changed
        self.check_count = 0
        self._wake = threading.Event()
        self._end = False
        self._thread: Future[None] | None = None

    def update(self, paths: Iterable[Path]) -> None:
        """Replace the set of watched files."""
        self._paths = tuple(dict.fromkeys(paths))

    def start(self) -> None:
        if self._thread is None:
            # No job: it runs as long as the watcher
            self._thread = run_in_thread("watching", self._run_thread)

    def check_now(self) -> None:
        """Let the thread check at once."""
        self._wake.set()

    def check(self) -> None:
        """Read all signatures once."""
        paths = list(self._paths)
        if self.folder is not None:
            paths += sorted(self.folder.rglob(self._pattern))
        self.current_signatures = file_signatures(paths)
        self.check_count += 1

    def stop(self) -> None:
        """Stop the thread, and wait for its end."""
        self._end = True
        self._wake.set()
        if self._thread is not None:
            wait([self._thread], JOIN_SECONDS)

    def _run_thread(self) -> None:
        while not self._end:
            with contextlib.suppress(OSError):  # the folder may be removed meanwhile
                self.check()
            self._wake.wait(1.0 / (CHECKS_PER_SECOND if self.folder is None else FOLDER_CHECKS_PER_SECOND))
            self._wake.clear()


class ShaderReloader:
    """Watches a folder of shaders and rebuilds them after a change."""

    def __init__(self, file_watcher: FileWatcher | None = None) -> None:
        self._file_watcher = file_watcher or FileWatcher(pattern="*.glsl")
        self._built_signatures: dict[Path, FileSignature] = {}  # signatures at the last build
        self._latest_signatures: dict[Path, FileSignature] = {}
        self._changed_at = 0.0
        self.problems: tuple[ShaderDiagnostic, ...] = ()

    def update(
        self, folder: Path, now: float, rebuild: Callable[[], tuple[ShaderDiagnostic, ...]]
    ) -> tuple[ShaderDiagnostic, ...] | None:
        """Rebuild after a change that has settled; the errors of the build, or None where nothing was built."""
        if self._file_watcher.folder != folder:
            self._file_watcher.folder = folder
            self._built_signatures = {}
            self._latest_signatures = {}
            self._file_watcher.start()
        signatures = self._file_watcher.current_signatures
        if not signatures:
            return None
        if signatures != self._latest_signatures:
            self._latest_signatures = signatures
            self._changed_at = now
        if not self._built_signatures:
            self._built_signatures = signatures
        if signatures == self._built_signatures or now - self._changed_at < SETTLE_SECONDS:
            return None
        self._built_signatures = signatures
        self.problems = rebuild()
        return self.problems

    def check_now(self) -> None:
        self._file_watcher.check_now()

    def stop(self) -> None:
        self._file_watcher.stop()
