"""Optional arrays of the corners of faces: texture coordinates, colours and normals. An unused array is None.

A face of two triangles with a seam between them (another picture detail on each side, as in a texture atlas) has two
values at its corners 1 and 3: those of the triangle 0-1-3 in `uv`, and those of the triangle 1-2-3 in `seam_uv`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.vectors import Flags, Floats, Indices

Bytes = npt.NDArray[np.uint8]
Vertices = dict[str, npt.NDArray[Any] | None]


class VertexArray(NamedTuple):
    """Shape of a face's part of an array, type of its numbers, and value for faces that do not have it."""

    shape: tuple[int, ...]
    dtype: type[np.generic]
    missing: float


# By field of FaceArrays.
VERTEX_ARRAYS = {
    "uv": VertexArray((4, 2), np.float64, np.nan),
    "vertex_colours": VertexArray((4, 4), np.uint8, 255),
    "vertex_normals": VertexArray((4, 3), np.float64, np.nan),
    "texture_frame": VertexArray((3, 3), np.float64, np.nan),
    "seam": VertexArray((), np.bool_, 0),
    "seam_uv": VertexArray((2, 2), np.float64, np.nan),
    "seam_colours": VertexArray((2, 4), np.uint8, 255),
    "seam_normals": VertexArray((2, 3), np.float64, np.nan),
}


def select_vertices(faces: object, mask: Flags | Indices) -> Vertices:
    """The arrays of the faces in a mask, or with these numbers."""
    return {name: None if (array := getattr(faces, name)) is None else array[mask] for name in VERTEX_ARRAYS}


def tile_vertices(faces: object, count: int) -> Vertices:
    """The arrays of `count` copies in a row."""
    return {
        name: None if (array := getattr(faces, name)) is None else np.tile(array, (count, *[1] * (array.ndim - 1)))
        for name in VERTEX_ARRAYS
    }


def join_vertices(blocks: Sequence[Any]) -> Vertices:
    """The arrays of blocks of faces in order. Faces of blocks without an array get its value for missing ones."""
    joined: Vertices = {}
    for name, (shape, dtype, missing) in VERTEX_ARRAYS.items():
        arrays = [getattr(block, name) for block in blocks]
        if any(array is not None for array in arrays):
            joined[name] = np.concatenate(
                [
                    np.full((len(block), *shape), missing, dtype) if array is None else array
                    for block, array in zip(blocks, arrays, strict=True)
                ]
            )
    return joined


def scale_normals(normals: Floats | None, factors: Floats) -> Floats | None:
    """Unit normals (..., 3) after scaling along the axes: divided by the factors. Zero factors leave NaN."""
    if normals is None:
        return None
    with np.errstate(all="ignore"):
        scaled = normals / factors
        unit: Floats = scaled / np.linalg.norm(scaled, axis=-1, keepdims=True)
    return unit
