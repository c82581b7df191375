"""Picture of a comparison: both paths on the plan, the place of the first difference, the distance of the walks."""

from __future__ import annotations

from ...core.vectors import Floats
from ...drawing import palette
from ...drawing.canvas import INK, Canvas
from ...drawing.chart import Chart, Series
from ...drawing.plan import DrawnPath
from ...drawing.plot_sheet import draw_sheet, height_chart
from ...level import Level
from ...sim.replay.fingerprint import level_hash
from .level_differences import name_differences
from .walk_diff import WalkComparison

MIN_DISTANCE_SPAN = 1e-3  # m of the axis of distances: below it walks lie on each other
COLOURS = (palette.WALK_COLOURS[1], palette.WALK_COLOURS[0])  # of A and B
WIDTHS = (6.6, 2.8)  # pixels: both show where they lie on each other
CHART_WIDTHS = (5.0, 2.2)  # pixels


def draw_comparison(comparison: WalkComparison, level_a: Level, level_b: Level) -> Canvas:
    """The picture of a comparison, on the plan of the level that has the cause. B is drawn as a thin line above A."""
    difference = comparison.difference
    walks = comparison.walks
    letter, level = ("A", level_a) if difference is not None and difference.cause.side == "a" else ("B", level_b)
    paths = [DrawnPath(walk.table.feet, COLOURS[k], WIDTHS[k], "AB"[k]) for k, walk in enumerate(walks)]
    lines = [(path, f"{path.label}: {walk.name}") for path, walk in zip(paths, walks, strict=True)]
    is_one = level_hash(level_a) == level_hash(level_b)
    subtitle = ("" if is_one else f"on the plan of {letter}; ") + _subtitle(comparison)
    names = " and ".join(dict.fromkeys((level_a.name, level_b.name)))
    mark = None if difference is None else difference.tick / comparison.a.ticks_per_second
    distances: Floats = comparison.distances
    apart = [Series(walks[0].seconds[: len(distances)], distances, INK)]
    charts = (
        Chart("Distance between A and B (m)", apart, mark, is_from_zero=True, min_span=MIN_DISTANCE_SPAN),
        height_chart(walks, list(zip(COLOURS, CHART_WIDTHS, strict=True)), mark),
    )
    rings = [] if difference is None else [(difference.feet[0] + difference.feet[1]) / 2]
    return draw_sheet(level, walks, (names, subtitle), lines, charts, rings)


def _subtitle(comparison: WalkComparison) -> str:
    difference = comparison.difference
    if difference is None:
        differing = name_differences(comparison.level_differences or [])
        text = f"the walks are the same: {comparison.matching} ticks"
        return f"{text}; the levels differ in: {differing}" if differing else text
    seconds = difference.tick / comparison.a.ticks_per_second
    return f"first difference at tick {difference.tick} ({seconds:.2f} s): {difference.cause.text}"
