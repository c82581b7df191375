"""Queries of a mesh: ray casts, sweeps, overlaps, closest point and ground below, with filters of surfaces."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.arguments import describe_value
from ..mesh.heightfield import HeightFields
from ..mesh.mesh_view import MeshView
from . import ellipsoid as ellipsoid_queries
from . import mesh_closest_point, rays, shape_mesh
from .ellipsoid import Ellipsoid
from .mesh_parts import SurfaceFilter, chosen_surfaces, select_triangles
from .results import Hit, Hits
from .shapes import Shape

MAX_KEPT_PARTS = 8  # surface filters of a mesh whose BVH is kept

# Arguments whose type tells the result: one vector gives a Hit or None, a list of vectors gives Hits. The type of a
# NumPy array does not tell whether it has one row or many, so a query of one returns Any.
OneVector = Sequence[float]
ManyVectors = Sequence[Sequence[float]]


class SurfaceFilters(TypedDict, total=False):
    """The keyword arguments `surfaces` and `ignore` of every query (see `MeshQueries`)."""

    surfaces: SurfaceFilter | None
    ignore: SurfaceFilter | None


class MeshQueries:
    """The queries of `TriangleMesh`, which has the arrays.

    surfaces, ignore: only these surfaces count, or all but these: an index or a name, or several. The hit is that of a
    mesh of the triangles that count. The first query with a filter builds their BVH; the last 8 are kept.

    For type checkers, one vector (a tuple or list of three numbers) gives a Hit or None, and a list of vectors gives
    Hits. A query of a NumPy array has the type Any: annotate its result, `hits: Hits = mesh.raycast(origins, down)`.
    """

    __slots__ = ("_packed", "_parts", "level_parts", "surface_names")

    triangles12: NDArray[np.float64]
    nodes: NDArray[np.float64]
    links: NDArray[np.int32]
    source: NDArray[np.int32]
    mates: NDArray[np.int32]
    materials: NDArray[np.float64]
    heights: HeightFields
    surface_names: tuple[str, ...]
    level_parts: str
    _packed: object  # PackedEnvironment of the mesh alone, once a walker has used it
    _parts: dict[tuple[frozenset[int], bool], MeshView]  # by surfaces; True: only these, False: all but these

    def __len__(self) -> int:
        return len(self.source)

    @property
    def surface(self) -> NDArray[np.int32]:
        """(N,) surface of each triangle."""
        return self.mates[:, 3]

    def part(
        self,
        surfaces: SurfaceFilter | None = None,
        ignore: SurfaceFilter | None = None,
        named: MeshQueries | None = None,
    ) -> MeshView:
        """The triangles that a query with these filters sees; the mesh itself without one.

        named: the mesh that the indices and names belong to; default: this one. A surface of this mesh is one of that
        mesh if it has its name; its index if that mesh has no names. ValueError for unknown surfaces, or both filters.
        """
        if surfaces is None and ignore is None:
            return self
        if surfaces is not None and ignore is not None:
            raise ValueError("give either surfaces (only these count) or ignore (all but these), not both")
        if named is not None and not isinstance(named, MeshQueries):
            raise ValueError(f"named must be a TriangleMesh, not {describe_value(named)}")
        only = surfaces is not None
        owner = self if named is None else named
        chosen = owner._chosen_surfaces(surfaces, ignore)
        if owner is not self and owner.surface_names:
            names = {owner.surface_names[index] for index in chosen}
            chosen = frozenset(index for index, name in enumerate(self.surface_names) if name in names)
        part = self._parts.get((chosen, only))
        if part is None:
            part = select_triangles(self, np.isin(self.surface, sorted(chosen), invert=not only))
            kept = list(self._parts.items())[1 - MAX_KEPT_PARTS :]
            self._parts = dict([*kept, ((chosen, only), part)])  # a new one: other threads may read the old one
        return part

    def _chosen_surfaces(self, surfaces: SurfaceFilter | None, ignore: SurfaceFilter | None) -> frozenset[int]:
        """Indices of the surfaces in the filter that is given."""
        name, value = ("ignore", ignore) if surfaces is None else ("surfaces", surfaces)
        assert value is not None
        return chosen_surfaces(value, name, self.surface_names, len(self.materials) or len(self.surface_names))

    @overload
    def sweep(
        self,
        ellipsoid: Ellipsoid,
        position: OneVector,
        yaw: float,
        displacement: OneVector,
        **filters: Unpack[SurfaceFilters],
    ) -> Hit | None: ...
    @overload
    def sweep(
        self,
        ellipsoid: Ellipsoid,
        position: ManyVectors,
        yaw: ArrayLike,
        displacement: ArrayLike,
        **filters: Unpack[SurfaceFilters],
    ) -> Hits: ...
    @overload
    def sweep(
        self,
        ellipsoid: Ellipsoid,
        position: ArrayLike,
        yaw: ArrayLike,
        displacement: ManyVectors,
        **filters: Unpack[SurfaceFilters],
    ) -> Hits: ...
    @overload
    def sweep(
        self,
        ellipsoid: Ellipsoid,
        position: ArrayLike,
        yaw: ArrayLike,
        displacement: ArrayLike,
        **filters: Unpack[SurfaceFilters],
    ) -> Any: ...
    @overload
    def sweep(self, ellipsoid: Shape, *, displacement: ArrayLike, **filters: Unpack[SurfaceFilters]) -> Any: ...
    def sweep(
        self,
        ellipsoid: Ellipsoid | Shape,
        position: ArrayLike | None = None,
        yaw: ArrayLike | None = None,
        displacement: ArrayLike | None = None,
        *,
        surfaces: SurfaceFilter | None = None,
        ignore: SurfaceFilter | None = None,
    ) -> Any:
        """First touch of an ellipsoid moving by `displacement`: Hit or None. Two-sided, no skin.

        position: centre (3,), metres; yaw: radians, counter-clockwise seen from above, 0 looks along -Z. Overlap at the
        start: fraction 0, the deepest triangle (in ellipsoid space) and the normal that pushes out (the front where the
        centre lies in the triangle). Touching at the start: a hit at 0 only when moving into it. No displacement: None
        unless overlapping. Of touches at one time, faces come before edges and vertices. Arrays (K,3) of positions or
        displacements, or (K,) of yaws, give `Hits`; single values are repeated. ValueError for values that are not
        finite or beyond 1e9 m.

        A Sphere, Capsule or Box has its own position: mesh.sweep(shape, displacement=...); the deepest triangle is
        measured in metres.
        """
        if isinstance(ellipsoid, Shape):
            _reject_pose(position, yaw)
            view = self.part(surfaces, ignore)
            return shape_mesh.sweep_shape(view, ellipsoid, (0.0, 0.0, 0.0) if displacement is None else displacement)
        if position is None or yaw is None or displacement is None:
            raise ValueError("position: expected numbers; an ellipsoid needs a position, a yaw and a displacement")
        view = self.part(surfaces, ignore)
        return ellipsoid_queries.sweep_ellipsoid(view, ellipsoid, position, yaw, displacement)

    @overload
    def raycast(
        self,
        origin: OneVector,
        direction: OneVector,
        max_distance: float = ...,
        **filters: Unpack[SurfaceFilters],
    ) -> Hit | None: ...
    @overload
    def raycast(
        self,
        origin: ManyVectors,
        direction: ArrayLike,
        max_distance: ArrayLike = ...,
        **filters: Unpack[SurfaceFilters],
    ) -> Hits: ...
    @overload
    def raycast(
        self,
        origin: ArrayLike,
        direction: ManyVectors,
        max_distance: ArrayLike = ...,
        **filters: Unpack[SurfaceFilters],
    ) -> Hits: ...
    @overload
    def raycast(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        max_distance: ArrayLike = ...,
        **filters: Unpack[SurfaceFilters],
    ) -> Any: ...
    def raycast(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        max_distance: ArrayLike = math.inf,
        *,
        surfaces: SurfaceFilter | None = None,
        ignore: SurfaceFilter | None = None,
    ) -> Any:
        """First triangle on the ray within `max_distance` metres: Hit or None. Two-sided; 0 m counts.

        direction: any length but zero. The normal is that of the face, on the side of the ray's origin. Watertight: no
        ray passes between two triangles with a common edge. A ray within the plane of a triangle misses it. Arrays
        (K,3) of origins or directions, or (K,) of distances, give `Hits`.
        """
        return rays.raycast_nearest(self.part(surfaces, ignore), origin, direction, max_distance)

    @overload
    def raycast_any(
        self,
        origin: OneVector,
        direction: OneVector,
        max_distance: float = ...,
        **filters: Unpack[SurfaceFilters],
    ) -> bool: ...
    @overload
    def raycast_any(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        max_distance: ArrayLike = ...,
        **filters: Unpack[SurfaceFilters],
    ) -> Any: ...
    def raycast_any(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        max_distance: ArrayLike = math.inf,
        *,
        surfaces: SurfaceFilter | None = None,
        ignore: SurfaceFilter | None = None,
    ) -> Any:
        """Whether `raycast` would hit anything: bool, or (K,) bool. Faster, since it stops at the first triangle
        found."""
        return rays.raycast_any(self.part(surfaces, ignore), origin, direction, max_distance)

    @overload
    def raycast_all(
        self,
        origin: OneVector,
        direction: OneVector,
        max_distance: float = ...,
        **filters: Unpack[SurfaceFilters],
    ) -> Hits: ...
    @overload
    def raycast_all(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        max_distance: ArrayLike = ...,
        **filters: Unpack[SurfaceFilters],
    ) -> Any: ...
    def raycast_all(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        max_distance: ArrayLike = math.inf,
        *,
        surfaces: SurfaceFilter | None = None,
        ignore: SurfaceFilter | None = None,
    ) -> Any:
        """All triangles on the ray within `max_distance` metres, the nearest first: `Hits`; for arrays a list of them.

        Each hit is the one that `raycast` would find alone. A ray through an edge hits both triangles that share it.
        """
        return rays.raycast_all(self.part(surfaces, ignore), origin, direction, max_distance)

    @overload
    def ground_below(
        self,
        point: OneVector,
        reach: float = ...,
        steepest: float = ...,
        up: OneVector = ...,
        **filters: Unpack[SurfaceFilters],
    ) -> Hit | None: ...
    @overload
    def ground_below(
        self,
        point: ManyVectors,
        reach: ArrayLike = ...,
        steepest: float = ...,
        up: ArrayLike = ...,
        **filters: Unpack[SurfaceFilters],
    ) -> Hits: ...
    @overload
    def ground_below(
        self,
        point: ArrayLike,
        reach: ArrayLike = ...,
        steepest: float = ...,
        up: ArrayLike = ...,
        **filters: Unpack[SurfaceFilters],
    ) -> Any: ...
    def ground_below(
        self,
        point: ArrayLike,
        reach: ArrayLike = math.inf,
        steepest: float = 90.0,
        up: ArrayLike = (0.0, 1.0, 0.0),
        *,
        surfaces: SurfaceFilter | None = None,
        ignore: SurfaceFilter | None = None,
    ) -> Any:
        """First surface straight below a point within `reach` metres: Hit or None; (K,3) gives `Hits`.

        steepest: degrees; steeper triangles are ignored. up: the vector opposite to the ray, for ground on walls.
        Two-sided; the normal points up.
        """
        return rays.find_ground_below(self.part(surfaces, ignore), point, reach, steepest, up)

    @overload
    def overlap(
        self, ellipsoid: Ellipsoid, position: OneVector, yaw: float, **filters: Unpack[SurfaceFilters]
    ) -> NDArray[np.int32]: ...
    @overload
    def overlap(
        self, ellipsoid: Ellipsoid, position: ManyVectors, yaw: ArrayLike, **filters: Unpack[SurfaceFilters]
    ) -> list[NDArray[np.int32]]: ...
    @overload
    def overlap(
        self, ellipsoid: Ellipsoid, position: ArrayLike, yaw: ArrayLike, **filters: Unpack[SurfaceFilters]
    ) -> Any: ...
    @overload
    def overlap(self, ellipsoid: Shape, **filters: Unpack[SurfaceFilters]) -> Any: ...
    def overlap(
        self,
        ellipsoid: Ellipsoid | Shape,
        position: ArrayLike | None = None,
        yaw: ArrayLike | None = None,
        *,
        surfaces: SurfaceFilter | None = None,
        ignore: SurfaceFilter | None = None,
    ) -> Any:
        """Indices (n,) int32, ascending, of the triangles that are touched or crossed; for arrays a list of them.

        A Sphere, Capsule or Box has its own position: mesh.overlap(shape).
        """
        if isinstance(ellipsoid, Shape):
            _reject_pose(position, yaw)
            return shape_mesh.find_shape_overlaps(self.part(surfaces, ignore), ellipsoid)
        if position is None or yaw is None:
            raise ValueError("position: expected numbers; an ellipsoid needs a position and a yaw")
        return ellipsoid_queries.find_ellipsoid_overlaps(self.part(surfaces, ignore), ellipsoid, position, yaw)

    @overload
    def closest(self, point: OneVector, **filters: Unpack[SurfaceFilters]) -> Hit | None: ...
    @overload
    def closest(self, point: ManyVectors, **filters: Unpack[SurfaceFilters]) -> Hits: ...
    @overload
    def closest(self, point: ArrayLike, **filters: Unpack[SurfaceFilters]) -> Any: ...
    def closest(
        self, point: ArrayLike, *, surfaces: SurfaceFilter | None = None, ignore: SurfaceFilter | None = None
    ) -> Any:
        """Point of the mesh closest to `point`: Hit without a fraction; None for an empty mesh.

        The normal points from there to `point`; on the mesh itself it is that of the face. (K,3) gives `Hits`.
        """
        return mesh_closest_point.find_closest_point(self.part(surfaces, ignore), point)


def _reject_pose(position: ArrayLike | None, yaw: ArrayLike | None) -> None:
    """ValueError for a position or yaw beside a shape."""
    if position is not None or yaw is not None:
        raise ValueError("position and yaw are an ellipsoid's; a Sphere, Capsule or Box has its own position")
