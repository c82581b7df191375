"""Contact solver and impulses of impacts of balls, with restitution, Coulomb friction, rolling resistance and spin.

Contacts: projected Gauss-Seidel as in E. Catto, "Iterative Dynamics with Temporal Coherence" (2005), without warm
starting: a tick begins with zero impulses. A solid sphere has I = 2/5 m r^2, so its effective mass at the contact
point is 2/7 m along the surface: friction brings the point to rest with the impulse 2/7 m |slip|, or is limited by mu
times the normal impulse. Spin changes by 5/2 (n x j) / (m r). Source of the impacts: A. Domenech, "A classical
experiment revisited: the bounce of balls and superballs" (2005).

Shorthands: v: velocities with 1 / mass, spins: angular velocities with radius, planes of rows.constraint, contacts of
rows.pair, b: rows of balls (rows.ball).
"""

from __future__ import annotations

from math import sqrt

from ...core.vectors import Floats
from ..numerics.arrays import Unsigned
from ..numerics.jit import inner
from .contacts import MIN_APPROACH_SPEED, load_packed
from .rows import (
    ball,
    ball_pair,
    constraint,
    counter,
    pair,
    plane,
    setting,
    status,
    vector4,
)
from .scratch import MAX_BALL_PLANES, MAX_CONTACT_GAP, BallScratch

TWO_SEVENTHS = 2.0 / 7.0
MIN_LOAD_IMPULSE = 1e-12  # kg m/s: marks a stacked ball as pressing the one below
MAX_PLANE_ITERATIONS = 6  # iterations of a ball between several planes


@inner
def propagate_shock(w: BallScratch) -> None:
    """Shock propagation: from the lowest contact up, the higher ball takes over the velocity of the lower one.

    Few iterations do not carry the weight of a stack to the ground; this removes the sinking that remains. Source: E.
    Guendelman, R. Bridson and R. Fedkiw, "Nonconvex rigid bodies with stacking" (2003).
    """
    v, contacts = w.velocities, w.contacts
    for q in range(w.counters[counter.CONTACTS]):
        i, j = w.contact_pairs[q, ball_pair.FIRST], w.contact_pairs[q, ball_pair.SECOND]
        nx, ny, nz = contacts[q, pair.NORMAL], contacts[q, pair.NORMAL + 1], contacts[q, pair.NORMAL + 2]
        closing = (
            nx * (v[i, vector4.X] - v[j, vector4.X])
            + ny * (v[i, vector4.Y] - v[j, vector4.Y])
            + nz * (v[i, vector4.Z] - v[j, vector4.Z])
        )
        is_resting = (
            (closing + contacts[q, pair.APPROACH_LIMIT] < 0.0)
            & (contacts[q, pair.IS_STACKED] != 0.0)
            & (v[j, vector4.W] != 0.0)
        )
        closing = closing + contacts[q, pair.APPROACH_LIMIT] if is_resting else 0.0
        v[j, vector4.X] += closing * nx
        v[j, vector4.Y] += closing * ny
        v[j, vector4.Z] += closing * nz
        contacts[q, pair.NORMAL_IMPULSE] = max(
            contacts[q, pair.NORMAL_IMPULSE], MIN_LOAD_IMPULSE if is_resting else 0.0
        )


