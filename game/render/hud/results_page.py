"""The page at the end of a run, and the clock at the top of the picture: where everything stands. No GL."""

from __future__ import annotations

from itertools import pairwise

from ..run_summary import DONE, FRESH, KNOWN, Mark, Sheet
from ..snapshot import Panel
from . import fonts
from .palette import Rgba
from .primitives import BODY, LARGE, SMALL, TITLE, Layout, cut

WIDTH, PAD, GAP = 900.0, 26.0, 22.0  # units
MAP = (400.0, 300.0)
CLOCK, BEST = 44, 15  # points
BUTTON = 40.0
MOST_SPLITS = 7
STROKE = ((-0.42, 0.02), (-0.14, 0.32), (0.44, -0.34))  # a tick mark in a square of side 1
TOLD = {FRESH: "done, the first time", DONE: "done again", KNOWN: "done before"}
DOTS = 9  # that each of its two strokes is drawn with


def draw_timer(out: Layout, text: str, below: str, size: tuple[int, int]) -> None:
    """The clock at the top middle, with a line below it. Its place does not change with its digits."""
    unit, large, small = out.unit, out.size(LARGE + 2), out.size(SMALL)
    widest = max(fonts.width(digit, large) for digit in "0123456789")
    steps = [widest if char.isdigit() else fonts.width(char, large) for char in text]
    wide, high = sum(steps) + 30 * unit, large * 1.75
    x, y = size[0] / 2 - wide / 2, 12 * unit
    out.box(x, y, wide, high, high / 2, out.look.shade)
    at = x + 15 * unit
    for char, step in zip(text, steps, strict=True):
        out.text(char, at + step / 2, y + high / 2 + large * 0.36, large, out.look.ink, 0.5)
        at += step
    if below:
        line = fonts.width(below, small) + 22 * unit
        top = y + high + 5 * unit
        out.box(size[0] / 2 - line / 2, top, line, small * 1.7, small * 0.85, out.look.shade)
        out.text(below, size[0] / 2, top + small * 1.2, small, out.look.accent, 0.5)


def result(out: Layout, content: Panel, size: tuple[int, int]) -> None:
    """The page at the end of a run: at the left the figures, at the right the map, below them the rows as buttons."""
    sheet = content.result
    if sheet is None:
        return
    unit, look = out.unit, out.look
    grow = max(1.0, 0.4 + 0.6 * out.text_scale)
    width = min(WIDTH * unit * grow, size[0] - 24 * unit)
    pad = PAD * unit
    map_wide = min(MAP[0] * unit, (width - 2 * pad) * 0.5)
    map_high = map_wide * MAP[1] / MAP[0]
    left_wide = width - 2 * pad - map_wide - GAP * unit
    lines = _left(sheet, out, 0.0, 0.0, left_wide, dry=True)
    small = out.size(SMALL)
    caption = fonts.line_height(small) + 4 * unit
    foot = BUTTON * unit + fonts.line_height(small) + 16 * unit
    room = size[1] - 24 * unit - foot - 2 * pad
    body = min(max(lines, map_high + caption), room)
    height = body + foot + 2 * pad
    x, y = round((size[0] - width) / 2), round(max((size[1] - height) / 2, 12 * unit))
    out.box(0, 0, size[0], size[1], 0, look.veil)
    out.framed(x, y, width, height, 14 * unit, look.slate)
    _left(sheet, out, x + pad, y + pad, left_wide, most=body)
    _map(out, sheet, x + width - pad - map_wide, y + pad, map_wide, map_high)
    _buttons(out, content, x + pad, y + pad + body + 14 * unit, width - 2 * pad)
    base = y + height - 0.55 * pad
    out.text(content.footer, x + width - pad, base, small, look.quiet, 1.0)
    most = width - 2 * pad - fonts.width(content.footer, small) - 20 * unit
    out.text(cut(sheet.state, small, most), x + pad, base, small, look.warm if sheet.refused else look.quiet)


def _left(
    sheet: Sheet, out: Layout, x: float, y: float, wide: float, most: float = 1e9, dry: bool = False
) -> float:
    """Name, time, splits and challenges from (x, y) on; the pixels that they take. `dry`: nothing is drawn; splits are
    left out in the middle where there are very many, and challenges where they do not fit."""
    unit, look = out.unit, out.look
    small, body, large, huge = out.size(SMALL), out.size(BODY), out.size(TITLE), out.size(CLOCK)
    at = 0.0

    def text(words: str, left: float, base: float, points: int, colour: Rgba, align: float = 0.0) -> None:
        if not dry and words:
            out.text(words, x + left, y + base, points, colour, align)

    text(cut(sheet.title, large, wide), 0.0, large, large, look.quiet)
    at += large * 1.25
    text(sheet.time, 0.0, at + huge, huge, look.ink)
    text(sheet.score, fonts.width(sheet.time, huge) + 18 * unit, at + huge, body, look.ink)
    at += huge * 1.22
    text(cut(sheet.told, body, wide), 0.0, at + fonts.ascent(body), body, look.accent if sheet.better else look.ink)
    at += fonts.line_height(body) + 12 * unit
    step = fonts.line_height(small) * 1.1
    splits = list(sheet.splits)
    left_out = len(splits) - MOST_SPLITS
    if left_out > 0:
        splits = [*splits[: MOST_SPLITS - 2], *splits[-2:]]
    clocks = max((fonts.width(line.time, small) for line in splits), default=0.0)
    aparts = max((fonts.width(line.apart, small) for line in splits), default=0.0)
    for number, line in enumerate(splits):
        base = at + fonts.ascent(small)
        right = wide - aparts - (14 * unit if aparts else 0.0)
        text(cut(line.name, small, right - clocks - 14 * unit), 0.0, base, small, look.quiet)
        text(line.time, right, base, small, look.ink, 1.0)
        text(line.apart, wide, base, small, look.accent if line.ahead else look.ink, 1.0)
        at += step
        if left_out > 0 and number == MOST_SPLITS - 3:
            text(f"and {left_out} more", 0.0, at + fonts.ascent(small), small, look.quiet)
            at += step
    at += 12 * unit if splits else 0.0
    at = _challenges(sheet.marks, out, x, y, at, wide, most, dry)
    return at


