"""Titles and legends of sheets: lines of walks, marks, kinds of ground and their heights, heat."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..level import Level
from ..text.fitting import elide_text
from ..text.font_stack import find_fonts, line_width
from . import floor_plans, palette
from .canvas import FRAME, INK, PALE_INK, WHITE, Canvas, Circle, Colour, Line, Polygon, Rectangle, Text
from .chart import draw_tick_mark
from .floor_plans import height_colour
from .ground import PlanGround
from .heat_map import LEAST_SHARE, HeatMap
from .marks import END_RADIUS, GOAL_RADIUS, START_RADIUS, draw_body, draw_number
from .plan import DrawnPath, Plan, format_metres, greyed
from .plan_areas import FILL_OPACITY, NAMES, plan_areas

MARGIN = 32  # pixels around a sheet
TITLE_HEIGHT = 66  # pixels
TITLE_SIZES = range(28, 18, -1)  # pixels
LEGEND_STEP = 24.0  # pixels from row to row
HEIGHT_LEGEND_STEPS = 32  # colours
HEIGHT_LEGEND_WIDTH = 120.0  # pixels
HEAT_LEGEND_STEPS = 48  # colours
HEAT_LEGEND_WIDTH = 264.0  # pixels


def draw_title(canvas: Canvas, title: str, subtitle: str, end: str = "", room: float = math.inf) -> None:
    """Title and subtitle at the top left, cut where they are too long even in a small size. end: last words of the
    subtitle, before which it is cut; room: pixels."""
    room = min(room, canvas.width - 2 * MARGIN)
    find_fonts(title)
    size = next((size for size in TITLE_SIZES if line_width(title, size) <= room), TITLE_SIZES[-1])
    canvas.add(Text(MARGIN, MARGIN + 22.0, elide_text(title, size, room), size, INK))
    subtitle = elide_text(subtitle, 15, room - line_width(end, 15)) + end
    canvas.add(Text(MARGIN, MARGIN + 46.0, subtitle, 15, PALE_INK))


def draw_line_legend(
    canvas: Canvas, place: tuple[float, float], lines: Sequence[tuple[DrawnPath, str]], room: float
) -> None:
    """A row for each line: its colour and width with its label, and a text, which is cut to the room (pixels)."""
    left, y = place
    for line, text in lines:
        canvas.add(Line([(left, y - 5.0), (left + 30.0, y - 5.0)], line.colour, line.width))
        if line.label.isdecimal():
            draw_number(canvas, left + 15.0, y - 5.0, line.label, line.colour)
        canvas.add(Text(left + 42.0, y, elide_text(text, 15, room - 42.0), 15, INK))
        y += LEGEND_STEP


class LegendRow:
    """Entries of a legend from the left to the right, in further rows where one is full."""

    def __init__(self, canvas: Canvas, place: tuple[float, float], right: float) -> None:
        self.canvas = canvas
        self.right = right
        self.first = self.left = place[0]
        self.y = place[1]
        self.rows = 1

    def add(self, text: str, indent: float, room: float = 0.0, colour: Colour = INK) -> tuple[float, float]:
        """Write a text, behind a symbol that is `indent` pixels wide and before `room` pixels; the place of the
        symbol."""
        width = indent + line_width(text, 15)
        if self.left > self.first and self.left + width + room > self.right:
            self.left = self.first
            self.y += LEGEND_STEP
            self.rows += 1
        left = self.left
        self.canvas.add(Text(left + indent, self.y, text, 15, colour))
        self.left += width + room + 14.0
        return left, self.y


def draw_mark_legend(
    canvas: Canvas,
    place: tuple[float, float],
    level: Level,
    plans: Sequence[Plan],
    ground: PlanGround,
    paths: Sequence[DrawnPath],
    has_start: bool = True,
    is_grey: bool = False,
) -> int:
    """The marks of the start, of the ends of paths and, where a plan shows them, of the goal, zones, platforms, walls
    and steep ground; where north is; and the colours of the ground. is_grey: of plans below a heat map, which show no
    heights, zones and platforms. The number of its rows."""
    row = LegendRow(canvas, place, canvas.width - MARGIN)
    if has_start:
        left, y = row.add("start", 42.0)
        canvas.add(Circle(left + 15.0, y - 5.0, START_RADIUS, palette.SPAWN, WHITE, 2.0))
    if paths and paths[0].label:
        left, y = row.add("end", 30.0)
        canvas.add(Line([(left + 15.0, y + 4.0), (left + 15.0, y - 8.0)], INK, 1.0))
        canvas.add(Circle(left + 15.0, y + 2.0, 3.0, PALE_INK), Circle(left + 15.0, y - 11.0, 6.0, PALE_INK))
    elif paths:
        left, y = row.add("end", 30.0)
        canvas.add(Circle(left + 15.0, y - 5.0, END_RADIUS, paths[0].colour))
    if level.goal is not None and any(plan.shows(level.goal.at, GOAL_RADIUS + 1.0) for plan in plans):
        left, y = row.add("goal", 34.0)
        canvas.add(Circle(left + 15.0, y - 5.0, GOAL_RADIUS, palette.GOAL, WHITE, 2.0))
        canvas.add(Circle(left + 15.0, y - 5.0, 3.0, WHITE))
    draw_ground_legend(row, level, plans, ground, is_grey)
    return row.rows


def draw_ground_legend(
    row: LegendRow, level: Level, plans: Sequence[Plan], ground: PlanGround, is_grey: bool = False
) -> None:
    """Zones, platforms, walls and steep ground, where plans show them, the direction of north, and the heights."""
    areas = () if is_grey else (area for plan in plans for area in plan_areas(level, plan.window, plan.storey))
    for colour in dict.fromkeys(area.colour for area in areas):
        left, y = row.add(NAMES[colour], 34.0)
        box = [(left + 8.0, y - 12.0), (left + 26.0, y - 12.0), (left + 26.0, y + 2.0), (left + 8.0, y + 2.0)]
        (red, green, blue) = np.round(height_colour(np.array(ground.low), *ground.scale)).astype(int).tolist()
        row.canvas.add(Polygon(box, (red, green, blue)), Polygon(box, colour, FILL_OPACITY[colour]))
        row.canvas.add(Line([*box, box[0]], colour, 1.5, 0.9))
    if ground.has_walls:
        _draw_swatch(row, "wall", floor_plans.SOLID_COLOUR, is_grey)
    if ground.has_steep:
        _draw_swatch(row, "too steep to walk", floor_plans.STEEP_COLOUR, is_grey, is_hatched=True)
    if ground.has_unreached:
        _draw_swatch(row, "room to stand, but not reached", floor_plans.UNREACHED_COLOUR, is_hatched=True)
    row.add("north is up", 14.0, colour=PALE_INK)
    if not is_grey:
        _draw_height_legend(row, ground)


def _draw_swatch(row: LegendRow, text: str, colour: Colour, is_grey: bool = False, is_hatched: bool = False) -> None:
    left, y = row.add(text, 34.0)
    red, green, blue = (greyed(np.array(colour)) if is_grey else np.array(colour)).tolist()
    row.canvas.add(Rectangle(left + 8.0, y - 12.0, 18.0, 14.0, (red, green, blue), FRAME))
    dark = round(0.82 * red), round(0.82 * green), round(0.82 * blue)
    for x in (left + 8.0, left + 17.0) if is_hatched else ():
        row.canvas.add(Line([(x + 1.0, y - 11.0), (x + 9.0, y + 1.0)], dark, 2.5))


def _draw_height_legend(row: LegendRow, ground: PlanGround) -> None:
    """The colours of the ground from its lowest to its highest height (m); one colour where both read the same."""
    low, high = (f"{format_metres(height)} m" for height in (ground.low, ground.high))
    steps, width = (HEIGHT_LEGEND_STEPS, HEIGHT_LEGEND_WIDTH) if low != high else (1, 18.0)
    high = f"{'≥ ' if ground.is_higher else ''}{high}" if low != high else ""
    text = f"ground {'≤ ' if ground.is_lower else ''}{low}"
    left, y = row.add(text, 14.0, width + 16.0 + line_width(high, 15))
    left += 22.0 + line_width(text, 15)
    colours = height_colour(np.linspace(ground.low, ground.high, steps), *ground.scale)
    _draw_colour_scale(row.canvas, left, y, width, colours.tolist())
    if high:
        row.canvas.add(Text(left + width + 8.0, y, high, 15, INK))


def _draw_colour_scale(canvas: Canvas, left: float, y: float, width: float, colours: Sequence[Sequence[float]]) -> None:
    """Colours side by side in a frame."""
    step = width / len(colours)
    for k, colour in enumerate(colours):
        red, green, blue = (round(value) for value in colour)
        overlap = 0.6 * (k < len(colours) - 1)
        canvas.add(Rectangle(left + k * step, y - 13.0, step + overlap, 15.0, (red, green, blue)))
    canvas.add(Rectangle(left, y - 13.0, width, 15.0, None, FRAME))


def draw_failure_legend(canvas: Canvas, place: tuple[float, float], kinds: Sequence[str]) -> None:
    """The marks of the body before and after a failure, and of the failing tick in the charts."""
    row = LegendRow(canvas, place, math.inf)
    turns = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False).tolist()
    for text, is_after in ((f"body before the failure ({', '.join(kinds)})", False), ("after it", True)):
        left, y = row.add(text, 42.0)
        outline = [(left + 15.0 + 11.0 * math.cos(turn), y - 5.0 + 7.0 * math.sin(turn)) for turn in turns]
        draw_body(canvas, outline, is_after)
    left, y = row.add("its tick", 26.0)
    draw_tick_mark(canvas, left + 15.0, y - 13.0, y + 3.0)


def draw_heat_legend(canvas: Canvas, place: tuple[float, float], heat: HeatMap, count: int, is_below: bool) -> None:
    """The scale of the heat map, with its text below or beside it. count: number of walks."""
    left, y = place
    colours = palette.heat_colours(np.linspace(0.0, 1.0, HEAT_LEGEND_STEPS))
    _draw_colour_scale(canvas, left, y - 2.0, HEAT_LEGEND_WIDTH, colours.tolist())
    least, most = heat.longest * LEAST_SHARE, heat.longest
    who = "" if count == 1 else f" of {count} walks together"
    text = f"time at a place: {least:.2g} to {most:.3g} s/m²{who}, logarithmic"
    text_at = (left, y + 20.0) if is_below else (left + HEAT_LEGEND_WIDTH + 14.0, y - 2.0)
    canvas.add(Text(*text_at, elide_text(text, 15, canvas.width - text_at[0] - MARGIN / 2), 15, INK))
