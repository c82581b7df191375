"""Heightmaps of terrain: greyscale images, and resampling."""

from __future__ import annotations

import io
import warnings

import numpy as np

from ....core.vectors import Floats
from ...format.findings import InputError, sanitize_text

IMAGE_EXTENSIONS = (".png",)
MAX_IMAGE_BYTES = 16 * 2**20
MAX_IMAGE_PIXELS = 2048 * 2048  # checked before decompression

# by Pillow mode of greyscale PNGs: the value of white
_WHITE_VALUE = {"1": 1.0, "L": 255.0, "I;16": 65535.0, "I;16B": 65535.0, "I": 65535.0}
_IMAGE_CURE = "save it as a greyscale PNG of 8 or 16 bits, without transparency"


def read_image(data: bytes) -> Floats:
    """Pixels (rows from the top, columns) of a greyscale PNG, 0 black to 1 white. Raises InputError."""
    from PIL import Image, UnidentifiedImageError

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about sizes that are rejected below
        try:
            with Image.open(io.BytesIO(data), formats=("PNG",)) as image:
                width, height = image.size
                if width * height > MAX_IMAGE_PIXELS:
                    raise InputError(
                        f"the picture has {width} by {height} pixels, more than {MAX_IMAGE_PIXELS}", "save it smaller"
                    )
                if min(width, height) < 2:
                    raise InputError(f"the picture has {width} by {height} pixels; a terrain needs at least 2 by 2")
                if image.mode not in _WHITE_VALUE:
                    raise InputError(f"the picture is {sanitize_text(image.mode, 8)}, not greyscale", _IMAGE_CURE)
                pixels: Floats = np.asarray(image, dtype=np.float64) / _WHITE_VALUE[image.mode]
        except InputError:
            raise
        except UnidentifiedImageError:
            raise InputError("the file is not a PNG picture", _IMAGE_CURE) from None
        except Image.DecompressionBombError:
            raise InputError(f"the picture has far more than {MAX_IMAGE_PIXELS} pixels", "save it smaller") from None
        except Exception as error:  # Pillow raises many types for damaged files
            raise InputError(f"the picture is damaged: {sanitize_text(str(error), 100)}", "save it again") from None
    return pixels


def resample_heights(heights: Floats, rows: int, columns: int, curved: bool = False) -> Floats:
    """Heights (R,C) on a grid of `rows` by `columns` from edge to edge.

    Bilinear, or Catmull-Rom splines through all heights if `curved`.
    """
    return _resample_axis(_resample_axis(heights, rows, curved).T, columns, curved).T


def _resample_axis(heights: Floats, count: int, curved: bool) -> Floats:
    """Resampling along the first axis at `count` evenly spaced positions."""
    last = len(heights) - 1
    position = np.linspace(0.0, last, count)
    before = np.minimum(position.astype(np.int64), last - 1)
    t = (position - before)[:, None]
    left, right = heights[before], heights[before + 1]
    if not curved:
        linear: Floats = left + (right - left) * t
        return linear
    # beyond the border: linear extrapolation
    previous = np.where((before > 0)[:, None], heights[np.maximum(before - 1, 0)], 2 * left - right)
    following = np.where((before + 2 <= last)[:, None], heights[np.minimum(before + 2, last)], 2 * right - left)
    slope_left, slope_right = (right - previous) / 2, (following - left) / 2
    square, cube = t * t, t * t * t
    cubic: Floats = (
        (2 * cube - 3 * square + 1) * left
        + (cube - 2 * square + t) * slope_left
        + (3 * square - 2 * cube) * right
        + (cube - square) * slope_right
    )
    return cubic
