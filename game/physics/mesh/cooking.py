"""Mesh cooking: degenerate and duplicate triangles are dropped, the others get a canonical order and neighbours.

The order is a Morton curve through the centroids; ties are broken by the corners, and each triangle starts at its
smallest corner. A file with its triangles shuffled or their corners rotated therefore gives the same bits. The curve
also makes the BVH (physics.mesh.bvh) and keeps neighbours near each other in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, sqrt
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from ...core.vectors import Floats, Indices, Ints
from ..numerics.arrays import Bytes
from ..numerics.jit import inlined, kernel
from .adjacency import find_adjacency, run_halves, weld_vertices

MIN_TRIANGLE_HEIGHT = 1e-9  # m: a triangle with a smaller height has no area
MIN_HEIGHT_RATIO = 1024.0 * 2.0**-52  # of its largest coordinate: below it the normal would be rounding error
MAX_SHOWN_DROPPED = 10  # triangles that the text of a report lists
SORT_PASSES, SORT_BITS = 6, 11  # digits of a Morton code of 63 bits, and bits of each
SORT_BUCKETS = 2**SORT_BITS
MORTON_CELLS = 2**21  # cells along the longest side of the bounds: three axes fill 63 bits


class Dropped(NamedTuple):
    """A triangle that is not part of the mesh: its index in the caller's array, and the reason as text."""

    triangle: int
    why: str

    def __str__(self) -> str:
        return f"triangle {self.triangle}: {self.why}"


class Report(Sequence[Dropped]):
    """Dropped triangles, ascending by the caller's index. `dict(report)` maps index to reason."""

    __slots__ = ("triangles", "twins")

    def __init__(self, triangles: NDArray[np.int32], twins: NDArray[np.int32]) -> None:
        self.triangles = triangles  # (D,) caller's indices
        self.twins = twins  # (D,) the equal triangle that is kept, -1: no area

    def __len__(self) -> int:
        return len(self.triangles)

    @overload
    def __getitem__(self, index: int) -> Dropped: ...
    @overload
    def __getitem__(self, index: slice) -> list[Dropped]: ...
    def __getitem__(self, index: int | slice) -> Dropped | list[Dropped]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        twin = int(self.twins[index])
        why = "no area" if twin < 0 else f"duplicate of triangle {twin}"
        return Dropped(int(self.triangles[index]), why)

    def details(self) -> str:
        """One line for each dropped triangle."""
        return "\n".join(str(dropped) for dropped in self) or "nothing dropped"

    def __str__(self) -> str:
        """The lines of `details`; of more than MAX_SHOWN_DROPPED triangles, their number and the first ones."""
        if len(self) <= MAX_SHOWN_DROPPED:
            return self.details()
        flat = int(np.count_nonzero(self.twins < 0))
        counts = [f"{flat} without area"] * (flat > 0) + [f"{len(self) - flat} duplicates"] * (flat < len(self))
        first = [str(dropped) for dropped in self[:MAX_SHOWN_DROPPED]]
        rest = f"... and {len(self) - MAX_SHOWN_DROPPED} more; report.details() lists all"
        return "\n".join([f"{len(self)} triangles dropped: {', '.join(counts)}", *first, rest])

    def __repr__(self) -> str:
        return f"<Report: {len(self)} dropped>"


@dataclass(frozen=True, slots=True)
class CookedMesh:
    """N triangles in canonical order, without a BVH. Shapes as in `TriangleMesh`; codes (N,): Morton codes,
    ascending."""

    triangles: NDArray[np.float64]
    codes: NDArray[np.int64]
    source: NDArray[np.int32]
    ids: NDArray[np.int32]
    mates: NDArray[np.int32]
    report: Report


