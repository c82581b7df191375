"""Ball against movers: triangle meshes in a frame of their own that move during the tick.

Shorthands: m = obstacles.movers (rows.mover_row), p = obstacles.pose (environment.rows.pose), b = w.balls
(rows.ball), planes = w.planes (rows.plane). `mover` is the index of a mover.
"""

from __future__ import annotations

from math import sqrt

from ...core.vectors import Bounds, Floats, Point, Vector
from ..environment.motion import write_mover_pose
from ..environment.rows import motion_row, pose
from ..mesh.geometry import NO_HIT
from ..numerics.jit import inner
from .mesh_contacts import (
    box_around,
    find_triangle_contacts,
    is_covered_by_list,
    query_triangles,
    read_triangle_list,
    sweep_ball_against_mesh,
    sweep_ball_against_triangles,
    swept_box,
)
from .rows import ball, counter, mover_row, plane, setting, status, sweep_hit
from .scratch import MAX_BALL_PLANES, BallScratch, CollisionMesh, Obstacles

MIN_FOLLOWED_SINK = 1e-9  # m: less is rounding; divided by a very short time it would be a kick
MAX_CHORD_ERROR = 0.1  # of the ball's radius: highest distance of its path in a mover's frame from the chords swept
MAX_MOVER_CHORDS = 32.0


@inner
def interpolate_pose(obstacles: Obstacles, k: int, fraction: float) -> None:
    """Write the pose of mover k at a fraction 0..1 of the tick into obstacles.pose."""
    m, p = obstacles.movers, obstacles.pose
    if m[k, mover_row.IS_MOVING] == 0.0 or fraction == 0.0:
        for c in range(pose.WIDTH):
            p[c] = m[k, mover_row.START_POSE + c]
        return
    if fraction == 1.0:
        for c in range(pose.WIDTH):
            p[c] = m[k, mover_row.END_POSE + c]
        return
    mix_poses(obstacles, k, fraction)


@inner
def mix_poses(obstacles: Obstacles, k: int, fraction: float) -> None:
    """Linear interpolation of both poses of mover k into obstacles.pose, with the rotation made orthonormal
    (Gram-Schmidt)."""
    m, p = obstacles.movers, obstacles.pose
    for c in range(pose.WIDTH):
        start = m[k, mover_row.START_POSE + c]
        p[c] = start + fraction * (m[k, mover_row.EXACT_END_POSE + c] - start)
    ax, ay, az = p[pose.R00], p[pose.R01], p[pose.R02]
    s = 1.0 / sqrt(ax * ax + ay * ay + az * az)
    ax, ay, az = s * ax, s * ay, s * az
    bx, by, bz = p[pose.R10], p[pose.R11], p[pose.R12]
    d = ax * bx + ay * by + az * bz
    bx, by, bz = bx - d * ax, by - d * ay, bz - d * az
    s = 1.0 / sqrt(bx * bx + by * by + bz * bz)
    bx, by, bz = s * bx, s * by, s * bz
    p[pose.R00], p[pose.R01], p[pose.R02] = ax, ay, az
    p[pose.R10], p[pose.R11], p[pose.R12] = bx, by, bz
    p[pose.R20], p[pose.R21], p[pose.R22] = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@inner
def update_movers(obstacles: Obstacles, clock: float, dt: float) -> None:
    """Fill the rows of all movers for the tick that begins at `clock` (ticks) and lasts dt (s)."""
    m, motions = obstacles.movers, obstacles.motions
    for k in range(m.shape[0]):
        write_mover_pose(motions, obstacles.keyframes, k, clock, m, k, mover_row.START_POSE)
        write_mover_pose(motions, obstacles.keyframes, k, clock + 1.0, m, k, mover_row.EXACT_END_POSE)
        moves = False
        for c in range(pose.WIDTH):
            moves |= m[k, mover_row.START_POSE + c] != m[k, mover_row.EXACT_END_POSE + c]
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
        for c in range(pose.WIDTH):
            m[k, mover_row.END_POSE + c] = obstacles.pose[c]


@inner
def world_to_pose(p: Floats, x: float, y: float, z: float) -> Point:
    """World point in the frame of a pose: R^T (x - position)."""
    x, y, z = x - p[pose.POSITION], y - p[pose.POSITION + 1], z - p[pose.POSITION + 2]
    return (
        p[pose.R00] * x + p[pose.R10] * y + p[pose.R20] * z,
        p[pose.R01] * x + p[pose.R11] * y + p[pose.R21] * z,
        p[pose.R02] * x + p[pose.R12] * y + p[pose.R22] * z,
    )


@inner
def world_to_start_pose(m: Floats, k: int, x: float, y: float, z: float) -> Point:
    """World point in the frame of mover k at the beginning of the tick."""
    return world_to_pose(m[k, mover_row.START_POSE : mover_row.START_POSE + pose.WIDTH], x, y, z)


@inner
def rotate_to_world(p: Floats, x: float, y: float, z: float) -> Vector:
    """Direction in the frame of a pose, in the world: R x."""
    return (
        p[pose.R00] * x + p[pose.R01] * y + p[pose.R02] * z,
        p[pose.R10] * x + p[pose.R11] * y + p[pose.R12] * z,
        p[pose.R20] * x + p[pose.R21] * y + p[pose.R22] * z,
    )


