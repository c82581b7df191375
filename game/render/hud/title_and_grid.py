"""Title page over the running level, and the level grid with thumbnails. No GL."""

from __future__ import annotations

from ..colour_palettes import Rgba
from ..snapshot import Panel, PanelRow
from ..text import fonts
from ..text.fonts import GROUP_SEPARATOR
from .panel_rows import line_pixels
from .panels import PANEL_MARGIN, ScrollArea, back_button_size, draw_back_button
from .primitives import (
    BODY_POINTS,
    FILL_FADE_ACROSS,
    FILL_FADE_UP,
    FILL_FIGURE,
    FILL_GLOW,
    LARGE_POINTS,
    SMALL_POINTS,
    TITLE_POINTS,
    HudItems,
    Rectangle,
    RoundedBox,
    draw_medal,
)

TITLE_LINES = ("ELLIPS", "O", "ID"), ("WALKER",)  # the O is drawn as the figure
NAME_POINTS = 66  # points
LETTER_SPACING = 11.0  # units between letters
LEFT_MARGIN = 92.0  # units
ENTRANCE_OFFSET = 22.0  # units: vertical path of the entrance animation

CARD_RATIO = 9.0 / 16.0
CARD_WIDTH = 264.0  # units: maximum; columns share the width
GRID_GAP = 18.0
MIN_CARD_EMS = 9.0  # font sizes: width of a card at which names have room
MAX_NAME_LINES, MAX_NOTE_LINES, MAX_DESCRIPTION_LINES = 3, 5, 4
HEADING_HEIGHT = 50.0


def with_opacity(colour: Rgba, factor: float) -> Rgba:
    """Colour with its opacity multiplied."""
    return (*colour[:3], colour[3] * factor)


def draw_title_page(out: HudItems, content: Panel, size: tuple[int, int]) -> None:
    """Title of the game with rows below, at the left. Rows that do not fit scroll below the name."""
    unit = out.unit
    theme = out.theme
    reveal = min(max(content.reveal, 0.0), 1.0)
    body = out.font_pixels(LARGE_POINTS)
    x = min(LEFT_MARGIN * unit, size[0] * 0.07)
    row_height = line_pixels(out, LARGE_POINTS, 45.0)
    background = len(out.items)
    footer_top = _draw_title_footer(out, content, x, reveal)
    available = footer_top - 24 * unit - len(content.rows) * row_height
    title_size = max(12, round(min(NAME_POINTS * unit, (size[0] - 2 * x) / 8.6)))
    title_size = max(round(0.4 * title_size), min(title_size, round((available - 40 * unit) / 2.45)))
    column = min(x + _title_width(out, content, title_size, size[0] - 2 * x) + 24 * unit, float(size[0]))
    out.items[background:background] = _title_background(out, column, reveal)
    entrance = ENTRANCE_OFFSET * unit * (1.0 - reveal) ** 2
    head = title_size * 2.45 + 42 * unit
    view = min(len(content.rows) * row_height, footer_top - 20 * unit - head)
    line_y = max(14 * unit, (footer_top - head - view) * 0.46) + entrance
    out.begin_panel("name", (x, line_y, title_size * 6.6, title_size * 2.45))
    for number, runs in enumerate(TITLE_LINES):
        _draw_name_line(out, runs, x, line_y + title_size * (0.9 + 1.16 * number), title_size, reveal)
    out.end_panel()
    line_y += title_size * 2.45
    out.add_box(x + 2 * unit, line_y, 58 * unit, max(2.0, 3 * unit), 1.5 * unit, with_opacity(theme.accent, reveal))
    top = line_y + 42 * unit
    if not content.rows:
        return
    row_width = min(440 * unit * max(1.0, out.text_scale), (column if theme.rim[3] > 0.0 else size[0]) - x)
    out.begin_panel("rows", (x - 18 * unit, top, row_width, view))
    left, height = x - 18 * unit, len(content.rows) * row_height
    with ScrollArea(out, height, top, top + view, content.scroll, left + row_width) as area:
        for number, row in enumerate(content.rows):
            rectangle = (left, area.y + number * row_height, row_width, row_height)
            if area.add_row(rectangle, row_height):
                _draw_title_row(out, row, rectangle, body, reveal)
    out.end_panel()


