"""A walk on the plan of its level: cut where something is above the walk, so that no roof hides it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from . import floor_plans as cut
from .floor_plans import PAPER_COLOUR, Floats, PlanWindow, Storey

if TYPE_CHECKING:
    from ...level import Level

MAP_SIZE = (440, 330)
MAX_STOREYS = 4
STOREY_GAP = 6  # pixels between storeys
EXTENT_MARGIN = 2.0  # m around the walk
MIN_EXTENT = 9.0  # m that are shown each way
CUT_HEIGHT = 1.3  # m above the walk where its storey is cut: above tables and sills
CEILING_CLEARANCE = 1.0  # m above the feet from which on something is a ceiling
CEILING_SEARCH_HEIGHT = 40.0  # m up that a ceiling is looked for
CEILING_SAMPLE_STEP = 6  # points of the walk from one look up to the next
LINE_SUPERSAMPLING = 3  # how much larger the line is drawn before it is brought down
WALL_NORMAL_Y = math.cos(math.radians(45.0))
RUN_COLOUR, RUN_OUTLINE_COLOUR, BEST_RUN_COLOUR, SPAWN_COLOUR, GOAL_COLOUR, SPLIT_COLOUR = (
    (214, 72, 40), (255, 252, 246), (70, 140, 200), (38, 104, 184), (214, 152, 16), (124, 84, 168)
)  # fmt: skip


def draw_run_map(
    level: Level,
    walk: Floats,
    best: Floats | None = None,
    marks: Sequence[Sequence[float]] = (),
    size: tuple[int, int] = MAP_SIZE,
) -> NDArray[np.uint8]:
    """(h,w,3): the plan with the feet's way `walk` (n,3) on it, under it the best one, and marks at splits."""
    image = Image.new("RGB", size, PAPER_COLOUR)
    if not len(walk):
        return np.asarray(image)
    stages = _split_storeys(level, walk)
    extent = _run_extent(level, walk, best)
    columns, wide, tall = _choose_columns(len(stages), extent, size)
    scale = min(wide / (extent[2] - extent[0]), tall / (extent[3] - extent[1]))
    middle = (extent[0] + extent[2]) / 2, (extent[1] + extent[3]) / 2
    half = wide / scale / 2, tall / scale / 2
    window = PlanWindow(middle[0] - half[0], middle[1] - half[1], middle[0] + half[0], middle[1] + half[1], scale)
    heights = float(walk[:, 1].min()), float(max(walk[:, 1].max(), walk[:, 1].min() + 2.0))
    closed = _closed_triangles(level)
    for number, storey in enumerate(stages):
        view = cut.render_plan_view(level.mesh, closed, window, storey, 1)
        plan = Image.fromarray(cut.paint_plan(view, storey, heights, WALL_NORMAL_Y, 1.0 / scale, None, None), "RGB")
        _draw_walk(plan, window, storey, walk, best, marks, level)
        image.paste(plan, (number % columns * (wide + STOREY_GAP), number // columns * (tall + STOREY_GAP)))
    return np.asarray(image)


def _closed_triangles(level: Level) -> NDArray[np.bool_]:
    if not len(getattr(level, "quad_index", ())):  # of no file
        return np.zeros(int(np.max(level.mesh.source, initial=-1)) + 1, np.bool_)
    from ...sim.bots import reachability

    return reachability.is_solid_triangle(level)


def _split_storeys(level: Level, walk: Floats) -> list[Storey]:
    """Storeys, from the lowest: parted where the walk, or a ceiling, is above the walk."""
    points = walk[::CEILING_SAMPLE_STEP]
    up = np.array((0.0, 1.0, 0.0))
    ground = points
    if len(level.mesh):
        hits = level.mesh.raycast(points + CEILING_CLEARANCE * up, up, CEILING_SEARCH_HEIGHT)
        roofed = np.asarray(hits.triangle) >= 0
        roofs = points[roofed] + (CEILING_CLEARANCE + np.asarray(hits.distance)[roofed])[:, None] * up
        ground = np.concatenate((points, roofs))
    found: list[Storey] = []
    for storey in cut.find_storeys(ground):
        own = walk[storey.contains(walk[:, 1]), 1]
        if len(own):
            found.append(Storey(storey.low, min(storey.high, float(own.max()) + CUT_HEIGHT)))
    if len(found) > MAX_STOREYS:  # a tower: as few as can be shown, the others without ground of their own
        found = [*found[: MAX_STOREYS - 1], Storey(found[MAX_STOREYS - 1].low, found[-1].high)]
    return found


def _run_extent(level: Level, walk: Floats, best: Floats | None) -> tuple[float, float, float, float]:
    """West, north, east, south (m)."""
    goal = np.zeros((0, 3)) if level.goal is None else np.array([level.goal.at])
    flat = np.concatenate((walk, goal) if best is None else (walk, goal, best))
    low, high = flat[:, [0, 2]].min(axis=0) - EXTENT_MARGIN, flat[:, [0, 2]].max(axis=0) + EXTENT_MARGIN
    more = np.maximum(MIN_EXTENT - (high - low), 0.0) / 2
    (west, north), (east, south) = low - more, high + more
    return float(west), float(north), float(east), float(south)


def _choose_columns(
    count: int, extent: tuple[float, float, float, float], size: tuple[int, int]
) -> tuple[int, int, int]:
    """In how many columns the storeys stand, and the pixels of each: as large as there is room for."""
    best = (0.0, 1, size[0], size[1])
    for columns in range(1, count + 1):
        rows = math.ceil(count / columns)
        wide, tall = (size[0] - (columns - 1) * STOREY_GAP) // columns, (size[1] - (rows - 1) * STOREY_GAP) // rows
        scale = min(wide / (extent[2] - extent[0]), tall / (extent[3] - extent[1]))
        best = max(best, (scale, columns, wide, tall))
    return best[1:]


def _draw_walk(
    plan: Image.Image,
    window: PlanWindow,
    storey: Storey,
    walk: Floats,
    best: Floats | None,
    marks: Sequence[Sequence[float]],
    level: Level,
) -> None:
    """Lines and dots of one storey; what is on another one is faint."""
    layer = Image.new(
        "RGBA", (plan.width * LINE_SUPERSAMPLING, plan.height * LINE_SUPERSAMPLING), (*RUN_OUTLINE_COLOUR, 0)
    )
    pen = ImageDraw.Draw(layer)

    def place(point: Sequence[float]) -> tuple[float, float]:
        x, y = window.to_pixel(point[0], point[2])
        return x * LINE_SUPERSAMPLING, y * LINE_SUPERSAMPLING

    def line(points: Floats, colour: tuple[int, int, int], width: float) -> None:
        here = storey.contains(points[:, 1])
        for first, last in _continuous_ranges(points):
            for mine in (False, True):
                for a, b in _flag_ranges(here[first:last], mine):
                    piece = [place(point) for point in points[first + a : first + b + 1]]
                    if len(piece) > 1 and mine:
                        pen.line(
                            piece,
                            fill=(*RUN_OUTLINE_COLOUR, 225),
                            width=round((width + 2.0) * LINE_SUPERSAMPLING),
                            joint="curve",
                        )
                    if len(piece) > 1:
                        pen.line(
                            piece,
                            fill=(*colour, 255 if mine else 70),
                            width=round(width * LINE_SUPERSAMPLING),
                            joint="curve",
                        )

    def dot(point: Sequence[float], radius: float, colour: tuple[int, int, int]) -> None:
        if not storey.contains(np.array([point[1]]))[0]:
            return
        x, y = place(point)
        for size, fill in ((radius + 1.5, RUN_OUTLINE_COLOUR), (radius, colour)):
            size *= LINE_SUPERSAMPLING
            pen.ellipse((x - size, y - size, x + size, y + size), fill=(*fill, 255))

    if best is not None and len(best) > 1:
        line(best, BEST_RUN_COLOUR, 1.6)
    line(walk, RUN_COLOUR, 2.4)
    for mark in marks:
        dot(mark, 3.2, SPLIT_COLOUR)
    dot(walk[0], 4.4, SPAWN_COLOUR)
    dot(walk[-1] if level.goal is None else level.goal.at, 4.8, GOAL_COLOUR)
    small = layer.resize(plan.size, Image.Resampling.LANCZOS)
    plan.paste(small, (0, 0), small)


def _continuous_ranges(points: Floats) -> list[tuple[int, int]]:
    """Pieces of a walk without jumps from place to place: (first, end)."""
    far = np.flatnonzero(np.linalg.norm(np.diff(points, axis=0), axis=1) > 2.0) + 1
    edges = [0, *far.tolist(), len(points)]
    return list(pairwise(edges))


def _flag_ranges(flags: NDArray[np.bool_], wanted: bool) -> list[tuple[int, int]]:
    """(first, end) of the stretches of `flags` that are `wanted`."""
    padded = np.concatenate(([False], flags == wanted, [False])).astype(np.int8)
    step = np.diff(padded)
    firsts, ends = np.flatnonzero(step == 1).tolist(), np.flatnonzero(step == -1).tolist()
    return list(zip(firsts, ends, strict=True))
