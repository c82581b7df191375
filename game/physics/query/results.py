"""Query results: `Hit` of a mesh, `Touch` and `Gap` of shapes; `Hits`, `Touches` and `Gaps` for K queries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from ...core.vectors import Flags, Floats, Ints, Vector
from ..mesh.mesh_view import MeshView
from ..mesh.rows import ray_row
from ..numerics.arrays import Bytes
from ..numerics.jit import kernel
from ..numerics.vectors import vector_at

Feature = Literal["face", "edge", "vertex"]

NO_TRIANGLE = -1
# By feature code of the kernels: 0 the face, 1..3 edges ab, bc, ca, 4..6 corners a, b, c.
FEATURE_NAMES: tuple[Feature, ...] = ("face", "edge", "edge", "edge", "vertex", "vertex", "vertex")


@dataclass(frozen=True, slots=True)
class Hit:
    """Result of a ray, sweep or closest-point query of a mesh.

    fraction: of the displacement (or of max_distance), 0..1; None for `closest` and a ray without a limit
    distance: metres travelled; for `closest`, metres from the queried point
    point: contact point on the mesh, world, metres
    normal: unit, world, from the surface to the shape
    triangle: index into the array from which the mesh was made
    feature: "face", "edge" or "vertex" of the triangle
    """

    fraction: float | None
    distance: float
    point: Vector
    normal: Vector
    triangle: int
    feature: Feature


class Hits(Sequence["Hit | None"]):
    """K results: a sequence of `Hit` or None, and the same as read-only columns.

    fraction (K,) and distance (K,): nan where there is none; point (K,3), normal (K,3): nan for a miss; triangle (K,)
    int32: -1 for a miss; feature (K,) uint8: `FEATURE_NAMES[code]` is its name.
    """

    __slots__ = ("distance", "feature", "fraction", "normal", "point", "triangle")

    @property
    def hit(self) -> NDArray[np.bool_]:
        """(K,): whether anything was hit."""
        found: NDArray[np.bool_] = self.triangle != NO_TRIANGLE
        return found

    def __init__(
        self,
        fraction: NDArray[np.float64],
        distance: NDArray[np.float64],
        point: NDArray[np.float64],
        normal: NDArray[np.float64],
        triangle: NDArray[np.int32],
        feature: Bytes,
    ) -> None:
        self.fraction = fraction
        self.distance = distance
        self.point = point
        self.normal = normal
        self.triangle = triangle
        self.feature = feature
        columns: tuple[Floats | Ints | Bytes, ...] = (fraction, distance, point, normal, triangle, feature)
        for column in columns:
            column.flags.writeable = False

    def __len__(self) -> int:
        return len(self.triangle)

    @overload
    def __getitem__(self, index: int) -> Hit | None: ...
    @overload
    def __getitem__(self, index: slice) -> list[Hit | None]: ...
    def __getitem__(self, index: int | slice) -> Hit | list[Hit | None] | None:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        return hit_at(self, index)

    def __iter__(self) -> Iterator[Hit | None]:
        for index in range(len(self)):
            yield self[index]

    def __repr__(self) -> str:
        return f"<Hits: {int(np.count_nonzero(self.triangle != NO_TRIANGLE))} of {len(self)}>"


def hit_at(columns: Any, index: int | tuple[int, int]) -> Hit | None:
    """The hit in a row of columns named as those of `Hits`; None for a miss."""
    triangle = int(columns.triangle[index])
    if triangle == NO_TRIANGLE:
        return None
    fraction = float(columns.fraction[index])
    return Hit(
        fraction=None if fraction != fraction else fraction,
        distance=float(columns.distance[index]),
        point=_vector_from_row(columns.point[index]),
        normal=_vector_from_row(columns.normal[index]),
        triangle=triangle,
        feature=FEATURE_NAMES[int(columns.feature[index])],
    )


@dataclass(frozen=True, slots=True)
class Touch:
    """First touch of a moving shape, or a ray, with a shape.

    fraction: of the displacement (or of max_distance), 0..1; None for a ray without a limit
    distance: metres travelled
    point: a contact point, world, metres; one of several where sides or edges touch
    normal: unit, world, from the shape that was touched
    """

    fraction: float | None
    distance: float
    point: Vector
    normal: Vector


@dataclass(frozen=True, slots=True)
class Gap:
    """Signed distance of two shapes.

    distance: metres; negative: penetration depth, the shortest translation out along the normal
    normal: unit, world, from the other shape to the queried one; of round shapes as exact as the distance of their
        cores, so less exact where the cores nearly touch
    point: point of the queried shape's surface closest to the other shape (deepest in it)
    other_point: the same of the other shape; point = other_point + distance * normal
    """

    distance: float
    normal: Vector
    point: Vector
    other_point: Vector


class Touches(Sequence["Touch | None"]):
    """K results: a sequence of `Touch` or None, and the same as read-only columns.

    hit (K,) bool; fraction (K,), distance (K,), point (K,3), normal (K,3): nan for a miss (fraction also for a ray
    without a limit).
    """

    __slots__ = ("distance", "fraction", "hit", "normal", "point")

    def __init__(
        self, hit: NDArray[np.bool_], fraction: Floats, distance: Floats, point: Floats, normal: Floats
    ) -> None:
        self.hit, self.fraction, self.distance, self.point, self.normal = hit, fraction, distance, point, normal
        columns: tuple[Floats | Flags, ...] = (hit, fraction, distance, point, normal)
        for column in columns:
            column.flags.writeable = False

    def __len__(self) -> int:
        return len(self.hit)

    @overload
    def __getitem__(self, index: int) -> Touch | None: ...
    @overload
    def __getitem__(self, index: slice) -> list[Touch | None]: ...
    def __getitem__(self, index: int | slice) -> Touch | list[Touch | None] | None:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not self.hit[index]:
            return None
        fraction = float(self.fraction[index])
        return Touch(
            fraction=None if fraction != fraction else fraction,
            distance=float(self.distance[index]),
            point=_vector_from_row(self.point[index]),
            normal=_vector_from_row(self.normal[index]),
        )

    def __repr__(self) -> str:
        return f"<Touches: {int(np.count_nonzero(self.hit))} of {len(self)}>"


class Gaps(Sequence[Gap]):
    """K results: a sequence of `Gap`, and the same as read-only columns: distance (K,), the others (K,3)."""

    __slots__ = ("distance", "normal", "other_point", "point")

    def __init__(self, distance: Floats, normal: Floats, point: Floats, other_point: Floats) -> None:
        self.distance, self.normal, self.point, self.other_point = distance, normal, point, other_point
        for column in (distance, normal, point, other_point):
            column.flags.writeable = False

    def __len__(self) -> int:
        return len(self.distance)

    @overload
    def __getitem__(self, index: int) -> Gap: ...
    @overload
    def __getitem__(self, index: slice) -> list[Gap]: ...
    def __getitem__(self, index: int | slice) -> Gap | list[Gap]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        return Gap(
            distance=float(self.distance[index]),
            normal=_vector_from_row(self.normal[index]),
            point=_vector_from_row(self.point[index]),
            other_point=_vector_from_row(self.other_point[index]),
        )

    def __repr__(self) -> str:
        return f"<Gaps: {int(np.count_nonzero(self.distance <= 0.0))} of {len(self)} overlap>"


def _vector_from_row(row: Floats) -> Vector:
    """(3,) array as a tuple."""
    x, y, z = row.tolist()
    return x, y, z


def make_hits(
    mesh: MeshView,
    fraction: NDArray[np.float64],
    distance: NDArray[np.float64],
    values: NDArray[np.float64],
    triangle: NDArray[np.int32],
    feature: Bytes,
) -> Hits:
    """Hits of K queries; triangle (K,) canonical, -1: a miss; values (K,6): point and normal."""
    count = len(triangle)
    found, point, normal = np.empty(count, np.int32), np.empty((count, 3)), np.empty((count, 3))
    values = np.ascontiguousarray(values)  # columns of a table: contiguous for one row, and else another kernel
    write_hits(mesh.source, triangle, values, fraction, distance, point, normal, found)
    return Hits(fraction, distance, point, normal, found, feature)


def make_ray_hits(
    mesh: MeshView,
    table: NDArray[np.float64],
    triangle: NDArray[np.int32],
    feature: Bytes,
    distance: NDArray[np.float64],
) -> Hits:
    """`make_hits` of rays (K,7) that met triangles at distances (m); fraction of the limit, normals against the ray."""
    count = len(table)
    fraction, found = np.empty(count), np.empty(count, np.int32)
    point, normal = np.empty((count, 3)), np.empty((count, 3))
    write_ray_hits(mesh.triangles12, mesh.source, table, triangle, distance, fraction, point, normal, found)
    return Hits(fraction, distance, point, normal, found, feature)


def collect_overlaps(
    mesh: MeshView, overlap_row: Callable[..., int], table: NDArray[np.float64]
) -> list[NDArray[np.int32]]:
    """Indices of the triangles, ascending, that `overlap_row` lists for each row of the table."""
    results = []
    found = np.empty(256, np.int32)
    for row in range(len(table)):
        count = overlap_row(mesh.nodes, mesh.links, mesh.triangles12, table, row, found)
        if count > len(found):
            found = np.empty(2 * count, np.int32)
            count = overlap_row(mesh.nodes, mesh.links, mesh.triangles12, table, row, found)
        results.append(np.sort(mesh.source[found[:count]]))
    return results


@kernel
def write_hits(
    source: Ints,
    triangle: Ints,
    values: Floats,
    fraction: Floats,
    distance: Floats,
    point: Floats,
    normal: Floats,
    found: Ints,
) -> None:
    """Columns of `Hits` from canonical triangles (K,), -1: a miss, whose numbers become nan; values (K,6)."""
    for row in range(triangle.shape[0]):
        is_hit = triangle[row] >= 0
        found[row] = source[triangle[row]] if is_hit else NO_TRIANGLE
        if not is_hit:
            fraction[row] = distance[row] = np.nan
        for k in range(3):
            point[row, k] = values[row, k] if is_hit else np.nan
            normal[row, k] = values[row, 3 + k] if is_hit else np.nan


@kernel
def write_ray_hits(
    tri: Floats,
    source: Ints,
    rays: Floats,
    triangle: Ints,
    distance: Floats,
    fraction: Floats,
    point: Floats,
    normal: Floats,
    found: Ints,
) -> None:
    """Columns of `Hits` from canonical triangles (K,), -1: a miss, whose distance becomes nan."""
    for row in range(triangle.shape[0]):
        i, t, limit = triangle[row], distance[row], rays[row, ray_row.LIMIT]
        if i < 0:
            found[row], distance[row], fraction[row] = NO_TRIANGLE, np.nan, np.nan
            for k in range(3):
                point[row, k] = normal[row, k] = np.nan
            continue
        found[row] = source[i]
        fraction[row] = 0.0 if limit == 0.0 else t / limit if limit < np.inf else np.nan
        dx, dy, dz = vector_at(rays, row, ray_row.DIRECTION)
        along = tri[i, 9] * dx + tri[i, 10] * dy + tri[i, 11] * dz
        for k in range(3):
            point[row, k] = rays[row, ray_row.ORIGIN + k] + t * rays[row, ray_row.DIRECTION + k]
            normal[row, k] = -tri[i, 9 + k] if along > 0.0 else tri[i, 9 + k]
