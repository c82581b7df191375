"""Shapes of the pictures for keys, mouse buttons and gamepad buttons, by label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...core.vectors import Colour

KEYCAP, MOUSE, ROUND_BUTTON, SHOULDER, TRIGGER, STICK, DPAD = range(7)
WHOLE_MOUSE, LEFT_BUTTON, RIGHT_BUTTON, MIDDLE_BUTTON = range(4)
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
    "Pad start": SymbolShape(SHOULDER, "Start"),
    "Start": SymbolShape(SHOULDER, "Start"),
    "Pad back": SymbolShape(SHOULDER, "Back"),
    "Pad guide": SymbolShape(SHOULDER, "Guide"),
    "Up": SymbolShape(KEYCAP, part=UP),
    "Right": SymbolShape(KEYCAP, part=RIGHT),
    "Down": SymbolShape(KEYCAP, part=DOWN),
    "Left": SymbolShape(KEYCAP, part=LEFT),
}


def symbol_shape(label: str) -> SymbolShape:
    """Picture for a label; a keycap with the label where there is no other."""
    return SYMBOL_SHAPES.get(label) or SymbolShape(KEYCAP, label)
