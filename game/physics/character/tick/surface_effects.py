"""What the surfaces under and beside the body do to a tick: grip, slips, belts, rubbing walls (docs/physics.md)."""

from __future__ import annotations

from math import sqrt
from typing import Any

from ...mesh.layout import material_row, neighbour_row
from ...numerics.jit import inner
from ..broad_phase import require_candidates, world_to_body_frame
from ..contacts import find_contacts
from ..layout import body, counter, plane, surface_class
from ..scratch import Scratch
from ..support import find_ground_plane

MIN_BOUNCE_SPEED = 0.5  # m/s: what is given back less than that is nothing (a hop of 13 mm)
MIN_LEAN_SPEED = 1e-12  # m/s into a wall that counts as leaning on it


@inner
def ground_material(w: Scratch, mates: Any) -> tuple[int, int]:
    """(plane, material) of the ground that carries the body where it is now; -1, -1 where there is none."""
    require_candidates(w, 0.0, 0.0, 0.0)
    find_contacts(w)
    p = find_ground_plane(w)
    if p < 0:
        return -1, -1
    return p, int(mates[int(w.planes[p, plane.TRIANGLE]), neighbour_row.SURFACE])


@inner
def is_slipping(w: Scratch, p: int, friction: float) -> bool:
    """Whether the ground is too steep for its friction: tan(slope) > friction."""
    up = w.planes[p, plane.MAX_FACE_NY]
    return bool(up > 0.0 and sqrt(max(1.0 - up * up, 0.0)) > friction * up)


@inner
def apply_wall_friction(w: Scratch, mates: Any, materials: Any, wx: float, wz: float) -> tuple[float, float]:
    """The wish where the walls that it leans on take their part of the way along them."""
    for p in range(w.counters[counter.PLANES]):
        rub = materials[int(mates[int(w.planes[p, plane.TRIANGLE]), neighbour_row.SURFACE]), material_row.WALL_FRICTION]
        if rub > 0.0 and w.planes[p, plane.CLASS] == surface_class.WALL:
            nx, nz = w.planes[p, plane.NX], w.planes[p, plane.NZ]
            flat = sqrt(nx * nx + nz * nz)
            into = (wx * nx + wz * nz) / flat if flat > 0.0 else 0.0
            if into < -MIN_LEAN_SPEED:
                ax, az = into * nx / flat, into * nz / flat
                wx, wz = ax + (1.0 - rub) * (wx - ax), az + (1.0 - rub) * (wz - az)
    return wx, wz


@inner
def ground_surface_velocity(w: Scratch, mates: Any, materials: Any) -> tuple[float, float]:
    """How fast the ground that carries the body runs, m/s east and south of the body's own."""
    p, m = ground_material(w, mates)
    if p < 0:
        return 0.0, 0.0
    return surface_velocity(w, materials, m)


@inner
def surface_velocity(w: Scratch, materials: Any, m: int) -> tuple[float, float]:
    """How fast a surface runs, m/s east and south of the body's own."""
    x, z = materials[m, material_row.SURFACE_VELOCITY_X], materials[m, material_row.SURFACE_VELOCITY_X + 1]
    if w.body[body.FRAME_IS_ROTATED] != 0.0:
        x, _, z = world_to_body_frame(w.body, x, 0.0, z)
    return x, z


@inner
def bounce_speed(w: Scratch, mates: Any, materials: Any, falling: float, fallen: float, g: float) -> float:
    """The speed (m/s, upwards) that ground gives back to a body that came down with `falling` (m/s, downwards
    negative) when it began to fall by `fallen` (m) more; 0 where it comes to rest."""
    p, m = ground_material(w, mates)
    if p < 0 or materials[m, material_row.RESTITUTION] == 0.0:
        return 0.0
    back = materials[m, material_row.RESTITUTION] * sqrt(falling * falling + 2.0 * g * max(fallen, 0.0))
    return back if back > MIN_BOUNCE_SPEED else 0.0
