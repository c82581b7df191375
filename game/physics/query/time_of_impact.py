"""When two shapes, or a shape and a triangle, meet: tangents of their distance, which never pass the first touch.

While one of two convex bodies moves straight, their distance is a convex function of time, and its slope is the
normal times the way. So where a tangent of it reaches the sum of the radii lies never beyond the touch, and going from
tangent to tangent (Newton's method) comes to it from before: no step size, nothing jumped over, and exact where the
features that meet are flat. Shapes without a radius are decided along axes instead (game.physics.query.sat).
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from ..numerics.jit import inner
from .closest_points import (
    MIN_DIRECTION_RATIO,
    bounding_radius,
    closest_on_segment_to_triangle,
    core_distance,
    is_segment,
)
from .layout import shape_row
from .sat import NO_TIME_OF_IMPACT, test_box_box_axes, test_box_triangle_axes, time_of_impact_from_axes

MAX_NEWTON_ITERATIONS = 100  # most tangents: a grazing touch halves what is left with each
LENGTH_ROUNDING, COORDINATE_ROUNDING = (
    64.0 * 2.0**-52,
    8.0 * 2.0**-52,
)  # what rounding does to a distance, a part of these

# Scratch, one row of floats: what a distance found (cores.py) at 0, `best` (planes.py) at 9, `span` at 17.
SCRATCH_SIZE = 19


@inner
def distance_tolerance(coordinates: float, lengths: float) -> float:
    """What rounding alone can do to a distance, metres: nearer than this is touching."""
    return COORDINATE_ROUNDING * coordinates + LENGTH_ROUNDING * lengths


@inner
def pair_tolerance(a: Any, i: int, b: Any, j: int, way: float) -> float:
    """The same for two shapes of which one moves by `way`."""
    coordinates, lengths = 0.0, way + bounding_radius(a, i) + bounding_radius(b, j)
    for k in range(3):
        coordinates = max(coordinates, abs(a[i, k]), abs(b[j, k]))
        lengths += abs(a[i, k] - b[j, k])
    return distance_tolerance(coordinates, lengths)


@inner
def core_triangle_distance(
    shapes: Any, i: int, tri: Any, ox: float, oy: float, oz: float, out: Any
) -> tuple[float, int]:
    """Distance from the round shape's core, moved by o, to the triangle given relative to its centre; the feature.

    `out` as in cores.py, but both points relative to the centre before it moved.
    """
    h = shapes[i, shape_row.HALF_SIZES + 1]
    ux, uy, uz = shapes[i, 6] * h, shapes[i, 7] * h, shapes[i, 8] * h
    px, py, pz = ox - ux, oy - uy, oz - uz
    s, x, y, z, feature = closest_on_segment_to_triangle(px, py, pz, 2.0 * ux, 2.0 * uy, 2.0 * uz, tri, 0)
    px, py, pz = px + 2.0 * s * ux, py + 2.0 * s * uy, pz + 2.0 * s * uz
    out[3], out[4], out[5], out[6], out[7], out[8] = px, py, pz, x, y, z
    dx, dy, dz = px - x, py - y, pz - z
    distance = sqrt(dx * dx + dy * dy + dz * dz)
    size = abs(tri[0, 0]) + abs(tri[0, 1]) + abs(tri[0, 2]) + abs(ox) + abs(oy) + abs(oz) + h
    if distance > MIN_DIRECTION_RATIO * size:
        out[0], out[1], out[2] = dx / distance, dy / distance, dz / distance
    return distance, feature


@inner
def core_distance_at_time(
    a: Any, i: int, b: Any, j: int, flat: bool, t: float, dx: float, dy: float, dz: float, out: Any
) -> tuple[float, int]:
    """Between A's core, t times d on its way, and B's, which is a triangle where `flat`."""
    if flat:
        return core_triangle_distance(a, i, b, t * dx, t * dy, t * dz, out)
    return core_distance(a, i, b, j, t * dx, t * dy, t * dz, out), 0


@inner
def time_of_impact(
    a: Any,
    i: int,
    b: Any,
    j: int,
    flat: bool,
    dx: float,
    dy: float,
    dz: float,
    tolerance: float,
    t_max: float,
    out: Any,
) -> tuple[float, int]:
    """When in 0..t_max the cores come within the radii's sum (above 0) of each other, and the triangle's feature.

    MISS where they never do. What touches at the start, and what then comes nearer by no more than the tolerance within
    as long a way again, slides past: a miss. `out` is of that moment. They must not overlap at the start.
    """
    radius = a[i, shape_row.RADIUS] if flat else a[i, shape_row.RADIUS] + b[j, shape_row.RADIUS]
    noise = 0.125 * tolerance
    distance, feature = core_distance_at_time(a, i, b, j, flat, 0.0, dx, dy, dz, out)
    t, gap = 0.0, distance - radius
    for _ in range(MAX_NEWTON_ITERATIONS):
        if gap <= noise:
            break
        slope = out[0] * dx + out[1] * dy + out[2] * dz
        if slope >= 0.0 or t * -slope + gap > t_max * -slope:
            return NO_TIME_OF_IMPACT, 0
        step = gap / -slope
        if t + step <= t:
            break
        t += step
        distance, feature = core_distance_at_time(a, i, b, j, flat, t, dx, dy, dz, out)
        gap = distance - radius
    slope = out[0] * dx + out[1] * dy + out[2] * dz
    if slope >= 0.0:
        return NO_TIME_OF_IMPACT, 0
    square = dx * dx + dy * dy + dz * dz
    # A tangent's round may leave the way by square / radius: how deep it surely goes within one way more.
    if -0.5 * slope * min(1.0, -slope * radius / square) <= 2.0 * tolerance:
        deeper = t
        for _ in range(MAX_NEWTON_ITERATIONS):
            gap += tolerance
            if gap <= noise:
                break
            slope = out[0] * dx + out[1] * dy + out[2] * dz
            if slope >= 0.0 or gap > (t + 1.0 - deeper) * -slope:
                return NO_TIME_OF_IMPACT, 0
            step = gap / -slope
            if deeper + step <= deeper:
                break
            deeper += step
            distance, _ = core_distance_at_time(a, i, b, j, flat, deeper, dx, dy, dz, out)
            gap = distance - radius
        distance, feature = core_distance_at_time(a, i, b, j, flat, t, dx, dy, dz, out)
    return t, feature


@inner
def separation(a: Any, i: int, b: Any, j: int, scratch: Any) -> float:
    """The gap between two shapes, negative where they overlap: the least way out.

    scratch 0..8: the unit normal from B to A, the nearest (deepest) point of A's surface, and of B's, both relative to
    B's centre.
    """
    best, span = scratch[9:17], scratch[17:19]
    radii = a[i, shape_row.RADIUS] + b[j, shape_row.RADIUS]
    scratch[0], scratch[1], scratch[2] = 0.0, 1.0, 0.0
    size = bounding_radius(a, i) + bounding_radius(b, j)
    for k in range(3):
        size += abs(a[i, k] - b[j, k])
    distance = 0.0
    boxes = not (is_segment(a, i) or is_segment(b, j))
    if boxes:
        test_box_box_axes(a, i, b, j, 0.0, 0.0, 0.0, 0.0, best, span)
    if not boxes or best[0] > MIN_DIRECTION_RATIO * size:
        distance = core_distance(a, i, b, j, 0.0, 0.0, 0.0, scratch)
    ox, oy, oz = 0.0, 0.0, 0.0
    if distance <= MIN_DIRECTION_RATIO * size:
        if not boxes:
            test_box_box_axes(a, i, b, j, 0.0, 0.0, 0.0, 0.0, best, span)
        distance = best[0]
        ox, oy, oz = -distance * best[1], -distance * best[2], -distance * best[3]
        core_distance(a, i, b, j, ox, oy, oz, scratch)  # moved out by the depth they only touch: where
        scratch[0], scratch[1], scratch[2] = best[1], best[2], best[3]
    for k in range(3):
        move = ox if k == 0 else oy if k == 1 else oz
        scratch[3 + k] -= move + a[i, shape_row.RADIUS] * scratch[k]
        scratch[6 + k] += b[j, shape_row.RADIUS] * scratch[k]
    return float(distance - radii)


@inner
def pair_time_of_impact(
    a: Any, i: int, b: Any, j: int, dx: float, dy: float, dz: float, t_max: float, scratch: Any
) -> float:
    """When A moving by d first touches B: a fraction up to t_max, or MISS; 0 where they overlap.

    scratch as for `separation`, of that moment; the point of B's surface is the place.
    """
    radii = a[i, shape_row.RADIUS] + b[j, shape_row.RADIUS]
    tolerance = pair_tolerance(a, i, b, j, abs(dx) + abs(dy) + abs(dz))
    still = dx == 0.0 and dy == 0.0 and dz == 0.0
    if radii == 0.0:
        best, span = scratch[9:17], scratch[17:19]
        test_box_box_axes(a, i, b, j, dx, dy, dz, tolerance, best, span)
        t, inside = time_of_impact_from_axes(best, span, tolerance, t_max)
        if inside:
            separation(a, i, b, j, scratch)
            return 0.0
        if t == NO_TIME_OF_IMPACT or still:
            return NO_TIME_OF_IMPACT
        core_distance(a, i, b, j, t * dx, t * dy, t * dz, scratch)
        scratch[0], scratch[1], scratch[2] = best[5], best[6], best[7]
        return float(t)
    scratch[0], scratch[1], scratch[2] = 0.0, 1.0, 0.0
    if core_distance(a, i, b, j, 0.0, 0.0, 0.0, scratch) - radii < -tolerance:
        separation(a, i, b, j, scratch)
        return 0.0
    if still:
        return NO_TIME_OF_IMPACT
    t, _ = time_of_impact(a, i, b, j, False, dx, dy, dz, tolerance, t_max, scratch)
    for k in range(3):
        scratch[6 + k] += b[j, shape_row.RADIUS] * scratch[k]
    return float(t)


@inner
def triangle_separation(a: Any, i: int, tri: Any, scratch: Any) -> tuple[float, int]:
    """The gap between a shape and a triangle given relative to its centre, negative where they overlap; the feature.

    For a box that is apart it is the gap along the axis that shows it, which is less than the distance at a corner.
    scratch 0..2: the normal from the triangle; 6..8, for round shapes: the triangle's nearest point.
    """
    best, span = scratch[9:17], scratch[17:19]
    scratch[0], scratch[1], scratch[2] = tri[0, 9], tri[0, 10], tri[0, 11]
    feature = 0
    if is_segment(a, i) and a[i, shape_row.RADIUS] > 0.0:
        distance, feature = core_triangle_distance(a, i, tri, 0.0, 0.0, 0.0, scratch)
        size = bounding_radius(a, i) + abs(tri[0, 0]) + abs(tri[0, 1]) + abs(tri[0, 2])
        if distance > MIN_DIRECTION_RATIO * size:
            return distance - a[i, shape_row.RADIUS], feature
    test_box_triangle_axes(a, i, tri, 0, 0.0, 0.0, 0.0, 0.0, best, span)
    scratch[0], scratch[1], scratch[2] = best[1], best[2], best[3]
    return best[0] - a[i, shape_row.RADIUS], feature
