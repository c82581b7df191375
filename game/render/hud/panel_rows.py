"""Rows of the menu panel: sliders, switches, choices and keycaps, and columns of keys with meanings. No GL."""

from __future__ import annotations

from dataclasses import dataclass

from ...text.key_symbols import key_symbols
from ..colour_palettes import Rgba
from ..snapshot import PanelRow
from ..text import fonts
from .primitives import BODY_POINTS, SMALL_POINTS, HudItems, Rectangle

ROW_PADDING = 13.0  # units at the left and right of a row
ROW_HEIGHT, HEADING_HEIGHT, KEY_ROW_HEIGHT = 42.0, 46.0, 33.0  # units
SLIDER_START, SLIDER_VALUE_WIDTH = 0.46, 86.0  # fraction of the row; units, which grow with the text
COLUMN_GAP = 24.0  # units


def line_pixels(out: HudItems, points: float, units: float) -> float:
    """Height in pixels of a row with one text line of `points`: `units`, or more where the text needs it."""
    return max(units * out.unit, fonts.line_height(out.font_pixels(points)) * 1.12 + 8 * out.unit)


@dataclass(frozen=True, slots=True)
class RowPlan:
    """Measured row: the lines of its label and of its value, which stand below each other if `stacked`."""

    labels: list[str]
    values: list[str]
    stacked: bool
    height: float


def slider_x_ends(out: HudItems, x: float, width: float) -> tuple[float, float]:
    """Left and right end of the slider of a row of `width` pixels."""
    return x + SLIDER_START * width, x + width - SLIDER_VALUE_WIDTH * out.unit * max(1.0, out.text_scale)


def measure_row(out: HudItems, row: PanelRow, inner_width: float) -> RowPlan:
    """Lines and height of a row on a page whose inside is `inner_width` pixels wide."""
    unit = out.unit
    body = out.font_pixels(BODY_POINTS)
    if row.kind == "heading":
        small = out.font_pixels(SMALL_POINTS)
        labels = fonts.wrap_text(row.label, small, inner_width)
        extra = (len(labels) - 1) * fonts.line_height(small)
        return RowPlan(labels, [], False, line_pixels(out, SMALL_POINTS, HEADING_HEIGHT) + extra)
    width = inner_width
    value = f"!   {row.value}" if row.kind == "binding" and row.is_warning else row.value
    value_width = fonts.text_width(value, body)
    arrows = 2 * (fonts.text_width(">", body) + 8 * unit)
    control = 50 * unit if row.kind == "toggle" else arrows if row.kind == "choice" else 0.0
    if row.fraction is None:
        label_room = width - (value_width + control + 16 * unit if value else 0.0)
        stacked = fonts.text_width(row.label, body) > label_room
    else:
        left, _ = slider_x_ends(out, 0.0, width + 2 * ROW_PADDING * unit)
        value_room = SLIDER_VALUE_WIDTH * unit * max(1.0, out.text_scale) - 2 * ROW_PADDING * unit
        stacked = fonts.text_width(row.label, body) > left - ROW_PADDING * unit - 12 * unit or value_width > value_room
    height = line_pixels(out, BODY_POINTS, ROW_HEIGHT)
    if not stacked:
        return RowPlan([row.label], [value] if value else [], False, height)
    step = fonts.line_height(body)
    if row.fraction is not None:  # the value stands beside the label, the slider below
        labels = fonts.wrap_text(row.label, body, max(width - value_width - 16 * unit, 0.4 * width))
        return RowPlan(labels, [value] if value else [], True, height + len(labels) * step)
    labels = fonts.wrap_text(row.label, body, width)
    values = fonts.wrap_text(value, body, width - control) if value else []
    return RowPlan(labels, values, True, height + (len(labels) + len(values) - 1) * step)


