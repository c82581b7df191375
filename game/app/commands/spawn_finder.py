"""Spawn finder: a place with room to stand on the largest connected ground of a mesh."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...core.vectors import Floats, Indices, Point
from ...core.walker_settings import DEFAULT_SETTINGS
from ...level.geometry.column_grid import ColumnGrid, TooManyCandidates
from ...level.geometry.unique_rows import connected
from ...physics import TriangleMesh, Walker
from ...sim.bots.free_space import can_stand

MAX_COLUMNS = 40_000  # vertical columns in which ground is searched
MIN_COLUMN_SPACING = 0.4  # m
MAX_STACKED_GROUNDS = 32  # grounds in one column
MAX_REGIONS = 8  # connected grounds that are searched, the largest first
MERGE_DISTANCE = 0.02  # m; grounds that are closer are one
MAX_ROOF_HEIGHT = 6.0  # m above a ground, up to which a face that faces up is a roof: the ground is inside of a solid
MAX_STAND_TESTS = 400  # places of a region at which a walker is spawned as a test
VIEW_DIRECTIONS = 24  # horizontal directions of view
WANTED_CLEARANCE = 0.7  # m of room in every direction
MAX_VIEW_DISTANCE, SKY_VIEW_DISTANCE = 30.0, 4.0  # m that a view counts at most, and that one without a hit counts


@dataclass(frozen=True, slots=True)
class SpawnCandidate:
    """A place to spawn: feet (m), facing (degrees counter-clockwise from north), connected ground area (m2)."""

    feet: Point
    facing: float
    ground_area: float


def find_spawn(mesh: TriangleMesh, triangles: Floats, walker: Walker) -> SpawnCandidate | None:
    """A place with room near the middle of the largest walkable ground of triangles (N,3,3), towards the farthest view;
    None where there is none."""
    low, high = triangles[..., ::2].min(axis=(0, 1)), triangles[..., ::2].max(axis=(0, 1))
    span = np.maximum(high - low, MIN_COLUMN_SPACING)
    step = max(MIN_COLUMN_SPACING, math.sqrt(float(span.prod()) / MAX_COLUMNS), float(span.max()) / 2000)
    plan = ColumnGrid(triangles)
    while True:
        counts = np.maximum(1, np.ceil(span / step)).astype(int)
        cells = np.stack(np.meshgrid(*map(np.arange, counts), indexing="ij"), axis=-1).reshape(-1, 2)
        points = low + (cells + 0.5) * (span / counts)
        try:
            column, height = _walkable_grounds(triangles, *plan.faces_at(points))
            break
        except TooManyCandidates:
            if len(points) < 100:
                return None
            step *= 2
    region = _connected_regions(cells[column], height, int(counts[1]))
    places = np.column_stack([points[column, 0], height, points[column, 1]])
    sizes = np.bincount(region)
    for largest in np.argsort(-sizes, kind="stable")[:MAX_REGIONS]:
        inside = places[region == largest]
        order = np.argsort(np.linalg.norm(inside - np.median(inside, axis=0), axis=1), kind="stable")
        for feet in inside[order[:: max(1, len(order) // MAX_STAND_TESTS)]].tolist():
            facing = free_view(mesh, walker, feet)
            if facing is not None:
                return SpawnCandidate(
                    (feet[0], feet[1], feet[2]), facing, float(sizes[largest] * (span / counts).prod())
                )
    return None


def free_view(mesh: TriangleMesh, walker: Walker, feet: list[float]) -> float | None:
    """The direction of the farthest view from a place (degrees counter-clockwise from north); None where a walker
    cannot stand there with room around it."""
    angles = np.arange(VIEW_DIRECTIONS) * (2 * np.pi / VIEW_DIRECTIONS)
    directions = np.column_stack([-np.sin(angles), np.zeros(VIEW_DIRECTIONS), -np.cos(angles)])
    knee, eye = (np.array((feet[0], feet[1] + height, feet[2])) for height in (0.5, 1.5))
    if not can_stand(mesh, walker, feet) or (mesh.raycast_many(knee, directions, WANTED_CLEARANCE).triangle >= 0).any():
        return None
    distance = np.nan_to_num(mesh.raycast_many(eye, directions, MAX_VIEW_DISTANCE).distance, nan=SKY_VIEW_DISTANCE)
    around = sum(np.roll(distance, turn) for turn in (-2, -1, 0, 1, 2))
    return round(math.degrees(float(angles[int(np.argmax(around))]))) % 360


def _walkable_grounds(triangles: Floats, point: Indices, triangle: Indices, height: Floats) -> tuple[Indices, Floats]:
    """Column and height (G,) of walkable grounds with headroom, and without the underside of a floor above them."""
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    up = np.divide(normal[:, 1], np.linalg.norm(normal, axis=1), out=np.zeros(len(normal)), where=normal.any(axis=1))
    order = np.lexsort((height, point))
    point, triangle, height = point[order], triangle[order], height[order]
    is_separate = np.append(True, (np.diff(point) > 0) | (np.diff(height) > MERGE_DISTANCE))[: len(point)]
    # Of coincident grounds the one that faces up most decides.
    best_up = np.full(int(is_separate.sum()), -1.0)
    np.maximum.at(best_up, np.cumsum(is_separate) - 1, up[triangle])
    point, height = point[is_separate], height[is_separate]
    is_below = np.append(np.diff(point) == 0, False)[: len(point)]  # another face is above, in the same column
    above = np.where(is_below, np.append(np.diff(height), np.inf)[: len(point)], np.inf)
    has_roof = is_below & (np.roll(best_up, -1) > 0.0) & (above < MAX_ROOF_HEIGHT)
    has_room = (best_up >= math.cos(math.radians(DEFAULT_SETTINGS.max_slope))) & (
        above > DEFAULT_SETTINGS.clear_height + 0.1
    )
    chosen = has_room & ~has_roof
    chosen = chosen if chosen.any() else has_room
    return point[chosen].astype(int), height[chosen]


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
    label = connected(len(height), np.concatenate(one), np.concatenate(other))
    return np.unique(label, return_inverse=True)[1].reshape(-1)
