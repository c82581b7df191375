"""Numbering of the distinct rows of an array, and of the connected parts of a graph."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle

import numpy as np
from numpy.typing import NDArray

from ...core.vectors import Floats, Indices

GOLDEN_RATIO_MULTIPLIER = 0x9E3779B97F4A7C15  # 2**64 divided by the golden ratio, odd (Fibonacci hashing)
POINT_MULTIPLIERS = (GOLDEN_RATIO_MULTIPLIER, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)  # of x, y and z


def number_unique_rows(
    rows: NDArray[np.generic], multipliers: Sequence[int] = (GOLDEN_RATIO_MULTIPLIER,)
) -> NDArray[np.int64]:
    """Number (N,) of each row of `rows` (N,K), 8-byte numbers: equal for bitwise equal rows, different for others.

    Sorts a hash of each row, which is several times faster than sorting the rows. multipliers: odd hash factors of the
    columns, repeated; the order of the numbers depends on them.
    """
    columns = np.ascontiguousarray(rows).view(np.uint64)
    key = np.zeros(len(rows), np.uint64)
    for column, multiplier in zip(columns.T, cycle(multipliers), strict=False):
        key = (key ^ column) * np.uint64(multiplier)
        key ^= key >> np.uint64(29)
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    if not (columns[first[number]] == columns).all():  # a collision: two different rows with the same hash
        _, number = np.unique(columns, axis=0, return_inverse=True)
    return number.reshape(-1).astype(np.int64)


def weld_points_exact(points: Floats) -> Indices:
    """Vertex number (P,) of points (P,3); equal points have the same number."""
    return number_unique_rows(points + 0.0, POINT_MULTIPLIERS)  # -0.0 becomes 0.0


def connected(count: int, a: Indices, b: Indices) -> Indices:
    """Label (count,) of the connected part of each node of a graph with edges a-b: the least number of its nodes."""
    label = np.arange(count)
    while True:
        least, before = np.minimum(label[a], label[b]), label.copy()
        np.minimum.at(label, a, least)
        np.minimum.at(label, b, least)
        label = label[label]
        if (label == before).all():
            return label
