"""Next impact of a ball with the level, a mover or a body. Shorthand: b = w.balls (rows.ball)."""

from __future__ import annotations

from math import sqrt

from ...core.vectors import Floats, Vector
from ..mesh.geometry import NO_HIT
from ..numerics.jit import inner
from .body_contacts import BODY_FRICTION_FACTOR, is_far_from_body, sweep_ball_against_body
from .event_queue import push_event
from .mesh_contacts import combine_materials, contact_normal, sweep_ball_against_mesh, sweep_radius
from .platform_contacts import is_far_from_mover, mover_point_speed, rotate_to_world, sweep_ball_against_mover
from .rows import ball, kinematic_body, mover_row, setting, status, sweep_hit
from .scratch import BALL_SKIN, MAX_BALL_EVENTS, BallScratch, CollisionMesh, Obstacles

NO_IMPACT = -1.0  # s
MAX_MOVER_PENETRATION = 2e-5  # m: a rotating mover may penetrate a ball on it this far; the next tick corrects it
MIN_SWEEP_LENGTH = 1e-13  # m: a shorter path is not swept
SAME_TIME_DISTANCE = 1e-7  # m: two times between which the ball moves less than this are equal
MAX_BODY_BOUNCES = 3  # impacts in a tick after which a ball, pressed by a body, does not bounce off it any more
MAX_PATH_CHORDS = 8  # of a ball's path in a tick


@inner
def find_surface_impact(mesh: CollisionMesh, obstacles: Obstacles, w: BallScratch, settings: Floats, i: int) -> None:
    """Find ball i's next impact with a surface; write the surface into its row and push the event."""
    b = w.balls
    remaining_time = settings[setting.DT] - b[i, ball.TIME]
    if (
        w.status[i, status.ASLEEP] != 0
        or w.status[i, status.NO_SURFACE_NEAR] != 0
        or remaining_time <= 0.0
        or w.status[i, status.EVENT_COUNT] > MAX_BALL_EVENTS
    ):
        return
    half = 0.5 * remaining_time
    dx = remaining_time * (b[i, ball.VELOCITY] + half * b[i, ball.ACCELERATION])
    dy = remaining_time * (b[i, ball.VELOCITY + 1] + half * b[i, ball.ACCELERATION + 1])
    dz = remaining_time * (b[i, ball.VELOCITY + 2] + half * b[i, ball.ACCELERATION + 2])
    delay = level_time_of_impact(mesh, w, i, remaining_time)
    fraction = delay / remaining_time if delay >= 0.0 else NO_HIT
    r = b[i, ball.SWEEP_RADIUS]
    time, reach = b[i, ball.TIME], b[i, ball.RADIUS] + BALL_SKIN + abs(dx) + abs(dy) + abs(dz)
    for mover in range(obstacles.movers.shape[0]):
        if is_far_from_mover(obstacles.movers, mover, b, i, reach):
            continue
        t_max = min(fraction, 1.0)
        penetration = MAX_MOVER_PENETRATION if obstacles.movers[mover, mover_row.IS_MOVING] != 0.0 else 0.0
        found = sweep_ball_against_mover(obstacles, w, i, mover, settings, time, (dx, dy, dz), r - penetration, t_max)
        if found <= t_max and found < fraction:
            fraction, delay = found, found * remaining_time
            write_mover_impact(obstacles, w, i, mover, settings[setting.DT])
            w.status[i, status.IMPACT_MOVER] = mover
    for body in range(obstacles.bodies.shape[0]):
        if is_far_from_body(obstacles.bodies, body, b, i, reach):
            continue
        r = sweep_radius(w, i, w.status[i, status.SURFACE_PLANE_COUNT], w.status[i, status.PLANE_COUNT])
        reduced_radius, t_max = r - MAX_MOVER_PENETRATION, min(fraction, 1.0)
        found, normal = sweep_ball_against_body(
            obstacles, w, i, body, settings[setting.DT], time, (dx, dy, dz), reduced_radius, t_max
        )
        if found <= 1.0 and found < fraction:
            fraction, delay = found, found * remaining_time
            w.status[i, status.IMPACT_MOVER] = -1
            b[i, ball.IMPACT_NORMAL], b[i, ball.IMPACT_NORMAL + 1], b[i, ball.IMPACT_NORMAL + 2] = normal
            for axis in range(3):
                displacement = (
                    obstacles.bodies[body, kinematic_body.END_POSITION + axis]
                    - obstacles.bodies[body, kinematic_body.START_POSITION + axis]
                )
                b[i, ball.IMPACT_VELOCITY + axis] = displacement / settings[setting.DT]
            b[i, ball.IMPACT_FRICTION], b[i, ball.IMPACT_RESTITUTION] = (
                BODY_FRICTION_FACTOR * b[i, ball.FRICTION],
                b[i, ball.RESTITUTION] if w.status[i, status.EVENT_COUNT] < MAX_BODY_BOUNCES else 0.0,
            )
    if delay >= 0.0:
        push_event(w, time + delay, i, -1)


