"""The title over the living level, and the levels as a grid of pictures. No GL."""

from __future__ import annotations

from ..snapshot import Panel, PanelRow
from ..text import fonts
from .palette import Rgba
from .panels import PANEL_MARGIN, begin_scroll, content_span, draw_back_button, end_scroll, line_pixels, visible_part
from .primitives import (
    BODY_POINTS,
    FILL_FADE_ACROSS,
    FILL_FADE_UP,
    FILL_GLOW,
    FILL_ORB,
    LARGE_POINTS,
    SMALL_POINTS,
    TITLE_POINTS,
    HudLayout,
    Rectangle,
    elide_end,
)

TITLE_LINES = ("ELLIPS", "O", "ID"), ("WALKER",)  # the O is drawn: it is the one who walks
NAME_POINTS, LETTER_SPACING = 66, 11.0  # of the name, and units between its letters
LEFT_MARGIN = 92.0  # units from the left edge
ENTRANCE_OFFSET = 22.0  # units that the title comes up by

CARD_RATIO = 9.0 / 16.0
CARD_WIDTH = 264.0  # units, about: as many columns as the page asks for fill the width
GRID_GAP = 18.0
NOTE_LINE_HEIGHT = 25.0  # units below a picture, of each of its two lines
HEADING_HEIGHT = 50.0


def with_opacity(colour: Rgba, part: float) -> Rgba:
    return (*colour[:3], colour[3] * part)


def draw_title_page(out: HudLayout, content: Panel, size: tuple[int, int]) -> None:
    """The name of the game, and rows below it, at the left of the picture."""
    unit, look = out.unit, out.theme
    shown = min(max(content.reveal, 0.0), 1.0)
    small, body = out.font_pixels(SMALL_POINTS), out.font_pixels(LARGE_POINTS)
    out.add_box(0, 0, size[0] * 0.68, size[1], 0, with_opacity(look.scrim, shown), FILL_FADE_ACROSS)
    out.add_box(0, size[1] * 0.72, size[0], size[1] * 0.28, 0, with_opacity(look.scrim, 0.55 * shown), FILL_FADE_UP)
    x = min(LEFT_MARGIN * unit, size[0] * 0.07)
    row_high = line_pixels(out, 45.0)
    letters = max(12, round(min(NAME_POINTS * unit, (size[0] - 2 * x) / 8.6)))
    letters = min(letters, max(12, round((size[1] - len(content.rows) * row_high - 70 * unit) / 3.4)))
    rise = ENTRANCE_OFFSET * unit * (1.0 - shown) ** 2
    high = letters * 2.45 + len(content.rows) * row_high + 46 * unit
    at = max(14 * unit, (size[1] - high) * 0.46) + rise
    for number, parts in enumerate(TITLE_LINES):
        _draw_name_line(out, parts, x, at + letters * (0.9 + 1.16 * number), letters, shown)
    at += letters * 2.45
    out.add_box(x + 2 * unit, at, 58 * unit, max(2.0, 3 * unit), 1.5 * unit, with_opacity(look.accent, shown))
    at += 42 * unit
    for row in content.rows:
        _draw_title_row(out, row, (x - 18 * unit, at, min(440 * unit, size[0] - x), row_high), body, shown)
        at += row_high
    foot = size[1] - 26 * unit
    out.add_text(content.footer, x, foot, small, with_opacity(look.secondary_ink, shown))
    if fonts.text_width(content.footer, small) + fonts.text_width(content.corner, small) + 3 * x < size[0]:
        out.add_text(content.corner, size[0] - 28 * unit, foot, small, with_opacity(look.secondary_ink, shown), 1.0)


