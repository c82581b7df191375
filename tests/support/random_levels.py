"""Hypothesis strategies for levels and commands: closed rooms with pieces, in few round numbers, which shrink well.

A failing example prints as Room(...) and Span(...), to be pasted into a test in tests/regressions. Metres.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from game.physics import Command, TriangleMesh, Walker
from tests.support.scenes import Triangles, box, floor, mesh, quad, stairs, turned, wall

SIZE = 4.0  # half the side of a room


def placed(triangles: Triangles, x: float, z: float, degrees: float, y: float = 0.0) -> Triangles:
    """Triangles rotated about the Y axis through the origin, then moved."""
    out = turned(triangles, degrees)
    return [tuple((px + x, py + y, pz + z) for px, py, pz in t) for t in out]  # type: ignore[misc]


@dataclass(frozen=True)
class Block:
    """A box; above the ground it is a low ceiling or a ledge."""

    x: float
    z: float
    width: float
    depth: float
    height: float
    y: float
    degrees: int

    def triangles(self) -> Triangles:
        w, d = self.width / 2, self.depth / 2
        return placed(box(-w, self.y, -d, w, self.y + self.height, d), self.x, self.z, self.degrees)


@dataclass(frozen=True)
class Ramp:
    """A sloping quad, open below."""

    x: float
    z: float
    width: float
    length: float
    angle: int
    degrees: int

    def triangles(self) -> Triangles:
        w, h = self.width / 2, min(math.tan(math.radians(self.angle)) * self.length, 3.0)
        slope = quad((-w, 0, 0), (w, 0, 0), (w, h, -self.length), (-w, h, -self.length))
        return placed(slope, self.x, self.z, self.degrees)


@dataclass(frozen=True)
class Stairs:
    """Steps that end at a landing."""

    x: float
    z: float
    rise: float
    run: float
    steps: int
    degrees: int

    def triangles(self) -> Triangles:
        return placed(stairs(self.rise, self.run, self.steps, width=1.5), self.x, self.z, self.degrees)


@dataclass(frozen=True)
class Corner:
    """Two vertical walls that meet at an angle."""

    x: float
    z: float
    opening: int
    degrees: int

    def triangles(self) -> Triangles:
        a = math.radians(self.opening)
        sides = wall(0, 0, 2, 0, 2.5) + wall(0, 0, 2 * math.cos(a), 2 * math.sin(a), 2.5)
        return placed(sides, self.x, self.z, self.degrees)


@dataclass(frozen=True)
class Bricks:
    """A second floor of shifted tiles with cracks: corners lie on the edges of neighbours."""

    x: float
    z: float
    y: float
    crack: float
    rows: int

    def triangles(self) -> Triangles:
        out: Triangles = []
        for row in range(self.rows):
            for k in range(3):
                x, z = k * 0.5 + 0.2 * row, row * 0.4
                out += floor(x, z, x + 0.5 - self.crack, z + 0.4 - self.crack, y=self.y)
        return placed(out, self.x, self.z, 0)


@dataclass(frozen=True)
class Shard:
    """A single triangle."""

    a: tuple[float, float, float]
    b: tuple[float, float, float]
    c: tuple[float, float, float]

    def triangles(self) -> Triangles:
        return [(self.a, self.b, self.c)]


Piece = Block | Ramp | Stairs | Corner | Bricks | Shard


@dataclass(frozen=True)
class Room:
    """A closed room with a tiled floor and pieces in it."""

    height: float
    tiles: int
    pieces: tuple[Piece, ...]

    def triangles(self) -> Triangles:
        s, h = SIZE, self.height
        out = floor(-s, -s, s, s, tiles=self.tiles) + floor(-s, -s, s, s, y=h)
        for side in ((-s, -s, s, -s), (s, -s, s, s), (s, s, -s, s), (-s, s, -s, -s)):
            out += wall(*side, h)
        for piece in self.pieces:
            out += piece.triangles()
        return out

    def mesh(self, degrees: int = 0) -> TriangleMesh:
        """Cooked mesh, rotated about the Y axis through the centre."""
        return mesh(turned(self.triangles(), degrees))

    def holds(self, positions: Any, margin: float = 0.0) -> bool:
        """True if all centres (n,3) are inside."""
        low, high = np.array([-SIZE, 0.0, -SIZE]) + margin, np.array([SIZE, self.height, SIZE]) - margin
        return bool(((positions > low) & (positions < high)).all())


def tenths(low: float, high: float) -> st.SearchStrategy[float]:
    """Multiples of 0.1."""
    return st.integers(round(low * 10), round(high * 10)).map(lambda n: n / 10)


def hundredths(low: float, high: float) -> st.SearchStrategy[float]:
    """Multiples of 0.01."""
    return st.integers(round(low * 100), round(high * 100)).map(lambda n: n / 100)


PLACE = tenths(-3.5, 3.5)
ANGLE = st.one_of(st.just(0), st.sampled_from([45, 90, 180, 270]), st.integers(0, 359))
CORNER = st.tuples(tenths(-4, 4), tenths(0, 3), tenths(-4, 4))
BLOCKS = st.builds(
    Block,
    PLACE,
    PLACE,
    tenths(0.1, 3),
    tenths(0.1, 3),
    hundredths(0.05, 2.5),
    st.sampled_from([0.0, 0.0, 0.3, 1.2, 1.7]),
    ANGLE,
)
RAMPS = st.builds(Ramp, PLACE, PLACE, tenths(0.5, 3), tenths(0.5, 4), st.integers(5, 85), ANGLE)
STAIRS = st.builds(Stairs, PLACE, PLACE, hundredths(0.05, 0.45), hundredths(0.1, 0.5), st.integers(1, 6), ANGLE)
CORNERS = st.builds(Corner, PLACE, PLACE, st.integers(5, 179), ANGLE)
BRICKS = st.builds(
    Bricks,
    PLACE,
    PLACE,
    st.sampled_from([0.0, 1e-4, 0.01, 0.2, 0.4]),
    st.sampled_from([0.0, 1e-6, 1e-3, 0.02]),
    st.integers(1, 4),
)
SHARDS = st.builds(Shard, CORNER, CORNER, CORNER)
PIECES = st.one_of(BLOCKS, RAMPS, STAIRS, CORNERS, BRICKS, SHARDS)
ROOMS = st.builds(Room, tenths(2.2, 5), st.integers(1, 4), st.lists(PIECES, max_size=6).map(tuple))


@dataclass(frozen=True)
class Span:
    """One command for several ticks; heading in degrees."""

    ticks: int
    forward: float = 1.0
    strafe: float = 0.0
    degrees: int = 0
    jump: bool = False
    crouch: bool = False
    sprint: bool = False

    def command(self, turned_by: int = 0) -> Command:
        return Command(
            self.forward,
            self.strafe,
            round((self.degrees + turned_by) * 65536 / 360) % 65536,
            0,
            self.jump,
            self.crouch,
            self.sprint,
        )


RARELY = st.sampled_from([False, False, False, True])
SPANS = st.builds(
    Span,
    st.integers(1, 40),
    st.sampled_from([1.0, 0.0, -1.0, 0.5]),
    st.sampled_from([0.0, 0.0, 1.0, -1.0, 0.3]),
    st.one_of(st.sampled_from(range(0, 360, 45)), st.integers(0, 359)),
    RARELY,
    RARELY,
    RARELY,
)
WALKS = st.lists(SPANS, min_size=1, max_size=8)
STARTS = st.tuples(PLACE, PLACE, st.integers(0, 359))


def commands(walk: list[Span], turned_by: int = 0, longest: int = 100_000) -> list[Command]:
    """One command per tick."""
    return [span.command(turned_by) for span in walk for _ in range(span.ticks)][:longest]


def spawn(walker: Walker, level: TriangleMesh, start: tuple[float, float, int]) -> Any:
    """State on a floor near the start; None if there is no room."""
    x, z, degrees = start
    for y in (0.0, 0.3, 0.7, 1.2):
        try:
            state = walker.spawn(level, (x, y, z), round(degrees * 65536 / 360))
        except ValueError:
            continue
        return state
    return None
