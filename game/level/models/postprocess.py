"""Last steps of every model reader: drop degenerate triangles, merge pairs into quads, sort by part."""

from __future__ import annotations

import numpy as np

from ...core.vectors import Floats, Ints
from ..geometry.ear_clipping import convex_outlines, triangulate_polygon
from ..geometry.quads_from_triangles import (
    MIN_TRIANGLE_HEIGHT,
    merge_into_quads,
    smallest_triangle_heights,
    valid_quads,
)
from .triangle_soup import ModelError, ModelMaterial, ModelNote, ModelPart, SoupBuilder, TriangleSoup

MAX_EAR_TESTS = (
    40_000  # ear tests in a file (those of polygons with 100 corners count twice): bounds the time to some 3 s
)


def add_polygons(builder: SoupBuilder, outlines: Floats, tags: Ints, metres: float, ears: int = MAX_EAR_TESTS) -> int:
    """Add polygons (M,K,3) with tags (M,2), part and material, to the soup. Valid quads stay; others are triangulated.

    ears: ear tests that may still be made. Returns the number that remains; raises ModelError if there are too few.
    """
    size = outlines.shape[1]
    if size == 3:
        builder.add_faces(outlines, tags[:, 0], tags[:, 1])
        return ears
    remaining = np.ones(len(outlines), np.bool_)
    if size == 4:
        remaining = ~valid_quads(outlines * metres)
        builder.add_faces(outlines[~remaining], tags[~remaining, 0], tags[~remaining, 1])
    fans = remaining & convex_outlines(outlines)
    fan = np.array([(0, k, k + 1) for k in range(1, size - 1)])
    builder.add_faces(outlines[fans][:, fan].reshape(-1, 3, 3), *np.repeat(tags[fans], size - 2, axis=0).T)
    for row in np.nonzero(remaining & ~fans)[0].tolist():
        triangles, tested = triangulate_polygon(outlines[row])
        ears -= tested * (1 + size // 100)
        if ears < 0:
            raise ModelError("the file has too many large non-convex faces", "triangulate it when exporting")
        builder.add_faces(outlines[row][np.array(triangles)], int(tags[row, 0]), int(tags[row, 1]))
    return ears


def finish_soup(
    builder: SoupBuilder,
    parts: tuple[ModelPart, ...],
    materials: tuple[ModelMaterial, ...],
    notes: tuple[ModelNote, ...] = (),
    unit: float = 1.0,
    up: str = "y",
    metres: float | None = None,
) -> TriangleSoup:
    """The finished soup, sorted by part. Raises ModelError if no triangle has an area.

    metres: length of one unit as the level will place it, for the millimetre tolerances of quads; `unit` by default.
    """
    size = unit if metres is None else metres
    triangles, tags = builder.all_triangles()
    quads, quad_tags = builder.all_quads()
    thick = smallest_triangle_heights(triangles) * size >= MIN_TRIANGLE_HEIGHT
    degenerate = int(len(thick) - thick.sum())
    triangles, tags = triangles[thick], tags[thick]
    faces, first = merge_into_quads(triangles * size, tags)
    corners = np.concatenate([quads, faces / size])
    tags = np.concatenate([quad_tags, tags[first]])
    if not len(corners):
        raise ModelError("the file has no triangle with an area")
    order = np.argsort(tags[:, 0], kind="stable")
    count = len(triangles) + 2 * len(quads)
    return TriangleSoup(
        corners[order], tags[order, 0], tags[order, 1], parts, materials, count, degenerate, notes, unit, up
    )
