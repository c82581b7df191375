"""What surfaces each ball may meet in a tick, asked of the trees once for all balls that are near each other."""

from __future__ import annotations

from typing import Any

from ..mesh.heightfield import triangle_box_overlaps
from ..numerics.jit import inlined, inner
from .layout import ball, counter, mover_row, status
from .mesh_contacts import query_triangles
from .platform_contacts import is_far_from_body, world_to_start_pose
from .scratch import MAX_LISTED_TRIANGLES, BallScratch, CollisionMesh, Obstacles

MAX_GROUP_BALLS = 16  # balls that are asked for at once
ROTATION_REACH_FACTOR = (
    0.7320508075688772  # of its reach: so much further a ball comes in the frame of what has turned, sqrt(3) - 1
)


@inner
def update_triangle_lists(mesh: CollisionMesh, others: Obstacles, w: BallScratch, n: int, side: float) -> None:
    """Of each ball that is awake the triangles within its reach in this tick, in w.listed; CLEAR where there is no
    surface at all, bodies included: its way need not be looked at then. In the order of the columns of find_pairs."""
    slots, below, count = w.column_heads, w.next_below, 0
    for ia in range(slots.shape[1]):
        for ic in range(slots.shape[1]):
            j = int(slots[0, ia, ic])
            while j < n:
                if w.status[j, status.ASLEEP] == 0:
                    if count == MAX_GROUP_BALLS or (
                        count > 0 and not are_columns_adjacent(w.balls, int(w.query_result[0]), j, side)
                    ):
                        list_group_triangles(mesh, others, w, count)
                        count = 0
                    w.query_result[count] = j
                    count += 1
                j = int(below[0, j])
    if count > 0:
        list_group_triangles(mesh, others, w, count)
    for q in range(w.counters[counter.OUTLIERS]):
        w.query_result[0] = w.outliers[q]
        if w.status[w.outliers[q], status.ASLEEP] == 0:
            list_group_triangles(mesh, others, w, 1)


@inlined
def are_columns_adjacent(b: Any, i: int, j: int, side: float) -> bool:
    """Whether two balls are near each other: columns far apart may share a slot."""
    dx, dy, dz = (
        b[i, ball.POSITION] - b[j, ball.POSITION],
        b[i, ball.POSITION + 1] - b[j, ball.POSITION + 1],
        b[i, ball.POSITION + 2] - b[j, ball.POSITION + 2],
    )
    return bool(max(abs(dx), abs(dy), abs(dz)) <= 3.0 * side)


@inner
def list_group_triangles(mesh: CollisionMesh, others: Obstacles, w: BallScratch, count: int) -> None:
    """The same of the first `count` balls of w.asked."""
    b, k, m, e = w.balls, w.status, others.movers, others.bodies
    first = int(w.query_result[0])
    x0, y0, z0 = b[first, ball.POSITION], b[first, ball.POSITION + 1], b[first, ball.POSITION + 2]
    x1, y1, z1, far = x0, y0, z0, 0.0
    for q in range(count):
        i = int(w.query_result[q])
        x, y, z, reach = b[i, ball.POSITION], b[i, ball.POSITION + 1], b[i, ball.POSITION + 2], b[i, ball.SWEPT_RADIUS]
        x0, y0, z0 = min(x0, x - reach), min(y0, y - reach), min(z0, z - reach)
        x1, y1, z1 = max(x1, x + reach), max(y1, y + reach), max(z1, z + reach)
        far = max(far, reach)
        b[i, ball.LIST_RADIUS], k[i, status.LIST_COUNT] = reach, 0
    found = query_triangles(mesh, w, 0, 0, x0, y0, z0, x1, y1, z1)
    for q in range(count if found > 0 else 0):
        i = int(w.query_result[q])
        append_to_triangle_list(
            mesh,
            w,
            i,
            -1,
            found,
            b[i, ball.POSITION],
            b[i, ball.POSITION + 1],
            b[i, ball.POSITION + 2],
            b[i, ball.SWEPT_RADIUS],
        )
    for one in range(m.shape[0]):
        wide = ROTATION_REACH_FACTOR * far + m[one, mover_row.MAX_DISPLACEMENT]
        if (
            x1 + wide < m[one, mover_row.BOUNDS]
            or y1 + wide < m[one, mover_row.BOUNDS + 1]
            or z1 + wide < m[one, mover_row.BOUNDS + 2]
            or x0 - wide > m[one, mover_row.BOUNDS + 3]
            or y0 - wide > m[one, mover_row.BOUNDS + 4]
            or z0 - wide > m[one, mover_row.BOUNDS + 5]
        ):
            continue
        list_mover_triangles(others, w, one, count)
    for q in range(count):
        i = int(w.query_result[q])
        clear = k[i, status.LIST_COUNT] == 0
        for one in range(e.shape[0]):
            clear = clear and is_far_from_body(e, one, b, i, b[i, ball.SWEPT_RADIUS])
        k[i, status.NO_SURFACE_NEAR] = 1 if clear else 0
        if w.counters[counter.TRIANGLES_NEEDED] != 0:
            k[i, status.LIST_COUNT], k[i, status.NO_SURFACE_NEAR] = status.NO_LIST, 0


