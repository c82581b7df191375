"""Point in polygon by ray crossing, with an exact orientation predicate.

A ray from the point to the right is counted across the edges; an even number means outside. The side of an edge is the
sign of a determinant: computed in floats where an error bound allows it, else by expansion arithmetic without rounding.
A sum of angles compared with 2 pi is wrong near corners. Sources: T. J. Dekker (1971), J. R. Shewchuk, "Adaptive
Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates" (1997).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.arguments import as_members
from ...core.vectors import Flags
from ..numerics.jit import allocating, inner
from .arguments import MAX_COORDINATE, Floats, as_numbers

PLANARITY_TOLERANCE = 1e-6  # of the polygon's size: highest distance of a corner from its plane
DEKKER_SPLITTER = 134217729.0  # 2^27 + 1 splits a float into two halves whose products are exact
ORIENTATION_ERROR_BOUND = 4.0 * 2.0**-53  # of the two products: a larger determinant has the right sign


def point_in_polygon(point: ArrayLike, polygon: ArrayLike, holes: Sequence[ArrayLike] = ()) -> bool | NDArray[np.bool_]:
    """Whether a point lies in a polygon or on its border; exact for all coordinates.

    polygon: corners in order, either winding, (N,2) or (N,3); even-odd rule where it crosses itself. holes: more such
    rings, cut out up to their borders. point: (2,) or (3,) gives a bool, (K,2) or (K,3) gives (K,) bool. In three
    dimensions the polygon is planar, and points are projected along the axis that it faces most. ValueError for fewer
    than three corners, corners that are not in one plane, or values that are not finite.
    """
    holes = as_members(holes, "holes", "rings")
    rings = [_check_ring(ring, name) for ring, name in [(polygon, "polygon"), *((hole, "holes") for hole in holes)]]
    points = as_numbers(point, "point")
    size = rings[0].shape[1]
    if points.ndim not in (1, 2) or points.shape[-1] != size or any(ring.shape[1] != size for ring in rings):
        raise ValueError(f"point, polygon and holes: expected {size} coordinates each, like the polygon's corners")
    if (np.abs(points) > MAX_COORDINATE).any():
        raise ValueError(f"point: must lie within {MAX_COORDINATE:g} m")
    table = np.atleast_2d(points)
    if size == 3:
        axes = _choose_projection_axes(rings)
        rings, table = [ring[:, axes] for ring in rings], table[:, axes]
    edges = np.concatenate([np.column_stack((ring, np.roll(ring, -1, axis=0))) for ring in rings])
    results = np.empty(len(table), np.bool_)
    points_in_edges(np.ascontiguousarray(table), edges, results)
    return bool(results[0]) if points.ndim == 1 else results


def _check_ring(ring: ArrayLike, name: str) -> Floats:
    """(N,2) or (N,3) corners."""
    corners = as_numbers(ring, name)
    if corners.ndim != 2 or corners.shape[1] not in (2, 3) or len(corners) < 3:
        raise ValueError(f"{name}: expected three corners or more, (N, 2) or (N, 3), got shape {corners.shape}")
    if (np.abs(corners) > MAX_COORDINATE).any():
        raise ValueError(f"{name}: must lie within {MAX_COORDINATE:g} m")
    return corners


def _choose_projection_axes(rings: list[Floats]) -> list[int]:
    """The two axes that remain after projection. ValueError unless all corners are in one plane."""
    centred = rings[0] - rings[0].mean(axis=0)
    normal = np.cross(centred, np.roll(centred, -1, axis=0)).sum(axis=0)
    size = np.abs(centred).max()
    length = float(np.sqrt((normal * normal).sum()))
    if length <= 1e-12 * size * size:
        raise ValueError("polygon: has no area")
    corners = np.concatenate(rings) - rings[0].mean(axis=0)
    if np.abs(corners @ (normal / length)).max() > PLANARITY_TOLERANCE * size:
        raise ValueError("polygon: all corners, including those of holes, must lie in one plane")
    return [axis for axis in range(3) if axis != int(np.abs(normal).argmax())]


@inner
def _two_product(a: float, b: float) -> tuple[float, float]:
    """a b as a float, and its rounding error (Dekker)."""
    product = a * b
    t = DEKKER_SPLITTER * a
    a_high = t - (t - a)
    a_low = a - a_high
    t = DEKKER_SPLITTER * b
    b_high = t - (t - b)
    b_low = b - b_high
    return product, a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)


@inner
def _grow_expansion(total: Floats, count: int, value: float) -> int:
    """Add `value` to an expansion of `count` floats without rounding; returns the new count (Shewchuk,
    Grow-Expansion)."""
    length = 0
    for k in range(count):
        term = total[k]
        high = value + term
        virtual = high - value
        low = (value - (high - virtual)) + (term - virtual)
        if low != 0.0:
            total[length] = low
            length += 1
        value = high
    if value != 0.0:
        total[length] = value
        length += 1
    return length


@inner
def orient2d_exact(ax: float, ay: float, bx: float, by: float, px: float, py: float, total: Floats) -> float:
    """Positive: p is left of the line from a to b; negative: right; 0: on it. total: (12,) scratch."""
    left, right = (ax - px) * (by - py), (ay - py) * (bx - px)
    estimate = left - right
    if abs(estimate) > ORIENTATION_ERROR_BOUND * (abs(left) + abs(right)):
        return estimate
    count = 0
    for k in range(6):
        if k == 0:
            u, v = ax, by
        elif k == 1:
            u, v = -ay, bx
        elif k == 2:
            u, v = bx, py
        elif k == 3:
            u, v = -by, px
        elif k == 4:
            u, v = px, ay
        else:
            u, v = -py, ax
        high, low = _two_product(u, v)
        count = _grow_expansion(total, count, low)
        count = _grow_expansion(total, count, high)
    return float(total[count - 1]) if count > 0 else 0.0


@allocating
def points_in_edges(points: Floats, edges: Floats, results: Flags) -> None:
    """results (K,): True if a point (K,2) lies inside the edges (E,4) or on one of them."""
    total = np.empty(16)
    for row in range(points.shape[0]):
        px, py = points[row, 0], points[row, 1]
        is_inside = False
        for e in range(edges.shape[0]):
            ax, ay, bx, by = edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3]
            if py < min(ay, by) or py > max(ay, by) or px > max(ax, bx):
                continue
            orientation = orient2d_exact(ax, ay, bx, by, px, py, total)
            if orientation == 0.0 and min(ax, bx) <= px:
                is_inside = True
                break
            if (ay > py) != (by > py) and (orientation > 0.0) == (by > ay):
                is_inside = not is_inside
        results[row] = is_inside