def _title_width(out: HudItems, content: Panel, title_size: int, max_width: float) -> float:
    """Width of the widest line of the title page: name, rows with their values, footer. Pixels."""
    small = out.font_pixels(SMALL_POINTS)
    widths = [title_size * 6.6]
    for row in content.rows:
        value = 14 * out.unit + fonts.text_width(row.value, out.font_pixels(SMALL_POINTS + 1)) if row.value else 0.0
        widths.append(24 * out.unit + fonts.text_width(row.label, out.font_pixels(LARGE_POINTS)) + value)
    lines = fonts.wrap_groups(content.footer, small, max_width) if content.footer else []
    return max([*widths, *(fonts.text_width(line, small) for line in lines)])


def _title_background(out: HudItems, right: float, reveal: float) -> list[RoundedBox]:
    """Boxes behind the title page: fades into the world, or in high contrast an opaque column up to `right`."""
    theme, (width, height) = out.theme, out.size
    scrim = with_opacity(theme.scrim, reveal)
    if theme.rim[3] > 0.0:
        line = max(1.0, round(1.5 * out.unit))
        edge = RoundedBox(right, 0.0, line, height, 0.0, with_opacity(theme.rim, reveal))
        return [RoundedBox(0.0, 0.0, right, height, 0.0, scrim), edge]
    return [
        RoundedBox(0.0, 0.0, width * 0.68, height, 0.0, scrim, FILL_FADE_ACROSS),
        RoundedBox(0.0, height * 0.72, width, height * 0.28, 0.0, with_opacity(scrim, 0.55), FILL_FADE_UP),
    ]


def _draw_title_footer(out: HudItems, content: Panel, x: float, reveal: float) -> float:
    """Footer at the left, the corner's text at the right where there is room. Returns the y coordinate of their top."""
    small = out.font_pixels(SMALL_POINTS)
    size = out.size
    unit = out.unit
    colour = with_opacity(out.theme.secondary_ink, reveal)
    lines = fonts.wrap_groups(content.footer, small, size[0] - 2 * x) if content.footer else []
    height = max(1, len(lines)) * fonts.line_height(small)
    top = size[1] - 12 * unit - height
    if lines:
        width = max(fonts.text_width(line, small) for line in lines)
        out.begin_panel("footer", (x, top, width, height))
        out.add_lines(lines, x, top, small, colour)
        out.end_panel()
    corner = fonts.text_width(content.corner, small)
    if content.corner and sum(fonts.text_width(line, small) for line in lines) + corner + 3 * x < size[0]:
        left = size[0] - 28 * unit - corner
        out.begin_panel("corner", (left, top, corner, height))
        out.add_lines([content.corner], left, top, small, colour)
        out.end_panel()
    return top


def _draw_name_line(
    out: HudItems, runs: tuple[str, ...], x: float, base: float, title_size: int, reveal: float
) -> None:
    """One line of the title from runs of text; a run "O" is drawn as the player's figure."""
    spacing = LETTER_SPACING * title_size / NAME_POINTS
    shadow = with_opacity((0.0, 0.0, 0.0, 0.30), reveal)
    for text in runs:
        if text == "O":
            height, width = 0.98 * title_size, 0.56 * title_size
            y = base - 0.36 * title_size - height / 2
            glow = with_opacity(out.theme.accent, 0.34 * reveal)
            out.add_box(x - 1.1 * width, y - 0.62 * height, 3.2 * width, 2.24 * height, 0, glow, FILL_GLOW)
            out.add_box(x, y, width, height, 0, with_opacity(out.theme.accent, reveal), FILL_FIGURE)
            x += width + spacing
            continue
        out.add_text(text, x, base + max(1.0, 0.03 * title_size), title_size, shadow, 0.0, spacing)
        out.add_text(text, x, base, title_size, with_opacity(out.theme.ink, reveal), 0.0, spacing)
        x += fonts.text_width(text, title_size) + spacing * len(text)


