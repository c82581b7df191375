"""Sphere against triangle: closest point, and time of impact of a sweep.

A triangle is a row of twelve floats: three corners, then its unit normal, all in one space (the world, or ellipsoid
space, where the body is a unit sphere). Features: 0 face, 1..3 edges ab, bc, ca, 4..6 corners a, b, c.
"""

from __future__ import annotations

from math import sqrt

from ...core.vectors import Floats, Point, Vector
from ..numerics.jit import inlined, kernel

NO_HIT = 2.0  # fraction of the displacement that no sweep reaches
MIN_APPROACH_RATIO = 1e-10  # of the displacement: a slower approach is none, else a sliding sphere hits in each sweep
DISTANCE_ROUNDING = 16.0 * 2.0**-52  # of the lengths involved: rounding error of a distance
CLOSEST_APPROACH_ROUNDING = 64.0 * 2.0**-52  # of the squared radius: a closest approach within this is no entry
EARLY_OUT_FACTOR = 1.0 + 1e-9  # margin of the cheap test before the closest approach is computed
FACE_CONTACT_TOLERANCE = 1e-12  # of the radius: a contact this far outside the face counts, else spheres pass its rim


@kernel
def closest_point_on_triangle(tri: Floats, i: int, px: float, py: float, pz: float) -> tuple[float, float, float, int]:
    """Point of triangle `i` closest to p, and its feature. Voronoi regions by signed barycentric coordinates.

    Source: Ericson (2005), 5.1.5.
    """
    ax, ay, az = tri[i, 0], tri[i, 1], tri[i, 2]
    abx, aby, abz = tri[i, 3] - ax, tri[i, 4] - ay, tri[i, 5] - az
    acx, acy, acz = tri[i, 6] - ax, tri[i, 7] - ay, tri[i, 8] - az
    apx, apy, apz = px - ax, py - ay, pz - az
    d1 = abx * apx + aby * apy + abz * apz
    d2 = acx * apx + acy * apy + acz * apz
    if d1 <= 0.0 and d2 <= 0.0:
        return ax, ay, az, 4
    bpx, bpy, bpz = px - tri[i, 3], py - tri[i, 4], pz - tri[i, 5]
    d3 = abx * bpx + aby * bpy + abz * bpz
    d4 = acx * bpx + acy * bpy + acz * bpz
    if d3 >= 0.0 and d4 <= d3:
        return tri[i, 3], tri[i, 4], tri[i, 5], 5
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        u = d1 / (d1 - d3)
        return ax + u * abx, ay + u * aby, az + u * abz, 1
    cpx, cpy, cpz = px - tri[i, 6], py - tri[i, 7], pz - tri[i, 8]
    d5 = abx * cpx + aby * cpy + abz * cpz
    d6 = acx * cpx + acy * cpy + acz * cpz
    if d6 >= 0.0 and d5 <= d6:
        return tri[i, 6], tri[i, 7], tri[i, 8], 6
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        u = d2 / (d2 - d6)
        return ax + u * acx, ay + u * acy, az + u * acz, 3
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and (d4 - d3) >= 0.0 and (d5 - d6) >= 0.0:
        u = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        return (
            tri[i, 3] + u * (tri[i, 6] - tri[i, 3]),
            tri[i, 4] + u * (tri[i, 7] - tri[i, 4]),
            tri[i, 5] + u * (tri[i, 8] - tri[i, 5]),
            2,
        )
    nx, ny, nz = tri[i, 9], tri[i, 10], tri[i, 11]
    h = nx * apx + ny * apy + nz * apz
    return px - h * nx, py - h * ny, pz - h * nz, 0


@inlined
def _time_of_entry(m: Point, v: Vector, mv: float, vv: float, r: float, min_entry: float) -> float:
    """Time >= 0 at which a point that moves from m by v enters a sphere of radius r at the origin; -1.0: never.

    mv = m . v, vv = v . v; m is outside the sphere. The closest approach m + tc v, tc = -mv / vv, has the square
    distance qq; the entry is sqrt((rr - qq) / vv) before tc. This keeps the digits that the quadratic formula loses by
    cancellation in b b - 4 a c (docs/physics.md). An approach with (rr - qq) vv <= min_entry only grazes.
    """
    (mx, my, mz), (vx, vy, vz), rr = m, v, r * r
    outside = mx * mx + my * my + mz * mz - rr
    if not (mv < 0.0 and outside >= 0.0 and vv > 0.0 and outside * vv <= EARLY_OUT_FACTOR * (mv * mv)):
        return -1.0
    tc = -mv / vv
    qx, qy, qz = mx + tc * vx, my + tc * vy, mz + tc * vz
    depth = rr - (qx * qx + qy * qy + qz * qz)
    if depth > CLOSEST_APPROACH_ROUNDING * rr and depth * vv > min_entry:
        return max(tc - sqrt(depth / vv), 0.0)
    return -1.0


