"""Cracks: edges that were meant to meet and do not."""

from __future__ import annotations

import numpy as np

from ...core.vectors import Floats, Indices
from ..geometry.overlapping_pairs import convex_separation, find_overlapping_pairs
from .duplicate_rows import number_unique_rows
from .lint_context import LintContext

CRACK_WIDTH = (1e-4, 0.015)  # metres between floors that were meant to meet
MISSED_EDGE_DISTANCE = (
    3e-3,
    CRACK_WIDTH[1],
)  # metres from a corner to an edge: less comes of corners that are written in millimetres
POLYGON_KINDS = ("quad", "triangle")  # whose corners the author wrote one by one
SHEET_KINDS = (*POLYGON_KINDS, "floor")  # with edges that nothing closes


def check_cracks(survey: LintContext) -> None:
    """Floors at one height that nearly meet."""
    chosen = np.nonzero(survey.walkable)[0]
    reach = CRACK_WIDTH[1]
    near = find_overlapping_pairs(survey.low[chosen] - reach / 2, survey.high[chosen] + reach / 2)
    i, j = chosen[near[0]], chosen[near[1]]
    other_piece = survey.faces.origin[i] != survey.faces.origin[j]
    i, j = i[other_piece], j[other_piece]
    gap = convex_separation(survey.corners[i][:, :, ::2], survey.corners[j][:, :, ::2])
    for k in np.nonzero((gap > CRACK_WIDTH[0]) & (gap < CRACK_WIDTH[1]))[0]:
        earlier, later = survey.by_file_order(int(i[k]), int(j[k]))
        survey.warn_face(
            "crack",
            later,
            f"there is a crack of {gap[k] * 1000:.1f} mm between this and {survey.describe_face(earlier)}",
            "move one of them until their edges meet",
        )


def check_missed_edges(survey: LintContext) -> None:
    """Corners of the author's own quads that come close to the open edge of another face, and not onto it.

    A corner exactly on such an edge (a T-junction) is no finding: the walker passes it, and nothing shows through.
    """
    kinds = np.array([origin.kind for origin in survey.level.origins])[survey.faces.origin]
    faces = np.nonzero(np.isin(kinds, SHEET_KINDS))[0]
    start, end, face = _open_edges(survey.corners[faces])
    face = faces[face]
    own = np.isin(kinds[face], POLYGON_KINDS)
    reach = MISSED_EDGE_DISTANCE[1] / 2
    low, high = np.minimum(start, end) - reach, np.maximum(start, end) + reach
    i, j = find_overlapping_pairs(low, high)
    apart = (face[i] != face[j]) & (own[i] | own[j])
    i, j = i[apart], j[apart]
    found: list[tuple[float, int, int, int, int]] = []
    for corner_of, edge in ((i, j), (j, i)):
        for at in (start, end):
            gap = _distance_to_segments(at[corner_of], start[edge], end[edge])
            chosen = np.nonzero((gap > MISSED_EDGE_DISTANCE[0]) & (gap < MISSED_EDGE_DISTANCE[1]) & own[corner_of])[0]
            for k in chosen.tolist():
                mine = int(face[corner_of[k]])
                number = int(np.argmin(np.linalg.norm(survey.corners[mine] - at[corner_of[k]], axis=1)))
                piece, other = int(survey.faces.origin[mine]), int(face[edge[k]])
                found.append((-round(float(gap[k]), 6), -piece, mine, number, other))
    told: set[tuple[int, int]] = set()
    for gap_, _, mine, number, other in sorted(found):  # the widest first, at the piece that was written later
        pair = survey.by_file_order(mine, other)
        if pair not in told:
            told.add(pair)
            message = f"corner {number + 1} misses the edge of {survey.describe_face(other)} by {-gap_ * 1000:.1f} mm: a crack"
            survey.warn_face("crack", mine, message, "move the corner onto that edge")


def _open_edges(corners: Floats) -> tuple[Floats, Floats, Indices]:
    """Start and end (E,3) of the edges of faces (M,4,3) that no other of them shares, and the face of each."""
    if not len(corners):
        return np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0, np.int64)
    here = number_unique_rows(np.round(corners.reshape(-1, 3) / CRACK_WIDTH[0]).astype(np.int64))
    there = np.roll(here.reshape(-1, 4), -1, axis=1).reshape(-1)
    key = np.minimum(here, there) * (int(here.max()) + 1) + np.maximum(here, there)
    _, which, count = np.unique(key, return_inverse=True, return_counts=True)
    alone = np.nonzero((count[which.reshape(-1)] == 1) & (here != there))[0]
    return corners.reshape(-1, 3)[alone], np.roll(corners, -1, axis=1).reshape(-1, 3)[alone], alone // 4


def _distance_to_segments(points: Floats, start: Floats, end: Floats) -> Floats:
    """How far points (P,3) are from segments."""
    along = end - start
    part = np.einsum("pd,pd->p", points - start, along) / np.maximum(np.einsum("pd,pd->p", along, along), 1e-18)
    off: Floats = np.linalg.norm(points - start - np.clip(part, 0.0, 1.0)[:, None] * along, axis=-1)
    return off
