"""Goal pass: a ring on the ground, a column of light and a pulsating core."""

from __future__ import annotations

import math
from typing import Any

import moderngl
import numpy as np

from ...core.vectors import Floats
from ..colour_palettes import DEFAULT_PALETTE, marker_colours
from ..gl.context import enable_blending, release_resources
from ..gl.programs import ShaderCache, set_uniforms
from ..gl.quality import shader_defines
from ..scene.scene import GoalAppearance

RING_SEGMENTS = 48
COLUMN_RADIUS = 0.78  # of the reach, in the shader: the column here is so much wider that it is as wide as the reach


def goal_mesh() -> Floats:
    """(n, 4) triangle corners of ring, column and core as unit shapes; the last number is the mesh part, 0 to 2."""
    square = np.array(((-1, -1), (1, -1), (1, 1), (-1, -1), (1, 1), (-1, 1)), dtype=np.float64)
    ring = np.column_stack((square[:, 0] * 1.1, np.zeros(6), -square[:, 1] * 1.1, np.zeros(6)))
    core = np.column_stack((square, np.zeros(6), np.full(6, 2.0)))
    angles = np.arange(RING_SEGMENTS + 1) * (2 * math.pi / RING_SEGMENTS)
    circle = np.column_stack((np.cos(angles), np.sin(angles))) / COLUMN_RADIUS
    column_corners = [
        (*circle[k + dk], 0.0, 1.0, y)
        for k in range(RING_SEGMENTS)
        for dk, y in ((0, 0), (1, 0), (1, 1), (0, 0), (1, 1), (0, 1))
    ]
    tube = np.array([(x, y, z, mesh_part) for x, z, _, mesh_part, y in column_corners], dtype=np.float64)
    return np.concatenate((ring, tube, core))


class GoalPass:
    """Draws the goal marker with premultiplied blending and depth test."""

    def __init__(self, ctx: Any, goal: GoalAppearance, programs: ShaderCache, reversed_depth: bool) -> None:
        self.ctx = ctx
        self.goal = goal
        self.programs = programs
        self.defines = shader_defines(reversed_depth)
        self._buffer = ctx.buffer(goal_mesh().astype("f4").tobytes())
        self._array: Any = None
        self.rebuild()

    def rebuild(self) -> None:
        """Bind the current program to the buffer."""
        release_resources(self._array)
        self._program = self.programs.get("markers/goal.vert.glsl", "markers/goal.frag.glsl", **self.defines)
        set_uniforms(self._program, goal_position_radius=(*self.goal.at, self.goal.radius), goal_up=self.goal.up)
        self._array = self.ctx.vertex_array(self._program, [(self._buffer, "3f 1f", "in_position", "in_mesh_part")])

    def draw(self, target: Any, reached: bool, palette: str = DEFAULT_PALETTE) -> None:
        """Draw the marker; reached: in the colour and shape of a reached goal. palette: of the marker colours."""
        colour = marker_colours(palette)["goal_reached" if reached else "goal"]
        set_uniforms(self._program, colour=colour, reached=float(reached))
        enable_blending(self.ctx, moderngl.DEPTH_TEST, premultiplied=True)
        self.ctx.depth_func = ">="
        target.depth_mask = False
        self._array.render(moderngl.TRIANGLES)
        target.depth_mask = True

    def release(self) -> None:
        release_resources(self._array, self._buffer)
