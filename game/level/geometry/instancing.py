"""All copies of the pieces of a level, as a tree of what is around them: a copy is worked out when it is asked for."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .instance_transform import Instance, Link, Point, sin_cos

SAME: Point = (1.0, 1.0, 1.0)


@dataclass(frozen=True, eq=False, slots=True)
class Copies(Sequence[Instance]):
    """A sequence of instances. Either some `parts` one after the other, which begin at `starts`; or what is `inside`
    something, `size / len(inside)` times, each time turned by `step` degrees more than `first`; or just one by itself.
    """

    size: int = 1
    parts: tuple[Copies, ...] = ()
    starts: tuple[int, ...] = ()
    inside: Copies | None = None
    first: float = 0.0
    step: float = 0.0
    scale: Point = SAME
    link: Link | None = None

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: int) -> Instance:  # type: ignore[override]
        if not 0 <= index < self.size:
            raise IndexError(index)
        around: list[tuple[float, Point, Link | None]] = []
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
        found = Instance()
        for turn, scale, link in reversed(around):
            found = found.inside(turn, scale, link)
        return found

    def __iter__(self) -> Iterator[Instance]:
        return (self[index] for index in range(self.size))

    def within(self, turn: float, scale: Sequence[float], link: Link | None) -> Copies:
        """All of them, in one thing more."""
        x, y, z = scale
        return Copies(self.size, inside=self, first=turn, scale=(x, y, z), link=link)

    def repeated(self, count: int, turn: float, link: Link | None) -> Copies:
        """`count` times all of them; just once where no turn tells one time from another."""
        times = count if turn else 1
        return Copies(self.size * times, inside=self, step=turn, link=link)

    def frames(self) -> NDArray[np.float64]:
        """(len, 5) `Instance.frame` of each."""
        return _frames(self, {})


def _frames(copies: Copies, known: dict[int, NDArray[np.float64]]) -> NDArray[np.float64]:
    found = known.get(id(copies))
    if found is not None:
        return found
    if copies.parts:
        found = np.concatenate([_frames(part, known) for part in copies.parts])
    elif copies.inside is None:
        found = np.array([Instance().frame])
    else:
        inner = _frames(copies.inside, known)
        xx, xz, yy, zx, zz = (inner * np.array([copies.scale[axis] for axis in (0, 0, 1, 2, 2)])).T
        times = copies.size // copies.inside.size
        turns = np.array([sin_cos(copies.first + rank * copies.step) for rank in range(times)])
        sine, cosine = turns[:, :1], turns[:, 1:]
        rows = (
            cosine * xx + sine * zx, cosine * xz + sine * zz, np.broadcast_to(yy, (times, len(yy))),
            cosine * zx - sine * xx, cosine * zz - sine * xz,
        )  # fmt: skip
        found = np.stack([row.reshape(-1) for row in rows], axis=-1)
    known[id(copies)] = found
    return found


HOME = Copies()  # of pieces that stand in nothing


def joined(parts: Sequence[Copies]) -> tuple[Copies, list[int]]:
    """All of them as one, HOME first and only once; and where each begins."""
    kept, starts, begins, size = [HOME], [0], [], 1
    for part in parts:
        if part is HOME:
            begins.append(0)
            continue
        begins.append(size)
        kept.append(part)
        starts.append(size)
        size += part.size
    whole = Copies(size, tuple(kept), tuple(starts)) if len(kept) > 1 else HOME
    return whole, begins
