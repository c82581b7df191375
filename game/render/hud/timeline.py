"""Timeline of a recording above the bottom edge, and labels at points of the world. No GL."""

from __future__ import annotations

from ..colour_palettes import Rgba
from ..snapshot import ScreenLabel, Timeline
from .boxes import Box, Figure, Fit, Frame, Text, bar, draw_element
from .primitives import SMALL_POINTS, HudItems

DARK_TEXT: Rgba = (0.06, 0.07, 0.09, 1.0)  # text on a coloured background

SIDE_MARGIN, BAND_HEIGHT, MAX_COLUMN_HEIGHT = 12.0, 74.0, 34.0  # units
LANE_HEIGHT, LANE_GAP = 5.0, 4.0  # units: lane of surface colours below the columns
MARK_POINTS = 12
FUTURE_OPACITY = 0.38  # factor for columns after the cursor
LABEL_SPACING = 1.0  # units between labels that would overlap


def draw_timeline(out: HudItems, timeline: Timeline, bottom: float) -> None:
    """Draw the timeline above `bottom` (pixels from the top), with the label of its cursor above the band."""
    theme, unit, window = out.theme, out.unit, float(out.size[0])
    small, label_size = out.font_pixels(MARK_POINTS), out.font_pixels(SMALL_POINTS)
    mark_height, label_height = 1.35 * small, 1.75 * label_size
    height = (BAND_HEIGHT - 16.0) * unit + mark_height
    top = bottom - height
    area = (0.0, top - label_height, window, height + label_height)
    if not out.slots.is_free((*area[:3], area[3] - out.slots.gap)):
        return
    out.begin_element("timeline", area)
    out.add_box(0, top, window, height, 0, theme.card)
    left = (SIDE_MARGIN + 8) * unit
    length = window - 2 * left
    out.timeline_rectangle = left, top, length, height
    baseline = top + height - (LANE_HEIGHT + LANE_GAP + 8) * unit
    cursor_x = left + min(max(timeline.cursor, 0.0), 1.0) * length
    _draw_columns(out, timeline, left, length, baseline, cursor_x)
    marks_end = 0.0
    for fraction, word in timeline.marks:
        is_past = left + fraction * length <= cursor_x
        text = Text([word], small, theme.ink if is_past else theme.secondary_ink, step=mark_height)
        ground = theme.slider_track if is_past else theme.keycap
        mark = Frame(Fit(text, 8 * unit, across=0.5), (3 * unit, 0.0), ground, 3 * unit)
        x = min(max(left + fraction * length - mark.width / 2, 0.0), window - mark.width)
        if x >= marks_end:  # else there is no room beside the mark before it
            mark.draw(out, x, top + 5 * unit)
            marks_end = x + mark.width + 2 * unit
    width, lane = max(2.0, 2.5 * unit), baseline + (LANE_GAP + LANE_HEIGHT) * unit
    bar_top = top - 2 * unit
    out.add_box(cursor_x - width / 2, bar_top, width, lane + 3 * unit - bar_top, width / 2, theme.accent)
    out.add_disc(cursor_x, lane - LANE_HEIGHT / 2 * unit, 11 * unit, theme.accent)
    label = Frame(
        Text([timeline.label], label_size, DARK_TEXT, step=1.6 * label_size), (11 * unit, 0.0), theme.accent, label_size
    )
    label_left = min(max(cursor_x - label.width / 2, 6 * unit), window - label.width - 6 * unit)
    if timeline.label:
        label.draw(out, label_left, top - label_height)
    for words, across in ((timeline.left, 0.0), (timeline.right, 1.0)):
        end = Frame(Text([words], small, theme.ink, step=1.6 * small), (7 * unit, 0.0), theme.card, small, True)
        x = left + across * (length - end.width)
        if words and (x + end.width + 4 * unit < label_left or x > label_left + label.width + 4 * unit):
            end.draw(out, x, top - label_height + 0.1 * small)
    out.end_element()


def _draw_columns(
    out: HudItems, timeline: Timeline, left: float, length: float, baseline: float, cursor_x: float
) -> None:
    """Columns of the speed, over a lane with the colours of the surfaces."""
    theme, unit = out.theme, out.unit
    bar(out, length, max(1.0, unit), theme.slider_track).draw(out, left, baseline)
    width = length / max(1, len(timeline.columns))
    radius, gap = min(1.5 * unit, width / 3), min(1.5 * unit, 0.3 * width)
    for number, (speed, colour) in enumerate(timeline.columns):
        x = left + number * width
        opacity = 0.92 if x + width / 2 <= cursor_x else FUTURE_OPACITY * 0.8
        height = max(1.5 * unit, min(max(speed, 0.0), 1.0) * MAX_COLUMN_HEIGHT * unit)
        out.add_box(x, baseline - height, width - gap, height, radius, (*theme.ink[:3], opacity * 0.8))
        out.add_box(x, baseline + LANE_GAP * unit, width, LANE_HEIGHT * unit, 0, (*colour, opacity))


def draw_labels(out: HudItems, labels: tuple[ScreenLabel, ...]) -> None:
    """Draw each label at its point, moved up or down to where it overlaps nothing; left out where there is no room, and
    beside a point that a card covers, from which the label would be moved away."""
    unit, body = out.unit, out.font_pixels(SMALL_POINTS)
    gap = out.slots.gap
    out.slots.gap = LABEL_SPACING * unit
    covered = list(out.slots.taken)
    for label in labels:
        x, y = label.x * out.size[0], label.y * out.size[1]
        is_beside = not (label.badge or label.centred)
        if is_beside and any(left <= x < left + wide and top <= y < top + high for left, top, wide, high in covered):
            continue
        colour: Rgba = DARK_TEXT if label.badge else (*label.colour, 1.0)
        text = Text(label.text, body, colour, 0.6 * out.slots.max_width, 0.5)
        margins = (7 if label.badge else 8) * unit, (1.55 * body - text.step) / 2
        box: Box = Frame(text, margins, out.theme.card, 0.8 * body)
        if label.badge:
            least = text.height + 2 * (margins[1] - margins[0])
            badge = Frame(Fit(text, least, across=0.5), margins, (*label.colour, 1.0), 0.8 * body)
            box = _outlined(out, badge, 0.8 * body)
        x += 10 * unit if is_beside else -box.width / 2
        place = out.slots.find_near(x, y - box.height / 2, box.width, box.height)
        if place is not None:
            draw_element(out, "label", box, *place[:2])
    out.slots.gap = gap


def _outlined(out: HudItems, box: Box, radius: float) -> Box:
    """The box with a dark line around it, which is not part of its size."""
    line = 1.5 * out.unit

    def paint(x: float, y: float) -> None:
        width, height = box.width + 2 * line, box.height + 2 * line
        out.add_box(x - line, y - line, width, height, min(radius, box.height / 2) + line, out.theme.card)
        box.draw(out, x, y)

    return Figure(box.width, box.height, paint)
