"""Floor plans: a level split into storeys, each seen from above from a horizontal section downwards.

The section hides roofs; solids that it cuts are drawn dark. Colours show the height of the ground.
"""

from __future__ import annotations

import math
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.vectors import Flags, Floats
from ..core.walker_settings import DEFAULT_SETTINGS
from .canvas import INK, PAPER
from .palette import gradient

if TYPE_CHECKING:
    from ..level import Level
    from ..physics import TriangleMesh


MAX_STOREYS = 6  # of a level
MAX_PATH_STOREYS = 4  # of the plans of a path
MIN_STOREY_HEIGHT = 1.8  # m: ground at least so far above other ground is another storey
MIN_CUT_HEIGHT = 0.9  # m from a floor up to the section of its storey, at least
PREFERRED_CUT_HEIGHT = 1.1  # m from a floor up to its section: above tables and sills, below lintels
MIN_STACKED_FRACTION = 0.02  # of all columns: fewer columns with ground above ground get no section of their own
NEAR_BEST_FRACTION = 0.8  # of the columns that the best section separates: among such sections the height decides
COLUMNS_PER_METRE = 2.0
CUT_HEIGHT = 1.3  # m from a path up to the section of its storey: above tables and sills
CEILING_CLEARANCE = 1.0  # m above the feet at which a surface counts as a ceiling
CEILING_SEARCH_HEIGHT = 40.0  # m upwards in which a ceiling is searched
MAX_GROUND_DISTANCE = 3.0  # m from a path down to what it stands on; a platform may be between
CEILING_SAMPLE_STEP = 6  # points of the path per search
ROWS_PER_TASK = 128  # picture rows that a thread casts rays for at a time

SOLID_COLOUR = (88, 80, 74)
STEEP_COLOUR = (150, 128, 112)
HEIGHT_GRADIENT = (
    (148, 170, 158), (186, 198, 160), (226, 214, 166), (236, 196, 142), (218, 156, 120), (188, 120, 110),
)  # fmt: skip
UNREACHED_COLOUR = (222, 218, 214)
HATCH_COLOUR = (182, 166, 156)
LEDGE_LINE_STEPS = ((0.08, 0.20), (0.45, 0.55))  # drop of the ground (m), and opacity of the line for it
SUN_DIRECTION = np.array((-0.5, 0.75, -0.43))


@dataclass(frozen=True, slots=True)
class PlanWindow:
    """A rectangle of the plan (m) between west, north, east and south, and its `scale` in pixels per metre."""

    west: float
    north: float
    east: float
    south: float
    scale: float

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        width, height = (self.east - self.west) * self.scale, (self.south - self.north) * self.scale
        return max(1, round(width)), max(1, round(height))

    def to_pixel(self, x: Any, z: Any) -> tuple[Any, Any]:
        """The pixel of a point of the plan, or the pixels of arrays of them."""
        return (x - self.west) * self.scale, (z - self.north) * self.scale

    def contains(self, x: Any, z: Any) -> Any:
        """Whether a point of the plan lies in the window; of arrays, for each."""
        return (self.west <= x) & (x <= self.east) & (self.north <= z) & (z <= self.south)


@dataclass(frozen=True, slots=True)
class Storey:
    """A storey: ground from the height `low` up to the section at `high` (m)."""

    low: float
    high: float

    def contains(self, heights: Floats) -> Flags:
        """(n,): whether each height of feet belongs to the storey."""
        inside: Flags = (heights >= self.low) & (heights < self.high)
        return inside


def find_storeys(feet: Floats) -> list[Storey]:
    """Storeys of ground points (n,3), from the lowest. Each section is at the height that separates the most columns in
    which ground lies above ground."""
    column = np.floor(feet[:, [0, 2]] * COLUMNS_PER_METRE).astype(np.int64)
    order = np.lexsort((feet[:, 1], column[:, 1], column[:, 0]))
    column = column[order]
    height = feet[order, 1]
    same = (column[1:] == column[:-1]).all(axis=1)
    under, over = height[:-1][same], height[1:][same]
    stacked = over - under > MIN_STOREY_HEIGHT
    under, over = under[stacked], over[stacked]
    count = max(1, len(np.unique(column, axis=0)) if len(column) else 1)
    cuts: list[float] = []
    while len(under) > MIN_STACKED_FRACTION * count and len(cuts) < MAX_STOREYS - 1:
        heights = np.unique(
            np.round(np.concatenate([under + MIN_CUT_HEIGHT, under + PREFERRED_CUT_HEIGHT, over - 0.1]), 1)
        )
        separated = ((under[:, None] + MIN_CUT_HEIGHT <= heights) & (heights < over[:, None])).sum(axis=0)
        preferred = (np.abs(under[:, None] + PREFERRED_CUT_HEIGHT - heights) < 0.15).sum(axis=0)
        best = int(np.lexsort((heights, -preferred, separated < NEAR_BEST_FRACTION * separated.max()))[0])
        if not separated[best]:
            break
        cuts.append(float(heights[best]))
        remaining = ~((under + MIN_CUT_HEIGHT <= heights[best]) & (heights[best] < over))
        under, over = under[remaining], over[remaining]
    edges = [-np.inf, *sorted(cuts), np.inf]
    return [Storey(float(a), float(b)) for a, b in pairwise(edges)]


