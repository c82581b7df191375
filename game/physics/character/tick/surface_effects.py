"""Materials in a tick: friction of the ground, conveyors, bounce and wall friction (docs/physics.md, "Surfaces")."""

from __future__ import annotations

from math import sqrt

from ....core.vectors import Floats, Ints
from ...mesh.rows import material_row, neighbour_row
from ...numerics.jit import inner
from ..body_frame import world_to_body_frame
from ..broad_phase import require_candidates
from ..contacts import find_contacts
from ..rows import body, candidate, counter, plane, surface_class
from ..scratch import Scratch
from ..support import find_ground_plane

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
