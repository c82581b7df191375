"""Walkable distance: the seconds to a place from wherever a walker stands in a level, and the way there.

A graph has the places that bots reached in the world of the level and the ways between them with their times, by lifts,
ladders, water, pads, teleports and turned gravity too; `walk_graphs` makes it. A field has the shortest time from every
place of a graph to one of them: Dijkstra's problem with all edges reversed.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...core.vectors import Flags, Floats, Indices
from ...physics.environment.rows import motion_row
from .places import CELL_SIZE, Points, cell_indices, pack_cells

if TYPE_CHECKING:
    from ...level import Level
    from ...physics import TriangleMesh

WALK, JUMP, CARRIED = range(3)  # kinds of edges: on foot; jump or fall; by a mover, ladder, water or turned gravity
JOIN_DISTANCE = 1.0  # m around a place in which it is reached
BODY_RAY, KNEE_RAY = 0.6, 0.38  # m above the feet at which rays look for walls, and for ledges on a short line
UPPER_RAYS = (0.85, 1.08)  # m above the feet: for rails, below the ceiling of what one crouches through
SHORT = 3.0  # m of a short line
SIDE_RAY = 0.25  # m beside the line on which one walks
GROUND_STEPS = 3  # of a way on foot, after which something that carries has ended
CARRIED_AHEAD = 2.5  # m from the feet to the point that is shown of something that carries
ARRIVED_DISTANCE = 1.2  # m from a turn, where the next one is shown
HIGH_JUMP, HIGH_JUMP_SECONDS = 0.3, 4.0  # m that a jump rises, from which on it counts so much more: a person may miss
FAR = 6.0  # m from the nearest place, beyond which nothing is known
STRAIGHT_STEP = 0.35  # m between the points of a straight line where there must be ground
STRAIGHT_MARGIN = 0.55  # m from such a point to a place
STRAIGHT_RISE = 0.45  # m from such a place to the next: a step, or a slope of 45 degrees
CROSSING_STEP = 0.125  # of the step between two points of a way, at which it is looked for what it crosses
MAX_CROSSING = 2.0  # m of such a step
MAX_STRAIGHT = 40.0  # m


@dataclass(frozen=True)
class WalkGraph:
    """Places of a level and the ways between them, sorted by the place they start at.

    points (n,3): feet, m. ups (n,3): unit vectors along which a body stands there. speed: of a sprint, m/s.
    source, target (m,): indices of places. seconds (m,): of each way. kinds (m,): WALK, JUMP, CARRIED.
    """

    points: Points
    ups: Floats
    speed: float
    source: Indices
    target: Indices
    seconds: Floats
    kinds: Indices

    @cached_property
    def sorted_keys(self) -> tuple[Indices, Indices]:
        """Cell keys of the places in order, and the places in that order."""
        keys = pack_cells(cell_indices(self.points))
        order = np.argsort(keys, kind="stable")
        return keys[order], order

    def near(self, points: Points) -> tuple[Indices, Indices]:
        """(i, place) of the places in the cell of each point i and in its 26 neighbours."""
        keys, order = self.sorted_keys
        columns = np.array([(dx, dy, 0) for dx in (-1, 0, 1) for dy in (-1, 0, 1)])
        cells = (cell_indices(points)[:, None] + columns).reshape(-1, 3)
        middle = pack_cells(cells)  # the keys of three neighbours along z are consecutive
        first = np.searchsorted(keys, middle - 1, "left")
        count = np.searchsorted(keys, middle + 1, "right") - first
        within = np.arange(count.sum()) - np.repeat(count.cumsum() - count, count)
        return np.repeat(np.arange(len(cells)) // len(columns), count), order[np.repeat(first, count) + within]

    def field(self, level: Level, at: Sequence[float], radius: float = JOIN_DISTANCE) -> DistanceField:
        """Times to the sphere around `at`, m; all inf where no place is in it. A jump up counts four seconds more."""
        distance = np.linalg.norm(self.points - np.asarray(at, np.float64), axis=1)
        seconds = np.full(len(self.points), np.inf)
        seconds[distance <= radius] = 0.0
        rise = ((self.points[self.target] - self.points[self.source]) * self.ups[self.source]).sum(axis=1)
        cost = self.seconds + HIGH_JUMP_SECONDS * ((self.kinds == JUMP) & (rise > HIGH_JUMP))
        starts, first = np.unique(self.source, return_index=True)
        following = np.full(len(self.points), -1)
        edges = np.full(len(self.points), -1)
        while len(starts):  # every place at once: as many rounds as the longest way has places
            through = cost + seconds[self.target]
            best = np.minimum.reduceat(through, first)
            shorter = best < seconds[starts]
            if not shorter.any():
                break
            seconds[starts[shorter]] = best[shorter]
        if len(starts):
            through = cost + seconds[self.target]
            is_next = np.flatnonzero((through == seconds[self.source]) & np.isfinite(through))[::-1]
            following[self.source[is_next]], edges[self.source[is_next]] = self.target[is_next], is_next
        following[seconds == 0.0] = -1
        return DistanceField(self, level.mesh, seconds, following, edges)

    def to_bytes(self) -> bytes:
        """The content of a file; see `graph_from_bytes`."""
        data = io.BytesIO()
        columns: dict[str, Any] = {
            "points": np.round(self.points * 100.0).astype(np.int32),
            "ups": np.round(self.ups * 30000.0).astype(np.int16),
            "speed": np.float64(self.speed),
            "count": np.bincount(self.source, minlength=len(self.points)).astype(np.uint16),
            "target": (self.target - self.source).astype(np.int32),
            "sixtieths": np.clip(np.round(self.seconds * 60.0), 1, 65535).astype(np.uint16),
            "kinds": self.kinds.astype(np.uint8),
        }
        np.savez_compressed(data, **columns)
        return data.getvalue()


def graph_from_bytes(data: bytes) -> WalkGraph:
    """The graph of `to_bytes`. ValueError for other content."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            points, ups, speed, count, target, seconds, kinds = (
                file[name] for name in ("points", "ups", "speed", "count", "target", "sixtieths", "kinds")
            )
        source = np.repeat(np.arange(len(count)), count)
        target = target + source
        graph = WalkGraph(
            points / 100.0, ups / 30000.0, float(speed), source, target, seconds / 60.0, kinds.astype(np.int64)
        )
    except (KeyError, ValueError, TypeError, EOFError, OSError, zipfile.BadZipFile) as error:
        raise ValueError("these bytes are not a graph of walkable distances") from error
    n, m = len(count), len(source)
    shapes = graph.points.shape, graph.ups.shape, target.shape, graph.seconds.shape, graph.kinds.shape
    is_within = m == 0 or (target.min() >= 0 and target.max() < n and graph.seconds.min() > 0.0)
    if shapes != ((n, 3), (n, 3), (m,), (m,), (m,)) or not is_within or not graph.speed > 0.0:
        raise ValueError("these bytes are not a graph of walkable distances")
    return graph


