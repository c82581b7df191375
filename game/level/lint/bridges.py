"""Checks of bridges: decks that are too high or too short for what leads to them, and rails that stand across them."""

from __future__ import annotations

import math

import numpy as np

from ...core.vectors import Flags, Indices
from ..build.entities.landmarks import RampFoot, StairsFoot
from ..build.level_assembly import describe_origin
from ..build.pieces import LOW_SPACE_KINDS, NATURAL_KINDS, PIECES, WALL_KINDS
from ..build.shared_walls import placed_rooms
from ..geometry.overlapping_pairs import find_boxes_near
from .clearance import TOUCHING, edge_points
from .fittings import TOUCH
from .lint_context import LintContext, describe_point, zone_bounds
from .places import kill_boxes, subject_of_zone
from .slopes_and_steps import HEAD_REACH, NEAR_HEAD

MIN_DECK, MIN_GAP_DEPTH = 0.3, 1.0  # m: breadth of the deck of a bridge, and from the ground at its ends down below it
MAX_BRIDGES = 300  # that are judged
MAX_DECK_GAP = 1.7  # m from the ground up to a deck that was to be walked on
AHEAD = np.arange(HEAD_REACH[-1], 4.0, 0.05)  # m before the end of a deck at which its ramp may begin
MAX_LACK, MIN_BANK, MAX_BANK_STEP = 2.2, 2.0, 0.1  # m from the end of a deck to a bank; its breadth; the step to it
LOOSE_KINDS = [kind for kind in WALL_KINDS if "ceiling" not in PIECES[kind].fields]  # walls of no room
MIN_PART, WALL_POINTS = 0.6, 100  # m of a wall inside and outside of a room; points along it
MAX_RAIL = 1.6  # m: height of a rail, and from a deck up to its top


def check_bridges(context: LintContext) -> None:
    """Warn about decks across a gap that nobody can step up to, that end before their ramp, or that a rail closes."""
    if context.report.has_gaps:  # what was left out may be the ground below
        return
    step = context.body.step_height
    other = np.isin(context.kinds, (*WALL_KINDS, *NATURAL_KINDS, *LOW_SPACE_KINDS))
    level = ~other & (context.normals[:, 1] > 0.999) & ~context.faces.is_triangle
    level &= (context.breadth > MIN_DECK) & (context.faces.mover_numbers == 0)
    number = context.piece_bounds[2]
    decks = np.nonzero(level & (np.bincount(number[level], minlength=len(number))[number] == 1))[0][:MAX_BRIDGES]
    middles = context.corners[decks].mean(axis=1)
    below = context.ground_below(middles[:, ::2], np.full(len(decks), -np.inf), middles[:, 1] - step)
    deep = middles[:, 1] - below.height > step + MIN_GAP_DEPTH
    marks = context.level.faces.marks
    flight_origins = np.array([one.origin for one in marks if isinstance(one.payload, StairsFoot | RampFoot)], np.int64)
    for deck, middle, bed in zip(decks[deep].tolist(), middles[deep], below.height[deep].tolist(), strict=True):
        top = float(middle[1])
        ends = edge_points(context.corners[deck], HEAD_REACH).reshape(-1, 3)
        ground = context.ground_below(ends[:, ::2], np.full(len(ends), top - MAX_DECK_GAP), ends[:, 1] + step)
        gaps = (top - ground.height).reshape(4, -1).min(axis=1)  # of each edge
        rise = float(np.maximum(gaps[:2], gaps[2:]).min())  # of two edges that face each other
        low, high = ends.min(axis=0) - NEAR_HEAD, ends.max(axis=0) + NEAR_HEAD
        low[1], high[1] = top - step, np.inf
        if context.has_carrier(low, high):
            continue
        flights = np.isin(context.faces.origin[ground.face], flight_origins) & (ground.face >= 0)
        leads: Flags = np.asarray(flights.reshape(4, -1).any(axis=1))
        for end in np.nonzero((gaps <= step) & (np.roll(gaps, 1) > step) & (np.roll(gaps, -1) > step))[0].tolist():
            _check_rails(context, deck, end, bool(gaps[end - 2] <= step))
            if gaps[end - 2] > step:
                _check_end(context, deck, end - 2, flight_origins)
        jump = 0.0 if (leads[:2] & leads[2:]).any() else context.body.jump_height  # one walks up to it
        if gaps.min() <= step + jump or not np.isfinite(rise) or top - rise - bed <= MIN_GAP_DEPTH:
            continue
        floor = context.describe_face(int(ground.face[np.argmin(np.abs(top - ground.height - rise))]))
        message = (
            f"the deck around {describe_point(middle)} is {rise:.3g} m above {floor}, and as high at its other end: "
        )
        cure = f"lower it by {math.floor((rise - 0.05) * 100.0 + 1e-6) / 100.0:g} m, or put stairs or a ramp there"
        context.warn_face("step", deck, f"{message}nobody can step up there", cure)


