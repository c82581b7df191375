"""Swimming: strokes, buoyancy and drag, and climbing out over a bank (docs/zones.md).

Drag is integrated exactly, so every tick rate agrees.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ....core.vectors import Floats, Indices, Vector
from ...environment.rows import zone_row
from ...environment.zones import NO_SURFACE, water_surface
from ...numerics.acceleration import exponential_decay
from ...numerics.jit import inner
from ...numerics.trigonometry import heading_sin_cos
from ..body_frame import body_frame_to_world
from ..broad_phase import require_candidate_box
from ..command import TickCommand, move_input, upright_speed
from ..contacts import VERTICAL_WALL_TOLERANCE, find_contacts
from ..rows import body, button, candidate, counter, plane, setting, slide_mode, state_flag, state_row, surface_class
from ..scratch import Scratch
from ..slide import (
    MIN_HORIZONTAL_NORMAL,
    clip_velocity_3d,
    displace,
    free_fraction,
    slide_move,
)
from ..support import find_resting_plane
from .ladders import CLIMB_DOWN_PITCH

SWIM_START_DEPTH, SWIM_END_DEPTH = 0.6, 0.5  # part of the body under water at which swimming starts, and ends
SWIM_SPEED_FACTOR = 0.7  # of the walking speed
WADE_SLOWDOWN = 0.5  # part of the walking speed that is lost in water just too shallow to swim in
STROKE_FADE_START = 0.9  # part under water below which upward strokes weaken; else a swimmer would leap out
STROKE_FADE_RANGE = 0.15  # they have no effect this much further up

CLIMB_OUT_HEIGHT = 1.0 / 3.0  # of the upright body: highest top of a bank above the water surface
CLIMB_OUT_MIN_DEPTH = 0.4  # part under water from which a body that does not swim climbs out, if it jumps
CLIMB_OUT_SPEED_FACTOR = 0.5  # of the walking speed, upwards
BANK_REACH = 0.1  # m ahead of the body in which a bank is taken hold of
MIN_BANK_COSINE = 0.3  # between the input and the direction towards the bank
BANK_TOP_DEPTH = 0.3  # m behind the face of a bank in which its top must begin
BANK_TOP_INSET = 0.01  # m beyond the border of the top at which the axis of the body must have room
BANK_TOP_CLEARANCE = 0.001  # m above the skin at which the body moves onto the top
MAX_TOPS = 4  # grounds ahead that are tried as the top of a bank
MAX_RISE_SLIDES = 8  # slides in which a lip or a slope may be passed on the way up
RISE_TOLERANCE = 1e-4  # m by which these may fall short
NO_TOP = -1.0  # distance of the top where there is none
CLIMBING_OUT = state_flag.SWIMMING | state_flag.CLIMBING  # flags of a body that climbs out of the water


@inner
def is_swimming(b: Floats, i: Indices) -> bool:
    """True if enough of the body is under water: more to start swimming than to go on."""
    limit = SWIM_END_DEPTH if i[state_row.FLAGS] & state_flag.SWIMMING != 0 else SWIM_START_DEPTH
    return bool(b[body.SUBMERGED_FRACTION] >= limit)


@inner
def _stroke_velocity(b: Floats, settings: Floats, command: TickCommand) -> tuple[float, float, float]:
    """Velocity (body frame, m/s) that the strokes aim at: along the view; jump is upwards, crouch is downwards."""
    s, c = heading_sin_cos(command.heading)
    sin_pitch, cos_pitch = heading_sin_cos(command.pitch)
    forward, strafe = command.forward, command.strafe
    x, y, z = strafe * c - forward * s * cos_pitch, forward * sin_pitch, -strafe * s - forward * c * cos_pitch
    if command.buttons & button.JUMP != 0:
        y += 1.0
    if command.buttons & button.CROUCH != 0:
        y -= 1.0
    length = x * x + y * y + z * z
    if length > 1.0:
        length = sqrt(length)
        x, y, z = x / length, y / length, z / length
    speed = SWIM_SPEED_FACTOR * upright_speed(settings, command)
    if y > 0.0:
        y = y * min(
            max((b[body.SUBMERGED_FRACTION] - STROKE_FADE_START + STROKE_FADE_RANGE) / STROKE_FADE_RANGE, 0.0), 1.0
        )
    return speed * x, speed * y, speed * z


@inner
def swim_tick(
    w: Scratch,
    zones: Floats,
    settings: Floats,
    command: TickCommand,
    velocity: Vector,
    carried: Vector,
    ahead: Vector,
) -> tuple[float, float, float]:
    """Move the body by one tick of swimming, less what it is `ahead` of that (m); returns its velocity (m/s).

    Both velocities are relative to the water, which a mover may have `carried`; all are in the body frame. The velocity
    v approaches the terminal velocity s (strokes + current + g (buoyancy part - 1) / drag upwards):
    dv/dt = drag (s - v), so v' = s + (v - s) e and u = s dt + (v - s) (1 - e) / drag, with e = exp(-drag dt).
    """
    b = w.body
    dt = settings[setting.DT]
    k = int(b[body.WATER_ZONE])
    drag = zones[k, zone_row.DRAG]
    x, y, z = _stroke_velocity(b, settings, command)
    if b[body.CURRENT_ZONE] >= 0.0:
        x, y, z = x + b[body.CURRENT], y + b[body.CURRENT + 1], z + b[body.CURRENT + 2]
    g = settings[setting.GRAVITY] * b[body.STRENGTH]
    y = y + g * (zones[k, zone_row.BUOYANCY] * b[body.SUBMERGED_FRACTION] - 1.0) / drag
    vx, vy, vz = velocity
    e = exponential_decay(drag * dt)
    reach = (1.0 - e) / drag
    ux, uy, uz = x * dt + (vx - x) * reach, y * dt + (vy - y) * reach, z * dt + (vz - z) * reach
    slide_move(w, ux - ahead[0], uy - ahead[1], uz - ahead[2], slide_mode.FLOATING)
    return clip_velocity_3d(w, x + (vx - x) * e, y + (vy - y) * e, z + (vz - z) * e, carried)


class Bank(NamedTuple):
    """A bank to climb out over, in the body frame."""

    is_found: bool
    rise: float  # m up to the height at which the body moves onto the top
    x: float  # horizontal unit vector towards the bank
    z: float
    pace: float  # part of the full speed, by the input


@inner
def is_climbing_out(i: Indices) -> bool:
    """True if the body of state row i climbed out of the water in the last tick."""
    return bool(i[state_row.FLAGS] & CLIMBING_OUT == CLIMBING_OUT)


@inner
def _climb_out_input(b: Floats, i: Indices, command: TickCommand, swims: bool) -> tuple[float, float, float]:
    """(x, z, pace): unit direction (body frame) in which the input climbs out of the water; pace 0 if it does not.

    A swimmer climbs out by moving, or by jump alone in the direction of view. Crouch, and a view that looks down, dive.
    A body that wades needs jump.
    """
    jumps = command.buttons & button.JUMP != 0
    wades = jumps and b[body.SUBMERGED_FRACTION] >= CLIMB_OUT_MIN_DEPTH
    if not (swims or wades or is_climbing_out(i)) or command.buttons & button.CROUCH != 0:
        return 0.0, 0.0, 0.0
    if command.pitch < CLIMB_DOWN_PITCH and not jumps:
        return 0.0, 0.0, 0.0
    forward, strafe = move_input(command)
    pace = sqrt(forward * forward + strafe * strafe)
    if pace == 0.0:
        if not jumps:
            return 0.0, 0.0, 0.0
        forward, pace = 1.0, 1.0
    s, c = heading_sin_cos(command.heading)
    return (strafe * c - forward * s) / pace, (-strafe * s - forward * c) / pace, pace


@inner
def _surface_height(b: Floats, zones: Floats, depth: float, carried: Vector, dt: float) -> float:
    """Height (m, relative to body.ORIGIN) of the water surface at the body, at most `depth` below the feet.

    Water that is `carried` has moved as the body has, but for its zone, which is where the tick began.
    """
    feet, v = b[body.OFFSET + 1] - b[body.RADII + 1], body.PLATFORM_VELOCITY
    x, z = b[body.OFFSET] - (carried[0] + b[v]) * dt, b[body.OFFSET + 2] - (carried[2] + b[v + 2]) * dt
    y = feet - (carried[1] + b[v + 1]) * dt
    if b[body.FRAME_IS_ROTATED] != 0.0:
        x, y, z = body_frame_to_world(b, x, y, z)
    surface = water_surface(
        zones,
        (b[body.ORIGIN] + x, b[body.ORIGIN + 1] + y, b[body.ORIGIN + 2] + z),
        (b[body.FRAME + 3], b[body.FRAME + 4], b[body.FRAME + 5]),
        max(b[body.RADII], b[body.RADII + 2]),
        -depth,
        2.0 * b[body.RADII + 1],
    )
    return float(feet + surface)


@inner
def _nearest_top(
    w: Scratch, x: float, z: float, start: float, end: float, lowest: float, highest: float
) -> tuple[float, float]:
    """(distance, height) of the nearest walkable face that the vertical half-plane along (x, z) cuts; NO_TOP: none.

    Its distance from the axis of the body is within start..end, its height (relative to body.ORIGIN) above `lowest`,
    and up to `highest`. A triangle is cut along a segment; the nearest point in that range counts.
    """
    b, candidates = w.body, w.candidates
    require_candidate_box(
        w, b[body.OFFSET] + min(end * x, 0.0), lowest, b[body.OFFSET + 2] + min(end * z, 0.0),
        b[body.OFFSET] + max(end * x, 0.0), highest, b[body.OFFSET + 2] + max(end * z, 0.0),
    )  # fmt: skip
    best, height = NO_TOP, 0.0
    for i in range(w.counters[counter.CANDIDATES]):
        if abs(candidates[i, candidate.NORMAL + 1]) < b[body.COS_MAX_SLOPE] - VERTICAL_WALL_TOLERANCE:
            continue
        count, s0, y0, s1, y1 = 0, 0.0, 0.0, 0.0, 0.0  # ends of the segment: distance and height
        for k in range(3):
            p = candidate.CORNERS + 3 * k
            q = candidate.CORNERS + 3 * ((k + 1) % 3)
            px, pz = candidates[i, p] - b[body.OFFSET], candidates[i, p + 2] - b[body.OFFSET + 2]
            qx, qz = candidates[i, q] - b[body.OFFSET], candidates[i, q + 2] - b[body.OFFSET + 2]
            left, right = px * z - pz * x, qx * z - qz * x
            if (left < 0.0) == (right < 0.0):
                continue
            t = left / (left - right)
            s = (px + t * (qx - px)) * x + (pz + t * (qz - pz)) * z
            y = candidates[i, p + 1] + t * (candidates[i, q + 1] - candidates[i, p + 1])
            if count == 0:
                s0, y0 = s, y
            else:
                s1, y1 = s, y
            count += 1
        if count < 2:
            continue
        if s1 < s0:
            s0, y0, s1, y1 = s1, y1, s0, y0
        if s0 < start:
            if s1 <= start:
                continue
            s0, y0 = start, y0 + (start - s0) / (s1 - s0) * (y1 - y0)
        if s0 <= end and lowest < y0 <= highest and (best < 0.0 or s0 < best or (s0 == best and y0 < height)):
            best, height = s0, y0
    return best, height


@inner
def _can_move_onto(w: Scratch, x: float, z: float, distance: float, target: float) -> bool:
    """True if the body can rise to the height `target` of its centre, and move `distance` along (x, z) onto a top.

    The body is moved for the test: the caller puts it back.
    """
    b = w.body
    start_x, start_z = b[body.OFFSET], b[body.OFFSET + 2]
    for _ in range(MAX_RISE_SLIDES):
        rise = target - b[body.OFFSET + 1]
        if rise <= RISE_TOLERANCE:
            break
        slide_move(w, 0.0, rise, 0.0, slide_mode.FLOATING)
    if target - b[body.OFFSET + 1] > RISE_TOLERANCE:
        return False
    distance = distance - (b[body.OFFSET] - start_x) * x - (b[body.OFFSET + 2] - start_z) * z  # a lip pushes back
    t = free_fraction(w, distance * x, 0.0, distance * z)
    if t == 1.0:
        return True
    displace(w, t * distance * x, 0.0, t * distance * z)
    find_contacts(w)
    return find_resting_plane(w) >= 0


@inner
def _face_ahead(w: Scratch, x: float, z: float) -> tuple[float, float, float, float, float]:
    """(x, z, distance, depth, cosine): the bank that the body meets within BANK_REACH along the unit vector (x, z).

    (x, z) is the horizontal unit vector towards it, `distance` (m) that of the contact from the axis of the body,
    `depth` the horizontal part of its slope for each metre of height, `cosine` that between it and the given direction,
    0 if there is none. Walkable faces are no bank. The body is moved for the test: the caller puts it back.
    """
    b, planes = w.body, w.planes
    start_x, start_z = b[body.OFFSET], b[body.OFFSET + 2]
    t = free_fraction(w, BANK_REACH * x, 0.0, BANK_REACH * z)
    best, bank_x, bank_z, distance, depth = 0.0, x, z, 0.0, 0.0
    if t == 1.0:
        return bank_x, bank_z, distance, depth, best
    displace(w, t * BANK_REACH * x, 0.0, t * BANK_REACH * z)
    find_contacts(w)
    for p in range(w.counters[counter.PLANES]):
        if planes[p, plane.CLASS] == surface_class.WALKABLE and planes[p, plane.FEATURE] == 0:
            continue
        nx, nz = planes[p, plane.NX], planes[p, plane.NZ]
        length = sqrt(nx * nx + nz * nz)
        if length < MIN_HORIZONTAL_NORMAL:
            continue
        cosine = -(nx * x + nz * z) / length
        if cosine > best:
            best, bank_x, bank_z = cosine, -nx / length, -nz / length
            distance = (planes[p, plane.POINT_X] - start_x) * bank_x + (planes[p, plane.POINT_Z] - start_z) * bank_z
            up = planes[p, plane.MAX_FACE_NY]
            depth = 0.0 if up <= 0.0 or up >= b[body.COS_MAX_SLOPE] else up / sqrt(1.0 - up * up)
    return bank_x, bank_z, distance, depth, best


@inner
def find_bank(
    w: Scratch, zones: Floats, settings: Floats, command: TickCommand, i: Indices, swims: bool, carried: Vector
) -> Bank:
    """The bank that the body of state row i climbs out over in this tick.

    A bank is a steep face, edge or lip ahead with walkable ground on it, at most CLIMB_OUT_HEIGHT above the surface,
    onto which the body can rise and move. A body that climbs out already also moves onto ground below its feet.
    """
    none = Bank(False, 0.0, 0.0, 0.0, 0.0)
    b, counters = w.body, w.counters
    wish_x, wish_z, pace = _climb_out_input(b, i, command, swims)
    if pace == 0.0:
        return none
    limit = CLIMB_OUT_HEIGHT * 2.0 * settings[setting.RADIUS_UP] + RISE_TOLERANCE
    surface = _surface_height(
        b, zones, limit + BANK_REACH, carried, settings[setting.DT]
    )  # the feet end a little above the top
    if surface == NO_SURFACE:
        return none
    holds = is_climbing_out(i)
    ox, oy, oz, support = b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2], b[body.SUPPORT_HEIGHT]
    records, events = counters[counter.RECORDS], counters[counter.EVENTS]
    x, z, start, depth, cosine = _face_ahead(w, wish_x, wish_z)
    rise, is_found = 0.0, False
    if cosine > MIN_BANK_COSINE or (holds and cosine == 0.0):
        b[body.OFFSET], b[body.OFFSET + 2] = ox, oz
        feet = oy - b[body.RADII + 1]
        skin = b[body.RADII + 1] * b[body.SKIN] + BANK_TOP_CLEARANCE
        lowest = max(feet - (2.0 * skin if holds else 0.0), surface - SWIM_START_DEPTH * 2.0 * b[body.RADII + 1])
        end = start + depth * max(surface + limit - feet, 0.0) + BANK_TOP_DEPTH
        if cosine == 0.0:
            end = end + max(b[body.RADII], b[body.RADII + 2])
        for _ in range(MAX_TOPS):
            distance, height = _nearest_top(w, x, z, max(start - BANK_TOP_INSET, 0.0), end, lowest, surface + limit)
            if distance < 0.0:
                break
            target = height + b[body.RADII + 1] + skin
            is_found = _can_move_onto(w, x, z, distance + BANK_TOP_INSET, target)
            b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2] = ox, oy, oz
            if is_found:
                rise = target - oy if target - oy > RISE_TOLERANCE else 0.0
                break
            lowest = height
    b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2], b[body.SUPPORT_HEIGHT] = ox, oy, oz, support
    counters[counter.RECORDS], counters[counter.EVENTS], counters[counter.CONTACTS_VALID] = records, events, 0
    return Bank(is_found, rise, x, z, pace)


@inner
def climb_out_tick(
    w: Scratch, settings: Floats, command: TickCommand, bank: Bank, carried: Vector, ahead: Vector
) -> tuple[float, float, float]:
    """Move the body by one tick of climbing out of the water; velocities and `ahead` as in `swim_tick`.

    It rises at half the walking speed, up to the height of the bank's top, and moves towards the bank as far as that is
    free, at the speed of swimming.
    """
    dt = settings[setting.DT]
    speed = bank.pace * upright_speed(settings, command)
    y = min(CLIMB_OUT_SPEED_FACTOR * speed, bank.rise / dt)
    slide_move(w, 0.0 - ahead[0], y * dt - ahead[1], 0.0 - ahead[2], slide_mode.FLOATING)
    x, z = SWIM_SPEED_FACTOR * speed * bank.x, SWIM_SPEED_FACTOR * speed * bank.z
    t = free_fraction(w, x * dt, 0.0, z * dt)
    displace(w, t * x * dt, 0.0, t * z * dt)
    vx, vy, vz = clip_velocity_3d(w, x, y, z, carried)
    return vx, min(vy, y), vz
