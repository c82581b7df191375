"""Heights of a terrain: from an image, and between the places where they are known."""

from __future__ import annotations

import io
import warnings

import numpy as np

from ....core.vectors import Floats
from ...format.findings import InputError, sanitize_text

IMAGE_EXTENSIONS = (".png",)
MAX_IMAGE_BYTES = 16 * 2**20
MAX_IMAGE_PIXELS = 2048 * 2048  # looked at before anything is unpacked

# Pillow's modes of greyscale PNGs, and what white is in them
_WHITE_VALUE = {"1": 1.0, "L": 255.0, "I;16": 65535.0, "I;16B": 65535.0, "I": 65535.0}
_IMAGE_CURE = "save it as a greyscale PNG of 8 or 16 bits, without transparency"


def read_image(data: bytes) -> Floats:
    """The pixels (rows from the top, columns) of a greyscale PNG, 0 black to 1 white. Raises Refused."""
    from PIL import Image, UnidentifiedImageError

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of sizes that are refused below
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
        except Exception as error:  # whatever Pillow makes of a damaged file, it is no picture
            raise InputError(f"the picture is damaged: {sanitize_text(str(error), 100)}", "save it again") from None
    return pixels


def resample_heights(heights: Floats, rows: int, columns: int, curved: bool = False) -> Floats:
    """Heights (R, C) at `rows` by `columns` places, evenly from edge to edge; in between straight, or `curved`
    through all of them (Catmull and Rom's spline)."""
    return _resample_axis(_resample_axis(heights, rows, curved).T, columns, curved).T


def _resample_axis(heights: Floats, count: int, curved: bool) -> Floats:
    last = len(heights) - 1
    place = np.linspace(0.0, last, count)
    before = np.minimum(place.astype(np.int64), last - 1)
    part = (place - before)[:, None]
    here, there = heights[before], heights[before + 1]
    if not curved:
        straight: Floats = here + (there - here) * part
        return straight
    # beyond the rim it goes on as straight as it came
    past = np.where((before > 0)[:, None], heights[np.maximum(before - 1, 0)], 2 * here - there)
    next_ = np.where((before + 2 <= last)[:, None], heights[np.minimum(before + 2, last)], 2 * there - here)
    slope, slope_there = (there - past) / 2, (next_ - here) / 2
    square, cube = part * part, part * part * part
    bent: Floats = (
        (2 * cube - 3 * square + 1) * here
        + (cube - 2 * square + part) * slope
        + (3 * square - 2 * cube) * there
        + (cube - square) * slope_there
    )
    return bent
