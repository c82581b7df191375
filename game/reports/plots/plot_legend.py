"""Legends of plots: walks, marks, kinds of ground and their heights, heat."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from ...level import Level
from ...maps import floor_plans
from ...maps.floor_plans import height_colour
from ...maps.map_canvas import Colour, elide_text
from ...text.font_stack import line_width
from ..drawn_walk import DrawnWalk
from . import palette
from .chart import draw_tick_mark
from .figure import Box, Circle, Figure, Line, Polygon, Text
from .heat_map import LEAST_SHARE, HeatMap
from .plan_ground import PlanGround
from .plan_panel import END_RADIUS, DrawnPath, PlanPanel, draw_body, greyed
from .plan_zones import FILL_OPACITY, NAMES, plan_shapes

MARGIN = 32  # pixels around a sheet
LEGEND_STEP = 24.0  # pixels from row to row
MAX_NAMED_WALKS = len(palette.WALK_COLOURS)  # walks with a colour and a line each; more have one colour, and a band
MANY_WIDTH = 2.0  # pixels
HEIGHT_LEGEND_STEPS, HEIGHT_LEGEND_WIDTH = 32, 120.0  # colours, pixels


def line_widths(count: int, thinnest: float = 2.8, step: float = 3.8, room: float = 6.0) -> list[float]:
    """Widths (pixels) of lines that are drawn above each other, from the lowest, which is the widest. step: from one to
    the next, at most; room: between the first and the last, at most."""
    if count == 1 or count > MAX_NAMED_WALKS:
        return [thinnest] * count
    step = min(step, room / (count - 1))
    return [thinnest + step * (count - 1 - k) for k in range(count)]


def draw_walk_legend(figure: Figure, place: tuple[float, float], walks: Sequence[DrawnWalk], room: float) -> None:
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


class _LegendRow:
    """Entries of a legend from the left to the right, in further rows where one is full."""

    def __init__(self, figure: Figure, place: tuple[float, float], right: float) -> None:
        self.figure, self.first, self.right = figure, place[0], right
        self.left, self.y = place
        self.rows = 1

    def add(self, text: str, indent: float, room: float = 0.0, colour: Colour = palette.INK) -> tuple[float, float]:
        """Write a text, behind a symbol that is `indent` pixels wide and before `room` pixels; the place of the
        symbol."""
        width = indent + line_width(text, 15)
        if self.left > self.first and self.left + width + room > self.right:
            self.left, self.y, self.rows = self.first, self.y + LEGEND_STEP, self.rows + 1
        left = self.left
        self.figure.add(Text(left + indent, self.y, text, 15, colour))
        self.left += width + room + 14.0
        return left, self.y


def draw_mark_legend(
    figure: Figure,
    place: tuple[float, float],
    level: Level,
    panels: Sequence[PlanPanel],
    ground: PlanGround,
    paths: Sequence[DrawnPath],
    has_start: bool = True,
    is_grey: bool = False,
) -> int:
    """The marks of the start, of the ends of paths and, where a plan shows them, of the goal, zones, platforms, walls
    and steep ground; where north is; and the colours of the ground. is_grey: of plans below a heat map, which show no
    heights, zones and platforms. The number of its rows."""
    row = _LegendRow(figure, place, figure.width - MARGIN)
    if has_start:
        left, y = row.add("start", 42.0)
        figure.add(Circle(left + 15.0, y - 5.0, 6.5, palette.SPAWN, palette.OUTLINE, 2.0))
    if paths:
        left, y = row.add("end", 30.0)
        is_pin = bool(paths[0].label)
        if is_pin:
            figure.add(Line([(left + 15.0, y + 4.0), (left + 15.0, y - 8.0)], palette.INK, 1.0))
        colour = palette.PALE_INK if is_pin else paths[0].colour
        figure.add(Circle(left + 15.0, y + 2.0 if is_pin else y - 5.0, 3.0 if is_pin else END_RADIUS, colour))
        if is_pin:
            figure.add(Circle(left + 15.0, y - 11.0, 6.0, colour))
    if any(panel.shows_goal(level) for panel in panels):
        left, y = row.add("goal", 34.0)
        figure.add(Circle(left + 15.0, y - 5.0, 8.0, palette.GOAL, palette.OUTLINE, 2.0))
        figure.add(Circle(left + 15.0, y - 5.0, 3.0, palette.OUTLINE))
    for colour in () if is_grey else _zone_colours(level, panels):
        left, y = row.add(NAMES[colour], 34.0)
        box = _swatch(left, y)
        (red, green, blue) = np.round(height_colour(np.array(ground.low), *ground.scale)).astype(int).tolist()
        figure.add(Polygon(box, (red, green, blue)), Polygon(box, colour, FILL_OPACITY[colour]))
        figure.add(Line([*box, box[0]], colour, 1.5, 0.9))
    _draw_kinds_of_ground(row, ground, is_grey)
    row.add("north is up", 14.0, colour=palette.PALE_INK)
    if not is_grey:
        _draw_height_legend(row, ground)
    return row.rows


def _swatch(left: float, y: float) -> list[tuple[float, float]]:
    """Corners of a box beside a text."""
    return [(left + 8.0, y - 12.0), (left + 26.0, y - 12.0), (left + 26.0, y + 2.0), (left + 8.0, y + 2.0)]


def _zone_colours(level: Level, panels: Sequence[PlanPanel]) -> Iterable[Colour]:
    """Colours of the zones and platforms that plans show."""
    shapes = (shape for panel in panels for shape in plan_shapes(level, panel.window, panel.storey))
    return dict.fromkeys(shape.colour for shape in shapes)


def _draw_kinds_of_ground(row: _LegendRow, ground: PlanGround, is_grey: bool) -> None:
    """Walls and steep ground, where plans show them."""
    kinds = (
        (ground.has_walls, "wall", floor_plans.SOLID_COLOUR),
        (ground.has_steep, "too steep to walk", floor_plans.STEEP_COLOUR),
    )
    for is_shown, name, colour in kinds:
        if not is_shown:
            continue
        left, y = row.add(name, 34.0)
        red, green, blue = (greyed(np.array(colour)) if is_grey else np.array(colour)).tolist()
        row.figure.add(Box(left + 8.0, y - 12.0, 18.0, 14.0, (red, green, blue), palette.FRAME))
        if colour == floor_plans.STEEP_COLOUR:
            dark = round(0.82 * red), round(0.82 * green), round(0.82 * blue)
            for x in (left + 8.0, left + 17.0):
                row.figure.add(Line([(x + 1.0, y - 11.0), (x + 9.0, y + 1.0)], dark, 2.5))


def _draw_height_legend(row: _LegendRow, ground: PlanGround) -> None:
    """The colours of the ground from its lowest to its highest height (m); one colour where both read the same."""
    low, high = (f"{round(height, 1) + 0.0:.1f} m" for height in (ground.low, ground.high))
    steps, width = (HEIGHT_LEGEND_STEPS, HEIGHT_LEGEND_WIDTH) if low != high else (1, 18.0)
    high = f"{'≥ ' if ground.is_higher else ''}{high}" if low != high else ""
    text = f"ground {'≤ ' if ground.is_lower else ''}{low}"
    left, y = row.add(text, 14.0, width + 16.0 + line_width(high, 15))
    left += 22.0 + line_width(text, 15)
    values = height_colour(np.linspace(ground.low, ground.high, steps), *ground.scale)
    for k, (red, green, blue) in enumerate(np.round(values).astype(int).tolist()):
        box = Box(left + k * width / steps, y - 13.0, width / steps + 0.6 * (k < steps - 1), 15.0, (red, green, blue))
        row.figure.add(box)
    row.figure.add(Box(left, y - 13.0, width, 15.0, None, palette.FRAME))
    if high:
        row.figure.add(Text(left + width + 8.0, y, high, 15, palette.INK))


def draw_failure_legend(figure: Figure, place: tuple[float, float], kinds: Sequence[str]) -> None:
    """The marks of the body before and after a failure, and of the failing tick in the charts."""
    row = _LegendRow(figure, place, math.inf)
    turns = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False).tolist()
    for text, is_after in ((f"body before the failure ({', '.join(kinds)})", False), ("after it", True)):
        left, y = row.add(text, 42.0)
        outline = [(left + 15.0 + 11.0 * math.cos(turn), y - 5.0 + 7.0 * math.sin(turn)) for turn in turns]
        draw_body(figure, outline, is_after)
    left, y = row.add("its tick", 26.0)
    draw_tick_mark(figure, left + 15.0, y - 13.0, y + 3.0)


def draw_heat_legend(figure: Figure, place: tuple[float, float], heat: HeatMap, count: int, is_below: bool) -> None:
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
