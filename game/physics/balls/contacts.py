"""Contacts of balls in a tick: detection, impacts among them, overlap correction, and the resulting acceleration.

The solver (physics.balls.solver) runs between detection and the acceleration. Shorthands: b = w.balls
(rows.ball), v = w.velocities.
"""

from __future__ import annotations

from math import floor, sqrt

from ...core.vectors import Floats
from ..numerics.jit import inner
from .rows import (
    ball,
    ball_pair,
    counter,
    pair,
    plane,
    setting,
    status,
    vector4,
)
from .scratch import (
    ALLOWED_PAIR_OVERLAP,
    BALL_SKIN,
    MAX_BALL_PLANES,
    MAX_PAIR_GAP,
    MIN_STACK_NORMAL_UP,
    OVERLAP_CORRECTION_FRACTION,
    PILE_MIN_CONTACTS,
    BallScratch,
)

MIN_APPROACH_SPEED = 1e-9  # m/s: a slower approach is rounding
COINCIDENT_DISTANCE = 1e-9  # m: centres this near have no direction from one to the other
R3_STEP_X, R3_STEP_Y, R3_STEP_Z = 0.8191725133961645, 0.6710436067037893, 0.5497004779019703  # 1/g, 1/g^2, 1/g^3


@inner
def find_ball_contacts(w: BallScratch, settings: Floats, n: int) -> None:
    """Contacts between balls, in w.contacts and w.contact_pairs: pairs that touch and do not bounce in this tick.

    The contacts are in batches: a contact stands in the batch after the last one of either ball, so no ball occurs
    twice in a batch. Each ball keeps the order of its own contacts, so the results are those of solving pair by pair,
    and a processor can solve several at once.
    """
    _load_motion(w, n)
    pair_count = _find_near_pairs(w, max(settings[setting.CONTACT_MARGIN], MAX_PAIR_GAP))
    _set_restitution_thresholds(w, settings, n)
    batches = _assign_batches(w, settings, pair_count)
    _write_contacts(w, settings, batches)


@inner
def load_packed(packed: Floats, b: Floats, i: int, vector: int, scalar: int) -> None:
    """Copy a vector and a scalar of ball i, at these columns of b, into row i of `packed` (n,4)."""
    packed[i, vector4.X], packed[i, vector4.Y], packed[i, vector4.Z] = b[i, vector], b[i, vector + 1], b[i, vector + 2]
    packed[i, vector4.W] = b[i, scalar]


@inner
def _load_motion(w: BallScratch, n: int) -> None:
    """Positions with radius, and velocities at the beginning of the tick with inverse mass, packed in rows of four."""
    b = w.balls
    for i in range(n):
        load_packed(w.positions, b, i, ball.POSITION, ball.RADIUS)
        load_packed(w.velocities, b, i, ball.START_VELOCITY, ball.INVERSE_MASS)
        w.next_batches[i] = 0
        w.restitution_thresholds[i] = 0.0  # used as the number of contacts until _set_restitution_thresholds


@inner
def _find_near_pairs(w: BallScratch, margin: float) -> int:
    """Number of pairs with a gap of at most `margin` (m), listed in w.found_contacts; counts contacts of each ball.

    The loop has no branch: most pairs do not touch, and a mispredicted branch costs as much as the test.
    """
    positions, found, count = w.positions, w.found_contacts, 0
    for q in range(w.counters[counter.PAIRS]):
        i, j = w.pairs[q, ball_pair.FIRST], w.pairs[q, ball_pair.SECOND]
        dx, dy, dz = (
            positions[i, vector4.X] - positions[j, vector4.X],
            positions[i, vector4.Y] - positions[j, vector4.Y],
            positions[i, vector4.Z] - positions[j, vector4.Z],
        )
        reach = positions[i, vector4.W] + positions[j, vector4.W] + margin
        found[count, ball_pair.FIRST], found[count, ball_pair.SECOND] = i, j
        is_near = 1 if dx * dx + dy * dy + dz * dz <= reach * reach else 0
        count += is_near
        w.restitution_thresholds[i] += is_near
        w.restitution_thresholds[j] += is_near
    return count


