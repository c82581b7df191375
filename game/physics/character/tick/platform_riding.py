"""Moving platforms in a tick: they carry, push and crush the body before its own tick (docs/physics.md).

Movers move in sub-steps so short that none enters the body by more than half its smallest radius. The shortest way out
is then always ahead of their motion. The body makes its own tick among them at their new poses.
"""

from __future__ import annotations

from math import sqrt

from ....core.angles import HEADING_UNITS_PER_TURN, RADIANS_PER_HEADING_UNIT
from ....core.vectors import Floats, Indices, Ints, Vector
from ...environment.environment import MeshArrays
from ...environment.motion import mover_pose, mover_position, mover_rotation
from ...environment.rows import motion_row
from ...mesh.bvh import query_bvh
from ...mesh.rows import material_row, neighbour_row
from ...numerics.jit import inner, kernel
from ...numerics.projection import project_onto_halfspaces
from ..body_frame import body_box_to_world, body_frame_to_world, set_body_shape, support_distance, world_to_body_frame
from ..broad_phase import invalidate_candidates, require_candidates, write_candidate_box
from ..contacts import find_contacts
from ..rotate import Rotation
from ..rows import (
    body,
    candidate,
    counter,
    half_space,
    plane,
    setting,
    slide_mode,
    state_flag,
    state_row,
    surface_class,
    tick_event,
)
from ..scratch import Scratch
from ..slide import MIN_MOVE_LENGTH, displace, free_fraction, slide_move
from ..step_up import begin_step_up, end_pushed_step_up, restore_step_support
from ..support import find_ground_plane, is_resting_ground
from .begin import body_carried_velocity, keep_safe_place
from .move import MAX_GROUND_MOVE_STEP, move_on_ground
from .penetration import PENETRATION_TOLERANCE, recover_penetration

MAX_STEP_RADIUS_RATIO = 0.5  # of the smallest radius: highest displacement of a mover in a sub-step
MIN_GROUND_NORMAL_Y = 0.2  # upward component of the normal of ground whose tilt moves the body
MAX_PUSHES = 4  # along the ground in a sub-step
MAX_PLATFORM_STEPS = 4096  # sub-steps in a tick: 200 m/s at 30 ticks a second, for the smallest radius of 0.01 m


@inner
def _candidate_world_box(b: Floats) -> tuple[float, float, float, float, float, float]:
    """World box (min xyz, max xyz) that the candidates cover."""
    x, y, z = b[body.ORIGIN], b[body.ORIGIN + 1], b[body.ORIGIN + 2]
    if b[body.FRAME_IS_ROTATED] != 0.0:
        return body_box_to_world(
            b, x, y, z, b[body.CANDIDATE_BOX + 3], -b[body.CANDIDATE_BOX + 1], b[body.CANDIDATE_BOX + 4]
        )
    return (
        x + b[body.CANDIDATE_BOX],
        y + b[body.CANDIDATE_BOX + 1],
        z + b[body.CANDIDATE_BOX + 2],
        x + b[body.CANDIDATE_BOX + 3],
        y + b[body.CANDIDATE_BOX + 4],
        z + b[body.CANDIDATE_BOX + 5],
    )


@inner
def _mover_meets_box(motions: Floats, k: int, x0: float, y0: float, z0: float, x1: float, y1: float, z1: float) -> bool:
    """True if the bounds of everything that mover k can ever reach overlap a world box."""
    return bool(
        motions[k, motion_row.BOUNDS] <= x1
        and motions[k, motion_row.BOUNDS + 3] >= x0
        and motions[k, motion_row.BOUNDS + 1] <= y1
        and motions[k, motion_row.BOUNDS + 4] >= y0
        and motions[k, motion_row.BOUNDS + 2] <= z1
        and motions[k, motion_row.BOUNDS + 5] >= z0
    )


