"""Picture of a comparison: both paths on the plan, the place of the first difference in both levels, the distance."""

from __future__ import annotations

import numpy as np

from ...core.vectors import Floats
from ...drawing import palette
from ...drawing.canvas import INK, Canvas
from ...drawing.chart import ChartBox, Series, draw_chart
from ...drawing.floor_plans import find_path_storeys
from ...drawing.ground import ground_range, lowest_of_chart, places_above_ground, survey_ground
from ...drawing.legend import MARGIN, draw_line_legend, draw_mark_legend, draw_title
from ...drawing.plan import DrawnPath, PlanSource
from ...drawing.plot_sheet import (
    WIDTH,
    PlotMarks,
    arrange_sheet_plans,
    draw_detail,
    draw_plans,
    start_sheet,
    view_extent,
)
from ...level import Level
from ...sim.replay.fingerprint import level_hash
from .level_differences import name_differences
from .walk_diff import WalkComparison

RING_RADIUS = 16.0  # pixels, on the plans
DETAIL_RADIUS = 2.0  # m around the first difference that its plan shows
MIN_DISTANCE_SPAN = 1e-3  # m of the axis of distances: below it walks lie on each other
COLOURS = (palette.WALK_COLOURS[1], palette.WALK_COLOURS[0])  # of A and B
WIDTHS = (6.6, 2.8)  # pixels: both show where they lie on each other
CHART_WIDTHS = (5.0, 2.2)  # pixels


def draw_comparison(comparison: WalkComparison, level_a: Level, level_b: Level) -> Canvas:
    """The picture of a comparison, on the plan of the level that has the cause. B is drawn as a thin line above A.
    Narrow plans stand beside the rest, wide ones above it."""
    difference = comparison.difference
    walks = comparison.walks
    letter, level = ("A", level_a) if difference is not None and difference.cause.side == "a" else ("B", level_b)
    places = places_above_ground(level, walks)
    storeys = find_path_storeys(level, places)
    extent = view_extent(level, np.concatenate([walk.table.feet for walk in walks]))
    paths = [DrawnPath(walk.table.feet, COLOURS[k], WIDTHS[k], "AB"[k]) for k, walk in enumerate(walks)]
    is_one = level_hash(level_a) == level_hash(level_b)
    details = "" if difference is None else "B" if is_one else "AB"
    layout, is_tall = arrange_sheet_plans(storeys, extent, len(details))
    ground = survey_ground(level, layout.plans, ground_range(level, walks))

    def draw_marks(canvas: Canvas, place: tuple[float, float]) -> int:
        return draw_mark_legend(canvas, place, level, layout.plans, ground, paths)

    title = f"{walks[0].name} and {walks[1].name}"
    canvas, sheet = start_sheet(title, layout, is_tall, len(paths), draw_marks, len(details))
    names = " and ".join(dict.fromkeys((level_a.name, level_b.name)))
    draw_title(canvas, names, _subtitle(comparison), "" if is_one else f"; the plan is that of {letter}")
    texts = [f"{'AB'[k]}: {walk.name}" for k, walk in enumerate(walks)]
    draw_line_legend(canvas, sheet.legend, list(zip(paths, texts, strict=True)), WIDTH - MARGIN - sheet.legend[0])
    sources = {"A": PlanSource(level_a, ground.scale), "B": PlanSource(level_b, ground.scale)}
    if difference is None:
        draw_plans(canvas, sources[letter], layout, PlotMarks(paths))
    else:
        middle = (difference.feet[0] + difference.feet[1]) / 2
        draw_plans(canvas, sources[letter], layout, PlotMarks(paths, ring=(middle, RING_RADIUS)))
        for one, at in zip(details, sheet.details, strict=True):
            caption = "first difference" if is_one else f"first difference, in {one}"
            detail = PlotMarks(paths, starts=[])
            draw_detail(canvas, at, caption, sources[one], detail, middle, DETAIL_RADIUS, storeys)
    _draw_charts(canvas, comparison, sheet.charts, lowest_of_chart(places))
    return canvas


def _subtitle(comparison: WalkComparison) -> str:
    difference = comparison.difference
    if difference is None:
        differing = name_differences(comparison.level_differences or [])
        text = f"the walks are the same: {comparison.matching} ticks"
        return f"{text}; the levels differ in: {differing}" if differing else text
    seconds = difference.tick / comparison.a.ticks_per_second
    return f"first difference at tick {difference.tick} ({seconds:.2f} s): {difference.cause.text}"


def _draw_charts(canvas: Canvas, comparison: WalkComparison, boxes: tuple[ChartBox, ChartBox], lowest: float) -> None:
    """Distance of the walks and height of both over time, with a line at the first difference. lowest: least height
    that the chart shows, m."""
    walks = comparison.walks
    difference = comparison.difference
    mark = None if difference is None else difference.tick / comparison.a.ticks_per_second
    distances: Floats = comparison.distances
    apart = [Series(walks[0].seconds[: len(distances)], distances, INK)]
    heights = [Series(walk.seconds, walk.table.feet[:, 1], COLOURS[k], CHART_WIDTHS[k]) for k, walk in enumerate(walks)]
    longest = max(float(walk.seconds[-1]) for walk in walks)
    draw_chart(
        canvas, boxes[0], "Distance between A and B (m)", apart, mark=mark, is_from_zero=True, longest=longest,
        min_span=MIN_DISTANCE_SPAN,
    )  # fmt: skip
    draw_chart(canvas, boxes[1], "Height of the feet (m)", heights, mark=mark, lowest=lowest)
