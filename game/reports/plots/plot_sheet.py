"""Plot sheet: paths or a heat map on the plans of a level, a legend, and charts of speed and height."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core.vectors import Floats
from ...level import Level
from ...maps import run_map
from ...maps.floor_plans import Storey, height_colour
from ...maps.map_canvas import PlanWindow, elide_text
from ...text.font_stack import line_width
from ..walk_path import WalkPath, chart_heights
from . import palette
from .chart import ChartBox, Series, draw_chart
from .figure import Box, Circle, Figure, Line, Text
from .heat_map import LEAST_SHARE, HeatMap, make_heat_map
from .plan_panel import DrawnPath, PlanPanel, PlanSource, Ring

WIDTH = 1280
MARGIN, GAP, TITLE_HEIGHT, CAPTION_HEIGHT = 32, 18, 66, 20
WIDE_PLANS = (WIDTH - 2 * MARGIN, 600)  # pixels for plans above the charts
TALL_PLANS = (640, 880)  # and for those beside them
NARROW_PLANS = 0.6 * (WIDTH - 2 * MARGIN)  # pixels: narrower plans above the charts leave much of the row empty
CHART_HEIGHT, TALLEST_CHART = 210, 320
PATH_MARGIN = 2.5  # m of the level around the paths
MAX_LEGEND_ROWS = 6
HEIGHT_LEGEND_STEPS, HEIGHT_LEGEND_WIDTH = 32, 120.0  # colours, pixels
MAX_LINE_CHARTS = 6  # walks with a line each; more are a band


@dataclass(frozen=True, slots=True)
class PlanArea:
    """Plans of the storeys: their panels and the size of the whole in pixels."""

    panels: tuple[PlanPanel, ...]
    width: float
    height: float


def draw_plot(level: Level, walks: Sequence[WalkPath], heat: bool = False) -> Figure:
    """The sheet of some walks, each with at least one tick. heat: the time at each place instead of the paths."""
    every = np.concatenate([walk.feet for walk in walks])
    storeys = run_map.split_storeys(level, every)
    extent = path_extent(every)
    place = (MARGIN, MARGIN + TITLE_HEIGHT)
    area = arrange_plans(storeys, extent, WIDE_PLANS, place)
    is_tall = area.width < NARROW_PLANS
    if is_tall:
        area = arrange_plans(storeys, extent, TALL_PLANS, place)
    legend_rows = 1 + is_tall if heat else min(len(walks), MAX_LEGEND_ROWS + 1)
    if is_tall:
        side = WIDTH - 2 * MARGIN - area.width - 2 * GAP
        left, legend_height = MARGIN + area.width + 2 * GAP, (legend_rows + 1) * 24.0 + 30.0
        chart_height = min(TALLEST_CHART, max(CHART_HEIGHT, (area.height - legend_height) / 2 - GAP))
        chart = ChartBox(left, place[1], side, chart_height)
        other = ChartBox(left, place[1] + chart_height + GAP, side, chart_height)
        legend_at = left, other.top + chart_height + 36.0
        height = max(place[1] + area.height, legend_at[1] + legend_height - 30.0) + MARGIN
    else:
        below = MARGIN + TITLE_HEIGHT + area.height + 30.0
        legend_at = float(MARGIN), below
        top = below + (legend_rows + 1) * 24.0 + 8.0
        side = (WIDTH - 2 * MARGIN - 2 * GAP) / 2
        chart = ChartBox(MARGIN, top, side, CHART_HEIGHT)
        other = ChartBox(MARGIN + side + 2 * GAP, top, side, CHART_HEIGHT)
        height = top + CHART_HEIGHT + MARGIN
    figure = Figure(WIDTH, round(height), palette.PAPER, level.name)
    subtitle = f"{walks[0].name}" if len(walks) == 1 else f"{len(walks)} walks"
    draw_title(figure, level.name, f"{subtitle}{_ticks_text(walks)}")
    source = PlanSource(level, height_range(every))
    heat_map = make_heat_map(walks, extent) if heat else None
    paths = [] if heat else drawn_paths(walks)
    draw_plans(figure, source, area, paths, heat_map, [walk.feet[0] for walk in walks])
    if heat_map is not None:
        _draw_heat_legend(figure, legend_at, heat_map, is_tall)
    else:
        _draw_legend(figure, legend_at, walks, side if is_tall else WIDTH - 2 * MARGIN)
    marks_at = legend_at[0], legend_at[1] + 24.0 * legend_rows
    draw_mark_legend(figure, marks_at, level, area, None if heat else source.heights)
    band = heat or len(walks) > MAX_LINE_CHARTS
    note = ": median and middle 80 % of the walks" if band and len(walks) > 1 else ""
    speeds = [Series(walk.seconds, walk.speed, palette.walk_colour(k)) for k, walk in enumerate(walks)]
    title, values = chart_heights(walks)
    heights = [Series(walk.seconds, values[k], palette.walk_colour(k)) for k, walk in enumerate(walks)]
    draw_chart(figure, chart, f"Speed along the ground (m/s){note}", speeds, band and len(walks) > 1, is_from_zero=True)
    draw_chart(figure, other, f"{title}{note}", heights, band and len(walks) > 1)
    return figure


def _ticks_text(walks: Sequence[WalkPath]) -> str:
    """`, 120 ticks` of one walk; ` of 120 ticks` or ` of 60 to 120 ticks` of several."""
    counts = [len(walk.feet) for walk in walks]
    text = f"{counts[0]} ticks" if len(set(counts)) == 1 else f"{min(counts)} to {max(counts)} ticks"
    return f", {text}" if len(walks) == 1 else f" of {text}"


def drawn_paths(walks: Sequence[WalkPath]) -> list[DrawnPath]:
    """Paths with colours; with more than a few walks thin lines without labels."""
    if len(walks) > MAX_LEGEND_ROWS:
        return [
            DrawnPath(walk.feet, palette.walk_colour(k), 1.4, 0.55, has_outline=False) for k, walk in enumerate(walks)
        ]
    labels = [str(k + 1) if len(walks) > 1 else "" for k in range(len(walks))]
    return [DrawnPath(walk.feet, palette.walk_colour(k), label=labels[k]) for k, walk in enumerate(walks)]


def path_extent(feet: Floats) -> tuple[float, float, float, float]:
    """West, north, east and south edge (m) of a plan with some paths."""
    low, high = feet[:, [0, 2]].min(axis=0) - PATH_MARGIN, feet[:, [0, 2]].max(axis=0) + PATH_MARGIN
    missing = np.maximum(run_map.MIN_EXTENT - (high - low), 0.0) / 2
    (west, north), (east, south) = low - missing, high + missing
    return float(west), float(north), float(east), float(south)


def height_range(feet: Floats) -> tuple[float, float]:
    """Lowest and highest ground of the colours of plans, m."""
    low = float(feet[:, 1].min())
    return low, max(float(feet[:, 1].max()), low + run_map.MIN_HEIGHT_SPAN)


def arrange_plans(
    storeys: Sequence[Storey],
    extent: tuple[float, float, float, float],
    room: tuple[int, int],
    place: tuple[float, float],
) -> PlanArea:
    """Plans side by side, as large as they fit into the room (pixels), from the top left `place` on."""
    captions = CAPTION_HEIGHT if len(storeys) > 1 else 0
    across, along = extent[2] - extent[0], extent[3] - extent[1]

    def scale_of(columns: int) -> float:
        rows = -(-len(storeys) // columns)
        width, height = room[0] - (columns - 1) * GAP, room[1] - (rows - 1) * GAP - rows * captions
        return min(width / columns / across, height / rows / along)

    columns = max(range(1, len(storeys) + 1), key=lambda count: (round(scale_of(count), 2), count))
    scale = scale_of(columns)
    window = PlanWindow(*extent, scale)
    width, height = window.size
    panels = []
    for number, storey in enumerate(storeys):
        row, column = divmod(number, columns)
        left, top = place[0] + column * (width + GAP), place[1] + row * (height + captions + GAP) + captions
        panels.append(PlanPanel(left, top, window, storey))
    rows = -(-len(storeys) // columns)
    return PlanArea(tuple(panels), columns * (width + GAP) - GAP, rows * (height + captions + GAP) - GAP)


def draw_plans(
    figure: Figure,
    source: PlanSource,
    area: PlanArea,
    paths: Sequence[DrawnPath],
    heat: HeatMap | None = None,
    starts: Sequence[Floats] | None = None,
    ring: Ring | None = None,
) -> None:
    """Draw the plans of all storeys with their captions and a scale bar."""
    for number, panel in enumerate(area.panels):
        if len(area.panels) > 1:
            words = ("lowest storey", "highest storey") if len(area.panels) > 2 else ("lower storey", "upper storey")
            caption = words[0] if not number else words[1] if number == len(area.panels) - 1 else f"storey {number + 1}"
            figure.add(Text(panel.left, panel.top - 6.0, caption, 13, palette.PALE_INK))
        panel.draw(figure, source, paths, heat, starts, ring)
    points = [path.points for path in paths] + [np.array([start]) for start in starts or ()]
    _draw_scale_bar(figure, area.panels[0], np.concatenate([*points, np.zeros((0, 3))]))


def _draw_scale_bar(figure: Figure, panel: PlanPanel, points: Floats) -> None:
    """A bar of 1, 2, 5, 10, ... metres in the corner of a plan with the fewest of the points."""
    width, height = panel.window.size
    metres = max(
        length for length in (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500) if length * panel.window.scale < width / 3
    )
    length = metres * panel.window.scale
    x, y = panel.to_figure(points[:, 0], points[:, 2])
    lefts, bottoms = (
        (panel.left + 14.0, panel.left + width - length - 14.0),
        (panel.top + height - 14.0, panel.top + 31.0),
    )

    def covered(corner: tuple[float, float]) -> int:
        """Number of points near the bar, with room for a mark."""
        near_x, near_y = abs(x - corner[0] - length / 2) < length / 2 + 18.0, abs(y - corner[1] + 9.0) < 28.0
        return int((near_x & near_y).sum())

    left, bottom = min(((left, bottom) for bottom in bottoms for left in lefts), key=covered)
    figure.add(Box(left - 7.0, bottom - 24.0, length + 14.0, 31.0, palette.PAPER, palette.FRAME))
    figure.add(Line([(left, bottom), (left + length, bottom)], palette.INK, 2.0))
    figure.add(Text(left + length / 2, bottom - 7.0, f"{metres:g} m", 13, palette.INK, "m"))


def draw_title(figure: Figure, title: str, subtitle: str) -> None:
    """Title and subtitle at the top left."""
    room = figure.width - 2 * MARGIN
    figure.add(Text(MARGIN, MARGIN + 22.0, elide_text(title, room, 28), 28, palette.INK))
    figure.add(Text(MARGIN, MARGIN + 46.0, elide_text(subtitle, room, 15), 15, palette.PALE_INK))


def _draw_legend(figure: Figure, place: tuple[float, float], walks: Sequence[WalkPath], room: float) -> None:
    """A line with the colour and the name of each walk."""
    left, top = place
    for number, walk in enumerate(walks[:MAX_LEGEND_ROWS]):
        y, colour = top + 24.0 * number, palette.walk_colour(number)
        figure.add(Line([(left, y - 5.0), (left + 30.0, y - 5.0)], colour, 4.0))
        if len(walks) > 1:
            figure.add(Circle(left + 15.0, y - 5.0, 9.0, colour, palette.OUTLINE))
            figure.add(Text(left + 15.0, y - 0.5, str(number + 1), 13, palette.OUTLINE, "m"))
        seconds = float(walk.seconds[-1]) if len(walk.seconds) else 0.0
        text = f"{walk.name}, {seconds:.1f} s, at most {float(walk.speed.max(initial=0.0)):.1f} m/s"
        figure.add(Text(left + 42.0, y, elide_text(text, room - 42.0, 15), 15, palette.INK))
    if len(walks) > MAX_LEGEND_ROWS:
        y = top + 24.0 * MAX_LEGEND_ROWS
        figure.add(Text(left + 42.0, y, f"and {len(walks) - MAX_LEGEND_ROWS} more walks", 15, palette.PALE_INK))


def draw_mark_legend(
    figure: Figure,
    place: tuple[float, float],
    level: Level,
    area: PlanArea,
    heights: tuple[float, float] | None,
) -> None:
    """The marks of the start and, where a plan shows it, of the goal; where north is; and the colours of the ground
    between two heights (m), of plans that have them."""
    left, y = place
    figure.add(Circle(left + 15.0, y - 5.0, 6.5, palette.SPAWN, palette.OUTLINE, 2.0))
    figure.add(Text(left + 42.0, y, "start", 15, palette.INK))
    left += 42.0 + line_width("start", 15) + 14.0
    goal = None if level.goal is None else np.array(level.goal.at)
    if goal is not None and any(panel.shows(goal) for panel in area.panels):
        figure.add(Circle(left + 15.0, y - 5.0, 8.0, palette.GOAL, palette.OUTLINE, 2.0))
        figure.add(Circle(left + 15.0, y - 5.0, 3.0, palette.OUTLINE))
        figure.add(Text(left + 34.0, y, "goal", 15, palette.INK))
        left += 34.0 + line_width("goal", 15) + 14.0
    figure.add(Text(left + 14.0, y, "north is up", 15, palette.PALE_INK))
    if heights is not None:
        _draw_height_legend(figure, (left + 14.0 + line_width("north is up", 15) + 28.0, y), heights)


def _draw_height_legend(figure: Figure, place: tuple[float, float], heights: tuple[float, float]) -> None:
    """The colours of the ground from its lowest to its highest height (m)."""
    left, y = place
    text = f"ground {heights[0] + 0.0:.1f} m"
    figure.add(Text(left, y, text, 15, palette.INK))
    left += line_width(text, 15) + 8.0
    colours = np.round(height_colour(np.linspace(*heights, HEIGHT_LEGEND_STEPS), *heights)).astype(int).tolist()
    step = HEIGHT_LEGEND_WIDTH / HEIGHT_LEGEND_STEPS
    for k, (red, green, blue) in enumerate(colours):
        figure.add(Box(left + k * step, y - 13.0, step + 0.6, 15.0, (red, green, blue)))
    figure.add(Box(left, y - 13.0, HEIGHT_LEGEND_WIDTH, 15.0, None, palette.FRAME))
    left += HEIGHT_LEGEND_WIDTH + 8.0
    figure.add(Text(left, y, f"{heights[1] + 0.0:.1f} m", 15, palette.INK))


def _draw_heat_legend(figure: Figure, place: tuple[float, float], heat: HeatMap, is_below: bool) -> None:
    """The scale of the heat map, with its text below or beside it."""
    left, y = place
    steps, width = 48, 264.0
    for k in range(steps):
        red, green, blue = (round(value) for value in palette.heat_colours(np.array(k / (steps - 1))).tolist())
        figure.add(Box(left + k * width / steps, y - 16.0, width / steps + 0.6, 16.0, (red, green, blue)))
    figure.add(Box(left, y - 16.0, width, 16.0, None, palette.FRAME))
    least, most = heat.longest * LEAST_SHARE, heat.longest
    text = f"time at a place: {least:.2g} to {most:.3g} seconds per square metre, on a logarithmic scale"
    text_at = (left, y + 20.0) if is_below else (left + width + 14.0, y - 2.0)
    figure.add(Text(*text_at, elide_text(text, figure.width - text_at[0] - MARGIN / 2, 15), 15, palette.INK))
