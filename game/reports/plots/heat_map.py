"""Heat map: the time that walkers spent at each place of a storey, on a logarithmic scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ...core.vectors import Floats
from ...maps.floor_plans import Storey
from ...maps.map_canvas import PlanWindow
from ..walk_path import WalkPath
from . import palette

CELL = 0.25  # m, side of a cell in which time is counted
MAX_CELLS = 2000  # in each direction: on a larger plan the cells are larger
BLUR = 0.30  # m, standard deviation of the Gaussian that spreads a walker over its width
FIRST_OPACITY, LAST_OPACITY = 0.35, 0.95  # of the least and the most visited places
LEAST_SHARE = 0.002  # of the longest time: places with less stay uncoloured


@dataclass(frozen=True, slots=True)
class HeatMap:
    """feet (n,3) of all walks at each tick; each stands for `tick_seconds`. longest: most seconds per square metre."""

    feet: Floats
    tick_seconds: float
    longest: float

    def density(self, window: PlanWindow, storey: Storey) -> Floats:
        """(z,x): seconds per square metre in the cells of a window."""
        return _density(self.feet[storey.contains(self.feet[:, 1])], self.tick_seconds, window)

    def blend(self, plan: NDArray[np.uint8], window: PlanWindow, storey: Storey) -> NDArray[np.uint8]:
        """The plan (h,w,3) with the heat above it."""
        value = self.scaled(self.density(window, storey))
        size = plan.shape[1], plan.shape[0]
        fine = Image.fromarray(value.astype(np.float32)).resize(size, Image.Resampling.BICUBIC)
        shares: Floats = np.clip(np.asarray(fine, np.float64), 0.0, 1.0)
        opacity = np.where(shares > 0.02, FIRST_OPACITY + (LAST_OPACITY - FIRST_OPACITY) * shares, 0.0)
        opacity *= np.clip(shares / 0.06, 0.0, 1.0)
        mixed = plan * (1.0 - opacity[..., None]) + palette.heat_colours(shares) * opacity[..., None]
        return np.asarray(np.clip(mixed, 0, 255), np.uint8)

    def scaled(self, density: Floats) -> Floats:
        """0..1 on the logarithmic scale from LEAST_SHARE of the longest time to the longest."""
        share = np.maximum(density / max(self.longest, 1e-12), LEAST_SHARE)
        scaled: Floats = 1.0 - np.log(share) / np.log(LEAST_SHARE)
        return scaled


def make_heat_map(walks: Sequence[WalkPath], extent: tuple[float, float, float, float]) -> HeatMap:
    """The heat map of walks. extent: west, north, east and south edge (m), for the longest time."""
    feet = np.concatenate([walk.feet for walk in walks])
    steps = [np.diff(walk.seconds) for walk in walks if len(walk.seconds) > 1]
    tick_seconds = float(np.median(np.concatenate(steps))) if steps else 1.0 / 60.0
    density = _density(feet, tick_seconds, PlanWindow(*extent, 1.0))
    return HeatMap(feet, tick_seconds, float(density.max()))


def _density(feet: Floats, tick_seconds: float, window: PlanWindow) -> Floats:
    cell = max(CELL, (window.east - window.west) / MAX_CELLS, (window.south - window.north) / MAX_CELLS)
    columns = max(1, round((window.east - window.west) / cell))
    rows = max(1, round((window.south - window.north) / cell))
    edges = [[window.north, window.south], [window.west, window.east]]
    counts, _, _ = np.histogram2d(feet[:, 2], feet[:, 0], bins=(rows, columns), range=edges)
    area = (window.east - window.west) / columns * (window.south - window.north) / rows
    return _blur(counts * tick_seconds / area, max(BLUR / cell, 0.5))


def _blur(values: Floats, sigma: float) -> Floats:
    """Gaussian filter, in one direction after the other."""
    reach = max(1, round(3.0 * sigma))
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    kernel /= kernel.sum()
    for axis in (0, 1):
        padded = np.pad(values, [(reach, reach) if k == axis else (0, 0) for k in (0, 1)])
        count = values.shape[axis]
        slices = [np.take(padded, np.arange(k, k + count), axis=axis) for k in range(len(kernel))]
        values = sum((weight * part for weight, part in zip(kernel, slices, strict=True)), np.zeros_like(values))
    return values
