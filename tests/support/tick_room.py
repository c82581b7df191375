"""A room with walls, boxes, a ramp and a platform, and walks in it with a report of each tick."""

from __future__ import annotations

from game.sim.replay.tick_report import describe_tick

ROOM = """\
format: 1
name: Room
spawn: {at: [0, 0, 0], facing: north}
pieces:
  - floor: {from: [-10, -10], to: [10, 10]}
  - wall: {from: [-10, -5], to: [10, -5], height: 3, thickness: 0.2}
  - wall: {from: [5, 10], to: [5, -10], height: 3, thickness: 0.2}
  - box: {from: [-4, 0, 3], to: [-2, 0.3, 6]}
  - ramp: {at: [-6, 0, 8], facing: south, length: 1, rise: 3, width: 2}
  - box: {from: [1, 1.3, 6], to: [3, 1.5, 9]}
  - mover:
      name: tray
      at: [-8, 0, 0]
      path: [[0, 0, 0], [0, 0, 4]]
      seconds: 4
      of: [box: {from: [-1, 0, -1], to: [1, 0.1, 1]}]
"""


def place_walker(world, feet, heading=0):
    world.walker_state = world.walker.spawn(world.mesh, feet, heading, around=world.environment)
    return world


def walk(world, command, ticks):
    """The accounts of so many ticks of one command."""
    accounts = []
    for _ in range(ticks):
        before = world.walker_state
        events = world.step(command)
        held = world.state()
        accounts.append(describe_tick(world, before, command, events))
        assert world.state() == held
    return accounts


def line_of(words):
    return next(number for number, line in enumerate(ROOM.splitlines(), start=1) if words in line)
