"""Measurements of a level's colliding faces that all geometry checks share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np

from ...core.vectors import Flags, Floats, Indices, Ints
from ...core.walker_settings import DEFAULT_SETTINGS, WalkerSettings
from ..build.entities.landmarks import RampFoot, StairsFoot
from ..build.entities.movers import MoverPath
from ..build.entities.player import describe_body
from ..build.entities.zones import LevelZone
from ..build.level_assembly import PieceOrigin, describe_origin
from ..build.pieces import CLOSED_KINDS, TERRAIN_KINDS
from ..build.shared_walls import instance_axes
from ..format.findings import FindingCollector, SourceSpan
from ..format.numbers import FACING_DEGREES
from ..geometry.column_grid import ColumnGrid
from ..geometry.faces import FaceArrays, rotate_about_y, unit_normals
from ..geometry.instance_transform import ParentLink, PlacedMarker
from ..geometry.quads import split_into_triangles
from ..geometry.unique_rows import number_unique_rows
from ..level import Level
from ..materials import AlphaMode
from .solids import Solids

Payload = TypeVar("Payload")
WALL_MAX_NORMAL_Y = 0.05  # a face with |normal.y| below this counts as a wall


class Subject(NamedTuple):
    """What a warning is about: its place in the file, its label, and the warnings that its author intends."""

    place: SourceSpan
    label: str
    intended: frozenset[str]


@dataclass(frozen=True, slots=True)
class _GroundHeights:
    """Highest walkable ground under P points: height (P,) in metres, -inf if there is none; face (P,) its index."""

    height: Floats
    face: Indices


FLIGHT_TIME, FLIGHT_STEP = 6.0, 0.05  # s of a flight from a pad that is followed
BOUNCE_HEIGHT = 10.0  # m above bouncing ground and zones of gravity that players come to
COPY_KINDS = ("place", "include")  # whose copies have a line of their own
PLAIN_KINDS = ("crack", "flicker", "flipped")  # whose cures do not name `intended`
LACK_KINDS = ("void", "floating", "afloat")  # warnings that something is missing below or behind a piece


class LintContext:
    """The colliding faces of a level with the measures that the checks need, and the warnings given so far.

    corners (M,4,3) in metres, normals (M,3), low and high (M,3) bounds; breadth (M,) is the area divided by the longest
    side; walkable, upright and terrain (M,) flags; kinds (M,) of the pieces; triangles (N,3,3) with face_of (N,), the
    face of each. Movers are at the stop where they begin, see `MoverPath.stops`. kill_height: of the level; -inf once
    `check_kill_height` has reported it.
    """

    def __init__(self, level: Level, report: FindingCollector) -> None:
        self.level = level
        self.report = report
        self.kill_height = level.kill_height
        self.body: WalkerSettings = level.player
        self.player = describe_body(self.body)  # for messages
        self.width_scale = min(1.0, self.body.radii[0] / DEFAULT_SETTINGS.radii[0])  # a small body has small passages
        self.height_scale = min(1.0, self.body.radii[1] / DEFAULT_SETTINGS.radii[1])
        collide = np.array([origin.collide for origin in level.origins], dtype=np.bool_)
        self.paths = [MoverPath(mover) for mover in level.movers]
        self.faces = self.at_stop(level.faces.select(collide[level.faces.origin]))
        self.corners = self.faces.corners
        self.kinds = np.array([origin.kind for origin in level.origins])[self.faces.origin]
        self.terrain: Flags = np.isin(self.kinds, TERRAIN_KINDS)
        self.normals = unit_normals(self.corners)
        self.low, self.high = self.corners.min(axis=1), self.corners.max(axis=1)
        area = np.linalg.norm(
            np.cross(self.corners[:, 2] - self.corners[:, 0], self.corners[:, 3] - self.corners[:, 1]), axis=1
        )
        longest = np.linalg.norm(np.roll(self.corners, -1, axis=1) - self.corners, axis=-1).max(axis=1)
        self.breadth: Floats = area / 2 / np.maximum(longest, 1e-9)
        self.walkable: Flags = self.normals[:, 1] >= np.cos(np.radians(self.body.max_slope))
        self.upright: Flags = np.abs(self.normals[:, 1]) < WALL_MAX_NORMAL_Y
        self.triangles, self.face_of = split_into_triangles(self.corners, self.faces.is_triangle)
        self.plan = ColumnGrid(self.triangles)
        # pieces with a finding that explains all others about their place
        self.misplaced = {k for k, origin in enumerate(level.origins) if "misplaced" in origin.reported_kinds}
        self.opaque: Flags = np.array(
            [one.pbr is None or one.pbr.alpha_mode is AlphaMode.OPAQUE for one in level.surfaces]
        )
        self.enclosed: set[tuple[ParentLink, ...]] = set()  # copies with a part that is inside a solid
        self._warned: set[tuple[str, int | SourceSpan]] = set()

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
    def solids(self) -> Solids:
        """The static solids that collide."""
        hidden = self.level.hidden_faces
        collide = np.array([origin.collide for origin in self.level.origins], dtype=np.bool_)
        hidden = hidden.select(collide[hidden.origin])
        return Solids(self.faces, hidden, self.plan, self.face_of, self.level.origins)

    def sight_solids(self, mover: int) -> Solids | None:
        """The opaque solids that hide what is behind them and that `solids` does not have; None where there are none.

        mover: 0 for static ones that do not collide; else the number of a mover, for all that it carries, at its place
        in the file.
        """
        level = self.level
        shows = np.array([origin.visible and (mover > 0 or not origin.collide) for origin in level.origins], np.bool_)

        def seen(faces: FaceArrays) -> FaceArrays:
            rows = shows[faces.origin] & self.opaque[faces.surface] & (faces.mover_numbers == mover)
            return replace(faces.select(rows), mover=None)

        faces = seen(level.faces)
        hidden = seen(level.hidden_faces)
        if not len(faces):
            return None
        triangles, face_of = split_into_triangles(faces.corners, faces.is_triangle)
        return Solids(faces, hidden, ColumnGrid(triangles), face_of, level.origins)

    @cached_property
    def ways(self) -> tuple[Floats, list[LevelZone | None]]:
        """Boxes (n,2,3) of the ways of movers and then of the zones that carry, and the zone of each."""
        zones = [zone for zone in self.level.all_zones if zone.facts.carries]
        boxes = [(path.world_low, path.world_high) for path in self.paths] + [zone_bounds(zone) for zone in zones]
        return np.array(boxes, np.float64).reshape(-1, 2, 3), [None] * len(self.paths) + zones

    @cached_property
    def carriers(self) -> tuple[Floats, Floats]:
        """Boxes (n,3) and (n,3) that bring players to another height, or let them fall. Movers first."""
        level = self.level
        boxes, zones = self.ways
        lifts = np.array([zone is not None and zone.acts_by("down") for zone in zones], np.float64)
        springs = np.array([surface.bounce > 0.0 for surface in level.surfaces])[self.faces.surface]
        low = np.concatenate([boxes[:, 0], self.low[springs]])
        high = np.concatenate([boxes[:, 1], self.high[springs]])
        high[:, 1] += BOUNCE_HEIGHT * np.append(lifts, np.ones(springs.sum()))
        arrivals = [zone.arrive for zone in level.all_zones if zone.arrive]
        falls = [np.array([spawn.feet for spawn in level.spawns] + arrivals)]
        times = np.arange(0.0, FLIGHT_TIME, FLIGHT_STEP)[:, None]
        gravity = np.array([0.0, -self.body.gravity / 2.0, 0.0]) * times**2
        launches = [(zone.centre, dict(zone.physics)["launch"]) for zone in level.all_zones if zone.acts_by("launch")]
        falls += [np.array(start) + np.array(velocity) * times + gravity for start, velocity in launches]
        return np.concatenate([low, *falls]), np.concatenate([high, *falls])

    def markers(self, *payloads: type[Payload]) -> Iterator[tuple[PlacedMarker, Payload]]:
        """Markers with a payload of these classes, and it, of pieces with faces that no mover carries."""
        for marker in self.level.faces.marks:
            if isinstance(marker.payload, payloads) and not marker.mover and marker.origin in self.static_origins:
                yield marker, marker.payload

    def has_carrier(self, low: Floats, high: Floats) -> bool:
        """Whether a box touches one of `carriers`."""
        return bool(((self.carriers[0] <= high) & (self.carriers[1] >= low)).all(axis=1).any())

    @cached_property
    def static_origins(self) -> frozenset[int]:
        """Indices of the pieces with faces that no mover carries."""
        return frozenset(np.unique(self.faces.origin[self.faces.mover_numbers == 0]).tolist())

    @cached_property
    def piece_bounds(self) -> tuple[Floats, Floats, Indices]:
        """Lowest and highest corner (K,3) of each copy of each piece, and the number (M,) of the copy of each face."""
        number = number_unique_rows(np.column_stack([self.faces.origin, self.faces.instance]).astype(np.int64))
        low = np.full((int(number.max(initial=-1)) + 1, 3), np.inf)
        high = -low
        np.minimum.at(low, number, self.low)
        np.maximum.at(high, number, self.high)
        return low, high, number

    def origin_of_face(self, face: int) -> PieceOrigin:
        return self.level.origins[int(self.faces.origin[face])]

    def warn_face(self, kind: str, face: int, message: str, cure: str, other: int | None = None) -> None:
        """Warn about the piece of a face, once for each kind, unless that piece or the piece of `other` intends it, or
        has a finding that explains this one.
        """
        about = {int(self.faces.origin[one]) for one in (face, other) if one is not None}
        missed = all("shared" in self.level.origins[index].reported_kinds for index in about)
        if about & self.misplaced or (len(about) > 1 and missed):
            return
        if other is None or kind not in self.origin_of_face(other).intended:
            if part := self.describe_part(int(self.faces.instance[face])):
                message += part.replace(" of ", " (in ", 1) + ")"
            self.warn_origin(kind, int(self.faces.origin[face]), message, cure)

    def warn_origin(self, kind: str, index: int, message: str, cure: str) -> None:
        """Warn about the piece with this index in `level.origins`, once for each kind, unless it intends it."""
        origin = self.level.origins[index]
        if kind not in origin.reported_kinds:
            self._warn_once(kind, index, subject_of(origin), message, cure)

    @property
    def has_lost_way(self) -> bool:
        """Whether something that leads up has a finding about where it leads: that explains what is cut off."""
        warned = {key for kind, key in self._warned if kind not in PLAIN_KINDS}
        flights = {one.origin for one in self.level.faces.marks if isinstance(one.payload, StairsFoot | RampFoot)}
        places = {mover.place for mover in self.level.movers}
        places |= {zone.place for zone in self.level.all_zones if zone.acts_by("climb") or zone.acts_by("launch")}
        ways = ((k, one) for k, one in enumerate(self.level.origins) if k in flights or one.place in places)
        return any(one.reported_kinds - one.intended or k in warned or one.place in warned for k, one in ways)

    def has_warned(self, kind: str, index: int) -> bool:
        """Whether there is a warning of this kind about the piece with this index in `level.origins`."""
        return (kind, index) in self._warned

    def warn(self, kind: str, subject: Subject, message: str, cure: str, hint: bool = True) -> None:
        """Warn about something without faces, once for its copies, unless it intends this kind of warning.

        hint: the cure goes on with the words of `intended`, if it has none.
        """
        self._warn_once(kind, subject.place, subject, message, cure, hint)

    def _warn_once(
        self, kind: str, key: int | SourceSpan, subject: Subject, message: str, cure: str, hint: bool = True
    ) -> None:
        if kind in subject.intended or (kind, key) in self._warned:
            return
        self._warned.add((kind, key))
        if hint and kind not in PLAIN_KINDS and "`intended: " not in cure:
            cure += f", or add `intended: [{kind}]`"
        if kind in LACK_KINDS:
            self.report.warn_of_lack(subject.place, subject.label, message, cure)
        else:
            self.report.add("warning", subject.place, subject.label, message, cure)

    def by_file_order(self, first: int, second: int) -> tuple[int, int]:
        """Two faces in the order in which their pieces stand in the file."""
        earlier, later = sorted((first, second), key=lambda face: int(self.faces.origin[face]))
        return earlier, later

    def directions(self, marker: PlacedMarker) -> Floats:
        """The vectors (3,3) in the world of the marker's own right, up and back, with the scale of its groups."""
        turned = rotate_about_y(np.eye(3), marker.facing)
        vectors: Floats = turned @ instance_axes(self.level.faces.instances[marker.instance].frame).T
        return vectors

    def describe_face(self, face: int) -> str:
        """The piece of a face in words, with the place where the level uses the prefab or the part that it is in."""
        return describe_origin(self.origin_of_face(face)) + self.describe_part(int(self.faces.instance[face]))

    def describe_solid(self, index: int, point: Floats) -> str:
        """The piece with this index in words, with the place that uses its copy around or next to a point (3,)."""
        rows = np.nonzero(self.faces.origin == index)[0]
        if not len(rows):
            return describe_origin(self.level.origins[index])
        apart = np.abs(np.clip(point, self.low[rows], self.high[rows]) - point).max(axis=1)
        return self.describe_face(int(rows[np.argmin(apart)]))

    def describe_part(self, instance: int) -> str:
        """The place where the level uses the prefab or part that an instance is in, in words; '' if there is none."""
        within = self.level.faces.instances[instance].within
        copies = [one for one in within if one[0] in COPY_KINDS and not one[1].file]
        return f" of the `{copies[0][0]}` at line {copies[0][1].line}" if copies else ""

    def is_solid_from_inside(self, face: int) -> bool:
        """True if a face above a point is the top of a solid around it, and not the back of an open sheet."""
        return bool(self.normals[face, 1] > 0.0) and self.origin_of_face(face).kind in CLOSED_KINDS

    def ground_below(
        self, points: Floats, low: Floats, high: Floats, breadth: float = 0.0, static: bool = False
    ) -> _GroundHeights:
        """Highest walkable [static] ground at points (P,2) from heights low to high (P,), broader than `breadth`."""
        point, triangle, height = self.plan.faces_at(points)
        face = self.face_of[triangle]
        fits = self.walkable[face] & (self.breadth[face] > breadth) & (height >= low[point]) & (height <= high[point])
        fits &= (self.faces.mover_numbers[face] == 0) | (not static)
        return _GroundHeights(*self._last(len(points), (point[fits], face[fits], height[fits]), -np.inf))

    def ceiling_above(
        self, points: Floats, heights: Floats, margin: float, static: bool = False
    ) -> tuple[Floats, Indices]:
        """Height and face (P,) of the lowest [static] face over `margin` above heights (P,) at points (P,2), or inf."""
        point, triangle, height = self.plan.faces_at(points)
        fits = height > heights[point] + margin
        fits &= (self.faces.mover_numbers[self.face_of[triangle]] == 0) | (not static)
        return self._last(len(points), (point[fits], self.face_of[triangle[fits]], height[fits]), np.inf)

    @staticmethod
    def _last(count: int, found: tuple[Indices, Ints, Floats], none: float) -> tuple[Floats, Indices]:
        """Height and face (P,) furthest from `none` of those found at P points; `none` and -1 where there are none."""
        point, face, height = found
        heights, faces = np.full(count, none), np.full(count, -1, np.int64)
        order = np.argsort(-height if none > 0.0 else height, kind="stable")
        heights[point[order]], faces[point[order]] = height[order], face[order]
        return heights, faces


def subject_of(origin: PieceOrigin) -> Subject:
    return Subject(origin.place, origin.label, origin.intended)


def zone_bounds(zone: LevelZone) -> tuple[Floats, Floats]:
    """Lowest and highest corner (3,) of the box of the world around a zone."""
    corners = zone.edges.reshape(-1, 3)
    return corners.min(axis=0), corners.max(axis=0)


def describe_facing(degrees: float) -> str:
    """A value of `facing`: a word, or degrees."""
    degrees %= 360.0
    return next((name for name, angle in FACING_DEGREES.items() if abs(angle - degrees) < 1e-6), f"{degrees:.4g}")


def describe_point(point: Sequence[float] | Floats, brackets: str = "()") -> str:
    """A place in a message, such as `(0, 1.5, -8)`, or in a level file, `[0, 1.5, -8]`, to the centimetre."""
    x, y, z = np.round(np.array(point, np.float64), 2) + 0.0
    return f"{brackets[0]}{x:g}, {y:g}, {z:g}{brackets[1]}"
