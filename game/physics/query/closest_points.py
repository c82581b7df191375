"""Closest points between the cores of two shapes: exact, by features, without iteration.

A shape is a core widened by a radius: a point (sphere), a segment (capsule) or a box (rows.shape_row). `out`
(rows.closest) takes the result of a distance. Source: Ericson (2005), 5.1.
"""

from __future__ import annotations

from math import sqrt

from ...core.vectors import Floats, Point, Vector
from ..mesh.geometry import closest_point_on_triangle
from ..numerics.jit import inner
from ..numerics.vectors import vector_at, write_vector
from .rows import closest, shape_row

MIN_DIRECTION_RATIO = 1e-12  # of the lengths involved: a shorter difference of points has no direction
BOX_EDGE_AXES = ((1, 2), (0, 2), (0, 1))  # for the four edges of a box along axis k: the two other axes


@inner
def clamp(value: float, low: float, high: float) -> float:
    """`value` limited to low..high."""
    return min(max(value, low), high)


@inner
def is_segment(shapes: Floats, i: int) -> bool:
    """True if the core is a segment or a point."""
    return bool(shapes[i, shape_row.HALF_SIZES] == 0.0 and shapes[i, shape_row.HALF_SIZES + 2] == 0.0)


@inner
def bounding_radius(shapes: Floats, i: int) -> float:
    """Upper bound of the distance from the centre to the surface, metres."""
    return float(
        shapes[i, shape_row.HALF_SIZES]
        + shapes[i, shape_row.HALF_SIZES + 1]
        + shapes[i, shape_row.HALF_SIZES + 2]
        + shapes[i, shape_row.RADIUS]
    )


@inner
def closest_on_segment_to_origin(px: float, py: float, pz: float, ux: float, uy: float, uz: float) -> float:
    """Parameter s in 0..1 of the point p + s u closest to the origin: s = -(p . u) / (u . u), clamped."""
    square = ux * ux + uy * uy + uz * uz
    if square == 0.0:
        return 0.0
    return clamp(-(px * ux + py * uy + pz * uz) / square, 0.0, 1.0)


@inner
def closest_between_segments(p: Point, u: Vector, q: Point, v: Vector) -> tuple[float, float]:
    """Parameters (s, t) in 0..1 of the closest points p + s u and q + t v.

    The squared distance is a convex function on a square: its minimum is inside, where the gradient vanishes, or on one
    of the four sides. Source: Ericson (2005), 5.1.9; the interior by the cross product, so that crossing segments have
    distance 0 exactly.
    """
    (px, py, pz), (ux, uy, uz), (qx, qy, qz), (vx, vy, vz) = p, u, q, v
    wx, wy, wz = px - qx, py - qy, pz - qz
    best_s, best_t, least_square = 0.0, 0.0, -1.0
    cx, cy, cz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    cc = cx * cx + cy * cy + cz * cz
    if cc > 0.0:
        # At the minimum w + s u - t v is parallel to c = u x v: s = -(w x v) . c / (c . c).
        s = -((wy * vz - wz * vy) * cx + (wz * vx - wx * vz) * cy + (wx * vy - wy * vx) * cz) / cc
        if 0.0 <= s <= 1.0:
            t = closest_on_segment_to_origin(qx - px - s * ux, qy - py - s * uy, qz - pz - s * uz, vx, vy, vz)
            s = closest_on_segment_to_origin(wx - t * vx, wy - t * vy, wz - t * vz, ux, uy, uz)
            dx, dy, dz = wx + s * ux - t * vx, wy + s * uy - t * vy, wz + s * uz - t * vz
            best_s, best_t, least_square = s, t, dx * dx + dy * dy + dz * dz
    for side in range(4):
        if side < 2:
            s = float(side)
            t = closest_on_segment_to_origin(qx - px - s * ux, qy - py - s * uy, qz - pz - s * uz, vx, vy, vz)
        else:
            t = float(side - 2)
            s = closest_on_segment_to_origin(wx - t * vx, wy - t * vy, wz - t * vz, ux, uy, uz)
        dx, dy, dz = wx + s * ux - t * vx, wy + s * uy - t * vy, wz + s * uz - t * vz
        square = dx * dx + dy * dy + dz * dz
        if least_square < 0.0 or square < least_square:
            best_s, best_t, least_square = s, t, square
    return best_s, best_t


