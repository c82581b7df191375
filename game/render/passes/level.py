"""Level pass: depth prepass and shading of the static level, one draw call each, with no culling by view."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..gl.context import draw_culling_closed, release_resources
from ..gl.programs import ShaderCache, set_uniforms
from ..gl.quality import LAMP_SHADOW_UNIT, Quality, lamp_defines, shader_defines, shadow_defines
from ..scene.scene_data import LEVEL_VERTEX, LEVEL_VERTEX_FORMAT, POSITION_FORMAT
from .water_line import LENS_DISTANCE


class LevelPass:
    """Draws the level set by `set_level` into the bound framebuffer. Depth is reversed: greater is nearer."""

    def __init__(self, ctx: Any, quality: Quality, programs: ShaderCache, reversed_depth: bool) -> None:
        self.ctx = ctx
        self.buffer: Any = None
        self.quality = quality
        self.programs = programs
        self.defines = shader_defines(reversed_depth, quality)
        if quality.relief:
            self.defines["RELIEF"] = 1
        self._closed_count = self._lamp_count = 0
        self._depth_prepass: Any = None
        self._has_water = False
        self._arrays: dict[tuple[bool, bool], Any] = {}  # by: with dynamic shadows, under water

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
        release_resources(self._depth_prepass, *self._arrays.values())
        depth_program = self.programs.get(
            "level/depth_prepass.vert.glsl", "level/depth_prepass.frag.glsl", **self.defines
        )
        shadows: dict[str, object] = {"DYNAMIC_SHADOWS": 1}
        water: dict[str, object] = {"UNDER_WATER": 1, "LENS_DISTANCE": LENS_DISTANCE}
        self._arrays = {
            (dynamic, under): self._select_array(**(shadows if dynamic else {}), **(water if under else {}))
            for dynamic in (False, True)
            for under in ((False, True) if self._has_water else (False,))
        }
        self._depth_prepass = self.ctx.vertex_array(depth_program, [(self.buffer, POSITION_FORMAT, "in_position")])

    def _select_array(self, **extra_defines: object) -> Any:
        extra_defines |= shadow_defines(self.quality) | lamp_defines(self._lamp_count, self.quality.lamp_shadow_size)
        program = self.programs.get("level/level.vert.glsl", "level/level.frag.glsl", **self.defines, **extra_defines)
        set_uniforms(program, shadow_map=0, colour_textures=1, lightmap=2, relief_textures=3, dynamic_shadow_map=4)
        set_uniforms(program, lamp_shadow_map=LAMP_SHADOW_UNIT)
        attributes = [name for name in LEVEL_VERTEX.names or () if name in program]
        layout = " ".join(
            attribute_format if name in program else f"{LEVEL_VERTEX[name].itemsize}x"
            for attribute_format, name in zip(LEVEL_VERTEX_FORMAT.split(), LEVEL_VERTEX.names or (), strict=True)
        )
        return self.ctx.vertex_array(program, [(self.buffer, layout, *attributes)])

    def draw_depth(self, target: Any) -> None:
        """Depth prepass into the framebuffer `target`, whose colours stay masked."""
        ctx = self.ctx
        ctx.depth_func = ">"
        ctx.front_face = "ccw"  # the shader reads gl_FrontFacing
        ctx.wireframe = False
        ctx.polygon_offset = 0.0, 0.0
        # Depth prepass: on a software rasteriser, shading a pixel twice costs more than all vertices.
        target.color_mask = False, False, False, False
        if self._has_triangles:
            draw_culling_closed(ctx, self._depth_prepass, self._closed_count)

    def draw(
        self,
        target: Any,
        shadow_map: Any,
        colour_textures: Any,
        lightmap: Any,
        relief_textures: Any,
        dynamic_shadow_map: Any,
        moving_lamps: npt.NDArray[np.float32] | None = None,
        in_water: bool = False,
    ) -> None:
        """Shade the level in the framebuffer `target` after `draw_depth`. dynamic_shadow_map: None if nothing moves.

        moving_lamps: rows (n, 8) of `SceneLamps.moving_rows`, n as in `set_level`. in_water: whether the lens can be.
        """
        if moving_lamps is not None and self._lamp_count:
            for array in self._arrays.values():
                set_uniforms(array.program, moving_lamps=[tuple(row) for row in moving_lamps.reshape(-1, 4).tolist()])
        target.color_mask = True, True, True, True
        self.ctx.depth_func = ">="
        if not self._has_triangles:
            return
        for unit, texture in enumerate((shadow_map, colour_textures, lightmap, relief_textures, dynamic_shadow_map)):
            if texture is not None:
                texture.use(unit)
        array = self._arrays[dynamic_shadow_map is not None, in_water and self._has_water]
        draw_culling_closed(self.ctx, array, self._closed_count)

    @property
    def _has_triangles(self) -> bool:
        return bool(self.buffer.size >= 3 * LEVEL_VERTEX.itemsize)

    def release(self) -> None:
        release_resources(self._depth_prepass, *self._arrays.values())
