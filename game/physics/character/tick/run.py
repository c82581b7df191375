"""One tick: state and command in, state out, and nothing else changed (order: docs/physics.md)."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from ...environment.layout import motion_row, zone_row
from ...mesh.layout import material_row
from ...numerics.jit import inner, kernel
from ...numerics.trigonometry import heading_sin_cos
from ..broad_phase import (
    body_frame_to_world,
    find_candidates,
    require_candidates,
    set_body_frame,
    set_body_shape,
    transform_candidates,
    world_to_body_frame,
)
from ..contacts import find_contacts
from ..crouch import crouch_down, recover_penetration, stand_up
from ..ground_move import ground_move, snap_to_ground
from ..layout import body, button, counter, plane, profile_counter, setting, state_flag, state_row, tick_event
from ..profile import add_to_count, end_phase, start_profile
from ..rotate import rotate_body
from ..scratch import MeshArrays, Scratch
from ..slide import MIN_MOVE_LENGTH, clip_velocity, fall_and_slide, record_contacts, slide_move
from ..support import find_ground_plane, is_resting, is_wedged, restore_step_support
from ..swimming import (
    LADDER_JUMP_PART,
    LADDER_JUMP_SPEED,
    MAX_GRAVITY_TURN_PUSH,
    MIN_LIFTING_CURRENT,
    SWIM_END_DEPTH,
    SWIM_START_DEPTH,
    WADE_SLOWDOWN,
    climb_tick,
    integrate_drift,
    integrate_updraft,
    is_grabbing_ladder,
    ladder_direction,
    read_zones,
    swim_tick,
    turn_to_gravity,
)
from .platform_riding import (
    add_mover_candidates,
    attach_to_mover,
    finish_platform_tick,
    has_movers_near,
    mover_ridden,
    ride_platforms,
)
from .surface_effects import (
    apply_wall_friction,
    bounce_speed,
    ground_material,
    ground_surface_velocity,
    integrate_slip,
    is_slipping,
    surface_velocity,
)

ROTATION_REACH = 1.6  # radii; what a turn looks at
CANDIDATE_MARGIN = 0.03  # m around what a tick needs, so that small pushes seldom find the candidates too few
SPAWN_CLOCK, SPAWN_BLOCKED = -1, -2
MAX_SPAWN_PUSH = 0.5  # m that a spawn may be moved to be clear
MAX_GROUND_MOVE_STEP = 0.15  # m: the longest way walked before the ground is looked for again
RESTING_TOLERANCE = 1e-9  # m: a plane asking for less than this leaves a standing body where it is


@inner
def _integrate_acceleration(now: float, wish: float, rate: float, gap: float, dt: float) -> tuple[float, float]:
    """(velocity, displacement) of one component after dt, changing by `rate` along a way of length `gap`, exactly."""
    reach = rate * dt
    if gap <= reach:
        ramp = gap / rate
        return wish, 0.5 * (now + wish) * ramp + wish * (dt - ramp)
    after = now + (wish - now) * (reach / gap)
    return after, 0.5 * (now + after) * dt


@inner
def _integrate_fall(v: float, gravity: float, limit: float, dt: float) -> tuple[float, float]:
    """(velocity, displacement) after dt of gravity, exactly for constant acceleration up to the limit."""
    after = v - gravity * dt
    if after >= -limit:
        return after, v * dt - 0.5 * gravity * dt * dt
    if v <= -limit or gravity == 0.0:
        return -limit, -limit * dt
    ramp = (v + limit) / gravity
    return -limit, v * ramp - 0.5 * gravity * ramp * ramp - limit * (dt - ramp)


@inner
def _move_on_ground(w: Scratch, ux: float, uz: float, steps: bool, most: float) -> bool:
    """Walk by (ux, uz) and stay on the ground; whether it is still there. A long way is gone in pieces, so that
    stairs and slopes hold at any speed and tick rate as they do at slow ones."""
    pieces = int(sqrt(ux * ux + uz * uz) / MAX_GROUND_MOVE_STEP) + 1
    for piece in range(pieces):
        if steps:
            ground_move(w, ux / pieces, uz / pieces)
        else:
            slide_move(w, ux / pieces, uz / pieces)
        end_phase(w, profile_counter.GROUND_MOVE)
        y = w.body[body.OFFSET + 1]
        held = snap_to_ground(w, most)
        end_phase(w, profile_counter.SNAP_DOWN)
        if not held:
            left = pieces - 1 - piece
            if left > 0:
                slide_move(w, ux / pieces * left, uz / pieces * left)
            return False
        if w.body[body.OFFSET + 1] < y - MIN_MOVE_LENGTH:
            w.counters[counter.EVENTS] |= tick_event.SNAPPED_DOWN
    return True


@inner
def step_walker(
    w: Scratch,
    numbers: Any,
    mates: Any,
    materials: Any,
    zones: Any,
    f: Any,
    i: Any,
    at: int,
    forward: float,
    strafe: float,
    view: int,
    buttons: int,
    pitch: int,
) -> None:
    """Advance the state in row `at` of f (floats) and i (ints, the same memory) by one tick."""
    b = w.body
    dt = numbers[setting.DT]
    flags = i[at, state_row.FLAGS]
    grounded = flags & state_flag.GROUNDED != 0
    crouched = flags & state_flag.CROUCHED != 0
    w.counters[counter.RECORDS] = 0
    w.counters[counter.EVENTS] = 0
    w.counters[counter.STOPS] = 0
    b[body.COS_MAX_SLOPE] = numbers[setting.COS_MAX_SLOPE]
    b[body.STEP_HEIGHT] = (
        numbers[setting.STEP_HEIGHT] if numbers[setting.STEP_HEIGHT] > 0.0 else numbers[setting.RADIUS_UP]
    )
    b[body.SKIN], b[body.SNAP_DOWN] = numbers[setting.SKIN], numbers[setting.SNAP_DOWN]
    b[body.SUPPORT_HEIGHT] = body.NO_SUPPORT
    heading = i[at, state_row.HEADING]
    low, tall = numbers[setting.CROUCH_RADIUS_UP], numbers[setting.RADIUS_UP]
    set_body_shape(w, heading, numbers[setting.RADIUS_RIGHT], low if crouched else tall, numbers[setting.RADIUS_AHEAD])
    vx, vy, vz = f[at, state_row.VELOCITY], f[at, state_row.VELOCITY + 1], f[at, state_row.VELOCITY + 2]
    if b[body.FRAME_IS_ROTATED] != 0.0:
        vx, vy, vz = world_to_body_frame(b, vx, vy, vz)
    was_vy = vy
    falling = f[at, state_row.FALL_VELOCITY]
    gravity = numbers[setting.GRAVITY] * b[body.GRAVITY_SCALE]
    swims = b[body.SUBMERGED_PART] >= (SWIM_END_DEPTH if flags & state_flag.SWIMMING != 0 else SWIM_START_DEPTH)

    transform_candidates(w)
    end_phase(w, profile_counter.TRANSFORM)

    # Inside something that it did not walk into: get clear, or go back to where it was safe.
    clear, _ = recover_penetration(w)
    end_phase(w, profile_counter.RECOVER_PENETRATION)
    if not clear:
        _return_to_safe_position(w, f, i, at)
        return

    if grounded:
        restore_step_support(w)

    # Look, stance.
    if heading != view % 65536:
        heading = rotate_body(w, heading, view, grounded, numbers[setting.SNAP_DOWN])
    wants_low = buttons & button.CROUCH != 0 and not swims
    if wants_low and not crouched:
        crouch_down(w, heading, low, grounded)
        crouched = True
    elif crouched and not wants_low and stand_up(w, heading, tall):
        crouched = False

    pressed = buttons & button.JUMP != 0
    climbs = b[body.LADDER_ZONE] >= 0.0 and is_grabbing_ladder(
        w, zones, grounded or swims, vy, forward, strafe, view, pitch, buttons
    )
    if swims or climbs:
        if not climbs:
            vx, vy, vz = swim_tick(w, zones, numbers, vx, vy, vz, forward, strafe, view, pitch, buttons)
        else:
            vx, vy, vz = climb_tick(w, zones, numbers, forward, strafe, view, pitch, buttons)
        _finish_free_tick(w, f, i, at, heading, not climbs, crouched, pressed, vx, vy, vz)
        return

    # Jump.
    buffer, coyote = i[at, state_row.JUMP_BUFFER_TICKS], i[at, state_row.COYOTE_TICKS]
    if pressed and flags & state_flag.JUMP_HELD == 0:
        buffer = int(numbers[setting.JUMP_BUFFER_TICKS]) + 1
    if grounded:
        coyote = int(numbers[setting.COYOTE_TICKS])
    jumping = buffer > 0 and (grounded or coyote > 0)
    if jumping:
        falling = numbers[setting.JUMP_SPEED]
        buffer, coyote = 0, 0
        w.counters[counter.EVENTS] |= tick_event.JUMPED
    leap_x, leap_z = 0.0, 0.0  # what a pad or a push off a ladder carries it with from here
    leaps = grounded and b[body.LAUNCH_ZONE] >= 0.0
    if leaps:
        leap_x, falling, leap_z = launch_velocity(b, zones)
        vx, vz, jumping, buffer, coyote = 0.0, 0.0, True, 0, 0
        w.counters[counter.EVENTS] |= tick_event.LAUNCHED
    elif (
        flags & state_flag.CLIMBING != 0
        and pressed
        and flags & state_flag.JUMP_HELD == 0
        and b[body.LADDER_ZONE] >= 0.0
    ):
        x, _, z = ladder_direction(b, zones)
        leap_x, leap_z, falling = (
            -LADDER_JUMP_SPEED * x,
            -LADDER_JUMP_SPEED * z,
            LADDER_JUMP_PART * numbers[setting.JUMP_SPEED],
        )
        leaps, jumping, buffer = True, True, 0
        w.counters[counter.EVENTS] |= tick_event.JUMPED

    # Wish.
    length = forward * forward + strafe * strafe
    if length > 1.0:
        length = sqrt(length)
        forward, strafe = forward / length, strafe / length
    speed = numbers[setting.WALK_SPEED]
    if crouched:
        speed = numbers[setting.CROUCH_SPEED]
    elif buttons & button.SPRINT != 0:
        speed = numbers[setting.SPRINT_SPEED]
    if b[body.SUBMERGED_PART] > 0.0:
        speed = speed * (1.0 - WADE_SLOWDOWN * min(b[body.SUBMERGED_PART] / SWIM_START_DEPTH, 1.0))
    made = len(materials) > 0
    ground, m, slippery = -1, -1, False
    flow_x, flow_z = 0.0, 0.0  # of the ground under it
    drift_x, drift_z = f[at, state_row.CARRIED_VELOCITY], f[at, state_row.CARRIED_VELOCITY + 2]
    if b[body.FRAME_IS_ROTATED] != 0.0:
        drift_x, _, drift_z = world_to_body_frame(b, drift_x, f[at, state_row.CARRIED_VELOCITY + 1], drift_z)
    if drift_x != 0.0 or drift_z != 0.0:
        vx, vz = vx - drift_x, vz - drift_z
    if leaps:
        drift_x, drift_z = leap_x, leap_z
    drift_ux, drift_uz = drift_x * dt, drift_z * dt
    if b[body.HAS_CURRENT] != 0.0 and not leaps:
        part = b[body.CURRENT_GRIP] if grounded else 1.0
        to_x, to_z = part * b[body.CURRENT], part * b[body.CURRENT + 2]
        gap_x, gap_z = to_x - drift_x, to_z - drift_z
        gap = sqrt(gap_x * gap_x + gap_z * gap_z)
        drift_x, drift_ux = integrate_drift(drift_x, to_x, gap, dt)
        drift_z, drift_uz = integrate_drift(drift_z, to_z, gap, dt)
    if grounded and made:
        ground, m = ground_material(w, mates)
        if ground >= 0:
            speed = speed * materials[m, material_row.SPEED_FACTOR]
            flow_x, flow_z = surface_velocity(w, materials, m)
            slippery = is_slipping(w, ground, materials[m, material_row.FRICTION])
    s, c = heading_sin_cos(view)
    wx, wz = speed * (strafe * c - forward * s), speed * (-strafe * s - forward * c)
    wishes = forward != 0.0 or strafe != 0.0
    rate = numbers[setting.ACCELERATION] if wishes else numbers[setting.DECELERATION]
    if not grounded:
        rate = rate * numbers[setting.AIR_CONTROL] if numbers[setting.AIR_CONTROL] > 0.0 else 0.0
    elif ground >= 0 and materials[m, material_row.FRICTION] < 1.0:
        rate = rate * materials[m, material_row.FRICTION] if materials[m, material_row.FRICTION] > 0.0 else 0.0
    if made and wishes:
        wx, wz = apply_wall_friction(w, mates, materials, wx, wz)
    gx, gz = wx - vx, wz - vz
    gap = sqrt(gx * gx + gz * gz)
    if slippery:
        nx, up, nz = w.planes[ground, plane.NX], w.planes[ground, plane.MAX_FACE_NY], w.planes[ground, plane.NZ]
        grip, pull = materials[m, material_row.FRICTION], gravity
        vx, vz, ux, uz = integrate_slip(vx, vz, wx, wz, nx, up, nz, grip, pull, dt)
    elif gap == 0.0 or rate == 0.0:
        ux, uz = vx * dt, vz * dt
    else:
        vx, ux = _integrate_acceleration(vx, wx, rate, gap, dt)
        vz, uz = _integrate_acceleration(vz, wz, rate, gap, dt)
    flow_x, flow_z = flow_x + drift_x, flow_z + drift_z  # of all that carries it
    flows = flow_x != 0.0 or flow_z != 0.0 or drift_ux != 0.0 or drift_uz != 0.0
    if flows:
        ux, uz = ux + flow_x * dt + (drift_ux - drift_x * dt), uz + flow_z * dt + (drift_uz - drift_z * dt)
    rises = (
        b[body.HAS_CURRENT] != 0.0 and (abs(b[body.CURRENT + 1]) > MIN_LIFTING_CURRENT) and not leaps and gravity > 0.0
    )
    lifts = rises and b[body.CURRENT + 1] > 0.0

    # Move.
    end_phase(w, profile_counter.ROTATE)
    sliding = False
    supported = False
    if grounded and not jumping and not lifts:
        still = ux == 0.0 and uz == 0.0
        if still:
            require_candidates(w, 0.0, 0.0, 0.0)
            find_contacts(w)
            supported = is_resting(w, RESTING_TOLERANCE)
        if not supported:
            supported = _move_on_ground(w, ux, uz, numbers[setting.STEP_HEIGHT] > 0.0, numbers[setting.SNAP_DOWN])
        falling = 0.0
    elif ux != 0.0 or uz != 0.0:
        slide_move(w, ux, uz)
    end_phase(w, profile_counter.SLIDE)
    vy = 0.0
    if not supported:
        if rises and (falling > b[body.CURRENT + 1] or lifts):
            falling, dy = integrate_updraft(falling, b[body.CURRENT + 1], gravity, dt)
        else:
            falling, dy = _integrate_fall(falling, gravity, numbers[setting.FALL_LIMIT], dt)
        rising = dy > 0.0
        y = b[body.OFFSET + 1]
        landed, head, slid = fall_and_slide(w, dy)
        back = 0.0
        if made and landed and falling <= 0.0:
            back = bounce_speed(w, mates, materials, f[at, state_row.FALL_VELOCITY], y - b[body.OFFSET + 1], gravity)
        if head and rising:
            falling = 0.0
            w.counters[counter.EVENTS] |= tick_event.HIT_CEILING
        if back > 0.0:
            falling = back
            w.counters[counter.EVENTS] |= tick_event.BOUNCED
        elif landed and falling <= 0.0:
            supported = snap_to_ground(w, b[body.RADII + 1] * 2.0 * numbers[setting.SKIN])
            if supported:
                w.counters[counter.EVENTS] |= tick_event.LANDED
        vy = falling
        if slid and not rising:
            sliding = True
            vy = falling * min(max((b[body.OFFSET + 1] - y) / dy, 0.0), 1.0)  # the slope took the other part
            find_contacts(w)
            if not supported and find_ground_plane(w) < 0 and is_wedged(w):
                supported = True
                w.counters[counter.EVENTS] |= tick_event.WEDGED
        elif flags & state_flag.SLIDING != 0 and not supported and not rising:
            # off the slope: what is kept is the speed it really had, and this tick's pull
            falling = was_vy - gravity * dt
            vy = falling
    end_phase(w, profile_counter.FALL)
    if supported:
        falling, vy, sliding = 0.0, 0.0, False

    if flows:
        vx, vz = vx + flow_x, vz + flow_z  # the world's from here on, until there is ground again
        wx, wz = wx + flow_x, wz + flow_z
    asked_x, asked_z = vx, vz
    vx, vz = clip_velocity(w, vx, vz, wx, wz)  # what really stopped it is taken out of it
    if grounded and not supported:
        drift_x, drift_z = flow_x, flow_z  # it leaves the ground, which goes on carrying it
    if (supported and b[body.HAS_CURRENT] == 0.0) or vx != asked_x or vz != asked_z:
        drift_x, drift_z = 0.0, 0.0  # who touches a wall in the air is carried no further
    x, y, z = drift_x, 0.0, drift_z
    if b[body.FRAME_IS_ROTATED] != 0.0:
        x, y, z = body_frame_to_world(b, x, y, z)
    f[at, state_row.CARRIED_VELOCITY], f[at, state_row.CARRIED_VELOCITY + 1], f[at, state_row.CARRIED_VELOCITY + 2] = (
        x,
        y,
        z,
    )
    if made and supported:
        flow_x, flow_z = ground_surface_velocity(w, mates, materials)
        vx, vz = vx - flow_x, vz - flow_z
        sliding = slippery

    # The state of the next tick.
    _write_position(w, f, at)
    for k in range(3):
        f[at, state_row.GROUND_NORMAL + k] = 0.0
        f[at, state_row.RADII + k] = b[body.RADII + k]
    if b[body.FRAME_IS_ROTATED] != 0.0:
        vx, vy, vz = body_frame_to_world(b, vx, vy, vz)
    f[at, state_row.VELOCITY], f[at, state_row.VELOCITY + 1], f[at, state_row.VELOCITY + 2] = vx, vy, vz
    f[at, state_row.FALL_VELOCITY] = falling
    if supported:
        p = find_ground_plane(w)
        if p >= 0:
            _write_ground_normal(w, p, f, at)
            for k in range(3):
                f[at, state_row.SAFE_POSITION + k] = f[at, state_row.POSITION + k]
        else:
            f[at, state_row.GROUND_NORMAL], f[at, state_row.GROUND_NORMAL + 1], f[at, state_row.GROUND_NORMAL + 2] = (
                f[at, state_row.UP],
                f[at, state_row.UP + 1],
                f[at, state_row.UP + 2],
            )
    record_contacts(w)
    i[at, state_row.HEADING] = heading
    i[at, state_row.TICK] += 1
    if jumping:
        i[at, state_row.COYOTE_TICKS] = 0
    elif supported or grounded:
        i[at, state_row.COYOTE_TICKS] = int(numbers[setting.COYOTE_TICKS])
    else:
        i[at, state_row.COYOTE_TICKS] = max(coyote - 1, 0)
    i[at, state_row.JUMP_BUFFER_TICKS] = max(buffer - 1, 0)
    flags = 0
    if supported:
        flags |= state_flag.GROUNDED
    if crouched:
        flags |= state_flag.CROUCHED
    if pressed:
        flags |= state_flag.JUMP_HELD
    if sliding:
        flags |= state_flag.SLIDING
    i[at, state_row.FLAGS] = flags


@inner
def _return_to_safe_position(w: Scratch, f: Any, i: Any, at: int) -> None:
    """Back to where it was safe, at rest."""
    w.counters[counter.EVENTS] |= tick_event.RETURNED_TO_SAFE
    for k in range(3):
        f[at, state_row.POSITION + k] = f[at, state_row.SAFE_POSITION + k]
        f[at, state_row.VELOCITY + k] = 0.0
        f[at, state_row.GROUND_NORMAL + k] = 0.0
        f[at, state_row.CARRIED_VELOCITY + k] = 0.0
    f[at, state_row.FALL_VELOCITY] = 0.0
    i[at, state_row.TICK] += 1
    i[at, state_row.FLAGS] = i[at, state_row.FLAGS] & state_flag.CROUCHED


@inner
def launch_velocity(b: Any, zones: Any) -> tuple[float, float, float]:
    """The velocity of the pad under the feet, in the body's own directions."""
    k = int(b[body.LAUNCH_ZONE])
    x, y, z = (
        zones[k, zone_row.LAUNCH_VELOCITY],
        zones[k, zone_row.LAUNCH_VELOCITY + 1],
        zones[k, zone_row.LAUNCH_VELOCITY + 2],
    )
    if b[body.FRAME_IS_ROTATED] != 0.0:
        x, y, z = world_to_body_frame(b, x, y, z)
    return x, y, z