def check_hanging_walls(context: LintContext) -> None:
    """Warn about walls, such as rails, that hang in the air beside what they were to stand on: nothing touches them."""
    low, high, number = context.piece_bounds
    walls = np.isin(context.kinds, LOOSE_KINDS) & (context.faces.mover_numbers == 0)
    copies, rows = np.unique(number[walls], return_index=True)
    near, face = find_boxes_near(low[copies] - TOUCH, high[copies] + TOUCH, context.low, context.high)
    for k in np.setdiff1d(np.arange(len(copies)), near[number[face] != copies[near]]).tolist():
        box_low, box_high = low[copies[k]], high[copies[k]]
        ground = context.ground_below((box_low + box_high)[None, ::2] / 2.0, np.array([-np.inf]), box_low[None, 1])
        if ground.face[0] >= 0 and not context.has_carrier(box_low, box_high):
            message = f"it hangs in the air, {box_low[1] - ground.height[0]:.3g} m above "
            message += f"{context.describe_face(int(ground.face[0]))}, and touches nothing"
            cure = "move it to what it is to stand on, or make that wider"
            context.warn_face("floating", int(np.nonzero(walls)[0][rows[k]]), message, cure)


def check_walls_through_rooms(context: LintContext) -> None:
    """Warn about low walls, such as fences, of which a part stands inside a room and another outside of it."""
    rooms = [room for room in placed_rooms(context.level.faces) if not room.mover]
    low, high = np.array([room.bounds() for room in rooms]).reshape(-1, 2, 3).transpose(1, 0, 2)
    size = np.linalg.norm(np.ptp(context.corners, axis=1)[:, ::2], axis=1)
    walls = np.isin(context.kinds, LOOSE_KINDS) & context.upright & (context.faces.mover_numbers == 0)
    walls &= (np.ptp(context.corners[..., 1], axis=1) < MAX_RAIL) & (size > 2.0 * MIN_PART)
    middles = ((context.piece_bounds[0] + context.piece_bounds[1]) / 2.0)[context.piece_bounds[2]]
    for number, k in np.column_stack(find_boxes_near(context.low[walls], context.high[walls], low, high)).tolist():
        face = int(np.nonzero(walls)[0][number])
        ends = context.corners[face][np.argsort(context.corners[face][:, 1])[:2]]
        points = ends[0] + np.linspace(0.0, 1.0, WALL_POINTS)[:, None] * (ends[1] - ends[0]) + [0.0, TOUCH, 0.0]
        points += (middles[face] - points.mean(axis=0)) @ context.normals[face] * context.normals[face]
        inside, outside = rooms[k].holds(points), ((points < low[k]) | (points > high[k]))[:, ::2].any(axis=1)
        if min(inside.mean(), outside.mean()) * size[face] > MIN_PART:
            message = f"it goes through {describe_origin(context.level.origins[rooms[k].origin])}: "
            message += f"{inside.mean() * size[face]:.2g} m of it stand inside"
            x, _, z = points[outside][np.argmin(np.abs(points[outside] - points[inside].mean(axis=0)).sum(axis=1))]
            context.warn_face("overlap", face, message, f"let it end outside, at [{x:.4g}, {z:.4g}]")


