"""Map sheet of a level: its storeys side by side, the ground that bots reached, numbered findings, a legend."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from ..core.vectors import Flags
from ..text.font_stack import draw_line, find_fonts, line_width
from . import floor_plans
from .floor_plans import Storey
from .map_canvas import (
    GOAL_COLOUR,
    INK_COLOUR,
    PAPER_COLOUR,
    SPAWN_COLOUR,
    WHITE,
    Colour,
    MapLayer,
    PlanWindow,
    arrow_points,
    diamond_points,
    draw_lines,
    draw_scale_bar,
    elide_text,
    square_points,
    star_points,
    wrap_text,
)
from .mover_outlines import mover_outlines

if TYPE_CHECKING:
    from ..level import Finding, Level
    from ..level.build.entities.movers import LevelMover
    from ..sim.bots.finding_data import BotFinding
    from ..sim.bots.standable_cells import StandableCells
    from ..sim.bots.walk_findings import BotReport

SHEET_WIDTH, SHEET_HEIGHT = 1700, 1100  # pixels that the plans of a sheet may take together
LEGEND_WIDTH = 430
STOREY_GAP, SHEET_MARGIN, CAPTION_HEIGHT, HEAD_HEIGHT, MIN_SHEET_HEIGHT = 26, 30, 18, 64, 640
RAYS_PER_PIXEL_SIDE = 2
MAX_SCALE = 60.0  # pixels per metre
MARK_SUPERSAMPLING = 2
MAX_LINE_POINTS = 4000
TARGET_COLOUR: Colour = (124, 84, 168)
EXIT_COLOUR: Colour = (22, 140, 130)
FINDING_COLOUR: Colour = (200, 44, 34)
MOVER_COLOUR: Colour = (196, 92, 20)
PATH_COLOUR: Colour = (38, 104, 184)
PALE_INK: Colour = (120, 112, 104)
FRAME_COLOUR: Colour = (206, 200, 190)


@dataclass(frozen=True, slots=True)
class MapData:
    """Input of a map: places to stand on, whether each triangle bounds a solid (triangles,), and the bots' report."""

    level: Level
    standable_cells: StandableCells
    is_closed: NDArray[np.bool_]
    bot_results: BotReport | None

    @property
    def heights(self) -> tuple[float, float]:
        """The lowest and the highest ground (m): quantiles of the places that were reached, or of all places."""
        feet = (
            self.bot_results.reached
            if self.bot_results is not None and len(self.bot_results.reached)
            else self.standable_cells.feet
        )
        if not len(feet):
            return 0.0, 1.0
        return float(np.quantile(feet[:, 1], 0.002)), float(np.quantile(feet[:, 1], 0.998))


def collect_map_data(level: Level, report: BotReport | None = None) -> MapData:
    """Compute the input of a map; `report` saves the search for places to stand on."""
    from ..sim.bots import reachability, standable_cells

    closed = reachability.is_solid_triangle(level)
    cells = report.standable_cells if report is not None else None
    if not cells:
        is_closed = reachability.is_closed_triangle(level)
        cells = standable_cells.find_standable_cells(level.mesh, level.player, closed, is_closed)
    return MapData(level, cells, closed, report)


def draw_map_sheet(
    level: Level, report: BotReport | None = None, size: tuple[int, int] = (SHEET_WIDTH, SHEET_HEIGHT)
) -> Image.Image:
    """The map sheet. size: pixels that its plans may take together."""
    data = collect_map_data(level, report)
    storeys = floor_plans.find_storeys(data.standable_cells.feet)
    extent = _map_extent(level, data)
    columns, scale = _choose_columns(len(storeys), extent, size)
    window = PlanWindow(*extent, scale)
    rows = math.ceil(len(storeys) / columns)
    plan_width, plan_height = window.size
    pitch = plan_width + STOREY_GAP, plan_height + STOREY_GAP + CAPTION_HEIGHT  # pixels from plan to plan
    area = columns * pitch[0] - STOREY_GAP, rows * pitch[1] - STOREY_GAP
    height = max(2 * SHEET_MARGIN + HEAD_HEIGHT + area[1], MIN_SHEET_HEIGHT)
    image = Image.new("RGB", (2 * SHEET_MARGIN + area[0] + LEGEND_WIDTH, height), PAPER_COLOUR)
    pen = ImageDraw.Draw(image)
    _draw_title(pen, level.name, area[0])
    draw_line(pen, (SHEET_MARGIN, SHEET_MARGIN + 27), _subtitle(data, extent), 14, PALE_INK)
    for number, storey in enumerate(storeys):
        left = SHEET_MARGIN + number % columns * pitch[0]
        top = SHEET_MARGIN + HEAD_HEIGHT + number // columns * pitch[1]
        if len(storeys) > 1:
            draw_line(pen, (left, top - 2), _storey_label(storey, number, len(storeys)), 13, INK_COLOUR)
            top += CAPTION_HEIGHT
        plan = draw_storey(data, window, storey)
        _draw_marks(plan, window, storey, data)
        image.paste(plan, (left, top))
        pen.rectangle((left - 1, top - 1, left + plan_width, top + plan_height), outline=FRAME_COLOUR)
    _draw_legend(image, SHEET_MARGIN + area[0] + 28, SHEET_MARGIN, data, scale)
    return image


