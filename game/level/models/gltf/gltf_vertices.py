"""Texture coordinates, colours and normals of glTF primitives, by the materials that use them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ....core.srgb import srgb_to_linear
from ....core.vectors import Floats, Indices
from ...format.findings import quote_text
from ...materials import PbrMaterial
from ..postprocess import flat_shaded
from ..triangle_soup import MAX_MODEL_COORDINATE, CornerValues, ModelError, ModelMaterial, ModelNote
from .gltf_accessors import FLOAT, check_accessor, read_view
from .gltf_container import GltfContainer, Json
from .gltf_materials import GltfMaterial
from .gltf_validation import PrimitiveUse

_VERTEX_KINDS = {
    "TEXCOORD": (("VEC2",), (5120, 5121, 5122, 5123, FLOAT), "texture coordinates"),
    "COLOR": (("VEC3", "VEC4"), (5121, 5123, FLOAT), "vertex colours"),
    "NORMAL": (("VEC3",), (5120, 5122, FLOAT), "normals"),
}
UNNAMED_MATERIAL = "vertex colours"  # name of the material of coloured faces without one


class GltfVertices:
    """Reader of the vertex attributes of a document. `materials`: those of the model, also ones that it makes."""

    def __init__(self, container: GltfContainer, materials: Sequence[GltfMaterial], notes: list[ModelNote]) -> None:
        self.materials: list[ModelMaterial] = [entry.material for entry in materials]
        self._container = container
        self._texcoords = [entry.texcoord for entry in materials]
        self._notes = notes
        self._told: set[str] = set()
        self._arrays: dict[tuple[int, int, str], Floats | None] = {}
        self._unnamed = -1  # index of the material of coloured faces without one

    def corner_values(
        self, use: PrimitiveUse, triangles: Floats, corners: Indices, matrix: Floats
    ) -> tuple[CornerValues, int]:
        """Values of the corners of triangles (N,3,3) at a node with a world matrix, and their material.

        corners (N,3): vertices of the primitive.
        """
        values: CornerValues = {}
        index = use.material
        colours = self._read(use, "COLOR_0")
        if colours is not None:
            index = self._shaded_material(index)
            values["vertex_colours"] = _to_bytes(colours)[corners]
        normals = self._read(use, "NORMAL")
        if normals is not None and index >= 0:
            turned = _transform_normals(normals, matrix)[corners]
            if not flat_shaded(turned, triangles[:, [0, 1, 2, 2]]).all():
                values["vertex_normals"] = turned
                index = self._shaded_material(index)
        pbr = self.materials[index].pbr if index >= 0 else None
        if pbr is not None and pbr.maps:
            coordinates = self._read(use, set_name := f"TEXCOORD_{self._texcoords[index]}")
            if coordinates is None:
                values["uv"] = np.zeros((*corners.shape, 2))
            else:
                values["uv"] = coordinates[corners]
            if set_name not in self._attributes(use.primitive):
                name = quote_text(self.materials[index].name[:40])
                message = f"a mesh has no texture coordinates for the pictures of material {name}"
                self._tell(message, "unwrap it (Blender: UV, Unwrap) and export it with UVs")
        return values, index

    def _shaded_material(self, index: int) -> int:
        """The material of faces with vertex colours or smooth normals: it has a shading, which uses them."""
        if index < 0:
            if self._unnamed < 0:
                self._unnamed = len(self.materials)
                self.materials.append(ModelMaterial(UNNAMED_MATERIAL, (1.0, 1.0, 1.0), pbr=PbrMaterial()))
                self._texcoords.append(0)
            return self._unnamed
        material = self.materials[index]
        if material.pbr is None:
            red, green, blue = srgb_to_linear(material.colour or (1.0, 1.0, 1.0)).tolist()
            self.materials[index] = replace(material, pbr=PbrMaterial(base_colour=(red, green, blue, 1.0)))
        return index

    def _read(self, use: PrimitiveUse, name: str) -> Floats | None:
        """Values of an attribute of a primitive; None if it has none or they cannot be used."""
        key = (*use.primitive, name)
        if key not in self._arrays:
            self._arrays[key] = self._decode(use.primitive, name)
        return self._arrays[key]

    def _decode(self, primitive: tuple[int, int], name: str) -> Floats | None:
        attributes = self._attributes(primitive)
        if name not in attributes:
            return None
        kinds, components, subject = _VERTEX_KINDS[name.partition("_")[0]]
        try:
            count = check_accessor(
                self._container, attributes["POSITION"], ("VEC3",), (5120, 5121, 5122, 5123, FLOAT), "positions"
            ).count
            view = check_accessor(self._container, attributes[name], kinds, components, subject)
            if view.count != count:
                raise ModelError(f"its {subject} are {view.count} for {count} vertices", "export it again")
            values = read_view(view)
            if not (np.abs(values) <= MAX_MODEL_COORDINATE).all():  # NaN compares false
                raise ModelError(f"its {subject} are not finite or too large", "export it again")
        except ModelError as error:
            self._tell(f"{error.message}; they are left out", error.cure)
            return None
        if subject == "vertex colours" and values.min(initial=1.0) >= 1.0:
            return None  # white, as exporters write it for every mesh
        return values

    def _attributes(self, primitive: tuple[int, int]) -> Json:
        mesh, at = primitive
        attributes: Json = self._container.document["meshes"][mesh]["primitives"][at]["attributes"]
        return attributes

    def _tell(self, message: str, cure: str) -> None:
        if message not in self._told:
            self._told.add(message)
            self._notes.append(ModelNote(message, cure))


def _to_bytes(colours: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Linear colours (V,3) or (V,4) as red, green, blue and opacity, 255 for one."""
    rows = np.ones((len(colours), 4))
    rows[:, : colours.shape[1]] = colours
    return np.rint(255.0 * np.clip(rows, 0.0, 1.0)).astype(np.uint8)


def _transform_normals(normals: Floats, matrix: Floats) -> Floats:
    """Unit normals (V,3) in the world: by the cofactors of the matrix, which need no inverse. NaN without a length."""
    a, b, c = matrix[0, :3], matrix[1, :3], matrix[2, :3]
    cofactors = np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)])
    with np.errstate(all="ignore"):
        turned = normals @ cofactors.T
        if np.linalg.det(matrix[:3, :3]) < 0.0:
            turned = -turned
        unit: Floats = turned / np.linalg.norm(turned, axis=1, keepdims=True)
    return unit
