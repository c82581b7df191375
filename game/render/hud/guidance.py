"""Title card of a level, and markers of its goal, targets and holes. No GL."""

from __future__ import annotations

import math

from ..colour_palettes import Rgba
from ..snapshot import MARKER_KINDS, ScreenMarker, TitleCard
from ..text import fonts
from .primitives import BODY_POINTS, HEADLINE_POINTS, MEDAL_RATIO, SMALL_POINTS, HudItems, draw_medal
from .slots import BOTTOM_CENTRE, Rectangle

CARD_WIDTH, CARD_PADDING = 640.0, 22.0  # units
FIXED_KINDS = MARKER_KINDS[:4]  # of markers that stay above their places
MIN_OPACITY = 0.02  # of a marker that is drawn
MARKER_DIAMETER, ARROW_LENGTH = 20.0, 11.0  # units
ARROW_GAP, MARKER_LIFT = 13.0, 24.0  # units from a place in the picture up to the arrow's tip and to the symbol
CROSSHAIR_CLEARANCE = 16.0  # units between marker and crosshair at which the marker is invisible
CROSSHAIR_FADE = 26.0  # further units over which it appears
ABOVE_CLEARANCE, ABOVE_FADE = 4.0, 4.0  # units, likewise of a marker straight above: the player looks at its place
MAX_LIFT = 40.0  # units that a marker is lifted to stay above the crosshair
ARROW_DOTS = 7  # of each stroke of an arrow
CHEVRON_ANGLE = math.radians(40.0)  # between an arrow's stroke and its axis


def _faded(colour: Rgba, opacity: float) -> Rgba:
    return (*colour[:3], colour[3] * opacity)


# The card


