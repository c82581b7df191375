"""Passes from the picture of the world to that of the window: upscaling, and bloom (a bright pass, and two Gaussian
blurs that are added to the picture)."""

from __future__ import annotations

from typing import Any

import moderngl

from ..gl.context import release_resources, unbind_framebuffer
from ..gl.programs import set_uniforms
from ..gl.render_pass import PassContext, RenderPass, set_state

BRIGHTNESS_THRESHOLD = 0.90  # sRGB 0..1; sky and sunlit plaster stay below
DOWNSAMPLING = 4  # of the first blur, and again of the second


class PostPass(RenderPass):
    """A pass that draws a full-screen triangle with a texture, `source`, into a framebuffer."""

    def fill(self, target: Any, fragment: str, source: Any, blending: str | None = None, **uniforms: object) -> None:
        """Fill the framebuffer `target` by a fragment shader of shaders/post."""
        target.use()
        target.viewport = (0, 0, *target.size)
        target.scissor = None
        set_state(self.ctx, target, None, blending=blending)
        array = self.array("post/fullscreen_triangle", fragment=f"post/{fragment}")
        source.use(0)
        set_uniforms(array.program, source=0, **uniforms)
        array.render(moderngl.TRIANGLES, vertices=3)


class Bloom(PostPass):
    """Adds the glow of nearly white areas. At strength 0 of the quality it costs nothing."""

    def __init__(self, context: PassContext) -> None:
        super().__init__(context, {})
        self.strength = context.quality.bloom
        self._size: tuple[int, int] | None = None
        self._textures: list[Any] = []  # two at 1/4 of the size, two at 1/16: result and temporary
        self._targets: list[Any] = []

    def _allocate(self, size: tuple[int, int]) -> None:
        if self._size == size:
            return
        self._release_targets()
        self._size = size
        for divisor in (DOWNSAMPLING, DOWNSAMPLING * DOWNSAMPLING):
            for _ in range(2):
                texture = self.ctx.texture((max(1, size[0] // divisor), max(1, size[1] // divisor)), 4)
                texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
                texture.repeat_x = texture.repeat_y = False
                self._textures.append(texture)
                self._targets.append(self.ctx.framebuffer([texture]))

    def draw(self, source: Any, target: Any) -> None:
        """Add the glow of the texture `source` to the framebuffer `target`."""
        if self.strength <= 0.0:
            return
        filter_before = source.filter
        source.filter = (moderngl.LINEAR, moderngl.LINEAR)
        self._allocate(source.size)
        narrow, narrow_temporary, wide, wide_temporary = self._textures
        blurs = self._targets
        texel = (1.0 / source.width, 1.0 / source.height)
        self.fill(blurs[0], "bloom_threshold", source, texel_size=texel, threshold=BRIGHTNESS_THRESHOLD)
        # Blur to the right and back up; the wide blur begins with the narrow one, which it also scales down.
        for number, blurred, step in (
            (1, narrow, (1.0 / narrow.width, 0.0)),
            (0, narrow_temporary, (0.0, 1.0 / narrow.height)),
            (2, narrow, (1.0 / narrow.width, 0.0)),
            (3, wide, (1.0 / wide.width, 0.0)),
            (2, wide_temporary, (0.0, 1.0 / wide.height)),
        ):
            self.fill(blurs[number], "gaussian_blur", blurred, texel_step=step)
        wide.use(1)
        self.fill(target, "bloom_combine", narrow, "add", strength=self.strength, narrow_blur=0, wide_blur=1)
        source.filter = filter_before

    def _release_targets(self) -> None:
        if self._targets:
            unbind_framebuffer(self.ctx)
        release_resources(*self._targets, *self._textures)
        self._targets = []
        self._textures = []
        self._size = None

    def release(self) -> None:
        """Release the blurs too."""
        super().release()
        self._release_targets()


class UpscalePass(PostPass):
    """Scales the world's picture to the window size with a bilinear filter. smooths_edges: of geometry."""

    def __init__(self, context: PassContext, smooths_edges: bool) -> None:
        super().__init__(context, {"SMOOTH_EDGES": 1} if smooths_edges else {})

    def draw(self, source: Any, target: Any) -> None:
        """Fill the framebuffer `target` with the texture `source`."""
        self.fill(target, "upscale", source)
