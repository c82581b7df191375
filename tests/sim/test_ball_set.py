"""Balls of a world: in its state only where there are some, thrown once a press, carried over, told apart."""

import pytest

from game.level import check, load
from game.physics import Command
from game.sim import World, ball_set
from game.sim.replay import fingerprint
from game.sim.replay.level_migration import migrate_world

ROOM = """format: 1
name: Balls
spawn: {at: [0, 0, 6]}
%s
pieces:
  - floor: {from: [-9, -9], to: [9, 9]}
  - box: {from: [-9, 0, -9.5], to: [9, 3, -9]}
%s
"""
SOME = (
    "  - balls: {from: [-2, 1, -2], to: [2, 3, 2], count: 20, radius: 0.15, speed: 1}\n"
    "  - ball: {at: [0, 4, 0], name: The last}"
)


def made(rules="", pieces=""):
    text = ROOM % (rules, pieces)
    assert [str(found) for found in check(text=text)] == []
    return load(text=text)


def walked(world, ticks, **keys):
    events = []
    for _ in range(ticks):
        events += world.step(Command(**keys))
    return events


def test_a_level_without_balls_keeps_its_state_and_its_hash():
    world = World(made())
    walked(world, 30, use=True, forward=1.0)
    size = len(world.walker_state.to_bytes())
    assert len(world.state()) == 48 + 2 * size
    assert not world.balls
    assert "balls" not in world.fields()
    assert fingerprint.level_hash(made()) != fingerprint.level_hash(made(pieces=SOME))


def test_one_throw_a_press_and_only_where_the_level_allows_it():
    world = World(made("play: {throws: true, speed: 10}"))
    walked(world, 30)
    walked(world, 20, use=True)
    walked(world, 1)
    walked(world, 5, use=True, pitch=4000)
    assert len(world.balls.rows) == 2
    assert world.balls.thrown == 2
    first = world.balls.rows[0]
    assert first["velocity"][2] < -9.0
    assert world.balls.rows[1]["velocity"][1] > 1.0
    quiet = World(made("", SOME))
    walked(quiet, 20, use=True)
    assert len(quiet.balls.rows) == 21


@pytest.mark.full
def test_only_so_many_thrown_ones_stay():
    most = ball_set.MAX_THROWN_BALLS
    world = World(made("play: {throws: true, speed: 3}", "  - ball: {at: [4, 1, 4]}"))
    for _ in range(most + 2):
        walked(world, 1, use=True)
        walked(world, 1)
    numbers = world.balls.rows["number"].tolist()
    assert numbers[0] == 0
    assert len(set(numbers)) == len(numbers) == most + 1


def test_a_ball_reaches_a_target_where_that_counts():
    pieces = "  - target: {at: [0, 1.6, 0], radius: 0.5}"
    for counts in (True, False):
        rules = f"play: {{throws: true, speed: 20, reach_targets: {str(counts).lower()}}}"
        world = World(made(rules, pieces))
        walked(world, 20)
        walked(world, 1, use=True, pitch=400)
        walked(world, 60)
        assert world.targets_left == (0 if counts else 1)


def test_live_reload_carries_the_balls_on():
    world = World(made("play: {throws: true}", SOME))
    walked(world, 100, use=True)
    again = made("play: {throws: true}", SOME + "\n  - ball: {at: [5, 2, 5]}")
    taken = migrate_world(world, again).world
    assert len(taken.balls.rows) == 23
    assert (taken.balls.rows["position"][:21] == world.balls.rows["position"][:21]).all()
    assert taken.balls.rows["position"][21].tolist() == [5.0, 2.0, 5.0]
    less = made("", "  - ball: {at: [0, 4, 0]}")
    assert migrate_world(world, less).world.balls.rows["number"].tolist() == [0]
