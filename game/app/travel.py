"""Through an exit into another level: read beside the running picture, which darkens meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from game.sim import World

if TYPE_CHECKING:
    from game.level import Exit, Finding, Level

FADE_SECONDS = 0.3  # each way
MOST_TOLD = 6  # findings: more do not fit on a screen
WAIT_SECONDS = 1.0  # of darkness before a line says what one waits for


class Journey:
    """Gets the level behind an exit: by `fetch`, which lets `receive` have the answer, or in a thread of its own.

    `world` is there once it has arrived; where the level cannot be played, `error` says why, finding by finding.
    """

    def __init__(self, way: Exit, fetch: Callable[[Exit], None] | None = None) -> None:
        self.way, self.seconds = way, 0.0
        self.world: World | None = None
        self.error = ""
        if fetch is not None:
            fetch(way)
        else:
            threading.Thread(target=self._load, name="level", daemon=True).start()

    def receive(self, level: Level | None, findings: Sequence[Finding] = ()) -> None:
        """The level, or why there is none."""
        if level is None:
            told = [f"{finding}{f' ({finding.cure})' if finding.cure else ''}" for finding in findings]
            self.error = "\n".join(told[:MOST_TOLD]) or f"{self.way.to}: no level"
            return
        try:
            self.world = World(level, spawn=self.way.spawn or None)
        except ValueError as error:
            self.error = f"{self.way.to}: {error}"

    def _load(self) -> None:
        from game.level import LevelError, load

        try:
            self.receive(load(self.way.path))
        except LevelError as error:
            self.receive(None, error.findings)
        except (ValueError, OSError, MemoryError) as error:
            self.error = f"{self.way.to}: {error}"

    @property
    def loaded(self) -> bool:
        """Whether `world` or `error` is there."""
        return self.world is not None or bool(self.error)

    @property
    def arrived(self) -> bool:
        """Whether the picture is dark and the other level is there, or will not come."""
        return self.loaded and (bool(self.error) or self.seconds >= FADE_SECONDS)

    @property
    def veil(self) -> float:
        """How dark the picture is, 0 to 1."""
        return min(1.0, self.seconds / FADE_SECONDS)