@inner
def solve_plane(v: Floats, spins: Floats, constraints: Floats, i: int, p: int) -> None:
    """Normal and friction impulse of plane p on ball i.

    Normal: j' = max(j - (vn + limit), 0), accumulated. Friction: t' = t - 2/7 u, u the velocity of the contact point,
    limited to |t'| <= mu j' (Coulomb cone). Spin changes by -5/2 (n x dt) / r.
    """
    nx, ny, nz = (
        constraints[p, constraint.NORMAL],
        constraints[p, constraint.NORMAL + 1],
        constraints[p, constraint.NORMAL + 2],
    )
    vx, vy, vz = (
        v[i, vector4.X] - constraints[p, constraint.SURFACE_VELOCITY],
        v[i, vector4.Y] - constraints[p, constraint.SURFACE_VELOCITY + 1],
        v[i, vector4.Z] - constraints[p, constraint.SURFACE_VELOCITY + 2],
    )
    vn = nx * vx + ny * vy + nz * vz
    impulse = max(constraints[p, constraint.NORMAL_IMPULSE] - (vn + constraints[p, constraint.APPROACH_LIMIT]), 0.0)
    jn = impulse - constraints[p, constraint.NORMAL_IMPULSE]
    constraints[p, constraint.NORMAL_IMPULSE] = impulse
    v[i, vector4.X] += jn * nx
    v[i, vector4.Y] += jn * ny
    v[i, vector4.Z] += jn * nz
    friction_limit = constraints[p, constraint.FRICTION] * impulse
    if friction_limit <= 0.0:
        return
    r = spins[i, vector4.W]
    sx, sy, sz = spins[i, vector4.X], spins[i, vector4.Y], spins[i, vector4.Z]
    ux = vx - vn * nx - r * (sy * nz - sz * ny)
    uy = vy - vn * ny - r * (sz * nx - sx * nz)
    uz = vz - vn * nz - r * (sx * ny - sy * nx)
    tx = constraints[p, constraint.FRICTION_IMPULSE] - TWO_SEVENTHS * ux
    ty = constraints[p, constraint.FRICTION_IMPULSE + 1] - TWO_SEVENTHS * uy
    tz = constraints[p, constraint.FRICTION_IMPULSE + 2] - TWO_SEVENTHS * uz
    scale = friction_limit / max(sqrt(tx * tx + ty * ty + tz * tz), friction_limit)
    tx, ty, tz = scale * tx, scale * ty, scale * tz
    jx, jy, jz = (
        tx - constraints[p, constraint.FRICTION_IMPULSE],
        ty - constraints[p, constraint.FRICTION_IMPULSE + 1],
        tz - constraints[p, constraint.FRICTION_IMPULSE + 2],
    )
    (
        constraints[p, constraint.FRICTION_IMPULSE],
        constraints[p, constraint.FRICTION_IMPULSE + 1],
        constraints[p, constraint.FRICTION_IMPULSE + 2],
    ) = tx, ty, tz
    v[i, vector4.X] += jx
    v[i, vector4.Y] += jy
    v[i, vector4.Z] += jz
    spin_factor = 2.5 / r
    spins[i, vector4.X] -= spin_factor * (ny * jz - nz * jy)
    spins[i, vector4.Y] -= spin_factor * (nz * jx - nx * jz)
    spins[i, vector4.Z] -= spin_factor * (nx * jy - ny * jx)


@inner
def solve_pair_normal(v: Floats, contacts: Floats, contact_pairs: Unsigned, q: int) -> None:
    """Normal impulse of contact q: j' = max(j - (vn + limit) m, 0), m the reduced mass, accumulated."""
    i, j = contact_pairs[q, ball_pair.FIRST], contact_pairs[q, ball_pair.SECOND]
    nx, ny, nz = contacts[q, pair.NORMAL], contacts[q, pair.NORMAL + 1], contacts[q, pair.NORMAL + 2]
    vn = (
        nx * (v[i, vector4.X] - v[j, vector4.X])
        + ny * (v[i, vector4.Y] - v[j, vector4.Y])
        + nz * (v[i, vector4.Z] - v[j, vector4.Z])
    )
    before = contacts[q, pair.NORMAL_IMPULSE]
    after = max(before - (vn + contacts[q, pair.APPROACH_LIMIT]) * contacts[q, pair.REDUCED_MASS], 0.0)
    contacts[q, pair.NORMAL_IMPULSE] = after
    apply_pair_impulse(v, i, j, (after - before) * nx, (after - before) * ny, (after - before) * nz)


