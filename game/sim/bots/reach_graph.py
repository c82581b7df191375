"""Graph of a level: the places that bots reached, the timed edges between them, and the field of times to a place.

It has ways by lifts, ladders, water, pads, teleports and turned gravity too. It answers the route that the game shows,
the distance of the environments, and what a way goes through. Graphs of slow levels are shipped, others are made once
and kept in the user's cache. A field is the solution of Dijkstra's problem with all edges reversed.
"""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ... import shipped
from ...core import atomic_files, user_folders
from ...core.file_reading import read_at_most
from ...core.vectors import Flags, Floats, Indices
from ...physics.character.rows import state_row
from ...physics.environment.rows import motion_row
from ..replay.fingerprint import level_hash
from .exploration import LevelExploration
from .mover_phases import NONE
from .places import CELL_SIZE, PHASE_BITS, Label, Points, Support, cell_indices, cell_keys_of, pairs_in_cells
from .search import BotSearch

if TYPE_CHECKING:
    from ...level import Level
    from ...physics import TriangleMesh

# Kinds of edges. STEP: onto or off a mover that stands at a stop, HOP: where it moves, LEAP: by a jump or a fall.
# RIDE: on a mover. FLY: pads, teleports, bounces, turned gravity.
WALK, DROP, JUMP, LEAP, SWIM, CLIMB, STEP, HOP, RIDE, FLY = range(10)
EFFORT = np.array((0.0, 3.0, 10.0, 20.0, 0.0, 0.0, 0.0, 8.0, 0.0, 0.0))  # s that each kind counts more for a person
DROP_EFFORT, LANDING_EFFORT = 2.0, 8.0  # s for each metre of a drop, and for a landing at a wall or an edge
RIM_SECONDS = 0.2  # s that a place at a wall or an edge counts more for a person
JUMP_SECONDS = 1.0  # s that a jump counts more than it lasts: a person aims
HIGH_JUMP, HIGH_JUMP_SECONDS = 0.3, 4.0  # m that a jump rises, from which on it counts so much more
MIN_SECONDS = 1.0 / 60.0  # of an edge
MAX_CELLS_APART = 2.0 * CELL_SIZE  # m between the places of a step on foot, along each axis
DROP_HEIGHT = 1.0  # m of a step down that is a drop
LEAP_SECONDS = 0.35  # s beside the fall, of a run off an edge; what flies longer without a jump is thrown
RIM_RISE = 0.6  # m up or down to the places around one that is not at a rim
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
STRAIGHT_MARGIN = 0.55  # m from such a point to a place
STRAIGHT_RISE = 0.45  # m from such a place to the next: a step, or a slope of 45 degrees
CROSSING_STEP = 0.125  # of the step between two points of a way, at which it is looked for what it crosses
MAX_CROSSING = 2.0  # m of such a step
MAX_STRAIGHT = 40.0  # m
VERSION = 3  # of the files
MAX_FILE_BYTES = 1 << 26
FOLDER = "routes"  # in the user's cache


