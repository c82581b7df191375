"""Debug lines and points in the world: bright where they are seen, faint behind walls."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ..gl.programs import ShaderCache, set_uniforms
from ..snapshot import DebugLines
from .overlay import OverlayPass

OCCLUDED_OPACITY = 0.22  # opacity behind walls
Floats32 = npt.NDArray[np.float32]


def pack_line_instances(debug: DebugLines) -> tuple[Floats32, Floats32]:
    """Rows (n, 9) of lines and of points: from, to, colour. ValueError where the arrays do not fit."""
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
    """Two instanced draws of a quad, over a buffer that grows with what is asked; `overlay` draws what stays longer."""

    def __init__(self, ctx: Any, programs: ShaderCache, reversed_depth: bool) -> None:
        self.ctx = ctx
        self.programs = programs
        self.defines: dict[str, object] = {"REVERSED_DEPTH": 1} if reversed_depth else {}
        self.overlay = OverlayPass(ctx, programs, reversed_depth)
        self._buffer = ctx.buffer(reserve=36 * 256)
        self._array: Any = None

    def rebuild(self) -> None:
        if self._array is not None:
            self._array.release()
        self._array = None
        self.overlay.rebuild()

    def draw(self, target: Any, debug: DebugLines, scale: float) -> None:
        """`scale`: pixels of the world's picture a pixel of the window."""
        lines, points = pack_line_instances(debug)
        for rows, size, rounded in ((lines, debug.line_width, 0.0), (points, debug.point_size, 1.0)):
            if len(rows):
                self._draw(target, rows, size * scale, rounded)

    def _draw(self, target: Any, rows: Floats32, size: float, rounded: float) -> None:
        data = np.ascontiguousarray(rows).tobytes()
        if len(data) > self._buffer.size:
            self._buffer.orphan(2 * len(data))
        self._buffer.write(data)
        program = self.programs.get("overlay/debug_line.vert.glsl", "overlay/debug_line.frag.glsl", **self.defines)
        if self._array is None:
            self._array = self.ctx.vertex_array(
                program, [(self._buffer, "3f 3f 3f /i", "in_start", "in_end", "in_colour")]
            )
        set_uniforms(program, width_pixels=size, is_point=rounded)
        self.ctx.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND)
        self.ctx.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        self.ctx.blend_equation = moderngl.FUNC_ADD
        target.depth_mask = False
        for sense, strength in (("<", OCCLUDED_OPACITY), (">=", 1.0)):
            self.ctx.depth_func = sense
            set_uniforms(program, opacity=strength)
            self._array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=len(rows))
        target.depth_mask = True

    def release(self) -> None:
        self.rebuild()
        self._buffer.release()
