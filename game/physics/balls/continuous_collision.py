"""The impacts of a tick, one after the other in the order of their times, over all balls.

Each ball goes its own way until something happens to it; only then are its next impacts looked for again.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from ..numerics.jit import inlined, inner
from .ball_impacts import look_ahead, meet_ball, meet_balls, nears
from .event_queue import drop_first
from .impulse import strike_pair, strike_surface
from .mesh_contacts import find_room, sweep_mesh, touch_mesh
from .platform_contacts import follow, touch_bodies, touch_movers
from .scratch import (
    ASLEEP,
    CLEAR,
    DT,
    EVENTS,
    EVENTS_DONE,
    GAP,
    GX,
    GY,
    GZ,
    HEAP,
    HIT_N,
    LIGHT,
    MASS,
    MAX_PLANES,
    MOST_EVENTS,
    MOVER_WAY,
    OF_V,
    OUT,
    PAIRS,
    PARKED,
    PLANES,
    RESTED,
    ROOM,
    SLOW,
    STAMP,
    STILL,
    TOUCH,
    WANDERS,
    WANT_HEAP,
    A,
    Ground,
    N,
    Others,
    T,
    V,
    Work,
    X,
)
from .surface_impacts import meet_surface


@inner
def advance(b: Any, i: int, time: float) -> None:
    """Move ball i on to a time of the tick."""
    s = time - b[i, T]
    if s > 0.0:
        for axis in range(3):
            b[i, X + axis] += s * (b[i, V + axis] + 0.5 * s * b[i, A + axis])
            b[i, V + axis] += s * b[i, A + axis]
    b[i, T] = time


@inlined
def wait_out(mesh: Ground, others: Others, w: Work, numbers: Any, i: int) -> None:
    """Too much happened to ball i: it waits for the next tick where it is, or where movers push it until then, and
    keeps its velocity."""
    b, planes, m = w.b, w.planes, others.movers
    w.count[PARKED] += 1
    left, far = numbers[DT] - b[i, T], 0.0
    for one in range(m.shape[0]):
        far = max(far, m[one, MOVER_WAY])
    w.k[i, PLANES] = 0
    touch_movers(others, w, i, b[i, T], numbers[DT], far)
    dx, dy, dz = 0.0, 0.0, 0.0
    for _ in range(2):
        for p in range(i * MAX_PLANES, i * MAX_PLANES + w.k[i, PLANES]):
            nx, ny, nz = planes[p, N], planes[p, N + 1], planes[p, N + 2]
            comes = left * (nx * planes[p, OF_V] + ny * planes[p, OF_V + 1] + nz * planes[p, OF_V + 2])
            short = max(comes - max(planes[p, GAP], 0.0) - (nx * dx + ny * dy + nz * dz), 0.0)
            dx, dy, dz = dx + short * nx, dy + short * ny, dz + short * nz
    part = min(sweep_mesh(mesh, w, i, b[i, X], b[i, X + 1], b[i, X + 2], dx, dy, dz, b[i, ROOM]), 1.0)
    b[i, X], b[i, X + 1], b[i, X + 2] = b[i, X] + part * dx, b[i, X + 1] + part * dy, b[i, X + 2] + part * dz
    b[i, A] = b[i, A + 1] = b[i, A + 2] = 0.0
    b[i, T] = numbers[DT]


@inlined
def lean(w: Work, numbers: Any, i: int, nx: float, ny: float, nz: float) -> None:
    """Ball i came to rest against something in direction -n: for the rest of the tick it is not drawn into it."""
    b, k = w.b, w.k
    an = nx * b[i, A] + ny * b[i, A + 1] + nz * b[i, A + 2]
    k[i, RESTED] += 1
    if an < 0.0:
        for axis in range(3):
            n = nx if axis == 0 else (ny if axis == 1 else nz)
            b[i, A + axis] = 0.0 if k[i, RESTED] > 1 else b[i, A + axis] - an * n


@inner
def go_on(mesh: Ground, others: Others, w: Work, numbers: Any, n: int, side: float, i: int) -> None:
    """Ball i's way has changed: look for what it meets, or let it wait."""
    if w.k[i, EVENTS] > MOST_EVENTS:
        wait_out(mesh, others, w, numbers, i)
        return
    if w.k[i, ASLEEP] != 0:
        return
    meet_balls(w, numbers, n, side, i)
    if w.k[i, CLEAR] != 0 and w.k[i, WANDERS] != OUT:
        return  # no surface is as near as it can come in this tick
    w.k[i, CLEAR] = w.k[i, PLANES] = 0
    touch_mesh(mesh, w, i, w.b[i, X], w.b[i, X + 1], w.b[i, X + 2], TOUCH)
    touch_movers(others, w, i, w.b[i, T], numbers[DT], TOUCH)
    touch_bodies(others, w, i, w.b[i, T], numbers[DT], TOUCH)
    find_room(w, i)
    meet_surface(mesh, others, w, numbers, i)


