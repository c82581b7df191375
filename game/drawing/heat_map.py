"""Heat map: the time that walkers spent at each place of a storey, on a logarithmic scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ..core.vectors import Flags, Floats
from . import palette
from .drawn_walk import DrawnWalk
from .floor_plans import PlanView, PlanWindow, Storey

CELL = 0.125  # m, side of a cell in which time is counted
MAX_CELLS = 2000  # in each direction: on a larger plan the cells are larger
BLUR = 0.15  # m, standard deviation of the Gaussian that spreads a walker over its width
BLUR_REACH = 2.0  # standard deviations: farther than a body reaches, heat would show behind thin walls
MAX_EDGE = 0.1  # m of ground above the feet that stand on it, as on a slope
FIRST_OPACITY, LAST_OPACITY = 0.35, 0.95  # of the least and the most visited places
LEAST_SHARE = 0.002  # of the longest time: places with less stay uncoloured


@dataclass(frozen=True, slots=True)
class HeatMap:
    """feet (n,3) of all walks at each tick; each stands for `tick_seconds`. longest: most seconds per square metre.
    has_platforms: whether moving platforms carry walkers where the level has no ground."""

    feet: Floats
    tick_seconds: float
    longest: float
    has_platforms: bool = False

    def density(self, window: PlanWindow, storey: Storey) -> Floats:
        """(z,x): seconds per square metre in the cells of a window."""
        return _density(self.feet[storey.contains(self.feet[:, 1])], self.tick_seconds, window)

    def places(self, view: PlanView, window: PlanWindow, storey: Storey) -> Flags:
        """(h,w): where a storey has room for heat: no wall, and ground that is not above all feet nearby."""
        feet = self.feet[storey.contains(self.feet[:, 1])]
        highest = _highest(feet, window)
        rows, columns = (
            np.arange(size) * cells // size for size, cells in zip(view.height.shape, highest.shape, strict=True)
        )
        is_floor = np.isnan(view.height) if self.has_platforms else np.zeros(view.height.shape, np.bool_)
        is_floor |= view.height <= highest[np.ix_(rows, columns)] + MAX_EDGE
        room: Flags = is_floor & ~view.solid
        return room

    def blend(self, plan: NDArray[np.uint8], view: PlanView, window: PlanWindow, storey: Storey) -> NDArray[np.uint8]:
        """The plan (h,w,3) with the heat above it, where there is room for it."""
        value = self.scaled(self.density(window, storey))
        size = plan.shape[1], plan.shape[0]
        fine = Image.fromarray(value.astype(np.float32)).resize(size, Image.Resampling.BICUBIC)
        shares: Floats = np.clip(np.asarray(fine, np.float64), 0.0, 1.0)
        opacity = np.where(shares > 0.02, FIRST_OPACITY + (LAST_OPACITY - FIRST_OPACITY) * shares, 0.0)
        opacity *= np.clip(shares / 0.06, 0.0, 1.0) * self.places(view, window, storey)
        mixed = plan * (1.0 - opacity[..., None]) + palette.heat_colours(shares) * opacity[..., None]
        return np.asarray(np.clip(mixed, 0, 255), np.uint8)

    def scaled(self, density: Floats) -> Floats:
        """0..1 on the logarithmic scale from LEAST_SHARE of the longest time to the longest."""
        share = np.maximum(density / max(self.longest, 1e-12), LEAST_SHARE)
        scaled: Floats = 1.0 - np.log(share) / np.log(LEAST_SHARE)
        return scaled


def make_heat_map(
    walks: Sequence[DrawnWalk],
    extent: tuple[float, float, float, float],
    feet: Floats | None = None,
    has_platforms: bool = False,
) -> HeatMap:
    """The heat map of walks. extent: west, north, east and south edge (m), for the longest time. feet (n,3): those
    that count; default: all."""
    feet = np.concatenate([walk.table.feet for walk in walks]) if feet is None else feet
    steps = [np.diff(walk.seconds) for walk in walks if len(walk.seconds) > 1]
    tick_seconds = float(np.median(np.concatenate(steps))) if steps else 1.0 / 60.0
    density = _density(feet, tick_seconds, PlanWindow(*extent, 1.0))
    return HeatMap(feet, tick_seconds, float(density.max()), has_platforms)


def _density(feet: Floats, tick_seconds: float, window: PlanWindow) -> Floats:
    counts = _count(feet, window)
    area = (window.east - window.west) * (window.south - window.north) / counts.size
    return _blur(counts * tick_seconds / area, window)


def _cell(window: PlanWindow) -> float:
    """Side of a cell, m."""
    return max(CELL, (window.east - window.west) / MAX_CELLS, (window.south - window.north) / MAX_CELLS)


def _cells(window: PlanWindow) -> tuple[int, int]:
    """Number of cells of a window from north to south and from west to east."""
    cell = _cell(window)
    return max(1, round((window.south - window.north) / cell)), max(1, round((window.east - window.west) / cell))


def _count(feet: Floats, window: PlanWindow) -> Floats:
    """(z,x): number of feet in each cell."""
    edges = [[window.north, window.south], [window.west, window.east]]
    counts, _, _ = np.histogram2d(feet[:, 2], feet[:, 0], bins=_cells(window), range=edges)
    return counts


def _reach(window: PlanWindow) -> int:
    """Cells over which a body is spread, in each direction."""
    return max(1, round(BLUR_REACH * max(BLUR / _cell(window), 0.5)))


def _highest(feet: Floats, window: PlanWindow) -> Floats:
    """(z,x): height of the highest feet in the cells around each, m; -inf where there are none."""
    rows, columns = _cells(window)
    row = np.floor((feet[:, 2] - window.north) / (window.south - window.north) * rows).astype(np.int64)
    column = np.floor((feet[:, 0] - window.west) / (window.east - window.west) * columns).astype(np.int64)
    is_inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
    heights = np.full((rows, columns), -np.inf)
    np.maximum.at(heights, (row[is_inside], column[is_inside]), feet[is_inside, 1])
    for axis in (0, 1):
        heights = np.max(_shifted(heights, axis, _reach(window), -np.inf), axis=0)
    return heights


def _blur(values: Floats, window: PlanWindow) -> Floats:
    """Gaussian filter, in one direction after the other."""
    sigma = max(BLUR / _cell(window), 0.5)
    reach = _reach(window)
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    kernel /= kernel.sum()
    for axis in (0, 1):
        parts = zip(kernel, _shifted(values, axis, reach, 0.0), strict=True)
        values = sum((weight * part for weight, part in parts), np.zeros_like(values))
    return values


def _shifted(values: Floats, axis: int, reach: int, beyond: float) -> list[Floats]:
    """The values (z,x) shifted by -reach ... reach cells along an axis. beyond: value past the edges."""
    padded = np.pad(values, [(reach, reach) if k == axis else (0, 0) for k in (0, 1)], constant_values=beyond)
    return [np.take(padded, np.arange(k, k + values.shape[axis]), axis) for k in range(2 * reach + 1)]
