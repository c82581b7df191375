"""Palette of a GIF: one for the whole movie, and pictures as indices into it with ordered dithering.

Error diffusion changes the noise of each frame, so that pixels of a resting picture change all the time and compress
badly. An ordered pattern (Bayer 1973) stays where it is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

SAMPLE_FRAMES = 24  # frames of the movie that the palette is made of
SAMPLE_HEIGHT = 120  # px
LOOKUP_BITS = 6  # of each colour channel in the lookup table
TRANSPARENT = 255  # index of pixels that stay as they are
MAX_COLOURS = 255
_BAYER_4 = np.array(((0, 8, 2, 10), (12, 4, 14, 6), (3, 11, 1, 9), (15, 7, 13, 5)), np.float32)


class GifPalette:
    """A palette of at most 255 colours. `colours`: (256, 3) u1, with an unused last one."""

    def __init__(self, samples: Sequence[NDArray[np.uint8]], count: int = MAX_COLOURS) -> None:
        """samples: pictures (height, width, 3) of one width."""
        from PIL import Image

        montage = Image.fromarray(np.concatenate(list(samples)))
        chosen = montage.quantize(min(count, MAX_COLOURS), method=Image.Quantize.MEDIANCUT, kmeans=2)
        flat = np.array(chosen.getpalette() or [0, 0, 0], np.uint8).reshape(-1, 3)[: min(count, MAX_COLOURS)]
        self.colours = np.zeros((256, 3), np.uint8)
        self.colours[: len(flat)] = flat
        self._lookup = self._nearest_colours(flat)
        # Half the mean distance of neighbouring colours: more is visible as a pattern, less shows bands.
        self.dither_strength = float(np.clip(96.0 / max(len(flat), 1) ** (1.0 / 3.0), 4.0, 24.0))

    @staticmethod
    def _nearest_colours(flat: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Index of the nearest colour for each cell of the lookup table."""
        steps = np.arange(1 << LOOKUP_BITS, dtype=np.float32) * (255.0 / ((1 << LOOKUP_BITS) - 1))
        cells = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
        weights = np.sqrt(np.array((0.30, 0.59, 0.11), np.float32))  # of brightness, roughly as the eye
        colours = flat.astype(np.float32) * weights
        squares = (colours * colours).sum(axis=1)
        nearest = np.empty(len(cells), np.uint8)
        for first in range(0, len(cells), 16384):
            block = cells[first : first + 16384] * weights
            nearest[first : first + 16384] = (squares - 2.0 * block @ colours.T).argmin(axis=1)
        return nearest

    def indices(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The picture (height, width, 3) as palette indices (height, width), with ordered dithering."""
        height, width, _ = image.shape
        pattern = (np.tile(_BAYER_4, (height // 4 + 1, width // 4 + 1))[:height, :width] + 0.5) / 16.0 - 0.5
        offset = np.round(pattern * self.dither_strength).astype(np.int16)[..., None]
        cells = np.clip(image.astype(np.int16) + offset, 0, 255) >> (8 - LOOKUP_BITS)
        places = (cells[..., 0].astype(np.int32) << (2 * LOOKUP_BITS)) + (cells[..., 1].astype(np.int32) << LOOKUP_BITS)
        found: NDArray[np.uint8] = self._lookup[places + cells[..., 2]]
        return found
