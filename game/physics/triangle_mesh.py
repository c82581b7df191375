"""Triangle mesh for collision queries: cooked once, immutable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arguments import as_instances, describe_value
from ..core.vectors import Vector
from .mesh.bvh import build_bvh
from .mesh.cooking import Report, cook
from .mesh.heightfield import HeightField, HeightFields
from .mesh.material import Material, pack_materials
from .query.ellipsoid import Ellipsoid
from .query.mesh_queries import MeshQueries

MAX_MESH_COORDINATE = 1e7  # m: the spacing of float64 is 2e-9 m there, still far below the weld distance

__all__ = ["MAX_MESH_COORDINATE", "Ellipsoid", "TriangleMesh"]


class TriangleMesh(MeshQueries):
    """N triangles in canonical order with BVH and adjacency, as read-only arrays.

      triangles: array-like (count, 3, 3), metres, finite, within 1e7 m; counter-clockwise seen from the front
      surfaces: array-like (count,) of integers of any meaning; default 0
      materials: one Material a surface (surfaces are then indices into them); default: all of the default material
      fields: height fields of these triangles; they change no result, only the speed
      surface_names: of the surfaces by index, for the filters of queries; default: none

    Triangles without area and exact duplicates (corners in any order) are dropped; `report` lists them with reasons.
    The same triangles in another order, or with rotated corners, give the same bits in every array but `source`. May be
    empty. Picklable. ValueError for other arguments.

      triangles12 (N,12) f8: corners a, b, c and the unit normal
      nodes (M,6) f8, links (M,2) i4: BVH, see game.physics.mesh.bvh
      source (N,) i4: index into the array as passed in
      ids (N,3) i4: vertex of each corner; corners within 1e-5 m of each other, also through others, are one vertex
      mates (N,4) i4: see game.physics.mesh.layout.neighbour_row
      materials (K,8) f8: see game.physics.mesh.layout.material_row; K = 0 if all are the default
      heights: height fields, see game.physics.mesh.heightfield
      surface (N,) i4
      adjacency (N,3) i4: neighbour across edge k (from corner k to k + 1), the first met from the front; or -1
      edge_active (N,3) u1: 1 if the edge can be touched from the front before a face (no neighbour, or it bends away),
          plus 2 if from behind; 0 if a neighbour continues the face, as at the diagonal of a quad
      level_parts: what else collides in the level of this mesh ("2 movers and 1 zone"); empty for other meshes
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
        surface_names: Sequence[str] = (),
    ) -> None:
        corners = _check_corners(triangles)
        kinds = _check_surfaces(surfaces, len(corners))
        materials = as_instances(materials, Material, "materials")
        fields = as_instances(fields, HeightField, "fields")
        names = as_instances(surface_names, str, "surface_names")
        if materials and len(kinds) and not 0 <= kinds.min() <= kinds.max() < len(materials):
            raise ValueError(
                f"surfaces: expected indices into {len(materials)} materials, got {kinds.min()}..{kinds.max()}"
            )
        if names and len(kinds) and not 0 <= kinds.min() <= kinds.max() < len(names):
            raise ValueError(
                f"surfaces: expected indices into {len(names)} surface_names, got {kinds.min()}..{kinds.max()}"
            )
        for number, field in enumerate(fields):
            if not -1 <= field.triangles.min() <= field.triangles.max() < len(corners):
                raise ValueError(f"fields[{number}]: triangle index outside the {len(corners)} triangles")
        cooked = cook(corners, kinds)
        nodes, links = build_bvh(cooked.triangles, cooked.codes)
        self.__setstate__(
            {
                "triangles12": cooked.triangles,
                "nodes": nodes,
                "links": links,
                "source": cooked.source,
                "ids": cooked.ids,
                "mates": cooked.mates,
                "materials": pack_materials(materials),
                "report": cooked.report,
                "heights": HeightFields(fields, cooked.source, cooked.triangles, nodes, links),
                "surface_names": names,
                "level_parts": "",
            }
        )

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in (*self.__slots__, "level_parts", "surface_names")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._parts = {}
        for name, value in state.items():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            setattr(self, name, value)

    @property
    def surface(self) -> NDArray[np.int32]:
        """(N,) surface of each triangle."""
        return self.mates[:, 3]

    @property
    def adjacency(self) -> NDArray[np.int32]:
        """(N,3), see the class."""
        return _read_only(self.mates[:, :3] >> 2)

    @property
    def edge_active(self) -> NDArray[np.uint8]:
        """(N,3), see the class."""
        return _read_only((self.mates[:, :3] & 3).astype(np.uint8))

    def __len__(self) -> int:
        return len(self.source)

    def __repr__(self) -> str:
        return f"<TriangleMesh: {len(self)} triangles, {len(self.report)} dropped>"

    @property
    def bounds(self) -> tuple[Vector, Vector] | None:
        """Least and greatest corner of the axis-aligned bounding box, metres; None for an empty mesh."""
        if not len(self):
            return None
        x0, y0, z0, x1, y1, z1 = self.nodes[0].tolist()
        return (x0, y0, z0), (x1, y1, z1)


