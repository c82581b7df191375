"""Ground move: the horizontal displacement is solved first, and the height follows the ground (docs/physics.md).

The horizontal speed on ramps and stairs is that on level ground, at any tick rate. There is no separate step-up phase:
an edge that is low enough is ground, and the round body rises over it. Displacements are in the body frame, m;
"horizontal" is perpendicular to the body's up.
"""

from __future__ import annotations

from math import sqrt

from ..numerics.jit import inner
from ..numerics.projection import project_onto_halfplanes, write_unit_halfplane
from .broad_phase import require_candidates
from .contacts import (
    MIN_SUPPORT_NORMAL_Y,
    TOUCHING_GAP_FACTOR,
    VERTICAL_WALL_TOLERANCE,
    edge_top_height,
    find_contacts,
    required_rise,
)
from .rows import body, counter, plane, record_kind, surface_class, tick_event
from .scratch import Scratch
from .slide import (
    MAX_RECOVERY_RATIO,
    MAX_SLIDE_ITERATIONS,
    MIN_HORIZONTAL_NORMAL,
    MIN_MOVE_LENGTH,
    MIN_PAIRED_NORMAL,
    SWEEP_SKIN_FRACTION,
    add_trace_record,
    displace,
    record_plane_contact,
    store_blocking_normals,
    sweep_and_move,
    sweep_body,
)
from .support import MIN_STEP_UP, find_resting_plane, horizontal_normal, is_supported

MIN_RISE = 1e-7  # m: smaller rises are ignored
MAX_RECOVERY_WALL_NORMAL_Y = 0.3  # upward component of a wall's normal up to which it restores a lost gap sideways
MAX_HEIGHT_ITERATIONS = 24  # each at least halves the difference between horizontal move and height
ITERATION_CLEARANCE = 1e-6  # m by which later iterations keep off the planes, so that few are enough
MAX_FOLD_COSINE = 0.94  # between an edge and the ground beside it (20 degrees): with a larger one it is a fold, no step
CONSTRAINT_TOLERANCE = 1e-10  # m: tolerance of the final check


@inner
def _write_horizontal_half_planes(w: Scratch, restore_gaps: bool) -> tuple[int, float]:
    """Write walls, and floors paired with ceilings, as half-planes for `project_onto_halfplanes`.

    Returns (number of half-planes, largest gap lost to one, m, at least MIN_MOVE_LENGTH).

    Floor f and ceiling c leave room while (n_c - (c_y / f_y) n_f) . d >= b_c - (c_y / f_y) b_f: the height is
    eliminated (Fourier-Motzkin). restore_gaps: gaps lost to walls are restored, else only kept.
    """
    planes, rows = w.planes, w.half_spaces
    n, lost_gap = 0, MIN_MOVE_LENGTH
    count = w.counters[counter.PLANES]
    ground = find_resting_plane(w)
    for p in range(count):
        kind = planes[p, plane.CLASS]
        bound = planes[p, plane.BOUND]
        if kind == surface_class.WALL:
            if not restore_gaps or planes[p, plane.NY] > MAX_RECOVERY_WALL_NORMAL_Y:
                bound = min(bound, 0.0)
            x, z = horizontal_normal(w, p, ground)
            if ground >= 0 and planes[p, plane.NY] > VERTICAL_WALL_TOLERANCE:
                bound = bound - planes[p, plane.NY] / planes[ground, plane.NY] * min(planes[ground, plane.BOUND], 0.0)
                if not restore_gaps:
                    bound = min(bound, 0.0)  # between two walls there may be no solution; the height then holds
            if write_unit_halfplane(rows, n, x, z, bound):
                n += 1
                lost_gap = max(lost_gap, bound)
        elif kind == surface_class.CEILING:
            paired = False
            for q in range(count):
                if planes[q, plane.NY] <= MIN_SUPPORT_NORMAL_Y:
                    continue
                paired = True
                ratio = -planes[p, plane.NY] / planes[q, plane.NY]
                x, z = (
                    planes[p, plane.NX] + ratio * planes[q, plane.NX],
                    planes[p, plane.NZ] + ratio * planes[q, plane.NZ],
                )
                if x * x + z * z >= MIN_PAIRED_NORMAL * MIN_PAIRED_NORMAL and write_unit_halfplane(
                    rows, n, x, z, min(0.0, bound + ratio * planes[q, plane.BOUND])
                ):
                    n += 1
            if not paired and write_unit_halfplane(rows, n, planes[p, plane.NX], planes[p, plane.NZ], min(bound, 0.0)):
                n += 1
    return n, lost_gap


