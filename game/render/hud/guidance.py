"""Title card of a level, and markers of its goal, targets and holes. No GL."""

from __future__ import annotations

import math

from ..guidance_content import ScreenMarker, TitleCard
from ..text import fonts
from .medal import MEDAL_RATIO, draw_medal
from .palette import Rgba
from .primitives import BODY_POINTS, HEADLINE_POINTS, SMALL_POINTS, HudLayout, Rectangle, elide_end

CARD_WIDTH, CARD_PADDING = 640.0, 22.0  # units
CARD_BOTTOM = 92.0  # units from the card to the lower edge of the window: the hints lie below
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


def draw_title_card(out: HudLayout, card: TitleCard, size: tuple[int, int]) -> None:
    """Card in the lower third: name, aim, and a line with what is collected, the best run and the next medal."""
    unit, theme, opacity = out.unit, out.theme, card.opacity
    pad, head, body, small = (
        CARD_PADDING * unit,
        *map(out.font_pixels, (HEADLINE_POINTS - 6, BODY_POINTS + 1, SMALL_POINTS)),
    )
    limit = min(CARD_WIDTH * unit * max(1.0, out.text_scale), size[0] - 24 * unit)
    inner = limit - 2 * pad
    aim = wrap_balanced(card.aim, body, inner)
    name = elide_end(card.name, head, inner)
    facts = _fact_lines(card, small, inner)
    medal_width = small * 1.1 if card.medal else 0.0
    widths = [fonts.text_width(name, head), *(fonts.text_width(line, body) for line in aim)]
    widths += [fonts.text_width(line, small) + 2 * medal_width for line in facts]
    width = max(widths) + 2 * pad
    body_step, small_step = fonts.line_height(body), fonts.line_height(small) * 1.15
    height = 1.6 * pad + head * 1.3 + len(aim) * body_step + (len(facts) * small_step + 6 * unit if facts else 0.0)
    x, y = (size[0] - width) / 2, max(12 * unit, size[1] - CARD_BOTTOM * unit - height)
    middle = size[0] / 2
    out.add_box(x, y, width, height, 14 * unit, _faded((*theme.card[:3], max(theme.card[3], 0.72)), opacity))
    line_y = y + 0.8 * pad
    out.add_text(name, middle, line_y + head * 0.95, head, _faded(theme.ink, opacity), 0.5)
    rule = 34 * unit
    out.add_box(middle - rule / 2, line_y + head * 1.22, rule, max(2.0, 2 * unit), unit, _faded(theme.accent, opacity))
    line_y += head * 1.3 + 6 * unit
    for line in aim:
        out.add_text(line, middle, line_y + fonts.font_ascent(body), body, _faded(theme.ink, opacity), 0.5)
        line_y += body_step
    line_y += 4 * unit
    for number, line in enumerate(facts):
        shift = 0.0
        if card.medal and number == 0:
            left = middle - fonts.text_width(line, small) / 2 - 0.7 * medal_width
            draw_medal(
                out,
                card.medal,
                left - 0.3 * medal_width,
                line_y + 0.5 * small_step - 0.5 * MEDAL_RATIO * medal_width,
                medal_width,
                opacity,
            )
            shift = 0.7 * medal_width
        colour = _faded(theme.accent, opacity)
        out.add_text(line, middle + shift, line_y + fonts.font_ascent(small), small, colour, 0.5)
        line_y += small_step


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
            lines, high = tried, middle
        else:
            low = middle
    return lines


def _fact_lines(card: TitleCard, small: int, width: float) -> list[str]:
    """Best run, next medal and what is collected, on one line where there is room."""
    parts = [part for part in (card.best, card.collected, card.next_medal) if part]
    joined = "   ·   ".join(parts)
    return [joined] if joined and fonts.text_width(joined, small) + 3 * small <= width else parts


# Markers


def draw_markers(out: HudLayout, markers: tuple[ScreenMarker, ...], size: tuple[int, int]) -> None:
    """Symbols with a distance at their places, invisible where they would cover the crosshair."""
    for marker in markers:
        _draw_marker(out, marker, size)


def marker_rectangle(out: HudLayout, marker: ScreenMarker, size: tuple[int, int]) -> Rectangle:
    """What a marker covers: symbol, arrow and distance (pixels). A place in the picture lies below the symbol."""
    unit, small = out.unit, out.font_pixels(SMALL_POINTS)
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
    if abs(x - size[0] / 2) < width / 2 + CROSSHAIR_CLEARANCE * unit and 0.0 < over <= MAX_LIFT * unit:
        bottom -= over
    return x - width / 2, bottom - height, width, height


def crosshair_opacity(out: HudLayout, rectangle: Rectangle, size: tuple[int, int]) -> float:
    """Opacity (0..1) of a marker by its distance from the crosshair."""
    x, y, width, height = rectangle
    across = max(x - size[0] / 2, size[0] / 2 - (x + width), 0.0)
    down = max(y - size[1] / 2, size[1] / 2 - (y + height), 0.0)
    clear = math.hypot(across, down) / out.unit - CROSSHAIR_CLEARANCE
    above = (size[1] / 2 - (y + height)) / out.unit - ABOVE_CLEARANCE
    return min(max(clear / CROSSHAIR_FADE, above / ABOVE_FADE, 0.0), 1.0)


def _draw_marker(out: HudLayout, marker: ScreenMarker, size: tuple[int, int]) -> None:
    rectangle = marker_rectangle(out, marker, size)
    opacity = marker.opacity * crosshair_opacity(out, rectangle, size)
    if opacity <= 0.02:
        return
    unit, small, theme = out.unit, out.font_pixels(SMALL_POINTS), out.theme
    symbol = MARKER_DIAMETER * unit
    x, y = marker.x * size[0], marker.y * size[1]
    if marker.arrow is None:
        bottom = rectangle[1] + rectangle[3]
        _draw_arrow(out, x, bottom - 3 * unit, (0.0, 1.0), opacity)
        y = bottom - (MARKER_LIFT - ARROW_GAP + 3) * unit - symbol / 2
    else:
        reach = symbol / 2 + (ARROW_LENGTH + 4) * unit
        _draw_arrow(out, x + reach * marker.arrow[0], y + reach * marker.arrow[1], marker.arrow, opacity)
    _draw_symbol(out, marker.kind, x, y, symbol, opacity)
    text = _distance_text(marker.distance)
    width = fonts.text_width(text, small) + 12 * unit
    top = rectangle[1]
    text_x = min(max(x, width / 2 + 4 * unit), size[0] - width / 2 - 4 * unit)
    out.add_box(text_x - width / 2, top, width, small * 1.35, small * 0.67, _faded(theme.shadow, opacity))
    out.add_text(text, text_x, top + small * 1.02, small, _faded(theme.ink, opacity), 0.5)


def _draw_symbol(out: HudLayout, kind: str, x: float, y: float, side: float, opacity: float) -> None:
    """Disc (goal), ring (target), disc with a flag (hole) or small white disc (ball), centred at (x, y)."""
    theme = out.theme
    accent, ink = _faded(theme.accent, opacity), _faded(theme.ink, opacity)
    dark: Rgba = (0.05, 0.06, 0.08, 0.85 * opacity)

    def disc(diameter: float, colour: Rgba) -> None:
        out.add_box(x - diameter / 2, y - diameter / 2, diameter, diameter, diameter / 2, colour)

    disc(side, dark)
    if kind == "ball":
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


def _draw_arrow(out: HudLayout, x: float, y: float, direction: tuple[float, float], opacity: float) -> None:
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
