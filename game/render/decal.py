"""Decal: a picture on an upright rectangle in the world, as plain data. No GL."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ..core.angles import RADIANS_PER_HEADING_UNIT
from ..core.vectors import Vector

MAX_FILE_BYTES = 16 << 20  # of a picture file
MAX_SOURCE_PIXELS = 40_000_000  # width times height of a picture file; a larger one is not decoded
MAX_SIDE = 2048  # pixels of a DecalPicture; OpenGL 3.3 has textures of at least 1024 and in practice 8192


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class DecalPicture:
    """Picture of a decal: pixels (height, width, 4) uint8, sRGB and opacity, top row first.

    Compared by identity: the renderer keeps one texture for each object. Raises ValueError for another shape or type,
    and for sides outside 1..MAX_SIDE.
    """

    pixels: npt.NDArray[np.uint8]

    def __post_init__(self) -> None:
        pixels = self.pixels
        if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 4:
            raise ValueError(f"a picture is (height, width, 4) uint8, not {pixels.shape} {pixels.dtype}")
        if not all(1 <= side <= MAX_SIDE for side in pixels.shape[:2]):
            raise ValueError(f"a picture has 1 to {MAX_SIDE} pixels a side, not {pixels.shape[1]} x {pixels.shape[0]}")
        object.__setattr__(self, "pixels", np.ascontiguousarray(pixels))


@dataclass(frozen=True, slots=True)
class Decal:
    """Picture in the world, seen from its front.

    at: centre, metres. heading: direction that it faces (65536 per turn). width, height: metres. The
    picture has its own colours in any light.
    """

    picture: DecalPicture
    at: Vector
    heading: int
    width: float
    height: float

    def axes(self) -> tuple[Vector, Vector, Vector]:
        """Unit vectors right (as seen by a viewer), up and outward."""
        angle = self.heading * RADIANS_PER_HEADING_UNIT
        sine, cosine = math.sin(angle), math.cos(angle)
        return (-cosine, 0.0, sine), (0.0, 1.0, 0.0), (-sine, 0.0, -cosine)


def read_picture(path: str | Path, max_size: tuple[int, int] = (1024, 1024)) -> DecalPicture | None:
    """Picture of an image file, reduced to fit into `max_size` (width, height); None if it cannot be read.

    A file that is missing, damaged, no image or too large gives None and never an error.
    """
    from PIL import Image

    try:
        if Path(path).stat().st_size > MAX_FILE_BYTES:
            return None
        with Image.open(path) as file:
            if file.width * file.height > MAX_SOURCE_PIXELS:
                return None
            file.draft("RGB", max_size)  # a JPEG is decoded at a reduced size
            image = file.convert("RGBA")
        image.thumbnail(max_size, Image.Resampling.LANCZOS)
        return DecalPicture(np.array(image))
    except (OSError, ValueError, SyntaxError, MemoryError, Image.DecompressionBombError):
        return None
