"""Where a walker can be put down: near a place, clear of walls, and not inside of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ..physics import WalkerState
from .zone_effects import up_and_north_at

if TYPE_CHECKING:
    from ..level import Level
    from . import World

Point = tuple[float, float, float]

VERTICAL_STEPS = (0.0, 0.3, -0.3, 0.6, -0.6, 1.0, -1.0, 1.5, -1.5, 2.2)  # m from a place without room, tried in turn
HORIZONTAL_STEPS = (0.5, 1.0, 1.8)  # m, likewise; each to eight sides, and a little higher
SEARCH_DIRECTIONS = 8
SIDE_STEP_LIFT = 0.6  # m


def place_walker_near(world: World, eye: Point, heading: int, beside: bool = True) -> WalkerState | None:
    """The walker under `eye`, looking to `heading`, or near by where there is room for it: higher, lower, or `beside`.

    It stands upright as the place has it, touches nothing and is in no solid; None where all of that cannot be.
    """
    settings, now = world.settings, world.walker_state
    tall, zones = settings.radii[1], None if world.around is None else world.around.zones
    up, north = up_and_north_at(zones, eye, 0.0)
    below = (2.0 * settings.eye - 1.0) * tall  # of the eye, where the body's middle is
    for rise, east, south in _search_offsets(beside):
        step = (rise * u + east * e - south * n for u, e, n in zip(up, _cross_product(north, up), north, strict=True))
        middle = tuple(part - below * u + way for part, u, way in zip(eye, up, step, strict=True))
        frame = up_and_north_at(zones, middle, 0.0)
        feet = tuple(part - tall * u for part, u in zip(middle, frame[0], strict=True))
        try:
            found = world.walker.spawn(world.mesh, feet, heading, *frame, around=world.around, clock=world.tick)
        except ValueError:
            continue
        if up_and_north_at(zones, found.position, 0.0) != frame:
            continue
        if not is_inside_solid(world.level, found.position):
            row = found.row()
            row["tick"] = now.tick
            return WalkerState(row)
    return None


def is_inside_solid(level: Level, at: Point) -> bool:
    """Whether a place is inside a solid: every wall around it on the level shows its back."""
    for way in ((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)):
        hit = level.mesh.raycast(at, way)
        if hit is None:
            return False
        a, b, c = level.triangles[hit.triangle]
        if float(np.cross(b - a, c - a) @ np.asarray(way)) <= 0.0:
            return False
    return True


def _search_offsets(beside: bool) -> list[tuple[float, float, float]]:
    """Steps up, to the east and to the south, in the order in which they are tried."""
    found = [(rise, 0.0, 0.0) for rise in VERTICAL_STEPS]
    for reach in HORIZONTAL_STEPS if beside else ():
        for k in range(SEARCH_DIRECTIONS):
            angle = k * math.tau / SEARCH_DIRECTIONS
            found += [(rise, reach * math.cos(angle), reach * math.sin(angle)) for rise in (0.0, SIDE_STEP_LIFT)]
    return found


def _cross_product(a: Point, b: Point) -> Point:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
