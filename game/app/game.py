"""The game without window and clock: its state, the stack of modes, the frame loop, and the dispatch of input."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..core.jobs import Jobs
from ..render import Snapshot
from ..sim import History, Respawned, Session, World
from ..sim.events import RespawnReason
from ..sim.golf import BALL_MOVING, CHARGING
from ..sim.replay.level_migration import MigrationOutcome
from .cameras.play_cameras import CameraSet
from .display.door_panels import DoorPanels
from .guidance.guide import Guide
from .input.actions import HELD_ACTIONS, Action, PlayAction
from .input.player_input import PlayerInput
from .launch.lab_registry import LabSession
from .launch.world_setup import make_world
from .menus.menu_controller import MenuController
from .modes import frame_builder
from .modes.menu import MenuMode
from .modes.mode import Mode
from .modes.registry import MODES, ModeTable
from .runs import recording
from .runs.player_runs import PlayerRuns
from .settings.key_bindings import WHEEL_KEYS, types_text
from .settings.mode_names import PLAYING, PREPARING, TIME_LINES
from .settings.settings_file import Settings
from .visuals.feedback import OFFER_SECONDS, Feedback
from .visuals.golf_visuals import BALL_PITCH
from .visuals.screen import Screen

if TYPE_CHECKING:
    from ..level import Level
    from ..physics import WalkerState
    from ..sim.replay.level_migration import MigrationResult
    from .hot_reload.level_reload import LevelReloader
    from .menus.menu_stack import MenuStack
    from .runs.saved_places import PlaceSaver

FRAME_TIME_HISTORY = 240
RECORDED_SECONDS = 8.0  # s that the message about a finished recording is shown
MAX_HISTORY_BYTES = 256 << 20  # an hour of the ballroom takes 210 MB, one of most levels 14 MB
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


class Game:
    """The game: what is played, the stack of modes, the frame loop and the dispatch of input.

    The window hands it keys, mouse and clock, and draws the snapshots that it returns. Modes, menus, guidance, saved
    sessions and tests get it as it is.

    level, settings    what is played, and how
    jobs               work in threads and child processes; its results arrive at the start of a frame
    session            the level's world and its clock; None until the kernels are compiled
    input              keys, mouse and gamepad of the player, and the direction of view
    cameras, feedback  what the player sees and hears of the world
    screen             the picture and the window
    clock              of the frames
    runs               the run against the clock, and what is kept of runs
    menus              menu pages, pointer and scroll position
    guide              title card, goal markers and hints
    hot_reload         reload of changed files; None in games that do not
    place_saver        saves the place for Continue; None in games that do not
    modes              one object per mode, by name, new for each session; the top of the stack gets the input and makes
                       the picture
    """

    mode_types: Sequence[type[Mode]] = MODES

    def __init__(self, level: Level, settings: Settings, quality: str, jobs: Jobs | None = None) -> None:
        self.level = level
        self.jobs = jobs or Jobs()
        self.settings = settings
        self.session: Session | None = None
        self.input = PlayerInput(level.spawns[0].heading)
        self.cameras = CameraSet()
        self.feedback = Feedback()
        self.screen = Screen(quality)
        self.clock = FrameClock()
        self.runs = PlayerRuns(self.feedback, self.input.held, self.jobs)
        self.menus = MenuController(self)
        self.guide = Guide(self)
        self.hot_reload: LevelReloader | None = None
        self.place_saver: PlaceSaver | None = None
        self.modes = ModeTable(self, self.mode_types)
        self._door_panels = DoorPanels(self.jobs)
        self._stack: list[Mode] = []
        self._actions_of_pressed: dict[str, tuple[Action, ...]] = {}  # by key that is down
        self._stopped_keys: frozenset[str] = frozenset()  # down since before `stop_input`: repeats of them do nothing
        self.push_mode(PREPARING)

    # The stack of modes

    @property
    def current_mode(self) -> Mode:
        """The mode on top of the stack."""
        return self._stack[-1]

    @property
    def mode(self) -> str:
        """Name of the present mode, one of `settings.mode_names`."""
        return self.current_mode.name

    def push_mode(self, name: str, subject: Any = None) -> None:
        """Enter a mode over the present one. subject: passed to its `enter`."""
        mode = self.modes[name]
        mode.below = self._stack[-1] if self._stack else None
        mode.active_actions.clear()
        self._stack.append(mode)
        mode.enter(subject)

    def pop_mode(self) -> None:
        """Leave the present mode for the one below it."""
        self._stack.pop().leave()

    def resume(self) -> None:
        """Leave the present mode for the one below it and play on: mouse and frame statistics start anew."""
        if self.session is not None:
            if len(self._stack) > 1:
                self.pop_mode()
            self.input.view.skip_pointer_jump()
            self.clock.frame_times.clear()  # a menu has longer frames

    def pause(self, reason: str = "") -> None:
        """Tell the present mode that play cannot go on, such as when the window has lost the focus. reason: a sentence
        for the player."""
        self.current_mode.active_actions.clear()
        self.current_mode.focus_lost(reason)

    def window_resized(self) -> None:
        """The window has another size: a run waits until the player has found the picture again."""
        if self.mode == PLAYING and self.runs.time_trial.is_run_in_progress:
            self.pause("The size of the window changed.")

    def leave_session(self) -> str:
        """Leave all modes but the lowest, as they may show other states of the world, and save; half a sentence where
        that fails, else an empty one."""
        while len(self._stack) > 1:
            self.pop_mode()
        return self.save_session()

    def request_quit(self) -> bool:
        """The player closes the window: whether to quit now. What would be lost asks first; a second time quits."""
        if self.session is None or not (self.runs.time_trial.is_run_in_progress or self.runs.movies.is_busy):
            return True
        self.pause()
        mode = self.current_mode
        return not isinstance(mode, MenuMode) or not mode.ask_before("quit")

    def make_world(self) -> World:
        """The first world. UserError where the level has no room for the walker."""
        return make_world(self.level)

    def start(self, world: World) -> None:
        """Play a world, from any mode."""
        self.leave_session()
        self.pop_mode()
        for mode in self.modes.values():
            mode.close()
        self.modes = ModeTable(self, self.mode_types, self.modes.threaded)  # the old ones hold the level that is left
        self.runs.restart_undo = None
        self.level = world.level
        self.session = Session(world)
        self.session.history = History(world, MAX_HISTORY_BYTES)
        self.cameras.start(self.session)
        self._face(world.start.heading)
        self.cameras.hero_camera.show_start()
        self.runs.lab = LabSession(self.level, self.session)
        self.push_mode(PLAYING)
        self.feedback.target_fade.update(world.reached_targets, 0.0, jump=True)
        self.input.view.skip_pointer_jump()

    def toggle_recording(self) -> None:
        """Start or stop recording a replay (F5)."""
        if self.runs.recording is not None:
            self.stop_recording()
        elif self.mode == PLAYING:
            self.start_recording()

    def use_threads(self) -> None:
        """Run the modes' longer work, such as edits, in threads from now on."""
        self.modes.threaded = True
        self._door_panels.thumbnails = self.menus.thumbnails
        for mode in self.modes.values():
            mode.use_threads()

    def close(self) -> str:
        """End the game: finish what is being written. Returns lines about recording and movie, or nothing."""
        for mode in self.modes.values():
            mode.close()
        self.menus.close()
        movie = self.runs.movies.close()
        self.jobs.close()
        if self.runs.recording is None:
            return movie
        lines = recording.finish_recording(self.runs.recording, "the game was left")
        self.runs.recording = None
        return "\n".join(filter(None, (movie, ": ".join(lines))))

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
        """Release all keys and stop the session's clock until its next tick. A key that is down counts again once it
        has gone up."""
        stopped = self._stopped_keys | self.input.held.keys_down
        self.release_keys()
        self._stopped_keys = stopped
        if self.session is not None:
            self.session.pause()

    def release_keys(self) -> None:
        """Release all keys, whose releases may not arrive. A golf stroke that is prepared goes on until its key is
        pressed again."""
        self._stopped_keys = frozenset()
        golf = None if self.session is None else self.session.world.golf
        self.input.held.clear(keeps_use=golf is not None and golf.phase == CHARGING)

    def restart(self) -> None:
        """Put the walker at its spawn, with the clock at zero. For some seconds the rewind key takes it back."""
        session = self.session
        if session is not None:
            can_undo = self.runs.keep_before_restart(session, self.input.view)
            self.on_respawned(session.restart())
            self.feedback.message = None
            if can_undo:
                key = self.input.held.describe(PlayAction.REWIND)
                self.feedback.show_message("Restarted", f"{key}: undo restart", OFFER_SECONDS)

    def undo_restart(self) -> bool:
        """Take the last restart back; False where there is none, or it was too long ago."""
        session = self.session
        if session is None or not self.runs.undo_restart(session, self.input.view):
            return False
        self.cameras.snap(session)
        self.feedback.sound_events = None
        self.feedback.target_fade.update(self.world.reached_targets, 0.0, jump=True)
        if self.runs.lab is not None:
            self.runs.lab.reset_ghosts()
        self.feedback.show_message("Restart undone")
        return True

    def save_session(self) -> str:
        """Save the session for Continue; half a sentence where that fails, else an empty one."""
        return "" if self.place_saver is None else self.place_saver.save()

    def return_to_checkpoint(self) -> None:
        """Put the walker back to its checkpoint, or to its last safe place; the clock goes on."""
        session = self.session
        if session is None:
            return
        golf = session.world.golf
        if golf is not None and golf.phase == BALL_MOVING:
            key = self.input.held.describe(PlayAction.CHECKPOINT)
            self.feedback.show_message("The ball still rolls", f"{key}: to the ball, once it lies")
            return
        if not session.world.can_return:
            self.feedback.show_message(
                "No checkpoint yet", f"{self.input.held.describe(PlayAction.RESTART)}: restart level"
            )
            return
        self.on_respawned(session.return_to_checkpoint())
        if golf is not None and golf.is_ball_in_reach(session.world.walker_state):
            return
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
            self._face(event.heading)

    def _face(self, heading: float) -> None:
        """Look along a heading, in golf down to the ball."""
        self.input.view.face_heading(heading)
        if self.world.golf is not None:
            self.input.view.pitch = float(BALL_PITCH)

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
            self._face(world.start.heading)
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

    # Input

    @property
    def wants_mouse(self) -> bool:
        """Whether the window should hold the mouse."""
        return self.current_mode.captures_mouse

    @property
    def captures_next_key(self) -> bool:
        """Whether a row of the menu waits for a key that is to be bound."""
        return self.menu is not None and bool(self.menu.row_waiting_for_key)

    def key_pressed(self, key: str) -> None:
        """A key went down. key: its own name (`W`, `ESCAPE`, `F3`), before bindings."""
        if self.captures_next_key:
            self.menus.capture_key(key)
            return
        if key in self._stopped_keys:
            return
        mode = self.current_mode
        is_typed = mode.takes_text and types_text(key)
        actions = self.input.held.bindings.find_actions(mode.contexts[:1] if is_typed else mode.contexts, key)
        self._actions_of_pressed[key] = actions
        mode.any_key(key, is_used=is_typed or bool(actions))
        for action in actions:
            if action not in HELD_ACTIONS:
                self.handle_action(action)
        if not set(HELD_ACTIONS).isdisjoint(actions):
            self.current_mode.hold_key(key)

    def text_typed(self, text: str) -> None:
        """Characters were typed, into the menu or into what the mode has open."""
        if self.menu is not None:
            self.menus.text_typed(text)
        else:
            self.current_mode.text_typed(text)

    def handle_action(self, action: Action) -> None:
        """Do an action of all modes, or hand it to the present one."""
        if action is PlayAction.DEBUG:
            self.screen.debug = not self.screen.debug
        elif action is PlayAction.RECORD:
            self.toggle_recording()
        elif action is PlayAction.FULLSCREEN:
            self.screen.requests.append("fullscreen")
        elif action is PlayAction.SCREENSHOT:
            self.screen.requests.append(self.current_mode.screenshot_request)
        else:
            self.current_mode.active_actions.add(action)
            self.current_mode.handle_action(action)

    def key_released(self, key: str) -> None:
        """A key went up."""
        self.input.held.release(key)
        self._stopped_keys -= {key}
        for action in self._actions_of_pressed.pop(key, ()):
            for mode in self._stack:
                mode.active_actions.discard(action)
            self.current_mode.end_action(action)

    def mouse_moved(self, dx: float, dy: float) -> None:
        """The mouse moved by pixels, positive to the right and upwards."""
        self.current_mode.mouse_moved(dx, dy)

    def left_pressed(self) -> None:
        """The left mouse button went down."""
        if self.current_mode.binds_left_button:
            self.key_pressed("MOUSE_LEFT")
        else:
            self.current_mode.left_pressed()

    def mouse_button(self, name: str, down: bool) -> None:
        """A mouse button went down or up, for modes that use the mouse themselves."""
        self.current_mode.mouse_button(name, down)

    def scrolled(self, by: float) -> None:
        """The wheel turned by notches, positive away from the player. It is a key where it is bound."""
        key = WHEEL_KEYS[by < 0.0]
        is_bound = self.current_mode.binds_left_button and self.input.held.bindings.actions_of(key)
        if self.captures_next_key or is_bound:
            self.key_pressed(key)
            self.key_released(key)
            return
        self.current_mode.scrolled(by)
        self.menus.mouse_navigation.scroll_by_wheel(by)

    # Frame

    def advance_frame(self, now: float, aspect: float) -> Snapshot:
        """Advance to the clock reading `now` (s); returns the snapshot to draw. aspect: width over height."""
        seconds = self.clock.advance(now)
        self.feedback.begin_frame(now)
        self.jobs.update()
        self.input.held.update(self.settings, now)
        if self.session is None:
            return frame_builder.loading_frame(self)
        if self.clock.play_started is None:
            self.clock.play_started = now
        if self.hot_reload is not None and self.mode not in TIME_LINES and not self.screen.is_compiling:
            self.hot_reload.update(now)
        self.screen.fade.is_off = self.settings.reduce_motion
        self.screen.fade.brighten(seconds)
        self.feedback.sound_cues = []
        self.menus.run_actions.update()
        self.update_mode(now, seconds)
        if self.place_saver is not None:
            self.place_saver.update()
        if self.runs.recording is not None and self.runs.recording.problem:
            self.stop_recording()
        if self.mode == PLAYING or self.mode in TIME_LINES:  # a panel hides messages
            self.runs.movies.update()
        self.feedback.remove_expired_message()
        return frame_builder.build_frame(self, self.current_mode, self._door_panels, seconds, aspect)

    def update_mode(self, now: float, seconds: float) -> None:
        """Update the present mode, also for a mode that has handed over within a frame."""
        self.current_mode.update(now, seconds)
