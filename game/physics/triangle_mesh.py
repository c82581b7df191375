"""Triangle mesh for collision queries: cooked once, immutable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arguments import as_instance, as_instances, describe_value
from ..core.vectors import Vector
from .mesh.bvh import build_bvh
from .mesh.cooking import Report, cook
from .mesh.heightfield import HeightField, HeightFields
from .mesh.material import Material, pack_materials
from .mesh.trimesh_conversion import make_trimesh, read_trimesh
from .numerics.arrays import Bytes
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
      surface_names: names of the surfaces, which are then indices into this list; used by the filters of queries and
          by `to_trimesh`; default: surfaces have only numbers

    Metres, Y up. `from_faces` takes vertices and faces, `from_trimesh` a trimesh.Trimesh or Scene.
    Triangles without area and exact duplicates (corners in any order) are dropped; `report` lists them with reasons.
    The same triangles in another order, or with rotated corners, give the same bits in every array but `source`. May be
    empty. Picklable. ValueError for other arguments.

      triangles12 (N,12) f8: corners a, b, c and the unit normal
      nodes (M,6) f8, links (M,2) i4: BVH, see physics.mesh.bvh
      source (N,) i4: index into the array as passed in
      ids (N,3) i4: vertex of each corner; corners within 1e-5 m of each other, also through others, are one vertex
      mates (N,4) i4: see physics.mesh.rows.neighbour_row
      materials (K,8) f8: see physics.mesh.rows.material_row; K = 0 if all are the default
      heights: height fields, see physics.mesh.heightfield
      surface (N,) i4
      surface_names (S,) text: they change no query and no walk; () if the surfaces have only numbers
      adjacency (N,3) i4: neighbour across edge k (from corner k to k + 1), the first met from the front; or -1
      edge_active (N,3) u1: 1 if the edge can be touched from the front before a face (no neighbour, or it bends away),
          plus 2 if from behind; 0 if a neighbour continues the face, as at the diagonal of a quad
      level_parts: movers and zones of the level of this mesh ("2 movers and 1 zone"); empty for other meshes
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

    ids: NDArray[np.int32]
    report: Report

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
        for count, what in ((len(materials), "materials"), (len(names), "surface names")):
            if count and len(kinds) and not 0 <= kinds.min() <= kinds.max() < count:
                raise ValueError(f"surfaces: expected indices into {count} {what}, got {kinds.min()}..{kinds.max()}")
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

    @classmethod
    def from_faces(
        cls,
        vertices: ArrayLike,
        faces: ArrayLike | Sequence[Sequence[int]],
        surfaces: ArrayLike | None = None,
        materials: Sequence[Material] = (),
        surface_names: Sequence[str] = (),
    ) -> TriangleMesh:
        """Mesh of indexed faces: triangles and quads.

          vertices: array-like (V, 3), metres, Y up
          faces: array-like (M, 3) or (M, 4) of integers, or a list with rows of 3 and of 4: vertices from 0,
              counter-clockwise seen from the front
          surfaces: array-like (M,), the surface of each face; default 0
          materials, surface_names: as in the constructor

        `Hit.triangle` counts triangles: a face gives one or two, in the order of the faces. A quad is divided along
        0-2, or along 1-3 if it is concave at 1 or 3; it need not be flat. To get the face of a hit, pass
        surfaces=range(M): `mesh.surface` then holds faces. ValueError names the face with a wrong index.
        """
        triangles, face = _triangulate_faces(vertices, faces)
        count = int(face[-1]) + 1 if len(face) else 0
        kinds = None if surfaces is None else _check_surfaces(surfaces, count, "faces")[face]
        return cls(triangles, kinds, materials, (), surface_names)

    @classmethod
    def from_trimesh(cls, mesh: Any, materials: Mapping[str, Material] | None = None, *, up: str = "y") -> TriangleMesh:
        """Mesh of a trimesh.Trimesh or trimesh.Scene, with the transforms of the scene's nodes applied.

          materials: physical material by surface name; surfaces that it does not name have the default material
          up: "y", or "z" for a mesh whose Z axis points up (CAD, STL): (x, y, z) becomes (x, z, -y)

        Each material name of `mesh` is a surface; geometry without material names is one surface with the name of the
        geometry. `surface_names` lists them. Units are metres: scale the mesh before if it has others, for example
        mesh.apply_scale(0.001). `Hit.triangle` counts the faces, in a scene node after node.

        ValueError for anything but a mesh (a path, a point cloud, an array), for a scene that is empty or contains such
        an object, for a mesh without faces, and for a name in `materials` that is no surface.
        """
        triangles, kinds, names = read_trimesh(mesh, up)
        by_name = {} if materials is None else materials
        if not isinstance(by_name, Mapping):
            raise ValueError(f"materials must be a dictionary by surface name, not {describe_value(materials)}")
        for name, material in by_name.items():
            if name not in names:
                raise ValueError(f"materials: there is no surface {describe_value(name)}; there are {', '.join(names)}")
            as_instance(material, Material, f"materials[{name!r}]")
        packed = [by_name.get(name, Material()) for name in names] if by_name else []
        return cls(triangles, kinds, packed, (), names)

    def to_trimesh(self) -> Any:
        """A trimesh.Trimesh of the triangles that were not dropped, in the order in which they were passed in.

        Raises ImportError if trimesh is not installed.

        Equal corners are one vertex. face_attributes["surface"] holds the surface of each face,
        face_attributes["triangle"] its index as in `Hit.triangle`, metadata["surface_names"] the names.
        `from_trimesh` reads them back.
        """
        order = np.argsort(self.source)
        corners = self.triangles12[order, :9].reshape(-1, 3, 3)
        return make_trimesh(corners, self.surface[order], self.source[order], self.surface_names)

    def __getstate__(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in (*self.__slots__, "level_parts", "surface_names")}

    def __setstate__(self, state: dict[str, object]) -> None:
        self._parts, self._packed = {}, None
        for name, value in state.items():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            setattr(self, name, value)

    @property
    def adjacency(self) -> NDArray[np.int32]:
        """(N,3), see the class."""
        return _read_only(self.mates[:, :3] >> 2)

    @property
    def edge_active(self) -> Bytes:
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


def as_mesh(value: object, name: str = "mesh") -> TriangleMesh:
    """`value` if it is a TriangleMesh. ValueError names the argument, and says how to get one of an array or level."""
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
    if type(triangles).__module__.partition(".")[0] == "trimesh":
        raise ValueError("triangles: for a trimesh object call TriangleMesh.from_trimesh(mesh)")
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
        if array.ndim == 2:
            hint = "; for vertices and faces call TriangleMesh.from_faces(vertices, faces)"
        raise ValueError(f"triangles: expected shape (N, 3, 3), got {array.shape}{hint}")
    if array.dtype.kind not in "fiu":
        raise ValueError(f"triangles: expected numbers, got {array.dtype}")
    # + 0.0 also turns -0.0 into 0.0: they compare equal, but their bits differ.
    corners: NDArray[np.float64] = array.reshape(-1, 9).astype(np.float64) + 0.0
    if not (corners.max() <= MAX_MESH_COORDINATE and corners.min() >= -MAX_MESH_COORDINATE):
        invalid = np.flatnonzero(~(np.abs(corners) <= MAX_MESH_COORDINATE).all(axis=1))
        first = int(invalid[0])
        problem = "lies beyond 1e7 m" if np.isfinite(corners[first]).all() else "has a corner that is not finite"
        raise ValueError(f"triangles: triangle {first} {problem} ({len(invalid)} such in all)")
    return corners


def _check_surfaces(surfaces: ArrayLike | None, count: int, noun: str = "triangles") -> NDArray[np.int32]:
    """(count,) int32."""
    if surfaces is None:
        return np.zeros(count, np.int32)
    try:
        array = np.asarray(surfaces)
    except ValueError:  # of lists of different lengths
        raise ValueError(f"surfaces: expected a sequence of integers, got {describe_value(surfaces)}") from None
    if array.shape != (count,):
        raise ValueError(f"surfaces: expected one for each of {count} {noun}, got shape {array.shape}")
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"surfaces: expected integers, got {array.dtype}")
    converted = array.astype(np.int32)
    if (converted != array).any():
        raise ValueError("surfaces: expected integers of 32 bits")
    return converted


def _triangulate_faces(vertices: ArrayLike, faces: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Triangles (N,3,3) f8 of faces, and the face (N,) of each, in the order of the faces.

    vertices (V,3). faces: (M,3) or (M,4) integers, or a list of rows of 3 or 4; from 0 to V - 1. A quad with corners 0
    to 3 gives 0-1-2 and 0-2-3; where it is concave at corner 1 or 3, 0-1-3 and 1-2-3. ValueError for anything else.
    """
    points = _check_vertices(vertices)
    rows = _check_faces(faces)
    corners = np.full((len(rows), 4), -1, np.int64)
    counts = np.array([len(row) for row in rows], np.int64)
    for count in (3, 4):
        chosen = counts == count
        if chosen.any():
            corners[chosen, :count] = rows if isinstance(rows, np.ndarray) else [r for r in rows if len(r) == count]
    _check_indices(corners, counts, len(points))
    quads = points[corners]  # of a triangle, the last corner is any vertex
    is_quad = counts == 4
    with np.errstate(all="ignore"):  # coordinates beyond the limit of a mesh are reported later
        normals = np.cross(quads[:, 1] - quads[:, 0], quads[:, 2] - quads[:, 0])
        others = np.cross(quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 0])
        folded = is_quad & (np.einsum("nk,nk->n", normals, others) < 0.0)
    order = np.where(folded[:, None], (0, 1, 3, 1, 2, 3), (0, 1, 2, 0, 2, 3))
    triangles = np.take_along_axis(quads, order[:, :, None], axis=1).reshape(-1, 3, 3)
    keep = np.stack([np.ones(len(rows), np.bool_), is_quad], axis=1).ravel()
    face = np.repeat(np.arange(len(rows), dtype=np.int64), 2)
    return triangles[keep], face[keep]


