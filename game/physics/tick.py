"""One tick: state and command in, state out, and nothing else changed (order: docs/physics.md)."""

from __future__ import annotations

from math import sqrt
from typing import Any

from game.physics import command as cmd
from game.physics import settings as st
from game.physics.gather import cover, gather, take_shape, transform
from game.physics.jit import inner, kernel
from game.physics.move import STILL, clip_velocity, fall, record_touched, slide
from game.physics.projection import project3
from game.physics.stance import crouch, push_clear, stand
from game.physics.state import (
    BUFFER,
    COYOTE,
    CROUCHED,
    FALLING,
    FLAGS,
    GROUNDED,
    HEADING,
    JUMP_HELD,
    NORMAL,
    POSITION,
    RADII,
    SAFE,
    SLIDING,
    TICK,
    VELOCITY,
    WIDTH,
)
from game.physics.touching import best_ground, touch
from game.physics.trig import heading_sin_cos
from game.physics.turn import turn
from game.physics.walk import snap, walk
from game.physics.work import (
    BASE,
    BOUND,
    CLASS,
    COS_LIMIT,
    EVENTS,
    FUNNEL,
    GROUND,
    HEAD,
    JUMPED,
    LANDED,
    LOST,
    MOVED,
    NO_GROUND,
    NX,
    NY,
    NZ,
    PLANES,
    RECORDS,
    SHORT,
    SKIN,
    SNAPPED,
    STEP,
    STOPS,
    WALKABLE,
    WANTED,
    Mesh,
    R,
    Work,
)

TURN_REACH = 1.6  # radii; what a turn looks at
SPARE = 0.03  # m around what a tick needs, so that small pushes seldom find the candidates too few
SPAWN, BLOCKED = -1, -2
SPAWN_PUSH = 0.5  # m that a spawn may be moved to be clear
STRIDE = 0.15  # m: the longest way walked before the ground is looked for again
FIRM = 1e-9  # m: a plane asking for less than this leaves a standing body where it is


@inner
def _approach(now: float, wish: float, rate: float, gap: float, dt: float) -> tuple[float, float]:
    """(velocity, displacement) of one component after dt, changing by `rate` along a way of length `gap`, exactly."""
    reach = rate * dt
    if gap <= reach:
        ramp = gap / rate
        return wish, 0.5 * (now + wish) * ramp + wish * (dt - ramp)
    after = now + (wish - now) * (reach / gap)
    return after, 0.5 * (now + after) * dt


@inner
def _fallen(v: float, gravity: float, limit: float, dt: float) -> tuple[float, float]:
    """(velocity, displacement) after dt of gravity, exactly for constant acceleration up to the limit."""
    after = v - gravity * dt
    if after >= -limit:
        return after, v * dt - 0.5 * gravity * dt * dt
    if v <= -limit or gravity == 0.0:
        return -limit, -limit * dt
    ramp = (v + limit) / gravity
    return -limit, v * ramp - 0.5 * gravity * ramp * ramp - limit * (dt - ramp)


@inner
def _lower_rows(w: Work) -> int:
    """The planes that the body could lie on, as half-spaces without their gaps."""
    n = 0
    for p in range(w.count[PLANES]):
        if w.planes[p, NY] > 0.0:
            w.rows[n, 0], w.rows[n, 1], w.rows[n, 2] = w.planes[p, NX], w.planes[p, NY], w.planes[p, NZ]
            w.rows[n, 3] = 0.0
            n += 1
    return n


@inner
def _funnel(w: Work) -> bool:
    """Whether steep planes together hold the body: the way left to fall is no steeper than can be stood on."""
    n = _lower_rows(w)
    if n < 2:
        return False
    dx, dy, dz, _ = project3(w.rows, n, 0.0, -1.0, 0.0)
    return dx * dx + dy * dy + dz * dz <= 1.0 - w.body[COS_LIMIT] * w.body[COS_LIMIT]