def find_path_storeys(level: Level, path: Floats) -> list[Storey]:
    """Storeys of a path (n,3), from the lowest: separate where the path, or a ceiling, is above the path. A fall below
    all that the path stands on has none."""
    points = path[::CEILING_SAMPLE_STEP]
    up = np.array((0.0, 1.0, 0.0))
    ground = points
    if len(level.mesh):
        below = np.asarray(level.mesh.raycast_many(points + CEILING_CLEARANCE * up, -up, MAX_GROUND_DISTANCE).triangle)
        points = ground = points[points[:, 1] >= points[below >= 0, 1].min(initial=points[:, 1].max())]
        hits = level.mesh.raycast_many(points + CEILING_CLEARANCE * up, up, CEILING_SEARCH_HEIGHT)
        roofed = np.asarray(hits.triangle) >= 0
        roofs = points[roofed] + (CEILING_CLEARANCE + np.asarray(hits.distance)[roofed])[:, None] * up
        ground = np.concatenate((points, roofs))
    storeys: list[Storey] = []
    for storey in find_storeys(ground):
        heights = path[storey.contains(path[:, 1]), 1]
        if len(heights):
            storeys.append(Storey(storey.low, min(storey.high, float(heights.max()) + CUT_HEIGHT)))
    if len(storeys) > MAX_PATH_STOREYS:  # a tower: the upper storeys share the last plan
        last = Storey(storeys[MAX_PATH_STOREYS - 1].low, storeys[-1].high)
        storeys = [*storeys[: MAX_PATH_STOREYS - 1], last]
    return storeys


@dataclass(frozen=True, slots=True)
class PlanView:
    """A storey seen from above: height (h,w) of the ground in metres (NaN: none), its unit normal (h,w,3), and whether
    the section cuts a solid (h,w)."""

    height: Floats
    normal: Floats
    solid: Flags


def solid_triangles(level: Level) -> Floats:
    """(n,3,3): the triangles that bound solids; none of a level made of a mesh."""
    if not len(level.quad_index):
        return np.zeros((0, 3, 3))
    from ..sim.bots import reachability

    return level.triangles[reachability.is_solid_triangle(level)]


def render_plan_view(mesh: TriangleMesh, solids: Floats, window: PlanWindow, storey: Storey) -> PlanView:
    """Cast a ray down from the section of a storey for each pixel. solids (n,3,3): the triangles that bound solids, as
    the level has them; of two in the same place the mesh keeps one."""
    width, height = window.size
    step = 1.0 / window.scale
    x: Floats = np.asarray(window.west + (np.arange(width) + 0.5) * step, np.float64)
    z: Floats = np.asarray(window.north + (np.arange(height) + 0.5) * step, np.float64)
    top = float(mesh.nodes[0, 4]) + 1.0 if len(mesh) else 1.0
    cut = min(storey.high, top)
    ground = np.empty((height, width))
    normal = np.empty((height, width, 3))

    def cast_rows(rows: slice) -> None:
        across, along = np.meshgrid(x, z[rows])
        rays = np.stack([across.ravel(), np.full(across.size, cut), along.ravel()], axis=1)
        down = mesh.ground_below_many(rays)
        hit = np.asarray(down.triangle) >= 0
        ground[rows] = np.where(hit, cut - np.where(hit, down.distance, 0.0), np.nan).reshape(across.shape)
        normal[rows] = np.where(hit[:, None], down.normal, 0.0).reshape(*across.shape, 3)

    tasks = [slice(first, first + ROWS_PER_TASK) for first in range(0, height, ROWS_PER_TASK)]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for _ in pool.map(cast_rows, tasks):
            pass
    solid = _solid_section(solids, x, z, cut) if cut < top else np.zeros((height, width), np.bool_)
    return PlanView(ground, normal, solid)


