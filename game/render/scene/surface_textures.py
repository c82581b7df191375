"""Surface textures: each drawn once from shaders/surfaces/*.glsl into tiles, then read with mipmaps.

The patterns are procedural and at true scale, but a fragment pays one lookup instead of a hundred
instructions, and the mipmaps keep them from shimmering far away.
"""

from __future__ import annotations

from typing import Any

import moderngl

from ..gl.context import unbind_framebuffer
from ..gl.programs import ShaderCache, set_uniforms
from ..gl.quality import Quality, is_software_renderer
from .render_mesh import TEXTURES

# Metres after which each pattern repeats: whole stones, bricks and boards, and long enough not to be noticed.
TILE_SIZES = {
    "plain": 4.0,
    "flagstone": 4.0,
    "brick": 3.0,
    "plaster": 4.0,
    "planks": 3.0,
    "grass": 3.0,
    "tiles": 2.0,
    "concrete": 4.0,
    "metal": 2.0,
    "ice": 4.0,
    "belt": 2.0,
    "earth": 4.0,
    "sand": 4.0,
}


class SurfaceTextures:
    """Two texture arrays, a layer for each of TEXTURES: tints (a: gloss), and reliefs (slopes, height) where asked.

    A layer is drawn when a level first needs it, and then lasts.
    """

    def __init__(self, ctx: Any, quality: Quality, programs: ShaderCache) -> None:
        self.ctx = ctx
        self.size = quality.tile_size
        self.relief = quality.relief
        self.programs = programs
        self.generated: tuple[str, ...] = ()
        shape = (self.size, self.size, len(TEXTURES))
        self.colour_textures = ctx.texture_array(shape, 4)
        self.relief_textures = ctx.texture_array(shape if self.relief else (1, 1, 1), 4)
        # Mesa's software drawing walks the texels between neighbours one by one; with samples outside of triangles,
        # where places have no bounds, a picture took it minutes
        walks = quality.samples >= 2 and is_software_renderer(ctx.info["GL_RENDERER"])
        anisotropy = 1.0 if walks else quality.anisotropy
        for array in (self.colour_textures, self.relief_textures):
            far = moderngl.LINEAR_MIPMAP_LINEAR if quality.smooth_mipmaps else moderngl.LINEAR_MIPMAP_NEAREST
            array.filter = (far, moderngl.LINEAR)
            array.repeat_x = array.repeat_y = True
            array.anisotropy = min(anisotropy, max(1.0, ctx.max_anisotropy))

    def missing_textures(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Those of these textures that have not been drawn yet."""
        return tuple(name for name in names if name not in self.generated)

    def generate(self, names: tuple[str, ...]) -> None:
        """Draw these tiles; `finish` has to follow."""
        if not names:
            return
        shape = (self.size, self.size)
        targets = [self.ctx.texture(shape, 4), self.ctx.texture(shape, 4)]
        target = self.ctx.framebuffer(targets)
        for name in names:
            defines = {"TILE_SIZE": TILE_SIZES[name], **({"RELIEF": 1} if self.relief else {})}
            program = self.programs.get("post/fullscreen_triangle.vert.glsl", f"surfaces/{name}.glsl", **defines)
            set_uniforms(program, texel_metres=TILE_SIZES[name] / self.size)
            target.use()
            target.viewport = (0, 0, *shape)
            target.scissor = None
            self.ctx.enable_only(moderngl.NOTHING)
            array = self.ctx.vertex_array(program, [])
            array.render(moderngl.TRIANGLES, vertices=3)
            array.release()
            for attachment, texture in enumerate(
                (self.colour_textures, self.relief_textures)[: 2 if self.relief else 1]
            ):
                pixels = target.read(components=4, attachment=attachment)
                texture.write(pixels, viewport=(0, 0, TEXTURES.index(name), *shape, 1))
        self.generated = (*self.generated, *self.missing_textures(names))
        unbind_framebuffer(self.ctx)
        for thing in (target, *targets):
            thing.release()

    def build_mipmaps(self) -> None:
        """The mipmaps of what has been drawn."""
        self.colour_textures.build_mipmaps()
        if self.relief:
            self.relief_textures.build_mipmaps()

    def release(self) -> None:
        self.colour_textures.release()
        self.relief_textures.release()
