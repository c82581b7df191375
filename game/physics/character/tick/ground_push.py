"""A push along the ground: the horizontal part of the push of a mover is a ground move (docs/physics.md)."""

from __future__ import annotations

from math import sqrt

from ....core.vectors import Floats
from ...numerics.jit import inner
from ...numerics.projection import project_onto_halfspaces
from ..broad_phase import require_candidates
from ..contacts import find_contacts
from ..rotate import Rotation
from ..rows import body, counter, half_space, plane, setting, surface_class, tick_event
from ..scratch import Scratch
from ..slide import MIN_MOVE_LENGTH
from ..step_up import begin_step_up, end_pushed_step_up, restore_step_support
from ..support import is_resting_ground
from .move import MAX_GROUND_MOVE_STEP, move_on_ground
from .penetration import PENETRATION_TOLERANCE

MAX_PUSHES = 4  # along the ground in a sub-step of the movers


@inner
def _smallest_push(w: Scratch) -> tuple[float, float, float]:
    """The smallest displacement (m) that restores the gaps to movers and keeps above the ground; 0 without one."""
    planes, rows = w.planes, w.half_spaces
    n = 0
    for p in range(w.counters[counter.PLANES]):
        is_mover = planes[p, plane.CANDIDATE] >= w.counters[counter.STATIC_CANDIDATES]
        pushes = is_mover and planes[p, plane.CLASS] != surface_class.WALKABLE
        if pushes or is_resting_ground(w, p):
            rows[n, half_space.NX], rows[n, half_space.NY] = planes[p, plane.NX], planes[p, plane.NY]
            rows[n, half_space.NZ] = planes[p, plane.NZ]
            rows[n, half_space.BOUND] = planes[p, plane.BOUND] if pushes else min(planes[p, plane.BOUND], 0.0)
            n += 1
    dx, dy, dz, solved = project_onto_halfspaces(rows, n, 0.0, 0.0, 0.0)
    return (dx, dy, dz) if solved else (0.0, 0.0, 0.0)


@inner
def push_along_ground(w: Scratch, settings: Floats, pushers_end: int) -> None:
    """Push a body that stood on ground out of the movers that it overlaps, along the ground and over its steps.

    The candidates of movers before `pushers_end` are walls for it. What still overlaps is left to the caller, and so is
    most of a push from below. A push that does not move the body, because it would lose its ground on the edge of a
    step, is tried again twice as long.
    """
    b = w.body
    clear_gap = 0.5 * b[body.SKIN] - PENETRATION_TOLERANCE
    require_candidates(w, 0.0, 0.0, 0.0)
    if find_contacts(w) >= clear_gap:
        return
    w.counters[counter.PUSHERS_END] = pushers_end
    factor = 1.0
    for _ in range(MAX_PUSHES):
        w.counters[counter.CONTACTS_VALID] = 0
        if find_contacts(w) >= clear_gap:
            break
        restore_step_support(w)
        find_contacts(w)
        x, rise, z = _smallest_push(w)
        length = sqrt(x * x + z * z)
        if length <= MIN_MOVE_LENGTH:
            break
        scale = min(factor, MAX_GROUND_MOVE_STEP / length)
        begin_step_up(w, x, z, Rotation(0, 0.0, 0.0, False))
        start_x, start_z = b[body.OFFSET], b[body.OFFSET + 2]
        move_on_ground(w, scale * x, scale * z, settings[setting.STEP_HEIGHT] > 0.0, settings[setting.SNAP_DOWN])
        x, z = b[body.OFFSET] - start_x, b[body.OFFSET + 2] - start_z
        moved = sqrt(x * x + z * z)
        end_pushed_step_up(b, max(length - moved, 0.0))
        if rise > length:  # from below
            break
        if moved <= MIN_MOVE_LENGTH:
            factor = 2.0 * factor
        else:
            w.counters[counter.EVENTS] |= tick_event.PUSHED
    w.counters[counter.PUSHERS_END] = 0
    w.counters[counter.CONTACTS_VALID] = 0
