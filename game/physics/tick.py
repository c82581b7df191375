"""One tick: state and command in, state out, and nothing else changed (order: movement.md, section 7)."""

from __future__ import annotations

from math import sqrt
from typing import Any

from game.physics import command as cmd
from game.physics import settings as st
from game.physics.gather import begin, cover, take_shape
from game.physics.jit import kernel
from game.physics.move import STILL, fall, project3, record_touched, slide
from game.physics.projection import project2
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
    HEAD,
    JUMPED,
    LANDED,
    LOST,
    MOVED,
    NX,
    NY,
    NZ,
    PLANES,
    RECORDS,
    SNAPPED,
    STEP,
    STOPS,
    WALKABLE,
    Mesh,
    R,
    Work,
)

FIRM = 1e-9  # m: a plane asking for less than this leaves a standing body where it is


@kernel
def _approach(now: float, wish: float, rate: float, gap: float, dt: float) -> tuple[float, float]:
    """(velocity, displacement) of one component after dt, changing by `rate` along a way of length `gap`, exactly."""
    reach = rate * dt
    if gap <= reach:
        ramp = gap / rate
        return wish, 0.5 * (now + wish) * ramp + wish * (dt - ramp)
    after = now + (wish - now) * (reach / gap)
    return after, 0.5 * (now + after) * dt


@kernel
def _fallen(v: float, gravity: float, limit: float, dt: float) -> tuple[float, float]:
    """(velocity, displacement) after dt of gravity, exactly for constant acceleration up to the limit."""
    after = v - gravity * dt
    if after >= -limit:
        return after, v * dt - 0.5 * gravity * dt * dt
    if v <= -limit or gravity == 0.0:
        return -limit, -limit * dt
    ramp = (v + limit) / gravity
    return -limit, v * ramp - 0.5 * gravity * ramp * ramp - limit * (dt - ramp)


@kernel
def _funnel(w: Work) -> bool:
    """Whether steep planes together hold the body: the way left to fall is no steeper than can be stood on."""
    n = 0
    for p in range(w.count[PLANES]):
        if w.planes[p, NY] > 0.0:
            w.rows[n, 0], w.rows[n, 1], w.rows[n, 2] = w.planes[p, NX], w.planes[p, NY], w.planes[p, NZ]
            w.rows[n, 3] = 0.0
            n += 1
    if n < 2:
        return False
    dx, dy, dz, _ = project3(w.rows, n, 0.0, -1.0, 0.0)
    return dx * dx + dy * dy + dz * dz <= 1.0 - w.body[COS_LIMIT] * w.body[COS_LIMIT]


@kernel
def _firm(w: Work) -> bool:
    """Whether the touching set holds a standing body where it is, to the bit."""
    held = False
    for p in range(w.count[PLANES]):
        if w.planes[p, BOUND] > FIRM:
            return False
        if w.kinds[p, CLASS] == WALKABLE and w.planes[p, BOUND] > -FIRM:
            held = True
    return held or (best_ground(w) < 0 and _funnel(w))


