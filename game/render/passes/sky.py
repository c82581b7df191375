"""Sky pass: atmosphere, clouds, sun or moon disc, stars and distant hills, drawn where the depth buffer is empty."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np

from ..gl.context import release_resources
from ..gl.programs import ShaderCache, set_uniforms
from ..gl.quality import Quality, shader_defines

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


class SkyPass:
    """Draws a full-screen triangle at infinite depth, after the level and movers: only visible sky is shaded."""

    def __init__(self, ctx: Any, quality: Quality, programs: ShaderCache, reversed_depth: bool) -> None:
        self.ctx = ctx
        self.programs = programs
        self.defines = shader_defines(reversed_depth, quality) | {"CLOUDS": quality.clouds}
        self._clouds = ctx.texture((CLOUD_SIZE, CLOUD_SIZE), 1, cloud_noise())
        self._clouds.build_mipmaps()
        self._clouds.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        self._array: Any = None
        self.rebuild()

    def rebuild(self) -> None:
        """Bind the current program."""
        release_resources(self._array)
        program = self.programs.get("level/sky.vert.glsl", "level/sky.frag.glsl", **self.defines)
        set_uniforms(program, clouds=0)
        self._array = self.ctx.vertex_array(program, [])

    def draw(self) -> None:
        """Draw behind all geometry."""
        self.ctx.enable_only(moderngl.DEPTH_TEST)
        self.ctx.depth_func = ">="
        self._clouds.use(0)
        self._array.render(moderngl.TRIANGLES, vertices=3)

    def release(self) -> None:
        release_resources(self._array, self._clouds)
