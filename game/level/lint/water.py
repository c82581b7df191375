"""Check of water that nothing holds: it hangs in the air, or stands in the open like a block."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...core.vectors import Floats
from ..build.entities.zones import LevelZone
from .lint_context import LintContext, describe_point
from .places import subject_of_zone, zone_bounds

MAX_DROP = 0.5  # m from the bottom of water to what is below it
MIN_BLOCK = 1.5  # m: lower water in the open is a puddle
RIM_REACH = 0.3  # m from the side of water to what holds it
RIM_DEPTH = 1.0  # m below its top from which a rim holds it


def check_water(context: LintContext) -> None:
    """Warn about water with nothing below it, and about deep water that nothing holds on any side."""
    for zone in context.level.all_zones:
        if not zone.facts.is_water or zone.mover >= 0:
            continue
        low, high = zone_bounds(zone)
        rests = _rests(context, zone, low, high) or _has_rim(context, zone, low, high, 0.0)
        if rests and (high[1] - low[1] < MIN_BLOCK or _has_rim(context, zone, low, high)):
            continue
        which = next((words for words, *box in _swapped(low, high) if _fits(context, zone, *box)), "")
        message = f"the water around {describe_point(zone.centre)} stands in the open: nothing holds it on any side"
        if not rests:
            ground = context.ground_below(np.array([zone.centre[::2]]), np.array([-np.inf]), low[None, 1])
            message = f"the water around {describe_point(zone.centre)} hangs in the air"
            if np.isfinite(ground.height[0]):
                below = context.describe_face(int(ground.face[0]))
                message += f": its bottom is {low[1] - ground.height[0]:.3g} m above {below}"
            elif not which:
                continue  # in the void one may swim
        cure = "lower it into a basin"
        if which:
            cure = f"swap the last two numbers of {which}: a point is [x, y, z], and y is the height"
        context.warn("floating", subject_of_zone(context, zone), message, f"{cure}, or add `intended: [floating]`")


def _swapped(low: Floats, high: Floats) -> Iterator[tuple[str, Floats, Floats]]:
    """Boxes with y and z swapped in both corners of a box, and in one of them; and the fields that are swapped."""
    (left, *near), (right, *far) = low.tolist(), high.tolist()
    (down, north), (up, south) = near, far
    for first, second in (((down, north), (up, south)), ((down, south), (up, north))):
        for words, one, other in (
            ("`from` and of `to`", first[::-1], second[::-1]),
            ("one of `from` and `to`", first[::-1], second),
            ("one of `from` and `to`", first, second[::-1]),
        ):
            corners = np.array([(left, *one), (right, *other)])
            yield words, corners.min(axis=0), corners.max(axis=0)


def _fits(context: LintContext, zone: LevelZone, low: Floats, high: Floats) -> bool:
    """Whether water in a box would rest on something, and have a rim."""
    return _rests(context, zone, low, high) and _has_rim(context, zone, low, high) and bool((high > low).all())


def _rests(context: LintContext, zone: LevelZone, low: Floats, high: Floats) -> bool:
    """Whether water in a box would have something in it or close below it."""
    return _is_beside(context, zone, low - [0.0, MAX_DROP, 0.0], high)


def _has_rim(context: LintContext, zone: LevelZone, low: Floats, high: Floats, depth: float = RIM_DEPTH) -> bool:
    """Whether something is close to a side of a box, up to `depth` (m) below its top."""
    for axis in (0, 2):
        for side in (low, high):
            slab_low, slab_high = low.copy(), high.copy()
            slab_low[1] = max(low[1], high[1] - depth)
            slab_high[1] += MAX_DROP
            slab_low[axis], slab_high[axis] = side[axis] - RIM_REACH, side[axis] + RIM_REACH
            if _is_beside(context, zone, slab_low, slab_high):
                return True
    return False


def _is_beside(context: LintContext, zone: LevelZone, low: Floats, high: Floats) -> bool:
    """Whether a box has a face that collides in it, or touches the way of a mover or another zone that carries."""
    inset = np.minimum(1e-3, (high - low) / 4.0)
    low, high = low + inset, high - inset
    others = [zone_bounds(one) for one in context.level.all_zones if one is not zone and one.facts.carries]
    others += [(path.world_low, path.world_high) for path in context.paths]
    if any((first <= high).all() and (last >= low).all() for first, last in others):
        return True
    return bool(((context.low <= high).all(axis=1) & (context.high >= low).all(axis=1)).any())
