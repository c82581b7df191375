"""Rewind mode: the last seconds run backwards while a key is held; play can continue from any of their ticks."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...physics import WalkerState
from ...render.overlay_layers import Overlay, OverlayPoints, concatenate_layers
from ...render.snapshot import EllipsoidInstance
from ...sim.events import Event, Respawned
from ...sim.replay.tick_report import describe_tick
from ..cameras.replay_cameras import OrbitCamera
from ..input.actions import GLOBAL_ACTIONS, MOVEMENT_ACTIONS, REWIND_PLAY_ACTIONS, Action, PlayAction, RewindAction
from ..input.arrow_repeat import ArrowRepeat
from ..settings.mode_names import REWINDING
from ..visuals.tick_anatomy import TickAnatomy, interpolated_body, trail_dots
from ..visuals.timelines import Columns, Marks, build_timeline, event_marks, speed_columns
from .mode import Mode

if TYPE_CHECKING:
    from ...render import Snapshot
    from ...sim import History, Session
    from ..cameras.camera import CameraFrame
    from ..game import Game

START_SPEED = 1.0  # multiple of real time
MAX_SPEED = 4.0  # multiple of real time
SPEED_GAIN = 1.5  # multiples of real time per second of holding
# After these seconds of holding the speed doubles every second, up to the factor, so that an hour takes half a minute.
FAST_AFTER_SECONDS = 4.0
MAX_FAST_FACTOR = 64.0
SIMULATION_SECONDS = 0.012  # s a frame for ticks that are simulated on the way to the one that is wanted
STEPS: Mapping[Action, int] = {RewindAction.STEP_BACK: -1, RewindAction.STEP_FORWARD: 1}
LARGE_STEP = 10  # ticks, with Shift
PAGE_SECONDS = 10.0


@dataclass(slots=True)
class ShownTick:
    """The tick at whose end the world stands: its number, the walker before it, events in it."""

    number: int
    before: WalkerState
    events: tuple[Event, ...]


class RewindMode(Mode):
    """Time line over the session, back to the start of the level.

    position       time in ticks of the history: k + 1 is the end of tick k
    held_seconds   s for which the rewind key has been held
    """

    name = REWINDING
    contexts = (REWIND_PLAY_ACTIONS, RewindAction, (*MOVEMENT_ACTIONS, PlayAction.JUMP, *GLOBAL_ACTIONS))
    is_moving = True
    _session: Session  # since `enter`

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.position = 0.0
        self.shown_tick: ShownTick | None = None
        self.held_seconds = 0.0
        self._backward_held = False
        self._arrow = ArrowRepeat()
        self.orbit_camera = OrbitCamera()
        self._camera_placed = False
        self._anatomy: TickAnatomy | None = None
        self._anatomy_tick = -1
        self._trail: tuple[int, OverlayPoints] | None = None
        self._columns: Columns = ()
        self._marks: Marks = ()

    @property
    def captures_mouse(self) -> bool:
        return True

    @property
    def history(self) -> History:
        assert self._session.history is not None
        return self._session.history

    @property
    def is_paused(self) -> bool:
        """Whether time stands still."""
        return not self._backward_held and not self._arrow.is_repeating

    # In and out

    def enter(self, subject: Any = None) -> None:
        game = self.game
        self._session = session = game.played_session
        history = self.history
        self._columns = speed_columns(history.columns(history.first, history.end), game.settings.palette)
        self._marks = event_marks(history)
        self.position = history.end - 1 + session.alpha
        game.stop_input()
        game.cameras.free.is_active = False
        game.feedback.message = None
        self.shown_tick = self._anatomy = self._trail = None
        self._camera_placed = False
        self._release_all()
        self._backward_held = True
        self.held_seconds = 0.0
        self.restore_tick()
        self._start_orbit_camera()

    def _start_orbit_camera(self) -> None:
        """Start the orbit camera at the eye, on its way to a place with a view of the body."""
        session = self._session
        self.orbit_camera.reset()
        pose = session.pose()
        state = session.current
        self.orbit_camera.choose_viewpoint(session.world, pose, session.movers(), state.velocity, ())

    def leave(self) -> None:
        self._release_all()

    def focus_lost(self, reason: str = "") -> None:
        self._release_all()

    def _release_all(self) -> None:
        """Release all keys: time stands still."""
        self._arrow = ArrowRepeat()
        self._backward_held = False

    def play_from_here(self, key: str = "") -> None:
        """Play from the tick that is shown. key: held from now on."""
        assert self.shown_tick is not None
        self.restore_tick(at_once=True)
        game = self.game
        session = self._session
        following = self.shown_tick.number + 1
        self._release_all()
        self.position = float(following)
        self.restore_tick()
        is_earlier = following < self.history.end
        self.history.cut(following)
        session.reset_interpolation()
        if is_earlier:
            game.runs.time_trial.rewound(following)
            if game.runs.lab is not None:
                game.runs.lab.reset_ghosts()
            game.feedback.sound_events = None
        game.resume()
        session.pause()
        game.cameras.first_person.snap(session.pose())
        if key:
            game.input.held.press(key)

    def return_to_present(self) -> None:
        """Play from the latest tick."""
        self.position = float(self.history.end)
        self.restore_tick(at_once=True)
        self.play_from_here()

    # Keys and mouse

    def commands(self) -> Mapping[Action, Callable[[], None]]:
        return {
            PlayAction.REWIND: self._press_rewind,
            PlayAction.THIRD_PERSON: self.orbit_camera.toggle,
            PlayAction.MENU: self.return_to_present,
            RewindAction.BACK_TO_NOW: self.return_to_present,
            RewindAction.PLAY_FROM_HERE: self.play_from_here,
            RewindAction.STEP_BACK: lambda: self._press_arrow(RewindAction.STEP_BACK),
            RewindAction.STEP_FORWARD: lambda: self._press_arrow(RewindAction.STEP_FORWARD),
            RewindAction.PAGE_BACK: lambda: self._turn_page(-PAGE_SECONDS),
            RewindAction.PAGE_FORWARD: lambda: self._turn_page(PAGE_SECONDS),
            RewindAction.GO_TO_START: lambda: self.go_to(self._start),
            RewindAction.GO_TO_END: lambda: self.go_to(float(self.history.end)),
        }

    def _press_rewind(self) -> None:
        starts = not (self._backward_held and self._toggles)
        self._backward_held = starts
        self.held_seconds = 0.0
        self._arrow = ArrowRepeat()

    def _press_arrow(self, action: Action) -> None:
        self._backward_held = False
        self._arrow.press(action)
        self.step(STEPS[action] * self._step_ticks)

    def _turn_page(self, seconds: float) -> None:
        self._backward_held = False
        self.go_to(math.floor(self.position) + seconds / self._tick_seconds)

    def hold_key(self, key: str) -> None:
        """A key that walks: play on with it."""
        self.play_from_here(key)

    def end_action(self, action: Action) -> None:
        if action is PlayAction.REWIND:
            self._backward_held = self._backward_held and self._toggles
        self._arrow.release(action)

    @property
    def _toggles(self) -> bool:
        """Whether the rewind key starts and stops instead of being held (setting `rewind_key`)."""
        return self.game.settings.rewind_key == "toggle"

    @property
    def _tick_seconds(self) -> float:
        return self._session.tick_seconds

    @property
    def _step_ticks(self) -> int:
        return LARGE_STEP if RewindAction.LARGE_STEP in self.active_actions else 1

    def mouse_moved(self, dx: float, dy: float) -> None:
        settings = self.game.settings
        self.orbit_camera.rotate_by_mouse(-dx if settings.invert_x else dx, -dy if settings.invert_y else dy)

    def scrolled(self, by: float) -> None:
        self.orbit_camera.zoom(by)

    # Frame

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        """The snapshot from the orbit camera with the time line; while time stands still and the debug info is on,
        with the tick explained. The card stands where the figures of the debug info were.
        """
        game = self.game
        if self.shown_tick is None:
            return shot
        session = self._session
        world = session.world
        still = self.is_paused and not self._waits and self.position == self.shown_tick.number + 1
        if still and not self._camera_placed:
            self.place_camera()
        anatomy = self.anatomy() if still and game.screen.debug else None
        shot = self.orbit_camera.apply_to_frame(shot, frame)
        view = shot.view
        dots = self._trail_dots() if self.orbit_camera.blend > 0.0 else None
        timeline = build_timeline(self.history, self.position, self._columns, self._marks)
        hud = replace(
            shot.hud, timeline=timeline, key_strip=self._key_strip(), hint="", message="", message_detail="",
            crosshair=False, cards=(), counter="", timer="", timer_caption="",
        )  # fmt: skip
        bodies: tuple[EllipsoidInstance, ...] = ()
        overlay = Overlay(points=() if dots is None else (dots,))
        if anatomy is not None:
            if self.orbit_camera.blend > 0.0:
                bodies = anatomy.body_ellipsoid()
            overlay = anatomy.overlay(dots)
            card = anatomy.card(world.tick, world.settings.ticks_per_second)
            hud = replace(hud, cards=(card,), labels=anatomy.labels(view, frame.aspect), debug_lines=())
        elif self.orbit_camera.blend > 0.0:
            bodies = (interpolated_body(session.pose()),)
        layers = [] if shot.overlay is None else [shot.overlay]
        return replace(
            shot, hud=hud, overlay=concatenate_layers([*layers, overlay]),
            ellipsoids=(*shot.ellipsoids, *bodies),
        )  # fmt: skip

    def _key_strip(self) -> tuple[tuple[str, str], ...]:
        """Keys of this mode, as they are bound, for the device in use."""
        keys = self.game.input.held
        rewind = keys.describe(PlayAction.REWIND), "Rewind on/off" if self._toggles else "Hold to rewind"
        camera = keys.describe(PlayAction.THIRD_PERSON), "First / third person"
        debug = keys.describe(PlayAction.DEBUG)
        physics = ((debug, "Physics of the tick"),) if debug else ()
        by_keyboard = not keys.uses_gamepad
        play = "Play from here, without time" if self._costs_time else "Play from here"
        more = (("Shift", "10 steps"), *(() if keys.bindings.actions_of("HOME") else (("Home", "Start"),)))
        return (
            rewind,
            (keys.labels(RewindAction.STEP_BACK, RewindAction.STEP_FORWARD), "1 step"),
            *(more if by_keyboard else ()),
            (f"{keys.labels(RewindAction.PLAY_FROM_HERE)}{' or walk' if by_keyboard else ''}", play),
            camera,
            *((("Mouse", "Look around"),) if by_keyboard else ()),
            *physics,
            ("Esc" if by_keyboard else keys.labels(RewindAction.BACK_TO_NOW), "Back to now"),
        )

    @property
    def _costs_time(self) -> bool:
        """Whether playing from here leaves a run without its time."""
        return self.game.runs.time_trial.rewind_costs_time and self._wanted_tick < self.history.end - 1

    def place_camera(self) -> None:
        """Move the orbit camera to the best view of the tick that is shown."""
        session = self._session
        report = self.anatomy().report
        normals = [surface.normal for surface in report.surfaces if surface.kind != "walkable"]
        self.orbit_camera.choose_viewpoint(session.world, session.pose(), session.movers(), report.wished, normals)
        self._camera_placed = True

    def anatomy(self) -> TickAnatomy:
        """Anatomy of the tick that is shown; computed once per tick."""
        assert self.shown_tick is not None
        if self._anatomy is None or self._anatomy_tick != self.shown_tick.number:
            shown = self.shown_tick
            world = self._session.world
            if world.trace is None:
                self.history.seek(shown.number)
            report = describe_tick(world, shown.before, self.history.command(shown.number), shown.events)
            self._anatomy = TickAnatomy(report, self.game.settings.palette)
            self._anatomy_tick = shown.number
        return self._anatomy

    def _trail_dots(self) -> OverlayPoints:
        """Trail of the feet up to the present position; computed once per half tick."""
        key = round(2.0 * self.position)
        if self._trail is None or self._trail[0] != key:
            self._trail = key, trail_dots(self.history, self.position)
        return self._trail[1]

    # Time

    def step(self, ticks: int) -> None:
        """Step by whole ticks, backwards where negative."""
        self.go_to(math.floor(self.position) + ticks if ticks > 0 else math.ceil(self.position) + ticks)

    def go_to(self, at: float) -> None:
        """Go to a position (ticks)."""
        self.position = min(max(at, self._start), float(self.history.end))
        self.restore_tick()

    def update(self, now: float, seconds: float) -> None:
        if self._session.world is not self.history.world or self.game.session is not self._session:
            self._release_all()  # the level was reloaded
            self.game.resume()
            return
        if self._backward_held:
            self.held_seconds += seconds
            self._run_back(seconds)
        elif self._arrow.action is not None:
            step = STEPS[self._arrow.action] * self._step_ticks * self._arrow.advance(seconds)
            self.position = min(max(self.position + step, self._start), float(self.history.end))
        elif self.position != math.floor(self.position) or self.position < self._start:
            self.position = max(float(math.ceil(self.position)), self._start)  # stop at the end of the tick
        self.restore_tick()

    def _run_back(self, seconds: float) -> None:
        """Move the position back for a frame of `seconds`. It waits while ticks are simulated."""
        if self._waits:
            return
        fast = 2.0 ** max(0.0, self.held_seconds - FAST_AFTER_SECONDS)
        pace = min(START_SPEED + SPEED_GAIN * self.held_seconds, MAX_SPEED) * min(fast, MAX_FAST_FACTOR)
        before = self.position
        wanted = max(self.position - pace * seconds / self._tick_seconds, float(self.history.first))
        k = max(math.ceil(wanted) - 1, self.history.first)
        if not self.history.is_quick(k):
            keyframe = self.history.keyframe_before(k)
            if before - wanted > k - keyframe:  # as fast as from keyframe to keyframe: nothing is simulated
                wanted = keyframe + 1.0
        self.position = wanted

    @property
    def _waits(self) -> bool:
        """Whether the tick that is shown is not yet the wanted one."""
        return self.shown_tick is None or self.shown_tick.number != self._wanted_tick

    @property
    def _wanted_tick(self) -> int:
        return min(max(math.ceil(self.position) - 1, self.history.first), self.history.end - 1)

    @property
    def _start(self) -> float:
        """Position at the end of the oldest tick."""
        return self.history.first + 1.0

    def restore_tick(self, at_once: bool = False) -> None:
        """Restore world and view to the present position.

        Where many ticks must be simulated, each call does a part and shows the former tick; at_once: all of it.
        """
        history = self.history
        session = self._session
        k = self._wanted_tick
        until = time.perf_counter() + SIMULATION_SECONDS
        if self._waits:
            is_ready = self.shown_tick is None or at_once or history.prepare(k, lambda: time.perf_counter() < until)
            if self.shown_tick is not None and not is_ready:
                history.seek(self.shown_tick.number)
                return
            before, events = history.seek(k)
            if any(isinstance(event, Respawned) for event in events):
                before = session.world.walker_state  # respawned: do not interpolate
            jumped = self.shown_tick is None or abs(self.shown_tick.number - k) > 2 * LARGE_STEP
            self.shown_tick = ShownTick(k, before, events)
            session.show_replayed_tick(before, self.position - k)
            if jumped:
                self.game.cameras.first_person.snap(session.pose())
            flags = session.world.reached_targets
            self.game.feedback.target_fade.update(flags, 0.0, jump=True)
        assert self.shown_tick is not None
        session.show_replayed_tick(self.shown_tick.before, self.position - k)
        self.game.input.view.yaw, self.game.input.view.pitch = history.view(self.position)