@inner
def _finish_free_tick(
    w: Scratch,
    f: Any,
    i: Any,
    at: int,
    heading: int,
    swims: bool,
    crouched: bool,
    pressed: bool,
    vx: float,
    vy: float,
    vz: float,
) -> None:
    """The state after a tick of swimming or climbing."""
    b = w.body
    supported = False
    if not swims and vy <= 0.0:
        supported = snap_to_ground(w, b[body.RADII + 1] * 2.0 * b[body.SKIN])
    _write_position(w, f, at)
    for k in range(3):
        f[at, state_row.GROUND_NORMAL + k], f[at, state_row.CARRIED_VELOCITY + k] = 0.0, 0.0
        f[at, state_row.RADII + k] = b[body.RADII + k]
    if supported:
        _write_ground_normal(w, find_ground_plane(w), f, at)
        vy = 0.0
    f[at, state_row.FALL_VELOCITY] = vy
    if b[body.FRAME_IS_ROTATED] != 0.0:
        vx, vy, vz = body_frame_to_world(b, vx, vy, vz)
    f[at, state_row.VELOCITY], f[at, state_row.VELOCITY + 1], f[at, state_row.VELOCITY + 2] = vx, vy, vz
    record_contacts(w)
    i[at, state_row.HEADING] = heading
    i[at, state_row.TICK] += 1
    i[at, state_row.COYOTE_TICKS], i[at, state_row.JUMP_BUFFER_TICKS] = 0, 0
    flags = state_flag.SWIMMING if swims else state_flag.CLIMBING
    w.counters[counter.EVENTS] |= tick_event.SWIMMING if swims else tick_event.CLIMBING
    if supported:
        flags = state_flag.GROUNDED
    if crouched:
        flags |= state_flag.CROUCHED
    if pressed:
        flags |= state_flag.JUMP_HELD
    i[at, state_row.FLAGS] = flags


