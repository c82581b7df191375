"""What is cut into a terrain: patches of another surface along a curve, and round cups for balls to fall into.

Faces are convex polygons here, each with its surface and its cell. A side that two faces share is cut at the same
place in both, to the bit, so that nothing opens between them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ....core.vectors import Flags, Floats, Ints, Point
from ...geometry.instance_transform import exact_sin_cos

MIN_CUT_FRACTION = 0.04  # of a side, that a patch's border stays away from its ends: thinner slivers would shade badly
CUP_SIDES = 20
CUP_EDGE_TOLERANCE = 1e-9  # m: nearer than this to a cup's side is on it


@dataclass(slots=True)
class TerrainTop:
    """The top of a terrain. corners (M,4,3), a triangle's third twice; surface (M,); cell (M,), row after row."""

    corners: Floats
    surface: Ints
    cell: Ints


@dataclass(slots=True)
class CupRim:
    """What a cup's cut leaves: its wall's upper sides, each from the right to the left as seen from within."""

    sides: list[tuple[Point, Point]] = field(default_factory=list)


def paint_patch(ground: TerrainTop, inside: Callable[[Floats, Floats], Floats], surface: int) -> TerrainTop:
    """The ground with another surface wherever `inside(x, z)` is positive; cut where it is zero along a side."""
    x, z = ground.corners[..., 0], ground.corners[..., 2]
    value = np.asarray(inside(x, z), dtype=np.float64)
    above, below = (value > 0.0), (value < 0.0)
    whole = above.any(axis=1) & ~below.any(axis=1)
    mixed = np.asarray(above.any(axis=1) & below.any(axis=1), dtype=np.bool_)
    surfaces = np.where(whole, np.int32(surface), ground.surface)
    if not mixed.any():
        return TerrainTop(ground.corners, surfaces.astype(np.int32), ground.cell)
    made: list[list[Point]] = []
    kinds: list[int] = []
    cells: list[int] = []
    for row in np.flatnonzero(mixed).tolist():
        for corners in ((0, 1, 2), (0, 2, 3)):
            places = [_corner_tuple(ground.corners[row, k]) for k in corners]
            if places[1] == places[2]:
                continue
            signs = [float(value[row, k]) for k in corners]
            for sense, kind in ((1.0, surface), (-1.0, int(ground.surface[row]))):
                part = _clip_polygon(places, [sense * sign for sign in signs])
                for triangle in _triangulate_fan(part):
                    made.append(triangle)
                    kinds.append(kind)
                    cells.append(int(ground.cell[row]))
    return _replace_faces(ground, surfaces, ~mixed, made, kinds, cells)


def cut_cup(ground: TerrainTop, x: float, z: float, radius: float) -> tuple[TerrainTop, CupRim]:
    """The ground without a round hole about a place of the plan, and the hole's rim."""
    angles = [exact_sin_cos(360.0 * k / CUP_SIDES) for k in range(CUP_SIDES)]
    post = [(x + radius * sine, z + radius * cosine) for sine, cosine in angles]  # counter-clockwise from above
    low, high = ground.corners.min(axis=1), ground.corners.max(axis=1)
    near = (low[:, 0] < x + radius) & (high[:, 0] > x - radius) & (low[:, 2] < z + radius) & (high[:, 2] > z - radius)
    made: list[list[Point]] = []
    kinds: list[int] = []
    cells: list[int] = []
    rim = CupRim()
    for row in np.flatnonzero(near).tolist():
        for corners in ((0, 1, 2), (0, 2, 3)):
            rest = [_corner_tuple(ground.corners[row, k]) for k in corners]
            if rest[1] == rest[2]:
                continue
            for k in range(CUP_SIDES):
                (ax, az), (bx, bz) = post[k], post[(k + 1) % CUP_SIDES]
                out = [(p[0] - ax) * (bz - az) - (p[2] - az) * (bx - ax) for p in rest]
                out = [0.0 if abs(value) < CUP_EDGE_TOLERANCE * radius else -value for value in out]
                for triangle in _triangulate_fan(_clip_polygon(rest, out, 0.0)):
                    made.append(triangle)
                    kinds.append(int(ground.surface[row]))
                    cells.append(int(ground.cell[row]))
                rest = _clip_polygon(rest, [-value for value in out], 0.0)
                if len(rest) < 3:
                    break
            if len(rest) >= 3:
                rim.sides += _rim_sides(rest, post, radius)
    return _replace_faces(ground, ground.surface, ~near, made, kinds, cells), rim


