"""Marks on plans: symbols of a level's entities, pins at the ends of paths, and bodies before and after a failure."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..core.angles import RADIANS_PER_HEADING_UNIT
from .canvas import INK, WHITE, Canvas, Circle, Colour, Line, Points, Polygon, Text
from .palette import AFTER_FAILURE, FAILURE
from .plan import DrawnPath, Plan

SMALL_BODY = 10.0  # pixels: a smaller body of a failure has a ring
START_RADIUS, END_RADIUS, GOAL_RADIUS = 6.5, 4.5, 8.0  # pixels
PIN_RADIUS, PIN_DISTANCE, PIN_GAP = 9.0, 24.0, 19.0  # pixels: of a disc, from the end of its path, and to the next

STAR = [
    (r * math.sin(k * math.pi / 5), -r * math.cos(k * math.pi / 5)) for k, r in enumerate((1.0, 0.45) * 5)
]  # corners of symbols, of radius 1
ARROW = [(0.0, -1.0), (0.72, 0.8), (0.0, 0.42), (-0.72, 0.8)]  # to the north
DIAMOND = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)]
SQUARE = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]


def draw_symbol(
    canvas: Canvas, x: float, y: float, corners: Points, radius: float, colour: Colour, heading: int = 0
) -> None:
    """A symbol with a white rim at a pixel, turned to a heading (65536 to the turn, counter-clockwise from north)."""
    angle = heading * RADIANS_PER_HEADING_UNIT
    s, c = radius * math.sin(angle), radius * math.cos(angle)
    points = [(x + c * u + s * v, y - s * u + c * v) for u, v in corners]
    canvas.add(Polygon(points, colour), Line([*points, *points[:2]], WHITE, 1.5))


def draw_number(canvas: Canvas, x: float, y: float, text: str, colour: Colour, radius: float = PIN_RADIUS) -> None:
    """A disc with a white rim and a short text in it."""
    canvas.add(Circle(x, y, radius, colour, WHITE, 1.5), Text(x, y + 4.5, text, 13, WHITE, "m"))


def draw_body(canvas: Canvas, outline: Points, is_after: bool = False) -> None:
    """The outline (pixels) of a body before a failure, with a ring around it where it is small; of one after it a
    line."""
    closed = [*outline, *outline[:2]]
    if is_after:
        canvas.add(Line(closed, WHITE, 4.0), Line(closed, AFTER_FAILURE, 2.0))
        return
    canvas.add(Line(closed, WHITE, 5.0), Polygon(outline, FAILURE, 0.6), Line(closed, INK, 2.0))
    x, y = (sum(values) / len(outline) for values in zip(*outline, strict=True))
    if max(math.dist((x, y), point) for point in outline) < SMALL_BODY:
        canvas.add(Circle(x, y, SMALL_BODY + 5.5, None, WHITE, 5.0), Circle(x, y, SMALL_BODY + 4.0, None, INK, 2.0))


def draw_ends(
    canvas: Canvas, plan: Plan, paths: Sequence[DrawnPath], ring: tuple[float, float, float] | None = None
) -> None:
    """Discs at the ends of paths that a plan shows, and pins with the labels. ring: its centre and radius, in pixels,
    which pins leave visible."""
    ended = [path for path in paths if len(path.points) and plan.shows(path.points[-1])]
    for path in ended:
        plan.draw_disc(canvas, path.points[-1], END_RADIUS, path.colour)
    labelled = sorted((path for path in ended if path.label), key=lambda path: path.label)
    ends = [plan.to_canvas(path.points[-1, 0], path.points[-1, 2]) for path in labelled]
    places = pin_places(plan, ends, ring)
    for end, place in zip(ends, places, strict=True):
        canvas.add(Line([end, place], WHITE, 2.6), Line([end, place], INK, 1.0))
    for path, (x, y) in zip(labelled, places, strict=True):
        draw_number(canvas, x, y, path.label, path.colour)


def pin_places(
    plan: Plan, ends: Sequence[tuple[float, float]], ring: tuple[float, float, float] | None
) -> list[tuple[float, float]]:
    """Pixels of the discs of path ends: above them, or below where the top edge or the ring is near, so that what lies
    at an end shows. Discs of ends close together stand side by side, in the order of the ends from the left."""
    order = sorted(range(len(ends)), key=lambda k: (ends[k][0], k))
    groups: list[list[int]] = []
    for k in order:
        near = [g for g in groups if any(math.dist(ends[k], ends[other]) < 2.0 * PIN_GAP for other in g)]
        groups = [g for g in groups if g not in near]
        groups.append(sorted([*(other for g in near for other in g), k], key=order.index))
    places = dict.fromkeys(order, (0.0, 0.0))
    right = plan.left + plan.window.size[0]
    for group in groups:
        width = (len(group) - 1) * PIN_GAP
        first = sum(ends[k][0] for k in group) / len(group) - width / 2
        first = max(plan.left + PIN_RADIUS, min(first, right - PIN_RADIUS - width))
        columns = [first + number * PIN_GAP for number in range(len(group))]
        y = min(ends[k][1] for k in group) - PIN_DISTANCE
        is_on_ring = ring is not None and any(math.dist((x, y), ring[:2]) < ring[2] + PIN_RADIUS for x in columns)
        if y - PIN_RADIUS < plan.top or is_on_ring:
            y = max(ends[k][1] for k in group) + PIN_DISTANCE
        places.update({k: (x, y) for k, x in zip(group, columns, strict=True)})
    return [places[k] for k in range(len(ends))]
