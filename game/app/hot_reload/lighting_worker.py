"""The level's inner light, gathered in a process of its own where a processor draws.

There a single step takes as long as many frames, so the game would stutter for its first minute. The
child works at a lower priority with a context of its own and leaves its result in the light cache, where
the next renderer of the same level and quality finds it.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from pathlib import Path

from ...core import user_folders
from ..launch.kernel_compilation import child_environment

NICENESS = 5  # the game comes first, yet the light is there within a minute or so


def lightmap_folder() -> Path:
    """Where gathered light is kept."""
    return user_folders.cache_folder() / "light"


class LightingWorker:
    """A child that gathers the light of one level at one quality."""

    def __init__(self, level: Path, quality: str) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        with contextlib.suppress(OSError):
            self._process = subprocess.Popen(
                [sys.executable, "-m", "game.app.hot_reload.lighting_worker", os.path.abspath(level), quality],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=child_environment(),
            )

    @property
    def is_finished(self) -> bool:
        """Whether there is nothing more to wait for; the light is there if the child did not fail."""
        return self._process is None or self._process.poll() is not None

    def stop(self) -> None:
        """End the child if it still runs, without waiting until it is gone."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            threading.Thread(target=self._process.wait, name="lighting", daemon=True).start()


def main(arguments: list[str]) -> int:
    """Gather the light of the level at `arguments[0]`, at the quality `arguments[1]`, into the cache."""
    level, quality = arguments
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    from ...level import load
    from ...render import Renderer, Scene, offscreen_context

    Renderer(offscreen_context(), Scene.from_level(load(level)), quality, eager=True, light_cache=lightmap_folder())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