@inner
def _mark_blocking_walls(w: Scratch, ux: float, uz: float, dx: float, dz: float) -> None:
    """Mark the walls and ceilings that held back the horizontal move: d instead of u."""
    planes = w.planes
    ground = find_resting_plane(w)
    for p in range(w.counters[counter.PLANES]):
        planes[p, plane.BLOCKED] = 0.0
        if planes[p, plane.CLASS] == surface_class.WALKABLE:
            continue
        x, z = horizontal_normal(w, p, ground)
        length = sqrt(x * x + z * z)
        if length < MIN_HORIZONTAL_NORMAL:
            continue
        wanted = (x * ux + z * uz) / length
        allowed = (x * dx + z * dz) / length
        if (
            wanted < allowed - MIN_MOVE_LENGTH
            and wanted < -MIN_MOVE_LENGTH
            and planes[p, plane.GAP] < TOUCHING_GAP_FACTOR * w.body[body.SKIN]
        ):
            planes[p, plane.BLOCKED] = 1.0
            record_plane_contact(w, record_kind.STOP, p)


@inner
def _find_edge_crest(w: Scratch, dx: float, dz: float) -> tuple[float, float]:
    """(fraction of the horizontal move up to the kink, rise there): the tangent of an edge requires more than its top.

    Both are linear in the fraction t: tangent t0 + (t1 - t0) t, top c0 + (c1 - c0) t. (1, 0) if there is no kink.
    """
    planes = w.planes
    crest_fraction, rise = 1.0, 0.0
    for p in range(w.counters[counter.PLANES]):
        if (
            planes[p, plane.CLASS] != surface_class.WALKABLE
            or planes[p, plane.FEATURE] == 0
            or planes[p, plane.TOP_HEIGHT] <= MIN_RISE
        ):
            continue
        t0 = planes[p, plane.BOUND] / planes[p, plane.NY]
        t1 = t0 - (planes[p, plane.NX] * dx + planes[p, plane.NZ] * dz) / planes[p, plane.NY]
        c0, c1 = planes[p, plane.TOP_HEIGHT], edge_top_height(w, p, dx, dz)
        if t1 <= c1:
            continue
        fraction = 0.0 if t0 >= c0 else (c0 - t0) / ((t1 - t0) - (c1 - c0))
        if fraction < crest_fraction:
            crest_fraction = fraction
        rise = max(rise, c0)
    return crest_fraction, rise


@inner
def _follow_ground_height(w: Scratch, dx: float, dz: float) -> float:
    """Height change for a horizontal move: the most that any walkable plane requires; steep planes never lift.

    It sinks by at most a snap and the slope limit: a fast body does not follow the flank of an edge further down.
    """
    planes = w.planes
    best = 0.0
    found = False
    for p in range(w.counters[counter.PLANES]):
        if planes[p, plane.CLASS] == surface_class.WALKABLE:
            y = required_rise(w, p, dx, dz)
            if not found or y > best:
                best, found = y, True
    if not found:
        return 0.0
    for p in range(w.counters[counter.PLANES]):
        if planes[p, plane.CLASS] == surface_class.WALL and planes[p, plane.NY] > VERTICAL_WALL_TOLERANCE:
            required = (planes[p, plane.BOUND] - planes[p, plane.NX] * dx - planes[p, plane.NZ] * dz) / planes[
                p, plane.NY
            ]
            best = max(best, min(required, 0.0))
    if best < -w.body[body.SNAP_DOWN]:
        cosine = w.body[body.COS_MAX_SLOPE]
        slope = sqrt((dx * dx + dz * dz) * (1.0 - cosine * cosine)) / max(cosine, MIN_RISE)
        best = max(best, -w.body[body.SNAP_DOWN] - slope)
    return best


@inner
def _satisfies_contacts(w: Scratch, dx: float, dy: float, dz: float) -> bool:
    """True if d keeps to every contact plane: n . d >= min(bound, 0).

    A walkable edge is exempt once the body has risen to its top, unless a sweep has already stopped at it: the next
    sweep would pass it.
    """
    planes = w.planes
    for p in range(w.counters[counter.PLANES]):
        allowed = planes[p, plane.NX] * dx + planes[p, plane.NY] * dy + planes[p, plane.NZ] * dz
        if allowed >= min(planes[p, plane.BOUND], 0.0) - CONSTRAINT_TOLERANCE:
            continue
        if (
            planes[p, plane.CLASS] == surface_class.WALKABLE
            and planes[p, plane.FEATURE] != 0
            and dy >= edge_top_height(w, p, dx, dz) - CONSTRAINT_TOLERANCE
            and planes[p, plane.GAP] > SWEEP_SKIN_FRACTION * w.body[body.SKIN] + CONSTRAINT_TOLERANCE
        ):
            continue
        return False
    return True


