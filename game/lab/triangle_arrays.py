"""Triangle and vector arithmetic on arrays for the published controllers.

Vectors are (3, n): one row each for x, y and z. The dtype of the arguments sets the precision, because some sources use
single precision and it matters.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
ZERO_TOLERANCE = 1e-9  # the "zero tolerance" of the sources


class TriangleArrays:
    """Triangles (n, 3, 3) in the order of their mesh, with bounding boxes and unit normals."""

    def __init__(self, triangles12: NDArray[np.float64]) -> None:
        self.corners = np.ascontiguousarray(triangles12[:, :9].reshape(-1, 3, 3))
        self.low, self.high = self.corners.min(axis=1), self.corners.max(axis=1)
        self.normals = triangles12[:, 9:12]

    def __len__(self) -> int:
        return len(self.corners)

    def overlapping_box(self, low: Array, high: Array) -> NDArray[np.intp]:
        """Ascending indices of the triangles whose boxes overlap a box."""
        if not len(self):
            return np.zeros(0, np.intp)
        overlaps = (self.low <= high) & (self.high >= low)
        return np.flatnonzero(overlaps[:, 0] & overlaps[:, 1] & overlaps[:, 2])

    def overlapping_sweep(self, centre: Array, displacement: Array, half_size: Array) -> NDArray[np.intp]:
        """Indices for the swept box of a body with half sizes `half_size` that moves by `displacement`."""
        end = centre + displacement
        return self.overlapping_box(np.minimum(centre, end) - half_size, np.maximum(centre, end) + half_size)


def dot(a: Any, b: Any) -> Any:
    """Dot product of (3, ...) vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Any, b: Any) -> Any:
    """Cross product of (3, ...) vectors."""
    return np.stack((a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]))


def length(a: Any) -> Any:
    """Length of (3, ...) vectors."""
    return np.sqrt(dot(a, a))


def transform_corners(corners: Array, matrix: Array) -> tuple[Array, Array, Array]:
    """The corners a, b, c, each (3, n), of triangles (n, 3, 3) after multiplication by a matrix (3, 3)."""
    rows = [
        np.stack([matrix[k, 0] * c[:, 0] + matrix[k, 1] * c[:, 1] + matrix[k, 2] * c[:, 2] for k in range(3)])
        for c in (corners[:, 0], corners[:, 1], corners[:, 2])
    ]
    return rows[0], rows[1], rows[2]


def is_inside_by_areas(p: Any, a: Any, b: Any, c: Any) -> Any:
    """Point-in-triangle test by unsigned areas, the third as one minus the others (`point_in_tri` of the forum guide).

    Wrong: a point beyond the corner or edge where the first two areas are small passes, because the third area is never
    measured.
    """
    area = length(cross(c - a, b - a))
    first = length(cross(c - p, b - p)) / area
    second = length(cross(c - p, a - p)) / area
    third = 1.0 - first - second
    return (first <= 1.0) & (second <= 1.0) & (third >= 0.0) & (third <= 1.0)


def is_inside_by_edges(p: Any, a: Any, b: Any, c: Any, normal: Any) -> Any:
    """Point-in-triangle test by the side of each edge."""
    return (
        (dot(cross(b - a, p - a), normal) >= 0.0)
        & (dot(cross(c - b, p - b), normal) >= 0.0)
        & (dot(cross(a - c, p - c), normal) >= 0.0)
    )


def nearest_on_segment(p: Any, a: Any, b: Any) -> Any:
    """Closest points (3, n) of segments."""
    edge = b - a
    along = np.clip(dot(p - a, edge) / np.maximum(dot(edge, edge), 1e-300), 0.0, 1.0)
    return a + along * edge


def nearest_on_outline(p: Array, a: Array, b: Array, c: Array) -> Any:
    """Closest points (3, n) of the edges of triangles."""
    best = nearest_on_segment(p, a, b)
    best_squared = dot(p - best, p - best)
    for start, end in ((b, c), (c, a)):
        other = nearest_on_segment(p, start, end)
        squared = dot(p - other, p - other)
        best = np.where(squared < best_squared, other, best)
        best_squared = np.minimum(squared, best_squared)
    return best


