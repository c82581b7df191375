"""Move phases: the walker's own movement on ground or in the air, then gravity."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ....core.vectors import Floats, Indices
from ...environment.environment import MeshArrays
from ...numerics.acceleration import integrate_fall, integrate_updraft
from ...numerics.jit import inner
from ..broad_phase import require_candidates
from ..contacts import VERTICAL_WALL_TOLERANCE, find_contacts
from ..ground_move import drop_to_contact, ground_move, snap_to_ground
from ..rows import (
    body,
    counter,
    plane,
    setting,
    slide_mode,
    state_flag,
    state_row,
    tick_event,
)
from ..scratch import Scratch
from ..slide import MIN_MOVE_LENGTH, fall_and_slide, slide_move
from ..step_up import limit_ledges, restore_step_up, save_step_up
from ..support import MIN_STEP_UP, find_ground_plane, is_resting, is_resting_ground, is_wedged
from .effects import bounce_speed

MAX_GROUND_MOVE_STEP = 0.15  # m: a longer ground move is divided into steps
MAX_GROUND_MOVE_STEPS = 256  # of a tick: a move of more than 38 m has longer ones
RESTING_TOLERANCE = 1e-9  # m: a standing body is left in place if no plane asks for more


@inner
def _move_step_on_ground(w: Scratch, ux: float, uz: float, climbs_steps: bool, snap_down: float) -> bool:
    """One step of a ground move, by (ux, uz) (m), and its snap; True if the body is still supported at the end."""
    if climbs_steps:
        ground_move(w, ux, uz)
    else:
        slide_move(w, ux, 0.0, uz, slide_mode.IN_AIR)
    y = w.body[body.OFFSET + 1]
    is_held = snap_to_ground(w, snap_down)
    if is_held and w.body[body.OFFSET + 1] < y - MIN_MOVE_LENGTH:
        w.counters[counter.EVENTS] |= tick_event.SNAPPED
    return is_held


@inner
def _move_in_air(w: Scratch, ux: float, uz: float) -> None:
    """Slide by (ux, uz) (m). An edge lifts the body by at most one step height: a long slide rises past its top."""
    b = w.body
    highest = b[body.OFFSET + 1] + b[body.STEP_HEIGHT]
    slide_move(w, ux, 0.0, uz, slide_mode.IN_AIR)
    if b[body.OFFSET + 1] > highest:
        drop_to_contact(w, b[body.OFFSET + 1] - highest)


@inner
def _move_step_without_ledges(w: Scratch, ux: float, uz: float, snap_down: float) -> bool:
    """One step of a ground move for which every edge and corner above the feet is a wall."""
    b = w.body
    limit_ledges(w, 0.0)
    x, y, z = b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2]
    is_held = _move_step_on_ground(w, ux, uz, True, snap_down)
    if not is_held and b[body.OFFSET + 1] > y + MIN_STEP_UP:  # it has lost its ground: it slides as in the air
        b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2] = x, y, z
        slide_move(w, ux, 0.0, uz, slide_mode.IN_AIR)
        rise = b[body.OFFSET + 1] - y
        if rise > MIN_STEP_UP:  # along the tangent of an edge, which it has passed
            drop_to_contact(w, rise)
    restore_step_up(b)
    w.counters[counter.CONTACTS_VALID] = 0
    return is_held


@inner
def _follows_ground(w: Scratch, x: float, y: float, z: float) -> bool:
    """True if the body has risen from (x, y, z) no higher than a plane that it rested on there: off a ramp's end.

    The plane of an edge counts where it is no steeper than a face of the edge; where it is, the body steps up.
    """
    b, planes = w.body, w.planes
    end_x, end_y, end_z = b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2]
    b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2] = x, y, z
    find_contacts(w)
    b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2] = end_x, end_y, end_z
    w.counters[counter.CONTACTS_VALID] = 0
    for p in range(w.counters[counter.PLANES]):
        along = (
            planes[p, plane.NX] * (end_x - x) + planes[p, plane.NY] * (end_y - y) + planes[p, plane.NZ] * (end_z - z)
        )
        is_slope = (
            planes[p, plane.FEATURE] == 0
            or planes[p, plane.NY] >= planes[p, plane.MAX_FACE_NY] - VERTICAL_WALL_TOLERANCE
        )
        if is_slope and is_resting_ground(w, p) and along <= planes[p, plane.BOUND] + MIN_STEP_UP:
            return True
    return False


@inner
def move_on_ground(w: Scratch, ux: float, uz: float, climbs_steps: bool, snap_down: float) -> bool:
    """Move by the horizontal displacement (ux, uz) on ground; True if the body is still supported at the end.

    Each step of at most 0.15 m ends with a snap of at most `snap_down` (m), so that stairs and slopes hold at any
    speed and tick rate. climbs_steps: False with step height 0, where the body slides over every edge.

    A blocked body needs no further steps: each would repeat the last one. A tick without all candidates needs none
    either: it is repeated with more of them.

    A step-up never ends in the air. A step that lifts the body and leaves it without support is undone, and done again
    with ledges as walls. A later step that loses the support is undone too: the body stays on the ledge for this tick,
    also where it still rises onto it.
    A body that only followed its ground upwards goes on, without the rise of its last step.
    """
    b = w.body
    step_count = int(min(sqrt(ux * ux + uz * uz) / MAX_GROUND_MOVE_STEP, MAX_GROUND_MOVE_STEPS - 1.0)) + 1
    dx, dz = ux / step_count, uz / step_count
    tick_x, tick_y, tick_z = b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2]
    is_held = True
    for step in range(step_count):
        x, y, z = b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2]
        records, events, stops = w.counters[counter.RECORDS], w.counters[counter.EVENTS], w.counters[counter.STOPS]
        b[body.STEP_UP_FROM] = y
        save_step_up(b)
        is_held = _move_step_on_ground(w, dx, dz, climbs_steps, snap_down)
        if not is_held and climbs_steps and b[body.OFFSET + 1] > min(y, tick_y) + MIN_STEP_UP:
            if _follows_ground(w, tick_x, tick_y, tick_z):
                drop_to_contact(w, max(b[body.OFFSET + 1] - y, 0.0))
            else:
                b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2] = x, y, z
                restore_step_up(b)
                w.counters[counter.RECORDS] = records
                w.counters[counter.EVENTS] = events
                w.counters[counter.STOPS] = stops
                find_contacts(w)
                ground = find_ground_plane(w)
                if y > tick_y + MIN_STEP_UP and (ground < 0 or w.planes[ground, plane.FEATURE] != 0):
                    is_held = True
                    break
                is_held = _move_step_without_ledges(w, dx, dz, snap_down)
        if not is_held:
            rest = step_count - 1 - step
            if rest > 0:
                _move_in_air(w, dx * rest, dz * rest)
            break
        x, y, z = b[body.OFFSET] - x, b[body.OFFSET + 1] - y, b[body.OFFSET + 2] - z
        is_blocked = x * x + y * y + z * z <= MIN_MOVE_LENGTH * MIN_MOVE_LENGTH
        if is_blocked or w.counters[counter.CANDIDATES_INCOMPLETE] != 0:
            break
    b[body.STEP_UP_FROM] = body.NO_LIMIT
    return is_held


@inner
def move_horizontally(w: Scratch, settings: Floats, walks: bool, ux: float, uz: float) -> bool:
    """Own movement by (ux, uz) (m): on ground (`walks`) with steps and snap, else in the air by slides.

    Returns True if the body is supported at the end.

    Without a displacement, a body on ground that supports it does not move at all: its state keeps every bit.
    """
    supported = False
    if walks:
        if ux == 0.0 and uz == 0.0:
            require_candidates(w, 0.0, 0.0, 0.0)
            find_contacts(w)
            supported = is_resting(w, RESTING_TOLERANCE)
        if not supported:
            supported = move_on_ground(w, ux, uz, settings[setting.STEP_HEIGHT] > 0.0, settings[setting.SNAP_DOWN])
    elif ux != 0.0 or uz != 0.0:
        _move_in_air(w, ux, uz)
    return supported


class Fall(NamedTuple):
    """Result of the move phases."""

    supported: bool
    slides: bool  # down something steep
    vy: float  # upward velocity at the end of the tick, m/s
    fall_velocity: float  # the same before a slope took its part
    carried_rise: float  # part of it that the body has from a platform


@inner
def fall(
    w: Scratch,
    settings: Floats,
    mesh: MeshArrays,
    f: Floats,
    i: Indices,
    start_vy: float,
    v: float,
    carried_rise: float,
    gravity: float,
    has_updraft: bool,
) -> Fall:
    """Gravity, or a vertical current, on a body that is not supported.

    v: upward velocity (m/s) that gravity acts on; start_vy: upward velocity at the start of the tick; carried_rise: the
    part of both that the body has from a platform. All others are relative to it. The displacement is integrated
    exactly (v t - g t^2 / 2); the body slides down steep planes, bounces, lands, or is wedged.
    """
    b = w.body
    dt = settings[setting.DT]
    v, start_vy = v - carried_rise, start_vy - carried_rise
    current = b[body.CURRENT + 1] - carried_rise
    supported, slides = False, False
    if has_updraft and (v > current or b[body.CURRENT + 1] > 0.0):
        v, dy = integrate_updraft(v, current, gravity, dt)
    else:
        v, dy = integrate_fall(v, gravity, settings[setting.FALL_LIMIT] + max(carried_rise, 0.0), dt)
    way = dy + (carried_rise * dt - b[body.CARRIED_MADE + 1])
    rises = way > 0.0
    y = b[body.OFFSET + 1]
    met = fall_and_slide(w, way, dy, carried_rise, dt)
    has_landed = met.has_landed and v <= met.ground_rise
    rebound_speed, after = 0.0, carried_rise
    if len(mesh.materials) > 0 and has_landed:
        rebound_speed = bounce_speed(
            w,
            mesh.mates,
            mesh.materials,
            f[state_row.FALL_VELOCITY] - carried_rise - met.ground_rise,
            y - b[body.OFFSET + 1] + met.ground_rise * dt,
            gravity,
        )
    if met.hits_ceiling and rises:
        v = min(v, met.lid)
        after = min(after, met.lid + carried_rise)
        w.counters[counter.EVENTS] |= tick_event.HEAD
    if rebound_speed > 0.0:
        v = met.ground_rise + rebound_speed
        after = met.ground_rise + carried_rise
        w.counters[counter.EVENTS] |= tick_event.BOUNCED
    elif has_landed:
        supported = snap_to_ground(w, b[body.RADII + 1] * 2.0 * settings[setting.SKIN])
        if supported:
            w.counters[counter.EVENTS] |= tick_event.LANDED
    vy = v
    if met.has_slid and not rises:
        slides = True
        wanted = dy - met.slope_rise * dt  # relative to the slope, which took the rest
        moved = b[body.OFFSET + 1] - y - (way - dy) - met.slope_rise * dt
        if wanted < 0.0:
            vy = (v - met.slope_rise) * min(max(moved / wanted, 0.0), 1.0)
            if met.slope_rise != 0.0:
                vy = vy + met.slope_rise
        find_contacts(w)
        if not supported and find_ground_plane(w) < 0 and is_wedged(w):
            supported = True
            w.counters[counter.EVENTS] |= tick_event.FUNNEL
    elif i[state_row.FLAGS] & state_flag.SLIDING != 0 and not supported and not rises:
        # the body has left the slope: it falls from the velocity that it really had
        v = start_vy - gravity * dt
        vy = v
    if supported:
        return Fall(True, False, 0.0, 0.0, 0.0)
    if carried_rise != 0.0:
        vy, v = vy + carried_rise, v + carried_rise
    return Fall(False, slides, vy, v, after)
