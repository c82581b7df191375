"""Bounding volume hierarchy (BVH) over triangles in Morton order, split where the Morton codes differ.

nodes (M,6): min xyz, max xyz, metres. links (M,2): a leaf has (first, -count) for triangles first..first+count-1; an
inner node has (skip, right): the node after its subtree, and its right child. Node 0 is the root; the left child of
node i is i + 1, so a query that skips subtrees needs no stack. A mesh without triangles has no nodes. Leaves hold at
most MAX_LEAF_TRIANGLES and follow each other in canonical order. Source: C. Lauterbach et al., "Fast BVH Construction
on GPUs" (2009), linear BVH.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...core.vectors import Bounds, Floats, Indices, Ints, Point, Vector
from ..numerics.arrays import Bitmasks, Bytes
from ..numerics.jit import allocating, inlined, kernel
from .rows import ray_mode, ray_row

MAX_LEAF_TRIANGLES = 4
MAX_STACK_DEPTH = 128  # one node for each level: 63 bits of Morton code and 31 halvings of equal codes
MIN_DISPLACEMENT = 1e-100  # m: a smaller displacement counts as zero; division by it would overflow
BOX_ROUNDING = 8.0 * 2.0**-52  # of the coordinates: boxes are widened by it, or a ray could miss one by rounding
AREA_ROUNDING = 256.0 * 2.0**-52  # of a squared length: twice the rounding error of a signed area (is_triangle_off_ray)


def build_bvh(triangles: NDArray[np.float64], codes: NDArray[np.int64]) -> tuple[Floats, Ints]:
    """(nodes, links) over canonical triangles (N,12) with ascending Morton codes (N,)."""
    if not len(codes):
        return np.empty((0, 6)), np.empty((0, 2), np.int32)
    links = np.empty((2 * len(codes), 2), np.int32)
    links = links[: build_bvh_topology(codes, links)].copy()
    nodes = np.empty((len(links), 6))
    fit_bvh_boxes(triangles, links, np.zeros(len(codes), np.uint8), nodes)
    return nodes, links


@allocating
def build_bvh_topology(codes: Indices, links: Ints) -> int:
    """Number of nodes; writes links: parents before children, left before right.

    A node is split where the highest bit that differs within it changes (binary search), or in the middle of equal
    codes. The skip link of an inner node is that of its right child; it is filled in from the last node to the first.
    """
    low, high, parent = (
        np.empty(MAX_STACK_DEPTH, np.int64),
        np.empty(MAX_STACK_DEPTH, np.int64),
        np.empty(MAX_STACK_DEPTH, np.int64),
    )
    low[0], high[0], parent[0] = 0, codes.shape[0], -1
    depth, nodes = 1, 0
    while depth > 0:
        depth -= 1
        first, end = low[depth], high[depth]
        node = nodes
        nodes += 1
        if parent[depth] >= 0:
            links[parent[depth], 1] = node
        if end - first <= MAX_LEAF_TRIANGLES:
            links[node, 0], links[node, 1] = first, first - end
            continue
        differing_bits = codes[first] ^ codes[end - 1]
        middle = (first + end) // 2
        if differing_bits != 0:
            for shift in (1, 2, 4, 8, 16, 32):
                differing_bits |= differing_bits >> shift
            bit = differing_bits - (differing_bits >> 1)
            lower, middle = first, end - 1
            while middle - lower > 1:
                probe = (lower + middle) // 2
                if codes[probe] & bit:
                    middle = probe
                else:
                    lower = probe
        low[depth], high[depth], parent[depth] = middle, end, node
        depth += 1
        low[depth], high[depth], parent[depth] = first, middle, -1
        depth += 1
    for node in range(nodes - 1, -1, -1):
        right = links[node, 1]
        if right >= 0:
            links[node, 0] = right + 1 if links[right, 1] < 0 else links[right, 0]
    return nodes


@kernel
def fit_bvh_boxes(tri: Floats, links: Ints, skipped: Bytes, nodes: Floats) -> None:
    """Boxes of all nodes around the triangles that are not `skipped` (N,), from the last node to the root.

    A box is inverted (min > max) where all triangles are skipped.
    """
    for node in range(links.shape[0] - 1, -1, -1):
        a, b = links[node, 0], links[node, 1]
        for axis in range(3):
            if b < 0:
                low, high = np.inf, -np.inf
                for i in range(a, a - b):
                    if skipped[i] == 0:
                        for k in range(axis, 9, 3):
                            low = min(low, tri[i, k])
                            high = max(high, tri[i, k])
            else:
                low = min(nodes[node + 1, axis], nodes[b, axis])
                high = max(nodes[node + 1, axis + 3], nodes[b, axis + 3])
            nodes[node, axis], nodes[node, axis + 3] = low, high


@inlined
def is_node_outside_box(nodes: Floats, node: int, box: Bounds) -> bool:
    """True if the node's box does not overlap the closed box."""
    x0, y0, z0, x1, y1, z1 = box
    return bool(
        nodes[node, 0] > x1
        or nodes[node, 3] < x0
        or nodes[node, 1] > y1
        or nodes[node, 4] < y0
        or nodes[node, 2] > z1
        or nodes[node, 5] < z0
    )