@dataclass(frozen=True)
class Way:
    """A way to the place of a field: feet (k,3), m, from the place nearest to the walker on; ups (k,3); kinds (k-1,) of
    the steps between; seconds in all."""

    points: Points
    ups: Floats
    kinds: Indices
    seconds: float

    @property
    def length(self) -> float:
        """Length of the way, m."""
        return float(np.linalg.norm(np.diff(self.points, axis=0), axis=1).sum())


@dataclass(frozen=True)
class DistanceField:
    """Times to one place of a level.

    seconds (n,): from each place of the graph; inf where no way is known. following, edges (n,): the next place and the
    index of the edge to it; -1 at the end and where no way is known.
    """

    graph: WalkGraph
    mesh: TriangleMesh
    seconds: Floats
    following: Indices
    edges: Indices

    def way_from(self, feet: Sequence[float]) -> Way | None:
        """The way from the feet; None where none is known. Its time is the least sum of the time of a place in reach
        and the time to it."""
        seconds, places = self._nearest(np.array([feet], np.float64))
        if not np.isfinite(seconds[0]):
            return None
        place = int(places[0])
        way = [place]
        while (place := int(self.following[place])) >= 0:
            way.append(place)
        graph = self.graph
        return Way(graph.points[way], graph.ups[way], graph.kinds[self.edges[way[:-1]]], float(seconds[0]))

    def next_waypoint(self, feet: Sequence[float], way: Way | None = None) -> NDArray[np.float64] | None:
        """(3,) the feet at the next turn of the way: the furthest point of it to which a straight line on ground leads,
        at most up to where one jumps or is carried; there, a point 2.5 m further. None where no way is known."""
        way = self.way_from(feet) if way is None else way
        if way is None:
            return None
        at, last = np.asarray(feet, np.float64), len(way.points) - 1
        k = straight_points(self.graph, self.mesh, at, way)
        is_carried = way.kinds[:1].tolist() not in ([], [WALK])
        while k < last and (np.linalg.norm(way.points[k] - at) < ARRIVED_DISTANCE or (k == 0 and is_carried)):
            end = k + 1
            while (
                end < last and (way.kinds[end : end + GROUND_STEPS] != WALK).any()
            ):  # bounces touch the ground between
                end += 1
            if is_carried:  # no farther than one sees: a swimmer dives under a wall before the place behind it
                ahead = slice(k + 1, end + 1)
                seen = is_clear(self.mesh, np.tile(at, (end - k, 1)), way.points[ahead], way.ups[ahead])
                end = end if seen.all() else max(k + int(np.argmin(seen)), k + 1)
            far = np.linalg.norm(way.points[k + 1 : end + 1] - at, axis=1) >= CARRIED_AHEAD
            k = k + 1 + int(np.argmax(far)) if far.any() else end
            if k == end and is_carried:
                break
            if k == end and np.linalg.norm(way.points[k] - at) < ARRIVED_DISTANCE:
                k = straight_points(self.graph, self.mesh, way.points[k], way, k)
        waypoint: NDArray[np.float64] = way.points[k]
        return waypoint

    def corners(self, feet: Sequence[float], way: Way) -> list[int]:
        """The points of a way where it turns or one is carried: between them, and from the feet to the first of them,
        one can walk straight."""
        at, k, found = np.asarray(feet, np.float64), -1, []
        while k < len(way.points) - 1:
            k = max(k + 1, straight_points(self.graph, self.mesh, at, way, max(k, 0)))
            at = way.points[k]
            found.append(k)
        return found

    def _nearest(self, feet: Points) -> tuple[Floats, Indices]:
        """(n,) seconds, inf where no way is known, and the place to go to first (-1 for none): one that is no ledge
        above the feet and has no wall before it, if there is one. From the water to the ladder, not to the bank."""
        graph = self.graph
        seconds, places = np.full(len(feet), np.inf), np.full(len(feet), -1)
        i, place = graph.near(feet)
        known = np.isfinite(self.seconds[place])
        i, place = i[known], place[known]
        clear = is_clear(self.mesh, feet[i], graph.points[place], graph.ups[place])
        clear &= ~self._is_ledge(feet[i], place)
        _keep_least(graph, self.seconds, feet, i[clear], place[clear], seconds, places)
        for lost in np.flatnonzero(places < 0).tolist():  # in the air, in water, on a mover, or off all ways
            distance = np.linalg.norm(graph.points - feet[lost], axis=1)
            reach = np.flatnonzero((distance <= FAR) & np.isfinite(self.seconds))
            if not len(reach):
                continue
            at = np.broadcast_to(feet[lost], (len(reach), 3))
            clear = is_clear(self.mesh, at, graph.points[reach], graph.ups[reach]) & ~self._is_ledge(at, reach)
            reach = reach[clear] if clear.any() else reach
            reach = reach[distance[reach] <= distance[reach].min() + CELL_SIZE]
            _keep_least(graph, self.seconds, feet, np.full(len(reach), lost), reach, seconds, places)
        return seconds, places

    def _is_ledge(self, feet: Points, place: Indices) -> Flags:
        """(n,) whether a place to which nothing carries is higher than a step above the feet (n,3)."""
        rise = ((self.graph.points[place] - feet) * self.graph.ups[place]).sum(axis=1)
        kinds = np.append(self.graph.kinds, WALK)[self.edges[place]]  # -1: no edge leaves the place
        ledge: Flags = (rise > STRAIGHT_RISE) & (kinds != CARRIED)
        return ledge


