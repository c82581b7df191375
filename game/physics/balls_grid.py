"""Which balls may meet: a uniform grid, hashed, over the places where they begin the tick."""

from __future__ import annotations

from math import floor

from game.physics.balls_work import ASLEEP, KEY, MASK, PAIRS, REACH, START, WANDERERS, WANDERS, WANT_PAIRS, Work
from game.physics.jit import inner

ORDINARY = 2.0  # balls whose reach is over so many times the average are in no cell, but looked at with every ball
FAR = 1048576.0  # cells counted from the origin; further out they repeat
SPAN = 2097152


@inner
def cell_key(ix: int, iy: int, iz: int) -> int:
    """One whole number a cell."""
    return int(((ix & 2097151) << 42) | ((iy & 2097151) << 21) | (iz & 2097151))


@inner
def slot_of(ix: int, iy: int, iz: int, mask: int) -> int:
    """The place of a cell in the table; other cells may share it."""
    return int(((ix & 2097151) * 73856093 + (iy & 2097151) * 19349663 + (iz & 2097151) * 83492791) & mask)


@inner
def cell_side(w: Work, n: int) -> float:
    """The side of a cell: as wide as two ordinary balls reach."""
    total, largest = 0.0, 0.0
    for i in range(n):
        total += w.b[i, REACH]
        largest = max(largest, w.b[i, REACH])
    return 2.0 * min(largest, ORDINARY * total / n)


@inner
def cell_at(x: float, side: float) -> int:
    """Which cell along one axis."""
    return floor(min(max(x / side, -FAR), FAR))


@inner
def fill_grid(w: Work, n: int, side: float) -> None:
    """Sort the balls into cells (w.cells, w.items), in their order within each; the wanderers apart."""
    b, k, cells, items = w.b, w.k, w.cells, w.items
    mask = cells.shape[0] - 3
    w.count[MASK] = mask
    w.count[WANDERERS] = 0
    for slot in range(mask + 3):
        cells[slot] = 0
    for i in range(n):
        k[i, WANDERS] = 0
        if 2.0 * b[i, REACH] > side:
            wander(w, n, i)
            k[i, KEY] = -1
            continue
        ix, iy, iz = cell_at(b[i, START], side), cell_at(b[i, START + 1], side), cell_at(b[i, START + 2], side)
        k[i, KEY] = cell_key(ix, iy, iz)
        cells[slot_of(ix, iy, iz, mask) + 1] += 1
    for slot in range(mask + 1):
        cells[slot + 1] += cells[slot]
    cells[mask + 2] = cells[mask + 1]
    for i in range(n - 1, -1, -1):
        if k[i, KEY] >= 0:
            ix, iy, iz = cell_at(b[i, START], side), cell_at(b[i, START + 1], side), cell_at(b[i, START + 2], side)
            slot = slot_of(ix, iy, iz, mask) + 1
            cells[slot] -= 1
            items[cells[slot]] = i


@inner
def wander(w: Work, n: int, i: int) -> None:
    """Note that ball i may leave the box that its cell answers for."""
    if w.k[i, WANDERS] == 0:
        w.k[i, WANDERS] = 1
        w.items[n + w.count[WANDERERS]] = i
        w.count[WANDERERS] += 1


@inner
def cell_first(w: Work, ix: int, iy: int, iz: int) -> tuple[int, int]:
    """Where the balls of a cell's slot stand in w.items: first, and after the last."""
    slot = slot_of(ix, iy, iz, w.count[MASK])
    return w.cells[slot + 1], w.cells[slot + 2]


@inner
def _pair(w: Work, i: int, j: int) -> None:
    b = w.b
    both = b[i, REACH] + b[j, REACH]
    if (
        abs(b[i, START] - b[j, START]) > both
        or abs(b[i, START + 1] - b[j, START + 1]) > both
        or abs(b[i, START + 2] - b[j, START + 2]) > both
        or (w.k[i, ASLEEP] != 0 and w.k[j, ASLEEP] != 0)
    ):
        return
    at = w.count[PAIRS]
    if at < w.pairs.shape[0]:
        w.pairs[at, 0], w.pairs[at, 1] = min(i, j), max(i, j)
        w.count[PAIRS] = at + 1
    else:
        w.count[WANT_PAIRS] += 1


@inner
def find_pairs(w: Work, n: int, side: float) -> None:
    """All pairs of balls whose boxes meet, in w.pairs, each once."""
    b, k, items = w.b, w.k, w.items
    w.count[PAIRS] = w.count[WANT_PAIRS] = 0
    for i in range(n):
        if k[i, KEY] < 0:
            continue
        ix, iy, iz = cell_at(b[i, START], side), cell_at(b[i, START + 1], side), cell_at(b[i, START + 2], side)
        for half in range(14):  # its own cell, and half of those around it: the other half finds it from there
            dx, dy, dz = half % 3 - 1, half // 3 % 3 - 1, half // 9 - 1
            key = cell_key(ix + dx, iy + dy, iz + dz)
            first, end = cell_first(w, ix + dx, iy + dy, iz + dz)
            for q in range(first, end):
                j = items[q]
                if k[j, KEY] == key and (half != 13 or j < i):
                    _pair(w, i, j)
    for q in range(w.count[WANDERERS]):
        i = items[n + q]
        for j in range(n):
            if j != i and (k[j, WANDERS] == 0 or j < i):
                _pair(w, i, j)
    list_pairs(w, n)


@inner
def list_pairs(w: Work, n: int) -> None:
    """Of each ball the others of its pairs, in w.beside, from w.others[i] to w.others[i + 1]."""
    pairs, beside, first = w.pairs, w.beside, w.others
    for i in range(n + 1):
        first[i] = 0
    for q in range(w.count[PAIRS]):
        first[pairs[q, 0]] += 1
        first[pairs[q, 1]] += 1
    total = 0
    for i in range(n):
        total += first[i]
        first[i] = total
    first[n] = total
    for q in range(w.count[PAIRS] - 1, -1, -1):
        i, j = pairs[q, 0], pairs[q, 1]
        first[i] -= 1
        beside[first[i]] = j
        first[j] -= 1
        beside[first[j]] = i
