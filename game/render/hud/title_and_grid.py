"""The title over the living level, and the levels as a grid of pictures. No GL."""

from __future__ import annotations

from ..snapshot import Panel, Row
from . import fonts
from .palette import Rgba
from .panels import MARGIN, back_button, begin_scroll, end_scroll, line, span, visible
from .primitives import ACROSS, BODY, GLOW, LARGE, ORB, SMALL, TITLE, UP, Layout, Place, cut

NAME = ("ELLIPS", "O", "ID"), ("WALKER",)  # the O is drawn: it is the one who walks
NAME_POINTS, SPACING = 66, 11.0  # of the name, and units between its letters
LEFT = 92.0  # units from the left edge
RISE = 22.0  # units that the title comes up by

CARD_RATIO = 9.0 / 16.0
CARD_WIDTH = 264.0  # units, about: as many columns as the page asks for fill the width
GAP = 18.0
NOTES = 25.0  # units below a picture, of each of its two lines
HEADING = 50.0


def faded(colour: Rgba, part: float) -> Rgba:
    return (*colour[:3], colour[3] * part)


def title(out: Layout, content: Panel, size: tuple[int, int]) -> None:
    """The name of the game, and rows below it, at the left of the picture."""
    unit, look = out.unit, out.look
    shown = min(max(content.shown, 0.0), 1.0)
    small, body = out.size(SMALL), out.size(LARGE)
    out.box(0, 0, size[0] * 0.68, size[1], 0, faded(look.scrim, shown), ACROSS)
    out.box(0, size[1] * 0.72, size[0], size[1] * 0.28, 0, faded(look.scrim, 0.55 * shown), UP)
    x = min(LEFT * unit, size[0] * 0.07)
    row_high = line(out, 45.0)
    letters = max(12, round(min(NAME_POINTS * unit, (size[0] - 2 * x) / 8.6)))
    letters = min(letters, max(12, round((size[1] - len(content.rows) * row_high - 70 * unit) / 3.4)))
    rise = RISE * unit * (1.0 - shown) ** 2
    high = letters * 2.45 + len(content.rows) * row_high + 46 * unit
    at = max(14 * unit, (size[1] - high) * 0.46) + rise
    for number, parts in enumerate(NAME):
        _name(out, parts, x, at + letters * (0.9 + 1.16 * number), letters, shown)
    at += letters * 2.45
    out.box(x + 2 * unit, at, 58 * unit, max(2.0, 3 * unit), 1.5 * unit, faded(look.accent, shown))
    at += 42 * unit
    for row in content.rows:
        _title_row(out, row, (x - 18 * unit, at, min(440 * unit, size[0] - x), row_high), body, shown)
        at += row_high
    foot = size[1] - 26 * unit
    out.text(content.footer, x, foot, small, faded(look.quiet, shown))
    if fonts.width(content.footer, small) + fonts.width(content.corner, small) + 3 * x < size[0]:
        out.text(content.corner, size[0] - 28 * unit, foot, small, faded(look.quiet, shown), 1.0)


def _name(out: Layout, parts: tuple[str, ...], x: float, base: float, letters: int, shown: float) -> None:
    """A line of the name; a lone O is an ellipsoid as high as the letters, or a little more."""
    spacing = SPACING * letters / NAME_POINTS
    soft = faded((0.0, 0.0, 0.0, 0.30), shown)
    for part in parts:
        if part == "O":
            tall, wide = 0.98 * letters, 0.56 * letters
            y = base - 0.36 * letters - tall / 2
            light = faded(out.look.accent, 0.34 * shown)
            out.box(x - 1.1 * wide, y - 0.62 * tall, 3.2 * wide, 2.24 * tall, 0, light, GLOW)
            out.box(x, y, wide, tall, 0, faded(out.look.accent, shown), ORB)
            x += wide + spacing
            continue
        out.text(part, x, base + max(1.0, 0.03 * letters), letters, soft, 0.0, spacing)
        out.text(part, x, base, letters, faded(out.look.ink, shown), 0.0, spacing)
        x += fonts.width(part, letters) + spacing * len(part)


def _title_row(out: Layout, row: Row, place: Place, letters: int, shown: float) -> None:
    unit, look = out.unit, out.look
    out.rows.append(place)
    out.spans.append((0.0, 0.0))
    x, y, _, high = place
    base = y + high / 2 + letters * 0.35
    if row.selected:
        out.box(x, y + 3 * unit, 420 * unit, high - 6 * unit, 0, faded(look.chosen, shown), ACROSS)
        out.box(x, y + 0.22 * high, 3.5 * unit, 0.56 * high, 1.75 * unit, faded(look.accent, shown))
    label = x + 18 * unit + (6 * unit if row.selected else 0.0)
    out.text(row.label, label, base, letters, faded(look.ink if row.selected else look.quiet, shown))
    if row.value:
        small = out.size(SMALL + 1)
        after = label + fonts.width(row.label, letters) + 14 * unit
        value = cut(row.value, small, place[2] - (after - x))
        out.text(value, after, base, small, faded(look.accent if row.selected else look.quiet, shown))


# The grid


