"""Title page over the running level, and the level grid with thumbnails. No GL."""

from __future__ import annotations

from ..snapshot import Panel, PanelRow
from ..text import fonts
from .medal import draw_medal
from .palette import Rgba
from .panels import (
    PANEL_MARGIN,
    begin_scroll,
    clip_to_scroll_band,
    content_span,
    draw_back_button,
    end_scroll,
    line_pixels,
)
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

TITLE_LINES = ("ELLIPS", "O", "ID"), ("WALKER",)  # the O is drawn as an ellipsoid
NAME_POINTS, LETTER_SPACING = 66, 11.0  # points; units between letters
LEFT_MARGIN = 92.0  # units
ENTRANCE_OFFSET = 22.0  # units: vertical path of the entrance animation

CARD_RATIO = 9.0 / 16.0
CARD_WIDTH = 264.0  # units: maximum; columns share the width
GRID_GAP = 18.0
NOTE_LINE_HEIGHT = 25.0  # units: each of the two lines below a thumbnail
HEADING_HEIGHT = 50.0


def with_opacity(colour: Rgba, factor: float) -> Rgba:
    """Colour with its opacity multiplied."""
    return (*colour[:3], colour[3] * factor)


def draw_title_page(out: HudLayout, content: Panel, size: tuple[int, int]) -> None:
    """Title of the game with rows below, at the left."""
    unit, theme = out.unit, out.theme
    reveal = min(max(content.reveal, 0.0), 1.0)
    small, body = out.font_pixels(SMALL_POINTS), out.font_pixels(LARGE_POINTS)
    out.add_box(0, 0, size[0] * 0.68, size[1], 0, with_opacity(theme.scrim, reveal), FILL_FADE_ACROSS)
    out.add_box(0, size[1] * 0.72, size[0], size[1] * 0.28, 0, with_opacity(theme.scrim, 0.55 * reveal), FILL_FADE_UP)
    x = min(LEFT_MARGIN * unit, size[0] * 0.07)
    row_height = line_pixels(out, 45.0)
    title_size = max(12, round(min(NAME_POINTS * unit, (size[0] - 2 * x) / 8.6)))
    title_size = min(title_size, max(12, round((size[1] - len(content.rows) * row_height - 70 * unit) / 3.4)))
    entrance = ENTRANCE_OFFSET * unit * (1.0 - reveal) ** 2
    height = title_size * 2.45 + len(content.rows) * row_height + 46 * unit
    line_y = max(14 * unit, (size[1] - height) * 0.46) + entrance
    for number, runs in enumerate(TITLE_LINES):
        _draw_name_line(out, runs, x, line_y + title_size * (0.9 + 1.16 * number), title_size, reveal)
    line_y += title_size * 2.45
    out.add_box(x + 2 * unit, line_y, 58 * unit, max(2.0, 3 * unit), 1.5 * unit, with_opacity(theme.accent, reveal))
    line_y += 42 * unit
    for row in content.rows:
        _draw_title_row(out, row, (x - 18 * unit, line_y, min(440 * unit, size[0] - x), row_height), body, reveal)
        line_y += row_height
    footer_y = size[1] - 26 * unit
    out.add_text(content.footer, x, footer_y, small, with_opacity(theme.secondary_ink, reveal))
    if fonts.text_width(content.footer, small) + fonts.text_width(content.corner, small) + 3 * x < size[0]:
        out.add_text(
            content.corner, size[0] - 28 * unit, footer_y, small, with_opacity(theme.secondary_ink, reveal), 1.0
        )


def _draw_name_line(
    out: HudLayout, runs: tuple[str, ...], x: float, base: float, title_size: int, reveal: float
) -> None:
    """One line of the title from runs of text; a run "O" is drawn as an ellipsoid."""
    spacing = LETTER_SPACING * title_size / NAME_POINTS
    shadow = with_opacity((0.0, 0.0, 0.0, 0.30), reveal)
    for text in runs:
        if text == "O":
            height, width = 0.98 * title_size, 0.56 * title_size
            y = base - 0.36 * title_size - height / 2
            glow = with_opacity(out.theme.accent, 0.34 * reveal)
            out.add_box(x - 1.1 * width, y - 0.62 * height, 3.2 * width, 2.24 * height, 0, glow, FILL_GLOW)
            out.add_box(x, y, width, height, 0, with_opacity(out.theme.accent, reveal), FILL_ORB)
            x += width + spacing
            continue
        out.add_text(text, x, base + max(1.0, 0.03 * title_size), title_size, shadow, 0.0, spacing)
        out.add_text(text, x, base, title_size, with_opacity(out.theme.ink, reveal), 0.0, spacing)
        x += fonts.text_width(text, title_size) + spacing * len(text)


