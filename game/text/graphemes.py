"""Units of text as they are drawn: a character with its accents, or a word of a script whose letters join.

A text is composed (Unicode NFC) first. A line with letters that run from right to left is put into the order in which
it is drawn. Sources: Unicode UAX #29 (clusters), UAX #9 (order). Of UAX #9 this has one level of embedding, no isolates
and no brackets as pairs.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache

ZERO_WIDTH_NON_JOINER, ZERO_WIDTH_JOINER, SOFT_HYPHEN = "\u200c", "\u200d", "\u00ad"
MAX_JOINED = 24  # characters of a unit: a longer word of joined letters is drawn in parts
# Scripts whose letters change beside each other: Arabic to N'Ko, Indic to Myanmar, Khmer, Mongolian, Balinese and more.
_JOINED = ((0x600, 0x8FF), (0x900, 0x109F), (0x1780, 0x18AF), (0x1A20, 0x1AAF), (0x1B00, 0x1BFF), (0xA800, 0xABFF))
_MIRRORED = str.maketrans("()[]{}<>«»‹›≤≥", ")(][}{><»«›‹≥≤")


def is_blank(char: str) -> bool:
    """Whether a character is a space of any kind or a line break."""
    return char.isspace()


def is_ignorable(char: str) -> bool:
    """Whether a character has no picture of its own: format and control characters, variation selectors."""
    return (
        unicodedata.category(char) in ("Cf", "Cc", "Cs")
        or "\ufe00" <= char <= "\ufe0f"
        or "\U000e0100" <= char <= "\U000e01ef"
        or char == "\u034f"
    )


def is_mark(char: str) -> bool:
    """Whether a character is drawn on the one before it."""
    return unicodedata.category(char)[0] == "M"


@cache
def is_joined_letter(char: str) -> bool:
    """Whether a character belongs to a script whose letters change their shape beside each other."""
    return any(low <= ord(char) <= high for low, high in _JOINED) and unicodedata.category(char)[0] in "LM"


@lru_cache(maxsize=2048)
def split_clusters(text: str) -> tuple[str, ...]:
    """Characters with their accents, in the order of the text, which stays as it is: what a key erases at once."""
    if text.isascii():
        return tuple(text)
    clusters: list[str] = []
    for char in text:
        joins = is_mark(char) or char in (ZERO_WIDTH_JOINER, ZERO_WIDTH_NON_JOINER) or "\ufe00" <= char <= "\ufe0f"
        if clusters and (joins or clusters[-1][-1] == ZERO_WIDTH_JOINER) and not is_blank(clusters[-1][0]):
            clusters[-1] += char
        else:
            clusters.append(char)
    return tuple(clusters)


def clean_text(text: str, length: int) -> str:
    """Text that a person typed or a file holds, as one line is kept: composed (NFC), with ordinary spaces, without
    control characters, and of at most `length` characters without a letter that lost its accents.
    """
    spaced = "".join(" " if unicodedata.category(char) == "Zs" else char for char in text)
    kept = "".join(c for c in spaced if c.isprintable() or c in (ZERO_WIDTH_JOINER, ZERO_WIDTH_NON_JOINER))
    composed = unicodedata.normalize("NFC", kept)
    if len(composed) <= length:
        return composed
    end = 0
    for cluster in split_clusters(composed):
        if end + len(cluster) > length:
            break
        end += len(cluster)
    return composed[:end]


@lru_cache(maxsize=4096)
def drawn_units(line: str, joins: bool = True) -> tuple[str, ...]:
    """Units of a line from left to right. joins: make one unit of the letters of a word that change beside each other,
    for a font engine that shapes them.
    """
    if line.isascii():
        return tuple(line) if line.isprintable() else tuple(char for char in line if char.isprintable())
    units: list[str] = []
    for cluster in split_clusters(unicodedata.normalize("NFC", line)):
        joined = joins and is_joined_letter(cluster[0])
        kept = "".join(char for char in cluster if not is_ignorable(char) or (joined and "\u200c" <= char <= "\u200d"))
        if not kept:
            continue
        last = units[-1] if units else ""
        if joined and last and is_joined_letter(last[0]) and len(last) + len(kept) <= MAX_JOINED \
                and is_right_to_left(last) == is_right_to_left(kept):  # fmt: skip
            units[-1] += kept
        else:
            units.append(kept)
    return tuple(_in_drawn_order(units)) if any(map(is_right_to_left, units)) else tuple(units)


@cache
def is_right_to_left(unit: str) -> bool:
    """Whether a unit runs from right to left."""
    return unicodedata.bidirectional(unit[0]) in ("R", "AL")


def _with_number_marks(kinds: list[str]) -> list[str]:
    """Bidirectional classes of units; the marks of 10:30, 3.5, 50% and $5 get that of numbers (rules W2, W4 and W5)."""
    last = ""
    for index, kind in enumerate(kinds):
        last = kind if kind in ("L", "R", "AL") else last
        if kind == "EN" and last == "AL":
            kinds[index] = "AN"
    for index in range(1, len(kinds) - 1):
        around = kinds[index - 1]
        if around == kinds[index + 1] and (kinds[index], around) in (("ES", "EN"), ("CS", "EN"), ("CS", "AN")):
            kinds[index] = around
    for order in (range(1, len(kinds)), range(len(kinds) - 2, -1, -1)):
        for index in order:
            if kinds[index] == "ET" and kinds[index - order.step] == "EN":
                kinds[index] = "EN"
    return kinds


def _in_drawn_order(units: list[str]) -> list[str]:
    """Units from left to right: levels of UAX #9, and the reversal of each run (rule L2)."""
    kinds = _with_number_marks([unicodedata.bidirectional(unit[0]) for unit in units])
    strong = ["R" if kind in ("R", "AL") else "L" if kind == "L" else "" for kind in kinds]
    base = 1 if next((kind for kind in strong if kind), "L") == "R" else 0
    sides = list(strong)
    last = "R" if base else "L"
    for index, kind in enumerate(kinds):  # numbers count as letters of their side, but run from left to right
        last = strong[index] or last
        if kind in ("EN", "AN"):
            sides[index] = last
    levels = [base] * len(units)
    for index, side in enumerate(sides):
        is_number = kinds[index] in ("EN", "AN")
        if side:
            levels[index] = (2 if is_number else 1) if side == "R" else 2 * base
            continue
        before = next((s for s in reversed(sides[:index]) if s), "R" if base else "L")
        after = next((s for s in sides[index + 1 :] if s), "R" if base else "L")
        if before == after:
            levels[index] = 1 if before == "R" else 2 * base
    units = [u.translate(_MIRRORED) if levels[index] % 2 else u for index, u in enumerate(units)]
    order = list(range(len(units)))
    for level in range(max(levels), 0, -1):
        start = 0
        while start < len(order):
            end = start
            while end < len(order) and levels[order[end]] >= level:
                end += 1
            order[start:end] = reversed(order[start:end])
            start = end + 1
    return [units[index] for index in order]


