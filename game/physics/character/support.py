"""Support: the ground, wedge of planes, or step that holds the body up (docs/physics.md, "Support")."""

from __future__ import annotations

from math import sqrt

from ..numerics.jit import inner
from ..numerics.projection import project_onto_halfspaces
from .broad_phase import require_candidates
from .contacts import (
    TOUCHING_GAP_FACTOR,
    VERTICAL_WALL_TOLERANCE,
)
from .ledges import STEP_HEIGHT_TOLERANCE
from .rows import body, candidate, counter, half_space, plane, surface_class
from .scratch import Scratch

STEP_PROBE_DISTANCE = 0.01  # m beyond an edge at which the next step is searched
MIN_STEP_UP = 1e-4  # m: a step-up lifts the body by more than this
INSIDE_TRIANGLE_TOLERANCE = 1e-9  # m^2: points on the border of a triangle are inside it


@inner
def is_wedged(w: Scratch) -> bool:
    """True if touching planes together (walls and overhangs too) leave no way down steeper than the slope limit.

    d is the direction nearest to straight down that they allow; its length is the sine of its descent, so the body
    is held if |d|^2 <= 1 - cos^2(max slope).
    """
    planes, rows = w.planes, w.half_spaces
    n = 0
    for p in range(w.counters[counter.PLANES]):
        if planes[p, plane.GAP] < TOUCHING_GAP_FACTOR * w.body[body.SKIN] and planes[p, plane.IS_ROUGHNESS] == 0.0:
            rows[n, half_space.NX], rows[n, half_space.NY] = planes[p, plane.NX], planes[p, plane.NY]
            rows[n, half_space.NZ], rows[n, half_space.BOUND] = planes[p, plane.NZ], 0.0
            n += 1
    if n < 2:
        return False
    dx, dy, dz, _ = project_onto_halfspaces(rows, n, 0.0, -1.0, 0.0)
    return bool(dx * dx + dy * dy + dz * dz <= 1.0 - w.body[body.COS_MAX_SLOPE] * w.body[body.COS_MAX_SLOPE])


@inner
def is_resting_ground(w: Scratch, p: int) -> bool:
    """True if the body can rest on plane p alone: a walkable face, or an edge touched within the slope limit."""
    return bool(
        w.planes[p, plane.CLASS] == surface_class.WALKABLE
        and (
            w.planes[p, plane.FEATURE] == 0
            or w.planes[p, plane.NY] >= w.body[body.COS_MAX_SLOPE] - VERTICAL_WALL_TOLERANCE
        )
    )


@inner
def _has_ground_below(w: Scratch, x: float, z: float, highest: float) -> bool:
    """True if there is walkable ground straight below (x, z), from `highest` down to a snap below it (relative, m)."""
    candidates = w.candidates
    lowest = highest - w.body[body.SNAP_DOWN] - STEP_HEIGHT_TOLERANCE
    for i in range(w.counters[counter.CANDIDATES]):
        up = candidates[i, candidate.NORMAL + 1]
        if abs(up) < w.body[body.COS_MAX_SLOPE] - VERTICAL_WALL_TOLERANCE:
            continue
        ax, az = candidates[i, candidate.CORNERS], candidates[i, candidate.CORNERS + 2]
        y = (
            candidates[i, candidate.CORNERS + 1]
            - (candidates[i, candidate.NORMAL] * (x - ax) + candidates[i, candidate.NORMAL + 2] * (z - az)) / up
        )
        if y < lowest or y > highest:
            continue
        bx, bz = candidates[i, candidate.CORNERS + 3], candidates[i, candidate.CORNERS + 5]
        cx, cz = candidates[i, candidate.CORNERS + 6], candidates[i, candidate.CORNERS + 8]
        side = 1.0 if up < 0.0 else -1.0  # orientation of the corners, seen from above
        if (
            side * ((bx - ax) * (z - az) - (bz - az) * (x - ax)) >= -INSIDE_TRIANGLE_TOLERANCE
            and side * ((cx - bx) * (z - bz) - (cz - bz) * (x - bx)) >= -INSIDE_TRIANGLE_TOLERANCE
            and side * ((ax - cx) * (z - cz) - (az - cz) * (x - cx)) >= -INSIDE_TRIANGLE_TOLERANCE
        ):
            return True
    return False


@inner
def has_step_below(w: Scratch, p: int) -> bool:
    """True if the ground 1 cm beyond edge or corner p is no deeper than a snap."""
    planes = w.planes
    scale = STEP_PROBE_DISTANCE / sqrt(
        planes[p, plane.NX] * planes[p, plane.NX] + planes[p, plane.NZ] * planes[p, plane.NZ]
    )
    return _has_ground_below(
        w,
        planes[p, plane.POINT_X] + scale * planes[p, plane.NX],
        planes[p, plane.POINT_Z] + scale * planes[p, plane.NZ],
        planes[p, plane.POINT_Y],
    )