def _draw_title_row(out: HudLayout, row: PanelRow, rectangle: Rectangle, font_size: int, reveal: float) -> None:
    unit, theme = out.unit, out.theme
    out.row_rectangles.append(rectangle)
    out.row_spans.append((0.0, 0.0))
    x, y, _, height = rectangle
    baseline = y + height / 2 + font_size * 0.35
    if row.selected:
        out.add_box(
            x, y + 3 * unit, 420 * unit, height - 6 * unit, 0, with_opacity(theme.selection, reveal), FILL_FADE_ACROSS
        )
        out.add_box(x, y + 0.22 * height, 3.5 * unit, 0.56 * height, 1.75 * unit, with_opacity(theme.accent, reveal))
    label_x = x + 18 * unit + (6 * unit if row.selected else 0.0)
    out.add_text(
        row.label,
        label_x,
        baseline,
        font_size,
        with_opacity(theme.ink if row.selected else theme.secondary_ink, reveal),
    )
    if row.value:
        small = out.font_pixels(SMALL_POINTS + 1)
        value_x = label_x + fonts.text_width(row.label, font_size) + 14 * unit
        value = elide_end(row.value, small, rectangle[2] - (value_x - x))
        out.add_text(
            value, value_x, baseline, small, with_opacity(theme.accent if row.selected else theme.secondary_ink, reveal)
        )


# The grid


def draw_level_grid(out: HudLayout, content: Panel, size: tuple[int, int]) -> None:
    """Thumbnails with names below, in groups with headings."""
    unit, theme = out.unit, out.theme
    small, large = out.font_pixels(SMALL_POINTS), out.font_pixels(TITLE_POINTS)
    out.add_box(0, 0, size[0], size[1], 0, with_opacity(theme.scrim, 0.78 if theme.rim[3] == 0.0 else 1.0))
    columns, gap = max(1, content.columns), GRID_GAP * unit
    width = min(size[0] - 4 * PANEL_MARGIN * unit, columns * (CARD_WIDTH * unit + gap) - gap)
    card_width = (width - (columns - 1) * gap) / columns
    left = (size[0] - width) / 2
    note_height = line_pixels(out, NOTE_LINE_HEIGHT)
    card_height = card_width * CARD_RATIO + 2 * note_height
    top = 30 * unit + large * 1.9
    out.add_text(content.title, left, 30 * unit + large, large, theme.ink)
    out.add_box(left, 30 * unit + large * 1.38, 34 * unit, max(2.0, 3 * unit), 1.5 * unit, theme.accent)
    right = draw_back_button(out, content.back, left + width, 30 * unit + large * 0.66)
    if fonts.text_width(content.footer, small) + fonts.text_width(content.title, large) + 3 * gap < right - left:
        out.add_text(
            content.footer, right - gap, 30 * unit + large * 0.66 + small * 0.35, small, theme.secondary_ink, 1.0
        )
    bottom = size[1] - PANEL_MARGIN * unit
    if content.reserves_sentence:
        bottom -= _draw_description(out, content, left, width, size[1] - PANEL_MARGIN * unit)
    rectangles = _grid_rectangles(out, content, left, card_width, card_height)
    rectangles = [(x, y + 4 * unit, w, h) for x, y, w, h in rectangles]  # room for the outline of a selected card
    content_height = rectangles[-1][1] + rectangles[-1][3] + gap if rectangles else 0.0
    begin_scroll(out, content_height, top, bottom, content.scroll)
    shift = top - min(content.scroll, out.max_scroll) * unit
    for row, (x, y, w, h) in zip(content.rows, rectangles, strict=True):
        rectangle = (x, y + shift, w, h)
        out.row_rectangles.append(clip_to_scroll_band(out, rectangle))
        out.row_spans.append(content_span(out, rectangle[1], h, content.scroll))
        if rectangle[1] < bottom and rectangle[1] + h > top:
            if row.kind == "heading":
                out.add_text(row.label, x, rectangle[1] + h - 14 * unit, out.font_pixels(BODY_POINTS), theme.accent)
            else:
                _draw_grid_card(out, row, rectangle, note_height)
    end_scroll(out, left + width + 10 * unit, top, bottom, content.scroll)


