"""Collide and slide: sweeps, projection onto the contact planes, falling, and the velocity clip (docs/physics.md).

Displacements are in the body frame, m.
"""

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

MAX_SLIDE_ITERATIONS = 12  # 2 to 4 are usual
SWEEP_SKIN_PART = 0.52  # part of the skin that a sweep keeps: half, and the tolerance of internal edges
IMMEDIATE_HIT_FRACTION = 1e-9  # of a displacement: what stops a sweep so early was touched before
# Ellipsoid space: depth by which a sweep may enter what it touches at the start. Without it an internal edge could hold
# the body for ever, since no contact plane stands for it.
SEAM_PENETRATION = 0.5 * INTERNAL_EDGE_TOLERANCE
MIN_MOVE_LENGTH = 1e-9  # m: an iteration that moves less is the last
MAX_RECOVERY_RATIO = 4.0  # of the largest lost gap: a corner of three planes needs less
BLOCKED_PART_SQUARED = 1e-12  # squared part of a wish below which it is blocked
MIN_PLAN_NORMAL = 0.05  # a plane whose normal has a smaller plan part stops no plan velocity


@inner
def add_trace_record(w: Scratch, kind: float, x: float, y: float, z: float, value: float) -> None:
    """Append a trace record at the body's centre: a vector and a value. Dropped if the trace is full."""
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
    """Append a trace record of plane p: normal, gap and contact point."""
    n = w.counters[counter.RECORDS]
    if n >= len(w.records):
        return
    planes, to = w.planes, w.records
    add_trace_record(w, kind, planes[p, plane.NX], planes[p, plane.NY], planes[p, plane.NZ], planes[p, plane.GAP])
    to[n, 1], to[n, 2], to[n, 3] = planes[p, plane.TRIANGLE], planes[p, plane.CLASS], planes[p, plane.FEATURE]
    to[n, 8], to[n, 9], to[n, 10] = planes[p, plane.POINT_X], planes[p, plane.POINT_Y], planes[p, plane.POINT_Z]


@inner
def record_contacts(w: Scratch) -> None:
    """Append a trace record for each contact plane."""
    if len(w.records) > 0:
        for p in range(w.counters[counter.PLANES]):
            record_plane_contact(w, record_kind.CONTACT, p)


@kernel
def sweep_body(w: Scratch, dx: float, dy: float, dz: float, part: float) -> float:
    """Part (0..1) of the displacement d that the body, with `part` of its skin, can move before it hits something.

    The sphere of ellipsoid space is swept against each candidate. A hit at the very start is a seam that the contact
    planes allow to pass: it is tested again with a slightly smaller sphere.
    """
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
        # a plane that is reached later than the best hit so far cannot hold an earlier one
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
    """Move the body by a displacement that has been swept."""
    b = w.body
    b[body.OFFSET] += dx
    b[body.OFFSET + 1] += dy
    b[body.OFFSET + 2] += dz


@inner
def sweep_and_move(w: Scratch, dx: float, dy: float, dz: float) -> float:
    """Sweep with 0.52 of the skin and move as far as that is free; returns the free part."""
    t = sweep_body(w, dx, dy, dz, SWEEP_SKIN_PART)
    displace(w, t * dx, t * dy, t * dz)
    add_trace_record(w, record_kind.SLIDE, dx, dy, dz, t)
    return t