@inner
def _is_stepping_up(w: Scratch) -> bool:
    """True if this step of a ground move has lifted the body towards the top of an edge that it still touches."""
    if w.body[body.OFFSET + 1] <= w.body[body.STEP_UP_FROM] + MIN_STEP_UP:
        return False
    for p in range(w.counters[counter.PLANES]):
        if (
            w.planes[p, plane.CLASS] == surface_class.WALKABLE
            and w.planes[p, plane.FEATURE] != 0
            and w.planes[p, plane.TOP_HEIGHT] > MIN_STEP_UP
        ):
            return True
    return False


@inner
def is_supported(w: Scratch) -> bool:
    """True if the contact planes support the body.

    An edge or corner that the body would slide off supports it in three cases: a step-up is lifting the body onto it;
    there is ground within a snap just beyond it; there is ground within a snap below the body's centre.
    """
    planes, b = w.planes, w.body
    touches_walkable = False
    for p in range(w.counters[counter.PLANES]):
        if is_resting_ground(w, p):
            return True
        touches_walkable = touches_walkable or planes[p, plane.CLASS] == surface_class.WALKABLE
    if not touches_walkable:
        return False
    if is_wedged(w) or _is_stepping_up(w):
        return True
    require_candidates(w, 0.0, -b[body.SNAP_DOWN], 0.0)
    for p in range(w.counters[counter.PLANES]):
        if planes[p, plane.CLASS] == surface_class.WALKABLE and has_step_below(w, p):
            return True
    return _has_ground_below(
        w,
        b[body.OFFSET],
        b[body.OFFSET + 2],
        b[body.OFFSET + 1] - b[body.RADII + 1] * (1.0 + b[body.SKIN]) + STEP_HEIGHT_TOLERANCE,
    )


@inner
def is_resting(w: Scratch, tolerance: float) -> bool:
    """True if the contact planes hold a standing body in place: no plane asks for more than `tolerance` (m)."""
    has_support = False
    for p in range(w.counters[counter.PLANES]):
        if w.planes[p, plane.BOUND] > tolerance:
            return False
        if is_resting_ground(w, p) and w.planes[p, plane.BOUND] > -tolerance:
            has_support = True
    return has_support or (find_ground_plane(w) < 0 and is_wedged(w))


@inner
def find_ground_plane(w: Scratch) -> int:
    """Index of the ground plane, the most upward walkable one; -1: none."""
    best = -1
    for p in range(w.counters[counter.PLANES]):
        if w.planes[p, plane.CLASS] == surface_class.WALKABLE and (
            best < 0 or w.planes[p, plane.NY] > w.planes[best, plane.NY]
        ):
            best = p
    return best


@inner
def carrying_height(w: Scratch, ground: int) -> tuple[float, bool]:
    """(relative height, m, of what carries the body; True if it rests there). ground: plane of `find_ground_plane`.

    A plane that the body rests on, or wedged planes, carry it at the height of the contact. Otherwise the height of
    the feet counts.
    """
    if ground >= 0 and (is_resting_ground(w, ground) or is_wedged(w)):
        return w.planes[ground, plane.POINT_Y], True
    return w.body[body.OFFSET + 1] - w.body[body.RADII + 1] * (1.0 + w.body[body.SKIN]), False


@inner
def find_resting_plane(w: Scratch) -> int:
    """Index of the plane that the height follows; -1: none.

    Of the planes that the body can rest on it is the one that requires the highest body where it stands.
    """
    best = -1
    planes = w.planes
    for p in range(w.counters[counter.PLANES]):
        if is_resting_ground(w, p) and (
            best < 0
            or planes[p, plane.BOUND] / planes[p, plane.NY] > planes[best, plane.BOUND] / planes[best, plane.NY]
        ):
            best = p
    return best


@inner
def horizontal_normal(w: Scratch, p: int, ground: int) -> tuple[float, float]:
    """Horizontal normal (x, z) with which plane p stops a body that follows the height of plane `ground` (-1: none).

    A leaning wall is reached sooner on rising ground: n - (n_y / g_y) g with the ground's normal g.
    """
    planes = w.planes
    x, z = planes[p, plane.NX], planes[p, plane.NZ]
    if ground >= 0 and planes[p, plane.CLASS] == surface_class.WALL and planes[p, plane.NY] > VERTICAL_WALL_TOLERANCE:
        ratio = planes[p, plane.NY] / planes[ground, plane.NY]
        x, z = x - ratio * planes[ground, plane.NX], z - ratio * planes[ground, plane.NZ]
    return x, z
