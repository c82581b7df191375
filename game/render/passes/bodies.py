"""Body passes: ghosts, golf balls and characters as instanced ellipsoids, and balls with their blob shadows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ...core.vectors import Vector, gravity_axes
from ..gl.context import release_resources, unbind_framebuffer
from ..gl.programs import SHADER_CONSTANTS, set_uniforms
from ..gl.quality import shader_defines, shadow_defines
from ..gl.render_pass import OWN_UNIT, PassContext, RenderPass, set_state, write_growing
from ..snapshot import BallInstances, EllipsoidInstance
from .frame import Frame

SPHERE_RINGS, SPHERE_SEGMENTS = 16, 28  # of an ellipsoid
BALL_RINGS, BALL_SEGMENTS = 10, 18
CUBES_IN_ROW = int(SHADER_CONSTANTS["CUBES_IN_ROW"])

# One row per instance; the names are the attributes of bodies/*.vert.glsl
ELLIPSOID_INSTANCE = np.dtype(
    [("in_centre", "f4", 4), ("in_radii", "f4", 4), ("in_rotation", "f4", 4), ("in_colour", "f4", 4)]
)
BALL_INSTANCE = np.dtype([("in_centre", "f4", 4), ("in_rotation", "f4", 4), ("in_colour", "f4", 4)])
BLOB_SHADOW_INSTANCE = np.dtype([("in_ground", "f4", 4), ("in_normal", "f4", 4)])


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
    m = gravity_axes(body.up, body.north).T
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


class BodyPass(RenderPass):
    """A pass of instanced bodies, each in the ambient light at its centre.

    That light is computed once for each instance: the six faces of a cube at its centre, in a texture.
    """

    def __init__(self, context: PassContext) -> None:
        quality = context.quality
        haze: dict[str, object] = {"HORIZON_HAZE": 1}
        super().__init__(context, shader_defines(context.reversed_depth) | shadow_defines(quality) | haze)
        self._cubes: Any = None
        self._cube_target: Any = None

    def light_instances(self, instances: Any, row: np.dtype[np.void], count: int) -> None:
        """Write and bind the cubes of `count` instances. instances: buffer of `row`, which begins with the centre.

        Binds another framebuffer.
        """
        array = self.array("bodies/ambient_cube", (instances, row, "/i"))
        height = 6 * -(-count // CUBES_IN_ROW)
        if self._cubes is None or self._cubes.height < height:
            self._release_cubes()
            self._cubes = self.ctx.texture((CUBES_IN_ROW, height), 4, dtype="f2")
            self._cube_target = self.ctx.framebuffer([self._cubes])
        self._cube_target.use()
        self.ctx.enable_only(moderngl.NOTHING)
        set_uniforms(array.program, texture_size=self._cubes.size)
        array.render(moderngl.POINTS, vertices=6, instances=count)
        self._cubes.use(OWN_UNIT)

    def _release_cubes(self) -> None:
        unbind_framebuffer(self.ctx)
        release_resources(self._cube_target, self._cubes)
        self._cube_target = self._cubes = None

    def release(self) -> None:
        """Release the cubes too."""
        super().release()
        self._release_cubes()


class EllipsoidPass(BodyPass):
    """Draws ellipsoids with depth test; translucent ones do not write depth."""

    def __init__(self, context: PassContext) -> None:
        super().__init__(context)
        self._sphere = self.own(self.ctx.buffer(unit_sphere_mesh().tobytes()))
        self._buffer = self.own(self.ctx.buffer(reserve=ELLIPSOID_INSTANCE.itemsize * 16))

    def draw(self, frame: Frame) -> None:
        """Draw opaque ellipsoids, then translucent ones from far to near."""
        bodies = frame.snapshot.ellipsoids
        if not bodies:
            return
        rows = pack_sorted_instances(bodies, frame.snapshot.view.eye)
        opaque_count = int((rows["in_colour"][:, 3] >= 1.0).sum())
        array = self.array(
            "bodies/ellipsoid",
            (self._sphere, "3f", "in_position"),
            (self._buffer, ELLIPSOID_INSTANCE, "/i"),
            ambient_cubes=OWN_UNIT,
        )
        for group, writes_depth in ((rows[:opaque_count], True), (rows[opaque_count:], False)):
            if len(group):
                write_growing(self._buffer, group)
                self.light_instances(self._buffer, ELLIPSOID_INSTANCE, len(group))
                frame.target.use()
                # Bodies inside a translucent one stay visible.
                set_state(self.ctx, frame.target, writes_depth=writes_depth, blending="alpha", culls=True)
                array.render(moderngl.TRIANGLES, instances=len(group))


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
        self._sphere = self.own(ctx.buffer(unit_sphere_mesh(BALL_RINGS, BALL_SEGMENTS).tobytes()))
        self._shadow_sphere = self.own(ctx.buffer(shadow_sphere_mesh().tobytes()))
        self._square = self.own(ctx.buffer(square.tobytes()))
        self._balls = self.own(ctx.buffer(reserve=BALL_INSTANCE.itemsize * 64))
        self._blobs = self.own(ctx.buffer(reserve=BLOB_SHADOW_INSTANCE.itemsize * 64))
        self._counts = (0, 0)  # balls, blob shadows

    def upload(self, instances: BallInstances) -> bool:
        """Upload the balls. Returns whether there are any."""
        balls, blobs = pack_instances(instances)
        self._counts = len(balls), len(blobs)
        write_growing(self._balls, balls)
        write_growing(self._blobs, blobs)
        return bool(len(balls))

    def draw_shadow(self, world_to_light_clip: Any) -> None:
        """Draw the uploaded balls into a shadow map."""
        array = self.array(
            "shadow_map/ball_shadow_map",
            (self._shadow_sphere, "3f", "in_position"),
            (self._balls, BALL_INSTANCE, "/i"),
            fragment="shadow_map/shadow_map",
        )
        set_uniforms(array.program, world_to_light_clip=world_to_light_clip)
        array.render(moderngl.TRIANGLES, instances=self._counts[0])

    def draw(self, frame: Frame) -> None:
        """Draw blob shadows, then the uploaded balls."""
        balls, blobs = self._counts
        if not balls or frame.snapshot.balls is None:
            return
        self.light_instances(self._balls, BALL_INSTANCE, balls)
        frame.target.use()
        if blobs:
            content = (self._square, "2f", "in_corner"), (self._blobs, BLOB_SHADOW_INSTANCE, "/i")
            array = self.array("bodies/ball_blob_shadow", *content)
            set_state(self.ctx, frame.target, writes_depth=False, blending="alpha")
            array.render(moderngl.TRIANGLE_STRIP, instances=blobs)
        content = (self._sphere, "3f", "in_position"), (self._balls, BALL_INSTANCE, "/i")
        array = self.array("bodies/ball", *content, ambient_cubes=OWN_UNIT)
        set_state(self.ctx, frame.target, culls=True)
        array.render(moderngl.TRIANGLES, instances=balls)
