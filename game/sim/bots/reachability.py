"""What the bots' travels mean: where one falls out, where one is held, what nobody came to."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...physics import Ellipsoid, WalkerState
from ...physics.character.state import States
from . import moves
from .random_walk import random_walk
from .search import BotSearch, CellKey, FallRecord, Points, cell_indices, feet_positions, pack_cells, unpack_cells
from .standable_cells import NEIGHBOURS, StandableCells

if TYPE_CHECKING:
    from ...level import Level

SINGLE_SIDED_KINDS = (
    "quad",
    "triangle",
)  # may be seen from behind; below a terrain is nothing, and the other pieces are closed
OPEN_MESH_KINDS = ("terrain", "model")
MIN_AREA = 3.0  # square metres: less ground that nobody comes to is no finding
ADJACENT_DISTANCE = 2.5  # metres from a place that was reached to ground that looks as if one should come there
ADJACENT_RISE = 0.25  # metres that such ground may lie higher; what is higher is a roof, or a table
MAX_CEILING_HEIGHT = 4.2  # metres: what is covered by a ceiling up to here looks like a room
OPEN_SKY_FRACTION = (
    0.9  # of its ground: what has so much of it under the open sky, out to the level's rim, is a backdrop
)
LEVEL_RIM_DISTANCE = 1.5  # metres from the level's outermost ground
MAX_FALLS_PER_CELL = 3  # falls from one cell that are looked into
MAX_ESCAPE_BOTS, MIN_ESCAPE_BOTS, ESCAPE_ROUNDS = (
    48,
    12,
    24,
)  # how many look for a way out of a place that seems to have none
MAX_FAILED_ESCAPES = 2  # times that they look without finding any
STUCK_DISTANCE = 0.3  # metres: who comes no further, whatever the keys, is stuck
STUCK_TICKS = 90  # ticks that each way of getting loose is tried


@dataclass(frozen=True, slots=True)
class FallEdge:
    """Falls out of the level over one piece: the numbers of its origins, the fall that came soonest, the number of the
    piece that was jumped off there, and where ground lay below last (n,3), that fall's place first."""

    origins: frozenset[int]
    first_fall: FallRecord
    takeoff_origin: int
    crossed_point: Points


@dataclass(frozen=True, slots=True)
class TrapRegion:
    """Cells that nobody came out of; whether one cannot even move there; the place in it reached soonest."""

    keys: frozenset[CellKey]
    stuck: bool
    place: int
    area: float


@dataclass(frozen=True, slots=True)
class UnreachedRegion:
    """Spots (numbers) that hang together and that nobody came to, and how many square metres they are."""

    spots: NDArray[np.int64]
    area: float
    looks_intended: bool  # looks as if one should come there


def origin_index_of(level: Level, triangle: int) -> int:
    """The number of the piece (among level.origins) that a colliding triangle belongs to."""
    return int(level.faces.origin[level.quad_index[triangle]])