def build_cup_faces(rim: CupRim, x: float, z: float, depth: float) -> tuple[Floats, Point]:
    """The wall and the bottom (K,4,3) of a cup, `depth` metres under its rim's middle; the middle of the rim."""
    high = sum(a[1] + b[1] for a, b in rim.sides) / max(2 * len(rim.sides), 1)
    foot = high - depth
    faces = []
    for a, b in rim.sides:
        low_a, low_b = (a[0], foot, a[2]), (b[0], foot, b[2])
        faces.append((low_b, low_a, a, b))
        faces.append((low_a, low_b, (x, foot, z), (x, foot, z)))
    return np.array(faces, dtype=np.float64).reshape(-1, 4, 3), (x, high, z)


def _replace_faces(
    ground: TerrainTop, surfaces: Ints, kept: Flags, made: list[list[Point]], kinds: list[int], cells: list[int]
) -> TerrainTop:
    """The faces kept, then triangles."""
    rows = np.array([[*triangle, triangle[2]] for triangle in made], dtype=np.float64).reshape(-1, 4, 3)
    return TerrainTop(
        np.concatenate([ground.corners[kept], rows]),
        np.concatenate([surfaces[kept], np.array(kinds, np.int32)]).astype(np.int32),
        np.concatenate([ground.cell[kept], np.array(cells, np.int32)]).astype(np.int32),
    )


def _corner_tuple(row: Floats) -> Point:
    return float(row[0]), float(row[1]), float(row[2])


def _clip_polygon(places: list[Point], values: list[float], part: float = MIN_CUT_FRACTION) -> list[Point]:
    """The part of a convex polygon where the values, linear along its sides, are not negative."""
    if all(value <= 0.0 for value in values):
        return []
    found: list[Point] = []
    for k, here in enumerate(places):
        value, after = values[k], values[(k + 1) % len(values)]
        if value >= 0.0:
            found.append(here)
        if (value > 0.0 and after < 0.0) or (value < 0.0 and after > 0.0):
            found.append(_zero_crossing(here, places[(k + 1) % len(places)], value, after, part))
    return found


def _zero_crossing(a: Point, b: Point, value_a: float, value_b: float, part: float) -> Point:
    """Where the value is zero on the way from a to b: the same bits from b to a."""
    if b < a:
        a, b, value_a, value_b = b, a, value_b, value_a
    t = min(max(value_a / (value_a - value_b), part), 1.0 - part)
    return a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])


def _triangulate_fan(places: list[Point]) -> list[list[Point]]:
    """The triangles of a convex polygon, from the corner that gives the least thin ones of a quad."""
    if len(places) < 3:
        return []
    if len(places) == 4 and math.dist(places[0], places[2]) > math.dist(places[1], places[3]):
        places = [*places[1:], places[0]]
    return [[places[0], places[k], places[k + 1]] for k in range(1, len(places) - 1)]


def _rim_sides(places: list[Point], post: list[tuple[float, float]], radius: float) -> list[tuple[Point, Point]]:
    """The sides of a polygon within the cup that lie on the cup's own sides."""
    found = []
    for k, a in enumerate(places):
        b = places[(k + 1) % len(places)]
        for side in range(CUP_SIDES):
            (ax, az), (bx, bz) = post[side], post[(side + 1) % CUP_SIDES]
            off = [abs((p[0] - ax) * (bz - az) - (p[2] - az) * (bx - ax)) / math.dist(post[0], post[1]) for p in (a, b)]
            if max(off) < 1e-7 * max(radius, 1.0) and math.dist(a, b) > 1e-9:
                found.append((a, b))
                break
    return found
