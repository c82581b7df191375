"""Crouching and standing up (docs/physics.md)."""

from __future__ import annotations

from math import sqrt

from ....core.vectors import Floats
from ...numerics.jit import inner
from ...numerics.projection import project_onto_halfplanes
from ..body_frame import set_body_shape
from ..broad_phase import invalidate_candidates, require_candidates
from ..contacts import find_contacts, search_contacts
from ..ground_move import MIN_RISE
from ..ledges import STEP_HEIGHT_TOLERANCE
from ..rows import body, counter, half_space, plane, setting, tick_event
from ..scratch import Scratch
from ..slide import (
    MAX_SLIDE_ITERATIONS,
    MIN_HORIZONTAL_NORMAL,
    MIN_MOVE_LENGTH,
    SWEEP_SKIN_FRACTION,
    displace,
    sweep_and_move,
    sweep_body,
)
from ..support import find_resting_plane, is_resting_ground
from .penetration import PENETRATION_TOLERANCE

MAX_PINCH_LIFT = 0.01  # m above its feet at which a body that crouches may hang between walls


@inner
def crouch_or_stand(
    w: Scratch, settings: Floats, heading: int, crouched: bool, wants_crouch: bool, grounded: bool
) -> bool:
    """Crouch, or stand up as soon as there is room; returns True if the body is crouched afterwards."""
    if wants_crouch and not crouched:
        crouched = crouch_down(w, heading, settings[setting.CROUCH_RADIUS_UP], grounded)
    elif crouched and not wants_crouch and stand_up(w, heading, settings[setting.RADIUS_UP]):
        crouched = False
    return crouched


@inner
def crouch_down(w: Scratch, heading: int, crouched_radius: float, grounded: bool) -> bool:
    """Take the crouched shape (`crouched_radius` upwards, m), with the feet in place; False and no change without room.

    The crouched body starts in the middle of the upright one, where it is always clear, and is swept down to the feet.
    It also moves sideways past obstacles, by at most the distance by which it is broader than the upright body there,
    until it rests on something: beside a ledge it would otherwise hang on the edge, and climb it. A body on the ground
    has no room where the crouched shape would hang between walls, above its feet: from there it could step too high.
    """
    b = w.body
    x0, y0, z0 = b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2]
    support_height = b[body.SUPPORT_HEIGHT]
    rx, upright_radius, rz = b[body.RADII], b[body.RADII + 1], b[body.RADII + 2]
    highest_step = y0 - upright_radius * (1.0 + b[body.SKIN]) + b[body.STEP_HEIGHT] + STEP_HEIGHT_TOLERANCE
    set_body_shape(w, heading, rx, crouched_radius, rz)
    height = (upright_radius - crouched_radius) * (1.0 + b[body.SKIN])
    drop = height
    require_candidates(w, 0.0, -drop, 0.0)
    invalidate_candidates(w)
    find_contacts(w)
    for p in range(w.counters[counter.PLANES]):
        if w.planes[p, plane.NY] > MIN_RISE:
            drop = min(drop, max(-w.planes[p, plane.BOUND], 0.0) / w.planes[p, plane.NY])
    t = sweep_body(w, 0.0, -drop, 0.0, SWEEP_SKIN_FRACTION)
    displace(w, 0.0, -t * drop, 0.0)
    remaining_drop = height - t * drop
    max_bypass = (1.0 - crouched_radius / upright_radius) * max(rx, rz)
    iterations = MAX_SLIDE_ITERATIONS
    while iterations > 0 and remaining_drop > MIN_MOVE_LENGTH:
        iterations -= 1
        require_candidates(w, 0.0, -remaining_drop, 0.0)
        find_contacts(w)
        if grounded and find_resting_plane(w) >= 0:
            break
        x, z, solved = _find_bypass(w, remaining_drop)
        bypass_length = sqrt(x * x + z * z)
        if not solved or bypass_length > max_bypass:
            break
        t = sweep_and_move(w, x, -remaining_drop, z)
        remaining_drop -= t * remaining_drop
        max_bypass -= t * bypass_length
    if grounded and remaining_drop > MAX_PINCH_LIFT and not _rests_below(w, highest_step):
        set_body_shape(w, heading, rx, upright_radius, rz)
        b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2] = x0, y0, z0
        b[body.SUPPORT_HEIGHT] = support_height
        require_candidates(w, 0.0, 0.0, 0.0)
        invalidate_candidates(w)
        return False
    return True


@inner
def _rests_below(w: Scratch, highest: float) -> bool:
    """True if the body touches something that it can rest on, at a height of at most `highest` (relative, m)."""
    find_contacts(w)
    for p in range(w.counters[counter.PLANES]):
        if is_resting_ground(w, p) and w.planes[p, plane.POINT_Y] <= highest:
            return True
    return False


@inner
def _find_bypass(w: Scratch, drop: float) -> tuple[float, float, bool]:
    """Shortest horizontal displacement that lets a body pass its contacts while it moves down by `drop` (m).

    Returns (x, z, True), or False if there is none.
    """
    n = 0
    for p in range(w.counters[counter.PLANES]):
        nx, ny, nz = w.planes[p, plane.NX], w.planes[p, plane.NY], w.planes[p, plane.NZ]
        length = sqrt(nx * nx + nz * nz)
        bound = min(w.planes[p, plane.BOUND], 0.0) + ny * drop
        if length > MIN_HORIZONTAL_NORMAL:
            (
                w.half_spaces[n, half_space.X],
                w.half_spaces[n, half_space.Z],
                w.half_spaces[n, half_space.HORIZONTAL_BOUND],
            ) = nx / length, nz / length, bound / length
            n += 1
        elif bound > MIN_MOVE_LENGTH:
            return 0.0, 0.0, False
    return project_onto_halfplanes(w.half_spaces, n, 0.0, 0.0)


@inner
def stand_up(w: Scratch, heading: int, upright_radius: float) -> bool:
    """Take the upright shape (`upright_radius` upwards, m), feet in place; False and no change without room."""
    b = w.body
    rx, crouched_radius, rz = b[body.RADII], b[body.RADII + 1], b[body.RADII + 2]
    rise = (upright_radius - crouched_radius) * (1.0 + b[body.SKIN])
    displace(w, 0.0, rise, 0.0)
    set_body_shape(w, heading, rx, upright_radius, rz)
    require_candidates(w, 0.0, 0.0, 0.0)
    invalidate_candidates(w)
    if search_contacts(w) >= 0.5 * b[body.SKIN] - PENETRATION_TOLERANCE:
        return True
    displace(w, 0.0, -rise, 0.0)
    set_body_shape(w, heading, rx, crouched_radius, rz)
    invalidate_candidates(w)
    w.counters[counter.EVENTS] |= tick_event.NO_ROOM_TO_STAND
    return False
