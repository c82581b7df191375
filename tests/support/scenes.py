"""Small test worlds for the walker, built of quads, and a brute-force gap between body and mesh."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from game.physics import Ellipsoid, Environment, TriangleMesh, Walker, WalkerState

Point = tuple[float, float, float]
Triangles = list[tuple[Point, Point, Point]]

BODIES = {"default": (0.35, 0.90, 0.25), "slim": (0.35, 0.90, 0.12), "round": (0.35, 0.90, 0.35)}


def quad(a: Point, b: Point, c: Point, d: Point) -> Triangles:
    """Two triangles."""
    return [(a, b, c), (a, c, d)]


def floor(x0: float, z0: float, x1: float, z1: float, y: float = 0.0, tiles: int = 1) -> Triangles:
    """Level floor of tiles x tiles quads, facing up."""
    xs, zs = np.linspace(x0, x1, tiles + 1), np.linspace(z0, z1, tiles + 1)
    out: Triangles = []
    for i in range(tiles):
        for j in range(tiles):
            a, b, c, d = xs[i], xs[i + 1], zs[j], zs[j + 1]
            out += quad((a, y, d), (b, y, d), (b, y, c), (a, y, c))
    return out


def wall(x0: float, z0: float, x1: float, z1: float, height: float, y: float = 0.0, tiles: int = 1) -> Triangles:
    """Upright wall from (x0, z0) to (x1, z1) of tiles x tiles quads."""
    s = np.linspace(0.0, 1.0, tiles + 1)
    out: Triangles = []
    for i in range(tiles):
        for j in range(tiles):
            ax, az = x0 + s[i] * (x1 - x0), z0 + s[i] * (z1 - z0)
            bx, bz = x0 + s[i + 1] * (x1 - x0), z0 + s[i + 1] * (z1 - z0)
            lo, hi = y + s[j] * height, y + s[j + 1] * height
            out += quad((ax, lo, az), (bx, lo, bz), (bx, hi, bz), (ax, hi, az))
    return out


def box(x0: float, y0: float, z0: float, x1: float, y1: float, z1: float) -> Triangles:
    """Closed box facing outwards."""
    out = floor(x0, z0, x1, z1, y1)
    out += quad((x0, y0, z0), (x1, y0, z0), (x1, y0, z1), (x0, y0, z1))
    out += wall(x0, z1, x1, z1, y1 - y0, y0) + wall(x1, z0, x0, z0, y1 - y0, y0)
    out += wall(x1, z1, x1, z0, y1 - y0, y0) + wall(x0, z0, x0, z1, y1 - y0, y0)
    return out


def ramp(angle: float, length: float = 10.0, width: float = 10.0, z: float = 0.0) -> Triangles:
    """Slope of `angle` degrees rising towards -Z from z, `length` metres horizontally."""
    h = math.tan(math.radians(angle)) * length
    w = width / 2.0
    return quad((-w, 0.0, z), (w, 0.0, z), (w, h, z - length), (-w, h, z - length))


def stairs(rise: float, run: float, steps: int, width: float = 6.0, z: float = 0.0) -> Triangles:
    """Stairs rising towards -Z from z, with a landing of 6 m on top."""
    w = width / 2.0
    out: Triangles = []
    for k in range(steps):
        front, y = z - k * run, k * rise
        out += quad((-w, y, front), (w, y, front), (w, y + rise, front), (-w, y + rise, front))
        back = front - run if k < steps - 1 else front - 6.0
        out += quad((-w, y + rise, front), (w, y + rise, front), (w, y + rise, back), (-w, y + rise, back))
    return out


def turned(triangles: Triangles, degrees: float, about: Point = (0.0, 0.0, 0.0)) -> Triangles:
    """The same triangles rotated about the vertical, counter-clockwise seen from above; exact by quarter turns."""
    a = math.radians(degrees)
    s, c = (round(math.sin(a)), round(math.cos(a))) if degrees % 90 == 0 else (math.sin(a), math.cos(a))
    out: Triangles = []
    for triangle in triangles:
        corners = []
        for x, y, z in triangle:
            dx, dz = x - about[0], z - about[2]
            corners.append((about[0] + c * dx + s * dz, y, about[2] + c * dz - s * dx))
        out.append((corners[0], corners[1], corners[2]))
    return out


def mesh(*parts: Triangles) -> TriangleMesh:
    return TriangleMesh(np.array([t for part in parts for t in part], dtype=np.float64))


def heading(degrees: float) -> int:
    return round(degrees * 65536 / 360) % 65536


def walk(
    world: TriangleMesh, ticks: int, feet: Point = (0.0, 0.0, 0.0), walker: Walker | None = None, degrees: float = 0.0,
    around: Environment | None = None, **columns: Any,
) -> tuple[WalkerState, Any]:  # fmt: skip
    """The spawn and the state after each tick; `columns` of the commands are arrays, or one value for all ticks."""
    walker, given = walker or Walker(), {"heading": heading(degrees), **columns}
    rows = walker.commands(**{name: np.broadcast_to(column, ticks) for name, column in given.items()})
    start = walker.spawn(world, feet, heading(degrees), around=around)
    return start, walker.run(start, rows, world, around=around)


def gap(walker: Walker, state: Any, world: TriangleMesh) -> float:
    """Smallest gap between body and mesh in ellipsoid space by brute force in NumPy; 9 if no triangle is near."""
    row = state.row() if isinstance(state, WalkerState) else np.atleast_1d(state)
    return float(gaps(row, world.triangles12[:, :9].reshape(1, -1, 3, 3))[0])


def gaps(states: Any, triangles: Any) -> Any:
    """`gap` of each of k state rows to its own (k, n, 3, 3) triangles, or to the same (1, n, 3, 3)."""
    radii = states["radii"]
    angle = np.where(radii[:, 0] == radii[:, 2], 0.0, states["heading"] * 2.0 * math.pi / 65536.0)
    t = triangles - states["position"][:, None, None]
    reach = 1.5 * radii.max(axis=1)[:, None, None]
    near = ((t.min(axis=2) <= reach) & (t.max(axis=2) >= -reach)).all(axis=2)
    row, t = np.nonzero(near)[0], t[near]
    up, north = states["up"], states["north"]
    t = t @ np.stack((np.cross(north, up), up, -north), -1)[row]  # into the frame of the body
    s, c = np.sin(angle)[row, None], np.cos(angle)[row, None]
    scaled = np.stack((c * t[..., 0] - s * t[..., 2], t[..., 1], s * t[..., 0] + c * t[..., 2]), -1)
    distance = np.full(near.shape, 10.0)
    distance[near] = distances(scaled / radii[row, None])
    return distance.min(axis=1) - 1.0


def distances(triangles: Any) -> Any:
    """Distance of the origin from each of (n, 3, 3) triangles: to the edges, and to the plane where its foot is
    inside."""
    edges = triangles[:, [1, 2, 0]] - triangles
    u = np.minimum(np.maximum(-_dot(triangles, edges) / _dot(edges, edges), 0.0), 1.0)
    nearest = triangles + u[..., None] * edges
    best = np.sqrt(_dot(nearest, nearest).min(axis=1))
    normals = _cross(edges[:, 0], edges[:, 1])
    normals /= np.sqrt(_dot(normals, normals))[:, None]
    h = _dot(triangles[:, 0], normals)
    feet = h[:, None] * normals
    inside = (_dot(_cross(edges, feet[:, None] - triangles), normals[:, None]) >= 0.0).all(axis=1)
    return np.where(inside, np.minimum(best, abs(h)), best)


def _dot(a: Any, b: Any) -> Any:
    return np.einsum("...k,...k->...", a, b)


def _cross(a: Any, b: Any) -> Any:
    """Cross product; a tenth of the time of np.cross for few vectors."""
    return a[..., [1, 2, 0]] * b[..., [2, 0, 1]] - a[..., [2, 0, 1]] * b[..., [1, 2, 0]]


def ellipsoid(state: WalkerState) -> Ellipsoid:
    return Ellipsoid(state.radii)
