"""Surface textures: drawn once from shaders/surfaces/*.glsl into tiles, then read with mipmaps.

The patterns are procedural and at true scale, but a fragment pays one lookup instead of a hundred
instructions, and the mipmaps keep them from shimmering far away.
"""

from __future__ import annotations

from typing import Any

import moderngl

from .context import leave
from .programs import Programs, put
from .quality import Quality

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
}


class Surfaces:
    """Two texture arrays, one layer a texture: tints (a: gloss), and reliefs (slopes, height) where asked."""

    def __init__(self, ctx: Any, names: tuple[str, ...], quality: Quality, programs: Programs) -> None:
        self.ctx = ctx
        self.names = names
        self.size = quality.tile_size
        self.relief = quality.relief
        self.programs = programs
        shape = (self.size, self.size, len(names))
        self.tints = ctx.texture_array(shape, 4)
        self.reliefs = ctx.texture_array(shape if self.relief else (1, 1, 1), 4)
        for array in (self.tints, self.reliefs):
            far = moderngl.LINEAR_MIPMAP_LINEAR if quality.smooth_mipmaps else moderngl.LINEAR_MIPMAP_NEAREST
            array.filter = (far, moderngl.LINEAR)
            array.repeat_x = array.repeat_y = True
            array.anisotropy = min(quality.anisotropy, max(1.0, ctx.max_anisotropy))

    def draw(self) -> None:
        """Draw every tile anew (at the start, and when a shader was edited)."""
        shape = (self.size, self.size)
        targets = [self.ctx.texture(shape, 4), self.ctx.texture(shape, 4)]
        target = self.ctx.framebuffer(targets)
        for layer, name in enumerate(self.names):
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
                texture.write(pixels, viewport=(0, 0, layer, *shape, 1))
        self.tints.build_mipmaps()
        self.reliefs.build_mipmaps()
        leave(self.ctx)
        for thing in (target, *targets):
            thing.release()

    def release(self) -> None:
        self.tints.release()
        self.reliefs.release()
