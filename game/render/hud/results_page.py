"""Results page of a run, and the run timer at the top. No GL."""

from __future__ import annotations

from itertools import pairwise

from ..run_summary import DONE_AGAIN, DONE_BEFORE, DONE_FIRST, ChallengeRow, RunSummary
from ..snapshot import Panel, PanelRow
from ..text import fonts
from .medal import draw_medal
from .palette import Rgba
from .primitives import BODY_POINTS, LARGE_POINTS, SMALL_POINTS, TITLE_POINTS, HudLayout, Rectangle, elide_end

PAGE_WIDTH, PAGE_PADDING, COLUMN_GAP = 900.0, 26.0, 22.0  # units
MAP_SIZE = (400.0, 300.0)
CLOCK_POINTS, BEST_TIME_POINTS = 44, 15  # points
BUTTON_HEIGHT, BUTTON_GAP, BUTTON_PADDING = 40.0, 10.0, 12.0
MAX_SPLITS = 7
TICK_MARK_POINTS = ((-0.42, 0.02), (-0.14, 0.32), (0.44, -0.34))  # polyline in a unit square
STATE_LABELS = {DONE_FIRST: "New!", DONE_AGAIN: "Done", DONE_BEFORE: "Done before"}
TICK_MARK_DOTS = 9  # per stroke


def draw_timer(out: HudLayout, text: str, caption: str, size: tuple[int, int]) -> None:
    """Run timer at the top centre with a caption below. Digits have equal widths, so that it does not move."""
    unit, large, small = out.unit, out.font_pixels(LARGE_POINTS + 2), out.font_pixels(SMALL_POINTS)
    widest = max(fonts.text_width(digit, large) for digit in "0123456789")
    advances = [widest if char.isdigit() else fonts.text_width(char, large) for char in text]
    width, height = sum(advances) + 30 * unit, large * 1.75
    x, y = size[0] / 2 - width / 2, 12 * unit
    out.add_box(x, y, width, height, height / 2, out.theme.shadow)
    char_x = x + 15 * unit
    for char, advance in zip(text, advances, strict=True):
        out.add_text(char, char_x + advance / 2, y + height / 2 + large * 0.36, large, out.theme.ink, 0.5)
        char_x += advance
    if caption:
        caption_width = fonts.text_width(caption, small) + 22 * unit
        top = y + height + 5 * unit
        out.add_box(size[0] / 2 - caption_width / 2, top, caption_width, small * 1.7, small * 0.85, out.theme.shadow)
        out.add_text(caption, size[0] / 2, top + small * 1.2, small, out.theme.accent, 0.5)


def draw_results_page(out: HudLayout, content: Panel, size: tuple[int, int]) -> None:
    """Results page: figures at the left, map at the right, rows as buttons below."""
    summary = content.run_summary
    if summary is None:
        return
    unit, theme = out.unit, out.theme
    text_growth = max(1.0, 0.4 + 0.6 * out.text_scale)
    width = min(PAGE_WIDTH * unit * text_growth, size[0] - 24 * unit)
    pad = PAGE_PADDING * unit
    map_width = min(MAP_SIZE[0] * unit, (width - 2 * pad) * 0.5)
    map_height = map_width * MAP_SIZE[1] / MAP_SIZE[0]
    figures_width = width - 2 * pad - map_width - COLUMN_GAP * unit
    figures_height = _draw_figures(summary, out, 0.0, 0.0, figures_width, dry=True)
    small = out.font_pixels(SMALL_POINTS)
    caption = fonts.line_height(small) + 4 * unit
    lines = _button_lines(out, content.rows, width - 2 * pad)
    footer_height = len(lines) * (_button_height(out) + BUTTON_GAP * unit) + fonts.line_height(small) + 6 * unit
    max_body = size[1] - 24 * unit - footer_height - 2 * pad
    body_height = min(max(figures_height, map_height + caption), max_body)
    height = body_height + footer_height + 2 * pad
    x, y = round((size[0] - width) / 2), round(max((size[1] - height) / 2, 12 * unit))
    out.add_box(0, 0, size[0], size[1], 0, theme.veil)
    out.add_outlined_box(x, y, width, height, 14 * unit, theme.slate)
    _draw_figures(summary, out, x + pad, y + pad, figures_width, max_height=body_height)
    _draw_map(out, summary, x + width - pad - map_width, y + pad, map_width, map_height)
    _draw_buttons(out, lines, x + pad, y + pad + body_height + 14 * unit, width - 2 * pad)
    baseline = y + height - 0.55 * pad
    out.add_text(content.footer, x + width - pad, baseline, small, theme.secondary_ink, 1.0)
    state_width = width - 2 * pad - fonts.text_width(content.footer, small) - 20 * unit
    out.add_text(
        elide_end(summary.state, small, state_width),
        x + pad,
        baseline,
        small,
        theme.warm if summary.refused else theme.secondary_ink,
    )


