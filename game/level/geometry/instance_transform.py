"""How a copy of a piece stands in the world: what the groups, arrays and prefabs around it did to it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...core.vectors import Point, Vector
from ..format.findings import SourceSpan

Matrix = tuple[float, float, float, float, float]  # xx, xz, yy, zx, zz: turns about the vertical, and scales
ParentLink = tuple[str, SourceSpan]  # the kind of what is around a piece, and where that is written

_QUARTER_TURNS = {0.0: (0.0, 1.0), 90.0: (1.0, 0.0), 180.0: (0.0, -1.0), 270.0: (-1.0, 0.0)}
_IDENTITY: Matrix = (1.0, 0.0, 1.0, 0.0, 1.0)


def exact_sin_cos(degrees: float) -> tuple[float, float]:
    """Sine and cosine, exact at quarter turns, so that what is square stays square."""
    turned = degrees % 360.0
    if turned in _QUARTER_TURNS:
        return _QUARTER_TURNS[turned]
    return math.sin(math.radians(turned)), math.cos(math.radians(turned))


@dataclass(frozen=True, slots=True)
class PieceInstance:
    """One copy. frame takes a way in the piece's own directions to one in the world (lengths too); within: what is
    around it, the outermost first; ways: the turn (degrees) and scale that each of those brought."""

    frame: Matrix = _IDENTITY
    within: tuple[ParentLink, ...] = ()
    ways: tuple[tuple[float, Point], ...] = ()

    @property
    def turn(self) -> float:
        """Degrees counter-clockwise seen from above, 0 <= turn < 360, that its own north is turned by."""
        _, xz, _, _, zz = self.frame
        return round(math.degrees(math.atan2(xz, zz)), 9) % 360.0 if xz else 0.0 if zz > 0.0 else 180.0

    @property
    def scale(self) -> Point:
        """How long a metre along its own x, y and z is in the world."""
        xx, xz, yy, zx, zz = self.frame
        return round(math.hypot(xx, zx), 9), yy, round(math.hypot(xz, zz), 9)

    @property
    def size(self) -> float:
        """How long a metre is on the average of its three directions: for radii."""
        xx, xz, yy, zx, zz = self.frame
        return float(abs((xx * zz - xz * zx) * yy) ** (1.0 / 3.0)) if self.frame != _IDENTITY else 1.0

    def transform_vector(self, vector: Vector) -> Vector:
        """The world's components of a vector of the piece's own axes, scaled."""
        xx, xz, yy, zx, zz = self.frame
        x, y, z = vector
        return (xx * x + xz * z + 0.0, yy * y + 0.0, zx * x + zz * z + 0.0)

    def board_orientation(self, facing: float) -> tuple[float, float, float]:
        """Of an upright board whose front looks to `facing` in the piece's own directions: where that looks in the
        world (degrees), how much broader and how much taller it is."""
        if self.frame == _IDENTITY:
            return facing, 1.0, 1.0
        xx, xz, yy, zx, zz = self.frame
        sine, cosine = exact_sin_cos(facing)
        x, z = xx * cosine - xz * sine, zx * cosine - zz * sine  # of what was one metre to its right
        return math.degrees(math.atan2(-z, x)) % 360.0, math.hypot(x, z), yy

    def nested_in(self, turn: float, scale: Sequence[float], link: ParentLink | None = None) -> PieceInstance:
        """As it stands when all that is scaled first, then turned, by one thing more around it."""
        sine, cosine = exact_sin_cos(turn)
        sx, sy, sz = scale
        xx, xz, yy, zx, zz = self.frame
        frame = (
            cosine * sx * xx + sine * sz * zx, cosine * sx * xz + sine * sz * zz, sy * yy,
            cosine * sz * zx - sine * sx * xx, cosine * sz * zz - sine * sx * xz,
        )  # fmt: skip
        if link is None:
            return PieceInstance(frame, self.within, self.ways)
        return PieceInstance(frame, (link, *self.within), ((turn, (sx, sy, sz)), *self.ways))

    def ancestor(self, depth: int) -> PieceInstance:
        """How that stands which `within[depth]` names: what is outside of it alone."""
        outer = PieceInstance()
        for index in reversed(range(depth)):
            turn, scale = self.ways[index]
            outer = outer.nested_in(turn, scale, self.within[index])
        return outer


@dataclass(frozen=True, slots=True)
class PlacedMarker:
    """What a piece sets into the world beside its faces: a sign's words, a light, a target.

    kind: "sign", "light" ...; what: as its maker wrote it, in the piece's own metres; at: in the world once placed;
    facing: degrees, in the piece's own directions: `Instance.board` tells where that looks; origin, instance: as of
    faces, indices into the level's.
    """

    kind: str
    payload: object
    at: Point
    facing: float
    origin: int
    instance: int = 0

    def moved_to(self, at: NDArray[np.float64], instance: int) -> PlacedMarker:
        return replace(self, at=(float(at[0]), float(at[1]), float(at[2])), instance=instance)
