"""The way back: the last seconds run backwards while a key is held, stand still, and go on from any of their ticks."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from game.app.timeline import Columns, Marks, columns_of, marks_of, timeline
from game.physics import WalkerState
from game.sim import Ring
from game.sim.events import Event, Respawned

if TYPE_CHECKING:
    from game.app.playing import Game
    from game.render import Snapshot
    from game.sim import Session

REWINDING = "rewinding"
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
        self.stood = None
        self._shift.clear()
        self._arrow, self._back, self.running = "", True, 0.0
        self.stand()
        return True

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
        command = ring[k].command
        ring.cut(k)
        if earlier:
            self.used += 1
            if session.recorder is not None:
                session.recorder.moved()
            game.trial.void("rewound")
            if game.lab is not None:
                game.lab.gather()
            game.hearing = None
        game.look.yaw, game.look.pitch = float(command.heading % TURN), float(command.pitch)
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
        """The mouse moved by so many pixels."""

    def scrolled(self, by: float) -> None:
        """The wheel turned, positive away from the hand."""

    # What a frame shows

    def over(self, shot: Snapshot, seconds: float, aspect: float) -> Snapshot:
        """The picture, with where in time one is."""
        if not self.on or self.stood is None:
            return shot
        line = timeline(self.ring, self.at, self._columns, self._marks)
        shown = replace(shot.hud, timeline=line, strip=KEYS, hint="", message="", submessage="", crosshair=False)
        return replace(shot, hud=shown)

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