@inner
def _write_position(w: Scratch, f: Any, at: int) -> None:
    """Write where the body is; to the last bit where it was, if it has not moved."""
    b = w.body
    x, y, z = b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2]
    if x == 0.0 and y == 0.0 and z == 0.0:
        return
    if b[body.FRAME_IS_ROTATED] != 0.0:
        x, y, z = body_frame_to_world(b, x, y, z)
    f[at, state_row.POSITION], f[at, state_row.POSITION + 1], f[at, state_row.POSITION + 2] = (
        b[body.ORIGIN] + x,
        b[body.ORIGIN + 1] + y,
        b[body.ORIGIN + 2] + z,
    )


@inner
def _write_ground_normal(w: Scratch, p: int, f: Any, at: int) -> None:
    """Write the normal of the ground."""
    x, y, z = w.planes[p, plane.NX], w.planes[p, plane.NY], w.planes[p, plane.NZ]
    if w.body[body.FRAME_IS_ROTATED] != 0.0:
        x, y, z = body_frame_to_world(w.body, x, y, z)
    f[at, state_row.GROUND_NORMAL], f[at, state_row.GROUND_NORMAL + 1], f[at, state_row.GROUND_NORMAL + 2] = x, y, z


@inner
def _candidate_reach(numbers: Any, f: Any, at: int, turns: bool, sprints: bool) -> tuple[float, float, float]:
    """(to each side, below, above): how far from its centre an ordinary tick of this state can touch, m. A tick that
    needs more is done again with more (count[SHORT]), so this changes no bit."""
    dt = numbers[setting.DT]
    vx, vy, vz = f[at, state_row.VELOCITY], f[at, state_row.VELOCITY + 1], f[at, state_row.VELOCITY + 2]
    wish = numbers[setting.SPRINT_SPEED] if sprints else numbers[setting.WALK_SPEED]
    flat = sqrt(vx * vx + vz * vz) if f[at, state_row.UP + 1] == 1.0 else sqrt(vx * vx + vy * vy + vz * vz)
    way = max(wish, flat) * dt
    broad, tall = (
        1.03 * max(numbers[setting.RADIUS_RIGHT], numbers[setting.RADIUS_AHEAD]),
        1.03 * numbers[setting.RADIUS_UP],
    )
    side = broad + way
    if turns:
        side = max(side, ROTATION_REACH * max(numbers[setting.RADIUS_RIGHT], numbers[setting.RADIUS_AHEAD]))
    fall = max(-f[at, state_row.FALL_VELOCITY], 0.0) * dt + numbers[setting.GRAVITY] * dt * dt
    rise = max(numbers[setting.JUMP_SPEED], f[at, state_row.FALL_VELOCITY]) * dt
    return (
        side + CANDIDATE_MARGIN,
        tall + max(numbers[setting.SNAP_DOWN] + way, fall) + CANDIDATE_MARGIN,
        tall + max(way, rise) + CANDIDATE_MARGIN,
    )