@inlined
def is_triangle_near_box(tri: Floats, i: int, box: Bounds) -> bool:
    """True if the box of triangle `i` overlaps the closed box."""
    x0, y0, z0, x1, y1, z1 = box
    ax, bx, cx = tri[i, 0], tri[i, 3], tri[i, 6]
    ay, by, cy = tri[i, 1], tri[i, 4], tri[i, 7]
    az, bz, cz = tri[i, 2], tri[i, 5], tri[i, 8]
    return bool(
        (ax <= x1 or bx <= x1 or cx <= x1)
        and (ax >= x0 or bx >= x0 or cx >= x0)
        and (ay <= y1 or by <= y1 or cy <= y1)
        and (ay >= y0 or by >= y0 or cy >= y0)
        and (az <= z1 or bz <= z1 or cz <= z1)
        and (az >= z0 or bz >= z0 or cz >= z0)
    )


@kernel
def query_bvh(nodes: Floats, links: Ints, tri: Floats, node: int, end: int, box: Bounds, out: Ints) -> int:
    """Number of triangles whose box overlaps the closed `box` (m); the first ones, ascending, in `out`.

    Searches the subtree of nodes `node` to `end` - 1; 0 and len(nodes) for the whole mesh.
    """
    count = 0
    while node < end:
        a, b = links[node, 0], links[node, 1]
        if is_node_outside_box(nodes, node, box):
            node = a if b >= 0 else node + 1
            continue
        node += 1
        if b >= 0:
            continue
        for i in range(a, a - b):
            if is_triangle_near_box(tri, i, box):
                if count < out.shape[0]:
                    out[count] = i
                count += 1
    return count


@kernel
def write_path(path: Floats, sides: Bitmasks, origin: Point, displacement: Vector, half_size: Vector) -> None:
    """Prepare slab tests of the box o - h to o + h, moving by d: path (9,) f8 and sides (6,) u8, one entry an axis.

    path: 1 / d at 0; the coordinate o +- h that meets the near side of a box at 3, and that which leaves its far side
    at 6. sides: column of the near side in `nodes` at 0, of the far side at 3. A displacement below
    MIN_DISPLACEMENT counts as that.
    """
    (ox, oy, oz), (dx, dy, dz), (hx, hy, hz) = origin, displacement, half_size
    for axis in range(3):
        o, d, h = (ox, dx, hx) if axis == 0 else (oy, dy, hy) if axis == 1 else (oz, dz, hz)
        if abs(d) < MIN_DISPLACEMENT:
            d = MIN_DISPLACEMENT
        path[axis] = 1.0 / d
        sides[axis], sides[axis + 3] = (axis, axis + 3) if d > 0.0 else (axis + 3, axis)
        path[axis + 3], path[axis + 6] = (o + h, o - h) if d > 0.0 else (o - h, o + h)


@inlined
def path_entry(nodes: Floats, node: int, path: Floats, sides: Bitmasks, t_max: float) -> float:
    """Fraction in 0..t_max at which the moving box first overlaps the node's box; inf: it does not.

    Slab test of a ray against the node's box widened by h. Source: Ericson (2005), 5.3.3. A product with 1 / d instead
    of a division adds two rounding errors of 2^-53, which BOX_ROUNDING covers.
    """
    enter, leave = 0.0, t_max
    for axis in range(3):
        enter = max(enter, (nodes[node, sides[axis]] - path[axis + 3]) * path[axis])
        leave = min(leave, (nodes[node, sides[axis + 3]] - path[axis + 6]) * path[axis])
    return enter if enter <= leave else np.inf


@kernel
def is_triangle_on_path(tri: Floats, i: int, path: Floats, sides: Bitmasks, t_max: float) -> bool:
    """True if the moving box overlaps the box of triangle `i` at a fraction in 0..t_max."""
    enter, leave = 0.0, t_max
    for axis in range(3):
        a, b, c = tri[i, axis], tri[i, axis + 3], tri[i, axis + 6]
        low, high = min(a, b, c), max(a, b, c)
        near, far = (low, high) if sides[axis] == axis else (high, low)
        enter = max(enter, (near - path[axis + 3]) * path[axis])
        leave = min(leave, (far - path[axis + 6]) * path[axis])
    return bool(enter <= leave)


