"""Debug line pass: lines and points in the world, faint behind other geometry."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ..gl.context import enable_blending, release_resources
from ..gl.programs import ShaderCache, set_uniforms
from ..gl.quality import shader_defines
from ..snapshot import DebugLines
from .overlay import OverlayPass

OCCLUDED_OPACITY = 0.22  # opacity behind walls
Floats32 = npt.NDArray[np.float32]


def pack_line_instances(debug: DebugLines) -> tuple[Floats32, Floats32]:
    """Instance rows (n, 9) of lines and of points: start, end, colour. Raises ValueError where arrays do not match."""
    segments = np.asarray(debug.segments, dtype=np.float32).reshape(-1, 6)
    points = np.asarray(debug.points, dtype=np.float32).reshape(-1, 3)
    colours = np.asarray(debug.colours, dtype=np.float32).reshape(-1, 3)
    point_colours = np.asarray(debug.point_colours, dtype=np.float32).reshape(-1, 3)
    if len(colours) != len(segments) or len(point_colours) != len(points):
        raise ValueError(
            f"{len(segments)} lines with {len(colours)} colours, {len(points)} points with {len(point_colours)}"
        )
    return np.concatenate((segments, colours), axis=1), np.concatenate((points, points, point_colours), axis=1)


class DebugLinePass:
    """Instanced quads in a buffer that grows; `overlay` draws the longer-lived overlay layers."""

    def __init__(self, ctx: Any, programs: ShaderCache, reversed_depth: bool) -> None:
        self.ctx = ctx
        self.programs = programs
        self.defines = shader_defines(reversed_depth)
        self.overlay = OverlayPass(ctx, programs, reversed_depth)
        self._buffer = ctx.buffer(reserve=36 * 256)
        self._array: Any = None

    def rebuild(self) -> None:
        release_resources(self._array)
        self._array = None
        self.overlay.rebuild()

    def draw(self, target: Any, debug: DebugLines, scale: float) -> None:
        """Draw lines and points. scale: pixels of the world's picture per window pixel."""
        lines, points = pack_line_instances(debug)
        for rows, size, is_point in ((lines, debug.line_width, 0.0), (points, debug.point_size, 1.0)):
            if len(rows):
                self._draw(target, rows, size * scale, is_point)

    def _draw(self, target: Any, rows: Floats32, size: float, is_point: float) -> None:
        data = np.ascontiguousarray(rows).tobytes()
        if len(data) > self._buffer.size:
            self._buffer.orphan(2 * len(data))
        self._buffer.write(data)
        program = self.programs.get("overlay/debug_line.vert.glsl", "overlay/debug_line.frag.glsl", **self.defines)
        if self._array is None:
            self._array = self.ctx.vertex_array(
                program, [(self._buffer, "3f 3f 3f /i", "in_start", "in_end", "in_colour")]
            )
        set_uniforms(program, width_pixels=size, is_point=is_point)
        enable_blending(self.ctx, moderngl.DEPTH_TEST)
        target.depth_mask = False
        for depth_func, opacity in (("<", OCCLUDED_OPACITY), (">=", 1.0)):
            self.ctx.depth_func = depth_func
            set_uniforms(program, opacity=opacity)
            self._array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=len(rows))
        target.depth_mask = True

    def release(self) -> None:
        self.rebuild()
        self._buffer.release()
