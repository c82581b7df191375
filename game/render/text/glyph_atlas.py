"""A texture that letters are added to when they are first needed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from . import fonts

FONT_PIXELS = 48  # pixels of the font that letters in the world are drawn from
OUTLINE_SUPERSAMPLING = 2  # their outline is traced at this many times the size
DISTANCE_RANGE = 6  # texels that their field reaches to each side of the outline


@dataclass(frozen=True, slots=True)
class Glyph:
    """A letter's picture: offset from the origin to its top left and size in pixels, place in the atlas."""

    left: float
    top: float
    width: float
    height: float
    u: float
    v: float
    advance: float


class ShelfPacker:
    """Places for rectangles in a picture, row after row."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        self.x = self.y = self.row_height = 0

    def allocate(self, width: int, height: int) -> tuple[int, int] | None:
        """The corner of a free place, one texel away from all others; None when it is full."""
        if self.x + width + 1 > self.size[0]:
            self.x, self.y, self.row_height = 0, self.y + self.row_height, 0
        if self.y + height + 1 > self.size[1] or width + 1 > self.size[0]:
            return None
        corner = (self.x, self.y)
        self.x += width + 1
        self.row_height = max(self.row_height, height + 1)
        return corner


class GlyphAtlas:
    """Bitmap letters of any size for the HUD. When it is full it starts anew, and `generation` counts up."""

    SIZE = (1024, 512)

    def __init__(self, ctx: Any) -> None:
        self.texture = ctx.texture(self.SIZE, 1, bytes(self.SIZE[0] * self.SIZE[1]), alignment=1)
        self.texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self.generation = 0
        self._packer = ShelfPacker(self.SIZE)
        self._glyphs: dict[tuple[str, int], Glyph] = {}

    def glyph(self, char: str, size: int) -> Glyph:
        key = (char, size)
        found = self._glyphs.get(key)
        return self._rasterise(key) if found is None else found

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
            if corner is None:  # a letter larger than the whole atlas
                pixels, corner, width, height = np.zeros((1, 1), np.uint8), (0, 0), 1, 1
        self.texture.write(pixels.tobytes(), viewport=(*corner, width, height), alignment=1)
        glyph = Glyph(left, top, width, height, *corner, fonts.glyph_advance(char, size))
        self._glyphs[key] = glyph
        return glyph

    def release(self) -> None:
        self.texture.release()


@cache
def glyph_distance_field(char: str) -> tuple[npt.NDArray[np.uint8], float, float]:
    """A letter's distance field at EM pixels, and where its left and top lie from the origin on the baseline."""
    pixels, left, top = fonts.glyph_bitmap(char, FONT_PIXELS * OUTLINE_SUPERSAMPLING)
    margin = DISTANCE_RANGE * OUTLINE_SUPERSAMPLING
    # whole texels in both directions
    height = -(-(pixels.shape[0] + 2 * margin) // OUTLINE_SUPERSAMPLING) * OUTLINE_SUPERSAMPLING
    width = -(-(pixels.shape[1] + 2 * margin) // OUTLINE_SUPERSAMPLING) * OUTLINE_SUPERSAMPLING
    shape = np.zeros((height, width), np.bool_)
    shape[margin : margin + pixels.shape[0], margin : margin + pixels.shape[1]] = pixels > 127
    distance = fonts.signed_distance_field(shape, margin)
    small = (
        distance.reshape(
            height // OUTLINE_SUPERSAMPLING,
            OUTLINE_SUPERSAMPLING,
            width // OUTLINE_SUPERSAMPLING,
            OUTLINE_SUPERSAMPLING,
        ).mean(axis=(1, 3))
        / margin
    )
    return (
        np.rint(127.5 + 127.5 * small).astype(np.uint8),
        (left - margin) / OUTLINE_SUPERSAMPLING,
        (top - margin) / OUTLINE_SUPERSAMPLING,
    )


class DistanceFieldGlyphs:
    """Distance-field letters for text in the world: sharp from any distance. Made once for a set of them; no GL.

    Sizes and places are in texels of a font of EM pixels; `picture` (side, side).
    """

    def __init__(self, letters: set[str]) -> None:
        pictures = {char: glyph_distance_field(char) for char in sorted(letters)}
        side = 256
        while (placed := self._pack(pictures, side)) is None:
            side *= 2
        self.texture_size = side
        self.picture = np.zeros((side, side), np.uint8)
        self.glyphs: dict[str, Glyph] = {}
        for char, (x, y) in placed.items():
            pixels, left, top = pictures[char]
            height, width = pixels.shape
            self.picture[y : y + height, x : x + width] = pixels
            self.glyphs[char] = Glyph(left, top, width, height, x, y, fonts.glyph_advance(char, FONT_PIXELS))

    @staticmethod
    def _pack(
        pictures: dict[str, tuple[npt.NDArray[np.uint8], float, float]], side: int
    ) -> dict[str, tuple[int, int]] | None:
        shelves = ShelfPacker((side, side))
        placed: dict[str, tuple[int, int]] = {}
        for char in sorted(pictures, key=lambda c: -pictures[c][0].shape[0]):
            corner = shelves.allocate(pictures[char][0].shape[1], pictures[char][0].shape[0])
            if corner is None:
                return None
            placed[char] = corner
        return placed