@kernel
def has_movers_near(motions: Floats, w: Scratch) -> bool:
    """True if any mover can ever enter the box of the candidates."""
    x0, y0, z0, x1, y1, z1 = _candidate_world_box(w.body)
    k = 0
    while k < len(motions) and not _mover_meets_box(motions, k, x0, y0, z0, x1, y1, z1):
        k += 1
    return k < len(motions)


@kernel
def add_mover_candidates(
    mesh: MeshArrays,
    motions: Floats,
    keys: Floats,
    triangle_indices: Ints,
    w: Scratch,
    tick: float,
    clock: float,
    first: int,
    end: int,
    skip: int,
) -> None:
    """Append the triangles of movers `first` to before `end`, except `skip`, at their poses of world tick `tick`.

    Their velocities are those of the tick that begins at `clock`. CANDIDATES_NEEDED grows by their number. The caller
    transforms the candidates.
    """
    b, candidates = w.body, w.candidates
    x0, y0, z0, x1, y1, z1 = _candidate_world_box(b)
    for k in range(first, end):
        if k == skip or not _mover_meets_box(motions, k, x0, y0, z0, x1, y1, z1):
            continue
        r0, r1, r2, r3, r4, r5, r6, r7, r8, px, py, pz = mover_pose(motions, keys, k, tick)
        cx, cy, cz = 0.5 * (x0 + x1) - px, 0.5 * (y0 + y1) - py, 0.5 * (z0 + z1) - pz
        hx, hy, hz = 0.5 * (x1 - x0), 0.5 * (y1 - y0), 0.5 * (z1 - z0)
        ox, oy, oz = r0 * cx + r3 * cy + r6 * cz, r1 * cx + r4 * cy + r7 * cz, r2 * cx + r5 * cy + r8 * cz
        ax = abs(r0) * hx + abs(r3) * hy + abs(r6) * hz
        ay = abs(r1) * hx + abs(r4) * hy + abs(r7) * hz
        az = abs(r2) * hx + abs(r5) * hy + abs(r8) * hz
        found = query_bvh(
            mesh.nodes,
            mesh.links,
            mesh.triangles,
            int(motions[k, motion_row.FIRST_NODE]),
            int(motions[k, motion_row.END_NODE]),
            (ox - ax, oy - ay, oz - az, ox + ax, oy + ay, oz + az),
            triangle_indices,
        )
        n = w.counters[counter.CANDIDATES]
        w.counters[counter.CANDIDATES_NEEDED] = max(w.counters[counter.CANDIDATES_NEEDED], n + found)
        found = min(found, len(triangle_indices), len(candidates) - n)
        w.counters[counter.CANDIDATES] = n + found
        if found == 0:
            continue
        motion = _mover_motion(motions, keys, k, clock, b)
        px, py, pz = px - b[body.ORIGIN], py - b[body.ORIGIN + 1], pz - b[body.ORIGIN + 2]
        for j in range(found):
            t = triangle_indices[j]
            i = n + j
            candidates[i, candidate.TRIANGLE] = t
            for c in range(0, 12, 3):
                x, y, z = mesh.triangles[t, c], mesh.triangles[t, c + 1], mesh.triangles[t, c + 2]
                x, y, z = r0 * x + r1 * y + r2 * z, r3 * x + r4 * y + r5 * z, r6 * x + r7 * y + r8 * z
                if c < 9:
                    x, y, z = x + px, y + py, z + pz
                if b[body.FRAME_IS_ROTATED] != 0.0:
                    x, y, z = world_to_body_frame(b, x, y, z)
                (
                    candidates[i, candidate.CORNERS + c],
                    candidates[i, candidate.CORNERS + c + 1],
                    candidates[i, candidate.CORNERS + c + 2],
                ) = x, y, z
            write_candidate_box(w, i)
            for c in range(3):
                candidates[i, candidate.NEIGHBOURS + c] = mesh.mates[t, c]
            for c in range(6):
                candidates[i, candidate.VELOCITY + c] = motion[c]
            if len(mesh.materials) > 0:
                m = mesh.mates[t, neighbour_row.SURFACE]
                x = mesh.materials[m, material_row.SURFACE_VELOCITY_X]
                z = mesh.materials[m, material_row.SURFACE_VELOCITY_Z]
                x, y, z = r0 * x + r2 * z, r3 * x + r5 * z, r6 * x + r8 * z
                if b[body.FRAME_IS_ROTATED] != 0.0:
                    x, y, z = world_to_body_frame(b, x, y, z)
                candidates[i, candidate.FLOW_X], candidates[i, candidate.FLOW_Z] = x, z


