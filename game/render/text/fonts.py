"""Metrics and line breaks of text in pixels; a line may hold key symbols."""

from __future__ import annotations

import math
from functools import cache, partial

from ...text import fitting
from ...text.font_stack import LINE_FACTOR, font_metrics, line_width
from ...text.key_symbols import has_symbols, split_symbols
from .symbol_shapes import symbol_width

GROUP_SEPARATOR = "   ·   "  # between the parts of a hint


def text_width(text: str, size: int) -> float:
    """Width of a line in pixels, key symbols included."""
    if has_symbols(text):
        parts = split_symbols(text)
        return sum(symbol_width(part, size) if is_symbol else line_width(part, size) for is_symbol, part in parts)
    return line_width(text, size)


@cache
def line_height(size: int) -> int:
    """Baseline distance in pixels."""
    return math.ceil(sum(font_metrics(size)) * LINE_FACTOR)


wrap_text = partial(fitting.wrap_text, measure=text_width)
elide_text = partial(fitting.elide_text, measure=text_width)
shorten_lines = partial(fitting.shorten_lines, measure=text_width)


def wrap_groups(text: str, size: int, max_width: float) -> list[str]:
    """Break a line at its separators (`   ·   `), which are dropped there; a group that is too wide, at spaces."""
    lines: list[str] = []
    for group in text.split(GROUP_SEPARATOR):
        candidate = f"{lines[-1]}{GROUP_SEPARATOR}{group}" if lines else group
        if lines and text_width(candidate, size) <= max_width:
            lines[-1] = candidate
        else:
            lines += wrap_text(group, size, max_width)
    return lines


def wrap_balanced(text: str, size: int, max_width: float) -> list[str]:
    """As few lines as `wrap_text` makes, of about equal width."""
    lines = wrap_text(text, size, max_width)
    low, high = max_width / len(lines) * 0.8, max_width
    while len(lines) > 1 and high - low > size:
        middle = (low + high) / 2
        tried = wrap_text(text, size, middle)
        if len(tried) == len(lines) and all(text_width(line, size) <= max_width for line in tried):
            lines, high = tried, middle
        else:
            low = middle
    return lines
