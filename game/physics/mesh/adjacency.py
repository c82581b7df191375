"""Welding of vertices and adjacency of triangles, in time proportional to the number of triangles.

Corners within WELD_DISTANCE of each other, directly or through other corners, are one vertex; coordinates stay as they
are. A spatial hash grid finds the vertices, union-find joins them, and two passes of counting sort bring the half-edges
of one edge together. Sources: C. Ericson, "Real-Time Collision Detection" (2005), 12.1 (vertex welding); R. E. Tarjan
(1975), union-find with path halving.
"""

from __future__ import annotations

from math import floor, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..numerics.jit import kernel
from .layout import edge_side

WELD_DISTANCE = 1e-5  # m: corners this near are one vertex; model files have 5 to 6 decimals
COPLANAR_SINE = 1e-3  # sine of the angle (0.06 degrees) below which two faces continue each other at an edge
MAX_SORTED_EDGE_TRIANGLES = 64  # an edge with more triangles has no neighbours: the search is quadratic
CELLS_PER_METRE = 1.0 / (16.0 * WELD_DISTANCE)  # cells so wide that most corners search one cell only
CELL_OFFSET = 0.37  # of a cell: round coordinates, which levels have, must not lie on borders of cells


def weld_vertices(triangles: NDArray[np.float64]) -> tuple[NDArray[np.int32], int]:
    """Vertex of each corner (N,3) of triangles (N,12), numbered in order of first occurrence, and their number."""
    count = len(triangles)
    vertex_ids = np.empty((count, 3), np.int32)
    table = np.zeros(1 << (4 * count + 64).bit_length(), np.int32)
    first = np.empty(3 * count, np.int64)
    following, parent = np.empty(3 * count, np.int32), np.empty(3 * count, np.int32)
    points = find_distinct_points(triangles.reshape(-1), table, first, following, parent, vertex_ids)
    return vertex_ids, number_vertices(parent, following[:points], vertex_ids)


def find_adjacency(
    triangles: NDArray[np.float64], vertex_ids: NDArray[np.int32], vertices: int
) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """(adjacency, edge_active), each (N,3), as described in `TriangleMesh`. vertex_ids: (N,3) of `vertices`."""
    count = len(triangles)
    half = [np.empty(3 * count, np.int32) for _ in range(4)]
    sort_half_edges(vertex_ids, np.zeros((2, vertices + 1), np.int32), *half)
    adjacency, edge_active = np.empty((count, 3), np.int32), np.empty((count, 3), np.uint8)
    order, low, high, _ = half
    find_neighbours(triangles, vertex_ids, order, low, high, adjacency, edge_active)
    return adjacency, edge_active


@kernel
def _cell_index(x: float) -> int:
    """Index of a coordinate's cell along one axis."""
    return floor(x * CELLS_PER_METRE + CELL_OFFSET)


@kernel
def _find_hash_slot(table: Any, first: Any, xyz: Any, cx: int, cy: int, cz: int) -> int:
    """Slot of a cell in the hash table (open addressing): the one with a point of that cell, else the empty one for
    it."""
    mask = table.shape[0] - 1
    mixed = cx * 39916801 ^ cy * 28657 ^ cz * 16769023  # 37 bits of cell times 26 stay within 63
    slot: int = (mixed ^ mixed >> 21 ^ mixed >> 42) & mask
    while table[slot] > 0:
        at = first[table[slot] - 1]
        if _cell_index(xyz[at]) == cx and _cell_index(xyz[at + 1]) == cy and _cell_index(xyz[at + 2]) == cz:
            break
        slot = (slot + 1) & mask
    return slot


@kernel
def _find_root(parent: Any, u: int) -> int:
    """Root of u in the union-find forest, with path halving."""
    while parent[u] != u:
        parent[u] = parent[parent[u]]
        u = int(parent[u])
    return u


@kernel
def find_distinct_points(xyz: Any, table: Any, first: Any, following: Any, parent: Any, vertex_ids: Any) -> int:
    """Number of distinct points; writes their indices (vertex_ids (N,3)) and a union-find forest: trees are vertices.

    xyz: rows of twelve, flat. table: for each cell 1 + its last point, 0 if empty; following: for each point the one
    before it in its cell, or -1; first: index in xyz of its first occurrence; parent: the forest. A new point searches
    each cell within WELD_DISTANCE and joins all points found there, so vertices are connected components, whatever the
    order.
    """
    reach = WELD_DISTANCE * 1.001
    points = 0
    for i in range(vertex_ids.shape[0]):
        for k in range(3):
            index = 12 * i + 3 * k
            x, y, z = xyz[index], xyz[index + 1], xyz[index + 2]
            slot = _find_hash_slot(table, first, xyz, _cell_index(x), _cell_index(y), _cell_index(z))
            u = int(table[slot]) - 1
            while u >= 0:
                at = first[u]
                if xyz[at] == x and xyz[at + 1] == y and xyz[at + 2] == z:
                    break
                u = int(following[u])
            if u < 0:
                u = points
                points += 1
                first[u], parent[u] = index, u
                following[u] = table[slot] - 1
                table[slot] = points
                for cx in range(_cell_index(x - reach), _cell_index(x + reach) + 1):
                    for cy in range(_cell_index(y - reach), _cell_index(y + reach) + 1):
                        for cz in range(_cell_index(z - reach), _cell_index(z + reach) + 1):
                            v = int(table[_find_hash_slot(table, first, xyz, cx, cy, cz)]) - 1
                            while v >= 0:
                                at = first[v]
                                dx, dy, dz = xyz[at] - x, xyz[at + 1] - y, xyz[at + 2] - z
                                if dx * dx + dy * dy + dz * dz <= WELD_DISTANCE * WELD_DISTANCE:
                                    a, b = _find_root(parent, u), _find_root(parent, v)
                                    parent[max(a, b)] = min(a, b)
                                v = int(following[v])
            vertex_ids[i, k] = u
    return points


