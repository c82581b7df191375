"""Finds the faces that nobody can see and that would flicker: feet and floors of rooms on another floor."""

from __future__ import annotations

import math

import numpy as np

from ...core.vectors import Flags, Floats, Indices, Ints
from ..geometry.column_grid import ColumnGrid, TooManyCandidates
from ..geometry.faces import FaceArrays, unit_normals
from ..geometry.quads import split_into_triangles

HEIGHT_TOLERANCE = 1e-3  # metres
RIM_INSET = 2e-3  # metres from a face's rim to where it is looked at; narrower bare strips do not count
MAX_FACE_PAIRS = 20_000_000  # pairs of faces, which bounds time
CLIP_COST = 200  # of one such pair that is cut, in pairs that are only compared
MAX_FACE_PARTS = 1000  # that a face may be cut into

Place2 = tuple[float, float]
Outline = list[Place2]


def find_hidden_faces(faces: FaceArrays, solid: Flags) -> Flags:
    """(M,): the resting faces that lie wholly on level, upward, other faces. solid (M,): which may carry."""
    found = np.zeros(len(faces), np.bool_)
    normals = unit_normals(faces.corners)
    resting = np.nonzero(faces.rests & (np.abs(normals[:, 1]) > 0.9999))[0]
    carrying = np.nonzero(~faces.rests & solid & (normals[:, 1] > 0.9999))[0]
    if not len(resting) or not len(carrying):
        return found
    triangles, face_of = split_into_triangles(faces.corners[carrying], faces.is_triangle[carrying])
    corners = faces.corners[resting]
    middle = corners.mean(axis=1, keepdims=True)
    towards = middle - corners
    size = np.linalg.norm(towards, axis=-1, keepdims=True)
    inner = corners + towards * np.minimum(0.25, RIM_INSET / np.maximum(size, 1e-9))
    places = np.concatenate([inner, (inner + np.roll(inner, -1, axis=1)) / 2, middle], axis=1)
    count = places.shape[1]
    try:
        asking = places.reshape(-1, 3)
        point, triangle, height = ColumnGrid(triangles).faces_at(asking[:, ::2], asking[:, 1], 2 * HEIGHT_TOLERANCE)
    except TooManyCandidates:
        return found
    level = np.abs(height - asking[point, 1]) < HEIGHT_TOLERANCE
    carried = np.zeros(len(resting) * count, np.bool_)
    carried[point[level]] = True
    # In nine places of a quad; between them it may still be bare.
    everywhere: Flags = np.all(carried.reshape(-1, count), axis=1)
    asked = everywhere & ~_on_one_face(point[level], face_of[triangle[level]], len(resting), count)
    found[resting[everywhere & ~_partly_uncovered(corners, faces.corners[carrying], asked)]] = True
    return found


def _on_one_face(point: Indices, face: Ints, resting: int, places: int) -> Flags:
    """(R,): which resting faces have all their corners, the first four of their places, on one convex face.

    point, face (P,): places that lie on a face of their height.
    """
    found = np.zeros(resting, np.bool_)
    owner, place = point // places, point % places
    corner = place < 4
    met = np.unique((face[corner].astype(np.int64) * resting + owner[corner]) * 4 + place[corner]) // 4
    whole, times = np.unique(met, return_counts=True)
    found[whole[times == 4] % resting] = True
    return found


def _partly_uncovered(resting: Floats, carrying: Floats, asked: Flags) -> Flags:
    """(R,): which of the asked level faces (R,4,3) stick out over the level, convex faces (N,4,3) of their height.

    Where there is too much to compare, the rest is taken as lying on them.
    """
    found = np.zeros(len(resting), np.bool_)
    order = np.argsort(carrying[:, 0, 1], kind="stable")
    heights, plan = carrying[order, 0, 1], carrying[order][:, :, ::2]
    (low_x, low_z), (high_x, high_z) = plan.min(axis=1).T.copy(), plan.max(axis=1).T.copy()
    outlines = resting[:, :, ::2]
    least, most = outlines.min(axis=1).tolist(), outlines.max(axis=1).tolist()
    firsts, ends = (
        np.searchsorted(heights, resting[:, 0, 1] + slack) for slack in (-HEIGHT_TOLERANCE, HEIGHT_TOLERANCE)
    )
    left = MAX_FACE_PAIRS
    for face in np.nonzero(asked)[0].tolist():
        same = slice(firsts[face], ends[face])
        left -= same.stop - same.start
        (x, z), (u, v) = least[face], most[face]
        near = (low_x[same] < u) & (high_x[same] > x) & (low_z[same] < v) & (high_z[same] > z)
        covers = plan[same][near].tolist()
        left -= CLIP_COST * len(covers)
        if left < 0:
            break
        found[face] = _exceeds_cover(_ccw_outline(outlines[face].tolist()), [_ccw_outline(cover) for cover in covers])
    return found


def _exceeds_cover(outline: Outline, covers: list[Outline]) -> bool:
    """Whether something broader than INSET is left of a convex outline when all the covers are taken away."""
    bare = [outline]
    for cover in covers:
        bare = [part for piece in bare for part in _subtract_convex(piece, cover)]
        if not bare or len(bare) > MAX_FACE_PARTS:
            return False
    return bool(bare)


def _subtract_convex(piece: Outline, cover: Outline) -> list[Outline]:
    """The convex parts of a convex piece outside a convex cover, slivers left out."""
    outside = []
    inside = piece
    for start, end in zip(cover, cover[1:] + cover[:1], strict=True):
        kept, cut = _split_by_line(inside, start, end)
        if _is_not_sliver(cut):
            outside.append(cut)
        inside = kept
        if len(inside) < 3:
            return [piece]
    return outside


def _split_by_line(outline: Outline, start: Place2, end: Place2) -> tuple[Outline, Outline]:
    """The parts of an outline to the left of a line, and to its right."""
    (x, z), along, across = start, end[0] - start[0], end[1] - start[1]
    sides = [along * (v - z) - across * (u - x) for u, v in outline]
    left: Outline = []
    right: Outline = []
    for k, corner in enumerate(outline):
        before = sides[k - 1]
        if (before < 0.0) != (sides[k] < 0.0) and before != 0.0 and sides[k] != 0.0:
            part = before / (before - sides[k])
            (u, v), (w, t) = outline[k - 1], corner
            cut = (u + (w - u) * part, v + (t - v) * part)
            left.append(cut)
            right.append(cut)
        if sides[k] >= 0.0:
            left.append(corner)
        if sides[k] <= 0.0:
            right.append(corner)
    return left, right


def _is_not_sliver(outline: Outline) -> bool:
    """Whether an outline is more than a sliver."""
    if len(outline) < 3:
        return False
    ring = list(zip(outline, outline[1:] + outline[:1], strict=True))
    longest = max(math.hypot(w - u, t - v) for (u, v), (w, t) in ring)
    return abs(sum(u * t - w * v for (u, v), (w, t) in ring)) / 2 > RIM_INSET * longest


def _ccw_outline(outline: list[list[float]]) -> Outline:
    """The corners counter-clockwise, as x, z; a corner that is written twice once."""
    corners = [(x, z) for x, z in outline]
    corners = [corner for k, corner in enumerate(corners) if corner != corners[k - 1]]
    turn = sum(u * t - w * v for (u, v), (w, t) in zip(corners, corners[1:] + corners[:1], strict=True))
    return corners if turn > 0.0 else corners[::-1]
