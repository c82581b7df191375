"""What is asked of the rows of balls as they stand: in which order they are worked on, and what they touch."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..numerics.jit import inlined, kernel
from .layout import ball_row


def canonical_order(floats: NDArray[np.float64], gravity: tuple[float, float, float]) -> NDArray[np.intp]:
    """The order in which balls are worked on: from the lowest up, whatever order they come in. floats: (n, ROW_WIDTH),
    their rows; those as high as each other go by their places, velocities and, at last, their rows."""
    x, y, z = (-float(g) for g in gravity) if any(gravity) else (0.0, 1.0, 0.0)
    heights = np.empty(len(floats))
    project_heights(floats, x, y, z, heights)
    order = np.argsort(heights)
    sort_equal_heights(floats, heights, order)
    return order


@kernel
def project_heights(rows: Any, x: float, y: float, z: float, heights: Any) -> None:
    """How far each ball is along (x, y, z)."""
    for i in range(rows.shape[0]):
        heights[i] = (
            x * rows[i, ball_row.POSITION] + y * rows[i, ball_row.POSITION + 1] + z * rows[i, ball_row.POSITION + 2]
        )


@kernel
def sort_equal_heights(rows: Any, heights: Any, order: Any) -> None:
    """Sort each stretch of `order` whose balls are as high as each other."""
    n, begin = order.shape[0], 0
    while begin < n:
        end = begin + 1
        while end < n and heights[order[end]] == heights[order[begin]]:
            end += 1
        step = end - begin
        while step > 1:  # Shell's sort: a row of balls on one floor is as long as it likes
            step = max(5 * step // 11, 1)
            for i in range(begin + step, end):
                one, at = order[i], i
                while at >= begin + step and precedes_in_order(rows, one, order[at - step]):
                    order[at] = order[at - step]
                    at -= step
                order[at] = one
        begin = end


@inlined
def precedes_in_order(rows: Any, i: int, j: int) -> bool:
    """Whether of two balls at one height ball i is worked on first."""
    for c in range(ball_row.POSITION, ball_row.VELOCITY + 3):
        if rows[i, c] != rows[j, c]:
            return bool(rows[i, c] < rows[j, c])
    return i < j


@kernel
def any_ball_within(rows: Any, x: float, y: float, z: float, radius: float) -> bool:
    """Whether any ball touches a sphere."""
    for i in range(rows.shape[0]):
        dx, dy, dz = (
            rows[i, ball_row.POSITION] - x,
            rows[i, ball_row.POSITION + 1] - y,
            rows[i, ball_row.POSITION + 2] - z,
        )
        near = rows[i, ball_row.RADIUS] + radius
        if dx * dx + dy * dy + dz * dz <= near * near:
            return True
    return False
