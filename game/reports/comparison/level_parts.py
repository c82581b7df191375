"""Parts of a level that a walk can notice: pieces, moving platforms, zones, targets, exits, and fields of the level."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np

from ...core.angles import DEGREES_PER_HEADING_UNIT
from ...core.vectors import Floats, Ints
from ...level import Level
from ...level.build.entities.balls import BallSpec
from ...level.build.entities.landmarks import RoomShell
from ...level.build.entities.zones import LevelZone
from ...level.format.findings import InputError, SourceSpan
from ...level.format.surfaces import Surface
from ...level.format.yaml_nodes import YamlMapping, YamlScalar, compose_nodes
from ...level.geometry.faces import TargetSpec
from ...level.geometry.instance_transform import ParentLink
from ...physics.mesh.material import Material

PieceCopies = tuple[int, tuple[ParentLink, ...]]  # index of a piece and its containers
MATERIAL_NAMES = tuple(field.name for field in fields(Material))
SURFACES = "surfaces of its faces"  # value of a part with several materials: their numbers, face by face


class PartKind(StrEnum):
    PIECE = "piece"
    MOVER = "mover"
    ZONE = "zone"
    GOAL = "goal"
    TARGET = "target"
    EXIT = "exit"
    SPAWN = "spawn"
    KILL_HEIGHT = "kill height"
    BALL = "ball"
    GOLF = "golf"
    PLAYER = "player"


@dataclass(frozen=True, slots=True, eq=False)
class LevelPart:
    """label: `box "kerb"`; file, line: in the level's source, line 0 for no line. values: what a walk can notice beside
    the shape; shape: bytes that two parts of one shape and place share; corners (n,k,3): those of its faces, m, where
    it has some. box (2,3): low and high corner of where it can be, m, where it has a place. zone: of a zone. inside:
    the outermost container of a piece with its place in the file; empty for none."""

    kind: PartKind
    label: str
    file: str
    line: int
    values: dict[str, Any]
    shape: bytes = b""
    corners: Floats | None = None
    box: Floats | None = None
    zone: LevelZone | None = None
    inside: str = ""

    @property
    def key(self) -> tuple[object, ...]:
        """All that a walk can notice of a part."""
        return self.kind, self.shape, *sorted((name, repr(value)) for name, value in self.values.items())

    @property
    def is_named(self) -> bool:
        """Whether its author gave it a name."""
        return '"' in self.label

    @property
    def place(self) -> str:
        """`yard.yaml:5`; the bare name of the file where there is no line."""
        name = Path(self.file).name
        return f"{name}:{self.line}" if self.line else name

    def __str__(self) -> str:
        return f"{self.label}, {self.place}" + (f", inside {self.inside}" if self.inside else "")


def level_parts(level: Level) -> list[LevelPart]:
    """All parts of a level, kind by kind in the order of the file."""
    return [*_pieces(level), *_movers(level), *_zones(level), *_targets(level), *_fields(level)]


def player_part(level: Level) -> LevelPart:
    """The body and its settings. It is none of `level_parts`: a cause names single settings."""
    return _field_part(level, PartKind.PLAYER, "player", asdict(level.player))


def _field_part(level: Level, kind: PartKind, name: str, values: dict[str, Any]) -> LevelPart:
    """The part for a field of the level file, with its line; 0 where the file does not have it."""
    line = 0
    try:
        root = compose_nodes(level.source_text)
    except InputError:
        root = None
    if isinstance(root, YamlMapping):
        keys = (key for key, _ in root.pairs if isinstance(key, YamlScalar) and key.text == name)
        line = next((key.place.line for key in keys), 0)
    return _part(level, kind, name, SourceSpan(line), values)


def _label(kind: str, name: str) -> str:
    """`water "pool"`."""
    return f'{kind} "{name}"' if name else kind


def _part(level: Level, kind: PartKind, label: str, place: SourceSpan, values: dict[str, Any]) -> LevelPart:
    return LevelPart(kind, label, place.file or str(level.path), place.line, values)


def _with_faces(part: LevelPart, corners: Floats, surface: Ints, surfaces: Sequence[Surface]) -> LevelPart:
    """A part with its faces (n,k,3) and their materials. surface (n,): index of the surface of each face."""
    rows = corners.reshape(len(corners), -1) + 0.0
    order = np.lexsort(rows.T[::-1])
    materials = [surfaces[k].material if surfaces else Material() for k in surface[order].tolist()]
    distinct = list(dict.fromkeys(materials))
    values: dict[str, Any] = {}
    for name in MATERIAL_NAMES:
        found = tuple(dict.fromkeys(getattr(material, name) for material in distinct))
        values[name] = found[0] if len(found) == 1 else found
    if len(distinct) > 1:
        values[SURFACES] = tuple(map(distinct.index, materials))
    shape = rows[order].tobytes()
    return replace(part, values=part.values | values, shape=shape, corners=corners, box=_box_around(corners))


def _box_around(points: Floats) -> Floats:
    """(2,3): low and high corner of the box around points."""
    rows = points.reshape(-1, 3)
    return np.array((rows.min(axis=0), rows.max(axis=0)))


def _pieces(level: Level) -> Iterator[LevelPart]:
    """The colliding static pieces. The copies of a piece in one container are one part."""
    solid = np.array([origin.collide for origin in level.origins])
    corners = []
    surfaces = []
    keys = []
    groups: dict[PieceCopies, int] = {}
    for faces in (level.faces, level.hidden_faces):  # those that another piece hides are as before
        rows = np.flatnonzero((faces.mover_numbers == 0) & solid[faces.origin])
        corners.append(faces.corners[rows])
        surfaces.append(faces.surface[rows])
        pairs, numbers = np.unique(
            np.column_stack((faces.origin[rows], faces.instance[rows])), axis=0, return_inverse=True
        )
        copies = [(int(origin), faces.instances[int(instance)].within) for origin, instance in pairs]
        ids = np.array([groups.setdefault(copy, len(groups)) for copy in copies], np.int64)
        keys.append(ids[numbers.reshape(-1)])
    table = np.concatenate(corners)
    surface = np.concatenate(surfaces)
    key = np.concatenate(keys)
    order = np.argsort(key, kind="stable")
    table, surface, key = table[order], surface[order], key[order]
    starts = np.flatnonzero(np.diff(key, prepend=-1))
    all_copies = list(groups)
    shells = _shared_rooms(level)
    for start, end in zip(starts, [*starts[1:], len(key)], strict=True):
        copy = number, within = all_copies[int(key[start])]
        part = _part(level, PartKind.PIECE, level.origins[number].label, level.origins[number].place, {})
        part = _with_faces(part, table[start:end], surface[start:end], level.surfaces)
        if copy in shells:
            part = replace(part, shape=repr(shells[copy]).encode(), corners=None)
        outer = [_part(level, PartKind.PIECE, f"`{kind}`", span, {}) for kind, span in within[:1]]
        yield replace(part, inside="".join(str(one) for one in outer if one.place != part.place))


def _shared_rooms(level: Level) -> dict[PieceCopies, list[tuple[object, ...]]]:
    """The walls as written of the rooms that share walls: their faces have the openings of their neighbours too."""
    found: dict[PieceCopies, list[tuple[object, ...]]] = {}
    for marker in level.faces.marks:
        if isinstance(marker.payload, RoomShell) and marker.payload.shared:
            instance = level.faces.instances[marker.instance]
            shell = marker.payload  # without its surfaces, which are indices
            walls = [repr(getattr(shell, field.name)) for field in fields(shell) if field.name != "surfaces"]
            found.setdefault((marker.origin, instance.within), []).append((marker.at, instance.frame, *walls))
    return found


def _movers(level: Level) -> Iterator[LevelPart]:
    for mover in level.movers:
        values: dict[str, Any] = {"at": mover.at, **asdict(mover.spec)}
        del values["name"]
        part = _part(level, PartKind.MOVER, _label("mover", mover.name), mover.place, values)
        box = np.zeros((2, 3))
        if len(mover.triangles):
            part = _with_faces(part, mover.triangles, mover.surface_index, mover.surfaces)
            box = _box_around(mover.triangles)
        if mover.spec.swing or mover.spec.spin:
            radius = np.linalg.norm(mover.triangles, axis=-1).max(initial=0.0)
            box = np.full((2, 3), radius) * ((-1.0,), (1.0,))
        yield replace(part, box=box + mover.at + _box_around(np.array([(0.0, 0.0, 0.0), *mover.spec.path])))


def _zones(level: Level) -> Iterator[LevelPart]:
    for zone in level.all_zones:
        values = {**dict(zone.physics), "arrive": zone.arrive, "look": zone.look * DEGREES_PER_HEADING_UNIT}
        if zone.mover >= 0:
            values["carried"] = f"by {level.movers[zone.mover].name or f'mover {zone.mover + 1}'}"
        part = _part(level, PartKind.ZONE, _label(zone.kind.replace("_", " "), zone.name), zone.place, values)
        shape = repr((zone.kind, zone.centre, zone.half, zone.heading)).encode()
        yield replace(part, shape=shape, corners=zone.edges, box=_box_around(zone.edges), zone=zone)


def _targets(level: Level) -> Iterator[LevelPart]:
    """Targets and balls, which have their lines from the markers of their pieces."""
    targets = iter(level.targets)
    balls = iter(level.balls)
    for marker in level.faces.marks:
        place = level.origins[marker.origin].place
        if isinstance(marker.payload, TargetSpec) and (target := next(targets, None)) is not None:
            yield _part(level, PartKind.TARGET, _label("target", target.name), place, _values(target, "at", "radius"))
        elif isinstance(marker.payload, BallSpec) and (ball := next(balls, None)) is not None:
            values = {"at": ball.at, **asdict(ball.ball)}
            del values["colour"], values["name"]
            yield _part(level, PartKind.BALL, _label("ball", ball.ball.name), place, values)


def _values(thing: object, *names: str) -> dict[str, Any]:
    return {name: getattr(thing, name) for name in names}


def _fields(level: Level) -> Iterator[LevelPart]:
    """Spawns, goal, exits, kill height, rules of balls and golf."""
    for spawn in level.spawns:
        values: dict[str, Any] = {"at": spawn.feet, "heading": spawn.heading * DEGREES_PER_HEADING_UNIT}
        yield _part(level, PartKind.SPAWN, _label("spawn", spawn.name), spawn.place, values)
    if level.goal is not None:
        yield _part(level, PartKind.GOAL, "the goal", level.goal.place, _values(level.goal, "at", "radius", "after"))
    for one in level.exits:
        values = _values(one, "at", "radius", "to", "spawn")
        yield _part(level, PartKind.EXIT, _label("exit", one.name), one.place, values)
    yield _field_part(level, PartKind.KILL_HEIGHT, "kill_height", {"kill_height": level.kill_height})
    if level.play is not None:
        yield _field_part(level, PartKind.BALL, "play", asdict(level.play))
    if level.golf is not None:
        values = asdict(level.golf)
        values["water"] = level.surfaces[level.golf.water].name if level.golf.water >= 0 else ""
        values["holes"] = tuple((hole.par, hole.tee, hole.cup, hole.radius) for hole in level.golf.holes)
        yield _field_part(level, PartKind.GOLF, "golf", values)
