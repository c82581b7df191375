"""Indexed faces: vertices and faces of three or four corners as triangles, with checks that name the argument."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.arguments import describe_value


def triangulate_faces(vertices: ArrayLike, faces: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Triangles (N,3,3) f8 of faces, and the face (N,) of each, in the order of the faces.

    vertices (V,3). faces: (M,3) or (M,4) integers, or a list of rows of 3 or 4; from 0 to V - 1. A quad with corners 0
    to 3 gives 0-1-2 and 0-2-3; where it is concave at corner 1 or 3, 0-1-3 and 1-2-3. ValueError for anything else.
    """
    points = _check_vertices(vertices)
    rows = _check_faces(faces)
    corners = np.full((len(rows), 4), -1, np.int64)
    counts = np.array([len(row) for row in rows], np.int64)
    for count in (3, 4):
        chosen = counts == count
        if chosen.any():
            corners[chosen, :count] = rows if isinstance(rows, np.ndarray) else [r for r in rows if len(r) == count]
    _check_indices(corners, counts, len(points))
    quads = points[corners]  # of a triangle, the last corner is any vertex
    is_quad = counts == 4
    with np.errstate(all="ignore"):  # coordinates beyond the limit of a mesh are reported later
        normals = np.cross(quads[:, 1] - quads[:, 0], quads[:, 2] - quads[:, 0])
        others = np.cross(quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 0])
        folded = is_quad & (np.einsum("nk,nk->n", normals, others) < 0.0)
    order = np.where(folded[:, None], (0, 1, 3, 1, 2, 3), (0, 1, 2, 0, 2, 3))
    triangles = np.take_along_axis(quads, order[:, :, None], axis=1).reshape(-1, 3, 3)
    keep = np.stack([np.ones(len(rows), np.bool_), is_quad], axis=1).ravel()
    face = np.repeat(np.arange(len(rows), dtype=np.int64), 2)
    return triangles[keep], face[keep]


def _check_vertices(vertices: ArrayLike) -> NDArray[np.float64]:
    try:
        points = np.asarray(vertices)
    except ValueError as error:
        raise ValueError(f"vertices: expected an array of shape (V, 3): {error}") from None
    if points.shape == (0,):
        points = np.empty((0, 3))
    if points.ndim != 2 or points.shape[1] != 3:
        got = f"shape {points.shape}" if points.ndim else describe_value(vertices)
        raise ValueError(f"vertices: expected shape (V, 3), got {got}")
    if points.dtype.kind not in "fiu":
        raise ValueError(f"vertices: expected numbers, got {points.dtype}")
    invalid = np.flatnonzero(~np.isfinite(points).all(axis=1))
    if len(invalid):
        raise ValueError(f"vertices: vertex {invalid[0]} is not finite ({len(invalid)} such in all)")
    return points.astype(np.float64)


def _check_faces(faces: ArrayLike) -> NDArray[np.int64] | list[list[int]]:
    """Rows of 3 or 4 integers: an array if all have the same length, else lists."""
    try:
        array = np.asarray(faces)
    except ValueError:  # rows of different lengths
        return _check_mixed_faces(faces)
    if array.dtype == object:
        return _check_mixed_faces(faces)
    if array.shape[0:1] == (0,):
        return np.empty((0, 3), np.int64)
    if array.ndim != 2 or array.shape[1] not in (3, 4):
        cure = ""
        if array.ndim == 1:
            cure = "; a flat list of counts and indices must be cut into rows first"
        elif array.ndim == 2 and array.shape[1] > 4:
            cure = "; divide larger polygons into triangles"
        elif array.ndim == 3:
            cure = "; triangles with their corners go into TriangleMesh(triangles)"
        got = f"shape {array.shape}" if array.ndim else describe_value(faces)
        raise ValueError(f"faces: expected shape (N, 3) or (N, 4), or a list of both kinds, got {got}{cure}")
    if array.dtype.kind not in "iu":
        raise ValueError(f"faces: expected integers, indices of vertices, got {array.dtype}")
    return array.astype(np.int64)


def _check_mixed_faces(faces: Any) -> list[list[int]]:
    if not isinstance(faces, Sequence) and not (isinstance(faces, np.ndarray) and faces.ndim):
        raise ValueError(f"faces: expected rows of 3 or 4 indices, got {describe_value(faces)}")
    rows = []
    for number, face in enumerate(faces):
        try:
            row = np.asarray(face)
        except ValueError:
            row = np.empty(0)
        if row.ndim != 1 or len(row) not in (3, 4):
            got = f"{len(row)} corners" if row.ndim == 1 and len(row) else describe_value(face)
            raise ValueError(f"faces: face {number} must have 3 or 4 corners, not {got}; divide it into triangles")
        if row.dtype.kind not in "iu":
            raise ValueError(f"faces: face {number} must be integers, indices of vertices, not {describe_value(face)}")
        rows.append(row.tolist())
    return rows


def _check_indices(corners: NDArray[np.int64], counts: NDArray[np.int64], vertices: int) -> None:
    """ValueError for an index outside 0..vertices - 1. corners (M,4): the last of a triangle is not looked at."""
    used = np.arange(4) < counts[:, None]
    wrong = used & ((corners < 0) | (corners >= vertices))
    if not wrong.any():
        return
    face, corner = (int(value) for value in np.argwhere(wrong)[0])
    indices = corners[used]
    cure = ""
    if indices.min() == 1 and indices.max() == vertices:
        cure = "; these indices count from 1, as in OBJ files: subtract 1"
    expected = f"0..{vertices - 1}" if vertices else "none, because there are no vertices"
    raise ValueError(f"faces: face {face} has the vertex {corners[face, corner]}; expected {expected}{cure}")
