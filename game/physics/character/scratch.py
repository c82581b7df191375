"""Arrays of a tick: the mesh as the kernels see it, scratch memory, and lists of triangles kept over ticks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple
from weakref import ref

import numpy as np

from ...core.vectors import Floats, Indices, Ints
from ..numerics.arrays import address_table
from .layout import body as body_layout
from .layout import candidate, command_row, contact, counter, half_space, kept, plane, record_kind

if TYPE_CHECKING:
    from ..environment.environment import Environment, PackedEnvironment
    from .command import Command

MAX_PLANES = 12  # contact planes; beyond that near-equal ones merge and the nearest stay (docs/physics.md)
MAX_CONTACTS = 64  # of more the nearest stay
WALKER_KEPT_CAPACITY = 128  # triangles of a kept list; testing them all costs a tenth of a search of the BVH
FIRST_CANDIDATES = 256  # room for candidates at first; a tick that needs more enlarges it
MAX_RECORDS_PER_TICK = 96  # of a trace; later records are dropped


LISTS = 8  # row of the kept lists in the address table of a TickMemory
OWN_ZONES = 10  # of its zones


class MeshArrays(NamedTuple):
    """Arrays of a TriangleMesh, and of the movers' meshes behind it."""

    nodes: Floats  # (n, 6) f8 boxes of the BVH
    links: Ints  # (n, 2) i4
    triangles: Floats  # (m, 12) f8 corners and unit normals
    mates: Ints  # (m, 4) i4, layout.neighbour_row
    materials: Floats  # (k, material_row.WIDTH) f8; k = 0: plain surfaces only


class Scratch(NamedTuple):
    """Scratch arrays. Every kernel writes what it reads, so the order of ticks and walkers changes no result.

    There are few arrays because each one adds nine arguments to every compiled call.
    """

    body: Floats  # (body.SIZE,) f8
    counters: Indices  # (counter.SIZE,) i8
    candidates: Floats  # (n, candidate.WIDTH) f8
    planes: Floats  # (MAX_PLANES, plane.WIDTH) f8
    contacts: Floats  # (MAX_CONTACTS, contact.WIDTH) f8
    half_spaces: Floats  # (half_space.MAX_ROWS + half_space.MAX_STOPS, 4) f8
    records: Floats  # (k, record_kind.WIDTH) f8; k = 0: no trace


def allocate_scratch(candidates: int, records: int = 0) -> Scratch:
    """Scratch arrays for so many candidates and trace records."""
    return Scratch(
        np.zeros(body_layout.SIZE),
        np.zeros(counter.SIZE, np.int64),
        np.zeros((candidates, candidate.WIDTH)),
        np.zeros((MAX_PLANES, plane.WIDTH)),
        np.zeros((MAX_CONTACTS, contact.WIDTH)),
        np.zeros((half_space.MAX_ROWS + half_space.MAX_STOPS, 4)),
        np.zeros((records, record_kind.WIDTH)),
    )


class TickMemory:
    """Memory of a call that runs ticks, and its address table.

    scratch           `allocate_scratch`
    triangle_indices  (n,) i4, for as many candidates
    lists             kept lists (`allocate_kept_lists`)
    settings          row of the walker's settings
    zones             zone rows that each tick writes for itself where movers carry zones; without rows: none does
    """

    __slots__ = ("addresses", "lists", "scratch", "settings", "triangle_indices", "zones")

    def __init__(self, candidates: int, lists: Floats, settings: Floats, records: int = 0) -> None:
        self.scratch, self.triangle_indices = allocate_scratch(candidates, records), np.zeros(candidates, np.int32)
        self.lists, self.settings, self.zones = lists, settings, np.zeros((0, 1))
        self.addresses = address_table(*self.scratch, self.triangle_indices, lists, settings, self.zones)

    def take_lists(self, lists: Floats) -> None:
        """Use other kept lists."""
        self.lists, self.addresses[LISTS] = lists, address_table(lists)[0]

    def take_zones(self, packed: PackedEnvironment, around: Environment | None) -> Floats:
        """The zone rows for a call in this environment. Where movers carry zones, each tick writes its own."""
        carried = None if around is None else around.carried_zones
        if carried is None and not len(self.zones):
            return packed.environment.zones
        self.zones = np.zeros((0, 1)) if carried is None else carried.rest.copy()
        self.addresses[OWN_ZONES] = address_table(self.zones)[0]
        zones = packed.environment.zones if carried is None else self.zones.view()
        zones.flags.writeable = False
        return zones

    def enlarged(self) -> TickMemory:
        """Memory with room for twice the candidates that the last call needed."""
        candidates = 2 * int(self.scratch.counters[counter.CANDIDATES_NEEDED])
        memory = TickMemory(candidates, self.lists, self.settings, len(self.scratch.records))
        memory.zones, memory.addresses[OWN_ZONES] = self.zones, self.addresses[OWN_ZONES]
        return memory


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


def _no_mesh() -> None:
    """A dead reference, before the first mesh."""


class Workspace:
    """Memory of a Walker for one call at a time: a thread that enters takes one, and gives it back at the end.

    What an exception has left half written is never given back, so that no later call sees it.

    plain, traced  TickMemory without and with the records of a trace
    kept_lists     one list, of the mesh of the last call
    kept_mesh      weak reference to the triangles of that mesh
    command_row    row of the command of a step
    command        the Command in that row: steps often have the same one
    """

    __slots__ = ("command", "command_row", "kept_lists", "kept_mesh", "plain", "traced")

    def __init__(self, settings: Floats) -> None:
        """settings: row of the walker's settings."""
        self.kept_lists = allocate_kept_lists(1)
        self.plain = TickMemory(FIRST_CANDIDATES, self.kept_lists, settings)
        self.traced = TickMemory(FIRST_CANDIDATES, self.kept_lists, settings, MAX_RECORDS_PER_TICK)
        self.command_row = np.zeros((1, command_row.WIDTH))
        self.command: Command | None = None
        self.kept_mesh: Callable[[], Floats | None] = _no_mesh

    def enlarge(self, traced: bool) -> None:
        """Make room for the candidates that the last call needed."""
        if traced:
            self.traced = self.traced.enlarged()
        else:
            self.plain = self.plain.enlarged()

    def change_mesh(self, triangles: Floats) -> None:
        """Empty the kept list, for calls on the mesh of these triangles."""
        clear_kept_lists(self.kept_lists)
        self.kept_mesh = ref(triangles)
