"""Validity of quads: planar, convex, no parallel adjacent edges; and their division into triangles."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...core.vectors import Flags, Floats, Indices, Ints, Vector, vector_lengths

PLANAR_TOLERANCE = 1e-3  # metres off the plane of the other corners: a tenth of the thinnest skin
MIN_CORNER_OFFSET = 1e-3  # metres from the line through its neighbours
SECOND_DIAGONAL = (0, 1, 3, 1, 2, 3)  # corners of the triangles of a quad that is split between its corners 1 and 3


def find_quad_fault(corners: Sequence[Sequence[float]]) -> tuple[str, str] | None:
    """Message and suggested fix for three or four invalid corners; None if they are valid. Corners count from 1."""
    first = corners[0]
    points = [_subtract(corner, first) for corner in corners]
    count = len(points)
    for i in range(count):
        for j in range(i + 1, count):
            if _vector_length(_subtract(points[j], points[i])) < MIN_CORNER_OFFSET:
                return f"corners {i + 1} and {j + 1} are the same point", _corner_count_fault(count)
    for i in range(count):
        offset = _line_distance(points[i], points[i - 1], points[(i + 1) % count])
        if offset < MIN_CORNER_OFFSET:
            return (
                f"corner {i + 1} lies on the line through its neighbours (within {offset * 1000:.1f} mm): "
                "two adjacent edges are parallel",
                _corner_count_fault(count),
            )
    if count == 3:
        return None
    distances = [abs(_plane_distance(points, k)) for k in range(4)]
    if min(distances) > PLANAR_TOLERANCE:
        return _find_bent_corner(points, first, distances)
    turns = _corner_turns(points)
    wrong = [k for k in range(4) if turns[k] <= 0.0]
    if len(wrong) == 1:
        return f"the quad is not convex: corner {wrong[0] + 1} points inwards", "write it as two triangles"
    if wrong:
        return "its edges cross: the corners are not in order around the outline", _uncrossed_order(points)
    return None


def split_into_triangles(corners: Floats, triangular: Flags) -> tuple[Floats, Ints]:
    """Triangles (N,3,3) of faces (M,4,3), split along the shorter diagonal, and the face (N,) of each."""
    order = triangle_corners(corners, triangular)
    rows = order + 4 * np.arange(len(corners))[:, None]  # of all corners: one gather of rows is the fastest
    triangles = corners.reshape(-1, 3)[rows].reshape(-1, 3, 3)
    keep = kept_triangles(triangular)
    faces = np.repeat(np.arange(len(corners), dtype=np.int32), 2)
    return np.ascontiguousarray(triangles[keep]), faces[keep]


def triangle_corners(corners: Floats, triangular: Flags) -> Indices:
    """Corners (M,6), from 0, of the two triangles of each face (M,4,3), split along the shorter diagonal."""
    first = vector_lengths(corners[:, 2] - corners[:, 0])
    second = vector_lengths(corners[:, 3] - corners[:, 1])
    use_second = (second < first * (1 - 1e-9)) & ~triangular
    return np.where(use_second[:, None], np.array([SECOND_DIAGONAL]), np.array([[0, 1, 2, 0, 2, 3]]))


def kept_triangles(triangular: Flags) -> Flags:
    """Mask (2M,) of the two triangles of each face without the second ones of triangular faces."""
    keep = np.ones(2 * len(triangular), np.bool_)
    keep[1::2] = ~triangular
    return keep


def _subtract(a: Sequence[float], b: Sequence[float]) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _vector_length(a: Vector) -> float:
    return math.sqrt(_dot(a, a))


def _plane_of_others(points: Sequence[Vector], k: int) -> tuple[Vector, Vector]:
    """Point and normal (not unit) of the plane through the three corners other than k."""
    a, b, c = (points[(k + offset) % 4] for offset in (1, 2, 3))
    return a, _cross(_subtract(b, a), _subtract(c, a))


def _plane_distance(points: Sequence[Vector], k: int) -> float:
    a, normal = _plane_of_others(points, k)
    return _dot(_subtract(points[k], a), normal) / max(_vector_length(normal), 1e-300)


def _line_distance(point: Vector, a: Vector, b: Vector) -> float:
    along = _subtract(b, a)
    return _vector_length(_cross(along, _subtract(point, a))) / max(_vector_length(along), 1e-300)


def _corner_turns(points: Sequence[Vector]) -> list[float]:
    """Per corner: positive if it is convex, by the Newell normal of the quad."""
    normal = (0.0, 0.0, 0.0)
    for k in range(4):
        term = _cross(points[k - 1], points[k])
        normal = (normal[0] + term[0], normal[1] + term[1], normal[2] + term[2])
    corners = [_cross(_subtract(points[k], points[k - 1]), _subtract(points[(k + 1) % 4], points[k])) for k in range(4)]
    if _vector_length(normal) < 1e-9:  # a bow tie: the areas of its triangles cancel
        normal = corners[1]
    return [_dot(corner, normal) for corner in corners]


def _find_bent_corner(points: Sequence[Vector], first: Sequence[float], distances: Sequence[float]) -> tuple[str, str]:
    """Message and fix for a quad that is not flat: the corner that is least off, and its position in the plane.

    Among corners that are about equally far off, the last is taken; it moves along one axis.
    """
    smallest = min(distances)
    k = max(index for index in range(4) if distances[index] <= 1.25 * smallest)
    a, normal = _plane_of_others(points, k)
    axis = max(range(3), key=lambda axis: abs(normal[axis]))
    moved = [value + start for value, start in zip(points[k], first, strict=True)]
    moved[axis] -= _dot(_subtract(points[k], a), normal) / normal[axis]
    coordinates = ", ".join(f"{round(value, 4) + 0.0:.12g}" for value in moved)
    return (
        f"the quad is not flat: corner {k + 1} is {distances[k] * 1000:.1f} mm off the plane of the other three",
        f"move corner {k + 1} to [{coordinates}], or write two triangles",
    )


def _corner_count_fault(count: int) -> str:
    return "remove it and write a `triangle`" if count == 4 else "the triangle has no area: remove it"


def _uncrossed_order(points: Sequence[Vector]) -> str:
    for i, j in ((2, 3), (1, 2)):
        swapped = list(points)
        swapped[i], swapped[j] = swapped[j], swapped[i]
        if min(_corner_turns(swapped)) > 0.0:
            return f"swap corners {i + 1} and {j + 1}"
    return "list them in order, counter-clockwise seen from the front"
