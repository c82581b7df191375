"""Reader of glTF and GLB files: faces, materials and lamps of the scene."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ....core.vectors import Floats, Indices
from ..layer_suffixes import parts_with_layers
from ..model_pictures import ModelPictures
from ..postprocess import finish_soup
from ..triangle_soup import MAX_MODEL_COORDINATE, FetchFile, ModelError, SoupBuilder, TriangleSoup
from .gltf_accessors import read_view
from .gltf_container import open_gltf
from .gltf_draco import decompress_draco
from .gltf_materials import read_gltf_materials
from .gltf_validation import GltfValidator, PrimitiveArrays
from .gltf_vertices import GltfVertices


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
    rank = {node: index for index, node in enumerate(dict.fromkeys(use.node for use in validated.uses))}
    used = {use.material for use in validated.uses}
    materials = read_gltf_materials(container, used, pictures, validated.notes)
    attributes = GltfVertices(container, materials, validated.notes)
    for use in validated.uses:
        matrix = validated.matrices[use.node]
        triangles, corners = _transform_primitive(validated.arrays[use.primitive], matrix)
        values, material = attributes.corner_values(use, triangles, corners, matrix)
        builder.add_faces(triangles, rank[use.node], material, values)
    lamps = validated.read_lamps(metres)
    names = [validated.node_name(node) for node in rank]
    soup = finish_soup(
        builder, parts_with_layers(names), tuple(attributes.materials), tuple(validated.notes), metres=metres
    )
    return replace(soup, lamps=lamps)


def _transform_primitive(arrays: PrimitiveArrays, matrix: Floats) -> tuple[Floats, Indices]:
    """World triangles (N,3,3) of a primitive at a node, and the vertices (N,3) of their corners.

    Reverses the winding if the matrix mirrors.
    """
    points = read_view(arrays.positions)
    vertices = np.arange(len(points)) if arrays.indices is None else read_view(arrays.indices)[:, 0].astype(np.int64)
    if len(vertices) and vertices.max() >= len(points):
        raise ModelError("a triangle uses a vertex that is not there", "export it again")
    if arrays.is_strip:
        corners = np.stack([vertices[:-2], vertices[1:-1], vertices[2:]], axis=1)
        corners[1::2] = corners[1::2, ::-1]
    else:
        corners = vertices.reshape(-1, 3)
    with np.errstate(all="ignore"):
        placed = points @ matrix[:3, :3].T + matrix[:3, 3]
        if np.linalg.det(matrix[:3, :3]) < 0.0:
            corners = corners[:, ::-1]
    if not (np.abs(placed) <= MAX_MODEL_COORDINATE).all():  # NaN compares false
        raise ModelError("a vertex position is not finite or too large", "export it again")
    return placed[corners], corners