@inner
def _distance_outside_interval(x: float, h: float) -> float:
    """Signed distance of x beyond the interval -h..h; 0 inside."""
    return x - clamp(x, -h, h)


@inner
def _squared_distance_slope(p: Point, u: Vector, h: Vector, s: float) -> float:
    """Half the derivative of the squared distance from p + s u to the box -h..h, with respect to s."""
    (px, py, pz), (ux, uy, uz), (hx, hy, hz) = p, u, h
    return (
        ux * _distance_outside_interval(px + s * ux, hx)
        + uy * _distance_outside_interval(py + s * uy, hy)
        + uz * _distance_outside_interval(pz + s * uz, hz)
    )


@inner
def closest_on_segment_to_box(start: Point, along: Vector, half_size: Vector) -> float:
    """Parameter s in 0..1 of the point p + s u closest to the box -h..h; p: start, u: along, h: half_size.

    The squared distance is convex, and its derivative is linear between the six values of s at which the segment
    crosses a plane of the box. The pair of values that encloses the change of sign is found, then the zero between
    them.
    """
    (px, py, pz), (ux, uy, uz), (hx, hy, hz) = start, along, half_size
    low, high = 0.0, 1.0
    at_low = _squared_distance_slope(start, along, half_size, low)
    at_high = _squared_distance_slope(start, along, half_size, high)
    if at_low >= 0.0:
        return low
    if at_high <= 0.0:
        return high
    for k in range(6):
        p, u, h = (px, ux, hx) if k < 2 else (py, uy, hy) if k < 4 else (pz, uz, hz)
        if u == 0.0:
            continue
        s = ((h if k & 1 else -h) - p) / u
        if low < s < high:
            slope = _squared_distance_slope(start, along, half_size, s)
            if slope == 0.0:
                return s
            if slope > 0.0:
                high, at_high = s, slope
            else:
                low, at_low = s, slope
    return low + (high - low) * (at_low / (at_low - at_high))


@inner
def closest_on_segment_to_triangle(p: Point, u: Vector, tri: Floats, i: int) -> tuple[float, float, float, float, int]:
    """(s, triangle point x, y, z, feature): parameter s in 0..1 of p + s u closest to triangle `i`.

    Candidates: both ends and the crossing of the plane against the face, then the segment against each edge.
    """
    (px, py, pz), (ux, uy, uz) = p, u
    ax, ay, az = tri[i, 0], tri[i, 1], tri[i, 2]
    nx, ny, nz = tri[i, 9], tri[i, 10], tri[i, 11]
    first = nx * (px - ax) + ny * (py - ay) + nz * (pz - az)
    last = first + (nx * ux + ny * uy + nz * uz)
    best, feature, least_square = 0.0, 0, -1.0
    bx, by, bz = px, py, pz
    for k in range(3):
        if k == 2:
            if not (first < 0.0 < last or last < 0.0 < first):
                continue
            s = first / (first - last)
        else:
            s = float(k)
        x, y, z = px + s * ux, py + s * uy, pz + s * uz
        cx, cy, cz, point_feature = closest_point_on_triangle(tri, i, x, y, z)
        if k == 2 and point_feature != 0:
            continue  # the crossing of the plane is outside the triangle: an edge is closest
        dx, dy, dz = x - cx, y - cy, z - cz
        square = dx * dx + dy * dy + dz * dz
        if least_square < 0.0 or square < least_square:
            best, feature, least_square = s, point_feature, square
            bx, by, bz = cx, cy, cz
    for k in range(3):
        a, b = 3 * k, 3 * k + 3 if k < 2 else 0
        ex, ey, ez = tri[i, b] - tri[i, a], tri[i, b + 1] - tri[i, a + 1], tri[i, b + 2] - tri[i, a + 2]
        s, t = closest_between_segments(p, u, (tri[i, a], tri[i, a + 1], tri[i, a + 2]), (ex, ey, ez))
        cx, cy, cz = tri[i, a] + t * ex, tri[i, a + 1] + t * ey, tri[i, a + 2] + t * ez
        dx, dy, dz = px + s * ux - cx, py + s * uy - cy, pz + s * uz - cz
        square = dx * dx + dy * dy + dz * dz
        if square < least_square:
            best, least_square = s, square
            bx, by, bz = cx, cy, cz
            feature = 1 + k if 0.0 < t < 1.0 else 4 + k if t == 0.0 else 4 + (k + 1) % 3
    return best, bx, by, bz, feature


