"""Broad phase over faces (sweep and prune), and distances of convex outlines, segments and triangles."""

from __future__ import annotations

import numpy as np

from ...core.vectors import Floats, Indices, ranges
from .column_grid import TooManyCandidates

MAX_TESTED_PAIRS = 4_000_000  # candidates of one call; bounds memory and time
MAX_OVERLAPPING_PAIRS = 300_000


def find_overlapping_pairs(low: Floats, high: Floats, group: Indices | None = None) -> tuple[Indices, Indices]:
    """Index pairs i < j of overlapping boxes (M,3), within the same group (M,) if groups are given.

    Sweep and prune along the axis with the fewest candidates. Raises TooManyCandidates if they exceed MAX_TESTED_PAIRS,
    or the pairs MAX_OVERLAPPING_PAIRS.
    """
    count = len(low)
    groups = np.zeros(count, np.int64) if group is None else group
    best: tuple[int, Indices, Indices] | None = None
    for axis in range(3):
        order = np.lexsort((low[:, axis], groups))
        # Groups lie end to end on one axis, so that one search finds the last candidate of each box.
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
    first, second = ranges(np.arange(count) + 1, sizes)
    i, j = order[first], order[second]
    is_same = groups[i] == groups[j]
    i, j = _keep_overlapping(i[is_same], j[is_same], (low, high), (low, high))
    if len(i) > MAX_OVERLAPPING_PAIRS:
        raise TooManyCandidates
    return np.minimum(i, j), np.maximum(i, j)


def find_boxes_near(low: Floats, high: Floats, other_low: Floats, other_high: Floats) -> tuple[Indices, Indices]:
    """Index pairs of overlapping boxes, the first among boxes (M,3), the second among other boxes (N,3).

    Raises TooManyCandidates if there are more than MAX_TESTED_PAIRS candidates.
    """
    best: tuple[int, Indices, Indices, Indices] | None = None
    for axis in range(3):
        order = np.argsort(other_low[:, axis], kind="stable")
        starts = other_low[order, axis]
        widest = float((other_high[:, axis] - other_low[:, axis]).max(initial=0.0))
        first = np.searchsorted(starts, low[:, axis] - widest, side="left")
        sizes = np.maximum(np.searchsorted(starts, high[:, axis], side="right") - first, 0)
        if best is None or int(sizes.sum()) < best[0]:
            best = (int(sizes.sum()), order, first, sizes)
    if best is None or best[0] > MAX_TESTED_PAIRS:
        raise TooManyCandidates
    _, order, first, sizes = best
    i, j = ranges(first, sizes)
    return _keep_overlapping(i, order[j], (low, high), (other_low, other_high))


def _keep_overlapping(
    i: Indices, j: Indices, boxes: tuple[Floats, Floats], others: tuple[Floats, Floats]
) -> tuple[Indices, Indices]:
    """The pairs whose boxes, of low and high corners (M,3) and (N,3), overlap. Axis by axis: most end at the first."""
    for low, high, other_low, other_high in zip(*(corners.T.copy() for corners in (*boxes, *others)), strict=True):
        overlap = (low[i] <= other_high[j]) & (other_low[j] <= high[i])
        i, j = i[overlap], j[overlap]
    return i, j


def convex_separation(first: Floats, second: Floats) -> Floats:
    """Separation (P,) of convex outlines (P,K,2) and (P,L,2) by the separating-axis test; negative: penetration depth.

    The gap is exact where the nearest point lies on an edge, and a lower bound otherwise.
    """
    separation = np.full(len(first), -np.inf)
    for shape in (first, second):
        for k in range(shape.shape[1]):
            edge = shape[:, (k + 1) % shape.shape[1]] - shape[:, k]
            size = np.linalg.norm(edge, axis=-1)
            normal = np.stack([-edge[:, 1], edge[:, 0]], axis=-1) / np.maximum(size, 1e-12)[:, None]
            first_projection = np.einsum("pkd,pd->pk", first, normal)
            second_projection = np.einsum("pkd,pd->pk", second, normal)
            gap = np.maximum(
                second_projection.min(axis=1) - first_projection.max(axis=1),
                first_projection.min(axis=1) - second_projection.max(axis=1),
            )
            separation = np.where(size > 1e-9, np.maximum(separation, gap), separation)
    return separation


def nearest_on_segments(a: Floats, b: Floats, c: Floats, d: Floats) -> tuple[Floats, Floats]:
    """Nearest points (P,2), one on each, of segments a-b and c-d that do not cross."""
    best = np.full(len(a), np.inf)
    on_ab = np.zeros_like(a)
    on_cd = np.zeros_like(a)
    for point, start, end, swapped in ((a, c, d, False), (b, c, d, False), (c, a, b, True), (d, a, b, True)):
        edge = end - start
        t = np.einsum("pd,pd->p", point - start, edge) / np.maximum(np.einsum("pd,pd->p", edge, edge), 1e-18)
        foot = start + np.clip(t, 0.0, 1.0)[:, None] * edge
        gap = np.linalg.norm(point - foot, axis=-1)
        nearer = gap < best - 1e-12
        best = np.where(nearer, gap, best)
        candidate_ab, candidate_cd = (foot, point) if swapped else (point, foot)
        on_ab, on_cd = np.where(nearer[:, None], candidate_ab, on_ab), np.where(nearer[:, None], candidate_cd, on_cd)
    return on_ab, on_cd


def distance_from_origin(triangles: Floats) -> Floats:
    """Distances (N,) of triangles (N,3,3) from the origin."""
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    normal = np.cross(b - a, c - a)
    square = np.einsum("nd,nd->n", normal, normal)
    inside = np.ones(len(triangles), np.bool_)
    best = np.full(len(triangles), np.inf)
    for start, end in ((a, b), (b, c), (c, a)):
        edge = end - start
        inside &= np.einsum("nd,nd->n", np.cross(edge, -start), normal) >= 0.0
        t = -np.einsum("nd,nd->n", start, edge) / np.maximum(np.einsum("nd,nd->n", edge, edge), 1e-18)
        best = np.minimum(best, np.linalg.norm(start + np.clip(t, 0.0, 1.0)[:, None] * edge, axis=-1))
    plane = np.abs(np.einsum("nd,nd->n", a, normal)) / np.sqrt(np.maximum(square, 1e-300))
    return np.where(inside & (square > 0), plane, best)