def _check_vertices(vertices: ArrayLike) -> NDArray[np.float64]:
    try:
        points = np.asarray(vertices)
    except ValueError as error:
        raise ValueError(f"vertices: expected an array of shape (V, 3): {error}") from None
    if points.shape == (0,):
        points = np.empty((0, 3))
    if points.ndim != 2 or points.shape[1] != 3:
        got = f"shape {points.shape}" if points.ndim else describe_value(vertices)
        raise ValueError(f"vertices: expected shape (V, 3), got {got}")
    if points.dtype.kind not in "fiu":
        raise ValueError(f"vertices: expected numbers, got {points.dtype}")
    invalid = np.flatnonzero(~np.isfinite(points).all(axis=1))
    if len(invalid):
        raise ValueError(f"vertices: vertex {invalid[0]} is not finite ({len(invalid)} such in all)")
    return points.astype(np.float64)


def _check_faces(faces: ArrayLike) -> NDArray[np.int64] | list[list[int]]:
    """Rows of 3 or 4 integers: an array if all have the same length, else lists."""
    try:
        array = np.asarray(faces)
    except ValueError:  # rows of different lengths
        return _check_mixed_faces(faces)
    if array.dtype == object:
        return _check_mixed_faces(faces)
    if array.shape[0:1] == (0,):
        return np.empty((0, 3), np.int64)
    if array.ndim != 2 or array.shape[1] not in (3, 4):
        cure = ""
        if array.ndim == 1:
            cure = "; a flat list of counts and indices must be cut into rows first"
        elif array.ndim == 2 and array.shape[1] > 4:
            cure = "; divide larger polygons into triangles"
        elif array.ndim == 3:
            cure = "; triangles with their corners go into TriangleMesh(triangles)"
        got = f"shape {array.shape}" if array.ndim else describe_value(faces)
        raise ValueError(f"faces: expected shape (N, 3) or (N, 4), or a list of both kinds, got {got}{cure}")
    if array.dtype.kind not in "iu":
        raise ValueError(f"faces: expected integers, indices of vertices, got {array.dtype}")
    return array.astype(np.int64)


