"""Collide and slide: sweeps, projection onto the contact planes, falling, and the velocity clip (docs/physics.md).

Displacements are in the body frame, m.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ...core.vectors import MAX_WALKER_SPEED, Floats, Vector
from ..mesh.geometry import sweep_sphere_against_triangle
from ..numerics.jit import inner, kernel
from ..numerics.projection import PARALLEL_SINE_SQUARED, project_onto_halfplanes, project_onto_halfspaces
from .body_frame import to_ellipsoid_space
from .broad_phase import find_reachable, require_candidates, require_transformed
from .contacts import (
    INTERNAL_EDGE_TOLERANCE,
    TOUCHING_GAP_FACTOR,
    VERTICAL_WALL_TOLERANCE,
    find_contacts,
    plane_velocity,
)
from .rows import (
    body,
    candidate,
    counter,
    half_space,
    plane,
    record_kind,
    slide_mode,
    surface_class,
    tick_event,
)
from .scratch import Scratch
from .support import find_ground_plane, find_resting_plane, horizontal_normal, is_supported

MAX_SLIDE_ITERATIONS = 12  # 2 to 4 are usual
MAX_RIDE_ITERATIONS = 4  # of the slide with a platform: a wall, a corner, and the rest along it
SWEEP_SKIN_FRACTION = 0.52  # of the skin, which a sweep keeps: half, and the tolerance of internal edges
IMMEDIATE_HIT_FRACTION = 1e-9  # of a displacement: what stops a sweep so early was touched before
# Ellipsoid space: depth by which a sweep may enter what it touches at the start. Without it an internal edge could hold
# the body for ever, since it has no contact plane.
SEAM_PENETRATION = 0.5 * INTERNAL_EDGE_TOLERANCE
PARALLEL_TOLERANCE = 1e-9  # ellipsoid space: a sweep along a touched wall enters it no deeper, by rounding
MIN_MOVE_LENGTH = 1e-9  # m: an iteration that moves less is the last
MAX_RECOVERY_RATIO = 4.0  # of the largest lost gap: a corner of three planes needs less
BLOCKED_FRACTION_SQUARED = 1e-12  # squared fraction of a wish velocity below which it is blocked
MIN_PAIRED_NORMAL = 1e-3  # a floor and a ceiling whose row has a shorter normal are parallel: no constraint
MIN_HORIZONTAL_NORMAL = 0.05  # a plane whose normal has a smaller horizontal part stops no horizontal velocity


@inner
def add_trace_record(w: Scratch, kind: float, x: float, y: float, z: float, value: float) -> None:
    """Append a trace record at the body's centre: a vector and a value. Dropped if the trace is full."""
    n = w.counters[counter.RECORDS]
    if n >= len(w.records):
        return
    w.counters[counter.RECORDS] = n + 1
    b, records = w.body, w.records
    records[n, record_kind.KIND] = kind
    records[n, record_kind.TRIANGLE] = -1.0
    records[n, record_kind.CLASS] = 0.0
    records[n, record_kind.FEATURE] = 0.0
    records[n, record_kind.X] = x
    records[n, record_kind.Y] = y
    records[n, record_kind.Z] = z
    records[n, record_kind.VALUE] = value
    records[n, record_kind.POINT_X] = b[body.OFFSET]
    records[n, record_kind.POINT_Y] = b[body.OFFSET + 1]
    records[n, record_kind.POINT_Z] = b[body.OFFSET + 2]


@inner
def record_plane_contact(w: Scratch, kind: float, p: int) -> None:
    """Append a trace record of plane p: normal, gap and contact point."""
    n = w.counters[counter.RECORDS]
    if n >= len(w.records):
        return
    planes, records = w.planes, w.records
    add_trace_record(w, kind, planes[p, plane.NX], planes[p, plane.NY], planes[p, plane.NZ], planes[p, plane.GAP])
    records[n, record_kind.TRIANGLE], records[n, record_kind.CLASS], records[n, record_kind.FEATURE] = (
        planes[p, plane.TRIANGLE],
        planes[p, plane.CLASS],
        planes[p, plane.FEATURE],
    )
    records[n, record_kind.POINT_X], records[n, record_kind.POINT_Y], records[n, record_kind.POINT_Z] = (
        planes[p, plane.POINT_X],
        planes[p, plane.POINT_Y],
        planes[p, plane.POINT_Z],
    )


