"""Zones inside movers of a level file: checkpoints, kills and teleports in a world."""

from __future__ import annotations

import pytest

from game.level import check, load
from game.sim import CheckpointReached, Command, Respawned, World
from game.sim.events import RespawnReason
from game.sim.replay.fingerprint import level_hash

LIFT = """
format: 1
name: Carried
spawn: {at: [0, 0.2, 0], facing: north}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
  - mover:
      name: lift
      at: [0, 0, 0]
      path: [[0, 0, 0], [0, 6, 0]]
      seconds: 4
      pause: 1
      of:
        - box: {from: [-2, 0, -2], to: [2, 0.2, 2]}
INSIDE
"""


def lift(inside: str) -> World:
    return World(load(text=LIFT.replace("INSIDE", inside.strip("\n"))))


def walk(world: World, ticks: int, **how: float) -> list[object]:
    return [event for _ in range(ticks) for event in world.step(Command(**how))]


def test_a_teleport_on_a_lift_works_where_the_lift_is():
    text = "        - teleport: {from: [-1, 0.2, -4], to: [1, 2.5, -3], arrive: [10, 0, 0]}"
    world = lift(text)
    assert [zone.mover for zone in world.level.all_zones] == [0]
    walk(world, 300)  # up with the lift
    assert world.walker_state.feet[1] > 6.0
    (event,) = walk(world, 60, forward=1.0)  # over the edge, into the teleport up there
    assert isinstance(event, Respawned)
    assert event.reason == RespawnReason.TELEPORTED
    assert event.feet[0] == pytest.approx(10.0)
    world = lift(text)
    world.walker_state = world.walker_state.replace(position=(0.0, world.walker_state.position[1], 8.0))
    walk(world, 240)  # the lift is on its way
    assert not walk(world, 240, forward=1.0)  # below it nothing happens


def test_a_walker_returns_to_where_the_checkpoint_is_by_now():
    """Reached on the way up: the place is kept as it is in the lift, not as it was in the world."""
    world = lift("        - checkpoint: {from: [-2, 0.2, -2], to: [2, 2.5, 2], name: Car}")
    away = world.walker_state.replace(position=(15.0, 1.0, 15.0))
    world.walker_state = away
    assert not walk(world, 150)
    deck = world.mover_poses()[0, 1, 3] + 0.2
    assert 1.0 < deck < 4.0
    world.walker_state = away.replace(position=(0.0, deck + 0.91, 0.0))
    assert isinstance(walk(world, 5)[0], CheckpointReached)
    walk(world, 90)
    high = world.walker_state.feet[1]
    assert high > deck + 1.0
    world.walker_state = away
    event = world.return_to_checkpoint()
    assert event.feet == pytest.approx((0.0, high, 0.0), abs=0.02)
    walk(world, 30)
    assert world.walker_state.mover == 0


def test_a_kill_box_under_a_crusher_comes_down_with_it():
    world = lift("        - kill: {from: [9, 4, -1], to: [11, 5, 1]}")
    world.walker_state = world.walker_state.replace(position=(10.0, world.walker_state.position[1], 0.0))
    assert not walk(world, 300)
    up = lift("        - kill: {from: [9, -4, -1], to: [11, -3, 1]}")
    up.walker_state = up.walker_state.replace(position=(10.0, up.walker_state.position[1], 0.0))
    (event,) = walk(up, 300)
    assert isinstance(event, Respawned)
    assert event.reason == RespawnReason.KILLED


def test_what_a_mover_cannot_carry_is_a_finding():
    def findings(inside: str, axis: str = "") -> list[str]:
        text = LIFT.replace("      seconds: 4", f"      seconds: 4{axis}").replace("INSIDE", inside)
        return [f"{found.line}: {found.message} ({found.cure})" for found in check(text=text) if found.where == "mover"]

    (target,) = findings("        - target: {at: [0, 2, 0]}")
    assert target == "7: a target inside a mover does not move with it (put it outside the mover)"
    water = "        - water: {from: [-1, 1, -1], to: [1, 2, 1]}"
    assert not findings(water)
    assert not findings(water, "\n      swing: 90")
    (tilted,) = findings(water, "\n      swing: 90\n      axis: [1, 0, 0]")
    assert "moves with it, but its box stays upright (turn the mover about [0, 1, 0]" in tilted


def test_the_hash_of_a_level_tells_a_carried_zone_from_one_that_stays():
    inside = "        - water: {from: [-1, 1, -1], to: [1, 2, 1]}"
    outside = "  - water: {from: [-1, 1, -1], to: [1, 2, 1]}"
    assert level_hash(lift(inside).level) != level_hash(lift(outside).level)
