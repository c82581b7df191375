"""Chart: lines of values over time, with axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.vectors import Floats
from .canvas import FRAME, INK, PALE_INK, WHITE, Canvas, Colour, Line, Rectangle, Text

LABEL_SIZE = 13
LEFT_ROOM, BOTTOM_ROOM, TOP_ROOM = 44.0, 34.0, 26.0  # pixels for labels
MIN_SPAN = 0.5  # of the values shown: smaller changes look small
MAX_CHART_POINTS = 1200
HEADROOM = 0.08  # of the height of a chart, above its highest value
GRID: Colour = (228, 223, 214)


@dataclass(frozen=True, slots=True)
class Series:
    """Values over time (s). width: pixels of the line."""

    seconds: Floats
    values: Floats
    colour: Colour
    width: float = 1.8


@dataclass(frozen=True, slots=True)
class Chart:
    """Series below a title, each above those before. mark: a time with a vertical line. is_from_zero: the values are
    not negative, and their axis begins at 0. lowest: least value of the axis; lower values lie on it. unit: of the
    times."""

    title: str
    series: Sequence[Series]
    mark: float | None = None
    is_from_zero: bool = False
    lowest: float = -math.inf
    unit: str = " s"


def draw_chart(canvas: Canvas, box: tuple[float, float, float, float], chart: Chart) -> None:
    """Draw a chart with its labels in a box: left, top, width and height in pixels."""
    canvas.add(Text(box[0], box[1] + 13.0, chart.title, 15, INK))
    left, top = box[0] + LEFT_ROOM, box[1] + TOP_ROOM
    width, height = box[2] - LEFT_ROOM, box[3] - TOP_ROOM - BOTTOM_ROOM
    canvas.add(Rectangle(left, top, width, height, WHITE, FRAME))
    series = [one for one in chart.series if len(one.values)]
    if not series:
        return
    longest = max(float(one.seconds[-1]) for one in series) or 1.0
    values = np.concatenate([one.values for one in series])
    low = 0.0 if chart.is_from_zero else max(float(values.min()), chart.lowest)
    high = max(float(values.max()), low + MIN_SPAN)
    high += HEADROOM * (high - low)

    def place(seconds: float, value: float) -> tuple[float, float]:
        return left + seconds / longest * width, top + height - (max(value, low) - low) / (high - low) * height

    for value in _ticks(low, high, 5):
        _, y = place(0.0, value)
        canvas.add(Line([(left, y), (left + width, y)], GRID, 1.0))
        canvas.add(Text(left - 6.0, y + 4.5, f"{value:g}", LABEL_SIZE, PALE_INK, "r"))
    for value in _ticks(0.0, longest, 8):
        x, _ = place(value, low)
        canvas.add(Line([(x, top + height), (x, top + height + 4.0)], FRAME, 1.0))
        canvas.add(Text(x, top + height + 18.0, f"{value:g}{chart.unit}", LABEL_SIZE, PALE_INK, "m"))
    if chart.mark is not None:
        x, _ = place(chart.mark, low)
        canvas.add(Line([(x, top), (x, top + height)], INK, 1.2, 0.7))
    for one in series:
        step = max(1, len(one.values) // MAX_CHART_POINTS)
        rows = zip(one.seconds[::step].tolist(), one.values[::step].tolist(), strict=True)
        canvas.add(Line([place(at, value) for at, value in rows], one.colour, one.width))


def _ticks(low: float, high: float, count: int) -> list[float]:
    """Round values in a range: multiples of 1, 2 or 5 times a power of ten, at most `count` + 1 of them."""
    rough = (high - low) / count
    tens = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * tens for factor in (1, 2, 5, 10) if factor * tens >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(k * step, 9) + 0.0 for k in range(first, last + 1)]
