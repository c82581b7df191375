"""Ball against kinematic bodies: ellipsoids (the walker) that move straight during the tick.

Shorthands: e = obstacles.bodies (rows.kinematic_body), b = w.balls (rows.ball). `body` is the index of a body.
"""

from __future__ import annotations

from math import sqrt

from ...core.vectors import Floats, Point, Vector
from ..mesh.geometry import NO_HIT
from ..numerics.jit import inner, kernel
from .rows import ball, ball_row, kinematic_body, plane, status
from .scratch import MAX_BALL_PLANES, BallScratch, Obstacles

ADVANCEMENT_TOLERANCE = 1e-9  # m: conservative advancement ends at this distance
MAX_ADVANCEMENT_STEPS = 40  # and Newton steps of a distance
BODY_FRICTION_FACTOR = 0.5  # of the ball's own friction


@inner
def body_distance(bodies: Floats, k: int, point: Point) -> tuple[float, Vector]:
    """(signed distance in metres, unit normal) of a point relative to the centre of body k; approximate inside.

    The closest point is a_i^2 p_i / (a_i^2 + t) for the root t of sum (a_i p_i /
    (a_i^2 + t))^2 = 1. The left side is convex and decreasing, so Newton's method from 0 approaches the root from
    below. Source: D. Eberly, "Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid" (2013).
    """
    (x, y, z), e, p0, p1, p2 = point, bodies, 0.0, 0.0, 0.0
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
        for _ in range(MAX_ADVANCEMENT_STEPS):
            u, v, s = a / (a * a + t), b / (b * b + t), c / (c * c + t)
            u2, v2, s2 = u * p0 * u * p0, v * p1 * v * p1, s * p2 * s * p2
            excess = u2 + v2 + s2 - 1.0
            slope = 2.0 * (u2 / (a * a + t) + v2 / (b * b + t) + s2 / (c * c + t))
            step = excess / slope
            t += step
            if step <= 1e-13 * (t + a * a):
                break
    q0, q1, q2 = a * a * p0 / (a * a + t), b * b * p1 / (b * b + t), c * c * p2 / (c * c + t)
    n0, n1, n2 = q0 / (a * a), q1 / (b * b), q2 / (c * c)
    size = sqrt(n0 * n0 + n1 * n1 + n2 * n2)
    if size < 1e-12:
        n0, n1, n2, size = 0.0, 1.0, 0.0, 1.0
    n0, n1, n2 = n0 / size, n1 / size, n2 / size
    distance = (p0 - q0) * n0 + (p1 - q1) * n1 + (p2 - q2) * n2
    if f <= 1.0:
        distance = (sqrt(f) - 1.0) * min(a, b, c)
    right, up, back = kinematic_body.AXES, kinematic_body.AXES + 3, kinematic_body.AXES + 6
    normal = (
        n0 * e[k, right] + n1 * e[k, up] + n2 * e[k, back],
        n0 * e[k, right + 1] + n1 * e[k, up + 1] + n2 * e[k, back + 1],
        n0 * e[k, right + 2] + n1 * e[k, up + 2] + n2 * e[k, back + 2],
    )
    return float(distance), normal


@kernel
def next_overlapping_ball(rows: Floats, bodies: Floats, first: int, allowed: float) -> int:
    """Index of the next ball, from `first` on, that overlaps body 0 at its end by more than `allowed` (m); -1: none.

    rows: as of `ball_floats`.
    """
    e, end = bodies, kinematic_body.END_POSITION
    furthest = max(e[0, kinematic_body.RADII], e[0, kinematic_body.RADII + 1], e[0, kinematic_body.RADII + 2])
    for i in range(first, rows.shape[0]):
        x = rows[i, ball_row.POSITION] - e[0, end]
        y = rows[i, ball_row.POSITION + 1] - e[0, end + 1]
        z = rows[i, ball_row.POSITION + 2] - e[0, end + 2]
        reach = rows[i, ball_row.RADIUS] + furthest
        if x * x + y * y + z * z < reach * reach:
            distance, _ = body_distance(e, 0, (x, y, z))
            if distance < rows[i, ball_row.RADIUS] - allowed:
                return i
    return -1


@inner
def is_far_from_body(e: Floats, k: int, b: Floats, i: int, reach: float) -> bool:
    """Whether ball i is further than `reach` from the path of body k."""
    margin = max(e[k, kinematic_body.RADII], e[k, kinematic_body.RADII + 1], e[k, kinematic_body.RADII + 2]) + reach
    for axis in range(3):
        low, high = e[k, kinematic_body.START_POSITION + axis], e[k, kinematic_body.END_POSITION + axis]
        if low > high:
            low, high = high, low
        if b[i, ball.POSITION + axis] < low - margin or b[i, ball.POSITION + axis] > high + margin:
            return True
    return False


