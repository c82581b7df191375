"""Visible triangles of faces with their texture coordinates, vertex colours and normals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.vectors import Floats, Indices, Ints
from .faces import FaceArrays, set_read_only
from .quads import SECOND_DIAGONAL, kept_triangles, triangle_corners
from .vertex_arrays import Bytes


@dataclass(frozen=True, slots=True)
class DrawnTriangles:
    """Triangles (K,3,3) and the face (K,) of each. uv (K,3,2), colours (K,3,4), normals (K,3,3): None without any."""

    triangles: Floats
    face: Ints
    uv: Floats | None
    colours: Bytes | None
    normals: Floats | None


def split_for_drawing(faces: FaceArrays, chosen: Indices) -> DrawnTriangles:
    """Triangles of the chosen faces: as `split_into_triangles` has them, but with seams where they were."""
    corners = faces.corners[chosen]
    triangular = faces.is_triangle[chosen]
    order = triangle_corners(corners, triangular)
    seam = None if faces.seam is None else faces.seam[chosen]
    if seam is not None:
        order[seam] = SECOND_DIAGONAL
    keep = kept_triangles(triangular)

    def split(values: npt.NDArray[Any], at_seam: npt.NDArray[Any] | None) -> Any:
        width = values.shape[-1]
        rows = np.take_along_axis(values, order[:, :, None], axis=1).reshape(-1, 2, 3, width)
        if seam is not None and at_seam is not None:
            rows[seam, 1, 0], rows[seam, 1, 2] = at_seam[chosen[seam]].swapaxes(0, 1)
        return np.ascontiguousarray(rows.reshape(-1, 3, width)[keep])

    def split_if_any(values: npt.NDArray[Any] | None, at_seam: npt.NDArray[Any] | None) -> Any:
        return None if values is None else set_read_only(split(values[chosen], at_seam))

    face = np.repeat(chosen.astype(np.int32), 2)[keep]
    return DrawnTriangles(
        split(corners, None),
        face,
        split_if_any(faces.uv, faces.seam_uv),
        split_if_any(faces.vertex_colours, faces.seam_colours),
        split_if_any(faces.vertex_normals, faces.seam_normals),
    )
