"""Results page of a run. No GL."""

from __future__ import annotations

from itertools import pairwise

from ..snapshot import DONE_AGAIN, DONE_BEFORE, DONE_FIRST, ChallengeRow, Panel, PanelRow, RunSummary, SplitRow
from ..text import fonts
from .boxes import CAPITAL_MIDDLE, Box, Column, Figure, Fit, Row, Text, Touch, bar, draw_scrolled, flow, spread
from .figures import MEDAL_RATIO, draw_medal
from .panels import line_pixels
from .primitives import BODY_POINTS, SMALL_POINTS, TITLE_POINTS, HudItems

PAGE_WIDTH, PAGE_PADDING, COLUMN_GAP = 900.0, 26.0, 22.0  # units
MAP_SIZE = (400.0, 300.0)
CLOCK_POINTS = 44  # points
BUTTON_HEIGHT, BUTTON_GAP = 40.0, 8.0
MIN_FIGURES_EMS = 16.0  # font sizes: least width of the figures beside the map
MAX_SPLITS = 7
TICK_MARK_POINTS = ((-0.42, 0.02), (-0.14, 0.32), (0.44, -0.34))  # polyline in a unit square
STATE_LABELS = {DONE_FIRST: "New!", DONE_AGAIN: "Done", DONE_BEFORE: "Done before"}
TICK_MARK_DOTS = 9  # per stroke


def draw_results_page(out: HudItems, content: Panel, size: tuple[int, int]) -> None:
    """Results page: figures at the left, map at the right, rows as buttons below.

    Where two columns have no room the map is below the figures; what does not fit scrolls above the buttons.
    """
    summary = content.run_summary
    if summary is None:
        return
    unit, theme, small = out.unit, out.theme, out.font_pixels(SMALL_POINTS)
    text_growth = max(1.0, 0.4 + 0.6 * out.text_scale)
    width = min(PAGE_WIDTH * unit * text_growth, size[0] - 24 * unit)
    pad = min(PAGE_PADDING * unit, 0.03 * size[0])
    inner, gap = width - 2 * pad, COLUMN_GAP * unit
    map_width = min(MAP_SIZE[0] * unit, 0.5 * inner)
    results: Box
    if inner - map_width - gap >= MIN_FIGURES_EMS * out.font_pixels(BODY_POINTS):
        figures = Fit(_figures(out, summary, inner - map_width - gap), inner - map_width - gap)
        results = Row(figures, _map(out, summary, map_width), gap=gap, align=0.0)
    else:
        run_map = Fit(_map(out, summary, min(MAP_SIZE[0] * unit * text_growth, inner)), inner, across=0.5)
        results = Column(_figures(out, summary, inner), run_map, gap=gap)
    state = Text(summary.state, small, theme.warm if summary.refused else theme.secondary_ink, inner)
    footer = Text(fonts.wrap_groups(content.footer, small, inner), small, theme.secondary_ink, align=1.0)
    if state.width + footer.width + 20 * unit <= inner:
        end: Box = spread(state, footer, inner, 0.0)
    else:
        end = Column(state, Fit(footer, inner, across=1.0))
    below = Column(Box(0.0, 12 * unit), _buttons(out, content, inner), Box(0.0, BUTTON_GAP * unit), end)
    view = min(results.height, size[1] - 32 * unit - below.height - 1.4 * pad)
    height = view + below.height + 8 * unit + 1.4 * pad
    x, y = round((size[0] - width) / 2), round(max((size[1] - height) / 2, 12 * unit))
    out.add_box(0, 0, size[0], size[1], 0, theme.veil)
    out.begin_element("page", (x, y, width, height))
    out.add_outlined_box(x, y, width, height, 14 * unit, theme.slate)
    top = y + 0.7 * pad
    draw_scrolled(out, results, x + pad, top, view, content.scroll, x + width - 0.5 * pad - 2 * unit)
    below.draw(out, x + pad, top + view)


