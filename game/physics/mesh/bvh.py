"""A tree of boxes over triangles in Morton order, built where the codes part, walked with a small stack.

nodes (M,6): min xyz, max xyz. links (M,2): (first, -count) for a leaf, whose triangles are
first..first+count-1; (past, right) for an inner node: the node that follows all below it, and its right child.
Node 0 is the root, the left child of node i is i + 1, no triangle: no node. Leaves hold at most LEAF triangles and
follow each other in canonical order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..numerics.jit import allocating, inlined, kernel
from .layout import ray_mode

MAX_LEAF_TRIANGLES = 4  # triangles
MAX_STACK_DEPTH = 128  # a walk holds at most one node a level: 63 bits of code and 31 halvings of equal codes
MIN_DISPLACEMENT = 1e-100  # metres: a movement this small is none, and nothing overflows when divided by it
BOX_ROUNDING = 8.0 * 2.0**-52  # part of the coordinates by which boxes are widened, lest a ray slip past


def build_bvh(triangles: NDArray[np.float64], codes: NDArray[np.int64]) -> tuple[Any, Any]:
    """nodes and links over canonical triangles (N,12) with their ascending codes (N,)."""
    if not len(codes):
        return np.empty((0, 6)), np.empty((0, 2), np.int32)
    links = np.empty((2 * len(codes), 2), np.int32)
    links = links[: build_bvh_topology(codes, links)].copy()
    nodes = np.empty((len(links), 6))
    fit_bvh_boxes(triangles, links, nodes)
    return nodes, links


@allocating
def build_bvh_topology(codes: Any, links: Any) -> int:
    """Parents before children, left before right; returns the number of nodes. Where a node's subtree ends is where
    that of its last leaf does: filled in from the last node back."""
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
        differ = codes[first] ^ codes[end - 1]
        middle = (first + end) // 2
        if differ != 0:
            for shift in (1, 2, 4, 8, 16, 32):
                differ |= differ >> shift
            bit = differ - (differ >> 1)
            below, middle = first, end - 1
            while middle - below > 1:
                probe = (below + middle) // 2
                if codes[probe] & bit:
                    middle = probe
                else:
                    below = probe
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
def fit_bvh_boxes(tri: Any, links: Any, nodes: Any) -> None:
    """Boxes, from the last node back to the root."""
    for node in range(links.shape[0] - 1, -1, -1):
        a, b = links[node, 0], links[node, 1]
        for axis in range(3):
            if b < 0:
                least, most = np.inf, -np.inf
                for i in range(a, a - b):
                    for k in range(axis, 9, 3):
                        least = min(least, tri[i, k])
                        most = max(most, tri[i, k])
            else:
                least = min(nodes[node + 1, axis], nodes[b, axis])
                most = max(nodes[node + 1, axis + 3], nodes[b, axis + 3])
            nodes[node, axis], nodes[node, axis + 3] = least, most


@kernel
def query_bvh(
    nodes: Any,
    links: Any,
    tri12: Any,
    x0: float,
    y0: float,
    z0: float,
    x1: float,
    y1: float,
    z1: float,
    out: Any,
) -> int:
    """How many triangles have a box that meets the closed box x0..z1; the first, ascending, in out."""
    return int(query_bvh_subtree(nodes, links, tri12, 0, nodes.shape[0], x0, y0, z0, x1, y1, z1, out))


@kernel
def query_bvh_subtree(
    nodes: Any,
    links: Any,
    tri12: Any,
    node: int,
    end: int,
    x0: float,
    y0: float,
    z0: float,
    x1: float,
    y1: float,
    z1: float,
    out: Any,
) -> int:
    """As `query_bvh`, of the tree whose nodes are `node` to before `end`."""
    found = 0
    while node < end:
        a, b = links[node, 0], links[node, 1]
        if (
            nodes[node, 0] > x1
            or nodes[node, 3] < x0
            or nodes[node, 1] > y1
            or nodes[node, 4] < y0
            or nodes[node, 2] > z1
            or nodes[node, 5] < z0
        ):
            node = a if b >= 0 else node + 1
            continue
        node += 1
        if b >= 0:
            continue
        for i in range(a, a - b):
            ax, bx, cx = tri12[i, 0], tri12[i, 3], tri12[i, 6]
            ay, by, cy = tri12[i, 1], tri12[i, 4], tri12[i, 7]
            az, bz, cz = tri12[i, 2], tri12[i, 5], tri12[i, 8]
            if (
                (ax <= x1 or bx <= x1 or cx <= x1)
                and (ax >= x0 or bx >= x0 or cx >= x0)
                and (ay <= y1 or by <= y1 or cy <= y1)
                and (ay >= y0 or by >= y0 or cy >= y0)
                and (az <= z1 or bz <= z1 or cz <= z1)
                and (az >= z0 or bz >= z0 or cz >= z0)
            ):
                if found < out.shape[0]:
                    out[found] = i
                found += 1
    return found


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
    """Where in 0..t_max the box from o - h to o + h, moving by d, enters the node's box; -1.0: nowhere."""
    enter, leave = 0.0, t_max
    for axis in range(3):
        if axis == 0:
            o, d, h = ox, dx, hx
        elif axis == 1:
            o, d, h = oy, dy, hy
        else:
            o, d, h = oz, dz, hz
        least, most = nodes[node, axis] - h - o, nodes[node, axis + 3] + h - o
        if abs(d) < MIN_DISPLACEMENT:
            if least > 0.0 or most < 0.0:
                return -1.0
        else:
            near, far = least / d, most / d
            if near > far:
                near, far = far, near
            enter = max(enter, near)
            leave = min(leave, far)
    return enter if enter <= leave else -1.0


