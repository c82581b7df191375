"""Mipmaps of a picture on the CPU, averaged in linear light.

A software renderer needs 15 ms of the frame for the mipmaps of 1024 x 1024 texels. Here a thread makes them, and the
frame only copies bytes. Each step averages two texels by a table with an entry for each pair of bytes.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ...core.srgb import linear_to_srgb, srgb_to_linear

Bytes = npt.NDArray[np.uint8]

MEAN_LEVEL_SIDE = 32  # texels: the mean colour is that of the first level that is not larger


@lru_cache(maxsize=2)
def _pair_table(is_colour: bool) -> Bytes:
    """Mean of two bytes a and b at index a + 256 b. is_colour: of sRGB bytes, in linear light."""
    value = np.arange(256) / 255.0
    value = srgb_to_linear(value) if is_colour else value
    mean = (value[:, None] + value[None, :]).reshape(-1) / 2.0
    return np.rint(255.0 * (linear_to_srgb(mean) if is_colour else mean)).astype(np.uint8)


def _halve(plane: Bytes, table: Bytes) -> Bytes:
    """One channel (h, w) at half the size; an odd last row or column is left out."""
    height, width = plane.shape
    if width > 1:
        pairs = np.ascontiguousarray(plane[:, : width // 2 * 2]).view("<u2")
        plane = np.take(table, pairs)
    if height > 1:
        columns = plane[1 : height // 2 * 2 : 2].astype(np.uint16)
        columns <<= 8
        columns |= plane[0 : height // 2 * 2 : 2]
        plane = np.take(table, columns)
    return plane


def build_mip_levels(pixels: Bytes, is_colour: bool) -> tuple[Bytes, ...]:
    """Levels (h, w, 4) from `pixels` down to 1 x 1, each half the size of the one before, rounded down.

    is_colour: red, green and blue are sRGB. Opacity, and pictures that are no colours, are averaged as they are.
    """
    tables = [_pair_table(is_colour)] * 3 + [_pair_table(False)]
    channels = 3 if (pixels[..., 3] == 255).all() else 4
    levels = [np.ascontiguousarray(pixels)]
    planes = [np.ascontiguousarray(pixels[..., channel]) for channel in range(channels)]
    while levels[-1].shape[:2] != (1, 1):
        planes = [_halve(plane, table) for plane, table in zip(planes, tables, strict=False)]
        level = np.full((*planes[0].shape, 4), 255, np.uint8)
        for channel, plane in enumerate(planes):
            level[..., channel] = plane
        levels.append(level)
    return tuple(levels)


def mean_colour(levels: tuple[Bytes, ...]) -> tuple[float, float, float, float]:
    """Linear mean of sRGB levels, weighted by opacity, and mean opacity; 0..1."""
    small = next(level for level in levels if max(level.shape[:2]) <= MEAN_LEVEL_SIDE)
    opacity = small[..., 3:] / 255.0
    weight = float(opacity.sum())
    linear = (srgb_to_linear(small[..., :3] / 255.0) * opacity).sum(axis=(0, 1)) / max(weight, 1e-9)
    return (float(linear[0]), float(linear[1]), float(linear[2]), weight / opacity.size)
