"""The slow camera behind the title."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from game.level import Level

Point = tuple[float, float, float]
SWAY = math.radians(14.0)  # of a camera that only looks about
SWAY_SECONDS = 40.0


@dataclass(frozen=True, slots=True)
class Seen:
    """Where the camera is and looks: metres and radians; `veil` darkens the picture (0 to 1)."""

    eye: Point
    yaw: float
    pitch: float
    fov: float  # degrees, across 16:9
    veil: float = 0.0


def seen(level: Level, seconds: float, still: bool = False) -> Seen:
    """The camera so many seconds after the title came up. still: without motion."""
    start = level.spawns[0]
    x, y, z = start.feet
    turn = 0.0 if still else SWAY * math.sin(2.0 * math.pi * seconds / SWAY_SECONDS)
    return Seen((x, y + 1.44, z), start.heading * 2.0 * math.pi / 65536 + turn, 0.0, 80.0)