@dataclass(frozen=True)
class ReachGraph:
    """Places of a level and the ways between them, sorted by the place they start at.

    points (n,3): feet, m. ups (n,3): unit vectors along which a body stands there. speed: of a sprint, m/s.
    source, target (m,): indices of places. seconds (m,): of each edge; one into the reach of a mover, or onto it, has
    half its period besides, whatever the clock. kinds (m,): see above.
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
        keys = cell_keys_of(self.points)
        order = np.argsort(keys, kind="stable")
        return keys[order], order

    def near(self, points: Points) -> tuple[Indices, Indices]:
        """(i, place) of the places in the cell of each point i and in its 26 neighbours."""
        return pairs_in_cells(points, *self.sorted_keys)

    @cached_property
    def is_rim(self) -> Flags:
        """(n,) whether a place is at a wall or an edge: more than one of the eight cells around it has no place."""
        i, j = self.near(self.points)
        cells = cell_indices(self.points)
        aside = np.array(((1, 2), (0, 2), (0, 1)))[np.abs(self.ups).argmax(axis=1)]  # the axes across up
        step = np.take_along_axis(cells[j] - cells[i], aside[i], axis=1) + 1
        rise = ((self.points[j] - self.points[i]) * self.ups[i]).sum(axis=1)
        level = (np.abs(rise) < RIM_RISE) & ((self.ups[i] * self.ups[j]).sum(axis=1) > 0.99)
        known: Flags = np.zeros((len(self.points), 9), np.bool_)
        known[i[level], (3 * step[:, 0] + step[:, 1])[level]] = True
        rim = known.sum(axis=1) < 8
        return np.asarray(rim)

    def field(
        self, level: Level, at: Sequence[float], radius: float = JOIN_DISTANCE, for_person: bool = False
    ) -> DistanceField:
        """Times to the sphere around `at`, m; all inf where no place is in it. A jump up counts four seconds more.

        for_person: jumps, drops, steps onto what moves, and rims count more, so that ways which need no skill win.
        """
        distance = np.linalg.norm(self.points - np.asarray(at, np.float64), axis=1)
        seconds = np.full(len(self.points), np.inf)
        seconds[distance <= radius] = 0.0
        rise = ((self.points[self.target] - self.points[self.source]) * self.ups[self.source]).sum(axis=1)
        cost = self.seconds + HIGH_JUMP_SECONDS * ((self.kinds == JUMP) & (rise > HIGH_JUMP))
        if for_person:
            is_rim, drops = self.is_rim[self.target], self.kinds == DROP
            cost = cost + EFFORT[self.kinds] + RIM_SECONDS * is_rim - DROP_EFFORT * np.minimum(rise, 0.0) * drops
            cost = cost + LANDING_EFFORT * ((drops | (self.kinds == JUMP) | (self.kinds == LEAP)) & is_rim)
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


def graph_from_bytes(data: bytes) -> ReachGraph:
    """The graph of `to_bytes`. ValueError for other content."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            points, ups, speed, count, target, seconds, kinds = (
                file[name] for name in ("points", "ups", "speed", "count", "target", "sixtieths", "kinds")
            )
        source = np.repeat(np.arange(len(count)), count)
        target = target + source
        graph = ReachGraph(
            points / 100.0, ups / 30000.0, float(speed), source, target, seconds / 60.0, kinds.astype(np.int64)
        )
    except (KeyError, ValueError, TypeError, EOFError, OSError, zipfile.BadZipFile) as error:
        raise ValueError("these bytes are not a graph of a level") from error
    n, m = len(count), len(source)
    shapes = graph.points.shape, graph.ups.shape, target.shape, graph.seconds.shape, graph.kinds.shape
    is_within = m == 0 or (target.min() >= 0 and target.max() < n and seconds.min() > 0 and kinds.max() <= FLY)
    if shapes != ((n, 3), (n, 3), (m,), (m,), (m,)) or not is_within or not graph.speed > 0.0:
        raise ValueError("these bytes are not a graph of a level")
    return graph


# How a graph is made, kept and found


def join_places(points: Points, ups: Floats, speed: float, edges: Iterable[tuple[NDArray[Any], ...]]) -> ReachGraph:
    """A graph of edges (source, target, seconds, kind) in blocks, the fastest where several connect two places."""
    source, target, seconds, kinds = (np.concatenate(blocks) for blocks in zip(*edges, strict=True))
    order = np.lexsort((seconds, target, source))
    source, target, seconds, kinds = (column[order] for column in (source, target, seconds, kinds))
    first = np.ones(len(source), np.bool_)
    first[1:] = (source[1:] != source[:-1]) | (target[1:] != target[:-1])
    first &= source != target
    return ReachGraph(
        points, ups, speed, source[first], target[first], np.maximum(seconds[first], MIN_SECONDS), kinds[first]
    )


def explored_graph(search: BotSearch) -> ReachGraph:
    """The graph of what bots reached. Places in reach of a mover count once for all its phases; on a mover they are
    where it is at each phase."""
    settings, phases, places = search.settings, search.phases, search.places
    speed = max(settings.sprint_speed, settings.walk_speed)
    place_of: dict[Label, int] = {}
    for label, place in sorted(places.place_of.items()):
        place_of.setdefault(_without_phase(label), place)
    labels = list(place_of)
    number = {label: k for k, label in enumerate(labels)}
    chosen = list(place_of.values())
    points, ups = places.feet()[chosen], places.floats[chosen, state_row.UP : state_row.UP + 3]

    def is_moving(label: Label) -> bool:
        return label.rides and not phases.rests(label.mover, label.phase)

    rows = [
        (a, b, edge.jumps, edge.ticks, is_moving(label) or is_moving(other))
        for label, entered in search.entered.items()
        for other, edge in entered.items()
        if (a := number.get(_without_phase(label))) is not None and (b := number.get(_without_phase(other))) is not None
    ]
    source, target, jumps, ticks, hops = np.array(rows, np.int64).reshape(-1, 5).T
    mover = np.array([label.mover for label in labels], np.int64)
    is_wet = np.zeros(len(labels), np.bool_)
    rides = np.array([label.rides for label in labels], np.bool_)
    support = np.array([label.support for label in labels], np.int64)

    # What kind of way it is
    offset = points[target] - points[source]
    rise = (offset * ups[source]).sum(axis=1)
    plan = np.sqrt(np.maximum((offset * offset).sum(axis=1) - rise * rise, 0.0))
    is_far = np.abs(offset).max(axis=1) > MAX_CELLS_APART
    falls = np.sqrt(2.0 * np.maximum(-rise, 0.0) / max(settings.gravity, 0.1)) + LEAP_SECONDS  # s
    leaps = is_far & (plan < speed * falls) & (rise < settings.step_height)
    kinds = np.where(is_far | (rise > plan + settings.step_height), FLY, WALK)
    kinds[leaps], kinds[(leaps | ~is_far) & (rise < -np.maximum(DROP_HEIGHT, plan / 2.0))] = JUMP, DROP
    kinds[jumps > 0] = JUMP
    kinds[(ups[source] * ups[target]).sum(axis=1) < 0.99] = FLY
    swims, climbs = support == Support.WATER, support == Support.LADDER
    for zone in (one for one in search.level.all_zones if one.facts.is_water):  # who comes out has dry feet first
        wet = zone.contains_points(points) if zone.mover < 0 else swims
        is_wet = wet | is_wet
    swims &= is_wet
    kinds[rides[source] | rides[target]] = RIDE
    kinds[swims[source] | swims[target]] = SWIM
    kinds[(climbs[source] | climbs[target]) & ~is_far] = CLIMB
    kinds[swims[source] & ~(swims | climbs)[target] & (rise > settings.step_height)] = JUMP  # onto a bank
    changes = (rides[source] | rides[target]) & ((rides[source] != rides[target]) | (mover[source] != mover[target]))
    kinds[changes] = np.where((jumps > 0) | is_far, LEAP, np.where(hops > 0, HOP, STEP))[changes]

    seconds = ticks * settings.dt + JUMP_SECONDS * (kinds == JUMP)
    seconds = np.where(kinds == WALK, np.maximum(seconds, np.linalg.norm(offset, axis=1) / speed), seconds)
    half_periods = np.array([*(phases.mean_wait(k) for k in range(len(phases))), 0.0])  # the last one for NONE
    seconds += np.where(mover[source] != mover[target], half_periods[mover[target]], 0.0)
    return join_places(points, ups, speed, [(source, target, seconds, kinds)])