@kernel
def mover_displacement(
    motions: Floats, keys: Floats, k: int, before: float, after: float, x: float, y: float, z: float
) -> tuple[float, float, float]:
    """Displacement (m) of a point of the world that moves with mover k from world tick `before` to `after`.

    u = R_b R_a^T (p - a) + b - p for the poses (R_a, a) and (R_b, b); exactly b - a without a rotation.
    """
    a0, a1, a2, a3, a4, a5, a6, a7, a8, ax, ay, az = mover_pose(motions, keys, k, before)
    b0, b1, b2, b3, b4, b5, b6, b7, b8, bx, by, bz = mover_pose(motions, keys, k, after)
    if a0 == b0 and a1 == b1 and a2 == b2 and a3 == b3 and a4 == b4 and a5 == b5 and a6 == b6 and a7 == b7 and a8 == b8:
        return bx - ax, by - ay, bz - az
    x, y, z = x - ax, y - ay, z - az
    ox, oy, oz = a0 * x + a3 * y + a6 * z, a1 * x + a4 * y + a7 * z, a2 * x + a5 * y + a8 * z
    tx, ty, tz = b0 * ox + b1 * oy + b2 * oz, b3 * ox + b4 * oy + b5 * oz, b6 * ox + b7 * oy + b8 * oz
    return tx - x + (bx - ax), ty - y + (by - ay), tz - z + (bz - az)


@inner
def mover_rotated_vector(
    motions: Floats, keys: Floats, k: int, before: float, after: float, x: float, y: float, z: float
) -> tuple[float, float, float]:
    """A vector of the world that turns with mover k from world tick `before` to `after`; exactly it where k has not."""
    a0, a1, a2, a3, a4, a5, a6, a7, a8, _, _, _ = mover_pose(motions, keys, k, before)
    b0, b1, b2, b3, b4, b5, b6, b7, b8, _, _, _ = mover_pose(motions, keys, k, after)
    if a0 == b0 and a1 == b1 and a2 == b2 and a3 == b3 and a4 == b4 and a5 == b5 and a6 == b6 and a7 == b7 and a8 == b8:
        return x, y, z
    ox, oy, oz = a0 * x + a3 * y + a6 * z, a1 * x + a4 * y + a7 * z, a2 * x + a5 * y + a8 * z
    return b0 * ox + b1 * oy + b2 * oz, b3 * ox + b4 * oy + b5 * oz, b6 * ox + b7 * oy + b8 * oz


@inner
def _height_above_plane(b: Floats, x: float, y: float, z: float) -> float:
    """Height (m) of the body's centre above a plane that it touches, straight down; (x, y, z): normal in its frame."""
    return float((1.0 + b[body.SKIN]) * support_distance(b, x, y, z) / y)


@inner
def _ridden_displacement(
    motions: Floats, keys: Floats, k: int, before: float, after: float, w: Scratch, normal: Vector
) -> tuple[float, float, float, float, float, float]:
    """(displacement, normal afterwards) of the body that stands on mover k; all in the body frame.

    The body moves with the point below its feet. On ground that tilts it moves with the point of the ground straight
    below its centre, and the tilt changes its height above that point. Without this the ground that comes nearer would
    push the body aside, and the ground that goes away would not bring it back.
    """
    b = w.body
    nx, ny, nz = normal
    wx, wy, wz = nx, ny, nz  # the normal in world directions
    if b[body.FRAME_IS_ROTATED] != 0.0:
        wx, wy, wz = body_frame_to_world(b, nx, ny, nz)
    mx, my, mz = mover_rotated_vector(motions, keys, k, before, after, wx, wy, wz)
    is_tilting = mx != wx or my != wy or mz != wz
    if b[body.FRAME_IS_ROTATED] != 0.0:
        mx, my, mz = world_to_body_frame(b, mx, my, mz)
    below, rise = b[body.RADII + 1], 0.0
    if is_tilting and min(ny, my) > MIN_GROUND_NORMAL_Y:
        below = _height_above_plane(b, nx, ny, nz)
        rise = _height_above_plane(b, mx, my, mz) - below
    dx, dy, dz = _displacement_below(motions, keys, k, before, after, b, below)
    return dx, dy + rise, dz, mx, my, mz


