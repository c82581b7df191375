"""Lighting worker: a child process that bakes the indirect light of a level, for computers that render in software.

There one step of the bake takes as long as many frames, so the game would stutter for its first minute. The child runs
at a lower priority, with an OpenGL context of its own, and leaves the result in the lightmap cache, where the next
renderer of the same level and quality finds it.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from ...core import user_folders
from ..launch.child_process import ChildProcess, lower_priority, module_command

NICENESS = 5  # priority below the game's; the light is still ready within about a minute


def lightmap_folder() -> Path:
    return user_folders.cache_folder() / "light"


class LightingWorker:
    """A child process that bakes one level at one quality."""

    def __init__(self, level: Path, quality: str) -> None:
        self._child: ChildProcess | None = None
        with contextlib.suppress(OSError):
            self._child = ChildProcess(
                module_command(f"{__package__}.lighting_worker", os.path.abspath(level), quality)
            )

    @property
    def is_finished(self) -> bool:
        """Whether the child has ended. If it did not fail, the light is in the cache."""
        return self._child is None or not self._child.is_running

    def stop(self, wait: bool = False) -> None:
        """Kill the child if it still runs. wait: until it has ended."""
        if self._child is not None:
            self._child.stop(wait)


def main(arguments: list[str]) -> int:
    """Bake the level `arguments[0]` at the quality `arguments[1]` into the cache."""
    level, quality = arguments
    lower_priority(NICENESS)
    from ...level import load
    from ...render import Renderer, Scene, offscreen_context

    Renderer(offscreen_context(), Scene.from_level(load(level)), quality, eager=True, light_cache=lightmap_folder())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
