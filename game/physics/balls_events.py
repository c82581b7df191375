"""The impacts of a tick, one after the other in the order of their times, over all balls.

Each ball goes its own way until something happens to it; only then are its next impacts looked for again.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from game.physics.balls_grid import axes_of, cell_at, wander
from game.physics.balls_mesh import find_room, surface_of, sweep_mesh, touch_mesh
from game.physics.balls_movers import (
    BACK,
    beyond_body,
    far_from,
    out_of,
    speed_of,
    sweep_body,
    sweep_mover,
    touch_bodies,
    touch_movers,
)
from game.physics.balls_strike import strike_pair, strike_surface
from game.physics.balls_work import (
    ASLEEP,
    BODY_FROM,
    BODY_TO,
    BOUNCE,
    CLEAR,
    DT,
    EVENTS,
    EVENTS_DONE,
    GRIP,
    GX,
    GY,
    GZ,
    HEAP,
    HIT_BOUNCE,
    HIT_GRIP,
    HIT_N,
    HIT_V,
    LIGHT,
    MASS,
    MOST_EVENTS,
    MOVER_MOVES,
    OUT,
    PAIRS,
    PARKED,
    PLANES,
    RADIUS,
    REACH,
    RESTED,
    ROOM,
    SLOW,
    STAMP,
    START,
    STILL,
    TOUCH,
    UPX,
    UPY,
    UPZ,
    WANDERERS,
    WANDERS,
    WANT_HEAP,
    A,
    Ground,
    Others,
    T,
    V,
    Work,
    X,
)
from game.physics.geometry import MISS
from game.physics.jit import inlined, inner

NEVER = -1.0  # s
SINK = 2e-5  # m: what turns goes a little into what lies on it in a tick, and lets it out again in the next one
TOUCHING = 1e-12  # part of the square of their distance: balls nearer than by this touch
STIRS = 1e-13  # m: a way shorter than this meets nothing


@inlined
def push_event(w: Work, time: float, i: int, j: int) -> None:
    """Add an impact of ball i (with ball j, or with what its row says) to the heap."""
    heap, k = w.heap, w.k
    at = w.count[HEAP]
    if at >= heap.shape[0]:
        w.count[WANT_HEAP] += 1
        return
    w.count[HEAP] = at + 1
    while at > 0:
        up = (at - 1) // 2
        if not _before(time, i, j, heap, up):
            break
        for c in range(5):
            heap[at, c] = heap[up, c]
        at = up
    heap[at, 0], heap[at, 1], heap[at, 2], heap[at, 3] = time, float(i), float(j), float(k[i, STAMP])
    heap[at, 4] = float(k[j, STAMP]) if j >= 0 else 0.0


@inlined
def _before(time: float, i: int, j: int, heap: Any, row: int) -> bool:
    """Whether an event comes before that of a row: by time, and at one time in the order of the balls."""
    if time != heap[row, 0]:
        return bool(time < heap[row, 0])
    if float(i) != heap[row, 1]:
        return bool(float(i) < heap[row, 1])
    return bool(float(j) < heap[row, 2])


@inlined
def drop_first(w: Work) -> None:
    """Take the first event off the heap."""
    heap = w.heap
    last = w.count[HEAP] - 1
    w.count[HEAP] = last
    time, i, j = heap[last, 0], int(heap[last, 1]), int(heap[last, 2])
    at = 0
    while True:
        child = 2 * at + 1
        if child >= last:
            break
        if child + 1 < last and _before(
            heap[child + 1, 0], int(heap[child + 1, 1]), int(heap[child + 1, 2]), heap, child
        ):
            child += 1
        if _before(time, i, j, heap, child):
            break
        for c in range(5):
            heap[at, c] = heap[child, c]
        at = child
    if at != last:
        for c in range(5):
            heap[at, c] = heap[last, c]


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
def meet_surface(mesh: Ground, others: Others, w: Work, numbers: Any, i: int) -> None:
    """Find ball i's next impact with a surface; into its row and onto the heap."""
    b = w.b
    left = numbers[DT] - b[i, T]
    if w.k[i, ASLEEP] != 0 or w.k[i, CLEAR] != 0 or left <= 0.0 or w.k[i, EVENTS] > MOST_EVENTS:
        return
    x, y, z = b[i, X], b[i, X + 1], b[i, X + 2]
    half = 0.5 * left
    dx = left * (b[i, V] + half * b[i, A])
    dy = left * (b[i, V + 1] + half * b[i, A + 1])
    dz = left * (b[i, V + 2] + half * b[i, A + 2])
    r = b[i, ROOM]
    stirs = dx * dx + dy * dy + dz * dz >= STIRS * STIRS
    part = sweep_mesh(mesh, w, x, y, z, dx, dy, dz, r, 1.0) if stirs else MISS
    wait = NEVER
    if part <= 1.0:
        wait = take_hit(mesh, w, i, x, y, z, dx, dy, dz, part, left)
    time, reach = b[i, T], r + abs(dx) + abs(dy) + abs(dz)
    for one in range(others.movers.shape[0]):
        if far_from(others.movers, one, b, i, reach):
            continue
        most = min(part, 1.0)
        sink = SINK if others.movers[one, MOVER_MOVES] != 0.0 else 0.0
        found = sweep_mover(others, w, i, one, numbers, time, dx, dy, dz, r - sink, most)
        if found <= most and found < part:
            part, wait = found, found * left
            hit_mover(others, w, i, one, numbers[DT])
    for one in range(others.bodies.shape[0]):
        if beyond_body(others.bodies, one, b, i, reach):
            continue
        found = sweep_body(others, w, i, one, numbers[DT], time, dx, dy, dz, r - SINK, min(part, 1.0))
        if found <= 1.0 and found < part:
            part, wait = found, found * left
            for axis in range(3):
                b[i, HIT_N + axis] = others.pose[axis]
                went = others.bodies[one, BODY_TO + axis] - others.bodies[one, BODY_FROM + axis]
                b[i, HIT_V + axis] = went / numbers[DT]
            b[i, HIT_GRIP], b[i, HIT_BOUNCE] = BACK * b[i, GRIP], b[i, BOUNCE]
    if wait >= 0.0:
        push_event(w, time + wait, i, -1)


