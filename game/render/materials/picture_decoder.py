"""Decoder of pictures: the bytes of a PNG, JPEG or WebP file to texels with mipmaps. No GL."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.srgb import linear_to_srgb, srgb_to_linear
from ...level.materials import PictureSource
from ...level.materials.picture_file import PICTURE_FORMATS, check_picture, read_picture_bytes, read_picture_header
from ...level.materials.texture_memory import reduced_size

# Names in Pillow of what makes a picture of Exif orientation 2 to 8 upright
_TRANSPOSITIONS = (
    "FLIP_LEFT_RIGHT", "ROTATE_180", "FLIP_TOP_BOTTOM", "TRANSPOSE", "ROTATE_270", "TRANSVERSE", "ROTATE_90",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TextureKey:
    """Texture of a picture. is_colour: its texels are sRGB; the same picture as data (normals, roughness) is another
    texture. is_nearest: it is sampled without a filter.
    """

    source: PictureSource
    is_colour: bool = True
    is_nearest: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class DecodedPicture:
    """Texels of a picture.

    levels: (h, w, 4), the picture and its mipmaps down to 1 x 1, top row first. mean: linear colour, weighted by
    opacity, and mean opacity; 0..1.
    """

    levels: tuple[Bytes, ...]
    mean: tuple[float, float, float, float]

    @property
    def memory(self) -> int:
        """Bytes of all levels."""
        return sum(level.nbytes for level in self.levels)


def decode_picture(key: TextureKey, longest: int, powers_of_two: bool = False) -> DecodedPicture | None:
    """Texels of a picture, reduced to at most `longest` texels a side; None if it cannot be read.

    powers_of_two: change the sides to the nearest powers of two, unless the picture is sampled without a filter. A
    software renderer compiles a shader when it first meets other sizes, which takes 0.1 s.
    """
    source = key.source
    try:
        data = read_picture_bytes(source)
        header = read_picture_header(io.BytesIO(data), 0, len(data), source.path.suffix.lower() == ".tga")
        check_picture(header)
        pixels = _read_pixels(data, longest, powers_of_two and not key.is_nearest, header.orientation)
        pixels = _keep_channels(pixels, source.channels)
        if key.is_colour:
            pixels = _fill_transparent(pixels)
        levels = build_mip_levels(pixels, key.is_colour)
        return DecodedPicture(levels, mean_colour(levels))
    except Exception:  # Pillow and its plugins raise many types for damaged files; `check` says what is wrong
        return None


def _read_pixels(data: bytes, longest: int, powers_of_two: bool, orientation: int = 1) -> Bytes:
    """Decoded pixels (h, w, 4), upright. orientation: see `PictureHeader`."""
    from PIL import Image

    with Image.open(io.BytesIO(data), formats=PICTURE_FORMATS) as file:
        stored = reduced_size(*file.size, longest)
        if powers_of_two:
            stored = 1 << round(math.log2(stored[0])), 1 << round(math.log2(stored[1]))
        file.draft("RGB", stored)  # a JPEG is decoded at a reduced size
        image = _sixteen_bits_to_eight(file) if file.mode.startswith("I") else file
        image = image.convert("RGBA")
    if image.size != stored:
        image = image.resize(stored, Image.Resampling.LANCZOS)
    if orientation > 1:
        image = image.transpose(Image.Transpose[_TRANSPOSITIONS[orientation - 2]])
    return np.frombuffer(image.tobytes(), np.uint8).reshape(image.height, image.width, 4)


def _keep_channels(pixels: Bytes, channels: str) -> Bytes:
    """The pixels with 255 in all channels but these of "rgba"; as they are if there are none."""
    if not channels:
        return pixels
    kept = pixels.copy()
    for number, channel in enumerate("rgba"):
        if channel not in channels:
            kept[..., number] = 255
    return kept


def _sixteen_bits_to_eight(image: Any) -> Any:
    """Grey picture of 8 bits from one of 16; Pillow's own conversion cuts off all that is above 255."""
    from PIL import Image

    return Image.fromarray((np.asarray(image).astype(np.int64) >> 8).clip(0, 255).astype(np.uint8))


def _fill_transparent(pixels: Bytes) -> Bytes:
    """Give texels without opacity the mean colour of the others: the filter mixes them in along the edges."""
    is_clear = pixels[..., 3] == 0
    if not is_clear.any() or is_clear.all():
        return pixels
    filled = pixels.copy()
    filled[is_clear, :3] = np.rint(pixels[~is_clear, :3].mean(axis=0)).astype(np.uint8)
    return filled


# Mipmaps of a picture on the CPU, averaged in linear light. A software renderer needs 15 ms of the frame for those of
# 1024 x 1024 texels. Here a thread makes them, and the frame only copies bytes. Each step averages two texels by a
# table with an entry for each pair of bytes.

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
