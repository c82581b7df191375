"""One tick of many balls as one kernel: gather, contacts, impacts, rest (docs/balls.md)."""

from __future__ import annotations

from math import sqrt
from typing import Any

from ..numerics.jit import inlined, inner, kernel
from .broad_phase import column_side, find_pairs
from .contacts import carry_out, find_contacts, leave_impacts, part_overlaps
from .continuous_collision import advance, first_impacts, run_events
from .mesh_contacts import find_room, sweep_mesh, touch_mesh
from .platform_contacts import beyond_body, far_from, set_movers, touch_bodies, touch_movers
from .scratch import (
    APART,
    ASLEEP,
    BEFORE,
    BOUNCE,
    CARRIED,
    CLEAR,
    DT,
    EVENTS,
    FIRST_PLANE,
    GAP,
    GRIP,
    GX,
    IN_A_PILE,
    LIGHT,
    LISTED,
    MARGIN,
    MASS,
    MAX_PLANES,
    MOST_PUSH,
    MOVER_MOVES,
    OF_V,
    PAIR_TOUCH,
    PAIRS,
    PILED,
    PLANES,
    PRESSED,
    PULL,
    PUSH,
    RADIUS,
    REACH,
    RESTED,
    ROLL,
    ROOM,
    SKIN,
    SLEEP_SPEED,
    SLEEP_TICKS,
    SPIN,
    STAMP,
    START,
    STILL,
    UNLISTED,
    WAKES,
    WANT_HEAP,
    WANT_NEAR,
    WANT_PAIRS,
    WRONG,
    A,
    Ground,
    N,
    Others,
    T,
    V,
    Work,
    X,
)
from .solver import press
from .triangle_lists import list_all

# Places in a ball's row (game.physics.balls.balls.BALL_ROW), as floats; the last two as ints
ROW_POSITION, ROW_VELOCITY, ROW_SPIN, ROW_TURN, ROW_RADIUS, ROW_MASS, ROW_BOUNCE, ROW_GRIP, ROW_ROLL = (
    0,
    3,
    6,
    9,
    13,
    14,
    15,
    16,
    17,
)
ROW_STILL, ROW_ASLEEP, ROW_NUMBER = 18, 19, 20
ROW_WIDTH = 21
SLACK = 0.12


@inlined
def possible(rows: Any, spans: Any, n: int) -> bool:
    """Whether all that stands in the rows of the balls is within the least and the most there may be of it."""
    fits = True
    for i in range(n):
        for c in range(spans.shape[1]):
            fits &= (rows[i, c] >= spans[0, c]) & (rows[i, c] <= spans[1, c])
    return fits


@inner
def load(w: Work, numbers: Any, rows: Any, ints: Any, order: Any, n: int) -> None:
    """The rows of the balls, in the order in which they are worked on, as the tick works on them."""
    b, k = w.b, w.k
    for i in range(n):
        row = order[i]
        for axis in range(3):
            b[i, X + axis] = b[i, START + axis] = rows[row, ROW_POSITION + axis]
            b[i, V + axis] = b[i, BEFORE + axis] = rows[row, ROW_VELOCITY + axis]
            b[i, SPIN + axis] = rows[row, ROW_SPIN + axis]
            b[i, A + axis] = b[i, PUSH + axis] = 0.0
        b[i, T] = 0.0
        b[i, RADIUS], b[i, MASS] = rows[row, ROW_RADIUS], rows[row, ROW_MASS]
        b[i, BOUNCE], b[i, GRIP], b[i, ROLL] = rows[row, ROW_BOUNCE], rows[row, ROW_GRIP], rows[row, ROW_ROLL]
        b[i, ROOM] = b[i, RADIUS]
        k[i, ASLEEP], k[i, STILL] = ints[row, ROW_ASLEEP] & 1, ints[row, ROW_STILL]
        k[i, STAMP] = k[i, EVENTS] = k[i, PLANES] = k[i, PRESSED] = k[i, RESTED] = k[i, CARRIED] = k[i, CLEAR] = 0
        k[i, LISTED] = UNLISTED
        speed = sqrt(b[i, V] * b[i, V] + b[i, V + 1] * b[i, V + 1] + b[i, V + 2] * b[i, V + 2])
        way = numbers[DT] * (speed + 0.5 * numbers[DT] * numbers[PULL])
        b[i, REACH] = (1.0 + SLACK) * b[i, RADIUS] + (way if k[i, ASLEEP] == 0 else 0.0)
        b[i, LIGHT] = 1.0 / b[i, MASS] if k[i, ASLEEP] == 0 else 0.0