def cook(corners: NDArray[np.float64], surfaces: NDArray[np.int32]) -> CookedMesh:
    """Cook corners (N,9), finite floats that are overwritten, with surfaces (N,)."""
    total = len(corners)
    is_degenerate = np.empty(total, np.uint8)
    bounds = np.empty(6)
    rotate_to_smallest_corner(corners, is_degenerate, bounds)
    codes, source = np.empty(total, np.int64), np.empty(total, np.int32)
    count = morton_codes(corners, is_degenerate, bounds, codes, source)
    if count < total:
        codes, source = codes[:count].copy(), source[:count].copy()
    sort_by_code(
        codes, source, np.empty_like(codes), np.empty_like(source), np.zeros((SORT_PASSES, SORT_BUCKETS), np.int64)
    )
    duplicate_of = _sort_equal_codes(corners, surfaces, codes, source)
    is_unique = duplicate_of < 0
    dropped_by_reason = [np.flatnonzero(is_degenerate != 0).astype(np.int32), source[~is_unique]]
    duplicates_by_reason = [np.full(len(dropped_by_reason[0]), -1, np.int32), duplicate_of[~is_unique]]
    if len(dropped_by_reason[1]):
        codes, source = codes[is_unique], source[is_unique]
    dropped, duplicates = np.concatenate(dropped_by_reason), np.concatenate(duplicates_by_reason)
    by_index = np.argsort(dropped)

    count = len(source)
    triangles = np.empty((count, 12))
    half = count // 2
    run_halves(
        count,
        write_triangle_rows,
        (corners, source[:half], triangles[:half]),
        (corners, source[half:], triangles[half:]),
    )
    vertex_ids, vertices = weld_vertices(triangles)
    mates = find_adjacency(triangles, surfaces[source], vertex_ids, vertices)
    return CookedMesh(triangles, codes, source, vertex_ids, mates, Report(dropped[by_index], duplicates[by_index]))


def _sort_equal_codes(
    corners: NDArray[np.float64],
    surfaces: NDArray[np.int32],
    codes: NDArray[np.int64],
    source: NDArray[np.int32],
) -> NDArray[np.int32]:
    """Sort triangles of equal code by corners, winding, surface and index, in place; (n,) the first equal triangle
    of each, or -1."""
    duplicate_of = np.full(len(source), -1, np.int32)
    same = codes[1:] == codes[:-1]
    tied = np.zeros(len(source), bool)
    tied[1:] |= same
    tied[:-1] |= same
    rows = np.flatnonzero(tied)
    if not len(rows):
        return duplicate_of
    index = source[rows]
    sorted_corners = corners[index]
    reversed_winding = np.zeros(len(index), bool)
    undecided = np.ones(len(index), bool)
    for axis in (3, 4, 5):
        second, third = sorted_corners[:, axis], sorted_corners[:, axis + 3]
        reversed_winding |= undecided & (third < second)
        undecided &= third == second
    sorted_corners[reversed_winding] = sorted_corners[reversed_winding][:, [0, 1, 2, 6, 7, 8, 3, 4, 5]]
    keys = [index, surfaces[index], reversed_winding, *sorted_corners.T[::-1], codes[rows]]
    order = np.lexsort(keys)
    index, sorted_corners = index[order], sorted_corners[order]
    source[rows] = index
    is_duplicate = np.zeros(len(index), bool)
    is_duplicate[1:] = (sorted_corners[1:] == sorted_corners[:-1]).all(axis=1)
    first = np.maximum.accumulate(np.where(is_duplicate, 0, np.arange(len(index))))
    duplicate_of[rows] = np.where(is_duplicate, index[first], -1)
    return duplicate_of