def _challenges(
    marks: tuple[Mark, ...], out: Layout, x: float, y: float, at: float, wide: float, most: float, dry: bool
) -> float:
    unit, look, body, small = out.unit, out.look, out.size(BODY), out.size(SMALL)
    high = fonts.line_height(body) * 1.12
    label = max((fonts.width(mark.label, body) for mark in marks), default=0.0)
    for mark in marks:
        if at + high > most:
            break
        if not dry:
            middle = y + at + high / 2
            _badge(out, mark, x + 10 * unit, middle)
            done = mark.state in (DONE, FRESH)
            base = middle + body * 0.35
            out.text(mark.label, x + 30 * unit, base, body, look.ink if done else look.quiet)
            told = TOLD.get(mark.state, mark.sentence)
            room = wide - label - 48 * unit
            colour = look.accent if mark.state == FRESH else look.quiet
            out.text(cut(told, small, room), x + label + 48 * unit, base, small, colour)
        at += high
    return at


def _badge(out: Layout, mark: Mark, x: float, y: float) -> None:
    """Around (x, y): a ring for what is open, a dot in it for what was done before, a tick mark for what was done."""
    unit, look = out.unit, out.look
    side = 16 * unit
    if mark.state in (DONE, FRESH):
        fill = look.accent if mark.state == FRESH else look.ink
        out.box(x - side / 2, y - side / 2, side, side, side / 2, fill)
        thick = 2.4 * unit
        for (ax, ay), (bx, by) in pairwise(STROKE):
            for k in range(DOTS):
                part = k / (DOTS - 1)
                cx = x + 0.62 * side * (ax + part * (bx - ax))
                cy = y + 0.62 * side * (ay + part * (by - ay))
                out.box(cx - thick / 2, cy - thick / 2, thick, thick, thick / 2, (*look.slate[:3], 1.0))
        return
    line = max(1.0, 1.6 * unit)
    out.box(x - side / 2, y - side / 2, side, side, side / 2, look.quiet)
    inner = side - 2 * line
    out.box(x - inner / 2, y - inner / 2, inner, inner, inner / 2, (*look.slate[:3], 1.0))
    if mark.state == KNOWN:
        dot = 6 * unit
        out.box(x - dot / 2, y - dot / 2, dot, dot, dot / 2, look.quiet)


def _map(out: Layout, sheet: Sheet, x: float, y: float, wide: float, high: float) -> None:
    unit, look, small = out.unit, out.look, out.size(SMALL)
    out.box(x, y, wide, high, 9 * unit, look.keycap)
    if sheet.picture:
        out.image(sheet.picture, (x, y, wide, high), 9 * unit)
    else:
        out.text("the map is being drawn", x + wide / 2, y + high / 2, small, look.quiet, 0.5)
    at, base = x, y + high + 4 * unit + fonts.ascent(small)
    for colour, words in sheet.legend:
        out.box(at, base - 0.30 * small - 1.5 * unit, 16 * unit, 3 * unit, 1.5 * unit, (*colour, 1.0))
        out.text(words, at + 22 * unit, base, small, look.quiet)
        at += 22 * unit + fonts.width(words, small) + 18 * unit


def _buttons(out: Layout, content: Panel, x: float, y: float, wide: float) -> None:
    unit, look, body = out.unit, out.look, out.size(BODY)
    gap = 10 * unit
    each = (wide - gap * (len(content.rows) - 1)) / max(1, len(content.rows))
    for row in content.rows:
        place = (x, y, each, BUTTON * unit)
        out.rows.append(place)
        out.box(*place, 8 * unit, look.chosen if row.selected else look.keycap)
        if row.selected:
            out.box(x + 0.3 * each, y + place[3] - 5 * unit, 0.4 * each, 3 * unit, 1.5 * unit, look.accent)
        colour = look.ink if row.selected else look.quiet
        out.text(row.label, x + each / 2, y + place[3] / 2 + body * 0.35, body, colour, 0.5)
        x += each + gap
