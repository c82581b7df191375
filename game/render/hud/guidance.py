"""Title card of a level, markers of its goal, targets and holes, and labels at points of the world. No GL."""

from __future__ import annotations

import math

from ..colour_palettes import Rgba, with_opacity
from ..snapshot import MARKER_KINDS, ScreenLabel, ScreenMarker, TitleCard
from ..text import fonts
from .boxes import Box, Column, Figure, Fit, Frame, Row, Text, bar, draw_element, place
from .figures import MEDAL_RATIO, draw_medal
from .primitives import BODY_POINTS, DARK_TEXT, HEADLINE_POINTS, SMALL_POINTS, HudItems
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
LABEL_SPACING = 1.0  # units between labels that would overlap
CHEVRON_ANGLE = math.radians(40.0)  # between an arrow's stroke and its axis


# The card


def draw_title_card(out: HudItems, card: TitleCard) -> None:
    """Card above the hint: name, aim, and what is collected, the best run and the next medal. Facts without room are
    left out, then the aim's last lines."""
    unit = out.unit
    ink, accent, ground = (
        with_opacity(colour, card.opacity) for colour in (out.theme.ink, out.theme.accent, out.theme.card)
    )
    head, body, small = map(out.font_pixels, (HEADLINE_POINTS - 6, BODY_POINTS + 1, SMALL_POINTS))
    pad = CARD_PADDING * unit
    inner = min(CARD_WIDTH * unit * max(1.0, out.text_scale), out.slots.max_width) - 2 * pad
    name = Text(fonts.wrap_balanced(card.name, head, inner), head, ink, align=0.5)
    aim = Text(fonts.wrap_balanced(card.aim, body, inner), body, ink, align=0.5)
    words = fonts.GROUP_SEPARATOR.join(filter(None, (card.best, card.collected, card.next_medal)))
    medal_width = 1.15 * small if card.medal else 0.0
    lines = fonts.wrap_groups(words, small, inner - 4 * small)
    facts = [Text([line], small, accent, step=1.1 * fonts.line_height(small)) for line in lines if line]

    def paint_medal(x: float, y: float) -> None:
        draw_medal(out, card.medal, x, y, medal_width, card.opacity)

    first = [Row(Figure(medal_width, MEDAL_RATIO * medal_width, paint_medal), fact, gap=0.5 * medal_width)
             for fact in facts[:1]]  # fmt: skip
    rule = bar(out, 34 * unit, max(2.0, 2 * unit), accent)
    top = Column(name, Box(0.0, 2 * unit), rule, Box(0.0, 6 * unit - rule.height), align=0.5)
    width = max(box.width for box in (name, aim, *first, *facts, Box())) + 2 * pad
    room = out.slots.room(BOTTOM_CENTRE, width) - top.height - 1.3 * pad
    aim = aim.shortened(room, inner)
    shown = [Fit(fact, height=facts[0].step) for fact in (*first, *facts[1:])]
    shown = shown[: max(0, int((room - aim.height - 4 * unit) // facts[0].step))] if facts else []
    content = Column(top, aim, Box(0.0, 4 * unit if shown else 0.0), *shown, align=0.5)
    frame = Frame(Fit(content, width - 2 * pad, across=0.5), (pad, 0.65 * pad), ground, 14 * unit)
    place(out, "title card", BOTTOM_CENTRE, frame)


# Markers


def draw_markers(out: HudItems, markers: tuple[ScreenMarker, ...]) -> None:
    """Symbols with a distance at their places, invisible where they would cover the crosshair or another element. Those
    at the edge move aside, and so does that of the ball."""
    for marker in markers:
        rectangle = _free_rectangle(out, marker)
        opacity = 0.0 if rectangle is None else marker.opacity * crosshair_opacity(out, rectangle, out.size)
        if rectangle is not None and opacity > MIN_OPACITY:
            out.begin_element("marker", rectangle)
            _draw_marker(out, marker, rectangle, opacity)
            out.end_element()


def _free_rectangle(out: HudItems, marker: ScreenMarker) -> Rectangle | None:
    """Rectangle in which a marker has room; None where it is not drawn."""
    rectangle = marker_rectangle(out, marker, out.size)
    if marker.kind in FIXED_KINDS:
        is_free = out.slots.is_free(rectangle)
        return rectangle if is_free else None if marker.arrow is None else out.slots.find_near(*rectangle)
    clear, middle = (CROSSHAIR_CLEARANCE + CROSSHAIR_FADE) * out.unit, out.size[0] / 2
    beside = rectangle[0], middle + clear, middle - clear - rectangle[2]
    places = (out.slots.find_near(x, *rectangle[1:]) for x in beside)
    return next((place for place in places if place and crosshair_opacity(out, place, out.size) == 1.0), None)


def marker_rectangle(out: HudItems, marker: ScreenMarker, size: tuple[int, int]) -> Rectangle:
    """Rectangle (pixels) of a marker: symbol, arrow and distance. A place in the picture lies below the symbol."""
    unit = out.unit
    symbol = MARKER_DIAMETER * unit
    reach = symbol / 2 + (ARROW_LENGTH + 6) * unit
    x, y = marker.x * size[0], marker.y * size[1]
    width = max(_pill(out, marker).width, 2 * reach if marker.arrow else symbol)
    text_height = out.font_pixels(SMALL_POINTS) * 1.45
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
    pill = _pill(out, marker, opacity)
    if pill.width:
        pill.draw(out, x - pill.width / 2, top)


def _pill(out: HudItems, marker: ScreenMarker, opacity: float = 1.0) -> Box:
    """Name, distance and detail of a marker; an empty box where it has none of them."""
    small, distance = out.font_pixels(SMALL_POINTS), marker.distance
    far = ""
    if distance is not None:
        far = f"{distance:.0f} m" if distance < 999.5 else f"{distance / 1000:.1f} km"
    words = fonts.GROUP_SEPARATOR.join(filter(None, (f"{marker.name} {far}".strip(), marker.detail)))
    if not words:
        return Box()
    text = Text(words, small, with_opacity(out.theme.ink, opacity), step=1.35 * small)
    return Frame(text, (6 * out.unit, 0.0), with_opacity(out.theme.shadow, opacity), small)


def _draw_symbol(out: HudItems, kind: str, x: float, y: float, side: float, opacity: float) -> None:
    """Disc (goal), ring (target), disc with a flag (hole), three dots (way) or small white disc (ball), centred at
    (x, y)."""
    theme = out.theme
    accent = with_opacity(theme.accent, opacity)
    ink = with_opacity(theme.ink, opacity)
    dark: Rgba = (0.05, 0.06, 0.08, 0.85 * opacity)
    out.add_disc(x, y, side, dark)
    if kind == "way":
        for number in (-1.0, 0.0, 1.0):  # as the dots on the floor
            out.add_disc(x + 0.25 * side * number, y - 0.25 * side * number, 0.22 * side, accent)
    elif kind == "ball":
        out.add_disc(x, y, 0.5 * side, ink)
    elif kind == "target":
        out.add_disc(x, y, 0.78 * side, accent)
        out.add_disc(x, y, 0.46 * side, (0.05, 0.06, 0.08, opacity))
        out.add_disc(x, y, 0.18 * side, accent)
    elif kind == "hole":
        pole = max(1.5, 0.08 * side)
        out.add_box(x - 0.12 * side, y - 0.34 * side, pole, 0.68 * side, 0.0, ink)
        out.add_box(x - 0.12 * side + pole, y - 0.34 * side, 0.36 * side, 0.30 * side, 0.05 * side, accent)
    else:
        out.add_disc(x, y, 0.78 * side, accent)
        out.add_disc(x, y, 0.34 * side, ink)


def _draw_arrow(out: HudItems, x: float, y: float, direction: tuple[float, float], opacity: float) -> None:
    """Chevron with its tip at (x, y) that points along `direction`, made of dots with a dark outline."""
    unit = out.unit
    for diameter, colour in (
        (6.0 * unit, (0.05, 0.06, 0.08, 0.6 * opacity)),
        (3.4 * unit, with_opacity(out.theme.accent, opacity)),
    ):
        for side in (-1.0, 1.0):
            sine, cosine = math.sin(side * CHEVRON_ANGLE), math.cos(CHEVRON_ANGLE)
            back = (-direction[0] * cosine + direction[1] * sine, -direction[1] * cosine - direction[0] * sine)
            for number in range(ARROW_DOTS):
                reach = ARROW_LENGTH * unit * number / (ARROW_DOTS - 1)
                out.add_disc(x + reach * back[0], y + reach * back[1], diameter, colour)


# Labels


def draw_labels(out: HudItems, labels: tuple[ScreenLabel, ...]) -> None:
    """Draw each label at its point, moved up or down to where it overlaps nothing; left out where there is no room, and
    beside a point that a card covers, from which the label would be moved away."""
    unit, body = out.unit, out.font_pixels(SMALL_POINTS)
    gap = out.slots.gap
    out.slots.gap = LABEL_SPACING * unit
    covered = list(out.slots.taken)
    for label in labels:
        x, y = label.x * out.size[0], label.y * out.size[1]
        is_beside = not (label.badge or label.centred)
        if is_beside and any(left <= x < left + wide and top <= y < top + high for left, top, wide, high in covered):
            continue
        colour: Rgba = DARK_TEXT if label.badge else (*label.colour, 1.0)
        text = Text(label.text, body, colour, 0.6 * out.slots.max_width, 0.5)
        margins = (7 if label.badge else 8) * unit, (1.55 * body - text.step) / 2
        box: Box = Frame(text, margins, out.theme.card, 0.8 * body)
        if label.badge:
            least = text.height + 2 * (margins[1] - margins[0])
            badge = Frame(Fit(text, least, across=0.5), margins, (*label.colour, 1.0), 0.8 * body)
            box = _outlined(out, badge, 0.8 * body)
        x += 10 * unit if is_beside else -box.width / 2
        place = out.slots.find_near(x, y - box.height / 2, box.width, box.height)
        if place is not None:
            draw_element(out, "label", box, *place[:2])
    out.slots.gap = gap


def _outlined(out: HudItems, box: Box, radius: float) -> Box:
    """The box with a dark line around it, which is not part of its size."""
    line = 1.5 * out.unit

    def paint(x: float, y: float) -> None:
        width, height = box.width + 2 * line, box.height + 2 * line
        out.add_box(x - line, y - line, width, height, min(radius, box.height / 2) + line, out.theme.card)
        box.draw(out, x, y)

    return Figure(box.width, box.height, paint)
