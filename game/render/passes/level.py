"""The level in one draw call, and the sky behind it."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ..gl.context import draw_culling_closed
from ..gl.programs import ShaderCache, set_uniforms
from ..gl.quality import Quality
from ..scene.render_mesh import TEXTURES, Floats, RenderMesh
from ..scene.surface_textures import TILE_SIZES

# one row a corner; the names are the attributes of level.vert.glsl
LEVEL_VERTEX = np.dtype(
    [
        ("in_position", "f4", 3),
        ("in_normal", "i1", 4),
        ("in_tangent", "i1", 4),
        ("in_tile", "f4", 2),
        ("in_light", "u2", 2),
        ("in_colour", "u1", 4),
    ]
)
LEVEL_VERTEX_FORMAT = "3f 4i1 4i1 2f 2u2 4f1"  # moderngl normalises f1 alone; the shader divides the others
POSITION_FORMAT = f"3f {LEVEL_VERTEX.itemsize - 12}x"
MAX_FLOW_SPEED = 16.0  # tiles a second that a pattern runs at most; level.vert.glsl knows it too
CLOUD_SIZE = 256  # texels along the clouds' noise


def pack_level_vertices(model: RenderMesh, light_uv: Floats) -> npt.NDArray[np.uint8]:
    """The bytes of the level's vertex buffer; the corners of what is closed come first."""
    rows = np.zeros((len(model.triangles), 3), LEVEL_VERTEX)
    rows["in_position"] = model.triangles
    rows["in_normal"][..., :3] = np.rint(model.corner_normals * 127)
    rows["in_tangent"][..., :3] = np.rint(model.tangents * 127)[:, None]
    tile = np.array([TILE_SIZES[name] for name in TEXTURES])[model.texture_layers]
    rows["in_tangent"][..., 3] = np.rint(127 * np.sqrt(np.minimum(model.flow_speeds / tile / MAX_FLOW_SPEED, 1.0)))[
        :, None
    ]
    # whole tiles taken off each triangle, so that a level far from the origin keeps its detail
    metres = model.texture_coordinates / tile[:, None, None]
    rows["in_tile"] = metres - np.floor(metres[:, :1])
    farthest = np.abs(rows["in_tile"]).max(axis=(1, 2), initial=0.0)
    rows["in_normal"][..., 3] = np.clip(np.ceil(farthest), 1, 127)[:, None]
    rows["in_light"] = np.rint(np.clip(light_uv, 0.0, 1.0) * 65535)
    rows["in_colour"][..., :3] = np.rint(np.clip(model.colours, 0.0, 1.0) * 255)[:, None]
    rows["in_colour"][..., 3] = model.texture_layers[:, None]
    return rows[np.argsort(~model.closed, kind="stable")].reshape(-1).view(np.uint8)


def cloud_noise(size: int = CLOUD_SIZE) -> bytes:
    """Tileable noise whose strength falls with its fineness, one byte a texel, spread over 0..255."""
    generator = np.random.default_rng(4)
    spectrum = np.fft.rfft2(generator.normal(size=(size, size)))
    fineness = np.hypot(np.fft.fftfreq(size)[:, None], np.fft.rfftfreq(size)[None])
    spectrum *= np.maximum(fineness, 1.5 / size) ** -1.35
    spectrum[0, 0] = 0.0
    field = np.fft.irfft2(spectrum, s=(size, size))
    pixels: bytes = np.clip(127.5 + 52.0 * field / field.std(), 0, 255).astype(np.uint8).tobytes()
    return pixels


class LevelPass:
    """Draws a level, which `take` names, and the sky into the bound framebuffer; depth: greater is nearer."""

    def __init__(self, ctx: Any, quality: Quality, programs: ShaderCache, reversed_depth: bool) -> None:
        self.ctx = ctx
        self.buffer: Any = None
        self.quality = quality
        self.programs = programs
        self.defines: dict[str, object] = {"SHADOW_TAPS": quality.shadow_taps, "CLOUDS": quality.clouds}
        if quality.relief:
            self.defines["RELIEF"] = 1
        if not quality.exact_tone_mapping:
            self.defines |= {"QUICK": 1, "PLAIN_VEIL": 1}
        if reversed_depth:
            self.defines["REVERSED"] = 1
        self.clouds = ctx.texture((CLOUD_SIZE, CLOUD_SIZE), 1, cloud_noise())
        self.clouds.build_mipmaps()
        self.clouds.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        self._closed_count = 0
        self._depth_prepass: Any = None
        self._static_array: Any = None
        self._flowing_array: Any = None
        self._sky: Any = None

    def set_level(self, buffer: Any, closed: int) -> None:
        """Draw the level whose vertices are in `buffer` from now on; the backs of the first `closed` are not drawn."""
        self.buffer, self._closed_count = buffer, closed
        self.rebuild()

    def rebuild(self) -> None:
        """Bind the present programs to the buffers."""
        for old in (self._depth_prepass, self._static_array, self._flowing_array, self._sky):
            if old is not None:
                old.release()
        sky = self.programs.get("level/sky.vert.glsl", "level/sky.frag.glsl", **self.defines)
        depth = self.programs.get("level/depth_prepass.vert.glsl", "level/depth_prepass.frag.glsl", **self.defines)
        set_uniforms(sky, clouds=0)
        self._static_array, self._flowing_array = self._select_array(), self._select_array(MOVING=1)
        self._depth_prepass = self.ctx.vertex_array(depth, [(self.buffer, POSITION_FORMAT, "in_position")])
        self._sky = self.ctx.vertex_array(sky, [])

    def _select_array(self, **more: object) -> Any:
        level = self.programs.get("level/level.vert.glsl", "level/level.frag.glsl", **self.defines, **more)
        set_uniforms(level, sun_map=0, tints=1, baked_light=2, reliefs=3, mover_map=4)
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

    def draw_sky(self) -> None:
        self.ctx.enable_only(moderngl.DEPTH_TEST)
        self.ctx.depth_func = ">="
        self.clouds.use(0)
        self._sky.render(moderngl.TRIANGLES, vertices=3)

    def release(self) -> None:
        for thing in (self._depth_prepass, self._static_array, self._flowing_array, self._sky, self.clouds):
            if thing is not None:
                thing.release()
