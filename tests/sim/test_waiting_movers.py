"""Movers that wait for the player: when they are set off, where they are then, and everything that keeps it."""

from dataclasses import replace

import numpy as np
import pytest

from game.core.motion import Motion
from game.level import check, load
from game.physics import Command, Crowd, Walker, rules
from game.physics.environment.environment import Environment
from game.physics.environment.motion import AT_HOME
from game.physics.environment.movers import Movers
from game.sim import World
from game.sim.replay.fingerprint import level_hash
from game.sim.replay.level_migration import migrate_world

AHEAD, STILL = Command(forward=1.0), Command()
# A lift at z = -4 and behind it a door at z = -10; a clock that always moves.
TEXT = """
format: 1
name: Waiting
spawn: {at: [0, 0, 0], facing: north}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
  - mover: {name: clock, at: [9, 0.2, 0], spin: 30, of: [box: {from: [-1, 0, -1], to: [1, 0.1, 1]}]}
  - mover: {name: lift, at: [0, 0.01, -4], path: [[0, 0, 0], [0, 2, 0]], seconds: 1, pause: 0.5, starts: ridden, of: [
      box: {from: [-1, 0, -1], to: [1, 0.2, 1]}, checkpoint: {from: [-1, 0.2, -1], to: [1, 2, 1], name: car}]}
  - mover: {name: door, at: [0, 0.01, -10], path: [[0, 0, 0], [2, 0, 0]], seconds: 0.5, pause: 1, phase: 1,
      starts: near, of: [box: {from: [-1, 0, -0.1], to: [1, 2.5, 0.1]}]}
"""
CLOCK, LIFT, DOOR = range(3)
PERIODS = {LIFT: 180, DOOR: 180 - 60}  # ticks from the one that sets it off: the door leaves out its first pause


def world(text=TEXT):
    return World(load(text=text))


def starts(world):
    return world._runs.starts[0].tolist()


def walk(world, ticks, command=AHEAD):
    """Command by command; the state after each tick."""
    return [(world.step(command), world.state())[1] for _ in range(ticks)]


def walk_to(world, z):
    while world.walker_state.feet[2] > z:
        world.step(AHEAD)
        assert world.tick < 1000


def moving(mover):
    """Poses (3, 4) of a mover as if it did not wait, by the tick."""
    same = Movers([replace(mover, motion=replace(mover.motion, starts="always"))])
    return lambda tick: same.poses(tick)[0]


def test_nothing_moves_before_it_is_set_off():
    here = world()
    before = here.mover_poses()
    walk(here, 500, STILL)
    assert starts(here) == [0, AT_HOME, AT_HOME]
    assert (here.mover_poses()[1:] == before[1:]).all()
    assert (here.mover_poses()[CLOCK] != before[CLOCK]).any()


@pytest.mark.parametrize(("mover", "z"), [(LIFT, -2.9), (DOOR, -8.4)])
def test_a_mover_makes_one_period_from_the_tick_that_set_it_off(mover, z):
    """Its pose is that of a mover that does not wait, at the ticks since then; before and after it is at home."""
    here = world()
    if mover == DOOR:  # around the lift
        here.walker_state = here.walker_state.replace(position=(1.8, here.walker_state.position[1], -6.0))
    home, pose = here.mover_poses()[mover], moving(here._movers[mover])
    while starts(here)[mover] == AT_HOME:
        assert (here.mover_poses()[mover] == home).all()
        here.step(AHEAD)
    assert here._bits & rules.SET_OFF
    began = here.tick
    assert starts(here)[mover] == began
    assert here.walker_state.feet[2] == pytest.approx(z, abs=0.1)
    here.walker_state = here.walker_state.replace(position=(-15.0, 1.0, 15.0))
    seen = []
    for tick in range(PERIODS[mover] + 60):
        expected = pose(tick) if tick < PERIODS[mover] else home
        assert (here.mover_poses()[mover] == expected).all()
        seen.append(float(np.abs(expected - home).max()))
        here.step(STILL)
    assert max(seen) == pytest.approx(2.0)
    assert max(seen[PERIODS[mover] - 1 :]) < 0.01


