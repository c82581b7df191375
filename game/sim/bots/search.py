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
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...core.vectors import Flags, Floats
from ...physics import Crowd, Environment, TriangleMesh, Walker, WalkerSettings, WalkerState
from ...physics.character.command import Rows
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
    BotBatch,
    BotWalk,
    MoveAttempt,
)

if TYPE_CHECKING:
    from ...level.build.entities.zones import LevelZone

CELL_SIZE = 0.5  # m, in plan and height
MAX_ACTIVE_BOTS = 2048  # walkers simulated at once
MAX_MOVE_TICKS = 240  # of one move on ground; in the air it lasts until there is ground
MAX_FALL_TICKS = 1200  # after which a fall is given up
STOPPED_CHECK_TICKS = 14  # after which a walker that is not stopped has left its place
STOPPED_DISTANCE = 0.35  # m: a walker that moved less by then is stopped
STOPPED_FRACTION = 0.301  # of a sprint on open ground: a slow body that moved less by then is stopped
MIN_RESET_DISTANCE = 3.0  # m in a tick: a body that moved so far was put elsewhere
RESET_SPEED_FACTOR = 3.0  # of the fall limit
DIRECTIONS = 8
HEADING_OFFSET = moves.FULL_TURN // 16  # every second place uses the directions between those of the others
FAR_BELOW = 3.0  # m below the lowest triangle, where nothing catches a body
REVISIT_TIME_FACTOR = 0.75  # of the earlier ticks: a place reached that much earlier is searched again
CELL_OFFSET = 1 << 20  # cells; cell keys are packed into one integer

CellKey = int
Points = NDArray[np.float64]
StepObserver = Callable[[Points, States, Callable[[int], "MoveAttempt"]], None]


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

    def add(self, key: CellKey, row: Any, attempt: MoveAttempt | None, is_cell_place: bool = True) -> int:
        """Add a place; its index. is_cell_place: it becomes the place of its cell, from which others start."""
        if len(self) == len(self.states):
            self.states = np.concatenate([self.states, np.zeros(len(self.states), STATE_ROW)])
        self.states[len(self)] = row
        self.start_places.append(len(self) if attempt is None else self.start_places[attempt.place])
        self.attempts.append(attempt)
        self.cell_keys.append(key)
        if is_cell_place:
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
    cells: NDArray[np.int64] = np.clip(np.floor(points / CELL_SIZE), 1 - CELL_OFFSET, CELL_OFFSET - 1).astype(np.int64)
    return cells


def cell_keys_of(points: Points) -> NDArray[np.int64]:
    return pack_cells(cell_indices(points))


def pack_cells(cell: NDArray[np.int64]) -> NDArray[np.int64]:
    """(n,) cell keys of cell coordinates (n,3)."""
    x, y, z = (cell[:, k] + CELL_OFFSET for k in range(3))
    key: NDArray[np.int64] = (y << 42) | (x << 21) | z
    return key


def unpack_cells(key: Sequence[CellKey] | NDArray[np.int64]) -> NDArray[np.int64]:
    """(n,3) cell coordinates of keys, the inverse of `pack_cells`."""
    keys = np.asarray(key, np.int64)
    mask = 2 * CELL_OFFSET - 1
    return np.stack([(keys >> 21) & mask, keys >> 42, keys & mask], axis=-1) - CELL_OFFSET


def reset_distance(settings: WalkerSettings) -> float:
    """Displacement (m) in a tick from which on a body was put elsewhere: no fall is so fast."""
    return max(MIN_RESET_DISTANCE, RESET_SPEED_FACTOR * settings.fall_limit * settings.dt)


def _sprint_distance(settings: WalkerSettings) -> float:
    """Distance of a sprint from rest in STOPPED_CHECK_TICKS, m."""
    seconds = STOPPED_CHECK_TICKS * settings.dt
    speed = max(settings.sprint_speed, settings.walk_speed)
    speeding_up = min(speed / settings.acceleration, seconds)
    reached = speed if speeding_up < seconds else min(speed, settings.acceleration * seconds)
    return reached * (seconds - speeding_up / 2.0)


