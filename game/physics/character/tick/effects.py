"""Effects of zones and materials on a tick, at the body's position.

Zones: gravity, currents, water, ladders and launch pads (docs/zones.md). Materials: friction of the ground, conveyors,
bounce and wall friction (docs/physics.md, "Surfaces").
"""

from __future__ import annotations

from math import sqrt

from ....core.vectors import Floats, Indices, Ints
from ...environment.rows import zone_row
from ...environment.zones import (
    SAME_DIRECTION_TOLERANCE,
    find_gravity_zone,
    find_zone,
    is_far_from_zones,
    segment_fraction_in_zone,
    transport_north,
    zone_effects,
)
from ...mesh.rows import material_row, neighbour_row
from ...numerics.jit import inner
from ...numerics.trigonometry import heading_sin_cos
from ..body_frame import world_to_body_frame
from ..broad_phase import require_candidates
from ..contacts import find_contacts
from ..rows import body, candidate, counter, plane, state_flag, state_row, surface_class
from ..scratch import Scratch
from ..support import find_ground_plane

MIN_LIFTING_CURRENT = 0.05  # m/s: a weaker vertical current does not lift a body off the ground


@inner
def read_zones(w: Scratch, zones: Floats, f: Floats) -> None:
    """Write the effects of all zones at the body of state row f into the body row, whose frame is set.

    Gravity and currents act at the centre of the body, ladders and launch pads at its feet; water covers a part of
    the vertical axis from feet to head. Of several zones with one effect the last one counts.
    """
    b = w.body
    b[body.STRENGTH], b[body.SUBMERGED_FRACTION] = 1.0, 0.0
    b[body.CURRENT_ZONE], b[body.LADDER_ZONE], b[body.LAUNCH_ZONE] = -1.0, -1.0, -1.0
    x, y, z = f[state_row.POSITION], f[state_row.POSITION + 1], f[state_row.POSITION + 2]
    if is_far_from_zones(zones, x, y, z, f[state_row.RADII + 1]):
        return
    ux, uy, uz = f[state_row.UP], f[state_row.UP + 1], f[state_row.UP + 2]
    k = find_gravity_zone(zones, x, y, z, ux, uy, uz)
    if k >= 0:
        b[body.STRENGTH] = zones[k, zone_row.STRENGTH]
    k = find_zone(zones, zone_row.HAS_CURRENT, x, y, z)
    if k >= 0:
        b[body.CURRENT_ZONE], b[body.HOLD] = float(k), zones[k, zone_row.HOLD]
        cx, cy, cz = zone_vector(b, zones, k, zone_row.CURRENT)
        b[body.CURRENT], b[body.CURRENT + 1], b[body.CURRENT + 2] = cx, cy, cz
    radius = f[state_row.RADII + 1]
    x, y, z = x - radius * ux, y - radius * uy, z - radius * uz
    for k in range(len(zones)):
        if zone_effects(zones, k) & zone_row.IS_WATER != 0:
            submerged = segment_fraction_in_zone(
                zones, k, x, y, z, 2.0 * radius * ux, 2.0 * radius * uy, 2.0 * radius * uz
            )
            if submerged > 0.0 and submerged >= b[body.SUBMERGED_FRACTION]:
                b[body.SUBMERGED_FRACTION], b[body.WATER_ZONE] = submerged, float(k)
    b[body.LADDER_ZONE] = float(find_zone(zones, zone_row.IS_LADDER, x, y, z))
    b[body.LAUNCH_ZONE] = float(find_zone(zones, zone_row.IS_LAUNCH_PAD, x, y, z))


@inner
def zone_vector(b: Floats, zones: Floats, k: int, column: int) -> tuple[float, float, float]:
    """A vector of zone k (three columns from `column`), in the body frame."""
    x, y, z = zones[k, column], zones[k, column + 1], zones[k, column + 2]
    if b[body.FRAME_IS_ROTATED] != 0.0:
        x, y, z = world_to_body_frame(b, x, y, z)
    return x, y, z


@inner
def carried_velocity(b: Floats, zones: Floats, k: int) -> tuple[float, float, float]:
    """Velocity (body frame, m/s) of zone k, which a mover may carry, relative to the mover that the body stands on."""
    x, y, z = zone_vector(b, zones, k, zone_row.VELOCITY)
    v = body.PLATFORM_VELOCITY
    return 0.0 + x - b[v], 0.0 + y - b[v + 1], 0.0 + z - b[v + 2]


