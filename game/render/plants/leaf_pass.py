"""Leaf pass: all leaf cards of a level in one draw call."""

from __future__ import annotations

from typing import Any

import moderngl

from ..gl.context import release_resources
from ..gl.programs import ShaderCache, set_uniforms
from ..gl.quality import Quality, shader_defines
from .leaf_cards import LEAF_CARD, LEAF_CARD_FORMAT, LeafCards, leaf_picture

SAMPLE_ALPHA_TO_COVERAGE = 0x809E


class LeafPass:
    """Draws cards (n,) LEAF_CARD; nothing without any."""

    def __init__(
        self, ctx: Any, cards: LeafCards, quality: Quality, programs: ShaderCache, reversed_depth: bool
    ) -> None:
        self.ctx, self.programs = ctx, programs
        self._defines = shader_defines(reversed_depth, quality) | {"SHADOW_TAPS": quality.shadow_taps}
        self._samples = min(quality.samples, ctx.max_samples)
        if self._samples >= 2:
            self._defines["ALPHA_TO_COVERAGE"] = 1
        self.count = len(cards)
        self._buffer: Any = None
        self._texture: Any = None
        self._array: Any = None
        if self.count:
            picture = leaf_picture()
            self._buffer = ctx.buffer(cards.tobytes())
            self._texture = ctx.texture(picture.shape[1::-1], 4, picture.tobytes())
            self._texture.build_mipmaps()
            self._texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
            self._texture.repeat_x = self._texture.repeat_y = False

    def rebuild(self) -> None:
        """Forget the vertex array; it is created again with the current program."""
        release_resources(self._array)
        self._array = None

    def draw(self, target: Any, shadow_map: Any, lightmap: Any) -> None:
        """Draw the cards with depth writes into the framebuffer `target`."""
        if not self.count:
            return
        if self._array is None:
            program = self.programs.get("plants/leaf_card.vert.glsl", "plants/leaf_card.frag.glsl", **self._defines)
            set_uniforms(program, shadow_map=0, leaf_picture=1, lightmap=2)
            self._array = self.ctx.vertex_array(program, [(self._buffer, LEAF_CARD_FORMAT, *(LEAF_CARD.names or ()))])
        for unit, texture in enumerate((shadow_map, self._texture, lightmap)):
            texture.use(unit)
        self.ctx.enable_only(moderngl.DEPTH_TEST)
        self.ctx.depth_func = ">"
        self.ctx.wireframe = False
        target.depth_mask = True
        if self._samples >= 2:
            self.ctx.enable_direct(SAMPLE_ALPHA_TO_COVERAGE)
        self._array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=self.count)
        if self._samples >= 2:
            self.ctx.disable_direct(SAMPLE_ALPHA_TO_COVERAGE)

    def release(self) -> None:
        """Release buffer and texture."""
        release_resources(self._array, self._buffer, self._texture)
