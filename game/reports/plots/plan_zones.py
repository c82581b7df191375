"""Water, other zones and moving platforms on a plan."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ...core.angles import HEADING_UNITS_PER_TURN
from ...level import Level
from ...level.build.entities.zones import LevelZone
from ...maps.floor_plans import Storey
from ...maps.map_canvas import Colour, PlanWindow
from ...maps.mover_outlines import mover_outlines

WATER_COLOUR: Colour = (58, 122, 184)
ZONE_COLOUR: Colour = (126, 70, 150)
PLATFORM_COLOUR: Colour = (70, 64, 58)
NAMES = {WATER_COLOUR: "water", ZONE_COLOUR: "zone", PLATFORM_COLOUR: "moving platform"}  # for the legend
FILL_OPACITY = {WATER_COLOUR: 0.42, ZONE_COLOUR: 0.12, PLATFORM_COLOUR: 0.18}

Corner = tuple[float, float]


@dataclass(frozen=True, slots=True)
class PlanShape:
    """An area of the plan. corners: (x, z) in m, within the window."""

    corners: list[Corner]
    colour: Colour

    @property
    def opacity(self) -> float:
        """Of its fill."""
        return FILL_OPACITY[self.colour]


def plan_shapes(level: Level, window: PlanWindow, storey: Storey) -> list[PlanShape]:
    """The zones and platforms of a storey that a window shows. Platforms are at rest, at each of their stops."""
    found = [*_zones(level, storey), *_platforms(level, storey)]
    clipped = [PlanShape(_clip(shape.corners, window), shape.colour) for shape in found]
    return [shape for shape in clipped if len(shape.corners) > 2]


def _zones(level: Level, storey: Storey) -> Iterator[PlanShape]:
    """Those that reach into the storey and that nothing carries."""
    for zone in level.areas:
        low, high = zone.centre[1] - zone.half[1], zone.centre[1] + zone.half[1]
        if zone.mover < 0 and low < storey.high and high > storey.low:
            yield PlanShape(_zone_corners(zone), WATER_COLOUR if zone.acts_by("water") else ZONE_COLOUR)


def _zone_corners(zone: LevelZone) -> list[Corner]:
    angle = zone.heading * math.tau / HEADING_UNITS_PER_TURN
    s, c = math.sin(angle), math.cos(angle)
    (x, _, z), (a, _, b) = zone.centre, zone.half
    return [(x + c * u + s * v, z - s * u + c * v) for u, v in ((-a, -b), (a, -b), (a, b), (-a, b))]


def _platforms(level: Level, storey: Storey) -> Iterator[PlanShape]:
    for mover in level.movers:
        for corners in mover_outlines(mover, storey):
            yield PlanShape(corners, PLATFORM_COLOUR)


def _clip(corners: list[Corner], window: PlanWindow) -> list[Corner]:
    """The part of a convex polygon inside a window (Sutherland and Hodgman, 1974)."""
    borders: tuple[Callable[[Corner], float], ...] = (
        lambda at: at[0] - window.west,
        lambda at: window.east - at[0],
        lambda at: at[1] - window.north,
        lambda at: window.south - at[1],
    )
    for inside in borders:
        before, corners = corners, []
        for k, end in enumerate(before):
            start = before[k - 1]
            a, b = inside(start), inside(end)
            if (a < 0.0) != (b < 0.0):
                t = a / (a - b)
                corners.append((start[0] + t * (end[0] - start[0]), start[1] + t * (end[1] - start[1])))
            if b >= 0.0:
                corners.append(end)
    return corners