@inner
def write_half_spaces(w: Scratch, restore_gaps: bool, is_own: bool) -> int:
    """Write the contact planes as half-spaces n . d >= bound for `project_onto_halfspaces`; returns their number.

    restore_gaps: a lost gap is restored (bound > 0), else only kept. is_own: the body's own movement never climbs what
    is steep, so each steep plane is also written as an upright wall.
    """
    planes, rows = w.planes, w.half_spaces
    n = 0
    for p in range(w.counters[counter.PLANES]):
        bound = planes[p, plane.BOUND] if restore_gaps else min(planes[p, plane.BOUND], 0.0)
        rows[n, 0], rows[n, 1], rows[n, 2], rows[n, 3] = (
            planes[p, plane.NX],
            planes[p, plane.NY],
            planes[p, plane.NZ],
            bound,
        )
        n += 1
        if is_own and planes[p, plane.CLASS] == surface_class.WALL and planes[p, plane.NY] > VERTICAL_WALL_TOLERANCE:
            flat = sqrt(planes[p, plane.NX] * planes[p, plane.NX] + planes[p, plane.NZ] * planes[p, plane.NZ])
            if flat > VERTICAL_WALL_TOLERANCE and n < half_space.MAX_ROWS:
                rows[n, 0], rows[n, 1], rows[n, 2] = planes[p, plane.NX] / flat, 0.0, planes[p, plane.NZ] / flat
                rows[n, 3] = min(bound, 0.0) / flat
                n += 1
    return n


@inner
def max_bound(rows: Any, n: int, column: int) -> float:
    """Largest bound of the rows (m), at least MIN_MOVE_LENGTH.

    Wish and lost gaps explain a displacement no longer than the wish plus MAX_RECOVERY_RATIO times this. Between two
    surfaces that nearly face each other the solution that restores both gaps can be far away, and is rejected.
    """
    bound = MIN_MOVE_LENGTH
    for i in range(n):
        bound = max(bound, rows[i, column])
    return bound


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
    """Mark the planes that allowed the displacement d instead of u: n . u < bound and n . d at the bound."""
    planes = w.planes
    for p in range(w.counters[counter.PLANES]):
        nx, ny, nz, bound = planes[p, plane.NX], planes[p, plane.NY], planes[p, plane.NZ], planes[p, plane.BOUND]
        wanted = nx * ux + ny * uy + nz * uz
        allowed = nx * dx + ny * dy + nz * dz
        planes[p, plane.BLOCKED] = (
            1.0 if wanted < bound - MIN_MOVE_LENGTH and allowed <= max(bound, 0.0) + MIN_MOVE_LENGTH else 0.0
        )
        if planes[p, plane.BLOCKED] == 1:
            record_plane_contact(w, record_kind.STOP, p)


@inner
def fall_and_slide(w: Scratch, dy: float) -> tuple[bool, bool, bool]:
    """Move by `dy` (m, upwards) along gravity, sliding on steep planes and overhangs.

    Returns (landed on support, hit a ceiling, slid down something steep).
    """
    left = dy
    hit_ceiling, slid = False, False
    for _ in range(MAX_SLIDE_ITERATIONS):
        require_candidates(w, 0.0, left, 0.0)
        find_contacts(w)
        planes = w.planes
        if dy <= 0.0 and is_supported(w):
            return True, hit_ceiling, slid
        if abs(left) <= MIN_MOVE_LENGTH:
            break
        dx, ry, dz = project_displacement(w, 0.0, left, 0.0)
        mark_blocking_planes(w, 0.0, left, 0.0, dx, ry, dz)
        for p in range(w.counters[counter.PLANES]):
            if planes[p, plane.BLOCKED] == 1.0:
                if planes[p, plane.CLASS] == surface_class.CEILING:
                    hit_ceiling = True
                elif planes[p, plane.NY] > VERTICAL_WALL_TOLERANCE:
                    slid = True
        if hit_ceiling and dy > 0.0:
            break
        if dx * dx + ry * ry + dz * dz <= MIN_MOVE_LENGTH * MIN_MOVE_LENGTH:
            break
        t = sweep_and_move(w, dx, ry, dz)
        left = left * (1.0 - t)
    return False, hit_ceiling, slid


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
    """Store the unit plan normals of the walls that stopped the body, for `clip_velocity`.

    ground: the plane that the height follows, -1 in the air (see `plan_direction`).
    """
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
    """True if the walls that the body touches now leave no plan movement towards the wish velocity w."""
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
    """The plan velocity (m/s) nearest to v that does not point into what stopped the body: n . v >= 0.

    In a corner that leaves the wish w no way it is zero. Slid along one wall, the body would move to and fro by what
    each tick's acceleration adds.
    """
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