@inner
def _displacement_below(
    motions: Floats, keys: Floats, k: int, before: float, after: float, b: Floats, below: float
) -> tuple[float, float, float]:
    """Displacement (body frame, m) of mover k between two world ticks at the point `below` (m) the body's centre."""
    x, y, z = b[body.OFFSET], b[body.OFFSET + 1] - below, b[body.OFFSET + 2]
    if b[body.FRAME_IS_ROTATED] != 0.0:
        x, y, z = body_frame_to_world(b, x, y, z)
    x, y, z = x + b[body.ORIGIN], y + b[body.ORIGIN + 1], z + b[body.ORIGIN + 2]
    dx, dy, dz = mover_displacement(motions, keys, k, before, after, x, y, z)
    if b[body.FRAME_IS_ROTATED] != 0.0:
        dx, dy, dz = world_to_body_frame(b, dx, dy, dz)
    return dx, dy, dz


@kernel
def furthest_mover_displacement(motions: Floats, keys: Floats, w: Scratch, clock: float, dt: float) -> float:
    """Upper bound of the displacement (m) of the movers near the body, at the body, in this tick.

    The speed of mover k at the body is at most v + omega r, with r the distance from its axis to the far side of the
    body.
    """
    b = w.body
    x0, y0, z0, x1, y1, z1 = _candidate_world_box(b)
    furthest = 0.0
    reach = max(b[body.RADII], b[body.RADII + 1], b[body.RADII + 2])
    for k in range(len(motions)):
        if not _mover_meets_box(motions, k, x0, y0, z0, x1, y1, z1):
            continue
        lever = 0.0
        if motions[k, motion_row.MAX_ANGULAR_SPEED] > 0.0:
            x, y, z, _ = mover_position(motions, keys, k, clock)
            x, y = (
                x + motions[k, motion_row.HOME] - b[body.ORIGIN],
                y + motions[k, motion_row.HOME + 1] - b[body.ORIGIN + 1],
            )
            z = z + motions[k, motion_row.HOME + 2] - b[body.ORIGIN + 2]
            lever = min(
                motions[k, motion_row.RADIUS],
                sqrt(x * x + y * y + z * z) + reach + motions[k, motion_row.MAX_SPEED] * dt,
            )
        furthest = max(
            furthest, (motions[k, motion_row.MAX_SPEED] + motions[k, motion_row.MAX_ANGULAR_SPEED] * lever) * dt
        )
    return float(furthest)


@inner
def platform_step_count(b: Floats, furthest: float) -> int:
    """Number of sub-steps in which movers and body make a displacement of at most `furthest` (m) to each other."""
    limit = MAX_STEP_RADIUS_RATIO * min(b[body.RADII], b[body.RADII + 1], b[body.RADII + 2])
    return min(int(furthest / limit) + 1, MAX_PLATFORM_STEPS)


