"""Triangles to collide with: baked once, asked many times, never changed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.vectors import Vector
from .mesh.bvh import build_bvh
from .mesh.cooking import Report, cook
from .mesh.heightfield import HeightField, HeightFields
from .mesh.material import Material, pack_materials
from .query import ellipsoid as ellipsoid_queries
from .query import mesh_closest_point, rays, shape_mesh
from .query.ellipsoid import Ellipsoid
from .query.results import Hit
from .query.shapes import Shape

MAX_MESH_COORDINATE = 1e7  # metres: there a float64 still tells 2e-9 m apart, far beyond it the weld means nothing

__all__ = ["MAX_MESH_COORDINATE", "Ellipsoid", "TriangleMesh"]


class TriangleMesh:
    """N triangles in canonical order, with their tree and neighbours, as read-only arrays.

    triangles: array-like (count, 3, 3), metres, finite, within 1e7; counter-clockwise from the front
    surfaces: array-like (count,) of integers, any meaning; 0 where it is not given
    materials: one Material a surface (surfaces are indices into them then); all plain where it is not given
    fields: grids of these triangles, which change no answer, but are looked up where `heights` is asked

    Triangles without area and exact duplicates (corners in any order) are dropped; `report` says which and
    why. The same triangles in another order, or with rotated corners, give the same bits in every array but
    `source`. An empty mesh works. Picklable. ValueError in words for anything else.

    triangles12 (N,12) f8: corners a, b, c and the unit normal
    nodes (M,6) f8, links (M,2) i4: the tree, see game.physics.mesh.bvh
    source (N,) i4: index into the array as passed in
    ids (N,3) i4: corners within 1e-5 m of each other, also by way of others, have one id
    mates (N,4) i4: of each edge 4 * adjacency + edge_active; the surface
    materials (K,6) f8: see game.physics.mesh.material; K = 0 where all are plain
    heights: the fields, see game.physics.mesh.heightfield
    surface (N,) i4
    adjacency (N,3) i4: the neighbour across edge k (from corner k to k + 1), first met from the front; or -1
    edge_active (N,3) u1: 1 where the edge can be touched from the front before a face is (no neighbour, or
        it bends away), plus 2 where it can from behind; 0 where a neighbour continues the face, as at the
        diagonal of a quad
    """

    __slots__ = (
        "heights",
        "ids",
        "links",
        "materials",
        "mates",
        "nodes",
        "report",
        "source",
        "triangles12",
    )

    triangles12: NDArray[np.float64]
    nodes: NDArray[np.float64]
    links: NDArray[np.int32]
    source: NDArray[np.int32]
    ids: NDArray[np.int32]
    mates: NDArray[np.int32]
    materials: NDArray[np.float64]
    report: Report
    heights: HeightFields

    def __init__(
        self,
        triangles: ArrayLike,
        surfaces: ArrayLike | None = None,
        materials: Sequence[Material] = (),
        fields: Sequence[HeightField] = (),
    ) -> None:
        corners = _check_corners(triangles)
        kinds = _check_surfaces(surfaces, len(corners))
        if materials and len(kinds) and not 0 <= kinds.min() <= kinds.max() < len(materials):
            raise ValueError(f"surfaces: expected indices into {len(materials)} materials, got {kinds.max()}")
        for number, field in enumerate(fields):
            if not -1 <= field.triangles.min() <= field.triangles.max() < len(corners):
                raise ValueError(f"fields[{number}]: triangle index outside the {len(corners)} triangles")
        baked = cook(corners, kinds)
        nodes, links = build_bvh(baked.triangles, baked.codes)
        self.__setstate__(
            {
                "triangles12": baked.triangles,
                "nodes": nodes,
                "links": links,
                "source": baked.source,
                "ids": baked.ids,
                "mates": np.column_stack((4 * baked.adjacency + baked.edge_active, baked.surface)).astype(np.int32),
                "materials": pack_materials(materials),
                "report": baked.report,
                "heights": HeightFields(fields, baked.source, baked.triangles, nodes, links),
            }
        )

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            setattr(self, name, value)

    @property
    def surface(self) -> NDArray[np.int32]:
        """(N,) of what each triangle is made."""
        return self.mates[:, 3]

    @property
    def adjacency(self) -> NDArray[np.int32]:
        """(N,3), see above."""
        return _read_only(self.mates[:, :3] >> 2)

    @property
    def edge_active(self) -> NDArray[np.uint8]:
        """(N,3), see above."""
        return _read_only((self.mates[:, :3] & 3).astype(np.uint8))

    def __len__(self) -> int:
        return len(self.source)

    def __repr__(self) -> str:
        return f"<TriangleMesh: {len(self)} triangles, {len(self.report)} dropped>"

    @property
    def bounds(self) -> tuple[Vector, Vector] | None:
        """Smallest and largest corner of the box round everything, metres; None for an empty mesh."""
        if not len(self):
            return None
        x0, y0, z0, x1, y1, z1 = self.nodes[0].tolist()
        return (x0, y0, z0), (x1, y1, z1)

    @overload
    def sweep(self, ellipsoid: Ellipsoid, position: Vector, yaw: float, displacement: Vector) -> Hit | None: ...
    @overload
    def sweep(self, ellipsoid: Ellipsoid, position: ArrayLike, yaw: ArrayLike, displacement: ArrayLike) -> Any: ...
    @overload
    def sweep(self, ellipsoid: Shape, *, displacement: ArrayLike) -> Any: ...
    def sweep(
        self,
        ellipsoid: Ellipsoid | Shape,
        position: ArrayLike | None = None,
        yaw: ArrayLike | None = None,
        displacement: ArrayLike | None = None,
    ) -> Any:
        """First touch of the bare ellipsoid moving by `displacement`: Hit or None; two-sided, no skin.

        position: the centre (3,), metres; yaw: radians, counter-clockwise seen from above, 0 looks along -Z.
        Overlapping at the start: fraction 0, the deepest triangle (in ellipsoid space), the normal that
        pushes out (the front where the centre lies in the triangle). Touching at the start: a hit at 0 only
        when moving into it. No displacement: None unless overlapping. Of touches at one instant, faces before
        edges and corners.
        Arrays (K,3) of positions or displacements, or (K,) of yaws, answer with `Hits`; single values serve
        all rows. ValueError for what is not finite or beyond 1e9 m.

        A Sphere, Capsule or Box stands somewhere already: mesh.sweep(shape, displacement=...) is the same of it, the
        deepest triangle in metres.
        """
        if isinstance(ellipsoid, Shape):
            _reject_pose(position, yaw)
            return shape_mesh.sweep_shape(self, ellipsoid, (0.0, 0.0, 0.0) if displacement is None else displacement)
        if position is None or yaw is None or displacement is None:
            raise ValueError("position: expected numbers; an ellipsoid needs a position, a yaw and a displacement")
        return ellipsoid_queries.sweep_ellipsoid(self, ellipsoid, position, yaw, displacement)

    @overload
    def raycast(self, origin: Vector, direction: Vector, max_distance: float = ...) -> Hit | None: ...
    @overload
    def raycast(self, origin: ArrayLike, direction: ArrayLike, max_distance: ArrayLike = ...) -> Any: ...
    def raycast(self, origin: ArrayLike, direction: ArrayLike, max_distance: ArrayLike = math.inf) -> Any:
        """First triangle on the ray within `max_distance` metres: Hit or None; two-sided, 0 m counts.

        direction: any length but zero. The normal is the face's, turned against the ray. Nothing slips
        through an edge that two triangles share; a ray that runs within a triangle's plane misses it.
        Arrays (K,3) of origins or directions, or (K,) of distances, answer with `Hits`.
        """
        return rays.raycast_nearest(self, origin, direction, max_distance)

    def raycast_any(self, origin: ArrayLike, direction: ArrayLike, max_distance: ArrayLike = math.inf) -> Any:
        """Whether `raycast` would meet anything: bool, or (K,) bool; sooner done, since any triangle will do."""
        return rays.raycast_any(self, origin, direction, max_distance)

    def raycast_all(self, origin: ArrayLike, direction: ArrayLike, max_distance: ArrayLike = math.inf) -> Any:
        """Every triangle on the ray within `max_distance` metres, the nearest first: `Hits`; for arrays a list of such.

        Each as `raycast` would meet it alone. A ray through an edge meets both triangles that share it.
        """
        return rays.raycast_all(self, origin, direction, max_distance)

    def ground_below(
        self, point: ArrayLike, reach: ArrayLike = math.inf, steepest: float = 90.0, up: ArrayLike = (0.0, 1.0, 0.0)
    ) -> Any:
        """The first surface straight below a point within `reach` metres: Hit or None; (K,3) answers with `Hits`.

        steepest: degrees; what is steeper is looked through. up: where up is, for ground on walls. Two-sided; the
        normal is turned up.
        """
        return rays.find_ground_below(self, point, reach, steepest, up)

    @overload
    def overlap(self, ellipsoid: Ellipsoid, position: Vector, yaw: float) -> NDArray[np.int32]: ...
    @overload
    def overlap(self, ellipsoid: Ellipsoid, position: ArrayLike, yaw: ArrayLike) -> Any: ...
    @overload
    def overlap(self, ellipsoid: Shape) -> Any: ...
    def overlap(
        self, ellipsoid: Ellipsoid | Shape, position: ArrayLike | None = None, yaw: ArrayLike | None = None
    ) -> Any:
        """Ascending indices, (n,) int32, of the triangles touched or crossed; for arrays a list of such.

        A Sphere, Capsule or Box stands somewhere already: mesh.overlap(shape).
        """
        if isinstance(ellipsoid, Shape):
            _reject_pose(position, yaw)
            return shape_mesh.find_shape_overlaps(self, ellipsoid)
        if position is None or yaw is None:
            raise ValueError("position: expected numbers; an ellipsoid needs a position and a yaw")
        return ellipsoid_queries.find_ellipsoid_overlaps(self, ellipsoid, position, yaw)

    @overload
    def closest(self, point: Vector) -> Hit | None: ...
    @overload
    def closest(self, point: ArrayLike) -> Any: ...
    def closest(self, point: ArrayLike) -> Any:
        """The mesh's point nearest to `point`: Hit without a fraction; None for an empty mesh.

        The normal points from there to `point`; on the mesh itself it is the face's. (K,3) answers with
        `Hits`.
        """
        return mesh_closest_point.find_closest_point(self, point)


def _reject_pose(position: ArrayLike | None, yaw: ArrayLike | None) -> None:
    if position is not None or yaw is not None:
        raise ValueError("position and yaw are an ellipsoid's; a Sphere, Capsule or Box has its own position")


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array


def _check_corners(triangles: ArrayLike) -> NDArray[np.float64]:
    """(N,9) floats of our own, checked."""
    try:
        given = np.asarray(triangles)
    except ValueError as error:
        raise ValueError(f"triangles: expected an array of shape (N, 3, 3): {error}") from None
    if given.shape in ((0,), (0, 3, 3)):
        return np.empty((0, 9))
    if given.ndim != 3 or given.shape[1:] != (3, 3):
        hint = " (a quad is two triangles)" if given.ndim == 3 and given.shape[1:] == (4, 3) else ""
        hint = "; for indexed faces pass vertices[faces]" if given.ndim == 2 else hint
        raise ValueError(f"triangles: expected shape (N, 3, 3), got {given.shape}{hint}")
    if given.dtype.kind not in "fiu":
        raise ValueError(f"triangles: expected numbers, got {given.dtype}")
    # + 0.0 also turns -0.0 into 0.0, which no order tells apart but bits do.
    corners: NDArray[np.float64] = given.reshape(-1, 9) + np.float64(0.0)
    if not (corners.max() <= MAX_MESH_COORDINATE and corners.min() >= -MAX_MESH_COORDINATE):
        wrong = np.flatnonzero(~(np.abs(corners) <= MAX_MESH_COORDINATE).all(axis=1))
        first = int(wrong[0])
        what = "lies beyond 1e7 m" if np.isfinite(corners[first]).all() else "has a corner that is not finite"
        raise ValueError(f"triangles: triangle {first} {what} ({len(wrong)} such in all)")
    return corners


def _check_surfaces(surfaces: ArrayLike | None, count: int) -> NDArray[np.int32]:
    if surfaces is None:
        return np.zeros(count, np.int32)
    given = np.asarray(surfaces)
    if given.shape != (count,):
        raise ValueError(f"surfaces: expected one for each of {count} triangles, got shape {given.shape}")
    if given.size and given.dtype.kind not in "iu":
        raise ValueError(f"surfaces: expected integers, got {given.dtype}")
    kept = given.astype(np.int32)
    if (kept != given).any():
        raise ValueError("surfaces: expected integers of 32 bits")
    return kept
