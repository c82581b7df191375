"""Step-up: the ledges that a tick may step onto (docs/decisions/0002-step-height-from-the-support.md)."""

from __future__ import annotations

from math import sqrt

from ..numerics.jit import inner
from .layout import body, counter, plane, surface_class
from .scratch import Scratch

STEP_HEIGHT_TOLERANCE = 0.0005  # m: a ledge of exactly the step height is stepped on
MIN_TREAD = 0.01  # m: of two edges nearer than this in the horizontal one is above the other
TREAD_TOLERANCE = 0.001  # m
MIN_NOSE_COSINES = (0.99, 0.9)  # between the normals of two noses of a flight; of the free tread, maybe of a spiral


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
def _is_next_tread(w: Scratch, p: int) -> bool:
    """True if edge p is the next nose of a flight behind body.LEDGE, and the way of this tick covers the tread.

    The tread is then taken from body.STEP_UP_WAY.
    """
    b, planes = w.body, w.planes
    rise = planes[p, plane.POINT_Y] - b[body.LEDGE + 1]
    nx, nz = planes[p, plane.NX], planes[p, plane.NZ]
    length = sqrt(nx * nx + nz * nz)
    if (
        planes[p, plane.FEATURE] > 3
        or rise <= 0.0
        or rise > b[body.STEP_HEIGHT] + STEP_HEIGHT_TOLERANCE
        or nx * b[body.LEDGE_NORMAL_X] + nz * b[body.LEDGE_NORMAL_Z]
        < MIN_NOSE_COSINES[int(b[body.HAS_FREE_TREAD])] * length
    ):
        return False
    tread = (
        nx * (b[body.LEDGE] - planes[p, plane.POINT_X]) + nz * (b[body.LEDGE + 2] - planes[p, plane.POINT_Z])
    ) / length
    if tread < MIN_TREAD or (b[body.HAS_FREE_TREAD] == 0.0 and tread > b[body.STEP_UP_WAY] + TREAD_TOLERANCE):
        return False
    if b[body.HAS_FREE_TREAD] == 0.0:
        b[body.STEP_UP_WAY] -= tread
    b[body.HAS_FREE_TREAD] = 0.0
    return True


@inner
def limit_step_up(w: Scratch) -> None:
    """Make walls of the ledges that are too high for this tick, so that it does not climb one ledge from another.

    A ledge may lie one step height above what carried the body when the tick began, and one riser more for each tread
    that the way of this tick covers.
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
