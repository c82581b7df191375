"""Cards at the sides, and along the bottom the key strip and the timeline of a recording. No GL."""

from __future__ import annotations

from functools import partial

from ...text.key_symbols import key_symbols
from ..snapshot import Card, CardRow, Timeline
from ..text import fonts
from .boxes import Box, Column, Figure, Fit, Frame, Row, Text, Touch, bar, draw_element, flow, place, spread
from .primitives import DARK_TEXT, SMALL_POINTS, HudItems
from .slots import TOP_LEFT, TOP_RIGHT, Rectangle

CARD_PADDING = 11.0  # units, inside a card
MIN_CARD_WIDTH, MAX_CARD_WIDTH = 196.0, 400.0  # units; the maximum grows with the text
CARD_TITLE_POINTS, KEY_STRIP_POINTS = 16, 13
LINE_FACTOR = 1.06  # of the line height
MAX_STRIP_ROWS = 4
PICTURE_WIDTH, PICTURE_RATIO = 200.0, 9.0 / 16.0  # units; height over width
MIN_ROWS_BESIDE_PICTURE = 4  # lines of rows that a picture leaves
NOTE_EMS = 16.0  # font sizes: width that a long note takes
MIN_ROW_LINES = 2  # lines of rows that a long note leaves


def draw_cards(out: HudItems, cards: tuple[Card, ...]) -> None:
    """Stack cards at the left and right, urgent ones first. Cards without room are left out."""
    for index, card in sorted(enumerate(cards), key=lambda pair: not pair[1].urgent):
        _draw_card(out, card, index)


