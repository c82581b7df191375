"""What every reader ends with: triangles without area left out, neighbours put together, everything in order."""

from __future__ import annotations

import numpy as np

from ...core.vectors import Floats, Ints
from ..geometry.ear_clipping import convex_outlines, triangulate_polygon
from ..geometry.quads_from_triangles import MIN_TRIANGLE_HEIGHT, least_triangle_heights, merge_into_quads, valid_quads
from .triangle_soup import ModelError, ModelMaterial, ModelNote, ModelPart, SoupBuilder, TriangleSoup

MAX_EAR_TESTS = 40_000  # looked at in a file, those of a hundred corners twice, which bounds time: some 3 s


def add_polygons(heap: SoupBuilder, outlines: Floats, tags: Ints, metres: float, ears: int = MAX_EAR_TESTS) -> int:
    """Outlines (M,K,3) with part and material (M,2) into the heap: quads by the rule as they are, others cut.

    Gives the ears that are left to be looked at; ModelError where they do not suffice.
    """
    size = outlines.shape[1]
    if size == 3:
        heap.add_faces(outlines, tags[:, 0], tags[:, 1])
        return ears
    rest = np.ones(len(outlines), np.bool_)
    if size == 4:
        rest = ~valid_quads(outlines * metres)
        heap.add_faces(outlines[~rest], tags[~rest, 0], tags[~rest, 1])
    fans = rest & convex_outlines(outlines)
    fan = np.array([(0, k, k + 1) for k in range(1, size - 1)])
    heap.add_faces(outlines[fans][:, fan].reshape(-1, 3, 3), *np.repeat(tags[fans], size - 2, axis=0).T)
    for row in np.nonzero(rest & ~fans)[0].tolist():
        triangles, looked = triangulate_polygon(outlines[row])
        ears -= looked * (1 + size // 100)
        if ears < 0:
            raise ModelError("the file has too many large non-convex faces", "triangulate it when exporting")
        heap.add_faces(outlines[row][np.array(triangles)], int(tags[row, 0]), int(tags[row, 1]))
    return ears


def finish_soup(
    heap: SoupBuilder,
    parts: tuple[ModelPart, ...],
    materials: tuple[ModelMaterial, ...],
    notes: tuple[ModelNote, ...] = (),
    unit: float = 1.0,
    up: str = "y",
    metres: float | None = None,
) -> TriangleSoup:
    """The soup of a heap, its parts in order. metres: of one unit as it will most likely be placed, for the
    millimetres of the rule for quads; as `unit` where not given."""
    size = unit if metres is None else metres
    triangles, tags = heap.all_triangles()
    quads, quad_tags = heap.all_quads()
    high = least_triangle_heights(triangles) * size >= MIN_TRIANGLE_HEIGHT
    degenerate = int(len(high) - high.sum())
    triangles, tags = triangles[high], tags[high]
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
