"""Travel mode: through an exit into another level, which loads in the background while the picture fades; and the mode
before there is a first world."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ...core.background import run_in_thread
from ...sim import World
from ..input.actions import GLOBAL_ACTIONS, WALKING_ACTIONS, Action, LoadingAction
from ..settings.mode_names import EDITING, LEAVING, NOTICE, PREPARING
from ..visuals.screen import FADE_SECONDS, LOAD_SECONDS, MAX_FADE_STEP, LoadingBar
from .menu import MenuMode, NewLevelExit
from .mode import Mode

if TYPE_CHECKING:
    from ...level import Exit, Finding, Level
    from .context import GameContext

MAX_FINDINGS = 6  # findings that fit on a screen
SLOW_LOAD_SECONDS = 0.5  # s after which the level's name is shown as loading

Receiver = Callable[["Level | None", "Sequence[Finding]"], None]


class LevelTransition:
    """Loads the level behind an exit, by `fetch` or in a thread.

    fetch   asks another process for the level and passes the answer to the `receive` that it is given
    world   the level's world once it has arrived
    error   why the level cannot be played: a line for each finding
    """

    def __init__(self, level_exit: Exit, fetch: Callable[[Exit, Receiver], None] | None = None) -> None:
        self.exit_taken = level_exit
        self.seconds = 0.0
        self.world: World | None = None
        self.error = ""
        if fetch is not None:
            fetch(level_exit, self.receive)
        else:
            run_in_thread("level", self._load)

    def receive(self, level: Level | None, findings: Sequence[Finding] = ()) -> None:
        """Take the level, or the findings because of which there is none."""
        if level is None:
            lines = [f"{finding}{f' ({finding.cure})' if finding.cure else ''}" for finding in findings]
            self.error = "\n".join(lines[:MAX_FINDINGS]) or f"{self.exit_taken.to}: cannot be read as a level"
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
        """Whether the level has arrived behind a dark picture, or cannot be played."""
        return self.is_loaded and (bool(self.error) or self.seconds >= FADE_SECONDS)


class TravelMode(Mode):
    """Waits for another level. Its subject is the exit, or a `NewLevelExit`. The mode below stays in the picture,
    without its menu."""

    name = LEAVING
    contexts = (WALKING_ACTIONS,)

    def __init__(self, context: GameContext) -> None:
        super().__init__(context)
        self.transition: LevelTransition | None = None
        self._pause_on_arrival = False  # the focus was lost on the way
        self._pause_reason = ""
        self._edits = False  # the level opens in the editor

    @property
    def captures_mouse(self) -> bool:
        return True

    def enter(self, subject: Any = None) -> None:
        context = self.context
        context.played_session.pause()
        context.screen.fade.bar = LoadingBar(LOAD_SECONDS)
        self._edits = isinstance(subject, NewLevelExit)
        self._is_copy = isinstance(subject, NewLevelExit) and subject.is_copy
        hot_reload = context.hot_reload
        fetch = hot_reload.request_exit_level if hot_reload is not None and hot_reload.is_worker_ready else None
        self.transition = LevelTransition(subject.exit if self._edits else subject, fetch)
        self._pause_on_arrival = False

    def leave(self) -> None:
        self.transition = None

    def focus_lost(self, reason: str = "") -> None:
        self._pause_on_arrival = True
        self._pause_reason = reason
        self.context.input.held.clear()

    def update(self, now: float, seconds: float) -> None:
        """Fade out; play the new level once it is there, in this same frame. Without it, show why."""
        transition = self.transition
        context = self.context
        assert transition is not None
        transition.seconds += min(seconds, MAX_FADE_STEP)
        context.screen.fade.darken_for(transition.seconds)
        context.screen.fade.bar.update(seconds)
        level_exit = transition.exit_taken
        is_slow = transition.seconds >= SLOW_LOAD_SECONDS
        context.screen.fade.waiting_for = f"Loading {level_exit.name or level_exit.to}" if is_slow else ""
        if not transition.is_finished:
            return
        pause = self._pause_on_arrival
        if transition.world is not None:
            self._arrive(transition.world)
        else:
            self._give_up(transition.error)
        if pause:
            context.pause(self._pause_reason)
        context.update_mode(now, seconds)

    def _arrive(self, world: World) -> None:
        context, stood, view = self.context, self.context.world.walker_state, self.context.input.view
        yaw, pitch = view.yaw, view.pitch
        context.start(world)
        assert context.session is not None
        if self._is_copy:
            context.place_walker(stood.replace(position=stood.position, velocity=(0.0, 0.0, 0.0)))
            context.input.view.yaw, context.input.view.pitch = yaw, pitch
        if context.runs.recording is not None:
            context.runs.recording.moved(context.session)
        if self._edits:
            context.push_mode(EDITING)

    def _give_up(self, reason: str) -> None:
        """Return to the mode below and show why: in its menu where it has one."""
        context = self.context
        below = self.below
        context.stop_input()
        context.pop_mode()
        if isinstance(below, MenuMode):
            below.show_load_error(reason)
        else:
            context.push_mode(NOTICE, reason)


class LoadingMode(Mode):
    """Lowest mode of the stack until `Game.start`. Only quitting works."""

    name = PREPARING
    contexts = (LoadingAction, GLOBAL_ACTIONS)

    def handle_action(self, action: Action) -> None:
        if action is LoadingAction.QUIT:
            self.context.screen.requests.append("quit")
