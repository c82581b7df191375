"""Picture of a comparison: both paths on the plan, the place of the first difference in both levels, the distance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...core.vectors import Floats
from ...drawing import palette
from ...drawing.canvas import INK, Canvas
from ...drawing.chart import ChartBox, Series, draw_chart
from ...drawing.floor_plans import find_path_storeys
from ...drawing.ground import ground_range, lowest_of_chart, places_above_ground, survey_ground
from ...drawing.legend import LEGEND_STEP, MARGIN, TITLE_HEIGHT, draw_line_legend, draw_mark_legend, draw_title
from ...drawing.plan import GAP, DrawnPath, PlanSource
from ...drawing.plot_sheet import (
    DETAIL_CAPTION,
    DETAIL_SIDE,
    TALLEST_CHART,
    WIDTH,
    PlotMarks,
    arrange_sheet_plans,
    draw_detail,
    draw_plans,
    view_extent,
)
from ...level import Level
from ...sim.replay.fingerprint import level_hash
from .level_differences import name_differences
from .walk_diff import WalkComparison

WIDE_PLANS = (WIDTH - 2 * MARGIN, 480)  # pixels of plans above the rest
TALL_PLANS = (560, 880)  # of plans beside the details, which are 618 pixels wide
RING_RADIUS = 16.0  # pixels, on the plans
DETAIL_RADIUS = 2.0  # m around the first difference that its plan shows
CHART_HEIGHT = 178
MIN_DISTANCE_SPAN = 1e-3  # m of the axis of distances: below it walks lie on each other
COLOURS = (palette.WALK_COLOURS[1], palette.WALK_COLOURS[0])  # of A and B
WIDTHS, CHART_WIDTHS = (6.6, 2.8), (5.0, 2.2)  # pixels: both show where they lie on each other


def draw_comparison(comparison: WalkComparison, level_a: Level, level_b: Level) -> Canvas:
    """The picture of a comparison, on the plan of the level that has the cause. B is drawn as a thin line above A.
    Narrow plans stand beside the rest, wide ones above it."""
    difference, walks = comparison.difference, comparison.walks
    letter, level = ("A", level_a) if difference is not None and difference.cause.side == "a" else ("B", level_b)
    places = places_above_ground(level, walks)
    storeys = find_path_storeys(level, places)
    extent = view_extent(level, np.concatenate([walk.table.feet for walk in walks]))
    layout, is_tall = arrange_sheet_plans(storeys, extent, WIDE_PLANS, TALL_PLANS)
    paths = [DrawnPath(walk.table.feet, COLOURS[k], WIDTHS[k], "AB"[k]) for k, walk in enumerate(walks)]
    ground = survey_ground(level, layout.plans, ground_range(level, walks))

    def draw_marks(canvas: Canvas, top: float) -> int:
        return draw_mark_legend(canvas, (MARGIN, top), level, layout.plans, ground, paths)

    legend_height = (2 + draw_marks(Canvas(WIDTH, 1), 0.0)) * LEGEND_STEP
    details = 0.0 if difference is None else DETAIL_SIDE + DETAIL_CAPTION
    chart_height, top = float(CHART_HEIGHT), MARGIN + TITLE_HEIGHT
    if is_tall:
        chart_height = max(chart_height, min(TALLEST_CHART, (layout.height - details - GAP) / 2 - GAP))
        legend_top = top + max(layout.height, details + 2.0 * (GAP + chart_height)) + 30.0
        left, below = MARGIN + layout.width + 2 * GAP, top - 8.0
        bottom = legend_top + legend_height - 30.0
    else:
        legend_top = top + layout.height + 30.0
        left, below = float(MARGIN), legend_top + legend_height
        bottom = below + max(2.0 * chart_height + GAP, details)
    canvas = Canvas(WIDTH, round(bottom + MARGIN), title=f"{walks[0].name} and {walks[1].name}")
    is_one = level_hash(level_a) == level_hash(level_b)
    names = " and ".join(dict.fromkeys((level_a.name, level_b.name)))
    draw_title(canvas, names, _subtitle(comparison), "" if is_one else f"; the plan is that of {letter}")
    marks = PlotMarks(paths)
    middle = None if difference is None else (difference.feet[0] + difference.feet[1]) / 2
    sources = {"A": PlanSource(level_a, ground.scale), "B": PlanSource(level_b, ground.scale)}
    ring = None if middle is None else (middle, RING_RADIUS)
    draw_plans(canvas, sources[letter], layout, replace(marks, ring=ring))
    texts = [f"{'AB'[k]}: {walk.name}" for k, walk in enumerate(walks)]
    draw_line_legend(canvas, (MARGIN, legend_top), list(zip(paths, texts, strict=True)), WIDTH - 2 * MARGIN)
    draw_marks(canvas, legend_top + 2 * LEGEND_STEP)
    if middle is not None:
        at = left, below + DETAIL_CAPTION
        for one in "B" if is_one else "AB":
            caption = "first difference" if is_one else f"first difference, in {one}"
            draw_detail(canvas, at, caption, sources[one], replace(marks, starts=[]), middle, DETAIL_RADIUS, storeys)
            at = at[0] + DETAIL_SIDE + GAP, at[1]
        left = left if is_tall else at[0] + GAP
    box = ChartBox(left, below + details + GAP if is_tall else below, WIDTH - MARGIN - left, chart_height)
    _draw_charts(canvas, comparison, box, lowest_of_chart(places))
    return canvas


def _subtitle(comparison: WalkComparison) -> str:
    difference = comparison.difference
    if difference is None:
        differing = name_differences(comparison.level_differences or [])
        text = f"the walks are the same: {comparison.matching} ticks"
        return f"{text}; the levels differ in: {differing}" if differing else text
    seconds = difference.tick / comparison.a.ticks_per_second
    return f"first difference at tick {difference.tick} ({seconds:.2f} s): {difference.cause.text}"


def _draw_charts(canvas: Canvas, comparison: WalkComparison, box: ChartBox, lowest: float) -> None:
    """Distance of the walks and, below it, height of both over time, with a line at the first difference. box: of the
    first chart; lowest: least height that the chart shows, m."""
    walks, difference = comparison.walks, comparison.difference
    mark = None if difference is None else difference.tick / comparison.a.ticks_per_second
    distances: Floats = comparison.distances
    apart = [Series(walks[0].seconds[: len(distances)], distances, INK)]
    heights = [Series(walk.seconds, walk.table.feet[:, 1], COLOURS[k], CHART_WIDTHS[k]) for k, walk in enumerate(walks)]
    longest = max(float(walk.seconds[-1]) for walk in walks)
    draw_chart(
        canvas, box, "Distance between A and B (m)", apart, mark=mark, is_from_zero=True, longest=longest,
        min_span=MIN_DISTANCE_SPAN,
    )  # fmt: skip
    below = replace(box, top=box.top + box.height + GAP)
    draw_chart(canvas, below, "Height of the feet (m)", heights, mark=mark, lowest=lowest)
