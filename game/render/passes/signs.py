"""Sign pass: distance-field text on the boards of signs."""

from __future__ import annotations

from typing import Any

import moderngl

from ..gl.context import enable_blending, release_resources
from ..gl.programs import ShaderCache, set_uniforms
from ..gl.quality import shader_defines
from ..scene.sign_text import SignText
from ..text.glyph_atlas import DISTANCE_RANGE


class SignPass:
    """Draws the text of all signs in one draw call."""

    def __init__(self, ctx: Any, text: SignText, programs: ShaderCache, reversed_depth: bool) -> None:
        self.ctx = ctx
        self.programs = programs
        self.defines = shader_defines(reversed_depth)
        side = len(text.atlas_pixels)
        self.texture = ctx.texture((side, side), 1, text.atlas_pixels.tobytes(), alignment=1)
        self.texture.build_mipmaps()
        self.texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        self.texture.repeat_x = self.texture.repeat_y = False
        self.count = len(text.corners)
        self._buffer = ctx.buffer(text.corners.tobytes()) if self.count else None
        self._array: Any = None
        self.rebuild()

    def rebuild(self) -> None:
        """Bind the current program to the buffer."""
        if self._buffer is None:
            return
        release_resources(self._array)
        program = self.programs.get("level/sign.vert.glsl", "level/sign.frag.glsl", **self.defines)
        set_uniforms(program, glyph_atlas=0, distance_range=float(DISTANCE_RANGE))
        self._array = self.ctx.vertex_array(program, [(self._buffer, "3f 2f", "in_position", "in_glyph_uv")])

    def draw(self, target: Any) -> None:
        """Draw onto the boards in the framebuffer `target`."""
        if self._array is None:
            return
        enable_blending(self.ctx, moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        self.ctx.cull_face = "back"
        self.ctx.front_face = "ccw"
        self.ctx.depth_func = ">="
        self.texture.use(0)
        target.depth_mask = False  # quads of neighbouring letters overlap in one plane
        self._array.render(moderngl.TRIANGLES)
        target.depth_mask = True

    def release(self) -> None:
        release_resources(self._array, self._buffer, self.texture)