def _figures(out: HudItems, summary: RunSummary, width: float) -> Box:
    """Title, time, splits and challenges."""
    unit, theme = out.unit, out.theme
    small, body, large, huge = map(out.font_pixels, (SMALL_POINTS, BODY_POINTS, TITLE_POINTS, CLOCK_POINTS))
    medal_width = 0.9 * huge if summary.medal else 0.0
    medal = Figure(
        medal_width, MEDAL_RATIO * medal_width, lambda x, y: draw_medal(out, summary.medal, x, y, medal_width)
    )
    beside = width - (medal_width + 12 * unit if summary.medal else 0.0)
    title = Text(summary.title, large, theme.secondary_ink, beside, step=1.25 * large)
    time = Text(summary.time, huge, theme.ink, step=1.22 * huge)
    # The step that gives the score the baseline of the time, where the two end at the same height.
    score = Text(summary.score, body, theme.ink, step=time.step - 2 * CAPITAL_MIDDLE * (huge - body))
    if time.width + 18 * unit + score.width <= beside:
        clock: Box = Row(time, score, gap=18 * unit, align=1.0)
    else:
        clock = Column(time, Text(summary.score, body, theme.ink, beside))
    return Column(
        spread(Column(title, clock), medal, width, 0.0),
        Text(summary.description, body, theme.accent if summary.is_new_best else theme.ink, width),
        Text(summary.medal_text, small, theme.accent if summary.is_new_medal else theme.secondary_ink, width),
        Box(0.0, 12 * unit),
        *_splits(out, summary.splits, width),
        *_challenges(out, summary.challenges, width),
    )


def _splits(out: HudItems, splits: tuple[SplitRow, ...], width: float) -> list[Box]:
    """A row for each split, with a space below them. Many splits are shortened in the middle."""
    unit, theme, small = out.unit, out.theme, out.font_pixels(SMALL_POINTS)
    step = fonts.line_height(small) * 1.1
    omitted = len(splits) - MAX_SPLITS
    shown = splits if omitted <= 0 else (*splits[: MAX_SPLITS - 2], *splits[-2:])
    times = [Text(split.time, small, theme.ink, step=step) for split in shown]
    differences = [
        Text(split.difference, small, theme.accent if split.is_ahead else theme.ink, step=step) for split in shown
    ]
    widest = max((difference.width for difference in differences), default=0.0)
    right = width - widest - (14 * unit if widest else 0.0)
    names_width = right - max((time.width for time in times), default=0.0) - 14 * unit
    rows: list[Box] = []
    for split, time, difference in zip(shown, times, differences, strict=True):
        name = Text(split.name, small, theme.secondary_ink, names_width, step=step)
        rows.append(spread(spread(name, time, right, 0.0), difference, width, 0.0))
    if omitted > 0:
        rows.insert(MAX_SPLITS - 2, Text(f"and {omitted} more", small, theme.secondary_ink, step=step))
    return [*rows, Box(0.0, 12 * unit)] if rows else []


def _challenges(out: HudItems, challenges: tuple[ChallengeRow, ...], width: float) -> list[Box]:
    """A row for each challenge: badge, label and description, which is below the label where it has no room beside."""
    unit, theme = out.unit, out.theme
    body, small = out.font_pixels(BODY_POINTS), out.font_pixels(SMALL_POINTS)
    step, room = fonts.line_height(body) * 1.12, width - 30 * unit
    widest = max((fonts.text_width(challenge.label, body) for challenge in challenges), default=0.0) + 18 * unit
    rows: list[Box] = []
    for challenge in challenges:
        done = challenge.state in (DONE_AGAIN, DONE_FIRST)
        label = Text(challenge.label, body, theme.ink if done else theme.secondary_ink, room, step=step)
        words = "   ".join(filter(None, (challenge.sentence, STATE_LABELS.get(challenge.state, ""))))
        colour = theme.accent if challenge.state == DONE_FIRST else theme.secondary_ink
        text: Box = Row(Fit(label, widest), Text(words, small, colour, step=step), align=0.0)
        if text.width > room:
            text = Column(label, Text(words, small, colour, room))
        rows.append(Row(Fit(_badge(out, challenge), 30 * unit, step, across=0.0), text, align=0.0))
    return rows


