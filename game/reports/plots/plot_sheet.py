"""Plot sheet: paths or a heat map on the plans of a level, a legend, and charts of speed and height."""

from __future__ import annotations

import math
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
from .chart import ChartBox, Series, band_note, draw_chart
from .figure import Box, Circle, Figure, Line, Polygon, Text
from .heat_map import LEAST_SHARE, HeatMap, make_heat_map
from .plan_panel import END_RADIUS, DrawnPath, PlanPanel, PlanSource, Ring, draw_body
from .plan_zones import FILL_OPACITY, NAMES, plan_shapes
from .walked_ground import ground_range, places_above_ground

WIDTH = 1280
MARGIN, GAP, TITLE_HEIGHT, CAPTION_HEIGHT = 32, 18, 66, 20
WIDE_PLANS = (WIDTH - 2 * MARGIN, 600)  # pixels for plans above the charts
TALL_PLANS = (640, 880)  # and for those beside them
NARROW_PLANS = 0.6 * (WIDTH - 2 * MARGIN)  # pixels: narrower plans above the charts leave much of the row empty
CHART_HEIGHT, TALLEST_CHART = 210, 320
PATH_MARGIN = 2.5  # m of the level around the paths
MAX_NAMED_WALKS = len(palette.WALK_COLOURS)  # walks with a colour and a line each; more have one colour, and a band
MANY_WIDTH = 2.0  # pixels
CHART_WIDTHS = (2.2, 2.6, 4.0)  # pixels: arguments of `line_widths`
HEIGHT_LEGEND_STEPS, HEIGHT_LEGEND_WIDTH = 32, 120.0  # colours, pixels
HEIGHT_LEGEND_ROOM = 320.0  # pixels of the colours with their heights


@dataclass(frozen=True, slots=True)
class PlanArea:
    """Plans of the storeys: their panels and the size of the whole in pixels."""

    panels: tuple[PlanPanel, ...]
    width: float
    height: float


def draw_plot(level: Level, walks: Sequence[WalkPath], heat: bool = False) -> Figure:
    """The sheet of some walks, each with at least one tick. heat: the time at each place instead of the paths."""
    places = places_above_ground(level, walks)
    storeys = run_map.split_storeys(level, places)
    extent = path_extent(places if heat else np.concatenate([walk.feet for walk in walks]))
    place = (MARGIN, MARGIN + TITLE_HEIGHT)
    area = arrange_plans(storeys, extent, WIDE_PLANS, place)
    is_tall = area.width < NARROW_PLANS
    if is_tall:
        area = arrange_plans(storeys, extent, TALL_PLANS, place)
    failures = [walk.failure for walk in walks if walk.failure is not None]
    legend_rows = 1 + is_tall if heat else 1 if len(walks) > MAX_NAMED_WALKS else len(walks)
    legend_rows += bool(failures)
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
    ground = ground_range(level, walks)
    source = PlanSource(level, height_scale(ground))
    heat_map = make_heat_map(walks, extent, places, bool(level.movers)) if heat else None
    paths = [] if heat else drawn_paths(walks)
    starts = [walk.feet[0] for walk in walks if walk.failure is None]
    draw_plans(figure, source, area, paths, heat_map, starts, bodies=[failure.outline for failure in failures])
    if heat_map is not None:
        _draw_heat_legend(figure, legend_at, heat_map, len(walks), is_tall)
    else:
        _draw_legend(figure, legend_at, walks, side if is_tall else WIDTH - 2 * MARGIN)
    marks_at = legend_at[0], legend_at[1] + 24.0 * legend_rows
    if failures:
        _draw_failure_legend(figure, (marks_at[0], marks_at[1] - 24.0), sorted({failure.kind for failure in failures}))
    draw_mark_legend(figure, marks_at, level, area, None if heat else ground, paths, bool(starts))
    _draw_charts(figure, (chart, other), walks, heat)
    return figure


def _draw_charts(figure: Figure, boxes: tuple[ChartBox, ChartBox], walks: Sequence[WalkPath], heat: bool) -> None:
    """Speed and height over time: a line for each walk, or a band for many walks and those of a heat map."""
    band = len(walks) > (1 if heat else MAX_NAMED_WALKS)
    note = f": {band_note(len(walks))} of the walks" if band else ""
    title, values = chart_heights(walks)
    speeds, heights = [], []
    for k, (walk, width) in enumerate(zip(walks, line_widths(len(walks), *CHART_WIDTHS), strict=True)):
        colour = palette.walk_colour(k, len(walks))
        speeds.append(Series(walk.seconds, walk.speed, colour, width))
        heights.append(Series(walk.seconds, values[k], colour, width))
    draw_chart(figure, boxes[0], f"Speed along the ground (m/s){note}", speeds, band, is_from_zero=True)
    draw_chart(figure, boxes[1], f"{title}{note}", heights, band)


