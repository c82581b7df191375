"""Replay mode: a recorded run is watched, at any speed, from any side, beside another run. Play waits below it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...core.time_format import format_time, format_time_difference
from ...level import Level
from ...render import Hud, Panel, Snapshot, Timeline
from ...render.hud.arrangement import arrange_hud
from ...render.hud.slots import Rectangle
from ...sim import GoalReached, ReplayError, Respawned
from ...sim.events import BallLost, Event, ExitReached, HoledOut
from ...text.key_symbols import key_symbol
from ..cameras.first_person import FirstPersonCamera
from ..cameras.replay_cameras import BEHIND, CAMERAS, EYE, FIXED, OUTSIDE, ReplayCameras
from ..input.actions import GLOBAL_ACTIONS, Action, MouseButton, ReplayAction
from ..input.arrow_repeat import ArrowRepeat
from ..launch.level_lookup import UserError
from ..menus.mouse_navigation import index_at
from ..runs.ghost import GhostPace, GhostReplay
from ..runs.library.replay_player import ReplayPlayer, ReplayRequest
from ..runs.movies import MovieSpan
from ..settings.mode_names import HELP, PAUSED, REPLAYING
from ..visuals.feedback import MAX_SOUND_STEP, ScreenMessage
from ..visuals.golf_visuals import GolfHud
from ..visuals.timelines import Columns, Marks, end_texts, key_strip, speed_columns, state_text
from . import event_messages
from .mode import Mode

if TYPE_CHECKING:
    from ...sim import Session
    from ...sim.trial import RunTrack
    from ..cameras.camera import CameraFrame
    from ..game import Game

SPEEDS = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0)  # multiples of real time
NORMAL_SPEED = SPEEDS.index(1.0)
JUMP_SECONDS = 5.0
FIRST_SECONDS = 1e-6  # s: the ghost is shown before the clock of the run starts, too
STEPS: Mapping[Action, int] = {ReplayAction.STEP_BACK: -1, ReplayAction.STEP_FORWARD: 1}
CLICK_TRAVEL = 6.0  # pixels that the mouse moves at most in a click
MAX_FRAME_SECONDS = 2.0  # s of the replay that one frame runs at most: fast playback on a slow machine
LOAD_ERRORS = (ReplayError, UserError, ValueError, OSError, MemoryError)  # of a part whose level or world is not there


def _load_player(request: ReplayRequest) -> ReplayPlayer | str:
    """The player of a request, or a sentence where it cannot be loaded."""
    try:
        return ReplayPlayer(request.replay, request.levels)
    except LOAD_ERRORS as error:
        return _first_line(error)


class ReplayMode(Mode):
    """Shows a replay in place of the session of play, which comes back when the mode is left.

    player      None while the level is being loaded, as are `cameras`
    is_playing  whether time passes; False at the end
    """

    name = REPLAYING
    max_loading_wait: float | None = 0.05  # s: enough where the level is loaded
    contexts = ((*ReplayAction, *GLOBAL_ACTIONS),)
    shows_run_clock = False

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.request: ReplayRequest | None = None
        self._kept: tuple[Level, Session | None, Any, bool, GolfHud] | None = None
        self._reset()

    def _reset(self) -> None:
        self._loading: Future[ReplayPlayer | str] | None = None
        self.player: ReplayPlayer | None = None
        self.cameras: ReplayCameras | None = None
        self.ghost: GhostReplay | None = None
        self.shows_ghost = True
        self._pace = GhostPace()
        self.is_playing = True
        self._speed = NORMAL_SPEED
        self._track: RunTrack | None = None
        self._columns: Columns = ()
        self._restarts: Marks = ()
        self._jumps: set[int] = set()  # ticks in which the body is elsewhere than before
        self._arrow = ArrowRepeat()
        self._grab = ""  # what the left button holds: "timeline", "picture" or nothing
        self._grab_travel = 0.0
        self._hud: Hud | None = None  # of the last frame
        self.movie_span = MovieSpan()
        self._event_message: ScreenMessage | None = None

    # In and out

    def enter(self, subject: Any = None) -> None:
        game = self.game
        assert isinstance(subject, ReplayRequest)
        game.stop_input()
        self.request = subject
        self._reset()
        self.ghost = subject.ghost
        self._kept = (
            game.level, game.session, game.cameras.first_person, game.cameras.free.is_active,
            game.feedback.golf_hud,
        )  # fmt: skip
        game.cameras.free.is_active = False
        game.feedback.message = None
        game.feedback.golf_hud = GolfHud()
        self._loading = game.jobs.thread("replay", _load_player, subject)
        game.jobs.finish_one(self._loading, self.max_loading_wait)
        self._take_player()

    def _take_player(self) -> None:
        """Take the player once the level is loaded; go back with a sentence where it could not be."""
        assert self._loading is not None
        assert self.request is not None
        if not self._loading.done():
            self.game.screen.fade.waiting_for = "Loading the run"
            return
        self.game.screen.fade.waiting_for = ""
        player = self._loading.result()
        if isinstance(player, str):
            self._give_up(player)
            return
        self.player = player
        self._track = player.run_track()
        ranges = player.part_ticks()
        self._columns = speed_columns(player.columns(), self.game.settings.palette)
        self._jumps = {first for first, _ in ranges[1:]}
        self._restarts = tuple((first / player.ticks, "restart") for first in sorted(self._jumps))
        self.cameras = ReplayCameras(player.column("position"), ranges)
        self._show_session()
        self.cameras.choose(self.request.camera, player.session, self.request.orbit)
        self._after_jump()

    def _give_up(self, reason: str) -> None:
        """Go back, with a sentence."""
        what = "This run" if self.player is None else "The rest of this run"
        self.game.pop_mode()
        self.game.feedback.show_message(f"{what} cannot be shown", reason, 8.0)

    def _go(self, position: float) -> None:
        """Show another position; go back where it cannot be shown."""
        assert self.player is not None
        try:
            self.player.seek(position)
        except LOAD_ERRORS as error:
            self._give_up(_first_line(error))
        else:
            self._after_jump()

    def leave(self) -> None:
        game = self.game
        self.request = self.player = self.cameras = self._loading = None
        game.screen.fade.waiting_for = ""
        if self._kept is not None:
            game.level, game.session, eye, was_flying, game.feedback.golf_hud = self._kept
            game.cameras.first_person = eye
            game.cameras.free.is_active = was_flying
            self._kept = None
        game.feedback.forget_moment(self._event_message)
        game.input.view.skip_pointer_jump()
        if game.session is not None:
            game.session.pause()
            game.feedback.target_fade.update(game.session.world.reached_targets, 0.0, jump=True)

    def _show_session(self) -> None:
        """Show the session of the player's present part."""
        game = self.game
        player = self.player
        assert player is not None
        if game.session is not player.session:
            world = player.session.world
            game.level = world.level
            game.session = player.session
            game.cameras.first_person = FirstPersonCamera(world.mesh, world.settings.eye, player.session.pose())

    def _after_jump(self) -> None:
        """Skip all smoothing: another moment is shown."""
        game = self.game
        player = self.player
        assert player is not None
        assert self.cameras is not None
        self._show_session()
        game.cameras.first_person.snap(player.session.pose())
        self.cameras.snap()
        game.feedback.forget_moment(self._event_message)
        game.feedback.target_fade.update(player.session.world.reached_targets, 0.0, jump=True)
        self._pace.reset()

    # State

    @property
    def is_moving(self) -> bool:  # type: ignore[override]
        """Whether time passes in the picture."""
        return self.is_playing and self.player is not None and not self.player.is_finished

    @property
    def seconds(self) -> float:
        """Position in the replay (s)."""
        return 0.0 if self.player is None else self.player.seconds

    # Keys and mouse

    def commands(self) -> Mapping[Action, Callable[[], None]]:
        always: dict[Action, Callable[[], None]] = {
            ReplayAction.BACK: self._exit,
            ReplayAction.HELP: lambda: self.game.push_mode(HELP),
        }
        if self.player is None:
            return always
        player = self.player
        return always | {
            ReplayAction.TOGGLE: self.toggle,
            ReplayAction.STEP_BACK: lambda: self._press_arrow(ReplayAction.STEP_BACK),
            ReplayAction.STEP_FORWARD: lambda: self._press_arrow(ReplayAction.STEP_FORWARD),
            ReplayAction.FASTER: lambda: self.change_speed(1),
            ReplayAction.SLOWER: lambda: self.change_speed(-1),
            ReplayAction.GO_TO_START: self.play_from_start,
            ReplayAction.GO_TO_END: lambda: self.seek(player.duration),
            ReplayAction.NEXT_CAMERA: lambda: self.set_camera(CAMERAS[(CAMERAS.index(self.camera) + 1) % len(CAMERAS)]),
            ReplayAction.CAMERA_EYE: lambda: self.set_camera(EYE),
            ReplayAction.CAMERA_BEHIND: lambda: self.set_camera(BEHIND),
            ReplayAction.CAMERA_OUTSIDE: lambda: self.set_camera(OUTSIDE),
            ReplayAction.CAMERA_FIXED: lambda: self.set_camera(FIXED),
            ReplayAction.TOGGLE_GHOST: self.toggle_ghost,
            ReplayAction.MARK_START: lambda: self.movie_span.mark_start(player.seconds),
            ReplayAction.MARK_END: lambda: self.movie_span.mark_end(player.seconds),
            ReplayAction.KEEP_MOVIE: self.keep_movie,
        }

    def end_action(self, action: Action) -> None:
        self._arrow.release(action)

    def _exit(self) -> None:
        if self.request is not None and self.request.exit_page is not None:
            self.game.push_mode(PAUSED, self.request.exit_page())
        else:
            self.game.pop_mode()

    def _press_arrow(self, action: Action) -> None:
        """5 s while the replay plays or with Shift, else one tick; held, the ticks repeat."""
        assert self.player is not None
        by = STEPS[action]
        if self.is_moving or ReplayAction.LARGE_STEP in self.active_actions:
            self.seek(self.player.seconds + by * JUMP_SECONDS)
        else:
            self._arrow.press(action)
            self.step(by)

    def toggle(self) -> None:
        """Pause or play; at the end, from the start."""
        assert self.player is not None
        if self.player.is_finished:
            self.play_from_start()
        else:
            self.is_playing = not self.is_playing

    def play_from_start(self) -> None:
        self.seek(0.0)
        self.is_playing = True

    def toggle_ghost(self) -> None:
        """Show or hide the ghost."""
        self.shows_ghost = not self.shows_ghost
        self._pace.reset()

    def change_speed(self, by: int) -> None:
        """Play faster (1) or slower (-1) by one step."""
        self._speed = min(max(self._speed + by, 0), len(SPEEDS) - 1)

    @property
    def camera(self) -> str:
        return EYE if self.cameras is None else self.cameras.chosen

    def set_camera(self, camera: str) -> None:
        """Look from another camera, one of `CAMERAS`."""
        if self.cameras is not None and self.player is not None:
            self.cameras.choose(camera, self.player.session)

    def keep_movie(self) -> None:
        """Make the movie of the marked span from the present camera; while one is made, the page that can cancel it."""
        movies = self.game.runs.movies
        if movies.is_busy:
            self.game.push_mode(PAUSED, "movie")
        elif self.request is not None and self.player is not None and self.cameras is not None:
            self.movie_span.make_movie(
                movies, self.request.replay, self.cameras, self.game.settings, self.player.duration
            )

    def seek(self, seconds: float) -> None:
        """Go to a time (s)."""
        if self.player is not None:
            self._go(float(round(self.player.position_at(seconds))))

    def step(self, ticks: int) -> None:
        """Go forwards or back by ticks."""
        if self.player is not None:
            self._go(float(self.player.tick + ticks))

    def left_pressed(self) -> None:
        if self.player is None:
            return
        place = self._timeline_place()
        on_timeline = place is not None and index_at([place], *self.game.menus.mouse_navigation.pointer) == 0
        self._grab = "timeline" if on_timeline else "picture"
        self._grab_travel = 0.0
        self._scrub()

    def mouse_button(self, name: str, down: bool) -> None:
        if name == MouseButton.LEFT and not down:
            if self._grab == "picture" and self._grab_travel <= CLICK_TRAVEL and self.player is not None:
                self.toggle()
            self._grab = ""

    def mouse_moved(self, dx: float, dy: float) -> None:
        if self._grab == "picture" and self.cameras is not None:
            self._grab_travel += abs(dx) + abs(dy)
            settings = self.game.settings
            self.cameras.rotate_by_mouse(-dx if settings.invert_x else dx, -dy if settings.invert_y else dy)

    def scrolled(self, by: float) -> None:
        if self.cameras is not None:
            self.cameras.zoom(by)

    def _timeline_place(self) -> Rectangle | None:
        """Rectangle (pixels) of the time line in the last frame."""
        size = self.game.menus.mouse_navigation.size
        return None if self._hud is None else arrange_hud(self._hud, size).timeline_rectangle

    def _scrub(self) -> None:
        """While the time line is held, show the moment under the pointer."""
        place = self._timeline_place()
        if self._grab != "timeline" or place is None or self.player is None:
            return
        fraction = min(max((self.game.menus.mouse_navigation.pointer[0] - place[0]) / max(place[2], 1.0), 0.0), 1.0)
        if round(self.player.position_at(fraction * self.player.duration)) != self.player.position:
            self.seek(fraction * self.player.duration)

    # Time

    def update(self, now: float, seconds: float) -> None:
        if self.player is None:
            self._take_player()
        elif self._grab == "timeline":
            self._scrub()
        elif self._arrow.action is not None:
            if steps := self._arrow.update(seconds):
                self.step(STEPS[self._arrow.action] * steps)
        elif self.is_moving:
            self._advance(seconds)

    def _advance(self, seconds: float) -> None:
        """Play on for `seconds` of real time."""
        player = self.player
        assert player is not None
        ahead = min(seconds * SPEEDS[self._speed], MAX_FRAME_SECONDS)
        self._play_to(player.position_at(player.seconds + ahead), seconds)
        self.is_playing = not player.is_finished

    def _play_to(self, position: float, seconds: float) -> None:
        """Play on to a position, in `seconds` of real time."""
        player = self.player
        assert player is not None
        events: list[Event] = []
        while player.position < position:
            ticks = player.tick
            try:
                happened = player.seek(min(position, ticks + 1.0))
            except LOAD_ERRORS as error:
                self._give_up(_first_line(error))
                return
            if player.tick > ticks:
                if ticks in self._jumps:
                    self._after_jump()
                self.game.feedback.sounds_of(player.session).after_tick()
            for event in happened:
                self._on_event(event)
            events += happened
        sounds = self.game.feedback.sounds_of(player.session)
        self.game.feedback.sound_cues = sounds.update(events, min(seconds, MAX_SOUND_STEP))

    def _on_event(self, event: Event) -> None:
        """Show the message of an event. The replay has no restart key, no scorecard and no exits."""
        if isinstance(event, Respawned):
            self._after_jump()
        if isinstance(event, GoalReached):
            self._show_message("Goal reached", format_time(self._run_seconds()))
        elif not isinstance(event, (ExitReached, HoledOut, BallLost)):
            self._show_message(*(event_messages.message_for_event(event, self.game) or ()))

    def _show_message(self, *message: Any) -> None:
        """Show a message that belongs to this moment of the replay."""
        if message:
            self.game.feedback.show_message(*message)
            self._event_message = self.game.feedback.message

    # Frame

    def view_direction(self) -> tuple[float, float]:
        """Recorded view, interpolated as the body is."""
        player = self.player
        return super().view_direction() if player is None else player.history.view(player.position)

    def _run_seconds(self, at_tick: bool = False) -> float:
        """Clock of the run; of the replay where it is not one run. at_tick: at the end of the tick that is shown."""
        player = self.player
        assert player is not None
        seconds = player.seconds_at(player.tick) if at_tick else player.seconds
        start = 0.0 if self._track is None else self._track.start_tick / self._track.ticks_per_second
        return max(0.0, seconds - start)

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        if self.player is None or self.request is None or self.cameras is None:
            return replace(shot, hud=replace(shot.hud, crosshair=False, hint=f"{key_symbol('Esc')}: back"))
        shot = self.cameras.apply_to_frame(shot, frame, self.player.tick)
        if self.ghost is not None and self.shows_ghost:
            bodies = self.ghost.ellipsoids_at(max(self._run_seconds(), FIRST_SECONDS), shot.view.eye)
            shot = replace(shot, ellipsoids=(*shot.ellipsoids, *bodies))
        return self._add_hud(shot)

    def _add_hud(self, shot: Snapshot) -> Snapshot:
        """The snapshot with time line, keys, run clock and the mark of the end."""
        player = self.player
        assert player is not None
        if shot.hud.panel is not None:  # the help page, or the menu of the viewer
            return replace(shot, hud=replace(shot.hud, hint=""))
        state = state_text(self._speed, self.is_moving, player.is_finished)
        label = "   ·   ".join(filter(None, (format_time(player.seconds), state)))
        marks = tuple(sorted((*self._restarts, *self.movie_span.marks(player.duration))))
        ends = format_time(0.0), format_time(player.duration)
        timeline = Timeline(self._columns, player.seconds / player.duration, label, marks, *ends)
        hud = replace(
            shot.hud, crosshair=False, hint="", cards=(), timeline=timeline,
            key_strip=key_strip(
                self.is_moving, player.is_finished, self._speed, self.camera,
                "" if self.ghost is None else "on" if self.shows_ghost else "off", self.game.input.held,
            ),
        )  # fmt: skip
        if self._track is not None:
            hud = replace(hud, timer=format_time(self._run_seconds()), timer_caption=self._gap_text(player))
        if player.is_finished and self.game.feedback.message in (None, self._event_message):
            has_menu = self.request is not None and self.request.exit_page is not None
            total = player.duration if self._track is None else self._track.seconds
            text, detail = end_texts(total, has_menu, self.game.input.held)
            hud = replace(hud, message=text, message_detail=detail)
        self._hud = hud
        return replace(shot, hud=hud)

    def _gap_text(self, player: ReplayPlayer) -> str:
        """Time difference to the ghost at the place of the body, and whose it is; empty where none is shown."""
        if self.ghost is None or not self.shows_ghost:
            return ""
        name = self.ghost.name or "the best run"
        state = player.session.world.walker_state
        gap = self._pace.update(self.ghost.track, state, self._run_seconds(at_tick=True))
        return f"Ghost: {name}" if gap is None else f"{format_time_difference(gap)}   to {name}"

    def help_panel(self) -> Panel:
        keys = self.game.settings.key_bindings.context_help(ReplayAction)
        return Panel(title="Controls of the replay", keys=keys, width=620.0)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0] or "not enough memory"
