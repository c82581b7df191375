"""Text in a given width: cut with an ellipsis, or wrapped into lines. A key symbol stays whole.

measure: gives the width of a text in a font size, both in pixels; without key symbols, if nothing else is given.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from .font_stack import find_fonts, line_width
from .graphemes import LinePart, split_clusters, split_word
from .key_symbols import SYMBOL_END, SYMBOL_START, has_symbols

Measure = Callable[[str, int], float]


def measure_text(text: str, size: int) -> float:
    """Width of a line, with the fonts that it needs."""
    find_fonts(text)
    return line_width(text, size)


def elide_text(text: str, size: int, max_width: float, measure: Measure = measure_text) -> str:
    """Text with its end replaced by an ellipsis where it is wider than `max_width` pixels."""
    if measure(text, size) <= max_width:
        return text
    clusters = split_clusters(text)
    for count in range(len(clusters) - 1, 0, -1):
        shortened = "".join(clusters[:count]).rstrip()
        if not _is_in_symbol(shortened) and measure(shortened + "…", size) <= max_width:
            return shortened + "…"
    return "…"


def shorten_lines(
    lines: list[str], count: int, size: int, max_width: float, measure: Measure = measure_text
) -> list[str]:
    """The first `count` lines; the last of them ends in an ellipsis where more follow."""
    if len(lines) <= count:
        return lines
    return [*lines[: count - 1], elide_text(lines[count - 1] + " …", size, max_width, measure)] if count > 0 else []


def _is_in_symbol(text: str) -> bool:
    """Whether a text ends within a key symbol."""
    return text.rfind(SYMBOL_START) > text.rfind(SYMBOL_END)


@lru_cache(maxsize=1024)
def _line_parts(paragraph: str) -> tuple[LinePart, ...]:
    """Parts of a paragraph that are not broken; a key symbol is not broken at the spaces of its label."""
    words: list[str] = []
    for word in paragraph.split(" "):
        if words and _is_in_symbol(words[-1]):
            words[-1] += " " + word
        else:
            words.append(word)
    return tuple(part for word in words for part in (split_word(word) if not has_symbols(word) else (LinePart(word),)))


def wrap_text(text: str, size: int, max_width: float, measure: Measure = measure_text) -> list[str]:
    """Break lines wider than `max_width` pixels, at spaces and between ideographs where possible."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line, hyphen, width = "", "", 0.0  # width: at most this much, but for kerning that adds some
        for part in _line_parts(paragraph):
            candidate = f"{line}{part.glue}{part.text}" if line else part.text
            width += measure(f"{part.glue}{part.text}{part.hyphen}", size)
            if width + size <= max_width or measure(candidate + part.hyphen, size) <= max_width:
                line = candidate
                hyphen = part.hyphen
                continue
            if line.strip():
                lines.append(line.rstrip(" ") + hyphen)
            line = part.text
            hyphen = part.hyphen
            while measure(line, size) > max_width and not has_symbols(line):
                fitting = _fitting_length(line, size, max_width, measure)
                if fitting == len(line):
                    break
                lines.append(line[:fitting])
                line = line[fitting:]
            width = measure(line, size)
        lines.append(line)
    return lines


def _fitting_length(line: str, size: int, max_width: float, measure: Measure) -> int:
    """Characters of the longest beginning that is not wider than `max_width`, at least one with its accents."""
    ends: list[int] = []
    for cluster in split_clusters(line):
        ends.append((ends[-1] if ends else 0) + len(cluster))
    return next((end for end in reversed(ends[:-1]) if measure(line[:end], size) <= max_width), ends[0])