@inner
def _mover_taken_along(motions: Floats, keys: Floats, w: Scratch, clock: float, x: float, y: float, z: float) -> int:
    """Index of the mover near the body with the velocity nearest to the carried velocity (x, y, z); -1: rest is nearer.

    The body moves along with it, so that only the rest of the carried velocity brings them together or apart.
    """
    x0, y0, z0, x1, y1, z1 = _candidate_world_box(w.body)
    best, least = -1, x * x + y * y + z * z
    for k in range(len(motions)):
        if least > 0.0 and _mover_meets_box(motions, k, x0, y0, z0, x1, y1, z1):
            vx, vy, vz, _, _, _ = _mover_motion(motions, keys, k, clock, w.body)
            square = (vx - x) * (vx - x) + (vy - y) * (vy - y) + (vz - z) * (vz - z)
            if square < least:
                best, least = k, square
    return best


@inner
def _move_along(
    motions: Floats, keys: Floats, k: int, before: float, after: float, w: Scratch
) -> tuple[float, float, float]:
    """Move the body with mover k from world tick `before` to `after`, as far as the level leaves it free.

    Returns the displacement made (body frame, m). The movers among the candidates are at their poses of `after`, and
    left out: where the body comes too near to another one, they overlap afterwards.
    """
    b, counters = w.body, w.counters
    dx, dy, dz = _displacement_below(motions, keys, k, before, after, b, 0.0)
    n = counters[counter.CANDIDATES]
    counters[counter.CANDIDATES], counters[counter.CONTACTS_VALID] = counters[counter.STATIC_CANDIDATES], 0
    t = free_fraction(w, dx, dy, dz)
    dx, dy, dz = t * dx, t * dy, t * dz
    displace(w, dx, dy, dz)
    counters[counter.CANDIDATES], counters[counter.CONTACTS_VALID] = n, 0
    return dx, dy, dz


@inner
def _write_carried_made(b: Floats, net: Vector, along: Vector, carried: Vector) -> None:
    """Write the displacement that the body has made along with a mover: `along` without what pushes undid of it.

    net: displacement of the body (m), pushes included; along: the part made along with the mover. carried: that of the
    carried velocity in the whole tick, of which nothing is left if it is this one but for rounding.
    """
    (x, y, z), (dx, dy, dz), (cx, cy, cz) = net, along, carried
    px, py, pz = x - dx, y - dy, z - dz  # the pushes
    square = px * px + py * py + pz * pz
    undone = min(max(-(px * dx + py * dy + pz * dz) / square, 0.0), 1.0) if square > 0.0 else 0.0
    x, y, z = dx + undone * px, dy + undone * py, dz + undone * pz
    if max(abs(x - cx), abs(y - cy), abs(z - cz)) <= MIN_MOVE_LENGTH:
        x, y, z = cx, cy, cz
    b[body.CARRIED_MADE], b[body.CARRIED_MADE + 1], b[body.CARRIED_MADE + 2] = x, y, z


@inner
def mover_ridden(motions: Floats, i: Indices) -> int:
    """Index of the mover that the body stands on; -1: none."""
    flags = i[state_row.FLAGS]
    k = (flags >> state_flag.MOVER_SHIFT) - 1
    return int(k) if flags & state_flag.GROUNDED != 0 and k < len(motions) else -1


@inner
def _smallest_push(w: Scratch) -> tuple[float, float, float]:
    """The smallest displacement (m) that restores the gaps to movers and keeps above the ground; 0 without one."""
    planes, rows = w.planes, w.half_spaces
    n = 0
    for p in range(w.counters[counter.PLANES]):
        is_mover = planes[p, plane.CANDIDATE] >= w.counters[counter.STATIC_CANDIDATES]
        pushes = is_mover and planes[p, plane.CLASS] != surface_class.WALKABLE
        if pushes or is_resting_ground(w, p):
            rows[n, half_space.NX], rows[n, half_space.NY] = planes[p, plane.NX], planes[p, plane.NY]
            rows[n, half_space.NZ] = planes[p, plane.NZ]
            rows[n, half_space.BOUND] = planes[p, plane.BOUND] if pushes else min(planes[p, plane.BOUND], 0.0)
            n += 1
    dx, dy, dz, solved = project_onto_halfspaces(rows, n, 0.0, 0.0, 0.0)
    return (dx, dy, dz) if solved else (0.0, 0.0, 0.0)


