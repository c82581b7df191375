"""The kernels' settings row of WalkerSettings, and settings for comparisons."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.vectors import MAX_WALKER_SPEED
from ...core.walker_settings import SLIM, WalkerSettings
from ..numerics.trigonometry import sin_cos_small
from .rows import setting

__all__ = ["SLIM", "WalkerSettings", "bare", "settings_row", "slim"]


def _cos_degrees(angle: float) -> float:
    """Cosine of 0..90 degrees by the walker's own polynomial, so that no C library decides on a slope."""
    if angle <= 45.0:
        return float(sin_cos_small(math.pi * angle / 180.0)[1])
    return float(sin_cos_small(math.pi * (90.0 - angle) / 180.0)[0])


def settings_row(settings: WalkerSettings) -> npt.NDArray[np.float64]:
    """The row of the kernels for settings (rows.setting), (20,) f8."""
    floats: list[Any] = [0.0] * 20
    floats[setting.RADIUS_RIGHT], floats[setting.RADIUS_UP], floats[setting.RADIUS_AHEAD] = settings.radii
    floats[setting.CROUCH_RADIUS_UP] = settings.crouch_height / 2.0
    floats[setting.WALK_SPEED], floats[setting.SPRINT_SPEED], floats[setting.CROUCH_SPEED] = (
        settings.walk_speed,
        settings.sprint_speed,
        settings.crouch_speed,
    )
    floats[setting.ACCELERATION], floats[setting.DECELERATION], floats[setting.AIR_CONTROL] = (
        settings.acceleration,
        settings.deceleration,
        settings.air_control,
    )
    floats[setting.GRAVITY], floats[setting.FALL_LIMIT] = settings.gravity, min(settings.fall_limit, MAX_WALKER_SPEED)
    floats[setting.JUMP_SPEED] = math.sqrt(2.0 * settings.gravity * settings.jump_height)
    floats[setting.COS_MAX_SLOPE] = _cos_degrees(settings.max_slope)
    floats[setting.STEP_HEIGHT], floats[setting.SNAP_DOWN], floats[setting.SKIN], floats[setting.DT] = (
        settings.step_height,
        settings.snap_down,
        settings.skin,
        settings.dt,
    )
    floats[setting.COYOTE_TICKS] = round(settings.coyote_time * settings.ticks_per_second)
    floats[setting.JUMP_BUFFER_TICKS] = round(settings.jump_buffer * settings.ticks_per_second)
    return np.array(floats, dtype=np.float64)


def slim(**changes: Any) -> WalkerSettings:
    """Settings with the radii of the collision guide that many forums quote; other settings by name."""
    return WalkerSettings(**{"radii": SLIM, **changes})


def bare(**changes: Any) -> WalkerSettings:
    """Settings for comparisons: the wish velocity is reached at once, on ground and in the air; others by name."""
    return WalkerSettings(**{"acceleration": math.inf, "deceleration": math.inf, "air_control": 1.0, **changes})
