"""Time line mode: any tick of what was played is shown. Play goes on from it (rewind), or it is a replay, which is
watched at any speed, from any side, beside another run, while play waits below it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...core.time_format import format_time, format_time_difference
from ...level import Level
from ...render import Panel, Snapshot
from ...render.hud.arrangement import arrange_hud
from ...render.hud.slots import Rectangle
from ...sim import GoalReached, ReplayError, Respawned
from ...sim.events import BallLost, Event, HoledOut
from ...sim.replay.history import columns_of
from ...sim.replay.tick_report import describe_tick
from ...text.key_symbols import key_symbol
from ..cameras.first_person import FirstPersonCamera
from ..cameras.replay_cameras import BEHIND, CAMERAS, EYE, FIXED, OUTSIDE, ReplayCameras
from ..input.actions import (
    GLOBAL_ACTIONS,
    MOVEMENT_ACTIONS,
    REWIND_ACTIONS,
    Action,
    Context,
    MouseButton,
    PlayAction,
    RewindAction,
    TimeLineAction,
)
from ..menus.mouse_navigation import index_at
from ..runs.ghost import GhostPace, GhostReplay
from ..runs.movies import MovieSpan
from ..runs.time_line import ReplayRequest, ReplayTimeLine, TimeLine, load_time_line, session_time_line
from ..settings.mode_names import HELP, PAUSED, TIME_LINE
from ..visuals import tick_anatomy, timelines
from ..visuals.feedback import MAX_SOUND_STEP, ScreenMessage
from ..visuals.golf_visuals import GolfHud
from ..visuals.tick_anatomy import TickAnatomy
from ..visuals.timelines import Columns, Marks
from . import event_messages
from .mode import Mode

if TYPE_CHECKING:
    from ...render import Hud
    from ...render.overlay_layers import OverlayPoints
    from ...sim import Session
    from ..cameras.camera import CameraFrame
    from ..game import Game

SPEEDS = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0)  # of a replay, multiples of real time
NORMAL_SPEED = SPEEDS.index(1.0)
MAX_FRAME_SECONDS = 2.0  # s of the replay that one frame runs at most: fast playback on a slow machine
START_SPEED, MAX_SPEED = 1.0, 4.0  # of running back, multiples of real time
SPEED_GAIN = 1.5  # multiples of real time per second of holding
# After these seconds of holding the speed doubles every second, up to the factor, so that an hour takes half a minute.
FAST_AFTER_SECONDS = 4.0
MAX_FAST_FACTOR = 64.0

STEPS: Mapping[Action, int] = {TimeLineAction.STEP_BACK: -1, TimeLineAction.STEP_FORWARD: 1}
REPEAT_DELAY = 0.35  # s until a held step repeats
REPEAT_RATE = 20.0  # steps per second then
LARGE_STEP = 10  # ticks, with Shift, in rewind
MAX_SMOOTH_TICKS = 20  # that the position moves in a frame; more is a jump
JUMP_SECONDS = 5.0  # s of a large step in a replay, and of a step while it plays
PAGE_SECONDS = 10.0

FIRST_SECONDS = 1e-6  # s: the ghost is shown before the clock of the run starts, too
CLICK_TRAVEL = 6.0  # pixels that the mouse moves at most in a click


class TimeLineMode(Mode):
    """Shows a position of a time line: of the session that is played, or of a replay in place of that session.

    request       the replay; None: rewind of the session that is played
    time_line     None while the level of a replay is being loaded
    is_playing    of a replay: whether it plays; its end stops it
    """

    name = TIME_LINE
    shows_run_clock = False
    max_loading_wait: float | None = 0.05  # s: enough where the level is loaded
    max_simulation = 0.012  # s a frame for ticks that are simulated on the way to the one that is wanted

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._reset(None)

    def _reset(self, request: ReplayRequest | None) -> None:
        self.request = request
        self._loading: Future[ReplayTimeLine | str] | None = None
        self._kept: tuple[Level, Session | None, Any, bool, GolfHud] | None = None  # of play, during a replay
        self.time_line: TimeLine | None = None
        self.cameras = ReplayCameras()
        self._columns: Columns = ()
        self._marks: Marks = ()
        # Time
        self.is_playing = request is not None
        self._speed = NORMAL_SPEED
        self._runs_back = request is None
        self._step: Action | None = None  # whose key is held
        self._held_seconds = 0.0  # for which the key that steps or runs back has been held
        self._goes_on_at: int | None = None  # tick from which play goes on; None: the latest
        self._anatomy: tuple[int, TickAnatomy] | None = None
        self._trail: tuple[int, OverlayPoints] | None = None
        self._camera_placed = False
        # Of a replay
        self.ghost: GhostReplay | None = None if request is None else request.ghost
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
        """subject: a ReplayRequest, or None for the session that is played."""
        game = self.game
        assert subject is None or isinstance(subject, ReplayRequest)
        self._reset(subject)
        game.stop_input()
        game.feedback.message = None
        was_flying, game.cameras.free.is_active = game.cameras.free.is_active, False
        if subject is not None:
            self._kept = game.level, game.session, game.cameras.first_person, was_flying, game.feedback.golf_hud
            game.feedback.golf_hud = GolfHud()
            self._loading = game.jobs.thread("replay", load_time_line, subject)
            game.jobs.finish_one(self._loading, self.max_loading_wait)
            self._take_loaded()
            return
        session = game.played_session
        self.time_line = loaded = session_time_line(session)
        history = loaded.history
        self._columns = timelines.speed_columns(history.columns(history.first, history.end), game.settings.palette)
        self._marks = timelines.event_marks(history)
        loaded.move_to(history.end - 1 + session.alpha)
        loaded.show()
        self.cameras.choose(OUTSIDE, session, blend=0.0)

    def _take_loaded(self) -> None:
        """Take the replay once its level is loaded; go back with a sentence where it could not be."""
        assert self._loading is not None
        assert self.request is not None
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

    def _give_up(self, reason: str) -> None:
        """Go back, with a sentence."""
        what = "This run" if self.time_line is None else "The rest of this run"
        self.game.pop_mode()
        self.game.feedback.show_message(f"{what} cannot be shown", reason, 8.0)

    def leave(self) -> None:
        game = self.game
        game.screen.fade.waiting_for = ""
        if self._kept is not None:
            game.level, game.session, eye, game.cameras.free.is_active, game.feedback.golf_hud = self._kept
            game.cameras.first_person = eye
            game.feedback.forget_moment(self._event_message)
            if game.session is not None:
                game.session.pause()
                game.feedback.target_fade.update(game.session.world.reached_targets, 0.0, jump=True)
        elif self.time_line is not None:
            self._go_on()
        game.input.view.skip_pointer_jump()
        self._reset(None)

    def _go_on(self) -> None:
        """Play goes on from the tick that was chosen; the later ones are dropped."""
        game, session = self.game, self.game.played_session
        history = self._shown.history
        at = history.end if self._goes_on_at is None else self._goes_on_at
        is_earlier = at < history.end
        self._shown.move_to(at)
        self._shown.show()
        game.input.view.yaw, game.input.view.pitch = history.view(at)
        history.cut(at)
        session.reset_interpolation()
        session.pause()
        game.cameras.first_person.snap(session.pose())
        game.feedback.target_fade.update(session.world.reached_targets, 0.0, jump=True)
        if is_earlier:
            game.runs.time_trial.rewound(at)
            if game.runs.lab is not None:
                game.runs.lab.reset_ghosts()
            game.feedback.sound_events = None

    def play_from_here(self) -> None:
        """Play from the tick that is shown."""
        self._shown.show()
        self._goes_on_at = self._shown.tick + 1
        self.game.resume()

    def _exit(self) -> None:
        if self.request is not None and self.request.exit_page is not None:
            self.game.push_mode(PAUSED, self.request.exit_page())
        else:
            self.game.resume()

    def focus_lost(self, reason: str = "") -> None:
        """Release all keys: a rewind stands still."""
        self._runs_back = False
        self._step = None

    # State

    @property
    def _shown(self) -> TimeLine:
        """The time line, once it is loaded."""
        assert self.time_line is not None
        return self.time_line

    @property
    def is_heard(self) -> bool:  # type: ignore[override]
        return self.request is not None

    @property
    def is_finished(self) -> bool:
        """Whether no tick is left."""
        return self.time_line is not None and self.time_line.position >= self.time_line.end

    @property
    def _plays(self) -> bool:
        return self.is_playing and not self.is_finished

    @property
    def is_moving(self) -> bool:  # type: ignore[override]
        """Whether time passes in the picture."""
        repeats = self._step is not None and self._held_seconds > REPEAT_DELAY
        return self.time_line is not None and (self._runs_back or repeats or self._plays)

    @property
    def _toggles(self) -> bool:
        """Whether the rewind key starts and stops instead of being held (setting `rewind_key`)."""
        return self.game.settings.rewind_key == "toggle"

    # Keys and mouse

    @property
    def contexts(self) -> tuple[Context, ...]:  # type: ignore[override]
        if self.request is not None:
            return ((*TimeLineAction, *GLOBAL_ACTIONS),)
        held = (*MOVEMENT_ACTIONS, PlayAction.JUMP, *GLOBAL_ACTIONS)
        return (PlayAction.REWIND, TimeLineAction.NEXT_CAMERA, TimeLineAction.BACK), REWIND_ACTIONS, held

    @property
    def captures_mouse(self) -> bool:
        return self.request is None

    def commands(self) -> Mapping[Action, Callable[[], None]]:
        always: dict[Action, Callable[[], None]] = {
            TimeLineAction.BACK: self._exit,
            TimeLineAction.HELP: lambda: self.game.push_mode(HELP),
        }
        shown = self.time_line
        if shown is None:
            return always
        page = round(PAGE_SECONDS / shown.session.tick_seconds)
        return always | {
            PlayAction.REWIND: self._press_rewind,
            RewindAction.PLAY_FROM_HERE: self.play_from_here,
            TimeLineAction.STEP_BACK: lambda: self._press_step(TimeLineAction.STEP_BACK),
            TimeLineAction.STEP_FORWARD: lambda: self._press_step(TimeLineAction.STEP_FORWARD),
            TimeLineAction.PAGE_BACK: lambda: self.step(-page),
            TimeLineAction.PAGE_FORWARD: lambda: self.step(page),
            TimeLineAction.GO_TO_START: self.go_to_start,
            RewindAction.GO_TO_START: self.go_to_start,
            TimeLineAction.GO_TO_END: lambda: self.go_to(shown.end),
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

    def hold_key(self, key: str) -> None:
        """A key that walks: play on with it."""
        self.play_from_here()
        self.game.input.held.press(key)

    def end_action(self, action: Action) -> None:
        if action is PlayAction.REWIND:
            self._runs_back = self._runs_back and self._toggles
        if action is self._step:
            self._step = None

    def _press_rewind(self) -> None:
        self._runs_back = not (self._runs_back and self._toggles)
        self._held_seconds = 0.0
        self._step = None

    def _press_step(self, action: Action) -> None:
        """A step, which repeats while the key is held; a large one where a replay plays."""
        if not self._plays:
            self._step, self._held_seconds = action, 0.0
        self.step(STEPS[action] * self._step_ticks)

    @property
    def _step_ticks(self) -> int:
        if not self._plays and TimeLineAction.LARGE_STEP not in self.active_actions:
            return 1
        return LARGE_STEP if self.request is None else round(JUMP_SECONDS / self.game.played_session.tick_seconds)

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
        """The next camera of a replay; in rewind the eye or the outside."""
        if self.request is not None:
            self.set_camera(CAMERAS[(CAMERAS.index(self.cameras.chosen) + 1) % len(CAMERAS)])
        else:
            self.cameras.orbit.toggle()

    def keep_movie(self) -> None:
        """Make the movie of the marked span from the present camera; while one is made, the page that can cancel it."""
        movies = self.game.runs.movies
        if movies.is_busy:
            self.game.push_mode(PAUSED, "movie")
        elif self.request is not None and self.time_line is not None:
            self.movie_span.make_movie(
                movies, self.request.replay, self.cameras, self.game.settings, self.time_line.duration
            )

    def left_pressed(self) -> None:
        mouse = self.game.menus.mouse_navigation
        if self.request is not None and self._hud is not None:
            place = arrange_hud(self._hud, mouse.size).timeline_rectangle
            self._grabs_picture = place is None or index_at([place], *mouse.pointer) != 0
            self._grabbed = None if self._grabs_picture else place
            self._grab_travel = 0.0

    def mouse_button(self, name: str, down: bool) -> None:
        if name == MouseButton.LEFT and not down:
            if self._grabs_picture and self._grab_travel <= CLICK_TRAVEL:
                self.toggle()
            self._grabbed, self._grabs_picture = None, False

    def mouse_moved(self, dx: float, dy: float) -> None:
        """Turn the outside camera, in a replay while the button is held."""
        if self.captures_mouse or self._grabs_picture:
            self._grab_travel += abs(dx) + abs(dy)
            settings = self.game.settings
            self.cameras.orbit.rotate_by_mouse(-dx if settings.invert_x else dx, -dy if settings.invert_y else dy)

    def scrolled(self, by: float) -> None:
        self.cameras.orbit.zoom(by)

    def help_panel(self) -> Panel:
        keys = self.game.settings.key_bindings.context_help(TimeLineAction)
        return Panel(title="Controls of the replay", keys=keys, width=620.0)

    # Time

    def go_to(self, position: float) -> None:
        """Go to a position (ticks); a rewind stands still there."""
        self._runs_back = False
        self._shown.move_to(position)
        self._show()

    def go_to_start(self) -> None:
        """Go to the start; a replay plays on from there."""
        self.is_playing = self.request is not None
        self.go_to(self._shown.start)

    def seek(self, seconds: float) -> None:
        """Go to the tick at a time (s)."""
        self.go_to(float(round(self._shown.position_at(seconds))))

    def step(self, ticks: int) -> None:
        """Step by whole ticks, backwards where negative."""
        at = self._shown.position
        self.go_to((math.floor(at) if ticks > 0 else math.ceil(at)) + ticks)

    def update(self, now: float, seconds: float) -> None:
        shown = self.time_line
        if shown is None:
            self._take_loaded()
            return
        self._held_seconds += seconds
        if self._grabbed is not None:
            fraction = (self.game.menus.mouse_navigation.pointer[0] - self._grabbed[0]) / max(self._grabbed[2], 1.0)
            self.seek(min(max(fraction, 0.0), 1.0) * shown.duration)
        elif self._step is not None:
            if self._held_seconds > REPEAT_DELAY:
                shown.move_to(shown.position + STEPS[self._step] * self._step_ticks * REPEAT_RATE * seconds)
        elif self._runs_back:
            if not shown.waits:
                self._run_back(seconds)
        elif self.is_moving and not shown.waits:
            ahead = min(seconds * SPEEDS[self._speed], MAX_FRAME_SECONDS)
            self._play_to(shown.position_at(shown.seconds + ahead), seconds)
            return
        elif shown.position != math.ceil(shown.position):  # stop at the end of the tick
            shown.move_to(math.ceil(shown.position))
            self.game.cameras.first_person.snap(shown.session.pose())
        self._show()

    def _run_back(self, seconds: float) -> None:
        """Move the position back for a frame of `seconds`."""
        shown = self._shown
        history = shown.history
        fast = 2.0 ** max(0.0, self._held_seconds - FAST_AFTER_SECONDS)
        speed = min(START_SPEED + SPEED_GAIN * self._held_seconds, MAX_SPEED) * min(fast, MAX_FAST_FACTOR)
        before = shown.position
        shown.move_to(before - speed * seconds / shown.session.tick_seconds)
        if not history.is_quick(shown.tick):
            keyframe = history.keyframe_before(shown.tick)
            if before - shown.position > shown.tick - keyframe:  # from keyframe to keyframe nothing is simulated
                shown.move_to(keyframe + 1.0)

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

    def _show(self, plays: bool = False) -> None:
        """Bring world and cameras to the position, or a part of the way where many ticks must be simulated; go back
        where it cannot be shown. plays: a replay plays on to the next tick."""
        shown = self._shown
        before, until = shown.shown, time.perf_counter() + self.max_simulation
        try:
            shown.show(None if plays else lambda: time.perf_counter() < until)
        except ReplayError as error:
            self._give_up(str(error))
            return
        if shown.shown is not None and shown.shown is not before and not plays:
            flags = shown.session.world.reached_targets
            self.game.feedback.target_fade.update(flags, 0.0, jump=True)
            if before is None or not self.is_moving or abs(shown.shown.number - before.number) > MAX_SMOOTH_TICKS:
                self._skip_smoothing()

    def _skip_smoothing(self) -> None:
        """Another moment is shown, perhaps in another level."""
        game, shown = self.game, self._shown
        session, world = shown.session, shown.session.world
        if game.session is not session:
            game.level, game.session = world.level, session
            game.cameras.first_person = FirstPersonCamera(world.mesh, world.settings.eye, session.pose())
        game.cameras.first_person.snap(session.pose())
        self.cameras.snap()
        game.feedback.forget_moment(self._event_message)
        game.feedback.target_fade.update(world.reached_targets, 0.0, jump=True)
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

    def anatomy(self) -> TickAnatomy:
        """Anatomy of the tick that is shown; computed once per tick."""
        shown, history = self._shown.shown, self._shown.history
        assert shown is not None
        if self._anatomy is None or self._anatomy[0] != shown.number:
            if history.world.trace is None:
                history.seek(shown.number)
            report = describe_tick(history.world, shown.before, history.command(shown.number), shown.events)
            self._anatomy = shown.number, TickAnatomy(report, self.game.settings.palette)
        return self._anatomy[1]

    def _trail_dots(self) -> OverlayPoints:
        """Trail of the feet around the position; computed once per half tick."""
        shown = self._shown
        half_tick = round(2.0 * shown.position)
        if self._trail is None or self._trail[0] != half_tick:
            self._trail = half_tick, tick_anatomy.trail_dots(shown.history, shown.position)
        return self._trail[1]

    def place_camera(self) -> None:
        """Move the outside camera to the best view of the tick that is shown."""
        session, report = self.game.played_session, self.anatomy().report
        normals = [surface.normal for surface in report.surfaces if surface.kind != "walkable"]
        self.cameras.orbit.choose_viewpoint(session.world, session.pose(), session.movers(), report.wished, normals)
        self._camera_placed = True

    # Frame

    def view_direction(self) -> tuple[float, float]:
        """Recorded view, interpolated as the body is."""
        shown = self.time_line
        if shown is None or shown.shown is None:
            return super().view_direction()
        return shown.history.view(shown.position if not shown.waits else shown.shown.number + 1.0)

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        game, shown = self.game, self.time_line
        if shown is None:
            return replace(shot, hud=replace(shot.hud, crosshair=False, hint=f"{key_symbol('Esc')}: back"))
        is_still = not self.is_moving and not shown.waits
        explains = self.request is None or (is_still and game.screen.debug)
        if explains and is_still and not self._camera_placed:
            self.place_camera()
        shot = self.cameras.apply_to_frame(shot, frame, shown.tick, explains)
        if self.ghost is not None and self.shows_ghost:
            bodies = self.ghost.ellipsoids_at(max(shown.run_seconds, FIRST_SECONDS), shot.view.eye)
            shot = replace(shot, ellipsoids=(*shot.ellipsoids, *bodies))
        if shot.hud.panel is not None:  # the help page, or the menu of the viewer
            return replace(shot, hud=replace(shot.hud, hint=""))
        held, seconds, length = game.input.held, shown.seconds, shown.duration
        marks = tuple(sorted((*self._marks, *self.movie_span.marks(length))))
        if self.request is None:
            tick_seconds, is_earlier = shown.session.tick_seconds, shown.tick + 1 < shown.end
            timeline = timelines.rewind_timeline(seconds, length, tick_seconds, self._columns, marks)
            keys = timelines.rewind_keys(held, self._toggles, is_earlier and game.runs.time_trial.rewind_costs_time)
        else:
            speed, moves, camera = self._speed, self.is_moving, self.cameras.chosen
            timeline = timelines.replay_timeline(seconds, length, speed, moves, self._columns, marks)
            ghost = "" if self.ghost is None else "on" if self.shows_ghost else "off"
            keys = timelines.replay_keys(held, speed, moves, self.is_finished, camera, ghost)
        hud = replace(shot.hud, crosshair=False, hint="", cards=(), timeline=timeline, key_strip=keys)
        if shown.track is not None:
            hud = replace(hud, timer=format_time(shown.run_seconds), timer_caption=self._gap_text())
        if self.request is not None and self.is_finished and game.feedback.message in (None, self._event_message):
            total = length if shown.track is None else shown.track.seconds
            text, detail = timelines.end_texts(total, self.request.exit_page is not None, held)
            hud = replace(hud, message=text, message_detail=detail)
        self._hud = hud
        shot = replace(shot, hud=hud)
        if explains and self.cameras.shows_orbit:
            shot = tick_anatomy.show_body(shot, shown.session.pose(), self._trail_dots())
        if is_still and game.screen.debug:
            shot = self.anatomy().apply_to_frame(shot, game.world, frame.aspect)
        return shot

    def _gap_text(self) -> str:
        """Time difference to the ghost at the place of the body, and whose it is; empty where none is shown."""
        if self.ghost is None or not self.shows_ghost:
            return ""
        name = self.ghost.name or "the best run"
        state = self.game.world.walker_state
        gap = self._pace.update(self.ghost.track, state, self._shown.run_seconds_at(math.ceil(self._shown.position)))
        return f"Ghost: {name}" if gap is None else f"{format_time_difference(gap)}   to {name}"