@kernel
def intersect_ray_triangle(
    tri: Any, i: int, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float
) -> tuple[float, int]:
    """Distance along the unit direction d to triangle `i`, two-sided, and the feature met; -1.0: a miss.

    The sides on which the ray passes two triangles' common edge come out exactly opposite, so that nothing
    slips between them. A ray within the triangle's plane misses it.
    """
    ax, ay, az = tri[i, 0] - ox, tri[i, 1] - oy, tri[i, 2] - oz
    bx, by, bz = tri[i, 3] - ox, tri[i, 4] - oy, tri[i, 5] - oz
    cx, cy, cz = tri[i, 6] - ox, tri[i, 7] - oy, tri[i, 8] - oz
    nx, ny, nz = tri[i, 9], tri[i, 10], tri[i, 11]
    slope = nx * dx + ny * dy + nz * dz
    if abs(slope) < 1e-12:
        return -1.0, 0
    t = (nx * ax + ny * ay + nz * az) / slope
    # What lies along the ray goes first: far from the origin of the ray the products below would lose it.
    a, b, c = dx * ax + dy * ay + dz * az, dx * bx + dy * by + dz * bz, dx * cx + dy * cy + dz * cz
    ax, ay, az = ax - a * dx, ay - a * dy, az - a * dz
    bx, by, bz = bx - b * dx, by - b * dy, bz - b * dz
    cx, cy, cz = cx - c * dx, cy - c * dy, cz - c * dz
    ab = dx * (ay * bz - az * by) + dy * (az * bx - ax * bz) + dz * (ax * by - ay * bx)
    bc = dx * (by * cz - bz * cy) + dy * (bz * cx - bx * cz) + dz * (bx * cy - by * cx)
    ca = dx * (cy * az - cz * ay) + dy * (cz * ax - cx * az) + dz * (cx * ay - cy * ax)
    if (ab < 0.0 or bc < 0.0 or ca < 0.0) and (ab > 0.0 or bc > 0.0 or ca > 0.0):
        return -1.0, 0
    # At a grazing angle the plane says little about where along it: not beyond the corners.
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
    """Put the halves of a node, the second of which is `b`, that a box enters on its way (see `sweep_box_against_node`) on
    the stack, the one entered first on top; how many are on it then."""
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


@allocating
def cast_rays(
    nodes: Any,
    links: Any,
    tri: Any,
    rays: Any,
    least: float,
    mode: int,
    triangle: Any,
    feature: Any,
    distance: Any,
    ray: Any,
) -> int:
    """Of each ray (K,7: origin, unit direction, limit) the triangle that `mode` asks for, or -1: NEAREST, or ANY; of
    ALL how many there are, in no order, each with its ray, as many as fit.

    Only triangles whose normal is along the ray by `least` (a cosine) or more.
    """
    stack = np.empty(MAX_STACK_DEPTH, np.int32)
    found = 0
    for row in range(rays.shape[0]):
        ox, oy, oz = rays[row, 0], rays[row, 1], rays[row, 2]
        dx, dy, dz = rays[row, 3], rays[row, 4], rays[row, 5]
        best, limit = rays[row, 6], rays[row, 6]
        hit, hit_feature = -1, 0
        largest = max(abs(ox), abs(oy), abs(oz))
        depth = 0
        if nodes.shape[0] > 0 and nodes[0, 0] <= nodes[0, 3]:  # else there is nothing in it (Heights.rest)
            depth = 1
            stack[0] = 0
            for k in range(6):
                largest = max(largest, abs(nodes[0, k]))
        pad = BOX_ROUNDING * largest
        while depth > 0:
            depth -= 1
            node = stack[depth]
            if sweep_box_against_node(nodes, node, ox, oy, oz, dx, dy, dz, pad, pad, pad, best) < 0.0:
                continue
            a, b = links[node, 0], links[node, 1]
            if b >= 0:
                depth = push_children(nodes, node, b, ox, oy, oz, dx, dy, dz, pad, pad, pad, best, stack, depth)
                continue
            for i in range(a, a - b):
                if abs(tri[i, 9] * dx + tri[i, 10] * dy + tri[i, 11] * dz) < least:
                    continue
                t, part = intersect_ray_triangle(tri, i, ox, oy, oz, dx, dy, dz)
                if t < 0.0 or t > limit:
                    continue
                if mode == ray_mode.ALL:
                    if found < triangle.shape[0]:
                        triangle[found], feature[found], distance[found], ray[found] = i, part, t, row
                    found += 1
                elif t < best or (t == best and (hit < 0 or i < hit)):
                    best, hit, hit_feature = t, i, part
            if mode == ray_mode.ANY and hit >= 0:
                break
        if mode != ray_mode.ALL:
            triangle[row], feature[row], distance[row] = hit, hit_feature, best
    return found
