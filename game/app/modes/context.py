"""Context of the modes: the state that they share, and the few operations that switch from one to another."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from typing import TYPE_CHECKING, Any

from ...sim import Respawned
from ...sim.events import RespawnReason
from ...sim.golf import CHARGING
from ...sim.replay.level_migration import MigrationOutcome
from ..cameras.camera_set import CameraSet
from ..guidance.guide import Guide
from ..input.actions import PlayAction
from ..input.player_input import PlayerInput
from ..menus.menu_controller import MenuController
from ..runs import recording
from ..runs.played_game import PlayerRuns
from ..runs.time_trial import MESSAGE_SECONDS, keep_before_restart
from ..visuals.feedback import Feedback
from ..visuals.screen import Screen

if TYPE_CHECKING:
    from ...level import Level
    from ...physics import WalkerState
    from ...sim import Session, World
    from ...sim.replay.level_migration import MigrationResult
    from ..hot_reload.level_reload import LevelReloader
    from ..menus.menu_stack import MenuStack
    from ..settings.settings_file import Settings

FRAME_TIME_HISTORY = 240
RECORDED_SECONDS = 8.0  # s that the message about a finished recording is shown
MAX_EASED_STEP = 0.6  # m: a larger displacement by a reload is not smoothed


class FrameClock:
    """Clock of the frames.

    now            reading of the clock at the present frame (s), None before the first
    frame_times    durations of the last frames (s)
    play_started   reading at which the play of this level began, None before
    """

    def __init__(self) -> None:
        self.now: float | None = None
        self.frame_times: deque[float] = deque(maxlen=FRAME_TIME_HISTORY)
        self.frame_count = 0
        self.play_started: float | None = None

    def advance(self, now: float) -> float:
        """Take the reading of a new frame; returns the seconds since the previous frame."""
        seconds = 0.0 if self.now is None else max(0.0, now - self.now)
        if self.now is not None:
            self.frame_times.append(seconds)
        self.now = now
        self.frame_count += 1
        return seconds


class GameContext(ABC):
    """The game as its modes see it: the state that they share, and what they do with it.

    `Game` is the one subclass, and has the stack of modes.

    level, settings    what is played, and how
    session            the level's world and its clock; None until the kernels are compiled
    input              keys, mouse and gamepad of the player, and the direction of view
    cameras, feedback  what the player sees and hears of the world
    screen             the picture and the window
    clock              of the frames
    runs               the run against the clock, and what is kept of runs
    menus              menu pages, pointer and scroll position
    guide              title card, goal markers and hints
    hot_reload         reload of changed files; None in games that do not
    """

    def __init__(self, level: Level, settings: Settings, quality: str) -> None:
        self.level = level
        self.settings = settings
        self.session: Session | None = None
        self.input = PlayerInput(level.spawns[0].heading)
        self.cameras = CameraSet()
        self.feedback = Feedback()
        self.screen = Screen(quality)
        self.clock = FrameClock()
        self.runs = PlayerRuns(self.feedback, self.input.held)
        self.menus = MenuController(self)
        self.guide = Guide(self)
        self.hot_reload: LevelReloader | None = None

    # The stack of modes

    @property
    @abstractmethod
    def mode(self) -> str:
        """Name of the present mode, one of `settings.mode_names`."""

    @abstractmethod
    def push_mode(self, name: str, subject: Any = None) -> None:
        """Enter a mode over the present one. subject: passed to its `enter`."""

    @abstractmethod
    def pop_mode(self) -> None:
        """Leave the present mode for the one below it."""

    @abstractmethod
    def resume(self) -> None:
        """Leave the present mode for the one below it and play on: mouse and frame statistics start anew."""

    @abstractmethod
    def pause(self, reason: str = "") -> None:
        """Tell the present mode that play cannot go on, such as when the window has lost the focus. reason: a sentence
        for the player."""

    @abstractmethod
    def update_mode(self, now: float, seconds: float) -> None:
        """Update the present mode, for a mode that has handed over within a frame."""

    @abstractmethod
    def start(self, world: World) -> None:
        """Play a world, from any mode."""

    # Operations on the session

    @property
    def played_session(self) -> Session:
        """The session, in the modes that have one."""
        assert self.session is not None
        return self.session

    @property
    def world(self) -> World:
        return self.played_session.world

    @property
    def menu(self) -> MenuStack | None:
        return self.menus.menu

    def stop_input(self) -> None:
        """Release all keys and stop the session's clock until its next tick."""
        self.release_keys()
        if self.session is not None:
            self.session.pause()

    def release_keys(self) -> None:
        """Release all keys. A golf stroke that is prepared goes on until its key is pressed again."""
        golf = None if self.session is None else self.session.world.golf
        self.input.held.clear(keeps_use=golf is not None and golf.phase == CHARGING)

    def restart(self) -> None:
        """Put the walker at its spawn, with the clock at zero. For some seconds the rewind key takes it back."""
        session = self.session
        runs = self.runs
        if session is not None:
            runs.restart_undo = keep_before_restart(runs.restart_undo, session, self.input.view, runs.time_trial)
            self.on_respawned(session.restart())
            self.feedback.message = None
            if runs.restart_undo is not None:
                key = self.input.held.describe(PlayAction.REWIND)
                self.feedback.show_message("Restarted", f"{key}: undo restart", MESSAGE_SECONDS)

    def undo_restart(self) -> bool:
        """Take the last restart back; False where there is none, or it was too long ago."""
        session = self.session
        runs = self.runs
        undo, runs.restart_undo = runs.restart_undo, None
        if session is None or undo is None or not undo.is_possible(session):
            return False
        undo.apply(session, self.input.view, runs.time_trial)
        self.cameras.snap(session)
        self.feedback.sound_events = None
        self.feedback.target_fade.update(undo.world.reached_targets, 0.0, jump=True)
        if runs.lab is not None:
            runs.lab.reset_ghosts()
        self.feedback.show_message("Restart undone")
        return True

    @abstractmethod
    def save_session(self) -> str:
        """Save the session for Continue; half a sentence where that fails, else an empty one."""

    def return_to_checkpoint(self) -> None:
        """Put the walker back to its checkpoint, or to its last safe place; the clock goes on."""
        session = self.session
        if session is None:
            return
        if not session.world.can_return:
            self.feedback.show_message(
                "No checkpoint yet", f"{self.input.held.describe(PlayAction.RESTART)}: restart level"
            )
            return
        self.on_respawned(session.return_to_checkpoint())
        name = "checkpoint" if session.world.checkpoint >= 0 else "last safe place"
        cost = "The clock goes on" if self.runs.time_trial.is_run_in_progress else ""
        self.feedback.show_message(f"Back at the {name}", cost)

    def on_respawned(self, event: Respawned) -> None:
        """Bring cameras, view and ghosts to the place of a respawn."""
        self.played_session.reset_interpolation()
        self.cameras.snap(self.played_session)
        if self.runs.lab is not None and event.reason == RespawnReason.RESTARTED:
            self.runs.lab.reset_ghosts()
        if event.heading is not None:
            self.input.view.face_heading(event.heading)

    def move_walker(self, state: WalkerState) -> None:
        """Give the walker another state by the player's will. The run against the clock becomes void."""
        self.runs.time_trial.void("flying used")
        self._set_walker(state, self.world.safe_state)

    def place_walker(self, state: WalkerState) -> None:
        """Put the walker back at a safe place. The view keeps its direction."""
        self._set_walker(state, state)

    def _set_walker(self, state: WalkerState, safe: WalkerState) -> None:
        session = self.played_session
        session.world.walker_state = state
        session.world.continue_from(session.world, safe)
        session.reset_interpolation()
        self.cameras.snap(session)
        if self.runs.recording is not None:
            self.runs.recording.moved(session)
        if self.runs.lab is not None:
            self.runs.lab.reset_ghosts()

    def replace_level(self, migration: MigrationResult) -> None:
        """Play on in another version of the level."""
        session = self.played_session
        world = migration.world
        moved = world.walker_state != session.world.walker_state
        self.level = world.level
        session.world = world
        self.cameras.first_person.mesh = world.mesh
        self.cameras.first_person.fraction = world.settings.eye
        if moved:
            session.reset_interpolation()
            if migration.distance > MAX_EASED_STEP:
                self.cameras.first_person.snap(session.pose())
        if migration.outcome == MigrationOutcome.SPAWN:
            self.input.view.face_heading(world.start.heading)
        if self.runs.recording is not None:
            self.runs.recording.moved(session)
        self.feedback.target_fade.update(world.reached_targets, 0.0, jump=True)

    def stop_recording(self) -> None:
        """Finish the recording and say where it is."""
        if self.runs.recording is not None:
            self.feedback.show_message(*recording.finish_recording(self.runs.recording), RECORDED_SECONDS)
            self.runs.recording = None

    def start_recording(self) -> None:
        if self.session is not None:
            key = self.input.held.describe(PlayAction.RECORD)
            self.runs.recording, text, detail = recording.start_recording(self.session, key)
            self.feedback.show_message(text, detail)
