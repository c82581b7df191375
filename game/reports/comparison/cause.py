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
from ...core.vectors import Floats, Point, to_point
from ...core.walker_settings import WalkerSettings
from ...level import Level
from ...level.build.entities.zones import LevelZone
from ...physics import TriangleMesh
from ...sim.events import Event, RespawnReason
from ...sim.replay.tick_report import TouchedSurface
from .acting_factors import ACTING_KINDS, acting_kinds, zone_acts
from .level_differences import (
    NO_PLACE,
    OTHER_SIDE,
    SAME_LENGTH,
    LevelDifference,
    Place,
    describe_change,
    level_differences,
    list_differences,
)
from .level_parts import LevelPart, PartKind, player_part
from .walk_source import TickExplanation

SPAWN_REACH = 0.1  # m from a spawn to the feet of a body that begins there
NEAR = 4.0  # m from the body to the box of a part that can act on it
AHEAD = (1.0, 1.5)  # ticks of movement that reach into a zone from which the body was put elsewhere
START_FIELDS = ("position", "heading", "radii", "north")  # north turns with the heading of the spawn
EVENT_KINDS = {  # of parts that make an event beside the walker
    "GoalReached": (PartKind.GOAL, PartKind.TARGET, PartKind.GOLF),
    "TargetReached": (PartKind.TARGET, PartKind.BALL),
    "ExitReached": (PartKind.EXIT,),
    "CheckpointReached": (PartKind.ZONE,),
}

Walks = dict[str, TickExplanation]  # of "b" and "a": what B has counts first


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
    walks = {"b": b, "a": a}
    settings = changed_settings(a.world.settings, b.world.settings)
    differences = level_differences(a.world.level, b.world.level)
    kinds = acting_kinds(a, b)
    acting = [one for one in differences if one.part.kind in kinds]
    found = (
        _fall_cause(walks, differences)
        or _surface_cause(walks, acting)
        or _zone_cause(walks, [one for one in acting if _is_acting_zone(walks, one)])
    )
    if found is not None:
        too = f"; the bodies differ too ({', '.join(settings)})" if settings else ""
        return replace(found, text=found.text + too)
    near = _near_differences(acting, a.report.before.position)
    if settings and PartKind.PLAYER in kinds:
        cause = _settings_cause(a.world.level, b.world.level, settings)
        return replace(cause, text=f"{cause.text}; the levels differ too: {list_differences(near)}") if near else cause
    return _differences_cause(near) if near or not differences else _list_cause(differences)


def find_world_cause(a: TickExplanation | None, b: TickExplanation | None, events: Sequence[Event]) -> Cause:
    """The cause of a difference beside the walkers. events: those of which the other walk has none."""
    if a is None or b is None:
        return _unknown_cause("the walkers are the same; what the world keeps beside them differs")
    differences = level_differences(a.world.level, b.world.level)
    wanted = {kind for event in events for kind in EVENT_KINDS.get(type(event).__name__, ())}
    matching = [one for one in differences if one.part.kind in wanted]
    zone = _zone_cause({"b": b, "a": a}, differences)
    if zone is not None and (not matching or PartKind.ZONE in wanted):
        return zone
    beside = [one for one in differences if one.part.kind != PartKind.PIECE]
    return _differences_cause(matching or beside or differences)


# ---- parts that a body meets


def _fall_cause(walks: Walks, differences: Sequence[LevelDifference]) -> Cause | None:
    """The kill height, where only one body fell below it."""
    respawns = [walk.report.respawn for walk in walks.values()]
    fallen = [one is not None and one.reason == RespawnReason.FELL for one in respawns]
    found = [one for one in differences if one.part.kind == PartKind.KILL_HEIGHT]
    return _differences_cause(found) if found and fallen[0] != fallen[1] else None


def _surface_cause(walks: Walks, differences: Sequence[LevelDifference]) -> Cause | None:
    """A surface that a body touches, of a part with another material in the other level, or where the other walk has no
    such surface. A new one that stops the body counts first, then walls, then those of B."""
    found = [
        (side, surface, one)
        for side, walk in walks.items()
        for surface in walk.report.surfaces
        if (one := _part_of(surface, side, differences)) is not None
        and (one.is_material or not _has_surface(walks[OTHER_SIDE[side]], surface, one))
    ]
    if not found:
        return None
    side, surface, one = max(found, key=lambda it: (not it[2].is_material, it[1].stopped, it[1].kind != "walkable"))
    part = one.of(side)
    its_part = one.of(OTHER_SIDE[side])
    assert part is not None
    is_shared = any(_is_of(its, its_part) for its in walks[OTHER_SIDE[side]].report.surfaces)
    label = _describe_surface(surface) + (f" inside {part.inside}," if part.inside else "")
    verb = "stops the body" if surface.stopped else "is touched"
    text = _describe_meeting(label, verb, one, side, is_shared)
    kind = CauseKind.MATERIAL if one.is_material else CauseKind.SURFACE
    return _part_cause(one, part, text, kind, "both" if one.is_material else side, surface)


