"""Plot sheet: paths or a heat map on the plans of a level, a legend, and two charts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..core import atomic_files
from ..core.vectors import Floats
from ..level import Level
from . import palette, turning_page
from .canvas import FRAME, INK, PALE_INK, WHITE, Canvas, Colour, Line, Rectangle, Text, save_canvas
from .floor_plans import find_path_storeys
from .heat_map import DrawnWalk, make_heat_map, walked_places
from .legend import (
    LEGEND_STEP,
    MARGIN,
    TITLE_HEIGHT,
    LegendRow,
    draw_ends,
    draw_heat_legend,
    draw_legend,
    draw_symbols,
    draw_title,
)
from .plan import GAP, DrawnPath, PlanSource, arrange_plans, colour_range, path_extent

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


WIDTH = 1280
PLANS = (WIDTH - 2 * MARGIN, 600)  # pixels that the plans may take together
CHART_HEIGHT = 210.0
PATH_MARGIN = 2.5  # m of the level around the paths
RING_RADIUS = 16.0  # pixels
MIN_FALL = 1.0  # m of a fall that the chart of heights shows
PATH_WIDTHS, CHART_WIDTHS = (2.8, 3.8, 6.0), (2.2, 2.6, 4.0)  # pixels: arguments of `line_widths`


def save_plot(level: Level, walks: Sequence[DrawnWalk], path: Path, heat: bool = False, note: str = "") -> None:
    """Write the plot of some walks, each with at least one tick, as .png or .html. note: about the level, for the
    subtitle."""
    if path.suffix.lower() == ".html":
        atomic_files.write_atomic(path, turning_page.encode_page(level, walks, note))
    else:
        save_canvas(draw_plot(level, walks, heat, note), path)


def draw_plot(level: Level, walks: Sequence[DrawnWalk], heat: bool = False, note: str = "") -> Canvas:
    """The sheet of some walks, each with at least one tick. heat: the time at each place instead of the paths, and no
    charts; note: about the level, in the subtitle."""
    first = walks[0]
    words = [f"{len(walks)} walks"] if len(walks) > 1 else [f"{first.name}, {len(first.table.feet)} ticks"]
    words += [f"failure at the first tick: {first.failure}"] if first.failure and len(walks) == 1 else []
    titles = level.name, "; ".join([*words, note] if note else words)
    if heat:
        return draw_sheet(level, walks, titles, (), (), heat=True)
    looks = [(palette.walk_colour(k), width) for k, width in enumerate(line_widths(len(walks), *CHART_WIDTHS))]
    mark = next((float(walk.seconds[0]) for walk in walks if walk.failure), None)
    speeds = [Series(walk.seconds, walk.speed, *look) for walk, look in zip(walks, looks, strict=True)]
    charts = (
        Chart("Speed along the ground (m/s)", speeds, mark, is_from_zero=True),
        height_chart(walks, looks, mark),
    )
    rings = [walk.table.feet[0] for walk in walks if walk.failure]
    return draw_sheet(level, walks, titles, _walk_lines(walks), charts, rings)


def height_chart(walks: Sequence[DrawnWalk], looks: Sequence[tuple[Colour, float]], mark: float | None) -> Chart:
    """The chart of the heights of walks, in which a fall off the level ends soon. looks: colour and width of each line;
    mark: a time with a line."""
    lines = [Series(walk.seconds, walk.table.feet[:, 1], *look) for walk, look in zip(walks, looks, strict=True)]
    lowest = float(walked_places(walks)[:, 1].min()) - MIN_FALL
    return Chart("Height of the feet (m)", lines, mark, lowest=lowest)


def draw_sheet(
    level: Level,
    walks: Sequence[DrawnWalk],
    titles: tuple[str, str],
    lines: Sequence[tuple[DrawnPath, str]],
    charts: Sequence[Chart],
    rings: Sequence[Floats] = (),
    heat: bool = False,
) -> Canvas:
    """Plans, the legend below them, and up to two charts side by side. titles: title and subtitle; lines: paths with
    their texts in the legend; rings: places (x, y, z); heat: the time of the walks at each place."""
    places = walked_places(walks)
    storeys = find_path_storeys(level, places)
    extent = path_extent(places if heat else np.concatenate([walk.table.feet for walk in walks]), PATH_MARGIN)
    layout = arrange_plans(storeys, extent, PLANS, (MARGIN, MARGIN + TITLE_HEIGHT))
    heat_map = make_heat_map(walks, extent, places) if heat else None
    source = PlanSource(level, colour_range(places[:, 1]), heat=heat_map)
    canvas = Canvas(WIDTH, 0)
    draw_title(canvas, *titles, PLANS[0])
    layout.draw_captions(canvas)
    paths = [path for path, _ in lines]
    for plan in layout.plans:
        plan.draw_ground(canvas, source)
        if plan is layout.plans[0]:
            plan.draw_scale_bar(canvas)
        plan.draw_paths(canvas, paths)
        draw_symbols(canvas, plan, level)
        for place in rings:
            plan.draw_ring(canvas, place, RING_RADIUS)
        draw_ends(canvas, plan, paths)
        plan.draw_frame(canvas)
    row = LegendRow(canvas, MARGIN, MARGIN + TITLE_HEIGHT + layout.height + 30.0, WIDTH - MARGIN)
    if heat_map is not None:
        draw_heat_legend(row, heat_map, len(walks))
    for path, text in lines:
        row.add_line(path, text)
    draw_legend(row, layout.plans, source)
    top = row.y + LEGEND_STEP + 8.0
    side = (WIDTH - 2 * MARGIN - 2 * GAP) / 2
    for k, chart in enumerate(charts):
        draw_chart(canvas, (MARGIN + k * (side + 2 * GAP), top, side, CHART_HEIGHT), chart)
    canvas.height = round(top + (CHART_HEIGHT if charts else 0.0) + MARGIN)
    return canvas


def line_widths(count: int, thinnest: float, step: float, room: float) -> list[float]:
    """Widths (pixels) of lines that are drawn above each other, from the lowest, which is the widest, so that equal
    lines show. step: from one to the next, at most; room: between the first and the last, at most."""
    if count == 1:
        return [thinnest]
    step = min(step, room / (count - 1))
    return [thinnest + step * (count - 1 - k) for k in range(count)]


def _walk_lines(walks: Sequence[DrawnWalk]) -> list[tuple[DrawnPath, str]]:
    """The path of each walk, and its text for the legend."""
    lines = []
    for k, (walk, width) in enumerate(zip(walks, line_widths(len(walks), *PATH_WIDTHS), strict=True)):
        path = DrawnPath(walk.table.feet, palette.walk_colour(k), width, str(k + 1) if len(walks) > 1 else "")
        text = f"{walk.name}, {float(walk.seconds[-1]):.2f} s, at most {float(walk.speed.max()):.1f} m/s"
        lines.append((path, text))
    return lines
