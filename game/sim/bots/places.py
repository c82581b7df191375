"""Places that bots reached: cells, labels, and the table of places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.vectors import Flags, Floats, Indices
from ...physics import rules
from ...physics.character.rows import state_flag, state_row
from ...physics.character.state import STATE_ROW, States
from ...physics.numerics.arrays import Bytes
from ...physics.rules import Run
from .mover_phases import NONE, MoverPhases
from .moves import MoveAttempt

if TYPE_CHECKING:
    from ...level.build.entities.zones import LevelZone

CELL_SIZE = 0.5  # m, in plan and height
CELL_OFFSET = 1 << 20  # cells; cell keys are packed into one integer
SWIM_CELLS = 2  # cells along an edge of the cube that makes a place in water
PHASE_BITS = 1023 << 8  # of a context
UPRIGHT_CODE = 1 * 9 + 2 * 3 + 1  # of the up +Y, see `up_codes`

CellKey = int
Points = NDArray[np.float64]


class Support(IntEnum):
    """What holds a body at a place."""

    GROUND = 0
    WATER = 1
    LADDER = 2


class Label(NamedTuple):
    """What tells places apart. The context is packed as in `context_of`; 0 is upright ground out of reach of movers.

    cell: key of the cell of the feet, at home of the mover that the body stands on
    """

    cell: CellKey
    context: int

    @property
    def support(self) -> Support:
        return Support(self.context & 3)

    @property
    def mover(self) -> int:
        """The mover that it stands on, or that can reach it; NONE for none."""
        return (self.context >> 18) - 1

    @property
    def phase(self) -> int:
        """Phase of its mover."""
        return self.context >> 8 & 1023

    @property
    def rides(self) -> bool:
        """Whether it stands on its mover."""
        return bool(self.context >> 7 & 1)

    @property
    def is_upright(self) -> bool:
        return self.context >> 2 & 31 == 0


class Edge(NamedTuple):
    """The easiest way from a label to the next: whether a bot jumped between, and the ticks."""

    jumps: bool
    ticks: int


def cells_of(label: Label) -> list[CellKey]:
    """The cells that a place with this label stands for: several in water."""
    if label.support != Support.WATER:
        return [label.cell]
    sizes = np.arange(SWIM_CELLS)
    offsets = np.stack(np.meshgrid(sizes, sizes, sizes), axis=-1).reshape(-1, 3)
    return [int(cell) for cell in pack_cells(unpack_cells([label.cell]) + offsets)]


def context_of(mover: Indices, phase: Indices, rides: Flags, up_code: Indices, support: Indices) -> Indices:
    """(n,) contexts: bits 0-1 support, 2-6 up, 7 rides, 8-17 phase, then 1 + mover."""
    context: Indices = (mover + 1) << 18 | phase << 8 | rides.astype(np.int64) << 7 | up_code << 2 | support
    return context


def feet_of(floats: Floats) -> Points:
    """(n,3) lowest points of bodies, of state rows (n, state_row.WIDTH)."""
    return floats[:, :3] - floats[:, state_row.RADII + 1, None] * floats[:, state_row.UP : state_row.UP + 3]


def feet_positions(states: States) -> Points:
    """(n,3) lowest points of bodies, of structured rows."""
    feet: Points = states["position"] - states["radii"][:, 1:2] * states["up"]
    return feet


def cell_indices(points: Points) -> Indices:
    """(n,3) integer cell coordinates of points."""
    cells: Indices = np.clip(np.floor(points / CELL_SIZE), 1 - CELL_OFFSET, CELL_OFFSET - 1).astype(np.int64)
    return cells


def cell_keys_of(points: Points) -> Indices:
    """(n,) cell keys of points (n,3)."""
    return pack_cells(cell_indices(points))


def pairs_in_cells(points: Points, keys: Indices, order: Indices) -> tuple[Indices, Indices]:
    """(i, j) of what lies in the cell of each point i and in its 26 neighbours. keys: sorted cell keys; order: the
    numbers j in that order."""
    columns = np.array([(dx, dy, 0) for dx in (-1, 0, 1) for dy in (-1, 0, 1)])
    middle = pack_cells((cell_indices(points)[:, None] + columns).reshape(-1, 3))
    first = np.searchsorted(keys, middle - 1, "left")  # the keys of three neighbours along z are consecutive
    count = np.searchsorted(keys, middle + 1, "right") - first
    within = np.arange(count.sum()) - np.repeat(count.cumsum() - count, count)
    return np.repeat(np.arange(len(middle)) // len(columns), count), order[np.repeat(first, count) + within]


def pack_cells(cell: Indices) -> Indices:
    """(n,) cell keys of cell coordinates (n,3)."""
    x, y, z = (cell[:, k] + CELL_OFFSET for k in range(3))
    key: Indices = (y << 42) | (x << 21) | z
    return key


def unpack_cells(key: Sequence[CellKey] | Indices) -> Indices:
    """(n,3) cell coordinates of keys, the inverse of `pack_cells`."""
    keys, mask = np.asarray(key, np.int64), 2 * CELL_OFFSET - 1
    return np.stack([(keys >> 21) & mask, keys >> 42, keys & mask], axis=-1) - CELL_OFFSET


def in_boxes(boxes: Sequence[LevelZone], feet: Points, centre: Points) -> Flags:
    """(n,): whether bodies with these feet and centres (n,3) are in one of the boxes."""
    inside: Flags = np.zeros(len(feet), np.bool_)
    for box in boxes:
        inside |= box.contains_points(feet) | box.contains_points(centre)
    return inside


@dataclass
class BodyColumns:
    """What a search reads from state rows (n,): feet, labels, the mover that reaches each body, and its support."""

    feet: Points
    cell: Indices
    context: Indices
    reached_by: Indices  # NONE for none
    support: Indices
    is_upright: Flags


def read_bodies(floats: Floats, clocks: Indices, starts: Indices, rows: Indices, phases: MoverPhases) -> BodyColumns:
    """The columns of state rows (n, state_row.WIDTH) at their ticks of the clock (n,). starts (N, M): of the movers in
    all runs; rows (n,): theirs."""
    flags = floats.view(np.int64)[:, state_row.FLAGS]
    feet = feet_of(floats)
    # Each component of up is rounded to -1, 0 or 1: 27 directions
    steps = np.rint(floats[:, state_row.UP : state_row.UP + 3]).astype(np.int64) + 1
    code = steps[:, 0] * 9 + steps[:, 1] * 3 + steps[:, 2]
    code[code == UPRIGHT_CODE] = 0
    support = np.where(flags & state_flag.CLIMBING != 0, Support.LADDER, Support.GROUND)
    support = np.where(flags & state_flag.SWIMMING != 0, Support.WATER, support)
    ridden = (flags >> state_flag.MOVER_SHIFT) - 1
    reached_by, moved_by = phases.reaching(floats[:, :3])
    rides = ridden != NONE
    mover = np.where(rides, ridden, moved_by)
    points, ticks = feet.copy(), clocks
    if len(phases):
        ticks = clocks - np.where(mover != NONE, starts[rows, mover], 0)
    if rides.any():
        points[rides] = phases.at_home(ridden[rides], ticks[rides], feet[rides])
    cell, swims = cell_indices(points), support == Support.WATER
    cell[swims] = cell[swims] // SWIM_CELLS * SWIM_CELLS
    context = context_of(mover, phases.phases(mover, ticks), rides, code, support)
    is_upright = floats[:, state_row.UP + 1] == 1.0
    return BodyColumns(feet, pack_cells(cell), context, reached_by, support, is_upright)


class PlaceTable:
    """Table of places. place_of: label -> the place that was reached earliest. place_by_cell: the same for the cells
    that upright bodies were in, those in water included, and not on movers."""

    def __init__(self, targets: int, movers: int) -> None:
        self._floats = np.zeros((1024, state_row.WIDTH))
        self._counts = np.zeros((1024, rules.COUNT_WIDTH), np.int64)
        self._flags = np.zeros((1024, targets), np.uint8)
        self._starts = np.zeros((1024, movers), np.int64)
        self.attempts: list[MoveAttempt | None] = []
        self.start_places: list[int] = []  # start place of the walk to it
        self.labels: list[Label] = []
        self.place_of: dict[Label, int] = {}
        self.place_by_cell: dict[CellKey, int] = {}

    def __len__(self) -> int:
        return len(self.attempts)

    def add(self, label: Label, floats: Floats, run: Run, attempt: MoveAttempt | None, is_first: bool = True) -> int:
        """Add a place in a run; its index. is_first: others start there instead of at an earlier one with this
        label."""
        place = len(self)
        if place == len(self._floats):
            self._floats = np.concatenate([self._floats, np.zeros_like(self._floats)])
            self._counts = np.concatenate([self._counts, np.zeros_like(self._counts)])
            self._flags = np.concatenate([self._flags, np.zeros_like(self._flags)])
            self._starts = np.concatenate([self._starts, np.zeros_like(self._starts)])
        self._floats[place], self._counts[place] = floats, run.counts
        self._flags[place], self._starts[place] = run.targets, run.starts
        self.start_places.append(place if attempt is None else self.start_places[attempt.place])
        self.attempts.append(attempt)
        self.labels.append(label)
        if is_first:
            self.place_of[label] = place
            if label.is_upright and not label.rides:
                self._note_cells(label, place)
        return place

    def _note_cells(self, label: Label, place: int) -> None:
        for cell in cells_of(label):
            known = self.place_by_cell.get(cell)
            if known is None or self.clock(place) < self.clock(known):
                self.place_by_cell[cell] = place

    def clock(self, place: int) -> int:
        """Tick of the world at which a place was reached."""
        return int(self._counts[place, rules.TICK])

    def heading(self, place: int) -> int:
        """Heading of the view at a place: that of the keys which led there, or of the body."""
        attempt = self.attempts[place]
        return int(self.floats[place].view(np.int64)[state_row.HEADING]) if attempt is None else attempt.view_heading

    @property
    def floats(self) -> Floats:
        """(n, state_row.WIDTH) state rows."""
        return self._floats[: len(self)]

    @property
    def states(self) -> States:
        """(n,) state rows, structured."""
        states: States = self.floats.view(STATE_ROW)[:, 0]
        return states

    @property
    def counts(self) -> Indices:
        """(n, rules.COUNT_WIDTH) counts of the runs."""
        return self._counts[: len(self)]

    @property
    def flags(self) -> Bytes:
        """(n, T): targets that were reached on the way."""
        return self._flags[: len(self)]

    @property
    def starts(self) -> Indices:
        """(n, M): ticks at which the movers were set off."""
        return self._starts[: len(self)]

    def run(self, place: int) -> Run:
        """The run at a place, which respawns there."""
        places = np.tile(self._floats[place], (rules.PLACE_COUNT, 1))
        return Run(places, self._counts[place], self._flags[place], self._starts[place])

    def feet(self) -> Points:
        """(n,3) feet of all places."""
        return feet_of(self.floats)
