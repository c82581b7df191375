"""Context of the checks: the colliding faces of a level, the solids that they bound, and the findings so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...core.vectors import Flags, Floats, Indices, Ints
from ..build.entities.movers import MoverPath
from ..build.entities.player import describe_body
from ..build.entities.zones import LevelZone, RunRole, ZoneSpec
from ..build.level_assembly import PieceOrigin, describe_origin
from ..build.pieces import NATURAL_KINDS, POLYGON_KINDS
from ..build.pieces.model import Model
from ..build.pieces.zones import LADDER_REACH, LADDER_SINK, LADDER_TOP_CLEARANCE
from ..build.shared_walls import instance_axes
from ..format.findings import FindingCollector, SourceSpan
from ..format.plain_values import format_number
from ..geometry.column_grid import ColumnGrid
from ..geometry.faces import FaceArrays, rotate_about_y, unit_normals
from ..geometry.instance_transform import PlacedMarker
from ..geometry.overlapping_pairs import find_overlapping_pairs
from ..geometry.quads import split_into_triangles
from ..geometry.unique_rows import connected, number_unique_rows
from ..level import Level

COPY_KINDS = ("place", "include")  # whose copies have a line of their own
OPEN_KINDS = (*POLYGON_KINDS, Model.kind)  # need not be closed
PLAIN_KINDS = ("flicker", "flipped")  # whose cures do not name `intended`
LACK_KINDS = ("void", "floating", "afloat", "unreached")  # that something is missing, which may have been left out
CLIMBER = 0.35  # m from the rungs of a ladder to the body that climbs it
UP = np.array([0.0, 1.0, 0.0])
NUDGE = np.array([3.1e-5, 0.0, 1.7e-5])  # m: keeps points off the edges of faces


class Rank(IntEnum):
    """Order in which findings explain each other: one is not given if its place lies in the box of an earlier one."""

    OVERLAP = 0  # two pieces in one place
    BURIED = 1
    IN_THE_AIR = 2
    BLOCKED = 3
    PASSAGE = 4
    PLACE = 5
    LOOK = 6  # what one sees, and does not touch


class Subject(NamedTuple):
    """What a finding is about: its place in the file, its label, and the warnings that its author intends."""

    place: SourceSpan
    label: str
    intended: frozenset[str] = frozenset()
    reported: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Problem:
    """A finding before the rule of silence. kind: its word of `intended`. low, high (3,): the box that it explains, m.

    at (3,): its own place, m; None for one that is given in any case.
    """

    rank: Rank
    kind: str
    subject: Subject
    message: str
    cure: str
    at: Floats | None
    low: Floats
    high: Floats


@dataclass(frozen=True, eq=False)
class PlacedLadder:
    """One copy of a ladder. foot (3,): of its rails, m. axes (3,3): its right, up and back. height, half_width: m.

    climber (3,): where one climbs, above the foot.
    """

    origin: int
    foot: Floats
    climber: Floats
    axes: Floats
    height: float
    half_width: float


@dataclass
class Context:
    """The colliding faces of a level with the measures that the checks need, and the problems that they found.

    faces: movers are at the stop where they begin. corners (M,4,3), m; normals (M,3); low, high (M,3): their bounds;
    walkable (M,): not too steep for the player; static (M,): no mover carries them; kinds (M,): of the pieces;
    triangles (N,3,3) with face_of (N,). paths: of the movers.
    """

    level: Level
    report: FindingCollector
    problems: list[Problem] = field(default_factory=list)

    def __post_init__(self) -> None:
        level = self.level
        self.body = level.player
        self.player = describe_body(self.body)
        self.origins = level.origins
        collide = np.array([origin.collide for origin in level.origins], np.bool_)
        self.paths = [MoverPath(mover) for mover in level.movers]
        self.faces = self.at_stop(level.faces.select(collide[level.faces.origin]))
        self.corners = self.faces.corners
        self.kinds = np.array([origin.kind for origin in level.origins])[self.faces.origin]
        self.normals = unit_normals(self.corners)
        self.low, self.high = self.corners.min(axis=1), self.corners.max(axis=1)
        self.walkable: Flags = self.normals[:, 1] >= np.cos(np.radians(self.body.max_slope))
        self.static: Flags = self.faces.mover_numbers == 0
        self.triangles, self.face_of = split_into_triangles(self.corners, self.faces.is_triangle)
        self.plan = ColumnGrid(self.triangles)
        hidden = level.hidden_faces
        self.solids = Solids(self.faces, hidden.select(collide[hidden.origin]), self.plan, self.face_of, self.origins)

    @cached_property
    def ladders(self) -> list[PlacedLadder]:
        """All copies of ladders that no mover carries."""
        found = []
        for marker in self.level.faces.marks:
            zone = marker.payload
            if isinstance(zone, ZoneSpec) and zone.acts_by("climb") and not marker.mover:
                axes = self.directions(marker)
                foot = np.array(marker.at) + np.array([0.0, LADDER_SINK - zone.half[1], -LADDER_REACH / 2.0]) @ axes
                height = 2.0 * zone.half[1] - LADDER_SINK - LADDER_TOP_CLEARANCE
                apart = CLIMBER, LADDER_REACH - self.body.radii[0]  # at the rungs, or before a wall there
                climbers = foot + np.array([(0.0, 0.0, one) for one in apart]) @ axes
                inside = self.solids.pieces_around(climbers + height / 2.0 * UP) >= 0
                climber = climbers[int(inside[0])]
                found.append(PlacedLadder(marker.origin, foot, climber, axes, height, zone.half[0]))
        return found

    def ladder_top(self, ladder: PlacedLadder) -> float:
        """Height to which a body climbs: the top of the ladder, or what closes the way up below it, m."""
        climber = ladder.climber + np.array([(x, 0.0, 0.0) for x in (-0.15, 0.0, 0.15)]) @ ladder.axes
        start = np.full(3, ladder.foot[1] + 0.3)
        roof, _ = self.ceiling_above(climber[:, ::2], start)
        return float(min(ladder.foot[1] + ladder.height * ladder.axes[1, 1], roof.max() - 1.0))

    def at_stop(self, faces: FaceArrays, number: int = 0) -> FaceArrays:
        """The faces with each mover at one of its stops; movers without that stop are at their first."""
        if not self.paths:
            return faces
        corners = faces.corners.copy()
        for mover, path in enumerate(self.paths, start=1):
            rows = faces.mover_numbers == mover
            rotations, positions = path.stops()
            stop = number if number < len(positions) else 0
            corners[rows] = (corners[rows] - path.home) @ rotations[stop].T + positions[stop]
        return replace(faces, corners=corners)

    @cached_property
    def copies(self) -> tuple[Floats, Floats, Indices]:
        """Lowest and highest corner (K,3) of each copy of each piece, and the number (M,) of the copy of each face.

        The copies of an array are told apart where they do not touch each other.
        """
        number = number_unique_rows(np.column_stack([self.faces.origin, self.faces.instance]).astype(np.int64))
        apart = np.nonzero(~np.isin(self.kinds, NATURAL_KINDS))[0]
        i, j = find_overlapping_pairs(self.low[apart] - 1e-3, self.high[apart] + 1e-3, number[apart])
        part = connected(len(apart), i, j)
        number = number * (len(number) + 1)
        number[apart] += 1 + part
        number = number_unique_rows(number[:, None])
        low = np.full((int(number.max(initial=-1)) + 1, 3), np.inf)
        high = -low
        np.minimum.at(low, number, self.low)
        np.maximum.at(high, number, self.high)
        return low, high, number

    @cached_property
    def kill_boxes(self) -> list[LevelZone]:
        return [zone for zone in self.level.all_zones if zone.facts.role is RunRole.KILL and zone.mover < 0]

    def origin_at(self, place: SourceSpan) -> int:
        """Index of the piece at a place of the file."""
        return next(index for index, origin in enumerate(self.origins) if origin.place == place)

    def add(
        self,
        rank: Rank,
        kind: str,
        subject: Subject | int,
        message: str,
        cure: str,
        at: Floats | Sequence[float] | None = None,
        box: tuple[Floats, Floats] | None = None,
        others: Iterable[int] = (),
    ) -> None:
        """Note a problem of a subject or of the piece with this index. others: indices of pieces that may intend it."""
        if isinstance(subject, int):
            subject = subject_of(self.origins[subject])
        intended = subject.intended.union(*(self.origins[index].intended for index in others))
        if kind in intended:
            return
        point = None if at is None else np.asarray(at, np.float64)
        low, high = box if box is not None else (point, point) if point is not None else (np.full(3, np.nan),) * 2
        self.problems.append(Problem(rank, kind, subject, message, cure, point, low, high))

    def give(self) -> None:
        """Report the problems by rank: each kind once for a subject, and none in the box of an earlier one."""
        earlier: list[Problem] = []
        seen: set[tuple[str, SourceSpan]] = set()
        for problem in sorted(self.problems, key=lambda one: one.rank):
            key, at = (problem.kind, problem.subject.place), problem.at
            explained = at is not None and any((one.low <= at).all() and (at <= one.high).all() for one in earlier)
            earlier.append(problem)  # what one that is not given explains is explained, too
            if key in seen or explained or problem.kind in problem.subject.reported:
                continue
            seen.add(key)
            cure = problem.cure
            if problem.kind and problem.kind not in PLAIN_KINDS:
                cure += f", or add `intended: [{problem.kind}]`"
            warn = self.report.warn_of_lack if problem.kind in LACK_KINDS else self._warn
            warn(problem.subject.place, problem.subject.label, problem.message, cure)

    def _warn(self, place: SourceSpan, label: str, message: str, cure: str) -> None:
        self.report.add("warning", place, label, message, cure)

    def directions(self, marker: PlacedMarker) -> Floats:
        """The vectors (3,3) in the world of the marker's own right, up and back, with the scale of its groups."""
        turned = rotate_about_y(np.eye(3), marker.facing)
        vectors: Floats = turned @ instance_axes(self.level.faces.instances[marker.instance].frame).T
        return vectors

    def describe(self, face: int) -> str:
        """The piece of a face in words, with the line of the prefab or part that this copy is in."""
        instance = self.level.faces.instances[int(self.faces.instance[face])]
        copies = [one for one in instance.within if one[0] in COPY_KINDS and not one[1].file]
        words = describe_origin(self.origins[int(self.faces.origin[face])])
        return words + (f" of the `{copies[0][0]}` at line {copies[0][1].line}" if copies else "")

    def describe_ground(self, face: int) -> str:
        """As `describe`, for a face on which one stands: the roof of a room is told from its floor."""
        own = (self.faces.origin == self.faces.origin[face]) & (self.faces.instance == self.faces.instance[face])
        is_roof = self.kinds[face] == "room" and self.high[face, 1] > self.high[own, 1].max() - 1e-3
        return ("the roof of " if is_roof else "") + self.describe(face)

    def describe_solid(self, index: int, point: Floats) -> str:
        """As `describe`, for the copy of the piece with this index that is nearest to a point (3,)."""
        rows = np.nonzero(self.faces.origin == index)[0]
        if not len(rows):
            return describe_origin(self.origins[index])
        apart = np.abs(np.clip(point, self.low[rows], self.high[rows]) - point).max(axis=1)
        return self.describe(int(rows[np.argmin(apart)]))

    def ground_below(self, points: Floats, heights: Floats, static: bool = False) -> tuple[Floats, Indices]:
        """Height (P,) and face of the highest walkable [static] ground at points (P,2) up to heights (P,), or -inf."""
        point, triangle, height = self.plan.faces_at(points)
        face = self.face_of[triangle]
        fits = self.walkable[face] & (height <= heights[point]) & (self.static[face] | (not static))
        return _last(len(points), point[fits], face[fits], height[fits], -np.inf)

    def ceiling_above(self, points: Floats, heights: Floats, margin: float = 0.02) -> tuple[Floats, Indices]:
        """Height (P,) and face of the lowest static face over `margin` above heights (P,) at points (P,2), or inf."""
        point, triangle, height = self.plan.faces_at(points)
        face = self.face_of[triangle]
        fits = self.static[face] & (height > heights[point] + margin)
        return _last(len(points), point[fits], face[fits], height[fits], np.inf)


