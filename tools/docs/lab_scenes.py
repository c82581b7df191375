"""Scenes of the collision lab's tables: a mesh, a walk, and the exact speed where a formula gives it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from game.physics import Command, TriangleMesh

Point = tuple[float, float, float]
Triangles = list[tuple[Point, Point, Point]]
DEGREE = 65536 / 360
SPEED = 4.0  # m/s, speed of the walker
HIGH = 2.8  # m, height of walls


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene: `feet` at the start, command(tick), `exact`: the horizontal speed (fraction of the wished speed) that
    the geometry allows, measured along `along` (degrees; None if no formula gives it), and `begin`: the first tick
    for which it holds.
    """

    title: str
    says: str
    mesh: TriangleMesh
    feet: Point
    ticks: int
    command: Callable[[int], Command]
    exact: float | None = None
    along: float = 0.0
    begin: int = 0

    @property
    def heading(self) -> int:
        """Heading at the start."""
        return int(self.command(0).heading)


def quads(*corners: Sequence[Point]) -> Triangles:
    """Two triangles for each quad."""
    return [triangle for a, b, c, d in corners for triangle in ((a, b, c), (a, c, d))]


def floor(half: float = 40.0, tile: float = 0.0) -> Triangles:
    """A horizontal floor around the origin, as one quad or in tiles."""
    if not tile:
        return quads([(-half, 0, half), (half, 0, half), (half, 0, -half), (-half, 0, -half)])
    found = []
    count = round(2 * half / tile)
    for i in range(count):
        for k in range(count):
            x, z = -half + i * tile, half - k * tile
            found += quads([(x, 0, z), (x + tile, 0, z), (x + tile, 0, z - tile), (x, 0, z - tile)])
    return found


def wall(x0: float, z0: float, x1: float, z1: float, thick: float = 0.2) -> Triangles:
    """An upright slab with a top. Its left side, seen from the first end, lies on the line."""
    size = math.hypot(x1 - x0, z1 - z0)
    rx, rz = -(z1 - z0) / size * thick, (x1 - x0) / size * thick  # to the other side
    return quads(
        [(x1, 0, z1), (x0, 0, z0), (x0, HIGH, z0), (x1, HIGH, z1)],
        [(x0 + rx, 0, z0 + rz), (x1 + rx, 0, z1 + rz), (x1 + rx, HIGH, z1 + rz), (x0 + rx, HIGH, z0 + rz)],
        [(x0, HIGH, z0), (x0 + rx, HIGH, z0 + rz), (x1 + rx, HIGH, z1 + rz), (x1, HIGH, z1)],
    )


def ahead(degrees: float) -> Callable[[int], Command]:
    """Walk straight in one direction."""
    one = Command(forward=1.0, heading=round(degrees * DEGREE) % 65536)
    return lambda tick: one


def grazing(degrees: float) -> Scene:
    """Walk along a wall in the east while pressing against it."""
    cosine = math.cos(math.radians(degrees))
    return Scene(
        f"Grazing wall, {degrees:g}°",
        f"runs along a wall, leaning on it by {degrees:g}°; v cos a = {SPEED * cosine:.3f} m/s is left",
        TriangleMesh([*floor(), *wall(1.0, 38.0, 1.0, -38.0)]),
        (0.63, 0.0, 36.0),
        240,
        ahead(-degrees),
        SPEED * cosine,
        0.0,
        60,
    )


def corner(degrees: float = 30.0) -> Scene:
    """Walk into a corner, slightly off its bisector."""
    wide = 6.0 * math.tan(math.radians(degrees / 2))
    mesh = TriangleMesh([*floor(), *wall(0.0, -3.0, -wide, 3.0, 1.0), *wall(wide, 3.0, 0.0, -3.0, 1.0)])
    return Scene(
        f"Corner of {degrees:g}°",
        f"runs into a corner of {degrees:g}°, 4° off its middle line, for 4 s: it should come to rest",
        mesh,
        (0.0, 0.0, 1.5),
        240,
        ahead(4.0),
        0.0,
        0.0,
        180,
    )


def stairs() -> Scene:
    """Walk up twelve steps of 0.18 by 0.30 m."""
    found = floor()
    for k in range(12):
        z, low, high = -1.0 - 0.3 * k, 0.18 * k, 0.18 * (k + 1)
        far = z - 0.3 if k < 11 else z - 20.0
        found += quads([(-4, low, z), (4, low, z), (4, high, z), (-4, high, z)])
        found += quads([(-4, high, z), (4, high, z), (4, high, far), (-4, high, far)])
    return Scene(
        "Stairs up",
        f"climbs twelve steps of 0.18 by 0.30 m; the horizontal speed should stay {SPEED:g} m/s",
        TriangleMesh(found),
        (0.0, 0.0, 0.0),
        72,
        ahead(0.0),
        SPEED,
        0.0,
        12,
    )


def ramp(degrees: float) -> Scene:
    """Walk up a slope."""
    top, far = 14.0 * math.tan(math.radians(degrees)), -15.0
    found = floor() + quads([(-30, 0, -1), (30, 0, -1), (30, top, far), (-30, top, far)])
    found += quads([(-30, top, far), (30, top, far), (30, top, -30), (-30, top, -30)])
    return Scene(
        f"Ramp of {degrees:g}° up",
        f"walks up a slope of {degrees:g}°; the horizontal speed should stay {SPEED:g} m/s",
        TriangleMesh(found),
        (0.0, 0.0, 0.0),
        120,
        ahead(0.0),
        SPEED,
        0.0,
        40,
    )


def room(sides: int = 12, inside: float = 3.0) -> Scene:
    """Walk around along the wall of a regular polygon."""
    outer = inside / math.cos(math.pi / sides)
    turn = 2.0 * math.pi / sides
    posts = [(outer * math.sin(turn * (k + 0.5)), -outer * math.cos(turn * (k + 0.5))) for k in range(sides)]
    found = floor()
    for (x0, z0), (x1, z1) in zip(posts, posts[1:] + posts[:1], strict=True):
        found += wall(x1, z1, x0, z0, 0.3)
    rate = SPEED / (inside - 0.35) / 60.0  # radians per tick of the circling

    def held(tick: int) -> Command:
        return Command(forward=1.0, heading=round((65.0 + math.degrees(tick * rate)) * DEGREE) % 65536)

    return Scene(
        f"Room of {sides} sides",
        "runs round along the wall for 10 s, leaning on it by about 25° and turning as it goes round",
        TriangleMesh(found),
        (0.0, 0.0, -inside + 0.6),
        600,
        held,
    )


SCENES: dict[str, Callable[[], Scene]] = {
    "grazing": lambda: grazing(30.0),
    "corner": corner,
    "stairs": stairs,
    "ramp": lambda: ramp(30.0),
    "room": room,
}
