"""Chart: values over time as lines, or as the median and the middle 80 % of many walks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..core.vectors import Floats
from . import palette
from .canvas import FRAME, INK, PALE_INK, WHITE, Canvas, Colour, Line, Points, Polygon, Rectangle, Text

LABEL_SIZE = 13
LEFT_ROOM, BOTTOM_ROOM, TOP_ROOM = 44.0, 34.0, 26.0  # pixels for labels
MIN_SPAN = 0.5  # of the values shown: smaller changes look small
MAX_CHART_POINTS = 1200
HEADROOM = 0.08  # of the height of a chart, above its highest value
GRID: Colour = (228, 223, 214)
MIN_PERCENTILE_WALKS = 10  # fewer walks have no lowest and highest tenth


@dataclass(frozen=True, slots=True)
class Series:
    """Values over time (s). width: pixels of the line."""

    seconds: Floats
    values: Floats
    colour: Colour
    width: float = 1.8


@dataclass(frozen=True, slots=True)
class ChartBox:
    """Place of a chart with its labels: left, top, width and height in pixels."""

    left: float
    top: float
    width: float
    height: float


def draw_chart(
    canvas: Canvas,
    box: ChartBox,
    title: str,
    series: Sequence[Series],
    band: bool = False,
    mark: float | None = None,
    failed: float | None = None,
    is_from_zero: bool = False,
    longest: float = 0.0,
    lowest: float = -math.inf,
    min_span: float = MIN_SPAN,
    unit: str = " s",
) -> None:
    """Draw a chart, each series above those before. band: median and range of the series instead of lines
    (`band_note`). mark: a time with a vertical line; failed: that of a failing tick. is_from_zero: the values are not
    negative, and their axis begins at 0. longest: time (s) that the axis shows at least; lowest: least value that it
    shows, at which lines leave the chart; min_span: range of values that it shows at least. unit: of the times."""
    left, top = box.left + LEFT_ROOM, box.top + TOP_ROOM
    width, height = box.width - LEFT_ROOM, box.height - TOP_ROOM - BOTTOM_ROOM
    canvas.add(Text(box.left, box.top + 13.0, title, 15, INK))
    canvas.add(Rectangle(left, top, width, height, WHITE, FRAME))
    filled = [one for one in series if len(one.values)]
    if not filled:
        return
    longest = max(longest, *(float(one.seconds[-1]) for one in filled)) or 1.0
    low = max(min(float(one.values.min()) for one in filled), lowest)
    high = max(low, *(float(one.values.max()) for one in filled))
    middle = (low + high) / 2
    span = max(high - low, min_span) * 1.08
    is_cut = low == lowest
    base = low
    low = 0.0 if is_from_zero or (low >= 0.0 and low < 0.3 * span) else middle - span / 2
    low = base if is_cut else low
    high = max(middle + span / 2, high + HEADROOM * (high - low), low + min_span)

    def place(seconds: float, value: float) -> tuple[float, float]:
        return left + seconds / longest * width, top + height - (value - low) / (high - low) * height

    for value in _ticks(low, high, 5):
        _, y = place(0.0, value)
        canvas.add(Line([(left, y), (left + width, y)], GRID, 1.0))
        canvas.add(Text(left - 6.0, y + 4.5, f"{value:g}", LABEL_SIZE, PALE_INK, "r"))
    for value in _ticks(0.0, longest, 8):
        x, _ = place(value, low)
        canvas.add(Line([(x, top + height), (x, top + height + 4.0)], FRAME, 1.0))
        canvas.add(Text(x, top + height + 18.0, f"{value:g}{unit}", LABEL_SIZE, PALE_INK, "m"))
    if mark is not None:
        x, _ = place(mark, low)
        canvas.add(Line([(x, top), (x, top + height)], INK, 1.2, 0.7))
    if failed is not None:
        draw_tick_mark(canvas, place(failed, low)[0], top, top + height)
    if band:
        _draw_band(canvas, place, filled, longest, low)
        return
    for one in filled:
        step = max(1, len(one.values) // MAX_CHART_POINTS)
        for piece in _pieces_above(one.seconds[::step], one.values[::step], low):
            canvas.add(Line([place(a, b) for a, b in piece], one.colour, one.width))


def draw_tick_mark(canvas: Canvas, x: float, top: float, bottom: float) -> None:
    """A vertical line at a failing tick."""
    canvas.add(Line([(x, top), (x, bottom)], INK, 6.0), Line([(x, top), (x, bottom)], palette.FAILURE, 4.0))


def _pieces_above(seconds: Floats, values: Floats, lowest: float) -> list[Points]:
    """The pieces of a line that are not below the lowest value; they end where the line crosses it."""
    points = list(zip(seconds.tolist(), values.tolist(), strict=True))
    if float(values.min()) >= lowest:
        return [points]
    pieces: list[list[tuple[float, float]]] = [[]]
    for k, (at, value) in enumerate(points):
        before, last = points[k - 1] if k else (at, value)
        if (last < lowest) != (value < lowest):
            crossing = before + (lowest - last) / (value - last) * (at - before), lowest
            pieces[-1].append(crossing)
        if value >= lowest:
            pieces[-1].append((at, value))
        elif pieces[-1]:
            pieces.append([])
    return [piece for piece in pieces if len(piece) > 1]


def band_note(count: int) -> str:
    """What the band of some series shows."""
    return "median and middle 80 %" if count >= MIN_PERCENTILE_WALKS else "median and whole range"


def _draw_band(
    canvas: Canvas,
    place: Callable[[float, float], tuple[float, float]],
    series: Sequence[Series],
    longest: float,
    lowest: float,
) -> None:
    times = np.linspace(0.0, longest, 240)
    values = np.array([np.interp(times, one.seconds, one.values, right=np.nan) for one in series])
    is_known = ~np.isnan(values).all(axis=0)
    times, values = times[is_known], values[:, is_known]
    percentiles = (10, 50, 90) if len(series) >= MIN_PERCENTILE_WALKS else (0, 50, 100)
    below, middle, above = np.nanpercentile(values, percentiles, axis=0)
    below, above = np.maximum(below, lowest), np.maximum(above, lowest)

    def line(heights: Floats) -> Points:
        return [place(a, b) for a, b in zip(times.tolist(), heights.tolist(), strict=True)]

    colour = palette.MANY_COLOUR
    canvas.add(Polygon([*line(below), *reversed(line(above))], colour, 0.22))
    for piece in _pieces_above(times, middle, lowest):
        canvas.add(Line([place(a, b) for a, b in piece], colour, 2.2))


def _ticks(low: float, high: float, count: int) -> list[float]:
    """Round values in a range: multiples of 1, 2 or 5 times a power of ten, at most `count` + 1 of them."""
    rough = (high - low) / count
    tens = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * tens for factor in (1, 2, 5, 10) if factor * tens >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(k * step, 9) + 0.0 for k in range(first, last + 1)]