def _draw_name_line(out: HudLayout, parts: tuple[str, ...], x: float, base: float, letters: int, shown: float) -> None:
    """A line of the name; a lone O is an ellipsoid as high as the letters, or a little more."""
    spacing = LETTER_SPACING * letters / NAME_POINTS
    soft = with_opacity((0.0, 0.0, 0.0, 0.30), shown)
    for part in parts:
        if part == "O":
            tall, wide = 0.98 * letters, 0.56 * letters
            y = base - 0.36 * letters - tall / 2
            light = with_opacity(out.theme.accent, 0.34 * shown)
            out.add_box(x - 1.1 * wide, y - 0.62 * tall, 3.2 * wide, 2.24 * tall, 0, light, FILL_GLOW)
            out.add_box(x, y, wide, tall, 0, with_opacity(out.theme.accent, shown), FILL_ORB)
            x += wide + spacing
            continue
        out.add_text(part, x, base + max(1.0, 0.03 * letters), letters, soft, 0.0, spacing)
        out.add_text(part, x, base, letters, with_opacity(out.theme.ink, shown), 0.0, spacing)
        x += fonts.text_width(part, letters) + spacing * len(part)


def _draw_title_row(out: HudLayout, row: PanelRow, place: Rectangle, letters: int, shown: float) -> None:
    unit, look = out.unit, out.theme
    out.row_rectangles.append(place)
    out.row_spans.append((0.0, 0.0))
    x, y, _, high = place
    base = y + high / 2 + letters * 0.35
    if row.selected:
        out.add_box(
            x, y + 3 * unit, 420 * unit, high - 6 * unit, 0, with_opacity(look.selection, shown), FILL_FADE_ACROSS
        )
        out.add_box(x, y + 0.22 * high, 3.5 * unit, 0.56 * high, 1.75 * unit, with_opacity(look.accent, shown))
    label = x + 18 * unit + (6 * unit if row.selected else 0.0)
    out.add_text(row.label, label, base, letters, with_opacity(look.ink if row.selected else look.secondary_ink, shown))
    if row.value:
        small = out.font_pixels(SMALL_POINTS + 1)
        after = label + fonts.text_width(row.label, letters) + 14 * unit
        value = elide_end(row.value, small, place[2] - (after - x))
        out.add_text(
            value, after, base, small, with_opacity(look.accent if row.selected else look.secondary_ink, shown)
        )


# The grid


def draw_level_grid(out: HudLayout, content: Panel, size: tuple[int, int]) -> None:
    """Pictures with their names below, in groups with a heading."""
    unit, look = out.unit, out.theme
    small, large = out.font_pixels(SMALL_POINTS), out.font_pixels(TITLE_POINTS)
    out.add_box(0, 0, size[0], size[1], 0, with_opacity(look.scrim, 0.78 if look.rim[3] == 0.0 else 1.0))
    columns, gap = max(1, content.columns), GRID_GAP * unit
    width = min(size[0] - 4 * PANEL_MARGIN * unit, columns * (CARD_WIDTH * unit + gap) - gap)
    wide = (width - (columns - 1) * gap) / columns
    left = (size[0] - width) / 2
    note = line_pixels(out, NOTE_LINE_HEIGHT)
    high = wide * CARD_RATIO + 2 * note
    top = 30 * unit + large * 1.9
    out.add_text(content.title, left, 30 * unit + large, large, look.ink)
    out.add_box(left, 30 * unit + large * 1.38, 34 * unit, max(2.0, 3 * unit), 1.5 * unit, look.accent)
    right = draw_back_button(out, content.back, left + width, 30 * unit + large * 0.66)
    if fonts.text_width(content.footer, small) + fonts.text_width(content.title, large) + 3 * gap < right - left:
        out.add_text(
            content.footer, right - gap, 30 * unit + large * 0.66 + small * 0.35, small, look.secondary_ink, 1.0
        )
    bottom = size[1] - PANEL_MARGIN * unit
    if content.sentences:
        bottom -= _draw_description(out, content, left, width, size[1] - PANEL_MARGIN * unit)
    places = _grid_rectangles(out, content, left, wide, high)
    places = [(x, y + 4 * unit, w, h) for x, y, w, h in places]  # the frame of a chosen one
    whole = places[-1][1] + places[-1][3] + gap if places else 0.0
    begin_scroll(out, whole, top, bottom, content.scroll)
    shift = top - min(content.scroll, out.max_scroll) * unit
    for row, (x, y, w, h) in zip(content.rows, places, strict=True):
        place = (x, y + shift, w, h)
        out.row_rectangles.append(visible_part(out, place))
        out.row_spans.append(content_span(out, place[1], h, content.scroll))
        if place[1] < bottom and place[1] + h > top:
            if row.kind == "heading":
                out.add_text(row.label, x, place[1] + h - 14 * unit, out.font_pixels(BODY_POINTS), look.accent)
            else:
                _draw_grid_card(out, row, place, note)
    end_scroll(out, left + width + 10 * unit, top, bottom, content.scroll)


