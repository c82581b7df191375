"""Moving the body: sweep and advance; sliding in the air; falling (docs/physics.md)."""

from __future__ import annotations

from math import sqrt
from typing import Any

from ..mesh.geometry import sweep_sphere_against_triangle
from ..numerics.jit import inner, kernel
from ..numerics.projection import project_onto_halfplanes, project_onto_halfspaces
from .broad_phase import is_candidate_out_of_reach, require_candidates, to_ellipsoid_space
from .contacts import INTERNAL_EDGE_TOLERANCE, VERTICAL_WALL_TOLERANCE, find_contacts
from .layout import body, counter, half_space, plane, profile_counter, record_kind, surface_class, tick_event
from .profile import add_to_count
from .scratch import Scratch
from .support import find_resting_plane, is_supported, plan_direction, write_touching_planes

MAX_SLIDE_ITERATIONS = 12  # most rounds of one pass; 2 to 4 are used
SWEEP_SKIN_PART = 0.52  # part of the skin that a sweep keeps: half of it, and what a claimed feature may stand out
IMMEDIATE_HIT_FRACTION = 1e-9  # part of a way: what stops a sweep so soon was there before
SEAM_PENETRATION = (
    0.5 * INTERNAL_EDGE_TOLERANCE
)  # ellipsoid space: it may sink so far into that, lest a seam that a plane claims holds for ever
MIN_MOVE_LENGTH = 1e-9  # m: a round that moves less has come to its end
MAX_RECOVERY_RATIO = 4.0  # times the largest lost gap: a corner of three planes asks for less
BLOCKED_PART_SQUARED = 1e-12  # squared part of a wish that is left: less is none
MIN_PLAN_NORMAL = 0.05  # a plane whose normal has less plan part than this stops no plan velocity


@inner
def add_trace_record(w: Scratch, kind: float, x: float, y: float, z: float, value: float) -> None:
    """Note something for the trace, where there is room for one: a vector and a value, where the body is."""
    n = w.counters[counter.RECORDS]
    if n >= len(w.records):
        return
    w.counters[counter.RECORDS] = n + 1
    b, to = w.body, w.records
    to[n, 0], to[n, 1], to[n, 2], to[n, 3] = kind, -1.0, 0.0, 0.0
    to[n, 4], to[n, 5], to[n, 6], to[n, 7] = x, y, z, value
    to[n, 8], to[n, 9], to[n, 10] = b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2]


@inner
def record_plane_contact(w: Scratch, kind: float, p: int) -> None:
    """Note a touched or stopping plane: its normal, gap and contact point."""
    n = w.counters[counter.RECORDS]
    if n >= len(w.records):
        return
    planes, to = w.planes, w.records
    add_trace_record(w, kind, planes[p, plane.NX], planes[p, plane.NY], planes[p, plane.NZ], planes[p, plane.GAP])
    to[n, 1], to[n, 2], to[n, 3] = planes[p, plane.TRIANGLE], planes[p, plane.CLASS], planes[p, plane.FEATURE]
    to[n, 8], to[n, 9], to[n, 10] = planes[p, plane.POINT_X], planes[p, plane.POINT_Y], planes[p, plane.POINT_Z]


@inner
def record_contacts(w: Scratch) -> None:
    """Note every plane of the touching set."""
    if len(w.records) > 0:
        for p in range(w.counters[counter.PLANES]):
            record_plane_contact(w, record_kind.CONTACT, p)


