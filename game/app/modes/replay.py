"""Replay mode: a replay is watched at any speed, from any side, beside another run, while play waits below it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...core.time_format import format_time, format_time_difference
from ...level import Level
from ...render import Panel, Snapshot
from ...render.hud.arrangement import arrange_hud
from ...render.hud.slots import Rectangle
from ...sim import GoalReached, Respawned
from ...sim.events import BallLost, Event, HoledOut
from ...sim.replay.history import columns_of
from ...text.key_symbols import key_symbol
from ..cameras.first_person import FirstPersonCamera
from ..cameras.replay_cameras import BEHIND, CAMERAS, EYE, FIXED, OUTSIDE, ReplayCameras
from ..input.actions import GLOBAL_ACTIONS, Action, MouseButton, TimeLineAction
from ..menus.mouse_navigation import index_at
from ..runs.ghost import GhostPace
from ..runs.movies import MovieSpan
from ..runs.time_line import ReplayRequest, ReplayTimeLine, load_time_line
from ..settings.mode_names import HELP, PAUSED, REPLAY
from ..visuals import timelines
from ..visuals.feedback import MAX_SOUND_STEP, ScreenMessage
from ..visuals.golf_visuals import GolfHud
from . import event_messages
from .time_line import TimeLineMode

if TYPE_CHECKING:
    from ...render import Hud
    from ...render.snapshot import EllipsoidInstance
    from ...sim import Session
    from ..cameras.camera import CameraFrame

SPEEDS = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0)  # multiples of real time
NORMAL_SPEED = SPEEDS.index(1.0)
MAX_FRAME_SECONDS = 2.0  # s of the replay that one frame runs at most: fast playback on a slow machine
JUMP_SECONDS = 5.0  # s of a large step, and of a step while it plays
FIRST_SECONDS = 1e-6  # s: the ghost is shown before the clock of the run starts, too
CLICK_TRAVEL = 6.0  # pixels that the mouse moves at most in a click


class ReplayMode(TimeLineMode):
    """Shows a replay in place of the session that is played. Its subject is a ReplayRequest."""

    name = REPLAY
    contexts = ((*TimeLineAction, *GLOBAL_ACTIONS),)
    is_heard = True
    plays_on = True
    max_loading_wait: float | None = 0.05  # s: enough where the level is loaded
    request: ReplayRequest

    def _reset(self) -> None:
        super()._reset()
        self._loading: Future[ReplayTimeLine | str] | None = None
        self._kept: tuple[Level, Session | None, Any, bool, GolfHud] | None = None  # of play
        self._speed = NORMAL_SPEED
        self.shows_ghost = True
        self._pace = GhostPace()
        self._jumps: set[int] = set()  # ticks in which the body is elsewhere than before
        self._event_message: ScreenMessage | None = None
        self.movie_span = MovieSpan()
        self._hud: Hud | None = None  # of the last frame
        self._grabbed: Rectangle | None = None  # the time line (pixels), while the left button holds it
        self._grabs_picture, self._grab_travel = False, 0.0  # the left button holds the picture; pixels since then

    # In and out

    def enter(self, subject: Any = None) -> None:
        game = self.game
        assert isinstance(subject, ReplayRequest)
        self.request = subject
        game.stop_input()
        game.feedback.message = None
        eye, free = game.cameras.first_person, game.cameras.free
        self._kept = game.level, game.session, eye, free.is_active, game.feedback.golf_hud
        free.is_active = False
        game.feedback.golf_hud = GolfHud()
        self._loading = game.jobs.thread("replay", load_time_line, subject)
        game.jobs.finish_one(self._loading, self.max_loading_wait)
        self._take_loaded()

    def _take_loaded(self) -> None:
        """Take the replay once its level is loaded; go back with a sentence where it could not be."""
        assert self._loading is not None
        if not self._loading.done():
            self.game.screen.fade.waiting_for = "Loading the run"
            return
        self.game.screen.fade.waiting_for = ""
        loaded = self._loading.result()
        if isinstance(loaded, str):
            self._give_up(loaded)
            return
        self.time_line = loaded
        self._columns = timelines.speed_columns(columns_of(loaded.states), self.game.settings.palette)
        self._jumps = {first for first, _ in loaded.ranges[1:]}
        self._marks = tuple((first / loaded.end, "restart") for first in sorted(self._jumps))
        self.cameras = ReplayCameras(loaded.states["position"], loaded.ranges)
        self._skip_smoothing()
        self.cameras.choose(self.request.camera, loaded.session, self.request.orbit)

    def leave(self) -> None:
        game = self.game
        game.screen.fade.waiting_for = ""
        assert self._kept is not None
        game.level, game.session, eye, game.cameras.free.is_active, game.feedback.golf_hud = self._kept
        game.cameras.first_person = eye
        game.feedback.forget_moment(self._event_message)
        if game.session is not None:
            game.session.pause()
            game.feedback.target_fade.update(game.session.world.reached_targets, 0.0, jump=True)
        super().leave()

    def _exit(self) -> None:
        if self.request.exit_page is not None:
            self.game.push_mode(PAUSED, self.request.exit_page())
        else:
            self.game.resume()

    # Keys and mouse

    @property
    def plays(self) -> bool:
        return self.is_playing and not self.is_finished

    def commands(self) -> Mapping[Action, Callable[[], None]]:
        shown = self.time_line
        always: dict[Action, Callable[[], None]] = {
            **super().commands(),
            TimeLineAction.BACK: self._exit,
            TimeLineAction.HELP: lambda: self.game.push_mode(HELP),
        }
        if shown is None:
            return always
        return always | {
            TimeLineAction.NEXT_CAMERA: self._next_camera,
            TimeLineAction.TOGGLE: self.toggle,
            TimeLineAction.FASTER: lambda: self.change_speed(1),
            TimeLineAction.SLOWER: lambda: self.change_speed(-1),
            TimeLineAction.CAMERA_EYE: lambda: self.set_camera(EYE),
            TimeLineAction.CAMERA_BEHIND: lambda: self.set_camera(BEHIND),
            TimeLineAction.CAMERA_OUTSIDE: lambda: self.set_camera(OUTSIDE),
            TimeLineAction.CAMERA_FIXED: lambda: self.set_camera(FIXED),
            TimeLineAction.TOGGLE_GHOST: self.toggle_ghost,
            TimeLineAction.MARK_START: lambda: self.movie_span.mark_start(shown.seconds),
            TimeLineAction.MARK_END: lambda: self.movie_span.mark_end(shown.seconds),
            TimeLineAction.KEEP_MOVIE: self.keep_movie,
        }

    @property
    def _step_ticks(self) -> int:
        is_large = self.plays or TimeLineAction.LARGE_STEP in self.active_actions
        return round(JUMP_SECONDS / self.game.played_session.tick_seconds) if is_large else 1

    def toggle(self) -> None:
        """Pause or play a replay; at the end, from the start."""
        if self.is_finished:
            self.go_to_start()
        else:
            self.is_playing = not self.is_playing

    def change_speed(self, by: int) -> None:
        """Play faster (1) or slower (-1) by one step."""
        self._speed = min(max(self._speed + by, 0), len(SPEEDS) - 1)

    def toggle_ghost(self) -> None:
        """Show or hide the ghost."""
        self.shows_ghost = not self.shows_ghost
        self._pace.reset()

    def set_camera(self, camera: str) -> None:
        """Look from another camera, one of `CAMERAS`."""
        self.cameras.choose(camera, self.game.played_session)

    def _next_camera(self) -> None:
        self.set_camera(CAMERAS[(CAMERAS.index(self.cameras.chosen) + 1) % len(CAMERAS)])

    def keep_movie(self) -> None:
        """Make the movie of the marked span from the present camera; while one is made, the page that can cancel it."""
        movies = self.game.runs.movies
        if movies.is_busy:
            self.game.push_mode(PAUSED, "movie")
        else:
            self.movie_span.make_movie(
                movies, self.request.replay, self.cameras, self.game.settings, self._shown.duration
            )

    def left_pressed(self) -> None:
        mouse = self.game.menus.mouse_navigation
        if self._hud is not None:
            place = arrange_hud(self._hud, mouse.size).timeline_rectangle
            self._grabs_picture = place is None or index_at([place], *mouse.pointer) != 0
            self._grabbed = None if self._grabs_picture else place
            self._grab_travel = 0.0

    def mouse_button(self, name: str, down: bool) -> None:
        if name == MouseButton.LEFT and not down:
            if self._grabs_picture and self._grab_travel <= CLICK_TRAVEL:
                self.toggle()
            if self._grabbed is not None:
                self.go_to(self._shown.position)  # at the end of the replay it stops
            self._grabbed, self._grabs_picture = None, False

    def mouse_moved(self, dx: float, dy: float) -> None:
        """Turn the outside camera while the button is held."""
        if self._grabs_picture:
            self._grab_travel += abs(dx) + abs(dy)
            super().mouse_moved(dx, dy)

    def help_panel(self) -> Panel:
        keys = self.game.settings.key_bindings.context_help(TimeLineAction)
        return Panel(title="Controls of the replay", keys=keys, width=620.0)

    # Time

    def go_to_start(self) -> None:
        """Go to the start and play on from there."""
        self.is_playing = True
        super().go_to_start()

    def seek(self, seconds: float) -> None:
        """Go to the tick at a time (s)."""
        self.go_to(float(round(self._shown.position_at(seconds))))

    def update(self, now: float, seconds: float) -> None:
        shown = self.time_line
        if shown is None:
            self._take_loaded()
        elif self._grabbed is not None:
            fraction = (self.game.menus.mouse_navigation.pointer[0] - self._grabbed[0]) / max(self._grabbed[2], 1.0)
            shown.move_to(float(round(shown.position_at(min(max(fraction, 0.0), 1.0) * shown.duration))))
            self._show()
        else:
            super().update(now, seconds)

    def _play(self, seconds: float) -> None:
        ahead = min(seconds * SPEEDS[self._speed], MAX_FRAME_SECONDS)
        self._play_to(self._shown.position_at(self._shown.seconds + ahead), seconds)

    def _play_to(self, position: float, seconds: float) -> None:
        """Play on to a position, in `seconds` of real time, tick by tick with their messages and sounds."""
        shown = self._shown
        events: list[Event] = []
        while shown.position < position:
            before = shown.shown
            shown.move_to(min(position, math.floor(shown.position + 1.0)))
            self._show(plays=True)
            if self.time_line is None:
                return
            if shown.shown is not before and shown.shown is not None:
                if shown.tick in self._jumps:
                    self._skip_smoothing()
                self.game.feedback.sounds_of(shown.session).after_tick()
                for event in shown.shown.events:
                    self._on_event(event)
                events += shown.shown.events
        sounds = self.game.feedback.sounds_of(shown.session)
        self.game.feedback.sound_cues = sounds.update(events, min(seconds, MAX_SOUND_STEP))
        self.is_playing = not self.is_finished

    def _skip_smoothing(self) -> None:
        """Another moment is shown, perhaps in another level."""
        game, session = self.game, self._shown.session
        if game.session is not session:
            world = session.world
            game.level, game.session = world.level, session
            game.cameras.first_person = FirstPersonCamera(world.mesh, world.settings.eye, session.pose())
        super()._skip_smoothing()
        game.feedback.forget_moment(self._event_message)
        self._pace.reset()

    def _on_event(self, event: Event) -> None:
        """Show the message of an event. A replay has no restart key and no scorecard."""
        if isinstance(event, Respawned):
            self._skip_smoothing()
        message: tuple[Any, ...] | None = event_messages.message_for_event(event, self.game)
        if isinstance(event, GoalReached):
            message = "Goal reached", format_time(self._shown.run_seconds)
        if message is not None and not isinstance(event, (HoledOut, BallLost)):
            self.game.feedback.show_message(*message)
            self._event_message = self.game.feedback.message

    # Frame

    def _explains(self, is_still: bool) -> bool:
        return is_still and self.game.screen.debug

    def _ghosts(self, shot: Snapshot) -> tuple[EllipsoidInstance, ...]:
        ghost = self.request.ghost
        if ghost is None or not self.shows_ghost:
            return ()
        return ghost.ellipsoids_at(max(self._shown.run_seconds, FIRST_SECONDS), shot.view.eye)

    def _fill_hud(self, hud: Hud) -> Hud:
        shown, held, message = self._shown, self.game.input.held, self.game.feedback.message
        seconds, length, speed, moves = shown.seconds, shown.duration, self._speed, self.is_moving
        marks = tuple(sorted((*self._marks, *self.movie_span.marks(length))))
        ghost = "" if self.request.ghost is None else "on" if self.shows_ghost else "off"
        hud = replace(
            hud,
            timeline=timelines.replay_timeline(seconds, length, speed, moves, self._columns, marks),
            key_strip=timelines.replay_keys(held, speed, moves, self.is_finished, self.cameras.chosen, ghost),
        )
        if shown.track is not None:
            hud = replace(hud, timer=format_time(shown.run_seconds), timer_caption=self._gap_text())
        if self.is_finished and message in (None, self._event_message):
            total = length if shown.track is None else shown.track.seconds
            text, detail = timelines.end_texts(total, self.request.exit_page is not None, held)
            hud = replace(hud, message=text, message_detail=detail)
        self._hud = hud
        return hud

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        if self.time_line is None:
            return replace(shot, hud=replace(shot.hud, crosshair=False, hint=f"{key_symbol('Esc')}: back"))
        return super().apply_to_frame(shot, frame)

    def _gap_text(self) -> str:
        """Time difference to the ghost at the place of the body, and whose it is; empty where none is shown."""
        ghost = self.request.ghost
        if ghost is None or not self.shows_ghost:
            return ""
        name = ghost.name or "the best run"
        state = self.game.world.walker_state
        gap = self._pace.update(ghost.track, state, self._shown.run_seconds_at(math.ceil(self._shown.position)))
        return f"Ghost: {name}" if gap is None else f"{format_time_difference(gap)}   to {name}"
