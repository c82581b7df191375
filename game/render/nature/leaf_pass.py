"""Leaf pass: all leaf cards of a level in one draw call."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ...core.vectors import Point
from ..gl.context import release_resources
from ..gl.programs import ShaderCache, set_uniforms
from ..gl.quality import Quality, shader_defines, shadow_defines
from .leaf_cards import LEAF_CARD, LEAF_CARD_FORMAT, LeafCards, leaf_picture
from .tufts import TUFT_RANGE, TuftField, tuft_picture

SAMPLE_ALPHA_TO_COVERAGE = 0x809E


class LeafPass:
    """Draws cards (n,) LEAF_CARD; nothing without any."""

    def __init__(
        self, ctx: Any, cards: LeafCards, quality: Quality, programs: ShaderCache, reversed_depth: bool
    ) -> None:
        self.ctx, self.programs = ctx, programs
        self._defines = shader_defines(reversed_depth, quality) | shadow_defines(quality)
        self._samples = min(quality.samples, ctx.max_samples)
        if self._samples >= 2:
            self._defines["ALPHA_TO_COVERAGE"] = 1
        self.count = 0
        self._buffer: Any = None
        self._texture: Any = None
        self._array: Any = None
        self._replace_cards(cards)

    def _replace_cards(self, cards: LeafCards) -> None:
        release_resources(self._array, self._buffer)
        self._array = self._buffer = None
        self.count = len(cards)
        if not self.count:
            return
        self._buffer = self.ctx.buffer(cards.tobytes())
        if self._texture is None:
            picture = self._picture()
            self._texture = self.ctx.texture(picture.shape[1::-1], 4, picture.tobytes())
            self._texture.build_mipmaps()
            self._texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
            self._texture.repeat_x = self._texture.repeat_y = False

    def _picture(self) -> npt.NDArray[np.uint8]:
        return leaf_picture()

    def rebuild(self) -> None:
        """Forget the vertex array; it is created again with the current program."""
        release_resources(self._array)
        self._array = None

    def draw(self, target: Any, shadow_map: Any, lightmap: Any) -> None:
        """Draw the cards with depth writes into the framebuffer `target`."""
        if not self.count:
            return
        if self._array is None:
            program = self.programs.get("nature/leaf_card.vert.glsl", "nature/leaf_card.frag.glsl", **self._defines)
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
        release_resources(self._array, self._buffer, self._texture)


class TuftPass(LeafPass):
    """Draws the tufts of grass that are near the eye."""

    def __init__(
        self, ctx: Any, field: TuftField, quality: Quality, programs: ShaderCache, reversed_depth: bool
    ) -> None:
        super().__init__(ctx, np.zeros(0, LEAF_CARD), quality, programs, reversed_depth)
        self._defines["TUFT_RANGE"] = TUFT_RANGE
        self._field = field

    def _picture(self) -> npt.NDArray[np.uint8]:
        return tuft_picture()

    def move_to(self, eye: Point) -> None:
        """Hold the tufts near an eye (m) for `draw`."""
        cards = self._field.near(eye)
        if cards is not None:
            self._replace_cards(cards)
