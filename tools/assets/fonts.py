"""Fonts of the game: writes the files of assets/fonts from Inter and DejaVu Sans. Needs fonttools and brotli.

    npm pack inter-ui@4.1.1 && tar xzf inter-ui-4.1.1.tgz
    npm pack dejavu-fonts-ttf@2.37.3 && tar xzf dejavu-fonts-ttf-2.37.3.tgz
    PYTHONPATH=. python -m tools.assets.fonts package/web/Inter-Regular.woff2 package/ttf/DejaVuSans.ttf

Inter (Latin, Greek, Cyrillic) keeps every character, but no alternates other than digits of one width. The pairs of
its feature `kern` are written as the old table `kern`, which the game reads without a shaping engine. DejaVu Sans adds
symbols and what Inter lacks of the scripts that need no shaping. Its licence wants another name for a changed font.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from fontTools.subset import Options, Subsetter  # type: ignore[import-not-found]
from fontTools.ttLib import TTFont, newTable  # type: ignore[import-not-found]
from fontTools.ttLib.tables._k_e_r_n import KernTable_format_0  # type: ignore[import-not-found]

FONTS = Path(__file__).resolve().parents[2] / "assets" / "fonts"
TEXT_FONT, SYMBOL_FONT = "Inter.ttf", "symbols.ttf"
SYMBOL_FONT_NAME = "Walker Symbols"
# Characters whose pairs are kerned, by script; letters with accents are kerned as their base letters.
LETTERS = (range(0x41, 0x180), range(0x386, 0x3CF), range(0x401, 0x460))
PUNCTUATION = (*range(0x21, 0x41), *range(0x5B, 0x61), *range(0x7B, 0xBF), *range(0x2010, 0x2040))
MIN_KERNING = 20  # font units of 2048 to the em; less is not seen
MAX_PAIRS = 10000  # of one table: its length has 16 bits
# Characters of the second font, where the first one lacks them.
SYMBOLS = (
    range(0x100, 0x530),  # rest of Latin, phonetic letters, combining marks, Greek, Cyrillic
    range(0x531, 0x590),  # Armenian
    range(0x5D0, 0x5F5),  # Hebrew letters
    range(0x10A0, 0x1100),  # Georgian
    range(0x1E00, 0x1F00),
    range(0x2000, 0x2800),  # punctuation, currency, letterlike, arrows, mathematics, technical, boxes, shapes, dingbats
    range(0x2900, 0x2C00),
    range(0xFFFC, 0xFFFE),
)
FORMAT_CHARACTERS = (*range(0x200B, 0x2010), *range(0x2028, 0x202F), *range(0x2060, 0x2070), 0xAD)  # nothing to draw


def subset(font: TTFont, characters: Iterable[int]) -> None:
    """Keep the characters, without alternates, hints and layout tables."""
    options = Options()
    options.layout_features = []
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "kern", "DSIG", "FFTM", "meta", "STAT"]
    options.hinting, options.notdef_outline, options.name_IDs = False, True, [0, 1, 2, 4, 5, 13, 14]
    options.glyph_names = False
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=sorted(characters))
    subsetter.subset(font)
    font.flavor = None


def use_tabular_digits(font: TTFont) -> None:
    """Give the digits the glyphs of the feature `tnum`: all have one width, so that a timer stands still."""
    layout = font["GSUB"].table
    record = next(one for one in layout.FeatureList.FeatureRecord if one.FeatureTag == "tnum")
    tables = [table for number in record.Feature.LookupListIndex for table in layout.LookupList.Lookup[number].SubTable]
    mapping = {name: other for table in tables for name, other in getattr(table, "ExtSubTable", table).mapping.items()}
    for table in font["cmap"].tables:
        for code in range(0x30, 0x3A):
            if code in table.cmap:
                table.cmap[code] = mapping.get(table.cmap[code], table.cmap[code])  # two tables may be one


def kerning_subtables(font: TTFont) -> Iterator[list[object]]:
    """Pair adjustments of each lookup of the feature `kern`."""
    layout = font["GPOS"].table
    used = sorted({
        number for record in layout.FeatureList.FeatureRecord if record.FeatureTag == "kern"
        for number in record.Feature.LookupListIndex
    })  # fmt: skip
    for number in used:
        subtables = [getattr(one, "ExtSubTable", one) for one in layout.LookupList.Lookup[number].SubTable]
        yield [one for one in subtables if type(one).__name__ == "PairPos"]


def pair_kerning(subtables: list[object], first: str, second: str) -> int:
    """Change of the distance (font units) between two glyphs: the first subtable that knows the pair decides."""
    for table in subtables:
        if first not in table.Coverage.glyphs:  # type: ignore[attr-defined]
            continue
        if table.Format == 1:  # type: ignore[attr-defined]
            pairs = table.PairSet[table.Coverage.glyphs.index(first)].PairValueRecord  # type: ignore[attr-defined]
            value = next((pair.Value1 for pair in pairs if pair.SecondGlyph == second), None)
        else:
            row = table.Class1Record[table.ClassDef1.classDefs.get(first, 0)]  # type: ignore[attr-defined]
            value = row.Class2Record[table.ClassDef2.classDefs.get(second, 0)].Value1  # type: ignore[attr-defined]
        if value is not None:
            return getattr(value, "XAdvance", 0) or 0
    return 0


def kerning_pairs(font: TTFont) -> dict[tuple[str, str], int]:
    """Kerning of the pairs of each script, and of its letters with punctuation, in font units."""
    names, pairs = font.getBestCmap(), {}
    lookups = list(kerning_subtables(font))
    for letters in LETTERS:
        codes = sorted({*letters, *PUNCTUATION} & set(names))
        glyphs = [names[code] for code in codes if not unicodedata.decomposition(chr(code))]
        for first in glyphs:
            for second in glyphs:
                value = sum(pair_kerning(lookup, first, second) for lookup in lookups)
                if abs(value) >= MIN_KERNING:
                    pairs[first, second] = value
    return pairs


def add_kern_table(font: TTFont, pairs: dict[tuple[str, str], int]) -> None:
    """Store the pairs as `kern` tables of format 0."""
    table = newTable("kern")
    table.version, table.kernTables = 0, []
    items = sorted(pairs.items())
    for start in range(0, len(items), MAX_PAIRS):
        part = KernTable_format_0()
        part.version, part.coverage, part.apple, part.tupleIndex = 0, 1, False, None
        part.kernTable = dict(items[start : start + MAX_PAIRS])
        table.kernTables.append(part)
    font["kern"] = table


def main() -> None:
    inter, dejavu = TTFont(sys.argv[1]), TTFont(sys.argv[2])
    covered = set(inter.getBestCmap())
    use_tabular_digits(inter)
    pairs = kerning_pairs(inter)
    subset(inter, covered - set(FORMAT_CHARACTERS) - set(range(0xE000, 0xF900)))
    add_kern_table(inter, pairs)
    wanted = {code for codes in SYMBOLS for code in codes} & set(dejavu.getBestCmap())
    subset(dejavu, wanted - covered - set(FORMAT_CHARACTERS))
    for record in dejavu["name"].names:
        if record.nameID in (1, 4):
            record.string = SYMBOL_FONT_NAME
    FONTS.mkdir(parents=True, exist_ok=True)
    for font, name in ((inter, TEXT_FONT), (dejavu, SYMBOL_FONT)):
        font.recalcTimestamp = False
        font.save(FONTS / name)
        print(f"{name}: {(FONTS / name).stat().st_size} bytes, {len(font.getBestCmap())} characters")
    print(f"{len(pairs)} kerning pairs")


if __name__ == "__main__":
    main()
