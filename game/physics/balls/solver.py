"""What balls that touch do to each other and to the ground in a tick: they press, grip, roll, and come to rest.

Impulses, contact by contact, several times over, as in Catto's "Iterative Dynamics with Temporal Coherence" (2005), but
from zero in each tick: nothing is remembered. A solid ball has the moment of inertia 2/5 m r^2; what it does at the
point of contact is 2/7 of its mass.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from ..numerics.jit import inlined, inner
from .contacts import MIN_APPROACH_SPEED
from .layout import ball, constraint, counter, pair, plane, setting, status
from .scratch import MAX_BALL_PLANES, MAX_CONTACT_GAP, BallScratch

TWO_SEVENTHS = 2.0 / 7.0
MIN_LOAD_IMPULSE = 1e-12  # kg m/s: who lies on another presses it
MAX_PLANE_ITERATIONS = 6  # rounds of a ball between several planes


@inlined
def propagate_shock(w: BallScratch) -> None:
    """Once from the lowest up: who lies on another takes its speed over, and the other none of its. What a few rounds
    have not yet brought down to the ground is no sinking so (source: shock propagation, Guendelman, Bridson and
    Fedkiw, "Nonconvex rigid bodies with stacking", 2003)."""
    v, contacts = w.velocities, w.contacts
    for q in range(w.counters[counter.CONTACTS]):
        i, j = w.contact_pairs[q, 0], w.contact_pairs[q, 1]
        nx, ny, nz = contacts[q, pair.NORMAL], contacts[q, pair.NORMAL + 1], contacts[q, pair.NORMAL + 2]
        closing = nx * (v[i, 0] - v[j, 0]) + ny * (v[i, 1] - v[j, 1]) + nz * (v[i, 2] - v[j, 2])
        lies = (
            (closing + contacts[q, pair.APPROACH_LIMIT] < 0.0)
            & (contacts[q, pair.IS_STACKED] != 0.0)
            & (v[j, 3] != 0.0)
        )
        closing = closing + contacts[q, pair.APPROACH_LIMIT] if lies else 0.0
        v[j, 0] += closing * nx
        v[j, 1] += closing * ny
        v[j, 2] += closing * nz
        contacts[q, pair.NORMAL_IMPULSE] = max(contacts[q, pair.NORMAL_IMPULSE], MIN_LOAD_IMPULSE if lies else 0.0)


@inlined
def solve_plane(v: Any, spins: Any, holds: Any, i: int, p: int) -> None:
    """Let the plane hold ball i, and grip it."""
    nx, ny, nz = holds[p, constraint.NORMAL], holds[p, constraint.NORMAL + 1], holds[p, constraint.NORMAL + 2]
    vx, vy, vz = (
        v[i, 0] - holds[p, constraint.SURFACE_VELOCITY],
        v[i, 1] - holds[p, constraint.SURFACE_VELOCITY + 1],
        v[i, 2] - holds[p, constraint.SURFACE_VELOCITY + 2],
    )
    vn = nx * vx + ny * vy + nz * vz
    now = max(holds[p, constraint.NORMAL_IMPULSE] - (vn + holds[p, constraint.APPROACH_LIMIT]), 0.0)
    jn = now - holds[p, constraint.NORMAL_IMPULSE]
    holds[p, constraint.NORMAL_IMPULSE] = now
    v[i, 0] += jn * nx
    v[i, 1] += jn * ny
    v[i, 2] += jn * nz
    most = holds[p, constraint.FRICTION] * now
    if most <= 0.0:
        return
    r = spins[i, 3]
    sx, sy, sz = spins[i, 0], spins[i, 1], spins[i, 2]
    ux = vx - vn * nx - r * (sy * nz - sz * ny)
    uy = vy - vn * ny - r * (sz * nx - sx * nz)
    uz = vz - vn * nz - r * (sx * ny - sy * nx)
    tx = holds[p, constraint.FRICTION_IMPULSE] - TWO_SEVENTHS * ux
    ty = holds[p, constraint.FRICTION_IMPULSE + 1] - TWO_SEVENTHS * uy
    tz = holds[p, constraint.FRICTION_IMPULSE + 2] - TWO_SEVENTHS * uz
    part = most / max(sqrt(tx * tx + ty * ty + tz * tz), most)
    tx, ty, tz = part * tx, part * ty, part * tz
    jx, jy, jz = (
        tx - holds[p, constraint.FRICTION_IMPULSE],
        ty - holds[p, constraint.FRICTION_IMPULSE + 1],
        tz - holds[p, constraint.FRICTION_IMPULSE + 2],
    )
    (
        holds[p, constraint.FRICTION_IMPULSE],
        holds[p, constraint.FRICTION_IMPULSE + 1],
        holds[p, constraint.FRICTION_IMPULSE + 2],
    ) = tx, ty, tz
    v[i, 0] += jx
    v[i, 1] += jy
    v[i, 2] += jz
    turn = 2.5 / r
    spins[i, 0] -= turn * (ny * jz - nz * jy)
    spins[i, 1] -= turn * (nz * jx - nx * jz)
    spins[i, 2] -= turn * (nx * jy - ny * jx)


@inlined
def solve_pair_normal(v: Any, contacts: Any, touching: Any, q: int) -> None:
    """Let two balls hold each other."""
    i, j = touching[q, 0], touching[q, 1]
    nx, ny, nz = contacts[q, pair.NORMAL], contacts[q, pair.NORMAL + 1], contacts[q, pair.NORMAL + 2]
    vn = nx * (v[i, 0] - v[j, 0]) + ny * (v[i, 1] - v[j, 1]) + nz * (v[i, 2] - v[j, 2])
    before = contacts[q, pair.NORMAL_IMPULSE]
    now = max(before - (vn + contacts[q, pair.APPROACH_LIMIT]) * contacts[q, pair.REDUCED_MASS], 0.0)
    contacts[q, pair.NORMAL_IMPULSE] = now
    apply_pair_impulse(v, i, j, (now - before) * nx, (now - before) * ny, (now - before) * nz)


@inlined
def apply_pair_impulse(v: Any, i: int, j: int, jx: float, jy: float, jz: float) -> None:
    """Give ball i an impulse and ball j the opposite one, kg m/s."""
    li, lj = v[i, 3], v[j, 3]
    v[i, 0] += li * jx
    v[i, 1] += li * jy
    v[i, 2] += li * jz
    v[j, 0] -= lj * jx
    v[j, 1] -= lj * jy
    v[j, 2] -= lj * jz


@inlined
def solve_pair_friction(v: Any, spins: Any, contacts: Any, touching: Any, q: int) -> None:
    """Let two balls that press each other grip each other."""
    most = contacts[q, pair.FRICTION] * contacts[q, pair.NORMAL_IMPULSE]
    if most <= 0.0:
        return
    i, j = touching[q, 0], touching[q, 1]
    nx, ny, nz = contacts[q, pair.NORMAL], contacts[q, pair.NORMAL + 1], contacts[q, pair.NORMAL + 2]
    vx, vy, vz = v[i, 0] - v[j, 0], v[i, 1] - v[j, 1], v[i, 2] - v[j, 2]
    vn = nx * vx + ny * vy + nz * vz
    ri, rj = spins[i, 3], spins[j, 3]
    wx = ri * spins[i, 0] + rj * spins[j, 0]
    wy = ri * spins[i, 1] + rj * spins[j, 1]
    wz = ri * spins[i, 2] + rj * spins[j, 2]
    give = -TWO_SEVENTHS * contacts[q, pair.REDUCED_MASS]
    jx = give * (vx - vn * nx - (wy * nz - wz * ny))
    jy = give * (vy - vn * ny - (wz * nx - wx * nz))
    jz = give * (vz - vn * nz - (wx * ny - wy * nx))
    size = sqrt(jx * jx + jy * jy + jz * jz)
    part = most / max(size, most)
    jx, jy, jz = part * jx, part * jy, part * jz
    apply_pair_impulse(v, i, j, jx, jy, jz)
    cx, cy, cz = ny * jz - nz * jy, nz * jx - nx * jz, nx * jy - ny * jx
    ti, tj = 2.5 * v[i, 3] / ri, 2.5 * v[j, 3] / rj
    spins[i, 0] -= ti * cx
    spins[i, 1] -= ti * cy
    spins[i, 2] -= ti * cz
    spins[j, 0] -= tj * cx
    spins[j, 1] -= tj * cy
    spins[j, 2] -= tj * cz


@inlined
def load_constraints(w: BallScratch, n: int) -> None:
    """The planes that hold balls, in w.holds, whose in w.held: first those of balls that touch one alone; the
    velocities and spins of all balls in w.v and w.spins."""
    b, k, v, spins, planes, held = w.balls, w.status, w.velocities, w.angular_velocities, w.planes, w.constrained_balls
    row = 0
    for i in range(n):
        v[i, 0], v[i, 1], v[i, 2], v[i, 3] = (
            b[i, ball.VELOCITY],
            b[i, ball.VELOCITY + 1],
            b[i, ball.VELOCITY + 2],
            b[i, ball.INVERSE_MASS],
        )
        spins[i, 0], spins[i, 1], spins[i, 2], spins[i, 3] = (
            b[i, ball.ANGULAR_VELOCITY],
            b[i, ball.ANGULAR_VELOCITY + 1],
            b[i, ball.ANGULAR_VELOCITY + 2],
            b[i, ball.RADIUS],
        )
        if k[i, status.PLANE_COUNT] == 1 and planes[i * MAX_BALL_PLANES, plane.NORMAL_IMPULSE] != plane.IMPACT_MARK:
            held[row, 0], held[row, 1] = i, i * MAX_BALL_PLANES
            write_constraint_row(w.constraints, row, planes, i * MAX_BALL_PLANES)
            row += 1
    w.counters[counter.SINGLE_CONSTRAINTS] = row
    for i in range(n):
        if k[i, status.PLANE_COUNT] > 1:
            for p in range(i * MAX_BALL_PLANES, i * MAX_BALL_PLANES + k[i, status.PLANE_COUNT]):
                if planes[p, plane.NORMAL_IMPULSE] != plane.IMPACT_MARK:
                    held[row, 0], held[row, 1] = i, p
                    write_constraint_row(w.constraints, row, planes, p)
                    row += 1
    w.counters[counter.CONSTRAINTS] = row


@inlined
def write_constraint_row(holds: Any, row: int, planes: Any, p: int) -> None:
    """What is asked for of a plane in each round."""
    for axis in range(3):
        holds[row, constraint.NORMAL + axis], holds[row, constraint.SURFACE_VELOCITY + axis] = (
            planes[p, plane.NORMAL + axis],
            planes[p, plane.SURFACE_VELOCITY + axis],
        )
        holds[row, constraint.FRICTION_IMPULSE + axis] = planes[p, plane.FRICTION_IMPULSE + axis]
    holds[row, constraint.APPROACH_LIMIT], holds[row, constraint.FRICTION], holds[row, constraint.NORMAL_IMPULSE] = (
        planes[p, plane.APPROACH_LIMIT],
        planes[p, plane.FRICTION],
        planes[p, plane.NORMAL_IMPULSE],
    )


@inlined
def store_constraints(w: BallScratch, n: int) -> None:
    """What `load_constraints` took, with what has become of it, to where it came from."""
    b, v, spins, planes, holds = w.balls, w.velocities, w.angular_velocities, w.planes, w.constraints
    for i in range(n):
        b[i, ball.VELOCITY], b[i, ball.VELOCITY + 1], b[i, ball.VELOCITY + 2] = v[i, 0], v[i, 1], v[i, 2]
        b[i, ball.ANGULAR_VELOCITY], b[i, ball.ANGULAR_VELOCITY + 1], b[i, ball.ANGULAR_VELOCITY + 2] = (
            spins[i, 0],
            spins[i, 1],
            spins[i, 2],
        )
    for row in range(w.counters[counter.CONSTRAINTS]):
        planes[w.constrained_balls[row, 1], plane.NORMAL_IMPULSE] = holds[row, constraint.NORMAL_IMPULSE]


@inner
def solve_planes(w: BallScratch, rounds: int) -> None:
    """All planes of all balls that touch some: once, or where a ball touches several, so many times."""
    for row in range(w.counters[counter.SINGLE_CONSTRAINTS]):
        solve_plane(w.velocities, w.angular_velocities, w.constraints, w.constrained_balls[row, 0], row)
    for _ in range(rounds):
        for row in range(w.counters[counter.SINGLE_CONSTRAINTS], w.counters[counter.CONSTRAINTS]):
            solve_plane(w.velocities, w.angular_velocities, w.constraints, w.constrained_balls[row, 0], row)


@inlined
def solve_contacts(w: BallScratch, numbers: Any, n: int) -> None:
    """Solve all contacts. The planes of the level come last in each round: they hold to the last bit."""
    b, v, spins, contacts, touching = w.balls, w.velocities, w.angular_velocities, w.contacts, w.contact_pairs
    count, rounds = w.counters[counter.CONTACTS], int(numbers[setting.ITERATIONS])
    load_constraints(w, n)
    solve_planes(w, MAX_PLANE_ITERATIONS if count == 0 else 1)
    if count > 0:
        for turn in range(rounds):
            for q in range(count - 1, -1, -1):  # the weight goes down
                solve_pair_normal(v, contacts, touching, q)
            solve_planes(w, 1)
            for q in range(count):  # and what holds it comes up
                solve_pair_normal(v, contacts, touching, q)
            if turn == rounds - 1:
                for q in range(count):
                    solve_pair_friction(v, spins, contacts, touching, q)
        solve_planes(w, 1)
        propagate_shock(w)
        solve_planes(w, MAX_PLANE_ITERATIONS)
    store_constraints(w, n)
    for i in range(n):
        v[i, 0] = 0.0
    for q in range(count):
        v[touching[q, 0], 0] += contacts[q, pair.NORMAL_IMPULSE]
        v[touching[q, 1], 0] += contacts[q, pair.NORMAL_IMPULSE]
    for i in range(n):
        if v[i, 0] > 0.0:
            w.status[i, status.LOAD] = status.LOAD_BY_BALLS
            reduce_spin(b, i, b[i, ball.ROLLING_RESISTANCE] * b[i, ball.INVERSE_MASS] * v[i, 0])
    for row in range(w.counters[counter.CONSTRAINTS]):
        i, p = w.constrained_balls[row, 0], w.constrained_balls[row, 1]
        if w.planes[p, plane.NORMAL_IMPULSE] > 0.0:
            w.status[i, status.LOAD] = max(w.status[i, status.LOAD], 1)
            apply_rolling_resistance(w, i, p)


@inlined
def reduce_spin(b: Any, i: int, loss: float) -> None:
    """Rolling resistance between two balls: each spins more slowly, at the rim by `loss` m/s."""
    wx, wy, wz = b[i, ball.ANGULAR_VELOCITY], b[i, ball.ANGULAR_VELOCITY + 1], b[i, ball.ANGULAR_VELOCITY + 2]
    rim = b[i, ball.RADIUS] * sqrt(wx * wx + wy * wy + wz * wz)
    keep = 1.0 - loss / rim if rim > loss else 0.0
    b[i, ball.ANGULAR_VELOCITY], b[i, ball.ANGULAR_VELOCITY + 1], b[i, ball.ANGULAR_VELOCITY + 2] = (
        keep * wx,
        keep * wy,
        keep * wz,
    )


@inlined
def apply_rolling_resistance(w: BallScratch, i: int, p: int) -> None:
    """Rolling resistance: the speed along the plane falls by its part of what presses, to nothing at last; the spin
    with it, and a spin on the spot too."""
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
    speed, rolls = sqrt(tx * tx + ty * ty + tz * tz), b[i, ball.RADIUS] * sqrt(wx * wx + wy * wy + wz * wz)
    keep = max(1.0 - loss / speed, 0.0) if speed > loss else 0.0
    keep_spin = max(1.0 - loss / rolls, 0.0) if rolls > loss else 0.0
    upright = loss / b[i, ball.RADIUS]
    sn = max(sn - upright, 0.0) if sn > 0.0 else min(sn + upright, 0.0)
    if keep == 0.0 and vn <= MIN_APPROACH_SPEED and planes[p, plane.GAP] <= MAX_CONTACT_GAP:
        b[i, ball.VELOCITY], b[i, ball.VELOCITY + 1], b[i, ball.VELOCITY + 2] = fx, fy, fz
    else:
        b[i, ball.VELOCITY], b[i, ball.VELOCITY + 1], b[i, ball.VELOCITY + 2] = (
            fx + vn * nx + keep * tx,
            fy + vn * ny + keep * ty,
            fz + vn * nz + keep * tz,
        )
    b[i, ball.ANGULAR_VELOCITY], b[i, ball.ANGULAR_VELOCITY + 1], b[i, ball.ANGULAR_VELOCITY + 2] = (
        keep_spin * wx + sn * nx,
        keep_spin * wy + sn * ny,
        (keep_spin * wz + sn * nz),
    )
