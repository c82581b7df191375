"""The next impact of a ball with the level, a mover or a body."""

from __future__ import annotations

from math import sqrt
from typing import Any

from ..mesh.geometry import NO_HIT
from ..numerics.jit import inlined
from .event_queue import push_event
from .layout import ball, kinematic_body, mover_row, setting, status
from .mesh_contacts import combine_materials, sweep_ball_against_mesh
from .platform_contacts import (
    BODY_FRICTION_FACTOR,
    is_far_from_body,
    is_far_from_mover,
    mover_point_speed,
    rotate_to_world,
    sweep_ball_against_body,
    sweep_ball_against_mover,
)
from .scratch import MAX_BALL_EVENTS, BallScratch, CollisionMesh, Obstacles

NO_IMPACT = -1.0  # s
MAX_MOVER_PENETRATION = (
    2e-5  # m: what turns goes a little into what lies on it in a tick, and lets it out again in the next one
)
MIN_SWEEP_LENGTH = 1e-13  # m: a way shorter than this meets nothing
SAME_TIME_DISTANCE = 1e-7  # m: so much a ball may move between two times that are taken for one
MAX_PATH_CHORDS = 8  # of a ball's way in a tick


@inlined
def find_surface_impact(mesh: CollisionMesh, others: Obstacles, w: BallScratch, numbers: Any, i: int) -> None:
    """Find ball i's next impact with a surface; into its row and onto the heap."""
    b = w.balls
    left = numbers[setting.DT] - b[i, ball.TIME]
    if (
        w.status[i, status.ASLEEP] != 0
        or w.status[i, status.NO_SURFACE_NEAR] != 0
        or left <= 0.0
        or w.status[i, status.EVENT_COUNT] > MAX_BALL_EVENTS
    ):
        return
    half = 0.5 * left
    dx = left * (b[i, ball.VELOCITY] + half * b[i, ball.ACCELERATION])
    dy = left * (b[i, ball.VELOCITY + 1] + half * b[i, ball.ACCELERATION + 1])
    dz = left * (b[i, ball.VELOCITY + 2] + half * b[i, ball.ACCELERATION + 2])
    wait = level_time_of_impact(mesh, w, i, left)
    part = wait / left if wait >= 0.0 else NO_HIT
    r = b[i, ball.SWEEP_RADIUS]
    time, reach = b[i, ball.TIME], r + abs(dx) + abs(dy) + abs(dz)
    for one in range(others.movers.shape[0]):
        if is_far_from_mover(others.movers, one, b, i, reach):
            continue
        most = min(part, 1.0)
        sink = MAX_MOVER_PENETRATION if others.movers[one, mover_row.IS_MOVING] != 0.0 else 0.0
        found = sweep_ball_against_mover(others, w, i, one, numbers, time, dx, dy, dz, r - sink, most)
        if found <= most and found < part:
            part, wait = found, found * left
            write_mover_impact(others, w, i, one, numbers[setting.DT])
            w.status[i, status.IMPACT_MOVER] = one
    for one in range(others.bodies.shape[0]):
        if is_far_from_body(others.bodies, one, b, i, reach):
            continue
        found = sweep_ball_against_body(
            others, w, i, one, numbers[setting.DT], time, dx, dy, dz, r - MAX_MOVER_PENETRATION, min(part, 1.0)
        )
        if found <= 1.0 and found < part:
            part, wait = found, found * left
            w.status[i, status.IMPACT_MOVER] = -1
            for axis in range(3):
                b[i, ball.IMPACT_NORMAL + axis] = others.pose[axis]
                went = (
                    others.bodies[one, kinematic_body.END_POSITION + axis]
                    - others.bodies[one, kinematic_body.START_POSITION + axis]
                )
                b[i, ball.IMPACT_VELOCITY + axis] = went / numbers[setting.DT]
            b[i, ball.IMPACT_FRICTION], b[i, ball.IMPACT_RESTITUTION] = (
                BODY_FRICTION_FACTOR * b[i, ball.FRICTION],
                b[i, ball.RESTITUTION],
            )
    if wait >= 0.0:
        push_event(w, time + wait, i, -1)


@inlined
def contact_normal(
    mesh: CollisionMesh, t: int, face: bool, nx: float, ny: float, nz: float
) -> tuple[float, float, float]:
    """Unit vector towards a ball that is n from where it touches triangle t: across the triangle, or from its rim."""
    tri = mesh.triangles
    away = sqrt(nx * nx + ny * ny + nz * nz)
    if face or away < 1e-9:
        side = -1.0 if nx * tri[t, 9] + ny * tri[t, 10] + nz * tri[t, 11] < 0.0 else 1.0
        return side * tri[t, 9], side * tri[t, 10], side * tri[t, 11]
    return nx / away, ny / away, nz / away


