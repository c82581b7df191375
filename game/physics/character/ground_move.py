"""Walking on ground: the plan move is solved in plan, and the height follows (docs/physics.md).

Plan speed on ramps and stairs is the plan speed on the flat, at any tick rate, and there is no step code: an edge
that is low enough is ground, and the body rises over it as its own round shape asks.
"""

from __future__ import annotations

from math import sqrt

from ..numerics.jit import inner
from ..numerics.projection import project_onto_halfplanes, write_unit_halfplane
from .broad_phase import require_candidates
from .contacts import MIN_SUPPORT_NORMAL_Y, VERTICAL_WALL_TOLERANCE, find_contacts, required_rise
from .layout import body, counter, plane, profile_counter, record_kind, surface_class, tick_event
from .profile import add_to_count
from .scratch import Scratch
from .slide import (
    MAX_RECOVERY_RATIO,
    MAX_SLIDE_ITERATIONS,
    MIN_MOVE_LENGTH,
    MIN_PLAN_NORMAL,
    SWEEP_SKIN_PART,
    add_trace_record,
    displace,
    max_bound,
    record_plane_contact,
    store_blocking_normals,
    sweep_and_move,
    sweep_body,
)
from .support import find_resting_plane, is_supported, plan_direction

MIN_RISE = 1e-7  # m: a rise or a cut smaller than this is none
MAX_RECOVERY_WALL_NORMAL_Y = (
    0.3  # a wall leaning less than this (upward part of its normal) pushes a lost gap back sideways
)
MIN_PAIRED_NORMAL = 1e-3  # floor-and-ceiling rows with less direction than this say nothing
MAX_HEIGHT_ITERATIONS = 24  # most tries to find a plan move and a height that agree; each is nearer, by a half or more
ITERATION_CLEARANCE = 1e-6  # m by which later guesses keep off, so that few are enough
CONSTRAINT_TOLERANCE = 1e-10  # m: tolerance of the final check


@inner
def _write_plan_half_planes(w: Scratch, push: bool) -> int:
    """Walls, and floors paired with ceilings (Fourier-Motzkin: the height eliminated), as rows for project2."""
    planes, rows = w.planes, w.half_spaces
    n = 0
    count = w.counters[counter.PLANES]
    ground = find_resting_plane(w)
    for p in range(count):
        what = planes[p, plane.CLASS]
        bound = planes[p, plane.BOUND]
        if what == surface_class.WALL:
            if not push or planes[p, plane.NY] > MAX_RECOVERY_WALL_NORMAL_Y:
                bound = min(bound, 0.0)
            x, z = plan_direction(w, p, ground)
            if ground >= 0 and planes[p, plane.NY] > VERTICAL_WALL_TOLERANCE:
                bound = bound - planes[p, plane.NY] / planes[ground, plane.NY] * min(planes[ground, plane.BOUND], 0.0)
                if not push:
                    bound = min(bound, 0.0)  # between two walls there may be no way to give; the height then holds
            if write_unit_halfplane(rows, n, x, z, bound):
                n += 1
        elif what == surface_class.CEILING:
            paired = False
            for q in range(count):
                if planes[q, plane.NY] <= MIN_SUPPORT_NORMAL_Y:
                    continue
                paired = True
                f = -planes[p, plane.NY] / planes[q, plane.NY]
                x, z = planes[p, plane.NX] + f * planes[q, plane.NX], planes[p, plane.NZ] + f * planes[q, plane.NZ]
                if x * x + z * z >= MIN_PAIRED_NORMAL * MIN_PAIRED_NORMAL and write_unit_halfplane(
                    rows, n, x, z, min(0.0, bound + f * planes[q, plane.BOUND])
                ):
                    n += 1
            if not paired and write_unit_halfplane(rows, n, planes[p, plane.NX], planes[p, plane.NZ], min(bound, 0.0)):
                n += 1
    return n


@inner
def _mark_blocking_walls(w: Scratch, ux: float, uz: float, dx: float, dz: float) -> None:
    """Mark the walls and ceilings that held the plan move back."""
    planes = w.planes
    ground = find_resting_plane(w)
    for p in range(w.counters[counter.PLANES]):
        planes[p, plane.BLOCKED] = 0.0
        if planes[p, plane.CLASS] == surface_class.WALKABLE:
            continue
        x, z = plan_direction(w, p, ground)
        flat = sqrt(x * x + z * z)
        if flat < MIN_PLAN_NORMAL:
            continue
        asked = (x * ux + z * uz) / flat
        given = (x * dx + z * dz) / flat
        if (
            asked < given - MIN_MOVE_LENGTH
            and asked < -MIN_MOVE_LENGTH
            and planes[p, plane.GAP] < 1.25 * w.body[body.SKIN]
        ):
            planes[p, plane.BLOCKED] = 1.0
            record_plane_contact(w, record_kind.STOP, p)


