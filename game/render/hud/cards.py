"""Layout of cards at the sides and of the key strip along the bottom. No GL."""

from __future__ import annotations

from dataclasses import dataclass

from ...text.key_symbols import key_symbols
from ..colour_palettes import Rgba
from ..snapshot import Card, CardRow
from ..text import fonts
from .primitives import HudItems
from .slots import TOP_LEFT, TOP_RIGHT, Rectangle

CARD_PADDING = 11.0  # units, inside a card
MIN_CARD_WIDTH, MAX_CARD_WIDTH = 196.0, 400.0  # units; the maximum grows with the text
TITLE_POINTS, BODY_POINTS, STRIP_POINTS = 16, 14, 13
MAX_STRIP_ROWS = 4
PICTURE_WIDTH, PICTURE_RATIO = 200.0, 9.0 / 16.0  # units; height over width
MIN_ROWS_BESIDE_PICTURE = 4  # lines of rows that a picture leaves
NOTE_EMS = 16.0  # font sizes: width that a long note takes
MIN_ROW_LINES = 2  # lines of rows that a long note leaves


@dataclass(frozen=True, slots=True)
class _CardLine:
    """Measured line of a card: text at the left and right, its colours, and the swatch or selection of its row."""

    left: str
    right: str
    left_colour: Rgba
    right_colour: Rgba
    size: int
    step: float
    swatch: tuple[float, float, float] | None = None
    chosen: bool = False
    indent: float = 0.0
    row: int = -1  # index of its row in the card


def draw_cards(out: HudItems, cards: tuple[Card, ...]) -> None:
    """Stack cards at the left and right, urgent ones first. Cards without room are left out."""
    for index, card in sorted(enumerate(cards), key=lambda pair: not pair[1].urgent):
        _draw_card(out, card, index)


def _card_width(out: HudItems, card: Card) -> float:
    """Width of the content, within limits, in pixels."""
    unit = out.unit
    title = out.font_pixels(TITLE_POINTS)
    body = out.font_pixels(BODY_POINTS)
    widths = [fonts.text_width(card.title, title), fonts.text_width(card.subtitle, body)]
    for row in card.rows:
        width = (20 * unit if row.colour is not None else 0.0) + fonts.text_width(row.label, body)
        widths.append(width + (16 * unit + fonts.text_width(row.value, body) if row.value else 0.0))
    widths.append(min(fonts.text_width(card.note, body), NOTE_EMS * body))
    most = min(MAX_CARD_WIDTH * unit * max(1.0, out.text_scale), (out.slots.max_width - out.slots.gap) / 2)
    return min(max(max(widths) + 2 * CARD_PADDING * unit + 1.0, MIN_CARD_WIDTH * unit), most)


def _row_lines(out: HudItems, row: CardRow, inner_width: float, index: int) -> list[_CardLine]:
    """Lines of a row: label and value on one where they fit, else the value below."""
    body = out.font_pixels(BODY_POINTS)
    theme = out.theme
    step = fonts.line_height(body) * 1.06
    indent = 20 * out.unit if row.colour is not None else 0.0
    label_colour = theme.ink if row.chosen or not row.value else theme.secondary_ink
    value_colour = theme.accent if row.chosen else theme.ink
    available = inner_width - indent
    both = fonts.text_width(row.label, body) + 12 * out.unit + fonts.text_width(row.value, body)
    if not row.value or both <= available:
        labels = fonts.wrap_text(row.label, body, available)
        texts = [(label, row.value if number == 0 else "") for number, label in enumerate(labels)]
    else:
        labels = fonts.wrap_text(row.label, body, available) if row.label else []
        values = fonts.wrap_text(row.value, body, available)
        last = fonts.text_width(labels[-1], body) + 12 * out.unit + fonts.text_width(values[0], body) if labels else 0.0
        texts = [(label, "") for label in labels]
        if labels and last <= available:
            texts[-1] = (labels[-1], values.pop(0))
        texts += [("", value) for value in values]
    return [
        _CardLine(left, right, label_colour, value_colour, body, step, row.colour if number == 0 else None,
                  row.chosen, indent, index)
        for number, (left, right) in enumerate(texts)
    ]  # fmt: skip