def _solid_section(solids: Floats, x: Floats, z: Floats, cut: float) -> Flags:
    """(z,x): whether each point of the section lies inside a solid. Along a row, a side that faces west enters a solid
    and one that faces east leaves it."""
    corners = solids
    high = corners[..., 1] > cut + 1e-7
    through = high.any(axis=1) & ~high.all(axis=1)
    corners, high = corners[through], high[through]
    facing = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 0]
    lone = np.where(high.sum(axis=1) == 1, np.argmax(high, axis=1), np.argmin(high, axis=1))
    rows = np.arange(len(corners))
    tip = corners[rows, lone]
    ends = []
    for k in (1, 2):
        other = corners[rows, (lone + k) % 3]
        fraction = (cut - tip[:, 1]) / (other[:, 1] - tip[:, 1])
        ends.append(tip[:, ::2] + (other - tip)[:, ::2] * fraction[:, None])
    depth = np.zeros((len(z), len(x) + 1), np.int32)
    for a, b, sign in zip(*ends, np.sign(facing), strict=True):
        first, last = np.searchsorted(z, sorted((a[1], b[1])))
        if first == last or sign == 0.0:
            continue
        crossing = a[0] + (b[0] - a[0]) * (z[first:last] - a[1]) / (b[1] - a[1])
        np.add.at(depth, (np.arange(first, last), np.searchsorted(x, crossing)), -int(sign))
    within = depth.cumsum(axis=1)
    # Entries and exits are matched like brackets, so that a solid with a hole does not fill the rest of the row.
    before = np.minimum(np.minimum.accumulate(within, axis=1), 0)
    after = np.minimum.accumulate(within[:, ::-1], axis=1)[:, ::-1]
    inside: Flags = (within > np.maximum(before, after))[:, :-1]
    return inside


def height_colour(height: Floats, low: float, high: float) -> Floats:
    """(...,3) in 0..255: the colour of heights between the lowest and the highest ground (m)."""
    fraction = np.clip((np.nan_to_num(height, nan=low) - low) / max(high - low, 1e-6), 0.0, 1.0)
    return gradient(HEIGHT_GRADIENT, fraction)


def paint_plan(
    view: PlanView,
    storey: Storey,
    heights: tuple[float, float],
    pixel: float,
    reached: Flags | None = None,
    room: Flags | None = None,
    max_slope: float = DEFAULT_SETTINGS.max_slope,
) -> NDArray[np.uint8]:
    """(h,w,3): a view in colours. heights: lowest and highest ground of the level (m); pixel: side of a pixel (m);
    reached, room (h,w): whether a bot stood there, and whether one could. max_slope: of walkable ground (degrees)."""
    ground = ~np.isnan(view.height)
    light = 0.86 + 0.14 * np.clip((view.normal @ SUN_DIRECTION) / np.linalg.norm(SUN_DIRECTION), 0.0, 1.0) / 0.75
    colour = height_colour(view.height, *heights) * np.minimum(light, 1.03)[..., None]
    walkable = ground & (np.abs(view.normal[..., 1]) >= math.cos(math.radians(max_slope)) - 1e-6)
    steep = ground & ~walkable
    colour[steep] = np.array(STEEP_COLOUR) * light[steep][:, None]
    rows, columns = np.indices(view.height.shape)
    if reached is not None and room is not None:
        missed = walkable & ~reached
        colour[missed] = 0.25 * colour[missed] + 0.75 * np.array(UNREACHED_COLOUR)
        hatched = missed & room & ((rows + columns) // 2 % 7 == 0)
        colour[hatched] = HATCH_COLOUR
    colour[steep & ((rows - columns) // 2 % 5 == 0)] *= 0.82
    below = ground & (view.height < storey.low)
    colour[below] = 0.45 * colour[below] + 0.55 * np.array(PAPER)
    _draw_ledge_lines(colour, view, below, pixel)
    colour[view.solid] = SOLID_COLOUR
    colour[~ground & ~view.solid] = PAPER
    return np.asarray(np.clip(colour, 0, 255), np.uint8)


def _draw_ledge_lines(colour: Floats, view: PlanView, below: Flags, pixel: float) -> None:
    """Draw lines where the ground drops: pale for a step, dark for a drop that is higher than a step."""
    height = np.nan_to_num(view.height, nan=-1e6)
    for along in ((1, 0), (0, 1)):
        rows, columns = (side - one for side, one in zip(height.shape, along, strict=True))
        drop = np.abs(height[along[0] :, along[1] :] - height[:rows, :columns])
        first = np.nonzero(drop > max(3.0 * pixel, LEDGE_LINE_STEPS[0][0]))
        second = (first[0] + along[0], first[1] + along[1])
        strength = np.zeros(len(first[0]))
        for height_limit, opacity in LEDGE_LINE_STEPS:
            strength = np.where(drop[first] > height_limit, 1.0 - (1.0 - strength) * (1.0 - opacity), strength)
        blend = (strength * np.where(below[first] & below[second], 0.35, 1.0))[:, None]
        for pixels in (first, second):
            colour[pixels] = colour[pixels] * (1.0 - blend) + np.array(INK) * blend