def _last(count: int, point: Indices, face: Ints, height: Floats, none: float) -> tuple[Floats, Indices]:
    """Height and face (P,) furthest from `none` of those found at P points; `none` and -1 where there are none."""
    heights, faces = np.full(count, none), np.full(count, -1, np.int64)
    order = np.argsort(-height if none > 0.0 else height, kind="stable")
    heights[point[order]], faces[point[order]] = height[order], face[order]
    return heights, faces


class Solids:
    """Static solids of a level. A piece is around a point if more of its faces above the point face up than down.

    plan: grid of the triangles of the faces, and face_of (N,) of each. hidden: bases that were removed, because they
    lie on a floor. Faces that a mover carries do not count.
    """

    def __init__(
        self, faces: FaceArrays, hidden: FaceArrays, plan: ColumnGrid, face_of: Ints, origins: Sequence[PieceOrigin]
    ) -> None:
        self._origin = faces.origin.astype(np.int64)
        self._plan = plan
        self._face_of = face_of
        self._side = np.sign(unit_normals(faces.corners)[:, 1])
        hidden = hidden.select(unit_normals(hidden.corners)[:, 1] < 0.0)
        triangles, self._base_of = split_into_triangles(hidden.corners, hidden.is_triangle)
        self._base_origin = hidden.origin.astype(np.int64)
        self._bases = ColumnGrid(triangles)
        closed = np.zeros(len(origins), np.bool_)
        closed[np.concatenate([self._origin[self._side < 0.0], self._base_origin])] = True  # a sheet has no underside
        closed &= np.array([origin.kind not in OPEN_KINDS for origin in origins], np.bool_)
        room_floor = faces.rests & (self._side > 0.0)
        self._counted = closed[self._origin] & ~room_floor & (faces.mover_numbers == 0)

    def pieces_around(self, points: Floats) -> Indices:
        """(P,): index of a piece whose solid contains each point (P,3), -1 where there is none."""
        points = points + NUDGE
        point, triangle, height = self._plan.faces_at(points[:, ::2])
        face = self._face_of[triangle]
        above = (height > points[point, 1]) & self._counted[face]
        pairs = np.unique(np.column_stack([point[above], face[above]]), axis=0)  # two triangles of a face are one
        owner = pairs[:, 0]
        origin = self._origin[pairs[:, 1]]
        side = self._side[pairs[:, 1]]
        point, triangle, height = self._bases.faces_at(points[:, ::2])
        above = height > points[point, 1]
        pairs = np.unique(np.column_stack([point[above], self._base_of[triangle[above]]]), axis=0)
        owner = np.concatenate([owner, pairs[:, 0]])
        origin = np.concatenate([origin, self._base_origin[pairs[:, 1]]])
        side = np.concatenate([side, -np.ones(len(pairs))])
        found = np.full(len(points), -1, np.int64)
        keys, which = np.unique(np.column_stack([owner, origin]), axis=0, return_inverse=True)
        around = keys[np.bincount(which.reshape(-1), side, len(keys)) > 0.5]
        found[around[:, 0]] = around[:, 1]
        return found


def subject_of(origin: PieceOrigin) -> Subject:
    return Subject(origin.place, origin.label, origin.intended, origin.reported_kinds)


def zone_bounds(zone: LevelZone) -> tuple[Floats, Floats]:
    """Lowest and highest corner (3,) of the box of the world around a zone."""
    corners = zone.edges.reshape(-1, 3)
    return corners.min(axis=0), corners.max(axis=0)


def describe_point(point: Sequence[float] | Floats) -> str:
    """A place in a message, `(0, 1.5, -8)`, to the centimetre."""
    x, y, z = np.round(np.array(point, np.float64), 2) + 0.0
    return f"({x:g}, {y:g}, {z:g})"


def metres(length: float) -> str:
    return f"{format_number(length, 2 if abs(length) >= 0.1 else 3)} m"