def test_the_body_is_carried_from_the_tick_after_it():
    here = world()
    walk_to(here, -4.0)
    began = starts(here)[LIFT]
    while here.tick < began + 30 + 60:  # the pause, then the way up
        height = here.mover_poses()[LIFT, 1, 3]
        here.step(STILL)
        assert here.walker_state.mover == LIFT
        rise = here.mover_poses()[LIFT, 1, 3] - height
        assert (rise > 0.0) == (here.tick > began + 30)
    assert here.walker_state.feet[1] == pytest.approx(2.21, abs=0.02)


def test_a_run_over_movers_that_are_set_off_has_the_bits_of_steps():
    """Up to the lift, a ride up and down again, and through the door."""
    run, stepped = world(), world()
    commands = [AHEAD] * 65 + [STILL] * 200 + [AHEAD] * 200
    states, _ = run.run(run.walker.commands(forward=[command.forward for command in commands]))
    heights = []
    for state, command in zip(states, commands, strict=True):
        stepped.step(command)
        assert state == stepped.walker_state.row()[0]
        heights.append(stepped.walker_state.feet[1])
    assert run.state() == stepped.state()
    assert max(heights) > 2.0  # it rode
    assert starts(run)[DOOR] != AT_HOME


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_door_waits_for_feet_in_its_box(axis, side):
    """`near` metres around its box at the first stop, along each axis."""
    here = world(TEXT.replace("starts: near", "starts: near, near: 0.75"))
    low, high = np.array([-1.0, 0.01, -10.1]) - 0.75, np.array([1.0, 2.51, -9.9]) + 0.75
    for beyond, is_set_off in ((0.01, False), (-0.01, True)):
        feet = (low + high) / 2.0
        feet[axis] = (high if side > 0.0 else low)[axis] + side * beyond
        state = here.walker.spawn(here.mesh, (15.0, 0.0, 15.0))
        high_up = state.position[1] - state.feet[1]
        here.begin_at(state.replace(position=(feet[0], feet[1] + high_up, feet[2])), 7)
        row, rows = here.walker_state._floats.copy(), np.zeros(1, np.int64)
        rules.apply_rules()(here.rules, here._runs, row, row, np.zeros((1, 8)), rows, rules.GOALS, 0, 0, False, 0)
        assert (starts(here)[DOOR] == 7) == is_set_off
        assert starts(here)[LIFT] == AT_HOME


def test_a_mover_that_moves_is_set_off_again_only_when_it_is_back():
    here = world()
    walk_to(here, -4.0)
    began = starts(here)[LIFT]
    walk(here, began + PERIODS[LIFT] - here.tick - 1, STILL)
    assert starts(here)[LIFT] == began
    walk(here, 1, STILL)  # at home, with the body on it
    assert starts(here)[LIFT] == began + PERIODS[LIFT]


def test_a_saved_state_has_a_tick_for_each_that_waits_and_refuses_others():
    here, there = world(), world()
    assert len(here.state()) == len(world(TEXT.replace("starts: near,", "")).state()) + 8
    walk_to(here, -4.0)
    saved, before = bytes(here.state()), there.state()
    broken = np.int64(starts(here)[LIFT]).tobytes()
    assert saved.count(broken) == 1
    with pytest.raises(ValueError, match="not a saved state of these movers"):
        there.restore(saved.replace(broken, np.int64(-5).tobytes()))
    assert there.state() == before


