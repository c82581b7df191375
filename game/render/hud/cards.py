"""Cards at the sides of the picture, and a strip of keys along its foot: where their boxes and lines stand. No GL."""

from __future__ import annotations

from ..snapshot import Card, CardRow
from ..text import fonts
from .primitives import HudLayout

EDGE_MARGIN, CARD_GAP, CARD_PADDING = 12.0, 8.0, 11.0  # units: from the picture's edge, between cards, inside a card
MIN_CARD_WIDTH, MAX_CARD_WIDTH = 196.0, 400.0  # units, of a card
MAX_LABEL_FRACTION = 0.46  # of a card's width that labels may take
TITLE_POINTS, BODY_POINTS = 16, 14


def draw_cards(
    out: HudLayout, cards: tuple[Card, ...], size: tuple[int, int], unit: float, top: float, right_top: float = 0.0
) -> None:
    """Cards below each other, left and right, from `top` and `right_top` pixels down; what has no room is left out."""
    heights = {"left": max(EDGE_MARGIN * unit, top), "right": max(EDGE_MARGIN * unit, right_top)}
    for card in cards:
        lowest = size[1] - (62.0 if card.side == "left" else 40.0) * unit
        heights[card.side] = _draw_card(out, card, size, unit, heights[card.side], lowest) + CARD_GAP * unit


def _card_width(out: HudLayout, card: Card, unit: float, most: float) -> float:
    """As wide as its lines, within bounds."""
    title, body = out.font_pixels(TITLE_POINTS), out.font_pixels(BODY_POINTS)
    widths = [fonts.text_width(card.title, title), fonts.text_width(card.subtitle, body)]
    label = max((fonts.text_width(row.label, body) for row in card.rows if row.value), default=0.0)
    for row in card.rows:
        mark = 20 * unit if row.colour is not None else 0.0
        wide = fonts.text_width(row.label, body)
        widths.append(mark + (label + 16 * unit + fonts.text_width(row.value, body) if row.value else wide))
    return min(max(max(widths) + 2 * CARD_PADDING * unit, MIN_CARD_WIDTH * unit), MAX_CARD_WIDTH * unit, most)