@inner
def wake_neighbours(w: Work, numbers: Any) -> None:
    """A ball asleep that a moving one touches wakes."""
    b, k = w.b, w.k
    wakes = WAKES * PILED * numbers[SLEEP_SPEED]
    for q in range(w.count[PAIRS]):
        i, j = w.pairs[q, 0], w.pairs[q, 1]
        if (k[i, ASLEEP] != 0) == (k[j, ASLEEP] != 0):
            continue
        sleeper, other = (i, j) if k[i, ASLEEP] != 0 else (j, i)
        vx, vy, vz = b[other, V], b[other, V + 1], b[other, V + 2]
        dx, dy, dz = b[i, X] - b[j, X], b[i, X + 1] - b[j, X + 1], b[i, X + 2] - b[j, X + 2]
        near = b[i, RADIUS] + b[j, RADIUS] + PAIR_TOUCH
        if vx * vx + vy * vy + vz * vz > wakes * wakes and dx * dx + dy * dy + dz * dz <= near * near:
            wake(w, sleeper)


@inner
def wake_left(w: Work, numbers: Any) -> None:
    """A ball asleep that another one has just moved away from wakes: it may have lain on it."""
    b, k = w.b, w.k
    for q in range(w.count[PAIRS]):
        i, j = w.pairs[q, 0], w.pairs[q, 1]
        if (k[i, ASLEEP] != 0) == (k[j, ASLEEP] != 0):
            continue
        before, after = 0.0, 0.0
        for axis in range(3):
            d = b[i, START + axis] - b[j, START + axis]
            before += d * d
            d = b[i, X + axis] - b[j, X + axis]
            after += d * d
        near = b[i, RADIUS] + b[j, RADIUS] + APART
        if before <= near * near < after:
            wake(w, i if k[i, ASLEEP] != 0 else j)


@inner
def wake(w: Work, i: int) -> None:
    """Ball i is awake from this tick on."""
    w.k[i, ASLEEP] = w.k[i, STILL] = 0
    w.b[i, LIGHT] = 1.0 / w.b[i, MASS]


@inlined
def touch_all(mesh: Ground, others: Others, w: Work, numbers: Any, i: int) -> None:
    """The planes that ball i may press in this tick."""
    b, margin = w.b, numbers[MARGIN]
    touch_mesh(mesh, w, i, b[i, X], b[i, X + 1], b[i, X + 2], margin)
    touch_movers(others, w, i, 0.0, numbers[DT], margin)
    touch_bodies(others, w, i, 0.0, numbers[DT], margin)


@inner
def wake_by_movers(others: Others, w: Work, n: int) -> None:
    """A ball asleep where a mover that moves may come, or a body, wakes."""
    m, e = others.movers, others.bodies
    for i in range(n):
        if w.k[i, ASLEEP] == 0:
            continue
        reach = w.b[i, RADIUS] + APART
        for k in range(m.shape[0]):
            if m[k, MOVER_MOVES] != 0.0 and not far_from(m, k, w.b, i, reach):
                wake(w, i)
        for k in range(e.shape[0]):
            if not beyond_body(e, k, w.b, i, reach):
                wake(w, i)


@inlined
def leave(mesh: Ground, others: Others, w: Work, numbers: Any, i: int) -> None:
    """Find what ball i touches; where it is stuck in something, move it out of it a little."""
    b, planes = w.b, w.planes
    if w.k[i, CLEAR] != 0:
        b[i, ROOM] = b[i, RADIUS] + SKIN
        return
    for look in range(2):
        w.k[i, PLANES] = 0
        touch_all(mesh, others, w, numbers, i)
        stuck = False
        for p in range(i * MAX_PLANES, i * MAX_PLANES + w.k[i, PLANES]):
            if planes[p, GAP] < 0.0 and look == 0:
                stuck = True
                out = min(SKIN - planes[p, GAP], MOST_PUSH * b[i, RADIUS])
                for axis in range(3):
                    b[i, X + axis] += out * planes[p, N + axis]
        if not stuck:
            break
    find_room(w, i)