def _draw_title(pen: ImageDraw.ImageDraw, name: str, room: float) -> None:
    """The level's name in the largest size that fits beside the legend; cut where the smallest does not."""
    find_fonts(name)
    size = next((size for size in range(30, 18, -1) if line_width(name, size) <= room), 18)
    draw_line(pen, (SHEET_MARGIN, SHEET_MARGIN + 19), elide_text(name, room, size), size, INK_COLOUR, "ls")


def draw_finding_detail(level: Level, report: BotReport, finding: BotFinding, side: int = 640) -> Image.Image:
    """The place of one finding, with a section above the head of a walker: the path that shows it, and a ring."""
    data = collect_map_data(level, report)
    x, y, z = finding.position
    reach = _detail_radius(finding)
    storey = Storey(y - 0.7, y + 1.5)
    window = PlanWindow(x - reach, z - reach, x + reach, z + reach, side / (2.0 * reach))
    plan = draw_storey(data, window, storey)
    layer = MapLayer(plan, window, MARK_SUPERSAMPLING)
    if len(finding.path) > 1:
        _draw_path(layer, finding.path, FINDING_COLOUR, 2.5)
        layer.draw_number(float(finding.path[0, 0]), float(finding.path[0, 2]), 5, SPAWN_COLOUR)
    _draw_symbols(layer, storey, data)
    layer.draw_circle(x, z, 16, None, (*WHITE, 255), 6)
    layer.draw_circle(x, z, 15, None, (*FINDING_COLOUR, 255), 3)
    layer.composite()
    image = Image.new("RGB", (side, side + 54), PAPER_COLOUR)
    image.paste(plan, (0, 0))
    pen = ImageDraw.Draw(image)
    from .bot_finding_messages import BotFindingWriter

    message = BotFindingWriter(level).finding(finding)
    lines = wrap_text(str(message).removeprefix(f"{message.file}:"), side - 20, 13, 2)
    draw_lines(pen, (10, side + 7), lines, 13, INK_COLOUR, 17)
    draw_scale_bar(pen, window.scale, (12, side - 14), side / 4)
    return image


def draw_storey(data: MapData, window: PlanWindow, storey: Storey) -> Image.Image:
    """The plan of one storey in a window, without marks."""
    mesh, solids = data.level.mesh, data.level.triangles[data.is_closed]
    view = floor_plans.render_plan_view(mesh, solids, window, storey, RAYS_PER_PIXEL_SIDE)
    reached = room = None
    if data.bot_results is not None:
        reached, room = _reached_pixels(view, window, data, data.bot_results)
    pixel = 1.0 / (window.scale * RAYS_PER_PIXEL_SIDE)
    pixels = floor_plans.paint_plan(view, storey, data.heights, pixel, reached, room, data.level.player.max_slope)
    return floor_plans.plan_image(pixels, RAYS_PER_PIXEL_SIDE)


