"""Results page of a run, and the run timer at the top. No GL."""

from __future__ import annotations

from itertools import pairwise

from ..snapshot import DONE_AGAIN, DONE_BEFORE, DONE_FIRST, ChallengeRow, Panel, PanelRow, RunSummary, SplitRow
from ..text import fonts
from .panel_rows import line_pixels
from .panels import ScrollArea
from .primitives import BODY_POINTS, LARGE_POINTS, SMALL_POINTS, TITLE_POINTS, HudItems, draw_medal
from .slots import TOP_CENTRE

PAGE_WIDTH, PAGE_PADDING, COLUMN_GAP = 900.0, 26.0, 22.0  # units
MAP_SIZE = (400.0, 300.0)
CLOCK_POINTS = 44  # points
BUTTON_HEIGHT = 40.0
MIN_FIGURES_EMS = 16.0  # font sizes: least width of the figures beside the map
MAX_SPLITS = 7
TICK_MARK_POINTS = ((-0.42, 0.02), (-0.14, 0.32), (0.44, -0.34))  # polyline in a unit square
STATE_LABELS = {DONE_FIRST: "New!", DONE_AGAIN: "Done", DONE_BEFORE: "Done before"}
TICK_MARK_DOTS = 9  # per stroke


def draw_timer(out: HudItems, text: str, caption: str) -> None:
    """Run timer at the top centre with a caption below. Digits have equal widths, so that it does not move."""
    unit = out.unit
    large = out.font_pixels(LARGE_POINTS + 2)
    small = out.font_pixels(SMALL_POINTS)
    widest = max(fonts.text_width(digit, large) for digit in "0123456789")
    advances = [widest if char.isdigit() else fonts.text_width(char, large) for char in text]
    width, height = sum(advances) + 30 * unit, large * 1.6
    captions = fonts.wrap_text(caption, small, out.slots.max_width - 22 * unit) if caption else []
    caption_width = max((fonts.text_width(line, small) for line in captions), default=0.0) + 22 * unit
    caption_height = len(captions) * fonts.line_height(small) + 0.3 * small if captions else 0.0
    gap = 4 * unit if captions else 0.0
    box = out.place_panel(
        "timer", TOP_CENTRE, max(width, caption_width if captions else 0.0), height + gap + caption_height
    )
    if box is None:
        return
    middle = box[0] + box[2] / 2
    y = box[1]
    out.add_box(middle - width / 2, y, width, height, height / 2, out.theme.shadow)
    char_x = middle - width / 2 + 15 * unit
    for char, advance in zip(text, advances, strict=True):
        out.add_text(char, char_x + advance / 2, y + height / 2 + large * 0.36, large, out.theme.ink, 0.5)
        char_x += advance
    if captions:
        top = y + height + gap
        out.add_box(middle - caption_width / 2, top, caption_width, caption_height, small * 0.8, out.theme.shadow)
        out.add_lines(captions, middle, top + 0.15 * small, small, out.theme.accent, 0.5)
    out.end_panel()


def draw_results_page(out: HudItems, content: Panel, size: tuple[int, int]) -> None:
    """Results page: figures at the left, map at the right, rows as buttons below.

    Where two columns have no room the map is below the figures; what does not fit scrolls above the buttons.
    """
    summary = content.run_summary
    if summary is None:
        return
    unit = out.unit
    theme = out.theme
    small = out.font_pixels(SMALL_POINTS)
    text_growth = max(1.0, 0.4 + 0.6 * out.text_scale)
    width = min(PAGE_WIDTH * unit * text_growth, size[0] - 24 * unit)
    pad = min(PAGE_PADDING * unit, 0.03 * size[0])
    inner = width - 2 * pad
    map_width = min(MAP_SIZE[0] * unit, 0.5 * inner)
    figures_width = inner - map_width - COLUMN_GAP * unit
    has_columns = figures_width >= MIN_FIGURES_EMS * out.font_pixels(BODY_POINTS)
    if not has_columns:
        figures_width, map_width = inner, min(MAP_SIZE[0] * unit * text_growth, inner)
    figures, course = out.sketch(), out.sketch()
    figures_height = _draw_figures(figures, summary, figures_width)
    map_height = _draw_map(course, summary, map_width)
    gap = 0.0 if has_columns else COLUMN_GAP * unit
    content_height = max(figures_height, map_height) if has_columns else figures_height + gap + map_height
    buttons = _button_rows(out, content, inner)
    button_height = line_pixels(out, BODY_POINTS, BUTTON_HEIGHT)
    states = fonts.wrap_text(summary.state, small, inner) if summary.state else []
    footers = fonts.wrap_groups(content.footer, small, inner) if content.footer else []
    shares = len(states) == len(footers) == 1 and fonts.text_width(states[0] + footers[0], small) + 20 * unit <= inner
    footer_lines = 1 if shares else len(states) + len(footers)
    footer_height = len(buttons) * (button_height + 8 * unit) + footer_lines * fonts.line_height(small) + 20 * unit
    view = min(content_height, size[1] - 24 * unit - footer_height - 1.4 * pad)
    height = view + footer_height + 1.4 * pad
    x, y = round((size[0] - width) / 2), round(max((size[1] - height) / 2, 12 * unit))
    out.add_box(0, 0, size[0], size[1], 0, theme.veil)
    out.begin_panel("page", (x, y, width, height))
    out.add_outlined_box(x, y, width, height, 14 * unit, theme.slate)
    top = y + 0.7 * pad
    left = x + pad
    with ScrollArea(out, content_height, top, top + view, content.scroll, x + width - 0.5 * pad - 2 * unit) as area:
        out.add_part(figures, left, area.y)
        map_x = left + inner - map_width if has_columns else left + (inner - map_width) / 2
        out.add_part(course, map_x, area.y if has_columns else area.y + figures_height + gap)
    line_y = _draw_buttons(out, buttons, left, top + view + 12 * unit, button_height)
    out.add_lines(states, left, line_y, small, theme.warm if summary.refused else theme.secondary_ink)
    line_y += 0.0 if shares else len(states) * fonts.line_height(small)
    out.add_lines(footers, left + inner, line_y, small, theme.secondary_ink, 1.0)


