"""Checks of doorways and doors: what closes them, steps and drops behind them, and rooms without a way in."""

from __future__ import annotations

import math

import numpy as np

from ...core.vectors import Floats, Indices
from ..build.entities.landmarks import WallOpening
from ..build.entities.movers import MoverPath
from ..build.level_assembly import describe_origin
from ..build.pieces import CLOSED_KINDS, LOW_SPACE_KINDS, OPENING_KINDS, SHEET_KINDS, WALL_KINDS
from ..build.shared_walls import PlacedRoom, placed_rooms
from ..geometry.faces import TargetSpec
from ..geometry.overlapping_pairs import find_boxes_near
from .clearance import MAX_DECORATION, TOUCHING, hangs
from .doorways import PlacedOpening, describe_opening, free_width, longest_run, placed_openings
from .lifts import MIN_UPRIGHT, set_misplaced, sliding
from .lint_context import LintContext, Subject, describe_point, subject_of
from .places import destinations, is_carried, is_cut_off, mover_comes_to

EDGE = 0.02  # m from the edge of a doorway to the first of its points, and from its wall to those in front of it
SAMPLES_ACROSS = (13, 240)  # at least and at most
SAMPLE_WIDTH = 0.025  # m between two of them
MAX_HEIGHT = 10.0  # m of a doorway that is judged
STANDING_KINDS = set(CLOSED_KINDS).difference(LOW_SPACE_KINDS, OPENING_KINDS)  # stairs and ramps lead through it
SAMPLE_HEIGHT = 0.1  # m between two points of a column
BESIDE_WALL = 0.3  # m from a shared wall at which the floors of its rooms are compared
MAX_STEP = 1.5  # m: a higher one looks like a ledge, and not like a step that was forgotten
BEFORE = np.arange(0.1, 0.6, 0.15)  # m before a doorway: what is small and further away is passed sideways
FLOOR_PARTS = np.linspace(0.05, 0.95, 6)  # of the sides of a room, at which it is to have a floor
DOOR_GAP = 0.2  # m between a door and its doorway
MIN_OUTWARDS = 0.9  # cosine between the path of a door and the normal of its wall
MAX_SLIDE = 4.0  # times the size of its doorway that a door slides
MAX_DOOR_DEPTH, MAX_MISFIT, MAX_ASIDE = 0.35, 0.5, 12.0  # m: of a door, from it to its doorway in size and in place
MIN_DROP = 2.5  # m from a doorway down to the ground: a lower place is reached with a leap
BEYOND = (0.3, 0.6, 0.9)  # m before a doorway at which there should be a floor


def check_blocked_doorways(context: LintContext) -> None:
    """Warn about doorways that a solid piece closes, or in which it leaves no way through for a body that walks."""
    openings = [one for one in placed_openings(context) if one.opening.kind == "doorway"]
    done: set[tuple[int, WallOpening]] = set()
    for k in _near_solid_pieces(context, openings, EDGE):
        opening = openings[k]
        key = (opening.origin, opening.opening)
        blocker, free = (-1, 0.0) if key in done else _closing_piece(context, opening)
        if blocker < 0 or any(context.has_warned("narrow", index) for index in (blocker, opening.origin)):
            continue
        done.add(key)
        context.misplaced |= {blocker} if free >= 0.0 else set()  # it is low and narrow there
        origins = context.level.origins
        if "closed" not in origins[opening.origin].intended | origins[blocker].intended:
            rows = np.nonzero(context.faces.origin == blocker)[0]
            nearest = np.argmin(np.abs(context.low[rows] - opening.centre).sum(axis=1))  # of its copies
            closing = context.describe_face(int(rows[nearest]))
            message = f"{describe_opening(opening)} is closed by {closing}"
            cure = "move one of them, or add `intended: [closed]`"
            if free >= 0.0:
                rest = f"{free:.2g} m of {opening.width:.3g} m stay open"
                message = f"{closing} stands in {describe_opening(opening)}: {rest}"
                cure = "move it, or add `intended: [closed]`"
            label = origins[opening.origin].label
            context.report.add("warning", opening.opening.place, label, message, cure)


