"""Impacts of balls: the queue of future impacts, and the next one of a ball with a ball, the level, a mover or a body.

The queue is a binary min-heap. Its rows: time (s), ball, other ball or -1, both stamps. An event is void once the stamp
of a ball has changed (status.EVENT_STAMP). Equal times are ordered by ball, so the order does not depend on the history
of the heap.

Paths are parabolas. Two balls in free flight have the same acceleration, so their relative path is straight; elsewhere
the chord over the rest of the tick is used. Shorthand: b = w.balls (rows.ball).
"""

from __future__ import annotations

from math import sqrt

from ...core.vectors import Floats, Vector
from ..mesh.geometry import NO_HIT
from ..numerics.jit import inner
from .body_contacts import BODY_FRICTION_FACTOR, is_far_from_body, sweep_ball_against_body
from .broad_phase import column_index, level_axes, mark_outlier
from .mesh_contacts import combine_materials, contact_normal, sweep_ball_against_mesh, sweep_radius
from .platform_contacts import is_far_from_mover, mover_point_speed, rotate_to_world, sweep_ball_against_mover
from .rows import ball, counter, event_row, grid_status, kinematic_body, mover_row, setting, status, sweep_hit, vector4
from .scratch import BALL_SKIN, MAX_BALL_EVENTS, BallScratch, CollisionMesh, Obstacles


@inner
def push_event(w: BallScratch, time: float, i: int, j: int) -> None:
    """Push an impact of ball i with ball j, or with the surface in its row for j = -1."""
    heap, k = w.event_heap, w.status
    row = w.counters[counter.EVENTS]
    if row >= heap.shape[0]:
        w.counters[counter.EVENTS_NEEDED] += 1
        return
    w.counters[counter.EVENTS] = row + 1
    while row > 0:
        parent = (row - 1) // 2
        if not _is_earlier(time, i, j, heap, parent):
            break
        for c in range(event_row.WIDTH):
            heap[row, c] = heap[parent, c]
        row = parent
    heap[row, event_row.TIME] = time
    heap[row, event_row.BALL] = float(i)
    heap[row, event_row.OTHER_BALL] = float(j)
    heap[row, event_row.STAMP] = float(k[i, status.EVENT_STAMP])
    heap[row, event_row.OTHER_STAMP] = float(k[j, status.EVENT_STAMP]) if j >= 0 else 0.0


@inner
def _is_earlier(time: float, i: int, j: int, heap: Floats, row: int) -> bool:
    """Whether event (time, i, j) comes before that of a row: by time, then by ball, then by other ball."""
    if time != heap[row, event_row.TIME]:
        return bool(time < heap[row, event_row.TIME])
    if float(i) != heap[row, event_row.BALL]:
        return bool(float(i) < heap[row, event_row.BALL])
    return bool(float(j) < heap[row, event_row.OTHER_BALL])


@inner
def pop_event(w: BallScratch) -> None:
    """Remove the first event."""
    heap = w.event_heap
    last = w.counters[counter.EVENTS] - 1
    w.counters[counter.EVENTS] = last
    time, i, j = heap[last, event_row.TIME], int(heap[last, event_row.BALL]), int(heap[last, event_row.OTHER_BALL])
    row = 0
    while True:
        child = 2 * row + 1
        if child >= last:
            break
        if child + 1 < last and _is_earlier(
            heap[child + 1, event_row.TIME],
            int(heap[child + 1, event_row.BALL]),
            int(heap[child + 1, event_row.OTHER_BALL]),
            heap,
            child,
        ):
            child += 1
        if _is_earlier(time, i, j, heap, child):
            break
        for c in range(event_row.WIDTH):
            heap[row, c] = heap[child, c]
        row = child
    if row != last:
        for c in range(event_row.WIDTH):
            heap[row, c] = heap[last, c]


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


TOUCHING_TOLERANCE = 1e-12  # of the squared sum of radii: balls this near touch
CHEAP_TEST_ROUNDING = 1e-6  # of the squared lengths: margin of the cheap test, far above rounding


