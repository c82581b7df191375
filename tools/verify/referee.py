"""Brute-force check of every tick of a walk, independent of the walker's kernels.

Distances: smallest over the three edges, and the plane where the foot point is inside. Crossings: the ray test of
Moeller and Trumbore ("Fast, minimum storage ray/triangle intersection", 1997) along the path of the centre.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np


@numba.njit(cache=False)
def _segment(px: float, py: float, pz: float, qx: float, qy: float, qz: float) -> float:
    """Squared distance of the origin from a segment."""
    dx, dy, dz = qx - px, qy - py, qz - pz
    dd = dx * dx + dy * dy + dz * dz
    u = 0.0
    if dd > 0.0:
        u = min(max(-(px * dx + py * dy + pz * dz) / dd, 0.0), 1.0)
    x, y, z = px + u * dx, py + u * dy, pz + u * dz
    return x * x + y * y + z * z


@numba.njit(cache=False)
def _distance(t: Any) -> float:
    """Distance of the origin from a triangle (9 numbers)."""
    best = min(
        _segment(t[0], t[1], t[2], t[3], t[4], t[5]),
        _segment(t[3], t[4], t[5], t[6], t[7], t[8]),
        _segment(t[6], t[7], t[8], t[0], t[1], t[2]),
    )
    ux, uy, uz = t[3] - t[0], t[4] - t[1], t[5] - t[2]
    vx, vy, vz = t[6] - t[0], t[7] - t[1], t[8] - t[2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    nn = nx * nx + ny * ny + nz * nz
    if nn > 0.0:
        k = (t[0] * nx + t[1] * ny + t[2] * nz) / nn
        fx, fy, fz = k * nx, k * ny, k * nz
        inside = True
        for a in range(3):
            p, q = 3 * a, 3 * ((a + 1) % 3)
            ex, ey, ez = t[q] - t[p], t[q + 1] - t[p + 1], t[q + 2] - t[p + 2]
            wx, wy, wz = fx - t[p], fy - t[p + 1], fz - t[p + 2]
            side = (ey * wz - ez * wy) * nx + (ez * wx - ex * wz) * ny + (ex * wy - ey * wx) * nz
            if side < 0.0:
                inside = False
        if inside:
            best = min(best, k * k * nn)
    return math.sqrt(best)


@numba.njit(cache=False)
def _crosses(t: Any, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float) -> bool:
    """True if the path from o by d crosses a triangle."""
    ux, uy, uz = t[3] - t[0], t[4] - t[1], t[5] - t[2]
    vx, vy, vz = t[6] - t[0], t[7] - t[1], t[8] - t[2]
    px, py, pz = dy * vz - dz * vy, dz * vx - dx * vz, dx * vy - dy * vx
    det = ux * px + uy * py + uz * pz
    if det == 0.0:
        return False
    sx, sy, sz = ox - t[0], oy - t[1], oz - t[2]
    u = (sx * px + sy * py + sz * pz) / det
    qx, qy, qz = sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux
    v = (dx * qx + dy * qy + dz * qz) / det
    w = (vx * qx + vy * qy + vz * qz) / det
    return u >= 0.0 and v >= 0.0 and u + v <= 1.0 and 0.0 < w <= 1.0


@numba.njit(cache=False)
def _check_ticks(
    triangles: Any, low: Any, high: Any, positions: Any, radii: Any, turns: Any, gaps: Any, through: Any
) -> None:
    t = np.empty(9)
    for k in range(1, len(positions)):
        x, y, z = positions[k, 0], positions[k, 1], positions[k, 2]
        ax, ay, az = positions[k - 1, 0], positions[k - 1, 1], positions[k - 1, 2]
        s, c = math.sin(turns[k]), math.cos(turns[k])
        rx, ry, rz = radii[k, 0], radii[k, 1], radii[k, 2]
        side = 1.1 * max(rx, rz)
        tall = 1.1 * ry
        best = 9.0
        for n in range(len(triangles)):
            if (
                low[n, 0] > max(x, ax) + side
                or high[n, 0] < min(x, ax) - side
                or low[n, 2] > max(z, az) + side
                or high[n, 2] < min(z, az) - side
                or low[n, 1] > max(y, ay) + tall
                or high[n, 1] < min(y, ay) - tall
            ):
                continue
            if _crosses(triangles[n], ax, ay, az, x - ax, y - ay, z - az):
                through[k] = True
            for a in range(3):
                dx, dy, dz = triangles[n, 3 * a] - x, triangles[n, 3 * a + 1] - y, triangles[n, 3 * a + 2] - z
                t[3 * a] = (c * dx - s * dz) / rx
                t[3 * a + 1] = dy / ry
                t[3 * a + 2] = (s * dx + c * dz) / rz
            best = min(best, _distance(t))
        gaps[k] = best - 1.0


@dataclass(frozen=True, slots=True)
class WalkCheck:
    """Results for each tick (row 0 is the start): the smallest gap in ellipsoid space (8 if nothing is near), whether
    the path of the centre crosses a triangle, and the horizontal distance (m).
    """

    gaps: Any
    through: Any
    plan: Any


def check_walk(triangles: Any, states: Any) -> WalkCheck:
    """Check a run (structured states, the start first) over triangles (N,3,3)."""
    flat = np.ascontiguousarray(np.asarray(triangles, np.float64).reshape(-1, 9))
    corners = flat.reshape(-1, 3, 3)
    gaps, through = np.full(len(states), 8.0), np.zeros(len(states), np.bool_)
    positions = np.ascontiguousarray(states["position"])
    turns = states["heading"] * (2.0 * math.pi / 65536.0)
    _check_ticks(
        flat,
        np.ascontiguousarray(corners.min(axis=1)),
        np.ascontiguousarray(corners.max(axis=1)),
        positions,
        np.ascontiguousarray(states["radii"]),
        np.ascontiguousarray(turns),
        gaps,
        through,
    )
    plan = np.linalg.norm(np.diff(positions[:, [0, 2]], axis=0, prepend=positions[:1, [0, 2]]), axis=1)
    return WalkCheck(gaps, through, plan)
