"""Level files in; pieces, quads, triangles and findings out. Knows where every quad was written."""

from game.level.exits import Exit
from game.level.findings import Finding, LevelError, severity_exit_code
from game.level.level import Goal, Level, Sign, Sky, Spawn, check, load
from game.level.source import find_level
from game.level.surfaces import Surface
from game.level.things import Light, Target

__all__ = [
    "Exit",
    "Finding",
    "Goal",
    "Level",
    "LevelError",
    "Light",
    "Sign",
    "Sky",
    "Spawn",
    "Surface",
    "Target",
    "check",
    "find_level",
    "load",
    "severity_exit_code",
]
