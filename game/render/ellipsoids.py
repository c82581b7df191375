"""Ellipsoids in the world: other walkers as translucent ghosts, balls as solid ones. All in two calls."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from .camera import Vector
from .programs import Programs

RINGS, SIDES = 16, 28  # of the unit sphere that all are made from

# one row an ellipsoid; the names are the attributes of ellipsoid.vert.glsl
ROW = np.dtype([("in_place", "f4", 4), ("in_radii", "f4", 4), ("in_colour", "f4", 4)])


@dataclass(frozen=True, slots=True)
class EllipsoidLook:
    """centre, radii (right, up, ahead): metres; yaw: radians; colour: sRGB 0..1; opacity: 1 is solid, less is glass."""

    centre: Vector
    radii: Vector
    colour: Vector
    yaw: float = 0.0
    opacity: float = 0.35


def unit_sphere() -> npt.NDArray[np.float32]:
    """(n, 3) corners of triangles, counter-clockwise seen from outside."""
    down = np.linspace(0.0, math.pi, RINGS + 1)
    turn = np.arange(SIDES + 1) * (2.0 * math.pi / SIDES)
    high, wide = np.cos(down), np.sin(down)
    grid = np.stack(
        (wide[:, None] * np.sin(turn), np.repeat(high[:, None], SIDES + 1, 1), wide[:, None] * np.cos(turn)), axis=-1
    )
    a, b, c, d = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    corners = np.stack((a, b, c, a, c, d), axis=2)
    return np.ascontiguousarray(corners.reshape(-1, 3), dtype=np.float32)


def rows_of(bodies: Sequence[EllipsoidLook], eye: Vector) -> npt.NDArray[np.void]:
    """A row each: solid ones first, then glass from the farthest to the nearest."""
    order = sorted(bodies, key=lambda body: (body.opacity < 1.0, -math.dist(body.centre, eye)))
    rows = np.zeros(len(order), ROW)
    for row, body in zip(rows, order, strict=True):
        row["in_place"] = (*body.centre, math.sin(body.yaw))
        row["in_radii"] = (*body.radii, math.cos(body.yaw))
        row["in_colour"] = (*body.colour, body.opacity)
    return rows


class Ellipsoids:
    """Draws them into the bound framebuffer; what is nearer hides them."""

    def __init__(self, ctx: Any, programs: Programs, reversed_depth: bool) -> None:
        self.ctx = ctx
        self.programs = programs
        self.defines: dict[str, object] = {"REVERSED": 1} if reversed_depth else {}
        self._sphere: Any = None
        self._buffer: Any = None
        self._array: Any = None

    def rebuild(self) -> None:
        if self._array is not None:
            self._array.release()
        self._array = None

    def draw(self, target: Any, bodies: Sequence[EllipsoidLook], eye: Vector) -> None:
        """The nearest glass last."""
        if not bodies:
            return
        rows = rows_of(bodies, eye)
        solid = int((rows["in_colour"][:, 3] >= 1.0).sum())
        if self._sphere is None:
            self._sphere = self.ctx.buffer(unit_sphere().tobytes())
            self._buffer = self.ctx.buffer(reserve=ROW.itemsize * 16)
        if rows.nbytes > self._buffer.size:
            self._buffer.orphan(2 * rows.nbytes)
        if self._array is None:
            program = self.programs.get("ellipsoid.vert.glsl", "ellipsoid.frag.glsl", **self.defines)
            content = [(self._sphere, "3f", "in_position"), (self._buffer, "4f 4f 4f /i", *(ROW.names or ()))]
            self._array = self.ctx.vertex_array(program, content)
        self.ctx.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND | moderngl.CULL_FACE)
        self.ctx.front_face = "ccw"
        self.ctx.cull_face = "back"
        self.ctx.depth_func = ">="
        self.ctx.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        self.ctx.blend_equation = moderngl.FUNC_ADD
        self.ctx.wireframe = False
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