@inner
def _firm(w: Work) -> bool:
    """Whether the touching set holds a standing body where it is, to the bit."""
    held = False
    for p in range(w.count[PLANES]):
        if w.planes[p, BOUND] > FIRM:
            return False
        if w.planes[p, CLASS] == WALKABLE and w.planes[p, BOUND] > -FIRM:
            held = True
    return held or (best_ground(w) < 0 and _funnel(w))


@inner
def _on_ground(w: Work, ux: float, uz: float, steps: bool, most: float) -> bool:
    """Walk by (ux, uz) and stay on the ground; whether it is still there. A long way is gone in pieces, so that
    stairs and slopes hold at any speed and tick rate as they do at slow ones."""
    pieces = int(sqrt(ux * ux + uz * uz) / STRIDE) + 1
    for piece in range(pieces):
        if steps:
            walk(w, ux / pieces, uz / pieces)
        else:
            slide(w, ux / pieces, uz / pieces)
        y = w.body[MOVED + 1]
        if not snap(w, most):
            left = pieces - 1 - piece
            if left > 0:
                slide(w, ux / pieces * left, uz / pieces * left)
            return False
        if w.body[MOVED + 1] < y - STILL:
            w.count[EVENTS] |= SNAPPED
    return True


@inner
def tick(
    w: Work,
    numbers: Any,
    ticks: Any,
    f: Any,
    i: Any,
    at: int,
    forward: float,
    strafe: float,
    view: int,
    buttons: int,
) -> None:
    """Advance the state in row `at` of f (floats) and i (ints, the same memory) by one tick."""
    b = w.body
    dt = numbers[st.DT]
    flags = i[at, FLAGS]
    grounded = flags & GROUNDED != 0
    crouched = flags & CROUCHED != 0
    w.count[RECORDS] = 0
    w.count[EVENTS] = 0
    w.count[STOPS] = 0
    b[COS_LIMIT] = numbers[st.COS_LIMIT]
    b[STEP] = numbers[st.STEP] if numbers[st.STEP] > 0.0 else numbers[st.RY]
    b[SKIN] = numbers[st.SKIN]
    b[GROUND] = NO_GROUND
    heading = i[at, HEADING]
    low, tall = numbers[st.CROUCH_RY], numbers[st.RY]
    take_shape(w, heading, numbers[st.RX], low if crouched else tall, numbers[st.RZ])
    vx, vz = f[at, VELOCITY], f[at, VELOCITY + 2]
    falling = f[at, FALLING]

    transform(w)

    # Inside something that it did not walk into: get clear, or go back to where it was safe.
    clear, _ = push_clear(w)
    if not clear:
        w.count[EVENTS] |= LOST
        for k in range(3):
            f[at, POSITION + k] = f[at, SAFE + k]
            f[at, VELOCITY + k] = 0.0
            f[at, NORMAL + k] = 0.0
        f[at, FALLING] = 0.0
        i[at, TICK] += 1
        i[at, FLAGS] = flags & CROUCHED
        return

    # Look, stance.
    if heading != view % 65536:
        heading = turn(w, heading, view, grounded, numbers[st.SNAP])
    wants_low = buttons & cmd.CROUCH != 0
    if wants_low and not crouched:
        crouch(w, heading, low)
        crouched = True
    elif crouched and not wants_low and stand(w, heading, tall):
        crouched = False

    # Jump.
    pressed = buttons & cmd.JUMP != 0
    buffer, coyote = i[at, BUFFER], i[at, COYOTE]
    if pressed and flags & JUMP_HELD == 0:
        buffer = ticks[st.BUFFER] + 1
    if grounded:
        coyote = ticks[st.COYOTE]
    jumping = buffer > 0 and (grounded or coyote > 0)
    if jumping:
        falling = numbers[st.JUMP]
        buffer, coyote = 0, 0
        w.count[EVENTS] |= JUMPED

    # Wish.
    length = forward * forward + strafe * strafe
    if length > 1.0:
        length = sqrt(length)
        forward, strafe = forward / length, strafe / length
    speed = numbers[st.WALK]
    if crouched:
        speed = numbers[st.CROUCH]
    elif buttons & cmd.SPRINT != 0:
        speed = numbers[st.SPRINT]
    s, c = heading_sin_cos(view)
    wx, wz = speed * (strafe * c - forward * s), speed * (-strafe * s - forward * c)
    wishes = forward != 0.0 or strafe != 0.0
    rate = numbers[st.ACCEL] if wishes else numbers[st.DECEL]
    if not grounded:
        rate = rate * numbers[st.AIR] if numbers[st.AIR] > 0.0 else 0.0
    gx, gz = wx - vx, wz - vz
    gap = sqrt(gx * gx + gz * gz)
    if gap == 0.0 or rate == 0.0:
        ux, uz = vx * dt, vz * dt
    else:
        vx, ux = _approach(vx, wx, rate, gap, dt)
        vz, uz = _approach(vz, wz, rate, gap, dt)

    # Move.
    sliding = False
    supported = False
    if grounded and not jumping:
        still = ux == 0.0 and uz == 0.0
        if still:
            cover(w, 0.0, 0.0, 0.0)
            touch(w)
            supported = _firm(w)
        if not supported:
            supported = _on_ground(w, ux, uz, numbers[st.STEP] > 0.0, numbers[st.SNAP])
        falling = 0.0
    elif ux != 0.0 or uz != 0.0:
        slide(w, ux, uz)
    vy = 0.0
    if not supported:
        falling, dy = _fallen(falling, numbers[st.GRAVITY], numbers[st.FALL], dt)
        rising = dy > 0.0
        y = b[MOVED + 1]
        landed, head, slid = fall(w, dy)
        if head and rising:
            falling = 0.0
            w.count[EVENTS] |= HEAD
        if landed and falling <= 0.0:
            supported = snap(w, b[R + 1] * 2.0 * numbers[st.SKIN])
            if supported:
                w.count[EVENTS] |= LANDED
        vy = falling
        if slid and not rising:
            sliding = True
            vy = falling * min(max((b[MOVED + 1] - y) / dy, 0.0), 1.0)  # the slope took the other part
            touch(w)
            if not supported and best_ground(w) < 0 and _funnel(w):
                supported = True
                w.count[EVENTS] |= FUNNEL
        elif flags & SLIDING != 0 and not supported and not rising:
            # off the slope: what is kept is the speed it really had, and this tick's pull
            falling = f[at, VELOCITY + 1] - numbers[st.GRAVITY] * dt
            vy = falling
    if supported:
        falling, vy, sliding = 0.0, 0.0, False

    vx, vz = clip_velocity(w, vx, vz)  # what really stopped it is taken out of it

    # The state of the next tick.
    still_there = b[MOVED] == 0.0 and b[MOVED + 1] == 0.0 and b[MOVED + 2] == 0.0
    for k in range(3):
        if not still_there:
            f[at, POSITION + k] = b[BASE + k] + b[MOVED + k]
        f[at, NORMAL + k] = 0.0
        f[at, RADII + k] = b[R + k]
    f[at, VELOCITY], f[at, VELOCITY + 1], f[at, VELOCITY + 2] = vx, vy, vz
    f[at, FALLING] = falling
    if supported:
        p = best_ground(w)
        if p >= 0:
            f[at, NORMAL], f[at, NORMAL + 1], f[at, NORMAL + 2] = w.planes[p, NX], w.planes[p, NY], w.planes[p, NZ]
            for k in range(3):
                f[at, SAFE + k] = f[at, POSITION + k]
        else:
            f[at, NORMAL + 1] = 1.0
    record_touched(w)
    i[at, HEADING] = heading
    i[at, TICK] += 1
    if jumping:
        i[at, COYOTE] = 0
    elif supported or grounded:
        i[at, COYOTE] = ticks[st.COYOTE]
    else:
        i[at, COYOTE] = max(coyote - 1, 0)
    i[at, BUFFER] = max(buffer - 1, 0)
    flags = 0
    if supported:
        flags |= GROUNDED
    if crouched:
        flags |= CROUCHED
    if pressed:
        flags |= JUMP_HELD
    if sliding:
        flags |= SLIDING
    i[at, FLAGS] = flags