def _draw_description(out: HudLayout, content: Panel, left: float, width: float, foot: float) -> float:
    """The sentence about the chosen one, along the foot; returns the pixels that it takes."""
    small, unit = out.font_pixels(SMALL_POINTS), out.unit
    step = fonts.line_height(small)
    lines = fonts.wrap_text(content.sentence, small, width)[:2] if content.sentence else []
    top = foot - 2 * step
    out.add_box(left, top - 9 * unit, width, max(1.0, unit), 0, out.theme.slider_track)
    warm = any(row.selected and row.is_warning for row in content.rows)
    for number, text in enumerate(lines):
        base = top + number * step + fonts.font_ascent(small)
        out.add_text(text, left, base, small, out.theme.warm if warm else out.theme.ink)
    return 2 * step + 18 * unit


def _grid_rectangles(out: HudLayout, content: Panel, left: float, wide: float, high: float) -> list[Rectangle]:
    """Where the rows stand, from the top of what scrolls."""
    gap, columns = GRID_GAP * out.unit, max(1, content.columns)
    places: list[Rectangle] = []
    at, column = 0.0, 0
    for row in content.rows:
        if row.kind == "heading":
            at += high + gap if column else 0.0
            column = 0
            places.append((left, at, columns * (wide + gap) - gap, line_pixels(out, HEADING_HEIGHT)))
            at += line_pixels(out, HEADING_HEIGHT)
            continue
        places.append((left + column * (wide + gap), at, wide, high))
        column += 1
        if column == columns:
            at, column = at + high + gap, 0
    return places


def _draw_grid_card(out: HudLayout, row: PanelRow, place: Rectangle, note: float) -> None:
    unit, look = out.unit, out.theme
    x, y, wide, _ = place
    tall = wide * CARD_RATIO
    if row.selected:
        edge = 3 * unit
        out.add_box(x - edge, y - edge, wide + 2 * edge, tall + 2 * edge, 11 * unit, look.accent)
    out.add_box(x, y, wide, tall, 9 * unit, (*look.slate[:3], 1.0))
    if row.picture:
        out.add_image(row.picture, (x, y, wide, tall), 9 * unit, 1.0 if row.selected else 0.86)
    elif not row.is_warning:
        out.add_box(
            x + wide / 2 - 0.11 * tall,
            y + 0.25 * tall,
            0.22 * tall,
            0.5 * tall,
            0,
            with_opacity(look.secondary_ink, 0.35),
            FILL_ORB,
        )
    body, small = out.font_pixels(BODY_POINTS), out.font_pixels(SMALL_POINTS)
    if row.is_warning:
        pad = 12 * unit
        lines = fonts.wrap_text(row.note, small, wide - 2 * pad)
        most = max(1, int((tall - 2 * pad) // fonts.line_height(small)))
        if len(lines) > most:
            lines = [*lines[: most - 1], elide_end(lines[most - 1] + " …", small, wide - 2 * pad)]
        for number, text in enumerate(lines):
            at = y + pad + fonts.font_ascent(small) + number * fonts.line_height(small)
            out.add_text(text, x + pad, at, small, look.warm)
    value = fonts.text_width(row.value, small) + 10 * unit if row.value else 0.0
    name = elide_end(row.label, body, wide - value)
    base = y + tall + note * 0.5 + body * 0.5
    out.add_text(name, x, base, body, look.ink if row.selected else look.secondary_ink)
    out.add_text(row.value, x + wide, base, small, look.accent, 1.0)
    if row.note and not row.is_warning:
        out.add_text(elide_end(row.note, small, wide), x, base + note * 0.85, small, look.secondary_ink)