@inner
def record_contacts(w: Scratch) -> None:
    """Append a trace record for each contact plane."""
    if len(w.records) > 0:
        for p in range(w.counters[counter.PLANES]):
            record_plane_contact(w, record_kind.CONTACT, p)


@kernel
def sweep_body(w: Scratch, dx: float, dy: float, dz: float, skin_fraction: float) -> float:
    """Fraction (0..1) of the displacement d that the body, with `skin_fraction` of its skin, moves before a hit.

    The sphere of ellipsoid space is swept against each candidate. A hit at the very start is a seam that the contact
    planes allow to pass: it is tested again with a slightly smaller sphere.
    """
    require_candidates(w, dx, dy, dz)
    b = w.body
    px, py, pz = to_ellipsoid_space(b, b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2])
    ex, ey, ez = to_ellipsoid_space(b, dx, dy, dz)
    if ex * ex + ey * ey + ez * ez == 0.0:
        return 1.0
    r = 1.0 + skin_fraction * b[body.SKIN]
    clear = r - PARALLEL_TOLERANCE
    half = 1.0 + 0.5 * b[body.SKIN]
    best = 1.0
    candidates = w.candidates
    for k in range(find_reachable(w, dx, dy, dz, r)):
        i = int(w.reachable[k])
        require_transformed(w, i)
        # a plane that is reached later than the best hit so far cannot hold an earlier one
        nx, ny, nz = candidates[i, candidate.NX], candidates[i, candidate.NY], candidates[i, candidate.NZ]
        h = (
            nx * (px - candidates[i, candidate.AX])
            + ny * (py - candidates[i, candidate.AY])
            + nz * (pz - candidates[i, candidate.AZ])
        )
        hd = nx * ex + ny * ey + nz * ez
        if (h >= clear and h + best * hd > clear) or (h <= -clear and h + best * hd < -clear):
            continue
        t = sweep_sphere_against_triangle(candidates, i, (px, py, pz), (ex, ey, ez), r, best)[0]
        if half - MIN_MOVE_LENGTH <= abs(h) < r and (h + hd if h > 0.0 else -h - hd) < half:
            # Nearer than r, and the contact plane is that of another triangle: the other side of a valley.
            smaller = min(abs(h), half)
            t = min(t, sweep_sphere_against_triangle(candidates, i, (px, py, pz), (ex, ey, ez), smaller, best)[0])
        elif t <= IMMEDIATE_HIT_FRACTION and skin_fraction < 1.0:
            smaller = r - SEAM_PENETRATION
            t = sweep_sphere_against_triangle(candidates, i, (px, py, pz), (ex, ey, ez), smaller, best)[0]
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
    """Sweep with SWEEP_SKIN_FRACTION of the skin and move as far as that is free; returns the free fraction."""
    t = sweep_body(w, dx, dy, dz, SWEEP_SKIN_FRACTION)
    displace(w, t * dx, t * dy, t * dz)
    add_trace_record(w, record_kind.SLIDE, dx, dy, dz, t)
    return t


@inner
def free_fraction(w: Scratch, dx: float, dy: float, dz: float) -> float:
    """Part of the displacement d that is free.

    Every contact plane limits it, n . d >= bound, because a sweep ignores planes that are touched already.
    """
    planes = w.planes
    find_contacts(w)
    limit = 1.0
    for p in range(w.counters[counter.PLANES]):
        approach = -(planes[p, plane.NX] * dx + planes[p, plane.NY] * dy + planes[p, plane.NZ] * dz)
        if approach > MIN_MOVE_LENGTH:
            limit = min(limit, max(-planes[p, plane.BOUND], 0.0) / approach)
    return min(limit, sweep_body(w, dx, dy, dz, SWEEP_SKIN_FRACTION))


