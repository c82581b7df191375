"""Glyph atlases: bitmaps of any size for the HUD, distance fields for text in the world."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ...text import font_stack

FONT_PIXELS = 48  # font size of distance-field glyphs
OUTLINE_SUPERSAMPLING = 2  # resolution factor of the outline
SYSTEM_GLYPHS_PER_FRAME = 40  # new ones of the system's fonts, where texts do not wait for them
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
            self.x = 0
            self.y = self.y + self.row_height
            self.row_height = 0
        if self.y + height + 1 > self.size[1] or width + 1 > self.size[0]:
            return None
        corner = (self.x, self.y)
        self.x += width + 1
        self.row_height = max(self.row_height, height + 1)
        return corner


class GlyphAtlas:
    """Bitmap glyphs for the HUD, rasterised on first use. A full atlas grows; the largest one is cleared, and
    `generation` incremented.
    """

    WIDTH, FIRST_HEIGHT, MAX_HEIGHT = 1024, 512, 4096

    def __init__(self, ctx: Any) -> None:
        self.ctx = ctx
        self.generation = 0
        self.has_pending = False  # a glyph must be drawn in a later frame
        self._system_glyphs = 0
        self._start(self.FIRST_HEIGHT)

    def _start(self, height: int) -> None:
        """Begin with an empty atlas."""
        self._packer = ShelfPacker((self.WIDTH, height))
        self._glyphs: dict[tuple[str, int], Glyph] = {}
        self._pixels = np.zeros((height, self.WIDTH), np.uint8)
        self._make_texture()

    def _make_texture(self) -> None:
        height, width = self._pixels.shape
        self.texture = self.ctx.texture((width, height), 1, self._pixels, alignment=1)
        self.texture.filter = (moderngl.NEAREST, moderngl.NEAREST)

    def begin_frame(self) -> None:
        """Allow new glyphs of the system's fonts again."""
        self.has_pending = False
        self._system_glyphs = 0

    def glyph(self, unit: str, size: int) -> Glyph:
        """Glyph of a unit of text at a size in pixels."""
        glyph = self._glyphs.get((unit, size))
        if glyph is not None:
            return glyph
        if font_stack.needs_system_font(unit):
            self._system_glyphs += 1
            late = font_stack.system_fonts.in_background and self._system_glyphs > SYSTEM_GLYPHS_PER_FRAME
            if late or font_stack.is_pending(unit):
                self.has_pending = self.has_pending or late
                return Glyph(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, font_stack.unit_advance(unit, size))
        return self._rasterise(unit, size)

    def _rasterise(self, unit: str, size: int) -> Glyph:
        pixels, left, top = font_stack.unit_bitmap(unit, size)
        height, width = pixels.shape
        if width >= self.WIDTH or height >= self.FIRST_HEIGHT:
            pixels = np.zeros((1, 1), np.uint8)
            height = 1
            width = 1
        x, y = self._packer.allocate(width, height) or self._allocate_in_larger(width, height)
        self._pixels[y : y + height, x : x + width] = pixels
        self.texture.write(pixels.tobytes(), viewport=(x, y, width, height), alignment=1)
        glyph = Glyph(left, top, width, height, x, y, font_stack.unit_advance(unit, size))
        self._glyphs[unit, size] = glyph
        return glyph

    def _allocate_in_larger(self, width: int, height: int) -> tuple[int, int]:
        """Place in an atlas of twice the height, in which every glyph keeps its place; else in an empty one."""
        grown = 2 * len(self._pixels)
        self.texture.release()
        if grown <= self.MAX_HEIGHT:
            self._pixels = np.concatenate((self._pixels, np.zeros_like(self._pixels)))
            self._packer.size = (self.WIDTH, grown)
            self._make_texture()
        else:
            self._start(self.MAX_HEIGHT)
            self.generation += 1
        corner = self._packer.allocate(width, height)
        assert corner is not None  # no glyph is as large as the first atlas
        return corner

    def release(self) -> None:
        self.texture.release()


def signed_distance_field(inside: npt.NDArray[np.bool_], reach: int) -> npt.NDArray[np.float32]:
    """Signed distance in pixels to the outline, positive inside, clamped to +-reach. Exact, separable by rows and
    columns.
    """

    def distance_to(shape: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
        far = np.int32(reach + 1)
        row = np.arange(len(shape), dtype=np.int32)[:, None]
        above = row - np.maximum.accumulate(np.where(shape, row, -far), axis=0)
        below = np.minimum.accumulate(np.where(shape, row, np.int32(len(shape)) + far)[::-1], axis=0)[::-1] - row
        squared = np.minimum(np.minimum(above, below), far) ** 2
        best = squared.copy()
        for step in range(1, reach + 1):
            further = squared + np.int32(step * step)
            np.minimum(best[:, step:], further[:, :-step], out=best[:, step:])
            np.minimum(best[:, :-step], further[:, step:], out=best[:, :-step])
        return np.asarray(np.sqrt(best, dtype=np.float32))

    # The outline is half a pixel outside the last inner pixel.
    distance = np.where(inside, distance_to(~inside) - 0.5, 0.5 - distance_to(inside))
    return np.asarray(np.clip(distance, -reach, reach), dtype=np.float32)


@cache
def glyph_distance_field(unit: str) -> tuple[npt.NDArray[np.uint8], float, float]:
    """Distance field of a glyph at FONT_PIXELS, and its left and top from the origin on the baseline."""
    pixels, left, top = font_stack.unit_bitmap(unit, FONT_PIXELS * OUTLINE_SUPERSAMPLING)
    margin = DISTANCE_RANGE * OUTLINE_SUPERSAMPLING
    # Round up to whole texels.
    height = -(-(pixels.shape[0] + 2 * margin) // OUTLINE_SUPERSAMPLING) * OUTLINE_SUPERSAMPLING
    width = -(-(pixels.shape[1] + 2 * margin) // OUTLINE_SUPERSAMPLING) * OUTLINE_SUPERSAMPLING
    shape = np.zeros((height, width), np.bool_)
    shape[margin : margin + pixels.shape[0], margin : margin + pixels.shape[1]] = pixels > 127
    distance = signed_distance_field(shape, margin)
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
    """Distance-field atlas of a set of units of text (Green 2007). No GL.

    Sizes and positions are in texels of a font of FONT_PIXELS. picture: (side, side).
    """

    def __init__(self, units: set[str]) -> None:
        fields = {unit: glyph_distance_field(unit) for unit in sorted(units)}
        side = 256
        while (placed := self._pack(fields, side)) is None:
            side *= 2
        self.texture_size = side
        self.picture = np.zeros((side, side), np.uint8)
        self.glyphs: dict[str, Glyph] = {}
        for unit, (x, y) in placed.items():
            pixels, left, top = fields[unit]
            height, width = pixels.shape
            self.picture[y : y + height, x : x + width] = pixels
            advance = font_stack.unit_advance(unit, FONT_PIXELS)
            self.glyphs[unit] = Glyph(left, top, width, height, x, y, advance)

    @staticmethod
    def _pack(
        fields: dict[str, tuple[npt.NDArray[np.uint8], float, float]], side: int
    ) -> dict[str, tuple[int, int]] | None:
        packer = ShelfPacker((side, side))
        placed: dict[str, tuple[int, int]] = {}
        for unit in sorted(fields, key=lambda c: -fields[c][0].shape[0]):
            corner = packer.allocate(fields[unit][0].shape[1], fields[unit][0].shape[0])
            if corner is None:
                return None
            placed[unit] = corner
        return placed
