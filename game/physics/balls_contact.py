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
    PAIR_GRIP,
    PAIR_I,
    PAIR_J,
    PAIR_MAY,
    PAIR_N,
    PAIR_PN,
    PAIR_PT,
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
    A,
    N,
    V,
    Work,
    X,
)
from game.physics.jit import inner

TWO_SEVENTHS = 2.0 / 7.0
SETTLE = 6  # rounds of a ball between several planes
HOLDS = 1e-9  # m/s: an approach slower than this is none


@inner
def find_contacts(w: Work, numbers: Any) -> None:
    """Pairs that touch and do not strike each other, in w.contacts, and in w.rank from the lowest up."""
    b, contacts = w.b, w.contacts
    w.count[CONTACTS] = 0
    margin = max(numbers[MARGIN], PAIR_TOUCH)
    for q in range(w.count[PAIRS]):
        i, j = w.pairs[q, 0], w.pairs[q, 1]
        dx, dy, dz = b[i, X] - b[j, X], b[i, X + 1] - b[j, X + 1], b[i, X + 2] - b[j, X + 2]
        near = b[i, RADIUS] + b[j, RADIUS] + margin
        square = dx * dx + dy * dy + dz * dz
        if square > near * near:
            continue
        away = sqrt(square)
        if away < 1e-9:
            dx, dy, dz, away = 0.0, 1.0, 0.0, 1.0
        nx, ny, nz = dx / away, dy / away, dz / away
        closing = (
            nx * (b[i, BEFORE] - b[j, BEFORE])
            + ny * (b[i, BEFORE + 1] - b[j, BEFORE + 1])
            + nz * (b[i, BEFORE + 2] - b[j, BEFORE + 2])
        )
        gap = max(away - b[i, RADIUS] - b[j, RADIUS], 0.0)
        if strikes(closing, gap, numbers):
            continue
        at = w.count[CONTACTS]
        contacts[at, PAIR_I], contacts[at, PAIR_J] = float(i), float(j)
        contacts[at, PAIR_N], contacts[at, PAIR_N + 1], contacts[at, PAIR_N + 2] = nx, ny, nz
        contacts[at, PAIR_PN] = contacts[at, PAIR_PT] = contacts[at, PAIR_PT + 1] = contacts[at, PAIR_PT + 2] = 0.0
        contacts[at, PAIR_MAY] = gap / numbers[DT]
        upright = abs(nx * numbers[GX] + ny * numbers[GY] + nz * numbers[GZ])
        contacts[at, PAIR_STEEP] = 1.0 if upright > STEEP * numbers[PULL] else 0.0
        contacts[at, PAIR_GRIP] = sqrt(b[i, GRIP] * b[j, GRIP])
        w.count[CONTACTS] = at + 1


@inner
def rank_contacts(w: Work, n: int) -> None:
    """Contacts by the higher of their balls (the balls come from the lowest up)."""
    contacts, rank, begin = w.contacts, w.rank, w.begin
    count = w.count[CONTACTS]
    for i in range(n + 1):
        begin[i] = 0
    for q in range(count):
        begin[int(contacts[q, PAIR_J])] += 1
    total = 0
    for i in range(n):
        here = begin[i]
        begin[i] = total
        total += here
    for q in range(count):
        j = int(contacts[q, PAIR_J])
        rank[begin[j]] = q
        begin[j] += 1


@inner
def part_overlaps(w: Work) -> None:
    """Where balls that lie on each other overlap, note how they are to give way: from the lowest up, and the higher
    one alone where it lies on the other."""
    b, contacts = w.b, w.contacts
    for t in range(w.count[CONTACTS]):
        q = w.rank[t]
        i, j = int(contacts[q, PAIR_I]), int(contacts[q, PAIR_J])
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