@inner
def _spawn_body(w: Scratch, numbers: Any, f: Any, i: Any, most: float) -> bool:
    """Turn row 0, which has a position and a heading, into a fresh state; False where it cannot be cleared, or only
    by a push of more than `most` (m)."""
    b = w.body
    w.counters[counter.RECORDS], w.counters[counter.EVENTS] = 0, 0
    b[body.COS_MAX_SLOPE] = numbers[setting.COS_MAX_SLOPE]
    b[body.STEP_HEIGHT] = (
        numbers[setting.STEP_HEIGHT] if numbers[setting.STEP_HEIGHT] > 0.0 else numbers[setting.RADIUS_UP]
    )
    b[body.SKIN], b[body.SNAP_DOWN] = numbers[setting.SKIN], numbers[setting.SNAP_DOWN]
    b[body.SUPPORT_HEIGHT] = body.NO_SUPPORT
    set_body_shape(
        w,
        i[0, state_row.HEADING],
        numbers[setting.RADIUS_RIGHT],
        numbers[setting.RADIUS_UP],
        numbers[setting.RADIUS_AHEAD],
    )
    transform_candidates(w)
    clear, far = recover_penetration(w)
    if not clear or far > most:
        return False
    supported = snap_to_ground(w, max(numbers[setting.SNAP_DOWN], numbers[setting.STEP_HEIGHT]))
    _write_position(w, f, 0)
    for k in range(3):
        f[0, state_row.SAFE_POSITION + k] = f[0, state_row.POSITION + k]
        f[0, state_row.RADII + k] = b[body.RADII + k]
    if supported:
        i[0, state_row.FLAGS] = state_flag.GROUNDED
        _write_ground_normal(w, find_ground_plane(w), f, 0)
    return True


