"""The way back: the last seconds run backwards while a key is held, stand still, and go on from any of their ticks."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...lab.exhibits import together
from ...physics import WalkerState
from ...render.overlay_layers import Overlay, Points
from ...render.passes.ellipsoids import EllipsoidLook
from ...sim import Ring
from ...sim.events import Event, Respawned
from ...sim.replay.tick_report import account_of
from ..cameras.orbit import Aside
from ..settings.mode_names import REWINDING
from ..visuals.rewind_timeline import Columns, Marks, columns_of, marks_of, timeline
from ..visuals.tick_card import card
from ..visuals.tick_diagram import Diagram, body, trail

if TYPE_CHECKING:
    from ...render import Snapshot
    from ...sim import Session
    from ..game import Game

BACK = "rewind"  # the action that it is held by
SPEED, MOST_SPEED, RISE = 1.0, 4.0, 1.5  # times as fast as it was walked: at first, at most, more each second
STEP_KEYS = {"LEFT": -1, "RIGHT": 1}
LEAP = 10  # ticks, with Shift
WAIT, PACE = 0.35, 20.0  # s until a held arrow goes on by itself, and ticks a second then
GO_ON = ("RETURN", "ENTER", "NUM_ENTER")
SHIFTS = ("LSHIFT", "RSHIFT")
MOVES = frozenset(("forward", "back", "left", "right", "jump"))
TURN = 65536
KEYS = (
    ("Backspace", "hold: run back"),
    ("Left Right", "a tick"),
    ("Shift", "ten ticks"),
    ("Enter or walk", "go on from here"),
    ("V", "eye or beside"),
    ("Mouse", "look round it"),
    ("Esc", "return to now"),
)


@dataclass(slots=True)
class Stood:
    """The tick at whose end the world stands: its place in the ring, the walker before it, and what happened in it."""

    k: int
    before: WalkerState
    events: tuple[Event, ...]


class Rewinding:
    """Belongs to one game. `on` while the last seconds are looked at; `at` is where, in ticks from the ring's oldest:
    k + 1 is the end of tick k. `used` counts how often one went on from an earlier tick."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.at = 0.0
        self.used = 0
        self.stood: Stood | None = None
        self.running = 0.0  # s for which the way back has been held
        self._back = False
        self._arrow = ""
        self._arrow_for = 0.0
        self._shift: set[str] = set()
        self._session: Session | None = None
        self.aside = Aside()
        self._placed = False  # whether the camera has found its place
        self._diagram: Diagram | None = None
        self._drawn = -1
        self._trail: tuple[int, Points] | None = None
        self._columns: Columns = ()
        self._marks: Marks = ()

    @property
    def on(self) -> bool:
        """Whether the game is in this mode."""
        return self.game.mode == REWINDING

    @property
    def ring(self) -> Ring:
        """The last seconds."""
        assert self._session is not None
        assert self._session.ring is not None
        return self._session.ring

    @property
    def still(self) -> bool:
        """Whether time stands."""
        return not self._back and not (self._arrow and self._arrow_for > WAIT)

    def watch(self, session: Session) -> None:
        """Keep the last seconds of a session from now on."""
        session.ring = Ring(session.world)

    # In and out

    def enter(self) -> bool:
        """From play into the past, where there is any."""
        session = self.game.session
        if session is None or session.ring is None or not len(session.ring):
            return False
        if session.ring.world is not session.world:
            return False
        self._session = session
        self._columns, self._marks = columns_of(session.ring, self.game.settings.palette), marks_of(session.ring)
        self.at = len(session.ring) - 1 + session.alpha
        session.pause()
        self.game.held.clear()
        self.game.flying.stop()
        self.game.message = None
        self.game.mode = REWINDING
        self.stood = self._diagram = self._trail = None
        self._placed = False
        self._shift.clear()
        self._arrow, self._back, self.running = "", True, 0.0
        self.stand()
        self._look_from_beside()
        return True

    def _look_from_beside(self) -> None:
        """Send the camera out of the eye, to a place from where the body is seen."""
        assert self._session is not None
        session = self._session
        self.aside.begin()
        pose = session.pose()
        state = session.current
        self.aside.choose(session.world, pose, session.movers(), state.velocity, ())

    def let_go(self) -> None:
        """Every key counts as released: time stands."""
        self._back, self._arrow = False, ""
        self._shift.clear()

    def go_on(self, key: str = "") -> None:
        """Play from the tick that is shown, with this key held."""
        assert self._session is not None
        assert self.stood is not None
        game, session, ring, k = self.game, self._session, self.ring, self.stood.k
        self.let_go()
        self.at = float(k + 1)
        self.stand()
        earlier = k < len(ring) - 1
        ring.cut(k)
        if earlier:
            self.used += 1
            if session.recorder is not None:
                session.recorder.moved()
            game.trial.void("rewound")
            if game.lab is not None:
                game.lab.gather()
            game.hearing = None
        game.resume()
        session.pause()
        game.eye.jump(session.pose())
        if key:
            game.held.press(key)

    def leave(self) -> None:
        """Back to where one came from, and play."""
        self.at = float(len(self.ring))
        self.stand()
        self.go_on()

    # Keys and mouse

    def key_pressed(self, key: str) -> None:
        """A key went down in this mode."""
        actions = self.game.held.bound.actions(key)
        if key in SHIFTS:
            self._shift.add(key)
        elif key == "BACKSPACE" or BACK in actions:
            self._back, self.running, self._arrow = True, 0.0, ""
        elif key in STEP_KEYS:
            self._arrow, self._arrow_for = key, 0.0
            self.step(STEP_KEYS[key] * self._leap)
        elif key in ("HOME", "END"):
            self.go_to(1.0 if key == "HOME" else float(len(self.ring)))
        elif key == "V":
            self.aside.on = not self.aside.on
        elif key == "ESCAPE":
            self.leave()
        elif key in GO_ON:
            self.go_on()
        elif MOVES.intersection(actions):
            self.go_on(key)

    def key_released(self, key: str) -> None:
        """A key went up."""
        self._shift.discard(key)
        if key == "BACKSPACE" or BACK in self.game.held.bound.actions(key):
            self._back = False
        elif key == self._arrow:
            self._arrow = ""

    @property
    def _leap(self) -> int:
        return LEAP if self._shift else 1

    def mouse_moved(self, dx: float, dy: float) -> None:
        """The mouse moved by so many pixels: the camera goes round the body."""
        settings = self.game.settings
        self.aside.turn(-dx if settings.invert_x else dx, -dy if settings.invert_y else dy)

    def scrolled(self, by: float) -> None:
        """The wheel turned, positive away from the hand: the camera comes nearer."""
        if self.on:
            self.aside.zoom(by)

    # What a frame shows

    def over(self, shot: Snapshot, seconds: float, aspect: float) -> Snapshot:
        """The picture from beside the body, with where in time one is; where time stands, with the tick explained."""
        session, game = self._session, self.game
        if not self.on or self.stood is None or session is None:
            return shot
        world, pose, poses, settings = session.world, session.pose(), session.movers(), game.settings
        still = self.still and self.at == self.stood.k + 1
        diagram = self.diagram() if still else None
        if diagram is not None and not self._placed:
            self.place_camera()
        seen = self.aside.view(world, pose, poses, shot.view, seconds, aspect, settings.reduce_motion)
        dots = self._dots() if self.aside.out > 0.0 else None
        line = timeline(self.ring, self.at, self._columns, self._marks)
        shown = replace(
            shot.hud, timeline=line, strip=KEYS, hint="", message="", submessage="", crosshair=False, cards=(),
            tally="", timer="", timer_below="",
        )  # fmt: skip
        if self.aside.out > 0.5:
            shown = replace(shown, tint=(0.0, 0.0, 0.0, 0.0))
        glass: tuple[EllipsoidLook, ...] = ()
        overlay = Overlay(points=() if dots is None else (dots,))
        if diagram is not None:
            if self.aside.out > 0.0:
                glass = diagram.glass()
            overlay = diagram.overlay(seen.eye, dots)
            told = card(diagram, world.tick, world.settings.ticks_per_second, settings.palette)
            shown = replace(shown, cards=(told,), labels=diagram.labels(seen, aspect))
        elif self.aside.out > 0.0:
            glass = (body(pose),)
        layers = [] if shot.overlay is None else [shot.overlay]
        return replace(
            shot, view=seen, hud=shown, overlay=together([*layers, overlay]), debug=None,
            ellipsoids=(*shot.ellipsoids, *glass),
        )  # fmt: skip

    def place_camera(self) -> None:
        """Where the tick that is shown is seen best, unless it was turned by hand."""
        assert self._session is not None
        session, account = self._session, self.diagram().account
        touched = [one.normal for one in account.surfaces if one.kind != "walkable"]
        self.aside.choose(session.world, session.pose(), session.movers(), account.asked, touched)
        self._placed = True

    def diagram(self) -> Diagram:
        """What the tick that is shown looks like, explained."""
        assert self.stood is not None
        assert self._session is not None
        if self._diagram is None or self._drawn != self.stood.k:
            stood, world = self.stood, self._session.world
            if world.trace is None:
                ring = self.ring
                ring.stand(stood.k)
            account = account_of(world, stood.before, self.ring[stood.k].command, stood.events)
            self._diagram, self._drawn = Diagram(account, self.game.settings.palette), stood.k
        return self._diagram

    def _dots(self) -> Points:
        """The way that the feet went."""
        key = round(2.0 * self.at)
        if self._trail is None or self._trail[0] != key:
            self._trail = key, trail(self.ring, self.at)
        return self._trail[1]

    # Time

    def step(self, ticks: int) -> None:
        """So many ticks on, or back where negative, as far as there are any."""
        self.go_to(math.floor(self.at) + ticks if ticks > 0 else math.ceil(self.at) + ticks)

    def go_to(self, at: float) -> None:
        """To a place in the ring."""
        self.at = min(max(at, 1.0), float(len(self.ring)))
        self.stand()

    def frame(self, seconds: float) -> None:
        """So much time went by on the clock."""
        assert self._session is not None
        if self._session.world is not self.ring.world or self.game.session is not self._session:
            self.let_go()  # the level was read anew
            self.game.resume()
            return
        if self._back:
            self.running += seconds
            pace = min(SPEED + RISE * self.running, MOST_SPEED) / self._session.tick_seconds
            self.at = max(self.at - pace * seconds, 0.0)
        elif self._arrow:
            self._arrow_for += seconds
            if self._arrow_for > WAIT:
                way = STEP_KEYS[self._arrow] * self._leap * PACE * seconds
                self.at = min(max(self.at + way, 1.0), float(len(self.ring)))
        elif self.at != math.floor(self.at) or self.at < 1.0:
            self.at = max(float(math.ceil(self.at)), 1.0)  # stand at the end of the tick
        self.stand()

    def stand(self) -> None:
        """Bring the world, and the view with it, to the place in the ring."""
        assert self._session is not None
        ring, session = self.ring, self._session
        k = min(max(math.ceil(self.at) - 1, 0), len(ring) - 1)
        if self.stood is None or self.stood.k != k:
            before, events = ring.stand(k)
            if any(isinstance(event, Respawned) for event in events):
                before = session.world.walker_state  # put elsewhere: nothing is drawn between
            jumped = self.stood is None or abs(self.stood.k - k) > 2 * LEAP
            self.stood = Stood(k, before, events)
            session.show(before, self.at - k)
            if jumped:
                self.game.eye.jump(session.pose())
            flags = session.world.targets.flags
            self.game.fading.follow(flags, 0.0, jump=True)
        session.show(self.stood.before, self.at - k)
        yaw, pitch = self.direction()
        self.game.look.yaw, self.game.look.pitch = yaw, pitch

    def direction(self) -> tuple[float, float]:
        """Where one looked there: yaw and pitch, 65536 to the turn."""
        assert self.stood is not None
        ring, k = self.ring, self.stood.k
        now, before = ring[k].command, ring[max(k - 1, 0)].command
        part = min(max(self.at - k, 0.0), 1.0)
        turn = (now.heading - before.heading + TURN / 2) % TURN - TURN / 2
        return (before.heading + part * turn) % TURN, before.pitch + part * (now.pitch - before.pitch)
