"""Textures whose mipmaps come from the CPU. moderngl only writes levels that the driver has generated before."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from .context import load_function

SRGB8_ALPHA8 = 0x8C43
RGBA8 = 0x8058
RGBA = 0x1908
UNSIGNED_BYTE = 0x1401
TEXTURE_2D = 0x0DE1
MIN_FILTER = 0x2801
LINEAR_MIPMAP_LINEAR = 0x2703
UNPACK_ALIGNMENT = 0x0CF5


class MipTextureWriter:
    """Allocates textures with all their levels, and writes rows of a level.

    Each call binds the texture to the current texture unit.
    """

    def __init__(self, ctx: Any) -> None:
        self.ctx = ctx
        unsigned, signed, pointer = ctypes.c_uint, ctypes.c_int, ctypes.c_void_p
        self._bind = load_function(ctx, "glBindTexture", unsigned, unsigned)
        self._set_parameter = load_function(ctx, "glTexParameteri", unsigned, unsigned, signed)
        self._set_pixel_store = load_function(ctx, "glPixelStorei", unsigned, signed)
        self._allocate_level = load_function(
            ctx, "glTexImage2D", unsigned, signed, signed, signed, signed, signed, unsigned, unsigned, pointer
        )
        self._write_rows = load_function(
            ctx, "glTexSubImage2D", unsigned, signed, signed, signed, signed, signed, unsigned, unsigned, pointer
        )

    def allocate(self, sizes: Sequence[tuple[int, int]], is_srgb: bool) -> Any:
        """Texture with levels of these (width, height), down to 1 x 1. is_srgb: samples are decoded to linear light."""
        internal_format = SRGB8_ALPHA8 if is_srgb else RGBA8
        texture = self.ctx.texture(sizes[0], 4, internal_format=internal_format)
        self._bind(TEXTURE_2D, texture.glo)
        # Before the levels: the driver then reserves the memory of all levels at once.
        self._set_parameter(TEXTURE_2D, MIN_FILTER, LINEAR_MIPMAP_LINEAR)
        for level, (width, height) in enumerate(sizes):
            self._allocate_level(TEXTURE_2D, level, internal_format, width, height, 0, RGBA, UNSIGNED_BYTE, None)
        texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        return texture

    def write(self, texture: Any, level: int, first_row: int, rows: npt.NDArray[np.uint8]) -> None:
        """Write whole rows (n, width, 4) of a level, the first at `first_row`."""
        rows = np.ascontiguousarray(rows)
        self._bind(TEXTURE_2D, texture.glo)
        self._set_pixel_store(UNPACK_ALIGNMENT, 4)
        self._write_rows(
            TEXTURE_2D, level, 0, first_row, rows.shape[1], rows.shape[0], RGBA, UNSIGNED_BYTE, rows.ctypes.data
        )