@inner
def _begin_tick(w: Scratch, numbers: Any, i: Any, at: int) -> None:
    """Give the body the shape of row `at`, before its tick begins."""
    b = w.body
    low = i[at, state_row.FLAGS] & state_flag.CROUCHED != 0
    w.counters[counter.EVENTS], w.counters[counter.RECORDS] = 0, 0
    b[body.COS_MAX_SLOPE] = numbers[setting.COS_MAX_SLOPE]
    b[body.STEP_HEIGHT] = (
        numbers[setting.STEP_HEIGHT] if numbers[setting.STEP_HEIGHT] > 0.0 else numbers[setting.RADIUS_UP]
    )
    b[body.SKIN], b[body.SNAP_DOWN] = numbers[setting.SKIN], numbers[setting.SNAP_DOWN]
    b[body.SUPPORT_HEIGHT] = body.NO_SUPPORT
    set_body_shape(
        w,
        i[at, state_row.HEADING],
        numbers[setting.RADIUS_RIGHT],
        numbers[setting.CROUCH_RADIUS_UP] if low else numbers[setting.RADIUS_UP],
        numbers[setting.RADIUS_AHEAD],
    )


@inner
def _has_room_after_turn(w: Scratch, numbers: Any, i: Any, at: int) -> bool:
    """Whether the body of row `at`, turned to another gravity, has room there; it is pushed clear if so."""
    _begin_tick(w, numbers, i, at)
    transform_candidates(w)
    clear, far = recover_penetration(w)
    return clear and far <= MAX_GRAVITY_TURN_PUSH


