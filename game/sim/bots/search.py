"""Search by bots: many walkers in the world of a level, from every place that they have reached.

The first bot that stands, swims or climbs in a cell leaves a place there, from which others start: in all directions
first, and where they were stopped or lost the ground, by jumping, crouching and side steps. Each place has the exact
walk that led to it from the spawn. The search is deterministic and bounded by a number of ticks.

A place is known by its label: the cell, up, the mover below, and in reach of a mover the phase of that mover. Time is
no other dimension: whoever is somewhere earlier can wait there. Out of reach of movers a body at rest keeps every bit,
so a wait is not simulated: the clock is set. When a bot comes from there into the reach of a mover, others follow it at
different phases of that mover. On a mover, and in its reach, a bot that stands still is simulated, and leaves places at
each phase.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...core.vectors import Flags, Floats, Indices
from ...physics import Walker, WalkerState, rules
from ...physics.character.command import Rows
from ...physics.character.rows import state_flag, state_row
from ...physics.character.state import STATE_ROW, States, state_of
from ...physics.numerics.arrays import Bytes
from ...physics.rules import Run
from ..batched_world import BatchedRuns, BatchedWorld
from ..events import Event, Respawned, RespawnReason
from ..world import World
from . import moves, promising_moves
from .mover_phases import ENDLESS, NONE, MoverPhases
from .moves import (
    AT_EDGE,
    CROUCH_WALK,
    DROP_OFF_EDGE,
    EDGE_JUMP,
    JUMP_ON_SPOT,
    RISE,
    RUN,
    SIDESTEP,
    STAND,
    TURN_STARTS,
    WALK,
    BotColumns,
    BotWalk,
    MoveAttempt,
    Start,
)
from .places import CellKey, Edge, Label, PlaceTable, Points, Support, cell_keys_of, read_bodies

MAX_ACTIVE_BOTS = 2048  # walkers simulated at once
MAX_PLACE_BYTES = 240_000_000  # of the places that are kept: runs over plain ground are not walked and cost no ticks
PLACE_BYTES = 3000  # of a place, about, beside what it knows of movers and targets
MAX_MOVE_TICKS = 240  # of one move on ground; in the air it lasts until there is ground
MAX_FALL_TICKS = 1200  # after which a fall is given up
MAX_REST_TICKS = 90  # within which a body that stands still comes to rest, if it does
MAX_RIDE_TICKS = 3600  # that a bot stands still at one label, on a mover or in reach of one
STOPPED_CHECK_TICKS = 14  # after which a walker that is not stopped has left its place
STOPPED_FRACTION = 0.3  # of the speed on open ground: a slower walker is stopped by then
STILL_DISTANCE = 1e-5  # m in a tick: nothing moves a body that moves less
STILL_SWIM_DISTANCE = 2e-3  # the same in water and on ladders
DIRECTIONS = 8
HEADING_OFFSET = moves.FULL_TURN // 16  # every second place uses the directions between those of the others
FAR_BELOW = 3.0  # m below everything that could catch a body
REVISIT_TIME_FACTOR = 0.75  # of the earlier ticks: a place reached that much earlier is searched again
REVISIT_TICKS = 20  # by which it must be earlier besides
MOVER_NEAR_TICKS = 40  # of a move, within which it must come into the reach of a mover to be tried at other phases
STEP_BEHIND = 0.7  # m
UNKNOWN_TICKS = 1 << 20  # ticks that are left from a place that the guide does not know

StepObserver = Callable[[Points, States, Callable[[int], MoveAttempt]], None]


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
    """A fall out of the level: the attempt, the place that it came from, and the last feet on ground."""

    attempt: MoveAttempt
    label: Label
    ground: tuple[float, float, float]


class Arrival(NamedTuple):
    """The earliest bot at a target: tick of the world, attempt, its last label, its state and its run."""

    tick: int
    attempt: MoveAttempt
    label: Label
    floats: Floats
    run: Run


class WalkedStates(NamedTuple):
    """States (n,) after each tick of a walk, up to that in which the walker died, and how; None: it did not."""

    states: States
    death: RespawnReason | None


class BotSearch:
    """Search in one level. `run` continues until nothing is left to try or the ticks are spent.

    batched   the world of the level
    floor     height (m) below which an upright body has left the level
    targets   things to be reached; their attempts are in `arrivals`
    guide     ticks that are left from each label to a place: bots start first where the sum with the clock is least
    observer  called for every tick of all active bots: positions before it, states after it, and the attempt of row k
    """

    def __init__(
        self,
        batched: BatchedWorld,
        targets: Sequence[BotTarget] = (),
        guide: Mapping[Label, int] | None = None,
        max_active: int = MAX_ACTIVE_BOTS,
    ) -> None:
        world = batched.world
        self.batched, self.level, self.mesh, self.settings = batched, world.level, world.mesh, world.settings
        self.targets, self.max_active = tuple(targets), max_active
        self._guide = guide
        rate = self.settings.ticks_per_second
        self.phases = MoverPhases(world.environment, self.level.all_zones, self.settings.radii, rate)
        self._moves = promising_moves.PromisingMoves(self.level, self.settings, self.phases)
        zones = [zone.centre[1] - zone.half[1] for zone in self.level.all_zones if zone.mover < 0]
        lowest = (*self.mesh.nodes[:1, 1].tolist(), *self.phases.lows[:, 1].tolist(), *zones)
        self.floor = max(self.level.kill_height, min(lowest, default=0.0) - FAR_BELOW)
        self._stopped_distance = _stopped_distances(self)
        self._centres = np.array([target.at for target in self.targets]).reshape(-1, 3)
        self._squares = np.array([target.radius for target in self.targets]) ** 2
        self._tall = np.array([float(target.body) for target in self.targets])
        self.ticks = 0  # walked so far by all bots
        self.left_ride = False  # whether a ride was too long to see its end
        self.attempt_count = 0
        self.places = PlaceTable(len(self.level.targets), len(self.phases))
        self.max_places = MAX_PLACE_BYTES // (PLACE_BYTES + 8 * len(self.phases) + len(self.level.targets))
        self.entered: dict[Label, dict[Label, Edge]] = {}  # label -> those entered from it
        self.falls: list[FallRecord] = []
        self.fell_from: set[Label] = set()  # the last labels of bots that fell out of the level or died
        self.arrivals: dict[tuple[int, int], Arrival] = {}  # (start, target) -> the earliest arrival
        self._frontier: list[tuple[int, int]] = []  # (order, place), to start in all directions
        self._deferred: list[tuple[int, Start]] = []  # (order, start)
        self._queued: list[Start] = []
        self._pending: list[Start] = []  # next to start
        self._edges_tried: set[tuple[int, int, int]] = set()  # (place, heading, wait)
        self._cells_ahead: dict[tuple[int, int, int], list[CellKey]] = {}  # of these edges
        self.rests: dict[int, int] = {}  # place -> the place where a body that stops there is at rest; NONE: none yet
        self._mover_moves: dict[int, set[tuple[int, int, int]]] = {}  # place -> (kind, heading, mover)
        self._runs = BatchedRuns.empty(max_active, len(self.level.targets), len(self.phases))
        self._free_slots = list(range(max_active))
        self._bots = self._make_bots([])
        self.observer: StepObserver | None = None

    def add_start(self, state: WalkerState, clock: int | None = None) -> int:
        """Add a start at a tick of the world, by default that of the state; the index of its place."""
        begun = BatchedRuns.empty(1, len(self.level.targets), len(self.phases))
        row = np.zeros(1, np.int64)
        self.batched.begin(begun, row, state._floats, row + (state.tick if clock is None else clock))
        return self.add_start_of_run(begun.states[0], begun.runs.row(0))

    def add_start_of_run(self, floats: Floats, run: Run) -> int:
        """Add a start in the middle of a run, with this state row."""
        bodies = read_bodies(
            floats[None], run.counts[None, rules.TICK], run.starts[None], np.zeros(1, np.int64), self.phases
        )
        label = Label(int(bodies.cell[0]), int(bodies.context[0]))
        place = self.places.add(label, floats, run, None)
        heapq.heappush(self._frontier, (self._order(place), place))
        for m in np.flatnonzero(self._is_at_target(floats[None], bodies.feet)[0]).tolist():
            attempt = MoveAttempt(place, STAND, self.places.heading(place), -1, 0)
            self.arrivals[place, m] = Arrival(self.places.clock(place), attempt, label, floats, run)
        if self.observer is not None:
            states = self.places.states[place : place + 1]
            self.observer(states["position"], states, lambda k: MoveAttempt(place, STAND, 0, -1, 0))
        return place

    def queue_move(self, place: int, kind: int, heading: int) -> None:
        """Queue a move behind everything that is to be tried already."""
        self._queued.append(Start(place, kind, heading % moves.FULL_TURN))

    def run(self, ticks: int, progress: Callable[[BotSearch], bool | None] | None = None) -> bool:
        """Run until nothing is left to try; False where the bots have walked `ticks` in all, or found `max_places`,
        before that, or where `progress`, called after each tick, returns True."""
        while True:
            if self.ticks >= ticks or len(self.places) >= self.max_places:
                return not (self._frontier or self._deferred or self._queued or self._pending or len(self._bots))
            if len(self._bots) <= self.max_active // 2:
                self._start_bots()
            if not len(self._bots):
                if self._pending or self._frontier or self._deferred or self._queued:
                    continue
                return True
            self._step_bots()
            if progress is not None and progress(self):
                return False

    def walk_to(self, place: int) -> BotWalk:
        """The walk from the start to a place."""
        segments: list[list[moves.HeldKeys]] = []
        attempt = self.places.attempts[place]
        while attempt is not None:
            segments.append(self.steps_of(attempt))
            attempt = self.places.attempts[attempt.place]
        return moves.merge_equal_steps(step for segment in reversed(segments) for step in segment)

    def walk_through(self, attempt: MoveAttempt) -> BotWalk:
        """The walk from the start to the end of an attempt."""
        return moves.merge_equal_steps([*self.walk_to(attempt.place), *self.steps_of(attempt)])

    def steps_of(self, attempt: MoveAttempt) -> list[moves.HeldKeys]:
        """An attempt as steps of a walk from its place, with the wait."""
        return [moves.HeldKeys(attempt.wait, self.places.heading(attempt.place)), *attempt.steps()]

    def walk_states(self, place: int, rows: Rows) -> WalkedStates:
        """The states of a walk (command rows) from a place, in its run, through the world of the level."""
        self._world.begin_at(self.state_at(place), self.places.clock(place))
        run = self._world._runs.row(0)
        run.places[:], run.counts[:], run.targets[:], run.starts[:] = self.places.run(place)
        self._world._read_starts()
        states, events = self._world.run(rows, _is_death)
        death = next((event.reason for event in events if isinstance(event, Respawned) and _is_death(event)), None)
        return WalkedStates(states if death is None else states[:-1], death)

    @cached_property
    def _world(self) -> World:
        world = self.batched.world
        return World(self.level, self.settings, world.start.name)

    @property
    def walker(self) -> Walker:
        """The walker of the bots."""
        return self.batched.world.walker

    def state_at(self, place: int) -> WalkerState:
        """The walker at a place."""
        return state_of(self.places.floats[place : place + 1].copy())

    def ticks_to_target(self, target: int, start: int = 0) -> int | None:
        """Tick of the world at which a target was reached from a start; None where it was not."""
        arrival = self.arrivals.get((start, target))
        return None if arrival is None else arrival.tick

    # Starts

    def _order(self, place: int, wait: int = 0) -> int:
        """Rank of a place among those from which bots start: its clock, and with a guide what is left from it."""
        order = self.places.clock(place) + wait
        return order if self._guide is None else order + self._guide.get(self.places.labels[place], UNKNOWN_TICKS)

    def _start_bots(self) -> None:
        """Start new walkers: first from the places reached earliest, then deferred moves, then queued ones. With a
        guide all in their order."""
        starts, room, is_guided = self._pending, self.max_active - len(self._bots), self._guide is not None
        is_idle = not starts and not len(self._bots)
        while len(starts) < room:
            is_later = is_guided and bool(self._deferred) and self._deferred[0][0] < self._order_of_next()
            if self._frontier and not is_later:
                _, place = heapq.heappop(self._frontier)
                if self.places.place_of[self.places.labels[place]] == place:  # else it was reached earlier since
                    starts += self._first_moves(place)
                    is_idle = False
            elif self._deferred and (is_guided or is_idle):
                _, start = heapq.heappop(self._deferred)
                starts += [start] if self._leads_on(start) else []
            else:
                break
        if not starts and not len(self._bots):
            starts, self._queued = self._queued, []
        starts = self._moves.without_plain_runs(starts, self.places, self.entered)
        self._pending = starts[room:]
        if starts:
            self._bots = self._bots.concatenate(self._make_bots(starts[:room]))

    def _order_of_next(self) -> float:
        return self._frontier[0][0] if self._frontier else np.inf

    def _first_moves(self, place: int) -> list[Start]:
        label = self.places.labels[place]
        offset = HEADING_OFFSET * (place % 2)
        headings = [offset + k * moves.FULL_TURN // DIRECTIONS for k in range(DIRECTIONS)]
        kinds = {Support.GROUND: (RUN,), Support.WATER: (RUN, RISE, CROUCH_WALK), Support.LADDER: (RUN, JUMP_ON_SPOT)}
        starts = [Start(place, kind, heading) for kind in kinds[label.support] for heading in headings]
        if label.mover != NONE and label.support == Support.GROUND:
            starts.append(Start(place, STAND, self.places.heading(place)))
        return starts

    def _leads_on(self, start: Start) -> bool:
        """Whether a deferred move may lead to a cell that is not known."""
        ahead = self._cells_ahead.get((start.place, start.heading, start.wait))
        if ahead is None or start.kind not in (WALK, DROP_OFF_EDGE, EDGE_JUMP):
            return True
        known = self.places.place_by_cell
        count = len(ahead) if start.kind == EDGE_JUMP else promising_moves.NEAR_EDGE
        return any(cell != promising_moves.NO_GROUND and cell not in known for cell in ahead[:count])

    def _make_bots(self, starts: Sequence[Start]) -> BotColumns:
        place, kind, heading, wait, departs = np.array(starts, np.int64).reshape(-1, 5).T.copy()
        self.attempt_count += len(starts)
        slots = np.array([self._free_slots.pop() for _ in starts], np.int64)
        floats, counts = self.places.floats[place], self.places.counts[place]
        floats.view(np.int64)[:, state_row.TICK] += wait
        counts[:, rules.TICK] += wait
        counts[:, rules.BITS] = 0
        self._runs.states[slots] = floats
        self._runs.runs.places[slots], self._runs.runs.counts[slots] = floats[:, None], counts
        self._runs.runs.targets[slots] = self.places.flags[place]
        self._runs.runs.starts[slots] = self.places.starts[place]
        bodies = read_bodies(floats, counts[:, rules.TICK], self.places.starts, place, self.phases)
        zeros = np.zeros(len(starts), np.int64)
        may_wait = (bodies.reached_by == NONE) & (bodies.support == Support.GROUND) & (departs == 0) & (kind != STAND)
        return BotColumns(
            slots, place, kind, heading, wait, TURN_STARTS[kind], zeros, bodies.cell, bodies.context, zeros.copy(),
            may_wait, departs.astype(np.bool_), bodies.feet,
        )  # fmt: skip

    # Ticks

    def _step_bots(self) -> None:
        bots = self._bots
        slots, runs = bots.slot, self._runs.runs
        before, flags_before = self._runs.states[slots], runs.targets[slots]
        columns = moves.move_command_columns(bots.kind, bots.heading, bots.tick, bots.turn_at)
        self.batched.step(self._runs, slots, columns)
        bots.tick = bots.tick + 1
        self.ticks += len(bots)
        floats, bits, clocks = self._runs.states[slots], runs.counts[slots, rules.BITS], runs.counts[slots, rules.TICK]
        runs.counts[slots, rules.BITS] &= ~rules.GOAL_REACHED  # bots go on behind the goal
        died = bits & rules.DIED != 0
        bodies = read_bodies(floats, clocks, runs.starts, slots, self.phases)
        self._note_arrivals(bots, floats, bodies.feet, died, flags_before)
        if self.observer is not None:
            self.observer(before[~died, :3], floats[~died].view(STATE_ROW)[:, 0], bots.select(~died).attempt_of)
        flags, had = floats.view(np.int64)[:, state_row.FLAGS], before.view(np.int64)[:, state_row.FLAGS]
        is_free = bodies.support != Support.GROUND
        is_grounded = flags & state_flag.GROUNDED != 0
        stands = ((is_grounded & (flags & state_flag.SLIDING == 0)) | is_free) & ~died
        left_ground = (had & state_flag.GROUNDED != 0) & ~is_grounded & ~died
        bots.turn_at = np.where((bots.turn_at == AT_EDGE) & left_ground, bots.tick, bots.turn_at)

        # The end of the level, and movers that come near
        fell = (bits & rules.FELL != 0) | (~died & bodies.is_upright & (bodies.feet[:, 1] < self.floor))
        for k in np.flatnonzero(fell).tolist():
            x, y, z = bots.ground[k].tolist()
            self.falls.append(FallRecord(bots.attempt_of(k), _label_of(bots, k), (x, y, z)))
        done = died | fell
        self.fell_from.update(_label_of(bots, k) for k in np.flatnonzero(done).tolist())
        is_reached = bodies.reached_by != NONE
        for k in np.flatnonzero(bots.may_wait & is_reached & (bots.tick <= MOVER_NEAR_TICKS) & ~died).tolist():
            self._try_at_phases(int(bots.place[k]), int(bots.kind[k]), int(bots.heading[k]), int(bodies.reached_by[k]))
        bots.may_wait = bots.may_wait & ~is_reached

        # New places
        entered = stands & ((bodies.cell != bots.cell) | (bodies.context != bots.context))
        for k in np.flatnonzero(entered).tolist():
            done[k] |= self._enter(bots, k, Label(int(bodies.cell[k]), int(bodies.context[k])))
        bots.since = np.where(entered, bots.tick, bots.since)
        bots.cell = np.where(stands, bodies.cell, bots.cell)
        bots.context = np.where(stands, bodies.context, bots.context)
        bots.ground = np.where(stands[:, None], bodies.feet, bots.ground)

        # Walls and edges, where other moves get further
        on_foot, stays = TURN_STARTS[bots.kind] == -1, bots.kind == STAND
        moved = np.abs(floats[:, :3] - before[:, :3]).max(axis=1)
        stopped = stands & on_foot & ~is_free & ~stays & (bots.tick == STOPPED_CHECK_TICKS)
        stopped &= moved < self._stopped_distance[bots.kind]
        if stopped.any():
            for start in self._moves.at_wall(bots, np.flatnonzero(stopped), floats, bodies):
                self._defer(start)
            done |= stopped
        at_edge = left_ground & (bots.kind == RUN)
        if at_edge.any():
            self._note_edges(bots, np.flatnonzero(at_edge))

        # The end of moves
        if stays.any():
            same = before.view(np.int64) == floats.view(np.int64)
            same[:, state_row.TICK] = True
            rests = stays & stands & same.all(axis=1)
            for k in np.flatnonzero(rests & ~is_reached).tolist():
                self._note_rest(bots, k)
            for k in np.flatnonzero(rests & is_reached).tolist():
                done[k] |= self._skip_dwell(bots, k)
            done |= rests & ~is_reached
            too_long = stays & (bots.tick - bots.since >= np.where(is_reached, MAX_RIDE_TICKS, MAX_REST_TICKS))
            self.left_ride |= bool((too_long & is_reached & ~rests).any())
            done |= too_long
            for k in np.flatnonzero(stays & done & ~rests).tolist():
                self._wait_behind(int(bots.place[k]))
        landed = stands & ~on_foot & (bots.turn_at >= 0) & (bots.tick > bots.turn_at + 3)
        still = moved < np.where(is_free, STILL_SWIM_DISTANCE, STILL_DISTANCE)
        still &= on_foot & (bots.tick > STOPPED_CHECK_TICKS)
        lost = ~stands & ~done & (bots.tick >= MAX_FALL_TICKS)
        for k in np.flatnonzero(lost).tolist():  # neither falling nor standing
            self._enter(bots, k, Label(int(bodies.cell[k]), int(bodies.context[k])))
        done |= ~stays & (landed | lost | (stands & (still | (bots.tick >= MAX_MOVE_TICKS))))
        if done.any():
            self._free_slots += slots[done].tolist()
            self._bots = bots.select(~done)

    def _is_at_target(self, floats: Floats, feet: Points) -> Flags:
        """(n, targets): whether a body is at a target."""
        offset = self._centres - feet[:, None]
        up = floats[:, None, state_row.UP : state_row.UP + 3]
        along = np.clip((offset * up).sum(axis=2), 0.0, 2.0 * floats[:, None, state_row.RADII + 1]) * self._tall
        offset -= along[:, :, None] * up
        flags: Flags = (offset * offset).sum(axis=2) <= self._squares
        return flags

    def _note_arrivals(self, bots: BotColumns, floats: Floats, feet: Points, died: Flags, before: Bytes) -> None:
        """Note living walkers at a target, where no earlier one from the same start was. One of the level's targets
        counts in the tick in which the world notes it."""
        if not self.targets:
            return
        is_at = self._is_at_target(floats, feet) & ~died[:, None]
        for k, m in np.argwhere(is_at).tolist():
            target, slot = self.targets[m], bots.slot[k]
            if target.kind == TargetKind.TARGET and before[k, target.number]:
                continue
            now, start = int(self._runs.clocks[slot]), self.places.start_places[int(bots.place[k])]
            known = self.arrivals.get((start, m))
            if known is None or now < known.tick:
                places, counts, flags, starts = self._runs.runs.row(slot)
                run = Run(places.copy(), counts.copy(), flags.copy(), starts.copy())
                self.arrivals[start, m] = Arrival(now, bots.attempt_of(k), _label_of(bots, k), floats[k].copy(), run)

    def _enter(self, bots: BotColumns, k: int, label: Label) -> bool:
        """Walker k is at another label; whether it has nothing more to find on this way."""
        slot, jumps = bots.slot[k], bots.since[k] <= bots.turn_at[k] < bots.tick[k] and bots.kind[k] != DROP_OFF_EDGE
        edge = Edge(bool(jumps), int(bots.tick[k] - bots.since[k]))
        entered = self.entered.setdefault(_label_of(bots, k), {})
        entered[label] = min(edge, entered.get(label, edge))
        known, now = self.places.place_of.get(label), int(self._runs.clocks[slot])
        if known is None or now < REVISIT_TIME_FACTOR * self.places.clock(known) - REVISIT_TICKS:
            place = self.places.add(label, self._runs.states[slot], self._runs.runs.row(slot), bots.attempt_of(k))
            heapq.heappush(self._frontier, (self._order(place), place))
            return False
        if label.mover == NONE and (bots.kind[k] == STAND or (bots.departs[k] and bots.tick[k] <= MOVER_NEAR_TICKS)):
            return False  # it brakes, or is on its way to a mover
        return bool(TURN_STARTS[bots.kind[k]] == -1 or bots.tick[k] > bots.turn_at[k] >= 0)

    def _defer(self, start: Start) -> None:
        heapq.heappush(self._deferred, (self._order(start.place, start.wait), start))

    def _note_edges(self, bots: BotColumns, rows: Indices) -> None:
        """Bots (rows) ran off an edge: others step off, drop and jump there, from the last place before it."""
        cells = self._moves.cells_ahead(bots.ground[rows], bots.heading[rows], bots.context[rows])
        for k, ahead in zip(rows.tolist(), cells.tolist(), strict=True):
            wait, heading = int(bots.wait[k]), int(bots.heading[k])
            place = int(bots.place[k]) if bots.departs[k] else self.places.place_of[_label_of(bots, k)]
            if (place, heading, wait) in self._edges_tried:
                continue
            self._edges_tried.add((place, heading, wait))
            self._cells_ahead[place, heading, wait] = ahead
            for kind in (WALK, DROP_OFF_EDGE, EDGE_JUMP):
                self._defer(Start(place, kind, heading, wait, bool(bots.departs[k])))

    # Waiting for movers

    def _try_at_phases(self, place: int, kind: int, heading: int, mover: int) -> None:
        """A move from a place where one can wait comes into the reach of a mover: try it at phases of that mover, as
        soon as a body is at rest there."""
        known, move = self._mover_moves.setdefault(place, set()), (kind, heading, mover)
        if move in known:
            return
        known.add(move)
        if place not in self.rests:
            self.rests[place] = NONE
            self._defer(Start(place, STAND, self.places.heading(place)))
        elif self.rests[place] != NONE:
            self._depart(self.rests[place], *move)

    def _note_rest(self, bots: BotColumns, k: int) -> None:
        """Walker k has come to rest where one can wait."""
        place, slot, attempt = int(bots.place[k]), bots.slot[k], bots.attempt_of(k)
        rest = self.places.add(
            _label_of(bots, k), self._runs.states[slot], self._runs.runs.row(slot), attempt, is_first=False
        )
        self.rests[place] = rest
        for move in sorted(self._mover_moves.get(place, ())):
            self._depart(rest, *move)

    def _wait_behind(self, place: int) -> None:
        """A body that stops at a place, such as one that runs to an edge, does not come to rest: wait a step behind."""
        feet = self.places.feet()[place : place + 1]
        for kind, heading, mover in sorted(self._mover_moves.pop(place, ())):
            cell = cell_keys_of(feet - STEP_BEHIND * promising_moves.directions(np.array([heading]))[0])
            behind = self.places.place_of.get(Label(int(cell[0]), self.places.labels[place].context), place)
            if behind != place and self.rests.get(place) == NONE:
                self._try_at_phases(behind, kind, heading, mover)

    def _skip_dwell(self, bots: BotColumns, k: int) -> bool:
        """Walker k is at rest where one mover reaches it: set its clock to the tick before that leaves its stop.
        Whether it would stay there for ever."""
        slot = bots.slot[k]
        position, starts = self._runs.states[slot, :3], self._runs.runs.starts[slot]
        skipped = self.phases.still_ticks(position, int(self._runs.clocks[slot]), starts)
        if skipped != ENDLESS:
            self._runs.clocks[slot] += skipped
            self._runs.states.view(np.int64)[slot, state_row.TICK] += skipped
            bots.tick[k] += skipped
            bots.since[k] += skipped
        return skipped == ENDLESS

    def _depart(self, rest: int, kind: int, heading: int, mover: int) -> None:
        clock = self.places.clock(rest)
        for tick in self.phases.departures(mover, clock, int(self.places.starts[rest, mover])):
            self._defer(Start(rest, kind, heading, tick - clock, True))


def _label_of(bots: BotColumns, k: int) -> Label:
    return Label(int(bots.cell[k]), int(bots.context[k]))


def _is_death(event: Event) -> bool:
    return isinstance(event, Respawned) and event.reason != RespawnReason.TELEPORTED


def _stopped_distances(search: BotSearch) -> Floats:
    """(kinds,) m in a tick below which a move is stopped, after STOPPED_CHECK_TICKS from rest."""
    settings = search.settings
    speeds = np.full(len(moves.MOVES), max(settings.sprint_speed, settings.walk_speed))
    speeds[[WALK, SIDESTEP]], speeds[CROUCH_WALK] = settings.walk_speed, settings.crouch_speed
    fastest = settings.acceleration * STOPPED_CHECK_TICKS * settings.dt
    distances: Floats = STOPPED_FRACTION * settings.dt * np.minimum(speeds, fastest)
    return distances
