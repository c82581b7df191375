"""The allowed displacement nearest to a wanted one (docs/physics.md).

Each row of `rows` is a half-space: n . d >= bound. The wanted displacement itself, then its nearest point on each
plane, on each crease of two and in each corner of three are tried; the nearest that all rows allow is it. Exact,
finite and independent of the order of the rows; with bounds not over zero never longer than what was wanted and
never against it. (The nearest point of a polyhedron lies on such a face of it: least distance problem.)
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from .jit import kernel

HALF_SPACE_TOLERANCE = 1e-11  # m: a displacement this far behind a plane is on it
PARALLEL_SINE_SQUARED = 1e-12  # squared sine under which two planes make no crease


@kernel
def _satisfies_half_spaces(rows: Any, n: int, x: float, y: float, z: float) -> bool:
    for i in range(n):  # noqa: SIM110 (the JIT knows no generators here)
        if rows[i, 0] * x + rows[i, 1] * y + rows[i, 2] * z < rows[i, 3] - HALF_SPACE_TOLERANCE:
            return False
    return True


@kernel
def project_onto_halfspaces(rows: Any, n: int, ux: float, uy: float, uz: float) -> tuple[float, float, float, bool]:
    """(d, True), or (0, 0, 0, False) where no displacement obeys every row."""
    if _satisfies_half_spaces(rows, n, ux, uy, uz):
        return ux, uy, uz, True
    best = -1.0
    bx, by, bz = 0.0, 0.0, 0.0
    for i in range(n):
        lack = rows[i, 3] - (rows[i, 0] * ux + rows[i, 1] * uy + rows[i, 2] * uz)
        if lack <= 0.0 or (best >= 0.0 and lack * lack >= best):
            continue
        x, y, z = ux + lack * rows[i, 0], uy + lack * rows[i, 1], uz + lack * rows[i, 2]
        if _satisfies_half_spaces(rows, n, x, y, z):
            best, bx, by, bz = lack * lack, x, y, z
    if best >= 0.0:
        return bx, by, bz, True  # on one plane: no crease or corner is nearer
    for i in range(n):
        li = rows[i, 3] - (rows[i, 0] * ux + rows[i, 1] * uy + rows[i, 2] * uz)
        for j in range(i):
            lj = rows[j, 3] - (rows[j, 0] * ux + rows[j, 1] * uy + rows[j, 2] * uz)
            dot = rows[i, 0] * rows[j, 0] + rows[i, 1] * rows[j, 1] + rows[i, 2] * rows[j, 2]
            det = 1.0 - dot * dot
            if det < PARALLEL_SINE_SQUARED:
                continue
            a, c = (li - dot * lj) / det, (lj - dot * li) / det
            if a < 0.0 or c < 0.0:
                continue  # held by one of the two, or by neither: not the nearest point
            x = a * rows[i, 0] + c * rows[j, 0]
            y = a * rows[i, 1] + c * rows[j, 1]
            z = a * rows[i, 2] + c * rows[j, 2]
            far = x * x + y * y + z * z
            if (best < 0.0 or far < best) and _satisfies_half_spaces(rows, n, ux + x, uy + y, uz + z):
                best, bx, by, bz = far, ux + x, uy + y, uz + z
    if best >= 0.0:
        return bx, by, bz, True
    for i in range(n):
        for j in range(i):
            cx = rows[i, 1] * rows[j, 2] - rows[i, 2] * rows[j, 1]
            cy = rows[i, 2] * rows[j, 0] - rows[i, 0] * rows[j, 2]
            cz = rows[i, 0] * rows[j, 1] - rows[i, 1] * rows[j, 0]
            for k in range(j):
                det = cx * rows[k, 0] + cy * rows[k, 1] + cz * rows[k, 2]
                if det * det < PARALLEL_SINE_SQUARED:
                    continue
                x, y, z = _intersect_three_planes(rows, i, j, k, det)
                ex, ey, ez = x - ux, y - uy, z - uz
                far = ex * ex + ey * ey + ez * ez
                if (best < 0.0 or far < best) and _satisfies_half_spaces(rows, n, x, y, z):
                    best, bx, by, bz = far, x, y, z
    return bx, by, bz, best >= 0.0


@kernel
def _intersect_three_planes(rows: Any, i: int, j: int, k: int, det: float) -> tuple[float, float, float]:
    """Where three planes meet (Cramer)."""
    bi, bj, bk = rows[i, 3], rows[j, 3], rows[k, 3]
    x = (
        bi * (rows[j, 1] * rows[k, 2] - rows[j, 2] * rows[k, 1])
        + bj * (rows[k, 1] * rows[i, 2] - rows[k, 2] * rows[i, 1])
        + bk * (rows[i, 1] * rows[j, 2] - rows[i, 2] * rows[j, 1])
    )
    y = (
        bi * (rows[j, 2] * rows[k, 0] - rows[j, 0] * rows[k, 2])
        + bj * (rows[k, 2] * rows[i, 0] - rows[k, 0] * rows[i, 2])
        + bk * (rows[i, 2] * rows[j, 0] - rows[i, 0] * rows[j, 2])
    )
    z = (
        bi * (rows[j, 0] * rows[k, 1] - rows[j, 1] * rows[k, 0])
        + bj * (rows[k, 0] * rows[i, 1] - rows[k, 1] * rows[i, 0])
        + bk * (rows[i, 0] * rows[j, 1] - rows[i, 1] * rows[j, 0])
    )
    return x / det, y / det, z / det


@kernel
def _satisfies_half_planes(rows: Any, n: int, x: float, z: float) -> bool:
    for i in range(n):  # noqa: SIM110
        if rows[i, 0] * x + rows[i, 1] * z < rows[i, 2] - HALF_SPACE_TOLERANCE:
            return False
    return True


@kernel
def project_onto_halfplanes(rows: Any, n: int, ux: float, uz: float) -> tuple[float, float, bool]:
    """The same in plan: rows are (nx, nz, bound) with a normal of unit length."""
    if _satisfies_half_planes(rows, n, ux, uz):
        return ux, uz, True
    best = -1.0
    bx, bz = 0.0, 0.0
    for i in range(n):
        lack = rows[i, 2] - (rows[i, 0] * ux + rows[i, 1] * uz)
        if lack <= 0.0 or (best >= 0.0 and lack * lack >= best):
            continue
        x, z = ux + lack * rows[i, 0], uz + lack * rows[i, 1]
        if _satisfies_half_planes(rows, n, x, z):
            best, bx, bz = lack * lack, x, z
    if best >= 0.0:
        return bx, bz, True
    for i in range(n):
        for j in range(i):
            det = rows[i, 0] * rows[j, 1] - rows[i, 1] * rows[j, 0]
            if det * det < PARALLEL_SINE_SQUARED:
                continue
            x = (rows[i, 2] * rows[j, 1] - rows[j, 2] * rows[i, 1]) / det
            z = (rows[i, 0] * rows[j, 2] - rows[j, 0] * rows[i, 2]) / det
            ex, ez = x - ux, z - uz
            far = ex * ex + ez * ez
            if (best < 0.0 or far < best) and _satisfies_half_planes(rows, n, x, z):
                best, bx, bz = far, x, z
    return bx, bz, best >= 0.0


@kernel
def write_unit_halfplane(rows: Any, at: int, x: float, z: float, bound: float) -> bool:
    """Write a plan row scaled to unit length; False (nothing written) where it has no direction."""
    length = sqrt(x * x + z * z)
    if length < 1e-9 or at >= len(rows):
        return False
    rows[at, 0], rows[at, 1], rows[at, 2] = x / length, z / length, bound / length
    return True
