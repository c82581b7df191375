"""Ledges: the edges and corners that a tick may step onto (docs/decisions/0002-step-height-from-the-support.md)."""

from __future__ import annotations

from math import sqrt

from ..numerics.jit import inner
from .rows import body, counter, plane, surface_class
from .scratch import Scratch

STEP_HEIGHT_TOLERANCE = 0.0005  # m: a ledge of exactly the step height is stepped on
MIN_TREAD = 0.01  # m: of two edges nearer than this in the horizontal one is above the other
TREAD_TOLERANCE = 0.001  # m by which a tread may exceed the distance: contacts are found within a fraction of the skin
MIN_NOSE_COSINE = 0.99  # between the horizontal normals of two noses of one flight (8 degrees)
MIN_FIRST_NOSE_COSINE = 0.9  # the same for the nose after an edge that is still climbed (26 degrees, for spirals)


@inner
def set_ledge(w: Scratch, p: int) -> None:
    """Take edge or corner p as the ledge that carries the body (body.LEDGE)."""
    b, planes = w.body, w.planes
    nx, nz = planes[p, plane.NX], planes[p, plane.NZ]
    length = max(sqrt(nx * nx + nz * nz), MIN_TREAD)
    b[body.LEDGE], b[body.LEDGE + 1] = planes[p, plane.POINT_X], planes[p, plane.POINT_Y]
    b[body.LEDGE + 2] = planes[p, plane.POINT_Z]
    b[body.LEDGE_NORMAL_X], b[body.LEDGE_NORMAL_Z] = nx / length, nz / length


@inner
def set_step_up_limit(w: Scratch, height: float) -> None:
    """Make walls of all edges and corners above `height` (relative, m), until body.STEP_UP_LIMIT is set again."""
    b = w.body
    b[body.UNUSED_DISTANCE], b[body.IS_CLIMBING_EDGE] = -1.0, 0.0  # no tread is short enough
    b[body.STEP_UP_LIMIT] = height + STEP_HEIGHT_TOLERANCE
    b[body.LEDGE + 1] = body.NO_SUPPORT
    w.counters[counter.CONTACTS_VALID] = 0


@inner
def _is_next_tread(w: Scratch, p: int) -> bool:
    """True if edge p is the next nose of a flight after body.LEDGE, and this tick moves far enough to cover the tread.

    The tread is then taken from body.UNUSED_DISTANCE. The nose after an edge that is still climbed needs no distance.
    """
    b, planes = w.body, w.planes
    climbs = b[body.IS_CLIMBING_EDGE] != 0.0
    rise = planes[p, plane.POINT_Y] - b[body.LEDGE + 1]
    nx, nz = planes[p, plane.NX], planes[p, plane.NZ]
    length = sqrt(nx * nx + nz * nz)
    if (
        planes[p, plane.FEATURE] > 3
        or rise <= 0.0
        or rise > b[body.STEP_HEIGHT] + STEP_HEIGHT_TOLERANCE
        or nx * b[body.LEDGE_NORMAL_X] + nz * b[body.LEDGE_NORMAL_Z]
        < (MIN_FIRST_NOSE_COSINE if climbs else MIN_NOSE_COSINE) * length
    ):
        return False
    # From edge p straight out to the line of the ledge: where two edges cross, the tread between them vanishes.
    ledge_nx, ledge_nz = b[body.LEDGE_NORMAL_X], b[body.LEDGE_NORMAL_Z]
    tread = (
        (
            ledge_nx * (b[body.LEDGE] - planes[p, plane.POINT_X])
            + ledge_nz * (b[body.LEDGE + 2] - planes[p, plane.POINT_Z])
        )
        * length
        / (nx * ledge_nx + nz * ledge_nz)
    )
    if tread < MIN_TREAD or (not climbs and tread > b[body.UNUSED_DISTANCE] + TREAD_TOLERANCE):
        return False
    if not climbs:
        b[body.UNUSED_DISTANCE] -= tread
    b[body.IS_CLIMBING_EDGE] = 0.0
    return True


@inner
def limit_step_up(w: Scratch) -> None:
    """Make walls of the ledges that are too high for this tick, so that it does not climb one ledge from another.

    A ledge may lie one step height above what carried the body when the tick began, and one riser more for each tread
    that the displacement of this tick covers.
    """
    planes, b = w.planes, w.body
    while True:
        lowest, highest = -1, -1  # of the ledges beyond the limit, and of the edges within it
        limit = max(b[body.STEP_UP_LIMIT], b[body.LEDGE + 1])
        for p in range(w.counters[counter.PLANES]):
            if planes[p, plane.CLASS] != surface_class.WALKABLE or planes[p, plane.FEATURE] == 0:
                continue
            if planes[p, plane.POINT_Y] > limit:
                if lowest < 0 or planes[p, plane.POINT_Y] < planes[lowest, plane.POINT_Y]:
                    lowest = p
            elif (
                planes[p, plane.FEATURE] <= 3
                and planes[p, plane.POINT_Y] > b[body.LEDGE + 1]
                and (highest < 0 or planes[p, plane.POINT_Y] > planes[highest, plane.POINT_Y])
            ):
                highest = p
        if highest >= 0:
            set_ledge(w, highest)
        if lowest < 0:
            return
        if _is_next_tread(w, lowest):
            set_ledge(w, lowest)
        else:
            planes[lowest, plane.CLASS] = surface_class.WALL