def _badge(out: HudItems, challenge: ChallengeRow) -> Figure:
    """State of a challenge: ring (open), ring with a dot (done before), tick (done)."""
    unit, theme, side = out.unit, out.theme, 16 * out.unit

    def paint(left: float, top: float) -> None:
        x, y = left + 10 * unit, top + side / 2
        if challenge.state in (DONE_AGAIN, DONE_FIRST):
            out.add_disc(x, y, side, theme.accent if challenge.state == DONE_FIRST else theme.ink)
            for (ax, ay), (bx, by) in pairwise(TICK_MARK_POINTS):
                for k in range(TICK_MARK_DOTS):
                    fraction = k / (TICK_MARK_DOTS - 1)
                    dot = x + 0.62 * side * (ax + fraction * (bx - ax)), y + 0.62 * side * (ay + fraction * (by - ay))
                    out.add_disc(*dot, 2.4 * unit, theme.ground)
            return
        out.add_disc(x, y, side, theme.secondary_ink)
        out.add_disc(x, y, side - 2 * max(1.0, 1.6 * unit), theme.ground)
        if challenge.state == DONE_BEFORE:
            out.add_disc(x, y, 6 * unit, theme.secondary_ink)

    return Figure(side, side, paint)


def _map(out: HudItems, summary: RunSummary, width: float) -> Box:
    """Map of the run, with its legend below."""
    unit, theme, small = out.unit, out.theme, out.font_pixels(SMALL_POINTS)
    height = width * MAP_SIZE[1] / MAP_SIZE[0]
    missing = Text("Drawing the map...", small, theme.secondary_ink, width - 20 * unit, 0.5)

    def paint(x: float, y: float) -> None:
        out.add_box(x, y, width, height, 9 * unit, theme.keycap)
        if summary.map_file:
            out.add_image(summary.map_file, (x, y, width, height), 9 * unit)
        else:
            missing.draw(out, x + (width - missing.width) / 2, y + (height - missing.height) / 2)

    labels = [
        Row(bar(out, 16 * unit, 3 * unit, (*colour, 1.0)), Text(label, small, theme.secondary_ink), gap=6 * unit)
        for colour, label in summary.legend
    ]
    return Column(Figure(width, height, paint), Box(0.0, 4 * unit), *flow(labels, width, 18 * unit))


def _buttons(out: HudItems, content: Panel, width: float) -> Box:
    """Buttons in as few rows as give each label room; first the rows that have a value, each alone."""
    body, gap = out.font_pixels(BODY_POINTS), 10 * out.unit
    alone = [row for row in content.rows if row.value]
    rows = [row for row in content.rows if not row.value]
    widest = max((fonts.text_width(row.label, body) for row in rows), default=0.0) + 20 * out.unit
    per_row = max(1, min(len(rows), int((width + gap) // (widest + gap))))
    count = -(-len(rows) // per_row)
    per_row = -(-len(rows) // max(1, count))  # rows of about the same length
    button_width = (width - gap * (per_row - 1)) / max(1, per_row)
    buttons = [_button(out, row, button_width) for row in rows]
    together = [Row(*buttons[first : first + per_row], gap=gap) for first in range(0, len(rows), max(1, per_row))]
    return Column(*(_button(out, row, width) for row in alone), *together, gap=BUTTON_GAP * out.unit)


def _button(out: HudItems, row: PanelRow, width: float) -> Box:
    unit, theme, body = out.unit, out.theme, out.font_pixels(BODY_POINTS)
    height = line_pixels(out, BODY_POINTS, BUTTON_HEIGHT)
    words = fonts.elide_text(f"{row.label}:  {row.value}" if row.value else row.label, body, width - 12 * unit)
    label = Text(words, body, theme.ink if row.selected else theme.secondary_ink, step=height)

    def paint(x: float, y: float) -> None:
        out.add_box(x, y, width, height, 8 * unit, theme.selection if row.selected else theme.keycap)
        if row.selected:
            out.add_box(x + 0.3 * width, y + height - 5 * unit, 0.4 * width, 3 * unit, 1.5 * unit, theme.accent)
        label.draw(out, x + (width - label.width) / 2, y)

    return Touch(Figure(width, height, paint), out.row_rectangles.append)
