"""Sphere, capsule and box against a mesh: overlap and sweep. One row a query.

Round shapes use Newton's method on the distance from each triangle (time_of_impact.py), boxes separating axes (sat.py);
the BVH culls triangles. Triangles are taken relative to the shape's centre, so digits are kept ten kilometres from the
origin.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ...core.vectors import Floats, Ints
from ..mesh import bvh
from ..mesh.mesh_view import MeshView
from ..numerics.arrays import Bytes
from ..numerics.jit import allocating, inner
from ..numerics.vectors import vector_at, write_vector
from .arguments import as_vectors, join_columns, row_lengths
from .closest_points import (
    bounding_radius,
    box_edge,
    closest_on_segment_to_triangle,
    is_segment,
    update_closest_segment_box,
)
from .ellipsoid import is_better_hit
from .results import Hits, make_hits
from .rows import axes, closest, shape_row, touch_row
from .sat import NO_TIME_OF_IMPACT, test_box_triangle_axes, time_of_impact_from_axes
from .shapes import Shape, query_rows
from .time_of_impact import (
    BEST,
    CONTACT_NOISE,
    SCRATCH_SIZE,
    SPAN,
    distance_tolerance,
    time_of_impact,
    triangle_separation,
)

SWEEP_ROUNDING = 1024.0 * 2.0**-52  # of lengths: four times `distance_tolerance`, by which a sweep box is widened
SUPPORT_FEATURE_TOLERANCE = 1e-9  # of the triangle's size: corners this near to the support plane belong to the feature


def sweep_shape(mesh: MeshView, shape: Shape, displacement: ArrayLike, single: bool) -> Hits:
    """First touches of shapes that move by a displacement; ValueError for arrays if `single`."""
    displacements = as_vectors(displacement, "displacement")
    table = join_columns("the shapes and displacement", query_rows(shape), displacements, single=single)
    triangle, feature = np.empty(len(table), np.int32), np.empty(len(table), np.uint8)
    values = np.zeros((len(table), touch_row.WIDTH))
    sweep_shape_rows(mesh.nodes, mesh.links, mesh.triangles12, table, triangle, feature, values)
    length = row_lengths(table[:, shape_row.WIDTH :])
    fraction = values[:, touch_row.FRACTION].copy()
    return make_hits(mesh, fraction, fraction * length, values[:, touch_row.POINT :], triangle, feature)


@inner
def _shape_half_extents(shapes: Floats, row: int) -> tuple[float, float, float]:
    """Half extents of the shape's axis-aligned box, widened by the rounding error."""
    x, y, z = vector_at(shapes, row, shape_row.CENTRE)
    largest = max(abs(x), abs(y), abs(z))
    size = (
        shapes[row, shape_row.HALF_SIZES]
        + shapes[row, shape_row.HALF_SIZES + 1]
        + shapes[row, shape_row.HALF_SIZES + 2]
        + shapes[row, shape_row.RADIUS]
    )
    pad = bvh.BOX_ROUNDING * (largest + size) + 1e-9 * size + shapes[row, shape_row.RADIUS]
    hx, hy, hz = pad, pad, pad
    for k in range(3):
        h = shapes[row, shape_row.HALF_SIZES + k]
        ax, ay, az = vector_at(shapes, row, shape_row.AXES + 3 * k)
        hx, hy, hz = hx + h * abs(ax), hy + h * abs(ay), hz + h * abs(az)
    return hx, hy, hz


@inner
def _shape_reach(shapes: Floats, row: int, nx: float, ny: float, nz: float) -> float:
    """Extent (m) of the shape from its centre along a unit vector, widened as its axis-aligned box is."""
    reach = (1.0 + 1e-9) * shapes[row, shape_row.RADIUS]
    for k in range(3):
        j, h = shape_row.AXES + 3 * k, (1.0 + 1e-9) * shapes[row, shape_row.HALF_SIZES + k]
        reach += h * abs(nx * shapes[row, j] + ny * shapes[row, j + 1] + nz * shapes[row, j + 2])
    return float(reach)


@inner
def _triangle_relative_to_shape(tri: Floats, i: int, shapes: Floats, row: int, local_tri: Floats) -> float:
    """Write triangle `i` relative to the shape's centre into local_tri (1,12); returns its distance tolerance."""
    coordinates, lengths = 0.0, 0.0
    for k in range(9):
        local_tri[0, k] = tri[i, k] - shapes[row, shape_row.CENTRE + k % 3]
        lengths = max(lengths, abs(local_tri[0, k]))
        coordinates = max(coordinates, abs(tri[i, k]))
    for k in range(9, 12):
        local_tri[0, k] = tri[i, k]
    for k in range(shape_row.HALF_SIZES, shape_row.RADIUS + 1):
        lengths += shapes[row, k]
    return distance_tolerance(coordinates, lengths)


