"""The next impacts of a ball with others, whatever way each goes until then."""

from __future__ import annotations

from math import sqrt
from typing import Any

from ..mesh.geometry import MISS
from ..numerics.jit import inlined
from .broad_phase import axes_of, cell_at, wander
from .event_queue import push_event
from .scratch import (
    DT,
    LIGHT,
    OUT,
    RADIUS,
    REACH,
    START,
    STRAY,
    UPX,
    UPY,
    UPZ,
    WANDERERS,
    WANDERS,
    WIDE,
    WIDES,
    A,
    T,
    V,
    Work,
    X,
)
from .surface_impacts import STIRS

TOUCHING = 1e-12  # part of the square of their distance: balls nearer than by this touch
FINE = 1e-6  # part of the squares of what is given: more than rounding makes of a first look


@inlined
def meet_ball(w: Work, numbers: Any, i: int, j: int) -> None:
    """Find the next impact of two balls, and put it onto the heap."""
    b = w.b
    if b[i, LIGHT] + b[j, LIGHT] <= 0.0:
        return
    now = max(b[i, T], b[j, T])
    left = numbers[DT] - now
    if left <= 0.0:
        return
    si, sj = now - b[i, T], now - b[j, T]
    both = b[i, RADIUS] + b[j, RADIUS]
    qx, qy, qz, dx, dy, dz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for axis in range(3):
        vi, vj = b[i, V + axis] + si * b[i, A + axis], b[j, V + axis] + sj * b[j, A + axis]
        q = (b[i, X + axis] + 0.5 * si * (b[i, V + axis] + vi)) - (b[j, X + axis] + 0.5 * sj * (b[j, V + axis] + vj))
        d = left * ((vi - vj) + 0.5 * left * (b[i, A + axis] - b[j, A + axis]))
        if axis == 0:
            qx, dx = q, d
        elif axis == 1:
            qy, dy = q, d
        else:
            qz, dz = q, d
    slow = min(w.slow[i], w.slow[j]) * left + STIRS
    when = impact(slow, both, qx, qy, qz, dx, dy, dz)
    if when <= 1.0:
        push_event(w, now + when * left, min(i, j), max(i, j))


@inlined
def impact(slow: float, both: float, qx: float, qy: float, qz: float, dx: float, dy: float, dz: float) -> float:
    """At which part of its way a ball that is at q, seen from another one, and moves on by d, is as near as `both`
    radii make it; 0 where it is already, MISS where it does not come so near, or comes nearer by no more than `slow`
    metres in all: that is no impact, contacts see to it, in the next tick at the latest."""
    qd = qx * dx + qy * dy + qz * dz
    if qd >= 0.0:
        return MISS
    qq, dd = qx * qx + qy * qy + qz * qz, dx * dx + dy * dy + dz * dz
    room = qq - both * both
    if -qd <= slow * sqrt(qq):
        return MISS
    if room <= TOUCHING * both * both:
        return 0.0
    inside = qd * qd - dd * room
    if inside <= 0.0:
        return MISS
    return float(room / (sqrt(inside) - qd))


@inlined
def look_ahead(w: Work, numbers: Any, n: int) -> None:
    """Where each ball is and how fast it is on the average of the tick, in w.spots and w.v, for `nears`."""
    b, half = w.b, 0.5 * numbers[DT]
    for i in range(n):
        for axis in range(3):
            w.spots[i, axis], w.v[i, axis] = b[i, X + axis], b[i, V + axis] + half * b[i, A + axis]


@inlined
def nears(spots: Any, v: Any, i: int, j: int, slow: float) -> bool:
    """Whether two balls, at the beginning of the tick, come nearer in it fast enough to strike: a first look."""
    qx, qy, qz = spots[i, 0] - spots[j, 0], spots[i, 1] - spots[j, 1], spots[i, 2] - spots[j, 2]
    closing = -(qx * (v[i, 0] - v[j, 0]) + qy * (v[i, 1] - v[j, 1]) + qz * (v[i, 2] - v[j, 2]))
    square = qx * qx + qy * qy + qz * qz
    return bool((closing > 0.0) & (closing * closing > 0.999 * slow * slow * square))


@inlined
def meet_balls(w: Work, numbers: Any, n: int, side: float, i: int) -> None:
    """Find all next impacts of ball i with other balls, wherever its way leads it."""
    b, low, high = w.b, w.hit, w.hit
    left = numbers[DT] - b[i, T]
    here, there = 0.0, 0.0
    for axis in range(3):
        d = left * (b[i, V + axis] + 0.5 * left * b[i, A + axis])
        off = b[i, X + axis] - b[i, START + axis]
        here, there = here + off * off, there + (off + d) * (off + d)
        wide = b[i, RADIUS] + 0.5 * side
        low[axis], high[axis + 3] = b[i, X + axis] + min(d, 0.0) - wide, b[i, X + axis] + max(d, 0.0) + wide
    reach = b[i, RADIUS] + sqrt(max(here, there))
    if reach <= b[i, REACH]:  # it stays where its pairs were looked for
        meet_beside(w, numbers, i)
        for q in range(w.count[WIDES], w.count[WANDERERS]):
            if comes_near(w, i, w.wanderers[q]):
                meet_ball(w, numbers, i, w.wanderers[q])
        return
    for q in range(ask_around(w, numbers, n, side, i, reach)):
        if w.asked[q] != i:
            meet_ball(w, numbers, i, int(w.asked[q]))


