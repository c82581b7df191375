"""Text on the boards of signs."""

from __future__ import annotations

from typing import Any

import moderngl

from ..gl.programs import ShaderCache, set_uniforms
from ..scene.sign_text import SignText
from ..text.glyph_atlas import DISTANCE_RANGE


class SignPass:
    """All signs' letters in one draw call."""

    def __init__(self, ctx: Any, words: SignText, programs: ShaderCache, reversed_depth: bool) -> None:
        self.ctx = ctx
        self.programs = programs
        self.defines: dict[str, object] = {"REVERSED_DEPTH": 1} if reversed_depth else {}
        side = len(words.atlas_pixels)
        self.texture = ctx.texture((side, side), 1, words.atlas_pixels.tobytes(), alignment=1)
        self.texture.build_mipmaps()
        self.texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        self.texture.repeat_x = self.texture.repeat_y = False
        self.count = len(words.corners)
        self._buffer = ctx.buffer(words.corners.tobytes()) if self.count else None
        self._array: Any = None
        self.rebuild()

    def rebuild(self) -> None:
        if self._buffer is None:
            return
        if self._array is not None:
            self._array.release()
        program = self.programs.get("level/sign.vert.glsl", "level/sign.frag.glsl", **self.defines)
        set_uniforms(program, glyph_atlas=0, distance_range=float(DISTANCE_RANGE))
        self._array = self.ctx.vertex_array(program, [(self._buffer, "3f 2f", "in_position", "in_glyph_uv")])

    def draw(self, target: Any) -> None:
        """Draw onto the boards in the bound framebuffer `target`."""
        if self._array is None:
            return
        self.ctx.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND | moderngl.CULL_FACE)
        self.ctx.cull_face = "back"
        self.ctx.front_face = "ccw"
        self.ctx.depth_func = ">="
        self.ctx.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        self.ctx.blend_equation = moderngl.FUNC_ADD
        self.texture.use(0)
        target.depth_mask = False  # neighbouring letters overlap, in one plane
        self._array.render(moderngl.TRIANGLES)
        target.depth_mask = True

    def release(self) -> None:
        for thing in (self._array, self._buffer, self.texture):
            if thing is not None:
                thing.release()