# ---- Line breaks


ZERO_WIDTH_SPACE = "\u200b"
_IDEOGRAPHS = ((0x2E80, 0x2FFF), (0x3003, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF),
               (0xFF00, 0xFFEF), (0x20000, 0x3FFFF))  # fmt: skip
# Marks that no line begins with, and marks that no line ends with.
_NOT_FIRST = (
    "、。，．・：；！？）］｝」』】〉》〕〗〙〛’”…‥ー゛゜々〻ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ!?,.:;)]}%％℃°"
)
_NOT_LAST = "（［｛「『【〈《〔〖〘〚‘“([{$£¥＄￥￡"
_BREAKING_SPACES = "\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u205f\u3000"


@dataclass(frozen=True, slots=True)
class LinePart:
    """Text that is not broken. glue: between it and the part before it on a line. hyphen: at a line end after it."""

    text: str
    glue: str = " "
    hyphen: str = ""


def is_ideograph(char: str) -> bool:
    """Whether a line may break before and after a character: Han, Kana, Bopomofo and full-width forms."""
    return any(low <= ord(char) <= high for low, high in _IDEOGRAPHS)


@lru_cache(maxsize=1024)
def split_word(word: str) -> tuple[LinePart, ...]:
    """Parts of a text without ordinary spaces; the first has a space before it."""
    if word.isascii() and "/" not in word:
        return (LinePart(word),)
    parts: list[LinePart] = []
    text, glue = "", " "
    clusters = split_clusters(word)
    for index, cluster in enumerate(clusters):
        if cluster in (ZERO_WIDTH_SPACE, SOFT_HYPHEN) or cluster in _BREAKING_SPACES:
            hyphen = "-" if cluster == SOFT_HYPHEN else ""
            parts.append(LinePart(text, glue, hyphen))
            text, glue = "", cluster if cluster in _BREAKING_SPACES else ""
            continue
        text += cluster
        if index + 1 < len(clusters) and _breaks_between(cluster, clusters[index + 1]):
            parts.append(LinePart(text, glue))
            text, glue = "", ""
    return (*parts, LinePart(text, glue))


def _breaks_between(first: str, second: str) -> bool:
    """Whether a line may break between two clusters without a space."""
    if first == "/":
        return second[0].isalpha()  # paths; no fractions
    if not (is_ideograph(first[0]) or is_ideograph(second[0])):
        return False
    if second[0] in _NOT_FIRST or first[-1] in _NOT_LAST:
        return False
    held = "\u00a0\u202f\u2007\u2060\ufeff"
    return first[-1] not in held and second[0] not in held
