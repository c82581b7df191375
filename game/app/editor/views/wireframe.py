"""Wireframe of faces: edges without those between coplanar faces."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....core.vectors import Floats
from ....level.geometry.faces import unit_normals
from ....level.geometry.unique_rows import weld_points_exact

MERGE_DISTANCE = 1e-4  # m: corners so near are one
COPLANAR_COSINE = 0.999  # cosine between two faces that count as one plane
MAX_FACES = 20_000  # faces whose lines are looked at; of more, the box around them is shown


def face_edges(corners: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """Edges (n, 2, 3) of faces (M, 4, 3) and the face of each; a triangle repeats its third corner and has three."""
    edges = np.stack((corners, np.roll(corners, -1, axis=1)), axis=2)
    face = np.repeat(np.arange(len(corners)), 4)
    lines = edges.reshape(-1, 2, 3)
    has_length = np.abs(lines[:, 0] - lines[:, 1]).max(axis=1, initial=0.0) > 0.0
    return lines[has_length], face[has_length]


def _unique_lines(lines: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Index of one line of each set of equal lines (in either direction), and the set of each line."""
    point = weld_points_exact(np.rint(lines / MERGE_DISTANCE).reshape(-1, 3))
    low, high = np.sort(point.reshape(-1, 2), axis=1).T
    _, first_index, group = np.unique(low * len(point) + high, return_index=True, return_inverse=True)
    return first_index, group


def unique_edges(corners: Floats) -> Floats:
    """Edges (n, 2, 3), each once."""
    lines, _ = face_edges(corners)
    return lines[_unique_lines(lines)[0]] if len(lines) else lines


def silhouette_edges(corners: Floats) -> Floats:
    """Edges (n, 2, 3) where the faces of a shape bend or end."""
    if len(corners) > MAX_FACES:
        points = corners.reshape(-1, 3)
        return box_edges(points.min(axis=0), points.max(axis=0))
    lines, face = face_edges(corners)
    if not len(lines):
        return lines
    first_index, group = _unique_lines(lines)
    normals = unit_normals(corners)[face]
    normal_sums = np.zeros((len(first_index), 3))
    np.add.at(normal_sums, group, normals)
    count = np.bincount(group, minlength=len(first_index))
    is_flat = (count > 1) & (np.linalg.norm(normal_sums, axis=1) >= COPLANAR_COSINE * count)
    edges: Floats = lines[first_index[~is_flat]]
    return edges


def box_edges(low: Floats, high: Floats) -> Floats:
    """(12, 2, 3): the edges of a box."""
    corner = np.array([[(low, high)[k >> axis & 1][axis] for axis in range(3)] for k in range(8)])
    pairs = [(k, k | 1 << axis) for k in range(8) for axis in range(3) if not k >> axis & 1]
    edges: Floats = corner[np.array(pairs)]
    return edges
