"""Measures of a picture of a level: highlights, shadows, contrast, plain walls."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFilter

from ..core.vectors import Floats, Ints

BLOCK = 32  # px: side of the blocks in which contrast is measured
BRIGHT = 0.95  # of the brightest channel
PLAIN_CONTRAST = 0.02  # of a block of a plain wall
HALO_WINDOW = 5  # samples
BLUR_RADIUS = 3  # px: removes grain, which is no contrast


@dataclass(frozen=True, slots=True)
class PictureMeasures:
    """Measures 0..1. bright: fraction of pixels above BRIGHT on surfaces, the sky left out. dark, light: 5th and 95th
    percentile of luminance. contrast: median RMS contrast of the blocks with a surface; smooth_contrast: that of the
    blurred picture. plain: largest connected part of one plane with hardly any contrast, as a fraction of the picture.
    """

    bright: float
    dark: float
    light: float
    contrast: float
    smooth_contrast: float
    plain: float

    def values(self) -> tuple[float, ...]:
        """All measures, in the order of the fields."""
        return tuple(getattr(self, field.name) for field in fields(self))


def luminance(image: npt.NDArray[np.uint8]) -> Floats:
    """Luminance (h, w) 0..1 of the sRGB values of a picture (h, w, 3)."""
    return np.asarray(image, np.float64) @ (0.2126 / 255.0, 0.7152 / 255.0, 0.0722 / 255.0)


def blocks_of(values: npt.NDArray[np.generic]) -> Floats:
    """Values (h, w) of a picture as (rows, columns, BLOCK * BLOCK); what is left over at the edges is dropped."""
    rows, columns = values.shape[0] // BLOCK, values.shape[1] // BLOCK
    kept = values[: rows * BLOCK, : columns * BLOCK].reshape(rows, BLOCK, columns, BLOCK)
    return np.asarray(kept.swapaxes(1, 2).reshape(rows, columns, -1), np.float64)


def measure_picture(image: npt.NDArray[np.uint8], planes: Ints) -> PictureMeasures:
    """Measures of a picture (h, w, 3). planes: (rows, columns) number of the plane in each block, -1 for sky."""
    grey = luminance(image)
    blurred = Image.fromarray(image).filter(ImageFilter.GaussianBlur(BLUR_RADIUS))
    seen = planes >= 0
    contrast, smooth_contrast = (_contrast(blocks_of(one)) for one in (grey, luminance(np.asarray(blurred))))
    bright = blocks_of(image.max(axis=2) > 255 * BRIGHT).mean(axis=2)
    dark, light = np.percentile(grey, (5, 95))
    middle, smooth = (float(np.median(one[seen])) if seen.any() else 0.0 for one in (contrast, smooth_contrast))
    plain = largest_part(np.where(contrast < PLAIN_CONTRAST, planes, -1)) / planes.size
    burnt = float(bright[seen].sum()) / planes.size
    return PictureMeasures(burnt, float(dark), float(light), middle, smooth, plain)


def _contrast(blocks: Floats) -> Floats:
    return np.asarray(blocks.std(axis=2) / np.maximum(blocks.mean(axis=2), 0.02))


def largest_part(planes: Ints) -> int:
    """Number of blocks of the largest connected part (four neighbours) with one number that is not negative."""
    part = np.where(planes >= 0, np.arange(planes.size).reshape(planes.shape), -1)
    while True:
        before = part.copy()
        for axis in (0, 1):
            one, two = (np.moveaxis(part, axis, 0)[cut] for cut in (slice(1, None), slice(None, -1)))
            left, right = (np.moveaxis(planes, axis, 0)[cut] for cut in (slice(1, None), slice(None, -1)))
            joined = (left == right) & (left >= 0)
            one[joined] = np.maximum(one, two)[joined]
            two[joined] = np.maximum(one, two)[joined]
        if np.array_equal(part, before):
            break
    return int(np.unique(part[part >= 0], return_counts=True)[1].max(initial=0))


def halo_width(distances: Floats, light: Floats) -> float:
    """Distance from the edge of a board at which the wall reaches 90 % of its own light, that of the last third.

    distances (n,) in metres from the edge outwards; light (n,) linear, averaged over HALO_WINDOW samples against grain.
    """
    own = float(np.median(light[2 * len(light) // 3 :]))
    smooth = np.convolve(light, np.full(HALO_WINDOW, 1.0 / HALO_WINDOW), "valid")
    reached = np.flatnonzero(smooth >= 0.9 * own)
    first = int(reached[0]) if len(reached) else len(smooth)
    return 0.0 if first == 0 else float(distances[min(first + HALO_WINDOW // 2, len(distances) - 1)])
