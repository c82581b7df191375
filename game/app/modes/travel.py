"""Through an exit into another level: read beside the running picture, which darkens meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ...sim import World
from ..settings.mode_names import LEAVING, NOTICE

if TYPE_CHECKING:
    from ...level import Exit, Finding, Level
    from ..game import Game

FADE_SECONDS = 0.3  # each way
MAX_FINDINGS = 6  # findings: more do not fit on a screen
SLOW_LOAD_SECONDS = 1.0  # of darkness before a line says what one waits for
MAX_FADE_STEP = 0.05  # s that a fade goes on by in one frame: a late frame is not one that is left out


class LevelTransition:
    """Gets the level behind an exit: by `fetch`, which lets `receive` have the answer, or in a thread of its own.

    `world` is there once it has arrived; where the level cannot be played, `error` says why, finding by finding.
    """

    def __init__(self, way: Exit, fetch: Callable[[Exit], None] | None = None) -> None:
        self.exit_taken, self.seconds = way, 0.0
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
            self.error = "\n".join(told[:MAX_FINDINGS]) or f"{self.exit_taken.to}: cannot be read as a level"
            return
        try:
            self.world = World(level, spawn=self.exit_taken.spawn or None)
        except ValueError as error:
            self.error = f"{self.exit_taken.to}: {error}"

    def _load(self) -> None:
        from ...level import LevelError, load

        try:
            self.receive(load(self.exit_taken.path))
        except LevelError as error:
            self.receive(None, error.findings)
        except (ValueError, OSError, MemoryError) as error:
            self.error = f"{self.exit_taken.to}: {error}"

    @property
    def is_loaded(self) -> bool:
        """Whether `world` or `error` is there."""
        return self.world is not None or bool(self.error)

    @property
    def is_finished(self) -> bool:
        """Whether the picture is dark and the other level is there, or will not come."""
        return self.is_loaded and (bool(self.error) or self.seconds >= FADE_SECONDS)

    @property
    def veil(self) -> float:
        """How dark the picture is, 0 to 1."""
        return min(1.0, self.seconds / FADE_SECONDS)


class TravelMode:
    """Belongs to one game, and takes it from level to level. `journey` is there on the way; `veil` is how dark the
    picture is, 0 to 1."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.transition: LevelTransition | None = None
        self.veil = 0.0
        self._pause_on_arrival = False  # on arrival: the focus was lost on the way

    def begin(self, way: Exit) -> None:
        """Go through an exit; the clock stops until the other level is there."""
        game = self.game
        assert game.session is not None
        game.session.pause()
        fetch = (
            game.hot_reload.request_exit_level
            if game.hot_reload is not None and game.hot_reload.is_worker_ready
            else None
        )
        self.transition, game.mode, self._pause_on_arrival = LevelTransition(way, fetch), LEAVING, False

    def pause(self) -> None:
        """On the way: pause on arrival."""
        self._pause_on_arrival = True
        self.game.held_actions.clear()

    def update(self, seconds: float) -> None:
        """A frame of so many seconds: darken on the way and arrive, or brighten.

        Where the other level cannot be played the game stays, and says what is wrong with it.
        """
        journey, game = self.transition, self.game
        step = min(seconds, MAX_FADE_STEP)
        if journey is None:
            self.veil = max(0.0, self.veil - step / FADE_SECONDS)
            return
        journey.seconds += step
        self.veil = journey.veil
        if not journey.is_finished:
            return
        self.transition = None
        if journey.world is not None:
            self._arrive(journey.world)
        else:
            game.stop_input()
            if not game.menus.show_load_error(journey.error):
                game.mode, game.notice = NOTICE, journey.error
        if self._pause_on_arrival:
            game.pause()

    def _arrive(self, world: World) -> None:
        """Play on in another world."""
        game = self.game
        game.start(world)
        assert game.session is not None
        if game.recording is not None:
            game.recording.moved(game.session)
        game.show_message(game.level.name)

    @property
    def slow_level_name(self) -> str:
        """The name of the level that one has waited for for long, or nothing."""
        journey = self.transition
        return (
            ""
            if journey is None or journey.seconds < SLOW_LOAD_SECONDS
            else journey.exit_taken.name or journey.exit_taken.to
        )
