"""Time of impact and separation of two shapes, or of a shape and a triangle, by Newton's method on the distance.

While one of two convex bodies moves straight, their distance is a convex function of time; its slope is the dot product
of normal and displacement. Each tangent of a convex function lies below it, so the time at which a tangent reaches the
sum of the radii is never after the impact. Iterating tangents approaches the impact from before: without a step size,
without tunnelling, and exactly where flat features meet. Source: G. van den Bergen, "Ray Casting against General Convex
Objects" (2004); conservative advancement, B. Mirtich (1996). Shapes without a radius are decided by separating axes
(physics.query.sat).
"""

from __future__ import annotations

from math import inf, sqrt

from ...core.vectors import Floats, Vector
from ..numerics.jit import inner
from ..numerics.vectors import vector_at, write_vector
from .closest_points import (
    MIN_DIRECTION_RATIO,
    bounding_radius,
    closest_on_segment_to_triangle,
    core_distance,
    is_segment,
)
from .rows import axes, closest, shape_row
from .sat import NO_TIME_OF_IMPACT, test_box_box_axes, test_box_triangle_axes, time_of_impact_from_axes

CONTACT_NOISE = 0.125  # of the tolerance: a smaller gap is contact
MAX_NEWTON_ITERATIONS = 100  # a grazing touch converges by halves: one bit an iteration
LENGTH_ROUNDING = 64.0 * 2.0**-52  # rounding error of a distance, as a part of the lengths involved
COORDINATE_ROUNDING = 8.0 * 2.0**-52  # and as a part of the coordinates
BEST = closest.SIZE  # in the scratch memory, after `out` of closest_points.py: `best` of sat.py
SPAN = BEST + axes.SIZE  # `span` of sat.py
SCRATCH_SIZE = SPAN + axes.SPAN_SIZE  # floats


@inner
def distance_tolerance(coordinates: float, lengths: float) -> float:
    """Rounding error of a distance, metres: a smaller distance counts as touching."""
    return COORDINATE_ROUNDING * coordinates + LENGTH_ROUNDING * lengths


@inner
def pair_tolerance(a: Floats, i: int, b: Floats, j: int, travel: float) -> float:
    """`distance_tolerance` of two shapes of which one moves by a length `travel`."""
    coordinates, lengths = 0.0, travel + bounding_radius(a, i) + bounding_radius(b, j)
    for k in range(3):
        coordinates = max(coordinates, abs(a[i, k]), abs(b[j, k]))
        lengths += abs(a[i, k] - b[j, k])
    return distance_tolerance(coordinates, lengths)


@inner
def core_triangle_distance(
    shapes: Floats, i: int, tri: Floats, ox: float, oy: float, oz: float, out: Floats
) -> tuple[float, int]:
    """(distance, feature) of a round shape's core, moved by o, and a triangle relative to the shape's centre.

    `out` as in closest_points.py, but both points relative to the shape's centre before it moved.
    """
    h = shapes[i, shape_row.HALF_SIZES + 1]
    ux, uy, uz = vector_at(shapes, i, shape_row.AXES + 3)
    ux, uy, uz = ux * h, uy * h, uz * h
    px, py, pz = ox - ux, oy - uy, oz - uz
    s, x, y, z, feature = closest_on_segment_to_triangle((px, py, pz), (2.0 * ux, 2.0 * uy, 2.0 * uz), tri, 0)
    px, py, pz = px + 2.0 * s * ux, py + 2.0 * s * uy, pz + 2.0 * s * uz
    write_vector(out, closest.POINT_A, (px, py, pz))
    write_vector(out, closest.POINT_B, (x, y, z))
    dx, dy, dz = px - x, py - y, pz - z
    distance = sqrt(dx * dx + dy * dy + dz * dz)
    size = abs(tri[0, 0]) + abs(tri[0, 1]) + abs(tri[0, 2]) + abs(ox) + abs(oy) + abs(oz) + h
    if distance > MIN_DIRECTION_RATIO * size:
        write_vector(out, closest.NORMAL, (dx / distance, dy / distance, dz / distance))
    return distance, feature


@inner
def core_distance_at_time(
    a: Floats, i: int, b: Floats, j: int, is_triangle: bool, t: float, d: Vector, out: Floats
) -> tuple[float, int]:
    """(distance, feature) of A's core, moved by t d, and B's core; B is a triangle where `is_triangle`."""
    dx, dy, dz = d
    if is_triangle:
        return core_triangle_distance(a, i, b, t * dx, t * dy, t * dz, out)
    return core_distance(a, i, b, j, t * dx, t * dy, t * dz, out), 0


