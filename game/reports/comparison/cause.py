"""Cause of a difference: the part of the levels, or the bodies, that makes the tick end otherwise.

The tick is simulated again with the body, the mesh, the platforms or the zones of the other walk. Only parts of what
then ends it otherwise are causes: those that a body touches or is in, else those near it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum

import numpy as np

from ...core.angles import DEGREES_PER_HEADING_UNIT
from ...core.vectors import Floats, Point
from ...core.walker_settings import WalkerSettings
from ...level import Level
from ...level.build.entities.zones import LevelZone
from ...level.format.schema.zones import RunRole
from ...physics import TriangleMesh
from ...sim.events import Event, RespawnReason
from ...sim.replay.tick_report import TouchedSurface
from .acting_factors import FACTORS, acting_factors, zone_acts
from .level_differences import (
    NO_PLACE,
    LevelDifference,
    Place,
    describe_change,
    level_differences,
    list_differences,
    order_by_distance,
)
from .level_parts import LevelPart, PartKind, player_part
from .walk_source import TickExplanation

SAME_PLACE = 1e-6  # m between two starts that count as one, and between corners of one triangle or planes
SAME_NORMAL = 1e-6  # difference of the unit normals of one plane
SPAWN_REACH = 0.1  # m from a spawn to the feet of a body that begins there
NEAR = 3.0  # m from the body to the box of a piece or zone that can take part in a tick
AHEAD = 1.5  # ticks of movement that reach into a zone from which the body was put elsewhere
START_FIELDS = ("position", "heading", "radii", "north")  # north turns with the heading of the spawn
RESPAWN_KINDS = (PartKind.SPAWN, PartKind.KILL_HEIGHT)  # of parts that act in a respawn
RESPAWNING_ROLES = (RunRole.KILL, RunRole.TELEPORT)  # of zones that put a body elsewhere
EVENT_KINDS = {  # of parts that make an event beside the walker
    "GoalReached": (PartKind.GOAL, PartKind.TARGET, PartKind.GOLF),
    "TargetReached": (PartKind.TARGET, PartKind.BALL),
    "ExitReached": (PartKind.EXIT,),
    "CheckpointReached": (PartKind.ZONE,),
}
SIDES = (("b", "a"), ("a", "b"))  # each walk with the other one


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


def find_cause(a: TickExplanation | None, b: TickExplanation | None) -> Cause:
    """The cause of the first tick that differs, from the traces of both walks. It names nothing that both levels have
    alike."""
    if a is None or b is None:
        return _cause_of_one("b" if a is None else "a", b if a is None else a)
    walks = {"a": a, "b": b}
    differences = level_differences(a.world.level, b.world.level)
    settings = changed_settings(a.world.settings, b.world.settings)
    factors = acting_factors(a, b)
    acting = [one for one in differences if FACTORS.get(one.part.kind) in factors]
    found = (
        _fall_cause(walks, differences)
        or _surface_cause(walks, acting)
        or _zone_cause(walks, acting)
        or _material_cause(walks, acting)
    )
    if found is not None:
        too = f"; the bodies differ too ({', '.join(settings)})" if settings else ""
        return replace(found, text=found.text + too)
    near = acting if len(acting) == 1 else _near_differences(a, b, differences)
    if settings and "walker" in factors:
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
    zone = _zone_cause({"a": a, "b": b}, differences, is_beside_walker=True)
    if zone is not None and (not matching or PartKind.ZONE in wanted):
        return zone
    return differences_cause(matching or [one for one in differences if one.part.kind != PartKind.PIECE] or differences)


# ---- parts that a body meets


def _surface_cause(walks: dict[str, TickExplanation], differences: Sequence[LevelDifference]) -> Cause | None:
    """A surface that only one walk touches, of a part that the other level has not, or otherwise. One that stops the
    body counts first, then walls, then those of B."""
    found = [
        (side, surface, one)
        for side, other in SIDES
        for surface in walks[side].report.surfaces
        if not any(_is_same_plane(surface, its) for its in walks[other].report.surfaces)
        and (one := _part_of(surface, side, differences)) is not None
        and (one.part.kind == PartKind.MOVER or not _has_triangle(walks[other].world.mesh, surface))
    ]
    if not found:
        return None
    side, surface, one = max(found, key=lambda it: (it[1].stopped, it[1].kind != "walkable", it[0] == "b"))
    other = "a" if side == "b" else "b"
    its_part = getattr(one, other)
    is_shared = its_part is not None and any(_is_of(its, its_part) for its in walks[other].report.surfaces)
    verb = "stops the body" if surface.stopped else "is touched"
    inside = getattr(one, side).inside
    label = describe_surface(surface) + (f" inside {inside}," if inside else "")
    text = _describe_meeting(label, verb, one, side, is_shared)
    return Cause(CauseKind.SURFACE, side, text, surface, None, surface.file, surface_line(surface), one.places)


def _material_cause(walks: dict[str, TickExplanation], differences: Sequence[LevelDifference]) -> Cause | None:
    """A surface that a body touches, of a part with another material in the other level."""
    for side, _ in SIDES:
        for surface in walks[side].report.surfaces:
            one = _part_of(surface, side, [one for one in differences if one.is_material])
            if one is not None:
                text = f"{describe_surface(surface)} has other properties: {one.values_text} (A / B)"
                line = surface_line(surface)
                return Cause(CauseKind.MATERIAL, "both", text, surface, None, surface.file, line, one.places)
    return None


def _zone_cause(
    walks: dict[str, TickExplanation], differences: Sequence[LevelDifference], is_beside_walker: bool = False
) -> Cause | None:
    """A zone around a body that only one level has, or both with other properties. One that put a body elsewhere counts
    first, then the last one of B. is_beside_walker: zones count that do not act on the walker, as checkpoints do."""
    found = []
    for number, one in enumerate(differences):
        sides = [side for side, _ in SIDES if _is_in_zone(walks[side], getattr(one, side))]
        if sides and (is_beside_walker or any(zone_acts(walks[side], one, side) for side in sides)):
            side, zone = sides[0], one.part.zone
            is_respawning = zone is not None and zone.facts.role in RESPAWNING_ROLES
            is_put = walks[side].report.respawn is not None and is_respawning
            found.append(((is_put, side == "b", number), sides, one))
    if not found:
        return None
    _, sides, one = max(found, key=lambda it: it[0])
    side, is_shared = sides[0], len(sides) > 1 or (one.side == "both" and not one.has_other_shape)
    part: LevelPart = getattr(one, side)
    text = _describe_meeting(f"{part.label}, {part.place},", "is around the body", one, side, is_shared)
    return Cause(CauseKind.ZONE, "both" if is_shared else side, text, None, part.zone, part.file, part.line, one.places)


def _describe_meeting(label: str, verb: str, one: LevelDifference, side: str, is_shared: bool) -> str:
    """How a part that a body of one side meets differs between the levels. is_shared: whether the other body meets it
    too."""
    own, its = side.upper(), "A" if side == "b" else "B"
    part, its_part = (one.a, one.b) if side == "a" else (one.b, one.a)
    if its_part is None:
        return f"{label} {verb} in {own} and not in {its}"
    assert part is not None
    properties = f"other properties: {one.values_text} (A / B)" if one.values_text else ""
    if not one.has_other_shape:
        return f"{label} has {properties}"
    also = f"; it also has {properties}" if properties else ""
    if is_shared:
        return f"{label} {describe_change(its_part, part)} in {own} than in {its} ({its_part.place}){also}"
    change = describe_change(part, its_part)
    return f"{label} {verb} in {own} and not in {its}, where it {change} ({its_part.place}){also}"


def _is_of(surface: TouchedSurface, part: LevelPart | None) -> bool:
    return part is not None and (part.label, part.place) == (surface.piece, surface.place)


def _part_of(surface: TouchedSurface, side: str, differences: Sequence[LevelDifference]) -> LevelDifference | None:
    """The difference of the levels that a touched surface belongs to; of several copies the touched one."""
    kinds = (PartKind.PIECE, PartKind.MOVER)
    found = [one for one in differences if one.part.kind in kinds and _is_of(surface, getattr(one, side))]
    return min(found, key=lambda one: one.distance(surface.point), default=None)


def _is_same_plane(a: TouchedSurface, b: TouchedSurface) -> bool:
    """Whether two surfaces are of one plane, also where their triangles are cut otherwise."""
    if a.kind != b.kind or max(abs(x - y) for x, y in zip(a.normal, b.normal, strict=True)) > SAME_NORMAL:
        return False
    if a.feature != "face" or b.feature != "face":  # the contact plane of an edge is not that of its triangle
        one, other = ({tuple(corner) for corner in np.round(surface.corners, 6).tolist()} for surface in (a, b))
        return one == other
    return abs(sum(n * (x - y) for n, x, y in zip(a.normal, a.corners[0], b.corners[0], strict=True))) <= SAME_PLACE


def _has_triangle(mesh: TriangleMesh, surface: TouchedSurface) -> bool:
    """Whether the static mesh of a level has the surface's triangle."""
    corners = np.array(surface.corners).reshape(9)
    return bool((np.abs(mesh.triangles12[:, :9] - corners) < SAME_PLACE).all(axis=1).any())