def nearest_on_triangles(p: Array, a: Array, b: Array, c: Array) -> Any:
    """Closest points (3, n) of triangles."""
    normal = cross(b - a, c - a)
    normal = normal / length(normal)
    foot = p - dot(p - a, normal) * normal
    return np.where(is_inside_by_edges(foot, a, b, c, normal), foot, nearest_on_outline(p, a, b, c))


def sweep_unit_sphere(
    a: Array, b: Array, c: Array, centre: Array, displacement: Array, unsigned: bool
) -> tuple[float, Array] | None:
    """Time of impact (0..1) of a unit sphere, and the contact point (3,); None without contact.

    After Fauerby and the forum guide: the face where the sphere reaches its plane, then corners and edges from
    a t^2 + b t + c = 0. Faces nearer than 1 at the start are skipped. Computed in the dtype of the arguments.
    a, b, c: corners (3, n); centre, displacement: of the sphere, (3,).
    """
    if a.shape[1] == 0:
        return None
    one = a.dtype.type(1.0)
    p, d = centre[:, None], displacement[:, None]
    normal = cross(b - a, c - a)
    normal = normal / length(normal)
    plane_distance = dot(normal, p - a)
    normal_speed = dot(normal, d) + 0.0 * plane_distance
    parallel = (np.abs(normal_speed) < ZERO_TOLERANCE) & (np.abs(plane_distance) >= one)
    begin, end = (one - plane_distance) / normal_speed, (-one - plane_distance) / normal_speed
    begin, end = np.minimum(begin, end), np.maximum(begin, end)
    embedded = np.abs(plane_distance) < one
    begin = np.where(embedded, 0 * one, begin)
    end = np.where(embedded, one, end)
    misses = parallel | ~(begin <= one) | ~(end >= 0)
    face_point = p - np.sign(plane_distance) * normal + begin * d
    face = is_inside_by_areas(face_point, a, b, c) if unsigned else is_inside_by_edges(face_point, a, b, c, normal)
    face &= (begin > 0) & ~misses
    best = np.where(face, begin, one)
    points = np.where(face, face_point, a)
    undecided = ~face & ~misses
    for corner, after in ((a, b), (b, c), (c, a)):
        offset = p - corner
        qa, qb, qc = dot(d, d), 2 * dot(d, offset), dot(offset, offset) - one
        root = _smaller_root(qa + 0 * qb, qb, qc)
        better = undecided & (root > 0) & (root < best)
        best, points = np.where(better, root, best), np.where(better, corner, points)
        edge = after - corner
        base = corner - p
        edge2 = dot(edge, edge)
        along = dot(d, edge)
        ahead = dot(edge, base)
        qa = along * along - edge2 * dot(d, d)
        qb = 2 * edge2 * dot(d, base) - 2 * along * ahead
        qc = edge2 * (one - dot(base, base)) + ahead * ahead
        root = _smaller_root(qa, qb, qc)
        edge_fraction = (along * root - ahead) / edge2
        better = undecided & (root > 0) & (root < best) & (edge_fraction >= 0) & (edge_fraction <= 1)
        best, points = np.where(better, root, best), np.where(better, corner + edge_fraction * edge, points)
    hits = best < one
    if not hits.any():
        return None
    first = int(np.argmin(np.where(hits, best, np.inf)))
    return float(best[first]), points[:, first]


def _smaller_root(a: Array, b: Array, c: Array) -> Array:
    """The smaller root of a t^2 + b t + c = 0; nan where there is none."""
    discriminant = b * b - 4 * a * c
    root = np.sqrt(np.where(discriminant < 0, np.nan, discriminant))
    lesser = np.minimum((-b - root) / (2 * a), (-b + root) / (2 * a))
    return np.where(np.abs(a) < ZERO_TOLERANCE, np.nan, lesser)
