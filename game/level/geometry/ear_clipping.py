"""Triangulation of simple polygons by ear clipping. Source: Meisters, "Polygons have ears", 1975."""

from __future__ import annotations

import numpy as np

from ...core.vectors import Flags, Floats

EarTriangles = list[tuple[int, int, int]]


def newell_normal(points: Floats) -> Floats:
    """Newell normal (3,) of a polygon (K,3), flat or not: its length is twice the area."""
    normal: Floats = np.cross(points, np.roll(points, -1, axis=0)).sum(axis=0)
    return normal


def convex_outlines(outlines: Floats) -> Flags:
    """Mask (M,) of strictly convex polygons (M,K,3): a triangle fan fills them."""
    before, after = np.roll(outlines, 1, axis=1), np.roll(outlines, -1, axis=1)
    centred = outlines - outlines[:, :1]
    normal = np.cross(centred, np.roll(centred, -1, axis=1)).sum(axis=1)
    size = np.linalg.norm(normal, axis=1, keepdims=True)
    normal = np.divide(normal, size, out=np.zeros_like(normal), where=size > 0.0)
    edge_in = outlines - before
    edge_out = after - outlines
    sine = np.einsum("mkd,md->mk", np.cross(edge_in, edge_out), normal)
    turned = np.arctan2(sine, np.einsum("mkd,mkd->mk", edge_in, edge_out)).sum(axis=1)
    convex: Flags = (sine > 1e-9 * size).all(axis=1) & (turned < 3 * np.pi)  # a star turns by 4 pi
    return convex


def triangulate_polygon(points: Floats) -> tuple[EarTriangles, int]:
    """Corner indices of triangles that fill a simple polygon (K,3), and the number of ear tests.

    The bluntest ear is cut first, which makes the fewest slivers. A polygon that crosses itself is filled somehow.
    """
    count = len(points)
    centred = points - points[0]
    normal = newell_normal(centred)
    size = float(np.linalg.norm(normal))
    if count == 3 or size == 0.0:
        return [(0, k, k + 1) for k in range(1, count - 1)], 0
    return _clip_ears(_project_to_plane(centred, normal / size))


def _project_to_plane(points: Floats, unit: Floats) -> Floats:
    """Points (K,2) in the plane of the unit normal, counter-clockwise seen from the front."""
    helper = np.zeros(3)
    helper[int(np.argmin(np.abs(unit)))] = 1.0
    across = np.cross(unit, helper)
    across /= np.linalg.norm(across)
    return np.stack([points @ across, points @ np.cross(unit, across)], axis=1)


def _corner_areas(flat: Floats) -> Floats:
    """Signed twice-areas (K,) of each corner with its neighbours; positive at convex corners."""
    before, after = np.roll(flat, 1, axis=0), np.roll(flat, -1, axis=0)
    a, b = flat - before, after - flat
    turns: Floats = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return turns


def _clip_ears(flat: Floats) -> tuple[EarTriangles, int]:
    remaining = list(range(len(flat)))
    triangles: EarTriangles = []
    tests = 0
    while len(remaining) > 3:
        corners = flat[remaining]
        before, after = np.roll(corners, 1, axis=0), np.roll(corners, -1, axis=0)
        turns = _corner_areas(corners)
        base = np.linalg.norm(after - before, axis=1)
        blunt = np.divide(turns, base, out=np.zeros_like(turns), where=base > 0.0)
        best = None
        for k in np.argsort(-blunt, kind="stable"):
            if turns[k] <= 0.0:
                break
            tests += 1
            if not _contains_any_point(before[k], corners[k], after[k], corners):
                best = int(k)
                break
        if best is None:  # the rest crosses itself or lies on a line
            best = int(np.argmin(np.abs(turns)))
        ear = (remaining[best - 1], remaining[best], remaining[(best + 1) % len(remaining)])
        if turns[best] > 0.0:
            triangles.append(ear)
        del remaining[best]
    triangles.append((remaining[0], remaining[1], remaining[2]))
    return triangles, tests


def _contains_any_point(a: Floats, b: Floats, c: Floats, points: Floats) -> bool:
    """True if a point other than a corner lies in the triangle or on its edge."""
    inside = np.ones(len(points), np.bool_)
    for p, q in ((a, b), (b, c), (c, a)):
        inside &= (q[0] - p[0]) * (points[:, 1] - p[1]) - (q[1] - p[1]) * (points[:, 0] - p[0]) >= 0.0
    for corner in (a, b, c):
        inside &= (points != corner).any(axis=1)
    return bool(inside.any())