@inlined
def changed(w: Work, i: int) -> None:
    """What was on the heap for ball i is void; one asleep stays where it is, and so does what was found for it."""
    if w.k[i, ASLEEP] == 0:
        w.k[i, STAMP] += 1
        w.k[i, EVENTS] += 1


@inner
def first_impacts(mesh: Ground, others: Others, w: Work, numbers: Any, n: int) -> None:
    """Of each ball the first impact with a surface, and of each pair the first with each other, on the heap."""
    w.count[HEAP] = w.count[WANT_HEAP] = w.count[EVENTS_DONE] = w.count[PARKED] = 0
    for i in range(n):
        meet_surface(mesh, others, w, numbers, i)
    look_ahead(w, numbers, n)
    for q in range(w.count[PAIRS]):
        i, j = w.pairs[q, 0], w.pairs[q, 1]
        if nears(w.spots, w.v, i, j, min(w.slow[i], w.slow[j])):
            meet_ball(w, numbers, i, j)


@inner
def run_events(mesh: Ground, others: Others, w: Work, numbers: Any, n: int, side: float) -> None:
    """All impacts of the tick; after it each ball is at the time of its last one."""
    b, k, heap, slow = w.b, w.k, w.heap, numbers[SLOW]
    while w.count[HEAP] > 0:
        time, i, j = heap[0, 0], int(heap[0, 1]), int(heap[0, 2])
        fresh = heap[0, 3] == float(k[i, STAMP]) and (j < 0 or heap[0, 4] == float(k[j, STAMP]))
        drop_first(w)
        if not fresh:
            continue
        w.count[EVENTS_DONE] += 1
        advance(b, i, time)
        changed(w, i)
        if j < 0:
            back = strike_surface(b, i, slow)
            if back <= 0.0:
                lean(w, numbers, i, b[i, HIT_N], b[i, HIT_N + 1], b[i, HIT_N + 2])
                follow(others, w, i, numbers[DT])
        else:
            advance(b, j, time)
            strike_balls(w, numbers, i, j)
            changed(w, j)
        for one in range(1 if j < 0 else 2):
            go_on(mesh, others, w, numbers, n, side, i if one == 0 else j)


@inlined
def strike_balls(w: Work, numbers: Any, i: int, j: int) -> None:
    """Two balls meet; one asleep wakes if it is struck, and else is as firm as the ground."""
    b, k = w.b, w.k
    nx, ny, nz = b[i, X] - b[j, X], b[i, X + 1] - b[j, X + 1], b[i, X + 2] - b[j, X + 2]
    away = sqrt(nx * nx + ny * ny + nz * nz)
    nx, ny, nz = (nx / away, ny / away, nz / away) if away > 0.0 else (0.0, 1.0, 0.0)
    vn = nx * (b[i, V] - b[j, V]) + ny * (b[i, V + 1] - b[j, V + 1]) + nz * (b[i, V + 2] - b[j, V + 2])
    slow = min(w.slow[i], w.slow[j])
    if vn < -slow:
        for one in (i, j):
            if k[one, ASLEEP] != 0:
                k[one, ASLEEP] = k[one, STILL] = 0
                b[one, LIGHT] = 1.0 / b[one, MASS]
                b[one, A], b[one, A + 1], b[one, A + 2] = numbers[GX], numbers[GY], numbers[GZ]
    back = strike_pair(b, i, j, nx, ny, nz, slow)
    if back <= 0.0:
        # the one above lies on the other
        above = nx * numbers[GX] + ny * numbers[GY] + nz * numbers[GZ]
        if above <= 0.0:
            lean(w, numbers, i, nx, ny, nz)
        else:
            lean(w, numbers, j, -nx, -ny, -nz)