@inner
def carry(w: Work) -> None:
    """Once from the lowest up: who lies on another takes its speed over, and the other none of its. What a few rounds
    have not yet brought down to the ground is no sinking so (source: shock propagation, Guendelman, Bridson and
    Fedkiw, "Nonconvex rigid bodies with stacking", 2003)."""
    b, contacts = w.b, w.contacts
    for t in range(w.count[CONTACTS]):
        q = w.rank[t]
        if contacts[q, PAIR_STEEP] == 0.0:
            continue
        i, j = int(contacts[q, PAIR_I]), int(contacts[q, PAIR_J])
        if b[j, LIGHT] == 0.0:
            continue
        nx, ny, nz = contacts[q, PAIR_N], contacts[q, PAIR_N + 1], contacts[q, PAIR_N + 2]
        vx, vy, vz = b[i, V] - b[j, V], b[i, V + 1] - b[j, V + 1], b[i, V + 2] - b[j, V + 2]
        closing = nx * vx + ny * vy + nz * vz + contacts[q, PAIR_MAY]
        if closing < 0.0:
            b[j, V] += closing * nx
            b[j, V + 1] += closing * ny
            b[j, V + 2] += closing * nz
            contacts[q, PAIR_PN] = max(contacts[q, PAIR_PN], 1e-12)


@inner
def strikes(closing: float, gap: float, numbers: Any) -> bool:
    """Whether who moves so (m/s, away where positive) will be fast enough over the gap to bounce."""
    if closing >= 0.0:
        return False
    return bool(closing * closing + 2.0 * numbers[PULL] * gap > numbers[SLOW] * numbers[SLOW])


@inner
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


@inner
def press_plane(b: Any, planes: Any, i: int, p: int) -> None:
    """Let the plane hold ball i, and grip it."""
    nx, ny, nz = planes[p, N], planes[p, N + 1], planes[p, N + 2]
    vx, vy, vz = b[i, V] - planes[p, OF_V], b[i, V + 1] - planes[p, OF_V + 1], b[i, V + 2] - planes[p, OF_V + 2]
    vn = nx * vx + ny * vy + nz * vz
    now = max(planes[p, PN] - (vn + planes[p, MAY]), 0.0)
    jn = now - planes[p, PN]
    planes[p, PN] = now
    b[i, V] += jn * nx
    b[i, V + 1] += jn * ny
    b[i, V + 2] += jn * nz
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
    b[i, V] += jx
    b[i, V + 1] += jy
    b[i, V + 2] += jz
    turn = 2.5 / r
    b[i, SPIN] -= turn * (ny * jz - nz * jy)
    b[i, SPIN + 1] -= turn * (nz * jx - nx * jz)
    b[i, SPIN + 2] -= turn * (nx * jy - ny * jx)


@inner
def press_pair(b: Any, contacts: Any, q: int, grips: bool) -> None:
    """Let two balls hold each other, and grip each other."""
    i, j = int(contacts[q, PAIR_I]), int(contacts[q, PAIR_J])
    share = b[i, LIGHT] + b[j, LIGHT]
    nx, ny, nz = contacts[q, PAIR_N], contacts[q, PAIR_N + 1], contacts[q, PAIR_N + 2]
    vx, vy, vz = b[i, V] - b[j, V], b[i, V + 1] - b[j, V + 1], b[i, V + 2] - b[j, V + 2]
    vn = nx * vx + ny * vy + nz * vz
    now = max(contacts[q, PAIR_PN] - (vn + contacts[q, PAIR_MAY]) / share, 0.0)
    jn = now - contacts[q, PAIR_PN]
    if jn != 0.0:
        contacts[q, PAIR_PN] = now
        si, sj = jn * b[i, LIGHT], jn * b[j, LIGHT]
        b[i, V] += si * nx
        b[i, V + 1] += si * ny
        b[i, V + 2] += si * nz
        b[j, V] -= sj * nx
        b[j, V + 1] -= sj * ny
        b[j, V + 2] -= sj * nz
    if not grips or contacts[q, PAIR_GRIP] <= 0.0 or now <= 0.0:
        return
    ri, rj = b[i, RADIUS], b[j, RADIUS]
    wx = ri * b[i, SPIN] + rj * b[j, SPIN]
    wy = ri * b[i, SPIN + 1] + rj * b[j, SPIN + 1]
    wz = ri * b[i, SPIN + 2] + rj * b[j, SPIN + 2]
    ux = vx - vn * nx - (wy * nz - wz * ny)
    uy = vy - vn * ny - (wz * nx - wx * nz)
    uz = vz - vn * nz - (wx * ny - wy * nx)
    give = TWO_SEVENTHS / share
    tx = contacts[q, PAIR_PT] - give * ux
    ty = contacts[q, PAIR_PT + 1] - give * uy
    tz = contacts[q, PAIR_PT + 2] - give * uz
    most, size = contacts[q, PAIR_GRIP] * now, sqrt(tx * tx + ty * ty + tz * tz)
    if size > most:
        part = most / size
        tx, ty, tz = part * tx, part * ty, part * tz
    jx, jy, jz = tx - contacts[q, PAIR_PT], ty - contacts[q, PAIR_PT + 1], tz - contacts[q, PAIR_PT + 2]
    contacts[q, PAIR_PT], contacts[q, PAIR_PT + 1], contacts[q, PAIR_PT + 2] = tx, ty, tz
    b[i, V] += b[i, LIGHT] * jx
    b[i, V + 1] += b[i, LIGHT] * jy
    b[i, V + 2] += b[i, LIGHT] * jz
    b[j, V] -= b[j, LIGHT] * jx
    b[j, V + 1] -= b[j, LIGHT] * jy
    b[j, V + 2] -= b[j, LIGHT] * jz
    cx, cy, cz = ny * jz - nz * jy, nz * jx - nx * jz, nx * jy - ny * jx
    ti, tj = 2.5 * b[i, LIGHT] / ri, 2.5 * b[j, LIGHT] / rj
    b[i, SPIN] -= ti * cx
    b[i, SPIN + 1] -= ti * cy
    b[i, SPIN + 2] -= ti * cz
    b[j, SPIN] -= tj * cx
    b[j, SPIN + 1] -= tj * cy
    b[j, SPIN + 2] -= tj * cz


