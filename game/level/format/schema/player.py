"""Schema of the player's body in a level: the settings of the walker with their ranges, and the presets."""

from __future__ import annotations

from ....core.walker_settings import DEFAULT_SETTINGS, SETTING_RANGES, WALKER_PRESETS
from .fields import SchemaField, SchemaRecord, ValueKind

NO_LEVEL_SETTINGS = ("skin", "ticks_per_second")  # belong to the physics, not to a level
PLAYER_SETTINGS = tuple(name for name in SETTING_RANGES if name not in NO_LEVEL_SETTINGS)
MAX_NUMBER = 1e6  # upper bound of settings that have none: a number in a file is finite


def _setting_field(name: str) -> SchemaField:
    bounds = SETTING_RANGES[name]
    kind = ValueKind.POINT if name == "radii" else ValueKind.NUMBER
    high = min(bounds.high_for(SETTING_RANGES["radii"].high), MAX_NUMBER)
    default = getattr(DEFAULT_SETTINGS, name)
    return SchemaField(name, kind, bounds.meaning, default, bounds.unit, bounds.low, high)


PLAYER = SchemaRecord(
    "player",
    "The body of the player in this level: its size, speeds, jump and gravity. The checks, bots and maps judge by it. "
    "A setting that is not written is that of the preset. It is lowered where the body is too small for it.",
    (
        ValueKind.CHOICE.field(
            "preset", "Named settings to start from. Default: the usual player.", choices=tuple(WALKER_PRESETS)
        ),
        *(_setting_field(name) for name in PLAYER_SETTINGS),
    ),
    "{preset: moon, jump_height: 4, radii: [0.4, 0.9, 0.3]}",
    keeps_broken=True,
)
PLAYER_FIELD = ValueKind.WORD_OR_RECORD.field(
    "player",
    "The body of the player in this level: a preset, or its settings.",
    choices=tuple(WALKER_PRESETS),
    record=PLAYER,
)
