"""Level and sky passes: the static level in one draw call after a depth prepass, and the sky where nothing is drawn."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np

from ..gl.context import draw_culling_closed, set_state
from ..gl.programs import set_uniforms
from ..gl.quality import Quality, lamp_defines, shader_defines, shadow_defines
from ..gl.render_pass import OWN_UNIT, PassContext, RenderPass, content_of
from ..scene.scene_data import LEVEL_VERTEX, LEVEL_VERTEX_FORMAT, POSITION_FORMAT
from .frame import Frame
from .zones import LENS_DISTANCE

CLOUD_SIZE = 256  # texels along the cloud noise texture


class LevelPass(RenderPass):
    """Draws the level set by `set_level`."""

    def __init__(self, context: PassContext) -> None:
        quality = context.quality
        relief: dict[str, object] = {"RELIEF": 1} if quality.relief else {}
        super().__init__(context, shader_defines(context.reversed_depth, quality) | relief)
        self.buffer: Any = None
        self.quality = quality
        self._closed_count = self._lamp_count = 0
        self._has_water = False
        self._shading: dict[tuple[bool, bool], Any] = {}  # by: with dynamic shadows, under water

    def set_level(
        self, buffer: Any, quality: Quality, closed: int, moving_lamps: int = 0, has_water: bool = False
    ) -> None:
        """Use another vertex buffer. The first `closed` vertices bound solids and are drawn with back-face culling.

        quality: that of SceneGpu; moving_lamps: lamps that movers carry; has_water: whether the eye can be under water.
        The shader of a level without lamps, water or near shadow map has no code for them.
        """
        self.buffer, self.quality, self._closed_count, self._lamp_count = buffer, quality, closed, moving_lamps
        self._has_water = has_water
        self.rebuild()

    def rebuild(self) -> None:
        """Bind the current programs to the buffers."""
        super().rebuild()
        self._depth_prepass = self.array("level/depth_prepass", (self.buffer, POSITION_FORMAT, "in_position"))
        common = shadow_defines(self.quality) | lamp_defines(self._lamp_count, self.quality.lamp_shadow_size)
        shadows: dict[str, object] = {"DYNAMIC_SHADOWS": 1}
        water: dict[str, object] = {"UNDER_WATER": 1, "LENS_DISTANCE": LENS_DISTANCE}
        self._shading = {
            (dynamic, under): self._shading_array(common | (shadows if dynamic else {}) | (water if under else {}))
            for dynamic in (False, True)
            for under in ((False, True) if self._has_water else (False,))
        }

    def _shading_array(self, defines: dict[str, object]) -> Any:
        program = self.programs.get("level/level.vert.glsl", "level/level.frag.glsl", **self.defines, **defines)
        buffer = content_of(program, self.buffer, LEVEL_VERTEX, LEVEL_VERTEX_FORMAT)
        return self.array("level/level", buffer, key=tuple(defines), defines=defines)

    def draw_depth(self, frame: Frame) -> None:
        """Depth prepass; the colours stay masked."""
        set_state(self.ctx, frame.target, ">")
        # Depth prepass: on a software rasteriser, shading a pixel twice costs more than all vertices.
        frame.target.color_mask = False, False, False, False
        if self._has_triangles:
            draw_culling_closed(self.ctx, self._depth_prepass, self._closed_count)

    def draw(self, frame: Frame) -> None:
        """Shade the level after `draw_depth`."""
        if frame.moving_lamps is not None and self._lamp_count:
            lamps = [tuple(row) for row in frame.moving_lamps.reshape(-1, 4).tolist()]
            for array in self._shading.values():
                set_uniforms(array.program, moving_lamps=lamps)
        frame.target.color_mask = True, True, True, True
        self.ctx.depth_func = ">="
        if self._has_triangles:
            array = self._shading[frame.has_dynamic_shadows, frame.is_lens_in_water and self._has_water]
            draw_culling_closed(self.ctx, array, self._closed_count)

    @property
    def _has_triangles(self) -> bool:
        return bool(self.buffer.size >= 3 * LEVEL_VERTEX.itemsize)


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
