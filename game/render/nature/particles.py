"""Particles: spray of a level's water, which goes on, and dust and drops that a snapshot adds."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ...core.vectors import Floats, Vector
from ..gl.context import release_resources
from ..gl.programs import ShaderCache, set_uniforms
from ..gl.quality import LIGHT_PROBE_UNIT, shader_defines
from .leaf_cards import connected_parts, triangle_areas

GRAVITY = 9.81  # m/s^2
DROPS_PER_PART, DROPS_PER_AREA, MAX_DROPS = 140, 25, 400  # of a connected part of a surface; per m^2; of one part
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
_FORMAT = "4f 4f 4f 3f /i"
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
    faces = np.flatnonzero((heights > 0.0) & (np.abs(normals[:, 1]) > MIN_SPRAY_NORMAL_Y * np.maximum(size, 1e-9)))
    if not len(faces):
        return no_particles()
    generator = np.random.default_rng(17)
    triangles, areas, part = triangles[faces], triangle_areas(triangles[faces]), connected_parts(triangles[faces])
    found = []
    for number in range(int(part.max()) + 1):
        of_part = np.flatnonzero(part == number)
        area = float(areas[of_part].sum())
        count = min(DROPS_PER_PART + round(DROPS_PER_AREA * area), MAX_DROPS)
        face = generator.choice(of_part, count, p=areas[of_part] / area)
        weights = generator.dirichlet((1.0, 1.0, 1.0), count)
        up = np.sqrt(2.0 * GRAVITY * heights[faces[face]] * generator.uniform(0.4, 1.0, count))
        sideways = generator.normal(0.0, SPREAD, (count, 2)) * up[:, None]
        velocities = np.column_stack((sideways[:, 0], up, sideways[:, 1]))
        origins = np.einsum("ni,nij->nj", weights, triangles[face])
        found.append(drops(origins, velocities, generator.uniform(0.0, 2.0, count), generator))
    return np.concatenate(found)


class ParticlePass:
    """Draws particles as soft discs. is_looped: each begins again when it ends."""

    def __init__(
        self, ctx: Any, particles: Particles, programs: ShaderCache, reversed_depth: bool, is_looped: bool
    ) -> None:
        self.ctx, self.programs = ctx, programs
        self._defines = shader_defines(reversed_depth) | ({"LOOPED": 1} if is_looped else {})
        self.count = 0
        self._buffer: Any = None
        self._array: Any = None
        self.replace_particles(particles)

    def replace_particles(self, particles: Particles) -> None:
        """Hold other particles (n,) for `draw`."""
        self.count = len(particles)
        if self._buffer is None or self._buffer.size < particles.nbytes:
            self.release()
            self._array = self._buffer = None
            if self.count:
                self._buffer = self.ctx.buffer(particles.tobytes())
        elif self.count:
            self._buffer.write(particles.tobytes())

    def rebuild(self) -> None:
        """Forget the vertex array; it is created again with the current program."""
        release_resources(self._array)
        self._array = None

    def draw(self, target: Any, particles: Particles | None = None) -> None:
        """Blend the particles, or others that replace them, over the framebuffer `target`, which has a depth buffer."""
        if particles is not None:
            self.replace_particles(particles)
        if not self.count:
            return
        if self._array is None:
            program = self.programs.get("nature/particle.vert.glsl", "nature/particle.frag.glsl", **self._defines)
            set_uniforms(program, light_probes=LIGHT_PROBE_UNIT)
            self._array = self.ctx.vertex_array(program, [(self._buffer, _FORMAT, *(PARTICLE.names or ()))])
        self.ctx.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND)
        self.ctx.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        self.ctx.depth_func = ">"
        target.depth_mask = False
        self._array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=self.count)
        target.depth_mask = True

    def release(self) -> None:
        release_resources(self._array, self._buffer)
