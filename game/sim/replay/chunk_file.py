"""Chunk file: checked blocks that are found again when other parts of the file are damaged; and their content, rows
coded as differences and compressed.

    file   = MAGIC block*
    block  = MARK kind size crc payload      kind 4 letters, size and crc u4 little-endian
    crc    = CRC-32 of kind, size and payload

Blocks are appended and never changed, so a truncated file is complete up to its last block.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAGIC = b"\x89WALKER\n"  # first and last byte reveal a transfer as text
CHUNK_MARK = b"\xb1=:\xb2"
MAX_CHUNK_PAYLOAD = 1 << 24
_CHUNK_HEADER = struct.Struct("<4s4sII")
CHUNK_HEADER_SIZE = _CHUNK_HEADER.size
ZLIB_LEVEL = 6  # level 9 takes twice as long for 1 % less
UNSIGNED_WORDS: dict[int, np.dtype[Any]] = {4: np.dtype("<u4"), 8: np.dtype("<u8")}
SIGNED_WORDS: dict[int, np.dtype[Any]] = {4: np.dtype("<i4"), 8: np.dtype("<i8")}


@dataclass(frozen=True, slots=True)
class FileChunk:
    """A valid block; offset: of its first byte in the file."""

    kind: str
    payload: bytes
    offset: int


@dataclass(frozen=True, slots=True)
class DamagedRange:
    """`size` bytes from `offset` on that are no block; truncated: a block begins there and the file ends in it."""

    offset: int
    size: int
    truncated: bool


def encode_chunk(kind: str, payload: bytes) -> bytes:
    """A block. ValueError for a payload over MAX_CHUNK_PAYLOAD bytes."""
    if len(payload) > MAX_CHUNK_PAYLOAD:
        raise ValueError(f"a block holds up to {MAX_CHUNK_PAYLOAD} bytes, not {len(payload)}")
    name = kind.encode("ascii")
    checked = struct.pack("<4sI", name, len(payload))
    return _CHUNK_HEADER.pack(CHUNK_MARK, name, len(payload), zlib.crc32(payload, zlib.crc32(checked))) + payload


def scan_chunks(data: bytes) -> Iterator[FileChunk | DamagedRange]:
    """The blocks and damaged ranges of a file from its first to its last byte. The file begins with MAGIC, damaged or
    not.
    """
    at = 0
    if data[: len(MAGIC)] == MAGIC or (_chunk_at(data, len(MAGIC)) is not None):
        at = len(MAGIC)
        if data[:at] != MAGIC:
            yield DamagedRange(0, at, False)
    while at < len(data):
        block = _chunk_at(data, at)
        if block is None:
            end = _next_chunk_offset(data, at)
            yield DamagedRange(at, end - at, end == len(data) and _is_truncated_chunk(data[at:end]))
            at = end
        else:
            yield block
            at += CHUNK_HEADER_SIZE + len(block.payload)


def _chunk_at(data: bytes, at: int) -> FileChunk | None:
    """The block at an offset, if there is a valid one."""
    if len(data) - at < CHUNK_HEADER_SIZE:
        return None
    mark, name, size, crc = _CHUNK_HEADER.unpack_from(data, at)
    first = at + CHUNK_HEADER_SIZE
    if mark != CHUNK_MARK or size > MAX_CHUNK_PAYLOAD or first + size > len(data) or not name.isalpha():
        return None
    payload = data[first : first + size]
    if zlib.crc32(payload, zlib.crc32(data[at + 4 : at + 12])) != crc:
        return None
    return FileChunk(name.decode("ascii"), payload, at)


def _next_chunk_offset(data: bytes, at: int) -> int:
    """Offset of the next valid block, or the end of the file."""
    while (at := data.find(CHUNK_MARK, at + 1)) >= 0:
        if _chunk_at(data, at) is not None:
            return at
    return len(data)


def _is_truncated_chunk(data: bytes) -> bool:
    """Whether a block begins here that the file does not complete."""
    if len(data) < CHUNK_HEADER_SIZE:
        return CHUNK_MARK.startswith(data[: len(CHUNK_MARK)]) or data.startswith(CHUNK_MARK)
    return data.startswith(CHUNK_MARK) and _CHUNK_HEADER.unpack_from(data)[2] > len(data) - CHUNK_HEADER_SIZE


def encode_deltas(rows: NDArray[np.void], word: int) -> bytes:
    """Bytes of structured rows (n,) of `word`-byte words: the first row unchanged, then the differences of the others
    with the sign in the lowest bit; all first bytes before all second bytes.
    """
    words = np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), -1).view(UNSIGNED_WORDS[word])
    signed = (words[1:] - words[:-1]).view(SIGNED_WORDS[word])
    folded: NDArray[Any] = (signed << 1) ^ (signed >> (8 * word - 1))
    planes = np.ascontiguousarray(folded).view(np.uint8).reshape(len(folded), rows.itemsize).T
    return words[:1].tobytes() + np.ascontiguousarray(planes).tobytes()


def decode_deltas(data: bytes, count: int, kind: np.dtype[np.void], word: int) -> NDArray[np.void]:
    """Rows of `encode_deltas`. ValueError for a wrong number of bytes."""
    if count < 1 or len(data) != count * kind.itemsize:
        raise ValueError(f"{count} rows have {count * kind.itemsize} bytes, not {len(data)}")
    first = np.frombuffer(data, UNSIGNED_WORDS[word], kind.itemsize // word).reshape(1, -1)
    planes = np.frombuffer(data, np.uint8, offset=kind.itemsize).reshape(kind.itemsize, count - 1)
    folded: NDArray[Any] = (
        np.ascontiguousarray(planes.T).view(UNSIGNED_WORDS[word]).reshape(count - 1, kind.itemsize // word)
    )
    change: NDArray[Any] = (folded >> 1) ^ (~(folded & 1) + 1)
    words: NDArray[Any] = np.cumsum(np.concatenate((first, change)), axis=0, dtype=UNSIGNED_WORDS[word])
    return np.ascontiguousarray(words).view(np.uint8).reshape(count, -1).view(kind).reshape(count)


def compress_bytes(data: bytes) -> bytes:
    return zlib.compress(data, ZLIB_LEVEL)


def decompress_bytes(data: bytes, max_bytes: int) -> bytes:
    """Decompress `compress_bytes`; ValueError for other bytes, or for a result over `max_bytes` bytes."""
    stream = zlib.decompressobj()
    try:
        plain = stream.decompress(data, max_bytes)
    except zlib.error as error:
        raise ValueError(f"not zlib data ({error})") from None
    if not stream.eof or stream.unused_data:
        raise ValueError("not all of the data, or more of it than there can be")
    return plain