@inner
def _box_triangle_contact_points(
    shapes: Floats, row: int, local_tri: Floats, ox: float, oy: float, oz: float, out: Floats
) -> None:
    """Closest points of a box moved by o and a disjoint triangle: out 3..5 the box's, 6..8 the triangle's.

    Edges of the triangle against the box, then the twelve edges of the box against the triangle.
    """
    best = -1.0
    for k in range(3):
        a, b = 3 * k, 3 * k + 3 if k < 2 else 0
        ex, ey, ez = (
            local_tri[0, b] - local_tri[0, a],
            local_tri[0, b + 1] - local_tri[0, a + 1],
            local_tri[0, b + 2] - local_tri[0, a + 2],
        )
        ax, ay, az = local_tri[0, a] - ox, local_tri[0, a + 1] - oy, local_tri[0, a + 2] - oz
        best = update_closest_segment_box((ax, ay, az), (ex, ey, ez), shapes, row, out, True, best)
    for k in range(3):
        move = ox if k == 0 else oy if k == 1 else oz
        out[closest.POINT_A + k] += move
        out[closest.POINT_B + k] += move
    for k in range(3):
        for corner in range(4):
            start, along = box_edge(shapes, row, k, corner, (ox, oy, oz))
            s, cx, cy, cz, _ = closest_on_segment_to_triangle(start, along, local_tri, 0)
            (x, y, z), (dx, dy, dz) = start, along
            x, y, z = x + s * dx, y + s * dy, z + s * dz
            square = (x - cx) * (x - cx) + (y - cy) * (y - cy) + (z - cz) * (z - cz)
            if square < best:
                best = square
                write_vector(out, closest.POINT_A, (x, y, z))
                write_vector(out, closest.POINT_B, (cx, cy, cz))


@inner
def _support_feature(local_tri: Floats, nx: float, ny: float, nz: float) -> int:
    """Feature of the triangle that is furthest along n."""
    a = nx * local_tri[0, 0] + ny * local_tri[0, 1] + nz * local_tri[0, 2]
    b = nx * local_tri[0, 3] + ny * local_tri[0, 4] + nz * local_tri[0, 5]
    c = nx * local_tri[0, 6] + ny * local_tri[0, 7] + nz * local_tri[0, 8]
    size = 0.0
    for k in range(3, 9):
        size = max(size, abs(local_tri[0, k] - local_tri[0, k % 3]))
    support = max(a, b, c) - SUPPORT_FEATURE_TOLERANCE * size
    if a >= support and b >= support:
        return 0 if c >= support else 1
    if c >= support:
        return 2 if b >= support else 3 if a >= support else 6
    return 4 if a >= support else 5


@inner
def _box_triangle_time_of_impact(
    shapes: Floats,
    row: int,
    local_tri: Floats,
    dx: float,
    dy: float,
    dz: float,
    tolerance: float,
    t_max: float,
    scratch: Floats,
) -> tuple[float, float, int]:
    """(fraction or NO_TIME_OF_IMPACT, penetration depth at the start, feature) of a box moving by d against a triangle.

    scratch as for `time_of_impact`, but without the closest points.
    """
    best, span = scratch[BEST:SPAN], scratch[SPAN:SCRATCH_SIZE]
    test_box_triangle_axes(shapes, row, local_tri, 0, (dx, dy, dz), tolerance, t_max, best, span)
    t, overlapping = time_of_impact_from_axes(best, span, tolerance, t_max)
    if t == NO_TIME_OF_IMPACT or (not overlapping and dx == 0.0 and dy == 0.0 and dz == 0.0):
        return NO_TIME_OF_IMPACT, 0.0, 0
    depth = 0.0
    if overlapping:
        depth = -best[axes.SEPARATION]
        nx, ny, nz = best[axes.NORMAL], best[axes.NORMAL + 1], best[axes.NORMAL + 2]
    else:
        nx, ny, nz = best[axes.ENTRY_NORMAL], best[axes.ENTRY_NORMAL + 1], best[axes.ENTRY_NORMAL + 2]
    write_vector(scratch, closest.NORMAL, (nx, ny, nz))
    return t, depth, _support_feature(local_tri, nx, ny, nz)


@inner
def _round_triangle_time_of_impact(
    shapes: Floats,
    row: int,
    local_tri: Floats,
    dx: float,
    dy: float,
    dz: float,
    tolerance: float,
    t_max: float,
    scratch: Floats,
) -> tuple[float, float, int]:
    """`_box_triangle_time_of_impact` for a sphere or capsule."""
    gap, feature = triangle_separation(shapes, row, local_tri, scratch)
    if gap < -tolerance:
        return 0.0, -gap, feature
    if dx == 0.0 and dy == 0.0 and dz == 0.0:
        return NO_TIME_OF_IMPACT, 0.0, 0
    slope = scratch[closest.NORMAL] * dx + scratch[closest.NORMAL + 1] * dy + scratch[closest.NORMAL + 2] * dz
    # As in the first iteration of `time_of_impact`, which would compute the distance again.
    if gap > CONTACT_NOISE * tolerance and (slope >= 0.0 or gap > t_max * -slope):
        return NO_TIME_OF_IMPACT, 0.0, 0
    t, feature = time_of_impact(shapes, row, local_tri, 0, True, (dx, dy, dz), tolerance, t_max, scratch)
    return t, 0.0, feature


