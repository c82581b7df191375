"""Ellipsoids in the world: other walkers as translucent ghosts, balls as solid ones. All in two calls."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ..camera import Vector
from ..gl.programs import ShaderCache, set_uniforms
from ..snapshot import EllipsoidInstance

SPHERE_RINGS, SPHERE_SEGMENTS = 16, 28  # of the unit sphere that all are made from

# one row an ellipsoid; the names are the attributes of ellipsoid.vert.glsl
ELLIPSOID_INSTANCE = np.dtype(
    [("in_centre", "f4", 4), ("in_radii", "f4", 4), ("in_rotation", "f4", 4), ("in_colour", "f4", 4)]
)


def unit_sphere_mesh(rings: int = SPHERE_RINGS, segments: int = SPHERE_SEGMENTS) -> npt.NDArray[np.float32]:
    """(n, 3) corners of triangles, counter-clockwise seen from outside."""
    down = np.linspace(0.0, math.pi, rings + 1)
    turn = np.arange(segments + 1) * (2.0 * math.pi / segments)
    high, wide = np.cos(down), np.sin(down)
    grid = np.stack(
        (wide[:, None] * np.sin(turn), np.repeat(high[:, None], segments + 1, 1), wide[:, None] * np.cos(turn)),
        axis=-1,
    )
    a, b, c, d = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    corners = np.stack((a, b, c, a, c, d), axis=2)
    return np.ascontiguousarray(corners.reshape(-1, 3), dtype=np.float32)


def pack_sorted_instances(bodies: Sequence[EllipsoidInstance], eye: Vector) -> npt.NDArray[np.void]:
    """A row each: solid ones first, then glass from the farthest to the nearest."""
    order = sorted(bodies, key=lambda body: (body.opacity < 1.0, -math.dist(body.centre, eye)))
    rows = np.zeros(len(order), ELLIPSOID_INSTANCE)
    for row, body in zip(rows, order, strict=True):
        row["in_centre"] = (*body.centre, float(body.visor))
        row["in_radii"] = (*body.radii, 0.0)
        row["in_rotation"] = body_quaternion(body)
        row["in_colour"] = (*body.colour, body.opacity)
    return rows


def body_quaternion(body: EllipsoidInstance) -> tuple[float, float, float, float]:
    """The unit quaternion (x, y, z, w) from the body's own axes (right, up, back) to the world's."""
    s, c = math.sin(body.yaw / 2.0), math.cos(body.yaw / 2.0)
    if body.up == (0.0, 1.0, 0.0) and body.north == (0.0, 0.0, -1.0):
        return (0.0, s, 0.0, c)
    m = np.column_stack((np.cross(body.north, body.up), body.up, np.negative(body.north)))
    # of four ways to write it, the one that divides by the largest number
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


class EllipsoidPass:
    """Draws them into the bound framebuffer; what is nearer hides them."""

    def __init__(self, ctx: Any, programs: ShaderCache, reversed_depth: bool, shadow_taps: int = 1) -> None:
        self.ctx = ctx
        self.programs = programs
        self.defines: dict[str, object] = {"SHADOW_TAPS": shadow_taps, "HORIZON_HAZE": 1}
        if reversed_depth:
            self.defines["REVERSED_DEPTH"] = 1
        self._sphere: Any = None
        self._buffer: Any = None
        self._array: Any = None

    def rebuild(self) -> None:
        if self._array is not None:
            self._array.release()
        self._array = None

    def draw(self, target: Any, bodies: Sequence[EllipsoidInstance], eye: Vector, sun_map: Any, casting: Any) -> None:
        """The nearest glass last."""
        if not bodies:
            return
        rows = pack_sorted_instances(bodies, eye)
        solid = int((rows["in_colour"][:, 3] >= 1.0).sum())
        if self._sphere is None:
            self._sphere = self.ctx.buffer(unit_sphere_mesh().tobytes())
            self._buffer = self.ctx.buffer(reserve=ELLIPSOID_INSTANCE.itemsize * 16)
        if rows.nbytes > self._buffer.size:
            self._buffer.orphan(2 * rows.nbytes)
        if self._array is None:
            program = self.programs.get("bodies/ellipsoid.vert.glsl", "bodies/ellipsoid.frag.glsl", **self.defines)
            set_uniforms(program, shadow_map=0, dynamic_shadow_map=1)
            content = [
                (self._sphere, "3f", "in_position"),
                (self._buffer, "4f 4f 4f 4f /i", *(ELLIPSOID_INSTANCE.names or ())),
            ]
            self._array = self.ctx.vertex_array(program, content)
        self.ctx.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND | moderngl.CULL_FACE)
        self.ctx.front_face = "ccw"
        self.ctx.cull_face = "back"
        self.ctx.depth_func = ">="
        self.ctx.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        self.ctx.blend_equation = moderngl.FUNC_ADD
        self.ctx.wireframe = False
        sun_map.use(0)
        casting.use(1)
        for part, writes in ((rows[:solid], True), (rows[solid:], False)):
            if len(part):
                self._buffer.write(part.tobytes())
                target.depth_mask = writes  # what lies in glass is seen
                self._array.render(moderngl.TRIANGLES, instances=len(part))
        target.depth_mask = True
        self.ctx.disable(moderngl.CULL_FACE)

    def release(self) -> None:
        self.rebuild()
        for thing in (self._sphere, self._buffer):
            if thing is not None:
                thing.release()
