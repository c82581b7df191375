"""Picture of a comparison: both paths on the plan, the place of the first difference in both levels, the distance."""

from __future__ import annotations

import numpy as np

from ...core.vectors import Floats
from ...level import Level
from ...maps import run_map
from ...maps.map_canvas import elide_text
from ...sim.replay.fingerprint import level_hash
from ..plots import palette
from ..plots.chart import ChartBox, Series, draw_chart
from ..plots.detail_panel import DETAIL_CAPTION, DETAIL_SIDE, draw_detail
from ..plots.figure import Figure, Line, Text
from ..plots.plan_ground import survey_ground
from ..plots.plan_panel import DrawnPath, PlanSource, Ring
from ..plots.plot_legend import LEGEND_STEP, MARGIN, draw_mark_legend
from ..plots.plot_sheet import (
    GAP,
    NARROW_PLANS,
    TALLEST_CHART,
    TITLE_HEIGHT,
    WIDTH,
    arrange_plans,
    draw_plans,
    draw_title,
    view_extent,
)
from ..plots.walked_ground import ground_range, lowest_of_chart, places_above_ground
from .level_differences import name_differences
from .walk_diff import WalkComparison

PLAN_ROOM = (WIDTH - 2 * MARGIN, 480)  # pixels
NARROW_PLAN_ROOM = (560, 880)  # of plans beside the details, which are 618 pixels wide
RING_RADIUS = 16.0  # pixels, on the plans
DETAIL_RADIUS = 2.0  # m around the first difference that its plan shows
CHART_HEIGHT = 178
MIN_DISTANCE_SPAN = 1e-3  # m of the axis of distances: below it walks lie on each other
COLOURS = (palette.WALK_COLOURS[1], palette.WALK_COLOURS[0])  # of A and B
WIDTHS, CHART_WIDTHS = (6.6, 2.8), (5.0, 2.2)  # pixels: both show where they lie on each other


def draw_comparison(comparison: WalkComparison, level_a: Level, level_b: Level) -> Figure:
    """The picture of a comparison, on the plan of the level that has the cause. B is drawn as a thin line above A.
    Narrow plans stand beside the rest, wide ones above it."""
    difference = comparison.difference
    letter, level = ("A", level_a) if difference is not None and difference.cause.side == "a" else ("B", level_b)
    walks = comparison.walks
    every = np.concatenate([walk.table.feet for walk in walks])
    places = places_above_ground(level, walks)
    storeys, extent = run_map.split_storeys(level, places), view_extent(level, every)
    top = MARGIN + TITLE_HEIGHT
    area = arrange_plans(storeys, extent, PLAN_ROOM, (MARGIN, top))
    is_narrow = area.width < NARROW_PLANS
    if is_narrow:
        area = arrange_plans(storeys, extent, NARROW_PLAN_ROOM, (MARGIN, top))
    lines = [
        DrawnPath(walks[0].table.feet, COLOURS[0], WIDTHS[0], "A"),
        DrawnPath(walks[1].table.feet, COLOURS[1], WIDTHS[1], "B"),
    ]
    ground = survey_ground(level, area.panels, ground_range(level, walks))

    def draw_marks(figure: Figure, top: float) -> int:
        return draw_mark_legend(figure, (MARGIN, top), level, area.panels, ground, lines)

    legend_height = (2 + draw_marks(Figure(WIDTH, 1, palette.PAPER, ""), 0.0)) * LEGEND_STEP
    details = DETAIL_SIDE + DETAIL_CAPTION if comparison.difference is not None else 0.0
    chart_height = float(CHART_HEIGHT)
    if is_narrow:
        chart_height = max(chart_height, min(TALLEST_CHART, (area.height - details - GAP) / 2 - GAP))
    charts = 2.0 * chart_height + GAP
    if is_narrow:
        side = details + GAP + charts
        legend_top = top + max(area.height, side) + 30.0
        left, below, bottom = MARGIN + area.width + 2 * GAP, top - 8.0, legend_top + legend_height - 30.0
    else:
        legend_top = top + area.height + 30.0
        left, below = float(MARGIN), legend_top + legend_height
        bottom = below + max(charts, details)
    figure = Figure(WIDTH, round(bottom + MARGIN), palette.PAPER, f"{walks[0].name} and {walks[1].name}")
    names, is_one = dict.fromkeys((level_a.name, level_b.name)), level_hash(level_a) == level_hash(level_b)
    plan_text = "" if is_one else f"; the plan is that of {letter}"
    draw_title(figure, " and ".join(names), _subtitle(comparison), plan_text)
    source_a, source_b = PlanSource(level_a, ground.scale), PlanSource(level_b, ground.scale)
    middle = _middle(comparison)
    draw_plans(
        figure,
        source_a if letter == "A" else source_b,
        area,
        lines,
        ring=None if middle is None else Ring(middle, RING_RADIUS),
    )
    _draw_legend(figure, legend_top, comparison)
    draw_marks(figure, legend_top + 2 * LEGEND_STEP)
    if middle is not None:
        storey = next((one for one in storeys if one.contains(middle[1:2])[0]), None)
        at = left, below + DETAIL_CAPTION
        for one, source in (("", source_b),) if is_one else (("A", source_a), ("B", source_b)):
            caption = f"first difference, in {one}" if one else "first difference"
            draw_detail(figure, at, caption, source, lines, middle, DETAIL_RADIUS, storey)
            at = at[0] + DETAIL_SIDE + GAP, at[1]
        left = left if is_narrow else at[0] + GAP
    charts_top = below + details + GAP if is_narrow else below
    _draw_charts(figure, comparison, left, charts_top, chart_height, lowest_of_chart(places))
    return figure


