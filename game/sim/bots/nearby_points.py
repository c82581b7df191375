"""Fixed-radius near neighbours: pairs of points that are near each other in plan, by a grid of columns."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from .places import Points

MAX_PAIRS = 1 << 17  # pairs in memory at once, unless one point has more: 3 MB of offsets
CELL_MARGIN = 1e-9  # of the distance: margin for the rounding of a cell index
_ROW_STRIDE = 1 << 31  # of a cell index; a plan has fewer cells along an axis


def nearby_pairs(
    points: Points, others: Points, distance: float
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Index arrays (i, j) of candidate pairs: every pair closer than `distance` (m) in plan, and some further ones.

    points (n,3), others (m,3). The pairs come in blocks of about MAX_PAIRS, by column of the points.
    """
    side = distance * (1.0 + CELL_MARGIN)
    order, keys = _sort_by_column(others, side)
    point_order, _ = _sort_by_column(points, side)
    cell = np.floor(points[point_order][:, ::2] / side).astype(np.int64)
    column = cell[:, 0] * _ROW_STRIDE + cell[:, 1]
    rows = np.array((-1, 0, 1)) * _ROW_STRIDE
    first = np.searchsorted(keys, column[:, None] + rows - 1, "left")  # columns z - 1 to z + 1 are consecutive
    count = np.searchsorted(keys, column[:, None] + rows + 1, "right") - first
    total = np.concatenate([[0], count.sum(axis=1).cumsum()])
    begin = 0
    while begin < len(points):
        end = max(begin + 1, int(np.searchsorted(total, total[begin] + MAX_PAIRS, "right")) - 1)
        starts = first[begin:end].ravel()
        counts = count[begin:end].ravel()
        within = np.arange(total[end] - total[begin]) - np.repeat(counts.cumsum() - counts, counts)
        i = np.repeat(point_order[begin:end], count[begin:end].sum(axis=1))
        yield i, order[np.repeat(starts, counts) + within]
        begin = end


def _sort_by_column(points: Points, side: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Order of points by column of the grid, and the sorted keys of the columns."""
    cell = np.floor(points[:, ::2] / side).astype(np.int64)
    key = cell[:, 0] * _ROW_STRIDE + cell[:, 1]
    order = np.argsort(key, kind="stable")
    return order, key[order]
