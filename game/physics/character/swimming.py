"""Swimming: strokes, buoyancy and drag (docs/zones.md). Drag is integrated exactly, so every tick rate agrees."""

from __future__ import annotations

from math import sqrt
from typing import Any

from ..environment.layout import zone_row
from ..numerics.acceleration import exponential_decay
from ..numerics.jit import inner
from ..numerics.trigonometry import heading_sin_cos
from .command import TickCommand, upright_speed
from .layout import body, button, setting, state_flag, state_row
from .scratch import Scratch
from .slide import clip_velocity_3d, slide_move

SWIM_START_DEPTH, SWIM_END_DEPTH = 0.6, 0.5  # part of the body under water at which swimming starts, and ends
SWIM_SPEED_FACTOR = 0.7  # of the walking speed
WADE_SLOWDOWN = 0.5  # part of the walking speed that is lost in water just too shallow to swim in
STROKE_FADE_START = 0.9  # part under water below which upward strokes weaken; else a swimmer would leap out
STROKE_FADE_RANGE = 0.15  # they have no effect this much further up


@inner
def is_swimming(b: Any, i: Any) -> bool:
    """True if enough of the body is under water: more to start swimming than to go on."""
    limit = SWIM_END_DEPTH if i[state_row.FLAGS] & state_flag.SWIMMING != 0 else SWIM_START_DEPTH
    return bool(b[body.SUBMERGED_FRACTION] >= limit)


@inner
def _stroke_velocity(b: Any, settings: Any, command: TickCommand) -> tuple[float, float, float]:
    """Velocity (body frame, m/s) that the strokes aim at: along the view; jump is upwards, crouch is downwards."""
    s, c = heading_sin_cos(command.heading)
    sin_pitch, cos_pitch = heading_sin_cos(command.pitch)
    forward, strafe = command.forward, command.strafe
    x, y, z = strafe * c - forward * s * cos_pitch, forward * sin_pitch, -strafe * s - forward * c * cos_pitch
    if command.buttons & button.JUMP != 0:
        y += 1.0
    if command.buttons & button.CROUCH != 0:
        y -= 1.0
    length = x * x + y * y + z * z
    if length > 1.0:
        length = sqrt(length)
        x, y, z = x / length, y / length, z / length
    speed = SWIM_SPEED_FACTOR * upright_speed(settings, command)
    if y > 0.0:
        y = y * min(
            max((b[body.SUBMERGED_FRACTION] - STROKE_FADE_START + STROKE_FADE_RANGE) / STROKE_FADE_RANGE, 0.0), 1.0
        )
    return speed * x, speed * y, speed * z


@inner
def swim_tick(
    w: Scratch, zones: Any, settings: Any, command: TickCommand, vx: float, vy: float, vz: float
) -> tuple[float, float, float]:
    """Move the body by one tick of swimming; returns its velocity (body frame, m/s).

    The velocity v approaches the terminal velocity s (strokes + current + g (buoyancy part - 1) / drag upwards):
    dv/dt = drag (s - v), so v' = s + (v - s) e and u = s dt + (v - s) (1 - e) / drag, with e = exp(-drag dt).
    """
    b = w.body
    dt = settings[setting.DT]
    k = int(b[body.WATER_ZONE])
    drag = zones[k, zone_row.DRAG]
    x, y, z = _stroke_velocity(b, settings, command)
    if b[body.HAS_CURRENT] != 0.0:
        x, y, z = x + b[body.CURRENT], y + b[body.CURRENT + 1], z + b[body.CURRENT + 2]
    g = settings[setting.GRAVITY] * b[body.GRAVITY_SCALE]
    y = y + g * (zones[k, zone_row.BUOYANCY] * b[body.SUBMERGED_FRACTION] - 1.0) / drag
    e = exponential_decay(drag * dt)
    reach = (1.0 - e) / drag
    slide_move(w, x * dt + (vx - x) * reach, y * dt + (vy - y) * reach, z * dt + (vz - z) * reach, True)
    return clip_velocity_3d(w, x + (vx - x) * e, y + (vy - y) * e, z + (vz - z) * e)
