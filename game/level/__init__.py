"""Level files: `load` reads one into triangles, surfaces, spawns and entities; `check` reports its findings.

`LevelBuilder` makes a level in Python. `Level.save`, `to_glb` and `to_obj` write one.

Every triangle knows the file, line and column of its piece.
"""

from .build.entities.exits import Exit
from .build.entities.point_entities import Light, Target
from .edit.save import SaveError
from .format.findings import Finding, LevelError, severity_exit_code
from .format.source import find_level
from .format.surfaces import Surface
from .level import Goal, Level, Sign, Sky, Spawn
from .level_builder import LevelBuilder
from .loader import check, load

__all__ = [
    "Exit",
    "Finding",
    "Goal",
    "Level",
    "LevelBuilder",
    "LevelError",
    "Light",
    "SaveError",
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
