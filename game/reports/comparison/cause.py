"""Cause of a difference: what the two levels have otherwise where the walks part, or the bodies."""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from dataclasses import dataclass, fields, replace
from enum import StrEnum

import numpy as np

from ...core.angles import DEGREES_PER_HEADING_UNIT
from ...core.vectors import Floats
from ...core.walker_settings import WalkerSettings
from ...level import Level
from ...level.build.entities.zones import LevelZone
from ...sim.events import Event, RespawnReason
from ...sim.replay.tick_report import TouchedSurface
from .acting_parts import Factor, acting_factors
from .level_differences import (
    NO_PLACE,
    LevelDifference,
    Place,
    changed_values,
    level_differences,
    list_differences,
    order_by_distance,
)
from .level_parts import SHAPE, PartKind, material_values, player_part
from .part_change import describe_change
from .surface_match import find_materials, find_pose, has_triangle, is_among
from .walk_source import TickExplanation
from .zone_difference import ZoneDifference, find_zone_difference

SAME_PLACE = 1e-6  # m between two starts that count as one
SPAWN_REACH = 0.1  # m from a spawn to the feet of a body that begins there
NEAR = 3.0  # m from the body to the box of a piece or zone that can take part in a tick
START_FIELDS = ("position", "heading", "radii", "north")  # north turns with the heading of the spawn
WALKER_KINDS = (PartKind.PIECE, PartKind.MOVER, PartKind.ZONE)  # of parts that act on a walker
MOVER_FIELDS = ("safe", "mover")  # of the walker: no place that a platform reaches is safe; platforms have numbers
RESPAWN_KINDS = (PartKind.SPAWN, PartKind.KILL_HEIGHT)  # of those that act in a respawn
EVENT_KINDS = {  # of parts that make an event beside the walker
    "GoalReached": (PartKind.GOAL, PartKind.TARGET, PartKind.GOLF),
    "TargetReached": (PartKind.TARGET, PartKind.BALL),
    "ExitReached": (PartKind.EXIT,),
    "CheckpointReached": (PartKind.ZONE,),
}


class CauseKind(StrEnum):
    """What made the difference."""

    SURFACE = "surface"  # a surface that only one level has there
    MATERIAL = "material"  # a surface of both, with other properties
    MOVER = "mover"  # a moving platform that the body does not touch
    ZONE = "zone"  # a zone that only one level has there, or both with other properties
    SETTINGS = "settings"  # another body
    LEVEL = "level"  # spawn, goal, target, exit, kill height, balls or golf
    COMMANDS = "commands"  # other commands, or fewer
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Cause:
    """kind; side: "a", "b", "both" or empty; text: a sentence; surface, zone: where there is one; file, line: of the
    part of the level; empty and 0 where there is none. places: file and line of the part in A and in B."""

    kind: CauseKind
    side: str
    text: str
    surface: TouchedSurface | None = None
    zone: LevelZone | None = None
    file: str = ""
    line: int = 0
    places: tuple[Place, Place] = (NO_PLACE, NO_PLACE)


def find_cause(a: TickExplanation | None, b: TickExplanation | None, names: Sequence[str] = ()) -> Cause:
    """The cause of the first tick that differs, from the traces of both walks. names: of the fields of the walker that
    differ. It names nothing that both levels have alike."""
    if a is None or b is None:
        return _cause_of_one("b" if a is None else "a", b if a is None else a)
    differences = level_differences(a.world.level, b.world.level)
    settings = changed_settings(a.world.settings, b.world.settings)
    acting = acting_factors(a, b)
    found = _respawn_cause(a, b, differences) or _new_surface_cause(a, b, differences, acting)
    if found is None:
        zone = find_zone_difference(a, b, differences) if Factor.ZONES in acting else None
        found = zone_cause(zone) if zone is not None else _material_cause(a, b, differences, acting)
    if found is not None:
        too = f"; the bodies differ too ({', '.join(settings)})" if settings else ""
        return replace(found, text=found.text + too)
    movers = [one for one in differences if one.part.kind == PartKind.MOVER]
    if movers and all(name.startswith(MOVER_FIELDS) for name in names):
        return differences_cause([order_by_distance(movers, a.report.after.position)[0]])
    near = _acting_differences(a, b, differences)
    if settings and Factor.WALKER in acting:
        cause = settings_cause(a.world.level, b.world.level, settings)
        return replace(cause, text=f"{cause.text}; the levels differ too: {list_differences(near)}") if near else cause
    return differences_cause(near) if near or not differences else _list_cause(differences)


