"""Sky pass: atmosphere, clouds, sun or moon disc, stars and distant hills, drawn where the depth buffer is empty."""

from __future__ import annotations

import moderngl
import numpy as np

from ..gl.context import set_state
from ..gl.quality import shader_defines
from ..gl.render_pass import OWN_UNIT, PassContext, RenderPass
from .frame import Frame

CLOUD_SIZE = 256  # texels along the cloud noise texture


def cloud_noise(size: int = CLOUD_SIZE) -> bytes:
    """Tileable 1/f noise for clouds, `size` by `size` bytes with mean 127.5 and standard deviation 52."""
    generator = np.random.default_rng(4)
    spectrum = np.fft.rfft2(generator.normal(size=(size, size)))
    frequency = np.hypot(np.fft.fftfreq(size)[:, None], np.fft.rfftfreq(size)[None])
    spectrum *= np.maximum(frequency, 1.5 / size) ** -1.35
    spectrum[0, 0] = 0.0
    field = np.fft.irfft2(spectrum, s=(size, size))
    pixels: bytes = np.clip(127.5 + 52.0 * field / field.std(), 0, 255).astype(np.uint8).tobytes()
    return pixels


class SkyPass(RenderPass):
    """Draws a full-screen triangle at infinite depth, after the level and movers: only visible sky is shaded."""

    def __init__(self, context: PassContext) -> None:
        quality = context.quality
        super().__init__(context, shader_defines(context.reversed_depth, quality) | {"CLOUDS": quality.clouds})
        self._clouds = self.own(self.ctx.texture((CLOUD_SIZE, CLOUD_SIZE), 1, cloud_noise()))
        self._clouds.build_mipmaps()
        self._clouds.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        self.rebuild()

    def rebuild(self) -> None:
        """Bind the current program."""
        super().rebuild()
        self._array = self.array("level/sky", clouds=OWN_UNIT)

    def draw(self, frame: Frame) -> None:
        """Draw behind all geometry."""
        set_state(self.ctx, frame.target)
        self._clouds.use(OWN_UNIT)
        self._array.render(moderngl.TRIANGLES, vertices=3)
