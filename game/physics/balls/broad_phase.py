"""Which balls may meet: columns along gravity, hashed, over the places where the balls begin the tick.

The balls come from the lowest up and go into their columns in that order; each is compared with what lies below it in
its own column and those around it. So all pairs come by the higher of their balls, and nothing has to be sorted.
"""

from __future__ import annotations

from math import floor, inf
from typing import Any

from ..numerics.jit import inlined, inner
from .layout import ball, counter, grid_status, setting, status
from .scratch import BallScratch

OUTLIER_REACH_RATIO = (
    1.3  # times the average: balls whose reach is over that stand in no column, and are looked at for every ball
)
HEIGHT_ROUNDING = 1e-12  # of a place: more than rounding makes of its height
MAX_COLUMN_INDEX = 1048576.0  # columns counted from the origin; further out they are one
MIN_COLUMN_BALLS = 4  # balls of a column that are looked at in any case
UNLIMITED_SQUARED = 1e200  # m2: further than any two balls are from each other, squared


@inlined
def column_index(x: float, each: float) -> int:
    """Which column along one axis, of so many a metre."""
    return floor(min(max(x * each, -MAX_COLUMN_INDEX), MAX_COLUMN_INDEX))


@inner
def grid_cell_size(w: BallScratch, n: int) -> float:
    """The side of a column: as wide as two ordinary balls reach."""
    total, largest = 0.0, 0.0
    for i in range(n):
        total += w.balls[i, ball.SWEPT_RADIUS]
        largest = max(largest, w.balls[i, ball.SWEPT_RADIUS])
    return 2.0 * min(largest, OUTLIER_REACH_RATIO * total / n)


@inlined
def level_axes(numbers: Any) -> tuple[int, int]:
    """The two axes of the world that are most level."""
    x, y, z = abs(numbers[setting.UP_X]), abs(numbers[setting.UP_Y]), abs(numbers[setting.UP_Z])
    if y >= x and y >= z:
        return 0, 2
    return (1, 2) if x >= z else (0, 1)


@inner
def mark_outlier(w: BallScratch, i: int, how: int) -> None:
    """Note that ball i is not, or not only, where its column says: WIDE or, at last, OUT."""
    if w.status[i, status.GRID_STATUS] != how:
        w.outliers[w.counters[counter.OUTLIERS]] = i
        w.counters[counter.OUTLIERS] += 1
    w.status[i, status.GRID_STATUS] = how