def _is_in_zone(walk: TickExplanation, part: LevelPart | None) -> bool:
    """Whether the body is in a zone of its level before or after the tick, with its centre or its feet; one that was
    put elsewhere also on its way."""
    if part is None or part.zone is None:
        return False
    report = walk.report
    points = [point for state in (report.before, report.after) for point in (state.position, state.feet)]
    if report.respawn is not None:
        move = np.array(report.before.velocity) / walk.world.settings.ticks_per_second
        points += [tuple(np.array(point) + ticks * move) for point in points[:2] for ticks in (1.0, AHEAD)]
    return any(walk.world.triggers.contains(part.zone, point) for point in points)


# ---- without a part that a body meets


def _fall_cause(walks: dict[str, TickExplanation], differences: Sequence[LevelDifference]) -> Cause | None:
    """The kill height, where only one body fell below it."""
    respawns = [walk.report.respawn for walk in walks.values()]
    fallen = [one is not None and one.reason == RespawnReason.FELL for one in respawns]
    found = [one for one in differences if one.part.kind == PartKind.KILL_HEIGHT]
    return differences_cause(found) if found and fallen[0] != fallen[1] else None


def _near_differences(
    a: TickExplanation, b: TickExplanation, differences: Sequence[LevelDifference]
) -> list[LevelDifference]:
    """The differences that can act on the body in this tick, the nearest first."""
    start = a.report.before.position
    ends = [one.report.after.position for one in (a, b) if one.report.respawn is None]
    reach = NEAR + max((math.dist(start, end) for end in ends), default=0.0) + max(a.world.settings.radii)
    near = [one for one in differences if one.part.kind in FACTORS and one.distance(start) < reach]
    if len(ends) < 2:
        near += [one for one in differences if one.part.kind in RESPAWN_KINDS]
    return order_by_distance(near, start)


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


