"""Draws an overlay: layers are uploaded when they are first seen and forgotten when they are no longer drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import moderngl

from ..gl.programs import ShaderCache, set_uniforms
from ..overlay_layers import Overlay, OverlayFaces, OverlayGrid, OverlayLines, OverlayPoints

FADE_NONE = 0.0
GRID_PIXELS = 1.5


@dataclass(slots=True)
class UploadedLayer:
    """A layer's buffer; `layer` is held so that its identity stays its own."""

    layer: OverlayFaces | OverlayLines | OverlayPoints
    buffer: Any
    array: Any
    count: int


class OverlayPass:
    """Blended into the bound framebuffer, tested against the world's depth (greater is nearer), writing none."""

    def __init__(self, ctx: Any, programs: ShaderCache, reversed_depth: bool) -> None:
        self.ctx = ctx
        self.programs = programs
        self.defines: dict[str, object] = {"REVERSED_DEPTH": 1} if reversed_depth else {}
        self._uploaded: dict[int, UploadedLayer] = {}
        self._grid: Any = None

    def rebuild(self) -> None:
        """Forget everything that is bound to programs; it is made again when drawn."""
        for kept in self._uploaded.values():
            kept.array.release()
            kept.buffer.release()
        self._uploaded.clear()
        if self._grid is not None:
            self._grid.release()
        self._grid = None

    def draw(self, target: Any, overlay: Overlay, scale: float) -> None:
        """`scale`: pixels of the world's picture a pixel of the window."""
        layers: tuple[OverlayFaces | OverlayLines | OverlayPoints, ...] = (
            *overlay.faces,
            *overlay.lines,
            *overlay.points,
        )
        self._evict_unused({id(layer) for layer in layers})
        self.ctx.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND)
        self.ctx.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        self.ctx.blend_equation = moderngl.FUNC_ADD
        self.ctx.wireframe = False
        self.ctx.depth_func = ">="
        target.depth_mask = False
        for faces in overlay.faces:
            kept = self._upload(faces)
            if kept.count:
                kept.array.render(moderngl.TRIANGLES)
        if overlay.grid is not None:
            self._draw_grid(overlay.grid, max(scale, 1.0))
        for lines in overlay.lines:
            fade = 1.0 / lines.fade_distance if lines.fade_distance > 0.0 else FADE_NONE
            self._draw_lines(self._upload(lines), lines.width * scale, lines.occluded_opacity, fade, 0.0)
        for points in overlay.points:
            self._draw_lines(self._upload(points), points.size * scale, points.occluded_opacity, FADE_NONE, 1.0)
        self.ctx.depth_func = ">="
        target.depth_mask = True

    def _draw_lines(self, kept: UploadedLayer, thick: float, hidden: float, fade: float, rounded: float) -> None:
        if not kept.count:
            return
        program = self.programs.get("overlay/line.vert.glsl", "overlay/line.frag.glsl", **self.defines)
        set_uniforms(program, width_pixels=max(thick, 1.0), is_point=rounded, inverse_fade_distance=fade)
        for sense, strength in (("<", hidden), (">=", 1.0)):
            if strength > 0.0:
                self.ctx.depth_func = sense
                set_uniforms(program, opacity=strength)
                kept.array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=kept.count)
        self.ctx.depth_func = ">="

    def _draw_grid(self, grid: OverlayGrid, scale: float) -> None:
        program = self.programs.get("overlay/grid.vert.glsl", "overlay/grid.frag.glsl", **self.defines)
        if self._grid is None:
            self._grid = self.ctx.vertex_array(program, [])
        sizes = (grid.step, max(1.0, grid.step), grid.fade_distance, grid.strength)
        set_uniforms(program, grid_centre=grid.at, grid_parameters=sizes, major_line_pixels=GRID_PIXELS * scale)
        self._grid.render(moderngl.TRIANGLE_STRIP, vertices=4)

    def _upload(self, layer: OverlayFaces | OverlayLines | OverlayPoints) -> UploadedLayer:
        kept = self._uploaded.get(id(layer))
        if kept is not None:
            return kept
        rows = layer.pack_vertices()
        buffer = self.ctx.buffer(rows.tobytes() or bytes(40))
        if isinstance(layer, OverlayFaces):
            program = self.programs.get("overlay/face.vert.glsl", "overlay/face.frag.glsl", **self.defines)
            content = [(buffer, "3f 4f 1f", "in_position", "in_colour", "in_stripes")]
        else:
            program = self.programs.get("overlay/line.vert.glsl", "overlay/line.frag.glsl", **self.defines)
            content = [(buffer, "3f 3f 4f /i", "in_start", "in_end", "in_colour")]
        kept = UploadedLayer(layer, buffer, self.ctx.vertex_array(program, content), len(rows))
        self._uploaded[id(layer)] = kept
        return kept

    def _evict_unused(self, drawn: set[int]) -> None:
        for key in [key for key in self._uploaded if key not in drawn]:
            kept = self._uploaded.pop(key)
            kept.array.release()
            kept.buffer.release()

    def release(self) -> None:
        self.rebuild()