@inner
def _solve_move_and_height(w: Scratch, ux: float, uz: float, dy: float) -> tuple[float, float, float]:
    """Iterate horizontal move and height until they agree: the height may follow several planes (an edge's top).

    Each iteration cuts walls and ceilings at the last height dy and projects the wish u onto these half-planes. Returns
    zeros if there is no solution.
    """
    planes, rows = w.planes, w.half_spaces
    dx, dz = 0.0, 0.0
    clearance = 0.0
    for _ in range(MAX_HEIGHT_ITERATIONS):
        n = 0
        for p in range(w.counters[counter.PLANES]):
            if planes[p, plane.CLASS] != surface_class.WALKABLE:
                bound = min(planes[p, plane.BOUND], 0.0) - planes[p, plane.NY] * dy + clearance
                if write_unit_halfplane(rows, n, planes[p, plane.NX], planes[p, plane.NZ], bound):
                    n += 1
        dx, dz, solved = project_onto_halfplanes(rows, n, ux, uz)
        if not solved or dx * dx + dz * dz > ux * ux + uz * uz:
            return 0.0, 0.0, 0.0
        dy = _follow_ground_height(w, dx, dz)
        if _satisfies_contacts(w, dx, dy, dz):
            break
        clearance = ITERATION_CLEARANCE
    return dx, dy, dz


@inner
def limit_rise(w: Scratch, rise: float) -> float:
    """A vertical rise (m), limited by the ceilings that the body touches."""
    planes = w.planes
    for p in range(w.counters[counter.PLANES]):
        if planes[p, plane.NY] < -VERTICAL_WALL_TOLERANCE:
            rise = min(rise, max(planes[p, plane.BOUND] / planes[p, plane.NY], 0.0))
    return rise


@inner
def _horizontal_displacement(w: Scratch, ux: float, uz: float) -> tuple[float, float]:
    """The horizontal displacement nearest to u that walls and ceilings allow; 0 and "squeezed" if there is none."""
    wanted = sqrt(ux * ux + uz * uz)
    for attempt in range(2):
        n, lost_gap = _write_horizontal_half_planes(w, attempt == 0)
        dx, dz, solved = project_onto_halfplanes(w.half_spaces, n, ux, uz)
        reach = wanted + MAX_RECOVERY_RATIO * lost_gap
        if solved and dx * dx + dz * dz <= reach * reach:
            return dx, dz
        w.counters[counter.EVENTS] |= tick_event.SQUEEZED
    return 0.0, 0.0


@inner
def _lift_onto_edge(w: Scratch, rise: float) -> bool:
    """Move the body straight up by at most `rise` (m), onto an edge whose kink is here; True if it moved."""
    rise = limit_rise(w, rise)
    fraction = sweep_and_move(w, 0.0, rise, 0.0)
    w.counters[counter.EVENTS] |= tick_event.STEPPED
    add_trace_record(w, record_kind.STEP, 0.0, rise, 0.0, fraction)
    return bool(fraction * rise > MIN_MOVE_LENGTH)


@inner
def _displacement_on_ground(w: Scratch, ux: float, uz: float, dx: float, dz: float) -> tuple[float, float, float, bool]:
    """(dx, dy, dz, True): the horizontal displacement d, solved for the wish u, with the height of the ground.

    Where horizontal move and height do not agree the body only rises. False if that is not allowed either.
    """
    dy = _follow_ground_height(w, dx, dz)
    if not _satisfies_contacts(w, dx, dy, dz):
        dx, dy, dz = _solve_move_and_height(w, ux, uz, dy)
    if not _satisfies_contacts(w, dx, dy, dz):
        dx, dz = 0.0, 0.0
        dy = limit_rise(w, _follow_ground_height(w, 0.0, 0.0))
        return dx, dy, dz, _satisfies_contacts(w, 0.0, dy, 0.0)
    return dx, dy, dz, True


