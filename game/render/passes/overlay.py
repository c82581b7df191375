"""Draws an overlay: layers are uploaded when they are first seen and forgotten when they are no longer drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import moderngl

from ..gl.programs import Programs, put
from ..overlay_layers import Faces, Grid, Lines, Overlay, Points

FADE_NONE = 0.0
GRID_PIXELS = 1.5


@dataclass(slots=True)
class Kept:
    """A layer's buffer; `layer` is held so that its identity stays its own."""

    layer: Faces | Lines | Points
    buffer: Any
    array: Any
    count: int


class DrawnOverlay:
    """Blended into the bound framebuffer, tested against the world's depth (greater is nearer), writing none."""

    def __init__(self, ctx: Any, programs: Programs, reversed_depth: bool) -> None:
        self.ctx = ctx
        self.programs = programs
        self.defines: dict[str, object] = {"REVERSED": 1} if reversed_depth else {}
        self._kept: dict[int, Kept] = {}
        self._grid: Any = None

    def rebuild(self) -> None:
        """Forget everything that is bound to programs; it is made again when drawn."""
        for kept in self._kept.values():
            kept.array.release()
            kept.buffer.release()
        self._kept.clear()
        if self._grid is not None:
            self._grid.release()
        self._grid = None

    def draw(self, target: Any, overlay: Overlay, scale: float) -> None:
        """`scale`: pixels of the world's picture a pixel of the window."""
        layers: tuple[Faces | Lines | Points, ...] = (*overlay.faces, *overlay.lines, *overlay.points)
        self._forget({id(layer) for layer in layers})
        self.ctx.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND)
        self.ctx.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        self.ctx.blend_equation = moderngl.FUNC_ADD
        self.ctx.wireframe = False
        self.ctx.depth_func = ">="
        target.depth_mask = False
        for faces in overlay.faces:
            kept = self._keep(faces)
            if kept.count:
                kept.array.render(moderngl.TRIANGLES)
        if overlay.grid is not None:
            self._draw_grid(overlay.grid, max(scale, 1.0))
        for lines in overlay.lines:
            fade = 1.0 / lines.reach if lines.reach > 0.0 else FADE_NONE
            self._strokes(self._keep(lines), lines.width * scale, lines.hidden, fade, 0.0)
        for points in overlay.points:
            self._strokes(self._keep(points), points.size * scale, points.hidden, FADE_NONE, 1.0)
        self.ctx.depth_func = ">="
        target.depth_mask = True

    def _strokes(self, kept: Kept, thick: float, hidden: float, fade: float, rounded: float) -> None:
        if not kept.count:
            return
        program = self.programs.get("overlay_line.vert.glsl", "overlay_line.frag.glsl", **self.defines)
        put(program, thick=max(thick, 1.0), rounded=rounded, fade=fade)
        for sense, strength in (("<", hidden), (">=", 1.0)):
            if strength > 0.0:
                self.ctx.depth_func = sense
                put(program, strength=strength)
                kept.array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=kept.count)
        self.ctx.depth_func = ">="

    def _draw_grid(self, grid: Grid, scale: float) -> None:
        program = self.programs.get("overlay_grid.vert.glsl", "overlay_grid.frag.glsl", **self.defines)
        if self._grid is None:
            self._grid = self.ctx.vertex_array(program, [])
        sizes = (grid.step, max(1.0, grid.step), grid.reach, grid.strength)
        put(program, middle=grid.at, sizes=sizes, broad_pixels=GRID_PIXELS * scale)
        self._grid.render(moderngl.TRIANGLE_STRIP, vertices=4)

    def _keep(self, layer: Faces | Lines | Points) -> Kept:
        kept = self._kept.get(id(layer))
        if kept is not None:
            return kept
        rows = layer.rows()
        buffer = self.ctx.buffer(rows.tobytes() or bytes(40))
        if isinstance(layer, Faces):
            program = self.programs.get("overlay_face.vert.glsl", "overlay_face.frag.glsl", **self.defines)
            content = [(buffer, "3f 4f 1f", "in_position", "in_colour", "in_stripes")]
        else:
            program = self.programs.get("overlay_line.vert.glsl", "overlay_line.frag.glsl", **self.defines)
            content = [(buffer, "3f 3f 4f /i", "in_from", "in_to", "in_colour")]
        kept = Kept(layer, buffer, self.ctx.vertex_array(program, content), len(rows))
        self._kept[id(layer)] = kept
        return kept

    def _forget(self, drawn: set[int]) -> None:
        for key in [key for key in self._kept if key not in drawn]:
            kept = self._kept.pop(key)
            kept.array.release()
            kept.buffer.release()

    def release(self) -> None:
        self.rebuild()
