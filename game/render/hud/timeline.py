"""A timeline above the foot of the picture, and labels at places in it: where their boxes and lines stand. No GL."""

from __future__ import annotations

from ..snapshot import ScreenLabel, Timeline
from ..text import fonts
from .palette import Rgba
from .primitives import HudLayout

DARK_TEXT: Rgba = (0.06, 0.07, 0.09, 1.0)  # letters upon a colour

SIDE_MARGIN, BAND_HEIGHT, MAX_COLUMN_HEIGHT = 12.0, 74.0, 34.0  # units: from the sides; the band; the highest column
LANE_HEIGHT, LANE_GAP = 5.0, 4.0  # units: of the lane under the columns
SMALL_POINTS, BODY_POINTS = 12, 14
FUTURE_OPACITY = 0.38  # of the opacity of what comes after the place that is shown
LABEL_SPACING = 1.0  # units between labels that would lie upon each other


def draw_timeline(out: HudLayout, line: Timeline, size: tuple[int, int], unit: float, foot: float) -> float:
    """The band above `foot` (pixels from the top); returns where it begins."""
    small, look = out.font_pixels(SMALL_POINTS), out.theme
    high = BAND_HEIGHT * unit
    top = foot - high
    out.add_box(0, top, size[0], high, 0, look.card)
    left, right = SIDE_MARGIN * unit + 8 * unit, size[0] - SIDE_MARGIN * unit - 8 * unit
    count = max(1, len(line.columns))
    wide = (right - left) / count
    base = top + high - (LANE_HEIGHT + LANE_GAP) * unit - 8 * unit
    here = left + min(max(line.cursor, 0.0), 1.0) * (right - left)
    out.add_box(left, base, right - left, max(1.0, unit), 0, look.slider_track)
    for n, (speed, colour) in enumerate(line.columns):
        x = left + n * wide
        gone = x + wide / 2 <= here
        tall = max(1.5 * unit, min(max(speed, 0.0), 1.0) * MAX_COLUMN_HEIGHT * unit)
        space = min(1.5 * unit, 0.3 * wide)
        strength = 0.92 if gone else FUTURE_OPACITY * 0.8
        out.add_box(x, base - tall, wide - space, tall, min(1.5 * unit, wide / 3), (*look.ink[:3], strength * 0.8))
        out.add_box(x, base + LANE_GAP * unit, wide, LANE_HEIGHT * unit, 0, (*colour, strength))
    for part, letter in line.marks:
        x = left + part * (right - left)
        across = max(fonts.text_width(letter, small), 8 * unit) + 6 * unit
        y = top + 5 * unit
        out.add_box(x - across / 2, y, across, small * 1.35, 3 * unit, look.slider_track if x <= here else look.keycap)
        out.add_text(letter, x, y + small * 1.02, small, look.ink if x <= here else look.secondary_ink, 0.5)
    _draw_cursor(out, line, here, top, base, size, unit)
    for text, x, align in ((line.left, left, 0.0), (line.right, right, 1.0)):
        across = fonts.text_width(text, small) + 14 * unit
        if text and abs(here - x) > across + 70 * unit:
            start, y = x - align * across, top - 1.75 * out.font_pixels(BODY_POINTS)
            out.add_outlined_box(start, y + 0.1 * small, across, 1.6 * small, 0.8 * small, look.card)
            out.add_text(text, start + across / 2, y + 1.22 * small, small, look.ink, 0.5)
    return top


def _draw_cursor(
    out: HudLayout, line: Timeline, here: float, top: float, base: float, size: tuple[int, int], unit: float
) -> None:
    """A line with a knob, and what it stands at in a lozenge over it."""
    body, look = out.font_pixels(BODY_POINTS), out.theme
    thick = max(2.0, 2.5 * unit)
    foot = base + (LANE_HEIGHT + LANE_GAP + 3) * unit
    out.add_box(here - thick / 2, top - 2 * unit, thick, foot - top + 2 * unit, thick / 2, look.accent)
    knob = 5.5 * unit
    out.add_box(here - knob, base - knob + (LANE_GAP + LANE_HEIGHT / 2) * unit, 2 * knob, 2 * knob, knob, look.accent)
    if line.label:
        across = fonts.text_width(line.label, body) + 22 * unit
        x = min(max(here - across / 2, 6 * unit), size[0] - across - 6 * unit)
        y = top - 1.75 * body
        out.add_box(x, y, across, 1.6 * body, 0.8 * body, look.accent)
        out.add_text(line.label, x + across / 2, y + 1.13 * body, body, DARK_TEXT, 0.5)


def draw_labels(
    out: HudLayout, labels: tuple[ScreenLabel, ...], size: tuple[int, int], unit: float, timeline: bool
) -> None:
    """Each beside its place, pushed down where others are already, and over a timeline."""
    foot = size[1] - (BAND_HEIGHT + 60.0) * unit if timeline else float(size[1])
    body, look = out.font_pixels(BODY_POINTS), out.theme
    taken: list[tuple[float, float, float, float]] = []
    for label in labels:
        high = body * 1.55
        across = fonts.text_width(label.text, body) + (14 if label.badge else 16) * unit
        if label.badge:
            across = max(across, high)
        x = label.x * size[0] - (across / 2 if label.badge or label.centred else -10 * unit)
        y = label.y * size[1] - high / 2
        x, y = min(max(x, 4 * unit), size[0] - across - 4 * unit), min(max(y, 4 * unit), foot - high - 4 * unit)
        for _ in range(len(taken) + 1):
            over = next((box for box in taken if _overlap(box, (x, y, across, high))), None)
            if over is None:
                break
            y = over[1] + over[3] + LABEL_SPACING * unit
        taken.append((x, y, across, high))
        if label.badge:
            rim = 1.5 * unit
            out.add_box(x - rim, y - rim, across + 2 * rim, high + 2 * rim, high / 2 + rim, look.card)
            out.add_box(x, y, across, high, high / 2, (*label.colour, 1.0))
            out.add_text(label.text, x + across / 2, y + 1.1 * body, body, DARK_TEXT, 0.5)
        else:
            out.add_box(x, y, across, high, high / 2, look.card)
            out.add_text(label.text, x + across / 2, y + 1.1 * body, body, (*label.colour, 1.0), 0.5)


def _overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]
