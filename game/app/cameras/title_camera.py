"""Title camera: slow tracking shots of a level behind the main menu, and the viewpoint of its thumbnail."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...core.angles import RADIANS_PER_HEADING_UNIT
from ...core.vectors import Point
from ...level.format.file_access import is_shipped
from ...render import Camera, Snapshot, world_view
from ...sim.level_rules import up_and_north_at
from .camera import CameraFrame, seen_from

if TYPE_CHECKING:
    from ...level import Level

SHOT_SECONDS = 17.0  # s, length of a shot
EYE_HEIGHT = 1.55  # m above the feet, in a level without shots
PAN_DEGREES = 11.0  # degrees to each side of a camera that only pans
TEXT_OFFSET_DEGREES = 9.0  # degrees to the left: the menu covers the left of the picture
PAN_PERIOD = 46.0  # s
STILL_FRACTION = 0.35  # fraction of a shot that is shown where nothing may move
MAX_STEP_SECONDS = 0.05  # s, longest time step of one frame


@dataclass(frozen=True, slots=True)
class CameraKeyframe:
    """Position (m) and direction (degrees; heading counter-clockwise from north) of a camera."""

    position: Point
    heading: float
    pitch: float


@dataclass(frozen=True, slots=True)
class CameraShot:
    """Linear move between two keyframes. fov: horizontal at 16:9 (degrees)."""

    begin: CameraKeyframe
    end: CameraKeyframe
    fov: float = 80.0

    def at(self, fraction: float) -> TitleCameraView:
        """The view after a fraction (0 to 1) of the move."""
        x, y, z = (a + (b - a) * fraction for a, b in zip(self.begin.position, self.end.position, strict=True))
        heading = self.begin.heading + (self.end.heading - self.begin.heading) * fraction
        pitch = self.begin.pitch + (self.end.pitch - self.begin.pitch) * fraction
        return TitleCameraView((x, y, z), math.radians(heading), math.radians(pitch), self.fov)


@dataclass(frozen=True, slots=True)
class TitleCameraView:
    """Eye (m), yaw and pitch (radians)."""

    eye: Point
    yaw: float
    pitch: float
    fov: float  # degrees, horizontal at 16:9
    is_panning: bool = False  # at the spawn, with the up of its zone


SHOTS_BY_LEVEL: Mapping[str, tuple[CameraShot, ...]] = {
    "demo": (
        CameraShot(
            CameraKeyframe((-15.0, 9.6, 16.4), -34.0, -15.0), CameraKeyframe((-11.6, 7.6, 13.2), -37.0, -14.0), 76.0
        ),
        CameraShot(CameraKeyframe((-3.9, 1.6, 10.4), -10.0, 5.0), CameraKeyframe((-2.4, 1.7, 9.2), -7.0, 5.0), 86.0),
        CameraShot(
            CameraKeyframe((9.6, 8.6, -13.4), 108.0, -3.0), CameraKeyframe((6.6, 8.4, -13.2), 106.0, -2.0), 76.0
        ),
        CameraShot(CameraKeyframe((2.0, 12.0, 18.0), 8.0, -24.0), CameraKeyframe((1.4, 9.6, 14.4), 9.0, -22.0), 75.0),
        CameraShot(CameraKeyframe((4.4, 1.6, -13.8), 82.0, 1.0), CameraKeyframe((1.6, 1.6, -13.7), 74.0, 1.0), 84.0),
        CameraShot(CameraKeyframe((13.6, 2.9, 9.2), 22.0, 6.0), CameraKeyframe((13.2, 2.9, 6.8), 18.0, 6.0), 88.0),
    ),
}


class TitleCamera:
    """Camera of the title, from the time that it appears."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        """The snapshot seen from the shot of this moment. With `reduce_motion` the camera does not move."""
        self.seconds += min(frame.seconds, MAX_STEP_SECONDS)
        at = self.view(frame.session.world.level, frame.settings.reduce_motion)
        shot = replace(shot, movers=frame.session.movers())
        return seen_from(shot, frame, Camera(at.eye, at.yaw, at.pitch, world_view.vertical_fov(at.fov)))

    def view(self, level: Level, still: bool) -> TitleCameraView:
        """View of this moment. still: without motion."""
        return title_camera_at(level, self.seconds, still)


def level_shots(level: Level) -> tuple[CameraShot, ...]:
    """Shots of a level of the game; none for other levels."""
    return SHOTS_BY_LEVEL.get(level.path.stem, ()) if is_shipped(level.path) else ()


def title_camera_at(level: Level, seconds: float, still: bool = False, bare: bool = False) -> TitleCameraView:
    """View of the title camera `seconds` after the title has appeared.

    still: one moment of the first shot, without motion
    bare: no queries of the mesh, whose kernels may not be compiled yet
    """
    shots = level_shots(level)
    if not shots:
        return _spawn_view(level) if bare else _panning_view(level, seconds, still)
    number, at = divmod(max(seconds, 0.0), SHOT_SECONDS) if not still else (0.0, STILL_FRACTION * SHOT_SECONDS)
    return shots[int(number) % len(shots)].at(at / SHOT_SECONDS)


def _panning_view(level: Level, seconds: float, still: bool) -> TitleCameraView:
    """The viewpoint of the thumbnail, panning slowly to both sides."""
    at = thumbnail_view(level)
    turn = 0.0 if still else PAN_DEGREES * math.sin(2.0 * math.pi * seconds / PAN_PERIOD)
    return replace(at, yaw=at.yaw + math.radians(turn + TEXT_OFFSET_DEGREES))


# Viewpoints of thumbnails

# Overview from behind and above the spawn: back (m), up (m) from the feet, pitch (degrees).
DEFAULT_OVERVIEW = (3.5, 5.2, -17.0)
PAN_POSITIONS: Mapping[str, tuple[float, float, float]] = {
    "surfaces": (-5.0, 7.5, -20.0),
    "ballroom": (1.5, 2.6, -4.0),
    "escher": (2.2, 7.0, -2.0),
    "waters": (2.5, 6.5, -17.0),
    "lifts": (6.0, 6.5, -9.0),
}
THUMBNAIL_FRACTION = 0.8  # of the first shot, in levels with shots
EYE_CLEARANCE = 0.4  # m, required free distance around the eye


def thumbnail_view(level: Level) -> TitleCameraView:
    """Viewpoint of the thumbnail of a level: its first shot, or above and behind the spawn."""
    if level_shots(level):
        return title_camera_at(level, THUMBNAIL_FRACTION * SHOT_SECONDS)
    start = level.spawns[0]
    yaw = start.heading * RADIANS_PER_HEADING_UNIT
    back, up, pitch = PAN_POSITIONS.get(level.path.stem if is_shipped(level.path) else "", DEFAULT_OVERVIEW)
    x, y, z = start.feet
    eye = (x + back * math.sin(yaw), y + up, z + back * math.cos(yaw))
    if _is_path_clear(level, (x, y + EYE_HEIGHT, z), eye) or back < 0.0:
        return TitleCameraView(eye, yaw, math.radians(pitch), 84.0)
    return _spawn_view(level)


def thumbnail_camera(level: Level) -> Camera:
    """Camera of the thumbnail; one at the spawn has the up that a player has there."""
    view = thumbnail_view(level)
    camera = Camera(view.eye, view.yaw, view.pitch, world_view.vertical_fov(view.fov))
    if not view.is_panning:
        return camera
    up, north = up_and_north_at(level.zones, level.spawns[0].feet, level.player.radii[1])
    return replace(camera, up=up, north=north)


def _spawn_view(level: Level) -> TitleCameraView:
    """View of a player at the spawn."""
    start = level.spawns[0]
    x, y, z = start.feet
    return TitleCameraView((x, y + EYE_HEIGHT, z), start.heading * RADIANS_PER_HEADING_UNIT, 0.0, 84.0, is_panning=True)


def _is_path_clear(level: Level, begin: Point, end: Point) -> bool:
    """Whether the segment from `begin` to `end` is free and `end` has clearance."""
    displacement = tuple(b - a for a, b in zip(begin, end, strict=True))
    length = math.sqrt(sum(component * component for component in displacement))
    nearest = level.mesh.closest(end)
    free = nearest is None or (nearest.distance or 0.0) > EYE_CLEARANCE
    return length < 0.1 or (free and level.mesh.raycast(begin, displacement, max_distance=length) is None)
