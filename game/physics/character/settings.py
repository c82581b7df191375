"""WalkerSettings: every number that tunes the walker, with its unit and range."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arguments import as_number
from ...core.limits import MAX_WALKER_SPEED
from ...core.vectors import as_vector
from ..numerics.trigonometry import sin_cos_small
from .layout import setting

_MAY_BE_INFINITE = ("acceleration", "deceleration")


def _cos_degrees(angle: float) -> float:
    """Cosine of 0..90 degrees by the walker's own polynomial, so that no C library decides on a slope."""
    if angle <= 45.0:
        return float(sin_cos_small(math.pi * angle / 180.0)[1])
    return float(sin_cos_small(math.pi * (90.0 - angle) / 180.0)[0])


@dataclass(frozen=True, slots=True)
class WalkerSettings:
    """Shape, speeds and limits of a walker. ValueError names the field and its range.

    radii             m: half axes of the upright body to the right, up and ahead; 0.01..100
    crouch_height     m, of the crouched body; 0.02 to twice the upright radius
    eye               height of the eye as a fraction of the body's height; 0.1..0.95
    walk_speed, sprint_speed, crouch_speed  m/s; 0..100
    acceleration      m/s2 towards the velocity of the command; over 0, inf: at once
    deceleration      m/s2 without `forward` and `strafe`; over 0, inf: at once
    air_control       fraction of the acceleration that remains in the air; 0..1
    gravity           m/s2; 0..1000
    fall_limit        m/s; over 0; more than MAX_WALKER_SPEED acts like MAX_WALKER_SPEED
    jump_height       m by which the feet rise; 0..100
    coyote_time       s after the ground was left in which a jump still counts; 0..1
    jump_buffer       s before landing in which a jump is remembered; 0..1
    max_slope         degrees; steeper ground is not walked; 0..89
    step_height       m; 0 to the upright radius; 0: no steps, the round body slides over edges
    snap_down         m by which the ground may drop in a tick without the body leaving it; 0 to the upright radius
    skin              gap kept to every surface, as a fraction of the radius (ellipsoid space); 0.001..0.1
    ticks_per_second  10..1000
    """

    radii: tuple[float, float, float] = (0.35, 0.90, 0.25)
    crouch_height: float = 1.1
    eye: float = 0.80
    walk_speed: float = 4.0
    sprint_speed: float = 6.5
    crouch_speed: float = 2.0
    acceleration: float = 60.0
    deceleration: float = 60.0
    air_control: float = 0.3
    gravity: float = 9.81
    fall_limit: float = 60.0
    jump_height: float = 1.0
    coyote_time: float = 0.1
    jump_buffer: float = 0.1
    max_slope: float = 45.0
    step_height: float = 0.40
    snap_down: float = 0.40
    skin: float = 0.01
    ticks_per_second: float = 60.0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "radii":
                object.__setattr__(self, "radii", as_vector(value, "radii"))
            elif not (field.name in _MAY_BE_INFINITE and isinstance(value, float) and value == math.inf):
                object.__setattr__(self, field.name, as_number(value, field.name))
        self._check_range("radii", 0.01, 100.0, *self.radii)
        self._check_range("crouch_height", 0.02, 2.0 * self.radii[1], self.crouch_height)
        self._check_range("eye", 0.1, 0.95, self.eye)
        for name in ("walk_speed", "sprint_speed", "crouch_speed", "jump_height"):
            self._check_range(name, 0.0, 100.0, getattr(self, name))
        for name in ("acceleration", "deceleration", "fall_limit"):
            if getattr(self, name) <= 0.0:
                raise ValueError(f"{name} must be over 0, not {getattr(self, name)!r}")
        self._check_range("gravity", 0.0, 1000.0, self.gravity)
        for name in ("air_control", "coyote_time", "jump_buffer"):
            self._check_range(name, 0.0, 1.0, getattr(self, name))
        self._check_range("max_slope", 0.0, 89.0, self.max_slope)
        for name in ("step_height", "snap_down"):
            self._check_range(name, 0.0, self.radii[1], getattr(self, name))
        self._check_range("skin", 0.001, 0.1, self.skin)
        self._check_range("ticks_per_second", 10.0, 1000.0, self.ticks_per_second)

    @staticmethod
    def _check_range(name: str, low: float, high: float, *values: float) -> None:
        for value in values:
            if not low <= value <= high:
                raise ValueError(f"{name} must be within {low:g}..{high:g}, not {value!r}")

    @property
    def dt(self) -> float:
        """Duration of a tick, s."""
        return 1.0 / self.ticks_per_second

    @property
    def crouch_radii(self) -> tuple[float, float, float]:
        """Radii (right, up, ahead) of the crouched body, m."""
        return (self.radii[0], self.crouch_height / 2.0, self.radii[2])

    def row(self) -> npt.NDArray[np.float64]:
        """The settings row of the kernels (layout.setting), (20,) f8."""
        floats: list[Any] = [0.0] * 20
        floats[setting.RADIUS_RIGHT], floats[setting.RADIUS_UP], floats[setting.RADIUS_AHEAD] = self.radii
        floats[setting.CROUCH_RADIUS_UP] = self.crouch_height / 2.0
        floats[setting.WALK_SPEED], floats[setting.SPRINT_SPEED], floats[setting.CROUCH_SPEED] = (
            self.walk_speed,
            self.sprint_speed,
            self.crouch_speed,
        )
        floats[setting.ACCELERATION], floats[setting.DECELERATION], floats[setting.AIR_CONTROL] = (
            self.acceleration,
            self.deceleration,
            self.air_control,
        )
        floats[setting.GRAVITY], floats[setting.FALL_LIMIT] = self.gravity, min(self.fall_limit, MAX_WALKER_SPEED)
        floats[setting.JUMP_SPEED] = math.sqrt(2.0 * self.gravity * self.jump_height)
        floats[setting.COS_MAX_SLOPE] = _cos_degrees(self.max_slope)
        floats[setting.STEP_HEIGHT], floats[setting.SNAP_DOWN], floats[setting.SKIN], floats[setting.DT] = (
            self.step_height,
            self.snap_down,
            self.skin,
            self.dt,
        )
        floats[setting.COYOTE_TICKS] = round(self.coyote_time * self.ticks_per_second)
        floats[setting.JUMP_BUFFER_TICKS] = round(self.jump_buffer * self.ticks_per_second)
        return np.array(floats, dtype=np.float64)


SLIM = (0.35, 0.90, 0.12)  # m: right, up, ahead


def slim(**changes: Any) -> WalkerSettings:
    """Settings with the radii of the collision guide that many forums quote; other settings by name."""
    return WalkerSettings(**{"radii": SLIM, **changes})


def bare(**changes: Any) -> WalkerSettings:
    """Settings for comparisons: the wish velocity is reached at once, on ground and in the air; others by name."""
    return WalkerSettings(**{"acceleration": math.inf, "deceleration": math.inf, "air_control": 1.0, **changes})
