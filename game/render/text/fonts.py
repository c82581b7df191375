"""Letters from Pillow's own embedded font: sizes, bitmaps for the HUD, distance fields for signs."""

from __future__ import annotations

import math
import unicodedata
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

MISSING_CHARACTER = "\uffff"  # surely missing, so that it is drawn as the font's mark for what it lacks
SUBSTITUTES = {"×": "x", "–": "-", "—": "-", "−": "-", "→": ">", "←": "<", "•": "·", "✓": "+", "≤": "<", "≥": ">"}


@cache
def load_font(size: int) -> Any:
    """The font at a size in pixels."""
    return ImageFont.load_default(size)


@cache
def substitute_glyph(char: str) -> str:
    """The letter that stands for `char`: itself where the font has it, else its base letter, else '?'."""
    if char == " " or has_glyph(char):
        return char
    for other in (SUBSTITUTES.get(char, ""), unicodedata.normalize("NFKD", char)[:1]):
        if other and has_glyph(other):
            return other
    return "?"


@cache
def has_glyph(char: str) -> bool:
    """Whether the font has a letter of its own for `char`."""
    if ord(char) < 32:
        return False
    face = load_font(32)
    return bool(bytes(face.getmask(char)) != bytes(face.getmask(MISSING_CHARACTER)) or char == " ")


@cache
def glyph_advance(char: str, size: int) -> float:
    """Pixels from one letter's origin to the next."""
    return float(load_font(size).getlength(substitute_glyph(char)))


def text_width(text: str, size: int) -> float:
    """Pixels that a line takes."""
    return sum(glyph_advance(char, size) for char in text)


@cache
def line_height(size: int) -> int:
    """Pixels from one line to the next."""
    above, below = load_font(size).getmetrics()
    return math.ceil(float(above + below) * 1.12)


@cache
def font_ascent(size: int) -> int:
    """Pixels from the top of a line to its baseline."""
    return int(load_font(size).getmetrics()[0])


def glyph_bitmap(char: str, size: int, bold: int = 0) -> tuple[npt.NDArray[np.uint8], int, int]:
    """Coverage (h, w) of a letter, and where its left and top lie from the origin on the baseline (down is
    positive). `bold` thickens it by as many pixels on each side."""
    letter = substitute_glyph(char)
    box = load_font(size).getbbox(letter, anchor="ls", stroke_width=bold)
    left, top, right, bottom = int(box[0]) - 1, int(box[1]) - 1, int(box[2]) + 1, int(box[3]) + 1
    image = Image.new("L", (max(1, right - left), max(1, bottom - top)))
    ImageDraw.Draw(image).text((-left, -top), letter, fill=255, font=load_font(size), anchor="ls", stroke_width=bold)
    return np.asarray(image, dtype=np.uint8), left, top


def wrap_text(text: str, size: int, most: float) -> list[str]:
    """Break lines that are wider than `most` pixels, at spaces where there are some."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            tried = f"{line} {word}" if line else word
            if text_width(tried, size) <= most:
                line = tried
                continue
            if line:
                lines.append(line)
            line = word
            while text_width(line, size) > most and len(line) > 1:
                fitting = next(n for n in range(len(line) - 1, 0, -1) if n == 1 or text_width(line[:n], size) <= most)
                lines.append(line[:fitting])
                line = line[fitting:]
        lines.append(line)
    return lines


def signed_distance_field(inside: npt.NDArray[np.bool_], reach: int) -> npt.NDArray[np.float32]:
    """Pixels to the outline, positive inside, cut at +-reach; exact, by rows and then by columns."""

    def outwards(shape: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
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

    # half a pixel each way: the outline runs between the last pixel inside and the first outside
    away = np.where(inside, outwards(~inside) - 0.5, 0.5 - outwards(inside))
    return np.asarray(np.clip(away, -reach, reach), dtype=np.float32)
