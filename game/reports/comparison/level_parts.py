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
from ...level.build.entities.movers import LevelMover
from ...level.build.entities.zones import LevelZone
from ...level.format.findings import InputError, SourceSpan
from ...level.format.surfaces import Surface
from ...level.format.yaml_nodes import YamlMapping, YamlScalar, compose_nodes
from ...level.geometry.faces import TargetSpec
from ...level.geometry.instance_transform import ParentLink
from ...physics.mesh.material import Material

SHAPE = "shape"  # value of a part that no sentence shows: the bytes of its corners


PieceCopies = tuple[int, tuple[ParentLink, ...]]  # index of a piece and its containers


class PartKind(StrEnum):
    """Kind of a part of a level."""

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


@dataclass(frozen=True, slots=True)
class LevelPart:
    """label: `box "kerb"`; file, line: in the level's source, line 0 for no line. values: all that a walk can notice.
    low, high: the box (m) in which it can be, where it has a place. zone: of a zone. inside: the outermost container of
    a piece with its place in the file; empty for none."""

    kind: PartKind
    label: str
    file: str
    line: int
    values: dict[str, Any]
    low: Floats | None = None
    high: Floats | None = None
    zone: LevelZone | None = None
    inside: str = ""

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
    line = SourceSpan(field_line(level, "player"))
    return _part(level, PartKind.PLAYER, "player", line, asdict(level.player))


def field_line(level: Level, name: str) -> int:
    """Line of a field of the level file; 0 where it has none."""
    try:
        root = compose_nodes(level.source_text)
    except InputError:
        return 0
    if isinstance(root, YamlMapping):
        for key, _ in root.pairs:
            if isinstance(key, YamlScalar) and key.text == name:
                return key.place.line
    return 0


def material_values(material: Material) -> dict[str, Any]:
    """The values of a material by name."""
    return asdict(material)


def zone_label(zone: LevelZone) -> str:
    """`water "pool"`."""
    return _label(zone.kind.replace("_", " "), zone.name)


def zone_values(zone: LevelZone) -> dict[str, Any]:
    """All that a zone does to a body; not its box, name and colour."""
    look = zone.look * DEGREES_PER_HEADING_UNIT
    return {**dict(zone.physics), "arrive": zone.arrive, "look": look, "carried": zone.mover >= 0}


def mover_label(mover: LevelMover) -> str:
    """`mover "lift"`."""
    return _label("mover", mover.name)


def _label(kind: str, name: str) -> str:
    return f'{kind} "{name}"' if name else kind


def _part(level: Level, kind: PartKind, label: str, place: SourceSpan, values: dict[str, Any]) -> LevelPart:
    return LevelPart(kind, label, place.file or str(level.path), place.line, values)


def _pieces(level: Level) -> Iterator[LevelPart]:
    """The colliding static pieces. The copies of a piece in one container are one part."""
    solid = np.array([origin.collide for origin in level.origins])
    corners, surfaces, keys = [], [], []
    groups: dict[PieceCopies, int] = {}
    for faces in (level.faces, level.hidden_faces):  # those that another piece hides are as before
        rows = np.flatnonzero((faces.mover_numbers == 0) & solid[faces.origin])
        corners.append(faces.corners[rows].reshape(-1, 12))
        surfaces.append(faces.surface[rows])
        pairs, numbers = np.unique(
            np.column_stack((faces.origin[rows], faces.instance[rows])), axis=0, return_inverse=True
        )
        copies = [(int(origin), faces.instances[int(instance)].within) for origin, instance in pairs]
        ids = np.array([groups.setdefault(copy, len(groups)) for copy in copies], np.int64)
        keys.append(ids[numbers.reshape(-1)])
    table, surface, key = np.concatenate(corners), np.concatenate(surfaces), np.concatenate(keys)
    order = np.argsort(key, kind="stable")
    table, surface, key = table[order], surface[order], key[order]
    starts = np.flatnonzero(np.diff(key, prepend=-1))
    copies, shells = list(groups), _shared_rooms(level)
    for start, end in zip(starts, [*starts[1:], len(key)], strict=True):
        number, within = copies[int(key[start])]
        origin = level.origins[number]
        values, low, high = _shape_values(table[start:end], surface[start:end], level.surfaces)
        if (number, within) in shells:
            values[SHAPE] = repr(shells[number, within]).encode()
        part = _part(level, PartKind.PIECE, origin.label, origin.place, values)
        yield replace(part, low=low, high=high, inside=_describe_container(level, within, part))


def _shared_rooms(level: Level) -> dict[PieceCopies, list[tuple[object, ...]]]:
    """The walls as written of the rooms that share walls: their faces have the openings of their neighbours too."""
    found: dict[PieceCopies, list[tuple[object, ...]]] = {}
    for marker in level.faces.marks:
        if isinstance(marker.payload, RoomShell) and marker.payload.shared:
            instance = level.faces.instances[marker.instance]
            shell = marker.payload  # without its surfaces, which are indices, and without lines
            values = {one.name: repr(getattr(shell, one.name)) for one in fields(shell) if one.name != "surfaces"}
            written = marker.at, instance.frame, sorted(values.items())
            found.setdefault((marker.origin, instance.within), []).append(written)
    return found


