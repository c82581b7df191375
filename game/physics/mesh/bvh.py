"""Bounding volume hierarchy (BVH) over triangles in Morton order, split where the Morton codes differ.

nodes (M,6): min xyz, max xyz, metres. links (M,2): a leaf has (first, -count) for triangles first..first+count-1; an
inner node has (skip, right): the node after its subtree, and its right child. Node 0 is the root; the left child of
node i is i + 1, so a query that skips subtrees needs no stack. A mesh without triangles has no nodes. Leaves hold at
most MAX_LEAF_TRIANGLES and follow each other in canonical order. Source: C. Lauterbach et al., "Fast BVH Construction
on GPUs" (2009), linear BVH.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..numerics.jit import allocating, inlined, kernel
from .layout import ray_mode

MAX_LEAF_TRIANGLES = 4
MAX_STACK_DEPTH = 128  # one node for each level: 63 bits of Morton code and 31 halvings of equal codes
MIN_DISPLACEMENT = 1e-100  # m: a smaller displacement counts as zero; division by it would overflow
BOX_ROUNDING = 8.0 * 2.0**-52  # of the coordinates: boxes are widened by it, or a ray could miss one by rounding


def build_bvh(triangles: NDArray[np.float64], codes: NDArray[np.int64]) -> tuple[Any, Any]:
    """(nodes, links) over canonical triangles (N,12) with ascending Morton codes (N,)."""
    if not len(codes):
        return np.empty((0, 6)), np.empty((0, 2), np.int32)
    links = np.empty((2 * len(codes), 2), np.int32)
    links = links[: build_bvh_topology(codes, links)].copy()
    nodes = np.empty((len(links), 6))
    fit_bvh_boxes(triangles, links, np.zeros(len(codes), np.uint8), nodes)
    return nodes, links


@allocating
def build_bvh_topology(codes: Any, links: Any) -> int:
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
def fit_bvh_boxes(tri: Any, links: Any, skipped: Any, nodes: Any) -> None:
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
def is_node_outside_box(
    nodes: Any, node: int, x0: float, y0: float, z0: float, x1: float, y1: float, z1: float
) -> bool:  # fmt: skip
    """True if the node's box does not overlap the closed box x0..z1."""
    return bool(
        nodes[node, 0] > x1
        or nodes[node, 3] < x0
        or nodes[node, 1] > y1
        or nodes[node, 4] < y0
        or nodes[node, 2] > z1
        or nodes[node, 5] < z0
    )


@inlined
def is_triangle_near_box(
    tri: Any, i: int, x0: float, y0: float, z0: float, x1: float, y1: float, z1: float
) -> bool:  # fmt: skip
    """True if the box of triangle `i` overlaps the closed box x0..z1."""
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
def query_bvh(
    nodes: Any, links: Any, tri: Any, node: int, end: int,
    x0: float, y0: float, z0: float, x1: float, y1: float, z1: float, out: Any,
) -> int:  # fmt: skip
    """Number of triangles whose box overlaps the closed box x0..z1; the first ones, ascending, in `out`.

    Searches the subtree of nodes `node` to `end` - 1; 0 and len(nodes) for the whole mesh.
    """
    count = 0
    while node < end:
        a, b = links[node, 0], links[node, 1]
        if is_node_outside_box(nodes, node, x0, y0, z0, x1, y1, z1):
            node = a if b >= 0 else node + 1
            continue
        node += 1
        if b >= 0:
            continue
        for i in range(a, a - b):
            if is_triangle_near_box(tri, i, x0, y0, z0, x1, y1, z1):
                if count < out.shape[0]:
                    out[count] = i
                count += 1
    return count


