"""Checks of what is fitted to something else: lights, signs, ladders, and things that hang in the air."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ...core.vectors import Indices
from ..build.level_assembly import describe_origin
from ..geometry.faces import LampSpec, SignBoard, rotate_about_y, unit_normals
from ..geometry.instance_transform import PlacedMarker
from ..geometry.overlapping_pairs import distance_from_origin, find_boxes_near
from ..geometry.quads import split_into_triangles
from .clearance import MIN_LEDGE_WIDTH, TOUCHING, PlacedLadder, placed_ladders, touching_copies
from .lint_context import COPY_KINDS, LintContext, Subject, describe_facing, describe_point, subject_of
from .places import destinations, is_carried, is_cut_off, mover_comes_to
from .spawns_and_goals import swapped

FRONT_OFFSET = 1e-3  # m in front of a sign: a board flush with a wall is not inside it
LIGHT_RADIUS = 0.10  # m: radius of a light when the level is lit (BULB_RADIUS); a part outside the solid lights
MAX_LEANING = -0.3  # cosine between the direction that a climber faces and the normal of the wall, at most
NEAR_SIGN = 4.0  # m from a sign below all ground, within which a lift brings readers
MAX_READING = 40.0  # heights of a line of a sign, from which it is read at most
READING_STEPS = np.arange(0.05, 0.26, 0.05)  # m in front of a sign at which a solid hides it
WALL_REACH = 0.35  # m behind a ladder, and the same in front of it, within which there should be a wall
MAX_LEG, MAX_FURNITURE, MAX_HANG = 0.5, 4.0, 3.0  # m: breadth of a leg, of a thing on legs, and from it to the floor
MAX_LEGS = 100  # that are judged
MAX_INSTANCES = 30_000  # of pieces in prefabs and arrays; with more, copies are not judged
TOUCH = 0.1  # m between a copy of a prefab and what it stands on or is fixed to
RAIL_DEPTH = 0.045  # m in front of its foot: the middle of the rails of a ladder
LADDER_TURNS = (180.0, 90.0, 270.0)  # degrees by which a ladder without a wall may be turned
LADDER_AROUND = 6.0  # m from a ladder on the plan, within which it leads somewhere: a leap
LADDER_LACK = 4.0  # m from the top of a ladder up to a floor that it was made for
CLIMBED = 0.9  # m above its top, at which a climber is to go on
LADDER_EXCESS = 2.0  # m by which a ladder may be higher than all that it leads to

DarkLight = tuple[str, Subject, str, str]  # a light that lights nothing: arguments of LintContext.warn


def check_lights_and_signs(context: LintContext) -> None:
    """Warn about lights and fronts of signs that are inside a solid, signs that face a wall, and lights of nothing."""
    marks = context.level.faces.marks
    lights = [one for one in marks if isinstance(one.payload, LampSpec) and not one.mover]
    if lights:
        _check_lights(context, lights)
    signs = [one for one in marks if isinstance(one.payload, SignBoard)]
    for mover in sorted({sign.mover for sign in signs}):
        _check_signs(context, [sign for sign in signs if sign.mover == mover], mover)


def _check_lights(context: LintContext, lights: list[PlacedMarker]) -> None:
    """Warn about lights deep inside a solid; the others are to light something.

    In a level around a Quake map, one finding counts them all.
    """
    dark: list[DarkLight] = []
    origins = context.level.origins
    outside = []
    points = np.array([light.at for light in lights])
    for light, point, piece in zip(lights, points, context.solids.pieces_around(points).tolist(), strict=True):
        if context.level.faces.instances[light.instance].within in context.enclosed - {()}:
            continue
        if piece < 0 or piece == light.origin or not origins[piece].visible:
            outside.append(light)
            continue
        triangles = context.triangles[context.faces.origin[context.face_of] == piece]
        if distance_from_origin(triangles - point).min(initial=np.inf) > LIGHT_RADIUS / 2.0:
            part = context.describe_part(light.instance)
            message = f"the light{part} at {describe_point(light.at)} is inside {describe_origin(origins[piece])}"
            cure = "move it into the open"
            dark.append(("buried", subject_of(origins[light.origin]), f"{message}: it lights nothing", cure))
    dark += _lights_of_nothing(context, outside)
    dark = [one for one in dark if one[0] not in one[1].intended]
    if len(dark) > 1 and any(path.suffix.lower() == ".map" for path in context.level.files):
        kind, subject, message, _ = dark[0]
        message = f"{len(dark)} lights are of no use; the first: {message}"
        context.warn(kind, subject, message, "delete these lights, or move them into the open", False)
        return
    for one in dark:
        context.warn(*one)


def _check_signs(context: LintContext, signs: list[PlacedMarker], mover: int) -> None:
    """Warn about signs whose front is inside a solid, or has one so near before it that nobody can read it.

    mover: number of the mover that carries them, and with them what hides them; 0 for none.
    """
    origins = context.level.origins
    back = np.array([context.directions(sign)[2] for sign in signs])
    forward = -back / np.linalg.norm(back, axis=1, keepdims=True)
    steps = np.concatenate([[FRONT_OFFSET], READING_STEPS])
    points = np.array([sign.at for sign in signs])[:, None] + steps[:, None] * forward[:, None]
    hiding = np.full(len(signs) * len(steps), -1)
    own = np.repeat([sign.origin for sign in signs], len(steps))
    shows = np.array([one.visible for one in origins])
    for solids in (None if mover else context.solids, context.sight_solids(mover)):
        if solids is not None:
            around = solids.pieces_around(points.reshape(-1, 3))
            hiding = np.where((hiding < 0) & (around != own) & shows[around], around, hiding)
    for sign, pieces in zip(signs, hiding.reshape(len(signs), -1).tolist(), strict=True):
        nearest = next((piece for piece in pieces if piece >= 0), None)
        if nearest is None:
            if isinstance(sign.payload, SignBoard):
                _warn_of_far_sign(context, sign, sign.payload)
            continue
        solid = context.describe_solid(nearest, np.array(sign.at))
        place = describe_point(sign.at)
        part = context.describe_part(sign.instance)
        message = f"the sign{part} at {place} faces {solid} close in front of it: nobody can read it"
        cure = "turn it with `facing`"
        if pieces[0] >= 0:
            message = f"the front of the sign{part} at {place} is inside {solid}: nobody can read it"
            cure = "move it into the open"
        context.warn("buried", subject_of(origins[sign.origin]), message, cure)


def _warn_of_far_sign(context: LintContext, sign: PlacedMarker, board: SignBoard) -> None:
    """Warn about a sign that is too far from all ground to be read."""
    at = np.array(sign.at)
    walked = context.walkable & (context.low[:, 1] < at[1] + 2.0 * context.body.radii[1])  # from above, none is read
    line = board.height * context.level.faces.instances[sign.instance].scale[1] / (board.text.count("\n") + 1)
    reach = MAX_READING * line + 2.0 * context.body.radii[1]
    far = np.linalg.norm(np.clip(at, context.low[walked], context.high[walked]) - at, axis=1).min(initial=np.inf)
    reach = min(reach, NEAR_SIGN) if far == np.inf else reach
    carried = is_carried(context, at - reach, at + reach) or mover_comes_to(context, np.array([at - reach, at + reach]))
    if not sign.mover and not carried and reach < far and context.walkable.any():
        message = f"the sign at {describe_point(at)} is {far:.3g} m from all that one stands on: nobody can read it"
        cure = "bring it nearer, or write larger `letters`"
        if far == np.inf:
            meant, cure = swapped(context, at, 3.0)
            message = f"the sign at {describe_point(at)} is below all that one stands on: nobody can read it"
            cure = cure if meant else "raise it"
        context.warn("buried", subject_of(context.level.origins[sign.origin]), message, cure)


def _lights_of_nothing(context: LintContext, lights: list[PlacedMarker]) -> Iterator[DarkLight]:
    """Lights that light no front of a visible face, and lights below the lowest ground of the level.

    A mover counts with all of its path.
    """
    level = context.level
    if not lights:
        return
    shows = np.array([origin.visible for origin in level.origins], np.bool_)
    faces = level.faces.select(shows[level.faces.origin] & (level.faces.mover_numbers == 0))
    triangles, face_of = split_into_triangles(faces.corners, faces.is_triangle)
    normals = unit_normals(faces.corners)[face_of]
    low, high = triangles.min(axis=1), triangles.max(axis=1)
    lowest = context.low[context.walkable, 1].min(initial=np.inf)
    for marker in lights:
        lamp = marker.payload
        at = np.array(marker.at)
        assert isinstance(lamp, LampSpec)
        reach = lamp.reach * level.faces.instances[marker.instance].size
        near = (low <= at + reach).all(axis=1) & (high >= at - reach).all(axis=1)
        near[near] &= ((at - triangles[near, 0]) * normals[near]).sum(axis=1) > 0.0
        lit = distance_from_origin(triangles[near] - at).min(initial=np.inf) < reach
        if any((one.world_low <= at + reach).all() and (one.world_high >= at - reach).all() for one in context.paths):
            continue
        place = f"the light{context.describe_part(marker.instance)} at {describe_point(at)}"
        message = f"{place} lights nothing: no front of a face is within its {reach:g} m"
        if lit:
            over, above = context.ceiling_above(at[None, ::2], at[None, 1], 0.0)
            if at[1] >= lowest or not np.isfinite(over[0]):
                continue
            ceiling = context.describe_face(int(above[0]))
            message = f"{place} is below all ground, {over[0] - at[1]:.3g} m under {ceiling}"
        yield "void", subject_of(level.origins[marker.origin]), message, "move it into the level"


def check_ladders(context: LintContext) -> None:
    """Warn about ladders without a wall behind them, in a solid, or far higher than all that they lead to."""
    level = context.level
    found = list(placed_ladders(context))
    if not found:
        return
    leant, walls = _walls_behind(context, found)
    for number, ladder in enumerate(found):
        if ladder.origin in context.misplaced:
            continue
        fronts = ladder.foot + np.array([(0.0, y * ladder.height, RAIL_DEPTH) for y in (0.2, 0.5, 0.8)]) @ ladder.axes
        around = context.solids.pieces_around(fronts)
        solid = int(around[0]) if ((around >= 0) & (around != ladder.origin)).all() else -1
        if not (leant == number).any() and solid < 0:
            climber = ladder.foot + np.array([0.0, context.body.radii[1], WALL_REACH]) @ ladder.axes
            solid = int(context.solids.pieces_around(climber[None])[0])
        if solid in context.misplaced:
            continue
        subject = subject_of(level.origins[ladder.origin])
        at = describe_point(ladder.foot)
        if solid >= 0:
            inside = context.describe_solid(solid, ladder.foot)
            message = f"the front of the ladder at {at} is inside {inside}: nobody can climb it"
            cure = "move it to the outside of a wall, and turn it to face the wall"
            back = ladder.foot - np.array([0.0, -context.body.radii[1], WALL_REACH]) @ ladder.axes
            if int(context.solids.pieces_around(back[None])[0]) < 0:
                message += "; it faces away from where one can stand"
                cure = f"turn it round: write `facing: {describe_facing(ladder.facing + 180.0)}`, or move it; "
                cure += "or add `intended: [floating]`"
            if "floating" not in subject.intended:
                context.misplaced.add(ladder.origin)
            context.warn("floating", subject, message, cure)
        elif not (leant == number).any():
            message, cure = f"the ladder at {at} has no wall behind it", "move it to a wall that it faces"
            turns = [replace(ladder, axes=rotate_about_y(np.eye(3), turn) @ ladder.axes) for turn in LADDER_TURNS]
            turned, _ = _walls_behind(context, turns)
            higher, faces = _walls_behind(context, [replace(ladder, height=ladder.height + LADDER_LACK)])
            lowered = replace(ladder, foot=ladder.foot - np.array([0.0, ladder.height, 0.0]) @ ladder.axes)
            if len(_walls_behind(context, [lowered])[0]):
                message = f"the ladder at {at} begins where it was to end, on an edge"
                cure = f"lower it by {ladder.height:.4g} m"
            elif len(turned):
                cure = f"write `facing: {describe_facing(ladder.facing + LADDER_TURNS[turned.min()])}`"
            elif len(higher):
                face = faces[np.argmin(context.low[faces, 1])]
                longer = (float(context.high[face, 1]) - ladder.foot[1]) / float(ladder.axes[1, 1])
                message = f"the ladder at {at} ends below {context.describe_face(int(face))}"
                cure = f"write `height: {longer:.4g}`"
            if "floating" not in subject.intended:
                context.misplaced.add(ladder.origin)
            context.warn("floating", subject, message, cure)
        else:
            _check_ladder_top(context, ladder, subject, float(context.high[walls[leant == number], 1].max()))


def _walls_behind(context: LintContext, ladders: Sequence[PlacedLadder]) -> tuple[Indices, Indices]:
    """Numbers (n,) of the ladders with a wall behind them, and a face (n,) of it."""
    ends = [
        [(x, y, z) for x in (-0.1, 0.1) for y in (0.1, one.height - 0.15) for z in (-WALL_REACH, WALL_REACH)]
        for one in ladders
    ]
    corners = np.array([one.foot + np.array(end) @ one.axes for one, end in zip(ladders, ends, strict=True)])
    climb = np.array([-one.axes[2] / np.linalg.norm(one.axes[2]) for one in ladders])
    behind, face = find_boxes_near(corners.min(axis=1), corners.max(axis=1), context.low, context.high)
    leans = np.einsum("pd,pd->p", context.normals[face], climb[behind]) < MAX_LEANING
    leans &= np.array([one.origin for one in ladders])[behind] != context.faces.origin[face]
    return behind[leans], face[leans]


def _check_ladder_top(context: LintContext, ladder: PlacedLadder, subject: Subject, wall: float) -> None:
    """Warn about a ladder that goes on far above the wall (m) behind it and all else, or that ends below its floor."""
    top = float((ladder.foot + np.array([0.0, ladder.height, 0.0]) @ ladder.axes)[1])
    sides = [(x, 0.0, z) for x in (-0.8, 0.0, 0.8) for z in (-0.8, -WALL_REACH, WALL_REACH) if x or z < WALL_REACH]
    around = ladder.foot + np.array([(0.0, 0.0, WALL_REACH), *sides]) @ ladder.axes
    point, triangle, height = context.plan.faces_at(around[:, ::2])
    face = context.face_of[triangle]
    walked = context.walkable[face] & (context.breadth[face] > MIN_LEDGE_WIDTH) & (height > ladder.foot[1] + 0.5)
    above = np.where(walked & (height < top + LADDER_LACK), height - top, np.inf)
    if context.body.step_height < above.min(initial=np.inf) < above[point == 0].min(initial=np.inf):  # open above it
        floor = context.describe_face(int(face[np.argmin(above)]))
        message = f"the ladder ends {above.min():.3g} m below {floor}: nobody can step up there"
        longer = ladder.height + above.min() / float(ladder.axes[1, 1])
        context.warn("step", subject, message, f"write `height: {longer:.4g}`")
    start = ladder.foot + np.array([0.0, ladder.height + CLIMBED, WALL_REACH]) @ ladder.axes
    level_with = walked & (np.abs(height - top) < CLIMBED) & (point != 0)  # not the climber's own place
    ends = np.column_stack((around[point][:, 0], height + CLIMBED, around[point][:, 2]))[level_with]
    lengths = np.linalg.norm(ends - start, axis=1)
    blocked = context.level.mesh.raycast_any_many(np.broadcast_to(start, ends.shape).copy(), ends - start, lengths)
    if len(ends) and blocked.all():
        faces = _walls_behind(context, [replace(ladder, height=ladder.height + LADDER_LACK)])[1]
        higher = float(context.high[faces, 1].max(initial=wall)) - ladder.foot[1]
        message = f"the ladder ends at a height of {top:.4g} m, and a wall parts it from the floor there"
        context.warn("step", subject, message, f"write `height: {higher:.4g}`")
    plan = [0, 2]
    low, high = ladder.foot - LADDER_AROUND, ladder.foot + LADDER_AROUND
    near = (context.low <= high)[:, plan].all(axis=1) & (context.high >= low)[:, plan].all(axis=1)
    near &= context.low[:, 1] <= top + context.body.clear_height
    near &= context.faces.origin != ladder.origin
    goals = destinations(context)
    heights = goals[np.abs(goals - ladder.foot)[:, plan].max(axis=1) < LADDER_AROUND, 1].tolist()
    for path in context.paths:
        if (path.world_low <= high)[plan].all() and (path.world_high >= low)[plan].all():
            heights.append(float(path.world_high[1]))
    last = max(wall, float(context.high[near, 1].max(initial=-np.inf)), *heights, -np.inf)
    height = math.ceil((last - ladder.foot[1]) / float(ladder.axes[1, 1]) * 100.0 - 1e-6) / 100.0
    if top - last <= LADDER_EXCESS or height <= 0.0:
        return
    message = f"the ladder goes on {top - last:.3g} m above all that it leads to: "
    message += f"nothing near it is higher than {last:.4g} m"
    context.warn("floating", subject, message, f"write `height: {height:g}`")


def check_copies(context: LintContext) -> None:
    """Warn about one copy of a prefab that hangs in the air out of reach, where all others, two or more, stand."""
    instances, number = context.level.faces.instances, context.faces.instance
    used = np.unique(number).tolist()
    if len(used) > MAX_INSTANCES:
        return
    placed = {k: one for k in used for one in instances[k].within[:1] if one[0] == "place"}
    copies = sorted(set(placed.values()), key=lambda one: (one[1].file, one[1].line, one[1].column))
    numbers = {one: k for k, one in enumerate(copies)}
    owner = np.array([numbers[placed[k]] if k in placed else -1 for k in range(len(instances))], np.int64)[number]
    owner[context.faces.mover_numbers > 0] = -1
    low, high = np.full((len(copies), 3), np.inf), np.full((len(copies), 3), -np.inf)
    np.minimum.at(low, owner[owner >= 0], context.low[owner >= 0])
    np.maximum.at(high, owner[owner >= 0], context.high[owner >= 0])
    prefab = np.full(len(copies), len(context.level.origins))  # by its first piece
    np.minimum.at(prefab, owner[owner >= 0], context.faces.origin[owner >= 0])
    near, face = find_boxes_near(low - TOUCH, high + TOUCH, context.low, context.high)
    hangs = np.setdiff1d(owner[owner >= 0], near[owner[face] != near])
    for k in hangs.tolist():
        alike = np.nonzero(prefab == prefab[k])[0]
        top = (low[k] + high[k]) / 2.0
        ground = context.ground_below(top[None, ::2], np.array([-np.inf]), low[k, 1, None])
        if len(alike) < 3 or len(np.intersect1d(alike, hangs)) > 1 or not np.isfinite(ground.height[0]):
            continue
        if is_carried(context, low[k], high[k]) or mover_comes_to(context, np.array([low[k], high[k]])):
            continue
        top[1] = high[k, 1]
        if is_cut_off(context, top, np.full(3, TOUCH), 0.0):
            gap = float(low[k, 1] - ground.height[0])
            message = f"it hangs in the air, {gap:.3g} m above {context.describe_face(int(ground.face[0]))}: "
            subject = Subject(copies[k][1], "place", frozenset())
            cure = f"lower it by {gap:.3g} m, or add `intended: [floating]` to a piece of the prefab"
            own = np.unique(context.faces.origin[owner == k]).tolist()
            if not any("floating" in context.level.origins[index].intended for index in own):
                context.warn("floating", subject, message + "its other copies stand", cure)


def check_furniture(context: LintContext) -> None:
    """Warn about things on legs, such as tables and trees, that hang in the air a little above a floor."""
    number = context.piece_bounds[2]
    size = context.high - context.low
    breadth = size[:, ::2].max(axis=1)
    legs = np.nonzero(context.upright & (breadth <= MAX_LEG) & (size[:, 1] >= 2.0 * breadth))[0]
    legs = legs[np.unique(number[legs], return_index=True)[1]]  # one of each copy
    middles = (context.low + context.high)[:, ::2] / 2.0
    ground = context.ground_below(middles[legs], np.full(len(legs), -np.inf), context.low[legs, 1] + TOUCH)
    drops = context.low[legs, 1] - ground.height
    hangs = (drops > TOUCH) & (drops < MAX_HANG)
    done: set[int] = set()
    for leg, drop, floor in zip(legs[hangs][:MAX_LEGS], drops[hangs], ground.face[hangs].tolist(), strict=False):
        group = touching_copies(context, int(number[leg]), np.ones(number.max() + 1, np.bool_), MAX_FURNITURE)
        own = np.isin(number, group)
        low, high = context.low[own].min(axis=0, initial=np.inf), context.high[own].max(axis=0, initial=-np.inf)
        feet = own & (context.low[:, 1] < low[1] + TOUCHING)
        if len(group) < 2 or not feet[leg] or (breadth[feet] > MAX_LEG).any() or not done.isdisjoint(group.tolist()):
            continue
        done.update(group.tolist())
        roof, _ = context.ceiling_above(middles[own], np.full(own.sum(), high[1]), TOUCHING)
        if (roof - high[1]).min() < drop or context.has_carrier(low, high) or context.faces.mover_numbers[own].any():
            continue
        origins = [context.level.origins[k] for k in np.unique(context.faces.origin[own]).tolist()]
        if not any("floating" in one.intended | one.reported_kinds for one in origins):
            within = context.level.faces.instances[int(context.faces.instance[leg])].within[:1]
            subject = subject_of(origins[0])
            if within and within[0][0] in COPY_KINDS:
                subject = Subject(within[0][1], within[0][0], frozenset())
            message = f"it hangs in the air, {drop:.3g} m above {context.describe_face(floor)}"
            context.warn("floating", subject, message, f"lower it by {drop:.3g} m")
        context.misplaced.update(context.faces.origin[own].tolist())
