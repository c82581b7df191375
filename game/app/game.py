"""The game behind the window: what is being played, and how it goes on from frame to frame. Knows no window, no clock.

What keys do is in `routing`, what a frame shows in `framing`, the way to another level in `travel`.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from ..physics import Command
from ..render import Snapshot
from ..sim import Event, ExitReached, Respawned, Session, World
from .audio.sound_events import SoundCue, SoundEvents
from .cameras import first_person
from .cameras.free import FreeCameraMode
from .cameras.third_person import ThirdPersonCamera
from .display import event_messages, frame_builder, objective_messages
from .display.event_messages import ScreenMessage
from .input import key_dispatch
from .input.player_input import HeldActions, ViewAngles, build_command
from .launch.lab_registry import LabSession
from .launch.world_setup import make_world
from .menus.menu_controller import MenuController
from .menus.menu_stack import MenuStack
from .modes.editor import Editor
from .modes.rewind import RewindMode
from .modes.travel import TravelMode
from .runs import recording
from .runs.time_trial import TimeTrial
from .settings.mode_names import EDITING, HELP, LEAVING, PAUSED, PLAYING, PREPARING, READING_MODES, REWINDING
from .settings.settings_file import Settings
from .visuals import golf_visuals

if TYPE_CHECKING:
    from ..level import Level
    from .hot_reload.level_reload import LevelReloader
    from .runs.run_results import RunResult

HINT_SECONDS = 8.0
RECORDED_SECONDS = 8.0
FRAME_TIME_HISTORY = 240
MAX_SOUND_STEP = 0.05  # s of sound in one frame: a late frame is not one that is left out


class Game:
    """What is being played, a level at a time. The window hands in keys, mouse and clock, and draws what it gets.

    `requests` collects what only the window can do: "quit", "fullscreen", "screenshot".
    """

    def __init__(self, level: Level, settings: Settings, quality: str) -> None:
        self.level, self.settings, self.quality = level, settings, quality
        self.mode = PREPARING
        self.progress, self.progress_label = 0.0, ""
        self.debug = False
        self.window_requests: list[str] = []
        self.held_actions = HeldActions()
        self.view_angles = ViewAngles(level.spawns[0].heading)
        self.session: Session | None = None
        self.menus = MenuController(self)
        self.message: ScreenMessage | None = None
        self.recording: recording.ReplayRecording | None = None
        self.travel = TravelMode(self)
        self.editor = Editor(self)
        self.third_person_camera, self.free_camera = ThirdPersonCamera(), FreeCameraMode(self)
        self.lab: LabSession | None = None
        self.rewind = RewindMode(self)
        self.hot_reload: LevelReloader | None = None  # keeps the level like its files
        self.notice = ""
        self.sound_events: SoundEvents | None = None
        self.sound_cues: list[SoundCue] = []  # sounds that the last frame began
        self.target_fade = objective_messages.TargetFade()
        self.golf_hud = golf_visuals.GolfHud()
        self.time_trial = TimeTrial(self)
        self.frame_times: deque[float] = deque(maxlen=FRAME_TIME_HISTORY)
        self.frame_count = 0
        self._last_time: float | None = None
        self.play_started: float | None = None  # when play began, by the clock: the first keys are told then

    def make_world(self) -> World:
        """The world to begin in. UserError where the level has no room for the walker."""
        return make_world(self.level)

    def start(self, world: World) -> None:
        """The world is ready: play."""
        self.menus.close()
        self.level = world.level
        self.session = Session(world)
        self.rewind.attach_ring(self.session)
        self.first_person_camera = first_person.FirstPersonCamera(world.mesh, world.settings.eye, self.session.pose())
        self.view_angles.face_heading(world.start.heading)
        self.free_camera.leave()
        self.third_person_camera.snap()
        self.lab = LabSession(self.level, self.session)
        self.mode = PLAYING
        self.target_fade.update(world.reached_targets.flags, 0.0, jump=True)
        self.view_angles.skip_next_movement()

    @property
    def wants_mouse(self) -> bool:
        """Whether the mouse should be held by the window."""
        return self.mode in (PLAYING, LEAVING, REWINDING) or (self.mode == EDITING and not self.editor.is_suspended)

    def pause(self) -> None:
        """Stop the clock, let go of every key and of the mouse, and show the menu."""
        if self.mode == LEAVING:
            self.travel.pause()
        elif self.mode == REWINDING:
            self.rewind.release_all()
        elif self.editor.is_open:
            self.editor.pause()
        elif self.mode == PLAYING or self.mode in READING_MODES:
            self.stop_input()
            self.mode = PAUSED
            self.menus.pause()

    def show_result(self, result: RunResult) -> None:
        """Stop the clock and show what came of the run."""
        self.stop_input()
        self.mode, self.message = PAUSED, None
        self.menus.show_result(result)

    def resume(self) -> None:
        """Go on from a pause."""
        if self.session is not None:
            self.menus.close()
            self.mode = EDITING if self.editor.is_open else PLAYING
            self.view_angles.skip_next_movement()
            self.frame_times.clear()  # those of a menu come more seldom

    def show_help(self) -> None:
        """Show what all the keys do."""
        self.stop_input()
        self.mode = HELP

    def stop_input(self) -> None:
        """No key is held, and the clock stops until the next tick."""
        self.held_actions.clear()
        if self.session is not None:
            self.session.pause()

    def restart(self) -> None:
        """Start again at the spawn, with the clock at zero."""
        if self.session is None:
            return
        self._on_teleported(self.session.restart())
        self.message = None

    def toggle_recording(self) -> None:
        """Begin to record, or stop."""
        if self.recording is not None:
            self.show_message(*recording.finish_recording(self.recording), RECORDED_SECONDS)
            self.recording = None
        elif self.session is not None and self.mode == PLAYING:
            self.recording, text, below = recording.start_recording(self.session, self.held_actions.describe("record"))
            self.show_message(text, below)

    def close(self) -> str:
        """The game ends: finish what is being written. A line about it, if there is something to say."""
        self.editor.edit_tools.job_queue.finish()
        if self.recording is None:
            return ""
        said = recording.finish_recording(self.recording, "the game was left")
        self.recording = None
        return ": ".join(said)

    def _on_teleported(self, event: Respawned) -> None:
        assert self.session is not None
        self.session.reset_interpolation()
        self.first_person_camera.snap(self.session.pose())
        self.free_camera.leave()
        self.third_person_camera.snap()
        if self.lab is not None and event.reason == "asked":
            self.lab.reset_ghosts()
        if event.heading is not None:
            self.view_angles.face_heading(event.heading)

    # What the player does

    def key_pressed(self, key: str) -> None:
        """A key went down, by its name (`W`, `ESCAPE`, `F3`)."""
        if self.menu is not None and self.menu.is_waiting_for_key:
            self.menus.key_pressed(key)
            return
        for word in self.held_actions.bindings.resolve_key(key, self.mode):
            key_dispatch.dispatch_key(self, word)

    def key_released(self, key: str) -> None:
        """A key went up."""
        self.held_actions.release(key)
        self.rewind.key_released(key)

    def mouse_moved(self, dx: float, dy: float) -> None:
        """The held mouse moved by so many pixels, positive to the right and upwards."""
        if self.mode == REWINDING:
            self.rewind.mouse_moved(dx, dy)
        elif self.wants_mouse:
            self.view_angles.apply_mouse(dx, dy, self.settings)

    def left_pressed(self) -> None:
        """The left button went down: help or notice goes away; in play it is a key like others."""
        if self.mode in READING_MODES:
            self.resume()
        elif self.mode == PLAYING:
            self.key_pressed("MOUSE_LEFT")

    def left_released(self) -> None:
        """The left button went up."""
        self.key_released("MOUSE_LEFT")

    @property
    def menu(self) -> MenuStack | None:
        """The menu that is open, if one is."""
        return self.menus.menu

    def show_message(self, text: str, below: str = "", seconds: float = event_messages.DEFAULT_SECONDS) -> None:
        """Show a message in the middle of the picture for some seconds from the next frame on."""
        self.message = ScreenMessage(text, below, (self._last_time or 0.0) + seconds)

    # A frame

    @property
    def bottom_line(self) -> str:
        """What stands at the bottom of the picture: that one is recorded, or at first which keys there are."""
        if self.recording is not None:
            seconds = int(self.recording.seconds)
            return f"Recording {seconds // 60}:{seconds % 60:02d}   ·   {self.held_actions.describe('record')}: stop"
        if self.free_camera.is_active:
            return self.free_camera.hint
        fresh = (
            self.play_started is not None
            and self._last_time is not None
            and self._last_time - self.play_started < HINT_SECONDS
        )
        world = self.session.world if self.session is not None else None
        if world is None:
            return ""
        return objective_messages.objective_line(
            world, self.held_actions.hint if fresh else ""
        ) or golf_visuals.hint_text(world, self.held_actions.describe("use"))

    def advance_frame(self, now: float, aspect: float) -> Snapshot:
        """Advance to the clock reading `now` (seconds) and say what to draw. `aspect`: width over height."""
        seconds = 0.0 if self._last_time is None else max(0.0, now - self._last_time)
        if self._last_time is not None:
            self.frame_times.append(seconds)
        self._last_time = now
        self.frame_count += 1
        self.held_actions.update(self.settings)
        if self.session is None:
            return frame_builder.loading_frame(self)
        if self.play_started is None:
            self.play_started = now
        self._update(now, seconds)
        return frame_builder.build_frame(self, now, seconds, aspect)

    def _update(self, now: float, seconds: float) -> None:
        """Everything that changes by itself, `seconds` after the frame before."""
        if self.hot_reload is not None:
            self.hot_reload.update(now)
        self.travel.update(seconds)
        self.sound_cues = []
        if self.mode == PLAYING and self.free_camera.is_active:
            self.free_camera.update(seconds)
        elif self.mode == PLAYING and self.time_trial.update(seconds):
            self._update_play(now, seconds)
        elif self.mode == REWINDING:
            self.rewind.update(seconds)
        if self.recording is not None and self.recording.problem:
            self.toggle_recording()
        if self.message is not None and now > self.message.until:
            self.message = None

    def _update_play(self, now: float, seconds: float) -> None:
        assert self.session is not None
        if self.sound_events is None or self.sound_events.world is not self.session.world:
            self.sound_events = SoundEvents(self.session.world)
        events = self.session.advance(now, self._next_command)
        self.sound_cues = self.sound_events.update(events, min(seconds, MAX_SOUND_STEP))
        for event in events:
            self._on_event(event)
            if self.mode == LEAVING:
                break
        if self.lab is not None:
            self.lab.step_ghosts()

    def view_direction(self) -> tuple[float, float]:
        """Yaw and pitch of the view, 65536 to the turn."""
        return self.view_angles.yaw, self.view_angles.pitch

    def _next_command(self) -> Command | None:
        if self.session is not None and self.session.world.platform_turn:
            self.view_angles.yaw = (self.view_angles.yaw + self.session.world.platform_turn) % 65536
            self.session.world.platform_turn = 0
        sampled = build_command(self.held_actions.consume(), self.view_angles, self.held_actions.stick)
        if self.lab is not None:
            self.lab.record_command(sampled)
        return sampled

    def _on_event(self, event: Event) -> None:
        if isinstance(event, Respawned):
            self._on_teleported(event)
        elif isinstance(event, ExitReached):
            self.travel.begin(event.exit)
        said = event_messages.message_for_event(event, self)
        if said is not None:
            self.show_message(*said)