@inlined
def hit_mover(others: Others, w: Work, i: int, one: int, dt: float) -> None:
    """The surface of a mover that ball i meets, as sweep_mover left it, into its row."""
    b, hit, p, ground = w.b, w.hit, others.pose, others.ground
    cx, cy, cz, t = hit[1], hit[2], hit[3], int(hit[5])
    nx, ny, nz = hit[6] - cx, hit[7] - cy, hit[8] - cz
    away = sqrt(nx * nx + ny * ny + nz * nz)
    tri = ground.triangles
    if hit[4] == 0.0 or away < 1e-9:
        side = -1.0 if nx * tri[t, 9] + ny * tri[t, 10] + nz * tri[t, 11] < 0.0 else 1.0
        nx, ny, nz = side * tri[t, 9], side * tri[t, 10], side * tri[t, 11]
    else:
        nx, ny, nz = nx / away, ny / away, nz / away
    b[i, HIT_N], b[i, HIT_N + 1], b[i, HIT_N + 2] = out_of(p, nx, ny, nz)
    grip, _, bounce, east, south = surface_of(ground, b, i, t)
    b[i, HIT_GRIP], b[i, HIT_BOUNCE] = grip, bounce
    fx, fy, fz = out_of(p, east, 0.0, south)
    b[i, HIT_V] = fx + speed_of(others.movers, one, 0, cx, cy, cz, dt)
    b[i, HIT_V + 1] = fy + speed_of(others.movers, one, 1, cx, cy, cz, dt)
    b[i, HIT_V + 2] = fz + speed_of(others.movers, one, 2, cx, cy, cz, dt)


@inlined
def take_hit(
    mesh: Ground, w: Work, i: int, x: float, y: float, z: float, dx: float, dy: float, dz: float, part: float,
    left: float,
) -> float:  # fmt: skip
    """The surface of the level that ball i meets at a part of its way, as sweep_mesh left it, into its row; after how
    many seconds it does."""
    b, r = w.b, w.b[i, ROOM]
    hit = w.hit
    cx, cy, cz, t = hit[1], hit[2], hit[3], int(hit[5])
    nx, ny, nz = x + part * dx - cx, y + part * dy - cy, z + part * dz - cz
    away = sqrt(nx * nx + ny * ny + nz * nz)
    tri = mesh.triangles
    if hit[4] == 0.0 or away < 1e-9:
        side = -1.0 if nx * tri[t, 9] + ny * tri[t, 10] + nz * tri[t, 11] < 0.0 else 1.0
        nx, ny, nz = side * tri[t, 9], side * tri[t, 10], side * tri[t, 11]
    else:
        nx, ny, nz = nx / away, ny / away, nz / away
    b[i, HIT_N], b[i, HIT_N + 1], b[i, HIT_N + 2] = nx, ny, nz
    grip, _, bounce, east, south = surface_of(mesh, b, i, t)
    b[i, HIT_GRIP], b[i, HIT_BOUNCE] = grip, bounce
    b[i, HIT_V], b[i, HIT_V + 1], b[i, HIT_V + 2] = east, 0.0, south
    gap = nx * (x - cx) + ny * (y - cy) + nz * (z - cz) - r
    return time_across(b, i, nx, ny, nz, gap, part * left, left)