def _near_solid_pieces(context: LintContext, openings: list[PlacedOpening], reach: float) -> list[int]:
    """Numbers of the openings within `reach` (m) of the box of a static piece that is no wall."""
    chosen = (context.faces.mover_numbers == 0) & ~np.isin(context.kinds, (*WALL_KINDS, *SHEET_KINDS))
    if not openings or not chosen.any():
        return []
    low, high, number = context.piece_bounds
    copies = np.unique(number[chosen])
    bounds = [opening.bounds(reach) for opening in openings]
    first, last = (np.array([box[side] for box in bounds]) for side in (0, 1))
    near, _ = find_boxes_near(first, last, low[copies], high[copies])
    numbers: list[int] = np.unique(near).tolist()
    return numbers


def _closing_piece(context: LintContext, opening: PlacedOpening) -> tuple[int, float]:
    """The piece that closes an opening, in the middle of its wall or just before it; -1 if none does.

    Also -1.0 if nowhere a body that crouches has room; else the widest part (m) in which the player walks upright.
    """
    body = context.body
    count = int(np.clip(opening.width / SAMPLE_WIDTH, *SAMPLES_ACROSS))
    across = np.linspace(EDGE, opening.width - EDGE, count)
    up = np.arange(EDGE, min(opening.height, MAX_HEIGHT), SAMPLE_HEIGHT)
    upright = (up > body.step_height) & (up < body.clear_crouch_height)  # of what one does not step over
    found = (-1, 0.0)
    for through in (opening.depth / 2.0, -EDGE, opening.depth + EDGE):
        start = opening.base + through * opening.out
        points = start + across[:, None, None] * opening.along + up[:, None] * np.array([0.0, 1.0, 0.0])
        around = context.solids.pieces_around(points.reshape(-1, 3)).reshape(len(across), len(up))
        blocker = int(np.bincount(around[around >= 0], minlength=1).argmax())
        kind = context.level.origins[blocker].kind
        if (around < 0).all() or kind in WALL_KINDS:
            continue
        runs = np.array([longest_run(column < 0) for column in around])
        least = min(body.clear_crouch_height, opening.height) / SAMPLE_HEIGHT - 1.0
        wide = longest_run(runs >= least)  # open columns
        if not wide or (wide + 1) * (across[1] - across[0]) < body.clear_depth:
            return blocker, -1.0
        is_open = (around[:, upright] < 0).all(axis=1) | (runs >= body.clear_height / SAMPLE_HEIGHT - 1.0)
        free = longest_run(is_open) * float(across[1] - across[0])
        is_counter = not free and 0.0 < through < opening.depth  # in the wall alone
        if free + SAMPLE_WIDTH < body.clear_width <= opening.width and kind in STANDING_KINDS and not is_counter:
            found = blocker, free
    return found


def check_rooms_in_the_air(context: LintContext) -> None:
    """Warn about rooms that hang in the air over ground, with no way up to them."""
    for room in placed_rooms(context.level.faces):
        own = (context.faces.origin == room.origin) & (context.faces.instance == room.instance)
        low, high = np.array(room.shell.hollow)
        middle = room.to_world((low + high) / 2.0 * [1.0, 0.0, 1.0] + low * [0.0, 1.0, 0.0])
        under = np.nonzero(own & (context.normals[:, 1] < -0.5) & (context.high[:, 1] < middle[1] + TOUCHING))[0]
        if room.mover or not len(under):
            continue
        if not room.shell.has_floor or room.shell.floor:
            _check_storey(context, room, under, float(context.low[under, 1].min()))
            continue
        ground = context.ground_below(middle[None, ::2], np.array([-np.inf]), middle[None, 1] - TOUCHING)
        drop = float(middle[1] - ground.height[0])
        is_high = context.body.jump_height + context.body.step_height < drop < np.inf
        if is_high and hangs(context, int(under[0])) and is_cut_off(context, middle, np.array([0.1, 0.1, 0.1]), 0.0):
            message = f"it hangs in the air, {drop:.3g} m above {context.describe_face(int(ground.face[0]))}: "
            cure = f"let it begin at a height of {ground.height[0] + 0.0:.4g}, or put stairs or a lift there"
            context.warn_origin("floating", room.origin, message + "nothing leads up to it", cure)
            context.misplaced.add(room.origin)


