"""Queries of a mesh: ray casts, sweeps, overlaps, closest point and ground below, with filters of surfaces."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.arguments import describe_value
from ...core.vectors import Flags, Ints, VectorLike
from ..mesh.heightfield import HeightFields
from ..mesh.mesh_view import MeshView
from .arguments import as_rays, as_vectors, join_columns
from .ellipsoid import Ellipsoid, overlap_ellipsoid_row, pose_rows, sweep_poses
from .mesh_parts import SurfaceFilter, chosen_surfaces, select_triangles
from .rays import find_closest_points, find_ground_below, raycast_all, raycast_any, raycast_nearest
from .results import Hit, Hits, collect_overlaps
from .shape_mesh import overlap_shape_row, sweep_shape
from .shapes import Shape, query_rows

MAX_KEPT_PARTS = 8  # surface filters of a mesh whose BVH is kept


class MeshQueries:
    """The queries of `TriangleMesh`, which has the arrays.

    surfaces, ignore: only these surfaces count, or all but these: an index or a name, or several. The hit is that of a
    mesh of the triangles that count. The first query with a filter builds their BVH; the last 8 are kept.

    A query of single values gives a Hit or None; the query of arrays has the same name with `_many`, and gives Hits.
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

    def sweep(
        self,
        ellipsoid: Ellipsoid | Shape,
        position: VectorLike | None = None,
        yaw: float | None = None,
        displacement: VectorLike | None = None,
        *,
        surfaces: SurfaceFilter | None = None,
        ignore: SurfaceFilter | None = None,
    ) -> Hit | None:
        """First touch of an ellipsoid moving by `displacement`. Two-sided, no skin.

        position: centre (3,), metres; yaw: radians, counter-clockwise seen from above, 0 looks along -Z. Overlap at the
        start: fraction 0, the deepest triangle (in ellipsoid space) and the normal that pushes out (the front where the
        centre lies in the triangle). Touching at the start: a hit at 0 only when moving into it. No displacement: None
        unless overlapping. Of touches at one time, faces come before edges and vertices. ValueError for values that are
        not finite or beyond 1e9 m.

        A Sphere, Capsule or Box has its own position: mesh.sweep(shape, displacement=...); the deepest triangle is
        measured in metres.
        """
        return self._sweep(ellipsoid, position, yaw, displacement, True, surfaces, ignore)[0]

    def sweep_many(
        self,
        ellipsoid: Ellipsoid | Shape,
        position: ArrayLike | None = None,
        yaw: ArrayLike | None = None,
        displacement: ArrayLike | None = None,
        *,
        surfaces: SurfaceFilter | None = None,
        ignore: SurfaceFilter | None = None,
    ) -> Hits:
        """`sweep` for K shapes, positions or displacements (K,3), or yaws (K,); single values are repeated."""
        return self._sweep(ellipsoid, position, yaw, displacement, False, surfaces, ignore)

    def _sweep(
        self,
        ellipsoid: Ellipsoid | Shape,
        position: ArrayLike | None,
        yaw: ArrayLike | None,
        displacement: ArrayLike | None,
        single: bool,
        surfaces: SurfaceFilter | None,
        ignore: SurfaceFilter | None,
    ) -> Hits:
        if isinstance(ellipsoid, Shape):
            _reject_pose(position, yaw)
            move = (0.0, 0.0, 0.0) if displacement is None else displacement
            return sweep_shape(self.part(surfaces, ignore), ellipsoid, move, single)
        if position is None or yaw is None or displacement is None:
            raise ValueError("position: expected numbers; an ellipsoid needs a position, a yaw and a displacement")
        return sweep_poses(self.part(surfaces, ignore), pose_rows(ellipsoid, position, yaw, displacement, single))

    def raycast(
        self,
        origin: VectorLike,
        direction: VectorLike,
        max_distance: float = math.inf,
        *,
        surfaces: SurfaceFilter | None = None,
        ignore: SurfaceFilter | None = None,
    ) -> Hit | None:
        """First triangle on the ray within `max_distance` metres. Two-sided; 0 m counts.

        direction: any length but zero. The normal is that of the face, on the side of the ray's origin. Watertight: no
        ray passes between two triangles with a common edge. A ray within the plane of a triangle misses it.
        """
        return raycast_nearest(self.part(surfaces, ignore), as_rays(origin, direction, max_distance, single=True))[0]

    def raycast_many(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        max_distance: ArrayLike = math.inf,
        *,
        surfaces: SurfaceFilter | None = None,
        ignore: SurfaceFilter | None = None,
    ) -> Hits:
        """`raycast` for K origins or directions (K,3), or limits (K,); single values are repeated."""
        return raycast_nearest(self.part(surfaces, ignore), as_rays(origin, direction, max_distance))

    def raycast_any(
        self,
        origin: VectorLike,
        direction: VectorLike,
        max_distance: float = math.inf,
        *,
        surfaces: SurfaceFilter | None = None,
        ignore: SurfaceFilter | None = None,
    ) -> bool:
        """Whether `raycast` would hit anything. Faster, since it stops at the first triangle found."""
        rays = as_rays(origin, direction, max_distance, single=True)
        return bool(raycast_any(self.part(surfaces, ignore), rays)[0])

    def raycast_any_many(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        max_distance: ArrayLike = math.inf,
        *,
        surfaces: SurfaceFilter | None = None,
        ignore: SurfaceFilter | None = None,
    ) -> Flags:
        """(K,): `raycast_any` for arrays as of `raycast_many`."""
        return raycast_any(self.part(surfaces, ignore), as_rays(origin, direction, max_distance))

    def raycast_all(
        self,
        origin: VectorLike,
        direction: VectorLike,
        max_distance: float = math.inf,
        *,
        surfaces: SurfaceFilter | None = None,
        ignore: SurfaceFilter | None = None,
    ) -> Hits:
        """All triangles on the ray within `max_distance` metres, the nearest first.

        Each hit is the one that `raycast` would find alone. A ray through an edge hits both triangles that share it.
        """
        return raycast_all(self.part(surfaces, ignore), as_rays(origin, direction, max_distance, single=True))[0]

    def raycast_all_many(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        max_distance: ArrayLike = math.inf,
        *,
        surfaces: SurfaceFilter | None = None,
        ignore: SurfaceFilter | None = None,
    ) -> list[Hits]:
        """`raycast_all` for arrays as of `raycast_many`."""
        return raycast_all(self.part(surfaces, ignore), as_rays(origin, direction, max_distance))

    def ground_below(
        self,
        point: VectorLike,
        reach: float = math.inf,
        steepest: float = 90.0,
        up: VectorLike = (0.0, 1.0, 0.0),
        *,
        surfaces: SurfaceFilter | None = None,
        ignore: SurfaceFilter | None = None,
    ) -> Hit | None:
        """First surface straight below a point within `reach` metres.

        steepest: degrees; steeper triangles are ignored. up: the vector opposite to the ray, for ground on walls.
        Two-sided; the normal points up.
        """
        return find_ground_below(self.part(surfaces, ignore), point, reach, steepest, up, single=True)[0]

    def ground_below_many(
        self,
        point: ArrayLike,
        reach: ArrayLike = math.inf,
        steepest: float = 90.0,
        up: ArrayLike = (0.0, 1.0, 0.0),
        *,
        surfaces: SurfaceFilter | None = None,
        ignore: SurfaceFilter | None = None,
    ) -> Hits:
        """`ground_below` for K points or vectors up (K,3), or limits (K,); single values are repeated."""
        return find_ground_below(self.part(surfaces, ignore), point, reach, steepest, up)

    def overlap(
        self,
        ellipsoid: Ellipsoid | Shape,
        position: VectorLike | None = None,
        yaw: float | None = None,
        *,
        surfaces: SurfaceFilter | None = None,
        ignore: SurfaceFilter | None = None,
    ) -> Ints:
        """Indices (n,), ascending, of the triangles that are touched or crossed.

        A Sphere, Capsule or Box has its own position: mesh.overlap(shape).
        """
        return self._overlap(ellipsoid, position, yaw, True, surfaces, ignore)[0]

    def overlap_many(
        self,
        ellipsoid: Ellipsoid | Shape,
        position: ArrayLike | None = None,
        yaw: ArrayLike | None = None,
        *,
        surfaces: SurfaceFilter | None = None,
        ignore: SurfaceFilter | None = None,
    ) -> list[Ints]:
        """`overlap` for K shapes, positions (K,3) or yaws (K,); a single value is repeated."""
        return self._overlap(ellipsoid, position, yaw, False, surfaces, ignore)

    def _overlap(
        self,
        ellipsoid: Ellipsoid | Shape,
        position: ArrayLike | None,
        yaw: ArrayLike | None,
        single: bool,
        surfaces: SurfaceFilter | None,
        ignore: SurfaceFilter | None,
    ) -> list[Ints]:
        part = self.part(surfaces, ignore)
        if isinstance(ellipsoid, Shape):
            _reject_pose(position, yaw)
            shapes = join_columns("the shapes", query_rows(ellipsoid), single=single)
            return collect_overlaps(part, overlap_shape_row, shapes)
        if position is None or yaw is None:
            raise ValueError("position: expected numbers; an ellipsoid needs a position and a yaw")
        return collect_overlaps(part, overlap_ellipsoid_row, pose_rows(ellipsoid, position, yaw, (0, 0, 0), single))

    def closest(
        self,
        point: VectorLike,
        *,
        surfaces: SurfaceFilter | None = None,
        ignore: SurfaceFilter | None = None,
    ) -> Hit | None:
        """Point of the mesh closest to `point`: Hit without a fraction; None for an empty mesh.

        The normal points from there to `point`; on the mesh itself it is that of the face.
        """
        points = join_columns("point", as_vectors(point, "point"), single=True)
        return find_closest_points(self.part(surfaces, ignore), points)[0]

    def closest_many(
        self,
        point: ArrayLike,
        *,
        surfaces: SurfaceFilter | None = None,
        ignore: SurfaceFilter | None = None,
    ) -> Hits:
        """`closest` for K points (K,3)."""
        return find_closest_points(self.part(surfaces, ignore), join_columns("point", as_vectors(point, "point")))


def _reject_pose(position: ArrayLike | None, yaw: ArrayLike | None) -> None:
    """ValueError for a position or yaw beside a shape."""
    if position is not None or yaw is not None:
        raise ValueError("position and yaw are an ellipsoid's; a Sphere, Capsule or Box has its own position")
