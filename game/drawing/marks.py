"""Marks on plans: symbols of a level's entities, numbers, and discs at the ends of paths."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..core.angles import RADIANS_PER_HEADING_UNIT
from ..level import Level
from .canvas import INK, WHITE, Canvas, Circle, Colour, Line, Points, Polygon, Text
from .palette import EXIT, GOAL, SPAWN, TARGET
from .plan import DrawnPath, Plan

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