def _check_storey(context: LintContext, room: PlacedRoom, base: Indices, bottom: float) -> None:
    """Warn about a room without a floor, or with a slab, that hangs in the air. base: faces (n,) below it, at this
    height, m."""
    at = (0.9 * context.corners[base] + 0.1 * context.corners[base].mean(axis=1, keepdims=True)).reshape(-1, 3)
    ground = context.ground_below(at[:, ::2], np.full(len(at), -np.inf), np.full(len(at), bottom + TOUCHING))
    highest = int(np.argmax(ground.height))
    gap = bottom - float(ground.height[highest]) if np.isfinite(ground.height).all() else 0.0
    low, high = context.low[base] - TOUCHING, context.high[base] + TOUCHING
    tops = find_boxes_near(low, high, context.low, context.high)[1]
    is_held = (context.normals[tops, 1] > 0.5).any() or gap < room.shell.thickness + TOUCHING  # a roof is left out
    if not is_held and hangs(context, int(base[0])):
        message = f"it hangs in the air, {gap:.3g} m above {context.describe_face(int(ground.face[highest]))}"
        context.warn_origin("floating", room.origin, message, f"let it begin at a height of {bottom - gap:.4g}")
        context.misplaced.add(room.origin)


def check_ways(context: LintContext) -> None:
    """Warn about something small in the middle of the way before a doorway, and doorways onto a drop of metres."""
    openings = [one for one in placed_openings(context) if one.opening.kind == "doorway"]
    done: set[tuple[int, WallOpening]] = set()
    near = set(_near_solid_pieces(context, openings, BEFORE[-1]))
    lacks_floors = any({"low", "void"} & one.reported_kinds for one in context.level.origins)  # a hole is wrong
    for k, opening in enumerate(openings):
        origin = context.level.origins[opening.origin]
        key = (opening.origin, opening.opening)
        if key in done or opening.origin in context.misplaced:
            continue
        face, far = _in_the_way(context, opening) if k in near else (-1, 0.0)
        if face >= 0 and "closed" not in origin.intended | context.origin_of_face(face).intended:
            message = f"{context.describe_face(face)} stands {far:.2g} m before {describe_opening(opening)}, in the way"
            cure = "move it to the side, or add `intended: [closed]`"
            beside = context.faces.origin[context.faces.instance == context.faces.instance[face]]
            context.misplaced.update(beside.tolist())  # what else is wrong with it comes from its place
        elif not lacks_floors and "fall" not in origin.intended and np.isfinite(drop := _drop_behind(context, opening)):
            message = f"{describe_opening(opening)} opens onto a drop of {drop:.3g} m"
            cure = "put a floor, stairs or a ladder there, or add `intended: [fall]`"
        else:
            continue
        done.add(key)
        context.report.add("warning", opening.opening.place, origin.label, message, cure)


