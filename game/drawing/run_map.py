"""Run map: the path of a run on floor plans of its level, without the roofs above it, or on a picture of the level."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..core.vectors import Floats
from ..level import Level
from . import floor_plans
from .canvas import WHITE, Canvas, Circle, Colour, Line, Picture
from .palette import GOAL, SPAWN
from .plan import (
    MAX_LINE_POINTS,
    OUTLINE_OPACITY,
    DrawnPath,
    PlanSource,
    arrange_plans,
    colour_range,
    continuous_ranges,
    path_extent,
)

MAP_SIZE = (440, 330)
STOREY_GAP = 6  # pixels between storeys
EXTENT_MARGIN = 2.0  # m around the path
DETAIL = 0.5  # of other plans: the game draws the map of a run while it is played
RUN_COLOUR: Colour = (214, 72, 40)
BEST_RUN_COLOUR: Colour = (70, 140, 200)
SPLIT_COLOUR: Colour = (124, 84, 168)


def draw_run_map(
    level: Level,
    path: Floats,
    best: Floats | None = None,
    marks: Sequence[Sequence[float]] = (),
    size: tuple[int, int] = MAP_SIZE,
    margin: float = EXTENT_MARGIN,
    has_goal_storey: bool = False,
    is_whole: bool = False,
) -> Canvas:
    """The plans with the path of the feet `path` (n,3), the path of the best run below it, and `marks` at splits
    (x, y, z). margin: m of the level around them. has_goal_storey: the plans show the goal also where the path does not
    come to its storey. is_whole: they show all of the level, and the scale."""
    canvas = Canvas(*size)
    if not len(path):
        return canvas
    goal = np.zeros((0, 3)) if level.goal is None else np.array([level.goal.at])
    storeys = floor_plans.find_path_storeys(level, np.concatenate((goal, path)) if has_goal_storey else path)
    shown = [path, goal] if best is None else [path, goal, best]
    extent = path_extent(np.concatenate([*shown, level.triangles.reshape(-1, 3)] if is_whole else shown), margin)
    source = PlanSource(level, colour_range(path[:, 1]), detail=DETAIL)
    paths = [DrawnPath(path, RUN_COLOUR)]
    if best is not None and len(best) > 1:
        paths.insert(0, DrawnPath(best, BEST_RUN_COLOUR, 1.6))
    layout = arrange_plans(storeys, extent, size, gap=STOREY_GAP, caption=0, is_filled=True)
    for plan in layout.plans:
        plan.draw_ground(canvas, source)
        if is_whole and plan is layout.plans[0]:
            plan.draw_scale_bar(canvas)
        plan.draw_paths(canvas, paths)
        for mark in marks:
            plan.draw_disc(canvas, mark, 4.7, SPLIT_COLOUR)
        plan.draw_disc(canvas, path[0], 5.9, SPAWN)
        plan.draw_disc(canvas, path[-1] if level.goal is None else level.goal.at, 6.3, GOAL)
    return canvas


def draw_run_picture(
    pixels: NDArray[np.uint8],
    project: Callable[[Floats], Floats],
    path: Floats,
    best: Floats | None = None,
    marks: Sequence[Sequence[float]] = (),
    size: tuple[int, int] = MAP_SIZE,
) -> Canvas:
    """A picture (h,w,3) of the level with the paths and marks of `draw_run_map`, also where walls hide them. It fills
    the height; its sides are cut where the path is not. project: places (n,2) of points (n,3), as fractions from the
    left and from the top; NaN behind the eye."""
    canvas = Canvas(*size)
    whole = size[1] * pixels.shape[1] / pixels.shape[0]  # width of the uncut picture
    scale = np.array((whole, size[1]))
    shift = np.zeros(2)

    def place(points: Floats) -> Floats:
        """Places on the canvas (n,2); NaN far outside of it."""
        fractions = project(points)
        return np.where((np.abs(fractions - 0.5) < 1.0).all(axis=1, keepdims=True), fractions * scale - shift, np.nan)

    across, down = place(path).T
    seen = across[(across >= 0.0) & (across <= whole) & (down >= 0.0) & (down <= size[1])]
    middle = float(seen.mean()) if len(seen) else whole / 2
    shift[0] = min(max(middle - size[0] / 2, 0.0), max(whole - size[0], 0.0))
    canvas.add(Picture(-float(shift[0]), 0.0, whole, size[1], pixels))
    lines = []
    paths = [] if best is None or not len(best) else [(best, BEST_RUN_COLOUR, 1.6)]
    for points, colour, width in (*paths, (path, RUN_COLOUR, 2.4)):
        for first, last in continuous_ranges(points):
            step = max(1, len(points) // MAX_LINE_POINTS)
            line = place(np.concatenate((points[first:last:step], points[last - 1 : last])))
            for part in np.split(line, np.flatnonzero(np.isnan(line[:, 0]))):
                kept = part[~np.isnan(part[:, 0])]
                if len(kept) > 1:
                    lines.append(Line(list(map(tuple, kept.tolist())), colour, width))
    canvas.add(*(Line(line.points, WHITE, line.width + 2.0, OUTLINE_OPACITY) for line in lines), *lines)
    ends = [(mark, SPLIT_COLOUR, 4.7) for mark in marks] + [(path[0], SPAWN, 5.9), (path[-1], GOAL, 6.3)]
    for point, colour, radius in ends:
        x, y = place(np.array([point]))[0].tolist()
        if not math.isnan(x):
            canvas.add(Circle(x, y, radius, colour, WHITE))
    return canvas