def _check_end(context: LintContext, deck: int, end: int, flight_origins: Indices) -> None:
    """Warn about the end of a deck, the number of its edge, before stairs, a ramp or the other bank."""
    corners = np.roll(context.corners[deck], -end, axis=0)
    edge = corners[:2].mean(axis=0)
    way = edge - corners[2:].mean(axis=0)
    points = edge + AHEAD[:, None] * way / np.linalg.norm(way)
    near = (context.low <= points.max(axis=0)).all(axis=1) & (context.high >= points.min(axis=0)).all(axis=1)
    if not (np.isin(context.faces.origin, flight_origins) | (context.breadth > MIN_BANK))[near].any():
        return
    step = np.full(len(points), context.body.step_height)
    ground = context.ground_below(points[:, ::2], edge[1] - step, edge[1] + step)
    is_bank = (context.breadth[ground.face] > MIN_BANK) & (np.abs(ground.height - edge[1]) < MAX_BANK_STEP)
    is_bank &= min(MAX_LACK, float(np.linalg.norm(way)) / 2.0) > AHEAD
    is_flight = np.isin(context.faces.origin[ground.face], flight_origins)
    begins = np.nonzero((is_bank | is_flight) & (ground.face >= 0))[0]
    gap, side = points[: int(begins[0]) + 1] if len(begins) else points, np.array([NEAR_HEAD, 0.0, NEAR_HEAD])
    if len(begins) and not context.has_carrier(gap.min(axis=0) - side, gap.max(axis=0) + side):
        far, flight = AHEAD[begins[0]], context.describe_face(int(ground.face[begins[0]]))
        message = f"the deck ends at {describe_point(edge)}, {far:.3g} m before {flight}, which is as high"
        context.warn_face("step", deck, message, f"make it {far:.3g} m longer that way")


def _check_rails(context: LintContext, deck: int, end: int, leads: bool) -> None:
    """Warn about a low piece or a kill box that leaves no way past it on a deck. end: number of an edge at an end.

    leads: whether the deck goes on beyond its other end; else a rail close to that may fence it.
    """
    a, b, c, _ = np.roll(context.corners[deck], -end, axis=0)
    width, length = (float(np.linalg.norm(side)) for side in (b - a, c - b))
    axes = np.column_stack([(b - a) / width, (c - b) / length])
    body, top = context.body, context.high[deck, 1]
    near = (context.low < context.high[deck] + [0.0, body.clear_crouch_height, 0.0]).all(axis=1)
    near &= (context.high > context.low[deck] + [0.0, body.step_height, 0.0]).all(axis=1)
    near &= (context.high[:, 1] < top + MAX_RAIL) & context.upright
    faces = np.nonzero(near & (context.faces.mover_numbers == 0))[0]
    zones = [one for one in kill_boxes(context) if zone_bounds(one)[0][1] < top + TOUCHING < zone_bounds(one)[1][1]]
    flat = [(corners - a) @ axes for corners in (*context.corners[faces], *(one.edges.reshape(-1, 3) for one in zones))]
    low, high = (np.array([side(one, axis=0) for one in flat]).reshape(-1, 2) for side in (np.min, np.max))
    free = np.maximum(np.maximum(low[:, 0], width - high[:, 0]), 0.0)
    middle = (np.clip(low[:, 1], 0.0, length) + np.clip(high[:, 1], 0.0, length)) / 2.0
    last = length if leads else length - body.clear_width
    closes = np.nonzero((free < body.clear_width) & (middle > 0.0) & (middle < last))[0]
    if not len(closes) or width < body.clear_width:
        return
    rest = f"{free[closes[0]]:.2g} m of {width:.3g} m stay open"
    if closes[0] >= len(faces):
        subject = subject_of_zone(context, zones[closes[0] - len(faces)])
        message = f"players die on {context.describe_face(deck)}: {rest}"
        context.warn("void", subject, message, f"let it end at a height of {top - 0.1:.4g}")
        return
    face = int(faces[closes[0]])
    place = describe_point(context.corners[face].mean(axis=0))
    message = f"it stands across {context.describe_face(deck)}, at {place}: "
    context.warn_face("closed", face, message + rest, "turn it along the deck, or move it to the edge", deck)