@inner
def _set_restitution_thresholds(w: BallScratch, settings: Floats, n: int) -> None:
    """Least approach speed (m/s) at which a ball bounces off another one: higher in a pile."""
    for i in range(n):
        w.restitution_thresholds[i] = (
            settings[setting.PILE_RESTITUTION_THRESHOLD]
            if w.restitution_thresholds[i] >= PILE_MIN_CONTACTS
            else settings[setting.RESTITUTION_THRESHOLD]
        )


@inner
def _assign_batches(w: BallScratch, settings: Floats, pair_count: int) -> int:
    """Number of batches. Drops the impacts among w.found_contacts (pair_count rows) and gives the others a batch.

    w.contact_normals takes the normal (from j to i) and the highest approach speed allowed, gap / dt (m/s);
    w.batch_starts the number of contacts of each batch.
    """
    positions, v, next_batches, sizes = w.positions, w.velocities, w.next_batches, w.batch_starts
    found, normals = w.found_contacts, w.contact_normals
    count, batches, rate = 0, 0, 1.0 / settings[setting.DT]
    for q in range(pair_count):
        i, j = found[q, ball_pair.FIRST], found[q, ball_pair.SECOND]
        dx, dy, dz = (
            positions[i, vector4.X] - positions[j, vector4.X],
            positions[i, vector4.Y] - positions[j, vector4.Y],
            positions[i, vector4.Z] - positions[j, vector4.Z],
        )
        nx, ny, nz, distance = normalize_offset(float(j - i), settings, dx, dy, dz, dx * dx + dy * dy + dz * dz)
        closing = (
            nx * (v[i, vector4.X] - v[j, vector4.X])
            + ny * (v[i, vector4.Y] - v[j, vector4.Y])
            + nz * (v[i, vector4.Z] - v[j, vector4.Z])
        )
        gap = max(distance - positions[i, vector4.W] - positions[j, vector4.W], 0.0)
        if is_impact(closing, gap, min(w.restitution_thresholds[i], w.restitution_thresholds[j]), settings):
            continue
        batch = max(next_batches[i], next_batches[j])
        if batch == batches:
            sizes[batch] = 0
            batches += 1
        next_batches[i] = next_batches[j] = batch + 1
        sizes[batch] += 1
        found[count, ball_pair.FIRST], found[count, ball_pair.SECOND], found[count, ball_pair.BATCH] = i, j, batch
        normals[count, vector4.X], normals[count, vector4.Y], normals[count, vector4.Z] = nx, ny, nz
        normals[count, vector4.W] = gap * rate
        count += 1
    w.counters[counter.CONTACTS] = count
    return batches


@inner
def _write_contacts(w: BallScratch, settings: Floats, batches: int) -> None:
    """Rows of w.contacts and w.contact_pairs, batch after batch (counting sort)."""
    b, contacts, v, starts = w.balls, w.contacts, w.velocities, w.batch_starts
    found, normals = w.found_contacts, w.contact_normals
    first = 0
    for batch in range(batches):
        size = starts[batch]
        starts[batch] = first
        first += size
    gx, gy, gz, min_upright = (
        settings[setting.GRAVITY_X],
        settings[setting.GRAVITY_Y],
        settings[setting.GRAVITY_Z],
        MIN_STACK_NORMAL_UP * settings[setting.GRAVITY],
    )
    for q in range(w.counters[counter.CONTACTS]):
        i, j, batch = found[q, ball_pair.FIRST], found[q, ball_pair.SECOND], found[q, ball_pair.BATCH]
        row = starts[batch]
        starts[batch] = row + 1
        w.contact_pairs[row, ball_pair.FIRST], w.contact_pairs[row, ball_pair.SECOND] = i, j
        nx, ny, nz = normals[q, vector4.X], normals[q, vector4.Y], normals[q, vector4.Z]
        contacts[row, pair.NORMAL], contacts[row, pair.NORMAL + 1], contacts[row, pair.NORMAL + 2] = nx, ny, nz
        contacts[row, pair.APPROACH_LIMIT], contacts[row, pair.NORMAL_IMPULSE] = normals[q, vector4.W], 0.0
        contacts[row, pair.REDUCED_MASS] = 1.0 / (v[i, vector4.W] + v[j, vector4.W])
        contacts[row, pair.FRICTION] = sqrt(b[i, ball.FRICTION] * b[j, ball.FRICTION])
        contacts[row, pair.IS_STACKED] = 1.0 if abs(nx * gx + ny * gy + nz * gz) > min_upright else 0.0


