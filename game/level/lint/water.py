"""Check of water that nothing holds: it hangs in the air, stands in the open like a block, or runs out at its banks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...core.vectors import Floats
from ..build.entities.zones import LevelZone
from ..build.pieces import NATURAL_KINDS
from ..geometry.overlapping_pairs import find_boxes_near
from .clearance import placed_ladders, warn_of_missing_hole
from .doorways import placed_openings
from .lint_context import LintContext, describe_point, zone_bounds
from .places import subject_of_zone

MAX_DROP = 0.5  # m from the bottom of water to what is below it
MIN_BLOCK = 1.5  # m: lower water in the open is a puddle
RIM_REACH = 0.3  # m from the side of water to what holds it
RIM_DEPTH = 1.0  # m below its top from which a rim holds it
SIDES = (("north", 2, 0), ("south", 2, 1), ("west", 0, 0), ("east", 0, 1))  # with axis and end of the box
BANK_SAMPLES = 9  # along each side
BANK_PARTS = np.linspace(0.04, 0.96, BANK_SAMPLES)
BANK_GRID = np.array([(x, 0.0, z) for x in BANK_PARTS for z in BANK_PARTS])  # of a box, by x, then by z
LOW_SAMPLES = 1  # of them that may be lower: steps, and gaps
MIN_BANK = 0.3  # m above the bottom of water: what is lower is no bank
MAX_ABOVE_BANK = 0.1  # m that water may stand above its bank


def check_water(context: LintContext) -> None:
    """Warn about water with nothing below it, and about deep water that nothing holds on any side."""
    for zone in context.level.all_zones:
        if not zone.facts.is_water or zone.mover >= 0:
            continue
        low, high = zone_bounds(zone)
        if _check_under_terrain(context, zone, low, high) or _check_bottom(context, zone, low, high):
            continue
        if _check_flood(context, zone, low) or _check_cover(context, zone, low, high):
            continue
        rests = _is_beside(context, zone, low - [0.0, MAX_DROP, 0.0], high) or _has_rim(context, zone, low, high, 0.0)
        plan = (low + BANK_GRID * (high - low))[:, ::2]
        beds = context.ground_below(plan, np.full(len(plan), -np.inf), np.full(len(plan), high[1]))
        below_it = [zone.centre[0], low[1] - 0.1, zone.centre[2]]
        is_high = rests and (beds.face >= 0).all() and not context.terrain[beds.face].any()
        is_high = is_high and bool(low[1] - beds.height.max() > MAX_DROP)
        is_high = is_high and not any(one.facts.is_water and one.contains(below_it) for one in context.level.all_zones)
        if rests and not is_high and (high[1] - low[1] < MIN_BLOCK or _has_rim(context, zone, low, high)):
            _check_banks(context, zone, low, high)
            continue
        which = next((words for words, *box in swapped_corners(low, high) if _fits(context, zone, *box)), "")
        message = f"the water around {describe_point(zone.centre)} stands in the open: nothing holds it on any side"
        if is_high or not rests:
            ground = context.ground_below(np.array([zone.centre[::2]]), np.array([-np.inf]), low[None, 1])
            message = f"the water around {describe_point(zone.centre)} hangs in the air"
            if np.isfinite(ground.height[0]):
                below = context.describe_face(int(ground.face[0]))
                message += f": its bottom is {low[1] - ground.height[0]:.3g} m above {below}"
            elif not which:
                continue  # in the void one may swim
        cure = "lower it into a basin"
        if is_high:
            cure = f"raise {below} to a height of {low[1]:.4g}, or lower the bottom of the water to that of its bed"
            context.misplaced.add(int(context.faces.origin[ground.face[0]]))
        elif which:
            cure = f"swap the last two numbers of {which}: a point is [x, y, z], and y is the height"
        context.warn("floating", subject_of_zone(context, zone), message, cure)


def _check_under_terrain(context: LintContext, zone: LevelZone, low: Floats, high: Floats) -> bool:
    """Warn about water whose whole surface lies under terrain, with nothing between them. True if it does."""
    plan = (low + BANK_GRID * (high - low))[:, ::2]
    roof, over = context.ceiling_above(plan, np.full(len(plan), low[1]), 0.0)
    if (over < 0).any() or (~context.terrain[over]).any() or (roof <= high[1]).any():
        return False
    heights = roof.reshape(BANK_SAMPLES, BANK_SAMPLES)  # by x, by z
    flow = np.abs(dict(zone.physics).get("current", np.zeros(3)))
    banks = [float(side.min()) for side in (heights[:, [0, -1]], heights[[0, -1]])]  # along x, along z
    bank = min(banks) if flow[0] == flow[2] else banks[int(flow[2] > flow[0])]
    cure = "raise it, or lower the terrain there"
    if bank > heights.min() + MIN_BANK:
        cure = f"raise its surface to {bank - 0.05:.4g}"
    message = f"the water around {describe_point(zone.centre)} lies under {context.describe_face(int(over[0]))}"
    context.warn("buried", subject_of_zone(context, zone), message, cure)
    return True


def _check_flood(context: LintContext, zone: LevelZone, low: Floats) -> bool:
    """Warn about water over the head of a player who starts on ground, or a sea in doorways and over that ground."""
    feet = np.array([spawn.feet for spawn in context.level.spawns])
    step = np.full(len(feet), context.body.step_height)
    ground = context.ground_below(feet[:, ::2], feet[:, 1] - step, feet[:, 1] + step)
    depth = zone.centre[1] + zone.half[1] - feet[:, 1]
    wet = [zone.contains((at + np.array([0.0, MAX_ABOVE_BANK, 0.0])).tolist()) for at in feet] & (ground.face >= 0)
    doors = [one.centre[[0, 2]] for one in placed_openings(context) if one.opening.kind == "doorway"]
    spread = depth > 2.0 * context.body.radii[1]
    if low[1] < feet[:, 1].min() - MIN_BLOCK and len(doors):
        spread |= any(zone.contains([x, feet[0, 1] + MAX_ABOVE_BANK, z]) for x, z in doors)
    if not (wet & spread).any():
        return False
    start = int(np.argmax(wet & spread))
    floor = context.describe_face(int(ground.face[start]))
    message = f"the water around {describe_point(zone.centre)} stands {depth[start]:.3g} m above {floor}, "
    message += "where the player starts"
    context.warn(
        "floating", subject_of_zone(context, zone), message, f"lower its surface to {feet[start, 1] - 0.1:.4g}"
    )
    return True


def _check_cover(context: LintContext, zone: LevelZone, low: Floats, high: Floats) -> bool:
    """Warn about a floor that fills one end of the water: its hole is shorter than that. True if it does."""
    points = low + BANK_GRID * (high - low) - [0.0, 0.05, 0.0] + (high - low) * [0.0, 1.0, 0.0]
    around = context.solids.pieces_around(points)
    for index in np.unique(around[around >= 0]).tolist():
        rows = context.faces.origin == index
        inside = (points >= context.low[rows].min(axis=0))[:, ::2] & (points <= context.high[rows].max(axis=0))[:, ::2]
        own, solid = (one.reshape(BANK_SAMPLES, BANK_SAMPLES) for one in (around == index, around >= 0))
        strips = [one.any(axis=0) for one, all_ in ((own, solid), (own.T, solid.T)) if all_[:, one.any(axis=0)].all()]
        if inside.all() and any(np.count_nonzero(np.diff(one)) == 1 for one in strips):  # one end of it is filled
            floor = np.array([context.low[rows].min(axis=0), context.high[rows].max(axis=0)])
            corners = np.where(np.abs(floor - [low, high]) < RIM_REACH, floor, [low, high])[:, ::2]
            message = f"it covers a part of the `water` (line {zone.place.line}): its hole is too short"
            warn_of_missing_hole(context, index, message, corners, float(context.high[rows, 1].max()))
            return True
    return False


def _check_bottom(context: LintContext, zone: LevelZone, low: Floats, high: Floats) -> bool:
    """Warn about water in a hole of a floor with nothing below it: its basin is forgotten. True if it is."""
    plan = (low + BANK_GRID * (high - low))[:, ::2]
    top = np.full(len(plan), high[1] + MAX_DROP)
    if (context.ground_below(plan, np.full(len(plan), -np.inf), top, static=True).face >= 0).any():
        return False
    middle = (low + high)[::2] / 2.0
    ends = [(low[0] - RIM_REACH, middle[1]), (high[0] + RIM_REACH, middle[1])]
    ends += [(middle[0], low[2] - RIM_REACH), (middle[0], high[2] + RIM_REACH)]
    rim = context.ground_below(np.array(ends), np.full(4, low[1]), np.full(4, high[1] + RIM_DEPTH), static=True)
    if (rim.face < 0).any():
        return False
    (x, y, z), (u, _, w) = low.round(3).tolist(), high.round(3).tolist()
    room = f"`room: {{from: [{x:g}, {y:g}, {z:g}], to: [{u:g}, {rim.height.min() - 0.01:g}, {w:g}], ceiling: false}}`"
    message = f"the water around {describe_point(zone.centre)} has no bottom: nothing lies below it"
    context.warn("floating", subject_of_zone(context, zone), message, f"add a basin: {room}")
    inside = [
        one for one in placed_ladders(context) if (np.abs(np.clip(one.foot, low, high) - one.foot) < RIM_REACH).all()
    ]
    context.misplaced.update(one.origin for one in inside)  # they lack its walls
    return True


def _check_banks(context: LintContext, zone: LevelZone, low: Floats, high: Floats) -> None:
    """Warn about water that has a bank on all sides but one, or that stands above the lowest of its banks."""
    heights = _banks(context, zone, low, high)
    if zone.acts_by("current"):  # it comes in and runs out at the ends of its flow
        flow = np.abs(dict(zone.physics)["current"])
        ends = int(np.argmax(flow))
        heights[[k for k, (_, axis, _) in enumerate(SIDES) if axis == ends]] = high[1]
        if ends == 1 or (heights > low[1] + MIN_BANK).mean(axis=1).min() < 0.5:
            return
    lacks = (heights > low[1] + MIN_BANK).mean(axis=1) < 0.5
    around = f"the water around {describe_point(zone.centre)}"
    if lacks.sum() == 1 and ((heights > high[1] - MAX_ABOVE_BANK).mean(axis=1)[~lacks] > 0.5).all():
        name, axis, side = SIDES[int(np.argmax(lacks))]
        start, end = low.copy(), high.copy()
        start[axis] = end[axis] = (low, high)[side][axis] + (0.1 if side else -0.1)
        along = np.linspace(start, end, BANK_SAMPLES)
        ground = context.ground_below(along[:, ::2], along[:, 1], along[:, 1] + high[1] - low[1] + 2.0)
        height = max(float(high[1]), float(np.median(ground.height)) - 0.01) - low[1]
        (x, y, z), (u, _, w) = start.round(3).tolist(), end.round(3).tolist()
        wall = f"`wall: {{from: [{x:g}, {z:g}], to: [{u:g}, {w:g}], y: {y:g}, height: {height:.4g}}}`"
        message, cure = f"{around} runs out: nothing holds it on its {name} side", f"add a wall there: {wall}"
        at_side = [one.origin for one in placed_ladders(context) if abs(one.foot[axis] - start[axis]) < RIM_REACH]
        context.misplaced.update(at_side)  # they lack that wall too
    elif (
        not lacks.any()
        and (bank := float((lowest := np.sort(heights)[:, LOW_SAMPLES]).min())) <= high[1] - MAX_ABOVE_BANK
    ):
        name = SIDES[int(np.argmin(lowest))][0]
        message = f"{around} stands {high[1] - bank:.3g} m above its bank on its {name} side"
        cure = f"lower its surface to {bank - 0.05:.4g}"
    else:
        return
    context.warn("floating", subject_of_zone(context, zone), message, cure)


def _banks(context: LintContext, zone: LevelZone, low: Floats, high: Floats) -> Floats:
    """Heights (4, BANK_SAMPLES) of what holds water in a box along its sides, m; -inf where nothing does."""
    places = np.stack([low + BANK_PARTS[:, None] * (high - low) for _ in SIDES])
    for k, (_, axis, side) in enumerate(SIDES):
        places[k, :, axis] = (low, high)[side][axis]
    places = places.reshape(-1, 3)
    places[:, 1] = high[1] - 0.05
    all_low, all_high = _around(context, zone)
    down, up = np.array([(RIM_REACH, high[1] - low[1] - 0.1, RIM_REACH), (RIM_REACH, 0.05, RIM_REACH)])
    which, beside = find_boxes_near(places - down, places + up, all_low, all_high)
    heights = np.full(len(places), -np.inf)
    np.maximum.at(heights, which, all_high[beside, 1])
    _, cover = context.ceiling_above(places[:, ::2], places[:, 1], 0.0)
    below_terrain = (cover >= 0) & np.isin(context.kinds[cover], NATURAL_KINDS)
    heights[below_terrain | (context.solids.pieces_around(places) >= 0)] = high[1]
    return heights.reshape(len(SIDES), -1)


def swapped_corners(low: Floats, high: Floats) -> Iterator[tuple[str, Floats, Floats]]:
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
    """Whether water in a box would rest on something, in it or close below it, and have a rim."""
    rests = _is_beside(context, zone, low - [0.0, MAX_DROP, 0.0], high)
    return rests and _has_rim(context, zone, low, high) and bool((high > low).all())


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
    all_low, all_high = _around(context, zone)
    return bool(((all_low <= high - inset) & (all_high >= low + inset)).all(axis=1).any())


def _around(context: LintContext, zone: LevelZone) -> tuple[Floats, Floats]:
    """Lowest and highest corners (n,3) of all faces, the other zones that carry, and the ways of movers."""
    boxes, zones = context.ways
    others = boxes[[one is not zone for one in zones]]
    return np.concatenate([context.low, others[:, 0]]), np.concatenate([context.high, others[:, 1]])
