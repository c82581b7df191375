"""Timeline of a recording above the bottom edge, and labels at points of the world. No GL."""

from __future__ import annotations

from ..colour_palettes import Rgba
from ..snapshot import ScreenLabel, Timeline
from ..text import fonts
from .primitives import HudItems

DARK_TEXT: Rgba = (0.06, 0.07, 0.09, 1.0)  # text on a coloured background

SIDE_MARGIN, BAND_HEIGHT, MAX_COLUMN_HEIGHT = 12.0, 74.0, 34.0  # units
LANE_HEIGHT, LANE_GAP = 5.0, 4.0  # units: lane of surface colours below the columns
SMALL_POINTS, BODY_POINTS = 12, 14
FUTURE_OPACITY = 0.38  # factor for columns after the cursor
LABEL_SPACING = 1.0  # units between labels that would overlap


def draw_timeline(out: HudItems, timeline: Timeline, bottom: float) -> None:
    """Draw the timeline above `bottom` (pixels from the top), with the label of its cursor above the band."""
    small = out.font_pixels(SMALL_POINTS)
    theme = out.theme
    size = out.size
    unit = out.unit
    mark_height = small * 1.35
    height = (BAND_HEIGHT - 16.0) * unit + mark_height
    label_height = 1.75 * out.font_pixels(BODY_POINTS)
    top = bottom - height
    area = (0.0, top - label_height, float(size[0]), height + label_height)
    if not out.slots.is_free((0.0, area[1], area[2], area[3] - out.slots.gap)):
        return
    out.begin_panel("timeline", area)
    out.add_box(0, top, size[0], height, 0, theme.card)
    left, right = SIDE_MARGIN * unit + 8 * unit, size[0] - SIDE_MARGIN * unit - 8 * unit
    out.timeline_rectangle = left, top, right - left, height
    count = max(1, len(timeline.columns))
    column_width = (right - left) / count
    baseline = top + height - (LANE_HEIGHT + LANE_GAP) * unit - 8 * unit
    cursor_x = left + min(max(timeline.cursor, 0.0), 1.0) * (right - left)
    out.add_box(left, baseline, right - left, max(1.0, unit), 0, theme.slider_track)
    for n, (speed, colour) in enumerate(timeline.columns):
        x = left + n * column_width
        is_past = x + column_width / 2 <= cursor_x
        column_height = max(1.5 * unit, min(max(speed, 0.0), 1.0) * MAX_COLUMN_HEIGHT * unit)
        gap = min(1.5 * unit, 0.3 * column_width)
        opacity = 0.92 if is_past else FUTURE_OPACITY * 0.8
        out.add_box(
            x,
            baseline - column_height,
            column_width - gap,
            column_height,
            min(1.5 * unit, column_width / 3),
            (*theme.ink[:3], opacity * 0.8),
        )
        out.add_box(x, baseline + LANE_GAP * unit, column_width, LANE_HEIGHT * unit, 0, (*colour, opacity))
    marks_end = 0.0
    for fraction, word in timeline.marks:
        text_box = max(fonts.text_width(word, small), 8 * unit) + 6 * unit
        x = min(max(left + fraction * (right - left), text_box / 2), size[0] - text_box / 2)
        y = top + 5 * unit
        if x - text_box / 2 < marks_end:
            continue  # no room beside the mark before it
        marks_end = x + text_box / 2 + 2 * unit
        out.add_box(
            x - text_box / 2, y, text_box, mark_height, 3 * unit, theme.slider_track if x <= cursor_x else theme.keycap
        )
        out.add_text(word, x, y + small * 1.02, small, theme.ink if x <= cursor_x else theme.secondary_ink, 0.5)
    label_left, label_right = _draw_cursor(out, timeline, cursor_x, top, baseline, size, unit)
    for text, x, align in ((timeline.left, left, 0.0), (timeline.right, right, 1.0)):
        text_box = fonts.text_width(text, small) + 14 * unit
        start = x - align * text_box
        y = top - 1.75 * out.font_pixels(BODY_POINTS)
        if text and (start + text_box + 4 * unit < label_left or start > label_right + 4 * unit):
            out.add_outlined_box(start, y + 0.1 * small, text_box, 1.6 * small, 0.8 * small, theme.card)
            out.add_text(text, start + text_box / 2, y + 1.22 * small, small, theme.ink, 0.5)
    out.end_panel()