@inner
def push_along_ground(w: Scratch, settings: Floats, pushers_end: int) -> None:
    """Push a body that stood on ground out of the movers that it overlaps, along the ground and over its steps.

    The candidates of movers before `pushers_end` are walls for it. What still overlaps is left to the caller, and so is
    most of a push from below. A push that does not move the body, because it would lose its ground on the edge of a
    step, is tried again twice as long.
    """
    b = w.body
    clear_gap = 0.5 * b[body.SKIN] - PENETRATION_TOLERANCE
    require_candidates(w, 0.0, 0.0, 0.0)
    if find_contacts(w) >= clear_gap:
        return
    w.counters[counter.PUSHERS_END] = pushers_end
    factor = 1.0
    for _ in range(MAX_PUSHES):
        w.counters[counter.CONTACTS_VALID] = 0
        if find_contacts(w) >= clear_gap:
            break
        restore_step_support(w)
        find_contacts(w)
        x, rise, z = _smallest_push(w)
        length = sqrt(x * x + z * z)
        if length <= MIN_MOVE_LENGTH:
            break
        scale = min(factor, MAX_GROUND_MOVE_STEP / length)
        begin_step_up(w, x, z, Rotation(0, 0.0, 0.0, False))
        start_x, start_z = b[body.OFFSET], b[body.OFFSET + 2]
        move_on_ground(w, scale * x, scale * z, settings[setting.STEP_HEIGHT] > 0.0, settings[setting.SNAP_DOWN])
        x, z = b[body.OFFSET] - start_x, b[body.OFFSET + 2] - start_z
        moved = sqrt(x * x + z * z)
        end_pushed_step_up(b, max(length - moved, 0.0))
        if rise > length:  # from below
            break
        if moved <= MIN_MOVE_LENGTH:
            factor = 2.0 * factor
        else:
            w.counters[counter.EVENTS] |= tick_event.PUSHED
    w.counters[counter.PUSHERS_END] = 0
    w.counters[counter.CONTACTS_VALID] = 0