@inner
def time_of_impact(
    a: Floats,
    i: int,
    b: Floats,
    j: int,
    is_triangle: bool,
    d: Vector,
    tolerance: float,
    t_max: float,
    out: Floats,
) -> tuple[float, int]:
    """(fraction in 0..t_max or NO_TIME_OF_IMPACT, feature) at which the cores' distance is the sum of the radii.

    Newton: t += (distance - radius) / -(n . d). The shapes have a radius above 0 and do not overlap at the start. If
    they touch at the start and one more whole displacement would not penetrate by more than the tolerance, they slide:
    no impact. `out` is that of the impact.
    """
    dx, dy, dz = d
    radius = a[i, shape_row.RADIUS] if is_triangle else a[i, shape_row.RADIUS] + b[j, shape_row.RADIUS]
    noise = CONTACT_NOISE * tolerance
    distance, feature = core_distance_at_time(a, i, b, j, is_triangle, 0.0, d, out)
    t, gap = 0.0, distance - radius
    for _ in range(MAX_NEWTON_ITERATIONS):
        if gap <= noise:
            break
        slope = out[closest.NORMAL] * dx + out[closest.NORMAL + 1] * dy + out[closest.NORMAL + 2] * dz
        if slope >= 0.0 or t * -slope + gap > t_max * -slope:
            return NO_TIME_OF_IMPACT, 0
        step = gap / -slope
        if t + step <= t:
            break
        t += step
        distance, feature = core_distance_at_time(a, i, b, j, is_triangle, t, d, out)
        gap = distance - radius
    slope = out[closest.NORMAL] * dx + out[closest.NORMAL + 1] * dy + out[closest.NORMAL + 2] * dz
    if slope >= 0.0:
        return NO_TIME_OF_IMPACT, 0
    square = dx * dx + dy * dy + dz * dz
    # Lower bound of the penetration after one more displacement: the surfaces curve away by at most |d|^2 / radius.
    if -0.5 * slope * min(1.0, -slope * radius / square) <= 2.0 * tolerance:
        deeper = t
        for _ in range(MAX_NEWTON_ITERATIONS):
            gap += tolerance
            if gap <= noise:
                break
            slope = out[closest.NORMAL] * dx + out[closest.NORMAL + 1] * dy + out[closest.NORMAL + 2] * dz
            if slope >= 0.0 or gap > (t + 1.0 - deeper) * -slope:
                return NO_TIME_OF_IMPACT, 0
            step = gap / -slope
            if deeper + step <= deeper:
                break
            deeper += step
            distance, _ = core_distance_at_time(a, i, b, j, is_triangle, deeper, d, out)
            gap = distance - radius
        distance, feature = core_distance_at_time(a, i, b, j, is_triangle, t, d, out)
    return t, feature


@inner
def separation(a: Floats, i: int, b: Floats, j: int, scratch: Floats) -> float:
    """Signed distance of two shapes, metres; negative: the penetration depth.

    scratch 0..8: unit normal from B to A, closest (deepest) point of A's surface and of B's, relative to B's centre.
    """
    best, span = scratch[BEST:SPAN], scratch[SPAN:SCRATCH_SIZE]
    radii = a[i, shape_row.RADIUS] + b[j, shape_row.RADIUS]
    write_vector(scratch, closest.NORMAL, (0.0, 1.0, 0.0))
    size = bounding_radius(a, i) + bounding_radius(b, j)
    for k in range(3):
        size += abs(a[i, k] - b[j, k])
    distance = 0.0
    both_boxes = not (is_segment(a, i) or is_segment(b, j))
    if both_boxes:
        test_box_box_axes(a, i, b, j, (0.0, 0.0, 0.0), 0.0, best, span)
    if not both_boxes or best[axes.SEPARATION] > MIN_DIRECTION_RATIO * size:
        distance = core_distance(a, i, b, j, 0.0, 0.0, 0.0, scratch)
    ox, oy, oz = 0.0, 0.0, 0.0
    if distance <= MIN_DIRECTION_RATIO * size:
        if not both_boxes:
            test_box_box_axes(a, i, b, j, (0.0, 0.0, 0.0), 0.0, best, span)
        distance = best[axes.SEPARATION]
        ox, oy, oz = -distance * best[axes.NORMAL], -distance * best[axes.NORMAL + 1], -distance * best[axes.NORMAL + 2]
        core_distance(a, i, b, j, ox, oy, oz, scratch)  # moved out by the depth the cores touch: the contact points
        write_vector(scratch, closest.NORMAL, (best[axes.NORMAL], best[axes.NORMAL + 1], best[axes.NORMAL + 2]))
    for k in range(3):
        move = ox if k == 0 else oy if k == 1 else oz
        scratch[closest.POINT_A + k] -= move + a[i, shape_row.RADIUS] * scratch[closest.NORMAL + k]
        scratch[closest.POINT_B + k] += b[j, shape_row.RADIUS] * scratch[closest.NORMAL + k]
    return float(distance - radii)


