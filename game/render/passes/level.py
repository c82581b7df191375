"""The level in one draw call, and the sky behind it."""

from __future__ import annotations

from typing import Any

from ..gl.context import draw_culling_closed
from ..gl.programs import ShaderCache, set_uniforms
from ..gl.quality import Quality
from ..scene.vertex_buffer import LEVEL_VERTEX, LEVEL_VERTEX_FORMAT, POSITION_FORMAT


class LevelPass:
    """Draws a level, which `take` names, and the sky into the bound framebuffer; depth: greater is nearer."""

    def __init__(self, ctx: Any, quality: Quality, programs: ShaderCache, reversed_depth: bool) -> None:
        self.ctx = ctx
        self.buffer: Any = None
        self.quality = quality
        self.programs = programs
        self.defines: dict[str, object] = {"SHADOW_TAPS": quality.shadow_taps}
        if quality.relief:
            self.defines["RELIEF"] = 1
        if not quality.exact_tone_mapping:
            self.defines |= {"FAST_TONE_MAPPING": 1, "HORIZON_HAZE": 1}
        if reversed_depth:
            self.defines["REVERSED_DEPTH"] = 1
        self._closed_count = 0
        self._depth_prepass: Any = None
        self._static_array: Any = None
        self._flowing_array: Any = None

    def set_level(self, buffer: Any, closed: int) -> None:
        """Draw the level whose vertices are in `buffer` from now on; the backs of the first `closed` are not drawn."""
        self.buffer, self._closed_count = buffer, closed
        self.rebuild()

    def rebuild(self) -> None:
        """Bind the present programs to the buffers."""
        for old in (self._depth_prepass, self._static_array, self._flowing_array):
            if old is not None:
                old.release()
        depth = self.programs.get("level/depth_prepass.vert.glsl", "level/depth_prepass.frag.glsl", **self.defines)
        self._static_array, self._flowing_array = self._select_array(), self._select_array(DYNAMIC_SHADOWS=1)
        self._depth_prepass = self.ctx.vertex_array(depth, [(self.buffer, POSITION_FORMAT, "in_position")])

    def _select_array(self, **more: object) -> Any:
        level = self.programs.get("level/level.vert.glsl", "level/level.frag.glsl", **self.defines, **more)
        set_uniforms(level, shadow_map=0, colour_textures=1, lightmap=2, relief_textures=3, dynamic_shadow_map=4)
        used = [name for name in LEVEL_VERTEX.names or () if name in level]
        layout = " ".join(
            part if name in level else f"{LEVEL_VERTEX[name].itemsize}x"
            for part, name in zip(LEVEL_VERTEX_FORMAT.split(), LEVEL_VERTEX.names or (), strict=True)
        )
        return self.ctx.vertex_array(level, [(self.buffer, layout, *used)])

    def draw(self, target: Any, sun_map: Any, tints: Any, baked_light: Any, reliefs: Any, casting: Any) -> None:
        """Draw the level into the bound framebuffer `target`; `casting`: what moves as the sun sees it, or None."""
        ctx = self.ctx
        ctx.depth_func = ">"
        ctx.front_face = "ccw"  # the shader asks which side it sees
        ctx.wireframe = False
        ctx.polygon_offset = 0.0, 0.0
        if self.buffer.size >= 3 * LEVEL_VERTEX.itemsize:
            for unit, texture in enumerate((sun_map, tints, baked_light, reliefs, casting)):
                if texture is not None:
                    texture.use(unit)
            # depth first: on software rendering a pixel that is shaded twice costs more than all vertices
            target.color_mask = False, False, False, False
            draw_culling_closed(ctx, self._depth_prepass, self._closed_count)
            target.color_mask = True, True, True, True
            ctx.depth_func = ">="
            draw_culling_closed(ctx, self._static_array if casting is None else self._flowing_array, self._closed_count)

    def release(self) -> None:
        for thing in (self._depth_prepass, self._static_array, self._flowing_array):
            if thing is not None:
                thing.release()
