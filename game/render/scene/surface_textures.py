"""Surface textures: each drawn once from shaders/surfaces/*.glsl into tiles, then read with mipmaps.

The patterns are procedural and at true scale, but a fragment pays one lookup instead of a hundred
instructions, and the mipmaps keep them from shimmering far away.
"""

from __future__ import annotations

from typing import Any

import moderngl

from ..gl.context import leave
from ..gl.programs import Programs, put
from ..gl.quality import Quality, is_software
from .render_mesh import TEXTURES

# Metres after which each pattern repeats: whole stones, bricks and boards, and long enough not to be noticed.
TILE = {
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


class Surfaces:
    """Two texture arrays, a layer for each of TEXTURES: tints (a: gloss), and reliefs (slopes, height) where asked.

    A layer is drawn when a level first needs it, and then lasts.
    """

    def __init__(self, ctx: Any, quality: Quality, programs: Programs) -> None:
        self.ctx = ctx
        self.size = quality.tile_size
        self.relief = quality.relief
        self.programs = programs
        self.drawn: tuple[str, ...] = ()
        shape = (self.size, self.size, len(TEXTURES))
        self.tints = ctx.texture_array(shape, 4)
        self.reliefs = ctx.texture_array(shape if self.relief else (1, 1, 1), 4)
        # Mesa's software drawing walks the texels between neighbours one by one; with samples outside of triangles,
        # where places have no bounds, a picture took it minutes
        walks = quality.samples >= 2 and is_software(ctx.info["GL_RENDERER"])
        anisotropy = 1.0 if walks else quality.anisotropy
        for array in (self.tints, self.reliefs):
            far = moderngl.LINEAR_MIPMAP_LINEAR if quality.smooth_mipmaps else moderngl.LINEAR_MIPMAP_NEAREST
            array.filter = (far, moderngl.LINEAR)
            array.repeat_x = array.repeat_y = True
            array.anisotropy = min(anisotropy, max(1.0, ctx.max_anisotropy))

    def missing(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Those of these textures that have not been drawn yet."""
        return tuple(name for name in names if name not in self.drawn)

    def draw(self, names: tuple[str, ...]) -> None:
        """Draw these tiles; `finish` has to follow."""
        if not names:
            return
        shape = (self.size, self.size)
        targets = [self.ctx.texture(shape, 4), self.ctx.texture(shape, 4)]
        target = self.ctx.framebuffer(targets)
        for name in names:
            defines = {"TILE": TILE[name], **({"RELIEF": 1} if self.relief else {})}
            program = self.programs.get("screen.vert.glsl", f"surfaces/{name}.glsl", **defines)
            put(program, step_size=TILE[name] / self.size)
            target.use()
            target.viewport = (0, 0, *shape)
            target.scissor = None
            self.ctx.enable_only(moderngl.NOTHING)
            array = self.ctx.vertex_array(program, [])
            array.render(moderngl.TRIANGLES, vertices=3)
            array.release()
            for attachment, texture in enumerate((self.tints, self.reliefs)[: 2 if self.relief else 1]):
                pixels = target.read(components=4, attachment=attachment)
                texture.write(pixels, viewport=(0, 0, TEXTURES.index(name), *shape, 1))
        self.drawn = (*self.drawn, *self.missing(names))
        leave(self.ctx)
        for thing in (target, *targets):
            thing.release()

    def finish(self) -> None:
        """The mipmaps of what has been drawn."""
        self.tints.build_mipmaps()
        if self.relief:
            self.reliefs.build_mipmaps()

    def release(self) -> None:
        self.tints.release()
        self.reliefs.release()
