"""Plan panel: a storey of a level from above with paths, a heat map, spawn and goal."""

from __future__ import annotations

from collections.abc import Sequence
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
from .figure import Box, Circle, Figure, Line, Picture, Text
from .heat_map import HeatMap

PLAN_DETAIL = 2.0  # pixels of the plan for a pixel of the figure
MAX_LINE_POINTS = 6000
GREY_SHARE = 0.75  # of the plan under a heat map, whose colours must stand out


@dataclass(frozen=True)
class PlanSource:
    """What all panels of a level share. heights: lowest and highest ground of the colours, m."""

    level: Level
    heights: tuple[float, float]

    @cached_property
    def solids(self) -> Floats:
        """(n,3,3): the triangles that bound solids."""
        return run_map.solid_triangles(self.level)

    def pixels(self, window: PlanWindow, storey: Storey) -> NDArray[np.uint8]:
        """(h,w,3): the plan of a storey."""
        view = floor_plans.render_plan_view(self.level.mesh, self.solids, window, storey, 1)
        return floor_plans.paint_plan(
            view, storey, self.heights, 1.0 / window.scale, max_slope=self.level.player.max_slope
        )


@dataclass(frozen=True, slots=True)
class DrawnPath:
    """A path with its colour. label: short text in a disc at its end; empty for none. has_outline: a pale rim."""

    points: Floats
    colour: Colour
    width: float = 2.4
    opacity: float = 1.0
    label: str = ""
    has_outline: bool = True


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
    ) -> None:
        """Draw the plan, the heat map, the paths from the last to the first, the starts (default: of the paths) and the
        goal."""
        width, height = self.window.size
        fine = PlanWindow(
            self.window.west, self.window.north, self.window.east, self.window.south, self.window.scale * PLAN_DETAIL
        )
        pixels = source.pixels(fine, self.storey)
        if heat is not None:
            pixels = heat.blend(_greyed(pixels), fine, self.storey)
        figure.add(Picture(self.left, self.top, width, height, pixels))
        for path in reversed(paths):
            self._draw_path(figure, path)
        self._draw_marks(figure, source.level, paths, starts)
        figure.add(Box(self.left - 0.5, self.top - 0.5, width + 1, height + 1, None, palette.FRAME))

    def _draw_path(self, figure: Figure, path: DrawnPath) -> None:
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
                    if is_visible and path.has_outline:
                        figure.add(Line(line, palette.OUTLINE, path.width + 2.0, 0.85))
                    figure.add(Line(line, path.colour, path.width, path.opacity * (1.0 if is_visible else 0.25)))

    def _draw_marks(
        self, figure: Figure, level: Level, paths: Sequence[DrawnPath], starts: Sequence[Floats] | None
    ) -> None:
        if level.goal is not None and self.shows(np.array(level.goal.at)):
            x, y = self.to_figure(level.goal.at[0], level.goal.at[2])
            figure.add(Circle(x, y, 8.0, palette.GOAL, palette.OUTLINE, 2.0), Circle(x, y, 3.0, palette.OUTLINE))
        places = [path.points[0] for path in paths if len(path.points)] if starts is None else list(starts)
        for start in {tuple(np.round(place, 1).tolist()): place for place in places}.values():
            if self.shows(start):
                x, y = self.to_figure(start[0], start[2])
                figure.add(Circle(x, y, 6.5, palette.SPAWN, palette.OUTLINE, 2.0))
        taken: list[tuple[float, float]] = []
        for path in paths:
            if not path.label or not len(path.points) or not self.shows(path.points[-1]):
                continue
            x, y = self.to_figure(path.points[-1, 0], path.points[-1, 2])
            while any(abs(x - u) < 17.0 and abs(y - v) < 8.0 for u, v in taken):
                x += 18.0  # beside the end of another walk
            taken.append((x, y))
            figure.add(Circle(x, y, 9.0, path.colour, palette.OUTLINE, 1.5))
            figure.add(Text(x, y + 4.5, path.label, 13, palette.OUTLINE, "m"))

    def shows(self, point: Floats) -> bool:
        """Whether a point (x, y, z) lies on the panel."""
        window = self.window
        is_inside = window.west <= point[0] <= window.east and window.north <= point[2] <= window.south
        return bool(is_inside and self.storey.contains(np.array([point[1]]))[0])


def _greyed(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A pale plan with little colour."""
    colour = pixels.astype(np.float64)
    grey = colour @ np.array((0.2126, 0.7152, 0.0722))
    mixed = (1.0 - GREY_SHARE) * colour + GREY_SHARE * grey[..., None]
    return np.asarray(0.6 * mixed + 0.4 * 255.0, np.uint8)
