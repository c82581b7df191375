"""Hidden faces: where two would lie in one place and flicker (z-fighting).

Bases and floors of rooms that lie on the floor of another piece are left out. A floor of a room that takes the place of
the ground cuts it out of the faces below.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ...core.vectors import Flags, Floats, Indices, Ints
from ..geometry.column_grid import ColumnGrid, TooManyCandidates
from ..geometry.faces import FaceArrays, unit_normals
from ..geometry.quads import split_into_triangles
from .level_assembly import LevelAssembly
from .pieces import MODEL_KINDS
from .shared_walls import placed_rooms

HEIGHT_TOLERANCE = 1e-3  # metres
RIM_INSET = 2e-3  # metres from a face's edge to its samples; narrower uncovered strips do not count
MIN_PART_WIDTH = 1e-5  # metres: narrower parts of ground beside a room are left out
MAX_FACE_PAIRS = 20_000_000  # compared pairs of faces; bounds time
CLIP_COST = 200  # cost of clipping one pair, in comparisons
MAX_FACE_PARTS = 1000  # of one face

PlanPoint = tuple[float, float]
Outline = list[PlanPoint]


def find_hidden_faces(faces: FaceArrays, is_support: Flags) -> Flags:
    """Mask (M,) of resting faces that lie wholly on horizontal, upward faces of other pieces.

    is_support (M,): the faces that may carry them.
    """
    hidden = np.zeros(len(faces), np.bool_)
    normals = unit_normals(faces.corners)
    resting = np.nonzero(faces.rests & (np.abs(normals[:, 1]) > 0.9999))[0]
    carrying = np.nonzero(~faces.rests & is_support & (normals[:, 1] > 0.9999))[0]
    if not len(resting) or not len(carrying):
        return hidden
    triangles, triangle_face = split_into_triangles(faces.corners[carrying], faces.is_triangle[carrying])
    corners = faces.corners[resting]
    centre = corners.mean(axis=1, keepdims=True)
    inwards = centre - corners
    size = np.linalg.norm(inwards, axis=-1, keepdims=True)
    inner = corners + inwards * np.minimum(0.25, RIM_INSET / np.maximum(size, 1e-9))
    samples = np.concatenate([inner, (inner + np.roll(inner, -1, axis=1)) / 2, centre], axis=1)
    count = samples.shape[1]
    try:
        flat = samples.reshape(-1, 3)
        point, triangle, height = ColumnGrid(triangles).faces_at(flat[:, ::2], flat[:, 1], 2 * HEIGHT_TOLERANCE)
    except TooManyCandidates:
        return hidden
    at_height = np.abs(height - flat[point, 1]) < HEIGHT_TOLERANCE
    carried = np.zeros(len(resting) * count, np.bool_)
    carried[point[at_height]] = True
    # All nine samples of a quad are covered; between them it may still be uncovered.
    everywhere: Flags = np.all(carried.reshape(-1, count), axis=1)
    candidates = everywhere & ~_on_one_face(point[at_height], triangle_face[triangle[at_height]], len(resting), count)
    hidden[resting[everywhere & ~_partly_uncovered(corners, faces.corners[carrying], candidates)]] = True
    return hidden


def _on_one_face(sample: Indices, face: Ints, resting: int, sample_count: int) -> Flags:
    """Mask (R,) of resting faces whose four corners, the first four of their samples, lie on a single convex face.

    sample, face (P,): samples that lie on a face at their height.
    """
    covered = np.zeros(resting, np.bool_)
    owner = sample // sample_count
    rank = sample % sample_count
    is_corner = rank < 4
    pairs = np.unique((face[is_corner].astype(np.int64) * resting + owner[is_corner]) * 4 + rank[is_corner]) // 4
    pair, corners = np.unique(pairs, return_counts=True)
    covered[pair[corners == 4] % resting] = True
    return covered


def _partly_uncovered(resting: Floats, carrying: Floats, candidates: Flags) -> Flags:
    """Mask (R,) of the candidate faces (R,4,3) that convex faces (N,4,3) at their height do not wholly cover.

    Beyond MAX_FACE_PAIRS comparisons the rest counts as covered.
    """
    uncovered = np.zeros(len(resting), np.bool_)
    order = np.argsort(carrying[:, 0, 1], kind="stable")
    heights = carrying[order, 0, 1]
    plan = carrying[order][:, :, ::2]
    (low_x, low_z), (high_x, high_z) = plan.min(axis=1).T.copy(), plan.max(axis=1).T.copy()
    outlines = resting[:, :, ::2]
    low, high = outlines.min(axis=1).tolist(), outlines.max(axis=1).tolist()
    firsts, ends = (
        np.searchsorted(heights, resting[:, 0, 1] + slack) for slack in (-HEIGHT_TOLERANCE, HEIGHT_TOLERANCE)
    )
    remaining = MAX_FACE_PAIRS
    for face in np.nonzero(candidates)[0].tolist():
        at_height = slice(firsts[face], ends[face])
        remaining -= at_height.stop - at_height.start
        (x, z), (u, v) = low[face], high[face]
        overlaps = (low_x[at_height] < u) & (high_x[at_height] > x) & (low_z[at_height] < v) & (high_z[at_height] > z)
        clip_covers = plan[at_height][overlaps].tolist()
        remaining -= CLIP_COST * len(clip_covers)
        if remaining < 0:
            break
        covers = [_ccw_outline(cover) for cover in clip_covers]
        rest = _subtract_all([_ccw_outline(outlines[face].tolist())], covers, RIM_INSET)
        uncovered[face] = 0 < len(rest) <= MAX_FACE_PARTS
    return uncovered


# ---- Ground below rooms


def cut_below_rooms(assembly: LevelAssembly, faces: FaceArrays) -> FaceArrays:
    """The faces with the ground cut out below floors of rooms that take its place, as far as the outside of the walls.

    Ground is what faces up at the height of the floor, and not in its holes. Models and other such rooms are not cut.
    """
    rooms = [room for room in placed_rooms(faces) if room.shell.cuts_ground]
    if not rooms:
        return faces
    uncut = {room.origin for room in rooms} | {k for k, one in enumerate(assembly.origins) if one.kind in MODEL_KINDS}
    plan, heights = faces.corners[:, :, ::2], faces.corners[:, 0, 1]
    flat = (np.ptp(faces.corners[..., 1], axis=1) < 1e-9) & (unit_normals(faces.corners)[:, 1] > 0.5)
    rows = np.flatnonzero(flat & ~faces.rests & ~np.isin(faces.origin, list(uncut)))
    low, high = plan[rows].min(axis=1), plan[rows].max(axis=1)
    parts: dict[int, list[Outline]] = {}  # that remain of the faces, by row
    for room in rooms:
        (x, _, z), (u, _, w) = room.shell.outside
        y = room.shell.low[1]
        rectangles = [(x, u, z, w), *room.shell.floor_holes]
        cover, *holes = (
            room.to_world(np.array([(left, y, far), (right, y, far), (right, y, near), (left, y, near)]))
            for left, right, far, near in rectangles
        )
        gaps = [_ccw_outline(hole[:, ::2].tolist()) for hole in holes]
        covers = _subtract_all([_ccw_outline(cover[:, ::2].tolist())], gaps, MIN_PART_WIDTH)
        near = (np.abs(heights[rows] - cover[0, 1]) < HEIGHT_TOLERANCE) & (faces.mover_numbers[rows] == room.mover)
        near &= (low < cover[:, ::2].max(axis=0)).all(axis=1) & (high > cover[:, ::2].min(axis=0)).all(axis=1)
        for row in rows[near].tolist():
            whole = parts[row] if row in parts else [_ccw_outline(plan[row].tolist())]
            parts[row] = _subtract_all(whole, covers, MIN_PART_WIDTH)
    quads = [(row, quad) for row, outlines in parts.items() for outline in outlines for quad in _upward_quads(outline)]
    added = len(quads) - len(parts)
    if added > assembly.budget.remaining["quad"]:
        place = assembly.origins[rooms[0].origin].place
        message = f"the ground around floors of rooms needs {added} more quads than the level has left"
        assembly.report.add("dropped", place, "room.floor", message, "use larger tiles, or fewer rooms")
        return faces
    assembly.budget.remaining["quad"] -= added
    kept = np.setdiff1d(np.arange(len(faces)), list(parts))
    source = np.concatenate([kept, np.array([row for row, _ in quads], np.int64)])
    order = np.argsort(source, kind="stable")
    corners = np.array([[(x, heights[row], z) for x, z in quad] for row, quad in quads]).reshape(-1, 4, 3)
    return replace(faces.select(source[order]), corners=np.concatenate([faces.corners[kept], corners])[order])


def _upward_quads(outline: Outline) -> list[Outline]:
    """Quads of a convex outline, facing up; the last may be a triangle, which repeats its third corner."""
    first, *others = outline[::-1]
    others += others[-1:] if len(others) % 2 == 0 else []
    return [[first, *others[k : k + 3]] for k in range(0, len(others) - 2, 2)]


# ---- Convex polygons in the plan, counter-clockwise


def _subtract_all(outlines: list[Outline], covers: list[Outline], width: float) -> list[Outline]:
    """Convex parts of convex outlines outside convex covers, without slivers; it ends at more than MAX_FACE_PARTS."""
    for cover in covers:
        outlines = [rest for outline in outlines for rest in _subtract_convex(outline, cover, width)]
        if not 0 < len(outlines) <= MAX_FACE_PARTS:
            break
    return outlines


def _subtract_convex(piece: Outline, cover: Outline, width: float) -> list[Outline]:
    """Convex parts of a convex polygon outside a convex cover, without slivers of less than `width`."""
    outside = []
    inside = piece
    for start, end in zip(cover, cover[1:] + cover[:1], strict=True):
        covered, cut = _split_by_line(inside, start, end)
        if _is_not_sliver(cut, width):
            outside.append(cut)
        inside = covered
        if not _is_not_sliver(inside, width):
            return [piece]
    return outside


def _split_by_line(outline: Outline, start: PlanPoint, end: PlanPoint) -> tuple[Outline, Outline]:
    """Parts of a polygon left and right of the line from start to end."""
    x, z = start
    edge_x, edge_z = end[0] - start[0], end[1] - start[1]
    sides = [edge_x * (v - z) - edge_z * (u - x) for u, v in outline]
    left: Outline = []
    right: Outline = []
    for k, corner in enumerate(outline):
        before = sides[k - 1]
        if (before < 0.0) != (sides[k] < 0.0) and before != 0.0 and sides[k] != 0.0:
            fraction = before / (before - sides[k])
            (u, v), (w, t) = outline[k - 1], corner
            cut = (u + (w - u) * fraction, v + (t - v) * fraction)
            left.append(cut)
            right.append(cut)
        if sides[k] >= 0.0:
            left.append(corner)
        if sides[k] <= 0.0:
            right.append(corner)
    return left, right


def _is_not_sliver(outline: Outline, width: float) -> bool:
    """True for a polygon of more than that mean width."""
    if len(outline) < 3:
        return False
    edges = list(zip(outline, outline[1:] + outline[:1], strict=True))
    longest = max(math.hypot(w - u, t - v) for (u, v), (w, t) in edges)
    return abs(sum(u * t - w * v for (u, v), (w, t) in edges)) / 2 > width * longest


def _ccw_outline(outline: list[list[float]]) -> Outline:
    """Corners as (x, z), counter-clockwise, without repeated ones."""
    corners = [(x, z) for x, z in outline]
    corners = [corner for k, corner in enumerate(corners) if corner != corners[k - 1]]
    turn = sum(u * t - w * v for (u, v), (w, t) in zip(corners, corners[1:] + corners[:1], strict=True))
    return corners if turn > 0.0 else corners[::-1]
