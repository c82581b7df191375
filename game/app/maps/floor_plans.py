"""A level cut level by level, as an architect draws it, and seen from above: heights and kinds of ground as pictures.

A storey is seen from its cut downwards, so that no roof hides the rooms; what the cut goes through is drawn dark.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ...physics import TriangleMesh

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

MAX_STOREYS = 6
MIN_STOREY_HEIGHT = 1.8  # metres: ground so far above other ground is another storey
MIN_CUT_HEIGHT = 0.9  # metres over a floor where its storey is cut, at least
PREFERRED_CUT_HEIGHT = 1.1  # metres over a floor where one would like to cut it: above tables and sills, below lintels
MIN_STACKED_FRACTION = 0.02  # of the columns of ground: so few that lie above each other need no cut of their own
NEAR_BEST_FRACTION = (
    0.8  # of the most ground that one cut can part: among such cuts the one at the best height is taken
)

PAPER_COLOUR = (247, 244, 238)
INK_COLOUR = (52, 48, 44)
SOLID_COLOUR = (88, 80, 74)
STEEP_COLOUR = (150, 128, 112)
HEIGHT_GRADIENT = (
    (148, 170, 158), (186, 198, 160), (226, 214, 166), (236, 196, 142), (218, 156, 120), (188, 120, 110),
)  # fmt: skip
UNREACHED_COLOUR, HATCH_COLOUR = (222, 218, 214), (182, 166, 156)
LEDGE_LINE_STEPS = ((0.08, 0.20), (0.45, 0.55))  # metres that the ground breaks off by, and how dark the line is
SUN_DIRECTION = np.array((-0.5, 0.75, -0.43))


@dataclass(frozen=True, slots=True)
class Storey:
    """What lies between two heights (m): ground from `low` up, cut off at `high`."""

    low: float
    high: float

    def contains(self, heights: Floats) -> Flags:
        """(n,): which heights of feet belong to it."""
        found: Flags = (heights >= self.low) & (heights < self.high)
        return found


@dataclass(frozen=True, slots=True)
class PlanWindow:
    """A stretch of the plan (m) and how large it is drawn: west, north, east, south; pixels to the metre."""

    west: float
    north: float
    east: float
    south: float
    scale: float

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return (
            max(1, round((self.east - self.west) * self.scale)),
            max(1, round((self.south - self.north) * self.scale)),
        )

    def to_pixel(self, x: float, z: float) -> tuple[float, float]:
        """The pixel of a point of the plan."""
        return (x - self.west) * self.scale, (z - self.north) * self.scale


def find_storeys(feet: Floats) -> list[Storey]:
    """The storeys that a level's ground (n,3) makes, from the lowest: cut where the most of it lies above other."""
    column = np.floor(feet[:, [0, 2]] * 2.0).astype(np.int64)
    order = np.lexsort((feet[:, 1], column[:, 1], column[:, 0]))
    column, height = column[order], feet[order, 1]
    same = (column[1:] == column[:-1]).all(axis=1)
    under, over = height[:-1][same], height[1:][same]
    apart = over - under > MIN_STOREY_HEIGHT
    under, over = under[apart], over[apart]
    count = max(1, len(np.unique(column, axis=0)) if len(column) else 1)
    cuts: list[float] = []
    while len(under) > MIN_STACKED_FRACTION * count and len(cuts) < MAX_STOREYS - 1:
        tried = np.unique(
            np.round(np.concatenate([under + MIN_CUT_HEIGHT, under + PREFERRED_CUT_HEIGHT, over - 0.1]), 1)
        )
        held = ((under[:, None] + MIN_CUT_HEIGHT <= tried) & (tried < over[:, None])).sum(axis=0)
        wanted = (np.abs(under[:, None] + PREFERRED_CUT_HEIGHT - tried) < 0.15).sum(axis=0)
        best = int(np.lexsort((tried, -wanted, held < NEAR_BEST_FRACTION * held.max()))[0])
        if not held[best]:
            break
        cuts.append(float(tried[best]))
        left = ~((under + MIN_CUT_HEIGHT <= tried[best]) & (tried[best] < over))
        under, over = under[left], over[left]
    edges = [-np.inf, *sorted(cuts), np.inf]
    return [Storey(float(a), float(b)) for a, b in pairwise(edges)]


@dataclass(frozen=True, slots=True)
class PlanView:
    """A storey from above, (h,w) each: height of what is seen (NaN: nothing), how upright its normal is, whether the
    cut goes through something solid there; normal (h,w,3)."""

    height: Floats
    upright: Floats
    solid: Flags


def render_plan_view(mesh: TriangleMesh, closed: Flags, window: PlanWindow, storey: Storey, fine: int = 2) -> PlanView:
    """See a storey from its cut. closed (triangles,): whose backs are the inside of something. fine: rays to a pixel,
    each way."""
    width, height = (side * fine for side in window.size)
    step = 1.0 / (window.scale * fine)
    x: Floats = np.asarray(window.west + (np.arange(width) + 0.5) * step, np.float64)
    z: Floats = np.asarray(window.north + (np.arange(height) + 0.5) * step, np.float64)
    top = float(mesh.nodes[0, 4]) + 1.0 if len(mesh) else 1.0
    cut = min(storey.high, top)
    seen = np.empty((height, width))
    normal = np.empty((height, width, 3))

    def look(rows: slice) -> None:
        across, along = np.meshgrid(x, z[rows])
        rays = np.stack([across.ravel(), np.full(across.size, cut), along.ravel()], axis=1)
        down = mesh.ground_below(rays)
        hit = np.asarray(down.triangle) >= 0
        seen[rows] = np.where(hit, cut - np.where(hit, down.distance, 0.0), np.nan).reshape(across.shape)
        normal[rows] = np.where(hit[:, None], down.normal, 0.0).reshape(*across.shape, 3)

    parts = [slice(first, first + 128) for first in range(0, height, 128)]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for _ in pool.map(look, parts):
            pass
    solid = _solid_section(mesh, closed, x, z, cut) if cut < top else np.zeros((height, width), np.bool_)
    return PlanView(seen, normal, solid)