def _reached_pixels(
    view: floor_plans.PlanView, window: PlanWindow, data: MapData, report: BotReport
) -> tuple[Flags, Flags]:
    """(h,w) each: whether a bot stood on the ground of a pixel, and whether there is room to stand.

    A cell next to a reached one counts as reached, unless it is known as not reached: walls are thinner than cells.
    """
    from ..sim.bots.search import cell_indices, pack_cells
    from ..sim.bots.standable_cells import NEIGHBOURS

    height, width = view.height.shape
    step = 1.0 / (window.scale * RAYS_PER_PIXEL_SIDE)
    points = np.empty((height, width, 3))
    points[..., 0] = window.west + (np.arange(width) + 0.5) * step
    points[..., 1] = np.nan_to_num(view.height, nan=-1e5)
    points[..., 2] = (window.north + (np.arange(height) + 0.5) * step)[:, None]
    pixel_cells = pack_cells(cell_indices(points.reshape(-1, 3)))

    def in_cells_of(feet: NDArray[np.float64], offsets: NDArray[np.int64]) -> Flags:
        cells = np.unique(pack_cells((cell_indices(feet)[:, None] + offsets).reshape(-1, 3)))
        inside: Flags = np.isin(pixel_cells, cells)
        return inside.reshape(height, width)

    above_and_below = np.array([(0, -1, 0), (0, 0, 0), (0, 1, 0)])
    places = data.standable_cells.feet
    reached = in_cells_of(np.concatenate([report.reached, places[report.visited_mask]]), above_and_below)
    missed = in_cells_of(places[~report.visited_mask], above_and_below)
    return reached | (in_cells_of(report.reached, NEIGHBOURS) & ~missed), in_cells_of(places, NEIGHBOURS)


# ---- layout


def _map_extent(level: Level, data: MapData) -> tuple[float, float, float, float]:
    """West, north, east and south edge of the map (m)."""
    feet = data.standable_cells.feet
    points = [feet, np.array([spawn.feet for spawn in level.spawns]).reshape(-1, 3)]
    if level.goal is not None:
        points.append(np.array([level.goal.at]))
    flat = np.concatenate(points)[:, [0, 2]]
    (west, north), (east, south) = flat.min(axis=0) - 1.5, flat.max(axis=0) + 1.5
    return float(west), float(north), float(east), float(south)


def _choose_columns(count: int, extent: tuple[float, float, float, float], size: tuple[int, int]) -> tuple[int, float]:
    """Number of columns that gives the largest plans, and their scale (pixels per metre)."""
    width, height = extent[2] - extent[0], extent[3] - extent[1]
    best = (0.0, 1)
    for columns in range(1, count + 1):
        rows = math.ceil(count / columns)
        room_x = (size[0] - (columns - 1) * STOREY_GAP) / columns
        room_y = (size[1] - (rows - 1) * (STOREY_GAP + CAPTION_HEIGHT)) / rows
        best = max(best, (min(room_x / width, room_y / height, MAX_SCALE), -columns))
    return -best[1], best[0]


def _detail_radius(finding: BotFinding) -> float:
    """Half the side (m) of the picture of a finding: most of the ground that it concerns."""
    if not len(finding.area_points):
        return 7.0
    distance = np.abs(finding.area_points[:, [0, 2]] - np.array([finding.position[0], finding.position[2]])).max(axis=1)
    return float(np.clip(np.quantile(distance, 0.9) * 1.3, 6.0, 12.0))


def _storey_label(storey: Storey, number: int, count: int) -> str:
    if number == 0:
        return f"below {_format_metres(storey.high)} m"
    if number == count - 1:
        return f"above {_format_metres(storey.low)} m"
    return f"{_format_metres(storey.low)} to {_format_metres(storey.high)} m"


def _format_metres(metres: float) -> str:
    """A length with one decimal, never -0.0."""
    return f"{round(metres, 1) + 0.0:.1f}"


def _subtitle(data: MapData, extent: tuple[float, float, float, float]) -> str:
    area = len(data.standable_cells) * data.standable_cells.side**2
    text = f"{extent[2] - extent[0]:.0f} x {extent[3] - extent[1]:.0f} m,  {area:.0f} m2 walkable"
    if data.bot_results is not None and len(data.bot_results.visited_mask):
        text += f",  {data.bot_results.visited_mask.mean() * 100:.0f} % reached"
    return text


# ---- marks


