"""A world goes on in another version of its level: where the walker is then, and what is kept."""

import pytest

from game.level import Spawn, Target
from game.physics import Command, Ellipsoid
from game.sim import World
from game.sim.replay.level_migration import MigrationOutcome, migrate_world
from tests.support.level_builder import build_level, goal_at
from tests.support.scenes import box, floor

AHEAD = Command(forward=1.0)
FLOOR = floor(-20, -20, 20, 20)


def level(*parts, **more):
    return build_level([triangle for part in parts for triangle in part], **{"kill_height": -30.0, **more})


def walked(made, ticks=90):
    world = World(made)
    for _ in range(ticks):
        world.step(AHEAD)
    return world


def is_free(world):
    state = world.walker_state
    return world.mesh.sweep(Ellipsoid(state.radii), state.position, state.yaw, (0.0, 0.0, 0.0)) is None


def test_where_nothing_is_in_the_way_the_state_is_the_same_to_the_last_bit():
    old = walked(level(FLOOR))
    taken = migrate_world(old, level(FLOOR, box(5, 0, 5, 6, 2, 6)))
    assert (taken.outcome, taken.distance) == (MigrationOutcome.STAYED, 0.0)
    assert taken.world.state() == old.state()
    assert taken.world.walker_state.velocity[2] < -3.9


@pytest.mark.full
@pytest.mark.parametrize("height", [0.02, 0.3, 1.0, 3.0, 12.0])
@pytest.mark.parametrize("solid", [False, True])
def test_a_floor_that_rises_lifts_the_walker_onto_it(height, solid):
    old = walked(level(FLOOR))
    raised = box(-20, -1, -20, 20, height, 20) if solid else floor(-20, -20, 20, 20, height)
    spawns = (Spawn("start", (0.0, height, 0.0), 0),)
    taken = migrate_world(old, level(raised, spawns=spawns))
    assert taken.outcome == MigrationOutcome.PUSHED
    state = taken.world.walker_state
    assert state.feet[0] == old.walker_state.feet[0]
    assert state.feet[2] == old.walker_state.feet[2]
    assert height <= state.feet[1] <= height + 0.1
    assert state.velocity[::2] == old.walker_state.velocity[::2]
    assert is_free(taken.world)
    for _ in range(60):
        assert not taken.world.step(AHEAD)
    assert taken.world.walker_state.grounded
    assert taken.world.walker_state.feet[1] == pytest.approx(height, abs=0.03)


def test_a_floor_that_sinks_or_goes_lets_the_walker_fall():
    old = walked(level(FLOOR))
    spawns = (Spawn("start", (0.0, -4.0, 0.0), 0),)
    taken = migrate_world(old, level(floor(-20, -20, 20, 20, -4.0), spawns=spawns))
    assert taken.outcome == MigrationOutcome.STAYED
    for _ in range(90):
        taken.world.step(AHEAD)
    assert taken.world.walker_state.feet[1] == pytest.approx(-4.0, abs=0.03)
    gone = migrate_world(old, level(box(-1, -1, -1, 1, 0, 1)))
    events = [event for _ in range(300) for event in gone.world.step(Command())]
    assert [event.reason for event in events] == ["fell"]
    assert gone.world.walker_state.feet == pytest.approx((0.0, 0.0, 0.0), abs=0.03)


def test_a_wall_that_comes_is_left_to_the_nearest_side():
    old = walked(level(FLOOR))
    x, _, z = old.walker_state.feet
    taken = migrate_world(old, level(FLOOR, box(x - 0.2, 0, z - 5, x + 0.6, 4, z + 5)))
    assert taken.outcome == MigrationOutcome.PUSHED
    state = taken.world.walker_state
    assert x - 1.2 < state.feet[0] < x - 0.5
    assert abs(state.feet[1]) < 0.3
    assert is_free(taken.world)


def test_a_walker_without_room_moves_to_the_last_safe_place_and_then_the_spawn():
    old = walked(level(floor(-90, -90, 90, 90)), ticks=600)
    safe = old.safe_state.feet
    assert safe[2] < -35.0
    full = [box(-80, -1, -80, 80, 80, -8), floor(-90, -90, 90, 90)]
    moved = migrate_world(old, level(*full))
    assert moved.outcome == MigrationOutcome.SPAWN
    assert moved.world.walker_state.feet == pytest.approx((0.0, 0.0, 0.0), abs=0.03)
    assert moved.world.tick == moved.world.walker_state.tick == 600
    assert moved.world.safe_state.feet == pytest.approx((0.0, 0.0, 0.0), abs=0.03)
    back = walked(level(floor(-90, -90, 90, 90)), ticks=59)
    for _ in range(28):  # not long enough for another safe place
        back.step(AHEAD)
    z = back.walker_state.feet[2]
    assert back.safe_state.feet[2] - z > 1.2
    narrow = box(-80, -1, z - 80, 80, 80, back.safe_state.feet[2] - 0.6)
    outcome = migrate_world(back, level(floor(-90, -90, 90, 90), narrow)).outcome
    assert outcome in (MigrationOutcome.PUSHED, MigrationOutcome.SAFE)


def test_a_safe_place_that_is_built_over_or_has_lost_its_ground_is_none():
    old = walked(level(FLOOR), ticks=115)
    x, _, z = old.safe_state.feet
    for parts in ([FLOOR, box(x - 1, 0, z - 0.45, x + 1, 2, z + 0.45)], [box(-3, -1, -9, 3, 0, z - 1.0)]):
        spawns = (Spawn("start", (0.0, 0.0, -8.0), 0),)
        taken = migrate_world(old, level(*parts, spawns=spawns))
        assert taken.world.safe_state.feet != old.safe_state.feet


def test_targets_are_kept_by_name_and_the_goal_where_it_is_the_same():
    def target(name, at):
        return Target(at, 0.5, name)

    goal = goal_at(0.0, 0.0, -2.0, 0.5, "")
    targets = (target("one", (0, 0, -1)), target("two", (9, 0, 0)), target("", (0, 0, -3)))
    old = walked(level(FLOOR, targets=targets, goal=goal))
    assert list(old.reached_targets) == [1, 0, 1]
    assert old.goal_tick > 0
    again = (target("two", (9, 0, 0)), target("new", (8, 0, 0)), target("", (0, 0, -3)), target("one", (7, 0, 0)))
    taken = migrate_world(old, level(FLOOR, targets=again, goal=goal))
    assert list(taken.world.reached_targets) == [0, 0, 1, 1]
    assert taken.world.goal_tick == old.goal_tick
    elsewhere = goal_at(0.0, 0.0, -12.0, 0.5, "")
    assert migrate_world(old, level(FLOOR, goal=elsewhere)).world.goal_tick == -1


def test_a_spawn_without_room_is_refused_in_words():
    old = walked(level(FLOOR))
    with pytest.raises(ValueError, match=r"spawn 'start': no room for the walker"):
        migrate_world(old, level(FLOOR, box(-0.6, 0.3, -0.6, 0.6, 1.2, 0.6), box(-0.8, -1, -0.8, 0.8, 0.4, 0.8)))
