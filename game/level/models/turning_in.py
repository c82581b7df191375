"""What every reader ends with: triangles without area left out, neighbours put together, everything in order."""

from __future__ import annotations

import numpy as np

from game.level.models.quadding import THIN, heights, paired
from game.level.models.soup import Heap, Material, ModelError, Note, Part, Soup


def finished(
    heap: Heap,
    parts: tuple[Part, ...],
    materials: tuple[Material, ...],
    notes: tuple[Note, ...] = (),
    unit: float = 1.0,
    up: str = "y",
    metres: float | None = None,
) -> Soup:
    """The soup of a heap, its parts in order. metres: of one unit as it will most likely be placed, for the
    millimetres of the rule for quads; as `unit` where not given."""
    size = unit if metres is None else metres
    triangles, tags = heap.all_triangles()
    quads, quad_tags = heap.all_quads()
    high = heights(triangles) * size >= THIN
    degenerate = int(len(high) - high.sum())
    triangles, tags = triangles[high], tags[high]
    faces, first = paired(triangles * size, tags)
    corners = np.concatenate([quads, faces / size])
    tags = np.concatenate([quad_tags, tags[first]])
    if not len(corners):
        raise ModelError("there is no triangle with an area in it")
    order = np.argsort(tags[:, 0], kind="stable")
    count = len(triangles) + 2 * len(quads)
    return Soup(
        corners[order], tags[order, 0], tags[order, 1], parts, materials, count, degenerate, notes, unit, up
    )
