"""Decal passes: pictures on rectangles in the world, and distance-field text on the boards of signs."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

import moderngl
import numpy as np

from ...core.vectors import Floats, Vector
from ..carried.transforms import carry_points
from ..decal import Decal, DecalPicture
from ..gl.context import enable_blending, release_resources
from ..gl.programs import ShaderCache, set_uniforms
from ..gl.quality import Quality, shader_defines
from ..scene.scene import MoverAppearance, SignAppearance
from ..scene.sign_text import SignText, build_sign_text
from ..text.glyph_atlas import DISTANCE_RANGE

SRGB8_ALPHA8 = 0x8C43  # GL enum: the sampler decodes to linear light before it filters
MAX_TEXTURES = 64  # kept; the least recently drawn is released first
UPLOADS_PER_FRAME = 1  # a picture of 512 x 1024 texels takes about 2 ms with its mipmaps
MAX_ANISOTROPY = 4.0


class DecalPass:
    """Draws each decal in one draw call. A picture is uploaded in the frame that needs it first."""

    def __init__(
        self, ctx: Any, programs: ShaderCache, quality: Quality, reversed_depth: bool, uploads: int = UPLOADS_PER_FRAME
    ) -> None:
        """uploads: pictures that a frame may upload."""
        self.ctx = ctx
        self.programs = programs
        self.defines = shader_defines(reversed_depth, quality)
        self._uploads = uploads
        self._anisotropy = min(MAX_ANISOTROPY, quality.anisotropy)
        self._textures: dict[weakref.ref[DecalPicture], Any] = {}  # in the order of their last use
        self._array: Any = None
        self._program: Any = None

    def rebuild(self) -> None:
        """Bind the current program. Compiles it only if a decal was drawn before."""
        if self._array is None:
            return
        release_resources(self._array)
        self._compile()

    def _compile(self) -> None:
        self._program = self.programs.get("level/decal.vert.glsl", "level/decal.frag.glsl", **self.defines)
        set_uniforms(self._program, picture=0)
        self._array = self.ctx.vertex_array(self._program, [])

    def draw(self, target: Any, decals: Sequence[Decal], eye: Vector) -> None:
        """Draw into the framebuffer `target` what faces the eye and is uploaded.

        Releases the textures of pictures that nobody holds any more, such as those of a level that was left.
        """
        for key in [key for key in self._textures if key() is None]:
            self._textures.pop(key).release()
        visible = [decal for decal in decals if _faces(decal, eye)]
        if not visible:
            return
        if self._array is None:
            self._compile()
        enable_blending(self.ctx, moderngl.DEPTH_TEST)
        self.ctx.depth_func = ">="
        target.depth_mask = True
        uploads_left = self._uploads
        for decal in visible:
            key = weakref.ref(decal.picture)
            texture = self._textures.pop(key, None)
            if texture is None:
                if uploads_left == 0:
                    continue
                uploads_left -= 1
                texture = self._upload(decal.picture)
            self._textures[key] = texture
            texture.use(0)
            right, up, _ = decal.axes()
            set_uniforms(
                self._program,
                centre=decal.at,
                half_right=tuple(0.5 * decal.width * axis for axis in right),
                half_up=tuple(0.5 * decal.height * axis for axis in up),
                brightness=decal.brightness,
            )
            self._array.render(moderngl.TRIANGLES, vertices=6)
        while len(self._textures) > MAX_TEXTURES:
            self._textures.pop(next(iter(self._textures))).release()

    def _upload(self, picture: DecalPicture) -> Any:
        pixels = picture.pixels
        texture = self.ctx.texture(
            (pixels.shape[1], pixels.shape[0]), 4, pixels.tobytes(), alignment=1, internal_format=SRGB8_ALPHA8
        )
        texture.repeat_x = texture.repeat_y = False
        texture.build_mipmaps()
        texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        texture.anisotropy = self._anisotropy
        return texture

    def release(self) -> None:
        release_resources(self._array, *self._textures.values())
        self._textures.clear()
        self._array = None


def _faces(decal: Decal, eye: Vector) -> bool:
    """Whether the eye is in front of a decal."""
    return sum(axis * (a - b) for axis, a, b in zip(decal.axes()[2], eye, decal.at, strict=True)) > 0.0


class SignPass:
    """Draws the text of all signs in one draw call. movers: of the scene, which carry some of the signs."""

    def __init__(
        self,
        ctx: Any,
        text: SignText,
        programs: ShaderCache,
        reversed_depth: bool,
        movers: Sequence[MoverAppearance] = (),
        signs: tuple[SignAppearance, ...] = (),
    ) -> None:
        self._movers = movers
        self._signs = signs if any("|" in sign.text for sign in signs) else ()
        self._keys: tuple[tuple[str, str], ...] = ()
        self.ctx = ctx
        self.programs = programs
        self.defines = shader_defines(reversed_depth)
        self._array: Any = None
        self._buffer: Any = None
        self.texture: Any = None
        self._upload(text)

    def _upload(self, text: SignText) -> None:
        self.release()
        self._text = text
        self._is_carried = bool((text.carriers >= 0).any())
        self._poses: Floats | None = None
        side = len(text.atlas_pixels)
        self.texture = self.ctx.texture((side, side), 1, text.atlas_pixels.tobytes(), alignment=1)
        self.texture.build_mipmaps()
        self.texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        self.texture.repeat_x = self.texture.repeat_y = False
        self.count = len(text.corners)
        self._buffer = self.ctx.buffer(text.corners.tobytes()) if self.count else None
        self._array = None
        self.rebuild()

    def rebuild(self) -> None:
        """Bind the current program to the buffer."""
        if self._buffer is None:
            return
        release_resources(self._array)
        program = self.programs.get("level/sign.vert.glsl", "level/sign.frag.glsl", **self.defines)
        set_uniforms(program, glyph_atlas=0, distance_range=float(DISTANCE_RANGE))
        self._array = self.ctx.vertex_array(program, [(self._buffer, "3f 2f", "in_position", "in_glyph_uv")])

    def draw(self, target: Any, poses: Floats | None = None, keys: tuple[tuple[str, str], ...] = ()) -> None:
        """Draw onto the boards in the framebuffer `target`. poses: (K, 3, 4) of the movers; keys: names of actions and
        their keys, for texts that name one."""
        if self._signs and keys != self._keys:
            self._keys = keys
            self._upload(build_sign_text(self._signs, keys))
        if self._array is None or self._buffer is None:
            return
        if self._is_carried and not np.array_equal(poses, self._poses):  # type: ignore[arg-type]
            self._poses = None if poses is None else np.array(poses)
            corners = self._text.corners.copy()
            corners[:, :3] = carry_points(corners[:, :3].astype(np.float64), self._text.carriers, self._movers, poses)
            self._buffer.write(corners.tobytes())
        enable_blending(self.ctx, moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        self.ctx.cull_face = "back"
        self.ctx.front_face = "ccw"
        self.ctx.depth_func = ">="
        self.texture.use(0)
        target.depth_mask = False  # quads of neighbouring letters overlap in one plane
        self._array.render(moderngl.TRIANGLES)
        target.depth_mask = True

    def release(self) -> None:
        release_resources(self._array, self._buffer, self.texture)
