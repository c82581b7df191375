"""Title page over the running level, and the level grid with thumbnails. No GL."""

from __future__ import annotations

from ..colour_palettes import with_opacity
from ..snapshot import Panel, PanelRow
from ..text import fonts
from .boxes import Box, Column, Figure, Fit, Frame, Row, ScrolledRow, Text, bar, draw_element, draw_scrolled, draw_text
from .figures import draw_medal
from .panels import PANEL_MARGIN, back_button, description, line_pixels, page_title
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
)

TITLE_LINES = ("ELLIPS", "O", "ID"), ("WALKER",)  # the O is drawn as the figure
NAME_POINTS = 66  # points
LETTER_SPACING = 11.0  # units between letters
LEFT_MARGIN = 92.0  # units
NAME_SHADOW = (0.0, 0.0, 0.0, 0.30)
ENTRANCE_OFFSET = 22.0  # units: vertical path of the entrance animation

CARD_RATIO = 9.0 / 16.0
CARD_WIDTH = 264.0  # units: maximum; columns share the width
GRID_GAP = 18.0
MIN_CARD_EMS = 9.0  # font sizes: width of a card at which names have room
MAX_NAME_LINES, MAX_NOTE_LINES, MAX_DESCRIPTION_LINES = 3, 5, 4
HEADING_HEIGHT = 50.0


def draw_title_page(out: HudItems, content: Panel, size: tuple[int, int]) -> None:
    """Title of the game with rows below, at the left. Rows that do not fit scroll below the name."""
    unit, theme = out.unit, out.theme
    reveal = min(max(content.reveal, 0.0), 1.0)
    x = min(LEFT_MARGIN * unit, size[0] * 0.07)
    small, colour = out.font_pixels(SMALL_POINTS), with_opacity(theme.secondary_ink, reveal)
    footer = Text(fonts.wrap_groups(content.footer, small, size[0] - 2 * x), small, colour)
    corner = Text([content.corner], small, colour)
    footer_top = size[1] - 12 * unit - max(footer.height, footer.step)
    row_height = line_pixels(out, LARGE_POINTS, 45.0)
    available = footer_top - 24 * unit - len(content.rows) * row_height
    title_size = max(12, round(min(NAME_POINTS * unit, (size[0] - 2 * x) / 8.6)))
    title_size = max(round(0.4 * title_size), min(title_size, round((available - 40 * unit) / 2.45)))
    name = Figure(6.6 * title_size, 2.45 * title_size, lambda x, y: _draw_name(out, x, y, title_size, reveal))
    texts = [(_title_label(out, row, reveal), _title_value(out, row, reveal)) for row in content.rows]
    widest = max(24 * unit + label.width + (14 * unit + value.width if row.value else 0.0)
                 for row, (label, value) in zip(content.rows, texts, strict=True)) if texts else 0.0  # fmt: skip
    column = min(x + max(widest, name.width, footer.width) + 24 * unit, float(size[0]))
    _draw_title_ground(out, column, reveal)
    if footer.lines:
        draw_element(out, "footer", footer, x, footer_top)
    if corner.lines and footer.width * len(footer.lines) + corner.width + 3 * x < size[0]:
        draw_element(out, "corner", corner, size[0] - 28 * unit - corner.width, footer_top)
    head = name.height + 42 * unit
    view = min(len(content.rows) * row_height, footer_top - 20 * unit - head)
    y = max(14 * unit, (footer_top - head - view) * 0.46) + ENTRANCE_OFFSET * unit * (1.0 - reveal) ** 2
    draw_element(out, "name", name, x, y)
    bar(out, 58 * unit, max(2.0, 3 * unit), with_opacity(theme.accent, reveal)).draw(out, x + 2 * unit, y + name.height)
    if not content.rows:
        return
    width = min(440 * unit * max(1.0, out.text_scale), (column if theme.rim[3] > 0.0 else size[0]) - x)
    rows = [ScrolledRow(_title_row(out, row, *parts, (width, row_height), reveal))
            for row, parts in zip(content.rows, texts, strict=True)]  # fmt: skip
    left, top = x - 18 * unit, y + head
    out.begin_element("rows", (left, top, width, view))
    draw_scrolled(out, Column(*rows), left, top, view, content.scroll, left + width)
    out.end_element()


def _draw_title_ground(out: HudItems, right: float, reveal: float) -> None:
    """Boxes behind the title page: fades into the world, or in high contrast an opaque column up to `right`."""
    theme, (width, height) = out.theme, out.size
    scrim = with_opacity(theme.scrim, reveal)
    if theme.rim[3] > 0.0:
        out.add_box(0.0, 0.0, right, height, 0.0, scrim)
        out.add_box(right, 0.0, max(1.0, round(1.5 * out.unit)), height, 0.0, with_opacity(theme.rim, reveal))
    else:
        out.add_box(0.0, 0.0, width * 0.68, height, 0.0, scrim, FILL_FADE_ACROSS)
        out.add_box(0.0, height * 0.72, width, height * 0.28, 0.0, with_opacity(scrim, 0.55), FILL_FADE_UP)


