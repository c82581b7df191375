"""Chunk file: checked blocks that are found again when other parts of the file are damaged.

    file   = MAGIC block*
    block  = MARK kind size crc payload      kind 4 letters, size and crc u4 little-endian
    crc    = CRC-32 of kind, size and payload

Blocks are appended and never changed, so a truncated file is complete up to its last block. The CRC finds one changed
byte in a block and repairs it.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

MAGIC = b"\x89WALKER\n"  # first and last byte reveal a transfer as text
CHUNK_MARK = b"\xb1=:\xb2"
MAX_CHUNK_PAYLOAD = 1 << 24
_CHUNK_HEADER = struct.Struct("<4s4sII")
CHUNK_HEADER_SIZE = _CHUNK_HEADER.size


@dataclass(frozen=True, slots=True)
class FileChunk:
    """A valid block; offset: of its first byte in the file; repaired_at: offset of a repaired byte, or None."""

    kind: str
    payload: bytes
    offset: int
    repaired_at: int | None = None


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
            block = repair_chunk(data[at:end], at)
            if block is None:
                yield DamagedRange(at, end - at, end == len(data) and _is_truncated_chunk(data[at:end]))
                at = end
                continue
        yield block
        at += CHUNK_HEADER_SIZE + len(block.payload)


def repaired_bytes(data: bytes) -> bytes:
    """The file with repaired bytes, for a checksum over everything."""
    blocks = [MAGIC]
    for chunk in scan_chunks(data):
        if isinstance(chunk, FileChunk):
            blocks.append(encode_chunk(chunk.kind, chunk.payload))
        elif chunk.offset or chunk.size > len(MAGIC):
            blocks.append(data[chunk.offset : chunk.offset + chunk.size])
    return b"".join(blocks)


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
    """Offset of the next block, valid or with one changed byte, or the end of the file."""
    offset = at
    while (offset := data.find(CHUNK_MARK, offset + 1)) >= 0:
        if _chunk_at(data, offset) is not None or offset - at >= CHUNK_HEADER_SIZE:
            return offset
    return len(data)


def _is_truncated_chunk(data: bytes) -> bool:
    """Whether a block begins here that the file does not complete."""
    if len(data) < CHUNK_HEADER_SIZE:
        return CHUNK_MARK.startswith(data[: len(CHUNK_MARK)]) or data.startswith(CHUNK_MARK)
    return data.startswith(CHUNK_MARK) and _CHUNK_HEADER.unpack_from(data)[2] > len(data) - CHUNK_HEADER_SIZE


# A CRC is linear: a changed byte changes it by an amount that depends on the change and on the bytes that follow
# only. Going from the last byte to the first, that amount is traced back, and is one of 256 where the change lies.
_CRC_TABLE = [zlib.crc32(bytes([value])) ^ zlib.crc32(b"\0") for value in range(256)]
_CRC_INDEX_BY_TOP_BYTE = {entry >> 24: value for value, entry in enumerate(_CRC_TABLE)}
_BYTE_BY_CRC_CHANGE = {entry: value for value, entry in enumerate(_CRC_TABLE)}


def repair_chunk(data: bytes, at: int = 0) -> FileChunk | None:
    """The block that these bytes would be if not more than one of them had been changed, else None."""
    if not CHUNK_HEADER_SIZE <= len(data) <= CHUNK_HEADER_SIZE + MAX_CHUNK_PAYLOAD:
        return None
    mark, name, size, crc = _CHUNK_HEADER.unpack_from(data)
    if mark != CHUNK_MARK:
        changed = [k for k in range(len(CHUNK_MARK)) if data[k] != CHUNK_MARK[k]]
        repaired = _chunk_at(CHUNK_MARK + data[len(CHUNK_MARK) :], 0) if len(changed) == 1 else None
        return (
            FileChunk(repaired.kind, repaired.payload, at, at + changed[0])
            if repaired is not None and CHUNK_HEADER_SIZE + len(repaired.payload) == len(data)
            else None
        )
    checked = bytearray(data[4:12] + data[16:])
    crc_change = zlib.crc32(checked) ^ crc
    change_at: tuple[int, int] | None = None  # place in `checked`, change
    trace = crc_change
    for index in range(len(checked) - 1, -1, -1):
        if trace in _BYTE_BY_CRC_CHANGE:
            change_at = (index, _BYTE_BY_CRC_CHANGE[trace])
            break
        top = _CRC_INDEX_BY_TOP_BYTE[trace >> 24]
        trace = ((trace ^ _CRC_TABLE[top]) << 8 | top) & 0xFFFFFFFF
    if change_at is not None:
        index, change = change_at
        checked[index] ^= change
        repaired_offset = index + 4 if index < 8 else index + 8
    elif changed_crc_bytes := [k for k in range(4) if crc_change == crc_change & 0xFF << 8 * k]:
        repaired_offset = 12 + changed_crc_bytes[0]  # the CRC itself was changed
    else:
        return None
    name, size = struct.unpack_from("<4sI", checked)
    if size != len(checked) - 8 or not name.isalpha():
        return None
    return FileChunk(name.decode("ascii"), bytes(checked[8:]), at, at + repaired_offset)
