"""Z-fighting and winding checks: coplanar faces that overlap, and quads that face the wrong way."""

from __future__ import annotations

import numpy as np

from ...core.vectors import Floats, Indices
from ..geometry.faces import unit_normals
from ..geometry.overlapping_pairs import convex_separation, find_overlapping_pairs
from ..geometry.unique_rows import number_unique_rows
from .lint_context import LintContext, describe_origin


def check_coplanar_faces(context: LintContext) -> None:
    """Warn about overlapping visible faces in one plane with one normal: duplicates, or two surfaces that flicker."""
    level = context.level
    visible = np.array([origin.visible for origin in level.origins], dtype=np.bool_)
    faces = level.faces.select(visible[level.faces.origin])
    normals = unit_normals(faces.corners)
    offset = np.einsum("md,md->m", normals, faces.corners[:, 0])
    key = np.round(np.column_stack([normals * 1e4, offset * 1e3])).astype(np.int64)
    low, high = faces.corners.min(axis=1), faces.corners.max(axis=1)
    shrink = np.minimum(2e-3, (high - low) / 4)
    near = find_overlapping_pairs(low + shrink - 1e-6, high - shrink + 1e-6, number_unique_rows(key))
    i, j = near
    axis = np.argmax(np.abs(normals[i]), axis=1)
    plane_axes = np.array([[1, 2], [2, 0], [0, 1]])[axis]
    flat = [
        np.take_along_axis(faces.corners[index], np.repeat(plane_axes[:, None], 4, axis=1), axis=2) for index in (i, j)
    ]
    penetrates = convex_separation(*flat) < -2e-3
    i, j = i[penetrates], j[penetrates]
    used, ranks = np.unique(np.concatenate([i, j]), return_inverse=True)
    outlines = _face_corner_keys(faces.corners[used])[ranks.reshape(2, -1)]
    alike = (outlines[0] == outlines[1]).all(axis=1)
    earlier, later = np.minimum(faces.origin[i], faces.origin[j]), np.maximum(faces.origin[i], faces.origin[j])
    reported = np.nonzero(alike | (faces.surface[i] != faces.surface[j]))[0]
    _, first = np.unique(later[reported], return_index=True)
    for pair in reported[np.sort(first)].tolist():
        first_origin, second_origin = int(earlier[pair]), int(later[pair])
        subject = "a copy of itself" if first_origin == second_origin else describe_origin(level.origins[first_origin])
        overlap = f"a face overlaps {subject} in the same plane and flickers"
        message = f"a face coincides with {subject}" if alike[pair] else overlap
        context.warn_origin("flicker", second_origin, message, "move one of them")


def _face_corner_keys(corners: Floats) -> Indices:
    """Key (M,4) of each face's outline: its distinct corner numbers, sorted, padded with -1."""
    outlines = np.sort(number_unique_rows(np.round(corners.reshape(-1, 3), 5) + 0.0).reshape(-1, 4), axis=1)
    outlines[:, 1:][outlines[:, 1:] == outlines[:, :-1]] = -1
    keys: Indices = np.sort(outlines, axis=1)[:, ::-1]
    return keys


def check_flipped_quads(context: LintContext) -> None:
    """Warn about quads and triangles that face the opposite way to most of their neighbours."""
    faces = context.level.faces
    is_polygon = np.array([origin.kind in ("quad", "triangle") for origin in context.level.origins], dtype=np.bool_)
    faces = faces.select(is_polygon[faces.origin])
    if not len(faces):
        return
    start = number_unique_rows(np.round(faces.corners.reshape(-1, 3), 4) + 0.0)
    end = np.roll(start.reshape(-1, 4), -1, axis=1).reshape(-1)
    edge = np.minimum(start, end) * (int(start.max()) + 1) + np.maximum(start, end)
    edge[start == end] = -1 - np.nonzero(start == end)[0]  # zero length: a key of its own
    _, first, edge_number, users = np.unique(edge, return_index=True, return_inverse=True, return_counts=True)
    half_edge = np.sort(first[users == 2])
    last = np.zeros(len(first), np.int64)
    last[edge_number.reshape(-1)] = np.arange(len(edge))
    twin = last[edge_number.reshape(-1)[half_edge]]
    neighbour_count = np.bincount(np.concatenate([half_edge, twin]) // 4, minlength=len(faces))
    same_direction = (start < end)[half_edge] == (start < end)[twin]
    opposed: dict[int, list[int]] = {}
    for face_a, face_b in zip(
        (half_edge[same_direction] // 4).tolist(), (twin[same_direction] // 4).tolist(), strict=True
    ):
        opposed.setdefault(face_a, []).append(face_b)
        opposed.setdefault(face_b, []).append(face_a)
    reported: set[int] = set()
    for face in sorted(
        opposed, key=lambda face: (-len(opposed[face]) / neighbour_count[face], -len(opposed[face]), -face)
    ):
        if 2 * len(opposed[face]) > neighbour_count[face] and not reported & set(opposed[face]):
            reported.add(face)
            neighbour = context.level.origins[int(faces.origin[opposed[face][0]])]
            message = f"it faces the opposite way to {describe_origin(neighbour)} next to it"
            context.warn_origin("flipped", int(faces.origin[face]), message, "list its corners in the opposite order")
