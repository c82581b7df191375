"""Plan panel: a storey of a level from above with paths, a heat map, spawn and goal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.vectors import Floats
from ...level import Level
from ...maps import floor_plans, run_map
from ...maps.floor_plans import Storey
from ...maps.map_canvas import Colour, PlanWindow
from . import palette
from .figure import Box, Circle, Figure, Line, Picture, Points, Polygon, Text
from .heat_map import HeatMap
from .plan_zones import plan_shapes

PLAN_DETAIL = 2.0  # pixels of the plan for a pixel of the figure
MAX_LINE_POINTS = 6000
OUTLINE_OPACITY, FAINT_OPACITY = 0.85, 0.25  # of the pale rim of paths, and of paths on other storeys
END_RADIUS = 4.5  # pixels
SMALL_BODY = 10.0  # pixels: a smaller body of a failure has a ring
MARK_RADIUS, MARK_DISTANCE, MARK_GAP = 9.0, 24.0, 19.0  # pixels: of a disc, from the end of its path, and to the next
FLAT = (1e9, 2e9)  # m: heights of the colours of plans under a heat map, which show all ground as one
GOAL_RADIUS = 8.0  # pixels


@dataclass(frozen=True)
class PlanSource:
    """What all panels of a level share. heights: lowest and highest ground of the colours, m."""

    level: Level
    heights: tuple[float, float]

    @cached_property
    def solids(self) -> Floats:
        """(n,3,3): the triangles that bound solids."""
        return run_map.solid_triangles(self.level)

    def pixels(self, window: PlanWindow, storey: Storey, heat: HeatMap | None = None) -> NDArray[np.uint8]:
        """(h,w,3): the plan of a storey; below a heat map a pale and grey one, without heights."""
        view = floor_plans.render_plan_view(self.level.mesh, self.solids, window, storey, 1)
        slope = self.level.player.max_slope
        heights = self.heights if heat is None else FLAT
        plan = floor_plans.paint_plan(view, storey, heights, 1.0 / window.scale, max_slope=slope)
        return plan if heat is None else heat.blend(greyed(plan), view, window, storey)


@dataclass(frozen=True, slots=True)
class DrawnPath:
    """A path with its colour. label: short text of a pin at its end; without one the end is a disc."""

    points: Floats
    colour: Colour
    width: float = 2.4
    label: str = ""


@dataclass(frozen=True, slots=True)
class Ring:
    """A ring around a place (x, y, z) in m; radius: pixels."""

    place: Floats
    radius: float


@dataclass(frozen=True, slots=True)
class DrawnBody:
    """Outline (n,3) of a body from above, m. is_after: after a failure, not before it."""

    outline: Floats
    is_after: bool = False


@dataclass(frozen=True, slots=True)
class PlanPanel:
    """Place of a plan in a figure: left and top in pixels, the window of the plan, and its storey."""

    left: float
    top: float
    window: PlanWindow
    storey: Storey

    def to_figure(self, x: Any, z: Any) -> tuple[Any, Any]:
        """The pixel of the figure at a point of the plan, or the pixels of arrays of them."""
        window = self.window
        return self.left + (x - window.west) * window.scale, self.top + (z - window.north) * window.scale

    def draw(
        self,
        figure: Figure,
        source: PlanSource,
        paths: Sequence[DrawnPath],
        heat: HeatMap | None = None,
        starts: Sequence[Floats] | None = None,
        ring: Ring | None = None,
        bodies: Sequence[DrawnBody] = (),
    ) -> None:
        """Draw the plan with its zones and platforms, or with the heat map. Then the paths, each above those before,
        the ring, the starts (default: of the paths), the bodies, the goal and the ends."""
        width, height = self.window.size
        fine = PlanWindow(
            self.window.west, self.window.north, self.window.east, self.window.south, self.window.scale * PLAN_DETAIL
        )
        figure.add(Picture(self.left, self.top, width, height, source.pixels(fine, self.storey, heat)))
        for shape in () if heat is not None else plan_shapes(source.level, self.window, self.storey):
            points = [self.to_figure(x, z) for x, z in shape.corners]
            figure.add(Polygon(points, shape.colour, shape.opacity))
            figure.add(Line([*points, points[0]], shape.colour, 1.5, 0.9))
        lines = [line for path in paths for line in self._path_lines(path)]
        figure.add(*(line for line in lines if line.opacity < 1.0))
        clear = [line for line in lines if line.opacity == 1.0]
        figure.add(*(Line(line.points, palette.OUTLINE, line.width + 2.0, OUTLINE_OPACITY) for line in clear), *clear)
        centre = None
        if ring is not None and self.shows(ring.place):
            x, y = centre = self.to_figure(ring.place[0], ring.place[2])
            figure.add(Circle(x, y, ring.radius + 1.5, None, palette.OUTLINE, 5.0))
            figure.add(Circle(x, y, ring.radius, None, palette.INK, 2.0))
        self._draw_marks(figure, source.level, paths, starts)
        for body in bodies:
            if self.shows(body.outline.mean(axis=0)):
                draw_body(figure, [self.to_figure(x, z) for x, _, z in body.outline.tolist()], body.is_after)
        ended = [path for path in paths if len(path.points) and self.shows(path.points[-1])]
        for path in ended:
            x, y = self.to_figure(path.points[-1, 0], path.points[-1, 2])
            figure.add(Circle(x, y, END_RADIUS, path.colour, palette.OUTLINE, 1.5))
        labelled = [path for path in ended if path.label]
        self._draw_labels(
            figure,
            sorted(labelled, key=lambda path: path.label),
            None if ring is None or centre is None else (*centre, ring.radius),
        )
        figure.add(Box(self.left - 0.5, self.top - 0.5, width + 1, height + 1, None, palette.FRAME))

    def _path_lines(self, path: DrawnPath) -> Iterator[Line]:
        """The lines of a path; faint ones on other storeys."""
        inside = self.storey.contains(path.points[:, 1]).astype(np.int8)
        window, x, z = self.window, path.points[:, 0], path.points[:, 2]
        is_outside = (x < window.west) | (x > window.east) | (z < window.north) | (z > window.south)
        inside[is_outside] = 2
        step = max(1, len(path.points) // MAX_LINE_POINTS)
        for first, last in run_map.continuous_ranges(path.points):
            for is_visible in (False, True):
                for a, b in run_map.flag_ranges(inside[first:last] == is_visible, True):
                    end = min(first + b + 1, last)
                    piece = path.points[first + a : end - int(is_outside[end - 1])]
                    if len(piece) < 2:
                        continue
                    kept = np.concatenate((piece[::step], piece[-1:]))
                    line = [self.to_figure(x, z) for x, _, z in kept.tolist()]
                    yield Line(line, path.colour, path.width, 1.0 if is_visible else FAINT_OPACITY)

    def _draw_marks(
        self, figure: Figure, level: Level, paths: Sequence[DrawnPath], starts: Sequence[Floats] | None
    ) -> None:
        if level.goal is not None and self.shows_goal(level):
            x, y = self.to_figure(level.goal.at[0], level.goal.at[2])
            figure.add(
                Circle(x, y, GOAL_RADIUS, palette.GOAL, palette.OUTLINE, 2.0), Circle(x, y, 3.0, palette.OUTLINE)
            )
        places = [path.points[0] for path in paths if len(path.points)] if starts is None else list(starts)
        for start in {tuple(np.round(place, 1).tolist()): place for place in places}.values():
            if self.shows(start):
                x, y = self.to_figure(start[0], start[2])
                figure.add(Circle(x, y, 6.5, palette.SPAWN, palette.OUTLINE, 2.0))

    def _draw_labels(
        self, figure: Figure, labelled: Sequence[DrawnPath], ring: tuple[float, float, float] | None
    ) -> None:
        """Pins: discs with the labels of paths on stems. ring: pixels of the centre, and radius."""
        ends = [self.to_figure(path.points[-1, 0], path.points[-1, 2]) for path in labelled]
        marks = self._mark_places(ends, ring)
        for end, mark in zip(ends, marks, strict=True):
            figure.add(Line([end, mark], palette.OUTLINE, 2.6), Line([end, mark], palette.INK, 1.0))
        for path, (x, y) in zip(labelled, marks, strict=True):
            figure.add(Circle(x, y, MARK_RADIUS, path.colour, palette.OUTLINE, 1.5))
            figure.add(Text(x, y + 4.5, path.label, 13, palette.OUTLINE, "m"))

    def _mark_places(
        self, ends: Sequence[tuple[float, float]], ring: tuple[float, float, float] | None
    ) -> list[tuple[float, float]]:
        """Pixels of the discs of path ends: above them, or below where the top edge or the ring is near, so that what
        lies at an end shows. Discs of ends close together stand side by side, in the order of the ends from the left.
        """
        order = sorted(range(len(ends)), key=lambda k: (ends[k][0], k))
        groups: list[list[int]] = []
        for k in order:
            near = [g for g in groups if any(math.dist(ends[k], ends[other]) < 2.0 * MARK_GAP for other in g)]
            groups = [g for g in groups if g not in near]
            groups.append(sorted([*(other for g in near for other in g), k], key=order.index))
        places = dict.fromkeys(order, (0.0, 0.0))
        right = self.left + self.window.size[0]
        for group in groups:
            highest, lowest = min(ends[k][1] for k in group), max(ends[k][1] for k in group)
            width = (len(group) - 1) * MARK_GAP
            first = sum(ends[k][0] for k in group) / len(group) - width / 2
            first = max(self.left + MARK_RADIUS, min(first, right - MARK_RADIUS - width))
            y = highest - MARK_DISTANCE
            is_on_ring = ring is not None and any(
                math.dist((first + number * MARK_GAP, y), ring[:2]) < ring[2] + MARK_RADIUS
                for number in range(len(group))
            )
            if y - MARK_RADIUS < self.top or is_on_ring:
                y = lowest + MARK_DISTANCE
            places.update({k: (first + number * MARK_GAP, y) for number, k in enumerate(group)})
        return [places[k] for k in range(len(ends))]

    def shows(self, point: Floats) -> bool:
        """Whether a point (x, y, z) lies on the panel."""
        window = self.window
        is_inside = window.west <= point[0] <= window.east and window.north <= point[2] <= window.south
        return bool(is_inside and self.storey.contains(np.array([point[1]]))[0])

    def shows_goal(self, level: Level) -> bool:
        """Whether the whole mark of the goal lies on the panel."""
        if level.goal is None or not self.shows(np.array(level.goal.at)):
            return False
        x, y = self.window.to_pixel(level.goal.at[0], level.goal.at[2])
        (width, height), room = self.window.size, GOAL_RADIUS + 1.0
        return room <= x <= width - room and room <= y <= height - room


def draw_body(figure: Figure, outline: Points, is_after: bool = False) -> None:
    """The outline (pixels) of a body before a failure, with a ring around it where it is small; of one after it a
    line."""
    closed = [*outline, *outline[:2]]
    if is_after:
        figure.add(Line(closed, palette.OUTLINE, 4.0), Line(closed, palette.AFTER_FAILURE, 2.0))
        return
    figure.add(Line(closed, palette.OUTLINE, 5.0), Polygon(outline, palette.FAILURE, 0.6))
    figure.add(Line(closed, palette.INK, 2.0))
    x, y = (sum(values) / len(outline) for values in zip(*outline, strict=True))
    if max(math.dist((x, y), point) for point in outline) < SMALL_BODY:
        figure.add(Circle(x, y, SMALL_BODY + 5.5, None, palette.OUTLINE, 5.0))
        figure.add(Circle(x, y, SMALL_BODY + 4.0, None, palette.INK, 2.0))


def greyed(pixels: NDArray[Any]) -> NDArray[np.uint8]:
    """Colours (...,3) in 0..255 of a plan under a heat map: pale, and grey, so that the heat stands out."""
    grey = pixels.astype(np.float64) @ np.array((0.2126, 0.7152, 0.0722))
    return np.asarray(np.repeat(0.6 * grey[..., None] + 0.4 * 255.0, 3, axis=-1), np.uint8)
