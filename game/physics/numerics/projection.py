"""Projection of a displacement onto the intersection of half-spaces (docs/physics.md).

Each row (nx, ny, nz, bound) of `rows` is a half-space n . d >= bound with a unit normal n. The projection is the point
of the intersection nearest to the wanted displacement u: a least distance problem. The nearest point of a polyhedron
lies in its interior (u itself), on a face, on an edge or in a vertex, so the candidates are u, its projection onto each
plane, onto each line of two planes, and each point of three planes. The nearest candidate that satisfies all rows is
the answer. It is exact, takes a finite number of steps and does not depend on the order of the rows. With bounds <= 0
it is never longer than u and never points against it. Source: C. L. Lawson and R. J. Hanson, "Solving Least Squares
Problems" (1974), chapter 23 (least distance programming).
"""

from __future__ import annotations

from math import sqrt

from ...core.vectors import Floats
from .jit import kernel

HALF_SPACE_TOLERANCE = 1e-11  # m: a displacement this far behind a plane counts as on it
PARALLEL_SINE_SQUARED = 1e-12  # squared sine of the angle below which two planes are parallel: they have no common line


@kernel
def _satisfies_half_spaces(rows: Floats, n: int, x: float, y: float, z: float) -> bool:
    """True if (x, y, z) lies in each of the first n half-spaces, within HALF_SPACE_TOLERANCE."""
    for i in range(n):  # noqa: SIM110 (the JIT knows no generators here)
        if rows[i, 0] * x + rows[i, 1] * y + rows[i, 2] * z < rows[i, 3] - HALF_SPACE_TOLERANCE:
            return False
    return True


@kernel
def project_onto_halfspaces(rows: Floats, n: int, ux: float, uy: float, uz: float) -> tuple[float, float, float, bool]:
    """Point (x, y, z) of the intersection of n half-spaces nearest to u, and True; (0, 0, 0, False) if it is empty.

    One plane: d = u + deficit n, deficit = bound - n . u. Two planes: d = u + a ni + c nj, from the 2x2 system of both
    bounds; a, c >= 0, else only one of the two planes is active. Three planes: Cramer's rule.
    """
    if _satisfies_half_spaces(rows, n, ux, uy, uz):
        return ux, uy, uz, True
    best = -1.0
    bx, by, bz = 0.0, 0.0, 0.0
    for i in range(n):
        deficit = rows[i, 3] - (rows[i, 0] * ux + rows[i, 1] * uy + rows[i, 2] * uz)
        if deficit <= 0.0 or (best >= 0.0 and deficit * deficit >= best):
            continue
        x, y, z = ux + deficit * rows[i, 0], uy + deficit * rows[i, 1], uz + deficit * rows[i, 2]
        if _satisfies_half_spaces(rows, n, x, y, z):
            best, bx, by, bz = deficit * deficit, x, y, z
    if best >= 0.0:
        return bx, by, bz, True  # on one plane: no line or point of several planes is nearer
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
                continue  # a negative multiplier: only one of the two planes is active, or none
            x = a * rows[i, 0] + c * rows[j, 0]
            y = a * rows[i, 1] + c * rows[j, 1]
            z = a * rows[i, 2] + c * rows[j, 2]
            square = x * x + y * y + z * z
            if (best < 0.0 or square < best) and _satisfies_half_spaces(rows, n, ux + x, uy + y, uz + z):
                best, bx, by, bz = square, ux + x, uy + y, uz + z
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
                square = ex * ex + ey * ey + ez * ez
                if (best < 0.0 or square < best) and _satisfies_half_spaces(rows, n, x, y, z):
                    best, bx, by, bz = square, x, y, z
    return bx, by, bz, best >= 0.0


@kernel
def _intersect_three_planes(rows: Floats, i: int, j: int, k: int, det: float) -> tuple[float, float, float]:
    """Common point of planes i, j and k by Cramer's rule; `det` is the determinant of their normals."""
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
def _satisfies_half_planes(rows: Floats, n: int, x: float, z: float) -> bool:
    """True if (x, z) lies in each of the first n half-planes, within HALF_SPACE_TOLERANCE."""
    for i in range(n):  # noqa: SIM110
        if rows[i, 0] * x + rows[i, 1] * z < rows[i, 2] - HALF_SPACE_TOLERANCE:
            return False
    return True


@kernel
def project_onto_halfplanes(rows: Floats, n: int, ux: float, uz: float) -> tuple[float, float, bool]:
    """Two-dimensional `project_onto_halfspaces` in the horizontal plane: rows are (nx, nz, bound), n a unit vector."""
    if _satisfies_half_planes(rows, n, ux, uz):
        return ux, uz, True
    best = -1.0
    bx, bz = 0.0, 0.0
    for i in range(n):
        deficit = rows[i, 2] - (rows[i, 0] * ux + rows[i, 1] * uz)
        if deficit <= 0.0 or (best >= 0.0 and deficit * deficit >= best):
            continue
        x, z = ux + deficit * rows[i, 0], uz + deficit * rows[i, 1]
        if _satisfies_half_planes(rows, n, x, z):
            best, bx, bz = deficit * deficit, x, z
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
            square = ex * ex + ez * ez
            if (best < 0.0 or square < best) and _satisfies_half_planes(rows, n, x, z):
                best, bx, bz = square, x, z
    return bx, bz, best >= 0.0


@kernel
def write_unit_halfplane(rows: Floats, row: int, x: float, z: float, bound: float) -> bool:
    """Write (x, z, bound), scaled to a unit normal, into row `row`. False (nothing written) without a direction or
    room."""
    length = sqrt(x * x + z * z)
    if length < 1e-9 or row >= len(rows):
        return False
    rows[row, 0], rows[row, 1], rows[row, 2] = x / length, z / length, bound / length
    return True