@inner
def write_half_spaces(w: Scratch, restore_gaps: bool, forbids_climbing: bool) -> int:
    """Write the contact planes as half-spaces n . d >= bound for `project_onto_halfspaces`; returns their number.

    restore_gaps: a lost gap is restored (bound > 0), else only kept. forbids_climbing: each steep plane is also written
    as an upright wall, because the walker's own movement never climbs it.
    """
    planes, rows = w.planes, w.half_spaces
    n = 0
    for p in range(w.counters[counter.PLANES]):
        bound = planes[p, plane.BOUND] if restore_gaps else min(planes[p, plane.BOUND], 0.0)
        rows[n, half_space.NX], rows[n, half_space.NY], rows[n, half_space.NZ], rows[n, half_space.BOUND] = (
            planes[p, plane.NX],
            planes[p, plane.NY],
            planes[p, plane.NZ],
            bound,
        )
        n += 1
        if (
            forbids_climbing
            and planes[p, plane.CLASS] == surface_class.WALL
            and planes[p, plane.NY] > VERTICAL_WALL_TOLERANCE
        ):
            length = sqrt(planes[p, plane.NX] * planes[p, plane.NX] + planes[p, plane.NZ] * planes[p, plane.NZ])
            if length > VERTICAL_WALL_TOLERANCE and n < half_space.MAX_ROWS:
                rows[n, half_space.NX] = planes[p, plane.NX] / length
                rows[n, half_space.NY] = 0.0
                rows[n, half_space.NZ] = planes[p, plane.NZ] / length
                rows[n, half_space.BOUND] = min(bound, 0.0) / length
                n += 1
    return n


@inner
def _largest_lost_gap(rows: Floats, n: int) -> float:
    """Largest bound of the half-spaces (m), at least MIN_MOVE_LENGTH.

    Wish and lost gaps explain a displacement no longer than the wish plus MAX_RECOVERY_RATIO times this. Between two
    surfaces that nearly face each other the solution that restores both gaps can be far away, and is rejected.
    """
    bound = MIN_MOVE_LENGTH
    for i in range(n):
        bound = max(bound, rows[i, half_space.BOUND])
    return bound


@inner
def _nearest_displacement(
    w: Scratch, ux: float, uy: float, uz: float, forbids_climbing: bool
) -> tuple[float, float, float, int]:
    """(dx, dy, dz, failures): the displacement nearest to u that the contact planes allow.

    The first try restores lost gaps, the second one only keeps what is left of them; `failures` is the number of
    tries without a solution, and with 2 of them d is 0. forbids_climbing: see `write_half_spaces`.
    """
    wanted = sqrt(ux * ux + uy * uy + uz * uz)
    for attempt in range(2):
        n = write_half_spaces(w, attempt == 0, forbids_climbing)
        dx, dy, dz, solved = project_onto_halfspaces(w.half_spaces, n, ux, uy, uz)
        reach = wanted + MAX_RECOVERY_RATIO * _largest_lost_gap(w.half_spaces, n)
        if solved and dx * dx + dy * dy + dz * dz <= reach * reach:
            return dx, dy, dz, attempt
    return 0.0, 0.0, 0.0, 2


@inner
def project_displacement(w: Scratch, ux: float, uy: float, uz: float) -> tuple[float, float, float]:
    """The displacement nearest to u that the contact planes allow; "squeezed" unless it restores every lost gap.

    A displacement with a horizontal part is the walker's own movement; one without is due to gravity or recovery.
    """
    dx, dy, dz, failures = _nearest_displacement(w, ux, uy, uz, ux != 0.0 or uz != 0.0)
    if failures > 0:
        w.counters[counter.EVENTS] |= tick_event.SQUEEZED
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