@kernel
def intersect_ray_triangle(
    tri: Floats, i: int, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float
) -> tuple[float, int]:
    """Distance along the unit vector d to triangle `i`, two-sided, and the feature met; (-1.0, 0): a miss.

    The signed areas of the three edges, seen along the ray, all have one sign inside. For two triangles with a common
    edge its signed areas are exact opposites, so no ray passes between them (watertight). A ray within the triangle's
    plane misses it. Source: S. Woop, C. Benthin and I. Wald, "Watertight Ray/Triangle Intersection" (2013).
    """
    ax, ay, az = tri[i, 0] - ox, tri[i, 1] - oy, tri[i, 2] - oz
    bx, by, bz = tri[i, 3] - ox, tri[i, 4] - oy, tri[i, 5] - oz
    cx, cy, cz = tri[i, 6] - ox, tri[i, 7] - oy, tri[i, 8] - oz
    nx, ny, nz = tri[i, 9], tri[i, 10], tri[i, 11]
    slope = nx * dx + ny * dy + nz * dz
    if abs(slope) < 1e-12:
        return -1.0, 0
    t = (nx * ax + ny * ay + nz * az) / slope
    # Corners are projected along the ray first: far from its origin the products below would lose digits.
    a, b, c = dx * ax + dy * ay + dz * az, dx * bx + dy * by + dz * bz, dx * cx + dy * cy + dz * cz
    ax, ay, az = ax - a * dx, ay - a * dy, az - a * dz
    bx, by, bz = bx - b * dx, by - b * dy, bz - b * dz
    cx, cy, cz = cx - c * dx, cy - c * dy, cz - c * dz
    ab = dx * (ay * bz - az * by) + dy * (az * bx - ax * bz) + dz * (ax * by - ay * bx)
    bc = dx * (by * cz - bz * cy) + dy * (bz * cx - bx * cz) + dz * (bx * cy - by * cx)
    ca = dx * (cy * az - cz * ay) + dy * (cz * ax - cx * az) + dz * (cx * ay - cy * ax)
    if (ab < 0.0 or bc < 0.0 or ca < 0.0) and (ab > 0.0 or bc > 0.0 or ca > 0.0):
        return -1.0, 0
    # At a grazing angle t is inaccurate: limit it to the range of the corners.
    t = min(max(t, min(a, b, c)), max(a, b, c))
    if ab == 0.0:
        feature = 4 if ca == 0.0 else 5 if bc == 0.0 else 1
    elif bc == 0.0:
        feature = 6 if ca == 0.0 else 2
    else:
        feature = 3 if ca == 0.0 else 0
    return t, feature


@inlined
def is_plane_on_path(tri: Floats, i: int, p: Point, d: Vector, reach: float, t_max: float) -> bool:
    """True if a body at p, moving by d, comes within `reach` (m) of the plane of triangle `i` at 0..t_max."""
    (px, py, pz), (dx, dy, dz) = p, d
    nx, ny, nz = tri[i, 9], tri[i, 10], tri[i, 11]
    first = nx * (px - tri[i, 0]) + ny * (py - tri[i, 1]) + nz * (pz - tri[i, 2])
    last = first + t_max * (nx * dx + ny * dy + nz * dz)
    return bool(min(first, last) <= reach and max(first, last) >= -reach)


@kernel
def largest_coordinate(nodes: Floats, x: float, y: float, z: float) -> float:
    """Largest coordinate (m) of a point and of the box of all nodes."""
    largest = max(abs(x), abs(y), abs(z))
    if nodes.shape[0] > 0 and nodes[0, 0] <= nodes[0, 3]:  # an inverted root box has no triangles
        for k in range(6):
            largest = max(largest, abs(nodes[0, k]))
    return float(largest)


@inlined
def push_root(nodes: Floats, path: Floats, sides: Bitmasks, t_max: float, stack: Ints, entries: Floats) -> int:
    """Start a search: push the root if the moving box enters it; returns the depth of the stack."""
    if nodes.shape[0] == 0:
        return 0
    stack[0], entries[0] = 0, path_entry(nodes, 0, path, sides, t_max)
    return 1 if entries[0] < np.inf else 0


@inlined
def next_leaf_on_path(
    nodes: Floats, links: Ints, path: Floats, sides: Bitmasks, t_max: float, stack: Ints, entries: Floats, depth: int
) -> tuple[int, int]:  # fmt: skip
    """(next leaf that a moving box enters, or -1; depth of the stack), the nearer children first.

    stack, entries, depth: nodes still to visit and the fraction at which the box enters each; other arguments as for
    `path_entry`.
    """
    while depth > 0:
        depth -= 1
        if entries[depth] > t_max:
            continue
        node = int(stack[depth])
        right = int(links[node, 1])
        while right >= 0:
            near, far = node + 1, right
            enter_near = path_entry(nodes, near, path, sides, t_max)
            enter_far = path_entry(nodes, far, path, sides, t_max)
            if enter_near > enter_far:
                near, far, enter_near, enter_far = far, near, enter_far, enter_near
            if enter_far < np.inf:
                stack[depth], entries[depth] = far, enter_far
                depth += 1
            node = near if enter_near < np.inf else -1
            right = int(links[node, 1]) if node >= 0 else -1
        if node >= 0:
            return node, depth
    return -1, depth