def _draw_card(out: HudLayout, card: Card, size: tuple[int, int], unit: float, y: float, lowest: float) -> float:
    """Draw one; returns where it ends."""
    title, body = out.font_pixels(TITLE_POINTS), out.font_pixels(BODY_POINTS)
    wide = _card_width(out, card, unit, size[0] * 0.5 - EDGE_MARGIN * unit)
    inner = wide - 2 * CARD_PADDING * unit
    step = fonts.line_height(body) * 1.06
    notes = fonts.wrap_text(card.note, body, inner) if card.note else []
    fixed = 2 * CARD_PADDING * unit * 0.8 + len(notes) * step + (3 * unit if notes else 0.0)
    fixed += fonts.line_height(title) if card.title else 0.0
    below = fonts.wrap_text(card.subtitle, body, inner) if card.subtitle else []
    fixed += len(below) * step + (4 * unit if card.rows and (card.title or below) else 0.0)
    rows = _visible_rows(card.rows, int(max(0.0, lowest - y - fixed) // step))
    high = fixed + len(rows) * step
    if y + high > lowest + step or (not rows and not card.title and not notes):
        return y - CARD_GAP * unit
    x = EDGE_MARGIN * unit if card.side == "left" else size[0] - EDGE_MARGIN * unit - wide
    out.add_outlined_box(x, y, wide, high, 9 * unit, out.theme.card)
    at, left = y + CARD_PADDING * unit * 0.8, x + CARD_PADDING * unit
    if card.title:
        out.add_text(
            _elide_middle(card.title, title, inner), left, at + fonts.font_ascent(title), title, out.theme.accent
        )
        at += fonts.line_height(title)
    for line in below:
        out.add_text(line, left, at + fonts.font_ascent(body), body, out.theme.ink)
        at += step
    if card.rows and (card.title or below):
        at += 4 * unit
    for row in rows:
        _draw_card_row(out, row, left, at, inner, step, unit)
        at += step
    if notes:
        at += 3 * unit
    for line in notes:
        out.add_text(
            line, left, at + fonts.font_ascent(body), body, out.theme.warm if card.urgent else out.theme.secondary_ink
        )
        at += step
    return y + high


def _visible_rows(rows: tuple[CardRow, ...], most: int) -> tuple[CardRow, ...]:
    """As many rows as there is room for, the chosen one among them."""
    if len(rows) <= most:
        return rows
    chosen = next((n for n, row in enumerate(rows) if row.chosen), 0)
    first = min(max(0, chosen - most // 2), max(0, len(rows) - most))
    return rows[first : first + max(most, 0)]


def _draw_card_row(
    out: HudLayout, row: CardRow, left: float, at: float, inner: float, step: float, unit: float
) -> None:
    body = out.font_pixels(BODY_POINTS)
    base = at + fonts.font_ascent(body)
    if row.chosen:
        out.add_box(left - 6 * unit, at - 1 * unit, inner + 12 * unit, step, 4 * unit, out.theme.selection)
    x = left
    if row.colour is not None:
        side = 11 * unit
        out.add_box(x, at + (step - side) / 2, side, side, 3 * unit, (*row.colour, 1.0))
        x += 20 * unit
    if not row.value:
        out.add_text(_elide_middle(row.label, body, inner - (x - left)), x, base, body, out.theme.ink)
        return
    most = max(inner * MAX_LABEL_FRACTION, inner - fonts.text_width(row.value, body) - 12 * unit)
    label = _elide_middle(row.label, body, most)
    out.add_text(label, x, base, body, out.theme.ink if row.chosen else out.theme.secondary_ink)
    room = inner - (x - left) - fonts.text_width(label, body) - 10 * unit
    colour = out.theme.accent if row.chosen else out.theme.ink
    out.add_text(_elide_middle(row.value, body, room), left + inner, base, body, colour, 1.0)


def _elide_middle(text: str, size: int, most: float) -> str:
    """The text, with its middle left out where it is too wide: a path's end says more than its middle."""
    if fonts.text_width(text, size) <= most:
        return text
    for kept in range(len(text) - 2, 1, -1):
        head = kept // 3
        cut = text[:head] + "…" + text[len(text) - (kept - head) :]
        if fonts.text_width(cut, size) <= most:
            return cut
    return "…"


def draw_key_strip(out: HudLayout, keys: tuple[tuple[str, str], ...], size: tuple[int, int], unit: float) -> float:
    """Keys with what they do, in one or two rows of a dark band along the foot; what has no room is left out.

    Returns how far down the band begins, in pixels.
    """
    body = out.font_pixels(13)
    high, gap = body * 1.85, 15 * unit
    rows: list[list[tuple[str, str, float, float]]] = [[]]
    room, used = size[0] - 2 * EDGE_MARGIN * unit, 0.0
    for key, meaning in keys:
        cap = fonts.text_width(key, body) + 12 * unit
        wide = cap + 6 * unit + fonts.text_width(meaning, body)
        if used and used + gap + wide > room:
            rows.append([])
            used = 0.0
        used += wide + (gap if used else 0.0)
        rows[-1].append((key, meaning, cap, wide))
    rows = rows[:2]
    top = size[1] - len(rows) * high - 6 * unit
    out.add_box(0, top - 4 * unit, size[0], size[1] - top + 4 * unit, 0, out.theme.card)
    for number, row in enumerate(rows):
        x = (size[0] - sum(wide for *_, wide in row) - gap * (len(row) - 1)) / 2
        y = top + number * high
        for key, meaning, cap, wide in row:
            out.add_box(x, y + 0.14 * high, cap, 0.72 * high, 4 * unit, out.theme.keycap)
            out.add_text(key, x + cap / 2, y + high / 2 + body * 0.35, body, out.theme.ink, 0.5)
            out.add_text(meaning, x + cap + 6 * unit, y + high / 2 + body * 0.35, body, out.theme.secondary_ink)
            x += wide + gap
    return top