@inner
def find_pair_impact(w: BallScratch, settings: Floats, i: int, j: int) -> None:
    """Find the next impact of balls i and j and push it onto the event queue."""
    b = w.balls
    if b[i, ball.INVERSE_MASS] + b[j, ball.INVERSE_MASS] <= 0.0:
        return
    now = max(b[i, ball.TIME], b[j, ball.TIME])
    remaining_time = settings[setting.DT] - now
    if remaining_time <= 0.0:
        return
    si, sj = now - b[i, ball.TIME], now - b[j, ball.TIME]
    radius_sum = b[i, ball.RADIUS] + b[j, ball.RADIUS]
    qx, qy, qz, dx, dy, dz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for axis in range(3):
        vi, vj = (
            b[i, ball.VELOCITY + axis] + si * b[i, ball.ACCELERATION + axis],
            b[j, ball.VELOCITY + axis] + sj * b[j, ball.ACCELERATION + axis],
        )
        q = (b[i, ball.POSITION + axis] + 0.5 * si * (b[i, ball.VELOCITY + axis] + vi)) - (
            b[j, ball.POSITION + axis] + 0.5 * sj * (b[j, ball.VELOCITY + axis] + vj)
        )
        d = remaining_time * (
            (vi - vj) + 0.5 * remaining_time * (b[i, ball.ACCELERATION + axis] - b[j, ball.ACCELERATION + axis])
        )
        if axis == 0:
            qx, dx = q, d
        elif axis == 1:
            qy, dy = q, d
        else:
            qz, dz = q, d
    min_approach = min(w.restitution_thresholds[i], w.restitution_thresholds[j]) * remaining_time + MIN_SWEEP_LENGTH
    fraction = sphere_time_of_impact(min_approach, radius_sum, qx, qy, qz, dx, dy, dz)
    if fraction <= 1.0:
        push_event(w, now + fraction * remaining_time, min(i, j), max(i, j))


@inner
def sphere_time_of_impact(
    min_approach: float, radius_sum: float, qx: float, qy: float, qz: float, dx: float, dy: float, dz: float
) -> float:
    """Fraction of the relative displacement d at which two balls, q apart, touch; NO_HIT: none.

    |q + t d| = radius_sum, solved as t = square_gap / (sqrt(qd qd - dd square_gap) - qd), square_gap = q . q -
    radius_sum^2, which has no cancellation. 0 if they touch and approach. Also NO_HIT for an approach of at most
    min_approach (m) in all: contacts resolve it in the next tick. Source: Ericson (2005), 5.5.5.
    """
    qd = qx * dx + qy * dy + qz * dz
    if qd >= 0.0:
        return NO_HIT
    qq, dd = qx * qx + qy * qy + qz * qz, dx * dx + dy * dy + dz * dz
    square_gap = qq - radius_sum * radius_sum
    if -qd <= min_approach * sqrt(qq):
        return NO_HIT
    if square_gap <= TOUCHING_TOLERANCE * radius_sum * radius_sum:
        return 0.0
    discriminant = qd * qd - dd * square_gap
    if discriminant <= 0.0:
        return NO_HIT
    return float(square_gap / (sqrt(discriminant) - qd))


@inner
def predict_motion(w: BallScratch, settings: Floats, n: int) -> None:
    """Position and mean velocity of each ball in this tick, in w.positions and w.velocities, for `may_collide`."""
    b, half = w.balls, 0.5 * settings[setting.DT]
    for i in range(n):
        for axis in range(3):
            w.positions[i, axis], w.velocities[i, axis] = (
                b[i, ball.POSITION + axis],
                b[i, ball.VELOCITY + axis] + half * b[i, ball.ACCELERATION + axis],
            )


@inner
def may_collide(positions: Floats, v: Floats, i: int, j: int, threshold: float) -> bool:
    """Cheap test: whether two balls approach fast enough for an impact in this tick."""
    qx = positions[i, vector4.X] - positions[j, vector4.X]
    qy = positions[i, vector4.Y] - positions[j, vector4.Y]
    qz = positions[i, vector4.Z] - positions[j, vector4.Z]
    closing = -(
        qx * (v[i, vector4.X] - v[j, vector4.X])
        + qy * (v[i, vector4.Y] - v[j, vector4.Y])
        + qz * (v[i, vector4.Z] - v[j, vector4.Z])
    )
    square = qx * qx + qy * qy + qz * qz
    return bool((closing > 0.0) & (closing * closing > 0.999 * threshold * threshold * square))


