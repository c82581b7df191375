"""Conversion from and to trimesh: triangles in the world with a surface for each material. Imports trimesh on use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.arguments import describe_value

Triangles = tuple[NDArray[np.float64], NDArray[np.int32], tuple[str, ...]]

SURFACE_ATTRIBUTE = "surface"  # of the faces of a trimesh.Trimesh that `make_trimesh` returns
NAMES_KEY = "surface_names"  # in its metadata
SOURCE_ATTRIBUTE = "triangle"


def read_trimesh(source: Any, up: str) -> Triangles:
    """Triangles (N,3,3) of a trimesh.Trimesh or Scene in Y-up axes, the surface (N,) of each, and the surface names.

    up: "y" or "z", the axis that points up in `source`. ValueError for what is not a mesh of triangles.
    """
    if not isinstance(up, str) or up not in ("y", "z"):
        raise ValueError(f"up must be 'y' or 'z', not {describe_value(up)}")
    names: dict[str, int] = {}
    triangles = [np.empty((0, 3, 3))]
    surfaces = [np.empty(0, np.int32)]
    for mesh, name, matrix in _placed_meshes(source):
        placed = np.asarray(mesh.vertices, np.float64) @ matrix[:3, :3].T + matrix[:3, 3]
        faces = np.asarray(mesh.faces, np.int64).reshape(-1, 3)
        if len(faces) and not 0 <= faces.min() <= faces.max() < len(placed):
            raise ValueError(f"mesh: the geometry {name!r} has a face with a vertex that is not there")
        if np.linalg.det(matrix[:3, :3]) < 0.0:
            faces = faces[:, ::-1]  # the transform mirrors: keep the front in front
        face_names, kinds = _face_surfaces(mesh, name)
        numbers = np.array([names.setdefault(one, len(names)) for one in face_names], np.int32)
        triangles.append(placed[faces])
        surfaces.append(numbers[kinds])
    corners, kinds = np.concatenate(triangles), np.concatenate(surfaces)
    if not len(corners):
        raise ValueError("mesh: it has no faces")
    if up == "z":
        corners = np.stack([corners[..., 0], corners[..., 2], -corners[..., 1]], axis=-1)
    return corners, kinds, tuple(names)


def make_trimesh(
    triangles: NDArray[np.float64], surfaces: NDArray[np.int32], source: NDArray[np.int32], names: tuple[str, ...]
) -> Any:
    """A trimesh.Trimesh of triangles (N,3,3), in that order. Equal corners are one vertex.

    Its face_attributes hold the surface and the source (N,) of each face, its metadata the names of the surfaces.
    """
    import trimesh

    points, faces = np.unique(triangles.reshape(-1, 3), axis=0, return_inverse=True)
    return trimesh.Trimesh(
        vertices=points,
        faces=faces.reshape(-1, 3),
        face_attributes={SURFACE_ATTRIBUTE: surfaces.copy(), SOURCE_ATTRIBUTE: source.copy()},
        metadata={NAMES_KEY: list(names)},
        process=False,
    )


def _placed_meshes(source: Any) -> Iterator[tuple[Any, str, NDArray[np.float64]]]:
    """Each mesh with its name and its transform (4,4) to the world, in the order of the scene's nodes."""
    import trimesh

    if isinstance(source, trimesh.Trimesh):
        yield source, str(source.metadata.get("name") or "mesh"), np.eye(4)
        return
    if not isinstance(source, trimesh.Scene):
        raise ValueError(f"mesh must be a trimesh.Trimesh or trimesh.Scene, {_describe_other(source)}")
    if not source.geometry:
        raise ValueError("mesh: the scene is empty")
    for node in source.graph.nodes_geometry:
        matrix, name = source.graph.get(node)
        geometry = source.geometry[name]
        if not isinstance(geometry, trimesh.Trimesh):
            kind = type(geometry).__name__
            raise ValueError(
                f"mesh: the geometry {name!r} of the scene is a {kind}, which has no faces; remove it with "
                f"scene.delete_geometry({name!r})"
            )
        yield geometry, str(name), np.asarray(matrix, np.float64)


def _describe_other(source: Any) -> str:
    """The end of a message about an argument that is no mesh, with the cure."""
    kind = type(source).__name__
    if isinstance(source, str) or hasattr(source, "__fspath__"):
        return f"not a path; load it first: trimesh.load_scene({str(source)!r})"
    if isinstance(source, (np.ndarray, list, tuple)):
        return "not an array; call TriangleMesh.from_faces(vertices, faces)"
    if type(source).__module__.partition(".")[0] == "trimesh":
        return f"not a {kind}, which has no faces"
    return f"not {describe_value(source)}"


def _face_surfaces(mesh: Any, name: str) -> tuple[list[str], NDArray[np.int32]]:
    """Surface names of a mesh, and the index of the name of each face (N,).

    They are those of `make_trimesh`, else the names of the materials, else the name of the mesh.
    """
    count = len(mesh.faces)
    known = mesh.metadata.get(NAMES_KEY)
    kinds = np.asarray(mesh.face_attributes.get(SURFACE_ATTRIBUTE, ()))
    if isinstance(known, list) and kinds.shape == (count,) and kinds.dtype.kind in "iu":
        names = [str(one) for one in known]
        if not count or 0 <= kinds.min() <= kinds.max() < len(names):
            return names, kinds.astype(np.int32)
    material = getattr(mesh.visual, "material", None)
    several = getattr(material, "materials", None)
    if several:
        names = [str(getattr(one, "name", None) or f"{name} {number}") for number, one in enumerate(several)]
        kinds = np.asarray(mesh.visual.face_materials)
        if kinds.shape == (count,) and (not count or 0 <= kinds.min() <= kinds.max() < len(names)):
            return names, kinds.astype(np.int32)
    return [str(getattr(material, "name", None) or name)], np.zeros(count, np.int32)