@inner
def update_closest_segment_box(
    a: Point, u: Vector, boxes: Floats, b: int, out: Floats, swap: bool, best: float
) -> float:
    """Squared distance of the segment a..a + u and box b, if less than `best` or if best < 0; else `best`.

    a is relative to the box's centre. A smaller distance writes its points into out 3..8: the segment's at 3 and the
    box's at 6, exchanged with `swap`.
    """
    (ax, ay, az), (ux, uy, uz) = a, u
    ex, ey, ez = vector_at(boxes, b, shape_row.AXES)
    fx, fy, fz = vector_at(boxes, b, shape_row.AXES + 3)
    gx, gy, gz = vector_at(boxes, b, shape_row.AXES + 6)
    p0, p1, p2 = ax * ex + ay * ey + az * ez, ax * fx + ay * fy + az * fz, ax * gx + ay * gy + az * gz
    u0, u1, u2 = ux * ex + uy * ey + uz * ez, ux * fx + uy * fy + uz * fz, ux * gx + uy * gy + uz * gz
    h0, h1, h2 = vector_at(boxes, b, shape_row.HALF_SIZES)
    s = closest_on_segment_to_box((p0, p1, p2), (u0, u1, u2), (h0, h1, h2))
    p0, p1, p2 = p0 + s * u0, p1 + s * u1, p2 + s * u2
    q0, q1, q2 = clamp(p0, -h0, h0), clamp(p1, -h1, h1), clamp(p2, -h2, h2)
    square = (p0 - q0) * (p0 - q0) + (p1 - q1) * (p1 - q1) + (p2 - q2) * (p2 - q2)
    if best >= 0.0 and square >= best:
        return best
    segment_at, box_at = (closest.POINT_B, closest.POINT_A) if swap else (closest.POINT_A, closest.POINT_B)
    q = q0 * ex + q1 * fx + q2 * gx, q0 * ey + q1 * fy + q2 * gy, q0 * ez + q1 * fz + q2 * gz
    write_vector(out, box_at, q)
    write_vector(out, segment_at, (ax + s * ux, ay + s * uy, az + s * uz))
    return float(square)


@inner
def box_edge(boxes: Floats, b: int, k: int, corner: int, centre: Point) -> tuple[Point, Vector]:
    """Start of an edge of box b, and the vector along it (m).

    The edge is parallel to axis k; corner 0..3 selects one of the four by the signs along the two other axes.
    """
    (cx, cy, cz), (i, j) = centre, BOX_EDGE_AXES[k]
    si = boxes[b, shape_row.HALF_SIZES + i] if corner & 1 else -boxes[b, shape_row.HALF_SIZES + i]
    sj = boxes[b, shape_row.HALF_SIZES + j] if corner & 2 else -boxes[b, shape_row.HALF_SIZES + j]
    h = boxes[b, shape_row.HALF_SIZES + k]
    ix, iy, iz = vector_at(boxes, b, shape_row.AXES + 3 * i)
    jx, jy, jz = vector_at(boxes, b, shape_row.AXES + 3 * j)
    kx, ky, kz = vector_at(boxes, b, shape_row.AXES + 3 * k)
    kx, ky, kz = kx * h, ky * h, kz * h
    start = cx + si * ix + sj * jx - kx, cy + si * iy + sj * jy - ky, cz + si * iz + sj * jz - kz
    return start, (2.0 * kx, 2.0 * ky, 2.0 * kz)


