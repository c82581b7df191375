"""Walking on ground: the plan move is solved in plan, and the height follows (docs/physics.md).

Plan speed on ramps and stairs is the plan speed on the flat, at any tick rate, and there is no step code: an edge
that is low enough is ground, and the body rises over it as its own round shape asks.
"""

from __future__ import annotations

from math import sqrt

from ..numerics.jit import inner
from ..numerics.projection import project2, unit_row2
from .broad_phase import cover
from .contacts import LEVEL, SUPPORTING, plane_height, touch
from .layout import body, counter, plane, profile_counter, record_kind, surface_class, tick_event
from .profile import tally
from .scratch import Work
from .slide import (
    NEAR,
    NO_DIRECTION,
    PUSH_WAY,
    ROUNDS,
    STILL,
    advance,
    keep_stops,
    largest,
    record,
    record_plane,
    sweep,
    swept_move,
)
from .support import carried, lowest_support, plan_normal

KINK = 1e-7  # m: a rise or a cut smaller than this is none
UPRIGHT = 0.3  # a wall leaning less than this (upward part of its normal) pushes a lost gap back sideways
SHORT_ROW = 1e-3  # floor-and-ceiling rows with less direction than this say nothing
GUESSES = 24  # most tries to find a plan move and a height that agree; each is nearer, by a half or more
SPARE_WAY = 1e-6  # m by which later guesses keep off, so that few are enough
CHECK = 1e-10  # m: tolerance of the final check


@inner
def _plan_rows(w: Work, push: bool) -> int:
    """Walls, and floors paired with ceilings (Fourier-Motzkin: the height eliminated), as rows for project2."""
    planes, rows = w.planes, w.rows
    n = 0
    count = w.count[counter.PLANES]
    ground = lowest_support(w)
    for p in range(count):
        what = planes[p, plane.CLASS]
        bound = planes[p, plane.BOUND]
        if what == surface_class.WALL:
            if not push or planes[p, plane.NY] > UPRIGHT:
                bound = min(bound, 0.0)
            x, z = plan_normal(w, p, ground)
            if ground >= 0 and planes[p, plane.NY] > LEVEL:
                bound = bound - planes[p, plane.NY] / planes[ground, plane.NY] * min(planes[ground, plane.BOUND], 0.0)
                if not push:
                    bound = min(bound, 0.0)  # between two walls there may be no way to give; the height then holds
            if unit_row2(rows, n, x, z, bound):
                n += 1
        elif what == surface_class.CEILING:
            paired = False
            for q in range(count):
                if planes[q, plane.NY] <= SUPPORTING:
                    continue
                paired = True
                f = -planes[p, plane.NY] / planes[q, plane.NY]
                x, z = planes[p, plane.NX] + f * planes[q, plane.NX], planes[p, plane.NZ] + f * planes[q, plane.NZ]
                if x * x + z * z >= SHORT_ROW * SHORT_ROW and unit_row2(
                    rows, n, x, z, min(0.0, bound + f * planes[q, plane.BOUND])
                ):
                    n += 1
            if not paired and unit_row2(rows, n, planes[p, plane.NX], planes[p, plane.NZ], min(bound, 0.0)):
                n += 1
    return n


@inner
def _mark_rows(w: Work, ux: float, uz: float, dx: float, dz: float) -> None:
    """Mark the walls and ceilings that held the plan move back."""
    planes = w.planes
    ground = lowest_support(w)
    for p in range(w.count[counter.PLANES]):
        planes[p, plane.BLOCKED] = 0.0
        if planes[p, plane.CLASS] == surface_class.WALKABLE:
            continue
        x, z = plan_normal(w, p, ground)
        flat = sqrt(x * x + z * z)
        if flat < NO_DIRECTION:
            continue
        asked = (x * ux + z * uz) / flat
        given = (x * dx + z * dz) / flat
        if asked < given - STILL and asked < -STILL and planes[p, plane.GAP] < 1.25 * w.body[body.SKIN]:
            planes[p, plane.BLOCKED] = 1.0
            record_plane(w, record_kind.STOP, p)


