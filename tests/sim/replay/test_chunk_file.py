"""Blocks on a file: cut anywhere, changed anywhere, and what is left of it."""

from __future__ import annotations

import random

import pytest

from game.sim.replay import chunk_file
from game.sim.replay.chunk_file import DamagedRange, FileChunk

CONTENTS = [("HEAD", b'{"format": 1}' * 7), ("TICK", random.Random(1).randbytes(300)), ("DONE", b""), ("TICK", b"x")]
FILE = chunk_file.MAGIC + b"".join(chunk_file.encode_chunk(*content) for content in CONTENTS)


def read(data):
    found = list(chunk_file.scan_chunks(data))
    return [(b.kind, b.payload) for b in found if isinstance(b, FileChunk)], [
        d for d in found if isinstance(d, DamagedRange)
    ]


def test_what_was_written_is_read():
    assert read(FILE) == (CONTENTS, [])


@pytest.mark.parametrize("change", [0x01, 0x80, 0xFF])
def test_any_one_changed_byte_is_found_and_loses_its_block_alone(change):
    ends = [len(chunk_file.MAGIC)]
    for content in CONTENTS:
        ends.append(ends[-1] + len(chunk_file.encode_chunk(*content)))
    for place in range(len(FILE)):
        data = bytearray(FILE)
        data[place] ^= change
        whole, damages = read(bytes(data))
        lost = sum(end <= place for end in ends)  # 0: the first bytes of the file
        assert whole == [content for number, content in enumerate(CONTENTS, 1) if number != lost], place
        assert len(damages) == 1
        assert damages[0].offset == (0, *ends)[lost]


def test_cut_off_anywhere_the_blocks_before_are_whole():
    ends = [len(chunk_file.MAGIC)]
    for content in CONTENTS:
        ends.append(ends[-1] + len(chunk_file.encode_chunk(*content)))
    for length in range(len(FILE) + 1):
        whole, damages = read(FILE[:length])
        complete = sum(end <= length for end in ends[1:])
        assert whole == CONTENTS[:complete], length
        if length not in (0, *ends):
            assert len(damages) == 1
            assert damages[0].truncated or length < len(chunk_file.MAGIC)
        else:
            assert damages == []


def test_two_changed_bytes_lose_their_block_and_no_other():
    rng = random.Random(2)
    first = len(chunk_file.MAGIC) + len(chunk_file.encode_chunk(*CONTENTS[0]))
    for _ in range(300):
        data = bytearray(FILE)
        a, b = rng.sample(range(first, first + len(chunk_file.encode_chunk(*CONTENTS[1]))), 2)
        data[a] ^= rng.randrange(1, 256)
        data[b] ^= rng.randrange(1, 256)
        whole, damages = read(bytes(data))
        assert whole == [CONTENTS[0], *CONTENTS[2:]]
        assert damages


def test_bytes_taken_out_or_put_in_lose_no_other_block():
    rng = random.Random(3)
    for _ in range(200):
        at = rng.randrange(150, 400)
        less = FILE[:at] + FILE[at + rng.randrange(1, 30) :]
        more = FILE[:at] + rng.randbytes(rng.randrange(1, 30)) + FILE[at:]
        for data in (less, more):
            whole, _ = read(data)
            assert whole[0] == CONTENTS[0]
            assert whole[-2:] == CONTENTS[-2:]


def test_noise_is_no_block():
    rng = random.Random(4)
    for size in (1, 7, 8, 16, 100, 5000):
        whole, damages = read(chunk_file.MAGIC + rng.randbytes(size))
        assert whole == []
        assert sum(damage.size for damage in damages) == size
    with pytest.raises(ValueError, match="holds up to"):
        chunk_file.encode_chunk("TICK", bytes(chunk_file.MAX_CHUNK_PAYLOAD + 1))
