"""Quads from triangles: coplanar neighbours that form a valid quad are merged.

Exporters split every quad. Merging halves the number of faces and restores the modelled outlines. The corners
stay where they were; the quads are planar within COPLANAR_TOLERANCE.
"""

from __future__ import annotations

import numpy as np

from ...core.vectors import Flags, Floats, Indices, Ints
from .quads import MIN_CORNER_OFFSET
from .unique_rows import weld_points_exact

COPLANAR_TOLERANCE = 1e-4  # metres from the plane of the other triangle
MIN_TRIANGLE_HEIGHT = 1e-6  # metres; a triangle of less height is degenerate
MAX_PAIRING_ROUNDS = 12  # triangles left over then stay triangles

SKEW_DIRECTION = np.array([0.5773, 0.7071, 0.4083])  # unlikely to be parallel to a wall or floor


def smallest_triangle_heights(triangles: Floats) -> Floats:
    """Smallest heights (N,) of triangles (N,3,3); zero where two corners coincide."""
    edges = np.roll(triangles, -1, axis=1) - triangles
    longest = np.sqrt(np.einsum("nkd,nkd->nk", edges, edges)).max(axis=1, initial=0.0)
    area = np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1)
    heights: Floats = np.divide(area, longest, out=np.zeros(len(triangles)), where=longest > 0.0)
    return heights


def valid_quads(quads: Floats, tolerance: float = COPLANAR_TOLERANCE) -> Flags:
    """Mask (M,) of quads (M,4,3) that are planar, convex and without parallel adjacent edges."""
    before, after = np.roll(quads, 1, axis=1), np.roll(quads, -1, axis=1)
    normal = np.cross(quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1])
    size = np.linalg.norm(normal, axis=1, keepdims=True)
    normal = np.divide(normal, size, out=np.zeros_like(normal), where=size > 0.0)
    offset = np.einsum("mkd,md->mk", quads, normal)
    planar = np.ptp(offset, axis=1) <= tolerance
    turn = np.einsum("mkd,md->mk", np.cross(quads - before, after - quads), normal)
    chord = np.linalg.norm(after - before, axis=2)
    corner_height = np.divide(turn, chord, out=np.zeros_like(turn), where=chord > 0.0)
    valid: Flags = planar & (corner_height >= MIN_CORNER_OFFSET).all(axis=1)
    return valid


def merge_with_sources(triangles: Floats, tags: Ints) -> tuple[Floats, Indices, Indices]:
    """Faces (M,4,3) from triangles (N,3,3), the first triangle (M,) of each, and the corner (M,6), 3 * triangle + k,
    that each corner of a face came from.

    tags (N,K): only triangles with equal tags are merged. A face that stays a triangle repeats its third corner.
    Corners 0 to 3 of a face, then its corners 1 and 3 in its other triangle; of a quad that is split between them,
    0-1-3 is one triangle and 1-2-3 the other.
    """
    pairs = _shared_edges(triangles, tags)
    adjacent = (pairs[0] // 3) ^ 1 == pairs[1] // 3  # consecutive, as exporters write a split quad: merged first
    s, t, quads, sources = _mergeable_pairs(triangles, pairs[:, adjacent])
    partner = np.full(len(triangles), -1, np.int64)
    partner[s], partner[t] = t, s
    rest = pairs[:, (partner[pairs // 3] < 0).all(axis=0)]
    more_s, more_t, more, more_sources = _mergeable_pairs(triangles, rest)
    chosen = _match_pairs(more_s, more_t, _quad_squareness(more), len(triangles))
    s, t = np.concatenate([s, more_s[chosen]]), np.concatenate([t, more_t[chosen]])
    quads = np.concatenate([quads, more[chosen]])
    partner[s], partner[t] = t, s
    faces = triangles[:, [0, 1, 2, 2]]
    faces[s] = quads
    corners = 3 * np.arange(len(triangles))[:, None] + np.array([[0, 1, 2, 2, 1, 2]])
    corners[s] = np.concatenate([sources, more_sources[chosen]])
    first = np.nonzero((partner < 0) | (partner > np.arange(len(triangles))))[0]
    return faces[first], first, corners[first]


def _shared_edges(triangles: Floats, tags: Ints) -> Indices:
    """Pairs (2,P) of half-edges (3 * triangle + k) that exactly two triangles of equal tags share, the lower first."""
    count = len(triangles)
    vertices = weld_points_exact(triangles.reshape(-1, 3)).reshape(count, 3)
    start, end = vertices.ravel(), np.roll(vertices, -1, axis=1).ravel()
    key = np.minimum(start, end) * (vertices.max(initial=0) + 1) + np.maximum(start, end)
    # Two-sided sheets share edges: the side of SKEW_DIRECTION keeps their faces apart.
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    kinds = np.column_stack([tags, normal @ SKEW_DIRECTION > 0.0])
    _, kind = np.unique(kinds, axis=0, return_inverse=True)
    key = key * (int(kind.max(initial=0)) + 1) + np.repeat(kind.reshape(-1), 3)
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    same = ordered[1:] == ordered[:-1]
    exactly_two = same & ~np.append(False, same[:-1]) & ~np.append(same[1:], False)
    half_edge = order[:-1][exactly_two]
    twin = order[1:][exactly_two]
    fits = (half_edge // 3 != twin // 3) & (start[half_edge] == end[twin])
    return np.stack([half_edge[fits], twin[fits]])


def _mergeable_pairs(triangles: Floats, pairs: Indices) -> tuple[Indices, Indices, Floats, Indices]:
    """Triangles s and t (Q,) of the half-edge pairs that form valid quads, those quads (Q,4,3) and sources (Q,6)."""
    (s, t), (k, m) = pairs // 3, pairs % 3
    before, start, end = 3 * s + (k + 2) % 3, 3 * s + k, 3 * s + (k + 1) % 3
    sources = np.stack([before, start, 3 * t + (m + 2) % 3, end, 3 * t + (m + 1) % 3, 3 * t + m], axis=1)
    quads = triangles.reshape(-1, 3)[sources[:, :4]]
    good = valid_quads(quads)
    return s[good], t[good], quads[good], sources[good]


def _quad_squareness(quads: Floats) -> Floats:
    """(Q,): smallest sine of the corners of each quad."""
    edges = np.roll(quads, -1, axis=1) - quads
    edges /= np.linalg.norm(edges, axis=2, keepdims=True)
    sine = np.linalg.norm(np.cross(edges, np.roll(edges, -1, axis=1)), axis=2).min(axis=1, initial=1.0)
    rounded: Floats = np.round(sine, 6)
    return rounded


def _match_pairs(s: Indices, t: Indices, squareness: Floats, count: int) -> Indices:
    """Indices of disjoint pairs. Each round takes the pairs that both triangles prefer, the squarest first."""
    order = np.lexsort((-s, squareness))  # the last one written to `best` is preferred
    chosen = [np.zeros(0, np.int64)]
    free = np.ones(count, np.bool_)
    for _ in range(MAX_PAIRING_ROUNDS):
        if not len(order):
            break
        best = np.full(count, -1, np.int64)
        both = np.stack([s[order], t[order]], axis=1)
        best[both.ravel()] = np.repeat(order, 2)
        agreed = order[(best[both[:, 0]] == order) & (best[both[:, 1]] == order)]
        chosen.append(agreed)
        free[s[agreed]] = free[t[agreed]] = False
        order = order[free[s[order]] & free[t[order]]]
    return np.concatenate(chosen)