@kernel
def triangle_normal(tri: Floats, i: int) -> tuple[float, float, float, float]:
    """Unit normal from the two shorter edges, and the height (m) over the longest; all 0 without area.

    The normal of a sliver is mostly rounding error. It is made perpendicular to the longest edge, so that the error
    lies across the sliver only, where it moves no contact.
    """
    abx, aby, abz = tri[i, 3] - tri[i, 0], tri[i, 4] - tri[i, 1], tri[i, 5] - tri[i, 2]
    bcx, bcy, bcz = tri[i, 6] - tri[i, 3], tri[i, 7] - tri[i, 4], tri[i, 8] - tri[i, 5]
    cax, cay, caz = tri[i, 0] - tri[i, 6], tri[i, 1] - tri[i, 7], tri[i, 2] - tri[i, 8]
    ab = abx * abx + aby * aby + abz * abz
    bc = bcx * bcx + bcy * bcy + bcz * bcz
    ca = cax * cax + cay * cay + caz * caz
    if ca >= ab and ca >= bc:
        longest, ex, ey, ez = ca, cax, cay, caz
        nx, ny, nz = aby * bcz - abz * bcy, abz * bcx - abx * bcz, abx * bcy - aby * bcx
    elif ab >= bc:
        longest, ex, ey, ez = ab, abx, aby, abz
        nx, ny, nz = bcy * caz - bcz * cay, bcz * cax - bcx * caz, bcx * cay - bcy * cax
    else:
        longest, ex, ey, ez = bc, bcx, bcy, bcz
        nx, ny, nz = cay * abz - caz * aby, caz * abx - cax * abz, cax * aby - cay * abx
    area = sqrt(nx * nx + ny * ny + nz * nz)
    if area == 0.0:
        return 0.0, 0.0, 0.0, 0.0
    along_edge = (nx * ex + ny * ey + nz * ez) / longest
    nx, ny, nz = nx - along_edge * ex, ny - along_edge * ey, nz - along_edge * ez
    length = sqrt(nx * nx + ny * ny + nz * nz)
    if length == 0.0:
        return 0.0, 0.0, 0.0, 0.0
    return nx / length, ny / length, nz / length, area / sqrt(longest)


@inlined
def _is_higher_than(tri: Floats, i: int, height: float) -> bool:
    """True if the height of triangle `i` over its longest edge is above `height` (m), up to some 256 / 1024 of it.

    Without square roots: |a x b|^2 > height^2 longest^2. The error of the cross product is at most some
    16 * 2^-53 longest^2, and a height worth asking for is 1024 * 2^-52 of the coordinates (MIN_HEIGHT_RATIO).
    """
    ux, uy, uz = tri[i, 3] - tri[i, 0], tri[i, 4] - tri[i, 1], tri[i, 5] - tri[i, 2]
    vx, vy, vz = tri[i, 6] - tri[i, 0], tri[i, 7] - tri[i, 1], tri[i, 8] - tri[i, 2]
    wx, wy, wz = vx - ux, vy - uy, vz - uz
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    longest = max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, wx * wx + wy * wy + wz * wz)
    return bool(nx * nx + ny * ny + nz * nz > height * height * longest)