def _draw_card(out: HudItems, card: Card, index: int) -> None:
    unit = out.unit
    theme = out.theme
    title = out.font_pixels(TITLE_POINTS)
    body = out.font_pixels(BODY_POINTS)
    step = fonts.line_height(body) * 1.06
    slot = TOP_LEFT if card.side == "left" else TOP_RIGHT
    width = _card_width(out, card)
    inner_width = width - 2 * CARD_PADDING * unit
    padding = 0.8 * CARD_PADDING * unit
    titles = fonts.wrap_text(card.title, title, inner_width) if card.title else []
    subtitles = fonts.wrap_groups(card.subtitle, body, inner_width) if card.subtitle else []
    notes = fonts.wrap_text(card.note, body, inner_width) if card.note else []
    rows = [_row_lines(out, row, inner_width, number) for number, row in enumerate(card.rows)]
    space = 4 * unit if rows and (titles or subtitles) else 0.0
    note_space = 3 * unit if notes else 0.0
    room = out.slots.room(slot, width) - 2 * padding - space - note_space
    if room < (fonts.line_height(title) if titles else step):
        return
    titles = fonts.shorten_lines(titles, int(room // fonts.line_height(title)), title, inner_width)
    room -= len(titles) * fonts.line_height(title)
    subtitles = fonts.shorten_lines(subtitles, int(room // step), body, inner_width)
    room -= len(subtitles) * step
    picture = _picture_size(out, card, inner_width, room - MIN_ROWS_BESIDE_PICTURE * step)
    room -= picture[1]
    reserved = min(len(notes) * step, max(room - MIN_ROW_LINES * step, 0.0)) if rows else room
    lines = _visible_rows(out, rows, card.rows, int(max(room - reserved, 0.0) // step))
    notes = fonts.shorten_lines(notes, int(max(room - len(lines) * step, 0.0) // step), body, inner_width)
    height = 2 * padding + space + note_space + len(titles) * fonts.line_height(title)
    height += (len(subtitles) + len(lines) + len(notes)) * step + picture[1]
    box = out.place_panel("card", slot, width, height) if titles or subtitles or lines or notes else None
    if box is None:
        return
    out.add_outlined_box(*box, 9 * unit, theme.card)
    left = box[0] + CARD_PADDING * unit
    y = out.add_lines(titles, left, box[1] + padding, title, theme.accent)
    y = out.add_lines(subtitles, left, y, body, theme.ink, step=step) + space
    for line in lines:
        _draw_card_line(out, line, left, y, inner_width)
        if line.row >= 0:
            out.card_rows.append((index, line.row, (box[0], y, width, step)))
        y += step
    if picture[1]:
        image = (left + (inner_width - picture[0]) / 2, y + 3 * unit, picture[0], picture[1] - 6 * unit)
        out.add_image(card.picture, image, 6 * unit)
        y += picture[1]
    out.add_lines(notes, left, y + note_space, body, theme.warm if card.urgent else theme.secondary_ink, step=step)
    out.end_panel()


def _picture_size(out: HudItems, card: Card, inner_width: float, room: float) -> tuple[float, float]:
    """Width of the card's picture and height with its margins, in pixels; zero where there is no room."""
    width = min(PICTURE_WIDTH * out.unit, inner_width)
    height = width * PICTURE_RATIO + 6 * out.unit
    return (width, height) if card.picture and height <= room else (0.0, 0.0)


def _visible_rows(
    out: HudItems, rows: list[list[_CardLine]], source: tuple[CardRow, ...], limit: int
) -> list[_CardLine]:
    """Lines of the rows that fit, including the chosen one, and a line that counts the others."""
    lines = [line for row in rows for line in row]
    if len(lines) <= limit:
        return lines
    chosen = next((n for n, row in enumerate(source) if row.chosen), 0)
    first = last = chosen  # rows first ... last - 1 are shown
    count = 0
    while True:
        if last < len(rows) and count + len(rows[last]) <= limit - 1 and (first == 0 or last <= chosen + 2):
            count = count + len(rows[last])
            last = last + 1
        elif first > 0 and count + len(rows[first - 1]) <= limit - 1:
            first, count = first - 1, count + len(rows[first - 1])
        elif last < len(rows) and count + len(rows[last]) <= limit - 1:
            count = count + len(rows[last])
            last = last + 1
        else:
            break
    shown = [line for row in rows[first:last] for line in row]
    body = out.font_pixels(BODY_POINTS)
    more = _CardLine(f"and {len(rows) - (last - first)} more", "", out.theme.secondary_ink, out.theme.ink, body,
                     fonts.line_height(body) * 1.06)  # fmt: skip
    return [*shown, more] if limit > 0 else []


def _draw_card_line(out: HudItems, line: _CardLine, left: float, y: float, inner_width: float) -> None:
    unit = out.unit
    baseline = y + fonts.font_ascent(line.size)
    if line.chosen:
        out.add_box(left - 6 * unit, y - 1 * unit, inner_width + 12 * unit, line.step, 4 * unit, out.theme.selection)
    if line.swatch is not None:
        side = 11 * unit
        out.add_box(left, y + (line.step - side) / 2, side, side, 3 * unit, (*line.swatch, 1.0))
    out.add_text(line.left, left + line.indent, baseline, line.size, line.left_colour)
    out.add_text(line.right, left + inner_width, baseline, line.size, line.right_colour, 1.0)


def draw_key_strip(out: HudItems, keys: tuple[tuple[str, str], ...]) -> Rectangle | None:
    """Draw keys with meanings in rows along the bottom; pairs without room are left out. Returns its rectangle."""
    unit = out.unit
    size = out.font_pixels(STRIP_POINTS)
    edge = out.slots.margin
    body = size
    gap = 15 * unit
    row_height = fonts.line_height(size) * 1.22
    rows: list[list[tuple[str, str, float, float]]] = [[]]
    available = out.size[0] - 2 * edge
    row_width = 0.0
    for key, meaning in keys:
        symbols = key_symbols(key)
        key_width = fonts.text_width(symbols, body)
        pair_width = key_width + 6 * unit + fonts.text_width(meaning, body)
        if row_width and row_width + gap + pair_width > available:
            rows.append([])
            row_width = 0.0
        row_width += pair_width + (gap if row_width else 0.0)
        rows[-1].append((symbols, meaning, key_width, pair_width))
    rows = rows[:MAX_STRIP_ROWS]
    top = out.size[1] - len(rows) * row_height - 6 * unit
    rectangle = (0.0, top - 4 * unit, float(out.size[0]), out.size[1] - top + 4 * unit)
    if not out.slots.is_free(rectangle):
        return None
    out.begin_panel("key strip", rectangle)
    out.add_box(*rectangle, 0, out.theme.card)
    for number, row in enumerate(rows):
        x = (out.size[0] - sum(pair_width for *_, pair_width in row) - gap * (len(row) - 1)) / 2
        baseline = top + (number + 0.5) * row_height + body * 0.35
        for symbols, meaning, key_width, pair_width in row:
            out.add_text(symbols, x, baseline, body, out.theme.ink)
            out.add_text(meaning, x + key_width + 6 * unit, baseline, body, out.theme.secondary_ink)
            x += pair_width + gap
    out.end_panel()
    return rectangle
