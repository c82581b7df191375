"""Welding of vertices and adjacency of triangles, in time proportional to the number of triangles.

Corners within WELD_DISTANCE of each other, directly or through other corners, are one vertex; coordinates stay as they
are. A spatial hash grid finds the vertices, union-find joins them, and two passes of counting sort bring the half-edges
of one edge together. Sources: C. Ericson, "Real-Time Collision Detection" (2005), 12.1 (vertex welding); R. E. Tarjan
(1975), union-find with path halving.
"""

from __future__ import annotations

from collections.abc import Callable
from math import floor, sqrt

import numpy as np
from numpy.typing import NDArray

from ...core.background import run_in_thread
from ...core.vectors import Floats, Indices, Ints
from ..numerics.jit import inlined, kernel
from .rows import edge_side

WELD_DISTANCE = 1e-5  # m: corners this near are one vertex; model files have 5 to 6 decimals
COPLANAR_SINE = 1e-3  # sine of the angle (0.06 degrees) below which two faces continue each other at an edge
MAX_SORTED_EDGE_TRIANGLES = 64  # an edge with more triangles has no neighbours: the search is quadratic
CELLS_PER_METRE = 1.0 / (16.0 * WELD_DISTANCE)  # cells so wide that most corners search one cell only
RECENT_POINTS = 2**12  # a power of two; points of triangles near each other, in 16 KiB
CELL_BORDER = 1.01 * WELD_DISTANCE * CELLS_PER_METRE  # of a cell: nearer to its border a point searches others too
CORNERS_AHEAD = 192  # corners whose entries of the hash table are read at once, a multiple of 3
MIN_THREADED_TRIANGLES = 50_000  # a smaller mesh is cooked in one thread
CELL_OFFSET = 0.37  # of a cell: round coordinates, which levels have, must not lie on borders of cells


def weld_vertices(triangles: NDArray[np.float64]) -> tuple[NDArray[np.int32], int]:
    """Vertex of each corner (N,3) of triangles (N,12), numbered in order of first occurrence, and their number."""
    count = len(triangles)
    vertex_ids = np.empty((count, 3), np.int32)
    table = np.zeros(1 << (4 * count + 64).bit_length(), np.int32)
    first = np.empty(3 * count, np.int64)
    following, parent = np.empty(3 * count, np.int32), np.empty(3 * count, np.int32)
    recent, ahead = np.zeros(RECENT_POINTS, np.int32), np.empty((2, CORNERS_AHEAD), np.int64)
    points = find_distinct_points(triangles.reshape(-1), table, recent, ahead, first, following, parent, vertex_ids)
    return vertex_ids, number_vertices(parent, following[:points], vertex_ids)


def find_adjacency(
    triangles: NDArray[np.float64], surfaces: NDArray[np.int32], vertex_ids: NDArray[np.int32], vertices: int
) -> NDArray[np.int32]:
    """(N,4) rows of rows.neighbour_row. surfaces: (N,); vertex_ids: (N,3) of `vertices`."""
    count = len(triangles)
    half = [np.empty(3 * count, np.int32) for _ in range(4)]
    sort_half_edges(vertex_ids, np.zeros((2, vertices + 1), np.int32), *half)
    neighbours = np.empty((count, 4), np.int32)
    neighbours[:, 3] = surfaces
    order, low, high, _ = half
    cut = len(order) // 2
    while 0 < cut < len(order) and low[order[cut]] == low[order[cut - 1]] and high[order[cut]] == high[order[cut - 1]]:
        cut += 1  # to the end of an edge
    first, second = ((triangles, vertex_ids, part, low, high, neighbours) for part in (order[:cut], order[cut:]))
    run_halves(count, find_neighbours, first, second)
    return neighbours


def run_halves(count: int, run: Callable[..., object], first: tuple[object, ...], second: tuple[object, ...]) -> None:
    """Run a kernel on both halves of `count` triangles: of a large mesh at the same time, the second in a thread."""
    if count < MIN_THREADED_TRIANGLES:
        run(*first)
        run(*second)
        return
    other = run_in_thread("cooking", run, *second)
    run(*first)
    other.result()


@kernel
def _cell_index(x: float) -> int:
    """Index of a coordinate's cell along one axis."""
    return floor(x * CELLS_PER_METRE + CELL_OFFSET)


