"""Checks of places that the player shall come to: targets, checkpoints, and the ends of teleports and pads."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...core.angles import RADIANS_PER_HEADING_UNIT
from ...core.vectors import Flags, Floats
from ..build.entities.movers import MoverPath
from ..build.entities.zones import LevelZone, RunRole, ZoneSpec
from ..build.pieces import PIECES, SHEET_KINDS
from ..build.pieces.zones import PAD_REACH_ABOVE, PAD_REACH_BELOW
from ..geometry.faces import TargetSpec
from ..geometry.overlapping_pairs import distance_from_origin
from .clearance import MIN_LEDGE_WIDTH
from .lint_context import LintContext, Subject, describe_point, subject_of, zone_bounds

BURIED_RADIUS_FACTOR = 0.9  # of the body's radii: geometry nearer to its centre intersects it
MAX_LEAP = 4.0  # m on the plan from ground to a target that a player reaches with a leap
AIR_CONTROL = 1.0  # m on the plan by which a player corrects the landing after a pad
MAX_LANDING_DROP = 5.0  # m that players fall at the end of a flight
MAX_MEANT_DROP = 1.0  # m, if its numbers can mean ground
LANDING_SLACK = 0.3  # m from a landing to the ground for which it was made
MIN_UP = 0.3  # of the normal of ground in the widest sense: players slide and jump on steep slopes
MAX_WAVES = 200  # of jumps from one place
LEAP_PARTS = np.linspace(0.0, 1.0, 20)[:, None]  # of the way of a leap, at which it is compared with solids
MAX_PAIRS = 4_000_000  # of faces that are compared at once; more are compared by their common box
LEAP_MARGIN = 1.0  # m that a leap is longer than its ballistic flight: the size of the body
COVER_DEPTH, MAX_SLAB = 3.0, 1.0  # m from a place under a floor up to that, and of the thickness of the floor
MAX_DECK = 0.5  # m of the height of a mover that only goes aside or turns
AROUND = 0.2 * np.array([(k * np.sin(2.4 * k), k * np.cos(2.4 * k)) for k in range(33)])  # m on the plan: places there
KILL_PARTS = np.linspace(-0.2, 1.2, 8)  # of the sides of a `kill` box, at which one would fall to it
POSES_PER_PERIOD = 128  # of a mover, at which its box is compared with a checkpoint


def check_targets(context: LintContext) -> None:
    """Warn about targets that are wholly inside a solid, or have nothing below them."""
    level = context.level
    for marker in level.faces.marks:
        if isinstance(marker.payload, TargetSpec) and not marker.mover:
            radius = marker.payload.radius * level.faces.instances[marker.instance].size
            at = np.array(marker.at)
            subject = subject_of(level.origins[marker.origin])
            thrown = level.play is not None and level.play.reach_targets  # balls come to it
            if not warn_buried(context, subject, at, radius, "the target") and not thrown:
                reach = np.array([radius + MAX_LEAP, radius, radius + MAX_LEAP])
                warn_void(context, subject, at, reach, "the target", 2.0 * context.body.radii[1])


def check_checkpoints(context: LintContext) -> None:
    """Warn about checkpoints in which nobody can stand."""
    for zone in context.level.all_zones:
        low, high = zone_bounds(zone)
        if zone.facts.role is not RunRole.CHECKPOINT or zone.mover >= 0 or is_carried(context, low, high):
            continue
        subject = subject_of_zone(context, zone)
        where = describe_point(zone.centre)
        inset = np.minimum(0.01, (high - low) / 4.0)
        corners = [np.where(side, low + inset, high - inset) for side in np.ndindex(2, 2, 2)]
        around = context.solids.pieces_around(np.array([zone.centre, *corners]))
        if (around >= 0).all():
            piece = context.describe_solid(int(around[0]), np.array(zone.centre))
            message = f"the checkpoint at {where} is inside {piece}: nobody reaches it"
            context.warn("buried", subject, message, "move it into the open")
            continue
        low[1] -= context.body.radii[1]  # the centre of the body counts too
        ground = context.walkable & (context.low <= high).all(axis=1) & (context.high >= low).all(axis=1)
        if any(_carries_into(path, low, high) for path in context.paths):
            continue
        if not ground.any():
            if not _warn_under_floor(context, subject, np.array(zone.centre), zone.half[1], "the checkpoint"):
                message = f"nobody can stand in the checkpoint at {where}: there is no ground in it"
                context.warn("void", subject, message, "lower it onto ground")
        elif is_cut_off(context, np.array(zone.centre), (high - low) / 2.0, context.body.radii[1]):
            _warn_cut_off(context, subject, np.array(zone.centre), "the checkpoint", int(np.argmax(ground)))


def check_kill_boxes(context: LintContext) -> None:
    """Warn about `kill` boxes below the kill height, and those under a floor with nothing below it."""
    for zone in kill_boxes(context):
        low, high = zone_bounds(zone)
        plan = np.array([low + (high - low) * [x, 0.0, z] for x in KILL_PARTS for z in KILL_PARTS])[:, ::2]
        top = np.full(len(plan), high[1])
        over = context.ground_below(plan, top, top + np.inf, static=True).face
        closed = over.min() >= 0 > context.ground_below(plan, top - np.inf, top).face.max()
        if high[1] <= context.kill_height:
            message = f"it is below `kill_height`, {context.kill_height:g} m: players respawn before they come to it"
            context.warn("void", subject_of_zone(context, zone), message, "raise it, or lower `kill_height`")
        elif closed and not context.has_carrier(low, high):
            message = f"it lies under {context.describe_face(int(over[0]))}: nobody falls into it"
            context.warn("void", subject_of_zone(context, zone), message, "make a hole above it, or move it")


def check_teleports(context: LintContext) -> None:
    """Warn about teleports that lead into a solid, the air, the void or their own box, or below the kill height."""
    for zone in context.level.all_zones:
        if zone.arrive is None:
            continue
        feet = np.array(zone.arrive)
        subject = subject_of_zone(context, zone)
        arrives = f"the player arrives at {describe_point(zone.arrive)}"
        meant = feet + np.array(zone.centre) - [0.0, zone.half[1], 0.0]
        cure = ""
        if zone.mover < 0 and abs(_drop_below(context, meant, 0.0)) < LANDING_SLACK:
            cure = f"`arrive` is not relative to the box: write `arrive: {describe_point(meant, '[]')}`"
        if _warn_of_end(context, subject, (arrives, "arrive", cure), feet, 0.0, zone.look):
            continue
        if zone.contains(feet.tolist()) and zone.mover < 0:
            cure = "move `arrive` out of its box"
            message = f"{arrives}, inside the same teleport: it works again only after the player has left it"
            context.warn("overlap", subject, message, cure)


def check_pads(context: LintContext) -> None:
    """Warn about pads that throw the player into a solid, the air or the void, or below the kill height."""
    level = context.level
    for marker in level.faces.marks:
        pad = marker.payload
        if not isinstance(pad, ZoneSpec) or pad.landing is None or marker.mover:
            continue
        axes = context.directions(marker)
        to = np.array(pad.landing)
        landing = np.array(marker.at) + to @ axes
        cure = ""
        if abs(_drop_below(context, to, 0.0)) < LANDING_SLACK:  # there is ground, if it is a place in the level
            base = np.array(marker.at) - [0.0, (PAD_REACH_ABOVE - PAD_REACH_BELOW) / 2.0, 0.0]
            meant = describe_point((to - base) @ np.linalg.inv(axes), "[]")
            cure = f"`to` is relative to the pad, not a place in the level: write `to: {meant}`"
        lands = f"the player lands at {describe_point(landing)}"
        _warn_of_end(context, subject_of(level.origins[marker.origin]), (lands, "to", cure), landing, AIR_CONTROL, 0)


def _warn_of_end(
    context: LintContext, subject: Subject, words: tuple[str, str, str], feet: Floats, reach: float, look: int
) -> bool:
    """Warn about the end (3,) of a flight or a teleport in a solid, the air or the void. True if it is there.

    words: what happens; the field; its cure, if its numbers read in another way are on ground. reach: of air control.
    """
    happens, field, meant = words if abs(feet[1]) > LANDING_SLACK else (*words[:2], "")  # each place fits level ground
    kind, message, cure = "void", "", meant or f"move `{field}` to ground"
    side = np.array([reach, 0.0, reach])
    if feet[1] <= context.kill_height:
        context.warn(
            kind, subject, f"{happens}, below `kill_height`", f"raise `{field}`, or lower `kill_height`", False
        )
        return True
    drop = _drop_below(context, feet, reach)
    if (piece := piece_in_the_way(context, feet, look)) is not None:
        kind, message, cure = "buried", f" in {piece}", meant or f"move `{field}` into the open"
    elif not has_ground(context, feet - side, feet + side):
        cure = words[2] or cure
        message = ", where there is no ground below"
    elif drop > (MAX_MEANT_DROP if meant else MAX_LANDING_DROP) and not is_carried(context, feet - [0, drop, 0], feet):
        kind, message = "fall", f", {drop:.3g} m above the ground"
    if message:
        context.warn(kind, subject, happens + message, cure)
    return bool(message)


def _drop_below(context: LintContext, feet: Floats, reach: float) -> float:
    """Metres from a place (3,) down to the highest ground within `reach` m of it on the plan; inf if there is none."""
    plan = feet[::2] + [(x, z) for x in (-reach, 0.0, reach) for z in (-reach, 0.0, reach)]
    ground = context.ground_below(plan, np.full(9, -np.inf), np.full(9, feet[1] + LANDING_SLACK))
    return 0.0 if mover_comes_to(context, feet[None]) else float(feet[1] - ground.height.max())


def warn_buried(context: LintContext, subject: Subject, centre: Floats, radius: float, noun: str) -> bool:
    """Warn about a sphere that is wholly inside a solid. True if it is."""
    inside = int(context.solids.pieces_around(centre[None])[0])
    if inside < 0:
        return False
    near = (context.low <= centre + radius).all(axis=1) & (context.high >= centre - radius).all(axis=1)
    near &= (context.normals[:, 1] < 0.5) | (context.high[:, 1] > centre[1])  # not the floor under the solid
    triangles = context.triangles[near[context.face_of]] - centre
    if distance_from_origin(triangles).min(initial=np.inf) < radius:
        return False
    piece = context.describe_solid(inside, centre)
    message = f"{noun} at {describe_point(centre)} is inside {piece}: nobody reaches it"
    context.warn("buried", subject, message, "move it into the open")
    return True


def _warn_under_floor(
    context: LintContext, subject: Subject, at: Floats, half: float, noun: str, body_height: float = 0.0
) -> bool:
    """Warn about a place (3,) in a hollow under a floor, with no ground in reach; true if so. half: of its height."""
    body, plan = context.body, at[::2] + AROUND
    roof, over = context.ceiling_above(plan, np.full(len(plan), at[1]), 0.0, static=True)
    is_floor = np.isfinite(roof).all() and (context.normals[over[0], 1] > 0.0 or context.kinds[over[0]] in SHEET_KINDS)
    if not (is_floor and roof[0] - at[1] < COVER_DEPTH and body.gravity):
        return False
    low = np.full(len(plan), at[1] - half - body_height - body.jump_height)
    ground = context.ground_below(plan, low, np.minimum(roof, roof[0]) - body.clear_crouch_height, MIN_LEDGE_WIDTH)
    floor = context.ground_below(plan[:1], roof[:1] - 0.01, roof[:1] + MAX_SLAB)
    hands = np.insert(plan, 1, np.minimum(roof, ground.height + 2.0 * body.radii[1]) - 0.1, axis=1)[ground.face >= 0]
    leaps = at + np.linspace(0.0, 1.0, 64)[:, None, None] * (hands - at)
    is_open = (context.solids.pieces_around(leaps.reshape(-1, 3)).reshape(64, -1) < 0).all(axis=0).any()
    sides = np.array([(-MAX_LEAP, -half - body_height, -MAX_LEAP), (MAX_LEAP, roof[0] - at[1] - 0.01, MAX_LEAP)])
    if is_open or floor.face[0] < 0 or context.has_carrier(*(at + sides)):
        return False
    message = f"{noun} at {describe_point(at)} is under {context.describe_face(int(floor.face[0]))}: nobody reaches it"
    context.warn("void", subject, message, f"raise it by {floor.height[0] + half - at[1]:.4g} m")
    return True


def warn_void(
    context: LintContext, subject: Subject, at: Floats, reach: Floats, noun: str, body_height: float = 0.0
) -> None:
    """Warn about a place (3,) without ground below it, or so high above it that no player comes there.

    reach (3,): half size (m) of the box in which players come to it. body_height: m above the feet that touches it.
    """
    if _warn_under_floor(context, subject, at, float(reach[1]), noun, body_height):
        return
    ground = context.ground_below(at[None, ::2], np.array([-np.inf]), at[None, 1]).height[0] + 0.01
    half, heights = float(reach[1]), (max(at[1] - reach[1] - body_height, ground), at[1] + reach[1])
    touch = [(at[0] + x, y, at[2] + z) for x in (-half, half) for z in (-half, half) for y in heights]  # of the feet
    for zone in kill_boxes(context):
        if all(map(zone.contains, touch)):
            message = f"{noun} at {describe_point(at)} is in the `kill` box (line {zone.place.line}): nobody reaches it"
            context.warn("void", subject, message, "move one of them")
            return
    if has_ground(context, at - reach, at + reach):
        _warn_in_air(context, subject, at, float(reach[1]), body_height, noun)
        return
    message = f"there is no ground below {noun} at {describe_point(at)}"
    over, above = context.ceiling_above(at[None, ::2], at[None, 1], 0.0)
    if np.isfinite(over[0]):
        message += f"; {context.describe_face(int(above[0]))} is {over[0] - at[1]:.3g} m above it"
    is_swapped = LANDING_SLACK < _drop_below(context, at[[0, 2, 1]], 0.0) < 2.0 * context.body.radii[1]
    cure = "swap its last two numbers: a point is [x, y, z], and y is the height" if is_swapped else "move it to ground"
    context.warn("void", subject, message, cure)


def _warn_in_air(context: LintContext, subject: Subject, at: Floats, radius: float, body: float, noun: str) -> None:
    """Warn about a place (3,) in the air, or on ground such as a roof, to which nothing leads.

    radius: of its sphere, m. body: m above the feet that touches it.
    """
    height = radius + body
    around = np.array([height + MAX_LEAP, height, height + MAX_LEAP])
    carried = is_carried(context, at - around, at + around)
    if carried or not is_cut_off(context, at, np.full(3, radius), max(0.0, body - context.body.step_height)):
        return
    ground = context.ground_below(at[None, ::2], np.array([-np.inf]), at[None, 1])
    if ground.height[0] >= at[1] - height:
        _warn_cut_off(context, subject, at, noun, int(ground.face[0]))
        return
    message = f"{noun} at {describe_point(at)} hangs in the air"
    lower = "lower it to ground"
    if np.isfinite(ground.height[0]):
        message += f", {at[1] - ground.height[0]:.3g} m above {context.describe_face(int(ground.face[0]))}"
        lower = f"lower it to a height of {ground.height[0] + 0.0:.3g}"
    cure = f"{lower}, bring a floor or a lift to it"
    context.warn("void", subject, f"{message}: no floor, lift or pad leads to it", cure)


def _warn_cut_off(context: LintContext, subject: Subject, at: Floats, noun: str, face: int) -> None:
    """Warn about a place (3,) on ground to which nothing leads, such as a roof. face: of that ground."""
    if context.has_warned("floating", int(context.faces.origin[face])):
        return
    message = f"nobody comes to {noun} at {describe_point(at)}: no stairs, ladder, lift or pad lead up to "
    message += context.describe_face(face)
    cure = "put stairs, a ladder or a lift there, move it to where players come"
    top = context.high[face, 1]
    floor = context.ground_below(at[None, ::2], np.array([-np.inf]), top[None] - 0.5, MIN_LEDGE_WIDTH).height[0]
    has_roof = "ceiling" in PIECES[context.origin_of_face(face).kind].fields
    if has_roof and np.isfinite(floor):
        message += f"; it is on the roof, and the floor is at {floor + 0.0:.3g}"
        cure = f"lower it by {top - floor:.3g} m, {cure}"
    context.warn("void", subject, message, cure)


def _carries_into(path: MoverPath, low: Floats, high: Floats) -> bool:
    """Whether a mover brings a box around its triangles into a box of the world."""
    if not len(path.triangles) or (path.world_low > high).any() or (path.world_high < low).any():
        return False
    period = max(path.periods, default=0.0)
    times = np.concatenate([np.linspace(0.0, period, POSES_PER_PERIOD), path.boundaries(period)])
    rotations, positions = path.poses(times)
    own = np.array([path.low.min(axis=0), path.high.max(axis=0)])
    corners = np.array([(own[i, 0], own[j, 1], own[k, 2]) for i, j, k in np.ndindex(2, 2, 2)])
    posed = np.einsum("nij,cj->nci", rotations, corners) + positions[:, None]
    return bool(((posed.min(axis=1) <= high) & (posed.max(axis=1) >= low)).all(axis=1).any())


def mover_comes_to(context: LintContext, points: Floats) -> bool:
    """Whether a mover ever comes to one of the points (n,3) on the plan, and not only far above them."""
    low, high = points.min(axis=0)[::2], points.max(axis=0) + np.array([0.0, context.body.clear_height, 0.0])
    return any((path.world_low <= high).all() and (path.world_high[::2] >= low).all() for path in context.paths)


def has_ground(context: LintContext, low: Floats, high: Floats) -> bool:
    """Whether a player can be in a box for another reason than a fall into the void.

    True if a face that faces up, or a mover, is below its top; or if a zone carries the player.
    """
    plan = [0, 2]
    kill_height = context.kill_height
    up = (context.normals[:, 1] > 0.05) & (context.low[:, 1] <= high[1] + 0.05) & (context.high[:, 1] > kill_height)
    over = (context.low[:, plan] <= high[plan]).all(axis=1) & (context.high[:, plan] >= low[plan]).all(axis=1)
    return bool((up & over).any()) or is_carried(context, low, high) or mover_comes_to(context, np.array([low, high]))


def is_carried(context: LintContext, low: Floats, high: Floats) -> bool:
    """Whether a box touches a zone in which a player can be without ground."""
    return _touches_zone(context, low, high, lambda zone: zone.facts.carries)


def kill_boxes(context: LintContext) -> list[LevelZone]:
    """The kill boxes that no mover carries."""
    return [zone for zone in context.level.all_zones if zone.facts.role is RunRole.KILL and zone.mover < 0]


def has_own_gravity(context: LintContext, place: Floats) -> bool:
    """Whether a place (3,) is in a zone with its own gravity."""
    return _touches_zone(context, place, place, lambda zone: zone.acts_by("down"))


def _touches_zone(context: LintContext, low: Floats, high: Floats, is_meant: Callable[[LevelZone], bool]) -> bool:
    boxes = (zone_bounds(zone) for zone in context.level.all_zones if is_meant(zone))
    return any((box_low <= high).all() and (box_high >= low).all() for box_low, box_high in boxes)


def piece_in_the_way(context: LintContext, feet: Floats, heading: int) -> str | None:
    """The static piece, in words, that a body with its feet (3,) at a place intersects; None if it fits.

    In a zone of gravity it may have any direction: there only the piece around the feet counts.
    """
    if not has_own_gravity(context, feet):
        face = intersecting_face(context, feet, heading)
        if face is not None:
            return context.describe_face(face)
        feet = feet + np.array([0.0, context.body.radii[1], 0.0])
    inside = int(context.solids.pieces_around(feet[None])[0])
    return None if inside < 0 else context.describe_solid(inside, feet)


def intersecting_face(
    context: LintContext, feet: Floats, heading: int, factor: float = BURIED_RADIUS_FACTOR
) -> int | None:
    """The static face that is deepest in an upright body with its feet (3,) at a place; None if there is none.

    factor: of the body's radii; only nearer geometry counts.
    """
    rx, ry, rz = context.body.radii
    centre = feet + np.array([0.0, ry, 0.0])
    near = (context.low <= centre + ry).all(axis=1) & (context.high >= centre - ry).all(axis=1)
    near &= context.faces.mover_numbers == 0
    triangles = np.nonzero(near[context.face_of])[0]
    angle = heading * RADIANS_PER_HEADING_UNIT
    sine, cosine = np.sin(angle), np.cos(angle)
    local = context.triangles[triangles] - centre
    body = np.stack(
        [
            (local[..., 0] * cosine - local[..., 2] * sine) / rx,
            local[..., 1] / ry,
            (local[..., 0] * sine + local[..., 2] * cosine) / rz,
        ],
        axis=-1,
    )
    distance = distance_from_origin(body)
    if not len(distance) or distance.min() >= factor:
        return None
    return int(context.face_of[triangles[np.argmin(distance)]])


def destinations(context: LintContext) -> Floats:
    """Places (n,3) that players go to: the goal, exits, targets, and the centres of zones but ladders and water."""
    level = context.level
    found = [place.at for place in (level.goal, *level.exits) if place is not None]
    found += [marker.at for marker in level.faces.marks if isinstance(marker.payload, TargetSpec)]
    found += [zone.centre for zone in level.all_zones if not (zone.acts_by("climb") or zone.facts.is_water)]
    return np.array(found, np.float64).reshape(-1, 3)


def subject_of_zone(context: LintContext, zone: LevelZone) -> Subject:
    return subject_of(next(origin for origin in context.level.origins if origin.place == zone.place))


def is_cut_off(context: LintContext, at: Floats, reach: Floats, below: float) -> bool:
    """Whether no start of the level and nothing that carries players leads to a place (3,), followed backwards.

    reach (3,): half size of the place; below: of the body, below it, m. Only a floor under the place stops players.
    """
    if context.body.gravity == 0.0 or context.has_lost_way:
        return False
    ground = (context.normals[:, 1] > MIN_UP) & (context.faces.mover_numbers == 0)
    seen = np.zeros(len(ground), np.bool_)
    carriers = [box[len(context.paths) :] for box in context.carriers]  # without the movers, to which something leads
    ways = np.array([box[: len(context.paths)] for box in context.carriers])
    is_thin = ways[1, :, 1] - ways[0, :, 1] < MAX_DECK  # it stays at its height: players are to come onto its top
    ways[0, is_thin, 1] = ways[1, is_thin, 1] + context.body.step_height
    rides = np.arange(len(context.paths))
    least = -context.body.jump_height - context.body.step_height
    begin = max(spawn.feet[1] for spawn in context.level.spawns) + 0.1
    low, high = (at - reach - [0.0, below, 0.0])[None], (at + reach)[None]
    over, _ = context.ceiling_above(at[None, ::2], at[None, 1], 0.0)  # what is above it leads nowhere
    if int(context.solids.pieces_around(at[None])[0]) >= 0:  # but players stand on a solid that the place is inside of
        over[0] = np.inf
    for wave in range(MAX_WAVES):
        rest = np.nonzero(ground & ~seen & (context.high[:, 1] >= low[:, 1].min() + least))[0]
        if len(low) * (len(rest) + len(carriers[0])) > MAX_PAIRS:
            low, high = low.min(axis=0)[None], high.max(axis=0)[None]
        if len(carriers[0]) and _leads_up(context, low, high, *carriers).any():
            return False
        found = rest[_leads_up(context, low, high, context.low[rest], context.high[rest])]
        ride = rides[_leads_up(context, low, high, ways[0, rides], ways[1, rides])]
        rides = np.setdiff1d(rides, ride)
        if not wave:
            found = found[context.walkable[found] & (context.breadth[found] > MIN_LEDGE_WIDTH)]
            nearest = np.clip(at, context.low[found], context.high[found])
            roof, _ = context.ceiling_above(nearest[:, ::2], nearest[:, 1], 0.02)
            clear = (roof > at[1] - reach[1]) & (context.low[found, 1] < over[0])
            found = found[clear & ~_is_behind_ground(context, nearest, low[0], high[0])]
        low, high = np.concatenate([[context.low[found], context.high[found]], ways[:, ride]], axis=1)
        if not len(low):
            return True
        if (low[:, 1] <= begin).any():
            return False
        seen[found] = True
    return False


def _is_behind_ground(context: LintContext, feet: Floats, low: Floats, high: Floats) -> Flags:
    """Mask (n,) of places (n,3) from which a leap into a box comes against the piece on which the box stands."""
    middle = (low + high)[None] / 2.0
    face = int(context.ground_below(middle[:, ::2], low[None, 1], high[None, 1]).face[0])
    start = feet + np.array([0.0, context.body.jump_height + context.body.step_height, 0.0])
    leaps = start[:, None] + LEAP_PARTS * (np.clip(start, low, high) - start)[:, None]
    hits = context.solids.pieces_around(leaps.reshape(-1, 3)).reshape(len(feet), len(LEAP_PARTS))
    inside = hits == (context.faces.origin[face] if face >= 0 else -2)
    behind: Flags = inside.any(axis=1) & ~inside[:, 0]
    return behind


def _leads_up(context: LintContext, low: Floats, high: Floats, from_low: Floats, from_high: Floats) -> Flags:
    """Mask (R,) of boxes from whose tops a player may come to one of the boxes low, high (F,3)."""
    body = context.body
    apart = np.maximum(np.maximum(low[:, None] - from_high, from_low - high[:, None]), 0.0)[..., ::2]
    fall = from_high[:, 1] - low[:, 1, None] + body.jump_height
    seconds = np.sqrt(2.0 * body.jump_height / body.gravity) + np.sqrt(2.0 * np.maximum(fall, 0.0) / body.gravity)
    leap = LEAP_MARGIN + max(body.walk_speed, body.sprint_speed) * seconds
    leads: Flags = ((fall >= -body.step_height) & (np.hypot(apart[..., 0], apart[..., 1]) <= leap)).any(axis=0)
    return leads
