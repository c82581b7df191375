"""Spawn finder: a place with room to stand on the largest connected ground of a mesh."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...core.vectors import Floats, Indices
from ...core.walker_settings import DEFAULT_SETTINGS
from ...level.geometry.column_grid import ColumnGrid, TooManyCandidates
from ...physics import TriangleMesh, Walker
from ...sim.bots.free_space import can_stand

MAX_COLUMNS = 40_000  # vertical columns in which ground is searched
MIN_COLUMN_SPACING = 0.4  # m
MAX_STACKED_GROUNDS = 32  # grounds in one column
MERGE_DISTANCE = 0.02  # m; grounds that are closer are one
MAX_STAND_TESTS = 400  # places at which a walker is spawned as a test
MAX_CANDIDATES = 12  # places with room, from which the best is taken
VIEW_DIRECTIONS = 24  # horizontal directions of view
VIEW_PITCHES = (0.0, -12.0, -25.0)  # degrees upwards; a view is scored by their mean distance
EMPTY_VIEW_SCORE = 4.0  # m that a ray without a hit counts
CENTRE_DISTANCE_COST = 0.2  # m of view that a metre from the centre costs
WANTED_CLEARANCE = 0.7  # m of room in every direction
MAX_VIEW_DISTANCE = 30.0  # m


@dataclass(frozen=True, slots=True)
class SpawnCandidate:
    """A place to spawn: feet (m), facing (degrees counter-clockwise from north), connected ground area (m2)."""

    feet: tuple[float, float, float]
    facing: float
    ground_area: float


def find_spawn(mesh: TriangleMesh, triangles: Floats, walker: Walker) -> SpawnCandidate | None:
    """The best place near the centre of the largest walkable ground of triangles (N,3,3); None where there is none."""
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
                facing, score = view
                away = float(np.linalg.norm(np.array(place) - middle))
                views.append((score - CENTRE_DISTANCE_COST * away, place, facing))
                if len(views) >= MAX_CANDIDATES:
                    break
        if views:
            _, place, facing = max(views, key=lambda view: view[0])
            return SpawnCandidate((place[0], place[1], place[2]), facing, float(sizes[best]) * cell_area)
    return None


def score_view_from(mesh: TriangleMesh, walker: Walker, feet: list[float]) -> tuple[float, float] | None:
    """The best view from a place: facing (degrees counter-clockwise from north) and mean visible distance (m); None
    where a walker cannot stand there with room around it."""
    if not can_stand(mesh, walker, feet):
        return None
    angles = np.arange(VIEW_DIRECTIONS) * (2 * np.pi / VIEW_DIRECTIONS)
    horizontal = np.column_stack([-np.sin(angles), np.zeros(VIEW_DIRECTIONS), -np.cos(angles)])
    knee = _view_distances(mesh, np.array([feet[0], feet[1] + 0.5, feet[2]]), horizontal, WANTED_CLEARANCE)
    if np.isfinite(knee).any():
        return None
    eye = np.array([feet[0], feet[1] + 1.5, feet[2]])
    distance_sums = np.zeros(VIEW_DIRECTIONS)
    for pitch in VIEW_PITCHES:
        directions = horizontal * math.cos(math.radians(pitch))
        directions[:, 1] = math.sin(math.radians(pitch))
        distances = _view_distances(mesh, eye, directions, MAX_VIEW_DISTANCE)
        distance_sums += np.nan_to_num(distances, nan=EMPTY_VIEW_SCORE) / len(VIEW_PITCHES)
    smoothed = sum(np.roll(distance_sums, turn) for turn in (-2, -1, 0, 1, 2)) / 5.0
    return (round(math.degrees(float(angles[int(np.argmax(smoothed))]))) % 360, float(np.max(smoothed)))


def _view_distances(mesh: TriangleMesh, eye: Floats, directions: Floats, limit: float) -> Floats:
    """(R,): distance (m) to the first triangle along each direction; NaN where there is none within `limit`."""
    origins = np.broadcast_to(eye, directions.shape)
    distance: Floats = np.asarray(mesh.raycast_many(origins, directions, limit).distance)
    return distance


def _walkable_grounds(triangles: Floats, point: Indices, triangle: Indices, height: Floats) -> Floats:
    """(G,2): column and height of walkable grounds with headroom, and without the underside of a floor above them."""
    if not len(point):
        return np.zeros((0, 2))
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    up = np.divide(normal[:, 1], np.linalg.norm(normal, axis=1), out=np.zeros(len(normal)), where=normal.any(axis=1))
    order = np.lexsort((height, point))
    point, triangle, height = point[order], triangle[order], height[order]
    is_separate = np.append(True, (np.diff(point) > 0) | (np.diff(height) > MERGE_DISTANCE))
    # Of coincident grounds the one that faces up most decides.
    group = np.cumsum(is_separate) - 1
    best_up = np.full(int(group[-1]) + 1, -1.0)
    np.maximum.at(best_up, group, up[triangle])
    point, height = point[is_separate], height[is_separate]
    above = np.append(np.where(np.diff(point) == 0, np.diff(height), np.inf), np.inf)
    faces_up = np.append(np.where(np.diff(point) == 0, best_up[1:], -1.0), -1.0) > 0.0
    walkable = best_up >= math.cos(math.radians(DEFAULT_SETTINGS.max_slope))
    has_room = walkable & (above > DEFAULT_SETTINGS.clear_height + 0.1)
    is_candidate = has_room & ~(faces_up & np.isfinite(above) & (above < 6.0))
    if not is_candidate.any():
        is_candidate = has_room
    return np.column_stack([point[is_candidate], height[is_candidate]]).astype(np.float64)


def _connected_regions(cells: Indices, height: Floats, row_count: int) -> Indices:
    """(G,): label of the connected region of each ground; neighbours within the step height are connected."""
    key = cells[:, 0] * (row_count + 2) + cells[:, 1]
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    one, other = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for shift in (1, row_count + 2):
        first = np.searchsorted(ordered, key + shift, side="left")
        last = np.searchsorted(ordered, key + shift, side="right")
        for rank in range(min(MAX_STACKED_GROUNDS, int((last - first).max(initial=0)))):
            i = np.nonzero(first + rank < last)[0]
            j = order[first[i] + rank]
            is_connected = np.abs(height[i] - height[j]) <= DEFAULT_SETTINGS.step_height
            one.append(i[is_connected])
            other.append(j[is_connected])
    i, j = np.concatenate(one), np.concatenate(other)
    label = np.arange(len(height))
    while True:
        smaller = np.minimum(label[i], label[j])
        before = label.copy()
        np.minimum.at(label, i, smaller)
        np.minimum.at(label, j, smaller)
        label = label[label]
        if (label == before).all():
            break
    return np.unique(label, return_inverse=True)[1].reshape(-1)
