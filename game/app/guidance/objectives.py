"""Objective of a level: where the goal, the next target, the hole or the golf ball is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from ...core.vectors import Point
from ...sim.golf import BALL_MOVING, CHARGING
from ...sim.level_rules import up_and_north_at

if TYPE_CHECKING:
    from ...sim import World
    from ...sim.golf import GolfRound

GOAL_HEIGHT = 1.4  # m above the feet at the goal: about the eye
FLAG_HEIGHT = 1.9  # m above the cup: near the top of the flag
BALL_HEIGHT = 0.7  # m above the ball, which its marker does not cover
SWITCH_DISTANCE = 1.0  # m that another target must be nearer, so that the marker does not jump to and fro


class ObjectiveKind(Enum):
    """The kind of place that a marker stands for."""

    GOAL = auto()
    TARGET = auto()
    HOLE = auto()
    BALL = auto()
    WAY = auto()  # where the ball is played to before the hole


@dataclass(frozen=True, slots=True)
class Objective:
    """A place to go to. at: m, the point that is marked."""

    kind: ObjectiveKind
    at: Point


class ObjectiveFinder:
    """Finds the next objective of the world that is played."""

    def __init__(self) -> None:
        self._target = -1  # index of the target that was the next one
        self._goal: tuple[World, Objective] | None = None  # of the world that was asked about last

    def find(self, world: World) -> tuple[Objective, ...]:
        """The objectives that can be next, the nearest first: the targets that are left; in golf the ball, and the flag
        of a ball in reach. There are none in a level without an end, and once it is finished."""
        if world.goal_tick >= 0:
            return ()
        level = world.level
        golf = world.golf
        if golf is not None and (world.holes_missing or (level.goal is None and golf.holes_left)):
            return (_golf_objective(golf, world),)
        if world.targets_missing or (level.goal is None and world.targets_left):
            return self._targets(world)
        if level.goal is None:
            return ()
        if self._goal is None or self._goal[0] is not world:
            self._goal = world, Objective(ObjectiveKind.GOAL, _goal_point(world))
        return (self._goal[1],)

    def _targets(self, world: World) -> tuple[Objective, ...]:
        """The targets that are left, by their distance in plan, seen along the walker's up."""
        state, targets = world.walker_state, world.level.targets
        distances = {
            number: _plan_distance(target.at, state.feet, state.up)
            for number, target in enumerate(targets)
            if not world.reached_targets[number]
        }
        nearest = min(distances, key=distances.__getitem__)
        if self._target not in distances or distances[self._target] > distances[nearest] + SWITCH_DISTANCE:
            self._target = nearest
        order = sorted(distances, key=lambda number: (number != self._target, distances[number]))
        return tuple(Objective(ObjectiveKind.TARGET, targets[number].at) for number in order)


def _golf_objective(golf: GolfRound, world: World) -> Objective:
    if golf.phase in (BALL_MOVING, CHARGING) or golf.is_ball_in_reach(world.walker_state):
        kind, (x, y, z) = ObjectiveKind.WAY if golf.is_via_next else ObjectiveKind.HOLE, golf.target
        return Objective(kind, (x, y + FLAG_HEIGHT, z))
    x, y, z = golf.at
    return Objective(ObjectiveKind.BALL, (x, y + BALL_HEIGHT, z))


def _goal_point(world: World) -> Point:
    """A point above the goal, along the up of a walker who stands there."""
    goal = world.level.goal
    assert goal is not None
    zones = None if world.environment is None else world.environment.zones
    up, _ = up_and_north_at(zones, goal.at, world.settings.radii[1])
    x, y, z = (place + GOAL_HEIGHT * axis for place, axis in zip(goal.at, up, strict=True))
    return x, y, z


def _plan_distance(at: Point, feet: Point, up: Point) -> float:
    """Distance of two points in the plane perpendicular to `up` (m)."""
    offset = [a - b for a, b in zip(at, feet, strict=True)]
    rise = sum(a * b for a, b in zip(offset, up, strict=True))
    return math.dist(offset, [rise * axis for axis in up])
