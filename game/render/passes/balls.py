"""Ball pass: instanced lit spheres, and a blob shadow on the ground below each."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ..gl.context import set_state, write_growing
from ..gl.render_pass import OWN_UNIT, PassContext
from ..snapshot import BallInstances
from .ellipsoids import BodyPass, unit_sphere_mesh
from .frame import Frame

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


class BallPass(BodyPass):
    """Three instanced draw calls; the buffers grow with the number of balls."""

    def __init__(self, context: PassContext) -> None:
        super().__init__(context)
        ctx, square = self.ctx, np.array(((-1, -1), (1, -1), (-1, 1), (1, 1)), np.float32)
        self._sphere = self.own(ctx.buffer(unit_sphere_mesh(SPHERE_RINGS, SPHERE_SEGMENTS).tobytes()))
        self._shadow_sphere = self.own(ctx.buffer(shadow_sphere_mesh().tobytes()))
        self._square = self.own(ctx.buffer(square.tobytes()))
        self._balls = self.own(ctx.buffer(reserve=BALL_INSTANCE.itemsize * 64))
        self._blobs = self.own(ctx.buffer(reserve=BLOB_SHADOW_INSTANCE.itemsize * 64))
        self._counts = (0, 0)  # balls, blob shadows

    def upload(self, instances: BallInstances) -> Any:
        """Upload the balls. Returns the vertex array for the shadow map (an instance per ball), or None."""
        balls, blobs = pack_instances(instances)
        self._counts = len(balls), len(blobs)
        if not len(balls):
            return None
        write_growing(self._balls, balls)
        write_growing(self._blobs, blobs)
        return self.array(
            "shadow_map/ball_shadow_map",
            (self._shadow_sphere, "3f", "in_position"),
            (self._balls, f"4f {BALL_INSTANCE.itemsize - 16}x /i", "in_centre"),
            fragment="shadow_map/shadow_map",
        )

    def draw(self, frame: Frame) -> None:
        """Draw blob shadows, then the uploaded balls."""
        balls, blobs = self._counts
        if not balls or frame.snapshot.balls is None:
            return
        self.light_instances(self._balls, BALL_INSTANCE, balls)
        frame.target.use()
        if blobs:
            content = (self._blobs, "4f 4f /i", *(BLOB_SHADOW_INSTANCE.names or ()))
            array = self.array("bodies/ball_blob_shadow", (self._square, "2f", "in_corner"), content)
            set_state(self.ctx, frame.target, writes_depth=False, blending="alpha")
            array.render(moderngl.TRIANGLE_STRIP, instances=blobs)
        content = (self._balls, "4f 4f 4f /i", *(BALL_INSTANCE.names or ()))
        array = self.array("bodies/ball", (self._sphere, "3f", "in_position"), content, ambient_cubes=OWN_UNIT)
        set_state(self.ctx, frame.target, culls=True)
        array.render(moderngl.TRIANGLES, instances=balls)