@inner
def find_ball_impacts(w: BallScratch, settings: Floats, n: int, side: float, i: int) -> None:
    """Find all next impacts of ball i with other balls. side: width of a grid column, m.

    A ball within the sphere in which its pairs were found needs only its partners and the balls that have left theirs;
    else the grid is queried again.
    """
    b, low, high = w.balls, w.sweep_hit, w.sweep_hit
    remaining_time = settings[setting.DT] - b[i, ball.TIME]
    square_now, square_then = 0.0, 0.0
    for axis in range(3):
        d = remaining_time * (b[i, ball.VELOCITY + axis] + 0.5 * remaining_time * b[i, ball.ACCELERATION + axis])
        offset = b[i, ball.POSITION + axis] - b[i, ball.START_POSITION + axis]
        square_now, square_then = square_now + offset * offset, square_then + (offset + d) * (offset + d)
        margin = b[i, ball.RADIUS] + 0.5 * side
        low[axis], high[axis + 3] = (
            b[i, ball.POSITION + axis] + min(d, 0.0) - margin,
            b[i, ball.POSITION + axis] + max(d, 0.0) + margin,
        )
    reach = b[i, ball.RADIUS] + sqrt(max(square_now, square_then))
    if reach <= b[i, ball.SWEPT_RADIUS]:  # still within the sphere in which its pairs were found
        find_partner_impacts(w, settings, i)
        for q in range(w.counters[counter.WIDE_OUTLIERS], w.counters[counter.OUTLIERS]):
            if may_come_near(w, i, w.outliers[q]):
                find_pair_impact(w, settings, i, w.outliers[q])
        return
    for q in range(query_extended_reach(w, settings, n, side, i, reach)):
        if w.query_result[q] != i:
            find_pair_impact(w, settings, i, int(w.query_result[q]))


@inner
def may_come_near(w: BallScratch, i: int, j: int) -> bool:
    """Whether ball j, which has left the sphere in which its pairs were found, may reach ball i, which has not."""
    b = w.balls
    if i == j:
        return False
    dx, dy, dz = (
        b[i, ball.START_POSITION] - b[j, ball.START_POSITION],
        b[i, ball.START_POSITION + 1] - b[j, ball.START_POSITION + 1],
        b[i, ball.START_POSITION + 2] - b[j, ball.START_POSITION + 2],
    )
    reach_sum = b[i, ball.SWEPT_RADIUS] + b[j, ball.EXTENDED_SWEPT_RADIUS]
    return bool(dx * dx + dy * dy + dz * dz <= reach_sum * reach_sum)


