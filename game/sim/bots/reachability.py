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
from .random_walk import wander
from .search import Fall, Key, Points, Search, cells, feet_of, packed, unpacked
from .standable_cells import NEIGHBOURS, Spots

if TYPE_CHECKING:
    from ...level import Level

SHEETS = ("quad", "triangle")  # may be seen from behind; below a terrain is nothing, and the other pieces are closed
LOOSE = ("terrain", "model")
SMALLEST = 3.0  # square metres: less ground that nobody comes to is no finding
BESIDE = 2.5  # metres from a place that was reached to ground that looks as if one should come there
RISE = 0.25  # metres that such ground may lie higher; what is higher is a roof, or a table
ROOM = 4.2  # metres: what is covered by a ceiling up to here looks like a room
OPEN = 0.9  # of its ground: what has so much of it under the open sky, out to the level's rim, is a backdrop
RIM = 1.5  # metres from the level's outermost ground
ALIKE = 3  # falls from one cell that are looked into
WANDERERS, FEWEST, ROUNDS = 48, 12, 24  # how many look for a way out of a place that seems to have none
IN_VAIN = 2  # times that they look without finding any
HELD = 0.3  # metres: who comes no further, whatever the keys, is stuck
TRIED = 90  # ticks that each way of getting loose is tried


@dataclass(frozen=True, slots=True)
class Edge:
    """Falls out of the level over one piece: the numbers of its origins, the fall that came soonest, the number of the
    piece that was jumped off there, and where ground lay below last (n,3), that fall's place first."""

    origins: frozenset[int]
    soonest: Fall
    off: int
    crossed: Points


@dataclass(frozen=True, slots=True)
class Trap:
    """Cells that nobody came out of; whether one cannot even move there; the place in it reached soonest."""

    keys: frozenset[Key]
    stuck: bool
    place: int
    area: float


@dataclass(frozen=True, slots=True)
class Blank:
    """Spots (numbers) that hang together and that nobody came to, and how many square metres they are."""

    spots: NDArray[np.int64]
    area: float
    meant: bool  # looks as if one should come there


def origin_of(level: Level, triangle: int) -> int:
    """The number of the piece (among level.origins) that a colliding triangle belongs to."""
    return int(level.faces.origin[level.quad_index[triangle]])


