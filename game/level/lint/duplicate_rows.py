"""Grouping of equal rows of an array."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

HASH_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2**64 divided by the golden ratio, odd (Fibonacci hashing)


def number_unique_rows(rows: NDArray[np.generic]) -> NDArray[np.int64]:
    """Group number (N,) of each row of `rows` (N,K), 8-byte numbers: equal for equal rows and different for others.

    Sorts a hash of each row, which is several times faster than sorting the rows.
    """
    columns = np.ascontiguousarray(rows).view(np.uint64)
    key = np.zeros(len(rows), np.uint64)
    for column in columns.T:
        key = (key ^ column) * HASH_MULTIPLIER
        key ^= key >> np.uint64(29)
    _, first, ids = np.unique(key, return_index=True, return_inverse=True)
    if not (columns[first[ids]] == columns).all():  # a collision: two different rows with the same hash
        _, ids = np.unique(columns, axis=0, return_inverse=True)
    return ids.reshape(-1)
