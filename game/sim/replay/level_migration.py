"""Migration of a running world to another version of its level: the walker keeps its place where there is room."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from ...core.vectors import Point
from ...physics import Ellipsoid, TriangleMesh, WalkerSettings, WalkerState
from ...physics.rules import NEVER
from ..bots.free_space import PROBE_RADIUS, UP, clearance_ellipsoid, free_positions, is_inside_solid
from ..world import World
from ..world_state import mover_like

if TYPE_CHECKING:
    from ...level import Level, Target

MAX_LIFT = 60.0  # m upwards that are searched
MAX_SHIFT = 6.0  # m sideways that are searched
SEARCH_SPACING_FRACTION = 0.06  # spacing of the positions tried, as a fraction of their distance
SETTLE_DISTANCE = 0.1  # m, beside the spacing, that the body is lowered onto the ground after a move
GROUND_PROBE_DISTANCE = 2.0  # m below the feet within which a safe place has ground
SEARCH_BATCH_SIZE = 24  # positions tested in one query
SEARCH_DIRECTIONS = 12


class MigrationOutcome(Enum):
    """The place of the walker in the other version of the level."""

    STAYED = auto()
    PUSHED = auto()  # to the nearest free position
    SAFE = auto()  # back to the last safe place
    SPAWN = auto()  # back to the spawn


@dataclass(frozen=True, slots=True)
class MigrationResult:
    """The world of the other version, the place of the walker in it, and the distance (m) that it was moved."""

    world: World
    outcome: MigrationOutcome
    distance: float = 0.0


def migrate_world(old: World, level: Level) -> MigrationResult:
    """A world of `level` with the walker, clock, goal, targets, balls and golf round of `old`.

    Targets are matched by name, or by place where they have none. A walker with the body of `old.level` gets the body
    of `level`, with its feet in place; settings of another source stay. ValueError where the spawn of `level` has no
    room.
    """
    spawn_names = {spawn.name for spawn in level.spawns}
    settings = level.player if old.settings == old.level.player else old.settings
    new = World(level, settings, old.start.name if old.start.name in spawn_names else None)
    resized = _BodyChange(old.settings, new.settings)
    safe_state = resized.apply(old.safe_state)
    outcome, distance, state = _find_place(old, new, resized.apply(old.walker_state), safe_state)
    state = _migrate_platform(old, new, state)
    new.tick = old.tick
    new.walker_state = state
    same_goal = old.level.goal is not None and level.goal is not None and old.level.goal == level.goal
    new.goal_tick = old.goal_tick if same_goal else NEVER
    touched = {_target_key(target) for target, flag in zip(old.level.targets, old.reached_targets, strict=True) if flag}
    new.reached_targets = [_target_key(target) in touched for target in new.level.targets]
    new.balls.migrate_from(old.balls)
    if new.golf is not None and old.golf is not None:
        new.golf.migrate_from(old.golf)
    rest = state.replace(velocity=(0.0, 0.0, 0.0))
    safe = next((safe for safe in (safe_state, rest) if _is_standable(old, new, safe)), new.safe_state)
    new.continue_from(old, safe, resized.apply)
    return MigrationResult(new, outcome, distance)


@dataclass(frozen=True, slots=True)
class _BodyChange:
    """Change of the walker's body from one set of settings to another."""

    before: WalkerSettings
    after: WalkerSettings

    def apply(self, state: WalkerState) -> WalkerState:
        """The state with the other body: same feet, also at the safe place in it."""
        if self.before.radii == self.after.radii and self.before.crouch_height == self.after.crouch_height:
            return state
        row = state.row()
        row["position"] += self._rise(state.crouched) * row["up"]
        row["safe"] += self._rise(bool(row["safe_crouched"][0])) * row["safe_up"]
        row["radii"] = self.after.crouch_radii if state.crouched else self.after.radii
        return WalkerState(row)

    def _rise(self, crouched: bool) -> float:
        """Displacement of the body's centre along up, m."""
        if crouched:
            return self.after.crouch_radii[1] - self.before.crouch_radii[1]
        return self.after.radii[1] - self.before.radii[1]


def _target_key(target: Target) -> object:
    """Identity of a target across versions: its name, or its place where it has none."""
    return target.name or tuple(target.at)