@inner
def _top(w: Work, p: int, dx: float, dz: float) -> float:
    """Height over where the body is at which it rests on top of edge p after the plan move."""
    planes = w.planes
    return (
        planes[p, plane.TOP_HEIGHT]
        - (planes[p, plane.UPRIGHT_X] * dx + planes[p, plane.UPRIGHT_Z] * dz) / planes[p, plane.UPRIGHT_Y]
    )


@inner
def _kink(w: Work, dx: float, dz: float) -> tuple[float, float]:
    """(part of the plan move up to where an edge's tangent asks for more than its top, the rise asked there)."""
    planes = w.planes
    cut, rise = 1.0, 0.0
    for p in range(w.count[counter.PLANES]):
        if (
            planes[p, plane.CLASS] != surface_class.WALKABLE
            or planes[p, plane.FEATURE] == 0
            or planes[p, plane.TOP_HEIGHT] <= KINK
        ):
            continue
        t0 = planes[p, plane.BOUND] / planes[p, plane.NY]
        t1 = t0 - (planes[p, plane.NX] * dx + planes[p, plane.NZ] * dz) / planes[p, plane.NY]
        c0, c1 = planes[p, plane.TOP_HEIGHT], _top(w, p, dx, dz)
        if t1 <= c1:
            continue
        part = 0.0 if t0 >= c0 else (c0 - t0) / ((t1 - t0) - (c1 - c0))
        if part < cut:
            cut = part
        rise = max(rise, c0)
    return cut, rise


@inner
def _height(w: Work, dx: float, dz: float) -> float:
    """How the height follows a plan move: the most that any walkable plane asks; steep ones hold, never lift."""
    planes = w.planes
    best = 0.0
    some = False
    for p in range(w.count[counter.PLANES]):
        if planes[p, plane.CLASS] == surface_class.WALKABLE:
            y = plane_height(w, p, dx, dz)
            if not some or y > best:
                best, some = y, True
    if not some:
        return 0.0
    for p in range(w.count[counter.PLANES]):
        if planes[p, plane.CLASS] == surface_class.WALL and planes[p, plane.NY] > LEVEL:
            hold = (planes[p, plane.BOUND] - planes[p, plane.NX] * dx - planes[p, plane.NZ] * dz) / planes[p, plane.NY]
            best = max(best, min(hold, 0.0))
    return best


@inner
def _obeys(w: Work, dx: float, dy: float, dz: float) -> bool:
    """The final check: every touching plane, walkable tops excepted that the body has risen above."""
    planes = w.planes
    for p in range(w.count[counter.PLANES]):
        given = planes[p, plane.NX] * dx + planes[p, plane.NY] * dy + planes[p, plane.NZ] * dz
        if given >= min(planes[p, plane.BOUND], 0.0) - CHECK:
            continue
        if (
            planes[p, plane.CLASS] == surface_class.WALKABLE
            and planes[p, plane.FEATURE] != 0
            and dy >= _top(w, p, dx, dz) - CHECK
            and planes[p, plane.GAP] >= 0.5 * w.body[body.SKIN] - CHECK
        ):
            continue
        return False
    return True


@inner
def _agree(w: Work, ux: float, uz: float, dy: float) -> tuple[float, float, float]:
    """A plan move and its height that agree where the height follows no single plane (the top of an edge, another
    face): walls and ceilings as they cut the plane at the height that the last guess came to."""
    planes, rows = w.planes, w.rows
    dx, dz = 0.0, 0.0
    spare = 0.0
    for _ in range(GUESSES):
        n = 0
        for p in range(w.count[counter.PLANES]):
            if planes[p, plane.CLASS] != surface_class.WALKABLE:
                bound = min(planes[p, plane.BOUND], 0.0) - planes[p, plane.NY] * dy + spare
                if unit_row2(rows, n, planes[p, plane.NX], planes[p, plane.NZ], bound):
                    n += 1
        dx, dz, done = project2(rows, n, ux, uz)
        if not done or dx * dx + dz * dz > ux * ux + uz * uz:
            return 0.0, 0.0, 0.0
        dy = _height(w, dx, dz)
        if _obeys(w, dx, dy, dz):
            break
        spare = SPARE_WAY
    return dx, dy, dz