@inner
def normalize_offset(
    rank: float, settings: Floats, dx: float, dy: float, dz: float, square: float
) -> tuple[float, float, float, float]:
    """Unit vector along d, from the higher ball to the lower, which is listed first, and its length.

    `coincident_normal` where the centres coincide. square: d . d; rank: of the higher ball above the lower.
    """
    length = sqrt(square)
    if length < COINCIDENT_DISTANCE:
        nx, ny, nz = coincident_normal(rank, settings)
        return nx, ny, nz, length
    scale = 1.0 / length
    return scale * dx, scale * dy, scale * dz, length


@inner
def coincident_normal(rank: float, settings: Floats) -> tuple[float, float, float]:
    """Contact normal (unit, downwards) of two balls whose centres coincide, `rank` apart in the canonical order.

    Point number `rank` of the R3 low-discrepancy sequence in the cube -1..1: the normals of several balls at one point
    spread in all directions, and none is vertical or horizontal, so balls part in a shaft and under a ceiling too.
    Source: M. Roberts, "The Unreasonable Effectiveness of Quasirandom Sequences" (2018).
    """
    x = 2.0 * (rank * R3_STEP_X - floor(rank * R3_STEP_X)) - 1.0
    y = 2.0 * (rank * R3_STEP_Y - floor(rank * R3_STEP_Y)) - 1.0
    z = 2.0 * (rank * R3_STEP_Z - floor(rank * R3_STEP_Z)) - 1.0
    height = x * settings[setting.UP_X] + y * settings[setting.UP_Y] + z * settings[setting.UP_Z]
    scale = (-1.0 if height > 0.0 else 1.0) / sqrt(x * x + y * y + z * z)
    return scale * x, scale * y, scale * z


@inner
def correct_overlaps(w: BallScratch, n: int) -> None:
    """Position corrections of balls that overlap (ball.POSITION_CORRECTION), Gauss-Seidel from the lowest up.

    A part of each overlap is divided by inverse mass; where one ball is stacked on the other only the higher one moves.
    Without it stacks sink, because the solver acts on velocities only. Source: E. Catto, "Modeling and Solving
    Constraints" (GDC 2009).
    """
    b, contacts, positions, velocities, corrections = (
        w.balls,
        w.contacts,
        w.positions,
        w.velocities,
        w.angular_velocities,
    )
    for i in range(n):
        corrections[i, vector4.X] = corrections[i, vector4.Y] = corrections[i, vector4.Z] = 0.0
    for q in range(w.counters[counter.CONTACTS]):
        i, j = w.contact_pairs[q, ball_pair.FIRST], w.contact_pairs[q, ball_pair.SECOND]
        dx = positions[j, vector4.X] + corrections[j, vector4.X] - positions[i, vector4.X] - corrections[i, vector4.X]
        dy = positions[j, vector4.Y] + corrections[j, vector4.Y] - positions[i, vector4.Y] - corrections[i, vector4.Y]
        dz = positions[j, vector4.Z] + corrections[j, vector4.Z] - positions[i, vector4.Z] - corrections[i, vector4.Z]
        distance = sqrt(dx * dx + dy * dy + dz * dz)
        depth = positions[i, vector4.W] + positions[j, vector4.W] - distance - ALLOWED_PAIR_OVERLAP
        li, lj = velocities[i, vector4.W], velocities[j, vector4.W]
        if contacts[q, pair.IS_STACKED] > 0.0 and lj > 0.0:
            li = 0.0
        inverse_mass = li + lj
        if depth <= 0.0 or inverse_mass <= 0.0:
            continue
        if distance < COINCIDENT_DISTANCE:
            dx, dy, dz = -contacts[q, pair.NORMAL], -contacts[q, pair.NORMAL + 1], -contacts[q, pair.NORMAL + 2]
            distance = 1.0
        depth *= OVERLAP_CORRECTION_FRACTION / (inverse_mass * distance)
        corrections[i, vector4.X] -= depth * li * dx
        corrections[i, vector4.Y] -= depth * li * dy
        corrections[i, vector4.Z] -= depth * li * dz
        corrections[j, vector4.X] += depth * lj * dx
        corrections[j, vector4.Y] += depth * lj * dy
        corrections[j, vector4.Z] += depth * lj * dz
    for i in range(n):
        b[i, ball.POSITION_CORRECTION], b[i, ball.POSITION_CORRECTION + 1], b[i, ball.POSITION_CORRECTION + 2] = (
            corrections[i, vector4.X],
            corrections[i, vector4.Y],
            corrections[i, vector4.Z],
        )


