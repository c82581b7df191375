"""Checkpoints, kills, teleports, pads and turned gravity in a world."""

import math
from itertools import groupby, islice

import pytest

from game.level import load
from game.level.build.entities.zones import launch_velocity
from game.physics.rules import LAST_CHECKPOINT
from game.sim import CheckpointReached, Command, GoalReached, Respawned, Session, World, command_script
from game.sim.events import RespawnReason
from tests.support.scenes import gap

LEVEL = """
format: 1
name: Zones
spawn: {at: [0, 0, 3], facing: north}
goal: {at: [40, 0, 0], radius: 1}
pieces:
  - floor: {from: [-20, -20], to: [60, 20]}
  - checkpoint: {from: [-1, 0, -1], to: [1, 2, 1], name: The middle}
  - kill: {from: [-1, 0, -6], to: [1, 2, -4], name: Too far}
  - teleport: {from: [9, 0, -1], to: [10, 2, 1], arrive: [20, 0, 0], facing: east}
  - teleport: {from: [19, 0, -1], to: [21, 2, 1], arrive: [9.5, 0, 0], facing: west}
"""


@pytest.fixture
def world():
    return World(load(text=LEVEL))


PRESS = (
    "  - mover: {at: [6, 0, 6], path: [[0, 2.5, 0], [0, 0.2, 0]], seconds: 1,\n"
    "            of: [box: {from: [-1, 0, -1], to: [1, 1, 1]}]}\n"
)


@pytest.mark.parametrize(("reason", "centre"), [("fell", (0.0, -99.0, 0.0)), ("crushed", (6.0, 1.0, 6.0))])
def test_a_second_respawn_at_the_checkpoint_keeps_its_reason(reason, centre):
    world = World(load(text=LEVEL + PRESS))
    walk(world, 60, forward=1.0)
    respawns = []
    while len(respawns) < 2:
        world.walker_state = world.walker_state.replace(position=centre)
        respawns += [event for event in world.step(Command()) if isinstance(event, Respawned)]
        assert world.tick < 300
    assert [event.reason for event in respawns] == [reason] * 2
    assert abs(respawns[1].feet[2]) < 1.3


def walk(world, ticks, **how):
    return [event for _ in range(ticks) for event in world.step(Command(**how))]


def test_who_is_killed_comes_back_to_the_checkpoint(world):
    events = walk(world, 120, forward=1.0)
    assert [type(event) for event in events] == [CheckpointReached, Respawned]
    assert events[0].name == "The middle"
    assert (events[1].reason, events[1].name) == ("killed", "Too far")
    assert abs(events[1].feet[2]) < 1.3
    world.restart()
    assert world.checkpoint < 0


def test_the_way_back_leads_to_a_checkpoint_before_a_safe_place_and_the_clock_runs_on(world):
    session = Session(world)
    assert not world.can_return
    for command, ticks in ((Command(strafe=1.0), 70), (Command(strafe=-1.0), 70), (Command(forward=1.0), 50)):
        for _ in range(ticks):
            session.tick(command)
        assert world.can_return
    assert world.checkpoint >= 0
    for _ in range(90):
        session.tick(Command(strafe=1.0))
    place, tick = world._place(LAST_CHECKPOINT), world.tick
    event = session.return_to_checkpoint()
    assert (event.reason, event.feet, event.tick) == (RespawnReason.RETURNED, place.feet, tick)
    assert world.walker_state == place == session.previous
    assert world.tick == tick


