"""Separating-axis test (SAT) for box-box and box-triangle. Separation (m), axis (unit, from B to A), time of impact.

Two convex polyhedra are disjoint if and only if they are disjoint along a face normal of either or along the cross
product of an edge of each. Any other axis gives a valid but weaker bound, so an axis that rounding has rotated a little
does no harm. The penetration depth is the least overlap over the axes; the time of impact is the latest time at which
an axis starts to overlap. Source: S. Gottschalk, M. C. Lin, D. Manocha, "OBBTree" (SIGGRAPH 1996).

`best` and `span` accumulate over the axes (rows.axes).
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from ...core.vectors import Floats, Vector
from ..mesh.bvh import MIN_DISPLACEMENT
from ..numerics.jit import inner
from ..numerics.vectors import vector_at, write_vector
from .rows import axes, shape_row

PARALLEL_EDGES_SINE_SQUARED = 1e-28  # squared sine of two edges below which their cross product has no direction
AXIS_PREFERENCE = 32.0 * 2.0**-52  # of the lengths involved: an axis must be this much better than one before it
NO_TIME_OF_IMPACT = 3.0  # fraction of the displacement that no sweep reaches
FACE_AXIS_ORDER = (1, 0, 2)  # of equal axes the second box axis counts: up, or along a capsule


@inner
def reset_axes(best: Floats, span: Floats) -> None:
    """Initial values of `best` and `span`."""
    best[axes.SEPARATION] = -np.inf
    write_vector(best, axes.NORMAL, (0.0, 1.0, 0.0))
    best[axes.ENTRY] = -np.inf
    write_vector(best, axes.ENTRY_NORMAL, (0.0, 1.0, 0.0))
    span[axes.START], span[axes.END] = -np.inf, np.inf


@inner
def test_axis(
    n: Vector,
    offset: float,
    reach: float,
    speed: float,
    tolerance: float,
    margin: float,
    best: Floats,
    span: Floats,
) -> None:
    """Update `best` and `span` with one axis.

    n: unit axis; offset: of A from B along n; reach: sum of both half extents; speed: A's displacement along n; margin:
    an axis must be better than those before it by this many metres.
    """
    nx, ny, nz = n
    gap, sign = (offset - reach, 1.0) if offset >= 0.0 else (-offset - reach, -1.0)
    if gap > best[axes.SEPARATION] + margin:
        best[axes.SEPARATION] = gap
        write_vector(best, axes.NORMAL, (sign * nx, sign * ny, sign * nz))
    inside = reach - tolerance
    if abs(speed) < MIN_DISPLACEMENT or inside <= 0.0:
        if abs(offset) >= inside:
            span[axes.END] = -np.inf
        return
    sign = -1.0 if speed > 0.0 else 1.0
    rate = abs(speed)
    first, last = (sign * offset - inside) / rate, (sign * offset + inside) / rate
    span[axes.START], span[axes.END] = max(span[axes.START], first), min(span[axes.END], last)
    meets = (sign * offset - reach) / rate
    if meets > best[axes.ENTRY] + margin / rate:
        best[axes.ENTRY] = meets
        write_vector(best, axes.ENTRY_NORMAL, (sign * nx, sign * ny, sign * nz))


@inner
def test_box_box_axes(
    shapes_a: Floats, a: int, shapes_b: Floats, b: int, d: Vector, tolerance: float, best: Floats, span: Floats
) -> None:
    """The fifteen axes of two boxes, A moving by d; radii are ignored, half sizes of 0 are allowed."""
    reset_axes(best, span)
    dx, dy, dz = d
    ax, ay, az = vector_at(shapes_a, a, shape_row.CENTRE)
    bx, by, bz = vector_at(shapes_b, b, shape_row.CENTRE)
    cx, cy, cz = ax - bx, ay - by, az - bz
    size = abs(cx) + abs(cy) + abs(cz)
    for k in range(3):
        size += shapes_a[a, shape_row.HALF_SIZES + k] + shapes_b[b, shape_row.HALF_SIZES + k]
    margin = AXIS_PREFERENCE * size
    for axis in range(15):
        if axis < 3:
            k = shape_row.AXES + 3 * FACE_AXIS_ORDER[axis]
            nx, ny, nz = shapes_b[b, k], shapes_b[b, k + 1], shapes_b[b, k + 2]
        elif axis < 6:
            k = shape_row.AXES + 3 * FACE_AXIS_ORDER[axis - 3]
            nx, ny, nz = shapes_a[a, k], shapes_a[a, k + 1], shapes_a[a, k + 2]
        else:
            i, j = shape_row.AXES + 3 * ((axis - 6) // 3), shape_row.AXES + 3 * ((axis - 6) % 3)
            nx = shapes_a[a, i + 1] * shapes_b[b, j + 2] - shapes_a[a, i + 2] * shapes_b[b, j + 1]
            ny = shapes_a[a, i + 2] * shapes_b[b, j] - shapes_a[a, i] * shapes_b[b, j + 2]
            nz = shapes_a[a, i] * shapes_b[b, j + 1] - shapes_a[a, i + 1] * shapes_b[b, j]
            square = nx * nx + ny * ny + nz * nz
            if square <= PARALLEL_EDGES_SINE_SQUARED:
                continue
            length = sqrt(square)
            nx, ny, nz = nx / length, ny / length, nz / length
        reach = 0.0
        for k in range(3):
            i = shape_row.AXES + 3 * k
            reach += shapes_a[a, shape_row.HALF_SIZES + k] * abs(
                nx * shapes_a[a, i] + ny * shapes_a[a, i + 1] + nz * shapes_a[a, i + 2]
            )
            reach += shapes_b[b, shape_row.HALF_SIZES + k] * abs(
                nx * shapes_b[b, i] + ny * shapes_b[b, i + 1] + nz * shapes_b[b, i + 2]
            )
        offset, speed = nx * cx + ny * cy + nz * cz, nx * dx + ny * dy + nz * dz
        test_axis((nx, ny, nz), offset, reach, speed, tolerance, margin, best, span)


@inner
def test_box_triangle_axes(
    shapes: Floats,
    a: int,
    tri: Floats,
    i: int,
    d: Vector,
    tolerance: float,
    t_max: float,
    best: Floats,
    span: Floats,
) -> None:
    """The thirteen axes of a box, moving by d, and triangle `i`, which is relative to the box's centre.

    t_max: ends at the first axis that shows that they do not meet until then; inf: all axes.
    """
    reset_axes(best, span)
    dx, dy, dz = d
    size = abs(tri[i, 0]) + abs(tri[i, 1]) + abs(tri[i, 2])
    size += shapes[a, shape_row.HALF_SIZES] + shapes[a, shape_row.HALF_SIZES + 1] + shapes[a, shape_row.HALF_SIZES + 2]
    margin = AXIS_PREFERENCE * size
    for axis in range(13):
        if axis == 0:
            nx, ny, nz = tri[i, 9], tri[i, 10], tri[i, 11]
        elif axis < 4:
            k = shape_row.AXES + 3 * FACE_AXIS_ORDER[axis - 1]
            nx, ny, nz = shapes[a, k], shapes[a, k + 1], shapes[a, k + 2]
        else:
            k, edge = shape_row.AXES + 3 * ((axis - 4) // 3), (axis - 4) % 3
            p, q = 3 * edge, 3 * edge + 3 if edge < 2 else 0
            ex, ey, ez = tri[i, q] - tri[i, p], tri[i, q + 1] - tri[i, p + 1], tri[i, q + 2] - tri[i, p + 2]
            nx = shapes[a, k + 1] * ez - shapes[a, k + 2] * ey
            ny = shapes[a, k + 2] * ex - shapes[a, k] * ez
            nz = shapes[a, k] * ey - shapes[a, k + 1] * ex
            square = nx * nx + ny * ny + nz * nz
            if square <= PARALLEL_EDGES_SINE_SQUARED * (ex * ex + ey * ey + ez * ez):
                continue
            length = sqrt(square)
            nx, ny, nz = nx / length, ny / length, nz / length
        at_a = nx * tri[i, 0] + ny * tri[i, 1] + nz * tri[i, 2]
        at_b = nx * tri[i, 3] + ny * tri[i, 4] + nz * tri[i, 5]
        at_c = nx * tri[i, 6] + ny * tri[i, 7] + nz * tri[i, 8]
        low, high = min(at_a, at_b, at_c), max(at_a, at_b, at_c)
        reach = 0.5 * (high - low)
        for k in range(3):
            j = shape_row.AXES + 3 * k
            reach += shapes[a, shape_row.HALF_SIZES + k] * abs(
                nx * shapes[a, j] + ny * shapes[a, j + 1] + nz * shapes[a, j + 2]
            )
        offset, speed = -0.5 * (low + high), nx * dx + ny * dy + nz * dz
        test_axis((nx, ny, nz), offset, reach, speed, tolerance, margin, best, span)
        # Further axes raise SEPARATION, ENTRY and START only, and lower END.
        if (
            best[axes.SEPARATION] >= -tolerance
            and t_max < np.inf
            and (span[axes.START] >= span[axes.END] or span[axes.END] <= 0.0 or best[axes.ENTRY] > t_max)
        ):
            return


@inner
def time_of_impact_from_axes(best: Floats, span: Floats, tolerance: float, t_max: float) -> tuple[float, bool]:
    """(time in 0..t_max or NO_TIME_OF_IMPACT, True if they overlap at the start) from accumulated axes.

    An approach that would overlap by no more than the tolerance even after one more whole displacement is sliding, not
    an impact.
    """
    if best[axes.SEPARATION] < -tolerance:
        return 0.0, True
    t = max(best[axes.ENTRY], 0.0)
    if span[axes.START] >= span[axes.END] or span[axes.END] <= 0.0 or t > t_max or span[axes.START] >= t + 1.0:
        return NO_TIME_OF_IMPACT, False
    return t, False
