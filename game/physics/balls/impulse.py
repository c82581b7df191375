"""Impacts: a ball against a surface, and against another ball; with restitution, friction and spin."""

from __future__ import annotations

from math import sqrt
from typing import Any

from ..numerics.jit import inner
from .layout import ball
from .solver import TWO_SEVENTHS


@inner
def apply_surface_impulse(b: Any, i: int, slow: float) -> float:
    """Ball i strikes the surface of its row; what it comes back with, as part of what it came with (0 where it came
    more slowly than `slow`), or -1 where it did not come nearer at all."""
    nx, ny, nz = b[i, ball.IMPACT_NORMAL], b[i, ball.IMPACT_NORMAL + 1], b[i, ball.IMPACT_NORMAL + 2]
    vx, vy, vz = (
        b[i, ball.VELOCITY] - b[i, ball.IMPACT_VELOCITY],
        b[i, ball.VELOCITY + 1] - b[i, ball.IMPACT_VELOCITY + 1],
        b[i, ball.VELOCITY + 2] - b[i, ball.IMPACT_VELOCITY + 2],
    )
    vn = nx * vx + ny * vy + nz * vz
    if vn >= 0.0:
        return -1.0
    back = b[i, ball.IMPACT_RESTITUTION] if vn < -slow else 0.0
    jn = -(1.0 + back) * vn
    b[i, ball.VELOCITY] += jn * nx
    b[i, ball.VELOCITY + 1] += jn * ny
    b[i, ball.VELOCITY + 2] += jn * nz
    grip = b[i, ball.IMPACT_FRICTION] * jn
    if grip > 0.0:
        r = b[i, ball.RADIUS]
        sx, sy, sz = b[i, ball.ANGULAR_VELOCITY], b[i, ball.ANGULAR_VELOCITY + 1], b[i, ball.ANGULAR_VELOCITY + 2]
        ux = vx - vn * nx - r * (sy * nz - sz * ny)
        uy = vy - vn * ny - r * (sz * nx - sx * nz)
        uz = vz - vn * nz - r * (sx * ny - sy * nx)
        slip = sqrt(ux * ux + uy * uy + uz * uz)
        if slip > 0.0:
            part = -min(TWO_SEVENTHS, grip / slip)
            jx, jy, jz = part * ux, part * uy, part * uz
            b[i, ball.VELOCITY] += jx
            b[i, ball.VELOCITY + 1] += jy
            b[i, ball.VELOCITY + 2] += jz
            turn = 2.5 / r
            b[i, ball.ANGULAR_VELOCITY] -= turn * (ny * jz - nz * jy)
            b[i, ball.ANGULAR_VELOCITY + 1] -= turn * (nz * jx - nx * jz)
            b[i, ball.ANGULAR_VELOCITY + 2] -= turn * (nx * jy - ny * jx)
    return float(back)


@inner
def apply_ball_impulse(b: Any, i: int, j: int, nx: float, ny: float, nz: float, slow: float) -> float:
    """Balls i and j strike each other, n points from j to i; as above."""
    vx, vy, vz = (
        b[i, ball.VELOCITY] - b[j, ball.VELOCITY],
        b[i, ball.VELOCITY + 1] - b[j, ball.VELOCITY + 1],
        b[i, ball.VELOCITY + 2] - b[j, ball.VELOCITY + 2],
    )
    vn = nx * vx + ny * vy + nz * vz
    share = b[i, ball.INVERSE_MASS] + b[j, ball.INVERSE_MASS]
    if vn >= 0.0 or share <= 0.0:
        return -1.0
    back = min(b[i, ball.RESTITUTION], b[j, ball.RESTITUTION]) if vn < -slow else 0.0
    jn = -(1.0 + back) * vn / share
    si, sj = jn * b[i, ball.INVERSE_MASS], jn * b[j, ball.INVERSE_MASS]
    b[i, ball.VELOCITY] += si * nx
    b[i, ball.VELOCITY + 1] += si * ny
    b[i, ball.VELOCITY + 2] += si * nz
    b[j, ball.VELOCITY] -= sj * nx
    b[j, ball.VELOCITY + 1] -= sj * ny
    b[j, ball.VELOCITY + 2] -= sj * nz
    grip = sqrt(b[i, ball.FRICTION] * b[j, ball.FRICTION]) * jn
    if grip > 0.0:
        ri, rj = b[i, ball.RADIUS], b[j, ball.RADIUS]
        wx = ri * b[i, ball.ANGULAR_VELOCITY] + rj * b[j, ball.ANGULAR_VELOCITY]
        wy = ri * b[i, ball.ANGULAR_VELOCITY + 1] + rj * b[j, ball.ANGULAR_VELOCITY + 1]
        wz = ri * b[i, ball.ANGULAR_VELOCITY + 2] + rj * b[j, ball.ANGULAR_VELOCITY + 2]
        ux = vx - vn * nx - (wy * nz - wz * ny)
        uy = vy - vn * ny - (wz * nx - wx * nz)
        uz = vz - vn * nz - (wx * ny - wy * nx)
        slip = sqrt(ux * ux + uy * uy + uz * uz)
        if slip > 0.0:
            part = -min(TWO_SEVENTHS / share, grip / slip)
            jx, jy, jz = part * ux, part * uy, part * uz
            li, lj = b[i, ball.INVERSE_MASS], b[j, ball.INVERSE_MASS]
            b[i, ball.VELOCITY] += li * jx
            b[i, ball.VELOCITY + 1] += li * jy
            b[i, ball.VELOCITY + 2] += li * jz
            b[j, ball.VELOCITY] -= lj * jx
            b[j, ball.VELOCITY + 1] -= lj * jy
            b[j, ball.VELOCITY + 2] -= lj * jz
            cx, cy, cz = ny * jz - nz * jy, nz * jx - nx * jz, nx * jy - ny * jx
            ti, tj = 2.5 * li / ri, 2.5 * lj / rj
            b[i, ball.ANGULAR_VELOCITY] -= ti * cx
            b[i, ball.ANGULAR_VELOCITY + 1] -= ti * cy
            b[i, ball.ANGULAR_VELOCITY + 2] -= ti * cz
            b[j, ball.ANGULAR_VELOCITY] -= tj * cx
            b[j, ball.ANGULAR_VELOCITY + 1] -= tj * cy
            b[j, ball.ANGULAR_VELOCITY + 2] -= tj * cz
    return float(back)
