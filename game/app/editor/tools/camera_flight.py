"""Flight of the editor's camera to a place from which a piece is seen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ....core.angles import HEADING_UNITS_PER_TURN, RADIANS_PER_HEADING_UNIT
from ....core.vectors import Floats, Vector

if TYPE_CHECKING:
    from ....level import Level

FLIGHT_SECONDS = 0.5
MIN_DISTANCE, MAX_DISTANCE = 2.5, 60.0  # m from the middle of the piece
DISTANCE_FACTOR = 1.6  # of the size of the piece
PITCHES = (-25.0, -55.0, -8.0, 20.0)  # degrees that are tried, in this order
YAW_OFFSETS = (0.0, 45.0, -45.0, 90.0, -90.0, 135.0, -135.0, 180.0)  # degrees from the present view
CLEAR_MARGIN = 0.35  # m between the eye and a wall behind it


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """Eye (m), yaw and pitch (65536 to the turn)."""

    eye: Vector
    yaw: float
    pitch: float


def viewpoint_of(level: Level, middle: Vector, size: float, yaw: float) -> Viewpoint:
    """Place from which a piece is seen, as near to the present direction as walls allow."""
    wanted = min(max(DISTANCE_FACTOR * size, MIN_DISTANCE), MAX_DISTANCE)
    best = None
    best_room = -1.0
    for pitch_degrees in PITCHES:
        for offset in YAW_OFFSETS:
            yaw_radians = yaw * RADIANS_PER_HEADING_UNIT + math.radians(offset)
            pitch = math.radians(pitch_degrees)
            back = np.array((
                math.sin(yaw_radians) * math.cos(pitch), -math.sin(pitch), math.cos(yaw_radians) * math.cos(pitch)
            ))  # fmt: skip
            room = _clear_distance(level, middle, back, size, wanted)
            if room > best_room + 0.01:
                x, y, z = (np.asarray(middle) + room * back).tolist()
                heading = yaw_radians / RADIANS_PER_HEADING_UNIT % HEADING_UNITS_PER_TURN
                best = Viewpoint((x, y, z), heading, pitch / RADIANS_PER_HEADING_UNIT)
                best_room = room
            if best is not None and best_room >= wanted - 0.01:
                return best
    assert best is not None
    return best


def _clear_distance(level: Level, middle: Vector, back: Floats, size: float, wanted: float) -> float:
    """Distance from the piece's middle that an eye can stand off, beyond the piece itself, before a wall."""
    start = min(0.5 * size, 0.8 * wanted)
    origin = np.asarray(middle) + start * back
    x, y, z = back.tolist()
    hit = level.mesh.raycast((float(origin[0]), float(origin[1]), float(origin[2])), (x, y, z), wanted - start + 1.0)
    free = wanted - start if hit is None else min(hit.distance - CLEAR_MARGIN, wanted - start)
    return start + max(free, 0.0)


class CameraFlight:
    """A flight in progress: smooth from one viewpoint to another."""

    def __init__(self, start: Viewpoint, end: Viewpoint, seconds: float = FLIGHT_SECONDS) -> None:
        turn = (end.yaw - start.yaw + HEADING_UNITS_PER_TURN / 2) % HEADING_UNITS_PER_TURN - HEADING_UNITS_PER_TURN / 2
        self.start, self.end = start, end
        self._turn = turn
        self._seconds = seconds
        self._elapsed = 0.0

    @property
    def is_over(self) -> bool:
        return self._elapsed >= self._seconds

    def advance(self, seconds: float) -> Viewpoint:
        """The viewpoint after some more seconds."""
        self._elapsed += seconds
        part = 1.0 if self.is_over else self._elapsed / self._seconds
        part = part * part * (3.0 - 2.0 * part)
        x, y, z = (a + (b - a) * part for a, b in zip(self.start.eye, self.end.eye, strict=True))
        pitch = self.start.pitch + (self.end.pitch - self.start.pitch) * part
        return Viewpoint((x, y, z), (self.start.yaw + self._turn * part) % HEADING_UNITS_PER_TURN, pitch)
