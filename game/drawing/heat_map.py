"""Walks of plots and comparisons, and their heat map: the time spent at each place, on a logarithmic scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ..core.vectors import Floats
from ..sim.replay.replay_file import FAILURE_NOTE, ReplayPart
from ..sim.replay.walk_table import WalkTable, join_tables
from . import palette
from .floor_plans import PlanView, PlanWindow, Storey


@dataclass(frozen=True, slots=True)
class DrawnWalk:
    """A walk of a plot or a comparison. name: in legends; table: ticks from the start of the walk; failure: in words,
    of a replay whose first tick failed."""

    name: str
    table: WalkTable
    ticks_per_second: float
    failure: str = ""

    @property
    def seconds(self) -> Floats:
        """(T,): end of each tick from the start of the walk, s."""
        seconds: Floats = self.table.tick / self.ticks_per_second
        return seconds

    @property
    def speed(self) -> Floats:
        """(T,): horizontal speed, m/s."""
        speed: Floats = np.hypot(self.table.velocity[:, 0], self.table.velocity[:, 2])
        return speed


def walk_of_part(name: str, part: ReplayPart) -> DrawnWalk:
    """The recorded walk of one part of a replay, which has ticks."""
    table = join_tables([block.table for block in part.blocks])
    note = str(part.head.get("note") or "")
    failure = note.removeprefix(FAILURE_NOTE) if note.startswith(FAILURE_NOTE) else ""
    return DrawnWalk(name, replace(table, tick=table.tick - part.blocks[0].first), part.ticks_per_second, failure)


def walked_places(walks: Sequence[DrawnWalk]) -> Floats:
    """(n,3): feet that are not below all the ground on which the walks stand, so that falls are left out. All feet
    where no tick is on ground."""
    feet = np.concatenate([walk.table.feet for walk in walks])
    grounded = np.concatenate([walk.table.grounded for walk in walks])
    places: Floats = feet[feet[:, 1] >= feet[grounded, 1].min()] if grounded.any() else feet
    return places


CELL = 0.125  # m, side of a cell in which time is counted
MAX_CELLS = 2000  # in each direction: on a larger plan the cells are larger
BLUR = 0.15  # m, standard deviation of the Gaussian that spreads a walker over its width
BLUR_REACH = 2.0  # standard deviations: farther than a body reaches, heat would show behind thin walls
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

    def blend(self, plan: NDArray[np.uint8], view: PlanView, window: PlanWindow, storey: Storey) -> NDArray[np.uint8]:
        """The plan (h,w,3) with the heat above it; walls have none."""
        value = self.scaled(self.density(window, storey))
        size = plan.shape[1], plan.shape[0]
        fine = Image.fromarray(value.astype(np.float32)).resize(size, Image.Resampling.BICUBIC)
        shares: Floats = np.clip(np.asarray(fine, np.float64), 0.0, 1.0)
        opacity = np.where(shares > 0.02, FIRST_OPACITY + (LAST_OPACITY - FIRST_OPACITY) * shares, 0.0)
        opacity *= np.clip(shares / 0.06, 0.0, 1.0) * ~view.solid
        mixed = plan * (1.0 - opacity[..., None]) + palette.gradient(palette.HEAT_STOPS, shares) * opacity[..., None]
        return np.asarray(np.clip(mixed, 0, 255), np.uint8)

    def scaled(self, density: Floats) -> Floats:
        """0..1 on the logarithmic scale from LEAST_SHARE of the longest time to the longest."""
        share = np.maximum(density / max(self.longest, 1e-12), LEAST_SHARE)
        scaled: Floats = 1.0 - np.log(share) / np.log(LEAST_SHARE)
        return scaled


def make_heat_map(walks: Sequence[DrawnWalk], extent: tuple[float, float, float, float], feet: Floats) -> HeatMap:
    """The heat map of walks. extent: west, north, east and south edge (m), for the longest time; feet (n,3): those
    that count."""
    steps = [np.diff(walk.seconds) for walk in walks if len(walk.seconds) > 1]
    tick_seconds = float(np.median(np.concatenate(steps))) if steps else 1.0 / 60.0
    density = _density(feet, tick_seconds, PlanWindow(*extent, 1.0))
    return HeatMap(feet, tick_seconds, float(density.max()))


def _density(feet: Floats, tick_seconds: float, window: PlanWindow) -> Floats:
    """(z,x): seconds per square metre, spread over the width of a body."""
    across, along = window.east - window.west, window.south - window.north
    cell = max(CELL, across / MAX_CELLS, along / MAX_CELLS)
    cells = max(1, round(along / cell)), max(1, round(across / cell))
    edges = [[window.north, window.south], [window.west, window.east]]
    counts, _, _ = np.histogram2d(feet[:, 2], feet[:, 0], bins=cells, range=edges)
    sigma = max(BLUR / cell, 0.5)
    reach = max(1, round(BLUR_REACH * sigma))
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    kernel /= kernel.sum()
    for axis in (0, 1):  # a Gaussian filter, in one direction after the other
        counts = np.apply_along_axis(lambda row: np.convolve(row, kernel)[reach : reach + len(row)], axis, counts)
    density: Floats = counts * tick_seconds * counts.size / (across * along)
    return density
