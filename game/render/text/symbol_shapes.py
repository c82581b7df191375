"""Shapes of keys and buttons, as they stand in a line of text, and their widths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from ...core.vectors import Colour
from ...text.font_stack import line_width

SYMBOL_HEIGHT = 1.26  # of the font size
SYMBOL_MARGIN = 0.06  # of the font size, at the left and right of a symbol
SYMBOL_TEXT_SIZE = 0.80  # of the font size: letters in a symbol

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
        width = max(1.1 * height, line_width(shape.text, symbol_text_size(size)) + 0.72 * size)
    return width + 2 * SYMBOL_MARGIN * size