def _draw_figures(
    summary: RunSummary, out: HudLayout, x: float, y: float, width: float, max_height: float = 1e9, dry: bool = False
) -> float:
    """Draw title, time, splits and challenges from (x, y) on. Returns their height in pixels.

    dry: only measure. Many splits are shortened in the middle, and challenges beyond `max_height` pixels are left out.
    """
    unit, theme = out.unit, out.theme
    small, body, large, huge = (
        out.font_pixels(SMALL_POINTS),
        out.font_pixels(BODY_POINTS),
        out.font_pixels(TITLE_POINTS),
        out.font_pixels(CLOCK_POINTS),
    )
    line_y = 0.0

    def draw_text(text: str, left: float, baseline: float, points: int, colour: Rgba, align: float = 0.0) -> None:
        if not dry and text:
            out.add_text(text, x + left, y + baseline, points, colour, align)

    title_width = width - (1.1 * huge if summary.medal else 0.0)
    draw_text(elide_end(summary.title, large, title_width), 0.0, large, large, theme.secondary_ink)
    line_y += large * 1.25
    draw_text(summary.time, 0.0, line_y + huge, huge, theme.ink)
    draw_text(summary.score, fonts.text_width(summary.time, huge) + 18 * unit, line_y + huge, body, theme.ink)
    line_y += huge * 1.22
    draw_text(
        elide_end(summary.description, body, width),
        0.0,
        line_y + fonts.font_ascent(body),
        body,
        theme.accent if summary.is_new_best else theme.ink,
    )
    line_y += fonts.line_height(body)
    if summary.medal_text:
        colour = theme.accent if summary.is_new_medal else theme.secondary_ink
        draw_text(elide_end(summary.medal_text, small, width), 0.0, line_y + fonts.font_ascent(small), small, colour)
        line_y += fonts.line_height(small) * 1.1
    if summary.medal and not dry:
        medal_width = 0.92 * huge
        draw_medal(out, summary.medal, x + width - medal_width, y + 0.35 * large, medal_width)
    line_y += 12 * unit
    step = fonts.line_height(small) * 1.1
    splits = list(summary.splits)
    omitted = len(splits) - MAX_SPLITS
    if omitted > 0:
        splits = [*splits[: MAX_SPLITS - 2], *splits[-2:]]
    time_width = max((fonts.text_width(split.time, small) for split in splits), default=0.0)
    difference_width = max((fonts.text_width(split.difference, small) for split in splits), default=0.0)
    for number, split in enumerate(splits):
        baseline = line_y + fonts.font_ascent(small)
        right = width - difference_width - (14 * unit if difference_width else 0.0)
        draw_text(
            elide_end(split.name, small, right - time_width - 14 * unit), 0.0, baseline, small, theme.secondary_ink
        )
        draw_text(split.time, right, baseline, small, theme.ink, 1.0)
        draw_text(split.difference, width, baseline, small, theme.accent if split.is_ahead else theme.ink, 1.0)
        line_y += step
        if omitted > 0 and number == MAX_SPLITS - 3:
            draw_text(f"and {omitted} more", 0.0, line_y + fonts.font_ascent(small), small, theme.secondary_ink)
            line_y += step
    line_y += 12 * unit if splits else 0.0
    line_y = _draw_challenges(summary.challenges, out, x, y, line_y, width, max_height, dry)
    return line_y


def _draw_challenges(
    challenges: tuple[ChallengeRow, ...],
    out: HudLayout,
    x: float,
    y: float,
    line_y: float,
    width: float,
    max_height: float,
    dry: bool,
) -> float:
    unit, theme, body, small = out.unit, out.theme, out.font_pixels(BODY_POINTS), out.font_pixels(SMALL_POINTS)
    row_height = fonts.line_height(body) * 1.12
    label_width = max((fonts.text_width(challenge.label, body) for challenge in challenges), default=0.0)
    for challenge in challenges:
        if line_y + row_height > max_height:
            break
        if not dry:
            middle = y + line_y + row_height / 2
            _draw_badge(out, challenge, x + 10 * unit, middle)
            done = challenge.state in (DONE_AGAIN, DONE_FIRST)
            baseline = middle + body * 0.35
            out.add_text(challenge.label, x + 30 * unit, baseline, body, theme.ink if done else theme.secondary_ink)
            description = STATE_LABELS.get(challenge.state, challenge.sentence)
            available = width - label_width - 48 * unit
            colour = theme.accent if challenge.state == DONE_FIRST else theme.secondary_ink
            out.add_text(elide_end(description, small, available), x + label_width + 48 * unit, baseline, small, colour)
        line_y += row_height
    return line_y