def _keep_least(
    graph: WalkGraph, known: Floats, feet: Points, i: Indices, place: Indices, seconds: Floats, places: Indices
) -> None:
    """Write for each i the least time by way of one of its places, and that place."""
    through = known[place] + np.linalg.norm(graph.points[place] - feet[i], axis=1) / graph.speed
    order = np.lexsort((place, -through, i))  # the last of each i is its least
    seconds[i[order]], places[i[order]] = through[order], place[order]


def is_clear(mesh: TriangleMesh, begin: Points, end: Points, ups: Floats) -> Flags:
    """(n,) whether a body with its feet at `begin` (n,3) comes to above or below `end`: nothing higher than a step is
    between, by level rays at the knees and above."""
    offset = end - begin
    level = offset - (offset * ups).sum(axis=1)[:, None] * ups
    clear: Flags = np.ones(len(begin), np.bool_)
    for height in (KNEE_RAY, *UPPER_RAYS):
        clear &= _is_ray_free(mesh, begin + height * ups, begin + level + height * ups)
    return clear


def _is_ray_free(mesh: TriangleMesh, begin: Points, end: Points) -> Flags:
    distance = np.linalg.norm(end - begin, axis=1)
    moves = distance > 1e-6
    free = np.ones(len(begin), np.bool_)
    if moves.any():
        hits = mesh.raycast_many(begin[moves], (end - begin)[moves], distance[moves])
        free[moves] = np.asarray(hits.triangle) < 0
    return free