@kernel
def sweep_body(w: Scratch, dx: float, dy: float, dz: float, part: float) -> float:
    """Part of the world displacement that the body, with `part` of its skin, can go; 1 where nothing is met."""
    require_candidates(w, dx, dy, dz)
    b = w.body
    px, py, pz = to_ellipsoid_space(b, b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2])
    ex, ey, ez = to_ellipsoid_space(b, dx, dy, dz)
    if ex * ex + ey * ey + ez * ez == 0.0:
        return 1.0
    r = 1.0 + part * b[body.SKIN]
    add_to_count(w, profile_counter.SWEEPS, 1)
    best = 1.0
    near = w.candidates
    x0, y0, z0 = px + min(ex, 0.0), py + min(ey, 0.0), pz + min(ez, 0.0)
    x1, y1, z1 = px + max(ex, 0.0), py + max(ey, 0.0), pz + max(ez, 0.0)
    for i in range(w.counters[counter.CANDIDATES]):
        if is_candidate_out_of_reach(near, i, x0, y0, z0, x1, y1, z1, r):
            continue
        # a plane not reached by the best so far holds nothing nearer
        nx, ny, nz = near[i, 9], near[i, 10], near[i, 11]
        h = nx * (px - near[i, 0]) + ny * (py - near[i, 1]) + nz * (pz - near[i, 2])
        hd = nx * ex + ny * ey + nz * ez
        if (h >= r and h + best * hd > r) or (h <= -r and h + best * hd < -r):
            continue
        add_to_count(w, profile_counter.SWEEP_TESTS, 1)
        t = sweep_sphere_against_triangle(near, i, px, py, pz, ex, ey, ez, r, best)[0]
        if t <= IMMEDIATE_HIT_FRACTION and part < 1.0:
            t = sweep_sphere_against_triangle(near, i, px, py, pz, ex, ey, ez, r - SEAM_PENETRATION, best)[0]
        if t < best:
            best = t
    return best


@inner
def displace(w: Scratch, dx: float, dy: float, dz: float) -> None:
    """Move the body by a world displacement that has been swept."""
    b = w.body
    b[body.OFFSET] += dx
    b[body.OFFSET + 1] += dy
    b[body.OFFSET + 2] += dz


@inner
def sweep_and_move(w: Scratch, dx: float, dy: float, dz: float) -> float:
    """Sweep at about half the skin and advance as far as that goes; returns the part gone."""
    t = sweep_body(w, dx, dy, dz, SWEEP_SKIN_PART)
    displace(w, t * dx, t * dy, t * dz)
    add_trace_record(w, record_kind.SLIDE, dx, dy, dz, t)
    return t


@inner
def write_half_spaces(w: Scratch, push: bool, will: bool) -> int:
    """The touching set as rows for project3. `push`: a lost gap is made good, else it is only not made worse.
    `will`: the walker's own will never climbs what is steep, so steep planes also count as upright walls."""
    planes, rows = w.planes, w.half_spaces
    n = 0
    for p in range(w.counters[counter.PLANES]):
        bound = planes[p, plane.BOUND] if push else min(planes[p, plane.BOUND], 0.0)
        rows[n, 0], rows[n, 1], rows[n, 2], rows[n, 3] = (
            planes[p, plane.NX],
            planes[p, plane.NY],
            planes[p, plane.NZ],
            bound,
        )
        n += 1
        if will and w.planes[p, plane.CLASS] == surface_class.WALL and planes[p, plane.NY] > VERTICAL_WALL_TOLERANCE:
            flat = sqrt(planes[p, plane.NX] * planes[p, plane.NX] + planes[p, plane.NZ] * planes[p, plane.NZ])
            if flat > VERTICAL_WALL_TOLERANCE and n < half_space.MAX_ROWS:
                rows[n, 0], rows[n, 1], rows[n, 2] = planes[p, plane.NX] / flat, 0.0, planes[p, plane.NZ] / flat
                rows[n, 3] = min(bound, 0.0) / flat
                n += 1
    return n


@inner
def max_bound(rows: Any, n: int, column: int) -> float:
    """The most that a row asks for, and a little more than nothing. A wish and the making good of lost gaps explain
    a displacement no longer than its length and PUSH_WAY times this: between two surfaces that nearly face each other
    the way that gives both their gap can lead far off, and is not taken."""
    most = MIN_MOVE_LENGTH
    for i in range(n):
        most = max(most, rows[i, column])
    return most