def _draw_path(layer: MapLayer, points: NDArray[np.float64], colour: Colour, width: float) -> None:
    """A line with a pale outline."""
    points = points[:: max(1, len(points) // MAX_LINE_POINTS)]
    layer.draw_line(points, (*WHITE, 150), width + 2.0)
    layer.draw_line(points, (*colour, 235), width)


def _draw_marks(plan: Image.Image, window: PlanWindow, storey: Storey, data: MapData) -> None:
    """Path to the goal, symbols and numbers of findings on the plan of one storey."""
    layer = MapLayer(plan, window, MARK_SUPERSAMPLING)
    report = data.bot_results
    if report is not None and len(report.path_to_goal) > 1:
        inside = storey.contains(report.path_to_goal[:, 1])
        for piece in np.split(report.path_to_goal, np.flatnonzero(np.diff(inside.astype(int))) + 1):
            if len(piece) > 1 and storey.contains(piece[:, 1]).all():
                _draw_path(layer, piece, PATH_COLOUR, 2.0)
    _draw_symbols(layer, storey, data)
    for number, finding in enumerate(report.findings if report is not None else (), start=1):
        if storey.low <= finding.position[1] + 0.3 < storey.high:
            layer.draw_number(finding.position[0], finding.position[2], 10, FINDING_COLOUR, str(number))
    layer.composite()


def _draw_symbols(layer: MapLayer, storey: Storey, data: MapData) -> None:
    """Symbols of the exits, targets, goal and spawns of one storey."""
    level = data.level

    def is_inside(at: tuple[float, float, float]) -> bool:
        return storey.low <= at[1] + 0.5 < storey.high

    for mover in level.movers:
        _draw_mover(layer, storey, mover)
    for level_exit in level.exits:
        if is_inside(level_exit.at):
            layer.draw_polygon(square_points(*layer.to_layer(level_exit.at[0], level_exit.at[2]), 11), EXIT_COLOUR)
    for target in level.targets:
        if is_inside(target.at):
            layer.draw_polygon(diamond_points(*layer.to_layer(target.at[0], target.at[2]), 15), TARGET_COLOUR)
    if level.goal is not None and is_inside(level.goal.at):
        layer.draw_polygon(star_points(*layer.to_layer(level.goal.at[0], level.goal.at[2]), 24), GOAL_COLOUR)
    for spawn in level.spawns:
        if is_inside(spawn.feet):
            corner = layer.to_layer(spawn.feet[0], spawn.feet[2])
            layer.draw_polygon(arrow_points(*corner, spawn.heading, 20), SPAWN_COLOUR)


def _draw_mover(layer: MapLayer, storey: Storey, mover: LevelMover) -> None:
    """The outline of a lift or another mover, at rest at each of its stops in a storey."""
    for plan in mover_outlines(mover, storey):
        layer.draw_line([(x, 0.0, z) for x, z in (*plan, plan[0])], (*MOVER_COLOUR, 255), 2.5)


# ---- legend


def _draw_legend(image: Image.Image, left: int, top: int, data: MapData, scale: float) -> None:
    """Legend: height colours, symbols, kinds of ground, scale, and the findings by number."""
    pen = ImageDraw.Draw(image)
    y = _draw_height_scale(image, left, top, data)
    window = PlanWindow(0.0, 0.0, float(image.width), float(image.height), 1.0)  # the plan is the sheet, in pixels
    layer = MapLayer(image, window, MARK_SUPERSAMPLING)
    y = _draw_symbol_rows(layer, pen, left, y, data)
    y = _draw_swatches(image, left, y + 6, data.bot_results is not None)
    _draw_north_and_scale(pen, left, y + 4, scale)
    y += 44
    findings = _findings(data)
    y += 10
    for number, finding in enumerate(findings, start=1):
        lines = wrap_text(f"{finding.line}: {finding.where}: {finding.message}", LEGEND_WIDTH - 70, 12, 3)
        height = 15 * len(lines)
        if y + height > image.height - 70:
            draw_line(pen, (left, y), f"and {len(findings) - number + 1} more", 13, PALE_INK)
            break
        layer.draw_number(left + 11.0, y + 10.0, 10, FINDING_COLOUR, str(number))
        draw_lines(pen, (left + 34, y), lines, 12, INK_COLOUR, 15)
        y += height + 9
    if data.bot_results is not None and not findings:
        draw_line(pen, (left, y), "the bots found no problems", 14, INK_COLOUR)
    layer.composite()


def _findings(data: MapData) -> list[Finding]:
    """The findings of the bots, as sentences."""
    if data.bot_results is None:
        return []
    from .bot_finding_messages import BotFindingWriter

    writer = BotFindingWriter(data.level)
    return [writer.finding(found) for found in data.bot_results.findings]


def _draw_symbol_rows(layer: MapLayer, pen: ImageDraw.ImageDraw, left: int, y: int, data: MapData) -> int:
    """The symbols that the map has, with their names; the y below them."""
    level, report = data.level, data.bot_results
    rows: list[tuple[bool, str, Colour, Callable[[float, float], list[tuple[float, float]]]]] = [
        (bool(level.spawns), "spawn and its direction", SPAWN_COLOUR, lambda px, py: arrow_points(px, py, 0, 18)),
        (level.goal is not None, "goal", GOAL_COLOUR, lambda px, py: star_points(px, py, 20)),
        (bool(level.targets), "target", TARGET_COLOUR, lambda px, py: diamond_points(px, py, 14)),
        (bool(level.exits), "exit", EXIT_COLOUR, lambda px, py: square_points(px, py, 11)),
        (bool(level.movers), "lift or other mover", MOVER_COLOUR, lambda px, py: square_points(px, py, 9)),
    ]
    for is_present, text, colour, corners in rows:
        if is_present:
            layer.draw_polygon(corners(*layer.to_layer(left + 12.0, y + 9.0)), colour)
            draw_line(pen, (left + 34, y), text, 14, INK_COLOUR)
            y += 24
    if report is not None and len(report.path_to_goal) > 1:
        _draw_path(layer, np.array([(left, 0.0, y + 9.0), (left + 24.0, 0.0, y + 9.0)]), PATH_COLOUR, 2.0)
        draw_line(pen, (left + 34, y), _path_description(report), 14, INK_COLOUR)
        y += 24
    return y


def _path_description(report: BotReport) -> str:
    ticks = next((ticks for mark, ticks in report.target_ticks if mark.kind == "goal"), None)
    return f"fastest way to the goal: {ticks / 60:.1f} s" if ticks is not None else "fastest way to the goal"


def _draw_height_scale(image: Image.Image, left: int, top: int, data: MapData) -> int:
    """The colours of heights with three numbers; the y below them."""
    pen = ImageDraw.Draw(image)
    low, high = data.heights
    wide = LEGEND_WIDTH - 90
    strip = floor_plans.height_colour(np.linspace(low, high, wide)[None].repeat(14, 0), low, high)
    image.paste(Image.fromarray(np.clip(strip, 0, 255).astype(np.uint8), "RGB"), (left, top + 22))
    draw_line(pen, (left, top), "ground height", 14, INK_COLOUR)
    for fraction in (0.0, 0.5, 1.0) if high - low >= 0.15 else (0.0,):
        text = f"{_format_metres(low + fraction * (high - low))} m"
        anchor = "la" if fraction == 0.0 else "ma" if fraction == 0.5 else "ra"
        draw_line(pen, (left + fraction * wide, top + 40), text, 12, PALE_INK, anchor)
    return top + 70


def _draw_north_and_scale(pen: ImageDraw.ImageDraw, left: int, y: int, scale: float) -> None:
    """An arrow to the north, and the scale bar."""
    pen.polygon([(left + 12, y), (left + 18, y + 20), (left + 12, y + 15), (left + 6, y + 20)], fill=INK_COLOUR)
    draw_line(pen, (left + 12, y + 22), "N", 12, INK_COLOUR, "ma")
    draw_scale_bar(pen, scale, (left + 34, y + 24), LEGEND_WIDTH - 130)


def _draw_swatches(image: Image.Image, left: int, y: int, has_report: bool) -> int:
    """The colours of the kinds of ground; the y below them."""
    pen = ImageDraw.Draw(image)
    rows = [("too steep to walk", floor_plans.STEEP_COLOUR, False), ("solid (cut)", floor_plans.SOLID_COLOUR, False)]
    if has_report:
        rows.append(("room to stand, but not reached", floor_plans.UNREACHED_COLOUR, True))
    for text, colour, hatched in rows:
        box = (left, y + 2, left + 24, y + 16)
        pen.rectangle(box, fill=colour)
        if hatched:
            for k in range(-14, 24, 7):
                x0, x1 = max(left, left + k), min(left + 24, left + k + 14)
                pen.line((x0, y + 16 - (x0 - left - k), x1, y + 16 - (x1 - left - k)), fill=floor_plans.HATCH_COLOUR)
        draw_line(pen, (left + 34, y), text, 14, INK_COLOUR)
        y += 24
    return y
