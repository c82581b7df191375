"""Which faces are near each other: pairs of overlapping boxes, and how far convex outlines are apart."""

from __future__ import annotations

import numpy as np

from ...core.vectors import Floats, Indices
from .column_grid import TooManyCandidates

MAX_TESTED_PAIRS = 4_000_000  # looked at in one go, which bounds memory and time
MAX_OVERLAPPING_PAIRS = 300_000  # of them that meet


def find_overlapping_pairs(low: Floats, high: Floats, group: Indices | None = None) -> tuple[Indices, Indices]:
    """All pairs i < j of boxes (M,3) that meet, of the same group where groups (M,) are given.

    Sweeps along the axis with the fewest candidates. Raises Crowded when even those are more than MOST_PAIRS,
    or more than MOST_MEETING meet.
    """
    count = len(low)
    groups = np.zeros(count, np.int64) if group is None else group
    best: tuple[int, Indices, Indices] | None = None
    for axis in range(3):
        order = np.lexsort((low[:, axis], groups))
        # Groups are laid end to end on one line, so that one search finds each box's last candidate.
        start = low[:, axis].min(initial=0.0)
        span = float(high[:, axis].max(initial=0.0) - start) + 1.0
        begin = (low[:, axis] - start) + groups * span
        end = (high[:, axis] - start) + groups * span
        last = np.searchsorted(begin[order], end[order], side="right")
        sizes = np.maximum(last - np.arange(count) - 1, 0)
        total = int(sizes.sum())
        if best is None or total < best[0]:
            best = (total, order, sizes)
    if best is None or best[0] > MAX_TESTED_PAIRS:
        raise TooManyCandidates
    _, order, sizes = best
    first = np.repeat(np.arange(count), sizes)
    second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    i, j = order[first], order[second]
    meet = np.all((low[i] <= high[j]) & (low[j] <= high[i]), axis=1) & (groups[i] == groups[j])
    i, j = i[meet], j[meet]
    if len(i) > MAX_OVERLAPPING_PAIRS:
        raise TooManyCandidates
    return np.minimum(i, j), np.maximum(i, j)


def convex_separation(one: Floats, other: Floats) -> Floats:
    """How far convex outlines (P,K,2) and (P,L,2) are apart: the gap (exact where it lies before an edge), or
    minus the depth of their overlap."""
    widest = np.full(len(one), -np.inf)
    for shape in (one, other):
        for k in range(shape.shape[1]):
            edge = shape[:, (k + 1) % shape.shape[1]] - shape[:, k]
            size = np.linalg.norm(edge, axis=-1)
            normal = np.stack([-edge[:, 1], edge[:, 0]], axis=-1) / np.maximum(size, 1e-12)[:, None]
            mine = np.einsum("pkd,pd->pk", one, normal)
            theirs = np.einsum("pkd,pd->pk", other, normal)
            apart = np.maximum(theirs.min(axis=1) - mine.max(axis=1), mine.min(axis=1) - theirs.max(axis=1))
            widest = np.where(size > 1e-9, np.maximum(widest, apart), widest)
    return widest


def nearest_on_segments(a: Floats, b: Floats, c: Floats, d: Floats) -> tuple[Floats, Floats]:
    """The nearest points of segments a-b and c-d (P,2) that do not cross, one on each."""
    best = np.full(len(a), np.inf)
    one, other = np.zeros_like(a), np.zeros_like(a)
    for point, start, end, swapped in ((a, c, d, False), (b, c, d, False), (c, a, b, True), (d, a, b, True)):
        along = end - start
        part = np.einsum("pd,pd->p", point - start, along) / np.maximum(np.einsum("pd,pd->p", along, along), 1e-18)
        foot = start + np.clip(part, 0.0, 1.0)[:, None] * along
        apart = np.linalg.norm(point - foot, axis=-1)
        nearer = apart < best - 1e-12
        best = np.where(nearer, apart, best)
        mine, theirs = (foot, point) if swapped else (point, foot)
        one, other = np.where(nearer[:, None], mine, one), np.where(nearer[:, None], theirs, other)
    return one, other


def distance_from_origin(triangles: Floats) -> Floats:
    """(N,): how far triangles (N,3,3) are from [0, 0, 0]."""
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    normal = np.cross(b - a, c - a)
    square = np.einsum("nd,nd->n", normal, normal)
    inside = np.ones(len(triangles), np.bool_)
    best = np.full(len(triangles), np.inf)
    for start, end in ((a, b), (b, c), (c, a)):
        along = end - start
        inside &= np.einsum("nd,nd->n", np.cross(along, -start), normal) >= 0.0
        part = -np.einsum("nd,nd->n", start, along) / np.maximum(np.einsum("nd,nd->n", along, along), 1e-18)
        best = np.minimum(best, np.linalg.norm(start + np.clip(part, 0.0, 1.0)[:, None] * along, axis=-1))
    plane = np.abs(np.einsum("nd,nd->n", a, normal)) / np.sqrt(np.maximum(square, 1e-300))
    return np.where(inside & (square > 0), plane, best)
