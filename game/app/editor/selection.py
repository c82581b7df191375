"""Selection of pieces and the groups around them, by their source locations, and of handles, which are picked where
there are no faces.

Every entity without faces has a handle: lights, targets, signs, zones, balls, movers, spawns, goal, exits. So have the
parts of pieces that are points: the stops of a mover's path, where a teleport or a pad leads to, the cups of a terrain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from ...core.vectors import Flags, Floats, Vector, to_point
from ...level.build.entities.movers import MoverSpec
from ...level.build.entities.zones import ZoneSpec
from ...level.edit import DocumentEntry, YamlDocument
from ...level.format.findings import SourceSpan
from ...level.format.level_file import PLACES
from ...level.geometry.faces import LampSpec, SignBoard, TargetSpec
from ...level.geometry.instance_transform import Matrix, ParentLink, PieceInstance, PlacedMarker

if TYPE_CHECKING:
    from ...level import Level
    from ...level.build.entities.zones import LevelZone

BODY_MIDDLE = 0.9  # m above the feet: the handle of a spawn
MOVER_CLEARANCE = 0.7  # m above the origin of a mover, where its first stop usually is
SIGN_CLEARANCE = 0.12  # m above the board of a sign, whose text the handle would cover
GROUND_CLEARANCE = 0.3  # m above a point on the ground, so that the floor does not cover its handle
ORIGIN = (0.0, 0.0, 0.0)
KINDS_SHARING_HANDLE = frozenset(("ball",))  # several markers of one piece have one handle
UNSEEN_MARKERS = ("terrain", "room", "wall", "stairs")  # of pieces with faces, which are picked instead


@dataclass(frozen=True, slots=True)
class Selection:
    """Selected link of a chain.

    links   groups around the piece, the outermost first, then the piece itself
    depth   index of the selected link
    name    label of the piece
    part    field and index of a point of the piece: a stop of a path, where a teleport leads to; None for the piece
    """

    links: tuple[ParentLink, ...]
    depth: int
    instance: PieceInstance
    name: str
    part: tuple[str, int] | None = None

    @property
    def kind(self) -> str:
        return self.links[self.depth][0]

    @property
    def source_place(self) -> SourceSpan:
        return self.links[self.depth][1]

    @property
    def label(self) -> str:
        return self.name if self.depth == len(self.links) - 1 else self.kind

    @property
    def containers(self) -> tuple[ParentLink, ...]:
        """What it is in, the outermost first."""
        return self.links[: self.depth]

    @property
    def enclosing_labels(self) -> str:
        """Enclosing groups, the innermost first."""
        return ", ".join(f"{kind} at line {place.line}" for kind, place in reversed(self.containers))

    @property
    def local_to_world(self) -> Matrix:
        """Matrix (4, 4 or 3, 4) from the axes of its numbers to the world."""
        is_piece = self.depth == len(self.instance.within)
        return self.instance.frame if is_piece else self.instance.ancestor(self.depth).frame

    def file(self, level: Level) -> Path:
        return Path(self.source_place.file) if self.source_place.file else level.path

    def find_entry(self, document: YamlDocument) -> DocumentEntry:
        """Its entry in the document of its file. EditRefused if there is none at its place."""
        find = document.find_record if self.kind in PLACES else document.find_piece
        return find(self.source_place.line, self.source_place.column)

    def parent(self) -> Selection | None:
        """Selection of the piece of a part, else of the enclosing group; None at the top level."""
        if self.part is not None:
            return replace(self, part=None, name=self.name.partition(": ")[0])
        return replace(self, depth=self.depth - 1) if self.depth > 0 else None

    def child(self) -> Selection | None:
        return replace(self, depth=self.depth + 1) if self.depth + 1 < len(self.links) else None

    def found_at(self, document: YamlDocument, entry: DocumentEntry) -> Selection:
        """The same piece after an edit, which may have moved it in the text, or its copy at another place."""
        before, place = self.source_place, entry_place(document, entry, self.source_place.file)
        if (place.line, place.column, entry.kind) == (before.line, before.column, self.kind):
            return self
        is_piece = self.depth == len(self.instance.within)
        instance = self.instance if is_piece else self.instance.ancestor(self.depth)
        return Selection((*self.containers, (entry.kind, place)), self.depth, instance, entry.kind)


def select_quad(level: Level, quad: int) -> Selection:
    """Instance of the piece that a face belongs to."""
    return select_origin(level, int(level.faces.origin[quad]), int(level.faces.instance[quad]))


def select_origin(level: Level, origin: int, instance: int) -> Selection:
    """Selection of a piece by its index and that of its instance."""
    piece = level.origins[origin]
    piece_instance = level.faces.instances[instance]
    own = (piece.kind, piece.place)
    links = piece_instance.within  # a mover is in it already
    links = links[: links.index(own) + 1] if own in links else (*links, own)
    return Selection(links, len(links) - 1, piece_instance, piece.label)


def select_top_level(kind: str, place: SourceSpan, label: str) -> Selection:
    """A piece of the level's own list, or a spawn, goal or exit."""
    return Selection(((kind, replace(place, length=len(kind))),), 0, PieceInstance(), label)


