"""Picture of a comparison: both paths on the plan, the place of the first difference in both levels, the distance."""

from __future__ import annotations

import numpy as np

from ...core.vectors import Floats
from ...level import Level
from ...maps import run_map
from ...maps.floor_plans import Storey
from ...maps.map_canvas import PlanWindow, elide_text
from ..plots import palette
from ..plots.chart import ChartBox, Series, draw_chart
from ..plots.figure import Circle, Figure, Line, Text
from ..plots.plan_panel import DrawnPath, PlanPanel, PlanSource
from ..plots.plot_sheet import (
    GAP,
    MARGIN,
    TITLE_HEIGHT,
    WIDTH,
    arrange_plans,
    draw_mark_legend,
    draw_plans,
    draw_title,
    height_range,
    path_extent,
)
from .walk_diff import WalkComparison

PLAN_ROOM = (WIDTH - 2 * MARGIN, 480)  # pixels
DETAIL_SIDE = 300  # pixels of the plan around the first difference
DETAIL_RADIUS = 2.0  # m, half its side
DETAIL_BELOW, DETAIL_ABOVE = 0.8, 1.4  # m of the storey of that plan below and above the feet
CHART_HEIGHT = 178
COLOURS = (palette.WALK_COLOURS[1], palette.WALK_COLOURS[0])  # of A and B
WIDTHS = (5.0, 2.0)  # pixels: both show where they lie on each other


def draw_comparison(comparison: WalkComparison, level_a: Level, level_b: Level) -> Figure:
    """The picture of a comparison. B is drawn as a thin line above A."""
    paths = comparison.paths
    every = np.concatenate([path.feet for path in paths])
    storeys = run_map.split_storeys(level_b, every)
    top = MARGIN + TITLE_HEIGHT
    area = arrange_plans(storeys, path_extent(every), PLAN_ROOM, (MARGIN, top))
    legend_top = top + area.height + 30.0
    below = legend_top + 3 * 24.0
    has_details = comparison.difference is not None
    bottom = below + max(2 * CHART_HEIGHT + GAP, DETAIL_SIDE + 24)
    figure = Figure(WIDTH, round(bottom + MARGIN), palette.PAPER, f"{paths[0].name} and {paths[1].name}")
    draw_title(figure, level_b.name, _subtitle(comparison))
    source_a, source_b = PlanSource(level_a, height_range(every)), PlanSource(level_b, height_range(every))
    lines = [
        DrawnPath(paths[1].feet, COLOURS[1], WIDTHS[1], label="B", has_outline=False),
        DrawnPath(paths[0].feet, COLOURS[0], WIDTHS[0], label="A"),
    ]
    draw_plans(figure, source_b, area, lines)
    ring = _middle(comparison)
    for panel in area.panels:
        _draw_ring(figure, panel, ring, 16.0)
    for number, letter in enumerate("AB"):
        y = legend_top + 24.0 * number
        figure.add(Line([(MARGIN, y - 5.0), (MARGIN + 30.0, y - 5.0)], COLOURS[number], WIDTHS[number]))
        figure.add(Text(MARGIN + 42.0, y, elide_text(f"{letter}: {paths[number].name}", 1100, 15), 15, palette.INK))
    draw_mark_legend(figure, (MARGIN, legend_top + 48.0), level_b, area)
    left = float(MARGIN)
    if ring is not None and has_details:
        is_one = level_a is level_b
        for letter, source in (("", source_b),) if is_one else (("A", source_a), ("B", source_b)):
            caption = f"first difference, in {letter}" if letter else "first difference"
            _draw_detail(figure, (left, below + 24.0), caption, source, lines, ring)
            left += DETAIL_SIDE + GAP
        left += GAP
    _draw_charts(figure, comparison, left, below)
    return figure


def _subtitle(comparison: WalkComparison) -> str:
    difference = comparison.difference
    if difference is None:
        return f"the walks are the same: {comparison.matching} ticks"
    seconds = difference.tick / comparison.a.ticks_per_second
    return f"first difference at tick {difference.tick} ({seconds:.2f} s): {difference.cause.text}"


def _middle(comparison: WalkComparison) -> Floats | None:
    """The place of the first difference: between the feet of both."""
    if comparison.difference is None:
        return None
    middle: Floats = (comparison.difference.feet[0] + comparison.difference.feet[1]) / 2
    return middle


def _draw_ring(figure: Figure, panel: PlanPanel, place: Floats | None, radius: float) -> None:
    if place is not None and panel.shows(place):
        x, y = panel.to_figure(place[0], place[2])
        figure.add(Circle(x, y, radius + 1.5, None, palette.OUTLINE, 5.0), Circle(x, y, radius, None, palette.INK, 2.0))


def _draw_detail(
    figure: Figure, at: tuple[float, float], caption: str, source: PlanSource, lines: list[DrawnPath], place: Floats
) -> None:
    """The surroundings of the first difference in one level."""
    x, y, z = place.tolist()
    scale = DETAIL_SIDE / (2.0 * DETAIL_RADIUS)
    window = PlanWindow(x - DETAIL_RADIUS, z - DETAIL_RADIUS, x + DETAIL_RADIUS, z + DETAIL_RADIUS, scale)
    panel = PlanPanel(at[0], at[1], window, Storey(y - DETAIL_BELOW, y + DETAIL_ABOVE))
    figure.add(Text(at[0], at[1] - 8.0, caption, 15, palette.INK))
    panel.draw(figure, source, lines, starts=[])
    radius = source.level.player.radii[0] * scale
    _draw_ring(figure, panel, place, radius)
    figure.add(
        Text(at[0] + DETAIL_SIDE - 8.0, at[1] + DETAIL_SIDE - 9.0, "ring: width of the body", 12, palette.INK, "r")
    )


def _draw_charts(figure: Figure, comparison: WalkComparison, left: float, top: float) -> None:
    """Distance of the walks and height of both over time, with a line at the first difference."""
    distances, paths = comparison.distances, comparison.paths
    width = WIDTH - MARGIN - left
    seconds = paths[0].seconds[: len(distances)]
    mark = None
    if comparison.difference is not None:
        mark = comparison.difference.tick / comparison.a.ticks_per_second
    apart = [Series(seconds, distances, palette.INK)]
    heights = [Series(path.seconds, path.feet[:, 1], COLOURS[k]) for k, path in enumerate(paths)]
    draw_chart(
        figure,
        ChartBox(left, top, width, CHART_HEIGHT),
        "Distance between A and B (m)",
        apart,
        mark=mark,
        is_from_zero=True,
    )
    box = ChartBox(left, top + CHART_HEIGHT + GAP, width, CHART_HEIGHT)
    draw_chart(figure, box, "Height of the feet (m)", list(reversed(heights)), mark=mark)