def test_a_fall_leads_back_to_the_checkpoint_that_was_reached_after_the_last_safe_place():
    """A wall that drives over the second half of the floor leaves no safe place there."""
    text = (
        "format: 1\nspawn: {at: [0, 0, 5], facing: north}\nkill_height: -3\npieces:\n"
        "  - floor: {from: [-10, -10], to: [10, 10]}\n"
        "  - checkpoint: {from: [-2, 0, -6], to: [2, 2, -4], name: c}\n"
        "  - mover: {at: [9, 0.1, -5], path: [[0, 0, 0], [-18, 0, 0]], seconds: 600,"
        " of: [box: {from: [-0.5, 0, -5], to: [0.5, 1, 5]}]}\n"
    )
    reached, fell = walk(World(load(text=text)), 300, forward=1.0)
    assert (type(reached), fell.reason) == (CheckpointReached, "fell")
    assert fell.feet[2] == pytest.approx(-4.0, abs=0.4)


def test_a_checkpoint_counts_from_the_landing_on(world):
    world.walker_state = world.walker_state.replace(position=(0.0, 2.7, 0.0))
    assert walk(world, 5) == []
    assert not world.walker_state.grounded
    (reached,) = walk(world, 60)
    assert isinstance(reached, CheckpointReached)


def test_a_checkpoint_that_was_reached_on_a_mover_is_beside_it():
    """The walker reaches it on a belt of a car that drives on; it comes back at rest, with the view as it was."""
    text = (
        "format: 1\nspawn: {at: [0, 0, 5.5], facing: north}\npieces:\n"
        "  - floor: {from: [-40, -20], to: [40, 20]}\n"
        "  - checkpoint: {from: [-2, 0, 0], to: [2, 2, 3], name: c}\n"
        "  - kill: {from: [-40, 0, -9], to: [40, 3, -4]}\n"
        "  - mover: {at: [0, 0, 2], path: [[0, 0, 0], [30, 0, 0]], swing: 900, seconds: 3, pause: 1,"
        " of: [box: {from: [-3, -0.2, -2], to: [3, 0.05, 2]}]}\n"
    )
    world = World(load(text=text))
    world.run([Command(forward=1.0)] * 200, until=lambda event: isinstance(event, CheckpointReached))
    assert world.walker_state.mover == 0
    world.run([Command(forward=1.0)] * 12)
    _, events = world.run([Command(forward=1.0, sprint=True)] * 200, until=lambda event: isinstance(event, Respawned))
    assert isinstance(events[-1], Respawned)
    assert world.walker_state.mover < 0
    world.step(Command())
    assert max(map(abs, world.walker_state.velocity)) < 0.5
    assert world.platform_turn == 0


def test_a_teleport_leads_away_once_and_not_back_at_once(world):
    state = world.walker_state.replace(position=(7.5, 0.92, 0.0))
    world.walker_state = state
    events = walk(world, 60, forward=1.0, heading=49152)
    moved = [event for event in events if isinstance(event, Respawned)]
    assert [event.reason for event in moved] == ["teleported"]
    assert moved[0].feet[0] == pytest.approx(20.0)
    assert moved[0].heading == 49152
    assert world.walker_state.feet[0] > 21.0


def test_a_pad_throws_to_where_it_says():
    to, over, g = (3.0, 2.0, -5.0), 1.5, 9.81
    x, y, z = launch_velocity(to, over)
    t = (y + math.sqrt(y * y - 2 * g * to[1])) / g
    assert (x * t, y * t - g * t * t / 2, z * t) == pytest.approx(to)
    assert y * y / (2 * g) == pytest.approx(3.5)


def test_the_turning_stairs_are_walked_on_floor_wall_and_ceiling():
    """The shipped walk: four gravities, nobody is turned to and fro, and the gap is kept at every tick."""
    world, ups = World(load("levels/escher.yaml")), []
    script = command_script.read_script("levels/escher.commands")
    for command in islice(script.commands(world.start.heading), script.ticks):
        events = world.step(command)
        ups.append(world.walker_state.up)
        assert gap(world.walker, world.walker_state, world.mesh) >= 0.5 * world.settings.skin - 1e-6, world.tick
        if events:
            last = events[-1]
    assert [up for up, _ in groupby(ups)] == [(0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 0)]
    assert isinstance(last, GoalReached)
    assert world.walker_state.feet[1] == pytest.approx(16.0, abs=0.02)
