"""Ball pass: instanced lit spheres, and a blob shadow on the ground below each."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ..gl.context import enable_blending, release_resources
from ..gl.programs import ShaderCache, set_uniforms
from ..gl.quality import Quality, shader_defines, shadow_defines
from ..snapshot import BallInstances
from .ellipsoids import AmbientCubes, unit_sphere_mesh

SPHERE_RINGS, SPHERE_SEGMENTS = 10, 18  # of the unit sphere

# One row per instance; the names are the attributes of bodies/ball.vert.glsl and bodies/ball_blob_shadow.vert.glsl
BALL_INSTANCE = np.dtype([("in_centre", "f4", 4), ("in_rotation", "f4", 4), ("in_colour", "f4", 4)])
BLOB_SHADOW_INSTANCE = np.dtype([("in_ground", "f4", 4), ("in_normal", "f4", 4)])


def shadow_sphere_mesh() -> npt.NDArray[np.float32]:
    """(n, 3) triangle corners of a coarse unit sphere for shadow maps: octahedron, subdivided once."""
    x, y, z = np.eye(3)
    faces = np.array([(a, b, c) for a, b, c in ((x, y, z), (y, -x, z), (-x, -y, z), (-y, x, z))])
    faces = np.concatenate((faces, faces[:, ::-1] * (1.0, 1.0, -1.0)))
    a, b, c = faces[:, 0], faces[:, 1], faces[:, 2]
    ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
    faces = np.concatenate([np.stack(t, axis=1) for t in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))])
    faces /= np.linalg.norm(faces, axis=2, keepdims=True)
    return np.ascontiguousarray(faces.reshape(-1, 3), dtype=np.float32)


def pack_instances(instances: BallInstances) -> tuple[npt.NDArray[np.void], npt.NDArray[np.void]]:
    """Instance rows of the balls and of their blob shadows."""
    balls = np.zeros(len(instances.centres), BALL_INSTANCE)
    shadows = np.zeros(len(instances.ground_points), BLOB_SHADOW_INSTANCE)
    balls["in_centre"][:, :3], balls["in_centre"][:, 3] = instances.centres, instances.radii
    balls["in_rotation"][:, :3], balls["in_rotation"][:, 3] = instances.rotations[:, 1:], instances.rotations[:, 0]
    balls["in_colour"][:, :3] = instances.colours
    shadows["in_ground"][:, :3], shadows["in_ground"][:, 3] = instances.ground_points, instances.shadow_radii
    shadows["in_normal"][:, :3], shadows["in_normal"][:, 3] = instances.ground_normals, instances.shadow_opacities
    return balls, shadows


class BallPass:
    """Three instanced draw calls; the buffers grow with the number of balls."""

    def __init__(self, ctx: Any, programs: ShaderCache, quality: Quality, reversed_depth: bool) -> None:
        self.ctx = ctx
        self.programs = programs
        self.defines = shader_defines(reversed_depth) | shadow_defines(quality) | {"HORIZON_HAZE": 1}
        self._arrays: list[Any] = []  # balls, blob shadows, shadow map
        self._light = AmbientCubes(ctx, programs)
        self._buffers: list[Any] = []  # sphere, balls, quad, blob shadows, coarse sphere
        self._counts = (0, 0)

    def rebuild(self) -> None:
        """Forget the vertex arrays; they are created again with the current programs."""
        release_resources(*self._arrays)
        self._arrays = []
        self._light.rebuild()

    def upload(self, instances: BallInstances) -> Any:
        """Upload the balls. Returns the vertex array for the shadow map (an instance per ball), or None."""
        balls, shadows = pack_instances(instances)
        self._counts = len(balls), len(shadows)
        if not len(balls):
            return None
        if not self._buffers:
            square = np.array(((-1, -1), (1, -1), (-1, 1), (1, 1)), np.float32)
            self._buffers = [
                self.ctx.buffer(unit_sphere_mesh(SPHERE_RINGS, SPHERE_SEGMENTS).tobytes()),
                self.ctx.buffer(reserve=BALL_INSTANCE.itemsize * 64),
                self.ctx.buffer(square.tobytes()),
                self.ctx.buffer(reserve=BLOB_SHADOW_INSTANCE.itemsize * 64),
                self.ctx.buffer(shadow_sphere_mesh().tobytes()),
            ]
        for buffer, rows in ((self._buffers[1], balls), (self._buffers[3], shadows)):
            if rows.nbytes > buffer.size:
                buffer.orphan(2 * rows.nbytes)
            if len(rows):
                buffer.write(rows.tobytes())
        if not self._arrays:
            self._build()
        return self._arrays[2]

    def draw(self, target: Any, shadow_map: Any, dynamic_shadow_map: Any) -> None:
        """Draw blob shadows, then the uploaded balls."""
        balls, shadows = self._counts
        if not balls:
            return
        self._light.draw(self._buffers[1], BALL_INSTANCE, balls)
        target.use()
        enable_blending(self.ctx, moderngl.DEPTH_TEST)
        self.ctx.depth_func = ">="
        self.ctx.wireframe = False
        if shadows:
            target.depth_mask = False
            self._arrays[1].render(moderngl.TRIANGLE_STRIP, instances=shadows)
            target.depth_mask = True
        self.ctx.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        self.ctx.front_face, self.ctx.cull_face = "ccw", "back"
        shadow_map.use(0)
        dynamic_shadow_map.use(1)
        self._light.texture.use(2)
        self._arrays[0].render(moderngl.TRIANGLES, instances=balls)
        self.ctx.disable(moderngl.CULL_FACE)

    def _build(self) -> None:
        program = self.programs.get("bodies/ball.vert.glsl", "bodies/ball.frag.glsl", **self.defines)
        set_uniforms(program, shadow_map=0, dynamic_shadow_map=1, ambient_cubes=2)
        shadow_program = self.programs.get(
            "bodies/ball_blob_shadow.vert.glsl", "bodies/ball_blob_shadow.frag.glsl", **self.defines
        )
        sphere, balls, square, shadows, shadow_sphere = self._buffers
        shadow_map_program = self.programs.get(
            "shadow_map/ball_shadow_map.vert.glsl", "shadow_map/shadow_map.frag.glsl"
        )
        centre_format = f"4f {BALL_INSTANCE.itemsize - 16}x /i"
        self._arrays = [
            self.ctx.vertex_array(
                program, [(sphere, "3f", "in_position"), (balls, "4f 4f 4f /i", *(BALL_INSTANCE.names or ()))]
            ),
            self.ctx.vertex_array(
                shadow_program,
                [(square, "2f", "in_corner"), (shadows, "4f 4f /i", *(BLOB_SHADOW_INSTANCE.names or ()))],
            ),
            self.ctx.vertex_array(
                shadow_map_program, [(shadow_sphere, "3f", "in_position"), (balls, centre_format, "in_centre")]
            ),
        ]

    def release(self) -> None:
        self.rebuild()
        release_resources(self._light, *self._buffers)
        self._buffers = []
