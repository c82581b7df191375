"""Ground that pictures show: that below walks, and the heights, walls and steep slopes of plans."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..core.vectors import Flags, Floats
from ..level import Level
from . import floor_plans
from .drawn_walk import DrawnWalk
from .plan import Plan

SURVEY_DETAIL = 0.4  # pixels of the survey for a pixel of the canvas
RARE_SHARE = 0.002  # of the ground: so little at either end is no part of its range
MIN_SHARE = 0.0005  # of a plan that must be wall or steep ground for an entry of the legend
FARTHEST = 6.0  # m beyond the ground of walks for which colours differ, or its range where that is larger
MIN_HEIGHT_SPAN = 2.0  # m that the colours of heights cover, at least
MAX_RISE = 0.1  # m of the ground above feet that stand on it: a body on an edge
MIN_FALL = 1.0  # m of a fall that charts show at least
FALL_SHARE = 0.25  # of the range of heights: so much of a fall is shown in charts


@dataclass(frozen=True, slots=True)
class PlanGround:
    """low, high: range of the heights that have colours, m; is_lower, is_higher: whether plans show ground beyond it;
    has_walls, has_steep, has_unreached: whether they show cut solids, ground that is too steep to walk, and ground that
    bots did not reach."""

    low: float
    high: float
    is_lower: bool = False
    is_higher: bool = False
    has_walls: bool = True
    has_steep: bool = True
    has_unreached: bool = False

    @property
    def scale(self) -> tuple[float, float]:
        """Lowest and highest height of the colours, m, so that they show small differences as small."""
        return self.low, max(self.high, self.low + MIN_HEIGHT_SPAN)


def survey_ground(level: Level, plans: Sequence[Plan], walked: tuple[float, float]) -> PlanGround:
    """The ground of some plans. walked: lowest and highest ground below the walks, m, which always has colours of its
    own."""
    solids = floor_plans.solid_triangles(level)
    heights = [np.array(walked)]
    has_walls = has_steep = False
    least_up = math.cos(math.radians(level.player.max_slope)) - 1e-6
    for plan in plans:
        coarse = replace(plan.window, scale=plan.window.scale * SURVEY_DETAIL)
        view = floor_plans.render_plan_view(level.mesh, solids, coarse, plan.storey)
        is_ground = ~np.isnan(view.height) & ~view.solid
        is_steep = is_ground & (np.abs(view.normal[..., 1]) < least_up)
        heights.append(view.height[is_ground & ~is_steep & (view.height >= plan.storey.low)])
        has_walls |= bool(view.solid.mean() > MIN_SHARE)
        has_steep |= bool(is_steep.mean() > MIN_SHARE)
    drawn = np.concatenate(heights)
    lowest, highest = (float(np.quantile(drawn, share)) for share in (RARE_SHARE, 1.0 - RARE_SHARE))
    beyond = max(FARTHEST, walked[1] - walked[0])
    low, high = max(min(lowest, walked[0]), walked[0] - beyond), min(max(highest, walked[1]), walked[1] + beyond)
    return PlanGround(low, high, lowest < low, highest > high, has_walls, has_steep)


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
    down = level.mesh.ground_below(feet + np.array((0.0, MAX_RISE, 0.0)))
    distance = np.asarray(down.distance, np.float64)
    return np.where(np.asarray(down.triangle) >= 0, feet[:, 1] + MAX_RISE - distance, np.nan)
