"""Step-up: how high a tick may step, and what a ground move that is undone restores.

Which ledges that allows is said by `ledges.py`; `contacts.py` asks for it with every search (docs/physics.md).
"""

from __future__ import annotations

from math import sqrt

from ...core.vectors import Floats
from ..numerics.jit import inner
from .broad_phase import require_candidates
from .contacts import find_contacts, is_ledge
from .ledges import STEP_HEIGHT_TOLERANCE, limit_step_up, set_ledge, set_step_up_limit
from .rotate import Rotation
from .rows import body, counter, plane, surface_class
from .scratch import Scratch
from .support import carrying_height, find_ground_plane, has_step_below


@inner
def restore_step_support(w: Scratch) -> None:
    """Restore the support of a body that stood at the start of the tick and touches nothing walkable.

    The step that supported it still does, although the body no longer touches what was below that step.
    """
    planes, b = w.planes, w.body
    for p in range(w.counters[counter.PLANES]):
        if planes[p, plane.CLASS] == surface_class.WALKABLE:
            return
    require_candidates(w, 0.0, -b[body.SNAP_DOWN], 0.0)
    for p in range(w.counters[counter.PLANES]):
        if (
            is_ledge(w, p)
            and planes[p, plane.POINT_Y] > b[body.SUPPORT_HEIGHT] + b[body.STEP_HEIGHT]
            and has_step_below(w, p)
        ):
            b[body.SUPPORT_HEIGHT] = planes[p, plane.POINT_Y] - b[body.STEP_HEIGHT]
            w.counters[counter.CONTACTS_VALID] = 0  # the classes of the planes have to be found again


@inner
def begin_step_up(w: Scratch, ux: float, uz: float, turn: Rotation) -> None:
    """Set body.STEP_UP_LIMIT, the height up to which this tick steps on ledges: one step height above what carries it.

    A body that rests on nothing still climbs an edge; then the next nose of the same flight is allowed too. After a
    push in this tick its step-up goes on: the height is that from before the push, and the ways add up.
    (ux, uz): horizontal displacement of the tick, m; turn: its rotation, before which the body stood lower.
    """
    b = w.body
    if b[body.PUSHED_STEP_UP] < body.NO_LIMIT:
        for k in range(body.STEP_UP_WIDTH):
            b[body.STEP_UP + k] = b[body.PUSHED_STEP_UP + k]
        b[body.UNUSED_DISTANCE] += sqrt(ux * ux + uz * uz)
        w.counters[counter.CONTACTS_VALID] = 0
        return
    find_contacts(w)
    b[body.UNUSED_DISTANCE], b[body.IS_CLIMBING_EDGE] = sqrt(ux * ux + uz * uz), 0.0
    b[body.LEDGE + 1] = body.NO_SUPPORT
    ground = find_ground_plane(w)
    support, rests = carrying_height(w, ground)
    if turn.lift > 0.0:
        support, rests = turn.support, turn.rested
    if not rests and ground >= 0:
        set_ledge(w, ground)
        b[body.IS_CLIMBING_EDGE] = 1.0
    b[body.STEP_UP_LIMIT] = support + b[body.STEP_HEIGHT] + STEP_HEIGHT_TOLERANCE
    limit_step_up(w)


@inner
def end_pushed_step_up(b: Floats, unmade: float) -> None:
    """End the step-up of a push: keep its columns for the rest of the tick, without the `unmade` way (m), and set no
    limit until then."""
    b[body.UNUSED_DISTANCE] -= unmade
    for k in range(body.STEP_UP_WIDTH):
        b[body.PUSHED_STEP_UP + k] = b[body.STEP_UP + k]
    b[body.STEP_UP_LIMIT] = body.NO_LIMIT


@inner
def save_step_up(b: Floats) -> None:
    """Save the columns of the step-up at the start of a step of a ground move."""
    for k in range(body.STEP_UP_WIDTH):
        b[body.STEP_UP_START + k] = b[body.STEP_UP + k]


@inner
def restore_step_up(b: Floats) -> None:
    """Restore the columns of the step-up to those at the start of this step of a ground move."""
    for k in range(body.STEP_UP_WIDTH):
        b[body.STEP_UP + k] = b[body.STEP_UP_START + k]


@inner
def limit_ledges(w: Scratch, height: float) -> None:
    """Make walls of all edges and corners more than `height` (m) above the feet, until STEP_UP_LIMIT is set again."""
    b = w.body
    set_step_up_limit(w, b[body.OFFSET + 1] - b[body.RADII + 1] * (1.0 + b[body.SKIN]) + height)
