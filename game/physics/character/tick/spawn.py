"""Putting a body where it has not walked to: a spawn, and a body turned to another gravity."""

from __future__ import annotations

from ....core.vectors import Floats, Indices
from ...numerics.jit import inner
from ..broad_phase import invalidate_candidates
from ..ground_move import snap_to_ground
from ..rows import body, setting, state_flag, state_row
from ..scratch import Scratch
from ..support import find_ground_plane
from .begin import note_safe_place, set_up_body
from .penetration import recover_penetration
from .write_state import write_ground_normal, write_position

MAX_GRAVITY_TURN_PUSH = 0.9  # m by which a body that turns to another gravity may be pushed to find room


@inner
def _find_room(w: Scratch, settings: Floats, i: Indices, max_push: float) -> bool:
    """Set up the body of state row i and push it clear by at most `max_push` (m); False if there is no room."""
    set_up_body(w, settings, i)
    invalidate_candidates(w)
    is_clear, distance = recover_penetration(w, False)
    return is_clear and distance <= max_push


@inner
def spawn_body(w: Scratch, settings: Floats, f: Floats, i: Indices, max_push: float) -> bool:
    """Complete a state row that has a position and a heading: pushed clear, and settled on ground within a step.

    Returns False if there is no room within `max_push` (m).
    """
    if not _find_room(w, settings, i, max_push):
        return False
    supported = snap_to_ground(w, max(settings[setting.SNAP_DOWN], settings[setting.STEP_HEIGHT]))
    write_position(w.body, f)
    note_safe_place(f, i, i[state_row.HEADING], False)
    for k in range(3):
        f[state_row.RADII + k] = w.body[body.RADII + k]
    if supported:
        i[state_row.FLAGS] = state_flag.GROUNDED
        write_ground_normal(w, f, find_ground_plane(w))
    return True


@inner
def has_room_after_turn(w: Scratch, settings: Floats, i: Indices) -> bool:
    """True if the body of state row i, turned to another gravity, has room; it is pushed clear then."""
    return _find_room(w, settings, i, MAX_GRAVITY_TURN_PUSH)
