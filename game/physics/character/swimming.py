"""What zones do to a tick: gravity, currents and wind, swimming, ladders (docs/zones.md).

Rates are constant within a tick and their ways are exact, so that 30 and 240 ticks a second agree.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from ..environment.layout import zone_effect, zone_row
from ..environment.zones import (
    SAME_DIRECTION_TOLERANCE,
    find_gravity_zone,
    find_zone,
    is_far_from_zones,
    segment_part_in_zone,
    transport_north,
    zone_effects,
)
from ..numerics.jit import inner
from ..numerics.projection import project_onto_halfspaces
from ..numerics.trigonometry import heading_sin_cos
from .broad_phase import require_candidates, world_to_body_frame
from .contacts import find_contacts
from .layout import body, button, counter, plane, setting, state_flag, state_row, tick_event
from .scratch import Scratch
from .slide import (
    MAX_RECOVERY_RATIO,
    MAX_SLIDE_ITERATIONS,
    MIN_MOVE_LENGTH,
    mark_blocking_planes,
    max_bound,
    sweep_and_move,
    write_half_spaces,
)

SWIM_START_DEPTH, SWIM_END_DEPTH = 0.6, 0.5  # part under water from which one swims, and below which one no longer does
SWIM_SPEED_FACTOR = 0.7  # of walking
WADE_SLOWDOWN = 0.5  # part of the pace that water takes where it is just not deep enough to swim
STROKE_FADE_START, STROKE_FADE_RANGE = (
    0.9,
    0.15,
)  # swimming upwards loses its strength from the one under water, over the other
CLIMB_SPEED_FACTOR = 0.6  # of walking
CLIMB_DOWN_PITCH = -4551  # 25 degrees: who looks further down climbs down
LADDER_TOP_MARGIN = 0.02  # m under a ladder's upper end where the climb ends
LADDER_JUMP_SPEED, LADDER_JUMP_PART = 3.0, 0.6  # m/s off a ladder, and part of a jump's speed
MAX_LADDER_GRAB_SPEED = 3.5  # m/s: who rises faster catches no ladder
CURRENT_ACCELERATION = 10.0  # m/s2 by which a current takes hold of who is not swimming
MIN_LIFTING_CURRENT = 0.05  # m/s: a current that rises less lifts nobody off the ground
MAX_GRAVITY_TURN_PUSH = 0.9  # m that a body may be pushed for room when gravity turns


@inner
def read_zones(w: Scratch, zones: Any, f: Any, at: int) -> None:
    """Note what zones there are where the body of row `at` is; its frame has been taken."""
    b = w.body
    b[body.GRAVITY_SCALE], b[body.HAS_CURRENT], b[body.SUBMERGED_PART], b[body.LADDER_ZONE], b[body.LAUNCH_ZONE] = (
        1.0,
        0.0,
        0.0,
        -1.0,
        -1.0,
    )
    x, y, z = f[at, state_row.POSITION], f[at, state_row.POSITION + 1], f[at, state_row.POSITION + 2]
    if is_far_from_zones(zones, x, y, z, f[at, state_row.RADII + 1]):
        return
    ux, uy, uz = f[at, state_row.UP], f[at, state_row.UP + 1], f[at, state_row.UP + 2]
    k = find_gravity_zone(zones, x, y, z, ux, uy, uz)
    if k >= 0:
        b[body.GRAVITY_SCALE] = zones[k, zone_row.GRAVITY_SCALE]
    k = find_zone(zones, zone_effect.CURRENT, x, y, z)
    if k >= 0:
        b[body.HAS_CURRENT], b[body.CURRENT_GRIP] = 1.0, zones[k, zone_row.CURRENT_GRIP]
        b[body.CURRENT], b[body.CURRENT + 1], b[body.CURRENT + 2] = (
            zones[k, zone_row.CURRENT],
            zones[k, zone_row.CURRENT + 1],
            zones[k, zone_row.CURRENT + 2],
        )
        if b[body.FRAME_IS_ROTATED] != 0.0:
            b[body.CURRENT], b[body.CURRENT + 1], b[body.CURRENT + 2] = world_to_body_frame(
                b, b[body.CURRENT], b[body.CURRENT + 1], b[body.CURRENT + 2]
            )
    high = f[at, state_row.RADII + 1]
    x, y, z = x - high * ux, y - high * uy, z - high * uz
    for k in range(len(zones)):
        if zone_effects(zones, k) & zone_effect.WATER != 0:
            part = segment_part_in_zone(zones, k, x, y, z, 2.0 * high * ux, 2.0 * high * uy, 2.0 * high * uz)
            if part > 0.0 and part >= b[body.SUBMERGED_PART]:
                b[body.SUBMERGED_PART], b[body.WATER_ZONE] = part, float(k)
    b[body.LADDER_ZONE] = float(find_zone(zones, zone_effect.LADDER, x, y, z))
    b[body.LAUNCH_ZONE] = float(find_zone(zones, zone_effect.LAUNCH_PAD, x, y, z))


@inner
def turn_to_gravity(zones: Any, f: Any, i: Any, at: int, view: int) -> bool:
    """Turn row `at` to the gravity of where it is; False where it is turned that way already.

    The body keeps its middle and its velocity in the world, and is off the ground until it finds some.
    """
    x, y, z = f[at, state_row.POSITION], f[at, state_row.POSITION + 1], f[at, state_row.POSITION + 2]
    if is_far_from_zones(zones, x, y, z, 0.0):
        return False
    ux, uy, uz = f[at, state_row.UP], f[at, state_row.UP + 1], f[at, state_row.UP + 2]
    k = find_gravity_zone(zones, x, y, z, ux, uy, uz)
    if k < 0 or zones[k, zone_row.GRAVITY_SCALE] == 0.0:
        return False
    vx, vy, vz = zones[k, zone_row.UP], zones[k, zone_row.UP + 1], zones[k, zone_row.UP + 2]
    if ux * vx + uy * vy + uz * vz > 1.0 - SAME_DIRECTION_TOLERANCE:
        return False
    s, c = heading_sin_cos(view)
    north = transport_north(
        ux, uy, uz, f[at, state_row.NORTH], f[at, state_row.NORTH + 1], f[at, state_row.NORTH + 2], vx, vy, vz, s, c
    )
    f[at, state_row.NORTH], f[at, state_row.NORTH + 1], f[at, state_row.NORTH + 2] = north
    f[at, state_row.UP], f[at, state_row.UP + 1], f[at, state_row.UP + 2] = vx, vy, vz
    f[at, state_row.FALL_VELOCITY] = (
        vx * f[at, state_row.VELOCITY] + vy * f[at, state_row.VELOCITY + 1] + vz * f[at, state_row.VELOCITY + 2]
    )
    i[at, state_row.FLAGS] = i[at, state_row.FLAGS] & ~(state_flag.GROUNDED | state_flag.SLIDING)
    return True


@inner
def exponential_decay(x: float) -> float:
    """e to the power of -x for x >= 0, within some 1e-14, by one fixed series: the same bits on every machine."""
    halvings = 0
    while x > 0.125 and halvings < 60:
        x = x * 0.5
        halvings += 1
    e = 1.0
    for k in range(10, 0, -1):
        e = 1.0 - x * e / k
    for _ in range(halvings):
        e = e * e
    return e


@inner
def integrate_updraft(v: float, target: float, g: float, dt: float) -> tuple[float, float]:
    """(velocity, displacement) upwards after dt in air that rises with `target` (m/s): it pulls as hard as gravity
    does, and the half of that which is left over brings the body to that speed and keeps it there; exactly."""
    gap = target - v
    size = abs(gap)
    if size <= g * dt:
        ramp = size / g if g > 0.0 else 0.0
        return target, 0.5 * (v + target) * ramp + target * (dt - ramp)
    after = v + g * dt if gap > 0.0 else v - g * dt
    return after, 0.5 * (v + after) * dt


@inner
def integrate_drift(now: float, target: float, gap: float, dt: float) -> tuple[float, float]:
    """(velocity, displacement) of one component of what carries the body, `gap` (m/s, all of them) from its end."""
    reach = CURRENT_ACCELERATION * dt
    if gap <= reach:
        ramp = gap / CURRENT_ACCELERATION
        return target, 0.5 * (now + target) * ramp + target * (dt - ramp)
    after = now + (target - now) * (reach / gap)
    return after, 0.5 * (now + after) * dt


@inner
def _nearest_free_displacement(w: Scratch, ux: float, uy: float, uz: float) -> tuple[float, float, float]:
    """The displacement nearest to u that the touching set allows: for who neither walks nor falls."""
    wanted = sqrt(ux * ux + uy * uy + uz * uz)
    for attempt in range(2):
        n = write_half_spaces(w, attempt == 0, False)
        dx, dy, dz, done = project_onto_halfspaces(w.half_spaces, n, ux, uy, uz)
        reach = wanted + MAX_RECOVERY_RATIO * max_bound(w.half_spaces, n, 3)
        if done and dx * dx + dy * dy + dz * dz <= reach * reach:
            return dx, dy, dz
    w.counters[counter.EVENTS] |= tick_event.NO_SOLUTION
    return 0.0, 0.0, 0.0


@inner
def float_move(w: Scratch, ux: float, uy: float, uz: float) -> None:
    """Move by u (the body's own directions) and slide along what is met, any way."""
    rest = 1.0
    for _ in range(MAX_SLIDE_ITERATIONS):
        x, y, z = ux * rest, uy * rest, uz * rest
        require_candidates(w, x, y, z)
        find_contacts(w)
        dx, dy, dz = _nearest_free_displacement(w, x, y, z)
        mark_blocking_planes(w, x, y, z, dx, dy, dz)
        if dx * dx + dy * dy + dz * dz <= MIN_MOVE_LENGTH * MIN_MOVE_LENGTH:
            break
        t = sweep_and_move(w, dx, dy, dz)
        rest = rest * (1.0 - t)
        if rest * rest * (ux * ux + uy * uy + uz * uz) <= MIN_MOVE_LENGTH * MIN_MOVE_LENGTH:
            break


@inner
def _clip_velocity_3d(w: Scratch, vx: float, vy: float, vz: float) -> tuple[float, float, float]:
    """The velocity without what the planes now touched take from it."""
    require_candidates(w, 0.0, 0.0, 0.0)
    find_contacts(w)
    n = 0
    for p in range(w.counters[counter.PLANES]):
        if w.planes[p, plane.GAP] < 1.25 * w.body[body.SKIN]:
            w.half_spaces[n, 0], w.half_spaces[n, 1], w.half_spaces[n, 2] = (
                w.planes[p, plane.NX],
                w.planes[p, plane.NY],
                w.planes[p, plane.NZ],
            )
            w.half_spaces[n, 3] = 0.0
            n += 1
    x, y, z, done = project_onto_halfspaces(w.half_spaces, n, vx, vy, vz)
    return (x, y, z) if done else (0.0, 0.0, 0.0)


@inner
def swim_tick(
    w: Scratch,
    zones: Any,
    numbers: Any,
    vx: float,
    vy: float,
    vz: float,
    forward: float,
    strafe: float,
    view: int,
    pitch: int,
    buttons: int,
) -> tuple[float, float, float]:
    """A tick of a swimmer: the velocity (own directions) after it. Strokes go where the view looks, jump and crouch
    upwards and down; water takes speed away at `drag` of what it differs from the current and the strokes."""
    b = w.body
    dt = numbers[setting.DT]
    k = int(b[body.WATER_ZONE])
    drag = zones[k, zone_row.DRAG]
    s, c = heading_sin_cos(view)
    sp, cp = heading_sin_cos(pitch)
    x, y, z = strafe * c - forward * s * cp, forward * sp, -strafe * s - forward * c * cp
    if buttons & button.JUMP != 0:
        y += 1.0
    if buttons & button.CROUCH != 0:
        y -= 1.0
    length = x * x + y * y + z * z
    if length > 1.0:
        length = sqrt(length)
        x, y, z = x / length, y / length, z / length
    pace = SWIM_SPEED_FACTOR * (
        numbers[setting.SPRINT_SPEED] if buttons & button.SPRINT != 0 else numbers[setting.WALK_SPEED]
    )
    if y > 0.0:
        y = y * min(max((b[body.SUBMERGED_PART] - STROKE_FADE_START + STROKE_FADE_RANGE) / STROKE_FADE_RANGE, 0.0), 1.0)
    x, y, z = pace * x, pace * y, pace * z
    if b[body.HAS_CURRENT] != 0.0:
        x, y, z = x + b[body.CURRENT], y + b[body.CURRENT + 1], z + b[body.CURRENT + 2]
    g = numbers[setting.GRAVITY] * b[body.GRAVITY_SCALE]
    y = y + g * (zones[k, zone_row.BUOYANCY] * b[body.SUBMERGED_PART] - 1.0) / drag
    e = exponential_decay(drag * dt)
    far = (1.0 - e) / drag
    ux, uy, uz = x * dt + (vx - x) * far, y * dt + (vy - y) * far, z * dt + (vz - z) * far
    float_move(w, ux, uy, uz)
    return _clip_velocity_3d(w, x + (vx - x) * e, y + (vy - y) * e, z + (vz - z) * e)


@inner
def ladder_direction(b: Any, zones: Any) -> tuple[float, float, float]:
    """Where who climbs the ladder looks, in the body's own directions."""
    k = int(b[body.LADDER_ZONE])
    x, y, z = (
        zones[k, zone_row.CLIMB_DIRECTION],
        zones[k, zone_row.CLIMB_DIRECTION + 1],
        zones[k, zone_row.CLIMB_DIRECTION + 2],
    )
    if b[body.FRAME_IS_ROTATED] != 0.0:
        x, y, z = world_to_body_frame(b, x, y, z)
    return x, y, z


@inner
def is_grabbing_ladder(
    w: Scratch,
    zones: Any,
    grounded: bool,
    vy: float,
    forward: float,
    strafe: float,
    view: int,
    pitch: int,
    buttons: int,
) -> bool:
    """Whether a body whose feet are at a ladder climbs: in the air always, from ground or water (`grounded`) where it
    wants up."""
    b = w.body
    if b[body.LADDER_ZONE] < 0.0 or buttons & button.JUMP != 0 or vy > MAX_LADDER_GRAB_SPEED:
        return False
    x, y, z = ladder_direction(b, zones)
    if abs(y) > 0.5:
        return False  # gravity turned: it lies
    if not grounded:
        return True
    s, c = heading_sin_cos(view)
    into = (strafe * c - forward * s) * x + (-strafe * s - forward * c) * z
    return bool(into > 0.3 and pitch >= CLIMB_DOWN_PITCH and _distance_to_ladder_top(b, zones) > 0.0)


@inner
def _distance_to_ladder_top(b: Any, zones: Any) -> float:
    """How far (m) the feet are below where the climb ends."""
    k = int(b[body.LADDER_ZONE])
    ux, uy, uz = b[body.FRAME + 3], b[body.FRAME + 4], b[body.FRAME + 5]
    s, c = zones[k, zone_row.SIN_HEADING], zones[k, zone_row.COS_HEADING]
    tall = zones[k, zone_row.HALF_SIZES] * abs(c * ux - s * uz) + zones[k, zone_row.HALF_SIZES + 1] * abs(uy)
    tall = tall + zones[k, zone_row.HALF_SIZES + 2] * abs(s * ux + c * uz)
    x, y, z = (
        b[body.ORIGIN] - zones[k, zone_row.CENTRE],
        b[body.ORIGIN + 1] - zones[k, zone_row.CENTRE + 1],
        b[body.ORIGIN + 2] - zones[k, zone_row.CENTRE + 2],
    )
    return float(tall - LADDER_TOP_MARGIN - (x * ux + y * uy + z * uz) - b[body.OFFSET + 1] + b[body.RADII + 1])


@inner
def climb_tick(
    w: Scratch, zones: Any, numbers: Any, forward: float, strafe: float, view: int, pitch: int, buttons: int
) -> tuple[float, float, float]:
    """A tick on a ladder: the velocity (own directions) after it. Towards the ladder is up, or down for who looks
    down; away from it is down; sideways is sideways; at its upper end the climb ends."""
    b = w.body
    dt = numbers[setting.DT]
    s, c = heading_sin_cos(view)
    length = forward * forward + strafe * strafe
    if length > 1.0:
        length = sqrt(length)
        forward, strafe = forward / length, strafe / length
    x, z = strafe * c - forward * s, -strafe * s - forward * c
    lx, _, lz = ladder_direction(b, zones)
    into = x * lx + z * lz
    y = -into if into > 0.0 and pitch < CLIMB_DOWN_PITCH else into
    if into < 0.0:
        x, z = x - into * lx, z - into * lz
    pace = CLIMB_SPEED_FACTOR * (
        numbers[setting.SPRINT_SPEED] if buttons & button.SPRINT != 0 else numbers[setting.WALK_SPEED]
    )
    x, y, z = x * pace, y * pace, z * pace
    if y > 0.0:
        y = min(y, max(_distance_to_ladder_top(b, zones), 0.0) / dt)
    float_move(w, x * dt, y * dt, z * dt)
    return _clip_velocity_3d(w, x, y, z)