@inner
def _edge_top_height(w: Scratch, p: int, dx: float, dz: float) -> float:
    """Height over where the body is at which it rests on top of edge p after the plan move."""
    planes = w.planes
    return (
        planes[p, plane.TOP_HEIGHT]
        - (planes[p, plane.UPRIGHT_X] * dx + planes[p, plane.UPRIGHT_Z] * dz) / planes[p, plane.UPRIGHT_Y]
    )


@inner
def _find_edge_crest(w: Scratch, dx: float, dz: float) -> tuple[float, float]:
    """(part of the plan move up to where an edge's tangent asks for more than its top, the rise asked there)."""
    planes = w.planes
    cut, rise = 1.0, 0.0
    for p in range(w.counters[counter.PLANES]):
        if (
            planes[p, plane.CLASS] != surface_class.WALKABLE
            or planes[p, plane.FEATURE] == 0
            or planes[p, plane.TOP_HEIGHT] <= MIN_RISE
        ):
            continue
        t0 = planes[p, plane.BOUND] / planes[p, plane.NY]
        t1 = t0 - (planes[p, plane.NX] * dx + planes[p, plane.NZ] * dz) / planes[p, plane.NY]
        c0, c1 = planes[p, plane.TOP_HEIGHT], _edge_top_height(w, p, dx, dz)
        if t1 <= c1:
            continue
        part = 0.0 if t0 >= c0 else (c0 - t0) / ((t1 - t0) - (c1 - c0))
        if part < cut:
            cut = part
        rise = max(rise, c0)
    return cut, rise


@inner
def _follow_ground_height(w: Scratch, dx: float, dz: float) -> float:
    """How the height follows a plan move: the most that any walkable plane asks; steep ones hold, never lift."""
    planes = w.planes
    best = 0.0
    some = False
    for p in range(w.counters[counter.PLANES]):
        if planes[p, plane.CLASS] == surface_class.WALKABLE:
            y = required_rise(w, p, dx, dz)
            if not some or y > best:
                best, some = y, True
    if not some:
        return 0.0
    for p in range(w.counters[counter.PLANES]):
        if planes[p, plane.CLASS] == surface_class.WALL and planes[p, plane.NY] > VERTICAL_WALL_TOLERANCE:
            hold = (planes[p, plane.BOUND] - planes[p, plane.NX] * dx - planes[p, plane.NZ] * dz) / planes[p, plane.NY]
            best = max(best, min(hold, 0.0))
    return best


@inner
def _satisfies_contacts(w: Scratch, dx: float, dy: float, dz: float) -> bool:
    """The final check: every touching plane, walkable tops excepted that the body has risen above."""
    planes = w.planes
    for p in range(w.counters[counter.PLANES]):
        given = planes[p, plane.NX] * dx + planes[p, plane.NY] * dy + planes[p, plane.NZ] * dz
        if given >= min(planes[p, plane.BOUND], 0.0) - CONSTRAINT_TOLERANCE:
            continue
        if (
            planes[p, plane.CLASS] == surface_class.WALKABLE
            and planes[p, plane.FEATURE] != 0
            and dy >= _edge_top_height(w, p, dx, dz) - CONSTRAINT_TOLERANCE
            and planes[p, plane.GAP] >= 0.5 * w.body[body.SKIN] - CONSTRAINT_TOLERANCE
        ):
            continue
        return False
    return True


@inner
def _solve_move_and_height(w: Scratch, ux: float, uz: float, dy: float) -> tuple[float, float, float]:
    """A plan move and its height that agree where the height follows no single plane (the top of an edge, another
    face): walls and ceilings as they cut the plane at the height that the last guess came to."""
    planes, rows = w.planes, w.half_spaces
    dx, dz = 0.0, 0.0
    spare = 0.0
    for _ in range(MAX_HEIGHT_ITERATIONS):
        n = 0
        for p in range(w.counters[counter.PLANES]):
            if planes[p, plane.CLASS] != surface_class.WALKABLE:
                bound = min(planes[p, plane.BOUND], 0.0) - planes[p, plane.NY] * dy + spare
                if write_unit_halfplane(rows, n, planes[p, plane.NX], planes[p, plane.NZ], bound):
                    n += 1
        dx, dz, done = project_onto_halfplanes(rows, n, ux, uz)
        if not done or dx * dx + dz * dz > ux * ux + uz * uz:
            return 0.0, 0.0, 0.0
        dy = _follow_ground_height(w, dx, dz)
        if _satisfies_contacts(w, dx, dy, dz):
            break
        spare = ITERATION_CLEARANCE
    return dx, dy, dz


