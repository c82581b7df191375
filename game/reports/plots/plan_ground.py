"""Ground that plans show: the range of its heights, and whether there are walls and steep slopes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...level import Level
from ...maps import floor_plans, run_map
from ...maps.map_canvas import PlanWindow
from .plan_panel import PlanPanel

SURVEY_DETAIL = 0.4  # pixels of the survey for a pixel of the figure
RARE_SHARE = 0.002  # of the ground: so little at either end is no part of its range
MIN_SHARE = 0.0005  # of a plan that must be wall or steep ground for an entry of the legend
FARTHEST = 6.0  # m beyond the ground of walks for which colours differ, or its range where that is larger


@dataclass(frozen=True, slots=True)
class PlanGround:
    """low, high: range of the heights that have colours, m; is_lower, is_higher: whether plans show ground beyond it;
    has_walls, has_steep: whether they show cut solids, and ground that is too steep to walk."""

    low: float
    high: float
    is_lower: bool = False
    is_higher: bool = False
    has_walls: bool = False
    has_steep: bool = False

    @property
    def scale(self) -> tuple[float, float]:
        """Lowest and highest height of the colours, m, so that they show small differences as small."""
        return self.low, max(self.high, self.low + run_map.MIN_HEIGHT_SPAN)


def survey_ground(level: Level, panels: Sequence[PlanPanel], walked: tuple[float, float]) -> PlanGround:
    """The ground of some plans. walked: lowest and highest ground below the walks, m, which always has colours of its
    own."""
    solids = run_map.solid_triangles(level)
    heights, has_walls, has_steep = [np.array(walked)], False, False
    least_up = math.cos(math.radians(level.player.max_slope)) - 1e-6
    for panel in panels:
        w = panel.window
        coarse = PlanWindow(w.west, w.north, w.east, w.south, w.scale * SURVEY_DETAIL)
        view = floor_plans.render_plan_view(level.mesh, solids, coarse, panel.storey, 1)
        is_ground = ~np.isnan(view.height) & ~view.solid
        is_steep = is_ground & (np.abs(view.normal[..., 1]) < least_up)
        heights.append(view.height[is_ground & ~is_steep & (view.height >= panel.storey.low)])
        has_walls |= bool(view.solid.mean() > MIN_SHARE)
        has_steep |= bool(is_steep.mean() > MIN_SHARE)
    drawn = np.concatenate(heights)
    lowest, highest = (float(np.quantile(drawn, share)) for share in (RARE_SHARE, 1.0 - RARE_SHARE))
    beyond = max(FARTHEST, walked[1] - walked[0])
    low, high = max(min(lowest, walked[0]), walked[0] - beyond), min(max(highest, walked[1]), walked[1] + beyond)
    return PlanGround(low, high, lowest < low, highest > high, has_walls, has_steep)