def _draw_badge(out: HudLayout, challenge: ChallengeRow, x: float, y: float) -> None:
    """State of a challenge, centred at (x, y): ring (open), ring with a dot (done before), tick (done)."""
    unit, theme = out.unit, out.theme
    side = 16 * unit
    if challenge.state in (DONE_AGAIN, DONE_FIRST):
        fill = theme.accent if challenge.state == DONE_FIRST else theme.ink
        out.add_box(x - side / 2, y - side / 2, side, side, side / 2, fill)
        stroke = 2.4 * unit
        for (ax, ay), (bx, by) in pairwise(TICK_MARK_POINTS):
            for k in range(TICK_MARK_DOTS):
                fraction = k / (TICK_MARK_DOTS - 1)
                cx = x + 0.62 * side * (ax + fraction * (bx - ax))
                cy = y + 0.62 * side * (ay + fraction * (by - ay))
                out.add_box(cx - stroke / 2, cy - stroke / 2, stroke, stroke, stroke / 2, (*theme.slate[:3], 1.0))
        return
    line = max(1.0, 1.6 * unit)
    out.add_box(x - side / 2, y - side / 2, side, side, side / 2, theme.secondary_ink)
    inner = side - 2 * line
    out.add_box(x - inner / 2, y - inner / 2, inner, inner, inner / 2, (*theme.slate[:3], 1.0))
    if challenge.state == DONE_BEFORE:
        dot = 6 * unit
        out.add_box(x - dot / 2, y - dot / 2, dot, dot, dot / 2, theme.secondary_ink)


def _draw_map(out: HudLayout, summary: RunSummary, x: float, y: float, width: float, height: float) -> None:
    unit, theme, small = out.unit, out.theme, out.font_pixels(SMALL_POINTS)
    out.add_box(x, y, width, height, 9 * unit, theme.keycap)
    if summary.picture:
        out.add_image(summary.picture, (x, y, width, height), 9 * unit)
    else:
        out.add_text("Drawing the map...", x + width / 2, y + height / 2, small, theme.secondary_ink, 0.5)
    legend_x, baseline = x, y + height + 4 * unit + fonts.font_ascent(small)
    for colour, label in summary.legend:
        out.add_box(legend_x, baseline - 0.30 * small - 1.5 * unit, 16 * unit, 3 * unit, 1.5 * unit, (*colour, 1.0))
        out.add_text(label, legend_x + 22 * unit, baseline, small, theme.secondary_ink)
        legend_x += 22 * unit + fonts.text_width(label, small) + 18 * unit


def _button_height(out: HudLayout) -> float:
    return max(BUTTON_HEIGHT * out.unit, 2.0 * out.font_pixels(BODY_POINTS))


def _button_lines(out: HudLayout, rows: tuple[PanelRow, ...], width: float) -> list[list[PanelRow]]:
    """Rows in lines of buttons: one with a value alone, the others in as few lines of equal length as they fit into."""
    body = out.font_pixels(BODY_POINTS)
    alone, others = [row for row in rows if row.value], [row for row in rows if not row.value]
    widest = max((fonts.text_width(row.label, body) for row in others), default=0.0) + 2 * BUTTON_PADDING * out.unit
    columns = max(1, int((width + BUTTON_GAP * out.unit) // (widest + BUTTON_GAP * out.unit)))
    count = -(-len(others) // columns) if others else 0
    columns = -(-len(others) // max(1, count))
    return [[row] for row in alone] + [others[k * columns : (k + 1) * columns] for k in range(count)]


def _draw_buttons(out: HudLayout, lines: list[list[PanelRow]], x: float, y: float, width: float) -> None:
    """Draw lines of buttons, each as wide as all of its line together."""
    gap, height = BUTTON_GAP * out.unit, _button_height(out)
    for line in lines:
        button_width = (width - gap * (len(line) - 1)) / len(line)
        for column, row in enumerate(line):
            _draw_button(out, row, (x + column * (button_width + gap), y, button_width, height))
        y += height + gap


def _draw_button(out: HudLayout, row: PanelRow, rectangle: Rectangle) -> None:
    unit, theme, body = out.unit, out.theme, out.font_pixels(BODY_POINTS)
    x, y, width, height = rectangle
    out.row_rectangles.append(rectangle)
    out.add_box(*rectangle, 8 * unit, theme.selection if row.selected else theme.keycap)
    if row.selected:
        bar = min(0.4 * width, 150 * unit)
        out.add_box(x + (width - bar) / 2, y + height - 5 * unit, bar, 3 * unit, 1.5 * unit, theme.accent)
    colour = theme.ink if row.selected else theme.secondary_ink
    text = f"{row.label}:  {row.value}" if row.value else row.label
    text = elide_end(text, body, width - BUTTON_PADDING * unit)
    out.add_text(text, x + width / 2, y + height / 2 + body * 0.35, body, colour, 0.5)
