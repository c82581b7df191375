"""Copies of the pieces of a level: the transform of each by its groups, arrays and prefabs, computed on demand."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
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


UNIT_SCALE: Point = (1.0, 1.0, 1.0)


@dataclass(frozen=True, eq=False, slots=True)
class InstanceTree(Sequence[PieceInstance]):
    """Sequence of instances; one of three cases.

    subtrees, starts: several trees one after the other, with their first indices. inside: a tree in a container,
    repeated `size / len(inside)` times; copy k is rotated by first + k * step degrees. Neither: a single instance at
    the origin.
    """

    size: int = 1
    subtrees: tuple[InstanceTree, ...] = ()
    starts: tuple[int, ...] = ()
    inside: InstanceTree | None = None
    first: float = 0.0
    step: float = 0.0
    scale: Point = UNIT_SCALE
    link: ParentLink | None = None

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: int) -> PieceInstance:  # type: ignore[override]
        if not 0 <= index < self.size:
            raise IndexError(index)
        containers: list[tuple[float, Point, ParentLink | None]] = []
        node = self
        while True:
            if node.inside is not None:
                rank, index = divmod(index, node.inside.size)
                containers.append((node.first + rank * node.step, node.scale, node.link))
                node = node.inside
            elif node.subtrees:
                child = bisect_right(node.starts, index) - 1
                index -= node.starts[child]
                node = node.subtrees[child]
            else:
                break
        instance = PieceInstance()
        for turn, scale, link in reversed(containers):
            instance = instance.nested_in(turn, scale, link)
        return instance

    def __iter__(self) -> Iterator[PieceInstance]:
        return (self[index] for index in range(self.size))

    def nested(self, turn: float, scale: Sequence[float], link: ParentLink | None) -> InstanceTree:
        """All instances inside one more container."""
        x, y, z = scale
        return InstanceTree(self.size, inside=self, first=turn, scale=(x, y, z), link=link)

    def repeat(self, count: int, turn: float, link: ParentLink | None) -> InstanceTree:
        """All instances `count` times; once if the copies do not differ in rotation."""
        times = count if turn else 1
        return InstanceTree(self.size * times, inside=self, step=turn, link=link)

    def frame_rows(self) -> NDArray[np.float64]:
        """(len, 5) `PieceInstance.frame` of each instance."""
        return _tree_frames(self, {})


def _tree_frames(tree: InstanceTree, cache: dict[int, NDArray[np.float64]]) -> NDArray[np.float64]:
    frames = cache.get(id(tree))
    if frames is not None:
        return frames
    if tree.subtrees:
        frames = np.concatenate([_tree_frames(subtree, cache) for subtree in tree.subtrees])
    elif tree.inside is None:
        frames = np.array([PieceInstance().frame])
    else:
        inner = _tree_frames(tree.inside, cache)
        xx, xz, yy, zx, zz = (inner * np.array([tree.scale[axis] for axis in (0, 0, 1, 2, 2)])).T
        times = tree.size // tree.inside.size
        turns = np.array([exact_sin_cos(tree.first + rank * tree.step) for rank in range(times)])
        sine, cosine = turns[:, :1], turns[:, 1:]
        rows = (
            cosine * xx + sine * zx, cosine * xz + sine * zz, np.broadcast_to(yy, (times, len(yy))),
            cosine * zx - sine * xx, cosine * zz - sine * xz,
        )  # fmt: skip
        frames = np.stack([row.reshape(-1) for row in rows], axis=-1)
    cache[id(tree)] = frames
    return frames


ROOT_INSTANCES = InstanceTree()  # of pieces outside all containers


def join_instances(trees: Sequence[InstanceTree]) -> tuple[InstanceTree, list[int]]:
    """Concatenation with a single ROOT_INSTANCES at the front, and the first index of each tree."""
    subtrees = [ROOT_INSTANCES]
    starts = [0]
    first_indices = []
    size = 1
    for tree in trees:
        if tree is ROOT_INSTANCES:
            first_indices.append(0)
            continue
        first_indices.append(size)
        subtrees.append(tree)
        starts.append(size)
        size += tree.size
    joined = InstanceTree(size, tuple(subtrees), tuple(starts)) if len(subtrees) > 1 else ROOT_INSTANCES
    return joined, first_indices