@inner
def find_ball_pairs(w: BallScratch, numbers: Any, n: int, side: float) -> None:
    """All pairs of balls whose ways may meet and that are not both asleep, in w.pairs, each once, by the higher one."""
    b, k, spots, below, slots = w.balls, w.status, w.positions, w.next_below, w.column_heads
    w.counters[counter.OUTLIERS] = 0
    mask = slots.shape[1] - 1
    for ia in range(mask + 1):
        for ic in range(mask + 1):
            slots[0, ia, ic] = slots[1, ia, ic] = n
    below[0, n] = below[1, n] = n
    awake, found = 0, 0
    ux, uy, uz = numbers[setting.UP_X], numbers[setting.UP_Y], numbers[setting.UP_Z]
    for i in range(n):
        spots[i, 0], spots[i, 1], spots[i, 2], spots[i, 3] = (
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
        first, second = level_axes(numbers)
        half, each, most = 0.5 * side, 1.0 / side, w.pairs.shape[0] - 1
        top = -inf  # of those that stand in no column
        for i in range(n):
            x, y, z, own = spots[i, 0], spots[i, 1], spots[i, 2], spots[i, 3]
            asleep = int(k[i, status.ASLEEP])
            asked, rough = 0, HEIGHT_ROUNDING * (abs(x) + abs(y) + abs(z))
            if w.heights[i] - own - rough <= top and is_near_outlier(w, x, y, z, own):
                for q in range(w.counters[counter.OUTLIERS]):
                    w.query_result[asked] = w.outliers[q]
                    asked += 1 if asleep == 0 or k[w.outliers[q], status.ASLEEP] == 0 else 0
            wide = own + half + rough
            asked = query_columns(w, asked, asleep, w.heights[i], spots[i, first], spots[i, second], wide, side)
            for q in range(asked):
                j = w.query_result[q]
                dx, dy, dz, both = spots[j, 0] - x, spots[j, 1] - y, spots[j, 2] - z, spots[j, 3] + own
                at = min(found, most)
                w.pairs[at, 0], w.pairs[at, 1] = j, i
                found += 1 if dx * dx + dy * dy + dz * dz <= both * both else 0
            if own > half:
                at = w.counters[counter.OUTLIERS]
                w.wide_outliers[0, at], w.wide_outliers[1, at], w.wide_outliers[2, at], w.wide_outliers[3, at] = (
                    x,
                    y,
                    z,
                    own,
                )
                mark_outlier(w, i, grid_status.TOO_WIDE)
                top = max(top, w.heights[i] + own)
                continue
            ia, ic = column_index(spots[i, first], each) & mask, column_index(spots[i, second], each) & mask
            for of in range(2 - asleep):
                below[of, i] = slots[of, ia, ic]
                slots[of, ia, ic] = i
    w.counters[counter.WIDE_OUTLIERS] = w.counters[counter.OUTLIERS]
    w.counters[counter.PAIRS] = min(found, w.pairs.shape[0] - 1)
    w.counters[counter.PAIRS_NEEDED] = found - w.counters[counter.PAIRS]
    index_pairs(w, n)


@inlined
def is_near_outlier(w: BallScratch, x: float, y: float, z: float, own: float) -> bool:
    """Whether a ball may meet one of the wanderers; without a guess, several at once."""
    wide, near = w.wide_outliers, 0
    for q in range(w.counters[counter.OUTLIERS]):
        dx, dy, dz, both = wide[0, q] - x, wide[1, q] - y, wide[2, q] - z, wide[3, q] + own
        near += 1 if dx * dx + dy * dy + dz * dz <= both * both else 0
    return near > 0


@inlined
def query_columns(
    w: BallScratch, count: int, asleep: int, height: float, a: float, c: float, wide: float, side: float
) -> int:  # fmt: skip
    """Add to the first `count` of w.asked the balls below a place that may be within `wide` of it; how many these are
    then. Three columns either way, as a rule, and of each the first LOOK without asking first whether there are so
    many: who asks guesses wrong too often, and a wrong guess takes a processor as long as five balls."""
    slots, below, asked, heights = w.column_heads, w.next_below, w.query_result, w.heights
    mask, each, square = slots.shape[1] - 1, 1.0 / side, wide * wide
    a0, a1 = column_index(a - wide, each), column_index(a + wide, each)
    c0, c1 = column_index(c - wide, each), column_index(c + wide, each)
    if a1 - a0 > mask or c1 - c0 > mask:  # all of them, then
        a0, c0, square = 0, 0, UNLIMITED_SQUARED
        a1 = c1 = mask
    for ia in range(a0, max(a1, a0 + 2) + 1):
        beside = column_distance_squared(a, ia, side)
        for ic in range(c0, max(c1, c0 + 2) + 1):
            left = square - beside - column_distance_squared(c, ic, side)
            j = slots[asleep, ia & mask, ic & mask]
            down = height - heights[j]
            for _ in range(MIN_COLUMN_BALLS):
                asked[count] = j
                count += 1 if down * down <= left else 0
                j = below[asleep, j]
                down = height - heights[j]
            while down * down <= left:
                asked[count] = j
                count += 1
                j = below[asleep, j]
                down = height - heights[j]
    return count


@inlined
def column_distance_squared(a: float, cell: int, side: float) -> float:
    """The square of how far a place is beside a column, along one axis; those at the end of what is counted go on."""
    a = min(max(a, -MAX_COLUMN_INDEX * side), MAX_COLUMN_INDEX * side)
    d = max(cell * side - a, a - (cell + 1) * side, 0.0)
    return d * d


@inner
def index_pairs(w: BallScratch, n: int) -> None:
    """Of each ball the others of its pairs, in w.beside, from w.others[i] to w.others[i + 1]."""
    pairs, beside, first = w.pairs, w.partners, w.partner_starts
    for i in range(n + 1):
        first[i] = 0
    for q in range(w.counters[counter.PAIRS]):
        first[pairs[q, 0]] += 1
        first[pairs[q, 1]] += 1
    total = 0
    for i in range(n):
        total += first[i]
        first[i] = total
    first[n] = total
    for q in range(w.counters[counter.PAIRS] - 1, -1, -1):
        i, j = pairs[q, 0], pairs[q, 1]
        first[i] -= 1
        beside[first[i]] = j
        first[j] -= 1
        beside[first[j]] = i
