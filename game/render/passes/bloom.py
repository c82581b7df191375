"""Bloom, kept low: what is nearly white glows a little into what is beside it."""

from __future__ import annotations

from typing import Any

import moderngl

from ..gl.context import unbind_framebuffer
from ..gl.programs import ShaderCache, set_uniforms

BRIGHTNESS_THRESHOLD = 0.92  # of white, as the screen shows it: sky and plaster in the sun stay below or just reach it
DOWNSAMPLING = 4  # the first blur's picture, and again the second's


class Bloom:
    """Adds the glow of a picture's bright places to it. `strength` 0 does nothing and costs nothing."""

    def __init__(self, ctx: Any, programs: ShaderCache, strength: float) -> None:
        self.ctx, self.programs, self.strength = ctx, programs, strength
        self._size: tuple[int, int] | None = None
        self._textures: list[Any] = []  # two of a quarter of the size, two of a sixteenth
        self._targets: list[Any] = []
        self._arrays: list[Any] = []  # bright, blur, glow

    def rebuild(self) -> None:
        """Use the present programs."""
        for array in self._arrays:
            array.release()
        self._arrays = []

    def _prepare(self, size: tuple[int, int]) -> None:
        if not self._arrays:
            names = ("bloom_threshold", "gaussian_blur", "bloom_combine")
            programs = [self.programs.get("post/fullscreen_triangle.vert.glsl", f"post/{name}.frag.glsl") for name in names]
            set_uniforms(programs[0], source=0, threshold=BRIGHTNESS_THRESHOLD)
            set_uniforms(programs[1], source=0)
            set_uniforms(programs[2], narrow_blur=0, wide_blur=1, strength=self.strength)
            self._arrays = [self.ctx.vertex_array(program, []) for program in programs]
        if self._size != size:
            self._release_targets()
            self._size = size
            for part in (DOWNSAMPLING, DOWNSAMPLING * DOWNSAMPLING):
                for _ in range(2):
                    texture = self.ctx.texture((max(1, size[0] // part), max(1, size[1] // part)), 4)
                    texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
                    texture.repeat_x = texture.repeat_y = False
                    self._textures.append(texture)
                    self._targets.append(self.ctx.framebuffer([texture]))

    def _blur_into(self, which: int, array: int, source: Any, **values: object) -> None:
        target = self._targets[which]
        target.use()
        target.viewport = (0, 0, *target.size)
        target.scissor = None
        source.use(0)
        set_uniforms(self._arrays[array].program, **values)
        self._arrays[array].render(moderngl.TRIANGLES, vertices=3)

    def draw(self, source: Any, picture: Any) -> None:
        """Add the glow of the texture `source` to the framebuffer `picture`, which may be its own."""
        if self.strength <= 0.0:
            return
        filter_before = source.filter
        source.filter = (moderngl.LINEAR, moderngl.LINEAR)
        self._prepare(source.size)
        self.ctx.enable_only(moderngl.NOTHING)
        self.ctx.wireframe = False
        close, aside, wide, beside = self._textures
        self._blur_into(0, 0, source, texel_size=(1.0 / source.width, 1.0 / source.height))
        for first, second, a, b in ((0, 1, close, aside), (2, 3, wide, beside)):
            if first:
                self._blur_into(2, 1, close, texel_step=(1.0 / close.width, 0.0))  # smaller at the same time
            self._blur_into(second, 1, a, texel_step=(1.0 / a.width, 0.0))
            self._blur_into(first, 1, b, texel_step=(0.0, 1.0 / b.height))
        picture.use()
        picture.viewport = (0, 0, *picture.size)
        picture.scissor = None
        self.ctx.enable_only(moderngl.BLEND)
        self.ctx.blend_func = moderngl.ONE, moderngl.ONE
        self.ctx.blend_equation = moderngl.FUNC_ADD
        close.use(0)
        wide.use(1)
        self._arrays[2].render(moderngl.TRIANGLES, vertices=3)
        source.filter = filter_before

    def _release_targets(self) -> None:
        if self._targets:
            unbind_framebuffer(self.ctx)
        for thing in (*self._targets, *self._textures):
            thing.release()
        self._targets, self._textures, self._size = [], [], None

    def release(self) -> None:
        self.rebuild()
        self._release_targets()
