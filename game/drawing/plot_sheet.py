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
from .canvas import Canvas, Colour, save_canvas
from .chart import Chart, Series, draw_chart
from .drawn_walk import DrawnWalk, walked_places
from .floor_plans import find_path_storeys
from .heat_map import make_heat_map
from .legend import LEGEND_STEP, MARGIN, TITLE_HEIGHT, LegendRow, draw_heat_legend, draw_legend, draw_title
from .marks import draw_ends, draw_symbols
from .plan import GAP, DrawnPath, PlanSource, arrange_plans, colour_range, path_extent

PLOT_SUFFIXES = (".png", ".html")
WIDTH = 1280
PLANS = (WIDTH - 2 * MARGIN, 600)  # pixels that the plans may take together
CHART_HEIGHT = 210.0
PATH_MARGIN = 2.5  # m of the level around the paths
RING_RADIUS = 16.0  # pixels
MIN_FALL = 1.0  # m of a fall that the chart of heights shows
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
