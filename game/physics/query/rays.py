"""Ray casts against a mesh: nearest hit, any hit, all hits, straight down, and the ground below a point."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..mesh.bvh import cast_rays
from ..mesh.heightfield import cast_rays_down
from ..mesh.mesh_view import MeshView
from ..mesh.rows import ray_mode
from ..numerics.arrays import Bytes
from .arguments import as_directions, as_rays, as_scalars, as_vectors
from .results import Hit, Hits, make_ray_hits

WORLD_UP = (0.0, 1.0, 0.0)
NO_RAYS = np.empty(0, np.int32)  # for modes of `cast_rays` that list no rays


def raycast_nearest(
    mesh: MeshView, origin: ArrayLike, direction: ArrayLike, max_distance: ArrayLike = math.inf
) -> Hit | Hits | None:
    """See `TriangleMesh.raycast`."""
    table, single = as_rays(origin, direction, max_distance)
    columns = allocate_ray_columns(len(table))
    cast_rays(mesh.nodes, mesh.links, mesh.triangles12, table, 0.0, ray_mode.NEAREST, columns, NO_RAYS)
    return make_ray_hits(mesh, table, *columns, single)


def raycast_any(
    mesh: MeshView, origin: ArrayLike, direction: ArrayLike, max_distance: ArrayLike
) -> bool | NDArray[np.bool_]:
    """See `TriangleMesh.raycast_any`."""
    table, single = as_rays(origin, direction, max_distance)
    columns = allocate_ray_columns(len(table))
    cast_rays(mesh.nodes, mesh.links, mesh.triangles12, table, 0.0, ray_mode.ANY, columns, NO_RAYS)
    is_hit = columns[0] >= 0
    return bool(is_hit[0]) if single else is_hit


def raycast_all(mesh: MeshView, origin: ArrayLike, direction: ArrayLike, max_distance: ArrayLike) -> Hits | list[Hits]:
    """See `TriangleMesh.raycast_all`."""
    table, single = as_rays(origin, direction, max_distance)
    ray, columns = np.empty(0, np.int32), allocate_ray_columns(0)
    bvh = mesh.nodes, mesh.links, mesh.triangles12
    capacity, count = 4 * len(table) + 256, -1
    while count < 0 or count > len(ray):
        ray, columns = np.empty(capacity, np.int32), allocate_ray_columns(capacity)
        count = cast_rays(*bvh, table, 0.0, ray_mode.ALL, columns, ray)
        capacity = count
    triangle, feature, distance = columns
    order = np.lexsort((triangle[:count], distance[:count], ray[:count]))
    ray, triangle, feature, distance = ray[order], triangle[order], feature[order], distance[order]
    all_hits = cast(Hits, make_ray_hits(mesh, table[ray], triangle, feature, distance, False))
    ends = np.searchsorted(ray, np.arange(len(table) + 1)).tolist()
    results = [_slice_hits(all_hits, slice(a, b)) for a, b in pairwise(ends)]
    return results[0] if single else results


def raycast_down(mesh: MeshView, points: ArrayLike, reach: float = np.inf) -> Hit | Hits | None:
    """First triangle straight below each point (3,) or (K, 3) within `reach` metres, through height fields.

    The same bits as `mesh.raycast(points, (0, -1, 0), reach)`. ValueError for points that are not finite and a negative
    reach.
    """
    origins = np.asarray(points, dtype=np.float64)
    if origins.ndim not in (1, 2) or origins.shape[-1] != 3 or not np.isfinite(origins).all():
        raise ValueError(f"points: expected finite x, y, z or an array of shape (K, 3), got shape {origins.shape}")
    if not reach >= 0.0:
        raise ValueError("reach: must not be negative")
    table = np.zeros((origins.size // 3, 7))
    table[:, :3], table[:, 4], table[:, 6] = origins, -1.0, reach
    columns, heights = allocate_ray_columns(len(table)), mesh.heights
    if not len(heights):
        cast_rays(mesh.nodes, mesh.links, mesh.triangles12, table, 0.0, ray_mode.NEAREST, columns, NO_RAYS)
        return make_ray_hits(mesh, table, *columns, origins.ndim == 1)
    cast_rays_down(heights.fields, heights.cells, mesh.triangles12, table, columns)
    (triangle, feature, distance), others = columns, allocate_ray_columns(len(table))
    remaining_rays = table.copy()
    remaining_rays[:, 6] = distance  # nothing further than the hit in a height field counts
    cast_rays(
        heights.remaining_boxes, mesh.links, mesh.triangles12, remaining_rays, 0.0, ray_mode.NEAREST, others, NO_RAYS
    )
    other, other_feature, other_distance = others
    nearer = (other >= 0) & (
        (triangle < 0) | (other_distance < distance) | ((other_distance == distance) & (other < triangle))
    )
    triangle, feature = np.where(nearer, other, triangle), np.where(nearer, other_feature, feature)
    distance = np.where(nearer, other_distance, distance)
    return make_ray_hits(mesh, table, triangle, feature, distance, origins.ndim == 1)


def find_ground_below(
    mesh: MeshView, point: ArrayLike, reach: ArrayLike, steepest: float, up: ArrayLike
) -> Hit | Hits | None:
    """See `TriangleMesh.ground_below`."""
    points, limits, above = (
        as_vectors(point, "point"),
        as_scalars(reach, "reach", infinite=True),
        as_directions(up, "up"),
    )
    angles = as_scalars(steepest, "steepest", noun="angle")
    angle = float(angles) if angles.ndim == 0 else math.nan
    if not 0.0 <= angle <= 90.0:
        raise ValueError(f"steepest: must be from 0 to 90 degrees, got {steepest!r:.80}")
    if (limits < 0.0).any():
        raise ValueError("reach: must not be negative")
    if angle == 90.0 and limits.ndim == 0 and above.tolist() == list(WORLD_UP):
        return raycast_down(mesh, points, float(limits))
    table, single = as_rays(points, -above, limits)
    columns = allocate_ray_columns(len(table))
    # Rounding may put a floor of exactly this angle on either side of the limit.
    min_cosine = math.cos(math.radians(angle)) - 1e-12 if angle < 90.0 else 0.0
    cast_rays(mesh.nodes, mesh.links, mesh.triangles12, table, min_cosine, ray_mode.NEAREST, columns, NO_RAYS)
    return make_ray_hits(mesh, table, *columns, single)


def _slice_hits(hits: Hits, rows: slice) -> Hits:
    """A range of rows."""
    distance, point, normal = hits.distance[rows], hits.point[rows], hits.normal[rows]
    return Hits(hits.fraction[rows], distance, point, normal, hits.triangle[rows], hits.feature[rows])


def allocate_ray_columns(count: int) -> tuple[NDArray[np.int32], Bytes, NDArray[np.float64]]:
    """(triangle, feature, distance) for `count` rays."""
    return np.empty(count, np.int32), np.empty(count, np.uint8), np.empty(count)