def _cause_of_one(side: str, walk: TickExplanation | None) -> Cause:
    """The cause where the tick of at least one walk cannot be simulated again."""
    if walk is None:
        text = "the tick cannot be simulated again, so nothing is known of its surfaces"
        return Cause(CauseKind.UNKNOWN, "", text)
    text = f"the tick of {'A' if side == 'b' else 'B'} cannot be simulated again"
    if walk.report.surfaces:
        listed = "; ".join(describe_surface(surface).rstrip(",") for surface in walk.report.surfaces)
        text += f"; {side.upper()} touches {listed}"
    return Cause(CauseKind.UNKNOWN, "", text)


# ---- before the first tick


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
    level_a, level_b = levels
    differences = [] if level_a is None or level_b is None else level_differences(level_a, level_b)
    spawns = [one for one in differences if one.part.kind == PartKind.SPAWN and _is_start(one, feet)]
    text = f"the walks begin with different states: {_start_differences(a, b, feet, names, settings, bool(spawns))}"
    if level_a is None or level_b is None:
        return Cause(CauseKind.UNKNOWN, "", text)
    is_moved = "heading" in names or float(np.linalg.norm(feet[1] - feet[0])) > SAME_PLACE
    found = spawns if is_moved else []
    if not found and settings:
        return replace(settings_cause(level_a, level_b, settings), text=text)
    at: Point = tuple(feet[1].tolist())
    acting = [one for one in order_by_distance(differences, at) if one.part.kind in FACTORS]
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


# ---- words


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