def _ticks_text(walks: Sequence[WalkPath]) -> str:
    """`, 120 ticks` of one walk, with its failure; ` of 120 ticks` or ` of 60 to 120 ticks` of several."""
    counts = [len(walk.feet) for walk in walks]
    text = f"{counts[0]} ticks" if len(set(counts)) == 1 else f"{min(counts)} to {max(counts)} ticks"
    if len(walks) > 1:
        return f" of {text}"
    failure = walks[0].failure
    return f", {text}" if failure is None else f", {text}; failure: {failure.kind}, at the first tick"


def drawn_paths(walks: Sequence[WalkPath]) -> list[DrawnPath]:
    """Paths with colours, the first one the widest, so that equal walks show. Many walks have one colour, one width and
    no labels."""
    count = len(walks)
    if count > MAX_NAMED_WALKS:
        return [DrawnPath(walk.feet, palette.MANY_COLOUR, MANY_WIDTH) for walk in walks]
    widths, labels = line_widths(count), [str(k + 1) if count > 1 else "" for k in range(count)]
    return [DrawnPath(walk.feet, palette.walk_colour(k), widths[k], labels[k]) for k, walk in enumerate(walks)]


def line_widths(count: int, thinnest: float = 2.8, step: float = 3.8, room: float = 6.0) -> list[float]:
    """Widths (pixels) of lines that are drawn above each other, from the lowest, which is the widest. step: from one to
    the next, at most; room: between the first and the last, at most."""
    if count == 1 or count > MAX_NAMED_WALKS:
        return [thinnest] * count
    step = min(step, room / (count - 1))
    return [thinnest + step * (count - 1 - k) for k in range(count)]


def path_extent(feet: Floats) -> tuple[float, float, float, float]:
    """West, north, east and south edge (m) of a plan with some paths."""
    low, high = feet[:, [0, 2]].min(axis=0) - PATH_MARGIN, feet[:, [0, 2]].max(axis=0) + PATH_MARGIN
    missing = np.maximum(run_map.MIN_EXTENT - (high - low), 0.0) / 2
    (west, north), (east, south) = low - missing, high + missing
    return float(west), float(north), float(east), float(south)


def height_scale(ground: tuple[float, float]) -> tuple[float, float]:
    """Lowest and highest height of the colours of plans, m, so that they show small differences as small."""
    return ground[0], max(ground[1], ground[0] + run_map.MIN_HEIGHT_SPAN)


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
    bodies: Sequence[Floats] = (),
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


def draw_corner_text(figure: Figure, right: float, bottom: float, text: str) -> None:
    """A small text on paper in the lower right corner of a plan."""
    width = line_width(text, 12) + 12.0
    figure.add(Box(right - width, bottom - 22.0, width, 22.0, palette.PAPER, palette.FRAME))
    figure.add(Text(right - 6.0, bottom - 7.0, text, 12, palette.INK, "r"))


def _draw_legend(figure: Figure, place: tuple[float, float], walks: Sequence[WalkPath], room: float) -> None:
    """A line with the colour and the name of each walk; one line for many."""
    left, top = place
    if len(walks) > MAX_NAMED_WALKS:
        figure.add(Line([(left, top - 5.0), (left + 30.0, top - 5.0)], palette.MANY_COLOUR, MANY_WIDTH))
        text = f"each of the {len(walks)} walks: {', '.join(dict.fromkeys(walk.name for walk in walks))}"
        figure.add(Text(left + 42.0, top, elide_text(text, room - 42.0, 15), 15, palette.INK))
        return
    widths = line_widths(len(walks))
    for number, walk in enumerate(walks):
        y, colour = top + 24.0 * number, palette.walk_colour(number)
        figure.add(Line([(left, y - 5.0), (left + 30.0, y - 5.0)], colour, widths[number]))
        if len(walks) > 1:
            figure.add(Circle(left + 15.0, y - 5.0, 9.0, colour, palette.OUTLINE))
            figure.add(Text(left + 15.0, y - 0.5, str(number + 1), 13, palette.OUTLINE, "m"))
        seconds = float(walk.seconds[-1]) if len(walk.seconds) else 0.0
        text = f"{walk.name}, {seconds:.2f} s, at most {float(walk.speed.max(initial=0.0)):.1f} m/s"
        figure.add(Text(left + 42.0, y, elide_text(text, room - 42.0, 15), 15, palette.INK))


