"""Rows that change little from tick to tick, made small: each word as its difference from the row before."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

LEVEL = 6  # of zlib: 9 takes twice as long for one part in a hundred
WORDS: dict[int, np.dtype[Any]] = {4: np.dtype("<u4"), 8: np.dtype("<u8")}
SIGNED: dict[int, np.dtype[Any]] = {4: np.dtype("<i4"), 8: np.dtype("<i8")}


def pack(rows: NDArray[np.void], word: int) -> bytes:
    """The bytes of structured rows (n,) of `word`-byte words: the first row as it is, then of the others the
    differences, with their sign in the lowest bit, all first bytes before all second ones."""
    words = np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), -1).view(WORDS[word])
    signed = (words[1:] - words[:-1]).view(SIGNED[word])
    folded: NDArray[Any] = (signed << 1) ^ (signed >> (8 * word - 1))
    planes = np.ascontiguousarray(folded).view(np.uint8).reshape(len(folded), rows.itemsize).T
    return words[:1].tobytes() + np.ascontiguousarray(planes).tobytes()


def unpack(data: bytes, count: int, kind: np.dtype[np.void], word: int) -> NDArray[np.void]:
    """The rows that `pack` was given. ValueError for another number of bytes than they have."""
    if count < 1 or len(data) != count * kind.itemsize:
        raise ValueError(f"{count} rows have {count * kind.itemsize} bytes, not {len(data)}")
    first = np.frombuffer(data, WORDS[word], kind.itemsize // word).reshape(1, -1)
    planes = np.frombuffer(data, np.uint8, offset=kind.itemsize).reshape(kind.itemsize, count - 1)
    folded: NDArray[Any] = np.ascontiguousarray(planes.T).view(WORDS[word]).reshape(count - 1, kind.itemsize // word)
    change: NDArray[Any] = (folded >> 1) ^ (~(folded & 1) + 1)
    words: NDArray[Any] = np.cumsum(np.concatenate((first, change)), axis=0, dtype=WORDS[word])
    return np.ascontiguousarray(words).view(np.uint8).reshape(count, -1).view(kind).reshape(count)


def squeeze(data: bytes) -> bytes:
    """zlib."""
    return zlib.compress(data, LEVEL)


def expand(data: bytes, most: int) -> bytes:
    """What `squeeze` was given; ValueError where that is not it, or would be more than `most` bytes."""
    stream = zlib.decompressobj()
    try:
        plain = stream.decompress(data, most)
    except zlib.error as error:
        raise ValueError(f"not zlib data ({error})") from None
    if not stream.eof or stream.unused_data:
        raise ValueError("not all of the data, or more of it than there can be")
    return plain
