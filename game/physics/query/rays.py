"""Queries of a mesh by rays and points: nearest hit, any hit, all hits, the ground below, and the closest point."""

from __future__ import annotations

import math
from itertools import pairwise
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.vectors import Flags, Floats, Ints
from ..mesh.bvh import MAX_STACK_DEPTH, cast_rays
from ..mesh.geometry import closest_point_on_triangle
from ..mesh.heightfield import cast_rays_down
from ..mesh.mesh_view import MeshView
from ..mesh.rows import ray_mode, ray_row
from ..numerics.arrays import Bytes
from ..numerics.jit import allocating, kernel
from ..numerics.vectors import vector_at, write_vector
from .arguments import as_directions, as_scalars, as_vectors, join_columns
from .ellipsoid import is_better_hit, write_hit_normal
from .results import Hits, make_hits, make_ray_hits
from .rows import touch_row

WORLD_UP = (0.0, 1.0, 0.0)
NO_RAYS = np.empty(0, np.int32)  # for modes of `cast_rays` that list no rays


def raycast_nearest(mesh: MeshView, rays: Floats, min_cosine: float = 0.0) -> Hits:
    """First hit of each ray (K,7), of triangles whose normal has at least this cosine to it, in either direction."""
    columns = allocate_ray_columns(len(rays))
    cast_rays(mesh.nodes, mesh.links, mesh.triangles12, rays, min_cosine, ray_mode.NEAREST, columns, NO_RAYS)
    return make_ray_hits(mesh, rays, *columns)


def raycast_any(mesh: MeshView, rays: Floats) -> Flags:
    """(K,): whether each ray (K,7) hits anything."""
    columns = allocate_ray_columns(len(rays))
    cast_rays(mesh.nodes, mesh.links, mesh.triangles12, rays, 0.0, ray_mode.ANY, columns, NO_RAYS)
    hit: Flags = columns[0] >= 0
    return hit


def raycast_all(mesh: MeshView, rays: Floats) -> list[Hits]:
    """All hits of each ray (K,7), the nearest first."""
    ray, columns = np.empty(0, np.int32), allocate_ray_columns(0)
    bvh = mesh.nodes, mesh.links, mesh.triangles12
    capacity, count = 4 * len(rays) + 256, -1
    while count < 0 or count > len(ray):
        ray, columns = np.empty(capacity, np.int32), allocate_ray_columns(capacity)
        count = cast_rays(*bvh, rays, 0.0, ray_mode.ALL, columns, ray)
        capacity = count
    triangle, feature, distance = columns
    order = np.lexsort((triangle[:count], distance[:count], ray[:count]))
    ray, triangle, feature, distance = ray[order], triangle[order], feature[order], distance[order]
    all_hits = make_ray_hits(mesh, rays[ray], triangle, feature, distance)
    ends = np.searchsorted(ray, np.arange(len(rays) + 1)).tolist()
    return [_slice_hits(all_hits, slice(a, b)) for a, b in pairwise(ends)]


def _raycast_down(mesh: MeshView, rays: Floats) -> Hits:
    """`raycast_nearest` of rays (K,7) that all point straight down, through height fields."""
    columns, heights = allocate_ray_columns(len(rays)), mesh.heights
    cast_rays_down(heights.fields, heights.cells, mesh.triangles12, rays, columns)
    (triangle, feature, distance), others = columns, allocate_ray_columns(len(rays))
    remaining_rays = rays.copy()
    remaining_rays[:, ray_row.LIMIT] = distance  # nothing further than the hit in a height field counts
    cast_rays(
        heights.remaining_boxes, mesh.links, mesh.triangles12, remaining_rays, 0.0, ray_mode.NEAREST, others, NO_RAYS
    )
    other, other_feature, other_distance = others
    nearer = (other >= 0) & (
        (triangle < 0) | (other_distance < distance) | ((other_distance == distance) & (other < triangle))
    )
    triangle, feature = np.where(nearer, other, triangle), np.where(nearer, other_feature, feature)
    return make_ray_hits(mesh, rays, triangle, feature, np.where(nearer, other_distance, distance))


def find_ground_below(
    mesh: MeshView, point: ArrayLike, reach: ArrayLike, steepest: float, up: ArrayLike, single: bool = False
) -> Hits:
    """See `TriangleMesh.ground_below_many`; ValueError for arrays if `single`."""
    points, limits = as_vectors(point, "point"), as_scalars(reach, "reach", infinite=True)
    above, angles = as_directions(up, "up"), as_scalars(steepest, "steepest", noun="angle")
    angle = float(angles) if angles.ndim == 0 else math.nan
    if not 0.0 <= angle <= 90.0:
        raise ValueError(f"steepest: must be from 0 to 90 degrees, got {steepest!r:.80}")
    if (limits < 0.0).any():
        raise ValueError("reach: must not be negative")
    rays = join_columns("point, up and reach", points, 0.0 - above, limits[..., None], single=single)
    if angle == 90.0 and len(mesh.heights) and above.tolist() == list(WORLD_UP):
        return _raycast_down(mesh, rays)
    # Rounding may put a floor of exactly this angle on either side of the limit.
    return raycast_nearest(mesh, rays, math.cos(math.radians(angle)) - 1e-12 if angle < 90.0 else 0.0)


