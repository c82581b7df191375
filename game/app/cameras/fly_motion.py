"""The eye that flies: through everything, with the keys that walk."""

from __future__ import annotations

import math
from collections.abc import Iterable

Point = tuple[float, float, float]

FLY_SPEED = 5.0  # m/s
FAST_FACTOR = 4.0  # times as fast with the key for running
ACCELERATION_RATE = 14.0  # 1/s: how quickly it takes up and loses speed
MAX_STEP_SECONDS = 0.1  # s that one frame moves it on by
MAX_DISTANCE = 1e5  # m from the origin


class FlyMotion:
    """A place that moves; nothing stops it. `speed` and `fast`: m/s, the second with the key for running."""

    def __init__(self, at: Point, speed: float = FLY_SPEED, fast: float = FLY_SPEED * FAST_FACTOR) -> None:
        self.position, self.speed, self.fast_speed = at, speed, fast
        self.velocity = (0.0, 0.0, 0.0)

    def update(
        self,
        seconds: float,
        actions: Iterable[str],
        yaw: float,
        pitch: float,
        stick: tuple[float, float] = (0.0, 0.0),
        frame: tuple[Point, Point] = ((0.0, 1.0, 0.0), (0.0, 0.0, -1.0)),
    ) -> Point:
        """Fly on; yaw and pitch in radians say where ahead is, from `frame`'s north and about its up; `stick`: to the
        right and ahead, -1 to 1."""
        held = frozenset(actions)
        ahead = float("forward" in held) - float("back" in held) + stick[1]
        right = float("right" in held) - float("left" in held) + stick[0]
        up = float("jump" in held) - float("crouch" in held)
        sy, cy, sp, cp = math.sin(yaw), math.cos(yaw), math.sin(pitch), math.cos(pitch)
        east, high, north = -sy * cp * ahead + cy * right, sp * ahead + up, cy * cp * ahead + sy * right
        wish = _to_world(frame, east, high, north)
        size = math.sqrt(sum(part * part for part in wish))
        pace = (self.fast_speed if "sprint" in held else self.speed) / max(size, 1.0)
        seconds = min(max(seconds, 0.0), MAX_STEP_SECONDS)
        ease = 1.0 - math.exp(-ACCELERATION_RATE * seconds)
        vx, vy, vz = (old + (pace * part - old) * ease for old, part in zip(self.velocity, wish, strict=True))
        if size == 0.0 and math.sqrt(vx * vx + vy * vy + vz * vz) < 0.02:
            vx = vy = vz = 0.0
        self.velocity = (vx, vy, vz)
        x, y, z = (
            min(max(place + seconds * speed, -MAX_DISTANCE), MAX_DISTANCE)
            for place, speed in zip(self.position, self.velocity, strict=True)
        )
        self.position = (x, y, z)
        return self.position


def _to_world(frame: tuple[Point, Point], east: float, high: float, north: float) -> Point:
    """A way by the world's axes."""
    (ux, uy, uz), (nx, ny, nz) = frame
    if frame == ((0.0, 1.0, 0.0), (0.0, 0.0, -1.0)):
        return (east, high, -north)
    ex, ey, ez = ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux
    return (
        east * ex + high * ux + north * nx,
        east * ey + high * uy + north * ny,
        east * ez + high * uz + north * nz,
    )