@inner
def ride_platforms(
    mesh: MeshArrays,
    motions: Floats,
    keys: Floats,
    triangle_indices: Ints,
    w: Scratch,
    settings: Floats,
    f: Floats,
    i: Indices,
    clock: float,
) -> int:
    """Move all movers from world tick `clock` to the next, and carry and push the body (which is set up) with them.

    Writes the heading and leaves the movers' triangles at their new poses among the candidates. Returns the events;
    CRUSHED ends the ride.
    """
    b = w.body
    ridden_mover = mover_ridden(motions, i)
    stands = i[state_row.FLAGS] & state_flag.GROUNDED != 0
    heading = i[state_row.HEADING]
    w.counters[counter.EVENTS] = 0
    nx, ny, nz = f[state_row.GROUND_NORMAL], f[state_row.GROUND_NORMAL + 1], f[state_row.GROUND_NORMAL + 2]
    if b[body.FRAME_IS_ROTATED] != 0.0:
        nx, ny, nz = world_to_body_frame(b, nx, ny, nz)
    cx, cy, cz, along = 0.0, 0.0, 0.0, -1
    if not stands:
        cx, cy, cz = body_carried_velocity(b, f)
        along = _mover_taken_along(motions, keys, w, clock, cx, cy, cz)
    dt = settings[setting.DT]
    ax, ay, az = 0.0, 0.0, 0.0  # displacement along with that mover
    start_x, start_y, start_z = b[body.OFFSET], b[body.OFFSET + 1], b[body.OFFSET + 2]
    furthest = furthest_mover_displacement(motions, keys, w, clock, dt)
    moves_along = ridden_mover >= 0 or along >= 0
    steps = platform_step_count(b, 2.0 * furthest if moves_along else furthest)  # another mover may come to meet it
    for step in range(steps):
        step_start = clock + step / steps
        step_end = clock + (step + 1.0) / steps
        dx, dy, dz = 0.0, 0.0, 0.0
        if ridden_mover >= 0:
            dx, dy, dz, nx, ny, nz = _ridden_displacement(
                motions, keys, ridden_mover, step_start, step_end, w, (nx, ny, nz)
            )
            units = mover_rotation(
                motions,
                keys,
                ridden_mover,
                step_start,
                step_end,
                f[state_row.UP],
                f[state_row.UP + 1],
                f[state_row.UP + 2],
            )
            if units != 0:
                heading = (heading + units) % HEADING_UNITS_PER_TURN
                set_body_shape(w, heading, b[body.RADII], b[body.RADII + 1], b[body.RADII + 2])
        w.counters[counter.CANDIDATES] = w.counters[counter.STATIC_CANDIDATES]
        if dx != 0.0 or dy != 0.0 or dz != 0.0:
            invalidate_candidates(w)
            y = b[body.OFFSET + 1]
            slide_move(w, dx, dy, dz, slide_mode.RIDING)
            if b[body.PUSHED_STEP_UP] < body.NO_LIMIT:
                b[body.PUSHED_STEP_UP] += b[body.OFFSET + 1] - y  # the limit rises with the platform
        add_mover_candidates(mesh, motions, keys, triangle_indices, w, step_end, clock, 0, len(motions), ridden_mover)
        pushers_end = w.counters[counter.CANDIDATES]
        if ridden_mover >= 0:
            add_mover_candidates(
                mesh, motions, keys, triangle_indices, w, step_end, clock, ridden_mover, ridden_mover + 1, -1
            )
        invalidate_candidates(w)
        if along >= 0:
            dx, dy, dz = _move_along(motions, keys, along, step_start, step_end, w)
            ax, ay, az = ax + dx, ay + dy, az + dz
        if stands:
            push_along_ground(w, settings, pushers_end)
        is_clear, _ = recover_penetration(w, True)
        if not is_clear:
            w.counters[counter.EVENTS] |= tick_event.CRUSHED
            break
    if along >= 0:
        net = b[body.OFFSET] - start_x, b[body.OFFSET + 1] - start_y, b[body.OFFSET + 2] - start_z
        _write_carried_made(b, net, (ax, ay, az), (cx * dt, cy * dt, cz * dt))
    if ridden_mover >= 0:
        motion = _mover_motion(motions, keys, ridden_mover, clock, b)
        for c in range(6):
            b[body.PLATFORM_VELOCITY + c] = motion[c]
    i[state_row.HEADING] = heading
    return int(w.counters[counter.EVENTS])


@inner
def _find_mover_below(motions: Floats, w: Scratch) -> int:
    """Index of the mover whose triangle is the ground plane, or the most upward of wedged planes; -1: none."""
    p = find_ground_plane(w)
    if p < 0:
        for q in range(w.counters[counter.PLANES]):
            if p < 0 or w.planes[q, plane.NY] > w.planes[p, plane.NY]:
                p = q
    if p >= 0:
        t = w.planes[p, plane.TRIANGLE]
        for k in range(len(motions)):
            if motions[k, motion_row.FIRST_TRIANGLE] <= t < motions[k, motion_row.END_TRIANGLE]:
                return k
    return -1


@inner
def attach_to_mover(motions: Floats, w: Scratch, i: Indices) -> None:
    """Write the mover that a spawned body stands on into its flags."""
    if i[state_row.FLAGS] & state_flag.GROUNDED != 0:
        i[state_row.FLAGS] |= (_find_mover_below(motions, w) + 1) << state_flag.MOVER_SHIFT


@inner
def _mover_velocity(
    motions: Floats, keys: Floats, k: int, clock: float, x: float, y: float, z: float
) -> tuple[float, float, float]:
    """Velocity (m/s) of mover k over the tick that begins at `clock`, at a point of the world at its end."""
    dx, dy, dz = mover_displacement(motions, keys, k, clock + 1.0, clock, x, y, z)
    rate = motions[k, motion_row.TICKS_PER_SECOND]
    return -dx * rate, -dy * rate, -dz * rate


