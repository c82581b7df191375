"""Heights of a terrain: from an image, and between the places where they are known."""

from __future__ import annotations

import io
import warnings

import numpy as np

from ...format.findings import Refused, harmless
from ...geometry.faces import Floats

ENDINGS = (".png",)
MOST_BYTES = 16 * 2**20
MOST_PIXELS = 2048 * 2048  # looked at before anything is unpacked

# Pillow's modes of greyscale PNGs, and what white is in them
_WHITE = {"1": 1.0, "L": 255.0, "I;16": 65535.0, "I;16B": 65535.0, "I": 65535.0}
_CURE = "save it as a greyscale PNG of 8 or 16 bits, without transparency"


def read_image(data: bytes) -> Floats:
    """The pixels (rows from the top, columns) of a greyscale PNG, 0 black to 1 white. Raises Refused."""
    from PIL import Image, UnidentifiedImageError

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of sizes that are refused below
        try:
            with Image.open(io.BytesIO(data), formats=("PNG",)) as image:
                width, height = image.size
                if width * height > MOST_PIXELS:
                    raise Refused(
                        f"it has {width} by {height} pixels, and {MOST_PIXELS} are the most", "save it smaller"
                    )
                if min(width, height) < 2:
                    raise Refused(f"it has {width} by {height} pixels: a terrain needs two each way at least")
                if image.mode not in _WHITE:
                    raise Refused(f"it is no greyscale picture (but {harmless(image.mode, 8)})", _CURE)
                pixels: Floats = np.asarray(image, dtype=np.float64) / _WHITE[image.mode]
        except Refused:
            raise
        except UnidentifiedImageError:
            raise Refused("this is no PNG picture", _CURE) from None
        except Image.DecompressionBombError:
            raise Refused(f"it has far more pixels than {MOST_PIXELS}, the most", "save it smaller") from None
        except Exception as error:  # whatever Pillow makes of a damaged file, it is no picture
            raise Refused(f"this picture is damaged: {harmless(str(error), 100)}", "save it again") from None
    return pixels


def resampled(heights: Floats, rows: int, columns: int, curved: bool = False) -> Floats:
    """Heights (R, C) at `rows` by `columns` places, evenly from edge to edge; in between straight, or `curved`
    through all of them (Catmull and Rom's spline)."""
    return _along(_along(heights, rows, curved).T, columns, curved).T


def _along(heights: Floats, count: int, curved: bool) -> Floats:
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
