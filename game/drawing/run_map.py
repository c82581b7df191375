"""Run map: the path of a run on floor plans of its level, without the roofs above it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.vectors import Floats
from ..level import Level
from . import floor_plans
from .canvas import Canvas, Colour
from .palette import GOAL, SPAWN
from .plan import DrawnPath, PlanSource, arrange_plans, colour_range, path_extent

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