@inner
def _mover_motion(
    motions: Floats, keys: Floats, k: int, clock: float, b: Floats
) -> tuple[float, float, float, float, float, float]:
    """Velocity of mover k at body.ORIGIN (m/s) and angular velocity (rad/s), body frame, in the tick from `clock`."""
    x, y, z = _mover_velocity(motions, keys, k, clock, b[body.ORIGIN], b[body.ORIGIN + 1], b[body.ORIGIN + 2])
    _, _, _, first = mover_position(motions, keys, k, clock)
    _, _, _, last = mover_position(motions, keys, k, clock + 1.0)
    s = (last - first) * RADIANS_PER_HEADING_UNIT * motions[k, motion_row.TICKS_PER_SECOND]
    axis = motions[k, motion_row.AXIS], motions[k, motion_row.AXIS + 1], motions[k, motion_row.AXIS + 2]
    sx, sy, sz = s * axis[0], s * axis[1], s * axis[2]
    if b[body.FRAME_IS_ROTATED] != 0.0:
        x, y, z = world_to_body_frame(b, x, y, z)
        sx, sy, sz = world_to_body_frame(b, sx, sy, sz)
    return x, y, z, sx, sy, sz


@inner
def finish_platform_tick(
    motions: Floats, keys: Floats, w: Scratch, before: Indices, f: Floats, i: Indices, clock: float, ridden_mover: int
) -> None:
    """Make the velocity relative to the mover that the body stands on after its tick, and to the world off it.

    A body that leaves `ridden_mover` keeps the velocity of the point it leaves, as carried velocity; the fall velocity
    contains its component along up. Near movers the safe place stays that of the integer row `before` the tick.
    """
    ground_mover = -1
    if i[state_row.FLAGS] & state_flag.GROUNDED != 0:
        ground_mover = _find_mover_below(motions, w)
        if ground_mover >= 0:
            i[state_row.FLAGS] |= (ground_mover + 1) << state_flag.MOVER_SHIFT
    keep_safe_place(before, i)
    if ground_mover == ridden_mover:
        return
    radius = f[state_row.RADII + 1]  # at the feet
    fx, fy, fz = f[state_row.POSITION], f[state_row.POSITION + 1], f[state_row.POSITION + 2]
    fx, fy, fz = fx - radius * f[state_row.UP], fy - radius * f[state_row.UP + 1], fz - radius * f[state_row.UP + 2]
    if ridden_mover >= 0:
        x, y, z = _mover_velocity(motions, keys, ridden_mover, clock, fx, fy, fz)
        f[state_row.VELOCITY] += x
        f[state_row.VELOCITY + 1] += y
        f[state_row.VELOCITY + 2] += z
        if i[state_row.FLAGS] & state_flag.GROUNDED == 0:
            up = x * f[state_row.UP] + y * f[state_row.UP + 1] + z * f[state_row.UP + 2]
            f[state_row.FALL_VELOCITY] += up
            f[state_row.CARRIED_VELOCITY] += x
            f[state_row.CARRIED_VELOCITY + 1] += y
            f[state_row.CARRIED_VELOCITY + 2] += z
    if ground_mover >= 0:
        x, y, z = _mover_velocity(motions, keys, ground_mover, clock, fx, fy, fz)
        f[state_row.VELOCITY] -= x
        f[state_row.VELOCITY + 1] -= y
        f[state_row.VELOCITY + 2] -= z
    if i[state_row.FLAGS] & state_flag.GROUNDED != 0:
        _remove_vertical_velocity(f)


@inner
def _remove_vertical_velocity(f: Floats) -> None:
    """Remove the component of the velocity along up: on ground there is none."""
    up = (
        f[state_row.VELOCITY] * f[state_row.UP]
        + f[state_row.VELOCITY + 1] * f[state_row.UP + 1]
        + f[state_row.VELOCITY + 2] * f[state_row.UP + 2]
    )
    for k in range(3):
        f[state_row.VELOCITY + k] -= up * f[state_row.UP + k]
