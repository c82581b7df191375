"""Factors of a tick that end it otherwise: it is simulated again with the body, the mesh, the platforms or the zones of
the other walk."""

from __future__ import annotations

from typing import Any

from ...level.build.entities.zones import build_physics_zones
from ...level.format.schema.zones import RunRole
from ...physics import Environment
from .level_differences import OTHER_SIDE, LevelDifference
from .level_parts import PartKind
from .walk_source import TickExplanation

Factors = dict[PartKind, Any]  # what a tick is computed from, by the kind of the parts that it stands for
ACTING_KINDS = (PartKind.PLAYER, PartKind.PIECE, PartKind.MOVER, PartKind.ZONE)
RESPAWNING_ROLES = (RunRole.KILL, RunRole.TELEPORT)  # of zones that put a body elsewhere


def acting_kinds(a: TickExplanation, b: TickExplanation) -> tuple[PartKind, ...]:
    """The kinds of parts with which one walk's tick ends otherwise, if they are those of the other walk. All of them
    where none does so alone, and where a body was put elsewhere, which is not computed here."""
    if a.report.respawn is not None or b.report.respawn is not None:
        return ACTING_KINDS
    own, its = _factors(a), _factors(b)
    found = tuple(
        kind
        for kind in ACTING_KINDS
        if _changes(a, own, own | {kind: its[kind]}) or _changes(b, its, its | {kind: own[kind]})
    )
    return found or ACTING_KINDS


def zone_acts(walk: TickExplanation, one: LevelDifference, side: str) -> bool:
    """Whether the tick of a walk ends otherwise with the other level's zone in the place of its own, or without it."""
    part = one.of(side)
    its_part = one.of(OTHER_SIDE[side])
    assert part is not None
    assert part.zone is not None
    if walk.report.respawn is not None:
        return part.zone.facts.role in RESPAWNING_ROLES
    own = _factors(walk)
    zones = list(own[PartKind.ZONE])
    index = zones.index(part.zone)
    zones[index : index + 1] = [] if its_part is None else [its_part.zone]
    return _changes(walk, own, own | {PartKind.ZONE: zones})


def _factors(walk: TickExplanation) -> Factors:
    world = walk.world
    movers = None if world.environment is None else world.environment.movers
    return dict(zip(ACTING_KINDS, (world.walker, world.mesh, movers, world.level.all_zones), strict=True))


def _changes(walk: TickExplanation, own: Factors, changed: Factors) -> bool:
    """Whether the tick ends otherwise. True where that cannot be told, as with a zone on a mover that is not there."""
    try:
        return _end_of_tick(walk, own) != _end_of_tick(walk, changed)
    except ValueError:
        return True


def _end_of_tick(walk: TickExplanation, factors: Factors) -> bytes:
    walker, mesh, movers, zones = (factors[kind] for kind in ACTING_KINDS)
    around = Environment(build_physics_zones(zones), movers)
    state, _ = walker.step(walk.report.before, walk.command, mesh, around, walk.world.tick - 1)
    end: bytes = state.to_bytes()
    return end