def draw_title_card(out: HudItems, card: TitleCard) -> None:
    """Card above the hint: name, aim, and what is collected, the best run and the next medal. Facts without room are
    left out, then the aim's last lines."""
    unit = out.unit
    theme = out.theme
    opacity = card.opacity
    head, body, small = map(out.font_pixels, (HEADLINE_POINTS - 6, BODY_POINTS + 1, SMALL_POINTS))
    pad = CARD_PADDING * unit
    inner = min(CARD_WIDTH * unit * max(1.0, out.text_scale), out.slots.max_width) - 2 * pad
    names = wrap_balanced(card.name, head, inner)
    aim = wrap_balanced(card.aim, body, inner)
    facts = _fact_lines(card, small, inner)
    steps = fonts.line_height(head), fonts.line_height(body), fonts.line_height(small) * 1.1
    medal_width = 1.15 * small if card.medal else 0.0
    widths = [fonts.text_width(line, size) for lines, size in ((names, head), (aim, body)) for line in lines]
    widths += [fonts.text_width(line, small) + 3 * medal_width for line in facts]
    width = min(max(widths, default=0.0), inner) + 2 * pad
    fixed = 1.3 * pad + len(names) * steps[0] + 8 * unit
    room = out.slots.room(BOTTOM_CENTRE, width) - fixed
    aim = fonts.shorten_lines(aim, int(room // steps[1]), body, inner)
    facts = facts[: max(0, int((room - len(aim) * steps[1] - 4 * unit) // steps[2]))]
    height = fixed + len(aim) * steps[1] + (len(facts) * steps[2] + 4 * unit if facts else 0.0)
    box = out.place_panel("title card", BOTTOM_CENTRE, width, height)
    if box is None:
        return
    middle = box[0] + width / 2
    out.add_box(*box, 14 * unit, _faded(theme.card, opacity))
    y = out.add_lines(names, middle, box[1] + 0.55 * pad, head, _faded(theme.ink, opacity), 0.5)
    rule = 34 * unit
    out.add_box(middle - rule / 2, y + 2 * unit, rule, max(2.0, 2 * unit), unit, _faded(theme.accent, opacity))
    y = out.add_lines(aim, middle, y + 8 * unit, body, _faded(theme.ink, opacity), 0.5) + 4 * unit
    for number, line in enumerate(facts):
        shift = 0.75 * medal_width if number == 0 else 0.0
        if shift:
            left = middle - fonts.text_width(line, small) / 2 - shift
            draw_medal(out, card.medal, left, y + (steps[2] - MEDAL_RATIO * medal_width) / 2, medal_width, opacity)
        colour = _faded(theme.accent, opacity)
        out.add_text(line, middle + shift, y + fonts.font_ascent(small), small, colour, 0.5)
        y += steps[2]
    out.end_panel()


def wrap_balanced(text: str, size: int, max_width: float) -> list[str]:
    """As few lines as `wrap_text` makes, of about equal width."""
    if not text:
        return []
    lines = fonts.wrap_text(text, size, max_width)
    low, high = max_width / len(lines) * 0.8, max_width
    while len(lines) > 1 and high - low > size:
        middle = (low + high) / 2
        tried = fonts.wrap_text(text, size, middle)
        if len(tried) == len(lines):
            lines = tried
            high = middle
        else:
            low = middle
    return lines


def _fact_lines(card: TitleCard, small: int, width: float) -> list[str]:
    """Best run, next medal and what is collected, in as few lines as hold them."""
    parts = [part for part in (card.best, card.collected, card.next_medal) if part]
    return fonts.wrap_groups("   ·   ".join(parts), small, width - 4 * small) if parts else []


# Markers


def draw_markers(out: HudItems, markers: tuple[ScreenMarker, ...]) -> None:
    """Symbols with a distance at their places, invisible where they would cover the crosshair or another element. Those
    at the edge move aside, and so does that of the ball, which comes before the flag's."""
    for marker in sorted(markers, key=lambda one: one.kind == "hole"):
        rectangle = _free_rectangle(out, marker)
        if rectangle is None:
            continue
        opacity = marker.opacity * crosshair_opacity(out, rectangle, out.size)
        if opacity > MIN_OPACITY:
            out.begin_panel("marker", rectangle)
            _draw_marker(out, marker, rectangle, opacity)
            out.end_panel()


def _free_rectangle(out: HudItems, marker: ScreenMarker) -> Rectangle | None:
    """Where a marker has room; None where it is not drawn."""
    rectangle = marker_rectangle(out, marker, out.size)
    if marker.kind in FIXED_KINDS:
        is_free = out.slots.is_free(rectangle)
        return rectangle if is_free else None if marker.arrow is None else out.slots.find_near(*rectangle)
    clear, middle = (CROSSHAIR_CLEARANCE + CROSSHAIR_FADE) * out.unit, out.size[0] / 2
    beside = rectangle[0], middle + clear, middle - clear - rectangle[2]
    places = (out.slots.find_near(x, *rectangle[1:]) for x in beside)
    return next((place for place in places if place and crosshair_opacity(out, place, out.size) == 1.0), None)


def marker_rectangle(out: HudItems, marker: ScreenMarker, size: tuple[int, int]) -> Rectangle:
    """What a marker covers: symbol, arrow and distance (pixels). A place in the picture lies below the symbol."""
    unit = out.unit
    small = out.font_pixels(SMALL_POINTS)
    text_width = fonts.text_width(_distance_text(marker.distance), small) + 12 * unit
    symbol = MARKER_DIAMETER * unit
    reach = symbol / 2 + (ARROW_LENGTH + 6) * unit
    x, y = marker.x * size[0], marker.y * size[1]
    width = max(text_width, 2 * reach if marker.arrow else symbol)
    text_height = small * 1.45
    height = (MARKER_LIFT - ARROW_GAP + 3) * unit + symbol + text_height
    if marker.arrow is not None:
        return x - width / 2, y - reach - text_height, width, 2 * reach + text_height
    bottom = y - (ARROW_GAP - 3) * unit
    over = bottom - (size[1] / 2 - (ABOVE_CLEARANCE + ABOVE_FADE) * unit)
    beside = width / 2 + (CROSSHAIR_CLEARANCE + CROSSHAIR_FADE) * unit
    if abs(x - size[0] / 2) < beside and 0.0 < over <= MAX_LIFT * unit:
        bottom -= over
    return x - width / 2, bottom - height, width, height


def crosshair_opacity(out: HudItems, rectangle: Rectangle, size: tuple[int, int]) -> float:
    """Opacity (0..1) of a marker by its distance from the crosshair."""
    x, y, width, height = rectangle
    across = max(x - size[0] / 2, size[0] / 2 - (x + width), 0.0)
    down = max(y - size[1] / 2, size[1] / 2 - (y + height), 0.0)
    clear = math.hypot(across, down) / out.unit - CROSSHAIR_CLEARANCE
    above = (size[1] / 2 - (y + height)) / out.unit - ABOVE_CLEARANCE
    return min(max(clear / CROSSHAIR_FADE, above / ABOVE_FADE, 0.0), 1.0)


def _draw_marker(out: HudItems, marker: ScreenMarker, rectangle: Rectangle, opacity: float) -> None:
    unit = out.unit
    small = out.font_pixels(SMALL_POINTS)
    symbol = MARKER_DIAMETER * unit
    left, top, width, height = rectangle
    x = left + width / 2
    bottom = top + height
    if marker.arrow is None:
        _draw_arrow(out, x, bottom - 3 * unit, (0.0, 1.0), opacity)
        y = bottom - (MARKER_LIFT - ARROW_GAP + 3) * unit - symbol / 2
    else:
        reach = symbol / 2 + (ARROW_LENGTH + 4) * unit
        y = bottom - symbol / 2 - (ARROW_LENGTH + 6) * unit
        _draw_arrow(out, x + reach * marker.arrow[0], y + reach * marker.arrow[1], marker.arrow, opacity)
    _draw_symbol(out, marker.kind, x, y, symbol, opacity)
    text = _distance_text(marker.distance)
    pill = fonts.text_width(text, small) + 12 * unit
    out.add_box(x - pill / 2, top, pill, small * 1.35, small * 0.67, _faded(out.theme.shadow, opacity))
    out.add_text(text, x, top + small * 1.02, small, _faded(out.theme.ink, opacity), 0.5)


def _draw_symbol(out: HudItems, kind: str, x: float, y: float, side: float, opacity: float) -> None:
    """Disc (goal), ring (target), disc with a flag (hole), three dots (way) or small white disc (ball), centred at
    (x, y)."""
    theme = out.theme
    accent = _faded(theme.accent, opacity)
    ink = _faded(theme.ink, opacity)
    dark: Rgba = (0.05, 0.06, 0.08, 0.85 * opacity)

    def disc(diameter: float, colour: Rgba) -> None:
        out.add_box(x - diameter / 2, y - diameter / 2, diameter, diameter, diameter / 2, colour)

    disc(side, dark)
    if kind == "way":
        for number in (-1.0, 0.0, 1.0):  # as the dots on the floor
            dot, shift = 0.22 * side, 0.25 * side * number
            out.add_box(x + shift - dot / 2, y - shift - dot / 2, dot, dot, dot / 2, accent)
    elif kind == "ball":
        disc(0.5 * side, ink)
    elif kind == "target":
        disc(0.78 * side, accent)
        disc(0.46 * side, (0.05, 0.06, 0.08, opacity))
        disc(0.18 * side, accent)
    elif kind == "hole":
        pole = max(1.5, 0.08 * side)
        out.add_box(x - 0.12 * side, y - 0.34 * side, pole, 0.68 * side, 0.0, ink)
        out.add_box(x - 0.12 * side + pole, y - 0.34 * side, 0.36 * side, 0.30 * side, 0.05 * side, accent)
    else:
        disc(0.78 * side, accent)
        disc(0.34 * side, ink)


def _draw_arrow(out: HudItems, x: float, y: float, direction: tuple[float, float], opacity: float) -> None:
    """Chevron with its tip at (x, y) that points along `direction`, made of dots with a dark outline."""
    unit = out.unit
    for diameter, colour in (
        (6.0 * unit, (0.05, 0.06, 0.08, 0.6 * opacity)),
        (3.4 * unit, _faded(out.theme.accent, opacity)),
    ):
        for side in (-1.0, 1.0):
            sine, cosine = math.sin(side * CHEVRON_ANGLE), math.cos(CHEVRON_ANGLE)
            back = (-direction[0] * cosine + direction[1] * sine, -direction[1] * cosine - direction[0] * sine)
            for number in range(ARROW_DOTS):
                reach = ARROW_LENGTH * unit * number / (ARROW_DOTS - 1)
                dot_x, dot_y = x + reach * back[0], y + reach * back[1]
                out.add_box(dot_x - diameter / 2, dot_y - diameter / 2, diameter, diameter, diameter / 2, colour)


def _distance_text(distance: float) -> str:
    return f"{distance:.0f} m" if distance < 999.5 else f"{distance / 1000:.1f} km"
