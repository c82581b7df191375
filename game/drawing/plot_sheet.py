"""Plot sheet: paths or a heat map on the plans of a level, a legend, and two charts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..core import atomic_files
from ..core.errors import ReportError
from ..core.vectors import Floats
from ..level import Level
from . import palette, turning_page
from .canvas import WHITE, Canvas, Circle, save_canvas
from .chart import Chart, ChartBox, Series, draw_chart
from .drawn_walk import DrawnWalk, chart_heights, lowest_of_chart, walked_places
from .floor_plans import find_path_storeys
from .heat_map import make_heat_map
from .legend import LEGEND_STEP, MARGIN, TITLE_HEIGHT, LegendRow, draw_heat_legend, draw_mark_legend, draw_title
from .marks import GOAL_RADIUS, START_RADIUS, draw_ends
from .plan import GAP, DrawnPath, Plan, PlanSource, arrange_plans, colour_range, path_extent

PLOT_SUFFIXES = (".png", ".html")
WIDTH = 1280
PLANS = (WIDTH - 2 * MARGIN, 600)  # pixels that the plans may take together
CHART_HEIGHT = 210.0
PATH_MARGIN = 2.5  # m of the level around the paths
RING_RADIUS = 16.0  # pixels
MAX_NAMED_WALKS = len(palette.WALK_COLOURS)  # walks with a colour and a line each; more have one colour
MANY_WIDTH = 2.0  # pixels
MEDIAN_POINTS = 240  # of the line for many walks
PATH_WIDTHS, CHART_WIDTHS = (2.8, 3.8, 6.0), (2.2, 2.6, 4.0)  # pixels: arguments of `line_widths`


def check_plot_output(path: Path, suffixes: Sequence[str] = PLOT_SUFFIXES) -> None:
    """Check a file name before the work: ReportError for an unknown suffix or a missing package, OSError where the file
    cannot be written."""
    suffix = path.suffix.lower()
    if suffix not in suffixes:
        raise ReportError(f"{path}: the picture must be {' or '.join(suffixes)}")
    if suffix == ".html":
        turning_page.import_plotly(path)
    atomic_files.check_target(path)


def save_plot(level: Level, walks: Sequence[DrawnWalk], path: Path, heat: bool = False, note: str = "") -> None:
    """Write the plot of some walks, each with at least one tick. note: about the level, for the subtitle."""
    if path.suffix.lower() == ".html":
        atomic_files.write_atomic(path, turning_page.encode_page(level, walks, path, note))
    else:
        save_canvas(draw_plot(level, walks, heat, note), path)


def draw_plot(level: Level, walks: Sequence[DrawnWalk], heat: bool = False, note: str = "") -> Canvas:
    """The sheet of some walks, each with at least one tick, with their speed and height. heat: the time at each place
    instead of the paths; note: about the level, in the subtitle."""
    name = f"{walks[0].name}," if len(walks) == 1 else f"{len(walks)} walks of"
    subtitle = "; ".join(part for part in (f"{name} {_ticks_text(walks)}", note) if part)
    title, values = chart_heights(walks)
    speeds = _series(walks, [walk.speed for walk in walks])
    heights = _series(walks, values)
    median = ": median of the walks" if len(walks) > MAX_NAMED_WALKS else ""
    mark = next((float(walk.seconds[0]) for walk in walks if walk.failure), None)
    charts = (
        Chart(f"Speed along the ground (m/s){median}", speeds, mark, is_from_zero=True),
        Chart(f"{title}{median}", heights, mark, lowest=lowest_of_chart(walked_places(walks))),
    )
    rings = [walk.table.feet[0] for walk in walks if walk.failure]
    return draw_sheet(level, walks, (level.name, subtitle), _walk_lines(walks), charts, rings, heat)


def draw_sheet(
    level: Level,
    walks: Sequence[DrawnWalk],
    titles: tuple[str, str],
    lines: Sequence[tuple[DrawnPath, str]],
    charts: tuple[Chart, Chart],
    rings: Sequence[Floats] = (),
    heat: bool = False,
) -> Canvas:
    """Plans, the legend below them, and two charts side by side. titles: title and subtitle; lines: a path of each walk
    and, for the first ones, its text in the legend; rings: places (x, y, z); heat: the time of the walks at each place
    instead of the paths."""
    places = walked_places(walks)
    storeys = find_path_storeys(level, places)
    extent = path_extent(places if heat else np.concatenate([walk.table.feet for walk in walks]), PATH_MARGIN)
    layout = arrange_plans(storeys, extent, PLANS, (MARGIN, MARGIN + TITLE_HEIGHT))
    heat_map = make_heat_map(walks, extent, places, bool(level.movers)) if heat else None
    source = PlanSource(level, colour_range(places[:, 1]), heat=heat_map)
    canvas = Canvas(WIDTH, 0)
    draw_title(canvas, *titles)
    layout.draw_captions(canvas)
    paths = [] if heat else [path for path, _ in lines]
    starts = [walk.table.feet[0] for walk in walks]
    for plan in layout.plans:
        plan.draw_ground(canvas, source)
        if plan is layout.plans[0]:
            plan.draw_scale_bar(canvas)
        plan.draw_paths(canvas, paths)
        _draw_marks(canvas, plan, level, starts, rings)
        draw_ends(canvas, plan, paths)
        plan.draw_frame(canvas)
    row = LegendRow(canvas, (MARGIN, MARGIN + TITLE_HEIGHT + layout.height + 30.0), WIDTH - MARGIN)
    if heat_map is not None:
        draw_heat_legend(row, heat_map, len(walks))
    for path, text in () if heat else lines:
        if text:
            row.add_line(path, text)
    draw_mark_legend(row, level, layout.plans, source)
    top = row.y + LEGEND_STEP + 8.0
    side = (WIDTH - 2 * MARGIN - 2 * GAP) / 2
    for k, chart in enumerate(charts):
        draw_chart(canvas, ChartBox(MARGIN + k * (side + 2 * GAP), top, side, CHART_HEIGHT), chart)
    canvas.height = round(top + CHART_HEIGHT + MARGIN)
    return canvas


def _draw_marks(canvas: Canvas, plan: Plan, level: Level, starts: Sequence[Floats], rings: Sequence[Floats]) -> None:
    """Draw rings, the goal and starts on a plan."""
    for place in rings:
        plan.draw_ring(canvas, place, RING_RADIUS)
    if level.goal is not None and plan.shows(level.goal.at, GOAL_RADIUS + 1.0):
        plan.draw_disc(canvas, level.goal.at, GOAL_RADIUS, palette.GOAL)
        canvas.add(Circle(*plan.to_canvas(level.goal.at[0], level.goal.at[2]), 3.0, WHITE))
    for start in {tuple(np.round(place, 1).tolist()): place for place in starts}.values():
        plan.draw_disc(canvas, start, START_RADIUS, palette.SPAWN)


def _ticks_text(walks: Sequence[DrawnWalk]) -> str:
    """`120 ticks` or `60 to 120 ticks`, and the failure of one walk."""
    counts = [len(walk.table.feet) for walk in walks]
    text = f"{counts[0]} ticks" if len(set(counts)) == 1 else f"{min(counts)} to {max(counts)} ticks"
    is_failed = len(walks) == 1 and walks[0].failure
    return f"{text}; failure at the first tick: {walks[0].failure}" if is_failed else text


def line_widths(count: int, thinnest: float, step: float, room: float) -> list[float]:
    """Widths (pixels) of lines that are drawn above each other, from the lowest, which is the widest, so that equal
    lines show. step: from one to the next, at most; room: between the first and the last, at most."""
    if count == 1 or count > MAX_NAMED_WALKS:
        return [MANY_WIDTH if count > 1 else thinnest] * count
    step = min(step, room / (count - 1))
    return [thinnest + step * (count - 1 - k) for k in range(count)]


def _series(walks: Sequence[DrawnWalk], values: Sequence[Floats]) -> list[Series]:
    """A line of a chart for each walk, or the median of many."""
    count = len(walks)
    if count <= MAX_NAMED_WALKS:
        widths = line_widths(count, *CHART_WIDTHS)
        return [Series(walk.seconds, values[k], palette.walk_colour(k), widths[k]) for k, walk in enumerate(walks)]
    seconds = np.linspace(0.0, max(float(walk.seconds[-1]) for walk in walks), MEDIAN_POINTS)
    rows = [np.interp(seconds, walk.seconds, row, right=np.nan) for walk, row in zip(walks, values, strict=True)]
    return [Series(seconds, np.nanmedian(rows, axis=0), palette.MANY_COLOUR)]


def _walk_lines(walks: Sequence[DrawnWalk]) -> list[tuple[DrawnPath, str]]:
    """The path of each walk with a text for the legend. Many walks have one colour, no labels and one text."""
    count = len(walks)
    is_many = count > MAX_NAMED_WALKS
    names = ", ".join(dict.fromkeys(walk.name for walk in walks))
    lines = []
    for k, (walk, width) in enumerate(zip(walks, line_widths(count, *PATH_WIDTHS), strict=True)):
        text = f"{walk.name}, {float(walk.seconds[-1]):.2f} s, at most {float(walk.speed.max()):.1f} m/s"
        if is_many:
            text = "" if k else f"each of the {count} walks: {names}"
        label = str(k + 1) if count > 1 and not is_many else ""
        lines.append((DrawnPath(walk.table.feet, palette.walk_colour(k, count), width, label), text))
    return lines
