"""Check of doorways and windows that the wall of another piece closes, wholly or in part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np

from ...core.vectors import Flags, Floats, Indices
from ..build.entities.landmarks import WallLine, WallOpening
from ..build.level_assembly import describe_origin
from ..build.pieces import WALL_KINDS
from ..build.shared_walls import PlacedRoom, measure_gap, placed_rooms
from ..geometry.overlapping_pairs import find_boxes_near
from .lint_context import LintContext, describe_point

MIN_CLOSED_WIDTH = 0.01  # m of an opening: less is rounding
MIN_WINDOW_HEIGHT = 0.05  # m: a lower rest of a window counts as closed
MIN_PARALLEL = 0.999  # cosine of the angle between an opening and a wall that closes it, at least
MAX_SIDEWAYS = 1.0  # m between two openings that face each other, at most
_SIDES = {"north": ((1, 0, 0), (0, 0, -1)), "south": ((1, 0, 0), (0, 0, 1)), "west": ((0, 0, 1), (-1, 0, 0)),
          "east": ((0, 0, 1), (1, 0, 0))}  # of a room: directions along the wall and outwards  # fmt: skip


@dataclass(frozen=True, eq=False)
class PlacedOpening:
    """One copy of a doorway or window in the world, m.

    base (3,): left end of its lower edge, on the inner face of its wall. along, out (3,): unit vectors along the wall
    and outwards. width, height: its size. depth: thickness of the wall. room: whose wall it is in.
    """

    opening: WallOpening
    origin: int
    base: Floats
    along: Floats
    out: Floats
    width: float
    height: float
    depth: float
    room: PlacedRoom | None

    @property
    def centre(self) -> Floats:
        """Its centre on the floor, in the middle of the wall."""
        middle: Floats = self.base + self.along * self.width / 2.0 + self.out * self.depth / 2.0
        return middle

    def bounds(self, reach: float) -> tuple[Floats, Floats]:
        """Box of the opening, extended by `reach` (m) on both sides of its wall."""
        ends = [self.base - self.out * reach, self.base + self.out * (self.depth + reach)]
        corners = np.array([end + self.along * across for end in ends for across in (0.0, self.width)])
        return corners.min(axis=0), corners.max(axis=0) + np.array([0.0, self.height, 0.0])

    def flatten(self, points: Floats) -> Floats:
        """Points (..., 3) as metres along the wall from its left end, above its lower edge, and outwards."""
        offset = points - self.base
        flat: Floats = np.stack([offset @ self.along, offset[..., 1], offset @ self.out], axis=-1)
        return flat


def check_doorways(context: LintContext) -> None:
    """Warn about openings that a wall closes, and about doorways of two walls that do not line up."""
    openings = list(placed_openings(context))
    if not openings:
        return
    chosen = context.upright & np.isin(context.kinds, WALL_KINDS) & (context.faces.mover_numbers == 0)
    faces = np.nonzero(chosen)[0]
    reach = context.body.clear_depth  # with less room in front of it nobody passes
    bounds = [opening.bounds(reach) for opening in openings]
    low, high = np.array([box[0] for box in bounds]), np.array([box[1] for box in bounds])
    number, near = find_boxes_near(low + 1e-3, high - 1e-3, context.low[faces], context.high[faces])
    order = np.argsort(number, kind="stable")
    number, near = number[order], faces[near[order]]
    starts = np.searchsorted(number, np.arange(len(openings) + 1))
    done: set[tuple[int, WallOpening]] = set()
    for k, opening in enumerate(openings):
        key = (opening.origin, opening.opening)
        if starts[k] < starts[k + 1] and key not in done:
            done |= _check_opening(context, opening, openings, near[starts[k] : starts[k + 1]], reach)


def placed_openings(context: LintContext) -> Iterator[PlacedOpening]:
    """All copies of the openings of static rooms and walls."""
    level = context.level
    for room in placed_rooms(level.faces):
        if not room.mover and room.origin in context.static_origins:
            low = np.array(room.shell.low)
            thickness = room.shell.thickness
            for opening in room.shell.openings:
                along, out = (np.array(side, np.float64) for side in _SIDES[opening.wall])
                box_low, box_high = (np.array(corner) for corner in room.shell.opening_box(opening))
                inner = np.where(out > 0.0, box_low, np.where(out < 0.0, box_high, box_low))
                base = room.at + room.axes @ (inner - low)
                yield _place(opening, room.origin, room.axes, base, (along, out * thickness), room)
    for marker, wall in context.markers(WallLine):
        axes = context.directions(marker).T
        for opening in wall.openings:
            start = np.array(marker.at) + axes @ np.array([opening.left, opening.bottom, wall.thickness / 2.0])
            directions = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, -wall.thickness])
            yield _place(opening, marker.origin, axes, start, directions, None)


def _place(
    opening: WallOpening,
    origin: int,
    axes: Floats,
    base: Floats,
    directions: tuple[Floats, Floats],
    room: PlacedRoom | None,
) -> PlacedOpening:
    """An opening in the world. directions: vectors of its own frame, along the wall (1) and through it (m)."""
    along, through = (axes @ direction for direction in directions)
    scale = float(np.linalg.norm(along))
    depth = float(np.linalg.norm(through))
    width, height = (opening.right - opening.left) * scale, (opening.top - opening.bottom) * float(axes[1, 1])
    return PlacedOpening(opening, origin, base, along / scale, through / depth, width, height, depth, room)


def _check_opening(
    context: LintContext, opening: PlacedOpening, openings: Sequence[PlacedOpening], faces: Indices, reach: float
) -> set[tuple[int, WallOpening]]:
    """Report an opening that one of the faces closes. Returns what needs no other report."""
    parallel = np.abs(context.normals[faces] @ opening.out) > MIN_PARALLEL
    flat = opening.flatten(context.corners[faces[parallel]])
    low, high = flat.min(axis=1), flat.max(axis=1)
    covers = (high[:, 2] > -reach) & (low[:, 2] < opening.depth + reach)
    covers &= (context.faces.origin[faces[parallel]] != opening.origin) | (low[:, 2] > -1e-3)  # a room of little depth
    inner = np.array([opening.width, opening.height]) - 1e-3
    covers &= (low[:, :2] < inner).all(axis=1) & (high[:, :2] > 1e-3).all(axis=1)
    is_door = opening.opening.kind == "doorway"
    if is_door and opening.height - context.body.step_height > context.body.clear_crouch_height:
        covers &= high[:, 1] > context.body.step_height + 1e-3  # the player steps over lower walls
    low, high, faces = low[covers], high[covers], faces[parallel][covers]
    if not len(faces):
        return set()
    area = np.minimum(high, [opening.width, opening.height, np.inf]) - np.maximum(low, 0.0)
    other = int(context.faces.origin[faces[np.argmax(area[:, 0] * area[:, 1])]])
    facing = _facing_opening(opening, openings, other, reach)
    heights = [context.body.clear_height, opening.height, *([facing.height] if facing is not None else [])]
    free = free_width(opening, low, high, min(heights) - 1e-3 if is_door else MIN_WINDOW_HEIGHT)
    if free > opening.width - MIN_CLOSED_WIDTH or (not is_door and free > MIN_CLOSED_WIDTH):
        return set()
    pair = [context.level.origins[index] for index in (opening.origin, other)]
    intended = any("closed" in origin.intended for origin in pair)
    intended |= all("shared" in origin.reported_kinds for origin in pair)  # they have a finding
    intended |= not context.misplaced.isdisjoint((opening.origin, other))
    key = (opening.origin, opening.opening)
    if facing is not None:
        narrower = min(opening.width, facing.width)
        if free > narrower - MIN_CLOSED_WIDTH:
            return set()  # the narrower one is open as a whole
        overlap, shift = _line_up(opening, facing)
        if overlap < narrower - MIN_CLOSED_WIDTH:
            if not intended:
                _report_sideways(context, opening, facing, free, shift)
            return {key, (facing.origin, facing.opening)}
    if not intended:
        _report_closed(context, opening, other, free)
    return {key}


def free_width(opening: PlacedOpening, low: Floats, high: Floats, needed: float) -> float:
    """Width (m) of the widest part of an opening that is free over a height of `needed` m.

    low, high (F,3): flat bounds of the faces that cover it.
    """
    size = (opening.width, opening.height)
    lines = [np.unique(np.clip(np.concatenate([low[:, a], high[:, a], [0.0, size[a]]]), 0.0, size[a])) for a in (0, 1)]
    middles = [(line[1:] + line[:-1]) / 2.0 for line in lines]
    covered = np.zeros((len(middles[0]), len(middles[1])), np.bool_)
    for first, last in zip(low, high, strict=True):
        across, up = ((first[a] < middles[a]) & (middles[a] < last[a]) for a in (0, 1))
        covered |= across[:, None] & up[None, :]
    heights = [longest_run(~column, np.diff(lines[1])) for column in covered]
    return longest_run(np.array(heights) >= needed, np.diff(lines[0]))


def longest_run(free: Flags, sizes: Floats | float = 1.0) -> float:
    """Length (m) of the longest run of free cells of one size or these sizes (m)."""
    longest = run = 0.0
    for is_free, size in zip(free.tolist(), np.broadcast_to(sizes, len(free)).tolist(), strict=True):
        run = run + size if is_free else 0.0
        longest = max(longest, run)
    return longest


def _facing_opening(
    opening: PlacedOpening, openings: Sequence[PlacedOpening], origin: int, reach: float
) -> PlacedOpening | None:
    """The nearest opening of a piece that faces another opening."""
    found: list[tuple[float, PlacedOpening]] = []
    for other in openings:
        turned = float(other.out @ opening.out)
        in_one_wall = turned > 0.0 and abs(float(opening.flatten(other.base)[2])) < 1e-6
        if other.origin != origin or in_one_wall or abs(turned) < MIN_PARALLEL:
            continue
        across, up, through = opening.flatten(other.centre).tolist()
        gap = abs(across - opening.width / 2.0) - (opening.width + other.width) / 2.0
        beside = -reach < through < opening.depth + reach and -other.height < up < opening.height
        if beside and gap < MAX_SIDEWAYS and other.opening.kind == opening.opening.kind:
            found.append((gap, other))
    return min(found, key=lambda entry: entry[0])[1] if found else None


def _line_up(opening: PlacedOpening, other: PlacedOpening) -> tuple[float, float]:
    """Width (m) over which two openings lie behind each other, and the distance of their centres along the wall (m)."""
    shift = abs(float(opening.flatten(other.centre)[0]) - opening.width / 2.0)
    return min((opening.width + other.width) / 2.0 - shift, opening.width, other.width), shift


def _report_sideways(
    context: LintContext, opening: PlacedOpening, facing: PlacedOpening, free: float, shift: float
) -> None:
    other = describe_origin(context.level.origins[facing.origin])
    message = f"{describe_opening(opening)} and {facing.opening.describe()} of {other} do not line up: "
    message += f"{free:.3g} m of {opening.width:.3g} m stay open"
    cure = f"move one of them by {shift:.3g} m along the wall with `at`, or add `intended: [closed]`"
    label = context.level.origins[opening.origin].label
    context.report.add("warning", opening.opening.place, label, message, cure)


def _report_closed(context: LintContext, opening: PlacedOpening, blocker: int, free: float) -> None:
    origins = context.level.origins
    other = describe_origin(origins[blocker])
    rest = f"is closed by {other}"
    if free >= MIN_CLOSED_WIDTH:
        rest = f"is partly closed by {other}: {free:.3g} m of {opening.width:.3g} m stay open"
    cure = "move one of them, make an opening in both, or add `intended: [closed]`"
    if opening.room is not None and origins[blocker].kind == "room":
        own = opening.room
        rooms = [room for room in placed_rooms(context.level.faces) if room.origin == blocker]
        gaps = [gap for room in rooms if (room.at != own.at).any() and (gap := measure_gap(own, room)) is not None]
        gap = min(gaps, key=lambda found: abs(found.distance - found.least), default=None)
        if gap is not None and gap.shareable and any(room.shell.shared for room in (own, *rooms)):
            cure = _cure_of_shared(context, opening)
        elif gap is not None and gap.shareable:
            cure = "add `shared: true` to one of the rooms: one wall with the openings of both; or `intended: [closed]`"
        elif gap is not None:
            cure = (
                f"the inner faces of the rooms are {gap.distance:.3g} m apart: make it {gap.least:.3g} m, one wall, "
                "and add `shared: true` to one of them; or add `intended: [closed]`"
            )
    message = f"{describe_opening(opening)} {rest}"
    context.report.add("warning", opening.opening.place, origins[opening.origin].label, message, cure)


def _cure_of_shared(context: LintContext, opening: PlacedOpening) -> str:
    """Cure of an opening in a shared wall that meets a wall beyond it: the nearest place where it is open."""
    room = opening.room
    own = opening.opening
    assert room is not None
    scale = opening.width / (own.right - own.left)
    axis = 0 if own.wall in ("north", "south") else 2
    length = room.shell.high[axis] - room.shell.low[axis]
    taken = [other for other in room.shell.openings if other.wall == own.wall and other != own]
    limits = [0.0, length, *(edge for other in taken for edge in (other.left, other.right))]
    shifts: list[float] = []
    for other in placed_rooms(context.level.faces):
        if not (other.shell.shared or room.shell.shared) or (gap := measure_gap(room, other)) is None:
            continue
        corners = opening.flatten(other.to_world(np.array(list(product(*zip(*other.shell.hollow, strict=True))))))
        low, high = corners.min(axis=0), corners.max(axis=0)
        if not gap.shareable or low[2] < 0.0 or low[1] >= opening.height or high[1] <= 0.0:
            continue
        first, last = (float(end) / scale + own.left for end in (low[0], high[0]))  # as `left` and `right`
        edges = sorted({first, last, *(edge for edge in limits if first < edge < last)})
        for left, right in pairwise(edges):
            inside = left >= -1e-6 and right <= length + 1e-6
            free = not any(one.left < (left + right) / 2.0 < one.right for one in taken)
            if inside and free and right - left >= own.right - own.left - 1e-6:
                shifts.append(min(max(own.left, left), right - (own.right - own.left)) - own.left)
    if not shifts:
        return f"no part of the shared wall is wide enough: make the {own.kind} narrower, or add `intended: [closed]`"
    at = (own.left + own.right) / 2.0 + min(shifts, key=abs)
    return f"move the {own.kind} to `at: {round(at, 3):g}`, where no wall is beyond it, or add `intended: [closed]`"


def describe_opening(opening: PlacedOpening) -> str:
    """Its kind, number, wall and place, for messages."""
    return f"{opening.opening.describe()} at {describe_point(opening.centre)}"
