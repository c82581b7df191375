"""Numbers by a seed from an integer hash of our own: the same for ever, on every machine, in any order of questions.

The mixing function is that of SplitMix64 (Steele, Lea, Flood, 2014): a bijection of 64-bit integers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

STEP = 0x9E3779B97F4A7C15
FIRST_FACTOR, SECOND_FACTOR = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
MASK = (1 << 64) - 1


def mixed(value: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The mixed integers (n,)."""
    value = value + np.uint64(STEP)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(FIRST_FACTOR)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(SECOND_FACTOR)
    return value ^ (value >> np.uint64(31))


def hashed(*keys: ArrayLike) -> NDArray[np.uint64]:
    """(n,) hashes of integers; each key is one for all or (n,)."""
    value = np.zeros(1, np.uint64)
    for key in keys:
        whole = np.array([key & MASK], np.uint64) if isinstance(key, int) else np.atleast_1d(np.asarray(key))
        value = mixed(value ^ (whole if whole.dtype == np.uint64 else whole.astype(np.int64).view(np.uint64)))
    return value


def below(count: ArrayLike, *keys: ArrayLike) -> NDArray[np.int64]:
    """(n,) numbers 0 to count - 1 by a hash of keys; count: one or (n,), at most 2^31."""
    high = hashed(*keys) >> np.uint64(32)
    drawn: NDArray[np.int64] = ((high * np.asarray(count).astype(np.uint64)) >> np.uint64(32)).astype(np.int64)
    return drawn


class Numbers:
    """A sequence of numbers by a seed."""

    def __init__(self, *keys: int) -> None:
        self._keys, self._count = keys, 0

    def below(self, count: int) -> int:
        """A number 0 to count - 1."""
        self._count += 1
        return int(below(count, *self._keys, self._count)[0])

    def between(self, low: float, high: float, step: float = 0.05) -> float:
        """A number of the steps from low to high."""
        return round(low + step * self.below(round((high - low) / step) + 1), 6)

    def chance(self, percent: int) -> bool:
        """True in so many of a hundred."""
        return self.below(100) < percent