class FallContacts(NamedTuple):
    """What a body met in a fall or a rise. The velocities are upwards, m/s, relative to the carried velocity."""

    has_landed: bool
    ground_rise: float  # velocity of what it landed on
    hits_ceiling: bool
    lid: float  # velocity that the ceiling leaves to the body: the rule of walls, with the normal down
    has_slid: bool  # down something steep
    slope_rise: float  # velocity of that


@inner
def fall_and_slide(w: Scratch, way: float, dy: float, carried_rise: float, dt: float) -> FallContacts:
    """Move by `way` (m, upwards) along gravity, sliding on steep planes and overhangs.

    dy: upward displacement of the whole tick, relative to carried_rise, the carried velocity along up (m/s). The body
    lands on what it does not rise from: dy is at most the rise of that plane.
    """
    remaining = way  # a length: as the fraction of `slide_move` it would be rounded differently, and change bits
    hits_ceiling, lid, has_slid, slope_rise = False, MAX_WALKER_SPEED, False, 0.0
    for _ in range(MAX_SLIDE_ITERATIONS):
        require_candidates(w, 0.0, remaining, 0.0)
        find_contacts(w)
        planes = w.planes
        ground = find_ground_plane(w)
        if ground >= 0:
            rise = plane_velocity(w, ground)[1] - carried_rise
            if dy <= rise * dt and is_supported(w):
                return FallContacts(True, rise, hits_ceiling, lid, has_slid, slope_rise)
        if abs(remaining) <= MIN_MOVE_LENGTH:
            break
        dx, ry, dz = project_displacement(w, 0.0, remaining, 0.0)
        mark_blocking_planes(w, 0.0, remaining, 0.0, dx, ry, dz)
        for p in range(w.counters[counter.PLANES]):
            if planes[p, plane.BLOCKED] == 1.0:
                if planes[p, plane.CLASS] == surface_class.CEILING:
                    hits_ceiling = True
                    lid = min(lid, max(plane_velocity(w, p)[1], min(carried_rise, 0.0)) - carried_rise)
                elif planes[p, plane.NY] > VERTICAL_WALL_TOLERANCE:
                    has_slid, slope_rise = True, plane_velocity(w, p)[1] - carried_rise
        if hits_ceiling and way > 0.0:
            break
        if dx * dx + ry * ry + dz * dz <= MIN_MOVE_LENGTH * MIN_MOVE_LENGTH:
            break
        t = sweep_and_move(w, dx, ry, dz)
        remaining = remaining * (1.0 - t)
    return FallContacts(False, 0.0, hits_ceiling, lid, has_slid, slope_rise)


@inner
def slide_move(w: Scratch, ux: float, uy: float, uz: float, mode: int) -> None:
    """Move by u (body frame, m) and slide along all contact planes, by projection onto half-spaces.

    mode: one of `rows.slide_mode`. In the air (and on ground with step height 0) edges and ramps may lift the body
    and steep planes may not; the planes that stop it are stored for `clip_velocity`. A body that floats (swims, climbs)
    slides in all directions. One that rides a platform moves on however short the displacement is.
    """
    floats, rides = mode == slide_mode.FLOATING, mode == slide_mode.RIDING
    shortest = 0.0 if rides else MIN_MOVE_LENGTH
    remaining = 1.0
    for _ in range(MAX_RIDE_ITERATIONS if rides else MAX_SLIDE_ITERATIONS):
        x, y, z = ux * remaining, uy * remaining, uz * remaining
        require_candidates(w, x, y, z)
        find_contacts(w)
        dx, dy, dz, failures = _nearest_displacement(w, x, y, z, not floats and (x != 0.0 or z != 0.0))
        if failures == 2 or (failures == 1 and not floats):
            w.counters[counter.EVENTS] |= tick_event.SQUEEZED
        if not rides:
            mark_blocking_planes(w, x, y, z, dx, dy, dz)
        if mode == slide_mode.IN_AIR:
            store_blocking_normals(w, -1)
        if dx * dx + dy * dy + dz * dz <= shortest * shortest:
            break
        t = sweep_and_move(w, dx, dy, dz)
        remaining = remaining * (1.0 - t)
        if remaining * remaining * (ux * ux + uy * uy + uz * uz) <= MIN_MOVE_LENGTH * MIN_MOVE_LENGTH:
            break


