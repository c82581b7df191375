"""Decal passes: pictures on rectangles in the world, and distance-field text on the boards of signs."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

import moderngl
import numpy as np

from ...core.vectors import Vector
from ..decal import Decal, DecalPicture
from ..gl.context import release_resources
from ..gl.programs import set_uniforms
from ..gl.quality import shader_defines
from ..gl.render_pass import OWN_UNIT, PassContext, RenderPass, set_state
from ..scene.scene import MoverAppearance, SignAppearance, in_frames_of_movers
from ..scene.sign_text import SignText, build_sign_text
from ..text.glyph_atlas import DISTANCE_RANGE
from .frame import Frame

SRGB8_ALPHA8 = 0x8C43  # GL enum: the sampler decodes to linear light before it filters
MAX_TEXTURES = 64  # kept; the least recently drawn is released first
UPLOADS_PER_FRAME = 1  # a picture of 512 x 1024 texels takes about 2 ms with its mipmaps
MAX_ANISOTROPY = 4.0
# Vertex of the text of signs; the names are the attributes of level/sign.vert.glsl. in_mover: as of MOVER_VERTEX.
SIGN_VERTEX = np.dtype([("in_position", "f4", 3), ("in_glyph_uv", "f4", 2), ("in_mover", "f4")])


class DecalPass(RenderPass):
    """Draws each decal in one draw call. A picture is uploaded in the frame that needs it first."""

    def __init__(self, context: PassContext, uploads: int = UPLOADS_PER_FRAME) -> None:
        """uploads: pictures that a frame may upload."""
        super().__init__(context, shader_defines(context.reversed_depth, context.quality))
        self._uploads = uploads
        self._anisotropy = min(MAX_ANISOTROPY, context.quality.anisotropy)
        self._textures: dict[weakref.ref[DecalPicture], Any] = {}  # in the order of their last use

    def draw(self, frame: Frame, decals: Sequence[Decal]) -> None:
        """Draw what faces the eye and is uploaded.

        Releases the textures of pictures that nobody holds any more, such as those of a level that was left.
        """
        for key in [key for key in self._textures if key() is None]:
            self._textures.pop(key).release()
        visible = [decal for decal in decals if _faces(decal, frame.snapshot.view.eye)]
        if not visible:
            return
        array = self.array("level/decal", picture=OWN_UNIT)
        set_state(self.ctx, frame.target, blending="alpha")
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
            texture.use(OWN_UNIT)
            right, up, _ = decal.axes()
            set_uniforms(
                array.program,
                centre=decal.at,
                half_right=tuple(0.5 * decal.width * axis for axis in right),
                half_up=tuple(0.5 * decal.height * axis for axis in up),
            )
            array.render(moderngl.TRIANGLES, vertices=6)
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
        """Release the pictures too."""
        super().release()
        release_resources(*self._textures.values())
        self._textures.clear()


def _faces(decal: Decal, eye: Vector) -> bool:
    """Whether the eye is in front of a decal."""
    return sum(axis * (a - b) for axis, a, b in zip(decal.axes()[2], eye, decal.at, strict=True)) > 0.0


class SignPass(RenderPass):
    """Draws the text of all signs in one draw call. movers: of the scene, which carry some of the signs."""

    def __init__(
        self, context: PassContext, text: SignText, movers: Sequence[MoverAppearance] = (),
        signs: tuple[SignAppearance, ...] = (),
    ) -> None:  # fmt: skip
        super().__init__(context)
        self.defines["MOVER"] = 1
        self._movers = movers
        self._signs = signs if any("|" in sign.text for sign in signs) else ()
        self._keys: tuple[tuple[str, str], ...] = ()
        self._upload(text)

    def _upload(self, text: SignText) -> None:
        self.release()
        side = len(text.atlas_pixels)
        self.texture = self.own(self.ctx.texture((side, side), 1, text.atlas_pixels.tobytes(), alignment=1))
        self.texture.build_mipmaps()
        self.texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        self.texture.repeat_x = self.texture.repeat_y = False
        self.count = len(text.corners)
        rows = np.zeros(self.count, SIGN_VERTEX)
        rows["in_position"] = in_frames_of_movers(text.corners[:, :3], text.carriers, self._movers)
        rows["in_glyph_uv"], rows["in_mover"] = text.corners[:, 3:], text.carriers + 1
        self._buffer = self.own(self.ctx.buffer(rows.tobytes())) if self.count else None

    def draw(self, frame: Frame) -> None:
        """Draw onto the boards, with the names of keys."""
        keys = frame.snapshot.sign_keys
        if self._signs and keys != self._keys:
            self._keys = keys
            self._upload(build_sign_text(self._signs, keys))
        if self._buffer is None:
            return
        content = self._buffer, SIGN_VERTEX
        array = self.array("level/sign", content, glyph_atlas=OWN_UNIT, distance_range=float(DISTANCE_RANGE))
        # Quads of neighbouring letters overlap in one plane.
        set_state(self.ctx, frame.target, writes_depth=False, blending="alpha", culls=True)
        self.texture.use(OWN_UNIT)
        array.render(moderngl.TRIANGLES)
