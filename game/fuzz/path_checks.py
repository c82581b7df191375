"""Brute-force check of every tick of a path: gap and crossings against the level and its moving platforms.

Independent of the walker's kernels; only the poses of platforms are the product's. Distances: smallest over the three
edges, and the plane where the foot point is inside. Crossings: the ray test of Moeller and Trumbore ("Fast, minimum
storage ray/triangle intersection", 1997) along the path of the centre.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.angles import RADIANS_PER_HEADING_UNIT
from ..physics import Movers
from ..physics.environment.layout import motion_row
from ..physics.environment.motion import mover_pose
from ..physics.numerics.jit import inner, kernel

FAR = 8.0  # ellipsoid space: gap of a body with nothing near it
NEAR = 1.1  # radii around the centre in which triangles count as near
TICKS_PER_BLOCK = 32  # ticks that share a list of near triangles


@inner
def _segment_distance(px: float, py: float, pz: float, qx: float, qy: float, qz: float) -> float:
    """Squared distance of the origin from a segment."""
    dx, dy, dz = qx - px, qy - py, qz - pz
    dd = dx * dx + dy * dy + dz * dz
    u = 0.0
    if dd > 0.0:
        u = min(max(-(px * dx + py * dy + pz * dz) / dd, 0.0), 1.0)
    x, y, z = px + u * dx, py + u * dy, pz + u * dz
    return x * x + y * y + z * z


@inner
def _triangle_distance(t: Any) -> float:
    """Distance of the origin from a triangle (9 numbers)."""
    best = min(
        _segment_distance(t[0], t[1], t[2], t[3], t[4], t[5]),
        min(
            _segment_distance(t[3], t[4], t[5], t[6], t[7], t[8]), _segment_distance(t[6], t[7], t[8], t[0], t[1], t[2])
        ),
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


@inner
def _crosses(corners: Any, n: int, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float) -> bool:
    """True if the path from o by d crosses triangle n."""
    ax, ay, az = corners[n, 0], corners[n, 1], corners[n, 2]
    ux, uy, uz = corners[n, 3] - ax, corners[n, 4] - ay, corners[n, 5] - az
    vx, vy, vz = corners[n, 6] - ax, corners[n, 7] - ay, corners[n, 8] - az
    px, py, pz = dy * vz - dz * vy, dz * vx - dx * vz, dx * vy - dy * vx
    det = ux * px + uy * py + uz * pz
    if det == 0.0:
        return False
    sx, sy, sz = ox - ax, oy - ay, oz - az
    u = (sx * px + sy * py + sz * pz) / det
    qx, qy, qz = sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux
    v = (dx * qx + dy * qy + dz * qz) / det
    w = (vx * qx + vy * qy + vz * qz) / det
    return bool(u >= 0.0 and v >= 0.0 and u + v <= 1.0 and 0.0 < w <= 1.0)


@inner
def _scaled_gap(t: Any, radii: Any, k: int, s: float, c: float) -> float:
    """Gap, in ellipsoid space, of the body of tick k to a triangle (9 numbers, m from its centre), which is scaled."""
    for a in range(0, 9, 3):
        dx, dy, dz = t[a], t[a + 1], t[a + 2]
        t[a] = (c * dx - s * dz) / radii[k, 0]
        t[a + 1] = dy / radii[k, 1]
        t[a + 2] = (s * dx + c * dz) / radii[k, 2]
    return _triangle_distance(t) - 1.0


@inner
def _list_near_triangles(bounds: Any, positions: Any, radii: Any, first: int, end: int, near: Any) -> int:
    """Indices of the triangles near the path from tick `first` - 1 to before `end`; their number."""
    begin = max(first - 1, 0)
    x0 = x1 = positions[begin, 0]
    y0 = y1 = positions[begin, 1]
    z0 = z1 = positions[begin, 2]
    reach = 0.0
    for k in range(begin, end):
        x0, x1 = min(x0, positions[k, 0]), max(x1, positions[k, 0])
        y0, y1 = min(y0, positions[k, 1]), max(y1, positions[k, 1])
        z0, z1 = min(z0, positions[k, 2]), max(z1, positions[k, 2])
        reach = max(reach, NEAR * max(radii[k, 0], max(radii[k, 1], radii[k, 2])))
    count = 0
    for n in range(len(bounds)):
        if (
            bounds[n, 0] <= x1 + reach
            and bounds[n, 3] >= x0 - reach
            and bounds[n, 2] <= z1 + reach
            and bounds[n, 5] >= z0 - reach
            and bounds[n, 1] <= y1 + reach
            and bounds[n, 4] >= y0 - reach
        ):
            near[count] = n
            count += 1
    return count


@kernel
def _check_ticks(
    corners: Any, bounds: Any, path: tuple[Any, Any, Any, Any], near: Any, t: Any, gaps: Any, through: Any
) -> None:
    """Gap and crossing of each tick. path: positions, radii, sines and cosines of the headings. near, t: scratch."""
    positions, radii, sines, cosines = path
    for first in range(0, len(positions), TICKS_PER_BLOCK):
        end = min(first + TICKS_PER_BLOCK, len(positions))
        count = _list_near_triangles(bounds, positions, radii, first, end, near)
        for k in range(first, end):
            x, y, z = positions[k, 0], positions[k, 1], positions[k, 2]
            before = max(k - 1, 0)
            ax, ay, az = positions[before, 0], positions[before, 1], positions[before, 2]
            side = NEAR * max(radii[k, 0], radii[k, 2])
            tall = NEAR * radii[k, 1]
            best = gaps[k]
            for i in range(count):
                n = near[i]
                if (
                    bounds[n, 0] > max(x, ax) + side
                    or bounds[n, 3] < min(x, ax) - side
                    or bounds[n, 2] > max(z, az) + side
                    or bounds[n, 5] < min(z, az) - side
                    or bounds[n, 1] > max(y, ay) + tall
                    or bounds[n, 4] < min(y, ay) - tall
                ):
                    continue
                if k > 0 and _crosses(corners, n, ax, ay, az, x - ax, y - ay, z - az):
                    through[k] = True
                for a in range(0, 9, 3):
                    t[a], t[a + 1], t[a + 2] = corners[n, a] - x, corners[n, a + 1] - y, corners[n, a + 2] - z
                best = min(best, _scaled_gap(t, radii, k, sines[k], cosines[k]))
            gaps[k] = best


@inner
def _to_own_frame(pose: Any, k: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A point in the frame of a platform with the pose of tick k: rotation (9, row major), then position (3)."""
    x, y, z = x - pose[k, 9], y - pose[k, 10], z - pose[k, 11]
    return (
        pose[k, 0] * x + pose[k, 3] * y + pose[k, 6] * z,
        pose[k, 1] * x + pose[k, 4] * y + pose[k, 7] * z,
        pose[k, 2] * x + pose[k, 5] * y + pose[k, 8] * z,
    )