@inlined
def is_triangle_off_ray(
    tri: Floats, i: int, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, margin: float
) -> bool:
    """True if `intersect_ray_triangle` certainly misses triangle `i`, by less arithmetic.

    The signed areas of the edges, seen along the unit vector d, are d . (a x b) with corners relative to the origin.
    Without its projection of the corners they have larger errors, at most 125 * 2^-52 L^2 from those computed there if
    the relative coordinates are at most L. Two areas of opposite signs beyond `margin` are a miss in both.
    """
    ax, ay, az = tri[i, 0] - ox, tri[i, 1] - oy, tri[i, 2] - oz
    bx, by, bz = tri[i, 3] - ox, tri[i, 4] - oy, tri[i, 5] - oz
    cx, cy, cz = tri[i, 6] - ox, tri[i, 7] - oy, tri[i, 8] - oz
    ab = dx * (ay * bz - az * by) + dy * (az * bx - ax * bz) + dz * (ax * by - ay * bx)
    bc = dx * (by * cz - bz * cy) + dy * (bz * cx - bx * cz) + dz * (bx * cy - by * cx)
    ca = dx * (cy * az - cz * ay) + dy * (cz * ax - cx * az) + dz * (cx * ay - cy * ax)
    return bool(min(ab, bc, ca) < -margin and max(ab, bc, ca) > margin)


@allocating
def cast_rays(
    nodes: Floats,
    links: Ints,
    tri: Floats,
    rays: Floats,
    min_cosine: float,
    mode: int,
    hit_columns: tuple[Ints, Bytes, Floats],
    ray: Ints,
) -> int:
    """Cast rays (K,7: origin, unit direction, limit in metres); returns the number of hits for ALL.

    Writes hit_columns: triangle, feature and distance. mode (rows.ray_mode): NEAREST and ANY write one row a ray,
    triangle -1 for a miss; ALL writes one row a hit, in no order, as many as fit, with the index of the ray in `ray`,
    which the other modes do not use. Triangles with |normal . direction| < min_cosine are ignored.
    """
    triangle, feature, distance = hit_columns
    stack, entries = np.empty(MAX_STACK_DEPTH, np.int32), np.empty(MAX_STACK_DEPTH)
    path, sides = np.empty(9), np.empty(6, np.uint64)
    count = 0
    for row in range(rays.shape[0]):
        ox, oy, oz = rays[row, ray_row.ORIGIN], rays[row, ray_row.ORIGIN + 1], rays[row, ray_row.ORIGIN + 2]
        dx, dy, dz = rays[row, ray_row.DIRECTION], rays[row, ray_row.DIRECTION + 1], rays[row, ray_row.DIRECTION + 2]
        best, limit = rays[row, ray_row.LIMIT], rays[row, ray_row.LIMIT]
        hit, hit_feature = -1, 0
        largest = largest_coordinate(nodes, ox, oy, oz)
        pad = BOX_ROUNDING * largest
        margin = AREA_ROUNDING * (2.0 * largest) * (2.0 * largest)
        write_path(path, sides, (ox, oy, oz), (dx, dy, dz), (pad, pad, pad))
        depth = push_root(nodes, path, sides, best, stack, entries)
        while True:
            leaf, depth = next_leaf_on_path(nodes, links, path, sides, best, stack, entries, depth)
            if leaf < 0:
                break
            first = links[leaf, 0]
            for i in range(first, first - links[leaf, 1]):
                if is_triangle_off_ray(tri, i, ox, oy, oz, dx, dy, dz, margin):
                    continue
                if abs(tri[i, 9] * dx + tri[i, 10] * dy + tri[i, 11] * dz) < min_cosine:
                    continue
                t, met_feature = intersect_ray_triangle(tri, i, ox, oy, oz, dx, dy, dz)
                if t < 0.0 or t > limit:
                    continue
                if mode == ray_mode.ALL:
                    if count < triangle.shape[0]:
                        triangle[count], feature[count], distance[count], ray[count] = i, met_feature, t, row
                    count += 1
                elif t < best or (t == best and (hit < 0 or i < hit)):
                    best, hit, hit_feature = t, i, met_feature
            if mode == ray_mode.ANY and hit >= 0:
                break
        if mode != ray_mode.ALL:
            triangle[row], feature[row], distance[row] = hit, hit_feature, best
    return count