@allocating
def sweep_shape_rows(
    nodes: Floats, links: Ints, tri: Floats, table: Floats, triangle: Ints, feature: Bytes, values: Floats
) -> None:
    """First touch of each row of table (K, WIDTH + 3): triangle (K,) or -1, feature (K,), values (K,7) fraction, point,
    normal."""
    stack, entries = np.empty(bvh.MAX_STACK_DEPTH, np.int32), np.empty(bvh.MAX_STACK_DEPTH)
    path, sides = np.empty(9), np.empty(6, np.uint64)
    local_tri, scratch = np.empty((1, 12)), np.zeros(SCRATCH_SIZE)
    for row in range(table.shape[0]):
        px, py, pz = vector_at(table, row, shape_row.CENTRE)
        dx, dy, dz = vector_at(table, row, shape_row.WIDTH)
        is_box = not is_segment(table, row)
        travel = abs(dx) + abs(dy) + abs(dz)
        slack = SWEEP_ROUNDING * (bvh.largest_coordinate(nodes, px, py, pz) + bounding_radius(table, row) + travel)
        hx, hy, hz = _shape_half_extents(table, row)
        half_size = hx + slack, hy + slack, hz + slack
        bvh.write_path(path, sides, (px, py, pz), (dx, dy, dz), half_size)
        hit, hit_feature = -1, 0
        best_t, best_depth = 1.0, 0.0
        depth = bvh.push_root(nodes, path, sides, best_t, stack, entries)
        while True:
            leaf, depth = bvh.next_leaf_on_path(nodes, links, path, sides, best_t, stack, entries, depth)
            if leaf < 0:
                break
            first = links[leaf, 0]
            for i in range(first, first - links[leaf, 1]):
                if not bvh.is_triangle_on_path(tri, i, path, sides, best_t):
                    continue
                reach = _shape_reach(table, row, tri[i, 9], tri[i, 10], tri[i, 11]) + slack
                if not bvh.is_plane_on_path(tri, i, (px, py, pz), (dx, dy, dz), reach, best_t):
                    continue
                tolerance = _triangle_relative_to_shape(tri, i, table, row, local_tri) + distance_tolerance(0.0, travel)
                if is_box:
                    t, inside, met_feature = _box_triangle_time_of_impact(
                        table, row, local_tri, dx, dy, dz, tolerance, best_t, scratch
                    )
                else:
                    t, inside, met_feature = _round_triangle_time_of_impact(
                        table, row, local_tri, dx, dy, dz, tolerance, best_t, scratch
                    )
                if t == NO_TIME_OF_IMPACT or not is_better_hit(
                    t, inside, met_feature, i, (best_t, best_depth), hit, hit_feature
                ):
                    continue
                best_t, best_depth = t, inside
                hit, hit_feature = i, met_feature
                for k in range(3):
                    values[row, touch_row.POINT + k] = scratch[closest.POINT_B + k]
                    values[row, touch_row.NORMAL + k] = scratch[closest.NORMAL + k]
        triangle[row], feature[row] = hit, hit_feature
        if hit < 0:
            continue
        if is_box:
            # Where they overlap the box is moved out by the depth, else along its path.
            nx, ny, nz = vector_at(values, row, touch_row.NORMAL)
            ox, oy, oz = best_depth * nx, best_depth * ny, best_depth * nz
            if best_depth == 0.0:
                ox, oy, oz = best_t * dx, best_t * dy, best_t * dz
            _triangle_relative_to_shape(tri, hit, table, row, local_tri)
            _box_triangle_contact_points(table, row, local_tri, ox, oy, oz, scratch)
            for k in range(3):
                values[row, touch_row.POINT + k] = scratch[closest.POINT_B + k]
        values[row, touch_row.FRACTION] = best_t
        for k in range(3):
            values[row, touch_row.POINT + k] = table[row, shape_row.CENTRE + k] + values[row, touch_row.POINT + k]


@allocating
def overlap_shape_row(nodes: Floats, links: Ints, tri: Floats, table: Floats, row: int, found: Ints) -> int:
    """Number of triangles that the shape touches or crosses, listed in `found`; more than it holds: nothing is
    listed."""
    hx, hy, hz = _shape_half_extents(table, row)
    x, y, z = vector_at(table, row, shape_row.CENTRE)
    box = x - hx, y - hy, z - hz, x + hx, y + hy, z + hz
    count = bvh.query_bvh(nodes, links, tri, 0, nodes.shape[0], box, found)
    if count > found.shape[0]:
        return count
    local_tri, scratch = np.empty((1, 12)), np.zeros(SCRATCH_SIZE)
    length = 0
    for candidate in range(count):
        tolerance = _triangle_relative_to_shape(tri, found[candidate], table, row, local_tri)
        gap, _ = triangle_separation(table, row, local_tri, scratch)
        if gap <= tolerance:
            found[length] = found[candidate]
            length += 1
    return length
