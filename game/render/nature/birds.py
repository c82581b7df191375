"""Birds: small flocks that circle above a level by day, placed and moved by the time alone."""

from __future__ import annotations

from typing import Any

import moderngl

from ...core.vectors import Floats
from ..gl.context import release_resources
from ..gl.programs import ShaderCache, set_uniforms
from ..gl.quality import shader_defines
from ..gl.shader_constants import SHADER_CONSTANTS

FLOCKS, VERTICES_PER_BIRD = 9, 24  # a flock in each of 3 x 3 cells around the eye
BIRD_COUNT = FLOCKS * int(SHADER_CONSTANTS["BIRDS_PER_FLOCK"])
HEIGHT_ABOVE_LEVEL = 6.0  # metres of the lowest bird above what collides
MIN_SUNLIGHT = 0.5  # radiance: at night and where no sun shines no birds fly


class BirdPass:
    """Draws the flocks around the eye. level_top: m, of what collides. sunlight (3,), stars: of the daylight."""

    def __init__(
        self, ctx: Any, level_top: float, sunlight: Floats, stars: float, programs: ShaderCache, reversed_depth: bool
    ) -> None:
        self.ctx, self.programs = ctx, programs
        self._defines = shader_defines(reversed_depth)
        self._lowest = level_top + HEIGHT_ABOVE_LEVEL
        self.is_empty = max(sunlight) < MIN_SUNLIGHT or stars > 0.0
        self._array: Any = None

    def rebuild(self) -> None:
        """Forget the vertex array; it is created again with the current program."""
        release_resources(self._array)
        self._array = None

    def draw(self, target: Any) -> None:
        """Draw the birds with depth writes into the framebuffer `target`."""
        if self.is_empty:
            return
        if self._array is None:
            program = self.programs.get("nature/bird.vert.glsl", "nature/bird.frag.glsl", **self._defines)
            set_uniforms(program, lowest=self._lowest)
            self._array = self.ctx.vertex_array(program, [])
        self.ctx.enable_only(moderngl.DEPTH_TEST)
        self.ctx.depth_func = ">"
        target.depth_mask = True
        self._array.render(moderngl.TRIANGLES, vertices=VERTICES_PER_BIRD, instances=BIRD_COUNT)

    def release(self) -> None:
        release_resources(self._array)
