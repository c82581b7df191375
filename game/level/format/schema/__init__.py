"""The one table of the level format: every field with its kind, unit, default, range and one sentence.

The reader, the messages, levels/level.schema.json and docs/level_format.md are all made from it.
"""

from __future__ import annotations

from .balls import BALL, BALLS, MOST_BALLS, PLAY
from .common import (
    COMMON,
    DEFAULT_SURFACE,
    EXHIBITS,
    FOOTSTEPS,
    FORMAT,
    INTENDED,
    MEANT,
    MOST_CUPS,
    MOST_EXHIBITS,
    MOST_FILES,
    MOST_INCLUDED,
    MOST_LIGHTS,
    MOST_MOVERS,
    MOST_NESTED,
    MOST_PIECES,
    MOST_QUADS,
    MOST_SIGNS,
    MOST_TARGETS,
    MOST_ZONES,
    PALETTES,
    TEXTURES,
)
from .entities import CUP, LIGHT, MODEL, PATCH, SIGN, TARGET, TERRAIN, THINGS
from .exhibits import EXHIBIT
from .fields import Record
from .golf import GOLF, GOLF_HOLE
from .groups import ARRAY, GROUP, HOLDERS, INCLUDE, PLACE, PREFAB
from .level_file import EXIT, GOAL, LEVEL, SKY, SPAWN, SUN, SURFACE_RECORD
from .movers import MOVER
from .shapes import PLAIN, SHAPES
from .zones import ZONES

PIECES: dict[str, Record] = {
    record.name: record for record in (*SHAPES, *THINGS, BALL, BALLS, *ZONES, EXHIBIT, *PLAIN, *HOLDERS, MOVER)
}

__all__ = [
    "ARRAY", "BALL", "BALLS", "COMMON", "CUP", "DEFAULT_SURFACE", "EXHIBIT", "EXHIBITS", "EXIT", "FOOTSTEPS", "FORMAT",
    "GOAL", "GOLF", "GOLF_HOLE", "GROUP", "HOLDERS", "INCLUDE", "INTENDED", "LEVEL", "LIGHT", "MEANT", "MODEL",
    "MOST_BALLS", "MOST_CUPS", "MOST_EXHIBITS", "MOST_FILES", "MOST_INCLUDED", "MOST_LIGHTS", "MOST_MOVERS",
    "MOST_NESTED", "MOST_PIECES", "MOST_QUADS", "MOST_SIGNS", "MOST_TARGETS", "MOST_ZONES",
    "MOVER", "PALETTES", "PATCH", "PIECES", "PLACE",
    "PLAY", "PREFAB", "SIGN", "SKY", "SPAWN", "SUN", "SURFACE_RECORD", "TARGET", "TERRAIN", "TEXTURES",
]  # fmt: skip
