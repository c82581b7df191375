"""Layout of cards at the sides and of the key strip along the bottom. No GL."""

from __future__ import annotations

from ..snapshot import Card, CardRow
from ..text import fonts
from .primitives import HudLayout

EDGE_MARGIN, CARD_GAP, CARD_PADDING = 12.0, 8.0, 11.0  # units: to the window edge, between cards, inside a card
MIN_CARD_WIDTH, MAX_CARD_WIDTH = 196.0, 400.0  # units
MAX_LABEL_FRACTION = 0.46  # of the width of a card
TITLE_POINTS, BODY_POINTS = 16, 14


def draw_cards(
    out: HudLayout, cards: tuple[Card, ...], size: tuple[int, int], unit: float, top: float, right_top: float = 0.0
) -> None:
    """Stack cards at the left and right from `top` and `right_top` pixels down. Cards without room are left out."""
    heights = {"left": max(EDGE_MARGIN * unit, top), "right": max(EDGE_MARGIN * unit, right_top)}
    for card in cards:
        lowest = size[1] - (62.0 if card.side == "left" else 40.0) * unit
        heights[card.side] = _draw_card(out, card, size, unit, heights[card.side], lowest) + CARD_GAP * unit


def _card_width(out: HudLayout, card: Card, unit: float, max_width: float) -> float:
    """Width of the content, within limits, in pixels."""
    title, body = out.font_pixels(TITLE_POINTS), out.font_pixels(BODY_POINTS)
    widths = [fonts.text_width(card.title, title), fonts.text_width(card.subtitle, body)]
    label = max((fonts.text_width(row.label, body) for row in card.rows if row.value), default=0.0)
    for row in card.rows:
        swatch = 20 * unit if row.colour is not None else 0.0
        label_width = fonts.text_width(row.label, body)
        widths.append(swatch + (label + 16 * unit + fonts.text_width(row.value, body) if row.value else label_width))
    return min(max(max(widths) + 2 * CARD_PADDING * unit, MIN_CARD_WIDTH * unit), MAX_CARD_WIDTH * unit, max_width)