@inner
def _update_closest_box_edges(
    edges_of: Floats, e: int, boxes: Floats, b: int, centre: Point, out: Floats, swap: bool, best: float
) -> float:
    """`update_closest_segment_box` for the twelve edges of box `e` of `edges_of`, with this centre from box `b`."""
    for k in range(3):
        for corner in range(4):
            start, along = box_edge(edges_of, e, k, corner, centre)
            best = update_closest_segment_box(start, along, boxes, b, out, swap, best)
    return best


@inner
def core_distance(
    shapes_a: Floats, a: int, shapes_b: Floats, b: int, ox: float, oy: float, oz: float, out: Floats
) -> float:
    """Distance between the cores of A, moved by o, and B, metres: 0 if they intersect. Writes `out` (see the module).

    The normal keeps its value where the cores are too near to give one.
    """
    ax, ay, az = vector_at(shapes_a, a, shape_row.CENTRE)
    bx, by, bz = vector_at(shapes_b, b, shape_row.CENTRE)
    cx, cy, cz = (ax - bx) + ox, (ay - by) + oy, (az - bz) + oz
    ha, hb = shapes_a[a, shape_row.HALF_SIZES + 1], shapes_b[b, shape_row.HALF_SIZES + 1]
    (ux, uy, uz), (vx, vy, vz) = (
        vector_at(shapes_a, a, shape_row.AXES + 3),
        vector_at(shapes_b, b, shape_row.AXES + 3),
    )
    ux, uy, uz, vx, vy, vz = ux * ha, uy * ha, uz * ha, vx * hb, vy * hb, vz * hb
    if is_segment(shapes_a, a) and is_segment(shapes_b, b):
        px, py, pz = cx - ux, cy - uy, cz - uz
        s, t = closest_between_segments(
            (px, py, pz), (2.0 * ux, 2.0 * uy, 2.0 * uz), (-vx, -vy, -vz), (2.0 * vx, 2.0 * vy, 2.0 * vz)
        )
        write_vector(out, closest.POINT_A, (px + 2.0 * s * ux, py + 2.0 * s * uy, pz + 2.0 * s * uz))
        write_vector(out, closest.POINT_B, ((2.0 * t - 1.0) * vx, (2.0 * t - 1.0) * vy, (2.0 * t - 1.0) * vz))
    elif is_segment(shapes_a, a):
        update_closest_segment_box(
            (cx - ux, cy - uy, cz - uz), (2.0 * ux, 2.0 * uy, 2.0 * uz), shapes_b, b, out, False, -1.0
        )
    else:
        # relative to the centre of A's box
        best = -1.0
        if is_segment(shapes_b, b):
            best = update_closest_segment_box(
                (-cx - vx, -cy - vy, -cz - vz), (2.0 * vx, 2.0 * vy, 2.0 * vz), shapes_a, a, out, True, best
            )
        else:
            best = _update_closest_box_edges(shapes_b, b, shapes_a, a, (-cx, -cy, -cz), out, True, best)
        for k in range(3):
            move = cx if k == 0 else cy if k == 1 else cz
            out[closest.POINT_A + k] += move
            out[closest.POINT_B + k] += move
        if not is_segment(shapes_b, b):
            _update_closest_box_edges(shapes_a, a, shapes_b, b, (cx, cy, cz), out, False, best)
    dx, dy, dz = (
        out[closest.POINT_A] - out[closest.POINT_B],
        out[closest.POINT_A + 1] - out[closest.POINT_B + 1],
        out[closest.POINT_A + 2] - out[closest.POINT_B + 2],
    )
    distance = sqrt(dx * dx + dy * dy + dz * dz)
    if distance > MIN_DIRECTION_RATIO * (
        abs(cx) + abs(cy) + abs(cz) + bounding_radius(shapes_a, a) + bounding_radius(shapes_b, b)
    ):
        write_vector(out, closest.NORMAL, (dx / distance, dy / distance, dz / distance))
    return distance
