"""Places where a line may break: at spaces, zero-width spaces and soft hyphens, in paths, and between ideographs.

A part of Unicode UAX #14. A no-break space, a narrow one and a word joiner hold what is beside them together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from .graphemes import SOFT_HYPHEN, split_clusters

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
