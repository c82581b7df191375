"""Parts of two levels that act in a tick: it is simulated again with one of them exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from ...level.build.entities.zones import LevelZone, build_physics_zones
from ...physics import Environment, Movers, TriangleMesh, Walker
from ...sim import World
from .walk_source import TickExplanation


class Factor(StrEnum):
    """What a tick of the walker is computed from; the names of `_Inputs`."""

    WALKER = "walker"
    MESH = "mesh"
    MOVERS = "movers"
    ZONES = "zones"


@dataclass(frozen=True, slots=True)
class _Inputs:
    walker: Walker
    mesh: TriangleMesh
    movers: Movers | None
    zones: tuple[LevelZone, ...]


def acting_factors(a: TickExplanation, b: TickExplanation) -> set[Factor]:
    """The factors of which one walk's tick ends otherwise with that of the other walk. All of them where none does so
    alone, and where a body was put elsewhere, which is not computed here."""
    if _is_put_elsewhere(a) or _is_put_elsewhere(b):
        return set(Factor)
    one, other = _inputs(a.world), _inputs(b.world)
    found = set()
    for factor in Factor:
        for walk, own, others in ((a, one, other), (b, other, one)):
            if _changes(walk, own, replace(own, **{factor.value: getattr(others, factor.value)})):
                found.add(factor)
    return found or set(Factor)


def zone_acts(walk: TickExplanation, zone: LevelZone, partner: LevelZone | None) -> bool:
    """Whether the tick of a walk ends otherwise with the partner in the place of one of its zones, or without it."""
    if _is_put_elsewhere(walk):
        return True
    own = _inputs(walk.world)
    index = own.zones.index(zone)
    instead: Sequence[LevelZone] = () if partner is None else (partner,)
    return _changes(walk, own, replace(own, zones=(*own.zones[:index], *instead, *own.zones[index + 1 :])))


def _is_put_elsewhere(walk: TickExplanation) -> bool:
    return walk.report.respawn is not None


def _inputs(world: World) -> _Inputs:
    movers = None if world.around is None else world.around.movers
    return _Inputs(world.walker, world.mesh, movers, world.level.areas)


def _changes(walk: TickExplanation, own: _Inputs, changed: _Inputs) -> bool:
    """Whether the tick ends otherwise. True where that cannot be told, as with a zone on a mover that is not there."""
    try:
        return _end_of_tick(walk, own) != _end_of_tick(walk, changed)
    except ValueError:
        return True


def _end_of_tick(walk: TickExplanation, inputs: _Inputs) -> bytes:
    around = Environment(build_physics_zones(inputs.zones), inputs.movers)
    clock = walk.world.tick - 1
    state, _ = inputs.walker.step(walk.report.before, walk.command, inputs.mesh, around, clock)
    return state.to_bytes()
