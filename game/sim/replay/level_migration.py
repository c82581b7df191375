"""A world goes on in another version of its level: the walker stays where it is, if there is room."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...physics import Ellipsoid, TriangleMesh, WalkerState
from ..events import Point
from ..world import NEVER, World

if TYPE_CHECKING:
    from ...level import Level

FIT_RADIUS_FACTOR = 1.0 + 2e-3  # of the body's radii that a place must have free
PROBE_RADIUS = 0.03  # m, radius of what feels for a ceiling and for ground
CEILING_PROBE_DISTANCE = 1000.0  # m that it feels upwards
MAX_LIFT = 60.0  # m that one is lifted at most
MAX_SHIFT = 6.0  # m that one is moved aside at most
SEARCH_SPACING_FRACTION = 0.06  # part of the way that places far away are apart
SETTLE_DISTANCE = 0.1  # m that one is let down after it, and as much more as places there are apart
GROUND_PROBE_DISTANCE = 2.0  # m under a place within which it must have ground to be safe
SEARCH_BATCH_SIZE = 24  # places tried at once
SEARCH_DIRECTIONS = 12

STAYED, PUSHED, SAFE, SPAWN = "stayed", "pushed", "safe", "spawn"


@dataclass(frozen=True, slots=True)
class MigrationResult:
    """The world to go on in; how the walker came there: "stayed", "pushed" (by so many metres), to the last "safe"
    place, or to the "spawn"."""

    world: World
    outcome: str
    distance: float = 0.0


def migrate_world(old: World, level: Level) -> MigrationResult:
    """The old world's walker, clock, goal and targets in another version of its level.

    Targets are the same by name, or where they have none by place. Raises ValueError, in words, where the level's spawn
    has no room.
    """
    known = {spawn.name for spawn in level.spawns}
    new = World(level, old.settings, old.start.name if old.start.name in known else None)
    how, metres, state = _find_place(old, new)
    state = _migrate_platform(old, new, state)
    new.tick, new.walker_state = old.tick, state
    same_goal = old.level.goal is not None and level.goal is not None and old.level.goal == level.goal
    new.goal_tick = old.goal_tick if same_goal else NEVER
    touched = {
        _target_key(target)
        for target, flag in zip(old.reached_targets.targets, old.reached_targets.flags, strict=True)
        if flag
    }
    for number, target in enumerate(new.reached_targets.targets):
        new.reached_targets.flags[number] = _target_key(target) in touched
    new.balls.migrate_from(old.balls)
    if new.golf is not None and old.golf is not None:
        new.golf.migrate_from(old.golf)
    rest = state.replace(velocity=(0.0, 0.0, 0.0))
    new.continue_from(
        old, next((safe for safe in (old.safe_state, rest) if _is_standable(old, new, safe)), new.safe_state)
    )
    return MigrationResult(new, how, metres)


def _target_key(target: object) -> object:
    name = getattr(target, "name", "")
    return name or tuple(getattr(target, "at", ()))


def _migrate_platform(old: World, new: World, state: WalkerState) -> WalkerState:
    """The state on the mover of the same name, or where that has none of the same number; else on none."""
    if state.mover < 0:
        return state
    before = () if old.around is None or old.around.movers is None else old.around.movers.names
    after = () if new.around is None or new.around.movers is None else new.around.movers.names
    name = before[state.mover] if state.mover < len(before) else ""
    number = after.index(name) if name in after and name else state.mover
    row = state.row()
    row["mover"] = number + 1 if number < len(after) and (name in after) else 0
    return WalkerState(row)


def _find_place(old: World, new: World) -> tuple[str, float, WalkerState]:
    state = old.walker_state
    if _is_place_valid(old.mesh, new.mesh, state):
        return STAYED, 0.0, state
    x, y, z = state.position
    places: list[Point] = []
    for place in [*_nearby_places(x, y, z), None]:
        if place is not None:
            places.append(place)
        if places and (place is None or len(places) == SEARCH_BATCH_SIZE):
            for found in _free_places(new.mesh, places, state):
                if not _is_inside_solid(new.mesh, found):
                    down = _settle_on_ground(new.mesh, found, state)
                    vx, vy, vz = state.velocity
                    moved = state.replace(position=down, velocity=(vx, max(vy, 0.0), vz))
                    return PUSHED, math.dist(down, (x, y, z)), moved
            places = []
    safe = old.safe_state
    if _is_place_valid(old.mesh, new.mesh, safe):
        return SAFE, math.dist(safe.position, (x, y, z)), _at_rest(state, safe)
    spawn = new.walker_state
    return SPAWN, math.dist(spawn.position, (x, y, z)), _at_rest(state, spawn)


def _at_rest(state: WalkerState, other: WalkerState) -> WalkerState:
    """`other` at rest, with the ticks of `state`."""
    row = other.row()
    row["tick"] = state.tick
    row["velocity"] = row["falling"] = 0.0
    return WalkerState(row)


def _is_place_valid(before: TriangleMesh, after: TriangleMesh, state: WalkerState) -> bool:
    """Whether the body has room where it is, and is not inside or under something that has come since."""
    if not _free_places(after, [state.position], state):
        return False
    return not _is_inside_solid(after, state.position) or _is_inside_solid(before, state.position)


def _test_ellipsoid(state: WalkerState) -> Ellipsoid:
    rx, ry, rz = state.radii
    return Ellipsoid((rx * FIT_RADIUS_FACTOR, ry * FIT_RADIUS_FACTOR, rz * FIT_RADIUS_FACTOR))


def _free_places(mesh: TriangleMesh, places: list[Point], state: WalkerState) -> list[Point]:
    """Those of the places at which the body touches nothing."""
    body = _test_ellipsoid(state)
    hits = mesh.sweep(body, np.array(places), state.yaw, (0.0, 0.0, 0.0))
    return [place for place, triangle in zip(places, hits.triangle, strict=True) if triangle < 0]


def _is_inside_solid(mesh: TriangleMesh, place: Point) -> bool:
    """Whether what is above a place turns its back to it: the place is inside a solid, or under the ground."""
    hit = mesh.sweep(Ellipsoid((PROBE_RADIUS,) * 3), place, 0.0, (0.0, CEILING_PROBE_DISTANCE, 0.0))
    if hit is None:
        return False
    row = int(np.flatnonzero(mesh.source == hit.triangle)[0])
    return bool(mesh.triangles12[row, 10] > 1e-6)


def _is_standable(old: World, new: World, state: WalkerState) -> bool:
    """Whether one can stand there in the new world."""
    down = (0.0, -state.radii[1] - GROUND_PROBE_DISTANCE, 0.0)
    held = new.mesh.sweep(Ellipsoid((PROBE_RADIUS,) * 3), state.position, 0.0, down) is not None
    return held and _is_place_valid(old.mesh, new.mesh, state)


def _settle_on_ground(mesh: TriangleMesh, place: Point, state: WalkerState) -> Point:
    """The place, let down onto ground that is near."""
    body = _test_ellipsoid(state)
    reach = SETTLE_DISTANCE + SEARCH_SPACING_FRACTION * math.dist(place, state.position)
    hit = mesh.sweep(body, place, state.yaw, (0.0, -reach, 0.0))
    down = 0.0 if hit is None else max(0.0, hit.distance - 1e-3)
    return (place[0], place[1] - down, place[2])


def _nearby_places(x: float, y: float, z: float) -> Iterator[Point]:
    """Places near by, nearest first."""
    found: list[tuple[float, Point]] = []
    height = 0.02
    while height < MAX_LIFT:
        found.append((height, (x, y + height, z)))
        height += max(0.05, SEARCH_SPACING_FRACTION * height)
    reach = 0.05
    while reach < MAX_SHIFT:
        for k in range(SEARCH_DIRECTIONS):
            angle = k * math.tau / SEARCH_DIRECTIONS
            for lift in (0.0, 0.25):
                place = (x + reach * math.cos(angle), y + lift, z + reach * math.sin(angle))
                found.append((math.hypot(reach, lift) * 1.01, place))
        reach *= 1.35
    return iter(place for _, place in sorted(found))
