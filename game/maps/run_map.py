"""Run map: the path of a run on floor plans of its level, without the roofs above it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ..core.vectors import Floats
from . import floor_plans
from .floor_plans import Storey
from .map_canvas import GOAL_COLOUR, PAPER_COLOUR, SPAWN_COLOUR, Colour, MapLayer, PlanWindow

if TYPE_CHECKING:
    from ..level import Level

MAP_SIZE = (440, 330)
MAX_STOREYS = 4
STOREY_GAP = 6  # pixels between storeys
EXTENT_MARGIN = 2.0  # m around the path
MIN_EXTENT = 9.0  # m that are shown in each direction
CUT_HEIGHT = 1.3  # m from the path up to the section of its storey: above tables and sills
CEILING_CLEARANCE = 1.0  # m above the feet at which a surface counts as a ceiling
CEILING_SEARCH_HEIGHT = 40.0  # m upwards in which a ceiling is searched
CEILING_SAMPLE_STEP = 6  # points of the path per search
TELEPORT_DISTANCE = 2.0  # m between two points of a path that are not joined by a line
LINE_SUPERSAMPLING = 3
MIN_HEIGHT_SPAN = 2.0  # m that the height colours cover, at least
RUN_COLOUR: Colour = (214, 72, 40)
RUN_OUTLINE_COLOUR: Colour = (255, 252, 246)
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
) -> NDArray[np.uint8]:
    """(h,w,3) u1: the plans with the path of the feet `path` (n,3), the path of the best run below it, and `marks` at
    splits (x, y, z). margin: m of the level around them. has_goal_storey: the plans show the goal also where the path
    does not come to its storey."""
    image = Image.new("RGB", size, PAPER_COLOUR)
    if not len(path):
        return np.asarray(image)
    goal = [level.goal.at] if has_goal_storey and level.goal is not None else []
    storeys = split_storeys(level, np.array([*goal, *path]))
    extent = _run_extent(level, path, best, margin)
    columns, plan_width, plan_height = _choose_columns(len(storeys), extent, size)
    scale = min(plan_width / (extent[2] - extent[0]), plan_height / (extent[3] - extent[1]))
    middle = (extent[0] + extent[2]) / 2, (extent[1] + extent[3]) / 2
    half = plan_width / scale / 2, plan_height / scale / 2
    window = PlanWindow(middle[0] - half[0], middle[1] - half[1], middle[0] + half[0], middle[1] + half[1], scale)
    heights = float(path[:, 1].min()), float(max(path[:, 1].max(), path[:, 1].min() + MIN_HEIGHT_SPAN))
    solids = solid_triangles(level)
    for number, storey in enumerate(storeys):
        view = floor_plans.render_plan_view(level.mesh, solids, window, storey, 1)
        colours = floor_plans.paint_plan(view, storey, heights, 1.0 / scale, max_slope=level.player.max_slope)
        plan = floor_plans.plan_image(colours, 1)
        _draw_walk(plan, window, storey, path, best, marks, level)
        row, column = divmod(number, columns)
        image.paste(plan, (column * (plan_width + STOREY_GAP), row * (plan_height + STOREY_GAP)))
    return np.asarray(image)


def solid_triangles(level: Level) -> Floats:
    """(n,3,3): the triangles that bound solids; none of a level made of a mesh."""
    if not len(level.quad_index):
        return np.zeros((0, 3, 3))
    from ..sim.bots import reachability

    return level.triangles[reachability.is_solid_triangle(level)]


def split_storeys(level: Level, path: Floats) -> list[Storey]:
    """Storeys of a path, from the lowest: separate where the path, or a ceiling, is above the path."""
    points = path[::CEILING_SAMPLE_STEP]
    up = np.array((0.0, 1.0, 0.0))
    ground = points
    if len(level.mesh):
        hits = level.mesh.raycast(points + CEILING_CLEARANCE * up, up, CEILING_SEARCH_HEIGHT)
        roofed = np.asarray(hits.triangle) >= 0
        roofs = points[roofed] + (CEILING_CLEARANCE + np.asarray(hits.distance)[roofed])[:, None] * up
        ground = np.concatenate((points, roofs))
    storeys: list[Storey] = []
    for storey in floor_plans.find_storeys(ground):
        path_heights = path[storey.contains(path[:, 1]), 1]
        if len(path_heights):
            storeys.append(Storey(storey.low, min(storey.high, float(path_heights.max()) + CUT_HEIGHT)))
    if len(storeys) > MAX_STOREYS:  # a tower: the upper storeys share the last plan
        storeys = [*storeys[: MAX_STOREYS - 1], Storey(storeys[MAX_STOREYS - 1].low, storeys[-1].high)]
    return storeys


def _run_extent(level: Level, path: Floats, best: Floats | None, margin: float) -> tuple[float, float, float, float]:
    """West, north, east and south edge of the map (m)."""
    goal = np.zeros((0, 3)) if level.goal is None else np.array([level.goal.at])
    flat = np.concatenate((path, goal) if best is None else (path, goal, best))
    low, high = flat[:, [0, 2]].min(axis=0) - margin, flat[:, [0, 2]].max(axis=0) + margin
    missing = np.maximum(MIN_EXTENT - (high - low), 0.0) / 2
    (west, north), (east, south) = low - missing, high + missing
    return float(west), float(north), float(east), float(south)


def _choose_columns(
    count: int, extent: tuple[float, float, float, float], size: tuple[int, int]
) -> tuple[int, int, int]:
    """Number of columns that gives the largest plans, and width and height of a plan in pixels."""
    best = (0.0, 1, size[0], size[1])
    for columns in range(1, count + 1):
        rows = math.ceil(count / columns)
        width, height = (size[0] - (columns - 1) * STOREY_GAP) // columns, (size[1] - (rows - 1) * STOREY_GAP) // rows
        scale = min(width / (extent[2] - extent[0]), height / (extent[3] - extent[1]))
        best = max(best, (scale, columns, width, height))
    return best[1:]


def _draw_walk(
    plan: Image.Image,
    window: PlanWindow,
    storey: Storey,
    path: Floats,
    best: Floats | None,
    marks: Sequence[Sequence[float]],
    level: Level,
) -> None:
    """Draw lines and dots on the plan of one storey; lines on other storeys are faint."""
    layer = MapLayer(plan, window, LINE_SUPERSAMPLING, RUN_OUTLINE_COLOUR)
    if best is not None and len(best) > 1:
        _draw_path(layer, storey, best, BEST_RUN_COLOUR, 1.6)
    _draw_path(layer, storey, path, RUN_COLOUR, 2.4)
    end = path[-1] if level.goal is None else level.goal.at
    dots = [*((mark, 3.2, SPLIT_COLOUR) for mark in marks), (path[0], 4.4, SPAWN_COLOUR), (end, 4.8, GOAL_COLOUR)]
    for point, radius, colour in dots:
        if storey.contains(np.array([point[1]]))[0]:
            layer.draw_circle(point[0], point[2], radius + 1.5, (*RUN_OUTLINE_COLOUR, 255))
            layer.draw_circle(point[0], point[2], radius, (*colour, 255))
    layer.composite()


def _draw_path(layer: MapLayer, storey: Storey, points: Floats, colour: Colour, width: float) -> None:
    """Draw a path: outlined on this storey, faint on the others."""
    inside = storey.contains(points[:, 1])
    for first, last in continuous_ranges(points):
        for is_visible in (False, True):
            for a, b in flag_ranges(inside[first:last], is_visible):
                piece = points[first + a : first + b + 1]
                if len(piece) < 2:
                    continue
                if is_visible:
                    layer.draw_line(piece, (*RUN_OUTLINE_COLOUR, 225), width + 2.0)
                layer.draw_line(piece, (*colour, 255 if is_visible else 70), width)


def continuous_ranges(points: Floats) -> list[tuple[int, int]]:
    """Ranges (first, end) of a path between teleports."""
    teleports = np.flatnonzero(np.linalg.norm(np.diff(points, axis=0), axis=1) > TELEPORT_DISTANCE) + 1
    edges = [0, *teleports.tolist(), len(points)]
    return list(pairwise(edges))


def flag_ranges(flags: NDArray[np.bool_], wanted: bool) -> list[tuple[int, int]]:
    """Ranges (first, end) in which `flags` equal `wanted`."""
    padded = np.concatenate(([False], flags == wanted, [False])).astype(np.int8)
    step = np.diff(padded)
    firsts, ends = np.flatnonzero(step == 1).tolist(), np.flatnonzero(step == -1).tolist()
    return list(zip(firsts, ends, strict=True))