@inner
def find_body_contacts(obstacles: Obstacles, w: BallScratch, i: int, time: float, dt: float, margin: float) -> None:
    """Add the planes of bodies within `margin` (m) of ball i at a time (s) of the tick, after those of surfaces."""
    b, k, planes, e = w.balls, w.status, w.planes, obstacles.bodies
    k[i, status.SURFACE_PLANE_COUNT] = k[i, status.PLANE_COUNT]
    for body in range(e.shape[0]):
        if is_far_from_body(e, body, b, i, b[i, ball.RADIUS] + margin) or k[i, status.PLANE_COUNT] >= MAX_BALL_PLANES:
            continue
        s = time / dt
        x = b[i, ball.POSITION] - (
            e[body, kinematic_body.START_POSITION]
            + s * (e[body, kinematic_body.END_POSITION] - e[body, kinematic_body.START_POSITION])
        )
        y = b[i, ball.POSITION + 1] - (
            e[body, kinematic_body.START_POSITION + 1]
            + s * (e[body, kinematic_body.END_POSITION + 1] - e[body, kinematic_body.START_POSITION + 1])
        )
        z = b[i, ball.POSITION + 2] - (
            e[body, kinematic_body.START_POSITION + 2]
            + s * (e[body, kinematic_body.END_POSITION + 2] - e[body, kinematic_body.START_POSITION + 2])
        )
        distance, normal = body_distance(e, body, (x, y, z))
        gap = distance - b[i, ball.RADIUS]
        if gap > margin:
            continue
        row = i * MAX_BALL_PLANES + k[i, status.PLANE_COUNT]
        k[i, status.PLANE_COUNT] += 1
        planes[row, plane.GAP] = gap
        planes[row, plane.NORMAL], planes[row, plane.NORMAL + 1], planes[row, plane.NORMAL + 2] = normal
        for axis in range(3):
            planes[row, plane.FRICTION_IMPULSE + axis] = 0.0
            planes[row, plane.POINT + axis] = (
                b[i, ball.POSITION + axis] - (b[i, ball.RADIUS] + gap) * planes[row, plane.NORMAL + axis]
            )
            planes[row, plane.SURFACE_VELOCITY + axis] = (
                e[body, kinematic_body.END_POSITION + axis] - e[body, kinematic_body.START_POSITION + axis]
            ) / dt
        planes[row, plane.FRICTION], planes[row, plane.ROLLING_RESISTANCE] = (
            BODY_FRICTION_FACTOR * b[i, ball.FRICTION],
            b[i, ball.ROLLING_RESISTANCE],
        )
        planes[row, plane.RESTITUTION], planes[row, plane.NORMAL_IMPULSE] = b[i, ball.RESTITUTION], 0.0


@inner
def sweep_ball_against_body(
    obstacles: Obstacles,
    w: BallScratch,
    i: int,
    body: int,
    dt: float,
    time: float,
    displacement: Vector,
    r: float,
    t_max: float,
) -> tuple[float, Vector]:
    """(fraction of the displacement at which ball i comes within r of a body, normal); NO_HIT: none before t_max.

    The displacement lasts from `time` (s) to the end of the tick. Conservative advancement: each step is as long as the
    distance allows (B. Mirtich, 1996).
    """
    b, e, (dx, dy, dz), normal = w.balls, obstacles.bodies, displacement, (0.0, 0.0, 0.0)
    s = time / dt
    mx, my, mz = (
        e[body, kinematic_body.END_POSITION] - e[body, kinematic_body.START_POSITION],
        e[body, kinematic_body.END_POSITION + 1] - e[body, kinematic_body.START_POSITION + 1],
        (e[body, kinematic_body.END_POSITION + 2] - e[body, kinematic_body.START_POSITION + 2]),
    )
    x = b[i, ball.POSITION] - (e[body, kinematic_body.START_POSITION] + s * mx)
    y = b[i, ball.POSITION + 1] - (e[body, kinematic_body.START_POSITION + 1] + s * my)
    z = b[i, ball.POSITION + 2] - (e[body, kinematic_body.START_POSITION + 2] + s * mz)
    dx, dy, dz = dx - (1.0 - s) * mx, dy - (1.0 - s) * my, dz - (1.0 - s) * mz
    length = sqrt(dx * dx + dy * dy + dz * dz)
    if length < 1e-13:
        return NO_HIT, normal
    fraction = 0.0
    for _ in range(MAX_ADVANCEMENT_STEPS):
        distance, normal = body_distance(e, body, (x + fraction * dx, y + fraction * dy, z + fraction * dz))
        gap, (nx, ny, nz) = distance - r, normal
        if gap <= ADVANCEMENT_TOLERANCE:
            return fraction if nx * dx + ny * dy + nz * dz < -1e-12 * length else NO_HIT, normal
        fraction += gap / length
        if fraction > t_max:
            return NO_HIT, normal
    return fraction, normal
