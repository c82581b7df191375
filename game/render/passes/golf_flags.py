"""Golf flag pass: a striped pole and a waving cloth for each hole."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import moderngl
import numpy as np

from ...core.vectors import Floats, Vector
from ..gl.context import release_resources
from ..gl.programs import ShaderCache, set_uniforms
from ..gl.quality import LIGHT_PROBE_UNIT, shader_defines

CLOTH_COLOUR = (0.62, 0.05, 0.035)  # linear
POLE_HEIGHT, POLE_RADIUS, POLE_SEGMENTS = 2.9, 0.018, 8  # metres
CLOTH_LENGTH, CLOTH_HEIGHT, CLOTH_COLUMNS, CLOTH_ROWS = 1.1, 0.7, 20, 5  # metres; grid cells
POLE_PART, CLOTH_PART = 0.0, 1.0  # mesh parts


def flag_mesh() -> Floats:
    """(n, 7) triangle corners around the base: position, mesh part, normal."""
    rows: list[tuple[float, ...]] = []
    for k in range(POLE_SEGMENTS):
        edge_points = [
            (math.cos(2 * math.pi * (k + d) / POLE_SEGMENTS), math.sin(2 * math.pi * (k + d) / POLE_SEGMENTS))
            for d in (0, 1)
        ]
        for d, y in ((0, 0.0), (1, 0.0), (1, POLE_HEIGHT), (0, 0.0), (1, POLE_HEIGHT), (0, POLE_HEIGHT)):
            x, z = edge_points[d]
            rows.append((POLE_RADIUS * x, y, POLE_RADIUS * z, POLE_PART, x, 0.0, z))
    for column in range(CLOTH_COLUMNS):
        for row in range(CLOTH_ROWS):
            for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 0), (1, 1), (0, 1)):
                x = CLOTH_LENGTH * (column + dx) / CLOTH_COLUMNS
                taper = 1.0 - 0.25 * x / CLOTH_LENGTH
                y = POLE_HEIGHT - 0.03 - CLOTH_HEIGHT * (0.5 + taper * ((row + dy) / CLOTH_ROWS - 0.5))
                rows.append((x, y, 0.0, CLOTH_PART, 0.0, 0.0, 1.0))
    return np.array(rows, dtype=np.float64)


class GolfFlagPass:
    """Draws one instance per hole, lit by sun and sky. feet: base positions of the poles, metres."""

    def __init__(self, ctx: Any, feet: Sequence[Vector], programs: ShaderCache, reversed_depth: bool) -> None:
        self.ctx = ctx
        self.programs = programs
        self.defines = shader_defines(reversed_depth)
        self._feet = tuple(feet)
        self._corners = flag_mesh()
        self._buffer = ctx.buffer(self._corners.astype("f4").tobytes())
        self._instance_buffer = ctx.buffer(np.asarray(self._feet, dtype=np.float32).tobytes()) if self._feet else None
        self._array: Any = None
        self.rebuild()

    def rebuild(self) -> None:
        """Bind the current program to the buffers."""
        if self._instance_buffer is None:
            return
        release_resources(self._array)
        self._program = self.programs.get("level/golf_flag.vert.glsl", "level/golf_flag.frag.glsl", **self.defines)
        set_uniforms(self._program, light_probes=LIGHT_PROBE_UNIT, colour=CLOTH_COLOUR, stripe_origin=self._feet[0][1])
        content = [(self._buffer, "4f 3f", "in_position", "in_normal"), (self._instance_buffer, "3f /i", "in_foot")]
        self._array = self.ctx.vertex_array(self._program, content)

    def draw(self, target: Any) -> None:
        if self._array is None:
            return
        self.ctx.enable_only(moderngl.DEPTH_TEST)
        self.ctx.depth_func = ">="
        target.depth_mask = True
        self._array.render(moderngl.TRIANGLES, instances=len(self._feet))

    def release(self) -> None:
        release_resources(self._array, self._buffer, self._instance_buffer)
