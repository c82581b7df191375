"""Crouching, standing up, and getting clear of what something else put the body into (docs/physics.md)."""

from __future__ import annotations

from math import sqrt

from ..numerics.jit import inner
from ..numerics.projection import project2
from .broad_phase import cover, take_shape, transform
from .contacts import touch
from .ground_move import KINK
from .layout import body, counter, plane, tick_event
from .scratch import Work
from .slide import NEAR, NO_DIRECTION, ROUNDS, STILL, advance, project, sweep, swept_move

PUSHES = 8  # most pushes in a tick
PUSH_LIMIT = 0.25  # m in one push
INSIDE = 1e-6  # ellipsoid space: a gap smaller than half the skin by more than this is no gap


@inner
def crouch(w: Work, heading: int, low: float, grounded: bool) -> None:
    """Take the low stance, feet where they are. The low body fits inside the tall one round the same centre, so it
    starts there, which is always clear, and is swept down to the feet; in the air past what it meets on the way, as
    far aside as it is broader there than the tall one was."""
    b = w.body
    rx, tall, rz = b[body.RADII], b[body.RADII + 1], b[body.RADII + 2]
    take_shape(w, heading, rx, low, rz)
    whole = (tall - low) * (1.0 + b[body.SKIN])
    drop = whole
    cover(w, 0.0, -drop, 0.0)
    transform(w)
    touch(w)
    for p in range(w.count[counter.PLANES]):
        if w.planes[p, plane.NY] > KINK:
            drop = min(drop, max(-w.planes[p, plane.BOUND], 0.0) / w.planes[p, plane.NY])
    t = sweep(w, 0.0, -drop, 0.0, NEAR)
    advance(w, 0.0, -t * drop, 0.0)
    left = whole - t * drop
    aside = (1.0 - low / tall) * max(rx, rz)
    rounds = 0 if grounded else ROUNDS
    while rounds > 0 and left > STILL:
        rounds -= 1
        cover(w, 0.0, -left, 0.0)
        touch(w)
        x, z, done = _way_past(w, left)
        far = sqrt(x * x + z * z)
        if not done or far > aside:
            break
        t = swept_move(w, x, -left, z)
        left -= t * left
        aside -= t * far


@inner
def _way_past(w: Work, drop: float) -> tuple[float, float, bool]:
    """The least plan way on which a body that goes down by `drop` (m) passes what it touches; False: there is none."""
    n = 0
    for p in range(w.count[counter.PLANES]):
        nx, ny, nz = w.planes[p, plane.NX], w.planes[p, plane.NY], w.planes[p, plane.NZ]
        flat = sqrt(nx * nx + nz * nz)
        bound = min(w.planes[p, plane.BOUND], 0.0) + ny * drop
        if flat > NO_DIRECTION:
            w.rows[n, 0], w.rows[n, 1], w.rows[n, 2] = nx / flat, nz / flat, bound / flat
            n += 1
        elif bound > STILL:
            return 0.0, 0.0, False
    return project2(w.rows, n, 0.0, 0.0)


@inner
def stand(w: Work, heading: int, tall: float) -> bool:
    """Take the upright stance if it is clear, feet where they are; False (and nothing changed) if it is not."""
    b = w.body
    rx, low, rz = b[body.RADII], b[body.RADII + 1], b[body.RADII + 2]
    rise = (tall - low) * (1.0 + b[body.SKIN])
    advance(w, 0.0, rise, 0.0)
    take_shape(w, heading, rx, tall, rz)
    cover(w, 0.0, 0.0, 0.0)
    transform(w)
    if touch(w) >= 0.5 * b[body.SKIN] - INSIDE:
        return True
    advance(w, 0.0, -rise, 0.0)
    take_shape(w, heading, rx, low, rz)
    transform(w)
    w.count[counter.EVENTS] |= tick_event.STAND_BLOCKED
    return False


@inner
def push_clear(w: Work) -> tuple[bool, float]:
    """Push the body out of what it overlaps, a little at a time: (clear in the end, how far it went)."""
    b = w.body
    x, y, z = b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2]
    clear = False
    for push in range(PUSHES + 1):
        cover(w, 0.0, 0.0, 0.0)
        if touch(w) >= 0.5 * b[body.SKIN] - INSIDE:
            clear = True
            break
        if push == PUSHES:
            break
        w.count[counter.EVENTS] |= tick_event.RECOVERED_PENETRATION
        dx, dy, dz = project(w, 0.0, 0.0, 0.0)
        length = sqrt(dx * dx + dy * dy + dz * dz)
        if length > PUSH_LIMIT:
            dx, dy, dz = dx / length * PUSH_LIMIT, dy / length * PUSH_LIMIT, dz / length * PUSH_LIMIT
        advance(w, dx, dy, dz)
    dx, dy, dz = b[body.OFFSET] - x, b[body.OFFSET + 1] - y, b[body.OFFSET + 2] - z
    return clear, sqrt(dx * dx + dy * dy + dz * dz)
