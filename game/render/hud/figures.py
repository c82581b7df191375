"""Figures made of rounded boxes: pictures of keys and buttons, and medals. No GL."""

from __future__ import annotations

from collections.abc import Mapping

from ..colour_palettes import Rgba, with_opacity
from ..text import symbol_shapes as shapes
from .primitives import FILL_ARROW, FILL_UPPER_LEFT, FILL_UPPER_RIGHT, HudItems
from .slots import Rectangle

# Keys and buttons

CORNER_RADII = {shapes.ROUND_BUTTON: 0.5, shapes.STICK: 0.5, shapes.SHOULDER: 0.42, shapes.MOUSE: 0.37}  # of the height
USUAL_RADIUS = 0.24


def draw_key_symbol(out: HudItems, label: str, x: float, baseline: float, size: int, ink: Rgba) -> None:
    """Picture of a key or button from x on, centred on the small letters of a line of `size` pixels."""
    shape = shapes.symbol_shape(label)
    kind, margin, height = shape.kind, shapes.SYMBOL_MARGIN * size, shapes.SYMBOL_HEIGHT * size
    left, top = x + margin, baseline - 0.35 * size - height / 2
    width = shapes.symbol_width(label, size) - 2 * margin
    if kind == shapes.DPAD:
        _draw_dpad(out, shape.part, (left, top, width, height), ink)
        return
    # The outline with the ground in it; a round button is filled with its colour
    radius, line = CORNER_RADII.get(kind, USUAL_RADIUS) * height, max(1.0, 0.07 * size)
    out.add_box(left, top, width, height, radius, (*shape.colour, 1.0) if kind == shapes.ROUND_BUTTON else ink)
    if kind != shapes.ROUND_BUTTON:
        lower = 2.2 * line if kind == shapes.KEYCAP else line  # a keycap shows its front side
        inner = (left + line, top + line, width - 2 * line, height - line - lower)
        out.add_box(*inner, max(radius - line, 0.0), out.theme.ground)
    if kind == shapes.MOUSE:
        _draw_mouse_button(out, shape.part, (left, top, width, height), 1.8 * line, radius, ink)
        tiny = max(1, round(0.5 * size))
        out.add_run(shape.text, left + width / 2, top + 0.84 * height, tiny, out.theme.accent, 0.5)
        return
    if kind == shapes.STICK:
        out.add_disc(left + width / 2, top + height / 2, 0.66 * height, ink)
    # The letters or the arrow on it
    colour = out.theme.ground if kind in (shapes.ROUND_BUTTON, shapes.STICK) else ink
    middle = top + (height - 1.2 * line) / 2 if kind == shapes.KEYCAP else top + height / 2
    if shape.part >= 0:
        side = 0.46 * height
        out.add_box(left + (width - side) / 2, middle - side / 2, side, side, 0.0, colour, FILL_ARROW + shape.part)
        return
    small = shapes.symbol_text_size(size)
    small = max(1, round(0.85 * small)) if kind == shapes.STICK else small
    out.add_run(shape.text, left + width / 2, middle + 0.36 * small, small, colour, 0.5)


def _draw_mouse_button(out: HudItems, part: int, rectangle: Rectangle, inset: float, radius: float, ink: Rgba) -> None:
    """The filled button, and the wheel, of the mouse in a rectangle."""
    x, y, width, height = rectangle
    inner = (x + inset, y + inset, width - 2 * inset, height - 2 * inset)
    if part in (shapes.LEFT_BUTTON, shapes.RIGHT_BUTTON):
        fill = FILL_UPPER_LEFT if part == shapes.LEFT_BUTTON else FILL_UPPER_RIGHT
        out.add_box(*inner, max(radius - inset, 0.0), out.theme.accent, fill)
    wheel = 0.17 * width
    colour = out.theme.accent if part >= shapes.MIDDLE_BUTTON else ink
    if part in (shapes.WHEEL_UP, shapes.WHEEL_DOWN):
        side = 0.4 * width
        direction = shapes.UP if part == shapes.WHEEL_UP else shapes.DOWN
        arrow = (x + (width - side) / 2, y + 0.54 * height, side, side)
        out.add_box(*arrow, 0.0, out.theme.accent, FILL_ARROW + direction)
    out.add_box(x + (width - wheel) / 2, y + 0.2 * height, wheel, 0.24 * height, wheel / 2, colour)


def _draw_dpad(out: HudItems, part: int, rectangle: Rectangle, ink: Rgba) -> None:
    """Cross with one arm filled."""
    x, y, width, height = rectangle
    arm = 0.36 * width
    faint = with_opacity(ink, 0.45)
    centre_x, centre_y = x + width / 2, y + height / 2
    length = (width - arm) / 2
    arms = ((centre_x, y + length / 2), (x + width - length / 2, centre_y), (centre_x, y + height - length / 2),
            (x + length / 2, centre_y))  # fmt: skip
    out.add_box(centre_x - arm / 2, centre_y - arm / 2, arm, arm, 0.0, faint)
    for number, (at_x, at_y) in enumerate(arms):
        wide, high = (arm, length) if number % 2 == 0 else (length, arm)
        colour = out.theme.accent if number == part else faint
        out.add_box(at_x - wide / 2, at_y - high / 2, wide, high, 0.2 * arm, colour)


# Medals: a disc with a rim on two ribbons

# Face and rim, sRGB. The number of dots on the face tells the medals apart without colours.
MEDAL_COLOURS: Mapping[str, tuple[Rgba, Rgba]] = {
    "gold": ((1.00, 0.80, 0.26, 1.0), (0.72, 0.50, 0.10, 1.0)),
    "silver": ((0.83, 0.86, 0.90, 1.0), (0.50, 0.54, 0.60, 1.0)),
    "bronze": ((0.82, 0.53, 0.30, 1.0), (0.52, 0.30, 0.14, 1.0)),
}
MEDAL_DOTS: Mapping[str, int] = {"gold": 3, "silver": 2, "bronze": 1}
RIBBON_COLOURS: tuple[Rgba, Rgba] = ((0.76, 0.24, 0.22, 1.0), (0.90, 0.88, 0.82, 1.0))
MEDAL_RATIO = 1.4  # height of the picture over its width


def draw_medal(out: HudItems, medal: str, x: float, y: float, width: float, opacity: float = 1.0) -> None:
    """Draw a medal with its upper left corner at (x, y), `width` pixels wide; nothing for an unknown one."""
    if medal not in MEDAL_COLOURS:
        return
    face, rim, ribbon, stripe = (with_opacity(colour, opacity) for colour in (*MEDAL_COLOURS[medal], *RIBBON_COLOURS))
    middle, centre = x + width / 2, y + (MEDAL_RATIO - 0.5) * width
    out.add_box(middle - 0.34 * width, y, 0.68 * width, 0.62 * width, 0.06 * width, ribbon)
    out.add_box(middle - 0.09 * width, y, 0.18 * width, 0.62 * width, 0.0, stripe)
    out.add_disc(middle, centre, width, rim)
    out.add_disc(middle, centre, 0.80 * width, face)
    dot = 0.15 * width
    count = MEDAL_DOTS[medal]
    for number in range(count):
        out.add_disc(middle + (number - (count - 1) / 2) * 1.45 * dot, centre, dot, rim)
