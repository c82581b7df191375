"""Shader hot reload: edited shaders are compiled again; on errors the last valid programs stay."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from .file_watcher import FileSignature, FileWatcher

if TYPE_CHECKING:
    from ...render import ShaderDiagnostic

SETTLE_SECONDS = 0.12  # s without a change before a build: editors write a file in two steps


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