def _without_phase(label: Label) -> Label:
    return label if label.rides or label.mover == NONE else Label(label.cell, label.context & ~PHASE_BITS)


def make_graph(level: Level) -> ReachGraph:
    """The graph of a level: bots explore it, for a second to half a minute. It has the rounded values of its file."""
    exploration = LevelExploration(level)
    exploration.explore()
    return graph_from_bytes(explored_graph(exploration.search).to_bytes())


def file_name(level: Level) -> str:
    """Name of the file of a level's graph: by what a walk can notice of the level, and the version."""
    return f"{level_hash(level)}-{VERSION}.npz"


def kept_graph(level: Level) -> ReachGraph | None:
    """The graph of a level that is shipped, or was kept; None where there is none."""
    name = file_name(level)
    for folder in (shipped("levels") / "graphs", _kept_folder()):
        try:
            return graph_from_bytes(read_at_most(folder / name, MAX_FILE_BYTES))
        except (OSError, ValueError):
            continue
    return None


def known_graph(level: Level) -> ReachGraph:
    """The graph of a level: the kept one, else a new one, which is kept in the user's cache.

    RuntimeWarning where it cannot be kept.
    """
    graph = kept_graph(level)
    if graph is None:
        graph = make_graph(level)
        try:
            keep_graph(level, graph)
        except OSError as error:
            message = f"the walkable distances of {level.name} cannot be kept, and are found again next time: {error}"
            warnings.warn(message, RuntimeWarning, stacklevel=2)
    return graph


def keep_graph(level: Level, graph: ReachGraph) -> Path:
    """Write a graph into the folder of the user's cache; the path. OSError where that fails."""
    path = _kept_folder() / file_name(level)
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_files.write_atomic(path, graph.to_bytes())
    return path


def _kept_folder() -> Path:
    return user_folders.cache_folder() / FOLDER


# Ways


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


@dataclass(frozen=True)
class Turn:
    """What comes next on a way: the feet there, m, their up, and the kind of the way to it."""

    feet: NDArray[np.float64]
    up: NDArray[np.float64]
    kind: int


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

    def next_turn(self, feet: Sequence[float], way: Way) -> Turn:
        """The next turn of the way from the feet: the furthest point to which a straight line on ground leads, at most
        where one jumps or is carried. There it is where the jump ends, the mover is left, or the next point that is
        seen in water, on a ladder or in flight, 2.5 m ahead."""
        at, last = np.asarray(feet, np.float64), len(way.points) - 1
        k = straight_points(self.graph, self.mesh, at, way)
        kind = WALK
        while k < last and (k == 0 or np.linalg.norm(way.points[k] - at) < ARRIVED_DISTANCE):
            kind = int(way.kinds[k])
            if k > 0 and kind == WALK and np.linalg.norm(way.points[k] - at) > CORNER_DISTANCE:
                break
            if kind == WALK:  # a turn is near
                end = straight_points(self.graph, self.mesh, way.points[k], way, k)
            elif kind in (JUMP, DROP, LEAP, STEP, HOP):
                end = k + 1
            elif kind == RIDE:  # to where one leaves it
                end = min(k + int(np.argmax(np.append(way.kinds[k:] != RIDE, True))) + 1, last)
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
        return Turn(way.points[k], way.ups[k], kind)

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