@inner
def mover_point_speed(m: Floats, k: int, axis: int, x: float, y: float, z: float, dt: float) -> float:
    """Mean velocity along one world axis, m/s, of the point (x, y, z) of mover k's frame in the tick."""
    r, p = mover_row.START_POSE + pose.R00 + 3 * axis, mover_row.START_POSE + pose.POSITION + axis
    before = m[k, r] * x + m[k, r + 1] * y + m[k, r + 2] * z + m[k, p]
    r, p = mover_row.EXACT_END_POSE + pose.R00 + 3 * axis, mover_row.EXACT_END_POSE + pose.POSITION + axis
    after = m[k, r] * x + m[k, r + 1] * y + m[k, r + 2] * z + m[k, p]
    return float((after - before) / dt)


@inner
def is_far_from_mover(m: Floats, k: int, b: Floats, i: int, reach: float) -> bool:
    """Whether ball i is further than `reach` from the box that mover k never leaves."""
    for axis in range(3):
        x = b[i, ball.POSITION + axis]
        if x + reach < m[k, mover_row.BOUNDS + axis] or x - reach > m[k, mover_row.BOUNDS + 3 + axis]:
            return True
    return False


@inner
def query_mover_bvh(obstacles: Obstacles, w: BallScratch, mover: int, box: Bounds) -> int:
    """`query_triangles` in the BVH of a mover; the box is in the mover's frame."""
    first, end = obstacles.movers[mover, mover_row.FIRST_NODE], obstacles.movers[mover, mover_row.END_NODE]
    return query_triangles(obstacles.mesh, w, int(first), int(end), box)


@inner
def query_mover_triangles(obstacles: Obstacles, w: BallScratch, i: int, mover: int, box: Bounds) -> int:
    """`query_mover_bvh`, by ball i's triangle list if that covers the box."""
    b, m = w.balls, obstacles.movers
    start = world_to_start_pose(
        m, mover, b[i, ball.START_POSITION], b[i, ball.START_POSITION + 1], b[i, ball.START_POSITION + 2]
    )
    if is_covered_by_list(w, i, start, b[i, ball.LIST_RADIUS] + m[mover, mover_row.MAX_DISPLACEMENT], box):
        return read_triangle_list(w, i, mover)
    return query_mover_bvh(obstacles, w, mover, box)


@inner
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
        count = query_mover_triangles(obstacles, w, i, mover, box_around((x, y, z), reach))
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
                ax + p[pose.POSITION],
                ay + p[pose.POSITION + 1],
                az + p[pose.POSITION + 2],
            )
            planes[q, plane.SURFACE_VELOCITY] = fx + mover_point_speed(m, mover, 0, cx, cy, cz, dt)
            planes[q, plane.SURFACE_VELOCITY + 1] = fy + mover_point_speed(m, mover, 1, cx, cy, cz, dt)
            planes[q, plane.SURFACE_VELOCITY + 2] = fz + mover_point_speed(m, mover, 2, cx, cy, cz, dt)


@inner
def sweep_ball_against_mover(
    obstacles: Obstacles,
    w: BallScratch,
    i: int,
    mover: int,
    settings: Floats,
    time: float,
    displacement: Vector,
    r: float,
    t_max: float,
) -> float:
    """Fraction of the displacement at which ball i first touches a mover; NO_HIT: none before t_max.

    It lasts from `time` (s) to the end of the tick. In the frame of a rotating mover the path is curved; it is swept as
    chords within MAX_CHORD_ERROR of it. w.sweep_hit is the touch in that frame; obstacles.pose: pose at that time.
    """
    b, p, dt, (dx, dy, dz) = w.balls, obstacles.pose, settings[setting.DT], displacement
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
        start = sx, sy, sz
        count = query_mover_triangles(obstacles, w, i, mover, swept_box(start, (ex, ey, ez), r))
        fraction = sweep_ball_against_triangles(
            obstacles.mesh, w, start, (wx, wy, wz), r, min((t_max - begin) * chords, 1.0), count
        )
        if fraction <= 1.0:
            w.sweep_hit[sweep_hit.CENTRE] = sx + fraction * wx
            w.sweep_hit[sweep_hit.CENTRE + 1] = sy + fraction * wy
            w.sweep_hit[sweep_hit.CENTRE + 2] = sz + fraction * wz
            fraction = begin + fraction * (end - begin)
            interpolate_pose(obstacles, mover, (time + fraction * (dt - time)) / dt)
            return fraction
    return NO_HIT


@inner
def sweep_and_push_ball(
    mesh: CollisionMesh, obstacles: Obstacles, w: BallScratch, i: int, dx: float, dy: float, dz: float
) -> None:
    """Move ball i by d (m) at the beginning of the tick, as far as a sweep against the level and movers allows."""
    b, m, r = w.balls, obstacles.movers, w.balls[i, ball.SWEEP_RADIUS]
    x, y, z = b[i, ball.POSITION], b[i, ball.POSITION + 1], b[i, ball.POSITION + 2]
    fraction = min(sweep_ball_against_mesh(mesh, w, i, (x, y, z), (dx, dy, dz), r), 1.0)
    for mover in range(m.shape[0]):
        if not is_far_from_mover(m, mover, b, i, r + abs(dx) + abs(dy) + abs(dz)):
            sx, sy, sz = world_to_start_pose(m, mover, x, y, z)
            ex, ey, ez = world_to_start_pose(m, mover, x + dx, y + dy, z + dz)
            count = query_mover_triangles(obstacles, w, i, mover, swept_box((sx, sy, sz), (ex, ey, ez), r))
            found = sweep_ball_against_triangles(
                obstacles.mesh, w, (sx, sy, sz), (ex - sx, ey - sy, ez - sz), r, fraction, count
            )
            fraction = min(fraction, found)
    b[i, ball.POSITION] = x + fraction * dx
    b[i, ball.POSITION + 1] = y + fraction * dy
    b[i, ball.POSITION + 2] = z + fraction * dz


@inner
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