def _draw_card(out: HudItems, card: Card, index: int) -> None:
    """Title, subtitle, rows, picture and note; short of room, the last rows and the note's last lines go."""
    unit, theme = out.unit, out.theme
    title_size, body = out.font_pixels(CARD_TITLE_POINTS), out.font_pixels(SMALL_POINTS)
    step, padding = fonts.line_height(body) * LINE_FACTOR, CARD_PADDING * unit
    slot = TOP_LEFT if card.side == "left" else TOP_RIGHT
    width = _inner_width(out, card)
    title = Text(card.title, title_size, theme.accent, width)
    subtitle = Text(fonts.wrap_groups(card.subtitle, body, width), body, theme.ink, step=step)
    note = Text(card.note, body, theme.warm if card.urgent else theme.secondary_ink, width, step=step)
    rows = [_row_lines(out, row, width) for row in card.rows]
    space = Box(0.0, 4 * unit if rows and (title.lines or subtitle.lines) else 0.0)
    note_space = Box(0.0, 3 * unit if note.lines else 0.0)
    room = out.slots.room(slot, width + 2 * padding) - 1.6 * padding - space.height - note_space.height
    if room < (title.step if title.lines else step):
        return
    title = title.shortened(room, width)
    room -= title.height
    subtitle = subtitle.shortened(room, width)
    room -= subtitle.height
    picture = _picture(out, card, width)
    if picture.height > room - MIN_ROWS_BESIDE_PICTURE * step:
        picture = Box()
    room -= picture.height
    reserved = min(note.height, max(room - MIN_ROW_LINES * step, 0.0)) if rows else room
    limit = int(max(room - reserved, 0.0) // step)
    first, last = _visible_rows(card, rows, limit)

    def tell(row: int, at: Rectangle) -> None:
        out.card_rows.append((index, row, (at[0] - padding, at[1], at[2] + 2 * padding, at[3])))

    lines: list[Box] = [Touch(line, partial(tell, row)) for row in range(first, last) for line in rows[row]]
    if last - first < len(rows) and limit > 0:
        more = Text(f"and {len(rows) - (last - first)} more", body, theme.secondary_ink, step=step)
        lines.append(Touch(Fit(more, width), partial(tell, -1)))
    note = note.shortened(room - len(lines) * step, width)
    content = Column(title, subtitle, space, *lines, picture, note_space, note)
    if title.lines or subtitle.lines or lines or note.lines:
        place(out, "card", slot, Frame(Fit(content, width), (padding, 0.8 * padding), theme.card, 9 * unit, True))


def _inner_width(out: HudItems, card: Card) -> float:
    """Width of the content, within limits, in pixels."""
    unit = out.unit
    title, body = out.font_pixels(CARD_TITLE_POINTS), out.font_pixels(SMALL_POINTS)
    widths = [fonts.text_width(card.title, title), fonts.text_width(card.subtitle, body)]
    for row in card.rows:
        width = (20 * unit if row.colour is not None else 0.0) + fonts.text_width(row.label, body)
        widths.append(width + (16 * unit + fonts.text_width(row.value, body) if row.value else 0.0))
    widths.append(min(fonts.text_width(card.note, body), NOTE_EMS * body))
    most = min(MAX_CARD_WIDTH * unit * max(1.0, out.text_scale), (out.slots.max_width - out.slots.gap) / 2)
    padding = 2 * CARD_PADDING * unit
    return min(max(max(widths) + padding + 1.0, MIN_CARD_WIDTH * unit), most) - padding


def _row_lines(out: HudItems, row: CardRow, width: float) -> list[Box]:
    """Lines of a row: label and value on one where they fit, else the value below."""
    unit, theme, body = out.unit, out.theme, out.font_pixels(SMALL_POINTS)
    step = fonts.line_height(body) * LINE_FACTOR
    indent = 20 * unit if row.colour is not None else 0.0
    available = width - indent
    texts = [(row.label, row.value)]
    if not _are_beside(*texts[0], body, available - 12 * unit):
        labels = Text(row.label, body, theme.ink, available).lines
        values = Text(row.value, body, theme.ink, available).lines
        texts = [*((label, "") for label in labels), *(("", value) for value in values)]
        if labels and values and _are_beside(labels[-1], values[0], body, available - 12 * unit):
            texts[len(labels) - 1 : len(labels) + 1] = [(labels[-1], values[0])]

    def line(number: int, label: str, value: str) -> Box:
        left = Text(label, body, theme.ink if row.chosen or not row.value else theme.secondary_ink, step=step)
        right = Text(value, body, theme.accent if row.chosen else theme.ink, step=step)
        content = spread(left, right, available)

        def paint(x: float, y: float) -> None:
            if row.chosen:
                out.add_box(x - 6 * unit, y - unit, width + 12 * unit, step, 4 * unit, theme.selection)
            if row.colour is not None and number == 0:
                side = 11 * unit
                out.add_box(x, y + (step - side) / 2, side, side, 3 * unit, (*row.colour, 1.0))
            content.draw(out, x + indent, y)

        return Figure(width, step, paint)

    return [line(number, *text) for number, text in enumerate(texts)]


def _are_beside(label: str, value: str, size: int, width: float) -> bool:
    """Whether a label and a value have room on one line."""
    return fonts.text_width(label, size) + fonts.text_width(value, size) <= width


def _picture(out: HudItems, card: Card, inner_width: float) -> Box:
    """The card's picture with a margin above and below."""
    width, margin = min(PICTURE_WIDTH * out.unit, inner_width), 3 * out.unit
    height = width * PICTURE_RATIO
    image = Figure(width, height, lambda x, y: out.add_image(card.picture, (x, y, width, height), 6 * out.unit))
    return Frame(Fit(image, inner_width, across=0.5), (0.0, margin)) if card.picture else Box()


def _visible_rows(card: Card, rows: list[list[Box]], limit: int) -> tuple[int, int]:
    """First and end of the rows that are shown on `limit` lines: those around the chosen one, and, where some are left
    out, with a line to spare."""
    if sum(map(len, rows)) <= limit:
        return 0, len(rows)
    chosen = next((n for n, row in enumerate(card.rows) if row.chosen), 0)
    first = last = chosen
    free = limit - 1
    while True:
        goes_down = last < len(rows) and len(rows[last]) <= free
        goes_up = first > 0 and len(rows[first - 1]) <= free
        if goes_down and (first == 0 or last <= chosen + 2 or not goes_up):
            free -= len(rows[last])
            last += 1
        elif goes_up:
            first -= 1
            free -= len(rows[first])
        else:
            return first, last


def draw_key_strip(out: HudItems, keys: tuple[tuple[str, str], ...]) -> Rectangle | None:
    """Draw keys with meanings in rows along the bottom; pairs without room are left out. Returns its rectangle."""
    unit, theme, size = out.unit, out.theme, out.font_pixels(KEY_STRIP_POINTS)
    step = fonts.line_height(size) * 1.22
    pairs = [
        Row(Text(key_symbols(key), size, theme.ink), Text(meaning, size, theme.secondary_ink), gap=6 * unit)
        for key, meaning in keys
    ]
    rows = flow([Fit(pair, height=step) for pair in pairs], out.slots.max_width, 15 * unit)[:MAX_STRIP_ROWS]
    lines = Fit(Column(*rows, align=0.5), out.size[0], across=0.5)
    strip = Frame(Column(Box(0.0, 4 * unit), lines, Box(0.0, 6 * unit)), (0.0, 0.0), theme.card)
    rectangle = (0.0, out.size[1] - strip.height, strip.width, strip.height)
    if not out.slots.is_free(rectangle):
        return None
    draw_element(out, "key strip", strip, *rectangle[:2])
    return rectangle


# The timeline

SIDE_MARGIN, BAND_HEIGHT, MAX_COLUMN_HEIGHT = 12.0, 74.0, 34.0  # units
LANE_HEIGHT, LANE_GAP = 5.0, 4.0  # units: lane of surface colours below the columns
MARK_POINTS = 12
FUTURE_OPACITY = 0.38  # factor for columns after the cursor


def draw_timeline(out: HudItems, timeline: Timeline, bottom: float) -> None:
    """Draw the timeline above `bottom` (pixels from the top), with the label of its cursor above the band."""
    theme, unit, window = out.theme, out.unit, float(out.size[0])
    small, label_size = out.font_pixels(MARK_POINTS), out.font_pixels(SMALL_POINTS)
    mark_height, label_height = 1.35 * small, 1.75 * label_size
    height = (BAND_HEIGHT - 16.0) * unit + mark_height
    top = bottom - height
    area = (0.0, top - label_height, window, height + label_height)
    if not out.slots.is_free((*area[:3], area[3] - out.slots.gap)):
        return
    out.begin_element("timeline", area)
    out.add_box(0, top, window, height, 0, theme.card)
    left = (SIDE_MARGIN + 8) * unit
    length = window - 2 * left
    out.timeline_rectangle = left, top, length, height
    baseline = top + height - (LANE_HEIGHT + LANE_GAP + 8) * unit
    cursor_x = left + min(max(timeline.cursor, 0.0), 1.0) * length
    _draw_columns(out, timeline, left, length, baseline, cursor_x)
    marks_end = 0.0
    for fraction, word in timeline.marks:
        is_past = left + fraction * length <= cursor_x
        text = Text([word], small, theme.ink if is_past else theme.secondary_ink, step=mark_height)
        ground = theme.slider_track if is_past else theme.keycap
        mark = Frame(Fit(text, 8 * unit, across=0.5), (3 * unit, 0.0), ground, 3 * unit)
        x = min(max(left + fraction * length - mark.width / 2, 0.0), window - mark.width)
        if x >= marks_end:  # else there is no room beside the mark before it
            mark.draw(out, x, top + 5 * unit)
            marks_end = x + mark.width + 2 * unit
    width, lane = max(2.0, 2.5 * unit), baseline + (LANE_GAP + LANE_HEIGHT) * unit
    bar_top = top - 2 * unit
    out.add_box(cursor_x - width / 2, bar_top, width, lane + 3 * unit - bar_top, width / 2, theme.accent)
    out.add_disc(cursor_x, lane - LANE_HEIGHT / 2 * unit, 11 * unit, theme.accent)
    label = Frame(
        Text([timeline.label], label_size, DARK_TEXT, step=1.6 * label_size), (11 * unit, 0.0), theme.accent, label_size
    )
    label_left = min(max(cursor_x - label.width / 2, 6 * unit), window - label.width - 6 * unit)
    if timeline.label:
        label.draw(out, label_left, top - label_height)
    for words, across in ((timeline.left, 0.0), (timeline.right, 1.0)):
        end = Frame(Text([words], small, theme.ink, step=1.6 * small), (7 * unit, 0.0), theme.card, small, True)
        x = left + across * (length - end.width)
        if words and (x + end.width + 4 * unit < label_left or x > label_left + label.width + 4 * unit):
            end.draw(out, x, top - label_height + 0.1 * small)
    out.end_element()


def _draw_columns(
    out: HudItems, timeline: Timeline, left: float, length: float, baseline: float, cursor_x: float
) -> None:
    """Columns of the speed, over a lane with the colours of the surfaces."""
    theme, unit = out.theme, out.unit
    bar(out, length, max(1.0, unit), theme.slider_track).draw(out, left, baseline)
    width = length / max(1, len(timeline.columns))
    radius, gap = min(1.5 * unit, width / 3), min(1.5 * unit, 0.3 * width)
    for number, (speed, colour) in enumerate(timeline.columns):
        x = left + number * width
        opacity = 0.92 if x + width / 2 <= cursor_x else FUTURE_OPACITY * 0.8
        height = max(1.5 * unit, min(max(speed, 0.0), 1.0) * MAX_COLUMN_HEIGHT * unit)
        out.add_box(x, baseline - height, width - gap, height, radius, (*theme.ink[:3], opacity * 0.8))
        out.add_box(x, baseline + LANE_GAP * unit, width, LANE_HEIGHT * unit, 0, (*colour, opacity))
