"""Tables of a TrueType or OpenType file: which characters it has, and the kerning of pairs. Source: OpenType 1.9."""

from __future__ import annotations

import os
import struct
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..core.errors import WalkerError

MAX_TABLE_BYTES = 8_000_000
COLLECTION = b"ttcf"
OUTLINES = ("glyf", "CFF ", "CFF2")  # a font with none of them has pictures of one size, which cannot be scaled


class FontTableError(WalkerError, ValueError):
    """The file is no font, or it is damaged."""


@dataclass(frozen=True, slots=True)
class CharacterMap:
    """Glyph numbers by character: segments of `cmap` format 4 or groups of format 12.

    ends, starts: code points of each segment, ascending. deltas: added to a code for its glyph. offsets: of format 4,
    in bytes from the place in `offset_table` to the glyph number; 0 for none.
    """

    ends: tuple[int, ...]
    starts: tuple[int, ...]
    deltas: tuple[int, ...]
    offsets: tuple[int, ...] = ()
    offset_table: bytes = b""

    def glyph(self, code: int) -> int:
        """Glyph number of a code point; 0 where the font has none."""
        segment = bisect_left(self.ends, code)
        if segment == len(self.ends) or code < self.starts[segment]:
            return 0
        offset = self.offsets[segment] if self.offsets else 0
        if not offset:
            glyph = code + self.deltas[segment]
            return glyph & 0xFFFF if self.offsets else glyph
        place = 2 * segment + offset + 2 * (code - self.starts[segment])
        if place + 2 > len(self.offset_table):
            return 0
        glyph = int.from_bytes(self.offset_table[place : place + 2], "big")
        return (glyph + self.deltas[segment]) & 0xFFFF if glyph else 0


@dataclass(frozen=True, slots=True)
class FontTables:
    """Characters of a font, and the kerning of pairs of glyphs in em, by 65536 * first + second."""

    characters: CharacterMap
    kerning: Mapping[int, float] = field(default_factory=dict)

    def has(self, char: str) -> bool:
        return self.characters.glyph(ord(char)) != 0

    def pair_kerning(self, first: str, second: str) -> float:
        """Change of the distance between two characters, em."""
        if not self.kerning:
            return 0.0
        pair = 65536 * self.characters.glyph(ord(first)) + self.characters.glyph(ord(second))
        return self.kerning.get(pair, 0.0)


def read_font_tables(path: str | os.PathLike[str]) -> FontTables:
    """Tables of the first font of a file. Raises FontTableError, also where it has no outlines or no characters."""
    try:
        with open(path, "rb") as file:
            start = 0
            head = file.read(16)
            if head[:4] == COLLECTION:
                start = int.from_bytes(head[12:16], "big")
            file.seek(start)
            (count,) = struct.unpack(">4xH6x", file.read(12))
            entries = struct.iter_unpack(">4s4xII", file.read(16 * count))
            places = {tag.decode("latin-1"): (offset, length) for tag, offset, length in entries}
            if not any(tag in places for tag in OUTLINES):
                raise FontTableError("no outlines")
            tables = {}
            for tag in ("head", "cmap", "kern"):
                offset, length = places.get(tag, (0, 0))
                if length > MAX_TABLE_BYTES:
                    raise FontTableError(f"the table {tag} is too large")
                file.seek(offset)
                tables[tag] = file.read(length) if length else b""
        characters = _read_character_map(tables["cmap"])
        (units,) = struct.unpack_from(">H", tables["head"], 18)
        return FontTables(characters, _read_kerning(tables["kern"], max(1, units)))
    except (OSError, struct.error, IndexError) as error:
        raise FontTableError(str(error)) from None


def _read_character_map(cmap: bytes) -> CharacterMap:
    """Largest Unicode subtable of a `cmap` table."""
    (count,) = struct.unpack_from(">2xH", cmap)
    best: dict[int, int] = {}  # place by format
    for number in range(count):
        platform, encoding, place = struct.unpack_from(">HHI", cmap, 4 + 8 * number)
        if platform == 0 or (platform == 3 and encoding in (1, 10)):
            best.setdefault(struct.unpack_from(">H", cmap, place)[0], place)
    if 12 in best:
        place = best[12]
        (groups,) = struct.unpack_from(">12xI", cmap, place)
        if 12 * groups > len(cmap):
            raise FontTableError("the table cmap is damaged")
        values = struct.unpack_from(f">{3 * groups}I", cmap, place + 16)
        starts, ends, glyphs = values[0::3], values[1::3], values[2::3]
        return CharacterMap(ends, starts, tuple(glyph - start for glyph, start in zip(glyphs, starts, strict=True)))
    if 4 in best:
        place = best[4]
        (double,) = struct.unpack_from(">6xH", cmap, place)
        segments = double // 2
        ends = struct.unpack_from(f">{segments}H", cmap, place + 14)
        starts = struct.unpack_from(f">{segments}H", cmap, place + 16 + double)
        deltas = struct.unpack_from(f">{segments}H", cmap, place + 16 + 2 * double)
        at = place + 16 + 3 * double
        offsets = struct.unpack_from(f">{segments}H", cmap, at)
        return CharacterMap(ends, starts, deltas, offsets, cmap[at:])
    raise FontTableError("no Unicode characters")


def _read_kerning(kern: bytes, units: int) -> dict[int, float]:
    """Pairs of the horizontal subtables of format 0 of a `kern` table, em."""
    pairs: dict[int, float] = {}
    if len(kern) < 4 or kern[:2] != b"\0\0":
        return pairs
    (count,) = struct.unpack_from(">2xH", kern)
    place = 4
    for _ in range(count):
        length, coverage, number = struct.unpack_from(">2xHHH", kern, place)
        if coverage & 0xFF07 == 1:
            for pair, value in struct.iter_unpack(">Ih", kern[place + 14 : place + 14 + 6 * number]):
                pairs[pair] = value / units
        place += length
    return pairs
