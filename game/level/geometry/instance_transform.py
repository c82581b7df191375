"""Transform of an instance: the placement of a piece by the groups, arrays and prefabs around it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.vectors import Point, Vector
from ..format.findings import SourceSpan

Matrix = tuple[float, float, float, float, float]  # xx, xz, yy, zx, zz: rotation about Y, and scale
ParentLink = tuple[str, SourceSpan]  # kind and position of a container

_QUARTER_TURNS = {0.0: (0.0, 1.0), 90.0: (1.0, 0.0), 180.0: (0.0, -1.0), 270.0: (-1.0, 0.0)}
_IDENTITY: Matrix = (1.0, 0.0, 1.0, 0.0, 1.0)


def exact_sin_cos(degrees: float) -> tuple[float, float]:
    """Sine and cosine of an angle in degrees, exact at quarter turns: right angles stay right."""
    angle = degrees % 360.0
    if angle in _QUARTER_TURNS:
        return _QUARTER_TURNS[angle]
    return math.sin(math.radians(angle)), math.cos(math.radians(angle))


@dataclass(frozen=True, slots=True)
class PieceInstance:
    """One copy of a piece.

    frame: matrix (xx, xz, yy, zx, zz) from the piece's axes to the world's, with scale.
    within: the containers around it, the outermost first. placements: rotation (degrees) and scale of each of them.
    """

    frame: Matrix = _IDENTITY
    within: tuple[ParentLink, ...] = ()
    placements: tuple[tuple[float, Point], ...] = ()

    @property
    def turn(self) -> float:
        """Rotation of the piece's north: degrees counter-clockwise seen from above, 0 <= turn < 360."""
        _, xz, _, _, zz = self.frame
        return round(math.degrees(math.atan2(xz, zz)), 9) % 360.0 if xz else 0.0 if zz > 0.0 else 180.0

    @property
    def scale(self) -> Point:
        """Scale factors along the piece's own x, y and z."""
        xx, xz, yy, zx, zz = self.frame
        return round(math.hypot(xx, zx), 9), yy, round(math.hypot(xz, zz), 9)

    @property
    def size(self) -> float:
        """Geometric mean of the scale factors, for radii."""
        xx, xz, yy, zx, zz = self.frame
        return float(abs((xx * zz - xz * zx) * yy) ** (1.0 / 3.0)) if self.frame != _IDENTITY else 1.0

    def transform_vector(self, vector: Vector) -> Vector:
        """The world's components of a vector of the piece's own axes, scaled."""
        xx, xz, yy, zx, zz = self.frame
        x, y, z = vector
        return (xx * x + xz * z + 0.0, yy * y + 0.0, zx * x + zz * z + 0.0)

    def board_orientation(self, facing: float) -> tuple[float, float, float]:
        """Direction in the world (degrees), width factor and height factor of an upright board.

        facing: direction of the board's front in the piece's own frame, in degrees.
        """
        if self.frame == _IDENTITY:
            return facing, 1.0, 1.0
        xx, xz, yy, zx, zz = self.frame
        sine, cosine = exact_sin_cos(facing)
        x, z = xx * cosine - xz * sine, zx * cosine - zz * sine  # of the vector one metre to its right
        return math.degrees(math.atan2(-z, x)) % 360.0, math.hypot(x, z), yy

    def nested_in(self, turn: float, scale: Sequence[float], link: ParentLink | None = None) -> PieceInstance:
        """The instance inside one more container, which scales first and then rotates."""
        sine, cosine = exact_sin_cos(turn)
        sx, sy, sz = scale
        xx, xz, yy, zx, zz = self.frame
        frame = (
            cosine * sx * xx + sine * sz * zx, cosine * sx * xz + sine * sz * zz, sy * yy,
            cosine * sz * zx - sine * sx * xx, cosine * sz * zz - sine * sx * xz,
        )  # fmt: skip
        if link is None:
            return PieceInstance(frame, self.within, self.placements)
        return PieceInstance(frame, (link, *self.within), ((turn, (sx, sy, sz)), *self.placements))

    def ancestor(self, depth: int) -> PieceInstance:
        """Transform of the container `within[depth]` itself, by those outside it."""
        outer = PieceInstance()
        for index in reversed(range(depth)):
            turn, scale = self.placements[index]
            outer = outer.nested_in(turn, scale, self.within[index])
        return outer


@dataclass(frozen=True, slots=True)
class PlacedMarker:
    """Entity of a piece that has no faces: a sign's text, a light, a target, a mover.

    kind: "sign", "light" ... payload: its description in the piece's own metres and axes.
    at: position; in the world once the level is built. facing: degrees in the piece's own frame (see
    `PieceInstance.board_orientation`). origin, instance: indices as those of faces. mover: number of the mover that
    carries it, as in `FaceArrays.mover`; 0 for none.
    """

    kind: str
    payload: object
    at: Point
    facing: float
    origin: int
    instance: int = 0
    mover: int = 0

    def moved_to(self, at: NDArray[np.float64], instance: int) -> PlacedMarker:
        x, y, z = at.tolist()  # by the constructor: `replace` takes four times as long, and arrays have many markers
        return PlacedMarker(self.kind, self.payload, (x, y, z), self.facing, self.origin, instance, self.mover)