@kernel
def sweep_box_against_node(
    nodes: Any,
    node: int,
    ox: float,
    oy: float,
    oz: float,
    dx: float,
    dy: float,
    dz: float,
    hx: float,
    hy: float,
    hz: float,
    t_max: float,
) -> float:
    """Fraction in 0..t_max at which the box o - h to o + h, moving by d, first overlaps the node's box; -1.0: none.

    Slab test of a ray from o against the node's box widened by h. Source: Ericson (2005), 5.3.3.
    """
    enter, leave = 0.0, t_max
    for axis in range(3):
        if axis == 0:
            o, d, h = ox, dx, hx
        elif axis == 1:
            o, d, h = oy, dy, hy
        else:
            o, d, h = oz, dz, hz
        low, high = nodes[node, axis] - h - o, nodes[node, axis + 3] + h - o
        if abs(d) < MIN_DISPLACEMENT:
            if low > 0.0 or high < 0.0:
                return -1.0
        else:
            first, last = low / d, high / d
            if first > last:
                first, last = last, first
            enter = max(enter, first)
            leave = min(leave, last)
    return enter if enter <= leave else -1.0


@kernel
def intersect_ray_triangle(
    tri: Any, i: int, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float
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
def push_children(
    nodes: Any, node: int, b: int, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float,
    hx: float, hy: float, hz: float, t_max: float, stack: Any, depth: int,
) -> int:  # fmt: skip
    """Push the children of a node that a moving box enters, the nearer one last; returns the new depth.

    b: the right child; other arguments as for `sweep_box_against_node`.
    """
    a = node + 1
    enter_a = sweep_box_against_node(nodes, a, ox, oy, oz, dx, dy, dz, hx, hy, hz, t_max)
    enter_b = sweep_box_against_node(nodes, b, ox, oy, oz, dx, dy, dz, hx, hy, hz, t_max)
    if enter_a > enter_b:
        a, b, enter_a, enter_b = b, a, enter_b, enter_a
    if enter_b >= 0.0:
        stack[depth] = b
        depth += 1
    if enter_a >= 0.0:
        stack[depth] = a
        depth += 1
    return depth


@inlined
def next_leaf_on_path(
    nodes: Any, links: Any, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float,
    hx: float, hy: float, hz: float, t_max: float, stack: Any, depth: int,
) -> tuple[int, int]:  # fmt: skip
    """(next leaf that a moving box enters, or -1; depth of the stack), the nearer children first.

    stack, depth: nodes still to visit; other arguments as for `sweep_box_against_node`.
    """
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if sweep_box_against_node(nodes, node, ox, oy, oz, dx, dy, dz, hx, hy, hz, t_max) < 0.0:
            continue
        right = links[node, 1]
        if right < 0:
            return int(node), depth
        depth = push_children(nodes, node, right, ox, oy, oz, dx, dy, dz, hx, hy, hz, t_max, stack, depth)
    return -1, depth


@allocating
def cast_rays(
    nodes: Any,
    links: Any,
    tri: Any,
    rays: Any,
    min_cosine: float,
    mode: int,
    triangle: Any,
    feature: Any,
    distance: Any,
    ray: Any,
) -> int:
    """Cast rays (K,7: origin, unit direction, limit in metres); returns the number of hits for ALL.

    Writes triangle, feature and distance. mode (layout.ray_mode): NEAREST and ANY write one row a ray, triangle -1 for
    a miss; ALL writes one row a hit, in no order, as many as fit, with the index of the ray in `ray`, which the other
    modes do not use. Triangles with |normal . direction| < min_cosine are ignored.
    """
    stack = np.empty(MAX_STACK_DEPTH, np.int32)
    count = 0
    for row in range(rays.shape[0]):
        ox, oy, oz = rays[row, 0], rays[row, 1], rays[row, 2]
        dx, dy, dz = rays[row, 3], rays[row, 4], rays[row, 5]
        best, limit = rays[row, 6], rays[row, 6]
        hit, hit_feature = -1, 0
        largest = max(abs(ox), abs(oy), abs(oz))
        depth = 0
        if nodes.shape[0] > 0 and nodes[0, 0] <= nodes[0, 3]:  # an inverted root box has no triangles
            depth = 1
            stack[0] = 0
            for k in range(6):
                largest = max(largest, abs(nodes[0, k]))
        pad = BOX_ROUNDING * largest
        while True:
            leaf, depth = next_leaf_on_path(nodes, links, ox, oy, oz, dx, dy, dz, pad, pad, pad, best, stack, depth)
            if leaf < 0:
                break
            first = links[leaf, 0]
            for i in range(first, first - links[leaf, 1]):
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