def _solid_section(mesh: TriangleMesh, closed: Flags, x: Floats, z: Floats, cut: float) -> Flags:
    """(z,x): what of a level cut lies in something closed: along each line of the picture one comes in over a side
    that faces against the way, and out again over one that faces along it."""
    chosen = closed[np.asarray(mesh.source)]
    corners = mesh.triangles12[chosen, :9].reshape(-1, 3, 3)
    facing = mesh.triangles12[chosen, 9]
    high = corners[..., 1] > cut + 1e-7
    through = high.any(axis=1) & ~high.all(axis=1)
    corners, high, facing = corners[through], high[through], facing[through]
    lone = np.where(high.sum(axis=1) == 1, np.argmax(high, axis=1), np.argmin(high, axis=1))
    rows = np.arange(len(corners))
    tip = corners[rows, lone]
    ends = []
    for k in (1, 2):
        other = corners[rows, (lone + k) % 3]
        part = (cut - tip[:, 1]) / (other[:, 1] - tip[:, 1])
        ends.append(tip[:, ::2] + (other - tip)[:, ::2] * part[:, None])
    depth = np.zeros((len(z), len(x) + 1), np.int32)
    for a, b, way in zip(*ends, np.sign(facing), strict=True):
        first, last = np.searchsorted(z, sorted((a[1], b[1])))
        if first == last or way == 0.0:
            continue
        at = a[0] + (b[0] - a[0]) * (z[first:last] - a[1]) / (b[1] - a[1])
        np.add.at(depth, (np.arange(first, last), np.searchsorted(x, at)), -int(way))
    within = depth.cumsum(axis=1)
    # Only ways in that are followed by a way out, as brackets are matched: what has a hole must not run out.
    before = np.minimum(np.minimum.accumulate(within, axis=1), 0)
    after = np.minimum.accumulate(within[:, ::-1], axis=1)[:, ::-1]
    inside: Flags = (within > np.maximum(before, after))[:, :-1]
    return inside


def height_colour(height: Floats, low: float, high: float) -> Floats:
    """(...,3) in 0..255: the colour of a height between the lowest and the highest ground."""
    part = np.clip((np.nan_to_num(height, nan=low) - low) / max(high - low, 1e-6), 0.0, 1.0)
    stops = np.linspace(0.0, 1.0, len(HEIGHT_GRADIENT))
    colours = np.array(HEIGHT_GRADIENT, np.float64)
    return np.stack([np.interp(part, stops, colours[:, k]) for k in range(3)], axis=-1)


def paint_plan(
    view: PlanView,
    storey: Storey,
    heights: tuple[float, float],
    limit: float,
    pixel: float,
    reached: Flags | None,
    room: Flags | None,
) -> NDArray[np.uint8]:
    """(h,w,3): a view in colours. heights: the lowest and highest ground of the level; limit: the normal's height of
    the steepest ground that is walked; pixel: metres; reached, room (h,w): whether somebody stood there, or could."""
    ground = ~np.isnan(view.height)
    upright = view.upright[..., 1]
    light = 0.86 + 0.14 * np.clip((view.upright @ SUN_DIRECTION) / np.linalg.norm(SUN_DIRECTION), 0.0, 1.0) / 0.75
    colour = height_colour(view.height, *heights) * np.minimum(light, 1.03)[..., None]
    walkable = ground & (np.abs(upright) >= limit - 1e-6)
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
    colour[below] = 0.45 * colour[below] + 0.55 * np.array(PAPER_COLOUR)
    _draw_ledge_lines(colour, view, below, pixel)
    colour[view.solid] = SOLID_COLOUR
    colour[~ground & ~view.solid] = PAPER_COLOUR
    return np.asarray(np.clip(colour, 0, 255), np.uint8)


def _draw_ledge_lines(colour: Floats, view: PlanView, below: Flags, pixel: float) -> None:
    """Lines where the ground breaks off: thin for a step, dark for what is no step any more."""
    height = np.nan_to_num(view.height, nan=-1e6)
    for along in ((1, 0), (0, 1)):
        rows, columns = (side - one for side, one in zip(height.shape, along, strict=True))
        drop = np.abs(height[along[0] :, along[1] :] - height[:rows, :columns])
        near = np.nonzero(drop > max(3.0 * pixel, LEDGE_LINE_STEPS[0][0]))
        far = (near[0] + along[0], near[1] + along[1])
        strength = np.zeros(len(near[0]))
        for least, dark in LEDGE_LINE_STEPS:
            strength = np.where(drop[near] > least, 1.0 - (1.0 - strength) * (1.0 - dark), strength)
        part = (strength * np.where(below[near] & below[far], 0.35, 1.0))[:, None]
        for place in (near, far):
            colour[place] = colour[place] * (1.0 - part) + np.array(INK_COLOUR) * part


def downsample(pixels: NDArray[np.uint8], fine: int) -> NDArray[np.uint8]:
    """Each square of `fine` by `fine` pixels made one."""
    height, width = pixels.shape[0] // fine, pixels.shape[1] // fine
    squares = pixels[: height * fine, : width * fine].reshape(height, fine, width, fine, 3)
    mean: NDArray[np.uint8] = np.asarray(squares.mean(axis=(1, 3)).round(), np.uint8)
    return mean
