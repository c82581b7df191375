"""Game without window and clock: the stack of modes, the frame loop, and the dispatch of input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..render import Snapshot
from ..sim import RewindBuffer, Session, World
from ..sim.replay.rewind import MAX_REWIND_SECONDS, SESSION_STATE_BYTES
from .display.door_panels import DoorPanels
from .input.actions import HELD_ACTIONS, Action, PlayAction
from .launch.lab_registry import LabSession
from .launch.world_setup import make_world
from .modes import frame_builder
from .modes.context import GameContext
from .modes.menu import MenuMode
from .modes.mode import Mode
from .modes.registry import MODES, ModeTable
from .modes.rewind import RewindMode
from .runs import recording
from .settings.key_bindings import WHEEL_KEYS, types_text
from .settings.mode_names import PLAYING, PREPARING, REPLAYING
from .settings.settings_file import Settings

if TYPE_CHECKING:
    from ..level import Level
    from .runs.saved_session import SessionSaver


class Game(GameContext):
    """The game as the window sees it: it takes keys, mouse and clock, and returns the snapshots to draw.

    It adds the stack of modes to `GameContext`, because it imports every mode and every mode imports the context.

    modes   one object per mode, by name, new for each session; the top of the stack gets the input and makes the
            picture
    session_saver   saves the session for Continue; None in games that do not
    """

    mode_types: Sequence[type[Mode]] = MODES

    def __init__(self, level: Level, settings: Settings, quality: str) -> None:
        super().__init__(level, settings, quality)
        self.modes = ModeTable(self, self.mode_types)
        self.session_saver: SessionSaver | None = None
        self._door_panels = DoorPanels()
        self._stack: list[Mode] = []
        self._actions_of_pressed: dict[str, tuple[Action, ...]] = {}  # by key that is down
        self.push_mode(PREPARING)

    # The stack of modes

    @property
    def current_mode(self) -> Mode:
        """The mode on top of the stack."""
        return self._stack[-1]

    @property
    def mode(self) -> str:
        return self.current_mode.name

    def push_mode(self, name: str, subject: Any = None) -> None:
        mode = self.modes[name]
        mode.below = self._stack[-1] if self._stack else None
        mode.active_actions.clear()
        self._stack.append(mode)
        mode.enter(subject)

    def pop_mode(self) -> None:
        self._stack.pop().leave()

    def resume(self) -> None:
        if self.session is not None:
            if len(self._stack) > 1:
                self.pop_mode()
            self.input.view.skip_pointer_jump()
            self.clock.frame_times.clear()  # a menu has longer frames

    def pause(self, reason: str = "") -> None:
        self.current_mode.active_actions.clear()
        self.current_mode.focus_lost(reason)

    def window_resized(self) -> None:
        """The window has another size: a run waits until the player has found the picture again."""
        if self.mode == PLAYING and self.runs.time_trial.is_run_in_progress:
            self.pause("The size of the window changed.")

    def leave_session(self) -> str:
        """Save the session at the end of the program; half a sentence where that fails, else an empty one."""
        if isinstance(self.current_mode, RewindMode):
            self.current_mode.return_to_present()
        while any(mode.name == REPLAYING for mode in self._stack):  # it shows another session
            self.pop_mode()
        return self.save_session()

    def save_session(self) -> str:
        return "" if self.session_saver is None else self.session_saver.save()

    @property
    def frame_count(self) -> int:
        """Number of frames since the start."""
        return self.clock.frame_count

    def request_quit(self) -> bool:
        """The player closes the window: whether to quit now. A run asks first; a second time quits."""
        if self.session is None or not self.runs.time_trial.is_run_in_progress:
            return True
        self.pause()
        mode = self.current_mode
        return not isinstance(mode, MenuMode) or not mode.ask_before("quit")

    def make_world(self) -> World:
        """The first world. UserError where the level has no room for the walker."""
        return make_world(self.level)

    def start(self, world: World) -> None:
        while self._stack:
            self.pop_mode()
        for mode in self.modes.values():
            mode.close()
        self.modes = ModeTable(self, self.mode_types, self.modes.threaded)  # the old ones hold the level that is left
        self.runs.restart_undo = None
        self.level = world.level
        self.session = Session(world)
        self.session.rewind_buffer = RewindBuffer(world, MAX_REWIND_SECONDS, SESSION_STATE_BYTES)
        self.cameras.start(self.session)
        self.input.view.face_heading(world.start.heading)
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
        if self.runs.recording is None:
            return movie
        lines = recording.finish_recording(self.runs.recording, "the game was left")
        self.runs.recording = None
        return "\n".join(filter(None, (movie, ": ".join(lines))))

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

    def left_released(self) -> None:
        """The left mouse button went up."""
        self.key_released("MOUSE_LEFT")

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
        self.input.held.update(self.settings, now)
        if self.session is None:
            return frame_builder.loading_frame(self)
        if self.clock.play_started is None:
            self.clock.play_started = now
        if self.hot_reload is not None and self.mode != REPLAYING:
            self.hot_reload.update(now)
        self.screen.fade.is_off = self.settings.reduce_motion
        self.screen.fade.brighten(seconds)
        self.feedback.sound_cues = []
        self.menus.run_actions.update()
        self.update_mode(now, seconds)
        if self.session_saver is not None:
            self.session_saver.update(seconds if self.mode == PLAYING else 0.0)
        if self.runs.recording is not None and self.runs.recording.problem:
            self.stop_recording()
        if self.mode in (PLAYING, REPLAYING):  # a panel hides messages
            self.runs.movies.update()
        self.feedback.remove_expired_message()
        return frame_builder.build_frame(self, self.current_mode, self._door_panels, seconds, aspect)

    def update_mode(self, now: float, seconds: float) -> None:
        self.current_mode.update(now, seconds)
