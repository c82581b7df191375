"""Jump phase: jumps from the ground, launch pads, and jumps off a ladder."""

from __future__ import annotations

from typing import NamedTuple

from ....core.vectors import Floats, Indices, Vector
from ...environment.rows import zone_row
from ...numerics.jit import inner
from ..command import TickCommand
from ..rows import body, button, counter, setting, state_flag, state_row, tick_event
from ..scratch import Scratch
from .effects import zone_vector
from .ladders import LADDER_JUMP_FACTOR, LADDER_JUMP_SPEED, ladder_direction


class Jump(NamedTuple):
    """Result of the jump phase; velocities in the body frame, m/s."""

    leaves_ground: bool  # a jump or a launch begins in this tick
    is_launched: bool  # by a pad or off a ladder, which replaces the carried velocity by the launch velocity
    launch_x: float
    launch_z: float
    vx: float  # horizontal velocity at the start of the tick
    vz: float
    fall_velocity: float  # upward velocity that gravity acts on
    buffer: int  # ticks left in which a pressed jump is remembered


@inner
def start_jump(
    w: Scratch,
    settings: Floats,
    zones: Floats,
    f: Floats,
    i: Indices,
    command: TickCommand,
    vx: float,
    vz: float,
    carried: Vector,
) -> Jump:
    """Start a jump or a launch. `write_counters_and_flags` counts down the jump buffer and the coyote time.

    A jump starts if the button was pressed in this tick or a jump buffer ago, and the body is grounded or was within
    the coyote time: v = sqrt(2 g h), relative to the platform that it left, of velocity `carried` (m/s). A launch pad
    sets the whole velocity, a ladder's jump the velocity away from it, relative to the ladder.
    """
    b = w.body
    flags = i[state_row.FLAGS]
    grounded = flags & state_flag.GROUNDED != 0
    pressed = command.buttons & button.JUMP != 0
    buffer = i[state_row.JUMP_BUFFER_TICKS]
    fall_velocity = f[state_row.FALL_VELOCITY]
    launch_x, launch_z = 0.0, 0.0
    carried_x, carried_rise, carried_z = carried
    if pressed and flags & state_flag.JUMP_HELD == 0:
        buffer = int(settings[setting.JUMP_BUFFER_TICKS]) + 1
    jumps = buffer > 0 and (grounded or i[state_row.COYOTE_TICKS] > 0)
    if jumps:
        fall_velocity = settings[setting.JUMP_SPEED] + carried_rise
        buffer = 0
        w.counters[counter.EVENTS] |= tick_event.JUMPED
    is_launched = grounded and b[body.LAUNCH_ZONE] >= 0.0
    if is_launched:
        launch_x, fall_velocity, launch_z = zone_vector(b, zones, int(b[body.LAUNCH_ZONE]), zone_row.LAUNCH)
        vx, vz = 0.0, 0.0
        jumps = True
        buffer = 0
        w.counters[counter.EVENTS] |= tick_event.LAUNCHED
    elif (
        flags & state_flag.CLIMBING != 0
        and pressed
        and flags & state_flag.JUMP_HELD == 0
        and b[body.LADDER_ZONE] >= 0.0
    ):
        x, _, z = ladder_direction(b, zones)
        launch_x, launch_z = -LADDER_JUMP_SPEED * x + carried_x, -LADDER_JUMP_SPEED * z + carried_z
        fall_velocity = LADDER_JUMP_FACTOR * settings[setting.JUMP_SPEED] + carried_rise
        is_launched = True
        jumps = True
        buffer = 0
        w.counters[counter.EVENTS] |= tick_event.JUMPED
    return Jump(jumps, is_launched, launch_x, launch_z, vx, vz, fall_velocity, buffer)