def _describe_container(level: Level, within: Sequence[ParentLink], part: LevelPart) -> str:
    """The outermost container of a piece with its place; empty where it has the same line as the piece."""
    if not within:
        return ""
    kind, span = within[0]
    outer = _part(level, PartKind.PIECE, f"`{kind}`", span, {})
    return "" if outer.place == part.place else str(outer)


def _shape_values(
    rows: Floats, surface_index: Ints, surfaces: Sequence[Surface]
) -> tuple[dict[str, Any], Floats, Floats]:
    """(values, low, high) of faces (n, 3 k): shape, and those of the material where it is one for all."""
    points = (rows + 0.0).reshape(-1, 3)
    low, high = points.min(axis=0), points.max(axis=0)
    order = np.lexsort(rows.T[::-1])
    numbers = surface_index[order] if len(surfaces) else np.zeros(len(order), np.int64)
    materials = [surfaces[int(k)].material if surfaces else Material() for k in np.unique(numbers)]
    values: dict[str, Any] = {SHAPE: (rows[order] + 0.0).tobytes()}
    if len(set(materials)) == 1:
        return values | material_values(materials[0]), low, high
    table = {int(k): material for k, material in zip(np.unique(numbers), materials, strict=True)}
    return values | {"materials": tuple(table[int(k)] for k in numbers)}, low, high


def _movers(level: Level) -> Iterator[LevelPart]:
    for mover in level.movers:
        values: dict[str, Any] = {"at": mover.at, **asdict(mover.spec)}
        del values["name"]
        low = high = np.zeros(3)
        if len(mover.triangles):
            shape, low, high = _shape_values(mover.triangles.reshape(-1, 9), mover.surface_index, mover.surfaces)
            values |= shape
        if mover.spec.swing or mover.spec.spin:
            radius = float(np.linalg.norm(mover.triangles, axis=-1).max(initial=0.0))
            low, high = np.full(3, -radius), np.full(3, radius)
        path = np.array([(0.0, 0.0, 0.0), *mover.spec.path]) + mover.at
        low, high = low + path.min(axis=0), high + path.max(axis=0)
        yield replace(_part(level, PartKind.MOVER, mover_label(mover), mover.place, values), low=low, high=high)


def _zones(level: Level) -> Iterator[LevelPart]:
    for zone in level.areas:
        heading = zone.heading * DEGREES_PER_HEADING_UNIT
        values = {"centre": zone.centre, "half size": zone.half, "heading": heading, **zone_values(zone)}
        if zone.mover >= 0:
            values["carried"] = f"by {level.movers[zone.mover].name or f'mover {zone.mover + 1}'}"
        centre, reach = np.array(zone.centre), np.linalg.norm(zone.half)
        part = _part(level, PartKind.ZONE, zone_label(zone), zone.place, values)
        yield replace(part, low=centre - reach, high=centre + reach, zone=zone)


def _targets(level: Level) -> Iterator[LevelPart]:
    """Targets and balls, which have their lines from the markers of their pieces."""
    targets, balls = iter(level.targets), iter(level.balls)
    for marker in level.faces.marks:
        place = level.origins[marker.origin].place
        if isinstance(marker.payload, TargetSpec) and (target := next(targets, None)) is not None:
            values: dict[str, Any] = {"at": target.at, "radius": target.radius}
            yield _part(level, PartKind.TARGET, _label("target", target.name), place, values)
        elif isinstance(marker.payload, BallSpec) and (ball := next(balls, None)) is not None:
            values = {"at": ball.at, **asdict(ball.ball)}
            del values["colour"], values["name"]
            yield _part(level, PartKind.BALL, _label("ball", ball.ball.name), place, values)


def _fields(level: Level) -> Iterator[LevelPart]:
    """Spawns, goal, exits, kill height, rules of balls and golf."""
    for spawn in level.spawns:
        values: dict[str, Any] = {"at": spawn.feet, "heading": spawn.heading * DEGREES_PER_HEADING_UNIT}
        yield _part(level, PartKind.SPAWN, f'spawn "{spawn.name}"', spawn.place, values)
    if level.goal is not None:
        values = {"at": level.goal.at, "radius": level.goal.radius, "after": level.goal.after}
        yield _part(level, PartKind.GOAL, "the goal", level.goal.place, values)
    for exit_ in level.exits:
        values = {"at": exit_.at, "radius": exit_.radius, "to": exit_.to, "spawn": exit_.spawn}
        yield _part(level, PartKind.EXIT, f'exit "{exit_.name}"', exit_.place, values)
    line = SourceSpan(field_line(level, "kill_height"))
    yield _part(level, PartKind.KILL_HEIGHT, "kill_height", line, {"kill_height": level.kill_height})
    if level.play is not None:
        line = SourceSpan(field_line(level, "play"))
        yield _part(level, PartKind.BALL, "play", line, asdict(level.play))
    if level.golf is not None:
        line = SourceSpan(field_line(level, "golf"))
        values = asdict(level.golf)
        values["water"] = level.surfaces[level.golf.water].name if level.golf.water >= 0 else ""
        values["holes"] = tuple((hole.par, hole.tee, hole.cup, hole.radius) for hole in level.golf.holes)
        yield _part(level, PartKind.GOLF, "golf", line, values)
