"""Font metrics, glyph bitmaps and distance fields of Pillow's embedded font."""

from __future__ import annotations

import math
import unicodedata
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from ...core.key_symbols import SYMBOL_END, SYMBOL_START, has_symbols, split_symbols
from . import symbol_shapes

GROUP_SEPARATOR = "   ·   "  # between the parts of a hint
SYMBOL_HEIGHT = 1.26  # of the font size
SYMBOL_MARGIN = 0.06  # of the font size, at the left and right of a symbol
SYMBOL_TEXT_SIZE = 0.80  # of the font size: letters in a symbol
MISSING_CHARACTER = "\uffff"  # a noncharacter: every font draws its missing-glyph mark
SUBSTITUTES = {"×": "x", "–": "-", "—": "-", "−": "-", "→": ">", "←": "<", "•": "·", "✓": "+", "≤": "<", "≥": ">"}


@cache
def load_font(size: int) -> Any:
    """Font of a size in pixels."""
    return ImageFont.load_default(size)


@cache
def substitute_glyph(char: str) -> str:
    """`char` if the font has it, else a similar character, its base letter, or '?'."""
    if char == " " or has_glyph(char):
        return char
    for other in (SUBSTITUTES.get(char, ""), unicodedata.normalize("NFKD", char)[:1]):
        if other and has_glyph(other):
            return other
    return "?"


@cache
def has_glyph(char: str) -> bool:
    """Whether the font has a glyph for `char`."""
    if ord(char) < 32:
        return False
    face = load_font(32)
    return bool(bytes(face.getmask(char)) != bytes(face.getmask(MISSING_CHARACTER)) or char == " ")


@cache
def glyph_advance(char: str, size: int) -> float:
    """Advance width in pixels."""
    return float(load_font(size).getlength(substitute_glyph(char)))


def text_width(text: str, size: int) -> float:
    """Width of a line in pixels, key symbols included."""
    if has_symbols(text):
        parts = split_symbols(text)
        return sum(symbol_width(part, size) if is_symbol else text_width(part, size) for is_symbol, part in parts)
    return sum(glyph_advance(char, size) for char in text)


def symbol_text_size(size: int) -> int:
    """Font size in pixels of the letters in a symbol."""
    return max(1, round(SYMBOL_TEXT_SIZE * size))


@cache
def symbol_width(label: str, size: int) -> float:
    """Width of the picture of a key in pixels, with its margins."""
    shape = symbol_shapes.symbol_shape(label)
    height = SYMBOL_HEIGHT * size
    if shape.kind == symbol_shapes.MOUSE:
        width = 0.74 * height
    elif shape.kind in (symbol_shapes.ROUND_BUTTON, symbol_shapes.STICK, symbol_shapes.DPAD):
        width = height
    else:
        width = max(1.1 * height, text_width(shape.text, symbol_text_size(size)) + 0.72 * size)
    return width + 2 * SYMBOL_MARGIN * size


@cache
def line_height(size: int) -> int:
    """Baseline distance in pixels."""
    above, below = load_font(size).getmetrics()
    return math.ceil(float(above + below) * 1.12)


@cache
def font_ascent(size: int) -> int:
    """Pixels from the top of a line to its baseline."""
    return int(load_font(size).getmetrics()[0])


def glyph_bitmap(char: str, size: int, bold: int = 0) -> tuple[npt.NDArray[np.uint8], int, int]:
    """Coverage (h, w) of a glyph, and its left and top from the origin on the baseline (down is positive). bold: stroke
    width in pixels on each side.
    """
    letter = substitute_glyph(char)
    box = load_font(size).getbbox(letter, anchor="ls", stroke_width=bold)
    left, top, right, bottom = int(box[0]) - 1, int(box[1]) - 1, int(box[2]) + 1, int(box[3]) + 1
    image = Image.new("L", (max(1, right - left), max(1, bottom - top)))
    ImageDraw.Draw(image).text((-left, -top), letter, fill=255, font=load_font(size), anchor="ls", stroke_width=bold)
    return np.asarray(image, dtype=np.uint8), left, top


def _words(paragraph: str) -> list[str]:
    """Words between spaces; a key symbol is not broken at the spaces of its label."""
    words: list[str] = []
    for word in paragraph.split(" "):
        if words and words[-1].rfind(SYMBOL_START) > words[-1].rfind(SYMBOL_END):
            words[-1] += " " + word
        else:
            words.append(word)
    return words


def wrap_text(text: str, size: int, max_width: float) -> list[str]:
    """Break lines wider than `max_width` pixels, at spaces where possible."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in _words(paragraph):
            candidate = f"{line} {word}" if line else word
            if text_width(candidate, size) <= max_width:
                line = candidate
                continue
            if line.strip():
                lines.append(line.rstrip())
            line = word
            while text_width(line, size) > max_width and len(line) > 1 and not has_symbols(line):
                fitting = next(
                    n for n in range(len(line) - 1, 0, -1) if n == 1 or text_width(line[:n], size) <= max_width
                )
                lines.append(line[:fitting])
                line = line[fitting:]
        lines.append(line)
    return lines


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


def signed_distance_field(inside: npt.NDArray[np.bool_], reach: int) -> npt.NDArray[np.float32]:
    """Signed distance in pixels to the outline, positive inside, clamped to +-reach. Exact, separable by rows and
    columns.
    """

    def distance_to(shape: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
        far = np.int32(reach + 1)
        row = np.arange(len(shape), dtype=np.int32)[:, None]
        above = row - np.maximum.accumulate(np.where(shape, row, -far), axis=0)
        below = np.minimum.accumulate(np.where(shape, row, np.int32(len(shape)) + far)[::-1], axis=0)[::-1] - row
        squared = np.minimum(np.minimum(above, below), far) ** 2
        best = squared.copy()
        for step in range(1, reach + 1):
            further = squared + np.int32(step * step)
            np.minimum(best[:, step:], further[:, :-step], out=best[:, step:])
            np.minimum(best[:, :-step], further[:, step:], out=best[:, :-step])
        return np.asarray(np.sqrt(best, dtype=np.float32))

    # The outline is half a pixel outside the last inner pixel.
    distance = np.where(inside, distance_to(~inside) - 0.5, 0.5 - distance_to(inside))
    return np.asarray(np.clip(distance, -reach, reach), dtype=np.float32)
