"""Widths and bitmaps of text: the text font, the font of symbols, then the system's fonts, then a box.

All positions are in pixels from the origin on the baseline; down is positive. Shipped fonts are laid out here, with
FreeType's outlines alone, so that a picture of them is the same on each machine. Words of scripts whose letters join
(Arabic, Devanagari, ...) are shaped by Raqm where Pillow has it; without it their letters stand alone.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFont

from . import shipped_fonts
from .graphemes import drawn_units, is_blank, is_ideograph, is_joined_letter, is_mark, is_right_to_left
from .system_fonts import SystemFonts

EM_SCALE = 0.97  # em of the fonts to the font size: their letters are larger than those of most fonts of that size
CAPITAL_HEIGHT = 0.705  # of the font size
LINE_FACTOR = 1.12  # baseline distance to ascent and descent
BOX_WIDTH, WIDE_BOX_WIDTH = 0.56, 0.9  # of the font size: the box that stands for a character without a font
BOX_LINE = 0.06
MARK_GAP = 0.07  # of the font size, between a letter and an accent
IDEOGRAPHIC_SPACE = "\u3000"
Bitmap = tuple[npt.NDArray[np.uint8], int, int]  # coverage (h, w), left and top
EMPTY: Bitmap = (np.zeros((1, 1), np.uint8), 0, 0)


class PlacedUnit(NamedTuple):
    """A unit of a line and the x of its origin."""

    unit: str
    x: float


@cache
def has_shaping() -> bool:
    """Whether Pillow can shape the letters of a word."""
    from PIL import features

    return bool(features.check("raqm"))


@lru_cache(maxsize=256)
def load_face(path: str, size: int, shapes: bool = False) -> Any:
    """Font file at a font size. shapes: lay out with Raqm."""
    engine = ImageFont.Layout.RAQM if shapes else ImageFont.Layout.BASIC
    return ImageFont.truetype(path, max(1.0, EM_SCALE * size), layout_engine=engine)


@cache
def font_metrics(size: int) -> tuple[int, int]:
    """Pixels above and below the baseline."""
    face = ImageFont.truetype(shipped_fonts.shipped_font_path(shipped_fonts.TEXT_FONT), size,
                              layout_engine=ImageFont.Layout.BASIC)  # fmt: skip
    above, below = face.getmetrics()
    return int(above), int(below)


def _draws(path: str, char: str) -> bool:
    """Whether Pillow reads a font file and it draws a character."""
    try:
        return bool(load_face(path, 32).getmask(char).getbbox())
    except Exception:  # a damaged font of the system must not stop the game
        return False


system_fonts = SystemFonts(_draws)


def is_pending(unit: str) -> bool:
    """Whether the font of a unit is still searched in the background."""
    if not system_fonts.in_background or not needs_system_font(unit):
        return False
    known = [system_fonts.is_known(char) for char in unit if not shipped_fonts.shipped_font_of(char)]  # asks for all
    return not all(known)


def find_fonts(text: str) -> None:
    """Find the fonts for a text now, so that none of its units is pending."""
    for char in shipped_fonts.characters_without_font(text):
        system_fonts.find(char)
    refresh_fonts()


_seen_revision = 0


def refresh_fonts() -> int:
    """Number of the searches for fonts so far. Forgets the widths of lines that were measured before the last one."""
    global _seen_revision
    if _seen_revision != system_fonts.revision:
        _seen_revision = system_fonts.revision
        place_units.cache_clear()
        line_width.cache_clear()
    return _seen_revision


def font_file(char: str) -> str:
    """Path of the font that draws a character; empty where none has it."""
    name = shipped_fonts.shipped_font_of(char)
    if name:
        return shipped_fonts.shipped_font_path(name)
    found = system_fonts.find(char)
    return found.path if found is not None else ""


@lru_cache(maxsize=8192)
def needs_system_font(unit: str) -> bool:
    """Whether no shipped font draws a unit."""
    return not unit.isascii() and bool(shipped_fonts.characters_without_font(unit))


def _word_file(unit: str) -> str:
    """Path of the font that draws the joined letters of a unit; empty where they are drawn one by one."""
    if len(unit) < 2 or not has_shaping() or not is_joined_letter(unit[0]):
        return ""
    return font_file(unit[0])


_advances: dict[tuple[str, int], float] = {}


def unit_advance(unit: str, size: int) -> float:
    width = _advances.get((unit, size))
    if width is None:
        if is_pending(unit):
            return _box_width(unit) * size
        width = _advances[unit, size] = _measure(unit, size)
    return width


def _measure(unit: str, size: int) -> float:
    word = _word_file(unit)
    if word:
        return float(load_face(word, size, shapes=True).getlength(unit, direction=_direction(unit)))
    return sum(_char_advance(char, size) for char in _on_space(unit) if not is_mark(char))


def _on_space(unit: str) -> str:
    """The unit; after a space if it begins with an accent."""
    return " " + unit if is_mark(unit[0]) else unit


def _char_advance(char: str, size: int) -> float:
    if char == IDEOGRAPHIC_SPACE:
        return EM_SCALE * size
    if is_blank(char) and not shipped_fonts.shipped_font_of(char):
        char = " "
    path = font_file(char)
    return float(load_face(path, size).getlength(char)) if path else _box_width(char) * size


def _direction(unit: str) -> str:
    return "rtl" if is_right_to_left(unit) else "ltr"


def _box_width(unit: str) -> float:
    return WIDE_BOX_WIDTH if is_ideograph(unit[0]) or "\uac00" <= unit[0] <= "\ud7ff" else BOX_WIDTH


@lru_cache(maxsize=8192)
def place_units(line: str, size: int) -> tuple[PlacedUnit, ...]:
    """Units of a line from left to right with kerning; a last, empty one is the end of the line."""
    x, placed, last = 0.0, [], ""
    for unit in drawn_units(line, line.isascii() or has_shaping()):
        if last:
            x += shipped_fonts.kerning(last, unit[0]) * EM_SCALE * size
        placed.append(PlacedUnit(unit, x))
        x += unit_advance(unit, size)
        last = unit[0]
    return (*placed, PlacedUnit("", x))


@lru_cache(maxsize=8192)
def line_width(line: str, size: int) -> float:
    return place_units(line, size)[-1].x


def unit_bitmap(unit: str, size: int) -> Bitmap:
    """Coverage of a unit. A unit whose font is still searched is empty."""
    if (is_blank(unit[0]) and len(unit) == 1) or is_pending(unit):
        return EMPTY
    word = _word_file(unit)
    if word:
        return _draw(load_face(word, size, shapes=True), unit, _direction(unit))
    bitmap: Bitmap | None = None
    x = 0.0
    for char in _on_space(unit):
        if bitmap is not None and is_mark(char) and not font_file(char):
            continue  # one box for the letter is enough
        part = _char_bitmap(char, size)
        if bitmap is None:
            bitmap = part
        elif is_mark(char):
            bitmap = _merge(bitmap, _on_letter(part, bitmap, char, size))
        else:
            bitmap = _merge(bitmap, (part[0], part[1] + round(x), part[2]))
        x += 0.0 if is_mark(char) else _char_advance(char, size)
    return bitmap or EMPTY


def _char_bitmap(char: str, size: int) -> Bitmap:
    if is_blank(char):
        return np.zeros((1, max(1, round(_char_advance(char, size)))), np.uint8), 0, -1
    path = font_file(char)
    return _draw(load_face(path, size), char) if path else _box(char, size)


def _draw(face: Any, text: str, direction: str | None = None) -> Bitmap:
    try:
        mask, (left, top) = face.getmask2(text, "L", direction=direction, anchor="ls")
    except (OSError, ValueError):  # a damaged glyph in a font of the system
        return EMPTY
    width, height = mask.size
    if not width or not height:
        return EMPTY
    return np.frombuffer(bytes(mask), np.uint8).reshape(height, width), int(left), int(top)


def _box(char: str, size: int) -> Bitmap:
    """Outline of a box in place of a character that no font has."""
    width, height = max(3, round((_box_width(char) - 0.1) * size)), max(3, round(CAPITAL_HEIGHT * size))
    line = max(1, round(BOX_LINE * size))
    pixels = np.full((height, width), 255, np.uint8)
    pixels[line:-line, line:-line] = 0
    return pixels, round(0.05 * size), -height


def _on_letter(mark: Bitmap, letter: Bitmap, char: str, size: int) -> Bitmap:
    """A mark over the middle of a letter; a mark above stands above a letter that is taller than an x."""
    pixels, left, top = _cut(mark)
    base, base_left, base_top = _cut(letter)
    left = base_left + round((base.shape[1] - pixels.shape[1]) / 2)
    place = unicodedata.combining(char)
    if place in (214, 216, 228, 230, 232, 233, 234):
        top = min(top, base_top - max(1, round(MARK_GAP * size)) - pixels.shape[0])
    elif place in (202, 218, 220, 222):
        top = max(top, base_top + base.shape[0] + (0 if place == 202 else max(1, round(MARK_GAP * size))))
    return pixels, left, top


def _cut(bitmap: Bitmap) -> Bitmap:
    """The bitmap without empty edges."""
    pixels, left, top = bitmap
    rows, columns = np.flatnonzero(pixels.any(axis=1)), np.flatnonzero(pixels.any(axis=0))
    if not len(rows):
        return bitmap
    return pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1], left + int(columns[0]), top + int(rows[0])


def _merge(first: Bitmap, second: Bitmap) -> Bitmap:
    """Both bitmaps in one."""
    left, top = min(first[1], second[1]), min(first[2], second[2])
    right = max(x + pixels.shape[1] for pixels, x, _ in (first, second))
    bottom = max(y + pixels.shape[0] for pixels, _, y in (first, second))
    merged = np.zeros((bottom - top, right - left), np.uint8)
    for pixels, x, y in (first, second):
        part = merged[y - top : y - top + pixels.shape[0], x - left : x - left + pixels.shape[1]]
        np.maximum(part, pixels, out=part)
    return merged, left, top


def draw_line(pen: Any, at: tuple[float, float], line: str, size: int, fill: Any, anchor: str = "la") -> None:
    """Draw a line on a picture of Pillow; waits for fonts. anchor: left, middle or right (l, m, r), then ascender,
    middle or baseline (a, m, s).
    """
    find_fonts(line)
    width, (above, below) = line_width(line, size), font_metrics(size)
    x = at[0] - width * {"l": 0.0, "m": 0.5, "r": 1.0}[anchor[0]]
    y = at[1] + {"a": float(above), "m": (above - below) / 2, "s": 0.0}[anchor[1]]
    for placed in place_units(line, size)[:-1]:
        if not is_blank(placed.unit):
            pixels, left, top = unit_bitmap(placed.unit, size)
            pen.bitmap((round(x + placed.x) + left, round(y) + top), Image.fromarray(pixels), fill=fill)