@inlined
def _sweep_sphere_against_edge(m: Point, d: Vector, e: Vector, r: float, min_entry: float) -> tuple[float, float]:
    """First touch of a sphere at m from the start of edge e, moving by d: (fraction, place on the edge 0..1).

    (-1.0, 0.0): none. The components across the edge, u of m and v of d, make it a sweep against a point.
    """
    (mx, my, mz), (dx, dy, dz), (ex, ey, ez) = m, d, e
    scale = 1.0 / (ex * ex + ey * ey + ez * ez)
    em = (ex * mx + ey * my + ez * mz) * scale
    ed = (ex * dx + ey * dy + ez * dz) * scale
    ux, uy, uz = mx - em * ex, my - em * ey, mz - em * ez
    vx, vy, vz = dx - ed * ex, dy - ed * ey, dz - ed * ez
    uv, vv = ux * vx + uy * vy + uz * vz, vx * vx + vy * vy + vz * vz
    t = _time_of_entry((ux, uy, uz), (vx, vy, vz), uv, vv, r, min_entry)
    along = em + t * ed
    if t >= 0.0 and 0.0 <= along <= 1.0:
        return t, along
    return -1.0, 0.0


@inlined
def _sweep_sphere_against_face(
    tri: Floats, i: int, p: Point, d: Vector, t: float, dd: float, r: float
) -> tuple[bool, float, float, float]:
    """Whether a sphere that reaches the plane at fraction t touches it within the triangle, and the contact point."""
    (px, py, pz), (dx, dy, dz) = p, d
    sx, sy, sz = px + t * dx, py + t * dy, pz + t * dz
    cx, cy, cz, _ = closest_point_on_triangle(tri, i, sx, sy, sz)
    qx, qy, qz = sx - cx, sy - cy, sz - cz
    size = abs(px - tri[i, 0]) + abs(py - tri[i, 1]) + abs(pz - tri[i, 2]) + sqrt(dd)
    tolerance = FACE_CONTACT_TOLERANCE * r + DISTANCE_ROUNDING * size
    return qx * qx + qy * qy + qz * qz <= r * r + 2.0 * r * tolerance, cx, cy, cz


@kernel
def sweep_sphere_against_triangle(
    tri: Floats, i: int, p: Point, d: Vector, r: float, t_max: float
) -> tuple[float, float, float, float, int]:
    """First touch of a sphere of radius r moving from p by d: (fraction, contact x, y, z, feature).

    Only entering touches within [0, t_max] count; what is nearer than r at the start is left to the caller, who holds
    the contact planes. No touch: NO_HIT. Two-sided. Face, vertices and edges in turn as in K. Fauerby, "Improved
    Collision Detection and Response" (2003); vertices and edges by closest approach (`_time_of_entry`).
    """
    (px, py, pz), (dx, dy, dz) = p, d
    nx, ny, nz = tri[i, 9], tri[i, 10], tri[i, 11]
    h = nx * (px - tri[i, 0]) + ny * (py - tri[i, 1]) + nz * (pz - tri[i, 2])
    hd = nx * dx + ny * dy + nz * dz
    if h < 0.0:
        h, hd = -h, -hd
    dd = dx * dx + dy * dy + dz * dz
    # Negative while the sphere approaches the corner; where two are not, the edge between them is behind.
    da = (px - tri[i, 0]) * dx + (py - tri[i, 1]) * dy + (pz - tri[i, 2]) * dz
    db = (px - tri[i, 3]) * dx + (py - tri[i, 4]) * dy + (pz - tri[i, 5]) * dz
    dc = (px - tri[i, 6]) * dx + (py - tri[i, 7]) * dy + (pz - tri[i, 8]) * dz
    if da >= 0.0 and db >= 0.0 and dc >= 0.0:
        return NO_HIT, 0.0, 0.0, 0.0, 0
    if h >= r:
        if hd >= 0.0 or h + hd * t_max > r or hd * hd <= MIN_APPROACH_RATIO * MIN_APPROACH_RATIO * dd:
            return NO_HIT, 0.0, 0.0, 0.0, 0
        t = (r - h) / hd
        if t <= t_max:
            inside, cx, cy, cz = _sweep_sphere_against_face(tri, i, p, d, t, dd, r)
            if inside:
                return max(t, 0.0), cx, cy, cz, 0
    best, feature = t_max, -1
    bx, by, bz = 0.0, 0.0, 0.0
    min_entry = MIN_APPROACH_RATIO * MIN_APPROACH_RATIO * (r * r) * dd
    for k in range(3):
        a, b = 3 * k, 3 * k + 3 if k < 2 else 0
        ax, ay, az = tri[i, a], tri[i, a + 1], tri[i, a + 2]
        mx, my, mz = px - ax, py - ay, pz - az
        md = da if k == 0 else (db if k == 1 else dc)
        t = _time_of_entry((mx, my, mz), d, md, dd, r, min_entry)
        if t >= 0.0 and (t < best or (t == best and feature < 0)):
            best, bx, by, bz, feature = t, ax, ay, az, 4 + k
        if md >= 0.0 and (db if k == 0 else (dc if k == 1 else da)) >= 0.0:
            continue
        ex, ey, ez = tri[i, b] - ax, tri[i, b + 1] - ay, tri[i, b + 2] - az
        t, along = _sweep_sphere_against_edge((mx, my, mz), d, (ex, ey, ez), r, min_entry)
        if t >= 0.0 and (t < best or (t == best and feature < 0)):
            best, feature = t, 1 + k
            bx, by, bz = ax + along * ex, ay + along * ey, az + along * ez
    if feature < 0:
        return NO_HIT, 0.0, 0.0, 0.0, 0
    return best, bx, by, bz, feature