def _zone_cause(walks: Walks, differences: Sequence[LevelDifference]) -> Cause | None:
    """A zone around a body that only one level has, or both with other properties: the last one of B, else of A."""
    found = [
        (sides, one)
        for one in differences
        if (sides := [side for side, walk in walks.items() if _is_in_zone(walk, one.of(side))])
    ]
    if not found:
        return None
    sides, one = sorted(found, key=lambda it: it[0][0])[-1]
    side = sides[0]
    is_shared = len(sides) > 1 or (one.side == "both" and not one.has_other_shape)
    part = one.of(side)
    assert part is not None
    text = _describe_meeting(f"{part.label}, {part.place},", "is around the body", one, side, is_shared)
    return _part_cause(one, part, text, CauseKind.ZONE, "both" if is_shared else side)


def _describe_meeting(label: str, verb: str, one: LevelDifference, side: str, is_shared: bool) -> str:
    """How a part that a body of one side meets differs between the levels. is_shared: whether the other body meets it
    too."""
    own, its = side.upper(), OTHER_SIDE[side].upper()
    part = one.of(side)
    its_part = one.of(OTHER_SIDE[side])
    if part is None or its_part is None:
        return f"{label} {verb} in {own} and not in {its}"
    if not one.has_other_shape:
        return f"{label} {one.properties_text}"
    also = f"; it also {one.properties_text}" if one.properties_text else ""
    if is_shared:
        return f"{label} {describe_change(its_part, part)} in {own} than in {its} ({its_part.place}){also}"
    change = describe_change(part, its_part)
    return f"{label} {verb} in {own} and not in {its}, where it {change} ({its_part.place}){also}"


def _part_of(surface: TouchedSurface, side: str, differences: Sequence[LevelDifference]) -> LevelDifference | None:
    """The difference of the levels that a touched surface belongs to; of several copies the touched one."""
    found = [one for one in differences if one.part.kind != PartKind.ZONE and _is_of(surface, one.of(side))]
    return min(found, key=lambda one: one.distance(surface.point), default=None)


def _is_of(surface: TouchedSurface, part: LevelPart | None) -> bool:
    return part is not None and (part.label, part.place) == (surface.piece, surface.place)


def _has_surface(walk: TickExplanation, surface: TouchedSurface, one: LevelDifference) -> bool:
    """Whether a walk touches a surface of the other walk too, or a static one is in its level."""
    if any(_is_same_plane(surface, its) for its in walk.report.surfaces):
        return True
    return one.part.kind == PartKind.PIECE and _has_triangle(walk.world.mesh, surface)


def _is_same_plane(a: TouchedSurface, b: TouchedSurface) -> bool:
    """Whether two surfaces are of one plane, also where their triangles are cut otherwise."""
    if a.kind != b.kind or not np.allclose(a.normal, b.normal, rtol=0.0, atol=SAME_LENGTH):
        return False
    if a.feature == b.feature == "face":
        return bool(abs(np.subtract(a.corners[0], b.corners[0]) @ a.normal) <= SAME_LENGTH)
    # The contact plane of an edge is not that of its triangle.
    return np.allclose(sorted(a.corners), sorted(b.corners), rtol=0.0, atol=SAME_LENGTH)


def _has_triangle(mesh: TriangleMesh, surface: TouchedSurface) -> bool:
    corners = np.array(surface.corners).reshape(9)
    return bool((np.abs(mesh.triangles12[:, :9] - corners) < SAME_LENGTH).all(axis=1).any())


def _is_acting_zone(walks: Walks, one: LevelDifference) -> bool:
    is_zone = one.part.kind == PartKind.ZONE
    return is_zone and any(one.of(side) is not None and zone_acts(walk, one, side) for side, walk in walks.items())


def _is_in_zone(walk: TickExplanation, part: LevelPart | None) -> bool:
    """Whether the body is in a zone of its level before or after the tick, with its centre or its feet; one that was
    put elsewhere also on its way."""
    if part is None or part.zone is None:
        return False
    report = walk.report
    points = [point for state in (report.before, report.after) for point in (state.position, state.feet)]
    if report.respawn is not None:
        move = np.array(report.before.velocity) / walk.world.settings.ticks_per_second
        points += [to_point(np.array(point) + ticks * move) for point in points[:2] for ticks in AHEAD]
    return any(walk.world.triggers.contains(part.zone, point) for point in points)


# ---- without a part that a body meets


def _near_differences(differences: Sequence[LevelDifference], at: Point) -> list[LevelDifference]:
    """Those that can act on a body there, the nearest first; all that act somewhere where none is near."""
    acting = [one for one in differences if one.part.kind in ACTING_KINDS]
    acting.sort(key=lambda one: one.distance(at))
    return [one for one in acting if one.distance(at) < NEAR] or acting


def _settings_cause(a: Level, b: Level, settings: Sequence[str]) -> Cause:
    """The cause for other bodies, with the line of `player` where a level has it."""
    text = f"the bodies differ: {', '.join(settings)} (A / B)"
    body = LevelDifference(player_part(a), player_part(b))
    if a.player == b.player or not body.part.line:
        return Cause(CauseKind.SETTINGS, "both", text)
    text += f"; `player` is in {body.part.place}{body.other_place}"
    return _part_cause(body, body.part, text, CauseKind.SETTINGS)