@kernel
def _cell_hash(cx: int, cy: int, cz: int) -> int:
    """Hash of a cell."""
    mixed = cx * 39916801 ^ cy * 28657 ^ cz * 16769023  # 37 bits of cell times 26 stay within 63
    return mixed ^ mixed >> 21 ^ mixed >> 42


@kernel
def _find_hash_slot(table: Ints, first: Indices, xyz: Floats, cx: int, cy: int, cz: int, code: int) -> int:
    """Slot of a cell with hash `code` in the hash table (open addressing): the one with a point of that cell, else the
    empty one for it."""
    mask = table.shape[0] - 1
    slot: int = code & mask
    while table[slot] > 0:
        at = first[table[slot] - 1]
        if _cell_index(xyz[at]) == cx and _cell_index(xyz[at + 1]) == cy and _cell_index(xyz[at + 2]) == cz:
            break
        slot = (slot + 1) & mask
    return slot


@kernel
def _find_root(parent: Ints, u: int) -> int:
    """Root of u in the union-find forest, with path halving."""
    while parent[u] != u:
        parent[u] = parent[parent[u]]
        u = int(parent[u])
    return u


@kernel
def _join_near_points(xyz: Floats, first: Indices, following: Ints, parent: Ints, u: int, v: int) -> None:
    """Join point u with v and those that follow v in its cell, where they are within WELD_DISTANCE."""
    x, y, z = xyz[first[u]], xyz[first[u] + 1], xyz[first[u] + 2]
    while v >= 0:
        at = first[v]
        dx, dy, dz = xyz[at] - x, xyz[at + 1] - y, xyz[at + 2] - z
        if dx * dx + dy * dy + dz * dz <= WELD_DISTANCE * WELD_DISTANCE:
            a, b = _find_root(parent, u), _find_root(parent, v)
            parent[max(a, b)] = min(a, b)
        v = int(following[v])


@inlined
def _is_within_cell(x: float, y: float, z: float) -> bool:
    """True if all points within WELD_DISTANCE certainly lie in the same cell."""
    fx, fy, fz = x * CELLS_PER_METRE + CELL_OFFSET, y * CELLS_PER_METRE + CELL_OFFSET, z * CELLS_PER_METRE + CELL_OFFSET
    fx, fy, fz = fx - floor(fx), fy - floor(fy), fz - floor(fz)
    return bool(min(fx, fy, fz) > CELL_BORDER and max(fx, fy, fz) < 1.0 - CELL_BORDER)


@kernel
def _join_cells_around(table: Ints, xyz: Floats, first: Indices, following: Ints, parent: Ints, u: int) -> None:
    """Join the new point u with the points within WELD_DISTANCE in all cells that these can lie in."""
    reach = WELD_DISTANCE * 1.001
    at = first[u]
    x, y, z = xyz[at], xyz[at + 1], xyz[at + 2]
    for cx in range(_cell_index(x - reach), _cell_index(x + reach) + 1):
        for cy in range(_cell_index(y - reach), _cell_index(y + reach) + 1):
            for cz in range(_cell_index(z - reach), _cell_index(z + reach) + 1):
                slot = _find_hash_slot(table, first, xyz, cx, cy, cz, _cell_hash(cx, cy, cz))
                _join_near_points(xyz, first, following, parent, u, int(table[slot]) - 1)


@inlined
def _find_point(
    xyz: Floats, index: int, code: int, table: Ints, first: Indices, following: Ints, parent: Ints, points: int
) -> int:
    """Number of the point at `index`, whose cell has the hash `code`; a new one is entered as number `points`."""
    x, y, z = xyz[index], xyz[index + 1], xyz[index + 2]
    slot = _find_hash_slot(table, first, xyz, _cell_index(x), _cell_index(y), _cell_index(z), code)
    last = int(table[slot]) - 1
    u = last
    while u >= 0:
        at = first[u]
        if xyz[at] == x and xyz[at + 1] == y and xyz[at + 2] == z:
            return u
        u = int(following[u])
    first[points], parent[points], following[points] = index, points, last
    table[slot] = points + 1
    if not _is_within_cell(x, y, z):
        _join_cells_around(table, xyz, first, following, parent, points)
    elif last >= 0:
        _join_near_points(xyz, first, following, parent, points, last)
    return points