def draw_row(out: HudItems, row: PanelRow, plan: RowPlan, box: Rectangle) -> None:
    unit = out.unit
    theme = out.theme
    body = out.font_pixels(BODY_POINTS)
    x = box[0] + ROW_PADDING * unit
    right = box[0] + box[2] - ROW_PADDING * unit
    if row.kind == "heading":
        small = out.font_pixels(SMALL_POINTS)
        step = fonts.line_height(small)
        top = box[1] + box[3] - 4 * unit - len(plan.labels) * step
        out.add_lines(plan.labels, x, top, small, theme.accent)
        out.add_box(x, box[1] + box[3] - unit, right - x, max(1.0, unit), 0, theme.slider_track)
        return
    if row.selected:
        out.add_box(*box, 8 * unit, theme.selection)
        out.add_box(box[0], box[1] + 0.24 * box[3], 3.5 * unit, 0.52 * box[3], 1.75 * unit, theme.accent)
    faint = (*theme.secondary_ink[:3], 0.45 * theme.secondary_ink[3])
    label_colour = theme.ink if row.selected else theme.secondary_ink if row.enabled else faint
    value_colour = theme.warm if row.is_warning else theme.accent if row.selected else theme.ink
    step = fonts.line_height(body)
    count = len(plan.labels) + (1 if row.fraction is not None else len(plan.values)) if plan.stacked else 1
    first = box[1] + box[3] / 2 - (count - 1) * step / 2 + body * 0.35  # baseline of the first line
    for number, text in enumerate(plan.labels):
        out.add_text(text, x, first + number * step, body, label_colour)
    last = first + (count - 1) * step
    if row.fraction is not None:
        _draw_slider(out, box, last - body * 0.35, row.fraction, row.selected)
        for text in plan.values:
            out.add_text(text, right, first, body, value_colour, 1.0)
    elif row.kind == "toggle":
        _draw_toggle(out, row, last - body * 0.35, right)
    else:
        _draw_values(out, row, plan, right, first + (len(plan.labels) * step if plan.stacked else 0.0), value_colour)


def _draw_values(out: HudItems, row: PanelRow, plan: RowPlan, right: float, baseline: float, colour: Rgba) -> None:
    """Lines of the value, right-aligned; a choice has arrows at both sides."""
    body = out.font_pixels(BODY_POINTS)
    gap = 8 * out.unit
    step = fonts.line_height(body)
    if row.kind == "choice" and row.selected and plan.values:
        widest = max(fonts.text_width(value, body) for value in plan.values)
        middle = baseline + (len(plan.values) - 1) * step / 2
        out.add_text(">", right, middle, body, out.theme.secondary_ink, 1.0)
        right -= fonts.text_width(">", body) + gap
        out.add_text("<", right - widest - gap, middle, body, out.theme.secondary_ink, 1.0)
    for number, text in enumerate(plan.values):
        out.add_text(text, right, baseline + number * step, body, colour, 1.0)


def _draw_slider(out: HudItems, box: Rectangle, middle: float, fraction: float, selected: bool) -> None:
    unit = out.unit
    theme = out.theme
    left, right = slider_x_ends(out, box[0], box[2])
    clamped = min(max(fraction, 0.0), 1.0)
    track_height = 4 * unit
    out.add_box(left, middle - track_height / 2, right - left, track_height, track_height / 2, theme.slider_track)
    filled = max((right - left) * clamped, track_height)
    out.add_box(
        left,
        middle - track_height / 2,
        filled,
        track_height,
        track_height / 2,
        theme.accent if selected else theme.secondary_ink,
    )
    knob = 7 * unit
    out.add_box(left + (right - left) * clamped - knob, middle - knob, 2 * knob, 2 * knob, knob, theme.ink)