def _in_the_way(context: LintContext, opening: PlacedOpening) -> tuple[int, float]:
    """A face of a small piece, or of one close by, that leaves no way straight to an opening, and how far before it.

    -1 if none does.
    """
    body = context.body
    across = np.linspace(EDGE, opening.width - EDGE, int(np.clip(opening.width / SAMPLE_WIDTH, *SAMPLES_ACROSS)))
    up = np.linspace(body.step_height, body.clear_crouch_height, 5)[1:-1]
    low, high, number = context.piece_bounds
    for far in BEFORE if opening.width >= body.clear_width else ():
        for through in (-far, opening.depth + far):
            start = opening.base + through * opening.out
            points = start + across[:, None, None] * opening.along + up[:, None] * np.array([0.0, 1.0, 0.0])
            around = context.solids.pieces_around(points.reshape(-1, 3)).reshape(len(across), len(up)).max(axis=1)
            if (around < 0).all() or longest_run(around < 0) * float(across[1] - across[0]) >= body.clear_width:
                continue
            middle = points[len(across) // 2, 0]
            rows = np.nonzero(context.faces.origin == around.max())[0]
            face = int(rows[np.argmin(np.abs((context.low + context.high)[rows] / 2.0 - middle).sum(axis=1))])
            size = (high - low)[number[face]]
            reach = opening.flatten(context.corners[number == number[face]])[..., 2]
            before = max(float(reach.min()) - opening.depth, -float(reach.max()))
            is_slot = (
                before < body.clear_depth
                and high[number[face], 1] - opening.base[1] > body.jump_height + body.step_height
            )
            if reach.max() > -BEFORE[0] / 2.0 and reach.min() < opening.depth + BEFORE[0] / 2.0:
                continue  # it stands in the doorway too
            is_small = size[::2].max() < min(MAX_DECORATION, opening.width)
            if (is_small or is_slot) and context.kinds[face] in STANDING_KINDS:
                return face, before
    return -1, 0.0


def _drop_behind(context: LintContext, opening: PlacedOpening) -> float:
    """Metres down from a floor on one side of an opening to the ground on the other; inf if they are no drop."""
    step = context.body.step_height
    ways = [opening.centre + side * (opening.depth / 2.0 + far) * opening.out for side in (-1, 1) for far in BEYOND]
    points = np.array(ways)
    ground = context.ground_below(points[:, ::2], np.full(len(points), -np.inf), points[:, 1] + MAX_STEP)
    drops = (opening.base[1] - ground.height).reshape(2, -1).min(axis=1)
    if opening.room is not None and drops[0] > step:
        return np.inf  # a hall of two storeys
    low, high = points.min(axis=0), points.max(axis=0) + np.array([0.0, opening.height, 0.0])
    low[1] -= drops.max() if np.isfinite(drops.max()) else 0.0
    is_drop = drops.min() <= step and drops.max() > MIN_DROP and drops.max() < opening.base[1] - context.kill_height
    return float(drops.max()) if is_drop and not context.has_carrier(low, high) else np.inf


def check_closed_rooms(context: LintContext) -> None:
    """Warn about goals and targets in a room without any opening, and about a spawn in one that they are outside of."""
    level, rooms, openings = context.level, placed_rooms(context.level.faces), list(placed_openings(context))
    ways = [one.centre + side * (one.depth / 2.0 + EDGE) * one.out for one in openings for side in (-1, 1)]
    ways += [one.centre + side * (one.depth * 1.5 + EDGE) * one.out for one in openings for side in (-1, 1)]  # shared
    ways += [np.array(place) for zone in level.all_zones if zone.arrive for place in (zone.arrive, zone.centre)]
    targets = [one for one in level.faces.marks if isinstance(one.payload, TargetSpec) and not one.mover]
    found = [("the target", one.at, subject_of(level.origins[one.origin])) for one in targets]
    found += [("the goal", one.at, Subject(one.place, "goal", one.intended)) for one in [level.goal] if one]
    ground = context.walkable & ~np.isin(context.faces.origin, [room.origin for room in rooms])
    places = destinations(context) if len(destinations(context)) else context.corners[ground].mean(axis=1)
    for room in rooms:
        spawns = [spawn for spawn in level.spawns if room.holds(np.array(spawn.feet))]
        inside = [one for one in found if room.holds(np.array(one[1])) and not spawns]
        is_left = bool(spawns) and not room.holds(places).all()
        if not (is_left or inside) or room.holds(np.array(ways).reshape(-1, 3)).any() or _is_entered(context, room):
            continue
        name = f"is in {describe_origin(level.origins[room.origin])}, which has no doorway"
        cure = "add `doors: [{wall: south}]` to the room"
        for noun, at, subject in inside:
            context.warn("void", subject, f"{noun} at {describe_point(at)} {name}: nobody comes in", cure)
        for spawn in spawns[:1]:
            message = f"the spawn {name}: the player cannot leave it"
            context.report.add("warning", spawn.place, f"spawn ({spawn.name})", message, cure)


def _is_entered(context: LintContext, room: PlacedRoom) -> bool:
    """Whether one may come into a room through its ceiling or floor, or by something that moves."""
    low, high = np.array(room.shell.hollow)
    plan = room.to_world(np.array([low + (high - low) * [x, 0.0, z] for x in FLOOR_PARTS for z in FLOOR_PARTS]))
    floor = context.ground_below(plan[:, ::2], plan[:, 1] - 0.1, plan[:, 1] + 0.1)
    is_open = not room.shell.has_ceiling or bool(room.shell.holes) or room.mover > 0 or bool((floor.face < 0).any())
    return is_open or is_carried(context, *room.bounds()) or mover_comes_to(context, np.array(room.bounds()))


def check_doors(context: LintContext) -> None:
    """Warn about doors that slide many times as far as their doorway is large, or that leave too little of it open."""
    openings = list(placed_openings(context))
    doorways = [one for one in openings if one.opening.kind == "doorway"]
    for number, path, stops, origin in sliding(context):
        own = context.faces.mover_numbers == number
        if not own.any():
            continue
        low, high = context.low[own].min(axis=0) - DOOR_GAP, context.high[own].max(axis=0) + DOOR_GAP
        centres = (low + high) / 2.0 + stops - stops[0]
        _warn_of_lost_door(context, openings, path, origin, centres, high - low - 2.0 * DOOR_GAP)
        far = float(np.linalg.norm(stops - stops[0], axis=1).max())
        for doorway in doorways:
            middle = doorway.centre + np.array([0.0, doorway.height / 2.0, 0.0])
            size = max(doorway.width, doorway.height)
            reach = np.abs(doorway.out) * doorway.depth / 2.0  # from the middle of the wall to its faces
            if (high - low).max() >= 2.0 * size or (low > middle + reach).any() or (middle - reach > high).any():
                continue
            if far > MAX_SLIDE * size:
                message = f"the door slides {far:.3g} m; its doorway is {doorway.width:.3g} m wide"
                meant = next((far / k for k in (10.0, 100.0) if far / k <= MAX_SLIDE * size), far / 1000.0)
                cure = f"end its `path` nearer: did you mean {meant:.3g} m? Or add `intended: [overlap]`"
                context.warn_origin("overlap", origin, message, cure)
                break
            offsets = stops - stops[0]
            flat = doorway.flatten(context.corners[own].reshape(-1, 3) + offsets[:, None])
            tall = min(context.body.clear_height, doorway.height) - 1e-3
            free = [free_width(doorway, stop.min(axis=0)[None], stop.max(axis=0)[None], tall) for stop in flat]
            outwards = np.abs(offsets @ doorway.out)
            is_thin = np.ptp(flat[0, :, 2]) < doorway.depth + DOOR_GAP
            if free[0] < DOOR_GAP and is_thin and outwards.max() > max(MIN_OUTWARDS * far, doorway.depth + DOOR_GAP):
                message = f"the door moves {outwards.max():.3g} m out of its wall, not along it"
                cure = "swap the first and the last number of each point of `path`"
                context.warn_origin("overlap", origin, message, cure)
                set_misplaced(context, path, number, "overlap")
                break
            if min(free) < DOOR_GAP and max(free) < context.body.clear_width <= doorway.width:
                upright = np.ptp(stops[:, 1]) > MIN_UPRIGHT * far
                needed = math.ceil((doorway.height if upright else doorway.width) * 100.0 + 5.0 - 1e-6) / 100.0
                message = f"the door opens {max(free):.3g} m of {doorway.width:.3g} m: {context.player} cannot pass"
                cure = f"make its `path` {needed:g} m long instead of {far:.3g} m"
                context.warn_origin("narrow", origin, message, cure)
                break


def _warn_of_lost_door(
    context: LintContext, openings: list[PlacedOpening], path: MoverPath, origin: int, centres: Floats, size: Floats
) -> None:
    """Warn about a door, of this size (3,) with its centres (n,3) at its stops, that closes no doorway of its size."""
    width, thin = float(size[::2].max()), float(size[::2].min())
    found: list[tuple[float, Floats, PlacedOpening]] = []
    for door in openings if thin < MAX_DOOR_DEPTH else ():
        across, up, out = (door.flatten(centres) - [door.width / 2.0, size[1] / 2.0, door.depth / 2.0]).T
        is_behind = (np.abs(out) < (door.depth + thin) / 2.0 + DOOR_GAP) & (np.abs(up) < MAX_MISFIT)
        if (is_behind & (np.abs(across) < (door.width + width) / 4.0)).any():
            return
        turned = 1.0 - abs(float(door.along[0 if size[0] > size[2] else 2]))
        misfit = max(abs(width - door.width), abs(size[1] - door.height), abs(up[0]), turned)
        if misfit < MAX_MISFIT and door.opening.kind == "doorway":
            low, high = door.bounds(DOOR_GAP)
            others = [one for one in context.paths if (one.world_low < high).all() and (one.world_high > low).all()]
            to = -across[0] * door.along - (0.0 if is_behind[0] else out[0]) * door.out
            found += [(float(np.linalg.norm(to)), path.home + to, door)] if others in ([], [path]) else []
    if found and (nearest := min(found, key=lambda one: one[0]))[0] < MAX_ASIDE:
        message = f"the door closes no doorway: {describe_opening(nearest[2])} is {nearest[0]:.3g} m from it"
        cure = f"write `at: {describe_point(nearest[1], '[]')}`, or move the doorway"
        context.warn_origin("closed", origin, message, cure)


def check_shared_floors(context: LintContext) -> None:
    """Warn about doorways between rooms that share a wall, with a step that the player cannot climb."""
    rooms = placed_rooms(context.level.faces)
    openings = [one for one in placed_openings(context) if one.opening.kind == "doorway" and one.room is not None]
    if not openings or not any(room.shell.shared for room in rooms):
        return
    sides = np.array(
        [[one.centre + side * (one.depth / 2 + BESIDE_WALL) * one.out for side in (-1, 1)] for one in openings]
    )
    points = sides.reshape(-1, 3)
    ground = context.ground_below(points[:, ::2], points[:, 1] - MAX_STEP, points[:, 1] + MAX_STEP)
    heights = ground.height.reshape(-1, 2)
    with np.errstate(invalid="ignore"):
        steps = np.abs(heights[:, 1] - heights[:, 0])
    done: set[tuple[int, WallOpening]] = set()
    reported: list[Floats] = []  # where: doorways of both rooms in one place are one mistake
    for k in np.nonzero((steps > context.body.step_height + 1e-3) & (steps <= MAX_STEP))[0].tolist():
        opening = openings[k]
        key = (openings[k].origin, openings[k].opening)
        beyond = _shared_neighbour(opening, rooms, sides[k, 1])
        if beyond is None or key in done:
            continue
        done.add(key)
        if any(np.hypot(*(opening.centre - place)[::2]) < opening.width for place in reported):
            continue
        reported.append(opening.centre)
        origins = context.level.origins
        if "step" not in origins[opening.origin].intended | origins[beyond.origin].intended:
            message = (
                f"{describe_opening(opening)} has a step of {steps[k]:.3g} m: the floor of "
                f"{describe_origin(origins[beyond.origin])} is at another height; {context.player} climbs "
                f"{context.body.step_height:.2f} m"
            )
            cure = "give both rooms one height, put stairs or a ramp at the doorway, or add `intended: [step]`"
            context.report.add("warning", opening.opening.place, origins[opening.origin].label, message, cure)


def _shared_neighbour(opening: PlacedOpening, rooms: list[PlacedRoom], point: Floats) -> PlacedRoom | None:
    """The room beyond an opening that shares its wall: a point (3,) just beyond it is in the room's plan."""
    own = opening.room
    for room in rooms:
        if own is None or not (own.shell.shared or room.shell.shared) or (room.at == own.at).all():
            continue
        low, high = np.array(room.shell.hollow)
        local = np.linalg.inv(room.axes) @ (point - room.at) + low
        if ((local > low) & (local < high))[::2].all() and low[1] - MAX_STEP < local[1] < high[1]:
            return room
    return None