@kernel
def find_distinct_points(
    xyz: Floats,
    table: Ints,
    recent: Ints,
    ahead: Indices,
    first: Indices,
    following: Ints,
    parent: Ints,
    vertex_ids: Ints,
) -> int:
    """Number of distinct points; writes their indices (vertex_ids (N,3)) and a union-find forest: trees are vertices.

    xyz: rows of twelve, flat. table: for each cell 1 + its last point, 0 if empty; following: for each point the one
    before it in its cell, or -1; first: index in xyz of its first occurrence; parent: the forest. A new point searches
    each cell within WELD_DISTANCE and joins all points found there, so vertices are connected components, whatever the
    order.

    The table is larger than the processor's caches, so waiting for it takes most of the time. Two scratch arrays reduce
    that. recent: 1 + the last point of each hash, 0 if none; neighbouring triangles follow each other, so most corners
    are found there. ahead (2, corners): hashes and table entries of the next triangles, read in a short loop, in which
    the processor waits for many entries at a time.
    """
    points = 0
    count = vertex_ids.shape[0]
    step = ahead.shape[1] // 3
    for begin in range(0, count, step):
        end = min(begin + step, count)
        at = 0
        for i in range(begin, end):
            for index in range(12 * i, 12 * i + 9, 3):
                x, y, z = xyz[index], xyz[index + 1], xyz[index + 2]
                ahead[0, at] = _cell_hash(_cell_index(x), _cell_index(y), _cell_index(z))
                at += 1
        for k in range(at):
            ahead[1, k] = table[ahead[0, k] & (table.shape[0] - 1)]
        at = 0
        for i in range(begin, end):
            for k in range(3):
                index, code = 12 * i + 3 * k, ahead[0, at]
                at += 1
                place = code & (recent.shape[0] - 1)
                u = int(recent[place]) - 1
                if u >= 0:
                    other = first[u]
                    if (
                        xyz[other] == xyz[index]
                        and xyz[other + 1] == xyz[index + 1]
                        and xyz[other + 2] == xyz[index + 2]
                    ):
                        vertex_ids[i, k] = u
                        continue
                u = _find_point(xyz, index, code, table, first, following, parent, points)
                if u == points:
                    points += 1
                vertex_ids[i, k] = u
                recent[place] = u + 1
    return points


@kernel
def number_vertices(parent: Ints, label: Ints, vertex_ids: Ints) -> int:
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
def sort_half_edges(vertex_ids: Ints, start: Ints, order: Ints, low: Ints, high: Ints, by_high: Ints) -> None:
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


@inlined
def _is_collapsed(vertex_ids: Ints, i: int) -> bool:
    """True if two corners of triangle `i` are one vertex: it has no second neighbour."""
    a, b, c = vertex_ids[i, 0], vertex_ids[i, 1], vertex_ids[i, 2]
    return bool(a == b or b == c or c == a)


@inlined
def _third_corner(tri: Floats, half: int, other: int) -> tuple[float, float, float]:
    """Third corner of the triangle of half-edge `other` in the frame of half-edge `half`: (v . o, v . n, o . o).

    e: the edge; n: normal of its triangle; o = e x n: out of the triangle, not unit; v: from the edge to the corner.
    """
    i, j = half // 3, other // 3
    a, b, c = 3 * (half % 3), 3 * ((half + 1) % 3), 3 * ((other + 2) % 3)
    ax, ay, az = tri[i, a], tri[i, a + 1], tri[i, a + 2]
    ex, ey, ez = tri[i, b] - ax, tri[i, b + 1] - ay, tri[i, b + 2] - az
    nx, ny, nz = tri[i, 9], tri[i, 10], tri[i, 11]
    ox, oy, oz = ey * nz - ez * ny, ez * nx - ex * nz, ex * ny - ey * nx
    vx, vy, vz = tri[j, c] - ax, tri[j, c + 1] - ay, tri[j, c + 2] - az
    return vx * ox + vy * oy + vz * oz, vx * nx + vy * ny + vz * nz, ox * ox + oy * oy + oz * oz


@inlined
def _is_coplanar(outward: float, up: float) -> bool:
    """True if a third corner this far out and up (m) continues the face."""
    return bool(abs(up) <= WELD_DISTANCE or up * up <= COPLANAR_SINE * COPLANAR_SINE * (outward * outward + up * up))