@inner
def _reach(numbers: Any, f: Any, at: int) -> tuple[float, float, float]:
    """(to each side, below, above): how far from its centre an ordinary tick of this state can touch, m."""
    dt = numbers[st.DT]
    vx, vz = f[at, VELOCITY], f[at, VELOCITY + 2]
    speed = max(numbers[st.SPRINT], numbers[st.WALK], sqrt(vx * vx + vz * vz))
    broad, tall = 1.03 * max(numbers[st.RX], numbers[st.RZ]), 1.03 * numbers[st.RY]
    side = max(broad + speed * dt, TURN_REACH * max(numbers[st.RX], numbers[st.RZ]))
    fall = max(-f[at, FALLING], 0.0) * dt + numbers[st.GRAVITY] * dt * dt
    rise = max(numbers[st.JUMP], f[at, FALLING]) * dt
    return side + SPARE, tall + max(numbers[st.SNAP] + 0.1, fall) + SPARE, tall + max(0.1, rise) + SPARE


@inner
def _spawn(w: Work, numbers: Any, f: Any, i: Any, most: float) -> bool:
    """Turn row 0, which has a position and a heading, into a fresh state; False where it cannot be cleared, or only
    by a push of more than `most` (m)."""
    b = w.body
    w.count[RECORDS], w.count[EVENTS] = 0, 0
    b[COS_LIMIT] = numbers[st.COS_LIMIT]
    b[STEP] = numbers[st.STEP] if numbers[st.STEP] > 0.0 else numbers[st.RY]
    b[SKIN] = numbers[st.SKIN]
    b[GROUND] = NO_GROUND
    take_shape(w, i[0, HEADING], numbers[st.RX], numbers[st.RY], numbers[st.RZ])
    transform(w)
    clear, far = push_clear(w)
    if not clear or far > most:
        return False
    supported = snap(w, max(numbers[st.SNAP], numbers[st.STEP]))
    for k in range(3):
        f[0, POSITION + k] = b[BASE + k] + b[MOVED + k]
        f[0, SAFE + k] = f[0, POSITION + k]
        f[0, RADII + k] = b[R + k]
    if supported:
        p = best_ground(w)
        i[0, FLAGS] = GROUNDED
        for k in range(3):
            f[0, NORMAL + k] = w.planes[p, NX + k]
    return True


