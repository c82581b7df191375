"""Arrays of a tick: scratch memory, and lists of triangles kept over ticks."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from ...core.vectors import Floats, Indices
from ..environment.environment import NO_STARTS, NOWHERE, EnvironmentArrays, MeshArrays, PackedEnvironment
from ..environment.rows import motion_row
from ..numerics.arrays import ArrayTable, ConstantIndices2, Floats1, Floats2, Floats3, Indices1, Ints1
from .rows import body as body_columns
from .rows import box_row, candidate, command_row, contact, counter, half_space, kept, plane, record_kind

MAX_PLANES = 12  # contact planes; beyond that near-equal ones merge and the nearest stay (docs/physics.md)
MAX_CONTACTS = 64  # of more the nearest stay
WALKER_KEPT_CAPACITY = 128  # triangles of a kept list; testing them all costs a tenth of a search of the BVH
FIRST_CANDIDATES = 256  # room for candidates at first; a tick that needs more enlarges it
MAX_RECORDS_PER_TICK = 96  # of a trace; later records are dropped


class Scratch(ArrayTable):
    """Scratch arrays. Every kernel writes what it reads, so the order of ticks and walkers changes no result."""

    body: Floats1  # (body.SIZE,)
    counters: Indices1  # (counter.SIZE,)
    candidates: Annotated[Floats2, candidate.WIDTH]  # n rows
    boxes: Floats2  # (box_row.ROWS, n) bounding boxes of the candidates
    reachable: Ints1  # (n,) candidates of `find_reachable`
    planes: Annotated[Floats2, plane.WIDTH]  # MAX_PLANES rows
    contacts: Annotated[Floats2, contact.WIDTH]  # MAX_CONTACTS rows
    half_spaces: Annotated[Floats2, 4]  # half_space.MAX_ROWS + half_space.MAX_STOPS rows
    records: Annotated[Floats2, record_kind.WIDTH]  # k rows; k = 0: no trace


class TickArrays(ArrayTable):
    """Arrays of a call of `run_ticks`."""

    mesh: MeshArrays
    environment: EnvironmentArrays  # its zones are `own_zones` where movers carry zones
    scratch: Scratch
    triangle_indices: Ints1  # (n,) for as many candidates
    lists: Floats3  # kept lists (`allocate_kept_lists`), for this place
    settings: Floats1  # row of the walker's settings
    own_zones: Floats2  # zone rows that each tick writes for itself where movers carry zones; without rows: none does
    own_motions: Annotated[Floats2, motion_row.WIDTH]  # those of `environment`, in which each tick writes their starts
    starts: ConstantIndices2  # (1, M) of all rows, or (n, M) of each: tick at which each mover was last set off


def allocate_scratch(candidates: int, records: int = 0) -> Scratch:
    """Scratch arrays for so many candidates and trace records."""
    return Scratch(
        np.zeros(body_columns.SIZE),
        np.zeros(counter.SIZE, np.int64),
        np.zeros((candidates, candidate.WIDTH)),
        np.zeros((box_row.ROWS, candidates)),
        np.zeros(candidates, np.int32),
        np.zeros((MAX_PLANES, plane.WIDTH)),
        np.zeros((MAX_CONTACTS, contact.WIDTH)),
        np.zeros((half_space.MAX_ROWS + half_space.MAX_STOPS, 4)),
        np.zeros((records, record_kind.WIDTH)),
    )


class TickMemory:
    """Memory of a call that runs ticks at a place.

    place    the PackedEnvironment of the last call
    arrays   argument of `run_ticks`
    starts   `arrays.starts`
    command  row (1, command_row.WIDTH) of the command of a step; command_bytes: the part that a Command has
    """

    __slots__ = ("arrays", "command", "command_bytes", "place", "scratch", "starts")

    def __init__(self, settings: Floats, lists: Floats | None = None, records: int = 0) -> None:
        """lists: default one, for a single walker. records: rows for those of a trace."""
        self.place, self.starts = NOWHERE, NO_STARTS
        self.command = np.zeros((1, command_row.WIDTH))
        self.command_bytes = self.command.data.cast("B")[: 8 * command_row.LATER]
        self.scratch = allocate_scratch(FIRST_CANDIDATES, records)
        self.arrays = TickArrays(
            NOWHERE.mesh,
            NOWHERE.environment,
            self.scratch,
            np.zeros(FIRST_CANDIDATES, np.int32),
            allocate_kept_lists(1) if lists is None else lists,
            settings,
            np.zeros((0, 1)),
            np.zeros((0, 1)),
            NO_STARTS,
        )

    def enlarge(self) -> None:
        """Make room for twice the candidates that the last call needed."""
        candidates = 2 * int(self.scratch.counters[counter.CANDIDATES_NEEDED])
        self.scratch = allocate_scratch(candidates, len(self.scratch.records))
        self.arrays.replace("scratch", self.scratch)
        self.arrays.replace("triangle_indices", np.zeros(candidates, np.int32))

    def take_starts(self, starts: Indices) -> None:
        """Use other starts of the movers, which nobody changes before the next call."""
        self.starts = starts
        self.arrays.replace("starts", starts)

    def enter(self, place: PackedEnvironment) -> None:
        """Prepare for calls at a place. The kept lists must be those of it, or empty."""
        self.place, around = place, place.environment
        zones, motions = place.zones_at_home.copy(), around.motions.copy()
        environment = EnvironmentArrays(zones if len(zones) else around.zones, motions, around.keys, around.carried)
        members = {"mesh": place.mesh, "environment": environment, "own_zones": zones, "own_motions": motions}
        for name, member in members.items():
            self.arrays.replace(name, member)
        self.take_starts(place.starts)


def allocate_kept_lists(count: int, capacity: int = WALKER_KEPT_CAPACITY) -> Floats:
    """Kept lists (count, kept.ROWS, capacity) f8 for so many walkers, all empty (`broad_phase.find_triangles`)."""
    lists = np.zeros((count, kept.ROWS, max(capacity, kept.MIN_CAPACITY)))
    clear_kept_lists(lists)
    return lists


def clear_kept_lists(lists: Floats) -> None:
    """Empty kept lists (n, kept.ROWS, capacity), as they must be for another mesh."""
    header = lists[:, kept.HEADER]
    header[:, kept.COUNT] = 0.0
    header[:, kept.COVERED_BOX : kept.COVERED_BOX + 3] = np.inf
    header[:, kept.COVERED_BOX + 3 : kept.COVERED_BOX + 6] = -np.inf
    header[:, kept.LAST_BOX : kept.LAST_BOX + 3] = np.inf
    header[:, kept.GROWTH] = 1.0
