"""The page at the end of a run, and the clock at the top of the picture: where everything stands. No GL."""

from __future__ import annotations

from itertools import pairwise

from ..run_summary import DONE_AGAIN, DONE_BEFORE, DONE_FIRST, ChallengeRow, RunSummary
from ..snapshot import Panel
from ..text import fonts
from .palette import Rgba
from .primitives import BODY_POINTS, LARGE_POINTS, SMALL_POINTS, TITLE_POINTS, HudLayout, elide_end

PAGE_WIDTH, PAGE_PADDING, COLUMN_GAP = 900.0, 26.0, 22.0  # units
MAP_SIZE = (400.0, 300.0)
CLOCK_POINTS, BEST_TIME_POINTS = 44, 15  # points
BUTTON_HEIGHT = 40.0
MAX_SPLITS = 7
TICK_MARK_POINTS = ((-0.42, 0.02), (-0.14, 0.32), (0.44, -0.34))  # a tick mark in a square of side 1
STATE_LABELS = {DONE_FIRST: "New!", DONE_AGAIN: "Done", DONE_BEFORE: "Done before"}
TICK_MARK_DOTS = 9  # that each of its two strokes is drawn with


def draw_timer(out: HudLayout, text: str, below: str, size: tuple[int, int]) -> None:
    """The clock at the top middle, with a line below it. Its place does not change with its digits."""
    unit, large, small = out.unit, out.font_pixels(LARGE_POINTS + 2), out.font_pixels(SMALL_POINTS)
    widest = max(fonts.text_width(digit, large) for digit in "0123456789")
    steps = [widest if char.isdigit() else fonts.text_width(char, large) for char in text]
    wide, high = sum(steps) + 30 * unit, large * 1.75
    x, y = size[0] / 2 - wide / 2, 12 * unit
    out.add_box(x, y, wide, high, high / 2, out.theme.shadow)
    at = x + 15 * unit
    for char, step in zip(text, steps, strict=True):
        out.add_text(char, at + step / 2, y + high / 2 + large * 0.36, large, out.theme.ink, 0.5)
        at += step
    if below:
        line = fonts.text_width(below, small) + 22 * unit
        top = y + high + 5 * unit
        out.add_box(size[0] / 2 - line / 2, top, line, small * 1.7, small * 0.85, out.theme.shadow)
        out.add_text(below, size[0] / 2, top + small * 1.2, small, out.theme.accent, 0.5)


def draw_results_page(out: HudLayout, content: Panel, size: tuple[int, int]) -> None:
    """The page at the end of a run: at the left the figures, at the right the map, below them the rows as buttons."""
    sheet = content.run_summary
    if sheet is None:
        return
    unit, look = out.unit, out.theme
    grow = max(1.0, 0.4 + 0.6 * out.text_scale)
    width = min(PAGE_WIDTH * unit * grow, size[0] - 24 * unit)
    pad = PAGE_PADDING * unit
    map_wide = min(MAP_SIZE[0] * unit, (width - 2 * pad) * 0.5)
    map_high = map_wide * MAP_SIZE[1] / MAP_SIZE[0]
    left_wide = width - 2 * pad - map_wide - COLUMN_GAP * unit
    lines = _draw_figures(sheet, out, 0.0, 0.0, left_wide, dry=True)
    small = out.font_pixels(SMALL_POINTS)
    caption = fonts.line_height(small) + 4 * unit
    foot = BUTTON_HEIGHT * unit + fonts.line_height(small) + 16 * unit
    room = size[1] - 24 * unit - foot - 2 * pad
    body = min(max(lines, map_high + caption), room)
    height = body + foot + 2 * pad
    x, y = round((size[0] - width) / 2), round(max((size[1] - height) / 2, 12 * unit))
    out.add_box(0, 0, size[0], size[1], 0, look.veil)
    out.add_outlined_box(x, y, width, height, 14 * unit, look.slate)
    _draw_figures(sheet, out, x + pad, y + pad, left_wide, most=body)
    _draw_map(out, sheet, x + width - pad - map_wide, y + pad, map_wide, map_high)
    _draw_buttons(out, content, x + pad, y + pad + body + 14 * unit, width - 2 * pad)
    base = y + height - 0.55 * pad
    out.add_text(content.footer, x + width - pad, base, small, look.secondary_ink, 1.0)
    most = width - 2 * pad - fonts.text_width(content.footer, small) - 20 * unit
    out.add_text(
        elide_end(sheet.state, small, most), x + pad, base, small, look.warm if sheet.refused else look.secondary_ink
    )