def origins_of(level: Level, triangles: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same of many; -1 for -1."""
    if not len(level.quad_index):
        return np.full(len(triangles), -1)
    found: NDArray[np.int64] = np.where(triangles >= 0, level.faces.origin[level.quad_index[triangles]], -1)
    return found


def solid(level: Level) -> NDArray[np.bool_]:
    """(triangles,): whether a triangle's back is the inside of something closed."""
    piece = level.faces.origin[level.quad_index]
    a, b, c = level.triangles.swapaxes(0, 1)
    thick = np.zeros(len(level.origins), np.bool_)
    thick[piece[np.cross(b - a, c - a)[:, 1] < 0.0]] = True  # it has an underside
    kinds = [origin.kind for origin in level.origins]
    sheets = np.array([kind in SHEETS or (kind == "floor" and not thick[k]) for k, kind in enumerate(kinds)], np.bool_)
    closed: NDArray[np.bool_] = ~sheets[piece]
    return closed


def block(level: Level) -> NDArray[np.bool_]:
    """(triangles,): whether a triangle is of a piece that is solid to its last face, as models need not be."""
    kinds = np.array([origin.kind not in LOOSE for origin in level.origins], np.bool_)
    found: NDArray[np.bool_] = solid(level) & kinds[level.faces.origin[level.quad_index]]
    return found


def support(search: Search, feet: Points) -> NDArray[np.int64]:
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


def crossed(search: Search, states: States) -> tuple[int, Points] | None:
    """Of a way that leaves the level: the triangle that lay below the body last, and the place there (3,). None where
    it does not leave it."""
    feet = feet_of(states)
    out = np.flatnonzero(feet[:, 1] < search.floor)
    stood = np.flatnonzero(states["grounded"][: out[0]]) if len(out) else out
    if not len(stood):
        return None
    way = feet[stood[-1] : out[0]]
    hits = search.mesh.ground_below(way + np.array((0.0, 0.05, 0.0)))
    below = np.flatnonzero(np.asarray(hits.triangle) >= 0)
    if len(below):
        return int(hits.triangle[below[-1]]), np.asarray(hits.point)[below[-1]]
    carried = int(support(search, way[:1])[0])  # it stood on the outermost edge
    return (carried, np.asarray(search.mesh.closest(way[:1]).point)[0]) if carried >= 0 else None


def edges(level: Level, search: Search) -> list[Edge]:
    """Falls out of the level by the piece that was crossed last, those that come soonest first."""
    ticks = search.places.states["tick"]
    falls = sorted(search.falls, key=lambda fall: (int(ticks[fall.made.place]) + fall.made.ticks, fall.made.place))
    seen: dict[Key, int] = {}
    groups: dict[tuple[str, int, int], list[tuple[int, Fall, Points]]] = {}
    for fall in falls:
        seen[fall.key] = seen.get(fall.key, 0) + 1
        if seen[fall.key] > ALIKE:
            continue
        made = fall.made
        rows = moves.walk_rows(moves.steps(made.kind, made.heading, made.ticks, made.turn_at))
        begun = search.places.states[made.place : made.place + 1]
        states = search.walker.run(search.walker.state(begun), rows, search.mesh)
        found = crossed(search, np.concatenate([begun, states]))
        if found is not None:
            origin = origin_of(level, found[0])
            written = level.origins[origin].place
            groups.setdefault((written.file, written.line, written.column), []).append((origin, fall, found[1]))
    edges = []
    for group in groups.values():
        origins = frozenset(origin for origin, _, _ in group)
        off = origins_of(level, support(search, np.array([group[0][1].ground])))
        edges.append(Edge(origins, group[0][1], int(off[0]), np.array([place for _, _, place in group])))
    return edges


def leaving(search: Search, home: Iterable[Key]) -> set[Key]:
    """The cells from which somebody came home, or left the level."""
    back: dict[Key, list[Key]] = {}
    for one, others in search.ways.items():
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


def homes(search: Search) -> set[Key]:
    """Where one may stay: where bots set out, and what is to be reached."""
    found = {search.places.key[k] for k, made in enumerate(search.places.made) if made is None}
    for made in search.reached.values():
        begin = search.places.states[made.place : made.place + 1]
        rows = moves.walk_rows(moves.steps(made.kind, made.heading, made.ticks, made.turn_at))
        states = search.walker.run(search.walker.state(begin), rows, search.mesh)
        last = states[-1:] if len(states) else begin
        found |= set(packed(cells(feet_of(last)) + NEIGHBOURS).tolist())
    return found


def traps(search: Search, budget: int, seed: int = 1) -> list[Trap]:
    """Where nobody came out of: looked into until no more ways out are found."""
    end = search.ticks + budget
    home = homes(search)
    whole = len(search.places.at)
    in_vain = 0
    while in_vain < IN_VAIN:
        held = set(search.places.at) - leaving(search, home)
        if len(held) * 2 > whole and not search.reached:
            home |= max(_groups(held), key=len)  # what one drops down into is the level, not the ledge above
            continue
        if not held or search.ticks >= end:
            break
        for group in _groups(held):
            places = [search.places.at[key] for key in sorted(group)]
            count = min(max(len(places) // 2, FEWEST), WANDERERS)
            some = [places[k * len(places) // count] for k in range(count)]
            wander(search, some, ROUNDS, seed)
        search.run(end)
        seed += 1
        in_vain = in_vain + 1 if held.isdisjoint(leaving(search, home)) else 0
    found = []
    for group in _groups(set(search.places.at) - leaving(search, home)):
        place = min((search.places.at[key] for key in group), key=lambda k: (int(search.places.states["tick"][k]), k))
        plan = {(x, z) for x, _, z in unpacked(sorted(group)).tolist()}
        states = (search.places.states[search.places.at[key]] for key in sorted(group))
        stuck = len(plan) <= 4 and all(is_stuck(search, search.walker.state(state)) for state in states)
        found.append(Trap(frozenset(group), stuck, place, len(plan) * 0.25))
    return sorted(found, key=lambda trap: (-trap.area, trap.place))


def _groups(chosen: set[Key]) -> list[set[Key]]:
    """Cells that touch each other, in order."""
    left = set(chosen)
    found = []
    for first in sorted(chosen):
        if first not in left:
            continue
        left.discard(first)
        group, edge = {first}, [first]
        while edge:
            for key in packed(unpacked([edge.pop()]) + NEIGHBOURS).tolist():
                if key in left:
                    left.discard(key)
                    group.add(key)
                    edge.append(key)
        found.append(group)
    return found


def is_stuck(search: Search, state: WalkerState) -> bool:
    """Whether no way of moving, to any of 16 sides, brings it further than HELD (m) from where it is."""
    kinds = (moves.WALK, moves.HOP, moves.LOW, moves.SIDE, moves.LOW_HOP)
    kind, heading = (part.ravel() for part in np.meshgrid(kinds, np.arange(16) * (moves.TURN // 16)))
    states = np.repeat(state.row(), len(kind))
    for tick in range(TRIED):
        states = search.crowd.step(
            states, moves.rows(kind, heading, np.full(len(kind), tick), moves.TURNS[kind])
        )
        search.ticks += len(kind)
        apart = states["position"] - np.array(state.position)
        if (np.hypot(apart[:, 0], apart[:, 2]) > HELD).any():
            return False
    return True


def blanks(search: Search, spots: Spots, least: float = SMALLEST) -> list[Blank]:
    """Ground that nobody came to, the largest first; only what is broad enough to be meant for anybody."""
    reached = search.places.feet()
    found = []
    for group in spots.regions(~spots.near(search.mesh, search.places)):
        area, feet = len(group) * spots.side**2, spots.feet[group]
        if area >= least and _broad(feet, spots.side):
            covered = (spots.above[group] < ROOM).mean() > 0.5 and _enclosed(search, feet, spots.side)
            meant = covered or _is_beside(feet, spots.above[group], reached, spots.feet)
            found.append(Blank(group, area, meant))
    return found


def _enclosed(search: Search, feet: Points, side: float) -> bool:
    """Whether ground ends at walls rather than at drops, for the most part: a room, not the top of a cupboard."""
    flat = set(map(tuple, np.floor(feet[:, ::2] / side).astype(int).tolist()))
    walls = ends = 0
    for dx, dz in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        outer = feet[[(x + dx, z + dz) not in flat for x, z in np.floor(feet[:, ::2] / side).astype(int).tolist()]]
        if len(outer):
            hits = search.mesh.raycast(outer + np.array((0.0, 0.9, 0.0)), (dx, 0.0, dz), 1.5 * side)
            walls, ends = walls + int((hits.triangle >= 0).sum()), ends + len(outer)
    return walls * 2 > ends


def _is_beside(feet: Points, above: NDArray[np.float64], reached: Points, whole: Points) -> bool:
    """Ground beside what was reached, at its height; but no backdrop, open ground out to the level's rim."""
    at_rim = np.abs(feet[:, None, ::2] - np.stack([whole.min(axis=0), whole.max(axis=0)])[:, ::2]) < RIM
    if np.isinf(above).mean() > OPEN and at_rim.any(axis=0).sum() >= 2:
        return False
    low, high = feet.min(axis=0) - BESIDE, feet.max(axis=0) + BESIDE
    near = reached[((reached >= low) & (reached <= high))[:, [0, 2]].all(axis=1)]
    for first in range(0, len(feet), 512):
        apart = near[None] - feet[first : first + 512, None]
        beside = np.hypot(apart[..., 0], apart[..., 2]) < BESIDE
        if (beside & (np.abs(apart[..., 1]) < RISE)).any():
            return True
    return False


def _broad(feet: Points, side: float) -> bool:
    """Whether somewhere nine spots make a square."""
    flat = {(x, z) for x, z in np.floor(feet[:, ::2] / side).astype(int).tolist()}
    square = [(dx, dz) for dx in (-1, 0, 1) for dz in (-1, 0, 1)]
    return any(all((x + dx, z + dz) in flat for dx, dz in square) for x, z in flat)


def nearest(search: Search, at: Sequence[float]) -> tuple[int, float]:
    """The place reached that lies nearest to a point, and how far away (m)."""
    apart = np.linalg.norm(search.places.feet() - np.asarray(at, np.float64), axis=1)
    found = int(np.argmin(apart))
    return found, float(apart[found])