def find_world_cause(a: TickExplanation | None, b: TickExplanation | None, events: Sequence[Event]) -> Cause:
    """The cause of a difference beside the walkers. events: those of which the other walk has none."""
    if a is None or b is None:
        text = "the walkers are the same; what the world keeps beside them differs"
        return Cause(CauseKind.UNKNOWN, "", text)
    differences = level_differences(a.world.level, b.world.level)
    wanted = {kind for event in events for kind in EVENT_KINDS.get(type(event).__name__, ())}
    matching = [one for one in differences if one.part.kind in wanted]
    zone = find_zone_difference(a, b, differences, with_passive=True)
    if zone is not None and (not matching or PartKind.ZONE in wanted):
        return zone_cause(zone)
    return differences_cause(matching or [one for one in differences if one.part.kind != PartKind.PIECE] or differences)


def find_start_cause(
    a: np.void,
    b: np.void,
    feet: tuple[Floats, Floats],
    names: Sequence[str],
    levels: tuple[Level | None, Level | None],
    settings: Sequence[str],
) -> Cause:
    """The cause of other states before the first tick. feet: of both; names: of the fields that differ; settings: those
    of the bodies that differ."""
    differences = [] if levels[0] is None or levels[1] is None else level_differences(levels[0], levels[1])
    spawns = [one for one in differences if one.part.kind == PartKind.SPAWN and _is_start(one, feet)]
    text = f"the walks begin with different states: {_start_differences(a, b, feet, names, settings, bool(spawns))}"
    if levels[0] is None or levels[1] is None:
        return Cause(CauseKind.UNKNOWN, "", text)
    is_moved = "heading" in names or float(np.linalg.norm(feet[1] - feet[0])) > SAME_PLACE
    found = spawns if is_moved else []
    if not found and settings:
        return replace(settings_cause(levels[0], levels[1], settings), text=text)
    at = tuple(feet[1].tolist())
    acting = [one for one in order_by_distance(differences, at) if one.part.kind in WALKER_KINDS]
    found = found or [one for one in acting if one.distance(at) < NEAR] or acting
    if len(found) != 1:
        listed = f"; the levels differ: {list_differences(found)}" if found else ""
        return Cause(CauseKind.UNKNOWN, "", text + listed)
    cause = differences_cause(found)
    text += f"; {cause.text}" if cause.kind != CauseKind.LEVEL else f", {found[0].part.place}{found[0].other_place}"
    return replace(cause, text=text)


def _is_start(spawn: LevelDifference, feet: tuple[Floats, Floats]) -> bool:
    """Whether one of the walks begins at this spawn."""
    pairs = [(part, at) for part, at in zip((spawn.a, spawn.b), feet, strict=True) if part is not None]
    return any(math.dist(part.values["at"], at) < SPAWN_REACH for part, at in pairs)


def zone_cause(found: ZoneDifference) -> Cause:
    """The cause for a zone."""
    line = found.zone.place.line
    return Cause(CauseKind.ZONE, found.side, found.text, None, found.zone, found.file, line, found.places)


def settings_cause(a: Level, b: Level, settings: Sequence[str]) -> Cause:
    """The cause for other bodies, with the line of `player` where a level has it."""
    text = f"the bodies differ: {', '.join(settings)} (A / B)"
    body = LevelDifference(player_part(a), player_part(b))
    if a.player == b.player or not body.part.line:
        return Cause(CauseKind.SETTINGS, "both", text)
    text += f"; `player` is in {body.part.place}{body.other_place}"
    return Cause(CauseKind.SETTINGS, "both", text, None, None, body.part.file, body.part.line, body.places)


def differences_cause(differences: Sequence[LevelDifference]) -> Cause:
    """The cause where the tick shows none: the one difference of the levels, or a list of them."""
    if not differences:
        text = "the levels and the bodies are the same; the rules or the kind of machine may differ"
        return Cause(CauseKind.UNKNOWN, "", text)
    if len(differences) > 1:
        return _list_cause(differences)
    one = differences[0]
    kind = CauseKind.LEVEL
    if one.part.kind == PartKind.PIECE:
        kind = CauseKind.MATERIAL if one.is_material else CauseKind.SURFACE
    elif one.part.kind in (PartKind.MOVER, PartKind.ZONE):
        kind = CauseKind(one.part.kind.value)
    return Cause(kind, one.side, one.describe(), None, one.part.zone, one.part.file, one.part.line, one.places)


