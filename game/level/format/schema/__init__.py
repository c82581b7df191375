"""Schema of the level format: every field with its kind, unit, default, range and description.

This one table feeds the reader, its messages, levels/level.schema.json and docs/level_format.md.
"""

from __future__ import annotations

from .balls import BALL, BALLS, MAX_BALLS, PLAY
from .common import (
    COMMON_FIELDS,
    DEFAULT_SURFACE,
    EXHIBITS,
    FOOTSTEPS,
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
    TEXTURES,
)
from .entities import CUP, EXHIBIT, LIGHT, MODEL, PATCH, SIGN, TARGET, TERRAIN
from .golf import GOLF, GOLF_HOLE
from .groups import ARRAY, CONTAINER_RECORDS, GROUP, INCLUDE, PLACE, PREFAB
from .level_file import EXIT, GOAL, LEVEL, SKY, SPAWN, SUN
from .level_tests import EXPECTATION, LEVEL_TEST, TESTS_FILE
from .movers import MOVER
from .pieces import PIECE_RECORDS, PLACE_RECORDS
from .player import PLAYER
from .surfaces import DECAL, SURFACE_RECORD
from .trials import CHALLENGE, CHALLENGE_RULES, MEDALS

__all__ = [
    "ARRAY",
    "BALL",
    "BALLS",
    "CHALLENGE",
    "CHALLENGE_RULES",
    "COMMON_FIELDS",
    "CONTAINER_RECORDS",
    "CUP",
    "DECAL",
    "DEFAULT_SURFACE",
    "EXHIBIT",
    "EXHIBITS",
    "EXIT",
    "EXPECTATION",
    "FOOTSTEPS",
    "FORMAT",
    "GOAL",
    "GOLF",
    "GOLF_HOLE",
    "GROUP",
    "INCLUDE",
    "INTENDED_FIELD",
    "INTENDED_KINDS",
    "LEVEL",
    "LEVEL_TEST",
    "LIGHT",
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
    "MOVER",
    "PALETTES",
    "PATCH",
    "PIECE_RECORDS",
    "PLACE",
    "PLACE_RECORDS",
    "PLAY",
    "PLAYER",
    "PREFAB",
    "SIGN",
    "SKY",
    "SPAWN",
    "SUN",
    "SURFACE_RECORD",
    "TARGET",
    "TERRAIN",
    "TESTS_FILE",
    "TEXTURES",
]  # fmt: skip
