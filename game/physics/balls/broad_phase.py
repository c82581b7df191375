"""Broad phase of balls: a hashed grid of columns along gravity, over the positions at the beginning of the tick.

Balls are inserted from the lowest to the highest; each is compared with the balls below it in its column and the
neighbouring ones. Pairs therefore come out ordered by the higher ball, without a sort. Source: spatial hashing, Ericson
(2005), 7.1.3. This canonical order also makes a result independent of the order of the rows.

Shorthands: b = w.balls (rows.ball), k = w.status (rows.status).
"""

from __future__ import annotations

from math import floor, inf

import numpy as np
from numpy.typing import NDArray

from ...core.vectors import Floats, Indices
from ..numerics.jit import inner, kernel
from .rows import (
    ball,
    ball_pair,
    ball_row,
    counter,
    grid_status,
    setting,
    status,
    vector4,
)
from .scratch import BallScratch

OUTLIER_REACH_RATIO = 1.3  # times the average reach: larger balls are in no column and are compared with every ball
HEIGHT_ROUNDING = 1e-12  # of the coordinates: margin for the rounding of a height
MAX_COLUMN_INDEX = 1048576.0  # columns further from the origin than this are one
MIN_COLUMN_BALLS = 4  # balls of a column that are compared without a test for the end of the column
UNLIMITED_SQUARED = 1e200  # m2: more than the squared distance of any two balls


@inner
def column_index(x: float, columns_per_metre: float) -> int:
    """Index of a column along one axis."""
    return floor(min(max(x * columns_per_metre, -MAX_COLUMN_INDEX), MAX_COLUMN_INDEX))


@inner
def grid_cell_size(w: BallScratch, n: int) -> float:
    """Width of a column, m: twice the reach of an ordinary ball."""
    total, largest = 0.0, 0.0
    for i in range(n):
        total += w.balls[i, ball.SWEPT_RADIUS]
        largest = max(largest, w.balls[i, ball.SWEPT_RADIUS])
    return 2.0 * min(largest, OUTLIER_REACH_RATIO * total / n)


@inner
def level_axes(settings: Floats) -> tuple[int, int]:
    """The two world axes that are most horizontal."""
    x, y, z = abs(settings[setting.UP_X]), abs(settings[setting.UP_Y]), abs(settings[setting.UP_Z])
    if y >= x and y >= z:
        return 0, 2
    return (1, 2) if x >= z else (0, 1)


@inner
def mark_outlier(w: BallScratch, i: int, reason: int) -> None:
    """Mark ball i as TOO_WIDE for a column or as having LEFT_REACH, and list it in w.outliers."""
    if w.status[i, status.GRID_STATUS] != reason:
        w.outliers[w.counters[counter.OUTLIERS]] = i
        w.counters[counter.OUTLIERS] += 1
    w.status[i, status.GRID_STATUS] = reason


@inner
def find_ball_pairs(w: BallScratch, settings: Floats, n: int, side: float) -> None:
    """Pairs (w.pairs) of balls whose paths may meet and that are not both asleep.

    Each pair occurs once; pairs are ordered by the higher ball. side: width of a column, m.
    """
    b, k, positions, next_below, column_heads = w.balls, w.status, w.positions, w.next_below, w.column_heads
    w.counters[counter.OUTLIERS] = 0
    mask = column_heads.shape[1] - 1
    for ia in range(mask + 1):
        for ic in range(mask + 1):
            column_heads[0, ia, ic] = column_heads[1, ia, ic] = n
    next_below[0, n] = next_below[1, n] = n
    awake, found = 0, 0
    ux, uy, uz = settings[setting.UP_X], settings[setting.UP_Y], settings[setting.UP_Z]
    for i in range(n):
        positions[i, vector4.X], positions[i, vector4.Y], positions[i, vector4.Z], positions[i, vector4.W] = (
            b[i, ball.START_POSITION],
            b[i, ball.START_POSITION + 1],
            b[i, ball.START_POSITION + 2],
            b[i, ball.SWEPT_RADIUS],
        )
        k[i, status.GRID_STATUS] = 0
        awake += 1 - k[i, status.ASLEEP]
        w.heights[i] = (
            ux * b[i, ball.START_POSITION] + uy * b[i, ball.START_POSITION + 1] + uz * b[i, ball.START_POSITION + 2]
        )
    w.heights[n] = -inf
    if awake > 0:
        first, second = level_axes(settings)
        half, columns_per_metre, last_row = 0.5 * side, 1.0 / side, w.pairs.shape[0] - 1
        outlier_top = -inf  # highest point of the outliers so far
        for i in range(n):
            x = positions[i, vector4.X]
            y = positions[i, vector4.Y]
            z = positions[i, vector4.Z]
            reach = positions[i, vector4.W]
            asleep = int(k[i, status.ASLEEP])
            count, rounding = 0, HEIGHT_ROUNDING * (abs(x) + abs(y) + abs(z))
            if w.heights[i] - reach - rounding <= outlier_top and is_near_outlier(w, x, y, z, reach):
                for q in range(w.counters[counter.OUTLIERS]):
                    w.query_result[count] = w.outliers[q]
                    count += 1 if asleep == 0 or k[w.outliers[q], status.ASLEEP] == 0 else 0
            search_radius = reach + half + rounding
            count = query_columns(
                w, count, asleep, w.heights[i], positions[i, first], positions[i, second], search_radius, side
            )
            for q in range(count):
                j = w.query_result[q]
                dx, dy, dz, reach_sum = (
                    positions[j, vector4.X] - x,
                    positions[j, vector4.Y] - y,
                    positions[j, vector4.Z] - z,
                    positions[j, vector4.W] + reach,
                )
                row = min(found, last_row)
                w.pairs[row, ball_pair.FIRST], w.pairs[row, ball_pair.SECOND] = j, i
                found += 1 if dx * dx + dy * dy + dz * dz <= reach_sum * reach_sum else 0
            if reach > half:
                row = w.counters[counter.OUTLIERS]
                w.wide_outliers[0, row], w.wide_outliers[1, row], w.wide_outliers[2, row], w.wide_outliers[3, row] = (
                    x,
                    y,
                    z,
                    reach,
                )
                mark_outlier(w, i, grid_status.TOO_WIDE)
                outlier_top = max(outlier_top, w.heights[i] + reach)
                continue
            ia, ic = (
                column_index(positions[i, first], columns_per_metre) & mask,
                column_index(positions[i, second], columns_per_metre) & mask,
            )
            for layer in range(2 - asleep):
                next_below[layer, i] = column_heads[layer, ia, ic]
                column_heads[layer, ia, ic] = i
    w.counters[counter.WIDE_OUTLIERS] = w.counters[counter.OUTLIERS]
    w.counters[counter.PAIRS] = min(found, w.pairs.shape[0] - 1)
    w.counters[counter.PAIRS_NEEDED] = found - w.counters[counter.PAIRS]
    index_pairs(w, n)


