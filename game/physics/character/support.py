"""What carries the body: ground it lies on, several steep planes that let nothing fall, or a step (docs/physics.md)."""

from __future__ import annotations

from math import sqrt

from ..numerics.jit import inner
from ..numerics.projection import project3
from .broad_phase import cover
from .contacts import HALF_MILLIMETRE, LEVEL, is_ledge
from .scratch import (
    BOUND,
    CANDIDATES,
    CLASS,
    COS_LIMIT,
    CX,
    CY,
    CZ,
    FEATURE,
    FRESH,
    GAP,
    GROUND,
    MOVED,
    NX,
    NY,
    NZ,
    PLANES,
    SKIN,
    SNAP,
    STEP,
    WALKABLE,
    WALL,
    WORLD,
    R,
    Work,
)

LIP = 0.01  # m beyond an edge at which the next step is looked for
RIM = 1e-9  # m^2: on the rim of a triangle is inside it


@inner
def funnel(w: Work) -> bool:
    """Whether steep planes, walls and overhangs together hold the body: no way left to fall is steeper than what can
    be stood on."""
    n = 0
    for p in range(w.count[PLANES]):
        if w.planes[p, GAP] < 1.25 * w.body[SKIN]:
            w.rows[n, 0], w.rows[n, 1], w.rows[n, 2] = w.planes[p, NX], w.planes[p, NY], w.planes[p, NZ]
            w.rows[n, 3] = 0.0
            n += 1
    if n < 2:
        return False
    dx, dy, dz, _ = project3(w.rows, n, 0.0, -1.0, 0.0)
    return bool(dx * dx + dy * dy + dz * dz <= 1.0 - w.body[COS_LIMIT] * w.body[COS_LIMIT])


@inner
def _holds(w: Work, p: int) -> bool:
    """Whether plane p alone is ground that a body rests on: not the lip of an edge that it slides off."""
    return bool(
        w.planes[p, CLASS] == WALKABLE and (w.planes[p, FEATURE] == 0 or w.planes[p, NY] >= w.body[COS_LIMIT] - LEVEL)
    )


@inner
def _ground_under(w: Work, x: float, z: float, top: float) -> bool:
    """Whether there is walkable ground straight under (x, z), no deeper under `top` than a snap reaches."""
    near = w.near
    deep = top - w.body[SNAP] - HALF_MILLIMETRE
    for i in range(w.count[CANDIDATES]):
        up = near[i, WORLD + 10]
        if abs(up) < w.body[COS_LIMIT] - LEVEL:
            continue
        ax, az = near[i, WORLD], near[i, WORLD + 2]
        y = near[i, WORLD + 1] - (near[i, WORLD + 9] * (x - ax) + near[i, WORLD + 11] * (z - az)) / up
        if y < deep or y > top:
            continue
        bx, bz = near[i, WORLD + 3], near[i, WORLD + 5]
        cx, cz = near[i, WORLD + 6], near[i, WORLD + 8]
        side = 1.0 if up < 0.0 else -1.0  # which way round the corners go, seen from above
        if (
            side * ((bx - ax) * (z - az) - (bz - az) * (x - ax)) >= -RIM
            and side * ((cx - bx) * (z - bz) - (cz - bz) * (x - bx)) >= -RIM
            and side * ((ax - cx) * (z - cz) - (az - cz) * (x - cx)) >= -RIM
        ):
            return True
    return False


@inner
def _step_below(w: Work, p: int) -> bool:
    """Whether edge or corner p is a step: just past it the ground is no deeper than a snap reaches."""
    planes = w.planes
    past = LIP / sqrt(planes[p, NX] * planes[p, NX] + planes[p, NZ] * planes[p, NZ])
    return _ground_under(w, planes[p, CX] + past * planes[p, NX], planes[p, CZ] + past * planes[p, NZ], planes[p, CY])


@inner
def carried(w: Work) -> bool:
    """Whether the touching set carries the body. Over an edge or a corner that it would slide off it is carried as
    long as the next step down is within a snap: just past the edge, or under the body's middle. Else it falls."""
    planes, b = w.planes, w.body
    some = False
    for p in range(w.count[PLANES]):
        if _holds(w, p):
            return True
        some = some or planes[p, CLASS] == WALKABLE
    if not some:
        return False
    if funnel(w):
        return True
    cover(w, 0.0, -b[SNAP], 0.0)
    for p in range(w.count[PLANES]):
        if planes[p, CLASS] == WALKABLE and _step_below(w, p):
            return True
    return _ground_under(w, b[MOVED], b[MOVED + 2], b[MOVED + 1] - b[R + 1] * (1.0 + b[SKIN]) + HALF_MILLIMETRE)


@inner
def stand_again(w: Work) -> None:
    """For a body that stood when the tick began and touches nothing walkable: the step that carried it still does,
    though what carried it onto that step is out of touch."""
    planes, b = w.planes, w.body
    for p in range(w.count[PLANES]):
        if planes[p, CLASS] == WALKABLE:
            return
    cover(w, 0.0, -b[SNAP], 0.0)
    for p in range(w.count[PLANES]):
        if is_ledge(w, p) and planes[p, CY] > b[GROUND] + b[STEP] and _step_below(w, p):
            b[GROUND] = planes[p, CY] - b[STEP]
            w.count[FRESH] = 0  # the classes are to be found again


@inner
def firm(w: Work, least: float) -> bool:
    """Whether the touching set holds a standing body where it is: no plane asks for `least` (m) or more."""
    held = False
    for p in range(w.count[PLANES]):
        if w.planes[p, BOUND] > least:
            return False
        if _holds(w, p) and w.planes[p, BOUND] > -least:
            held = True
    return held or (best_ground(w) < 0 and funnel(w))


@inner
def best_ground(w: Work) -> int:
    """The walkable plane that carries the body: the most upward one; -1 where there is none."""
    best = -1
    for p in range(w.count[PLANES]):
        if w.planes[p, CLASS] == WALKABLE and (best < 0 or w.planes[p, NY] > w.planes[best, NY]):
            best = p
    return best


@inner
def lowest_support(w: Work) -> int:
    """The plane that the height follows: of the ground that the body rests on what asks for the highest body where
    it stands; -1 where there is none."""
    best = -1
    planes = w.planes
    for p in range(w.count[PLANES]):
        if _holds(w, p) and (best < 0 or planes[p, BOUND] / planes[p, NY] > planes[best, BOUND] / planes[best, NY]):
            best = p
    return best


@inner
def plan_normal(w: Work, p: int, ground: int) -> tuple[float, float]:
    """The plan direction in which plane p holds a body back that follows the face `ground` up and down; with
    ground = -1 one that keeps its height."""
    planes = w.planes
    x, z = planes[p, NX], planes[p, NZ]
    if ground >= 0 and planes[p, CLASS] == WALL and planes[p, NY] > LEVEL:
        f = planes[p, NY] / planes[ground, NY]
        x, z = x - f * planes[ground, NX], z - f * planes[ground, NZ]
    return x, z
