"""Map sheet of a level: its storeys side by side, the ground that bots reached, numbered findings, a legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..core.vectors import Flags
from ..text.fitting import shorten_lines, wrap_text
from . import floor_plans
from .canvas import INK, PALE_INK, Canvas, Colour, Line, Text
from .floor_plans import PlanView, PlanWindow, Storey
from .legend import LEGEND_STEP, MARGIN, TITLE_HEIGHT, LegendRow, draw_legend, draw_number, draw_symbols, draw_title
from .palette import SPAWN
from .plan import DrawnPath, Extent, Plan, PlanSource, arrange_plans, colour_range, path_extent

if TYPE_CHECKING:
    from ..level import Finding, Level
    from ..sim.bots.standable_cells import StandableCells
    from ..sim.bots.walk_findings import BotFinding, BotReport

SHEET_WIDTH, SHEET_HEIGHT = 1700, 1100  # pixels that the plans of a sheet may take together
LEGEND_WIDTH = 430
MIN_SHEET_HEIGHT = 640
PLAN_GAP = 26  # pixels
EXTENT_MARGIN = 1.5  # m around the ground
RARE_SHARE = 0.002  # of the ground: so little at either end is no part of the range of its heights
MAX_SCALE = 60.0  # pixels per metre
DETAIL_REACH = 6.0, 7.0, 12.0  # m: least, usual, most
DETAIL_BELOW, DETAIL_ABOVE = 0.7, 1.5  # m from the feet
DETAIL_RING = 15.0  # pixels
DETAIL_TEXT_HEIGHT = 54  # pixels
FINDING_COLOUR: Colour = (200, 44, 34)
PATH_COLOUR: Colour = (38, 104, 184)


@dataclass(frozen=True, slots=True)
class MapData:
    """Input of a map: places to stand on, and the bots' report."""

    level: Level
    standable_cells: StandableCells
    bot_results: BotReport | None

    @property
    def source(self) -> PlanSource:
        """The plans of the level, in colours for the ground that bots reached, or for all of it."""
        report = self.bot_results
        feet = self.standable_cells.feet if report is None or not len(report.reached) else report.reached
        heights = colour_range(feet[:, 1], RARE_SHARE) if len(feet) else (0.0, 2.0)
        return PlanSource(self.level, heights, None if report is None else self._reached_pixels)

    def _reached_pixels(self, view: PlanView, window: PlanWindow) -> tuple[Flags, Flags]:
        """(h,w) each: whether a bot stood on the ground of a pixel, and whether there is room to stand.

        A cell next to a reached one counts as reached, unless it is known as not reached: walls are thinner than cells.
        """
        from ..sim.bots.places import cell_indices, pack_cells
        from ..sim.bots.standable_cells import NEIGHBOURS

        report = self.bot_results
        assert report is not None
        height, width = view.height.shape
        points = np.empty((height, width, 3))
        points[..., 0] = window.west + (np.arange(width) + 0.5) / window.scale
        points[..., 1] = np.nan_to_num(view.height, nan=-1e5)
        points[..., 2] = (window.north + (np.arange(height) + 0.5) / window.scale)[:, None]
        pixel_cells = pack_cells(cell_indices(points.reshape(-1, 3)))

        def in_cells_of(feet: NDArray[np.float64], offsets: NDArray[np.int64]) -> Flags:
            cells = np.unique(pack_cells((cell_indices(feet)[:, None] + offsets).reshape(-1, 3)))
            inside: Flags = np.isin(pixel_cells, cells)
            return inside.reshape(height, width)

        above_and_below = np.array([(0, -1, 0), (0, 0, 0), (0, 1, 0)])
        places = self.standable_cells.feet
        reached = in_cells_of(np.concatenate([report.reached, places[report.visited_mask]]), above_and_below)
        missed = in_cells_of(places[~report.visited_mask], above_and_below)
        return reached | (in_cells_of(report.reached, NEIGHBOURS) & ~missed), in_cells_of(places, NEIGHBOURS)


def collect_map_data(level: Level, report: BotReport | None = None) -> MapData:
    """Compute the input of a map; `report` saves the search for places to stand on."""
    from ..sim.bots import reachability, standable_cells

    cells = report.standable_cells if report is not None else None
    if not cells:
        closed = reachability.is_solid_triangle(level)
        is_closed = reachability.is_closed_triangle(level)
        cells = standable_cells.find_standable_cells(level.mesh, level.player, closed, is_closed)
    return MapData(level, cells, report)