@inlined
def time_across(b: Any, i: int, nx: float, ny: float, nz: float, gap: float, about: float, left: float) -> float:
    """When ball i, on its curved way, has come nearer by `gap` along n; `about` when it does so on the chord."""
    vn = nx * b[i, V] + ny * b[i, V + 1] + nz * b[i, V + 2]
    an = nx * b[i, A] + ny * b[i, A + 1] + nz * b[i, A + 2]
    if gap <= 0.0 or abs(an) * left <= 1e-12 * abs(vn):
        return max(about, 0.0) if gap > 0.0 else 0.0
    inside = vn * vn - 2.0 * an * gap
    if inside < 0.0:
        return max(about, 0.0)
    root = sqrt(inside)
    if vn < 0.0:
        return float(min(2.0 * gap / (root - vn), left))
    return float(min((vn + root) / -an, left)) if an < 0.0 else max(about, 0.0)


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
    qd = qx * dx + qy * dy + qz * dz
    if qd >= 0.0:
        return
    qq, dd = qx * qx + qy * qy + qz * qz, dx * dx + dy * dy + dz * dz
    room = qq - both * both
    # so slow an approach is no impact: contacts see to it, in the next tick at the latest
    if -qd <= (numbers[SLOW] * left + STIRS) * sqrt(qq):
        return
    if room <= TOUCHING * both * both:
        push_event(w, now, min(i, j), max(i, j))
        return
    inside = qd * qd - dd * room
    if inside <= 0.0:
        return
    part = room / (sqrt(inside) - qd)
    if part <= 1.0:
        push_event(w, now + part * left, min(i, j), max(i, j))


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
    if closing <= 0.0:
        return False
    square = qx * qx + qy * qy + qz * qz
    return bool(closing * closing > 0.999 * slow * slow * square)


@inlined
def meet_balls(w: Work, numbers: Any, n: int, side: float, i: int) -> None:
    """Find all next impacts of ball i with other balls, wherever its way leads it."""
    b, k, low, high = w.b, w.k, w.hit, w.hit
    left = numbers[DT] - b[i, T]
    here, there = 0.0, 0.0
    for axis in range(3):
        d = left * (b[i, V + axis] + 0.5 * left * b[i, A + axis])
        off = b[i, X + axis] - b[i, START + axis]
        here, there = here + off * off, there + (off + d) * (off + d)
        wide = b[i, RADIUS] + 0.5 * side
        low[axis], high[axis + 3] = b[i, X + axis] + min(d, 0.0) - wide, b[i, X + axis] + max(d, 0.0) + wide
    reach = b[i, RADIUS] + sqrt(max(here, there))
    asked = 0
    if reach <= b[i, REACH]:  # it stays where its pairs were looked for
        for q in range(w.others[i], w.others[i + 1]):
            w.asked[asked] = w.beside[q]
            asked += 1
        for q in range(w.count[WANDERERS]):
            if k[w.wanderers[q], WANDERS] == OUT:
                w.asked[asked] = w.wanderers[q]
                asked += 1
    else:
        asked = ask_around(w, numbers, n, side, i, reach)
    for q in range(asked):
        if w.asked[q] != i:
            meet_ball(w, numbers, i, w.asked[q])


@inlined
def ask_around(w: Work, numbers: Any, n: int, side: float, i: int, reach: float) -> int:
    """List in w.asked whom ball i may meet that gets further than its pairs were looked for; how many these are."""
    b, k, low, high = w.b, w.k, w.hit, w.hit
    b[i, REACH] = reach
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
            while j >= 0:
                over = ux * (b[j, START] - b[i, START]) + uy * (b[j, START + 1] - b[i, START + 1])
                over += uz * (b[j, START + 2] - b[i, START + 2])
                if over < -far:
                    break
                if over <= far and k[j, WANDERS] == 0:
                    w.asked[asked] = j
                    asked += 1
                j = w.below[0, j]
    for q in range(w.count[WANDERERS]):
        w.asked[asked] = w.wanderers[q]
        asked += 1
    return asked


@inlined
def wait_out(w: Work, i: int) -> None:
    """Too much happened to ball i: it waits where it is for the next tick, and keeps its velocity."""
    w.count[PARKED] += 1
    for axis in range(3):
        w.b[i, A + axis] = 0.0


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
        wait_out(w, i)
        w.b[i, T] = numbers[DT]
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
        if nears(w.spots, w.v, i, j, numbers[SLOW]):
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
    if vn < -numbers[SLOW]:
        for one in (i, j):
            if k[one, ASLEEP] != 0:
                k[one, ASLEEP] = k[one, STILL] = 0
                b[one, LIGHT] = 1.0 / b[one, MASS]
                b[one, A], b[one, A + 1], b[one, A + 2] = numbers[GX], numbers[GY], numbers[GZ]
    back = strike_pair(b, i, j, nx, ny, nz, numbers[SLOW])
    if back <= 0.0:
        # the one above lies on the other
        above = nx * numbers[GX] + ny * numbers[GY] + nz * numbers[GZ]
        if above <= 0.0:
            lean(w, numbers, i, nx, ny, nz)
        else:
            lean(w, numbers, j, -nx, -ny, -nz)
