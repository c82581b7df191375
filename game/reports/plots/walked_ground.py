"""Ground below walks: the places that have some, and the range of its heights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.vectors import Flags, Floats
from ...level import Level
from ..drawn_walk import DrawnWalk

MAX_RISE = 0.1  # m of the ground above feet that stand on it: a body on an edge
MIN_FALL, FALL_SHARE = 1.0, 0.25  # m, and share of the range of heights: so much of a fall is shown in charts


def places_above_ground(level: Level, walks: Sequence[DrawnWalk]) -> Floats:
    """(n,3): feet of the ticks on ground or above some of it. A body that falls off the level is left out. All feet
    where no tick has ground below."""
    feet, grounded = _feet_and_flags(walks)
    kept = grounded.copy()
    kept[~grounded] = ~np.isnan(_ground_heights(level, feet[~grounded]))
    places: Floats = feet[kept] if kept.any() else feet
    return places


def ground_range(level: Level, walks: Sequence[DrawnWalk]) -> tuple[float, float]:
    """Lowest and highest ground on which the walks stand, m; that below them where none stands on ground."""
    feet, grounded = _feet_and_flags(walks)
    heights = feet[grounded, 1] if grounded.any() else _ground_heights(level, feet)
    heights = heights[~np.isnan(heights)]
    heights = heights if len(heights) else feet[:, 1]
    return float(heights.min()), float(heights.max())


def lowest_of_chart(places: Floats) -> float:
    """Least height (m) of a chart, so that a fall off the level does not flatten it. places: `places_above_ground`."""
    low, high = float(places[:, 1].min()), float(places[:, 1].max())
    return low - max(MIN_FALL, FALL_SHARE * (high - low))


def _feet_and_flags(walks: Sequence[DrawnWalk]) -> tuple[Floats, Flags]:
    grounded = np.concatenate([walk.table.grounded for walk in walks])
    return np.concatenate([walk.table.feet for walk in walks]), grounded


def _ground_heights(level: Level, feet: Floats) -> Floats:
    """(n,): height of the ground below each place (m), NaN where there is none."""
    if not len(level.mesh) or not len(feet):
        return np.full(len(feet), np.nan)
    down = level.mesh.ground_below(feet + np.array((0.0, MAX_RISE, 0.0)))
    distance = np.asarray(down.distance, np.float64)
    return np.where(np.asarray(down.triangle) >= 0, feet[:, 1] + MAX_RISE - distance, np.nan)