def _check_mixed_faces(faces: Any) -> list[list[int]]:
    if not isinstance(faces, Sequence) and not (isinstance(faces, np.ndarray) and faces.ndim):
        raise ValueError(f"faces: expected rows of 3 or 4 indices, got {describe_value(faces)}")
    rows = []
    for number, face in enumerate(faces):
        try:
            row = np.asarray(face)
        except ValueError:
            row = np.empty(0)
        if row.ndim != 1 or len(row) not in (3, 4):
            got = f"{len(row)} corners" if row.ndim == 1 and len(row) else describe_value(face)
            raise ValueError(f"faces: face {number} must have 3 or 4 corners, not {got}; divide it into triangles")
        if row.dtype.kind not in "iu":
            raise ValueError(f"faces: face {number} must be integers, indices of vertices, not {describe_value(face)}")
        rows.append(row.tolist())
    return rows


def _check_indices(corners: NDArray[np.int64], counts: NDArray[np.int64], vertices: int) -> None:
    """ValueError for an index outside 0..vertices - 1. corners (M,4): the last of a triangle is not looked at."""
    used = np.arange(4) < counts[:, None]
    wrong = used & ((corners < 0) | (corners >= vertices))
    if not wrong.any():
        return
    face, corner = (int(value) for value in np.argwhere(wrong)[0])
    indices = corners[used]
    cure = ""
    if indices.min() == 1 and indices.max() == vertices:
        cure = "; these indices count from 1, as in OBJ files: subtract 1"
    expected = f"0..{vertices - 1}" if vertices else "none, because there are no vertices"
    raise ValueError(f"faces: face {face} has the vertex {corners[face, corner]}; expected {expected}{cure}")
