"""Canonical order of balls, and a proximity test on state rows.

Kernels process balls from the lowest to the highest along gravity, so a result does not depend on the order of the
rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...core.vectors import Floats, Indices
from ..numerics.jit import inner, kernel
from .rows import ball_row


def canonical_order(floats: NDArray[np.float64], gravity: tuple[float, float, float]) -> NDArray[np.intp]:
    """Indices of state rows (n, ball_row.WIDTH) by height; ties by the other columns and, last, by row.

    So equal heights are sorted by what the rows hold, and only equal rows by their place in the array.
    """
    x, y, z = (-float(g) for g in gravity) if any(gravity) else (0.0, 1.0, 0.0)
    heights = np.empty(len(floats))
    project_heights(floats, x, y, z, heights)
    order = np.argsort(heights)
    sort_equal_heights(floats, floats.view(np.int64), heights, order)
    return order


@kernel
def project_heights(rows: Floats, x: float, y: float, z: float, heights: Floats) -> None:
    """heights[i] = (x, y, z) . position of ball i."""
    for i in range(rows.shape[0]):
        heights[i] = (
            x * rows[i, ball_row.POSITION] + y * rows[i, ball_row.POSITION + 1] + z * rows[i, ball_row.POSITION + 2]
        )


@kernel
def sort_equal_heights(rows: Floats, ints: Indices, heights: Floats, order: Indices) -> None:
    """Sort each run of `order` with equal heights by Shell sort. ints: the rows as int64."""
    n, begin = order.shape[0], 0
    while begin < n:
        end = begin + 1
        while end < n and heights[order[end]] == heights[order[begin]]:
            end += 1
        step = end - begin
        while step > 1:  # Shell sort (gaps by 5/11): many balls may lie on one floor
            step = max(5 * step // 11, 1)
            for i in range(begin + step, end):
                ball, slot = order[i], i
                while slot >= begin + step and precedes_in_order(rows, ints, ball, order[slot - step]):
                    order[slot] = order[slot - step]
                    slot -= step
                order[slot] = ball
        begin = end


@inner
def precedes_in_order(rows: Floats, ints: Indices, i: int, j: int) -> bool:
    """Whether ball i comes before ball j of equal height."""
    for c in range(ball_row.STILL):
        if rows[i, c] != rows[j, c]:
            return bool(rows[i, c] < rows[j, c])
    for c in range(ball_row.WIDTH):  # these are integers; and the sign of a zero
        if ints[i, c] != ints[j, c]:
            return bool(ints[i, c] < ints[j, c])
    return i < j


@kernel
def any_ball_within(rows: Floats, x: float, y: float, z: float, radius: float) -> bool:
    """Whether any ball touches the sphere of `radius` at (x, y, z)."""
    for i in range(rows.shape[0]):
        dx, dy, dz = (
            rows[i, ball_row.POSITION] - x,
            rows[i, ball_row.POSITION + 1] - y,
            rows[i, ball_row.POSITION + 2] - z,
        )
        reach = rows[i, ball_row.RADIUS] + radius
        if dx * dx + dy * dy + dz * dz <= reach * reach:
            return True
    return False
