"""Candidates: the triangles a tick can reach, brought into ellipsoid space once (movement.md, section 2).

Ellipsoid space undoes the heading first and divides by the radii after (seed 000 has the two the wrong way round):
x_e = S^-1 R(-heading) (x_w - base). In it the body is a unit sphere.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from game.physics.jit import kernel
from game.physics.tree import tree_query
from game.physics.trig import heading_sin_cos
from game.physics.work import (
    BASE,
    BOX,
    CANDIDATES,
    COS,
    MOVED,
    SIN,
    SKIN,
    WANTED,
    Mesh,
    R,
    Work,
)

MARGIN = 0.02  # m added around what a move needs, so that the small moves after it find the box still large enough


@kernel
def to_ellipsoid(b: Any, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A world displacement in ellipsoid space."""
    s, c = b[SIN], b[COS]
    return (c * x - s * z) / b[R], y / b[R + 1], (s * x + c * z) / b[R + 2]


@kernel
def to_world(b: Any, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A displacement in ellipsoid space in the world."""
    s, c = b[SIN], b[COS]
    px, pz = x * b[R], z * b[R + 2]
    return c * px + s * pz, y * b[R + 1], c * pz - s * px


@kernel
def support(b: Any, nx: float, ny: float, nz: float) -> float:
    """How far the ellipsoid reaches along a unit world direction, m."""
    s, c = b[SIN], b[COS]
    x, y, z = b[R] * (c * nx - s * nz), b[R + 1] * ny, b[R + 2] * (s * nx + c * nz)
    return sqrt(x * x + y * y + z * z)


@kernel
def transform_one(mesh: Mesh, w: Work, i: int) -> None:
    """Bring candidate i into the present ellipsoid space."""
    b, near = w.body, w.near
    t = w.ids[i]
    for k in range(0, 9, 3):
        near[i, k], near[i, k + 1], near[i, k + 2] = to_ellipsoid(
            b,
            mesh.triangles[t, k] - b[BASE],
            mesh.triangles[t, k + 1] - b[BASE + 1],
            mesh.triangles[t, k + 2] - b[BASE + 2],
        )
    nx, ny, nz = mesh.triangles[t, 9], mesh.triangles[t, 10], mesh.triangles[t, 11]
    s, c = b[SIN], b[COS]
    x, y, z = b[R] * (c * nx - s * nz), b[R + 1] * ny, b[R + 2] * (s * nx + c * nz)
    length = sqrt(x * x + y * y + z * z)
    near[i, 9], near[i, 10], near[i, 11] = x / length, y / length, z / length


@kernel
def transform(mesh: Mesh, w: Work) -> None:
    """Bring the candidates into the present ellipsoid space."""
    for i in range(w.count[CANDIDATES]):
        transform_one(mesh, w, i)


@kernel
def cover_box(mesh: Mesh, w: Work, x0: float, y0: float, z0: float, x1: float, y1: float, z1: float) -> None:
    """Make sure that the candidates hold every triangle that meets a box (world, relative to the base)."""
    b = w.body
    if (
        x0 >= b[BOX]
        and y0 >= b[BOX + 1]
        and z0 >= b[BOX + 2]
        and x1 <= b[BOX + 3]
        and y1 <= b[BOX + 4]
        and z1 <= b[BOX + 5]
    ):
        return
    b[BOX], b[BOX + 1], b[BOX + 2] = x0 - MARGIN, y0 - MARGIN, z0 - MARGIN
    b[BOX + 3], b[BOX + 4], b[BOX + 5] = x1 + MARGIN, y1 + MARGIN, z1 + MARGIN
    found = tree_query(
        mesh.nodes,
        mesh.links,
        mesh.triangles,
        b[BASE] + b[BOX],
        b[BASE + 1] + b[BOX + 1],
        b[BASE + 2] + b[BOX + 2],
        b[BASE] + b[BOX + 3],
        b[BASE + 1] + b[BOX + 4],
        b[BASE + 2] + b[BOX + 5],
        w.ids,
    )
    w.count[WANTED] = max(w.count[WANTED], found)
    w.count[CANDIDATES] = min(found, len(w.ids))
    transform(mesh, w)


@kernel
def cover(mesh: Mesh, w: Work, dx: float, dy: float, dz: float) -> None:
    """Make sure that the candidates hold everything the body can touch here and moved by d (world)."""
    b = w.body
    side = max(b[R], b[R + 2]) * (1.0 + 2.0 * b[SKIN])
    tall = b[R + 1] * (1.0 + 2.0 * b[SKIN])
    x, y, z = b[MOVED], b[MOVED + 1], b[MOVED + 2]
    cover_box(
        mesh,
        w,
        x + min(dx, 0.0) - side,
        y + min(dy, 0.0) - tall,
        z + min(dz, 0.0) - side,
        x + max(dx, 0.0) + side,
        y + max(dy, 0.0) + tall,
        z + max(dz, 0.0) + side,
    )


@kernel
def begin(w: Work, x: float, y: float, z: float, skin: float) -> None:
    """Put the base at a world position and forget the candidates."""
    b = w.body
    b[BASE], b[BASE + 1], b[BASE + 2] = x, y, z
    b[MOVED], b[MOVED + 1], b[MOVED + 2] = 0.0, 0.0, 0.0
    b[SKIN] = skin
    for k in range(3):
        b[BOX + k], b[BOX + 3 + k] = 1.0, -1.0
    w.count[CANDIDATES] = 0


@kernel
def take_shape(w: Work, heading: int, rx: float, ry: float, rz: float) -> None:
    """Give the body its heading and radii; the caller transforms what it has gathered. A round body never turns."""
    b = w.body
    b[R], b[R + 1], b[R + 2] = rx, ry, rz
    if rx == rz:
        b[SIN], b[COS] = 0.0, 1.0
    else:
        b[SIN], b[COS] = heading_sin_cos(heading)