@inner
def limit_rise(w: Scratch, rise: float) -> float:
    """A vertical rise as far as the touching ceilings allow it."""
    planes = w.planes
    for p in range(w.counters[counter.PLANES]):
        if planes[p, plane.NY] < -VERTICAL_WALL_TOLERANCE:
            rise = min(rise, max(planes[p, plane.BOUND] / planes[p, plane.NY], 0.0))
    return rise


@inner
def ground_move(w: Scratch, ux: float, uz: float) -> None:
    """The walker's own will on ground: the plan displacement u, with the height following. Stops are kept."""
    rest = 1.0
    idle = 0
    for _ in range(MAX_SLIDE_ITERATIONS):
        add_to_count(w, profile_counter.GROUND_MOVE_ITERATIONS, 1)
        x, z = ux * rest, uz * rest
        require_candidates(w, x, 0.0, z)
        find_contacts(w)
        wanted = sqrt(x * x + z * z)
        for attempt in range(2):
            n = _write_plan_half_planes(w, attempt == 0)
            dx, dz, done = project_onto_halfplanes(w.half_spaces, n, x, z)
            reach = wanted + MAX_RECOVERY_RATIO * max_bound(w.half_spaces, n, 2)
            if done and dx * dx + dz * dz <= reach * reach:
                break
            w.counters[counter.EVENTS] |= tick_event.NO_SOLUTION
            dx, dz = 0.0, 0.0
        _mark_blocking_walls(w, x, z, dx, dz)
        store_blocking_normals(w, find_resting_plane(w))
        cut, rise = _find_edge_crest(w, dx, dz)
        length = sqrt(dx * dx + dz * dz)
        if cut < 1.0 and cut * length < MIN_RISE:
            rise = limit_rise(w, rise)
            part = sweep_and_move(w, 0.0, rise, 0.0)
            w.counters[counter.EVENTS] |= tick_event.STEPPED_UP
            add_trace_record(w, record_kind.STEP, 0.0, rise, 0.0, part)
            if part * rise > MIN_MOVE_LENGTH:
                idle = 0
                continue
            idle += 1
            if idle == 2:
                break
            continue
        dx, dz = cut * dx, cut * dz
        dy = _follow_ground_height(w, dx, dz)
        if not _satisfies_contacts(w, dx, dy, dz):
            dx, dy, dz = _solve_move_and_height(w, cut * x, cut * z, dy)
        if not _satisfies_contacts(w, dx, dy, dz):
            dx, dz = 0.0, 0.0
            dy = limit_rise(w, _follow_ground_height(w, 0.0, 0.0))
            if not _satisfies_contacts(w, 0.0, dy, 0.0):
                break
        if dx * dx + dy * dy + dz * dz <= MIN_MOVE_LENGTH * MIN_MOVE_LENGTH:
            idle += 1
            if idle == 2 or rest * rest * (ux * ux + uz * uz) <= MIN_MOVE_LENGTH * MIN_MOVE_LENGTH:
                break
            continue
        t = sweep_and_move(w, dx, dy, dz)
        rest = rest * (1.0 - t * cut)
        moved = t * sqrt(dx * dx + dy * dy + dz * dz)
        if rest * rest * (ux * ux + uz * uz) <= MIN_MOVE_LENGTH * MIN_MOVE_LENGTH:
            break
        idle = idle + 1 if moved <= MIN_MOVE_LENGTH else 0
        if idle == 2:
            break


@inner
def snap_to_ground(w: Scratch, most: float) -> bool:
    """Bring the body down by at most `most`, to the full skin above ground that carries it; False (and no move)
    where there is none. Every touching plane limits the way: a wall held in the set is not there for the sweep."""
    require_candidates(w, 0.0, -most, 0.0)
    find_contacts(w)
    planes = w.planes
    drop = most
    for p in range(w.counters[counter.PLANES]):
        if planes[p, plane.NY] > MIN_RISE:
            drop = min(drop, max(-planes[p, plane.BOUND], 0.0) / planes[p, plane.NY])
    b = w.body
    before = b[body.OFFSET + 1]
    if drop > 0.0:
        t = sweep_body(w, 0.0, -drop, 0.0, 1.0)
        displace(w, 0.0, -t * drop, 0.0)
        find_contacts(w)
    if not is_supported(w):
        b[body.OFFSET + 1] = before
        return False
    rise = 0.0
    for p in range(w.counters[counter.PLANES]):
        if planes[p, plane.CLASS] == surface_class.WALKABLE:
            rise = max(rise, required_rise(w, p, 0.0, 0.0))
    if rise > MIN_MOVE_LENGTH:
        rise = limit_rise(w, rise)
        if rise > MIN_MOVE_LENGTH:
            t = sweep_body(w, 0.0, rise, 0.0, SWEEP_SKIN_PART)
            displace(w, 0.0, t * rise, 0.0)
            find_contacts(w)
    return True
