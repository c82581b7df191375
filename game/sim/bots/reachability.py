"""Analysis of the bots' search: falls out of the level, traps, and unreached ground."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...level.build.pieces import NATURAL_KINDS, POLYGON_KINDS, SHEET_KINDS
from ...physics import Ellipsoid
from ...physics.character.rows import state_row
from ...physics.character.state import States
from ..batched_world import BatchedRuns
from . import moves
from .places import (
    CELL_SIZE,
    CellKey,
    Label,
    Points,
    Support,
    cell_keys_of,
    cells_of,
    feet_positions,
    pack_cells,
    pairs_in_cells,
    unpack_cells,
)
from .search import BotSearch, FallRecord
from .standable_cells import NEIGHBOURS, StandableCells

if TYPE_CHECKING:
    from ...level import Level

MIN_AREA = 3.0  # m2: smaller unreached ground is not reported
ADJACENT_DISTANCE = 2.5  # m between reached places and ground that looks reachable
ADJACENT_BLOCK = 256  # cells that are looked at at once
ADJACENT_RISE = 0.25  # m that such ground may be higher; higher ground is a roof or a table
MAX_CEILING_HEIGHT = 4.2  # m: ground with a ceiling up to this height looks like a room
OPEN_SKY_FRACTION = 0.9  # of an area under the open sky that makes it a backdrop, where it extends to the level's rim
LEVEL_RIM_DISTANCE = 1.5  # m from the outermost ground of the level
MAX_FALLS_PER_CELL = 3  # falls analysed for each cell
RIM_DIRECTIONS, FREE_DIRECTIONS = 16, 4  # around a place; side by side over nothing, where the level visibly ends
MAX_GAP, GAP_STEP = 4.0, 0.25  # m: widest gap that a player may not see, and between the places that are tried in it
MAX_ESCAPE_PLACES = 24  # of a trap, from which bots try every move in ESCAPE_HEADINGS directions
ESCAPE_HEADINGS = 16
MAX_FAILED_ESCAPES = 2  # searches without a way out that confirm a trap
STUCK_DISTANCE = 0.3  # m: a body that moves no further with any keys is stuck
STUCK_TICKS = 90  # that each way to get free is tried


@dataclass(frozen=True, slots=True)
class FallEdge:
    """Falls out of the level over one piece: its origin indices, the earliest fall, the origin that the body jumped off
    there, and the last positions above ground (n,3), that of the earliest fall first.
    """

    origins: frozenset[int]
    first_fall: FallRecord
    takeoff_origin: int
    crossed_point: Points


@dataclass(frozen=True, slots=True)
class TrapRegion:
    """Cells without a way out: whether the body cannot even move, or lies in water; the place reached earliest, and the
    area (m2)."""

    keys: frozenset[CellKey]
    stuck: bool
    in_water: bool
    place: int
    area: float


@dataclass(frozen=True, slots=True)
class UnreachedRegion:
    """A connected region of unreached cells (indices), and its area (m2)."""

    cells: NDArray[np.int64]
    area: float
    looks_intended: bool  # looks as if it should be reached


def origin_index_of(level: Level, triangle: int) -> int:
    """Index into `level.origins` of the piece of a colliding triangle."""
    return int(level.faces.origin[level.quad_index[triangle]])


def origin_indices_of(level: Level, triangles: NDArray[np.int64]) -> NDArray[np.int64]:
    """Indices into `level.origins` of triangles (n,); -1 for -1."""
    if not len(level.quad_index):
        return np.full(len(triangles), -1)
    indices: NDArray[np.int64] = np.where(triangles >= 0, level.faces.origin[level.quad_index[triangles]], -1)
    return indices


def is_solid_triangle(level: Level) -> NDArray[np.bool_]:
    """(triangles,): whether the back of a triangle is the inside of a closed piece."""
    piece = level.faces.origin[level.quad_index]
    a, b, c = level.triangles.swapaxes(0, 1)
    thick = np.zeros(len(level.origins), np.bool_)
    thick[piece[np.cross(b - a, c - a)[:, 1] < 0.0]] = True  # it has an underside
    kinds = [origin.kind for origin in level.origins]
    sheets = np.array(
        [kind in POLYGON_KINDS or (kind in SHEET_KINDS and not thick[k]) for k, kind in enumerate(kinds)], np.bool_
    )
    closed: NDArray[np.bool_] = ~sheets[piece]
    return closed


def is_closed_triangle(level: Level) -> NDArray[np.bool_]:
    """(triangles,): whether a triangle belongs to a piece that is closed everywhere, which models need not be."""
    kinds = np.array([origin.kind not in NATURAL_KINDS for origin in level.origins], np.bool_)
    closed: NDArray[np.bool_] = is_solid_triangle(level) & kinds[level.faces.origin[level.quad_index]]
    return closed


def supporting_triangles(search: BotSearch, feet: Points) -> NDArray[np.int64]:
    """(n,): the triangle under each body with these feet; -1 where there is none."""
    if not len(feet):
        return np.zeros(0, np.int64)
    rx, ry, rz = search.settings.radii
    lifted = feet + np.array((0.0, ry + 0.05, 0.0))
    triangles = np.full(len(feet), -1)
    for radius in (min(rx, rz), max(rx, rz)):  # the slim radius first: it touches no wall, but may miss an edge
        hits = search.mesh.sweep_many(Ellipsoid((radius, ry, radius)), lifted, 0.0, (0.0, -0.2, 0.0))
        triangles = np.where(triangles >= 0, triangles, hits.triangle)
    return triangles


def last_ground_crossed(search: BotSearch, states: States) -> tuple[int, Points] | None:
    """The last triangle below a body on a walk that ends with a fall out of the level, and the position (3,) there."""
    feet = feet_positions(states)
    outside = np.flatnonzero(feet[:, 1] < search.floor)
    end = int(outside[0]) if len(outside) else len(feet)
    grounded = np.flatnonzero(states["grounded"][:end])
    if not len(grounded):
        return None
    path = feet[grounded[-1] : end]
    hits = search.mesh.ground_below_many(path + np.array((0.0, 0.05, 0.0)))
    below = np.flatnonzero(np.asarray(hits.triangle) >= 0)
    if len(below):
        return int(hits.triangle[below[-1]]), np.asarray(hits.point)[below[-1]]
    support = int(supporting_triangles(search, path[:1])[0])  # it stood on the outermost edge
    return (support, np.asarray(search.mesh.closest_many(path[:1]).point)[0]) if support >= 0 else None


def is_at_rim(search: BotSearch, point: Points) -> bool:
    """Whether a place (3,) is at the visible end of the level: under the open sky, with nothing ahead or below in some
    directions side by side. A hole or gap has ground or a wall beyond it."""
    mesh, up = search.mesh, np.array([0.0, 1.0, 0.0])
    turn = np.arange(RIM_DIRECTIONS) * (2.0 * np.pi / RIM_DIRECTIONS)
    ahead = np.column_stack([np.cos(turn), np.zeros(len(turn)), np.sin(turn)])
    far = np.arange(2.0 * GAP_STEP, MAX_GAP, GAP_STEP)
    below = mesh.ground_below_many((point + 1.6 * up + far[:, None, None] * ahead).reshape(-1, 3)).triangle
    is_open = (np.asarray(below).reshape(len(far), -1) < 0).all(axis=0)
    for height in (0.3, 1.0, 1.6):
        is_open &= np.asarray(mesh.raycast_many(point + height * up, ahead, MAX_GAP).triangle) < 0
    runs = np.stack([np.roll(is_open, -k) for k in range(FREE_DIRECTIONS)]).all(axis=0)
    return bool(runs.any()) and mesh.raycast(point + 0.3 * up, up, MAX_CEILING_HEIGHT) is None


def find_fall_edges(level: Level, search: BotSearch) -> list[FallEdge]:
    """Falls out of the level grouped by the piece crossed last, earliest first."""
    falls = sorted(
        search.falls,
        key=lambda fall: (search.places.clock(fall.attempt.place) + fall.attempt.ticks, fall.attempt.place),
    )
    falls_per_label: dict[Label, int] = {}
    groups: dict[tuple[str, int, int], list[tuple[int, FallRecord, Points]]] = {}
    for fall in falls:
        falls_per_label[fall.label] = falls_per_label.get(fall.label, 0) + 1
        if falls_per_label[fall.label] > MAX_FALLS_PER_CELL:
            continue
        place, rows = fall.attempt.place, moves.walk_command_rows(search.steps_of(fall.attempt))
        states = np.concatenate([search.places.states[place : place + 1], search.walk_states(place, rows).states])
        crossed = last_ground_crossed(search, states)
        if crossed is not None and not is_at_rim(search, crossed[1]):
            origin = origin_index_of(level, crossed[0])
            source = level.origins[origin].place
            groups.setdefault((source.file, source.line, source.column), []).append((origin, fall, crossed[1]))
    edges = []
    for group in groups.values():
        origins = frozenset(origin for origin, _, _ in group)
        takeoff = origin_indices_of(level, supporting_triangles(search, np.array([group[0][1].ground])))
        edges.append(FallEdge(origins, group[0][1], int(takeoff[0]), np.array([place for _, _, place in group])))
    return edges


def labels_reached_from(search: BotSearch, label: Label) -> set[Label]:
    """The labels of places on the ways of bots from a label on."""
    reached, pending = {label}, [label]
    while pending:
        new = search.entered.get(pending.pop(), {}).keys() - reached
        reached |= new
        pending += new
    return reached & search.places.place_of.keys()


def labels_with_exit(search: BotSearch, home: Iterable[Label]) -> set[Label]:
    """Labels from which a bot came home, left the level, or died."""
    entered_from: dict[Label, list[Label]] = {}
    for label, entered in search.entered.items():
        for other in entered:
            entered_from.setdefault(other, []).append(label)
    labels = set(home) | search.fell_from
    queue = deque(labels)
    while queue:
        for label in entered_from.get(queue.popleft(), ()):
            if label not in labels:
                labels.add(label)
                queue.append(label)
    return labels


def find_traps(search: BotSearch, budget: int) -> list[TrapRegion]:
    """Regions without a way out, confirmed by further searches. Home is where starts and targets are."""
    end, places = search.ticks + budget, search.places
    home = {places.labels[k] for k, attempt in enumerate(places.attempts) if attempt is None}
    near_targets = np.array([arrival.label.cell for arrival in search.arrivals.values()], np.int64)
    around = (unpack_cells(near_targets)[:, None] + NEIGHBOURS).reshape(-1, 3)
    home |= {places.labels[place] for key in pack_cells(around).tolist() if (place := places.place_by_cell.get(key))}
    failed_escapes = 0
    while True:
        trapped = places.place_of.keys() - labels_with_exit(search, home)
        cells: dict[CellKey, list[Label]] = {}
        for label in sorted(trapped):
            if label.is_upright and not label.rides:
                for cell in cells_of(label):
                    cells.setdefault(cell, []).append(label)
        groups = _connected_cells(set(cells))
        if len(trapped) * 2 > len(places.place_of) and groups and not search.arrivals:
            largest = max(groups, key=len)  # the lower part is the level, the upper one a ledge
            home |= {label for cell in largest for label in cells[cell]}
            continue
        if not groups or search.ticks >= end or failed_escapes == MAX_FAILED_ESCAPES:
            break
        for group in groups:
            numbers = sorted({places.place_of[cells[cell][0]] for cell in group})
            for place in numbers[:: max(1, len(numbers) // MAX_ESCAPE_PLACES)]:
                for kind in (moves.RUN, moves.JUMP_ON_SPOT, moves.RUNNING_JUMP, moves.SIDE_JUMP, moves.RISE):
                    for k in range(ESCAPE_HEADINGS):
                        turn = (k + 0.5 * failed_escapes) / ESCAPE_HEADINGS
                        search.queue_move(place, kind, round(turn * moves.FULL_TURN))
        search.run(end)
        has_escaped = not trapped.isdisjoint(labels_with_exit(search, home))
        failed_escapes = 0 if has_escaped else failed_escapes + 1
    traps = []
    for group in groups:
        labels = sorted({label for cell in group for label in cells[cell]})
        numbers = [places.place_of[label] for label in labels]
        plan = {(x, z) for x, _, z in unpack_cells(sorted(group)).tolist()}
        stuck = len(plan) <= 4 and all(is_stuck(search, place) for place in numbers)
        swims = sum(label.support == Support.WATER for label in labels)
        earliest = min(numbers, key=lambda place: (places.clock(place), place))
        traps.append(TrapRegion(frozenset(group), stuck, swims * 2 > len(labels), earliest, len(plan) * CELL_SIZE**2))
    return sorted(traps, key=lambda trap: (-trap.area, trap.place))


def _connected_cells(chosen: set[CellKey]) -> list[set[CellKey]]:
    """Connected groups of cells, in order."""
    remaining = set(chosen)
    groups = []
    for first in sorted(chosen):
        if first not in remaining:
            continue
        remaining.discard(first)
        group = {first}
        queue = [first]
        while queue:
            for key in pack_cells(unpack_cells([queue.pop()]) + NEIGHBOURS).tolist():
                if key in remaining:
                    remaining.discard(key)
                    group.add(key)
                    queue.append(key)
        groups.append(group)
    return groups


def is_stuck(search: BotSearch, place: int) -> bool:
    """Whether no move in any of 16 directions takes a body further than STUCK_DISTANCE from a place."""
    kinds = (moves.WALK, moves.JUMP_ON_SPOT, moves.CROUCH_WALK, moves.SIDESTEP, moves.CROUCH_JUMP)
    kind, heading = (values.ravel() for values in np.meshgrid(kinds, np.arange(16) * (moves.FULL_TURN // 16)))
    batch, rows = BatchedRuns.empty(len(kind), len(search.level.targets), len(search.phases)), np.arange(len(kind))
    floats = search.places.floats[place]
    search.batched.begin(batch, rows, np.tile(floats, (len(kind), 1)), np.full(len(kind), search.places.clock(place)))
    for tick in range(STUCK_TICKS):
        columns = moves.move_command_columns(kind, heading, np.full(len(kind), tick), moves.TURN_STARTS[kind])
        search.batched.step(batch, rows, columns)
        search.ticks += len(kind)
        offset = batch.states[:, :3] - floats[:3]
        along = (offset * floats[state_row.UP : state_row.UP + 3]).sum(axis=1)
        if (((offset * offset).sum(axis=1) - along * along) > STUCK_DISTANCE**2).any():
            return False
    return True


def find_unreached_regions(search: BotSearch, cells: StandableCells) -> list[UnreachedRegion]:
    """Unreached regions, largest first, that are broad enough to stand on."""
    reached = search.places.feet()
    regions = []
    for group in cells.connected_regions(~cells.visited_mask(search.mesh, search.places)):
        area = len(group) * cells.side**2
        feet = cells.feet[group]
        if area >= MIN_AREA and _has_broad_patch(feet, cells.side):
            covered = (cells.above[group] < MAX_CEILING_HEIGHT).mean() > 0.5 and _is_enclosed(search, feet, cells.side)
            looks_intended = covered or _is_adjacent_ground(feet, cells.above[group], reached, cells.feet)
            regions.append(UnreachedRegion(group, area, looks_intended))
    return regions


def _is_enclosed(search: BotSearch, feet: Points, side: float) -> bool:
    """Whether ground ends mostly at walls, as in a room, and not at drops, as on top of a cupboard."""
    flat = set(map(tuple, np.floor(feet[:, ::2] / side).astype(int).tolist()))
    walls = ends = 0
    for dx, dz in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        outer = feet[[(x + dx, z + dz) not in flat for x, z in np.floor(feet[:, ::2] / side).astype(int).tolist()]]
        if len(outer):
            hits = search.mesh.raycast_many(outer + np.array((0.0, 0.9, 0.0)), (dx, 0.0, dz), 1.5 * side)
            walls += int((hits.triangle >= 0).sum())
            ends += len(outer)
    return walls * 2 > ends


def _is_adjacent_ground(feet: Points, above: NDArray[np.float64], reached: Points, all_feet: Points) -> bool:
    """Whether ground lies next to reached places at the same height, and is no open backdrop up to the level's rim."""
    at_rim = (
        np.abs(feet[:, None, ::2] - np.stack([all_feet.min(axis=0), all_feet.max(axis=0)])[:, ::2]) < LEVEL_RIM_DISTANCE
    )
    if np.isinf(above).mean() > OPEN_SKY_FRACTION and at_rim.any(axis=0).sum() >= 2:
        return False
    scale = CELL_SIZE / ADJACENT_DISTANCE
    keys = cell_keys_of(reached * scale)
    order = np.argsort(keys, kind="stable")
    for block in np.array_split(feet, len(feet) // ADJACENT_BLOCK + 1):
        i, j = pairs_in_cells(block * scale, keys[order], order)
        offsets = reached[j] - block[i]
        if (
            (np.hypot(offsets[:, 0], offsets[:, 2]) < ADJACENT_DISTANCE) & (np.abs(offsets[:, 1]) < ADJACENT_RISE)
        ).any():
            return True
    return False


def _has_broad_patch(feet: Points, side: float) -> bool:
    """Whether nine cells form a square somewhere."""
    flat = {(x, z) for x, z in np.floor(feet[:, ::2] / side).astype(int).tolist()}
    square = [(dx, dz) for dx in (-1, 0, 1) for dz in (-1, 0, 1)]
    return any(all((x + dx, z + dz) in flat for dx, dz in square) for x, z in flat)


def nearest_place(search: BotSearch, at: Sequence[float]) -> tuple[int, float]:
    """The reached place nearest to a point, and its distance (m)."""
    distances = np.linalg.norm(search.places.feet() - np.asarray(at, np.float64), axis=1)
    nearest = int(np.argmin(distances))
    return nearest, float(distances[nearest])