def _draw_name(out: HudItems, left: float, top: float, size: int, reveal: float) -> None:
    """Name of the game; a run "O" is drawn as the player's figure."""
    spacing = LETTER_SPACING * size / NAME_POINTS
    shadow, ink, accent = (with_opacity(colour, reveal) for colour in (NAME_SHADOW, out.theme.ink, out.theme.accent))
    for number, runs in enumerate(TITLE_LINES):
        x, baseline = left, top + size * (0.9 + 1.16 * number)
        for text in runs:
            if text == "O":
                height, width = 0.98 * size, 0.56 * size
                y = baseline - 0.36 * size - height / 2
                glow = with_opacity(accent, 0.34)
                out.add_box(x - 1.1 * width, y - 0.62 * height, 3.2 * width, 2.24 * height, 0, glow, FILL_GLOW)
                out.add_box(x, y, width, height, 0, accent, FILL_FIGURE)
                x += width + spacing
                continue
            draw_text(out, text, x, baseline + max(1.0, 0.03 * size), size, shadow, spacing)
            draw_text(out, text, x, baseline, size, ink, spacing)
            x += fonts.text_width(text, size) + spacing * len(text)


def _title_label(out: HudItems, row: PanelRow, reveal: float) -> Text:
    ink = out.theme.ink if row.selected else out.theme.secondary_ink
    return Text([row.label], out.font_pixels(LARGE_POINTS), with_opacity(ink, reveal))


def _title_value(out: HudItems, row: PanelRow, reveal: float) -> Text:
    ink = out.theme.accent if row.selected else out.theme.secondary_ink
    return Text([row.value], out.font_pixels(SMALL_POINTS + 1), with_opacity(ink, reveal))


def _title_row(out: HudItems, row: PanelRow, label: Text, value: Text, size: tuple[float, float], reveal: float) -> Box:
    """Row of the title page; its value may be longer than the row, up to the window's edge."""
    unit, theme, (width, height) = out.unit, out.theme, size
    indent = (24 if row.selected else 18) * unit
    label = _elided(label, width - indent)

    def paint(x: float, y: float) -> None:
        if row.selected:
            colour, accent = with_opacity(theme.selection, reveal), with_opacity(theme.accent, reveal)
            out.add_box(x, y + 3 * unit, 0.95 * width, height - 6 * unit, 0, colour, FILL_FADE_ACROSS)
            out.add_box(x, y + 0.22 * height, 3.5 * unit, 0.56 * height, 1.75 * unit, accent)
        left = x + indent + label.width + 14 * unit
        shown = _elided(value, out.size[0] - 12 * unit - left)
        Fit(label, height=height).draw(out, x + indent, y)
        Fit(shown, height=height).draw(out, left, y)

    return Figure(width, height, paint)


def _elided(text: Text, width: float) -> Text:
    """A line of text, cut where it is wider than `width` pixels."""
    return Text([fonts.elide_text(line, text.size, width) for line in text.lines], text.size, text.colour)


# The grid


