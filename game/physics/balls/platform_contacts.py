"""A ball and what moves: movers, each in a frame of its own, and kinematic bodies (the walker)."""

from __future__ import annotations

from math import sqrt
from typing import Any

from ..environment.layout import motion_row
from ..environment.motion import write_mover_pose
from ..mesh.geometry import NO_HIT
from ..numerics.jit import inlined, inner
from .layout import ball, counter, kinematic_body, mover_row, plane, setting, status
from .mesh_contacts import (
    find_triangle_contacts,
    is_covered_by_list,
    query_triangles,
    read_triangle_list,
    sweep_ball_against_triangles,
)
from .scratch import MAX_BALL_PLANES, BallScratch, Obstacles

ADVANCEMENT_TOLERANCE = 1e-9  # m: a way is followed towards a body until it is as near as that
MAX_ADVANCEMENT_STEPS = 40  # of that
MAX_CHORD_ERROR, MAX_MOVER_CHORDS = (
    0.1,
    32.0,
)  # of its radius: a ball's way past what turns is taken for chords no further from it
BODY_FRICTION_FACTOR = 0.5  # of a ball's own grip: what a body has


@inlined
def interpolate_pose(others: Obstacles, k: int, part: float) -> None:
    """Where mover k is at a part of the tick, into others.pose: rotation (9) and place (3)."""
    m, p = others.movers, others.pose
    if m[k, mover_row.IS_MOVING] == 0.0 or part == 0.0:
        for c in range(12):
            p[c] = m[k, c]
        return
    if part == 1.0:
        for c in range(12):
            p[c] = m[k, mover_row.END_POSE + c]
        return
    mix_poses(others, k, part)


@inlined
def mix_poses(others: Obstacles, k: int, part: float) -> None:
    """The same of a mover that moves: both poses mixed, and made a rotation again."""
    m, p = others.movers, others.pose
    for c in range(12):
        p[c] = m[k, c] + part * (m[k, 12 + c] - m[k, c])
    s = 1.0 / sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2])
    p[0], p[1], p[2] = s * p[0], s * p[1], s * p[2]
    d = p[0] * p[3] + p[1] * p[4] + p[2] * p[5]
    p[3], p[4], p[5] = p[3] - d * p[0], p[4] - d * p[1], p[5] - d * p[2]
    s = 1.0 / sqrt(p[3] * p[3] + p[4] * p[4] + p[5] * p[5])
    p[3], p[4], p[5] = s * p[3], s * p[4], s * p[5]
    p[6], p[7], p[8] = p[1] * p[5] - p[2] * p[4], p[2] * p[3] - p[0] * p[5], p[0] * p[4] - p[1] * p[3]


@inner
def update_movers(others: Obstacles, clock: float, dt: float) -> None:
    """The row of each mover in the tick that begins at `clock`."""
    m, motions = others.movers, others.motions
    for k in range(m.shape[0]):
        write_mover_pose(motions, others.keyframes, k, clock, m, k, 0)
        write_mover_pose(motions, others.keyframes, k, clock + 1.0, m, k, 12)
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
        mix_poses(others, k, 1.0)
        for c in range(12):
            m[k, mover_row.END_POSE + c] = others.pose[c]


