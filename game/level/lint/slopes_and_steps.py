"""Slope and step checks: geometry near the walker's limits, steep ramps, and flights turned the wrong way."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from ...core.vectors import Flags, Floats, Indices
from ..build.entities.landmarks import RampFoot, StairsFoot
from ..build.entities.player import describe_least
from ..build.level_assembly import describe_origin
from ..build.pieces import LOW_SPACE_KINDS, NATURAL_KINDS, SHEET_KINDS
from ..geometry.faces import rotate_about_y
from ..geometry.instance_transform import PlacedMarker
from .clearance import MAX_FLIGHTS, MIN_LEDGE_WIDTH
from .lint_context import LintContext, describe_facing, describe_point, subject_of
from .places import is_carried, is_cut_off, mover_comes_to

SLOPE_LIMIT_MARGIN = 2.0  # degrees on both sides of the slope limit
LEVEL_SLOPE = 0.1  # degrees: a flatter face is level, and every body walks on it
HEAD_REACH = (0.05, 0.2, 0.4)  # metres from the top of a flight within which there should be a floor
NEAR_HEAD, NEAR_DROP = 0.6, 0.5  # metres to the side and down from the top of a flight where a floor is at hand
BESIDE_HEAD = 0.15  # metres before the top of a flight where one may leave it sideways
HEAD_SLACK = 0.1  # metres between the top of a flight and the floor that it was made for
FOOT_SLACK = 0.05  # metres by which the step up to a floor may be higher than a step
RING = np.column_stack([f(np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False)) for f in (np.sin, np.cos)])
MAX_SPIRALS, MAX_LOST = 300, 20  # that are judged; as many other flights in the air; and their tops
AHEAD = np.arange(0.01, 2.0, 0.01)  # m beyond the top of stairs at which there may be the edge of their hole
BESIDE_HOLE = (0.15, 0.3, 0.5, 0.7)  # m beside stairs at which the hole that they are in ends
STEP_LIMIT_MARGIN = 0.05  # metres above the step height: such a step looks walkable


def check_slopes(context: LintContext) -> None:
    """Warn about faces within SLOPE_LIMIT_MARGIN of the slope limit."""
    slope = np.degrees(np.arccos(np.clip(context.normals[:, 1], -1.0, 1.0)))
    size = np.linalg.norm(context.high - context.low, axis=1)
    kinds = context.kinds
    borderline = np.nonzero(
        (np.abs(slope - context.body.max_slope) < SLOPE_LIMIT_MARGIN)
        & (slope > LEVEL_SLOPE)
        & (size > 0.3)
        & ~np.isin(kinds, NATURAL_KINDS)
    )[0]
    for face in borderline[np.argsort(-size[borderline], kind="stable")]:
        verb = "can" if slope[face] <= context.body.max_slope else "cannot"
        message = f"a slope of {slope[face]:.1f} degrees {verb} be walked, but players cannot see that"
        cure = f"keep {SLOPE_LIMIT_MARGIN:g} degrees from the limit of {context.body.max_slope:g}"
        context.warn_face("steep", int(face), message, cure)


def check_steps(context: LintContext) -> None:
    """Warn about steps just above the step height: a wall with a horizontal top edge and ground on both sides."""
    corners = context.corners
    top = context.high[:, 1]
    on_top = corners[:, :, 1] > top[:, None] - 1e-3
    along = on_top & np.roll(on_top, -1, axis=1)
    edge_length = np.linalg.norm((np.roll(corners, -1, axis=1) - corners)[:, :, ::2], axis=-1)
    edge = np.argmax(np.where(along, edge_length, 0.0), axis=1)
    rows = np.arange(len(corners))
    long_enough = along[rows, edge] & (edge_length[rows, edge] > 0.2)
    chosen = np.nonzero(context.upright & long_enough)[0]
    if not len(chosen):
        return
    middle = (corners[chosen, edge[chosen]] + corners[chosen, (edge[chosen] + 1) % 4]) / 2
    outward = context.normals[chosen][:, ::2]
    height = top[chosen]
    behind = middle[:, ::2] - 0.05 * outward
    back = context.ground_below(behind, height - 2e-3, height + 2e-3)
    front = context.ground_below(middle[:, ::2] + 0.10 * outward, height - 2.0, height + 1e-3)
    over, cover = context.ceiling_above(behind, height, 0.01)
    inside = np.array([face >= 0 and context.is_solid_from_inside(int(face)) for face in cover], dtype=np.bool_)
    rise = height - front.height
    limit = context.body.step_height
    high = (rise > limit + 1e-4) & (rise <= limit + STEP_LIMIT_MARGIN) & np.isfinite(back.height)
    high &= (over - height > context.body.clear_crouch_height) & ~inside
    for k in np.nonzero(high)[0]:
        same = context.faces.origin[chosen] == context.faces.origin[chosen[k]]
        if 1e-4 < height[same].min() - front.height[k] <= limit + 1e-4:
            continue  # the side of stairs whose first step is low enough
        message = f"the step up from {context.describe_face(int(front.face[k]))} is {rise[k]:.3f} m: "
        message += f"{(rise[k] - limit) * 1000:.0f} mm too high for {context.player}"
        context.warn_face("step", int(chosen[k]), message, f"make it at most {limit:.2f} m")


@dataclass(frozen=True, eq=False)
class PlacedFlight:
    """Stairs or a ramp in the world. at (3,): middle of its lower edge, m. axes (3,3): its right, up and back."""

    shape: StairsFoot | RampFoot
    origin: int
    at: Floats
    axes: Floats

    def points(self, across: float, climbed: Floats) -> Floats:
        """Points (n,3) on its slope, `across` half widths to the right; climbed (n,): part of its length, 0 to 1."""
        shape = self.shape
        offset = np.array([across * shape.width / 2.0, 0.0, 0.0])
        points: Floats = self.at + (offset + climbed[:, None] * [0.0, shape.height, -shape.length]) @ self.axes
        return points

    def landings(self) -> Floats:
        """Points (n,3) just beyond its top and beside it."""
        reach, half = np.array(HEAD_REACH), self.shape.width / 2.0
        ahead = [self.points(across, 1.0 + reach / self.shape.length) for across in (-0.8, 0.0, 0.8)]
        end = np.array([1.0 - BESIDE_HEAD / self.shape.length])
        beside = [self.points(side * (1.0 + far / half), end) for side in (-1.0, 1.0) for far in HEAD_REACH]
        return np.concatenate([*ahead, *beside])

    def turned(self, degrees: float) -> PlacedFlight:
        return replace(self, axes=rotate_about_y(np.eye(3), degrees) @ self.axes)


def placed_flights(context: LintContext) -> Iterator[tuple[PlacedMarker, PlacedFlight]]:
    """All stairs and ramps that no mover carries, with their markers."""
    for marker, shape in context.markers(StairsFoot, RampFoot):
        assert isinstance(shape, StairsFoot | RampFoot)
        yield marker, PlacedFlight(shape, marker.origin, np.array(marker.at), context.directions(marker))


def check_flights(context: LintContext) -> None:
    """Warn about ramps to a floor that are too steep, and about stairs and ramps that are turned the wrong way.

    A flight is turned if its top ends in the air or its way is closed, and it would lead to a floor at its height in
    another direction, or the other way round on the same ground. A floor with another flight may have a slide.
    """
    steep = []
    reached, spirals, in_air = set(), set(), 0
    for marker, flight in islice(placed_flights(context), MAX_FLIGHTS):
        origin, shape = context.level.origins[marker.origin], flight.shape
        if {"step", "floating"} & (origin.intended | origin.reported_kinds):
            continue
        if isinstance(shape, StairsFoot) and shape.turn:
            spirals.add(marker.origin)
            if len(spirals) <= MAX_SPIRALS and not _is_cut_by_wall(context, flight, shape):
                _check_spiral(context, flight, shape, marker.facing)
            continue
        rise = shape.height * float(np.linalg.norm(flight.axes[1]))
        run = shape.length * float(np.linalg.norm(flight.axes[2]))
        slope = math.degrees(math.atan2(rise, run))
        head = flight.points(0.0, np.ones(1))
        floors = _floors_ahead(context, flight)
        is_open = _is_open(context, flight)
        low = replace(flight, shape=replace(shape, height=shape.height / 10.0))
        if len(floors) and is_open:
            if isinstance(shape, StairsFoot) or slope <= context.body.max_slope + SLOPE_LIMIT_MARGIN:
                reached.update(context.faces.origin[floors].tolist())
            else:
                steep.append((marker.origin, floors, rise, slope))
        elif shape.has_end:
            continue  # its place, height and direction are as its author wrote them
        elif (
            slope > context.body.max_slope
            and isinstance(shape, RampFoot)
            and len(floors := _floors_ahead(context, low))
        ):
            message = f"a ramp of {slope:.3g} degrees ends at {describe_point(head[0])}, {rise * 0.9:.3g} m above "
            cure = f"write `rise: {low.shape.height:.4g}`"
            context.misplaced.add(marker.origin)
            context.warn_origin("steep", marker.origin, message + context.describe_face(int(floors[0])), cure)
        elif (in_air := in_air + 1) <= MAX_SPIRALS and not (
            is_open and (_has_floor_near(context, head[0]) or mover_comes_to(context, head))
        ):
            _warn_of_turned(context, flight, marker.facing)
    limit = context.body.max_slope
    for index, floors, rise, slope in steep:
        if reached.isdisjoint(context.faces.origin[floors].tolist()):
            least = math.ceil(rise / math.tan(math.radians(limit - SLOPE_LIMIT_MARGIN)) * 100.0) / 100.0
            message = f"a ramp of {slope:.3g} degrees to {context.describe_face(int(floors[0]))} cannot be walked up: "
            message += f"{context.player} walks up at most {limit:g} degrees"
            context.warn_origin("steep", index, message, f"make it at least {least:g} m long")


def _is_cut_by_wall(context: LintContext, flight: PlacedFlight, shape: StairsFoot) -> bool:
    """Warn about spiral stairs with treads in a wall. True if there are any."""
    treads = np.arange(round(shape.height / shape.rise))
    angle, radius = np.radians(shape.turn * (treads + 0.5)), 0.45 * shape.width
    rims = np.column_stack([-radius * np.sin(angle), shape.rise * (treads + 1.0), -radius * np.cos(angle)])
    points = flight.at + np.array([rims + np.array([0.0, up, 0.0]) for up in (0.1, 0.7)]) @ flight.axes
    low, high = context.solids.pieces_around(points.reshape(-1, 3)).reshape(2, -1)
    for cut in np.nonzero((low >= 0) & (low == high) & (low != flight.origin))[0].tolist():
        solid, at = context.describe_solid(int(low[cut]), points[0, cut]), describe_point(points[0, cut])
        message = f"its tread {cut + 1} of {len(treads)} is in {solid}, at {at}: nobody can walk there"
        context.warn_origin("overlap", flight.origin, message, "move it away from there, or write a smaller `radius`")
        context.misplaced |= {flight.origin, int(low[cut])}
        return True
    return False


def _check_spiral(context: LintContext, flight: PlacedFlight, shape: StairsFoot, facing: float) -> None:
    """Warn about spiral stairs that end in the air, if a floor is as high beside another part of them."""
    ahead, head = _spiral_end(context, flight, shape, shape.turn)
    if len(ahead) or _has_floor_near(context, head) or mover_comes_to(context, head[None]):
        return
    tries = [(flight, -shape.turn, f"turn: {-shape.turn:g}")]
    tries += [(flight.turned(d), shape.turn, f"facing: {describe_facing(facing + d)}") for d in range(15, 360, 15)]
    for other, turn, written in tries:
        floors, _ = _spiral_end(context, other, shape, turn)
        if len(floors):
            what = context.describe_face(int(floors[0]))
            message = f"it ends in the air: its top, {describe_point(head)}, does not meet {what}, which is as high"
            context.misplaced.add(flight.origin)
            context.warn_origin("floating", flight.origin, message, f"write `{written}`")
            return


def _spiral_end(context: LintContext, flight: PlacedFlight, shape: StairsFoot, turn: float) -> tuple[Indices, Floats]:
    """Faces (n,) to which spiral stairs with this turn (degrees) lead from their last treads, and the end (3,)."""
    steps, radius = round(shape.height / shape.rise), shape.width / 2.0
    step = context.body.step_height
    last = np.arange(steps, max(0.0, steps - step / shape.rise), -1.0)  # numbers of treads from which one steps up
    parts = [(number, number - part, radius + far) for number in last for part in (0.9, 0.5, 0.1) for far in HEAD_REACH]
    ahead = np.degrees(np.array(HEAD_REACH) / radius) / abs(turn)  # beyond the edge of the last tread, in treads
    parts += [(steps, steps + far, radius * out) for far in ahead for out in (0.5, 0.8)]
    number, along, out = np.array([*parts, (steps, steps, 0.7 * radius)]).T
    angle = np.radians(turn * along)
    local = np.column_stack([-out * np.sin(angle), shape.rise * number, -out * np.cos(angle)])
    points = flight.at + local @ flight.axes
    height, top = points[:, 1], float(points[-1, 1])
    low, high = np.maximum(height - step, top - HEAD_SLACK), np.minimum(height, top) + step
    ground = context.ground_below(points[:, ::2], low, high, MIN_LEDGE_WIDTH)
    own = context.faces.origin[ground.face] == flight.origin
    faces: Indices = np.unique(ground.face[(ground.face >= 0) & ~own])
    return faces, points[-1]


def _warn_of_turned(context: LintContext, flight: PlacedFlight, facing: float) -> None:
    """Warn about a flight that leads nowhere, if it leads to a floor when it is turned."""
    head = flight.points(0.0, np.ones(1))[0]
    foot = head - flight.shape.height * flight.axes[1]
    places = [(flight.at, 180.0), (foot, 180.0), (flight.at, 90.0), (flight.at, 270.0)]
    for at, degrees in places:
        other = replace(flight, at=at).turned(degrees)
        floors = _floors_ahead(context, other)
        if not len(floors) or not _is_open(context, other):
            continue
        x, y, z = (at.round(3) + 0.0).tolist()
        moved = f" and `at: [{x:g}, {y:g}, {z:g}]`" if at is foot else ""
        what = context.describe_face(int(floors[0]))
        message = f"it is turned the wrong way: its top, {describe_point(head)}, does not meet {what}, which is as high"
        cure = f"write `facing: {describe_facing(facing + degrees)}`{moved}"
        context.misplaced.add(flight.origin)
        context.warn_origin("floating", flight.origin, message, cure)
        return


def _is_open(context: LintContext, flight: PlacedFlight) -> bool:
    """Whether a player has room above the middle of a flight."""
    points = flight.points(0.0, np.linspace(0.1, 1.0, 10))
    point, triangle, height = context.plan.faces_at(points[:, ::2])
    face = context.face_of[triangle]
    above = height - points[point, 1]
    closes = (above > context.body.step_height) & (above < context.body.clear_height - flight.shape.height / 10.0)
    closes &= (context.faces.origin[face] != flight.origin) & (context.faces.mover_numbers[face] == 0)
    return not closes.any()


def _floors_ahead(context: LintContext, flight: PlacedFlight) -> Indices:
    """Faces (n,) at the height of the top of a flight, just beyond it or beside it."""
    points = flight.landings()
    top = np.full(len(points), flight.points(0.0, np.ones(1))[0, 1])
    ground = context.ground_below(points[:, ::2], top - HEAD_SLACK, top + HEAD_SLACK, MIN_LEDGE_WIDTH)
    faces: Indices = np.unique(ground.face[ground.face >= 0])
    return faces


def _has_floor_near(context: LintContext, head: Floats) -> bool:
    """Whether a player steps, drops a little or leaps from the top (3,) of a flight to something beside it."""
    low = head - np.array([NEAR_HEAD, NEAR_DROP, NEAR_HEAD])
    high = head + np.array([NEAR_HEAD, context.body.clear_height, NEAR_HEAD])
    near = context.walkable & (context.breadth > MIN_LEDGE_WIDTH)
    near &= (context.low <= high).all(axis=1) & (context.high >= low).all(axis=1)
    return bool((near & ~np.isin(context.kinds, LOW_SPACE_KINDS)).any())


def check_stairs_heads(context: LintContext) -> None:
    """Warn about stairs and ramps whose top is too low for a step up to the floor beside or before it."""
    step = context.body.step_height
    lost: list[tuple[Floats, int]] = []  # tops in the air, and whose
    for marker, placed in placed_flights(context):
        if marker.origin in context.misplaced:
            continue
        flight, axes = placed.shape, placed.axes
        head = placed.points(0.0, np.ones(1))[0]
        if not (isinstance(flight, StairsFoot) and flight.turn):
            points = placed.landings()
        else:
            around = np.array([(flight.width / 2.0 + far) * turn for far in HEAD_REACH for turn in RING])
            points = placed.at + np.insert(around, 1, flight.height, axis=1) @ axes
        top = np.full(len(points), head[1])
        beyond = context.ground_below(points[:, ::2], top - step, top + step + FOOT_SLACK, MIN_LEDGE_WIDTH)
        above = context.ground_below(points[:, ::2], top + step, top + context.body.clear_height, MIN_LEDGE_WIDTH)
        nearest = int(np.argmin(np.where(np.isfinite(above.height), above.height, np.inf)))
        missing = float(above.height[nearest]) - head[1]
        leads = (beyond.face >= 0) & (context.faces.origin[beyond.face] != marker.origin)  # rails lead nowhere
        spiral = flight if isinstance(flight, StairsFoot) and flight.turn else None
        ahead = leads[: 3 * len(HEAD_REACH)].any()
        if mover_comes_to(context, points) or (not (spiral or ahead) and _ends_before(context, placed)) or leads.any():
            continue
        if spiral:
            floors, head = _spiral_end(context, placed, spiral, spiral.turn)
            if len(floors):
                continue
        if not np.isfinite(missing):
            lost.append((head, marker.origin))
            continue
        floor = context.describe_face(int(above.face[nearest]))
        noun = "stairs end" if isinstance(flight, StairsFoot) else "ramp ends"
        message = f"the {noun} at {describe_point(head)}, {missing:.3g} m below {floor}: nobody can step up there"
        cure = _cure_of_low_head(context, placed, head, missing)
        if spiral and "step" not in context.level.origins[marker.origin].intended:
            cure = f"lower {floor} by {missing:.3g} m, or {cure}"  # with more steps it ends at another side
            context.misplaced.add(int(context.faces.origin[above.face[nearest]]))
        context.warn("step", subject_of(context.level.origins[marker.origin]), message, cure)
    for end in lost[:MAX_LOST]:
        _warn_of_far_floor(context, *end)


def _hole_ahead(context: LintContext, placed: PlacedFlight) -> tuple[float, int]:
    """Metres from the top of stairs in a hole to its edge, where the floor is as high, and that floor; or 0, -1."""
    length, half = placed.shape.length, placed.shape.width / 2.0
    top = float(placed.points(0.0, np.ones(1))[0, 1])

    def floors(across: float, far: Floats, lowest: float) -> Indices:
        points = placed.points(across, 1.0 + far / length)
        ground = context.ground_below(points[:, ::2], np.full(len(far), lowest), np.full(len(far), top + HEAD_SLACK))
        return np.where(ground.face >= 0, context.faces.origin[ground.face], -1).astype(np.int64)

    lowest = top - context.body.jump_height - context.body.step_height  # to which a player may drop, and go on
    ahead = np.array([floors(across, AHEAD, lowest) for across in (-0.8, 0.0, 0.8)])
    first = int(np.argmax((ahead >= 0).any(axis=0)))
    floor, gap = int(ahead[0, first]), float(AHEAD[first])
    if floor < 0 or (ahead[:, first] != floor).any() or gap < NEAR_HEAD:
        return 0.0, -1
    along = np.array([-BESIDE_HEAD, gap / 2.0])
    sides = [[floors(side + side * far / half, along, top - HEAD_SLACK) for far in BESIDE_HOLE] for side in (-1.0, 1.0)]
    return (gap, floor) if (np.array(sides) == floor).any(axis=1).all() else (0.0, -1)


def _ends_before(context: LintContext, placed: PlacedFlight) -> bool:
    """Warn about stairs that end in a hole of the floor that is as high, metres before its edge. True if they do."""
    shape = placed.shape
    gap, floor = (0.0, -1) if isinstance(shape, RampFoot) else _hole_ahead(context, placed)
    if gap and isinstance(shape, StairsFoot):
        what = describe_origin(context.level.origins[floor])
        message = f"the stairs end {gap:.3g} m before the edge of the hole in {what}, which is as high"
        cure = f"write `run: {(shape.length + gap) * shape.rise / shape.height:.6g}`, or make the hole shorter"
        if shape.has_end:
            cure = f"move its `to` {gap:.3g} m further, or make the hole shorter"
        context.warn_origin("step", placed.origin, message, cure)
    return gap > 0.0


def _cure_of_low_head(context: LintContext, placed: PlacedFlight, head: Floats, missing: float) -> str:
    """How a flight with its top at `head` (3,) comes up to a floor that is higher by `missing`, m."""
    flight, axes = placed.shape, placed.axes
    if flight.has_end:
        return f"raise its `to` by {math.ceil(missing / float(axes[1, 1]) * 1e4 - 1e-6) / 1e4:g} m"
    height = math.ceil((flight.height + missing / float(axes[1, 1])) * 1e4 - 1e-6) / 1e4
    if isinstance(flight, StairsFoot):
        count, steps = math.ceil(missing / (flight.rise * float(axes[1, 1])) - 0.3), flight.height / flight.rise
        cures = [f"add {count} {'step' if count == 1 else 'steps'}"]
        if (rise := math.ceil(height / steps * 1e4 - 1e-6) / 1e4) <= context.body.step_height:
            cures.append(f"write `rise: {rise:g}`")
            raised = replace(placed, shape=replace(flight, height=rise * steps))
            if not flight.turn and (gap := _hole_ahead(context, raised)[0]):
                cures[-1] += f" and `run: {(flight.length + gap) / steps:.6g}`"
            ahead = np.array([(0.0, 0.0, -(k + 0.5) * flight.length / steps) for k in range(count - 1)]).reshape(-1, 3)
            roof, _ = context.ceiling_above((head + ahead @ axes)[:, ::2], np.full(len(ahead), head[1]), 0.0)
            if flight.turn == 0.0 and (roof < head[1] + missing + HEAD_SLACK).any():
                cures = cures[1:]  # more steps would come against the floor
        return ", or ".join(cures)
    least = height / math.tan(math.radians(context.body.max_slope - SLOPE_LIMIT_MARGIN))
    cure = f"write `rise: {height:g}`"
    if least > flight.length:
        length = math.ceil(least * 100.0) / 100.0
        foot = describe_point(head + np.array([0.0, -flight.height, length]) @ axes, "[]")
        cure += f", `length: {length:g}` and `at: {foot}`"
    return cure


def _warn_of_far_floor(context: LintContext, head: Floats, origin: int) -> None:
    """Warn about a floor far above the top (3,) of a flight that ends in the air, if nothing leads to that floor."""
    low, high, number = context.piece_bounds
    over: Flags = (low <= head + HEAD_SLACK) & (high >= head - HEAD_SLACK)
    is_higher = np.isin(context.kinds, SHEET_KINDS) & (context.low[:, 1] > head[1])
    rows = np.nonzero(over[number][:, ::2].all(axis=1) & is_higher)[0]
    if not len(rows):
        return
    face = int(rows[np.argmin(context.low[rows, 1])])
    top = context.corners[face].mean(axis=0)
    if is_cut_off(context, top, np.full(3, HEAD_SLACK), 0.0):
        flight = describe_origin(context.level.origins[origin])
        message = f"it lies {top[1] - head[1]:.3g} m above the top of {flight}: nothing leads to it"
        context.warn_face("floating", face, message, f"write `y: {head[1]:.4g}`")


def check_stairs(context: LintContext) -> None:
    """Warn about narrow stairs, and those whose foot hangs in the air: a floor as high as their head is no ground."""
    level = context.level
    for marker, foot in context.markers(StairsFoot):
        at = np.array(marker.at)
        axes = context.directions(marker)
        if is_carried(context, at - 0.5, at + 0.5) or marker.origin in context.misplaced:
            continue
        points, beside = _approaches(foot)
        points = at + points @ axes
        rise = foot.rise * float(axes[1, 1])
        top = at[1] + np.maximum(beside * (foot.height - 1.5 * foot.rise), foot.rise / 2.0) * float(axes[1, 1])
        ground = context.ground_below(points[:, ::2], np.full(len(points), -np.inf), top)
        highest = int(np.argmax(ground.height))
        drop = at[1] - float(ground.height[highest])
        step = max(rise, context.body.step_height)  # a higher rise has a finding of its own
        if drop + rise <= step + FOOT_SLACK or mover_comes_to(context, points):
            width, body = foot.width * float(np.linalg.norm(axes[0])), context.body
            if width < body.clear_width / 2.0 and context.breadth[ground.face[highest]] > body.clear_width:
                message = f"the stairs are {width:.3g} m wide: too narrow for {context.player}"
                cure = f"make them at least {describe_least(body.clear_width)} m wide"
                context.warn("narrow", subject_of(level.origins[marker.origin]), message, cure)
            continue
        message = f"the foot of the stairs at {describe_point(at)} hangs in the air: there is no ground below"
        cure = f"put a floor below it, at a height of {at[1] + 0.0:.4g}"
        if np.isfinite(drop):
            under = context.describe_face(int(ground.face[highest]))
            message = f"the foot of the stairs at {describe_point(at)} hangs in the air, {drop:.3g} m above {under}"
            flight, more = PlacedFlight(foot, marker.origin, at, axes), math.ceil(drop / rise - 0.01)
            first = flight.points(0.0, np.array([-more * foot.rise / foot.height]))  # of the steps down to the ground
            if foot.turn or not len(_floors_ahead(context, flight)):
                cure = "lower it to the ground"
            elif context.ground_below(first[:, ::2], first[:, 1] - rise, first[:, 1] + rise).face[0] >= 0:
                steps = round(foot.height / foot.rise) + more
                cure = f"write `at: {describe_point(first[0], '[]')}` and `steps: {steps}`, or {cure}"
        context.warn("floating", subject_of(level.origins[marker.origin]), message, cure)


def _approaches(foot: StairsFoot) -> tuple[Floats, Flags]:
    """Points (n,3) of its own frame at which there may be ground for the first step, and whether each is beside it.

    The others are below the flight.
    """
    if foot.turn:
        angles = np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False)
        ring = np.stack([np.sin(angles), np.zeros(16), np.cos(angles)], axis=1) * foot.reach
        return np.concatenate([ring * 0.5, ring * 0.9, ring * 1.15]), np.repeat([False, False, True], 16)
    across, along = (-0.45, -0.2, 0.0, 0.2, 0.45), (-0.05, 0.05, 0.2, foot.reach)
    points = np.array([(x * foot.width, 0.0, z) for x in across for z in along])
    return points, points[:, 2] > 0.0