def _draw_title_row(out: HudItems, row: PanelRow, rectangle: Rectangle, font_size: int, reveal: float) -> None:
    unit = out.unit
    theme = out.theme
    x, y, width, height = rectangle
    baseline = y + height / 2 + font_size * 0.35
    if row.selected:
        colour = with_opacity(theme.selection, reveal)
        out.add_box(x, y + 3 * unit, 0.95 * width, height - 6 * unit, 0, colour, FILL_FADE_ACROSS)
        out.add_box(x, y + 0.22 * height, 3.5 * unit, 0.56 * height, 1.75 * unit, with_opacity(theme.accent, reveal))
    label_x = x + 18 * unit + (6 * unit if row.selected else 0.0)
    label = fonts.elide_text(row.label, font_size, width - (label_x - x))
    ink = theme.ink if row.selected else theme.secondary_ink
    out.add_text(label, label_x, baseline, font_size, with_opacity(ink, reveal))
    if row.value:
        small = out.font_pixels(SMALL_POINTS + 1)
        value_x = label_x + fonts.text_width(label, font_size) + 14 * unit
        value = fonts.elide_text(row.value, small, out.size[0] - 12 * unit - value_x)
        accent = theme.accent if row.selected else theme.secondary_ink
        out.add_text(value, value_x, baseline, small, with_opacity(accent, reveal))


# The grid