@kernel
def _check_platform_ticks(
    corners: Any, size: float, pose: Any, path: tuple[Any, Any, Any, Any], t: Any, gaps: Any, through: Any
) -> None:
    """As `_check_ticks` for one moving platform, in its frame. size: its radius, m. pose (n, 12)."""
    positions, radii, sines, cosines = path
    bx = by = bz = 0.0
    for k in range(len(positions)):
        ax, ay, az = bx, by, bz
        bx, by, bz = _to_own_frame(pose, k, positions[k, 0], positions[k, 1], positions[k, 2])
        far = math.sqrt(bx * bx + by * by + bz * bz)
        dx, dy, dz = bx - ax, by - ay, bz - az
        crosses = k > 0 and far - math.sqrt(dx * dx + dy * dy + dz * dz) <= size
        reach = NEAR * max(radii[k, 0], max(radii[k, 1], radii[k, 2]))
        is_near = far <= size + reach
        if not (crosses or is_near):
            continue
        best = gaps[k]
        for n in range(len(corners)):
            if crosses and _crosses(corners, n, ax, ay, az, dx, dy, dz):
                through[k] = True
            if not is_near:
                continue
            x0, y0, z0 = corners[n, 0] - bx, corners[n, 1] - by, corners[n, 2] - bz
            x1, y1, z1 = corners[n, 3] - bx, corners[n, 4] - by, corners[n, 5] - bz
            x2, y2, z2 = corners[n, 6] - bx, corners[n, 7] - by, corners[n, 8] - bz
            if (
                min(x0, min(x1, x2)) > reach
                or max(x0, max(x1, x2)) < -reach
                or min(y0, min(y1, y2)) > reach
                or max(y0, max(y1, y2)) < -reach
                or min(z0, min(z1, z2)) > reach
                or max(z0, max(z1, z2)) < -reach
            ):
                continue
            for a in range(3):
                x, y, z = (x0, y0, z0) if a == 0 else (x1, y1, z1) if a == 1 else (x2, y2, z2)
                t[3 * a] = pose[k, 0] * x + pose[k, 1] * y + pose[k, 2] * z
                t[3 * a + 1] = pose[k, 3] * x + pose[k, 4] * y + pose[k, 5] * z
                t[3 * a + 2] = pose[k, 6] * x + pose[k, 7] * y + pose[k, 8] * z
            best = min(best, _scaled_gap(t, radii, k, sines[k], cosines[k]))
        gaps[k] = best


