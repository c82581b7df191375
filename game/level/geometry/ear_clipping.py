"""Outlines with many corners as triangles."""

from __future__ import annotations

import numpy as np

from ...core.vectors import Flags, Floats

EarTriangles = list[tuple[int, int, int]]


def newell_normal(points: Floats) -> Floats:
    """The normal (not a unit, twice the area long) of an outline (K,3), flat or not."""
    normal: Floats = np.cross(points, np.roll(points, -1, axis=0)).sum(axis=0)
    return normal


def convex_outlines(outlines: Floats) -> Flags:
    """(M,): which of outlines (M,K,3) are convex, with no corner on a straight edge: a fan fills them."""
    before, after = np.roll(outlines, 1, axis=1), np.roll(outlines, -1, axis=1)
    centred = outlines - outlines[:, :1]
    normal = np.cross(centred, np.roll(centred, -1, axis=1)).sum(axis=1)
    size = np.linalg.norm(normal, axis=1, keepdims=True)
    normal = np.divide(normal, size, out=np.zeros_like(normal), where=size > 0.0)
    here, there = outlines - before, after - outlines
    sine = np.einsum("mkd,md->mk", np.cross(here, there), normal)
    turned = np.arctan2(sine, np.einsum("mkd,mkd->mk", here, there)).sum(axis=1)
    convex: Flags = (sine > 1e-9 * size).all(axis=1) & (turned < 3 * np.pi)  # twice around is a star
    return convex


def triangulate_polygon(points: Floats) -> tuple[EarTriangles, int]:
    """Indices of triangles that fill a simple outline (K,3), and how many ears were looked at.

    It is cut by its ears, the bluntest first, as those make the fewest slivers (Meisters, "Polygons have ears",
    1975). Where its edges cross, some way of filling it.
    """
    count = len(points)
    centred = points - points[0]
    normal = newell_normal(centred)
    size = float(np.linalg.norm(normal))
    if count == 3 or size == 0.0:
        return [(0, k, k + 1) for k in range(1, count - 1)], 0
    return _clip_ears(_project_to_plane(centred, normal / size))


def _project_to_plane(points: Floats, unit: Floats) -> Floats:
    """(K,2): as seen from the front, counter-clockwise."""
    away = np.zeros(3)
    away[int(np.argmin(np.abs(unit)))] = 1.0
    across = np.cross(unit, away)
    across /= np.linalg.norm(across)
    return np.stack([points @ across, points @ np.cross(unit, across)], axis=1)


def _corner_areas(flat: Floats) -> Floats:
    """(K,): twice the area of each corner with its neighbours, positive where it points outwards."""
    before, after = np.roll(flat, 1, axis=0), np.roll(flat, -1, axis=0)
    a, b = flat - before, after - flat
    turns: Floats = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return turns


def _clip_ears(flat: Floats) -> tuple[EarTriangles, int]:
    rim = list(range(len(flat)))
    found: EarTriangles = []
    looks = 0
    while len(rim) > 3:
        places = flat[rim]
        before, after = np.roll(places, 1, axis=0), np.roll(places, -1, axis=0)
        turns = _corner_areas(places)
        base = np.linalg.norm(after - before, axis=1)
        blunt = np.divide(turns, base, out=np.zeros_like(turns), where=base > 0.0)
        best = None
        for k in np.argsort(-blunt, kind="stable"):
            if turns[k] <= 0.0:
                break
            looks += 1
            if not _contains_any_point(before[k], places[k], after[k], places):
                best = int(k)
                break
        if best is None:  # crossing or flat: whatever is left lies on a line, or cannot be filled rightly
            best = int(np.argmin(np.abs(turns)))
        around = (rim[best - 1], rim[best], rim[(best + 1) % len(rim)])
        if turns[best] > 0.0:
            found.append(around)
        del rim[best]
    found.append((rim[0], rim[1], rim[2]))
    return found, looks


def _contains_any_point(a: Floats, b: Floats, c: Floats, points: Floats) -> bool:
    """Whether some point lies in the triangle, or on it, and is none of its corners."""
    inside = np.ones(len(points), np.bool_)
    for p, q in ((a, b), (b, c), (c, a)):
        inside &= (q[0] - p[0]) * (points[:, 1] - p[1]) - (q[1] - p[1]) * (points[:, 0] - p[0]) >= 0.0
    for corner in (a, b, c):
        inside &= (points != corner).any(axis=1)
    return bool(inside.any())
