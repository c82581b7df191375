"""Level files in; pieces, quads, triangles and findings out. Knows where every quad was written."""

from .build.entities.exits import Exit
from .build.entities.point_entities import Light, Target
from .format.findings import Finding, LevelError, severity_exit_code
from .format.source import find_level
from .format.surfaces import Surface
from .level import Goal, Level, Sign, Sky, Spawn
from .loader import check, load

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