class BotSearch:
    """Search in one mesh. `run` continues until nothing is left to try or the ticks are spent.

    floor    height (m) below which a body has left the level
    targets  things to be reached; their attempts are in `best_attempts`
    kill_boxes  in which a body dies: its attempt ends there
    around   ladders; None for none
    observer called for every tick of all active bots: positions before it, states after it, and the attempt of row k
    """

    def __init__(
        self,
        walker: Walker,
        mesh: TriangleMesh,
        floor: float,
        targets: Sequence[BotTarget] = (),
        threads: int | None = None,
        kill_boxes: Sequence[LevelZone] = (),
        around: Environment | None = None,
    ) -> None:
        self.walker = walker
        self.mesh = mesh
        self.kill_boxes = kill_boxes
        self._stopped_distance = min(STOPPED_DISTANCE, STOPPED_FRACTION * _sprint_distance(walker.settings))
        self.reset_distance = reset_distance(walker.settings)
        self.crowd = Crowd(walker, mesh, threads, around)
        lowest = float(mesh.nodes[0, 1]) - FAR_BELOW if len(mesh) else floor
        self.floor = max(floor, lowest)
        self.targets = tuple(targets)
        self.ticks = 0  # walked so far by all bots
        self.attempt_count = 0
        self.places = PlaceTable()
        self.entered_cells: dict[CellKey, dict[CellKey, int]] = {}  # cell -> cells entered from it: fewest ticks
        self.falls: list[FallRecord] = []
        self.fell_from: set[CellKey] = set()  # the last cells of bots that fell out of the level or died
        self.best_attempts: dict[tuple[int, int], MoveAttempt] = {}  # (start, target) -> the earliest attempt there
        self._best_ticks: dict[tuple[int, int], int] = {}
        self.stopped_at: set[tuple[CellKey, int]] = set()  # cell and heading at which a walker was stopped
        self._frontier: list[tuple[int, int]] = []  # (tick, place), to start in all directions
        self._deferred: list[tuple[int, int, int, int]] = []  # (tick, place, kind, heading)
        self._queued: list[tuple[int, int, int]] = []  # (place, kind, heading)
        self._batch = self._make_batch([])
        self.observer: StepObserver | None = None
        self._centres = np.array([target.at for target in self.targets]).reshape(-1, 3)

    def add_start(self, state: WalkerState) -> int:
        """Add a start; the index of its place."""
        row = state.row()
        place = self.places.add(int(cell_keys_of(feet_positions(row))[0]), row[0], None)
        heapq.heappush(self._frontier, (state.tick, place))
        self._record_targets(row, np.array([place]), ~self.is_killed(row), walking=False)
        if self.observer is not None:
            self.observer(row["position"], row, lambda k: MoveAttempt(place, RUN, 0, -1, 0))
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
        segments: list[list[moves.HeldKeys]] = []
        attempt = self.places.attempts[place]
        while attempt is not None:
            segments.append(attempt.steps())
            attempt = self.places.attempts[attempt.place]
        return moves.merge_equal_steps(step for segment in reversed(segments) for step in segment)

    def walk_through(self, attempt: MoveAttempt) -> BotWalk:
        """The walk from the start to the end of an attempt."""
        return moves.merge_equal_steps([*self.walk_to(attempt.place), *attempt.steps()])

    def walk_states(self, start: WalkerState, rows: Rows) -> States:
        """States (n,) after each row of a walk. A body that dies in a kill box stays there."""
        states = self.walker.run(start, rows, self.mesh, around=self.crowd.around)
        for first in np.flatnonzero(self.is_killed(states))[:1]:
            states[first:] = states[first]
        return states

    def is_killed(self, states: States) -> NDArray[np.bool_]:
        """(n,): whether the feet or the centre of a body are in a kill box."""
        return in_boxes(self.kill_boxes, feet_positions(states), states["position"])

    def _start_bots(self) -> None:
        """Start new walkers: first from the places reached earliest, then deferred moves, then queued ones."""
        starts: list[tuple[int, int, int]] = []
        room = MAX_ACTIVE_BOTS - len(self._batch)
        while len(starts) < room and self._frontier:
            _, place = heapq.heappop(self._frontier)
            if self.places.place_by_cell[self.places.cell_keys[place]] != place:
                continue  # reached earlier since
            offset = HEADING_OFFSET * (place % 2)
            starts += [(place, RUN, offset + k * moves.FULL_TURN // DIRECTIONS) for k in range(DIRECTIONS)]
        if not starts and not len(self._batch):
            while len(starts) < room and self._deferred:
                _, place, kind, heading = heapq.heappop(self._deferred)
                starts.append((place, kind, heading))
        if not starts and not len(self._batch):
            starts, self._queued = self._queued[:room], self._queued[room:]
        if starts:
            self._batch = self._batch.concatenate(self._make_batch(starts))

    def _make_batch(self, starts: list[tuple[int, int, int]]) -> BotBatch:
        place, kind, heading = np.array(starts, np.int64).reshape(-1, 3).T.copy()
        self.attempt_count += len(starts)
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
            np.zeros(len(place), np.int64),
            feet,
            feet.copy(),
        )

    def _step_bots(self) -> None:
        batch = self._batch
        had_ground = batch.states["grounded"]
        before = batch.states["position"]
        batch.states = self.crowd.step(
            batch.states, moves.move_command_rows(batch.kind, batch.heading, batch.tick, batch.turn_at)
        )
        batch.tick = batch.tick + 1
        self.ticks += len(batch)
        states = batch.states
        feet = feet_positions(states)
        killed = self.is_killed(states)
        self.fell_from.update(batch.key[killed].tolist())
        # Put back to its safe place, or to its spawn
        is_reset = (np.abs(states["position"] - before).max(axis=1) > self.reset_distance) | killed
        left_ground = had_ground & ~states["grounded"]
        batch.turn_at = np.where((batch.turn_at == AT_EDGE) & left_ground, batch.tick, batch.turn_at)
        if self.targets:
            self._record_targets(states, batch.place, ~killed)
        if self.observer is not None:
            self.observer(before, states, batch.attempt_of)
        stands = states["grounded"] & ~states["sliding"] & ~is_reset
        fallen = ~is_reset & (feet[:, 1] < self.floor)
        key = cell_keys_of(feet)
        done = is_reset | fallen
        for k in np.flatnonzero(fallen).tolist():
            self._record_fall(batch, k)
        entered = np.flatnonzero(stands & (key != batch.key))
        for k in entered.tolist():
            done[k] |= self._enter_cell(batch, k, int(key[k]))
        batch.since = np.where(stands & (key != batch.key), batch.tick, batch.since)
        batch.key = np.where(stands, key, batch.key)
        batch.ground = np.where(stands[:, None], feet, batch.ground)
        on_foot = TURN_STARTS[batch.kind] == -1
        is_due = batch.tick == STOPPED_CHECK_TICKS
        if is_due.any():
            distance = np.linalg.norm(feet - batch.begun, axis=1)
            stopped = is_due & stands & on_foot & (distance < self._stopped_distance)
            for k in np.flatnonzero(stopped).tolist():
                self._record_stop(batch, k)
            done |= stopped
        if left_ground.any():
            for k in np.flatnonzero(left_ground & (batch.kind == RUN)).tolist():
                self._record_edge(batch, k)
        landed = stands & ~on_foot & (batch.turn_at >= 0) & (batch.tick > batch.turn_at + 3)
        slow = (np.abs(states["position"] - before).max(axis=1) < 1e-5) & (batch.tick > STOPPED_CHECK_TICKS)
        done |= (
            landed
            | (stands & (batch.tick >= MAX_MOVE_TICKS))
            | (batch.tick >= MAX_FALL_TICKS)
            | (stands & slow & on_foot)
        )
        for k in np.flatnonzero(~stands & ~is_reset & ~fallen & (batch.tick >= MAX_FALL_TICKS)).tolist():
            self._enter_cell(batch, k, int(key[k]))  # neither falling nor standing
        self._batch = batch.select(~done)

    def _enter_cell(self, batch: BotBatch, k: int, key: CellKey) -> bool:
        """Walker k is on ground in another cell; whether it has nothing more to find on this way."""
        ticks = int(batch.tick[k] - batch.since[k])
        if self.add_arrival(int(batch.key[k]), key, batch.states[k], batch.attempt_of(k), ticks):
            return False
        return bool(TURN_STARTS[batch.kind[k]] == -1 or batch.tick[k] > batch.turn_at[k] >= 0)

    def add_arrival(self, from_key: CellKey, key: CellKey, row: Any, attempt: MoveAttempt, ticks: int) -> bool:
        """An attempt came from one cell onto ground in another in `ticks`; whether that makes a new place."""
        entered = self.entered_cells.setdefault(from_key, {})
        entered[key] = min(ticks, entered.get(key, ticks))
        known = self.places.place_by_cell.get(key)
        now = int(row["tick"])
        if known is not None and now >= REVISIT_TIME_FACTOR * int(self.places.states["tick"][known]) - 20:
            return False
        heapq.heappush(self._frontier, (now, self.places.add(key, row, attempt)))
        return True

    def _record_stop(self, batch: BotBatch, k: int) -> None:
        place, heading = int(batch.place[k]), int(batch.heading[k])
        self.stopped_at.add((self.places.cell_keys[place], heading))
        if batch.kind[k] == RUN:
            now = int(self.places.states["tick"][place])
            for kind in (JUMP_ON_SPOT, RUNNING_JUMP, CROUCH_WALK, SIDESTEP):
                heapq.heappush(self._deferred, (now, place, kind, heading))
        elif (next_kind := {CROUCH_WALK: CROUCH_JUMP, SIDESTEP: SIDE_JUMP}.get(int(batch.kind[k]))) is not None:
            heapq.heappush(self._deferred, (int(self.places.states["tick"][place]), place, next_kind, heading))

    def _record_edge(self, batch: BotBatch, k: int) -> None:
        """A walker ran off an edge: queue stepping off, dropping and jumping there."""
        place, heading = int(batch.place[k]), int(batch.heading[k])
        for kind in (WALK, DROP_OFF_EDGE, EDGE_JUMP):
            heapq.heappush(self._deferred, (int(self.places.states["tick"][place]), place, kind, heading))

    def _record_fall(self, batch: BotBatch, k: int) -> None:
        self.fell_from.add(key := int(batch.key[k]))
        x, y, z = batch.ground[k].tolist()
        self.falls.append(FallRecord(batch.attempt_of(k), key, (x, y, z)))

    def _record_targets(
        self, states: States, place: NDArray[np.int64], alive: NDArray[np.bool_], walking: bool = True
    ) -> None:
        """Record living walkers within reach of a target, where no earlier one from the same start was."""
        if not self.targets:
            return
        feet = feet_positions(states)
        for m, target in enumerate(self.targets):
            offset = self._centres[m] - feet
            if target.body:
                offset[:, 1] -= np.clip(offset[:, 1], 0.0, 2.0 * states["radii"][:, 1])
            in_reach = np.flatnonzero(((offset * offset).sum(axis=1) <= target.radius**2) & alive)
            for k in in_reach.tolist():
                now = int(states["tick"][k])
                key = (self.places.start_places[int(place[k])], m)
                if now < self._best_ticks.get(key, 1 << 60):
                    self._best_ticks[key] = now
                    self.best_attempts[key] = (
                        self._batch.attempt_of(k) if walking else MoveAttempt(int(place[k]), RUN, 0, -1, 0)
                    )

    def ticks_to_target(self, target: int, start: int = 0) -> int | None:
        """Ticks from a start to a target by the best attempt; None where it was not reached."""
        return self._best_ticks.get((start, target))


def in_boxes(boxes: Sequence[LevelZone], feet: Floats, centre: Floats) -> Flags:
    """(n,): whether bodies with these feet and centres (n,3) are in one of the boxes."""
    inside: Flags = np.zeros(len(feet), np.bool_)
    for box in boxes:
        inside |= box.contains_points(feet) | box.contains_points(centre)
    return inside
