"""Closest point of a mesh to a point: branch and bound over the BVH."""

from __future__ import annotations

from math import sqrt

import numpy as np

from ...core.vectors import Floats, Ints
from ..mesh.bvh import MAX_STACK_DEPTH
from ..mesh.geometry import closest_point_on_triangle
from ..mesh.mesh_view import MeshView
from ..numerics.arrays import Bytes
from ..numerics.jit import allocating, kernel
from ..numerics.vectors import vector_at, write_vector
from .ellipsoid import is_better_hit, write_hit_normal
from .results import Hits, make_hits
from .rows import touch_row


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