@inlined
def world_to_pose(p: Any, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A place of the world in the frame of a pose."""
    x, y, z = x - p[9], y - p[10], z - p[11]
    return p[0] * x + p[3] * y + p[6] * z, p[1] * x + p[4] * y + p[7] * z, p[2] * x + p[5] * y + p[8] * z


@inlined
def world_to_start_pose(m: Any, k: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A place of the world in the frame of mover k at the beginning of the tick."""
    x, y, z = x - m[k, 9], y - m[k, 10], z - m[k, 11]
    return (
        m[k, 0] * x + m[k, 3] * y + m[k, 6] * z,
        m[k, 1] * x + m[k, 4] * y + m[k, 7] * z,
        m[k, 2] * x + m[k, 5] * y + m[k, 8] * z,
    )


@inlined
def rotate_to_world(p: Any, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A direction of the frame of a pose in the world."""
    return p[0] * x + p[1] * y + p[2] * z, p[3] * x + p[4] * y + p[5] * z, p[6] * x + p[7] * y + p[8] * z


@inlined
def mover_point_speed(m: Any, k: int, axis: int, x: float, y: float, z: float, dt: float) -> float:
    """How fast a point of mover k, (x, y, z) in its own frame, moves along one axis of the world, m/s."""
    r = 3 * axis
    before = m[k, r] * x + m[k, r + 1] * y + m[k, r + 2] * z + m[k, 9 + axis]
    after = m[k, 12 + r] * x + m[k, 13 + r] * y + m[k, 14 + r] * z + m[k, 21 + axis]
    return float((after - before) / dt)


@inlined
def is_far_from_mover(m: Any, k: int, b: Any, i: int, reach: float) -> bool:
    """Whether ball i is further than `reach` from all that mover k ever comes to."""
    for axis in range(3):
        x = b[i, ball.POSITION + axis]
        if x + reach < m[k, mover_row.BOUNDS + axis] or x - reach > m[k, mover_row.BOUNDS + 3 + axis]:
            return True
    return False


@inlined
def query_mover_triangles(
    others: Obstacles,
    w: BallScratch,
    i: int,
    one: int,
    x0: float,
    y0: float,
    z0: float,
    x1: float,
    y1: float,
    z1: float,
) -> int:
    """How many triangles of a mover may meet a box of its own frame, their numbers in w.near."""
    b, m = w.balls, others.movers
    px, py, pz = world_to_start_pose(
        m, one, b[i, ball.START_POSITION], b[i, ball.START_POSITION + 1], b[i, ball.START_POSITION + 2]
    )
    if is_covered_by_list(
        w, i, px, py, pz, b[i, ball.LIST_RADIUS] + m[one, mover_row.MAX_DISPLACEMENT], x0, y0, z0, x1, y1, z1
    ):
        return read_triangle_list(w, i, one)
    return query_triangles(
        others.mesh, w, int(m[one, mover_row.FIRST_NODE]), int(m[one, mover_row.END_NODE]), x0, y0, z0, x1, y1, z1
    )


@inlined
def find_mover_contacts(others: Obstacles, w: BallScratch, i: int, time: float, dt: float, margin: float) -> None:
    """Add the planes of movers that are within `margin` of ball i at a time of the tick."""
    b, k, planes, m, p = w.balls, w.status, w.planes, others.movers, others.pose
    for one in range(m.shape[0]):
        if is_far_from_mover(m, one, b, i, b[i, ball.RADIUS] + margin):
            continue
        interpolate_pose(others, one, time / dt)
        x, y, z = world_to_pose(p, b[i, ball.POSITION], b[i, ball.POSITION + 1], b[i, ball.POSITION + 2])
        reach = b[i, ball.RADIUS] + margin
        count = query_mover_triangles(
            others, w, i, one, x - reach, y - reach, z - reach, x + reach, y + reach, z + reach
        )
        if count == 0:
            continue
        first = k[i, status.PLANE_COUNT]
        w.counters[counter.FIRST_PLANE] = first
        find_triangle_contacts(others.mesh, w, i, x, y, z, reach, count)
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
            planes[q, plane.SURFACE_VELOCITY] = fx + mover_point_speed(m, one, 0, cx, cy, cz, dt)
            planes[q, plane.SURFACE_VELOCITY + 1] = fy + mover_point_speed(m, one, 1, cx, cy, cz, dt)
            planes[q, plane.SURFACE_VELOCITY + 2] = fz + mover_point_speed(m, one, 2, cx, cy, cz, dt)


@inlined
def sweep_ball_against_mover(
    others: Obstacles, w: BallScratch, i: int, one: int, numbers: Any, time: float,
    dx: float, dy: float, dz: float, r: float, most: float,
) -> float:  # fmt: skip
    """Where on its way d, from a time of the tick to its end, ball i first meets a mover; MISS where nowhere before
    `most`. The point touched (in the mover's frame), feature and triangle in w.hit; the pose at that time in
    others.pose."""
    b, p, dt = w.balls, others.pose, numbers[setting.DT]
    x, y, z = b[i, ball.POSITION], b[i, ball.POSITION + 1], b[i, ball.POSITION + 2]
    turns = others.motions[one, motion_row.MAX_ANGULAR_SPEED] * (dt - time)
    bulge = 0.25 * turns * (abs(dx) + abs(dy) + abs(dz))  # of its way in the mover's frame, which a chord is taken for
    pieces = (
        1 if bulge <= MAX_CHORD_ERROR * r else int(min(sqrt(bulge / (MAX_CHORD_ERROR * r)) + 1.0, MAX_MOVER_CHORDS))
    )
    interpolate_pose(others, one, time / dt)
    ex, ey, ez = world_to_pose(p, x, y, z)
    for piece in range(pieces):
        begin, end = piece / pieces, (piece + 1) / pieces
        if begin > most:
            break
        sx, sy, sz = ex, ey, ez
        interpolate_pose(others, one, 1.0 if piece == pieces - 1 else (time + end * (dt - time)) / dt)
        ex, ey, ez = world_to_pose(p, x + end * dx, y + end * dy, z + end * dz)
        wx, wy, wz = ex - sx, ey - sy, ez - sz
        if wx * wx + wy * wy + wz * wz < 1e-26:
            continue
        x0, y0, z0 = min(sx, ex) - r, min(sy, ey) - r, min(sz, ez) - r
        x1, y1, z1 = max(sx, ex) + r, max(sy, ey) + r, max(sz, ez) + r
        count = query_mover_triangles(others, w, i, one, x0, y0, z0, x1, y1, z1)
        part = sweep_ball_against_triangles(
            others.mesh, w, sx, sy, sz, wx, wy, wz, r, min((most - begin) * pieces, 1.0), count
        )
        if part <= 1.0:
            w.sweep_hit[6], w.sweep_hit[7], w.sweep_hit[8] = sx + part * wx, sy + part * wy, sz + part * wz
            part = begin + part * (end - begin)
            interpolate_pose(others, one, (time + part * (dt - time)) / dt)
            return part
    return NO_HIT


@inlined
def follow_mover(others: Obstacles, w: BallScratch, i: int, dt: float) -> None:
    """Ball i came to rest on a mover: for the rest of the tick it goes along with how that turns under it, which else
    would strike it again and again."""
    b, p, one = w.balls, others.pose, w.status[i, status.IMPACT_MOVER]
    left = dt - b[i, ball.TIME]
    if one < 0 or left <= 0.0 or others.movers[one, mover_row.IS_MOVING] == 0.0:
        return
    half = 0.5 * left
    x, y, z, nx, ny, nz = (
        b[i, ball.POSITION],
        b[i, ball.POSITION + 1],
        b[i, ball.POSITION + 2],
        b[i, ball.IMPACT_NORMAL],
        b[i, ball.IMPACT_NORMAL + 1],
        b[i, ball.IMPACT_NORMAL + 2],
    )
    interpolate_pose(others, one, 1.0)
    ex, ey, ez = world_to_pose(
        p,
        x + left * (b[i, ball.VELOCITY] + half * b[i, ball.ACCELERATION]),
        y + left * (b[i, ball.VELOCITY + 1] + half * b[i, ball.ACCELERATION + 1]),
        z + left * (b[i, ball.VELOCITY + 2] + half * b[i, ball.ACCELERATION + 2]),
    )
    interpolate_pose(others, one, b[i, ball.TIME] / dt)
    sx, sy, sz = world_to_pose(p, x, y, z)
    dx, dy, dz = rotate_to_world(p, ex - sx, ey - sy, ez - sz)
    sinks = -(nx * dx + ny * dy + nz * dz)
    if sinks > ADVANCEMENT_TOLERANCE:  # else it is rounding, and divided by next to no time it would be a kick
        pull = 2.0 * sinks / (left * left)
        b[i, ball.ACCELERATION] += pull * nx
        b[i, ball.ACCELERATION + 1] += pull * ny
        b[i, ball.ACCELERATION + 2] += pull * nz


@inner
def body_distance(bodies: Any, k: int, x: float, y: float, z: float, out: Any) -> float:
    """How far (x, y, z), counted from its centre, is outside body k, m (inside, about how far, negative); the unit
    normal there and the nearest point into out[0:6]."""
    e, p0, p1, p2 = bodies, 0.0, 0.0, 0.0
    for axis in range(3):
        c = (
            e[k, kinematic_body.AXES + 3 * axis] * x
            + e[k, kinematic_body.AXES + 3 * axis + 1] * y
            + e[k, kinematic_body.AXES + 3 * axis + 2] * z
        )
        if axis == 0:
            p0 = c
        elif axis == 1:
            p1 = c
        else:
            p2 = c
    a, b, c = e[k, kinematic_body.RADII], e[k, kinematic_body.RADII + 1], e[k, kinematic_body.RADII + 2]
    f = p0 * p0 / (a * a) + p1 * p1 / (b * b) + p2 * p2 / (c * c)
    t = 0.0
    if f > 1.0:
        # the nearest point is (a^2 p / (a^2 + t)) for the root t of a falling, bent curve: Newton's way from 0 never
        # passes it
        for _ in range(MAX_ADVANCEMENT_STEPS):
            u, v, s = a / (a * a + t), b / (b * b + t), c / (c * c + t)
            u2, v2, s2 = u * p0 * u * p0, v * p1 * v * p1, s * p2 * s * p2
            over = u2 + v2 + s2 - 1.0
            fall = 2.0 * (u2 / (a * a + t) + v2 / (b * b + t) + s2 / (c * c + t))
            step = over / fall
            t += step
            if step <= 1e-13 * (t + a * a):
                break
    q0, q1, q2 = a * a * p0 / (a * a + t), b * b * p1 / (b * b + t), c * c * p2 / (c * c + t)
    n0, n1, n2 = q0 / (a * a), q1 / (b * b), q2 / (c * c)
    size = sqrt(n0 * n0 + n1 * n1 + n2 * n2)
    if size < 1e-12:
        n0, n1, n2, size = 0.0, 1.0, 0.0, 1.0
    n0, n1, n2 = n0 / size, n1 / size, n2 / size
    away = (p0 - q0) * n0 + (p1 - q1) * n1 + (p2 - q2) * n2
    if f <= 1.0:
        away = (sqrt(f) - 1.0) * min(a, b, c)
    for axis in range(3):
        out[axis] = (
            n0 * e[k, kinematic_body.AXES + axis]
            + n1 * e[k, kinematic_body.AXES + 3 + axis]
            + n2 * e[k, kinematic_body.AXES + 6 + axis]
        )
        out[3 + axis] = (
            q0 * e[k, kinematic_body.AXES + axis]
            + q1 * e[k, kinematic_body.AXES + 3 + axis]
            + q2 * e[k, kinematic_body.AXES + 6 + axis]
        )
    return float(away)


@inlined
def is_far_from_body(e: Any, k: int, b: Any, i: int, reach: float) -> bool:
    """Whether ball i is further than `reach` from all the way of body k."""
    most = max(e[k, kinematic_body.RADII], e[k, kinematic_body.RADII + 1], e[k, kinematic_body.RADII + 2]) + reach
    for axis in range(3):
        low, high = e[k, kinematic_body.START_POSITION + axis], e[k, kinematic_body.END_POSITION + axis]
        if low > high:
            low, high = high, low
        if b[i, ball.POSITION + axis] < low - most or b[i, ball.POSITION + axis] > high + most:
            return True
    return False


@inlined
def find_body_contacts(others: Obstacles, w: BallScratch, i: int, time: float, dt: float, margin: float) -> None:
    """Add the planes in which ball i touches bodies at a time of the tick."""
    b, k, planes, e, out = w.balls, w.status, w.planes, others.bodies, others.pose
    for one in range(e.shape[0]):
        if is_far_from_body(e, one, b, i, b[i, ball.RADIUS] + margin) or k[i, status.PLANE_COUNT] >= MAX_BALL_PLANES:
            continue
        s = time / dt
        x = b[i, ball.POSITION] - (
            e[one, kinematic_body.START_POSITION]
            + s * (e[one, kinematic_body.END_POSITION] - e[one, kinematic_body.START_POSITION])
        )
        y = b[i, ball.POSITION + 1] - (
            e[one, kinematic_body.START_POSITION + 1]
            + s * (e[one, kinematic_body.END_POSITION + 1] - e[one, kinematic_body.START_POSITION + 1])
        )
        z = b[i, ball.POSITION + 2] - (
            e[one, kinematic_body.START_POSITION + 2]
            + s * (e[one, kinematic_body.END_POSITION + 2] - e[one, kinematic_body.START_POSITION + 2])
        )
        gap = body_distance(e, one, x, y, z, out) - b[i, ball.RADIUS]
        if gap > margin:
            continue
        row = i * MAX_BALL_PLANES + k[i, status.PLANE_COUNT]
        k[i, status.PLANE_COUNT] += 1
        planes[row, 3] = gap
        for axis in range(3):
            planes[row, plane.NORMAL + axis], planes[row, plane.FRICTION_IMPULSE + axis] = out[axis], 0.0
            planes[row, plane.POINT + axis] = b[i, ball.POSITION + axis] - (b[i, ball.RADIUS] + gap) * out[axis]
            planes[row, plane.SURFACE_VELOCITY + axis] = (
                e[one, kinematic_body.END_POSITION + axis] - e[one, kinematic_body.START_POSITION + axis]
            ) / dt
        planes[row, plane.FRICTION], planes[row, plane.ROLLING_RESISTANCE] = (
            BODY_FRICTION_FACTOR * b[i, ball.FRICTION],
            b[i, ball.ROLLING_RESISTANCE],
        )
        planes[row, plane.RESTITUTION], planes[row, plane.NORMAL_IMPULSE] = b[i, ball.RESTITUTION], 0.0


@inlined
def sweep_ball_against_body(
    others: Obstacles, w: BallScratch, i: int, one: int, dt: float, time: float,
    dx: float, dy: float, dz: float, r: float, most: float,
) -> float:  # fmt: skip
    """Where on its way d, from a time of the tick to its end, ball i first comes within r of a body; MISS where
    nowhere before `most`. The normal in others.pose[0:3]. By stepping on as far as nothing can be."""
    b, e, out = w.balls, others.bodies, others.pose
    s = time / dt
    mx, my, mz = (
        e[one, kinematic_body.END_POSITION] - e[one, kinematic_body.START_POSITION],
        e[one, kinematic_body.END_POSITION + 1] - e[one, kinematic_body.START_POSITION + 1],
        (e[one, kinematic_body.END_POSITION + 2] - e[one, kinematic_body.START_POSITION + 2]),
    )
    x = b[i, ball.POSITION] - (e[one, kinematic_body.START_POSITION] + s * mx)
    y = b[i, ball.POSITION + 1] - (e[one, kinematic_body.START_POSITION + 1] + s * my)
    z = b[i, ball.POSITION + 2] - (e[one, kinematic_body.START_POSITION + 2] + s * mz)
    dx, dy, dz = dx - (1.0 - s) * mx, dy - (1.0 - s) * my, dz - (1.0 - s) * mz
    long = sqrt(dx * dx + dy * dy + dz * dz)
    if long < 1e-13:
        return NO_HIT
    part = 0.0
    for _ in range(MAX_ADVANCEMENT_STEPS):
        gap = body_distance(e, one, x + part * dx, y + part * dy, z + part * dz, out) - r
        closing = out[0] * dx + out[1] * dy + out[2] * dz
        if gap <= ADVANCEMENT_TOLERANCE:
            return part if closing < -1e-12 * long else NO_HIT
        part += gap / long
        if part > most:
            return NO_HIT
    return part
