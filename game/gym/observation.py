"""Observations: a flat row of float32 for each walker, by kernels that the single and the vector environment share.

Vectors are in the frame of the body: right, up, ahead.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from ..core.vectors import Floats, Indices
from ..physics.character.rows import state_flag, state_row
from ..physics.environment.motion import mover_pose
from ..physics.environment.rows import motion_row
from ..physics.mesh.bvh import cast_rays
from ..physics.mesh.rows import ray_mode, ray_row
from ..physics.numerics.arrays import Bytes
from ..physics.numerics.jit import allocating, inner, kernel
from ..physics.numerics.trigonometry import heading_sin_cos

GOAL, GOAL_NEARNESS, VELOCITY, GROUND, FLAGS, TARGETS_LEFT, TARGET, TARGET_NEARNESS, PATH, RAYS = (
    0, 3, 4, 7, 10, 15, 16, 19, 20, 23,
)  # fmt: skip
HALF_DISTANCE = 10.0  # m at which a nearness is one half
SPEED_SCALE = 12.0  # m/s that count as 1
FLAG_BITS = (
    state_flag.GROUNDED, state_flag.CROUCHED, state_flag.SLIDING, state_flag.SWIMMING, state_flag.CLIMBING,
)  # fmt: skip

Observations = NDArray[np.float32]


def observation_slices(rays: int) -> dict[str, slice]:
    """Columns of an observation by name."""
    firsts = {
        "goal": GOAL, "goal_nearness": GOAL_NEARNESS, "velocity": VELOCITY, "ground_normal": GROUND, "flags": FLAGS,
        "targets_left": TARGETS_LEFT, "target": TARGET, "target_nearness": TARGET_NEARNESS, "path": PATH, "rays": RAYS,
    }  # fmt: skip
    ends = [*firsts.values(), RAYS + rays][1:]
    return {name: slice(first, end) for (name, first), end in zip(firsts.items(), ends, strict=True)}


@inner
def _axes(f: Floats, heading: int) -> tuple[float, float, float, float, float, float]:
    """(right, ahead) of the body of a state row, vectors of the world."""
    s, c = heading_sin_cos(heading)
    u, v, w = f[state_row.UP], f[state_row.UP + 1], f[state_row.UP + 2]
    x, y, z = f[state_row.NORTH], f[state_row.NORTH + 1], f[state_row.NORTH + 2]
    a, b, d = y * w - z * v, z * u - x * w, x * v - y * u  # east
    return (
        c * a + s * x, c * b + s * y, c * d + s * z,
        c * x - s * a, c * y - s * b, c * z - s * d,
    )  # fmt: skip


@kernel
def write_rays(states: Floats, rows: Indices, directions: Floats, eye: float, limit: float, table: Floats) -> None:
    """Write the rays (n * K, ray_row.WIDTH) of rows (n,), from the eyes; eye: its height, 1 at the top."""
    ints = states.view(np.int64)
    each = len(directions)
    for j in range(len(rows)):
        f = states[rows[j]]
        rx, ry, rz, ax, ay, az = _axes(f, ints[rows[j], state_row.HEADING])
        u, v, w = f[state_row.UP], f[state_row.UP + 1], f[state_row.UP + 2]
        high = (2.0 * eye - 1.0) * f[state_row.RADII + 1]
        for k in range(each):
            row, right, up, ahead = j * each + k, directions[k, 0], directions[k, 1], -directions[k, 2]
            table[row, ray_row.ORIGIN] = f[state_row.POSITION] + high * u
            table[row, ray_row.ORIGIN + 1] = f[state_row.POSITION + 1] + high * v
            table[row, ray_row.ORIGIN + 2] = f[state_row.POSITION + 2] + high * w
            table[row, ray_row.DIRECTION] = right * rx + up * u + ahead * ax
            table[row, ray_row.DIRECTION + 1] = right * ry + up * v + ahead * ay
            table[row, ray_row.DIRECTION + 2] = right * rz + up * w + ahead * az
            table[row, ray_row.LIMIT] = limit


@allocating
def cast_at_mover(
    rays: Floats, clocks: Indices, motions: Floats, keys: Floats, mover: int, nodes: Floats, links: NDArray[np.int32],
    triangles: Floats, distance: Floats,
) -> None:  # fmt: skip
    """Shorten the distances (n * K,) of rays to where they hit a mover, at its clock for each of n walkers."""
    each = len(rays) // max(len(clocks), 1)
    local, of = np.empty((len(rays), ray_row.WIDTH)), np.empty(len(rays), np.int32)
    count, radius = 0, motions[mover, motion_row.RADIUS]
    for j in range(len(clocks)):
        p = mover_pose(motions, keys, mover, float(clocks[j]))
        for row in range(j * each, j * each + each):
            x, y, z = rays[row, 0] - p[9], rays[row, 1] - p[10], rays[row, 2] - p[11]
            dx, dy, dz = rays[row, 3], rays[row, 4], rays[row, 5]
            along = min(max(-(x * dx + y * dy + z * dz), 0.0), distance[row])
            cx, cy, cz = x + along * dx, y + along * dy, z + along * dz
            if cx * cx + cy * cy + cz * cz > radius * radius * 1.000001:
                continue
            local[count, 0] = p[0] * x + p[3] * y + p[6] * z
            local[count, 1] = p[1] * x + p[4] * y + p[7] * z
            local[count, 2] = p[2] * x + p[5] * y + p[8] * z
            local[count, 3] = p[0] * dx + p[3] * dy + p[6] * dz
            local[count, 4] = p[1] * dx + p[4] * dy + p[7] * dz
            local[count, 5] = p[2] * dx + p[5] * dy + p[8] * dz
            local[count, ray_row.LIMIT] = distance[row]
            of[count] = row
            count += 1
    if count == 0:
        return
    triangle, feature, near = np.empty(count, np.int32), np.empty(count, np.uint8), np.empty(count)
    cast_rays(nodes, links, triangles, local[:count], 0.0, ray_mode.NEAREST, (triangle, feature, near), of)
    for k in range(count):
        distance[of[k]] = near[k]


@inner
def _write_local(out: Observations, row: int, at: int, f: Floats, heading: int, x: float, y: float, z: float) -> None:
    """Write a vector of the world in the frame of the body into out[row, at : at + 3], limited to -1..1."""
    rx, ry, rz, ax, ay, az = _axes(f, heading)
    up = x * f[state_row.UP] + y * f[state_row.UP + 1] + z * f[state_row.UP + 2]
    out[row, at] = min(max(x * rx + y * ry + z * rz, -1.0), 1.0)
    out[row, at + 1] = min(max(up, -1.0), 1.0)
    out[row, at + 2] = min(max(x * ax + y * ay + z * az, -1.0), 1.0)


@inner
def _write_direction(out: Observations, row: int, at: int, f: Floats, heading: int, place: Floats) -> float:
    """Write the direction from the feet to a place; how near it is, 1 at the place."""
    high = f[state_row.RADII + 1]
    x = place[0] - (f[state_row.POSITION] - high * f[state_row.UP])
    y = place[1] - (f[state_row.POSITION + 1] - high * f[state_row.UP + 1])
    z = place[2] - (f[state_row.POSITION + 2] - high * f[state_row.UP + 2])
    distance = sqrt(x * x + y * y + z * z)
    scale = 1.0 / distance if distance > 1e-9 else 0.0
    _write_local(out, row, at, f, heading, x * scale, y * scale, z * scale)
    return HALF_DISTANCE / (HALF_DISTANCE + distance)


@kernel
def write_observations(
    states: Floats, rows: Indices, reached: Bytes, spheres: Floats, ahead: Floats, places: Indices, distances: Floats,
    limit: float, out: Observations,
) -> None:  # fmt: skip
    """Write observations of rows (n,) into the same rows of `out`.

    spheres: `level_rules.sphere_rows`. ahead (P, 3): the point to walk to from each place of the path, without rows
    where it is not shown; places (N,): of each row. distances (n * K,): of the rays.
    """
    ints = states.view(np.int64)
    each = out.shape[1] - RAYS
    targets = len(spheres) - 1
    for j in range(len(rows)):
        k = rows[j]
        f, heading, flags = states[k], ints[k, state_row.HEADING], ints[k, state_row.FLAGS]
        out[k, GOAL_NEARNESS] = _write_direction(out, k, GOAL, f, heading, spheres[targets])
        v = state_row.VELOCITY
        x, y, z = f[v] / SPEED_SCALE, f[v + 1] / SPEED_SCALE, f[v + 2] / SPEED_SCALE
        _write_local(out, k, VELOCITY, f, heading, x, y, z)
        g = state_row.GROUND_NORMAL
        _write_local(out, k, GROUND, f, heading, f[g], f[g + 1], f[g + 2])
        for n in range(len(FLAG_BITS)):
            out[k, FLAGS + n] = 1.0 if flags & FLAG_BITS[n] != 0 else 0.0
        nearest, least, left = -1, np.inf, 0
        for n in range(targets):
            if reached[k, n] == 0:
                left += 1
                x, y, z = spheres[n, 0] - f[0], spheres[n, 1] - f[1], spheres[n, 2] - f[2]
                square = x * x + y * y + z * z
                if square < least:
                    nearest, least = n, square
        out[k, TARGETS_LEFT] = left / targets if targets > 0 else 0.0
        for n in range(4):
            out[k, TARGET + n] = 0.0
        if nearest >= 0:
            out[k, TARGET_NEARNESS] = _write_direction(out, k, TARGET, f, heading, spheres[nearest])
        for n in range(3):
            out[k, PATH + n] = 0.0
        if len(ahead) > 0 and places[k] >= 0:
            _write_direction(out, k, PATH, f, heading, ahead[places[k]])
        for n in range(each):
            out[k, RAYS + n] = distances[j * each + n] / limit