@inner
def leave_all(mesh: Ground, others: Others, w: Work, numbers: Any, n: int) -> None:
    """The same of all that are awake; and note who touches what moves."""
    k, planes = w.k, w.planes
    for i in range(n):
        if k[i, ASLEEP] == 0:
            leave(mesh, others, w, numbers, i)
            for p in range(i * MAX_PLANES, i * MAX_PLANES + k[i, PLANES]):
                if planes[p, OF_V] != 0.0 or planes[p, OF_V + 1] != 0.0 or planes[p, OF_V + 2] != 0.0:
                    k[i, CARRIED] = 1


@inlined
def give_way(mesh: Ground, others: Others, w: Work, numbers: Any, i: int) -> None:
    """Move ball i as other balls push it: into nothing that it touches, and as far as there is room."""
    b, planes = w.b, w.planes
    dx, dy, dz = b[i, PUSH], b[i, PUSH + 1], b[i, PUSH + 2]
    if dx == 0.0 and dy == 0.0 and dz == 0.0:
        return
    for _ in range(2):
        for p in range(i * MAX_PLANES, i * MAX_PLANES + w.k[i, PLANES]):
            into = min(planes[p, N] * dx + planes[p, N + 1] * dy + planes[p, N + 2] * dz, 0.0)
            dx, dy, dz = dx - into * planes[p, N], dy - into * planes[p, N + 1], dz - into * planes[p, N + 2]
    square = dx * dx + dy * dy + dz * dz
    most = MOST_PUSH * b[i, RADIUS]
    if square > most * most:
        part = most / sqrt(square)
        dx, dy, dz = part * dx, part * dy, part * dz
    if w.k[i, CLEAR] != 0:
        b[i, X], b[i, X + 1], b[i, X + 2] = b[i, X] + dx, b[i, X + 1] + dy, b[i, X + 2] + dz
        return
    part = min(sweep_mesh(mesh, w, i, b[i, X], b[i, X + 1], b[i, X + 2], dx, dy, dz, b[i, ROOM]), 1.0)
    b[i, X] += part * dx
    b[i, X + 1] += part * dy
    b[i, X + 2] += part * dz
    w.k[i, PLANES] = 0
    touch_all(mesh, others, w, numbers, i)
    find_room(w, i)


@inner
def give_way_all(mesh: Ground, others: Others, w: Work, numbers: Any, n: int) -> None:
    """The same of all."""
    for i in range(n):
        give_way(mesh, others, w, numbers, i)


@inlined
def settle(w: Work, numbers: Any, i: int) -> None:
    """Count the ticks for which ball i has hardly moved on what carries it; let it sleep when they are enough."""
    b, k = w.b, w.k
    piled = k[i, PRESSED] == IN_A_PILE
    still = numbers[SLEEP_SPEED] * (PILED if piled else 1.0)
    if still <= 0.0 or (k[i, PRESSED] == 0 and k[i, RESTED] == 0) or k[i, CARRIED] != 0:
        k[i, STILL] = 0
        return
    speed, spin = 0.0, 0.0
    for axis in range(3):
        if piled:  # wedged in, it has a speed that gets it nowhere
            way = (b[i, X + axis] - b[i, START + axis]) / numbers[DT]
            speed += way * way
        else:
            speed += b[i, V + axis] * b[i, V + axis]
            spin += b[i, SPIN + axis] * b[i, SPIN + axis]
    if speed > still * still or spin * b[i, RADIUS] * b[i, RADIUS] > still * still:
        k[i, STILL] = 0
        return
    k[i, STILL] += 1
    if float(k[i, STILL]) >= numbers[SLEEP_TICKS]:
        k[i, ASLEEP] = 1
        for axis in range(3):
            b[i, V + axis] = b[i, SPIN + axis] = 0.0