@inner
def pair_time_of_impact(
    a: Floats, i: int, b: Floats, j: int, dx: float, dy: float, dz: float, t_max: float, scratch: Floats
) -> float:
    """Fraction up to t_max at which A, moving by d, first touches B, or NO_TIME_OF_IMPACT; 0 for an overlap.

    scratch as for `separation`, at that time; B's point is the contact point.
    """
    radii = a[i, shape_row.RADIUS] + b[j, shape_row.RADIUS]
    tolerance = pair_tolerance(a, i, b, j, abs(dx) + abs(dy) + abs(dz))
    is_at_rest = dx == 0.0 and dy == 0.0 and dz == 0.0
    if radii == 0.0:
        best, span = scratch[BEST:SPAN], scratch[SPAN:SCRATCH_SIZE]
        test_box_box_axes(a, i, b, j, (dx, dy, dz), tolerance, best, span)
        t, inside = time_of_impact_from_axes(best, span, tolerance, t_max)
        if inside:
            separation(a, i, b, j, scratch)
            return 0.0
        if t == NO_TIME_OF_IMPACT or is_at_rest:
            return NO_TIME_OF_IMPACT
        core_distance(a, i, b, j, t * dx, t * dy, t * dz, scratch)
        write_vector(
            scratch, closest.NORMAL, (best[axes.ENTRY_NORMAL], best[axes.ENTRY_NORMAL + 1], best[axes.ENTRY_NORMAL + 2])
        )
        return float(t)
    write_vector(scratch, closest.NORMAL, (0.0, 1.0, 0.0))
    if core_distance(a, i, b, j, 0.0, 0.0, 0.0, scratch) - radii < -tolerance:
        separation(a, i, b, j, scratch)
        return 0.0
    if is_at_rest:
        return NO_TIME_OF_IMPACT
    t, _ = time_of_impact(a, i, b, j, False, (dx, dy, dz), tolerance, t_max, scratch)
    for k in range(3):
        scratch[closest.POINT_B + k] += b[j, shape_row.RADIUS] * scratch[closest.NORMAL + k]
    return float(t)


@inner
def triangle_separation(a: Floats, i: int, tri: Floats, scratch: Floats) -> tuple[float, int]:
    """(signed distance in metres, feature) of a shape and a triangle relative to its centre; negative: the depth.

    For a disjoint box it is the separation along the best axis, which is less than the distance at a vertex. scratch
    0..2: normal from the triangle; 6..8, for round shapes: the triangle's closest point.
    """
    best, span = scratch[BEST:SPAN], scratch[SPAN:SCRATCH_SIZE]
    write_vector(scratch, closest.NORMAL, (tri[0, 9], tri[0, 10], tri[0, 11]))
    feature = 0
    if is_segment(a, i) and a[i, shape_row.RADIUS] > 0.0:
        distance, feature = core_triangle_distance(a, i, tri, 0.0, 0.0, 0.0, scratch)
        size = bounding_radius(a, i) + abs(tri[0, 0]) + abs(tri[0, 1]) + abs(tri[0, 2])
        if distance > MIN_DIRECTION_RATIO * size:
            return distance - a[i, shape_row.RADIUS], feature
    test_box_triangle_axes(a, i, tri, 0, (0.0, 0.0, 0.0), 0.0, inf, best, span)
    write_vector(scratch, closest.NORMAL, (best[axes.NORMAL], best[axes.NORMAL + 1], best[axes.NORMAL + 2]))
    return best[axes.SEPARATION] - a[i, shape_row.RADIUS], feature