@inner
def apply_pair_impulse(v: Floats, i: int, j: int, jx: float, jy: float, jz: float) -> None:
    """Apply an impulse (kg m/s) to ball i and its opposite to ball j."""
    li, lj = v[i, vector4.W], v[j, vector4.W]
    v[i, vector4.X] += li * jx
    v[i, vector4.Y] += li * jy
    v[i, vector4.Z] += li * jz
    v[j, vector4.X] -= lj * jx
    v[j, vector4.Y] -= lj * jy
    v[j, vector4.Z] -= lj * jz


@inner
def solve_pair_friction(v: Floats, spins: Floats, contacts: Floats, contact_pairs: Unsigned, q: int) -> None:
    """Friction impulse of contact q: -2/7 m u, limited to mu times the normal impulse."""
    friction_limit = contacts[q, pair.FRICTION] * contacts[q, pair.NORMAL_IMPULSE]
    if friction_limit <= 0.0:
        return
    i, j = contact_pairs[q, ball_pair.FIRST], contact_pairs[q, ball_pair.SECOND]
    nx, ny, nz = contacts[q, pair.NORMAL], contacts[q, pair.NORMAL + 1], contacts[q, pair.NORMAL + 2]
    vx, vy, vz = v[i, vector4.X] - v[j, vector4.X], v[i, vector4.Y] - v[j, vector4.Y], v[i, vector4.Z] - v[j, vector4.Z]
    vn = nx * vx + ny * vy + nz * vz
    ri, rj = spins[i, vector4.W], spins[j, vector4.W]
    wx = ri * spins[i, vector4.X] + rj * spins[j, vector4.X]
    wy = ri * spins[i, vector4.Y] + rj * spins[j, vector4.Y]
    wz = ri * spins[i, vector4.Z] + rj * spins[j, vector4.Z]
    effective_mass = -TWO_SEVENTHS * contacts[q, pair.REDUCED_MASS]
    jx = effective_mass * (vx - vn * nx - (wy * nz - wz * ny))
    jy = effective_mass * (vy - vn * ny - (wz * nx - wx * nz))
    jz = effective_mass * (vz - vn * nz - (wx * ny - wy * nx))
    size = sqrt(jx * jx + jy * jy + jz * jz)
    scale = friction_limit / max(size, friction_limit)
    jx, jy, jz = scale * jx, scale * jy, scale * jz
    apply_pair_impulse(v, i, j, jx, jy, jz)
    cx, cy, cz = ny * jz - nz * jy, nz * jx - nx * jz, nx * jy - ny * jx
    ti, tj = 2.5 * v[i, vector4.W] / ri, 2.5 * v[j, vector4.W] / rj
    spins[i, vector4.X] -= ti * cx
    spins[i, vector4.Y] -= ti * cy
    spins[i, vector4.Z] -= ti * cz
    spins[j, vector4.X] -= tj * cx
    spins[j, vector4.Y] -= tj * cy
    spins[j, vector4.Z] -= tj * cz


@inner
def load_constraints(w: BallScratch, n: int) -> None:
    """Copy velocities, spins and plane constraints into packed arrays; balls that touch a single plane come first.

    w.constraints has the planes, w.constrained_balls their ball and row. A ball's planes of bodies come before those of
    surfaces, which hold.
    """
    b, k, planes, constrained_balls = w.balls, w.status, w.planes, w.constrained_balls
    row = 0
    for i in range(n):
        load_packed(w.velocities, b, i, ball.VELOCITY, ball.INVERSE_MASS)
        load_packed(w.angular_velocities, b, i, ball.ANGULAR_VELOCITY, ball.RADIUS)
        if k[i, status.PLANE_COUNT] == 1 and planes[i * MAX_BALL_PLANES, plane.NORMAL_IMPULSE] != plane.IMPACT_MARK:
            constrained_balls[row, constraint.BALL], constrained_balls[row, constraint.PLANE] = i, i * MAX_BALL_PLANES
            write_constraint_row(w.constraints, row, planes, i * MAX_BALL_PLANES)
            row += 1
    w.counters[counter.SINGLE_CONSTRAINTS] = row
    for i in range(n):
        if k[i, status.PLANE_COUNT] > 1:
            surfaces, count = k[i, status.SURFACE_PLANE_COUNT], k[i, status.PLANE_COUNT]
            for q in range(surfaces, surfaces + count):
                p = i * MAX_BALL_PLANES + q % count
                if planes[p, plane.NORMAL_IMPULSE] != plane.IMPACT_MARK:
                    constrained_balls[row, constraint.BALL], constrained_balls[row, constraint.PLANE] = i, p
                    write_constraint_row(w.constraints, row, planes, p)
                    row += 1
    w.counters[counter.CONSTRAINTS] = row