def _draw_cursor(
    out: HudItems, timeline: Timeline, cursor_x: float, top: float, baseline: float, size: tuple[int, int], unit: float
) -> tuple[float, float]:
    """Cursor line with a knob, and its label above. Returns the left and right end of the label in pixels."""
    body = out.font_pixels(BODY_POINTS)
    theme = out.theme
    line_width = max(2.0, 2.5 * unit)
    line_bottom = baseline + (LANE_HEIGHT + LANE_GAP + 3) * unit
    out.add_box(
        cursor_x - line_width / 2,
        top - 2 * unit,
        line_width,
        line_bottom - top + 2 * unit,
        line_width / 2,
        theme.accent,
    )
    knob = 5.5 * unit
    out.add_box(
        cursor_x - knob, baseline - knob + (LANE_GAP + LANE_HEIGHT / 2) * unit, 2 * knob, 2 * knob, knob, theme.accent
    )
    if timeline.label:
        label_width = fonts.text_width(timeline.label, body) + 22 * unit
        x = min(max(cursor_x - label_width / 2, 6 * unit), size[0] - label_width - 6 * unit)
        y = top - 1.75 * body
        out.add_box(x, y, label_width, 1.6 * body, 0.8 * body, theme.accent)
        out.add_text(timeline.label, x + label_width / 2, y + 1.13 * body, body, DARK_TEXT, 0.5)
        return x, x + label_width
    return cursor_x - line_width / 2, cursor_x + line_width / 2


def draw_labels(out: HudItems, labels: tuple[ScreenLabel, ...]) -> None:
    """Draw each label at its point, moved up or down to where it overlaps nothing; left out where there is no room, and
    beside a point that a card covers, from which the label would be moved away."""
    body = out.font_pixels(BODY_POINTS)
    theme = out.theme
    unit = out.unit
    size = out.size
    gap = out.slots.gap
    out.slots.gap = LABEL_SPACING * unit
    covered = list(out.slots.taken)
    for label in labels:
        x, y = label.x * size[0], label.y * size[1]
        is_beside = not (label.badge or label.centred)
        if is_beside and any(left <= x < left + wide and top <= y < top + high for left, top, wide, high in covered):
            continue
        lines = fonts.wrap_text(label.text, body, 0.6 * out.slots.max_width)
        height = (len(lines) - 1) * fonts.line_height(body) + body * 1.55
        width = max(fonts.text_width(line, body) for line in lines) + (14 if label.badge else 16) * unit
        if label.badge:
            width = max(width, height)
        x = label.x * size[0] - (width / 2 if label.badge or label.centred else -10 * unit)
        box = out.slots.find_near(x, label.y * size[1] - height / 2, width, height)
        if box is None:
            continue
        x, y, _, _ = box
        out.begin_panel("label", box)
        radius = min(height / 2, 0.8 * body)
        if label.badge:
            outline = 1.5 * unit
            out.add_box(
                x - outline, y - outline, width + 2 * outline, height + 2 * outline, radius + outline, theme.card
            )
            out.add_box(x, y, width, height, radius, (*label.colour, 1.0))
        else:
            out.add_box(x, y, width, height, radius, theme.card)
        colour = DARK_TEXT if label.badge else (*label.colour, 1.0)
        for number, line in enumerate(lines):
            out.add_text(line, x + width / 2, y + number * fonts.line_height(body) + 1.1 * body, body, colour, 0.5)
    out.slots.gap = gap
    out.end_panel()
