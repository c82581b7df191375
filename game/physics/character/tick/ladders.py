"""Ladders: when a body grabs one, and a tick of climbing (docs/zones.md)."""

from __future__ import annotations

from math import sqrt

from ....core.vectors import Floats, Vector
from ...environment.rows import zone_row
from ...numerics.jit import inner
from ...numerics.trigonometry import heading_sin_cos
from ..body_frame import world_to_body_frame
from ..command import TickCommand, move_input, upright_speed
from ..rows import body, button, setting, slide_mode
from ..scratch import Scratch
from ..slide import clip_velocity_3d, slide_move
from .effects import carried_velocity

CLIMB_SPEED_FACTOR = 0.6  # of the walking speed
CLIMB_DOWN_PITCH = -4551  # -25 degrees: forward climbs down if the view looks further down
CLIMB_CONE = 0.3  # cosine between input and ladder above which a body grabs it, and climbs straight up or down
LADDER_TOP_MARGIN = 0.02  # m below the upper end of the ladder's zone at which the climb ends
LADDER_JUMP_SPEED = 3.0  # m/s away from the ladder
LADDER_JUMP_FACTOR = 0.6  # upward speed of that jump, as a part of an ordinary jump's
MAX_LADDER_GRAB_SPEED = 3.5  # m/s upwards, or the fastest climb: a faster body does not grab the ladder
SPEED_ROUNDING = 1.0 + 1e-9  # factor above 1 on a speed that is compared with itself


@inner
def ladder_direction(b: Floats, zones: Floats) -> tuple[float, float, float]:
    """Unit vector towards the ladder at the feet, in the body frame."""
    k = int(b[body.LADDER_ZONE])
    x, y, z = (
        zones[k, zone_row.CLIMB],
        zones[k, zone_row.CLIMB + 1],
        zones[k, zone_row.CLIMB + 2],
    )
    if b[body.FRAME_IS_ROTATED] != 0.0:
        x, y, z = world_to_body_frame(b, x, y, z)
    return x, y, z


@inner
def is_grabbing_ladder(
    b: Floats, zones: Floats, settings: Floats, command: TickCommand, from_ground: bool, vy: float
) -> bool:
    """True if a body with its feet in a ladder's zone climbs in this tick.

    In the air it always does. From ground or water (`from_ground`) it does if the input points towards the ladder
    (CLIMB_CONE), the view does not look down, and the ladder reaches further up. vy: upward velocity, m/s; that of
    a ladder on a mover does not count.
    """
    if b[body.LADDER_ZONE] < 0.0 or command.buttons & button.JUMP != 0:
        return False
    _, my, _ = carried_velocity(b, zones, int(b[body.LADDER_ZONE]))
    if vy - my > max(MAX_LADDER_GRAB_SPEED, CLIMB_SPEED_FACTOR * settings[setting.SPRINT_SPEED] * SPEED_ROUNDING):
        return False
    x, y, z = ladder_direction(b, zones)
    if abs(y) > 0.5:
        return False  # gravity has turned: the ladder lies on its side
    if not from_ground:
        return True
    s, c = heading_sin_cos(command.heading)
    forward, strafe = command.forward, command.strafe
    towards = (strafe * c - forward * s) * x + (-strafe * s - forward * c) * z
    return bool(
        towards > CLIMB_CONE * sqrt(forward * forward + strafe * strafe)
        and command.pitch >= CLIMB_DOWN_PITCH
        and _distance_to_ladder_top(b, zones, settings[setting.DT]) > 0.0
    )


@inner
def _distance_to_ladder_top(b: Floats, zones: Floats, dt: float) -> float:
    """Height of the end of the climb above the feet, m, after the mover of the ladder has moved by a tick of `dt`.

    The zone is a box; its half extent along up is the sum of its half sizes times |cosine| of their axes with up.
    """
    k = int(b[body.LADDER_ZONE])
    ux, uy, uz = b[body.FRAME + 3], b[body.FRAME + 4], b[body.FRAME + 5]
    s, c = zones[k, zone_row.SIN_HEADING], zones[k, zone_row.COS_HEADING]
    half_extent = zones[k, zone_row.HALF_SIZES] * abs(c * ux - s * uz) + zones[k, zone_row.HALF_SIZES + 1] * abs(uy)
    half_extent = half_extent + zones[k, zone_row.HALF_SIZES + 2] * abs(s * ux + c * uz)
    v = zone_row.VELOCITY
    x, y, z = (
        b[body.ORIGIN] - zones[k, zone_row.CENTRE] - zones[k, v] * dt,
        b[body.ORIGIN + 1] - zones[k, zone_row.CENTRE + 1] - zones[k, v + 1] * dt,
        b[body.ORIGIN + 2] - zones[k, zone_row.CENTRE + 2] - zones[k, v + 2] * dt,
    )
    return float(half_extent - LADDER_TOP_MARGIN - (x * ux + y * uy + z * uz) - b[body.OFFSET + 1] + b[body.RADII + 1])


@inner
def climb_tick(
    w: Scratch, zones: Floats, settings: Floats, command: TickCommand, carried: Vector, ahead: Vector
) -> tuple[float, float, float]:
    """Move the body by one tick on a ladder, less what it is `ahead` of that (m); returns its velocity (m/s).

    The velocity is relative to the ladder, which a mover may have `carried`; all are in the body frame.

    Input within CLIMB_CONE of the ladder climbs straight up (down, if the view looks down), input away from it climbs
    straight down, and other input moves sideways. The climb ends at the top of the ladder's zone.
    """
    b = w.body
    dt = settings[setting.DT]
    s, c = heading_sin_cos(command.heading)
    forward, strafe = move_input(command)
    x, z = strafe * c - forward * s, -strafe * s - forward * c
    lx, _, lz = ladder_direction(b, zones)
    length, towards, y = sqrt(x * x + z * z), x * lx + z * lz, 0.0
    if abs(towards) > CLIMB_CONE * length:
        y = length if towards > 0.0 and command.pitch >= CLIMB_DOWN_PITCH else -length
        x, z = max(towards, 0.0) * lx, max(towards, 0.0) * lz
    speed = CLIMB_SPEED_FACTOR * upright_speed(settings, command)
    x, y, z = x * speed, y * speed, z * speed
    if y > 0.0:
        y = min(y, max(_distance_to_ladder_top(b, zones, settings[setting.DT]), 0.0) / dt)
    slide_move(w, x * dt - ahead[0], y * dt - ahead[1], z * dt - ahead[2], slide_mode.FLOATING)
    vx, vy, vz = clip_velocity_3d(w, x, y, z, carried)
    return vx, min(vy, max(y, 0.0)), vz  # an edge at the top turns none of the forward speed upwards