def _draw_figures(
    sheet: RunSummary, out: HudLayout, x: float, y: float, wide: float, most: float = 1e9, dry: bool = False
) -> float:
    """Name, time, splits and challenges from (x, y) on; the pixels that they take. `dry`: nothing is drawn; splits are
    left out in the middle where there are very many, and challenges where they do not fit."""
    unit, look = out.unit, out.theme
    small, body, large, huge = (
        out.font_pixels(SMALL_POINTS),
        out.font_pixels(BODY_POINTS),
        out.font_pixels(TITLE_POINTS),
        out.font_pixels(CLOCK_POINTS),
    )
    at = 0.0

    def text(words: str, left: float, base: float, points: int, colour: Rgba, align: float = 0.0) -> None:
        if not dry and words:
            out.add_text(words, x + left, y + base, points, colour, align)

    text(elide_end(sheet.title, large, wide), 0.0, large, large, look.secondary_ink)
    at += large * 1.25
    text(sheet.time, 0.0, at + huge, huge, look.ink)
    text(sheet.score, fonts.text_width(sheet.time, huge) + 18 * unit, at + huge, body, look.ink)
    at += huge * 1.22
    text(
        elide_end(sheet.description, body, wide),
        0.0,
        at + fonts.font_ascent(body),
        body,
        look.accent if sheet.is_new_best else look.ink,
    )
    at += fonts.line_height(body) + 12 * unit
    step = fonts.line_height(small) * 1.1
    splits = list(sheet.splits)
    left_out = len(splits) - MAX_SPLITS
    if left_out > 0:
        splits = [*splits[: MAX_SPLITS - 2], *splits[-2:]]
    clocks = max((fonts.text_width(line.time, small) for line in splits), default=0.0)
    aparts = max((fonts.text_width(line.difference, small) for line in splits), default=0.0)
    for number, line in enumerate(splits):
        base = at + fonts.font_ascent(small)
        right = wide - aparts - (14 * unit if aparts else 0.0)
        text(elide_end(line.name, small, right - clocks - 14 * unit), 0.0, base, small, look.secondary_ink)
        text(line.time, right, base, small, look.ink, 1.0)
        text(line.difference, wide, base, small, look.accent if line.is_ahead else look.ink, 1.0)
        at += step
        if left_out > 0 and number == MAX_SPLITS - 3:
            text(f"and {left_out} more", 0.0, at + fonts.font_ascent(small), small, look.secondary_ink)
            at += step
    at += 12 * unit if splits else 0.0
    at = _draw_challenges(sheet.challenges, out, x, y, at, wide, most, dry)
    return at


def _draw_challenges(
    marks: tuple[ChallengeRow, ...], out: HudLayout, x: float, y: float, at: float, wide: float, most: float, dry: bool
) -> float:
    unit, look, body, small = out.unit, out.theme, out.font_pixels(BODY_POINTS), out.font_pixels(SMALL_POINTS)
    high = fonts.line_height(body) * 1.12
    label = max((fonts.text_width(mark.label, body) for mark in marks), default=0.0)
    for mark in marks:
        if at + high > most:
            break
        if not dry:
            middle = y + at + high / 2
            _draw_badge(out, mark, x + 10 * unit, middle)
            done = mark.state in (DONE_AGAIN, DONE_FIRST)
            base = middle + body * 0.35
            out.add_text(mark.label, x + 30 * unit, base, body, look.ink if done else look.secondary_ink)
            told = STATE_LABELS.get(mark.state, mark.sentence)
            room = wide - label - 48 * unit
            colour = look.accent if mark.state == DONE_FIRST else look.secondary_ink
            out.add_text(elide_end(told, small, room), x + label + 48 * unit, base, small, colour)
        at += high
    return at


