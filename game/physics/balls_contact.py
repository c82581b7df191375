"""What balls that touch do to each other and to the ground in a tick: they press, grip, roll, and come to rest.

Impulses, contact by contact, several times over, as in Catto's "Iterative Dynamics with Temporal Coherence" (2005), but
from zero in each tick: nothing is remembered. A solid ball has the moment of inertia 2/5 m r^2; what it does at the
point of contact is 2/7 of its mass.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from game.physics.balls_work import (
    BEFORE,
    CONTACTS,
    DT,
    EASE,
    GAP,
    GRIP,
    GX,
    GY,
    GZ,
    IN_A_PILE,
    ITERATIONS,
    LEFT_OUT,
    LIGHT,
    MARGIN,
    MAX_PLANES,
    MAY,
    OF_GRIP,
    OF_ROLL,
    OF_V,
    PAIR_DEPTH,
    PAIR_GIVE,
    PAIR_GRIP,
    PAIR_MAY,
    PAIR_N,
    PAIR_PN,
    PAIR_STEEP,
    PAIR_TOUCH,
    PAIRS,
    PLANES,
    PN,
    PRESSED,
    PT,
    PULL,
    PUSH,
    RADIUS,
    ROLL,
    SKIN,
    SLOW,
    SPIN,
    STEEP,
    TOUCH,
    UPX,
    UPY,
    UPZ,
    A,
    N,
    V,
    Work,
    X,
)
from game.physics.jit import inlined, inner

TWO_SEVENTHS = 2.0 / 7.0
SETTLE = 6  # rounds of a ball between several planes
HOLDS = 1e-9  # m/s: an approach slower than this is none


@inlined
def find_contacts(w: Work, numbers: Any, n: int) -> None:
    """Pairs that touch and do not strike each other, in w.contacts, by the higher of their balls."""
    b, contacts, spots = w.b, w.contacts, w.spots
    for i in range(n):
        spots[i, 0], spots[i, 1], spots[i, 2], spots[i, 3] = b[i, X], b[i, X + 1], b[i, X + 2], b[i, RADIUS]
    at = 0
    margin, rate = max(numbers[MARGIN], PAIR_TOUCH), 1.0 / numbers[DT]
    gx, gy, gz, steep = numbers[GX], numbers[GY], numbers[GZ], STEEP * numbers[PULL]
    for q in range(w.count[PAIRS]):
        i, j = w.pairs[q, 0], w.pairs[q, 1]
        dx, dy, dz = spots[i, 0] - spots[j, 0], spots[i, 1] - spots[j, 1], spots[i, 2] - spots[j, 2]
        near = spots[i, 3] + spots[j, 3] + margin
        square = dx * dx + dy * dy + dz * dz
        if square > near * near:
            continue
        away = sqrt(square)
        part = 1.0 / max(away, 1e-9)
        nx, ny, nz = part * dx, part * dy, part * dz
        if away < 1e-9:
            nx, ny, nz = -numbers[UPX], -numbers[UPY], -numbers[UPZ]  # the one listed first is the lower
        closing = (
            nx * (b[i, BEFORE] - b[j, BEFORE])
            + ny * (b[i, BEFORE + 1] - b[j, BEFORE + 1])
            + nz * (b[i, BEFORE + 2] - b[j, BEFORE + 2])
        )
        gap = max(away - spots[i, 3] - spots[j, 3], 0.0)
        if strikes(closing, gap, numbers):
            continue
        w.touching[at, 0], w.touching[at, 1] = i, j
        contacts[at, PAIR_N], contacts[at, PAIR_N + 1], contacts[at, PAIR_N + 2] = nx, ny, nz
        contacts[at, PAIR_PN], contacts[at, PAIR_GIVE] = 0.0, 1.0 / (b[i, LIGHT] + b[j, LIGHT])
        contacts[at, PAIR_MAY] = gap * rate
        contacts[at, PAIR_STEEP] = 1.0 if abs(nx * gx + ny * gy + nz * gz) > steep else 0.0
        contacts[at, PAIR_GRIP] = sqrt(b[i, GRIP] * b[j, GRIP])
        at += 1
    w.count[CONTACTS] = at


@inlined
def part_overlaps(w: Work) -> None:
    """Where balls that lie on each other overlap, note how they are to give way: from the lowest up, and the higher
    one alone where it lies on the other."""
    b, contacts = w.b, w.contacts
    for q in range(w.count[CONTACTS]):
        i, j = w.touching[q, 0], w.touching[q, 1]
        dx = b[j, X] + b[j, PUSH] - b[i, X] - b[i, PUSH]
        dy = b[j, X + 1] + b[j, PUSH + 1] - b[i, X + 1] - b[i, PUSH + 1]
        dz = b[j, X + 2] + b[j, PUSH + 2] - b[i, X + 2] - b[i, PUSH + 2]
        away = sqrt(dx * dx + dy * dy + dz * dz)
        depth = b[i, RADIUS] + b[j, RADIUS] - away - PAIR_DEPTH
        li, lj = b[i, LIGHT], b[j, LIGHT]
        if contacts[q, PAIR_STEEP] > 0.0 and lj > 0.0:
            li = 0.0
        share = li + lj
        if depth <= 0.0 or share <= 0.0 or away < 1e-9:
            continue
        depth *= EASE / (share * away)
        b[i, PUSH] -= depth * li * dx
        b[i, PUSH + 1] -= depth * li * dy
        b[i, PUSH + 2] -= depth * li * dz
        b[j, PUSH] += depth * lj * dx
        b[j, PUSH + 1] += depth * lj * dy
        b[j, PUSH + 2] += depth * lj * dz


@inlined
def carry(w: Work) -> None:
    """Once from the lowest up: who lies on another takes its speed over, and the other none of its. What a few rounds
    have not yet brought down to the ground is no sinking so (source: shock propagation, Guendelman, Bridson and
    Fedkiw, "Nonconvex rigid bodies with stacking", 2003)."""
    v, contacts = w.v, w.contacts
    for q in range(w.count[CONTACTS]):
        if contacts[q, PAIR_STEEP] == 0.0:
            continue
        i, j = w.touching[q, 0], w.touching[q, 1]
        if v[j, 3] == 0.0:
            continue
        nx, ny, nz = contacts[q, PAIR_N], contacts[q, PAIR_N + 1], contacts[q, PAIR_N + 2]
        closing = nx * (v[i, 0] - v[j, 0]) + ny * (v[i, 1] - v[j, 1]) + nz * (v[i, 2] - v[j, 2])
        closing += contacts[q, PAIR_MAY]
        if closing < 0.0:
            v[j, 0] += closing * nx
            v[j, 1] += closing * ny
            v[j, 2] += closing * nz
            contacts[q, PAIR_PN] = max(contacts[q, PAIR_PN], 1e-12)


@inlined
def strikes(closing: float, gap: float, numbers: Any) -> bool:
    """Whether who moves so (m/s, away where positive) will be fast enough over the gap to bounce."""
    if closing >= 0.0:
        return False
    return bool(closing * closing + 2.0 * numbers[PULL] * gap > numbers[SLOW] * numbers[SLOW])


@inlined
def leave_impacts(w: Work, i: int, numbers: Any) -> None:
    """Mark the planes that ball i strikes: these are events, not contacts."""
    b, planes = w.b, w.planes
    for p in range(i * MAX_PLANES, i * MAX_PLANES + w.k[i, PLANES]):
        closing = (
            planes[p, N] * (b[i, BEFORE] - planes[p, OF_V])
            + planes[p, N + 1] * (b[i, BEFORE + 1] - planes[p, OF_V + 1])
            + planes[p, N + 2] * (b[i, BEFORE + 2] - planes[p, OF_V + 2])
        )
        gap = max(planes[p, GAP] - SKIN, 0.0)
        planes[p, MAY] = gap / numbers[DT]
        planes[p, PN] = LEFT_OUT if strikes(closing, gap, numbers) else 0.0


@inlined
def press_plane(b: Any, v: Any, planes: Any, i: int, p: int) -> None:
    """Let the plane hold ball i, and grip it."""
    nx, ny, nz = planes[p, N], planes[p, N + 1], planes[p, N + 2]
    vx, vy, vz = v[i, 0] - planes[p, OF_V], v[i, 1] - planes[p, OF_V + 1], v[i, 2] - planes[p, OF_V + 2]
    vn = nx * vx + ny * vy + nz * vz
    now = max(planes[p, PN] - (vn + planes[p, MAY]), 0.0)
    jn = now - planes[p, PN]
    planes[p, PN] = now
    v[i, 0] += jn * nx
    v[i, 1] += jn * ny
    v[i, 2] += jn * nz
    if planes[p, OF_GRIP] <= 0.0 or now <= 0.0:
        return
    r = b[i, RADIUS]
    sx, sy, sz = b[i, SPIN], b[i, SPIN + 1], b[i, SPIN + 2]
    ux = vx - vn * nx - r * (sy * nz - sz * ny)
    uy = vy - vn * ny - r * (sz * nx - sx * nz)
    uz = vz - vn * nz - r * (sx * ny - sy * nx)
    tx = planes[p, PT] - TWO_SEVENTHS * ux
    ty = planes[p, PT + 1] - TWO_SEVENTHS * uy
    tz = planes[p, PT + 2] - TWO_SEVENTHS * uz
    most, size = planes[p, OF_GRIP] * now, sqrt(tx * tx + ty * ty + tz * tz)
    if size > most:
        part = most / size
        tx, ty, tz = part * tx, part * ty, part * tz
    jx, jy, jz = tx - planes[p, PT], ty - planes[p, PT + 1], tz - planes[p, PT + 2]
    planes[p, PT], planes[p, PT + 1], planes[p, PT + 2] = tx, ty, tz
    v[i, 0] += jx
    v[i, 1] += jy
    v[i, 2] += jz
    turn = 2.5 / r
    b[i, SPIN] -= turn * (ny * jz - nz * jy)
    b[i, SPIN + 1] -= turn * (nz * jx - nx * jz)
    b[i, SPIN + 2] -= turn * (nx * jy - ny * jx)


@inlined
def press_pair(v: Any, contacts: Any, touching: Any, q: int) -> None:
    """Let two balls hold each other."""
    i, j = touching[q, 0], touching[q, 1]
    nx, ny, nz = contacts[q, PAIR_N], contacts[q, PAIR_N + 1], contacts[q, PAIR_N + 2]
    vn = nx * (v[i, 0] - v[j, 0]) + ny * (v[i, 1] - v[j, 1]) + nz * (v[i, 2] - v[j, 2])
    before = contacts[q, PAIR_PN]
    now = max(before - (vn + contacts[q, PAIR_MAY]) * contacts[q, PAIR_GIVE], 0.0)
    contacts[q, PAIR_PN] = now
    si, sj = (now - before) * v[i, 3], (now - before) * v[j, 3]
    v[i, 0] += si * nx
    v[i, 1] += si * ny
    v[i, 2] += si * nz
    v[j, 0] -= sj * nx
    v[j, 1] -= sj * ny
    v[j, 2] -= sj * nz


@inlined
def grip_pair(b: Any, v: Any, contacts: Any, touching: Any, q: int) -> None:
    """Let two balls that press each other grip each other."""
    most = contacts[q, PAIR_GRIP] * contacts[q, PAIR_PN]
    if most <= 0.0:
        return
    i, j = touching[q, 0], touching[q, 1]
    nx, ny, nz = contacts[q, PAIR_N], contacts[q, PAIR_N + 1], contacts[q, PAIR_N + 2]
    vx, vy, vz = v[i, 0] - v[j, 0], v[i, 1] - v[j, 1], v[i, 2] - v[j, 2]
    vn = nx * vx + ny * vy + nz * vz
    ri, rj = b[i, RADIUS], b[j, RADIUS]
    wx = ri * b[i, SPIN] + rj * b[j, SPIN]
    wy = ri * b[i, SPIN + 1] + rj * b[j, SPIN + 1]
    wz = ri * b[i, SPIN + 2] + rj * b[j, SPIN + 2]
    give = -TWO_SEVENTHS * contacts[q, PAIR_GIVE]
    jx = give * (vx - vn * nx - (wy * nz - wz * ny))
    jy = give * (vy - vn * ny - (wz * nx - wx * nz))
    jz = give * (vz - vn * nz - (wx * ny - wy * nx))
    size = sqrt(jx * jx + jy * jy + jz * jz)
    if size > most:
        part = most / size
        jx, jy, jz = part * jx, part * jy, part * jz
    li, lj = v[i, 3], v[j, 3]
    v[i, 0] += li * jx
    v[i, 1] += li * jy
    v[i, 2] += li * jz
    v[j, 0] -= lj * jx
    v[j, 1] -= lj * jy
    v[j, 2] -= lj * jz
    cx, cy, cz = ny * jz - nz * jy, nz * jx - nx * jz, nx * jy - ny * jx
    ti, tj = 2.5 * li / ri, 2.5 * lj / rj
    b[i, SPIN] -= ti * cx
    b[i, SPIN + 1] -= ti * cy
    b[i, SPIN + 2] -= ti * cz
    b[j, SPIN] -= tj * cx
    b[j, SPIN + 1] -= tj * cy
    b[j, SPIN + 2] -= tj * cz


@inner
def press_planes(w: Work, held: int, rounds: int) -> None:
    """All planes of all balls that touch some: once, or where a ball touches several, so many times."""
    for t in range(held):
        i = w.held[t]
        count = w.k[i, PLANES]
        for _ in range(1 if count < 2 else rounds):
            for p in range(i * MAX_PLANES, i * MAX_PLANES + count):
                if w.planes[p, PN] != LEFT_OUT:
                    press_plane(w.b, w.v, w.planes, i, p)


@inlined
def press(w: Work, numbers: Any, n: int) -> None:
    """Solve all contacts. The planes of the level come last in each round: they hold to the last bit."""
    b, v, contacts, touching = w.b, w.v, w.contacts, w.touching
    count, rounds = w.count[CONTACTS], int(numbers[ITERATIONS])
    held = 0
    for i in range(n):
        v[i, 0], v[i, 1], v[i, 2], v[i, 3] = b[i, V], b[i, V + 1], b[i, V + 2], b[i, LIGHT]
        if w.k[i, PLANES] > 0:
            w.held[held] = i
            held += 1
    press_planes(w, held, SETTLE)
    if count > 0:
        for turn in range(rounds):
            for q in range(count - 1, -1, -1):  # the weight goes down
                press_pair(v, contacts, touching, q)
            press_planes(w, held, 1)
            for q in range(count):  # and what holds it comes up
                press_pair(v, contacts, touching, q)
            if turn == rounds - 1:
                for q in range(count):
                    grip_pair(b, v, contacts, touching, q)
            press_planes(w, held, 1)
        carry(w)
        press_planes(w, held, SETTLE)
    for i in range(n):
        b[i, V], b[i, V + 1], b[i, V + 2] = v[i, 0], v[i, 1], v[i, 2]
    for q in range(count):
        if contacts[q, PAIR_PN] > 0.0:
            for which in range(2):
                i = touching[q, which]
                w.k[i, PRESSED] = IN_A_PILE
                slow_spin(b, i, b[i, ROLL] * b[i, LIGHT] * contacts[q, PAIR_PN])
    for i in range(n):
        for p in range(i * MAX_PLANES, i * MAX_PLANES + w.k[i, PLANES]):
            if w.planes[p, PN] > 0.0:
                w.k[i, PRESSED] = max(w.k[i, PRESSED], 1)
                resist(w, i, p)


@inlined
def slow_spin(b: Any, i: int, loss: float) -> None:
    """Rolling resistance between two balls: each spins more slowly, at the rim by `loss` m/s."""
    wx, wy, wz = b[i, SPIN], b[i, SPIN + 1], b[i, SPIN + 2]
    rim = b[i, RADIUS] * sqrt(wx * wx + wy * wy + wz * wz)
    keep = 1.0 - loss / rim if rim > loss else 0.0
    b[i, SPIN], b[i, SPIN + 1], b[i, SPIN + 2] = keep * wx, keep * wy, keep * wz


@inlined
def resist(w: Work, i: int, p: int) -> None:
    """Rolling resistance: the speed along the plane falls by its part of what presses, to nothing at last; the spin
    with it, and a spin on the spot too."""
    b, planes = w.b, w.planes
    loss = planes[p, OF_ROLL] * planes[p, PN]
    if loss <= 0.0:
        return
    nx, ny, nz = planes[p, N], planes[p, N + 1], planes[p, N + 2]
    fx, fy, fz = planes[p, OF_V], planes[p, OF_V + 1], planes[p, OF_V + 2]
    vx, vy, vz = b[i, V] - fx, b[i, V + 1] - fy, b[i, V + 2] - fz
    vn = nx * vx + ny * vy + nz * vz
    tx, ty, tz = vx - vn * nx, vy - vn * ny, vz - vn * nz
    sn = nx * b[i, SPIN] + ny * b[i, SPIN + 1] + nz * b[i, SPIN + 2]
    wx, wy, wz = b[i, SPIN] - sn * nx, b[i, SPIN + 1] - sn * ny, b[i, SPIN + 2] - sn * nz
    speed, rolls = sqrt(tx * tx + ty * ty + tz * tz), b[i, RADIUS] * sqrt(wx * wx + wy * wy + wz * wz)
    keep = max(1.0 - loss / speed, 0.0) if speed > loss else 0.0
    keep_spin = max(1.0 - loss / rolls, 0.0) if rolls > loss else 0.0
    upright = loss / b[i, RADIUS]
    sn = max(sn - upright, 0.0) if sn > 0.0 else min(sn + upright, 0.0)
    if keep == 0.0 and vn <= HOLDS and planes[p, GAP] <= TOUCH:
        b[i, V], b[i, V + 1], b[i, V + 2] = fx, fy, fz
    else:
        b[i, V], b[i, V + 1], b[i, V + 2] = (
            fx + vn * nx + keep * tx,
            fy + vn * ny + keep * ty,
            fz + vn * nz + keep * tz,
        )
    b[i, SPIN], b[i, SPIN + 1], b[i, SPIN + 2] = keep_spin * wx + sn * nx, keep_spin * wy + sn * ny, (
        keep_spin * wz + sn * nz
    )


@inlined
def carry_out(w: Work, i: int, numbers: Any) -> None:
    """What the contacts made of ball i's velocity becomes its acceleration in this tick, so that its way is exact; at
    once where it was not free to go on as it did."""
    b, planes = w.b, w.planes
    at_once = False
    for p in range(i * MAX_PLANES, i * MAX_PLANES + w.k[i, PLANES]):
        closing = (
            planes[p, N] * (b[i, BEFORE] - planes[p, OF_V])
            + planes[p, N + 1] * (b[i, BEFORE + 1] - planes[p, OF_V + 1])
            + planes[p, N + 2] * (b[i, BEFORE + 2] - planes[p, OF_V + 2])
        )
        at_once = at_once or (closing < -planes[p, MAY] - HOLDS and planes[p, PN] != LEFT_OUT)
    if at_once:
        b[i, A] = b[i, A + 1] = b[i, A + 2] = 0.0
        return
    for axis in range(3):
        b[i, A + axis] = (b[i, V + axis] - b[i, BEFORE + axis]) / numbers[DT]
        b[i, V + axis] = b[i, BEFORE + axis]