def draw_level_grid(out: HudItems, content: Panel, size: tuple[int, int]) -> None:
    """Thumbnails with names below, in groups with headings. Large text makes fewer columns."""
    unit = out.unit
    theme = out.theme
    small = out.font_pixels(SMALL_POINTS)
    large = out.font_pixels(TITLE_POINTS)
    out.add_box(0, 0, size[0], size[1], 0, with_opacity(theme.scrim, 0.78 if theme.rim[3] == 0.0 else 1.0))
    columns = max(1, content.columns)
    gap = GRID_GAP * unit
    width = min(size[0] - 4 * PANEL_MARGIN * unit, columns * (CARD_WIDTH * unit + gap) - gap)
    columns = max(1, min(columns, int((width + gap) // (MIN_CARD_EMS * out.font_pixels(BODY_POINTS) + gap))))
    out.columns = columns
    card_width = (width - (columns - 1) * gap) / columns
    left = (size[0] - width) / 2
    out.begin_panel("page", (0.0, 0.0, float(size[0]), float(size[1])))
    margin = 30 * unit if out.text_scale <= 1.0 else 16 * unit
    button_width = back_button_size(out, content)[0]
    titles = fonts.wrap_text(content.title, large, width - button_width - gap) if content.title else []
    out.add_lines(titles, left, margin + large - fonts.font_ascent(large), large, theme.ink)
    title_end = margin + large * 1.38 + max(len(titles) - 1, 0) * fonts.line_height(large)
    out.add_box(left, title_end, 34 * unit, max(2.0, 3 * unit), 1.5 * unit, theme.accent)
    top = title_end + large * 0.52
    right = draw_back_button(out, content, left + width, margin + large * 0.66)
    if fonts.text_width(content.footer, small) + fonts.text_width(content.title, large) + 3 * gap < right - left:
        out.add_text(content.footer, right - gap, margin + large * 0.66 + small * 0.35, small, theme.secondary_ink, 1.0)
    bottom = size[1] - PANEL_MARGIN * unit
    if content.reserves_sentence:
        bottom -= _draw_description(out, content, left, width, bottom)
    notes = _grid_note_lines(out, content, card_width)
    rectangles = _grid_rectangles(out, content, left, card_width, card_width * CARD_RATIO + notes[2], columns)
    rectangles = [(x, y + 4 * unit, w, h) for x, y, w, h in rectangles]  # room for the outline of a selected card
    content_height = max((y + h for _, y, _, h in rectangles), default=0.0) + gap
    with ScrollArea(out, content_height, top, bottom, content.scroll, left + width + 10 * unit) as area:
        for row, (x, y, w, h) in zip(content.rows, rectangles, strict=True):
            rectangle = (x, y + area.y, w, h)
            if area.add_row(rectangle, h):
                if row.kind == "heading":
                    out.add_text(row.label, x, rectangle[1] + h - 14 * unit, out.font_pixels(BODY_POINTS), theme.accent)
                else:
                    _draw_grid_card(out, row, rectangle, notes)
    out.end_panel()


def _grid_note_lines(out: HudItems, content: Panel, card_width: float) -> tuple[int, int, float]:
    """Largest number of lines of a name and of a note in the grid, within their limits, and their height."""
    body = out.font_pixels(BODY_POINTS)
    small = out.font_pixels(SMALL_POINTS)
    cards = [row for row in content.rows if row.kind != "heading"]
    names = max((len(_name_lines(out, row, card_width)) for row in cards), default=1)
    notes = max((len(_note_texts(out, row, card_width)) for row in cards), default=0)
    names = min(names, MAX_NAME_LINES)
    notes = min(notes, MAX_NOTE_LINES)
    return names, notes, names * fonts.line_height(body) + notes * fonts.line_height(small) + 10 * out.unit


def _name_lines(out: HudItems, row: PanelRow, card_width: float) -> list[str]:
    return fonts.wrap_text(row.label, out.font_pixels(BODY_POINTS), card_width)


def _note_texts(out: HudItems, row: PanelRow, card_width: float) -> list[str]:
    """Lines below the name: the value, and the note."""
    small = out.font_pixels(SMALL_POINTS)
    note = "" if row.is_warning else row.note
    text = GROUP_SEPARATOR.join(filter(None, (row.value, note)))
    return fonts.wrap_groups(text, small, card_width) if text else []


def _draw_description(out: HudItems, content: Panel, left: float, width: float, bottom: float) -> float:
    """Description of the selected row along the bottom. Returns its height in pixels."""
    small = out.font_pixels(SMALL_POINTS)
    unit = out.unit
    lines = fonts.wrap_text(content.sentence, small, width) if content.sentence else []
    count = max(2, min(len(lines), MAX_DESCRIPTION_LINES))
    top = bottom - count * fonts.line_height(small)
    out.add_box(left, top - 9 * unit, width, max(1.0, unit), 0, out.theme.slider_track)
    warm = any(row.selected and row.is_warning for row in content.rows)
    lines = fonts.shorten_lines(lines, count, small, width)
    out.add_lines(lines, left, top, small, out.theme.warm if warm else out.theme.ink)
    return count * fonts.line_height(small) + 18 * unit


def _grid_rectangles(
    out: HudItems, content: Panel, left: float, card_width: float, card_height: float, columns: int
) -> list[Rectangle]:
    """Rectangles of the rows, relative to the top of the scrolled content."""
    gap = GRID_GAP * out.unit
    heading_height = line_pixels(out, BODY_POINTS, HEADING_HEIGHT)
    rectangles: list[Rectangle] = []
    row_y, column = 0.0, 0
    for row in content.rows:
        if row.kind == "heading":
            row_y += card_height + gap if column else 0.0
            column = 0
            rectangles.append((left, row_y, columns * (card_width + gap) - gap, heading_height))
            row_y += heading_height
            continue
        rectangles.append((left + column * (card_width + gap), row_y, card_width, card_height))
        column += 1
        if column == columns:
            row_y, column = row_y + card_height + gap, 0
    return rectangles


def _draw_grid_card(out: HudItems, row: PanelRow, rectangle: Rectangle, notes: tuple[int, int, float]) -> None:
    unit = out.unit
    theme = out.theme
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
            FILL_FIGURE,
        )
    body = out.font_pixels(BODY_POINTS)
    small = out.font_pixels(SMALL_POINTS)
    if row.is_warning:
        padding = 12 * unit
        lines = fonts.wrap_text(row.note, small, width - 2 * padding)
        max_lines = max(1, int((height - 2 * padding) // fonts.line_height(small)))
        lines = fonts.shorten_lines(lines, max_lines, small, width - 2 * padding)
        for number, text in enumerate(lines):
            line_y = y + padding + fonts.font_ascent(small) + number * fonts.line_height(small)
            out.add_text(text, x + padding, line_y, small, theme.warm)
    if row.medal:
        medal_width = 24 * unit
        draw_medal(out, row.medal, x + width - medal_width - 8 * unit, y + 8 * unit, medal_width)
    y += height + 6 * unit
    names = fonts.shorten_lines(_name_lines(out, row, width), notes[0], body, width)
    y = out.add_lines(names, x, y, body, theme.ink if row.selected else theme.secondary_ink)
    texts = fonts.shorten_lines(_note_texts(out, row, width), notes[1], small, width)
    if row.value and texts and texts[0].startswith(row.value):
        out.add_text(row.value, x, y + fonts.font_ascent(small), small, theme.accent)
        rest = texts[0][len(row.value) :]
        out.add_text(
            rest, x + fonts.text_width(row.value, small), y + fonts.font_ascent(small), small, theme.secondary_ink
        )
        y = y + fonts.line_height(small)
        texts = texts[1:]
    out.add_lines(texts, x, y, small, theme.secondary_ink)
