"""Cuts in a terrain: patches of another surface with curved borders, and round cups for balls.

Polygons are convex and are clipped one by one. A shared edge is cut at the same point from both sides, to the bit,
so that no crack opens.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ....core.vectors import Flags, Floats, Ints, Point, sum_in_order
from ...geometry.instance_transform import exact_sin_cos

MIN_CUT_FRACTION = 0.04  # of an edge: a cut nearer to its end would make slivers that shade badly
CUP_SIDES = 20
CUP_EDGE_TOLERANCE = 1e-9  # in radii: a point nearer to a side of the cup is on it


@dataclass(slots=True)
class TerrainTop:
    """Upper faces of a terrain.

    corners (M,4,3): a triangle repeats its third. surface (M,): index. cell (M,): in row order.
    """

    corners: Floats
    surface: Ints
    cell: Ints


@dataclass(slots=True)
class CupRim:
    """Rim of a cup: upper edges of its wall, from right to left as seen from inside."""

    sides: list[tuple[Point, Point]] = field(default_factory=list)


def paint_patch(top: TerrainTop, inside: Callable[[Floats, Floats], Floats], surface: int) -> TerrainTop:
    """The top with another surface where `inside(x, z)` is positive, cut along its zero line."""
    x, z = top.corners[..., 0], top.corners[..., 2]
    value = np.asarray(inside(x, z), dtype=np.float64)
    above, below = (value > 0.0), (value < 0.0)
    painted = above.any(axis=1) & ~below.any(axis=1)
    is_cut = np.asarray(above.any(axis=1) & below.any(axis=1), dtype=np.bool_)
    surfaces = np.where(painted, np.int32(surface), top.surface)
    if not is_cut.any():
        return TerrainTop(top.corners, surfaces.astype(np.int32), top.cell)
    triangles: list[list[Point]] = []
    triangle_surfaces: list[int] = []
    cells: list[int] = []
    for row in np.flatnonzero(is_cut).tolist():
        for corners in ((0, 1, 2), (0, 2, 3)):
            points = [_corner_tuple(top.corners[row, k]) for k in corners]
            if points[1] == points[2]:
                continue
            values = [float(value[row, k]) for k in corners]
            for sign, triangle_surface in ((1.0, surface), (-1.0, int(top.surface[row]))):
                polygon = _clip_polygon(points, [sign * v for v in values])
                for triangle in _triangulate_fan(polygon):
                    triangles.append(triangle)
                    triangle_surfaces.append(triangle_surface)
                    cells.append(int(top.cell[row]))
    return _replace_faces(top, surfaces, ~is_cut, triangles, triangle_surfaces, cells)


def cut_cup(top: TerrainTop, x: float, z: float, radius: float) -> tuple[TerrainTop, CupRim]:
    """The top without a round hole at x, z, and the rim of the hole."""
    angles = [exact_sin_cos(360.0 * k / CUP_SIDES) for k in range(CUP_SIDES)]
    outline = [(x + radius * sine, z + radius * cosine) for sine, cosine in angles]  # counter-clockwise from above
    low, high = top.corners.min(axis=1)[:, ::2], top.corners.max(axis=1)[:, ::2]
    overlaps = np.all((low < (x + radius, z + radius)) & (high > (x - radius, z - radius)), axis=1)
    triangles: list[list[Point]] = []
    surfaces: list[int] = []
    cells: list[int] = []
    rim = CupRim()
    for row in np.flatnonzero(overlaps).tolist():
        for corners in ((0, 1, 2), (0, 2, 3)):
            polygon = [_corner_tuple(top.corners[row, k]) for k in corners]
            if polygon[1] == polygon[2]:
                continue
            for k in range(CUP_SIDES):
                (ax, az), (bx, bz) = outline[k], outline[(k + 1) % CUP_SIDES]
                distances = [(p[0] - ax) * (bz - az) - (p[2] - az) * (bx - ax) for p in polygon]
                distances = [0.0 if abs(value) < CUP_EDGE_TOLERANCE * radius else -value for value in distances]
                for triangle in _triangulate_fan(_clip_polygon(polygon, distances, 0.0)):
                    triangles.append(triangle)
                    surfaces.append(int(top.surface[row]))
                    cells.append(int(top.cell[row]))
                polygon = _clip_polygon(polygon, [-value for value in distances], 0.0)
                if len(polygon) < 3:
                    break
            if len(polygon) >= 3:
                rim.sides += _rim_sides(polygon, outline, radius)
    return _replace_faces(top, top.surface, ~overlaps, triangles, surfaces, cells), rim


def build_cup_faces(rim: CupRim, x: float, z: float, depth: float) -> tuple[Floats, Point]:
    """Wall and bottom (K,4,3) of a cup, `depth` below its rim, and the centre of the rim."""
    rim_height = sum_in_order(a[1] + b[1] for a, b in rim.sides) / max(2 * len(rim.sides), 1)
    bottom = rim_height - depth
    faces = []
    for a, b in rim.sides:
        low_a, low_b = (a[0], bottom, a[2]), (b[0], bottom, b[2])
        faces.append((low_b, low_a, a, b))
        faces.append((low_a, low_b, (x, bottom, z), (x, bottom, z)))
    return np.array(faces, dtype=np.float64).reshape(-1, 4, 3), (x, rim_height, z)


def _replace_faces(
    top: TerrainTop,
    surfaces: Ints,
    keep: Flags,
    triangles: list[list[Point]],
    triangle_surfaces: list[int],
    cells: list[int],
) -> TerrainTop:
    """The top with the faces of the mask `keep`, then the triangles."""
    rows = np.array([[*triangle, triangle[2]] for triangle in triangles], dtype=np.float64).reshape(-1, 4, 3)
    return TerrainTop(
        np.concatenate([top.corners[keep], rows]),
        np.concatenate([surfaces[keep], np.array(triangle_surfaces, np.int32)]).astype(np.int32),
        np.concatenate([top.cell[keep], np.array(cells, np.int32)]).astype(np.int32),
    )


def _corner_tuple(row: Floats) -> Point:
    return float(row[0]), float(row[1]), float(row[2])


def _clip_polygon(corners: list[Point], values: list[float], margin: float = MIN_CUT_FRACTION) -> list[Point]:
    """Part of a convex polygon where the corner values, interpolated along its edges, are not negative."""
    if all(value <= 0.0 for value in values):
        return []
    clipped: list[Point] = []
    for k, corner in enumerate(corners):
        value = values[k]
        after = values[(k + 1) % len(values)]
        if value >= 0.0:
            clipped.append(corner)
        if (value > 0.0 and after < 0.0) or (value < 0.0 and after > 0.0):
            clipped.append(_zero_crossing(corner, corners[(k + 1) % len(corners)], value, after, margin))
    return clipped


def _zero_crossing(a: Point, b: Point, value_a: float, value_b: float, margin: float) -> Point:
    """Zero of the value on the edge a-b; bitwise the same on b-a. margin: least fraction of the edge on either side."""
    if b < a:
        a, b, value_a, value_b = b, a, value_b, value_a
    t = min(max(value_a / (value_a - value_b), margin), 1.0 - margin)
    return a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])


def _triangulate_fan(corners: list[Point]) -> list[list[Point]]:
    """Triangle fan of a convex polygon; a quad is split along its shorter diagonal."""
    if len(corners) < 3:
        return []
    if len(corners) == 4 and math.dist(corners[0], corners[2]) > math.dist(corners[1], corners[3]):
        corners = [*corners[1:], corners[0]]
    return [[corners[0], corners[k], corners[k + 1]] for k in range(1, len(corners) - 1)]


def _rim_sides(corners: list[Point], outline: list[tuple[float, float]], radius: float) -> list[tuple[Point, Point]]:
    """Edges of a polygon inside the cup that lie on the cup's outline."""
    edges = []
    for k, a in enumerate(corners):
        b = corners[(k + 1) % len(corners)]
        for side in range(CUP_SIDES):
            (ax, az), (bx, bz) = outline[side], outline[(side + 1) % CUP_SIDES]
            distances = [
                abs((p[0] - ax) * (bz - az) - (p[2] - az) * (bx - ax)) / math.dist(outline[0], outline[1])
                for p in (a, b)
            ]
            if max(distances) < 1e-7 * max(radius, 1.0) and math.dist(a, b) > 1e-9:
                edges.append((a, b))
                break
    return edges
