"""Zone that made a difference: one that only one of two levels has, or with other properties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...level.build.entities.zones import LevelZone
from ...level.format.schema.zones import RunRole
from ...physics import WalkerState
from .acting_parts import zone_acts
from .level_differences import NO_PLACE, LevelDifference, Place, changed_values
from .level_parts import zone_label, zone_values
from .part_change import describe_zone_change
from .walk_source import TickExplanation

RESPAWNING = (RunRole.KILL, RunRole.TELEPORT)  # put a body elsewhere
AHEAD = 1.5  # ticks of movement that reach into a zone from which the body was put elsewhere

Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class ZoneDifference:
    """side: "a", "b" or "both"; text: a sentence; file: of the zone; places: file and line in A and in B."""

    side: str
    text: str
    zone: LevelZone
    file: str
    places: tuple[Place, Place]


def find_zone_difference(
    a: TickExplanation, b: TickExplanation, differences: Sequence[LevelDifference], with_passive: bool = False
) -> ZoneDifference | None:
    """The zone around a body in this tick that only one level has, or both with other properties. One that put a body
    elsewhere counts first, then the last one of a level that acts. differences: of the levels. with_passive:
    checkpoints count too, and zones that do not act on the walker."""
    walks = {"a": a, "b": b}
    points = _points(a) + _points(b)
    found: list[tuple[tuple[bool, bool, bool, int], str, LevelZone]] = []
    for side, other in (("a", "b"), ("b", "a")):
        others = list(map(_effect, walks[other].world.level.areas))
        respawned = walks[side].report.respawn is not None
        for number, zone in enumerate(_zones_around(walks[side], points)):
            role = zone.facts.role
            if _effect(zone) not in others and (with_passive or role is not RunRole.CHECKPOINT):
                weight = (respawned and role in RESPAWNING, role is not RunRole.CHECKPOINT, side == "b", number)
                found.append((weight, side, zone))
    if not found:
        return None
    acting = (
        []
        if with_passive
        else [one for one in found if zone_acts(walks[one[1]], one[2], _partner(differences, one[2]))]
    )
    _, side, zone = max(acting or found, key=lambda one: one[0])
    return _describe(walks, side, zone, _partner(differences, zone))


def _describe(
    walks: dict[str, TickExplanation], side: str, zone: LevelZone, partner: LevelZone | None
) -> ZoneDifference:
    """The sentence about a zone of one side. partner: the zone of the other level that stands for it."""
    other = "a" if side == "b" else "b"
    owner = side

    def place_in(letter: str, one: LevelZone | None) -> Place:
        return NO_PLACE if one is None else (one.place.file or str(walks[letter].world.level.path), one.place.line)

    def places(one: LevelZone | None) -> tuple[Place, Place]:
        both = {owner: place_in(owner, zone), other: place_in(other, one)}
        return both["a"], both["b"]

    file = place_in(side, zone)[0]
    label = f"{zone_label(zone)}, {Path(file).name}:{zone.place.line},"
    twin = next((one for one in walks[other].world.level.areas if _box(one) == _box(zone)), None)
    if twin is None:
        own, its = side.upper(), other.upper()
        its_file, its_line = place_in(other, partner)
        its_place = f" ({Path(its_file).name}:{its_line})"
        pairs = {} if partner is None else {side: zone_values(zone), other: zone_values(partner)}
        values = changed_values(pairs["a"], pairs["b"]) if pairs else ""
        also = f"; it also has other properties: {values} (A / B)" if values else ""
        text = f"{label} is around the body in {own} and not in {its}"
        if partner is not None and partner in _zones_around(walks[other], _points(walks[other])):
            change = describe_zone_change(partner, zone)
            has = "has another shape or place" if change is None else change.predicate
            text, side = f"{label} {has} in {own} than in {its}{its_place}{also}", "both"
        elif partner is not None:
            change = describe_zone_change(zone, partner)
            it_has = "it has another shape or place" if change is None else change.clause
            text += f", where {it_has}{its_place}{also}"
        return ZoneDifference(side, text, zone, file, places(partner))
    pairs = {side: zone_values(zone), other: zone_values(twin)}
    values = changed_values(pairs["a"], pairs["b"])
    return ZoneDifference("both", f"{label} has other properties: {values} (A / B)", zone, file, places(twin))


def _partner(differences: Sequence[LevelDifference], zone: LevelZone) -> LevelZone | None:
    """The zone of the other level that stands for this one."""
    for one in differences:
        if one.a is not None and one.b is not None and zone in (one.a.zone, one.b.zone):
            return one.b.zone if zone == one.a.zone else one.a.zone
    return None


def _points(walk: TickExplanation) -> list[Point]:
    """Centre and feet of the body before and after the tick; of one that was put elsewhere, also on its way."""
    report = walk.report
    points = [point for state in (report.before, report.after) for point in (state.position, state.feet)]
    if report.respawn is not None:
        points += _points_ahead(report.before, 1.0 / walk.world.settings.ticks_per_second)
    return points


def _points_ahead(state: WalkerState, seconds: float) -> list[Point]:
    def ahead(point: Point, ticks: float) -> Point:
        x, y, z = (at + ticks * seconds * speed for at, speed in zip(point, state.velocity, strict=True))
        return x, y, z

    return [ahead(point, ticks) for point in (state.position, state.feet) for ticks in (1.0, AHEAD)]


def _zones_around(walk: TickExplanation, points: Sequence[Point]) -> list[LevelZone]:
    """The zones of a level that contain one of the points."""
    effects = walk.world.zone_effects
    return [area for area in walk.world.level.areas if any(effects.contains(area, point) for point in points)]


def _box(zone: LevelZone) -> tuple[object, ...]:
    return zone.kind, zone.centre, zone.half, zone.heading


def _effect(zone: LevelZone) -> tuple[object, ...]:
    """Box and properties of a zone: not its name and colour."""
    return *_box(zone), zone_values(zone)
