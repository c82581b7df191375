"""Where in a world that nobody described one may begin: room to stand, on the largest ground that hangs together."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....core import walker_defaults
from ....level.geometry.column_grid import ColumnGrid, TooManyCandidates
from ....physics import TriangleMesh, Walker

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MAX_COLUMNS = 40_000  # where the ground is looked at, at most
MIN_COLUMN_SPACING = 0.4  # metres between them, at least
MAX_STACKED_GROUNDS = 32  # grounds over each other that are looked at
MERGE_DISTANCE = 0.02  # metres: nearer grounds are one
MAX_STAND_TESTS = 400  # places where a walker is set down
MAX_CANDIDATES = 12  # of those with room, from which the best is taken
VIEW_DIRECTIONS = 24  # ways to look from there
VIEW_PITCHES = (0.0, -12.0, -25.0)  # degrees up that are looked at together
EMPTY_VIEW_SCORE = 4.0  # metres that an empty view is worth
CENTRE_DISTANCE_COST = 0.2  # metres of view that a metre from the middle costs
WANTED_CLEARANCE = 0.7  # metres of room wanted to every side
MAX_VIEW_DISTANCE = 30.0  # metres: further does not count
MAX_PUSH = 0.3  # metres that the walker may be pushed


@dataclass(frozen=True, slots=True)
class SpawnCandidate:
    """A place to begin: feet, degrees counter-clockwise from north; area: of the ground around, square metres."""

    feet: tuple[float, float, float]
    facing: float
    ground_area: float


def find_spawn(mesh: TriangleMesh, triangles: Floats, walker: Walker) -> SpawnCandidate | None:
    """A place with room on walkable ground of (N,3,3), near the middle of the largest; None where there is none."""
    plan_low = triangles[..., ::2].min(axis=(0, 1))
    plan_high = triangles[..., ::2].max(axis=(0, 1))
    span = np.maximum(plan_high - plan_low, MIN_COLUMN_SPACING)
    step = max(MIN_COLUMN_SPACING, math.sqrt(float(span.prod()) / MAX_COLUMNS), float(span.max()) / 2000)
    plan = ColumnGrid(triangles)
    while True:
        counts = np.maximum(1, np.ceil(span / step)).astype(int)
        cells = np.stack(np.meshgrid(*(np.arange(count) for count in counts), indexing="ij"), axis=-1).reshape(-1, 2)
        points = plan_low + (cells + 0.5) * (span / counts)
        try:
            found = plan.faces_at(points)
            break
        except TooManyCandidates:
            if len(points) < 100:
                return None
            step *= 2
    ground = _walkable_grounds(triangles, *found)
    if not len(ground):
        return None
    places = np.column_stack([points[ground[:, 0].astype(int)], ground[:, 1]])[:, [0, 2, 1]]
    region = _connected_regions(cells[ground[:, 0].astype(int)], ground[:, 1], int(counts[1]))
    sizes = np.bincount(region)
    cell_area = float((span / counts).prod())
    for best in np.argsort(-sizes, kind="stable")[:8]:
        inside = places[region == best]
        middle = np.median(inside, axis=0)
        order = np.argsort(np.linalg.norm(inside - middle, axis=1), kind="stable")
        spread = np.unique(np.concatenate([order[:6], order[:: max(1, len(order) // (MAX_STAND_TESTS // 8))]]))
        nearest = inside[spread[np.argsort(np.linalg.norm(inside[spread] - middle, axis=1), kind="stable")]]
        views: list[tuple[float, list[float], float]] = []
        for place in nearest[:MAX_STAND_TESTS].tolist():
            view = score_view_from(mesh, walker, place)
            if view is not None:
                away = float(np.linalg.norm(np.array(place) - middle))
                views.append((view.score - CENTRE_DISTANCE_COST * away, place, view.facing))
                if len(views) >= MAX_CANDIDATES:
                    break
        if views:
            _, place, facing = max(views, key=lambda view: view[0])
            return SpawnCandidate((place[0], place[1], place[2]), facing, float(sizes[best]) * cell_area)
    return None


@dataclass(frozen=True, slots=True)
class ViewScore:
    """The best way to look from a place: degrees counter-clockwise from north; worth: how much is seen, and how far."""

    facing: float
    score: float


def score_view_from(mesh: TriangleMesh, walker: Walker, feet: list[float]) -> ViewScore | None:
    """What is seen from a place if a walker stands there with room around; else None."""
    if not can_stand(mesh, walker, feet):
        return None
    angles = np.arange(VIEW_DIRECTIONS) * (2 * np.pi / VIEW_DIRECTIONS)
    level = np.column_stack([-np.sin(angles), np.zeros(VIEW_DIRECTIONS), -np.cos(angles)])
    knee = _view_distances(mesh, np.array([feet[0], feet[1] + 0.5, feet[2]]), level, WANTED_CLEARANCE)
    if np.isfinite(knee).any():
        return None
    eye = np.array([feet[0], feet[1] + 1.5, feet[2]])
    worth = np.zeros(VIEW_DIRECTIONS)
    for pitch in VIEW_PITCHES:
        ways = level * math.cos(math.radians(pitch))
        ways[:, 1] = math.sin(math.radians(pitch))
        worth += np.nan_to_num(_view_distances(mesh, eye, ways, MAX_VIEW_DISTANCE), nan=EMPTY_VIEW_SCORE) / len(
            VIEW_PITCHES
        )
    wide = sum(np.roll(worth, turn) for turn in (-2, -1, 0, 1, 2)) / 5.0
    return ViewScore(round(math.degrees(float(angles[int(np.argmax(wide))]))) % 360, float(np.max(wide)))


def _view_distances(mesh: TriangleMesh, eye: Floats, ways: Floats, far: float) -> Floats:
    """(R,): how far each way goes to the first triangle, nan where there is none within `far`."""
    distance: Floats = np.asarray(mesh.raycast(np.broadcast_to(eye, ways.shape), ways, far).distance)
    return distance


def can_stand(mesh: TriangleMesh, walker: Walker, feet: list[float]) -> bool:
    """Whether a walker set down there is hardly pushed, and has ground."""
    try:
        state = walker.spawn(mesh, feet)
    except ValueError:
        return False
    return state.grounded and math.dist(state.feet, feet) < MAX_PUSH


def _walkable_grounds(triangles: Floats, point: Ints, triangle: Ints, height: Floats) -> Floats:
    """(G,2): column and height of walkable grounds that have head room, and no back of a ground above them."""
    if not len(point):
        return np.zeros((0, 2))
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    up = np.divide(normal[:, 1], np.linalg.norm(normal, axis=1), out=np.zeros(len(normal)), where=normal.any(axis=1))
    order = np.lexsort((height, point))
    point, triangle, height = point[order], triangle[order], height[order]
    apart = np.append(True, (np.diff(point) > 0) | (np.diff(height) > MERGE_DISTANCE))
    # Where grounds coincide, the walkable one that faces up counts.
    group = np.cumsum(apart) - 1
    best_up = np.full(int(group[-1]) + 1, -1.0)
    np.maximum.at(best_up, group, up[triangle])
    point, height = point[apart], height[apart]
    above = np.append(np.where(np.diff(point) == 0, np.diff(height), np.inf), np.inf)
    faces_up = np.append(np.where(np.diff(point) == 0, best_up[1:], -1.0), -1.0) > 0.0
    walkable = best_up >= math.cos(math.radians(walker_defaults.MAX_SLOPE))
    good = walkable & (above > walker_defaults.CLEAR_HEIGHT + 0.1) & ~(faces_up & np.isfinite(above) & (above < 6.0))
    if not good.any():
        good = walkable & (above > walker_defaults.CLEAR_HEIGHT + 0.1)
    return np.column_stack([point[good], height[good]]).astype(np.float64)


def _connected_regions(cells: Ints, height: Floats, deep: int) -> Ints:
    """(G,): which region each ground belongs to: neighbours no more than a step apart hang together."""
    key = cells[:, 0] * (deep + 2) + cells[:, 1]
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    one, other = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for shift in (1, deep + 2):
        first = np.searchsorted(ordered, key + shift, side="left")
        last = np.searchsorted(ordered, key + shift, side="right")
        for rank in range(min(MAX_STACKED_GROUNDS, int((last - first).max(initial=0)))):
            i = np.nonzero(first + rank < last)[0]
            j = order[first[i] + rank]
            near = np.abs(height[i] - height[j]) <= walker_defaults.STEP_HEIGHT
            one.append(i[near])
            other.append(j[near])
    i, j = np.concatenate(one), np.concatenate(other)
    label = np.arange(len(height))
    while True:
        least = np.minimum(label[i], label[j])
        before = label.copy()
        np.minimum.at(label, i, least)
        np.minimum.at(label, j, least)
        label = label[label]
        if (label == before).all():
            break
    return np.unique(label, return_inverse=True)[1].reshape(-1)
