"""Mesh cooking: degenerate and duplicate triangles are dropped, the others get a canonical order and neighbours.

The order is a Morton curve through the centroids; ties are broken by the corners, and each triangle starts at its
smallest corner. A file with its triangles shuffled or their corners rotated therefore gives the same bits. The curve
also makes the BVH (game.physics.mesh.bvh) and keeps neighbours near each other in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, sqrt
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from ..numerics.jit import kernel
from .adjacency import find_adjacency, weld_vertices

MIN_TRIANGLE_HEIGHT = 1e-9  # m: a triangle with a smaller height has no area
MIN_HEIGHT_RATIO = 1024.0 * 2.0**-52  # of its largest coordinate: below it the normal would be rounding error
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

    def __str__(self) -> str:
        return "\n".join(str(dropped) for dropped in self) or "nothing dropped"

    def __repr__(self) -> str:
        return f"<Report: {len(self)} dropped>"


@dataclass(frozen=True, slots=True)
class CookedMesh:
    """N triangles in canonical order, without a BVH. Shapes as in `TriangleMesh`; codes (N,): Morton codes,
    ascending."""

    triangles: NDArray[np.float64]
    codes: NDArray[np.int64]
    source: NDArray[np.int32]
    surface: NDArray[np.int32]
    ids: NDArray[np.int32]
    adjacency: NDArray[np.int32]
    edge_active: NDArray[np.uint8]
    report: Report


def cook(corners: NDArray[np.float64], surfaces: NDArray[np.int32]) -> CookedMesh:
    """Cook corners (N,9), finite floats that are overwritten, with surfaces (N,)."""
    total = len(corners)
    is_degenerate = np.empty(total, np.uint8)
    bounds = np.empty(6)
    rotate_to_smallest_corner(corners, is_degenerate, bounds)
    valid = np.flatnonzero(is_degenerate == 0)
    codes = np.empty(len(valid), np.int64)
    morton_codes(corners, valid, bounds, codes)
    order = np.argsort(codes)
    codes = codes[order]
    source = valid[order].astype(np.int32)
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
    write_triangle_rows(corners, source, triangles)
    vertex_ids, vertices = weld_vertices(triangles)
    adjacency, edge_active = find_adjacency(triangles, vertex_ids, vertices)
    report = Report(dropped[by_index], duplicates[by_index])
    return CookedMesh(triangles, codes, source, surfaces[source], vertex_ids, adjacency, edge_active, report)


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
def triangle_normal(tri: Any, i: int) -> tuple[float, float, float, float]:
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


@kernel
def rotate_to_smallest_corner(tri: Any, is_degenerate: Any, bounds: Any) -> None:
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
        _, _, _, height = triangle_normal(tri, i)
        is_degenerate[i] = 1 if height <= max(MIN_TRIANGLE_HEIGHT, MIN_HEIGHT_RATIO * largest) else 0
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
def morton_codes(tri: Any, valid: Any, bounds: Any, codes: Any) -> None:
    """Morton code (63 bits) of the centroid of each triangle of `valid`, in cubic cells. Source: Morton (1966)."""
    size = 0.0
    for axis in range(3):
        size = max(size, bounds[axis + 3] - bounds[axis])
    scale = (MORTON_CELLS - 1) / size if size > 0.0 else 0.0
    for row in range(valid.shape[0]):
        i = valid[row]
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
        codes[row] = code


@kernel
def write_triangle_rows(corners: Any, source: Any, triangles: Any) -> None:
    """Rows of twelve (corners, unit normal) in canonical order."""
    for i in range(source.shape[0]):
        j = source[i]
        for k in range(9):
            triangles[i, k] = corners[j, k]
        nx, ny, nz, _ = triangle_normal(triangles, i)
        triangles[i, 9], triangles[i, 10], triangles[i, 11] = nx, ny, nz
