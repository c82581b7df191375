"""glTF and GLB, read by trimesh after the file has been looked over.

What trimesh is given holds geometry and nodes only (no images, no extensions, no names), every index and length in
it was checked before, and nothing in it leads to another file.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from ...core.vectors import Floats
from .gltf_container import open_gltf
from .gltf_validation import GltfValidator
from .layer_suffixes import parts_with_layers
from .postprocess import finish_soup
from .triangle_soup import MAX_MODEL_COORDINATE, FetchFile, ModelError, SoupBuilder, TriangleSoup

_REEXPORT_CURE = "export it again"


def read_gltf(data: bytes, fetch: FetchFile, metres: float = 1.0) -> TriangleSoup:
    """All triangles of the file's scene, part by node. metres: of one unit, for the rule for quads."""
    container = open_gltf(data, fetch)
    survey = GltfValidator(container)
    survey.validate()
    if not survey.uses:
        raise ModelError("the scene has no mesh of triangles", "export the objects, not only lights or lines")
    heap = SoupBuilder()
    scene = _load_with_trimesh(survey.reduced_glb())
    rank = {node: index for index, node in enumerate(dict.fromkeys(use.node for use in survey.uses))}
    placing = _node_matrices(scene, survey.node_parents())
    for index, use in enumerate(survey.uses):
        triangles = _transform_primitive(scene, index, use.node, placing[use.node], survey.vertices[use.primitive])
        heap.add_faces(triangles, rank[use.node], use.material)
    names = [survey.node_name(node) for node in rank]
    return finish_soup(heap, parts_with_layers(names), survey.read_materials(), tuple(survey.notes), metres=metres)


def _load_with_trimesh(reduced: bytes) -> Any:
    import trimesh

    try:
        with np.errstate(all="ignore"):  # what is not finite is told later
            return trimesh.load_scene(io.BytesIO(reduced), file_type="glb", process=False)
    except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as error:
        # The survey lets nothing through that should end here; a sentence is still better than a trace.
        raise ModelError(f"the file cannot be read: {str(error)[:100]}", _REEXPORT_CURE) from None


def _node_matrices(scene: Any, lineage: dict[int, int]) -> dict[int, Floats]:
    """The world matrix of each node; edge by edge, as trimesh takes the cube of a node's depth for the whole way."""
    found: dict[int, Floats] = {}
    for node, above in lineage.items():
        matrix, _ = scene.graph.get(f"n{node}", scene.graph.base_frame if above < 0 else f"n{above}")
        with np.errstate(all="ignore"):
            found[node] = matrix if above < 0 else found[above] @ matrix
    return found


def _transform_primitive(scene: Any, use: int, node: int, matrix: Floats, vertices: int) -> Floats:
    """World triangles of one primitive at one node, listed so that a mirror image keeps its outside."""
    mesh = scene.geometry[scene.graph.get(f"u{use}", f"n{node}")[1]]
    points = np.asarray(mesh.vertices, np.float64)
    faces = np.asarray(mesh.faces, np.int64).reshape(-1, 3)
    if len(points) != vertices or (len(faces) and not 0 <= faces.min() <= faces.max() < len(points)):
        raise ModelError("a triangle uses a vertex that is not there", _REEXPORT_CURE)
    with np.errstate(all="ignore"):
        placed = points @ matrix[:3, :3].T + matrix[:3, 3]
        flip = np.linalg.det(matrix[:3, :3]) < 0.0
    if not (np.abs(placed) <= MAX_MODEL_COORDINATE).all():  # not a number compares false
        raise ModelError("a vertex position is not finite or too large", _REEXPORT_CURE)
    triangles: Floats = placed[faces[:, ::-1] if flip else faces]
    return triangles