@inner
def write_constraint_row(constraints: Floats, row: int, planes: Floats, p: int) -> None:
    """Copy the columns of plane p that the solver reads."""
    for axis in range(3):
        constraints[row, constraint.NORMAL + axis], constraints[row, constraint.SURFACE_VELOCITY + axis] = (
            planes[p, plane.NORMAL + axis],
            planes[p, plane.SURFACE_VELOCITY + axis],
        )
        constraints[row, constraint.FRICTION_IMPULSE + axis] = planes[p, plane.FRICTION_IMPULSE + axis]
    (
        constraints[row, constraint.APPROACH_LIMIT],
        constraints[row, constraint.FRICTION],
        constraints[row, constraint.NORMAL_IMPULSE],
    ) = (
        planes[p, plane.APPROACH_LIMIT],
        planes[p, plane.FRICTION],
        planes[p, plane.NORMAL_IMPULSE],
    )


@inner
def store_constraints(w: BallScratch, n: int) -> None:
    """Copy velocities, spins and normal impulses back."""
    b, v, spins, planes, constraints = w.balls, w.velocities, w.angular_velocities, w.planes, w.constraints
    for i in range(n):
        b[i, ball.VELOCITY] = v[i, vector4.X]
        b[i, ball.VELOCITY + 1] = v[i, vector4.Y]
        b[i, ball.VELOCITY + 2] = v[i, vector4.Z]
        b[i, ball.ANGULAR_VELOCITY], b[i, ball.ANGULAR_VELOCITY + 1], b[i, ball.ANGULAR_VELOCITY + 2] = (
            spins[i, vector4.X],
            spins[i, vector4.Y],
            spins[i, vector4.Z],
        )
    for row in range(w.counters[counter.CONSTRAINTS]):
        planes[w.constrained_balls[row, constraint.PLANE], plane.NORMAL_IMPULSE] = constraints[
            row, constraint.NORMAL_IMPULSE
        ]


@inner
def solve_planes(w: BallScratch, iterations: int) -> None:
    """Solve the planes of all balls: once for balls that touch a single plane, `iterations` times for the others."""
    for row in range(w.counters[counter.SINGLE_CONSTRAINTS]):
        solve_plane(w.velocities, w.angular_velocities, w.constraints, w.constrained_balls[row, constraint.BALL], row)
    for _ in range(iterations):
        for row in range(w.counters[counter.SINGLE_CONSTRAINTS], w.counters[counter.CONSTRAINTS]):
            solve_plane(
                w.velocities, w.angular_velocities, w.constraints, w.constrained_balls[row, constraint.BALL], row
            )