@kernel
def _write_poses(motions: Any, keys: Any, clock: float, poses: Any) -> None:
    """Poses of all platforms at each tick from `clock` on. poses (platforms, ticks, 12)."""
    for m in range(len(poses)):
        for k in range(poses.shape[1]):
            r0, r1, r2, r3, r4, r5, r6, r7, r8, x, y, z = mover_pose(motions, keys, m, clock + k)
            poses[m, k, 0], poses[m, k, 1], poses[m, k, 2] = r0, r1, r2
            poses[m, k, 3], poses[m, k, 4], poses[m, k, 5] = r3, r4, r5
            poses[m, k, 6], poses[m, k, 7], poses[m, k, 8] = r6, r7, r8
            poses[m, k, 9], poses[m, k, 10], poses[m, k, 11] = x, y, z


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
    corners = np.array(triangles, np.float64).reshape(-1, 9)
    by_corner = corners.reshape(-1, 3, 3)
    bounds = np.concatenate((by_corner.min(axis=1), by_corner.max(axis=1)), axis=1)
    gaps = np.full(len(states), FAR)
    through = np.zeros(len(states), np.bool_)
    path = _path(states)
    near = np.empty(len(corners), np.int64)
    _check_ticks(corners, bounds, path, near, np.empty(9), gaps, through)
    flat = path[0][:, [0, 2]]
    return WalkCheck(gaps, through, np.linalg.norm(np.diff(flat, axis=0, prepend=flat[:1]), axis=1))


def check_platforms(movers: Movers, clock: int, states: Any, frame: Any) -> tuple[Any, Any]:
    """(gaps, crossings), as of `check_walk`, of a run to the moving platforms, where they are at each tick.

    clock: tick of the world at the start. frame (3, 3): rotation of the world into the frame of the states. A crossing
    is one of the path in the frame of the platform.
    """
    poses = np.empty((len(movers), len(states), 12))
    _write_poses(movers.motions, movers.keys, float(clock), poses)
    poses[:, :, :9] = (frame @ poses[:, :, :9].reshape(len(movers), -1, 3, 3)).reshape(len(movers), -1, 9)
    poses[:, :, 9:] = poses[:, :, 9:] @ frame.T
    gaps = np.full(len(states), FAR)
    through = np.zeros(len(states), np.bool_)
    path = _path(states)
    t = np.empty(9)
    for m, mover in enumerate(movers):
        corners = mover.mesh.triangles12[:, :9].copy()
        size = float(movers.motions[m, motion_row.RADIUS])
        _check_platform_ticks(corners, size, poses[m], path, t, gaps, through)
    return gaps, through


def _path(states: Any) -> tuple[Any, Any, Any, Any]:
    """(positions, radii, sines, cosines of the headings) of state rows."""
    angles = states["heading"] * RADIANS_PER_HEADING_UNIT
    return states["position"].copy(), states["radii"].copy(), np.sin(angles), np.cos(angles)
