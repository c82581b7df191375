"""A file of checked blocks: what is whole is found again whatever was done to the rest of the file.

    file   = MAGIC block*
    block  = MARK kind size crc payload      kind 4 letters, size and crc u4 little-endian
    crc    = CRC-32 of kind, size and payload

Blocks are written one after the other and never touched again, so a file that is cut off is whole up to its last
block. One changed byte in a block is found by its CRC, and put right.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

MAGIC = b"\x89WALKER\n"  # the first byte and the last show a file that was sent as text
MARK = b"\xb1=:\xb2"
MAX_PAYLOAD = 1 << 24
_HEAD = struct.Struct("<4s4sII")
HEAD_SIZE = _HEAD.size


@dataclass(frozen=True, slots=True)
class Block:
    """A whole block; `at` is its first byte's place in the file, `mended` the place of a byte put right, or None."""

    kind: str
    payload: bytes
    at: int
    mended: int | None = None


@dataclass(frozen=True, slots=True)
class Damage:
    """`size` bytes from `at` on that are no block; `cut`: they look like the beginning of one, and the file ends."""

    at: int
    size: int
    cut: bool


def encode(kind: str, payload: bytes) -> bytes:
    """One block. ValueError for a payload over MAX_PAYLOAD bytes."""
    if len(payload) > MAX_PAYLOAD:
        raise ValueError(f"a block holds up to {MAX_PAYLOAD} bytes, not {len(payload)}")
    name = kind.encode("ascii")
    checked = struct.pack("<4sI", name, len(payload))
    return _HEAD.pack(MARK, name, len(payload), zlib.crc32(payload, zlib.crc32(checked))) + payload


def scan(data: bytes) -> Iterator[Block | Damage]:
    """What the file holds from first to last byte, whole blocks and what is none; for a file that begins with MAGIC,
    or would if it had not been damaged."""
    at = 0
    if data[: len(MAGIC)] == MAGIC or (_block(data, len(MAGIC)) is not None):
        at = len(MAGIC)
        if data[:at] != MAGIC:
            yield Damage(0, at, False)
    while at < len(data):
        block = _block(data, at)
        if block is None:
            end = _next(data, at)
            block = mend(data[at:end], at)
            if block is None:
                yield Damage(at, end - at, end == len(data) and _begun(data[at:end]))
                at = end
                continue
        yield block
        at += HEAD_SIZE + len(block.payload)


def mended_bytes(data: bytes) -> bytes:
    """The file with what could be put right put right: what a checksum over everything is taken of."""
    parts = [MAGIC]
    for found in scan(data):
        if isinstance(found, Block):
            parts.append(encode(found.kind, found.payload))
        elif found.at or found.size > len(MAGIC):
            parts.append(data[found.at : found.at + found.size])
    return b"".join(parts)


def _block(data: bytes, at: int) -> Block | None:
    """The whole block at this place, if there is one."""
    if len(data) - at < HEAD_SIZE:
        return None
    mark, name, size, crc = _HEAD.unpack_from(data, at)
    first = at + HEAD_SIZE
    if mark != MARK or size > MAX_PAYLOAD or first + size > len(data) or not name.isalpha():
        return None
    payload = data[first : first + size]
    if zlib.crc32(payload, zlib.crc32(data[at + 4 : at + 12])) != crc:
        return None
    return Block(name.decode("ascii"), payload, at)


def _next(data: bytes, at: int) -> int:
    """Where the next whole block begins, or one with one changed byte, or the end of the file."""
    place = at
    while (place := data.find(MARK, place + 1)) >= 0:
        if _block(data, place) is not None or place - at >= HEAD_SIZE:
            return place
    return len(data)


def _begun(data: bytes) -> bool:
    """Whether a block was begun here and not finished."""
    if len(data) < HEAD_SIZE:
        return MARK.startswith(data[: len(MARK)]) or data.startswith(MARK)
    return data.startswith(MARK) and _HEAD.unpack_from(data)[2] > len(data) - HEAD_SIZE


# A CRC is linear: a changed byte changes it by an amount that depends on the change and on the bytes that follow
# only. Going from the last byte to the first, that amount is traced back, and is one of 256 where the change lies.
_TABLE = [zlib.crc32(bytes([value])) ^ zlib.crc32(b"\0") for value in range(256)]
_BY_TOP = {entry >> 24: value for value, entry in enumerate(_TABLE)}
_CHANGE = {entry: value for value, entry in enumerate(_TABLE)}


def mend(data: bytes, at: int = 0) -> Block | None:
    """The block that these bytes would be if not more than one of them had been changed, else None."""
    if not HEAD_SIZE <= len(data) <= HEAD_SIZE + MAX_PAYLOAD:
        return None
    mark, name, size, crc = _HEAD.unpack_from(data)
    if mark != MARK:
        wrong = [k for k in range(len(MARK)) if data[k] != MARK[k]]
        fixed = _block(MARK + data[len(MARK) :], 0) if len(wrong) == 1 else None
        return Block(fixed.kind, fixed.payload, at, at + wrong[0]) if fixed is not None and _fits(fixed, data) else None
    checked = bytearray(data[4:12] + data[16:])
    amount = zlib.crc32(checked) ^ crc
    found: tuple[int, int] | None = None  # place in `checked`, change
    trace = amount
    for place in range(len(checked) - 1, -1, -1):
        if trace in _CHANGE:
            found = (place, _CHANGE[trace])
            break
        top = _BY_TOP[trace >> 24]
        trace = ((trace ^ _TABLE[top]) << 8 | top) & 0xFFFFFFFF
    if found is not None:
        place, change = found
        checked[place] ^= change
        where = place + 4 if place < 8 else place + 8
    elif alone := [k for k in range(4) if amount == amount & 0xFF << 8 * k]:
        where = 12 + alone[0]  # the CRC itself was changed
    else:
        return None
    name, size = struct.unpack_from("<4sI", checked)
    if size != len(checked) - 8 or not name.isalpha():
        return None
    return Block(name.decode("ascii"), bytes(checked[8:]), at, at + where)


def _fits(block: Block, data: bytes) -> bool:
    return HEAD_SIZE + len(block.payload) == len(data)
