"""Text in a given width: cut with an ellipsis, or wrapped into lines."""

from __future__ import annotations

from .font_stack import find_fonts, line_width
from .graphemes import split_clusters
from .line_breaking import split_word


def elide_text(text: str, width: float, size: int) -> str:
    """The text, cut to a width in pixels with `…` at the end."""
    find_fonts(text)
    if line_width(text, size) <= width:
        return text
    kept = list(split_clusters(text))
    while kept and line_width("".join(kept).rstrip() + "…", size) > width:
        kept.pop()
    return "".join(kept).rstrip() + "…"


def wrap_text(text: str, width: float, size: int, max_lines: int) -> list[str]:
    """Lines of at most `width` pixels, broken at spaces and between ideographs; what does not fit into `max_lines` is
    cut, and so is a longer word.
    """
    find_fonts(text)
    lines: list[str] = []
    line = ""
    for part in (part for word in text.replace("\n", " ").split(" ") if word for part in split_word(word)):
        longer = f"{line}{part.glue}{part.text}" if line else part.text
        if line and line_width(longer + part.hyphen, size) > width:
            lines.append(line)
            line = part.text
        else:
            line = longer
    lines.append(line)
    if len(lines) > max_lines:
        lines = [*lines[: max_lines - 1], " ".join(lines[max_lines - 1 :])]
    return [elide_text(line, width, size) for line in lines]
