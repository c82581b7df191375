"""Plot sheet: paths or a heat map on the plans of a level, a legend, and charts of speed and height."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..core import atomic_files
from ..core.errors import ReportError
from ..core.vectors import Floats
from ..level import Level
from ..text.font_stack import line_width
from . import palette, turning_page
from .canvas import CANVAS_SUFFIXES, FRAME, INK, PAPER, WHITE, Canvas, Circle, Rectangle, Text, save_canvas
from .chart import ChartBox, Series, band_note, draw_chart
from .drawn_walk import DrawnWalk, chart_heights
from .floor_plans import Storey, find_path_storeys
from .ground import ground_range, lowest_of_chart, places_above_ground, survey_ground
from .heat_map import make_heat_map
from .legend import (
    LEGEND_STEP,
    MARGIN,
    TITLE_HEIGHT,
    draw_failure_legend,
    draw_heat_legend,
    draw_line_legend,
    draw_mark_legend,
    draw_title,
)
from .marks import GOAL_RADIUS, START_RADIUS, draw_body, draw_ends
from .plan import GAP, DrawnPath, Extent, Plan, PlanLayout, PlanSource, arrange_plans, path_extent

PLOT_SUFFIXES = (*CANVAS_SUFFIXES, ".html")
WIDTH = 1280
WIDE_PLANS, WIDE_PLANS_OF_TWO = (WIDTH - 2 * MARGIN, 600), (WIDTH - 2 * MARGIN, 480)  # pixels, above two details
TALL_PLANS, TALL_PLANS_OF_TWO = (640, 880), (560, 880)  # pixels of plans beside the rest; two details are 618 wide
NARROW_PLANS = 0.6 * (WIDTH - 2 * MARGIN)  # pixels: narrower plans above the charts leave much of the row empty
CHART_HEIGHT, LOW_CHART_HEIGHT, TALLEST_CHART = 210, 178, 320  # pixels; low ones stand beside details
PATH_MARGIN = 2.5  # m of the level around the paths
LEVEL_MARGIN = 0.5  # m around a level that is shown as a whole
WHOLE_LEVEL = 1.8  # of the area of a plan: no larger level is shown as a whole
GOAL_ROOM = 0.035  # of the longer side of a plan, around the goal
FAILURE_REACH = 2.0, 6.0  # radii from the body that the detail of a failure shows
FAILURE_SECONDS = 0.5  # of the path that it shows
DETAIL_SIDE = 300  # pixels of a detail
DETAIL_CAPTION = 24.0  # pixels above it
DETAIL_BELOW, DETAIL_ABOVE = 0.8, 1.4  # m of the plan below and above feet without a storey
MAX_NAMED_WALKS = len(palette.WALK_COLOURS)  # walks with a colour and a line each; more have one colour, and a band
MANY_WIDTH = 2.0  # pixels
CHART_WIDTHS = (2.2, 2.6, 4.0)  # pixels: arguments of `line_widths`


@dataclass(frozen=True, slots=True)
class PlotMarks:
    """Paths and marks of plans. starts: default, those of the paths. ring: place (x, y, z) and radius in pixels.
    bodies: outlines (n,3) from above, m, and whether each is after a failure."""

    paths: Sequence[DrawnPath]
    starts: Sequence[Floats] | None = None
    ring: tuple[Floats, float] | None = None
    bodies: Sequence[tuple[Floats, bool]] = ()


@dataclass(frozen=True, slots=True)
class SheetPlaces:
    """Places on a sheet, pixels: the legend, the details, the charts, and the height of all."""

    legend: tuple[float, float]
    details: tuple[tuple[float, float], ...]
    charts: tuple[ChartBox, ChartBox]
    height: float


def check_plot_output(path: Path, suffixes: Sequence[str] = PLOT_SUFFIXES) -> None:
    """Check a file name before the work: ReportError for an unknown suffix or a missing package, OSError where the file
    cannot be written."""
    suffix = path.suffix.lower()
    if suffix not in suffixes:
        raise ReportError(f"{path}: the picture must be one of {', '.join(suffixes)}")
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
    """The sheet of some walks, each with at least one tick. heat: the time at each place instead of the paths; note:
    about the level, in the subtitle."""
    places_walked = places_above_ground(level, walks)
    storeys = find_path_storeys(level, places_walked)
    extent = view_extent(level, places_walked if heat else np.concatenate([walk.table.feet for walk in walks]))
    failures = [walk.failure for walk in walks if walk.failure is not None]
    layout, is_tall = arrange_sheet_plans(storeys, extent, bool(failures))
    ground = survey_ground(level, layout.plans, ground_range(level, walks))
    starts = [walk.table.feet[0] for walk in walks if walk.failure is None]
    lines = _walk_lines(walks)
    legend_rows = (1 + is_tall if heat else len(lines)) + bool(failures)

    def draw_marks(canvas: Canvas, place: tuple[float, float]) -> int:
        paths = [] if heat else drawn_paths(walks)
        return draw_mark_legend(canvas, place, level, layout.plans, ground, paths, bool(starts), heat)

    canvas, places = start_sheet(level.name, layout, is_tall, legend_rows, draw_marks, bool(failures))
    subtitle = f"{walks[0].name}" if len(walks) == 1 else f"{len(walks)} walks"
    draw_title(canvas, level.name, f"{subtitle}{_ticks_text(walks)}" + (f"; {note}" if note else ""))
    heat_map = make_heat_map(walks, extent, places_walked, bool(level.movers)) if heat else None
    source = PlanSource(level, ground.scale, heat=heat_map)
    bodies = [(failure.outline, False) for failure in failures]
    draw_plans(canvas, source, layout, PlotMarks([] if heat else drawn_paths(walks), starts, bodies=bodies))
    left, top = places.legend
    if heat_map is not None:
        draw_heat_legend(canvas, (left, top), heat_map, len(walks), is_tall)
    else:
        draw_line_legend(canvas, (left, top), lines, WIDTH - MARGIN - left)
    if failures:
        kinds = sorted({failure.kind for failure in failures})
        draw_failure_legend(canvas, (left, top + LEGEND_STEP * (legend_rows - 1)), kinds)
        _draw_failure(canvas, places.details[0], replace(source, heat=None), storeys, walks)
    _draw_charts(canvas, places.charts, walks, heat, lowest_of_chart(places_walked))
    return canvas


def arrange_sheet_plans(storeys: Sequence[Storey], extent: Extent, details: int) -> tuple[PlanLayout, bool]:
    """Plans below the title, above the rest of a sheet or, where they are narrow, beside it; and whether they stand
    beside it. details: number of them on the sheet."""
    place = (MARGIN, MARGIN + TITLE_HEIGHT)
    layout = arrange_plans(storeys, extent, WIDE_PLANS if details < 2 else WIDE_PLANS_OF_TWO, place)
    if layout.width >= NARROW_PLANS:
        return layout, False
    return arrange_plans(storeys, extent, TALL_PLANS if details < 2 else TALL_PLANS_OF_TWO, place), True


def start_sheet(
    title: str,
    layout: PlanLayout,
    is_tall: bool,
    legend_rows: int,
    draw_marks: Callable[[Canvas, tuple[float, float]], int],
    details: int,
) -> tuple[Canvas, SheetPlaces]:
    """An empty sheet with the marks of its legend below `legend_rows`. is_tall: details, charts and legend stand beside
    the plans, not below them. draw_marks: draws them at a place and gives the number of their rows."""
    top = MARGIN + TITLE_HEIGHT
    detail = (DETAIL_SIDE + DETAIL_CAPTION) * bool(details)
    left = MARGIN + layout.width + 2 * GAP if is_tall else float(MARGIN)
    legend_height = (legend_rows + draw_marks(Canvas(WIDTH, 1), (left, 0.0))) * LEGEND_STEP
    least = float(CHART_HEIGHT if not details else LOW_CHART_HEIGHT)
    first = left if is_tall else left + (DETAIL_SIDE + GAP) * details + GAP * bool(details)
    side = WIDTH - MARGIN - first
    if is_tall:
        below = top + detail + GAP * bool(details)
        height = min(TALLEST_CHART, max(least, (layout.height - legend_height - 30.0 - (below - top)) / 2 - GAP))
        detail_top = top + DETAIL_CAPTION - 8.0
        legend = (left, below + 2.0 * height + GAP + 36.0)
        bottom = max(top + layout.height, legend[1] + legend_height)
    else:
        legend = left, top + layout.height + 30.0
        below = legend[1] + legend_height + 8.0
        height = least
        detail_top = below + DETAIL_CAPTION - 3.0
        bottom = below + max(detail, height * (2 if details else 1) + GAP)
    charts = ChartBox(first, below, side, height), ChartBox(first, below + height + GAP, side, height)
    if not is_tall and not details:
        half = (side - 2 * GAP) / 2
        charts = ChartBox(first, below, half, height), ChartBox(first + half + 2 * GAP, below, half, height)
    places = tuple((left + k * (DETAIL_SIDE + GAP), detail_top) for k in range(details))
    canvas = Canvas(WIDTH, round(bottom + MARGIN), title=title)
    draw_marks(canvas, (left, legend[1] + LEGEND_STEP * legend_rows))
    return canvas, SheetPlaces(legend, places, charts, bottom + MARGIN)


def _draw_failure(
    canvas: Canvas,
    at: tuple[float, float],
    source: PlanSource,
    storeys: Sequence[Storey],
    walks: Sequence[DrawnWalk],
) -> None:
    """The first walk that starts with a failure: its body there closely, with the path after it."""
    number, walk = next((k, walk) for k, walk in enumerate(walks) if walk.failure is not None)
    assert walk.failure is not None
    place = walk.failure.outline.mean(axis=0)
    feet = np.concatenate([place[None], walk.table.feet[walk.seconds <= FAILURE_SECONDS]])
    name = "The failure" if len(walks) == 1 else f"The failure of walk {number + 1}"
    caption = f"{name} and {FAILURE_SECONDS:g} s after it"
    radius = source.level.player.radii[0]
    furthest = float(np.linalg.norm(feet[:, ::2] - place[::2], axis=1).max())
    reach = min(max(radius + 1.2 * furthest, FAILURE_REACH[0] * radius), FAILURE_REACH[1] * radius)
    bodies = [(walk.failure.outline, False), (walk.failure.after, True)]
    marks = PlotMarks([DrawnPath(feet, palette.walk_colour(number, len(walks)))], [], bodies=bodies)
    draw_detail(canvas, at, caption, source, marks, place, reach, storeys)


def _draw_charts(
    canvas: Canvas, boxes: tuple[ChartBox, ChartBox], walks: Sequence[DrawnWalk], heat: bool, lowest: float
) -> None:
    """Speed and height over time: a line for each walk, or a band for many walks and those of a heat map. lowest: least
    height that the chart shows, m."""
    band = len(walks) > (1 if heat else MAX_NAMED_WALKS)
    note = f": {band_note(len(walks))} of the walks" if band else ""
    title, values = chart_heights(walks)
    widths = line_widths(len(walks), *CHART_WIDTHS)
    colours = [palette.walk_colour(k, len(walks)) for k in range(len(walks))]
    rows = list(zip(walks, values, colours, widths, strict=True))
    speeds = [Series(walk.seconds, walk.speed, colour, width) for walk, _, colour, width in rows]
    heights = [Series(walk.seconds, height, colour, width) for walk, height, colour, width in rows]
    failed = next((float(walk.seconds[0]) for walk in walks if walk.failure is not None), None)
    draw_chart(canvas, boxes[0], f"Speed along the ground (m/s){note}", speeds, band, failed=failed, is_from_zero=True)
    draw_chart(canvas, boxes[1], f"{title}{note}", heights, band, failed=failed, lowest=lowest)


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


def line_widths(count: int, thinnest: float = 2.8, step: float = 3.8, room: float = 6.0) -> list[float]:
    """Widths (pixels) of lines that are drawn above each other, from the lowest, which is the widest. step: from one to
    the next, at most; room: between the first and the last, at most."""
    if count == 1 or count > MAX_NAMED_WALKS:
        return [thinnest] * count
    step = min(step, room / (count - 1))
    return [thinnest + step * (count - 1 - k) for k in range(count)]


def drawn_paths(walks: Sequence[DrawnWalk]) -> list[DrawnPath]:
    """Paths with colours, the first one the widest, so that equal walks show. Many walks have one colour, one width and
    no labels."""
    count = len(walks)
    if count > MAX_NAMED_WALKS:
        return [DrawnPath(walk.table.feet, palette.MANY_COLOUR, MANY_WIDTH) for walk in walks]
    widths = line_widths(count)
    labels = [str(k + 1) if count > 1 else "" for k in range(count)]
    return [DrawnPath(walk.table.feet, palette.walk_colour(k), widths[k], labels[k]) for k, walk in enumerate(walks)]


def _walk_lines(walks: Sequence[DrawnWalk]) -> list[tuple[DrawnPath, str]]:
    """The lines of the legend: one for each walk, or one for many."""
    if len(walks) > MAX_NAMED_WALKS:
        names = ", ".join(dict.fromkeys(walk.name for walk in walks))
        return [(drawn_paths(walks)[0], f"each of the {len(walks)} walks: {names}")]
    texts = [
        f"{walk.name}, {float(walk.seconds[-1]):.2f} s, at most {float(walk.speed.max()):.1f} m/s" for walk in walks
    ]
    return list(zip(drawn_paths(walks), texts, strict=True))


def view_extent(level: Level, feet: Floats) -> Extent:
    """The plan of some paths: the whole level where that is not much larger, and the mark of the goal as a whole where
    the plan comes near it."""
    extent = path_extent(feet, PATH_MARGIN)
    if len(level.triangles):
        flat = level.triangles.reshape(-1, 3)[:, [0, 2]]
        (west, north), (east, south) = flat.min(axis=0) - LEVEL_MARGIN, flat.max(axis=0) + LEVEL_MARGIN
        whole = _joined(extent, (west, north, east, south))
        if _area(whole) <= WHOLE_LEVEL * _area(extent):
            extent = whole
    if level.goal is not None:
        x, _, z = level.goal.at
        room = GOAL_ROOM * max(extent[2] - extent[0], extent[3] - extent[1])
        if extent[0] - room < x < extent[2] + room and extent[1] - room < z < extent[3] + room:
            extent = _joined(extent, (x - room, z - room, x + room, z + room))
    return extent


def _area(extent: Extent) -> float:
    return (extent[2] - extent[0]) * (extent[3] - extent[1])


def _joined(one: Extent, other: Extent) -> Extent:
    """The smallest extent around two."""
    low, high = np.minimum(one, other), np.maximum(one, other)
    return float(low[0]), float(low[1]), float(high[2]), float(high[3])


def draw_plans(canvas: Canvas, source: PlanSource, layout: PlanLayout, marks: PlotMarks) -> None:
    """Draw the plans of all storeys with their captions and a scale bar."""
    layout.draw_captions(canvas)
    for plan in layout.plans:
        _draw_plan(canvas, plan, source, marks)
    points = [path.points for path in marks.paths] + [np.array([start]) for start in marks.starts or ()]
    layout.plans[0].draw_scale_bar(canvas, np.concatenate([*points, np.zeros((0, 3))]))


def _draw_plan(canvas: Canvas, plan: Plan, source: PlanSource, marks: PlotMarks) -> None:
    """Draw a plan, then the paths, the ring, the goal, the starts, the bodies and the ends."""
    plan.draw_ground(canvas, source)
    plan.draw_paths(canvas, marks.paths)
    ring = None
    if marks.ring is not None:
        place, radius = marks.ring
        plan.draw_ring(canvas, place, radius)
        ring = (*plan.to_canvas(place[0], place[2]), radius) if plan.shows(place) else None
    goal = source.level.goal
    if goal is not None and plan.shows(goal.at, GOAL_RADIUS + 1.0):
        plan.draw_disc(canvas, goal.at, GOAL_RADIUS, palette.GOAL)
        canvas.add(Circle(*plan.to_canvas(goal.at[0], goal.at[2]), 3.0, WHITE))
    starts = [path.points[0] for path in marks.paths if len(path.points)] if marks.starts is None else marks.starts
    for start in {tuple(np.round(place, 1).tolist()): place for place in starts}.values():
        plan.draw_disc(canvas, start, START_RADIUS, palette.SPAWN)
    for outline, is_after in marks.bodies:
        if plan.shows(outline.mean(axis=0)):
            draw_body(canvas, [plan.to_canvas(x, z) for x, _, z in outline.tolist()], is_after)
    draw_ends(canvas, plan, marks.paths, ring)
    plan.draw_frame(canvas)


def draw_detail(
    canvas: Canvas,
    at: tuple[float, float],
    caption: str,
    source: PlanSource,
    marks: PlotMarks,
    place: Floats,
    reach: float,
    storeys: Sequence[Storey],
) -> None:
    """The plan around a place in a square, below its caption, with a ring as wide as the body, or the bodies of the
    marks. reach: m, half its side; storeys: of the plans, so that they are cut at the same height."""
    y = float(place[1])
    storey = next((one for one in storeys if one.low <= y < one.high), Storey(y - DETAIL_BELOW, y + DETAIL_ABOVE))
    plan = Plan.around(place.tolist(), reach, at, DETAIL_SIDE, storey)
    note = f"{2.0 * reach:.1f} m wide"
    if not marks.bodies:
        marks = replace(marks, ring=(place, source.level.player.radii[0] * plan.window.scale))
        note = "ring: width of the body"
    canvas.add(Text(at[0], at[1] - 8.0, caption, 15, INK))
    _draw_plan(canvas, plan, source, marks)
    right, bottom = at[0] + DETAIL_SIDE, at[1] + DETAIL_SIDE
    width = line_width(note, 12) + 12.0
    canvas.add(Rectangle(right - width, bottom - 22.0, width, 22.0, PAPER, FRAME))
    canvas.add(Text(right - 6.0, bottom - 7.0, note, 12, INK, "r"))