@inlined
def _only_neighbour(tri: Floats, half: int, other: int) -> int:
    """Entry of `mates` for an edge with one other triangle, as `_first_neighbours` finds it without its angle.

    The square root is taken only where the sine of the angle is within 1e-9 of COPLANAR_SINE.
    """
    outward, up, square = _third_corner(tri, half, other)
    if outward == 0.0 and up == 0.0:
        return 4 * -1 + (edge_side.FRONT | edge_side.BACK)
    risen = up * up * square
    limit = COPLANAR_SINE * COPLANAR_SINE * (outward * outward + risen)
    is_coplanar = abs(up) <= WELD_DISTANCE or risen <= limit
    if abs(risen - limit) <= 1e-9 * limit:
        is_coplanar = _is_coplanar(outward / sqrt(square), up)
    is_folded = is_coplanar and outward < 0.0
    active_front = is_folded or (up < 0.0 and not is_coplanar)
    active_back = is_folded or (up > 0.0 and not is_coplanar)
    sides = (edge_side.FRONT if active_front else 0) | (edge_side.BACK if active_back else 0)
    return 4 * (other // 3) + sides


@kernel
def _first_neighbours(tri: Floats, vertex_ids: Ints, order: Ints, begin: int, end: int, half: int) -> int:
    """Entry of `mates` for a half-edge among those of its edge, order[begin:end], of any number.

    Angles are compared by a monotonic substitute from -2 to 2: above 0 the neighbour rises in front of the triangle
    (concave), below 0 it bends away behind (convex).
    """
    front, back = -3.0, 3.0
    neighbour = -1
    active_front, active_back = True, True
    for at in range(begin, end):
        other = int(order[at])
        if other // 3 == half // 3 or _is_collapsed(vertex_ids, other // 3):
            continue
        outward, up, square = _third_corner(tri, half, other)
        outward /= sqrt(square)
        spread = abs(outward) + abs(up)
        if spread == 0.0:
            continue
        angle = 1.0 - outward / spread if up >= 0.0 else outward / spread - 1.0
        is_coplanar = _is_coplanar(outward, up)
        is_folded = is_coplanar and outward < 0.0
        if angle > front:
            front, neighbour = angle, other // 3
            active_front = is_folded or (up < 0.0 and not is_coplanar)
        if angle < back:
            back = angle
            active_back = is_folded or (up > 0.0 and not is_coplanar)
    return 4 * neighbour + ((edge_side.FRONT if active_front else 0) | (edge_side.BACK if active_back else 0))


@kernel
def find_neighbours(tri: Floats, vertex_ids: Ints, order: Ints, lows: Ints, highs: Ints, mates: Ints) -> None:
    """Neighbour across each edge (-1: none), and the sides from which the edge can be touched before any face.

    Of several neighbours the first one met when rotating about the edge from the front of the triangle counts, and for
    the back the first one met from there. Triangles with two corners in one vertex are skipped: they have no second
    neighbour. mates: (N,4), of which columns 0..2 are written (rows.neighbour_row).
    """
    n = order.shape[0]
    begin = 0
    while begin < n:
        low, high = lows[order[begin]], highs[order[begin]]
        end = begin + 1
        while end < n and lows[order[end]] == low and highs[order[end]] == high:
            end += 1
        half, other = int(order[begin]), int(order[end - 1])
        if low == high or end - begin == 1 or end - begin > MAX_SORTED_EDGE_TRIANGLES:
            for at in range(begin, end):
                mates[order[at] // 3, order[at] % 3] = 4 * -1 + (edge_side.FRONT | edge_side.BACK)
        elif (
            end - begin == 2
            and half // 3 != other // 3
            and not _is_collapsed(vertex_ids, half // 3)
            and not _is_collapsed(vertex_ids, other // 3)
        ):
            mates[half // 3, half % 3] = _only_neighbour(tri, half, other)
            mates[other // 3, other % 3] = _only_neighbour(tri, other, half)
        else:
            for at in range(begin, end):
                half = int(order[at])
                mates[half // 3, half % 3] = _first_neighbours(tri, vertex_ids, order, begin, end, half)
        begin = end
