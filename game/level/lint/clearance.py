"""Clearance checks: passages that are too narrow and spaces that are too low for the player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from ...core.vectors import Flags, Floats, Indices
from ..build.entities.landmarks import StairsFoot
from ..build.entities.player import describe_least
from ..build.entities.zones import LevelZone, ZoneSpec
from ..build.level_assembly import describe_origin
from ..build.pieces import LOW_SPACE_KINDS, OPENING_KINDS, PIECES, SHEET_KINDS
from ..build.pieces.stairs import RAIL_THICKNESS
from ..build.pieces.zones import LADDER_REACH, LADDER_SINK, LADDER_TOP_CLEARANCE
from ..build.shared_walls import placed_rooms
from ..geometry.overlapping_pairs import find_overlapping_pairs, nearest_on_segments
from .doorways import longest_run
from .lint_context import LintContext, describe_point, subject_of

MIN_PASSAGE_WIDTH = 0.30  # metres: a narrower gap does not look like a passage
MIN_PASSAGE_HEIGHT = 1.0  # metres: with less headroom a space does not look like a passage
GAP_PARTS = np.linspace(0.05, 0.95, 10)[:, None]  # of the way across a gap, at which it is to be empty
MAX_FLIGHTS = 200  # copies of stairs and ramps that are judged
MAX_SAMPLES_PER_SIDE = 5  # headroom samples along each side of a floor, at most
MIN_SAMPLE_SPACING = 0.8  # metres between samples, at least
WIDE_TREAD = 1.6  # m: on a narrower one the player needs no more than the width of the body
TREAD_PARTS = np.linspace(0.1, 0.9, 5)  # of the width of a tread, at which a floor closes it
MAX_DECORATION = 1.5  # metres on the plan: one walks around what is smaller, and not under it
TOUCHING = 0.02  # metres between two pieces of one thing
RING_POINTS = 16  # on each side of a thing that one walks around
BESIDE_WATER, MAX_BANK = 0.3, 6.0  # m from the side of water to its bank, and from its surface up to that
MAX_COVER = 0.5  # metres above water: what is higher leaves room for a swimmer's head
BODY_AT_LADDER = 0.35  # metres from its wall at which the body climbs
MIN_LEDGE_WIDTH = 0.25  # metres: nobody stands on a narrower ledge


def check_passages(context: LintContext) -> None:
    """Warn about gaps between walls that look like a passage and are too narrow for the player.

    A gap counts if the walls face each other, no other wall is nearer, there is ground in it, and a player can walk up
    to it from one side.
    """
    least_height = MIN_PASSAGE_HEIGHT * context.height_scale
    chosen = np.nonzero(context.upright & (context.high[:, 1] - context.low[:, 1] > least_height))[0]
    reach = context.body.clear_width / 2
    pairs = find_overlapping_pairs(context.low[chosen] - [reach, 0, reach], context.high[chosen] + [reach, 0, reach])
    i, j = chosen[pairs[0]], chosen[pairs[1]]
    low = np.maximum(context.low[i, 1], context.low[j, 1])
    tall = np.minimum(context.high[i, 1], context.high[j, 1]) - low > least_height
    opposed = np.einsum("pd,pd->p", context.normals[i], context.normals[j]) < -0.8
    i, j, low = i[tall & opposed], j[tall & opposed], low[tall & opposed]
    start, end = nearest_on_segments(*_footprint(context, i), *_footprint(context, j))
    across = end - start
    gap = np.linalg.norm(across, axis=1)
    unit = across / np.maximum(gap, 1e-9)[:, None]
    facing = (np.einsum("pd,pd->p", context.normals[i][:, ::2], unit) > 0.9) & (
        np.einsum("pd,pd->p", context.normals[j][:, ::2], unit) < -0.9
    )
    tight = facing & (gap > 1e-3) & (gap < context.body.clear_width - 1e-6)
    i, j, low, gap, start, unit = i[tight], j[tight], low[tight], gap[tight], start[tight], unit[tight]
    nearest = np.full(len(context.corners), np.inf)
    np.minimum.at(nearest, i, gap)
    np.minimum.at(nearest, j, gap)
    narrowest = (gap <= nearest[i] + 1e-6) & (gap <= nearest[j] + 1e-6)
    narrowest &= gap >= MIN_PASSAGE_WIDTH * context.width_scale
    i, j, low, gap, start, unit = (values[narrowest] for values in (i, j, low, gap, start, unit))
    middle = start + unit * (gap / 2)[:, None]
    along = np.stack([-unit[:, 1], unit[:, 0]], axis=1)
    step = context.body.step_height
    ground = context.ground_below(middle, low - step - 0.05, low + 0.05)
    entered = np.zeros(len(i), np.bool_)
    for sign in (1.0, -1.0):
        for far in (0.4, 1.0):
            outside = context.ground_below(middle + sign * far * along, ground.height - step, ground.height + step)
            entered |= np.isfinite(outside.height)
    across = start[:, None] + unit[:, None] * gap[:, None, None] * GAP_PARTS
    points = np.insert(across, 1, low[:, None] + least_height / 2.0, axis=2).reshape(-1, 3)
    around = context.solids.pieces_around(points).reshape(-1, len(GAP_PARTS))
    filled: Flags = around.max(axis=1) >= 0  # by the jamb of a door
    for k in np.argsort(gap, kind="stable"):
        if not np.isfinite(ground.height[k]) or not entered[k] or filled[k]:
            continue
        earlier, later = context.by_file_order(int(i[k]), int(j[k]))
        verb = "can only pass sideways" if gap[k] >= context.body.clear_depth else "cannot pass"
        message = f"the gap to {context.describe_face(earlier)} is {gap[k]:.3g} m wide: {context.player} {verb}"
        cure = f"make it at least {describe_least(context.body.clear_width)} m wide"
        context.warn_face("narrow", later, message, cure, earlier)


def _footprint(context: LintContext, faces: Indices) -> tuple[Floats, Floats]:
    """Ends (P,2) and (P,2) of walls on the plan: the two corners that are furthest apart."""
    plan = context.corners[faces][:, :, ::2]
    start = plan[:, 0]
    far = np.argmax(np.linalg.norm(plan - start[:, None], axis=-1), axis=1)
    end = plan[np.arange(len(faces)), far]
    far = np.argmax(np.linalg.norm(plan - end[:, None], axis=-1), axis=1)
    return plan[np.arange(len(faces)), far], end


def check_missing_holes(context: LintContext) -> None:
    """Warn about a floor or ceiling that closes the way up stairs or covers a pool: it lacks a hole."""
    level = context.level
    static = context.walkable & (context.breadth > 2.0 * RAIL_THICKNESS) & (context.faces.mover_numbers == 0)
    for zone in level.all_zones:  # first: their holes are also those of the ladders in them
        if zone.facts.is_water and zone.mover < 0:
            _check_pool(context, zone)
    for marker, _ in islice(context.markers(StairsFoot), MAX_FLIGHTS):
        own = (context.faces.origin == marker.origin) & (context.faces.instance == marker.instance)
        treads = np.nonzero(own & static)[0]
        if len(treads) and marker.origin not in context.misplaced:
            _check_flight(context, marker.origin, treads)
    for ladder in placed_ladders(context):
        if ladder.origin not in context.misplaced:
            _check_ladder_way(context, ladder)


def _check_flight(context: LintContext, stairs: int, treads: Indices) -> None:
    """Warn about a piece whose top is that of the stairs and whose underside is too low over their treads."""
    middles = context.corners[treads].mean(axis=1)
    top = middles[:, 1].max()
    step = context.body.step_height
    near = context.walkable & (context.faces.origin != stairs) & (np.abs(context.high[:, 1] - top) < step)
    low, high = context.low[near][:, ::2], context.high[near][:, ::2]
    is_over = low < context.high[treads].max(axis=0)[::2]
    is_over &= high > context.low[treads].min(axis=0)[::2] + 1e-3
    if not is_over.all(axis=1).any():
        return
    a, b, c, d = (context.corners[treads, k] for k in range(4))
    ends = (a + d) / 2.0, (b + c) / 2.0
    across = np.linalg.norm(ends[1] - ends[0], axis=1)
    places = ends[0][:, None] + TREAD_PARTS[:, None] * (ends[1] - ends[0])[:, None]
    place, triangle, height = context.plan.faces_at(places.reshape(-1, 3)[:, ::2])
    point = place // len(TREAD_PARTS)
    face = context.face_of[triangle]
    over = (context.faces.origin[face] != stairs) & (height > middles[point, 1] + 0.05) & (height < top + step)
    tops = over & context.walkable[face] & (height > top - step)
    for origin in np.unique(context.faces.origin[face[tops]]):
        own = over & (context.faces.origin[face] == origin)
        is_low = own & (height - middles[point, 1] < context.body.clear_height - 1e-6)
        marks = np.zeros(len(places) * len(TREAD_PARTS), np.bool_)
        marks[place[is_low]] = True
        closed: Flags = marks.reshape(len(places), -1)
        wide = np.array([longest_run(~row, 1.0 / row.size) for row in closed]) * across
        least = np.where(across < WIDE_TREAD, np.minimum(context.body.clear_width, 0.9 * across), 0.9 * across)
        covered = np.nonzero(closed.any(axis=1) & (wide < least))[0]
        if not len(covered):
            continue
        floor = height[own & tops].max()
        free = np.setdiff1d(np.arange(len(treads)), covered)
        lower = middles[free, 1][middles[free, 1] < middles[covered, 1].min() + 1e-6]
        if floor - lower.max(initial=-np.inf) <= step + 0.05 and len(lower):
            continue
        apart = np.linalg.norm(middles[:, None, ::2] - middles[covered][:, ::2], axis=-1).min(axis=1)
        is_open = (apart < 2.0 * context.body.radii[0]) & (middles[:, 1] < floor + 0.05)
        plan = context.corners[treads[is_open]][..., ::2].reshape(-1, 2)
        what = describe_origin(context.level.origins[stairs])
        message = f"it closes the way up {what}: it has no hole there"
        if not closed[covered].all(axis=1).any():
            message = f"it closes a part of the way up {what}: its hole is too narrow"
        warn_of_missing_hole(context, int(origin), message, plan, float(floor))


@dataclass(frozen=True, eq=False)
class PlacedLadder:
    """One copy of a ladder. foot (3,): of its rails, m. axes (3,3): its right, up and back. height: in its own metres.

    facing: its own, degrees.
    """

    origin: int
    foot: Floats
    axes: Floats
    height: float
    half_width: float
    facing: float


def placed_ladders(context: LintContext) -> Iterator[PlacedLadder]:
    """All copies of ladders that no mover carries."""
    for marker in context.level.faces.marks:
        zone = marker.payload
        if isinstance(zone, ZoneSpec) and zone.acts_by("climb") and not marker.mover:
            axes = context.directions(marker)
            foot = np.array(marker.at) + np.array([0.0, LADDER_SINK - zone.half[1], -LADDER_REACH / 2.0]) @ axes
            height = 2.0 * zone.half[1] - LADDER_SINK - LADDER_TOP_CLEARANCE
            yield PlacedLadder(marker.origin, foot, axes, height, zone.half[0], marker.facing)


def _check_ladder_way(context: LintContext, ladder: PlacedLadder) -> None:
    """Warn about a piece that closes the way up a ladder."""
    climber = ladder.foot + np.array([(x, 0.0, BODY_AT_LADDER) for x in (-0.15, 0.0, 0.15)]) @ ladder.axes
    point, triangle, height = context.plan.faces_at(climber[:, ::2])
    face = context.face_of[triangle]
    foot = float(ladder.foot[1])
    top = foot + ladder.height * float(ladder.axes[1, 1])
    closes = (height > foot + context.body.clear_crouch_height) & (height < top + LADDER_TOP_CLEARANCE)
    closes &= context.walkable[face] & (context.faces.mover_numbers[face] == 0)
    closes &= context.faces.origin[face] != ladder.origin
    for origin in np.unique(context.faces.origin[face[closes]]).tolist():
        if len(np.unique(point[closes & (context.faces.origin[face] == origin)])) == len(climber):
            ends = [(x * ladder.half_width, 0.0, z) for x in (-1.0, 1.0) for z in (0.0, LADDER_REACH)]
            plan = (ladder.foot + np.array(ends) @ ladder.axes)[:, ::2]
            what = describe_origin(context.level.origins[ladder.origin])
            floor = float(height[closes & (context.faces.origin[face] == origin)].min())
            below = context.ground_below(climber[:, ::2], np.full(3, foot - MAX_COVER), np.full(3, floor - 0.05))
            if (below.face < 0).all():
                message = f"its floor lies {floor - foot:.3g} m above the foot of {what}, and nothing lies below it"
                at = describe_point([ladder.foot[0], floor, ladder.foot[2]], "[]")
                cure = f"lower its floor to a height of {foot:.4g}, or write `at: {at}` and `height: {top - floor:.4g}`"
                cure += " in the ladder"
                context.warn_origin("low", origin, message, cure)
                context.misplaced.add(ladder.origin)
                continue
            message = f"it closes the way up {what}: it has no hole there"
            warn_of_missing_hole(context, origin, message, plan, floor)
            if context.has_warned("low", origin):
                context.misplaced.add(ladder.origin)  # its top is in that floor


def _check_pool(context: LintContext, zone: LevelZone) -> None:
    """Warn about a piece that covers water without a way in."""
    axes, half = zone.axes, np.array(zone.half)
    steps = np.linspace(-0.9, 0.9, MAX_SAMPLES_PER_SIDE)
    grid = np.array([(x, 0.0, z) for x in steps for z in steps]) * half
    points = np.array(zone.centre) + grid @ axes
    surface = zone.centre[1] + half[1]
    ground = context.ground_below(
        points[:, ::2], np.full(len(points), surface - 0.02), np.full(len(points), surface + MAX_COVER), static=True
    )
    pieces = np.unique(context.faces.origin[ground.face])
    if len(pieces) == 1 and np.isfinite(ground.height).all():
        corners = np.array(zone.centre) + (np.array([(x, 0, z) for x in (-1, 1) for z in (-1, 1)]) * half) @ axes
        ends = np.array([(-1, 0, 0), (1, 0, 0), (0, 0, -1), (0, 0, 1)]) * (half + BESIDE_WATER) @ axes
        low, high = np.full(4, surface + MAX_COVER), np.full(4, surface + MAX_BANK)
        bank = context.ground_below((zone.centre + ends)[:, ::2], low, high, MIN_LEDGE_WIDTH)
        if (bank.face >= 0).sum() > 1 and ground.height.max() < surface + TOUCHING:
            bed = context.describe_face(int(ground.face[0]))
            message = f"the water around {describe_point(zone.centre)} lies under {bed}, its bed"
            cure = f"raise its surface to {bank.height[bank.face >= 0].min() - 0.1:.4g}"
            origin = next(one for one in context.level.origins if one.place == zone.place)
            context.warn("buried", subject_of(origin), message, cure)
            return
        message = f"it covers the `water` (line {zone.place.line}): it has no hole there"
        warn_of_missing_hole(context, int(pieces[0]), message, corners[:, ::2], float(ground.height[0]))


def warn_of_missing_hole(context: LintContext, index: int, message: str, plan: Floats, floor: float) -> None:
    """Warn about the piece with this index, with the hole around points (n,2) on the plan that it lacks.

    floor: height of the part of it that lacks the hole, m.
    """
    origin = context.level.origins[index]
    rows = context.faces.origin == index
    low = np.maximum(plan.min(axis=0), context.low[rows].min(axis=0)[::2])
    high = np.minimum(plan.max(axis=0), context.high[rows].max(axis=0)[::2])
    record = PIECES[origin.kind]
    cure = "leave a gap in it"
    if "holes" in record.fields and not origin.within:
        hole = f"{{from: [{low[0]:.6g}, {low[1]:.6g}], to: [{high[0]:.6g}, {high[1]:.6g}]}}"
        top = rows & (context.normals[:, 1] > 0.5)
        top &= context.high[:, 1] > context.high[top, 1].max(initial=-np.inf) - 1e-6
        size = np.ptp(context.corners[top][..., ::2].reshape(-1, 2), axis=0)
        is_whole = np.ptp(context.corners[top][..., ::2], axis=1).prod(axis=1).sum() > size.prod() - 1e-3
        roof = float(context.high[top, 1].max(initial=-np.inf))
        is_below = "floor_holes" in record.fields and floor - context.low[rows, 1].min() < roof - floor
        field = "floor_holes" if is_below else "holes"
        if is_below:
            rooms = placed_rooms(context.level.faces)
            is_whole = not any(room.shell.floor_holes for room in rooms if room.origin == index)
        cure = f"add `{field}: [{hole}]` to it"
        plan = context.corners[top][..., ::2].reshape(-1, 2)
        middle, half = (plan.max(axis=0) + plan.min(axis=0)) / 2.0, 0.45 * size
        point, triangle, height = context.plan.faces_at(middle + half * [(-1, -1), (-1, 1), (1, -1), (1, 1)])
        lies = (np.abs(height - roof) < TOUCHING) & ~rows[context.face_of[triangle]]  # a floor as high as the roof
        if "ceiling" in record.fields and not is_below and len(np.unique(point[lies])) == 4:
            above = context.describe_face(int(context.face_of[triangle[lies][0]]))
            cure = f"write `ceiling: false`: {above} lies at the height of its roof"
        elif not is_whole:
            cure = f"add `{hole}` to its `{field}`, or move its hole there"
    context.warn_origin("low", index, message, cure)
    if context.has_warned("low", index):
        context.misplaced.add(index)


def check_head_room(context: LintContext) -> None:
    """Warn about low headroom. Samples floors, and the ground below samples of ceilings: either face can be small."""
    kinds = context.kinds
    floors = np.nonzero(context.walkable & (context.breadth > MIN_LEDGE_WIDTH))[0]
    floor_tops = np.isin(kinds, SHEET_KINDS) & (context.normals[:, 1] > 0.0)
    ceilings = np.nonzero(((context.normals[:, 1] < -0.5) | floor_tops) & ~np.isin(kinds, LOW_SPACE_KINDS))[0]
    points, below = sample_points(context, floors)
    least_height = MIN_PASSAGE_HEIGHT * context.height_scale
    over_floors, _ = sample_points(context, ceilings)
    ground = context.ground_below(
        over_floors[:, ::2],
        over_floors[:, 1] - context.body.clear_height,
        over_floors[:, 1] - least_height,
        MIN_LEDGE_WIDTH,
    )
    has_ground = np.isfinite(ground.height)
    over_floors[:, 1] = ground.height
    points, below = np.concatenate([points, over_floors[has_ground]]), np.concatenate([below, ground.face[has_ground]])
    ceiling, above = context.ceiling_above(points[:, ::2], points[:, 1], 0.02)
    clear = ceiling - points[:, 1]
    _check_low_ground(context, points[:, 1], below, above, clear)
    for k in np.nonzero((clear >= least_height) & (clear < context.body.clear_height - 1e-6))[0]:
        over = int(above[k])
        under = int(below[k])
        downward = context.normals[over, 1] < 0.0
        same = context.faces.origin[over] == context.faces.origin[under]
        kind = context.origin_of_face(over).kind
        opening = same and kind in OPENING_KINDS
        if opening or (not downward and kind not in SHEET_KINDS) or (kind in LOW_SPACE_KINDS and not same):
            continue
        if _is_walked_around(context, over, float(points[k, 1])) or _is_in_slit(context, points[k], clear[k]):
            continue
        verb = "must crouch" if clear[k] >= context.body.clear_crouch_height else "cannot pass"
        message = f"the headroom above {context.describe_face(under)} is {clear[k]:.2f} m: {context.player} {verb}"
        cure = f"leave at least {describe_least(context.body.clear_height)} m"
        if "ceiling" in PIECES[kind].fields and not same and hangs(context, over):
            message = f"it hangs in the air, {clear[k]:.3g} m above {context.describe_face(under)}"
            cure = f"let it begin at a height of {points[k, 1] + 0.0:.4g}"
        context.warn_face("low", over, message, cure, under)


def _check_low_ground(context: LintContext, ground: Floats, below: Indices, above: Indices, clear: Floats) -> None:
    """Warn about ground that ends below all that was to stand on it: rooms and more hang at one height above it."""
    number = context.piece_bounds[2]
    found = np.nonzero((clear > TOUCHING) & (clear < context.body.clear_height) & (context.normals[above, 1] < -0.5))[0]
    for copy, gap in sorted(set(zip(number[below[found]].tolist(), clear[found].round(3).tolist(), strict=True))):
        rows = found[(number[below[found]] == copy) & (np.abs(clear[found] - gap) < 2e-3)]
        over = above[rows][np.unique(context.faces.origin[above[rows]], return_index=True)[1]]
        rooms = [face for face in over.tolist() if context.kinds[face] == "room" and hangs(context, face)]
        if len(over) < 3 or not rooms:
            continue
        message = f"it ends {gap:.3g} m below {context.describe_face(rooms[0])} and {len(over) - 1} more pieces"
        context.warn_face(
            "low", int(below[rows[0]]), message, f"let it end at a height of {ground[rows[0]] + gap + 0.0:.4g}"
        )
        context.misplaced.update([*context.faces.origin[over].tolist(), int(context.faces.origin[below[rows[0]]])])


def hangs(context: LintContext, face: int) -> bool:
    """Whether a face is of the underside of a piece, and nothing holds the most of that from below."""
    low, _, number = context.piece_bounds
    own = (number == number[face]) & (context.high[:, 1] < low[number[face], 1] + TOUCHING)
    points = 0.97 * context.corners[own] + 0.03 * context.corners[own].mean(axis=1, keepdims=True) - [0.0, 0.05, 0.0]
    return bool(own[face]) and float((context.solids.pieces_around(points.reshape(-1, 3)) < 0).mean()) > 0.7


def _is_in_slit(context: LintContext, point: Floats, clear: float) -> bool:
    """Whether solids on two sides of a point (3,) with `clear` (m) above it leave less than a passage."""
    sides = np.array([(1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)])
    places = point + [0.0, clear / 2.0, 0.0] + MIN_PASSAGE_WIDTH * context.width_scale / 2.0 * sides
    around = context.solids.pieces_around(places)
    return bool((around.reshape(2, 2) >= 0).all(axis=1).any())


def _is_walked_around(context: LintContext, face: int, ground: float) -> bool:
    """Whether a face is of something small, such as a statue, around which there is one clear way at its foot."""
    low, high, number = context.piece_bounds
    small = (high - low)[:, ::2].max(axis=1) <= MAX_DECORATION
    group = touching_copies(context, int(number[face]), small, MAX_DECORATION)
    if not len(group):
        return False
    box_low, box_high = low[group].min(axis=0), high[group].max(axis=0)
    parts = np.linspace(-1.0, 1.0, RING_POINTS, endpoint=False)
    side = np.column_stack([parts, -np.ones(RING_POINTS)])
    ring = np.concatenate([side, side[:, ::-1] * [-1.0, 1.0], -side, side[:, ::-1] * [1.0, -1.0]])
    half = (box_high - box_low)[::2] / 2.0 + context.body.clear_width / 2.0
    places = (box_low + box_high)[::2] / 2.0 + ring * half
    foot = np.full(len(places), min(float(box_low[1]), ground))
    beside = context.ground_below(places, foot - context.body.step_height, foot + context.body.step_height)
    ceiling, _ = context.ceiling_above(places, np.where(np.isfinite(beside.height), beside.height, foot), 0.02)
    middles = np.column_stack([places[:, 0], foot + context.body.radii[1], places[:, 1]])
    clear = np.isfinite(beside.height) & (ceiling - beside.height >= context.body.clear_height)
    clear &= context.solids.pieces_around(middles) < 0
    return int((clear != np.roll(clear, 1)).sum()) <= 2 and bool(clear.mean() >= 0.5)


def touching_copies(context: LintContext, copy: int, chosen: Flags, size: float) -> Indices:
    """Numbers (n,) of the chosen copies in `piece_bounds` with faces that touch the box around them all, from one on.

    Empty if that is none, or if they are more than `size` (m) wide.
    """
    low, high, number = context.piece_bounds
    box_low, box_high = low[copy], high[copy]
    count = 0
    while (box_high - box_low)[::2].max() <= size:
        near = (context.low <= box_high + TOUCHING).all(axis=1) & (context.high >= box_low - TOUCHING).all(axis=1)
        group: Indices = np.unique(number[near & chosen[number]])
        if len(group) == count:
            return group
        count = len(group)
        box_low, box_high = low[group].min(axis=0), high[group].max(axis=0)
    return np.zeros(0, np.int64)


def sample_points(context: LintContext, faces: Indices) -> tuple[Floats, Indices]:
    """Sample points (P,3) spread over faces, and the face (P,) of each."""
    a, b, _, d = (context.corners[faces, k] for k in range(4))
    sides = np.stack([np.linalg.norm(b - a, axis=1), np.linalg.norm(d - a, axis=1)], axis=1)
    counts = np.clip((sides / MIN_SAMPLE_SPACING).astype(int), 1, MAX_SAMPLES_PER_SIDE)
    points = [np.zeros((0, 3))]
    owner = [np.zeros(0, np.int64)]
    for across in range(1, MAX_SAMPLES_PER_SIDE + 1):
        for down in range(1, MAX_SAMPLES_PER_SIDE + 1):
            chosen = faces[(counts[:, 0] == across) & (counts[:, 1] == down)]
            if not len(chosen):
                continue
            samples = [((u + 0.5) / across, (v + 0.5) / down) for u in range(across) for v in range(down)]
            a, b, c, d = (context.corners[chosen, k] for k in range(4))
            for u, v in samples:
                points.append((a * (1 - u) + b * u) * (1 - v) + (d * (1 - u) + c * u) * v)
                owner.append(chosen)
    return np.concatenate(points), np.concatenate(owner)


def edge_points(corners: Floats, reach: Sequence[float]) -> Floats:
    """Points (..., 4, n, 3) outside the edges of level quads (..., 4, 3), `reach` m before three places of each."""
    along = np.roll(corners, -1, axis=-2) - corners
    length = np.linalg.norm(along, axis=-1, keepdims=True)
    outward = np.cross(along / np.maximum(length, 1e-9), [0.0, 1.0, 0.0])
    points: Floats = np.stack([corners + part * along + far * outward for part in (0.2, 0.5, 0.8) for far in reach], -2)
    return points
