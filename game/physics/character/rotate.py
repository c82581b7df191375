"""Turning the body as far as there is room (docs/physics.md).

In ellipsoid space a turn moves every point by at most k/2 of its distance from the centre for each radian,
k = rx/rz - rz/rx. So from a smallest distance m the body may turn by (2/k) ln(m/r) before anything comes nearer
than r: conservative advancement, with no angle tried blindly.
"""

from __future__ import annotations

from math import sqrt

from ..mesh.geometry import closest_on_triangle
from ..numerics.jit import inner, kernel
from ..numerics.trigonometry import UNIT
from .broad_phase import cover, take_shape, to_ellipsoid, transform, transform_one, within
from .contacts import HALF_MILLIMETRE, touch
from .ground_move import rise_limit, snap
from .layout import body, candidate, counter, plane, record_kind, surface_class, tick_event
from .scratch import Work
from .slide import NEAR, advance, record, sweep

REACH = 1.6  # ellipsoid space: what lies beyond this many radii is looked at after the next step
LIFT = 0.10  # m: on a slope the ground blocks a turn in place; the body is lifted by this, turned and put down
HALVINGS = 4  # tries before a turn that meets something stops
SAMPLE = 1e-12  # ellipsoid space: rounding of a distance


@kernel
def clearance(w: Work) -> tuple[float, int]:
    """(smallest distance, at most REACH, of what turning could bring nearer; how many such triangles there are)."""
    b, near = w.body, w.near
    tall = b[body.RADII + 1] * (1.0 + b[body.SKIN]) - 1e-9
    px, py, pz = to_ellipsoid(b, b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2])
    x, y, z = b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2]
    narrow = min(b[body.INVERSE_RADII], b[body.INVERSE_RADII + 2])
    best = REACH
    reachable = 0
    for i in range(w.count[counter.CANDIDATES]):
        y0, y1, y2 = (
            near[i, candidate.WORLD_CORNERS + 1] - y,
            near[i, candidate.WORLD_CORNERS + 4] - y,
            near[i, candidate.WORLD_CORNERS + 7] - y,
        )
        above, below = min(y0, y1, y2), max(y0, y1, y2)
        if above >= tall or below <= -tall:
            continue
        # no heading brings its box nearer than this
        x0, x1, x2 = (
            near[i, candidate.WORLD_CORNERS] - x,
            near[i, candidate.WORLD_CORNERS + 3] - x,
            near[i, candidate.WORLD_CORNERS + 6] - x,
        )
        z0, z1, z2 = (
            near[i, candidate.WORLD_CORNERS + 2] - z,
            near[i, candidate.WORLD_CORNERS + 5] - z,
            near[i, candidate.WORLD_CORNERS + 8] - z,
        )
        gx = narrow * max(min(x0, x1, x2), -max(x0, x1, x2), 0.0)
        gy = b[body.INVERSE_RADII + 1] * max(above, -below, 0.0)
        gz = narrow * max(min(z0, z1, z2), -max(z0, z1, z2), 0.0)
        far = gx * gx + gy * gy + gz * gz
        if far >= REACH * REACH:
            continue
        reachable += 1
        if far >= best * best:
            continue
        transform_one(w, i)
        h = near[i, 9] * (px - near[i, 0]) + near[i, 10] * (py - near[i, 1]) + near[i, 11] * (pz - near[i, 2])
        if abs(h) >= best:
            continue
        cx, cy, cz, _ = closest_on_triangle(near, i, px, py, pz)
        dx, dy, dz = px - cx, py - cy, pz - cz
        best = min(best, sqrt(dx * dx + dy * dy + dz * dz))
    return best, reachable


