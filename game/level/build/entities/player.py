"""The body of the player in a level: preset and settings of the field `player`, checked against each other."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ....core.vectors import Floats
from ....core.walker_settings import (
    DEFAULT_SETTINGS,
    SETTING_RANGES,
    WALKER_PRESETS,
    WalkerSettingError,
    WalkerSettings,
)
from ...format.findings import FindingCollector, Severity
from ...format.level_file import PLAYER_SETTINGS, PlayerFields
from ...format.record_values import PlacedText

if TYPE_CHECKING:
    from ....physics.environment.environment import Environment
    from ....physics.triangle_mesh import TriangleMesh

CLIMB_STEP_FRACTION = 0.75  # of the step height that a jump onto a ledge gains: 1.30 m for the usual body
_LIMIT_NOUNS = {1.0: "half the body's height", 2.0: "the body's height"}  # by SettingRange.per_radius


def read_player(player: PlacedText | PlayerFields | None, report: FindingCollector) -> WalkerSettings:
    """Settings of the level's body. What contradicts the body is reported and left out."""
    if player is None:
        return DEFAULT_SETTINGS
    if isinstance(player, PlacedText):
        return WalkerSettings(**WALKER_PRESETS[player.text])
    given: dict[str, Any] = {name: getattr(player, name) for name in PLAYER_SETTINGS if name in player.places}
    settings = None
    while settings is None:
        try:
            settings = body_settings(player.preset, given)
        except WalkerSettingError as error:
            _report_setting(player, error, given.pop(error.name), report)
    if settings.walk_speed == 0.0:
        cure = f"the usual speed is {DEFAULT_SETTINGS.walk_speed:g}"
        _add(player, "warning", "walk_speed", "the player cannot walk", cure, report)
    if settings.gravity == 0.0:
        cure = f"on Earth it is {DEFAULT_SETTINGS.gravity:g}, on the Moon {WALKER_PRESETS['moon']['gravity']:g}"
        _add(player, "warning", "gravity", "the player can neither fall nor jump", cure, report)
    return settings


def body_settings(preset: str, given: dict[str, Any]) -> WalkerSettings:
    """Settings with these values; those of the preset are lowered to fit the body. WalkerSettingError names a value."""
    values = {**WALKER_PRESETS.get(preset, {}), **given}
    radius_up = values.get("radii", DEFAULT_SETTINGS.radii)[1]
    for name, bounds in SETTING_RANGES.items():
        if name not in given and name != "radii":
            value = values.get(name, getattr(DEFAULT_SETTINGS, name))
            if value > (high := bounds.high_for(radius_up)):
                values[name] = high
    return WalkerSettings(**values)


def describe_body(settings: WalkerSettings) -> str:
    """The player in messages of checks: `a player`, or `this level's player` if the level has a body of its own."""
    return "a player" if settings == DEFAULT_SETTINGS else "this level's player"


def describe_least(metres: float) -> str:
    """A length of the body that a cure asks for: in metres, rounded up to centimetres, so that it is enough."""
    return f"{math.ceil(metres * 100.0 - 1e-6) / 100.0:.2f}"


def has_room(
    settings: WalkerSettings, mesh: TriangleMesh, environment: Environment | None, feet: Floats, heading: int
) -> bool:
    """True if an upright walker can begin with its feet (3,) at a place: see `Walker.spawn`."""
    from ....physics import Walker

    walker = Walker(settings)
    walker.warns = False
    try:
        walker.spawn(mesh, feet.tolist(), heading, around=environment)
    except ValueError:
        return False
    return True


def _report_setting(player: PlayerFields, error: WalkerSettingError, value: Any, report: FindingCollector) -> None:
    bounds = SETTING_RANGES[error.name]
    unit = f" {bounds.unit}" if bounds.unit else ""
    if bounds.is_positive and value <= bounds.low:
        message = f"{value:g}{unit} is not above {bounds.low:g}{unit}"
        cure = "write a larger number, or leave it out"
    else:
        message = f"{value:g}{unit} is more than {_LIMIT_NOUNS[bounds.per_radius]}, {error.high:g}{unit}"
        cure = f"write at most {error.high:g}, or make the body taller: the middle number of `radii`"
    _add(player, "dropped", error.name, message, cure, report)


def _add(
    player: PlayerFields, severity: Severity, setting: str, message: str, cure: str, report: FindingCollector
) -> None:
    field = player.fields[setting]
    report.add(severity, player.place_of(field), player.where_of(field), message, cure)