def draw_mark_legend(
    figure: Figure,
    place: tuple[float, float],
    level: Level,
    area: PlanArea,
    ground: tuple[float, float] | None,
    paths: Sequence[DrawnPath],
    has_start: bool = True,
) -> None:
    """The marks of the start, of the ends of paths and, where a plan shows them, of the goal, zones and platforms;
    where north is; and the colours of the ground between two heights (m), of plans that have them."""
    left, y = place
    if has_start:
        figure.add(Circle(left + 15.0, y - 5.0, 6.5, palette.SPAWN, palette.OUTLINE, 2.0))
        figure.add(Text(left + 42.0, y, "start", 15, palette.INK))
        left += 42.0 + line_width("start", 15) + 14.0
    if paths:
        is_pin = bool(paths[0].label)
        if is_pin:
            figure.add(Line([(left + 15.0, y + 4.0), (left + 15.0, y - 8.0)], palette.INK, 1.0))
        colour = palette.PALE_INK if is_pin else paths[0].colour
        figure.add(Circle(left + 15.0, y + 2.0 if is_pin else y - 5.0, 3.0 if is_pin else END_RADIUS, colour))
        if is_pin:
            figure.add(Circle(left + 15.0, y - 11.0, 6.0, colour))
        figure.add(Text(left + 30.0, y, "end", 15, palette.INK))
        left += 30.0 + line_width("end", 15) + 14.0
    goal = None if level.goal is None else np.array(level.goal.at)
    if goal is not None and any(panel.shows(goal) for panel in area.panels):
        figure.add(Circle(left + 15.0, y - 5.0, 8.0, palette.GOAL, palette.OUTLINE, 2.0))
        figure.add(Circle(left + 15.0, y - 5.0, 3.0, palette.OUTLINE))
        figure.add(Text(left + 34.0, y, "goal", 15, palette.INK))
        left += 34.0 + line_width("goal", 15) + 14.0
    shapes = (shape for panel in area.panels for shape in plan_shapes(level, panel.window, panel.storey))
    for colour in () if ground is None else dict.fromkeys(shape.colour for shape in shapes):
        name = NAMES[colour]
        box = [(left + 8.0, y - 12.0), (left + 26.0, y - 12.0), (left + 26.0, y + 2.0), (left + 8.0, y + 2.0)]
        assert ground is not None
        red, green, blue = np.round(height_colour(np.array(ground[0]), *height_scale(ground))).astype(int).tolist()
        figure.add(Polygon(box, (red, green, blue)), Polygon(box, colour, FILL_OPACITY[colour]))
        figure.add(Line([*box, box[0]], colour, 1.5, 0.9))
        figure.add(Text(left + 34.0, y, name, 15, palette.INK))
        left += 34.0 + line_width(name, 15) + 14.0
    figure.add(Text(left + 14.0, y, "north is up", 15, palette.PALE_INK))
    if ground is not None:
        left += 14.0 + line_width("north is up", 15) + 28.0
        if left + HEIGHT_LEGEND_ROOM > figure.width - MARGIN:
            left, y = place[0] + 8.0, y + 24.0
        _draw_height_legend(figure, (left, y), ground)


def _draw_failure_legend(figure: Figure, place: tuple[float, float], kinds: Sequence[str]) -> None:
    """The mark of the body before a failure."""
    left, y = place
    turns = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
    draw_body(
        figure, [(left + 15.0 + 11.0 * math.cos(turn), y - 5.0 + 7.0 * math.sin(turn)) for turn in turns.tolist()]
    )
    text = f"body before the failure ({', '.join(kinds)})"
    figure.add(Text(left + 42.0, y, text, 15, palette.INK))


def _draw_height_legend(figure: Figure, place: tuple[float, float], ground: tuple[float, float]) -> None:
    """The colours of the ground from its lowest to its highest height (m); one colour where both read the same."""
    left, y = place
    low, high = (f"{round(height, 1) + 0.0:.1f} m" for height in ground)
    text = f"ground {low}"
    figure.add(Text(left, y, text, 15, palette.INK))
    left += line_width(text, 15) + 8.0
    steps, width = (HEIGHT_LEGEND_STEPS, HEIGHT_LEGEND_WIDTH) if low != high else (1, 18.0)
    values = height_colour(np.linspace(*ground, steps), *height_scale(ground))
    for k, (red, green, blue) in enumerate(np.round(values).astype(int).tolist()):
        figure.add(
            Box(left + k * width / steps, y - 13.0, width / steps + 0.6 * (k < steps - 1), 15.0, (red, green, blue))
        )
    figure.add(Box(left, y - 13.0, width, 15.0, None, palette.FRAME))
    if low != high:
        figure.add(Text(left + width + 8.0, y, high, 15, palette.INK))


def _draw_heat_legend(figure: Figure, place: tuple[float, float], heat: HeatMap, count: int, is_below: bool) -> None:
    """The scale of the heat map, with its text below or beside it. count: number of walks."""
    left, y = place
    steps, width = 48, 264.0
    for k in range(steps):
        red, green, blue = (round(value) for value in palette.heat_colours(np.array(k / (steps - 1))).tolist())
        figure.add(Box(left + k * width / steps, y - 16.0, width / steps + 0.6, 16.0, (red, green, blue)))
    figure.add(Box(left, y - 16.0, width, 16.0, None, palette.FRAME))
    least, most = heat.longest * LEAST_SHARE, heat.longest
    who = "" if count == 1 else f" of {count} walks together"
    text = f"time at a place: {least:.2g} to {most:.3g} s/m²{who}, logarithmic"
    text_at = (left, y + 20.0) if is_below else (left + width + 14.0, y - 2.0)
    figure.add(Text(*text_at, elide_text(text, figure.width - text_at[0] - MARGIN / 2, 15), 15, palette.INK))