def draw_level_grid(out: HudItems, content: Panel, size: tuple[int, int]) -> None:
    """Thumbnails with names below, in groups with headings. Large text makes fewer columns."""
    unit, theme = out.unit, out.theme
    small, large = out.font_pixels(SMALL_POINTS), out.font_pixels(TITLE_POINTS)
    out.add_box(0, 0, size[0], size[1], 0, with_opacity(theme.scrim, 0.78 if theme.rim[3] == 0.0 else 1.0))
    columns, gap = max(1, content.columns), GRID_GAP * unit
    width = min(size[0] - 4 * PANEL_MARGIN * unit, columns * (CARD_WIDTH * unit + gap) - gap)
    columns = max(1, min(columns, int((width + gap) // (MIN_CARD_EMS * out.font_pixels(BODY_POINTS) + gap))))
    out.columns = columns
    card_width = (width - (columns - 1) * gap) / columns
    left, margin = (size[0] - width) / 2, (30 if out.text_scale <= 1.0 else 16) * unit
    back, footer = back_button(out, content), Text([content.footer], small, theme.secondary_ink)
    if footer.width + fonts.text_width(content.title, large) + 3 * gap < width - back.width:
        back = Row(footer, back, gap=gap)
    title = page_title(out, content, width, back)
    sentence = description(out, content, width)
    count = max(2, min(len(sentence.lines), MAX_DESCRIPTION_LINES))
    below = count * sentence.step if content.reserves_sentence else 0.0
    grid = _grid(out, content, (width, card_width), columns)
    top, bottom = margin + title.height + 0.52 * large, size[1] - PANEL_MARGIN * unit
    view = bottom - (below + 18 * unit if below else 0.0) - top
    out.begin_element("page", (0.0, 0.0, float(size[0]), float(size[1])))
    title.draw(out, left, margin)
    if below:
        bar(out, width, max(1.0, unit), theme.slider_track).draw(out, left, bottom - below - 9 * unit)
        sentence.shortened(below, width).draw(out, left, bottom - below)
    draw_scrolled(out, grid, left, top, view, content.scroll, left + width + 10 * unit)
    out.end_element()


def _grid(out: HudItems, content: Panel, widths: tuple[float, float], columns: int) -> Box:
    """Cards of equal height in columns, below the headings of their groups. widths: of the page and of a card."""
    unit, gap, body = out.unit, GRID_GAP * out.unit, out.font_pixels(BODY_POINTS)
    (width, card_width), picture_height = widths, widths[1] * CARD_RATIO
    texts = [Box() if row.kind == "heading" else _card_text(out, row, card_width) for row in content.rows]
    height = picture_height + max((text.height for text in texts), default=0.0) + 10 * unit
    rows: list[Box] = [Box(0.0, 4 * unit)]  # room for the outline of a selected card
    cards: list[Box] = []
    for number, (row, text) in enumerate(zip(content.rows, texts, strict=True)):
        if row.kind == "heading":
            heading = Frame(Text(row.label, body, out.theme.accent), (0.0, 0.5 * (28 * unit - body)))
            rows.append(ScrolledRow(Fit(heading, width, line_pixels(out, BODY_POINTS, HEADING_HEIGHT), down=1.0)))
            continue
        card = Column(_picture(out, row, card_width, picture_height), Box(0.0, 6 * unit), text)
        cards.append(ScrolledRow(Fit(card, card_width, height, down=0.0)))
        is_last = number + 1 == len(texts) or content.rows[number + 1].kind == "heading"
        if is_last or len(cards) == columns:
            rows += [Row(*cards, gap=gap), Box(0.0, gap)]
            cards = []
    return Column(*rows)


def _card_text(out: HudItems, row: PanelRow, width: float) -> Box:
    """Name of a level, and a note below it that begins with its best time."""
    theme, body, small = out.theme, out.font_pixels(BODY_POINTS), out.font_pixels(SMALL_POINTS)
    name = Text(row.label, body, theme.ink if row.selected else theme.secondary_ink, width)
    words = fonts.GROUP_SEPARATOR.join(filter(None, (row.value, "" if row.is_warning else row.note)))
    note = Text(fonts.wrap_groups(words, small, width), small, theme.secondary_ink)
    note = note.shortened(MAX_NOTE_LINES * note.step, width)
    parts: list[Box] = [note]
    if row.value and note.lines[0].startswith(row.value):
        first, rest = Text([row.value], small, theme.accent), [note.lines[0].removeprefix(row.value)]
        parts = [Row(first, Text(rest, small, note.colour)), Text(note.lines[1:], small, note.colour)]
    return Column(name.shortened(MAX_NAME_LINES * name.step, width), *parts)


def _picture(out: HudItems, row: PanelRow, width: float, height: float) -> Box:
    """Thumbnail of a level with its medal, or why it cannot be played."""
    unit, theme, small = out.unit, out.theme, out.font_pixels(SMALL_POINTS)
    padding, medal_width = 12 * unit, 24 * unit
    warning = Text(row.note if row.is_warning else "", small, theme.warm, width - 2 * padding)
    warning = warning.shortened(max(height - 2 * padding, warning.step), width - 2 * padding)

    def paint(x: float, y: float) -> None:
        if row.selected:
            line = 3 * unit
            out.add_box(x - line, y - line, width + 2 * line, height + 2 * line, 11 * unit, theme.accent)
        out.add_box(x, y, width, height, 9 * unit, theme.ground)
        if row.picture:
            out.add_image(row.picture, (x, y, width, height), 9 * unit, 1.0 if row.selected else 0.86)
        elif not row.is_warning:
            figure = (x + width / 2 - 0.11 * height, y + 0.25 * height, 0.22 * height, 0.5 * height)
            out.add_box(*figure, 0, with_opacity(theme.secondary_ink, 0.35), FILL_FIGURE)
        warning.draw(out, x + padding, y + padding)
        draw_medal(out, row.medal, x + width - medal_width - 8 * unit, y + 8 * unit, medal_width)

    return Figure(width, height, paint)
