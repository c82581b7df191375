"""glTF and GLB, read by trimesh after the file has been looked over.

What trimesh is given holds geometry and nodes only (no images, no extensions, no names), every index and length in
it was checked before, and nothing in it leads to another file.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from ..geometry.faces import Floats
from .gltf_container import opened
from .gltf_validation import Survey
from .layer_suffixes import layered
from .postprocess import finished
from .triangle_soup import LARGEST, Fetch, Heap, ModelError, Soup

_EXPORT = "export it again"


def read(data: bytes, fetch: Fetch, metres: float = 1.0) -> Soup:
    """All triangles of the file's scene, part by node. metres: of one unit, for the rule for quads."""
    container = opened(data, fetch)
    survey = Survey(container)
    survey.walk()
    if not survey.uses:
        raise ModelError("there is no mesh of triangles in its scene", "export the objects, not only lights or lines")
    heap = Heap()
    scene = _by_trimesh(survey.reduced())
    rank = {node: index for index, node in enumerate(dict.fromkeys(use.node for use in survey.uses))}
    placing = _placing(scene, survey.lineage())
    for index, use in enumerate(survey.uses):
        triangles = _placed(scene, index, use.node, placing[use.node], survey.vertices[use.primitive])
        heap.add(triangles, rank[use.node], use.material)
    names = [survey.name(node) for node in rank]
    return finished(heap, layered(names), survey.materials(), tuple(survey.notes), metres=metres)


def _by_trimesh(reduced: bytes) -> Any:
    import trimesh

    try:
        with np.errstate(all="ignore"):  # what is not finite is told later
            return trimesh.load_scene(io.BytesIO(reduced), file_type="glb", process=False)
    except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as error:
        # The survey lets nothing through that should end here; a sentence is still better than a trace.
        raise ModelError(f"it cannot be read: {str(error)[:100]}", _EXPORT) from None


def _placing(scene: Any, lineage: dict[int, int]) -> dict[int, Floats]:
    """The world matrix of each node; edge by edge, as trimesh takes the cube of a node's depth for the whole way."""
    found: dict[int, Floats] = {}
    for node, above in lineage.items():
        matrix, _ = scene.graph.get(f"n{node}", scene.graph.base_frame if above < 0 else f"n{above}")
        with np.errstate(all="ignore"):
            found[node] = matrix if above < 0 else found[above] @ matrix
    return found


def _placed(scene: Any, use: int, node: int, matrix: Floats, vertices: int) -> Floats:
    """World triangles of one primitive at one node, listed so that a mirror image keeps its outside."""
    mesh = scene.geometry[scene.graph.get(f"u{use}", f"n{node}")[1]]
    points = np.asarray(mesh.vertices, np.float64)
    faces = np.asarray(mesh.faces, np.int64).reshape(-1, 3)
    if len(points) != vertices or (len(faces) and not 0 <= faces.min() <= faces.max() < len(points)):
        raise ModelError("a triangle names a corner that is not there", _EXPORT)
    with np.errstate(all="ignore"):
        placed = points @ matrix[:3, :3].T + matrix[:3, 3]
        flip = np.linalg.det(matrix[:3, :3]) < 0.0
    if not (np.abs(placed) <= LARGEST).all():  # not a number compares false
        raise ModelError("a corner lies nowhere (not a number, or beyond all bounds)", _EXPORT)
    triangles: Floats = placed[faces[:, ::-1] if flip else faces]
    return triangles
