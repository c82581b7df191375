"""Shaders that are edited while one plays: built again when they have come to rest; the last good ones stay."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from .file_watcher import Mark, Watch

if TYPE_CHECKING:
    from ...render import ShaderProblem

REST = 0.12  # s without a change: editors write in two steps, and a half file is no finding


class Reshading:
    """Watches a folder of shaders. `frame` tells what came of building them again, or None where nothing was built."""

    def __init__(self) -> None:
        self._watch = Watch(pattern="*.glsl")
        self._built: dict[Path, Mark] = {}  # the marks of the last building
        self._latest: dict[Path, Mark] = {}
        self._since = 0.0
        self.problems: tuple[ShaderProblem, ...] = ()

    def frame(
        self, folder: Path, now: float, rebuild: Callable[[], tuple[ShaderProblem, ...]]
    ) -> tuple[ShaderProblem, ...] | None:
        """Look whether anything has changed; build where it has, and has come to rest."""
        if self._watch.folder != folder:
            self._watch.folder, self._built, self._latest = folder, {}, {}
            self._watch.start()
        seen = self._watch.seen
        if not seen:
            return None
        if seen != self._latest:
            self._latest, self._since = seen, now
        if not self._built:
            self._built = seen
        if seen == self._built or now - self._since < REST:
            return None
        self._built = seen
        self.problems = rebuild()
        return self.problems

    def poke(self) -> None:
        """Look now."""
        self._watch.poke()

    def stop(self) -> None:
        """End its thread."""
        self._watch.stop()