@inner
def solve_contacts(w: BallScratch, settings: Floats, n: int) -> None:
    """Solve all contacts, then apply rolling resistance and note the load of each ball.

    Planes come last in each iteration, so they hold to the last bit.
    """
    b, v, spins, contacts, contact_pairs = w.balls, w.velocities, w.angular_velocities, w.contacts, w.contact_pairs
    count, iterations = w.counters[counter.CONTACTS], int(settings[setting.ITERATIONS])
    load_constraints(w, n)
    solve_planes(w, MAX_PLANE_ITERATIONS if count == 0 else 1)
    if count > 0:
        for iteration in range(iterations):
            for q in range(count - 1, -1, -1):  # from the top: weight propagates down
                solve_pair_normal(v, contacts, contact_pairs, q)
            solve_planes(w, 1)
            for q in range(count):  # from the bottom: support propagates up
                solve_pair_normal(v, contacts, contact_pairs, q)
            if iteration == iterations - 1:
                for q in range(count):
                    solve_pair_friction(v, spins, contacts, contact_pairs, q)
        solve_planes(w, 1)
        propagate_shock(w)
        solve_planes(w, MAX_PLANE_ITERATIONS)
    store_constraints(w, n)
    for i in range(n):
        v[i, vector4.X] = 0.0
    for q in range(count):
        v[contact_pairs[q, ball_pair.FIRST], vector4.X] += contacts[q, pair.NORMAL_IMPULSE]
        v[contact_pairs[q, ball_pair.SECOND], vector4.X] += contacts[q, pair.NORMAL_IMPULSE]
    for i in range(n):
        if v[i, vector4.X] > 0.0:
            w.status[i, status.LOAD] = status.LOAD_BY_BALLS
            reduce_spin(b, i, b[i, ball.ROLLING_RESISTANCE] * b[i, ball.INVERSE_MASS] * v[i, vector4.X])
    for row in range(w.counters[counter.CONSTRAINTS]):
        i, p = w.constrained_balls[row, constraint.BALL], w.constrained_balls[row, constraint.PLANE]
        if w.planes[p, plane.NORMAL_IMPULSE] > 0.0:
            w.status[i, status.LOAD] = max(w.status[i, status.LOAD], 1)
            apply_rolling_resistance(w, i, p)


@inner
def reduce_spin(b: Floats, i: int, loss: float) -> None:
    """Rolling resistance between balls: reduce the spin of ball i by `loss` m/s at its surface."""
    wx, wy, wz = b[i, ball.ANGULAR_VELOCITY], b[i, ball.ANGULAR_VELOCITY + 1], b[i, ball.ANGULAR_VELOCITY + 2]
    surface_speed = b[i, ball.RADIUS] * sqrt(wx * wx + wy * wy + wz * wz)
    factor = 1.0 - loss / surface_speed if surface_speed > loss else 0.0
    b[i, ball.ANGULAR_VELOCITY], b[i, ball.ANGULAR_VELOCITY + 1], b[i, ball.ANGULAR_VELOCITY + 2] = (
        factor * wx,
        factor * wy,
        factor * wz,
    )


@inner
def apply_rolling_resistance(w: BallScratch, i: int, p: int) -> None:
    """Rolling resistance of plane p on ball i: speed along the plane and spin fall by c j, at most to zero.

    c: coefficient, j: normal impulse. The spin about the normal falls as well.
    """
    b, planes = w.balls, w.planes
    loss = planes[p, plane.ROLLING_RESISTANCE] * planes[p, plane.NORMAL_IMPULSE]
    if loss <= 0.0:
        return
    nx, ny, nz = planes[p, plane.NORMAL], planes[p, plane.NORMAL + 1], planes[p, plane.NORMAL + 2]
    fx, fy, fz = (
        planes[p, plane.SURFACE_VELOCITY],
        planes[p, plane.SURFACE_VELOCITY + 1],
        planes[p, plane.SURFACE_VELOCITY + 2],
    )
    vx, vy, vz = b[i, ball.VELOCITY] - fx, b[i, ball.VELOCITY + 1] - fy, b[i, ball.VELOCITY + 2] - fz
    vn = nx * vx + ny * vy + nz * vz
    tx, ty, tz = vx - vn * nx, vy - vn * ny, vz - vn * nz
    sn = nx * b[i, ball.ANGULAR_VELOCITY] + ny * b[i, ball.ANGULAR_VELOCITY + 1] + nz * b[i, ball.ANGULAR_VELOCITY + 2]
    wx, wy, wz = (
        b[i, ball.ANGULAR_VELOCITY] - sn * nx,
        b[i, ball.ANGULAR_VELOCITY + 1] - sn * ny,
        b[i, ball.ANGULAR_VELOCITY + 2] - sn * nz,
    )
    speed, surface_speed = sqrt(tx * tx + ty * ty + tz * tz), b[i, ball.RADIUS] * sqrt(wx * wx + wy * wy + wz * wz)
    factor = max(1.0 - loss / speed, 0.0) if speed > loss else 0.0
    spin_scale = max(1.0 - loss / surface_speed, 0.0) if surface_speed > loss else 0.0
    spin_loss = loss / b[i, ball.RADIUS]
    sn = max(sn - spin_loss, 0.0) if sn > 0.0 else min(sn + spin_loss, 0.0)
    if factor == 0.0 and vn <= MIN_APPROACH_SPEED and planes[p, plane.GAP] <= MAX_CONTACT_GAP:
        b[i, ball.VELOCITY], b[i, ball.VELOCITY + 1], b[i, ball.VELOCITY + 2] = fx, fy, fz
    else:
        b[i, ball.VELOCITY], b[i, ball.VELOCITY + 1], b[i, ball.VELOCITY + 2] = (
            fx + vn * nx + factor * tx,
            fy + vn * ny + factor * ty,
            fz + vn * nz + factor * tz,
        )
    b[i, ball.ANGULAR_VELOCITY], b[i, ball.ANGULAR_VELOCITY + 1], b[i, ball.ANGULAR_VELOCITY + 2] = (
        spin_scale * wx + sn * nx,
        spin_scale * wy + sn * ny,
        (spin_scale * wz + sn * nz),
    )