@inner
def store_blocking_normals(w: Scratch, ground: int) -> None:
    """Store unit horizontal normal and speed along it of each wall that stopped the body, for `clip_velocity`.

    ground: the plane that the height follows, -1 in the air (see `horizontal_normal`).
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
        x, z = horizontal_normal(w, p, ground)
        length = sqrt(x * x + z * z)
        if length >= MIN_HORIZONTAL_NORMAL:
            k = half_space.FIRST_STOP_ROW + n
            rows[k, half_space.X], rows[k, half_space.Z] = x / length, z / length
            rows[k, half_space.SPEED] = _speed_along(w, p, x / length, z / length)
            w.counters[counter.STOPS] = n + 1


@inner
def _speed_along(w: Scratch, p: int, x: float, z: float) -> float:
    """Speed (m/s) of plane p along the horizontal unit vector (x, z)."""
    vx, _, vz = plane_velocity(w, p)
    return 0.0 + vx * x + vz * z


@inner
def _write_speed_limit(rows: Floats, row: int, x: float, z: float, speed: float, cx: float, cz: float) -> None:
    """Write the half-plane n . v >= min(n . w, max(n . c, 0)) of a wall of normal n = (x, z) and speed n . w (m/s)."""
    rows[row, half_space.X], rows[row, half_space.Z] = x, z
    rows[row, half_space.HORIZONTAL_BOUND] = min(speed, max(x * cx + z * cz, 0.0))


@inner
def _nearest_vertex(rows: Floats, n: int, x: float, z: float) -> tuple[float, float]:
    """The velocity nearest to (x, z) that is at the bounds of two of the n half-planes; 0 if all bounds are 0."""
    best, bx, bz = -1.0, 0.0, 0.0
    for i in range(n):
        for j in range(i):
            bi, bj = rows[i, half_space.HORIZONTAL_BOUND], rows[j, half_space.HORIZONTAL_BOUND]
            det = rows[i, half_space.X] * rows[j, half_space.Z] - rows[j, half_space.X] * rows[i, half_space.Z]
            if (bi == 0.0 and bj == 0.0) or det * det < PARALLEL_SINE_SQUARED:
                continue
            px = (bi * rows[j, half_space.Z] - bj * rows[i, half_space.Z]) / det
            pz = (bj * rows[i, half_space.X] - bi * rows[j, half_space.X]) / det
            square = (px - x) * (px - x) + (pz - z) * (pz - z)
            if best < 0.0 or square < best:
                best, bx, bz = square, px, pz
    return bx, bz


@inner
def _blocking_corner(w: Scratch, wx: float, wz: float, cx: float, cz: float) -> tuple[float, float, int]:
    """(velocity of a corner, m/s; its number of half-planes if it blocks the wish w, or 0).

    It blocks the wish if no way towards it is left relative to the corner, which is made of the walls, and above ground
    of the ceilings, that the body touches. c: carried velocity (see `clip_velocity`).
    """
    planes = w.planes
    n = 0
    ground = find_resting_plane(w)
    for p in range(w.counters[counter.PLANES]):
        is_ceiling = planes[p, plane.CLASS] == surface_class.CEILING and ground >= 0
        is_wall = planes[p, plane.CLASS] == surface_class.WALL
        if (is_wall or is_ceiling) and planes[p, plane.GAP] < TOUCHING_GAP_FACTOR * w.body[body.SKIN]:
            x, z = horizontal_normal(w, p, ground)
            length = sqrt(x * x + z * z)
            if length >= (MIN_HORIZONTAL_NORMAL if is_wall else MIN_PAIRED_NORMAL):
                x, z = x / length, z / length
                _write_speed_limit(w.half_spaces, n, x, z, _speed_along(w, p, x, z), cx, cz)
                n += 1
    if n < 2:
        return 0.0, 0.0, 0
    x, z, solved = project_onto_halfplanes(w.half_spaces, n, wx, wz)
    if not solved:
        return 0.0, 0.0, n
    kx, kz = _nearest_vertex(w.half_spaces, n, x, z)
    x, z, wx, wz = x - kx, z - kz, wx - kx, wz - kz
    wish = wx * wx + wz * wz
    is_standing = wish < BLOCKED_FRACTION_SQUARED * (kx * kx + kz * kz)  # the wish is the corner's velocity
    return kx, kz, n if not is_standing and x * x + z * z <= BLOCKED_FRACTION_SQUARED * wish else 0


@inner
def clip_velocity(
    w: Scratch, vx: float, vz: float, wx: float, wz: float, cx: float, cz: float
) -> tuple[float, float, float, float]:
    """Horizontal velocity v and carried velocity c, its part (m/s), without what the walls that stopped the body took.

    Both become the nearest velocity with n . v >= min(n . w, max(n . c, 0)) for each wall of velocity w: a wall takes
    what goes into it, and gives back at most what the body had from its platform.

    In a corner that blocks the wish in every direction v is the corner's, and all its walls cut c. A slide along one of
    the walls would move the body to and fro by what each tick's acceleration adds.
    """
    stops = w.counters[counter.STOPS]
    if stops == 0:
        return vx, vz, cx, cz
    rows, kx, kz, n = w.half_spaces, 0.0, 0.0, 0
    if wx != 0.0 or wz != 0.0:
        kx, kz, n = _blocking_corner(w, wx, wz, cx, cz)
    if n > 0:
        vx, vz = kx, kz
    else:
        n = stops
        for k in range(n):
            stop = half_space.FIRST_STOP_ROW + k
            x, z, speed = rows[stop, half_space.X], rows[stop, half_space.Z], rows[stop, half_space.SPEED]
            _write_speed_limit(rows, k, x, z, speed, cx, cz)
        x, z, solved = project_onto_halfplanes(rows, n, vx, vz)
        vx, vz = (x, z) if solved else (0.0, 0.0)
    x, z, solved = project_onto_halfplanes(rows, n, cx, cz)
    return (vx, vz, x, z) if solved else (vx, vz, 0.0, 0.0)


@inner
def clip_velocity_3d(w: Scratch, vx: float, vy: float, vz: float, carried: Vector) -> tuple[float, float, float]:
    """The velocity nearest to v that the touching planes allow; 0 if there is none. v is relative to `carried`, c.

    n . (v + c) >= min(n . w, max(n . c, 0)) for each plane of velocity w, as in `clip_velocity`.
    """
    require_candidates(w, 0.0, 0.0, 0.0)
    find_contacts(w)
    planes, rows = w.planes, w.half_spaces
    cx, cy, cz = carried
    n = 0
    for p in range(w.counters[counter.PLANES]):
        if planes[p, plane.GAP] < TOUCHING_GAP_FACTOR * w.body[body.SKIN]:
            nx, ny, nz = planes[p, plane.NX], planes[p, plane.NY], planes[p, plane.NZ]
            x, y, z = plane_velocity(w, p)
            kept = nx * cx + ny * cy + nz * cz
            rows[n, half_space.NX], rows[n, half_space.NY], rows[n, half_space.NZ] = nx, ny, nz
            rows[n, half_space.BOUND] = 0.0 + min(nx * (x - cx) + ny * (y - cy) + nz * (z - cz), max(0.0 - kept, 0.0))
            n += 1
    x, y, z, solved = project_onto_halfspaces(rows, n, vx, vy, vz)
    return (x, y, z) if solved else (0.0, 0.0, 0.0)
