"""Overlay pass: faces, grid, lines and points over the world."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import moderngl

from ..gl.context import release_resources
from ..gl.programs import set_uniforms
from ..gl.render_pass import PassContext, RenderPass, set_state
from ..overlay_layers import DEFAULT_DEPTH_BIAS, OverlayFaces, OverlayGrid, OverlayLines, OverlayPoints
from .frame import Frame

FADE_NONE = 0.0
GRID_PIXELS = 1.5


@dataclass(slots=True)
class UploadedLayer:
    """GPU copy of a layer. `layer` is kept alive so that its id is not reused."""

    layer: OverlayFaces | OverlayLines | OverlayPoints
    buffer: Any
    array: Any
    count: int


class OverlayPass(RenderPass):
    """Draws overlay layers, blended and depth-tested, without depth writes.

    A layer is uploaded when it is first drawn and released when it is no longer drawn.
    """

    def __init__(self, context: PassContext) -> None:
        super().__init__(context)
        self._uploaded: dict[int, UploadedLayer] = {}

    def rebuild(self) -> None:
        """Release all vertex arrays and buffers; they are created again on the next draw."""
        super().rebuild()
        self._release_unused(set())

    def draw(self, frame: Frame) -> None:
        """Draw the overlay of the snapshot."""
        overlay, scale = frame.snapshot.overlay, frame.overlay_scale
        if overlay is None:
            return
        layers: tuple[OverlayFaces | OverlayLines | OverlayPoints, ...] = (
            *overlay.faces,
            *overlay.lines,
            *overlay.points,
        )
        self._release_unused({id(layer) for layer in layers})
        set_state(self.ctx, frame.target, writes_depth=False, blending="alpha")
        for faces in overlay.faces:
            uploaded = self._upload(faces)
            if uploaded.count:
                uploaded.array.render(moderngl.TRIANGLES)
        if overlay.grid is not None:
            self._draw_grid(overlay.grid, max(scale, 1.0))
        for lines in overlay.lines:
            fade = 1.0 / lines.fade_distance if lines.fade_distance > 0.0 else FADE_NONE
            self._draw_lines(
                self._upload(lines), lines.width * scale, lines.occluded_opacity, fade, 0.0, lines.depth_bias
            )
        for points in overlay.points:
            self._draw_lines(self._upload(points), points.size * scale, points.occluded_opacity, FADE_NONE, 1.0)

    def _draw_lines(
        self,
        uploaded: UploadedLayer,
        width: float,
        occluded_opacity: float,
        inverse_fade_distance: float,
        is_point: float,
        depth_bias: float = DEFAULT_DEPTH_BIAS,
    ) -> None:
        if not uploaded.count:
            return
        program = self.programs.get("overlay/line.vert.glsl", "overlay/line.frag.glsl", **self.defines)
        set_uniforms(
            program,
            width_pixels=max(width, 1.0),
            is_point=is_point,
            inverse_fade_distance=inverse_fade_distance,
            depth_scale=1.0 + depth_bias,
        )
        for depth_func, opacity in (("<", occluded_opacity), (">=", 1.0)):
            if opacity > 0.0:
                self.ctx.depth_func = depth_func
                set_uniforms(program, opacity=opacity)
                uploaded.array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=uploaded.count)
        self.ctx.depth_func = ">="

    def _draw_grid(self, grid: OverlayGrid, scale: float) -> None:
        array = self.array("overlay/grid")
        parameters = (grid.step, max(1.0, grid.step), grid.fade_distance, grid.strength)
        pixels = GRID_PIXELS * scale
        set_uniforms(array.program, grid_centre=grid.at, grid_parameters=parameters, major_line_pixels=pixels)
        array.render(moderngl.TRIANGLE_STRIP, vertices=4)

    def _upload(self, layer: OverlayFaces | OverlayLines | OverlayPoints) -> UploadedLayer:
        uploaded = self._uploaded.get(id(layer))
        if uploaded is not None:
            return uploaded
        rows = layer.pack_vertices()
        buffer = self.ctx.buffer(rows.tobytes() or bytes(40))
        if isinstance(layer, OverlayFaces):
            program = self.programs.get("overlay/face.vert.glsl", "overlay/face.frag.glsl", **self.defines)
            content = [(buffer, "3f 4f 1f", "in_position", "in_colour", "in_stripes")]
        else:
            program = self.programs.get("overlay/line.vert.glsl", "overlay/line.frag.glsl", **self.defines)
            content = [(buffer, "3f 3f 4f /i", "in_start", "in_end", "in_colour")]
        uploaded = UploadedLayer(layer, buffer, self.ctx.vertex_array(program, content), len(rows))
        self._uploaded[id(layer)] = uploaded
        return uploaded

    def _release_unused(self, drawn: set[int]) -> None:
        """Release the layers whose ids are not among these."""
        for key in [key for key in self._uploaded if key not in drawn]:
            uploaded = self._uploaded.pop(key)
            release_resources(uploaded.array, uploaded.buffer)

    def release(self) -> None:
        """Release the layers too."""
        self._release_unused(set())
        super().release()