def grid(out: Layout, content: Panel, size: tuple[int, int]) -> None:
    """Pictures with their names below, in groups with a heading."""
    unit, look = out.unit, out.look
    small, large = out.size(SMALL), out.size(TITLE)
    out.box(0, 0, size[0], size[1], 0, faded(look.scrim, 0.78 if look.rim[3] == 0.0 else 1.0))
    columns, gap = max(1, content.columns), GAP * unit
    width = min(size[0] - 4 * MARGIN * unit, columns * (CARD_WIDTH * unit + gap) - gap)
    wide = (width - (columns - 1) * gap) / columns
    left = (size[0] - width) / 2
    note = line(out, NOTES)
    high = wide * CARD_RATIO + 2 * note
    top = 30 * unit + large * 1.9
    out.text(content.title, left, 30 * unit + large, large, look.ink)
    out.box(left, 30 * unit + large * 1.38, 34 * unit, max(2.0, 3 * unit), 1.5 * unit, look.accent)
    right = back_button(out, content.back, left + width, 30 * unit + large * 0.66)
    if fonts.width(content.footer, small) + fonts.width(content.title, large) + 3 * gap < right - left:
        out.text(content.footer, right - gap, 30 * unit + large * 0.66 + small * 0.35, small, look.quiet, 1.0)
    bottom = size[1] - MARGIN * unit
    if content.sentences:
        bottom -= _told(out, content, left, width, size[1] - MARGIN * unit)
    places = _places(out, content, left, wide, high)
    places = [(x, y + 4 * unit, w, h) for x, y, w, h in places]  # the frame of a chosen one
    whole = places[-1][1] + places[-1][3] + gap if places else 0.0
    begin_scroll(out, whole, top, bottom, content.scroll)
    shift = top - min(content.scroll, out.most_scroll) * unit
    for row, (x, y, w, h) in zip(content.rows, places, strict=True):
        place = (x, y + shift, w, h)
        out.rows.append(visible(out, place))
        out.spans.append(span(out, place[1], h, content.scroll))
        if place[1] < bottom and place[1] + h > top:
            if row.kind == "heading":
                out.text(row.label, x, place[1] + h - 14 * unit, out.size(BODY), look.accent)
            else:
                _card(out, row, place, note)
    end_scroll(out, left + width + 10 * unit, top, bottom, content.scroll)


def _told(out: Layout, content: Panel, left: float, width: float, foot: float) -> float:
    """The sentence about the chosen one, along the foot; returns the pixels that it takes."""
    small, unit = out.size(SMALL), out.unit
    step = fonts.line_height(small)
    lines = fonts.fold(content.sentence, small, width)[:2] if content.sentence else []
    top = foot - 2 * step
    out.box(left, top - 9 * unit, width, max(1.0, unit), 0, out.look.groove)
    warm = any(row.selected and row.warns for row in content.rows)
    for number, text in enumerate(lines):
        base = top + number * step + fonts.ascent(small)
        out.text(text, left, base, small, out.look.warm if warm else out.look.ink)
    return 2 * step + 18 * unit


def _places(out: Layout, content: Panel, left: float, wide: float, high: float) -> list[Place]:
    """Where the rows stand, from the top of what scrolls."""
    gap, columns = GAP * out.unit, max(1, content.columns)
    places: list[Place] = []
    at, column = 0.0, 0
    for row in content.rows:
        if row.kind == "heading":
            at += high + gap if column else 0.0
            column = 0
            places.append((left, at, columns * (wide + gap) - gap, line(out, HEADING)))
            at += line(out, HEADING)
            continue
        places.append((left + column * (wide + gap), at, wide, high))
        column += 1
        if column == columns:
            at, column = at + high + gap, 0
    return places


def _card(out: Layout, row: Row, place: Place, note: float) -> None:
    unit, look = out.unit, out.look
    x, y, wide, _ = place
    tall = wide * CARD_RATIO
    if row.selected:
        edge = 3 * unit
        out.box(x - edge, y - edge, wide + 2 * edge, tall + 2 * edge, 11 * unit, look.accent)
    out.box(x, y, wide, tall, 9 * unit, (*look.slate[:3], 1.0))
    if row.picture:
        out.image(row.picture, (x, y, wide, tall), 9 * unit, 1.0 if row.selected else 0.86)
    elif not row.warns:
        out.box(x + wide / 2 - 0.11 * tall, y + 0.25 * tall, 0.22 * tall, 0.5 * tall, 0, faded(look.quiet, 0.35), ORB)
    body, small = out.size(BODY), out.size(SMALL)
    if row.warns:
        pad = 12 * unit
        lines = fonts.fold(row.note, small, wide - 2 * pad)
        most = max(1, int((tall - 2 * pad) // fonts.line_height(small)))
        if len(lines) > most:
            lines = [*lines[: most - 1], cut(lines[most - 1] + " …", small, wide - 2 * pad)]
        for number, text in enumerate(lines):
            at = y + pad + fonts.ascent(small) + number * fonts.line_height(small)
            out.text(text, x + pad, at, small, look.warm)
    value = fonts.width(row.value, small) + 10 * unit if row.value else 0.0
    name = cut(row.label, body, wide - value)
    base = y + tall + note * 0.5 + body * 0.5
    out.text(name, x, base, body, look.ink if row.selected else look.quiet)
    out.text(row.value, x + wide, base, small, look.accent, 1.0)
    if row.note and not row.warns:
        out.text(cut(row.note, small, wide), x, base + note * 0.85, small, look.quiet)
