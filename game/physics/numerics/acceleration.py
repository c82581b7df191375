"""Exact integration of velocity over one tick, for one component (m/s, m, s).

Each rule is constant within a tick and solved in closed form, so that the path does not depend on the tick rate.
Every function returns (velocity after dt, displacement during dt).
"""

from __future__ import annotations

from math import sqrt

from ...core.vectors import Vector
from .jit import inner


@inner
def integrate_acceleration(v: float, target: float, rate: float, gap: float, dt: float) -> tuple[float, float]:
    """One component of a velocity vector that approaches its target at a constant rate.

    The vector is `gap` (m/s) away from its target and approaches it by `rate` (m/s2); `v` and `target` are one
    component of both. Until the target is reached (t = gap / rate): v' = v + (target - v) rate dt / gap,
    u = (v + v') dt / 2. From then on the velocity stays at the target.
    """
    max_change = rate * dt
    if gap <= max_change:
        ramp = gap / rate
        return target, 0.5 * (v + target) * ramp + target * (dt - ramp)
    after = v + (target - v) * (max_change / gap)
    return after, 0.5 * (v + after) * dt


@inner
def integrate_fall(v: float, gravity: float, limit: float, dt: float) -> tuple[float, float]:
    """Upward velocity under gravity (m/s2), never faster downwards than `limit` (m/s).

    v' = v - g dt, u = v dt - g dt^2 / 2, until v' = -limit.
    """
    after = v - gravity * dt
    if after >= -limit:
        return after, v * dt - 0.5 * gravity * dt * dt
    if v <= -limit or gravity == 0.0:
        return -limit, -limit * dt
    ramp = (v + limit) / gravity
    return -limit, v * ramp - 0.5 * gravity * ramp * ramp - limit * (dt - ramp)


@inner
def integrate_updraft(v: float, target: float, gravity: float, dt: float) -> tuple[float, float]:
    """Upward velocity in a vertical current of `target` (m/s).

    The current pulls by 2 g against gravity's g, so the velocity approaches the target by g from either side:
    v' = v +- g dt until v' = target.
    """
    gap = target - v
    size = abs(gap)
    if size <= gravity * dt:
        ramp = size / gravity if gravity > 0.0 else 0.0
        return target, 0.5 * (v + target) * ramp + target * (dt - ramp)
    after = v + gravity * dt if gap > 0.0 else v - gravity * dt
    return after, 0.5 * (v + after) * dt


@inner
def integrate_slip(
    v: tuple[float, float], wish: tuple[float, float], normal: Vector, friction: float, g: float, dt: float
) -> tuple[float, float, float, float]:
    """Horizontal velocity (m/s) and horizontal displacement (m) after dt on a slope that is too steep for its friction.

    v, wish: horizontal velocity and wish velocity (x, z); normal: of the slope, its y is cos(slope). Along the
    contour and down the slope: gravity accelerates by g sin(slope); grip of at most friction g cos(slope) works towards
    the wish.
    """
    (vx, vz), (wx, wz), (nx, up, nz) = v, wish, normal
    length = sqrt(nx * nx + nz * nz)
    if length == 0.0:
        return vx, vz, vx * dt, vz * dt
    dx, dz = nx / length, nz / length
    sine = sqrt(max(1.0 - up * up, 0.0))
    along, down = vz * dx - vx * dz, (vx * dx + vz * dz) / up
    wish_along, wish_down = wz * dx - wx * dz, (wx * dx + wz * dz) / up
    pull, grip = g * sine, friction * g * up
    a, d = (wish_along - along) / dt, (wish_down - down) / dt - pull
    size = sqrt(a * a + d * d)
    if size > grip:
        a, d = a * grip / size, d * grip / size
    after_along, after_down = along + a * dt, down + (pull + d) * dt
    far_along, far_down = 0.5 * (along + after_along) * dt, 0.5 * (down + after_down) * up * dt
    after_down = after_down * up
    return (
        after_down * dx - after_along * dz,
        after_down * dz + after_along * dx,
        far_down * dx - far_along * dz,
        far_down * dz + far_along * dx,
    )


@inner
def exponential_decay(x: float) -> float:
    """exp(-x) for x >= 0, with an error of at most 1e-14.

    The library's exp differs between machines. Here x is halved until x <= 1/8, the Taylor series of degree 10 is
    summed by Horner's rule, and the result is squared as often as x was halved.
    """
    halvings = 0
    while x > 0.125 and halvings < 60:
        x = x * 0.5
        halvings += 1
    e = 1.0
    for k in range(10, 0, -1):
        e = 1.0 - x * e / k
    for _ in range(halvings):
        e = e * e
    return e