@inner
def write_mover_impact(obstacles: Obstacles, w: BallScratch, i: int, mover: int, dt: float) -> None:
    """Write the surface of a mover that ball i hits, as `sweep_ball_against_mover` found it, into the ball's row."""
    b, hit, p, mesh = w.balls, w.sweep_hit, obstacles.pose, obstacles.mesh
    cx, cy, cz = hit[sweep_hit.POINT], hit[sweep_hit.POINT + 1], hit[sweep_hit.POINT + 2]
    t = int(hit[sweep_hit.TRIANGLE])
    offset = hit[sweep_hit.CENTRE] - cx, hit[sweep_hit.CENTRE + 1] - cy, hit[sweep_hit.CENTRE + 2] - cz
    nx, ny, nz = contact_normal(mesh, t, hit[sweep_hit.FEATURE] == 0.0, offset)
    b[i, ball.IMPACT_NORMAL], b[i, ball.IMPACT_NORMAL + 1], b[i, ball.IMPACT_NORMAL + 2] = rotate_to_world(
        p, nx, ny, nz
    )
    friction, _, restitution, east, south = combine_materials(mesh, b, i, t)
    b[i, ball.IMPACT_FRICTION], b[i, ball.IMPACT_RESTITUTION] = friction, restitution
    fx, fy, fz = rotate_to_world(p, east, 0.0, south)
    b[i, ball.IMPACT_VELOCITY] = fx + mover_point_speed(obstacles.movers, mover, 0, cx, cy, cz, dt)
    b[i, ball.IMPACT_VELOCITY + 1] = fy + mover_point_speed(obstacles.movers, mover, 1, cx, cy, cz, dt)
    b[i, ball.IMPACT_VELOCITY + 2] = fz + mover_point_speed(obstacles.movers, mover, 2, cx, cy, cz, dt)


@inner
def level_time_of_impact(mesh: CollisionMesh, w: BallScratch, i: int, remaining_time: float) -> float:
    """Time (s, at most `remaining_time`) until ball i first touches the level, or NO_IMPACT; writes the surface.

    The path is a parabola. Its chord is swept; the hit surface gives the time at which the parabola touches it
    (`time_to_cross_gap`). If that is another time than on the chord, the chord that ends there is swept for an earlier
    surface.
    """
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
    end, delay = remaining_time, NO_IMPACT
    for _ in range(MAX_PATH_CHORDS):
        dx, dy, dz = end * (vx + 0.5 * end * ax), end * (vy + 0.5 * end * ay), end * (vz + 0.5 * end * az)
        square = dx * dx + dy * dy + dz * dz
        fraction = (
            sweep_ball_against_mesh(mesh, w, i, (x, y, z), (dx, dy, dz), r)
            if square >= MIN_SWEEP_LENGTH * MIN_SWEEP_LENGTH
            else NO_HIT
        )
        if fraction > 1.0:
            break
        cx, cy, cz = hit[sweep_hit.POINT], hit[sweep_hit.POINT + 1], hit[sweep_hit.POINT + 2]
        t, offset = (
            int(hit[sweep_hit.TRIANGLE]),
            (x + fraction * dx - cx, y + fraction * dy - cy, z + fraction * dz - cz),
        )
        nx, ny, nz = contact_normal(mesh, t, hit[sweep_hit.FEATURE] == 0.0, offset)
        write_level_impact(mesh, w, i, t, (nx, ny, nz))
        vn, an = nx * vx + ny * vy + nz * vz, nx * ax + ny * ay + nz * az
        gap, chord_time = nx * (x - cx) + ny * (y - cy) + nz * (z - cz) - r, fraction * end
        delay = time_to_cross_gap(vn, an, gap, chord_time, end)
        if abs(delay - chord_time) * sqrt(square) <= SAME_TIME_DISTANCE * end or delay >= end:
            break
        end = delay
    return delay


@inner
def write_level_impact(mesh: CollisionMesh, w: BallScratch, i: int, t: int, normal: Vector) -> None:
    """Write triangle t of the level, hit with this normal, into ball i's row."""
    b = w.balls
    w.status[i, status.IMPACT_MOVER] = -1
    b[i, ball.IMPACT_NORMAL], b[i, ball.IMPACT_NORMAL + 1], b[i, ball.IMPACT_NORMAL + 2] = normal
    friction, _, restitution, east, south = combine_materials(mesh, b, i, t)
    b[i, ball.IMPACT_FRICTION], b[i, ball.IMPACT_RESTITUTION] = friction, restitution
    b[i, ball.IMPACT_VELOCITY], b[i, ball.IMPACT_VELOCITY + 1], b[i, ball.IMPACT_VELOCITY + 2] = east, 0.0, south


@inner
def time_to_cross_gap(vn: float, an: float, gap: float, chord_time: float, remaining_time: float) -> float:
    """Time (s) in which a ball with velocity vn and acceleration an along the normal crosses the gap (m).

    gap + vn t + an t^2 / 2 = 0: the first root, in the form without cancellation, at most `remaining_time`; chord_time
    if there is none.
    """
    if gap <= 0.0 or abs(an) * remaining_time <= 1e-12 * abs(vn):
        return max(chord_time, 0.0) if gap > 0.0 else 0.0
    discriminant = vn * vn - 2.0 * an * gap
    if discriminant < 0.0:
        return max(chord_time, 0.0)
    root = sqrt(discriminant)
    if vn < 0.0:
        return float(min(2.0 * gap / (root - vn), remaining_time))
    return float(min((vn + root) / -an, remaining_time)) if an < 0.0 else max(chord_time, 0.0)
