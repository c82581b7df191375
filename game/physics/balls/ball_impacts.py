"""Next impacts between balls, whose paths are parabolas: candidates and time of impact.

Two balls in free flight have the same acceleration, so their relative path is straight; elsewhere the chord over the
rest of the tick is used. Columns of a ball's row b[i]: rows.ball.
"""

from __future__ import annotations

from math import sqrt

from ...core.vectors import Floats
from ..mesh.geometry import NO_HIT
from ..numerics.jit import inner
from .broad_phase import column_index, level_axes, mark_outlier
from .event_queue import push_event
from .rows import (
    ball,
    counter,
    grid_status,
    setting,
    status,
    vector4,
)
from .scratch import BallScratch
from .surface_impacts import MIN_SWEEP_LENGTH

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
