"""Factors of a tick that end it otherwise: it is simulated again with the body, the mesh, the platforms or the zones of
the other walk."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from ...level.build.entities.zones import LevelZone, build_physics_zones
from ...physics import Environment, Movers, TriangleMesh, Walker
from ...sim import World
from .level_differences import LevelDifference
from .level_parts import PartKind
from .walk_source import TickExplanation

FACTORS = {  # of the parts that act on a walker
    PartKind.PLAYER: "walker", PartKind.PIECE: "mesh", PartKind.MOVER: "movers", PartKind.ZONE: "zones",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Factors:
    """What a tick of the walker is computed from."""

    walker: Walker
    mesh: TriangleMesh
    movers: Movers | None
    zones: tuple[LevelZone, ...]


def acting_factors(a: TickExplanation, b: TickExplanation) -> set[str]:
    """The factors of which one walk's tick ends otherwise with that of the other walk. All of them where none does so
    alone, and where a body was put elsewhere, which is not computed here."""
    names = {field.name for field in fields(_Factors)}
    if a.report.respawn is not None or b.report.respawn is not None:
        return names
    own, its = _factors(a.world), _factors(b.world)
    found = {
        name
        for name in names
        if _changes(a, own, replace(own, **{name: getattr(its, name)}))
        or _changes(b, its, replace(its, **{name: getattr(own, name)}))
    }
    return found or names


def zone_acts(walk: TickExplanation, one: LevelDifference, side: str) -> bool:
    """Whether the tick of a walk ends otherwise with the other level's zone in the place of its own, or without it."""
    if walk.report.respawn is not None:
        return True
    own, zone = _factors(walk.world), getattr(one, side).zone
    its_part = one.a if side == "b" else one.b
    instead = () if its_part is None else (its_part.zone,)
    index = own.zones.index(zone)
    return _changes(walk, own, replace(own, zones=(*own.zones[:index], *instead, *own.zones[index + 1 :])))


def _factors(world: World) -> _Factors:
    movers = None if world.environment is None else world.environment.movers
    return _Factors(world.walker, world.mesh, movers, world.level.all_zones)


def _changes(walk: TickExplanation, own: _Factors, changed: _Factors) -> bool:
    """Whether the tick ends otherwise. True where that cannot be told, as with a zone on a mover that is not there."""
    try:
        return _end_of_tick(walk, own) != _end_of_tick(walk, changed)
    except ValueError:
        return True


def _end_of_tick(walk: TickExplanation, factors: _Factors) -> bytes:
    around = Environment(build_physics_zones(factors.zones), factors.movers)
    clock = walk.world.tick - 1
    state, _ = factors.walker.step(walk.report.before, walk.command, factors.mesh, around, clock)
    return state.to_bytes()
