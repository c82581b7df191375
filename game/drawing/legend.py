"""Marks on plans, titles and legends: symbols of entities, ends of paths, lines of walks, kinds of ground, heat."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.angles import RADIANS_PER_HEADING_UNIT
from ..level import Level
from ..text.fitting import elide_text
from ..text.font_stack import find_fonts, line_width
from . import floor_plans, palette
from .canvas import FRAME, INK, PALE_INK, WHITE, Canvas, Circle, Colour, Line, Points, Polygon, Rectangle, Text
from .heat_map import LEAST_SHARE, HeatMap
from .palette import EXIT, GOAL, SPAWN, TARGET
from .plan import FILL_OPACITY, NAMES, DrawnPath, Plan, PlanSource, format_metres, greyed, plan_areas

END_RADIUS = 4.5  # pixels
NUMBER_RADIUS, STEM = 9.0, 24.0  # pixels: of a disc with a text, and its distance from the end of its path

STAR = [
    (r * math.sin(k * math.pi / 5), -r * math.cos(k * math.pi / 5)) for k, r in enumerate((1.0, 0.45) * 5)
]  # corners of symbols, of radius 1
ARROW = [(0.0, -1.0), (0.72, 0.8), (0.0, 0.42), (-0.72, 0.8)]  # to the north
DIAMOND = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)]
SQUARE = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]


@dataclass(frozen=True, slots=True)
class Symbol:
    """The symbol of a kind of entity. name: in the legend; radius: pixels; places: points (x, y, z), m, each with a
    heading (65536 to the turn, counter-clockwise from north)."""

    name: str
    corners: Points
    radius: float
    colour: Colour
    places: Sequence[tuple[Sequence[float], int]]

    def draw(self, canvas: Canvas, x: float, y: float, heading: int = 0) -> None:
        """Draw the symbol with a white rim at a pixel."""
        angle = heading * RADIANS_PER_HEADING_UNIT
        s, c = self.radius * math.sin(angle), self.radius * math.cos(angle)
        points = [(x + c * u + s * v, y - s * u + c * v) for u, v in self.corners]
        canvas.add(Polygon(points, self.colour), Line([*points, *points[:2]], WHITE, 1.5))


def level_symbols(level: Level) -> list[Symbol]:
    """The symbols of the entities that a level has, in the order of drawing."""
    goals = [] if level.goal is None else [(level.goal.at, 0)]
    symbols = [
        Symbol("exit", SQUARE, 5.5, EXIT, [(one.at, 0) for one in level.exits]),
        Symbol("target", DIAMOND, 7.5, TARGET, [(target.at, 0) for target in level.targets]),
        Symbol("goal", STAR, 12.0, GOAL, goals),
        Symbol("spawn and its direction", ARROW, 10.0, SPAWN, [(spawn.feet, spawn.heading) for spawn in level.spawns]),
    ]
    return [symbol for symbol in symbols if symbol.places]


def draw_symbols(canvas: Canvas, plan: Plan, level: Level) -> None:
    """Draw the symbols of one storey. Their places may be just below its ground."""
    for symbol in level_symbols(level):
        for (x, y, z), heading in symbol.places:
            if plan.shows((x, y + 0.5, z)):
                symbol.draw(canvas, *plan.to_canvas(x, z), heading)


def draw_number(canvas: Canvas, x: float, y: float, text: str, colour: Colour, radius: float = NUMBER_RADIUS) -> None:
    """A disc with a white rim and a short text in it."""
    canvas.add(Circle(x, y, radius, colour, WHITE, 1.5), Text(x, y + 4.5, text, 13, WHITE, "m"))


def draw_ends(canvas: Canvas, plan: Plan, paths: Sequence[DrawnPath]) -> None:
    """Discs at the ends of paths that a plan shows. A label stands in a larger disc above the end (at the top of the
    plan below it), beside those of other paths."""
    places: list[tuple[float, float]] = []
    for path in paths:
        if not len(path.points) or not plan.shows(path.points[-1]):
            continue
        plan.draw_disc(canvas, path.points[-1], END_RADIUS, path.colour)
        if not path.label:
            continue
        end = x, y = plan.to_canvas(path.points[-1, 0], path.points[-1, 2])
        y += STEM if y - STEM - NUMBER_RADIUS < plan.top else -STEM
        while any(math.dist((x, y), other) < 2.0 * NUMBER_RADIUS for other in places):
            x += 2.0 * NUMBER_RADIUS
        places.append((x, y))
        canvas.add(Line([end, (x, y)], INK, 1.0))
        draw_number(canvas, x, y, path.label, path.colour)


MARGIN = 32  # pixels around a sheet
TITLE_HEIGHT = 66  # pixels
LEGEND_STEP = 24.0  # pixels from row to row
SCALE_STEPS = 32  # colours of a scale
HEIGHT_LEGEND_WIDTH, HEAT_LEGEND_WIDTH = 120.0, 264.0  # pixels


def draw_title(canvas: Canvas, title: str, subtitle: str, room: float) -> None:
    """Title and subtitle at the top left, cut to the room (pixels)."""
    find_fonts(title)
    canvas.add(Text(MARGIN, MARGIN + 22.0, elide_text(title, 28, room), 28, INK))
    canvas.add(Text(MARGIN, MARGIN + 46.0, elide_text(subtitle, 15, room), 15, PALE_INK))


class LegendRow:
    """Entries of a legend from the left to the right, in further rows where one is full."""

    def __init__(self, canvas: Canvas, left: float, y: float, right: float) -> None:
        self.canvas, self.first, self.left, self.y, self.right = canvas, left, left, y, right

    def add(self, text: str, indent: float, room: float = 0.0, colour: Colour = INK) -> tuple[float, float]:
        """Write a text, behind a symbol that is `indent` pixels wide and before `room` pixels; the place of the
        symbol."""
        width = indent + line_width(text, 15)
        if self.left > self.first and self.left + width + room > self.right:
            self.left = self.first
            self.y += LEGEND_STEP
        left = self.left
        self.canvas.add(Text(left + indent, self.y, text, 15, colour))
        self.left += width + room + 14.0
        return left, self.y

    def add_line(self, path: DrawnPath, text: str) -> None:
        """Write a text in a row of its own behind the line of a path, cut to the width of the canvas."""
        self.canvas.add(Line([(self.first, self.y - 5.0), (self.first + 30.0, self.y - 5.0)], path.colour, path.width))
        if path.label:
            draw_number(self.canvas, self.first + 15.0, self.y - 5.0, path.label, path.colour)
        self.canvas.add(Text(self.first + 42.0, self.y, elide_text(text, 15, self.right - self.first - 42.0), 15, INK))
        self.y += LEGEND_STEP


def draw_legend(row: LegendRow, plans: Sequence[Plan], source: PlanSource) -> None:
    """Symbols, zones and platforms that plans show, the kinds of ground, the direction of north, and the heights. Plans
    below a heat map are grey, and show no heights, zones and platforms."""
    for symbol in level_symbols(source.level):
        if any(plan.shows((x, y + 0.5, z)) for plan in plans for (x, y, z), _ in symbol.places):
            left, y = row.add(symbol.name, 34.0)
            symbol.draw(row.canvas, left + 15.0, y - 5.0)
    is_grey = source.heat is not None
    areas = () if is_grey else (area for plan in plans for area in plan_areas(source.level, plan.window, plan.storey))
    for colour in dict.fromkeys(colour for _, colour in areas):
        left, y = row.add(NAMES[colour], 34.0)
        box = [(left + 8.0, y - 12.0), (left + 26.0, y - 12.0), (left + 26.0, y + 2.0), (left + 8.0, y + 2.0)]
        row.canvas.add(Polygon(box, floor_plans.HEIGHT_GRADIENT[0]), Polygon(box, colour, FILL_OPACITY[colour]))
        row.canvas.add(Line([*box, box[0]], colour, 1.5, 0.9))
    _draw_swatch(row, "wall", floor_plans.SOLID_COLOUR, is_grey)
    _draw_swatch(row, "too steep to walk", floor_plans.STEEP_COLOUR, is_grey, is_hatched=True)
    if source.reach is not None:
        _draw_swatch(row, "room to stand, but not reached", floor_plans.UNREACHED_COLOUR, is_hatched=True)
    row.add("north is up", 14.0, colour=PALE_INK)
    if not is_grey:
        low, high = (format_metres(height) for height in source.heights)
        text, high = f"ground ≤ {low} m", f"≥ {high} m"
        left, y = row.add(text, 14.0, HEIGHT_LEGEND_WIDTH + 16.0 + line_width(high, 15))
        left += 22.0 + line_width(text, 15)
        colours = floor_plans.height_colour(np.linspace(*source.heights, SCALE_STEPS), *source.heights)
        _draw_colour_scale(row.canvas, left, y, HEIGHT_LEGEND_WIDTH, colours.tolist())
        row.canvas.add(Text(left + HEIGHT_LEGEND_WIDTH + 8.0, y, high, 15, INK))


def _draw_swatch(row: LegendRow, text: str, colour: Colour, is_grey: bool = False, is_hatched: bool = False) -> None:
    left, y = row.add(text, 34.0)
    red, green, blue = (greyed(np.array(colour)) if is_grey else np.array(colour)).tolist()
    row.canvas.add(Rectangle(left + 8.0, y - 12.0, 18.0, 14.0, (red, green, blue), FRAME))
    dark = round(0.82 * red), round(0.82 * green), round(0.82 * blue)
    for x in (left + 8.0, left + 17.0) if is_hatched else ():
        row.canvas.add(Line([(x + 1.0, y - 11.0), (x + 9.0, y + 1.0)], dark, 2.5))


def _draw_colour_scale(canvas: Canvas, left: float, y: float, width: float, colours: Sequence[Sequence[float]]) -> None:
    """Colours side by side in a frame."""
    step = width / len(colours)
    for k, (red, green, blue) in enumerate(colours):
        canvas.add(Rectangle(left + k * step, y - 13.0, step, 15.0, (round(red), round(green), round(blue))))
    canvas.add(Rectangle(left, y - 13.0, width, 15.0, None, FRAME))


def draw_heat_legend(row: LegendRow, heat: HeatMap, count: int) -> None:
    """The scale of the heat map in a row of its own. count: number of walks."""
    colours = palette.gradient(palette.HEAT_STOPS, np.linspace(0.0, 1.0, SCALE_STEPS))
    _draw_colour_scale(row.canvas, row.first, row.y, HEAT_LEGEND_WIDTH, colours.tolist())
    least, most = heat.longest * LEAST_SHARE, heat.longest
    who = "" if count == 1 else f" of {count} walks together"
    text = f"time at a place: {least:.2g} to {most:.3g} s/m²{who}, logarithmic"
    row.canvas.add(Text(row.first + HEAT_LEGEND_WIDTH + 14.0, row.y, text, 15, INK))
    row.y += LEGEND_STEP
