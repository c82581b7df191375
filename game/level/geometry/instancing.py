"""Instancing: all copies of the pieces of a level, as a tree of containers. Transforms are computed on demand."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.vectors import Point
from .instance_transform import ParentLink, PieceInstance, exact_sin_cos

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
