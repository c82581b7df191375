"""Context of the modes: the state that they share, and the few operations that switch from one to another."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...sim import Respawned
from ...sim.events import RespawnReason
from ...sim.replay.level_migration import MigrationOutcome
from ..cameras.first_person import FirstPersonCamera
from ..cameras.free import FreeCamera
from ..cameras.third_person import ThirdPersonCamera
from ..display.door_panels import DoorPanels
from ..guidance.guide import Guide
from ..input.actions import PlayAction
from ..input.player_input import HeldActions, ViewAngles
from ..menus.menu_controller import MenuController
from ..menus.run_actions import RunActions
from ..runs import recording
from ..runs.assist import Assist
from ..runs.movie_job import MovieMaker
from ..runs.restart_undo import MESSAGE_SECONDS, RestartUndo, keep_before_restart
from ..runs.time_trial import TimeTrial
from .feedback import Feedback, ScreenFade

if TYPE_CHECKING:
    from ...level import Level
    from ...physics import WalkerState
    from ...render.materials.picture_textures import PictureFigures
    from ...sim import Session, World
    from ...sim.replay.level_migration import MigrationResult
    from ..editor.editor_choices import EditorChoices
    from ..hot_reload.level_reload import LevelReloader
    from ..launch.lab_registry import LabSession
    from ..menus.menu_stack import MenuStack
    from ..runs.saved_session import SessionSaver
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


class CameraSet:
    """The cameras of play. `first_person` exists once there is a session."""

    first_person: FirstPersonCamera

    def __init__(self) -> None:
        self.third_person, self.free = ThirdPersonCamera(), FreeCamera()

    def start(self, session: Session) -> None:
        """Place all cameras at the walker of a new session."""
        world = session.world
        self.first_person = FirstPersonCamera(world.mesh, world.settings.eye, session.pose())
        self._reset()

    def snap(self, session: Session) -> None:
        """Skip all smoothing and end free flight: the walker was moved to another place."""
        self.first_person.snap(session.pose())
        self._reset()

    def _reset(self) -> None:
        self.free.is_active = False
        self.third_person.snap()


class GameContext(ABC):
    """State that the modes share. `Game` owns it and adds the frame loop.

    level, settings, quality   what is played, and how
    session                    the level's world and its clock; None until the kernels are compiled
    held_actions, view_angles  the player's input
    cameras, feedback, fade    what the player sees and hears
    menus                      menu pages, pointer and scroll position
    run_actions                what is done with recorded runs: watch, race, files dropped on the window
    door_panels                pictures at the exits
    time_trial, recording      the run against the clock, and the replay file that is being written
    assist                     slow motion and no fail
    guide                      title card, goal markers and hints
    movies                     the movie that is being made
    restart_undo               what the last restart would lose
    session_saver              saves the session for Continue; None in games that do not
    lab, hot_reload            ghosts and exhibits of the level; reload of changed files
    window_requests            for the window: "quit", "fullscreen", "screenshot", "clipboard" (of `clipboard`)
    pause_reason               why the game pauses itself; empty where the player has asked for it
    debug                      whether the debug view is on (F3)
    picture_figures            the level's pictures and their video memory; None before the first frame
    progress, progress_label   of the compilation, before there is a session
    level_to_edit              new level that opens in the editor once the game has travelled to it
    editor_choices             what the user has chosen in the editor, for the next level; None before
    """

    def __init__(self, level: Level, settings: Settings, quality: str) -> None:
        self.level, self.settings, self.quality = level, settings, quality
        self.session: Session | None = None
        self.held_actions = HeldActions()
        self.view_angles = ViewAngles(level.spawns[0].heading)
        self.clock, self.cameras, self.feedback, self.fade = FrameClock(), CameraSet(), Feedback(), ScreenFade()
        self.menus = MenuController(self)
        self.pause_reason = ""
        self.session_saver: SessionSaver | None = None
        self.door_panels = DoorPanels()
        self.time_trial = TimeTrial(self)
        self.assist = Assist(self)
        self.guide = Guide(self)
        self.run_actions = RunActions(self)
        self.recording: recording.ReplayRecording | None = None
        self.movies = MovieMaker()
        self.restart_undo: RestartUndo | None = None
        self.lab: LabSession | None = None
        self.hot_reload: LevelReloader | None = None
        self.window_requests: list[str] = []
        self.clipboard = ""
        self.debug = False
        self.picture_figures: PictureFigures | None = None
        self.progress, self.progress_label = 0.0, ""
        self.level_to_edit: Path | None = None
        self.editor_choices: EditorChoices | None = None

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
    def world(self) -> World:
        """The world that is played."""
        assert self.session is not None
        return self.session.world

    @property
    def menu(self) -> MenuStack | None:
        """The menu that is open."""
        return self.menus.menu

    def stop_input(self) -> None:
        """Release all keys and stop the session's clock until its next tick."""
        self.held_actions.clear()
        if self.session is not None:
            self.session.pause()

    def restart(self) -> None:
        """Put the walker at its spawn, with the clock at zero. For some seconds the rewind key takes it back."""
        if self.session is not None:
            self.restart_undo = keep_before_restart(self, self.restart_undo)
            self.on_respawned(self.session.restart())
            self.feedback.message = None
            if self.restart_undo is not None:
                key = self.held_actions.describe(PlayAction.REWIND)
                self.feedback.show_message("Restarted", f"{key}: undo restart", MESSAGE_SECONDS)

    def undo_restart(self) -> bool:
        """Take the last restart back; False where there is none, or it was too long ago."""
        undo, self.restart_undo = self.restart_undo, None
        if undo is None or not undo.is_possible(self):
            return False
        undo.apply(self)
        self.feedback.show_message("Restart undone")
        return True

    def save_session(self) -> str:
        """Save the session for Continue; half a sentence where that fails, else an empty one."""
        return "" if self.session_saver is None else self.session_saver.save()

    def return_to_checkpoint(self) -> None:
        """Put the walker back to its checkpoint, or to its last safe place; the clock goes on."""
        session = self.session
        if session is None:
            return
        if not session.world.can_return:
            self.feedback.show_message(
                "No checkpoint yet", f"{self.held_actions.describe(PlayAction.RESTART)}: restart level"
            )
            return
        self.on_respawned(session.return_to_checkpoint())
        name = "checkpoint" if session.world.zone_effects.place is not None else "last safe place"
        cost = "The clock goes on" if self.time_trial.is_run_in_progress else ""
        self.feedback.show_message(f"Back at the {name}", cost)

    def on_respawned(self, event: Respawned) -> None:
        """Bring cameras, view and ghosts to the place of a respawn."""
        assert self.session is not None
        self.session.reset_interpolation()
        self.cameras.snap(self.session)
        if self.lab is not None and event.reason == RespawnReason.RESTARTED:
            self.lab.reset_ghosts()
        if event.heading is not None:
            self.view_angles.face_heading(event.heading)

    def move_walker(self, state: WalkerState) -> None:
        """Give the walker another state by the player's will. The run against the clock becomes void."""
        self.time_trial.void("flying used")
        assert self.session is not None
        self._set_walker(state, self.session.world.safe_state)

    def place_walker(self, state: WalkerState) -> None:
        """Put the walker back at a safe place. The view keeps its direction."""
        self._set_walker(state, state)

    def _set_walker(self, state: WalkerState, safe: WalkerState) -> None:
        session = self.session
        assert session is not None
        session.world.walker_state = state
        session.world.continue_from(session.world, safe)
        session.reset_interpolation()
        self.cameras.snap(session)
        if self.recording is not None:
            self.recording.moved(session)
        if self.lab is not None:
            self.lab.reset_ghosts()

    def replace_level(self, migration: MigrationResult) -> None:
        """Play on in another version of the level."""
        session, world = self.session, migration.world
        assert session is not None
        moved = world.walker_state != session.world.walker_state
        self.level, session.world = world.level, world
        self.cameras.first_person.mesh, self.cameras.first_person.fraction = world.mesh, world.settings.eye
        if moved:
            session.reset_interpolation()
            if migration.distance > MAX_EASED_STEP:
                self.cameras.first_person.snap(session.pose())
        if migration.outcome == MigrationOutcome.SPAWN:
            self.view_angles.face_heading(world.start.heading)
        if self.recording is not None:
            self.recording.moved(session)
        self.feedback.target_fade.update(world.reached_targets.flags, 0.0, jump=True)

    def stop_recording(self) -> None:
        """Finish the recording and say where it is."""
        if self.recording is not None:
            self.feedback.show_message(*recording.finish_recording(self.recording), RECORDED_SECONDS)
            self.recording = None

    def start_recording(self) -> None:
        """Record the session from now on."""
        if self.session is not None:
            key = self.held_actions.describe(PlayAction.RECORD)
            self.recording, text, detail = recording.start_recording(self.session, key)
            self.feedback.show_message(text, detail)