def _draw_figures(out: HudItems, summary: RunSummary, width: float) -> float:
    """Draw title, time, splits and challenges from (0, 0) on. Returns their height in pixels.

    Many splits are shortened in the middle.
    """
    unit = out.unit
    theme = out.theme
    small = out.font_pixels(SMALL_POINTS)
    body = out.font_pixels(BODY_POINTS)
    large = out.font_pixels(TITLE_POINTS)
    huge = out.font_pixels(CLOCK_POINTS)
    medal_width = 0.9 * huge if summary.medal else 0.0
    if summary.medal:
        draw_medal(out, summary.medal, width - medal_width, 0.0, medal_width)
    beside = width - (medal_width + 12 * unit if summary.medal else 0.0)
    titles = fonts.wrap_text(summary.title, large, beside)
    y = out.add_lines(titles, 0.0, 0.0, large, theme.secondary_ink, step=large * 1.25)
    score_x = fonts.text_width(summary.time, huge) + 18 * unit
    is_beside = score_x + fonts.text_width(summary.score, body) <= beside
    if summary.score and is_beside:
        out.add_text(summary.score, score_x, y + fonts.font_ascent(huge), body, theme.ink)
    y = out.add_lines([summary.time], 0.0, y, huge, theme.ink, step=huge * 1.22)
    if summary.score and not is_beside:
        y = out.add_lines(fonts.wrap_text(summary.score, body, width), 0.0, y, body, theme.ink)
    if summary.description:
        colour = theme.accent if summary.is_new_best else theme.ink
        y = out.add_lines(fonts.wrap_text(summary.description, body, width), 0.0, y, body, colour)
    if summary.medal_text:
        colour = theme.accent if summary.is_new_medal else theme.secondary_ink
        y = out.add_lines(fonts.wrap_text(summary.medal_text, small, width), 0.0, y, small, colour)
    y = _draw_splits(out, summary.splits, y + 12 * unit, width)
    return _draw_challenges(out, summary.challenges, y, width)


def _draw_splits(out: HudItems, splits: tuple[SplitRow, ...], y: float, width: float) -> float:
    unit = out.unit
    theme = out.theme
    small = out.font_pixels(SMALL_POINTS)
    step = fonts.line_height(small) * 1.1
    omitted = len(splits) - MAX_SPLITS
    shown = splits if omitted <= 0 else (*splits[: MAX_SPLITS - 2], *splits[-2:])
    time_width = max((fonts.text_width(split.time, small) for split in shown), default=0.0)
    difference_width = max((fonts.text_width(split.difference, small) for split in shown), default=0.0)
    right = width - difference_width - (14 * unit if difference_width else 0.0)
    for number, split in enumerate(shown):
        names = fonts.wrap_text(split.name, small, right - time_width - 14 * unit)
        baseline = y + fonts.font_ascent(small)
        out.add_text(split.time, right, baseline, small, theme.ink, 1.0)
        out.add_text(split.difference, width, baseline, small, theme.accent if split.is_ahead else theme.ink, 1.0)
        y = out.add_lines(names, 0.0, y, small, theme.secondary_ink, step=step)
        if omitted > 0 and number == MAX_SPLITS - 3:
            y = out.add_lines([f"and {omitted} more"], 0.0, y, small, theme.secondary_ink, step=step)
    return y + (12 * unit if splits else 0.0)


