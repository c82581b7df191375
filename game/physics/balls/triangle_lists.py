"""Triangle lists: the triangles that each ball may touch in a tick, queried once for a group of near balls."""

from __future__ import annotations

from ...core.vectors import Floats, Point
from ..mesh.bvh import is_triangle_near_box
from ..numerics.jit import inner
from .body_contacts import is_far_from_body
from .mesh_contacts import box_around, query_triangles
from .platform_contacts import query_mover_bvh, world_to_start_pose
from .rows import ball, counter, listed_triangle, mover_row, status
from .scratch import MAX_LISTED_TRIANGLES, BallScratch, CollisionMesh, Obstacles

MAX_GROUP_BALLS = 16  # balls of one query
ROTATION_REACH_FACTOR = 0.7320508075688772  # sqrt(3) - 1, of the reach: growth of its box in a rotated frame, at most


@inner
def update_triangle_lists(mesh: CollisionMesh, obstacles: Obstacles, w: BallScratch, n: int, side: float) -> None:
    """Fill the triangle lists of all balls that are awake, and NO_SURFACE_NEAR where nothing can be reached.

    Groups are consecutive balls in the order of the grid columns of `find_ball_pairs`; side: width of a column.
    """
    column_heads, next_below, count = w.column_heads, w.next_below, 0
    for ia in range(column_heads.shape[1]):
        for ic in range(column_heads.shape[1]):
            j = int(column_heads[0, ia, ic])
            while j < n:
                if w.status[j, status.ASLEEP] == 0:
                    if count == MAX_GROUP_BALLS or (
                        count > 0 and not are_columns_adjacent(w.balls, int(w.query_result[0]), j, side)
                    ):
                        list_group_triangles(mesh, obstacles, w, count)
                        count = 0
                    w.query_result[count] = j
                    count += 1
                j = int(next_below[0, j])
    if count > 0:
        list_group_triangles(mesh, obstacles, w, count)
    for q in range(w.counters[counter.OUTLIERS]):
        w.query_result[0] = w.outliers[q]
        if w.status[w.outliers[q], status.ASLEEP] == 0:
            list_group_triangles(mesh, obstacles, w, 1)


@inner
def are_columns_adjacent(b: Floats, i: int, j: int, side: float) -> bool:
    """Whether two balls are near each other: columns far apart may have one hash slot."""
    dx, dy, dz = (
        b[i, ball.POSITION] - b[j, ball.POSITION],
        b[i, ball.POSITION + 1] - b[j, ball.POSITION + 1],
        b[i, ball.POSITION + 2] - b[j, ball.POSITION + 2],
    )
    return bool(max(abs(dx), abs(dy), abs(dz)) <= 3.0 * side)


