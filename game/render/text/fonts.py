"""Metrics and line breaks of text, shapes of the key symbols in it, and distance fields."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from ...core.vectors import Colour
from ...text import fitting
from ...text.font_stack import LINE_FACTOR, font_metrics, line_width
from ...text.key_symbols import has_symbols, split_symbols

GROUP_SEPARATOR = "   ·   "  # between the parts of a hint
SYMBOL_HEIGHT = 1.26  # of the font size
SYMBOL_MARGIN = 0.06  # of the font size, at the left and right of a symbol
SYMBOL_TEXT_SIZE = 0.80  # of the font size: letters in a symbol


def text_width(text: str, size: int) -> float:
    """Width of a line in pixels, key symbols included."""
    if has_symbols(text):
        parts = split_symbols(text)
        return sum(symbol_width(part, size) if is_symbol else line_width(part, size) for is_symbol, part in parts)
    return line_width(text, size)


def symbol_text_size(size: int) -> int:
    """Font size in pixels of the letters in a symbol."""
    return max(1, round(SYMBOL_TEXT_SIZE * size))


@cache
def symbol_width(label: str, size: int) -> float:
    """Width of the picture of a key in pixels, with its margins."""
    shape = symbol_shape(label)
    height = SYMBOL_HEIGHT * size
    if shape.kind == MOUSE:
        width = 0.74 * height
    elif shape.kind in (ROUND_BUTTON, STICK, DPAD):
        width = height
    else:
        width = max(1.1 * height, text_width(shape.text, symbol_text_size(size)) + 0.72 * size)
    return width + 2 * SYMBOL_MARGIN * size


@cache
def line_height(size: int) -> int:
    """Baseline distance in pixels."""
    return math.ceil(sum(font_metrics(size)) * LINE_FACTOR)


def font_ascent(size: int) -> int:
    """Pixels from the top of a line to its baseline."""
    return font_metrics(size)[0]


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


def balance_lines(wrap: Callable[[float], list[str]], size: int, max_width: float) -> list[str]:
    """Lines of `wrap(width)` with about the same length: the narrowest width that needs no more lines."""
    lines = wrap(max_width)
    for fraction in (0.6, 0.7, 0.8, 0.9) if len(lines) > 1 else ():
        narrower = wrap(fraction * max_width)
        if len(narrower) == len(lines) and all(text_width(line, size) <= max_width for line in narrower):
            return narrower
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


# Shapes of key symbols

KEYCAP, MOUSE, ROUND_BUTTON, SHOULDER, TRIGGER, STICK, DPAD = range(7)
WHOLE_MOUSE, LEFT_BUTTON, RIGHT_BUTTON, MIDDLE_BUTTON, WHEEL_UP, WHEEL_DOWN = range(6)
UP, RIGHT, DOWN, LEFT = range(4)


@dataclass(frozen=True, slots=True)
class SymbolShape:
    """Picture of a key or button.

    text: on it. part: of a mouse the filled button; of a DPAD or an arrow key the direction, -1 for none. colour: sRGB
    of a round button.
    """

    kind: int
    text: str = ""
    part: int = -1
    colour: Colour = (0.8, 0.8, 0.8)


# Face buttons in the colours of an Xbox gamepad, light enough for a dark letter.
SYMBOL_SHAPES: Mapping[str, SymbolShape] = {
    "Mouse": SymbolShape(MOUSE, part=WHOLE_MOUSE),
    "Left mouse": SymbolShape(MOUSE, part=LEFT_BUTTON),
    "Right mouse": SymbolShape(MOUSE, part=RIGHT_BUTTON),
    "Middle mouse": SymbolShape(MOUSE, part=MIDDLE_BUTTON),
    "Wheel": SymbolShape(MOUSE, part=MIDDLE_BUTTON),
    "Wheel up": SymbolShape(MOUSE, part=WHEEL_UP),
    "Wheel down": SymbolShape(MOUSE, part=WHEEL_DOWN),
    **{f"Mouse {number}": SymbolShape(MOUSE, str(number), WHOLE_MOUSE) for number in range(4, 9)},
    "Pad A": SymbolShape(ROUND_BUTTON, "A", colour=(0.48, 0.78, 0.36)),
    "Pad B": SymbolShape(ROUND_BUTTON, "B", colour=(0.93, 0.42, 0.36)),
    "Pad X": SymbolShape(ROUND_BUTTON, "X", colour=(0.38, 0.62, 0.95)),
    "Pad Y": SymbolShape(ROUND_BUTTON, "Y", colour=(0.95, 0.80, 0.32)),
    "Left shoulder": SymbolShape(SHOULDER, "LB"),
    "Right shoulder": SymbolShape(SHOULDER, "RB"),
    "Left trigger": SymbolShape(TRIGGER, "LT"),
    "Right trigger": SymbolShape(TRIGGER, "RT"),
    "Left stick": SymbolShape(STICK, "L"),
    "Right stick": SymbolShape(STICK, "R"),
    "Pad up": SymbolShape(DPAD, part=UP),
    "Pad right": SymbolShape(DPAD, part=RIGHT),
    "Pad down": SymbolShape(DPAD, part=DOWN),
    "Pad left": SymbolShape(DPAD, part=LEFT),
    "Pad Start": SymbolShape(SHOULDER, "Start"),
    "Start": SymbolShape(SHOULDER, "Start"),
    "Pad Back": SymbolShape(SHOULDER, "Back"),
    "Pad Guide": SymbolShape(SHOULDER, "Guide"),
    "Up": SymbolShape(KEYCAP, part=UP),
    "Right": SymbolShape(KEYCAP, part=RIGHT),
    "Down": SymbolShape(KEYCAP, part=DOWN),
    "Left": SymbolShape(KEYCAP, part=LEFT),
}


def symbol_shape(label: str) -> SymbolShape:
    """Picture for a label; a keycap with the label where there is no other."""
    return SYMBOL_SHAPES.get(label) or SymbolShape(KEYCAP, label)
