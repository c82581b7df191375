"""Body frame and ellipsoid space: how vectors of the world, of the body and of its unit sphere become each other.

Ellipsoid space undoes the heading, then divides by the radii: x_e = S^-1 R(-heading) (x - origin), S = diag(radii).
The body is a unit sphere there. Scaling first and rotating afterwards would shear a turned body.
"""

from __future__ import annotations

from math import sqrt

from ...core.vectors import Floats
from ..numerics.jit import inner
from ..numerics.trigonometry import heading_sin_cos
from .rows import body
from .scratch import Scratch


@inner
def to_ellipsoid_space(b: Floats, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A displacement of the body frame in ellipsoid space."""
    s, c = b[body.SIN_HEADING], b[body.COS_HEADING]
    return (
        (c * x - s * z) * b[body.INVERSE_RADII],
        y * b[body.INVERSE_RADII + 1],
        (s * x + c * z) * b[body.INVERSE_RADII + 2],
    )


@inner
def ellipsoid_to_body_frame(b: Floats, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A displacement of ellipsoid space in the body frame (m)."""
    s, c = b[body.SIN_HEADING], b[body.COS_HEADING]
    px, pz = x * b[body.RADII], z * b[body.RADII + 2]
    return c * px + s * pz, y * b[body.RADII + 1], c * pz - s * px


@inner
def world_to_body_frame(b: Floats, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A vector with world components, by the body's east, up and south."""
    return (
        b[body.FRAME] * x + b[body.FRAME + 1] * y + b[body.FRAME + 2] * z,
        b[body.FRAME + 3] * x + b[body.FRAME + 4] * y + b[body.FRAME + 5] * z,
        b[body.FRAME + 6] * x + b[body.FRAME + 7] * y + b[body.FRAME + 8] * z,
    )


@inner
def body_frame_to_world(b: Floats, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A vector with components along the body's east, up and south, in world directions."""
    return (
        b[body.FRAME] * x + b[body.FRAME + 3] * y + b[body.FRAME + 6] * z,
        b[body.FRAME + 1] * x + b[body.FRAME + 4] * y + b[body.FRAME + 7] * z,
        b[body.FRAME + 2] * x + b[body.FRAME + 5] * y + b[body.FRAME + 8] * z,
    )


@inner
def set_body_frame(b: Floats, ux: float, uy: float, uz: float, nx: float, ny: float, nz: float) -> None:
    """Set the body frame: u is up, n is north (orthogonal unit vectors of the world); east = n x u."""
    b[body.FRAME], b[body.FRAME + 1], b[body.FRAME + 2] = ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux
    b[body.FRAME + 3], b[body.FRAME + 4], b[body.FRAME + 5] = ux, uy, uz
    b[body.FRAME + 6], b[body.FRAME + 7], b[body.FRAME + 8] = -nx, -ny, -nz
    b[body.FRAME_IS_ROTATED] = 0.0 if uy == 1.0 and nz == -1.0 else 1.0


@inner
def body_box_to_world(
    b: Floats, x: float, y: float, z: float, side: float, below: float, above: float
) -> tuple[float, float, float, float, float, float]:
    """World box (min xyz, max xyz) around a box of the body frame at the world position (x, y, z).

    side, below, above: its half width, and its extents down and up, m. Half extents transform by |R|.
    """
    shift, half_height = 0.5 * (above - below), 0.5 * (above + below)
    x, y, z = x + shift * b[body.FRAME + 3], y + shift * b[body.FRAME + 4], z + shift * b[body.FRAME + 5]
    hx = side * (abs(b[body.FRAME]) + abs(b[body.FRAME + 6])) + half_height * abs(b[body.FRAME + 3])
    hy = side * (abs(b[body.FRAME + 1]) + abs(b[body.FRAME + 7])) + half_height * abs(b[body.FRAME + 4])
    hz = side * (abs(b[body.FRAME + 2]) + abs(b[body.FRAME + 8])) + half_height * abs(b[body.FRAME + 5])
    return x - hx, y - hy, z - hz, x + hx, y + hy, z + hz


@inner
def support_distance(b: Floats, nx: float, ny: float, nz: float) -> float:
    """Distance (m) from the centre to the ellipsoid's tangent plane with the unit normal n: |S R(-heading) n|."""
    s, c = b[body.SIN_HEADING], b[body.COS_HEADING]
    x, y, z = b[body.RADII] * (c * nx - s * nz), b[body.RADII + 1] * ny, b[body.RADII + 2] * (s * nx + c * nz)
    return sqrt(x * x + y * y + z * z)


@inner
def set_body_shape(w: Scratch, heading: int, rx: float, ry: float, rz: float) -> None:
    """Set heading and radii (m) of the body. The caller transforms the candidates. A round body never turns."""
    b = w.body
    b[body.RADII], b[body.RADII + 1], b[body.RADII + 2] = rx, ry, rz
    b[body.INVERSE_RADII], b[body.INVERSE_RADII + 1], b[body.INVERSE_RADII + 2] = 1.0 / rx, 1.0 / ry, 1.0 / rz
    if rx == rz:
        b[body.SIN_HEADING], b[body.COS_HEADING] = 0.0, 1.0
    else:
        b[body.SIN_HEADING], b[body.COS_HEADING] = heading_sin_cos(heading)
