"""Plan: a storey of a level from above on a canvas, with paths and marks; several plans side by side; the scale bar."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.vectors import Flags, Floats
from ..level import Level
from ..level.build.entities.movers import LevelMover
from ..level.build.entities.zones import LevelZone
from . import floor_plans
from .canvas import FRAME, INK, PALE_INK, PAPER, WHITE, Canvas, Circle, Colour, Line, Picture, Polygon, Rectangle, Text
from .floor_plans import PlanView, PlanWindow, Storey

if TYPE_CHECKING:
    from .heat_map import HeatMap

PLAN_DETAIL = 2.0  # pixels of the plan for a pixel of the canvas
GAP = 18  # pixels between plans
CAPTION_HEIGHT = 20  # pixels above one of several plans
MAX_LINE_POINTS = 6000
OUTLINE_OPACITY = 0.85  # of the pale rim of paths
FAINT_OPACITY = 0.25  # of paths on other storeys
TELEPORT_DISTANCE = 2.0  # m between two points of a path that are not joined by a line
FLAT = (1e9, 2e9)  # m: heights of the colours of plans under a heat map, which show all ground as one
MIN_EXTENT = 9.0  # m that plans show in each direction
MIN_HEIGHT_SPAN = 2.0  # m that the colours of heights cover, at least

Extent = tuple[float, float, float, float]  # west, north, east and south edge, m


@dataclass(frozen=True)
class PlanSource:
    """What all plans of a level share. heights: lowest and highest ground of the colours, m; reach: gives where bots
    stood on a view, and where they could; heat: map above the plans, which are pale and grey then; detail: factor of
    PLAN_DETAIL."""

    level: Level
    heights: tuple[float, float]
    reach: Callable[[PlanView, PlanWindow], tuple[Flags, Flags]] | None = None
    heat: HeatMap | None = None
    detail: float = 1.0

    @cached_property
    def solids(self) -> Floats:
        """(n,3,3): the triangles that bound solids."""
        return floor_plans.solid_triangles(self.level)

    def pixels(self, window: PlanWindow, storey: Storey) -> NDArray[np.uint8]:
        """(h,w,3): the plan of a storey."""
        view = floor_plans.render_plan_view(self.level.mesh, self.solids, window, storey)
        reached, room = (None, None) if self.reach is None else self.reach(view, window)
        heights = self.heights if self.heat is None else FLAT
        slope = self.level.player.max_slope
        plan = floor_plans.paint_plan(view, storey, heights, 1.0 / window.scale, reached, room, slope)
        return plan if self.heat is None else self.heat.blend(greyed(plan), view, window, storey)


@dataclass(frozen=True, slots=True)
class DrawnPath:
    """A path with its colour. label: short text of a pin at its end; without one the end is a disc."""

    points: Floats
    colour: Colour
    width: float = 2.4
    label: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """Place of a plan on a canvas: left and top in pixels, the window of the plan, and its storey."""

    left: float
    top: float
    window: PlanWindow
    storey: Storey

    def to_canvas(self, x: Any, z: Any) -> tuple[Any, Any]:
        """The pixel of the canvas at a point of the plan, or the pixels of arrays of them."""
        column, row = self.window.to_pixel(x, z)
        return self.left + column, self.top + row

    def shows(self, point: Sequence[float] | Floats, room: float = 0.0) -> bool:
        """Whether a point (x, y, z) is in the storey, and on the plan with so many pixels around it."""
        x, y = self.window.to_pixel(point[0], point[2])
        width, height = self.window.size
        is_inside = room <= x <= width - room and room <= y <= height - room
        return bool(is_inside and self.storey.low <= point[1] < self.storey.high)

    def draw_ground(self, canvas: Canvas, source: PlanSource) -> None:
        """Draw the ground with its zones and platforms; with a heat map without these."""
        fine = replace(self.window, scale=self.window.scale * PLAN_DETAIL * source.detail)
        canvas.add(Picture(self.left, self.top, *self.window.size, source.pixels(fine, self.storey)))
        areas = [] if source.heat is not None else plan_areas(source.level, self.window, self.storey)
        for corners, colour in areas:
            points = [self.to_canvas(x, z) for x, z in corners]
            canvas.add(Polygon(points, colour, FILL_OPACITY[colour]), Line([*points, points[0]], colour, 1.5, 0.9))

    def draw_paths(self, canvas: Canvas, paths: Sequence[DrawnPath], storey: Storey | None = None) -> None:
        """Draw paths, each above those before: outlined on the storey (default: that of the plan), faint on others."""
        lines = [line for path in paths for line in self._path_lines(path, storey or self.storey)]
        canvas.add(*(line for line in lines if line.opacity < 1.0))
        clear = [line for line in lines if line.opacity == 1.0]
        canvas.add(*(Line(line.points, WHITE, line.width + 2.0, OUTLINE_OPACITY) for line in clear), *clear)

    def _path_lines(self, path: DrawnPath, storey: Storey) -> Iterator[Line]:
        x, y, z = path.points.T
        is_outside = ~self.window.contains(x, z)
        visibility = np.where(is_outside, 2, storey.contains(y))
        step = max(1, len(path.points) // MAX_LINE_POINTS)
        for first, last in continuous_ranges(path.points):
            for is_visible in (False, True):
                for a, b in _flag_ranges(visibility[first:last] == is_visible):
                    end = min(first + b + 1, last)
                    piece = path.points[first + a : end - int(is_outside[end - 1])]
                    if len(piece) > 1:
                        kept = np.concatenate((piece[::step], piece[-1:]))
                        line = list(
                            zip(*(side.tolist() for side in self.to_canvas(kept[:, 0], kept[:, 2])), strict=True)
                        )
                        yield Line(line, path.colour, path.width, 1.0 if is_visible else FAINT_OPACITY)

    def draw_disc(self, canvas: Canvas, point: Sequence[float] | Floats, radius: float, colour: Colour) -> None:
        """Draw a disc with a white rim at a point (x, y, z) that the plan shows. radius: pixels."""
        if self.shows(point):
            canvas.add(Circle(*self.to_canvas(point[0], point[2]), radius, colour, WHITE, 2.0 if radius > 5.0 else 1.5))

    def draw_ring(self, canvas: Canvas, place: Sequence[float] | Floats, radius: float, colour: Colour = INK) -> None:
        """Draw a ring around a point (x, y, z) that the plan shows. radius: pixels."""
        if self.shows(place):
            x, y = self.to_canvas(place[0], place[2])
            canvas.add(Circle(x, y, radius + 1.5, None, WHITE, 5.0), Circle(x, y, radius, None, colour, 2.0))

    def draw_frame(self, canvas: Canvas) -> None:
        width, height = self.window.size
        canvas.add(Rectangle(self.left - 0.5, self.top - 0.5, width + 1, height + 1, None, FRAME))

    def draw_scale_bar(self, canvas: Canvas) -> None:
        """Draw a line of 1, 2, 5, 10, ... metres on paper in the lower left corner. Paths and marks belong above it."""
        width, height = self.window.size
        metres = round_length(width / 3 / self.window.scale)
        length = metres * self.window.scale
        left, bottom = self.left + 14.0, self.top + height - 14.0
        canvas.add(Rectangle(left - 7.0, bottom - 24.0, length + 14.0, 31.0, PAPER, FRAME))
        canvas.add(Line([(left, bottom), (left + length, bottom)], INK, 2.0))
        canvas.add(Text(left + length / 2, bottom - 7.0, f"{metres:g} m", 13, INK, "m"))


def round_length(longest: float) -> float:
    """The largest of 1, 2 and 5 times a power of ten that is at most `longest`."""
    tens = 10.0 ** math.floor(math.log10(max(longest, 1e-6)))
    return max(step * tens for step in (1, 2, 5) if step * tens <= max(longest, 1e-6))


def colour_range(heights: Floats, rare: float = 0.0) -> tuple[float, float]:
    """Lowest and highest height (m) of the colours of plans, so that they show small differences as small. rare: share
    of the heights at either end that have the first or the last colour."""
    low, high = (float(np.quantile(heights, share)) for share in (rare, 1.0 - rare))
    return low, max(high, low + MIN_HEIGHT_SPAN)


def greyed(pixels: NDArray[Any]) -> NDArray[np.uint8]:
    """Colours (...,3) in 0..255 of a plan under a heat map: pale, and grey, so that the heat stands out."""
    grey = pixels.astype(np.float64) @ np.array((0.2126, 0.7152, 0.0722))
    return np.asarray(np.repeat(0.6 * grey[..., None] + 0.4 * 255.0, 3, axis=-1), np.uint8)


def continuous_ranges(points: Floats) -> list[tuple[int, int]]:
    """Ranges (first, end) of a path between teleports."""
    teleports = np.flatnonzero(np.linalg.norm(np.diff(points, axis=0), axis=1) > TELEPORT_DISTANCE) + 1
    return list(pairwise([0, *teleports.tolist(), len(points)]))


def _flag_ranges(flags: Flags) -> list[tuple[int, int]]:
    """Ranges (first, end) of set flags."""
    step = np.diff(np.concatenate(([False], flags, [False])).astype(np.int8))
    return list(zip(np.flatnonzero(step == 1).tolist(), np.flatnonzero(step == -1).tolist(), strict=True))


# ---- several plans


@dataclass(frozen=True, slots=True)
class PlanLayout:
    """Plans of the storeys, and the size of the whole in pixels."""

    plans: tuple[Plan, ...]
    width: float
    height: float

    def draw_captions(self, canvas: Canvas) -> None:
        """Write the heights of each storey above its plan, if there are several: `below 1.2 m`, `1.2 to 2.6 m`, ..."""
        for plan in self.plans if len(self.plans) > 1 else ():
            low, high = format_metres(plan.storey.low), format_metres(plan.storey.high)
            text = f"above {low} m" if plan is self.plans[-1] else f"{low} to {high} m"
            text = f"below {high} m" if plan is self.plans[0] else text
            canvas.add(Text(plan.left, plan.top - 6.0, text, 13, PALE_INK))


def format_metres(metres: float) -> str:
    """A length with one decimal, never -0.0."""
    return f"{round(metres, 1) + 0.0:.1f}"


def arrange_plans(
    storeys: Sequence[Storey],
    extent: Extent,
    room: tuple[float, float],
    place: tuple[float, float] = (0.0, 0.0),
    gap: int = GAP,
    caption: int = CAPTION_HEIGHT,
    max_scale: float = math.inf,
    is_filled: bool = False,
) -> PlanLayout:
    """Plans side by side, as large as they fit into the room (pixels), from the top left `place` on. caption: pixels
    above each of several; max_scale: pixels per metre; is_filled: plans show more than the extent, to fill the room."""
    captions = caption if len(storeys) > 1 else 0
    across, along = extent[2] - extent[0], extent[3] - extent[1]

    def cell(columns: int) -> tuple[float, float]:
        rows = -(-len(storeys) // columns)
        return (room[0] - (columns - 1) * gap) / columns, (room[1] - (rows - 1) * gap) / rows - captions

    def scale_of(columns: int) -> float:
        width, height = cell(columns)
        return min(width / across, height / along, max_scale)

    # The largest scale in the fewest rows, and for these rows in the fewest columns.
    counts = range(1, len(storeys) + 1)
    columns = min(counts, key=lambda count: (-round(scale_of(count), 2), math.ceil(len(storeys) / count), count))
    scale = scale_of(columns)
    window = PlanWindow(*extent, scale)
    if is_filled:
        x, z = (extent[0] + extent[2]) / 2, (extent[1] + extent[3]) / 2
        half_x, half_z = (int(side) / scale / 2 for side in cell(columns))
        window = PlanWindow(x - half_x, z - half_z, x + half_x, z + half_z, scale)
    width, height = window.size
    plans = []
    for number, storey in enumerate(storeys):
        row, column = divmod(number, columns)
        left, top = place[0] + column * (width + gap), place[1] + row * (height + captions + gap) + captions
        plans.append(Plan(left, top, window, storey))
    rows = -(-len(storeys) // columns)
    return PlanLayout(tuple(plans), columns * (width + gap) - gap, rows * (height + captions + gap) - gap)


def path_extent(points: Floats, margin: float) -> Extent:
    """The plan of some points (n,3). margin: m around them."""
    low, high = points[:, [0, 2]].min(axis=0) - margin, points[:, [0, 2]].max(axis=0) + margin
    missing = np.maximum(MIN_EXTENT - (high - low), 0.0) / 2
    (west, north), (east, south) = low - missing, high + missing
    return float(west), float(north), float(east), float(south)


# ---- Areas: water, other zones, and moving platforms and doors at their stops


WATER_COLOUR: Colour = (58, 122, 184)
ZONE_COLOUR: Colour = (126, 70, 150)
PLATFORM_COLOUR: Colour = (70, 64, 58)
NAMES = {WATER_COLOUR: "water", ZONE_COLOUR: "zone", PLATFORM_COLOUR: "moving platform"}  # for the legend
FILL_OPACITY = {WATER_COLOUR: 0.42, ZONE_COLOUR: 0.06, PLATFORM_COLOUR: 0.18}
HEADROOM = 0.5  # m of the storey above the top of a platform, or above the foot of a door

Corners = list[tuple[float, float]]  # (x, z), m


def plan_areas(level: Level, window: PlanWindow, storey: Storey) -> list[tuple[Corners, Colour]]:
    """Corners and colours of the zones that reach into a storey and that nothing carries, and of the platforms, as far
    as a window shows them."""
    found = [
        (_zone_corners(zone), WATER_COLOUR if zone.acts_by("water") else ZONE_COLOUR)
        for zone in level.all_zones
        if zone.mover < 0 and zone.centre[1] - zone.half[1] < storey.high and zone.centre[1] + zone.half[1] > storey.low
    ]
    found += [(corners, PLATFORM_COLOUR) for mover in level.movers for corners in _stops(mover, storey)]
    clipped = [(_clip(corners, window), colour) for corners, colour in found]
    return [area for area in clipped if len(area[0]) > 2]


def _zone_corners(zone: LevelZone) -> Corners:
    a, _, b = zone.half
    corners = np.array(((-a, 0.0, -b), (a, 0.0, -b), (a, 0.0, b), (-a, 0.0, b))) @ zone.axes + np.array(zone.centre)
    return [(x, z) for x, _, z in corners.tolist()]


def _stops(mover: LevelMover, storey: Storey) -> Iterator[Corners]:
    """The bounds of a mover at rest, at each of its stops in a storey."""
    corners = (mover.triangles if len(mover.triangles) else mover.drawn).reshape(-1, 3)
    if not len(corners):
        return
    for stop in mover.spec.path or ((0.0, 0.0, 0.0),):
        low, high = (corners.min(axis=0) + mover.at + stop).tolist(), (corners.max(axis=0) + mover.at + stop).tolist()
        if storey.low <= high[1] + HEADROOM and low[1] + HEADROOM < storey.high:  # a platform there, or a door
            yield [(low[0], low[2]), (high[0], low[2]), (high[0], high[2]), (low[0], high[2])]


def _clip(corners: Corners, window: PlanWindow) -> Corners:
    """The part of a convex polygon inside a window (Sutherland and Hodgman, 1974)."""
    borders = ((0, 1.0, window.west), (0, -1.0, window.east), (1, 1.0, window.north), (1, -1.0, window.south))
    for axis, sign, border in borders:
        before, corners = corners, []
        for k, end in enumerate(before):
            start = before[k - 1]
            a, b = sign * (start[axis] - border), sign * (end[axis] - border)
            if (a < 0.0) != (b < 0.0):
                t = a / (a - b)
                corners.append((start[0] + t * (end[0] - start[0]), start[1] + t * (end[1] - start[1])))
            if b >= 0.0:
                corners.append(end)
    return corners
