"""Sweep and overlap of an ellipsoid against a mesh. One row a query.

Each function checks and converts its arguments once, then runs one kernel over all rows. The tests run in ellipsoid
space, where the body is a unit sphere at the origin: the centre is subtracted first (which keeps digits ten kilometres
from the origin), then M = S^-1 R(-yaw) rotates back and divides by the radii. Normals return by M^T. Source: K.
Fauerby, "Improved Collision Detection and Response" (2003).

Columns of a pose row: radii 0..2, sine and cosine of yaw 3, 4, centre 5..7, displacement 8..10.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from ...core.vectors import Floats, Ints
from ..mesh import bvh
from ..mesh.geometry import closest_point_on_triangle, sweep_sphere_against_triangle
from ..mesh.mesh_view import MeshView
from ..numerics.arrays import Bytes
from ..numerics.jit import allocating, inlined, kernel
from ..numerics.vectors import vector_at, write_vector
from .arguments import as_sin_cos, as_vectors, join_columns, row_lengths
from .results import Hits, make_hits
from .rows import ellipsoid_row, touch_row

MIN_ELLIPSOID_RADIUS, MAX_ELLIPSOID_RADIUS = 1e-6, 1e6  # m
OVERLAP_TOLERANCE = 1e-12  # ellipsoid space: a smaller distance (plus rounding) counts as touching
OVERLAP_ROUNDING = 64.0 * 2.0**-52  # of the largest coordinate in ellipsoid space
SWEEP_ROUNDING = 512.0 * 2.0**-52  # of coordinates: twice `_overlap_tolerance`, by which a sweep box is widened
GOLDEN_RATIO = 0.6180339887498949  # (sqrt(5) - 1) / 2
MIN_NORMAL_RATIO = 1e-9  # ellipsoid space: a shorter offset from the contact point has no direction


@dataclass(frozen=True, slots=True)
class Ellipsoid:
    """Ellipsoid by its half axes (right, up, forward) in metres. ValueError unless positive and finite."""

    radii: tuple[float, float, float]

    def __post_init__(self) -> None:
        radii = as_vectors(self.radii, "radii", MAX_ELLIPSOID_RADIUS)
        if radii.shape != (3,):
            raise ValueError("radii: one ellipsoid has three half axes (right, up, forward)")
        if not (radii >= MIN_ELLIPSOID_RADIUS).all():
            raise ValueError(f"radii: must be at least {MIN_ELLIPSOID_RADIUS:g} m, got {tuple(radii.tolist())}")
        object.__setattr__(self, "radii", tuple(radii.tolist()))


def sweep_poses(mesh: MeshView, poses: Floats) -> Hits:
    """First touches of the ellipsoids of rows (K, ellipsoid_row.WIDTH), each with radii of its own."""
    triangle, feature = np.empty(len(poses), np.int32), np.empty(len(poses), np.uint8)
    values = np.zeros((len(poses), touch_row.WIDTH))
    sweep_ellipsoid_rows(mesh.nodes, mesh.links, mesh.triangles12, poses, triangle, feature, values)
    fraction = values[:, touch_row.FRACTION].copy()
    length = row_lengths(poses[:, ellipsoid_row.DISPLACEMENT :])
    return make_hits(mesh, fraction, fraction * length, values[:, touch_row.POINT :], triangle, feature)


def pose_rows(ellipsoid: object, position: ArrayLike, yaw: ArrayLike, displacement: ArrayLike, single: bool) -> Floats:
    """(K, ellipsoid_row.WIDTH) of arguments of a query; ValueError for arrays if `single`."""
    if not isinstance(ellipsoid, Ellipsoid):
        cure = "; wrap the radii: Ellipsoid((0.35, 0.9, 0.25))" if isinstance(ellipsoid, (tuple, list)) else ""
        raise ValueError(f"ellipsoid: expected an Ellipsoid, Sphere, Capsule or Box, got {ellipsoid!r:.80}{cure}")
    positions, displacements = as_vectors(position, "position"), as_vectors(displacement, "displacement")
    sin_cos, radii = as_sin_cos(yaw), np.array(ellipsoid.radii)
    return join_columns("position, yaw and displacement", radii, sin_cos, positions, displacements, single=single)


@kernel
def _ellipsoid_half_extents(poses: Floats, row: int) -> tuple[float, float, float]:
    """Half extents of the axis-aligned box of the rotated ellipsoid, widened by the rounding error."""
    rx, ry, rz = vector_at(poses, row, ellipsoid_row.RADII)
    s, c = poses[row, ellipsoid_row.SIN_YAW], poses[row, ellipsoid_row.COS_YAW]
    px, py, pz = vector_at(poses, row, ellipsoid_row.POSITION)
    largest = max(abs(px), abs(py), abs(pz))
    pad = bvh.BOX_ROUNDING * (largest + rx + ry + rz) + 1e-9 * max(rx, ry, rz)
    hx = sqrt(c * rx * c * rx + s * rz * s * rz) + pad
    hz = sqrt(s * rx * s * rx + c * rz * c * rz) + pad
    return hx, ry + pad, hz


@inlined
def _ellipsoid_reach(poses: Floats, row: int, nx: float, ny: float, nz: float) -> float:
    """Extent (m) of the rotated ellipsoid from its centre along a unit vector, widened as its axis-aligned box is."""
    s, c = poses[row, ellipsoid_row.SIN_YAW], poses[row, ellipsoid_row.COS_YAW]
    rx, ry, rz = vector_at(poses, row, ellipsoid_row.RADII)
    x, y, z = (c * nx - s * nz) * rx, ny * ry, (s * nx + c * nz) * rz
    reach: float = sqrt(x * x + y * y + z * z) + 1e-9 * (rx + ry + rz)
    return reach


@kernel
def _triangle_to_ellipsoid_space(tri: Floats, i: int, poses: Floats, row: int, tri_e: Floats) -> float:
    """Write triangle `i`, relative to the centre and in ellipsoid space, into tri_e (1,12); returns its largest
    coordinate."""
    rx, ry, rz = vector_at(poses, row, ellipsoid_row.RADII)
    s, c = poses[row, ellipsoid_row.SIN_YAW], poses[row, ellipsoid_row.COS_YAW]
    px, py, pz = vector_at(poses, row, ellipsoid_row.POSITION)
    largest = 0.0
    for k in range(0, 9, 3):
        x, y, z = tri[i, k] - px, tri[i, k + 1] - py, tri[i, k + 2] - pz
        tri_e[0, k], tri_e[0, k + 1], tri_e[0, k + 2] = (c * x - s * z) / rx, y / ry, (s * x + c * z) / rz
        largest = max(largest, abs(tri_e[0, k]), abs(tri_e[0, k + 1]), abs(tri_e[0, k + 2]))
    nx, ny, nz = (c * tri[i, 9] - s * tri[i, 11]) * rx, tri[i, 10] * ry, (s * tri[i, 9] + c * tri[i, 11]) * rz
    length = sqrt(nx * nx + ny * ny + nz * nz)
    tri_e[0, 9], tri_e[0, 10], tri_e[0, 11] = nx / length, ny / length, nz / length
    return float(largest)


@kernel
def _overlap_tolerance(poses: Floats, row: int, largest_e: float) -> float:
    """Rounding error of a distance near 1 in ellipsoid space."""
    px, py, pz = vector_at(poses, row, ellipsoid_row.POSITION)
    largest = max(abs(px), abs(py), abs(pz))
    rx, ry, rz = vector_at(poses, row, ellipsoid_row.RADII)
    smallest_radius = min(rx, ry, rz)
    tolerance: float = OVERLAP_TOLERANCE + OVERLAP_ROUNDING * largest_e + bvh.BOX_ROUNDING * largest / smallest_radius
    return tolerance


@kernel
def closest_approach(tri_e: Floats, dx: float, dy: float, dz: float) -> float:
    """Least distance between the path from the origin to d and the triangle. It is convex in time: golden-section
    search."""
    low, high, least_distance = 0.0, 1.0, np.inf
    for _ in range(48):
        left, right = high - GOLDEN_RATIO * (high - low), low + GOLDEN_RATIO * (high - low)
        qx, qy, qz, _ = closest_point_on_triangle(tri_e, 0, left * dx, left * dy, left * dz)
        qx, qy, qz = qx - left * dx, qy - left * dy, qz - left * dz
        at_left = sqrt(qx * qx + qy * qy + qz * qz)
        qx, qy, qz, _ = closest_point_on_triangle(tri_e, 0, right * dx, right * dy, right * dz)
        qx, qy, qz = qx - right * dx, qy - right * dy, qz - right * dz
        at_right = sqrt(qx * qx + qy * qy + qz * qz)
        least_distance = min(least_distance, at_left, at_right)
        if at_left <= at_right:
            high = right
        else:
            low = left
    return least_distance


@kernel
def is_better_hit(
    t: float, depth: float, feature: int, i: int, best: tuple[float, float], hit: int, hit_feature: int
) -> bool:
    """Order of hits: earlier (or nearer), then deeper, then face before edge before vertex, then canonical order.

    best: time (or distance) and depth of the best hit so far.
    """
    best_t, best_depth = best
    if hit < 0 or t != best_t:
        return hit < 0 or bool(t < best_t)
    if depth != best_depth:
        return bool(depth > best_depth)
    rank, best_rank = (feature + 2) // 3, (hit_feature + 2) // 3
    return rank < best_rank or (rank == best_rank and i < hit)


@allocating
def sweep_ellipsoid_rows(
    nodes: Floats, links: Ints, tri: Floats, poses: Floats, triangle: Ints, feature: Bytes, values: Floats
) -> None:
    """First touch of each pose: triangle (K,) or -1, feature (K,), values (K,7) fraction, point, normal."""
    stack, entries = np.empty(bvh.MAX_STACK_DEPTH, np.int32), np.empty(bvh.MAX_STACK_DEPTH)
    path, sides = np.empty(9), np.empty(6, np.uint64)
    tri_e = np.empty((1, 12))
    for row in range(poses.shape[0]):
        rx, ry, rz = vector_at(poses, row, ellipsoid_row.RADII)
        s, c = poses[row, ellipsoid_row.SIN_YAW], poses[row, ellipsoid_row.COS_YAW]
        px, py, pz = vector_at(poses, row, ellipsoid_row.POSITION)
        dx, dy, dz = vector_at(poses, row, ellipsoid_row.DISPLACEMENT)
        hx, hy, hz = _ellipsoid_half_extents(poses, row)
        dx_e, dy_e, dz_e = (c * dx - s * dz) / rx, dy / ry, (s * dx + c * dz) / rz
        length_e = sqrt(dx_e * dx_e + dy_e * dy_e + dz_e * dz_e)
        hit, hit_feature = -1, 0
        x_e, y_e, z_e = 0.0, 0.0, 0.0
        best_t, best_depth = 1.0, 0.0
        slack = SWEEP_ROUNDING * bvh.largest_coordinate(nodes, px, py, pz) * max(rx, ry, rz) / min(rx, ry, rz)
        half_size = hx + slack, hy + slack, hz + slack
        bvh.write_path(path, sides, (px, py, pz), (dx, dy, dz), half_size)
        depth = bvh.push_root(nodes, path, sides, best_t, stack, entries)
        while True:
            leaf, depth = bvh.next_leaf_on_path(nodes, links, path, sides, best_t, stack, entries, depth)
            if leaf < 0:
                break
            first = links[leaf, 0]
            for i in range(first, first - links[leaf, 1]):
                if not bvh.is_triangle_on_path(tri, i, path, sides, best_t):
                    continue
                reach = _ellipsoid_reach(poses, row, tri[i, 9], tri[i, 10], tri[i, 11]) + slack
                if not bvh.is_plane_on_path(tri, i, (px, py, pz), (dx, dy, dz), reach, best_t):
                    continue
                largest_e = _triangle_to_ellipsoid_space(tri, i, poses, row, tri_e)
                tolerance = _overlap_tolerance(poses, row, largest_e)
                qx, qy, qz, met_feature = closest_point_on_triangle(tri_e, 0, 0.0, 0.0, 0.0)
                distance = sqrt(qx * qx + qy * qy + qz * qz)
                t, inside = 0.0, 0.0
                if distance < 1.0 - tolerance:
                    inside = 1.0 - distance
                else:
                    if distance > 1.0 + length_e + tolerance:
                        continue
                    if distance > 1.0 + tolerance:
                        t, qx, qy, qz, met_feature = sweep_sphere_against_triangle(
                            tri_e, 0, (0.0, 0.0, 0.0), (dx_e, dy_e, dz_e), 1.0, best_t
                        )
                        if t > best_t:
                            continue
                    approach = dx_e * (qx - t * dx_e) + dy_e * (qy - t * dy_e) + dz_e * (qz - t * dz_e)
                    # A triangle is convex: if it is touched and not approached, it is not hit later either.
                    if t == 0.0 and approach <= 0.0:
                        continue
                    # A grazing hit within rounding (the next tile of a floor that it slides on) is none.
                    grazing = approach <= 2.0 * sqrt(tolerance) * length_e
                    if grazing and closest_approach(tri_e, dx_e, dy_e, dz_e) >= 1.0 - 2.0 * tolerance:
                        continue
                if is_better_hit(t, inside, met_feature, i, (best_t, best_depth), hit, hit_feature):
                    best_t, best_depth = t, inside
                    hit, hit_feature = i, met_feature
                    x_e, y_e, z_e = qx, qy, qz
        triangle[row], feature[row] = hit, hit_feature
        if hit < 0:
            continue
        values[row, touch_row.FRACTION] = best_t
        x, z = c * (rx * x_e) + s * (rz * z_e), c * (rz * z_e) - s * (rx * x_e)
        write_vector(values[row], touch_row.POINT, (px + x, py + ry * y_e, pz + z))
        ox, oy, oz = best_t * dx_e - x_e, best_t * dy_e - y_e, best_t * dz_e - z_e
        nx, ny, nz = c * ox / rx + s * oz / rz, oy / ry, c * oz / rz - s * ox / rx
        use_face_normal = ox * ox + oy * oy + oz * oz < MIN_NORMAL_RATIO * MIN_NORMAL_RATIO
        write_hit_normal(tri, hit, hit_feature, use_face_normal, nx, ny, nz, values, row)


@kernel
def write_hit_normal(
    tri: Floats, i: int, feature: int, use_face_normal: bool, nx: float, ny: float, nz: float, values: Floats, row: int
) -> None:
    """Write a unit normal into values[row] (touch_row.NORMAL): n; or, for a face or with `use_face_normal`, the face
    normal on n's side."""
    if feature == 0 or use_face_normal:
        side = nx * tri[i, 9] + ny * tri[i, 10] + nz * tri[i, 11]
        sign = -1.0 if side < 0.0 else 1.0
        for axis in range(3):
            values[row, touch_row.NORMAL + axis] = sign * tri[i, 9 + axis]
        return
    length = sqrt(nx * nx + ny * ny + nz * nz)
    write_vector(values[row], touch_row.NORMAL, (nx / length, ny / length, nz / length))


@allocating
def overlap_ellipsoid_row(nodes: Floats, links: Ints, tri: Floats, poses: Floats, row: int, found: Ints) -> int:
    """Number of triangles that the pose touches or crosses, listed in `found`; more than it holds: nothing is
    listed."""
    hx, hy, hz = _ellipsoid_half_extents(poses, row)
    x, y, z = vector_at(poses, row, ellipsoid_row.POSITION)
    box = x - hx, y - hy, z - hz, x + hx, y + hy, z + hz
    candidates = bvh.query_bvh(nodes, links, tri, 0, nodes.shape[0], box, found)
    if candidates > found.shape[0]:
        return candidates
    tri_e = np.empty((1, 12))
    count = 0
    for k in range(candidates):
        largest_e = _triangle_to_ellipsoid_space(tri, found[k], poses, row, tri_e)
        qx, qy, qz, _ = closest_point_on_triangle(tri_e, 0, 0.0, 0.0, 0.0)
        if sqrt(qx * qx + qy * qy + qz * qz) <= 1.0 + _overlap_tolerance(poses, row, largest_e):
            found[count] = found[k]
            count += 1
    return count