def _draw_description(out: HudLayout, content: Panel, left: float, width: float, bottom: float) -> float:
    """Description of the selected row along the bottom. Returns its height in pixels."""
    small, unit = out.font_pixels(SMALL_POINTS), out.unit
    step = fonts.line_height(small)
    lines = fonts.wrap_text(content.sentence, small, width)[:2] if content.sentence else []
    top = bottom - 2 * step
    out.add_box(left, top - 9 * unit, width, max(1.0, unit), 0, out.theme.slider_track)
    warm = any(row.selected and row.is_warning for row in content.rows)
    for number, text in enumerate(lines):
        base = top + number * step + fonts.font_ascent(small)
        out.add_text(text, left, base, small, out.theme.warm if warm else out.theme.ink)
    return 2 * step + 18 * unit


def _grid_rectangles(
    out: HudLayout, content: Panel, left: float, card_width: float, card_height: float
) -> list[Rectangle]:
    """Rectangles of the rows, relative to the top of the scrolled content."""
    gap, columns = GRID_GAP * out.unit, max(1, content.columns)
    rectangles: list[Rectangle] = []
    row_y, column = 0.0, 0
    for row in content.rows:
        if row.kind == "heading":
            row_y += card_height + gap if column else 0.0
            column = 0
            rectangles.append((left, row_y, columns * (card_width + gap) - gap, line_pixels(out, HEADING_HEIGHT)))
            row_y += line_pixels(out, HEADING_HEIGHT)
            continue
        rectangles.append((left + column * (card_width + gap), row_y, card_width, card_height))
        column += 1
        if column == columns:
            row_y, column = row_y + card_height + gap, 0
    return rectangles


def _draw_grid_card(out: HudLayout, row: PanelRow, rectangle: Rectangle, note_height: float) -> None:
    unit, theme = out.unit, out.theme
    x, y, width, _ = rectangle
    height = width * CARD_RATIO
    if row.selected:
        outline = 3 * unit
        out.add_box(x - outline, y - outline, width + 2 * outline, height + 2 * outline, 11 * unit, theme.accent)
    out.add_box(x, y, width, height, 9 * unit, (*theme.slate[:3], 1.0))
    if row.picture:
        out.add_image(row.picture, (x, y, width, height), 9 * unit, 1.0 if row.selected else 0.86)
    elif not row.is_warning:
        out.add_box(
            x + width / 2 - 0.11 * height,
            y + 0.25 * height,
            0.22 * height,
            0.5 * height,
            0,
            with_opacity(theme.secondary_ink, 0.35),
            FILL_ORB,
        )
    body, small = out.font_pixels(BODY_POINTS), out.font_pixels(SMALL_POINTS)
    if row.is_warning:
        padding = 12 * unit
        lines = fonts.wrap_text(row.note, small, width - 2 * padding)
        max_lines = max(1, int((height - 2 * padding) // fonts.line_height(small)))
        if len(lines) > max_lines:
            lines = [*lines[: max_lines - 1], elide_end(lines[max_lines - 1] + " …", small, width - 2 * padding)]
        for number, text in enumerate(lines):
            line_y = y + padding + fonts.font_ascent(small) + number * fonts.line_height(small)
            out.add_text(text, x + padding, line_y, small, theme.warm)
    value_width = fonts.text_width(row.value, small) + 10 * unit if row.value else 0.0
    medal_width = 0.95 * small if row.medal else 0.0
    name = elide_end(row.label, body, width - value_width - 1.5 * medal_width)
    baseline = y + height + note_height * 0.5 + body * 0.5
    out.add_text(name, x, baseline, body, theme.ink if row.selected else theme.secondary_ink)
    out.add_text(row.value, x + width, baseline, small, theme.accent, 1.0)
    if row.medal:
        medal_x = x + width - value_width - 1.1 * medal_width + 4 * unit
        draw_medal(out, row.medal, medal_x, baseline - 1.15 * medal_width, medal_width)
    if row.note and not row.is_warning:
        out.add_text(elide_end(row.note, small, width), x, baseline + note_height * 0.85, small, theme.secondary_ink)
