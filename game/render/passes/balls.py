"""Balls in the picture: instanced spheres in the level's light, each with a soft shadow on what is below it."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ..gl.programs import ShaderCache, set_uniforms
from ..snapshot import BallInstances
from .ellipsoids import unit_sphere_mesh

SPHERE_RINGS, SPHERE_SEGMENTS = 10, 18  # of the unit sphere that all are made from

# one row a ball, one row a shadow; the names are the attributes of ball.vert.glsl and ball_shadow.vert.glsl
BALL_INSTANCE = np.dtype([("in_centre", "f4", 4), ("in_rotation", "f4", 4), ("in_colour", "f4", 4)])
BLOB_SHADOW_INSTANCE = np.dtype([("in_ground", "f4", 4), ("in_normal", "f4", 4)])


def shadow_sphere_mesh(count: int = 1) -> npt.NDArray[np.float32]:
    """(n, 3) corners of a rough unit sphere for shadows: an octahedron, each face cut in four `count` times."""
    x, y, z = np.eye(3)
    faces = np.array([(a, b, c) for a, b, c in ((x, y, z), (y, -x, z), (-x, -y, z), (-y, x, z))])
    faces = np.concatenate((faces, faces[:, ::-1] * (1.0, 1.0, -1.0)))
    for _ in range(count):
        a, b, c = faces[:, 0], faces[:, 1], faces[:, 2]
        ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
        faces = np.concatenate([np.stack(t, axis=1) for t in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))])
        faces /= np.linalg.norm(faces, axis=2, keepdims=True)
    return np.ascontiguousarray(faces.reshape(-1, 3), dtype=np.float32)


def pack_instances(look: BallInstances) -> tuple[npt.NDArray[np.void], npt.NDArray[np.void]]:
    """Rows of the balls and of their shadows."""
    balls, spots = np.zeros(len(look.centres), BALL_INSTANCE), np.zeros(len(look.ground_points), BLOB_SHADOW_INSTANCE)
    balls["in_centre"][:, :3], balls["in_centre"][:, 3] = look.centres, look.radii
    balls["in_rotation"][:, :3], balls["in_rotation"][:, 3] = look.rotations[:, 1:], look.rotations[:, 0]
    balls["in_colour"][:, :3] = look.colours
    spots["in_ground"][:, :3], spots["in_ground"][:, 3] = look.ground_points, look.shadow_radii
    spots["in_normal"][:, :3], spots["in_normal"][:, 3] = look.ground_normals, look.shadow_opacities
    return balls, spots


class BallPass:
    """Two instanced draws into the bound framebuffer, over buffers that grow with what is asked."""

    def __init__(self, ctx: Any, programs: ShaderCache, shadow_taps: int, reversed_depth: bool) -> None:
        self.ctx = ctx
        self.programs = programs
        self.defines: dict[str, object] = {"SHADOW_TAPS": shadow_taps, "HORIZON_HAZE": 1}
        if reversed_depth:
            self.defines["REVERSED_DEPTH"] = 1
        self._parts: list[Any] = []  # vertex arrays
        self._buffers: list[Any] = []  # sphere, balls, square, spots, rough sphere
        self._counts = (0, 0)

    def rebuild(self) -> None:
        """Use the present programs."""
        for part in self._parts:
            part.release()
        self._parts = []

    def upload(self, look: BallInstances) -> Any:
        """Take the balls of this picture; returns the array that throws their shadows, an instance a ball."""
        balls, spots = pack_instances(look)
        self._counts = len(balls), len(spots)
        if not len(balls):
            return None
        if not self._buffers:
            square = np.array(((-1, -1), (1, -1), (-1, 1), (1, 1)), np.float32)
            self._buffers = [
                self.ctx.buffer(unit_sphere_mesh(SPHERE_RINGS, SPHERE_SEGMENTS).tobytes()), self.ctx.buffer(reserve=BALL_INSTANCE.itemsize * 64),
                self.ctx.buffer(square.tobytes()), self.ctx.buffer(reserve=BLOB_SHADOW_INSTANCE.itemsize * 64),
                self.ctx.buffer(shadow_sphere_mesh().tobytes()),
            ]  # fmt: skip
        for buffer, rows in ((self._buffers[1], balls), (self._buffers[3], spots)):
            if rows.nbytes > buffer.size:
                buffer.orphan(2 * rows.nbytes)
            if len(rows):
                buffer.write(rows.tobytes())
        if not self._parts:
            self._build()
        return self._parts[2]

    def draw(self, target: Any, sun_map: Any, casting: Any) -> None:
        """Shadows first, then the balls that `place` has taken."""
        balls, spots = self._counts
        if not balls:
            return
        self.ctx.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND)
        self.ctx.depth_func = ">="
        self.ctx.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        self.ctx.blend_equation = moderngl.FUNC_ADD
        self.ctx.wireframe = False
        if spots:
            target.depth_mask = False
            self._parts[1].render(moderngl.TRIANGLE_STRIP, instances=spots)
            target.depth_mask = True
        self.ctx.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        self.ctx.front_face, self.ctx.cull_face = "ccw", "back"
        sun_map.use(0)
        casting.use(1)
        self._parts[0].render(moderngl.TRIANGLES, instances=balls)
        self.ctx.disable(moderngl.CULL_FACE)

    def _build(self) -> None:
        program = self.programs.get("bodies/ball.vert.glsl", "bodies/ball.frag.glsl", **self.defines)
        set_uniforms(program, shadow_map=0, dynamic_shadow_map=1)
        spot = self.programs.get("bodies/ball_blob_shadow.vert.glsl", "bodies/ball_blob_shadow.frag.glsl", **self.defines)
        sphere, balls, square, spots, rough = self._buffers
        caster = self.programs.get("shadow_map/ball_shadow_map.vert.glsl", "shadow_map/shadow_map.frag.glsl")
        place_only = f"4f {BALL_INSTANCE.itemsize - 16}x /i"
        self._parts = [
            self.ctx.vertex_array(
                program, [(sphere, "3f", "in_position"), (balls, "4f 4f 4f /i", *_used_members(BALL_INSTANCE))]
            ),
            self.ctx.vertex_array(
                spot, [(square, "2f", "in_corner"), (spots, "4f 4f /i", *_used_members(BLOB_SHADOW_INSTANCE))]
            ),
            self.ctx.vertex_array(caster, [(rough, "3f", "in_position"), (balls, place_only, "in_centre")]),
        ]

    def release(self) -> None:
        self.rebuild()
        for buffer in self._buffers:
            buffer.release()
        self._buffers = []


def _used_members(kind: np.dtype[Any]) -> tuple[str, ...]:
    return tuple(kind.names or ())