@inner
def press_planes(w: Work, n: int) -> None:
    """All planes of all balls: once, or where a ball touches several, until it has settled between them."""
    for i in range(n):
        count = w.k[i, PLANES]
        for _ in range(1 if count < 2 else SETTLE):
            for p in range(i * MAX_PLANES, i * MAX_PLANES + count):
                if w.planes[p, PN] != LEFT_OUT:
                    press_plane(w.b, w.planes, i, p)


@inner
def press(w: Work, numbers: Any, n: int) -> None:
    """Solve all contacts. The planes of the level come last in each round: they hold to the last bit."""
    count, rounds = w.count[CONTACTS], int(numbers[ITERATIONS])
    if count == 0:
        rounds = 1
    for turn in range(rounds):
        grips = turn == rounds - 1
        for t in range(count - 1, -1, -1):  # the weight goes down
            press_pair(w.b, w.contacts, w.rank[t], grips)
        press_planes(w, n)
        for t in range(count):  # and what holds it comes up
            press_pair(w.b, w.contacts, w.rank[t], False)
        press_planes(w, n)
    if count > 0:
        carry(w)
        press_planes(w, n)
    for q in range(count):
        if w.contacts[q, PAIR_PN] > 0.0:
            for c in (PAIR_I, PAIR_J):
                i = int(w.contacts[q, c])
                w.k[i, PRESSED] = IN_A_PILE
                slow_spin(w.b, i, w.b[i, ROLL] * w.b[i, LIGHT] * w.contacts[q, PAIR_PN])
    for i in range(n):
        for p in range(i * MAX_PLANES, i * MAX_PLANES + w.k[i, PLANES]):
            if w.planes[p, PN] > 0.0:
                w.k[i, PRESSED] = max(w.k[i, PRESSED], 1)
                resist(w, i, p)


@inner
def slow_spin(b: Any, i: int, loss: float) -> None:
    """Rolling resistance between two balls: each spins more slowly, at the rim by `loss` m/s."""
    wx, wy, wz = b[i, SPIN], b[i, SPIN + 1], b[i, SPIN + 2]
    rim = b[i, RADIUS] * sqrt(wx * wx + wy * wy + wz * wz)
    keep = 1.0 - loss / rim if rim > loss else 0.0
    b[i, SPIN], b[i, SPIN + 1], b[i, SPIN + 2] = keep * wx, keep * wy, keep * wz


@inner
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


@inner
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