@inner
def rise_limit(w: Work, rise: float) -> float:
    """A vertical rise as far as the touching ceilings allow it."""
    planes = w.planes
    for p in range(w.count[counter.PLANES]):
        if planes[p, plane.NY] < -LEVEL:
            rise = min(rise, max(planes[p, plane.BOUND] / planes[p, plane.NY], 0.0))
    return rise


@inner
def walk(w: Work, ux: float, uz: float) -> None:
    """The walker's own will on ground: the plan displacement u, with the height following. Stops are kept."""
    rest = 1.0
    idle = 0
    for _ in range(ROUNDS):
        tally(w, profile_counter.GROUND_MOVE_ITERATIONS, 1)
        x, z = ux * rest, uz * rest
        cover(w, x, 0.0, z)
        touch(w)
        wanted = sqrt(x * x + z * z)
        for attempt in range(2):
            n = _plan_rows(w, attempt == 0)
            dx, dz, done = project2(w.rows, n, x, z)
            reach = wanted + PUSH_WAY * largest(w.rows, n, 2)
            if done and dx * dx + dz * dz <= reach * reach:
                break
            w.count[counter.EVENTS] |= tick_event.NO_SOLUTION
            dx, dz = 0.0, 0.0
        _mark_rows(w, x, z, dx, dz)
        keep_stops(w, lowest_support(w))
        cut, rise = _kink(w, dx, dz)
        length = sqrt(dx * dx + dz * dz)
        if cut < 1.0 and cut * length < KINK:
            rise = rise_limit(w, rise)
            part = swept_move(w, 0.0, rise, 0.0)
            w.count[counter.EVENTS] |= tick_event.STEPPED_UP
            record(w, record_kind.STEP, 0.0, rise, 0.0, part)
            if part * rise > STILL:
                idle = 0
                continue
            idle += 1
            if idle == 2:
                break
            continue
        dx, dz = cut * dx, cut * dz
        dy = _height(w, dx, dz)
        if not _obeys(w, dx, dy, dz):
            dx, dy, dz = _agree(w, cut * x, cut * z, dy)
        if not _obeys(w, dx, dy, dz):
            dx, dz = 0.0, 0.0
            dy = rise_limit(w, _height(w, 0.0, 0.0))
            if not _obeys(w, 0.0, dy, 0.0):
                break
        if dx * dx + dy * dy + dz * dz <= STILL * STILL:
            idle += 1
            if idle == 2 or rest * rest * (ux * ux + uz * uz) <= STILL * STILL:
                break
            continue
        t = swept_move(w, dx, dy, dz)
        rest = rest * (1.0 - t * cut)
        moved = t * sqrt(dx * dx + dy * dy + dz * dz)
        if rest * rest * (ux * ux + uz * uz) <= STILL * STILL:
            break
        idle = idle + 1 if moved <= STILL else 0
        if idle == 2:
            break


@inner
def snap(w: Work, most: float) -> bool:
    """Bring the body down by at most `most`, to the full skin above ground that carries it; False (and no move)
    where there is none. Every touching plane limits the way: a wall held in the set is not there for the sweep."""
    cover(w, 0.0, -most, 0.0)
    touch(w)
    planes = w.planes
    drop = most
    for p in range(w.count[counter.PLANES]):
        if planes[p, plane.NY] > KINK:
            drop = min(drop, max(-planes[p, plane.BOUND], 0.0) / planes[p, plane.NY])
    b = w.body
    before = b[body.OFFSET + 1]
    if drop > 0.0:
        t = sweep(w, 0.0, -drop, 0.0, 1.0)
        advance(w, 0.0, -t * drop, 0.0)
        touch(w)
    if not carried(w):
        b[body.OFFSET + 1] = before
        return False
    rise = 0.0
    for p in range(w.count[counter.PLANES]):
        if planes[p, plane.CLASS] == surface_class.WALKABLE:
            rise = max(rise, plane_height(w, p, 0.0, 0.0))
    if rise > STILL:
        rise = rise_limit(w, rise)
        if rise > STILL:
            t = sweep(w, 0.0, rise, 0.0, NEAR)
            advance(w, 0.0, t * rise, 0.0)
            touch(w)
    return True
