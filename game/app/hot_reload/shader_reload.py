"""Shaders that are edited while one plays: built again when they have come to rest; the last good ones stay."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from .file_watcher import FileSignature, FileWatcher

if TYPE_CHECKING:
    from ...render import ShaderDiagnostic

SETTLE_SECONDS = 0.12  # s without a change: editors write in two steps, and a half file is no finding


class ShaderReloader:
    """Watches a folder of shaders. `frame` tells what came of building them again, or None where nothing was built."""

    def __init__(self) -> None:
        self._file_watcher = FileWatcher(pattern="*.glsl")
        self._built_marks: dict[Path, FileSignature] = {}  # the marks of the last building
        self._latest_marks: dict[Path, FileSignature] = {}
        self._changed_at = 0.0
        self.problems: tuple[ShaderDiagnostic, ...] = ()

    def update(
        self, folder: Path, now: float, rebuild: Callable[[], tuple[ShaderDiagnostic, ...]]
    ) -> tuple[ShaderDiagnostic, ...] | None:
        """Look whether anything has changed; build where it has, and has come to rest."""
        if self._file_watcher.folder != folder:
            self._file_watcher.folder, self._built_marks, self._latest_marks = folder, {}, {}
            self._file_watcher.start()
        seen = self._file_watcher.current_signatures
        if not seen:
            return None
        if seen != self._latest_marks:
            self._latest_marks, self._changed_at = seen, now
        if not self._built_marks:
            self._built_marks = seen
        if seen == self._built_marks or now - self._changed_at < SETTLE_SECONDS:
            return None
        self._built_marks = seen
        self.problems = rebuild()
        return self.problems

    def check_now(self) -> None:
        """Look now."""
        self._file_watcher.check_now()

    def stop(self) -> None:
        """End its thread."""
        self._file_watcher.stop()
