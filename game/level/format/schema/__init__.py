"""Schema of the level format: every field with its kind, unit, default, range and description.

This one table feeds the reader, its messages, levels/level.schema.json and docs/level_format.md.
"""

from __future__ import annotations

from .balls import MAX_BALLS, PLAY
from .common import (
    COMMON_FIELDS,
    DEFAULT_SURFACE,
    FORMAT,
    INTENDED_FIELD,
    INTENDED_KINDS,
    MAX_CUPS,
    MAX_EXHIBITS,
    MAX_INCLUDE_DEPTH,
    MAX_INCLUDED_FILES,
    MAX_LIGHTS,
    MAX_MOVERS,
    MAX_NESTING,
    MAX_PIECES,
    MAX_QUADS,
    MAX_SIGNS,
    MAX_TARGETS,
    MAX_ZONES,
    PALETTES,
)
from .entities import MODEL
from .golf import GOLF
from .groups import CONTAINER_RECORDS, PREFAB
from .level_file import EXIT, GOAL, LEVEL, SKY, SPAWN, SUN
from .level_tests import EXPECTATION, LEVEL_TEST, TESTS_FILE
from .pieces import PIECE_RECORDS, PLACE_RECORDS
from .player import PLAYER
from .surfaces import SURFACE_RECORD
from .trials import CHALLENGE, CHALLENGE_RULES, MEDALS

__all__ = [
    "CHALLENGE",
    "CHALLENGE_RULES",
    "COMMON_FIELDS",
    "CONTAINER_RECORDS",
    "DEFAULT_SURFACE",
    "EXIT",
    "EXPECTATION",
    "FORMAT",
    "GOAL",
    "GOLF",
    "INTENDED_FIELD",
    "INTENDED_KINDS",
    "LEVEL",
    "LEVEL_TEST",
    "MAX_BALLS",
    "MAX_CUPS",
    "MAX_EXHIBITS",
    "MAX_INCLUDED_FILES",
    "MAX_INCLUDE_DEPTH",
    "MAX_LIGHTS",
    "MAX_MOVERS",
    "MAX_NESTING",
    "MAX_PIECES",
    "MAX_QUADS",
    "MAX_SIGNS",
    "MAX_TARGETS",
    "MAX_ZONES",
    "MEDALS",
    "MODEL",
    "PALETTES",
    "PIECE_RECORDS",
    "PLACE_RECORDS",
    "PLAY",
    "PLAYER",
    "PREFAB",
    "SKY",
    "SPAWN",
    "SUN",
    "SURFACE_RECORD",
    "TESTS_FILE",
]
