"""All copies of the pieces of a level, as a tree of what is around them: a copy is worked out when it is asked for."""

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
    """A sequence of instances. Either some `parts` one after the other, which begin at `starts`; or what is `inside`
    something, `size / len(inside)` times, each time turned by `step` degrees more than `first`; or just one by itself.
    """

    size: int = 1
    parts: tuple[InstanceTree, ...] = ()
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
        around: list[tuple[float, Point, ParentLink | None]] = []
        here = self
        while True:
            if here.inside is not None:
                rank, index = divmod(index, here.inside.size)
                around.append((here.first + rank * here.step, here.scale, here.link))
                here = here.inside
            elif here.parts:
                part = bisect_right(here.starts, index) - 1
                index -= here.starts[part]
                here = here.parts[part]
            else:
                break
        found = PieceInstance()
        for turn, scale, link in reversed(around):
            found = found.nested_in(turn, scale, link)
        return found

    def __iter__(self) -> Iterator[PieceInstance]:
        return (self[index] for index in range(self.size))

    def nested(self, turn: float, scale: Sequence[float], link: ParentLink | None) -> InstanceTree:
        """All of them, in one thing more."""
        x, y, z = scale
        return InstanceTree(self.size, inside=self, first=turn, scale=(x, y, z), link=link)

    def repeat(self, count: int, turn: float, link: ParentLink | None) -> InstanceTree:
        """`count` times all of them; just once where no turn tells one time from another."""
        times = count if turn else 1
        return InstanceTree(self.size * times, inside=self, step=turn, link=link)

    def frame_rows(self) -> NDArray[np.float64]:
        """(len, 5) `Instance.frame` of each."""
        return _tree_frames(self, {})


def _tree_frames(copies: InstanceTree, known: dict[int, NDArray[np.float64]]) -> NDArray[np.float64]:
    found = known.get(id(copies))
    if found is not None:
        return found
    if copies.parts:
        found = np.concatenate([_tree_frames(part, known) for part in copies.parts])
    elif copies.inside is None:
        found = np.array([PieceInstance().frame])
    else:
        inner = _tree_frames(copies.inside, known)
        xx, xz, yy, zx, zz = (inner * np.array([copies.scale[axis] for axis in (0, 0, 1, 2, 2)])).T
        times = copies.size // copies.inside.size
        turns = np.array([exact_sin_cos(copies.first + rank * copies.step) for rank in range(times)])
        sine, cosine = turns[:, :1], turns[:, 1:]
        rows = (
            cosine * xx + sine * zx, cosine * xz + sine * zz, np.broadcast_to(yy, (times, len(yy))),
            cosine * zx - sine * xx, cosine * zz - sine * xz,
        )  # fmt: skip
        found = np.stack([row.reshape(-1) for row in rows], axis=-1)
    known[id(copies)] = found
    return found


ROOT_INSTANCES = InstanceTree()  # of pieces that stand in nothing


def join_instances(parts: Sequence[InstanceTree]) -> tuple[InstanceTree, list[int]]:
    """All of them as one, HOME first and only once; and where each begins."""
    kept, starts, begins, size = [ROOT_INSTANCES], [0], [], 1
    for part in parts:
        if part is ROOT_INSTANCES:
            begins.append(0)
            continue
        begins.append(size)
        kept.append(part)
        starts.append(size)
        size += part.size
    whole = InstanceTree(size, tuple(kept), tuple(starts)) if len(kept) > 1 else ROOT_INSTANCES
    return whole, begins
