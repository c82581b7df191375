"""Polygons of brushes: each brush is the intersection of half-spaces.

Every pair of planes meets in a line. The other planes clip that line to an edge, which both faces share. Corners of all
brushes within WELD_DISTANCE are welded, so that no crack remains between faces of a brush or between brushes that share
corners.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....core.vectors import Flags, Floats, Indices
from ...geometry.unique_rows import connected
from ..triangle_soup import ModelError
from .map_parser import MAX_BRUSH_PLANES, Brush

WELD_DISTANCE = 0.02  # units (0.6 mm): nearer corners are welded
PLANE_TOLERANCE = 2e-3  # units that a corner may lie outside a plane: the editor writes rounded points
MIN_EDGE_LENGTH = 0.04  # units: shorter edges are dropped
MAX_EDGE_PLANE_TESTS = 200_000_000  # edges times planes: bounds the time to some 5 s
TEST_CHUNK_SIZE = 2_000_000  # tests in one array operation: bounds the memory
MAX_WELD_CELL_CORNERS = 64  # neighbours tested in one cell of the weld grid

_HASH_MULTIPLIERS = np.array([0x9E3779B97F4A7C1, 0xC2B2AE3D27D4EB5, 0x165667B19E3779F])


@dataclass(frozen=True, slots=True)
class BrushPolygons:
    """Faces of many brushes.

    corners (C,3); outline (R,): corner indices of all faces in order, counter-clockwise seen from outside;
    start (F+1,): first row of `outline` of each face; brush and plane (F,): indices of the face in the file.
    """

    corners: Floats
    outline: Indices
    start: Indices
    brush: Indices
    plane: Indices
    empty: Indices  # brushes that enclose nothing
    open: Indices  # unbounded brushes


def brush_polygons(brushes: list[Brush]) -> BrushPolygons:
    """The faces of all brushes. Raises ModelError if they have too many planes."""
    by_count: dict[int, list[int]] = {}
    work = 0
    for index, brush in enumerate(brushes):
        count = len(brush.faces)
        work += count**3 // 2
        by_count.setdefault(count, []).append(index)
    if work > MAX_EDGE_PLANE_TESTS:
        raise ModelError("the brushes have too many faces", "use simpler brushes")
    ends = [np.zeros((0, 2, 3))]
    owners = [np.zeros((0, 3), np.int64)]
    unbounded = [np.zeros(0, np.int64)]
    for count, chosen in by_count.items():
        if count < 4:
            continue
        step = max(1, TEST_CHUNK_SIZE // count**3)
        for first in range(0, len(chosen), step):
            indices = np.array(chosen[first : first + step], np.int64)
            points = np.array([[face.points for face in brushes[index].faces] for index in indices], np.float64)
            edges, owner, endless = _brush_edges(points)
            ends.append(edges)
            owners.append(np.column_stack([indices[owner[:, 0]], owner[:, 1:]]))
            unbounded.append(indices[endless])
    edges = np.concatenate(ends)
    owner = np.concatenate(owners)
    endless = np.concatenate(unbounded)
    bounded = ~np.isin(owner[:, 0], endless)
    return _face_outlines(edges[bounded], owner[bounded], len(brushes), np.unique(endless))


def _brush_edges(points: Floats) -> tuple[Floats, Indices, Indices]:
    """Edges of B brushes with N planes of three points, (B,N,3,3).

    Returns the end points (E,2,3), (brush, plane, plane) of each edge (E,3), and the brushes with an infinite edge.
    """
    count = points.shape[1]
    middle = points.reshape(len(points), -1, 3).mean(axis=1)
    local = points - middle[:, None, None]
    normal = np.cross(local[:, :, 2] - local[:, :, 0], local[:, :, 1] - local[:, :, 0])
    size = np.linalg.norm(normal, axis=2, keepdims=True)
    is_plane = size[:, :, 0] > 1e-9
    normal = np.divide(normal, size, out=np.zeros_like(normal), where=size > 1e-9)
    offset = np.einsum("bnd,bnd->bn", normal, local[:, :, 0])
    is_plane &= ~_duplicate_planes(normal, offset)
    i, j = np.triu_indices(count, 1)
    along = np.cross(normal[:, i], normal[:, j])
    square = np.einsum("bpd,bpd->bp", along, along)
    meets = (square > 1e-8) & is_plane[:, i] & is_plane[:, j]
    safe = np.where(meets, square, 1.0)[..., None]
    foot = (
        offset[:, i, None] * np.cross(normal[:, j], along) + offset[:, j, None] * np.cross(along, normal[:, i])
    ) / safe
    along = along / np.sqrt(safe)
    low, high = np.full(meets.shape, -np.inf), np.full(meets.shape, np.inf)
    for k in range(count):
        is_own_plane = (i == k) | (j == k)
        cosine = np.einsum("bpd,bd->bp", along, normal[:, k])
        plane_distance = offset[:, k, None] + PLANE_TOLERANCE - np.einsum("bpd,bd->bp", foot, normal[:, k])
        clips = is_plane[:, k, None] & ~is_own_plane
        steep = np.abs(cosine) > 1e-7
        distance = np.divide(plane_distance - PLANE_TOLERANCE, cosine, out=np.zeros_like(plane_distance), where=steep)
        high = np.where(clips & steep & (cosine > 0), np.minimum(high, distance), high)
        low = np.where(clips & steep & (cosine < 0), np.maximum(low, distance), low)
        meets &= ~(clips & ~steep & (plane_distance < 0.0))
    endless = np.nonzero((meets & (high > low) & ~(np.isfinite(low) & np.isfinite(high))).any(axis=1))[0]
    is_edge = meets & (high - low > MIN_EDGE_LENGTH) & np.isfinite(high) & np.isfinite(low)
    b, p = np.nonzero(is_edge)
    ends = foot[b, p, None] + np.stack([low[b, p], high[b, p]], axis=1)[..., None] * along[b, p, None]
    return ends + middle[b, None], np.column_stack([b, i[p], j[p]]), endless


def _duplicate_planes(normal: Floats, offset: Floats) -> Flags:
    """Flags (B,N) of planes that repeat an earlier plane of their brush."""
    alike = np.einsum("bnd,bmd->bnm", normal, normal) > 1.0 - 1e-12
    alike &= np.abs(offset[:, :, None] - offset[:, None, :]) < PLANE_TOLERANCE
    earlier: Flags = np.tril(alike, -1).any(axis=2)
    return earlier


def _face_outlines(edges: Floats, owner: Indices, brushes: int, endless: Indices) -> BrushPolygons:
    """Weld the corners, and order those of each face around it."""
    numbers, corners = weld_points(edges.reshape(-1, 3))
    numbers = numbers.reshape(-1, 2)
    proper = numbers[:, 0] != numbers[:, 1]  # not welded to a point
    numbers, owner = numbers[proper], owner[proper]
    planes = MAX_BRUSH_PLANES + 1
    face = np.concatenate([owner[:, 0] * planes + owner[:, 1], owner[:, 0] * planes + owner[:, 2]])
    pairs = np.unique(np.column_stack([np.repeat(face, 2), np.tile(numbers, (2, 1)).ravel()]), axis=0)
    face, rank, sizes = np.unique(pairs[:, 0], return_inverse=True, return_counts=True)
    rank = rank.reshape(-1)
    solid = np.bincount(face // planes, sizes >= 3, brushes) >= 4  # fewer faces enclose nothing
    enough = ((sizes >= 3) & solid[face // planes])[rank]
    pairs, (face, rank) = pairs[enough], np.unique(pairs[enough, 0], return_inverse=True)
    rank = rank.reshape(-1)
    sizes = np.bincount(rank, minlength=len(face))
    places = corners[pairs[:, 1]]
    middle = np.stack([np.bincount(rank, places[:, k], len(face)) for k in range(3)], axis=1) / sizes[:, None]
    brush_middle = np.zeros((brushes, 3))
    of_brush = face // planes
    for k in range(3):
        total = np.bincount(of_brush, middle[:, k], brushes)
        brush_middle[:, k] = total / np.maximum(np.bincount(of_brush, minlength=brushes), 1)
    # The normal points away from the middle of the brush; across and up span the face, seen from outside.
    local = places - middle[rank]
    start = np.concatenate([[0], np.cumsum(sizes)])
    across = local[start[:-1]]
    second = _furthest_corners(local, across, rank, start)
    normal = np.cross(across, second)
    normal *= np.sign(np.einsum("fd,fd->f", normal, middle - brush_middle[of_brush]))[:, None]
    up = np.cross(normal, across)
    scale = np.linalg.norm(across, axis=1) / np.maximum(np.linalg.norm(up, axis=1), 1e-12)
    x = np.einsum("rd,rd->r", local, across[rank])
    y = np.einsum("rd,rd->r", local, (up * scale[:, None])[rank])
    order = np.lexsort((np.arctan2(y, x), rank))
    present = np.unique(of_brush)
    empty = np.setdiff1d(np.arange(brushes), np.concatenate([present, endless]))
    return BrushPolygons(corners, pairs[order, 1], start, of_brush, face % planes, empty, endless)


def _furthest_corners(local: Floats, across: Floats, rank: Indices, start: Indices) -> Floats:
    """Corner (F,3) of each face that is furthest from the line through its middle and its first corner."""
    distance = np.linalg.norm(np.cross(local, across[rank]), axis=1)
    order = np.lexsort((distance, rank))
    furthest: Floats = local[order[start[1:] - 1]]
    return furthest


def weld_points(points: Floats) -> tuple[Indices, Floats]:
    """Index (P,) of each point (P,3) among the welded corners (C,3).

    Points within WELD_DISTANCE, also through a chain of points, become one corner at the first of them. Coordinates
    within 1e-4 of an integer are rounded to it.
    """
    if not len(points):
        return np.zeros(0, np.int64), points
    rounded = np.round(points)
    points = np.where(np.abs(points - rounded) < 1e-4, rounded, points) + 0.0
    unique, number = np.unique(points, axis=0, return_inverse=True)
    # Keys of neighbouring cells differ by a constant, also on overflow. The distance test removes hash collisions.
    key = (np.floor(unique / WELD_DISTANCE).astype(np.int64) * _HASH_MULTIPLIERS).sum(axis=1)
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    firsts = []
    seconds = []
    for shift in list(np.ndindex(3, 3, 3))[13:]:
        neighbour_key = key + ((np.array(shift) - 1) * _HASH_MULTIPLIERS).sum()
        first = np.searchsorted(ordered, neighbour_key, side="left")
        last = np.searchsorted(ordered, neighbour_key, side="right")
        for rank in range(min(MAX_WELD_CELL_CORNERS, int((last - first).max(initial=0)))):
            i = np.nonzero(first + rank < last)[0]
            j = order[first[i] + rank]
            close = (np.linalg.norm(unique[i] - unique[j], axis=1) < WELD_DISTANCE) & (i != j)
            firsts.append(i[close])
            seconds.append(j[close])
    label = connected(len(unique), np.concatenate(firsts), np.concatenate(seconds))
    labels, corner = np.unique(label, return_inverse=True)
    return corner.reshape(-1)[number.reshape(-1)], unique[labels]