def _draw_card(out: HudLayout, card: Card, size: tuple[int, int], unit: float, y: float, lowest: float) -> float:
    """Draw a card. Returns the y coordinate of its end."""
    title, body = out.font_pixels(TITLE_POINTS), out.font_pixels(BODY_POINTS)
    width = _card_width(out, card, unit, size[0] * 0.5 - EDGE_MARGIN * unit)
    inner_width = width - 2 * CARD_PADDING * unit
    step = fonts.line_height(body) * 1.06
    notes = fonts.wrap_text(card.note, body, inner_width) if card.note else []
    fixed = 2 * CARD_PADDING * unit * 0.8 + len(notes) * step + (3 * unit if notes else 0.0)
    fixed += fonts.line_height(title) if card.title else 0.0
    subtitle_lines = fonts.wrap_text(card.subtitle, body, inner_width) if card.subtitle else []
    fixed += len(subtitle_lines) * step + (4 * unit if card.rows and (card.title or subtitle_lines) else 0.0)
    rows = _visible_rows(card.rows, int(max(0.0, lowest - y - fixed) // step))
    height = fixed + len(rows) * step
    if y + height > lowest + step or (not rows and not card.title and not notes):
        return y - CARD_GAP * unit
    x = EDGE_MARGIN * unit if card.side == "left" else size[0] - EDGE_MARGIN * unit - width
    out.add_outlined_box(x, y, width, height, 9 * unit, out.theme.card)
    line_y, left = y + CARD_PADDING * unit * 0.8, x + CARD_PADDING * unit
    if card.title:
        out.add_text(
            _elide_middle(card.title, title, inner_width),
            left,
            line_y + fonts.font_ascent(title),
            title,
            out.theme.accent,
        )
        line_y += fonts.line_height(title)
    for line in subtitle_lines:
        out.add_text(line, left, line_y + fonts.font_ascent(body), body, out.theme.ink)
        line_y += step
    if card.rows and (card.title or subtitle_lines):
        line_y += 4 * unit
    for row in rows:
        _draw_card_row(out, row, left, line_y, inner_width, step, unit)
        line_y += step
    if notes:
        line_y += 3 * unit
    for line in notes:
        out.add_text(
            line,
            left,
            line_y + fonts.font_ascent(body),
            body,
            out.theme.warm if card.urgent else out.theme.secondary_ink,
        )
        line_y += step
    return y + height


def _visible_rows(rows: tuple[CardRow, ...], limit: int) -> tuple[CardRow, ...]:
    """Rows that fit, including the chosen one."""
    if len(rows) <= limit:
        return rows
    chosen = next((n for n, row in enumerate(rows) if row.chosen), 0)
    first = min(max(0, chosen - limit // 2), max(0, len(rows) - limit))
    return rows[first : first + max(limit, 0)]


def _draw_card_row(
    out: HudLayout, row: CardRow, left: float, row_y: float, inner_width: float, step: float, unit: float
) -> None:
    body = out.font_pixels(BODY_POINTS)
    baseline = row_y + fonts.font_ascent(body)
    if row.chosen:
        out.add_box(left - 6 * unit, row_y - 1 * unit, inner_width + 12 * unit, step, 4 * unit, out.theme.selection)
    x = left
    if row.colour is not None:
        side = 11 * unit
        out.add_box(x, row_y + (step - side) / 2, side, side, 3 * unit, (*row.colour, 1.0))
        x += 20 * unit
    if not row.value:
        out.add_text(_elide_middle(row.label, body, inner_width - (x - left)), x, baseline, body, out.theme.ink)
        return
    label_width = max(inner_width * MAX_LABEL_FRACTION, inner_width - fonts.text_width(row.value, body) - 12 * unit)
    label = _elide_middle(row.label, body, label_width)
    out.add_text(label, x, baseline, body, out.theme.ink if row.chosen else out.theme.secondary_ink)
    value_width = inner_width - (x - left) - fonts.text_width(label, body) - 10 * unit
    colour = out.theme.accent if row.chosen else out.theme.ink
    out.add_text(_elide_middle(row.value, body, value_width), left + inner_width, baseline, body, colour, 1.0)


def _elide_middle(text: str, size: int, max_width: float) -> str:
    """Text with its middle replaced by an ellipsis where it is too wide; the end of a path matters more."""
    if fonts.text_width(text, size) <= max_width:
        return text
    for length in range(len(text) - 2, 1, -1):
        head = length // 3
        shortened = text[:head] + "…" + text[len(text) - (length - head) :]
        if fonts.text_width(shortened, size) <= max_width:
            return shortened
    return "…"


def draw_key_strip(out: HudLayout, keys: tuple[tuple[str, str], ...], size: tuple[int, int], unit: float) -> float:
    """Draw keys with meanings in one or two rows along the bottom; pairs without room are left out.

    Returns the y coordinate of the strip's top in pixels.
    """
    body = out.font_pixels(13)
    row_height, gap = body * 1.85, 15 * unit
    rows: list[list[tuple[str, str, float, float]]] = [[]]
    available, row_width = size[0] - 2 * EDGE_MARGIN * unit, 0.0
    for key, meaning in keys:
        cap_width = fonts.text_width(key, body) + 12 * unit
        pair_width = cap_width + 6 * unit + fonts.text_width(meaning, body)
        if row_width and row_width + gap + pair_width > available:
            rows.append([])
            row_width = 0.0
        row_width += pair_width + (gap if row_width else 0.0)
        rows[-1].append((key, meaning, cap_width, pair_width))
    rows = rows[:2]
    top = size[1] - len(rows) * row_height - 6 * unit
    out.add_box(0, top - 4 * unit, size[0], size[1] - top + 4 * unit, 0, out.theme.card)
    for number, row in enumerate(rows):
        x = (size[0] - sum(pair_width for *_, pair_width in row) - gap * (len(row) - 1)) / 2
        y = top + number * row_height
        for key, meaning, cap_width, pair_width in row:
            out.add_box(x, y + 0.14 * row_height, cap_width, 0.72 * row_height, 4 * unit, out.theme.keycap)
            out.add_text(key, x + cap_width / 2, y + row_height / 2 + body * 0.35, body, out.theme.ink, 0.5)
            out.add_text(
                meaning, x + cap_width + 6 * unit, y + row_height / 2 + body * 0.35, body, out.theme.secondary_ink
            )
            x += pair_width + gap
    return top
