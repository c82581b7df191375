"""Areas of a plan: water, other zones, and moving platforms and doors at their stops."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..level import Level
from ..level.build.entities.movers import LevelMover
from ..level.build.entities.zones import LevelZone
from .canvas import Colour
from .floor_plans import PlanWindow, Storey

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