def _draw_toggle(out: HudItems, row: PanelRow, middle: float, right: float) -> None:
    """Switch and its text, so that the state does not depend on colour alone."""
    unit = out.unit
    theme = out.theme
    on = row.value == "On"
    width, height = 38 * unit, 20 * unit
    x, y = right - width, middle - height / 2
    body = out.font_pixels(BODY_POINTS)
    out.add_box(x, y, width, height, height / 2, theme.accent if on else theme.slider_track)
    knob = height - 6 * unit
    knob_colour = (*theme.slate[:3], 1.0)
    knob_x = x + (width - knob - 3 * unit if on else 3 * unit)
    out.add_box(knob_x, y + 3 * unit, knob, knob, knob / 2, knob_colour if on else theme.ink)
    out.add_text(row.value, x - 12 * unit, middle + body * 0.35, body, theme.accent if row.selected else theme.ink, 1.0)


# Keys with meanings


@dataclass(frozen=True, slots=True)
class KeyPlan:
    """Measured keys: for each the lines of key and meaning, and whether the meaning is below the key."""

    columns: int
    column_width: float
    keys_width: float
    entries: tuple[tuple[list[str], list[str], bool], ...]
    heights: tuple[float, ...]
    height: float


def measure_keys(out: HudItems, keys: tuple[tuple[str, str], ...], columns: int, inner_width: float) -> KeyPlan:
    """As many columns, up to `columns`, as give each meaning one line beside its key; in a single one they wrap."""
    key_size = out.font_pixels(BODY_POINTS)
    body = out.font_pixels(BODY_POINTS - 1)
    unit = out.unit
    gap = 12 * unit
    for count in range(max(1, columns), 0, -1):
        column_width = (inner_width - (count - 1) * COLUMN_GAP * unit) / count
        keys_width = max(fonts.text_width(key_symbols(key), key_size) for key, _ in keys)
        meaning_width = max(fonts.text_width(meaning, body) for _, meaning in keys)
        if keys_width + gap + meaning_width <= column_width:
            break
    keys_width = min(keys_width, 0.5 * column_width)
    row_height = line_pixels(out, BODY_POINTS - 1, KEY_ROW_HEIGHT)
    entries, heights = [], []
    for key, meaning in keys:
        symbols = fonts.wrap_text(key_symbols(key), key_size, column_width)
        below = max(fonts.text_width(line, key_size) for line in symbols) > keys_width
        room = column_width if below else column_width - keys_width - gap
        meanings = fonts.wrap_text(meaning, body, room)
        lines = len(symbols) + len(meanings) if below else max(len(symbols), len(meanings))
        entries.append((symbols, meanings, below))
        heights.append(row_height + (lines - 1) * fonts.line_height(body))
    rows = -(-len(keys) // count)
    height = max(sum(heights[first : first + rows]) for first in range(0, len(keys), rows))
    return KeyPlan(count, column_width, keys_width, tuple(entries), tuple(heights), height)


def draw_key_columns(out: HudItems, plan: KeyPlan, left: float, top: float) -> None:
    """Keys with meanings in columns, each from top to bottom."""
    key_size = out.font_pixels(BODY_POINTS)
    body = out.font_pixels(BODY_POINTS - 1)
    unit = out.unit
    rows = -(-len(plan.entries) // plan.columns)
    step = fonts.line_height(body)
    x, y = left, top
    for number, ((symbols, meanings, below), height) in enumerate(zip(plan.entries, plan.heights, strict=True)):
        if number and number % rows == 0:
            x, y = x + plan.column_width + COLUMN_GAP * unit, top
        baseline = y + line_pixels(out, BODY_POINTS - 1, KEY_ROW_HEIGHT) / 2 + key_size * 0.36
        for line, text in enumerate(symbols):
            out.add_text(text, x, baseline + line * step, key_size, out.theme.ink)
        if below:
            baseline += len(symbols) * step
        meaning_x = x if below else x + plan.keys_width + 12 * unit
        for line, text in enumerate(meanings):
            out.add_text(text, meaning_x, baseline + line * step, body, out.theme.secondary_ink)
        y += height
