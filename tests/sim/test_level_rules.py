"""The rules of a level: the order of the events of one tick."""

import pytest

from game.level import load
from game.physics import Command, WalkerState
from game.sim import CheckpointReached, ExitReached, Respawned, TargetReached, World

# Whatever can happen in a tick happens at z = -5.
EVERYTHING = """
format: 1
name: Everything
spawn: {at: [0, 0, 0], facing: north}
goal: {at: [0, 0, -5], radius: 1, after: targets}
kill_height: -10
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
  - box: {from: [-9, 0.5, 10], to: [-5, 9, 20]}
  - checkpoint: {from: [-1, 0, -6], to: [1, 2, -4], name: first}
  - checkpoint: {from: [-1, 0, -6], to: [1, 2, -4], name: last}
  - target: {at: [0, 1, -5], radius: 1}
  - target: {at: [0, 0, -5], radius: 1}
"""
KILL = "  - kill: {from: [-1, 0, -6], to: [1, 2, -4], name: trap}\n"
TELEPORT = "  - teleport: {from: [-1, 0, -6], to: [1, 2, -4], arrive: [0, 0, -5.5], facing: west, name: gate}\n"
EXIT = "exits: [{at: [0, 0, -5], radius: 1, to: demo.yaml}]\n"


def world_at(text, z=-5.0, **fields):
    """A world of this level with the walker at z."""
    world = World(load(text=text, base="levels"))
    row = world.walker_state.replace(position=(0.0, 0.92, z)).row()
    for name, value in fields.items():
        row[name] = value
    world.walker_state = WalkerState(row)
    return world


def told(events):
    """The events as short texts."""
    texts = {CheckpointReached: "name", TargetReached: "remaining", Respawned: "reason"}
    return [f"{type(event).__name__} {getattr(event, texts.get(type(event), 'tick'))}" for event in events]


def test_all_that_is_reached_in_one_tick():
    events = world_at(EVERYTHING + EXIT).step(Command())
    assert told(events) == [
        "CheckpointReached last", "TargetReached 1", "TargetReached 0", "GoalReached 1", "ExitReached 1"
    ]  # fmt: skip
    assert isinstance(events[-1], ExitReached)


@pytest.mark.parametrize(
    ("zone", "respawn", "name", "heading", "z"),
    [
        (KILL, "Respawned killed", "trap", 0, -5.0),
        (TELEPORT, "Respawned teleported", "gate", 16384, -5.5),
        (TELEPORT + KILL, "Respawned killed", "trap", 0, -5.0),
    ],
    ids=["kill", "teleport", "both"],
)
def test_who_dies_or_leaves_in_a_checkpoint_reaches_it_first_and_no_exit(zone, respawn, name, heading, z):
    world = world_at(EVERYTHING + zone + EXIT, velocity=(0.0, 0.0, 1.0))
    events = world.step(Command())
    assert told(events) == ["CheckpointReached last", respawn, "TargetReached 1", "TargetReached 0", "GoalReached 1"]
    assert (events[1].name, events[1].heading) == (name, heading)
    assert events[1].feet == world.walker_state.feet
    assert events[1].feet[2] == pytest.approx(z, abs=0.03)
    assert world.walker_state.velocity == (0.0, 0.0, 0.0)
    assert world.goal_tick == 1


def test_stuck_and_fallen_in_one_tick_have_two_places():
    """The safe place of the body is below the kill height: it is moved there, and falls out of the level."""
    world = world_at(EVERYTHING + KILL + EXIT, position=(-7.0, 0.25, 15.0), safe=(0.0, -50.0, -5.0))
    events = world.step(Command(forward=1.0))
    assert told(events) == ["Respawned stuck", "Respawned fell"]
    assert events[0].feet == pytest.approx((0.0, -50.9, -5.0), abs=0.05)
    assert events[0].heading is None
    assert events[1].feet == world.walker_state.feet == pytest.approx((0.0, 0.0, 0.0), abs=0.03)
    assert events[1].heading == 0


def test_stuck_in_a_tick_means_no_zone_and_no_exit_but_targets_and_the_goal():
    world = world_at(EVERYTHING + KILL + TELEPORT + EXIT, position=(-7.0, 0.25, 15.0), safe=(0.0, 0.92, -5.0))
    events = world.step(Command(forward=1.0))
    assert told(events) == ["Respawned stuck", "TargetReached 1", "TargetReached 0", "GoalReached 1"]
    assert told(world.step(Command())) == ["Respawned killed"]  # a tick later it is in the trap, and not on the ground
