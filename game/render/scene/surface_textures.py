"""Procedural surface textures, rendered once from shaders/surfaces/*.glsl into tiled texture arrays with mipmaps.

A fragment then needs one lookup instead of a hundred instructions, and mipmaps prevent shimmering.
"""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np

from ...core.vectors import Floats
from ..gl.context import release_resources, unbind_framebuffer
from ..gl.programs import SHADER_CONSTANTS, ShaderCache, set_uniforms
from ..gl.quality import Quality, usable_anisotropy
from .render_mesh import TEXTURES

HOLLOW_RADII = 0.012, 0.05  # metres: ranges of the heights around that a hollow is compared with
HOLLOW_STRENGTH = 70.0  # fraction of ambient light per metre of depth, for each range
MIN_HOLLOW_LIGHT = 0.45

# Period of each pattern in metres: a whole number of bricks or boards, and long enough to hide the repetition.
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
    "leaves": 2.0,
}


def ambient_in_hollows(height: Floats, texel: float) -> Floats:
    """Factor (size, size) of ambient light on a tile of heights (size, size) in metres: less below the mean height
    around, a little more above. texel: metres.
    """
    light = np.ones_like(height)
    for radius in HOLLOW_RADII:
        light += HOLLOW_STRENGTH * np.clip(height - blurred_tile(height, max(1, round(radius / texel))), -0.01, 0.004)
    return np.clip(light, MIN_HOLLOW_LIGHT, SHADER_CONSTANTS["CAVITY_RANGE"])


def blurred_tile(values: Floats, radius: int) -> Floats:
    """Values (size, size) of a tile that repeats, averaged twice over squares of 2 radius + 1 texels."""
    size = len(values)
    box = np.abs((np.arange(size) + radius) % size - radius) <= radius
    passed = (np.fft.fft(box / (2 * radius + 1)).real) ** 2  # of each frequency, by averaging along one axis twice
    blurred: Floats = np.fft.irfft2(np.fft.rfft2(values) * np.outer(passed, passed[: size // 2 + 1]), s=values.shape)
    return blurred


class SurfaceTextures:
    """Two texture arrays with a layer per texture of TEXTURES: colour and gloss; slope, height and ambient light.
    A layer is generated when a level first needs it.
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
        anisotropy = usable_anisotropy(ctx, quality)
        for array in (self.colour_textures, self.relief_textures):
            minification = moderngl.LINEAR_MIPMAP_LINEAR if quality.smooth_mipmaps else moderngl.LINEAR_MIPMAP_NEAREST
            array.filter = (minification, moderngl.LINEAR)
            array.repeat_x = array.repeat_y = True
            array.anisotropy = anisotropy

    def missing_textures(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Textures of `names` that have not been generated."""
        return tuple(name for name in names if name not in self.generated)

    def generate(self, names: tuple[str, ...]) -> None:
        """Generate these layers. Call `build_mipmaps` afterwards."""
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
            colour, relief = (
                np.frombuffer(target.read(components=4, attachment=k), np.uint8).reshape(*shape, 4).copy()
                for k in (0, 1)
            )
            light = ambient_in_hollows(relief[..., 2] / 2550.0, TILE_SIZES[name] / self.size)
            relief[..., 3] = np.rint(light * (255.0 / SHADER_CONSTANTS["CAVITY_RANGE"]))
            # The root of the tint takes the fourth root: half as much for all light, as grooves shade the sun too.
            colour[..., :3] = np.clip(np.rint(colour[..., :3] * light[..., None] ** 0.25), 0, 255)
            layer = (0, 0, TEXTURES.index(name), *shape, 1)
            self.colour_textures.write(colour.tobytes(), viewport=layer)
            if self.relief:
                self.relief_textures.write(relief.tobytes(), viewport=layer)
        self.generated = (*self.generated, *self.missing_textures(names))
        unbind_framebuffer(self.ctx)
        release_resources(target, *targets)

    def build_mipmaps(self) -> None:
        """Update the mipmaps after `generate`."""
        self.colour_textures.build_mipmaps()
        if self.relief:
            self.relief_textures.build_mipmaps()

    def release(self) -> None:
        release_resources(self.colour_textures, self.relief_textures)
