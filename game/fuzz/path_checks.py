"""Brute-force check of every tick of a path: gap and crossings against the level and its moving platforms.

Independent of the walker's kernels; only the poses of platforms are the product's. A path is checked in the frame of
its triangles. Distances: smallest over the three edges, and the plane where the foot point is inside. Crossings: the
ray test of Moeller and Trumbore ("Fast, minimum storage ray/triangle intersection", 1997) along the path of the centre.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..core.angles import RADIANS_PER_HEADING_UNIT
from ..physics import Movers
from ..physics.environment.motion import write_mover_pose
from ..physics.environment.rows import pose
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
    ux, uy, uz = t[3] - t[0], t[4] - t[1], t[5] - t[2]
    vx, vy, vz = t[6] - t[0], t[7] - t[1], t[8] - t[2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    nn = nx * nx + ny * ny + nz * nz
    k = (t[0] * nx + t[1] * ny + t[2] * nz) / nn if nn > 0.0 else 0.0
    fx, fy, fz = k * nx, k * ny, k * nz  # foot point on the plane
    best = math.inf
    inside = nn > 0.0
    for a in range(3):
        p, q = 3 * a, 3 * ((a + 1) % 3)
        best = min(best, _segment_distance(t[p], t[p + 1], t[p + 2], t[q], t[q + 1], t[q + 2]))
        ex, ey, ez = t[q] - t[p], t[q + 1] - t[p + 1], t[q + 2] - t[p + 2]
        wx, wy, wz = fx - t[p], fy - t[p + 1], fz - t[p + 2]
        if (ey * wz - ez * wy) * nx + (ez * wx - ex * wz) * ny + (ex * wy - ey * wx) * nz < 0.0:
            inside = False
    return math.sqrt(min(best, k * k * nn) if inside else best)


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
def _overlaps(bounds: Any, n: int, low: tuple[float, float, float], high: tuple[float, float, float]) -> bool:
    """True if the box of triangle n, (x0, y0, z0, x1, y1, z1), meets another box."""
    return bool(
        bounds[n, 0] <= high[0]
        and bounds[n, 3] >= low[0]
        and bounds[n, 2] <= high[2]
        and bounds[n, 5] >= low[2]
        and bounds[n, 1] <= high[1]
        and bounds[n, 4] >= low[1]
    )


@inner
def _path_box(positions: Any, reach: Any, first: int, end: int) -> Any:
    """(low, high): box of what is near the path from tick `first` - 1 to before `end`."""
    begin = max(first - 1, 0)
    x0 = x1 = positions[begin, 0]
    y0 = y1 = positions[begin, 1]
    z0 = z1 = positions[begin, 2]
    rx = ry = rz = 0.0
    for k in range(begin, end):
        x0, x1 = min(x0, positions[k, 0]), max(x1, positions[k, 0])
        y0, y1 = min(y0, positions[k, 1]), max(y1, positions[k, 1])
        z0, z1 = min(z0, positions[k, 2]), max(z1, positions[k, 2])
        rx, ry, rz = max(rx, reach[k, 0]), max(ry, reach[k, 1]), max(rz, reach[k, 2])
    return (x0 - rx, y0 - ry, z0 - rz), (x1 + rx, y1 + ry, z1 + rz)


@kernel
def _check_ticks(
    corners: Any, bounds: Any, path: tuple[Any, Any, Any, Any, Any, Any], near: Any, t: Any, gaps: Any, through: Any
) -> None:
    """Gap and crossing of each tick. near, t: scratch.

    path: positions (n, 3) in the frame of the triangles, rotations (n, 9) of that frame into the frame of the body's
    radii without its heading, reach (n, 3) of what is near, radii, sines and cosines of the headings
    """
    positions, rotations, reach, radii, sines, cosines = path
    for first in range(0, len(positions), TICKS_PER_BLOCK):
        end = min(first + TICKS_PER_BLOCK, len(positions))
        low, high = _path_box(positions, reach, first, end)
        count = 0
        for n in range(len(bounds)):
            if _overlaps(bounds, n, low, high):
                near[count] = n
                count += 1
        for k in range(first, end):
            x, y, z = positions[k, 0], positions[k, 1], positions[k, 2]
            before = max(k - 1, 0)
            ax, ay, az = positions[before, 0], positions[before, 1], positions[before, 2]
            low, high = _path_box(positions, reach, k, k + 1)
            s, c = sines[k], cosines[k]
            for i in range(count):
                n = near[i]
                if not _overlaps(bounds, n, low, high):
                    continue
                if k > 0 and _crosses(corners, n, ax, ay, az, x - ax, y - ay, z - az):
                    through[k] = True
                for a in range(0, 9, 3):
                    px, py, pz = corners[n, a] - x, corners[n, a + 1] - y, corners[n, a + 2] - z
                    dx = rotations[k, 0] * px + rotations[k, 1] * py + rotations[k, 2] * pz
                    dy = rotations[k, 3] * px + rotations[k, 4] * py + rotations[k, 5] * pz
                    dz = rotations[k, 6] * px + rotations[k, 7] * py + rotations[k, 8] * pz
                    t[a] = (c * dx - s * dz) / radii[k, 0]
                    t[a + 1] = dy / radii[k, 1]
                    t[a + 2] = (s * dx + c * dz) / radii[k, 2]
                gaps[k] = min(gaps[k], _triangle_distance(t) - 1.0)


@kernel
def _write_poses(motions: Any, keys: Any, clock: float, poses: Any) -> None:
    """Poses of all platforms at each tick from `clock` on. poses (platforms, ticks, pose.WIDTH)."""
    for m in range(len(poses)):
        for k in range(poses.shape[1]):
            write_mover_pose(motions, keys, m, clock + k, poses[m], k, 0)


class WalkCheck(NamedTuple):
    """For each tick (row 0 is the start) the smallest gap in ellipsoid space (8 if nothing is near), and whether the
    path of the centre crosses a triangle."""

    gaps: Any
    through: Any


def check_walk(triangles: Any, states: Any) -> WalkCheck:
    """Check a run (structured states, the start first) over triangles (N, 3, 3)."""
    reach = NEAR * np.maximum(states["radii"], states["radii"][:, ::-1])  # round about the vertical, by any heading
    return _check(triangles, states, states["position"].copy(), np.tile(np.eye(3), (len(states), 1, 1)), reach)


def check_platforms(movers: Movers, clock: int, states: Any, frame: Any) -> WalkCheck:
    """Check a run as `check_walk` does to the moving platforms, where they are at each tick.

    clock: tick of the world at the start. frame (3, 3): rotation of the world into the frame of the states. A crossing
    is one of the path in the frame of the platform.
    """
    poses = np.empty((len(movers), len(states), pose.WIDTH))
    _write_poses(movers.motions, movers.keys, float(clock), poses)
    rotations = frame @ poses[:, :, : pose.POSITION].reshape(len(movers), -1, 3, 3)
    places = poses[:, :, pose.POSITION :] @ frame.T
    reach = np.repeat(NEAR * states["radii"].max(axis=1, keepdims=True), 3, axis=1)
    found = WalkCheck(np.full(len(states), FAR), np.zeros(len(states), np.bool_))
    for mover, rotation, place in zip(movers, rotations, places, strict=True):
        own = (rotation * (states["position"] - place)[:, :, None]).sum(axis=1)  # into the frame of the platform
        gaps, through = _check(mover.mesh.triangles12[:, :9], states, own, rotation, reach)
        found = WalkCheck(np.minimum(found.gaps, gaps), found.through | through)
    return found


def _check(triangles: Any, states: Any, positions: Any, rotations: Any, reach: Any) -> WalkCheck:
    """Check a run over triangles (N, 3, 3); see `_check_ticks`."""
    corners = np.array(triangles, np.float64).reshape(-1, 3, 3)
    bounds = np.concatenate((corners.min(axis=1), corners.max(axis=1)), axis=1)
    angles = states["heading"] * RADIANS_PER_HEADING_UNIT
    path = positions, rotations.reshape(-1, 9), reach, states["radii"].copy(), np.sin(angles), np.cos(angles)
    found = WalkCheck(np.full(len(states), FAR), np.zeros(len(states), np.bool_))
    near = np.empty(len(corners), np.int64)
    _check_ticks(corners.reshape(-1, 9), bounds, path, near, np.empty(9), *found)
    return found