@inner
def _nearest_displacement(w: Scratch, ux: float, uy: float, uz: float, is_own: bool) -> tuple[float, float, float, int]:
    """(dx, dy, dz, failures): the displacement nearest to u that the contact planes allow.

    The first try restores lost gaps, the second one only keeps what is left of them; `failures` is the number of
    tries without a solution, and with 2 of them d is 0. is_own: see `write_half_spaces`.
    """
    wanted = sqrt(ux * ux + uy * uy + uz * uz)
    for attempt in range(2):
        n = write_half_spaces(w, attempt == 0, is_own)
        dx, dy, dz, done = project_onto_halfspaces(w.half_spaces, n, ux, uy, uz)
        reach = wanted + MAX_RECOVERY_RATIO * max_bound(w.half_spaces, n, 3)
        if done and dx * dx + dy * dy + dz * dz <= reach * reach:
            return dx, dy, dz, attempt
    return 0.0, 0.0, 0.0, 2


@inner
def project_displacement(w: Scratch, ux: float, uy: float, uz: float) -> tuple[float, float, float]:
    """The displacement nearest to u that the contact planes allow; NO_SOLUTION unless it restores every lost gap.

    A displacement with a plan part is the body's own movement; one without is due to gravity or recovery.
    """
    dx, dy, dz, failures = _nearest_displacement(w, ux, uy, uz, ux != 0.0 or uz != 0.0)
    if failures > 0:
        w.counters[counter.EVENTS] |= tick_event.NO_SOLUTION
    return dx, dy, dz


@inner
def mark_blocking_planes(w: Scratch, ux: float, uy: float, uz: float, dx: float, dy: float, dz: float) -> None:
    """Mark the planes that kept the body from moving by u and let it move by d."""
    planes = w.planes
    for p in range(w.counters[counter.PLANES]):
        nx, ny, nz, bound = planes[p, plane.NX], planes[p, plane.NY], planes[p, plane.NZ], planes[p, plane.BOUND]
        asked = nx * ux + ny * uy + nz * uz
        given = nx * dx + ny * dy + nz * dz
        planes[p, plane.BLOCKED] = (
            1.0 if asked < bound - MIN_MOVE_LENGTH and given <= max(bound, 0.0) + MIN_MOVE_LENGTH else 0.0
        )
        if planes[p, plane.BLOCKED] == 1:
            record_plane_contact(w, record_kind.STOP, p)


@inner
def fall_and_slide(w: Scratch, dy: float) -> tuple[bool, bool, bool]:
    """The pass of outside forces: by `dy` (m, upwards) along gravity, sliding on what is steep or overhangs.

    Returns (landed on something walkable, met a ceiling, slid down something steep).
    """
    left = dy
    head, slid = False, False
    for _ in range(MAX_SLIDE_ITERATIONS):
        require_candidates(w, 0.0, left, 0.0)
        find_contacts(w)
        planes = w.planes
        if dy <= 0.0 and is_supported(w):
            return True, head, slid
        if abs(left) <= MIN_MOVE_LENGTH:
            break
        dx, ry, dz = project_displacement(w, 0.0, left, 0.0)
        mark_blocking_planes(w, 0.0, left, 0.0, dx, ry, dz)
        for p in range(w.counters[counter.PLANES]):
            if planes[p, plane.BLOCKED] == 1.0:
                if planes[p, plane.CLASS] == surface_class.CEILING:
                    head = True
                elif planes[p, plane.NY] > VERTICAL_WALL_TOLERANCE:
                    slid = True
        if head and dy > 0.0:
            break
        if dx * dx + ry * ry + dz * dz <= MIN_MOVE_LENGTH * MIN_MOVE_LENGTH:
            break
        t = sweep_and_move(w, dx, ry, dz)
        left = left * (1.0 - t)
    return False, head, slid


