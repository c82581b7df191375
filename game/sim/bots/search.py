"""Search by bots: many walkers in the level's own physics, from every place that they have reached.

Space is divided into cells. The first walker that stands in a cell leaves a place there, from which others start:
in all directions first, and where they were stopped or lost the ground, by jumping, crouching and side steps. Every
place has the exact walk that led to it from the spawn. The search is deterministic and bounded by a number of ticks.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...physics import Crowd, TriangleMesh, Walker, WalkerState
from ...physics.character.state import STATE_ROW, States
from . import moves
from .moves import (
    AT_EDGE,
    CROUCH_JUMP,
    CROUCH_WALK,
    DROP_OFF_EDGE,
    EDGE_JUMP,
    JUMP_ON_SPOT,
    RUN,
    RUNNING_JUMP,
    SIDE_JUMP,
    SIDESTEP,
    TURN_STARTS,
    WALK,
    BotWalk,
)

CELL_SIZE = 0.5  # m, in plan and height
MAX_ACTIVE_BOTS = 2048  # walkers simulated at once
MAX_MOVE_TICKS = 240  # of one move on ground; in the air it lasts until there is ground
MAX_FALL_TICKS = 1200  # after which a fall is given up
STOPPED_CHECK_TICKS = 14  # after which a walker that is not stopped has left its place
STOPPED_DISTANCE = 0.35  # m: a walker that moved less by then is stopped
DIRECTIONS = 8
HEADING_OFFSET = moves.FULL_TURN // 16  # every second place uses the directions between those of the others
FAR_BELOW = 3.0  # m below the lowest triangle, where nothing catches a body
REVISIT_TIME_FACTOR = 0.75  # of the earlier ticks: a place reached that much earlier is searched again
CELL_OFFSET = 1 << 20  # cells; cell keys are packed into one integer

CellKey = int
Points = NDArray[np.float64]


class TargetKind(StrEnum):
    """Kind of a place that bots should reach."""

    GOAL = "goal"
    TARGET = "target"
    EXIT = "exit"
    SPAWN = "spawn"


@dataclass(frozen=True, slots=True)
class BotTarget:
    """Something to be reached: the feet, or where `body` any point of the body's axis, within `radius` metres of `at`.

    number  index in the level's list of this kind, from 0
    name    given in the level; may be empty
    """

    kind: TargetKind
    number: int
    name: str
    at: tuple[float, float, float]
    radius: float
    body: bool = False


@dataclass(frozen=True, slots=True)
class MoveAttempt:
    """A move from a place, and the number of its ticks that count."""

    place: int
    kind: int
    heading: int
    turn_at: int
    ticks: int


@dataclass
class BotBatch:
    """Active walkers, one entry each."""

    states: States
    place: NDArray[np.int64]
    kind: NDArray[np.int64]
    heading: NDArray[np.int64]
    turn_at: NDArray[np.int64]
    tick: NDArray[np.int64]
    key: NDArray[np.int64]  # cell in which it was last on ground
    ground: Points  # feet at that time
    begun: Points  # feet at its start

    def __len__(self) -> int:
        return len(self.place)

    def select(self, chosen: NDArray[np.bool_]) -> BotBatch:
        return BotBatch(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))

    def concatenate(self, other: BotBatch) -> BotBatch:
        return BotBatch(
            *(np.concatenate([getattr(self, name), getattr(other, name)]) for name in self.__dataclass_fields__)
        )

    def attempt_of(self, k: int) -> MoveAttempt:
        return MoveAttempt(
            int(self.place[k]), int(self.kind[k]), int(self.heading[k]), int(self.turn_at[k]), int(self.tick[k])
        )


@dataclass(frozen=True, slots=True)
class FallRecord:
    """A fall out of the level: the attempt, the cell it came from, and the last position of the feet on ground."""

    attempt: MoveAttempt
    key: CellKey
    ground: tuple[float, float, float]


@dataclass
class PlaceTable:
    """Table of places. `place_by_cell` maps a cell to the place that was reached earliest."""

    states: States = field(default_factory=lambda: np.zeros(1024, STATE_ROW))
    attempts: list[MoveAttempt | None] = field(default_factory=list)
    start_places: list[int] = field(default_factory=list)  # start place of the walk to it
    cell_keys: list[CellKey] = field(default_factory=list)
    place_by_cell: dict[CellKey, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.attempts)

    def add(self, key: CellKey, row: Any, made: MoveAttempt | None, known: bool = True) -> int:
        """Add a place; its index. known: it becomes the place of its cell, from which others start."""
        if len(self) == len(self.states):
            self.states = np.concatenate([self.states, np.zeros(len(self.states), STATE_ROW)])
        self.states[len(self)] = row
        self.start_places.append(len(self) if made is None else self.start_places[made.place])
        self.attempts.append(made)
        self.cell_keys.append(key)
        if known:
            self.place_by_cell[key] = len(self) - 1
        return len(self) - 1

    def feet(self) -> Points:
        """(n,3) feet of all places."""
        return feet_positions(self.states[: len(self)])


def feet_positions(states: States) -> Points:
    """(n,3) lowest points of bodies."""
    feet: Points = states["position"].copy()
    feet[:, 1] -= states["radii"][:, 1]
    return feet


def cell_indices(points: Points) -> NDArray[np.int64]:
    """(n,3) integer cell coordinates of points."""
    found: NDArray[np.int64] = np.clip(np.floor(points / CELL_SIZE), 1 - CELL_OFFSET, CELL_OFFSET - 1).astype(np.int64)
    return found


def cell_keys_of(points: Points) -> NDArray[np.int64]:
    """(n,) cell keys of points."""
    return pack_cells(cell_indices(points))


def pack_cells(cell: NDArray[np.int64]) -> NDArray[np.int64]:
    """(n,) cell keys of cell coordinates (n,3)."""
    x, y, z = (cell[:, k] + CELL_OFFSET for k in range(3))
    key: NDArray[np.int64] = (y << 42) | (x << 21) | z
    return key


def unpack_cells(key: Sequence[CellKey] | NDArray[np.int64]) -> NDArray[np.int64]:
    """(n,3) cell coordinates of keys, the inverse of `pack_cells`."""
    given = np.asarray(key, np.int64)
    mask = 2 * CELL_OFFSET - 1
    return np.stack([(given >> 21) & mask, given >> 42, given & mask], axis=-1) - CELL_OFFSET


class BotSearch:
    """Search in one mesh. `run` continues until nothing is left to try or the ticks are spent.

    floor  height (m) below which a body has left the level
    marks  targets
    """

    def __init__(
        self,
        walker: Walker,
        mesh: TriangleMesh,
        floor: float,
        marks: Sequence[BotTarget] = (),
        threads: int | None = None,
    ) -> None:
        self.walker, self.mesh = walker, mesh
        self.crowd = Crowd(walker, mesh, threads)
        lowest = float(mesh.nodes[0, 1]) - FAR_BELOW if len(mesh) else floor
        self.floor = max(floor, lowest)
        self.marks = tuple(marks)
        self.ticks = 0  # walked so far by all bots
        self.attempt_count = 0
        self.places = PlaceTable()
        self.entered_cells: dict[CellKey, set[CellKey]] = {}  # cell -> cells entered from it
        self.falls: list[FallRecord] = []
        self.fell_from: set[CellKey] = set()
        self.best_attempts: dict[tuple[int, int], MoveAttempt] = {}  # (start, target) -> the earliest attempt there
        self._best_ticks: dict[tuple[int, int], int] = {}
        self.stopped_at: set[tuple[CellKey, int]] = set()  # cell and heading at which a walker was stopped
        self._frontier: list[tuple[int, int]] = []  # (tick, place), to start in all directions
        self._deferred: list[tuple[int, int, int, int]] = []  # (tick, place, kind, heading)
        self._queued: list[tuple[int, int, int]] = []  # (place, kind, heading)
        self._batch = self._empty_batch()
        self._centres = np.array([mark.at for mark in self.marks]).reshape(-1, 3)

    def add_start(self, state: WalkerState) -> int:
        """Add a start; the index of its place."""
        row = state.row()
        place = self.places.add(int(cell_keys_of(feet_positions(row))[0]), row[0], None)
        heapq.heappush(self._frontier, (state.tick, place))
        self._note_marks(row, np.array([place]), walking=False)
        return place

    def queue_move(self, place: int, kind: int, heading: int) -> None:
        """Queue a move behind everything that is to be tried already."""
        self._queued.append((place, kind, heading % moves.FULL_TURN))

    def run(self, ticks: int, progress: Callable[[BotSearch], None] | None = None) -> bool:
        """Run until nothing is left to try; False where the bots have walked `ticks` in all before that."""
        while True:
            if self.ticks >= ticks:
                return not (self._frontier or self._deferred or self._queued or len(self._batch))
            if len(self._batch) < MAX_ACTIVE_BOTS // 2:
                self._start_bots()
            if not len(self._batch):
                return True
            self._step_bots()
            if progress is not None:
                progress(self)

    def walk_to(self, place: int) -> BotWalk:
        """The walk from the start to a place."""
        parts: list[list[moves.WalkStep]] = []
        made = self.places.attempts[place]
        while made is not None:
            parts.append(moves.move_steps(made.kind, made.heading, made.ticks, made.turn_at))
            made = self.places.attempts[made.place]
        return moves.merge_equal_steps(step for part in reversed(parts) for step in part)

    def walk_through(self, made: MoveAttempt) -> BotWalk:
        """The walk from the start to the end of an attempt."""
        last = moves.move_steps(made.kind, made.heading, made.ticks, made.turn_at)
        return moves.merge_equal_steps([*self.walk_to(made.place), *last])



    def _empty_batch(self) -> BotBatch:
        none = np.zeros(0, np.int64)
        return BotBatch(np.zeros(0, STATE_ROW), none, none, none, none, none, none, np.zeros((0, 3)), np.zeros((0, 3)))

    def _start_bots(self) -> None:
        """Start new walkers: first from the places reached earliest, then deferred moves, then queued ones."""
        wanted: list[tuple[int, int, int]] = []
        room = MAX_ACTIVE_BOTS - len(self._batch)
        while len(wanted) < room and self._frontier:
            _, place = heapq.heappop(self._frontier)
            if self.places.place_by_cell[self.places.cell_keys[place]] != place:
                continue  # reached earlier since
            aside = HEADING_OFFSET * (place % 2)
            wanted += [(place, RUN, aside + k * moves.FULL_TURN // DIRECTIONS) for k in range(DIRECTIONS)]
        if not wanted and not len(self._batch):
            while len(wanted) < room and self._deferred:
                _, place, kind, heading = heapq.heappop(self._deferred)
                wanted.append((place, kind, heading))
        if not wanted and not len(self._batch):
            wanted, self._queued = self._queued[:room], self._queued[room:]
        if wanted:
            self._batch = self._batch.concatenate(self._make_batch(wanted))

    def _make_batch(self, wanted: list[tuple[int, int, int]]) -> BotBatch:
        place, kind, heading = np.array(wanted, np.int64).T.copy()
        self.attempt_count += len(wanted)
        states = self.places.states[place]
        feet = feet_positions(states)
        return BotBatch(
            states,
            place,
            kind,
            heading,
            TURN_STARTS[kind],
            np.zeros(len(place), np.int64),
            cell_keys_of(feet),
            feet,
            feet.copy(),
        )



    def _step_bots(self) -> None:
        herd = self._batch
        had_ground = herd.states["grounded"]
        before = herd.states["position"]
        herd.states = self.crowd.step(
            herd.states, moves.move_command_rows(herd.kind, herd.heading, herd.tick, herd.turn_at)
        )
        herd.tick = herd.tick + 1
        self.ticks += len(herd)
        states = herd.states
        feet = feet_positions(states)
        lost = np.abs(states["position"] - before).max(axis=1) > 3.0  # put back to its safe place
        off = had_ground & ~states["grounded"]
        herd.turn_at = np.where((herd.turn_at == AT_EDGE) & off, herd.tick, herd.turn_at)
        if self.marks:
            self._note_marks(states, herd.place)
        stands = states["grounded"] & ~states["sliding"] & ~lost
        fallen = ~lost & (feet[:, 1] < self.floor)
        key = cell_keys_of(feet)
        done = lost | fallen
        for k in np.flatnonzero(fallen).tolist():
            self._note_fall(herd, k)
        entered = np.flatnonzero(stands & (key != herd.key))
        for k in entered.tolist():
            done[k] |= self._enter_cell(herd, k, int(key[k]))
        herd.key = np.where(stands, key, herd.key)
        herd.ground = np.where(stands[:, None], feet, herd.ground)
        on_foot = TURN_STARTS[herd.kind] == -1
        patient = herd.tick == STOPPED_CHECK_TICKS
        if patient.any():
            gone = np.linalg.norm(feet - herd.begun, axis=1)
            stopped = patient & stands & on_foot & (gone < STOPPED_DISTANCE)
            for k in np.flatnonzero(stopped).tolist():
                self._note_stopped(herd, k)
            done |= stopped
        if off.any():
            for k in np.flatnonzero(off & (herd.kind == RUN)).tolist():
                self._note_edge(herd, k)
        landed = stands & ~on_foot & (herd.turn_at >= 0) & (herd.tick > herd.turn_at + 3)
        slow = (np.abs(states["position"] - before).max(axis=1) < 1e-5) & (herd.tick > STOPPED_CHECK_TICKS)
        done |= (
            landed
            | (stands & (herd.tick >= MAX_MOVE_TICKS))
            | (herd.tick >= MAX_FALL_TICKS)
            | (stands & slow & on_foot)
        )
        for k in np.flatnonzero(~stands & ~lost & ~fallen & (herd.tick >= MAX_FALL_TICKS)).tolist():
            self._enter_cell(herd, k, int(key[k]))  # neither falling nor standing
        self._batch = herd.select(~done)

    def _enter_cell(self, herd: BotBatch, k: int, key: CellKey) -> bool:
        """Walker k is on ground in another cell; whether it has nothing more to find on this way."""
        if self.add_arrival(int(herd.key[k]), key, herd.states[k], herd.attempt_of(k)):
            return False
        return bool(TURN_STARTS[herd.kind[k]] == -1 or herd.tick[k] > herd.turn_at[k] >= 0)

    def add_arrival(self, of: CellKey, key: CellKey, row: Any, made: MoveAttempt) -> bool:
        """An attempt came from one cell onto ground in another; whether that makes a new place."""
        self.entered_cells.setdefault(of, set()).add(key)
        known = self.places.place_by_cell.get(key)
        now = int(row["tick"])
        if known is not None and now >= REVISIT_TIME_FACTOR * int(self.places.states["tick"][known]) - 20:
            return False
        heapq.heappush(self._frontier, (now, self.places.add(key, row, made)))
        return True

    def _note_stopped(self, herd: BotBatch, k: int) -> None:
        place, heading = int(herd.place[k]), int(herd.heading[k])
        self.stopped_at.add((self.places.cell_keys[place], heading))
        if herd.kind[k] == RUN:
            now = int(self.places.states["tick"][place])
            for kind in (JUMP_ON_SPOT, RUNNING_JUMP, CROUCH_WALK, SIDESTEP):
                heapq.heappush(self._deferred, (now, place, kind, heading))
        elif (then := {CROUCH_WALK: CROUCH_JUMP, SIDESTEP: SIDE_JUMP}.get(int(herd.kind[k]))) is not None:
            heapq.heappush(self._deferred, (int(self.places.states["tick"][place]), place, then, heading))

    def _note_edge(self, herd: BotBatch, k: int) -> None:
        """A walker ran off an edge: queue stepping off, dropping and jumping there."""
        place, heading = int(herd.place[k]), int(herd.heading[k])
        now = int(self.places.states["tick"][place])
        for kind in (WALK, DROP_OFF_EDGE, EDGE_JUMP):
            heapq.heappush(self._deferred, (now, place, kind, heading))

    def _note_fall(self, herd: BotBatch, k: int) -> None:
        key = int(herd.key[k])
        self.fell_from.add(key)
        x, y, z = herd.ground[k].tolist()
        self.falls.append(FallRecord(herd.attempt_of(k), key, (x, y, z)))

    def _note_marks(self, states: States, place: NDArray[np.int64], walking: bool = True) -> None:
        """Record walkers within reach of a target, where no earlier one from the same start was."""
        if not self.marks:
            return
        feet = feet_positions(states)
        for m, mark in enumerate(self.marks):
            apart = self._centres[m] - feet
            if mark.body:
                apart[:, 1] -= np.clip(apart[:, 1], 0.0, 2.0 * states["radii"][:, 1])
            near = np.flatnonzero((apart * apart).sum(axis=1) <= mark.radius**2)
            for k in near.tolist():
                now, key = int(states["tick"][k]), (self.places.start_places[int(place[k])], m)
                if now < self._best_ticks.get(key, 1 << 60):
                    self._best_ticks[key] = now
                    self.best_attempts[key] = (
                        self._batch.attempt_of(k) if walking else MoveAttempt(int(place[k]), RUN, 0, -1, 0)
                    )

    def ticks_to_target(self, mark: int, start: int = 0) -> int | None:
        """Ticks from a start to a target by the best attempt; None where it was not reached."""
        return self._best_ticks.get((start, mark))
