"""Which faces bound solids: from outside nobody sees their backs."""

from __future__ import annotations

import numpy as np

from ...core.vectors import Flags
from ..geometry.faces import FaceArrays, unit_normals
from ..geometry.quads_from_triangles import weld_points_exact

CORNER_TOLERANCE = 1e-5  # metres within which corners of one piece are one


def find_closed_faces(faces: FaceArrays, asked: Flags) -> Flags:
    """(M,): the faces of pieces that close all around, with their fronts outside. asked (M,): others never do.

    Around a closed surface every edge is passed as often one way as the other.
    """
    found = np.zeros(len(faces), np.bool_)
    floors = faces.rests & (unit_normals(faces.corners)[:, 1] > 0.0)  # of rooms: sheets between their walls
    rows = np.nonzero(asked & ~floors)[0]
    if not len(rows):
        return found
    corners, piece = faces.corners[rows], faces.origin[rows].astype(np.int64)
    spots = weld_points_exact(np.rint(corners.reshape(-1, 3) / CORNER_TOLERANCE)).reshape(-1, 4)
    after = np.roll(spots, -1, axis=1)
    low, high = np.minimum(spots, after).ravel(), np.maximum(spots, after).ravel()
    edges = np.column_stack((np.repeat(piece, 4), low, high)).astype(np.float64)
    edge = weld_points_exact(edges)
    passed = np.bincount(edge, np.sign(after - spots).ravel())[edge]
    open_edge = np.bincount(np.repeat(piece, 4), passed != 0.0) > 0
    a, b, c, d = (corners - corners.mean(axis=(0, 1))).transpose(1, 0, 2)
    volume = np.bincount(piece, np.einsum("ij,ij->i", a, np.cross(b, c) + np.cross(c, d)))
    found[rows] = (~open_edge & (volume > 0.0))[piece]
    return found
