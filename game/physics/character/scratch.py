"""Arrays of a tick: the mesh as the kernels see it, scratch memory, and lists of triangles kept over ticks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple
from weakref import ref

import numpy as np

from ...core.vectors import Floats, Indices, Ints
from ..environment.environment import EMPTY_ROWS, NO_STARTS
from ..numerics.arrays import address_table
from .rows import body as body_columns
from .rows import box_row, candidate, command_row, contact, counter, half_space, kept, plane, record_kind

if TYPE_CHECKING:
    from ..environment.environment import PackedEnvironment

MAX_PLANES = 12  # contact planes; beyond that near-equal ones merge and the nearest stay (docs/physics.md)
MAX_CONTACTS = 64  # of more the nearest stay
WALKER_KEPT_CAPACITY = 128  # triangles of a kept list; testing them all costs a tenth of a search of the BVH
FIRST_CANDIDATES = 256  # room for candidates at first; a tick that needs more enlarges it
MAX_RECORDS_PER_TICK = 96  # of a trace; later records are dropped


# Rows of the address table of a TickMemory: the arrays of its place first (`PackedEnvironment.addresses`)
PLACE_ROWS = 9
ZONES, MOTIONS = 5, 6  # of the place
OWN = PLACE_ROWS  # the arrays of the memory itself: those of its Scratch, then
TRIANGLE_INDICES, LISTS, SETTINGS, OWN_ZONES, OWN_MOTIONS, STARTS = range(OWN + 9, OWN + 15)


class MeshArrays(NamedTuple):
    """Arrays of a TriangleMesh, and of the movers' meshes behind it."""

    nodes: Floats  # (n, 6) f8 boxes of the BVH
    links: Ints  # (n, 2) i4
    triangles: Floats  # (m, 12) f8 corners and unit normals
    mates: Ints  # (m, 4) i4, rows.neighbour_row
    materials: Floats  # (k, material_row.WIDTH) f8; k = 0: plain surfaces only


class Scratch(NamedTuple):
    """Scratch arrays. Every kernel writes what it reads, so the order of ticks and walkers changes no result.

    There are few arrays because each one adds nine arguments to every compiled call.
    """

    body: Floats  # (body.SIZE,) f8
    counters: Indices  # (counter.SIZE,) i8
    candidates: Floats  # (n, candidate.WIDTH) f8
    boxes: Floats  # (box_row.ROWS, n) f8 bounding boxes of the candidates
    reachable: Ints  # (n,) i4 candidates of `find_reachable`
    planes: Floats  # (MAX_PLANES, plane.WIDTH) f8
    contacts: Floats  # (MAX_CONTACTS, contact.WIDTH) f8
    half_spaces: Floats  # (half_space.MAX_ROWS + half_space.MAX_STOPS, 4) f8
    records: Floats  # (k, record_kind.WIDTH) f8; k = 0: no trace


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
    """Memory of a call that runs ticks at a place, and the address table of all arrays that the kernels then read.

    place             weak reference to the PackedEnvironment of the last call
    scratch           `allocate_scratch`
    triangle_indices  (n,) i4, for as many candidates
    lists             kept lists (`allocate_kept_lists`), for this place
    settings          row of the walker's settings
    zones             zone rows that each tick writes for itself where movers carry zones; without rows: none does
    motions           motion rows of the movers, in which each tick writes their starts
    starts            (1, M) i8 of all rows, or (n, M) of each: tick at which each mover was last set off
    command           row (1, command_row.WIDTH) of the command of a step; command_bytes: the part that a Command has
    """

    __slots__ = (
        "addresses", "command", "command_bytes", "lists", "motions", "place", "scratch", "settings", "starts",
        "triangle_indices", "zones",
    )  # fmt: skip

    def __init__(self, settings: Floats, lists: Floats | None = None, records: int = 0) -> None:
        """lists: default one, for a single walker. records: rows for those of a trace."""
        self.settings, self.zones, self.motions, self.starts = settings, EMPTY_ROWS, EMPTY_ROWS, NO_STARTS
        self.lists = allocate_kept_lists(1) if lists is None else lists
        self.place: Callable[[], PackedEnvironment | None] = _no_place
        self.command = np.zeros((1, command_row.WIDTH))
        self.command_bytes = self.command.data.cast("B")[: 8 * command_row.LATER]
        self.addresses = address_table(*[EMPTY_ROWS] * (STARTS + 1))
        self._allocate(FIRST_CANDIDATES, records)

    def _allocate(self, candidates: int, records: int) -> None:
        self.scratch, self.triangle_indices = allocate_scratch(candidates, records), np.zeros(candidates, np.int32)
        own = *self.scratch, self.triangle_indices, self.lists, self.settings, self.zones, self.motions, self.starts
        self.addresses[OWN:] = address_table(*own)

    def enlarge(self) -> None:
        """Make room for twice the candidates that the last call needed."""
        self._allocate(2 * int(self.scratch.counters[counter.CANDIDATES_NEEDED]), len(self.scratch.records))

    def take_lists(self, lists: Floats) -> None:
        """Use other kept lists."""
        self.lists, self.addresses[LISTS] = lists, address_table(lists)[0]

    def take_starts(self, starts: Indices) -> None:
        """Use other starts of the movers, which nobody changes before the next call."""
        self.starts, self.addresses[STARTS] = starts, address_table(starts)[0]

    def enter(self, place: PackedEnvironment) -> None:
        """Prepare for calls at a place. The kept lists must be those of it, or empty."""
        self.place = ref(place)
        self.addresses[:PLACE_ROWS] = place.addresses
        self.zones, self.motions = place.zones_at_home.copy(), place.environment.motions.copy()
        self.addresses[OWN_ZONES : OWN_MOTIONS + 1] = address_table(self.zones, self.motions)
        self.addresses[MOTIONS] = self.addresses[OWN_MOTIONS]
        if len(self.zones):
            self.addresses[ZONES] = self.addresses[OWN_ZONES]
        self.take_starts(place.starts)


def _no_place() -> None:
    """A dead reference, before the first place."""


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