def _slice_hits(hits: Hits, rows: slice) -> Hits:
    """A range of rows."""
    distance, point, normal = hits.distance[rows], hits.point[rows], hits.normal[rows]
    return Hits(hits.fraction[rows], distance, point, normal, hits.triangle[rows], hits.feature[rows])


def allocate_ray_columns(count: int) -> tuple[NDArray[np.int32], Bytes, NDArray[np.float64]]:
    """(triangle, feature, distance) for `count` rays."""
    return np.empty(count, np.int32), np.empty(count, np.uint8), np.empty(count)


def find_closest_points(mesh: MeshView, points: Floats) -> Hits:
    """Hits, without fractions, of points (K,3)."""
    triangle, feature = np.empty(len(points), np.int32), np.empty(len(points), np.uint8)
    values = np.zeros((len(points), touch_row.WIDTH))
    closest_point_rows(mesh.nodes, mesh.links, mesh.triangles12, points, triangle, feature, values)
    no_fraction, distance = np.full(len(points), np.nan), values[:, touch_row.FRACTION].copy()
    return make_hits(mesh, no_fraction, distance, values[:, touch_row.POINT :], triangle, feature)


@kernel
def _node_distance_squared(nodes: Floats, node: int, points: Floats, row: int) -> float:
    """Squared distance of a point from a node's box."""
    total = 0.0
    for axis in range(3):
        below = nodes[node, axis] - points[row, axis]
        above = points[row, axis] - nodes[node, axis + 3]
        outside = max(below, above, 0.0)
        total += outside * outside
    return total


@allocating
def closest_point_rows(
    nodes: Floats, links: Ints, tri: Floats, points: Floats, triangle: Ints, feature: Bytes, values: Floats
) -> None:
    """Closest point for each of points (K,3): triangle (K,) or -1, feature (K,), values (K,7) distance, point, normal.

    The nearer child is visited first; nodes further away than the best distance are skipped.
    """
    stack = np.empty(MAX_STACK_DEPTH, np.int32)
    local_tri = np.empty((1, 12))
    for row in range(points.shape[0]):
        px, py, pz = vector_at(points, row, 0)
        least_square = np.inf
        hit, hit_feature = -1, 0
        x, y, z = 0.0, 0.0, 0.0
        scale = 0.0
        stack[0] = 0
        depth = 1 if nodes.shape[0] > 0 else 0
        while depth > 0:
            depth -= 1
            node = stack[depth]
            if _node_distance_squared(nodes, node, points, row) > least_square * (1.0 + 1e-9):
                continue
            a, b = links[node, 0], links[node, 1]
            if b >= 0:
                a = node + 1
                if _node_distance_squared(nodes, a, points, row) > _node_distance_squared(nodes, b, points, row):
                    a, b = b, a
                stack[depth], stack[depth + 1] = b, a
                depth += 2
                continue
            for i in range(a, a - b):
                for k in range(0, 9, 3):
                    local_tri[0, k], local_tri[0, k + 1], local_tri[0, k + 2] = (
                        tri[i, k] - px,
                        tri[i, k + 1] - py,
                        tri[i, k + 2] - pz,
                    )
                local_tri[0, 9], local_tri[0, 10], local_tri[0, 11] = tri[i, 9], tri[i, 10], tri[i, 11]
                qx, qy, qz, met_feature = closest_point_on_triangle(local_tri, 0, 0.0, 0.0, 0.0)
                square = qx * qx + qy * qy + qz * qz
                if is_better_hit(square, 0.0, met_feature, i, (least_square, 0.0), hit, hit_feature):
                    least_square, hit, hit_feature = square, i, met_feature
                    x, y, z = qx, qy, qz
                    scale = max(abs(local_tri[0, 0]), abs(local_tri[0, 1]), abs(local_tri[0, 2]))
        triangle[row], feature[row] = hit, hit_feature
        if hit < 0:
            continue
        distance = sqrt(least_square)
        values[row, touch_row.FRACTION] = distance
        write_vector(values[row], touch_row.POINT, (px + x, py + y, pz + z))
        use_face_normal = distance <= 64.0 * 2.0**-52 * scale
        write_hit_normal(tri, hit, hit_feature, use_face_normal, -x, -y, -z, values, row)
