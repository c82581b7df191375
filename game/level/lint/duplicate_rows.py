"""Which rows of numbers are the same."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

HASH_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # odd, its bits well spread (the golden ratio's)


def number_unique_rows(rows: NDArray[np.generic]) -> NDArray[np.int64]:
    """(N,): a number for each of N rows of 8-byte numbers, the same for equal rows and for no others. By a hash of
    each row: sorting the rows themselves takes several times as long."""
    columns = np.ascontiguousarray(rows).view(np.uint64)
    key = np.zeros(len(rows), np.uint64)
    for column in columns.T:
        key = (key ^ column) * HASH_MULTIPLIER
        key ^= key >> np.uint64(29)
    _, first, ids = np.unique(key, return_index=True, return_inverse=True)
    if not (columns[first[ids]] == columns).all():  # two rows with one hash
        _, ids = np.unique(columns, axis=0, return_inverse=True)
    return ids.reshape(-1)