@inner
def is_impact(closing: float, gap: float, threshold: float, settings: Floats) -> bool:
    """Whether a ball with the approach speed -closing (m/s) is faster than `threshold` when it has fallen through the
    gap.

    v^2 + 2 g gap > threshold^2.
    """
    return bool((closing < 0.0) & (closing * closing + 2.0 * settings[setting.GRAVITY] * gap > threshold * threshold))


@inner
def mark_impacts(w: BallScratch, i: int, settings: Floats) -> None:
    """Mark the planes that ball i hits fast enough to bounce: events resolve them, not the solver."""
    b, planes = w.balls, w.planes
    for p in range(i * MAX_BALL_PLANES, i * MAX_BALL_PLANES + w.status[i, status.PLANE_COUNT]):
        closing = (
            planes[p, plane.NORMAL] * (b[i, ball.START_VELOCITY] - planes[p, plane.SURFACE_VELOCITY])
            + planes[p, plane.NORMAL + 1] * (b[i, ball.START_VELOCITY + 1] - planes[p, plane.SURFACE_VELOCITY + 1])
            + planes[p, plane.NORMAL + 2] * (b[i, ball.START_VELOCITY + 2] - planes[p, plane.SURFACE_VELOCITY + 2])
        )
        gap = max(planes[p, plane.GAP] - BALL_SKIN, 0.0)
        planes[p, plane.APPROACH_LIMIT] = gap / settings[setting.DT]
        planes[p, plane.NORMAL_IMPULSE] = (
            plane.IMPACT_MARK if is_impact(closing, gap, settings[setting.RESTITUTION_THRESHOLD], settings) else 0.0
        )


@inner
def apply_contact_velocity(w: BallScratch, i: int, settings: Floats) -> None:
    """Turn the velocity change that the solver made for ball i into a constant acceleration in this tick.

    So its path is continuous: x(t) = x + v t + a t^2 / 2 with a = (v_solved - v) / dt. If the ball would have
    penetrated a plane at its old velocity, the change is applied at once instead.
    """
    b, planes = w.balls, w.planes
    blocked = False
    for p in range(i * MAX_BALL_PLANES, i * MAX_BALL_PLANES + w.status[i, status.PLANE_COUNT]):
        closing = (
            planes[p, plane.NORMAL] * (b[i, ball.START_VELOCITY] - planes[p, plane.SURFACE_VELOCITY])
            + planes[p, plane.NORMAL + 1] * (b[i, ball.START_VELOCITY + 1] - planes[p, plane.SURFACE_VELOCITY + 1])
            + planes[p, plane.NORMAL + 2] * (b[i, ball.START_VELOCITY + 2] - planes[p, plane.SURFACE_VELOCITY + 2])
        )
        blocked = blocked or (
            closing < -planes[p, plane.APPROACH_LIMIT] - MIN_APPROACH_SPEED
            and planes[p, plane.NORMAL_IMPULSE] != plane.IMPACT_MARK
        )
    if blocked:
        b[i, ball.ACCELERATION] = b[i, ball.ACCELERATION + 1] = b[i, ball.ACCELERATION + 2] = 0.0
        return
    for axis in range(3):
        b[i, ball.ACCELERATION + axis] = (b[i, ball.VELOCITY + axis] - b[i, ball.START_VELOCITY + axis]) / settings[
            setting.DT
        ]
        b[i, ball.VELOCITY + axis] = b[i, ball.START_VELOCITY + axis]