def draw_map_sheet(
    level: Level,
    report: BotReport | None = None,
    findings: Sequence[Finding] = (),
    size: tuple[int, int] = (SHEET_WIDTH, SHEET_HEIGHT),
) -> Canvas:
    """The map sheet. findings: those of the report as sentences; size: pixels that its plans may take together."""
    data = collect_map_data(level, report)
    storeys = floor_plans.find_storeys(data.standable_cells.feet)
    places = [*(spawn.feet for spawn in level.spawns), *([] if level.goal is None else [level.goal.at])]
    extent = path_extent(np.concatenate([data.standable_cells.feet, np.reshape(places, (-1, 3))]), EXTENT_MARGIN)
    layout = arrange_plans(storeys, extent, size, (MARGIN, MARGIN + TITLE_HEIGHT), PLAN_GAP, max_scale=MAX_SCALE)
    legend_left = MARGIN + layout.width + 28
    height = max(2 * MARGIN + TITLE_HEIGHT + round(layout.height), MIN_SHEET_HEIGHT)
    canvas = Canvas(round(legend_left) + LEGEND_WIDTH, height)
    draw_title(canvas, level.name, _subtitle(data, extent), room=layout.width)
    layout.draw_captions(canvas)
    source = data.source
    for plan in layout.plans:
        plan.draw_ground(canvas, source)
        if plan is layout.plans[0]:
            plan.draw_scale_bar(canvas)
        if report is not None and len(report.path_to_goal) > 1:
            plan.draw_paths(canvas, [DrawnPath(report.path_to_goal, PATH_COLOUR, 2.0)])
        draw_symbols(canvas, plan, level)
        for number, found in enumerate(report.findings if report is not None else (), start=1):
            x, y, z = found.position
            if plan.shows((x, y + 0.3, z)):
                draw_number(canvas, *plan.to_canvas(x, z), str(number), FINDING_COLOUR)
        plan.draw_frame(canvas)
    _draw_legend(canvas, legend_left, data, layout.plans, findings)
    return canvas


def draw_finding_detail(level: Level, report: BotReport, found: BotFinding, text: str, side: int = 640) -> Canvas:
    """The place of one finding, with a section above the head of a walker: the path that shows it, and a ring. text:
    the finding as a sentence."""
    x, y, z = found.position
    least, reach, most = DETAIL_REACH
    if len(found.area_points):  # most of the ground that it concerns
        distance = np.abs(found.area_points[:, [0, 2]] - np.array([x, z])).max(axis=1)
        reach = float(np.clip(np.quantile(distance, 0.9) * 1.3, least, most))
    window = PlanWindow(x - reach, z - reach, x + reach, z + reach, side / (2.0 * reach))
    plan = Plan(0.0, 0.0, window, Storey(y - DETAIL_BELOW, y + DETAIL_ABOVE))
    canvas = Canvas(side, side + DETAIL_TEXT_HEIGHT)
    plan.draw_ground(canvas, collect_map_data(level, report).source)
    plan.draw_scale_bar(canvas)
    if len(found.path) > 1:
        plan.draw_paths(canvas, [DrawnPath(found.path, FINDING_COLOUR)], Storey(-np.inf, np.inf))
        plan.draw_disc(canvas, (found.path[0, 0], y, found.path[0, 2]), 5.0, SPAWN)
    draw_symbols(canvas, plan, level)
    plan.draw_ring(canvas, found.position, DETAIL_RING, FINDING_COLOUR)
    lines = shorten_lines(wrap_text(text, 13, side - 20), 2, 13, side - 20)
    canvas.add_rows(10.0, side + 20.0, lines, 13, 17.0)
    return canvas


def _subtitle(data: MapData, extent: Extent) -> str:
    area = len(data.standable_cells) * data.standable_cells.side**2
    text = f"{extent[2] - extent[0]:.0f} x {extent[3] - extent[1]:.0f} m,  {area:.0f} m2 walkable"
    if data.bot_results is not None and len(data.bot_results.visited_mask):
        text += f",  {data.bot_results.visited_mask.mean() * 100:.0f} % reached"
    return text


def _draw_legend(
    canvas: Canvas, left: float, data: MapData, plans: Sequence[Plan], findings: Sequence[Finding]
) -> None:
    """Legend: the path, symbols, kinds of ground and heights, and the findings by number."""
    report = data.bot_results
    row = LegendRow(canvas, left, MARGIN + 14.0, 0.0)
    if report is not None and len(report.path_to_goal) > 1:
        ticks = next((ticks for mark, ticks in report.target_ticks if mark.kind == "goal"), None)
        x, y = row.add("fastest way to the goal" + (f": {ticks / 60:.1f} s" if ticks is not None else ""), 34.0)
        canvas.add(Line([(x, y - 5.0), (x + 24.0, y - 5.0)], PATH_COLOUR, 2.0))
    draw_legend(row, plans, data.source)
    y = row.y + LEGEND_STEP
    for number, finding in enumerate(findings, start=1):
        text = f"{finding.line}: {finding.where}: {finding.message}"
        lines = shorten_lines(wrap_text(text, 12, LEGEND_WIDTH - 70), 3, 12, LEGEND_WIDTH - 70)
        if y + 15 * len(lines) > canvas.height - 70:
            canvas.add(Text(left, y + 13.0, f"and {len(findings) - number + 1} more", 13, PALE_INK))
            return
        draw_number(canvas, left + 11.0, y + 10.0, str(number), FINDING_COLOUR)
        canvas.add_rows(left + 34.0, y + 12.0, lines, 12, 15.0)
        y += 15 * len(lines) + 9
    if report is not None and not report.findings:
        canvas.add(Text(left, y + 14.0, "the bots found no problems", 14, INK))
