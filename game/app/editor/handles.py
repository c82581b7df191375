"""Handles: points of a level that are picked in place of faces.

Every entity without faces has one: lights, targets, signs, zones, balls, movers, spawns, goal, exits. So have the parts
of pieces that are points: the stops of a mover's path, where a teleport or a pad leads to, the cups of a terrain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from ...core.vectors import Floats, Vector, to_point
from ...level.build.entities.movers import MoverSpec
from ...level.build.entities.zones import ZoneSpec
from ...level.format.findings import SourceSpan
from ...level.geometry.faces import LampSpec, SignBoard, TargetSpec
from ...level.geometry.instance_transform import PieceInstance, PlacedMarker
from .selection import UNSEEN_MARKERS, Selection, every_link, is_same_frame, select_origin

if TYPE_CHECKING:
    from ...level import Level
    from ...level.build.entities.zones import LevelZone

BODY_MIDDLE = 0.9  # m above the feet: the handle of a spawn
MOVER_CLEARANCE = 0.7  # m above the origin of a mover, where its first stop usually is
SIGN_CLEARANCE = 0.12  # m above the board of a sign, whose text the handle would cover
GROUND_CLEARANCE = 0.3  # m above a point on the ground, so that the floor does not cover its handle
ORIGIN = (0.0, 0.0, 0.0)
KINDS_SHARING_HANDLE = frozenset(("ball",))  # several markers of one piece have one handle


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
        chosen = select_record("spawn", spawn.place, f'spawn "{spawn.name}"')
        yield Handle("spawn", chosen.label, _above(spawn.feet, BODY_MIDDLE), chosen, heading=spawn.heading)
    if level.goal is not None:
        chosen = select_record("goal", level.goal.place, "goal")
        yield Handle("goal", "goal", _above(level.goal.at, GROUND_CLEARANCE), chosen, level.goal.radius)
    for exit_ in level.exits:
        chosen = select_record("exit", exit_.place, f'exit "{exit_.name}"')
        yield Handle("exit", chosen.label, _above(exit_.at, GROUND_CLEARANCE), chosen, exit_.radius)


def select_record(kind: str, place: SourceSpan, label: str) -> Selection:
    """Selection of a spawn, goal or exit. place: in the level file."""
    return Selection(((kind, replace(place, length=len(kind))),), 0, PieceInstance(), label)


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
