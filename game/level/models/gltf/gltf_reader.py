"""Reader of glTF and GLB files. trimesh decodes a reduced copy of the file.

The copy holds only geometry and nodes: no images, extensions, names or references to other files. Every index and
length in it has been validated. Materials, texture coordinates, colours and normals are read from the file itself.
"""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import numpy as np

from ....core.vectors import Floats, Indices
from ..layer_suffixes import parts_with_layers
from ..model_pictures import ModelPictures
from ..postprocess import finish_soup
from ..triangle_soup import MAX_MODEL_COORDINATE, FetchFile, ModelError, SoupBuilder, TriangleSoup
from .gltf_container import open_gltf
from .gltf_draco import decompress_draco
from .gltf_materials import read_gltf_materials
from .gltf_validation import GltfValidator
from .gltf_vertices import GltfVertices

_REEXPORT_CURE = "export it again"


def read_gltf(
    data: bytes, fetch: FetchFile, metres: float = 1.0, pictures: ModelPictures | None = None
) -> TriangleSoup:
    """All triangles of the scene, one part for each node. metres: length of one unit, for the merging of quads.

    pictures: finder of the textures; without it the materials have none.
    """
    container = decompress_draco(open_gltf(data, fetch))
    validated = GltfValidator(container)
    validated.validate()
    if not validated.uses:
        raise ModelError("the scene has no mesh of triangles", "export the objects as meshes of triangles")
    builder = SoupBuilder()
    scene = _load_with_trimesh(validated.reduced_glb())
    rank = {node: index for index, node in enumerate(dict.fromkeys(use.node for use in validated.uses))}
    matrices = _node_matrices(scene, validated.node_parents())
    used = {use.material for use in validated.uses}
    materials = read_gltf_materials(container, used, pictures, validated.notes)
    attributes = GltfVertices(container, materials, validated.notes)
    for index, use in enumerate(validated.uses):
        matrix = matrices[use.node]
        triangles, corners = _transform_primitive(scene, index, use.node, matrix, validated.vertices[use.primitive])
        values, material = attributes.corner_values(use, triangles, corners, matrix)
        builder.add_faces(triangles, rank[use.node], material, values)
    lamps = validated.read_lamps(matrices, metres)
    names = [validated.node_name(node) for node in rank]
    soup = finish_soup(
        builder, parts_with_layers(names), tuple(attributes.materials), tuple(validated.notes), metres=metres
    )
    return replace(soup, lamps=lamps)


def _load_with_trimesh(reduced: bytes) -> Any:
    import trimesh

    try:
        with np.errstate(all="ignore"):  # values that are not finite are reported later
            return trimesh.load_scene(io.BytesIO(reduced), file_type="glb", process=False)
    except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as error:
        # Validated files should not fail here; if one does, the author gets a message and not a traceback.
        raise ModelError(f"the file cannot be read: {str(error)[:100]}", _REEXPORT_CURE) from None


def _node_matrices(scene: Any, parents: dict[int, int]) -> dict[int, Floats]:
    """World matrix (4,4) of each node. Multiplied edge by edge: trimesh needs time cubic in a node's depth."""
    matrices: dict[int, Floats] = {}
    for node, parent in parents.items():
        matrix, _ = scene.graph.get(f"n{node}", scene.graph.base_frame if parent < 0 else f"n{parent}")
        with np.errstate(all="ignore"):
            matrices[node] = matrix if parent < 0 else matrices[parent] @ matrix
    return matrices


def _transform_primitive(scene: Any, use: int, node: int, matrix: Floats, vertices: int) -> tuple[Floats, Indices]:
    """World triangles (N,3,3) of a primitive at a node, and the vertices (N,3) of their corners.

    Reverses the winding if the matrix mirrors.
    """
    mesh = scene.geometry[scene.graph.get(f"u{use}", f"n{node}")[1]]
    points = np.asarray(mesh.vertices, np.float64)
    faces = np.asarray(mesh.faces, np.int64).reshape(-1, 3)
    if len(points) != vertices or (len(faces) and not 0 <= faces.min() <= faces.max() < len(points)):
        raise ModelError("a triangle uses a vertex that is not there", _REEXPORT_CURE)
    with np.errstate(all="ignore"):
        placed = points @ matrix[:3, :3].T + matrix[:3, 3]
        flip = np.linalg.det(matrix[:3, :3]) < 0.0
    if not (np.abs(placed) <= MAX_MODEL_COORDINATE).all():  # NaN compares false
        raise ModelError("a vertex position is not finite or too large", _REEXPORT_CURE)
    corners = faces[:, ::-1] if flip else faces
    return placed[corners], corners