@kernel
def run_ticks(
    nodes: Any,
    links: Any,
    triangles: Any,
    mates: Any,
    materials: Any,
    ids: Any,
    work: Any,
    numbers: Any,
    around: Any,
    before: Any,
    after: Any,
    wishes: Any,
    clock: int,
    lapse: int,
    first: int,
    end: int,
) -> int:
    """Ticks `first` to before `end`: row k of `after` is what the command in row k of `wishes` (forward, strafe,
    heading, buttons) makes of row k of `before`. A run passes rows that overlap, each state the one before the next.
    around: zones, motions and keys (see Surroundings.packed); the world's tick is `clock` when row 0 begins, and
    `lapse` later for each row on (0: rows are of many walkers at one tick).
    Returns how many are done: fewer than `end` means that a tick needs more
    candidates than there is room for (count[WANTED]).

    first = SPAWN (and end = 1) makes row 0 a fresh state instead: 1, or BLOCKED, or SPAWN again for too little room.
    """
    mesh = MeshArrays(nodes, links, triangles, mates, materials)
    w = Scratch(*work)
    zones, motions, keys = around[0], around[1], around[2]
    nodes_end = int(motions[0, motion_row.FIRST_NODE]) if len(motions) > 0 else len(nodes)
    start_profile(w)
    i = after.view(np.int64)
    was = before.view(np.int64)
    spawns = first == SPAWN_CLOCK
    extra = 1.0
    rights = True  # whether gravity that turned may turn the body: not where that was tried, and there is no room
    k = max(first, 0)
    while k < end:
        view, buttons, pitch = int(wishes[k, 2]), int(wishes[k, 3]), int(wishes[k, 4])
        for column in range(state_row.WIDTH):
            i[k, column] = was[k, column]
        upended = not spawns and rights and len(zones) > 0 and turn_to_gravity(zones, after, i, k, view)
        turns = spawns or (
            numbers[setting.RADIUS_RIGHT] != numbers[setting.RADIUS_AHEAD]
            and (view - i[k, state_row.HEADING]) % 32768 != 0
        )
        side, below, above = _candidate_reach(numbers, after, k, turns, spawns or buttons & button.SPRINT != 0)
        x, y, z = after[k, state_row.POSITION], after[k, state_row.POSITION + 1], after[k, state_row.POSITION + 2]
        ux, uy, uz = after[k, state_row.UP], after[k, state_row.UP + 1], after[k, state_row.UP + 2]
        set_body_frame(
            w.body, ux, uy, uz, after[k, state_row.NORTH], after[k, state_row.NORTH + 1], after[k, state_row.NORTH + 2]
        )
        find_candidates(mesh, nodes_end, ids, w, x, y, z, extra * side, extra * below, extra * above)
        now = float(clock + lapse * k)
        moving = len(motions) > 0 and has_movers_near(motions, w)
        if moving and (spawns or upended):
            add_mover_candidates(mesh, motions, keys, ids, w, now, 0, len(motions), -1)
        end_phase(w, profile_counter.BROAD_PHASE)
        add_to_count(w, profile_counter.CANDIDATES, w.counters[counter.CANDIDATES])
        if w.counters[counter.CANDIDATES_NEEDED] > len(ids):
            return first if spawns else k
        w.counters[counter.CANDIDATES_INCOMPLETE] = 0
        done = True
        if spawns:
            done = _spawn_body(w, numbers, after, i, MAX_SPAWN_PUSH)
        elif upended and not _has_room_after_turn(w, numbers, i, k) and w.counters[counter.CANDIDATES_INCOMPLETE] == 0:
            rights = False
            continue
        else:
            happened = tick_event.GRAVITY_TURNED if upended else 0
            rider = mover_ridden(motions, i, k) if moving else -1
            if moving:
                _begin_tick(w, numbers, i, k)
                happened |= ride_platforms(mesh, motions, keys, ids, w, after, i, k, now, numbers[setting.DT])
            read_zones(w, zones, after, k)
            if happened & tick_event.CRUSHED != 0:
                _return_to_safe_position(w, after, i, k)
            else:
                step_walker(
                    w, numbers, mates, materials, zones, after, i, k, wishes[k, 0], wishes[k, 1], view, buttons, pitch
                )
                if moving and w.counters[counter.EVENTS] & tick_event.RETURNED_TO_SAFE == 0:
                    finish_platform_tick(motions, keys, w, before, after, i, k, now, rider)
            w.counters[counter.EVENTS] |= happened
            if moving and w.counters[counter.CANDIDATES_NEEDED] > len(ids):
                return k
        if spawns and moving and done:
            attach_to_mover(motions, w, i)
        end_phase(w, profile_counter.WRITE_STATE)
        if w.counters[counter.CANDIDATES_INCOMPLETE] != 0 and extra < 1e6:
            extra = extra * 2.0
            add_to_count(w, profile_counter.REPEATED_TICKS, 1)
            continue
        if not done:
            return SPAWN_BLOCKED
        extra = 1.0
        rights = True
        k += 1
    return k