def _list_cause(differences: Sequence[LevelDifference]) -> Cause:
    """No cause: a list of what differs between the levels."""
    text = f"nothing that the body meets in this tick shows it; the levels differ: {list_differences(differences)}"
    return Cause(CauseKind.UNKNOWN, "", text)


def _acting_differences(
    a: TickExplanation, b: TickExplanation, differences: Sequence[LevelDifference]
) -> list[LevelDifference]:
    """The differences that can act on the body in this tick, the nearest first."""
    start = a.report.before.position
    ends = [one.report.after.position for one in (a, b) if one.report.respawn is None]
    reach = NEAR + max((math.dist(start, end) for end in ends), default=0.0) + max(a.world.settings.radii)
    near = [one for one in differences if one.part.kind in WALKER_KINDS and one.distance(start) < reach]
    if a.report.respawn is not None or b.report.respawn is not None:
        near += [one for one in differences if one.part.kind in RESPAWN_KINDS]
    return order_by_distance(near, start)


def _cause_of_one(side: str, walk: TickExplanation | None) -> Cause:
    """The cause where the tick of at least one walk cannot be simulated again."""
    if walk is None:
        text = "the tick cannot be simulated again, so nothing is known of its surfaces"
        return Cause(CauseKind.UNKNOWN, "", text)
    other = "a" if side == "b" else "b"
    text = f"the tick of {other.upper()} cannot be simulated again"
    surfaces = walk.report.surfaces
    if surfaces:
        listed = "; ".join(describe_surface(surface).rstrip(",") for surface in surfaces)
        text += f"; {side.upper()} touches {listed}"
    return Cause(CauseKind.UNKNOWN, "", text)


def _respawn_cause(a: TickExplanation, b: TickExplanation, differences: Sequence[LevelDifference]) -> Cause | None:
    """The kill height, where only one body fell below it."""
    fallen = [one.report.respawn is not None and one.report.respawn.reason == RespawnReason.FELL for one in (a, b)]
    if fallen[0] == fallen[1]:
        return None
    found = [one for one in differences if one.part.kind == PartKind.KILL_HEIGHT]
    return differences_cause(found) if found else None


def _new_surface_cause(
    a: TickExplanation, b: TickExplanation, differences: Sequence[LevelDifference], acting: Set[Factor]
) -> Cause | None:
    """A surface that only one walk touched, of a piece or platform that the other level has not, or otherwise."""
    walks = {"a": a, "b": b}
    unique = []
    for side, other in (("b", "a"), ("a", "b")):
        for surface in walks[side].report.surfaces:
            if not is_among(surface, walks[other].report.surfaces):
                found = _difference_of(surface, side, differences)
                if found is None or (Factor.MOVERS if found.part.kind == PartKind.MOVER else Factor.MESH) not in acting:
                    continue
                if found.part.kind == PartKind.MOVER or not has_triangle(walks[other].world, surface):
                    unique.append((side, surface, found))
    if not unique:
        return None
    side, surface, found = max(unique, key=lambda one: (one[1].stopped, one[1].kind != "walkable", one[0] == "b"))
    other = "a" if side == "b" else "b"
    label, own, its = describe_surface(surface), side.upper(), other.upper()
    part, its_part = (found.a, found.b) if side == "a" else (found.b, found.a)
    assert part is not None
    label += f" inside {part.inside}," if part.inside else ""
    which = "stops the body" if surface.stopped else "is touched"
    text = f"{label} {which} in {own} and not in {its}"
    if _is_moved_platform(found, a, b):
        text = f"{label} is at another place in {own} than in {its}"
    elif its_part is not None and _touches_part(found, other, walks[other].report.surfaces):
        change = describe_change(its_part, part)
        has = "has another shape or place" if change is None else change.predicate
        text = f"{label} {has} in {own} than in {its} ({its_part.place})"
    elif its_part is not None:
        change = describe_change(part, its_part)
        it_has = "it has another shape or place" if change is None else change.clause
        text += f", where {it_has} ({its_part.place})"
    return Cause(CauseKind.SURFACE, side, text, surface, None, surface.file, surface_line(surface), found.places)