def _migrate_platform(old: World, new: World, state: WalkerState) -> WalkerState:
    """The state on the platform of the same name, or of the same number where it has no name; else on none."""
    if state.mover < 0:
        return state
    row = state.row()
    row["mover"] = mover_like(_mover_names(new), _mover_names(old)[state.mover], state.mover) + 1
    return WalkerState(row)


def _find_place(
    old: World, new: World, state: WalkerState, safe: WalkerState
) -> tuple[MigrationOutcome, float, WalkerState]:
    """The place of the body `state` in the new world, or of `safe`, where the body was safe in the old one."""
    if _is_place_valid(old.mesh, new.mesh, state):
        return MigrationOutcome.STAYED, 0.0, state
    x, y, z = state.position
    places: list[Point] = []
    for place in [*_nearby_places(x, y, z), None]:
        if place is not None:
            places.append(place)
        if places and (place is None or len(places) == SEARCH_BATCH_SIZE):
            for position in free_positions(new.mesh, places, state):
                if not is_inside_solid(new.mesh, position, (UP,)):
                    settled = _settle_on_ground(new.mesh, position, state)
                    vx, vy, vz = state.velocity
                    moved = state.replace(position=settled, velocity=(vx, max(vy, 0.0), vz))
                    return MigrationOutcome.PUSHED, math.dist(settled, (x, y, z)), moved
            places = []
    if _is_place_valid(old.mesh, new.mesh, safe):
        return MigrationOutcome.SAFE, math.dist(safe.position, (x, y, z)), _at_rest(state, safe)
    spawn = new.walker_state
    return MigrationOutcome.SPAWN, math.dist(spawn.position, (x, y, z)), _at_rest(state, spawn)


def _at_rest(state: WalkerState, other: WalkerState) -> WalkerState:
    """`other` at rest, with the tick of `state`."""
    row = other.row()
    row["tick"] = state.tick
    row["velocity"] = row["falling"] = 0.0
    return WalkerState(row)


def _is_place_valid(before: TriangleMesh, after: TriangleMesh, state: WalkerState) -> bool:
    """Whether the body is free, and neither inside nor under a solid that is new."""
    if not free_positions(after, [state.position], state):
        return False
    return not is_inside_solid(after, state.position, (UP,)) or is_inside_solid(before, state.position, (UP,))


def _is_standable(old: World, new: World, state: WalkerState) -> bool:
    """Whether the place has ground below and is valid in the new world."""
    down = (0.0, -state.radii[1] - GROUND_PROBE_DISTANCE, 0.0)
    has_ground = new.mesh.sweep(Ellipsoid((PROBE_RADIUS,) * 3), state.position, 0.0, down) is not None
    return has_ground and _is_place_valid(old.mesh, new.mesh, state)


def _settle_on_ground(mesh: TriangleMesh, place: Point, state: WalkerState) -> Point:
    """The position, lowered onto ground that is near."""
    body = clearance_ellipsoid(state)
    reach = SETTLE_DISTANCE + SEARCH_SPACING_FRACTION * math.dist(place, state.position)
    hit = mesh.sweep(body, place, state.yaw, (0.0, -reach, 0.0))
    down = 0.0 if hit is None else max(0.0, hit.distance - 1e-3)
    return (place[0], place[1] - down, place[2])


def _nearby_places(x: float, y: float, z: float) -> Iterator[Point]:
    """Positions above and around a point, by distance."""
    candidates: list[tuple[float, Point]] = []
    height = 0.02
    while height < MAX_LIFT:
        candidates.append((height, (x, y + height, z)))
        height += max(0.05, SEARCH_SPACING_FRACTION * height)
    reach = 0.05
    while reach < MAX_SHIFT:
        for k in range(SEARCH_DIRECTIONS):
            angle = k * math.tau / SEARCH_DIRECTIONS
            for lift in (0.0, 0.25):
                place = (x + reach * math.cos(angle), y + lift, z + reach * math.sin(angle))
                candidates.append((math.hypot(reach, lift) * 1.01, place))
        reach *= 1.35
    return iter(place for _, place in sorted(candidates))


def _mover_names(world: World) -> tuple[str, ...]:
    movers = None if world.environment is None else world.environment.movers
    return () if movers is None else movers.names