def _draw_badge(out: HudLayout, mark: ChallengeRow, x: float, y: float) -> None:
    """Around (x, y): a ring for what is open, a dot in it for what was done before, a tick mark for what was done."""
    unit, look = out.unit, out.theme
    side = 16 * unit
    if mark.state in (DONE_AGAIN, DONE_FIRST):
        fill = look.accent if mark.state == DONE_FIRST else look.ink
        out.add_box(x - side / 2, y - side / 2, side, side, side / 2, fill)
        thick = 2.4 * unit
        for (ax, ay), (bx, by) in pairwise(TICK_MARK_POINTS):
            for k in range(TICK_MARK_DOTS):
                part = k / (TICK_MARK_DOTS - 1)
                cx = x + 0.62 * side * (ax + part * (bx - ax))
                cy = y + 0.62 * side * (ay + part * (by - ay))
                out.add_box(cx - thick / 2, cy - thick / 2, thick, thick, thick / 2, (*look.slate[:3], 1.0))
        return
    line = max(1.0, 1.6 * unit)
    out.add_box(x - side / 2, y - side / 2, side, side, side / 2, look.secondary_ink)
    inner = side - 2 * line
    out.add_box(x - inner / 2, y - inner / 2, inner, inner, inner / 2, (*look.slate[:3], 1.0))
    if mark.state == DONE_BEFORE:
        dot = 6 * unit
        out.add_box(x - dot / 2, y - dot / 2, dot, dot, dot / 2, look.secondary_ink)


def _draw_map(out: HudLayout, sheet: RunSummary, x: float, y: float, wide: float, high: float) -> None:
    unit, look, small = out.unit, out.theme, out.font_pixels(SMALL_POINTS)
    out.add_box(x, y, wide, high, 9 * unit, look.keycap)
    if sheet.picture:
        out.add_image(sheet.picture, (x, y, wide, high), 9 * unit)
    else:
        out.add_text("Drawing the map...", x + wide / 2, y + high / 2, small, look.secondary_ink, 0.5)
    at, base = x, y + high + 4 * unit + fonts.font_ascent(small)
    for colour, words in sheet.legend:
        out.add_box(at, base - 0.30 * small - 1.5 * unit, 16 * unit, 3 * unit, 1.5 * unit, (*colour, 1.0))
        out.add_text(words, at + 22 * unit, base, small, look.secondary_ink)
        at += 22 * unit + fonts.text_width(words, small) + 18 * unit


def _draw_buttons(out: HudLayout, content: Panel, x: float, y: float, wide: float) -> None:
    unit, look, body = out.unit, out.theme, out.font_pixels(BODY_POINTS)
    gap = 10 * unit
    each = (wide - gap * (len(content.rows) - 1)) / max(1, len(content.rows))
    for row in content.rows:
        place = (x, y, each, BUTTON_HEIGHT * unit)
        out.row_rectangles.append(place)
        out.add_box(*place, 8 * unit, look.selection if row.selected else look.keycap)
        if row.selected:
            out.add_box(x + 0.3 * each, y + place[3] - 5 * unit, 0.4 * each, 3 * unit, 1.5 * unit, look.accent)
        colour = look.ink if row.selected else look.secondary_ink
        out.add_text(row.label, x + each / 2, y + place[3] / 2 + body * 0.35, body, colour, 0.5)
        x += each + gap
