"""What a query answers: one `Hit` of a mesh, one `Touch` or `Gap` of shapes; for many asked at once their columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from ...core.vectors import Vector
from ..mesh.mesh_view import MeshView

Feature = Literal["face", "edge", "vertex"]

NO_TRIANGLE = -1
# Codes of the geometry kernels: 0 the face, 1..3 edges ab, bc, ca, 4..6 corners a, b, c.
FEATURE_NAMES: tuple[Feature, ...] = ("face", "edge", "edge", "edge", "vertex", "vertex", "vertex")


@dataclass(frozen=True, slots=True)
class Hit:
    """Where a query met the mesh.

    fraction: part of the displacement (or of max_distance) in 0..1; None for `closest` and a ray without end
    distance: metres travelled; for `closest`, metres from the point asked about
    point: the place on the mesh, world, metres
    normal: unit, world, from the surface to the shape
    triangle: index into the array the mesh was made of
    feature: "face", "edge" or "vertex": the part of the triangle that was met
    """

    fraction: float | None
    distance: float
    point: Vector
    normal: Vector
    triangle: int
    feature: Feature


class Hits(Sequence["Hit | None"]):
    """K answers: a sequence of `Hit` or None, and the same as read-only columns.

    fraction (K,) and distance (K,): nan where there is none; point (K,3), normal (K,3): nan where nothing was
    hit; triangle (K,) int32: -1 where nothing was hit; feature (K,) uint8: `FEATURES[code]` is its name.
    """

    __slots__ = ("distance", "feature", "fraction", "normal", "point", "triangle")

    def __init__(
        self,
        fraction: NDArray[np.float64],
        distance: NDArray[np.float64],
        point: NDArray[np.float64],
        normal: NDArray[np.float64],
        triangle: NDArray[np.int32],
        feature: NDArray[np.uint8],
    ) -> None:
        self.fraction = fraction
        self.distance = distance
        self.point = point
        self.normal = normal
        self.triangle = triangle
        self.feature = feature
        columns: tuple[NDArray[Any], ...] = (fraction, distance, point, normal, triangle, feature)
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
        triangle = int(self.triangle[index])
        if triangle == NO_TRIANGLE:
            return None
        fraction = float(self.fraction[index])
        x, y, z = self.point[index].tolist()
        nx, ny, nz = self.normal[index].tolist()
        return Hit(
            fraction=None if fraction != fraction else fraction,
            distance=float(self.distance[index]),
            point=(x, y, z),
            normal=(nx, ny, nz),
            triangle=triangle,
            feature=FEATURE_NAMES[int(self.feature[index])],
        )

    def __iter__(self) -> Iterator[Hit | None]:
        for index in range(len(self)):
            yield self[index]

    def __repr__(self) -> str:
        return f"<Hits: {int(np.count_nonzero(self.triangle != NO_TRIANGLE))} of {len(self)}>"


@dataclass(frozen=True, slots=True)
class Touch:
    """Where a moving shape, or a ray, met a shape.

    fraction: part of the displacement (or of max_distance) in 0..1; None for a ray without end
    distance: metres travelled
    point: a place where they touch, world, metres; where sides or edges touch along a stretch, one place of it
    normal: unit, world, from the shape that was met
    """

    fraction: float | None
    distance: float
    point: Vector
    normal: Vector


@dataclass(frozen=True, slots=True)
class Gap:
    """How far two shapes are apart.

    distance: metres; negative where they overlap: the depth, the shortest way out along the normal
    normal: unit, world, from the other shape to the one asked
    point: the place on the surface of the one asked that is nearest to the other (deepest in it)
    other_point: the same of the other; point = other_point + distance * normal
    """

    distance: float
    normal: Vector
    point: Vector
    other_point: Vector


Floats = NDArray[np.float64]


class Touches(Sequence["Touch | None"]):
    """K answers: a sequence of `Touch` or None, and the same as read-only columns.

    hit (K,) bool; fraction (K,), distance (K,), point (K,3), normal (K,3): nan where nothing was met (fraction also
    where the ray has no end).
    """

    __slots__ = ("distance", "fraction", "hit", "normal", "point")

    def __init__(
        self, hit: NDArray[np.bool_], fraction: Floats, distance: Floats, point: Floats, normal: Floats
    ) -> None:
        self.hit, self.fraction, self.distance, self.point, self.normal = hit, fraction, distance, point, normal
        columns: tuple[NDArray[Any], ...] = (hit, fraction, distance, point, normal)
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
    """K answers: a sequence of `Gap`, and the same as read-only columns: distance (K,), the others (K,3)."""

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
    x, y, z = row.tolist()
    return x, y, z


def make_hits(
    mesh: MeshView,
    fraction: NDArray[np.float64],
    distance: NDArray[np.float64],
    values: NDArray[np.float64],
    triangle: NDArray[np.int32],
    feature: NDArray[np.uint8],
    single: bool,
) -> Hit | Hits | None:
    """Columns in the caller's terms: its indices, nan for what was not hit."""
    missed = triangle < 0
    source = np.full(len(triangle), NO_TRIANGLE, np.int32)
    source[~missed] = mesh.source[triangle[~missed]]
    fraction[missed] = distance[missed] = np.nan
    values[missed] = np.nan
    hits = Hits(fraction, distance, values[:, :3].copy(), values[:, 3:].copy(), source, feature)
    return hits[0] if single else hits


def make_ray_hits(
    mesh: MeshView,
    table: NDArray[np.float64],
    triangle: NDArray[np.int32],
    feature: NDArray[np.uint8],
    distance: NDArray[np.float64],
    single: bool,
) -> Hit | Hits | None:
    """Of rays (K,7) that met triangles (-1: none) at distances, in the caller's terms; normals against the ray."""
    limit, way = table[:, 6], table[:, 3:6]
    fraction = np.full(len(table), np.nan)
    fraction[limit == 0.0] = 0.0
    np.divide(distance, limit, out=fraction, where=np.isfinite(limit) & (limit > 0.0))
    values = np.empty((len(table), 6))
    values[:, :3] = table[:, :3] + np.where(triangle >= 0, distance, 0.0)[:, None] * way
    if len(mesh):
        face = mesh.triangles12[triangle, 9:]
        along = face[:, 0] * way[:, 0] + face[:, 1] * way[:, 1] + face[:, 2] * way[:, 2]
        values[:, 3:] = np.where(along[:, None] > 0.0, -face, face)
    return make_hits(mesh, fraction, distance, values, triangle, feature, single)