@kernel
def tick(
    mesh: Mesh,
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
    begin(w, f[at, POSITION], f[at, POSITION + 1], f[at, POSITION + 2], numbers[st.SKIN])
    heading = i[at, HEADING]
    low, tall = numbers[st.CROUCH_RY], numbers[st.RY]
    take_shape(w, heading, numbers[st.RX], low if crouched else tall, numbers[st.RZ])
    vx, vz = f[at, VELOCITY], f[at, VELOCITY + 2]
    falling = f[at, FALLING]

    # What the tick can reach, gathered once; `cover` asks again only if that was too little.
    wish_speed = max(numbers[st.SPRINT], numbers[st.WALK], sqrt(vx * vx + vz * vz))
    reach = wish_speed * dt
    drop = max(numbers[st.SNAP], -falling * dt)
    side = reach + 0.03
    cover_start(mesh, w, side, drop, max(numbers[st.STEP], falling * dt))

    # Inside something that it did not walk into: get clear, or go back to where it was safe.
    clear, _ = push_clear(mesh, w)
    if not clear:
        w.count[EVENTS] |= LOST
        begin(w, f[at, SAFE], f[at, SAFE + 1], f[at, SAFE + 2], numbers[st.SKIN])
        grounded, vx, vz, falling = False, 0.0, 0.0, 0.0

    # Look, stance.
    before = heading
    moved_before = b[MOVED + 1]
    if heading != view % 65536:
        heading = turn(mesh, w, heading, view, grounded, numbers[st.SNAP])
    wants_low = buttons & cmd.CROUCH != 0
    if wants_low and not crouched:
        crouch(mesh, w, heading, low)
        crouched = True
    elif crouched and not wants_low and stand(mesh, w, heading, tall):
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
        rate = rate * numbers[st.AIR]
    gx, gz = wx - vx, wz - vz
    gap = sqrt(gx * gx + gz * gz)
    if gap == 0.0:
        ux, uz = vx * dt, vz * dt
    elif rate == 0.0:
        ux, uz = vx * dt, vz * dt
    else:
        vx, ux = _approach(vx, wx, rate, gap, dt)
        vz, uz = _approach(vz, wz, rate, gap, dt)

    # Move.
    sliding = False
    supported = False
    start_y = b[MOVED + 1]
    if grounded and not jumping:
        still = ux == 0.0 and uz == 0.0
        if still:
            cover(mesh, w, 0.0, 0.0, 0.0)
            touch(mesh, w)
            supported = _firm(w)
        if not supported:
            if numbers[st.STEP] > 0.0:
                walk(mesh, w, ux, uz)
            else:
                slide(mesh, w, ux, uz)
            before_snap = b[MOVED + 1]
            supported = snap(mesh, w, numbers[st.SNAP])
            if supported and b[MOVED + 1] < before_snap - STILL:
                w.count[EVENTS] |= SNAPPED
        falling = 0.0
    elif ux != 0.0 or uz != 0.0:
        slide(mesh, w, ux, uz)
    vy = 0.0
    if not supported:
        falling, dy = _fallen(falling, numbers[st.GRAVITY], numbers[st.FALL], dt)
        rising = dy > 0.0
        y = b[MOVED + 1]
        landed, head, slid = fall(mesh, w, dy)
        if head and rising:
            falling = 0.0
            w.count[EVENTS] |= HEAD
        if landed and falling <= 0.0:
            supported = snap(mesh, w, b[R + 1] * 2.0 * numbers[st.SKIN])
            if supported:
                w.count[EVENTS] |= LANDED
        vy = falling
        if slid and not rising:
            sliding = True
            vy = (b[MOVED + 1] - y) / dt
            touch(mesh, w)
            if not supported and best_ground(w) < 0 and _funnel(w):
                supported = True
                w.count[EVENTS] |= FUNNEL
        elif flags & SLIDING != 0 and not supported and not rising:
            # off the slope: what is kept is the speed it really had, and this tick's pull
            falling = f[at, VELOCITY + 1] - numbers[st.GRAVITY] * dt
            vy = falling
    if supported:
        falling, vy, sliding = 0.0, 0.0, False

    # Velocity: what really stopped it is taken out of it.
    if w.count[STOPS] > 0:
        vx, vz, done = project2(w.stops, w.count[STOPS], vx, vz)
        if not done:
            vx, vz = 0.0, 0.0

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
    i[at, COYOTE] = max(coyote - 1, 0) if not supported or jumping else ticks[st.COYOTE]
    if jumping:
        i[at, COYOTE] = 0
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


@kernel
def cover_start(mesh: Mesh, w: Work, side: float, drop: float, rise: float) -> None:
    """Gather what an ordinary tick can reach."""
    b = w.body
    r = max(b[R], b[R + 2]) * 1.03 + side
    from_y, to_y = -b[R + 1] * 1.03 - drop - 0.02, b[R + 1] * 1.03 + rise
    cover_box(mesh, w, -r, from_y, -r, r, to_y, r)


@kernel
def run_ticks(
    nodes: Any,
    links: Any,
    triangles: Any,
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
    are done: fewer than there are means that a tick needs more candidates than there is room for (count[WANTED])."""
    mesh = Mesh(nodes, links, triangles)
    w = Work(*work)
    for k in range(first, len(wishes)):
        for column in range(WIDTH):
            f[k + 1, column] = f[k, column]
        w.count[1] = 0
        tick(mesh, w, numbers, ticks, f, i, k + 1, wishes[k, 0], wishes[k, 1], orders[k, 0], orders[k, 1])
        if w.count[1] > len(w.ids):
            return k
    return len(wishes)