def _draw_challenges(out: HudItems, challenges: tuple[ChallengeRow, ...], y: float, width: float) -> float:
    unit = out.unit
    theme = out.theme
    body = out.font_pixels(BODY_POINTS)
    small = out.font_pixels(SMALL_POINTS)
    step = fonts.line_height(body) * 1.12
    left = 30 * unit
    label_width = max((fonts.text_width(challenge.label, body) for challenge in challenges), default=0.0)
    for challenge in challenges:
        state = STATE_LABELS.get(challenge.state, "")
        description = "   ".join(filter(None, (challenge.sentence, state)))
        is_beside = left + label_width + 18 * unit + fonts.text_width(description, small) <= width
        _draw_badge(out, challenge, 10 * unit, y + step / 2)
        done = challenge.state in (DONE_AGAIN, DONE_FIRST)
        baseline = y + step / 2 + body * 0.35
        for label in fonts.wrap_text(challenge.label, body, width - left):
            out.add_text(label, left, y + step / 2 + body * 0.35, body, theme.ink if done else theme.secondary_ink)
            y += step
        colour = theme.accent if challenge.state == DONE_FIRST else theme.secondary_ink
        if is_beside:
            out.add_text(description, left + label_width + 18 * unit, baseline, small, colour)
        elif description:
            y = out.add_lines(fonts.wrap_text(description, small, width - left), left, y, small, colour)
    return y


def _draw_badge(out: HudItems, challenge: ChallengeRow, x: float, y: float) -> None:
    """State of a challenge, centred at (x, y): ring (open), ring with a dot (done before), tick (done)."""
    unit = out.unit
    theme = out.theme
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


def _draw_map(out: HudItems, summary: RunSummary, width: float) -> float:
    """Map from (0, 0) on, with its legend below. Returns their height in pixels."""
    unit = out.unit
    theme = out.theme
    small = out.font_pixels(SMALL_POINTS)
    height = width * MAP_SIZE[1] / MAP_SIZE[0]
    out.add_box(0.0, 0.0, width, height, 9 * unit, theme.keycap)
    if summary.picture:
        out.add_image(summary.picture, (0.0, 0.0, width, height), 9 * unit)
    else:
        lines = fonts.wrap_text("Drawing the map...", small, width - 20 * unit)
        out.add_lines(lines, width / 2, height / 2 - small, small, theme.secondary_ink, 0.5)
    x, top = 0.0, height + 4 * unit
    for colour, label in summary.legend:
        label_width = 22 * unit + fonts.text_width(label, small)
        if x > 0.0 and x + label_width > width:
            x, top = 0.0, top + fonts.line_height(small)
        baseline = top + fonts.font_ascent(small)
        out.add_box(x, baseline - 0.30 * small - 1.5 * unit, 16 * unit, 3 * unit, 1.5 * unit, (*colour, 1.0))
        out.add_text(label, x + 22 * unit, baseline, small, theme.secondary_ink)
        x += label_width + 18 * unit
    return top + fonts.line_height(small)


def _button_rows(out: HudItems, content: Panel, width: float) -> list[list[tuple[PanelRow, float]]]:
    """Buttons in as few rows as give each label room, with their widths; first a row alone that has a value."""
    body = out.font_pixels(BODY_POINTS)
    gap = 10 * out.unit
    alone = [row for row in content.rows if row.value]
    rows = [row for row in content.rows if not row.value]
    widest = max((fonts.text_width(row.label, body) for row in rows), default=0.0) + 20 * out.unit
    per_row = max(1, min(len(rows), int((width + gap) // (widest + gap))))
    count = -(-len(rows) // per_row)
    per_row = -(-len(rows) // max(1, count))  # rows of about the same length
    button_width = (width - gap * (per_row - 1)) / max(1, per_row)
    starts = range(0, len(rows), per_row)
    first = [[(row, width)] for row in alone]
    return first + [[(row, button_width) for row in rows[start : start + per_row]] for start in starts]


def _draw_buttons(
    out: HudItems, rows: list[list[tuple[PanelRow, float]]], left: float, y: float, height: float
) -> float:
    """Draw the buttons. Returns the y coordinate below them."""
    unit = out.unit
    theme = out.theme
    body = out.font_pixels(BODY_POINTS)
    for buttons in rows:
        x = left
        for row, width in buttons:
            rectangle = (x, y, width, height)
            out.row_rectangles.append(rectangle)
            out.add_box(*rectangle, 8 * unit, theme.selection if row.selected else theme.keycap)
            if row.selected:
                bar = (x + 0.3 * width, y + height - 5 * unit, 0.4 * width, 3 * unit)
                out.add_box(*bar, 1.5 * unit, theme.accent)
            colour = theme.ink if row.selected else theme.secondary_ink
            text = f"{row.label}:  {row.value}" if row.value else row.label
            label = fonts.elide_text(text, body, width - 12 * unit)
            out.add_text(label, x + width / 2, y + height / 2 + body * 0.35, body, colour, 0.5)
            x += width + 10 * unit
        y += height + 8 * unit
    return y