def _draw_legend(figure: Figure, top: float, comparison: WalkComparison) -> None:
    """A line with the colour and the name of each walk."""
    for number, letter in enumerate("AB"):
        y = top + 24.0 * number
        text = f"{letter}: {comparison.walks[number].name}"
        figure.add(Line([(MARGIN, y - 5.0), (MARGIN + 30.0, y - 5.0)], COLOURS[number], WIDTHS[number]))
        figure.add(Text(MARGIN + 42.0, y, elide_text(text, 1100, 15), 15, palette.INK))


def _subtitle(comparison: WalkComparison) -> str:
    difference = comparison.difference
    if difference is None:
        differing = name_differences(comparison.level_differences or [])
        text = f"the walks are the same: {comparison.matching} ticks"
        return f"{text}; the levels differ in: {differing}" if differing else text
    seconds = difference.tick / comparison.a.ticks_per_second
    return f"first difference at tick {difference.tick} ({seconds:.2f} s): {difference.cause.text}"


def _middle(comparison: WalkComparison) -> Floats | None:
    """The place of the first difference: between the feet of both."""
    if comparison.difference is None:
        return None
    middle: Floats = (comparison.difference.feet[0] + comparison.difference.feet[1]) / 2
    return middle


def _draw_charts(
    figure: Figure, comparison: WalkComparison, left: float, top: float, height: float, lowest: float
) -> None:
    """Distance of the walks and height of both over time, with a line at the first difference. lowest: least height
    that the chart shows, m."""
    distances, walks = comparison.distances, comparison.walks
    width = WIDTH - MARGIN - left
    seconds = walks[0].seconds[: len(distances)]
    mark = None
    if comparison.difference is not None:
        mark = comparison.difference.tick / comparison.a.ticks_per_second
    apart = [Series(seconds, distances, palette.INK)]
    heights = [Series(walk.seconds, walk.table.feet[:, 1], COLOURS[k], CHART_WIDTHS[k]) for k, walk in enumerate(walks)]
    draw_chart(
        figure,
        ChartBox(left, top, width, height),
        "Distance between A and B (m)",
        apart,
        mark=mark,
        is_from_zero=True,
        longest=max(float(walk.seconds[-1]) for walk in walks),
        min_span=MIN_DISTANCE_SPAN,
    )
    box = ChartBox(left, top + height + GAP, width, height)
    draw_chart(figure, box, "Height of the feet (m)", heights, mark=mark, lowest=lowest)
