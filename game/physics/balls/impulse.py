"""Impacts: a ball against a surface, and against another ball; with restitution, friction and spin."""

from __future__ import annotations

from math import sqrt
from typing import Any

from ..numerics.jit import inner
from .scratch import BOUNCE, GRIP, HIT_BOUNCE, HIT_GRIP, HIT_N, HIT_V, LIGHT, RADIUS, SPIN, V
from .solver import TWO_SEVENTHS


@inner
def strike_surface(b: Any, i: int, slow: float) -> float:
    """Ball i strikes the surface of its row; what it comes back with, as part of what it came with (0 where it came
    more slowly than `slow`), or -1 where it did not come nearer at all."""
    nx, ny, nz = b[i, HIT_N], b[i, HIT_N + 1], b[i, HIT_N + 2]
    vx, vy, vz = b[i, V] - b[i, HIT_V], b[i, V + 1] - b[i, HIT_V + 1], b[i, V + 2] - b[i, HIT_V + 2]
    vn = nx * vx + ny * vy + nz * vz
    if vn >= 0.0:
        return -1.0
    back = b[i, HIT_BOUNCE] if vn < -slow else 0.0
    jn = -(1.0 + back) * vn
    b[i, V] += jn * nx
    b[i, V + 1] += jn * ny
    b[i, V + 2] += jn * nz
    grip = b[i, HIT_GRIP] * jn
    if grip > 0.0:
        r = b[i, RADIUS]
        sx, sy, sz = b[i, SPIN], b[i, SPIN + 1], b[i, SPIN + 2]
        ux = vx - vn * nx - r * (sy * nz - sz * ny)
        uy = vy - vn * ny - r * (sz * nx - sx * nz)
        uz = vz - vn * nz - r * (sx * ny - sy * nx)
        slip = sqrt(ux * ux + uy * uy + uz * uz)
        if slip > 0.0:
            part = -min(TWO_SEVENTHS, grip / slip)
            jx, jy, jz = part * ux, part * uy, part * uz
            b[i, V] += jx
            b[i, V + 1] += jy
            b[i, V + 2] += jz
            turn = 2.5 / r
            b[i, SPIN] -= turn * (ny * jz - nz * jy)
            b[i, SPIN + 1] -= turn * (nz * jx - nx * jz)
            b[i, SPIN + 2] -= turn * (nx * jy - ny * jx)
    return float(back)


@inner
def strike_pair(b: Any, i: int, j: int, nx: float, ny: float, nz: float, slow: float) -> float:
    """Balls i and j strike each other, n points from j to i; as above."""
    vx, vy, vz = b[i, V] - b[j, V], b[i, V + 1] - b[j, V + 1], b[i, V + 2] - b[j, V + 2]
    vn = nx * vx + ny * vy + nz * vz
    share = b[i, LIGHT] + b[j, LIGHT]
    if vn >= 0.0 or share <= 0.0:
        return -1.0
    back = min(b[i, BOUNCE], b[j, BOUNCE]) if vn < -slow else 0.0
    jn = -(1.0 + back) * vn / share
    si, sj = jn * b[i, LIGHT], jn * b[j, LIGHT]
    b[i, V] += si * nx
    b[i, V + 1] += si * ny
    b[i, V + 2] += si * nz
    b[j, V] -= sj * nx
    b[j, V + 1] -= sj * ny
    b[j, V + 2] -= sj * nz
    grip = sqrt(b[i, GRIP] * b[j, GRIP]) * jn
    if grip > 0.0:
        ri, rj = b[i, RADIUS], b[j, RADIUS]
        wx = ri * b[i, SPIN] + rj * b[j, SPIN]
        wy = ri * b[i, SPIN + 1] + rj * b[j, SPIN + 1]
        wz = ri * b[i, SPIN + 2] + rj * b[j, SPIN + 2]
        ux = vx - vn * nx - (wy * nz - wz * ny)
        uy = vy - vn * ny - (wz * nx - wx * nz)
        uz = vz - vn * nz - (wx * ny - wy * nx)
        slip = sqrt(ux * ux + uy * uy + uz * uz)
        if slip > 0.0:
            part = -min(TWO_SEVENTHS / share, grip / slip)
            jx, jy, jz = part * ux, part * uy, part * uz
            li, lj = b[i, LIGHT], b[j, LIGHT]
            b[i, V] += li * jx
            b[i, V + 1] += li * jy
            b[i, V + 2] += li * jz
            b[j, V] -= lj * jx
            b[j, V + 1] -= lj * jy
            b[j, V + 2] -= lj * jz
            cx, cy, cz = ny * jz - nz * jy, nz * jx - nx * jz, nx * jy - ny * jx
            ti, tj = 2.5 * li / ri, 2.5 * lj / rj
            b[i, SPIN] -= ti * cx
            b[i, SPIN + 1] -= ti * cy
            b[i, SPIN + 2] -= ti * cz
            b[j, SPIN] -= tj * cx
            b[j, SPIN + 1] -= tj * cy
            b[j, SPIN + 2] -= tj * cz
    return float(back)