@inner
def turn_to_gravity(zones: Floats, f: Floats, i: Indices, view: int) -> bool:
    """Turn the `up` of a state row to the gravity at its position; False if it is up already.

    Position and velocity stay. `north` is carried along the shortest rotation of `up`. The body is not grounded until
    it lands.
    """
    x, y, z = f[state_row.POSITION], f[state_row.POSITION + 1], f[state_row.POSITION + 2]
    if is_far_from_zones(zones, x, y, z, 0.0):
        return False
    ux, uy, uz = f[state_row.UP], f[state_row.UP + 1], f[state_row.UP + 2]
    k = find_gravity_zone(zones, x, y, z, ux, uy, uz)
    if k < 0 or zones[k, zone_row.STRENGTH] == 0.0:
        return False
    vx, vy, vz = zones[k, zone_row.UP], zones[k, zone_row.UP + 1], zones[k, zone_row.UP + 2]
    if ux * vx + uy * vy + uz * vz > 1.0 - SAME_DIRECTION_TOLERANCE:
        return False
    s, c = heading_sin_cos(view)
    north = f[state_row.NORTH], f[state_row.NORTH + 1], f[state_row.NORTH + 2]
    nx, ny, nz = transport_north((ux, uy, uz), north, (vx, vy, vz), s, c)
    f[state_row.NORTH], f[state_row.NORTH + 1], f[state_row.NORTH + 2] = nx, ny, nz
    f[state_row.UP], f[state_row.UP + 1], f[state_row.UP + 2] = vx, vy, vz
    f[state_row.FALL_VELOCITY] = (
        vx * f[state_row.VELOCITY] + vy * f[state_row.VELOCITY + 1] + vz * f[state_row.VELOCITY + 2]
    )
    i[state_row.FLAGS] = i[state_row.FLAGS] & ~(state_flag.GROUNDED | state_flag.SLIDING)
    return True


@inner
def has_updraft(b: Floats, gravity: float, is_launched: bool) -> bool:
    """True if a vertical current replaces gravity in this tick."""
    return bool(
        b[body.CURRENT_ZONE] >= 0.0
        and abs(b[body.CURRENT + 1]) > MIN_LIFTING_CURRENT
        and not is_launched
        and gravity > 0.0
    )


MIN_BOUNCE_SPEED = 0.5  # m/s: a slower bounce (a hop of 13 mm) is none
MIN_LEAN_SPEED = 1e-12  # m/s into a wall from which a body leans on it


@inner
def ground_material(w: Scratch, mates: Ints) -> tuple[int, int]:
    """(plane, material row) of the ground that supports the body where it is now; (-1, -1): none."""
    require_candidates(w, 0.0, 0.0, 0.0)
    find_contacts(w)
    p = find_ground_plane(w)
    if p < 0:
        return -1, -1
    return p, int(mates[int(w.planes[p, plane.TRIANGLE]), neighbour_row.SURFACE])


@inner
def is_slipping(w: Scratch, p: int, friction: float) -> bool:
    """True if the ground of plane p is too steep for its friction: tan(slope) > friction."""
    up = w.planes[p, plane.MAX_FACE_NY]
    return bool(up > 0.0 and sqrt(max(1.0 - up * up, 0.0)) > friction * up)


@inner
def apply_wall_friction(w: Scratch, mates: Ints, materials: Floats, wx: float, wz: float) -> tuple[float, float]:
    """The wish velocity w, less the part along each wall that it leans on: w_t' = (1 - wall_friction) w_t."""
    for p in range(w.counters[counter.PLANES]):
        wall_friction = materials[
            int(mates[int(w.planes[p, plane.TRIANGLE]), neighbour_row.SURFACE]), material_row.WALL_FRICTION
        ]
        if wall_friction > 0.0 and w.planes[p, plane.CLASS] == surface_class.WALL:
            nx, nz = w.planes[p, plane.NX], w.planes[p, plane.NZ]
            length = sqrt(nx * nx + nz * nz)
            normal_speed = (wx * nx + wz * nz) / length if length > 0.0 else 0.0
            if normal_speed < -MIN_LEAN_SPEED:
                ax, az = normal_speed * nx / length, normal_speed * nz / length
                wx, wz = ax + (1.0 - wall_friction) * (wx - ax), az + (1.0 - wall_friction) * (wz - az)
    return wx, wz


@inner
def ground_surface_velocity(w: Scratch, mates: Ints, materials: Floats) -> tuple[float, float]:
    """Horizontal velocity of the surface of the ground that supports the body (body frame, m/s); 0 without ground."""
    p, m = ground_material(w, mates)
    if p < 0:
        return 0.0, 0.0
    return surface_velocity(w, materials, p, m)


@inner
def surface_velocity(w: Scratch, materials: Floats, p: int, m: int) -> tuple[float, float]:
    """Horizontal velocity of the surface of plane p, of material m (body frame, m/s); it turns with a mover."""
    i = int(w.planes[p, plane.CANDIDATE])
    if i >= w.counters[counter.STATIC_CANDIDATES]:
        return w.candidates[i, candidate.FLOW_X], w.candidates[i, candidate.FLOW_Z]
    x, z = materials[m, material_row.SURFACE_VELOCITY_X], materials[m, material_row.SURFACE_VELOCITY_X + 1]
    if w.body[body.FRAME_IS_ROTATED] != 0.0:
        x, _, z = world_to_body_frame(w.body, x, 0.0, z)
    return x, z


@inner
def bounce_speed(
    w: Scratch, mates: Ints, materials: Floats, fall_velocity: float, fall_height: float, g: float
) -> float:
    """Upward speed (m/s) with which the ground returns a falling body: e sqrt(v^2 + 2 g h), 0 below MIN_BOUNCE_SPEED.

    fall_velocity: v at the start of the tick (negative); fall_height: h lost since then, m; g: m/s2.
    """
    p, m = ground_material(w, mates)
    if p < 0 or materials[m, material_row.RESTITUTION] == 0.0:
        return 0.0
    rebound_speed = materials[m, material_row.RESTITUTION] * sqrt(
        fall_velocity * fall_velocity + 2.0 * g * max(fall_height, 0.0)
    )
    return rebound_speed if rebound_speed > MIN_BOUNCE_SPEED else 0.0
