"""Targets: touched by the body, once, kept in the state, wanted by the goal, told in the report."""

import pytest

from game.level import Target
from game.physics import Command
from game.sim import GoalReached, TargetReached, World
from tests.support.level_builder import floor_with_wall, goal_at

BODY = 1.8  # metres from the feet to the top of the head


def target(x, y, z, radius=0.5, name=""):
    return Target((x, y, z), radius, name)


def level_of(*targets, **more):
    return floor_with_wall(targets=targets, **more)


def walked(world, ticks, **command):
    return [event for _ in range(ticks) for event in world.step(Command(**command))]


def test_targets_are_reported_once_each_in_the_order_of_the_way():
    near, far, aside = target(0, 1, -2, name="near"), target(0, 0.2, -6, name="far"), target(5, 1, -4)
    world = World(level_of(far, near, aside))
    events = walked(world, 150, forward=1.0)
    assert [(event.target, event.remaining) for event in events] == [(near, 2), (far, 1)]
    assert all(isinstance(event, TargetReached) for event in events)
    assert list(world.reached_targets) == [1, 1, 0]
    assert walked(world, 150, forward=-1.0) == []


@pytest.mark.parametrize(
    ("height", "radius", "touched"),
    [
        (BODY + 0.30, 0.35, True),  # just above the head
        (BODY + 0.40, 0.35, False),
        (-0.30, 0.35, True),  # just under the feet
        (-0.40, 0.35, False),
        (0.9, 0.01, True),  # in the middle of the body, however small
    ],
)
def test_from_the_feet_to_the_head(height, radius, touched):
    world = World(level_of(target(0.0, height + 0.01, 0.0, radius)))  # the feet stand a skin above the floor
    assert bool(world.step(Command())) is touched


def test_the_goal_waits_for_all_targets_where_it_says_so():
    goal = goal_at(0.0, 0.0, -3.0, 0.5, "targets")
    world = World(level_of(target(0, 1, -5), goal=goal))
    first = walked(world, 46, forward=1.0)
    assert first == []
    assert world.is_at_goal
    assert world.targets_missing == 1
    assert world.goal_tick < 0
    events = walked(world, 60, forward=1.0) + walked(world, 120, forward=-1.0)
    assert [type(event) for event in events] == [TargetReached, GoalReached]
    assert world.targets_missing == 0


def test_a_target_that_completes_the_goal_in_the_same_tick():
    goal = goal_at(0.0, 0.0, -3.0, 0.5, "targets")
    world = World(level_of(target(0, 0, -3), goal=goal))
    events = walked(world, 60, forward=1.0)
    assert [type(event) for event in events] == [TargetReached, GoalReached]
    assert events[0].tick == events[1].tick


def test_restart_forgets_them_and_a_fall_does_not():
    world = World(level_of(target(0, 1, -2)))
    walked(world, 60, forward=1.0)
    world.restart()
    assert world.targets_left == 1
    walked(world, 60, forward=1.0)
    walked(world, 400, heading=65536 - 16384, forward=1.0, sprint=True)  # off the floor's rim
    assert world.fields()["fall_tick"] > 0
    assert world.targets_left == 0
