"""Crack checks: edges that nearly meet."""

from __future__ import annotations

import numpy as np

from ...core.vectors import Floats, Indices
from ..build.pieces import POLYGON_KINDS, SHEET_KINDS
from ..build.pieces.stairs import RAIL_THICKNESS
from ..geometry.overlapping_pairs import convex_separation, find_overlapping_pairs
from ..geometry.unique_rows import number_unique_rows
from .lint_context import LintContext

CRACK_WIDTH = (1e-4, 0.015)  # metres: a gap between floors of this width counts as a mistake
MISSED_EDGE_DISTANCE = (3e-3, CRACK_WIDTH[1])  # metres from a corner to an edge; less is rounding to millimetres


def check_cracks(context: LintContext) -> None:
    """Warn about floors at the same height with a narrow gap between them, but not if they stand in each other."""
    chosen = np.nonzero(context.walkable & (context.breadth > 2.0 * RAIL_THICKNESS))[0]
    reach = CRACK_WIDTH[1]
    pairs = find_overlapping_pairs(context.low[chosen] - reach / 2, context.high[chosen] + reach / 2)
    i, j = chosen[pairs[0]], chosen[pairs[1]]
    other_piece = context.faces.origin[i] != context.faces.origin[j]
    i, j = i[other_piece], j[other_piece]
    gap = convex_separation(context.corners[i][:, :, ::2], context.corners[j][:, :, ::2])
    copies = number_unique_rows(np.sort(context.piece_bounds[2][np.stack([i, j], axis=1)], axis=1))
    is_crack = (gap > CRACK_WIDTH[0]) & (gap < CRACK_WIDTH[1]) & ~np.isin(copies, copies[gap < -CRACK_WIDTH[0]])
    for k in np.nonzero(is_crack)[0]:
        earlier, later = context.by_file_order(int(i[k]), int(j[k]))
        message = f"there is a crack of {gap[k] * 1000:.1f} mm between this and {context.describe_face(earlier)}"
        context.warn_face("crack", later, message, "move one of them until their edges meet")


def check_missed_edges(context: LintContext) -> None:
    """Warn about corners of quads and triangles that lie close to an open edge of another face, but not on it.

    A corner exactly on an edge (a T-junction) is correct: the walker passes it, and no gap is visible.
    """
    kinds = context.kinds
    faces = np.nonzero(np.isin(kinds, (*POLYGON_KINDS, *SHEET_KINDS)))[0]
    start, end, face = _open_edges(context.corners[faces])
    face = faces[face]
    is_polygon = np.isin(kinds[face], POLYGON_KINDS)
    reach = MISSED_EDGE_DISTANCE[1] / 2
    low, high = np.minimum(start, end) - reach, np.maximum(start, end) + reach
    i, j = find_overlapping_pairs(low, high)
    relevant = (face[i] != face[j]) & (is_polygon[i] | is_polygon[j])
    i, j = i[relevant], j[relevant]
    misses: list[tuple[float, int, int, int, int]] = []
    for corner_of, edge in ((i, j), (j, i)):
        for at in (start, end):
            gap = _distance_to_segments(at[corner_of], start[edge], end[edge])
            chosen = np.nonzero(
                (gap > MISSED_EDGE_DISTANCE[0]) & (gap < MISSED_EDGE_DISTANCE[1]) & is_polygon[corner_of]
            )[0]
            for k in chosen.tolist():
                corner_face = int(face[corner_of[k]])
                number = int(np.argmin(np.linalg.norm(context.corners[corner_face] - at[corner_of[k]], axis=1)))
                piece = int(context.faces.origin[corner_face])
                edge_face = int(face[edge[k]])
                misses.append((-round(float(gap[k]), 6), -piece, corner_face, number, edge_face))
    reported: set[tuple[int, int]] = set()
    misses.sort()  # the widest gap first, at the later piece of the file
    for negative_gap, _, corner_face, number, edge_face in misses:
        pair = context.by_file_order(corner_face, edge_face)
        if pair not in reported:
            reported.add(pair)
            edge_of = context.describe_face(edge_face)
            message = f"corner {number + 1} misses the edge of {edge_of} by {-negative_gap * 1000:.1f} mm: a crack"
            context.warn_face("crack", corner_face, message, "move the corner onto that edge")


def _open_edges(corners: Floats) -> tuple[Floats, Floats, Indices]:
    """Start and end (E,3) of the edges that only one of the faces (M,4,3) has, and the index (E,) of that face."""
    if not len(corners):
        return np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0, np.int64)
    start = number_unique_rows(np.round(corners.reshape(-1, 3) / CRACK_WIDTH[0]).astype(np.int64))
    end = np.roll(start.reshape(-1, 4), -1, axis=1).reshape(-1)
    key = np.minimum(start, end) * (int(start.max()) + 1) + np.maximum(start, end)
    _, edge, count = np.unique(key, return_inverse=True, return_counts=True)
    alone = np.nonzero((count[edge.reshape(-1)] == 1) & (start != end))[0]
    return corners.reshape(-1, 3)[alone], np.roll(corners, -1, axis=1).reshape(-1, 3)[alone], alone // 4


def _distance_to_segments(points: Floats, start: Floats, end: Floats) -> Floats:
    """Distance (P,) of points (P,3) from the segments start (P,3) to end (P,3)."""
    along = end - start
    t = np.einsum("pd,pd->p", points - start, along) / np.maximum(np.einsum("pd,pd->p", along, along), 1e-18)
    distance: Floats = np.linalg.norm(points - start - np.clip(t, 0.0, 1.0)[:, None] * along, axis=-1)
    return distance