@inner
def apply_surface_impulse(b: Floats, i: int, threshold: float) -> float:
    """Impact of ball i with the surface of its row; returns the restitution applied, -1.0 without approach.

    Impacts slower than threshold (m/s) do not bounce.
    """
    nx, ny, nz = b[i, ball.IMPACT_NORMAL], b[i, ball.IMPACT_NORMAL + 1], b[i, ball.IMPACT_NORMAL + 2]
    vx, vy, vz = (
        b[i, ball.VELOCITY] - b[i, ball.IMPACT_VELOCITY],
        b[i, ball.VELOCITY + 1] - b[i, ball.IMPACT_VELOCITY + 1],
        b[i, ball.VELOCITY + 2] - b[i, ball.IMPACT_VELOCITY + 2],
    )
    vn = nx * vx + ny * vy + nz * vz
    if vn >= 0.0:
        return -1.0
    restitution = b[i, ball.IMPACT_RESTITUTION] if vn < -threshold else 0.0
    jn = -(1.0 + restitution) * vn
    b[i, ball.VELOCITY] += jn * nx
    b[i, ball.VELOCITY + 1] += jn * ny
    b[i, ball.VELOCITY + 2] += jn * nz
    friction_limit = b[i, ball.IMPACT_FRICTION] * jn
    if friction_limit > 0.0:
        r = b[i, ball.RADIUS]
        sx, sy, sz = b[i, ball.ANGULAR_VELOCITY], b[i, ball.ANGULAR_VELOCITY + 1], b[i, ball.ANGULAR_VELOCITY + 2]
        ux = vx - vn * nx - r * (sy * nz - sz * ny)
        uy = vy - vn * ny - r * (sz * nx - sx * nz)
        uz = vz - vn * nz - r * (sx * ny - sy * nx)
        slip = sqrt(ux * ux + uy * uy + uz * uz)
        if slip > 0.0:
            scale = -min(TWO_SEVENTHS, friction_limit / slip)
            jx, jy, jz = scale * ux, scale * uy, scale * uz
            b[i, ball.VELOCITY] += jx
            b[i, ball.VELOCITY + 1] += jy
            b[i, ball.VELOCITY + 2] += jz
            spin_factor = 2.5 / r
            b[i, ball.ANGULAR_VELOCITY] -= spin_factor * (ny * jz - nz * jy)
            b[i, ball.ANGULAR_VELOCITY + 1] -= spin_factor * (nz * jx - nx * jz)
            b[i, ball.ANGULAR_VELOCITY + 2] -= spin_factor * (nx * jy - ny * jx)
    return float(restitution)