@kernel
def run_ticks(
    nodes: Any,
    links: Any,
    triangles: Any,
    ids: Any,
    work: Any,
    numbers: Any,
    ticks: Any,
    f: Any,
    i: Any,
    wishes: Any,
    orders: Any,
    first: int,
) -> int:
    """Ticks `first`.. of the commands; row k + 1 of the state rows is the state after command k. Returns how many
    are done: fewer than there are means that a tick needs more candidates than there is room for (count[WANTED]).

    first = SPAWN makes row 0 a fresh state instead: 0, or BLOCKED, or SPAWN again where there is too little room.
    """
    mesh = Mesh(nodes, links, triangles)
    w = Work(*work)
    row = max(first, 0)
    last = row + 1 if first == SPAWN else len(wishes)
    extra = 1.0
    while row < last:
        at = row if first == SPAWN else row + 1
        side, below, above = _reach(numbers, f, row)
        gather(
            mesh,
            ids,
            w,
            f[row, POSITION],
            f[row, POSITION + 1],
            f[row, POSITION + 2],
            extra * side,
            extra * below,
            extra * above,
        )
        if w.count[WANTED] > len(ids):
            return first if first == SPAWN else row
        w.count[SHORT] = 0
        done = True
        if first == SPAWN:
            done = _spawn(w, numbers, f, i, SPAWN_PUSH)
        else:
            for column in range(WIDTH):
                i[at, column] = i[row, column]
            tick(w, numbers, ticks, f, i, at, wishes[row, 0], wishes[row, 1], orders[row, 0], orders[row, 1])
        if w.count[SHORT] != 0 and extra < 1e6:
            extra = extra * 2.0
            continue
        if not done:
            return BLOCKED
        extra = 1.0
        row += 1
    return 0 if first == SPAWN else row