@inlined
def write_mover_impact(others: Obstacles, w: BallScratch, i: int, one: int, dt: float) -> None:
    """The surface of a mover that ball i meets, as sweep_mover left it, into its row."""
    b, hit, p, ground = w.balls, w.sweep_hit, others.pose, others.mesh
    cx, cy, cz, t = hit[1], hit[2], hit[3], int(hit[5])
    nx, ny, nz = hit[6] - cx, hit[7] - cy, hit[8] - cz
    nx, ny, nz = contact_normal(ground, t, hit[4] == 0.0, nx, ny, nz)
    b[i, ball.IMPACT_NORMAL], b[i, ball.IMPACT_NORMAL + 1], b[i, ball.IMPACT_NORMAL + 2] = rotate_to_world(
        p, nx, ny, nz
    )
    grip, _, bounce, east, south = combine_materials(ground, b, i, t)
    b[i, ball.IMPACT_FRICTION], b[i, ball.IMPACT_RESTITUTION] = grip, bounce
    fx, fy, fz = rotate_to_world(p, east, 0.0, south)
    b[i, ball.IMPACT_VELOCITY] = fx + mover_point_speed(others.movers, one, 0, cx, cy, cz, dt)
    b[i, ball.IMPACT_VELOCITY + 1] = fy + mover_point_speed(others.movers, one, 1, cx, cy, cz, dt)
    b[i, ball.IMPACT_VELOCITY + 2] = fz + mover_point_speed(others.movers, one, 2, cx, cy, cz, dt)


@inlined
def level_time_of_impact(mesh: CollisionMesh, w: BallScratch, i: int, left: float) -> float:
    """After how many seconds of the `left` ones ball i first meets the level, NEVER where it does not; the surface into
    its row. Its way is a parabola, and the chord of it is swept: where the two meet a surface at other times, the chord
    that ends there tells whether something else is met before."""
    b, hit, r = w.balls, w.sweep_hit, w.balls[i, ball.SWEEP_RADIUS]
    x, y, z, vx, vy, vz = (
        b[i, ball.POSITION],
        b[i, ball.POSITION + 1],
        b[i, ball.POSITION + 2],
        b[i, ball.VELOCITY],
        b[i, ball.VELOCITY + 1],
        b[i, ball.VELOCITY + 2],
    )
    ax, ay, az = b[i, ball.ACCELERATION], b[i, ball.ACCELERATION + 1], b[i, ball.ACCELERATION + 2]
    end, wait = left, NO_IMPACT
    for _ in range(MAX_PATH_CHORDS):
        dx, dy, dz = end * (vx + 0.5 * end * ax), end * (vy + 0.5 * end * ay), end * (vz + 0.5 * end * az)
        way = dx * dx + dy * dy + dz * dz
        part = (
            sweep_ball_against_mesh(mesh, w, i, x, y, z, dx, dy, dz, r)
            if way >= MIN_SWEEP_LENGTH * MIN_SWEEP_LENGTH
            else NO_HIT
        )
        if part > 1.0:
            break
        cx, cy, cz, t = hit[1], hit[2], hit[3], int(hit[5])
        nx, ny, nz = x + part * dx - cx, y + part * dy - cy, z + part * dz - cz
        nx, ny, nz = contact_normal(mesh, t, hit[4] == 0.0, nx, ny, nz)
        write_level_impact(mesh, w, i, t, nx, ny, nz)
        vn, an = nx * vx + ny * vy + nz * vz, nx * ax + ny * ay + nz * az
        gap, about = nx * (x - cx) + ny * (y - cy) + nz * (z - cz) - r, part * end
        wait = time_to_cross_gap(vn, an, gap, about, end)
        if abs(wait - about) * sqrt(way) <= SAME_TIME_DISTANCE * end or wait >= end:
            break
        end = wait
    return wait


@inlined
def write_level_impact(mesh: CollisionMesh, w: BallScratch, i: int, t: int, nx: float, ny: float, nz: float) -> None:
    """Triangle t of the level, met with the normal n, into ball i's row."""
    b = w.balls
    w.status[i, status.IMPACT_MOVER] = -1
    b[i, ball.IMPACT_NORMAL], b[i, ball.IMPACT_NORMAL + 1], b[i, ball.IMPACT_NORMAL + 2] = nx, ny, nz
    grip, _, bounce, east, south = combine_materials(mesh, b, i, t)
    b[i, ball.IMPACT_FRICTION], b[i, ball.IMPACT_RESTITUTION] = grip, bounce
    b[i, ball.IMPACT_VELOCITY], b[i, ball.IMPACT_VELOCITY + 1], b[i, ball.IMPACT_VELOCITY + 2] = east, 0.0, south


@inlined
def time_to_cross_gap(vn: float, an: float, gap: float, about: float, left: float) -> float:
    """When a ball that comes along a normal at vn, and at an more each second, has come nearer by `gap`; `about` when
    it does so on the chord."""
    if gap <= 0.0 or abs(an) * left <= 1e-12 * abs(vn):
        return max(about, 0.0) if gap > 0.0 else 0.0
    inside = vn * vn - 2.0 * an * gap
    if inside < 0.0:
        return max(about, 0.0)
    root = sqrt(inside)
    if vn < 0.0:
        return float(min(2.0 * gap / (root - vn), left))
    return float(min((vn + root) / -an, left)) if an < 0.0 else max(about, 0.0)
