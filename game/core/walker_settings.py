"""WalkerSettings: every number that tunes the walker, with its unit and range, and the named presets.

Plain data: checks of levels, menus and the editor use it without loading the compiled kernels of the physics. One
table, `SETTING_RANGES`, has the bounds of every setting: the class, the level format and the editor's sliders read it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .arguments import as_number
from .errors import WalkerError
from .vectors import Vector, as_vector


class WalkerSettingError(WalkerError, ValueError):
    """A setting outside its range. name: of the setting. low, high: its range with the other settings as they are."""

    def __init__(self, name: str, message: str, low: float, high: float) -> None:
        super().__init__(message)
        self.name, self.low, self.high = name, low, high


@dataclass(frozen=True, slots=True)
class SettingRange:
    """Bounds, unit and meaning of a setting.

    is_positive: `low` itself is excluded. per_radius: the bound `high` is also this factor times the upright radius.
    may_be_infinite: infinity is a value too.
    """

    low: float
    high: float
    unit: str
    meaning: str
    is_positive: bool = False
    per_radius: float = math.inf
    may_be_infinite: bool = False

    def high_for(self, radius_up: float) -> float:
        """Upper bound for a body with this upright radius (m)."""
        return self.high if self.per_radius == math.inf else min(self.high, self.per_radius * radius_up)

    def contains(self, value: float, radius_up: float) -> bool:
        """Whether a value is within the range."""
        return self.low <= value <= self.high_for(radius_up) and not (self.is_positive and value == self.low)


_SPEED = (0.0, 100.0, "m/s")
SETTING_RANGES: dict[str, SettingRange] = {
    "radii": SettingRange(
        0.01, 100.0, "m", "Half the width, half the height and half the depth of the upright body: right, up, ahead."
    ),
    "crouch_height": SettingRange(
        0.02, math.inf, "m", "Height of the crouched body, at most that of the upright one.", per_radius=2.0
    ),
    "eye": SettingRange(0.1, 0.95, "", "Height of the eye as a fraction of the body's height."),
    "walk_speed": SettingRange(*_SPEED, "Walking speed."),
    "sprint_speed": SettingRange(*_SPEED, "Sprinting speed."),
    "crouch_speed": SettingRange(*_SPEED, "Speed of the crouched body."),
    "acceleration": SettingRange(
        0.0,
        math.inf,
        "m/s2",
        "Acceleration towards the wanted velocity; a large one reaches it at once.",
        is_positive=True,
        may_be_infinite=True,
    ),
    "deceleration": SettingRange(
        0.0, math.inf, "m/s2", "Deceleration without a movement key.", is_positive=True, may_be_infinite=True
    ),
    "air_control": SettingRange(0.0, 1.0, "", "Fraction of the acceleration that remains in the air."),
    "gravity": SettingRange(0.0, 1000.0, "m/s2", "Gravity on the player."),
    "fall_limit": SettingRange(0.0, math.inf, "m/s", "Highest speed of a fall.", is_positive=True),
    "jump_height": SettingRange(0.0, 100.0, "m", "Height by which the feet rise in a jump."),
    "coyote_time": SettingRange(0.0, 1.0, "s", "Time after the ground was left in which a jump still counts."),
    "jump_buffer": SettingRange(0.0, 1.0, "s", "Time before the landing in which a jump is remembered."),
    "max_slope": SettingRange(0.0, 89.0, "degrees", "Steepest ground that is walked."),
    "step_height": SettingRange(
        0.0,
        math.inf,
        "m",
        "Highest step, at most half the body's height. With 0 the round body still slides up low edges.",
        per_radius=1.0,
    ),
    "snap_down": SettingRange(
        0.0,
        math.inf,
        "m",
        "Drop of the ground that the body follows without leaving it, at most half its height.",
        per_radius=1.0,
    ),
    "skin": SettingRange(0.001, 0.1, "", "Gap kept to every surface, as a fraction of the radius."),
    "ticks_per_second": SettingRange(10.0, 1000.0, "1/s", "Ticks in a second."),
}


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
        for name, bounds in SETTING_RANGES.items():
            value = getattr(self, name)
            if name == "radii":
                object.__setattr__(self, "radii", as_vector(value, "radii"))
            elif not (bounds.may_be_infinite and isinstance(value, float) and value == math.inf):
                object.__setattr__(self, name, as_number(value, name))
        for name, bounds in SETTING_RANGES.items():
            for value in self.radii if name == "radii" else (getattr(self, name),):
                self._check_range(name, bounds, value)

    def _check_range(self, name: str, bounds: SettingRange, value: float) -> None:
        if bounds.contains(value, self.radii[1]):
            return
        high = bounds.high_for(self.radii[1])
        limits = f"over {bounds.low:g}" if bounds.is_positive else f"within {bounds.low:g}..{high:g}"
        raise WalkerSettingError(name, f"{name} must be {limits}, not {value!r}", bounds.low, high)

    @property
    def dt(self) -> float:
        """Duration of a tick, s."""
        return 1.0 / self.ticks_per_second

    @property
    def crouch_radii(self) -> Vector:
        """Radii (right, up, ahead) of the crouched body, m."""
        return (self.radii[0], self.crouch_height / 2.0, self.radii[2])

    @property
    def eye_height(self) -> float:
        """Height of the eye above the feet of the upright body, m."""
        return self.eye * 2.0 * self.radii[1]

    @property
    def jump_seconds(self) -> float:
        """Duration of a jump on level ground, 2 sqrt(2 jump_height / gravity), s; 0 where it does not end."""
        squared = 2.0 * self.jump_height / self.gravity if self.gravity > 0.0 else math.inf
        return 2.0 * math.sqrt(squared) if squared < math.inf else 0.0

    @property
    def clear_width(self) -> float:
        """Least width of a passage that the body walks through facing ahead, m."""
        return 2.0 * self.radii[0] * (1.0 + self.skin)

    @property
    def clear_depth(self) -> float:
        """Least width of a passage that the body passes sideways, m."""
        return 2.0 * self.radii[2] * (1.0 + self.skin)

    @property
    def clear_height(self) -> float:
        """Least headroom in which the upright body stands, m."""
        return 2.0 * self.radii[1] * (1.0 + self.skin)

    @property
    def clear_crouch_height(self) -> float:
        """Least headroom of the crouched body, m."""
        return self.crouch_height * (1.0 + self.skin)


DEFAULT_SETTINGS = WalkerSettings()
SLIM = (0.35, 0.90, 0.12)  # m: right, up, ahead

# Settings of each preset that differ from the defaults.
WALKER_PRESETS: dict[str, Mapping[str, Any]] = {
    "slim": {"radii": SLIM},
    "round": {"radii": (0.35, 0.90, 0.35)},
    "heavy": {
        "radii": (0.50, 1.00, 0.40), "crouch_height": 1.3, "walk_speed": 3.0, "sprint_speed": 4.5, "crouch_speed": 1.5,
        "acceleration": 20.0, "deceleration": 25.0, "air_control": 0.1, "jump_height": 0.5,
    },
    # Gravity of the Moon. A person in a suit jumps lower than six times the height on Earth.
    "moon": {
        "gravity": 1.62, "jump_height": 3.0, "walk_speed": 3.0, "sprint_speed": 5.0, "acceleration": 15.0,
        "deceleration": 15.0, "air_control": 0.15,
    },
    # Quake's player at 32 units a metre: box 32 by 32 by 56, view 46 units above the feet, sv_maxspeed 320,
    # sv_gravity 800, jump speed 270 (270^2 / (2 800) = 45.6 units), steps of 18, floors to a normal of 0.7.
    # The original has no crouch; the height is that of its successors.
    "quake": {
        "radii": (0.50, 0.875, 0.50), "crouch_height": 1.125, "eye": 0.82, "walk_speed": 6.25, "sprint_speed": 10.0,
        "crouch_speed": 3.0, "acceleration": 100.0, "deceleration": 50.0, "air_control": 1.0, "gravity": 25.0,
        "jump_height": 1.42, "step_height": 0.5625, "snap_down": 0.5625, "max_slope": 45.57,
    },
}  # fmt: skip


def preset_settings(preset: str, **changes: Any) -> WalkerSettings:
    """Settings of a preset: slim, round, heavy, moon or quake; other settings by name. ValueError: no such preset."""
    if not isinstance(preset, str):
        raise ValueError(f"preset: expected a name such as 'slim', got {type(preset).__name__}")
    if preset not in WALKER_PRESETS:
        raise ValueError(f"preset must be one of {', '.join(WALKER_PRESETS)}, not {preset!r}")
    return WalkerSettings(**{**WALKER_PRESETS[preset], **changes})