@inlined
def list_mover_triangles(others: Obstacles, w: BallScratch, one: int, count: int) -> None:
    """The triangles of a mover within the reach of the first `count` balls of w.asked, in its frame as the tick
    begins; further by what it moves in the tick."""
    b, m = w.balls, others.movers
    way = m[one, mover_row.MAX_DISPLACEMENT]
    i = int(w.query_result[0])
    x0, y0, z0 = world_to_start_pose(m, one, b[i, ball.POSITION], b[i, ball.POSITION + 1], b[i, ball.POSITION + 2])
    x1, y1, z1 = x0, y0, z0
    for q in range(count):
        i = int(w.query_result[q])
        x, y, z = world_to_start_pose(m, one, b[i, ball.POSITION], b[i, ball.POSITION + 1], b[i, ball.POSITION + 2])
        wide = b[i, ball.SWEPT_RADIUS] + way
        x0, y0, z0 = min(x0, x - wide), min(y0, y - wide), min(z0, z - wide)
        x1, y1, z1 = max(x1, x + wide), max(y1, y + wide), max(z1, z + wide)
    found = query_triangles(
        others.mesh, w, int(m[one, mover_row.FIRST_NODE]), int(m[one, mover_row.END_NODE]), x0, y0, z0, x1, y1, z1
    )
    for q in range(count if found > 0 else 0):
        i = int(w.query_result[q])
        x, y, z = world_to_start_pose(m, one, b[i, ball.POSITION], b[i, ball.POSITION + 1], b[i, ball.POSITION + 2])
        append_to_triangle_list(others.mesh, w, i, one, found, x, y, z, b[i, ball.SWEPT_RADIUS] + way)


@inlined
def append_to_triangle_list(
    mesh: CollisionMesh, w: BallScratch, i: int, of: int, found: int, x: float, y: float, z: float, wide: float
) -> None:
    """Put those of the first `found` triangles of w.near that come within `wide` of (x, y, z) along each axis into ball
    i's list, as those of mover `of`; it is void where there is no room."""
    have = w.status[i, status.LIST_COUNT]
    if have == status.NO_LIST:
        return
    for q in range(found):
        t = w.triangles_near[q]
        if triangle_box_overlaps(mesh.triangles, t, x - wide, y - wide, z - wide, x + wide, y + wide, z + wide):
            if have == MAX_LISTED_TRIANGLES:
                w.status[i, status.LIST_COUNT] = status.NO_LIST
                return
            w.triangle_lists[i, have, 0], w.triangle_lists[i, have, 1] = t, of
            have += 1
    w.status[i, status.LIST_COUNT] = have