@inner
def is_near_outlier(w: BallScratch, x: float, y: float, z: float, reach: float) -> bool:
    """Whether a ball may meet one of the outliers; no branch in the loop, so it is vectorised."""
    outliers, count = w.wide_outliers, 0
    for q in range(w.counters[counter.OUTLIERS]):
        dx, dy, dz, reach_sum = outliers[0, q] - x, outliers[1, q] - y, outliers[2, q] - z, outliers[3, q] + reach
        count += 1 if dx * dx + dy * dy + dz * dz <= reach_sum * reach_sum else 0
    return count > 0


@inner
def query_columns(
    w: BallScratch, count: int, asleep: int, height: float, a: float, c: float, search_radius: float, side: float
) -> int:  # fmt: skip
    """Append the balls below a point that may be within search_radius (m) to w.query_result; returns the new count.

    height, a, c: coordinates of the point along gravity and along the two horizontal axes. Usually three by three
    columns. The first MIN_COLUMN_BALLS of a column are compared without a test for its end: that test is mispredicted
    so often that it costs as much as five balls.
    """
    column_heads, next_below, result, heights = w.column_heads, w.next_below, w.query_result, w.heights
    mask, columns_per_metre, square = column_heads.shape[1] - 1, 1.0 / side, search_radius * search_radius
    a0, a1 = column_index(a - search_radius, columns_per_metre), column_index(a + search_radius, columns_per_metre)
    c0, c1 = column_index(c - search_radius, columns_per_metre), column_index(c + search_radius, columns_per_metre)
    if a1 - a0 > mask or c1 - c0 > mask:  # wider than the table: search all columns
        a0, c0, square = 0, 0, UNLIMITED_SQUARED
        a1 = c1 = mask
    for ia in range(a0, max(a1, a0 + 2) + 1):
        square_a = column_distance_squared(a, ia, side)
        for ic in range(c0, max(c1, c0 + 2) + 1):
            square_left = square - square_a - column_distance_squared(c, ic, side)
            j = column_heads[asleep, ia & mask, ic & mask]
            down = height - heights[j]
            for _ in range(MIN_COLUMN_BALLS):
                result[count] = j
                count += 1 if down * down <= square_left else 0
                j = next_below[asleep, j]
                down = height - heights[j]
            while down * down <= square_left:
                result[count] = j
                count += 1
                j = next_below[asleep, j]
                down = height - heights[j]
    return count


@inner
def column_distance_squared(a: float, cell: int, side: float) -> float:
    """Squared distance of a coordinate from a column along one axis; the outermost columns have no end."""
    a = min(max(a, -MAX_COLUMN_INDEX * side), MAX_COLUMN_INDEX * side)
    d = max(cell * side - a, a - (cell + 1) * side, 0.0)
    return d * d


@inner
def index_pairs(w: BallScratch, n: int) -> None:
    """Partners of each ball: w.partners[w.partner_starts[i] : w.partner_starts[i + 1]] (counting sort of w.pairs)."""
    pairs, partners, starts = w.pairs, w.partners, w.partner_starts
    for i in range(n + 1):
        starts[i] = 0
    for q in range(w.counters[counter.PAIRS]):
        starts[pairs[q, ball_pair.FIRST]] += 1
        starts[pairs[q, ball_pair.SECOND]] += 1
    total = 0
    for i in range(n):
        total += starts[i]
        starts[i] = total
    starts[n] = total
    for q in range(w.counters[counter.PAIRS] - 1, -1, -1):
        i, j = pairs[q, ball_pair.FIRST], pairs[q, ball_pair.SECOND]
        starts[i] -= 1
        partners[starts[i]] = j
        starts[j] -= 1
        partners[starts[j]] = i


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
                one, slot = order[i], i
                while slot >= begin + step and precedes_in_order(rows, ints, one, order[slot - step]):
                    order[slot] = order[slot - step]
                    slot -= step
                order[slot] = one
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
