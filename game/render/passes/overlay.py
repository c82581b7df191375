"""Overlay pass: faces, grid, lines and points over the world."""

from __future__ import annotations

from typing import Any

import moderngl

from ..gl.context import release_resources
from ..gl.programs import set_uniforms
from ..gl.render_pass import PassContext, RenderPass, set_state
from ..overlay_layers import DEFAULT_DEPTH_BIAS, OverlayFaces, OverlayGrid, OverlayLines, OverlayPoints
from .frame import Frame

FADE_NONE = 0.0
GRID_PIXELS, GRID_OPACITY = 1.5, 0.85


OverlayLayer = OverlayFaces | OverlayLines | OverlayPoints


class OverlayPass(RenderPass):
    """Draws overlay layers, blended and depth-tested, without depth writes.

    A layer is uploaded when it is first drawn and released when it is no longer drawn.
    """

    def __init__(self, context: PassContext) -> None:
        super().__init__(context)
        self._uploaded: dict[int, tuple[OverlayLayer, Any, int]] = {}  # layer, which keeps its id, buffer, rows

    def draw(self, frame: Frame) -> None:
        """Draw the overlay of the snapshot."""
        overlay, scale = frame.snapshot.overlay, frame.overlay_scale
        if overlay is None:
            return
        layers: tuple[OverlayLayer, ...] = (*overlay.faces, *overlay.lines, *overlay.points)
        self._release_unused({id(layer) for layer in layers})
        set_state(self.ctx, frame.target, writes_depth=False, blending="alpha")
        for faces in overlay.faces:
            array, count = self._array_of(faces)
            if count:
                array.render(moderngl.TRIANGLES)
        if overlay.grid is not None:
            self._draw_grid(overlay.grid, max(scale, 1.0))
        for lines in overlay.lines:
            fade = 1.0 / lines.fade_distance if lines.fade_distance > 0.0 else FADE_NONE
            self._draw_lines(lines, lines.width * scale, fade, 0.0, lines.depth_bias)
        for points in overlay.points:
            self._draw_lines(points, points.size * scale, FADE_NONE, 1.0, DEFAULT_DEPTH_BIAS)

    def _draw_lines(
        self, layer: OverlayLines | OverlayPoints, width: float, inverse_fade_distance: float, is_point: float,
        depth_bias: float,
    ) -> None:  # fmt: skip
        array, count = self._array_of(layer)
        if not count:
            return
        set_uniforms(
            array.program,
            width_pixels=max(width, 1.0),
            is_point=is_point,
            inverse_fade_distance=inverse_fade_distance,
            depth_scale=1.0 + depth_bias,
        )
        for depth_func, opacity in (("<", layer.occluded_opacity), (">=", 1.0)):
            if opacity > 0.0:
                self.ctx.depth_func = depth_func
                set_uniforms(array.program, opacity=opacity)
                array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=count)
        self.ctx.depth_func = ">="

    def _draw_grid(self, grid: OverlayGrid, scale: float) -> None:
        array = self.array("overlay/grid")
        parameters = (grid.step, max(1.0, grid.step), grid.fade_distance, GRID_OPACITY)
        pixels = GRID_PIXELS * scale
        set_uniforms(array.program, grid_centre=grid.at, grid_parameters=parameters, major_line_pixels=pixels)
        array.render(moderngl.TRIANGLE_STRIP, vertices=4)

    def _array_of(self, layer: OverlayLayer) -> tuple[Any, int]:
        """Vertex array of a layer, which is uploaded if it is new, and the number of its rows."""
        if id(layer) not in self._uploaded:
            rows = layer.pack_vertices()
            self._uploaded[id(layer)] = layer, self.ctx.buffer(rows.tobytes() or bytes(40)), len(rows)
        _, buffer, count = self._uploaded[id(layer)]
        if isinstance(layer, OverlayFaces):
            content = (buffer, "3f 4f 1f", "in_position", "in_colour", "in_stripes")
            return self.array("overlay/face", content, key=id(layer)), count
        content = (buffer, "3f 3f 4f /i", "in_start", "in_end", "in_colour")
        return self.array("overlay/line", content, key=id(layer)), count

    def _release_unused(self, drawn: set[int]) -> None:
        """Release the layers whose ids are not among these."""
        for key in [key for key in self._uploaded if key not in drawn]:
            self.release_array(key)
            release_resources(self._uploaded.pop(key)[1])

    def release(self) -> None:
        """Release the layers too."""
        self._release_unused(set())
        super().release()