def every_link(level: Level) -> Iterator[Selection]:
    """Every piece of the level that has faces or a marker, and every group around it, from the outermost."""
    faces = level.faces
    used = {(int(o), int(i)) for o, i in np.unique(np.stack((faces.origin, faces.instance)), axis=1).T}
    used |= {(mark.origin, mark.instance) for mark in faces.marks}
    for origin, instance in sorted(used):
        piece = select_origin(level, origin, instance)
        yield from (replace(piece, depth=depth) for depth in range(len(piece.links)))


def entry_place(document: YamlDocument, entry: DocumentEntry, file: str = "") -> SourceSpan:
    """Where the kind of an entry stands. file: of the document, "" for the level's own."""
    start = entry.span[0]
    before = document.text[:start].removeprefix("\ufeff")
    column = len(before) - max(before.rfind("\n"), before.rfind("\r"))
    return SourceSpan(document.line_of(start), column, len(entry.kind), file)


def selected_faces(level: Level, selection: Selection) -> tuple[Flags, Flags]:
    """Masks of the level's faces: those of the selected copy, and those of the others. Copies of an array that are not
    rotated count as one."""
    faces = level.faces
    every_copy = np.zeros(len(faces), np.bool_)
    if selection.part is not None:
        return every_copy, every_copy
    wanted = selection.source_place
    is_wanted = np.array([origin.place == wanted for origin in level.origins], np.bool_)
    same = np.zeros(len(faces.instances), np.bool_)
    inside = np.zeros(len(faces.instances), np.bool_)
    for index, instance in enumerate(faces.instances):
        depth = next((n for n, (_, place) in enumerate(instance.within) if place == wanted), len(instance.within))
        inside[index] = depth < len(instance.within)
        frame = instance.ancestor(depth).frame if inside[index] else instance.frame
        same[index] = instance.within[:depth] == selection.containers and is_same_frame(frame, selection)
    every_copy = inside[faces.instance]
    if len(is_wanted):
        every_copy |= is_wanted[faces.origin]
    selected = every_copy & same[faces.instance]
    return (selected, every_copy & ~selected) if selected.any() else (every_copy, selected)


def is_same_frame(frame: Matrix, selection: Selection) -> bool:
    return max(abs(x - y) for x, y in zip(frame, selection.local_to_world, strict=True)) < 1e-6


# Handles


@dataclass(frozen=True, slots=True)
class Handle:
    """A point that is picked and dragged.

    kind         of the entity, or "stop", "arrive", "landing", "cup" for a part of a piece
    label        for the user
    at           where it is drawn (m, world, with movers at home)
    selection    what a click selects
    radius       of the sphere that is drawn, m; 0 for none
    zone         box that is drawn; None for none
    heading      direction that is drawn as an arrow, 65536 to the turn; None for none
    path         points (m, world) of a mover's way, in order
    """

    kind: str
    label: str
    at: Vector
    selection: Selection
    radius: float = 0.0
    zone: LevelZone | None = None
    heading: int | None = None
    path: tuple[Vector, ...] = ()


_handles: WeakKeyDictionary[Level, tuple[Handle, ...]] = WeakKeyDictionary()


def level_handles(level: Level) -> tuple[Handle, ...]:
    if level not in _handles:
        _handles[level] = (*_record_handles(level), *_marker_handles(level))
    return _handles[level]


def _every_selection(level: Level) -> Iterator[Selection]:
    """Everything that can be selected: pieces, groups, and what has a handle."""
    yield from every_link(level)
    yield from (handle.selection for handle in level_handles(level))


def find_at(level: Level, file: str, line: int, column: int = 0) -> Selection | None:
    """First copy of the piece or group at a place of a file; without a column of the first one on the line."""
    for one in _every_selection(level):
        place = one.source_place
        if (place.file, place.line) == (file, line) and column in (0, place.column):
            return one
    return None


def find_selection(level: Level, selection: Selection) -> Selection | None:
    """The selection in a reloaded level, with its part while there is one; None if it is gone."""
    wanted = selection.links[selection.depth]
    return max(
        (one for one in _every_selection(level) if one.links[one.depth] == wanted),
        key=lambda one: (
            one.part == selection.part,
            one.part is None,
            one.containers == selection.containers,
            is_same_frame(one.local_to_world, selection),
            one.links[-1] == selection.links[-1],
        ),
        default=None,
    )


def selected_handles(level: Level, selection: Selection) -> list[Handle]:
    """Handles of a selection: of the piece and all that is in it, or of the part alone."""
    place = selection.source_place
    if selection.part is not None:
        return [
            handle
            for handle in level_handles(level)
            if handle.selection.source_place == place and handle.selection.part == selection.part
        ]
    return [handle for handle in level_handles(level) if any(place == link for _, link in handle.selection.links)]