@inner
def _record_step_up(w: Scratch, dx: float, dy: float, dz: float) -> None:
    """Record the event "stepped" if an edge lifts the body, and leans away from the steepest ground that touches it.

    Without such ground it is steeper than the slope limit: the crest of a ramp, or a fold of the ground, is no step.
    """
    planes = w.planes
    ground = -1
    for p in range(w.counters[counter.PLANES]):
        is_face = planes[p, plane.CLASS] == surface_class.WALKABLE and planes[p, plane.FEATURE] == 0
        if is_face and (ground < 0 or planes[p, plane.NY] < planes[ground, plane.NY]):
            ground = p
    for p in range(w.counters[counter.PLANES]):
        if planes[p, plane.CLASS] != surface_class.WALKABLE or planes[p, plane.FEATURE] == 0:
            continue
        is_step = planes[p, plane.NY] < w.body[body.COS_MAX_SLOPE] - VERTICAL_WALL_TOLERANCE
        if ground >= 0:
            cosine = (
                planes[p, plane.NX] * planes[ground, plane.NX]
                + planes[p, plane.NY] * planes[ground, plane.NY]
                + planes[p, plane.NZ] * planes[ground, plane.NZ]
            )
            is_step = planes[p, plane.NY] < planes[ground, plane.NY] and cosine < MAX_FOLD_COSINE
        if is_step and required_rise(w, p, dx, dz) >= dy - CONSTRAINT_TOLERANCE:
            w.counters[counter.EVENTS] |= tick_event.STEPPED


@inner
def ground_move(w: Scratch, ux: float, uz: float) -> None:
    """Move by the horizontal displacement u on ground, with the height following; what stops the body is stored.

    Each iteration solves for the contacts at hand and sweeps, up to the next kink of an edge. The move ends once
    nothing is left of u, or after two iterations without progress.
    """
    # apart from `slide_move`, because an iteration solves the horizontal displacement alone and may end at a kink
    remaining = 1.0
    idle_iterations = 0
    for _ in range(MAX_SLIDE_ITERATIONS):
        x, z = ux * remaining, uz * remaining
        require_candidates(w, x, 0.0, z)
        find_contacts(w)
        dx, dz = _horizontal_displacement(w, x, z)
        _mark_blocking_walls(w, x, z, dx, dz)
        store_blocking_normals(w, find_resting_plane(w))
        crest_fraction, rise = _find_edge_crest(w, dx, dz)
        length = sqrt(dx * dx + dz * dz)
        if crest_fraction < 1.0 and crest_fraction * length < MIN_RISE:
            idle_iterations = 0 if _lift_onto_edge(w, rise) else idle_iterations + 1
            if idle_iterations == 2:
                break
            continue
        dx, dy, dz, is_allowed = _displacement_on_ground(
            w, crest_fraction * x, crest_fraction * z, crest_fraction * dx, crest_fraction * dz
        )
        if not is_allowed:
            break
        if dx * dx + dy * dy + dz * dz <= MIN_MOVE_LENGTH * MIN_MOVE_LENGTH:
            idle_iterations += 1
            if idle_iterations == 2 or remaining * remaining * (ux * ux + uz * uz) <= MIN_MOVE_LENGTH * MIN_MOVE_LENGTH:
                break
            continue
        t = sweep_and_move(w, dx, dy, dz)
        if t * dy > MIN_STEP_UP:
            _record_step_up(w, dx, dy, dz)
        remaining = remaining * (1.0 - t * crest_fraction)
        moved = t * sqrt(dx * dx + dy * dy + dz * dz)
        if remaining * remaining * (ux * ux + uz * uz) <= MIN_MOVE_LENGTH * MIN_MOVE_LENGTH:
            break
        idle_iterations = idle_iterations + 1 if moved <= MIN_MOVE_LENGTH else 0
        if idle_iterations == 2:
            break


@inner
def drop_to_contact(w: Scratch, max_drop: float) -> None:
    """Move the body down by at most `max_drop` (m), to the whole skin above what it meets.

    Every contact plane limits the drop, because a sweep ignores planes that are touched already.
    """
    require_candidates(w, 0.0, -max_drop, 0.0)
    find_contacts(w)
    planes = w.planes
    drop = max_drop
    for p in range(w.counters[counter.PLANES]):
        if planes[p, plane.NY] > MIN_RISE:
            drop = min(drop, max(-planes[p, plane.BOUND], 0.0) / planes[p, plane.NY])
    if drop > 0.0:
        t = sweep_body(w, 0.0, -drop, 0.0, 1.0)
        displace(w, 0.0, -t * drop, 0.0)
        find_contacts(w)


@inner
def snap_to_ground(w: Scratch, max_drop: float) -> bool:
    """Move the body down to its support, by at most `max_drop` (m); False and no move without support."""
    b, planes = w.body, w.planes
    before = b[body.OFFSET + 1]
    drop_to_contact(w, max_drop)
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
            t = sweep_body(w, 0.0, rise, 0.0, SWEEP_SKIN_FRACTION)
            displace(w, 0.0, t * rise, 0.0)
            find_contacts(w)
    return True