@inner
def find_partner_impacts(w: BallScratch, settings: Floats, i: int) -> None:
    """Find the next impacts of ball i with its partners: `find_pair_impact` after a cheap test.

    The test has no branches: most partners are not hit, and a mispredicted branch costs as much as the test.
    """
    b, now = w.balls, w.balls[i, ball.TIME]
    remaining_time = settings[setting.DT] - now
    if remaining_time <= 0.0:
        return
    x, y, z, r, inverse_mass = (
        b[i, ball.POSITION],
        b[i, ball.POSITION + 1],
        b[i, ball.POSITION + 2],
        b[i, ball.RADIUS],
        b[i, ball.INVERSE_MASS],
    )
    vx, vy, vz, ax, ay, az = (
        b[i, ball.VELOCITY],
        b[i, ball.VELOCITY + 1],
        b[i, ball.VELOCITY + 2],
        b[i, ball.ACCELERATION],
        b[i, ball.ACCELERATION + 1],
        b[i, ball.ACCELERATION + 2],
    )
    half, threshold = 0.5 * remaining_time, w.restitution_thresholds[i]
    for q in range(w.partner_starts[i], w.partner_starts[i + 1]):
        j = w.partners[q]
        s = now - b[j, ball.TIME]
        ux, uy, uz = (
            b[j, ball.VELOCITY] + s * b[j, ball.ACCELERATION],
            b[j, ball.VELOCITY + 1] + s * b[j, ball.ACCELERATION + 1],
            b[j, ball.VELOCITY + 2] + s * b[j, ball.ACCELERATION + 2],
        )
        qx = x - (b[j, ball.POSITION] + 0.5 * s * (b[j, ball.VELOCITY] + ux))
        qy = y - (b[j, ball.POSITION + 1] + 0.5 * s * (b[j, ball.VELOCITY + 1] + uy))
        qz = z - (b[j, ball.POSITION + 2] + 0.5 * s * (b[j, ball.VELOCITY + 2] + uz))
        dx = remaining_time * ((vx - ux) + half * (ax - b[j, ball.ACCELERATION]))
        dy = remaining_time * ((vy - uy) + half * (ay - b[j, ball.ACCELERATION + 1]))
        dz = remaining_time * ((vz - uz) + half * (az - b[j, ball.ACCELERATION + 2]))
        qd, qq, dd = qx * dx + qy * dy + qz * dz, qx * qx + qy * qy + qz * qz, dx * dx + dy * dy + dz * dz
        radius_sum, min_approach = (
            r + b[j, ball.RADIUS],
            min(threshold, w.restitution_thresholds[j]) * remaining_time + MIN_SWEEP_LENGTH,
        )
        square_gap, rounding = qq - radius_sum * radius_sum, CHEAP_TEST_ROUNDING * (qq + dd)
        approaches = (
            (qd < 0.0)
            & (s >= 0.0)
            & (inverse_mass + b[j, ball.INVERSE_MASS] > 0.0)
            & (qd * qd > 0.999 * min_approach * min_approach * qq)
        )
        reaches = (square_gap <= TOUCHING_TOLERANCE * radius_sum * radius_sum) | (qd * qd > dd * square_gap)
        in_time = (square_gap + qd <= rounding) | (square_gap + qd + qd + dd <= rounding)
        if approaches & reaches & in_time:
            fraction = sphere_time_of_impact(min_approach, radius_sum, qx, qy, qz, dx, dy, dz)
            if fraction <= 1.0:
                push_event(w, now + fraction * remaining_time, min(i, j), max(i, j))


@inner
def query_extended_reach(w: BallScratch, settings: Floats, n: int, side: float, i: int, reach: float) -> int:
    """List in w.query_result the balls that ball i, which has left the sphere of its pairs, may hit; returns their
    number."""
    b, k, low, high = w.balls, w.status, w.sweep_hit, w.sweep_hit
    b[i, ball.EXTENDED_SWEPT_RADIUS] = reach
    mark_outlier(w, i, grid_status.LEFT_REACH)
    count = 0
    first, second = level_axes(settings)
    columns_per_metre, mask = 1.0 / side, w.column_heads.shape[1] - 1
    a0, a1 = column_index(low[first], columns_per_metre), column_index(high[first + 3], columns_per_metre)
    c0, c1 = column_index(low[second], columns_per_metre), column_index(high[second + 3], columns_per_metre)
    if a1 - a0 > mask or c1 - c0 > mask:
        for j in range(n):
            w.query_result[j] = j
        return n
    ux, uy, uz, height_reach = (
        settings[setting.UP_X],
        settings[setting.UP_Y],
        settings[setting.UP_Z],
        reach + 0.5 * side,
    )
    for ia in range(a0, a1 + 1):
        for ic in range(c0, c1 + 1):
            j = w.column_heads[0, ia & mask, ic & mask]
            while j < n:
                height = ux * (b[j, ball.START_POSITION] - b[i, ball.START_POSITION]) + uy * (
                    b[j, ball.START_POSITION + 1] - b[i, ball.START_POSITION + 1]
                )
                height += uz * (b[j, ball.START_POSITION + 2] - b[i, ball.START_POSITION + 2])
                if height < -height_reach:
                    break
                if height <= height_reach and k[j, status.GRID_STATUS] == 0:
                    w.query_result[count] = j
                    count += 1
                j = w.next_below[0, j]
    for q in range(w.counters[counter.OUTLIERS]):
        if q >= w.counters[counter.WIDE_OUTLIERS] or k[w.outliers[q], status.GRID_STATUS] == grid_status.TOO_WIDE:
            w.query_result[count] = w.outliers[q]
            count += 1
    return count
