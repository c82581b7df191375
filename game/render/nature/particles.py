"""Particles: spray of a level's water, which goes on, and dust and drops that a snapshot adds."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...core.vectors import Floats, Vector
from .leaf_cards import connected_parts, triangle_areas

GRAVITY = 9.81  # m/s^2
DROPS_PER_PART, DROPS_PER_AREA, MAX_DROPS = 140, 25, 400  # of a connected part of a surface; per m^2; of one part
MAX_ALL_DROPS = 8000  # of a level; each part has fewer then, and the last of very many have none
SPREAD = 0.13  # sideways speed of a drop over its upward speed, standard deviation
MIN_SPRAY_NORMAL_Y = 0.3  # faces that are steeper send up no spray
WATER_COLOUR, DUST_COLOUR = (0.80, 0.88, 0.92), (0.45, 0.36, 0.25)  # linear

# One row per particle: the attributes of nature/particle.vert.glsl
PARTICLE = np.dtype(
    [
        ("in_origin", "f4", 4),  # metres; w: seconds at which it begins
        ("in_velocity", "f4", 4),  # m/s; w: acceleration downwards, m/s^2
        ("in_shape", "f4", 4),  # seconds that it lasts, radius in metres, factor of the radius at its end, opacity
        ("in_colour", "f4", 3),  # linear
    ]
)
Particles = npt.NDArray[np.void]


def no_particles() -> Particles:
    return np.zeros(0, PARTICLE)


def drops(origins: Floats, velocities: Floats, begin: Floats | float, generator: np.random.Generator) -> Particles:
    """Drops of water (n,) that fly from origins (n, 3) with velocities (n, 3) (m/s) until they are somewhat lower.

    begin: seconds. Every fourth is a puff of mist instead.
    """
    rows = np.zeros(len(origins), PARTICLE)
    rows["in_origin"][:, :3], rows["in_origin"][:, 3] = origins, begin
    rows["in_velocity"][:, :3], rows["in_velocity"][:, 3] = velocities, GRAVITY
    rows["in_shape"][:, 0] = 2.4 * velocities[:, 1] / GRAVITY
    rows["in_shape"][:, 1] = generator.uniform(0.010, 0.024, len(rows))
    rows["in_shape"][:, 2:] = 1.0, 0.75
    rows["in_shape"][::4, 1:] = 0.05, 3.0, 0.12
    rows["in_colour"] = WATER_COLOUR
    return rows


def dust(feet: Vector, count: int, begin: float, generator: np.random.Generator) -> Particles:
    """Dust (count,) that rises around a foot (m) and settles. begin: seconds."""
    rows = np.zeros(count, PARTICLE)
    aside = generator.normal(0.0, 0.5, (count, 2))
    rows["in_origin"] = np.column_stack(
        (
            feet[0] + 0.15 * aside[:, 0],
            np.full(count, feet[1] + 0.03),
            feet[2] + 0.15 * aside[:, 1],
            np.full(count, begin),
        )
    )
    rows["in_velocity"] = np.column_stack(
        (0.4 * aside[:, 0], generator.uniform(0.15, 0.5, count), 0.4 * aside[:, 1], np.full(count, 0.4))
    )
    rows["in_shape"] = np.column_stack(
        (generator.uniform(0.5, 1.1, count), np.full(count, 0.05), np.full(count, 3.5), np.full(count, 0.22))
    )
    rows["in_colour"] = DUST_COLOUR
    return rows


def splash(at: Vector, speed: float, count: int, begin: float, generator: np.random.Generator) -> Particles:
    """Drops (count,) that a body throws up to `speed` (m/s) around a point of the surface of water. begin: seconds."""
    angle = generator.uniform(0.0, 2.0 * np.pi, count)
    outwards = np.column_stack((np.cos(angle), np.zeros(count), np.sin(angle)))
    up = generator.uniform(0.3, 1.0, (count, 1)) * speed
    velocities = outwards * generator.uniform(0.15, 0.6, (count, 1)) * speed
    velocities[:, 1:2] = up
    return drops(np.asarray(at) + 0.3 * outwards, velocities, begin, generator)


def spray_particles(triangles: Floats, heights: Floats) -> Particles:
    """Drops (n,) that triangles (N, 3, 3) throw up to heights (N,) above them, in metres; 0: none."""
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    size = np.linalg.norm(normals, axis=1)
    faces = np.flatnonzero((heights > 0.0) & (normals[:, 1] > MIN_SPRAY_NORMAL_Y * np.maximum(size, 1e-9)))
    if not len(faces):
        return no_particles()
    generator = np.random.default_rng(17)
    triangles, areas, part = triangles[faces], triangle_areas(triangles[faces]), connected_parts(triangles[faces])
    area_of_part = np.bincount(part, areas)
    counts = np.minimum(DROPS_PER_PART + np.rint(DROPS_PER_AREA * area_of_part), MAX_DROPS)
    counts = np.maximum(counts * min(MAX_ALL_DROPS / counts.sum(), 1.0), 1.0).astype(int)
    found = []
    for number, count in enumerate(counts[:MAX_ALL_DROPS].tolist()):
        of_part = np.flatnonzero(part == number)
        face = generator.choice(of_part, count, p=areas[of_part] / area_of_part[number])
        weights = generator.dirichlet((1.0, 1.0, 1.0), count)
        up = np.sqrt(2.0 * GRAVITY * heights[faces[face]] * generator.uniform(0.4, 1.0, count))
        sideways = generator.normal(0.0, SPREAD, (count, 2)) * up[:, None]
        velocities = np.column_stack((sideways[:, 0], up, sideways[:, 1]))
        origins = np.einsum("ni,nij->nj", weights, triangles[face])
        found.append(drops(origins, velocities, generator.uniform(0.0, 2.0, count), generator))
    return np.concatenate(found)