@inlined
def save(w: Work, numbers: Any, rows: Any, row: int, i: int) -> None:
    """Ball i's row after the tick, with its turn (a unit quaternion w, x, y, z) carried on by its spin."""
    b = w.b
    for axis in range(3):
        rows[row, ROW_POSITION + axis] = b[i, X + axis]
        rows[row, ROW_VELOCITY + axis] = b[i, V + axis]
        rows[row, ROW_SPIN + axis] = b[i, SPIN + axis]
    half = 0.5 * numbers[DT]
    sx, sy, sz = half * b[i, SPIN], half * b[i, SPIN + 1], half * b[i, SPIN + 2]
    if sx == 0.0 and sy == 0.0 and sz == 0.0:
        return
    qw, qx, qy, qz = rows[row, ROW_TURN], rows[row, ROW_TURN + 1], rows[row, ROW_TURN + 2], rows[row, ROW_TURN + 3]
    tw = qw - sx * qx - sy * qy - sz * qz
    tx = qx + sx * qw + sy * qz - sz * qy
    ty = qy + sy * qw + sz * qx - sx * qz
    tz = qz + sz * qw + sx * qy - sy * qx
    scale = 1.0 / sqrt(tw * tw + tx * tx + ty * ty + tz * tz)
    rows[row, ROW_TURN], rows[row, ROW_TURN + 1] = scale * tw, scale * tx
    rows[row, ROW_TURN + 2], rows[row, ROW_TURN + 3] = scale * ty, scale * tz


@inner
def touch_each_other(w: Work, numbers: Any, n: int) -> None:
    """Which balls touch, and how those that overlap are to give way."""
    find_contacts(w, numbers, n)
    part_overlaps(w, n)


@inner
def hold(w: Work, numbers: Any, n: int) -> None:
    """Gravity, and what it makes of the contacts: each ball's velocity and acceleration at the tick's beginning."""
    b, k = w.b, w.k
    for i in range(n):
        if k[i, ASLEEP] == 0:
            leave_impacts(w, i, numbers)
            for axis in range(3):
                b[i, V + axis] += numbers[DT] * numbers[GX + axis]
    press(w, numbers, n)
    for i in range(n):
        if k[i, ASLEEP] != 0:
            continue
        if k[i, PRESSED] != 0:
            carry_out(w, i, numbers)
        else:
            for axis in range(3):
                b[i, V + axis], b[i, A + axis] = b[i, BEFORE + axis], numbers[GX + axis]


@inner
def save_all(w: Work, numbers: Any, rows: Any, order: Any, n: int) -> None:
    """Each ball that is awake goes to the tick's end; who has lain long enough falls asleep."""
    b, k = w.b, w.k
    for i in range(n):
        if k[i, ASLEEP] == 0:
            if b[i, T] < numbers[DT]:
                advance(b, i, numbers[DT])
            settle(w, numbers, i)
            save(w, numbers, rows, order[i], i)


@kernel
def balls_tick(
    mesh: Ground, others: Others, clock: float, w: Work, numbers: Any, spans: Any, order: Any, rows: Any, ints: Any
) -> bool:
    """Advance all balls by the tick that begins at `clock`, in place. `order`: that in which they are worked on;
    `spans`, (2, columns): the least and the most that may stand in a row. False where something is beyond these
    (WRONG), or the scratch memory is too small (w.count says what is wanted): nothing is changed then."""
    n = rows.shape[0]
    w.count[WRONG] = w.count[WANT_NEAR] = w.count[WANT_HEAP] = w.count[FIRST_PLANE] = 0
    if not possible(rows, spans, n):
        w.count[WRONG] = 1
        return False
    load(w, numbers, rows, ints, order, n)
    set_movers(others, clock, numbers[DT])
    wake_by_movers(others, w, n)
    side = column_side(w, n)
    find_pairs(w, numbers, n, side)
    if w.count[WANT_PAIRS] > 0:
        return False
    wake_neighbours(w, numbers)
    list_all(mesh, others, w, n, side)
    leave_all(mesh, others, w, numbers, n)
    touch_each_other(w, numbers, n)
    hold(w, numbers, n)
    give_way_all(mesh, others, w, numbers, n)
    first_impacts(mesh, others, w, numbers, n)
    run_events(mesh, others, w, numbers, n, side)
    if w.count[WANT_NEAR] > 0 or w.count[WANT_HEAP] > 0:
        return False
    save_all(w, numbers, rows, order, n)
    wake_left(w, numbers)
    for i in range(n):
        ints[order[i], ROW_STILL], ints[order[i], ROW_ASLEEP] = w.k[i, STILL], w.k[i, ASLEEP]
    return True