def as_mesh(value: Any, name: str = "mesh") -> TriangleMesh:
    """`value`, a TriangleMesh. ValueError names the argument and says how to make one of an array or a level."""
    if isinstance(value, TriangleMesh):
        return value
    cure = ""
    if isinstance(value, (np.ndarray, list, tuple)):
        cure = "; wrap it: TriangleMesh(array)"
    elif isinstance(getattr(value, "mesh", None), TriangleMesh):
        cure = f"; pass its mesh: {type(value).__name__.lower()}.mesh"
    shown = type(value).__name__ if cure and not isinstance(value, np.ndarray) else describe_value(value)
    raise ValueError(f"{name} must be a TriangleMesh, not {shown}{cure}")


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    """The same array, write-protected."""
    array.flags.writeable = False
    return array


def _check_corners(triangles: ArrayLike) -> NDArray[np.float64]:
    """(N,9) finite floats, a copy."""
    try:
        array = np.asarray(triangles)
    except ValueError as error:
        raise ValueError(f"triangles: expected an array of shape (N, 3, 3): {error}") from None
    if array.dtype == object and array.ndim == 0:
        already = ": it is one already" if isinstance(triangles, TriangleMesh) else ""
        raise ValueError(f"triangles: expected an array of shape (N, 3, 3), got {describe_value(triangles)}{already}")
    if array.shape in ((0,), (0, 3, 3)):
        return np.empty((0, 9))
    if array.ndim != 3 or array.shape[1:] != (3, 3):
        hint = " (a quad is two triangles)" if array.ndim == 3 and array.shape[1:] == (4, 3) else ""
        hint = "; for indexed faces pass vertices[faces]" if array.ndim == 2 else hint
        raise ValueError(f"triangles: expected shape (N, 3, 3), got {array.shape}{hint}")
    if array.dtype.kind not in "fiu":
        raise ValueError(f"triangles: expected numbers, got {array.dtype}")
    # + 0.0 also turns -0.0 into 0.0: they compare equal, but their bits differ.
    corners: NDArray[np.float64] = array.reshape(-1, 9) + np.float64(0.0)
    if not (corners.max() <= MAX_MESH_COORDINATE and corners.min() >= -MAX_MESH_COORDINATE):
        invalid = np.flatnonzero(~(np.abs(corners) <= MAX_MESH_COORDINATE).all(axis=1))
        first = int(invalid[0])
        problem = "lies beyond 1e7 m" if np.isfinite(corners[first]).all() else "has a corner that is not finite"
        raise ValueError(f"triangles: triangle {first} {problem} ({len(invalid)} such in all)")
    return corners


def _check_surfaces(surfaces: ArrayLike | None, count: int) -> NDArray[np.int32]:
    """(count,) int32."""
    if surfaces is None:
        return np.zeros(count, np.int32)
    try:
        array = np.asarray(surfaces)
    except ValueError:  # of lists of different lengths
        raise ValueError(f"surfaces: expected a sequence of integers, got {describe_value(surfaces)}") from None
    if array.shape != (count,):
        raise ValueError(f"surfaces: expected one for each of {count} triangles, got shape {array.shape}")
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"surfaces: expected integers, got {array.dtype}")
    converted = array.astype(np.int32)
    if (converted != array).any():
        raise ValueError("surfaces: expected integers of 32 bits")
    return converted
