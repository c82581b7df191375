"""Glyph atlases: bitmaps of any size for the HUD, distance fields for text in the world."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from . import fonts

FONT_PIXELS = 48  # font size of distance-field glyphs
OUTLINE_SUPERSAMPLING = 2  # resolution factor of the outline
DISTANCE_RANGE = 6  # texels on each side of the outline


@dataclass(frozen=True, slots=True)
class Glyph:
    """Glyph in an atlas: offset of its top left from the origin, size, atlas position and advance, in pixels."""

    left: float
    top: float
    width: float
    height: float
    u: float
    v: float
    advance: float


class ShelfPacker:
    """Rectangle packer that fills shelves from top to bottom."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        self.x = self.y = self.row_height = 0

    def allocate(self, width: int, height: int) -> tuple[int, int] | None:
        """Corner of a free rectangle, one texel apart from all others; None when full."""
        if self.x + width + 1 > self.size[0]:
            self.x, self.y, self.row_height = 0, self.y + self.row_height, 0
        if self.y + height + 1 > self.size[1] or width + 1 > self.size[0]:
            return None
        corner = (self.x, self.y)
        self.x += width + 1
        self.row_height = max(self.row_height, height + 1)
        return corner


class GlyphAtlas:
    """Bitmap glyphs for the HUD, rasterised on first use. A full atlas is cleared and `generation` incremented."""

    SIZE = (1024, 512)

    def __init__(self, ctx: Any) -> None:
        self.texture = ctx.texture(self.SIZE, 1, bytes(self.SIZE[0] * self.SIZE[1]), alignment=1)
        self.texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self.generation = 0
        self._packer = ShelfPacker(self.SIZE)
        self._glyphs: dict[tuple[str, int], Glyph] = {}

    def glyph(self, char: str, size: int) -> Glyph:
        """Glyph of a character at a size in pixels."""
        key = (char, size)
        glyph = self._glyphs.get(key)
        return self._rasterise(key) if glyph is None else glyph

    def _rasterise(self, key: tuple[str, int]) -> Glyph:
        char, size = key
        pixels, left, top = fonts.glyph_bitmap(char, size)
        height, width = pixels.shape
        corner = self._packer.allocate(width, height)
        if corner is None:
            self._packer = ShelfPacker(self.SIZE)
            self._glyphs.clear()
            self.generation += 1
            corner = self._packer.allocate(width, height)
            if corner is None:  # a glyph larger than the atlas
                pixels, corner, width, height = np.zeros((1, 1), np.uint8), (0, 0), 1, 1
        self.texture.write(pixels.tobytes(), viewport=(*corner, width, height), alignment=1)
        glyph = Glyph(left, top, width, height, *corner, fonts.glyph_advance(char, size))
        self._glyphs[key] = glyph
        return glyph

    def release(self) -> None:
        self.texture.release()


@cache
def glyph_distance_field(char: str) -> tuple[npt.NDArray[np.uint8], float, float]:
    """Distance field of a glyph at FONT_PIXELS, and its left and top from the origin on the baseline."""
    pixels, left, top = fonts.glyph_bitmap(char, FONT_PIXELS * OUTLINE_SUPERSAMPLING)
    margin = DISTANCE_RANGE * OUTLINE_SUPERSAMPLING
    # Round up to whole texels.
    height = -(-(pixels.shape[0] + 2 * margin) // OUTLINE_SUPERSAMPLING) * OUTLINE_SUPERSAMPLING
    width = -(-(pixels.shape[1] + 2 * margin) // OUTLINE_SUPERSAMPLING) * OUTLINE_SUPERSAMPLING
    shape = np.zeros((height, width), np.bool_)
    shape[margin : margin + pixels.shape[0], margin : margin + pixels.shape[1]] = pixels > 127
    distance = fonts.signed_distance_field(shape, margin)
    downsampled = (
        distance.reshape(
            height // OUTLINE_SUPERSAMPLING,
            OUTLINE_SUPERSAMPLING,
            width // OUTLINE_SUPERSAMPLING,
            OUTLINE_SUPERSAMPLING,
        ).mean(axis=(1, 3))
        / margin
    )
    return (
        np.rint(127.5 + 127.5 * downsampled).astype(np.uint8),
        (left - margin) / OUTLINE_SUPERSAMPLING,
        (top - margin) / OUTLINE_SUPERSAMPLING,
    )


class DistanceFieldGlyphs:
    """Distance-field atlas of a set of characters (Green 2007). No GL.

    Sizes and positions are in texels of a font of FONT_PIXELS. picture: (side, side).
    """

    def __init__(self, characters: set[str]) -> None:
        fields = {char: glyph_distance_field(char) for char in sorted(characters)}
        side = 256
        while (placed := self._pack(fields, side)) is None:
            side *= 2
        self.texture_size = side
        self.picture = np.zeros((side, side), np.uint8)
        self.glyphs: dict[str, Glyph] = {}
        for char, (x, y) in placed.items():
            pixels, left, top = fields[char]
            height, width = pixels.shape
            self.picture[y : y + height, x : x + width] = pixels
            self.glyphs[char] = Glyph(left, top, width, height, x, y, fonts.glyph_advance(char, FONT_PIXELS))

    @staticmethod
    def _pack(
        fields: dict[str, tuple[npt.NDArray[np.uint8], float, float]], side: int
    ) -> dict[str, tuple[int, int]] | None:
        packer = ShelfPacker((side, side))
        placed: dict[str, tuple[int, int]] = {}
        for char in sorted(fields, key=lambda c: -fields[c][0].shape[0]):
            corner = packer.allocate(fields[char][0].shape[1], fields[char][0].shape[0])
            if corner is None:
                return None
            placed[char] = corner
        return placed
