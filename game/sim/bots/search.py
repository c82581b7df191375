"""Bots that go everywhere: walkers in the level's own physics, many at once, from every place they have reached.

The level is cut into cells; whoever is the first to stand in one leaves a place there, from which others set out: to
all sides first, and where they were stopped or lost the ground by jumping, crouching and going sideways. Every place
knows the walk that led to it, from the spawn, to the last bit. Nothing is random; what bounds it is a number of ticks.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...physics import Crowd, TriangleMesh, Walker, WalkerState
from ...physics.character.state import STATE_ROW, States
from . import moves
from .moves import DROP, EDGE, HOP, LEAP, LOW, LOW_HOP, RUN, RUN_HOP, SIDE, SIDE_HOP, TURNS, WALK, Walk

CELL = 0.5  # metres, in plan and height
HERD = 2048  # walkers at once
LONGEST = 240  # ticks of one move on the ground; in the air it lasts until there is ground
FLIGHT = 1200  # ticks after which a fall is given up
PATIENCE = 14  # ticks in which a walker that is not stopped has left its place
STOPPED = 0.35  # metres: less gone by then is being stopped
DIRECTIONS = 8
ASIDE = moves.TURN // 16  # every other place looks between the directions of the others
FAR_BELOW = 3.0  # metres under the lowest triangle: nothing catches who is there
SOONER = 0.75  # of the ticks it took before: worth setting out from a place again
OFFSET = 1 << 20  # cells; keys of places are packed into one integer

Key = int
Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that is to be reached: feet within `radius` metres of `at`; or any part of the body's middle line,
    where `body`."""

    kind: str
    name: str
    at: tuple[float, float, float]
    radius: float
    body: bool = False


@dataclass(frozen=True, slots=True)
class Try:
    """A move begun at a place, and how many ticks of it count."""

    place: int
    kind: int
    heading: int
    turn_at: int
    ticks: int


@dataclass
class Herd:
    """Walkers under way, one entry each."""

    states: States
    place: NDArray[np.int64]
    kind: NDArray[np.int64]
    heading: NDArray[np.int64]
    turn_at: NDArray[np.int64]
    tick: NDArray[np.int64]
    key: NDArray[np.int64]  # the cell it was last on ground in
    ground: Points  # the feet when it was
    begun: Points  # the feet where it set out

    def __len__(self) -> int:
        return len(self.place)

    def keep(self, chosen: NDArray[np.bool_]) -> Herd:
        return Herd(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))

    def joined(self, other: Herd) -> Herd:
        return Herd(
            *(np.concatenate([getattr(self, name), getattr(other, name)]) for name in self.__dataclass_fields__)
        )

    def walk(self, k: int) -> Try:
        return Try(
            int(self.place[k]), int(self.kind[k]), int(self.heading[k]), int(self.turn_at[k]), int(self.tick[k])
        )


@dataclass(frozen=True, slots=True)
class Fall:
    """Somebody left the level: by which try, from which cell, and where the feet last had ground."""

    made: Try
    key: Key
    ground: tuple[float, float, float]


@dataclass
class Places:
    """Where one can stand. Rows of a growing table; `at` maps a cell to the place that was reached soonest."""

    states: States = field(default_factory=lambda: np.zeros(1024, STATE_ROW))
    made: list[Try | None] = field(default_factory=list)
    start: list[int] = field(default_factory=list)  # the place where the walk to it set out
    key: list[Key] = field(default_factory=list)
    at: dict[Key, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.made)

    def add(self, key: Key, row: Any, made: Try | None, known: bool = True) -> int:
        """A new place's number. known: others may set out from there as the place of its cell."""
        if len(self) == len(self.states):
            self.states = np.concatenate([self.states, np.zeros(len(self.states), STATE_ROW)])
        self.states[len(self)] = row
        self.start.append(len(self) if made is None else self.start[made.place])
        self.made.append(made)
        self.key.append(key)
        if known:
            self.at[key] = len(self) - 1
        return len(self) - 1

    def feet(self) -> Points:
        """(n,3) of all places."""
        return feet_of(self.states[: len(self)])


