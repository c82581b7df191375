"""Post-processing: bloom (a bright pass, and two Gaussian blurs that are added to the picture), and upscaling."""

from __future__ import annotations

from typing import Any

import moderngl

from ..gl.context import release_resources, unbind_framebuffer
from ..gl.programs import ShaderCache, set_uniforms

BRIGHTNESS_THRESHOLD = 0.90  # sRGB 0..1; sky and sunlit plaster stay below
DOWNSAMPLING = 4  # of the first blur, and again of the second


class Bloom:
    """Adds the glow of nearly white areas. strength 0 switches it off at no cost."""

    def __init__(self, ctx: Any, programs: ShaderCache, strength: float) -> None:
        self.ctx, self.programs, self.strength = ctx, programs, strength
        self._size: tuple[int, int] | None = None
        self._textures: list[Any] = []  # two at 1/4 of the size, two at 1/16: result and temporary
        self._targets: list[Any] = []
        self._arrays: list[Any] = []  # threshold, blur, combine

    def rebuild(self) -> None:
        """Forget the vertex arrays; they are created again with the current programs."""
        release_resources(*self._arrays)
        self._arrays = []

    def _prepare(self, size: tuple[int, int]) -> None:
        if not self._arrays:
            names = ("bloom_threshold", "gaussian_blur", "bloom_combine")
            programs = [
                self.programs.get("post/fullscreen_triangle.vert.glsl", f"post/{name}.frag.glsl") for name in names
            ]
            set_uniforms(programs[0], source=0, threshold=BRIGHTNESS_THRESHOLD)
            set_uniforms(programs[1], source=0)
            set_uniforms(programs[2], narrow_blur=0, wide_blur=1, strength=self.strength)
            self._arrays = [self.ctx.vertex_array(program, []) for program in programs]
        if self._size != size:
            self._release_targets()
            self._size = size
            for divisor in (DOWNSAMPLING, DOWNSAMPLING * DOWNSAMPLING):
                for _ in range(2):
                    texture = self.ctx.texture((max(1, size[0] // divisor), max(1, size[1] // divisor)), 4)
                    texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
                    texture.repeat_x = texture.repeat_y = False
                    self._textures.append(texture)
                    self._targets.append(self.ctx.framebuffer([texture]))

    def _blur_into(self, target_index: int, stage: int, source: Any, **uniforms: object) -> None:
        target = self._targets[target_index]
        target.use()
        target.viewport = (0, 0, *target.size)
        target.scissor = None
        source.use(0)
        set_uniforms(self._arrays[stage].program, **uniforms)
        self._arrays[stage].render(moderngl.TRIANGLES, vertices=3)

    def draw(self, source: Any, picture: Any) -> None:
        """Add the glow of the texture `source` to the framebuffer `picture`, to which the texture may belong."""
        if self.strength <= 0.0:
            return
        filter_before = source.filter
        source.filter = (moderngl.LINEAR, moderngl.LINEAR)
        self._prepare(source.size)
        self.ctx.enable_only(moderngl.NOTHING)
        self.ctx.wireframe = False
        narrow, narrow_temporary, wide, wide_temporary = self._textures
        self._blur_into(0, 0, source, texel_size=(1.0 / source.width, 1.0 / source.height))
        for result, temporary, result_texture, temporary_texture in (
            (0, 1, narrow, narrow_temporary),
            (2, 3, wide, wide_temporary),
        ):
            if result:
                self._blur_into(2, 1, narrow, texel_step=(1.0 / narrow.width, 0.0))  # also scales down
            self._blur_into(temporary, 1, result_texture, texel_step=(1.0 / result_texture.width, 0.0))
            self._blur_into(result, 1, temporary_texture, texel_step=(0.0, 1.0 / temporary_texture.height))
        picture.use()
        picture.viewport = (0, 0, *picture.size)
        picture.scissor = None
        self.ctx.enable_only(moderngl.BLEND)
        self.ctx.blend_func = moderngl.ONE, moderngl.ONE
        self.ctx.blend_equation = moderngl.FUNC_ADD
        narrow.use(0)
        wide.use(1)
        self._arrays[2].render(moderngl.TRIANGLES, vertices=3)
        source.filter = filter_before

    def _release_targets(self) -> None:
        if self._targets:
            unbind_framebuffer(self.ctx)
        release_resources(*self._targets, *self._textures)
        self._targets = []
        self._textures = []
        self._size = None

    def release(self) -> None:
        self.rebuild()
        self._release_targets()


class UpscalePass:
    """Scales the world's picture to the window size with a bilinear filter. smooths_edges: of geometry."""

    def __init__(self, ctx: Any, programs: ShaderCache, smooths_edges: bool) -> None:
        self.ctx, self.programs = ctx, programs
        self._defines: dict[str, object] = {"SMOOTH_EDGES": 1} if smooths_edges else {}
        self._array: Any = None

    def rebuild(self) -> None:
        release_resources(self._array)
        self._array = None

    def draw(self, source: Any) -> None:
        """Fill the bound framebuffer with the texture `source`."""
        target = self.ctx.fbo
        target.viewport = (0, 0, *target.size)
        target.scissor = None
        self.ctx.enable_only(moderngl.NOTHING)
        self.ctx.wireframe = False
        if self._array is None:
            program = self.programs.get("post/fullscreen_triangle.vert.glsl", "post/upscale.frag.glsl", **self._defines)
            set_uniforms(program, source=0)
            self._array = self.ctx.vertex_array(program, [])
        source.use(0)
        self._array.render(moderngl.TRIANGLES, vertices=3)

    def release(self) -> None:
        self.rebuild()
