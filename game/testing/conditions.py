"""Conditions of a level test: their evaluation on all ticks of a walk at once, and their descriptions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ..core.vectors import Flags, Floats, Indices, Point
from ..level import Level
from ..level.build.entities.zones import LevelZone
from ..level.edit import format_number
from ..level.format.level_tests.level_test import (
    AtCondition,
    Condition,
    GoalCondition,
    GroundedCondition,
    InsideCondition,
    TouchesCondition,
)
from ..physics.environment.carried_zones import mover_pose_at, point_at_home
from ..physics.environment.movers import Movers
from ..sim.events import GoalReached
from .recorded_walk import TestedWalk, TouchedFace


def holds(condition: Condition, walk: TestedWalk) -> Flags:
    """(ticks + 1,): whether a condition holds, for each tick."""
    flags: Flags
    match condition:
        case AtCondition() | InsideCondition():
            around = walk.world.environment
            carried = None if around is None or around.movers is None else (around.movers, walk.table.tick)
            return holds_at(condition, walk.world.level, walk.feet, carried)
        case GroundedCondition():
            flags = walk.grounded == condition.grounded
            return flags
        case TouchesCondition():
            faces = {face: condition.matches(*face) for face in frozenset().union(*walk.touched)}
            return np.array([any(faces[face] for face in touched) for touched in walk.touched], np.bool_)
        case GoalCondition():
            flags = np.zeros(walk.ticks + 1, np.bool_)
            flags[[tick for tick, event in walk.events if isinstance(event, GoalReached)]] = True
            return flags


def holds_at(
    condition: AtCondition | InsideCondition,
    level: Level,
    feet: Floats,
    carried: tuple[Movers, Indices] | None = None,
) -> Flags:
    """(n,): whether feet (n,3) are at a point or inside a volume.

    carried: movers and the tick (n,) of each row, for zones that movers carry; without it they are at home.
    """
    if isinstance(condition, AtCondition):
        offset = feet - np.array(condition.point)
        near_point: Flags = (offset * offset).sum(axis=1) <= condition.radius**2
        return near_point
    if condition.low is not None and condition.high is not None:
        within: Flags = (feet >= np.array(condition.low)) & (feet <= np.array(condition.high))
        return within[:, 0] & within[:, 1] & within[:, 2]
    flags: Flags = np.zeros(len(feet), np.bool_)
    for zone in zones_named(level, condition.zone):
        if zone.mover >= 0 and carried is not None:
            for k in np.flatnonzero(~flags).tolist():
                pose = mover_pose_at(carried[0], zone.mover, int(carried[1][k]))
                flags[k] = zone.contains(point_at_home(pose, carried[0][zone.mover].at, feet[k].tolist()))
            continue
        flags |= zone.contains_points(feet)
    return flags


def zones_named(level: Level, name: str) -> list[LevelZone]:
    return [zone for zone in level.all_zones if name in (zone.name, zone.kind)]


def touched_words(faces: Iterable[TouchedFace]) -> str:
    """Description of touched surfaces and pieces; `nothing` for none."""
    return ", ".join(sorted({f"{face.label} ({face.surface})" for face in faces})) or "nothing"


def distances(condition: Condition, level: Level, feet: Floats) -> Floats | None:
    """(n,): distance in m of feet (n,3) to a point, a volume or the goal; None for a condition without a place."""
    if isinstance(condition, AtCondition):
        return _norm(feet - np.array(condition.point))
    if isinstance(condition, InsideCondition):
        if condition.low is not None and condition.high is not None:
            return _norm(feet - np.clip(feet, condition.low, condition.high))
        zones = zones_named(level, condition.zone)
        return np.min([_norm(feet - np.array(zone.centre)) for zone in zones], axis=0) if zones else None
    if isinstance(condition, GoalCondition) and level.goal is not None:
        return _norm(feet - np.array(level.goal.at))
    return None


def _norm(vectors: Floats) -> Floats:
    lengths: Floats = np.linalg.norm(vectors, axis=1)
    return lengths


def describe_condition(condition: Condition) -> str:
    """Description of a condition, such as `within 0.5 m of (0, 0, -8)`."""
    match condition:
        case AtCondition():
            return f"within {describe_number(condition.radius)} m of {describe_position(condition.point)}"
        case InsideCondition():
            if condition.low is not None and condition.high is not None:
                return f"inside {describe_position(condition.low)} to {describe_position(condition.high)}"
            return f"inside the zone '{condition.zone}'"
        case GroundedCondition():
            return "on the ground" if condition.grounded else "in the air"
        case TouchesCondition():
            return "touching " + " or ".join(f"'{name}'" for name in condition.names)
        case GoalCondition():
            return "at the goal"


def describe_number(value: float) -> str:
    """A number in a message, to three decimals."""
    return format_number(value, 3)


def describe_position(point: Sequence[float] | Point) -> str:
    """A position in m, such as `(0, 1.5, -8)`."""
    return f"({', '.join(describe_number(value) for value in point)})"
