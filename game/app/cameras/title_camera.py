"""The slow camera behind the title: a few shots of a level, one after the other."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...level.format.file_access import LEVELS

if TYPE_CHECKING:
    from ...level import Level

Point = tuple[float, float, float]
SECONDS = 17.0  # of a shot
FADE = 0.9  # s at each of its ends
EYE = 1.55  # m over the feet, where a level has no shots of its own
SWAY = 11.0  # degrees to each side, of a camera that only looks about
ASIDE = 9.0  # degrees to the left, so that what is ahead stands to the right of the words
SWAY_SECONDS = 46.0
STILL_AT = 0.35  # part of a shot at which it is held where nothing shall move


@dataclass(frozen=True, slots=True)
class Key:
    """Where the camera is (metres) and looks (degrees; heading counter-clockwise from north)."""

    at: Point
    heading: float
    pitch: float


@dataclass(frozen=True, slots=True)
class Shot:
    """From one place to another, at a field of view (degrees across 16:9)."""

    begin: Key
    end: Key
    fov: float = 80.0


@dataclass(frozen=True, slots=True)
class Seen:
    """Where the camera is and looks: metres and radians; `veil` darkens the picture (0 to 1)."""

    eye: Point
    yaw: float
    pitch: float
    fov: float  # degrees, across 16:9
    veil: float = 0.0
    about: bool = False  # from where one begins, by the up that is there


SHOTS: Mapping[str, tuple[Shot, ...]] = {
    "demo": (
        Shot(Key((-15.0, 9.6, 16.4), -34.0, -15.0), Key((-11.6, 7.6, 13.2), -37.0, -14.0), 76.0),
        Shot(Key((-3.9, 1.6, 10.4), -10.0, 5.0), Key((-2.4, 1.7, 9.2), -7.0, 5.0), 86.0),
        Shot(Key((9.6, 8.6, -13.4), 108.0, -3.0), Key((6.6, 8.4, -13.2), 106.0, -2.0), 76.0),
        Shot(Key((2.0, 12.0, 18.0), 8.0, -24.0), Key((1.4, 9.6, 14.4), 9.0, -22.0), 75.0),
        Shot(Key((13.6, 2.9, 9.2), 22.0, 6.0), Key((13.2, 2.9, 6.8), 18.0, 6.0), 88.0),
    ),
}


def shots_of(level: Level) -> tuple[Shot, ...]:
    """The shots of a level that comes with the game; none for others."""
    path = getattr(level, "path", None)
    if path is None or path.resolve().parent != LEVELS:
        return ()
    return SHOTS.get(path.stem, ())


def seen(level: Level, seconds: float, still: bool = False, bare: bool = False) -> Seen:
    """The camera so many seconds after the title came up. still: it does not move, but for the change of shots;
    bare: the level's mesh is not asked, whose kernels may not be there yet."""
    shots = shots_of(level)
    if not shots:
        return _standing(level) if bare else _about(level, seconds, still)
    number, at = divmod(max(seconds, 0.0), SECONDS)
    shot = shots[int(number) % len(shots)]
    fade = min(1.0, (SECONDS - at) / FADE, at / FADE if number else 1.0)
    part = STILL_AT if still else at / SECONDS
    x, y, z = (a + (b - a) * part for a, b in zip(shot.begin.at, shot.end.at, strict=True))
    heading = shot.begin.heading + (shot.end.heading - shot.begin.heading) * part
    pitch = shot.begin.pitch + (shot.end.pitch - shot.begin.pitch) * part
    return Seen((x, y, z), math.radians(heading), math.radians(pitch), shot.fov, 1.0 - fade)


def _about(level: Level, seconds: float, still: bool) -> Seen:
    """From where a small picture is taken, looking slowly to both sides."""
    at = pictured(level)
    turn = 0.0 if still else SWAY * math.sin(2.0 * math.pi * seconds / SWAY_SECONDS)
    return replace(at, yaw=at.yaw + math.radians(turn + ASIDE))


# Small pictures for the list

BACK, UP, DOWN = 3.5, 5.2, -17.0  # m behind and over the feet of one who begins, and degrees
STANDS: Mapping[str, tuple[float, float, float]] = {  # others, of levels that come with the game: back, up, degrees
    "surfaces": (-5.0, 7.5, -20.0),
    "ballroom": (1.5, 2.6, -4.0),
    "escher": (2.2, 7.0, -2.0),
    "waters": (2.5, 6.5, -17.0),
    "lifts": (6.0, 6.5, -9.0),
}
PICTURED_AT = 0.8  # part of the first shot, where there are shots
CLEAR = 0.4  # m around the eye


def pictured(level: Level) -> Seen:
    """From where a small picture of a level is taken: its first shot, or from above where one begins."""
    if shots_of(level):
        return seen(level, PICTURED_AT * SECONDS)
    start = level.spawns[0]
    yaw = start.heading * 2.0 * math.pi / 65536
    path = getattr(level, "path", None)
    comes = path is not None and path.resolve().parent == LEVELS
    back, up, pitch = STANDS.get(path.stem, (BACK, UP, DOWN)) if path is not None and comes else (BACK, UP, DOWN)
    x, y, z = start.feet
    eye = (x + back * math.sin(yaw), y + up, z + back * math.cos(yaw))
    if _clear(level, (x, y + EYE, z), eye) or (comes and back < 0.0):
        return Seen(eye, yaw, math.radians(pitch), 84.0)
    return _standing(level)


def _standing(level: Level) -> Seen:
    """As one who begins sees it."""
    start = level.spawns[0]
    x, y, z = start.feet
    return Seen((x, y + EYE, z), start.heading * 2.0 * math.pi / 65536, 0.0, 84.0, about=True)


def _clear(level: Level, begin: Point, end: Point) -> bool:
    """Whether nothing is between two points, nor close to the second."""
    way = tuple(b - a for a, b in zip(begin, end, strict=True))
    length = math.sqrt(sum(part * part for part in way))
    nearest = level.mesh.closest(end)
    free = nearest is None or (nearest.distance or 0.0) > CLEAR
    return length < 0.1 or (free and level.mesh.raycast(begin, way, max_distance=length) is None)
