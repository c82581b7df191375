"""Kill height, respawn, goal and the state that can be put back."""

import pytest

from game.level import Spawn
from game.physics import Command, WalkerState
from game.sim import GoalReached, Respawned, World
from tests.support.level_builder import build_level, goal_at
from tests.support.scenes import box, floor
from tests.support.until import repeat_until

EAST = 65536 - 16384


def events_of(world, command, ticks):
    return [event for _ in range(ticks) for event in world.step(command)]


def test_below_the_kill_height_one_is_back_at_the_last_safe_place(level):
    world = World(level)
    events_of(world, Command(), 60)
    events = []
    repeat_until(lambda: events, lambda: events.extend(world.step(Command(forward=1.0, heading=EAST, sprint=True))))
    (fell,) = events
    assert isinstance(fell, Respawned)
    assert fell.reason == "fell"
    assert fell.heading is None
    assert 10.0 < fell.feet[0] < 20.0
    assert fell.feet[1] == pytest.approx(0.0, abs=0.03)
    assert world.walker_state.grounded
    assert world.walker_state.velocity == (0.0, 0.0, 0.0)
    world.step(Command(heading=EAST))
    assert world.walker_state.feet == pytest.approx(fell.feet, abs=1e-3), "it stands still there"


def test_falling_again_at_once_leads_to_the_spawn(level):
    world = World(level)
    run = Command(forward=1.0, heading=EAST, sprint=True)
    falls = [event for event in events_of(world, run, 900) if isinstance(event, Respawned)]
    assert len(falls) >= 2
    assert falls[0].feet[0] > 10.0
    assert falls[1].feet == pytest.approx((0.0, 0.0, 0.0), abs=0.03)
    assert falls[1].heading == 0


def test_a_fall_before_any_safe_place_returns_to_the_spawn(level_with):
    spawn = Spawn("air", (100.0, 3.0, 0.0), 77)
    world = World(level_with(spawns=(spawn,)))
    (fell,) = events_of(world, Command(), 105)
    assert fell.feet == pytest.approx((100.0, 3.0, 0.0), abs=0.03)
    assert fell.heading == 77


def test_a_walkers_safe_place_without_room_leads_to_that_of_the_level_and_then_to_the_spawn():
    world = World(build_level([*floor(-20, -20, 20, 20), *box(-9, 0.5, -20, -5, 9, 20)]))
    events_of(world, Command(forward=1.0), 90)
    place, row = world.safe_state, world.walker_state.row()
    row["safe"] = row["position"] = -7.0, 0.25, 0.0  # between the floor and the box, where nothing fits
    for expected, heading in ((place.feet, None), (world.start.feet, 0)):
        world.walker_state = WalkerState(row)
        (stuck,) = world.step(Command(forward=1.0))
        assert (stuck.reason, stuck.heading) == ("stuck", heading)
        assert stuck.feet == world.walker_state.feet == pytest.approx(expected, abs=0.03)
        assert events_of(world, Command(), 10) == []


def test_the_goal_is_reached_once_by_the_feet(level_with):
    goal = goal_at(0.0, 0.0, -4.0, 0.5)
    world = World(level_with(goal=goal))
    events = events_of(world, Command(forward=1.0), 120)
    (reached,) = [event for event in events if isinstance(event, GoalReached)]
    assert reached.tick == world.goal_tick
    assert reached.seconds == world.goal_tick / 60
    again = World(level_with(goal=goal))
    for _ in range(reached.tick - 1):
        again.step(Command(forward=1.0))
    assert abs(again.walker_state.feet[2] + 4.0) > 0.5
    again.step(Command(forward=1.0))
    assert abs(again.walker_state.feet[2] + 4.0) <= 0.5


def test_every_part_of_the_state_shows_in_the_hash(level_with):
    goal = goal_at(0.0, 0.0, 0.0, 5.0)
    world, same = World(level_with()), World(level_with(goal=goal))
    assert world.hash() == same.hash()
    world.step(Command())
    same.step(Command())
    assert world.walker_state == same.walker_state
    assert world.hash() != same.hash()


def test_restart_is_the_beginning(level):
    world = World(level)
    begin = world.state()
    events_of(world, Command(forward=1.0), 100)
    event = world.restart()
    assert world.state() == begin
    assert event == Respawned(0, "asked", world.walker_state.feet, 0)


def test_a_world_begins_at_the_spawn_of_a_name(level_with):
    spawns = [
        Spawn("here", (0.0, 0.0, 0.0), 0),
        Spawn("there", (5.0, 0.0, 0.0), 100),
    ]
    level = level_with(spawns=spawns)
    assert World(level, spawn="there").walker_state.feet[0] == pytest.approx(5.0)
    with pytest.raises(ValueError, match=r"no spawn is called 'nowhere' \(known: here, there\)"):
        World(level, spawn="nowhere")