def _difference_of(
    surface: TouchedSurface, side: str, differences: Sequence[LevelDifference]
) -> LevelDifference | None:
    """The difference of the levels that a touched surface belongs to. side: of the walk that touched it."""
    found = []
    for one in differences:
        part = one.a if side == "a" else one.b
        if part is not None and part.label == surface.piece and part.place == surface.place and SHAPE in part.values:
            found.append(one)
    return min(found, key=lambda one: one.distance(surface.point), default=None)  # of several copies the touched one


def _touches_part(found: LevelDifference, side: str, surfaces: Sequence[TouchedSurface]) -> bool:
    """Whether a walk touched the part of its own level."""
    part = found.a if side == "a" else found.b
    return part is not None and any(one.piece == part.label and one.place == part.place for one in surfaces)


def _is_moved_platform(found: LevelDifference, a: TickExplanation, b: TickExplanation) -> bool:
    """Whether both levels have this platform, at different places at that time."""
    if found.part.kind != PartKind.MOVER or found.a is None or found.b is None:
        return False
    poses = find_pose(a.world, found.a), find_pose(b.world, found.b)
    return poses[0] is not None and poses[1] is not None and bool((poses[0] != poses[1]).any())


def _material_cause(
    a: TickExplanation, b: TickExplanation, differences: Sequence[LevelDifference], acting: Set[Factor]
) -> Cause | None:
    """A surface that a body touches, which has another material in the other level."""
    if not acting & {Factor.MESH, Factor.MOVERS}:
        return None
    sides = [("b", surface) for surface in b.report.surfaces] + [("a", surface) for surface in a.report.surfaces]
    for side, surface in sides:
        own, others = find_materials(a.world, surface), find_materials(b.world, surface)
        if own and others and not set(own) & set(others):
            values = changed_values(material_values(own[0]), material_values(others[0]))
            text = f"{describe_surface(surface)} has other properties: {values} (A / B)"
            found, place = _difference_of(surface, side, differences), (surface.file, surface_line(surface))
            one_place = (place, NO_PLACE) if side == "a" else (NO_PLACE, place)
            places = one_place if found is None else found.places
            return Cause(CauseKind.MATERIAL, "both", text, surface, None, *place, places)
    return None


def describe_surface(surface: TouchedSurface) -> str:
    """`box (wall), yard.yaml:5,`."""
    text = surface.piece if surface.piece == surface.kind else f"{surface.piece or 'a surface'} ({surface.kind})"
    return f"{text}, {surface.place}," if surface.place else text


def surface_line(surface: TouchedSurface) -> int:
    """Line of the piece; 0 where it has none."""
    tail = surface.place.rpartition(":")[2]
    return int(tail) if surface.file and tail.isdecimal() else 0


def changed_settings(a: WalkerSettings, b: WalkerSettings) -> list[str]:
    """`step_height 0.3 / 0.2` for each setting that differs."""
    pairs = [(field.name, getattr(a, field.name), getattr(b, field.name)) for field in fields(a)]
    return [f"{name} {one} / {other}" for name, one, other in pairs if one != other]


def common_share(a: Level, b: Level) -> float:
    """Share (0..1) of the triangles of the smaller level that the other one has too; 1 for a level without any."""
    rows = [set(map(tuple, np.round(level.mesh.triangles12[:, :9], 6).tolist())) for level in (a, b)]
    count = min(map(len, rows))
    return len(rows[0] & rows[1]) / count if count else 1.0


def _start_differences(
    a: np.void, b: np.void, feet: tuple[Floats, Floats], names: Sequence[str], settings: Sequence[str], has_spawns: bool
) -> str:
    """What differs between two states before the first tick. has_spawns: the levels have other spawns."""
    parts = []
    moved = float(np.linalg.norm(feet[1] - feet[0]))
    if moved > SAME_PLACE:
        where = "the spawn" if has_spawns and not a["tick"] and not b["tick"] else "the start"
        parts.append(f"{where} moved by {moved:.3g} m")
    if "heading" in names:
        degrees = [float(row["heading"]) * DEGREES_PER_HEADING_UNIT for row in (a, b)]
        parts.append(f"the heading is {degrees[0]:.2f}° in A and {degrees[1]:.2f}° in B")
    if "radii" in names or settings:
        parts.append(f"the bodies differ ({', '.join(settings) or 'radii'})")
    others = [name.replace("_", " ") for name in names if name not in START_FIELDS and not name.startswith("safe")]
    if others:
        parts.append(f"other values of {', '.join(others)}")
    return ", ".join(parts) or "the safe place"
