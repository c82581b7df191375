"""Uniform grid of triangles over the plan (x, z), for vertical queries: the faces above or below a point."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...core.errors import WalkerError
from ...core.vectors import Floats, ranges, vector_lengths

MAX_GRID_ENTRIES = 2_000_000  # (triangle, cell) pairs; bounds memory
MAX_POINT_TESTS = 8_000_000  # point-triangle tests of all queries together; bounds time
EXACT_TEST_COST = 3  # cost of an exact test, in box tests
BOX_MARGIN = 1e-4  # metres around a triangle's box
TEST_CHUNK_SIZE = 500_000  # tests at once; bounds memory


class TooManyCandidates(WalkerError):
    """A query would take too long, because too many triangles lie in one place."""


class ColumnGrid:
    """Grid over the plan of triangles (N,3,3). Vertical triangles are never found."""

    def __init__(self, triangles: Floats) -> None:
        a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
        self._normal = np.cross(b - a, c - a)
        size = vector_lengths(self._normal)
        self._flat = np.nonzero(np.abs(self._normal[:, 1]) > 1e-6 * np.maximum(size, 1e-300))[0]
        self._triangles = triangles
        # written out: numpy's min over an axis of length 3 takes ten times as long
        triangle_low, triangle_high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
        self._plan_bounds = (triangle_low[:, ::2] - BOX_MARGIN).T.copy(), (triangle_high[:, ::2] + BOX_MARGIN).T.copy()
        self._height_bounds = triangle_low[:, 1].copy(), triangle_high[:, 1].copy()
        self._tests_done = 0
        low, high = triangle_low[self._flat, ::2], triangle_high[self._flat, ::2]
        count = max(1, len(low))
        self._low = low.min(axis=0) if len(low) else np.zeros(2)
        span = (high.max(axis=0) if len(low) else np.ones(2)) - self._low
        side = int(np.clip(np.sqrt(count), 1, 512))
        while True:
            self._cell = np.maximum(span / side, 1e-6)
            self._side = side
            first, last = self._cell_indices(low), self._cell_indices(high)
            widths = last - first + 1
            sizes = widths[:, 0] * widths[:, 1]
            if int(sizes.sum()) <= MAX_GRID_ENTRIES or side == 1:
                break
            side = max(1, side // 2)
        owner, rank = ranges(0, sizes)
        cell_z, cell_x = np.divmod(rank.astype(np.int32), widths[owner, 0].astype(np.int32)) + first[owner, ::-1].T
        # By cell, as one stable sort of cell_x * side + cell_z; numpy sorts 16 bits by radix, five times as fast
        order = np.argsort(cell_z.astype(np.uint16), kind="stable")
        order = order[np.argsort(cell_x[order].astype(np.uint16), kind="stable")]
        self._entries = self._flat[owner[order]]
        self._start = np.zeros(side * side + 1, np.int64)
        np.cumsum(np.bincount(cell_x * side + cell_z, minlength=side * side), out=self._start[1:])

    def _cell_indices(self, points: Floats) -> NDArray[np.int64]:
        """Grid cell (P,2) of points (P,2), clamped to the grid."""
        cells: NDArray[np.int64] = np.clip((points - self._low) / self._cell, 0, self._side - 1).astype(np.int64)
        return cells

    def faces_at(
        self, points: Floats, heights: Floats | None = None, margin: float = 0.0
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
        """Rows of point index, triangle index and height of the triangle's plane, for points (P,2) as x, z.

        heights (P,): with these, triangles that lie wholly more than `margin` above or below are left out.
        Raises TooManyCandidates.
        """
        cells = self._cell_indices(points)
        key = cells[:, 0] * self._side + cells[:, 1]
        begin = self._start[key]
        sizes = self._start[key + 1] - begin
        ends = np.cumsum(sizes)
        tests = int(ends[-1]) if len(ends) else 0
        self._count_tests(tests)
        cuts = np.searchsorted(ends, np.arange(TEST_CHUNK_SIZE, tests + TEST_CHUNK_SIZE, TEST_CHUNK_SIZE)) + 1
        chunks = [
            self._test_chunk(points, np.arange(first, min(last, len(points))), begin, sizes, heights, margin)
            for first, last in pairwise([0, *cuts.tolist(), len(points)])
            if first < len(points)
        ]
        empty = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
        point, triangle, height = (np.concatenate(rows) for rows in zip(empty, *chunks, strict=True))
        return point, triangle, height

    def _count_tests(self, tests: int) -> None:
        self._tests_done += tests
        if self._tests_done > MAX_POINT_TESTS:
            raise TooManyCandidates

    def _test_chunk(
        self,
        points: Floats,
        chosen: NDArray[np.int64],
        begin: NDArray[np.int64],
        sizes: NDArray[np.int64],
        heights: Floats | None,
        margin: float,
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
        """`faces_at` for the points `chosen`, whose candidates are `sizes` entries of the grid from `begin` on."""
        owner, entry = ranges(begin[chosen], sizes[chosen])
        point, triangle = chosen[owner], self._entries[entry]
        if heights is not None:
            low, high = self._height_bounds
            height = heights[point]
            in_range = (low[triangle] <= height + margin) & (height - margin <= high[triangle])
            point, triangle = point[in_range], triangle[in_range]
        for low, high, coordinate in zip(*self._plan_bounds, points.T, strict=True):
            in_range = (low[triangle] <= coordinate[point]) & (coordinate[point] <= high[triangle])
            point, triangle = point[in_range], triangle[in_range]
        self._count_tests(EXACT_TEST_COST * len(point))
        corners = self._triangles[triangle]
        position = points[point]
        inside = np.ones(len(point), np.bool_)
        facing = np.sign(self._normal[triangle, 1])
        for k in range(3):
            a, b = corners[:, k], corners[:, (k + 1) % 3]
            cross = (b[:, 2] - a[:, 2]) * (position[:, 0] - a[:, 0]) - (b[:, 0] - a[:, 0]) * (position[:, 1] - a[:, 2])
            reach = np.abs(b[:, 0] - a[:, 0]) + np.abs(b[:, 2] - a[:, 2])
            inside &= cross * facing >= -1e-7 * reach
        point, triangle, corners = point[inside], triangle[inside], corners[inside]
        normal = self._normal[triangle]
        offset = points[point] - corners[:, 0, ::2]
        height = corners[:, 0, 1] - (normal[:, 0] * offset[:, 0] + normal[:, 2] * offset[:, 1]) / normal[:, 1]
        return point, triangle, height