@inner
def apply_ball_impulse(b: Floats, i: int, j: int, nx: float, ny: float, nz: float, threshold: float) -> float:
    """Impact of balls i and j, n from j to i; returns the restitution applied, -1.0 without approach.

    Impacts slower than threshold (m/s) do not bounce.
    """
    vx, vy, vz = (
        b[i, ball.VELOCITY] - b[j, ball.VELOCITY],
        b[i, ball.VELOCITY + 1] - b[j, ball.VELOCITY + 1],
        b[i, ball.VELOCITY + 2] - b[j, ball.VELOCITY + 2],
    )
    vn = nx * vx + ny * vy + nz * vz
    inverse_mass = b[i, ball.INVERSE_MASS] + b[j, ball.INVERSE_MASS]
    if vn >= 0.0 or inverse_mass <= 0.0:
        return -1.0
    restitution = min(b[i, ball.RESTITUTION], b[j, ball.RESTITUTION]) if vn < -threshold else 0.0
    jn = -(1.0 + restitution) * vn / inverse_mass
    si, sj = jn * b[i, ball.INVERSE_MASS], jn * b[j, ball.INVERSE_MASS]
    b[i, ball.VELOCITY] += si * nx
    b[i, ball.VELOCITY + 1] += si * ny
    b[i, ball.VELOCITY + 2] += si * nz
    b[j, ball.VELOCITY] -= sj * nx
    b[j, ball.VELOCITY + 1] -= sj * ny
    b[j, ball.VELOCITY + 2] -= sj * nz
    friction_limit = sqrt(b[i, ball.FRICTION] * b[j, ball.FRICTION]) * jn
    if friction_limit > 0.0:
        ri, rj = b[i, ball.RADIUS], b[j, ball.RADIUS]
        wx = ri * b[i, ball.ANGULAR_VELOCITY] + rj * b[j, ball.ANGULAR_VELOCITY]
        wy = ri * b[i, ball.ANGULAR_VELOCITY + 1] + rj * b[j, ball.ANGULAR_VELOCITY + 1]
        wz = ri * b[i, ball.ANGULAR_VELOCITY + 2] + rj * b[j, ball.ANGULAR_VELOCITY + 2]
        ux = vx - vn * nx - (wy * nz - wz * ny)
        uy = vy - vn * ny - (wz * nx - wx * nz)
        uz = vz - vn * nz - (wx * ny - wy * nx)
        slip = sqrt(ux * ux + uy * uy + uz * uz)
        if slip > 0.0:
            scale = -min(TWO_SEVENTHS / inverse_mass, friction_limit / slip)
            jx, jy, jz = scale * ux, scale * uy, scale * uz
            li, lj = b[i, ball.INVERSE_MASS], b[j, ball.INVERSE_MASS]
            b[i, ball.VELOCITY] += li * jx
            b[i, ball.VELOCITY + 1] += li * jy
            b[i, ball.VELOCITY + 2] += li * jz
            b[j, ball.VELOCITY] -= lj * jx
            b[j, ball.VELOCITY + 1] -= lj * jy
            b[j, ball.VELOCITY + 2] -= lj * jz
            cx, cy, cz = ny * jz - nz * jy, nz * jx - nx * jz, nx * jy - ny * jx
            ti, tj = 2.5 * li / ri, 2.5 * lj / rj
            b[i, ball.ANGULAR_VELOCITY] -= ti * cx
            b[i, ball.ANGULAR_VELOCITY + 1] -= ti * cy
            b[i, ball.ANGULAR_VELOCITY + 2] -= ti * cz
            b[j, ball.ANGULAR_VELOCITY] -= tj * cx
            b[j, ball.ANGULAR_VELOCITY + 1] -= tj * cy
            b[j, ball.ANGULAR_VELOCITY + 2] -= tj * cz
    return float(restitution)
