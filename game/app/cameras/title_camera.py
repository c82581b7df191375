"""Title camera: slow tracking shots of a level behind the main menu, and the viewpoint of its thumbnail."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...core.angles import RADIANS_PER_HEADING_UNIT
from ...core.vectors import Point
from ...level.format.file_access import is_shipped
from ...render import Camera, Snapshot
from ...render.world_view import vertical_fov
from ...sim.level_rules import up_and_north_at
from .camera import CameraFrame, between, seen_from

if TYPE_CHECKING:
    from ...level import Level

SHOT_SECONDS = 17.0  # s, length of a shot
EYE_HEIGHT, SPAWN_FOV = 1.55, 84.0  # m above the feet; degrees, horizontal at 16:9, in a level without shots
PAN_DEGREES = 11.0  # degrees to each side of a camera that only pans
TEXT_OFFSET_DEGREES = 9.0  # degrees to the left: the menu covers the left of the picture
PAN_PERIOD = 46.0  # s
STILL_FRACTION = 0.35  # fraction of a shot that is shown where nothing may move
MAX_STEP_SECONDS = 0.05  # s, longest time step of one frame


@dataclass(frozen=True, slots=True)
class CameraShot:
    """Linear move of a camera. begin, end: eye (m), heading (counter-clockwise from north) and pitch (degrees). fov:
    horizontal at 16:9 (degrees)."""

    begin: tuple[Point, float, float]
    end: tuple[Point, float, float]
    fov: float = 80.0

    def at(self, fraction: float) -> Camera:
        """The view after a fraction (0 to 1) of the move."""
        first, last = (
            Camera(eye, math.radians(heading), math.radians(pitch), vertical_fov(self.fov))
            for eye, heading, pitch in (self.begin, self.end)
        )
        return between(first, last, fraction)


SHOTS_BY_LEVEL: Mapping[str, tuple[CameraShot, ...]] = {
    "demo": (
        CameraShot(((-15.0, 9.6, 16.4), -34.0, -15.0), ((-11.6, 7.6, 13.2), -37.0, -14.0), 76.0),
        CameraShot(((-3.9, 1.6, 10.4), -10.0, 5.0), ((-2.4, 1.7, 9.2), -7.0, 5.0), 86.0),
        CameraShot(((9.6, 8.6, -13.4), 108.0, -3.0), ((6.6, 8.4, -13.2), 106.0, -2.0), 76.0),
        CameraShot(((2.0, 12.0, 18.0), 8.0, -24.0), ((1.4, 9.6, 14.4), 9.0, -22.0), 75.0),
        CameraShot(((4.4, 1.6, -13.8), 82.0, 1.0), ((1.6, 1.6, -13.7), 74.0, 1.0), 84.0),
        CameraShot(((13.6, 2.9, 9.2), 22.0, 6.0), ((13.2, 2.9, 6.8), 18.0, 6.0), 88.0),
    ),
}


class TitleCamera:
    """Camera of the title, from the time that it appears."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        """The snapshot seen from the shot of this moment. With `reduce_motion` the camera does not move."""
        self.seconds += min(frame.seconds, MAX_STEP_SECONDS)
        view = self.view(frame.session.world.level, frame.settings.reduce_motion)
        return seen_from(replace(shot, movers=frame.session.movers()), frame, view)

    def view(self, level: Level, still: bool) -> Camera:
        """View of this moment. still: without motion."""
        return title_view(level, self.seconds, still)


def level_shots(level: Level) -> tuple[CameraShot, ...]:
    """Shots of a level of the game; none for other levels."""
    return SHOTS_BY_LEVEL.get(level.path.stem, ()) if is_shipped(level.path) else ()


def title_view(level: Level, seconds: float, still: bool = False) -> Camera:
    """View of the title camera `seconds` after the title has appeared. In a level without shots it is the view of the
    thumbnail, which turns slowly to both sides. still: one moment of the first shot, without motion."""
    if shots := level_shots(level):
        number, at = divmod(max(seconds, 0.0), SHOT_SECONDS) if not still else (0.0, STILL_FRACTION * SHOT_SECONDS)
        return shots[int(number) % len(shots)].at(at / SHOT_SECONDS)
    view = thumbnail_view(level)
    turn = 0.0 if still else PAN_DEGREES * math.sin(2.0 * math.pi * seconds / PAN_PERIOD)
    return replace(view, yaw=view.yaw + math.radians(turn + TEXT_OFFSET_DEGREES))


# Viewpoints of thumbnails

# Overview from behind and above the spawn: back (m), up (m) from the feet, pitch (degrees).
DEFAULT_OVERVIEW = (3.5, 5.2, -17.0)
PAN_POSITIONS: Mapping[str, tuple[float, float, float]] = {
    "surfaces": (-5.0, 7.5, -20.0),
    "ballroom": (1.5, 2.6, -4.0),
    "escher": (2.2, 3.4, 20.0),
    "waters": (2.5, 6.5, -17.0),
    "lifts": (6.0, 6.5, -9.0),
}
THUMBNAIL_FRACTION = 0.8  # of the first shot, in levels with shots
EYE_CLEARANCE = 0.4  # m, required free distance around the eye


def thumbnail_view(level: Level) -> Camera:
    """View of the thumbnail of a level: its first shot, or above and behind the spawn, or that of a player there."""
    if shots := level_shots(level):
        return shots[0].at(THUMBNAIL_FRACTION)
    view, feet = spawn_view(level), level.spawns[0].feet
    back, up, pitch = PAN_POSITIONS.get(level.path.stem if is_shipped(level.path) else "", DEFAULT_OVERVIEW)
    eye = (feet[0] + back * math.sin(view.yaw), feet[1] + up, feet[2] + back * math.cos(view.yaw))
    if back < 0.0 or _is_path_clear(level, view.eye, eye):
        return replace(view, eye=eye, pitch=math.radians(pitch))
    body_up, north = up_and_north_at(level.zones, feet, level.player.radii[1])
    return replace(view, up=body_up, north=north)


def spawn_view(level: Level) -> Camera:
    """View of a player at the spawn, without any kernel, which may not be compiled yet."""
    start = level.spawns[0]
    x, y, z = start.feet
    return Camera((x, y + EYE_HEIGHT, z), start.heading * RADIANS_PER_HEADING_UNIT, 0.0, vertical_fov(SPAWN_FOV))


def _is_path_clear(level: Level, begin: Point, end: Point) -> bool:
    """Whether the segment from `begin` to `end` is free and `end` has clearance."""
    displacement = tuple(b - a for a, b in zip(begin, end, strict=True))
    length = math.sqrt(sum(component * component for component in displacement))
    nearest = level.mesh.closest(end)
    free = nearest is None or (nearest.distance or 0.0) > EYE_CLEARANCE
    return length < 0.1 or (free and level.mesh.raycast(begin, displacement, max_distance=length) is None)
