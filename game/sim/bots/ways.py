"""Ways through the graph of a level: the field of times to a place, what comes next on a way, and what it goes through.

A field is the solution of Dijkstra's problem with all edges reversed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...core.vectors import Flags, Floats, Indices
from ...physics.environment.rows import motion_row
from .places import CELL_SIZE, Points
from .reach_graph import DROP, HOP, JUMP, LEAP, RIDE, STEP, SWIM, WALK, ReachGraph

if TYPE_CHECKING:
    from ...level import Level
    from ...physics import TriangleMesh

EFFORT = np.array((0.0, 3.0, 10.0, 20.0, 0.0, 0.0, 0.0, 8.0, 0.0, 0.0))  # s that each kind counts more for a person
DROP_EFFORT, LANDING_EFFORT = 2.0, 8.0  # s for each metre of a drop, and for a landing at a wall or an edge
TURN_LENGTH = 2.0  # m of an edge on which gravity turns, up to which it is no fall
RIM_SECONDS = 0.2  # s that a place at a wall or an edge counts more for a person
HIGH_JUMP, HIGH_JUMP_SECONDS = 0.3, 4.0  # m that a jump rises, from which on it counts so much more
JOIN_DISTANCE = 1.0  # m around a place in which it is reached
BODY_RAY, KNEE_RAY = 0.6, 0.38  # m above the feet at which rays look for walls, and for ledges on a short line
UPPER_RAYS = (0.85, 1.08)  # m above the feet: for rails, below the ceiling of what one crouches through
SHORT = 3.0  # m of a short line
SIDE_RAY = 0.25  # m beside the line on which one walks
GROUND_STEPS = 3  # of a way on foot, after which something that carries has ended
AHEAD = 2.5  # m from the feet to the point that is shown of something that carries
ARRIVED_DISTANCE = 1.2  # m from the end of a part of a way, where the next part is shown
CORNER_DISTANCE = 0.5  # m from a corner of a way on foot, likewise
NEAR, FAR = 0.8, 6.0  # m to the places that count, and to the nearest one where none is so near
KEEP_SECONDS = 0.8  # by which another way must be faster than the last one
STRAIGHT_STEP = 0.35  # m between the points of a straight line where there must be ground
STRAIGHT_MARGIN = 0.75  # m from such a point to a place
STRAIGHT_RISE = 0.45  # m from the ground there to that of the next: a step, or a slope of 45 degrees
GROUND_RAY = 0.8  # m above and below the nearest place, in which the ground is looked for
CROSSING_STEP = 0.125  # of the step between two points of a way, at which it is looked for what it crosses
MAX_CROSSING = 2.0  # m of such a step
MAX_STRAIGHT = 40.0  # m
PASSAGE_WIDTH, PASSAGE_STEP = 1.8, 0.2  # m of a door or a corridor, and between two looks at the walls


@dataclass(frozen=True)
class Way:
    """A way to the place of a field: feet (k,3), m, from the place nearest to the walker on; ups (k,3); kinds (k-1,) of
    the steps between; seconds in all; places (k,) of the graph."""

    points: Points
    ups: Floats
    kinds: Indices
    seconds: float
    places: Indices

    @property
    def length(self) -> float:
        """Length of the way, m."""
        return float(np.linalg.norm(np.diff(self.points, axis=0), axis=1).sum())

    def rest_from(self, feet: Sequence[float]) -> Way:
        """The rest of the way, from the first point after which it leads away from the feet."""
        distance = np.linalg.norm(self.points - feet, axis=1)
        k = int(np.argmax(np.append(distance[1:] > distance[:-1], True)))
        return Way(self.points[k:], self.ups[k:], self.kinds[k:], self.seconds, self.places[k:])


@dataclass(frozen=True)
class Turn:
    """What comes next on a way: the feet there, m, their up, the kind of the way to it, and the place."""

    feet: NDArray[np.float64]
    up: NDArray[np.float64]
    kind: int
    place: int


@dataclass(frozen=True)
class DistanceField:
    """Times to one place of a level.

    seconds (n,): from each place of the graph; inf where no way is known. following, edges (n,): the next place and the
    index of the edge to it; -1 at the end and where no way is known.
    """

    graph: ReachGraph
    mesh: TriangleMesh
    seconds: Floats
    following: Indices
    edges: Indices

    def way_from(self, feet: Sequence[float], last: Way | None = None) -> Way | None:
        """The way from the feet; None where none is known. Its time is the least sum of the time of a place in reach
        and the time to it. last: the way before, which is kept where another one is hardly faster."""
        place, seconds = self._nearest(np.array(feet, np.float64), last)
        if place < 0:
            return None
        way = [place]
        while (place := int(self.following[place])) >= 0:
            way.append(place)
        graph = self.graph
        return Way(graph.points[way], graph.ups[way], graph.kinds[self.edges[way[:-1]]], seconds, np.array(way))

    def next_turn(self, feet: Sequence[float], way: Way, before: int = -1) -> Turn:
        """The next turn of the way from the feet.

        On foot it is the furthest point to which a straight line on ground leads: at most where one jumps or is
        carried, and right behind a door or a corridor. Who is at a jump is led to its end, on a mover to where one
        leaves it, in water to the furthest point to which one swims straight, on a ladder and in flight to a point in
        sight, 2.5 m ahead.

        before: the place of the last turn, which is kept while a line still leads there, so that the turn does not jump
        back."""
        at, last = np.asarray(feet, np.float64), len(way.points) - 1
        k = straight_points(self.graph, self.mesh, at, way)
        for j in np.flatnonzero(way.places[k:] == before) + k:
            if (way.kinds[:j] == WALK).all():
                k = int(j) if _is_straight(self.graph, self.mesh, at, way.points[j], way.ups[0]) else k
        k = self._behind_passage(at, way, k)
        kind = WALK
        while k < last and (k == 0 or np.linalg.norm(way.points[k] - at) < ARRIVED_DISTANCE):
            kind = int(way.kinds[k])
            if kind == WALK and np.linalg.norm(way.points[k] - at) > CORNER_DISTANCE:
                break
            if kind == WALK:  # a turn is near
                end = straight_points(self.graph, self.mesh, way.points[k], way, k)
            elif kind in (JUMP, DROP, LEAP, STEP, HOP):
                end = k + 1
            elif kind == RIDE:  # to where one leaves it
                end = min(k + int(np.argmax(np.append(way.kinds[k:] != RIDE, True))) + 1, last)
            elif self._turns_gravity(way, k):  # one walks on: a point right behind it would be above the eye
                end = straight_points(self.graph, self.mesh, way.points[k + 1], way, k + 1)
            elif kind == SWIM:
                k = self._swum_straight(at, way, k, before)
                break
            else:  # as long as it carries; between two bounces there may be some ground
                end = k + 1
                while end < last and (way.kinds[end : end + GROUND_STEPS] != WALK).any():
                    end += 1
                ahead = slice(k + 1, end + 1)  # no farther than one sees: a swimmer dives under a wall
                seen = is_clear(self.mesh, np.tile(at, (end - k, 1)), way.points[ahead], way.ups[ahead])
                end = end if seen.all() else max(k + int(np.argmin(seen)), k + 1)
                far = np.linalg.norm(way.points[k + 1 : end + 1] - at, axis=1) >= AHEAD
                end = k + 1 + int(np.argmax(far)) if far.any() else end
                k = end
                break
            k = max(end, k + 1)
        return Turn(way.points[k], way.ups[k], kind, int(way.places[k]))

    def _turns_gravity(self, way: Way, k: int) -> bool:
        """Whether gravity turns behind point `k` of a way, and one does not fall there."""
        is_near = np.linalg.norm(way.points[k + 1] - way.points[k]) < TURN_LENGTH
        return bool(is_near and way.ups[k] @ way.ups[k + 1] < 0.99)

    def _swum_straight(self, at: NDArray[np.float64], way: Way, start: int, before: int) -> int:
        """The furthest point of a way in water, from `start` on, to which one can swim straight from the feet `at`;
        that of the place `before` while it is one of them, and not reached."""
        end = start + int(np.argmax(np.append(way.kinds[start:] != SWIM, True)))
        ahead, up = way.points[start + 1 : end + 1], way.ups[start]
        side = np.cross(ahead - at, up)
        side *= SIDE_RAY / np.maximum(np.linalg.norm(side, axis=1), 1e-9)[:, None]
        free = np.ones(len(ahead), np.bool_)
        for height in (KNEE_RAY, UPPER_RAYS[1]):
            for aside in (-side, side):
                free &= _is_ray_free(self.mesh, at + aside + height * up, ahead + aside + height * up)
        far = np.linalg.norm(ahead - at, axis=1) >= ARRIVED_DISTANCE
        kept = np.flatnonzero(free & far & (way.places[start + 1 : end + 1] == before))
        found = kept if len(kept) else np.flatnonzero(free)
        return start + 1 + (int(found[-1]) if len(found) else 0)

    def _behind_passage(self, at: NDArray[np.float64], way: Way, k: int) -> int:
        """The point of a way behind the first passage on the straight line to point `k`; `k` where there is none, also
        from inside of it."""
        offset, up = way.points[k] - at, way.ups[0]
        length = float(np.linalg.norm(offset))
        if length < STRAIGHT_STEP:
            return k
        line = at + np.linspace(0.0, 1.0, int(length / PASSAGE_STEP) + 2)[:, None] * offset
        side = np.cross(offset / length, up)
        width = np.zeros(len(line))
        for across in (side, -side):
            hits = self.mesh.raycast_many(line + UPPER_RAYS[1] * up, across, PASSAGE_WIDTH)
            width += np.where(hits.triangle >= 0, hits.distance, PASSAGE_WIDTH)
        ends = np.flatnonzero((width[:-1] < PASSAGE_WIDTH) & (width[1:] >= PASSAGE_WIDTH)) + 1
        ends = ends[ends > np.argmax(width >= PASSAGE_WIDTH)]  # not of the one around the feet
        if not len(ends):
            return k
        found = int(np.argmin(np.linalg.norm(way.points[: k + 1] - line[ends[0]], axis=1)))
        while found < k and not _is_straight(self.graph, self.mesh, at, way.points[found], up):
            found += 1
        return found

    def corners(self, feet: Sequence[float], way: Way) -> list[int]:
        """The points of a way where it turns or one is carried: between them, and from the feet to the first of them,
        one can walk straight."""
        at, k, found = np.asarray(feet, np.float64), -1, []
        while k < len(way.points) - 1:
            k = max(k + 1, straight_points(self.graph, self.mesh, at, way, max(k, 0)))
            at = way.points[k]
            found.append(k)
        return found

    def _nearest(self, feet: NDArray[np.float64], last: Way | None) -> tuple[int, float]:
        """The place to go to first (-1 for none) and the seconds by way of it: one that is no ledge above the feet and
        has no wall before it, if there is one. From the water to the ladder, not to the bank."""
        graph = self.graph
        distance = np.linalg.norm(graph.points - feet, axis=1)
        for reach in (NEAR, FAR):  # far in the air, in water, on a mover, or off all ways
            places = np.flatnonzero((distance <= reach) & np.isfinite(self.seconds))
            clear = is_clear(self.mesh, np.tile(feet, (len(places), 1)), graph.points[places], graph.ups[places])
            clear &= ~self._is_ledge(feet, places)
            places = places[clear] if clear.any() or reach == NEAR else places
            if len(places):
                break
        else:
            return -1, np.inf
        places = places[distance[places] <= max(distance[places].min() + CELL_SIZE, NEAR)]
        seconds = self.seconds[places] + distance[places] / graph.speed
        kept = seconds - KEEP_SECONDS * np.isin(places, () if last is None else last.places)
        best = int(np.argmin(kept))
        return int(places[best]), float(seconds[best])

    def _is_ledge(self, feet: NDArray[np.float64], place: Indices) -> Flags:
        """(n,) whether a place to which nothing carries is higher than a step above the feet (3,)."""
        rise = ((self.graph.points[place] - feet) * self.graph.ups[place]).sum(axis=1)
        kinds = np.append(self.graph.kinds, WALK)[self.edges[place]]  # -1: no edge leaves the place
        ledge: Flags = (rise > STRAIGHT_RISE) & (kinds <= LEAP)
        return ledge


def field_to(
    graph: ReachGraph,
    level: Level,
    at: Sequence[float],
    radius: float = JOIN_DISTANCE,
    for_person: bool = False,
    ends: Flags | None = None,
) -> DistanceField:
    """Times to the sphere around `at`, m; all inf where no place is in it. A jump up counts four seconds more.

    ends (n,): places that count as ends, of those in the sphere; all by default.
    for_person: jumps, drops, steps onto what moves, and rims count more, so that ways which need no skill win.
    """
    distance = np.linalg.norm(graph.points - np.asarray(at, np.float64), axis=1)
    seconds = np.full(len(graph.points), np.inf)
    seconds[(distance <= radius) if ends is None else (distance <= radius) & ends] = 0.0
    rise = ((graph.points[graph.target] - graph.points[graph.source]) * graph.ups[graph.source]).sum(axis=1)
    cost = graph.seconds + HIGH_JUMP_SECONDS * ((graph.kinds == JUMP) & (rise > HIGH_JUMP))
    if for_person:
        is_rim, drops = graph.is_rim[graph.target], graph.kinds == DROP
        cost = cost + EFFORT[graph.kinds] + RIM_SECONDS * is_rim - DROP_EFFORT * np.minimum(rise, 0.0) * drops
        turns = (graph.ups[graph.source] * graph.ups[graph.target]).sum(axis=1) < 0.99  # gravity turns: one falls
        fall = np.linalg.norm(graph.points[graph.target] - graph.points[graph.source], axis=1) - TURN_LENGTH
        cost = cost + (DROP_EFFORT * np.maximum(fall, 0.0) + RIM_SECONDS * graph.empty_sides[graph.source]) * turns
        cost = cost + LANDING_EFFORT * ((drops | (graph.kinds == JUMP) | (graph.kinds == LEAP)) & is_rim)
    following = np.full(len(graph.points), -1)
    edges = np.full(len(graph.points), -1)
    into = np.argsort(graph.target, kind="stable")  # the edges by their ends
    first = np.searchsorted(graph.target[into], np.arange(len(graph.points) + 1))
    changed = np.flatnonzero(seconds == 0.0)
    while len(changed):  # as many rounds as the longest way has places, each with the edges into what has changed
        counts = first[changed + 1] - first[changed]
        skipped = np.repeat(first[changed] - np.append(0, counts.cumsum()[:-1]), counts)
        tried = into[skipped + np.arange(len(skipped))]
        before = seconds.copy()
        np.minimum.at(seconds, graph.source[tried], cost[tried] + seconds[graph.target[tried]])
        changed = np.flatnonzero(seconds < before)
    through = cost + seconds[graph.target]
    is_next = np.flatnonzero((through == seconds[graph.source]) & np.isfinite(through))[::-1]
    following[graph.source[is_next]], edges[graph.source[is_next]] = graph.target[is_next], is_next
    following[seconds == 0.0] = -1
    return DistanceField(graph, level.mesh, seconds, following, edges)


def sees_sphere(graph: ReachGraph, mesh: TriangleMesh, at: Sequence[float], radius: float, tall: float) -> Flags:
    """(n,) whether nothing is between a body at a place and a sphere, m. tall: of its axis above the feet, m."""
    rise = ((np.asarray(at, np.float64) - graph.points) * graph.ups).sum(axis=1)
    begin = graph.points + np.clip(rise, KNEE_RAY, max(tall, KNEE_RAY))[:, None] * graph.ups
    line = at - begin
    part = np.maximum(1.0 - radius / np.maximum(np.linalg.norm(line, axis=1), 1e-9), 0.0)  # outside the sphere
    return _is_ray_free(mesh, begin, begin + part[:, None] * line)


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


def straight_points(graph: ReachGraph, mesh: TriangleMesh, feet: NDArray[np.float64], way: Way, start: int = 0) -> int:
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
    graph: ReachGraph, mesh: TriangleMesh, begin: NDArray[np.float64], end: NDArray[np.float64], up: NDArray[np.float64]
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
    above = graph.points[place[nearest]] @ up + GROUND_RAY
    hits = mesh.raycast_many(samples + (above - samples @ up)[:, None] * up, -up, 2.0 * GROUND_RAY)
    heights = np.append(above - hits.distance, end @ up)  # a body can stand with its middle beside a step
    has_ground = (np.asarray(hits.triangle) >= 0).all()
    aside = heights - np.append(np.linspace(begin @ up, end @ up, len(samples)), end @ up)  # a foot of stairs is a turn
    return bool(has_ground and (np.abs([*np.diff(heights), *aside]) <= STRAIGHT_RISE).all())


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