@inner
def list_group_triangles(mesh: CollisionMesh, obstacles: Obstacles, w: BallScratch, count: int) -> None:
    """Lists of the first `count` balls of w.query_result."""
    b, k, m, e = w.balls, w.status, obstacles.movers, obstacles.bodies
    first = int(w.query_result[0])
    x0, y0, z0 = b[first, ball.POSITION], b[first, ball.POSITION + 1], b[first, ball.POSITION + 2]
    x1, y1, z1, largest_reach = x0, y0, z0, 0.0
    for q in range(count):
        i = int(w.query_result[q])
        x, y, z, reach = b[i, ball.POSITION], b[i, ball.POSITION + 1], b[i, ball.POSITION + 2], b[i, ball.SWEPT_RADIUS]
        x0, y0, z0 = min(x0, x - reach), min(y0, y - reach), min(z0, z - reach)
        x1, y1, z1 = max(x1, x + reach), max(y1, y + reach), max(z1, z + reach)
        largest_reach = max(largest_reach, reach)
        b[i, ball.LIST_RADIUS], k[i, status.LIST_COUNT] = reach, 0
    found = query_triangles(mesh, w, 0, 0, (x0, y0, z0, x1, y1, z1))
    for q in range(count if found > 0 else 0):
        i = int(w.query_result[q])
        append_to_triangle_list(
            mesh,
            w,
            i,
            -1,
            found,
            (b[i, ball.POSITION], b[i, ball.POSITION + 1], b[i, ball.POSITION + 2]),
            b[i, ball.SWEPT_RADIUS],
        )
    for mover in range(m.shape[0]):
        margin = ROTATION_REACH_FACTOR * largest_reach + m[mover, mover_row.MAX_DISPLACEMENT]
        if (
            x1 + margin < m[mover, mover_row.BOUNDS]
            or y1 + margin < m[mover, mover_row.BOUNDS + 1]
            or z1 + margin < m[mover, mover_row.BOUNDS + 2]
            or x0 - margin > m[mover, mover_row.BOUNDS + 3]
            or y0 - margin > m[mover, mover_row.BOUNDS + 4]
            or z0 - margin > m[mover, mover_row.BOUNDS + 5]
        ):
            continue
        list_mover_triangles(obstacles, w, mover, count)
    for q in range(count):
        i = int(w.query_result[q])
        clear = k[i, status.LIST_COUNT] == 0
        for body in range(e.shape[0]):
            clear = clear and is_far_from_body(e, body, b, i, b[i, ball.SWEPT_RADIUS])
        k[i, status.NO_SURFACE_NEAR] = 1 if clear else 0
        if w.counters[counter.TRIANGLES_NEEDED] != 0:
            k[i, status.LIST_COUNT], k[i, status.NO_SURFACE_NEAR] = status.NO_LIST, 0


@inner
def list_mover_triangles(obstacles: Obstacles, w: BallScratch, mover: int, count: int) -> None:
    """Append the triangles of a mover within reach of the first `count` balls of w.query_result.

    In the mover's frame at the beginning of the tick, with its displacement in the tick as a margin.
    """
    b, m = w.balls, obstacles.movers
    displacement = m[mover, mover_row.MAX_DISPLACEMENT]
    i = int(w.query_result[0])
    x0, y0, z0 = world_to_start_pose(m, mover, b[i, ball.POSITION], b[i, ball.POSITION + 1], b[i, ball.POSITION + 2])
    x1, y1, z1 = x0, y0, z0
    for q in range(count):
        i = int(w.query_result[q])
        x, y, z = world_to_start_pose(m, mover, b[i, ball.POSITION], b[i, ball.POSITION + 1], b[i, ball.POSITION + 2])
        reach = b[i, ball.SWEPT_RADIUS] + displacement
        x0, y0, z0 = min(x0, x - reach), min(y0, y - reach), min(z0, z - reach)
        x1, y1, z1 = max(x1, x + reach), max(y1, y + reach), max(z1, z + reach)
    found = query_mover_bvh(obstacles, w, mover, (x0, y0, z0, x1, y1, z1))
    for q in range(count if found > 0 else 0):
        i = int(w.query_result[q])
        p = world_to_start_pose(m, mover, b[i, ball.POSITION], b[i, ball.POSITION + 1], b[i, ball.POSITION + 2])
        append_to_triangle_list(obstacles.mesh, w, i, mover, found, p, b[i, ball.SWEPT_RADIUS] + displacement)


@inner
def append_to_triangle_list(
    mesh: CollisionMesh, w: BallScratch, i: int, mover: int, found: int, p: Point, reach: float
) -> None:
    """Append triangles of w.triangles_near near p to ball i's list: those within `reach` along each axis.

    The first `found` of them are tested. mover: their mover, -1: the level. A list without room becomes NO_LIST.
    """
    length, box = w.status[i, status.LIST_COUNT], box_around(p, reach)
    if length == status.NO_LIST:
        return
    for q in range(found):
        t = w.triangles_near[q]
        if is_triangle_near_box(mesh.triangles, t, box):
            if length == MAX_LISTED_TRIANGLES:
                w.status[i, status.LIST_COUNT] = status.NO_LIST
                return
            w.triangle_lists[i, length, listed_triangle.TRIANGLE] = t
            w.triangle_lists[i, length, listed_triangle.MOVER] = mover
            length += 1
    w.status[i, status.LIST_COUNT] = length
