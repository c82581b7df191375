"""Plot sheet: paths or a heat map on the plans of a level, a legend, and charts of speed and height."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core.vectors import Floats
from ...level import Level
from ...maps import run_map
from ...maps.floor_plans import Storey
from ...maps.map_canvas import PlanWindow, elide_text
from ...text.font_stack import line_width
from ..drawn_walk import DrawnWalk, chart_heights
from . import palette
from .chart import ChartBox, Series, band_note, draw_chart
from .detail_panel import DETAIL_CAPTION, DETAIL_SIDE, draw_detail
from .figure import Box, Figure, Line, Text
from .heat_map import HeatMap, make_heat_map
from .plan_ground import survey_ground
from .plan_panel import DrawnBody, DrawnPath, PlanPanel, PlanSource, Ring
from .plot_legend import (
    LEGEND_STEP,
    MANY_WIDTH,
    MARGIN,
    MAX_NAMED_WALKS,
    draw_failure_legend,
    draw_heat_legend,
    draw_mark_legend,
    draw_walk_legend,
    line_widths,
)
from .walked_ground import ground_range, lowest_of_chart, places_above_ground

WIDTH = 1280
GAP, TITLE_HEIGHT, CAPTION_HEIGHT = 18, 66, 20
WIDE_PLANS = (WIDTH - 2 * MARGIN, 600)  # pixels for plans above the charts
TALL_PLANS = (640, 880)  # and for those beside them
NARROW_PLANS = 0.6 * (WIDTH - 2 * MARGIN)  # pixels: narrower plans above the charts leave much of the row empty
CHART_HEIGHT, TALLEST_CHART = 210, 320
PATH_MARGIN = 2.5  # m of the level around the paths
LEVEL_MARGIN = 0.5  # m around a level that is shown as a whole
WHOLE_LEVEL = 1.8  # of the area of a plan: no larger level is shown as a whole
FAILURE_REACH, FAILURE_SECONDS = (2.0, 6.0), 0.5  # radii from the body, and seconds of the path, that its detail shows
GOAL_ROOM = 0.035  # of the longer side of a plan, around the goal
CHART_WIDTHS = (2.2, 2.6, 4.0)  # pixels: arguments of `line_widths`


@dataclass(frozen=True, slots=True)
class PlanArea:
    """Plans of the storeys: their panels and the size of the whole in pixels."""

    panels: tuple[PlanPanel, ...]
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class _SheetLayout:
    """Places on a sheet, pixels: the charts, the legend, the detail of a failure, and the height of all."""

    charts: tuple[ChartBox, ChartBox]
    legend_at: tuple[float, float]
    detail_at: tuple[float, float]
    height: float


def draw_plot(level: Level, walks: Sequence[DrawnWalk], heat: bool = False, note: str = "") -> Figure:
    """The sheet of some walks, each with at least one tick. heat: the time at each place instead of the paths; note:
    about the level, in the subtitle."""
    places = places_above_ground(level, walks)
    storeys = run_map.split_storeys(level, places)
    extent = view_extent(level, places if heat else np.concatenate([walk.table.feet for walk in walks]))
    place = (MARGIN, MARGIN + TITLE_HEIGHT)
    area = arrange_plans(storeys, extent, WIDE_PLANS, place)
    is_tall = area.width < NARROW_PLANS
    if is_tall:
        area = arrange_plans(storeys, extent, TALL_PLANS, place)
    ground = survey_ground(level, area.panels, ground_range(level, walks))
    failures = [walk.failure for walk in walks if walk.failure is not None]
    paths = [] if heat else drawn_paths(walks)
    starts = [walk.table.feet[0] for walk in walks if walk.failure is None]
    legend_rows = 1 + is_tall if heat else 1 if len(walks) > MAX_NAMED_WALKS else len(walks)
    legend_rows += bool(failures)

    def draw_marks(figure: Figure, place: tuple[float, float]) -> int:
        return draw_mark_legend(figure, place, level, area.panels, ground, paths, bool(starts), heat)

    left = MARGIN + area.width + 2 * GAP if is_tall else float(MARGIN)
    legend_height = (legend_rows + draw_marks(Figure(WIDTH, 1, palette.PAPER, ""), (left, 0.0))) * LEGEND_STEP
    layout = _arrange_sheet(area, left, is_tall, legend_height, bool(failures))
    figure = Figure(WIDTH, round(layout.height), palette.PAPER, level.name)
    subtitle = f"{walks[0].name}" if len(walks) == 1 else f"{len(walks)} walks"
    draw_title(figure, level.name, f"{subtitle}{_ticks_text(walks)}" + (f"; {note}" if note else ""))
    heat_map = make_heat_map(walks, extent, places, bool(level.movers)) if heat else None
    bodies = [DrawnBody(failure.outline) for failure in failures]
    source, legend_at = PlanSource(level, ground.scale), layout.legend_at
    draw_plans(figure, source, area, paths, heat_map, starts, bodies=bodies)
    if heat_map is not None:
        draw_heat_legend(figure, legend_at, heat_map, len(walks), is_tall)
    else:
        draw_walk_legend(figure, legend_at, walks, WIDTH - MARGIN - left)
    marks_at = legend_at[0], legend_at[1] + LEGEND_STEP * legend_rows
    if failures:
        kinds = sorted({failure.kind for failure in failures})
        draw_failure_legend(figure, (marks_at[0], marks_at[1] - LEGEND_STEP), kinds)
    draw_marks(figure, marks_at)
    if failures:
        _draw_failure(figure, layout.detail_at, source, storeys, walks)
    _draw_charts(figure, layout.charts, walks, heat, lowest_of_chart(places))
    return figure


def _arrange_sheet(area: PlanArea, left: float, is_tall: bool, legend_height: float, has_detail: bool) -> _SheetLayout:
    """Charts and legend beside tall plans, from `left` on, or below wide ones."""
    top, detail = MARGIN + TITLE_HEIGHT, (DETAIL_SIDE + DETAIL_CAPTION) * has_detail
    if is_tall:
        side, below = WIDTH - MARGIN - left, top + detail + GAP * has_detail
        room = area.height - legend_height - 30.0 - (below - top)
        height = min(TALLEST_CHART, max(CHART_HEIGHT, room / 2 - GAP))
        charts = ChartBox(left, below, side, height), ChartBox(left, below + height + GAP, side, height)
        legend_at = left, charts[1].top + height + 36.0
        bottom = max(top + area.height, legend_at[1] + legend_height)
        return _SheetLayout(charts, legend_at, (left, top + DETAIL_CAPTION - 8.0), bottom + MARGIN)
    legend_at = left, top + area.height + 30.0
    below, first = legend_at[1] + legend_height + 8.0, left + (DETAIL_SIDE + 2 * GAP) * has_detail
    side, height = (WIDTH - MARGIN - first - 2 * GAP) / 2, max(float(CHART_HEIGHT), detail)
    charts = ChartBox(first, below, side, height), ChartBox(first + side + 2 * GAP, below, side, height)
    return _SheetLayout(charts, legend_at, (left, below + DETAIL_CAPTION - 3.0), below + height + MARGIN)


def _draw_failure(
    figure: Figure,
    at: tuple[float, float],
    source: PlanSource,
    storeys: Sequence[Storey],
    walks: Sequence[DrawnWalk],
) -> None:
    """The first walk that starts with a failure: its body there closely, with the path after it."""
    number, walk = next((k, walk) for k, walk in enumerate(walks) if walk.failure is not None)
    assert walk.failure is not None
    place = walk.failure.outline.mean(axis=0)
    storey = next((one for one in storeys if one.contains(place[1:2])[0]), None)
    feet = np.concatenate([place[None], walk.table.feet[walk.seconds <= FAILURE_SECONDS]])
    name = "The failure" if len(walks) == 1 else f"The failure of walk {number + 1}"
    caption = f"{name} and {FAILURE_SECONDS:g} s after it"
    lines = [DrawnPath(feet, palette.walk_colour(number, len(walks)))]
    bodies = [DrawnBody(walk.failure.outline), DrawnBody(walk.failure.after, is_after=True)]
    radius = source.level.player.radii[0]
    furthest = float(np.linalg.norm(feet[:, ::2] - place[::2], axis=1).max())
    reach = min(max(radius + 1.2 * furthest, FAILURE_REACH[0] * radius), FAILURE_REACH[1] * radius)
    draw_detail(figure, at, caption, source, lines, place, reach, storey, bodies)


def _draw_charts(
    figure: Figure, boxes: tuple[ChartBox, ChartBox], walks: Sequence[DrawnWalk], heat: bool, lowest: float
) -> None:
    """Speed and height over time: a line for each walk, or a band for many walks and those of a heat map. lowest: least
    height that the chart shows, m."""
    band = len(walks) > (1 if heat else MAX_NAMED_WALKS)
    note = f": {band_note(len(walks))} of the walks" if band else ""
    title, values = chart_heights(walks)
    speeds, heights = [], []
    for k, (walk, width) in enumerate(zip(walks, line_widths(len(walks), *CHART_WIDTHS), strict=True)):
        colour = palette.walk_colour(k, len(walks))
        speeds.append(Series(walk.seconds, walk.speed, colour, width))
        heights.append(Series(walk.seconds, values[k], colour, width))
    failed = next((float(walk.seconds[0]) for walk in walks if walk.failure is not None), None)
    draw_chart(figure, boxes[0], f"Speed along the ground (m/s){note}", speeds, band, failed=failed, is_from_zero=True)
    draw_chart(figure, boxes[1], f"{title}{note}", heights, band, failed=failed, lowest=lowest)


def _ticks_text(walks: Sequence[DrawnWalk]) -> str:
    """`, 120 ticks` of one walk, with its failure; ` of 120 ticks` or ` of 60 to 120 ticks` of several."""
    counts = [len(walk.table.feet) for walk in walks]
    text = f"{counts[0]} ticks" if len(set(counts)) == 1 else f"{min(counts)} to {max(counts)} ticks"
    if len(walks) > 1:
        return f" of {text}"
    failure = walks[0].failure
    return (
        f", {text}"
        if failure is None
        else f", {text}; failure: {failure.kind}, at the first tick"
        + (f": {failure.measure}" if failure.measure else "")
        + (f"; command: {failure.command}" if failure.command else "")
    )


def drawn_paths(walks: Sequence[DrawnWalk]) -> list[DrawnPath]:
    """Paths with colours, the first one the widest, so that equal walks show. Many walks have one colour, one width and
    no labels."""
    count = len(walks)
    if count > MAX_NAMED_WALKS:
        return [DrawnPath(walk.table.feet, palette.MANY_COLOUR, MANY_WIDTH) for walk in walks]
    widths, labels = line_widths(count), [str(k + 1) if count > 1 else "" for k in range(count)]
    return [DrawnPath(walk.table.feet, palette.walk_colour(k), widths[k], labels[k]) for k, walk in enumerate(walks)]


def view_extent(level: Level, feet: Floats) -> tuple[float, float, float, float]:
    """West, north, east and south edge (m) of the plan of some paths: the whole level where that is not much larger,
    and the mark of the goal as a whole where the plan comes near it."""
    extent = low_x, low_z, high_x, high_z = path_extent(feet)
    if len(level.triangles):
        flat = level.triangles.reshape(-1, 3)[:, [0, 2]]
        (west, north), (east, south) = (flat.min(axis=0) - LEVEL_MARGIN, flat.max(axis=0) + LEVEL_MARGIN)
        whole = _joined(extent, (west, north, east, south))
        if (whole[2] - whole[0]) * (whole[3] - whole[1]) <= WHOLE_LEVEL * (high_x - low_x) * (high_z - low_z):
            extent = whole
    if level.goal is not None:
        x, _, z = level.goal.at
        room = GOAL_ROOM * max(extent[2] - extent[0], extent[3] - extent[1])
        if extent[0] - room < x < extent[2] + room and extent[1] - room < z < extent[3] + room:
            extent = _joined(extent, (x - room, z - room, x + room, z + room))
    return extent


def _joined(
    one: tuple[float, float, float, float], other: tuple[float, float, float, float]
) -> tuple[float, float, float, float]:
    """The smallest extent around two."""
    low, high = np.minimum(one, other), np.maximum(one, other)
    return float(low[0]), float(low[1]), float(high[2]), float(high[3])


def path_extent(feet: Floats) -> tuple[float, float, float, float]:
    """West, north, east and south edge (m) of a plan with some paths."""
    low, high = feet[:, [0, 2]].min(axis=0) - PATH_MARGIN, feet[:, [0, 2]].max(axis=0) + PATH_MARGIN
    missing = np.maximum(run_map.MIN_EXTENT - (high - low), 0.0) / 2
    (west, north), (east, south) = low - missing, high + missing
    return float(west), float(north), float(east), float(south)


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
    bodies: Sequence[DrawnBody] = (),
) -> None:
    """Draw the plans of all storeys with their captions and a scale bar."""
    for number, panel in enumerate(area.panels):
        if len(area.panels) > 1:
            words = ("lowest storey", "highest storey") if len(area.panels) > 2 else ("lower storey", "upper storey")
            caption = words[0] if not number else words[1] if number == len(area.panels) - 1 else f"storey {number + 1}"
            figure.add(Text(panel.left, panel.top - 6.0, caption, 13, palette.PALE_INK))
        panel.draw(figure, source, paths, heat, starts, ring, bodies)
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


def draw_title(figure: Figure, title: str, subtitle: str, end: str = "") -> None:
    """Title and subtitle at the top left. end: last words of the subtitle, before which a long one is cut."""
    room = figure.width - 2 * MARGIN
    figure.add(Text(MARGIN, MARGIN + 22.0, elide_text(title, room, 28), 28, palette.INK))
    figure.add(
        Text(MARGIN, MARGIN + 46.0, elide_text(subtitle, room - line_width(end, 15), 15) + end, 15, palette.PALE_INK)
    )
