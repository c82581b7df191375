"""Closed solids: faces whose backs cannot be seen from outside."""

from __future__ import annotations

import numpy as np

from ...core.vectors import Flags
from ..geometry.faces import FaceArrays, unit_normals
from ..geometry.unique_rows import weld_points_exact

CORNER_TOLERANCE = 1e-5  # metres within which corners of a piece are welded


def find_closed_faces(faces: FaceArrays, candidates: Flags) -> Flags:
    """Mask (M,) of faces of pieces that are closed surfaces with their fronts outside.

    candidates (M,): only these are tested. In a closed surface each edge is passed equally often in both directions.
    """
    closed = np.zeros(len(faces), np.bool_)
    floors = faces.rests & (
        unit_normals(faces.corners)[:, 1] > 0.0
    )  # floors of rooms are open sheets between the walls
    rows = np.nonzero(candidates & ~floors)[0]
    if not len(rows):
        return closed
    corners = faces.corners[rows]
    piece = faces.origin[rows].astype(np.int64)
    vertices = weld_points_exact(np.rint(corners.reshape(-1, 3) / CORNER_TOLERANCE)).reshape(-1, 4)
    after = np.roll(vertices, -1, axis=1)
    low, high = np.minimum(vertices, after).ravel(), np.maximum(vertices, after).ravel()
    edges = np.column_stack((np.repeat(piece, 4), low, high)).astype(np.float64)
    edge = weld_points_exact(edges)
    balance = np.bincount(edge, np.sign(after - vertices).ravel())[edge]
    open_edge = np.bincount(np.repeat(piece, 4), balance != 0.0) > 0
    a, b, c, d = (corners - corners.mean(axis=(0, 1))).transpose(1, 0, 2)
    volume = np.bincount(piece, np.einsum("ij,ij->i", a, np.cross(b, c) + np.cross(c, d)))
    closed[rows] = (~open_edge & (volume > 0.0))[piece]
    return closed
