"""The rule for quads: four corners in a plane, convex, no adjacent edges parallel; and the split in two."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .faces import Flags, Floats, Ints

FLAT = 1e-3  # metres that a corner may lie off the plane of the others: a tenth of the thinnest skin
SHARP = 1e-3  # metres that a corner must stand off the line through its neighbours

Vector = tuple[float, float, float]  # plain tuples: a level of quads has thousands of these small sums


def fault(corners: Sequence[Sequence[float]]) -> tuple[str, str] | None:
    """What is wrong with three or four corners, in words with corner and millimetres, and a cure; or None.

    Corners are counted from 1, as written.
    """
    first = corners[0]
    points = [_minus(corner, first) for corner in corners]
    count = len(points)
    for here in range(count):
        for there in range(here + 1, count):
            if _size(_minus(points[there], points[here])) < SHARP:
                return f"corners {here + 1} and {there + 1} are the same point", _fewer(count)
    for here in range(count):
        off = _off_line(points[here], points[here - 1], points[(here + 1) % count])
        if off < SHARP:
            return (
                f"corner {here + 1} lies on the line through its neighbours ({off * 1000:.1f} mm off it): "
                "two adjacent edges are parallel",
                _fewer(count),
            )
    if count == 3:
        return None
    distances = [abs(_off_plane(points, k)) for k in range(4)]
    if min(distances) > FLAT:
        return _bent(points, first, distances)
    turns = _turns(points)
    wrong = [k for k in range(4) if turns[k] <= 0.0]
    if len(wrong) == 1:
        return f"not convex: it is dented at corner {wrong[0] + 1}", "write it as two triangles"
    if wrong:
        return "its edges cross: the corners are not in order around the rim", _uncrossed(points)
    return None


def split(corners: Floats, triangular: Flags) -> tuple[Floats, Ints]:
    """Faces (M,4,3) as triangles (N,3,3), along the shorter diagonal; and the face (N,) each came from."""
    first = np.linalg.norm(corners[:, 2] - corners[:, 0], axis=-1)
    second = np.linalg.norm(corners[:, 3] - corners[:, 1], axis=-1)
    across = (second < first * (1 - 1e-9)) & ~triangular
    order = np.where(across[:, None], np.array([[0, 1, 3, 1, 2, 3]]), np.array([[0, 1, 2, 0, 2, 3]]))
    halves = np.take_along_axis(corners, order[:, :, None], axis=1).reshape(-1, 3, 3)
    keep = np.ones(len(halves), np.bool_)
    keep[1::2] = ~triangular
    faces = np.repeat(np.arange(len(corners), dtype=np.int32), 2)
    return np.ascontiguousarray(halves[keep]), faces[keep]


def _minus(a: Sequence[float], b: Sequence[float]) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _size(a: Vector) -> float:
    return math.sqrt(_dot(a, a))


def _plane_of_others(points: Sequence[Vector], k: int) -> tuple[Vector, Vector]:
    """A point and the normal (not a unit) of the plane through the three corners that are not k."""
    a, b, c = (points[(k + turn) % 4] for turn in (1, 2, 3))
    return a, _cross(_minus(b, a), _minus(c, a))


def _off_plane(points: Sequence[Vector], k: int) -> float:
    a, normal = _plane_of_others(points, k)
    return _dot(_minus(points[k], a), normal) / max(_size(normal), 1e-300)


def _off_line(point: Vector, a: Vector, b: Vector) -> float:
    along = _minus(b, a)
    return _size(_cross(along, _minus(point, a))) / max(_size(along), 1e-300)


def _turns(points: Sequence[Vector]) -> list[float]:
    """At each corner: positive where the rim turns the same way as the whole, by Newell's normal."""
    normal = (0.0, 0.0, 0.0)
    for k in range(4):
        part = _cross(points[k - 1], points[k])
        normal = (normal[0] + part[0], normal[1] + part[1], normal[2] + part[2])
    corners = [_cross(_minus(points[k], points[k - 1]), _minus(points[(k + 1) % 4], points[k])) for k in range(4)]
    if _size(normal) < 1e-9:  # a bow tie, whose halves cancel
        normal = corners[1]
    return [_dot(corner, normal) for corner in corners]


def _bent(points: Sequence[Vector], first: Sequence[float], distances: Sequence[float]) -> tuple[str, str]:
    """The corner that is least off, the last of those that hardly differ, and where along one axis it would fit."""
    least = min(distances)
    k = max(index for index in range(4) if distances[index] <= 1.25 * least)
    a, normal = _plane_of_others(points, k)
    axis = max(range(3), key=lambda axis: abs(normal[axis]))
    moved = [part + start for part, start in zip(points[k], first, strict=True)]
    moved[axis] -= _dot(_minus(points[k], a), normal) / normal[axis]
    where = ", ".join(f"{round(part, 4) + 0.0:.12g}" for part in moved)
    return (
        f"not planar: corner {k + 1} is {distances[k] * 1000:.1f} mm off the plane of the other three",
        f"move corner {k + 1} to [{where}], or write two triangles",
    )


def _fewer(count: int) -> str:
    return "take it out and write a `triangle`" if count == 4 else "it has no area: take it out"


def _uncrossed(points: Sequence[Vector]) -> str:
    for i, j in ((2, 3), (1, 2)):
        swapped = list(points)
        swapped[i], swapped[j] = swapped[j], swapped[i]
        if min(_turns(swapped)) > 0.0:
            return f"swap corners {i + 1} and {j + 1}"
    return "write them in order, counter-clockwise seen from the front"