def test_an_edited_level_keeps_what_moves():
    old = world()
    walk_to(old, -4.0)
    lift, box = "name: lift, ", "  - box: {from: [5, 0, 5], to: [6, 1, 6]}\n"
    first = "  - mover: {at: [-9, 1, 0], swing: 90, starts: near, of: [box: {from: [0, 0, 0], to: [1, 1, 1]}]}\n"
    new = migrate_world(old, load(text=TEXT.replace("pieces:\n", "pieces:\n" + box))).world
    assert new.state() == old.state()
    moved = migrate_world(old, load(text=TEXT.replace("pieces:\n", "pieces:\n" + first))).world
    assert starts(moved) == [AT_HOME, *starts(old)]
    assert (moved.mover_poses()[1:] == old.mover_poses()).all()
    renamed = migrate_world(old, load(text=TEXT.replace(lift, "name: other, "))).world
    assert starts(renamed)[LIFT] == AT_HOME
    assert walk(new, 50) == walk(old, 50)


def test_a_walker_takes_one_clock_or_one_for_each_mover():
    """With one, those that wait are at home; with one each, the clock of those counts from when they were set off."""
    here = world()
    walk_to(here, -4.0)
    walk(here, 100, STILL)
    clocks = here.mover_clocks.tolist()
    walker, state, place = Walker(here.settings), here.walker_state, (here.mesh, here.environment)
    expected = world()
    expected.restore(here.state())
    for given in (clocks, tuple(clocks), here.mover_clocks, here.clock):
        after, _ = walker.step(state, AHEAD, *place, given)
        states = walker.run(state, [AHEAD] * 30, *place[:1], around=place[1], clock=given)
        assert after.to_bytes() == states[0].tobytes()
        assert walker.spawn(place[0], (0.0, 0.21, -4.0), around=place[1], clock=given).feet[1] < 0.3
        crowd = Crowd(walker, *place[:1], around=place[1])
        row = crowd.step([state, state], [AHEAD] * 2, [clocks, [0, -1, 10**6]])
        assert row[0].tobytes() == after.to_bytes()
        assert row[1].tobytes() == walker.step(state, AHEAD, *place, 0)[0].to_bytes()
    assert expected.run([AHEAD] * 30)[0].tobytes() == states.tobytes()
    down = crowd.raycast([state] * 3, (0.0, -1.0, 0.0), clock=[clocks, [0, -1, -1], clocks]).distance[:, 0]
    assert down[0] == down[2] < down[1] - 1.0
    more = world(TEXT + "  - mover: {spin: 3, of: [box: {from: [14, 0, 14], to: [15, 1, 15]}]}\n")
    for wrong in ([0, 0], [[0, 0, 0]], [0.5, 1, 1], [2**41, 0, 0], more.clock):
        with pytest.raises(ValueError, match="clock"):
            walker.step(state, AHEAD, *place, wrong)
    with pytest.raises(ValueError, match="clock must be an integer, or 2 x 3 integers"):
        crowd.step([state, state], [AHEAD] * 2, [[0, 0], [0, 0]])


def test_motions_that_cannot_wait_are_refused():
    path = ((0.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    for wrong in ({"spin": 3.0}, {"path": ()}, {"phase": 0.6}, {"starts": "soon"}, {"starts": 1}, {"near": -1.0}):
        with pytest.raises(ValueError, match=r"starts|near"):
            Motion(**{"path": path, "pause": 0.5, "starts": "ridden", **wrong})
    assert Motion(path, pause=0.5, phase=0.5, starts="near").waits
    assert not Environment(None, Movers(())).movers


def test_a_level_says_what_cannot_wait():
    for field, message in (
        ("spin: 30", "it also spins"),
        ("phase: 2", "its `phase` of 2 s is longer than its `pause`"),
    ):
        found = check(text=TEXT.replace("starts: ridden", f"starts: ridden, {field}"))
        (finding,) = [one for one in found if one.severity == "dropped"]
        assert message in finding.message
    hashes = [level_hash(load(text=TEXT.replace("near", word).replace("ridden", word))) for word in ("near", "ridden")]
    assert len({*hashes, level_hash(load(text=TEXT))}) == 3
