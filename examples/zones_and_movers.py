"""Zones and movers: a world with a lift, a launch pad, a checkpoint and a goal, from the text of a level."""

from __future__ import annotations

from typing import Any

from ellipsoid_walker.level import load
from ellipsoid_walker.physics import Command
from ellipsoid_walker.sim import CheckpointReached, GoalReached, World

LEVEL = """
format: 1
spawn: {at: [0, 0, 4], facing: north}
goal: {at: [0, 7, -18], radius: 1.5}
surfaces: {stone: {colour: "#b8a98c", texture: flagstone}, metal: {colour: "#7f8a99", texture: metal}}
pieces:
  - floor: {from: [-4, -3], to: [4, 6], surface: stone}
  - mover:
      at: [0, 0, -4.2]
      path: [[0, 0, 0], [0, 4, 0]]
      seconds: 3
      pause: 2
      of: [box: {from: [-1.5, -0.2, -1.2], to: [1.5, 0, 1.2], surface: metal}]
  - box: {from: [-2, 0, -12], to: [2, 4, -5.5], surface: stone}
  - checkpoint: {from: [-2, 4, -8], to: [2, 6, -6], name: The top of the lift}
  - pad: {at: [0, 4, -10], to: [0, 3, -7], over: 1}
  - box: {from: [-2, 0, -20], to: [2, 7, -15], surface: stone}
"""


def main() -> tuple[World, list[Any]]:
    """The world at the end, and the position of the feet after each tick."""
    world = World(load(text=LEVEL))
    feet = []
    while world.tick < 900 and world.goal_tick < 0:
        on_lift = world.walker_state.grounded and -5.4 < world.walker_state.feet[2] < -3.6
        wait = on_lift and world.walker_state.feet[1] < 3.95  # stand on the lift until it is at the top
        for event in world.step(Command(forward=0.0 if wait else 1.0)):
            if isinstance(event, CheckpointReached):
                print(f"{world.seconds:5.2f} s: checkpoint {event.name}")
            elif isinstance(event, GoalReached):
                print(f"{world.seconds:5.2f} s: the goal")
        feet.append(world.walker_state.feet)
    print(f"highest point: {max(y for _, y, _ in feet):.2f} m")
    return world, feet


if __name__ == "__main__":
    main()