@inlined
def comes_near(w: Work, i: int, j: int) -> bool:
    """Whether ball j, which goes further than its pairs were looked for, may come where ball i gets, which does not."""
    b = w.b
    if i == j:
        return False
    dx, dy, dz = b[i, START] - b[j, START], b[i, START + 1] - b[j, START + 1], b[i, START + 2] - b[j, START + 2]
    both = b[i, REACH] + b[j, STRAY]
    return bool(dx * dx + dy * dy + dz * dz <= both * both)


@inlined
def meet_beside(w: Work, numbers: Any, i: int) -> None:
    """The same of the others of its pairs: as meet_ball, with a first look at each that no guess has to be made for
    (most are not met, and a wrong guess takes a processor as long as the look)."""
    b, now = w.b, w.b[i, T]
    left = numbers[DT] - now
    if left <= 0.0:
        return
    x, y, z, r, light = b[i, X], b[i, X + 1], b[i, X + 2], b[i, RADIUS], b[i, LIGHT]
    vx, vy, vz, ax, ay, az = b[i, V], b[i, V + 1], b[i, V + 2], b[i, A], b[i, A + 1], b[i, A + 2]
    half, mine = 0.5 * left, w.slow[i]
    for q in range(w.others[i], w.others[i + 1]):
        j = w.beside[q]
        s = now - b[j, T]
        ux, uy, uz = b[j, V] + s * b[j, A], b[j, V + 1] + s * b[j, A + 1], b[j, V + 2] + s * b[j, A + 2]
        qx = x - (b[j, X] + 0.5 * s * (b[j, V] + ux))
        qy = y - (b[j, X + 1] + 0.5 * s * (b[j, V + 1] + uy))
        qz = z - (b[j, X + 2] + 0.5 * s * (b[j, V + 2] + uz))
        dx = left * ((vx - ux) + half * (ax - b[j, A]))
        dy = left * ((vy - uy) + half * (ay - b[j, A + 1]))
        dz = left * ((vz - uz) + half * (az - b[j, A + 2]))
        qd, qq, dd = qx * dx + qy * dy + qz * dz, qx * qx + qy * qy + qz * qz, dx * dx + dy * dy + dz * dz
        both, slow = r + b[j, RADIUS], min(mine, w.slow[j]) * left + STIRS
        room, fine = qq - both * both, FINE * (qq + dd)
        comes = (qd < 0.0) & (s >= 0.0) & (light + b[j, LIGHT] > 0.0) & (qd * qd > 0.999 * slow * slow * qq)
        meets = (room <= TOUCHING * both * both) | (qd * qd > dd * room)
        soon = (room + qd <= fine) | (room + qd + qd + dd <= fine)
        if comes & meets & soon:
            when = impact(slow, both, qx, qy, qz, dx, dy, dz)
            if when <= 1.0:
                push_event(w, now + when * left, min(i, j), max(i, j))


@inlined
def ask_around(w: Work, numbers: Any, n: int, side: float, i: int, reach: float) -> int:
    """List in w.asked whom ball i may meet that gets further than its pairs were looked for; how many these are."""
    b, k, low, high = w.b, w.k, w.hit, w.hit
    b[i, STRAY] = reach
    wander(w, i, OUT)
    asked = 0
    first, second = axes_of(numbers)
    each, mask = 1.0 / side, w.slots.shape[1] - 1
    a0, a1 = cell_at(low[first], each), cell_at(high[first + 3], each)
    c0, c1 = cell_at(low[second], each), cell_at(high[second + 3], each)
    if a1 - a0 > mask or c1 - c0 > mask:
        for j in range(n):
            w.asked[j] = j
        return n
    ux, uy, uz, far = numbers[UPX], numbers[UPY], numbers[UPZ], reach + 0.5 * side
    for ia in range(a0, a1 + 1):
        for ic in range(c0, c1 + 1):
            j = w.slots[0, ia & mask, ic & mask]
            while j < n:
                over = ux * (b[j, START] - b[i, START]) + uy * (b[j, START + 1] - b[i, START + 1])
                over += uz * (b[j, START + 2] - b[i, START + 2])
                if over < -far:
                    break
                if over <= far and k[j, WANDERS] == 0:
                    w.asked[asked] = j
                    asked += 1
                j = w.below[0, j]
    for q in range(w.count[WANDERERS]):
        if q >= w.count[WIDES] or k[w.wanderers[q], WANDERS] == WIDE:
            w.asked[asked] = w.wanderers[q]
            asked += 1
    return asked