def straight_points(graph: WalkGraph, mesh: TriangleMesh, feet: NDArray[np.float64], way: Way, start: int = 0) -> int:
    """Index of the furthest point of a way, from `start` on, to which one can walk straight from `feet` (3,) m."""
    on_foot = way.kinds[start:] == WALK
    same_up = (way.ups[start + 1 :] * way.ups[start]).sum(axis=1) > 0.99
    stops = np.flatnonzero(~(on_foot & same_up))
    last = start + int(stops[0]) if len(stops) else len(way.points) - 1
    good, step = start, 1
    bad = last + 1
    while good < last and bad - good > 1:  # doubles its step, then halves the interval
        tried = min(start + step, last) if bad > last else (good + bad) // 2
        if _is_straight(graph, mesh, feet, way.points[tried], way.ups[start]):
            good, step = tried, 2 * step
        else:
            bad = tried
    return good


def _is_straight(
    graph: WalkGraph, mesh: TriangleMesh, begin: NDArray[np.float64], end: NDArray[np.float64], up: NDArray[np.float64]
) -> bool:
    """Whether one can walk straight from feet to feet: no wall beside the line, and ground under it."""
    offset = end - begin
    length = float(np.linalg.norm(offset))
    if length > MAX_STRAIGHT:
        return False
    if length < STRAIGHT_STEP:
        return True
    side = np.cross(offset / length, up)
    for height in (KNEE_RAY if length < SHORT else BODY_RAY, *UPPER_RAYS):
        sides = np.array([-SIDE_RAY, SIDE_RAY])[:, None] * side + height * up
        if not _is_ray_free(mesh, begin + sides, end + sides).all():
            return False
    samples = begin + np.linspace(0.0, 1.0, int(length / STRAIGHT_STEP) + 2)[:, None] * offset
    i, place = graph.near(samples)
    distance = np.linalg.norm(graph.points[place] - samples[i], axis=1)
    order = np.lexsort((distance, i))
    _, first = np.unique(i[order], return_index=True)
    nearest = order[first]  # of each sample
    if len(nearest) < len(samples) or distance[nearest].max() >= STRAIGHT_MARGIN:
        return False
    return bool((np.abs(np.diff(graph.points[place[nearest]] @ up)) <= STRAIGHT_RISE).all())


def crossings(level: Level, points: Points) -> tuple[str, ...]:
    """Names of the movers and zones that a way (n,3) crosses, in order; a mover where it can ever be at a point. Where
    there is no name, the kind."""
    offsets = np.diff(points, axis=0)
    steps = np.arange(0.0, 1.0, CROSSING_STEP) if len(offsets) else np.zeros(0)
    short = np.linalg.norm(offsets, axis=1) < MAX_CROSSING  # no teleport
    between = points[:-1][short, None] + steps[:, None] * offsets[short, None]
    order = np.flatnonzero(short)[:, None] + steps
    places = np.concatenate([np.arange(len(points), dtype=np.float64), order.ravel()])
    points = np.concatenate([points, between.reshape(-1, 3)])[np.argsort(places, kind="stable")]
    found: list[tuple[int, str]] = []
    movers = None if level.environment is None else level.environment.movers
    if movers is not None:
        above = np.array((0.0, BODY_RAY, 0.0))  # a platform is below the feet, a door may be above them
        boxes = movers.motions[:, motion_row.BOUNDS : motion_row.BOUNDS + 6]
        for mover, box in zip(movers, boxes, strict=True):
            inside = ((points >= box[:3] - above) & (points <= box[3:] + above)).all(axis=1)
            found += [(int(k), mover.name or "mover") for k in np.flatnonzero(inside)[:1]]
    for zone in level.all_zones:
        first = next((k for k, point in enumerate(points.tolist()) if zone.contains(point)), None)
        found += [] if first is None else [(first, zone.name or zone.kind)]
    return tuple(name for _, name in sorted(found))
