"""Exits in play: when the player leaves the level by one, and which one is announced.

The world reports every entry into an exit's sphere. A step back at the spawn, or a turn after an arrival, must not
leave the level: until the player has been further away, an exit close to the spawn works only for a player who looks at
it, at the entry or for a moment in the door.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ...core.angles import RADIANS_PER_HEADING_UNIT

if TYPE_CHECKING:
    from ...core.vectors import Point
    from ...level import Exit
    from ...sim import World

OPEN_DISTANCE = 3.0  # m from the spawn: once the player has been there, every exit works at once
STAY_SECONDS = 0.7  # s of looking through the door, from inside, that an exit asks for before that
LABEL_DISTANCE = 2.5  # m from the sphere of an exit at which its destination is shown
SPAWN_DISTANCE = 1.0  # m from the spawn within which no exit is announced
MAX_VIEW_ANGLE = math.radians(50.0)  # between the view and an exit that the player looks at, horizontally


class ExitDoors:
    """The exits of the world that is played. Call `update` after the ticks of each frame."""

    def __init__(self) -> None:
        self._world: World | None = None
        self._last_tick = 0
        self._farthest = 0.0  # m from the spawn, since the start
        self._waiting: tuple[Exit, int] | None = None  # the exit around the player, and the last tick with another view

    def update(self, world: World, yaw: float) -> Exit | None:
        """Take in the state of the world; the exit through which the player has looked long enough. yaw: of the view,
        65536 to the turn."""
        if world is not self._world or world.tick < self._last_tick:  # another level, a restart, a rewind
            self._world = world
            self._farthest = 0.0
            self._waiting = None
        self._last_tick = world.tick
        feet = world.walker_state.feet
        self._farthest = max(self._farthest, math.dist(feet, world.start.feet))
        if self._waiting is None:
            return None
        level_exit, since = self._waiting
        if math.dist(feet, level_exit.at) > level_exit.radius:
            self._waiting = None
        elif not _is_in_view(world, yaw, level_exit, world.start.feet):
            self._waiting = level_exit, world.tick
        elif world.tick - since >= STAY_SECONDS * world.settings.ticks_per_second:
            self._waiting = None
            return level_exit
        return None

    def enter(self, level_exit: Exit, world: World, yaw: float) -> bool:
        """The player has entered an exit: whether the level is left at once. yaw: of the view, 65536 to the turn."""
        if self._farthest >= OPEN_DISTANCE or _is_in_view(world, yaw, level_exit, world.walker_state.feet):
            return True
        self._waiting = level_exit, world.tick
        return False

    def label(self, world: World, yaw: float) -> str:
        """The line about the exit that is near and in view, else an empty one. yaw: of the view, 65536 to the turn."""
        if self._waiting is not None:
            level_exit = self._waiting[0]
            return f"Door to: {level_exit.name or level_exit.to}   ·   Turn to it to go through"
        feet = world.walker_state.feet
        if math.dist(feet, world.start.feet) < SPAWN_DISTANCE:
            return ""
        near = [
            (distance, door.name)
            for door in world.level.exits
            if (distance := math.dist(feet, door.at) - door.radius) < LABEL_DISTANCE
            and (distance <= 0.0 or (_is_in_view(world, yaw, door, feet) and not _is_behind_wall(world, door)))
        ]
        name = min(near, default=(0.0, ""))[1]
        return f"Door to: {name}" if name else ""


def _is_behind_wall(world: World, door: Exit) -> bool:
    """Whether the level's mesh is between the body's centre and an exit's sphere, at the same height above the exit."""
    state = world.walker_state
    offset = [there - here for there, here in zip(door.at, state.feet, strict=True)]
    distance = math.hypot(*offset) - door.radius
    return distance > 0.0 and world.mesh.raycast_any(state.position, offset, distance)


def _is_in_view(world: World, yaw: float, door: Exit, place: Point) -> bool:
    """Whether the view points in the direction from a place to the centre of an exit."""
    state = world.walker_state
    offset = [there - here for there, here in zip(door.at, place, strict=True)]
    (ux, uy, uz), (nx, ny, nz) = state.up, state.north
    left = (uy * nz - uz * ny, uz * nx - ux * nz, ux * ny - uy * nx)
    ahead = sum(a * b for a, b in zip(offset, state.north, strict=True))
    aside = sum(a * b for a, b in zip(offset, left, strict=True))
    turn = math.atan2(aside, ahead) - yaw * RADIANS_PER_HEADING_UNIT
    return abs(math.remainder(turn, math.tau)) <= MAX_VIEW_ANGLE