@inner
def slide_move(w: Scratch, ux: float, uy: float, uz: float, floats: bool) -> None:
    """Move by u (body frame, m) and slide along all contact planes, by projection onto half-spaces.

    In the air (and on ground with step height 0) edges and ramps may lift the body and steep planes may not; the
    planes that stop it are stored for `clip_velocity`. A body that `floats` (swims, climbs) slides in all directions.
    """
    rest = 1.0
    for _ in range(MAX_SLIDE_ITERATIONS):
        x, y, z = ux * rest, uy * rest, uz * rest
        require_candidates(w, x, y, z)
        find_contacts(w)
        dx, dy, dz, failures = _nearest_displacement(w, x, y, z, not floats and (x != 0.0 or z != 0.0))
        if failures == 2 or (failures == 1 and not floats):
            w.counters[counter.EVENTS] |= tick_event.NO_SOLUTION
        mark_blocking_planes(w, x, y, z, dx, dy, dz)
        if not floats:
            store_blocking_normals(w, -1)
        if dx * dx + dy * dy + dz * dz <= MIN_MOVE_LENGTH * MIN_MOVE_LENGTH:
            break
        t = sweep_and_move(w, dx, dy, dz)
        rest = rest * (1.0 - t)
        if rest * rest * (ux * ux + uy * uy + uz * uz) <= MIN_MOVE_LENGTH * MIN_MOVE_LENGTH:
            break


@inner
def store_blocking_normals(w: Scratch, ground: int) -> None:
    """Remember the plan directions of walls that stopped the walker, for its velocity (ground: see plan_normal)."""
    planes, rows = w.planes, w.half_spaces
    for p in range(w.counters[counter.PLANES]):
        n = w.counters[counter.STOPS]
        if (
            planes[p, plane.BLOCKED] == 0.0
            or planes[p, plane.CLASS] == surface_class.WALKABLE
            or n == half_space.MAX_STOPS
        ):
            continue
        x, z = plan_direction(w, p, ground)
        flat = sqrt(x * x + z * z)
        if flat >= MIN_PLAN_NORMAL:
            rows[half_space.FIRST_STOP_ROW + n, 0], rows[half_space.FIRST_STOP_ROW + n, 1] = x / flat, z / flat
            w.counters[counter.STOPS] = n + 1


@inner
def _is_wish_blocked(w: Scratch, wx: float, wz: float) -> bool:
    """Whether the walls that the body now touches leave the wish no way at all."""
    planes = w.planes
    n = 0
    ground = find_resting_plane(w)
    for p in range(w.counters[counter.PLANES]):
        if planes[p, plane.CLASS] == surface_class.WALL and planes[p, plane.GAP] < 1.25 * w.body[body.SKIN]:
            x, z = plan_direction(w, p, ground)
            flat = sqrt(x * x + z * z)
            if flat >= MIN_PLAN_NORMAL:
                w.half_spaces[n, 0], w.half_spaces[n, 1], w.half_spaces[n, 2] = x / flat, z / flat, 0.0
                n += 1
    if n < 2:
        return False
    x, z, done = project_onto_halfplanes(w.half_spaces, n, wx, wz)
    return not done or x * x + z * z <= BLOCKED_PART_SQUARED * (wx * wx + wz * wz)


@inner
def clip_velocity(w: Scratch, vx: float, vz: float, wx: float, wz: float) -> tuple[float, float]:
    """The plan velocity without what really stopped it. In a corner that leaves the wish (wx, wz) no way at all it
    is nothing: slid on along the other wall the body would come back for ever, by what each tick adds."""
    n = w.counters[counter.STOPS]
    if n == 0:
        return vx, vz
    if (wx != 0.0 or wz != 0.0) and _is_wish_blocked(w, wx, wz):
        return 0.0, 0.0
    for k in range(n):
        w.half_spaces[k, 0], w.half_spaces[k, 1], w.half_spaces[k, 2] = (
            w.half_spaces[half_space.FIRST_STOP_ROW + k, 0],
            w.half_spaces[half_space.FIRST_STOP_ROW + k, 1],
            0.0,
        )
    x, z, done = project_onto_halfplanes(w.half_spaces, n, vx, vz)
    return (x, z) if done else (0.0, 0.0)


@inner
def clip_velocity_3d(w: Scratch, vx: float, vy: float, vz: float) -> tuple[float, float, float]:
    """The velocity nearest to v that leaves no touching plane: n . v >= 0; zero if there is none."""
    require_candidates(w, 0.0, 0.0, 0.0)
    find_contacts(w)
    n = write_touching_planes(w)
    x, y, z, done = project_onto_halfspaces(w.half_spaces, n, vx, vy, vz)
    return (x, y, z) if done else (0.0, 0.0, 0.0)
