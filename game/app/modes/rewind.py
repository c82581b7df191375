"""The way back: the last seconds run backwards while a key is held, stand still, and go on from any of their ticks."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...physics import WalkerState
from ...render.overlay_layers import Overlay, OverlayPoints, concatenate_layers
from ...render.passes.ellipsoids import EllipsoidInstance
from ...sim import RewindBuffer
from ...sim.events import Event, Respawned
from ...sim.replay.tick_report import describe_tick
from ..cameras.orbit import OrbitCamera
from ..settings.mode_names import REWINDING
from ..visuals.rewind_timeline import Columns, Marks, build_timeline, event_marks, speed_columns
from ..visuals.tick_card import tick_card
from ..visuals.tick_diagram import TickDiagram, interpolated_body, trail_dots

if TYPE_CHECKING:
    from ...render import Snapshot
    from ...sim import Session
    from ..game import Game

REWIND_ACTION = "rewind"  # the action that it is held by
START_SPEED, MAX_SPEED, SPEED_GAIN = (
    1.0,
    4.0,
    1.5,
)  # times as fast as it was walked: at first, at most, more each second
STEP_KEYS = {"LEFT": -1, "RIGHT": 1}
LARGE_STEP = 10  # ticks, with Shift
REPEAT_DELAY, REPEAT_RATE = 0.35, 20.0  # s until a held arrow goes on by itself, and ticks a second then
RESUME_KEYS = ("RETURN", "ENTER", "NUM_ENTER")
SHIFT_KEYS = ("LSHIFT", "RSHIFT")
MOVEMENT_ACTIONS = frozenset(("forward", "back", "left", "right", "jump"))
HEADING_UNITS_PER_TURN = 65536
KEY_HELP = (
    ("Backspace", "Hold to rewind"),
    ("Left Right", "1 tick"),
    ("Shift", "10 ticks"),
    ("Enter or walk", "Play from here"),
    ("V", "First / third person"),
    ("Mouse", "Look around"),
    ("Esc", "Back to now"),
)


@dataclass(slots=True)
class ShownTick:
    """The tick at whose end the world stands: its place in the ring, the walker before it, and what happened in it."""

    index: int
    before: WalkerState
    events: tuple[Event, ...]


class RewindMode:
    """Belongs to one game. `on` while the last seconds are looked at; `at` is where, in ticks from the ring's oldest:
    k + 1 is the end of tick k. `used` counts how often one went on from an earlier tick."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.position = 0.0
        self.resume_count = 0
        self.shown_tick: ShownTick | None = None
        self.held_seconds = 0.0  # s for which the way back has been held
        self._backward_held = False
        self._arrow = ""
        self._arrow_seconds = 0.0
        self._shift: set[str] = set()
        self._session: Session | None = None
        self.orbit_camera = OrbitCamera()
        self._camera_placed = False  # whether the camera has found its place
        self._diagram: TickDiagram | None = None
        self._diagram_tick = -1
        self._trail: tuple[int, OverlayPoints] | None = None
        self._columns: Columns = ()
        self._marks: Marks = ()

    @property
    def is_active(self) -> bool:
        """Whether the game is in this mode."""
        return self.game.mode == REWINDING

    @property
    def ring(self) -> RewindBuffer:
        """The last seconds."""
        assert self._session is not None
        assert self._session.rewind_buffer is not None
        return self._session.rewind_buffer

    @property
    def is_paused(self) -> bool:
        """Whether time stands."""
        return not self._backward_held and not (self._arrow and self._arrow_seconds > REPEAT_DELAY)

    def attach_ring(self, session: Session) -> None:
        """Keep the last seconds of a session from now on."""
        session.rewind_buffer = RewindBuffer(session.world)

    # In and out

    def enter(self) -> bool:
        """From play into the past, where there is any."""
        session = self.game.session
        if session is None or session.rewind_buffer is None or not len(session.rewind_buffer):
            return False
        if session.rewind_buffer.world is not session.world:
            return False
        self._session = session
        self._columns, self._marks = (
            speed_columns(session.rewind_buffer, self.game.settings.palette),
            event_marks(session.rewind_buffer),
        )
        self.position = len(session.rewind_buffer) - 1 + session.alpha
        session.pause()
        self.game.held_actions.clear()
        self.game.free_camera.leave()
        self.game.message = None
        self.game.mode = REWINDING
        self.shown_tick = self._diagram = self._trail = None
        self._camera_placed = False
        self._shift.clear()
        self._arrow, self._backward_held, self.held_seconds = "", True, 0.0
        self.restore_tick()
        self._start_orbit_camera()
        return True

    def _start_orbit_camera(self) -> None:
        """Send the camera out of the eye, to a place from where the body is seen."""
        assert self._session is not None
        session = self._session
        self.orbit_camera.reset()
        pose = session.pose()
        state = session.current
        self.orbit_camera.choose_viewpoint(session.world, pose, session.movers(), state.velocity, ())

    def release_all(self) -> None:
        """Every key counts as released: time stands."""
        self._backward_held, self._arrow = False, ""
        self._shift.clear()

    def resume(self, key: str = "") -> None:
        """Play from the tick that is shown, with this key held."""
        assert self._session is not None
        assert self.shown_tick is not None
        game, session, ring, k = self.game, self._session, self.ring, self.shown_tick.index
        self.release_all()
        self.position = float(k + 1)
        self.restore_tick()
        earlier = k < len(ring) - 1
        ring.truncate_after(k)
        if earlier:
            self.resume_count += 1
            if session.recorder is not None:
                session.recorder.state_replaced()
            game.time_trial.void("rewind used")
            if game.lab is not None:
                game.lab.reset_ghosts()
            game.sound_events = None
        game.resume()
        session.pause()
        game.first_person_camera.snap(session.pose())
        if key:
            game.held_actions.press(key)

    def leave(self) -> None:
        """Back to where one came from, and play."""
        self.position = float(len(self.ring))
        self.restore_tick()
        self.resume()

    # Keys and mouse

    def key_pressed(self, key: str) -> None:
        """A key went down in this mode."""
        actions = self.game.held_actions.bindings.actions_of(key)
        if key in SHIFT_KEYS:
            self._shift.add(key)
        elif key == "BACKSPACE" or REWIND_ACTION in actions:
            self._backward_held, self.held_seconds, self._arrow = True, 0.0, ""
        elif key in STEP_KEYS:
            self._arrow, self._arrow_seconds = key, 0.0
            self.step(STEP_KEYS[key] * self._step_ticks)
        elif key in ("HOME", "END"):
            self.go_to(1.0 if key == "HOME" else float(len(self.ring)))
        elif key == "V":
            self.orbit_camera.enabled = not self.orbit_camera.enabled
        elif key == "ESCAPE":
            self.leave()
        elif key in RESUME_KEYS:
            self.resume()
        elif MOVEMENT_ACTIONS.intersection(actions):
            self.resume(key)

    def key_released(self, key: str) -> None:
        """A key went up."""
        self._shift.discard(key)
        if key == "BACKSPACE" or REWIND_ACTION in self.game.held_actions.bindings.actions_of(key):
            self._backward_held = False
        elif key == self._arrow:
            self._arrow = ""

    @property
    def _step_ticks(self) -> int:
        return LARGE_STEP if self._shift else 1

    def mouse_moved(self, dx: float, dy: float) -> None:
        """The mouse moved by so many pixels: the camera goes round the body."""
        settings = self.game.settings
        self.orbit_camera.rotate_by_mouse(-dx if settings.invert_x else dx, -dy if settings.invert_y else dy)

    def scrolled(self, by: float) -> None:
        """The wheel turned, positive away from the hand: the camera comes nearer."""
        if self.is_active:
            self.orbit_camera.zoom(by)

    # What a frame shows

    def apply_to_frame(self, shot: Snapshot, seconds: float, aspect: float) -> Snapshot:
        """The picture from beside the body, with where in time one is; where time stands, with the tick explained."""
        session, game = self._session, self.game
        if not self.is_active or self.shown_tick is None or session is None:
            return shot
        world, pose, poses, settings = session.world, session.pose(), session.movers(), game.settings
        still = self.is_paused and self.position == self.shown_tick.index + 1
        diagram = self.diagram() if still else None
        if diagram is not None and not self._camera_placed:
            self.place_camera()
        seen = self.orbit_camera.update(world, pose, poses, shot.view, seconds, aspect, settings.reduce_motion)
        dots = self._trail_dots() if self.orbit_camera.blend > 0.0 else None
        line = build_timeline(self.ring, self.position, self._columns, self._marks)
        shown = replace(
            shot.hud, timeline=line, key_strip=KEY_HELP, hint="", message="", message_detail="", crosshair=False, cards=(),
            counter="", timer="", timer_caption="",
        )  # fmt: skip
        if self.orbit_camera.blend > 0.5:
            shown = replace(shown, tint=(0.0, 0.0, 0.0, 0.0))
        glass: tuple[EllipsoidInstance, ...] = ()
        overlay = Overlay(points=() if dots is None else (dots,))
        if diagram is not None:
            if self.orbit_camera.blend > 0.0:
                glass = diagram.body_ellipsoid()
            overlay = diagram.overlay(seen.eye, dots)
            told = tick_card(diagram, world.tick, world.settings.ticks_per_second, settings.palette)
            shown = replace(shown, cards=(told,), labels=diagram.labels(seen, aspect))
        elif self.orbit_camera.blend > 0.0:
            glass = (interpolated_body(pose),)
        layers = [] if shot.overlay is None else [shot.overlay]
        return replace(
            shot, view=seen, hud=shown, overlay=concatenate_layers([*layers, overlay]), debug=None,
            ellipsoids=(*shot.ellipsoids, *glass),
        )  # fmt: skip

    def place_camera(self) -> None:
        """Where the tick that is shown is seen best, unless it was turned by hand."""
        assert self._session is not None
        session, account = self._session, self.diagram().account
        touched = [one.normal for one in account.surfaces if one.kind != "walkable"]
        self.orbit_camera.choose_viewpoint(session.world, session.pose(), session.movers(), account.wished, touched)
        self._camera_placed = True

    def diagram(self) -> TickDiagram:
        """What the tick that is shown looks like, explained."""
        assert self.shown_tick is not None
        assert self._session is not None
        if self._diagram is None or self._diagram_tick != self.shown_tick.index:
            stood, world = self.shown_tick, self._session.world
            if world.trace is None:
                ring = self.ring
                ring.seek(stood.index)
            account = describe_tick(world, stood.before, self.ring[stood.index].command, stood.events)
            self._diagram, self._diagram_tick = TickDiagram(account, self.game.settings.palette), stood.index
        return self._diagram

    def _trail_dots(self) -> OverlayPoints:
        """The way that the feet went."""
        key = round(2.0 * self.position)
        if self._trail is None or self._trail[0] != key:
            self._trail = key, trail_dots(self.ring, self.position)
        return self._trail[1]

    # Time

    def step(self, ticks: int) -> None:
        """So many ticks on, or back where negative, as far as there are any."""
        self.go_to(math.floor(self.position) + ticks if ticks > 0 else math.ceil(self.position) + ticks)

    def go_to(self, at: float) -> None:
        """To a place in the ring."""
        self.position = min(max(at, 1.0), float(len(self.ring)))
        self.restore_tick()

    def update(self, seconds: float) -> None:
        """So much time went by on the clock."""
        assert self._session is not None
        if self._session.world is not self.ring.world or self.game.session is not self._session:
            self.release_all()  # the level was read anew
            self.game.resume()
            return
        if self._backward_held:
            self.held_seconds += seconds
            pace = min(START_SPEED + SPEED_GAIN * self.held_seconds, MAX_SPEED) / self._session.tick_seconds
            self.position = max(self.position - pace * seconds, 0.0)
        elif self._arrow:
            self._arrow_seconds += seconds
            if self._arrow_seconds > REPEAT_DELAY:
                way = STEP_KEYS[self._arrow] * self._step_ticks * REPEAT_RATE * seconds
                self.position = min(max(self.position + way, 1.0), float(len(self.ring)))
        elif self.position != math.floor(self.position) or self.position < 1.0:
            self.position = max(float(math.ceil(self.position)), 1.0)  # stand at the end of the tick
        self.restore_tick()

    def restore_tick(self) -> None:
        """Bring the world, and the view with it, to the place in the ring."""
        assert self._session is not None
        ring, session = self.ring, self._session
        k = min(max(math.ceil(self.position) - 1, 0), len(ring) - 1)
        if self.shown_tick is None or self.shown_tick.index != k:
            before, events = ring.seek(k)
            if any(isinstance(event, Respawned) for event in events):
                before = session.world.walker_state  # put elsewhere: nothing is drawn between
            jumped = self.shown_tick is None or abs(self.shown_tick.index - k) > 2 * LARGE_STEP
            self.shown_tick = ShownTick(k, before, events)
            session.show_replayed_tick(before, self.position - k)
            if jumped:
                self.game.first_person_camera.snap(session.pose())
            flags = session.world.reached_targets.flags
            self.game.target_fade.update(flags, 0.0, jump=True)
        session.show_replayed_tick(self.shown_tick.before, self.position - k)
        yaw, pitch = self.view_direction()
        self.game.view_angles.yaw, self.game.view_angles.pitch = yaw, pitch

    def view_direction(self) -> tuple[float, float]:
        """Where one looked there: yaw and pitch, 65536 to the turn."""
        assert self.shown_tick is not None
        ring, k = self.ring, self.shown_tick.index
        now, before = ring[k].command, ring[max(k - 1, 0)].command
        part = min(max(self.position - k, 0.0), 1.0)
        turn = (
            now.heading - before.heading + HEADING_UNITS_PER_TURN / 2
        ) % HEADING_UNITS_PER_TURN - HEADING_UNITS_PER_TURN / 2
        return (before.heading + part * turn) % HEADING_UNITS_PER_TURN, before.pitch + part * (now.pitch - before.pitch)
