"""Cards at the sides of the picture, and a strip of keys along its foot: where their boxes and lines stand. No GL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..snapshot import Card, CardRow
from . import fonts

if TYPE_CHECKING:
    from .layout import Layout

EDGE, GAP, PAD = 12.0, 8.0, 11.0  # units: from the picture's edge, between cards, inside a card
NARROWEST, WIDEST = 196.0, 400.0  # units, of a card
LABEL_PART = 0.46  # of a card's width that labels may take
TITLE, BODY = 16, 14


def draw_cards(
    out: Layout, cards: tuple[Card, ...], size: tuple[int, int], unit: float, top: float, right_top: float = 0.0
) -> None:
    """Cards below each other, left and right, from `top` and `right_top` pixels down; what has no room is left out."""
    heights = {"left": max(EDGE * unit, top), "right": max(EDGE * unit, right_top)}
    for card in cards:
        lowest = size[1] - (62.0 if card.side == "left" else 40.0) * unit
        heights[card.side] = _card(out, card, size, unit, heights[card.side], lowest) + GAP * unit


def _wide(out: Layout, card: Card, unit: float, most: float) -> float:
    """As wide as its lines, within bounds."""
    title, body = out.size(TITLE), out.size(BODY)
    widths = [fonts.width(card.title, title), fonts.width(card.below, body)]
    label = max((fonts.width(row.label, body) for row in card.rows if row.value), default=0.0)
    for row in card.rows:
        mark = 20 * unit if row.colour is not None else 0.0
        wide = fonts.width(row.label, body)
        widths.append(mark + (label + 16 * unit + fonts.width(row.value, body) if row.value else wide))
    return min(max(max(widths) + 2 * PAD * unit, NARROWEST * unit), WIDEST * unit, most)


def _card(out: Layout, card: Card, size: tuple[int, int], unit: float, y: float, lowest: float) -> float:
    """Draw one; returns where it ends."""
    title, body = out.size(TITLE), out.size(BODY)
    wide = _wide(out, card, unit, size[0] * 0.5 - EDGE * unit)
    inner = wide - 2 * PAD * unit
    step = fonts.line_height(body) * 1.06
    notes = fonts.fold(card.note, body, inner) if card.note else []
    fixed = 2 * PAD * unit * 0.8 + len(notes) * step + (3 * unit if notes else 0.0)
    fixed += fonts.line_height(title) if card.title else 0.0
    below = fonts.fold(card.below, body, inner) if card.below else []
    fixed += len(below) * step + (4 * unit if card.rows and (card.title or below) else 0.0)
    rows = _fitting(card.rows, int(max(0.0, lowest - y - fixed) // step))
    high = fixed + len(rows) * step
    if y + high > lowest + step or (not rows and not card.title and not notes):
        return y - GAP * unit
    x = EDGE * unit if card.side == "left" else size[0] - EDGE * unit - wide
    out.framed(x, y, wide, high, 9 * unit, out.look.card)
    at, left = y + PAD * unit * 0.8, x + PAD * unit
    if card.title:
        out.text(_cut(card.title, title, inner), left, at + fonts.ascent(title), title, out.look.accent)
        at += fonts.line_height(title)
    for line in below:
        out.text(line, left, at + fonts.ascent(body), body, out.look.ink)
        at += step
    if card.rows and (card.title or below):
        at += 4 * unit
    for row in rows:
        _row(out, row, left, at, inner, step, unit)
        at += step
    if notes:
        at += 3 * unit
    for line in notes:
        out.text(line, left, at + fonts.ascent(body), body, out.look.warm if card.urgent else out.look.quiet)
        at += step
    return y + high


def _fitting(rows: tuple[CardRow, ...], most: int) -> tuple[CardRow, ...]:
    """As many rows as there is room for, the chosen one among them."""
    if len(rows) <= most:
        return rows
    chosen = next((n for n, row in enumerate(rows) if row.chosen), 0)
    first = min(max(0, chosen - most // 2), max(0, len(rows) - most))
    return rows[first : first + max(most, 0)]


def _row(out: Layout, row: CardRow, left: float, at: float, inner: float, step: float, unit: float) -> None:
    body = out.size(BODY)
    base = at + fonts.ascent(body)
    if row.chosen:
        out.box(left - 6 * unit, at - 1 * unit, inner + 12 * unit, step, 4 * unit, out.look.chosen)
    x = left
    if row.colour is not None:
        side = 11 * unit
        out.box(x, at + (step - side) / 2, side, side, 3 * unit, (*row.colour, 1.0))
        x += 20 * unit
    if not row.value:
        out.text(_cut(row.label, body, inner - (x - left)), x, base, body, out.look.ink)
        return
    most = max(inner * LABEL_PART, inner - fonts.width(row.value, body) - 12 * unit)
    label = _cut(row.label, body, most)
    out.text(label, x, base, body, out.look.ink if row.chosen else out.look.quiet)
    room = inner - (x - left) - fonts.width(label, body) - 10 * unit
    colour = out.look.accent if row.chosen else out.look.ink
    out.text(_cut(row.value, body, room), left + inner, base, body, colour, 1.0)


def _cut(text: str, size: int, most: float) -> str:
    """The text, with its middle left out where it is too wide: a path's end says more than its middle."""
    if fonts.width(text, size) <= most:
        return text
    for kept in range(len(text) - 2, 1, -1):
        head = kept // 3
        cut = text[:head] + "…" + text[len(text) - (kept - head) :]
        if fonts.width(cut, size) <= most:
            return cut
    return "…"


def draw_strip(out: Layout, keys: tuple[tuple[str, str], ...], size: tuple[int, int], unit: float) -> float:
    """Keys with what they do, in one or two rows of a dark band along the foot; what has no room is left out.

    Returns how far down the band begins, in pixels.
    """
    body = out.size(13)
    high, gap = body * 1.85, 15 * unit
    rows: list[list[tuple[str, str, float, float]]] = [[]]
    room, used = size[0] - 2 * EDGE * unit, 0.0
    for key, meaning in keys:
        cap = fonts.width(key, body) + 12 * unit
        wide = cap + 6 * unit + fonts.width(meaning, body)
        if used and used + gap + wide > room:
            rows.append([])
            used = 0.0
        used += wide + (gap if used else 0.0)
        rows[-1].append((key, meaning, cap, wide))
    rows = rows[:2]
    top = size[1] - len(rows) * high - 6 * unit
    out.box(0, top - 4 * unit, size[0], size[1] - top + 4 * unit, 0, out.look.card)
    for number, row in enumerate(rows):
        x = (size[0] - sum(wide for *_, wide in row) - gap * (len(row) - 1)) / 2
        y = top + number * high
        for key, meaning, cap, wide in row:
            out.box(x, y + 0.14 * high, cap, 0.72 * high, 4 * unit, out.look.keycap)
            out.text(key, x + cap / 2, y + high / 2 + body * 0.35, body, out.look.ink, 0.5)
            out.text(meaning, x + cap + 6 * unit, y + high / 2 + body * 0.35, body, out.look.quiet)
            x += wide + gap
    return top
