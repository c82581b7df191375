"""Z-fighting and winding checks: coplanar faces that overlap, and quads that face the wrong way."""

from __future__ import annotations

import numpy as np

from ...core.vectors import Floats, Indices
from ..geometry.faces import unit_normals
from ..geometry.overlapping_pairs import convex_separation, find_overlapping_pairs
from .duplicate_rows import number_unique_rows
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
    kept = np.array([[1, 2], [2, 0], [0, 1]])[axis]
    flat = [np.take_along_axis(faces.corners[part], np.repeat(kept[:, None], 4, axis=1), axis=2) for part in (i, j)]
    deep = convex_separation(*flat) < -2e-3
    i, j = i[deep], j[deep]
    used, ranks = np.unique(np.concatenate([i, j]), return_inverse=True)
    outlines = _face_corner_keys(faces.corners[used])[ranks.reshape(2, -1)]
    alike = (outlines[0] == outlines[1]).all(axis=1)
    earlier, later = np.minimum(faces.origin[i], faces.origin[j]), np.maximum(faces.origin[i], faces.origin[j])
    reported = np.nonzero(alike | (faces.surface[i] != faces.surface[j]))[0]
    _, first = np.unique(later[reported], return_index=True)
    for pair in reported[np.sort(first)].tolist():
        one, other = int(earlier[pair]), int(later[pair])
        words = "a copy of itself" if one == other else describe_origin(level.origins[one])
        flickers = f"a face overlaps {words} in the same plane and flickers"
        message = f"a face coincides with {words}" if alike[pair] else flickers
        context.warn_origin("flicker", other, message, "move one of them")


def _face_corner_keys(corners: Floats) -> Indices:
    """Key (M,4) of each face's outline: its distinct corner numbers, sorted, padded with -1."""
    outlines = np.sort(number_unique_rows(np.round(corners.reshape(-1, 3), 5) + 0.0).reshape(-1, 4), axis=1)
    outlines[:, 1:][outlines[:, 1:] == outlines[:, :-1]] = -1
    found: Indices = np.sort(outlines, axis=1)[:, ::-1]
    return found


def check_flipped_quads(context: LintContext) -> None:
    """Warn about quads and triangles that face the opposite way to most of their neighbours."""
    faces = context.level.faces
    own = np.array([origin.kind in ("quad", "triangle") for origin in context.level.origins], dtype=np.bool_)
    faces = faces.select(own[faces.origin])
    if not len(faces):
        return
    here = number_unique_rows(np.round(faces.corners.reshape(-1, 3), 4) + 0.0)
    there = np.roll(here.reshape(-1, 4), -1, axis=1).reshape(-1)
    edge = np.minimum(here, there) * (int(here.max()) + 1) + np.maximum(here, there)
    edge[here == there] = -1 - np.nonzero(here == there)[0]  # zero length: a key of its own
    _, first, which, users = np.unique(edge, return_index=True, return_inverse=True, return_counts=True)
    one = np.sort(first[users == 2])
    last = np.zeros(len(first), np.int64)
    last[which.reshape(-1)] = np.arange(len(edge))
    other = last[which.reshape(-1)[one]]
    matched = np.bincount(np.concatenate([one, other]) // 4, minlength=len(faces))
    alike = (here < there)[one] == (here < there)[other]
    against: dict[int, list[int]] = {}
    for mine, its in zip((one[alike] // 4).tolist(), (other[alike] // 4).tolist(), strict=True):
        against.setdefault(mine, []).append(its)
        against.setdefault(its, []).append(mine)
    reported: set[int] = set()
    for face in sorted(against, key=lambda face: (-len(against[face]) / matched[face], -len(against[face]), -face)):
        if 2 * len(against[face]) > matched[face] and not reported & set(against[face]):
            reported.add(face)
            neighbour = context.level.origins[int(faces.origin[against[face][0]])]
            message = f"it faces the opposite way to {describe_origin(neighbour)} next to it"
            context.warn_origin("flipped", int(faces.origin[face]), message, "list its corners in the opposite order")
