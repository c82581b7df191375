"""Ellipsoid pass: ghosts, golf balls and characters as instanced unit spheres."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ...core.vectors import Vector
from ..gl.context import enable_blending, release_resources, unbind_framebuffer
from ..gl.programs import ShaderCache, set_uniforms
from ..gl.quality import LIGHT_PROBE_UNIT, Quality, shader_defines, shadow_defines
from ..gl.shader_constants import SHADER_CONSTANTS
from ..snapshot import EllipsoidInstance

SPHERE_RINGS, SPHERE_SEGMENTS = 16, 28  # of the unit sphere
CUBES_IN_ROW = int(SHADER_CONSTANTS["CUBES_IN_ROW"])

# One row per instance; the names are the attributes of bodies/ellipsoid.vert.glsl
ELLIPSOID_INSTANCE = np.dtype(
    [("in_centre", "f4", 4), ("in_radii", "f4", 4), ("in_rotation", "f4", 4), ("in_colour", "f4", 4)]
)


def unit_sphere_mesh(rings: int = SPHERE_RINGS, segments: int = SPHERE_SEGMENTS) -> npt.NDArray[np.float32]:
    """(n, 3) triangle corners of a UV sphere, counter-clockwise seen from outside."""
    polar = np.linspace(0.0, math.pi, rings + 1)
    azimuth = np.arange(segments + 1) * (2.0 * math.pi / segments)
    height = np.cos(polar)
    radius = np.sin(polar)
    grid = np.stack(
        (
            radius[:, None] * np.sin(azimuth),
            np.repeat(height[:, None], segments + 1, 1),
            radius[:, None] * np.cos(azimuth),
        ),
        axis=-1,
    )
    a, b, c, d = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    corners = np.stack((a, b, c, a, c, d), axis=2)
    return np.ascontiguousarray(corners.reshape(-1, 3), dtype=np.float32)


def pack_sorted_instances(bodies: Sequence[EllipsoidInstance], eye: Vector) -> npt.NDArray[np.void]:
    """Instance rows: opaque bodies first, then translucent ones from far to near."""
    order = sorted(bodies, key=lambda body: (body.opacity < 1.0, -math.dist(body.centre, eye)))
    rows = np.zeros(len(order), ELLIPSOID_INSTANCE)
    for row, body in zip(rows, order, strict=True):
        row["in_centre"] = (*body.centre, (body.visor + 2.0 * body.is_part) * (-1.0 if body.ghost else 1.0))
        row["in_radii"] = (*body.radii, 0.0)
        row["in_rotation"] = body_quaternion(body)
        row["in_colour"] = (*body.colour, body.opacity)
    return rows


def body_quaternion(body: EllipsoidInstance) -> tuple[float, float, float, float]:
    """Unit quaternion (x, y, z, w) from the axes of the body (right, up, back) to the world."""
    s, c = math.sin(body.yaw / 2.0), math.cos(body.yaw / 2.0)
    if body.up == (0.0, 1.0, 0.0) and body.north == (0.0, 0.0, -1.0):
        return (0.0, s, 0.0, c)
    m = np.column_stack((np.cross(body.north, body.up), body.up, np.negative(body.north)))
    # Shepperd's method: of four equivalent formulas, the one with the largest divisor.
    squares = np.array((m[0, 0], m[1, 1], m[2, 2], m.trace())) * 2.0 + 1.0 - m.trace()
    squares[3] = 1.0 + m.trace()
    k = int(squares.argmax())
    q = np.empty(4)
    q[k] = squares[k]
    if k == 3:
        q[:3] = m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]
    else:
        i, j = (k + 1) % 3, (k + 2) % 3
        q[i], q[j], q[3] = m[i, k] + m[k, i], m[j, k] + m[k, j], m[j, i] - m[i, j]
    x, y, z, w = (q / np.linalg.norm(q)).tolist()
    return (x * c - z * s, y * c + w * s, z * c + x * s, w * c - y * s)


class AmbientCubes:
    """Ambient light of instances, computed once for each: the six faces of a cube at its centre, in a texture."""

    def __init__(self, ctx: Any, programs: ShaderCache) -> None:
        self.ctx, self.programs = ctx, programs
        self.texture: Any = None
        self._target: Any = None
        self._array: Any = None

    def rebuild(self) -> None:
        """Forget the vertex array; it is created again with the current program."""
        release_resources(self._array)
        self._array = None

    def draw(self, instances: Any, row: np.dtype[np.void], count: int) -> None:
        """Write `count` cubes. instances: buffer of `row`, which begins with the centre. Binds another framebuffer."""
        if self._array is None:
            program = self.programs.get("bodies/ambient_cube.vert.glsl", "bodies/ambient_cube.frag.glsl")
            set_uniforms(program, light_probes=LIGHT_PROBE_UNIT)
            content = [(instances, f"4f {row.itemsize - 16}x /i", "in_centre")]
            self._array = self.ctx.vertex_array(program, content)
        height = 6 * -(-count // CUBES_IN_ROW)
        if self.texture is None or self.texture.height < height:
            self._release_texture()
            self.texture = self.ctx.texture((CUBES_IN_ROW, height), 4, dtype="f2")
            self._target = self.ctx.framebuffer([self.texture])
        self._target.use()
        self.ctx.enable_only(moderngl.NOTHING)
        set_uniforms(self._array.program, texture_size=self.texture.size)
        self._array.render(moderngl.POINTS, vertices=6, instances=count)

    def _release_texture(self) -> None:
        unbind_framebuffer(self.ctx)
        release_resources(self._target, self.texture)
        self._target = self.texture = None

    def release(self) -> None:
        self.rebuild()
        self._release_texture()


class EllipsoidPass:
    """Draws ellipsoids with depth test; translucent ones do not write depth."""

    def __init__(self, ctx: Any, programs: ShaderCache, reversed_depth: bool, quality: Quality) -> None:
        self.ctx = ctx
        self.programs = programs
        self.defines = shader_defines(reversed_depth) | shadow_defines(quality) | {"HORIZON_HAZE": 1}
        self._light = AmbientCubes(ctx, programs)
        self._sphere: Any = None
        self._buffer: Any = None
        self._array: Any = None

    def rebuild(self) -> None:
        """Forget the vertex arrays; they are created again with the current programs."""
        release_resources(self._array)
        self._array = None
        self._light.rebuild()

    def draw(
        self, target: Any, bodies: Sequence[EllipsoidInstance], eye: Vector, shadow_map: Any, dynamic_shadow_map: Any
    ) -> None:
        """Draw opaque ellipsoids, then translucent ones from far to near."""
        if not bodies:
            return
        rows = pack_sorted_instances(bodies, eye)
        opaque_count = int((rows["in_colour"][:, 3] >= 1.0).sum())
        if self._sphere is None:
            self._sphere = self.ctx.buffer(unit_sphere_mesh().tobytes())
            self._buffer = self.ctx.buffer(reserve=ELLIPSOID_INSTANCE.itemsize * 16)
        if rows.nbytes > self._buffer.size:
            self._buffer.orphan(2 * rows.nbytes)
        if self._array is None:
            program = self.programs.get("bodies/ellipsoid.vert.glsl", "bodies/ellipsoid.frag.glsl", **self.defines)
            set_uniforms(program, shadow_map=0, dynamic_shadow_map=1, ambient_cubes=2)
            content = [
                (self._sphere, "3f", "in_position"),
                (self._buffer, "4f 4f 4f 4f /i", *(ELLIPSOID_INSTANCE.names or ())),
            ]
            self._array = self.ctx.vertex_array(program, content)
        self.ctx.front_face = "ccw"
        self.ctx.cull_face = "back"
        self.ctx.depth_func = ">="
        self.ctx.wireframe = False
        shadow_map.use(0)
        dynamic_shadow_map.use(1)
        for group, writes_depth in ((rows[:opaque_count], True), (rows[opaque_count:], False)):
            if len(group):
                self._buffer.write(group.tobytes())
                self._light.draw(self._buffer, ELLIPSOID_INSTANCE, len(group))
                self._light.texture.use(2)
                target.use()
                enable_blending(self.ctx, moderngl.DEPTH_TEST | moderngl.CULL_FACE)
                target.depth_mask = writes_depth  # bodies inside a translucent one stay visible
                self._array.render(moderngl.TRIANGLES, instances=len(group))
        target.depth_mask = True
        self.ctx.disable(moderngl.CULL_FACE)

    def release(self) -> None:
        self.rebuild()
        release_resources(self._light, self._sphere, self._buffer)