def handle_positions(level: Level, selection: Selection) -> list[Vector]:
    """Positions (m) of the handles of a selection, without the parts of a selected piece."""
    own = selected_handles(level, selection)
    return [handle.at for handle in own if handle.selection.part is None or selection.part is not None]


def handle_corners(level: Level, selection: Selection) -> Floats:
    """Points (n, 3) that a selection without faces covers: corners of its zones, and its other handles, m."""
    own = [one for one in selected_handles(level, selection) if one.selection.part == selection.part]
    points = [np.array([one.at]) if one.zone is None else one.zone.edges.reshape(-1, 3) for one in own]
    return np.concatenate([np.zeros((0, 3)), *points])


def home_poses(level: Level) -> Floats:
    """Poses (K, 3, 4) of the movers at home: where the editor shows them, as the file has them."""
    poses = np.zeros((len(level.movers), 3, 4))
    poses[:, :, :3] = np.eye(3)
    poses[:, :, 3] = [mover.at for mover in level.movers] if level.movers else np.zeros((0, 3))
    return poses


def _record_handles(level: Level) -> Iterator[Handle]:
    for spawn in level.spawns:
        chosen = select_top_level("spawn", spawn.place, f'spawn "{spawn.name}"')
        yield Handle("spawn", chosen.label, _above(spawn.feet, BODY_MIDDLE), chosen, heading=spawn.heading)
    if level.goal is not None:
        chosen = select_top_level("goal", level.goal.place, "goal")
        yield Handle("goal", "goal", _above(level.goal.at, GROUND_CLEARANCE), chosen, level.goal.radius)
    for exit_ in level.exits:
        chosen = select_top_level("exit", exit_.place, f'exit "{exit_.name}"')
        yield Handle("exit", chosen.label, _above(exit_.at, GROUND_CLEARANCE), chosen, exit_.radius)


def _marker_handles(level: Level) -> Iterator[Handle]:
    zones = iter(level.all_zones)
    shared = set()
    cups = Counter[tuple[int, int]]()
    for marker in level.faces.marks:
        key = (marker.origin, marker.instance)
        if marker.kind in UNSEEN_MARKERS or (marker.kind in KINDS_SHARING_HANDLE and key in shared):
            continue
        shared.add(key)
        chosen = select_origin(level, marker.origin, marker.instance)
        if marker.kind == "cup":
            part = replace(chosen, part=("cups", cups[key]), name=f"{chosen.name}: cup {cups[key] + 1}")
            cups[key] += 1
            yield Handle("cup", part.label, _above(marker.at, GROUND_CLEARANCE), part)
        elif marker.kind == "mover":
            yield from _mover_handles(level, marker, chosen)
        elif isinstance(marker.payload, ZoneSpec):
            yield from _zone_handles(marker.at, next(zones), chosen)
        else:
            instance = level.faces.instances[marker.instance]
            size = instance.size
            at = marker.at
            if isinstance(marker.payload, SignBoard):
                at = _above(at, marker.payload.height / 2.0 * instance.frame[2] + SIGN_CLEARANCE)
            radius = marker.payload.radius * size if isinstance(marker.payload, TargetSpec) else 0.0
            if isinstance(marker.payload, LampSpec):
                radius = marker.payload.reach * size
            yield Handle(marker.kind, chosen.label, at, chosen, radius)


def _mover_handles(level: Level, marker: PlacedMarker, chosen: Selection) -> Iterator[Handle]:
    motion = marker.payload
    assert isinstance(motion, MoverSpec)
    instance = level.faces.instances[marker.instance]
    stops = [to_point(np.add(marker.at, instance.transform_vector(stop))) for stop in motion.path or (ORIGIN,)]
    yield Handle("mover", chosen.name, _above(marker.at, MOVER_CLEARANCE), chosen, path=tuple(stops))
    for number, stop in enumerate(stops):
        part = replace(chosen, part=("path", number), name=f"{chosen.name}: stop {number + 1}")
        yield Handle("stop", part.name, stop, part, path=tuple(stops))


def _zone_handles(at: Vector, zone: LevelZone, chosen: Selection) -> Iterator[Handle]:
    yield Handle("zone", chosen.label, at, chosen, zone=zone)
    if zone.arrive is not None:
        part = replace(chosen, part=("arrive", 0), name=f"{chosen.name}: where it leads to")
        yield Handle("arrive", part.name, _above(zone.arrive, GROUND_CLEARANCE), part, heading=zone.look)
    elif zone.landing is not None:
        part = replace(chosen, part=("to", 0), name=f"{chosen.name}: landing point")
        yield Handle("landing", part.name, _above(zone.landing, GROUND_CLEARANCE), part)


def _above(point: Vector, height: float) -> Vector:
    return point[0], point[1] + height, point[2]