def _differences_cause(differences: Sequence[LevelDifference]) -> Cause:
    """The cause where the tick shows none: the one difference of the levels, or a list of them."""
    if not differences:
        return _unknown_cause("the levels and the bodies are the same; the rules or the kind of machine may differ")
    if len(differences) > 1:
        return _list_cause(differences)
    one = differences[0]
    kinds = {
        PartKind.PIECE: CauseKind.MATERIAL if one.is_material else CauseKind.SURFACE,
        PartKind.MOVER: CauseKind.MOVER,
        PartKind.ZONE: CauseKind.ZONE,
    }
    return _part_cause(one, one.part, one.describe(), kinds.get(one.part.kind, CauseKind.LEVEL))


def _part_cause(
    one: LevelDifference,
    part: LevelPart,
    text: str,
    kind: CauseKind,
    side: str = "",
    surface: TouchedSurface | None = None,
) -> Cause:
    """part: the one to name. side: empty for that of the difference."""
    return Cause(kind, side or one.side, text, surface, part.zone, part.file, part.line, one.places)


def _list_cause(differences: Sequence[LevelDifference]) -> Cause:
    """No cause: a list of what differs between the levels."""
    listed = list_differences(differences)
    return _unknown_cause(f"nothing that the body meets in this tick shows it; the levels differ: {listed}")


def _unknown_cause(text: str) -> Cause:
    return Cause(CauseKind.UNKNOWN, "", text)


def _cause_of_one(side: str, walk: TickExplanation | None) -> Cause:
    """The cause where the tick of at least one walk cannot be simulated again."""
    if walk is None:
        return _unknown_cause("the tick cannot be simulated again, so nothing is known of its surfaces")
    text = f"the tick of {OTHER_SIDE[side].upper()} cannot be simulated again"
    listed = "; ".join(_describe_surface(surface).rstrip(",") for surface in walk.report.surfaces)
    return _unknown_cause(f"{text}; {side.upper()} touches {listed}" if listed else text)


def _describe_surface(surface: TouchedSurface) -> str:
    """`box (wall), yard.yaml:5,`."""
    text = surface.piece if surface.piece == surface.kind else f"{surface.piece or 'a surface'} ({surface.kind})"
    return f"{text}, {surface.place}," if surface.place else text


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
    moved = float(np.linalg.norm(feet[1] - feet[0]))
    where = "the spawn" if spawns and not a["tick"] and not b["tick"] else "the start"
    texts = [f"{where} moved by {moved:.3g} m"] if moved > SAME_LENGTH else []
    if "heading" in names:
        degrees = [float(row["heading"]) * DEGREES_PER_HEADING_UNIT for row in (a, b)]
        texts.append(f"the heading is {degrees[0]:.2f}° in A and {degrees[1]:.2f}° in B")
    has_moved = bool(texts)
    if "radii" in names or settings:
        texts.append(f"the bodies differ ({', '.join(settings) or 'radii'})")
    others = [name.replace("_", " ") for name in names if name not in START_FIELDS and not name.startswith("safe")]
    if others:
        texts.append(f"other values of {', '.join(others)}")
    text = f"the walks begin with different states: {', '.join(texts) or 'the safe place'}"
    if level_a is None or level_b is None:
        return _unknown_cause(text)
    found = spawns if has_moved else []
    if not found and settings:
        return replace(_settings_cause(level_a, level_b, settings), text=text)
    found = found or _near_differences(differences, to_point(feet[1]))
    if len(found) != 1:
        return _unknown_cause(text + (f"; the levels differ: {list_differences(found)}" if found else ""))
    cause = _differences_cause(found)
    text += f"; {cause.text}" if cause.kind != CauseKind.LEVEL else f", {found[0].part.place}{found[0].other_place}"
    return replace(cause, text=text)


def _is_start(spawn: LevelDifference, feet: tuple[Floats, Floats]) -> bool:
    """Whether one of the walks begins at this spawn."""
    pairs = [(part, at) for part, at in zip((spawn.a, spawn.b), feet, strict=True) if part is not None]
    return any(math.dist(part.values["at"], at) < SPAWN_REACH for part, at in pairs)


def changed_settings(a: WalkerSettings, b: WalkerSettings) -> list[str]:
    """`step_height 0.3 / 0.2` for each setting that differs."""
    pairs = [(field.name, getattr(a, field.name), getattr(b, field.name)) for field in fields(a)]
    return [f"{name} {one} / {other}" for name, one, other in pairs if one != other]


def common_share(a: Level, b: Level) -> float:
    """Share (0..1) of the triangles of the smaller level that the other one has too; 1 for a level without any."""
    rows = [set(map(tuple, np.round(level.mesh.triangles12[:, :9], 6).tolist())) for level in (a, b)]
    count = min(map(len, rows))
    return len(rows[0] & rows[1]) / count if count else 1.0