@inner
def _turn_in_place(w: Work, heading: int, delta: int) -> tuple[int, int]:
    """Turn from `heading` by up to `delta` units; (units turned, triangles that could have been in the way)."""
    b = w.body
    rx, ry, rz, skin = b[body.RADII], b[body.RADII + 1], b[body.RADII + 2], b[body.SKIN]
    side, tall = max(rx, rz) * REACH, ry * (1.0 + 2.0 * skin)
    x, y, z = b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2]
    within(w, x - side, y - tall, z - side, x + side, y + tall, z + side)
    take_shape(w, heading, rx, ry, rz)
    m, reachable = clearance(w)
    if reachable == 0:
        return delta, 0
    k = abs(rx / rz - rz / rx)
    keep = min(m, 1.0 + skin)
    # the least step may dip under `keep` between two samples, but never to the body itself
    least = (4.0 / k) * (0.5 * skin / (1.0 + skin))
    sign = 1 if delta > 0 else -1
    whole = abs(delta)
    done = 0
    halvings = 0
    step = 0.0
    while done < whole and halvings <= HALVINGS:
        if halvings == 0:
            step = max((2.0 / k) * (1.0 - keep / m), least) / UNIT
        if halvings == 0 and (2.0 / k) * (1.0 - keep / m) >= (whole - done) * UNIT:
            done = whole  # nothing can come too near on the way that is left
            break
        units = min(max(int(step), 1), whole - done)
        take_shape(w, heading + sign * (done + units), rx, ry, rz)
        found, _ = clearance(w)
        if found >= keep - SAMPLE:
            done += units
            m = found
            if halvings > 0:
                halvings += 1
                step = step * 0.5
        else:
            if units == 1:
                break
            halvings += 1
            step = step * 0.5
    return sign * done, reachable


@inner
def _highest_ground(w: Work) -> float:
    """The highest point at which anything carries the body."""
    most = body.NO_SUPPORT
    for p in range(w.count[counter.PLANES]):
        if w.planes[p, plane.CLASS] == surface_class.WALKABLE:
            most = max(most, w.planes[p, plane.POINT_Y])
    return float(most)


@inner
def turn(w: Work, heading: int, target: int, grounded: bool, snap_down: float) -> int:
    """Turn the body's heading towards `target`, the short way; returns the heading reached, 0..65535.

    Half a turn is the same shape, so no turn is longer than a quarter. The centre stays, but for settling on ground.
    """
    b = w.body
    rx, ry, rz = b[body.RADII], b[body.RADII + 1], b[body.RADII + 2]
    delta = (target - heading + 32768) % 65536 - 32768
    if delta > 16384:
        heading, delta = heading + 32768, delta - 32768
    elif delta < -16384:
        heading, delta = heading + 32768, delta + 32768
    if delta == 0 or rx == rz:
        take_shape(w, target, rx, ry, rz)
        if rx != rz:  # half a turn: the same shape, but sine and cosine have changed sign
            transform(w)
        return target % 65536
    x, y, z = b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2]
    done, reachable = _turn_in_place(w, heading, delta)
    if done != delta and grounded:
        take_shape(w, heading, rx, ry, rz)
        cover(w, 0.0, LIFT, 0.0)
        transform(w)
        touch(w)
        # what can be stepped on from where it stands, not from where it is lifted to
        limit = max(y - ry * (1.0 + b[body.SKIN]), b[body.SUPPORT_HEIGHT]) + b[body.STEP_HEIGHT] + HALF_MILLIMETRE
        rise = rise_limit(w, LIFT)
        if rise > 0.0:
            t = sweep(w, 0.0, rise, 0.0, NEAR)
            rise = t * rise
            advance(w, 0.0, rise, 0.0)
            lifted, _ = _turn_in_place(w, heading, delta)
            if abs(lifted) > abs(done):
                take_shape(w, heading + lifted, rx, ry, rz)
                transform(w)
                if (
                    snap(w, rise + snap_down)
                    and touch(w) >= 0.5 * b[body.SKIN] - SAMPLE
                    and _highest_ground(w) <= limit
                ):
                    if lifted != delta:
                        w.count[counter.EVENTS] |= tick_event.ROTATION_BLOCKED
                    record(w, record_kind.ROTATE, float(lifted), b[body.OFFSET + 1] - y, float(delta), 1.0)
                    return (heading + lifted) % 65536
            b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2] = x, y, z
    take_shape(w, heading + done, rx, ry, rz)
    transform(w)
    if grounded and reachable > 0 and not snap(w, snap_down):
        b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2] = x, y, z
        take_shape(w, heading, rx, ry, rz)
        transform(w)
        done = 0
    if done != delta:
        w.count[counter.EVENTS] |= tick_event.ROTATION_BLOCKED
    record(w, record_kind.ROTATE, float(done), b[body.OFFSET + 1] - y, float(delta), 0.0)
    return (heading + done) % 65536