def origin_indices_of(level: Level, triangles: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same of many; -1 for -1."""
    if not len(level.quad_index):
        return np.full(len(triangles), -1)
    found: NDArray[np.int64] = np.where(triangles >= 0, level.faces.origin[level.quad_index[triangles]], -1)
    return found


def is_solid_triangle(level: Level) -> NDArray[np.bool_]:
    """(triangles,): whether a triangle's back is the inside of something closed."""
    piece = level.faces.origin[level.quad_index]
    a, b, c = level.triangles.swapaxes(0, 1)
    thick = np.zeros(len(level.origins), np.bool_)
    thick[piece[np.cross(b - a, c - a)[:, 1] < 0.0]] = True  # it has an underside
    kinds = [origin.kind for origin in level.origins]
    sheets = np.array(
        [kind in SINGLE_SIDED_KINDS or (kind == "floor" and not thick[k]) for k, kind in enumerate(kinds)], np.bool_
    )
    closed: NDArray[np.bool_] = ~sheets[piece]
    return closed


def is_closed_triangle(level: Level) -> NDArray[np.bool_]:
    """(triangles,): whether a triangle is of a piece that is solid to its last face, as models need not be."""
    kinds = np.array([origin.kind not in OPEN_MESH_KINDS for origin in level.origins], np.bool_)
    found: NDArray[np.bool_] = is_solid_triangle(level) & kinds[level.faces.origin[level.quad_index]]
    return found


def supporting_triangles(search: BotSearch, feet: Points) -> NDArray[np.int64]:
    """(n,): the triangle that carries a body whose feet are there; -1 where there is none."""
    if not len(feet):
        return np.zeros(0, np.int64)
    rx, ry, rz = search.walker.settings.radii
    lifted = feet + np.array((0.0, ry + 0.05, 0.0))
    found = np.full(len(feet), -1)
    for around in (min(rx, rz), max(rx, rz)):  # the slim one first: it touches no wall, but may miss an edge
        hits = search.mesh.sweep(Ellipsoid((around, ry, around)), lifted, 0.0, (0.0, -0.2, 0.0))
        found = np.where(found >= 0, found, hits.triangle)
    return found


def last_ground_crossed(search: BotSearch, states: States) -> tuple[int, Points] | None:
    """Of a way that leaves the level: the triangle that lay below the body last, and the place there (3,). None where
    it does not leave it."""
    feet = feet_positions(states)
    out = np.flatnonzero(feet[:, 1] < search.floor)
    stood = np.flatnonzero(states["grounded"][: out[0]]) if len(out) else out
    if not len(stood):
        return None
    way = feet[stood[-1] : out[0]]
    hits = search.mesh.ground_below(way + np.array((0.0, 0.05, 0.0)))
    below = np.flatnonzero(np.asarray(hits.triangle) >= 0)
    if len(below):
        return int(hits.triangle[below[-1]]), np.asarray(hits.point)[below[-1]]
    carried = int(supporting_triangles(search, way[:1])[0])  # it stood on the outermost edge
    return (carried, np.asarray(search.mesh.closest(way[:1]).point)[0]) if carried >= 0 else None


def find_fall_edges(level: Level, search: BotSearch) -> list[FallEdge]:
    """Falls out of the level by the piece that was crossed last, those that come soonest first."""
    ticks = search.places.states["tick"]
    falls = sorted(
        search.falls, key=lambda fall: (int(ticks[fall.attempt.place]) + fall.attempt.ticks, fall.attempt.place)
    )
    seen: dict[CellKey, int] = {}
    groups: dict[tuple[str, int, int], list[tuple[int, FallRecord, Points]]] = {}
    for fall in falls:
        seen[fall.key] = seen.get(fall.key, 0) + 1
        if seen[fall.key] > MAX_FALLS_PER_CELL:
            continue
        made = fall.attempt
        rows = moves.walk_command_rows(moves.move_steps(made.kind, made.heading, made.ticks, made.turn_at))
        begun = search.places.states[made.place : made.place + 1]
        states = search.walker.run(search.walker.state(begun), rows, search.mesh)
        found = last_ground_crossed(search, np.concatenate([begun, states]))
        if found is not None:
            origin = origin_index_of(level, found[0])
            written = level.origins[origin].place
            groups.setdefault((written.file, written.line, written.column), []).append((origin, fall, found[1]))
    edges = []
    for group in groups.values():
        origins = frozenset(origin for origin, _, _ in group)
        off = origin_indices_of(level, supporting_triangles(search, np.array([group[0][1].ground])))
        edges.append(FallEdge(origins, group[0][1], int(off[0]), np.array([place for _, _, place in group])))
    return edges


def cells_with_exit(search: BotSearch, home: Iterable[CellKey]) -> set[CellKey]:
    """The cells from which somebody came home, or left the level."""
    back: dict[CellKey, list[CellKey]] = {}
    for one, others in search.entered_cells.items():
        for other in others:
            back.setdefault(other, []).append(one)
    seen = set(home) | search.fell_from
    edge = deque(seen)
    while edge:
        for one in back.get(edge.popleft(), ()):
            if one not in seen:
                seen.add(one)
                edge.append(one)
    return seen


def safe_cells(search: BotSearch) -> set[CellKey]:
    """Where one may stay: where bots set out, and what is to be reached."""
    found = {search.places.cell_keys[k] for k, made in enumerate(search.places.attempts) if made is None}
    for made in search.best_attempts.values():
        begin = search.places.states[made.place : made.place + 1]
        rows = moves.walk_command_rows(moves.move_steps(made.kind, made.heading, made.ticks, made.turn_at))
        states = search.walker.run(search.walker.state(begin), rows, search.mesh)
        last = states[-1:] if len(states) else begin
        found |= set(pack_cells(cell_indices(feet_positions(last)) + NEIGHBOURS).tolist())
    return found


def find_traps(search: BotSearch, budget: int, seed: int = 1) -> list[TrapRegion]:
    """Where nobody came out of: looked into until no more ways out are found."""
    end = search.ticks + budget
    home = safe_cells(search)
    whole = len(search.places.place_by_cell)
    in_vain = 0
    while in_vain < MAX_FAILED_ESCAPES:
        held = set(search.places.place_by_cell) - cells_with_exit(search, home)
        if len(held) * 2 > whole and not search.best_attempts:
            home |= max(_connected_cells(held), key=len)  # what one drops down into is the level, not the ledge above
            continue
        if not held or search.ticks >= end:
            break
        for group in _connected_cells(held):
            places = [search.places.place_by_cell[key] for key in sorted(group)]
            count = min(max(len(places) // 2, MIN_ESCAPE_BOTS), MAX_ESCAPE_BOTS)
            some = [places[k * len(places) // count] for k in range(count)]
            random_walk(search, some, ESCAPE_ROUNDS, seed)
        search.run(end)
        seed += 1
        in_vain = in_vain + 1 if held.isdisjoint(cells_with_exit(search, home)) else 0
    found = []
    for group in _connected_cells(set(search.places.place_by_cell) - cells_with_exit(search, home)):
        place = min(
            (search.places.place_by_cell[key] for key in group), key=lambda k: (int(search.places.states["tick"][k]), k)
        )
        plan = {(x, z) for x, _, z in unpack_cells(sorted(group)).tolist()}
        states = (search.places.states[search.places.place_by_cell[key]] for key in sorted(group))
        stuck = len(plan) <= 4 and all(is_stuck(search, search.walker.state(state)) for state in states)
        found.append(TrapRegion(frozenset(group), stuck, place, len(plan) * 0.25))
    return sorted(found, key=lambda trap: (-trap.area, trap.place))


def _connected_cells(chosen: set[CellKey]) -> list[set[CellKey]]:
    """Cells that touch each other, in order."""
    left = set(chosen)
    found = []
    for first in sorted(chosen):
        if first not in left:
            continue
        left.discard(first)
        group, edge = {first}, [first]
        while edge:
            for key in pack_cells(unpack_cells([edge.pop()]) + NEIGHBOURS).tolist():
                if key in left:
                    left.discard(key)
                    group.add(key)
                    edge.append(key)
        found.append(group)
    return found


def is_stuck(search: BotSearch, state: WalkerState) -> bool:
    """Whether no way of moving, to any of 16 sides, brings it further than HELD (m) from where it is."""
    kinds = (moves.WALK, moves.JUMP_ON_SPOT, moves.CROUCH_WALK, moves.SIDESTEP, moves.CROUCH_JUMP)
    kind, heading = (part.ravel() for part in np.meshgrid(kinds, np.arange(16) * (moves.FULL_TURN // 16)))
    states = np.repeat(state.row(), len(kind))
    for tick in range(STUCK_TICKS):
        states = search.crowd.step(
            states, moves.move_command_rows(kind, heading, np.full(len(kind), tick), moves.TURN_STARTS[kind])
        )
        search.ticks += len(kind)
        apart = states["position"] - np.array(state.position)
        if (np.hypot(apart[:, 0], apart[:, 2]) > STUCK_DISTANCE).any():
            return False
    return True


def find_unreached_regions(search: BotSearch, spots: StandableCells, least: float = MIN_AREA) -> list[UnreachedRegion]:
    """Ground that nobody came to, the largest first; only what is broad enough to be meant for anybody."""
    reached = search.places.feet()
    found = []
    for group in spots.connected_regions(~spots.visited_mask(search.mesh, search.places)):
        area, feet = len(group) * spots.side**2, spots.feet[group]
        if area >= least and _has_broad_patch(feet, spots.side):
            covered = (spots.above[group] < MAX_CEILING_HEIGHT).mean() > 0.5 and _is_enclosed(search, feet, spots.side)
            meant = covered or _is_adjacent_ground(feet, spots.above[group], reached, spots.feet)
            found.append(UnreachedRegion(group, area, meant))
    return found


def _is_enclosed(search: BotSearch, feet: Points, side: float) -> bool:
    """Whether ground ends at walls rather than at drops, for the most part: a room, not the top of a cupboard."""
    flat = set(map(tuple, np.floor(feet[:, ::2] / side).astype(int).tolist()))
    walls = ends = 0
    for dx, dz in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        outer = feet[[(x + dx, z + dz) not in flat for x, z in np.floor(feet[:, ::2] / side).astype(int).tolist()]]
        if len(outer):
            hits = search.mesh.raycast(outer + np.array((0.0, 0.9, 0.0)), (dx, 0.0, dz), 1.5 * side)
            walls, ends = walls + int((hits.triangle >= 0).sum()), ends + len(outer)
    return walls * 2 > ends


def _is_adjacent_ground(feet: Points, above: NDArray[np.float64], reached: Points, whole: Points) -> bool:
    """Ground beside what was reached, at its height; but no backdrop, open ground out to the level's rim."""
    at_rim = np.abs(feet[:, None, ::2] - np.stack([whole.min(axis=0), whole.max(axis=0)])[:, ::2]) < LEVEL_RIM_DISTANCE
    if np.isinf(above).mean() > OPEN_SKY_FRACTION and at_rim.any(axis=0).sum() >= 2:
        return False
    low, high = feet.min(axis=0) - ADJACENT_DISTANCE, feet.max(axis=0) + ADJACENT_DISTANCE
    near = reached[((reached >= low) & (reached <= high))[:, [0, 2]].all(axis=1)]
    for first in range(0, len(feet), 512):
        apart = near[None] - feet[first : first + 512, None]
        beside = np.hypot(apart[..., 0], apart[..., 2]) < ADJACENT_DISTANCE
        if (beside & (np.abs(apart[..., 1]) < ADJACENT_RISE)).any():
            return True
    return False


def _has_broad_patch(feet: Points, side: float) -> bool:
    """Whether somewhere nine spots make a square."""
    flat = {(x, z) for x, z in np.floor(feet[:, ::2] / side).astype(int).tolist()}
    square = [(dx, dz) for dx in (-1, 0, 1) for dz in (-1, 0, 1)]
    return any(all((x + dx, z + dz) in flat for dx, dz in square) for x, z in flat)


def nearest_place(search: BotSearch, at: Sequence[float]) -> tuple[int, float]:
    """The place reached that lies nearest to a point, and how far away (m)."""
    apart = np.linalg.norm(search.places.feet() - np.asarray(at, np.float64), axis=1)
    found = int(np.argmin(apart))
    return found, float(apart[found])
