"""Impulses of an impact: a ball against a surface, and two balls, with restitution, Coulomb friction and spin.

A solid sphere has I = 2/5 m r^2, so its effective mass at the contact point is 2/7 m along the surface: friction brings
the point to rest with the impulse 2/7 m |slip|, or is limited by mu times the normal impulse. Spin changes by 5/2 (n x
j) / (m r). b: rows of balls (rows.ball), i and j: balls. Source: A. Domenech, "A classical experiment revisited: the
bounce of balls and superballs" (2005).
"""

from __future__ import annotations

from math import sqrt

from ...core.vectors import Floats
from ..numerics.jit import inner
from .rows import ball
from .solver import TWO_SEVENTHS


@inner
def apply_surface_impulse(b: Floats, i: int, threshold: float) -> float:
    """Impact of ball i with the surface of its row; returns the restitution applied, -1.0 without approach.

    Impacts slower than threshold (m/s) do not bounce.
    """
    nx, ny, nz = b[i, ball.IMPACT_NORMAL], b[i, ball.IMPACT_NORMAL + 1], b[i, ball.IMPACT_NORMAL + 2]
    vx, vy, vz = (
        b[i, ball.VELOCITY] - b[i, ball.IMPACT_VELOCITY],
        b[i, ball.VELOCITY + 1] - b[i, ball.IMPACT_VELOCITY + 1],
        b[i, ball.VELOCITY + 2] - b[i, ball.IMPACT_VELOCITY + 2],
    )
    vn = nx * vx + ny * vy + nz * vz
    if vn >= 0.0:
        return -1.0
    restitution = b[i, ball.IMPACT_RESTITUTION] if vn < -threshold else 0.0
    jn = -(1.0 + restitution) * vn
    b[i, ball.VELOCITY] += jn * nx
    b[i, ball.VELOCITY + 1] += jn * ny
    b[i, ball.VELOCITY + 2] += jn * nz
    friction_limit = b[i, ball.IMPACT_FRICTION] * jn
    if friction_limit > 0.0:
        r = b[i, ball.RADIUS]
        sx, sy, sz = b[i, ball.ANGULAR_VELOCITY], b[i, ball.ANGULAR_VELOCITY + 1], b[i, ball.ANGULAR_VELOCITY + 2]
        ux = vx - vn * nx - r * (sy * nz - sz * ny)
        uy = vy - vn * ny - r * (sz * nx - sx * nz)
        uz = vz - vn * nz - r * (sx * ny - sy * nx)
        slip = sqrt(ux * ux + uy * uy + uz * uz)
        if slip > 0.0:
            scale = -min(TWO_SEVENTHS, friction_limit / slip)
            jx, jy, jz = scale * ux, scale * uy, scale * uz
            b[i, ball.VELOCITY] += jx
            b[i, ball.VELOCITY + 1] += jy
            b[i, ball.VELOCITY + 2] += jz
            spin_factor = 2.5 / r
            b[i, ball.ANGULAR_VELOCITY] -= spin_factor * (ny * jz - nz * jy)
            b[i, ball.ANGULAR_VELOCITY + 1] -= spin_factor * (nz * jx - nx * jz)
            b[i, ball.ANGULAR_VELOCITY + 2] -= spin_factor * (nx * jy - ny * jx)
    return float(restitution)


@inner
def apply_ball_impulse(b: Floats, i: int, j: int, nx: float, ny: float, nz: float, threshold: float) -> float:
    """Impact of balls i and j, n from j to i; returns the restitution applied, -1.0 without approach.

    Impacts slower than threshold (m/s) do not bounce.
    """
    vx, vy, vz = (
        b[i, ball.VELOCITY] - b[j, ball.VELOCITY],
        b[i, ball.VELOCITY + 1] - b[j, ball.VELOCITY + 1],
        b[i, ball.VELOCITY + 2] - b[j, ball.VELOCITY + 2],
    )
    vn = nx * vx + ny * vy + nz * vz
    inverse_mass = b[i, ball.INVERSE_MASS] + b[j, ball.INVERSE_MASS]
    if vn >= 0.0 or inverse_mass <= 0.0:
        return -1.0
    restitution = min(b[i, ball.RESTITUTION], b[j, ball.RESTITUTION]) if vn < -threshold else 0.0
    jn = -(1.0 + restitution) * vn / inverse_mass
    si, sj = jn * b[i, ball.INVERSE_MASS], jn * b[j, ball.INVERSE_MASS]
    b[i, ball.VELOCITY] += si * nx
    b[i, ball.VELOCITY + 1] += si * ny
    b[i, ball.VELOCITY + 2] += si * nz
    b[j, ball.VELOCITY] -= sj * nx
    b[j, ball.VELOCITY + 1] -= sj * ny
    b[j, ball.VELOCITY + 2] -= sj * nz
    friction_limit = sqrt(b[i, ball.FRICTION] * b[j, ball.FRICTION]) * jn
    if friction_limit > 0.0:
        ri, rj = b[i, ball.RADIUS], b[j, ball.RADIUS]
        wx = ri * b[i, ball.ANGULAR_VELOCITY] + rj * b[j, ball.ANGULAR_VELOCITY]
        wy = ri * b[i, ball.ANGULAR_VELOCITY + 1] + rj * b[j, ball.ANGULAR_VELOCITY + 1]
        wz = ri * b[i, ball.ANGULAR_VELOCITY + 2] + rj * b[j, ball.ANGULAR_VELOCITY + 2]
        ux = vx - vn * nx - (wy * nz - wz * ny)
        uy = vy - vn * ny - (wz * nx - wx * nz)
        uz = vz - vn * nz - (wx * ny - wy * nx)
        slip = sqrt(ux * ux + uy * uy + uz * uz)
        if slip > 0.0:
            scale = -min(TWO_SEVENTHS / inverse_mass, friction_limit / slip)
            jx, jy, jz = scale * ux, scale * uy, scale * uz
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
    return float(restitution)