@kernel
def number_vertices(parent: Any, label: Any, vertex_ids: Any) -> int:
    """Number of vertices; replaces points in vertex_ids (N,3) by vertices, numbered in order of first occurrence.

    label: (points,) scratch.
    """
    for u in range(label.shape[0]):
        label[u] = -1
    vertices = 0
    for i in range(vertex_ids.shape[0]):
        for k in range(3):
            root = _find_root(parent, int(vertex_ids[i, k]))
            if label[root] < 0:
                label[root] = vertices
                vertices += 1
            vertex_ids[i, k] = label[root]
    return vertices


@kernel
def sort_half_edges(vertex_ids: Any, start: Any, order: Any, low: Any, high: Any, by_high: Any) -> None:
    """Order of half-edges 3 triangle + k in which those of one edge are consecutive, and their lower and higher
    vertices.

    Counting sort by the higher vertex, then by the lower (stable). start: (2, vertices + 1), zeroed by the caller.
    """
    for i in range(vertex_ids.shape[0]):
        for k in range(3):
            a, b = vertex_ids[i, k], vertex_ids[i, k + 1 if k < 2 else 0]
            if a > b:
                a, b = b, a
            low[3 * i + k], high[3 * i + k] = a, b
            start[0, a + 1] += 1
            start[1, b + 1] += 1
    for vertex in range(start.shape[1] - 1):
        start[0, vertex + 1] += start[0, vertex]
        start[1, vertex + 1] += start[1, vertex]
    for half in range(order.shape[0]):
        key = high[half]
        by_high[start[1, key]] = half
        start[1, key] += 1
    for at in range(order.shape[0]):
        half = by_high[at]
        key = low[half]
        order[start[0, key]] = half
        start[0, key] += 1


@kernel
def find_neighbours(
    tri: Any, vertex_ids: Any, order: Any, lows: Any, highs: Any, adjacency: Any, edge_active: Any
) -> None:
    """Neighbour across each edge (-1: none), and the sides from which the edge can be touched before any face.

    Of several neighbours the first one met when rotating about the edge from the front of the triangle counts, and for
    the back the first one met from there. Angles are compared by a monotonic substitute from -2 to 2: above 0 the
    neighbour rises in front of the triangle (concave), below 0 it bends away behind (convex). Triangles with two
    corners in one vertex are skipped: they have no second neighbour.
    """
    n = order.shape[0]
    begin = 0
    while begin < n:
        low, high = lows[order[begin]], highs[order[begin]]
        end = begin + 1
        while end < n and lows[order[end]] == low and highs[order[end]] == high:
            end += 1
        open_edge = low == high or end - begin > MAX_SORTED_EDGE_TRIANGLES
        for at in range(begin, end):
            half = order[at]
            i, k = half // 3, half % 3
            adjacency[i, k] = -1
            edge_active[i, k] = edge_side.FRONT | edge_side.BACK
            if open_edge:
                continue
            a, b = 3 * k, 3 * ((k + 1) % 3)
            ax, ay, az = tri[i, a], tri[i, a + 1], tri[i, a + 2]
            ex, ey, ez = tri[i, b] - ax, tri[i, b + 1] - ay, tri[i, b + 2] - az
            nx, ny, nz = tri[i, 9], tri[i, 10], tri[i, 11]
            ox, oy, oz = ey * nz - ez * ny, ez * nx - ex * nz, ex * ny - ey * nx
            length = sqrt(ox * ox + oy * oy + oz * oz)
            front, back = -3.0, 3.0
            active_front, active_back = True, True
            for other in range(begin, end):
                j = order[other] // 3
                if (
                    j == i
                    or vertex_ids[j, 0] == vertex_ids[j, 1]
                    or vertex_ids[j, 1] == vertex_ids[j, 2]
                    or vertex_ids[j, 2] == vertex_ids[j, 0]
                ):
                    continue
                c = 3 * ((order[other] % 3 + 2) % 3)
                vx, vy, vz = tri[j, c] - ax, tri[j, c + 1] - ay, tri[j, c + 2] - az
                outward = (vx * ox + vy * oy + vz * oz) / length
                up = vx * nx + vy * ny + vz * nz
                spread = abs(outward) + abs(up)
                if spread == 0.0:
                    continue
                angle = 1.0 - outward / spread if up >= 0.0 else outward / spread - 1.0
                is_coplanar = abs(up) <= WELD_DISTANCE or up * up <= COPLANAR_SINE * COPLANAR_SINE * (
                    outward * outward + up * up
                )
                is_folded = is_coplanar and outward < 0.0
                if angle > front:
                    front = angle
                    adjacency[i, k] = j
                    active_front = is_folded or (up < 0.0 and not is_coplanar)
                if angle < back:
                    back = angle
                    active_back = is_folded or (up > 0.0 and not is_coplanar)
            edge_active[i, k] = (edge_side.FRONT if active_front else 0) | (edge_side.BACK if active_back else 0)
        begin = end