def feet_of(states: States) -> Points:
    """(n,3): the lowest points of bodies."""
    feet: Points = states["position"].copy()
    feet[:, 1] -= states["radii"][:, 1]
    return feet


def cells(points: Points) -> NDArray[np.int64]:
    """(n,3): whole numbers of the cells that points lie in."""
    found: NDArray[np.int64] = np.clip(np.floor(points / CELL), 1 - OFFSET, OFFSET - 1).astype(np.int64)
    return found


def keys(points: Points) -> NDArray[np.int64]:
    """(n,): the cells of points, each as one number."""
    return packed(cells(points))


def packed(cell: NDArray[np.int64]) -> NDArray[np.int64]:
    """(n,): cells (n,3) as one number each."""
    x, y, z = (cell[:, k] + OFFSET for k in range(3))
    key: NDArray[np.int64] = (y << 42) | (x << 21) | z
    return key


def unpacked(key: Sequence[Key] | NDArray[np.int64]) -> NDArray[np.int64]:
    """(n,3): the reverse of `packed`."""
    given = np.asarray(key, np.int64)
    mask = 2 * OFFSET - 1
    return np.stack([(given >> 21) & mask, given >> 42, given & mask], axis=-1) - OFFSET


class Search:
    """Bots in one mesh. `run` goes on until nothing is left to try, or the ticks are spent.

    start   where they set out (others may follow by `set_out`)
    floor   metres: below it one has left the level
    marks   what is to be reached
    """

    def __init__(
        self, walker: Walker, mesh: TriangleMesh, floor: float, marks: Sequence[Mark] = (), threads: int | None = None
    ) -> None:
        self.walker, self.mesh = walker, mesh
        self.crowd = Crowd(walker, mesh, threads)
        lowest = float(mesh.nodes[0, 1]) - FAR_BELOW if len(mesh) else floor
        self.floor = max(floor, lowest)
        self.marks = tuple(marks)
        self.ticks = 0  # walked so far, by all together
        self.tries = 0
        self.places = Places()
        self.ways: dict[Key, set[Key]] = {}  # cell -> cells that were entered from it
        self.falls: list[Fall] = []
        self.fell_from: set[Key] = set()
        self.reached: dict[tuple[int, int], Try] = {}  # (start, mark) -> the try that came to it soonest from there
        self._reached_at: dict[tuple[int, int], int] = {}
        self.stopped_at: set[tuple[Key, int]] = set()  # cell and heading where a walker was stopped
        self._first: list[tuple[int, int]] = []  # (tick, place): to all sides
        self._later: list[tuple[int, int, int, int]] = []  # (tick, place, kind, heading)
        self._asked: list[tuple[int, int, int]] = []  # (place, kind, heading)
        self._herd = self._nobody()
        self._centres = np.array([mark.at for mark in self.marks]).reshape(-1, 3)

    def set_out(self, state: WalkerState) -> int:
        """A place to begin at; its number."""
        row = state.row()
        place = self.places.add(int(keys(feet_of(row))[0]), row[0], None)
        heapq.heappush(self._first, (state.tick, place))
        self._note_marks(row, np.array([place]), walking=False)
        return place

    def ask(self, place: int, kind: int, heading: int) -> None:
        """Have a move tried, after all that is to be tried already."""
        self._asked.append((place, kind, heading % moves.TURN))

    def run(self, ticks: int, progress: Callable[[Search], None] | None = None) -> bool:
        """Walk until nothing is left to try; False where the bots have walked `ticks` in all before that."""
        while True:
            if self.ticks >= ticks:
                return not (self._first or self._later or self._asked or len(self._herd))
            if len(self._herd) < HERD // 2:
                self._gather()
            if not len(self._herd):
                return True
            self._tick()
            if progress is not None:
                progress(self)

    def walk_to(self, place: int) -> Walk:
        """The walk from the start to a place."""
        parts: list[list[moves.Step]] = []
        made = self.places.made[place]
        while made is not None:
            parts.append(moves.steps(made.kind, made.heading, made.ticks, made.turn_at))
            made = self.places.made[made.place]
        return moves.joined(step for part in reversed(parts) for step in part)

    def walk_of(self, made: Try) -> Walk:
        """The walk from the start to the end of a try."""
        last = moves.steps(made.kind, made.heading, made.ticks, made.turn_at)
        return moves.joined([*self.walk_to(made.place), *last])

    # ---- setting out

    def _nobody(self) -> Herd:
        none = np.zeros(0, np.int64)
        return Herd(np.zeros(0, STATE_ROW), none, none, none, none, none, none, np.zeros((0, 3)), np.zeros((0, 3)))

    def _gather(self) -> None:
        """Send new walkers out: first from the places reached soonest, then the other moves, then what was asked."""
        wanted: list[tuple[int, int, int]] = []
        room = HERD - len(self._herd)
        while len(wanted) < room and self._first:
            _, place = heapq.heappop(self._first)
            if self.places.at[self.places.key[place]] != place:
                continue  # somebody came here sooner since
            aside = ASIDE * (place % 2)
            wanted += [(place, RUN, aside + k * moves.TURN // DIRECTIONS) for k in range(DIRECTIONS)]
        if not wanted and not len(self._herd):
            while len(wanted) < room and self._later:
                _, place, kind, heading = heapq.heappop(self._later)
                wanted.append((place, kind, heading))
        if not wanted and not len(self._herd):
            wanted, self._asked = self._asked[:room], self._asked[room:]
        if wanted:
            self._herd = self._herd.joined(self._setting_out(wanted))

    def _setting_out(self, wanted: list[tuple[int, int, int]]) -> Herd:
        place, kind, heading = np.array(wanted, np.int64).T.copy()
        self.tries += len(wanted)
        states = self.places.states[place]
        feet = feet_of(states)
        return Herd(
            states, place, kind, heading, TURNS[kind], np.zeros(len(place), np.int64), keys(feet), feet, feet.copy()
        )

    # ---- a tick

    def _tick(self) -> None:
        herd = self._herd
        had_ground = herd.states["grounded"]
        before = herd.states["position"]
        herd.states = self.crowd.step(herd.states, moves.rows(herd.kind, herd.heading, herd.tick, herd.turn_at))
        herd.tick = herd.tick + 1
        self.ticks += len(herd)
        states = herd.states
        feet = feet_of(states)
        lost = np.abs(states["position"] - before).max(axis=1) > 3.0  # put back to where it was safe
        off = had_ground & ~states["grounded"]
        herd.turn_at = np.where((herd.turn_at == EDGE) & off, herd.tick, herd.turn_at)
        if self.marks:
            self._note_marks(states, herd.place)
        stands = states["grounded"] & ~states["sliding"] & ~lost
        fallen = ~lost & (feet[:, 1] < self.floor)
        key = keys(feet)
        done = lost | fallen
        for k in np.flatnonzero(fallen).tolist():
            self._note_fall(herd, k)
        entered = np.flatnonzero(stands & (key != herd.key))
        for k in entered.tolist():
            done[k] |= self._enter(herd, k, int(key[k]))
        herd.key = np.where(stands, key, herd.key)
        herd.ground = np.where(stands[:, None], feet, herd.ground)
        on_foot = TURNS[herd.kind] == -1
        patient = herd.tick == PATIENCE
        if patient.any():
            gone = np.linalg.norm(feet - herd.begun, axis=1)
            stopped = patient & stands & on_foot & (gone < STOPPED)
            for k in np.flatnonzero(stopped).tolist():
                self._note_stopped(herd, k)
            done |= stopped
        if off.any():
            for k in np.flatnonzero(off & (herd.kind == RUN)).tolist():
                self._note_edge(herd, k)
        landed = stands & ~on_foot & (herd.turn_at >= 0) & (herd.tick > herd.turn_at + 3)
        slow = (np.abs(states["position"] - before).max(axis=1) < 1e-5) & (herd.tick > PATIENCE)
        done |= landed | (stands & (herd.tick >= LONGEST)) | (herd.tick >= FLIGHT) | (stands & slow & on_foot)
        for k in np.flatnonzero(~stands & ~lost & ~fallen & (herd.tick >= FLIGHT)).tolist():
            self._enter(herd, k, int(key[k]))  # it hangs somewhere, neither falling nor standing
        self._herd = herd.keep(~done)

    def _enter(self, herd: Herd, k: int, key: Key) -> bool:
        """Walker k has come onto ground in another cell; whether it has nothing more to find on this way."""
        if self.enter(int(herd.key[k]), key, herd.states[k], herd.walk(k)):
            return False
        return bool(TURNS[herd.kind[k]] == -1 or herd.tick[k] > herd.turn_at[k] >= 0)

    def enter(self, of: Key, key: Key, row: Any, made: Try) -> bool:
        """A try has come from one cell onto ground in another; whether that makes a place to set out from."""
        self.ways.setdefault(of, set()).add(key)
        known = self.places.at.get(key)
        now = int(row["tick"])
        if known is not None and now >= SOONER * int(self.places.states["tick"][known]) - 20:
            return False
        heapq.heappush(self._first, (now, self.places.add(key, row, made)))
        return True

    def _note_stopped(self, herd: Herd, k: int) -> None:
        place, heading = int(herd.place[k]), int(herd.heading[k])
        self.stopped_at.add((self.places.key[place], heading))
        if herd.kind[k] == RUN:
            now = int(self.places.states["tick"][place])
            for kind in (HOP, RUN_HOP, LOW, SIDE):
                heapq.heappush(self._later, (now, place, kind, heading))
        elif (then := {LOW: LOW_HOP, SIDE: SIDE_HOP}.get(int(herd.kind[k]))) is not None:
            heapq.heappush(self._later, (int(self.places.states["tick"][place]), place, then, heading))

    def _note_edge(self, herd: Herd, k: int) -> None:
        """It ran off an edge: others step off it, let themselves fall, and leap."""
        place, heading = int(herd.place[k]), int(herd.heading[k])
        now = int(self.places.states["tick"][place])
        for kind in (WALK, DROP, LEAP):
            heapq.heappush(self._later, (now, place, kind, heading))

    def _note_fall(self, herd: Herd, k: int) -> None:
        key = int(herd.key[k])
        self.fell_from.add(key)
        x, y, z = herd.ground[k].tolist()
        self.falls.append(Fall(herd.walk(k), key, (x, y, z)))

    def _note_marks(self, states: States, place: NDArray[np.int64], walking: bool = True) -> None:
        """Whose feet are within a mark's reach, if nobody's who set out at the same start were sooner."""
        if not self.marks:
            return
        feet = feet_of(states)
        for m, mark in enumerate(self.marks):
            apart = self._centres[m] - feet
            if mark.body:
                apart[:, 1] -= np.clip(apart[:, 1], 0.0, 2.0 * states["radii"][:, 1])
            near = np.flatnonzero((apart * apart).sum(axis=1) <= mark.radius**2)
            for k in near.tolist():
                now, key = int(states["tick"][k]), (self.places.start[int(place[k])], m)
                if now < self._reached_at.get(key, 1 << 60):
                    self._reached_at[key] = now
                    self.reached[key] = self._herd.walk(k) if walking else Try(int(place[k]), RUN, 0, -1, 0)

    def reached_at(self, mark: int, start: int = 0) -> int | None:
        """The ticks from a start to a mark by the best try; None where nobody came there."""
        return self._reached_at.get((start, mark))
