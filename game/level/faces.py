"""Quads and triangles between pieces and a level: arrays that are joined, turned, moved and repeated.

A face is a row of four corners, counter-clockwise seen from its front; a triangle repeats its third.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Flags = NDArray[np.bool_]
Corner = Sequence[float]

QUARTERS = {0.0: (0.0, 1.0), 90.0: (1.0, 0.0), 180.0: (0.0, -1.0), 270.0: (-1.0, 0.0)}


def sin_cos(degrees: float) -> tuple[float, float]:
    """Sine and cosine, exact at quarter turns, so that what is square stays square."""
    turned = degrees % 360.0
    if turned in QUARTERS:
        return QUARTERS[turned]
    return math.sin(math.radians(turned)), math.cos(math.radians(turned))


def turned(points: Floats, degrees: Floats | float) -> Floats:
    """Points (..., 3) turned about the vertical, counter-clockwise seen from above; degrees broadcasts."""
    angles = np.atleast_1d(np.asarray(degrees, dtype=np.float64))
    pairs = np.array([sin_cos(float(angle)) for angle in angles.ravel()]).reshape(*angles.shape, 2)
    sine, cosine = pairs[..., 0], pairs[..., 1]
    if np.ndim(degrees) == 0:
        sine, cosine = sine[0], cosine[0]
    x, y, z = points[..., 0], points[..., 1], points[..., 2]
    return np.stack([x * cosine + z * sine, y + 0.0 * sine, z * cosine - x * sine], axis=-1)


@dataclass(frozen=True, slots=True)
class Board:
    """A sign's words: middle of the written face, where it looks (degrees), width and height in metres."""

    text: str
    at: tuple[float, float, float]
    facing: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Faces:
    """corners (M,4,3) f8; surface (M,) index; origin (M,) index of the piece that made each;
    rests (M,): a foot or a room's floor, to be left out where it lies on another piece's floor."""

    corners: Floats
    surface: Ints
    origin: Ints
    rests: Flags
    boards: tuple[Board, ...] = ()

    def __len__(self) -> int:
        return len(self.corners)

    @property
    def triangular(self) -> Flags:
        """(M,): which rows are triangles."""
        alike: Flags = np.all(self.corners[:, 2] == self.corners[:, 3], axis=-1)
        return alike

    def keep(self, mask: Flags) -> Faces:
        return replace(
            self,
            corners=self.corners[mask],
            surface=self.surface[mask],
            origin=self.origin[mask],
            rests=self.rests[mask],
        )

    def placed(self, facing: float, at: Corner) -> Faces:
        """Turned about the vertical axis through the origin, then moved by `at`."""
        if facing == 0.0 and not any(at):
            return self
        moved = turned(self.corners, facing) + np.asarray(at, dtype=np.float64)
        boards = tuple(_placed(board, facing, np.asarray(at, dtype=np.float64)) for board in self.boards)
        return replace(self, corners=moved, boards=boards)

    def repeated(self, count: int, step: Corner, turn: float, around: Corner) -> Faces:
        """`count` copies: copy k turned by k * turn about `around`, then moved by k * step."""
        ranks = np.arange(count, dtype=np.float64)
        pivot = np.asarray(around, dtype=np.float64)
        offsets = ranks[:, None] * np.asarray(step, dtype=np.float64)
        centred = np.broadcast_to(self.corners - pivot, (count, *self.corners.shape))
        if turn:
            centred = turned(centred, (ranks * turn)[:, None, None])
        corners = (centred + pivot + offsets[:, None, None, :]).reshape(-1, 4, 3)
        if not turn:
            corners[: len(self)] = self.corners  # the first copy keeps its bits
        boards = []
        for rank in range(count if self.boards else 0):
            for board in self.boards:
                aside = replace(board, at=_triple(np.array(board.at) - pivot))
                boards.append(_placed(aside, rank * turn, pivot + offsets[rank]))
        return Faces(
            corners,
            np.tile(self.surface, count),
            np.tile(self.origin, count),
            np.tile(self.rests, count),
            tuple(boards),
        )


def _placed(board: Board, facing: float, at: Floats) -> Board:
    moved = turned(np.array(board.at), facing) + at
    return replace(board, at=_triple(moved), facing=(board.facing + facing) % 360.0)


def _triple(point: Floats) -> tuple[float, float, float]:
    return float(point[0]), float(point[1]), float(point[2])


def joined(parts: Sequence[Faces]) -> Faces:
    """All of them, in order."""
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return Faces(np.zeros((0, 4, 3)), np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.bool_))
    return Faces(
        np.concatenate([part.corners for part in parts]),
        np.concatenate([part.surface for part in parts]),
        np.concatenate([part.origin for part in parts]),
        np.concatenate([part.rests for part in parts]),
        tuple(board for part in parts for board in part.boards),
    )


class Maker:
    """What a piece writes its faces to, around its own [0, 0, 0], looking north (-Z)."""

    def __init__(self, origin: int) -> None:
        self.origin = origin
        self.boards: list[Board] = []
        self._rows: list[tuple[Corner, Corner, Corner, Corner]] = []
        self._surface: list[int] = []
        self._rests: list[bool] = []
        self._blocks: list[Faces] = []

    def quad(self, a: Corner, b: Corner, c: Corner, d: Corner, surface: int, rests: bool = False) -> None:
        """Four corners, counter-clockwise seen from the front."""
        self._rows.append((a, b, c, d))
        self._surface.append(surface)
        self._rests.append(rests)

    def triangle(self, a: Corner, b: Corner, c: Corner, surface: int, rests: bool = False) -> None:
        self.quad(a, b, c, c, surface, rests)

    def cuboid(self, low: Corner, high: Corner, surface: int, top: int, rests: bool = True) -> None:
        """Six quads of an upright block; `rests`: its foot may be left out on a floor."""
        (x0, y0, z0), (x1, y1, z1) = low, high
        a, b, c, d = (x0, y0, z1), (x1, y0, z1), (x1, y0, z0), (x0, y0, z0)
        e, f, g, h = (x0, y1, z1), (x1, y1, z1), (x1, y1, z0), (x0, y1, z0)
        self.quad(e, f, g, h, top)
        self.quad(d, c, b, a, surface, rests)
        for quad in ((a, b, f, e), (b, c, g, f), (c, d, h, g), (d, a, e, h)):
            self.quad(*quad, surface)

    def block(self, corners: Floats, surface: Ints, rests: Flags) -> None:
        """Many quads at once."""
        origin = np.full(len(corners), self.origin, np.int32)
        self._blocks.append(Faces(corners, surface.astype(np.int32), origin, rests))

    def faces(self) -> Faces:
        count = len(self._rows)
        rows = Faces(
            np.array(self._rows, dtype=np.float64).reshape(count, 4, 3),
            np.array(self._surface, dtype=np.int32),
            np.full(count, self.origin, np.int32),
            np.array(self._rests, dtype=np.bool_),
            tuple(self.boards),
        )
        return joined([rows, *self._blocks])


def unit_normals(corners: Floats) -> Floats:
    """(M,3) unit normals of faces (M,4,3), by their diagonals; zero where a face has no area."""
    crossed = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    size = np.linalg.norm(crossed, axis=-1, keepdims=True)
    units: Floats = np.divide(crossed, size, out=np.zeros_like(crossed), where=size > 0)
    return units
