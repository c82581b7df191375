"""Ball against movers: triangle meshes in a frame of their own that move during the tick.

Shorthands: m = obstacles.movers (layout.mover_row), p = obstacles.pose: rotation (9, row major) and position (3),
b = w.balls (layout.ball), planes = w.planes (layout.plane). `mover` is the index of a mover.
"""

from __future__ import annotations

from math import sqrt

from ...core.vectors import Floats
from ..environment.layout import motion_row
from ..environment.motion import write_mover_pose
from ..mesh.geometry import NO_HIT
from ..numerics.jit import inlined, inner
from .layout import ball, counter, mover_row, plane, setting, status
from .mesh_contacts import (
    find_triangle_contacts,
    is_covered_by_list,
    query_triangles,
    read_triangle_list,
    sweep_ball_against_triangles,
)
from .scratch import MAX_BALL_PLANES, BallScratch, Obstacles

MIN_FOLLOWED_SINK = 1e-9  # m: less is rounding; divided by a very short time it would be a kick
MAX_CHORD_ERROR = 0.1  # of the ball's radius: highest distance of its path in a mover's frame from the chords swept
MAX_MOVER_CHORDS = 32.0


@inlined
def interpolate_pose(obstacles: Obstacles, k: int, fraction: float) -> None:
    """Write the pose of mover k at a fraction 0..1 of the tick into obstacles.pose."""
    m, p = obstacles.movers, obstacles.pose
    if m[k, mover_row.IS_MOVING] == 0.0 or fraction == 0.0:
        for c in range(12):
            p[c] = m[k, c]
        return
    if fraction == 1.0:
        for c in range(12):
            p[c] = m[k, mover_row.END_POSE + c]
        return
    mix_poses(obstacles, k, fraction)


@inlined
def mix_poses(obstacles: Obstacles, k: int, fraction: float) -> None:
    """Linear interpolation of both poses of mover k into obstacles.pose, with the rotation made orthonormal
    (Gram-Schmidt)."""
    m, p = obstacles.movers, obstacles.pose
    for c in range(12):
        p[c] = m[k, c] + fraction * (m[k, 12 + c] - m[k, c])
    s = 1.0 / sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2])
    p[0], p[1], p[2] = s * p[0], s * p[1], s * p[2]
    d = p[0] * p[3] + p[1] * p[4] + p[2] * p[5]
    p[3], p[4], p[5] = p[3] - d * p[0], p[4] - d * p[1], p[5] - d * p[2]
    s = 1.0 / sqrt(p[3] * p[3] + p[4] * p[4] + p[5] * p[5])
    p[3], p[4], p[5] = s * p[3], s * p[4], s * p[5]
    p[6], p[7], p[8] = p[1] * p[5] - p[2] * p[4], p[2] * p[3] - p[0] * p[5], p[0] * p[4] - p[1] * p[3]


@inner
def update_movers(obstacles: Obstacles, clock: float, dt: float) -> None:
    """Fill the rows of all movers for the tick that begins at `clock` (ticks) and lasts dt (s)."""
    m, motions = obstacles.movers, obstacles.motions
    for k in range(m.shape[0]):
        write_mover_pose(motions, obstacles.keyframes, k, clock, m, k, 0)
        write_mover_pose(motions, obstacles.keyframes, k, clock + 1.0, m, k, 12)
        moves = False
        for c in range(12):
            moves |= m[k, c] != m[k, 12 + c]
        for c in range(6):
            m[k, mover_row.BOUNDS + c] = motions[k, motion_row.BOUNDS + c]
        m[k, mover_row.FIRST_NODE], m[k, mover_row.END_NODE] = (
            motions[k, motion_row.FIRST_NODE],
            motions[k, motion_row.END_NODE],
        )
        m[k, mover_row.IS_MOVING] = 1.0 if moves else 0.0
        m[k, mover_row.MAX_DISPLACEMENT] = (
            motions[k, motion_row.MAX_SPEED] + motions[k, motion_row.MAX_ANGULAR_SPEED] * motions[k, motion_row.RADIUS]
        ) * dt
        mix_poses(obstacles, k, 1.0)
        for c in range(12):
            m[k, mover_row.END_POSE + c] = obstacles.pose[c]