@kernel
def rotate_to_smallest_corner(tri: Floats, is_degenerate: Bytes, bounds: Floats) -> None:
    """Rotate each triangle to start at its smallest corner; flag those without area; bounds (6,) of the sums of
    corners."""
    for axis in range(3):
        bounds[axis], bounds[axis + 3] = np.inf, -np.inf
    for i in range(tri.shape[0]):
        first = 0
        for k in range(3, 9, 3):
            for axis in range(3):
                value, best = tri[i, k + axis], tri[i, first + axis]
                if value != best:
                    if value < best:
                        first = k
                    break
        for _ in range(first // 3):
            for axis in range(3):
                first_coordinate = tri[i, axis]
                tri[i, axis] = tri[i, axis + 3]
                tri[i, axis + 3] = tri[i, axis + 6]
                tri[i, axis + 6] = first_coordinate
        largest = 0.0
        for k in range(9):
            largest = max(largest, abs(tri[i, k]))
        least = max(MIN_TRIANGLE_HEIGHT, MIN_HEIGHT_RATIO * largest)
        is_degenerate[i] = 0
        if not _is_higher_than(tri, i, 2.0 * least):
            _, _, _, height = triangle_normal(tri, i)
            is_degenerate[i] = 1 if height <= least else 0
        if is_degenerate[i] == 0:
            for axis in range(3):
                corner_sum = sum_of_corners(tri[i, axis], tri[i, axis + 3], tri[i, axis + 6])
                bounds[axis] = min(bounds[axis], corner_sum)
                bounds[axis + 3] = max(bounds[axis + 3], corner_sum)


@kernel
def sum_of_corners(a: float, b: float, c: float) -> float:
    """a + b + c with the same bits in any order."""
    low, high = min(a, b), max(a, b)
    return (min(low, c) + max(high, c)) + max(low, min(high, c))


@kernel
def morton_codes(tri: Floats, is_degenerate: Bytes, bounds: Floats, codes: Indices, source: Ints) -> int:
    """Number of triangles with an area; writes the Morton code (63 bits) of the centroid, in cubic cells, and the index
    of each. Source: Morton (1966)."""
    size = 0.0
    for axis in range(3):
        size = max(size, bounds[axis + 3] - bounds[axis])
    scale = (MORTON_CELLS - 1) / size if size > 0.0 else 0.0
    row = 0
    for i in range(tri.shape[0]):
        if is_degenerate[i] != 0:
            continue
        code = 0
        for axis in range(3):
            corner_sum = sum_of_corners(tri[i, axis], tri[i, axis + 3], tri[i, axis + 6])
            bits = floor((corner_sum - bounds[axis]) * scale)
            bits = (bits | bits << 32) & 0x1F00000000FFFF
            bits = (bits | bits << 16) & 0x1F0000FF0000FF
            bits = (bits | bits << 8) & 0x100F00F00F00F00F
            bits = (bits | bits << 4) & 0x10C30C30C30C30C3
            bits = (bits | bits << 2) & 0x1249249249249249
            code |= bits << (2 - axis)
        codes[row], source[row] = code, i
        row += 1
    return row


@kernel
def sort_by_code(codes: Indices, source: Ints, other_codes: Indices, other_source: Ints, start: Indices) -> None:
    """Sort codes (N,) below 2^63, and source (N,) with them, ascending and stable: radix sort from the lowest digit.

    other_codes, other_source: scratch like them; start: (SORT_PASSES, SORT_BUCKETS) zeros. An even number of passes
    ends in the arrays where it began. Source: D. Knuth, "The Art of Computer Programming" (1998), vol. 3, 5.2.5.
    """
    for i in range(codes.shape[0]):
        code = codes[i]
        for digit in range(SORT_PASSES):
            start[digit, (code >> (digit * SORT_BITS)) & (SORT_BUCKETS - 1)] += 1
    for digit in range(SORT_PASSES):
        at = 0
        for bucket in range(SORT_BUCKETS):
            count = start[digit, bucket]
            start[digit, bucket] = at
            at += count
    for digit in range(SORT_PASSES):
        shift = digit * SORT_BITS
        keys, values, sorted_keys, sorted_values = codes, source, other_codes, other_source
        if digit % 2 == 1:
            keys, values, sorted_keys, sorted_values = other_codes, other_source, codes, source
        for i in range(keys.shape[0]):
            code = keys[i]
            bucket = (code >> shift) & (SORT_BUCKETS - 1)
            at = start[digit, bucket]
            start[digit, bucket] = at + 1
            sorted_keys[at], sorted_values[at] = code, values[i]


@kernel
def write_triangle_rows(corners: Floats, source: Ints, triangles: Floats) -> None:
    """Rows of twelve (corners, unit normal) in canonical order."""
    for i in range(source.shape[0]):
        j = source[i]
        for k in range(9):
            triangles[i, k] = corners[j, k]
        nx, ny, nz, _ = triangle_normal(triangles, i)
        triangles[i, 9], triangles[i, 10], triangles[i, 11] = nx, ny, nz