@inlined
def world_to_pose(p: Floats, x: float, y: float, z: float) -> tuple[float, float, float]:
    """World point in the frame of a pose: R^T (x - position)."""
    x, y, z = x - p[9], y - p[10], z - p[11]
    return p[0] * x + p[3] * y + p[6] * z, p[1] * x + p[4] * y + p[7] * z, p[2] * x + p[5] * y + p[8] * z


@inlined
def world_to_start_pose(m: Floats, k: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """World point in the frame of mover k at the beginning of the tick."""
    x, y, z = x - m[k, 9], y - m[k, 10], z - m[k, 11]
    return (
        m[k, 0] * x + m[k, 3] * y + m[k, 6] * z,
        m[k, 1] * x + m[k, 4] * y + m[k, 7] * z,
        m[k, 2] * x + m[k, 5] * y + m[k, 8] * z,
    )


@inlined
def rotate_to_world(p: Floats, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Direction in the frame of a pose, in the world: R x."""
    return p[0] * x + p[1] * y + p[2] * z, p[3] * x + p[4] * y + p[5] * z, p[6] * x + p[7] * y + p[8] * z


@inlined
def mover_point_speed(m: Floats, k: int, axis: int, x: float, y: float, z: float, dt: float) -> float:
    """Mean velocity along one world axis, m/s, of the point (x, y, z) of mover k's frame in the tick."""
    r = 3 * axis
    before = m[k, r] * x + m[k, r + 1] * y + m[k, r + 2] * z + m[k, 9 + axis]
    after = m[k, 12 + r] * x + m[k, 13 + r] * y + m[k, 14 + r] * z + m[k, 21 + axis]
    return float((after - before) / dt)


@inlined
def is_far_from_mover(m: Floats, k: int, b: Floats, i: int, reach: float) -> bool:
    """Whether ball i is further than `reach` from the box that mover k never leaves."""
    for axis in range(3):
        x = b[i, ball.POSITION + axis]
        if x + reach < m[k, mover_row.BOUNDS + axis] or x - reach > m[k, mover_row.BOUNDS + 3 + axis]:
            return True
    return False


@inlined
def query_mover_bvh(
    obstacles: Obstacles, w: BallScratch, mover: int, x0: float, y0: float, z0: float, x1: float, y1: float, z1: float
) -> int:
    """`query_triangles` in the BVH of a mover; the box is in the mover's frame."""
    first, end = obstacles.movers[mover, mover_row.FIRST_NODE], obstacles.movers[mover, mover_row.END_NODE]
    return query_triangles(obstacles.mesh, w, int(first), int(end), x0, y0, z0, x1, y1, z1)


@inlined
def query_mover_triangles(
    obstacles: Obstacles, w: BallScratch, i: int, mover: int,
    x0: float, y0: float, z0: float, x1: float, y1: float, z1: float,
) -> int:  # fmt: skip
    """`query_mover_bvh`, by ball i's triangle list if that covers the box."""
    b, m = w.balls, obstacles.movers
    px, py, pz = world_to_start_pose(
        m, mover, b[i, ball.START_POSITION], b[i, ball.START_POSITION + 1], b[i, ball.START_POSITION + 2]
    )
    if is_covered_by_list(
        w, i, px, py, pz, b[i, ball.LIST_RADIUS] + m[mover, mover_row.MAX_DISPLACEMENT], x0, y0, z0, x1, y1, z1
    ):
        return read_triangle_list(w, i, mover)
    return query_mover_bvh(obstacles, w, mover, x0, y0, z0, x1, y1, z1)


@inlined
def find_mover_contacts(obstacles: Obstacles, w: BallScratch, i: int, time: float, dt: float, margin: float) -> None:
    """Add the planes of movers within `margin` (m) of ball i at a time (s) of the tick, with their surface
    velocities."""
    b, k, planes, m, p = w.balls, w.status, w.planes, obstacles.movers, obstacles.pose
    for mover in range(m.shape[0]):
        if is_far_from_mover(m, mover, b, i, b[i, ball.RADIUS] + margin):
            continue
        interpolate_pose(obstacles, mover, time / dt)
        x, y, z = world_to_pose(p, b[i, ball.POSITION], b[i, ball.POSITION + 1], b[i, ball.POSITION + 2])
        reach = b[i, ball.RADIUS] + margin
        count = query_mover_triangles(
            obstacles, w, i, mover, x - reach, y - reach, z - reach, x + reach, y + reach, z + reach
        )
        if count == 0:
            continue
        first = k[i, status.PLANE_COUNT]
        w.counters[counter.FIRST_PLANE] = first
        find_triangle_contacts(obstacles.mesh, w, i, x, y, z, reach, count)
        w.counters[counter.FIRST_PLANE] = 0
        for q in range(i * MAX_BALL_PLANES + first, i * MAX_BALL_PLANES + k[i, status.PLANE_COUNT]):
            cx, cy, cz = planes[q, plane.POINT], planes[q, plane.POINT + 1], planes[q, plane.POINT + 2]
            fx, fy, fz = rotate_to_world(
                p,
                planes[q, plane.SURFACE_VELOCITY],
                planes[q, plane.SURFACE_VELOCITY + 1],
                planes[q, plane.SURFACE_VELOCITY + 2],
            )
            nx, ny, nz = rotate_to_world(
                p, planes[q, plane.NORMAL], planes[q, plane.NORMAL + 1], planes[q, plane.NORMAL + 2]
            )
            planes[q, plane.NORMAL], planes[q, plane.NORMAL + 1], planes[q, plane.NORMAL + 2] = nx, ny, nz
            ax, ay, az = rotate_to_world(p, cx, cy, cz)
            planes[q, plane.POINT], planes[q, plane.POINT + 1], planes[q, plane.POINT + 2] = (
                ax + p[9],
                ay + p[10],
                az + p[11],
            )
            planes[q, plane.SURFACE_VELOCITY] = fx + mover_point_speed(m, mover, 0, cx, cy, cz, dt)
            planes[q, plane.SURFACE_VELOCITY + 1] = fy + mover_point_speed(m, mover, 1, cx, cy, cz, dt)
            planes[q, plane.SURFACE_VELOCITY + 2] = fz + mover_point_speed(m, mover, 2, cx, cy, cz, dt)


@inlined
def sweep_ball_against_mover(
    obstacles: Obstacles, w: BallScratch, i: int, mover: int, settings: Floats, time: float,
    dx: float, dy: float, dz: float, r: float, t_max: float,
) -> float:  # fmt: skip
    """Fraction of the displacement d at which ball i first touches a mover; NO_HIT: none before t_max.

    d lasts from `time` (s) to the end of the tick. In the frame of a rotating mover the path is curved; it is swept as
    chords within MAX_CHORD_ERROR of it. w.sweep_hit: contact point in the mover's frame at 1..3, feature, triangle,
    centre of the ball in that frame at 6..8; obstacles.pose: pose at that time.
    """
    b, p, dt = w.balls, obstacles.pose, settings[setting.DT]
    x, y, z = b[i, ball.POSITION], b[i, ball.POSITION + 1], b[i, ball.POSITION + 2]
    angle = obstacles.motions[mover, motion_row.MAX_ANGULAR_SPEED] * (dt - time)
    bulge = 0.25 * angle * (abs(dx) + abs(dy) + abs(dz))  # the Coriolis acceleration bends the path by angle |d| / 4
    chords = (
        1 if bulge <= MAX_CHORD_ERROR * r else int(min(sqrt(bulge / (MAX_CHORD_ERROR * r)) + 1.0, MAX_MOVER_CHORDS))
    )
    interpolate_pose(obstacles, mover, time / dt)
    ex, ey, ez = world_to_pose(p, x, y, z)
    for chord in range(chords):
        begin, end = chord / chords, (chord + 1) / chords
        if begin > t_max:
            break
        sx, sy, sz = ex, ey, ez
        interpolate_pose(obstacles, mover, 1.0 if chord == chords - 1 else (time + end * (dt - time)) / dt)
        ex, ey, ez = world_to_pose(p, x + end * dx, y + end * dy, z + end * dz)
        wx, wy, wz = ex - sx, ey - sy, ez - sz
        if wx * wx + wy * wy + wz * wz < 1e-26:
            continue
        x0, y0, z0 = min(sx, ex) - r, min(sy, ey) - r, min(sz, ez) - r
        x1, y1, z1 = max(sx, ex) + r, max(sy, ey) + r, max(sz, ez) + r
        count = query_mover_triangles(obstacles, w, i, mover, x0, y0, z0, x1, y1, z1)
        fraction = sweep_ball_against_triangles(
            obstacles.mesh, w, sx, sy, sz, wx, wy, wz, r, min((t_max - begin) * chords, 1.0), count
        )
        if fraction <= 1.0:
            w.sweep_hit[6], w.sweep_hit[7], w.sweep_hit[8] = sx + fraction * wx, sy + fraction * wy, sz + fraction * wz
            fraction = begin + fraction * (end - begin)
            interpolate_pose(obstacles, mover, (time + fraction * (dt - time)) / dt)
            return fraction
    return NO_HIT


@inlined
def follow_mover(obstacles: Obstacles, w: BallScratch, i: int, dt: float) -> None:
    """Accelerate ball i, at rest on a mover, so that it follows the rotating surface until the end of the tick.

    Without it the surface would hit the ball again and again. a = 2 sink / t^2 along the normal.
    """
    b, p, mover = w.balls, obstacles.pose, w.status[i, status.IMPACT_MOVER]
    remaining_time = dt - b[i, ball.TIME]
    if mover < 0 or remaining_time <= 0.0 or obstacles.movers[mover, mover_row.IS_MOVING] == 0.0:
        return
    half = 0.5 * remaining_time
    x, y, z, nx, ny, nz = (
        b[i, ball.POSITION],
        b[i, ball.POSITION + 1],
        b[i, ball.POSITION + 2],
        b[i, ball.IMPACT_NORMAL],
        b[i, ball.IMPACT_NORMAL + 1],
        b[i, ball.IMPACT_NORMAL + 2],
    )
    interpolate_pose(obstacles, mover, 1.0)
    ex, ey, ez = world_to_pose(
        p,
        x + remaining_time * (b[i, ball.VELOCITY] + half * b[i, ball.ACCELERATION]),
        y + remaining_time * (b[i, ball.VELOCITY + 1] + half * b[i, ball.ACCELERATION + 1]),
        z + remaining_time * (b[i, ball.VELOCITY + 2] + half * b[i, ball.ACCELERATION + 2]),
    )
    interpolate_pose(obstacles, mover, b[i, ball.TIME] / dt)
    sx, sy, sz = world_to_pose(p, x, y, z)
    dx, dy, dz = rotate_to_world(p, ex - sx, ey - sy, ez - sz)
    sink = -(nx * dx + ny * dy + nz * dz)
    if sink > MIN_FOLLOWED_SINK:
        acceleration = 2.0 * sink / (remaining_time * remaining_time)
        b[i, ball.ACCELERATION] += acceleration * nx
        b[i, ball.ACCELERATION + 1] += acceleration * ny
        b[i, ball.ACCELERATION + 2] += acceleration * nz
